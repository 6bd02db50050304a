//! What a program says of its inputs and outputs.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use weft::TensorType;

/// An input or an output of a program: its name, element type and shape.
#[pyclass(frozen, module = "weft")]
pub(crate) struct Declared(pub weft::Declared);

#[pymethods]
impl Declared {
    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// The type of its elements, `"f64"`; None of what is no tensor.
    #[getter]
    fn dtype(&self) -> Option<&'static str> {
        self.0.tensor.as_ref().map(|t| t.elem.name())
    }

    /// Its extents: numbers where they are known, else as the source has them, `"n"`. None of what
    /// is no tensor.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let Some(tensor) = &self.0.tensor else { return Ok(None) };
        let extents = tensor.shape.iter().map(|extent| match extent.parse::<i64>() {
            Ok(n) => Ok(n.into_pyobject(py)?.into_any()),
            Err(_) => Ok(extent.into_pyobject(py)?.into_any()),
        });
        PyTuple::new(py, extents.collect::<PyResult<Vec<_>>>()?).map(Some)
    }

    /// Whether it has a default.
    #[getter]
    fn optional(&self) -> bool {
        self.0.default
    }

    fn __repr__(&self) -> String {
        let of = self.0.tensor.as_ref().map(|t| format!(": {}", shown(t))).unwrap_or_default();
        format!("{}{of}{}", self.0.name, if self.0.default { " = …" } else { "" })
    }
}

/// A type as the language writes it.
pub(crate) fn shown(t: &TensorType) -> String {
    match t.shape.as_slice() {
        [] => t.elem.to_string(),
        extents => format!("[{}; {}]", t.elem, extents.join(", ")),
    }
}
