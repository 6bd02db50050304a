//! The stages of the compiler as text.

use crate::session::{Checked, Options, Session};
use std::fmt;

/// A stage whose result has a text form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Emit {
    /// The lossless syntax tree.
    Tree,
    /// Steps of the host program.
    Host,
    /// The tensor graph.
    Graph,
    /// Routines and storage.
    Plan,
    /// The loop IR.
    Loops,
    /// LLVM IR.
    Llvm,
    /// Assembly.
    Asm,
}

/// Something that this version of the compiler cannot tell yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unavailable {
    /// What.
    pub what: &'static str,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not available yet", self.what)
    }
}

impl Session {
    /// The syntax tree of a text, whether or not it has errors.
    pub fn emit_tree(&mut self, name: &str, text: &str) -> String {
        let file = self.sources.add(name, text);
        weft_syntax::dump_tree(&weft_syntax::parse(file, text).syntax())
    }

    /// A stage of a checked program. The place where later stages join.
    pub fn emit(
        &mut self,
        program: &Checked,
        _options: &Options,
        stage: Emit,
    ) -> Result<String, Unavailable> {
        match stage {
            Emit::Tree => {
                let text = self.sources.file(program.file).text.clone();
                Ok(weft_syntax::dump_tree(&weft_syntax::parse(program.file, &text).syntax()))
            }
            Emit::Host => Ok(weft_host::print(&program.host)),
            Emit::Graph => Ok(weft_tensor::print(&program.host.graph)),
            Emit::Plan => Err(Unavailable { what: "--emit plan" }),
            Emit::Loops => Err(Unavailable { what: "--emit loops" }),
            Emit::Llvm => Err(Unavailable { what: "--emit llvm" }),
            Emit::Asm => Err(Unavailable { what: "--emit asm" }),
        }
    }
}
