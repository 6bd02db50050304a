//! The tensor level: identities, index spaces, projections, assignments, the graph.
//!
//! A tensor here is an identity; it holds no numbers. Everything that computes is an
//! [`Assignment`]: an index space, a write projection, read projections inside a scalar
//! body, and an accumulator. This crate holds the meaning (types, text form, equations,
//! verifier, reference evaluator), never passes.

mod array;
mod assignment;
mod elements;
mod equation;
pub mod eval;
mod expr;
mod graph;
mod index;
mod parse;
mod print;
mod reads;
mod substitute;
mod verify;
mod words;

pub use array::{Array, Data, Element};
pub use assignment::{Accumulator, Assignment};
pub use elements::{Elements, Owner};
pub use equation::{Called, Equation, Unwritten, affine_text, equations, written_name};
pub use expr::{Expr, ExprId, Exprs, Reduction};
pub use graph::{AssignId, Axis, Definition, Graph, ParamInfo, Site, SiteId, Tensor, TensorId};
pub use index::IndexTerm;
pub use parse::{ParseError, parse};
pub use print::print;
pub use reads::{ReadAt, compute_demand, iters_of, reachable, reachable_from, reads};
pub use substitute::{rewrite, substitute};
pub use verify::verify;
pub use weft_domain::{Affine, Constraint, Dim, Iter, Range, Relation, Space};
pub use words::Words;
