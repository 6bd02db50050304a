//! Programs: texts that were checked, and can be called.

use crate::declared::Declared;
use crate::errors::json;
use crate::given;
use crate::outputs::{Outputs, by_name};
use crate::shared::Shared;
use crate::signals::{Watch, until_done};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use weft::diag::Code;
use weft::{Compiler, Error, Modules, Semantics, Source};

/// A program. Called with its inputs, by name or in their order, it gives its outputs.
#[pyclass(frozen, module = "weft")]
pub(crate) struct Program {
    pub shared: Shared,
    made: Made,
    /// Outputs of runs that are the inputs of the next run, by the names of these.
    kept: Mutex<Named>,
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

/// The page of a code (`"E0501"`, `"uncovered-cells"`); None where there is no such code.
#[pyfunction]
pub(crate) fn page(code: &str) -> Option<String> {
    let code = Code::parse(code)?;
    Some(code.page().map_or_else(|| format!("# {code}: {}\n", code.title()), str::to_string))
}

impl Made {
    fn program(self, py: Python<'_>) -> PyResult<Program> {
        let program = self.with_compiler(py, |compiler, source| compiler.compile_source(source))?;
        let (shared, kept, extended) = (Shared::new(program), Mutex::default(), Mutex::default());
        Ok(Program { shared, made: self, kept, extended })
    }

    /// Does something with the text, which Ctrl-C interrupts.
    fn with_compiler<T: Send>(
        &self,
        py: Python<'_>,
        act: impl Fn(&Compiler, &Source) -> Result<T, Error> + Sync,
    ) -> PyResult<T> {
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
        let modules = Modules {
            root: self.root.clone(),
            entry,
            library: None,
            foreign: vec!["python".to_string()],
            overlays: overlays.collect(),
        };
        let source = Source::new(&self.name, &self.source).modules(modules);
        until_done(py, || {
            let watch = Watch::begin();
            let source = match watch.shared_flag() {
                Some(flag) => source.clone().interrupt(flag),
                None => source.clone(),
            };
            py.detach(|| act(&compiler, &source))
        })
    }
}

impl Program {
    /// The arrays of a call, by name.
    fn given(
        &self,
        args: &Bound<'_, PyTuple>,
        named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Named> {
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
        Outputs::admitted(slf, slf.get().given(args, named)?)
    }
}

/// Arrays by name.
pub(crate) type Named = Vec<(String, Arc<weft::Array>)>;

/// Which outputs a run keeps: by the inputs that they are for.
#[derive(FromPyObject)]
enum Keep {
    /// Outputs for inputs.
    For(BTreeMap<String, String>),
    /// Outputs that are called as the inputs are.
    Same(Vec<String>),
}

impl Keep {
    fn pairs(self) -> Vec<(String, String)> {
        match self {
            Keep::For(all) => all.into_iter().collect(),
            Keep::Same(all) => all.into_iter().map(|n| (n.clone(), n)).collect(),
        }
    }
}

impl Program {
    fn state(&self) -> MutexGuard<'_, Named> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The pairs of input and output that are to be kept, both of which there are.
    fn pairs(&self, keep: Option<Bound<'_, PyAny>>) -> PyResult<Vec<(String, String)>> {
        let Some(keep) = keep else { return Ok(Vec::new()) };
        let pairs = keep.extract::<Keep>()?.pairs();
        let Shared { inputs, outputs, .. } = &self.shared;
        for (input, output) in &pairs {
            let has = |all: &[weft::Declared], name: &String| {
                all.iter().any(|d| d.name == *name && d.tensor.is_some())
            };
            if !has(inputs, input) {
                return Err(PyKeyError::new_err(format!("the program has no input `{input}`")));
            }
            if !has(outputs, output) {
                return Err(PyKeyError::new_err(format!("the program has no tensor `{output}`")));
            }
        }
        Ok(pairs)
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

    /// As a call, and does now what the program does by itself: it prints and asserts, and shows
    /// its own value, as the command does.
    ///
    /// `keep={"h": "next_h"}` computes the output `next_h`, and keeps it where it is as the input
    /// `h` of further runs that are not given one; `keep=["h"]` does so for an output that is called
    /// as the input is. In a program with an input `keep` that is what the name means.
    #[pyo3(signature = (*args, keep=None, **inputs))]
    fn run<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        keep: Option<Bound<'py, PyAny>>,
        inputs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Outputs> {
        let (py, this) = (slf.py(), slf.get());
        let (mut given, keep) = match keep {
            Some(value)
                if let Some(input) = this.shared.inputs.iter().find(|i| i.name == "keep") =>
            {
                let given = this.given(args, inputs)?;
                let kept = ("keep".to_string(), given::array(input, &value)?);
                (given.into_iter().chain([kept]).collect(), None)
            }
            keep => (this.given(args, inputs)?, keep),
        };
        let pairs = this.pairs(keep)?;
        let missing = this
            .state()
            .iter()
            .filter(|(name, _)| given.iter().all(|(n, _)| n != name))
            .cloned()
            .collect::<Named>();
        given.extend(missing);
        let outputs = Outputs::admitted(slf, given)?;
        let names: Vec<String> = pairs.iter().map(|(_, output)| output.clone()).collect();
        outputs.run(py, &names)?;
        let mut next = Named::new();
        for (input, output) in pairs {
            next.push((input, outputs.tensor(py, &output)?));
        }
        let mut kept = this.state();
        let before = std::mem::take(&mut *kept);
        let stays = |(name, _): &&(String, _)| next.iter().all(|(n, _)| n != name);
        *kept = before.iter().filter(stays).cloned().chain(next.clone()).collect();
        drop(kept);
        // What was there before is let go of when nothing is held.
        drop(before);
        Ok(outputs)
    }

    /// What runs have kept, by the names of the inputs that it is for.
    #[getter]
    fn kept<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        by_name(py, &self.state().clone())
    }

    /// Lets go of what runs have kept.
    fn forget(&self) {
        let before = std::mem::take(&mut *self.state());
        drop(before);
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

    /// The equations of its definitions: index spaces, where sizes come from, what is stored and
    /// why. Of one definition, or of all.
    #[pyo3(signature = (name=None))]
    fn explain(&self, py: Python<'_>, name: Option<&str>) -> PyResult<String> {
        self.made.with_compiler(py, |compiler, source| compiler.explain(source, name))
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
