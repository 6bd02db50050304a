//! Suggestions: the nearest of some names.

use weft_diag::Diagnostic;
use weft_syntax::ast;

/// Adds the closest of some names as a suggestion, if one is close.
pub fn suggest(d: Diagnostic, name: &ast::Ident, known: Vec<String>) -> Diagnostic {
    match closest(name, &known) {
        Some(k) => d.help_edit(format!("did you mean `{k}`?"), name.span, k),
        None => d,
    }
}

/// The name most like another, if it is like it at all.
pub fn closest(name: &ast::Ident, known: &[String]) -> Option<String> {
    weft_diag::closest_name(name.as_str(), known.iter().map(String::as_str)).map(String::from)
}
