//! Flags about the passes over the graph and the strategies behind them.

use crate::console::Console;
use crate::run::failed;
use crate::status::Status;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use clap::{ArgAction, Args};
use weft::{Checked, Options, PASSES, PassOptions, RunOptions, Session, Strategy, pass_named};

/// What is asked of the passes over the graph.
#[derive(Args, Debug)]
#[command(next_help_heading = "Passes")]
pub struct PassArgs {
    /// Write the graph of each segment behind this pass, and run nothing
    #[arg(long, value_name = "PASS", value_parser = any_pass(), conflicts_with = "emit")]
    pub print_after: Vec<&'static str>,
    /// Leave a pass over the graph, or a strategy for loops, out; what others count on cannot be
    #[arg(long, value_name = "PASS", value_parser = any_pass_or_strategy())]
    pub skip: Vec<&'static str>,
    /// Leave out all passes behind this one
    #[arg(long, value_name = "PASS", value_parser = any_pass())]
    pub stop_after: Option<&'static str>,
    /// Say what each pass took, on standard error
    #[arg(long, action = ArgAction::SetTrue)]
    pub time_passes: bool,
}

fn name(text: String) -> &'static str {
    pass_named(&text).expect("the parser takes names of passes alone").name
}

fn any_pass() -> impl TypedValueParser<Value = &'static str> {
    PossibleValuesParser::new(PASSES.iter().map(|p| p.name)).map(name)
}

fn any_pass_or_strategy() -> impl TypedValueParser<Value = &'static str> {
    let strategies = Strategy::ALL.map(Strategy::name);
    let names = PASSES.iter().map(|p| p.name).chain(strategies);
    let of = |text: String| match Strategy::named(&text) {
        Some(strategy) => strategy.name(),
        None => name(text),
    };
    PossibleValuesParser::new(names).map(of)
}

impl PassArgs {
    /// The same for the compiler.
    pub fn options(&self, verify: bool) -> PassOptions {
        PassOptions {
            skip: self.skip.clone(),
            stop_after: self.stop_after,
            print_after: self.print_after.clone(),
            verify,
        }
    }

    /// Writes the graphs that were asked for.
    pub fn print(
        session: &Session,
        (program, options): (&Checked, &Options),
        how: &RunOptions<'_>,
        wanted: &dyn Fn(&str) -> bool,
        console: &mut Console,
    ) -> Status {
        let segments = match session.passes(program, options, how, wanted) {
            Ok(segments) => segments,
            Err(e) => return failed(e, session, console),
        };
        let mut text = String::new();
        for (n, passes) in segments.iter().enumerate() {
            for (pass, graph) in passes.iter().filter_map(|p| Some((p.name, p.text.as_ref()?))) {
                text.push_str(&format!("// segment {n} behind {pass}\n{graph}\n"));
            }
        }
        match console.out().write_all(text.as_bytes()) {
            Ok(()) => Status::Done,
            Err(e) => Status::of_write_error(&e),
        }
    }
}
