//! Differentials as definitions: what `print(@y)` shows.
//!
//! The tangent of a definition is the definition with each value in place of its change,
//! one definition deep: what has a name keeps it, and `@x` is a tensor without a definition.
//! These assignments are written, and never computed.
//!
//! ```text
//! y = exp(x) * w        =>   @y = exp(x) * @x * w + exp(x) * @w
//! s = sum[i](v[i] ** 2) =>   @s = sum[i](2 * v[i] * @v[i])
//! ```

use crate::accumulate::Accumulators;
use crate::build;
use crate::calls::has_influence;
use crate::copies::copied;
use crate::expand::Rule;
use crate::rules::{Side, binary, is_smooth, unary};
use crate::seed::{derived_tensor, set_covered};
use std::collections::{BTreeMap, BTreeSet};
use weft_domain::{Affine, End, Iter, Range};
use weft_scalar::{BinaryOp, ScalarType};
use weft_tensor::{
    Accumulator, AssignId, Assignment, Axis, Definition, Expr, ExprId, Exprs, Graph, IndexTerm,
    TensorId, rewrite, substitute, written_name,
};

/// Facts of the tensors of a graph whose differentials are written.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    /// The tensors that have a name where the differential is written.
    pub named: &'a BTreeSet<TensorId>,
    /// The copies that stand for differentials, with what they are copies of.
    pub live: &'a BTreeMap<TensorId, TensorId>,
    /// These copies, and what reads them.
    pub linear: &'a BTreeSet<TensorId>,
    /// Stand-ins for pieces.
    pub rules: &'a [Rule],
    /// Tensors that nothing in the graph defines: what the host computes, derivatives that
    /// are not there yet.
    pub unknown: &'a BTreeSet<TensorId>,
}

/// A differential as a tensor.
#[derive(Clone, Debug)]
pub struct Differential {
    /// Its definition is linear in the leaves.
    pub tensor: TensorId,
    /// The tensor that it is the differential of, where it is that of one tensor.
    pub of: Option<TensorId>,
    /// A differential that has a name itself, where it is that.
    pub named: Option<TensorId>,
    /// `@x`, and `x`.
    pub leaves: BTreeMap<TensorId, TensorId>,
}

/// Why a differential has no definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// A function that calls itself changes with its arguments.
    Call,
    /// It goes through what nothing in the graph defines.
    Unknown,
    /// It goes through what has no rule.
    Rule,
    /// It goes through more definitions without a name than anybody would read.
    Deep,
}

/// The definition of a differential. `root` reads live copies; it is linear in them.
///
/// # Errors
///
/// Why there is none.
pub fn differential(
    graph: &mut Graph,
    root: TensorId,
    sight: Sight<'_>,
) -> Result<Differential, Undefined> {
    let hides = sight.rules.iter().filter_map(|r| Some((r.stands_in.target, r.hides?))).collect();
    let ruled = sight.rules.iter().filter(|r| r.hides.is_none());
    let rules = ruled.map(|r| (r.piece, r.stands_in.clone())).collect();
    let (tangents, opened, mapped) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let (leaves, accumulators, depth) = (BTreeMap::new(), Accumulators::default(), 0);
    let mut work =
        Work { sight, hides, rules, tangents, opened, mapped, leaves, accumulators, depth };
    let (tensor, of, named) = work.root(graph, root)?;
    Ok(Differential { tensor, of, named, leaves: work.leaves })
}

struct Work<'a> {
    sight: Sight<'a>,
    /// Tensors that copies hide.
    hides: BTreeMap<TensorId, TensorId>,
    /// The differentials of pieces that have a rule.
    rules: BTreeMap<AssignId, Assignment>,
    tangents: BTreeMap<TensorId, Option<TensorId>>,
    /// The tangents of tensors with a name, where their definition is wanted.
    opened: BTreeMap<TensorId, TensorId>,
    /// Linear tensors over tangents; those in which names are opened, and those of rules.
    mapped: BTreeMap<(TensorId, bool), TensorId>,
    leaves: BTreeMap<TensorId, TensorId>,
    accumulators: Accumulators,
    /// How many definitions within each other are under way.
    depth: usize,
}

