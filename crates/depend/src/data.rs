//! Data in computed indices.
//!
//! A computed index is an iterator of its own, any cell of the axis. In `y[t - d[t]]` what is
//! known of `d[t]` bounds that iterator too: with `x` for the index, `d[t]` is `t - x`. Conditions
//! on the way say something of it, and where `d` is a literal, its least and greatest cell do.

use crate::conditions::{holds, same_value, strip};
use weft_domain::{Affine, Formula, Iter};
use weft_scalar::{BinaryOp, ScalarType};
use weft_shape::Size;
use weft_tensor::{Array, Assignment, Definition, Expr, ExprId, Graph};

/// Cells of a literal that are looked at for one read.
const MAX_CELLS: usize = 1 << 12;

/// An integer that data make up, and what it is where a computed index is an iterator.
#[derive(Debug)]
pub(crate) struct Datum {
    /// The index, or the one number of it that is no affine term.
    node: ExprId,
    value: Affine,
}

impl Datum {
    /// Whether a node has this value.
    pub fn is(&self, a: &Assignment, e: ExprId) -> bool {
        same_value(a, self.node, e)
    }

    /// Its value in terms of the iterators of indices.
    pub fn value(&self) -> &Affine {
        &self.value
    }

    /// The numbers that a computed index, which `iter` stands for, is made of.
    pub fn of_index(a: &Assignment, index: ExprId, iter: Iter) -> Vec<Datum> {
        let mut found = vec![Datum { node: index, value: Affine::iter(iter) }];
        let inside = Sum::of(a, index).and_then(|sum| {
            let (node, is_added) = sum.datum?;
            let own = Affine::iter(iter).minus(Some(&sum.rest).filter(|r| r.is_small())?)?;
            let value = if is_added { own } else { own.scaled(-1)? };
            Some(Datum { node, value })
        });
        found.extend(inside.filter(|d| d.node != index));
        found
    }

    /// That it lies between the least and the greatest cell, where it is one of a literal.
    pub fn limits(&self, graph: &Graph, a: &Assignment) -> Option<Formula> {
        let Expr::Read { tensor, .. } = a.exprs.get(strip(&a.exprs, self.node)) else {
            return None;
        };
        let Definition::Constant(cells) = &graph.tensors[*tensor].definition else { return None };
        let (least, greatest) = extremes(cells)?;
        let at_least = Formula::le(&Affine::fixed(least), &self.value)?;
        Some(at_least.and(Formula::le(&self.value, &Affine::fixed(greatest))?))
    }
}

/// The least and the greatest of some integers.
fn extremes(cells: &Array) -> Option<(Size, Size)> {
    let is_int = cells.elem().is_int() && cells.elem() != ScalarType::U64;
    let (least, greatest) = (is_int && cells.len() <= MAX_CELLS).then(|| cells.extremes())??;
    let size = |n: i128| i64::try_from(n).ok().map(Size::from);
    Some((size(least)?, size(greatest)?))
}

/// `rest`, or `rest ± datum`.
///
/// In 32 bits or more a sum with small constants that leaves its type, and so is a trap or
/// wraps, is negative or beyond all cells there: where the index is a cell, it is the sum.
struct Sum {
    rest: Affine,
    datum: Option<(ExprId, bool)>,
}

impl Sum {
    fn of(a: &Assignment, e: ExprId) -> Option<Sum> {
        let ty = a.exprs.ty(e);
        let affine = |rest: Affine| Sum { rest, datum: None };
        match *a.exprs.get(e) {
            Expr::Index(ref term) => Some(affine(term.clone())),
            Expr::Const(n) => n.as_i64().map(|n| affine(Affine::fixed(n))),
            Expr::Check { .. } if let Some(x) = a.exprs.fitted(e) => Sum::of(a, x),
            Expr::Cast(_, x) if holds(ty, a.exprs.ty(x)) => Sum::of(a, x),
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), x, y, _) if is_wide(ty) => {
                let (x, y) = (Sum::of(a, x)?, Sum::of(a, y)?);
                let is_added = op == BinaryOp::Add;
                let rest = if is_added { x.rest.plus(&y.rest)? } else { x.rest.minus(&y.rest)? };
                let datum = match (x.datum, y.datum) {
                    (Some(_), Some(_)) => return None,
                    (None, Some((node, sign))) => Some((node, sign == is_added)),
                    (one, None) => one,
                };
                Some(Sum { rest, datum })
            }
            _ if ty.is_int() => Some(Sum { rest: Affine::fixed(0), datum: Some((e, true)) }),
            _ => None,
        }
    }
}

fn is_wide(ty: ScalarType) -> bool {
    ty.is_signed() && ty.bytes() >= 4
}
