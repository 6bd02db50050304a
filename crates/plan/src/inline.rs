//! Inline tensors: a tensor that is cheaper to compute than to store is computed inside
//! its readers, its projection composed with theirs.
//!
//! ```text
//! t[i, j] = a[j, i];  y[k] = t[k, 0] + 1   =>   y[k] = a[0, k] + 1
//! r[i] = sum[k](w[i, k] * h[k]);  y[i] = tanh(r[i])
//!     =>   y[i] = tanh(reduce sum k (w[i, k] * h[k]))
//! ```
//!
//! Transposes, slices, broadcasts, diagonals and one-hot vectors so cost an index and no
//! memory ("no views"). A body stays where the read stood, so under the same conditions,
//! and with the read's own check before it.

use crate::context::Context;
use crate::cost::{
    CHEAP, LAZY, LONG, MAX_NODES, TRIVIAL, reads_each_cell_once, wants_memory, weight,
};
use crate::recurrence_groups::find_units;
use crate::rewrite::{Import, Index, Sub, as_i64};
use crate::routine::name_of;
use crate::storage::is_covered;
use std::collections::{BTreeMap, BTreeSet};
use weft_base::entity::SecondaryMap;
use weft_depend::{is_scatter, unit_iter};
use weft_domain::{Affine, Constraint, Iter, Relation};
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_shape::Size;
use weft_tensor::{
    Accumulator, AssignId, Assignment, Definition, Expr, ExprId, Exprs, Graph, IndexTerm,
    Reduction, TensorId,
};
use weft_tensor::{ReadAt, compute_demand, reachable, reads};

/// Inlines, producers first. Guarantees that a virtual tensor is read by nobody.
pub(crate) fn inline_tensors(graph: &mut Graph, context: &mut Context<'_>) {
    if !context.options.inline {
        return;
    }
    let recurrent = recurrent_tensors(graph, context);
    let mut readers = Readers::compute(graph, context);
    for t in graph.tensors.keys().collect::<Vec<_>>() {
        let assigned = matches!(graph.tensors[t].definition, Definition::Assigned { .. });
        let pinned = context.observed.contains(&t) || context.stored.contains(&t);
        if !assigned || pinned || readers.of[t].is_empty() {
            continue;
        }
        let sites = readers.sites(graph, t);
        let beside = runs_beside(graph, t, &recurrent);
        let state = is_the_state(graph, t, &readers, &recurrent, context);
        match verdict(graph, t, &sites, (beside, state)) {
            Err(reason) => drop(context.kept.insert(t, reason)),
            Ok(reason) => match inline_into(graph, t, &sites) {
                Some(new) => {
                    readers.replace(graph, t, new);
                    context.virtuals.insert(t, reason);
                }
                None => {
                    let reason = "a reader's index cannot be put into its body".to_string();
                    context.kept.insert(t, reason);
                }
            },
        }
    }
}

/// The needed pieces that read each tensor, kept up while bodies move.
struct Readers {
    of: SecondaryMap<TensorId, BTreeSet<AssignId>>,
}

impl Readers {
    fn compute(graph: &Graph, context: &Context<'_>) -> Readers {
        let needed = compute_demand(graph, context.observed.iter().copied(), context.stored);
        let mut readers = Readers { of: SecondaryMap::new() };
        let computed = |t: &TensorId| needed[*t] && !context.stored.contains(t);
        for t in graph.tensors.keys().filter(computed) {
            for &p in graph.pieces(t) {
                readers.add(p, &graph.assigns[p]);
            }
        }
        readers
    }

    fn add(&mut self, p: AssignId, a: &Assignment) {
        for r in reads(a) {
            self.of[r.tensor].insert(p);
        }
    }

    fn remove(&mut self, p: AssignId, a: &Assignment) {
        for r in reads(a) {
            self.of[r.tensor].remove(&p);
        }
    }

    /// The pieces that read `t`, with the nodes that do.
    fn sites(&self, graph: &Graph, t: TensorId) -> Vec<Site> {
        let nodes = |p: &AssignId| {
            let all = reads(&graph.assigns[*p]);
            (*p, all.iter().filter(|r| r.tensor == t).map(|r| r.expr).collect())
        };
        self.of[t].iter().map(nodes).collect()
    }