/// Definitions without a name within each other: a text goes through fewer.
const DEEPEST: usize = 64;

/// A tensor, and what it is the differential of, or which one it is by its own name.
type Root = (TensorId, Option<TensorId>, Option<TensorId>);

impl Work<'_> {
    /// The differential that is written: behind plain copies, the definition of one tensor.
    fn root(&mut self, graph: &mut Graph, root: TensorId) -> Result<Root, Undefined> {
        let mut at = root;
        while let [p] = graph.pieces(at)
            && let Some(source) = copied(graph, *p)
        {
            if let Some(of) = self.sight.live.get(&source).copied() {
                return Ok((self.open(graph, of)?, Some(of), None));
            }
            at = source;
        }
        let named = (at != root && self.sight.named.contains(&at)).then_some(at);
        Ok((self.map(graph, at, true)?, None, named))
    }

    /// The definition of a tensor's change, whether it has a name or not; that of what is
    /// given is its name.
    fn open(&mut self, graph: &mut Graph, of: TensorId) -> Result<TensorId, Undefined> {
        if let Some(t) = self.opened.get(&of) {
            return Ok(*t);
        }
        let source = self.behind_copies(graph, of);
        let tangent = derived_tensor(graph, source, &[]);
        self.opened.insert(of, tangent);
        match is_given(graph, source) {
            true => {
                let leaf = self.tangent(graph, of)?;
                if let Some(leaf) = leaf {
                    copy(graph, tangent, leaf);
                }
            }
            false => self.define(graph, source, tangent)?,
        }
        Ok(tangent)
    }

    /// The tensor that this is a plain copy of, if that has no name.
    fn behind_copies(&self, graph: &Graph, of: TensorId) -> TensorId {
        let mut t = of;
        while let [p] = graph.pieces(t)
            && !self.rules.contains_key(p)
            && let Some(source) = copied(graph, *p)
            && !self.sight.named.contains(&source)
            && !is_given(graph, source)
        {
            t = source;
        }
        t
    }

    /// The change of a tensor; none where it does not change.
    fn tangent(&mut self, graph: &mut Graph, t: TensorId) -> Result<Option<TensorId>, Undefined> {
        if let Some(known) = self.tangents.get(&t) {
            return Ok(*known);
        }
        if !is_smooth(graph.tensors[t].elem) {
            return Ok(None);
        }
        let is_leaf = self.is_leaf(graph, t)?;
        if !is_leaf && is_given(graph, t) {
            self.tangents.insert(t, None);
            return Ok(None);
        }
        let tangent = derived_tensor(graph, t, &[]);
        if is_leaf {
            self.leaves.insert(tangent, t);
        } else {
            self.define(graph, t, tangent)?;
        }
        let changes = is_leaf || !graph.pieces(tangent).is_empty();
        let found = changes.then_some(tangent);
        self.tangents.insert(t, found);
        Ok(found)
    }

    /// Whether a tensor is called by its name: it is in sight, or is given or defined in
    /// parts, or by itself.
    fn is_leaf(&self, graph: &Graph, t: TensorId) -> Result<bool, Undefined> {
        if self.sight.named.contains(&t) {
            return Ok(true);
        }
        if self.sight.unknown.contains(&t) {
            return Err(Undefined::Unknown);
        }
        let by_name = match &graph.tensors[t].definition {
            Definition::Input => true,
            Definition::Constant(_) => false,
            Definition::Assigned { pieces, .. } => {
                pieces.len() > 1 || (!pieces.is_empty() && feeds_itself(graph, t))
            }
        };
        if by_name && graph.tensors[t].name.is_none() {
            Err(Undefined::Unknown)
        } else {
            Ok(by_name)
        }
    }

    /// Gives a tangent the pieces that change.
    fn define(
        &mut self,
        graph: &mut Graph,
        t: TensorId,
        tangent: TensorId,
    ) -> Result<(), Undefined> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Undefined::Deep);
        }
        for p in graph.pieces(t).to_vec() {
            let made = match self.rules.get(&p).cloned() {
                Some(rule) => self.over_tangents(graph, rule, false)?,
                None => self.changed(graph, p)?,
            };
            if let Some(made) = made {
                graph.assign(Assignment { target: tangent, ..made });
            }
        }
        set_covered(graph, tangent, true);
        self.depth -= 1;
        Ok(())
    }

    /// A linear tensor over tangents in place of live copies.
    fn map(&mut self, graph: &mut Graph, t: TensorId, opens: bool) -> Result<TensorId, Undefined> {
        if let Some(known) = self.mapped.get(&(t, opens)) {
            return Ok(*known);
        }
        let mapped = derived_tensor(graph, t, &[]);
        self.mapped.insert((t, opens), mapped);
        for p in graph.pieces(t).to_vec() {
            let piece = graph.assigns[p].clone();
            if let Some(made) = self.over_tangents(graph, piece, opens)? {
                graph.assign(Assignment { target: mapped, ..made });
            }
        }
        Ok(mapped)
    }

    /// A piece of a linear tensor, over tangents; none where it reads none.
    fn over_tangents(
        &mut self,
        graph: &mut Graph,
        a: Assignment,
        opens: bool,
    ) -> Result<Option<Assignment>, Undefined> {
        let mut changes = false;
        let mut instead: BTreeMap<(TensorId, Vec<IndexTerm>), Option<TensorId>> = BTreeMap::new();
        for e in a.exprs.ids() {
            let Expr::Read { tensor, index, .. } = a.exprs.get(e) else { continue };
            let (live, hidden) = (self.sight.live.get(tensor), self.hides.get(tensor));
            let is_linear = hidden.is_none() && self.sight.linear.contains(tensor);
            let known = match (live.copied(), hidden) {
                (Some(of), _) if opens && self.opens(graph, of, index, &a) => {
                    let opened = self.open(graph, of)?;
                    (!graph.pieces(opened).is_empty()).then_some(opened)
                }
                (Some(of), _) => self.tangent(graph, of)?,
                (None, Some(hidden)) => Some(*hidden),
                (None, None) if !self.sight.linear.contains(tensor) => Some(*tensor),
                (None, None) if self.sight.named.contains(tensor) => {
                    self.leaves.insert(*tensor, *tensor);
                    Some(*tensor)
                }
                (None, None) => {
                    let mapped = self.map(graph, *tensor, opens)?;
                    (!graph.pieces(mapped).is_empty()).then_some(mapped)
                }
            };
            changes |= is_linear && known.is_some();
            instead.insert((*tensor, index.clone()), known);
        }
        // Data indices come with new ids: by the tensor alone where they differ.
        let of = |t: TensorId, index: &[IndexTerm]| {
            let exact = instead.get(&(t, index.to_vec())).copied();
            exact.or_else(|| instead.iter().find(|((own, _), _)| *own == t).map(|(_, to)| *to))
        };
        let roots: Vec<ExprId> = a.mask.into_iter().chain([a.body]).collect();
        let (exprs, roots) = rewrite(&a.exprs, &roots, &mut |into, node, ty| match node {
            Expr::Read { tensor, index, site } => match of(tensor, &index) {
                Some(Some(tensor)) => into.add(Expr::Read { tensor, index, site }, ty),
                Some(None) => build::zero(into, ty),
                None => into.add(Expr::Read { tensor, index, site }, ty),
            },
            other => into.add(other, ty),
        });
        let body = *roots.last().expect("the body is a root");
        let mask = a.mask.map(|_| roots[0]);
        Ok(changes.then_some(Assignment { exprs, body, mask, ..a }))
    }

    /// Whether a name stands for its definition where it is read: as a whole, and not where
    /// that is in clauses.
    fn opens(&self, graph: &Graph, of: TensorId, index: &[IndexTerm], a: &Assignment) -> bool {
        let anonymous = |i: Iter| written_name(&a.space, i).is_none();
        let whole =
            index.iter().all(|t| t.as_affine().and_then(Affine::as_iter).is_some_and(anonymous));
        let plain = |p: &AssignId| {
            let piece = &graph.assigns[*p];
            piece.written().iter().all(|i| written_name(&piece.space, *i).is_none())
        };
        whole && matches!(graph.pieces(self.behind_copies(graph, of)), [p] if plain(p))
    }

    /// The change of a piece; none where it does not change.
    fn changed(&mut self, graph: &mut Graph, p: AssignId) -> Result<Option<Assignment>, Undefined> {
        let mut work = graph.assigns[p].clone();
        let product = matches!(work.accumulator, Accumulator::Prod | Accumulator::ExactProd(_));
        let share = match product {
            true => None,
            false => match self.accumulators.share(graph, p, &mut work) {
                Ok(share) => Some(share),
                Err(_) => return Ok(None),
            },
        };
        let Some(change) = self.change(graph, &mut work)? else { return Ok(None) };
        let (factor, mask) = match share {
            Some(share) => (share.factor, share.mask),
            None => (Some(others(graph, &mut work).ok_or(Undefined::Rule)?), work.mask),
        };
        let exprs = &mut work.exprs;
        let body = factor.map_or(change, |f| exprs.binary(BinaryOp::Mul, f, change));
        let body = exprs.cast(graph.tensors[work.target].elem, body);
        let accumulator = match work.accumulator {
            Accumulator::Set => Accumulator::Set,
            _ => Accumulator::Sum,
        };
        Ok(Some(Assignment { body, mask, accumulator, ..work }))
    }

    /// The change of a body: of each node, where it changes.
    fn change(
        &mut self,
        graph: &mut Graph,
        work: &mut Assignment,
    ) -> Result<Option<ExprId>, Undefined> {
        let mut needed = BTreeSet::new();
        let mut stack = vec![work.body];
        while let Some(e) = stack.pop() {
            if needed.insert(e) {
                stack.extend(work.exprs.get(e).operands());
            }
        }
        let mut changes: BTreeMap<ExprId, ExprId> = BTreeMap::new();
        for e in needed {
            if !is_smooth(work.exprs.ty(e)) {
                continue;
            }
            let change = match work.exprs.get(e).clone() {
                Expr::Read { tensor, index, .. } => self.tangent(graph, tensor)?.map(|tensor| {
                    let ty = work.exprs.ty(e);
                    work.exprs.add(Expr::Read { tensor, index, site: None }, ty)
                }),
                node => change_of(graph, &mut work.exprs, e, &node, &changes)?,
            };
            if let Some(change) = change {
                changes.insert(e, change);
            }
        }
        Ok(changes.get(&work.body).copied())
    }
}

