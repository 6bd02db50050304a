//! Expressions: pure, typed, without control flow.

use crate::{Buffer, Expr, Local, Param, Var};
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};

/// An operator on two integers of one type, beside those of the language.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum IntOp {
    /// Quotient rounded toward minus infinity.
    FloorDiv,
    /// Remainder of [`IntOp::FloorDiv`], with the sign of the divisor.
    FloorMod,
    /// Bitwise and.
    BitAnd,
    /// Bitwise or.
    BitOr,
    /// Bitwise exclusive or.
    BitXor,
    /// Shift left, the count modulo the width.
    Shl,
    /// Shift right filling with zeros, the count modulo the width.
    Shr,
    /// Shift right filling with the sign, the count modulo the width.
    Sar,
}

impl IntOp {
    /// Every operator.
    pub const ALL: [IntOp; 8] = [
        IntOp::FloorDiv,
        IntOp::FloorMod,
        IntOp::BitAnd,
        IntOp::BitOr,
        IntOp::BitXor,
        IntOp::Shl,
        IntOp::Shr,
        IntOp::Sar,
    ];

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            IntOp::FloorDiv => "floor_div",
            IntOp::FloorMod => "floor_mod",
            IntOp::BitAnd => "bit_and",
            IntOp::BitOr => "bit_or",
            IntOp::BitXor => "bit_xor",
            IntOp::Shl => "shl",
            IntOp::Shr => "shr",
            IntOp::Sar => "sar",
        }
    }

    /// The operator called `name`.
    pub fn from_name(name: &str) -> Option<IntOp> {
        Self::ALL.into_iter().find(|op| op.name() == name)
    }
}

/// One expression; operands are ids of the same function's pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExprData {
    /// A constant.
    Const(Scalar),
    /// The value of a parameter.
    Param(Param),
    /// The current value of an enclosing loop's variable, an `i64`.
    Var(Var),
    /// The current value of a local.
    Local(Local),
    /// Whether the call runs on one thread, a `bool`: to choose between orders of work that
    /// give the same numbers.
    SingleThreaded,
    /// The element at a flat index, an `i64` counted in elements.
    Load {
        /// The buffer read.
        buffer: Buffer,
        /// Which element.
        index: Expr,
    },
    /// An operator of the language on one operand.
    Unary(UnaryOp, Expr),
    /// An operator of the language on two operands of one type.
    Binary(BinaryOp, Expr, Expr),
    /// Whether an operator on two integers of one type leaves it, a `bool`; false where it
    /// has no value for another reason.
    Overflows(BinaryOp, Expr, Expr),
    /// An integer operator on two operands of one integer type.
    Int(IntOp, Expr, Expr),
    /// `a * b + c` of one float type, rounded once.
    Fma(Expr, Expr, Expr),
    /// Conversion as by `as`: truncating, saturating, NaN to 0, to nearest even.
    Cast(ScalarType, Expr),
    /// The same bits as another type of the same width (4 or 8 bytes).
    Bitcast(ScalarType, Expr),
    /// The second operand where the first, a `bool`, holds, else the third; both are evaluated.
    Select(Expr, Expr, Expr),
}

impl ExprData {
    /// The operands in order.
    pub fn operands(&self) -> impl Iterator<Item = Expr> + use<> {
        let slots = match *self {
            ExprData::Const(_)
            | ExprData::Param(_)
            | ExprData::Var(_)
            | ExprData::Local(_)
            | ExprData::SingleThreaded => [None; 3],
            ExprData::Load { index: a, .. }
            | ExprData::Unary(_, a)
            | ExprData::Cast(_, a)
            | ExprData::Bitcast(_, a) => [Some(a), None, None],
            ExprData::Binary(_, a, b) | ExprData::Overflows(_, a, b) | ExprData::Int(_, a, b) => {
                [Some(a), Some(b), None]
            }
            ExprData::Fma(a, b, c) | ExprData::Select(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        slots.into_iter().flatten()
    }

    /// The same node with every operand replaced by `f` of it.
    pub fn map(self, mut f: impl FnMut(Expr) -> Expr) -> ExprData {
        use ExprData::*;
        match self {
            Const(_) | Param(_) | Var(_) | Local(_) | SingleThreaded => self,
            Load { buffer, index } => Load { buffer, index: f(index) },
            Unary(op, a) => Unary(op, f(a)),
            Cast(ty, a) => Cast(ty, f(a)),
            Bitcast(ty, a) => Bitcast(ty, f(a)),
            Binary(op, a, b) => Binary(op, f(a), f(b)),
            Overflows(op, a, b) => Overflows(op, f(a), f(b)),
            Int(op, a, b) => Int(op, f(a), f(b)),
            Fma(a, b, c) => Fma(f(a), f(b), f(c)),
            Select(a, b, c) => Select(f(a), f(b), f(c)),
        }
    }
}
