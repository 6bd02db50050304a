//! Conditions of single paths to a node, where paths differ: a read that two clauses share
//! is evaluated where the one needs it or the other.

use super::{Gate, Known, Means};
use std::collections::BTreeMap;
use weft_domain::Formula;
use weft_tensor::{Assignment, ExprId};

/// Paths to one node that are told apart.
const MAX_PATHS: usize = 16;

/// Comparisons in what paths have passed.
const MAX_SIZE: usize = 128;

/// A condition that holds wherever `node` is evaluated, beside what all paths pass: `open`
/// are the gates that some path goes around. `None` where there is none to say, or too
/// much; then it is known to be not exact.
pub(super) fn passed_on_some_path(
    a: &Assignment,
    node: ExprId,
    open: &[&Gate],
    known: &mut Known<'_>,
) -> Option<Formula> {
    let leads = leading_to(a, node);
    let open: Vec<&Gate> = open.iter().copied().filter(|g| leads[g.to.as_u32() as usize]).collect();
    if open.is_empty() {
        return None;
    }
    let paths = along(a, node, &open, &leads, known);
    if paths.as_ref().is_some_and(|p| p.contains(&Some(Formula::yes()))) {
        return None;
    }
    let found = paths.and_then(|p| p.into_iter().collect::<Option<_>>());
    known.exact &= found.is_some();
    found.map(Formula::Any)
}

/// The conditions that a path has passed; `None` inside a reduction, whose ranges
/// hold there alone.
type Path = Option<Formula>;

/// The nodes whose evaluation may need `node`.
fn leading_to(a: &Assignment, node: ExprId) -> Vec<bool> {
    let mut leads = vec![false; a.exprs.len()];
    // Operands come before users.
    for e in a.exprs.ids() {
        let below = || a.exprs.get(e).operands().iter().any(|x| leads[x.as_u32() as usize]);
        leads[e.as_u32() as usize] = e == node || below();
    }
    leads
}

/// The conditions of each path to `node`; `None` where that is too much.
fn along(
    a: &Assignment,
    node: ExprId,
    open: &[&Gate],
    leads: &[bool],
    known: &mut Known<'_>,
) -> Option<Vec<Path>> {
    let mut passed: BTreeMap<ExprId, Vec<Path>> = BTreeMap::new();
    for root in a.mask.into_iter().chain([a.body]) {
        passed.insert(root, vec![Some(Formula::yes())]);
    }
    while let Some((e, paths)) = passed.pop_last() {
        if e == node {
            return Some(paths);
        }
        let operands = a.exprs.get(e).operands();
        for (at, &x) in operands.iter().enumerate() {
            if !leads[x.as_u32() as usize] || operands[..at].contains(&x) {
                continue;
            }
            // One operand in two places is behind no gate.
            let alone = operands[at + 1..].iter().all(|y| *y != x);
            let mut gates = open.iter().filter(|g| alone && g.from == e && g.to == x);
            let through = gates.try_fold(Formula::yes(), |all, g| match g.means {
                Means::Condition(c, truth) => Some(all.and(known.formula(c, truth, 0))),
                Means::Inside => None,
            });
            let next = passed.entry(x).or_default();
            for path in &paths {
                let path =
                    path.as_ref().zip(through.as_ref()).map(|(p, q)| p.clone().and(q.clone()));
                if !next.contains(&path) {
                    next.push(path);
                }
            }
            let size: usize = next.iter().flatten().map(|p| p.constraints().len()).sum();
            if next.len() > MAX_PATHS || size > MAX_SIZE {
                return None;
            }
        }
    }
    None
}
