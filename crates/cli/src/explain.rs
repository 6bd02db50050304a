//! `weft explain`: what the compiler makes of a program, or what a code means.

use crate::args::{ProgramArgs, SourceArgs};
use crate::check::load;
use crate::console::{self, Console};
use crate::limits::{default_memory, parse_bytes};
use crate::run::failed;
use crate::status::Status;
use clap::Args;
use std::path::PathBuf;
use weft::diag::Code;
use weft::{RunOptions, Session};

/// Explains a program's definitions, or an error code
///
/// For each definition: its index space, its equations, where each size came from, whether
/// it is stored and why. For a code (`E0501`, `uncovered-cells`): what it means, with an
/// example and its cure.
#[derive(Args, Debug)]
#[command(override_usage = "weft explain [OPTIONS] <FILE [NAME] | CODE | --code <CODE> [NAME]>")]
pub struct ExplainArgs {
    /// A program's file (`-` is standard input), or a code; with `-c` a definition's name
    #[arg(value_name = "FILE|CODE", required_unless_present = "code")]
    pub what: Option<String>,
    /// Only this definition
    #[arg(value_name = "NAME", conflicts_with = "code")]
    pub name: Option<String>,
    /// The program itself
    #[arg(short, long, value_name = "CODE")]
    pub code: Option<String>,
    /// Bytes that tensors may take, as `500M` or `2G`; without it most of the machine's
    #[arg(long, value_name = "BYTES", env = "WEFT_MEMORY_LIMIT", hide_env_values = true)]
    #[arg(value_parser = parse_bytes)]
    pub memory_limit: Option<u64>,
    #[command(flatten)]
    pub program: ProgramArgs,
}

/// Explains.
pub fn explain(args: &ExplainArgs, console: &mut Console) -> Status {
    let what = args.what.as_deref().unwrap_or_default();
    match (&args.code, Code::parse(what)) {
        (Some(code), _) => {
            let source = SourceArgs { file: None, code: Some(code.clone()) };
            explain_program(&source, args.what.as_deref(), args, console)
        }
        (None, Some(code)) => explain_code(code, console),
        (None, None) if looks_like_code(what) => unknown_code(what),
        (None, None) => {
            let source = SourceArgs { file: Some(PathBuf::from(what)), code: None };
            explain_program(&source, args.name.as_deref(), args, console)
        }
    }
}

fn explain_code(code: Code, console: &mut Console) -> Status {
    let page = match code.page() {
        Some(page) => page.to_string(),
        None => format!("# {code}: {}\n", code.title()),
    };
    written(console.out().write_all(page.as_bytes()))
}

/// `E` and four digits, and no file of that name.
fn looks_like_code(what: &str) -> bool {
    let digits = what.strip_prefix(['E', 'e']).unwrap_or_default();
    digits.len() == 4
        && digits.bytes().all(|b| b.is_ascii_digit())
        && !std::path::Path::new(what).exists()
}

fn unknown_code(what: &str) -> Status {
    console::say(&format!("error: there is no code `{what}`"));
    if Code::parse(&what.to_ascii_uppercase()).is_some() {
        console::say(&format!("help: try `weft explain {}`", what.to_ascii_uppercase()));
    }
    Status::Usage
}

fn explain_program(
    source: &SourceArgs,
    name: Option<&str>,
    args: &ExplainArgs,
    console: &mut Console,
) -> Status {
    let mut session = Session::new();
    let loaded = match load(&mut session, source, &args.program, console) {
        Ok(loaded) => loaded,
        Err(status) => return status,
    };
    let Some(checked) = &loaded.checked else { return Status::Failed };
    let how = RunOptions {
        memory_limit: args.memory_limit.unwrap_or_else(default_memory),
        show_result: true,
        ..RunOptions::default()
    };
    match session.explain(checked, name, &loaded.options, &how) {
        Ok(text) => written(console.out().write_all(text.as_bytes())),
        Err(e) => failed(e, &session, console),
    }
}

fn written(result: std::io::Result<()>) -> Status {
    match result {
        Ok(()) => Status::Done,
        Err(e) => Status::of_write_error(&e),
    }
}
