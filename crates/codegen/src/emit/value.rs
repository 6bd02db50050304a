//! Values of expressions in a vector loop.

use inkwell::values::{BasicValueEnum, IntValue, PointerValue};

/// A value across the lanes of a vector; in scalar code always [`Value::Uniform`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Value<'c> {
    /// The same in every lane: a scalar.
    Uniform(BasicValueEnum<'c>),
    /// An `i64` that is `base + lane * step`, wrapping.
    Linear {
        /// In lane 0.
        base: IntValue<'c>,
        /// From lane to lane.
        step: IntValue<'c>,
    },
    /// A vector of one value per lane.
    Varying(BasicValueEnum<'c>),
}

/// Where a local lives.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Slot<'c> {
    /// Not set yet.
    #[default]
    Unset,
    /// Set once: the value itself.
    Fixed(Value<'c>),
    /// In memory, which later becomes a register; of one lane or of as many as the loop has.
    Cell {
        /// The address.
        at: PointerValue<'c>,
        /// 1 or the lanes of the vector loop around.
        lanes: u32,
    },
}
