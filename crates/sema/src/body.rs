//! Statements: the top level, blocks, and what names they mention.

use crate::checker::{BodyCx, Checker};
use crate::declared::Declared;
use crate::expr::value;
use crate::scope::Binding;
use crate::sink::Sink;
use crate::thir::{Block, Elem, Expr, ExprKind, Input, LocalId, Nominal, ParamOrigin, Stmt, Ty};
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_domain::Affine;
use weft_hir as hir;
use weft_scalar::ScalarType;
use weft_shape::Size;

/// Statements: the top level and blocks.
pub(crate) struct Blocks<'c, 'a> {
    pub checker: &'c mut Checker<'a>,
}

impl<'a> Checker<'a> {
    /// Statements: the top level and blocks.
    pub fn blocks(&mut self) -> Blocks<'_, 'a> {
        Blocks { checker: self }
    }
}

impl Blocks<'_, '_> {
    /// Checks the top level.
    pub fn main(&mut self) -> Sink {
        let tree = self.checker.tree;
        self.checker.open_body(None).is_main = true;
        self.checker.callables().declare_items(&tree.items);
        let mut block = self.block_content(&tree.stmts, tree.tail.as_deref(), true);
        self.checker.callables().check_items(&tree.items);
        self.run_main(tree.main.as_ref(), &mut block);
        self.checker.refuse_endless_recursion();
        let mut cx = self.checker.bodies.pop().expect("pushed above");
        cx.body.note_uses_of(&block);
        cx.body.result = block.tail.as_ref().map_or(Ty::unit(), |t| t.ty.clone());
        cx.body.block = block;
        self.checker.program.main = Some(self.checker.program.bodies.push(cx.body));
        cx.sink
    }

    /// `fn main()` runs after the top level, and its value is the program's.
    fn run_main(&mut self, main: Option<&hir::Ident>, block: &mut Block) {
        let Some(main) = main else { return };
        let callee = hir::Expr::of_var(main, main.span);
        let value = self.checker.calls().call(&callee, &[], main.span);
        let value = self.checker.cx().conversions().known_elements(value);
        if let Some(tail) = block.tail.take() {
            block.stmts.push(Stmt::Expr(*tail));
        }
        block.stmts.append(&mut self.checker.cx().pending);
        block.tail = Some(Box::new(value));
    }

    /// Statements and a value, in a scope of their own.
    pub fn block(&mut self, stmts: &[hir::Stmt], tail: Option<&hir::Expr>) -> Block {
        self.checker.cx().push_scope();
        let block = self.block_content(stmts, tail, false);
        self.checker.cx().pop_scope();
        block
    }

    /// The same in the scope that is open; `top` is the program itself.
    fn block_content(&mut self, stmts: &[hir::Stmt], tail: Option<&hir::Expr>, top: bool) -> Block {
        let host = self.checker.cx().is_host();
        let outer = if host { std::mem::take(&mut self.checker.cx().pending) } else { Vec::new() };
        self.checker.callables().hoist(stmts, top);
        let mut out = Vec::new();
        for stmt in stmts {
            let mut made = Vec::new();
            self.statement(stmt, top, &mut made);
            // Behind what must stand before it.
            if host {
                out.append(&mut self.checker.cx().pending);
            }
            out.append(&mut made);
        }
        let tail = tail.map(|e| self.checker.expr(e));
        let tail =
            tail.map(|e| if top { self.checker.cx().conversions().known_elements(e) } else { e });
        if host {
            out.append(&mut self.checker.cx().pending);
            self.checker.cx().pending = outer;
        }
        Block { stmts: out, tail: tail.map(Box::new) }
    }

    fn statement(&mut self, stmt: &hir::Stmt, top: bool, out: &mut Vec<Stmt>) {
        match &stmt.kind {
            hir::StmtKind::Let(l) => self.let_stmt(l, top, out),
            hir::StmtKind::Const(c) => self.checker.callables().const_stmt(c),
            hir::StmtKind::Definitions(group) => {
                *out = self.checker.definitions().definitions_of(group)
            }
            hir::StmtKind::Input(i) => self.input(i),
            hir::StmtKind::Expr(e) => {
                let e = self.checker.expr(e);
                out.push(Stmt::Expr(e));
            }
            // Declared when the block was entered.
            hir::StmtKind::Fn(_) | hir::StmtKind::DiffRule(_) => {}
        }
    }

    fn let_stmt(&mut self, l: &hir::Let, top: bool, out: &mut Vec<Stmt>) {
        let replaced = l.replaced.as_ref();
        if let (true, hir::LetPatternKind::Name(name)) = (top, &l.pattern.kind)
            && let Some((n, elem)) = literal_int(&l.value, &l.ty)
        {
            return self.literal_let(name, n, elem, replaced, l);
        }
        let e = match &l.ty {
            Some(ty) => self.stated_value(&l.value, ty),
            None => {
                let e = self.checker.expr(&l.value);
                self.held_by_pattern(e, &l.pattern)
            }
        };
        let e = match replaced {
            Some(with) => self.replacement(e, with),
            None => e,
        };
        self.bind_pattern(&l.pattern, e, out);
    }

