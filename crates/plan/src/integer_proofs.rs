//! Questions about an order that integer sets decide.
//!
//! Each is about pairs of instances, one of which reads what the other writes, at the same
//! step of every loop around both.

use crate::order::{Orderer, TimeAxes, UncarriedReads};
use crate::placed::Placed;
use std::collections::BTreeSet;
use weft_depend::{Read, Statement, as_reader, as_writer, pairs};
use weft_domain::{Affine, Formula, Region, Sets};

impl Orderer<'_> {
    /// Whether no instance of `p` reads a cell of a later step of the loop along `axes`.
    pub fn ordered_exactly(&self, p: &Placed, r: &Read, all: &[Placed], axes: &TimeAxes) -> bool {
        self.never(p, r, all, axes, &|writer, reader| {
            if axes.descending { Formula::lt(writer, reader) } else { Formula::lt(reader, writer) }
        })
    }

    /// Whether every instance of `p` reads cells of earlier steps of the loop only.
    pub fn carried_exactly(&self, p: &Placed, r: &Read, all: &[Placed], axes: &TimeAxes) -> bool {
        self.never(p, r, all, axes, &|writer, reader| {
            if axes.descending { Formula::le(writer, reader) } else { Formula::le(reader, writer) }
        })
    }

    /// Whether the steps of writer and reader are so for no pair. What cannot be said is
    /// no.
    fn never(
        &self,
        p: &Placed,
        r: &Read,
        all: &[Placed],
        axes: &TimeAxes,
        so: &dyn Fn(&Affine, &Affine) -> Option<Formula>,
    ) -> bool {
        let reader = self.pieces.get(p.id);
        let mut writers = all.iter().filter(|q| self.pieces.get(q.id).target == r.tensor);
        writers.all(|q| {
            let asked = || {
                let writes = as_writer(self.pieces.get(q.id), axes.time.get(&q.id)?)?;
                let reads = as_reader(reader, axes.time.get(&p.id)?)?;
                Some(self.meeting(p, r, q)?.and(so(&writes, &reads)?))
            };
            asked().is_some_and(|region| self.is_empty(&region))
        })
    }

    /// The pairs of instances of `q` and `p` at the same step of the loops around them.
    pub fn meeting(&self, p: &Placed, r: &Read, q: &Placed) -> Option<Region> {
        let (writer, reader) = (self.pieces.get(q.id), self.pieces.get(p.id));
        let same = |(w, x): (&Affine, &Affine)| {
            Formula::equal(&as_writer(writer, w)?, &as_reader(reader, x)?)
        };
        let rows = q.rows.iter().zip(&p.rows).map(same).collect::<Option<Vec<_>>>()?;
        Some(rows.into_iter().fold(pairs(writer, reader, r)?, Region::and))
    }

    /// Whether a region surely has no point.
    pub fn is_empty(&self, region: &Region) -> bool {
        let left = self.questions.get();
        self.questions.set(left.saturating_sub(1));
        left > 0 && Sets::new(&self.graph.facts).is_surely_empty(region)
    }

    /// The positions in `all` of the pieces of which `p` may read an instance at the same
    /// step.
    pub fn needs_exactly(&self, p: &Placed, all: &[Placed], alive: &UncarriedReads) -> Vec<usize> {
        let mut needs = BTreeSet::new();
        for r in self.alive_reads(p.id, alive) {
            for (at, q) in all.iter().enumerate() {
                let writes = |q: &Statement| q.target == r.tensor;
                if needs.contains(&at) || !writes(self.pieces.get(q.id)) {
                    continue;
                }
                let apart = self.meeting(p, r, q).is_some_and(|m| self.is_empty(&m));
                if !apart {
                    needs.insert(at);
                }
            }
        }
        needs.into_iter().collect()
    }
}
