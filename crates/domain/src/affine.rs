//! Affine terms over iterators: what a projection says of one axis.

use std::fmt;
use weft_base::entity::entity_impl;
use weft_shape::{Param, Size};

/// An iterator of an assignment's index space (local to that assignment).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Iter(u32);
entity_impl!(Iter, "i");

/// A dimension of an affine term, which has a constant coefficient.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Dim {
    /// An iterator.
    Iter(Iter),
    /// `floor(a / s)`, with `s > 0`: the quasi-affine part of a projection.
    Div(Box<Affine>, Size),
    /// `a - s * floor(a / s)`, with `s > 0`.
    Mod(Box<Affine>, Size),
}

/// `Σ cᵢ·dᵢ + offset` with constant coefficients, in normal form: sorted, no zeros.
///
/// A cell of constant position (`Fixed`) is the case without dimensions.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Affine {
    terms: Vec<(Dim, i64)>,
    offset: Size,
}

impl Affine {
    /// A term without iterators.
    pub fn fixed(offset: impl Into<Size>) -> Affine {
        Affine { terms: Vec::new(), offset: offset.into() }
    }

    /// One iterator alone.
    pub fn iter(i: Iter) -> Affine {
        Affine::dim(Dim::Iter(i))
    }

    /// One dimension alone.
    pub fn dim(d: Dim) -> Affine {
        Affine { terms: vec![(d, 1)], offset: Size::constant(0) }
    }

    /// The dimensions with their coefficients, sorted; no coefficient is 0.
    pub fn terms(&self) -> &[(Dim, i64)] {
        &self.terms
    }

    /// The size that is added to them.
    pub fn offset(&self) -> &Size {
        &self.offset
    }

    /// The iterator, if the term is one alone.
    pub fn as_iter(&self) -> Option<Iter> {
        match (self.terms.as_slice(), self.offset.as_constant()) {
            ([(Dim::Iter(i), 1)], Some(0)) => Some(*i),
            _ => None,
        }
    }

    /// The size, if no dimension occurs.
    pub fn as_size(&self) -> Option<&Size> {
        self.terms.is_empty().then_some(&self.offset)
    }

    /// The number, if the term is one.
    pub fn as_constant(&self) -> Option<i64> {
        self.as_size().and_then(Size::as_constant)
    }

    /// How much it is made of: iterators, parameters and operators.
    pub fn weight(&self) -> usize {
        let dim = |d: &Dim| match d {
            Dim::Iter(_) => 1,
            Dim::Div(a, by) | Dim::Mod(a, by) => a.weight().saturating_add(by.weight()),
        };
        let dims = self.terms.iter().map(|(d, _)| dim(d));
        dims.fold(self.offset.weight(), usize::saturating_add)
    }

    /// Whether only iterators occur, no quotient or remainder.
    pub fn is_affine(&self) -> bool {
        self.terms.iter().all(|(d, _)| matches!(d, Dim::Iter(_)))
    }

    /// The coefficient of an iterator outside quotients (0 where it does not occur).
    pub fn coefficient(&self, i: Iter) -> i64 {
        let found = self.terms.iter().find(|(d, _)| *d == Dim::Iter(i));
        found.map_or(0, |(_, c)| *c)
    }

    /// `self + other`; `None` on overflow of a coefficient.
    pub fn plus(&self, other: &Affine) -> Option<Affine> {
        self.plus_scaled(other, 1)
    }

    /// `self + n * other`, `n` not being 0; `None` on overflow of a coefficient.
    fn plus_scaled(&self, other: &Affine, n: i64) -> Option<Affine> {
        if n == 1 && self.terms.is_empty() {
            return Some(other.plus_size(&self.offset));
        }
        let mut terms = self.terms.clone();
        for (d, c) in &other.terms {
            let c = c.checked_mul(n)?;
            match terms.binary_search_by(|(e, _)| e.cmp(d)) {
                Ok(at) => {
                    terms[at].1 = terms[at].1.checked_add(c)?;
                    if terms[at].1 == 0 {
                        terms.remove(at);
                    }
                }
                Err(at) => terms.insert(at, (d.clone(), c)),
            }
        }
        let offset = match n {
            1 => self.offset.plus(&other.offset),
            -1 => self.offset.minus(&other.offset),
            _ => self.offset.plus(&other.offset.scaled(n)),
        };
        Some(Affine { terms, offset })
    }

    /// The last dimension with its coefficient, and all else; `None` where there is none.
    pub fn split_last(mut self) -> Option<(Affine, Dim, i64)> {
        let (dim, coefficient) = self.terms.pop()?;
        Some((self, dim, coefficient))
    }

    /// `self + s`.
    pub fn plus_size(&self, s: &Size) -> Affine {
        Affine { terms: self.terms.clone(), offset: self.offset.plus(s) }
    }

    /// Whether coefficients and constants are so small that no sum of indices wraps.
    pub fn is_small(&self) -> bool {
        const MOST: i128 = 1 << 20;
        let coefficients = self.terms.iter().map(|(_, c)| i128::from(*c));
        let sizes = self.offset.terms().iter().map(|(_, c)| *c);
        let mut all = coefficients.chain(sizes).chain([self.offset.constant_term()]);
        all.all(|c| c.abs() <= MOST)
    }