/// The change of a node whose operands change so.
fn change_of(
    graph: &Graph,
    exprs: &mut Exprs,
    e: ExprId,
    node: &Expr,
    changes: &BTreeMap<ExprId, ExprId>,
) -> Result<Option<ExprId>, Undefined> {
    let of = |x: &ExprId| changes.get(x).copied();
    Ok(match node {
        Expr::Unary(op, x) => of(x).and_then(|g| unary(exprs, *op, *x, e, g)),
        Expr::Binary(op, a, b, _) => {
            let by_a = of(a).and_then(|g| binary(exprs, *op, (*a, *b), e, g, Side::First));
            let by_b = of(b).and_then(|g| binary(exprs, *op, (*a, *b), e, g, Side::Second));
            match (by_a, by_b) {
                (Some(a), Some(b)) => Some(exprs.binary(BinaryOp::Add, a, b)),
                (one, other) => one.or(other),
            }
        }
        Expr::Cast(ty, x) => of(x).map(|g| exprs.cast(*ty, g)),
        Expr::If(c, a, b) => match (of(a), of(b)) {
            (None, None) => None,
            (a, b) => {
                let zero = build::zero(exprs, exprs.ty(e));
                Some(exprs.if_else(*c, a.unwrap_or(zero), b.unwrap_or(zero)))
            }
        },
        Expr::Check { value, .. } => of(value),
        Expr::Call { function, args } => {
            let changes = |(n, x): (usize, &ExprId)| {
                of(x).is_some() && has_influence(&graph.functions, *function, n)
            };
            if args.iter().enumerate().any(changes) {
                return Err(Undefined::Call);
            }
            None
        }
        Expr::Const(_) | Expr::Index(_) | Expr::Read { .. } | Expr::Reduce(_) => None,
    })
}

