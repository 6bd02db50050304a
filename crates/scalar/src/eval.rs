//! The values of operators, one at a time.

use crate::program::{self, Direct};
use crate::{Bf16, BinaryOp, F8e4m3, F16, Scalar, ScalarType, UnaryOp};
use std::fmt;

/// Why an operator has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trap {
    /// Integer `/` or `%` by zero.
    DivisionByZero,
    /// Integer `**` with a negative exponent.
    NegativeExponent,
    /// Integer arithmetic that leaves its type.
    Overflow,
    /// Bits moved by a count that is not in `0..width`.
    Count,
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Trap::DivisionByZero => "integer division by zero",
            Trap::NegativeExponent => NEGATIVE_EXPONENT,
            Trap::Overflow => OVERFLOW,
            Trap::Count => "a count of bits outside of the type",
        })
    }
}

/// The meaning of integer arithmetic that leaves the range of its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Overflow {
    /// It is a failure; of the modular types it wraps.
    #[default]
    Trap,
    /// It wraps.
    Wrap,
}

/// The message where it is a failure.
pub const OVERFLOW: &str = "integer overflow";

/// The text of a power of integers with a negative exponent.
pub const NEGATIVE_EXPONENT: &str = "integer power with a negative exponent";

/// How an operator of integers of a type fails whatever the first operand is: by its second,
/// where that is not known, or known to be bad.
pub fn trap_by(op: BinaryOp, ty: ScalarType, by: Option<i64>) -> Option<Trap> {
    let width = 8 * ty.bytes() as i64;
    let (trap, safe) = match op {
        _ if !ty.is_int() => return None,
        BinaryOp::Div | BinaryOp::Rem => (Trap::DivisionByZero, by.is_some_and(|n| n != 0)),
        BinaryOp::Pow => (Trap::NegativeExponent, by.is_some_and(|n| n >= 0)),
        _ if op.moves_bits() => (Trap::Count, by.is_some_and(|n| (0..width).contains(&n))),
        _ => return None,
    };
    (!safe).then_some(trap)
}

/// Whether integers of a type may not leave its range: all but the modular ones.
pub fn is_bounded(ty: ScalarType) -> bool {
    ty.is_int() && !matches!(ty, ScalarType::U32 | ScalarType::U64)
}

/// Whether an operator of two integers of a type may leave its range.
pub fn may_overflow(op: BinaryOp, ty: ScalarType) -> bool {
    use BinaryOp::{Add, Div, Mul, Pow, Sub};
    match op {
        Add | Sub | Mul | Pow => is_bounded(ty),
        Div => is_bounded(ty) && ty.is_signed(),
        _ => false,
    }
}

/// Whether `a op b` of integers is beyond the range of their type, modular or not. A trap of
/// another kind is not.
pub fn overflows(op: BinaryOp, a: Scalar, b: Scalar) -> bool {
    let (Some(x), Some(y)) = (exact(a), exact(b)) else { return false };
    match op {
        BinaryOp::Add => !is_within(a.ty(), x + y),
        BinaryOp::Sub => !is_within(a.ty(), x - y),
        BinaryOp::Mul => x.checked_mul(y).is_none_or(|v| !is_within(a.ty(), v)),
        BinaryOp::Div => y == -1 && !is_within(a.ty(), -x),
        BinaryOp::Pow => y >= 0 && power_overflows(a.ty(), x, y),
        _ => false,
    }
}

/// An integer.
fn exact(x: Scalar) -> Option<i128> {
    match x {
        Scalar::U64(v) => Some(v.into()),
        _ if x.ty().is_int() => x.as_i64().map(i128::from),
        _ => None,
    }
}

/// Whether an integer is in the range of a type of integers.
pub fn is_within(ty: ScalarType, value: i128) -> bool {
    let end = |s: Scalar| exact(s).expect("integers have ends");
    (end(Scalar::least(ty))..=end(Scalar::greatest(ty))).contains(&value)
}

/// Of integers beyond 1 and -1 no power above 64 is in range.
fn power_overflows(ty: ScalarType, base: i128, exponent: i128) -> bool {
    if (-1..=1).contains(&base) {
        return false;
    }
    let mut power: i128 = 1;
    for _ in 0..exponent.min(64) {
        match power.checked_mul(base) {
            Some(next) if next.unsigned_abs() <= 1 << 64 => power = next,
            _ => return true,
        }
    }
    !is_within(ty, power)
}

