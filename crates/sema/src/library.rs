//! The functions and constants of `std::math` that operators stand behind.

use weft_scalar::{BinaryOp, UnaryOp};

/// Something the library offers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LibraryItem {
    /// A function of one number.
    Unary(UnaryOp, Operands),
    /// A function of two numbers.
    Binary(BinaryOp),
    /// A constant, which behaves as a literal.
    Constant(f64),
    /// `x * x`.
    Square,
    /// `std::math` or one of its submodules.
    Module(Module),
}

/// What numbers a function takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operands {
    /// Floats only.
    Float,
    /// Integers too.
    Number,
}

/// A module of the library.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Module {
    /// `std`.
    Std,
    /// `std::math`, or a submodule of it (which all export their names from it).
    Math,
}

/// The submodules of `std::math`.
const SUBMODULES: [&str; 8] =
    ["basic", "clamp", "constants", "exp", "hyperbolic", "log", "special", "trig"];

/// Functions whose operand may be an integer.
const ON_NUMBERS: [UnaryOp; 3] = [UnaryOp::Neg, UnaryOp::Abs, UnaryOp::Sign];

const CONSTANTS: [(&str, f64); 9] = [
    ("pi", std::f64::consts::PI),
    ("e", std::f64::consts::E),
    ("tau", std::f64::consts::TAU),
    ("sqrt2", std::f64::consts::SQRT_2),
    ("ln2", std::f64::consts::LN_2),
    ("ln10", std::f64::consts::LN_10),
    ("log2e", std::f64::consts::LOG2_E),
    ("log10e", std::f64::consts::LOG10_E),
    ("infinity", f64::INFINITY),
];

/// Looks a path up, from `std` on; `None` where the library has no such item.
pub fn find(segments: &[&str]) -> Option<LibraryItem> {
    match segments {
        ["std"] => Some(LibraryItem::Module(Module::Std)),
        ["std", "math"] => Some(LibraryItem::Module(Module::Math)),
        ["std", "math", name] => {
            math(name).or(SUBMODULES.contains(name).then_some(LibraryItem::Module(Module::Math)))
        }
        ["std", "math", sub, name] if SUBMODULES.contains(sub) => math(name),
        _ => None,
    }
}

/// An item of `std::math` by its name.
pub fn math(name: &str) -> Option<LibraryItem> {
    let unary = |op: UnaryOp| {
        let operands = if ON_NUMBERS.contains(&op) { Operands::Number } else { Operands::Float };
        LibraryItem::Unary(op, operands)
    };
    let constant = CONSTANTS.iter().find(|(n, _)| *n == name);
    match name {
        "not" => None,
        "ln" => Some(unary(UnaryOp::Log)),
        "pow" => Some(LibraryItem::Binary(BinaryOp::Pow)),
        "fmod" => Some(LibraryItem::Binary(BinaryOp::Rem)),
        "atan2" => Some(LibraryItem::Binary(BinaryOp::Atan2)),
        "min" => Some(LibraryItem::Binary(BinaryOp::Min)),
        "max" => Some(LibraryItem::Binary(BinaryOp::Max)),
        "square" => Some(LibraryItem::Square),
        _ => UnaryOp::from_name(name).map(unary).or(constant.map(|c| LibraryItem::Constant(c.1))),
    }
}

/// Every name of `std::math`, for suggestions and wildcards.
pub fn math_names() -> Vec<&'static str> {
    let unary = UnaryOp::ALL.iter().filter(|op| **op != UnaryOp::Not).map(|op| op.name());
    let others = ["ln", "pow", "fmod", "atan2", "min", "max", "square"];
    unary.chain(others).chain(CONSTANTS.iter().map(|(n, _)| *n)).collect()
}
