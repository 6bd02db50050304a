//! The operators by name.

/// An operator of one operand.
///
/// Elementary functions and roundings take a float and give the same type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum UnaryOp {
    /// `-x`; integers wrap.
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
}

/// An operator of two operands of one type.
///
/// Comparisons give `bool`; all others give the operands' type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum BinaryOp {
    /// Sum; integers wrap.
    Add,
    /// Difference; integers wrap.
    Sub,
    /// Product; integers wrap.
    Mul,
    /// Quotient; of integers truncated toward zero, and a trap when the divisor is 0
    /// (the least integer by -1 wraps).
    Div,
    /// Remainder with the sign of the dividend; of integers a trap when the divisor is 0.
    Rem,
    /// Power; of integers a trap when the exponent is negative, wrapping otherwise.
    Pow,
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
}

impl UnaryOp {
    /// Every operator.
    pub const ALL: [UnaryOp; 14] = [
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
        }
    }

    /// The operator called `name`.
    pub fn from_name(name: &str) -> Option<UnaryOp> {
        Self::ALL.into_iter().find(|op| op.name() == name)
    }
}

impl BinaryOp {
    /// Every operator.
    pub const ALL: [BinaryOp; 16] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::Pow,
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
}
