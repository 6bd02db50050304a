//! DLPack, by which packages lend each other arrays: theirs as inputs, and ours to them.

#![allow(unsafe_code, reason = "memory of other packages")]

use crate::buffer::{Offered, rows};
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use std::ffi::{CStr, c_void};
use std::ptr::NonNull;
use std::sync::Arc;
use weft::{Foreign, Released, ScalarType};

/// The device type and number of memory that the processor reads.
pub(crate) const CPU: (i32, i32) = (1, 0);

/// Of what DLPack says since its first version of that number.
const VERSION: (u32, u32) = (1, 0);

const READ_ONLY: u64 = 1;
const COPIED: u64 = 2;

const LENT: &CStr = c"dltensor_versioned";
const TAKEN: &CStr = c"used_dltensor_versioned";
const OLD_LENT: &CStr = c"dltensor";
const OLD_TAKEN: &CStr = c"used_dltensor";

#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device: (i32, i32),
    axes: i32,
    kind: u8,
    bits: u8,
    lanes: u16,
    shape: *mut i64,
    strides: *mut i64,
    offset: u64,
}

#[repr(C)]
struct Old {
    tensor: Tensor,
    context: *mut c_void,
    release: Option<unsafe extern "C" fn(*mut Old)>,
}

#[repr(C)]
struct Versioned {
    version: (u32, u32),
    context: *mut c_void,
    release: Option<unsafe extern "C" fn(*mut Versioned)>,
    flags: u64,
    tensor: Tensor,
}

/// The kind and the bits of a type.
fn code_of(elem: ScalarType) -> (u8, u8) {
    let kind = match elem {
        ScalarType::Bool => 6,
        ScalarType::Bf16 => 4,
        ScalarType::F8e4m3 => 10,
        _ if elem.is_float() => 2,
        _ if elem.is_signed() => 0,
        _ => 1,
    };
    (kind, elem.bytes() as u8 * 8)
}

/// What an object lends; nothing where it does not speak DLPack.
pub(crate) fn offered(obj: &Bound<'_, PyAny>) -> PyResult<Option<Offered>> {
    if !obj.hasattr("__dlpack__")? {
        return Ok(None);
    }
    let device: (i32, i32) = obj.call_method0("__dlpack_device__")?.extract()?;
    if device.0 != CPU.0 {
        let text = "the array is on another device: move it to the processor's memory first";
        return Err(PyBufferError::new_err(text));
    }
    let named = PyDict::new(obj.py());
    named.set_item("max_version", VERSION)?;
    let lent = match obj.call_method("__dlpack__", (), Some(&named)) {
        // Who knows no versions takes no such argument.
        Err(e) if e.is_instance_of::<pyo3::exceptions::PyTypeError>(obj.py()) => {
            obj.call_method0("__dlpack__")
        }
        lent => lent,
    }?;
    let lent = lent.cast_into::<PyCapsule>()?;
    if lent.is_valid_checked(Some(LENT)) {
        let managed = lent.pointer_checked(Some(LENT))?.cast::<Versioned>();
        renamed(&lent, TAKEN)?;
        // SAFETY: what a capsule of that name holds, which is this function's now.
        let (tensor, release) = unsafe { (&managed.as_ref().tensor, managed.as_ref().release) };
        let managed = Managed(managed);
        return Ok(Some(taken(tensor, move || managed.release(release))));
    }
    let managed = lent.pointer_checked(Some(OLD_LENT))?.cast::<Old>();
    renamed(&lent, OLD_TAKEN)?;
    // SAFETY: as above.
    let (tensor, release) = unsafe { (&managed.as_ref().tensor, managed.as_ref().release) };
    let managed = Managed(managed);
    Ok(Some(taken(tensor, move || managed.release(release))))
}

/// Marks that what a capsule holds is someone's.
fn renamed(capsule: &Bound<'_, PyCapsule>, name: &'static CStr) -> PyResult<()> {
    // SAFETY: a capsule that is there, and a name that stays.
    match unsafe { ffi::PyCapsule_SetName(capsule.as_ptr(), name.as_ptr()) } {
        0 => Ok(()),
        _ => Err(PyErr::fetch(capsule.py())),
    }
}

/// What someone lent, to be given back once.
struct Managed<T>(NonNull<T>);

// SAFETY: who lends it takes it back on any thread that holds the interpreter's lock, and nothing
// else is done with it.
unsafe impl<T> Send for Managed<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Managed<T> {}

impl<T> Managed<T> {
    fn release(&self, by: Option<unsafe extern "C" fn(*mut T)>) {
        let Some(by) = by else { return };
        // When the interpreter has ended its memory ends with the process.
        Python::try_attach(|_| {
            // SAFETY: once, with what it came with.
            unsafe { by(self.0.as_ptr()) };
        });
    }
}

