//! Differentials and their quotients: `@y`, and `D / @x`.
//!
//! A differential is a kind of its own, linear over its leaves; here it is checked that
//! nothing else is done with it. What it is the differential *of* keeps its name, so that
//! staging can find the tensors.

use crate::checker::{Checker, error_expr};
use crate::expr::value;
use crate::operator::Operators;
use crate::operator::symbol;
use crate::scope::Binding;
use crate::thir::{Elem, Expr, ExprKind, LocalId, Ty};
use crate::types::Applied;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_hir as hir;
use weft_scalar::{BinaryOp, Scalar};
use weft_shape::Size;

impl Applied<'_, '_> {
    /// `@e`.
    pub fn differential(&mut self, operand: &hir::Expr, span: Span) -> Expr {
        if self.is_ruled_call(operand) {
            return self.differential_of_call(operand, span);
        }
        let Some(x) = self.leaf(operand) else { return error_expr(span) };
        member_wise(x, &mut |x| {
            let Ty::Array(elem, shape) = x.ty.clone() else { return error_expr(span) };
            value(ExprKind::Differential(Box::new(x)), Ty::Differential(elem, shape), span)
        })
    }

    /// Whether a function with a rule is called: the rule says what `@f(x)` is.
    fn is_ruled_call(&mut self, operand: &hir::Expr) -> bool {
        let hir::ExprKind::Call { callee, .. } = &operand.kind else { return false };
        match callee.var().and_then(|var| self.checker.lookup(var)) {
            Some(Binding::Function(f)) => {
                self.checker.functions[self.checker.meant(f)].rule.is_some()
            }
            _ => false,
        }
    }

    /// `@f(x)` is `{ let t = f(x); @t }`.
    fn differential_of_call(&mut self, call: &hir::Expr, span: Span) -> Expr {
        // No name of the program is written like a call.
        let name = self.checker.fresh(&self.checker.at().text(call.span), call.span);
        let pattern =
            hir::LetPattern { span: call.span, kind: hir::LetPatternKind::Name(name.clone()) };
        let bound = hir::Let { pattern, ty: None, value: call.clone(), replaced: None };
        let stmts = vec![hir::Stmt { span: call.span, kind: hir::StmtKind::Let(bound) }];
        let leaf = hir::Expr::of_var(&name, call.span);
        let op = hir::UnaryOp::Diff;
        let kind = hir::ExprKind::Unary { op, op_span: span, operand: Box::new(leaf) };
        let tail = Some(Box::new(hir::Expr { span, kind }));
        self.checker.block_expr(&hir::Block { span, stmts, tail })
    }

    /// `lhs / @operand`; of a tuple, a quotient per member.
    pub fn derivative(&mut self, lhs: &hir::Expr, operand: &hir::Expr, span: Span) -> Expr {
        let d = self.checker.expr(lhs);
        let x = self.leaf(operand);
        match x {
            Some(x) if d.ty != Ty::Error => member_wise(d, &mut |d| {
                member_wise(x.clone(), &mut |x| {
                    self.checker.cx().operators().quotient_of(d.clone(), x, span)
                })
            }),
            _ => error_expr(span),
        }
    }

    /// The named binding behind `@`, a member or a cell of it.
    fn leaf(&mut self, operand: &hir::Expr) -> Option<Expr> {
        if !is_named(operand) {
            self.checker.cx().operators().nameless(operand);
            return None;
        }
        let x = self.checker.expr(operand);
        if x.ty == Ty::Error || matches!(x.kind, ExprKind::Error) {
            return None;
        }
        let local = match &x.kind {
            ExprKind::Read(_, base, _) => local_of(base),
            _ => local_of(&x),
        };
        let Some(id) = local else {
            self.checker.cx().operators().nameless(operand);
            return None;
        };
        if !self.checker.cx().operators().is_smooth(&x, &x.ty) {
            return None;
        }
        self.checker.cx().body.locals[id].differentiated = true;
        Some(x)
    }

