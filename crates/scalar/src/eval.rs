//! What each operator computes, one value at a time.

use crate::program::{self, Direct};
use crate::{BinaryOp, Scalar, ScalarType, UnaryOp};
use std::fmt;

/// Why an operator has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trap {
    /// Integer `/` or `%` by zero.
    DivisionByZero,
    /// Integer `**` with a negative exponent.
    NegativeExponent,
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Trap::DivisionByZero => "integer division by zero",
            Trap::NegativeExponent => "integer power with a negative exponent",
        })
    }
}

/// The value of `op x`. Panics on operand types that checking rules out.
pub fn unary(op: UnaryOp, x: Scalar) -> Scalar {
    match x {
        Scalar::Bool(v) if op == UnaryOp::Not => Scalar::Bool(!v),
        Scalar::I32(v) => Scalar::from_i64(ScalarType::I32, unary_int(op, v.into())),
        Scalar::I64(v) => Scalar::I64(unary_int(op, v)),
        Scalar::F32(v) => Scalar::F32(unary_f32(op, v)),
        Scalar::F64(v) => Scalar::F64(unary_f64(op, v)),
        Scalar::Bool(_) => mistyped(op.name(), x.ty()),
    }
}

/// The value of `a op b`, both of one type. Panics on operand types that checking rules out.
#[inline]
pub fn binary(op: BinaryOp, a: Scalar, b: Scalar) -> Result<Scalar, Trap> {
    Ok(match (a, b) {
        (Scalar::Bool(x), Scalar::Bool(y)) => Scalar::Bool(binary_bool(op, x, y)),
        (Scalar::I32(x), Scalar::I32(y)) => match compare(op, &x, &y) {
            Some(truth) => Scalar::Bool(truth),
            None => Scalar::I32(arithmetic_i32(op, x, y)?),
        },
        (Scalar::I64(x), Scalar::I64(y)) => match compare(op, &x, &y) {
            Some(truth) => Scalar::Bool(truth),
            None => Scalar::I64(arithmetic_i64(op, x, y)?),
        },
        (Scalar::F32(x), Scalar::F32(y)) => match compare(op, &x, &y) {
            Some(truth) => Scalar::Bool(truth),
            None => Scalar::F32(arithmetic_f32(op, x, y)),
        },
        (Scalar::F64(x), Scalar::F64(y)) => match compare(op, &x, &y) {
            Some(truth) => Scalar::Bool(truth),
            None => Scalar::F64(arithmetic_f64(op, x, y)),
        },
        _ => panic!("{} of {} and {}", op.name(), a.ty(), b.ty()),
    })
}

