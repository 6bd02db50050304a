//! Entering calls and blocks in cell code: once for the indices that they depend on, at
//! however many places and cells their values are wanted.

use crate::depend::Iters;
use crate::env::EnvId;
use crate::frame::Frame;
use crate::stager::Stager;
use weft_base::Span;
use weft_sema::thir::{Block, Call};

/// A call or block by its place in the program, where it is entered from, and over which
/// space and under which path.
pub(crate) type EnterKey = (*const (), EnvId, String);

/// What was entered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entered {
    /// The environment, in which the names of the block are bound.
    pub env: EnvId,
    /// Whether anything in it was lifted under the path.
    lifts: bool,
}

impl<'p> Stager<'p> {
    /// The environment of a call in cell code, with the names of the function bound.
    pub fn enter_cell_call(
        &mut self,
        call: &'p Call,
        env: EnvId,
        frame: &mut Frame<'p>,
        span: Span,
    ) -> EnvId {
        let make = |this: &mut Self, around: &mut Frame<'p>| {
            let inner = this.enter_call(call, env, Some(around));
            let block = &this.body(inner).block;
            this.bind_statements(block, inner, around);
            inner
        };
        if !self.bodies.tensors.contains(&call.body) {
            // Nothing in it is a tensor of its own.
            return make(self, frame);
        }
        let place = std::ptr::from_ref(call).cast();
        let depends = self.call_depends(call, env);
        self.entered_once((place, env), depends, span, frame, make)
    }

    /// The environment of a block in cell code, with its names bound.
    pub fn enter_cell_block(
        &mut self,
        block: &'p Block,
        env: EnvId,
        frame: &mut Frame<'p>,
        span: Span,
    ) -> EnvId {
        let make = |this: &mut Self, around: &mut Frame<'p>| {
            let inner = this.child(env);
            this.bind_statements(block, inner, around);
            inner
        };
        if block.stmts.is_empty() {
            return make(self, frame);
        }
        let place = std::ptr::from_ref(block).cast();
        let depends = self.block_depends(block, env);
        self.entered_once((place, env), depends, span, frame, make)
    }

    fn entered_once(
        &mut self,
        (place, env): (*const (), EnvId),
        depends: Iters,
        span: Span,
        frame: &mut Frame<'p>,
        make: impl FnOnce(&mut Self, &mut Frame<'p>) -> EnvId,
    ) -> EnvId {
        let mut around = self.narrowed(frame, depends, span);
        let key = (place, env, around.signature());
        let entered = match self.unit.entered.get(&key) {
            Some(known) => *known,
            None => {
                let inner = make(self, &mut around);
                let entered = Entered { env: inner, lifts: around.has_lifted() };
                self.unit.entered.insert(key, entered);
                entered
            }
        };
        if entered.lifts {
            frame.lifts(&around);
        }
        entered.env
    }

    fn bind_statements(&mut self, block: &'p Block, env: EnvId, frame: &mut Frame<'p>) {
        block.stmts.iter().for_each(|stmt| self.bind_statement(stmt, env, frame));
    }
}
