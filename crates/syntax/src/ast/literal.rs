//! Numbers and strings.

use super::Expr;
use weft_base::Span;

/// A number as written, and what it stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// Without its `_`.
    pub text: String,
    /// Its value.
    pub value: NumberValue,
}

/// The value of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumberValue {
    /// Not negative; the sign is an operator.
    Int(i128),
    /// The nearest double; `Number::text` has the exact value.
    Float(f64),
}

/// A string with its interpolations.
#[derive(Clone, Debug, PartialEq)]
pub struct StrLit {
    /// In order; no two texts are neighbours.
    pub parts: Vec<StrPart>,
}

impl StrLit {
    /// The text where nothing is interpolated.
    pub fn as_text(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [StrPart { kind: StrPartKind::Text(text), .. }] => Some(text),
            _ => None,
        }
    }
}

/// A part of a string.
#[derive(Clone, Debug, PartialEq)]
pub struct StrPart {
    /// Where.
    pub span: Span,
    /// What it is.
    pub kind: StrPartKind,
}

/// What a part of a string is.
#[derive(Clone, Debug, PartialEq)]
pub enum StrPartKind {
    /// With its escapes replaced.
    Text(String),
    /// `{value:spec}`.
    Value {
        /// What is shown.
        value: Box<Expr>,
        /// How, where written.
        spec: Option<FormatSpec>,
    },
}

/// `{:*>+08,.3f}` as Python reads it: `[[fill]align][+][0][width][,][.precision][kind]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatSpec {
    /// With its colon.
    pub span: Span,
    /// What pads; a space where left out.
    pub fill: Option<char>,
    /// On which side the padding goes.
    pub align: Option<Align>,
    /// `+`: a sign also on positive numbers.
    pub plus: bool,
    /// `0`: pads with zeros between sign and digits.
    pub zero: bool,
    /// Least number of characters.
    pub width: Option<u32>,
    /// `,`: between each three digits before the point.
    pub grouped: bool,
    /// Digits after the point.
    pub precision: Option<u32>,
    /// The notation.
    pub kind: Option<FormatKind>,
}

/// Where the text stands in its field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Align {
    /// `<`.
    Left,
    /// `^`.
    Center,
    /// `>`.
    Right,
}

/// How a number is shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FormatKind {
    /// `e`: with an exponent.
    Exponent,
    /// `d`: decimal integer.
    Decimal,
    /// `x`: hexadecimal integer.
    Hex,
    /// `f`: fixed number of digits after the point.
    Fixed,
    /// `%`: as `f` of a hundred times the number, and the sign behind it.
    Percent,
}
