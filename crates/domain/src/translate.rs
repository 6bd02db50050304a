//! From regions to isl and back.
//!
//! Sizes become linear terms over *parameters*: those of the program, and one opaque
//! parameter for each product, and each quotient or remainder by a size that is no number.
//! A quotient of iterators by such a size is an opaque *dimension*. An opaque stands for
//! one unknown function of what it is made of, restricted by what is known of it; so
//! whatever holds for all values of opaques holds, and a witness has to be checked.

use crate::isl::{GaveUp, RawConstraint, RawTerm, Session, Set, Term};
use crate::monomial::{divided, product};
use crate::{Affine, Constraint, Dim, Formula, Iter, Region, Relation};
use std::collections::BTreeMap;
use weft_shape::{Atom, Facts, Param, Size};

type Result<T> = std::result::Result<T, GaveUp>;

/// What the parameters and dimensions of a question stand for.
#[derive(Debug)]
pub(crate) struct Names<'a> {
    facts: &'a Facts,
    values: &'a BTreeMap<Param, i64>,
    /// Each is a single atom or product of atoms.
    params: Vec<Size>,
    /// The iterators, coordinates first.
    iters: Vec<Iter>,
    /// Opaque dimensions, behind the iterators.
    opaque: Vec<Dim>,
    /// Ends of ranges, which may bound an opaque quotient.
    ends: Vec<Size>,
}

