//! Affine terms with every size resolved, over the iterators of a frame.

use crate::{Affine, Dim};
use weft_shape::Size;

/// Values of sizes; those that are compared with others may take more than 64 bits.
pub(super) type SizeValue<'a> = dyn Fn(&Size) -> Option<i128> + 'a;

/// An affine term whose sizes have their values. Iterator `i` is slot `i` of the frame.
#[derive(Debug)]
pub(super) enum Term {
    /// A size in it has no value.
    Undefined,
    /// `constant + Σ coefficient · slot + Σ quotients`.
    Sum { constant: i128, slots: Box<[(u32, i64)]>, quotients: Box<[Quotient]> },
}

/// `coefficient · floor(inner / by)`, or of the remainder.
#[derive(Debug)]
pub(super) struct Quotient {
    inner: Term,
    by: i64,
    remainder: bool,
    coefficient: i64,
}

impl Term {
    /// `a` with its sizes resolved by `size`.
    pub(super) fn new(a: &Affine, size: &SizeValue<'_>) -> Term {
        Term::resolve(a, size).unwrap_or(Term::Undefined)
    }

    fn resolve(a: &Affine, size: &SizeValue<'_>) -> Option<Term> {
        let constant = size(a.offset())?;
        let mut slots = Vec::new();
        let mut quotients = Vec::new();
        for (dim, coefficient) in a.terms() {
            let (inner, by, remainder) = match dim {
                Dim::Iter(i) => {
                    slots.push((i.as_u32(), *coefficient));
                    continue;
                }
                Dim::Div(inner, by) => (inner, by, false),
                Dim::Mod(inner, by) => (inner, by, true),
            };
            let by = size(by).and_then(|by| i64::try_from(by).ok()).filter(|&by| by > 0)?;
            let inner = Term::resolve(inner, size)?;
            quotients.push(Quotient { inner, by, remainder, coefficient: *coefficient });
        }
        Some(Term::Sum { constant, slots: slots.into(), quotients: quotients.into() })
    }

    /// The value in a frame; `None` on overflow or where a size has no value.
    #[inline]
    pub(super) fn value(&self, frame: &[u64]) -> Option<i64> {
        let Term::Sum { constant, slots, quotients } = self else { return None };
        let mut total = i64::try_from(*constant).ok()?;
        for &(slot, coefficient) in slots {
            let part = (frame[slot as usize] as i64).checked_mul(coefficient)?;
            total = total.checked_add(part)?;
        }
        for q in quotients {
            total = total.checked_add(q.value(frame)?)?;
        }
        Some(total)
    }

    /// The value with 128 bits: a difference of two numbers of 64.
    pub(super) fn wide(&self, frame: &[u64]) -> Option<i128> {
        let Term::Sum { constant, slots, quotients } = self else { return None };
        let mut total = *constant;
        for &(slot, coefficient) in slots {
            let part = i128::from(frame[slot as usize] as i64) * i128::from(coefficient);
            total = total.checked_add(part)?;
        }
        for q in quotients {
            total = total.checked_add(q.value(frame)?.into())?;
        }
        Some(total)
    }
}

impl Quotient {
    fn value(&self, frame: &[u64]) -> Option<i64> {
        let inner = self.inner.value(frame)?;
        let value =
            if self.remainder { inner.rem_euclid(self.by) } else { inner.div_euclid(self.by) };
        value.checked_mul(self.coefficient)
    }
}
