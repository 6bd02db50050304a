//! Programs: texts that were checked, and can be called.

use crate::declared::Declared;
use crate::errors::json;
use crate::given;
use crate::outputs::Outputs;
use crate::shared::Shared;
use crate::signals::{Watch, until_done};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use weft::{Compiler, Modules, Semantics, Source};

/// A program. Called with its inputs, by name or in their order, it gives its outputs.
#[pyclass(frozen, module = "weft")]
pub(crate) struct Program {
    pub shared: Shared,
    made: Made,
    /// The same with more text behind it, by that.
    extended: Mutex<BTreeMap<String, Py<Program>>>,
}

/// What a program was made of: it is pickled as that, and derivatives are made of more text.
#[derive(Clone)]
struct Made {
    source: String,
    name: String,
    root: Option<PathBuf>,
    overlays: BTreeMap<String, String>,
    float_mode: String,
    threads: Option<usize>,
    memory_limit: Option<u64>,
}

/// The compiler of this process: all programs share its machine code.
fn compiler() -> Compiler {
    static COMPILER: OnceLock<Compiler> = OnceLock::new();
    let make = || match cache_folder() {
        Some(folder) => Compiler::new().keep_code_in(folder),
        None => Compiler::new(),
    };
    COMPILER.get_or_init(make).clone()
}

/// Where the command keeps machine code: `WEFT_CACHE_DIR`, which may be `off`, or the usual place.
fn cache_folder() -> Option<PathBuf> {
    match std::env::var_os("WEFT_CACHE_DIR") {
        Some(folder) if folder == "off" => None,
        Some(folder) => Some(folder.into()),
        None => weft::default_cache_dir(),
    }
}

/// Makes a program of a text of Einlang.
///
/// `root` is the folder that modules are in, `overlays` has texts of modules by their paths below
/// it. `float_mode="strict"` computes floats in the order of the text. `threads` and `memory_limit`
/// (bytes) are those of each call.
#[pyfunction]
#[pyo3(signature = (source, root=None, overlays=None, float_mode="fast", threads=None,
    memory_limit=None, name="<python>"))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn compile(
    py: Python<'_>,
    source: String,
    root: Option<PathBuf>,
    overlays: Option<BTreeMap<String, String>>,
    float_mode: &str,
    threads: Option<usize>,
    memory_limit: Option<u64>,
    name: &str,
) -> PyResult<Program> {
    let (name, float_mode) = (name.to_string(), float_mode.to_string());
    let overlays = overlays.unwrap_or_default();
    let made = Made { source, name, root, overlays, float_mode, threads, memory_limit };
    made.program(py)
}

impl Made {
    fn program(self, py: Python<'_>) -> PyResult<Program> {
        let strict_fp = match self.float_mode.as_str() {
            "fast" => false,
            "strict" => true,
            other => {
                let text = format!("float_mode is \"fast\" or \"strict\", not {other:?}");
                return Err(PyValueError::new_err(text));
            }
        };
        let mut compiler = compiler().semantics(Semantics { strict_fp, ..Semantics::default() });
        if let Some(count) = self.threads {
            compiler = compiler.threads(count);
        }
        if let Some(bytes) = self.memory_limit {
            compiler = compiler.memory_limit(bytes);
        }
        let overlays = self.overlays.iter().map(|(p, text)| (PathBuf::from(p), text.clone()));
        let entry = self.root.as_ref().map(|_| PathBuf::from(&self.name));
        let modules =
            Modules { root: self.root.clone(), entry, overlays: overlays.collect(), library: None };
        let source = Source::new(&self.name, &self.source).modules(modules);
        let program = until_done(py, || {
            let watch = Watch::begin();
            let source = match watch.shared_flag() {
                Some(flag) => source.clone().interrupt(flag),
                None => source.clone(),
            };
            py.detach(|| compiler.compile_source(&source))
        })?;
        let (shared, extended) = (Shared::new(program), Mutex::default());
        Ok(Program { shared, made: self, extended })
    }
}

