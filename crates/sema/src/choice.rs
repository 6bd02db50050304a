//! Choices between two values: what the sides of `if` and the arms of `match` have in
//! common, and what one of them is.
//!
//! Which conditions hold on a side is `typed/path.rs`; what is a case of a `match` is
//! `matching.rs`.

use crate::handles::Choices;
use crate::thir::{Elem, Expr, ExprKind, Nominal, Stmt, Ty};
use crate::typed::body_cx::Effects;
use crate::typed::choice::{CHOICE, Choice};
use crate::typed::forms::{alike, merged, without_extents};
use crate::typed::handles::Conversions;
use crate::typed::values::{
    MOST_PARTS, are_more_than, error_expr, member_within, value, zero_differential,
};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_shape::Size;

impl Choices<'_, '_> {
    /// `if cond { a } else { b }` of checked parts.
    pub fn choose(&mut self, of: Choice, cond: Expr, a: Expr, b: Expr, span: Span) -> Expr {
        // In a round that finds the type of a recursive function, one side tells it.
        if self.checker.seeks_result() && cond.ty != Ty::Error {
            match (a.ty == Ty::Error, b.ty == Ty::Error) {
                (true, false) => return b,
                (false, true) => return a,
                _ => {}
            }
        }
        if [&cond, &a, &b].iter().any(|e| e.ty == Ty::Error) {
            return error_expr(span);
        }
        if cond.ty.rank() != Some(0) && (a.ty == Ty::unit() || b.ty == Ty::unit()) {
            let found = self.checker.at().show_ty(&cond.ty);
            let headline =
                format!("the condition of a statement must be one truth value, found {found}");
            let d = Diagnostic::error(Code::E0308, headline)
                .primary(cond.span, "of a tensor `if` chooses values element by element")
                .help("say of which elements: `if all[i](x[i] > 0) { … }`, or `any`");
            return self.checker.error(d);
        }
        let (a, b, ty) = match (&a.ty, &b.ty) {
            (Ty::Array(_, sa), Ty::Array(_, sb))
                if sa.len() == sb.len()
                    && (own_extents(&a)
                        || own_extents(&b)
                        || self.has_extents_of(&cond, &a, &b)) =>
            {
                return self.choose_measured(of, cond, a, b, span);
            }
            (Ty::Array(_, sa), Ty::Array(_, sb)) => {
                let elementwise = cond.ty.rank() != Some(0) && (sa.is_empty() || sb.is_empty());
                if sa.len() != sb.len() && !elementwise {
                    self.checker.cx().conversions().mismatch(&a, &b, of.sides());
                    return error_expr(span);
                }
                if sa.len() == sb.len() {
                    self.checker.cx().conversions().same_shape(&a, &b, CHOICE);
                }
                let Some((a, b, elem)) = self.checker.cx().conversions().unify(a, b, of.sides())
                else {
                    return error_expr(span);
                };
                let widest = [&cond, &a, &b].into_iter().rev().max_by_key(|e| e.ty.rank());
                let shape = widest.and_then(|e| e.ty.shape()).unwrap_or_default().to_vec();
                (a, b, Ty::Array(elem, shape))
            }
            (Ty::Differential(elem, shape), _)
                if let Some(zero) = zero_differential(&b, *elem, shape) =>
            {
                let ty = a.ty.clone();
                (a, zero, ty)
            }
            (_, Ty::Differential(elem, shape))
                if let Some(zero) = zero_differential(&a, *elem, shape) =>
            {
                let ty = b.ty.clone();
                (zero, b, ty)
            }
            (Ty::Absent, _) => return b,
            (_, Ty::Absent) => return a,
            (x, y)
                if x.members().is_some()
                    && let Some(ty) = Conversions::meeting_type(x, y)
                    && self.is_one_choice(&a, &b) =>
            {
                (
                    self.checker.cx().conversions().adapt_members(a, &ty),
                    self.checker.cx().conversions().adapt_members(b, &ty),
                    ty,
                )
            }
            (x, y)
                if x.members().is_some()
                    && cond.ty.rank() == Some(0)
                    && self.checker.cx().is_host()
                    && let Some(ty) =
                        Conversions::meeting_type(&without_extents(x), &without_extents(y))
                    && self.is_one_choice(&a, &b) =>
            {
                return self.checker.cx().conversions().choose_measured_members(
                    [cond, a, b],
                    ty,
                    span,
                );
            }
            (Ty::Named(x, xs), Ty::Named(y, ys)) if x == y && xs.len() == ys.len() => {
                return self.choose_members(of, cond, a, b, span);
            }
            (Ty::Tuple(xs), Ty::Tuple(ys)) if xs.len() == ys.len() && !xs.is_empty() => {
                return self.choose_members(of, cond, a, b, span);
            }
            (Ty::Named(Nominal::Function(f), _), Ty::Named(Nominal::Function(g), _)) if f != g => {
                let (f, g) = (*f, *g);
                return self.choose_functions(of, cond, (f, a), (g, b), span);
            }
            (x, y) if same_host_type(x, y) => {
                let ty = merged(x, y);
                (a, b, ty)
            }
            // The side that is taken says which extents there are.
            (x @ Ty::Fallible(_), y) if without_extents(x) == without_extents(y) => {
                let ty = without_extents(x);
                (a, b, ty)
            }
            _ => {
                self.checker.cx().conversions().mismatch(&a, &b, of.sides());
                return error_expr(span);
            }
        };
        if cond.ty.rank() != Some(0) {
            for branch in [&a, &b] {
                if self.checker.cx().operators().lifted_shape(&cond, branch, CHOICE).is_none() {
                    return error_expr(span);
                }
            }
        }
        value(ExprKind::If(Box::new(cond), Box::new(a), Box::new(b)), ty, span)
    }

