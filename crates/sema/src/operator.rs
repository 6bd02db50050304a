//! Operators and casts where they stand: their operands, and which of these are looked at.
//!
//! What an operator does with checked values is `typed/operator.rs`. A differential keeps the
//! name of what it is of, so `@` and quotients look at their operands as they are written.

use crate::handles::Applied;
use crate::scope::Binding;
use crate::thir::{Elem, Expr, ExprKind, LocalId, Nominal, Ty};
use crate::typed::body_cx::{MOST_LEAVES, leaves_of};
use crate::typed::differential::negated;
use crate::typed::values::value;
use crate::typed::values::{error_expr, integer, is_differential};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::Affine;
use weft_hir as hir;
use weft_scalar::{BinaryOp, Scalar, ScalarType, Stated, UnaryOp};
use weft_shape::Size;

impl Applied<'_, '_> {
    pub fn unary(&mut self, op: hir::UnaryOp, operand: &hir::Expr, span: Span) -> Expr {
        match op {
            hir::UnaryOp::Diff => return self.differential(operand, span),
            hir::UnaryOp::Try => return self.checker.choices().try_expr(operand, span),
            _ => {}
        }
        if let (hir::UnaryOp::Neg, hir::ExprKind::Number(n)) = (op, &operand.kind)
            && n.value == hir::NumberValue::Int(-i128::from(i64::MIN))
        {
            return integer(Affine::fixed(i64::MIN), span);
        }
        let x = self.checker.expr(operand);
        if x.ty == Ty::Error {
            return error_expr(span);
        }
        if is_differential(&x) {
            return match op {
                hir::UnaryOp::Neg => negated(x, span),
                hir::UnaryOp::Plus => x,
                _ => self.checker.cx().operators().not_a_value(&x, &format!("`{}`", op.as_str())),
            };
        }
        match op {
            hir::UnaryOp::Not => {
                let x = self.checker.cx().conversions().expect_elem(
                    x,
                    Elem::Fixed(ScalarType::Bool),
                    "the operand of `!`",
                );
                self.checker.cx().operators().apply_unary(UnaryOp::Not, x, span)
            }
            hir::UnaryOp::Plus => Expr { span, ..self.checker.cx().operators().numeric(x, "`+`") },
            _ => {
                let x = self.checker.cx().operators().numeric(x, "`-`");
                let x = self.checker.cx().operators().computed(x);
                self.checker.cx().operators().apply_unary(UnaryOp::Neg, x, span)
            }
        }
    }

    pub fn binary(
        &mut self,
        op: hir::BinaryOp,
        lhs: &hir::Expr,
        rhs: &hir::Expr,
        span: Span,
    ) -> Expr {
        use hir::BinaryOp as B;
        let op = match op {
            B::And => return self.both(lhs, rhs, span),
            B::Or => return self.either(lhs, rhs, span),
            B::Eq => BinaryOp::Eq,
            B::Ne => BinaryOp::Ne,
            B::Lt => BinaryOp::Lt,
            B::Gt => BinaryOp::Gt,
            B::Le => BinaryOp::Le,
            B::Ge => BinaryOp::Ge,
            B::Add => BinaryOp::Add,
            B::Sub => BinaryOp::Sub,
            B::Mul => BinaryOp::Mul,
            B::Div => BinaryOp::Div,
            B::Rem => BinaryOp::Rem,
            B::Pow => BinaryOp::Pow,
        };
        if let (BinaryOp::Div, hir::ExprKind::Unary { op: hir::UnaryOp::Diff, operand, .. }) =
            (op, &rhs.kind)
        {
            return self.derivative(lhs, operand, span);
        }
        let (a, b) = (self.checker.expr(lhs), self.checker.expr(rhs));
        if is_order(op) && is_bare_order(lhs) {
            // The parser has said it.
            return error_expr(span);
        }
        self.checker.cx().operators().apply_binary(op, a, b, span)
    }

