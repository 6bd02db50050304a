//! Measuring a program: the same observations again and again, on inputs that stay where
//! they are.
//!
//! A run is what its observations take: finding extents, memory for results, the
//! computation. Compilation is told apart, and two runs to warm up are not counted.

use crate::files::Changes;
use crate::inputs::bind_inputs;
use crate::session::{Checked, Options, Session};
use std::time::{Duration, Instant};
use weft_executor::{Cost, Observation, RunOptions, Tier, Tiers, Warm};
use weft_host::{Program, RunError, Step};
use weft_tensor::eval::Binding;

/// Runs that are made however long they take.
const LEAST_RUNS: usize = 3;

/// Runs that are enough however short they are.
const MOST_RUNS: usize = 1_000_000;

/// What a program costs. Times are in milliseconds.
#[derive(Debug, Clone)]
pub struct BenchReport {
    /// Planning and making machine code, or finding it.
    pub compile_ms: f64,
    /// The same, pass by pass.
    pub passes: PassTimes,
    /// The first run, without that.
    pub first_run_ms: f64,
    /// Each run that counts, in their order.
    pub runs_ms: Vec<f64>,
    /// Threads that could be used.
    pub threads: usize,
    /// Bytes of tensors that exist at one time.
    pub peak_bytes: u64,
    /// Operations on floats of one run, as compiled; 0 where the evaluator ran.
    pub flops: u64,
    /// Bytes that one run reads and writes at least.
    pub bytes: u64,
    /// What was observed together, in order.
    pub segments: Vec<BenchSegment>,
}

/// What compiling the observations of one run took, in milliseconds.
#[derive(Debug, Clone, Copy, Default)]
pub struct PassTimes {
    /// From the graph to a plan.
    pub plan_ms: f64,
    /// From the plan to loops.
    pub lower_ms: f64,
    /// From loops to machine code, or finding it.
    pub code_ms: f64,
}

impl PassTimes {
    fn of(all: &[Observation]) -> PassTimes {
        let sum = |of: fn(&Cost) -> f64| all.iter().map(|o| of(&o.cost)).sum();
        PassTimes {
            plan_ms: sum(|c| c.plan_ms),
            lower_ms: sum(|c| c.lower_ms),
            code_ms: sum(|c| c.compile_ms),
        }
    }

    fn total(self) -> f64 {
        self.plan_ms + self.lower_ms + self.code_ms
    }
}

/// One observation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchSegment {
    /// The names of what was observed.
    pub names: Vec<String>,
    /// What computed it.
    pub tier: Tier,
}

impl BenchReport {
    /// The least, the median and the greatest time of a run.
    pub fn spread_ms(&self) -> (f64, f64, f64) {
        let mut sorted = self.runs_ms.clone();
        sorted.sort_by(f64::total_cmp);
        (sorted[0], sorted[sorted.len() / 2], sorted[sorted.len() - 1])
    }
}

impl Session {
    /// Measures a program for about so long: what it observes by itself, or only the
    /// top-level names in `outputs` where there are some. What it prints is dropped.
    ///
    /// # Errors
    ///
    /// As a run's.
    pub fn bench(
        &mut self,
        program: &Checked,
        options: &Options,
        how: &RunOptions<'_>,
        outputs: &[String],
        time: Duration,
    ) -> Result<BenchReport, RunError> {
        let binding = bind_inputs(&self.sources, &program.staged, &options.given)?;
        let host = measured(&program.staged.host, outputs);
        let threads = self.threads(how.threads);
        let count = threads.count();
        let mut warm = Warm::once();
        let files = program.staged.files(Changes::LeftOut, how);
        let how = &RunOptions { foreign: Some(&files), ..how.clone() };
        let mut tiers = Tiers::new(
            (options.semantics, how),
            (&self.kernels, &mut warm),
            threads,
            (false, false),
        )?;
        let binding = weft_host::with_defaults(&host, binding, &mut tiers)?;
        let mut one = |first| once(&host, &binding, &mut tiers, outputs, first);
        let first = one(true)?;
        one(false)?;
        let mut report = BenchReport { threads: count, ..first };
        let (start, mut more) = (Instant::now(), true);
        while more {
            report.runs_ms.push(one(false)?.first_run_ms);
            let runs = report.runs_ms.len();
            more = runs < LEAST_RUNS || (start.elapsed() < time && runs < MOST_RUNS);
        }
        Ok(report)
    }
}

/// One run, as the first of a report; counting operations takes time of its own.
fn once(
    host: &Program,
    binding: &Binding,
    tiers: &mut Tiers<'_>,
    outputs: &[String],
    counting: bool,
) -> Result<BenchReport, RunError> {
    tiers.restart(&host.graph, binding, counting);
    let wanted = |name: &str| outputs.iter().any(|o| o == name);
    let show_result = outputs.is_empty();
    let out = &mut std::io::sink();
    weft_host::run(host, binding.clone(), tiers, out, &wanted, show_result)?;
    Ok(summary(&tiers.take_observations()))
}

fn summary(all: &[Observation]) -> BenchReport {
    let passes = PassTimes::of(all);
    let compile_ms = passes.total();
    let total: f64 = all.iter().map(|o| o.ms - o.cost.count_ms).sum();
    BenchReport {
        compile_ms,
        passes,
        first_run_ms: total - compile_ms,
        runs_ms: Vec::new(),
        threads: 0,
        peak_bytes: all.iter().map(|o| o.cost.peak_bytes).max().unwrap_or(0),
        flops: all.iter().map(|o| o.cost.flops).sum(),
        bytes: all.iter().map(|o| o.cost.bytes).sum(),
        segments: all
            .iter()
            .map(|o| BenchSegment { names: o.names.clone(), tier: o.tier })
            .collect(),
    }
}

/// The program without what is not to be measured: where names are asked for, nothing is
/// printed or asserted.
fn measured(host: &Program, outputs: &[String]) -> Program {
    let mut host = host.clone();
    if !outputs.is_empty() {
        host.steps = silent(&host.steps);
    }
    host
}

fn silent(steps: &[Step]) -> Vec<Step> {
    let kept = steps.iter().filter(|s| !matches!(s, Step::Print(_) | Step::Assert { .. }));
    let kept = kept.map(|step| match step {
        Step::If { condition, then, otherwise } => Step::If {
            condition: condition.clone(),
            then: silent(then),
            otherwise: silent(otherwise),
        },
        other => other.clone(),
    });
    kept.collect()
}
