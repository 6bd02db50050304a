//! Arrays out: results where they were computed, as memory that others may read.

use crate::buffer;
use crate::declared::shown;
use crate::dlpack;
use crate::given::numpy_name;
use crate::numbers::object;
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::ffi::c_int;
use std::sync::Arc;
use weft::{ScalarType, TensorType};

/// Numbers of one type in rows, which nobody writes. Whatever speaks the buffer protocol or DLPack
/// reads them where they are.
#[pyclass(frozen, module = "weft")]
pub(crate) struct Array {
    pub array: Arc<weft::Array>,
}

#[pymethods]
impl Array {
    /// The type of the elements: `"f64"`.
    #[getter]
    fn dtype(&self) -> &'static str {
        self.array.elem().name()
    }

    /// The extents.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.array.shape())
    }

    /// Where the first element is.
    #[getter]
    fn address(&self) -> usize {
        weft::array_bytes(&self.array).as_ptr() as usize
    }

    /// The same numbers as a NumPy array, where they are.
    fn numpy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        static ASARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let (py, elem) = (slf.py(), slf.get().array.elem());
        let array = ASARRAY.import(py, "numpy", "asarray")?.call1((Bits(slf),))?;
        match elem {
            ScalarType::Bf16 | ScalarType::F8e4m3 => {
                let types = py.import("ml_dtypes")?;
                array.call_method1("view", (types.getattr(numpy_name(elem))?,))
            }
            _ => Ok(array),
        }
    }

    /// For `numpy.asarray` and the like.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, array) = (slf.py(), Array::numpy(slf)?);
        let named = PyDict::new(py);
        named.set_item("dtype", dtype)?;
        named.set_item("copy", copy)?;
        py.import("numpy")?.call_method("array", (array,), Some(&named))
    }

    /// The numbers in lists.
    fn tolist(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        nested(py, &self.array, 0, &mut 0)
    }

    fn __len__(&self) -> PyResult<usize> {
        let first = self.array.shape().first().copied();
        first.ok_or_else(|| pyo3::exceptions::PyTypeError::new_err("a number has no length"))
    }

    fn __repr__(&self) -> String {
        let shape = self.array.shape().iter().map(usize::to_string).collect();
        let of = shown(&TensorType { elem: self.array.elem(), shape, size: false });
        match weft::Observed::Array(self.array.clone()).text() {
            text if text.contains('\n') => format!("weft.Array {of}\n{text}"),
            text => format!("weft.Array {of} {text}"),
        }
    }

    fn __dlpack_device__(&self) -> (i32, i32) {
        dlpack::CPU
    }

    /// The numbers where they are, for consumers that know of memory that is not to be written;
    /// a copy for others.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<Bound<'py, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // A processor's memory is in order for whoever asks.
        drop(stream);
        dlpack::capsule(py, &self.array, max_version, dl_device, copy)
    }

    #[allow(unsafe_code, reason = "the buffer protocol")]
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut pyo3::ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        // SAFETY: Python's promise.
        unsafe { buffer::fill(slf, view, flags) }
    }

    #[allow(unsafe_code, reason = "the buffer protocol")]
    unsafe fn __releasebuffer__(&self, view: *mut pyo3::ffi::Py_buffer) {
        // SAFETY: Python's promise.
        unsafe { buffer::release(view) }
    }
}

/// A memory view, of which NumPy makes an array without asking for `__array__`.
struct Bits<'a, 'py>(&'a Bound<'py, Array>);

impl<'py> IntoPyObject<'py> for Bits<'_, 'py> {
    type Target = pyo3::types::PyMemoryView;
    type Output = Bound<'py, Self::Target>;
    type Error = PyErr;

    fn into_pyobject(self, _: Python<'py>) -> PyResult<Self::Output> {
        pyo3::types::PyMemoryView::from(self.0.as_any())
    }
}

/// A result: a number as Python's own, an array as NumPy's where that is there.
pub(crate) fn result(py: Python<'_>, array: &Arc<weft::Array>) -> PyResult<Py<PyAny>> {
    if array.shape().is_empty() {
        return object(py, array.get(0));
    }
    let own = Bound::new(py, Array { array: array.clone() })?;
    match Array::numpy(&own) {
        Ok(array) => Ok(array.unbind()),
        Err(e) if e.is_instance_of::<PyImportError>(py) => Ok(own.into_any().unbind()),
        Err(e) => Err(e),
    }
}

/// What lies below the first axes, from element `next` on.
fn nested(py: Python<'_>, a: &weft::Array, axis: usize, next: &mut usize) -> PyResult<Py<PyAny>> {
    let Some(&extent) = a.shape().get(axis) else {
        *next += 1;
        return object(py, a.get(*next - 1));
    };
    let members: Vec<Py<PyAny>> =
        (0..extent).map(|_| nested(py, a, axis + 1, next)).collect::<PyResult<_>>()?;
    Ok(PyList::new(py, members)?.into_any().unbind())
}
