//! Sums and products of integers by their exact values, which must be in their type.
//!
//! Sums of up to 32 bits run in 64. Those of 64 run in two words, one of the upper halves of
//! their terms and one of the terms, which wraps: what they differ by is the sum of the lower
//! halves. Products run as a magnitude, a sign, and marks of what was
//! zero or too large: zero wins.

use crate::lower::accumulate::Acc;
use crate::lower::body::Body;
use crate::lower::emitter::Emitter;
use weft_loops::{Expr as Value, IntOp, Local, Stmt};
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};
use weft_tensor::{Expr, ExprId};

/// The locals of an exact accumulation of values of a type.
pub(crate) enum Exact {
    /// A sum in 64 bits.
    Sum { ty: ScalarType, sum: Local },
    /// Sums of the upper halves, and of the whole, which wraps; of products where the type has
    /// less than 64 bits.
    Halves { ty: ScalarType, upper: Local, whole: Local },
    /// A product.
    Product { ty: ScalarType, magnitude: Local, negative: Local, zero: Local, beyond: Local },
}

/// Bits of the lower halves. With 32 the upper half of a product is what LLVM takes for a
/// product of its own.
const HALF: i64 = 31;

impl<'p> Emitter<'p> {
    /// Starts an exact sum or product, from a value where there is one; a sum of
    /// [`exact_factors`] where it has `products`.
    pub fn exact(
        &mut self,
        (op, products): (BinaryOp, bool),
        ty: ScalarType,
        start: Option<Value>,
    ) -> Exact {
        let exact = match (op, ty) {
            (BinaryOp::Mul, _) => {
                let [negative, zero, beyond] = ["negative", "zero", "beyond"]
                    .map(|name| self.started(name, Scalar::Bool(false)));
                let magnitude = self.started("magnitude", Scalar::U64(1));
                Exact::Product { ty, magnitude, negative, zero, beyond }
            }
            _ if products || ty == ScalarType::I64 => {
                let [upper, whole] =
                    ["upper", "whole"].map(|name| self.started(name, Scalar::I64(0)));
                Exact::Halves { ty, upper, whole }
            }
            _ => Exact::Sum { ty, sum: self.started("sum", Scalar::I64(0)) },
        };
        if let Some(start) = start {
            self.take_exactly(&exact, start);
        }
        exact
    }

    /// A term of an accumulation: a product in 64 bits where its exact value counts.
    pub fn term_of(&mut self, body: &mut Body<'p>, acc: &Acc, e: ExprId) -> Value {
        let wide = matches!(acc, Acc::Exact(Exact::Halves { ty, .. }) if *ty != ScalarType::I64);
        match exact_factors(body, e) {
            Some((x, y)) if wide => {
                let [x, y] = [x, y].map(|x| {
                    let x = self.noted(body, x);
                    self.f.cast(ScalarType::I64, x)
                });
                self.f.binary(BinaryOp::Mul, x, y)
            }
            _ => self.noted(body, e),
        }
    }

    fn started(&mut self, name: &str, value: Scalar) -> Local {
        let local = self.local(name, value.ty());
        let value = self.f.constant(value);
        self.set(local, value);
        local
    }

    /// Takes in a value.
    pub fn take_exactly(&mut self, exact: &Exact, v: Value) {
        let v = self.f.cast(ScalarType::I64, v);
        match *exact {
            Exact::Sum { sum, .. } => self.add_to(sum, v),
            Exact::Halves { upper, whole, .. } => {
                let half = self.f.int(HALF);
                let high = self.f.int_op(IntOp::Sar, v, half);
                self.add_to(upper, high);
                self.add_to(whole, v);
            }
            Exact::Product { magnitude, negative, zero, beyond, .. } => {
                let (none, no) = (self.f.int(0), self.f.constant(Scalar::U64(0)));
                let below = self.f.binary(BinaryOp::Lt, v, none);
                let turned = self.f.sub(none, v);
                let by = self.f.select(below, turned, v);
                let by = self.f.bitcast(ScalarType::U64, by);
                let [so_far, turns, was_zero, was_beyond] =
                    [magnitude, negative, zero, beyond].map(|l| self.f.local(l));
                let is_zero = self.f.binary(BinaryOp::Eq, by, no);
                let is_zero = self.f.binary(BinaryOp::Or, was_zero, is_zero);
                let is_beyond = self.f.overflows(BinaryOp::Mul, so_far, by);
                let is_beyond = self.f.binary(BinaryOp::Or, was_beyond, is_beyond);
                let turns = self.f.binary(BinaryOp::Ne, turns, below);
                let product = self.f.binary(BinaryOp::Mul, so_far, by);
                self.set(zero, is_zero);
                self.set(beyond, is_beyond);
                self.set(negative, turns);
                self.set(magnitude, product);
            }
        }
    }

