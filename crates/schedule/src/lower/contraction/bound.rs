//! Sums of products of integers that are known to fit, by the largest of what is multiplied.
//!
//! No partial sum of a cell is more than the depth times the largest product of the packed
//! operands. Where that fits the type, kernels add what wraps nowhere, and test nothing; where
//! it does not, a flag is raised, and the sums are made in another way.

use crate::lower::body::Body;
use crate::lower::emitter::Emitter;
use crate::recognise::Contraction;
use weft_loops::{Expr as Value, IntOp, Local, Stmt};
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_tensor::ExprId;

/// What is left of a type's range for the rounding of the bound.
const MARGIN: f64 = 1.0 - 1.0 / (1 << 20) as f64;

impl<'p> Emitter<'p> {
    /// The largest of a node's values in a tile, none so far; nothing where nobody asks.
    pub(super) fn open_largest(
        &mut self,
        body: &Body<'p>,
        c: &Contraction,
        node: ExprId,
    ) -> Option<Local> {
        c.bounded.then(|| {
            self.guesses = true;
            let ty = body.assignment.exprs.ty(node);
            let largest = self.local("largest", ty);
            let none = self.f.constant(Scalar::zero(ty));
            self.set(largest, none);
            largest
        })
    }

    /// Takes in a value: itself, or one less than its magnitude.
    pub(super) fn note_largest(&mut self, largest: Option<Local>, value: Value) {
        let Some(local) = largest else { return };
        let ty = self.f.ty(value);
        let last = self.f.constant(Scalar::from_i64(ty, ty.bytes() as i64 * 8 - 1));
        let sign = self.f.int_op(IntOp::Sar, value, last);
        let value = self.f.int_op(IntOp::BitXor, value, sign);
        self.push(Stmt::Accumulate { local, op: BinaryOp::Max, value });
    }

    /// A flag where sums of so many products may leave their type.
    pub(super) fn flag_large_sums(&mut self, (left, right): (Local, Local), terms: Value) {
        let ty = self.f.locals[left].ty;
        let end = Scalar::greatest(ty).as_i64().expect("signed integers have an end") as f64;
        let one = self.f.constant(Scalar::F64(1.0));
        let mut most = self.f.cast(ScalarType::F64, terms);
        for local in [left, right] {
            let largest = self.f.local(local);
            let largest = self.f.cast(ScalarType::F64, largest);
            let largest = self.f.binary(BinaryOp::Add, largest, one);
            most = self.f.binary(BinaryOp::Mul, most, largest);
        }
        let end = self.f.constant(Scalar::F64(end * MARGIN));
        let cond = self.f.binary(BinaryOp::Gt, most, end);
        self.push(Stmt::Flag { cond });
    }
}
