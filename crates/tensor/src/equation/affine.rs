//! Affine terms as text.

use weft_domain::{Affine, Dim, Iter};
use weft_shape::Size;

/// An affine term with iterators and sizes written by name.
pub fn affine_text(
    a: &Affine,
    iter: &dyn Fn(Iter) -> String,
    size: &dyn Fn(&Size) -> String,
) -> String {
    let inner = |x: &Affine| {
        let text = affine_text(x, iter, size);
        if x.as_iter().is_some() { text } else { format!("({text})") }
    };
    let divisor = |s: &Size| {
        let text = size(s);
        if s.as_constant().is_some() || s.as_param().is_some() { text } else { format!("({text})") }
    };
    let mut text = String::new();
    for (d, c) in a.terms() {
        let sign = match (text.is_empty(), *c < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        text.push_str(sign);
        if c.unsigned_abs() != 1 {
            text.push_str(&format!("{} * ", c.unsigned_abs()));
        }
        match d {
            Dim::Iter(i) => text.push_str(&iter(*i)),
            Dim::Div(x, s) => text.push_str(&format!("{} / {}", inner(x), divisor(s))),
            Dim::Mod(x, s) => text.push_str(&format!("{} % {}", inner(x), divisor(s))),
        }
    }
    let offset = size(a.offset());
    match (text.is_empty(), offset.strip_prefix('-')) {
        (true, _) => offset,
        (false, _) if offset == "0" => text,
        (false, Some(rest)) => format!("{text} - {rest}"),
        (false, None) => format!("{text} + {offset}"),
    }
}
