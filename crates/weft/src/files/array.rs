//! Arrays in files, and what a program states of them.

use super::{room_for, wrong};
use crate::npy::Stored;
use std::collections::BTreeSet;
use std::path::Path;
use weft_diag::{Code, Diagnostic};
use weft_host::{ForeignCall, Gives, Refused};
use weft_scalar::{FileOp, ScalarType, Stated};
use weft_tensor::Array;

/// What a program states of an array that it reads, and may take.
pub(super) struct Wanted<'c> {
    elem: ScalarType,
    /// The extent of each axis, where it is known before.
    shape: &'c [Option<usize>],
    stated: Stated,
    limit: u64,
}

impl<'c> Wanted<'c> {
    /// That of a call.
    pub fn new(call: &'c ForeignCall, stated: Stated, limit: u64) -> Wanted<'c> {
        let Gives::Tensor(elem, shape) = &call.gives else {
            unreachable!("a tensor was checked, found {:?}", call.gives)
        };
        Wanted { elem: *elem, shape, stated, limit }
    }

    /// The element type that is stated.
    pub fn elem(&self) -> ScalarType {
        self.elem
    }

    /// Bytes that it may take.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Refuses what a file holds, before it is read, where it is not what is stated (E1103, E1104)
    /// or takes too much (E1106).
    pub fn admit(&self, path: &Path, elem: ScalarType, shape: &[usize]) -> Result<(), Refused> {
        self.admit_rank(path, elem, shape.len())?;
        let differs = |(n, wanted): (&usize, &Option<usize>)| wanted.is_some_and(|w| w != *n);
        if let Some(axis) = shape.iter().zip(self.shape).position(differs) {
            let stated = self.shape[axis].unwrap_or_default();
            let headline = format!(
                "`{}` has extent {} on axis {axis}, not {stated}",
                path.display(),
                shape[axis]
            );
            return Err(refused(Diagnostic::error(Code::E1104, headline)));
        }
        room_for(bytes(elem, shape), self.limit, path)?;
        match elem == self.elem {
            true => Ok(()),
            false => room_for(bytes(self.elem, shape), self.limit, path),
        }
    }

    /// E1103 where a file holds another element type, which nobody converts, or number of axes.
    fn admit_rank(&self, path: &Path, elem: ScalarType, rank: usize) -> Result<(), Refused> {
        let held = self.stated == Stated::Held && elem != self.elem;
        if rank == self.shape.len() && !held {
            return Ok(());
        }
        let headline = format!(
            "`{}` holds {}, not {}",
            path.display(),
            described(elem, rank),
            described(self.elem, self.shape.len())
        );
        let d = Diagnostic::error(Code::E1103, headline);
        Err(refused(match rank == self.shape.len() {
            true => d.help(format!("`as` converts: `load_…(…) as {}`", type_text(self.elem, rank))),
            false => d.help(format!("state what it holds: `{}`", type_text(elem, rank))),
        }))
    }

    /// An array that was admitted, in the type that is stated.
    pub fn take(&self, array: Array) -> Array {
        match array.elem() == self.elem {
            true => array,
            false => array.cast(self.elem),
        }
    }

    /// An array that stands in a file as `.npy` files have them.
    pub fn read(
        &self,
        path: &Path,
        stored: Result<Stored<impl std::io::Read>, String>,
    ) -> Result<Array, Refused> {
        let stored = stored.map_err(|why| wrong(path, &why))?;
        self.admit(path, stored.elem(), stored.shape())?;
        Ok(self.take(stored.read().map_err(|why| wrong(path, &why))?))
    }
}

/// A whole `.npy` file.
pub(super) fn load_npy(path: &Path, wanted: &Wanted<'_>) -> Result<Array, Refused> {
    wanted.read(path, crate::npy::open(path))
}

/// The bytes of an array; as many as can be said where they are more.
fn bytes(elem: ScalarType, shape: &[usize]) -> u64 {
    if shape.contains(&0) {
        return 0;
    }
    let extents = shape.iter().map(|n| *n as u64);
    extents.fold(elem.bytes() as u64, u64::saturating_mul)
}

fn refused(d: Diagnostic) -> Refused {
    Refused::File(Box::new(d))
}

fn described(elem: ScalarType, rank: usize) -> String {
    match rank {
        0 => format!("a number of type {elem}"),
        1 => format!("{elem} in 1 axis"),
        n => format!("{elem} in {n} axes"),
    }
}

/// A type as a program states it.
fn type_text(elem: ScalarType, rank: usize) -> String {
    const LETTERS: [&str; 4] = ["n", "m", "p", "q"];
    let axis = |at: usize| LETTERS.get(at).map_or_else(|| format!("n{at}"), |l| (*l).to_string());
    let axes: Vec<String> = (0..rank).map(axis).collect();
    match rank {
        0 => elem.to_string(),
        _ => format!("[{elem}; {}]", axes.join(", ")),
    }
}

/// Arrays by the names that they are to have; a failure where those do not go together.
pub(super) fn entries<'a>(
    op: FileOp,
    names: &[&'a str],
    arrays: &[&'a Array],
) -> Result<Vec<(&'a str, &'a Array)>, Refused> {
    let op = op.name();
    if names.len() != arrays.len() {
        let (k, n) = (names.len(), arrays.len());
        return Err(Refused::Failed(format!("`{op}` is given {k} names for {n} tensors")));
    }
    let mut seen = BTreeSet::new();
    if let Some(twice) = names.iter().find(|name| !seen.insert(**name)) {
        return Err(Refused::Failed(format!("`{op}` is given the name {twice:?} twice")));
    }
    Ok(names.iter().copied().zip(arrays.iter().copied()).collect())
}
