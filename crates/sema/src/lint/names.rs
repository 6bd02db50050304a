//! Lints about names: indices that hide integers, and names that nothing uses.

use crate::thir::Local;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_hir as hir;

/// `shadowed-integer`: a slot that is one bare name, which is the integer bound at `outside`.
pub(crate) fn shadowed_integer(name: &hir::Ident, outside: Span) -> Diagnostic {
    let text = &name.name;
    let edited = format!("({text})");
    Diagnostic::warning(Code::ShadowedInteger, format!("the index `{text}` shadows an integer"))
        .primary(name.span, "a new index, over a whole axis")
        .secondary(outside, "the integer")
        .help_edit("if the one cell is meant, put it in parentheses", name.span, edited)
}

/// `unused-name`.
pub(crate) fn unused(local: &Local) -> Diagnostic {
    let name = &local.name;
    Diagnostic::warning(Code::UnusedName, format!("`{name}` is never used"))
        .primary(local.span, "nothing is computed for it")
        .help(format!("remove it, or call it `_{name}`"))
}
