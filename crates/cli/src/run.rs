//! `weft run`: checks a program, runs it, writes what was asked for.

use crate::args::{ExecutionArgs, ProgramArgs, SourceArgs, TierArg, parse_switch, parse_wanted};
use crate::check::{Loaded, load};
use crate::console::{self, Console};
use crate::emit::{self, EmitArg};
use crate::limits;
use crate::machine;
use crate::passes::PassArgs;
use crate::progress;
use crate::status::Status;
use clap::{ArgAction, Args};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use weft::{Checked, Outputs, RunError, RunOptions, Session, Watched};

/// Checks and runs a program, and prints its value
#[derive(Args, Debug)]
#[command(override_usage = "weft run [OPTIONS] [FILE | --code <CODE>]")]
pub struct RunArgs {
    #[command(flatten)]
    pub source: SourceArgs,
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Also compute a top-level `let`; into a file where one is named, else it is printed, and
    /// what the program prints goes to standard error
    #[arg(short, long = "output", value_name = "NAME[=FILE.npy]", value_parser = parse_wanted)]
    pub outputs: Vec<(String, Option<PathBuf>)>,
    /// Write every top-level `let` (or those of `--output`) into files of this directory
    #[arg(long, value_name = "DIR", env = "WEFT_OUT_DIR", hide_env_values = true)]
    pub out_dir: Option<PathBuf>,
    /// Write one stage of the compiler as text, and run nothing
    #[arg(long, value_enum, value_name = "STAGE")]
    pub emit: Option<EmitArg>,
    #[command(flatten)]
    pub execution: ExecutionArgs,
    /// Stop where finite numbers make a NaN or an infinity; the evaluator computes then
    #[arg(long, help_heading = "Execution", env = "WEFT_TRAP_NAN", hide_env_values = true)]
    #[arg(action = ArgAction::SetTrue, value_parser = parse_switch)]
    pub trap_nan: bool,
    /// Say each cell of a definition when it is computed, on standard error; the evaluator
    /// computes then
    #[arg(long = "watch", help_heading = "Execution", value_name = "NAME")]
    pub watched: Vec<String>,
    #[command(flatten)]
    pub passes: PassArgs,
}

/// Runs a program.
pub fn run(args: &RunArgs, console: &mut Console) -> Status {
    let started = Instant::now();
    let mut session = Session::new();
    if let Some(status) = outputs_collide(args).or_else(|| needs_evaluator(args)) {
        return status;
    }
    args.execution.watch.prepare(&mut session, console);
    let mut loaded = match load(&mut session, &args.source, &args.program, console) {
        Ok(loaded) => loaded,
        Err(status) => return status,
    };
    loaded.options.semantics.strict_fp = args.execution.strict_fp;
    let how = run_options(args, console);
    let wanted = |name: &str| is_wanted(args, name);
    if let Some(stage) = args.emit {
        return emit::emit(stage, (&mut session, &loaded), &how, &wanted, console);
    }
    let checked_in = started.elapsed();
    let Some(checked) = &loaded.checked else { return Status::Failed };
    if !args.passes.print_after.is_empty() {
        return PassArgs::print(&session, (checked, &loaded.options), &how, &wanted, console);
    }
    let status = match execute((args, &how), &mut session, checked, &loaded, console) {
        Ok(()) => Status::Done,
        Err(e) => failed(e, &session, console),
    };
    let status = match args.execution.watch.write(&session) {
        Err(unwritten) if status == Status::Done => unwritten,
        _ => status,
    };
    if args.execution.time {
        report_times(checked_in, started.elapsed());
    }
    status
}

/// Wrong usage where machine code is asked to tell of single cells.
fn needs_evaluator(args: &RunArgs) -> Option<Status> {
    let flag = match (args.trap_nan, args.watched.is_empty()) {
        (true, _) => "--trap-nan",
        (false, false) => "--watch",
        (false, true) => return None,
    };
    if args.execution.tier != TierArg::Native {
        return None;
    }
    console::say(&format!("error: `{flag}` goes cell by cell, which `--tier native` does not"));
    Some(Status::Usage)
}

fn run_options<'a>(args: &'a RunArgs, console: &Console) -> RunOptions<'a> {
    let watched = Watched { names: &args.watched, tell: &console::say };
    RunOptions {
        tier: args.execution.tier.into(),
        cpu: args.execution.cpu.into(),
        opt: weft::OptLevel::Full,
        verify: args.program.verify,
        memory_limit: args.execution.memory_limit.unwrap_or_else(limits::default_memory),
        time: args.execution.time,
        time_passes: args.passes.time_passes,
        passes: args.passes.options(args.program.verify),
        trap_nan: args.trap_nan,
        watch: (!args.watched.is_empty()).then_some(watched),
        show_result: !console.quiet,
        threads: args.execution.machine.thread_count(),
        interrupt: Some(weft::interrupt::flag()),
        ..RunOptions::default()
    }
}

