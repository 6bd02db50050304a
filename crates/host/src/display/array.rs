//! Tensors as text, as NumPy 2 prints them: columns aligned, lines of at most 75
//! characters, beyond 1,000 items only the corners.

use super::digits::{Digits, non_finite};
use weft_scalar::{Scalar, ScalarType};
use weft_tensor::Array;

/// Larger arrays show their corners only.
pub(crate) const MOST_ITEMS: usize = 1000;
/// How many items a corner has along an axis.
pub(crate) const EDGE_ITEMS: usize = 3;
/// Columns of a line.
const LINE_WIDTH: usize = 75;
/// Digits behind the point.
const PRECISION: usize = 8;

/// An array as `print` shows it; a scalar by itself.
pub fn array_text(a: &Array) -> String {
    if a.shape().is_empty() {
        return super::scalar_text(a.get(0));
    }
    laid_out(a, &|cells| columns(a.elem(), cells))
}

/// An array whose shown items (in order) become words by `words`.
pub(super) fn laid_out(a: &Array, words: &dyn Fn(&[Scalar]) -> Vec<String>) -> String {
    if a.is_empty() {
        return "[]".into();
    }
    let summary = a.len() > MOST_ITEMS;
    let mut cells = Vec::new();
    shown(a, summary, 0, 0, &mut cells);
    let words = words(&cells);
    let mut layout = Layout { shape: a.shape(), summary, words: words.iter() };
    layout.nested(0)
}

/// The items that are shown, row-major: all, or those of the corners.
fn shown(a: &Array, summary: bool, axis: usize, at: usize, out: &mut Vec<Scalar>) {
    let Some(&n) = a.shape().get(axis) else { return out.push(a.get(at)) };
    for k in 0..n {
        if summary && elided(n) && (EDGE_ITEMS..n - EDGE_ITEMS).contains(&k) {
            continue;
        }
        shown(a, summary, axis + 1, at * n + k, out);
    }
}

/// Whether an axis is longer than its corners.
pub(crate) fn elided(n: usize) -> bool {
    n > 2 * EDGE_ITEMS
}

struct Layout<'a> {
    shape: &'a [usize],
    summary: bool,
    words: std::slice::Iter<'a, String>,
}

impl Layout<'_> {
    /// The part below the indices of the first `axis` axes.
    fn nested(&mut self, axis: usize) -> String {
        if axis + 1 == self.shape.len() {
            return self.row(axis);
        }
        let gap = "\n".repeat(self.shape.len() - axis - 1) + &" ".repeat(axis + 1);
        let parts = self.items(axis, |layout| layout.nested(axis + 1));
        format!("[{}]", parts.join(&gap))
    }

    fn row(&mut self, axis: usize) -> String {
        let items = self.items(axis, |layout| {
            layout.words.next().expect("as many words as shown items").clone()
        });
        // Room for the brackets that close, and one column for the last item's.
        wrapped(&items, axis + 1, LINE_WIDTH - (axis + 1).min(LINE_WIDTH))
    }

    /// The shown items along an axis, with an ellipsis for the others.
    fn items(&mut self, axis: usize, mut item: impl FnMut(&mut Self) -> String) -> Vec<String> {
        let n = self.shape[axis];
        if !(self.summary && elided(n)) {
            return (0..n).map(|_| item(self)).collect();
        }
        let mut items: Vec<String> = (0..EDGE_ITEMS).map(|_| item(self)).collect();
        items.push("...".into());
        items.extend((0..EDGE_ITEMS).map(|_| item(self)));
        items
    }
}

/// A row in brackets; lines after the first are indented.
fn wrapped(words: &[String], indent: usize, width: usize) -> String {
    let indent = " ".repeat(indent);
    let mut out = String::new();
    let mut line = indent.clone();
    for (at, word) in words.iter().enumerate() {
        // A break that gives no more room is none.
        if line.len() + word.len() > width && line.len() > indent.len() {
            out.push_str(line.trim_end());
            out.push('\n');
            line.clone_from(&indent);
        }
        line.push_str(word);
        if at + 1 < words.len() {
            line.push(' ');
        }
    }
    out.push_str(&line);
    format!("[{}]", &out[indent.len()..])
}

