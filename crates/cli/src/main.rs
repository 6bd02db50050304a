//! The `weft` command: reads the command line, runs one subcommand, ends with its status.
//!
//! Holds nothing of the language. What a program means and how it runs is the facade's;
//! this crate knows arguments, files, streams and exit statuses.

mod args;
mod bench;
mod cache;
mod check;
mod console;
mod emit;
mod explain;
mod fmt;
mod limits;
mod machine;
mod new;
mod panics;
mod passes;
mod progress;
mod project;
mod run;
mod source;
mod status;
mod test;
mod watch;

use args::{Cli, Command};
use clap::Parser;
use clap::error::{ContextKind, ContextValue};
use console::Console;
use status::Status;
use std::process::ExitCode;
use weft_stubs as _;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Deep programs recurse deeply: this much address space (not memory) is set aside.
const STACK_BYTES: usize = 256 << 20;

fn main() -> ExitCode {
    let cli = match Cli::try_parse_from(args::with_run(std::env::args_os())) {
        Ok(cli) => cli,
        Err(e) => return usage(&e).into(),
    };
    panics::report_as_internal_errors();
    // Fails only where something else has taken Ctrl-C, which then ends the process.
    let _ = weft::interrupt::install(console::interrupted);
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || command(cli));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) => status.into(),
        Ok(Err(_)) => Status::Internal.into(),
        Err(e) => {
            console::say(&format!("error: cannot start a thread: {e}"));
            Status::Failed.into()
        }
    }
}

/// Help and version go to stdout and are no failure; the rest is wrong usage.
fn usage(e: &clap::Error) -> Status {
    if let Some(ContextValue::String(name)) = e.get(ContextKind::InvalidSubcommand) {
        console::say(&args::no_command(name));
        return Status::Usage;
    }
    let shown = e.print();
    match (e.exit_code(), shown) {
        (0, Err(e)) => Status::of_write_error(&e),
        (0, Ok(())) => Status::Done,
        _ => Status::Usage,
    }
}

fn command(cli: Cli) -> Status {
    let mut console = Console::new(&cli.console);
    let status = match &cli.command {
        Command::Run(args) => run::run(args, &mut console),
        Command::Check(args) => check::check(args, &mut console),
        Command::Explain(args) => explain::explain(args, &mut console),
        Command::Bench(args) => bench::bench(args, &mut console),
        Command::Cache(args) => cache::cache(args, &mut console),
        Command::Fmt(args) => fmt::fmt(args, &mut console),
        Command::New(args) => new::new(args, &mut console),
        Command::Test(args) => test::test(args, &mut console),
    };
    match console.finish() {
        Err(e) if status == Status::Done => Status::of_write_error(&e),
        _ => status,
    }
}
