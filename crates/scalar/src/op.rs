//! The operators: one row each.
//!
//! A row has the name in the text forms and in `std::intrinsics`, the types that the operator
//! takes, its class of cost, its derivative ([`Flow`]; `none` where it is locally constant),
//! the range in which tests sample it, and, of an elementary function, its program.
//!
//! Derivatives are those of Abramowitz and Stegun, *Handbook of Mathematical Functions*,
//! chapters 4 (elementary functions) and 7 (error function).

mod flow;
mod row;

use crate::program::{self, Machine};
use flow::{flow, some_flow};
use row::{BinaryRow, UnaryRow, binary_operators, run_program, unary_operators};
use std::f64::consts::{FRAC_2_SQRT_PI, LN_2, LN_10};

pub use flow::Flow;
pub use row::{CostClass, Kind, Operands};

unary_operators! {
    /// `-x`; integers wrap (what must not is written `0 - x`).
    Neg "neg" Number Simple (-g), -1e3 .. 1e3;
    /// `!x` of a `bool`.
    Not "not" Bool Simple none, 0.0 .. 1.0;
    /// `|x|`, any number; the least integer wraps to itself. Its derivative at 0 is 0.
    Abs "abs" Number Simple (g * (Sign x)), -1e3 .. 1e3;
    /// -1, 0 or 1 in the type of `x`; NaN of NaN; the zero of its own sign of a float zero.
    Sign "sign" Number Simple none, -1e3 .. 1e3;
    /// Largest whole number not above.
    Floor "floor" Float Rounding none, -1e3 .. 1e3;
    /// Smallest whole number not below.
    Ceil "ceil" Float Rounding none, -1e3 .. 1e3;
    /// Nearest whole number, ties to even.
    Round "round" Float Rounding none, -1e3 .. 1e3;
    /// Nearest whole number toward zero.
    Trunc "trunc" Float Rounding none, -1e3 .. 1e3;
    /// Square root, correctly rounded; NaN below 0.
    Sqrt "sqrt" Float Root (g / (y + y)), 0.0 .. 10.0;
    /// Natural exponential.
    Exp "exp" Float Function (g * y), -746.0 .. 711.0, (exp::exp);
    /// Natural logarithm; NaN below 0, -inf at 0.
    Log "log" Float Function (g / x), 0.5 .. 2.0, (log::log);
    /// Hyperbolic tangent.
    Tanh "tanh" Float Function (g * (1 - (y * y))), -20.0 .. 20.0, (hyperbolic::tanh);
    /// Sine of radians.
    Sin "sin" Float Function (g * (Cos x)), -1e3 .. 1e3, (trig::sin);
    /// Cosine of radians.
    Cos "cos" Float Function (-(g * (Sin x))), -1e3 .. 1e3, (trig::cos);
    /// `exp(x) - 1`, without cancellation.
    Expm1 "expm1" Float Function (g * (y + 1)), -746.0 .. 711.0, (exp::expm1);
    /// `log(1 + x)`, without cancellation.
    Log1p "log1p" Float Function (g / (1 + x)), -1.0 .. 2.0, (log::log1p);
    /// Logarithm of base 2, exact at powers of 2.
    Log2 "log2" Float Function (g / (x * LN_2)), 0.5 .. 2.0, (log_base::log2);
    /// Logarithm of base 10.
    Log10 "log10" Float Function (g / (x * LN_10)), 0.5 .. 2.0, (log_base::log10);
    /// Hyperbolic sine.
    Sinh "sinh" Float Function (g * (Cosh x)), -711.0 .. 711.0, (hyperbolic::sinh);
    /// Hyperbolic cosine.
    Cosh "cosh" Float Function (g * (Sinh x)), -711.0 .. 711.0, (hyperbolic::cosh);
    /// Inverse hyperbolic sine.
    Asinh "asinh" Float Function (g / (Sqrt ((x * x) + 1))), -10.0 .. 10.0, (wide hyperbolic::asinh);
    /// Inverse hyperbolic cosine; NaN below 1.
    Acosh "acosh" Float Function (g / (Sqrt ((x * x) - 1))), 1.0 .. 5.0, (wide hyperbolic::acosh);
    /// Inverse hyperbolic tangent; infinite at ±1, NaN outside.
    Atanh "atanh" Float Function (g / (1 - (x * x))), -1.0 .. 1.0, (wide hyperbolic::atanh);
    /// Tangent of radians.
    Tan "tan" Float Function (g * (1 + (y * y))), -1e3 .. 1e3, (trig::tan);
    /// Arcsine in radians; NaN outside -1 to 1.
    Asin "asin" Float Function (g / (Sqrt (1 - (x * x)))), -1.0 .. 1.0, (wide arc::asin);
    /// Arccosine in radians; NaN outside -1 to 1.
    Acos "acos" Float Function (-(g / (Sqrt (1 - (x * x))))), -1.0 .. 1.0, (wide arc::acos);
    /// Arctangent in radians.
    Atan "atan" Float Function (g / (1 + (x * x))), -10.0 .. 10.0, (wide arc::atan);
    /// Error function.
    Erf "erf" Float Function (g * (FRAC_2_SQRT_PI * (Exp (-(x * x))))), -6.0 .. 6.0, (wide erf::erf);
    /// `1 - erf(x)`, without cancellation.
    Erfc "erfc" Float Function (g * (MINUS_2_SQRT_PI * (Exp (-(x * x))))), -6.0 .. 28.0, (wide erf::erfc);
    /// `1 / sqrt(x)`; infinite at 0, NaN below.
    Rsqrt "rsqrt" Float Function (-((g * y) / (x + x))), 0.0 .. 10.0, (root::rsqrt);
    /// Cube root, of negative numbers too.
    Cbrt "cbrt" Float Function (g / (3 * (y * y))), -10.0 .. 10.0, (wide root::cbrt);
    /// Every bit of an integer turned.
    BitsNot "bits_not" Integer Simple none, -1e3 .. 1e3;
    /// How many bits of an integer are set, in its type.
    Popcount "popcount" Integer Simple none, -1e3 .. 1e3;
}

