//! Arrays of numbers: what observing a tensor yields, and what literals hold.

use weft_scalar::{Scalar, ScalarType};

/// Elements of one type, row-major.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// `bool` elements.
    Bool(Vec<bool>),
    /// `i32` elements.
    I32(Vec<i32>),
    /// `i64` elements.
    I64(Vec<i64>),
    /// `f32` elements.
    F32(Vec<f32>),
    /// `f64` elements.
    F64(Vec<f64>),
}

/// A dense row-major array; rank 0 holds one element.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    shape: Vec<usize>,
    data: Data,
}

impl Array {
    /// An array of `shape`; `None` unless `data` holds exactly the product of the extents.
    pub fn new(shape: Vec<usize>, data: Data) -> Option<Array> {
        let count = element_count(&shape)?;
        (count == data.len()).then_some(Array { shape, data })
    }

    /// An array of zeros; `None` where the number of elements overflows.
    pub fn zeros(elem: ScalarType, shape: Vec<usize>) -> Option<Array> {
        let n = element_count(&shape)?;
        let data = match elem {
            ScalarType::Bool => Data::Bool(vec![false; n]),
            ScalarType::I32 => Data::I32(vec![0; n]),
            ScalarType::I64 => Data::I64(vec![0; n]),
            ScalarType::F32 => Data::F32(vec![0.0; n]),
            ScalarType::F64 => Data::F64(vec![0.0; n]),
        };
        Some(Array { shape, data })
    }

    /// A rank-0 array.
    pub fn scalar(value: Scalar) -> Array {
        let mut array = Array::zeros(value.ty(), Vec::new()).expect("one element");
        array.set(0, value);
        array
    }

    /// The extents.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The element type.
    pub fn elem(&self) -> ScalarType {
        self.data.elem()
    }

    /// The elements, row-major.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// The elements, row-major, to be changed in place.
    pub fn data_mut(&mut self) -> &mut Data {
        &mut self.data
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Element `at` of the row-major order. Panics outside.
    #[inline]
    pub fn get(&self, at: usize) -> Scalar {
        self.data.get(at)
    }

    /// Sets element `at` of the row-major order. Panics outside or on another type.
    pub fn set(&mut self, at: usize, value: Scalar) {
        match (&mut self.data, value) {
            (Data::Bool(d), Scalar::Bool(v)) => d[at] = v,
            (Data::I32(d), Scalar::I32(v)) => d[at] = v,
            (Data::I64(d), Scalar::I64(v)) => d[at] = v,
            (Data::F32(d), Scalar::F32(v)) => d[at] = v,
            (Data::F64(d), Scalar::F64(v)) => d[at] = v,
            (d, v) => panic!("a {} stored into {}", v.ty(), d.elem()),
        }
    }

    /// The row-major position of a cell; `None` where an index is outside its extent or
    /// the number of indices is not the rank.
    pub fn position(&self, cell: &[i64]) -> Option<usize> {
        if cell.len() != self.shape.len() {
            return None;
        }
        self.shape.iter().zip(cell).try_fold(0, |at, (&extent, &i)| {
            let i = usize::try_from(i).ok().filter(|&i| i < extent)?;
            Some(at * extent + i)
        })
    }
}

/// The product of the extents; `None` on overflow.
fn element_count(shape: &[usize]) -> Option<usize> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1usize, |n, &e| n.checked_mul(e))
}

impl Data {
    /// The element type.
    pub fn elem(&self) -> ScalarType {
        match self {
            Data::Bool(_) => ScalarType::Bool,
            Data::I32(_) => ScalarType::I32,
            Data::I64(_) => ScalarType::I64,
            Data::F32(_) => ScalarType::F32,
            Data::F64(_) => ScalarType::F64,
        }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        match self {
            Data::Bool(d) => d.len(),
            Data::I32(d) => d.len(),
            Data::I64(d) => d.len(),
            Data::F32(d) => d.len(),
            Data::F64(d) => d.len(),
        }
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Element `at`. Panics outside.
    #[inline]
    pub fn get(&self, at: usize) -> Scalar {
        match self {
            Data::Bool(d) => Scalar::Bool(d[at]),
            Data::I32(d) => Scalar::I32(d[at]),
            Data::I64(d) => Scalar::I64(d[at]),
            Data::F32(d) => Scalar::F32(d[at]),
            Data::F64(d) => Scalar::F64(d[at]),
        }
    }

    /// The elements gathered from scalars, all of type `elem`. Panics on another type.
    pub fn from_scalars(elem: ScalarType, values: &[Scalar]) -> Data {
        let mut array = Array::zeros(elem, vec![values.len()]).expect("a slice fits memory");
        values.iter().enumerate().for_each(|(at, &v)| array.set(at, v));
        array.data
    }
}
