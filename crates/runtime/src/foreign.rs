//! Memory of someone else as an array: an address, a shape and strides, and an owner who is told
//! when nobody reads there any more.
//!
//! What lies row by row, in the machine's byte order and where its type may lie is read where it
//! is. All else is copied, and [`Foreign::array`] says why.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use weft_scalar::ScalarType;
use weft_tensor::{Array, Data, Element, Elements, Words};

/// What holds foreign memory: dropped once, when nobody reads there any more.
type Keeper = Box<dyn Send + Sync>;

/// A view of foreign memory.
pub struct Foreign {
    address: *const u8,
    elem: ScalarType,
    shape: Vec<usize>,
    strides: Option<Vec<isize>>,
    swapped: bool,
    keeper: Keeper,
}

/// Why foreign numbers were copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Copied {
    /// They do not lie row by row.
    Strides,
    /// They have the other byte order.
    ByteOrder,
    /// They lie where numbers of their type may not.
    Alignment,
    /// Some truth values are neither 0 nor 1.
    TruthValues,
}

impl fmt::Display for Copied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Copied::Strides => "it does not lie row by row",
            Copied::ByteOrder => "its bytes are in the other order",
            Copied::Alignment => "it is not aligned to its elements",
            Copied::TruthValues => "some of its truth values are neither 0 nor 1",
        })
    }
}

/// Calls a function when it is dropped: an owner of foreign memory with a function that releases
/// it.
pub struct Released<F: FnOnce()>(Option<F>);

impl<F: FnOnce()> Released<F> {
    /// An owner whose memory is released so.
    pub fn by(release: F) -> Released<F> {
        Released(Some(release))
    }
}

impl<F: FnOnce()> Drop for Released<F> {
    fn drop(&mut self) {
        if let Some(release) = self.0.take() {
            release();
        }
    }
}

impl Foreign {
    /// Numbers at an address, row by row. `owner` is dropped when nobody reads them any more, on
    /// whatever thread that is.
    ///
    /// # Safety
    ///
    /// As long as `owner` is not dropped, every element that the shape, the strides and the byte
    /// order say is memory that may be read, is initialised, and is not written.
    pub unsafe fn new(
        address: *const u8,
        elem: ScalarType,
        shape: Vec<usize>,
        owner: impl Send + Sync + 'static,
    ) -> Foreign {
        let keeper = Box::new(owner);
        Foreign { address, elem, shape, strides: None, swapped: false, keeper }
    }

    /// How many bytes lie between neighbours along each axis; any number, also none or less.
    /// Panics unless there is one for each axis.
    pub fn strides(mut self, bytes: Vec<isize>) -> Foreign {
        assert_eq!(bytes.len(), self.shape.len(), "a stride for each axis");
        self.strides = Some(bytes);
        self
    }

    /// The bytes of each number are in the order that is not the machine's.
    pub fn swapped(mut self) -> Foreign {
        self.swapped = true;
        self
    }

    /// The numbers as an array, and why they were copied if they were; the owner of copied ones is
    /// dropped at once. `None` where there are more elements than an address has room for.
    pub fn array(self) -> Option<(Array, Option<Copied>)> {
        let count = self.count()?;
        let why = self.copied(count);
        let shape = self.shape.clone();
        let data = match why {
            Some(_) => self.gathered(count),
            None => self.in_place(count),
        };
        Some((Array::new(shape, data)?, why))
    }

    /// The numbers as an array of their own, of whatever becomes of the memory afterwards; `None`
    /// as of [`Foreign::array`].
    pub fn copy(self) -> Option<Array> {
        Array::new(self.shape.clone(), self.gathered(self.count()?))
    }

    /// How many elements there are; `None` where that is more than an address has room for.
    fn count(&self) -> Option<usize> {
        let count = self.shape.iter().try_fold(1usize, |n, &e| n.checked_mul(e.max(1)))?;
        isize::try_from(count.checked_mul(self.elem.bytes())?).ok()?;
        Some(if self.shape.contains(&0) { 0 } else { count })
    }