const MINUS_2_SQRT_PI: f64 = -FRAC_2_SQRT_PI;

binary_operators! {
    /// Sum; integers wrap, or are a trap where they leave their type ([`crate::eval::checked`]).
    Add "add" Number Arithmetic Simple g, g;
    /// Difference; as [`BinaryOp::Add`].
    Sub "sub" Number Arithmetic Simple g, (-g);
    /// Product; as [`BinaryOp::Add`].
    Mul "mul" Number Arithmetic Simple (g * b), (g * a);
    /// Quotient; of integers truncated toward zero, and a trap when the divisor is 0
    /// (the least integer by -1 is as a sum that leaves its type).
    Div "div" Number Arithmetic Division (g / b), (-((g / b) * y));
    /// Remainder with the sign of the dividend; of integers a trap when the divisor is 0.
    Rem "rem" Number Arithmetic Division g, (-(g * (Trunc (a / b))));
    /// Power; of integers a trap when the exponent is negative, and as [`BinaryOp::Add`].
    /// The tests are for `a = 0`: by the base they are right for negative bases too, by the
    /// exponent they take the limit for positive exponents.
    Pow "pow" Number Arithmetic Power
        (if (b == 0) 0 (g * (b * (a ** (b - 1))))), (if (a == 0) 0 (g * (y * (Log a)))),
        (pow::pow);
    /// Angle in radians of the point (second operand, first operand), from -pi to pi.
    Atan2 "atan2" Float Function Function
        ((g / ((a * a) + (b * b))) * b), (-((g / ((a * a) + (b * b))) * a)), (wide arc::atan2);
    /// The smaller; NaN if either is NaN; -0.0 is smaller than 0.0. Of two that are equal the
    /// first is taken, as by [`BinaryOp::Max`].
    Min "min" Any Extremum Simple (if (a <= b) g 0), (if (a <= b) 0 g);
    /// The larger; NaN if either is NaN; 0.0 is larger than -0.0.
    Max "max" Any Extremum Simple (if (a >= b) g 0), (if (a >= b) 0 g);
    /// Equal.
    Eq "eq" Any Comparison Simple none, none;
    /// Not equal; true of NaN.
    Ne "ne" Any Comparison Simple none, none;
    /// Less.
    Lt "lt" Any Comparison Simple none, none;
    /// Less or equal.
    Le "le" Any Comparison Simple none, none;
    /// Greater.
    Gt "gt" Any Comparison Simple none, none;
    /// Greater or equal.
    Ge "ge" Any Comparison Simple none, none;
    /// Both (of `bool`).
    And "and" Bool Logic Simple none, none;
    /// Either (of `bool`).
    Or "or" Bool Logic Simple none, none;
    /// The bits that both integers have.
    BitsAnd "bits_and" Integer Bits Simple none, none;
    /// The bits that either integer has.
    BitsOr "bits_or" Integer Bits Simple none, none;
    /// The bits that one integer has and the other has not.
    BitsXor "bits_xor" Integer Bits Simple none, none;
    /// Bits moved up by a count, those beyond lost; a trap where the count is not in `0..width`,
    /// as for all moves.
    BitsShl "bits_shl" Integer Shift Simple none, none;
    /// Bits moved down by a count, filled with the sign of a type that has one.
    BitsShr "bits_shr" Integer Shift Simple none, none;
    /// Bits moved up by a count, those beyond from below.
    BitsRotl "bits_rotl" Integer Shift Simple none, none;
}

