//! Partial derivatives of a scalar body by what it reads.
//!
//! Reverse accumulation over the expression graph, region by region. A *region* is what is
//! certainly evaluated together: the nodes below a root outside the sides of an `if`, and
//! those that both sides of an `if` evaluate anyway. The derivative of a side stands behind
//! the same condition, so that a side not taken contributes nothing and evaluates nothing
//! (no `0 · ∞`, no read outside an extent). The text of the result is linear in that of the
//! body as long as sides share what they share with their surroundings.

use crate::build;
use crate::calls::Calls;
use crate::refusal::Cause;
use crate::rules::{self, Side};
use std::collections::{BTreeMap, BTreeSet};
use weft_scalar::function::FunctionId;
use weft_tensor::{Expr, ExprId, Exprs};

/// Sides within sides beyond this number are given up: the text would grow without bound.
const MAX_SIDES: usize = 4096;

/// Destination of the flow into a read, where the read stands.
pub(crate) type Arrival<'a> = &'a dyn Fn(&mut Exprs, ExprId, ExprId) -> ExprId;

/// The flow into each read: `g · ∂root/∂read`, for those reads that `is_active` names,
/// each after `arrive` (which so stands behind the conditions of its read).
///
/// # Errors
///
/// Conditions nested beyond all measure.
pub(crate) fn flow_to_reads(
    exprs: &mut Exprs,
    root: ExprId,
    g: ExprId,
    is_active: &dyn Fn(ExprId, &Expr) -> bool,
    arrive: Arrival<'_>,
    calls: &Calls,
) -> Result<BTreeMap<ExprId, ExprId>, Cause> {
    let mut active: BTreeSet<ExprId> = BTreeSet::new();
    let mut reads: BTreeSet<ExprId> = BTreeSet::new();
    for e in below(exprs, root) {
        let node = exprs.get(e);
        if matches!(node, Expr::Read { .. }) && is_active(e, node) {
            reads.insert(e);
            active.insert(e);
        } else if node.operands().iter().any(|x| active.contains(x)) {
            active.insert(e);
        }
    }
    let mut flow = Flow { active, reads, certain: BTreeMap::new(), sides: 0, arrive, calls };
    flow.region(exprs, root, g, &BTreeSet::new()).ok_or(Cause::TooManyBranches)
}

/// The nodes below a root, operands before users.
fn below(exprs: &Exprs, root: ExprId) -> BTreeSet<ExprId> {
    let mut seen = BTreeSet::new();
    let mut stack = vec![root];
    while let Some(e) = stack.pop() {
        if seen.insert(e) {
            stack.extend(exprs.get(e).operands());
        }
    }
    seen
}

struct Flow<'a> {
    /// Nodes whose value depends on an active read.
    active: BTreeSet<ExprId>,
    /// The active reads.
    reads: BTreeSet<ExprId>,
    /// Nodes that both sides of an `if` evaluate.
    certain: BTreeMap<ExprId, BTreeSet<ExprId>>,
    sides: usize,
    arrive: Arrival<'a>,
    calls: &'a Calls,
}

