//! The loop level: loops, guards, loads and stores over flat buffers.
//!
//! A [`Function`] is one kernel. It is structured (no jumps but [`Stmt::Trap`]), typed
//! by [`weft_scalar::ScalarType`], and holds its expressions in one interned pool, where
//! operands precede their users. Here are the types, one printer and one parser of the
//! text form, one verifier and one interpreter; passes and machine code live elsewhere.
//!
//! # Meaning
//!
//! - An expression is pure and is evaluated whole, once, where the statement that holds
//!   it runs; one id in two statements is evaluated twice.
//! - Every operator is total. Integer `Div`, `Rem`, `FloorDiv` and `FloorMod` by 0 act as
//!   if the divisor were 1, the least integer by -1 wraps, and integer `Pow` takes a
//!   negative exponent for 0: a lowering that wants these to fail tests for them and
//!   traps. Shift counts are taken modulo the width.
//! - Loads and stores must be in bounds: the interpreter reports it, machine code does not.
//! - Iterations of [`ForKind::Parallel`] and [`ForKind::Vector`] loops are independent
//!   but for [`Stmt::Accumulate`] and, in vector loops, [`Stmt::Scan`]. A local that such a loop's body sets is private to the
//!   iteration.
//! - Of several traps that a vector loop would meet, the one is reported that lanes get
//!   to first, and of one statement the first lane's: to have the least iteration
//!   reported, a vector loop holds one trap, and in no loop of its own.
//! - A function that is not [`Function::strict`] may have a multiplication and the
//!   addition that uses it fused, and the terms of an `Accumulate` or `Scan` that crosses a vector
//!   or parallel loop combined in another order, fixed by extents and lanes, never by
//!   threads. A strict one computes exactly as written.

pub mod eval;
mod expr;
mod function;
mod ids;
pub mod interp;
mod parse;
mod print;
#[doc(hidden)]
pub mod random;
mod stmt;
mod trip_count;
pub mod verify;
mod work;

pub use expr::{ExprData, IntOp};
pub use function::{BufferDecl, BufferKind, Function, LocalDecl, ParamDecl, VarDecl};
pub use ids::{Buffer, Expr, Local, Param, Var};
pub use parse::{ParseError, parse};
pub use stmt::{For, ForKind, Stmt};
pub use verify::verify;
pub use work::flops;
