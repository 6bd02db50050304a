//! What a call gives: results that are computed when they are looked at, each once.

use crate::array::Array;
use crate::errors::{Kind, told};
use crate::program::{Named, Program};
use crate::shared::Shared;
use crate::values::value;
use pyo3::exceptions::{PyAttributeError, PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyString, PyTuple};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use weft::{Inputs, Observed};

/// The results of a call, by name, by attribute and by index. One is computed when it is first
/// looked at, and kept; several that are asked for together are computed together.
#[pyclass(frozen, module = "weft", mapping)]
pub(crate) struct Outputs {
    program: Py<Program>,
    inputs: Inputs<'static>,
    /// The arrays behind `inputs`, by name.
    arrays: Named,
    found: Mutex<Found>,
}

/// What was computed so far.
#[derive(Default)]
struct Found {
    observed: BTreeMap<String, Observed>,
    values: BTreeMap<String, Py<PyAny>>,
    ran: bool,
}

impl Outputs {
    /// Of a call on these arrays, once the program has admitted them.
    pub fn admitted(program: &Bound<'_, Program>, arrays: Named) -> PyResult<Outputs> {
        let given = |inputs: Inputs<'static>, (name, a): &(String, Arc<weft::Array>)| {
            inputs.array(name, a.clone())
        };
        let inputs = arrays.iter().fold(Inputs::new(), given);
        let inputs = program.get().shared.admit(program.py(), &inputs)?;
        Ok(Outputs { program: program.clone().unbind(), inputs, arrays, found: Mutex::default() })
    }

    pub fn inputs(&self) -> &Inputs<'static> {
        &self.inputs
    }

    fn shared(&self) -> &Shared {
        &self.program.get().shared
    }

    /// Held for moments only, and never while Python may run something else.
    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Computes what of some names is not there yet, together.
    pub fn compute_all(&self, py: Python<'_>, names: &[String]) -> PyResult<()> {
        self.compute_on(py, &self.inputs, names)
    }

    /// The same, and shows the program's own value behind what it prints.
    pub fn run(&self, py: Python<'_>, names: &[String]) -> PyResult<()> {
        self.compute_on(py, &self.inputs.clone().show_value(), names)
    }

    fn compute_on(
        &self,
        py: Python<'_>,
        inputs: &Inputs<'static>,
        names: &[String],
    ) -> PyResult<()> {
        let known = &self.shared().outputs;
        if let Some(name) = names.iter().find(|n| known.iter().all(|d| d.name != **n)) {
            let message = format!("the program has no output `{name}`");
            return Err(PyKeyError::new_err(message));
        }
        let (missing, first) = {
            let found = self.found();
            let missing = names.iter().filter(|n| !found.observed.contains_key(*n));
            (missing.cloned().collect::<Vec<_>>(), !found.ran)
        };
        if missing.is_empty() && !(names.is_empty() && first) {
            return Ok(());
        }
        let asked = missing.iter().fold(inputs.clone(), |inputs, n| inputs.ask(n));
        let outputs = self.shared().run(py, &asked, first)?;
        let mut found = self.found();
        found.ran = true;
        let named = outputs.named.into_iter();
        let before: Vec<Option<Observed>> =
            named.map(|(n, v)| found.observed.insert(n.to_string(), v)).collect();
        // What another thread found first is let go of when nothing is held.
        drop(found);
        drop(before);
        Ok(())
    }

    fn observed(&self, py: Python<'_>, name: &str) -> PyResult<Observed> {
        self.compute_all(py, &[name.to_string()])?;
        let observed = self.found().observed.get(name).cloned();
        observed.ok_or_else(|| PyKeyError::new_err(name.to_string()))
    }

    fn value(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        let known = self.found().values.get(name).map(|v| v.clone_ref(py));
        if let Some(known) = known {
            return Ok(known);
        }
        let made = value(py, name, &self.observed(py, name)?)?;
        let kept = made.clone_ref(py);
        // What was there before is let go of when nothing is held.
        let before = self.found().values.insert(name.to_string(), kept);
        drop(before);
        Ok(made)
    }

    /// A tensor, computed if it is not there yet.
    pub fn tensor(&self, py: Python<'_>, name: &str) -> PyResult<Arc<weft::Array>> {
        let array = self.observed(py, name)?.as_array().cloned();
        array.ok_or_else(|| told(py, Kind::Type, format!("`{name}` is no tensor of numbers")))
    }

    fn names(&self) -> Vec<String> {
        self.shared().outputs.iter().map(|d| d.name.clone()).collect()
    }

    fn values_of(&self, py: Python<'_>, names: &[String]) -> PyResult<Vec<Py<PyAny>>> {
        self.compute_all(py, names)?;
        names.iter().map(|n| self.value(py, n)).collect()
    }
}

