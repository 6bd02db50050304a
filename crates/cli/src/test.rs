//! `weft test`: runs the tests of a project.
//!
//! A test is a function `test_…` without parameters, or a file `…_test.ein` without such
//! functions. It passes if it ends; each runs by itself.

use crate::args::{ExecutionArgs, IntegerArgs, LintArgs, ModuleArgs};
use crate::console::{self, Console};
use crate::limits;
use crate::project::{self, Project, programs_below};
use crate::run::report_times_of;
use crate::source;
use crate::status::Status;
use clap::Args;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use weft::diag::Diagnostic;
use weft::{Modules, Options, RunError, RunOptions, Session};

/// Runs the tests of a project
///
/// Tests are functions `test_…` without parameters, in any file, and files `…_test.ein`. A
/// test passes if it runs to its end; what it prints is shown only where it fails.
#[derive(Args, Debug)]
pub struct TestArgs {
    /// Files or folders; without any the project around the working directory
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Only tests whose names contain this
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub filter: String,
    /// Name the tests, and run none
    #[arg(long)]
    pub list: bool,
    #[command(flatten)]
    pub modules: ModuleArgs,
    #[command(flatten)]
    pub lints: LintArgs,
    #[command(flatten)]
    pub integers: IntegerArgs,
    #[command(flatten)]
    pub execution: ExecutionArgs,
}

/// A test: a text to run, where its modules are, and what it is called.
struct Test {
    name: String,
    file: String,
    text: String,
    modules: Modules,
}

/// Runs tests, and says how they went.
pub fn test(args: &TestArgs, console: &mut Console) -> Status {
    if let Err(status) = args.modules.must_be_there(console) {
        return status;
    }
    let tests = match collect(args, console) {
        Ok(tests) => tests,
        Err(status) => return status,
    };
    let all = tests.len();
    let chosen: Vec<&Test> = tests.iter().filter(|t| t.name.contains(&args.filter)).collect();
    if chosen.is_empty() && !args.filter.is_empty() {
        console::say(&format!("error: of {all} tests none has `{}` in its name", args.filter));
        return Status::Failed;
    }
    if args.list {
        let names = chosen.iter().map(|t| format!("{}\n", t.name));
        return written(console, &names.collect::<String>());
    }
    let started = Instant::now();
    let mut failed = Vec::new();
    for test in &chosen {
        let passed = match run(test, args, console) {
            Ok(passed) => passed,
            Err(status) => return status,
        };
        if !passed {
            failed.push(test.name.as_str());
        }
        let word = if passed { "ok" } else { "FAILED" };
        let status = written(console, &format!("test {} ... {word}\n", test.name));
        if status != Status::Done {
            return status;
        }
    }
    let summary = summary(chosen.len(), all, &failed, started.elapsed().as_secs_f64());
    match written(console, &summary) {
        Status::Done if !failed.is_empty() => Status::Failed,
        status => status,
    }
}

fn summary(ran: usize, all: usize, failed: &[&str], seconds: f64) -> String {
    let mut text = String::new();
    if !failed.is_empty() {
        text.push_str("\nfailures:\n");
        failed.iter().for_each(|name| text.push_str(&format!("    {name}\n")));
    }
    let word = if failed.is_empty() { "ok" } else { "FAILED" };
    let (passed, left) = (ran - failed.len(), all - ran);
    text + &format!(
        "\ntest result: {word}. {passed} passed; {} failed; {left} filtered out; finished in {seconds:.2}s\n",
        failed.len()
    )
}

fn written(console: &mut Console, text: &str) -> Status {
    match console.out().write_all(text.as_bytes()).and_then(|()| console.out().flush()) {
        Ok(()) => Status::Done,
        Err(e) => Status::of_write_error(&e),
    }
}

/// Every test of the files asked for, in the order of the files and of their texts.
fn collect(args: &TestArgs, console: &mut Console) -> Result<Vec<Test>, Status> {
    let here = [PathBuf::from(".")];
    let paths = if args.paths.is_empty() { &here[..] } else { &args.paths };
    let mut tests = Vec::new();
    for path in paths {
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new(".")) };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let project = project::find(folder).map_err(|e| {
            console::say(&format!("error: {e}"));
            Status::Failed
        })?;
        let files = match (path.is_dir(), &project) {
            (true, Some(p)) if args.paths.is_empty() => programs_below(&p.folder),
            (true, _) => programs_below(path),
            (false, _) => vec![path.clone()],
        };
        for file in files {
            let named = !path.is_dir();
            of_file(&file, named, folder, project.as_ref(), args, console, &mut tests)?;
        }
    }
    Ok(tests)
}

