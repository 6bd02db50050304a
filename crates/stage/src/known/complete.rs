//! What is refused when nothing was said to be wrong, and still a value has no type.
//!
//! A value without a type stands for an error that was reported. Where none was, a rule of
//! the checker found no answer and said nothing: the program must not run with it.

use std::collections::BTreeSet;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_sema::thir::{Body, BodyId, ExprKind, Program, Ty};

/// The first value without a type that a run would come to.
pub(crate) fn without_a_type(program: &Program) -> Option<Diagnostic> {
    let span = reachable(program).into_iter().find_map(|id| first_in(&program.bodies[id]))?;
    Some(
        Diagnostic::error(Code::E0309, "the type of this value cannot be determined")
            .primary(span, "nothing is known of it, though no rule is broken")
            .help("state types and ranges: `let y[i in 0..n]: f32 = …`"),
    )
}

/// The program and what it calls. Instances made while types were sought are not.
fn reachable(program: &Program) -> BTreeSet<BodyId> {
    let (mut found, mut next) = (BTreeSet::new(), Vec::from_iter(program.main));
    while let Some(id) = next.pop() {
        if found.insert(id) {
            next.extend(program.bodies[id].calls());
        }
    }
    found
}

fn first_in(body: &Body) -> Option<Span> {
    let local = body.locals.values().find(|l| l.ty == Ty::Error);
    local.map(|l| l.span).or_else(|| {
        let mut found = None;
        // The type alone says nothing: a recurrence reads itself before it has one.
        body.exprs(&mut |e| {
            if matches!(e.kind, ExprKind::Error) {
                found = found.or(Some(e.span));
            }
        });
        found
    })
}