    /// Whether a choice has the extents of the side that is taken.
    fn has_extents_of(&mut self, cond: &Expr, a: &Expr, b: &Expr) -> bool {
        let asked = self.checker.measured_choices.contains(&(a.span, b.span));
        self.checker.cx().conversions().chooses_extents(cond, a, b, asked)
    }

    /// A choice between tensors whose extents are found where they are made: those of the
    /// one that is taken are measured.
    fn choose_measured(&mut self, of: Choice, cond: Expr, a: Expr, b: Expr, span: Span) -> Expr {
        let Some((a, b, elem)) = self.checker.cx().conversions().unify(a, b, of.sides()) else {
            return error_expr(span);
        };
        let shape = vec![Size::from(0); a.ty.rank().unwrap_or(0)];
        let kind = ExprKind::If(Box::new(cond), Box::new(a), Box::new(b));
        self.checker.cx().parts().measured(value(kind, Ty::Array(elem, shape), span))
    }

    /// Whether a choice between tuples is made once for all members: where a branch prints, or
    /// calls a recursive function, or has a block too long to be written out for each of them.
    fn is_one_choice(&mut self, a: &Expr, b: &Expr) -> bool {
        if [a, b].into_iter().any(|e| is_written_out_longer(e, LONGEST_BLOCK)) {
            return true;
        }
        let mut recurses = false;
        let mut rest = vec![a, b];
        while let Some(e) = rest.pop() {
            recurses |=
                matches!(&e.kind, ExprKind::Call(c) if self.checker.recursive.contains(&c.body));
            e.children(&mut |x| rest.push(x));
        }
        recurses || self.checker.cx().effects >= Effects::Prints
    }

    fn choose_members(&mut self, of: Choice, cond: Expr, a: Expr, b: Expr, span: Span) -> Expr {
        if let Some(long) = [&a, &b].into_iter().find(|e| is_written_out_longer(e, MOST_PARTS)) {
            let headline = format!("a choice between tuples with more than {MOST_PARTS} parts");
            let d = Diagnostic::error(Code::E0309, headline)
                .primary(long.span, "written once for each member: the sides differ in fields, extents or functions")
                .help("write the inner choices as functions of their own");
            return self.checker.error(d);
        }
        let label = a.ty.clone();
        let (Some(xs), Some(ys)) = (a.ty.members(), b.ty.members()) else {
            return error_expr(span);
        };
        let (xs, ys) = (xs.to_vec(), ys.to_vec());
        let members: Vec<Expr> = (0..xs.len())
            .map(|n| {
                let (x, y) = (member_within(&a, n, &xs[n]), member_within(&b, n, &ys[n]));
                self.choose(of, cond.clone(), x, y, span)
            })
            .collect();
        if members.iter().any(|m| m.ty == Ty::Error) {
            return error_expr(span);
        }
        let ty = label.with_members(members.iter().map(|m| m.ty.clone()).collect());
        value(ExprKind::Tuple(members), ty, span)
    }
}

/// Parts of the blocks of a choice between tuples up to which it is made for each member. Choices
/// within choices would double them with each level.
const LONGEST_BLOCK: usize = 1 << 12;

/// Whether more parts than that are written once more for each member of a tuple.
fn is_written_out_longer(e: &Expr, most: usize) -> bool {
    let (mut parts, mut tail) = (Vec::new(), Some(e));
    while let Some(e) = tail {
        tail = match &e.kind {
            ExprKind::Block(block) => {
                block.statement_exprs(&mut |x| parts.push(x));
                block.tail.as_deref()
            }
            // Each member is taken by itself.
            ExprKind::Tuple(_) => None,
            _ => {
                parts.push(e);
                None
            }
        };
    }
    are_more_than(most, parts)
}

/// Whether the extents of a value are found inside the expression.
fn own_extents(e: &Expr) -> bool {
    let ExprKind::Block(block) = &e.kind else { return false };
    let inner = block.tail.as_deref().is_some_and(own_extents);
    let sizes: Vec<_> = e.ty.shape().unwrap_or_default().iter().flat_map(Size::params).collect();
    inner
        || block.stmts.iter().any(|s| match s {
            Stmt::Measure(_, params) => params.iter().any(|p| sizes.contains(p)),
            Stmt::Define(p, _) => sizes.contains(p),
            Stmt::Let(_, Expr { kind: ExprKind::Call(call), .. }) => {
                call.results.iter().any(|(p, _)| sizes.contains(p))
            }
            _ => false,
        })
}

/// Types that two sides of a choice may have in common although they are not written the
/// same: what a type parameter stands for may be unknown on one side.
fn same_host_type(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::List(x), Ty::List(y)) => same_host_type(x, y),
        (Ty::Array(x, s), Ty::Array(y, t)) => {
            let open = |elem: &Elem| !elem.is_known();
            s.len() == t.len() && (x == y || open(x) || open(y))
        }
        _ => alike(a, b),
    }
}
