//! Where computed cells are kept.

use super::{Binding, FailureKind, Limits, size_value};
use crate::{Array, Definition, Graph, TensorId};
use std::sync::Arc;
use weft_base::entity::SecondaryMap;
use weft_scalar::Scalar;

/// How far a cell is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CellState {
    /// Not computed.
    Unknown,
    /// Waiting on the stack.
    Waiting,
    /// Computed.
    Known,
    /// It has failed, or needs a cell that has.
    Failed,
}

/// The cells of one tensor.
#[derive(Clone, Debug, Default)]
pub(super) enum Store {
    /// Not needed so far.
    #[default]
    Absent,
    /// Every cell is known.
    Whole { shape: Box<[i64]>, array: Arc<Array> },
    /// Some cells are known.
    Growing { shape: Box<[i64]>, array: Array, states: Vec<CellState>, missing: usize },
}

impl Store {
    /// The extents; the store is not absent.
    pub(super) fn shape(&self) -> &[i64] {
        match self {
            Store::Whole { shape, .. } | Store::Growing { shape, .. } => shape,
            Store::Absent => panic!("a store is prepared before it is asked"),
        }
    }

    /// The bits of a cell, if it is known.
    #[inline]
    pub(super) fn known(&self, at: usize) -> Option<u64> {
        match self {
            Store::Whole { array, .. } => Some(array.get(at).bits()),
            Store::Growing { array, states, .. } => {
                (states[at] == CellState::Known).then(|| array.get(at).bits())
            }
            Store::Absent => None,
        }
    }

    /// The indices of the cell at row-major position `at`.
    pub(super) fn cell(&self, mut at: usize) -> Vec<i64> {
        let mut cell = vec![0; self.shape().len()];
        for (index, &extent) in cell.iter_mut().zip(self.shape()).rev() {
            *index = (at % extent as usize) as i64;
            at /= extent as usize;
        }
        cell
    }

    /// Marks a cell that is not computed as waiting; `false` if it waits already.
    pub(super) fn wait(&mut self, at: usize) -> bool {
        let Store::Growing { states, .. } = self else { panic!("only a growing store waits") };
        std::mem::replace(&mut states[at], CellState::Waiting) != CellState::Waiting
    }

    /// Whether a cell has failed in this observation.
    pub(super) fn has_failed(&self, at: usize) -> bool {
        matches!(self, Store::Growing { states, .. } if states[at] == CellState::Failed)
    }

    /// Marks a waiting cell as failed.
    pub(super) fn fail(&mut self, at: usize) {
        if let Store::Growing { states, .. } = self {
            states[at] = CellState::Failed;
        }
    }

    /// Takes back [`Store::wait`] or [`Store::fail`].
    pub(super) fn forget(&mut self, at: usize) {
        if let Store::Growing { states, .. } = self {
            states[at] = CellState::Unknown;
        }
    }

    /// Keeps the value of a waiting cell.
    pub(super) fn keep(&mut self, at: usize, value: Scalar) {
        let Store::Growing { array, states, missing, .. } = self else {
            panic!("only a growing store takes values")
        };
        array.set(at, value);
        states[at] = CellState::Known;
        *missing -= 1;
    }

    /// The whole array, if every cell is known.
    pub(super) fn whole(&mut self) -> Option<Arc<Array>> {
        if let Store::Growing { missing: 0, .. } = self {
            let Store::Growing { shape, array, .. } = std::mem::take(self) else { unreachable!() };
            *self = Store::Whole { shape, array: Arc::new(array) };
        }
        match self {
            Store::Whole { array, .. } => Some(Arc::clone(array)),
            _ => None,
        }
    }
}

/// The cells of all tensors needed so far.
#[derive(Debug, Default)]
pub(super) struct Stores {
    stores: SecondaryMap<TensorId, Store>,
    bytes: u64,
}

impl Stores {
    /// The store of a tensor, absent or not.
    #[inline]
    pub(super) fn get(&self, t: TensorId) -> &Store {
        &self.stores[t]
    }

    /// The store of a prepared tensor, to be changed.
    pub(super) fn get_mut(&mut self, t: TensorId) -> &mut Store {
        &mut self.stores[t]
    }

    /// Bytes of the stores made so far.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Makes the store of a tensor that is needed for the first time.
    pub(super) fn prepare(
        &mut self,
        graph: &Graph,
        binding: &Binding,
        t: TensorId,
        limits: &Limits<'_>,
    ) -> Result<(), FailureKind> {
        if !matches!(self.stores[t], Store::Absent) {
            return Ok(());
        }
        let shape = shape_of(graph, binding, t)?;
        let store = match &graph.tensors[t].definition {
            Definition::Input => {
                let array = binding.inputs.get(&t).ok_or(FailureKind::Input)?;
                supplied(graph, t, shape, array)?
            }
            Definition::Constant(array) => supplied(graph, t, shape, array)?,
            Definition::Assigned { .. } => self.growing(graph, t, shape, limits)?,
        };
        self.stores[t] = store;
        Ok(())
    }

    fn growing(
        &mut self,
        graph: &Graph,
        t: TensorId,
        shape: Box<[i64]>,
        limits: &Limits<'_>,
    ) -> Result<Store, FailureKind> {
        let elem = graph.tensors[t].elem;
        let empty = shape.contains(&0);
        let count = if empty { Some(0) } else { cell_count(&shape) };
        // One byte per cell says how far it is.
        let bytes = count.and_then(|n| n.checked_mul(elem.bytes() as u64 + 1));
        let needed = bytes.and_then(|b| b.checked_add(self.bytes)).unwrap_or(u64::MAX);
        if needed == u64::MAX || needed > limits.bytes {
            return Err(FailureKind::Memory { needed, limit: limits.bytes });
        }
        must_have(bytes.unwrap_or(u64::MAX))?;
        self.bytes = needed;
        let extents = shape.iter().map(|&e| e as usize).collect();
        let array = Array::zeros(elem, extents).expect("the count was computed");
        let missing = array.len();
        Ok(Store::Growing { shape, array, states: vec![CellState::Unknown; missing], missing })
    }
}

/// Bytes that are asked for without asking first.
const FEW: u64 = 1 << 20;

/// Whether the system has so many bytes: where it has not, a process that takes them ends.
fn must_have(bytes: u64) -> Result<(), FailureKind> {
    let try_it = |n| Vec::<u8>::new().try_reserve_exact(n).is_ok();
    if bytes <= FEW || usize::try_from(bytes).is_ok_and(try_it) {
        Ok(())
    } else {
        Err(FailureKind::NoMemory { needed: bytes })
    }
}

fn cell_count(shape: &[i64]) -> Option<u64> {
    shape.iter().try_fold(1u64, |n, &e| n.checked_mul(e as u64))
}

fn shape_of(graph: &Graph, binding: &Binding, t: TensorId) -> Result<Box<[i64]>, FailureKind> {
    let extent = |(axis, size)| match size_value(graph, binding, size) {
        Some(v) if v >= 0 => Ok(v),
        value => Err(FailureKind::Extent { axis, value }),
    };
    graph.shape(t).enumerate().map(extent).collect()
}

/// A store of numbers from outside, which must have the declared type.
fn supplied(
    graph: &Graph,
    t: TensorId,
    shape: Box<[i64]>,
    array: &Arc<Array>,
) -> Result<Store, FailureKind> {
    let same_shape = array.shape().iter().map(|&e| e as i64).eq(shape.iter().copied());
    if !same_shape || array.elem() != graph.tensors[t].elem {
        return Err(FailureKind::Input);
    }
    Ok(Store::Whole { shape, array: Arc::clone(array) })
}
