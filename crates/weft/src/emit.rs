//! Stages of the compiler as text.

use crate::session::{Checked, Options, Session};
use std::collections::BTreeSet;
use weft_codegen::{Cpu, OptLevel, Options as CodeOptions, Target};
use weft_plan::{Plan, PlanOptions, plan, plan_within};
use weft_schedule::{Integers, Machine, lower};
use weft_tensor::TensorId;

/// A stage that can be written out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Emit {
    /// The syntax tree.
    Tree,
    /// The host program.
    Host,
    /// The tensor graph.
    Graph,
    /// Routines, with where tensors are stored.
    Plan,
    /// Loops.
    Loops,
    /// LLVM's IR.
    Llvm,
    /// Assembly.
    Asm,
}

impl Session {
    /// The syntax tree of a text, also of one with errors.
    pub fn emit_tree(&mut self, name: &str, text: &str) -> String {
        let file = self.sources.add(name, text);
        weft_syntax::dump_tree(&weft_syntax::parse(file, text).syntax())
    }

    /// A stage of a checked program. Fails where this machine has no code generator.
    pub fn emit(
        &self,
        program: &Checked,
        options: &Options,
        stage: Emit,
    ) -> Result<String, String> {
        let (strict, limit) = (options.strict_fp, options.memory_limit);
        let cpu = options.cpu;
        Ok(match stage {
            Emit::Tree => {
                let text = self.sources.file(program.file).text.clone();
                weft_syntax::dump_tree(&weft_syntax::parse(program.file, &text).syntax())
            }
            Emit::Host => weft_host::print(&program.host),
            Emit::Graph => weft_tensor::print(&program.host.graph),
            Emit::Plan => plans(program, strict, limit)?.iter().map(|p| format!("{p}\n")).collect(),
            Emit::Loops => {
                functions(program, strict, limit, cpu)?.iter().map(|f| format!("{f}\n")).collect()
            }
            Emit::Llvm => {
                weft_codegen::emit_llvm(&functions(program, strict, limit, cpu)?, &code(cpu)?)
                    .map_err(|e| e.to_string())?
            }
            Emit::Asm => {
                weft_codegen::emit_asm(&functions(program, strict, limit, cpu)?, &code(cpu)?)
                    .map_err(|e| e.to_string())?
            }
        })
    }
}

/// The machine that loops are made for, and what a run tries first; where this one is not
/// supported any.
fn machine(cpu: Cpu) -> Machine {
    let vector_bytes = Target::of(cpu).map(|t| t.vector_bytes);
    let machine = vector_bytes.map_or_else(|_| Machine::default(), Machine::new);
    Machine { integers: Integers::Guessed, ..machine }
}

fn code(cpu: Cpu) -> Result<CodeOptions, String> {
    Ok(CodeOptions { opt: OptLevel::Full, ..CodeOptions::new(Target::of(cpu)?) })
}

/// The routines of a program's segments, as a run that asks for nothing by name has them.
pub(crate) fn plans(
    program: &Checked,
    strict: bool,
    limit: Option<u64>,
) -> Result<Vec<Plan>, String> {
    let options = PlanOptions { strict, narrow: true, ..PlanOptions::default() };
    let mut stored: BTreeSet<TensorId> = BTreeSet::new();
    let mut out = Vec::new();
    for wanted in observed(program) {
        let graph = &program.host.graph;
        let params: Option<_> = graph.params.values().map(|p| p.default).collect();
        let made = match (&params, limit) {
            (Some(params), Some(n)) => plan_within(graph, &wanted, &stored, &options, params, n),
            _ => plan(graph, &wanted, &stored, &options),
        };
        let plan = made.map_err(|r| r.to_string())?;
        stored.extend(wanted);
        out.push(plan);
    }
    Ok(out)
}

/// What each segment observes; the program's value counts, names do not. A program that
/// observes nothing is shown as if all its names were asked for.
fn observed(program: &Checked) -> Vec<Vec<TensorId>> {
    let mut last = Vec::new();
    let held = |t: &TensorId| !program.host.sources.contains_key(t);
    let vars = &program.host.vars;
    program.host.result.iter().for_each(|v| v.value.tensors(vars, &mut |t| last.push(t)));
    let segments = weft_host::segments(&program.host, &last);
    if !segments.is_empty() {
        return segments;
    }
    program.host.outputs.iter().for_each(|(_, v)| v.value.tensors(vars, &mut |t| last.push(t)));
    last.retain(held);
    weft_host::segments(&program.host, &last)
}

fn functions(
    program: &Checked,
    strict: bool,
    limit: Option<u64>,
    cpu: Cpu,
) -> Result<Vec<weft_loops::Function>, String> {
    let plans = plans(program, strict, limit)?;
    let machine = machine(cpu);
    let named = |(n, p): (usize, &Plan)| lower(p, &format!("segment{n}"), machine).function;
    Ok(plans.iter().enumerate().map(named).collect())
}
