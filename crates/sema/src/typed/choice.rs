//! What the sides of a choice become when they meet: the types of members, and extents that
//! are measured.
//!
//! Which choice it is decides the walk (`choice.rs` above).

use crate::thir::{Expr, ExprKind, Ty};
use crate::typed::handles::Conversions;
use crate::typed::values::value;
use weft_base::Span;
use weft_shape::{CheckSubject, Size, SizeCheck, Verdict};

/// The two values of a choice, where their shapes are compared.
pub(crate) const CHOICE: &str = "`if`";

/// What chooses between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    If,
    Match,
    /// Whether what is tried failed.
    Recover,
}

impl Choice {
    /// What it chooses among, for messages.
    pub fn sides(self) -> &'static str {
        match self {
            Choice::If => "the branches of `if`",
            Choice::Match => "the arms of `match`",
            Choice::Recover => "the value in place of a failure and what is tried",
        }
    }
}

impl Conversions<'_, '_> {
    /// Whether a choice of the host is between tensors that have other extents: surely, at the
    /// values of literals, or where the function is called (`asked`).
    pub fn chooses_extents(&mut self, cond: &Expr, a: &Expr, b: &Expr, asked: bool) -> bool {
        if cond.ty.rank() != Some(0) || !self.cx.is_host() {
            return false;
        }
        let (Some(sa), Some(sb)) = (a.ty.shape(), b.ty.shape()) else { return false };
        let now = |s: &Size| s.eval(&|p| self.cx.known_value(p));
        sa.iter().zip(sb).any(|(x, y)| match self.cx.body.facts.equal(x, y) {
            Verdict::Yes => false,
            Verdict::No => true,
            Verdict::Unknown => asked || matches!((now(x), now(y)), (Some(x), Some(y)) if x != y),
        })
    }

    /// The places of two values that a condition on sizes says a choice is between.
    pub fn choice_of(check: &SizeCheck) -> Option<(Span, Span)> {
        match &check.subject {
            CheckSubject::Shapes { what, left, right, .. } if what == CHOICE => {
                Some((left.span, right.span))
            }
            _ => None,
        }
    }

    /// The same between tuples of such tensors, which meet in a type but for their extents: it is
    /// made once for all members, since what gives them is a call that runs once.
    pub fn choose_measured_members(&mut self, sides: [Expr; 3], ty: Ty, span: Span) -> Expr {
        let [cond, a, b] = sides;
        let [a, b] = [a, b].map(|side| {
            let own = with_extents_of(&ty, &side.ty);
            self.adapt_members(side, &own)
        });
        let kind = ExprKind::If(Box::new(cond), Box::new(a), Box::new(b));
        self.cx.parts().measured(value(kind, ty, span))
    }

    /// A value with the open members of its tuples adapted to a type.
    pub fn adapt_members(&mut self, e: Expr, ty: &Ty) -> Expr {
        if e.ty == *ty {
            return e;
        }
        let Expr { kind, span, term, .. } = e;
        let kind = match (kind, ty.members()) {
            (ExprKind::Tuple(xs), Some(types)) => {
                let adapted = xs.into_iter().zip(types).map(|(x, ty)| self.adapt_members(x, ty));
                ExprKind::Tuple(adapted.collect())
            }
            (ExprKind::Block(mut block), _) => {
                block.tail = block.tail.map(|t| Box::new(self.adapt_members(*t, ty)));
                ExprKind::Block(block)
            }
            (ExprKind::If(c, a, b), _) => {
                let (a, b) = (self.adapt_members(*a, ty), self.adapt_members(*b, ty));
                ExprKind::If(c, Box::new(a), Box::new(b))
            }
            (kind, _) => {
                let e = Expr { kind, ty: e.ty, span, term };
                return ty.elem().map_or(e.clone(), |elem| self.adapt(e, elem));
            }
        };
        Expr { kind, ty: ty.clone(), span, term }
    }

    /// The one type that two values of as many members meet in.
    pub fn meeting_type(a: &Ty, b: &Ty) -> Option<Ty> {
        match (a, b) {
            (Ty::Array(x, shape), Ty::Array(y, other)) if shape == other => {
                Some(Ty::Array(Self::meet(*x, *y)?, shape.clone()))
            }
            (Ty::Tuple(xs), Ty::Tuple(ys)) if xs.len() == ys.len() => {
                let all = xs.iter().zip(ys.iter()).map(|(x, y)| Conversions::meeting_type(x, y));
                Some(Ty::Tuple(all.collect::<Option<_>>()?))
            }
            (Ty::Named(x, xs), Ty::Named(y, ys)) if x == y && xs.len() == ys.len() => {
                let all = xs.iter().zip(ys.iter()).map(|(x, y)| Conversions::meeting_type(x, y));
                Some(Ty::Named(x.clone(), all.collect::<Option<_>>()?))
            }
            _ => (a == b).then(|| a.clone()),
        }
    }
}

/// A type with the extents of another one of its form.
fn with_extents_of(ty: &Ty, of: &Ty) -> Ty {
    match (ty, of) {
        (Ty::Array(elem, _), Ty::Array(_, shape)) => Ty::Array(*elem, shape.clone()),
        _ => match (ty.members(), of.members()) {
            (Some(xs), Some(ys)) => {
                ty.with_members(xs.iter().zip(ys).map(|(x, y)| with_extents_of(x, y)).collect())
            }
            _ => ty.clone(),
        },
    }
}
