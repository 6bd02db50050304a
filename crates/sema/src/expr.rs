//! Expressions.

use crate::checker::{BodyCx, Checker, error_expr};
use crate::differential::is_differential;
use crate::join::joined_elem;
use crate::prove::pattern::Constructor;
use crate::scope::Binding;
use crate::thir::{Block, Elem, Expr, ExprKind, Nominal, ParamOrigin, Stmt, StrPart, Ty, TypeId};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::Affine;
use weft_hir::{self as hir, LibraryItem};
use weft_scalar::{Scalar, ScalarType};
use weft_shape::Size;

/// What expressions are made of: numbers, names, arrays, sizes.
pub(crate) struct Leaves<'c, 'a> {
    pub cx: &'c mut BodyCx<'a>,
}

impl<'a> BodyCx<'a> {
    /// What expressions are made of: numbers, names, arrays, sizes.
    pub fn leaves(&mut self) -> Leaves<'_, 'a> {
        Leaves { cx: self }
    }
}

impl Leaves<'_, '_> {
    pub fn number(&mut self, n: &hir::Number, span: Span) -> Expr {
        match n.value {
            hir::NumberValue::Int(v) => match (i64::try_from(v), u64::try_from(v)) {
                (Ok(v), _) => integer(Affine::fixed(v), span),
                // Only what makes it a `u64` or a float can take it: it is no term.
                (_, Ok(v)) => {
                    value(ExprKind::Const(Scalar::U64(v)), Ty::scalar(Elem::OpenWide), span)
                }
                _ => {
                    let d =
                        Diagnostic::error(Code::E0308, format!("`{}` does not fit `u64`", n.text))
                            .primary(span, "the largest integer type is `u64`");
                    self.cx.error(d)
                }
            },
            hir::NumberValue::Float(v) => self.float(v, span),
        }
    }

    pub fn float(&mut self, v: f64, span: Span) -> Expr {
        value(ExprKind::Const(Scalar::F64(v)), Ty::scalar(Elem::OpenFloat), span)
    }

    /// A local where it is used.
    pub fn local_value(&mut self, id: crate::thir::LocalId, span: Span) -> Expr {
        self.cx.used[id] = true;
        if self.cx.group.contains_key(&id) {
            return self.cx.targets().group_value(id, span);
        }
        if let Some(flag) = self.cx.terms().known_flag(id, span) {
            return flag;
        }
        let local = &self.cx.body.locals[id];
        Expr { kind: ExprKind::Local(id), ty: local.ty.clone(), span, term: local.term.clone() }
    }

    /// An array literal of any elements.
    pub fn array_of_checked(&mut self, all: Vec<Expr>, span: Span) -> Expr {
        if all.iter().any(|e| e.ty == Ty::Error) {
            return error_expr(span);
        }
        if all.iter().any(|e| matches!(e.ty, Ty::List(_))) {
            let rows = all.into_iter().map(|e| self.cx.parts().row_list(e)).collect();
            return self.cx.parts().list_of(rows, span);
        }
        let Some(first) = all.first() else {
            let ty = Ty::Array(Elem::Unknown, vec![Size::from(0)]);
            return value(ExprKind::Array(all), ty, span);
        };
        if let Some(d) = all.iter().find(|e| is_differential(e)) {
            return self.cx.operators().not_a_value(&d.clone(), "an array");
        }
        let first = first.clone();
        match &first.ty {
            Ty::Tuple(ms) if !ms.is_empty() => return self.cx.targets().array_of_tuples(all, span),
            Ty::Named(Nominal::Struct(_) | Nominal::Enum(_), _) => {
                return self.cx.targets().array_of_tuples(all, span);
            }
            Ty::Array(..) => {}
            _ => return self.cx.parts().list_of(all, span),
        }
        self.array_of(all, span)
    }

