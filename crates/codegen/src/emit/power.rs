//! Powers whose exponent is the same in all lanes: a loop over its bits, not over all it might be.
//!
//! The steps are those of the program of powers, so that the bits are.

use super::arith::Arith;
use super::machine::LlvmMachine;
use super::ops::{V, built, lanes_of};
use inkwell::IntPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{InstructionOpcode as Op, PhiValue};
use weft_scalar::ScalarType;
use weft_scalar::program::Machine;
use weft_scalar::program::pow::{long_power, power_by};
use weft_scalar::program::product::{Product, exponent, is_short, root};

impl<'c> Arith<'_, 'c> {
    /// A power by a known exponent.
    pub(super) fn power_by(&self, ty: ScalarType, x: V<'c>, y: f64) -> V<'c> {
        self.by_float(ty, |ty| power_by(&LlvmMachine::new(self.ops, ty, lanes_of(x)), x, y))
    }

    /// A power of lanes by one exponent, found when the program runs.
    pub(super) fn power_by_one(&self, ty: ScalarType, x: V<'c>, y: V<'c>) -> V<'c> {
        self.by_float(ty, |ty| {
            let y = LlvmMachine::new(self.ops, ty, 1).widen(y);
            LlvmMachine::new(self.ops, ty, lanes_of(x))
                .widened([x], |m, [x]| self.by_cases(m, x, y))
        })
    }

    /// The cases of `f64`, each in a block of its own.
    fn by_cases(&self, m: &LlvmMachine<'_, 'c>, x: V<'c>, y: V<'c>) -> V<'c> {
        let one = LlvmMachine::new(self.ops, ScalarType::F64, 1);
        let [short, other, half, long, end] =
            ["product", "no.product", "root", "power", "raised"].map(|name| self.block(name));
        self.fork(is_short(&one, y), short, other);
        self.ops.builder.position_at_end(short);
        let product = self.product(m, x, exponent(&one, y));
        let short_end = self.leave(end);
        self.ops.builder.position_at_end(other);
        self.fork(one.eq(y, one.float(0.5)), half, long);
        self.ops.builder.position_at_end(half);
        let of_half = root(m, x);
        let half_end = self.leave(end);
        self.ops.builder.position_at_end(long);
        let of_long = long_power(m, x, self.ops.splat(y, lanes_of(x)));
        let long_end = self.leave(end);
        self.ops.builder.position_at_end(end);
        let phi = self.phi(x);
        phi.add_incoming(&[(&product, short_end), (&of_half, half_end), (&of_long, long_end)]);
        phi.as_basic_value()
    }

    /// `x` to an exponent of a few bits: the factors are the squares of those that are set.
    fn product(&self, m: &LlvmMachine<'_, 'c>, x: V<'c>, n: V<'c>) -> V<'c> {
        let before = self.ops.builder.get_insert_block().expect("the builder is positioned");
        let [head, set, next, end] =
            ["bit", "factor", "square", "product.end"].map(|name| self.block(name));
        let (none, all) = (self.ops.i64(0).into(), [m.float(1.0), m.float(0.0), x, m.float(0.0)]);
        let enter = self.ops.builder;
        built(enter.build_unconditional_branch(head));
        enter.position_at_end(head);
        let now = all.map(|v| self.phi(v));
        let left = self.phi(n);
        let [high, low, square, rest] = now.map(|phi| phi.as_basic_value());
        let result = Product { high, low: Some(low) };
        let square = Product { high: square, low: Some(rest) };
        let n_left = left.as_basic_value();
        let more = self.ops.icmp(IntPredicate::NE, n_left, none);
        let first = self.block("bit.of");
        self.fork(more, first, end);
        enter.position_at_end(first);
        let bit = self.ops.bin(Op::And, n_left, self.ops.i64(1).into());
        self.fork(self.ops.icmp(IntPredicate::NE, bit, none), set, next);
        enter.position_at_end(set);
        let product = result.times(m, square);
        built(enter.build_unconditional_branch(next));
        enter.position_at_end(next);
        let chosen = [(product.high, high), (product.low.expect("a product has it"), low)];
        let chosen = chosen.map(|(new, old)| {
            let phi = self.phi(old);
            phi.add_incoming(&[(&new, set), (&old, first)]);
            phi.as_basic_value()
        });
        let squared = square.times(m, square);
        let shifted = self.ops.bin(Op::LShr, n_left, self.ops.i64(1).into());
        built(enter.build_unconditional_branch(head));
        let after = [chosen[0], chosen[1], squared.high, squared.low.expect("a product has it")];
        for ((phi, first), then) in now.into_iter().zip(all).zip(after) {
            phi.add_incoming(&[(&first, before), (&then, next)]);
        }
        left.add_incoming(&[(&n, before), (&shifted, next)]);
        enter.position_at_end(end);
        result.value(m)
    }

    fn block(&self, name: &str) -> BasicBlock<'c> {
        let here = self.ops.builder.get_insert_block().expect("the builder is positioned");
        self.ops.context().insert_basic_block_after(here, name)
    }

    fn fork(&self, c: V<'c>, yes: BasicBlock<'c>, no: BasicBlock<'c>) {
        built(self.ops.builder.build_conditional_branch(c.into_int_value(), yes, no));
    }

    /// Goes on at a block; gives the one that is left.
    fn leave(&self, to: BasicBlock<'c>) -> BasicBlock<'c> {
        let here = self.ops.builder.get_insert_block().expect("the builder is positioned");
        built(self.ops.builder.build_unconditional_branch(to));
        here
    }

    fn phi(&self, like: V<'c>) -> PhiValue<'c> {
        built(self.ops.builder.build_phi(like.get_type(), ""))
    }
}