/// Arrays by name, as Python has them.
pub(crate) fn by_name<'py>(py: Python<'py>, arrays: &Named) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for (name, array) in arrays {
        all.set_item(name, Array { array: array.clone() })?;
    }
    Ok(all)
}

#[pymethods]
impl Outputs {
    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        if let Ok(name) = key.cast::<PyString>() {
            return self.value(py, name.to_str()?);
        }
        if let Ok(names) = key.cast::<PyTuple>() {
            let names: Vec<String> = names.extract()?;
            return Ok(PyTuple::new(py, self.values_of(py, &names)?)?.into_any().unbind());
        }
        let (names, at) = (self.names(), key.extract::<isize>()?);
        let from_end = if at < 0 { at + names.len() as isize } else { at };
        let name = usize::try_from(from_end).ok().and_then(|n| names.get(n));
        let count = names.len();
        let name = name.ok_or_else(|| {
            PyIndexError::new_err(format!("there are {count} outputs, and none with index {at}"))
        })?;
        self.value(py, name)
    }

    fn __getattr__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        if self.shared().outputs.iter().any(|d| d.name == name) {
            return self.value(py, name);
        }
        let names = self.names().join(", ");
        let text = format!("the program has no output `{name}`; it has {names}");
        Err(PyAttributeError::new_err(text))
    }

    /// Computes the named outputs, or all of them, in one run, and gives this object.
    #[pyo3(signature = (*names))]
    fn compute<'py>(slf: &Bound<'py, Self>, names: Vec<String>) -> PyResult<Bound<'py, Self>> {
        let all = if names.is_empty() { slf.get().names() } else { names };
        slf.get().compute_all(slf.py(), &all)?;
        Ok(slf.clone())
    }

    /// A tensor as a `weft.Array`, whatever packages are there.
    fn array(&self, py: Python<'_>, name: &str) -> PyResult<Array> {
        Ok(Array { array: self.tensor(py, name)? })
    }

    /// The program that was called.
    #[getter]
    fn program(&self, py: Python<'_>) -> Py<Program> {
        self.program.clone_ref(py)
    }

    /// What the call was given, by name.
    #[getter]
    fn inputs_given<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        by_name(py, &self.arrays)
    }

    /// The names of the outputs.
    fn keys(&self) -> Vec<String> {
        self.names()
    }

    /// All results, computed together.
    fn values(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        self.values_of(py, &self.names())
    }

    /// All names with their results, computed together.
    fn items(&self, py: Python<'_>) -> PyResult<Vec<(String, Py<PyAny>)>> {
        Ok(self.names().into_iter().zip(self.values(py)?).collect())
    }

    /// The results in order, so that `y, z = program(x)` takes them apart.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyTuple::new(py, self.values(py)?)?.try_iter()
    }

    fn __len__(&self) -> usize {
        self.shared().outputs.len()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.shared().outputs.iter().any(|d| d.name == name)
    }

    fn __dir__(&self) -> Vec<String> {
        let own = ["compute", "array", "d", "keys", "values", "items", "program", "inputs_given"];
        own.iter().map(ToString::to_string).chain(self.names()).collect()
    }

    /// A derivative of an output by an input or another `let`: `out.d("loss", "w")`. It is computed
    /// when it is looked at, and of it only what is looked at.
    fn d<'py>(slf: &Bound<'py, Self>, y: &str, x: &str) -> PyResult<Bound<'py, PyAny>> {
        let derivative = slf.py().import("weft._derivatives")?.getattr("Derivative")?;
        derivative.call1((slf, y, x))
    }

    fn __repr__(&self) -> String {
        let found = self.found();
        let shown = |name: &String| match found.observed.contains_key(name) {
            true => format!("{name} (computed)"),
            false => name.clone(),
        };
        let names: Vec<String> = self.names().iter().map(shown).collect();
        format!("<weft.Outputs: {}>", names.join(", "))
    }
}