    /// An operator of which a side is a differential.
    pub fn linear(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let (da, db) = (is_differential(&a), is_differential(&b));
        let allowed = match op {
            BinaryOp::Add | BinaryOp::Sub => da && db || is_zero(&a) || is_zero(&b),
            BinaryOp::Mul => da != db,
            BinaryOp::Div => da && !db,
            _ => false,
        };
        if !allowed {
            return self.checker.cx().operators().not_linear(op, &a, &b, span);
        }
        if is_zero(&a) {
            return if op == BinaryOp::Sub { negated(b, span) } else { b };
        }
        if is_zero(&b) && matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            return a;
        }
        let e = self.apply_binary(op, as_value(a), as_value(b), span);
        let ExprKind::Binary(op, a, b) = e.kind else { return error_expr(span) };
        let Ty::Array(elem, shape) = e.ty else { return error_expr(span) };
        let (a, b) = (back(*a, da), back(*b, db));
        let kind = ExprKind::Binary(op, Box::new(a), Box::new(b));
        value(kind, Ty::Differential(elem, shape), span)
    }
}

impl Operators<'_, '_> {
    fn quotient_of(&mut self, d: Expr, x: Expr, span: Span) -> Expr {
        let Ty::Differential(of, rows) = &d.ty else {
            let found = self.cx.show_ty(&d.ty);
            let help = match d.kind {
                ExprKind::Quotient(..) => {
                    "bind it to be differentiated again: `let g = @y / @x;`, then `@g / @x`"
                }
                _ => "a derivative is a quotient of differentials: `@y / @x`",
            };
            let d = Diagnostic::error(Code::E0603, "a value divided by a differential")
                .primary(d.span, format!("this is a value, {found}"))
                .help(help);
            return self.cx.error(d);
        };
        let mut shape = rows.clone();
        shape.extend(x.ty.shape().unwrap_or_default().iter().cloned());
        let elem = joined(*of, x.ty.elem().unwrap_or_default());
        value(ExprKind::Quotient(Box::new(d), Box::new(x)), Ty::Array(elem, shape), span)
    }

    fn is_smooth(&mut self, x: &Expr, ty: &Ty) -> bool {
        if let Some(members) = ty.members() {
            return members.iter().all(|m| self.is_smooth(x, m));
        }
        let smooth = ty.elem().is_some_and(|e| !e.is_known() || e.is_float());
        if !smooth {
            let found = self.cx.show_ty(ty);
            let d = Diagnostic::error(Code::E0602, format!("{found} has no differential"))
                .primary(x.span, format!("this is {found}"))
                .help("derivatives are taken of floats, by floats: `as f64` at the binding");
            self.cx.report(d);
        }
        smooth
    }

    fn nameless(&mut self, operand: &hir::Expr) {
        let text = self.cx.text(operand.span);
        let shown = if text.len() <= 40 { format!("`{text}`") } else { "this".into() };
        let d = Diagnostic::error(Code::E0601, format!("{shown} has no name to differentiate by"))
            .primary(operand.span, "`@` takes a named binding, or a cell of one")
            .help(format!("bind it first: `let t = {text};`, then `@t`"));
        self.cx.report(d);
    }

    fn not_linear(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) -> Expr {
        let what = match (is_differential(a), is_differential(b)) {
            (true, true) => format!("`{}` of two differentials", symbol(op)),
            _ => format!("`{}` of a differential and a value", symbol(op)),
        };
        let differential = if is_differential(a) { a } else { b };
        let d = Diagnostic::error(Code::E0603, what)
            .primary(span, "differentials are added, scaled, and divided by `@x`")
            .secondary(differential.span, "this is a differential")
            .help("divide it first: `@y / @x` is a value");
        self.cx.error(d)
    }

    /// A value to be shown; a differential in source form.
    pub fn shown(&mut self, e: Expr) -> Expr {
        if !is_differential(&e) {
            self.cx.terms().warn_of_truncation(&e);
            return self.cx.conversions().known_elements(e);
        }
        let span = e.span;
        value(ExprKind::SourceForm(Box::new(e)), Ty::Str, span)
    }

