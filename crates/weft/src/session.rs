//! A session: source texts, and programs made of them.

use crate::files::{Changes, Files};
use crate::inputs::{Given, bind_inputs, replace_lets};
use crate::lint::Lints;
use crate::modules::Modules;
use crate::testing::Routine;
use crate::timeline::Timeline;
use crate::timing;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use weft_base::interrupt::{self, Interrupted};
use weft_base::{FileId, Name, SourceMap, Span};
use weft_diag::{Code, Diagnostic, Diagnostics, closest_name};
use weft_executor::{Derivatives, GradientCheck, KernelCache, RunOptions, Tiers, Warm};
use weft_host::{Outputs, RunError};
use weft_pipeline::Semantics;
use weft_runtime::{PerfMap, Store, Threads};
use weft_sema::told_at_call;
use weft_tensor::eval::Binding;

/// Sources and what was said of them.
#[derive(Default)]
pub struct Session {
    /// Every text of the session.
    pub sources: SourceMap,
    pub(crate) kernels: KernelCache,
    /// With how many were asked for.
    threads: Option<(Option<usize>, Threads)>,
    digest: u64,
    pub(crate) routines: Vec<Routine>,
    timeline: Option<Timeline>,
    times: Vec<String>,
}

/// How to check and stage.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Values given by name: for inputs, and in place of top-level `let`s.
    pub given: BTreeMap<String, Given>,
    /// Verify every stage's result.
    pub verify: bool,
    /// What numbers are, where a language may choose.
    pub semantics: Semantics,
    /// Where the program's modules are.
    pub modules: Modules,
    /// How loud lints are.
    pub lints: Lints,
}

/// What runs need of a program that was checked.
#[derive(Debug)]
pub struct Staged {
    /// The file it came from.
    pub file: FileId,
    /// The host program with its graph.
    pub host: weft_host::Program,
    /// The names for which values were given in place of what the program says.
    pub(crate) replaced: BTreeSet<String>,
    /// The files of the library: what fails there is told at the call.
    library: Vec<FileId>,
    /// The folder of the program's file, if it has one.
    folder: Option<PathBuf>,
}

/// A program that was checked and staged, with what is told of it beside its runs.
#[derive(Debug)]
pub struct Checked {
    /// What runs need.
    pub staged: Staged,
    pub(crate) quotients: Vec<weft_grad::Quotient>,
    pub(crate) rules: Vec<weft_grad::Rule>,
    pub(crate) sweeps: Vec<weft_grad::Sweep>,
    pub(crate) reads: Vec<(weft_tensor::TensorId, weft_grad::Pattern)>,
    pub(crate) hir: weft_sema::thir::Program,
}

impl Session {
    /// An empty session.
    pub fn new() -> Session {
        Session::default()
    }

    /// Parses, checks and stages a text. The diagnostics hold warnings, and errors where
    /// there is no program.
    pub fn check(
        &mut self,
        name: &str,
        text: &str,
        options: &Options,
    ) -> (Option<Checked>, Diagnostics) {
        let begin = Instant::now();
        let result = self.check_text(name, text, options);
        if let Some(timeline) = &mut self.timeline {
            timeline.ends("check", name, begin, serde_json::Value::Null);
        }
        result
    }

    /// As [`Session::check`], and given up soon after the flag is set. The session can be used
    /// again, also for the same text.
    ///
    /// # Errors
    ///
    /// Where it was given up.
    pub fn check_unless(
        &mut self,
        flag: &Arc<AtomicBool>,
        name: &str,
        text: &str,
        options: &Options,
    ) -> Result<(Option<Checked>, Diagnostics), Interrupted> {
        interrupt::unless(flag, || self.check(name, text, options))
    }

    fn check_text(
        &mut self,
        name: &str,
        text: &str,
        options: &Options,
    ) -> (Option<Checked>, Diagnostics) {
        let file = self.sources.add(name, text);
        let (checked, diagnostics) = self.front(file, text, options);
        let diagnostics: Diagnostics =
            diagnostics.into_iter().filter_map(|d| options.lints.apply(d)).collect();
        (checked.filter(|_| !diagnostics.has_errors()), diagnostics)
    }

