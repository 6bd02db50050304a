//! Staging: the checked program becomes a host program over one tensor graph.
//!
//! A symbolic walk of the top level in source order. Calls are entered, host integers
//! become sizes, everything computed from elements becomes assignments. A definition
//! inside a clause, and every reduction, is *lifted*: it becomes a tensor of its own over
//! those indices around it that it depends on, so that one object serves all, and what
//! does not depend on a loop is computed once. A function that is called in a cell is entered
//! once for the indices that the call depends on: its recurrences are recurrences over these.
//!
//! Each part owns its state, and uses those before it: what is `known` of the program; the
//! `scope`s of names; `frame`s, assignments under construction; the `unit` that is being built;
//! the `functions` of the host. The walk itself is at one of three kinds of places: a `cell` of
//! a frame, something `lift`ed out of it, the `host` level. What takes a whole graph comes at
//! the end (`finish`).

mod cell;
mod finish;
mod frame;
mod functions;
mod host;
mod known;
mod lift;
mod program;
mod refusal;
mod scope;
mod unit;
mod work;

use known::survey::Surveys;
use unit::derivatives::Had;
use weft_diag::Diagnostics;
use weft_scalar::eval::Overflow;
use weft_sema::thir;
use weft_tensor::TensorId;

/// A program, staged.
#[derive(Debug, Default)]
pub struct Staged {
    /// The host program with its graph.
    pub program: weft_host::Program,
    /// Warnings.
    pub diagnostics: Diagnostics,
    /// The derivatives in it, by now sweeps of the graph.
    pub quotients: Vec<weft_grad::Quotient>,
    /// What stands in for pieces where they are differentiated.
    pub rules: Vec<weft_grad::Rule>,
    /// How the derivatives are had, for `weft explain`.
    pub sweeps: Vec<weft_grad::Sweep>,
    /// How the program reads the derivatives.
    pub reads: Vec<(TensorId, weft_grad::Pattern)>,
}

/// Lowers a checked program (one without errors) to a host program.
///
/// `overflow` says what becomes of integers that leave their types. The diagnostics tell what
/// cannot be lowered yet; then there is no program.
pub fn stage(program: &thir::Program, overflow: Overflow) -> Result<Staged, Diagnostics> {
    let surveys = Surveys::new(program);
    if let Some(d) = known::complete::without_a_type(program, &surveys) {
        return Err([d].into_iter().collect());
    }
    let mut work = work::Work::new(program, &surveys, overflow);
    if let Some(d) = work.bodies.too_large() {
        return Err([d.clone()].into_iter().collect());
    }
    let surface = program::walk(&mut work);
    finish::complete(&mut work);
    if work.diagnostics.has_errors() {
        return Err(work.diagnostics);
    }
    let work::Work { mut unit, functions, diagnostics, .. } = work;
    let Had { quotients, rules, sweeps, reads } = std::mem::take(&mut unit.derivatives).had();
    let program::Surface { inputs, outputs, result } = surface;
    let program = weft_host::Program {
        inputs,
        outputs,
        functions: functions.into_all(),
        overflow,
        types: known::look::boxed_types(program),
        ..unit.program(result)
    };
    Ok(Staged { program, diagnostics, quotients, rules, sweeps, reads })
}