    fn both(&mut self, lhs: &hir::Expr, rhs: &hir::Expr, span: Span) -> Expr {
        let a = self.checker.condition_expr(lhs);
        self.checker.cx().terms().ask_of_condition(&a);
        match a.kind {
            // What is known here decides here: what it closes is not checked.
            ExprKind::Const(Scalar::Bool(false)) => return Expr { span, ..a },
            ExprKind::Const(Scalar::Bool(true)) => return self.checker.condition_expr(rhs),
            _ => {}
        }
        let b = self.checker.under(&a, true, |c| c.condition_expr(rhs));
        self.checker.cx().operators().logical(BinaryOp::And, a, b, span)
    }

    fn either(&mut self, lhs: &hir::Expr, rhs: &hir::Expr, span: Span) -> Expr {
        let a = self.checker.condition_expr(lhs);
        self.checker.cx().terms().ask_of_condition(&a);
        match a.kind {
            ExprKind::Const(Scalar::Bool(true)) => return Expr { span, ..a },
            ExprKind::Const(Scalar::Bool(false)) => return self.checker.condition_expr(rhs),
            _ => {}
        }
        let b = self.checker.under(&a, false, |c| c.condition_expr(rhs));
        self.checker.cx().operators().logical(BinaryOp::Or, a, b, span)
    }

    pub fn cast(&mut self, e: &hir::Expr, ty: &hir::Type, span: Span) -> Expr {
        if let Some(found) = self.parsed(e, ty).or_else(|| self.foreign(e, ty, Stated::Converted)) {
            return found;
        }
        let x = self.checker.expr(e);
        if x.ty == Ty::Error {
            return error_expr(span);
        }
        let (to, dims) = match &ty.kind {
            hir::TypeKind::Array { elem, dims } => (&**elem, dims.as_deref()),
            _ => (ty, None),
        };
        let Some(to) = self.checker.cx().conversions().scalar_type(to) else {
            return error_expr(span);
        };
        if is_differential(&x) {
            return self.checker.cx().operators().not_a_value(&x, "a cast");
        }
        let Some(shape) = x.ty.shape().map(<[Size]>::to_vec) else {
            let found = self.checker.at().show_ty(&x.ty);
            let d = Diagnostic::error(Code::E1003, format!("{found} cannot be cast to {to}"))
                .primary(x.span, format!("this is {found}"));
            return self.checker.error(d);
        };
        if matches!(ty.kind, hir::TypeKind::Array { .. }) && shape.is_empty() {
            let d = Diagnostic::error(Code::E1003, "a scalar cannot be cast to an array type")
                .primary(x.span, "this is a scalar");
            return self.checker.error(d);
        }
        let mut cast = self.checker.cx().operators().cast_elements(x, to, shape, span);
        if let Some(dims) = dims {
            cast = self.stated_shape(cast, dims, ty.span);
        }
        cast
    }

    /// `parse(s)` where the type of the number is stated.
    pub fn parsed(&mut self, e: &hir::Expr, ty: &hir::Type) -> Option<Expr> {
        let hir::ExprKind::Call { callee, args } = &e.kind else { return None };
        let hir::ExprKind::Use(used) = &callee.kind else { return None };
        let parse = hir::LibraryItem::Text(weft_scalar::TextOp::Parse);
        let [hir::Arg { name: None, value, .. }] = args.as_slice() else { return None };
        if used.meaning != hir::Meaning::Library(parse)
            || !matches!(ty.kind, hir::TypeKind::Prim(_))
        {
            return None;
        }
        let to = self.checker.cx().conversions().scalar_type(ty)?;
        if to == weft_scalar::ScalarType::Bool {
            return None;
        }
        let text = self.checker.expr(value);
        let (op, elem) = (weft_scalar::TextOp::Parse, crate::thir::Elem::Fixed(to));
        Some(self.checker.cx().parts().text_function(op, vec![text], elem, e.span))
    }

