//! Arrays of numbers: what observing a tensor yields, and what literals hold.

use crate::elements::{Elements, Owner};
use weft_scalar::{Bf16, F8e4m3, F16, Scalar, ScalarType, eval, for_each_type};

/// Elements of one type, row-major.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// `bool` elements.
    Bool(Elements<bool>),
    /// `i8` elements.
    I8(Elements<i8>),
    /// `i16` elements.
    I16(Elements<i16>),
    /// `i32` elements.
    I32(Elements<i32>),
    /// `i64` elements.
    I64(Elements<i64>),
    /// `u8` elements.
    U8(Elements<u8>),
    /// `u16` elements.
    U16(Elements<u16>),
    /// `u32` elements.
    U32(Elements<u32>),
    /// `u64` elements.
    U64(Elements<u64>),
    /// `f8e4m3` elements.
    F8e4m3(Elements<F8e4m3>),
    /// `f16` elements.
    F16(Elements<F16>),
    /// `bf16` elements.
    Bf16(Elements<Bf16>),
    /// `f32` elements.
    F32(Elements<f32>),
    /// `f64` elements.
    F64(Elements<f64>),
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

    /// An array of these elements, row-major; `None` unless there are exactly as many as the
    /// product of the extents.
    pub fn from_vec<T: Element>(shape: Vec<usize>, elements: Vec<T>) -> Option<Array> {
        Array::new(shape, T::data(elements.into()))
    }

    /// An array whose elements stay where their owner has them, and are read there; `None` unless
    /// there are exactly as many as the product of the extents.
    pub fn shared<T: Element>(shape: Vec<usize>, owner: Owner<T>) -> Option<Array> {
        Array::new(shape, T::data(Elements::shared(owner)))
    }

    /// An array of zeros; `None` where the number of elements overflows.
    pub fn zeros(elem: ScalarType, shape: Vec<usize>) -> Option<Array> {
        let n = element_count(&shape)?;
        let data = Data::zeros(elem, n);
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

    /// The elements, row-major, where they are; `None` where they have another type.
    pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
        T::elements(&self.data)
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

    /// The least and the greatest element of integers or truth values; nothing where there are
    /// none.
    pub fn extremes(&self) -> Option<(i128, i128)> {
        let mut all = (0..self.len()).map(|at| self.get(at).as_i128());
        let first = all.next()??;
        all.try_fold((first, first), |(lo, hi), n| n.map(|n| (n.min(lo), n.max(hi))))
    }

    /// The elements converted as `as` does.
    pub fn cast(&self, to: ScalarType) -> Array {
        let mut data = Data::zeros(to, self.len());
        (0..self.len()).for_each(|at| data.set(at, eval::cast(self.get(at), to)));
        Array { shape: self.shape.clone(), data }
    }

    /// The same integers in another type; `None` where one does not fit.
    pub fn narrowed(&self, to: ScalarType) -> Option<Array> {
        let fits = |at| self.get(at).as_i64().is_some_and(|n| Scalar::exactly(to, n).is_some());
        (0..self.len()).all(fits).then(|| self.cast(to))
    }

    /// Sets element `at` of the row-major order. Panics outside or on another type.
    pub fn set(&mut self, at: usize, value: Scalar) {
        self.data.set(at, value);
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

macro_rules! by_type {
    ($($variant:ident($rust:ty))*) => {
        impl Data {
            /// So many zeros.
            fn zeros(elem: ScalarType, count: usize) -> Data {
                match elem {
                    $(ScalarType::$variant => Data::$variant(vec![<$rust>::default(); count].into()),)*
                }
            }

            /// The element type.
            pub fn elem(&self) -> ScalarType {
                match self {
                    $(Data::$variant(_) => ScalarType::$variant,)*
                }
            }

            /// The number of elements.
            pub fn len(&self) -> usize {
                match self {
                    $(Data::$variant(d) => d.len(),)*
                }
            }

            /// Element `at`. Panics outside.
            #[inline]
            pub fn get(&self, at: usize) -> Scalar {
                match self {
                    $(Data::$variant(d) => Scalar::$variant(d[at]),)*
                }
            }

            fn set(&mut self, at: usize, value: Scalar) {
                match (self, value) {
                    $((Data::$variant(d), Scalar::$variant(v)) => d.own()[at] = v,)*
                    (d, v) => panic!("a {} stored into {}", v.ty(), d.elem()),
                }
            }
        }
    };
}
for_each_type!(by_type);

/// Rust's types of elements.
pub trait Element: Copy + 'static {
    /// The element type.
    const TYPE: ScalarType;

    /// Elements of this type as those of an array.
    fn data(elements: Elements<Self>) -> Data;

    /// The elements of an array; `None` where they have another type.
    fn elements(data: &Data) -> Option<&[Self]>;
}

macro_rules! elements {
    ($($variant:ident($rust:ty))*) => {
        $(impl Element for $rust {
            const TYPE: ScalarType = ScalarType::$variant;

            fn data(elements: Elements<Self>) -> Data {
                Data::$variant(elements)
            }

            fn elements(data: &Data) -> Option<&[Self]> {
                match data {
                    Data::$variant(d) => Some(d),
                    _ => None,
                }
            }
        })*
    };
}
for_each_type!(elements);

impl Data {
    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements gathered from scalars, all of type `elem`. Panics on another type.
    pub fn from_scalars(elem: ScalarType, values: &[Scalar]) -> Data {
        let mut array = Array::zeros(elem, vec![values.len()]).expect("a slice fits memory");
        values.iter().enumerate().for_each(|(at, &v)| array.set(at, v));
        array.data
    }
}