/// The tests of a file.
fn of_file(
    file: &Path,
    named: bool,
    folder: &Path,
    project: Option<&Project>,
    args: &TestArgs,
    console: &mut Console,
    tests: &mut Vec<Test>,
) -> Result<(), Status> {
    let source = source::read_file(file).map_err(|d| {
        console.diagnose(&[d], &weft::SourceMap::new());
        Status::Failed
    })?;
    let root = args.modules.root.clone();
    let root = root.or(project.map(|p| p.folder.clone())).unwrap_or(folder.to_path_buf());
    let below = below(file, &root);
    let shown = below.as_deref().unwrap_or(file).display().to_string();
    let functions = weft::test_functions(&source.text);
    let whole = file.file_stem().is_some_and(|s| s.to_string_lossy().ends_with("_test"));
    let entry = project.is_some_and(|p| same_file(&p.entry, file));
    let modules = Modules {
        root: Some(root),
        library: args.modules.library.clone(),
        entry: Some(file.to_path_buf()),
        foreign: Vec::new(),
        overlays: BTreeMap::new(),
    };
    if whole && functions.is_empty() {
        let (file, text) = (source.name.clone(), source.text.clone());
        tests.push(Test { name: shown, file, text, modules });
        return Ok(());
    }
    let path = below.as_deref().and_then(module_path);
    for function in functions {
        let name = format!("{shown}::{function}");
        tests.push(match (&path, &below) {
            (Some(path), Some(below)) if !(whole || entry || named) => {
                in_module(name, &source, &function, path, below, &modules)
            }
            _ => Test {
                name,
                file: source.name.clone(),
                text: format!("{}\n{function}();\n", source.text),
                modules: modules.clone(),
            },
        });
    }
    Ok(())
}

/// A test function of a module, called from inside it: it need not be public.
fn in_module(
    name: String,
    source: &source::Source,
    function: &str,
    path: &str,
    below: &Path,
    modules: &Modules,
) -> Test {
    let text = format!("{}\npub fn weft_runs_a_test() {{ {function}(); }}\n", source.text);
    let mut modules = Modules { entry: None, ..modules.clone() };
    modules.overlays.insert(below.to_path_buf(), text);
    Test { name, file: "<test>".into(), text: format!("{path}::weft_runs_a_test();"), modules }
}

/// The path of a module's file below the root.
fn below(file: &Path, root: &Path) -> Option<PathBuf> {
    let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
    let file = std::fs::canonicalize(file).ok()?;
    let root = std::fs::canonicalize(root).ok()?;
    file.strip_prefix(root).ok().map(Path::to_path_buf)
}

/// `a/b.ein` as `a::b`; nothing where a part is no name.
fn module_path(file: &Path) -> Option<String> {
    let file = file.with_extension("");
    let mut parts: Vec<String> =
        file.components().map(|c| c.as_os_str().to_string_lossy().into_owned()).collect();
    if parts.len() > 1 && parts.last().is_some_and(|p| p == "mod") {
        parts.pop();
    }
    let name = |p: &String| {
        p.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && p.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    parts.iter().all(name).then(|| parts.join("::"))
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (std::fs::canonicalize(a), std::fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// Runs a test; whether it passes. An interrupt ends all.
fn run(test: &Test, args: &TestArgs, console: &mut Console) -> Result<bool, Status> {
    let mut session = Session::new();
    let options = Options {
        modules: test.modules.clone(),
        lints: args.lints.levels(),
        semantics: weft::Semantics {
            strict_fp: args.execution.strict_fp,
            overflow: args.integers.overflow.into(),
        },
        ..Options::default()
    };
    let mut printed = Vec::new();
    let (checked, diagnostics) = session.check(&test.file, &test.text, &options);
    let Some(program) = checked else {
        let errors: Vec<Diagnostic> =
            diagnostics.sorted().into_iter().filter(Diagnostic::is_error).collect();
        console.diagnose(&errors, &session.sources);
        return Ok(false);
    };
    let how = RunOptions {
        tier: args.execution.tier.into(),
        cpu: args.execution.cpu.into(),
        memory_limit: args.execution.memory_limit.unwrap_or_else(limits::default_memory),
        time: args.execution.time,
        threads: args.execution.machine.thread_count(),
        interrupt: Some(weft::interrupt::flag()),
        ..RunOptions::default()
    };
    args.execution.machine.prepare(&mut session, console);
    let ended = session.run(&program, &options, &how, &|_| false, &mut printed);
    report_times_of(&session);
    match ended {
        Ok(_) => Ok(true),
        Err(RunError::Interrupted) => {
            console::interrupted();
            Err(Status::Interrupted)
        }
        Err(RunError::Output(e)) => Err(Status::of_write_error(&e)),
        Err(RunError::Diagnostic(d)) => {
            let _ = console.out().write_all(&printed);
            console.diagnose(&[*d], &session.sources);
            Ok(false)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_named_by_their_files() {
        assert_eq!(module_path(Path::new("a/b.ein")).as_deref(), Some("a::b"));
        assert_eq!(module_path(Path::new("a/mod.ein")).as_deref(), Some("a"));
        assert_eq!(module_path(Path::new("my-file.ein")), None);
    }

    #[test]
    fn the_summary_counts() {
        let text = summary(3, 5, &["b"], 0.5);
        assert!(text.contains("failures:\n    b\n"), "{text}");
        assert!(text.contains("FAILED. 2 passed; 1 failed; 2 filtered out"), "{text}");
        assert!(summary(1, 1, &[], 0.0).contains("ok. 1 passed; 0 failed; 0 filtered out"));
    }
}
