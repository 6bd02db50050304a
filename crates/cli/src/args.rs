//! The command line as a whole, and the flags that several subcommands share.

use crate::console::Console;
use crate::limits::parse_bytes;
use crate::machine::MachineArgs;
use crate::status::Status;
use crate::watch::WatchArgs;
use crate::{bench, cache, check, explain, fmt, new, run, test};
use clap::{ArgAction, Args, CommandFactory, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use weft::diag::{Code, Diagnostic, closest_name, edit_distance};
use weft::{Format, Given, LintLevel, Lints};

/// Runs, checks, explains, formats and tests programs in Einlang.
#[derive(Parser, Debug)]
#[command(name = "weft", version, propagate_version = true, after_help = EXAMPLES)]
#[command(subcommand_required = true, arg_required_else_help = true)]
#[command(override_usage = "weft [OPTIONS] <COMMAND>\n       weft [OPTIONS] FILE.ein")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub console: ConsoleArgs,
}

const EXAMPLES: &str = "\
Examples:
  weft heat.ein                            run a program, as `weft run heat.ein` does
  weft run                                 run the entry of the project around
  weft run -c 'let x[i in 0..3] = i * i; x'
  echo 'print(1 + 2);' | weft run -
  weft run fit.ein --input x=data.npy --input steps=200 --output w=w.npy
  weft check heat.ein                      say what is wrong, run nothing
  weft explain heat.ein u                  how `u` is indexed, computed and stored
  weft explain E0501                       what an error code means
  weft new wave && cd wave && weft test    a project, and its tests
  weft fmt --check                         name the files that are not in their one layout

Exit status: 0 done, 1 program refused or failed, 2 wrong usage, 101 fault of weft
itself, 130 on Ctrl-C, 141 on a closed pipe.";

#[derive(Subcommand, Debug)]
pub enum Command {
    Run(run::RunArgs),
    Check(check::CheckArgs),
    Explain(explain::ExplainArgs),
    Bench(bench::BenchArgs),
    Cache(cache::CacheArgs),
    Fmt(fmt::FmtArgs),
    New(new::NewArgs),
    Test(test::TestArgs),
}

/// How to speak to the user.
#[derive(Args, Debug)]
#[command(next_help_heading = "Messages")]
pub struct ConsoleArgs {
    /// How diagnostics are written to standard error
    #[arg(long, global = true, value_enum, env = "WEFT_FORMAT", hide_env_values = true)]
    #[arg(value_name = "FORMAT", default_value = "human")]
    pub format: FormatArg,
    /// When diagnostics are coloured; `auto` colours on terminals unless NO_COLOR is set
    #[arg(long, global = true, value_enum, env = "WEFT_COLOR", hide_env_values = true)]
    #[arg(value_name = "WHEN", default_value = "auto")]
    pub color: When,
    /// Neither warnings nor the program's value
    #[arg(short, long, global = true, env = "WEFT_QUIET", hide_env_values = true)]
    #[arg(action = ArgAction::SetTrue, value_parser = parse_switch)]
    pub quiet: bool,
    /// Say what is done, on standard error
    #[arg(short, long, global = true, env = "WEFT_VERBOSE", hide_env_values = true)]
    #[arg(action = ArgAction::SetTrue, value_parser = parse_switch)]
    pub verbose: bool,
}

/// How diagnostics are written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatArg {
    /// Source lines with labels, for people
    Human,
    /// One JSON object a line
    Json,
    /// One line each: file:line:column
    Short,
}

impl From<FormatArg> for Format {
    fn from(format: FormatArg) -> Format {
        match format {
            FormatArg::Human => Format::Human,
            FormatArg::Json => Format::Json,
            FormatArg::Short => Format::Short,
        }
    }
}

/// When to colour.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// On terminals
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Which program; without any the entry of the project around.
#[derive(Args, Debug)]
#[group(multiple = false)]
pub struct SourceArgs {
    /// The program's file; `-` is standard input; without it the entry of the project around
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The program itself
    #[arg(short, long, value_name = "CODE")]
    pub code: Option<String>,
}

/// Where a program's modules are.
#[derive(Args, Debug)]
#[command(next_help_heading = "Modules")]
pub struct ModuleArgs {
    /// The folder that modules are files below of; without it the program's own
    #[arg(long, value_name = "DIR", env = "WEFT_ROOT", hide_env_values = true)]
    pub root: Option<PathBuf>,
    /// A folder with the library's sources, in place of the bundled ones
    #[arg(long = "std", value_name = "DIR", env = "WEFT_STD", hide_env_values = true)]
    pub library: Option<PathBuf>,
}

