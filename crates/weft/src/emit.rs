//! Stages of the compiler as text.

use crate::session::{Checked, Options, Session};
use weft_codegen::{Cpu, OptLevel, Options as CodeOptions, Target};
use weft_diag::{Code, Diagnostic};
use weft_executor::RunOptions;
use weft_host::RunError;
use weft_loops::Function;
use weft_pipeline::{PassRecord, schedule_text};

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
    /// How loops were chosen.
    Schedule,
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

    /// A stage of a checked program, as a run with these options has it.
    ///
    /// # Errors
    ///
    /// An input that is given wrong, a definition without an order of computation, or machine
    /// code for a machine that is not supported.
    pub fn emit(
        &self,
        program: &Checked,
        options: &Options,
        how: &RunOptions<'_>,
        wanted: &dyn Fn(&str) -> bool,
        stage: Emit,
    ) -> Result<String, RunError> {
        let segments = || self.segments(&program.staged, options, how, wanted);
        let functions = || Ok::<_, RunError>(functions(segments()?.into_iter().map(|(_, c)| c)));
        let coded = |text: Result<String, weft_codegen::CompileError>| {
            text.map_err(|e| unsupported(e.to_string()))
        };
        Ok(match stage {
            Emit::Tree => {
                let text = self.sources.file(program.staged.file).text.clone();
                weft_syntax::dump_tree(&weft_syntax::parse(program.staged.file, &text).syntax())
            }
            Emit::Host => weft_host::print(&program.staged.host),
            Emit::Graph => weft_tensor::print(&program.staged.host.graph),
            Emit::Plan => segments()?.iter().map(|(_, c)| format!("{}\n", c.plan)).collect(),
            Emit::Schedule => segments()?
                .iter()
                .map(|(_, c)| format!("{}\n", schedule_text(&c.choices())))
                .collect(),
            Emit::Loops => functions()?.iter().map(|f| format!("{f}\n")).collect(),
            Emit::Llvm => coded(weft_codegen::emit_llvm(&functions()?, &code(how.cpu)?))?,
            Emit::Asm => coded(weft_codegen::emit_asm(&functions()?, &code(how.cpu)?))?,
        })
    }

    /// The passes that the graph of each segment goes through, with what was asked of them by
    /// [`RunOptions::passes`].
    ///
    /// # Errors
    ///
    /// As of [`Session::emit`].
    pub fn passes(
        &self,
        program: &Checked,
        options: &Options,
        how: &RunOptions<'_>,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<Vec<PassRecord>>, RunError> {
        let segments = self.segments(&program.staged, options, how, wanted)?;
        Ok(segments.into_iter().map(|(_, compiled)| compiled.plan.passes).collect())
    }
}

fn code(cpu: Cpu) -> Result<CodeOptions, RunError> {
    let target = Target::of(cpu).map_err(unsupported)?;
    Ok(CodeOptions { opt: OptLevel::Full, ..CodeOptions::new(target) })
}

fn unsupported(why: String) -> RunError {
    Diagnostic::error(Code::E1105, why).into()
}

/// The loops of segments, by names of their own.
fn functions(segments: impl Iterator<Item = weft_pipeline::Compiled>) -> Vec<Function> {
    let parts = segments.flat_map(|c| c.parts);
    let named = |(n, part): (usize, weft_pipeline::Part)| {
        let mut function = part.kernel.function;
        function.name = format!("segment{n}");
        function
    };
    parts.enumerate().map(named).collect()
}