    /// A differential where a value is needed.
    pub fn not_a_value(&mut self, x: &Expr, what: &str) -> Expr {
        let d = Diagnostic::error(Code::E0603, format!("{what} of a differential"))
            .primary(x.span, "this is a differential")
            .help("divide it first: `@y / @x` is a value");
        self.cx.error(d)
    }
}

impl Ty {
    /// The extents of an array, or of what a differential is of.
    pub fn extents(&self) -> Option<&[Size]> {
        match self {
            Ty::Array(_, shape) | Ty::Differential(_, shape) => Some(shape),
            _ => None,
        }
    }
}

/// The element type of a quotient: that in which both of its sides can be written.
fn joined(a: Elem, b: Elem) -> Elem {
    Checker::meet(a, b).unwrap_or(b)
}

/// A name, a member or a cell of one.
fn is_named(operand: &hir::Expr) -> bool {
    match &operand.kind {
        hir::ExprKind::Use(_) => true,
        hir::ExprKind::Index { base, .. } | hir::ExprKind::Field { base, .. } => is_named(base),
        _ => false,
    }
}

fn local_of(e: &Expr) -> Option<LocalId> {
    match &e.kind {
        ExprKind::Local(id) => Some(*id),
        ExprKind::Field(x, _) => local_of(x),
        _ => None,
    }
}

/// `f` of an array, or of each array in a tuple.
fn member_wise(e: Expr, f: &mut dyn FnMut(Expr) -> Expr) -> Expr {
    let Some(types) = e.ty.members().map(<[Ty]>::to_vec) else { return f(e) };
    let span = e.span;
    let parts: Vec<Expr> = match e.kind {
        ExprKind::Tuple(members) => members,
        _ => {
            let part = |(n, ty): (usize, &Ty)| {
                value(ExprKind::Field(Box::new(e.clone()), n), ty.clone(), span)
            };
            types.iter().enumerate().map(part).collect()
        }
    };
    let members: Vec<Expr> = parts.into_iter().map(|p| member_wise(p, f)).collect();
    let ty = e.ty.with_members(members.iter().map(|m| m.ty.clone()).collect());
    value(ExprKind::Tuple(members), ty, span)
}

/// Whether a checked expression is a differential.
pub fn is_differential(e: &Expr) -> bool {
    matches!(e.ty, Ty::Differential(..))
}

pub(crate) fn is_zero(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Const(v) if v.as_i64() == Some(0))
}

/// `0` beside a differential: what changes by nothing.
pub(crate) fn zero_differential(e: &Expr, elem: Elem, shape: &[Size]) -> Option<Expr> {
    let zero = match &e.kind {
        ExprKind::Block(b) => return zero_differential(b.tail.as_deref()?, elem, shape),
        _ if is_zero(e) => Scalar::zero(elem.computed_in()),
        _ => return None,
    };
    Some(value(ExprKind::Const(zero), Ty::Differential(elem, shape.to_vec()), e.span))
}

/// `-d`.
pub(crate) fn negated(d: Expr, span: Span) -> Expr {
    let ty = d.ty.clone();
    value(ExprKind::Unary(weft_scalar::UnaryOp::Neg, Box::new(d)), ty, span)
}

/// A differential under the type of its cells: for the checks that values have too.
pub(crate) fn as_value(e: Expr) -> Expr {
    let ty = match e.ty {
        Ty::Differential(elem, shape) => Ty::Array(elem, shape),
        other => other,
    };
    Expr { ty, ..e }
}

/// The differential of what has an array's type.
pub(crate) fn as_differential(e: Expr) -> Expr {
    match e.ty {
        Ty::Array(elem, shape) => Expr { ty: Ty::Differential(elem, shape), ..e },
        ty => Expr { ty, ..e },
    }
}

fn back(e: Expr, differential: bool) -> Expr {
    if differential { as_differential(e) } else { e }
}
