//! Dependences between pieces: who reads what, at which distance, and whether two
//! accesses can meet.

use crate::bounds::{Ends, Scope};
use crate::conditions::{self, passed_on_the_way_to, same_value, terms_of};
use crate::reads::reads;
use crate::relation;
use crate::routine::LoopVar;
use std::borrow::Cow;
use weft_base::entity::{EntityRef, SecondaryMap};
use weft_domain::{Affine, Constraint, Dim, Formula, Iter, Range, Relation};
use weft_shape::Facts;
use weft_tensor::{AssignId, ExprId, Graph, IndexTerm, TensorId};

/// What ordering needs to know of one assignment.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// The tensor it writes.
    pub target: TensorId,
    /// The write terms; `None` for piecewise ones.
    pub write: Vec<Option<Affine>>,
    /// Its iterators' ranges.
    pub scope: Scope,
    /// The iterators that its write terms mention: a point of them is one instance, which
    /// reduces over all others.
    pub cells: Vec<Iter>,
    /// Where there is an instance; `None` where that cannot be said.
    pub domain: Option<Formula>,
    /// What it reads.
    pub reads: Vec<Read>,
}

/// A read: its node, what, and where.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub expr: ExprId,
    pub tensor: TensorId,
    /// One term per axis; `None` for piecewise ones. A computed index is an iterator of
    /// the piece's scope that ranges over the axis: a check keeps it there.
    pub index: Vec<Option<Affine>>,
    /// Terms that are not negative where the read is evaluated.
    pub known: Vec<Affine>,
    /// All that holds where it is evaluated; `None` where that cannot be said.
    pub when: Option<Formula>,
    /// Whether `when` is all there is to it: no data decide whether it is evaluated.
    pub certain: bool,
    /// Whether some index is data.
    pub is_computed: bool,
}

impl Read {
    /// Whether every index is linear but for computed ones, sizes being linear too.
    pub fn is_affine(&self) -> bool {
        let linear = |a: &Affine| {
            let by = |d: &Dim| match d {
                Dim::Iter(_) => true,
                Dim::Div(_, by) | Dim::Mod(_, by) => by.as_constant().is_some(),
            };
            a.terms().iter().all(|(d, _)| by(d))
        };
        self.index.iter().all(|a| a.as_ref().is_some_and(linear))
    }
}

/// The pieces of a graph by id.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces {
    known: SecondaryMap<AssignId, Option<Piece>>,
}

impl Pieces {
    /// Describes every piece of the given tensors.
    pub fn compute(graph: &Graph, tensors: impl Iterator<Item = TensorId>) -> Pieces {
        let mut known = SecondaryMap::new();
        for t in tensors {
            for &id in graph.pieces(t) {
                known[id] = Some(Piece::compute(graph, id));
            }
        }
        Pieces { known }
    }

    /// The piece `id`. Panics for one that was not described.
    pub fn get(&self, id: AssignId) -> &Piece {
        self.known[id].as_ref().expect("only live pieces are ordered")
    }

    /// All described pieces, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (AssignId, &Piece)> {
        self.known.iter().filter_map(|(id, p)| Some((id, p.as_ref()?)))
    }
}

