//! The rules of index spaces and projections.

use super::{Binder, Checker, Scope, is_computed};
use crate::{Affine, Assignment, Dim, Expr, IndexTerm, Iter, Range};
use weft_base::entity::EntityRef;

impl Checker<'_> {
    /// Checks a space; gives the binder of every iterator, those of nested reductions too.
    pub(super) fn space(&mut self, a: &Assignment) -> Scope {
        let mut scope = Scope::new();
        for (number, factor) in a.space.factors.iter().enumerate() {
            self.demand(!factor.ranges.is_empty(), "a factor without ranges");
            for range in &factor.ranges {
                self.bounds(range, &scope);
            }
            for range in &factor.ranges {
                let single = factor.ranges.len() == 1;
                let binder = if single { Binder::Loop(number) } else { Binder::Part(number) };
                self.bind(a, range.iter, binder, &mut scope);
            }
        }
        for guard in &a.space.guards {
            self.affine(&guard.term);
            let bound = guard.term.iters().iter().all(|&i| scope[i] != Binder::None);
            self.demand(bound, "a guard mentions an iterator without a range");
        }
        self.nested_ranges(a, &mut scope);
        scope
    }

    fn nested_ranges(&mut self, a: &Assignment, scope: &mut Scope) {
        for id in a.exprs.ids() {
            if let Expr::Reduce(r) = a.exprs.get(id) {
                for range in &r.ranges {
                    self.bind(a, range.iter, Binder::Reduction, scope);
                }
            }
        }
    }

    fn bind(&mut self, a: &Assignment, iter: Iter, binder: Binder, scope: &mut Scope) {
        if iter.index() >= a.space.iters.len() {
            return self.wrong(format_args!("there is no iterator {iter}"));
        }
        if scope[iter] != Binder::None {
            self.wrong(format_args!("{iter} has two ranges"));
        }
        scope[iter] = binder;
    }

    /// Bounds use iterators of ordinary loops further out.
    fn bounds(&mut self, range: &Range, scope: &Scope) {
        for bound in [&range.lo, &range.hi] {
            self.affine(bound);
            for i in bound.iters() {
                if !matches!(scope[i], Binder::Loop(_)) {
                    self.wrong(format_args!("the range of {} uses {i}", range.iter));
                }
            }
        }
    }

    /// The parameters of an affine term, and that its divisors may be positive.
    pub(super) fn affine(&mut self, a: &Affine) {
        self.size(a.offset());
        for (dim, _) in a.terms() {
            if let Dim::Div(inner, by) | Dim::Mod(inner, by) = dim {
                self.affine(inner);
                self.size(by);
                let positive = by.as_constant().is_none_or(|n| n > 0);
                self.demand(positive, "a divisor is not positive");
            }
        }
    }

    pub(super) fn writes(&mut self, a: &Assignment, scope: &Scope) {
        for term in &a.write {
            self.demand(!is_computed(term), "a write term is computed");
            self.index_term(a, term, scope);
        }
        for i in a.written() {
            let outside = matches!(scope[i], Binder::Loop(_) | Binder::Part(_));
            self.demand(outside, "a write term uses an iterator that is no loop's");
        }
        let written = a.written();
        let is_written = |at: usize| {
            a.space.factors[at].ranges.iter().any(|r: &Range| written.contains(&r.iter))
        };
        let factors = 0..a.space.factors.len();
        let first_reduced = factors.clone().position(|at| !is_written(at));
        let ordered = first_reduced.is_none_or(|from| factors.skip(from).all(|at| !is_written(at)));
        self.demand(ordered, "a written factor behind a reduced one");
    }

    /// A term of a projection: of a coproduct factor only the active range's iterator may
    /// be used, so only in its own part.
    pub(super) fn index_term(&mut self, a: &Assignment, term: &IndexTerm, scope: &Scope) {
        match term {
            IndexTerm::Data(_) => {}
            IndexTerm::Affine(term) => self.term(term, None, scope),
            IndexTerm::Piecewise(parts) => {
                self.parts(a, parts, scope);
                parts.iter().for_each(|(i, term)| self.term(term, Some(*i), scope));
            }
        }
    }

    fn term(&mut self, term: &Affine, part: Option<Iter>, scope: &Scope) {
        self.affine(term);
        for i in term.iters() {
            match scope[i] {
                Binder::Part(_) if part != Some(i) => {
                    self.wrong(format_args!("{i} is used where it may not be active"));
                }
                Binder::None => self.wrong(format_args!("{i} has no range")),
                _ => {}
            }
        }
    }

    /// The parts are one per range of one factor.
    fn parts(&mut self, a: &Assignment, parts: &[(Iter, Affine)], scope: &Scope) {
        let factor = parts.first().and_then(|(i, _)| match scope[*i] {
            Binder::Loop(number) | Binder::Part(number) => Some(number),
            Binder::None | Binder::Reduction => None,
        });
        let Some(number) = factor else {
            return self.wrong("a piecewise term is not over a factor");
        };
        let mut named: Vec<Iter> = parts.iter().map(|p| p.0).collect();
        let mut ranges: Vec<Iter> = a.space.factors[number].ranges.iter().map(|r| r.iter).collect();
        named.sort_unstable();
        ranges.sort_unstable();
        self.demand(named == ranges, "a piecewise term has one part per range of its factor");
    }
}