fn execute(
    (args, how): (&RunArgs, &RunOptions<'_>),
    session: &mut Session,
    checked: &Checked,
    loaded: &Loaded,
    console: &mut Console,
) -> Result<(), RunError> {
    for (name, _) in &args.outputs {
        checked.staged.require_output(name)?;
    }
    args.execution.machine.prepare(session, console);
    progress::prepare(console);
    console.progress(|| {
        format!("weft: running on tier {:?}, memory limit {} bytes", how.tier, how.memory_limit)
    });
    let wanted = |name: &str| is_wanted(args, name);
    let outputs = match prints_outputs(args) {
        true => {
            let own = &mut std::io::stderr();
            session.run(checked, &loaded.options, how, &wanted, own)
        }
        false => session.run(checked, &loaded.options, how, &wanted, console.out()),
    };
    report_times_of(session);
    machine::report_trouble(session, console);
    let outputs = outputs?;
    show(args, &outputs, console).map_err(RunError::Output)?;
    write_files(args, &outputs)
}

fn is_wanted(args: &RunArgs, name: &str) -> bool {
    let named = args.outputs.iter().any(|(n, _)| n == name);
    named || (args.out_dir.is_some() && args.outputs.is_empty())
}

/// Whether outputs are printed: those with neither a file nor a directory. They have standard
/// output for themselves.
fn prints_outputs(args: &RunArgs) -> bool {
    args.out_dir.is_none() && args.outputs.iter().any(|(_, file)| file.is_none())
}

fn show(args: &RunArgs, outputs: &Outputs, console: &mut Console) -> std::io::Result<()> {
    if !prints_outputs(args) {
        return Ok(());
    }
    for (name, _) in args.outputs.iter().filter(|(_, file)| file.is_none()) {
        let value = outputs.named.iter().find(|(n, _)| n.as_str() == name);
        let text = value.map_or(String::new(), |(_, v)| weft::named_text(name, v));
        console.out().write_all(text.as_bytes())?;
    }
    Ok(())
}

/// The outputs that go to files of their own.
fn output_files(args: &RunArgs) -> Vec<(String, PathBuf)> {
    args.outputs.iter().filter_map(|(n, f)| Some((n.clone(), f.clone()?))).collect()
}

/// Wrong usage where two outputs go to one file, under whatever names.
fn outputs_collide(args: &RunArgs) -> Option<Status> {
    let mut files = output_files(args);
    if let Some(dir) = &args.out_dir {
        let names = args.outputs.iter().map(|(n, _)| n);
        let beside: BTreeSet<&String> = names.collect();
        files.extend(beside.into_iter().map(|n| (n.clone(), dir.join(format!("{n}.npy")))));
    }
    let (a, b) = weft::one_file_twice(&files)?;
    console::say(&match a == b {
        true => format!("error: `--output {a}` goes to one file twice"),
        false => format!("error: `--output {a}` and `--output {b}` go to one file"),
    });
    Some(Status::Usage)
}

fn write_files(args: &RunArgs, outputs: &Outputs) -> Result<(), RunError> {
    let files = output_files(args);
    if files.is_empty() && args.out_dir.is_none() {
        return Ok(());
    }
    let interrupt = Some(weft::interrupt::flag());
    weft::write_outputs(outputs, args.out_dir.as_deref(), &files, interrupt)
}

/// Says why a run failed.
pub fn failed(e: RunError, session: &Session, console: &mut Console) -> Status {
    match e {
        RunError::Diagnostic(d) => {
            console.diagnose(&[*d], &session.sources);
            Status::Failed
        }
        RunError::Interrupted => {
            console::interrupted();
            Status::Interrupted
        }
        RunError::Output(e) => Status::of_write_error(&e),
    }
}

/// Where the time of a run went, if that was asked for.
pub fn report_times_of(session: &Session) {
    session.times().iter().for_each(|line| console::say(&format!("time: {line}")));
}

fn report_times(checked: Duration, total: Duration) {
    let ms = |d: Duration| d.as_secs_f64() * 1e3;
    console::say(&format!(
        "time: check {:.2} ms, run {:.2} ms, total {:.2} ms",
        ms(checked),
        ms(total.saturating_sub(checked)),
        ms(total)
    ));
}
