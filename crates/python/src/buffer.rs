//! Python's buffer protocol: arrays of others as they are, and ours as memory that may be read.

#![allow(unsafe_code, reason = "memory of Python objects")]

use crate::array::Array;
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyMemoryView;
use std::ffi::{CStr, CString, c_int, c_void};
use weft::{Foreign, ScalarType};

/// Numbers that an object offers, still where they are.
pub(crate) struct Offered {
    /// What they are; nothing where the language has no such type.
    pub elem: Option<ScalarType>,
    /// What whoever offers them calls their type.
    pub called: String,
    /// Extents.
    pub shape: Vec<usize>,
    /// As what they can be read.
    pub foreign: Option<Foreign>,
}

/// What an object offers by the buffer protocol; nothing where it does not speak it. Bits of
/// `as_elem` are offered as integers by who has no name for that type.
pub(crate) fn offered(obj: &Bound<'_, PyAny>, as_elem: Option<ScalarType>) -> Option<Offered> {
    // SAFETY: an object that is there.
    if unsafe { ffi::PyObject_CheckBuffer(obj.as_ptr()) } == 0 {
        return None;
    }
    // Some leave out strides, which a memory view fills in.
    let filled = |_| PyUntypedBuffer::get(PyMemoryView::from(obj)?.as_any());
    let buffer = PyUntypedBuffer::get(obj).or_else(filled).ok()?;
    if buffer.suboffsets().is_some() {
        return None;
    }
    let (called, shape) = (text(buffer.format()), buffer.shape().to_vec());
    let kind = type_of(buffer.format(), buffer.item_size());
    let elem = as_elem.or(kind.map(|(elem, _)| elem));
    let foreign = elem.map(|elem| {
        let address = buffer.buf_ptr().cast_const().cast::<u8>();
        let strides = buffer.strides().to_vec();
        // SAFETY: the buffer is the owner, and whoever gave it keeps what its shape and strides
        // say where it is until it is released. What Python writes there in between is a race
        // that the caller is told of, as it is of any array that others compute on.
        let foreign = unsafe { Foreign::new(address, elem, shape.clone(), buffer) };
        let foreign = foreign.strides(strides);
        if kind.is_some_and(|(_, swapped)| swapped) { foreign.swapped() } else { foreign }
    });
    Some(Offered { elem, called, shape, foreign })
}

fn text(format: &CStr) -> String {
    format.to_string_lossy().into_owned()
}

/// The type of a format of the module `struct`, and whether its bytes are in the other order.
fn type_of(format: &CStr, size: usize) -> Option<(ScalarType, bool)> {
    let (order, code) = match format.to_bytes() {
        [code] => (b'@', *code),
        [order @ (b'@' | b'=' | b'<' | b'>' | b'!'), code] => (*order, *code),
        _ => return None,
    };
    let elem = match (code, size) {
        (b'?', 1) => ScalarType::Bool,
        (b'b', 1) => ScalarType::I8,
        (b'h', 2) => ScalarType::I16,
        (b'i' | b'l' | b'q' | b'n', 4) => ScalarType::I32,
        (b'i' | b'l' | b'q' | b'n', 8) => ScalarType::I64,
        (b'B', 1) => ScalarType::U8,
        (b'H', 2) => ScalarType::U16,
        (b'I' | b'L' | b'Q' | b'N', 4) => ScalarType::U32,
        (b'I' | b'L' | b'Q' | b'N', 8) => ScalarType::U64,
        (b'e', 2) => ScalarType::F16,
        (b'f', 4) => ScalarType::F32,
        (b'd', 8) => ScalarType::F64,
        _ => return None,
    };
    let swapped = match order {
        b'<' => cfg!(target_endian = "big"),
        b'>' | b'!' => cfg!(target_endian = "little"),
        _ => false,
    };
    Some((elem, swapped))
}

