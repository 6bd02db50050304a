//! Solving projections for iterators: what turns a scatter into a gather.
//!
//! A read `x[P(i)]` sends its derivative to the cells `P(i)`. For a given cell `b` that is
//! a sum over the points with `P(i) = b`. Equations with an iterator of coefficient ±1
//! determine it (`x[i + k]`: `i = b - k`); one with another coefficient does behind a
//! divisibility guard (`x[2*i]`); a remainder whose iterator takes each value once turns round
//! (`x[(i + k) % n]`); a quotient `x[i / s]` leaves a loop of `s` points. What
//! cannot be solved remains as a guard. The derivatives of a slice, a transpose, a
//! broadcast, a diagonal, a window and a matrix product so become plain gathers (the
//! adjoint loops of Hückelheim et al., 2019, by substitution instead of loop splitting).

use std::collections::{BTreeMap, BTreeSet};
use weft_domain::{Affine, Constraint, Dim, End, Iter, Range, Relation, Space};
use weft_shape::Size;
use weft_tensor::Assignment;

/// A space under construction, with a piece's iterators to be placed in it.
pub(crate) struct Solver<'a> {
    piece: &'a Assignment,
    /// The new space: its ranges so far are outermost.
    space: Space,
    /// The piece's iterators, renamed.
    renamed: BTreeMap<Iter, Iter>,
    /// Terms over new iterators that are 0.
    equations: Vec<Affine>,
    solved: BTreeMap<Iter, Affine>,
    /// Of these the ones whose value is in their range wherever it is.
    inside: BTreeSet<Iter>,
    /// Quotients and remainders that are known by now.
    known: Vec<(Dim, Affine)>,
    /// Loops that solving has made.
    extra: Vec<Range>,
    guards: Vec<Constraint>,
}

/// A space in which the equations hold.
pub(crate) struct Solution {
    pub space: Space,
    /// Values of the piece's iterators.
    pub terms: BTreeMap<Iter, Affine>,
    /// Whether loops of the piece remain.
    pub has_loops: bool,
}

/// Why there is no solution.
pub(crate) enum Unsolved {
    /// The equations contradict each other: there is no point.
    Empty,
    /// A bound has no closed form, or a coefficient overflows.
    Unknown,
}

