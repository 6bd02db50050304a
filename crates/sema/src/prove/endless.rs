//! Recursion that no branch ends.
//!
//! An instance *can end* if some path through its body calls only instances that can end: the
//! least such set. Of a circle of functions outside of it every call calls on, whatever the
//! numbers are.
//!
//! A choice is a path for each side; what `try` observes may end by its failure; what runs over
//! indices may run over none. All else that is written in a body lies on every path.

use crate::thir::{Block, BodyId, Call, Expr, ExprKind, HostOp, Program, Stmt};
use rustc_hash::{FxHashMap, FxHashSet};
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};

/// Stack that walking one expression may take before more is asked for.
const RED_ZONE: usize = 128 << 10;
/// Stack that is asked for at a time.
const STACK: usize = 2 << 20;
/// Calls that are shown of one function.
const MOST_CALLS: usize = 3;

/// E0312 for each circle of the `recursive` instances that cannot end, once at each place.
pub(crate) fn complaints(program: &Program, recursive: &FxHashSet<BodyId>) -> Vec<Diagnostic> {
    let mut endless: Vec<BodyId> = Endless::of(program, recursive).into_iter().collect();
    endless.sort_unstable();
    let reached: FxHashMap<BodyId, FxHashSet<BodyId>> =
        endless.iter().map(|b| (*b, program.calls_from(*b).into_iter().collect())).collect();
    let mut said: FxHashSet<Span> = FxHashSet::default();
    let mut found = Vec::new();
    while let Some(first) = endless.first().copied() {
        let together = |b: &BodyId| reached[&first].contains(b) && reached[b].contains(&first);
        let circle: Vec<BodyId> =
            endless.iter().copied().filter(|b| *b == first || together(b)).collect();
        endless.retain(|b| !circle.contains(b));
        if let Some((span, d)) = complaint(program, first, &circle)
            && said.insert(span)
        {
            found.push(d);
        }
    }
    found
}

/// The instances that are not known to end.
struct Endless(FxHashSet<BodyId>);

impl Endless {
    /// Those of the recursive instances that are not in the least set of what can end. Others
    /// count as ending: what they call is said of by itself.
    fn of(program: &Program, recursive: &FxHashSet<BodyId>) -> FxHashSet<BodyId> {
        let mut found = Endless(recursive.clone());
        loop {
            let before = found.0.len();
            let stays = |b: &BodyId| !found.block_ends(&program.bodies[*b].block);
            found = Endless(found.0.iter().copied().filter(stays).collect());
            if found.0.len() == before {
                return found.0;
            }
        }
    }

    fn block_ends(&self, block: &Block) -> bool {
        let stmts = block.stmts.iter().all(|s| match s {
            Stmt::Let(_, e) | Stmt::Define(_, e) | Stmt::Expr(e) => self.ends(e),
            Stmt::Tensors(_) | Stmt::Check(_) | Stmt::Measure(..) => true,
        });
        stmts && block.tail.as_deref().is_none_or(|e| self.ends(e))
    }

    fn ends(&self, e: &Expr) -> bool {
        stacker::maybe_grow(RED_ZONE, STACK, || self.ends_here(e))
    }

    fn ends_here(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::If(c, a, b) => self.ends(c) && (self.ends(a) || self.ends(b)),
            ExprKind::Block(block) => self.block_ends(block),
            ExprKind::Call(Call { body, .. }) if self.0.contains(body) => false,
            ExprKind::Reduce { .. } | ExprKind::Mean(_) | ExprKind::Host(HostOp::Try, _) => true,
            _ => {
                let mut all = true;
                e.children(&mut |x| all = all && self.ends(x));
                all
            }
        }
    }
}

/// What is said of a circle of functions, and the place of it.
fn complaint(program: &Program, first: BodyId, circle: &[BodyId]) -> Option<(Span, Diagnostic)> {
    let names = circle.iter().filter_map(|b| program.bodies[*b].name.clone());
    let mut others: Vec<Name> = Vec::new();
    names.for_each(|n| {
        if !others.contains(&n) {
            others.push(n)
        }
    });
    let name = program.bodies[first].name.clone()?;
    others.retain(|n| *n != name);
    let calls = calls_into(&program.bodies[first].block, circle);
    let (place, more) = calls.split_first()?;
    let headline = match others.as_slice() {
        [] => format!("`{name}` calls itself on every path: it cannot end"),
        [other] => format!("`{name}` and `{other}` call each other on every path: they cannot end"),
        _ => format!("`{name}` calls itself through others on every path: it cannot end"),
    };
    let mut d = Diagnostic::error(Code::E0312, headline).primary(*place, "this calls on");
    for span in more.iter().take(MOST_CALLS - 1) {
        d = d.secondary(*span, "and this");
    }
    for other in circle.iter().filter(|b| **b != first).take(MOST_CALLS) {
        let calls = calls_into(&program.bodies[*other].block, circle);
        d = calls.first().into_iter().fold(d, |d, span| d.secondary(*span, "which calls on here"));
    }
    Some((
        *place,
        d.help("write a branch that gives a value without the call: `if n == 0 { … } else { … }`"),
    ))
}

/// Where a block calls one of some instances, in the order of the source.
fn calls_into(block: &Block, circle: &[BodyId]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut stack = Vec::new();
    block.children(&mut |e| stack.push(e));
    while let Some(e) = stack.pop() {
        if matches!(&e.kind, ExprKind::Call(call) if circle.contains(&call.body)) {
            found.push(e.span);
        }
        e.children(&mut |x| stack.push(x));
    }
    found.sort_unstable();
    found.dedup();
    found
}
