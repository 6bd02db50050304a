//! How values look: tensors in NumPy's manner, numbers as their shortest round trip.

pub(crate) mod array;
mod digits;

pub use array::array_text;
use digits::{Digits, non_finite};
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
    /// Whether a comma stands between each three digits before the point.
    pub grouped: bool,
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
    /// `%`
    Percent,
}

/// A number by itself: the shortest text that reads back as the same value.
///
/// Floats are written as Python writes them: `0.1`, `1e-07`, `1e+16`, `nan`, `-inf`.
pub fn scalar_text(v: Scalar) -> String {
    match v {
        Scalar::Bool(b) => b.to_string(),
        _ if v.ty().is_float() => float_text(v),
        _ => v.number_text(),
    }
}

/// Decimal exponents from here on are written as such.
const LEAST_EXPONENT: i32 = 16;

fn float_text(v: Scalar) -> String {
    let Some(digits) = Digits::shortest(v) else { return non_finite(float(v)).into() };
    if (-4..LEAST_EXPONENT).contains(&digits.exponent) {
        digits.positional(1)
    } else {
        digits.scientific(0, 2).replace(".e", "e")
    }
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
    if a.shape().is_empty() {
        return f.number(a.get(0));
    }
    array::laid_out(a, &|cells| array::right_aligned(cells.iter().map(|&v| f.number(v))))
}

impl Format {
    fn number(&self, v: Scalar) -> String {
        let body = match (self.kind, self.precision, v) {
            (Some(FormatKind::Percent), p, v) => percent(float(v), p.unwrap_or(6)),
            (_, _, v) if v.ty().is_float() && !float(v).is_finite() => non_finite(float(v)).into(),
            (Some(FormatKind::Hex), _, v) => hexadecimal(v),
            (Some(FormatKind::Exponent), p, v) => exponent(float(v), p.unwrap_or(6)),
            (Some(FormatKind::Fixed), p, v) => format!("{:.*}", p.unwrap_or(6), float(v)),
            (None, Some(p), v) if v.ty().is_float() => general(float(v), p),
            (_, _, v) => scalar_text(v),
        };
        let signed = if self.plus && !body.starts_with('-') { format!("+{body}") } else { body };
        match self.grouped {
            true => self.pad_with(&self.in_groups(&signed), Align::Right),
            false => self.pad_with(&signed, Align::Right),
        }
    }

    /// With a comma between each three digits before the point; where zeros fill the field
    /// they are digits too.
    fn in_groups(&self, text: &str) -> String {
        let start = usize::from(text.starts_with(['-', '+']));
        let (sign, rest) = text.split_at(start);
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (digits, behind) = rest.split_at(length);
        if digits.is_empty() {
            return text.to_string();
        }
        let zeros = self.zero && self.align.is_none();
        let others = sign.len() + behind.chars().count();
        let room = if zeros { self.width.unwrap_or(0).saturating_sub(others) } else { 0 };
        // The least count of digits that fills the room together with its commas.
        let count = digits.len().max((3 * room + 1).div_ceil(4));
        let padded = format!("{digits:0>count$}");
        format!("{sign}{}{behind}", grouped(&padded))
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

fn grouped(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A hundred times the number, as Python shows it.
fn percent(x: f64, precision: usize) -> String {
    match x.is_finite() {
        true => format!("{:.precision$}%", x * 100.0),
        false => format!("{}%", non_finite(x)),
    }
}

fn hexadecimal(v: Scalar) -> String {
    match v {
        Scalar::U64(n) => format!("{n:x}"),
        _ => v.as_i64().map_or_else(|| scalar_text(v), hex),
    }
}

/// The magnitude in base 16 behind the sign.
fn hex(n: i64) -> String {
    let sign = if n < 0 { "-" } else { "" };
    format!("{sign}{:x}", n.unsigned_abs())
}

fn float(v: Scalar) -> f64 {
    match v {
        Scalar::U64(n) => n as f64,
        _ => v.as_f64().unwrap_or_else(|| v.as_i64().unwrap_or(0) as f64),
    }
}

/// So many significant digits, with an exponent where the number is large or small for
/// them; always with a point.
fn general(x: f64, precision: usize) -> String {
    let precision = precision.max(1);
    let digits = Digits::with_mantissa(Scalar::F64(x), precision - 1).expect("it is finite");
    if (-4..precision as i32 - 1).contains(&digits.exponent) {
        digits.positional(1)
    } else {
        digits.scientific(0, 2).replace(".e", "e")
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
