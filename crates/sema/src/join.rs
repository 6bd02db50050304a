//! The element type that values meet in.
//!
//! What meets becomes the least type that all widen to without loss (`weft_scalar`'s joins);
//! open values take part by their kind alone. All that meets in one place is joined at once,
//! since joins of integers and floats are no chain: `i32` and `f32` have none, with an `f64`
//! beside them all three have.

use crate::thir::{Elem, Expr};
use weft_scalar::ScalarType;

/// What is known so far of the types that meet.
#[derive(Clone, Copy, Debug, Default)]
struct Join {
    bool: bool,
    int: Option<ScalarType>,
    float: Option<ScalarType>,
    open_int: bool,
    open_wide: bool,
    open_float: bool,
    sought: bool,
    /// Two types of one kind have no common one.
    apart: bool,
}

impl Join {
    fn add(&mut self, elem: Elem) {
        match elem {
            Elem::Unknown => {}
            Elem::Sought => self.sought = true,
            Elem::OpenInt => self.open_int = true,
            Elem::OpenWide => (self.open_int, self.open_wide) = (true, true),
            Elem::OpenFloat => self.open_float = true,
            Elem::OpenReal(t) => {
                self.open_float = true;
                self.add(Elem::Fixed(t));
            }
            Elem::Fixed(ScalarType::Bool) => self.bool = true,
            Elem::Fixed(t) => {
                let known = if t.is_float() { &mut self.float } else { &mut self.int };
                match known.map_or(Some(t), |k| k.join(t)) {
                    Some(met) => *known = Some(met),
                    None => self.apart = true,
                }
            }
        }
    }

    /// The type; `None` where there is none.
    fn met(self) -> Option<Elem> {
        let number = self.int.is_some() || self.float.is_some() || self.open_int || self.open_float;
        match (self.int, self.float) {
            _ if self.apart || self.bool && number => None,
            _ if self.bool => Some(Elem::Fixed(ScalarType::Bool)),
            (Some(int), Some(float)) => int.widens_to(float).then_some(Elem::Fixed(float)),
            (None, Some(float)) => Some(Elem::Fixed(float)),
            (Some(int), None) if self.open_wide && int != ScalarType::U64 => None,
            (Some(int), None) if self.open_float => int.least_float().map(|_| Elem::OpenReal(int)),
            (Some(int), None) => Some(Elem::Fixed(int)),
            (None, None) if self.open_float => Some(Elem::OpenFloat),
            (None, None) if self.open_wide => Some(Elem::OpenWide),
            (None, None) if self.open_int => Some(Elem::OpenInt),
            (None, None) if self.sought => Some(Elem::Sought),
            (None, None) => Some(Elem::Unknown),
        }
    }
}

/// The one element type that values of these meet in; `None` if there is none.
pub(crate) fn join(elems: impl IntoIterator<Item = Elem>) -> Option<Elem> {
    let mut all = Join::default();
    elems.into_iter().for_each(|e| all.add(e));
    all.met()
}

/// The element type that these values meet in, or two of them that have none.
pub(crate) fn joined_elem(values: &[&Expr]) -> Result<Elem, Box<(Expr, Expr)>> {
    let elems = || values.iter().filter_map(|e| e.ty.elem());
    if let Some(met) = join(elems()) {
        return Ok(met);
    }
    let typed: Vec<&&Expr> = values.iter().filter(|e| e.ty.elem().is_some()).collect();
    let pairs = typed.iter().enumerate().flat_map(|(n, a)| typed[..n].iter().map(move |b| (b, a)));
    let met = |a: &Expr, b: &Expr| join([a.ty.elem()?, b.ty.elem()?]);
    let mut apart = pairs.filter(|(a, b)| met(a, b).is_none());
    // (What has no common type has two that have none, or an integer too wide for the rest.)
    let (a, b) = apart.next().unwrap_or((&typed[0], &typed[typed.len() - 1]));
    Err(Box::new(((**a).clone(), (**b).clone())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Elem::{Fixed, OpenFloat, OpenInt, OpenReal, Unknown};
    use ScalarType::{Bool, F32, F64, I16, I32, I64};

    #[test]
    fn all_that_meets_is_joined_at_once() {
        assert_eq!(join([Fixed(I32), Fixed(F32)]), None);
        assert_eq!(join([Fixed(I32), Fixed(F32), Fixed(F64)]), Some(Fixed(F64)));
        assert_eq!(join([Fixed(I64), Fixed(F64)]), None);
    }

    #[test]
    fn open_values_take_part_by_their_kind() {
        assert_eq!(join([OpenInt, OpenFloat]), Some(OpenFloat));
        assert_eq!(join([OpenInt, Fixed(F32)]), Some(Fixed(F32)));
        assert_eq!(join([OpenFloat, Fixed(I16)]), Some(OpenReal(I16)));
        assert_eq!(join([OpenReal(I16), Fixed(F32)]), Some(Fixed(F32)));
        assert_eq!(join([OpenReal(I32), Fixed(F32)]), None);
        assert_eq!(join([OpenFloat, Fixed(I64)]), None);
        assert_eq!(join([OpenInt, Fixed(Bool)]), None);
        assert_eq!(join([Unknown, OpenInt]), Some(OpenInt));
    }
}
