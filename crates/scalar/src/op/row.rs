//! Rows of the tables of operators.

use super::Flow;
use crate::ScalarType;

/// The types that an operator takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operands {
    /// Truth values.
    Bool,
    /// Integers, whose bits count.
    Integer,
    /// Floats.
    Float,
    /// Integers and floats.
    Number,
    /// All types.
    Any,
}

impl Operands {
    /// Whether a type is among them.
    pub fn takes(self, ty: ScalarType) -> bool {
        match self {
            Operands::Bool => ty == ScalarType::Bool,
            Operands::Integer => ty.is_int(),
            Operands::Float => ty.is_float(),
            Operands::Number => ty != ScalarType::Bool,
            Operands::Any => true,
        }
    }
}

/// About how long an operator takes; processors say how long that is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CostClass {
    /// An addition.
    Simple,
    /// Nearest whole numbers.
    Rounding,
    /// A division.
    Division,
    /// A square root.
    Root,
    /// An elementary function.
    Function,
    /// A power.
    Power,
}

/// The kind of an operator of two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A number computed from numbers, which integers of less than 32 bits are computed in
    /// `i32` for.
    Arithmetic,
    /// An elementary function.
    Function,
    /// One of the operands.
    Extremum,
    /// A truth value of an order.
    Comparison,
    /// A truth value of truth values.
    Logic,
    /// The bits of integers, place by place.
    Bits,
    /// The bits of an integer moved by a count.
    Shift,
}

/// An operator of one operand; the value has the type of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnaryRow {
    pub name: &'static str,
    pub operands: Operands,
    pub cost: CostClass,
    pub derivative: Option<&'static Flow>,
    pub tested: (f64, f64),
}

/// An operator of two operands of one type.
#[derive(Clone, Copy, Debug)]
pub(super) struct BinaryRow {
    pub name: &'static str,
    pub operands: Operands,
    pub kind: Kind,
    pub cost: CostClass,
    pub derivatives: [Option<&'static Flow>; 2],
}

/// The enum of operators of one operand, their rows and their programs.
macro_rules! unary_operators {
    ($(
        $(#[$doc:meta])*
        $op:ident $name:literal $operands:ident $cost:ident $flow:tt,
            $least:literal .. $greatest:literal $(, $program:tt)?;
    )*) => {
        /// An operator of one operand.
        ///
        /// Elementary functions and roundings take a float and give the same type.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum UnaryOp { $($(#[$doc])* $op,)* }

        const UNARY: &[UnaryRow] = &[$(UnaryRow {
            name: $name,
            operands: Operands::$operands,
            cost: CostClass::$cost,
            derivative: some_flow!($flow),
            tested: ($least, $greatest),
        },)*];

        impl UnaryOp {
            /// Every operator.
            pub const ALL: [UnaryOp; UNARY.len()] = [$(UnaryOp::$op,)*];

            /// Computes an elementary function on a machine; `None` if this is none.
            pub(crate) fn program<M: Machine>(self, m: &M, x: M::F) -> Option<M::F> {
                match self {
                    $($(UnaryOp::$op => Some(run_program!($program, m, x)),)?)*
                    _ => None,
                }
            }
        }
    };
}

/// The enum of operators of two operands, their rows and their programs.
macro_rules! binary_operators {
    ($(
        $(#[$doc:meta])*
        $op:ident $name:literal $operands:ident $kind:ident $cost:ident $by_a:tt, $by_b:tt
            $(, $program:tt)?;
    )*) => {
        /// An operator of two operands of one type.
        ///
        /// Comparisons give `bool`; all others give the operands' type.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum BinaryOp { $($(#[$doc])* $op,)* }

        const BINARY: &[BinaryRow] = &[$(BinaryRow {
            name: $name,
            operands: Operands::$operands,
            kind: Kind::$kind,
            cost: CostClass::$cost,
            derivatives: [some_flow!($by_a), some_flow!($by_b)],
        },)*];

        impl BinaryOp {
            /// Every operator.
            pub const ALL: [BinaryOp; BINARY.len()] = [$(BinaryOp::$op,)*];

            /// Computes an elementary function on a machine; `None` if this is none.
            pub(crate) fn program<M: Machine>(self, m: &M, a: M::F, b: M::F) -> Option<M::F> {
                match self {
                    $($(BinaryOp::$op => Some(run_program!($program, m, a, b)),)?)*
                    _ => None,
                }
            }
        }
    };
}

/// Runs a program, `(file::function)`, or `(wide file::function)` of one that is written for
/// `f64` alone.
macro_rules! run_program {
    (($file:ident :: $function:ident), $m:ident, $($x:ident),*) => {
        program::$file::$function($m, $($x),*)
    };
    ((wide $file:ident :: $function:ident), $m:ident, $($x:ident),*) => {
        $m.widened([$($x),*], |wide, [$($x),*]| program::$file::$function(wide, $($x),*))
    };
}

pub(super) use {binary_operators, run_program, unary_operators};