impl Program {
    /// The arrays of a call, by name.
    fn given(
        &self,
        args: &Bound<'_, PyTuple>,
        named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<(String, Arc<weft::Array>)>> {
        let inputs = &self.shared.inputs;
        if args.len() > inputs.len() {
            let text = format!("{} inputs were given, {} are taken", args.len(), inputs.len());
            return Err(PyTypeError::new_err(text));
        }
        let mut arrays = Vec::with_capacity(inputs.len());
        for (input, value) in inputs.iter().zip(args.iter()) {
            arrays.push((input.name.clone(), given::array(input, &value)?));
        }
        for (name, value) in named.into_iter().flatten() {
            let name = name.cast::<PyString>()?.to_str()?;
            if arrays.iter().any(|(n, _)| n == name) {
                return Err(PyTypeError::new_err(format!("input `{name}` is given twice")));
            }
            let array = match inputs.iter().find(|input| input.name == name) {
                Some(input) => given::array(input, &value)?,
                // The facade knows what to say of an unknown name.
                None => Arc::new(weft::Array::scalar(weft::Scalar::Bool(false))),
            };
            arrays.push((name.to_string(), array));
        }
        Ok(arrays)
    }

    fn called<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Outputs> {
        let outputs = Outputs::new(slf.clone().unbind(), slf.get().given(args, named)?);
        slf.get().shared.admit(slf.py(), outputs.inputs())?;
        Ok(outputs)
    }
}

fn declared(all: &[weft::Declared]) -> Vec<Declared> {
    all.iter().cloned().map(Declared).collect()
}

#[pymethods]
impl Program {
    /// What it takes, in the order of the text.
    #[getter]
    fn inputs(&self) -> Vec<Declared> {
        declared(&self.shared.inputs)
    }

    /// What it gives, in the order of the text.
    #[getter]
    fn outputs(&self) -> Vec<Declared> {
        declared(&self.shared.outputs)
    }

    /// Its text.
    #[getter]
    fn source(&self) -> &str {
        &self.made.source
    }

    /// What was found in it that is not wrong: a JSON text each.
    #[getter]
    fn _warnings(&self) -> Vec<String> {
        json(&self.shared.warnings)
    }

    /// Checks the inputs, and gives the outputs, which are computed when they are looked at. Arrays
    /// are read where they are, at that time.
    #[pyo3(signature = (*args, **inputs))]
    fn __call__<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        inputs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Outputs> {
        Program::called(slf, args, inputs)
    }

    /// As a call, and does now what the program does by itself: prints and asserts.
    #[pyo3(signature = (*args, **inputs))]
    fn run<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        inputs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Outputs> {
        let outputs = Program::called(slf, args, inputs)?;
        outputs.compute_all(slf.py(), &[])?;
        Ok(outputs)
    }

    /// The plan of a call on these inputs: what is computed in which order, what is stored, and
    /// why.
    #[pyo3(signature = (*args, **inputs))]
    fn plan<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        inputs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<String> {
        let outputs = Program::called(slf, args, inputs)?;
        slf.get().shared.plan(slf.py(), outputs.inputs())
    }

    /// The same program with more text behind it; made once for each text.
    #[pyo3(name = "_extended")]
    fn extended(&self, py: Python<'_>, more: String) -> PyResult<Py<Program>> {
        let known = || self.extended.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = known().get(&more) {
            return Ok(program.clone_ref(py));
        }
        let source = format!("{}\n{more}", self.made.source);
        let made = Py::new(py, Made { source, ..self.made.clone() }.program(py)?)?;
        Ok(known().entry(more).or_insert(made).clone_ref(py))
    }

    /// A program that also gives the derivatives of `y` by each of `wrt`, as `d_Y_d_X`.
    fn grad<'py>(
        slf: &Bound<'py, Self>,
        y: &str,
        wrt: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("weft._derivatives")?.getattr("grad")?.call1((slf, y, wrt))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let make = py.import("weft._weft")?.getattr("compile")?;
        let Made { source, name, root, overlays, float_mode, threads, memory_limit } = &self.made;
        let root = root.as_ref().map(|r| r.to_string_lossy().into_owned());
        let args = (source, root, overlays.clone(), float_mode, *threads, *memory_limit, name);
        (make, args).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        let shown = |all: &[weft::Declared]| {
            let one = |d: &weft::Declared| match &d.tensor {
                Some(t) => format!("{}: {}", d.name, crate::declared::shown(t)),
                None => d.name.clone(),
            };
            all.iter().map(one).collect::<Vec<_>>().join(", ")
        };
        let (inputs, outputs) = (shown(&self.shared.inputs), shown(&self.shared.outputs));
        format!("<weft.Program {} ({inputs}) -> ({outputs})>", self.made.name)
    }
}