/// `x as ty`: truncates toward zero, saturates, sends NaN to 0, rounds to nearest even.
/// To `bool`: whether the number is neither 0 nor NaN.
pub fn cast(x: Scalar, ty: ScalarType) -> Scalar {
    match x {
        Scalar::F32(v) => cast_f32(v, ty),
        Scalar::F64(v) => cast_f64(v, ty),
        Scalar::I64(v) if ty == ScalarType::I32 => {
            Scalar::I32(v.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
        }
        _ => Scalar::from_i64(ty, x.as_i64().expect("every other value is whole")),
    }
}

fn cast_f32(v: f32, ty: ScalarType) -> Scalar {
    match ty {
        // Not by way of f64, which would quiet a NaN.
        ScalarType::F32 => Scalar::F32(v),
        _ => cast_f64(v.into(), ty),
    }
}

fn cast_f64(v: f64, ty: ScalarType) -> Scalar {
    match ty {
        ScalarType::Bool => Scalar::Bool(v != 0.0 && !v.is_nan()),
        ScalarType::I32 => Scalar::I32(v as i32),
        ScalarType::I64 => Scalar::I64(v as i64),
        ScalarType::F32 => Scalar::F32(v as f32),
        ScalarType::F64 => Scalar::F64(v),
    }
}

fn mistyped(op: &str, ty: ScalarType) -> ! {
    panic!("{op} of {ty}")
}

fn compare<T: PartialOrd>(op: BinaryOp, a: &T, b: &T) -> Option<bool> {
    Some(match op {
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        BinaryOp::Lt => a < b,
        BinaryOp::Le => a <= b,
        BinaryOp::Gt => a > b,
        BinaryOp::Ge => a >= b,
        _ => return None,
    })
}

fn binary_bool(op: BinaryOp, a: bool, b: bool) -> bool {
    match op {
        BinaryOp::And | BinaryOp::Min => a && b,
        BinaryOp::Or | BinaryOp::Max => a || b,
        _ => compare(op, &a, &b).unwrap_or_else(|| mistyped(op.name(), ScalarType::Bool)),
    }
}

/// On the value widened to `i64`; narrowing the result wraps as `i32` arithmetic would.
fn unary_int(op: UnaryOp, v: i64) -> i64 {
    match op {
        UnaryOp::Neg => v.wrapping_neg(),
        UnaryOp::Abs => v.wrapping_abs(),
        UnaryOp::Sign => v.signum(),
        UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Round | UnaryOp::Trunc => v,
        _ => mistyped(op.name(), ScalarType::I64),
    }
}

macro_rules! int_arithmetic {
    ($name:ident, $int:ident) => {
        fn $name(op: BinaryOp, a: $int, b: $int) -> Result<$int, Trap> {
            Ok(match op {
                BinaryOp::Add => a.wrapping_add(b),
                BinaryOp::Sub => a.wrapping_sub(b),
                BinaryOp::Mul => a.wrapping_mul(b),
                BinaryOp::Div | BinaryOp::Rem if b == 0 => return Err(Trap::DivisionByZero),
                BinaryOp::Div => a.wrapping_div(b),
                BinaryOp::Rem => a.wrapping_rem(b),
                BinaryOp::Pow if b < 0 => return Err(Trap::NegativeExponent),
                BinaryOp::Pow => power(a.into(), b as u64) as $int,
                BinaryOp::Min => a.min(b),
                BinaryOp::Max => a.max(b),
                _ => mistyped(op.name(), ScalarType::I64),
            })
        }
    };
}
int_arithmetic!(arithmetic_i32, i32);
int_arithmetic!(arithmetic_i64, i64);

/// `base ** exponent` modulo 2**64, by squaring.
fn power(mut base: i64, mut exponent: u64) -> i64 {
    let mut result = 1_i64;
    while exponent != 0 {
        if exponent & 1 != 0 {
            result = result.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    result
}

macro_rules! float_operators {
    ($unary:ident, $arithmetic:ident, $float:ident) => {
        fn $unary(op: UnaryOp, v: $float) -> $float {
            match op {
                UnaryOp::Neg => -v,
                UnaryOp::Abs => v.abs(),
                UnaryOp::Sign if v == 0.0 || v.is_nan() => v,
                UnaryOp::Sign => v.signum(),
                UnaryOp::Floor => v.floor(),
                UnaryOp::Ceil => v.ceil(),
                UnaryOp::Round => v.round_ties_even(),
                UnaryOp::Trunc => v.trunc(),
                UnaryOp::Sqrt => v.sqrt(),
                _ => program::unary(&Direct::<$float>::new(), op, v)
                    .unwrap_or_else(|| mistyped(op.name(), ScalarType::F64)),
            }
        }

        fn $arithmetic(op: BinaryOp, a: $float, b: $float) -> $float {
            match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Div => a / b,
                BinaryOp::Rem => a % b,
                BinaryOp::Min | BinaryOp::Max if a.is_nan() || b.is_nan() => $float::NAN,
                // The order of bits settles -0 against 0.
                BinaryOp::Min => {
                    if a.total_cmp(&b).is_le() {
                        a
                    } else {
                        b
                    }
                }
                BinaryOp::Max => {
                    if a.total_cmp(&b).is_ge() {
                        a
                    } else {
                        b
                    }
                }
                _ => program::binary(&Direct::<$float>::new(), op, a, b)
                    .unwrap_or_else(|| mistyped(op.name(), ScalarType::F64)),
            }
        }
    };
}
float_operators!(unary_f32, arithmetic_f32, f32);
float_operators!(unary_f64, arithmetic_f64, f64);
