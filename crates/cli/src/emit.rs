//! `--emit`: one stage of the compiler as text.

use crate::check::Loaded;
use crate::console::Console;
use crate::run::failed;
use crate::status::Status;
use clap::ValueEnum;
use weft::{Emit, RunOptions, Session};

/// A stage that can be written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum EmitArg {
    /// The syntax tree, also of programs with errors
    Tree,
    /// The host program
    Host,
    /// The tensor graph
    Graph,
    /// Routines and where tensors are stored
    Plan,
    /// How the loops of each definition were chosen, and why
    Schedule,
    /// Loops before code generation
    Loops,
    /// LLVM IR
    Llvm,
    /// Assembly
    Asm,
}

impl From<EmitArg> for Emit {
    fn from(stage: EmitArg) -> Emit {
        match stage {
            EmitArg::Tree => Emit::Tree,
            EmitArg::Host => Emit::Host,
            EmitArg::Graph => Emit::Graph,
            EmitArg::Plan => Emit::Plan,
            EmitArg::Schedule => Emit::Schedule,
            EmitArg::Loops => Emit::Loops,
            EmitArg::Llvm => Emit::Llvm,
            EmitArg::Asm => Emit::Asm,
        }
    }
}

/// Writes a stage of a program; nothing but the tree where it was refused.
pub fn emit(
    stage: EmitArg,
    (session, loaded): (&mut Session, &Loaded),
    how: &RunOptions<'_>,
    wanted: &dyn Fn(&str) -> bool,
    console: &mut Console,
) -> Status {
    let refused = if loaded.checked.is_some() { Status::Done } else { Status::Failed };
    let text = match (&loaded.checked, stage) {
        (_, EmitArg::Tree) => Ok(session.emit_tree(&loaded.source.name, &loaded.source.text)),
        (Some(checked), _) => session.emit(checked, &loaded.options, how, wanted, stage.into()),
        (None, _) => return refused,
    };
    match text.map(|text| console.out().write_all(text.as_bytes())) {
        Ok(Ok(())) => refused,
        Ok(Err(e)) => Status::of_write_error(&e),
        Err(e) => failed(e, session, console),
    }
}
