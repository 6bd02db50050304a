//! Complaints of the parser: one per place, and what probably was meant.

use super::{Completed, Parser, closer};
use crate::SyntaxKind;
use crate::grammar::meant;
use crate::lexer::Token;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};

/// More complaints than this help nobody, and would take memory without bound.
const MAX_ERRORS: usize = 1000;

/// How far on a line a comment is looked for that should be a quotient.
const LONGEST_LINE: usize = 1000;

impl Parser<'_> {
    /// Reports a fault at the current token, unless one has been reported there.
    #[cold]
    pub(crate) fn error(&mut self, diagnostic: Diagnostic) {
        let again = self.last_error == Some(self.pos);
        let stray = self.after_stray.binary_search(&self.pos).is_ok();
        self.last_error = Some(self.pos);
        if !again && !stray {
            self.push(diagnostic);
        }
    }

    /// Reports a fault of what was read well, so that nothing need be skipped.
    #[cold]
    pub(crate) fn complain(&mut self, diagnostic: Diagnostic) {
        self.push(diagnostic);
    }

    /// How much has been complained of.
    pub(crate) fn complaints(&self) -> usize {
        self.diagnostics.len()
    }

    /// Whatever is wrong with the current token follows from a reported fault.
    pub(crate) fn quiet_here(&mut self) {
        self.last_error = Some(self.position());
    }

    /// Runs `inner` without its complaints.
    pub(crate) fn quietly(&mut self, inner: impl FnOnce(&mut Self)) {
        let before = self.diagnostics.len();
        inner(self);
        self.diagnostics.truncate(before);
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_ERRORS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports that something else should stand here.
    #[cold]
    pub(crate) fn expected(&mut self, what: &str) {
        let diagnostic = self.expectation(what);
        self.error(diagnostic);
    }

    fn expectation(&self, what: &str) -> Diagnostic {
        let found = self.found();
        let span = self.current_span();
        let diagnostic = Diagnostic::error(Code::E0001, format!("expected {what}, found {found}"))
            .primary(span, format!("expected {what}"));
        match meant(self) {
            Some((help, "")) => diagnostic.help(help),
            Some((help, edit)) => diagnostic.help_edit(help, span, edit),
            None => diagnostic,
        }
    }

    /// The current token in words.
    pub(crate) fn found(&self) -> String {
        match self.current() {
            SyntaxKind::Eof => "the end of the text".to_owned(),
            SyntaxKind::StrOpen => "a string".to_owned(),
            SyntaxKind::StrClose | SyntaxKind::InterpClose if self.current_text().is_empty() => {
                "the end of the line".to_owned()
            }
            kind if kind.is_keyword() => format!("the reserved word `{}`", self.current_text()),
            _ => format!("`{}`", self.current_text()),
        }
    }

    /// Takes the current token if it is of that kind, and complains otherwise.
    pub(crate) fn expect(&mut self, kind: SyntaxKind) -> bool {
        let found = self.eat(kind);
        if !found {
            self.expected(kind.describe());
        }
        found
    }

    /// Reports that `what` should stand here, in brackets opened at `opener`.
    ///
    /// Where the opener has no partner the complaint is about the opener.
    #[cold]
    pub(crate) fn expected_closer(&mut self, opener: usize, what: &str) {
        if self.is_unclosed(opener) {
            self.unclosed(opener);
        } else {
            self.expected(what);
        }
    }

    fn unclosed(&mut self, opener: usize) {
        if self.last_unclosed.replace(opener) == Some(opener) {
            return;
        }
        let diagnostic = match self.comment_for_closer(opener) {
            Some(comment) => quotient(comment),
            None => self.never_closed(opener),
        };
        self.error(diagnostic);
    }

    fn never_closed(&self, opener: usize) -> Diagnostic {
        let message = format!("this `{}` is never closed", self.token_text(opener));
        Diagnostic::error(Code::E0001, message).primary(self.token_span(opener), "opened here")
    }

    /// Whether a line ends here, without a `;`, in a block that is never closed.
    pub(crate) fn ends_in_unclosed_block(&self) -> bool {
        let ends = !self.at(SyntaxKind::Semi) && self.on_new_line();
        ends && self.block.is_some_and(|opener| self.is_unclosed(opener))
    }

    /// Reports that block: what ends here may be its value.
    #[cold]
    pub(crate) fn unclosed_block(&mut self) {
        let Some(opener) = self.block else { return };
        if self.last_unclosed.replace(opener) != Some(opener) {
            let end = self.end_span();
            let diagnostic = self.never_closed(opener);
            self.error(diagnostic.help_edit("if this is its value, close it", end, " }"));
        }
    }

    /// The `//` behind the last token of a line, where it seems to be meant as a quotient:
    /// `5 // 2;`.
    fn comment_behind(&self, last: Token, closer: char) -> Option<Span> {
        let line = &self.text[last.end as usize..];
        let comment = line.trim_start_matches([' ', '\t']);
        let at = last.end + (line.len() - comment.len()) as u32;
        let comment = comment.strip_prefix("//").map(|_| comment)?.lines().next()?;
        let (operand, _) = comment.strip_prefix("//")?.rsplit_once(closer)?;
        let words = || operand.split_whitespace().map(|w| w.starts_with(char::is_alphanumeric));
        let prose = words().zip(words().skip(1)).any(|(a, b)| a && b);
        let begins = operand.trim_start().starts_with(|c: char| c.is_alphanumeric() || c == '(');
        (begins && !prose).then(|| self.bytes(at, at + 2))
    }

    /// The same on the line of a bracket that nothing closes.
    fn comment_for_closer(&self, opener: usize) -> Option<Span> {
        let closer = closer(self.tokens.get(opener)?.kind)?.describe().chars().nth(1)?;
        let start = self.tokens[opener].start as usize;
        let line = self.text.as_bytes()[start..].iter().take(LONGEST_LINE);
        let end = start + line.take_while(|b| **b != b'\n').count();
        let behind = self.tokens.partition_point(|t| (t.start as usize) < end);
        self.comment_behind(*self.tokens.get(behind.checked_sub(1)?)?, closer)
    }

    /// Reports nesting beyond the limit and ends the parse.
    #[cold]
    pub(super) fn too_deep(&mut self) {
        let diagnostic = depth_error(self.current_span());
        self.last_error = None;
        self.diagnostics.truncate(MAX_ERRORS - 1);
        self.error(diagnostic);
        self.give_up();
        self.last_error = Some(self.pos);
    }

    /// Reports text that no token begins with; the grammar never sees it.
    pub(super) fn report_strays(&mut self, trivia: &[Token]) {
        for stray in trivia.iter().filter(|token| !token.kind.is_trivia()) {
            let next = self.tokens.partition_point(|token| token.start < stray.start);
            let text = &self.text[stray.start as usize..stray.end as usize];
            let comment = stray.kind == SyntaxKind::BlockComment || text.starts_with('#');
            if !comment && self.after_stray.last() != Some(&next) {
                self.after_stray.push(next);
            }
            let end = if text.starts_with('#') { stray.start + 1 } else { stray.end };
            let shown = &self.text[stray.start as usize..end as usize];
            self.push(stray_error(stray.kind, shown, self.bytes(stray.start, end)));
        }
    }

    /// Reports a missing `;` after the previous token, or what stands in its place.
    #[cold]
    pub(crate) fn missing_semi(&mut self) {
        let next = self.current();
        let ends = self.on_new_line() || matches!(next, SyntaxKind::Eof | SyntaxKind::RBrace);
        let last = self.previous().filter(|_| ends);
        if let Some(comment) = last.and_then(|last| self.comment_behind(last, ';')) {
            self.error(quotient(comment));
        } else if self.on_new_line() && self.block.is_some_and(|opener| self.is_unclosed(opener)) {
            self.expected_closer(self.block.unwrap_or_default(), "`}`");
        } else if ends {
            let end = self.end_span();
            let diagnostic = Diagnostic::error(Code::E0001, "expected `;`")
                .primary(end, "expected `;`")
                .help_edit("end the statement", end, ";");
            self.error(diagnostic);
        } else {
            self.expected("an operator or `;`");
        }
    }

    /// Reports a chain of comparisons; `left` ends with the operand that stands between.
    #[cold]
    pub(crate) fn chained_comparison(&mut self, middle: Completed) {
        let operator = self.current_text();
        let span = self.current_span();
        let text = self.text_of(middle);
        let insert = self.bytes(span.start, span.start);
        let diagnostic = Diagnostic::error(Code::E0001, "comparisons cannot be chained")
            .primary(span, format!("a second comparison, `{operator}`"))
            .help_edit("compare twice", insert, format!("&& {text} "));
        self.complain(diagnostic);
    }
}

