//! What two types have in common, and what kind of one a type is.

use crate::thir::{Elem, Nominal, Ty};
use weft_domain::Affine;
use weft_scalar::{Scalar, ScalarType};
use weft_shape::Size;

/// Whether a type is that of a parameter that is not there.
pub(crate) fn is_absent(ty: &Ty) -> bool {
    match ty {
        Ty::Array(Elem::Unknown, shape) => shape.len() == 1 && shape[0].as_constant() == Some(0),
        _ => false,
    }
}

/// Whether a value is a character of a clause.
pub(crate) fn is_character(ty: &Ty) -> bool {
    matches!(ty, Ty::Named(Nominal::Character, _))
}

/// A type whose extents are not known.
pub(crate) fn without_extents(ty: &Ty) -> Ty {
    ty.map_leaves(&mut |leaf| match leaf {
        Ty::List(of) => Ty::List(Box::new(without_extents(of))),
        Ty::Fallible(of) => Ty::Fallible(Box::new(without_extents(of))),
        _ => leaf.with_extents(leaf.extents().unwrap_or_default().iter().map(|_| Size::from(0))),
    })
}

/// Whether a type has extents of which none is known, as what lists hold.
pub(crate) fn has_unknown_extents(ty: &Ty) -> bool {
    has_extents(ty) && *ty == without_extents(ty)
}

pub(crate) fn has_extents(ty: &Ty) -> bool {
    match ty {
        Ty::Array(_, shape) => !shape.is_empty(),
        _ => ty.members().is_some_and(|ms| ms.iter().any(has_extents)),
    }
}

/// Whether two elements may stand in one list.
pub(crate) fn alike(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Array(x, s), Ty::Array(y, t)) => x == y && s.len() == t.len(),
        (Ty::List(x), Ty::List(y)) => alike(x, y),
        (Ty::Boxed(x, xs), Ty::Boxed(y, ys)) => x == y && all_alike(xs, ys),
        (Ty::Absent, _) | (_, Ty::Absent) => true,
        (Ty::Tuple(xs), Ty::Tuple(ys)) => all_alike(xs, ys),
        (Ty::Named(x, xs), Ty::Named(y, ys)) => same_kind(x, y) && all_alike(xs, ys),
        _ => a == b,
    }
}

fn all_alike(xs: &[Ty], ys: &[Ty]) -> bool {
    xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| alike(x, y))
}

/// Whether two tuples are of one struct or enum, or one function: an element of a list is called as
/// what the first one is.
fn same_kind(a: &Nominal, b: &Nominal) -> bool {
    match (a, b) {
        (Nominal::Cells { cell: x, slots: m }, Nominal::Cells { cell: y, slots: n }) => {
            m == n && alike(x, y)
        }
        _ => a == b,
    }
}

/// What two cells have in common: a field that one of them lacks is as in the other.
pub(crate) fn merged(a: &Ty, b: &Ty) -> Ty {
    match (a, b) {
        (Ty::Absent, other) | (other, Ty::Absent) => other.clone(),
        (Ty::List(x), Ty::List(y)) => Ty::List(Box::new(merged(x, y))),
        // What a type parameter stands for may be unknown in one of them.
        (Ty::Boxed(id, xs), Ty::Boxed(_, ys)) => {
            Ty::Boxed(*id, xs.iter().zip(ys.iter()).map(|(x, y)| merged(x, y)).collect())
        }
        _ => match (a.members(), b.members()) {
            (Some(xs), Some(ys)) if xs.len() == ys.len() => {
                a.with_members(xs.iter().zip(ys).map(|(x, y)| merged(x, y)).collect())
            }
            _ => a.clone(),
        },
    }
}

/// Whether an integer known as a term is still that term after a conversion: a narrow type
/// saturates, and is kept only for values that it holds.
pub(crate) fn term_survives(term: &Affine, to: ScalarType) -> bool {
    let holds = |n| Scalar::exactly(to, n).is_some();
    matches!(to, ScalarType::I32 | ScalarType::I64) || term.as_constant().is_some_and(holds)
}

impl Ty {
    /// Calls `f` with each part that is no tuple, in order.
    pub fn each_leaf(&self, f: &mut dyn FnMut(&Ty)) {
        match self.members() {
            Some(members) => members.iter().for_each(|m| m.each_leaf(f)),
            None => f(self),
        }
    }

    /// The same type with what `f` gives for each part that is no tuple, in order.
    pub fn map_leaves(&self, f: &mut dyn FnMut(&Ty) -> Ty) -> Ty {
        match self.members() {
            Some(members) => self.with_members(members.iter().map(|m| m.map_leaves(f)).collect()),
            None => f(self),
        }
    }

    /// The same array, or differential of one, with other extents.
    pub fn with_extents(&self, extents: impl Iterator<Item = Size>) -> Ty {
        match self {
            Ty::Array(elem, _) => Ty::Array(*elem, extents.collect()),
            Ty::Differential(elem, _) => Ty::Differential(*elem, extents.collect()),
            _ => self.clone(),
        }
    }

    /// The extents of an array, or of what a differential is of.
    pub fn extents(&self) -> Option<&[Size]> {
        match self {
            Ty::Array(_, shape) | Ty::Differential(_, shape) => Some(shape),
            _ => None,
        }
    }
}
