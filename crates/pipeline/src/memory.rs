//! A plan that fits the memory: histories are computed again from kept steps where that takes
//! less.

use std::collections::BTreeMap;
use weft_base::entity::PrimaryMap;
use weft_plan::{Plan, PlanOptions, Refusal, Request, Segments};
use weft_shape::Param;
use weft_target::BEYOND_CACHES;

/// Segments within segments, at most: memory is then about the fifth root of the steps.
const MOST_LEVELS: usize = 4;

/// Steps of the shortest segment worth its overhead.
const LEAST_SEGMENT: i64 = 16;

/// The plan of a request; where its buffers take more than `limit` bytes with these parameters,
/// histories are computed again from kept steps, if that takes less. So are histories beyond
/// the caches whose steps take little to compute.
pub(crate) fn plan_within(
    request: &Request<'_>,
    options: &PlanOptions,
    params: &PrimaryMap<Param, i64>,
    limit: u64,
) -> Result<Plan, Refusal> {
    let whole = request.plan()?;
    let bytes = |plan: &Plan| plan.bind(params, None).map(|b| b.peak_bytes);
    let Ok(needed) = bytes(&whole) else { return Ok(whole) };
    let likely: BTreeMap<Param, i64> = params.iter().map(|(p, n)| (p, *n)).collect();
    let divided = |levels, light| {
        let checkpoints = Some(Segments { least: LEAST_SEGMENT, levels, light });
        let options = PlanOptions { likely: likely.clone(), checkpoints, ..options.clone() };
        let divided = request.plan_as(&options).ok()?;
        let needed = bytes(&divided).ok()?;
        Some((divided, needed))
    };
    if needed <= limit {
        let saves = |least: u64| needed - least.min(needed) >= BEYOND_CACHES;
        let sooner = (needed >= BEYOND_CACHES).then(|| divided(1, true)).flatten();
        return Ok(sooner.filter(|(_, least)| saves(*least)).map_or(whole, |(plan, _)| plan));
    }
    let (mut best, mut least) = (whole, needed);
    for levels in 1..=MOST_LEVELS {
        let Some((divided, needed)) = divided(levels, false) else { break };
        if needed >= least {
            break;
        }
        (best, least) = (divided, needed);
        if needed <= limit {
            break;
        }
    }
    Ok(best)
}
