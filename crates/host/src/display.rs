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

/// An array as `print` shows it: aligned, and elided where it is large.
pub fn array_text(a: &Array) -> String {
    nested_text(a, &scalar_text)
}

/// More elements than these are not all shown.
const SHOWN_WHOLE: usize = 1000;
/// How many of a long axis are shown at either end of a large array.
const SHOWN_EDGE: usize = 3;

fn nested_text(a: &Array, text: &dyn Fn(Scalar) -> String) -> String {
    // Empty axes count as one: a million empty rows are long too.
    let size = a.shape().iter().fold(1usize, |p, &n| p.saturating_mul(n.max(1)));
    let edge = if size > SHOWN_WHOLE { SHOWN_EDGE } else { usize::MAX };
    let mut cells = Vec::new();
    shown_cells(a.shape(), 0, edge, &mut |k| cells.push(text(a.get(k))));
    if !a.shape().is_empty() {
        align(&mut cells);
    }
    nested(&mut cells.iter(), a.shape(), edge, 1)
}

/// The positions along an axis that are shown, `None` for those left out.
fn shown(n: usize, edge: usize) -> impl Iterator<Item = Option<usize>> {
    let whole = edge >= n.div_ceil(2);
    let (head, tail) = if whole { (n, n) } else { (edge, n - edge) };
    (0..head).map(Some).chain((!whole).then_some(None)).chain((tail..n).map(Some))
}

/// The offsets of the elements that are shown, in order.
fn shown_cells(shape: &[usize], offset: usize, edge: usize, see: &mut dyn FnMut(usize)) {
    let Some((&n, rest)) = shape.split_first() else { return see(offset) };
    let stride: usize = rest.iter().product();
    for k in shown(n, edge).flatten() {
        shown_cells(rest, offset + k * stride, edge, see);
    }
}

/// Pads numbers to one width: at their points where all have one, else at their ends.
fn align(cells: &mut [String]) {
    let exponents = cells.iter().any(|c| c.contains('e'));
    let fraction = |c: &str| c.find('.').map_or(0, |at| c.len() - at);
    let tail = cells.iter().map(|c| fraction(c)).max().unwrap_or(0);
    if !exponents {
        for c in cells.iter_mut().filter(|c| c.contains('.')) {
            *c += &" ".repeat(tail - fraction(c));
        }
    }
    let width = cells.iter().map(String::len).max().unwrap_or(0);
    for c in cells {
        *c = format!("{c:>width$}");
    }
}

fn nested(
    cells: &mut std::slice::Iter<'_, String>,
    shape: &[usize],
    edge: usize,
    depth: usize,
) -> String {
    let Some((&n, rest)) = shape.split_first() else {
        return cells.next().cloned().unwrap_or_default();
    };
    let parts: Vec<String> = shown(n, edge)
        .map(|k| k.map_or("...".into(), |_| nested(cells, rest, edge, depth + 1)))
        .collect();
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
    nested_text(a, &|v| f.number(v))
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

#[cfg(test)]
mod tests {
    use super::*;
    use weft_tensor::Data;

    fn ints(shape: &[usize]) -> Array {
        let n: usize = shape.iter().product();
        let cells: Vec<i32> = (0..n as i32).map(|k| k * k - 3).collect();
        Array::new(shape.to_vec(), Data::I32(cells)).expect("as many elements as the shape says")
    }

    #[test]
    fn integers_align_at_their_ends() {
        assert_eq!(array_text(&ints(&[2, 3])), "[[-3 -2  1]\n [ 6 13 22]]");
    }

    #[test]
    fn floats_align_at_their_points() {
        let data = Data::F64(vec![1.0, 10.25, f64::NAN, -0.5]);
        let a = Array::new(vec![4], data).expect("four elements");
        assert_eq!(array_text(&a), "[ 1.0  10.25   nan -0.5 ]");
    }

    #[test]
    fn exponents_align_at_their_ends() {
        let a = Array::new(vec![2], Data::F64(vec![1e-30, 2.5])).expect("two elements");
        assert_eq!(array_text(&a), "[1e-30   2.5]");
    }

    #[test]
    fn large_arrays_show_their_edges() {
        let text = array_text(&ints(&[1001]));
        assert_eq!(text, "[    -3     -2      1 ... 996001 997998 999997]");
        assert_eq!(array_text(&ints(&[300, 4])).lines().count(), 7);
        assert!(!array_text(&ints(&[1000])).contains("..."));
    }

    #[test]
    fn empty_arrays_are_brackets() {
        assert_eq!(array_text(&ints(&[0])), "[]");
        assert_eq!(array_text(&ints(&[2, 0])), "[[]\n []]");
    }
}