    fn gathered(&self, count: usize) -> Data {
        Data::from_words(self.elem, &mut Scattered { of: self, count })
            .unwrap_or_else(|never| match never {})
    }

    fn copied(&self, count: usize) -> Option<Copied> {
        let width = self.elem.bytes();
        if count == 0 {
            return None;
        }
        if !self.lies_row_by_row() {
            return Some(Copied::Strides);
        }
        if self.swapped && width > 1 {
            return Some(Copied::ByteOrder);
        }
        if !(self.address as usize).is_multiple_of(width) {
            return Some(Copied::Alignment);
        }
        if self.elem != ScalarType::Bool {
            return None;
        }
        // SAFETY: `count` bytes, as `new` was promised.
        let bytes = unsafe { std::slice::from_raw_parts(self.address, count) };
        bytes.iter().any(|b| *b > 1).then_some(Copied::TruthValues)
    }

    /// Strides of axes with one place say nothing.
    fn lies_row_by_row(&self) -> bool {
        let Some(strides) = &self.strides else { return true };
        let mut next = self.elem.bytes() as isize;
        self.shape.iter().zip(strides).rev().all(|(&extent, &stride)| {
            let fits = extent == 1 || stride == next;
            next = next.saturating_mul(extent as isize);
            fits
        })
    }

    fn in_place(self, count: usize) -> Data {
        macro_rules! shared {
            ($($variant:ident($rust:ty))*) => {
                match self.elem {
                    $(ScalarType::$variant => {
                        // Nothing is read of no elements, and their address may be none.
                        let address = match count {
                            0 => std::ptr::NonNull::<$rust>::dangling().as_ptr().cast_const(),
                            _ => self.address.cast::<$rust>(),
                        };
                        let kept = Kept { address, count, _keeper: self.keeper };
                        <$rust>::data(Elements::shared(Arc::new(kept)))
                    })*
                }
            };
        }
        weft_scalar::for_each_type!(shared)
    }
}

/// The numbers of a view in row-major order.
struct Scattered<'a> {
    of: &'a Foreign,
    count: usize,
}

impl Words for Scattered<'_> {
    type Error = Infallible;

    fn numbers<const N: usize, T>(
        &mut self,
        number: impl Fn([u8; N]) -> T,
    ) -> Result<Elements<T>, Infallible> {
        let Foreign { address, shape, .. } = self.of;
        let strides = self.of.strides.clone().unwrap_or_else(|| rows(shape, N));
        let most_significant_first = self.of.swapped != cfg!(target_endian = "big");
        let mut out = Vec::with_capacity(self.count);
        let mut cell = vec![0usize; shape.len()];
        let mut offset = 0isize;
        for _ in 0..self.count {
            // SAFETY: the address of an element, as `new` was promised; bytes have no alignment.
            let mut word = unsafe { address.offset(offset).cast::<[u8; N]>().read_unaligned() };
            if most_significant_first {
                word.reverse();
            }
            out.push(number(word));
            for axis in (0..cell.len()).rev() {
                (cell[axis], offset) = (cell[axis] + 1, offset + strides[axis]);
                if cell[axis] < shape[axis] {
                    break;
                }
                offset -= strides[axis] * shape[axis] as isize;
                cell[axis] = 0;
            }
        }
        Ok(out.into())
    }
}

/// The strides of numbers that lie row by row.
fn rows(shape: &[usize], width: usize) -> Vec<isize> {
    let mut strides = vec![0; shape.len()];
    let mut next = width as isize;
    for (stride, &extent) in strides.iter_mut().zip(shape).rev() {
        *stride = next;
        next *= extent as isize;
    }
    strides
}

/// Foreign numbers that are read where they are.
struct Kept<T> {
    address: *const T,
    count: usize,
    _keeper: Keeper,
}

// SAFETY: the numbers are only read, and the keeper may be dropped on any thread.
unsafe impl<T> Send for Kept<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Kept<T> {}

impl<T: Element> AsRef<[T]> for Kept<T> {
    fn as_ref(&self) -> &[T] {
        // SAFETY: aligned, initialised and not written as long as the keeper is there.
        unsafe { std::slice::from_raw_parts(self.address, self.count) }
    }
}
