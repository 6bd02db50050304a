//! Dependences of a graph: which instance of a statement reads what another one writes.
//!
//! A [`Statement`] is one assignment, of which each point of the iterators that its write terms
//! mention is an instance. It knows what each of its [`Read`]s looks at and all that holds where
//! that is evaluated: ranges, guards, the conditions and checks on the way, in the data that
//! indices are made of as well. What that says of an order is asked in two ways:
//!
//! - by bounds: the [`Distance`] of a read along one axis, and whether two accesses
//!   [`never_meet`]; cheap, and often enough;
//! - by relations ([`pairs`], [`instances`]): all pairs of instances that may meet, for integer
//!   sets to decide, and for schedules by Farkas' lemma (Feautrier, 1992).
//!
//! Nothing here knows of loops or orders; [`print`] writes down what is found.

mod conditions;
mod data;
mod distance;
mod meet;
mod print;
mod recurrent;
mod relation;
mod solve;
mod statement;
mod terms;

pub use conditions::{as_guards, known_at, strip};
pub use distance::Distance;
pub use meet::{Access, never_meet, renaming};
pub use print::print;
pub use recurrent::recurrent_tensors;
pub use relation::{as_reader, as_writer, coordinates, instances, pairs, writers_iter};
pub use solve::{Solved, solve, unit_iter};
pub use statement::{Read, Statement, Statements, scope_of, scope_under};
pub use terms::{Terms, conjuncts, is_scatter};
