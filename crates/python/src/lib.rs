//! The extension module `weft._weft`: programs, arrays and errors of the facade as Python sees
//! them. What needs no machine (decorators, derivatives as values, exceptions) is Python, in the
//! package beside this crate.
//!
//! Computing goes on without the interpreter's lock. Nobody waits for a program while holding it
//! ([`shared`]), so that an array may be let go of on any thread.

mod array;
mod buffer;
mod calls;
mod declared;
mod dlpack;
mod errors;
mod given;
mod numbers;
mod outputs;
mod program;
mod shared;
mod signals;
mod signatures;
mod values;

use pyo3::prelude::*;
use weft_stubs as _;

/// The compiled half of the package `weft`.
#[pymodule(gil_used = true)]
fn _weft(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add_class::<array::Array>()?;
    m.add_class::<declared::Declared>()?;
    m.add_class::<outputs::Outputs>()?;
    m.add_class::<program::Program>()?;
    m.add_function(wrap_pyfunction!(program::compile, m)?)?;
    m.add_function(wrap_pyfunction!(given::kind, m)?)?;
    m.add_function(wrap_pyfunction!(program::page, m)?)?;
    m.add_function(wrap_pyfunction!(signatures::signatures, m)?)
}
