//! `weft check`: says what is wrong with a program and runs nothing.

use crate::args::{ModuleArgs, ProgramArgs, SourceArgs};
use crate::console::Console;
use crate::emit::{self, EmitArg};
use crate::limits::default_memory;
use crate::progress;
use crate::source::{self, Chosen, Source};
use crate::status::Status;
use clap::Args;
use std::collections::BTreeMap;
use std::path::Path;
use weft::{Checked, Options, RunOptions, Session};

/// Says what is wrong with a program, and runs nothing
#[derive(Args, Debug)]
#[command(override_usage = "weft check [OPTIONS] [FILE | --code <CODE>]")]
pub struct CheckArgs {
    #[command(flatten)]
    pub source: SourceArgs,
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Write one stage of the compiler as text
    #[arg(long, value_enum, value_name = "STAGE")]
    pub emit: Option<EmitArg>,
    /// Compute what the program reads of every derivative, and compare it with central
    /// differences around the program's own inputs
    #[arg(long, conflicts_with = "emit")]
    pub grad: bool,
}

/// Checks a program.
pub fn check(args: &CheckArgs, console: &mut Console) -> Status {
    let mut session = Session::new();
    let loaded = match load(&mut session, &args.source, &args.program, console) {
        Ok(loaded) => loaded,
        Err(status) => return status,
    };
    if let Some(stage) = args.emit {
        let how = RunOptions {
            memory_limit: default_memory(),
            show_result: true,
            ..RunOptions::default()
        };
        return emit::emit(stage, (&mut session, &loaded), &how, &|_| false, console);
    }
    if let (true, Some(program)) = (args.grad, &loaded.checked) {
        return gradients(&mut session, program, &loaded.options, console);
    }
    let status = if loaded.checked.is_some() { Status::Done } else { Status::Failed };
    // The process ends: what the system takes back at once need not be freed piece by piece.
    std::mem::forget(loaded);
    status
}

/// Says of each derivative how it compares with differences.
fn gradients(
    session: &mut Session,
    program: &Checked,
    options: &Options,
    console: &mut Console,
) -> Status {
    let mut steps = progress::Steps::new(console);
    let checks = session.watch_gradients(program, options, &mut |done, all| steps.at(done, all));
    steps.end();
    let checks = match checks {
        Ok(checks) => checks,
        Err(weft::RunError::Diagnostic(d)) => {
            console.diagnose(&[*d], &session.sources);
            return Status::Failed;
        }
        Err(_) => return Status::Failed,
    };
    for c in &checks {
        crate::console::say(&gradient_line(session, c));
    }
    if checks.iter().all(weft::GradientCheck::agrees) { Status::Done } else { Status::Failed }
}

/// `ok: @y / @x at line 3: 12 entries, the worst off by 1.2e-11, within the 3.0e-10 that …`.
fn gradient_line(session: &Session, c: &weft::GradientCheck) -> String {
    let verdict = match (c.agrees(), c.unjudged) {
        (false, _) => "wrong",
        (true, 0) => "ok",
        (true, _) => "not judged",
    };
    let line =
        c.span.map_or(String::new(), |s| format!(" at line {}", session.sources.line_col(s).line));
    let worst = c.worst.as_ref().map_or(String::new(), worst_entry);
    let unjudged = c.first_unjudged.as_ref().map_or(String::new(), |first| {
        format!(
            "; {} of them not judged by differences, the first {:?}: {}",
            c.unjudged,
            first.cell,
            first.why.text()
        )
    });
    format!("{verdict}: {}{line}: {} entries{worst}{unjudged}", c.name, c.entries)
}

fn worst_entry(w: &weft::WorstEntry) -> String {
    let against = match w.step {
        Some(step) => format!("differences of step {step:.0e} give {}", w.expected),
        None => format!("the sweep of the other direction gives {}", w.expected),
    };
    let own = match (w.step, w.error == 0.0) {
        (None, _) => String::new(),
        (_, true) => format!(", within the {:.1e} that differences are uncertain by", w.uncertain),
        (_, false) => format!(", of which differences explain {:.1e}", w.uncertain),
    };
    format!(
        ", the worst off by {:.1e}{own} ({} sweep, entry {:?}: {} where {against})",
        w.apart, w.sweep, w.cell, w.found
    )
}

/// A program that was read and checked.
pub struct Loaded {
    pub source: Source,
    pub options: Options,
    /// Nothing where the program was refused.
    pub checked: Option<Checked>,
}

/// Reads and checks a program, and says what was found.
pub fn load(
    session: &mut Session,
    source: &SourceArgs,
    program: &ProgramArgs,
    console: &mut Console,
) -> Result<Loaded, Status> {
    program.modules.must_be_there(console)?;
    let Chosen { source, root } = &source::chosen(source)?;
    let options = Options {
        given: given(program)?,
        verify: program.verify,
        modules: modules(source, &program.modules, root.as_deref()),
        lints: program.lints.levels(),
        semantics: weft::Semantics { strict_fp: false, overflow: program.integers.overflow.into() },
    };
    let source = source::read(source).map_err(|d| {
        console.diagnose(&[d], &session.sources);
        Status::Failed
    })?;
    console.progress(|| format!("weft: checking {}", source.name));
    let (checked, diagnostics) = session.check(&source.name, &source.text, &options);
    console.diagnose(&diagnostics.sorted(), &session.sources);
    Ok(Loaded { source, options, checked })
}

/// Modules lie beside the program's file; beside a program without a file, in the working
/// directory; those of a project's entry in its folder.
fn modules(source: &SourceArgs, args: &ModuleArgs, root: Option<&Path>) -> weft::Modules {
    let entry = source.file.clone().filter(|f| f.as_os_str() != "-");
    let beside = root.or(entry.as_deref().and_then(Path::parent)).unwrap_or(Path::new(""));
    weft::Modules {
        root: Some(args.root.clone().unwrap_or_else(|| beside.to_path_buf())),
        library: args.library.clone(),
        entry,
        ..weft::Modules::default()
    }
}

fn given(program: &ProgramArgs) -> Result<BTreeMap<String, weft::Given>, Status> {
    let mut given = BTreeMap::new();
    for (name, value) in &program.inputs {
        if given.insert(name.clone(), value.clone()).is_some() {
            crate::console::say(&format!("error: `--input {name}=…` is given twice"));
            return Err(Status::Usage);
        }
    }
    Ok(given)
}
