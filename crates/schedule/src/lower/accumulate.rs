//! Accumulators in locals: how values meet, and what comes out.

use crate::lower::block::BlockKind;
use crate::lower::body::Body;
use crate::lower::emitter::Emitter;
use crate::lower::exact::{Exact, exact_factors};
use crate::lower::nest::operator;
use weft_domain::Iter;
use weft_loops::{Expr as Value, Local, Stmt};
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_tensor::{Accumulator, ExprId};

/// The locals of one accumulation.
pub(crate) enum Acc {
    /// `local = local op value`.
    Operator { kind: Accumulator, op: BinaryOp, local: Local },
    /// The exact value of a sum or product of integers.
    Exact(Exact),
    /// The best value so far, where it was, and whether there was any.
    Extremum { largest: bool, at: Iter, best: Local, place: Local, found: Local },
}

impl<'p> Emitter<'p> {
    /// Starts an accumulation of a node's values, where a mask holds.
    pub fn accumulator_of(
        &mut self,
        body: &Body<'p>,
        kind: Accumulator,
        (mask, value, out): (Option<ExprId>, ExprId, ScalarType),
        order: &[Iter],
        start: Option<Value>,
    ) -> Acc {
        let exact = matches!(kind, Accumulator::ExactSum(_)) && mask.is_none();
        if exact && exact_factors(body, value).is_some() {
            return Acc::Exact(self.exact((BinaryOp::Add, true), out, start));
        }
        self.accumulator(kind, body.assignment.exprs.ty(value), out, order, start)
    }

    /// Starts an accumulation of values of type `ty`; of the reduced iterators `order`
    /// an arg-accumulator names one.
    pub fn accumulator(
        &mut self,
        kind: Accumulator,
        ty: ScalarType,
        out: ScalarType,
        order: &[Iter],
        start: Option<Value>,
    ) -> Acc {
        if let Accumulator::ArgMax(n) | Accumulator::ArgMin(n) = kind {
            let largest = matches!(kind, Accumulator::ArgMax(_));
            return self.extremum(largest, ty, order[usize::from(n)]);
        }
        let op = operator(kind).expect("a reduction has an operator");
        if kind.site().is_some() {
            return Acc::Exact(self.exact((op, false), out, start));
        }
        let local = self.local(kind.name(), out);
        let start = start.unwrap_or_else(|| self.f.constant(kind.identity(out)));
        self.set(local, start);
        Acc::Operator { kind, op, local }
    }

    fn extremum(&mut self, largest: bool, ty: ScalarType, at: Iter) -> Acc {
        let (best, place) = (self.local("best", ty), self.local("place", ScalarType::I64));
        let found = self.local("found", ScalarType::Bool);
        let zero = self.f.constant(Scalar::zero(ty));
        let (nowhere, no) = (self.f.int(-1), self.f.constant(Scalar::Bool(false)));
        self.set(best, zero);
        self.set(place, nowhere);
        self.set(found, no);
        Acc::Extremum { largest, at, best, place, found }
    }

    /// Puts a value in the place of what an operator has accumulated.
    pub fn restart(&mut self, acc: &Acc, value: Value) {
        let Acc::Operator { local, .. } = *acc else { panic!("an extremum is more than a value") };
        self.set(local, value);
    }

    /// Takes in the value of a point, if the mask holds there.
    pub fn accumulate(
        &mut self,
        body: &mut Body<'p>,
        acc: &Acc,
        mask: Option<ExprId>,
        value: ExprId,
    ) {
        let base = self.top();
        self.skip_if_settled(body, acc, mask, value);
        match (mask, acc) {
            (Some(mask), Acc::Operator { kind, op, local }) if body.nodes.may_select(value) => {
                // A point that contributes nothing contributes the identity.
                let cond = self.noted(body, mask);
                let v = self.noted_where(body, cond, value);
                let none = self.f.constant(kind.identity(self.f.ty(v)));
                let v = self.f.select(cond, v, none);
                self.push(Stmt::Accumulate { local: *local, op: *op, value: v });
            }
            (Some(mask), Acc::Exact(exact @ (Exact::Sum { .. } | Exact::Halves { .. })))
                if body.nodes.may_select(value) =>
            {
                let cond = self.noted(body, mask);
                let v = self.noted_where(body, cond, value);
                let none = self.f.constant(Scalar::zero(self.f.ty(v)));
                let v = self.f.select(cond, v, none);
                self.take_exactly(exact, v);
            }
            _ => {
                if let Some(mask) = mask {
                    let cond = self.noted(body, mask);
                    self.open(BlockKind::Branch(cond));
                }
                let v = self.term_of(body, acc, value);
                self.take(body, acc, v);
            }
        }
        while self.top() > base {
            self.close();
        }
    }

    /// `all` and `any` do not evaluate what cannot change them, where that could fail.
    fn skip_if_settled(&mut self, body: &Body<'p>, acc: &Acc, mask: Option<ExprId>, value: ExprId) {
        let fails = body.nodes.get(value).traps || mask.is_some_and(|m| body.nodes.get(m).traps);
        let Acc::Operator { kind, local, .. } = acc else { return };
        let current = self.f.local(*local);
        match kind {
            Accumulator::All if fails => self.open(BlockKind::Branch(current)),
            Accumulator::Any if fails => {
                let open = self.f.unary(weft_scalar::UnaryOp::Not, current);
                self.open(BlockKind::Branch(open));
            }
            _ => {}
        }
    }

    /// Takes in a value.
    pub fn take(&mut self, body: &Body<'p>, acc: &Acc, v: Value) {
        match *acc {
            Acc::Operator { op, local, .. } => {
                self.push(Stmt::Accumulate { local, op, value: v });
            }
            Acc::Exact(ref exact) => self.take_exactly(exact, v),
            Acc::Extremum { largest, at, best, place, found } => {
                let (now, known) = (self.f.local(best), self.f.local(found));
                let better = self.better(largest, v, now);
                let first = self.f.unary(weft_scalar::UnaryOp::Not, known);
                let cond = self.f.binary(BinaryOp::Or, first, better);
                self.open(BlockKind::Branch(cond));
                self.set(best, v);
                self.set(place, body.iter_value(at));
                let yes = self.f.constant(Scalar::Bool(true));
                self.set(found, yes);
                self.close();
            }
        }
    }

    /// Whether `v` beats `now`: NaN beats every number, equal ones do not beat.
    pub fn better(&mut self, largest: bool, v: Value, now: Value) -> Value {
        let op = if largest { BinaryOp::Gt } else { BinaryOp::Lt };
        let beats = self.f.binary(op, v, now);
        if !self.f.ty(v).is_float() {
            return beats;
        }
        let nan = self.f.binary(BinaryOp::Ne, v, v);
        let number = self.f.binary(BinaryOp::Eq, now, now);
        let first_nan = self.f.binary(BinaryOp::And, nan, number);
        self.f.binary(BinaryOp::Or, beats, first_nan)
    }

    /// The value of an accumulation after its last point.
    pub fn result(&mut self, acc: &Acc) -> Value {
        match acc {
            Acc::Operator { local, .. } => self.f.local(*local),
            Acc::Exact(exact) => self.exact_value(exact),
            Acc::Extremum { place, .. } => self.f.local(*place),
        }
    }
}