    fn stated_value(&mut self, value: &hir::Expr, ty: &hir::Type) -> Expr {
        let jagged = matches!(ty.kind, hir::TypeKind::Jagged { .. });
        if jagged
            && let Some(stated) = self.checker.cx().conversions().declared(ty)
            && let Some(list) = self.checker.applied().stated_list(value, &stated, ty.span)
        {
            return list;
        }
        let e = self.checker.expr(value);
        self.checker.applied().annotated(e, ty)
    }

    /// A tuple that is written out, with the members that a pattern states types of adapted to
    /// these.
    fn held_by_pattern(&mut self, e: Expr, pattern: &hir::LetPattern) -> Expr {
        let (ExprKind::Tuple(members), Ty::Tuple(_), hir::LetPatternKind::Tuple(patterns)) =
            (&e.kind, &e.ty, &pattern.kind)
        else {
            return e;
        };
        if members.len() != patterns.len() {
            return e;
        }
        let hold = |(m, p): (&Expr, &hir::TypedPattern)| {
            let m = m.clone();
            match &p.ty {
                Some(ty) => self.checker.applied().annotated(m, ty),
                None => self.held_by_pattern(m, &p.pattern),
            }
        };
        let members: Vec<Expr> = members.iter().zip(patterns).map(hold).collect();
        let ty = Ty::Tuple(members.iter().map(|m| m.ty.clone()).collect());
        Expr { kind: ExprKind::Tuple(members), ty, ..e }
    }

    /// What a run puts in place of an initialiser: it must have the same type.
    fn replacement(&mut self, original: Expr, with: &hir::Expr) -> Expr {
        let e = self.checker.expr(with);
        match original.ty.elem() {
            _ if e.ty == Ty::Error => e,
            Some(elem) if original.ty.rank() == e.ty.rank() => {
                self.checker.expect_elem(e, elem, "the given value")
            }
            _ => {
                let (a, b) =
                    (self.checker.at().show_ty(&original.ty), self.checker.at().show_ty(&e.ty));
                let d = Diagnostic::error(Code::E1103, format!("expected {a}, found {b}"))
                    .primary(with.span, format!("this is {b}"));
                self.checker.error(d)
            }
        }
    }

    /// A top-level `let` of an integer literal: a parameter that a run may set.
    fn literal_let(
        &mut self,
        name: &hir::Ident,
        n: i64,
        elem: Elem,
        replaced: Option<&hir::Expr>,
        l: &hir::Let,
    ) {
        let mut n = n;
        if let Some(with) = replaced {
            let e = self.checker.expr(with);
            match e.term.as_ref().and_then(Affine::as_constant) {
                Some(v) => n = v,
                None => {
                    let d =
                        Diagnostic::error(Code::E1103, format!("`{}` takes an integer", name.name))
                            .primary(with.span, "given here");
                    self.checker.report(d);
                }
            }
        }
        if elem == Elem::Fixed(ScalarType::I32) && i32::try_from(n).is_err() {
            let d = Diagnostic::error(Code::E0308, format!("`{n}` does not fit `i32`"))
                .primary(l.value.span, "`i32` holds -2147483648 to 2147483647")
                .help("annotate the binding with `i64`");
            self.checker.report(d);
        }
        let p = self.checker.cx().param(name.name.clone(), name.span, ParamOrigin::Literal(n));
        let term = Some(Affine::fixed(Size::param(p)));
        let id = self.checker.cx().local(&name.name, name.span, Ty::scalar(elem), term);
        self.checker.cx().bind(name.var, Binding::Local(id));
    }

    fn bind_pattern(&mut self, pattern: &hir::LetPattern, e: Expr, out: &mut Vec<Stmt>) {
        match &pattern.kind {
            hir::LetPatternKind::Error => {}
            hir::LetPatternKind::Discard => out.push(Stmt::Expr(e)),
            hir::LetPatternKind::Name(name) => {
                if is_unknown(&e.ty) {
                    return self.checker.cx().bind(name.var, Binding::Poisoned);
                }
                let id = self.let_local(name, &e);
                out.push(Stmt::Let(id, e));
            }
            hir::LetPatternKind::Tuple(patterns) => {
                self.destructure(patterns, pattern.span, e, out)
            }
        }
    }

