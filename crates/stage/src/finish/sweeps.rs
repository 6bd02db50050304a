//! Sweeps in place of quotients.

use super::{host_values, kept, place, text};
use crate::refusal;
use crate::work::Work;
use std::collections::BTreeSet;
use weft_base::Span;
use weft_grad::{Strategy, Zero};
use weft_host::Scalars;

/// Puts sweeps in place of all quotients; the functions of scalars are known by now.
pub(super) fn expand(work: &mut Work<'_>, scalars: &Scalars) {
    if work.diagnostics.has_errors() {
        return;
    }
    if let Err(blocked) = host_values::define(work, scalars) {
        return work.tell(match blocked.foreign {
            Some(function) => refusal::no_derivative_of_a_call(&function, blocked.span),
            None => refusal::no_derivative_of_the_host(blocked.span),
        });
    }
    place(work.unit.tensors.graph_mut(), scalars);
    let unit = &mut work.unit;
    if unit.derivatives.quotients().is_empty() {
        return text::write(work, None);
    }
    kept::keep_factors(&mut unit.tensors, &mut unit.derivatives);
    let shown = !unit.derivatives.shown().is_empty();
    let before = shown.then(|| unit.tensors.graph().clone());
    let (quotients, rules) = (unit.derivatives.quotients(), unit.derivatives.rules());
    let graph = unit.tensors.graph_mut();
    match weft_grad::expand_quotients(graph, quotients, rules, Strategy::Fewest) {
        Ok(expansion) => {
            unit.derivatives.expanded(expansion.sweeps, expansion.reads);
            lint_zeros(work, &expansion.zero);
            text::write(work, before);
        }
        Err(refusal) => {
            let d = refusal::no_derivative_through(refusal.cause.text(), refusal.span);
            work.tell(d);
        }
    }
}

/// A request of several quotients is zero where all of them are.
fn lint_zeros(work: &mut Work<'_>, zeros: &[Zero]) {
    let place = |s: Option<Span>| s.map(|s| s.end);
    let is_zero = |s: Option<Span>| zeros.iter().any(|z| z.span == s);
    let asked = work.unit.derivatives.quotients().iter().map(|q| q.span);
    let others: Vec<_> = asked.filter(|s| !is_zero(*s)).map(place).collect();
    let copies = work.unit.derivatives.copies().clone();
    let mut told = BTreeSet::new();
    for z in zeros.iter().filter(|z| !others.contains(&place(z.span))) {
        if let Some(span) = z.span {
            told.insert(span);
            work.tell(refusal::zero_derivative(span, z.cut, copies.get(&span).map(|c| &c.of)));
        }
    }
    for (span, copied) in copies.iter().filter(|(s, c)| c.other_step && !told.contains(*s)) {
        work.tell(refusal::zero_derivative(*span, None, Some(&copied.of)));
    }
}
