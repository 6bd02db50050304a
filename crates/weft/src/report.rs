//! Diagnostics as text, in one of the formats.

use weft_base::SourceMap;
use weft_diag::{Diagnostic, render_human, render_json, render_short};

/// How diagnostics are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Source lines with labels.
    Human,
    /// One JSON object a line.
    Json,
    /// One line each.
    Short,
}

/// A diagnostic as text, without a line end.
pub fn render(d: &Diagnostic, sources: &SourceMap, format: Format, color: bool) -> String {
    match format {
        Format::Human => render_human(d, sources, color),
        Format::Json => render_json(d, sources),
        Format::Short => render_short(d, sources),
    }
}

/// Diagnostics as the command line shows them: uncoloured, for people, an empty line
/// between two.
pub fn render_all(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let all = diagnostics.iter().map(|d| render(d, sources, Format::Human, false) + "\n");
    all.collect::<Vec<_>>().join("\n")
}
