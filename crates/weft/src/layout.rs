//! What tools ask of a text without running it: its one layout, the tests in it.

use crate::Session;
use weft_base::{FileId, entity::EntityRef};
use weft_diag::{Diagnostic, Diagnostics};
use weft_syntax::SyntaxKind;

/// The names of the functions `test_…` without parameters at the top of a text, in order.
pub fn test_functions(text: &str) -> Vec<String> {
    let parsed = weft_syntax::parse(FileId::new(0), text);
    let names = parsed.program().stmts.iter().filter_map(|s| match &s.kind {
        weft_syntax::ast::StmtKind::Fn(def) if def.params.is_empty() => {
            Some(def.name.as_str().to_string())
        }
        _ => None,
    });
    names.filter(|n| n.starts_with("test_")).collect()
}

/// Whether a text is a name that a program may give to something.
pub fn is_name(text: &str) -> bool {
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let word = starts && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    word && text != "_" && SyntaxKind::keyword(text).is_none()
}

impl Session {
    /// A program in its one layout; nothing where its text has errors.
    pub fn format(&mut self, name: &str, text: &str) -> (Option<String>, Diagnostics) {
        let file = self.sources.add(name, text);
        let parsed = weft_syntax::parse(file, text);
        let errors = parsed.diagnostics().iter().filter(|d| d.is_error()).cloned();
        let errors: Vec<Diagnostic> = errors.collect();
        (weft_syntax::format(&parsed), errors.into_iter().collect())
    }
}