impl Flow<'_> {
    /// The flow from `root` into active reads, and into nodes of `outer`, which are
    /// evaluated around this region and treated there.
    fn region(
        &mut self,
        exprs: &mut Exprs,
        root: ExprId,
        g: ExprId,
        outer: &BTreeSet<ExprId>,
    ) -> Option<BTreeMap<ExprId, ExprId>> {
        self.sides += 1;
        if self.sides > MAX_SIDES {
            return None;
        }
        let own = self.certain_below(exprs, root);
        let mut leaves = BTreeMap::new();
        let mut inflow = BTreeMap::from([(root, g)]);
        while let Some((e, g)) = inflow.pop_last() {
            if outer.contains(&e) {
                add(exprs, &mut leaves, e, g);
                continue;
            }
            if self.reads.contains(&e) {
                let arrived = (self.arrive)(exprs, e, g);
                add(exprs, &mut leaves, e, arrived);
                continue;
            }
            for (x, g) in self.operands(exprs, e, g, &own, outer)? {
                let here = own.contains(&x) || outer.contains(&x);
                let to = if here { &mut inflow } else { &mut leaves };
                add(exprs, to, x, g);
            }
        }
        Some(leaves)
    }

    /// The flow on from a node that `g` has reached.
    fn operands(
        &mut self,
        exprs: &mut Exprs,
        e: ExprId,
        g: ExprId,
        own: &BTreeSet<ExprId>,
        outer: &BTreeSet<ExprId>,
    ) -> Option<Vec<(ExprId, ExprId)>> {
        if !self.active.contains(&e) {
            return Some(Vec::new());
        }
        let found = match exprs.get(e).clone() {
            Expr::Unary(op, x) => vec![(x, rules::unary(exprs, op, x, e, g))],
            Expr::Binary(op, a, b, _) => {
                let mut by = |operand, side| {
                    let needed = self.active.contains(&operand);
                    let flow = needed.then(|| rules::binary(exprs, op, (a, b), e, g, side));
                    (operand, flow.flatten())
                };
                vec![by(a, Side::First), by(b, Side::Second)]
            }
            Expr::Cast(ty, x) => {
                let from = exprs.ty(x);
                let smooth = rules::is_smooth(ty) && rules::is_smooth(from);
                vec![(x, smooth.then(|| exprs.cast(from, g)))]
            }
            Expr::Check { value, .. } => vec![(value, Some(g))],
            Expr::If(c, a, b) => return self.sides(exprs, (c, a, b), g, own, outer),
            Expr::Call { function, args } => self.arguments(exprs, function, &args, g),
            Expr::Const(_) | Expr::Index(_) | Expr::Read { .. } => Vec::new(),
            Expr::Reduce(_) => unreachable!("planning makes these, and comes later"),
        };
        let active = |(x, g): (ExprId, Option<ExprId>)| {
            (self.active.contains(&x) && rules::is_smooth(exprs.ty(x))).then_some((x, g?))
        };
        Some(found.into_iter().filter_map(active).collect())
    }

    /// The flow from a call to its arguments.
    fn arguments(
        &self,
        exprs: &mut Exprs,
        f: FunctionId,
        args: &[ExprId],
        g: ExprId,
    ) -> Vec<(ExprId, Option<ExprId>)> {
        let mut found = Vec::new();
        for (n, &x) in args.iter().enumerate().filter(|(_, x)| self.active.contains(x)) {
            if let Some(partial) = self.calls.partial(f, n) {
                let call = Expr::Call { function: partial, args: args.to_vec() };
                let by = exprs.add(call, exprs.ty(g));
                let product = build::times(exprs, g, by);
                found.push((x, Some(exprs.cast(exprs.ty(x), product))));
            }
        }
        found
    }

    fn sides(
        &mut self,
        exprs: &mut Exprs,
        (c, a, b): (ExprId, ExprId, ExprId),
        g: ExprId,
        own: &BTreeSet<ExprId>,
        outer: &BTreeSet<ExprId>,
    ) -> Option<Vec<(ExprId, ExprId)>> {
        let around: BTreeSet<ExprId> = own.union(outer).copied().collect();
        let then = self.side(exprs, a, g, &around)?;
        let other = self.side(exprs, b, g, &around)?;
        let targets: BTreeSet<ExprId> = then.keys().chain(other.keys()).copied().collect();
        let zero = build::zero(exprs, exprs.ty(g));
        let mut merged = Vec::new();
        for x in targets {
            let typed_zero =
                if exprs.ty(x) == exprs.ty(g) { zero } else { build::zero(exprs, exprs.ty(x)) };
            let (p, q) = (then.get(&x).copied(), other.get(&x).copied());
            let v = build::choose(exprs, c, p.unwrap_or(typed_zero), q.unwrap_or(typed_zero));
            merged.push((x, v));
        }
        Some(merged)
    }

    fn side(
        &mut self,
        exprs: &mut Exprs,
        root: ExprId,
        g: ExprId,
        around: &BTreeSet<ExprId>,
    ) -> Option<BTreeMap<ExprId, ExprId>> {
        if !self.active.contains(&root) {
            return Some(BTreeMap::new());
        }
        self.region(exprs, root, g, around)
    }

    /// The nodes that are evaluated whenever `root` is.
    fn certain_below(&mut self, exprs: &Exprs, root: ExprId) -> BTreeSet<ExprId> {
        let mut seen = BTreeSet::new();
        let mut stack = vec![root];
        while let Some(e) = stack.pop() {
            if !seen.insert(e) {
                continue;
            }
            match exprs.get(e) {
                Expr::If(c, a, b) => {
                    stack.push(*c);
                    let both = match self.certain.get(&e) {
                        Some(known) => known.clone(),
                        None => {
                            let (a, b) = (*a, *b);
                            let first = self.certain_below(exprs, a);
                            let second = self.certain_below(exprs, b);
                            let both: BTreeSet<ExprId> =
                                first.intersection(&second).copied().collect();
                            self.certain.insert(e, both.clone());
                            both
                        }
                    };
                    stack.extend(both);
                }
                other => stack.extend(other.operands()),
            }
        }
        seen
    }
}

fn add(exprs: &mut Exprs, to: &mut BTreeMap<ExprId, ExprId>, x: ExprId, g: ExprId) {
    let sum = match to.get(&x) {
        Some(&before) => build::plus(exprs, before, g),
        None => g,
    };
    to.insert(x, sum);
}