impl ModuleArgs {
    /// Folders that are named must be there: without one its modules would be other ones.
    pub fn must_be_there(&self, console: &mut Console) -> Result<(), Status> {
        for (flag, folder) in [("--root", &self.root), ("--std", &self.library)] {
            let Some(folder) = folder.as_ref().filter(|f| !f.is_dir()) else { continue };
            let shown = folder.display();
            let d = Diagnostic::error(Code::E1105, format!("`{flag} {shown}` names no folder"));
            console.diagnose(&[d], &weft::SourceMap::new());
            return Err(Status::Failed);
        }
        Ok(())
    }
}

/// How loud lints are. For one lint the strictest wins, and a name is stronger than `all`.
#[derive(Args, Debug)]
#[command(next_help_heading = "Lints")]
pub struct LintArgs {
    /// Silence a lint, or `all`
    #[arg(short = 'A', long = "allow", value_name = "LINT", value_parser = parse_lint)]
    pub allow: Vec<LintName>,
    /// Let a lint warn, or `all`
    #[arg(short = 'W', long = "warn", value_name = "LINT", value_parser = parse_lint)]
    pub warn: Vec<LintName>,
    /// Let a lint refuse the program, or `all`
    #[arg(short = 'D', long = "deny", value_name = "LINT", value_parser = parse_lint)]
    pub deny: Vec<LintName>,
}

/// A lint, or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LintName {
    All,
    One(Code),
}

impl LintArgs {
    /// The levels chosen.
    pub fn levels(&self) -> Lints {
        let mut lints = Lints::default();
        let all = [
            (&self.allow, LintLevel::Allow),
            (&self.warn, LintLevel::Warn),
            (&self.deny, LintLevel::Deny),
        ];
        for (names, level) in all {
            for name in names {
                let lint = match name {
                    LintName::All => None,
                    LintName::One(code) => Some(*code),
                };
                lints.set(lint, level);
            }
        }
        lints
    }
}

/// The name of a lint; one that is no lint is told with the nearest that is.
fn parse_lint(text: &str) -> Result<LintName, String> {
    if text == "all" {
        return Ok(LintName::All);
    }
    if let Some(code) = Code::lints().find(|c| c.as_str() == text) {
        return Ok(LintName::One(code));
    }
    let near = |c: &Code| edit_distance(text, c.as_str());
    let nearest = Code::lints().min_by_key(near).filter(|c| near(c) <= 1 + text.len() / 3);
    Err(match nearest {
        Some(code) => format!("there is no lint `{text}`; did you mean `{code}`?"),
        None => {
            let all: Vec<&str> = Code::lints().map(Code::as_str).collect();
            format!("there is no lint `{text}`; the lints are {}", all.join(", "))
        }
    })
}

/// What a program is given, and how strictly the compiler looks at itself.
#[derive(Args, Debug)]
pub struct ProgramArgs {
    /// A value for an input or a top-level `let`: a `.npy` file, or a literal
    #[arg(short, long = "input", value_name = "NAME=FILE.npy|LITERAL", value_parser = parse_given)]
    pub inputs: Vec<(String, Given)>,
    #[command(flatten)]
    pub modules: ModuleArgs,
    #[command(flatten)]
    pub lints: LintArgs,
    #[command(flatten)]
    pub integers: IntegerArgs,
    /// Verify the compiler's own results after every stage, and each access of machine code
    #[arg(long, env = "WEFT_VERIFY", hide_env_values = true)]
    #[arg(action = ArgAction::SetTrue, value_parser = parse_switch)]
    pub verify: bool,
}

/// What integers do.
#[derive(Args, Debug)]
pub struct IntegerArgs {
    /// What becomes of integer arithmetic that leaves its type
    #[arg(long, value_enum, env = "WEFT_OVERFLOW", hide_env_values = true)]
    #[arg(value_name = "WHAT", default_value = "trap")]
    pub overflow: OverflowArg,
}

/// What becomes of integers that leave their types.
#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum OverflowArg {
    /// An error; `u32` and `u64` wrap
    Trap,
    /// They wrap
    Wrap,
}

impl From<OverflowArg> for weft::Overflow {
    fn from(arg: OverflowArg) -> Self {
        match arg {
            OverflowArg::Trap => weft::Overflow::Trap,
            OverflowArg::Wrap => weft::Overflow::Wrap,
        }
    }
}

