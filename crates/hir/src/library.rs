//! What the library's sources cannot say themselves: the functions and constants that
//! operators stand behind. They make up `std::intrinsics`, which the sources re-export.

use weft_scalar::{BinaryOp, FileOp, TextOp, UnaryOp};

/// Something the library offers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LibraryItem {
    /// A function of one number.
    Unary(UnaryOp),
    /// A function of two numbers.
    Binary(BinaryOp),
    /// A constant, which behaves as a literal: the bits of an `f64`, so that NaN is itself.
    Constant(u64),
    /// `x * x`.
    Square,
    /// The code of a character.
    Ord,
    /// A function of texts.
    Text(TextOp),
    /// A function of files.
    File(FileOp),
}

const CONSTANTS: [(&str, f64); 13] = [
    ("pi", std::f64::consts::PI),
    ("e", std::f64::consts::E),
    ("tau", std::f64::consts::TAU),
    ("phi", 1.618_033_988_749_895),
    ("sqrt2", std::f64::consts::SQRT_2),
    ("sqrt3", 1.732_050_807_568_877_2),
    ("ln2", std::f64::consts::LN_2),
    ("ln10", std::f64::consts::LN_10),
    ("log2e", std::f64::consts::LOG2_E),
    ("log10e", std::f64::consts::LOG10_E),
    ("infinity", f64::INFINITY),
    ("nan", f64::NAN),
    ("epsilon", f64::EPSILON),
];

/// An item of `std::intrinsics` by its name.
pub fn intrinsic(name: &str) -> Option<LibraryItem> {
    let constant = CONSTANTS.iter().find(|(n, _)| *n == name);
    match name {
        "not" => None,
        "ln" => Some(LibraryItem::Unary(UnaryOp::Log)),
        "pow" => Some(LibraryItem::Binary(BinaryOp::Pow)),
        "fmod" => Some(LibraryItem::Binary(BinaryOp::Rem)),
        "atan2" => Some(LibraryItem::Binary(BinaryOp::Atan2)),
        "min" => Some(LibraryItem::Binary(BinaryOp::Min)),
        "max" => Some(LibraryItem::Binary(BinaryOp::Max)),
        "square" => Some(LibraryItem::Square),
        "ord" => Some(LibraryItem::Ord),
        _ => UnaryOp::from_name(name)
            .map(LibraryItem::Unary)
            .or(bitwise(name).map(LibraryItem::Binary))
            .or(TextOp::from_name(name).map(LibraryItem::Text))
            .or(FileOp::from_name(name).map(LibraryItem::File))
            .or(constant.map(|c| LibraryItem::Constant(c.1.to_bits()))),
    }
}

/// An operator on the bits of two integers.
fn bitwise(name: &str) -> Option<BinaryOp> {
    BinaryOp::from_name(name).filter(|op| op.is_bitwise())
}

/// Every name of `std::intrinsics`.
pub fn intrinsic_names() -> Vec<&'static str> {
    let unary = UnaryOp::ALL.iter().filter(|op| **op != UnaryOp::Not).map(|op| op.name());
    let others = ["ln", "pow", "fmod", "atan2", "min", "max", "square", "ord"];
    let bits = BinaryOp::ALL.iter().filter(|op| op.is_bitwise()).map(|op| op.name());
    let texts = TextOp::ALL.iter().map(|op| op.name());
    let files = FileOp::ALL.iter().map(|op| op.name());
    unary
        .chain(others)
        .chain(bits)
        .chain(texts)
        .chain(files)
        .chain(CONSTANTS.iter().map(|(n, _)| *n))
        .collect()
}
