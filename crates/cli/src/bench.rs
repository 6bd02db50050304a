//! `weft bench`: how long a program takes, once it is compiled.

use crate::args::{ExecutionArgs, ProgramArgs, SourceArgs};
use crate::check::load;
use crate::console::{self, Console};
use crate::limits;
use crate::machine;
use crate::run::failed;
use crate::status::Status;
use clap::Args;
use std::time::{Duration, Instant};
use weft::{BenchReport, Checked, Options, RunError, RunOptions, Session, Tier};

/// Measures how long a program takes, once it is compiled
///
/// What the program observes is computed again and again, on inputs that stay in memory.
/// A run includes memory for its results, not compilation; two runs to warm up are not
/// counted. What the program prints is dropped. `flops` are operations on floats of machine
/// code; those on integers, and the evaluator's, are not counted.
#[derive(Args, Debug)]
#[command(override_usage = "weft bench [OPTIONS] [FILE | --code <CODE>]")]
pub struct BenchArgs {
    #[command(flatten)]
    pub source: SourceArgs,
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Measure this top-level `let` alone, and not what the program prints
    #[arg(short, long = "output", value_name = "NAME")]
    pub outputs: Vec<String>,
    /// Repeat for about this long
    #[arg(long, value_name = "S", default_value = "1", value_parser = parse_seconds)]
    pub seconds: Duration,
    /// Write one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub execution: ExecutionArgs,
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("`{text}` is no number of seconds"))?;
    Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())
}

/// Measures a program.
pub fn bench(args: &BenchArgs, console: &mut Console) -> Status {
    if args.execution.time || args.execution.watch.trace.is_some() {
        console::say("error: `--time` and `--trace` look at one run; use `weft run`");
        return Status::Usage;
    }
    let mut session = Session::new();
    args.execution.watch.prepare(&mut session, console);
    let started = Instant::now();
    let mut loaded = match load(&mut session, &args.source, &args.program, console) {
        Ok(loaded) => loaded,
        Err(status) => return status,
    };
    let checked_in = started.elapsed();
    loaded.options.semantics.strict_fp = args.execution.strict_fp;
    let Some(checked) = &loaded.checked else { return Status::Failed };
    let report = measure(args, &mut session, checked, &loaded.options, console);
    machine::report_trouble(&session, console);
    let text = match report {
        Ok(report) if args.json => json(&report, checked_in),
        Ok(report) => table(&report),
        Err(e) => return failed(e, &session, console),
    };
    match console.out().write_all(text.as_bytes()) {
        Ok(()) => Status::Done,
        Err(e) => Status::of_write_error(&e),
    }
}

fn measure(
    args: &BenchArgs,
    session: &mut Session,
    checked: &Checked,
    options: &Options,
    console: &Console,
) -> Result<BenchReport, RunError> {
    for name in &args.outputs {
        checked.staged.require_output(name)?;
    }
    args.execution.machine.prepare(session, console);
    let how = RunOptions {
        tier: args.execution.tier.into(),
        cpu: args.execution.cpu.into(),
        verify: args.program.verify,
        memory_limit: args.execution.memory_limit.unwrap_or_else(limits::default_memory),
        threads: args.execution.machine.thread_count(),
        interrupt: Some(weft::interrupt::flag()),
        ..RunOptions::default()
    };
    session.bench(checked, options, &how, &args.outputs, args.seconds)
}

fn json(report: &BenchReport, checked_in: Duration) -> String {
    let (min, median, max) = report.spread_ms();
    let segments: Vec<serde_json::Value> = report
        .segments
        .iter()
        .map(|s| serde_json::json!({ "observes": s.names, "tier": s.tier.name() }))
        .collect();
    let object = serde_json::json!({
        "compile_ms": report.compile_ms,
        "passes": {
            "check_ms": checked_in.as_secs_f64() * 1e3,
            "plan_ms": report.passes.plan_ms,
            "lower_ms": report.passes.lower_ms,
            "code_ms": report.passes.code_ms,
        },
        "first_run_ms": report.first_run_ms,
        "min_ms": min,
        "median_ms": median,
        "max_ms": max,
        "runs": report.runs_ms.len(),
        "threads": report.threads,
        "peak_bytes": report.peak_bytes,
        "flops": report.flops,
        "bytes": report.bytes,
        "segments": segments,
    });
    format!("{object}\n")
}

/// What machine code does, and at what pace.
fn counted(report: &BenchReport, per_second: f64) -> String {
    let BenchReport { flops, bytes, .. } = report;
    let pace = |n: u64| n as f64 * per_second / 1e9;
    match (report.segments.iter().any(|s| s.tier == Tier::Native), flops) {
        (false, _) => "flops   not counted, the evaluator computes".to_string(),
        (true, 0) => {
            format!(
                "flops   0 (of floats; others are not counted), bytes {bytes} ({:.2} GB/s)",
                pace(*bytes)
            )
        }
        (true, _) => format!(
            "flops   {flops} ({:.2} G/s), bytes {bytes} ({:.2} GB/s)",
            pace(*flops),
            pace(*bytes)
        ),
    }
}

fn table(report: &BenchReport) -> String {
    if report.segments.is_empty() {
        return "nothing to measure: the program prints nothing and has no result\n\
                help: say what is wanted with `--output NAME`\n"
            .to_string();
    }
    let (min, median, max) = report.spread_ms();
    let BenchReport { compile_ms, first_run_ms, threads, peak_bytes, .. } = report;
    let runs = report.runs_ms.len();
    let mut text = format!(
        "compile {compile_ms:.3} ms, first run {first_run_ms:.3} ms\n\
         run     {median:.4} ms ({min:.4} to {max:.4} in {runs} runs, threads {threads})\n\
         {}, peak {peak_bytes} bytes\n",
        counted(report, 1e3 / median),
    );
    for s in &report.segments {
        text.push_str(&format!("{:<9} {}\n", s.tier.name(), s.names.join(", ")));
    }
    text
}
