//! Diagnostics as text, in one of the formats.

use std::fmt;
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

/// Diagnostics, with all that needs the texts that they are about.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// One by one, with their codes.
    pub diagnostics: Vec<Diagnostic>,
    text: String,
    colored: String,
    json: Vec<String>,
}

impl Report {
    pub(crate) fn new(diagnostics: Vec<Diagnostic>, sources: &SourceMap) -> Report {
        let text = render_all(&diagnostics, sources);
        let colored = diagnostics.iter().map(|d| render(d, sources, Format::Human, true));
        let colored = colored.collect::<Vec<_>>().join("\n\n");
        let json = diagnostics.iter().map(|d| render(d, sources, Format::Json, true)).collect();
        Report { diagnostics, text, colored, json }
    }

    /// For people, in the colours of a terminal.
    pub fn colored(&self) -> &str {
        &self.colored
    }

    /// A JSON object for each diagnostic, as the command writes them: places with file, line and
    /// column, notes, and ways out with their edits.
    pub fn json(&self) -> &[String] {
        &self.json
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.trim_end())
    }
}
