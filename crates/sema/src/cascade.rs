//! One cause, one complaint: what only repeats another is left out.

use rustc_hash::FxHashMap;
use weft_base::{SourceMap, Span};
use weft_diag::{Code, Diagnostic, Diagnostics, Edit, Help};
use weft_syntax::Unread;
use weft_syntax::ast;

/// What of the found does not follow from text that could not be read, and of a name that is
/// not known the first place in a statement.
pub(crate) fn causes(
    found: Diagnostics,
    unread: &Unread,
    stmts: &[ast::Stmt],
    source: &SourceMap,
) -> Diagnostics {
    let mut first: FxHashMap<Key, Span> = FxHashMap::default();
    for (key, span) in found.iter().filter_map(|d| unknown_name(d, stmts)) {
        let first = first.entry(key).or_insert(span);
        *first = (*first).min(span);
    }
    let (slots, found): (Vec<Diagnostic>, Vec<Diagnostic>) =
        found.into_iter().partition(|d| d.code == Code::ShadowedInteger);
    let repeats = |d: &Diagnostic| {
        unknown_name(d, stmts).is_some_and(|(key, span)| first.get(&key) != Some(&span))
    };
    let of_form = |d: &Diagnostic| matches!(d.code, Code::E0001 | Code::E0002 | Code::E0003);
    let explained = |d: &Diagnostic| !of_form(d) && unread.explains(d, |span| source.text(span));
    let mut causes: Vec<Diagnostic> =
        found.into_iter().filter(|d| !repeats(d) && !explained(d)).collect();
    for slot in slots {
        let range = |d: &&mut Diagnostic| d.code == Code::E0502 && d.span() == slot.span();
        match causes.iter_mut().find(range) {
            Some(range) => range.helps = of_a_slot(&slot),
            None => causes.push(slot),
        }
    }
    causes.into_iter().collect()
}

/// The ways out where an index without a range is named like an integer: its one cell, or
/// as many cells.
fn of_a_slot(slot: &Diagnostic) -> Vec<Help> {
    let mut helps = slot.helps.clone();
    if let Some(edit) = helps.first().and_then(|help| help.edits.first()).cloned() {
        let end = Span { start: edit.span.end, ..edit.span };
        let name = edit.replacement.trim_matches(['(', ')']);
        let replacement = format!(" in 0..{name}");
        let message = "if an index is meant, state its range".to_owned();
        helps.push(Help { message, edits: vec![Edit { span: end, replacement }] });
    }
    helps
}

/// Where a name is looked for: its file and its statement there, and what is said of it.
type Key = (weft_base::FileId, usize, String);

fn unknown_name(d: &Diagnostic, stmts: &[ast::Stmt]) -> Option<(Key, Span)> {
    let span = d.span().filter(|_| d.code == Code::E0425)?;
    let before = |stmt: &ast::Stmt| (stmt.span.file, stmt.span.start) <= (span.file, span.start);
    let statement = stmts.partition_point(before);
    Some(((span.file, statement, d.message.clone()), span))
}