/// Whether the cells are given, and not computed from others: inputs, and literals, which may
/// be tensors without a name that are copied.
pub fn is_given(graph: &Graph, t: TensorId) -> bool {
    let literal = |t: TensorId| {
        let tensor = &graph.tensors[t];
        tensor.name.is_none() && matches!(tensor.definition, Definition::Constant(_))
    };
    let computed = |a: &Assignment| {
        let calls = a.exprs.ids().any(|e| matches!(a.exprs.get(e), Expr::Call { .. }));
        calls || !a.exprs.tensors_read().all(literal)
    };
    !graph.pieces(t).iter().any(|p| computed(&graph.assigns[*p]))
}

/// Whether a tensor is computed from itself.
fn feeds_itself(graph: &Graph, t: TensorId) -> bool {
    let mut seen = BTreeSet::new();
    let mut stack = vec![t];
    while let Some(at) = stack.pop() {
        for p in graph.pieces(at) {
            for read in graph.assigns[*p].exprs.tensors_read() {
                if read == t {
                    return true;
                }
                if seen.insert(read) {
                    stack.push(read);
                }
            }
        }
    }
    false
}

/// Defines a tensor as a copy.
fn copy(graph: &mut Graph, target: TensorId, of: TensorId) {
    crate::seed::add_up(graph, target, &[of]);
}