    fn let_local(&mut self, name: &hir::Ident, e: &Expr) -> LocalId {
        let id = self.checker.cx().local(&name.name, name.span, e.ty.clone(), e.term.clone());
        self.checker.must_be_used(id);
        self.checker.cx().remember_value(id, e);
        if e.ty == Ty::Str && self.checker.cx().is_host() {
            self.checker.cx().strings.insert_mut(id);
        }
        if let Some(text) = crate::read::constant_text(e) {
            self.checker.cx().texts.insert_mut(id, text);
        }
        self.checker.cx().bind(name.var, Binding::Local(id));
        id
    }

    fn destructure(
        &mut self,
        patterns: &[hir::TypedPattern],
        span: Span,
        e: Expr,
        out: &mut Vec<Stmt>,
    ) {
        let (Ty::Tuple(members) | Ty::Named(Nominal::Cells { .. }, members)) = &e.ty else {
            if e.ty != Ty::Error {
                let found = self.checker.at().show_ty(&e.ty);
                let d = Diagnostic::error(Code::E0308, format!("expected a tuple, found {found}"))
                    .primary(e.span, format!("this is {found}"))
                    .secondary(span, "this pattern takes a tuple apart");
                self.checker.report(d);
            }
            return patterns.iter().for_each(|p| self.checker.cx().poison_pattern(&p.pattern));
        };
        if members.len() != patterns.len() {
            let d = Diagnostic::error(
                Code::E0308,
                format!("expected a tuple of {}, found one of {}", patterns.len(), members.len()),
            )
            .primary(span, format!("{} names", patterns.len()))
            .secondary(e.span, format!("{} members", members.len()));
            self.checker.report(d);
            return patterns.iter().for_each(|p| self.checker.cx().poison_pattern(&p.pattern));
        }
        let id =
            self.checker.cx().local(&Name::new(crate::thir::UNWRITTEN), span, e.ty.clone(), None);
        self.checker.cx().leaves().record_dependence(id, &e);
        let terms: Vec<Option<Affine>> = match &e.kind {
            ExprKind::Tuple(ms) => ms.iter().map(|m| m.term.clone()).collect(),
            _ => vec![None; members.len()],
        };
        let types = members.clone();
        out.push(Stmt::Let(id, e));
        for (n, p) in patterns.iter().enumerate() {
            let base = value(ExprKind::Local(id), Ty::Tuple(types.clone()), p.pattern.span);
            let kind = ExprKind::Field(Box::new(base), n);
            let span = p.pattern.span;
            let mut m = Expr { kind, ty: types[n].clone(), span, term: terms[n].clone() };
            if let Some(ty) = &p.ty {
                m = self.checker.applied().annotated(m, ty);
            }
            self.bind_pattern(&p.pattern, m, out);
        }
    }

    fn input(&mut self, i: &hir::Input) {
        let (elem, dims) = match self.checker.cx().conversions().declared(&i.ty) {
            Some(Declared::Scalar(t)) => (t, Vec::new()),
            Some(Declared::Array(t, Some(dims))) => (t, dims),
            Some(Declared::Array(t, None)) => {
                let unknown = hir::Dim { span: i.ty.span, kind: hir::DimKind::Unknown };
                (t, vec![unknown])
            }
            Some(_) => {
                let stated = self.checker.at().text(i.ty.span);
                let d = Diagnostic::error(Code::E1103, format!("an input of type `{stated}`"))
                    .primary(i.ty.span, "inputs are numbers, truth values and tensors of them")
                    .help("declare its parts as inputs, and join them in a `let`");
                self.checker.report(d);
                return self.checker.cx().bind(i.name.var, Binding::Poisoned);
            }
            None => return self.checker.cx().bind(i.name.var, Binding::Poisoned),
        };
        let Some(shape) = self.input_shape(&i.name, &dims) else {
            return self.checker.cx().bind(i.name.var, Binding::Poisoned);
        };
        let default = i.default.as_ref().map(|e| {
            let e = self.checker.expr(e);
            self.default_of(e, elem, shape.len(), &i.ty)
        });
        let param = (shape.is_empty() && elem.is_int())
            .then(|| self.checker.cx().param(i.name.name.clone(), i.name.span, ParamOrigin::Input));
        let term = param.map(|p| Affine::fixed(Size::param(p)));
        let ty = Ty::Array(Elem::Fixed(elem), shape.clone());
        let local = self.checker.cx().local(&i.name.name, i.name.span, ty, term);
        self.checker.cx().bind(i.name.var, Binding::Local(local));
        let (name, span) = (i.name.name.clone(), i.name.span);
        self.checker.program.inputs.push(Input { name, span, local, elem, shape, param, default });
    }

    /// A default has the input's element type and rank; its extents are what the input
    /// then has.
    fn default_of(&mut self, e: Expr, elem: ScalarType, rank: usize, ty: &hir::Type) -> Expr {
        let e = self.checker.expect_elem(e, Elem::Fixed(elem), "the default");
        match e.ty.rank() {
            Some(found) if found != rank => {
                let d = Diagnostic::error(
                    Code::E0308,
                    format!("the default has rank {found}, the input rank {rank}"),
                )
                .primary(e.span, format!("this has {found} axes"))
                .secondary(ty.span, "stated here");
                self.checker.error(d)
            }
            _ => e,
        }
    }

