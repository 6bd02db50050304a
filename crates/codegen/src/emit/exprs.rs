//! Expressions: what is the same in all lanes stays scalar, addresses stay linear.

use super::Emitter;
use super::arith::Arith;
use super::divide::Division;
use super::ops::{V, built, is_constant};
use super::value::{Slot, Value};
use inkwell::values::{InstructionOpcode as Op, IntValue};
use weft_loops::{Expr, ExprData, Local};
use weft_scalar::{BinaryOp, ScalarType};

impl<'a, 'c> Emitter<'a, 'c> {
    pub(super) fn arith(&self) -> Arith<'a, 'c> {
        Arith { ops: self.ops, strict: self.function.strict }
    }

    /// Begins a statement: expressions evaluated before are evaluated anew.
    pub(super) fn begin_statement(&mut self) {
        self.statement += 1;
    }

    /// The value of an expression here, evaluated once per statement.
    pub(super) fn eval(&mut self, e: Expr) -> Value<'c> {
        if let Some(value) = self.known(e) {
            return value;
        }
        for e in self.function.reachable(&[e]) {
            if self.known(e).is_none() {
                let value = self.node(e);
                self.values[e] = (self.statement, Some(value));
            }
        }
        self.known(e).expect("operands come first")
    }

    pub(super) fn known(&self, e: Expr) -> Option<Value<'c>> {
        match self.values[e] {
            (statement, value) if statement == self.statement => value,
            _ => None,
        }
    }

    /// The value of an expression with one value per lane; in scalar code the scalar.
    pub(super) fn eval_lanes(&mut self, e: Expr) -> V<'c> {
        let value = self.eval(e);
        self.spread(value)
    }

    /// A value with one value per lane.
    pub(super) fn spread(&self, value: Value<'c>) -> V<'c> {
        match value {
            Value::Uniform(v) => self.ops.splat(v, self.lanes),
            Value::Varying(v) => v,
            Value::Linear { base, step } => {
                let base = self.ops.splat(base.into(), self.lanes);
                let step = self.ops.splat(step.into(), self.lanes);
                let offset = self.ops.bin(Op::Mul, self.ops.iota(self.lanes), step);
                self.ops.bin(Op::Add, base, offset)
            }
        }
    }

    fn node(&mut self, e: Expr) -> Value<'c> {
        let ty = self.function.ty(e);
        let arith = self.arith();
        match self.function.expr(e) {
            ExprData::Const(value) => Value::Uniform(self.ops.constant(value)),
            ExprData::Param(p) => Value::Uniform(self.params[p]),
            ExprData::Var(v) => self.vars[v].expect("verified: inside its loop"),
            ExprData::Local(l) => self.local(l),
            ExprData::SingleThreaded => Value::Uniform(self.is_single_threaded()),
            ExprData::Load { buffer, index } => {
                let index = self.operand(index);
                self.load(buffer, index)
            }
            ExprData::Unary(op, a) => self.lift([a], |[a]| arith.unary(op, ty, a)),
            ExprData::Binary(BinaryOp::Pow, a, b) if ty.is_float() => self.power(ty, a, b),
            ExprData::Binary(op, a, b) => {
                let operands = self.function.ty(a);
                let (x, y) = (self.operand(a), self.operand(b));
                self.linear(op, x, y)
                    .or_else(|| self.divided(Division::of_binary(op), a, b))
                    .or_else(|| self.shared_quotient(op, operands, a, b))
                    .unwrap_or_else(|| self.lift([a, b], |[a, b]| arith.binary(op, operands, a, b)))
            }
            ExprData::Overflows(op, a, b) => {
                let operands = self.function.ty(a);
                self.lift([a, b], |[a, b]| arith.overflows(op, operands, a, b))
            }
            ExprData::Int(op, a, b) => self
                .divided(Division::of_int(op), a, b)
                .unwrap_or_else(|| self.lift([a, b], |[a, b]| arith.int_op(op, ty, a, b))),
            ExprData::Fma(a, b, c) => self.lift([a, b, c], |[a, b, c]| arith.fma(a, b, c)),
            ExprData::Cast(to, a) => {
                let from = self.function.ty(a);
                self.lift([a], |[a]| arith.cast(from, to, a))
            }
            ExprData::Bitcast(to, a) => self.lift([a], |[a]| {
                let lanes = super::ops::lanes_of(a);
                arith.ops.bitcast(a, arith.ops.ty(to, lanes))
            }),
            ExprData::Select(c, a, b) => self.choose(c, a, b),
        }
    }

    /// A power of floats; an exponent of all lanes is looked at once.
    fn power(&self, ty: ScalarType, a: Expr, b: Expr) -> Value<'c> {
        let arith = self.arith();
        if let ExprData::Const(by) = self.function.expr(b)
            && let Some(by) = by.as_f64()
        {
            return self.lift([a], |[a]| arith.power_by(ty, a, by));
        }
        match self.operand(b) {
            Value::Uniform(b) => self.lift([a], |[a]| arith.power_by_one(ty, a, b)),
            _ => self.lift([a, b], |[a, b]| arith.binary(BinaryOp::Pow, ty, a, b)),
        }
    }

    pub(super) fn operand(&self, e: Expr) -> Value<'c> {
        self.known(e).expect("operands come first")
    }

    /// Applies `f` to scalars if all operands are uniform, else to vectors.
    fn lift<const N: usize>(
        &self,
        operands: [Expr; N],
        f: impl FnOnce([V<'c>; N]) -> V<'c>,
    ) -> Value<'c> {
        let values = operands.map(|e| self.operand(e));
        if values.iter().all(|v| matches!(v, Value::Uniform(_))) {
            let scalars = values.map(|v| match v {
                Value::Uniform(v) => v,
                _ => unreachable!("all are uniform"),
            });
            return Value::Uniform(f(scalars));
        }
        Value::Varying(f(values.map(|v| self.spread(v))))
    }

    /// A uniform condition chooses whole values, which then may stay uniform or linear.
    fn choose(&self, c: Expr, a: Expr, b: Expr) -> Value<'c> {
        if let (
            Value::Uniform(c),
            Value::Linear { base: a, step },
            Value::Linear { base: b, step: other },
        ) = (self.operand(c), self.operand(a), self.operand(b))
            && step == other
        {
            let base = self.ops.select(c, a.into(), b.into()).into_int_value();
            return Value::Linear { base, step };
        }
        self.lift([c, a, b], |[c, a, b]| self.ops.select(c, a, b))
    }

    /// Sums, differences and multiples of linear values are linear.
    fn linear(&self, op: BinaryOp, a: Value<'c>, b: Value<'c>) -> Option<Value<'c>> {
        let either = matches!(a, Value::Linear { .. }) || matches!(b, Value::Linear { .. });
        if !either {
            return None;
        }
        let (a_base, a_step) = self.as_linear(a)?;
        let (b_base, b_step) = self.as_linear(b)?;
        let int = |op, a: IntValue<'c>, b: IntValue<'c>| {
            self.ops.bin(op, a.into(), b.into()).into_int_value()
        };
        let (base, step) = match op {
            BinaryOp::Add => (int(Op::Add, a_base, b_base), int(Op::Add, a_step, b_step)),
            BinaryOp::Sub => (int(Op::Sub, a_base, b_base), int(Op::Sub, a_step, b_step)),
            BinaryOp::Mul if matches!(b, Value::Uniform(_)) => {
                (int(Op::Mul, a_base, b_base), int(Op::Mul, a_step, b_base))
            }
            BinaryOp::Mul if matches!(a, Value::Uniform(_)) => {
                (int(Op::Mul, a_base, b_base), int(Op::Mul, b_step, a_base))
            }
            _ => return None,
        };
        Some(normal(base, step))
    }

    fn as_linear(&self, value: Value<'c>) -> Option<(IntValue<'c>, IntValue<'c>)> {
        match value {
            Value::Linear { base, step } => Some((base, step)),
            Value::Uniform(v) if v.is_int_value() => Some((v.into_int_value(), self.ops.i64(0))),
            _ => None,
        }
    }

    pub(super) fn local(&mut self, l: Local) -> Value<'c> {
        match self.locals[l] {
            Slot::Fixed(value) => value,
            Slot::Cell { at, lanes } => {
                let ty = self.ops.ty(self.function.locals[l].ty, lanes);
                let value = built(self.ops.builder.build_load(ty, at, ""));
                if lanes == 1 { Value::Uniform(value) } else { Value::Varying(value) }
            }
            Slot::Unset => unreachable!("verified: assigned before"),
        }
    }

    /// Makes cells for the locals named, of the current number of lanes.
    pub(super) fn new_cell(&mut self, l: Local) {
        let ty: ScalarType = self.function.locals[l].ty;
        let at = built(self.entry.build_alloca(self.ops.ty(ty, self.lanes), ""));
        self.locals[l] = Slot::Cell { at, lanes: self.lanes };
    }
}

/// A linear value, uniform if its step is known to be 0.
fn normal<'c>(base: IntValue<'c>, step: IntValue<'c>) -> Value<'c> {
    let zero = is_constant(step.into()) && step.get_sign_extended_constant() == Some(0);
    if zero { Value::Uniform(base.into()) } else { Value::Linear { base, step } }
}
