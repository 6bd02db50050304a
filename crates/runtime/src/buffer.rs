//! Memory for the elements of one tensor.

use crate::pages::Pages;
use crate::{Failure, MemoryAccount};
use std::fmt;
use std::sync::Arc;
use weft_scalar::{Scalar, ScalarType};
use weft_tensor::{Array, Data, Element, Elements};

/// Elements of one type, counted in a [`MemoryAccount`] until dropped.
pub struct Buffer {
    /// There until the buffer is dropped.
    pages: Option<Pages>,
    ty: ScalarType,
    len: usize,
    account: Arc<MemoryAccount>,
    /// The call that it was made in.
    call: u64,
}

impl Buffer {
    /// `len` zeros. Fails beyond the account's limit or the system's memory.
    pub fn zeroed(
        account: &Arc<MemoryAccount>,
        ty: ScalarType,
        len: u64,
    ) -> Result<Buffer, Failure> {
        Buffer::taken(account, ty, len, false)
    }

    /// `len` numbers of no meaning, for someone who writes all of them. Fails as
    /// [`Buffer::zeroed`] does.
    pub fn unset(
        account: &Arc<MemoryAccount>,
        ty: ScalarType,
        len: u64,
    ) -> Result<Buffer, Failure> {
        Buffer::taken(account, ty, len, true)
    }

    fn taken(
        account: &Arc<MemoryAccount>,
        ty: ScalarType,
        len: u64,
        any: bool,
    ) -> Result<Buffer, Failure> {
        let bytes = len.saturating_mul(ty.bytes() as u64);
        let (pages, call) = account.take(bytes, any)?;
        Ok(Buffer { pages: Some(pages), ty, len: len as usize, account: Arc::clone(account), call })
    }

    /// A buffer with a copy of `elements`.
    pub fn from_slice<T: Plain>(
        account: &Arc<MemoryAccount>,
        elements: &[T],
    ) -> Result<Buffer, Failure> {
        let mut buffer = Buffer::unset(account, T::TYPE, elements.len() as u64)?;
        buffer.as_mut_slice().copy_from_slice(elements);
        Ok(buffer)
    }

    /// Type of the elements.
    pub fn ty(&self) -> ScalarType {
        self.ty
    }

    /// Count of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All elements as bytes, in the machine's order.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the pages have this many initialised bytes, and only `&mut self` writes.
        unsafe { std::slice::from_raw_parts(self.address(), self.len * self.ty.bytes()) }
    }

    /// All elements as bytes. Those of `bool`s must stay 0 or 1.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as for `bytes`, and `&mut self` is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.address(), self.len * self.ty.bytes()) }
    }

    /// The elements. Panics unless they are `T`s.
    pub fn as_slice<T: Plain>(&self) -> &[T] {
        assert_eq!(T::TYPE, self.ty, "type of a buffer's elements");
        // SAFETY: aligned to 64, initialised, of this type, and only `&mut self` writes.
        unsafe { std::slice::from_raw_parts(self.address().cast(), self.len) }
    }

    /// The elements. Panics unless they are `T`s.
    pub fn as_mut_slice<T: Plain>(&mut self) -> &mut [T] {
        assert_eq!(T::TYPE, self.ty, "type of a buffer's elements");
        // SAFETY: as for `as_slice`, and `&mut self` is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.address().cast(), self.len) }
    }

    /// Element `i`. Panics if there is none.
    pub fn get(&self, i: usize) -> Scalar {
        let width = self.ty.bytes();
        let mut word = [0; 8];
        word[..width].copy_from_slice(&self.bytes()[i * width..(i + 1) * width]);
        Scalar::from_bits(self.ty, u64::from_le_bytes(word))
    }

    /// Writes element `i`. Panics if there is none, or `value` has another type.
    pub fn set(&mut self, i: usize, value: Scalar) {
        assert_eq!(value.ty(), self.ty, "type of a buffer's elements");
        let width = self.ty.bytes();
        let word = value.bits().to_le_bytes();
        self.bytes_mut()[i * width..(i + 1) * width].copy_from_slice(&word[..width]);
    }

    /// The address, for machine code.
    pub(crate) fn address(&self) -> *mut u8 {
        self.pages.as_ref().expect("held until dropped").address().as_ptr()
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let bytes = (self.len * self.ty.bytes()) as u64;
        if let Some(pages) = self.pages.take() {
            self.account.give_back(pages, bytes, self.call);
        }
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} of {})", self.len, self.ty)
    }
}

/// The elements at the beginning of a buffer that several hold, which nobody can write any more.
struct Head {
    buffer: Arc<Buffer>,
    len: usize,
}

impl<T: Plain> AsRef<[T]> for Head {
    fn as_ref(&self) -> &[T] {
        &self.buffer.as_slice::<T>()[..self.len]
    }
}

/// The same of a buffer of truth values, each byte of which was seen to be 0 or 1.
struct Truths(Head);

impl AsRef<[bool]> for Truths {
    fn as_ref(&self) -> &[bool] {
        let bytes = &self.0.buffer.bytes()[..self.0.len];
        // SAFETY: each byte is 0 or 1, and nobody writes a buffer that several hold.
        unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
    }
}

/// The first elements of a buffer as an array, where they are; `None` where it holds fewer.
pub fn to_array(buffer: &Arc<Buffer>, shape: &[usize]) -> Option<Array> {
    let len: usize = shape.iter().try_fold(1usize, |n, &e| n.checked_mul(e))?;
    if len > buffer.len() {
        return None;
    }
    let head = Head { buffer: Arc::clone(buffer), len };
    macro_rules! first {
        (Bool($bool:ty) $($variant:ident($rust:ty))*) => {
            match buffer.ty() {
                ScalarType::Bool => truths(head),
                $(ScalarType::$variant => <$rust>::data(Elements::shared(Arc::new(head))),)*
            }
        };
    }
    Array::new(shape.to_vec(), weft_scalar::for_each_type!(first))
}

/// The elements of an array as bytes, in the machine's order.
pub fn array_bytes(array: &Array) -> &[u8] {
    macro_rules! bytes {
        ($($variant:ident($rust:ty))*) => {
            match array.data() {
                $(Data::$variant(d) => {
                    let d: &[$rust] = d;
                    // SAFETY: a number's bytes are initialised, and those of a slice follow each
                    // other.
                    unsafe { std::slice::from_raw_parts(d.as_ptr().cast(), size_of_val(d)) }
                })*
            }
        };
    }
    weft_scalar::for_each_type!(bytes)
}

fn truths(head: Head) -> Data {
    let bytes = &head.buffer.bytes()[..head.len];
    let are_truths = bytes.iter().fold(true, |all, &b| all & (b <= 1));
    Data::Bool(match are_truths {
        true => Elements::shared(Arc::new(Truths(head))),
        false => bytes.iter().map(|b| *b != 0).collect::<Vec<bool>>().into(),
    })
}

/// Types of elements of which any bits are one: all but `bool`, whose bytes machine code could
/// get wrong.
///
/// # Safety
///
/// `TYPE` has the size of `Self` and an alignment as strict, and any bits are valid.
pub unsafe trait Plain: Element {}

macro_rules! elements {
    (Bool($bool:ty) $($variant:ident($rust:ty))*) => {
        $(
            // SAFETY: the types correspond (the small floats are their bits), and any bits
            // are valid.
            unsafe impl Plain for $rust {}
        )*
    };
}
weft_scalar::for_each_type!(elements);
