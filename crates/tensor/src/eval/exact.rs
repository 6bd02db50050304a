//! Sums and products of integers by their exact values, which alone must be in the type.

use super::program::AccPlan;
use crate::{Accumulator, Expr, ExprId, Exprs};
use weft_scalar::eval::{self, Trap};
use weft_scalar::{BinaryOp, Scalar, ScalarType};

/// The factors of an exact sum's terms: those of the product that the body is, as far as
/// nothing else needs what they make. Of other accumulations the body alone.
pub(super) fn factors(exprs: &Exprs, kind: Accumulator, body: ExprId) -> Vec<ExprId> {
    if !matches!(kind, Accumulator::ExactSum(_)) {
        return vec![body];
    }
    let mut uses = vec![0_u32; exprs.len()];
    for id in exprs.ids() {
        exprs.get(id).operands().iter().for_each(|x| uses[x.as_u32() as usize] += 1);
    }
    let (mut found, mut stack) = (Vec::new(), vec![body]);
    while let Some(e) = stack.pop() {
        let own = uses[e.as_u32() as usize] == u32::from(e != body);
        match exprs.get(e) {
            Expr::Binary(BinaryOp::Mul, a, b, Some(_)) if own => stack.extend([*b, *a]),
            _ => found.push(e),
        }
    }
    found
}

/// Begins an exact accumulation.
pub(super) fn start(acc: &AccPlan, frame: &mut [u64]) {
    let product = matches!(acc.kind, Accumulator::ExactProd(_));
    frame[acc.best as usize] = u64::from(product);
    frame[acc.seen as usize] = 0;
    frame[acc.argument as usize] = 0;
}

/// Takes in the next term.
pub(super) fn take(acc: &AccPlan, frame: &mut [u64]) -> Result<(), Trap> {
    match acc.kind {
        Accumulator::ExactProd(_) => multiply(acc, frame),
        _ => return add(acc, frame),
    }
    Ok(())
}

/// The value, if it is in the type.
pub(super) fn value(acc: &AccPlan, frame: &[u64]) -> Result<u64, Trap> {
    let exact = match acc.kind {
        Accumulator::ExactProd(_) => product(acc, frame),
        _ => sum(acc, frame),
    };
    let exact = exact.filter(|&v| eval::is_within(acc.ty, v)).ok_or(Trap::Overflow)?;
    Ok(Scalar::from_i64(acc.ty, exact as i64).bits())
}

fn integer(ty: ScalarType, bits: u64) -> i128 {
    Scalar::from_bits(ty, bits).as_i64().expect("exact values are of bounded integers").into()
}

/// Adds a term to three words. Terms are products of few factors: one beyond 127 bits is a
/// failure by itself.
fn add(acc: &AccPlan, frame: &mut [u64]) -> Result<(), Trap> {
    let mut term: i128 = 1;
    let mut beyond = false;
    for &slot in &acc.factors {
        let factor = integer(acc.ty, frame[slot as usize]);
        let product = term.checked_mul(factor);
        beyond = (beyond || product.is_none()) && factor != 0;
        term = product.unwrap_or(1);
        if factor == 0 {
            term = 0;
        }
    }
    if beyond {
        return Err(Trap::Overflow);
    }
    let words = [acc.best, acc.seen, acc.argument].map(|slot| slot as usize);
    let parts = [term as u64, (term >> 64) as u64, (term >> 127) as u64];
    let mut carry = 0_u128;
    for (word, part) in words.into_iter().zip(parts) {
        let sum = u128::from(frame[word]) + u128::from(part) + carry;
        frame[word] = sum as u64;
        carry = sum >> 64;
    }
    Ok(())
}

fn sum(acc: &AccPlan, frame: &[u64]) -> Option<i128> {
    let [low, mid, high] = [acc.best, acc.seen, acc.argument].map(|s| frame[s as usize]);
    let value = (i128::from(mid as i64) << 64) | i128::from(low);
    (high as i64 == (mid as i64) >> 63).then_some(value)
}

/// Marks of a product whose magnitude is one word.
const NEGATIVE: u64 = 1;
const TOO_LARGE: u64 = 2;

fn multiply(acc: &AccPlan, frame: &mut [u64]) {
    let factor = integer(acc.ty, frame[acc.factors[0] as usize]);
    let (magnitude, marks) = (acc.best as usize, acc.seen as usize);
    if factor < 0 {
        frame[marks] ^= NEGATIVE;
    }
    let by = factor.unsigned_abs() as u64;
    match frame[magnitude].checked_mul(by) {
        Some(0) => (frame[magnitude], frame[marks]) = (0, 0),
        Some(product) => frame[magnitude] = product,
        None => frame[marks] |= TOO_LARGE,
    }
}

fn product(acc: &AccPlan, frame: &[u64]) -> Option<i128> {
    let (magnitude, marks) = (frame[acc.best as usize], frame[acc.seen as usize]);
    let value = i128::from(magnitude);
    match (magnitude, marks & TOO_LARGE) {
        (0, _) => Some(0),
        (_, 0) => Some(if marks & NEGATIVE == 0 { value } else { -value }),
        _ => None,
    }
}
