//! Cells that need each other, found by looking at all cells for a few small extents.
//!
//! Only reads that are certain count: under no condition on data, through no computed
//! index. So what is found is a fault of the program, shown as its reader can follow it.

use crate::no_order::Example;
use crate::order::Orderer;
use crate::placed::Placed;
use crate::routine::name_of;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use weft_base::scc::components;
use weft_depend::Read;
use weft_domain::{Affine, Formula, Iter, Range};
use weft_shape::{Param, Size};
use weft_tensor::{AssignId, TensorId};

/// Instances that are looked at for one choice of extents.
const MAX_INSTANCES: usize = 4000;

/// Points that are visited for one choice of extents.
const MAX_VISITS: usize = 400_000;

/// Extents that parameters without a value are given, one after the other.
const EXTENTS: [i64; 5] = [3, 4, 6, 2, 9];

/// Values of the program that are small enough to be tried.
const MAX_DEFAULT: i64 = 40;

type Values = BTreeMap<Param, i64>;

/// Instances and their reads, for given extents.
#[derive(Default)]
struct Cells {
    instances: Vec<(AssignId, Vec<i64>)>,
    at: BTreeMap<(TensorId, Vec<i64>), usize>,
    /// Per instance those it reads, each with the read.
    needs: Vec<Vec<(usize, usize)>>,
}

impl Orderer<'_> {
    /// A cell that needs itself, through others perhaps.
    pub fn example(&self, members: &[Placed]) -> Option<Example> {
        let open = self.open_params(members);
        // The values that the program has, where they are small, and then some for all.
        let own = |p: &Param| {
            let default = self.graph.params[*p].default?;
            (default <= MAX_DEFAULT).then_some((*p, default))
        };
        let own: Option<Values> = open.iter().map(own).collect();
        let within = |p: &Param, wanted: i64| {
            let (lo, hi) = self.graph.facts.param_bounds(*p);
            let raised = wanted.max(lo.unwrap_or(0));
            (*p, hi.map_or(raised, |hi| raised.min(hi)))
        };
        let some = EXTENTS.iter().map(|&n| open.iter().map(|p| within(p, n)).collect());
        let choices = if open.is_empty() { 1 } else { EXTENTS.len() + 1 };
        own.into_iter().chain(some).take(choices).find_map(|values: Values| {
            let cells = self.cells(members, &values);
            let cycle = cells.shortest_cycle()?;
            Some(self.shown(&cells, &cycle, &values))
        })
    }

    fn open_params(&self, members: &[Placed]) -> BTreeSet<Param> {
        let mut found = BTreeSet::new();
        for p in members {
            let a = &self.graph.assigns[p.id];
            let ranges = a.space.ranges.iter().flat_map(|r| [&r.lo, &r.hi]);
            found.extend(ranges.flat_map(Affine::params));
            found.extend(a.space.guards.iter().flat_map(|g| g.term.params()));
            let reads = self.pieces.get(p.id).reads.iter();
            let conditions = reads.clone().filter_map(|r| r.when.as_ref());
            found.extend(conditions.flat_map(Formula::constraints).flat_map(|c| c.term.params()));
            found.extend(reads.flat_map(|r| &r.index).flat_map(Affine::params));
        }
        found
    }

    fn cells(&self, members: &[Placed], values: &Values) -> Cells {
        let mut cells = Cells::default();
        let mut left = MAX_VISITS;
        for p in members {
            let mut near = MAX_INSTANCES;
            let piece = self.pieces.get(p.id);
            let a = &self.graph.assigns[p.id];
            let ranges: Vec<&Range> =
                a.space.ranges.iter().filter(|r| piece.cells.contains(&r.iter)).collect();
            let Some(domain) = &piece.domain else { continue };
            let mut walk = Walk { values, at: BTreeMap::new(), left: &mut near };
            walk.points(&ranges, domain, &mut |walk| {
                let cell = walk.cell(&piece.write);
                if let Some(cell) = cell.filter(|_| cells.instances.len() < MAX_INSTANCES) {
                    let point = piece.cells.iter().map(|i| walk.at[i]).collect();
                    cells.at.insert((piece.target, cell), cells.instances.len());
                    cells.instances.push((p.id, point));
                }
            });
        }
        for (id, point) in cells.instances.clone() {
            let mut needs = Vec::new();
            for r in self.pieces.get(id).reads.iter().filter(|r| r.certain) {
                self.reads_of(id, &point, r, values, &mut left, &mut |cell| {
                    let found = cells.at.get(&(r.tensor, cell));
                    needs.extend(found.map(|&to| (to, self.read_number(id, r))));
                });
            }
            needs.sort_unstable();
            needs.dedup_by_key(|n| n.0);
            cells.needs.push(needs);
        }
        cells
    }

    /// Every cell that an instance reads by `r`.
    fn reads_of(
        &self,
        id: AssignId,
        point: &[i64],
        r: &Read,
        values: &Values,
        left: &mut usize,
        found: &mut dyn FnMut(Vec<i64>),
    ) {
        let piece = self.pieces.get(id);
        let Some(when) = &r.when else { return };
        let mut walk = Walk {
            values,
            at: piece.cells.iter().copied().zip(point.iter().copied()).collect(),
            left,
        };
        let mentioned: BTreeSet<Iter> =
            when.constraints().iter().flat_map(|c| c.term.iters()).collect();
        let hidden = |r: &&Range| !piece.cells.contains(&r.iter) && mentioned.contains(&r.iter);
        let ranges: Vec<&Range> = piece.scope.ranges.iter().filter(hidden).collect();
        walk.points(&ranges, when, &mut |walk| {
            if let Some(cell) = walk.cell(&r.index) {
                found(cell);
            }
        });
    }

    fn read_number(&self, id: AssignId, r: &Read) -> usize {
        let reads = &self.pieces.get(id).reads;
        reads.iter().position(|x| x.expr == r.expr).expect("the read is one of the piece")
    }

    /// The cycle in words, and the read that begins it.
    fn shown(&self, cells: &Cells, cycle: &[usize], values: &Values) -> Example {
        let named = |at: &&usize| {
            let target = self.pieces.get(cells.instances[**at].0).target;
            self.graph.tensors[target].name.is_some()
        };
        let mut shown: Vec<usize> = cycle.iter().filter(named).copied().collect();
        if shown.is_empty() {
            shown = cycle.to_vec();
        }
        // From the least cell on, so that the same program has the same example.
        let least = (0..shown.len()).min_by_key(|&n| shown[n]).unwrap_or(0);
        shown.rotate_left(least);
        let names: Vec<String> = shown.iter().map(|&at| self.cell_name(cells, at)).collect();
        let why = match names.as_slice() {
            [one] => format!("{one} needs itself"),
            [first, rest @ ..] if rest.len() <= MAX_SHOWN => {
                format!("{first} needs {}, which needs {first}", rest.join(", which needs "))
            }
            [first, rest @ ..] => {
                let shown = rest[..MAX_SHOWN].join(", which needs ");
                format!("{first} needs {shown}, and so on back to {first}")
            }
            [] => String::new(),
        };
        let sizes: Vec<String> = values
            .iter()
            .map(|(p, v)| format!("`{}` is {v}", self.graph.params[*p].name))
            .collect();
        let why = if sizes.is_empty() { why } else { format!("where {}: {why}", sizes.join(", ")) };
        let at = cycle.iter().position(|at| *at == shown[0]).unwrap_or(0);
        // Through parts without a name to the read of a definition.
        let mut around = (0..cycle.len())
            .map(|n| (cycle[(at + n) % cycle.len()], cycle[(at + n + 1) % cycle.len()]));
        let (from, to) =
            around.find(|(_, to)| shown.contains(to)).unwrap_or((cycle[at], cycle[at]));
        let read = cells.needs[from].iter().find(|n| n.0 == to);
        Example {
            tensor: self.pieces.get(cells.instances[shown[0]].0).target,
            reader: cells.instances[from].0,
            read: read.map_or(0, |(_, r)| *r),
            why,
        }
    }

    fn cell_name(&self, cells: &Cells, at: usize) -> String {
        let (id, point) = &cells.instances[at];
        let piece = self.pieces.get(*id);
        let cell = cells.at.iter().find(|(_, n)| **n == at).map(|((_, cell), _)| cell);
        let parts: Vec<String> = cell.unwrap_or(point).iter().map(i64::to_string).collect();
        let name = name_of(self.graph, piece.target);
        if parts.is_empty() {
            format!("`{name}`")
        } else {
            format!("`{name}[{}]`", parts.join(", "))
        }
    }
}

