//! Dependences as text.

use crate::{Distance, Statements};
use std::fmt::Write;
use weft_domain::{Affine, Scope};
use weft_tensor::{AssignId, Graph};

/// The reads of some statements, one a line: the reading and the written assignment, the cells
/// that are read, and along each axis that the writer's cell moves along with the reader's how
/// far the cell read lies from it.
///
/// ```text
/// a0 reads t0[i0 - 1] of a0 at [-1]
/// a0 reads t0[i3] of a0 at [-5..=-1]
/// ```
pub fn print(graph: &Graph, statements: &Statements) -> String {
    let mut out = String::new();
    for (id, s) in statements.iter() {
        for r in &s.reads {
            let index: Vec<String> = r.index.iter().map(Affine::to_string).collect();
            for &writer in graph.pieces(r.tensor) {
                let scope = s.scope_at(r);
                let at: Vec<String> = distances(graph, &scope, id, &r.index)
                    .map(|d| d.as_ref().map_or_else(|| "?".to_string(), Distance::to_string))
                    .collect();
                let _ = writeln!(
                    out,
                    "{id} reads {}[{}] of {writer} at [{}]",
                    r.tensor,
                    index.join(", "),
                    at.join(", ")
                );
            }
        }
    }
    out
}

/// Along each axis that reader's and read tensor have, from the reader's own cell.
fn distances<'a>(
    graph: &'a Graph,
    scope: &'a Scope,
    reader: AssignId,
    index: &'a [Affine],
) -> impl Iterator<Item = Option<Distance>> + 'a {
    let own = graph.assigns[reader].write.iter().map(|w| w.as_affine());
    index
        .iter()
        .zip(own)
        .map(move |(at, own)| Some(Distance::compute(scope, at, own?, &graph.facts)))
}