impl<'a> Solver<'a> {
    /// Places the iterators of `piece` within `outer`.
    pub fn new(piece: &'a Assignment, outer: Space) -> Solver<'a> {
        let mut space = outer;
        let renamed = piece
            .space
            .ranges
            .iter()
            .map(|r| (r.iter, space.iters.push(piece.space.iters[r.iter].clone())))
            .collect();
        let (equations, extra, known) = (Vec::new(), Vec::new(), Vec::new());
        let (solved, inside, guards) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
        Solver { piece, space, renamed, equations, solved, inside, known, extra, guards }
    }

    /// A term of the piece over new iterators.
    fn term(&self, a: &Affine) -> Option<Affine> {
        a.compose(&|i| Affine::iter(self.renamed[&i]))
    }

    /// Demands that a term of the piece equals one of the outer space.
    pub fn demand(&mut self, term: &Affine, equals: &Affine) -> Option<()> {
        self.equations.push(self.term(term)?.minus(equals)?);
        Some(())
    }

    /// Solves for iterators of the piece, the first of `order` first; others stay loops.
    pub fn solve(mut self, order: &[Iter]) -> Result<Solution, Unsolved> {
        let order: Vec<Iter> = order.iter().map(|i| self.renamed[i]).collect();
        while self.step(&order).ok_or(Unsolved::Unknown)? {}
        for e in std::mem::take(&mut self.equations) {
            match e.as_constant() {
                Some(0) => {}
                Some(_) => return Err(Unsolved::Empty),
                None => self.guards.push(Constraint { term: e, relation: Relation::Zero }),
            }
        }
        self.finish()
    }

    /// Solves one equation; whether there was one to solve.
    fn step(&mut self, order: &[Iter]) -> Option<bool> {
        if let Some((at, i)) = self.find(order, |c| c.abs() == 1) {
            let e = self.equations.swap_remove(at);
            let c = e.coefficient(i);
            let value = e.minus(&Affine::iter(i).scaled(c)?)?.scaled(-c)?;
            self.assign(i, value)?;
            return Some(true);
        }
        if let Some((at, i)) = self.find(order, |c| c != 0) {
            let e = self.equations.swap_remove(at);
            let c = e.coefficient(i);
            let rest = e.minus(&Affine::iter(i).scaled(c)?)?.scaled(-c.signum())?;
            let by = c.abs().into();
            let term = rest.modulo(&by);
            self.guards.push(Constraint { term, relation: Relation::Zero });
            self.assign(i, rest.floor_div(&by))?;
            return Some(true);
        }
        Some(self.step_period(order)? || self.step_quotient(order)?)
    }

    /// `(i + a) % s = d` for an `i` that takes each remainder once (`u[(i + 1) % n]`, a ring
    /// of cells) is `i = (d - a) % s`.
    fn step_period(&mut self, order: &[Iter]) -> Option<bool> {
        for at in 0..self.equations.len() {
            let e = self.equations[at].clone();
            for (dim, c) in e.terms() {
                let (Dim::Mod(x, s), 1) = (dim, c.abs()) else { continue };
                let Some(i) = order.iter().copied().find(|i| self.is_free(*i, x)) else { continue };
                let d = e.minus(&Affine::dim(dim.clone()).scaled(*c)?)?.scaled(-c)?;
                let Some(first) = self.first_of_period(i, s) else { continue };
                if d.iters().contains(&i) {
                    continue;
                }
                let a = x.coefficient(i);
                let rest = x.minus(&Affine::iter(i).scaled(a)?)?;
                let from_first = d.minus(&rest)?.scaled(a)?.minus(&first)?;
                let value = from_first.modulo(s).plus(&first)?;
                self.equations.swap_remove(at);
                self.guard_range(&d, &Affine::fixed(0), &Affine::fixed(s.clone()))?;
                self.known.push((dim.clone(), d));
                self.inside.insert(i);
                self.assign(i, value)?;
                return Some(true);
            }
        }
        Some(false)
    }

    /// The first value of an iterator that takes exactly `count` values.
    fn first_of_period(&self, i: Iter, count: &Size) -> Option<Affine> {
        let (old, _) = self.renamed.iter().find(|(_, new)| **new == i)?;
        let range = self.piece.space.range(*old)?;
        let (lo, hi) = (range.lo.as_size()?, range.hi.as_size()?);
        (hi.minus(lo) == *count).then(|| range.lo.clone())
    }

    /// `floor(x / s) = d` is `x = s*d + r` for an `r` in `0..s`.
    fn step_quotient(&mut self, order: &[Iter]) -> Option<bool> {
        for at in 0..self.equations.len() {
            let e = self.equations[at].clone();
            for (dim, c) in e.terms() {
                let Dim::Div(x, s) = dim else { continue };
                let (Some(by), true) = (s.as_constant(), c.abs() == 1) else { continue };
                let Some(i) = order.iter().copied().find(|i| self.is_free(*i, x)) else { continue };
                let d = e.minus(&Affine::dim(dim.clone()).scaled(*c)?)?.scaled(-c)?;
                if d.iters().contains(&i) {
                    continue;
                }
                let r = self.space.iters.push(None);
                let (lo, hi) = (Affine::fixed(0), Affine::fixed(s.clone()));
                self.extra.push(Range { iter: r, lo, hi });
                self.known.push((dim.clone(), d.clone()));
                self.known.push((Dim::Mod(x.clone(), s.clone()), Affine::iter(r)));
                let c = x.coefficient(i);
                let rest = x.minus(&Affine::iter(i).scaled(c)?)?;
                let value = d.scaled(by)?.plus(&Affine::iter(r))?.minus(&rest)?.scaled(c)?;
                self.equations.swap_remove(at);
                let known = std::mem::take(&mut self.equations);
                self.equations =
                    known.iter().map(|e| replace_known(e, &self.known)).collect::<Option<_>>()?;
                self.assign(i, value)?;
                return Some(true);
            }
        }
        Some(false)
    }

    /// An equation with an iterator to solve for, whose coefficient is as asked.
    fn find(&self, order: &[Iter], fits: impl Fn(i64) -> bool) -> Option<(usize, Iter)> {
        let in_equation = |i: Iter| {
            self.equations.iter().position(|e| fits(e.coefficient(i)) && self.is_outside(i, e))
        };
        let open = |i: &&Iter| !self.solved.contains_key(i);
        order.iter().filter(open).find_map(|&i| Some((in_equation(i)?, i)))
    }

    /// Whether an iterator occurs in no quotient of a term.
    fn is_outside(&self, i: Iter, e: &Affine) -> bool {
        e.terms().iter().all(|(d, _)| match d {
            Dim::Iter(_) => true,
            Dim::Div(x, _) | Dim::Mod(x, _) => !x.iters().contains(&i),
        })
    }

    fn is_free(&self, i: Iter, x: &Affine) -> bool {
        !self.solved.contains_key(&i) && x.coefficient(i).abs() == 1 && self.is_outside(i, x)
    }

    fn assign(&mut self, i: Iter, value: Affine) -> Option<()> {
        let replace = |j: Iter| if i == j { value.clone() } else { Affine::iter(j) };
        let all = |list: Vec<Affine>| -> Option<Vec<Affine>> {
            list.iter().map(|e| e.compose(&replace)).collect()
        };
        self.equations = all(std::mem::take(&mut self.equations))?;
        for term in self.solved.values_mut() {
            *term = term.compose(&replace)?;
        }
        for g in &mut self.guards {
            g.term = g.term.compose(&replace)?;
        }
        for (_, term) in &mut self.known {
            *term = term.compose(&replace)?;
        }
        self.solved.insert(i, value);
        Some(())
    }

    /// A term of the piece over what is left.
    fn resolved(&self, a: &Affine) -> Option<Affine> {
        let renamed = replace_known(&self.term(a)?, &self.known)?;
        renamed.compose(&|i| self.solved.get(&i).cloned().unwrap_or(Affine::iter(i)))
    }

    fn finish(mut self) -> Result<Solution, Unsolved> {
        let outer: Vec<Iter> = self.space.ranges.iter().map(|r| r.iter).collect();
        let written = self.piece.written();
        let (first, rest): (Vec<&Range>, Vec<&Range>) =
            self.piece.space.ranges.iter().partition(|r| written.contains(&r.iter));
        for r in first {
            self.place(r).ok_or(Unsolved::Unknown)?;
        }
        self.space.ranges.append(&mut self.extra);
        for r in rest {
            self.place(r).ok_or(Unsolved::Unknown)?;
        }
        for g in &self.piece.space.guards {
            let term = self.resolved(&g.term).ok_or(Unsolved::Unknown)?;
            self.guards.push(Constraint { term, relation: g.relation });
        }
        let mut terms = BTreeMap::new();
        for &i in self.renamed.keys() {
            terms.insert(i, self.resolved(&Affine::iter(i)).ok_or(Unsolved::Unknown)?);
        }
        for g in std::mem::take(&mut self.guards) {
            match (g.term.as_constant(), g.relation) {
                (Some(n), Relation::AtLeastZero) if n >= 0 => {}
                (Some(0), Relation::Zero) => {}
                (Some(_), _) => return Err(Unsolved::Empty),
                (None, _) if self.space.guards.contains(&g) => {}
                (None, _) => self.space.guards.push(g),
            }
        }
        let has_loops = self.space.ranges.len() > outer.len();
        Ok(Solution { space: self.space, terms, has_loops })
    }

    /// Gives an iterator of the piece its loop, or guards where it was solved.
    fn place(&mut self, r: &Range) -> Option<()> {
        let i = self.renamed[&r.iter];
        let (lo, hi) = (self.resolved(&r.lo)?, self.resolved(&r.hi)?);
        if self.inside.contains(&i) {
            return Some(());
        }
        if let Some(value) = self.solved.get(&i).cloned() {
            return self.guard_range(&value, &lo, &hi);
        }
        let placed: Vec<Iter> = self.space.ranges.iter().map(|r| r.iter).collect();
        let in_scope = |a: &Affine| a.iters().iter().all(|i| placed.contains(i));
        let (start, end) = match in_scope(&lo) && in_scope(&hi) {
            true => (lo, hi),
            false => {
                self.guard_range(&Affine::iter(i), &lo, &hi)?;
                let first = self.piece.space.bound(&r.lo, End::Lower)?;
                let last = self.piece.space.bound(&r.hi, End::Upper)?;
                (Affine::fixed(first), Affine::fixed(last))
            }
        };
        self.space.ranges.push(Range { iter: i, lo: start, hi: end });
        Some(())
    }

    fn guard_range(&mut self, value: &Affine, lo: &Affine, hi: &Affine) -> Option<()> {
        let range = value.as_iter().and_then(|i| self.space.range(i)).cloned();
        let relation = Relation::AtLeastZero;
        if range.as_ref().is_none_or(|r| r.lo != *lo) {
            self.guards.push(Constraint { term: value.minus(lo)?, relation });
        }
        if range.as_ref().is_none_or(|r| r.hi != *hi) {
            let term = hi.minus(value)?.plus_size(&(-1).into());
            self.guards.push(Constraint { term, relation });
        }
        Some(())
    }
}

/// A term with known quotients and remainders in place.
fn replace_known(a: &Affine, known: &[(Dim, Affine)]) -> Option<Affine> {
    let mut total = Affine::fixed(a.offset().clone());
    for (d, c) in a.terms() {
        let value = known.iter().find(|(k, _)| k == d).map(|(_, v)| v.clone());
        total = total.plus(&value.unwrap_or_else(|| Affine::dim(d.clone())).scaled(*c)?)?;
    }
    Some(total)
}