/// The words of items of one type, all of one width.
fn columns(elem: ScalarType, cells: &[Scalar]) -> Vec<String> {
    match elem {
        ScalarType::Bool => {
            cells.iter().map(|v| format!("{:>5}", super::scalar_text(*v))).collect()
        }
        _ if elem.is_float() => floats(cells),
        _ => right_aligned(cells.iter().map(|v| super::scalar_text(*v))),
    }
}

/// Words filled with blanks on the left.
pub(super) fn right_aligned(words: impl Iterator<Item = String>) -> Vec<String> {
    let words: Vec<String> = words.collect();
    let width = words.iter().map(|w| w.chars().count()).max().unwrap_or(0);
    words.into_iter().map(|w| format!("{w:>width$}")).collect()
}

fn floats(cells: &[Scalar]) -> Vec<String> {
    let finite = cells.iter().any(|v| Digits::shortest(*v).is_some());
    let texts = if !finite {
        cells.iter().map(|_| String::new()).collect()
    } else if needs_exponent(cells) {
        scientific(cells)
    } else {
        positional(cells)
    };
    let names = cells.iter().zip(texts).map(|(&v, text)| match text.is_empty() {
        true => non_finite(super::float(v)).to_string(),
        false => text,
    });
    right_aligned(names)
}

/// Whether the spread of magnitudes asks for exponents.
fn needs_exponent(cells: &[Scalar]) -> bool {
    let f32s = cells.iter().all(|v| v.ty() != ScalarType::F64);
    let sizes = cells.iter().map(|v| super::float(*v).abs());
    let sizes: Vec<f64> = sizes.filter(|x| x.is_finite() && *x != 0.0).collect();
    let max = sizes.iter().copied().fold(0.0, f64::max);
    let min = sizes.iter().copied().fold(f64::INFINITY, f64::min);
    if sizes.is_empty() {
        return false;
    }
    if f32s {
        // In the precision of the numbers themselves.
        let (max, min) = (max as f32, min as f32);
        max >= 1e6 || min < 1e-4 || max / min > 1000.0
    } else {
        max >= 1e8 || min < 1e-4 || max / min > 1000.0
    }
}

/// Fixed-point texts padded behind the point to one width; empty where not finite.
fn positional(cells: &[Scalar]) -> Vec<String> {
    let texts: Vec<String> = cells
        .iter()
        .map(|v| Digits::with_places(*v, PRECISION).map_or(String::new(), |d| d.positional(0)))
        .collect();
    let places = |t: &String| t.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let most = texts.iter().map(places).max().unwrap_or(0);
    let padded = |t: String| {
        let missing = if t.is_empty() { 0 } else { most - places(&t) };
        t + &" ".repeat(missing)
    };
    texts.into_iter().map(padded).collect()
}

/// Texts with exponents, all with as many digits as the longest shortest one (the exact
/// value's digits, not zeros); empty where not finite.
fn scientific(cells: &[Scalar]) -> Vec<String> {
    let rounded = |v, places| Digits::with_mantissa(v, places);
    let shortest = cells.iter().filter_map(|v| {
        let digits = Digits::shortest(*v)?;
        if digits.places() <= PRECISION { Some(digits) } else { rounded(*v, PRECISION) }
    });
    let shortest: Vec<Digits> = shortest.collect();
    let places = shortest.iter().map(Digits::places).max().unwrap_or(0);
    let width = shortest.iter().map(Digits::exponent_width).max().unwrap_or(2);
    let text = |d: Option<Digits>| d.map_or(String::new(), |d| d.scientific(places, width));
    cells.iter().map(|v| text(rounded(*v, places))).collect()
}