    fn add_to(&mut self, local: Local, value: Value) {
        self.push(Stmt::Accumulate { local, op: BinaryOp::Add, value });
    }

    /// The value, with a flag where it is not in its type.
    pub fn exact_value(&mut self, exact: &Exact) -> Value {
        match *exact {
            Exact::Sum { ty, sum } => {
                let sum = self.f.local(sum);
                self.narrowed_to(ty, sum, None)
            }
            Exact::Halves { ty, upper, whole } => {
                let [upper, whole] = [upper, whole].map(|l| self.f.local(l));
                let half = self.f.int(HALF);
                // The sum of the lower halves is in 64 bits, so that what wraps shows it.
                let shifted = self.f.int_op(IntOp::Shl, upper, half);
                let lower = self.f.sub(whole, shifted);
                let carry = self.f.int_op(IntOp::Shr, lower, half);
                let upper = self.f.add(upper, carry);
                let high = self.f.int_op(IntOp::Shl, upper, half);
                let back = self.f.int_op(IntOp::Sar, high, half);
                let cond = self.f.binary(BinaryOp::Ne, back, upper);
                self.push(Stmt::Flag { cond });
                match ty {
                    ScalarType::I64 => whole,
                    _ => self.narrowed_to(ty, whole, None),
                }
            }
            Exact::Product { ty, magnitude, negative, zero, beyond } => {
                let [magnitude, negative, zero, beyond] =
                    [magnitude, negative, zero, beyond].map(|l| self.f.local(l));
                let ends = [1 << 63, (1 << 63) - 1].map(|end| self.f.constant(Scalar::U64(end)));
                let most = self.f.select(negative, ends[0], ends[1]);
                let above = self.f.binary(BinaryOp::Gt, magnitude, most);
                let beyond = self.f.binary(BinaryOp::Or, beyond, above);
                let plain = self.f.bitcast(ScalarType::I64, magnitude);
                let none = self.f.int(0);
                let turned = self.f.sub(none, plain);
                let product = self.f.select(negative, turned, plain);
                let product = self.f.select(zero, none, product);
                let counts = self.f.unary(UnaryOp::Not, zero);
                let beyond = self.f.binary(BinaryOp::And, beyond, counts);
                self.narrowed_to(ty, product, Some(beyond))
            }
        }
    }

    /// A number of 64 bits in a type, with a flag where it is not in it, or another
    /// condition holds.
    fn narrowed_to(&mut self, ty: ScalarType, exact: Value, beyond: Option<Value>) -> Value {
        let value = self.f.cast(ty, exact);
        let back = self.f.cast(ScalarType::I64, value);
        let mut cond = self.f.binary(BinaryOp::Ne, back, exact);
        if let Some(beyond) = beyond {
            cond = self.f.binary(BinaryOp::Or, cond, beyond);
        }
        self.push(Stmt::Flag { cond });
        value
    }
}

/// The factors of a product of up to 32 bits whose exact value counts in a sum.
pub(crate) fn exact_factors(body: &Body<'_>, e: ExprId) -> Option<(ExprId, ExprId)> {
    let exprs = &body.assignment.exprs;
    match exprs.get(e) {
        Expr::Binary(BinaryOp::Mul, x, y, Some(_))
            if exprs.ty(e).is_signed() && exprs.ty(e).bytes() <= 4 =>
        {
            Some((*x, *y))
        }
        _ => None,
    }
}
