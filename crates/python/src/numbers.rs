//! Single numbers: Python's as the language's, and back.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt};
use weft::{Scalar, ScalarType, cast};

/// A number as a type has it, as a literal in its place would be read; nothing where it is none,
/// or does not fit.
pub(crate) fn scalar(elem: ScalarType, obj: &Bound<'_, PyAny>) -> Option<Scalar> {
    if is_truth(obj) {
        return match elem {
            ScalarType::Bool => obj.is_truthy().ok().map(Scalar::Bool),
            _ => None,
        };
    }
    if elem == ScalarType::Bool || obj.is_instance_of::<pyo3::types::PyString>() {
        return None;
    }
    if elem.is_int() {
        return match obj.extract::<i64>() {
            Ok(n) => Scalar::exactly(elem, n),
            Err(_) if elem == ScalarType::U64 => obj.extract::<u64>().ok().map(Scalar::U64),
            Err(_) => None,
        };
    }
    let x = obj.extract::<f64>().ok()?;
    let found = cast(Scalar::F64(x), elem);
    (!x.is_finite() || found.as_f64().is_some_and(f64::is_finite)).then_some(found)
}

/// Python's truth values, and NumPy's.
fn is_truth(obj: &Bound<'_, PyAny>) -> bool {
    let numpy = || obj.getattr("dtype").and_then(|d| d.getattr("kind")?.eq("b"));
    obj.is_instance_of::<PyBool>() || (!is_plain(obj) && numpy().unwrap_or(false))
}

/// A number of Python's own.
pub(crate) fn is_plain(obj: &Bound<'_, PyAny>) -> bool {
    obj.is_instance_of::<PyFloat>() || obj.is_instance_of::<PyInt>()
}

/// A number as Python has it.
pub(crate) fn object(py: Python<'_>, v: Scalar) -> PyResult<Py<PyAny>> {
    Ok(match v {
        Scalar::Bool(b) => PyBool::new(py, b).to_owned().into_any().unbind(),
        Scalar::U64(n) => n.into_pyobject(py)?.into_any().unbind(),
        _ => match (v.as_i64(), v.as_f64()) {
            (Some(n), _) => n.into_pyobject(py)?.into_any().unbind(),
            (None, x) => PyFloat::new(py, x.unwrap_or(f64::NAN)).into_any().unbind(),
        },
    })
}