/// The format of a type; nothing of those that Python has no name for.
fn format_of(elem: ScalarType) -> Option<&'static CStr> {
    Some(match elem {
        ScalarType::Bool => c"?",
        ScalarType::I8 => c"b",
        ScalarType::I16 => c"h",
        ScalarType::I32 => c"i",
        ScalarType::I64 => c"q",
        ScalarType::U8 => c"B",
        ScalarType::U16 => c"H",
        ScalarType::U32 => c"I",
        ScalarType::U64 => c"Q",
        ScalarType::F16 => c"e",
        ScalarType::F32 => c"f",
        ScalarType::F64 => c"d",
        ScalarType::F8e4m3 | ScalarType::Bf16 => return None,
    })
}

/// What a view points to besides the numbers.
struct Layout {
    format: CString,
    shape: Vec<ffi::Py_ssize_t>,
    strides: Vec<ffi::Py_ssize_t>,
}

/// Fills in a view of an array's numbers. Where Python has no name for their type, it is one of
/// their bits.
///
/// # Safety
///
/// As of `bf_getbuffer`: `view` may be written, and is given to [`release`] once if this succeeds.
pub(crate) unsafe fn fill(
    array: Bound<'_, Array>,
    view: *mut ffi::Py_buffer,
    flags: c_int,
) -> PyResult<()> {
    // SAFETY: the caller's promise; an owner that is none is what a failure must leave.
    unsafe { (*view).obj = std::ptr::null_mut() };
    if flags & ffi::PyBUF_WRITABLE == ffi::PyBUF_WRITABLE {
        return Err(PyBufferError::new_err("results are shared: they can be read, not written"));
    }
    let of = array.get().array.clone();
    let (elem, bytes) = (of.elem(), weft::array_bytes(&of));
    let format = format_of(elem).unwrap_or(if elem.bytes() == 2 { c"H" } else { c"B" });
    let size = |n: usize| ffi::Py_ssize_t::try_from(n).expect("it is in memory");
    let layout = Box::new(Layout {
        format: format.to_owned(),
        shape: of.shape().iter().map(|&n| size(n)).collect(),
        strides: rows(of.shape(), elem.bytes()).into_iter().map(size).collect(),
    });
    let asked = |flag: c_int| flags & flag == flag;
    // SAFETY: the caller's promise. What is pointed to lives in `layout` until `release`, and the
    // numbers as long as `array`, to which the view holds a reference.
    unsafe {
        (*view).buf = bytes.as_ptr().cast_mut().cast::<c_void>();
        (*view).len = size(bytes.len());
        (*view).readonly = 1;
        (*view).itemsize = size(elem.bytes());
        (*view).ndim = c_int::try_from(of.shape().len()).expect("few axes");
        let none = std::ptr::null_mut();
        (*view).format =
            if asked(ffi::PyBUF_FORMAT) { layout.format.as_ptr().cast_mut() } else { none };
        let none = std::ptr::null_mut();
        (*view).shape = if asked(ffi::PyBUF_ND) { layout.shape.as_ptr().cast_mut() } else { none };
        (*view).strides =
            if asked(ffi::PyBUF_STRIDES) { layout.strides.as_ptr().cast_mut() } else { none };
        (*view).suboffsets = std::ptr::null_mut();
        (*view).internal = Box::into_raw(layout).cast::<c_void>();
        (*view).obj = array.into_any().into_ptr();
    }
    Ok(())
}

/// Gives back what [`fill`] took.
///
/// # Safety
///
/// Once for each view that [`fill`] filled in.
pub(crate) unsafe fn release(view: *mut ffi::Py_buffer) {
    // SAFETY: the caller's promise.
    drop(unsafe { Box::from_raw((*view).internal.cast::<Layout>()) });
}

/// How far apart neighbours lie along each axis, in units of `unit`.
pub(crate) fn rows(shape: &[usize], unit: usize) -> Vec<usize> {
    let mut strides = vec![0; shape.len()];
    let mut next = unit;
    for (stride, &extent) in strides.iter_mut().zip(shape).rev() {
        *stride = next;
        next = next.saturating_mul(extent);
    }
    strides
}
