//! One cause, one complaint: what only repeats another is left out.

use crate::lint::tree::{Form, not_read};
use crate::sink::IN_CALL;
use rustc_hash::{FxHashMap, FxHashSet};
use weft_base::{FileId, SourceMap, Span};
use weft_diag::{Code, Diagnostic, Diagnostics, Edit, Help, Label};
use weft_hir as hir;
use weft_syntax::{Unread, ast};

/// What of the found does not follow from text that could not be read, of a name that is not
/// known the first place in a statement, and of an index without a range what it lacks, unless
/// that is a tensor that something else is wrong with.
pub(crate) fn causes(
    found: Diagnostics,
    unread: &Unread,
    program: &ast::Program,
    tree: &hir::Program,
    source: &SourceMap,
) -> Diagnostics {
    let found: Diagnostics =
        one_unused(found).into_iter().map(|d| told_at_call(d, &tree.library)).collect();
    if !found.has_errors() {
        return found;
    }
    let stmts = &program.stmts;
    let mut first: FxHashMap<Key, Span> = FxHashMap::default();
    for (key, span) in found.iter().filter_map(|d| unknown_name(d, stmts)) {
        let first = first.entry(key).or_insert(span);
        *first = (*first).min(span);
    }
    let repeats = |d: &Diagnostic| {
        unknown_name(d, stmts).is_some_and(|(key, span)| first.get(&key) != Some(&span))
    };
    let of_form = |d: &Diagnostic| matches!(d.code, Code::E0001 | Code::E0002 | Code::E0003);
    let explained = |d: &Diagnostic| !of_form(d) && unread.explains(d, |span| source.text(span));
    let wrong: FxHashSet<usize> = found
        .iter()
        .filter(|d| d.is_error() && d.code != Code::E0502)
        .filter_map(|d| short_statement(d, stmts))
        .collect();
    let wrong_names: FxHashSet<&str> =
        wrong.iter().filter_map(|s| Some(defined(&stmts[*s])?.name.as_str())).collect();
    let reads_wrong = |s: usize| words(source.text(stmts[s].span)).any(|w| wrong_names.contains(w));
    let follows = |d: &Diagnostic| {
        let at = if d.code == Code::E0502 { short_statement(d, stmts) } else { None };
        at.is_some_and(|s| wrong.contains(&s) || reads_wrong(s))
    };
    let left = |d: &Diagnostic| !repeats(d) && !explained(d) && !follows(d);
    let (slots, mut causes): (Vec<Diagnostic>, Vec<Diagnostic>) =
        found.into_iter().filter(left).partition(|d| d.code == Code::ShadowedInteger);
    let without_range = without_range(&causes);
    say_what_is_not_read(&mut causes, &without_range, tree, source);
    for slot in slots {
        match slot.span().and_then(|span| without_range.get(&span)) {
            Some(at) => causes[*at].helps = of_a_slot(&slot),
            None => causes.push(slot),
        }
    }
    causes.into_iter().collect()
}

/// An error in a text of the library that a call led to, told at the call; what would help there
/// is no help here.
pub fn told_at_call(mut d: Diagnostic, library: &[FileId]) -> Diagnostic {
    let of_library = |label: &Label| library.contains(&label.span.file);
    let inside = d.labels.iter().any(|label| label.primary && of_library(label));
    let call = d.labels.iter().rposition(|label| label.message == IN_CALL && !of_library(label));
    let Some(call) = call.filter(|_| inside && d.is_error()) else { return d };
    d.labels.iter_mut().for_each(|label| label.primary = false);
    let mut call = d.labels.remove(call);
    (call.primary, call.message) = (true, "called here".into());
    d.labels.insert(0, call);
    d.helps.clear();
    d
}

/// What no term uses is unused: of the two lints about one place the one of indices stays.
fn one_unused(found: Diagnostics) -> Diagnostics {
    let indices: FxHashSet<Span> =
        found.iter().filter(|d| d.code == Code::UnusedIndex).filter_map(Diagnostic::span).collect();
    let repeats = |d: &Diagnostic| {
        d.code == Code::UnusedName && d.span().is_some_and(|span| indices.contains(&span))
    };
    found.into_iter().filter(|d| !repeats(d)).collect()
}

/// The tensor that a statement is a clause of.
fn defined(stmt: &ast::Stmt) -> Option<&ast::Ident> {
    match &stmt.kind {
        ast::StmtKind::Indexed(clause) => Some(&clause.name),
        _ => None,
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
}

/// The statement of the top level that a complaint is about, unless it may hold others.
fn short_statement(d: &Diagnostic, stmts: &[ast::Stmt]) -> Option<usize> {
    let span = d.span()?;
    let at = statement(span, stmts).checked_sub(1)?;
    let stmt = &stmts[at];
    let inside = stmt.span.file == span.file && span.end <= stmt.span.end;
    let short = matches!(
        stmt.kind,
        ast::StmtKind::Let(_) | ast::StmtKind::Indexed(_) | ast::StmtKind::Expr(_)
    );
    (inside && short).then_some(at)
}

/// How many statements begin before a place.
fn statement(span: Span, stmts: &[ast::Stmt]) -> usize {
    let before = |stmt: &ast::Stmt| (stmt.span.file, stmt.span.start) <= (span.file, span.start);
    stmts.partition_point(before)
}

/// The first complaint about each index without a range, by its place.
fn without_range(causes: &[Diagnostic]) -> FxHashMap<Span, usize> {
    let of_index = causes.iter().enumerate().filter(|(_, d)| d.code == Code::E0502);
    // (Of two at one place the first stays.)
    of_index.rev().filter_map(|(at, d)| Some((d.span()?, at))).collect()
}

/// An index without a range that its body does not mention: the body lacks it.
fn say_what_is_not_read(
    causes: &mut [Diagnostic],
    without_range: &FxHashMap<Span, usize>,
    tree: &hir::Program,
    source: &SourceMap,
) {
    if without_range.is_empty() {
        return;
    }
    for missing in not_read(tree) {
        let Some(at) = without_range.get(&missing.index) else { continue };
        let d = &mut causes[*at];
        let (name, body) = (source.text(missing.index), source.text(missing.body));
        let meant = match missing.form {
            Form::Name => format!("{body}[{name}]"),
            Form::Read => format!("{}, {name}]", body.trim_end_matches(']')),
            Form::Other => continue,
        };
        let help = match &missing.reduction {
            Some(op) if missing.form == Form::Name => {
                format!(
                    "`{body}` does not read `{name}`: `{op}[{name}]({meant})`, or of the whole tensor `{op}({body})`"
                )
            }
            _ => format!("`{body}` does not read `{name}`: is `{meant}` meant?"),
        };
        d.helps.insert(0, Help { message: help, edits: Vec::new() });
    }
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

/// An import cures all statements of a file.
fn unknown_name(d: &Diagnostic, stmts: &[ast::Stmt]) -> Option<(Key, Span)> {
    let span = d.span().filter(|_| d.code == Code::E0425)?;
    let mut edits = d.helps.iter().flat_map(|help| &help.edits);
    let imported = edits.any(|edit| edit.replacement.starts_with("use "));
    let at = if imported { 0 } else { statement(span, stmts) };
    Some(((span.file, at, d.message.clone()), span))
}