fn taken(t: &Tensor, release: impl FnOnce() + Send + Sync + 'static) -> Offered {
    let owner = Released::by(release);
    let axes = usize::try_from(t.axes).unwrap_or(0);
    let numbers = |at: *const i64| -> Vec<i64> {
        if at.is_null() || axes == 0 {
            return Vec::new();
        }
        // SAFETY: as many numbers as there are axes, where there is an address.
        unsafe { std::slice::from_raw_parts(at, axes) }.to_vec()
    };
    let shape: Vec<usize> =
        numbers(t.shape).into_iter().map(|n| usize::try_from(n).unwrap_or(0)).collect();
    let code = (t.kind, t.bits);
    let elem = ScalarType::ALL.into_iter().find(|e| t.lanes == 1 && code_of(*e) == code);
    let called = format!("DLPack's type {} of {} bits", t.kind, t.bits);
    let foreign = elem.map(|elem| {
        let address = t.data.cast_const().cast::<u8>().wrapping_add(t.offset as usize);
        // SAFETY: what the lender says of its memory, until it is released.
        let foreign = unsafe { Foreign::new(address, elem, shape.clone(), owner) };
        match t.strides.is_null() || axes == 0 {
            true => foreign,
            false => {
                let width = elem.bytes() as i64;
                let bytes = numbers(t.strides).into_iter().map(|s| (s * width) as isize);
                foreign.strides(bytes.collect())
            }
        }
    });
    Offered { elem, called, shape, foreign }
}

/// An array of ours while someone has it.
struct Lent {
    /// The numbers, where they are or copied.
    numbers: Numbers,
    shape: Vec<i64>,
    strides: Vec<i64>,
}

enum Numbers {
    Shared(Arc<weft::Array>),
    /// In words, which no type needs better alignment than.
    Copied(Vec<u64>),
}

impl Lent {
    fn new(array: &Arc<weft::Array>, copied: bool) -> Box<Lent> {
        let numbers = match copied {
            false => Numbers::Shared(array.clone()),
            true => Numbers::Copied(words(weft::array_bytes(array))),
        };
        let extents = |all: Vec<usize>| all.into_iter().map(|n| n as i64).collect();
        let strides = extents(rows(array.shape(), 1));
        Box::new(Lent { numbers, shape: extents(array.shape().to_vec()), strides })
    }

    fn tensor(&mut self, elem: ScalarType) -> Tensor {
        let data = match &mut self.numbers {
            Numbers::Shared(array) => weft::array_bytes(array).as_ptr().cast_mut().cast(),
            Numbers::Copied(words) => words.as_mut_ptr().cast(),
        };
        let (kind, bits) = code_of(elem);
        let axes = i32::try_from(self.shape.len()).expect("few axes");
        let (shape, strides) = (self.shape.as_mut_ptr(), self.strides.as_mut_ptr());
        Tensor { data, device: CPU, axes, kind, bits, lanes: 1, shape, strides, offset: 0 }
    }
}

fn words(bytes: &[u8]) -> Vec<u64> {
    let word = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_ne_bytes(word)
    };
    bytes.chunks(8).map(word).collect()
}

/// An array as a capsule that someone takes it out of.
pub(crate) fn capsule<'py>(
    py: Python<'py>,
    array: &Arc<weft::Array>,
    max_version: Option<(u32, u32)>,
    device: Option<(i32, i32)>,
    copy: Option<bool>,
) -> PyResult<Bound<'py, PyAny>> {
    if device.is_some_and(|device| device != CPU) {
        return Err(PyBufferError::new_err("the array is in the processor's memory only"));
    }
    let versioned = max_version.is_some_and(|version| version.0 >= VERSION.0);
    // What must not be written is said of arrays since versions are.
    let copied = copy == Some(true) || !versioned;
    if copied && copy == Some(false) {
        let text = "only a copy can be lent to who knows nothing of memory that is not written";
        return Err(PyBufferError::new_err(text));
    }
    let mut lent = Lent::new(array, copied);
    let tensor = lent.tensor(array.elem());
    let context = Box::into_raw(lent).cast::<c_void>();
    let made = if versioned {
        let flags = if copied { COPIED } else { READ_ONLY };
        let release = Some(release as unsafe extern "C" fn(*mut Versioned));
        let managed = Versioned { version: VERSION, context, release, flags, tensor };
        (Box::into_raw(Box::new(managed)).cast::<c_void>(), LENT)
    } else {
        let release = Some(release_old as unsafe extern "C" fn(*mut Old));
        let managed = Old { tensor, context, release };
        (Box::into_raw(Box::new(managed)).cast::<c_void>(), OLD_LENT)
    };
    // SAFETY: an address that is none but null, a name that stays, a function that takes the
    // capsule; what it gives is a new reference, or none and an exception.
    unsafe {
        let capsule = ffi::PyCapsule_New(made.0, made.1.as_ptr(), Some(dropped));
        Bound::from_owned_ptr_or_err(py, capsule)
    }
}

/// Gives back what nobody took out of its capsule.
unsafe extern "C" fn dropped(capsule: *mut ffi::PyObject) {
    // SAFETY: Python calls this once, with the capsule; what it holds is what `capsule` put there
    // as long as it has the name.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, LENT.as_ptr()) == 1 {
            release(ffi::PyCapsule_GetPointer(capsule, LENT.as_ptr()).cast());
        } else if ffi::PyCapsule_IsValid(capsule, OLD_LENT.as_ptr()) == 1 {
            release_old(ffi::PyCapsule_GetPointer(capsule, OLD_LENT.as_ptr()).cast());
        }
    }
}

unsafe extern "C" fn release(managed: *mut Versioned) {
    // SAFETY: who has it calls this once; both boxes were made by `capsule`.
    unsafe {
        let managed = Box::from_raw(managed);
        drop(Box::from_raw(managed.context.cast::<Lent>()));
    }
}

unsafe extern "C" fn release_old(managed: *mut Old) {
    // SAFETY: as above.
    unsafe {
        let managed = Box::from_raw(managed);
        drop(Box::from_raw(managed.context.cast::<Lent>()));
    }
}
