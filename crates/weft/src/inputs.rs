//! What the caller gives: files and literals, held against the declared inputs.

use crate::session::{Checked, Options, Session};
use std::path::PathBuf;
use std::sync::Arc;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_host::{Input, InputTarget, RunError};
use weft_scalar::{Scalar, ScalarType, eval};
use weft_tensor::eval::Binding;
use weft_tensor::{Array, Data};

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
    session: &mut Session,
    program: &Checked,
    options: &Options,
) -> Result<Binding, RunError> {
    let mut binding = Binding::default();
    unknown_names(program, options)?;
    let mut extents: Vec<(weft_shape::Param, i64, Name, Span)> = Vec::new();
    for input in &program.host.inputs {
        let Some(given) = options.given.get(input.name.as_str()) else {
            if input.default.is_none() {
                return Err(missing(input).into());
            }
            continue;
        };
        let array = match given {
            Given::Array(a) => a.clone(),
            Given::File(path) => Arc::new(read_npy(path, input)?),
            Given::Literal(text) => Arc::new(literal(session, text, input)?),
        };
        accept(&mut binding, &mut extents, input, array)?;
    }
    check_extents(&binding, program)?;
    Ok(binding)
}

fn unknown_names(program: &Checked, options: &Options) -> Result<(), RunError> {
    for name in options.given.keys() {
        let input = program.host.inputs.iter().any(|i| i.name.as_str() == name);
        let binding = program.host.outputs.iter().any(|(n, _)| n.as_str() == name);
        if !input && !binding {
            let names: Vec<String> =
                program.host.inputs.iter().map(|i| format!("`{}`", i.name)).collect();
            let d = Diagnostic::error(Code::E1101, format!("unknown input `{name}`"));
            let d = if names.is_empty() {
                d.note("the program declares no inputs")
            } else {
                d.note(format!("the inputs are {}", names.join(", ")))
            };
            return Err(d.into());
        }
    }
    Ok(())
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
            let n = array.get(0).as_i64().expect("an integer, as checked above");
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
fn check_extents(binding: &Binding, program: &Checked) -> Result<(), RunError> {
    let graph = &program.host.graph;
    for input in &program.host.inputs {
        let InputTarget::Tensor(t) = input.target else { continue };
        let Some(array) = binding.inputs.get(&t) else { continue };
        for (axis, (size, &found)) in input.shape.iter().zip(array.shape()).enumerate() {
            let value = |p| binding.params.get(&p).copied().or(graph.params[p].default);
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

fn unreadable(path: &std::path::Path, input: &Input, why: &str) -> RunError {
    Diagnostic::error(Code::E1105, format!("cannot read `{}`: {why}", path.display()))
        .primary(input.span, format!("for the input `{}`", input.name))
        .into()
}

fn read_npy(path: &std::path::Path, input: &Input) -> Result<Array, RunError> {
    let fail = |why: String| unreadable(path, input, &why);
    let file = std::fs::File::open(path).map_err(|e| fail(io_reason(&e)))?;
    crate::outputs::read_array(std::io::BufReader::new(file)).map_err(fail)
}

fn io_reason(e: &std::io::Error) -> String {
    match e.kind() {
        std::io::ErrorKind::NotFound => "no such file".into(),
        std::io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => e.to_string(),
    }
}

/// A literal as the input's type.
fn literal(session: &mut Session, text: &str, input: &Input) -> Result<Array, RunError> {
    let file = session.sources.add(format!("--input {}", input.name), text);
    let parsed = weft_syntax::parse(file, text);
    if let Some(d) = parsed.diagnostics().iter().find(|d| d.is_error()) {
        return Err(d.clone().into());
    }
    let program = parsed.program();
    let (checked, diagnostics) = weft_sema::check(
        program,
        &session.sources,
        &weft_sema::Overrides::new(),
        &weft_sema::NoModules,
    );
    if let Some(d) = diagnostics.iter().find(|d| d.is_error()) {
        return Err(d.clone().into());
    }
    let not_literal = || RunError::from(wrong(input, &format!("`{text}`")));
    let tail =
        checked.main.and_then(|m| checked.bodies[m].block.tail.clone()).ok_or_else(not_literal)?;
    let raw = program.tail.as_ref().ok_or_else(not_literal)?;
    let shape: Option<Vec<usize>> = tail
        .ty
        .shape()
        .and_then(|s| s.iter().map(|n| usize::try_from(n.as_constant()?).ok()).collect());
    let mut cells = Vec::new();
    literal_cells(raw, input.elem, &mut cells).ok_or_else(not_literal)?;
    let array = shape.and_then(|s| Array::new(s, Data::from_scalars(input.elem, &cells)));
    array.ok_or_else(not_literal)
}

/// The numbers of a literal, each in the declared type; `None` where one does not fit.
fn literal_cells(
    e: &weft_syntax::ast::Expr,
    elem: ScalarType,
    out: &mut Vec<Scalar>,
) -> Option<()> {
    use weft_syntax::ast::{ExprKind, UnaryOp};
    match &e.kind {
        ExprKind::Array(members) => members.iter().try_for_each(|m| literal_cells(m, elem, out)),
        ExprKind::Bool(b) if elem == ScalarType::Bool => {
            out.push(Scalar::Bool(*b));
            Some(())
        }
        ExprKind::Number(n) => {
            out.push(number(n, elem, 1)?);
            Some(())
        }
        ExprKind::Unary { op: UnaryOp::Neg, operand, .. } => match &operand.kind {
            ExprKind::Number(n) => {
                out.push(number(n, elem, -1)?);
                Some(())
            }
            _ => None,
        },
        _ => None,
    }
}

fn number(n: &weft_syntax::ast::Number, elem: ScalarType, sign: i64) -> Option<Scalar> {
    use weft_syntax::ast::NumberValue;
    match n.value {
        NumberValue::Int(v) => {
            let v = i64::try_from(v).ok()?.checked_mul(sign)?;
            match elem {
                ScalarType::Bool => None,
                ty if ty.is_int() => Scalar::exactly(ty, v),
                ty => Some(eval::cast(Scalar::I64(v), ty)),
            }
        }
        NumberValue::Float(v) if elem.is_float() => {
            Some(eval::cast(Scalar::F64(v * sign as f64), elem))
        }
        NumberValue::Float(_) => None,
    }
}