    /// The extents of an input: bare names become parameters.
    fn input_shape(&mut self, input: &hir::Ident, dims: &[hir::Dim]) -> Option<Vec<Size>> {
        let mut shape = Vec::new();
        for (axis, dim) in dims.iter().enumerate() {
            let size = match &dim.kind {
                hir::DimKind::Name(name) if self.checker.lookup(name.var).is_none() => {
                    let p =
                        self.checker.cx().param(name.name.clone(), name.span, ParamOrigin::Input);
                    self.checker.cx().body.facts.at_least(p, 0);
                    let size = Size::param(p);
                    let ty = Ty::scalar(Elem::OpenInt);
                    let id = self.checker.cx().local(
                        &name.name,
                        name.span,
                        ty,
                        Some(Affine::fixed(size.clone())),
                    );
                    self.checker.cx().bind(name.var, Binding::Local(id));
                    size
                }
                hir::DimKind::Unknown => {
                    let name = format!("shape({})[{axis}]", input.name);
                    let p =
                        self.checker.cx().param(name.as_str().into(), dim.span, ParamOrigin::Input);
                    self.checker.cx().body.facts.at_least(p, 0);
                    Size::param(p)
                }
                hir::DimKind::Name(_) | hir::DimKind::Expr(_) => {
                    self.checker.applied().dim(dim, None)?
                }
                _ => {
                    let d = Diagnostic::error(Code::E1103, "an input of unknown rank")
                        .primary(dim.span, "how many axes there are must be known")
                        .help("write `?` for each axis, as in `[f32; ?, ?]`");
                    self.checker.report(d);
                    return None;
                }
            };
            shape.push(size);
        }
        Some(shape)
    }
}

impl BodyCx<'_> {
    /// Remembers what is known of a name's value: the indices in it, members that are
    /// known integers, the leaves of a tensor of tuples.
    pub fn remember_value(&mut self, id: LocalId, e: &Expr) {
        self.leaves().record_dependence(id, e);
        match &e.kind {
            ExprKind::Tuple(members) if members.iter().any(|m| m.term.is_some()) => {
                self.members.insert_mut(id, members.clone());
            }
            ExprKind::Array(members) if members.iter().all(crate::read::is_extent) => {
                self.members.insert_mut(id, members.clone());
            }
            ExprKind::Local(other) => {
                let known = self.members.get(other).cloned();
                let fields = self.fields.get(other).cloned();
                if let Some(known) = known {
                    self.members.insert_mut(id, known);
                }
                if let Some(fields) = fields {
                    self.fields.insert_mut(id, fields);
                }
            }
            _ => {}
        }
    }

    fn poison_pattern(&mut self, pattern: &hir::LetPattern) {
        match &pattern.kind {
            hir::LetPatternKind::Name(name) => self.bind(name.var, Binding::Poisoned),
            hir::LetPatternKind::Tuple(ps) => {
                ps.iter().for_each(|p| self.poison_pattern(&p.pattern))
            }
            hir::LetPatternKind::Discard | hir::LetPatternKind::Error => {}
        }
    }
}

/// A literal integer (perhaps negated) that an unannotated or integer `let` binds.
fn literal_int(e: &hir::Expr, ty: &Option<hir::Type>) -> Option<(i64, Elem)> {
    let elem = match ty.as_ref().map(|t| &t.kind) {
        None => Elem::OpenInt,
        Some(hir::TypeKind::Prim(hir::Prim::I32)) => Elem::Fixed(ScalarType::I32),
        Some(hir::TypeKind::Prim(hir::Prim::I64)) => Elem::Fixed(ScalarType::I64),
        _ => return None,
    };
    let n = match &e.kind {
        hir::ExprKind::Number(n) => int_value(n)?,
        hir::ExprKind::Unary { op: hir::UnaryOp::Neg, operand, .. } => match &operand.kind {
            hir::ExprKind::Number(n) => int_value(n)?.checked_neg()?,
            _ => return None,
        },
        _ => return None,
    };
    Some((n, elem))
}

fn int_value(n: &hir::Number) -> Option<i64> {
    match n.value {
        hir::NumberValue::Int(v) => i64::try_from(v).ok(),
        hir::NumberValue::Float(_) => None,
    }
}

/// Whether nothing is known of a value, nor of any member of it.
fn is_unknown(ty: &Ty) -> bool {
    match ty.members() {
        Some(members) => !members.is_empty() && members.iter().all(is_unknown),
        None => *ty == Ty::Error,
    }
}
