//! What the caller gives: files and literals, held against the declared inputs.

mod literal;
mod replaced;

use crate::npy;
use crate::session::Staged;
use literal::literal;
pub(crate) use replaced::replace_lets;
use replaced::unknown_among;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use weft_base::{FileId, Name, SourceMap, Span};
use weft_diag::{Code, Diagnostic};
use weft_host::{Input, InputTarget, RunError};
use weft_scalar::{Scalar, ScalarType};
use weft_tensor::Array;
use weft_tensor::eval::Binding;

/// A value given by name.
#[derive(Debug, Clone)]
pub enum Given {
    /// A literal, as it would be written in the language.
    Literal(String),
    /// An array in a `.npy` file.
    File(PathBuf),
    /// An array in memory.
    Array(Arc<Array>),
}

/// The binding of a program's inputs, or the first thing that is wrong with them.
pub(crate) fn bind_inputs(
    sources: &SourceMap,
    program: &Staged,
    given: &BTreeMap<String, Given>,
) -> Result<Binding, RunError> {
    let needed = |i: &&Input| i.default.is_none() && !given.contains_key(i.name.as_str());
    match program.host.inputs.iter().find(needed) {
        Some(input) => {
            unknown_names(program, given)?;
            Err(missing(input).into())
        }
        None => bind_known(sources, program, given),
    }
}

/// As [`bind_inputs`], of what is given; other inputs may be missing.
pub(crate) fn bind_known(
    sources: &SourceMap,
    program: &Staged,
    given: &BTreeMap<String, Given>,
) -> Result<Binding, RunError> {
    let mut binding = Binding::default();
    unknown_names(program, given)?;
    let mut extents: Vec<(weft_shape::Param, i64, Name, Span)> = Vec::new();
    for input in &program.host.inputs {
        let Some(given) = given.get(input.name.as_str()) else {
            continue;
        };
        let array = match given {
            Given::Array(a) => a.clone(),
            Given::File(path) => Arc::new(read_npy(path, input)?),
            Given::Literal(text) => {
                let file = source_of(sources, &format!("--input {}", input.name), text);
                Arc::new(literal(file, text, input)?)
            }
        };
        if let (Given::Array(_), InputTarget::Tensor(t)) = (given, input.target) {
            binding.lent.insert(t);
        }
        accept(&mut binding, &mut extents, input, array)
            .map_err(|e| with_conversion(e, input, given))?;
    }
    check_extents(&binding, program)?;
    Ok(binding)
}

/// Names that were there when the program was checked are judged by then.
fn unknown_names(program: &Staged, given: &BTreeMap<String, Given>) -> Result<(), RunError> {
    let inputs = &program.host.inputs;
    let known = |name: &str| {
        inputs.iter().any(|i| i.name.as_str() == name) || program.replaced.contains(name)
    };
    match given.keys().find(|name| !known(name)) {
        None => Ok(()),
        Some(name) => {
            let inputs: Vec<String> = inputs.iter().map(|i| format!("`{}`", i.name)).collect();
            Err(unknown_among(name, &inputs).into())
        }
    }
}

fn missing(input: &Input) -> Diagnostic {
    Diagnostic::error(Code::E1102, format!("no value for the input `{}`", input.name))
        .primary(input.span, "declared here, without a default")
        .help(format!("give one: `--input {}=FILE.npy`, or a literal", input.name))
}

fn wrong(input: &Input, found: &str) -> Diagnostic {
    let dims = input.shape.len();
    let wanted = match dims {
        0 => format!("a number of type {}", input.elem),
        n => format!("{} in {n} ax{}s", input.elem, if n == 1 { "i" } else { "e" }),
    };
    Diagnostic::error(Code::E1103, format!("input `{}` takes {wanted}, found {found}", input.name))
        .primary(input.span, "declared here")
}

/// What is done about a file of another type.
fn with_conversion(e: RunError, input: &Input, given: &Given) -> RunError {
    match (e, given) {
        (RunError::Diagnostic(d), Given::File(path)) if d.code == Code::E1103 => {
            let Ok((found, rank)) = npy::kind(path) else { return RunError::Diagnostic(d) };
            if found == input.elem || rank != input.shape.len() {
                return RunError::Diagnostic(d);
            }
            let d = match numpy_type(input.elem) {
                Some(ty) => d.help(format!(
                    "convert it where it is written: `{}.astype(numpy.{ty})`",
                    input.name
                )),
                None => *d,
            };
            RunError::from(
                d.help(format!("or declare what it holds: `{found}` for `{}`", input.elem)),
            )
        }
        (e, _) => e,
    }
}