    fn front(
        &mut self,
        file: FileId,
        text: &str,
        options: &Options,
    ) -> (Option<Checked>, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let checked = self.checked(file, text, options, &mut diagnostics);
        if diagnostics.has_errors() {
            return (None, diagnostics);
        }
        match weft_stage::stage(&checked, options.semantics.overflow) {
            Ok(weft_stage::Staged {
                program: host,
                diagnostics: warnings,
                quotients,
                rules,
                sweeps,
                reads,
            }) => {
                diagnostics.extend(warnings);
                if options.verify {
                    verify(&host);
                }
                diagnostics.extend(recurrences(&host, file));
                let replaced = options.given.keys().cloned().collect();
                let library = checked.library.clone();
                let folder = options.modules.folder().map(Path::to_path_buf);
                let staged = Staged { file, host, replaced, library, folder };
                let hir = checked;
                let checked = Checked { staged, quotients, rules, sweeps, reads, hir };
                (Some(checked), diagnostics)
            }
            Err(more) => {
                diagnostics.extend(more);
                (None, diagnostics)
            }
        }
    }

    /// Parses and checks. The trees are gone before what comes next takes memory.
    fn checked(
        &mut self,
        file: FileId,
        text: &str,
        options: &Options,
        diagnostics: &mut Diagnostics,
    ) -> weft_sema::thir::Program {
        let (mut program, mut complaints) = weft_syntax::parse(file, text).into_parts();
        let overrides = replace_lets(&mut program, &options.given, &self.sources, &mut complaints);
        diagnostics.extend(complaints);
        let (checked, more) =
            weft_sema::check(&program, &self.sources, &overrides, &options.modules);
        diagnostics.extend(more);
        checked
    }

    /// An empty session that shares machine code and threads with others.
    pub(crate) fn sharing(kernels: KernelCache, threads: (Option<usize>, Threads)) -> Session {
        Session { kernels, threads: Some(threads), ..Session::default() }
    }

    /// Keeps machine code in a folder, for later sessions too.
    pub fn keep_kernels_in(&mut self, store: Store) {
        self.kernels.set_store(store);
    }

    /// Where the time of the last run went, in lines for people, where the run was asked.
    pub fn times(&self) -> &[String] {
        &self.times
    }

    /// Keeps what happens from now on for a trace.
    pub fn keep_timeline(&mut self) {
        self.timeline.get_or_insert_default();
    }

    /// What happened since [`Session::keep_timeline`], as Chrome's trace viewer reads it.
    pub fn timeline(&self) -> Option<String> {
        self.timeline.as_ref().map(Timeline::json)
    }

    /// Tells system profilers of machine code from now on.
    ///
    /// # Errors
    ///
    /// Where the map that they read cannot be made.
    pub fn tell_profilers(&mut self) -> std::io::Result<()> {
        self.kernels.set_perf_map(PerfMap::new()?);
        Ok(())
    }

    /// Why machine code is not kept on disk, where it should be and is not.
    pub fn cache_trouble(&self) -> Option<String> {
        self.kernels.trouble()
    }

    /// The threads of a run, those of the last one if it asked for as many.
    pub(crate) fn threads(&mut self, count: Option<usize>) -> Threads {
        if let Some((asked, threads)) = &self.threads
            && *asked == count
        {
            return threads.clone();
        }
        let made = count.map_or_else(Threads::default, Threads::new);
        self.threads.insert((count, made)).1.clone()
    }

    /// How many pieces of machine code the session made and keeps.
    pub fn kernel_count(&self) -> usize {
        self.kernels.count()
    }

    /// Runs a program; what it prints goes to `out`.
    pub fn run(
        &mut self,
        program: &Checked,
        options: &Options,
        how: &RunOptions<'_>,
        wanted: &dyn Fn(&str) -> bool,
        out: &mut dyn Write,
    ) -> Result<Outputs, RunError> {
        let staged = &program.staged;
        how.watch.iter().flat_map(|w| w.names).try_for_each(|n| staged.require_tensor(n))?;
        let binding = bind_inputs(&self.sources, staged, &options.given)?;
        let warm = (out, &mut Warm::once());
        let program = (staged, Changes::Made);
        self.run_again(program, binding, (options.semantics, how), wanted, warm)
    }

