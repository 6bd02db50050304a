//! The functions of a module, as their text declares them.

use pyo3::prelude::*;
use weft::Parameter;

/// A parameter: its name, its type as written, whether it has a default.
type Shown = (String, Option<String>, bool);

/// The functions at the top of a text: whether they are public, and their parameters.
#[pyfunction]
pub(crate) fn signatures(source: &str) -> Vec<(String, bool, Vec<Shown>)> {
    let one = |p: Parameter| (p.name, p.ty, p.default);
    let all = weft::functions(source).into_iter();
    all.map(|f| (f.name, f.public, f.parameters.into_iter().map(one).collect())).collect()
}
