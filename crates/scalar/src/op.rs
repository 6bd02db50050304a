//! The operators by name.

/// An operator of one operand.
///
/// Elementary functions and roundings take a float and give the same type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum UnaryOp {
    /// `-x`; integers wrap (what must not is written `0 - x`).
    Neg,
    /// `!x` of a `bool`.
    Not,
    /// `|x|`, any number; the least integer wraps to itself.
    Abs,
    /// -1, 0 or 1 in the type of `x`; NaN of NaN; the zero of its own sign of a float zero.
    Sign,
    /// Largest whole number not above.
    Floor,
    /// Smallest whole number not below.
    Ceil,
    /// Nearest whole number, ties to even.
    Round,
    /// Nearest whole number toward zero.
    Trunc,
    /// Square root, correctly rounded; NaN below 0.
    Sqrt,
    /// Natural exponential.
    Exp,
    /// Natural logarithm; NaN below 0, -inf at 0.
    Log,
    /// Hyperbolic tangent.
    Tanh,
    /// Sine of radians.
    Sin,
    /// Cosine of radians.
    Cos,
    /// `exp(x) - 1`, without cancellation.
    Expm1,
    /// `log(1 + x)`, without cancellation.
    Log1p,
    /// Logarithm of base 2, exact at powers of 2.
    Log2,
    /// Logarithm of base 10.
    Log10,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Inverse hyperbolic sine.
    Asinh,
    /// Inverse hyperbolic cosine; NaN below 1.
    Acosh,
    /// Inverse hyperbolic tangent; infinite at ±1, NaN outside.
    Atanh,
    /// Tangent of radians.
    Tan,
    /// Arcsine in radians; NaN outside -1 to 1.
    Asin,
    /// Arccosine in radians; NaN outside -1 to 1.
    Acos,
    /// Arctangent in radians.
    Atan,
    /// Error function.
    Erf,
    /// `1 - erf(x)`, without cancellation.
    Erfc,
    /// `1 / sqrt(x)`; infinite at 0, NaN below.
    Rsqrt,
    /// Every bit of an integer turned.
    BitsNot,
    /// How many bits of an integer are set, in its type.
    Popcount,
}

/// An operator of two operands of one type.
///
/// Comparisons give `bool`; all others give the operands' type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum BinaryOp {
    /// Sum; integers wrap, or are a trap where they leave their type ([`crate::eval::checked`]).
    Add,
    /// Difference; as [`BinaryOp::Add`].
    Sub,
    /// Product; as [`BinaryOp::Add`].
    Mul,
    /// Quotient; of integers truncated toward zero, and a trap when the divisor is 0
    /// (the least integer by -1 is as a sum that leaves its type).
    Div,
    /// Remainder with the sign of the dividend; of integers a trap when the divisor is 0.
    Rem,
    /// Power; of integers a trap when the exponent is negative, and as [`BinaryOp::Add`].
    Pow,
    /// Angle in radians of the point (second operand, first operand), from -pi to pi.
    Atan2,
    /// The smaller; NaN if either is NaN; -0.0 is smaller than 0.0.
    Min,
    /// The larger; NaN if either is NaN; 0.0 is larger than -0.0.
    Max,
    /// Equal.
    Eq,
    /// Not equal; true of NaN.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
    /// Both (of `bool`).
    And,
    /// Either (of `bool`).
    Or,
    /// The bits that both integers have.
    BitsAnd,
    /// The bits that either integer has.
    BitsOr,
    /// The bits that one integer has and the other has not.
    BitsXor,
    /// Bits moved up by a count, those beyond lost; a trap where the count is not in `0..width`,
    /// as for all moves.
    BitsShl,
    /// Bits moved down by a count, filled with the sign of a type that has one.
    BitsShr,
    /// Bits moved up by a count, those beyond from below.
    BitsRotl,
}

impl UnaryOp {
    /// Every operator.
    pub const ALL: [UnaryOp; 32] = [
        UnaryOp::Neg,
        UnaryOp::Not,
        UnaryOp::Abs,
        UnaryOp::Sign,
        UnaryOp::Floor,
        UnaryOp::Ceil,
        UnaryOp::Round,
        UnaryOp::Trunc,
        UnaryOp::Sqrt,
        UnaryOp::Exp,
        UnaryOp::Log,
        UnaryOp::Tanh,
        UnaryOp::Sin,
        UnaryOp::Cos,
        UnaryOp::Expm1,
        UnaryOp::Log1p,
        UnaryOp::Log2,
        UnaryOp::Log10,
        UnaryOp::Sinh,
        UnaryOp::Cosh,
        UnaryOp::Asinh,
        UnaryOp::Acosh,
        UnaryOp::Atanh,
        UnaryOp::Tan,
        UnaryOp::Asin,
        UnaryOp::Acos,
        UnaryOp::Atan,
        UnaryOp::Erf,
        UnaryOp::Erfc,
        UnaryOp::Rsqrt,
        UnaryOp::BitsNot,
        UnaryOp::Popcount,
    ];

