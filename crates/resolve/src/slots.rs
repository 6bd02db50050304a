//! What may stand in a slot: judged from the names alone, before anything is checked.

use crate::names;
use weft_base::Span;
use weft_diag::{Code, Diagnostic, Edit};
use weft_syntax::ast;

/// What is asked about where a clause stands.
pub(crate) struct Around<'a> {
    /// Whether a name has a meaning there.
    pub is_bound: &'a mut dyn FnMut(&str) -> bool,
    /// The text of a place, for messages.
    pub text: &'a dyn Fn(Span) -> String,
}

/// What is wrong with the slots of a clause.
#[derive(Default)]
pub(crate) struct Fault {
    pub diagnostics: Vec<Diagnostic>,
    /// Names that stand for nothing from here on.
    pub lost: Vec<String>,
}

/// Looks whether no slot is an expression of indices and no range uses a later slot. Where
/// it is not so, the clause's indices stand for nothing.
pub(crate) fn fault(c: &ast::Indexed, around: &mut Around<'_>) -> Option<Fault> {
    let mut indices: Vec<String> = Vec::new();
    let mut fault = Fault::default();
    for (at, slot) in c.slots.iter().enumerate() {
        match &slot.kind {
            ast::SlotKind::Index { name, range } => {
                if let Some(range) = range {
                    let d = later_slot_in(range, c, at, &fault.lost, around);
                    fault.diagnostics.extend(d);
                }
                indices.push(name.as_str().to_string());
            }
            ast::SlotKind::Fixed(e) => index_in(e, c, &indices, &mut fault, around),
            ast::SlotKind::Rest(_) | ast::SlotKind::Coproduct(_) => {}
        }
    }
    fault.lost.extend(indices);
    (!fault.diagnostics.is_empty()).then_some(fault)
}

/// A later slot that the range of slot `at` uses.
fn later_slot_in(
    range: &ast::Expr,
    c: &ast::Indexed,
    at: usize,
    lost: &[String],
    around: &mut Around<'_>,
) -> Option<Diagnostic> {
    for later in &c.slots[at + 1..] {
        let ast::SlotKind::Index { name, .. } = &later.kind else { continue };
        let mut places = Vec::new();
        names::places_of(range, name.as_str(), &mut places);
        let earlier = c.slots[..=at].iter().any(|s| match &s.kind {
            ast::SlotKind::Index { name: n, .. } => n.name == name.name,
            _ => false,
        });
        let Some((place, _)) = places.first().filter(|_| !earlier) else { continue };
        if lost.iter().any(|n| n == name.as_str()) || (around.is_bound)(name.as_str()) {
            continue;
        }
        let headline = format!("a range uses `{}`, which is a later slot", name.name);
        let d = Diagnostic::error(Code::E0425, headline)
            .primary(*place, "not known yet")
            .secondary(later.span, "introduced here")
            .note("a slot's range may use the slots before it");
        return Some(d);
    }
    None
}

/// Notes an index that a fixed slot mentions: of the clause, or a name that only the body
/// mentions besides.
fn index_in(
    e: &ast::Expr,
    c: &ast::Indexed,
    indices: &[String],
    fault: &mut Fault,
    around: &mut Around<'_>,
) {
    let mut mentioned = Vec::new();
    names::names_in(e, &mut |n| mentioned.push(n.to_string()));
    let mut in_body = Vec::new();
    names::mentioned_names(c, &mut |n| in_body.push(n.to_string()));
    let mut unbound =
        |n: &String| in_body.contains(n) && !fault.lost.contains(n) && !(around.is_bound)(n);
    let found = mentioned.into_iter().find(|n| indices.contains(n) || unbound(n));
    let Some(name) = found else { return };
    let d = Diagnostic::error(Code::E0509, "a slot is an index, or a cell without indices")
        .primary(e.span, format!("this depends on the index `{name}`"));
    let d = match shifted(c, e, &name, indices) {
        Some(edits) => {
            d.help_edits("define the cells by their own index, and shift the reads", edits)
        }
        None => d.help(format!(
            "give the axis an index of its own, and say where it is met: `if j == {} {{ … }} else {{ … }}`",
            (around.text)(e.span)
        )),
    };
    fault.diagnostics.push(d);
    if !indices.contains(&name) {
        fault.lost.push(name);
    }
}

/// The edits that make `y[i + c] = … i …` into `y[i] = … i - c …`.
fn shifted(c: &ast::Indexed, e: &ast::Expr, name: &str, indices: &[String]) -> Option<Vec<Edit>> {
    let ast::ExprKind::Binary { op, lhs, rhs, .. } = &e.kind else { return None };
    let opposite = match op {
        ast::BinaryOp::Add => "-",
        ast::BinaryOp::Sub => "+",
        _ => return None,
    };
    let ast::ExprKind::Path(p) = &lhs.kind else { return None };
    let ast::ExprKind::Number(n) = &rhs.kind else { return None };
    if p.as_name()?.as_str() != name || indices.iter().any(|i| i == name) {
        return None;
    }
    let mut places = Vec::new();
    c.alternatives.iter().chain(&c.otherwise).for_each(|e| names::places_of(e, name, &mut places));
    c.where_items.iter().for_each(|i| names::places_in_item(i, name, &mut places));
    let back = format!("{name} {opposite} {}", n.text);
    let edit = |(span, item)| {
        let replacement = if item { back.clone() } else { format!("({back})") };
        Edit { span, replacement }
    };
    let slot = Edit { span: e.span, replacement: name.to_string() };
    Some([slot].into_iter().chain(places.into_iter().map(edit)).collect())
}
