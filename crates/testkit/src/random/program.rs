//! A generated program, and what must be known to run and judge it.

use super::Construct;
use std::collections::BTreeSet;
use std::fmt;

/// A generated program.
#[derive(Debug, Clone)]
pub struct Program {
    /// What reproduces it.
    pub seed: u64,
    /// What reproduces it.
    pub size: usize,
    /// Top-level statements; each may span lines.
    pub statements: Vec<String>,
    /// Values of its inputs, as literals.
    pub inputs: Vec<(String, String)>,
    /// What it uses.
    pub constructs: BTreeSet<Construct>,
    /// Whether a number's last bits may decide something: a branch, an index, an integer.
    /// Such a program is compared in source order only.
    pub discrete: bool,
}

impl Program {
    /// The text.
    pub fn text(&self) -> String {
        self.statements.iter().map(|s| format!("{s}\n")).collect()
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "// seed {} size {}", self.seed, self.size)?;
        for (name, value) in &self.inputs {
            writeln!(f, "// --input '{name}={value}'")?;
        }
        write!(f, "{}", self.text())
    }
}