    /// The name in the text forms and in `std::math`.
    pub fn name(self) -> &'static str {
        match self {
            UnaryOp::Neg => "neg",
            UnaryOp::Not => "not",
            UnaryOp::Abs => "abs",
            UnaryOp::Sign => "sign",
            UnaryOp::Floor => "floor",
            UnaryOp::Ceil => "ceil",
            UnaryOp::Round => "round",
            UnaryOp::Trunc => "trunc",
            UnaryOp::Sqrt => "sqrt",
            UnaryOp::Exp => "exp",
            UnaryOp::Log => "log",
            UnaryOp::Tanh => "tanh",
            UnaryOp::Sin => "sin",
            UnaryOp::Cos => "cos",
            UnaryOp::Expm1 => "expm1",
            UnaryOp::Log1p => "log1p",
            UnaryOp::Log2 => "log2",
            UnaryOp::Log10 => "log10",
            UnaryOp::Sinh => "sinh",
            UnaryOp::Cosh => "cosh",
            UnaryOp::Asinh => "asinh",
            UnaryOp::Acosh => "acosh",
            UnaryOp::Atanh => "atanh",
            UnaryOp::Tan => "tan",
            UnaryOp::Asin => "asin",
            UnaryOp::Acos => "acos",
            UnaryOp::Atan => "atan",
            UnaryOp::Erf => "erf",
            UnaryOp::Erfc => "erfc",
            UnaryOp::Rsqrt => "rsqrt",
            UnaryOp::BitsNot => "bits_not",
            UnaryOp::Popcount => "popcount",
        }
    }

    /// Whether the operand is an integer whose bits count.
    pub fn is_bitwise(self) -> bool {
        matches!(self, UnaryOp::BitsNot | UnaryOp::Popcount)
    }

    /// The operator called `name`.
    pub fn from_name(name: &str) -> Option<UnaryOp> {
        Self::ALL.into_iter().find(|op| op.name() == name)
    }
}

impl BinaryOp {
    /// Every operator.
    pub const ALL: [BinaryOp; 23] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::Pow,
        BinaryOp::Atan2,
        BinaryOp::Min,
        BinaryOp::Max,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::BitsAnd,
        BinaryOp::BitsOr,
        BinaryOp::BitsXor,
        BinaryOp::BitsShl,
        BinaryOp::BitsShr,
        BinaryOp::BitsRotl,
    ];

    /// The name in the text forms.
    pub fn name(self) -> &'static str {
        match self {
            BinaryOp::Add => "add",
            BinaryOp::Sub => "sub",
            BinaryOp::Mul => "mul",
            BinaryOp::Div => "div",
            BinaryOp::Rem => "rem",
            BinaryOp::Pow => "pow",
            BinaryOp::Atan2 => "atan2",
            BinaryOp::Min => "min",
            BinaryOp::Max => "max",
            BinaryOp::Eq => "eq",
            BinaryOp::Ne => "ne",
            BinaryOp::Lt => "lt",
            BinaryOp::Le => "le",
            BinaryOp::Gt => "gt",
            BinaryOp::Ge => "ge",
            BinaryOp::And => "and",
            BinaryOp::Or => "or",
            BinaryOp::BitsAnd => "bits_and",
            BinaryOp::BitsOr => "bits_or",
            BinaryOp::BitsXor => "bits_xor",
            BinaryOp::BitsShl => "bits_shl",
            BinaryOp::BitsShr => "bits_shr",
            BinaryOp::BitsRotl => "bits_rotl",
        }
    }

    /// The operator called `name`.
    pub fn from_name(name: &str) -> Option<BinaryOp> {
        Self::ALL.into_iter().find(|op| op.name() == name)
    }

    /// Whether the result is `bool` whatever the operands are.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }

    /// Whether the result is a number computed from numbers, which integers of less than 32
    /// bits are computed in `i32` for.
    pub fn is_arithmetic(self) -> bool {
        use BinaryOp::*;
        matches!(self, Add | Sub | Mul | Div | Rem | Pow)
    }

    /// Whether both operands are integers whose bits count.
    pub fn is_bitwise(self) -> bool {
        use BinaryOp::*;
        matches!(self, BitsAnd | BitsOr | BitsXor) || self.moves_bits()
    }

    /// Whether bits are moved by the second operand.
    pub fn moves_bits(self) -> bool {
        use BinaryOp::*;
        matches!(self, BitsShl | BitsShr | BitsRotl)
    }
}
