//! Calls of Python by a program: `python::m::f(…)`.
//!
//! The interpreter's lock is taken for the call. An exception ends the run and goes on to who
//! called the program, unless the program catches the failure.

use crate::array::Array;
use crate::errors::{Kind, told};
use crate::given::given_back;
use crate::values::value;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::{Mutex, PoisonError};
use weft::{Error, ForeignCall, ForeignFunctions, Gives, Observed, Refused, TensorType};

/// The functions of Python during one run.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    /// The last exception, with what the program is told of it.
    raised: Mutex<Option<(PyErr, String)>>,
}

impl Calls {
    /// The exception that a run ended with; nothing where it ended otherwise.
    pub fn ended(&self, py: Python<'_>, e: &Error) -> Option<PyErr> {
        let raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (raised, text) = raised?;
        match e {
            Error::Interrupted => (!raised.is_instance_of::<PyException>(py)).then_some(raised),
            Error::Failed(report) if report.diagnostics.iter().any(|d| d.message == text) => {
                // Older exceptions than those of Python 3.11 take no notes; then it goes without.
                let noted = raised.value(py).call_method1("add_note", (report.to_string(),));
                drop(noted);
                Some(raised)
            }
            _ => None,
        }
    }
}

impl ForeignFunctions for Calls {
    fn call(&self, call: &ForeignCall, args: &[Observed]) -> Result<Observed, Refused> {
        Python::attach(|py| {
            called(py, call, args).map_err(|e| {
                let failed = e.is_instance_of::<PyException>(py);
                let text = format!("`{}` raised {}", call.path, said(py, &e));
                let raised = Some((e, text.clone()));
                // What was there before is let go of when nothing is held.
                let before = std::mem::replace(
                    &mut *self.raised.lock().unwrap_or_else(PoisonError::into_inner),
                    raised,
                );
                drop(before);
                if failed { Refused::Failed(text) } else { Refused::Stopped }
            })
        })
    }
}

/// An exception as the last line of a traceback has it.
fn said(py: Python<'_>, e: &PyErr) -> String {
    let name = e.get_type(py).name().map(|n| n.to_string());
    let name = name.unwrap_or_else(|_| "an exception".to_string());
    match e.value(py).str().map(|s| s.to_string()) {
        Ok(text) if !text.is_empty() => format!("{name}: {text}"),
        _ => name,
    }
}

fn called(py: Python<'_>, call: &ForeignCall, args: &[Observed]) -> PyResult<Observed> {
    let function = function(py, call.path.as_str())?;
    let (mut given, named) = (Vec::new(), PyDict::new(py));
    for (n, (arg, name)) in args.iter().zip(&call.names).enumerate() {
        let v = value(py, &format!("argument {n}"), arg)?;
        match name {
            Some(name) => named.set_item(name.as_str(), v)?,
            None => given.push(v),
        }
    }
    let found = function.call(PyTuple::new(py, given)?, Some(&named))?;
    taken(call.path.as_str(), &call.gives, &found)
}

/// The function of a path. What is no attribute may be a module that nobody imported yet.
fn function<'py>(py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyAny>> {
    let path = path.strip_prefix("python::").unwrap_or(path);
    let mut names = path.split("::");
    let mut shown = names.next().unwrap_or_default().to_string();
    let mut at = py.import(shown.as_str())?.into_any();
    for name in names {
        shown = format!("{shown}.{name}");
        at = match at.getattr(name) {
            Ok(found) => found,
            Err(missing) => match py.import(shown.as_str()) {
                Ok(module) => module.into_any(),
                Err(_) => return Err(missing),
            },
        };
    }
    Ok(at)
}

/// What a function gave, as the program states it.
fn taken(path: &str, gives: &Gives, found: &Bound<'_, PyAny>) -> PyResult<Observed> {
    match gives {
        Gives::Tensor(elem, shape) => {
            let extent = |n: &Option<usize>| n.map_or("?".to_string(), |n| n.to_string());
            let shape = shape.iter().map(extent).collect();
            let tensor = TensorType { elem: *elem, shape, size: false };
            Ok(Observed::Array(given_back(path, &tensor, found)?))
        }
        Gives::Tuple(members) => {
            let all: Vec<Bound<'_, PyAny>> = match found.is_instance_of::<Array>() {
                true => Vec::new(),
                false => found.try_iter()?.collect::<PyResult<_>>()?,
            };
            if all.len() != members.len() {
                let (wanted, count) = (members.len(), all.len());
                let text = format!("`{path}` is to give {wanted} values, found {count}");
                return Err(told(found.py(), Kind::Type, text));
            }
            let all = all.iter().zip(members).map(|(v, gives)| taken(path, gives, v));
            Ok(Observed::Tuple(all.collect::<PyResult<_>>()?))
        }
        Gives::Text => Ok(Observed::Text(found.extract()?)),
        Gives::Texts => {
            let all: Vec<String> = found.extract()?;
            Ok(Observed::List(all.into_iter().map(Observed::Text).collect()))
        }
    }
}
