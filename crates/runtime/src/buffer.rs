//! Memory for the elements of one tensor.

use crate::{Failure, MemoryAccount};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::fmt;
use std::ptr::NonNull;
use std::sync::Arc;
use weft_scalar::{Scalar, ScalarType};

/// Alignment of every buffer: a cache line, and the widest vector.
const ALIGNMENT: usize = 64;

/// Elements of one type, counted in a [`MemoryAccount`] until dropped.
pub struct Buffer {
    data: NonNull<u8>,
    ty: ScalarType,
    len: usize,
    layout: Layout,
    account: Arc<MemoryAccount>,
}

// SAFETY: a buffer owns its memory, which holds plain numbers.
unsafe impl Send for Buffer {}
// SAFETY: shared access only reads.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// `len` zeros. Fails beyond the account's limit or the system's memory.
    pub fn zeroed(
        account: &Arc<MemoryAccount>,
        ty: ScalarType,
        len: u64,
    ) -> Result<Buffer, Failure> {
        let bytes = len.saturating_mul(ty.bytes() as u64);
        let out_of_memory = || Failure::OutOfMemory { bytes };
        let size = usize::try_from(bytes).map_err(|_| out_of_memory())?;
        // Never of size 0, which the allocator does not take.
        let layout =
            Layout::from_size_align(size.max(1), ALIGNMENT).map_err(|_| out_of_memory())?;
        account.take(bytes)?;
        // SAFETY: the layout is not of size 0.
        let Some(data) = NonNull::new(unsafe { alloc_zeroed(layout) }) else {
            account.give_back(bytes);
            return Err(out_of_memory());
        };
        Ok(Buffer { data, ty, len: len as usize, layout, account: Arc::clone(account) })
    }

    /// A buffer with a copy of `elements`.
    pub fn from_slice<T: Element>(
        account: &Arc<MemoryAccount>,
        elements: &[T],
    ) -> Result<Buffer, Failure> {
        let mut buffer = Buffer::zeroed(account, T::TYPE, elements.len() as u64)?;
        buffer.as_mut_slice().copy_from_slice(elements);
        Ok(buffer)
    }

    /// A copy with memory of its own.
    pub fn try_clone(&self) -> Result<Buffer, Failure> {
        let mut copy = Buffer::zeroed(&self.account, self.ty, self.len as u64)?;
        copy.bytes_mut().copy_from_slice(self.bytes());
        Ok(copy)
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
        // SAFETY: this many bytes were allocated and zeroed, and only `&mut self` writes.
        unsafe { std::slice::from_raw_parts(self.data.as_ptr(), self.len * self.ty.bytes()) }
    }

    /// All elements as bytes. Those of `bool`s must stay 0 or 1.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as for `bytes`, and `&mut self` is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.data.as_ptr(), self.len * self.ty.bytes()) }
    }

    /// The elements. Panics unless they are `T`s.
    pub fn as_slice<T: Element>(&self) -> &[T] {
        assert_eq!(T::TYPE, self.ty, "type of a buffer's elements");
        // SAFETY: aligned to 64, initialised, of this type, and only `&mut self` writes.
        unsafe { std::slice::from_raw_parts(self.data.as_ptr().cast(), self.len) }
    }

    /// The elements. Panics unless they are `T`s.
    pub fn as_mut_slice<T: Element>(&mut self) -> &mut [T] {
        assert_eq!(T::TYPE, self.ty, "type of a buffer's elements");
        // SAFETY: as for `as_slice`, and `&mut self` is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.data.as_ptr().cast(), self.len) }
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
        self.data.as_ptr()
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, freed once.
        unsafe { dealloc(self.data.as_ptr(), self.layout) };
        self.account.give_back((self.len * self.ty.bytes()) as u64);
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} of {})", self.len, self.ty)
    }
}

/// Rust's types of elements, except `bool`, whose bytes machine code could get wrong.
///
/// # Safety
///
/// `TYPE` has the size of `Self` and an alignment as strict, and any bits are valid.
pub unsafe trait Element: Copy {
    /// The type.
    const TYPE: ScalarType;
}

macro_rules! elements {
    (Bool($bool:ty) $($variant:ident($rust:ty))*) => {
        $(
            // SAFETY: the types correspond (the small floats are their bits), and any bits
            // are valid.
            unsafe impl Element for $rust {
                const TYPE: ScalarType = ScalarType::$variant;
            }
        )*
    };
}
weft_scalar::for_each_type!(elements);