    /// An array of checked elements.
    pub fn array_of(&mut self, mut all: Vec<Expr>, span: Span) -> Expr {
        let Some(first) = all.first().cloned() else { return error_expr(span) };
        if first.ty.elem().is_none() {
            let found = self.cx.show_ty(&first.ty);
            return self.cx.mistyped(
                span,
                &format!("an array of {found}"),
                "elements are numbers, truth values, strings, and tensors and tuples of them",
                "keep them as the members of a tuple: `(a, b)`",
            );
        }
        let other = |e: &&Expr| e.ty.elem().is_none() || e.ty.rank() != first.ty.rank();
        let apart = match all.iter().find(other) {
            Some(e) => Err(Box::new((first.clone(), e.clone()))),
            None => joined_elem(&all.iter().collect::<Vec<_>>()),
        };
        let elem = match apart {
            Ok(elem) => elem,
            Err(two) => {
                self.cx.conversions().mismatch(&two.0, &two.1, "the elements of an array");
                return error_expr(span);
            }
        };
        for e in &all[1..] {
            if first.ty.shape() != e.ty.shape() {
                let all = all.into_iter().map(|e| self.cx.conversions().adapt(e, elem)).collect();
                return self.cx.parts().list_of(all, span);
            }
        }
        all = all.into_iter().map(|e| self.cx.conversions().adapt(e, elem)).collect();
        let mut shape = vec![Size::from(all.len() as i64)];
        shape.extend(first.ty.shape().unwrap_or_default().iter().cloned());
        value(ExprKind::Array(all), Ty::Array(elem, shape), span)
    }

    /// Remembers what indices a local's value mentions.
    pub fn record_dependence(&mut self, id: crate::thir::LocalId, e: &Expr) {
        let iters = self.cx.iters_of(e);
        if !iters.is_empty() {
            self.cx.depends.insert_mut(id, iters);
        }
        if let Some(quotient) = self.cx.truncated_in(e) {
            self.cx.quotients.insert_mut(id, quotient);
        }
    }

    /// A host integer as a size: its term, or a new parameter that is computed first.
    pub fn size_required(&mut self, e: &Expr, what: &str) -> Option<Size> {
        if e.ty == Ty::Error {
            return None;
        }
        if is_beyond_i64(e) {
            self.cx.operators().too_large(e.span);
            return None;
        }
        let e = &self.cx.terms().as_size_term(e.clone());
        if let Some(term) = &e.term {
            let Some(size) = term.as_size() else {
                return self.size_of_a_cell(e.span, what);
            };
            return Some(size.clone());
        }
        self.cx.terms().ask_of_element(e);
        let is_int = matches!(e.ty, Ty::Array(elem, ref s) if s.is_empty() && elem.is_int());
        if !is_int {
            let found = self.cx.show_ty(&e.ty);
            let d =
                Diagnostic::error(Code::E0308, format!("{what} must be an integer, found {found}"))
                    .primary(e.span, format!("this is {found}"));
            self.cx.report(d);
            return None;
        }
        if !self.cx.iters_of(e).is_empty() || self.mentions_group(e) {
            return self.size_of_a_cell(e.span, what);
        }
        Some(self.computed_param(e))
    }

    /// A size that would be another in each cell.
    fn size_of_a_cell(&mut self, span: Span, what: &str) -> Option<Size> {
        self.cx.mistyped(
            span,
            &format!("{what} depends on an index"),
            "it would be another in each cell",
            "let an index run that far: `sum[k in 0..t](x[k])`",
        );
        None
    }

    /// Whether an expression reads a tensor whose definition is under way.
    fn mentions_group(&mut self, e: &Expr) -> bool {
        let group: Vec<crate::thir::LocalId> = self.cx.group.keys().copied().collect();
        let mut found = false;
        crate::path::locals_in(e, &mut |id| found |= group.contains(&id));
        found
    }

    fn computed_param(&mut self, e: &Expr) -> Size {
        let name = weft_base::Name::new(&self.cx.text(e.span));
        let p = self.cx.param(name, e.span, ParamOrigin::Computed);
        self.cx.pending.push(Stmt::Define(p, e.clone()));
        let size = Size::param(p);
        if let ExprKind::Local(id) = e.kind {
            self.cx.body.locals[id].term = Some(Affine::fixed(size.clone()));
        }
        size
    }
}