/// `a op b` where integers may not leave the range of a bounded type.
///
/// # Errors
///
/// The traps of [`binary`], and [`Trap::Overflow`].
#[inline]
pub fn checked(op: BinaryOp, a: Scalar, b: Scalar) -> Result<Scalar, Trap> {
    let value = binary(op, a, b)?;
    if may_overflow(op, a.ty()) && overflows(op, a, b) { Err(Trap::Overflow) } else { Ok(value) }
}

/// The value of `op x`. Panics on operand types that checking rules out.
pub fn unary(op: UnaryOp, x: Scalar) -> Scalar {
    match x {
        Scalar::Bool(v) if op == UnaryOp::Not => Scalar::Bool(!v),
        Scalar::Bool(_) => mistyped(op.name(), x.ty()),
        Scalar::F32(v) => Scalar::F32(unary_f32(op, v)),
        Scalar::F64(v) => Scalar::F64(unary_f64(op, v)),
        _ if op == UnaryOp::Popcount => Scalar::from_i64(x.ty(), i64::from(x.bits().count_ones())),
        Scalar::U64(v) => Scalar::U64(unary_u64(op, v)),
        _ => match x.as_i64() {
            Some(v) => Scalar::from_i64(x.ty(), unary_int(op, v)),
            None => cast(unary(op, cast(x, ScalarType::F32)), x.ty()),
        },
    }
}

macro_rules! binary_by_type {
    (
        $op:ident, $a:ident, $b:ident, floats $($float:ident $total:ident)*,
        integers $($int:ident $partial:ident)*
    ) => {
        match ($a, $b) {
            (Scalar::Bool(x), Scalar::Bool(y)) => Scalar::Bool(binary_bool($op, x, y)),
            $((Scalar::$float(x), Scalar::$float(y)) => match compare($op, &x, &y) {
                Some(truth) => Scalar::Bool(truth),
                None => Scalar::$float($total($op, x, y)),
            },)*
            $((Scalar::$int(x), Scalar::$int(y)) => match compare($op, &x, &y) {
                Some(truth) => Scalar::Bool(truth),
                None => Scalar::$int($partial($op, x, y)?),
            },)*
            _ if $a.ty().is_small_float() && $a.ty() == $b.ty() => binary_small($op, $a, $b)?,
            _ => panic!("{} of {} and {}", $op.name(), $a.ty(), $b.ty()),
        }
    };
}

/// The value of `a op b`, both of one type; integers wrap. Panics on operand types that
/// checking rules out.
#[inline]
pub fn binary(op: BinaryOp, a: Scalar, b: Scalar) -> Result<Scalar, Trap> {
    Ok(binary_by_type! {
        op, a, b,
        floats F32 arithmetic_f32 F64 arithmetic_f64,
        integers I32 arithmetic_i32 I64 arithmetic_i64 I8 arithmetic_i8 I16 arithmetic_i16
            U8 arithmetic_u8 U16 arithmetic_u16 U32 arithmetic_u32 U64 arithmetic_u64
    })
}

/// In `f32`, a number then rounded to the operands' type.
fn binary_small(op: BinaryOp, a: Scalar, b: Scalar) -> Result<Scalar, Trap> {
    let value = binary(op, cast(a, ScalarType::F32), cast(b, ScalarType::F32))?;
    Ok(if op.is_comparison() { value } else { cast(value, a.ty()) })
}

/// `x as ty`: truncates toward zero, saturates, sends NaN to 0, rounds to nearest even.
/// To `bool`: whether the number is neither 0 nor NaN.
pub fn cast(x: Scalar, ty: ScalarType) -> Scalar {
    match x {
        _ if x.ty() == ty => x,
        Scalar::F32(v) => cast_f32(v, ty),
        Scalar::F64(v) => cast_f64(v, ty),
        Scalar::U64(v) => cast_u64(v, ty),
        _ => match (x.as_i64(), x.as_f64()) {
            (Some(v), _) => cast_i64(v, ty),
            (None, v) => cast_f32(v.expect("every value is whole or a float") as f32, ty),
        },
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
        ScalarType::U64 => Scalar::U64(v as u64),
        ScalarType::F8e4m3 => Scalar::F8e4m3(F8e4m3::from_f64(v)),
        ScalarType::F16 => Scalar::F16(F16::from_f64(v)),
        ScalarType::Bf16 => Scalar::Bf16(Bf16::from_f64(v)),
        ScalarType::F32 => Scalar::F32(v as f32),
        ScalarType::F64 => Scalar::F64(v),
        _ => cast_i64(v as i64, ty),
    }
}