    /// Puts new bodies in place of those that read `t`, which is then needed no more.
    fn replace(&mut self, graph: &mut Graph, t: TensorId, new: Vec<(AssignId, Assignment)>) {
        for (p, a) in new {
            self.remove(p, &graph.assigns[p]);
            self.add(p, &a);
            graph.assigns[p] = a;
        }
        for &p in graph.pieces(t) {
            self.remove(p, &graph.assigns[p]);
        }
    }
}

/// A piece and its nodes that read one tensor.
type Site = (AssignId, Vec<ExprId>);

/// The tensors of each recurrence, as the number of the recurrence.
fn recurrent_tensors(graph: &Graph, context: &Context<'_>) -> BTreeMap<TensorId, usize> {
    let needed = compute_demand(graph, context.observed.iter().copied(), context.stored);
    let computed = |t: &TensorId| needed[*t] && !context.stored.contains(t);
    let all: Vec<TensorId> = graph.tensors.keys().filter(computed).collect();
    let units = find_units(graph, &all);
    let recurrent = units.into_iter().enumerate().filter(|(_, u)| u.recurrent);
    recurrent.flat_map(|(n, u)| u.tensors.into_iter().map(move |t| (t, n))).collect()
}

/// Whether `t` reduces over a recurrence that it is no part of: as a tensor of its own it
/// may run beside the recurrence, step by step.
fn runs_beside(graph: &Graph, t: TensorId, recurrent: &BTreeMap<TensorId, usize>) -> bool {
    let own = recurrent.get(&t);
    graph.pieces(t).iter().any(|&p| {
        let a = &graph.assigns[p];
        let over = |r: &ReadAt<'_>| recurrent.get(&r.tensor).is_some_and(|n| own != Some(n));
        !a.reduced().is_empty() && reads(a).iter().any(over)
    })
}

/// Whether several members of the recurrence of `t` that read it are read by nobody else: in
/// its place all of them would be states, each with the work of `t`.
fn is_the_state(
    graph: &Graph,
    t: TensorId,
    readers: &Readers,
    recurrent: &BTreeMap<TensorId, usize>,
    context: &Context<'_>,
) -> bool {
    let Some(own) = recurrent.get(&t) else { return false };
    let target = |p: &AssignId| graph.assigns[*p].target;
    let parts: BTreeSet<TensorId> =
        readers.of[t].iter().map(target).filter(|r| recurrent.get(r) == Some(own)).collect();
    let part_alone = |r: &TensorId| {
        !context.observed.contains(r) && readers.of[*r].iter().all(|p| target(p) == t)
    };
    parts.into_iter().filter(part_alone).nth(1).is_some()
}

/// Why `t` is to be virtual (`Ok`) or stored (`Err`); with whether it runs beside a
/// recurrence, and whether it is the state of its own.
fn verdict(
    graph: &Graph,
    t: TensorId,
    readers: &[Site],
    (beside, state): (bool, bool),
) -> Result<String, String> {
    if beside {
        return Err("a reduction that may run beside the recurrence it reads".to_string());
    }
    if readers.iter().any(|(p, _)| graph.assigns[*p].target == t) {
        return Err("it reads itself".to_string());
    }
    if graph.pieces(t).iter().any(|&p| is_scatter(&graph.assigns[p])) {
        return Err("its terms find their cells by number, each of them once".to_string());
    }
    let sites: usize = readers.iter().map(|(_, nodes)| nodes.len()).sum();
    let weight = weight(graph, t);
    if state && weight != Some(0) {
        return Err("the members of its recurrence that read it are parts of it".to_string());
    }
    let lazy = may_fail(graph, t) && !readers.iter().any(|s| reads_all_cells(graph, t, s));
    if lazy && weight.is_some_and(|w| w <= LAZY) {
        return Ok("a cell may fail, and not every cell is sure to be needed".to_string());
    }
    if let Some(w) = weight.filter(|&w| w <= TRIVIAL) {
        return Ok(format!("computing a cell (weight {w}) costs no more than storing it"));
    }
    if weight.is_some_and(|w| w <= LAZY) && is_slice(graph, t) {
        return Ok("it is there at one index of an axis only".to_string());
    }
    let once =
        |(p, nodes): &Site| nodes.iter().all(|&n| reads_each_cell_once(&graph.assigns[*p], n));
    let single = (sites == 1 || reads_its_own_cell(graph, readers)) && readers.iter().all(once);
    let by = readers.first().map(|(p, _)| name_of(graph, graph.assigns[*p].target));
    let by = by.unwrap_or_default();
    match weight {
        Some(w) if w > LONG => {
            Err(format!("storing it is little beside computing it (weight {w})"))
        }
        Some(w) if single => Ok(format!("read once per cell, by `{by}` (weight {w})")),
        Some(w) if w * sites as u64 <= CHEAP => Ok(format!("cheap: weight {w}, {sites} read(s)")),
        Some(w) => Err(format!("weight {w}, {sites} read(s), cells read more than once")),
        None if graph.pieces(t).iter().any(|&p| wants_memory(&graph.assigns[p])) => {
            Err("a reduction whose operands are shared between cells runs in tiles over memory"
                .to_string())
        }
        None if single => Ok(format!("a reduction read once per cell, by `{by}`")),
        None => Err(format!("a reduction inside, {sites} read(s), cells read more than once")),
    }
}