impl BodyCx<'_> {
    /// Whether a value in a string is followed by what ends it.
    fn is_closed(&self, value: Span) -> bool {
        let text = &self.source.file(value.file).text;
        let rest = text.get(value.end as usize..).unwrap_or_default();
        rest.trim_start().starts_with(['}', ':'])
    }
}

impl Checker<'_> {
    /// Checks an expression.
    pub fn expr(&mut self, e: &hir::Expr) -> Expr {
        weft_base::interrupt::poll();
        let span = e.span;
        match &e.kind {
            hir::ExprKind::Error => {
                self.cx().ranges().poison();
                error_expr(span)
            }
            hir::ExprKind::Unit => value(ExprKind::Tuple(vec![]), Ty::unit(), span),
            hir::ExprKind::Bool(b) => truth(*b, span),
            hir::ExprKind::Number(n) => self.cx().leaves().number(n, span),
            hir::ExprKind::Str(s) => self.string(s, span),
            hir::ExprKind::Use(u) => self.used(u),
            hir::ExprKind::Tuple(members) => self.tuple(members, span),
            hir::ExprKind::Array(elements) => self.array(elements, span),
            hir::ExprKind::Reduction(r) => self.reads().reduction(r, span),
            hir::ExprKind::If(i) => self.if_else(i, span),
            hir::ExprKind::Block(b) => self.block_expr(b),
            hir::ExprKind::Call { callee, args } => self.calls().call(callee, args, span),
            hir::ExprKind::Index { base, items } => self.reads().read(base, items, span),
            hir::ExprKind::Field { base, field } => self.reads().field(base, field, span),
            hir::ExprKind::Unary { op, operand, .. } => self.applied().unary(*op, operand, span),
            hir::ExprKind::Binary { op, lhs, rhs, .. } => {
                self.applied().binary(*op, lhs, rhs, span)
            }
            hir::ExprKind::In { item, set } => self.applied().membership(item, set, span),
            hir::ExprKind::Cast { value, ty } => self.applied().cast(value, ty, span),
            hir::ExprKind::Where { body, items } => self.where_expr(body, items, span),
            hir::ExprKind::Comprehension(c) => self.sequences().comprehension(c, span),
            hir::ExprKind::Reduce(r) => self.sequences().reduce(r, span),
            hir::ExprKind::Match(m) => self.matches().match_expr(m, span),
            hir::ExprKind::Lambda(l) => self.calls().lambda(l, span),
            hir::ExprKind::StructLit(s) => self.matches().struct_literal(s, span),
            hir::ExprKind::Range { start, end, inclusive } => {
                self.sequences().range_value(start, end, *inclusive, span)
            }
            hir::ExprKind::Pipe { op, lhs, rhs, .. } => {
                self.choices().failing_pipe(*op, lhs, rhs, span)
            }
            hir::ExprKind::Recover { chain, handler } => {
                self.choices().recover(chain, handler, span)
            }
        }
    }

    fn string(&mut self, s: &hir::StrLit, span: Span) -> Expr {
        let parts = s.parts.iter().map(|p| self.string_part(p)).collect();
        value(ExprKind::Str(parts), Ty::Str, span)
    }

    fn string_part(&mut self, part: &hir::StrPart) -> StrPart {
        match &part.kind {
            hir::StrPartKind::Text(t) => StrPart::Text(t.clone()),
            // A brace that is not matched is said already.
            hir::StrPartKind::Value { value, .. } if !self.at().is_closed(value.span) => {
                StrPart::Text(String::new())
            }
            hir::StrPartKind::Value { value, spec } => {
                let e = self.expr(value);
                StrPart::Value(Box::new(self.cx().operators().shown(e)), spec.clone())
            }
        }
    }

    /// A name.
    fn used(&mut self, u: &hir::Use) -> Expr {
        let var = match u.meaning {
            hir::Meaning::Var(var) => var,
            hir::Meaning::Variant(ty) => {
                return match self.cx().patterns().variant_of(ty, &u.name) {
                    Some(c) => self.matches().construct_unit(c, u.span),
                    None => error_expr(u.span),
                };
            }
            hir::Meaning::Library(LibraryItem::Constant(v)) => {
                return self.cx().leaves().float(f64::from_bits(v), u.span);
            }
            hir::Meaning::Library(item) => return self.calls().library_value(item, u),
            hir::Meaning::Builtin => return error_expr(u.span),
        };
        if let Some(ty) = self.types.of_var(var) {
            return self.type_as_value(ty, u.span);
        }
        match self.lookup(var) {
            Some(Binding::Local(id)) => self.cx().leaves().local_value(id, u.span),
            Some(Binding::Index(i)) => integer(Affine::iter(i), u.span),
            Some(Binding::Const(id)) => self.callables().constant_value(id, u.span),
            Some(Binding::Poisoned) => {
                self.cx().ranges().poison();
                error_expr(u.span)
            }
            Some(Binding::Function(f)) => self.calls().function_value(f, u.span),
            Some(Binding::Rest(_)) => {
                let d = Diagnostic::error(Code::E0005, "a rest stands only between brackets")
                    .primary(u.span, "this names a run of axes, not a value");
                self.error(d)
            }
            None => self.not_bound_yet(var, u),
        }
    }

    /// A struct without fields is its own value.
    fn type_as_value(&mut self, ty: TypeId, span: Span) -> Expr {
        if !self.types.def(ty).is_enum {
            return self.matches().construct_unit(Constructor { ty, variant: 0 }, span);
        }
        let name = &self.types.def(ty).name;
        let d = Diagnostic::error(Code::E0308, format!("`{name}` is a type, not a value"))
            .primary(span, "a value is expected here");
        self.error(d)
    }

    fn tuple(&mut self, members: &[hir::Expr], span: Span) -> Expr {
        let members: Vec<Expr> = members.iter().map(|m| self.expr(m)).collect();
        let ty = Ty::Tuple(members.iter().map(|m| m.ty.clone()).collect());
        value(ExprKind::Tuple(members), ty, span)
    }

    fn array(&mut self, elements: &[hir::Expr], span: Span) -> Expr {
        let all: Vec<Expr> = elements.iter().map(|e| self.expr(e)).collect();
        self.cx().leaves().array_of_checked(all, span)
    }

    fn if_else(&mut self, i: &hir::If, span: Span) -> Expr {
        let cond = self.condition_expr(&i.cond);
        self.cx().terms().ask_of_condition(&cond);
        // What is known here decides here: a branch that cannot be taken is not checked.
        match (&cond.kind, &i.otherwise) {
            (ExprKind::Const(Scalar::Bool(true)), Some(_)) => return self.block_expr(&i.then),
            (ExprKind::Const(Scalar::Bool(true)), None) => {
                return without_value(self.block_expr(&i.then));
            }
            (ExprKind::Const(Scalar::Bool(false)), Some(e)) => return self.expr(e),
            (ExprKind::Const(Scalar::Bool(false)), None) => {
                return value(ExprKind::Tuple(vec![]), Ty::unit(), span);
            }
            _ => {}
        }
        let effects = std::mem::take(&mut self.cx().effects);
        let then = self.under(&cond, true, |c| c.block_expr(&i.then));
        let (then, other) = match &i.otherwise {
            Some(e) => (then, self.under(&cond, false, |c| c.else_expr(e))),
            None => (without_value(then), value(ExprKind::Tuple(vec![]), Ty::unit(), span)),
        };
        let typed = then.ty != Ty::Error && other.ty != Ty::Error;
        let asks = cond.clone();
        let chosen = self.choices().choose(cond, then, other, span);
        if typed && chosen.ty == Ty::Error {
            self.cx().terms().ask_of_branches(&asks);
        }
        self.cx().turns().in_turn(chosen, effects)
    }

    /// A condition: a `bool`, scalar or tensor.
    pub fn condition_expr(&mut self, e: &hir::Expr) -> Expr {
        let cond = self.expr(e);
        match cond.ty.elem() {
            Some(Elem::Fixed(ScalarType::Bool)) => cond,
            Some(elem) if !elem.is_known() => cond,
            _ if cond.ty == Ty::Error => cond,
            _ => {
                let found = self.at().show_ty(&cond.ty);
                let d = Diagnostic::error(
                    Code::E0308,
                    format!("a condition must be bool, found {found}"),
                )
                .primary(cond.span, format!("this is {found}"));
                self.error(d)
            }
        }
    }

    pub fn block_expr(&mut self, b: &hir::Block) -> Expr {
        self.block_value(&b.stmts, b.tail.as_deref(), b.span)
    }

    /// What stands behind `else`: of a choice, too, what is measured is measured there.
    fn else_expr(&mut self, e: &hir::Expr) -> Expr {
        match &e.kind {
            hir::ExprKind::If(_) => self.block_value(&[], Some(e), e.span),
            _ => self.expr(e),
        }
    }

    fn block_value(&mut self, stmts: &[hir::Stmt], tail: Option<&hir::Expr>, span: Span) -> Expr {
        let block = self.blocks().block(stmts, tail);
        let ty = block.tail.as_ref().map_or(Ty::unit(), |t| t.ty.clone());
        let term = block.tail.as_ref().and_then(|t| t.term.clone());
        if block.stmts.is_empty()
            && let Some(tail) = block.tail
        {
            return *tail;
        }
        Expr { kind: ExprKind::Block(block), ty, span, term }
    }

    /// `value where items` outside clauses and reductions: bindings, and what is about the
    /// indices of a reduction in it.
    fn where_expr(&mut self, body: &hir::Expr, items: &[hir::WhereItem], span: Span) -> Expr {
        self.cx().push_scope();
        let mut stmts = Vec::new();
        for item in items {
            match &item.kind {
                hir::WhereItemKind::Bind { name, value } => {
                    let (id, e) = self.bind_value(name, value);
                    stmts.push(Stmt::Let(id, e));
                }
                hir::WhereItemKind::Guard(g) => {
                    let d = Diagnostic::error(Code::E0304, "a guard where there is no index")
                        .primary(g.span, "there are no cells that it could leave out")
                        .help("use `if … { … } else { … }`");
                    self.report(d);
                }
            }
        }
        let tail = self.expr(body);
        self.cx().pop_scope();
        let (ty, term) = (tail.ty.clone(), tail.term.clone());
        let block = crate::thir::Block { stmts, tail: Some(Box::new(tail)) };
        Expr { kind: ExprKind::Block(block), ty, span, term }
    }

    /// A name bound by `where`: the value stays open and keeps its term.
    pub fn bind_value(&mut self, name: &hir::Ident, v: &hir::Expr) -> (crate::thir::LocalId, Expr) {
        let e = self.expr(v);
        // The index of a fold is an index: the type of its range's start is not its own.
        let e = match &e.term {
            Some(term) if self.fold_indices.contains(&name.span) => integer(term.clone(), e.span),
            _ => e,
        };
        let id = self.cx().local(&name.name, name.span, e.ty.clone(), e.term.clone());
        self.must_be_used(id);
        self.cx().leaves().record_dependence(id, &e);
        self.cx().bind(name.var, Binding::Local(id));
        (id, e)
    }
}

