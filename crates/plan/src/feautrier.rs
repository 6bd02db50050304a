//! Steps along no axis: rows of a schedule, and the loops that follow them.
//!
//! Where no axis has every read behind it, a step is a term over several iterators, one per
//! piece (Feautrier, 1992). A loop over its values runs at each the instances that have it:
//! the loop variable fixes one iterator where the others are fixed, and those that are free
//! in the end get loops of their own, whose steps are independent.

use crate::order::{Orderer, Steps, TimeAxes, UncarriedReads};
use crate::placed::Placed;
use crate::routine::{Item, LoopVar, Nest, TimeLoop};
use std::collections::BTreeMap;
use weft_depend::{as_reader, as_writer, coordinates, instances, writers_iter};
use weft_domain::{Affine, Constraint, Dependence, Formula, Iter, Region, Relation, Sets};
use weft_shape::Size;

/// Loops around one piece; more are not looked for.
const MAX_ROWS: usize = 12;

impl Orderer<'_> {
    /// A term per member such that no read looks ahead and some look back, by isl's
    /// scheduler and checked here.
    pub fn skewed(&self, members: &[Placed], alive: &UncarriedReads) -> Option<TimeAxes> {
        if members.iter().any(|p| p.rows.len() >= MAX_ROWS) {
            return None;
        }
        let pieces: Vec<_> = members.iter().map(|p| self.pieces.get(p.id)).collect();
        let statements: Vec<Region> = pieces.iter().map(|p| instances(p)).collect::<Option<_>>()?;
        let dependences = self.dependences(members, alive)?;
        let most = pieces.iter().map(|p| p.cells.len()).max()?;
        let (first, second) = coordinates(most);
        let sets = Sets::new(&self.graph.facts);
        let rows = sets.schedule_row(&statements, &dependences, (&first, &second))?;
        let mut time = BTreeMap::new();
        for ((p, piece), row) in members.iter().zip(&pieces).zip(rows) {
            let own = |c: Iter| writers_iter(piece, c).expect("a row is over its coordinates");
            let row = row.compose(&|c| Affine::iter(own(c)))?;
            if !row.is_affine() || self.hull(p, &row).is_none() {
                return None;
            }
            time.insert(p.id, row);
        }
        let axes = TimeAxes { time, ..TimeAxes::default() };
        self.is_row(members, &dependences, &axes).then_some(axes)
    }

    /// Pairs of members of which one must run before the other, at the same step of all loops so far.
    fn dependences(&self, members: &[Placed], alive: &UncarriedReads) -> Option<Vec<Dependence>> {
        let mut all = Vec::new();
        for (to, p) in members.iter().enumerate() {
            for r in self.alive_reads(p.id, alive) {
                for (from, q) in members.iter().enumerate() {
                    if self.pieces.get(q.id).target != r.tensor {
                        continue;
                    }
                    let pairs = self.meeting(p, r, q)?;
                    if !self.is_empty(&pairs) {
                        all.push(Dependence { from, to, pairs });
                    }
                }
            }
        }
        Some(all)
    }

    /// Whether no dependence goes against the row, and it takes some pair apart.
    fn is_row(&self, members: &[Placed], dependences: &[Dependence], axes: &TimeAxes) -> bool {
        let step = |d: &Dependence| {
            let (q, p) = (members[d.from].id, members[d.to].id);
            let writer = as_writer(self.pieces.get(q), &axes.time[&q])?;
            Some((writer, as_reader(self.pieces.get(p), &axes.time[&p])?))
        };
        let legal = |d: &Dependence| {
            let (writer, reader) = step(d)?;
            Some(self.is_empty(&d.pairs.clone().and(Formula::lt(&reader, &writer)?)))
        };
        let useful = |d: &Dependence| {
            let (writer, reader) = step(d)?;
            Some(!self.is_empty(&d.pairs.clone().and(Formula::lt(&writer, &reader)?)))
        };
        dependences.iter().all(|d| legal(d) == Some(true))
            && dependences.iter().any(|d| useful(d) == Some(true))
    }

    /// The item that computes a piece whose loops are all there, but for those that fix
    /// what its steps left open.
    pub fn nest(&mut self, p: &Placed, steps: &dyn Steps) -> Item {
        let mut p = p.clone();
        let mut loops = Vec::new();
        while let Some(i) = open_iter(&p) {
            let name = self.graph.assigns[p.id].space.iters[i].clone();
            let var = self.loop_vars.push(name);
            let (lo, hi) = self.range_of(&p, i);
            p.bound.push((i, Affine::iter(var)));
            p.tested.push(i);
            if settle(&mut p).is_none() {
                unreachable!("coefficients of steps are small");
            }
            loops.push((var, lo, hi));
        }
        let Placed { id, bound, tested, when, pushed, .. } = p;
        let continues = pushed || steps.continues(id);
        let nest = Item::Nest(Nest { assign: id, bound, tested, when, continues });
        loops.into_iter().rev().fold(nest, |inner, (var, lo, hi)| {
            let (descending, parallel, body) = (false, true, vec![inner]);
            Item::Loop(TimeLoop { var, lo, hi, within: None, descending, parallel, body })
        })
    }

    /// The range of an iterator over loop variables, or one that holds it.
    fn range_of(&self, p: &Placed, i: Iter) -> (Affine, Affine) {
        let range = self.graph.assigns[p.id].space.range(i).expect("a step is over ranges");
        let outer = |a: &Affine| {
            let all = a.iters().iter().all(|&i| p.fixes(i));
            all.then(|| a.compose(&p.renaming())).flatten()
        };
        let hull = self.hull(p, &Affine::iter(i));
        match (outer(&range.lo), outer(&range.hi), hull) {
            (Some(lo), Some(hi), _) => (lo, hi),
            (lo, hi, Some((least, end))) => {
                (lo.unwrap_or(Affine::fixed(least)), hi.unwrap_or(Affine::fixed(end)))
            }
            _ => unreachable!("rows were found bounded"),
        }
    }
}

/// An iterator that several open ones decide together.
fn open_iter(p: &Placed) -> Option<Iter> {
    p.pending.first()?.0.iters().into_iter().find(|&i| !p.fixes(i))
}

/// Fixes iterators that are the only open one of some step; `None` on overflow.
pub(crate) fn settle(p: &mut Placed) -> Option<()> {
    while let Some(at) = p.pending.iter().position(|(term, _)| open(p, term).len() <= 1) {
        let (term, var) = p.pending.remove(at);
        match open(p, &term).as_slice() {
            [i] => fix(p, &term, var, *i)?,
            _ => {
                let value = term.compose(&p.renaming())?;
                let term = Affine::iter(var).minus(&value)?;
                p.when.push(Constraint { term, relation: Relation::Zero });
            }
        }
    }
    Some(())
}

fn open(p: &Placed, term: &Affine) -> Vec<Iter> {
    term.iters().into_iter().filter(|&i| !p.fixes(i)).collect()
}

/// Gives `i`, the only open iterator of `term`, the value with which `term` is `var`.
fn fix(p: &mut Placed, term: &Affine, var: LoopVar, i: Iter) -> Option<()> {
    let c = term.coefficient(i);
    let rest = term.minus(&Affine::iter(i).scaled(c)?)?.compose(&p.renaming())?;
    let scaled = Affine::iter(var).minus(&rest)?.scaled(c.signum())?;
    let by = Size::constant(c.abs());
    if c.abs() != 1 {
        let term = scaled.modulo(&by);
        p.when.push(Constraint { term, relation: Relation::Zero });
    }
    p.bound.push((i, scaled.floor_div(&by)));
    p.tested.push(i);
    Some(())
}
