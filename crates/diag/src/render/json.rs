//! One JSON object per diagnostic, on one line.

use super::{clamp, clamped};
use crate::{Diagnostic, Edit, Help, Label};
use serde_json::{Value, json};
use weft_base::{SourceMap, Span};

/// A JSON object on one line, without a line break at the end.
///
/// Keys: `code`, `severity`, `message`, `labels`, `notes`, `helps`, `rendered`.
/// Places carry byte offsets and, for people, line and column from 1.
pub fn render_json(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let labels = diagnostic.labels.iter().map(|label| label_json(label, sources));
    let helps = diagnostic.helps.iter().map(|help| help_json(help, sources));
    json!({
        "code": diagnostic.code.as_str(),
        "severity": diagnostic.severity.as_str(),
        "message": diagnostic.message,
        "labels": labels.collect::<Vec<_>>(),
        "notes": diagnostic.notes,
        "helps": helps.collect::<Vec<_>>(),
        "rendered": super::render_human(diagnostic, sources, false),
    })
    .to_string()
}

fn label_json(label: &Label, sources: &SourceMap) -> Value {
    let mut value = place_json(label.span, sources);
    value["message"] = json!(label.message);
    value["primary"] = json!(label.primary);
    value
}

fn help_json(help: &Help, sources: &SourceMap) -> Value {
    let edits = help.edits.iter().map(|edit| edit_json(edit, sources));
    json!({ "message": help.message, "edits": edits.collect::<Vec<_>>() })
}

fn edit_json(edit: &Edit, sources: &SourceMap) -> Value {
    let mut value = place_json(edit.span, sources);
    value["replacement"] = json!(edit.replacement);
    value
}

fn place_json(span: Span, sources: &SourceMap) -> Value {
    let range = clamp(span, sources);
    let at = sources.line_col(clamped(span, sources));
    json!({
        "file": sources.file(span.file).name,
        "start": range.start,
        "end": range.end,
        "line": at.line,
        "column": at.column,
    })
}
