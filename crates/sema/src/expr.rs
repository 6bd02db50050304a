//! Expressions.

use crate::checker::Checker;
use crate::prove::pattern::Constructor;
use crate::scope::Binding;
use crate::thir::{Block, Elem, Expr, ExprKind, Stmt, StrPart, Ty, TypeId};
use crate::typed::body_cx::Need;
use crate::typed::choice::Choice;
use crate::typed::values::{error_expr, integer, truth, value};
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_domain::Affine;
use weft_hir::{self as hir, LibraryItem};
use weft_scalar::{Scalar, ScalarType};

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
            hir::ExprKind::Reduce(r) => self.sequences().folded(r, span),
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
        let var = match &u.meaning {
            hir::Meaning::Var(var) => *var,
            hir::Meaning::Foreign(path) => return self.applied().not_called(path, u.span),
            hir::Meaning::Variant(ty) => {
                return match self.cx().patterns().variant_of(*ty, &u.name) {
                    Some(c) => self.matches().construct_unit(c, u.span),
                    None => error_expr(u.span),
                };
            }
            hir::Meaning::Library(LibraryItem::Constant(v)) => {
                return self.cx().leaves().float(f64::from_bits(*v), u.span);
            }
            hir::Meaning::Library(LibraryItem::File(op)) => {
                return self.applied().not_called(&Name::new(&op.path()), u.span);
            }
            hir::Meaning::Library(item) => return self.calls().library_value(*item, u),
            hir::Meaning::Builtin => return error_expr(u.span),
        };
        if let Some(ty) = self.types.of_var(var) {
            return self.type_as_value(ty, u.span);
        }
        if let Some(refused) = self.read_around_the_clause(var, u.span) {
            return refused;
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
        let decided = self.cx().terms().ask_of_condition(&cond);
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
        let alike = have_same_extents(&then.ty, &other.ty);
        let chosen = self.choices().choose(Choice::If, cond, then, other, span);
        // What a function that calls itself gives is not known at first, and no reason to unroll it.
        let recurs = self.under_way.last().is_some_and(|a| a.called);
        if typed && chosen.ty == Ty::Error || !typed && !recurs {
            self.cx().terms().ask_of_branches(&decided, Need::Structure);
        } else if !alike && !recurs {
            self.cx().terms().ask_of_branches(&decided, Need::Value);
        }
        self.cx().turns().in_turn(chosen, effects)
    }

    /// A condition: a `bool`, scalar or tensor.
    pub fn condition_expr(&mut self, e: &hir::Expr) -> Expr {
        let cond = self.expr(e);
        match cond.ty.elem() {
            Some(Elem::Fixed(ScalarType::Bool)) => cond,
            Some(elem) if !elem.is_known() => {
                let truth = Elem::Fixed(ScalarType::Bool);
                self.cx().conversions().expect_elem(cond, truth, "a condition")
            }
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
            Some(term) if self.fold_indices.contains(&name.var) => integer(term.clone(), e.span),
            _ => e,
        };
        let id = self.cx().local(&name.name, name.span, e.ty.clone(), e.term.clone());
        if !self.fold_indices.contains(&name.var) {
            self.must_be_used(id);
        }
        self.cx().leaves().record_dependence(id, &e);
        self.cx().bind(name.var, Binding::Local(id));
        (id, e)
    }
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

/// Whether two tensors surely have the same extents; of all else they are not asked.
fn have_same_extents(a: &Ty, b: &Ty) -> bool {
    !matches!((a, b), (Ty::Array(_, a), Ty::Array(_, b)) if a != b)
}
