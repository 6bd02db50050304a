//! The rules of index spaces and projections.

use super::{Binder, Checker, Scope, is_computed};
use crate::{Affine, Assignment, Dim, Expr, IndexTerm, Iter, Range};
use weft_base::entity::EntityRef;

impl Checker<'_> {
    /// Checks a space; gives the binder of every iterator, those of nested reductions too.
    pub(super) fn space(&mut self, a: &Assignment) -> Scope {
        let mut scope = Scope::new();
        for range in &a.space.ranges {
            self.bounds(range, &scope);
            self.bind(a, range.iter, Binder::Loop, &mut scope);
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

    /// Bounds use iterators of loops further out.
    fn bounds(&mut self, range: &Range, scope: &Scope) {
        for bound in [&range.lo, &range.hi] {
            self.affine(bound);
            for i in bound.iters() {
                if scope[i] != Binder::Loop {
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
            self.index_term(term, scope);
        }
        let written = a.written();
        for &i in &written {
            self.demand(
                scope[i] == Binder::Loop,
                "a write term uses an iterator that is no loop's",
            );
        }
        let is_written: Vec<bool> =
            a.space.ranges.iter().map(|r| written.contains(&r.iter)).collect();
        self.demand(is_written.is_sorted_by(|x, y| x >= y), "a written range behind a reduced one");
    }

    /// A term of a projection.
    pub(super) fn index_term(&mut self, term: &IndexTerm, scope: &Scope) {
        let Some(term) = term.as_affine() else { return };
        self.affine(term);
        for i in term.iters() {
            if scope[i] == Binder::None {
                self.wrong(format_args!("{i} has no range"));
            }
        }
    }
}
