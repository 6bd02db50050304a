//! A call of the library whose arguments do not fit: what they are, and what the function takes.
//!
//! Its text is not the caller's to mend, so the caller sees the arguments, as typed, beside the
//! function's own words.

use crate::thir::Expr;
use weft_base::{Name, SourceMap, Span};
use weft_diag::{Diagnostic, Diagnostics};

/// What is told of a call of a function of the library.
#[derive(Clone, Debug)]
pub(crate) struct LibraryCall {
    /// The arguments that the caller wrote, each with its type.
    pub found: Vec<String>,
    /// The function's parameters and what its text says of it.
    pub taken: Option<String>,
}

/// The end of a headline of this kind.
const DOES_NOT_FIT: &str = "does not take these arguments";

impl LibraryCall {
    /// One error at the call for what was found inside.
    pub fn misfit(&self, name: &Name, call: Span, found: &Diagnostics) -> Option<Diagnostic> {
        let first = found.iter().find(|d| d.is_error())?;
        let label = match self.found.is_empty() {
            true => "called here".to_string(),
            false => self.found.join(", "),
        };
        let headline = format!("`{name}` {DOES_NOT_FIT}");
        let d = Diagnostic::error(first.code, headline).primary(call, label);
        let d = match cause(first) {
            Some((span, message)) => d.secondary(span, message),
            None => d,
        };
        let d = first.notes.iter().fold(d, |d, n| d.note(n.clone()));
        Some(self.taken.iter().fold(d, |d, taken| d.help(taken.clone())))
    }
}

/// Where what went wrong is, and what it is: of a call inside the library, where that tells it.
fn cause(d: &Diagnostic) -> Option<(Span, String)> {
    let told = d.message.ends_with(DOES_NOT_FIT);
    let inner = d.labels.iter().find(|label| told && !label.primary);
    match inner {
        Some(label) => Some((label.span, label.message.clone())),
        None => Some((d.span()?, d.message.clone())),
    }
}

/// Parameters that were given, each with its type as `show` writes it; defaults stand in the
/// function's own file.
pub(crate) fn given(
    params: &[Name],
    args: &[Option<Expr>],
    function: Span,
    show: impl Fn(&Expr) -> String,
) -> Vec<String> {
    let written = |e: &&Expr| e.span.file != function.file;
    let pairs = params.iter().zip(args);
    pairs
        .filter_map(|(name, e)| Some((name, e.as_ref().filter(written)?)))
        .map(|(name, e)| format!("`{name}` is {}", show(e)))
        .collect()
}

/// The head of a function and the comment above it, as one line.
pub(crate) fn signature(source: &SourceMap, name: Span) -> Option<String> {
    let (before, behind) = source.around(name);
    let params = &behind[..closing(behind)? + 1];
    let head: Vec<&str> = params.split_whitespace().collect();
    let mut lines: Vec<&str> = before.lines().collect();
    // The line of the name itself: `pub fn `.
    lines.pop();
    let mut words: Vec<&str> = Vec::new();
    for line in lines.iter().rev() {
        let Some(said) = line.trim().strip_prefix("///") else { break };
        words.push(said.trim());
    }
    words.reverse();
    let head = format!("`{}{}`", source.text(name), head.join(" "));
    Some(if words.is_empty() { head } else { format!("{head}: {}", words.join(" ")) })
}

/// The parenthesis that closes the first one.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        (c == ')' && depth == 0).then_some(at)
    })
}
