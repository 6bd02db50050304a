//! The functions of files that programs call: `std::io`.
//!
//! They come through the door for functions that are no part of the program
//! ([`ForeignFunctions`]), and are answered before it leads to whoever runs the program. What they
//! find in files is not believed: headers are held against the length of the file, the stated type
//! and the memory limit before any memory is taken. What they write is a draft first, as the outputs
//! of the command are.

mod array;
mod csv;
mod npz;
mod path;
mod pgm;
mod png;
mod safetensors;
mod text;

use crate::npy::file_failure;
use crate::outputs::{Sink, write_file};
use array::Wanted;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use weft_diag::{Code, Diagnostic};
use weft_executor::RunOptions;
use weft_host::{
    ForeignCall, ForeignFunctions, Observed, Refused, RunError, exceeded_text, nobody_has,
};
use weft_scalar::{FileEffect, FileOp, Scalar};
use weft_tensor::Array;

/// What a function gives.
type Answer = Result<Observed, Refused>;

/// Whether functions that change files do so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Changes {
    /// They do.
    Made,
    /// They do nothing: the program is only looked at.
    LeftOut,
}

/// The files of a run.
#[derive(Debug)]
pub(crate) struct Files<'a> {
    /// The folder of the program's file, if it has one.
    script: Option<&'a Path>,
    changes: Changes,
    memory_limit: u64,
    interrupt: Option<&'a AtomicBool>,
    /// The functions of whoever runs the program.
    others: Option<&'a dyn ForeignFunctions>,
}

impl<'a> Files<'a> {
    /// Those of a run of a program in this folder.
    pub fn new(script: Option<&'a Path>, changes: Changes, how: &RunOptions<'a>) -> Files<'a> {
        let &RunOptions { memory_limit, interrupt, foreign: others, .. } = how;
        Files { script, changes, memory_limit, interrupt, others }
    }
}

impl ForeignFunctions for Files<'_> {
    fn call(&self, call: &ForeignCall, args: &[Observed]) -> Answer {
        match (call.file, self.others) {
            (Some(file), _) if self.is_left_out(file.op) => Ok(done()),
            (Some(file), _) if file.op.gives_array() => {
                let wanted = Wanted::new(call, file.stated, self.memory_limit);
                let array = self.loaded(file.op, &Args(args), &wanted)?;
                Ok(Observed::Array(Arc::new(array)))
            }
            (Some(file), _) => self.answer(file.op, &Args(args)),
            (None, Some(others)) => others.call(call, args),
            (None, None) => Err(Refused::Failed(nobody_has(&call.path))),
        }
    }
}