/// Whether all of a tensor but one slice is zero: what the end of a recurrence adds to a
/// derivative.
fn is_slice(graph: &Graph, t: TensorId) -> bool {
    let fixed = |g: &Constraint| g.relation == Relation::Zero && g.term.iters().len() == 1;
    match graph.pieces(t) {
        [p] => graph.assigns[*p].space.guards.iter().any(fixed),
        _ => false,
    }
}

/// Whether the readers are pieces of one tensor, and each cell of it reads the cell at its
/// own place alone: pieces are disjoint.
fn reads_its_own_cell(graph: &Graph, readers: &[Site]) -> bool {
    let target = |(p, _): &Site| graph.assigns[*p].target;
    readers.iter().all(|site| {
        let a = &graph.assigns[site.0];
        let own =
            |e: &ExprId| matches!(a.exprs.get(*e), Expr::Read { index, .. } if *index == a.write);
        target(site) == target(&readers[0]) && site.1.len() == 1 && site.1.iter().all(own)
    })
}

/// Whether computing some cell may fail.
fn may_fail(graph: &Graph, t: TensorId) -> bool {
    graph.pieces(t).iter().any(|&p| {
        let a = &graph.assigns[p];
        reachable(a).into_iter().any(|e| match a.exprs.get(e) {
            Expr::Check { .. } => a.exprs.fitted(e).is_none(),
            Expr::Call { .. } | Expr::Read { site: Some(_), .. } => true,
            Expr::Binary(op, _, b, Some(_)) => {
                // Integers that leave their type are looked at again, cell by cell.
                let constant = match a.exprs.get(*b) {
                    Expr::Const(s) => s.as_i64(),
                    _ => None,
                };
                weft_scalar::eval::trap_by(*op, a.exprs.ty(*b), constant).is_some()
            }
            _ => false,
        })
    })
}

/// Whether a reader reads every cell of `t`, under no condition.
fn reads_all_cells(graph: &Graph, t: TensorId, (p, nodes): &Site) -> bool {
    let a = &graph.assigns[*p];
    let whole = |term: &IndexTerm, extent: &Size| {
        let Some(range) = term.as_affine().and_then(Affine::as_iter).and_then(|i| a.space.range(i))
        else {
            return false;
        };
        range.lo.as_constant() == Some(0) && range.hi.as_size() == Some(extent)
    };
    let conditional = reachable(a)
        .into_iter()
        .any(|e| matches!(a.exprs.get(e), Expr::If(..) | Expr::Check { .. }));
    !conditional
        && a.mask.is_none()
        && a.space.guards.is_empty()
        && nodes.iter().any(|&n| match a.exprs.get(n) {
            Expr::Read { index, .. } => {
                let once = index.iter().all(|x| index.iter().filter(|y| *y == x).count() == 1);
                once && index.iter().zip(graph.shape(t)).all(|(term, extent)| whole(term, extent))
            }
            _ => false,
        })
}

/// The readers with the bodies of `t` in place of their reads; `None` where one cannot.
fn inline_into(
    graph: &Graph,
    t: TensorId,
    readers: &[Site],
) -> Option<Vec<(AssignId, Assignment)>> {
    readers.iter().map(|(p, _)| Some((*p, replace_reads(graph, t, &graph.assigns[*p])?))).collect()
}

