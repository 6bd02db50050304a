//! Results as files: `.npy` arrays, and the rest in `outputs.json`.
//!
//! Files appear together after success, or not at all: each is written as a draft beside its
//! place first.

use crate::npy;
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use weft_base::Name;
use weft_diag::{Code, Diagnostic};
use weft_host::{Observed, Outputs, RunError};
use weft_runtime::{Replacement, interrupt, written_place};
use weft_scalar::{Scalar, ScalarType};
use weft_tensor::Array;

fn unwritten(path: &Path, error: &io::Error) -> RunError {
    let why = format!("cannot write `{}`: {error}", path.display());
    Diagnostic::error(Code::E1105, why).into()
}

/// Writes outputs: `dir/NAME.npy` for every tensor or number with the rest in
/// `dir/outputs.json` (if a directory is given), and single arrays to files of their own.
///
/// # Errors
///
/// Where a file cannot be written, two outputs have one, or the flag asks for an end.
pub fn write_outputs(
    outputs: &Outputs,
    dir: Option<&Path>,
    files: &[(String, PathBuf)],
    interrupt: Option<&AtomicBool>,
) -> Result<(), RunError> {
    let mut staged = Staged { files: BTreeMap::new(), interrupt };
    if let Some(dir) = dir {
        staged.folder(dir, outputs)?;
    }
    for (name, path) in files {
        match outputs.named.iter().find(|(n, _)| n.as_str() == name).map(|(_, v)| v) {
            Some(Observed::Array(a)) => staged.array(path, a)?,
            Some(Observed::OpenInts(a)) => staged.array(path, &kept(name, a)?)?,
            Some(other) => return Err(no_array(name, other, path)),
            None => {}
        }
    }
    staged.publish()
}

/// Writes one file as a whole, or leaves what stands there.
///
/// # Errors
///
/// Where it cannot be written, or the flag asks for an end.
pub(crate) fn write_file(
    path: &Path,
    interrupt: Option<&AtomicBool>,
    write: impl FnOnce(&mut Sink<'_>) -> io::Result<()>,
) -> Result<(), RunError> {
    let mut staged = Staged { files: BTreeMap::new(), interrupt };
    staged.file(path, write)?;
    staged.publish()
}

/// Where a file is written.
pub(crate) type Sink<'a> = BufWriter<Interruptible<'a>>;

/// Outputs of which each has a file, but two have the same one.
pub fn one_file_twice(files: &[(String, PathBuf)]) -> Option<(&str, &str)> {
    let place = |p: &PathBuf| written_place(p).unwrap_or_else(|_| p.clone());
    let mut seen: BTreeMap<PathBuf, &str> = BTreeMap::new();
    files.iter().find_map(|(name, path)| Some((seen.insert(place(path), name)?, name.as_str())))
}

/// Files that are written and have no names yet.
struct Staged<'a> {
    /// By their places.
    files: BTreeMap<PathBuf, (PathBuf, Replacement)>,
    interrupt: Option<&'a AtomicBool>,
}

impl Staged<'_> {
    fn array(&mut self, path: &Path, a: &Array) -> Result<(), RunError> {
        self.file(path, |w| npy::write(w, a))
    }

    fn file(
        &mut self,
        path: &Path,
        write: impl FnOnce(&mut Sink<'_>) -> io::Result<()>,
    ) -> Result<(), RunError> {
        let fail = |e: io::Error| unwritten(path, &e);
        let place = written_place(path).map_err(fail)?;
        if let Some((other, _)) = self.files.get(&place) {
            let why = format!("`{}` is the same file", other.display());
            return Err(unwritten(path, &io::Error::other(why)));
        }
        let mut draft = Replacement::of(path).map_err(fail)?;
        let to = Interruptible { to: draft.file(), interrupt: self.interrupt };
        let mut out = BufWriter::with_capacity(64 << 10, to);
        let written = write(&mut out).and_then(|()| out.flush());
        drop(out);
        if self.interrupted() {
            return Err(RunError::Interrupted);
        }
        written.map_err(fail)?;
        self.files.insert(place, (path.to_path_buf(), draft));
        Ok(())
    }

    fn interrupted(&self) -> bool {
        self.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Gives the files their names, all or none of them.
    fn publish(self) -> Result<(), RunError> {
        interrupt::together(|| {
            if self.interrupted() {
                return Err(RunError::Interrupted);
            }
            let name = |(path, draft): (PathBuf, Replacement)| {
                draft.publish().map_err(|e| unwritten(&path, &e))
            };
            self.files.into_values().try_for_each(name)
        })
    }
}

/// A file that is written until somebody asks for an end.
pub(crate) struct Interruptible<'a> {
    to: &'a mut std::fs::File,
    interrupt: Option<&'a AtomicBool>,
}