    /// The same on inputs that are bound, with what earlier runs of the same program with the
    /// same semantics and options keep; only what is wanted and the flag may be others.
    pub(crate) fn run_again(
        &mut self,
        (program, changes): (&Staged, Changes),
        binding: Binding,
        (semantics, how): (Semantics, &RunOptions<'_>),
        wanted: &dyn Fn(&str) -> bool,
        (out, warm): (&mut dyn Write, &mut Warm),
    ) -> Result<Outputs, RunError> {
        let threads = self.threads(how.threads);
        let (count, apart) = (threads.count(), self.kernels.has_perf_map());
        let watched = how.time || apart || self.timeline.is_some();
        let noted = watched || how.time_passes;
        let files = program.files(changes, how);
        let how = &RunOptions { foreign: Some(&files), ..how.clone() };
        let mut tiers =
            Tiers::new((semantics, how), (&self.kernels, warm), threads, (watched, noted))?;
        let result =
            weft_host::run(&program.host, binding, &mut tiers, out, wanted, how.show_result);
        self.digest = tiers.digest();
        self.routines = tiers.routines();
        let observations = tiers.take_observations();
        drop(tiers);
        if let Some(timeline) = &mut self.timeline {
            timing::add_to(timeline, &observations);
        }
        self.times.clear();
        if how.time {
            self.times = timing::lines(&observations, &self.sources, count, &self.kernels);
        }
        if how.time_passes {
            self.times.extend(timing::pass_lines(&observations));
        }
        result.map_err(|e| match e {
            RunError::Diagnostic(d) => told_at_call(*d, &program.library).into(),
            other => other,
        })
    }

    /// Checks every derivative that a program asks for against differences.
    ///
    /// # Errors
    ///
    /// Inputs that do not bind, and whatever fails when the program is computed.
    pub fn check_gradients(
        &mut self,
        program: &Checked,
        options: &Options,
    ) -> Result<Vec<GradientCheck>, RunError> {
        self.watch_gradients(program, options, &mut |_, _| ())
    }

    /// The same, telling after each cell of an independent tensor that was moved how many of
    /// how many are done.
    ///
    /// # Errors
    ///
    /// As [`Session::check_gradients`].
    pub fn watch_gradients(
        &mut self,
        program: &Checked,
        options: &Options,
        done: &mut dyn FnMut(usize, usize),
    ) -> Result<Vec<GradientCheck>, RunError> {
        let binding = bind_inputs(&self.sources, &program.staged, &options.given)?;
        let Checked { staged, quotients, rules, reads, .. } = program;
        let host = &staged.host;
        let files = staged.files(Changes::LeftOut, &RunOptions::default());
        Derivatives { host, quotients, rules, reads, foreign: Some(&files) }.check(binding, done)
    }

    /// The routines of the last run with [`crate::testing::Knobs::keep_routines`].
    #[doc(hidden)]
    pub fn routines(&self) -> &[Routine] {
        &self.routines
    }

    /// A number that every bit of what the last run with [`crate::testing::Knobs::fork_always`] observed decides.
    #[doc(hidden)]
    pub fn digest(&self) -> u64 {
        self.digest
    }
}

impl Staged {
    /// The functions of files in a run.
    pub(crate) fn files<'a>(&'a self, changes: Changes, how: &RunOptions<'a>) -> Files<'a> {
        Files::new(self.folder.as_deref(), changes, how)
    }

    /// Whether something of this name is computed; if not, the error that says so.
    fn require_tensor(&self, name: &str) -> Result<(), Diagnostic> {
        let functions = self.host.functions.values().map(|f| &f.body.graph);
        let graphs = std::iter::once(&self.host.graph).chain(functions);
        let names = graphs.flat_map(|g| g.tensors.values()).filter_map(|t| t.name.as_ref());
        let names: BTreeSet<&str> = names.map(Name::as_str).collect();
        if names.contains(name) {
            return Ok(());
        }
        let d = Diagnostic::error(Code::E1101, format!("no definition `{name}` to watch"));
        Err(match closest_name(name, names.into_iter()) {
            Some(near) => d.help(format!("did you mean `{near}`?")),
            None => d,
        })
    }

    /// Whether a top-level `let` of this name can be asked for; if not, the error that says so.
    pub fn require_output(&self, name: &str) -> Result<(), Diagnostic> {
        let names: Vec<&str> = self.host.outputs.iter().map(|(n, _)| n.as_str()).collect();
        if names.contains(&name) {
            return Ok(());
        }
        let d = Diagnostic::error(Code::E1101, format!("unknown output `{name}`"));
        Err(if names.is_empty() {
            d.note("the program has no top-level `let`")
        } else {
            d.note(format!("the top-level names are {}", quoted_list(&names)))
        })
    }
}

fn quoted_list(names: &[&str]) -> String {
    let all: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    all.join(", ")
}

/// Every definition must have an order of computation, whether it is observed or not.
fn recurrences(host: &weft_host::Program, file: FileId) -> Option<Diagnostic> {
    let refusal = weft_pipeline::unordered(&host.graph)?;
    Some(refusal.diagnostic(refusal.span.unwrap_or(Span::new(file, 0, 0))))
}

fn verify(host: &weft_host::Program) {
    if let Err(wrong) = weft_host::verify(host) {
        panic!("staging made a host program that is not valid: {wrong:?}");
    }
    if let Err(wrong) = weft_tensor::verify(&host.graph) {
        panic!("staging made a graph that is not valid: {wrong:?}");
    }
}
