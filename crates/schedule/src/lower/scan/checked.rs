//! Running sums of integers, each of which must be in its type.
//!
//! What runs wraps. Where each sum is the one before it and a term, and none of these
//! additions leaves the type, none of the sums has: in lanes the one before is what is left
//! without the term. A block that begins with nothing is looked at by itself, and again where
//! what came before is added; there a sum may leave the type that does not in the whole,
//! which whoever calls finds out.

use super::Running;
use crate::lower::body::Body;
use crate::lower::emitter::Emitter;
use crate::recognise::scan::Scan;
use crate::recognise::scan::{Factor, State, Transition};
use weft_loops::{Expr as Value, Stmt};
use weft_scalar::BinaryOp;

impl Scan<'_> {
    /// The term of a running sum that must be in its type.
    fn checked(&self, state: State) -> Option<Factor> {
        match self.transitions[state.cell] {
            Transition::With(BinaryOp::Add, term) => Some(term),
            _ => None,
        }
    }
}

impl<'p> Emitter<'p> {
    /// A flag where a step adds a term to a running sum and leaves the type, by what runs
    /// after it.
    pub(super) fn flag_steps(
        &mut self,
        bodies: &mut [Body<'p>],
        p: &Running<'_, 'p>,
        states: &[Value],
    ) {
        for (state, &sum) in p.states().zip(states) {
            let Some(f) = p.checked(state) else { continue };
            let term =
                self.at_point(&mut bodies[f.part], p, f.point, |this, b| this.value(b, f.expr));
            let before = self.f.binary(BinaryOp::Sub, sum, term);
            self.flag_sum(before, term);
        }
    }

    /// The same where what came before a block is added to what it made of nothing.
    pub(super) fn flag_sums(&mut self, p: &Running<'_, 'p>, states: &[Value], new: &[Vec<Value>]) {
        for ((state, &before), &sum) in p.states().zip(states).zip(new.iter().flatten()) {
            if p.checked(state).is_some() {
                self.flag_sum(before, sum);
            }
        }
    }

    fn flag_sum(&mut self, a: Value, b: Value) {
        let cond = self.f.overflows(BinaryOp::Add, a, b);
        self.push(Stmt::Flag { cond });
    }
}