/// A `//` that is meant as a quotient, and begins a comment.
fn quotient(span: Span) -> Diagnostic {
    Diagnostic::error(Code::E0002, "there is no operator `//`")
        .primary(span, "a comment begins here")
        .help_edit("`/` of integers truncates", span, "/")
}

/// A chain that nests to the left, one level for each link.
pub(super) fn chain_error(span: Span) -> Diagnostic {
    Diagnostic::error(Code::E0003, "an expression of too many parts")
        .primary(span, "more than some hundred operators, calls or reads in a row")
        .help("bind parts of it with `let`, or write a reduction: `sum[i](x[i])`")
}

/// The complaint about nesting at `span`.
pub(super) fn depth_error(span: Span) -> Diagnostic {
    Diagnostic::error(Code::E0003, "this nests too deep")
        .primary(span, "deeper than the limit")
        .help("bind inner parts with `let`")
}

fn stray_error(kind: SyntaxKind, text: &str, span: Span) -> Diagnostic {
    if kind == SyntaxKind::BlockComment {
        return Diagnostic::error(Code::E0002, "there are no block comments")
            .primary(span, "")
            .help("comments start with `//` and end with their line");
    }
    let name: String = text.chars().take(20).flat_map(shown).collect();
    let diagnostic = Diagnostic::error(Code::E0002, format!("`{name}` has no meaning here"))
        .primary(span, "not part of the language");
    let quoted = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
    if let Some(inner) = quoted {
        let edit = format!("\"{inner}\"");
        return diagnostic.help_edit("strings stand in double quotes", span, edit);
    }
    match stray_meaning(text) {
        Some((help, "")) => diagnostic.help(help),
        Some((help, edit)) => diagnostic.help_edit(help, span, edit),
        None => diagnostic,
    }
}

/// A character as messages show it; a control character by its escape.
fn shown(c: char) -> Vec<char> {
    if c.is_control() { c.escape_debug().collect() } else { vec![c] }
}

fn stray_meaning(text: &str) -> Option<(&'static str, &'static str)> {
    Some(match text {
        "'" => ("strings stand in double quotes", ""),
        "“" | "”" | "„" => ("strings stand in straight quotes", "\""),
        "#" => ("comments start with `//`", "//"),
        "−" | "–" => ("write a minus as `-`", "-"),
        "×" | "·" | "⋅" => ("write a product as `*`", "*"),
        "÷" => ("write a quotient as `/`", "/"),
        "≤" => ("write `<=`", "<="),
        "≥" => ("write `>=`", ">="),
        "≠" => ("write `!=`", "!="),
        "∈" => ("write `in`", "in"),
        "→" => ("write `->`", "->"),
        "…" => ("write a range as `..`", ".."),
        "∂" => ("write a differential as `@`", "@"),
        "~" => ("`!` is the logical not, `std::bits::not(a)` that of bits", ""),
        _ if text.chars().all(char::is_alphanumeric) => {
            ("names consist of ASCII letters, digits and `_`", "")
        }
        _ => return None,
    })
}
