//! The way itself.

use crate::compiled::{Compiled, Part, Timings};
use crate::memory::plan_within;
use crate::options::{Checkpoints, CompileOptions, Division, Manner, Request};
use std::ops::Range;
use std::time::Instant;
use weft_plan::{Plan, Refusal, Request as PlanRequest};
use weft_schedule::{Kernel, Machine, Strategy, lower, lower_part};

/// The most parts that a routine is divided into.
const MOST_PARTS: usize = 64;

/// A routine for a request.
///
/// # Errors
///
/// A recurrence for which no order is found.
pub fn compile(
    request: &Request<'_>,
    manner: Manner,
    division: Division,
    options: &CompileOptions,
) -> Result<Compiled, Refusal> {
    let begin = Instant::now();
    let plan = planned(request, manner, options)?;
    let planned = begin.elapsed();
    let begin = Instant::now();
    let skip = options.passes.skip.iter().filter_map(|name| Strategy::named(name)).collect();
    let machine = Machine { integers: manner.integers, skip, ..options.machine };
    let kernels = match division {
        Division::ByDefinition => by_definition(&plan, machine),
        Division::Whole => vec![(0..plan.items.len(), lower(&plan, "segment", machine))],
    };
    let timings = Timings { plan: planned, lower: begin.elapsed() };
    let parts = kernels.into_iter().map(|(items, k)| Part::new(&plan, items, k)).collect();
    Ok(Compiled { plan, parts, timings, machine })
}

fn planned(
    request: &Request<'_>,
    manner: Manner,
    options: &CompileOptions,
) -> Result<Plan, Refusal> {
    let &Request { graph, observed, stored, likely } = request;
    let plan_options = options.plan_options(manner, likely);
    let simplified = PlanRequest::new(graph, observed, stored, &plan_options);
    match options.checkpoints {
        Checkpoints::Always(_) => simplified.plan(),
        Checkpoints::AsNeeded => {
            let params = graph.param_values(likely);
            plan_within(&simplified, &plan_options, &params, options.memory)
        }
    }
}

fn by_definition(plan: &Plan, machine: Machine) -> Vec<(Range<usize>, Kernel)> {
    let count = plan.items.len();
    let each = count.div_ceil(MOST_PARTS).max(1);
    let ranges = (0..count.max(1)).step_by(each).map(|from| from..count.min(from + each));
    let named = |(i, items): (usize, Range<usize>)| {
        (items.clone(), lower_part(plan, &format!("segment{i}"), machine, items))
    };
    ranges.enumerate().map(named).collect()
}
