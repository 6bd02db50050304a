//! Whether two accesses can meet, by bounds alone.

use crate::{Read, Statement};
use weft_base::entity::EntityRef;
use weft_domain::{Affine, Constraint, Ends, Iter};
use weft_shape::Facts;

/// Names for the iterators of two pieces beside loop variables; far above any of them.
const READER: usize = 1 << 20;
const WRITER: usize = 1 << 24;

/// A statement where loops around it give some of its iterators their values.
#[derive(Clone, Copy)]
pub struct Access<'a> {
    /// The statement.
    pub statement: &'a Statement,
    /// Values of iterators, in terms of loop variables.
    pub bound: &'a [(Iter, Affine)],
    /// Conditions under which the loops run it.
    pub when: &'a [Constraint],
}

/// Iterators as terms over loop variables, those without a value moved behind `base`.
pub fn renaming(bound: &[(Iter, Affine)], base: usize) -> impl Fn(Iter) -> Affine + use<'_> {
    move |i| match bound.iter().find(|(b, _)| *b == i) {
        Some((_, term)) => term.clone(),
        None => Affine::iter(Iter::new(base + i.as_u32() as usize)),
    }
}

/// Whether the cells that a read of `reader` looks at are surely none that `writer` writes, both
/// at the same step of the loops around them.
pub fn never_meet(reader: Access<'_>, read: &Read, writer: Access<'_>, facts: &Facts) -> bool {
    let (from, to) = (renaming(reader.bound, READER), renaming(writer.bound, WRITER));
    let scopes = || {
        // Loop variables have one value for both: they are no ranges to be eliminated.
        let is_free = |i: Iter| i.as_u32() as usize >= READER;
        let mut scope = reader.statement.scope_at(read).renamed(&from, &is_free)?;
        let other = writer.statement.scope_of_instances().renamed(&to, &is_free)?;
        scope.ranges.extend(other.ranges);
        scope.guards.extend(other.guards);
        for c in reader.when.iter().chain(writer.when) {
            scope.add_guard(c);
        }
        Some(scope)
    };
    let Some(scope) = scopes() else { return false };
    let ends = Ends::new(&scope);
    let apart = |r: &Affine, w: &Affine| {
        let d = r.compose(&from)?.minus(&w.compose(&to)?)?;
        Some(ends.at_most(&d, -1, facts) || ends.at_least(&d, 1, facts))
    };
    read.index.iter().zip(&writer.statement.write).any(|(r, w)| apart(r, w).unwrap_or(false))
}