impl<'a> Names<'a> {
    /// The names that `regions` use, the coordinates first.
    pub(crate) fn new(
        facts: &'a Facts,
        values: &'a BTreeMap<Param, i64>,
        regions: &[&Region],
    ) -> Names<'a> {
        let (params, iters) = (Vec::new(), Vec::new());
        let (opaque, ends) = (Vec::new(), Vec::new());
        let mut names = Names { facts, values, params, iters, opaque, ends };
        for region in regions {
            region.iters.iter().for_each(|&i| add_new(&mut names.iters, i));
        }
        for region in regions {
            region.hidden.iter().for_each(|&i| add_new(&mut names.iters, i));
            for constraint in region.formula.constraints() {
                names.add_affine(&constraint.term);
                names.add_end(constraint);
            }
        }
        names.add_bounds_of_quotients();
        names
    }

    /// The numbers of parameters and dimensions.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.params.len(), self.iters.len() + self.opaque.len())
    }

    /// The iterators, in the order of the dimensions.
    pub(crate) fn iters(&self) -> &[Iter] {
        &self.iters
    }

    /// The parameter that isl's parameter `position` is, unless that is opaque.
    pub(crate) fn param(&self, position: usize) -> Option<Param> {
        self.params[position].as_param()
    }

    /// Whether a witness has to be checked.
    pub(crate) fn has_opaque(&self) -> bool {
        self.has_opaque_dims() || self.params.iter().any(|s| s.as_param().is_none())
    }

    /// Whether dimensions stand for functions of the iterators.
    pub(crate) fn has_opaque_dims(&self) -> bool {
        !self.opaque.is_empty()
    }

    /// A size with the values that are known.
    pub(crate) fn resolved(&self, size: &Size) -> Size {
        if self.values.is_empty() {
            return size.clone();
        }
        size.substitute(&|p| self.values.get(&p).map_or(Size::param(p), |&v| v.into()))
    }

    fn add_affine(&mut self, a: &Affine) {
        let offset = self.resolved(a.offset());
        self.add_size(&offset);
        for (dim, _) in a.terms() {
            match dim {
                Dim::Iter(i) => add_new(&mut self.iters, *i),
                Dim::Div(inner, by) | Dim::Mod(inner, by) => {
                    self.add_affine(inner);
                    let by = self.resolved(by);
                    if constant_divisor(&by).is_none() {
                        self.add_size(&by);
                        add_new(&mut self.opaque, dim.clone());
                    }
                }
            }
        }
    }

    fn add_size(&mut self, size: &Size) {
        for (monomial, _) in size.terms() {
            match monomial.as_slice() {
                [Atom::Max(parts) | Atom::Min(parts)] => {
                    parts.iter().for_each(|p| self.add_size(p));
                }
                [Atom::Div(a, b) | Atom::Mod(a, b)] if constant_divisor(b).is_some() => {
                    self.add_size(a);
                }
                atoms => add_new(&mut self.params, product(atoms)),
            }
        }
    }

    /// Notes `H` where a constraint says `i < H`.
    fn add_end(&mut self, constraint: &Constraint) {
        if let [(Dim::Iter(_), -1)] = constraint.term.terms() {
            let end = self.resolved(&constraint.term.offset().plus_const(1));
            add_new(&mut self.ends, end);
        }
    }

    /// The sizes `K` and `K * by` that can bound quotients.
    fn add_bounds_of_quotients(&mut self) {
        for (_, by, quotient) in self.quotient_bounds() {
            self.add_size(&quotient);
            self.add_size(&quotient.times(&by));
        }
    }

    /// Each opaque quotient, its divisor, and each `K` for which `K * by` is some end.
    fn quotient_bounds(&self) -> Vec<(Dim, Size, Size)> {
        let mut found = Vec::new();
        for dim in &self.opaque {
            if let Dim::Div(_, by) = dim {
                let by = self.resolved(by);
                for k in self.ends.iter().filter_map(|end| divided(end, &by)) {
                    found.push((dim.clone(), by.clone(), k));
                }
            }
        }
        found
    }

    /// What is known of parameters and opaques.
    pub(crate) fn context<'s>(&self, s: &'s Session<'s>) -> Result<Set<'s>> {
        let mut context = s.everything()?;
        for (at, size) in self.params.iter().enumerate() {
            let (lo, hi) = self.facts.bounds(size);
            if let Some(lo) = lo {
                context = context.and(s.param(at)?.at_least(s.constant(lo)?)?)?;
            }
            if let Some(hi) = hi {
                context = context.and(s.constant(hi)?.at_least(s.param(at)?)?)?;
            }
        }
        for (at, dim) in self.opaque.iter().enumerate() {
            context = context.and(self.known_of(s, self.iters.len() + at, dim)?)?;
        }
        for (dim, by, k) in self.quotient_bounds() {
            context = context.and(self.quotient_below(s, &dim, &by, &k)?)?;
        }
        Ok(context)
    }

    /// `0 <= a % b < b`; `a / b >= 0` where `a >= 0`, both for `b > 0`.
    fn known_of<'s>(&self, s: &'s Session<'s>, at: usize, dim: &Dim) -> Result<Set<'s>> {
        let nonnegative = || s.dim(at)?.at_least(s.constant(0)?);
        match dim {
            Dim::Iter(_) => s.everything(),
            Dim::Mod(_, by) => {
                let by = self.size(s, &self.resolved(by))?;
                nonnegative()?.and(by.at_least(s.dim(at)?.plus(s.constant(1)?)?)?)
            }
            Dim::Div(a, _) => {
                let negative = s.constant(-1)?.at_least(self.affine(s, a)?)?;
                nonnegative()?.or(negative)
            }
        }
    }

    /// `a / b < k` where `a < k * b`.
    fn quotient_below<'s>(
        &self,
        s: &'s Session<'s>,
        dim: &Dim,
        by: &Size,
        k: &Size,
    ) -> Result<Set<'s>> {
        let Dim::Div(a, _) = dim else { return s.everything() };
        let beyond = self.affine(s, a)?.at_least(self.size(s, &k.times(by))?)?;
        let below = self.size(s, k)?.at_least(self.dim(s, dim)?.plus(s.constant(1)?)?)?;
        beyond.or(below)
    }

    /// The points of a region.
    pub(crate) fn region<'s>(&self, s: &'s Session<'s>, region: &Region) -> Result<Set<'s>> {
        let set = self.formula(s, &region.formula)?;
        if !region.hidden.is_empty() && self.has_opaque_dims() {
            // An opaque of a hidden iterator would have to be hidden with it.
            return Err(GaveUp);
        }
        region.hidden.iter().try_fold(set, |set, &i| set.for_some(self.position(i)?, 1))
    }

    pub(crate) fn position(&self, iter: Iter) -> Result<usize> {
        self.iters.iter().position(|&i| i == iter).ok_or(GaveUp)
    }

    fn formula<'s>(&self, s: &'s Session<'s>, formula: &Formula) -> Result<Set<'s>> {
        match formula {
            Formula::All(parts) => {
                parts.iter().try_fold(s.everything()?, |set, p| set.and(self.formula(s, p)?))
            }
            Formula::Any(parts) => {
                parts.iter().try_fold(s.nothing()?, |set, p| set.or(self.formula(s, p)?))
            }
            Formula::Not(inner) => self.formula(s, inner)?.complement(),
            Formula::Holds(c) => match c.relation {
                Relation::AtLeastZero => self.at_least_zero(s, &c.term),
                Relation::Zero => self.affine(s, &c.term)?.equals(s.constant(0)?),
            },
        }
    }

    /// `term >= 0`. What is at least the largest of some sizes is at least each of them, and
    /// what is at most the largest is at most one of them. The piecewise term would part the
    /// set for each comparison of two sizes, and some twenty of them into a million pieces.
    fn at_least_zero<'s>(&self, s: &'s Session<'s>, term: &Affine) -> Result<Set<'s>> {
        let offset = self.resolved(term.offset());
        let Some(extremum) = extremum_in(&offset) else {
            return self.affine(s, term)?.at_least(s.constant(0)?);
        };
        let rest = term.plus_size(&extremum.rest.minus(term.offset()));
        let mut parts = extremum.parts.iter().map(|p| self.at_least_zero(s, &rest.plus_size(p)));
        if extremum.least {
            parts.try_fold(s.everything()?, |set, part| set.and(part?))
        } else {
            parts.try_fold(s.nothing()?, |set, part| set.or(part?))
        }
    }

    fn affine<'s>(&self, s: &'s Session<'s>, a: &Affine) -> Result<Term<'s>> {
        let mut total = self.size(s, &self.resolved(a.offset()))?;
        for (dim, c) in a.terms() {
            let part = s.scaled(self.dim(s, dim)?, (*c).into())?;
            total = total.plus(part)?;
        }
        Ok(total)
    }

    fn dim<'s>(&self, s: &'s Session<'s>, dim: &Dim) -> Result<Term<'s>> {
        let (inner, by) = match dim {
            Dim::Iter(i) => return s.dim(self.position(*i)?),
            Dim::Div(inner, by) | Dim::Mod(inner, by) => (inner, self.resolved(by)),
        };
        let Some(by) = constant_divisor(&by) else {
            let at = self.opaque.iter().position(|d| d == dim).ok_or(GaveUp)?;
            return s.dim(self.iters.len() + at);
        };
        let inner = self.affine(s, inner)?;
        match dim {
            Dim::Mod(..) => remainder(s, inner, by),
            _ => s.floor_div(inner, by),
        }
    }

    fn size<'s>(&self, s: &'s Session<'s>, size: &Size) -> Result<Term<'s>> {
        let mut total = s.constant(size.constant_term())?;
        for (monomial, c) in size.terms() {
            total = total.plus(s.scaled(self.monomial(s, monomial)?, *c)?)?;
        }
        Ok(total)
    }

    fn monomial<'s>(&self, s: &'s Session<'s>, atoms: &[Atom]) -> Result<Term<'s>> {
        match atoms {
            [Atom::Max(parts)] => self.extremum(s, parts, Term::larger),
            [Atom::Min(parts)] => self.extremum(s, parts, Term::smaller),
            [Atom::Div(a, b)] if constant_divisor(b).is_some() => {
                s.floor_div(self.size(s, a)?, constant_divisor(b).ok_or(GaveUp)?)
            }
            [Atom::Mod(a, b)] if constant_divisor(b).is_some() => {
                remainder(s, self.size(s, a)?, constant_divisor(b).ok_or(GaveUp)?)
            }
            atoms => {
                let wanted = product(atoms);
                s.param(self.params.iter().position(|p| *p == wanted).ok_or(GaveUp)?)
            }
        }
    }

    fn extremum<'s>(
        &self,
        s: &'s Session<'s>,
        parts: &[Size],
        of: fn(Term<'s>, Term<'s>) -> Result<Term<'s>>,
    ) -> Result<Term<'s>> {
        let mut terms = parts.iter().map(|p| self.size(s, p));
        let first = terms.next().ok_or(GaveUp)??;
        terms.try_fold(first, |a, b| of(a, b?))
    }

    /// A constraint read back.
    pub(crate) fn constraint(&self, raw: &RawConstraint) -> Result<Constraint> {
        let relation = if raw.equality { Relation::Zero } else { Relation::AtLeastZero };
        Ok(Constraint { term: self.read_back(&raw.term)?, relation })
    }

    pub(crate) fn read_back(&self, raw: &RawTerm) -> Result<Affine> {
        let mut total = Affine::fixed(raw.constant);
        for &(at, c) in &raw.params {
            total = total.plus_size(&self.params[at].scaled(c));
        }
        for &(at, c) in &raw.dims {
            let dim = match at.checked_sub(self.iters.len()) {
                None => Dim::Iter(self.iters[at]),
                Some(opaque) => self.opaque[opaque].clone(),
            };
            let part = Affine::dim(dim).scaled(c).ok_or(GaveUp)?;
            total = total.plus(&part).ok_or(GaveUp)?;
        }
        for (inner, by, c) in &raw.quotients {
            let part = self.read_back(inner)?.floor_div(&(*by).into());
            total = part.scaled(*c).and_then(|p| total.plus(&p)).ok_or(GaveUp)?;
        }
        Ok(total)
    }
}

/// A size as the least or the largest of `parts`, plus `rest`.
struct Extremum {
    parts: Vec<Size>,
    least: bool,
    rest: Size,
}

/// The first extremum that is a term of a size; with a negative factor the largest is a least.
fn extremum_in(size: &Size) -> Option<Extremum> {
    size.terms().iter().find_map(|(monomial, c)| {
        let (parts, least) = match monomial.as_slice() {
            [Atom::Max(parts)] => (parts, *c < 0),
            [Atom::Min(parts)] => (parts, *c > 0),
            _ => return None,
        };
        let factor = i64::try_from(*c).ok()?;
        let rest = size.minus(&product(monomial).scaled(factor));
        Some(Extremum { parts: parts.iter().map(|p| p.scaled(factor)).collect(), least, rest })
    })
}

/// `a - by * floor(a / by)`.
fn remainder<'s>(s: &'s Session<'s>, a: Term<'s>, by: i64) -> Result<Term<'s>> {
    let quotient = s.floor_div(a.copy()?, by)?;
    a.plus(s.scaled(quotient, -i128::from(by))?)
}

/// A divisor that isl can divide by.
fn constant_divisor(by: &Size) -> Option<i64> {
    by.as_constant().filter(|&n| n > 0)
}

fn add_new<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}
