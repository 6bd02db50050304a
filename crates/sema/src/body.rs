//! Statements: the top level, blocks, constants.
//!
//! The value of a constant stands for itself in any body: literals, and operators on them. So it
//! can be used anywhere, and stays as open as its literals are.

use crate::checker::ConstState;
use crate::declared::Declared;
use crate::handles::{Blocks, Callables};
use crate::scope::{Binding, ConstId};
use crate::sink::Sink;
use crate::thir::{Block, Elem, Expr, ExprKind, Input, LocalId, Nominal, ParamOrigin, Stmt, Ty};
use crate::typed::body_cx::{MOST_LEAVES, Need};
use crate::typed::values::{error_expr, is_static, value};
use std::rc::Rc;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_domain::Affine;
use weft_hir as hir;
use weft_scalar::{ScalarType, Stated};
use weft_shape::Size;

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
            hir::StmtKind::Fn(def) => self.checker.calls().anchors_of(def),
            hir::StmtKind::DiffRule(_) => {}
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
        if let Some(number) = self.checker.applied().parsed(value, ty) {
            return number;
        }
        if let Some(found) = self.checker.applied().foreign(value, ty, Stated::Held) {
            return found;
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
                self.checker.cx().conversions().expect_elem(e, elem, "the given value")
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
        self.checker.cx().terms().ask_of_element(e, Need::Value);
        let id = self.checker.cx().local(&name.name, name.span, e.ty.clone(), e.term.clone());
        self.checker.must_be_used(id);
        self.checker.cx().remember_value(id, e);
        if is_copy(e) {
            let text = self.checker.at().text(e.span);
            self.checker.cx().body.locals[id].copy_of = Some(Name::new(&text));
        }
        if e.ty.has_characters() && self.checker.cx().is_host() {
            self.checker.cx().strings.insert_mut(id);
        }
        if let Some(text) = crate::typed::values::constant_text(e) {
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
        let e = self.checker.cx().conversions().expect_elem(e, Elem::Fixed(elem), "the default");
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

impl Callables<'_, '_> {
    /// A `const` of a block: evaluated where it stands.
    pub fn const_stmt(&mut self, c: &Rc<hir::Const>) {
        let id = match self.checker.items.get(&c.name.var) {
            Some(Binding::Const(id)) => *id,
            _ => self.declare_constant(c),
        };
        if matches!(self.checker.constants[id].state, ConstState::New) {
            let e = self.const_value(id);
            self.checker.constants[id].state = e.map_or(ConstState::Failed, ConstState::Done);
        }
        match self.checker.constants[id].state {
            ConstState::Failed => self.checker.cx().bind(c.name.var, Binding::Poisoned),
            _ => self.checker.cx().bind(c.name.var, Binding::Const(id)),
        }
    }

    /// A constant's value, where it is used.
    pub fn constant_value(&mut self, id: ConstId, span: Span) -> Expr {
        match self.constant(id) {
            Some(e) => Expr { span, ..e },
            None => {
                self.checker.cx().ranges().poison();
                error_expr(span)
            }
        }
    }

    /// A constant's value; one of a module is evaluated at its first use.
    pub fn constant(&mut self, id: ConstId) -> Option<Expr> {
        match &self.checker.constants[id].state {
            ConstState::Done(e) => return Some(e.clone()),
            ConstState::Failed => return None,
            ConstState::UnderWay => {
                let def = self.checker.constants[id].def.clone();
                let name = &def.name.name;
                let d = Diagnostic::error(Code::E0437, format!("`{name}` is defined by itself"))
                    .primary(def.name.span, "its value needs its value")
                    .help("give one of the constants of the circle a value of its own");
                self.checker.of_constants.push(d);
                self.checker.constants[id].state = ConstState::Failed;
                return None;
            }
            ConstState::New => {}
        }
        self.checker.constants[id].state = ConstState::UnderWay;
        // What is found belongs to the definition, whoever asks, and however often.
        self.checker.open_body(None);
        let e = self.const_value(id);
        let found = self.checker.bodies.pop().map(|cx| cx.sink).unwrap_or_default();
        self.checker.of_constants.extend(found.all(&self.checker.of_bodies));
        if matches!(self.checker.constants[id].state, ConstState::Failed) {
            return None;
        }
        self.checker.constants[id].state = e.clone().map_or(ConstState::Failed, ConstState::Done);
        e
    }

    /// Evaluates a definition in the body under way.
    pub fn const_value(&mut self, id: ConstId) -> Option<Expr> {
        let def = self.checker.constants[id].def.clone();
        let e = self.checker.expr(&def.value);
        let e = match &def.ty {
            Some(ty) => self.checker.applied().annotated(e, ty),
            None if def.closed => self.checker.cx().conversions().close(e),
            None => e,
        };
        if has_failed(&e) {
            return None;
        }
        if !is_static(&e) {
            let name = &def.name.name;
            let d = Diagnostic::error(
                Code::E1107,
                format!("the value of `{name}` is not known before the program runs"),
            )
            .primary(def.value.span, "not made of literals and constants alone")
            .help("use a `let` of the program, or a function");
            self.checker.report(d);
            return None;
        }
        // It is written out wherever it is used, in other constants too: each may double it.
        let parts = parts_of(&e);
        if parts.saturating_sub(self.checker.at().text(def.value.span).len()) > MOST_LEAVES {
            let what = format!("`{}` is written out with {parts} parts", def.name.name);
            self.checker.cx().too_large_value(what, def.name.span);
            return None;
        }
        Some(e)
    }
}

impl Callables<'_, '_> {
    /// Evaluates the constants of the program's own modules; the library's are trusted.
    pub fn check_items(&mut self, items: &[hir::Stmt]) {
        for stmt in items {
            let hir::StmtKind::Const(c) = &stmt.kind else { continue };
            let own = !self.checker.tree.library.contains(&c.name.span.file);
            if let (true, Some(Binding::Const(id))) = (own, self.checker.items.get(&c.name.var)) {
                self.constant(*id);
            }
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

/// Whether an error was reported of a part of a value.
fn has_failed(e: &Expr) -> bool {
    let mut failed = matches!(e.kind, ExprKind::Error);
    e.children(&mut |x| failed = failed || has_failed(x));
    failed
}

/// How many expressions a value is written with.
fn parts_of(e: &Expr) -> usize {
    let mut count = 1;
    e.children(&mut |x| count += parts_of(x));
    count
}

/// Whether a value is cells of a tensor, or a name, as they stand.
fn is_copy(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Read(..) | ExprKind::Local(_) | ExprKind::Field(..) => true,
        // One cell of a definition of tuples reads each of its tensors.
        ExprKind::Tuple(members) => {
            !members.is_empty() && members.iter().all(|m| m.span == e.span && is_copy(m))
        }
        _ => false,
    }
}

/// Whether nothing is known of a value, nor of any member of it.
fn is_unknown(ty: &Ty) -> bool {
    match ty.members() {
        Some(members) => !members.is_empty() && members.iter().all(is_unknown),
        None => *ty == Ty::Error,
    }
}
