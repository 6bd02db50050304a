//! One assignment as a statement: the instances that it has, the cells that
//! they write, and their reads with all that holds where these are evaluated.

use crate::conditions::{self, passed_on_the_way_to, terms_of};
use crate::data::Datum;
use crate::relation;
use std::borrow::Cow;
use weft_base::entity::{EntityRef, SecondaryMap};
use weft_domain::{Affine, Constraint, Dim, Formula, Iter, Range, Scope};
use weft_tensor::{
    AssignId, Assignment, Expr, ExprId, Graph, IndexTerm, TensorId, reachable, reads,
};

/// Everything an assignment's iterators range over, nested reductions included; of these the
/// ranges alone, since their guards hold inside them only.
pub fn scope_of(a: &Assignment) -> Scope {
    scope_under(a, &a.space.guards)
}

/// The same where of the assignment's guards these alone are known to hold.
pub fn scope_under<'g>(a: &Assignment, guards: impl IntoIterator<Item = &'g Constraint>) -> Scope {
    let mut scope = Scope::default();
    scope.ranges.extend(a.space.ranges.iter().cloned());
    guards.into_iter().for_each(|g| scope.add_guard(g));
    // Users come after operands, so the outer reductions are the later nodes.
    for id in reachable(a).into_iter().rev() {
        if let Expr::Reduce(r) = a.exprs.get(id) {
            scope.ranges.extend(r.ranges.iter().cloned());
        }
    }
    scope
}

/// One assignment as a statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The tensor it writes.
    pub target: TensorId,
    /// The write terms.
    pub write: Vec<Affine>,
    /// Its iterators' ranges.
    pub scope: Scope,
    /// The iterators that its write terms mention: a point of them is one instance, which
    /// reduces over all others.
    pub cells: Vec<Iter>,
    /// Where there is an instance; `None` where that cannot be said.
    pub domain: Option<Formula>,
    /// Its reads.
    pub reads: Vec<Read>,
}

/// A read: its node, what, and where.
#[derive(Clone, Debug)]
pub struct Read {
    /// The node.
    pub expr: ExprId,
    /// The tensor that is read.
    pub tensor: TensorId,
    /// One term per axis. A computed index is an iterator of
    /// the piece's scope that ranges over the axis: a check keeps it there.
    pub index: Vec<Affine>,
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
        self.index.iter().all(linear)
    }
}

/// The pieces of a graph by id.
#[derive(Clone, Debug, Default)]
pub struct Statements {
    known: SecondaryMap<AssignId, Option<Statement>>,
}

impl Statements {
    /// Describes every piece of the given tensors.
    pub fn compute(graph: &Graph, tensors: impl Iterator<Item = TensorId>) -> Statements {
        let mut known = SecondaryMap::new();
        for t in tensors {
            for &id in graph.pieces(t) {
                known[id] = Some(Statement::compute(graph, id));
            }
        }
        Statements { known }
    }

    /// The piece `id`. Panics for one that was not described.
    pub fn get(&self, id: AssignId) -> &Statement {
        self.known[id].as_ref().expect("only live pieces are ordered")
    }

    /// All described pieces, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (AssignId, &Statement)> {
        self.known.iter().filter_map(|(id, p)| Some((id, p.as_ref()?)))
    }
}

impl Statement {
    /// Describes one assignment.
    pub fn compute(graph: &Graph, id: AssignId) -> Statement {
        let a = &graph.assigns[id];
        let affine = |t: &IndexTerm| t.as_affine().expect("a write term is not computed").clone();
        let write = a.write.iter().map(affine).collect();
        let (cells, domain) = (relation::cells(a), relation::domain(a));
        let scope = scope_of(a);
        let mut piece =
            Statement { target: a.target, write, scope, cells, domain, reads: Vec::new() };
        let mut fresh = a.space.iters.len();
        for r in reads(a) {
            let mut computed: Vec<Iter> = Vec::new();
            let mut data: Vec<Datum> = Vec::new();
            let mut index = Vec::new();
            for (term, extent) in r.index.iter().zip(graph.shape(r.tensor)) {
                index.push(match term {
                    IndexTerm::Affine(x) => x.clone(),
                    IndexTerm::Data(e) => {
                        let iter = Iter::new(fresh);
                        fresh += 1;
                        let (lo, hi) = (Affine::fixed(0), Affine::fixed(extent.clone()));
                        piece.scope.ranges.push(Range { iter, lo, hi });
                        computed.push(iter);
                        data.extend(Datum::of_index(a, *e, iter));
                        Affine::iter(iter)
                    }
                });
            }
            let limits: Vec<Formula> = data.iter().filter_map(|d| d.limits(graph, a)).collect();
            let data = |e: ExprId| data.iter().find(|d| d.is(a, e)).map(|d| d.value().clone());
            let is_non_negative = |x: &Affine| piece.scope.at_least(x, 0, &graph.facts);
            let known = conditions::Facts { data: &data, is_non_negative: &is_non_negative };
            let mut passed = passed_on_the_way_to(a, r.expr, &known);
            passed.conditions.extend(limits);
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
    pub(crate) fn scope_of_instances(&self) -> Cow<'_, Scope> {
        let of_cells = |g: &Affine| g.iters().iter().all(|i| self.cells.contains(i));
        if self.scope.guards.iter().all(of_cells) {
            return Cow::Borrowed(&self.scope);
        }
        let mut scope = self.scope.clone();
        scope.guards.retain(of_cells);
        Cow::Owned(scope)
    }
}