impl Files<'_> {
    fn is_left_out(&self, op: FileOp) -> bool {
        self.changes == Changes::LeftOut && op.effect() == FileEffect::Changes
    }

    fn loaded(&self, op: FileOp, args: &Args<'_>, wanted: &Wanted<'_>) -> Result<Array, Refused> {
        let path = &self.place(args.text(0));
        match op {
            FileOp::LoadNpy => array::load_npy(path, wanted),
            FileOp::LoadNpz => npz::load(path, args.text(1), wanted),
            FileOp::LoadSafetensors => safetensors::load(path, args.text(1), wanted),
            FileOp::LoadCsv => csv::load(path, args.integer(1), args.text(2), wanted),
            FileOp::LoadPng => png::load(path, wanted),
            FileOp::LoadPgm => pgm::load(path, wanted),
            other => unreachable!("`{}` gives no array of a stated type", other.name()),
        }
    }

    fn answer(&self, op: FileOp, args: &Args<'_>) -> Answer {
        let here = |n: usize| Path::new(args.text(n));
        match op {
            FileOp::CurrentDir => path::text(&path::current()?),
            FileOp::ScriptDir => path::text(&self.script_dir()?),
            FileOp::ResolveRelativeToScript => path::text(&self.script_dir()?.join(args.text(0))),
            FileOp::JoinPath => path::text(&args.texts(0).iter().collect::<PathBuf>()),
            FileOp::SplitPath => Ok(path::split(args.text(0))),
            FileOp::Basename => Ok(Observed::Text(path::halves(args.text(0)).1.to_string())),
            FileOp::Dirname => Ok(Observed::Text(path::halves(args.text(0)).0.to_string())),
            FileOp::AbsolutePath => path::text(&path::absolute(here(0))?),
            FileOp::RelativePath => path::text(&path::relative(here(0), here(1))?),
            FileOp::ListDir => path::list(here(0)),
            FileOp::FileExists => path::is(here(0), |_| true),
            FileOp::IsFile => path::is(here(0), std::fs::Metadata::is_file),
            FileOp::IsDir => path::is(here(0), std::fs::Metadata::is_dir),
            FileOp::FileSize => path::size(here(0)),
            FileOp::ReadFile => text::read(here(0), self.memory_limit).map(Observed::Text),
            FileOp::WriteFile => self.write(here(0), |w| text::put(w, args.text(1))),
            FileOp::AppendFile => self.append(here(0), args.text(1)),
            FileOp::DeleteFile => path::changed(here(0), "delete", |p| std::fs::remove_file(p)),
            FileOp::CreateDir => path::changed(here(0), "create", |p| std::fs::create_dir_all(p)),
            FileOp::RemoveDir => path::changed(here(0), "remove", |p| std::fs::remove_dir(p)),
            FileOp::CopyFile => self.copy(here(0), here(1)),
            FileOp::MoveFile => path::moved(here(0), here(1)),
            FileOp::EntryNames => self.entry_names(here(0)),
            FileOp::SaveNpy => {
                self.write(&self.place(args.text(0)), |w| crate::npy::write(w, args.array(1)))
            }
            FileOp::SaveNpz => {
                let entries = array::entries(op, &args.texts(1), &args.arrays(2))?;
                self.write(&self.place(args.text(0)), |w| npz::put(w, &entries))
            }
            FileOp::SaveSafetensors => {
                let entries = array::entries(op, &args.texts(1), &args.arrays(2))?;
                self.write(&self.place(args.text(0)), |w| safetensors::put(w, &entries))
            }
            FileOp::SaveCsv => {
                let table = csv::Table::new(args.array(1), args.text(2), args.text(3))?;
                self.write(&self.place(args.text(0)), |w| table.put(w))
            }
            FileOp::SavePng => {
                let image = png::Image::new(op, args.array(1), png::CHANNELS)?;
                self.write(&self.place(args.text(0)), |w| png::put(w, &image))
            }
            FileOp::SavePgm => {
                let image = png::Image::new(op, args.array(1), &[1])?;
                self.write(&self.place(args.text(0)), |w| pgm::put(w, &image))
            }
            FileOp::LoadNpy
            | FileOp::LoadNpz
            | FileOp::LoadSafetensors
            | FileOp::LoadCsv
            | FileOp::LoadPng
            | FileOp::LoadPgm => unreachable!("what is read as an array is asked for as one"),
        }
    }

    /// The place of a file that arrays are read from or written to.
    fn place(&self, path: &str) -> PathBuf {
        self.script.map_or_else(|| PathBuf::from(path), |folder| folder.join(path))
    }

    fn script_dir(&self) -> Result<PathBuf, Refused> {
        self.script.map_or_else(path::current, |folder| path::absolute(&folder.join(".")))
    }

    /// Writes a file as a whole, or leaves what is there.
    fn write(&self, path: &Path, put: impl FnOnce(&mut Sink<'_>) -> io::Result<()>) -> Answer {
        match write_file(path, self.interrupt, put) {
            Ok(()) => Ok(done()),
            Err(RunError::Diagnostic(d)) => Err(Refused::File(d)),
            Err(RunError::Interrupted | RunError::Output(_)) => Err(Refused::Stopped),
        }
    }

    fn append(&self, path: &Path, content: &str) -> Answer {
        let before = match text::read(path, self.memory_limit) {
            Ok(before) => before,
            Err(_) if matches!(path.try_exists(), Ok(false)) => String::new(),
            Err(refused) => return Err(refused),
        };
        self.write(path, |w| text::put(w, &before).and_then(|()| text::put(w, content)))
    }

    fn copy(&self, from: &Path, to: &Path) -> Answer {
        let mut source = weft_runtime::open_regular(from).map_err(|e| unreadable(from, &e))?;
        self.write(to, |w| io::copy(&mut source, w).map(|_| ()))
    }

    fn entry_names(&self, path: &Path) -> Answer {
        let names = match path.extension().and_then(|e| e.to_str()) {
            Some("npz") => npz::names(path)?,
            Some("safetensors") => safetensors::names(path)?,
            _ => return Err(wrong(path, "it is neither an .npz nor a .safetensors file")),
        };
        Ok(Observed::List(names.into_iter().map(Observed::Text).collect()))
    }
}

/// What a function gives that has changed files.
fn done() -> Observed {
    truth(true)
}

fn truth(value: bool) -> Observed {
    Observed::Array(Arc::new(Array::scalar(Scalar::Bool(value))))
}

/// Arguments of a call, of the kinds that the checker held them to.
struct Args<'a>(&'a [Observed]);

impl<'a> Args<'a> {
    fn text(&self, n: usize) -> &'a str {
        match self.0.get(n) {
            Some(Observed::Text(text)) => text,
            other => unreachable!("a text was checked, found {other:?}"),
        }
    }

    fn texts(&self, n: usize) -> Vec<&'a str> {
        let Some(Observed::List(all)) = self.0.get(n) else {
            unreachable!("a list of texts was checked, found {:?}", self.0.get(n))
        };
        let text = |t: &'a Observed| match t {
            Observed::Text(text) => text.as_str(),
            other => unreachable!("a list of texts was checked, found {other:?}"),
        };
        all.iter().map(text).collect()
    }

    fn array(&self, n: usize) -> &'a Array {
        let found = self.0.get(n).and_then(Observed::as_array);
        found.unwrap_or_else(|| unreachable!("a tensor was checked, found {:?}", self.0.get(n)))
    }

    fn arrays(&self, n: usize) -> Vec<&'a Array> {
        let Some(Observed::Tuple(all)) = self.0.get(n) else {
            unreachable!("a tuple of tensors was checked, found {:?}", self.0.get(n))
        };
        all.iter().map(|a| &**a.as_array().expect("members were checked")).collect()
    }

    fn integer(&self, n: usize) -> i64 {
        self.array(n).get(0).as_i64().expect("an integer was checked")
    }
}

/// E1105 for a file that cannot be read.
fn unreadable(path: &Path, e: &io::Error) -> Refused {
    wrong(path, &file_failure(e))
}

/// E1105 for a file that is not what it should be.
fn wrong(path: &Path, why: &str) -> Refused {
    let headline = format!("cannot read `{}`: {why}", path.display());
    Refused::File(Box::new(Diagnostic::error(Code::E1105, headline)))
}

/// E1106 where so many bytes are not allowed.
fn room_for(bytes: u64, limit: u64, path: &Path) -> Result<(), Refused> {
    if bytes <= limit {
        return Ok(());
    }
    let d = Diagnostic::error(Code::E1106, exceeded_text(bytes, limit));
    Err(Refused::File(Box::new(d.note(format!("`{}` takes them", path.display())))))
}
