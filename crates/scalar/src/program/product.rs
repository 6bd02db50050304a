//! Powers with a small whole exponent, by squaring, and the root.
//!
//! ```text
//! x ** 5   =>   x * (x ** 2) ** 2, each product with its rounding error
//! ```
//!
//! What a product loses goes along as a second float (Dekker, 1971), so that sixteen factors
//! are off by little more than one rounding.

use super::Machine;
use super::machine::MachineExt;

/// The largest exponent whose power is a product.
pub const LARGEST: u32 = 16;

/// The bits of [`LARGEST`].
const BITS: u32 = LARGEST.ilog2() + 1;

/// A product under way, an unevaluated sum: what is not there is 0.
#[derive(Clone, Copy)]
pub struct Product<F> {
    /// The product, rounded.
    pub high: F,
    /// The error of its roundings.
    pub low: Option<F>,
}

impl<F: Copy> Product<F> {
    /// One factor.
    pub fn of(x: F) -> Product<F> {
        Product { high: x, low: None }
    }

    /// `self * other`, to about 2**-100 of itself.
    #[must_use]
    pub fn times<M: Machine<F = F>>(self, m: &M, other: Product<F>) -> Product<F> {
        let (high, error) = m.two_product(self.high, other.high);
        let left = other.low.map(|low| m.mul(self.high, low));
        let right = self.low.map(|low| m.mul(low, other.high));
        let cross = match (left, right) {
            (Some(a), Some(b)) => Some(m.add(a, b)),
            (one, other) => one.or(other),
        };
        Product { high, low: Some(cross.map_or(error, |cross| m.add(error, cross))) }
    }

    /// The sum, where it is one: zeros keep their sign, and what is not finite has no error.
    pub fn value<M: Machine<F = F>>(self, m: &M) -> F {
        let Some(low) = self.low else { return self.high };
        let size = m.abs(self.high);
        let finite = m.lt(size, m.float(f64::INFINITY));
        let sums = m.and(m.lt(m.float(0.0), size), finite);
        m.select(sums, m.add(self.high, low), self.high)
    }
}

/// Whether an exponent is whole and from 0 to [`LARGEST`].
pub fn is_short<M: Machine>(m: &M, y: M::F) -> M::B {
    let whole = m.eq(m.round(y), y);
    let above = m.not(m.lt(y, m.float(0.0)));
    let below = m.not(m.lt(m.float(f64::from(LARGEST)), y));
    m.and(whole, m.and(above, below))
}

/// The bits of an exponent that [`is_short`].
pub fn exponent<M: Machine>(m: &M, y: M::F) -> M::I {
    let bits = m.bits(m.add(y, m.float(m.format().magic)));
    m.int_and(bits, m.int(i64::from((1u32 << BITS) - 1)))
}

/// `x ** y` where [`is_short`] holds of the exponents.
pub(super) fn power<M: Machine>(m: &M, x: M::F, y: M::F) -> M::F {
    let n = exponent(m, y);
    let zero = m.float(0.0);
    let (mut result, mut square) = (Product::of(m.float(1.0)), Product::of(x));
    for bit in 0..BITS {
        let unset = m.int_eq(m.int_and(n, m.int(1 << bit)), m.int(0));
        let next = result.times(m, square);
        let keep = |old: Option<M::F>, new: Option<M::F>| {
            m.select(unset, old.unwrap_or(zero), new.unwrap_or(zero))
        };
        let high = m.select(unset, result.high, next.high);
        result = Product { high, low: Some(keep(result.low, next.low)) };
        square = square.times(m, square);
    }
    result.value(m)
}

/// `x ** n` for an exponent that is known, which is at most [`LARGEST`].
pub(super) fn power_by<M: Machine>(m: &M, x: M::F, n: u32) -> M::F {
    let mut result: Option<Product<M::F>> = None;
    let mut square = Product::of(x);
    for bit in 0..BITS {
        if n >> bit & 1 == 1 {
            result = Some(result.map_or(square, |r| r.times(m, square)));
        }
        if n >> bit > 1 {
            square = square.times(m, square);
        }
    }
    result.map_or(m.float(1.0), |r| r.value(m))
}

/// `x ** 0.5`: unlike a square root's, what is negative and infinite has a real one, and that of a
/// negative zero is none.
pub fn root<M: Machine>(m: &M, x: M::F) -> M::F {
    let infinity = m.float(f64::INFINITY);
    let x = m.select(m.eq(x, m.neg(infinity)), infinity, m.add(x, m.float(0.0)));
    m.sqrt(x)
}
