//! The passes from graph to graph, as a list with names.
//!
//! The reference evaluator gives equal values before and after each. Which of them run, what
//! is printed and what is checked between them is a question to the list alone.

use crate::context::Context;
use crate::eliminate_common_tensors::eliminate_common_tensors;
use crate::factor::factor_contractions;
use crate::fold::fold_constants;
use crate::forward_copies::forward_copies;
use crate::hoist_reductions::hoist_reductions;
use crate::inline::inline_tensors;
use crate::privatise_slices::privatise_slices;
use crate::propagate_equalities::propagate_equalities;
use std::time::{Duration, Instant};
use weft_tensor::Graph;

/// A pass from graph to graph.
pub struct Pass {
    /// As the command line and the cases call it.
    pub name: &'static str,
    /// The idea in a few words.
    pub idea: &'static str,
    /// The reason for its place in the list.
    pub place: &'static str,
    run: fn(&mut Graph, &mut Context<'_>),
}

/// All of them, in their order.
pub static PASSES: [Pass; 8] = [
    Pass {
        name: "forward-copies",
        idea: "a clause whose whole body is one reduction computes it in its own cells",
        place: "before inlining, for which the copy would be the one to go",
        run: |g, c| forward_copies(g, c),
    },
    Pass {
        name: "factor-contractions",
        idea: "sums of products of several operands in the order of fewest operations",
        place: "after merging, which makes sums of clauses; before sharing, so that equal \
                intermediates are one",
        run: |g, c| factor_contractions(g, c),
    },
    Pass {
        name: "eliminate-common-tensors",
        idea: "tensors whose definitions are the same are computed once",
        place: "before inlining, after which equal tensors are parts of unequal bodies",
        run: eliminate_common_tensors,
    },
    Pass {
        name: "inline-tensors",
        idea: "what is cheaper to compute than to store is computed inside its readers",
        place: "before folding, which then sees the constants that readers put into bodies",
        run: inline_tensors,
    },
    Pass {
        name: "propagate-equalities",
        idea: "where a number is known to be an index, the index stands for it",
        place: "after inlining, which brings readers of a gather under its condition; before folding, \
                which proves what is said of indices",
        run: |g, _| propagate_equalities(g),
    },
    Pass {
        name: "fold-constants",
        idea: "operators and branches on constants, and neutral elements, go",
        place: "after inlining, which brings constants together",
        run: |g, _| fold_constants(g),
    },
    Pass {
        name: "hoist-reductions",
        idea: "a body that is one nested reduction becomes the assignment's own",
        place: "after inlining and folding, which leave bodies that are one reduction and no more",
        run: |g, _| hoist_reductions(g),
    },
    Pass {
        name: "privatise-slices",
        idea: "what a step reads of the step before, if of lower rank, is a tensor",
        place: "last, since inlining would put the slices back",
        run: privatise_slices,
    },
];

/// The pass of a name.
pub fn pass_named(name: &str) -> Option<&'static Pass> {
    PASSES.iter().find(|p| p.name == name)
}

/// Options of the passes. Names are those of [`PASSES`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassOptions {
    /// Passes that do not run.
    pub skip: Vec<&'static str>,
    /// No pass behind this one runs.
    pub stop_after: Option<&'static str>,
    /// The graph is kept as text behind these.
    pub print_after: Vec<&'static str>,
    /// The graph is checked behind each.
    pub verify: bool,
}

/// The time of a pass, and its graph if that was asked for.
#[derive(Clone, Debug)]
pub struct PassRecord {
    /// Its name.
    pub name: &'static str,
    /// How long it ran.
    pub time: Duration,
    /// The graph behind it.
    pub text: Option<String>,
}

/// Runs the passes that are to run.
///
/// # Panics
///
/// With [`PassOptions::verify`], where a pass makes a graph that is not valid.
pub(crate) fn run_passes(graph: &mut Graph, context: &mut Context<'_>) -> Vec<PassRecord> {
    let options = &context.options.passes;
    let last = options.stop_after.and_then(|name| PASSES.iter().position(|p| p.name == name));
    let running = PASSES[..last.map_or(PASSES.len(), |n| n + 1)].iter();
    let running = running.filter(|p| !options.skip.contains(&p.name));
    let mut records = Vec::new();
    for pass in running {
        let begin = Instant::now();
        (pass.run)(graph, context);
        let time = begin.elapsed();
        let options = &context.options.passes;
        if options.verify
            && let Err(wrong) = weft_tensor::verify(graph)
        {
            panic!("`{}` made a graph that is not valid: {wrong:?}", pass.name);
        }
        let printed = options.print_after.contains(&pass.name);
        let text = printed.then(|| live_text(graph));
        records.push(PassRecord { name: pass.name, time, text });
    }
    records
}

/// A graph as text, without the nodes of bodies that nothing reaches any more: a pass leaves
/// those behind, and what it changed would be lost among them.
pub fn live_text(graph: &Graph) -> String {
    let mut graph = graph.clone();
    graph.assigns.values_mut().for_each(weft_tensor::Assignment::drop_unreachable);
    weft_tensor::print(&graph)
}