    /// `x in lo..hi`.
    pub fn membership(&mut self, item: &hir::Expr, set: &hir::Expr, span: Span) -> Expr {
        let hir::ExprKind::Range { start, end, inclusive } = &set.kind else {
            let item = self.checker.expr(item);
            let set = self.checker.expr(set);
            return self.checker.sequences().is_member(item, set, span);
        };
        let x = self.checker.expr(item);
        let (lo, hi) = (self.checker.expr(start), self.checker.expr(end));
        let above = self.checker.cx().operators().apply_binary(BinaryOp::Le, lo, x.clone(), span);
        let op = if *inclusive { BinaryOp::Le } else { BinaryOp::Lt };
        let below = self.checker.cx().operators().apply_binary(op, x, hi, span);
        self.checker.cx().operators().logical(BinaryOp::And, above, below, span)
    }

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
    pub fn is_ruled_call(&mut self, operand: &hir::Expr) -> bool {
        let hir::ExprKind::Call { callee, .. } = &operand.kind else { return false };
        match callee.var().and_then(|var| self.checker.lookup(var)) {
            Some(Binding::Function(f)) => {
                self.checker.functions[self.checker.meant(f)].rule.is_some()
            }
            _ => false,
        }
    }

    /// `@f(x)` is `{ let t = f(x); @t }`.
    pub fn differential_of_call(&mut self, call: &hir::Expr, span: Span) -> Expr {
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
        let Some(x) = x.filter(|_| d.ty != Ty::Error) else { return error_expr(span) };
        let count = leaves_of(&d.ty).saturating_mul(leaves_of(&x.ty));
        if count > MOST_LEAVES {
            let what = format!("this derivative has {count} members");
            self.checker.cx().too_large_value(what, span);
            return error_expr(span);
        }
        let quotients = member_wise(d, &mut |d| {
            let quotients = member_wise(x.clone(), &mut |x| {
                self.checker.cx().operators().quotient_of(d.clone(), x, span)
            });
            behind_axes_of(&d.ty, quotients)
        });
        // What is wrong with a member is no derivative to divide again, by each of its members.
        if quotients.ty.has_error() { error_expr(span) } else { quotients }
    }

    /// The named binding behind `@`, a member or a cell of it.
    pub fn leaf(&mut self, operand: &hir::Expr) -> Option<Expr> {
        if !is_named(operand) {
            self.checker.cx().operators().nameless(operand);
            return None;
        }
        let x = self.checker.expr(operand);
        if x.ty == Ty::Error || matches!(x.kind, ExprKind::Error) {
            return None;
        }
        let Some(named) = named_by(&x) else {
            self.checker.cx().operators().nameless(operand);
            return None;
        };
        if !self.checker.cx().operators().is_smooth(&x, &x.ty) {
            return None;
        }
        for id in named {
            self.checker.cx().body.locals[id].differentiated = true;
        }
        Some(x)
    }
}

/// Derivatives by a tensor of tuples: the axes of what is differentiated come first.
fn behind_axes_of(d: &Ty, quotients: Expr) -> Expr {
    let (Ty::Differential(_, rows), Ty::Named(Nominal::Cells { cell, slots }, members)) =
        (d, &quotients.ty)
    else {
        return quotients;
    };
    let label = Nominal::Cells { cell: cell.clone(), slots: slots + rows.len() };
    let ty = Ty::Named(label, members.clone());
    Expr { ty, ..quotients }
}

/// A name, a member or a cell of one.
fn is_named(operand: &hir::Expr) -> bool {
    match &operand.kind {
        hir::ExprKind::Use(_) => true,
        hir::ExprKind::Index { base, .. } | hir::ExprKind::Field { base, .. } => is_named(base),
        _ => false,
    }
}

/// The bindings that a name, or a cell of one, reads: a cell that is a tuple reads those of its
/// members.
fn named_by(x: &Expr) -> Option<Vec<LocalId>> {
    match &x.kind {
        ExprKind::Tuple(members) => {
            let all: Option<Vec<Vec<LocalId>>> = members.iter().map(named_by).collect();
            Some(all?.concat())
        }
        ExprKind::Read(_, base, _) => Some(vec![local_of(base)?]),
        _ => Some(vec![local_of(x)?]),
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

fn is_order(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge)
}

/// Whether an operand is `a < b` or the like without parentheses, which belong to its span.
fn is_bare_order(operand: &hir::Expr) -> bool {
    use hir::BinaryOp as B;
    let hir::ExprKind::Binary { op: B::Lt | B::Gt | B::Le | B::Ge, lhs, .. } = &operand.kind else {
        return false;
    };
    lhs.span.start == operand.span.start
}
