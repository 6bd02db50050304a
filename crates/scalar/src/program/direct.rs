//! Computing one value at once: the evaluator's machine.

use super::format::{F32, F64};
use super::{Format, Machine, Rare};
use std::marker::PhantomData;

/// The machine whose floats are `T`: `f32` or `f64`.
pub struct Direct<T>(PhantomData<T>);

impl<T> Direct<T> {
    /// The machine; it holds nothing.
    pub const fn new() -> Direct<T> {
        Direct(PhantomData)
    }
}

impl<T> Default for Direct<T> {
    fn default() -> Self {
        Direct::new()
    }
}

macro_rules! direct {
    ($float:ident, $int:ident, $uint:ident, $format:ident) => {
        impl Machine for Direct<$float> {
            type F = $float;
            type I = $int;
            type B = bool;
            type Wide = Direct<f64>;

            fn format(&self) -> &'static Format {
                &$format
            }
            fn float(&self, value: f64) -> $float {
                value as $float
            }
            fn int(&self, value: i64) -> $int {
                value as $int
            }
            fn add(&self, a: $float, b: $float) -> $float {
                a + b
            }
            fn sub(&self, a: $float, b: $float) -> $float {
                a - b
            }
            fn mul(&self, a: $float, b: $float) -> $float {
                a * b
            }
            fn div(&self, a: $float, b: $float) -> $float {
                a / b
            }
            fn fma(&self, a: $float, b: $float, c: $float) -> $float {
                a.mul_add(b, c)
            }
            fn neg(&self, a: $float) -> $float {
                -a
            }
            fn abs(&self, a: $float) -> $float {
                a.abs()
            }
            fn sqrt(&self, a: $float) -> $float {
                a.sqrt()
            }
            fn round(&self, a: $float) -> $float {
                a.round_ties_even()
            }
            fn lt(&self, a: $float, b: $float) -> bool {
                a < b
            }
            fn eq(&self, a: $float, b: $float) -> bool {
                a == b
            }
            fn and(&self, a: bool, b: bool) -> bool {
                a && b
            }
            fn or(&self, a: bool, b: bool) -> bool {
                a || b
            }
            fn not(&self, a: bool) -> bool {
                !a
            }
            fn select(&self, c: bool, a: $float, b: $float) -> $float {
                if c { a } else { b }
            }
            fn select_int(&self, c: bool, a: $int, b: $int) -> $int {
                if c { a } else { b }
            }
            fn bits(&self, a: $float) -> $int {
                a.to_bits() as $int
            }
            fn float_of_bits(&self, a: $int) -> $float {
                $float::from_bits(a as $uint)
            }
            fn int_add(&self, a: $int, b: $int) -> $int {
                a.wrapping_add(b)
            }
            fn int_sub(&self, a: $int, b: $int) -> $int {
                a.wrapping_sub(b)
            }
            fn int_mul(&self, a: $int, b: $int) -> $int {
                a.wrapping_mul(b)
            }
            fn int_and(&self, a: $int, b: $int) -> $int {
                a & b
            }
            fn int_or(&self, a: $int, b: $int) -> $int {
                a | b
            }
            fn int_xor(&self, a: $int, b: $int) -> $int {
                a ^ b
            }
            fn shl(&self, a: $int, n: $int) -> $int {
                a.wrapping_shl(n as u32)
            }
            fn shr(&self, a: $int, n: $int) -> $int {
                (a as $uint).wrapping_shr(n as u32) as $int
            }
            fn sar(&self, a: $int, n: $int) -> $int {
                a.wrapping_shr(n as u32)
            }
            fn int_eq(&self, a: $int, b: $int) -> bool {
                a == b
            }
            fn word(&self, words: &'static [u64], index: $int) -> $int {
                words[index as usize] as $int
            }
            fn rare(
                &self,
                when: bool,
                otherwise: $float,
                x: $float,
                function: Rare<Direct<f64>>,
            ) -> $float {
                if when { (function.body)(&Direct::new(), x as f64) as $float } else { otherwise }
            }
            fn select_any(
                &self,
                when: bool,
                otherwise: $float,
                body: impl FnOnce(&Self) -> $float,
            ) -> $float {
                if when { body(self) } else { otherwise }
            }
            fn widened<const N: usize>(
                &self,
                operands: [$float; N],
                body: impl FnOnce(&Direct<f64>, [f64; N]) -> f64,
            ) -> $float {
                body(&Direct::new(), operands.map(|x| x as f64)) as $float
            }
        }
    };
}

direct!(f32, i32, u32, F32);
direct!(f64, i64, u64, F64);
