//! Results of all kinds as Python has them: numbers, arrays, strings, tuples, records, lists.

use crate::array::result;
use crate::errors::{Kind, told};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use std::sync::Arc;
use weft::{Observed, ScalarType};

/// A value that was observed under a name.
pub(crate) fn value(py: Python<'_>, name: &str, v: &Observed) -> PyResult<Py<PyAny>> {
    let all = |members: &[Observed]| {
        members.iter().map(|m| value(py, name, m)).collect::<PyResult<Vec<_>>>()
    };
    match v {
        Observed::Array(array) => result(py, array),
        Observed::OpenInts(array) if array.shape().is_empty() => result(py, array),
        Observed::OpenInts(array) => match array.narrowed(ScalarType::I32) {
            Some(kept) => result(py, &Arc::new(kept)),
            None => {
                let text = format!("`{name}` has a value that does not fit `i32`; give it a type");
                Err(told(py, Kind::Error, text))
            }
        },
        Observed::Text(text) => Ok(PyString::new(py, text).into_any().unbind()),
        Observed::Tuple(members) => Ok(PyTuple::new(py, all(members)?)?.into_any().unbind()),
        Observed::List(members) => Ok(PyList::new(py, all(members)?)?.into_any().unbind()),
        Observed::Table(table) => value(py, name, &table.columns()),
        Observed::Range(first, end) => {
            Ok(py.import("builtins")?.getattr("range")?.call1((*first, *end))?.unbind())
        }
        Observed::Record(of, fields) => {
            let names = fields.iter().enumerate();
            let names = names.map(|(n, (field, _))| match field {
                Some(field) => field.to_string(),
                None => format!("field{n}"),
            });
            let values = fields.iter().map(|(_, v)| value(py, name, v));
            let of = of.as_str().rsplit(':').next().unwrap_or_default();
            let record = py.import("weft._records")?.getattr("record")?;
            let names: Vec<String> = names.collect();
            Ok(record.call1((of, names, values.collect::<PyResult<Vec<_>>>()?))?.unbind())
        }
        Observed::Failure(d) => {
            let made = told(py, Kind::Error, d.message.clone());
            Ok(made.into_value(py).into_any())
        }
        Observed::Function(_) => {
            let text = format!("`{name}` is a function, which has no value outside the program");
            Err(told(py, Kind::Type, text))
        }
    }
}