impl Write for Interruptible<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(io::Error::other("interrupted"));
        }
        // Little enough at a time that the flag is seen.
        self.to.write(&bytes[..bytes.len().min(1 << 20)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Integers that nothing gave a type, as they are kept in files: as `i32`.
fn kept(name: &str, a: &Array) -> Result<Array, RunError> {
    a.narrowed(ScalarType::I32).ok_or_else(|| {
        let headline = format!("`{name}` has a value that does not fit `i32`");
        let d = Diagnostic::error(Code::E0308, headline)
            .note("integers that nothing gives a type are kept as `i32`")
            .help(format!("give it one: `let {name}: i64 = …`"));
        d.into()
    })
}

/// Only arrays have a place in a `.npy` file.
fn no_array(name: &str, value: &Observed, path: &Path) -> RunError {
    let kind = match value {
        Observed::Array(_) | Observed::OpenInts(_) => "tensor",
        Observed::Text(_) => "string",
        Observed::Tuple(_) => "tuple",
        Observed::Record(..) => "struct or enum",
        Observed::List(_) | Observed::Table(_) => "list",
        Observed::Range(..) => "range",
        Observed::Function(_) => "function",
        Observed::Failure(_) => "failure",
    };
    let why = format!("`{name}` is a {kind}, and `.npy` holds tensors and numbers");
    unwritten(path, &io::Error::other(why))
}

/// A value as `print` shows it.
pub fn observed_text(value: &Observed) -> String {
    value.text()
}

/// A named output as the command line prints it: one line, or the name and the lines of
/// a tensor.
pub fn named_text(name: &str, value: &Observed) -> String {
    let text = observed_text(value);
    let gap = if text.contains('\n') { '\n' } else { ' ' };
    format!("{name} ={gap}{text}\n")
}

impl Staged<'_> {
    /// Files for all outputs in one folder.
    fn folder(&mut self, dir: &Path, outputs: &Outputs) -> Result<(), RunError> {
        std::fs::create_dir_all(dir).map_err(|e| unwritten(dir, &e))?;
        let mut rest = serde_json::Map::new();
        for (name, value) in &outputs.named {
            self.value(dir, name.as_str(), value, &mut rest)?;
        }
        let text = serde_json::to_string_pretty(&serde_json::Value::Object(rest))
            .expect("strings and numbers are JSON");
        self.file(&dir.join("outputs.json"), |w| writeln!(w, "{text}"))
    }

    /// Arrays become files (members of tuples as `NAME.0.npy`), the rest goes to JSON.
    fn value(
        &mut self,
        dir: &Path,
        name: &str,
        value: &Observed,
        rest: &mut serde_json::Map<String, serde_json::Value>,
    ) -> Result<(), RunError> {
        match value {
            Observed::Array(a) => {
                if a.shape().is_empty() {
                    rest.insert(name.to_string(), number(a.get(0)));
                }
                self.array(&dir.join(format!("{name}.npy")), a)
            }
            Observed::OpenInts(a) => {
                self.value(dir, name, &Observed::Array(kept(name, a)?.into()), rest)
            }
            Observed::Tuple(members) => members
                .iter()
                .enumerate()
                .try_for_each(|(n, m)| self.value(dir, &format!("{name}.{n}"), m, rest)),
            Observed::Table(t) => self.value(dir, name, &t.columns(), rest),
            other => {
                let file = dir.join("outputs.json");
                let too_deep = || io::Error::other(format!("`{name}` is nested too deep for JSON"));
                let value = json(other, Arrays::InFiles, DEEPEST_JSON);
                rest.insert(name.to_string(), value.ok_or_else(|| unwritten(&file, &too_deep()))?);
                self.arrays(dir, name, other)
            }
        }
    }

    /// The tensors inside a struct become files of their own.
    fn arrays(&mut self, dir: &Path, name: &str, value: &Observed) -> Result<(), RunError> {
        match value {
            Observed::Array(a) => self.array(&dir.join(format!("{name}.npy")), a),
            Observed::OpenInts(a) => self.array(&dir.join(format!("{name}.npy")), &kept(name, a)?),
            Observed::Tuple(members) => members
                .iter()
                .enumerate()
                .try_for_each(|(n, m)| self.arrays(dir, &format!("{name}.{n}"), m)),
            Observed::Record(_, fields) => fields
                .iter()
                .enumerate()
                .try_for_each(|(n, (f, v))| self.arrays(dir, &format!("{name}.{}", key(n, f)), v)),
            Observed::Table(t) => self.arrays(dir, name, &t.columns()),
            _ => Ok(()),
        }
    }
}

/// Where the numbers of tensors are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrays {
    /// In files beside the JSON, which has their shapes.
    InFiles,
    /// In the JSON, in nested lists: a list may have any number of tensors.
    Here,
}

