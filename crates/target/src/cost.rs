//! About how long operators take, in additions.
//!
//! These decide what is computed again rather than stored, and whether threads are worth waking:
//! they may be off by a factor. They are the same for all processors that code is made for.
//! Counts of operations that users see (`--time`, claims of `flops`) are no costs: there each
//! operator counts as one.

use weft_scalar::{BinaryOp, CostClass, UnaryOp};

/// Additions that take as long as an operator of a class.
pub const fn additions(class: CostClass) -> u64 {
    match class {
        CostClass::Simple => 1,
        CostClass::Rounding => 2,
        CostClass::Division => 6,
        CostClass::Root => 8,
        CostClass::Function => 20,
        CostClass::Power => 30,
    }
}

/// Additions that take as long as an operator of one operand.
pub fn additions_of_unary(op: UnaryOp) -> u64 {
    additions(op.cost())
}

/// Additions that take as long as an operator of two operands.
pub fn additions_of_binary(op: BinaryOp) -> u64 {
    additions(op.cost())
}
