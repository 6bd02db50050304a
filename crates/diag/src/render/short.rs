//! One line per diagnostic, for editors and scripts.

use super::clamped;
use crate::Diagnostic;
use weft_base::SourceMap;

/// `file.ein:3:7: error[E0501]: message`, without a line break at the end.
pub fn render_short(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let place = diagnostic.span().map(|span| {
        let at = sources.line_col(clamped(span, sources));
        format!("{}:{}:{}: ", sources.file(span.file).name, at.line, at.column)
    });
    let severity = diagnostic.severity.as_str();
    let message = diagnostic.message.replace('\n', " ");
    format!("{}{severity}[{}]: {message}", place.unwrap_or_default(), diagnostic.code)
}
