//! Literals given for inputs: each number is read as the declared type.

use super::wrong;
use weft_base::{FileId, Span};
use weft_diag::{Code, Diagnostic};
use weft_host::{Input, RunError};
use weft_scalar::{Scalar, ScalarType};
use weft_syntax::ast::{Expr, ExprKind, Number, NumberValue, UnaryOp};
use weft_tensor::{Array, Data};

/// A literal as the input's type. Its rank is its own: what is declared is held against it
/// later, as against a file's.
pub(super) fn literal(file: FileId, text: &str, input: &Input) -> Result<Array, RunError> {
    let parsed = weft_syntax::parse(file, text);
    if let Some(d) = parsed.diagnostics().iter().find(|d| d.is_error()) {
        return Err(as_an_array(d.clone(), text).into());
    }
    let not_literal = || RunError::from(wrong(input, &format!("`{text}`")));
    let program = parsed.program();
    let value = program.tail.as_ref().filter(|_| program.stmts.is_empty());
    let mut cells = Cells { input, shape: Vec::new(), rank: None, numbers: Vec::new() };
    match cells.add(value.ok_or_else(not_literal)?, 0) {
        Ok(()) => {}
        Err(Refused::NoLiteral) => return Err(not_literal()),
        Err(Refused::Because(d)) => return Err((*d).into()),
    }
    let (shape, numbers) = (cells.whole_shape(), cells.numbers);
    Array::new(shape, Data::from_scalars(input.elem, &numbers)).ok_or_else(not_literal)
}

/// A fault in what is given, with the brackets around `1,2,3` where these are all that lacks.
pub(super) fn as_an_array(d: Diagnostic, text: &str) -> Diagnostic {
    let separated = |sign: char| {
        let parts: Vec<&str> = text.split(sign).map(str::trim).filter(|p| !p.is_empty()).collect();
        let numbers = parts.iter().all(|p| p.parse::<f64>().is_ok());
        (parts.len() > 1 && numbers).then(|| parts.join(", "))
    };
    match separated(',').or_else(|| separated(' ')) {
        Some(list) => d.help(format!("an array stands in brackets: `[{list}]`")),
        None => d,
    }
}

/// Why a text is no literal of a type.
enum Refused {
    /// It is something else.
    NoLiteral,
    /// It is one, with a fault.
    Because(Box<Diagnostic>),
}

/// The numbers of a literal in order, and how far each axis reaches.
struct Cells<'i> {
    input: &'i Input,
    shape: Vec<usize>,
    /// The axes around a number, once one was met.
    rank: Option<usize>,
    numbers: Vec<Scalar>,
}

impl Cells<'_> {
    /// Adds what stands inside `axis` brackets.
    fn add(&mut self, e: &Expr, axis: usize) -> Result<(), Refused> {
        if let ExprKind::Array(members) = &e.kind {
            match self.shape.get(axis) {
                Some(&extent) if extent != members.len() => return Err(self.ragged(e.span)),
                Some(_) => {}
                None => self.shape.push(members.len()),
            }
            if self.rank.is_some_and(|rank| rank <= axis) {
                return Err(self.ragged(e.span));
            }
            return members.iter().try_for_each(|m| self.add(m, axis + 1));
        }
        let number = self.number(e, "", e.span)?;
        if *self.rank.get_or_insert(axis) != axis || self.shape.len() != axis {
            return Err(self.ragged(e.span));
        }
        self.numbers.push(number);
        Ok(())
    }

    /// A number, with the sign that stands before it.
    fn number(&self, e: &Expr, sign: &str, whole: Span) -> Result<Scalar, Refused> {
        let elem = self.input.elem;
        let found = match &e.kind {
            ExprKind::Unary { op: UnaryOp::Neg, operand, .. } if sign.is_empty() => {
                return self.number(operand, "-", whole);
            }
            ExprKind::Bool(b) if elem == ScalarType::Bool && sign.is_empty() => {
                return Ok(Scalar::Bool(*b));
            }
            ExprKind::Number(n) => decimal(n, elem).map(|text| format!("{sign}{text}")),
            ExprKind::Path(path) if elem.is_float() => match path.as_name() {
                Some(name) => not_finite(name.as_str()).map(|name| format!("{sign}{name}")),
                None => None,
            },
            _ => None,
        };
        let text = found.ok_or(Refused::NoLiteral)?;
        let named = matches!(e.kind, ExprKind::Path(_));
        let fits = |v: &Scalar| named || v.as_f64().is_none_or(f64::is_finite);
        Scalar::parse(elem, &text).filter(fits).ok_or_else(|| self.does_not_fit(&text, whole))
    }

    /// The extents; of axes inside an empty one those declared, where they are numbers.
    fn whole_shape(&self) -> Vec<usize> {
        let mut shape = self.shape.clone();
        if self.rank.is_none() {
            let declared = self.input.shape.iter().skip(shape.len());
            let known = |n: i64| usize::try_from(n).unwrap_or(0);
            shape.extend(declared.map(|size| size.as_constant().map_or(0, known)));
        }
        shape
    }

    fn ragged(&self, span: Span) -> Refused {
        let name = &self.input.name;
        let d = Diagnostic::error(Code::E1103, format!("the value of `{name}` is no rectangle"))
            .primary(span, "this is not as long or as deep as what stands before it")
            .secondary(self.input.span, "declared here");
        Refused::Because(Box::new(d))
    }

    fn does_not_fit(&self, text: &str, span: Span) -> Refused {
        let ty = self.input.elem;
        let d = Diagnostic::error(Code::E0308, format!("`{text}` does not fit `{ty}`"))
            .primary(span, "given here")
            .secondary(self.input.span, format!("declared as `{ty}`"));
        Refused::Because(Box::new(d))
    }
}

/// The digits of a number that may stand for a type: no fraction for an integer.
fn decimal(n: &Number, elem: ScalarType) -> Option<String> {
    match n.value {
        _ if elem == ScalarType::Bool => None,
        NumberValue::Int(v) => Some(v.to_string()),
        NumberValue::Float(_) if elem.is_float() => Some(n.text.clone()),
        NumberValue::Float(_) => None,
    }
}

/// The floats that have names, as they are printed.
fn not_finite(name: &str) -> Option<&'static str> {
    match name {
        "inf" => Some("inf"),
        "nan" => Some("NaN"),
        _ => None,
    }
}