/// An expression without a term.
pub(crate) fn value(kind: ExprKind, ty: Ty, span: Span) -> Expr {
    Expr { kind, ty, span, term: None }
}

/// A truth value.
pub(crate) fn truth(b: bool, span: Span) -> Expr {
    value(ExprKind::Const(Scalar::Bool(b)), Ty::bool(), span)
}

/// An open integer known as a term.
pub(crate) fn integer(term: Affine, span: Span) -> Expr {
    let kind = match term.as_constant() {
        Some(n) => ExprKind::Const(Scalar::I64(n)),
        None => ExprKind::Index(term.clone()),
    };
    Expr { kind, ty: Ty::scalar(Elem::OpenInt), span, term: Some(term) }
}

/// Whether an expression is an open literal that only `u64` and floats can hold.
pub(crate) fn is_beyond_i64(e: &Expr) -> bool {
    e.ty.elem() == Some(Elem::OpenWide)
}

/// An expression for its effects: a block that gives `()`.
fn without_value(e: Expr) -> Expr {
    if e.ty == Ty::unit() || e.ty == Ty::Error {
        return e;
    }
    let span = e.span;
    let block = Block { stmts: vec![Stmt::Expr(e)], tail: None };
    value(ExprKind::Block(block), Ty::unit(), span)
}