/// How tensors are computed.
#[derive(Args, Debug)]
#[command(next_help_heading = "Execution")]
pub struct ExecutionArgs {
    /// What computes tensors
    #[arg(long, value_enum, env = "WEFT_TIER", hide_env_values = true)]
    #[arg(value_name = "TIER", default_value = "auto")]
    pub tier: TierArg,
    /// Floating-point operations in source order: the same bits on every tier
    #[arg(long, env = "WEFT_STRICT_FP", hide_env_values = true)]
    #[arg(action = ArgAction::SetTrue, value_parser = parse_switch)]
    pub strict_fp: bool,
    /// Whose instructions machine code uses
    #[arg(long, value_enum, env = "WEFT_CPU", hide_env_values = true)]
    #[arg(value_name = "CPU", default_value = "native")]
    pub cpu: CpuArg,
    /// Bytes that tensors may take, as `500M` or `2G`; without it half of the machine's
    #[arg(long, value_name = "BYTES", env = "WEFT_MEMORY_LIMIT", hide_env_values = true)]
    #[arg(value_parser = parse_bytes)]
    pub memory_limit: Option<u64>,
    #[command(flatten)]
    pub machine: MachineArgs,
    #[command(flatten)]
    pub watch: WatchArgs,
    /// Say where time went, on standard error
    #[arg(long, env = "WEFT_TIME", hide_env_values = true)]
    #[arg(action = ArgAction::SetTrue, value_parser = parse_switch)]
    pub time: bool,
}

/// What computes tensors.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TierArg {
    /// By the amount of work
    Auto,
    /// The reference evaluator
    Evaluator,
    /// Machine code
    Native,
}

impl From<TierArg> for weft::Tier {
    fn from(tier: TierArg) -> weft::Tier {
        match tier {
            TierArg::Auto => weft::Tier::Auto,
            TierArg::Evaluator => weft::Tier::Evaluator,
            TierArg::Native => weft::Tier::Native,
        }
    }
}

/// Whose instructions machine code uses.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CpuArg {
    /// This machine's
    Native,
    /// Those of every processor with AVX2 and FMA
    Avx2,
    /// Those of every processor with AVX-512 (x86-64-v4)
    Avx512,
}

impl From<CpuArg> for weft::Cpu {
    fn from(cpu: CpuArg) -> weft::Cpu {
        match cpu {
            CpuArg::Native => weft::Cpu::Native,
            CpuArg::Avx2 => weft::Cpu::Avx2,
            CpuArg::Avx512 => weft::Cpu::Avx512,
        }
    }
}

/// What the environment says of a switch.
pub fn parse_switch(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "" | "0" | "false" | "no" | "off" => Ok(false),
        "1" | "true" | "yes" | "on" => Ok(true),
        _ => Err("a switch is `1`, `true`, `yes` or `on`, or `0`, `false`, `no`, `off` or nothing"
            .into()),
    }
}

/// The arguments, with the `run` that `weft FILE.ein` leaves out.
pub fn with_run(all: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut all: Vec<OsString> = all.collect();
    let is_program = |a: &OsString| {
        let text = a.to_string_lossy();
        text.ends_with(".ein") && !text.starts_with('-')
    };
    if let Some(at) = all.iter().skip(1).position(is_program) {
        let commands = Cli::command();
        let is_command = |a: &OsString| commands.get_subcommands().any(|c| c.get_name() == a);
        let help = |a: &OsString| a == "help";
        if !all[1..=at].iter().any(|a| is_command(a) || help(a)) {
            all.insert(1, "run".into());
        }
    }
    all
}

/// Commands that are planned, and not there yet.
const PLANNED: [&str; 4] = ["build", "repl", "lsp", "doctor"];

/// What is said of a command that there is not.
pub fn no_command(name: &str) -> String {
    let commands = Cli::command();
    let names: Vec<&str> = commands.get_subcommands().map(clap::Command::get_name).collect();
    let help = match closest_name(name, names.iter().copied()) {
        _ if PLANNED.contains(&name) => "note: it is planned, and not there yet".to_string(),
        Some(known) => format!("help: did you mean `weft {known}`?"),
        None if std::path::Path::new(name).is_file() => {
            format!(
                "help: a program is run by its name where that ends in `.ein`, else by `weft run {name}`"
            )
        }
        None => format!("help: the commands are {}", names.join(", ")),
    };
    format!("error: there is no command `{name}`\n{help}")
}

