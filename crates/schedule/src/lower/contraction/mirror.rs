//! Symmetric products: tiles and kernels that lie below the diagonal are left out, and their cells
//! copied from those across it (BLAS's `syrk`).
//!
//! ```text
//! for each tile { columns from its first row on; for each strip { rows up to its last column } }
//! for it in rows step 64, jt in columns step 64        -- threads share the first
//!   for i in it.., j in jt..i { target[i, j] = target[j, i] }
//! ```

use crate::lower::block::{BlockKind, open_parts};
use crate::lower::emitter::Emitter;
use weft_base::Name;
use weft_loops::{Buffer, Expr as Value, Stmt};
use weft_scalar::BinaryOp;

/// Rows and columns that are copied together: their lines stay near.
const PART: i64 = 64;

/// Of a tile's columns those from its first row on, and a test that there are some.
pub(super) fn open_computed(
    e: &mut Emitter<'_>,
    rows: (Value, Value),
    columns: (Value, Value),
) -> (Value, Value) {
    let first = e.f.binary(BinaryOp::Max, columns.0, rows.0);
    let some = e.f.binary(BinaryOp::Lt, first, columns.1);
    e.open(BlockKind::Branch(some));
    (first, columns.1)
}

/// Copies the cells below the diagonal of rows and columns from `lo` to `hi`; `at` gives the position
/// of a row's cell in a column.
pub(super) fn copy<'p>(
    e: &mut Emitter<'p>,
    buffer: Buffer,
    (lo, hi): (Value, Value),
    at: &mut dyn FnMut(&mut Emitter<'p>, Value, Value) -> Value,
) {
    let base = e.top();
    let (down, down_end) = open(e, ("part", PART, true), (lo, hi));
    let (across, across_end) = open(e, ("part", PART, false), (lo, down_end));
    let (i, _) = open(e, ("i", 1, false), (down, down_end));
    let end = e.f.binary(BinaryOp::Min, across_end, i);
    let (j, _) = open(e, ("j", 1, true), (across, end));
    let (index, from) = (at(e, i, j), at(e, j, i));
    let value = e.f.load(buffer, from);
    e.push(Stmt::Store { buffer, index, value });
    while e.top() > base {
        e.close();
    }
}

/// Opens a loop over parts of a range, which threads may `share`; gives the bounds of one.
fn open(
    e: &mut Emitter<'_>,
    (name, size, shared): (&str, i64, bool),
    ends: (Value, Value),
) -> (Value, Value) {
    let var = e.new_var(Name::new(name));
    (e.independent[var], e.apart[var]) = (shared, shared);
    open_parts(e, var, ends, size)
}
