//! The arguments of `weft run` that cases may give.

use crate::Failure;
use crate::scratch::Scratch;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use weft::diag::Code;
use weft::{Cpu, Given, LintLevel, Lints, Overflow, PassOptions, Semantics, Strategy, pass_named};

/// Arguments of a run.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// Values by name.
    pub given: BTreeMap<String, Given>,
    /// Names asked for, in order.
    pub outputs: Vec<String>,
    /// What numbers are.
    pub semantics: Semantics,
    /// What is asked of the passes over the graph.
    pub passes: PassOptions,
    /// Bytes that tensors may take.
    pub memory_limit: Option<u64>,
    /// The program's value is not printed.
    pub quiet: bool,
    /// The files of its modules, by their paths.
    pub files: BTreeMap<PathBuf, String>,
    /// How loud lints are.
    pub lints: Lints,
    /// The folder that the program lies in, made anew for each run.
    pub scratch: Option<Arc<Scratch>>,
}

impl Arguments {
    /// Makes the folder that the program lies in as it is when a run begins.
    pub fn begin(&self) -> Result<(), Failure> {
        self.scratch.as_ref().map_or(Ok(()), |scratch| scratch.renew())
    }

    /// Reads words; files are relative to `folder`.
    pub fn parse<S: AsRef<str>>(words: &[S], folder: &Path) -> Result<Arguments, Failure> {
        let mut found = Arguments::default();
        let mut words = words.iter().map(AsRef::as_ref);
        while let Some(word) = words.next() {
            match word {
                "-q" | "--quiet" => found.quiet = true,
                "--strict-fp" => found.semantics.strict_fp = true,
                _ => {
                    let value = words.next().ok_or_else(|| format!("no value for `{word}`"))?;
                    found.option(word, value, folder)?;
                }
            }
        }
        Ok(found)
    }

    fn option(&mut self, word: &str, value: &str, folder: &Path) -> Result<(), Failure> {
        match word {
            "-i" | "--input" => {
                let (name, value) = value.split_once('=').ok_or("an input is NAME=VALUE")?;
                self.given.insert(name.to_string(), given(value, folder));
            }
            "-o" | "--output" => self.outputs.push(value.to_string()),
            "-A" | "-W" | "-D" => {
                let level = match word {
                    "-A" => LintLevel::Allow,
                    "-W" => LintLevel::Warn,
                    _ => LintLevel::Deny,
                };
                let lint = (value != "all").then(|| Code::parse(value).ok_or("no such lint"));
                self.lints.set(lint.transpose()?, level);
            }
            "--overflow" => {
                self.semantics.overflow = match value {
                    "trap" => Overflow::Trap,
                    "wrap" => Overflow::Wrap,
                    _ => return Err("overflow is trap or wrap".into()),
                };
            }
            "--memory-limit" => {
                self.memory_limit = Some(value.parse().map_err(|_| "a limit in bytes")?);
            }
            "--skip" => self.passes.skip.push(pass_or_strategy(value)?),
            "--stop-after" => self.passes.stop_after = Some(pass(value)?),
            other => return Err(format!("cases cannot give `{other}`")),
        }
        Ok(())
    }

    /// Whether a name is asked for.
    pub fn wants(&self, name: &str) -> bool {
        self.outputs.iter().any(|n| n == name)
    }
}

/// The name of a pass.
pub fn pass(name: &str) -> Result<&'static str, Failure> {
    pass_named(name).map(|p| p.name).ok_or_else(|| format!("no pass is called `{name}`"))
}

/// The name of a pass or of a strategy for loops.
pub fn pass_or_strategy(name: &str) -> Result<&'static str, Failure> {
    Strategy::named(name).map_or_else(|| pass(name), |s| Ok(s.name()))
}

/// A processor by the name that `--cpu` has for it.
pub fn cpu(name: &str) -> Result<Cpu, Failure> {
    match name {
        "native" => Ok(Cpu::Native),
        "avx2" => Ok(Cpu::Avx2),
        "avx512" => Ok(Cpu::Avx512),
        other => Err(format!("no processor `{other}`")),
    }
}

fn given(value: &str, folder: &Path) -> Given {
    if value.ends_with(".npy") {
        Given::File(folder.join(value))
    } else {
        Given::Literal(value.to_string())
    }
}
