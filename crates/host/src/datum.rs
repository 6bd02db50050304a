//! What host expressions give when the program runs.

use crate::memory::{Account, Full, Members, Text};
use std::rc::Rc;
use std::sync::Arc;
use weft_diag::Diagnostic;
use weft_scalar::{Scalar, ScalarType};
use weft_tensor::{Array, Data};

/// A value of the host at run time.
#[derive(Debug, Clone)]
pub(crate) enum Datum {
    Scalar(Scalar),
    Array(Arc<Array>),
    Text(Rc<Text>),
    Tuple(Rc<Members>),
    /// Of a recursive enum: the variant and its fields.
    Variant(usize, Rc<Members>),
    List(Rc<Members>),
    Failure(Rc<Diagnostic>),
}

impl Datum {
    pub fn bool(b: bool) -> Datum {
        Datum::Scalar(Scalar::Bool(b))
    }

    pub fn of_array(a: Arc<Array>) -> Datum {
        if a.shape().is_empty() { Datum::Scalar(a.get(0)) } else { Datum::Array(a) }
    }

    pub fn array(&self) -> Option<Arc<Array>> {
        match self {
            Datum::Scalar(v) => Some(Arc::new(Array::scalar(*v))),
            Datum::Array(a) => Some(a.clone()),
            _ => None,
        }
    }

    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Datum::Scalar(v) => Some(*v),
            _ => None,
        }
    }

    pub fn int(&self) -> Option<i64> {
        self.scalar()?.as_i64()
    }

    /// The extents of the tensors in it, in order.
    pub fn extents(&self, out: &mut Vec<usize>) {
        match self {
            Datum::Array(a) => out.extend(a.shape()),
            Datum::Tuple(members) => members.iter().for_each(|m| m.extents(out)),
            _ => {}
        }
    }

    /// The members of a tuple, a list or a variant.
    pub fn members(&self) -> Option<&Rc<Members>> {
        match self {
            Datum::Tuple(all) | Datum::Variant(_, all) | Datum::List(all) => Some(all),
            _ => None,
        }
    }

    /// The same, by value.
    pub fn into_members(self) -> Option<Rc<Members>> {
        match self {
            Datum::Tuple(all) | Datum::Variant(_, all) | Datum::List(all) => Some(all),
            _ => None,
        }
    }

    /// Elements along the first axis of a tensor, or of a list; characters of a string.
    pub fn elements(&self, memory: &Rc<Account>) -> Result<Vec<Datum>, Full> {
        let count = match self {
            Datum::Array(a) => a.shape()[0],
            Datum::Text(t) => t.chars().count(),
            other => other.members().map_or(0, |all| all.len()),
        };
        memory.room_for(count.saturating_mul(size_of::<Datum>()) as u64)?;
        match self {
            Datum::List(all) => Ok(all.to_vec()),
            Datum::Text(t) => t.chars().map(|c| memory.text(c.to_string())).collect(),
            Datum::Array(a) => Ok(rows(a)),
            _ => Ok(Vec::new()),
        }
    }
}

/// A tensor along its first axis.
pub(crate) fn rows(a: &Array) -> Vec<Datum> {
    (0..a.shape()[0]).map(|n| part(a, 1, n)).collect()
}

/// What lies at the `at`th point of the first `axes` axes of a tensor, in row-major order.
pub(crate) fn part(a: &Array, axes: usize, at: usize) -> Datum {
    let shape = &a.shape()[axes..];
    let count: usize = shape.iter().product();
    if shape.is_empty() {
        return Datum::Scalar(a.get(at));
    }
    let cells: Vec<Scalar> = (at * count..(at + 1) * count).map(|k| a.get(k)).collect();
    let data = Data::from_scalars(a.elem(), &cells);
    Datum::Array(Arc::new(Array::new(shape.to_vec(), data).expect("a part has its size")))
}

/// Scalars, or tensors of one shape, along a new first axis; `None` where shapes differ.
pub(crate) fn stacked(all: &[Datum], elem: ScalarType) -> Option<Datum> {
    let arrays: Option<Vec<Arc<Array>>> = all.iter().map(Datum::array).collect();
    let arrays = arrays?;
    let inner: Vec<usize> = arrays.first().map_or(Vec::new(), |a| a.shape().to_vec());
    if arrays.iter().any(|a| a.shape() != inner) {
        return None;
    }
    let cells: Vec<Scalar> = arrays.iter().flat_map(|a| (0..a.len()).map(|k| a.get(k))).collect();
    let shape = std::iter::once(all.len()).chain(inner).collect();
    let array = Array::new(shape, Data::from_scalars(elem, &cells))?;
    Some(Datum::Array(Arc::new(array)))
}