impl Piece {
    fn compute(graph: &Graph, id: AssignId) -> Piece {
        let a = &graph.assigns[id];
        let write = a.write.iter().map(|t| t.as_affine().cloned()).collect();
        let (cells, domain) = (relation::cells(a), relation::domain(a));
        let scope = Scope::of(a);
        let mut piece = Piece { target: a.target, write, scope, cells, domain, reads: Vec::new() };
        let mut fresh = a.space.iters.len();
        for r in reads(a) {
            let mut computed: Vec<(ExprId, Iter)> = Vec::new();
            let mut index = Vec::new();
            for (term, extent) in r.index.iter().zip(graph.shape(r.tensor)) {
                index.push(match term {
                    IndexTerm::Affine(x) => Some(x.clone()),
                    IndexTerm::Piecewise(_) => None,
                    IndexTerm::Data(e) => {
                        let iter = Iter::new(fresh);
                        fresh += 1;
                        let (lo, hi) = (Affine::fixed(0), Affine::fixed(extent.clone()));
                        piece.scope.ranges.push(Range { iter, lo, hi });
                        computed.push((*e, iter));
                        Some(Affine::iter(iter))
                    }
                });
            }
            let data = |e: ExprId| computed.iter().find(|(x, _)| same_value(a, *x, e)).map(|x| x.1);
            let is_non_negative = |x: &Affine| piece.scope.at_least(x, 0, &graph.facts);
            let known = conditions::Facts { data: &data, is_non_negative: &is_non_negative };
            let passed = passed_on_the_way_to(a, r.expr, &known);
            let known = terms_of(&passed.conditions);
            let ranges = &piece.scope.ranges[piece.scope.ranges.len() - computed.len()..];
            let when = relation::when(a, &passed, ranges);
            let is_computed = !computed.is_empty();
            let certain = passed.exact && !is_computed && !relation::stops_early(a);
            let (expr, tensor) = (r.expr, r.tensor);
            piece.reads.push(Read { expr, tensor, index, known, when, certain, is_computed });
        }
        piece
    }

    /// The scope where a read is evaluated.
    pub fn scope_at(&self, r: &Read) -> Cow<'_, Scope> {
        if r.known.is_empty() {
            return Cow::Borrowed(&self.scope);
        }
        let mut scope = self.scope.clone();
        scope.guards.extend(r.known.iter().cloned());
        Cow::Owned(scope)
    }

    /// The scope of its instances: a sum writes its cell also where a guard leaves out every
    /// term.
    fn scope_of_instances(&self) -> Cow<'_, Scope> {
        let of_cells = |g: &Affine| g.iters().iter().all(|i| self.cells.contains(i));
        if self.scope.guards.iter().all(of_cells) {
            return Cow::Borrowed(&self.scope);
        }
        let mut scope = self.scope.clone();
        scope.guards.retain(of_cells);
        Cow::Owned(scope)
    }
}

/// How far a read lies from the point that reads it, along the time axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Distance {
    /// Bounds of `read index - time of the reader`.
    pub least: Option<i128>,
    /// See `least`.
    pub most: Option<i128>,
}

impl Distance {
    /// Of a read at index `at` at a point whose time is `time`.
    pub fn compute(scope: &Scope, at: &Affine, time: &Affine, facts: &Facts) -> Distance {
        let Some(d) = at.minus(time) else { return Distance { least: None, most: None } };
        if let Some(n) = d.as_constant() {
            // Also where there are no points, and what is known contradicts itself.
            return Distance { least: Some(n.into()), most: Some(n.into()) };
        }
        let ends = Ends::new(scope);
        Distance { least: ends.size_lower(&d, facts), most: ends.size_upper(&d, facts) }
    }

    /// The one value it has.
    pub fn constant(self) -> Option<i128> {
        (self.least == self.most).then_some(self.least).flatten()
    }

    /// Whether the cell read is never later in the direction of the loop.
    pub fn is_ordered(self, descending: bool) -> bool {
        match descending {
            false => self.most.is_some_and(|n| n <= 0),
            true => self.least.is_some_and(|n| n >= 0),
        }
    }

    /// Whether the cell read belongs to an earlier step of the loop.
    pub fn is_carried(self, descending: bool) -> bool {
        match descending {
            false => self.most.is_some_and(|n| n < 0),
            true => self.least.is_some_and(|n| n > 0),
        }
    }
}

/// A write term solved for a given index.
pub(crate) enum Solved {
    /// The iterator has this value.
    Iter(Iter, Affine),
    /// The index must fulfil this.
    Fixed(Constraint),
}