fn replace_reads(graph: &Graph, t: TensorId, reader: &Assignment) -> Option<Assignment> {
    let mut new = Assignment { exprs: Exprs::new(), ..reader.clone() };
    let mut moved: Vec<Option<ExprId>> = vec![None; reader.exprs.len()];
    for e in reachable(reader) {
        let to = |x: ExprId| moved[x.as_u32() as usize].expect("operands come first");
        let node = match reader.exprs.get(e) {
            Expr::Read { tensor, index, site } if *tensor == t => {
                let mut at = Vec::new();
                for term in index {
                    at.push(match term {
                        IndexTerm::Affine(a) => Index::Term(a.clone()),
                        IndexTerm::Data(x) => Index::Value(as_i64(&mut new.exprs, to(*x))),
                    });
                }
                let mut body = Body { graph, reader: &mut new };
                let value = body.value_at(t, &at)?;
                match site {
                    None => value,
                    Some(site) => body.checked(t, &at, value, *site),
                }
            }
            other => {
                let node = other.with_operands(&to);
                new.exprs.add(node, reader.exprs.ty(e))
            }
        };
        if new.exprs.len() > MAX_NODES {
            return None;
        }
        moved[e.as_u32() as usize] = Some(node);
    }
    new.mask = reader.mask.map(|m| moved[m.as_u32() as usize].expect("the mask is reachable"));
    new.body = moved[reader.body.as_u32() as usize].expect("the body is reachable");
    Some(new)
}

/// Replacements of iterators, and indices that must equal a term of the reader.
type Solution = (BTreeMap<Iter, Sub>, Vec<(Index, Affine)>);

/// A reader that takes in bodies.
struct Body<'a> {
    graph: &'a Graph,
    reader: &'a mut Assignment,
}

impl Body<'_> {
    /// The value of the cell of `t` at an index.
    fn value_at(&mut self, t: TensorId, at: &[Index]) -> Option<ExprId> {
        let graph = self.graph;
        let pieces = graph.pieces(t);
        let zero = self.reader.exprs.constant(Scalar::zero(graph.tensors[t].elem));
        let covered = is_covered(graph, t);
        let mut value = zero;
        for (n, &p) in pieces.iter().enumerate().rev() {
            let piece = &graph.assigns[p];
            let (subs, fixed) = self.substitution(piece, at)?;
            let mut import = Import::new(
                &piece.exprs,
                &mut self.reader.exprs,
                subs,
                &piece.mask.into_iter().chain([piece.body]).collect::<Vec<_>>(),
                &piece.space.iters,
                &mut self.reader.space.iters,
            );
            let own = reduce_or_body(piece, &mut import)?;
            if covered && n + 1 == pieces.len() {
                value = own;
                continue;
            }
            let mut conditions = domain_conditions(graph, t, piece, &mut import)?;
            for (index, offset) in fixed {
                let (x, y) = (index.value(import.into), import.into.index(offset));
                conditions.push(import.into.binary(BinaryOp::Eq, x, y));
            }
            value = self.guarded(&conditions, own, value);
        }
        Some(value)
    }

    fn guarded(&mut self, conditions: &[ExprId], own: ExprId, other: ExprId) -> ExprId {
        let exprs = &mut self.reader.exprs;
        let all = conditions.iter().copied().reduce(|a, b| exprs.binary(BinaryOp::And, a, b));
        match all {
            None => own,
            Some(c) => self.reader.exprs.if_else(c, own, other),
        }
    }

    /// The replacement of each iterator of a piece where it writes the cell `at`, and what the
    /// index must be on the axes that determine none.
    fn substitution(&mut self, piece: &Assignment, at: &[Index]) -> Option<Solution> {
        let mut subs = BTreeMap::new();
        let mut fixed = Vec::new();
        for (term, index) in piece.write.iter().zip(at) {
            let term = term.as_affine()?;
            if term.terms().is_empty() {
                fixed.push((index.clone(), term.clone()));
                continue;
            }
            let (iter, sign) = unit_iter(term)?;
            let offset = term.minus(&Affine::iter(iter).scaled(sign)?)?;
            let solved = index.solve(&offset, sign, &mut self.reader.exprs)?;
            match subs.get(&iter) {
                None => drop(subs.insert(iter, solved.as_sub())),
                // A diagonal: the cell is written where both axes ask for the same.
                Some(Sub::Term(first)) => {
                    let term = first.scaled(sign)?.plus(&offset)?;
                    fixed.push((index.clone(), term));
                }
                Some(Sub::Value(_)) => return None,
            }
        }
        for r in piece.reduced() {
            let fresh = self.reader.space.iters.push(piece.space.iters[r].clone());
            subs.insert(r, Sub::Term(Affine::iter(fresh)));
        }
        Some((subs, fixed))
    }

    /// `value` behind the check that the index lies in the extents of `t`.
    fn checked(
        &mut self,
        t: TensorId,
        at: &[Index],
        value: ExprId,
        site: weft_tensor::SiteId,
    ) -> ExprId {
        let exprs = &mut self.reader.exprs;
        let mut conditions = Vec::new();
        for (index, extent) in at.iter().zip(self.graph.shape(t)) {
            let i = index.value(exprs);
            let zero = exprs.constant(Scalar::I64(0));
            let extent = exprs.index(Affine::fixed(extent.clone()));
            conditions.push(exprs.binary(BinaryOp::Ge, i, zero));
            conditions.push(exprs.binary(BinaryOp::Lt, i, extent));
        }
        let all = conditions.into_iter().reduce(|a, b| exprs.binary(BinaryOp::And, a, b));
        match all {
            None => value,
            Some(condition) => {
                let ty = exprs.ty(value);
                exprs.add(Expr::Check { condition, value, site }, ty)
            }
        }
    }
}