/// Values within each other; programs that read JSON give up far before.
const DEEPEST_JSON: usize = 10_000;

/// A value as JSON; nothing where more than `deep` values lie within each other.
fn json(value: &Observed, arrays: Arrays, deep: usize) -> Option<serde_json::Value> {
    let deep = deep.checked_sub(1)?;
    let all = |all: &[Observed], arrays| all.iter().map(|v| json(v, arrays, deep)).collect();
    Some(match value {
        Observed::Array(a) | Observed::OpenInts(a) if a.shape().is_empty() => number(a.get(0)),
        Observed::Array(a) | Observed::OpenInts(a) if arrays == Arrays::Here => {
            nested(a, 0, &mut 0)
        }
        Observed::Array(a) | Observed::OpenInts(a) => {
            let shape: Vec<serde_json::Value> = a.shape().iter().map(|n| (*n).into()).collect();
            serde_json::json!({ "shape": shape })
        }
        Observed::Text(t) => t.as_str().into(),
        Observed::Tuple(members) => return all(members, arrays),
        Observed::List(members) => return all(members, Arrays::Here),
        Observed::Table(t) => return json(&t.columns(), arrays, deep),
        Observed::Record(of, fields) => return record(of, fields, arrays, deep),
        other => other.text().into(),
    })
}

/// A struct or variant: its name, and its fields by name or in order.
fn record(
    of: &Name,
    fields: &[(Option<Name>, Observed)],
    arrays: Arrays,
    deep: usize,
) -> Option<serde_json::Value> {
    let mut object = serde_json::Map::new();
    object.insert("type".into(), of.as_str().into());
    for (n, (field, v)) in fields.iter().enumerate() {
        object.insert(key(n, field), json(v, arrays, deep)?);
    }
    Some(serde_json::Value::Object(object))
}

fn key(n: usize, field: &Option<Name>) -> String {
    field.as_ref().map_or(n.to_string(), |f| f.to_string())
}

/// The part of a tensor below the first `axis` axes, from element `next` on.
fn nested(a: &Array, axis: usize, next: &mut usize) -> serde_json::Value {
    match a.shape().get(axis) {
        Some(&n) => (0..n).map(|_| nested(a, axis + 1, next)).collect(),
        None => {
            *next += 1;
            number(a.get(*next - 1))
        }
    }
}

/// NaN and infinities are strings: JSON has no numbers for them.
fn number(v: Scalar) -> serde_json::Value {
    match v {
        Scalar::Bool(b) => b.into(),
        Scalar::U64(n) => n.into(),
        _ => match (v.as_i64(), v.as_f64()) {
            (Some(n), _) => n.into(),
            (_, Some(x)) if x.is_finite() => x.into(),
            _ => weft_host::scalar_text(v).into(),
        },
    }
}
