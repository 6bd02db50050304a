//! What is refused when nothing was said to be wrong, and still a value has no type.
//!
//! A value without a type stands for an error that was reported. Where none was, a rule of
//! the checker found no answer and said nothing: the program must not run with it.

use super::survey::{Survey, Surveys};
use std::collections::BTreeSet;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_sema::thir::{Body, BodyId, Program, Ty};

/// The first value without a type that a run would come to.
pub(crate) fn without_a_type(program: &Program, surveys: &Surveys) -> Option<Diagnostic> {
    let first = |id: BodyId| first_in(&program.bodies[id], surveys.of(id));
    let span = reachable(program, surveys).into_iter().find_map(first)?;
    Some(
        Diagnostic::error(Code::E0309, "the type of this value cannot be determined")
            .primary(span, "nothing is known of it, though no rule is broken")
            .help("state types and ranges: `let y[i in 0..n]: f32 = …`"),
    )
}

/// The program and what it calls. Instances made while types were sought are not.
fn reachable(program: &Program, surveys: &Surveys) -> BTreeSet<BodyId> {
    let (mut found, mut next) = (BTreeSet::new(), Vec::from_iter(program.main));
    while let Some(id) = next.pop() {
        if found.insert(id) {
            next.extend(&surveys.of(id).callees);
        }
    }
    found
}

fn first_in(body: &Body, survey: &Survey) -> Option<Span> {
    let local = body.locals.values().find(|l| l.ty == Ty::Error);
    local.map(|l| l.span).or(survey.untyped)
}