    /// `n * self`; `None` on overflow of a coefficient.
    pub fn scaled(&self, n: i64) -> Option<Affine> {
        if n == 0 {
            return Some(Affine::fixed(0));
        }
        let scale = |(d, c): &(Dim, i64)| Some((d.clone(), c.checked_mul(n)?));
        let terms = self.terms.iter().map(scale).collect::<Option<_>>()?;
        Some(Affine { terms, offset: self.offset.scaled(n) })
    }

    /// `self - other`; `None` on overflow of a coefficient.
    pub fn minus(&self, other: &Affine) -> Option<Affine> {
        self.plus_scaled(other, -1)
    }

    /// `floor(self / by)`, `by` being known to be positive.
    pub fn floor_div(&self, by: &Size) -> Affine {
        if let Some(s) = self.as_size().and_then(|s| s.floor_div(by)) {
            return Affine::fixed(s);
        }
        if by.as_constant() == Some(1) {
            return self.clone();
        }
        Affine::dim(Dim::Div(Box::new(self.clone()), by.clone()))
    }

    /// `self - by * floor(self / by)`, `by` being known to be positive.
    pub fn modulo(&self, by: &Size) -> Affine {
        if let Some(s) = self.as_size().and_then(|s| s.modulo(by)) {
            return Affine::fixed(s);
        }
        if by.as_constant() == Some(1) {
            return Affine::fixed(0);
        }
        Affine::dim(Dim::Mod(Box::new(self.clone()), by.clone()))
    }

    /// Composition: each iterator replaced by a term; `None` on overflow.
    pub fn compose(&self, replace: &dyn Fn(Iter) -> Affine) -> Option<Affine> {
        let mut total = Affine::fixed(self.offset.clone());
        for (d, c) in &self.terms {
            let new = match d {
                Dim::Iter(i) => replace(*i),
                Dim::Div(a, s) => a.compose(replace)?.floor_div(s),
                Dim::Mod(a, s) => a.compose(replace)?.modulo(s),
            };
            total = total.plus_scaled(&new, *c)?;
        }
        Some(total)
    }

    /// The term with every size in it rewritten.
    pub fn map_sizes(&self, f: &dyn Fn(&Size) -> Size) -> Affine {
        let mut total = Affine::fixed(f(&self.offset));
        for (d, c) in &self.terms {
            let new = match d {
                Dim::Iter(i) => Affine::iter(*i),
                Dim::Div(a, s) => a.map_sizes(f).floor_div(&f(s)),
                Dim::Mod(a, s) => a.map_sizes(f).modulo(&f(s)),
            };
            total = total.plus_scaled(&new, *c).expect("coefficients are those of the old term");
        }
        total
    }

    /// Every iterator that occurs, also inside quotients, ascending, once each.
    pub fn iters(&self) -> Vec<Iter> {
        let mut found = Vec::with_capacity(self.terms.len());
        self.collect_iters(&mut found);
        found.sort();
        found.dedup();
        found
    }

    /// Every parameter that occurs in sizes, also inside quotients.
    pub fn params(&self) -> Vec<Param> {
        let mut found = self.offset.params();
        for (dim, _) in &self.terms {
            if let Dim::Div(inner, by) | Dim::Mod(inner, by) = dim {
                found.extend(inner.params());
                found.extend(by.params());
            }
        }
        found
    }

    fn collect_iters(&self, found: &mut Vec<Iter>) {
        for (d, _) in &self.terms {
            match d {
                Dim::Iter(i) => found.push(*i),
                Dim::Div(a, _) | Dim::Mod(a, _) => a.collect_iters(found),
            }
        }
    }

    /// The value at a point; `None` on overflow, or where a size has no value.
    pub fn eval(
        &self,
        iter: &dyn Fn(Iter) -> i64,
        size: &dyn Fn(&Size) -> Option<i64>,
    ) -> Option<i64> {
        let mut total = size(&self.offset)?;
        for (d, c) in &self.terms {
            let v = match d {
                Dim::Iter(i) => iter(*i),
                Dim::Div(a, s) => a.eval(iter, size)?.checked_div_euclid(size(s)?)?,
                Dim::Mod(a, s) => a.eval(iter, size)?.checked_rem_euclid(size(s)?)?,
            };
            total = total.checked_add(v.checked_mul(*c)?)?;
        }
        Some(total)
    }
}

impl fmt::Display for Affine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.is_empty() {
            return write!(f, "{}", self.offset);
        }
        for (at, (d, c)) in self.terms.iter().enumerate() {
            match (at, *c < 0) {
                (0, true) => f.write_str("-")?,
                (0, false) => {}
                (_, true) => f.write_str(" - ")?,
                (_, false) => f.write_str(" + ")?,
            }
            if c.unsigned_abs() != 1 {
                write!(f, "{}*", c.unsigned_abs())?;
            }
            match d {
                Dim::Iter(i) => write!(f, "{i}")?,
                Dim::Div(a, s) => write!(f, "(({a}) / ({s}))")?,
                Dim::Mod(a, s) => write!(f, "(({a}) % ({s}))")?,
            }
        }
        if self.offset.as_constant() != Some(0) {
            write!(f, " + ({})", self.offset)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Affine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
