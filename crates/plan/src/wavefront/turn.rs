//! Tensors in diagonal coordinates: what they are made of, and who reads them.

use super::parted;
use crate::rewrite::{Import, Sub};
use std::collections::{BTreeMap, BTreeSet};
use weft_base::Name;
use weft_depend::scope_of;
use weft_domain::Scope;
use weft_domain::{Affine, Constraint, Iter, Range, Relation};
use weft_shape::{Facts, Size};
use weft_tensor::reads;
use weft_tensor::{Assignment, Expr, Exprs, Graph, IndexTerm, TensorId};

/// The diagonals of tensors of one rank: of cells with indices `…, i, j`, those with the
/// same `slope * i + j`.
pub(super) struct Turn {
    pub group: BTreeSet<TensorId>,
    pub slope: i64,
    pub rank: usize,
}

impl Turn {
    /// The graph with the group's tensors in diagonal coordinates.
    pub fn apply(&self, graph: &Graph, computed: &[TensorId]) -> Option<Graph> {
        let mut new = graph.clone();
        for &t in computed {
            for &p in graph.pieces(t) {
                let a = &graph.assigns[p];
                if self.is_own(t) || reads(a).iter().any(|r| self.is_own(r.tensor)) {
                    new.assigns[p] = self.moved(a, &graph.facts)?;
                }
            }
        }
        for &t in &self.group {
            let axes = &mut new.tensors[t].axes[self.rank - 2..];
            let (rows, columns) = (axes[0].extent.clone(), axes[1].extent.clone());
            axes[0].extent = rows.scaled(self.slope).plus(&columns);
            axes[1].extent = rows;
            axes.iter_mut().for_each(|axis| axis.name = None);
        }
        Some(new)
    }

    fn is_own(&self, t: TensorId) -> bool {
        self.group.contains(&t)
    }

    /// An assignment that writes or reads the group, in the new coordinates.
    fn moved(&self, a: &Assignment, facts: &Facts) -> Option<Assignment> {
        let along = if self.is_table() {
            self.diagonal_of_table(a)?
        } else {
            self.diagonal_of_sweep(a, facts)?
        };
        let a = match along {
            Some((down, right)) => self.by_diagonals(a, down, right)?,
            None => a.clone(),
        };
        let mut exprs = Exprs::new();
        for e in a.exprs.ids() {
            let node = match a.exprs.get(e) {
                Expr::Read { tensor, index, site } if self.is_own(*tensor) => {
                    Expr::Read { tensor: *tensor, index: self.turned(index)?, site: *site }
                }
                other => other.clone(),
            };
            exprs.add(node, a.exprs.ty(e));
        }
        let write = if self.is_own(a.target) { self.turned(&a.write)? } else { a.write.clone() };
        Some(Assignment { exprs, write, ..a })
    }

    /// Whether no axis is in front of the table's.
    fn is_table(&self) -> bool {
        self.rank == 2
    }

    fn turned(&self, index: &[IndexTerm]) -> Option<Vec<IndexTerm>> {
        let (_, [down, right]) = parted(index)?;
        let diagonal = down.scaled(self.slope)?.plus(right)?;
        let mut turned = index.to_vec();
        turned[self.rank - 2] = IndexTerm::Affine(diagonal);
        turned[self.rank - 1] = IndexTerm::Affine(down.clone());
        Some(turned)
    }

    /// The iterators down and right that an assignment runs over, where it runs over both:
    /// all it touches of the group must move alike. The inner `None` is for single rows,
    /// columns and cells.
    fn diagonal_of(&self, a: &Assignment) -> Option<Option<(Iter, Iter)>> {
        let own = self.is_own(a.target).then_some(a.write.as_slice());
        let all = reads(a);
        let read = all.iter().filter(|r| self.is_own(r.tensor)).map(|r| r.index);
        let mut found: Option<Option<(Iter, Iter)>> = None;
        for index in own.into_iter().chain(read) {
            let (_, [down, right]) = parted(index)?;
            let here = match (down.iters().as_slice(), right.iters().as_slice()) {
                ([i], [j]) if i != j => Some((plain(down, *i)?, plain(right, *j)?)),
                ([i], []) => plain(down, *i).map(|_| None)?,
                ([], [j]) => plain(right, *j).map(|_| None)?,
                ([], []) => None,
                _ => return None,
            };
            if *found.get_or_insert(here) != here {
                return None;
            }
        }
        Some(found.flatten())
    }

    /// [`Turn::diagonal_of`], where all of the table need not be stored for it.
    fn diagonal_of_table(&self, a: &Assignment) -> Option<Option<(Iter, Iter)>> {
        let found = self.diagonal_of(a)?;
        if self.is_own(a.target) {
            return Some(found);
        }
        // Whole rows from outside would keep the table whole.
        let lines = |index: &[IndexTerm]| {
            index.iter().any(|t| t.as_affine().is_none_or(|x| x.as_size().is_none()))
        };
        let keeps =
            found.is_none() && reads(a).iter().any(|r| self.is_own(r.tensor) && lines(r.index));
        // A cell of its own for each row or column would need them in another order.
        let written = a.written();
        let own_cells = found.is_some_and(|(i, j)| written.contains(&i) || written.contains(&j));
        (!keeps && !own_cells).then_some(found)
    }