/// Solves `term == index` for the one iterator of `term`.
pub(crate) fn solve(term: &Affine, index: &Affine) -> Option<Solved> {
    if term.terms().is_empty() {
        return Some(Solved::Fixed(Constraint {
            term: index.minus(term)?,
            relation: Relation::Zero,
        }));
    }
    let (iter, sign) = unit_iter(term)?;
    let rest = term.minus(&Affine::iter(iter).scaled(sign)?)?;
    Some(Solved::Iter(iter, index.minus(&rest)?.scaled(sign)?))
}

/// The iterator of a term `±i + offset`.
pub(crate) fn unit_iter(term: &Affine) -> Option<(Iter, i64)> {
    match (term.terms(), term.iters().as_slice()) {
        ([(_, c)], [i]) if c.abs() == 1 && term.coefficient(*i) == *c => Some((*i, *c)),
        _ => None,
    }
}

/// A piece under time loops that fix some of its iterators.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub id: AssignId,
    pub bound: Vec<(Iter, Affine)>,
    pub tested: Vec<Iter>,
    pub when: Vec<Constraint>,
    /// The step at which each loop around it runs an instance, outermost first.
    pub rows: Vec<Affine>,
    /// Steps that fix no iterator yet: the term is to have the loop variable's value.
    pub pending: Vec<(Affine, LoopVar)>,
    /// Whether a loop around it pushes its terms.
    pub pushed: bool,
}

impl Placed {
    /// Outside all loops.
    pub fn free(id: AssignId) -> Placed {
        Placed {
            id,
            bound: Vec::new(),
            tested: Vec::new(),
            when: Vec::new(),
            rows: Vec::new(),
            pending: Vec::new(),
            pushed: false,
        }
    }

    /// Whether a loop around it gives an iterator its value.
    pub fn fixes(&self, i: Iter) -> bool {
        self.bound.iter().any(|(b, _)| *b == i)
    }

    /// Iterators as terms over loop variables, free ones moved behind `base`.
    pub fn renaming(&self, base: usize) -> impl Fn(Iter) -> Affine + use<'_> {
        move |i| match self.bound.iter().find(|(b, _)| *b == i) {
            Some((_, term)) => term.clone(),
            None => Affine::iter(Iter::new(base + i.as_u32() as usize)),
        }
    }
}

/// Names for the iterators of two pieces beside loop variables; far above any of them.
const READER: usize = 1 << 20;
const WRITER: usize = 1 << 24;

/// Whether the cells that `reader` reads are surely none that `writer` writes,
/// both at the same step of the loops around them.
pub(crate) fn never_meet(
    reader: &Placed,
    read: &Read,
    writer: &Placed,
    pieces: &Pieces,
    facts: &Facts,
) -> bool {
    let (from, to) = (reader.renaming(READER), writer.renaming(WRITER));
    let scopes = || {
        // Loop variables have one value for both: they are no ranges to be eliminated.
        let is_free = |i: Iter| i.as_u32() as usize >= READER;
        let mut scope = pieces.get(reader.id).scope_at(read).renamed(&from, &is_free)?;
        let other = pieces.get(writer.id).scope_of_instances().renamed(&to, &is_free)?;
        scope.ranges.extend(other.ranges);
        scope.guards.extend(other.guards);
        for c in reader.when.iter().chain(&writer.when) {
            scope.add_guard(c);
        }
        Some(scope)
    };
    let Some(scope) = scopes() else { return false };
    let ends = Ends::new(&scope);
    let apart = |r: &Affine, w: &Affine| {
        let d = r.compose(&from)?.minus(&w.compose(&to)?)?;
        Some(ends.at_most(&d, -1, facts) || ends.at_least(&d, 1, facts))
    };
    read.index.iter().zip(&pieces.get(writer.id).write).any(|(r, w)| match (r, w) {
        (Some(r), Some(w)) => apart(r, w).unwrap_or(false),
        _ => false,
    })
}