/// `NAME=FILE.npy` or `NAME=LITERAL`.
fn parse_given(text: &str) -> Result<(String, Given), String> {
    let (name, value) = named(text)?;
    let value = value.ok_or_else(|| format!("`{text}` has no `=`; write NAME=VALUE"))?;
    if value.is_empty() {
        return Err(format!("no value for `{name}`"));
    }
    if let Some(suffix) = of_another_format(value) {
        return Err(format!(
            "a `.{suffix}` file is not read; save one array as `.npy` (`numpy.save`)"
        ));
    }
    let file = value.len() > ".npy".len() && value.to_ascii_lowercase().ends_with(".npy");
    let given = if file { Given::File(value.into()) } else { Given::Literal(value.to_string()) };
    Ok((name.to_string(), given))
}

/// The suffix of a file with arrays in a format that is not read.
fn of_another_format(value: &str) -> Option<&str> {
    let (stem, suffix) = value.rsplit_once('.')?;
    let known = ["npz", "csv", "tsv", "txt", "json", "mat", "h5", "hdf5", "pt", "safetensors"];
    (!stem.is_empty() && known.iter().any(|k| suffix.eq_ignore_ascii_case(k))).then_some(suffix)
}

/// `NAME` or `NAME=FILE.npy`.
pub fn parse_wanted(text: &str) -> Result<(String, Option<PathBuf>), String> {
    let (name, file) = named(text)?;
    match file {
        Some(f) if !f.to_ascii_lowercase().ends_with(".npy") => {
            Err(format!("`{f}` is not a `.npy` file"))
        }
        _ => Ok((name.to_string(), file.map(PathBuf::from))),
    }
}

fn named(text: &str) -> Result<(&str, Option<&str>), String> {
    let (name, rest) = match text.split_once('=') {
        Some((name, rest)) => (name, Some(rest)),
        None => (text, None),
    };
    let name = name.trim();
    match is_word(name) {
        true => Ok((name, rest)),
        false => Err(format!("`{name}` is no name")),
    }
}

/// Whether a text has the form of a name.
pub fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_flag_is_on_the_page_of_the_command_line() {
        let page = include_str!("../../../docs/command-line.md");
        let commands = Cli::command();
        let all = std::iter::once(&commands).chain(commands.get_subcommands());
        for argument in all.flat_map(clap::Command::get_arguments) {
            let Some(long) = argument.get_long() else { continue };
            assert!(page.contains(&format!("--{long}")), "--{long}");
            let variable = argument.get_env().map(|v| v.to_string_lossy().into_owned());
            assert!(variable.is_none_or(|v| page.contains(&v)), "the variable of --{long}");
        }
    }

    #[test]
    fn inputs_are_files_by_their_suffix() {
        let (name, given) = parse_given("x=data/x.npy").unwrap();
        assert_eq!(name, "x");
        assert!(matches!(given, Given::File(p) if p.ends_with("data/x.npy")));
        assert!(matches!(parse_given("n=20").unwrap().1, Given::Literal(t) if t == "20"));
        assert!(matches!(parse_given("s=a=b").unwrap().1, Given::Literal(t) if t == "a=b"));
        assert!(matches!(parse_given("s=.npy").unwrap().1, Given::Literal(_)));
    }

    #[test]
    fn a_program_is_run_without_a_command() {
        let with = |args: &[&str]| {
            let all = std::iter::once("weft").chain(args.iter().copied()).map(OsString::from);
            with_run(all).iter().map(|a| a.to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        assert_eq!(with(&["a.ein", "-i", "n=1"]), ["weft", "run", "a.ein", "-i", "n=1"]);
        assert_eq!(with(&["-q", "a.ein"]), ["weft", "run", "-q", "a.ein"]);
        assert_eq!(with(&["check", "a.ein"]), ["weft", "check", "a.ein"]);
        assert_eq!(with(&["-q", "fmt", "a.ein"]), ["weft", "-q", "fmt", "a.ein"]);
        assert_eq!(with(&["help"]), ["weft", "help"]);
    }

    #[test]
    fn what_is_no_input_is_refused() {
        for text in ["x", "=1", "1x=2", "a b=1", "x=", "", "x=a.npz", "x=d/a.CSV"] {
            assert!(parse_given(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn outputs_go_to_npy_files_only() {
        assert_eq!(parse_wanted("w").unwrap(), ("w".into(), None));
        assert_eq!(parse_wanted("w=a.npy").unwrap(), ("w".into(), Some("a.npy".into())));
        assert!(parse_wanted("w=a.csv").is_err());
        assert!(parse_wanted("w=").is_err());
    }
}