/// The product over all points but one, as a node of the piece: `prod[k2](… where k2 != k)`.
fn others(graph: &mut Graph, work: &mut Assignment) -> Option<ExprId> {
    let reduced = work.reduced();
    let mut space = work.space.clone();
    let mut again: BTreeMap<Iter, Iter> = BTreeMap::new();
    for k in &reduced {
        let range = work.space.range(*k)?.clone();
        let other = space.iters.push(work.space.iters[*k].clone());
        again.insert(*k, other);
        let moved = |a: &Affine| a.compose(&|i| Affine::iter(*again.get(&i).unwrap_or(&i)));
        let range = Range { iter: other, lo: moved(&range.lo)?, hi: moved(&range.hi)? };
        space.ranges.push(range);
    }
    let replace = |i: Iter| Affine::iter(*again.get(&i).unwrap_or(&i));
    for g in work.space.guards.clone() {
        let term = g.term.compose(&replace)?;
        space.guards.push(weft_domain::Constraint { term, ..g });
    }
    let mut exprs = Exprs::new();
    let roots = work.mask.into_iter().chain([work.body]);
    let moved = substitute(&work.exprs, &mut exprs, roots, &replace)?;
    let differs = |exprs: &mut Exprs, k: &Iter| {
        let (a, b) = (exprs.index(Affine::iter(again[k])), exprs.index(Affine::iter(*k)));
        exprs.binary(BinaryOp::Ne, a, b)
    };
    let tests: Vec<ExprId> = reduced.iter().map(|k| differs(&mut exprs, k)).collect();
    let either = |a, b| exprs.binary(BinaryOp::Or, a, b);
    let other_point = tests.into_iter().reduce(either)?;
    let conditions: Vec<ExprId> = work.mask.iter().map(|m| moved[m]).chain([other_point]).collect();
    let mask = build::all(&mut exprs, &conditions);
    let own = |k: &Iter| IndexTerm::from(Affine::iter(*k));
    let write: Vec<IndexTerm> = work.write.iter().cloned().chain(reduced.iter().map(own)).collect();
    let mut axes: Vec<Axis> = graph.tensors[work.target].axes.clone();
    for k in &reduced {
        let extent = work.space.bound(&work.space.range(*k)?.hi, End::Upper)?;
        axes.push(Axis { extent, name: work.space.iters[*k].clone() });
    }
    let ty: ScalarType = work.exprs.ty(work.body);
    let definition = Definition::Assigned { pieces: Vec::new(), covered: true };
    let tensor = weft_tensor::Tensor { name: None, span: None, elem: ty, axes, definition };
    let target = graph.tensors.push(tensor);
    let (accumulator, body) = (Accumulator::Prod, moved[&work.body]);
    let index = write.clone();
    graph.assign(Assignment { target, space, write, accumulator, mask, body, exprs });
    Some(work.exprs.add(Expr::Read { tensor: target, index, site: None }, ty))
}
