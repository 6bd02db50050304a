//! How values look: tensors in NumPy's manner, numbers as their shortest round trip.

use weft_scalar::Scalar;
use weft_tensor::Array;

/// A format of an interpolated value, as in Python.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Format {
    /// What fills the field.
    pub fill: Option<char>,
    /// Where the text stands in the field.
    pub align: Option<Align>,
    /// Whether positive numbers carry a sign.
    pub plus: bool,
    /// Whether numbers are filled with zeros behind the sign.
    pub zero: bool,
    /// The least width.
    pub width: Option<usize>,
    /// Digits after the point.
    pub precision: Option<usize>,
    /// How a number is shown.
    pub kind: Option<FormatKind>,
}

/// Where a text stands in its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// `<`
    Left,
    /// `^`
    Center,
    /// `>`
    Right,
}

/// How a number is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatKind {
    /// `e`
    Exponent,
    /// `d`
    Decimal,
    /// `x`
    Hex,
    /// `f`
    Fixed,
}

/// A number by itself: the shortest text that reads back as the same value.
pub fn scalar_text(v: Scalar) -> String {
    match v {
        Scalar::Bool(b) => b.to_string(),
        Scalar::I32(n) => n.to_string(),
        Scalar::I64(n) => n.to_string(),
        Scalar::F32(x) => float_text(f64::from(x), format!("{x:?}")),
        Scalar::F64(x) => float_text(x, format!("{x:?}")),
    }
}

fn float_text(x: f64, shortest: String) -> String {
    if x.is_nan() {
        return "nan".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf".into() } else { "-inf".into() };
    }
    shortest
}

/// An array as `print` shows it.
pub fn array_text(a: &Array) -> String {
    if a.shape().is_empty() {
        return scalar_text(a.get(0));
    }
    let all: Vec<String> = (0..a.len()).map(|k| scalar_text(a.get(k))).collect();
    nested(&all, a.shape(), 1)
}

fn nested(cells: &[String], shape: &[usize], depth: usize) -> String {
    let Some((&n, rest)) = shape.split_first() else { return cells[0].clone() };
    let stride: usize = rest.iter().product();
    let parts: Vec<String> =
        (0..n).map(|k| nested(&cells[k * stride..(k + 1) * stride], rest, depth + 1)).collect();
    let separator = if rest.is_empty() {
        " ".to_string()
    } else {
        format!("{}{}", "\n".repeat(rest.len()), " ".repeat(depth))
    };
    format!("[{}]", parts.join(&separator))
}

/// A tuple of members that are text already.
pub fn tuple_text(members: &[String]) -> String {
    match members {
        [one] => format!("({one},)"),
        _ => format!("({})", members.join(", ")),
    }
}

/// A number, or each element of an array, in a format.
pub fn formatted(a: &Array, f: &Format) -> String {
    let cells: Vec<String> = (0..a.len()).map(|k| f.number(a.get(k))).collect();
    nested(&cells, a.shape(), 1)
}

impl Format {
    fn number(&self, v: Scalar) -> String {
        let body = match (self.kind, self.precision, v) {
            (Some(FormatKind::Hex), _, v) => {
                v.as_i64().map_or_else(|| scalar_text(v), |n| format!("{n:x}"))
            }
            (Some(FormatKind::Exponent), p, v) => exponent(float(v), p.unwrap_or(6)),
            (Some(FormatKind::Fixed), p, v) => format!("{:.*}", p.unwrap_or(6), float(v)),
            (None, Some(p), v @ (Scalar::F32(_) | Scalar::F64(_))) => {
                format!("{:.*}", p, float(v))
            }
            (_, _, v) => scalar_text(v),
        };
        let signed = if self.plus && !body.starts_with('-') { format!("+{body}") } else { body };
        self.pad_with(&signed, Align::Right)
    }

    /// A text in the format's field.
    pub fn pad(&self, text: &str) -> String {
        self.pad_with(text, Align::Left)
    }

    fn pad_with(&self, text: &str, default: Align) -> String {
        let missing = self.width.unwrap_or(0).saturating_sub(text.chars().count());
        if self.zero && self.align.is_none() {
            let at = usize::from(text.starts_with(['-', '+']));
            return format!("{}{}{}", &text[..at], "0".repeat(missing), &text[at..]);
        }
        let fill = |n: usize| self.fill.unwrap_or(' ').to_string().repeat(n);
        match self.align.unwrap_or(default) {
            Align::Left => format!("{text}{}", fill(missing)),
            Align::Right => format!("{}{text}", fill(missing)),
            Align::Center => {
                format!("{}{text}{}", fill(missing / 2), fill(missing - missing / 2))
            }
        }
    }
}

fn float(v: Scalar) -> f64 {
    match v {
        Scalar::F32(x) => f64::from(x),
        Scalar::F64(x) => x,
        other => other.as_i64().unwrap_or(0) as f64,
    }
}

/// As Python writes it: a sign and at least two digits of exponent.
fn exponent(x: f64, precision: usize) -> String {
    let text = format!("{x:.precision$e}");
    match text.split_once('e') {
        Some((mantissa, e)) => {
            let (sign, digits) = e.strip_prefix('-').map_or(('+', e), |d| ('-', d));
            format!("{mantissa}e{sign}{digits:0>2}")
        }
        None => text,
    }
}
