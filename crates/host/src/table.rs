//! Tensors whose cells are tuples, structs or variants, as they are seen from outside: by cells
//! where they are shown, as a list of such values is, and field by field where they are kept.

use crate::datum::{Datum, part};
use crate::display::array::{EDGE_ITEMS, MOST_ITEMS, elided};
use crate::look::Observed;
use crate::memory::Members;
use crate::value::Look;
use std::fmt;
use std::sync::Arc;
use weft_tensor::Array;

/// A tensor of tuples: one array per leaf of a cell, all with the same first axes.
#[derive(Debug, Clone)]
pub struct Table {
    cell: Look,
    /// The axes that the leaves share.
    shape: Vec<usize>,
    leaves: Vec<Arc<Array>>,
}

impl Table {
    /// The leaves of a tensor of such cells; nothing where they do not share so many axes.
    pub(crate) fn of(cell: &Look, axes: usize, leaves: &[Datum]) -> Option<Table> {
        let leaves: Option<Vec<Arc<Array>>> = leaves.iter().map(Datum::array).collect();
        let leaves = leaves?;
        let shape = leaves.first()?.shape().get(..axes)?.to_vec();
        let share = leaves.iter().all(|a| a.shape().get(..axes) == Some(&shape));
        let whole = leaf_count(cell) == leaves.len();
        (share && whole && axes > 0).then(|| Table { cell: cell.clone(), shape, leaves })
    }

    /// The value of the cell at a place in row-major order.
    fn at(&self, place: usize) -> Observed {
        let axes = self.shape.len();
        let mut leaves = self.leaves.iter().map(|a| part(a, axes, place));
        regrouped(&self.cell, &mut leaves).presented(&self.cell, &[])
    }

    /// Field by field: a tuple of tensors. Variants have no fields in common, and are a list.
    pub fn columns(&self) -> Observed {
        let mut leaves = self.leaves.iter();
        self.columns_of(&self.cell, &mut leaves)
    }

    fn columns_of(&self, look: &Look, leaves: &mut std::slice::Iter<'_, Arc<Array>>) -> Observed {
        match look {
            Look::Tuple(looks) => {
                Observed::Tuple(looks.iter().map(|l| self.columns_of(l, leaves)).collect())
            }
            Look::Struct(fields, looks) => {
                let columns = looks.iter().map(|l| self.columns_of(l, leaves));
                let named = fields.fields.iter().cloned().zip(columns).collect();
                Observed::Record(fields.name.clone(), named)
            }
            Look::Enum(..) => {
                let own = leaves.by_ref().take(leaf_count(look)).cloned().collect();
                Table { cell: look.clone(), shape: self.shape.clone(), leaves: own }.list(0, 0)
            }
            leaf => leaves.next().map_or(Observed::Tuple(Vec::new()), |a| {
                Datum::Array(a.clone()).presented(leaf, &[])
            }),
        }
    }

    /// The cells below the first `axis` axes, as lists within lists.
    fn list(&self, axis: usize, at: usize) -> Observed {
        match self.shape.get(axis) {
            Some(&n) => Observed::List((0..n).map(|k| self.list(axis + 1, at * n + k)).collect()),
            None => self.at(at),
        }
    }

    /// Writes the cells as a list of them is written; `cell` writes one.
    pub(crate) fn write(
        &self,
        out: &mut dyn fmt::Write,
        cell: &dyn Fn(&mut dyn fmt::Write, &Observed) -> fmt::Result,
    ) -> fmt::Result {
        self.write_from(out, 0, 0, cell)
    }

    fn write_from(
        &self,
        out: &mut dyn fmt::Write,
        axis: usize,
        at: usize,
        cell: &dyn Fn(&mut dyn fmt::Write, &Observed) -> fmt::Result,
    ) -> fmt::Result {
        let Some(&n) = self.shape.get(axis) else { return cell(out, &self.at(at)) };
        out.write_str("[")?;
        let corners = self.is_long() && elided(n);
        let mut k = 0;
        while k < n {
            out.write_str(if k == 0 { "" } else { ", " })?;
            if corners && k == EDGE_ITEMS {
                out.write_str("...")?;
                k = n - EDGE_ITEMS;
                continue;
            }
            self.write_from(out, axis + 1, at * n + k, cell)?;
            k += 1;
        }
        out.write_str("]")
    }

    fn is_long(&self) -> bool {
        self.shape.iter().try_fold(1, |all: usize, n| all.checked_mul(*n)) > Some(MOST_ITEMS)
    }
}

/// Of how many tensors a value of this look is made.
fn leaf_count(look: &Look) -> usize {
    match look {
        Look::Tuple(looks) | Look::Struct(_, looks) | Look::Enum(_, looks) => {
            looks.iter().map(leaf_count).sum()
        }
        _ => 1,
    }
}

/// The leaves of one cell as the tuples that they make up.
fn regrouped(look: &Look, leaves: &mut dyn Iterator<Item = Datum>) -> Datum {
    match look {
        Look::Tuple(looks) | Look::Struct(_, looks) | Look::Enum(_, looks) => {
            Datum::Tuple(Members::passing(looks.iter().map(|l| regrouped(l, leaves)).collect()))
        }
        _ => leaves.next().unwrap_or_else(|| Datum::bool(false)),
    }
}