/// An element type as NumPy calls it, if it has it.
fn numpy_type(ty: ScalarType) -> Option<&'static str> {
    Some(match ty.name() {
        "bool" => "bool",
        "f16" => "float16",
        "f32" => "float32",
        "f64" => "float64",
        "i8" => "int8",
        "i16" => "int16",
        "i32" => "int32",
        "i64" => "int64",
        "u8" => "uint8",
        "u16" => "uint16",
        "u32" => "uint32",
        "u64" => "uint64",
        _ => return None,
    })
}

fn accept(
    binding: &mut Binding,
    extents: &mut Vec<(weft_shape::Param, i64, Name, Span)>,
    input: &Input,
    array: Arc<Array>,
) -> Result<(), RunError> {
    if array.elem() != input.elem || array.shape().len() != input.shape.len() {
        let found = match array.shape().len() {
            0 => format!("a number of type {}", array.elem()),
            n => format!("{} in {n} ax{}s", array.elem(), if n == 1 { "i" } else { "e" }),
        };
        return Err(wrong(input, &found).into());
    }
    match input.target {
        InputTarget::Param(p) => {
            // What may be a size has 64 bits and a sign.
            let n = match array.get(0) {
                Scalar::U64(n) => i64::try_from(n).ok(),
                n => n.as_i64(),
            };
            let most = || format!("{}: at most {} is taken", array.get(0).number_text(), i64::MAX);
            let n = n.ok_or_else(|| wrong(input, &most()))?;
            binding.params.insert(p, n);
        }
        InputTarget::Tensor(t) => {
            for (size, &extent) in input.shape.iter().zip(array.shape()) {
                let Some(p) = size.as_param() else { continue };
                let extent = extent as i64;
                match extents.iter().find(|(q, ..)| *q == p) {
                    Some((_, first, other, span)) if *first != extent => {
                        let d = Diagnostic::error(
                            Code::E1104,
                            format!(
                                "inputs disagree: the extent is {first} in `{other}` but {extent} in `{}`",
                                input.name
                            ),
                        )
                        .primary(input.span, format!("given with extent {extent}"))
                        .secondary(*span, format!("given with extent {first}"));
                        return Err(d.into());
                    }
                    Some(_) => {}
                    None => {
                        extents.push((p, extent, input.name.clone(), input.span));
                        binding.params.insert(p, extent);
                    }
                }
            }
            binding.inputs.insert(t, array);
        }
    }
    Ok(())
}

/// Extents that are stated as numbers or expressions must be those of the arrays.
fn check_extents(binding: &Binding, program: &Staged) -> Result<(), RunError> {
    let graph = &program.host.graph;
    for input in &program.host.inputs {
        let InputTarget::Tensor(t) = input.target else { continue };
        let Some(array) = binding.inputs.get(&t) else { continue };
        for (axis, (size, &found)) in input.shape.iter().zip(array.shape()).enumerate() {
            let value = |p| graph.param_value(&binding.params, p);
            if let Some(stated) = size.eval(&value)
                && stated != found as i64
            {
                let d = Diagnostic::error(
                    Code::E1104,
                    format!(
                        "input `{}` has extent {found} on axis {axis}, not {stated}",
                        input.name
                    ),
                )
                .primary(input.span, format!("declared with extent {stated}"));
                return Err(d.into());
            }
        }
    }
    Ok(())
}

/// A text by its name; each run of a session that gives it means the same one.
fn source_of(sources: &SourceMap, name: &str, text: &str) -> FileId {
    let same = |id: &FileId| {
        let file = sources.file(*id);
        file.name == name && &*file.text == text
    };
    sources.ids().find(same).unwrap_or_else(|| sources.add(name, text))
}

fn unreadable(path: &Path, span: Span, name: &str, why: &str) -> Diagnostic {
    Diagnostic::error(Code::E1105, format!("cannot read `{}`: {why}", path.display()))
        .primary(span, format!("for the input `{name}`"))
}

fn read_npy(path: &Path, input: &Input) -> Result<Array, RunError> {
    npy::read(path).map_err(|why| unreadable(path, input.span, input.name.as_str(), &why).into())
}