/// The body of a piece, or the nested reduction that a reducing piece becomes.
fn reduce_or_body(piece: &Assignment, import: &mut Import<'_>) -> Option<ExprId> {
    let body = import.node(piece.body)?;
    if piece.accumulator == Accumulator::Set {
        return Some(body);
    }
    let mask = match piece.mask {
        Some(m) => Some(import.node(m)?),
        None => None,
    };
    let reduced = piece.reduced();
    let inside = piece.space.ranges.iter().filter(|r| reduced.contains(&r.iter));
    let ranges = inside.map(|r| import.range(r)).collect::<Option<_>>()?;
    let of_reduction =
        |g: &&weft_domain::Constraint| g.term.iters().iter().any(|i| reduced.contains(i));
    let guards = piece.space.guards.iter().filter(of_reduction);
    let guards = guards.map(|g| import.constraint(g)).collect::<Option<_>>()?;
    let ty = match piece.accumulator {
        Accumulator::ArgMax(_) | Accumulator::ArgMin(_) => ScalarType::I64,
        _ => import.into.ty(body),
    };
    let accumulator = piece.accumulator;
    let reduction = Reduction { accumulator, ranges, guards, mask, body };
    Some(import.into.add(Expr::Reduce(Box::new(reduction)), ty))
}

/// The conditions under which a piece writes the cell: ranges of the written iterators
/// that are not the whole axis, and guards over them.
fn domain_conditions(
    graph: &Graph,
    t: TensorId,
    piece: &Assignment,
    import: &mut Import<'_>,
) -> Option<Vec<ExprId>> {
    let mut conditions = Vec::new();
    for (axis, term) in piece.write.iter().enumerate() {
        let Some((iter, _)) = term.as_affine().and_then(unit_iter) else { continue };
        let range = piece.space.range(iter)?;
        let x = import.as_value(&Affine::iter(iter))?;
        let plain = term.as_affine().and_then(Affine::as_iter).is_some();
        let extent = &graph.tensors[t].axes[axis].extent;
        if !(plain && range.lo.as_constant() == Some(0)) {
            let lo = import.as_value(&range.lo)?;
            conditions.push(import.into.binary(BinaryOp::Ge, x, lo));
        }
        if !(plain && range.hi.as_size() == Some(extent)) {
            let hi = import.as_value(&range.hi)?;
            conditions.push(import.into.binary(BinaryOp::Lt, x, hi));
        }
    }
    let reduced = piece.reduced();
    for g in &piece.space.guards {
        if g.term.iters().iter().any(|i| reduced.contains(i)) {
            continue;
        }
        let term = import.as_value(&g.term)?;
        let zero = import.into.index(Affine::fixed(Size::constant(0)));
        let op = match g.relation {
            Relation::AtLeastZero => BinaryOp::Ge,
            Relation::Zero => BinaryOp::Eq,
        };
        conditions.push(import.into.binary(op, term, zero));
    }
    Some(conditions)
}