impl UnaryOp {
    fn row(self) -> &'static UnaryRow {
        &UNARY[self as usize]
    }

    /// The name in the text forms and in `std::intrinsics`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The types that it takes.
    pub fn operands(self) -> Operands {
        self.row().operands
    }

    /// About how long it takes.
    pub fn cost(self) -> CostClass {
        self.row().cost
    }

    /// The change that flows through it; `None` where it is locally constant.
    pub fn derivative(self) -> Option<&'static Flow> {
        self.row().derivative
    }

    /// A range of floats in which it is neither trivial nor undefined, to be sampled.
    pub fn tested_range(self) -> (f64, f64) {
        self.row().tested
    }

    /// Whether the operand is an integer whose bits count.
    pub fn is_bitwise(self) -> bool {
        self.operands() == Operands::Integer
    }

    /// The operator called `name`.
    pub fn from_name(name: &str) -> Option<UnaryOp> {
        Self::ALL.into_iter().find(|op| op.name() == name)
    }
}

impl BinaryOp {
    fn row(self) -> &'static BinaryRow {
        &BINARY[self as usize]
    }

    /// The name in the text forms.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The types that it takes.
    pub fn operands(self) -> Operands {
        self.row().operands
    }

    /// About how long it takes.
    pub fn cost(self) -> CostClass {
        self.row().cost
    }

    /// The changes that flow through its operands; `None` for one without influence nearby.
    pub fn derivatives(self) -> [Option<&'static Flow>; 2] {
        self.row().derivatives
    }

    /// The operator called `name`.
    pub fn from_name(name: &str) -> Option<BinaryOp> {
        Self::ALL.into_iter().find(|op| op.name() == name)
    }

    /// Whether the result is `bool` whatever the operands are.
    pub fn is_comparison(self) -> bool {
        self.row().kind == Kind::Comparison
    }

    /// Whether the result is a number computed from numbers, which integers of less than 32
    /// bits are computed in `i32` for.
    pub fn is_arithmetic(self) -> bool {
        self.row().kind == Kind::Arithmetic
    }

    /// Whether both operands are integers whose bits count.
    pub fn is_bitwise(self) -> bool {
        self.operands() == Operands::Integer
    }

    /// Whether bits are moved by the second operand.
    pub fn moves_bits(self) -> bool {
        self.row().kind == Kind::Shift
    }
}
