//! What goes wrong, as Python's exceptions: `weft.Error` and those below it, which are classes of
//! `weft/_errors.py`.

use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use weft::diag::{Code, Diagnostic};
use weft::{Error, Report};

/// A class of `weft/_errors.py`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Whatever is wrong with a text or a run.
    Error,
    /// An extent is not what is declared, or than another one.
    Shape,
    /// A value is of another type than what is declared, or none.
    Type,
}

impl Kind {
    fn of(d: &Diagnostic) -> Kind {
        match d.code {
            Code::E1101 | Code::E1102 | Code::E1103 => Kind::Type,
            Code::E1104 => Kind::Shape,
            _ => Kind::Error,
        }
    }

    fn class(self, py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
        static ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        static SHAPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        match self {
            Kind::Error => ERROR.import(py, "weft._errors", "Error"),
            Kind::Shape => SHAPE.import(py, "weft._errors", "ShapeError"),
            Kind::Type => TYPE.import(py, "weft._errors", "TypeError"),
        }
    }
}

/// An exception with a sentence of this crate.
pub(crate) fn told(py: Python<'_>, kind: Kind, text: String) -> PyErr {
    raised(py, kind, (text,))
}

/// An exception for what the facade says.
pub(crate) fn exception(py: Python<'_>, e: &Error) -> PyErr {
    match e {
        Error::Refused(report) | Error::Failed(report) => {
            let kind = report.diagnostics.iter().find(|d| d.is_error());
            let kind = kind.map_or(Kind::Error, Kind::of);
            let (text, colored) = (report.to_string(), report.colored().to_string());
            raised(py, kind, (text, json(report), colored))
        }
        Error::Interrupted => PyKeyboardInterrupt::new_err(()),
        Error::Output(e) => PyOSError::new_err(e.to_string()),
    }
}

/// A JSON object for each diagnostic.
pub(crate) fn json(report: &Report) -> Vec<String> {
    report.json().to_vec()
}

fn raised<'py>(py: Python<'py>, kind: Kind, args: impl pyo3::call::PyCallArgs<'py>) -> PyErr {
    match kind.class(py).and_then(|class| class.call1(args)) {
        Ok(value) => PyErr::from_value(value),
        Err(e) => e,
    }
}