    /// [`Turn::diagonal_of`] of what is done step by step. Readers outside stay as they
    /// are, and so do pieces of a single row or column: there is nothing at once.
    fn diagonal_of_sweep(&self, a: &Assignment, facts: &Facts) -> Option<Option<(Iter, Iter)>> {
        if !self.is_own(a.target) {
            return Some(None);
        }
        let found = self.diagonal_of(a)?;
        let scope = scope_of(a);
        Some(found.filter(|(i, j)| ![i, j].into_iter().any(|x| is_thin(a, &scope, *x, facts))))
    }

    /// The assignment over diagonals: `right` becomes `s - slope * down`, and `s` runs
    /// outside.
    fn by_diagonals(&self, a: &Assignment, down: Iter, right: Iter) -> Option<Assignment> {
        let (rows, columns) = (a.space.range(down)?.clone(), a.space.range(right)?.clone());
        let sizes = [&rows.lo, &rows.hi, &columns.lo, &columns.hi].map(Affine::as_size);
        let [Some(top), Some(bottom), Some(left), Some(end)] = sizes else { return None };
        let mut space = a.space.clone();
        let name = self.name_of(a, down, right);
        let diagonal = space.iters.push(Some(name));
        let across = Affine::iter(diagonal).minus(&Affine::iter(down).scaled(self.slope)?)?;
        let mut subs: BTreeMap<Iter, Sub> =
            a.space.ranges.iter().map(|r| (r.iter, Sub::Term(Affine::iter(r.iter)))).collect();
        subs.insert(right, Sub::Term(across.clone()));
        let roots: Vec<_> = a.mask.into_iter().chain([a.body]).collect();
        let mut exprs = Exprs::new();
        let mut import =
            Import::new(&a.exprs, &mut exprs, subs, &roots, &a.space.iters, &mut space.iters);
        let body = import.node(a.body)?;
        let mask = match a.mask {
            Some(m) => Some(import.node(m)?),
            None => None,
        };
        let write = a
            .write
            .iter()
            .map(|t| Some(IndexTerm::Affine(import.term(t.as_affine()?)?)))
            .collect::<Option<_>>()?;
        let mut guards: Vec<Constraint> =
            a.space.guards.iter().map(|g| import.constraint(g)).collect::<Option<_>>()?;
        let rest = a.space.ranges.iter().filter(|r| ![down, right].contains(&r.iter));
        let rest: Vec<Range> = rest.map(|r| import.range(r)).collect::<Option<_>>()?;
        let one = Size::constant(1);
        let at_least = |term: Affine| Constraint { term, relation: Relation::AtLeastZero };
        guards.push(at_least(across.minus(&columns.lo)?));
        guards.push(at_least(columns.hi.minus(&across)?.plus_size(&one.scaled(-1))));
        // From the first row's first cell to the last row's last.
        let first = Affine::fixed(top.scaled(self.slope).plus(left));
        let last = bottom.plus_const(-1).scaled(self.slope);
        let past = Affine::fixed(last.plus(end));
        let (mut ranges, reduced): (Vec<Range>, Vec<Range>) =
            rest.into_iter().partition(|r| a.written().contains(&r.iter));
        ranges.push(Range { iter: diagonal, lo: first, hi: past });
        ranges.push(Range { iter: down, lo: rows.lo, hi: rows.hi });
        ranges.extend(reduced);
        space.ranges = ranges;
        space.guards = guards;
        Some(Assignment { space, write, mask, body, exprs, ..a.clone() })
    }

    /// A name for diagonals: `2*i + j`.
    fn name_of(&self, a: &Assignment, down: Iter, right: Iter) -> Name {
        let name = |i: Iter| a.space.iters[i].as_ref().map_or("?".to_string(), Name::to_string);
        let steep = if self.slope == 1 { String::new() } else { format!("{}*", self.slope) };
        Name::new(&format!("{steep}{} + {}", name(down), name(right)))
    }
}

/// The iterator, where a term is it and a number.
fn plain(term: &Affine, iter: Iter) -> Option<Iter> {
    term.minus(&Affine::iter(iter))?.as_size().map(|_| iter)
}

/// Whether guards leave an iterator no value but its first or its last.
fn is_thin(a: &Assignment, scope: &Scope, iter: Iter, facts: &Facts) -> bool {
    let Some(range) = a.space.range(iter) else { return false };
    let beyond = |end: &Affine| Affine::iter(iter).minus(end);
    beyond(&range.lo).is_some_and(|d| scope.at_most(&d, 0, facts))
        || beyond(&range.hi).is_some_and(|d| scope.at_least(&d, -1, facts))
}
