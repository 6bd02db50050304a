//! Steady steps: time loops that write the same cells at every step.
//!
//! A ring's slot must be zeroed where a new step leaves what an older one wrote. Once every
//! slot was zeroed and each step writes the same cells, nothing is left behind any more.

use crate::routine::{Item, Nest, TimeLoop};
use weft_domain::{Affine, Constraint, Iter, Relation};
use weft_shape::Size;
use weft_tensor::{Graph, IndexTerm, TensorId};

/// Whether each step of a loop writes the same cells of `target`, but for the index along
/// `axis`, which is the step's own.
pub(crate) fn writes_same_cells(
    graph: &Graph,
    steps: &TimeLoop,
    target: TensorId,
    axis: usize,
) -> bool {
    let mut stack: Vec<&Item> = steps.body.iter().collect();
    while let Some(item) = stack.pop() {
        let same = match item {
            Item::Fill(_) => true,
            Item::Nest(n) if graph.assigns[n.assign].target == target => {
                is_steady(graph, n, steps.var, axis)
            }
            Item::Nest(_) => true,
            Item::Loop(l) => {
                stack.extend(&l.body);
                !mentions(&l.lo, &[steps.var]) && !mentions(&l.hi, &[steps.var])
            }
        };
        if !same {
            return false;
        }
    }
    true
}

fn is_steady(graph: &Graph, n: &Nest, var: Iter, axis: usize) -> bool {
    let a = &graph.assigns[n.assign];
    let moving: Vec<Iter> =
        n.bound.iter().filter(|(_, term)| mentions(term, &[var])).map(|(i, _)| *i).collect();
    let always = n.when.iter().all(|c| !mentions(&c.term, &[var]))
        && !n.tested.iter().any(|i| moving.contains(i));
    let own_slot = |x: &Affine| x.iters().iter().all(|i| moving.contains(i));
    let cells = a.write.iter().enumerate().all(|(at, term)| match term {
        IndexTerm::Affine(x) if at == axis => own_slot(x),
        IndexTerm::Affine(x) => !mentions(x, &moving),
        IndexTerm::Data(_) => false,
    });
    let ranges = a.space.ranges.iter().filter(|r| !moving.contains(&r.iter));
    let fixed = ranges.flat_map(|r| [&r.lo, &r.hi]).chain(a.space.guards.iter().map(|g| &g.term));
    always && cells && fixed.into_iter().all(|x| !mentions(x, &moving))
}

fn mentions(x: &Affine, iters: &[Iter]) -> bool {
    x.iters().iter().any(|i| iters.contains(i))
}

/// The condition that a step is one of the first `count` of its loop; `None` on overflow.
pub(crate) fn first_steps(steps: &TimeLoop, count: i64) -> Option<Constraint> {
    let step = Affine::iter(steps.var);
    let term = if steps.descending {
        step.minus(&steps.hi)?.plus_size(&Size::constant(count))
    } else {
        steps.lo.plus_size(&Size::constant(count - 1)).minus(&step)?
    };
    Some(Constraint { term, relation: Relation::AtLeastZero })
}