fn cast_i64(v: i64, ty: ScalarType) -> Scalar {
    match ty {
        ScalarType::Bool => Scalar::Bool(v != 0),
        ScalarType::F32 => Scalar::F32(v as f32),
        ScalarType::F64 => Scalar::F64(v as f64),
        _ if ty.is_small_float() => cast_f64(without_tail(v) as f64, ty),
        ScalarType::U64 => Scalar::U64(v.max(0) as u64),
        _ => {
            let end = |s: Scalar| s.as_i64().expect("integers have ends");
            Scalar::from_i64(ty, v.clamp(end(Scalar::least(ty)), end(Scalar::greatest(ty))))
        }
    }
}

fn cast_u64(v: u64, ty: ScalarType) -> Scalar {
    match ty {
        ScalarType::F32 => Scalar::F32(v as f32),
        ScalarType::F64 => Scalar::F64(v as f64),
        ScalarType::F8e4m3 | ScalarType::F16 | ScalarType::Bf16 => {
            // Half, with what is lost kept as a last bit, rounds at the same place.
            let half = ((v >> 1) | (v & 1)) as i64;
            match v >> 63 {
                0 => cast_i64(v as i64, ty),
                _ => cast_f64(without_tail(half) as f64 * 2.0, ty),
            }
        }
        _ => cast_i64(i64::try_from(v).unwrap_or(i64::MAX), ty),
    }
}

/// An integer that `f64` holds exactly and that rounds to a small float as `v` does: the last
/// 16 bits of a large one become one bit that says whether any of them was set.
fn without_tail(v: i64) -> i64 {
    const TAIL: i64 = 0xffff;
    match v.unsigned_abs() >> 48 {
        0 => v,
        _ => (v & !TAIL) | if v & TAIL != 0 { TAIL + 1 } else { 0 },
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

/// On the value widened to `i64`; narrowing the result wraps as narrow arithmetic would.
fn unary_int(op: UnaryOp, v: i64) -> i64 {
    match op {
        UnaryOp::Neg => v.wrapping_neg(),
        UnaryOp::Abs => v.wrapping_abs(),
        UnaryOp::Sign => v.signum(),
        UnaryOp::BitsNot => !v,
        UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Round | UnaryOp::Trunc => v,
        _ => mistyped(op.name(), ScalarType::I64),
    }
}

fn unary_u64(op: UnaryOp, v: u64) -> u64 {
    match op {
        UnaryOp::Abs => v,
        UnaryOp::Sign => v.min(1),
        _ => unary_int(op, v as i64) as u64,
    }
}

macro_rules! int_arithmetic {
    ($($name:ident $int:ident)*) => {
        $(fn $name(op: BinaryOp, a: $int, b: $int) -> Result<$int, Trap> {
            Ok(match op {
                BinaryOp::Add => a.wrapping_add(b),
                BinaryOp::Sub => a.wrapping_sub(b),
                BinaryOp::Mul => a.wrapping_mul(b),
                BinaryOp::Div | BinaryOp::Rem if b == 0 => return Err(Trap::DivisionByZero),
                BinaryOp::Div => a.wrapping_div(b),
                BinaryOp::Rem => a.wrapping_rem(b),
                #[allow(unused_comparisons, reason = "some of the types have no sign")]
                BinaryOp::Pow if b < 0 => return Err(Trap::NegativeExponent),
                BinaryOp::Pow => power(a as i64, b as u64) as $int,
                BinaryOp::Min => a.min(b),
                BinaryOp::Max => a.max(b),
                BinaryOp::BitsAnd => a & b,
                BinaryOp::BitsOr => a | b,
                BinaryOp::BitsXor => a ^ b,
                _ if op.moves_bits() && b as u64 >= u64::from($int::BITS) => {
                    return Err(Trap::Count);
                }
                BinaryOp::BitsShl => a << b,
                BinaryOp::BitsShr => a >> b,
                BinaryOp::BitsRotl => a.rotate_left(b as u32),
                _ => mistyped(op.name(), Scalar::from(a).ty()),
            })
        })*
    };
}
int_arithmetic! {
    arithmetic_i8 i8
    arithmetic_i16 i16
    arithmetic_i32 i32
    arithmetic_i64 i64
    arithmetic_u8 u8
    arithmetic_u16 u16
    arithmetic_u32 u32
    arithmetic_u64 u64
}

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
