//! The words of the text form for how a value is shown in a string.

use weft_syntax::ast::{Align, FormatKind};

/// Sides of a field.
pub(crate) const ALIGNS: [(&str, Align); 3] =
    [("left", Align::Left), ("center", Align::Center), ("right", Align::Right)];

/// Notations of numbers.
pub(crate) const FORMAT_KINDS: [(&str, FormatKind); 5] = [
    ("exponent", FormatKind::Exponent),
    ("decimal", FormatKind::Decimal),
    ("hex", FormatKind::Hex),
    ("fixed", FormatKind::Fixed),
    ("percent", FormatKind::Percent),
];

/// The word for a value.
pub(crate) fn word_of<T: Copy + PartialEq>(
    words: &[(&'static str, T)],
    value: T,
) -> Option<&'static str> {
    words.iter().find(|(_, v)| *v == value).map(|(word, _)| *word)
}