/// Cells of a cycle that are shown behind the first.
const MAX_SHOWN: usize = 3;

impl Cells {
    /// The instances of a shortest cycle, each needing the next.
    fn shortest_cycle(&self) -> Option<Vec<usize>> {
        let next = |v: usize| self.needs[v].iter().map(|n| n.0).collect();
        let cyclic = components(self.needs.len(), &next)
            .into_iter()
            .filter(|c| c.len() > 1 || self.needs[c[0]].iter().any(|n| n.0 == c[0]));
        let starts = cyclic.map(|c| c[0]).take(MAX_STARTS);
        starts.filter_map(|start| self.way_back(start)).min_by_key(Vec::len)
    }

    fn way_back(&self, start: usize) -> Option<Vec<usize>> {
        let mut from: BTreeMap<usize, usize> = BTreeMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(v) = queue.pop_front() {
            for &(to, _) in &self.needs[v] {
                if to == start {
                    let mut cycle = vec![v];
                    while *cycle.last()? != start {
                        cycle.push(from[cycle.last()?]);
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                if let std::collections::btree_map::Entry::Vacant(new) = from.entry(to) {
                    new.insert(v);
                    queue.push_back(to);
                }
            }
        }
        None
    }
}

/// Components of which a cycle is looked for.
const MAX_STARTS: usize = 8;

/// A walk over nested ranges, with values for parameters and iterators.
struct Walk<'w> {
    values: &'w Values,
    at: BTreeMap<Iter, i64>,
    left: &'w mut usize,
}

impl Walk<'_> {
    /// Visits the points of the ranges at which the formula holds.
    fn points(&mut self, ranges: &[&Range], when: &Formula, visit: &mut dyn FnMut(&mut Self)) {
        let Some((first, rest)) = ranges.split_first() else {
            if when.holds(&|a| self.value(a)) == Some(true) {
                visit(self);
            }
            return;
        };
        let (Some(lo), Some(hi)) = (self.value(&first.lo), self.value(&first.hi)) else { return };
        for x in lo..hi {
            let Some(left) = self.left.checked_sub(1) else { break };
            *self.left = left;
            self.at.insert(first.iter, x);
            self.points(rest, when, visit);
        }
        self.at.remove(&first.iter);
    }

    fn value(&self, a: &Affine) -> Option<i64> {
        if a.iters().iter().any(|i| !self.at.contains_key(i)) {
            return None;
        }
        let size = |s: &Size| s.eval(&|p| self.values.get(&p).copied());
        a.eval(&|i| self.at[&i], &size)
    }

    fn cell(&self, terms: &[Affine]) -> Option<Vec<i64>> {
        terms.iter().map(|t| self.value(t)).collect()
    }
}
