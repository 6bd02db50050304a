//! Numbers, strings, formats.

use super::{Lower, child, tokens};
use crate::ast::{
    Align, ExprKind, FormatKind, FormatSpec, Number, NumberValue, StrLit, StrPart, StrPartKind,
};
use crate::lexer::radix_of;
use crate::{SyntaxElement, SyntaxKind as K, SyntaxNode, SyntaxToken};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};

/// An integer as it is written, without `_`; `None` where it fits no type.
fn integer(text: &str) -> Option<i128> {
    match radix_of(text) {
        Some(radix) => i128::from_str_radix(&text[2..], radix).ok(),
        None => text.parse().ok(),
    }
}

impl Lower {
    /// A number or a truth value.
    pub(super) fn literal(&mut self, node: &SyntaxNode) -> ExprKind {
        let Some(token) = tokens(node).next() else { return ExprKind::Error };
        match token.kind() {
            K::TrueKw => ExprKind::Bool(true),
            K::FalseKw => ExprKind::Bool(false),
            _ => self.number(&token).map_or(ExprKind::Error, ExprKind::Number),
        }
    }

    /// The number that a token is; one beyond every type is reported.
    pub(super) fn number(&mut self, token: &SyntaxToken) -> Option<Number> {
        let text = token.text().replace('_', "");
        let value = match token.kind() {
            K::Int => integer(&text).map(NumberValue::Int),
            _ => text.parse().ok().filter(|v: &f64| v.is_finite()).map(NumberValue::Float),
        };
        if value.is_none() {
            let diagnostic = Diagnostic::error(Code::E0308, "this number fits no type")
                .primary(self.token_span(token), "too large");
            self.report(diagnostic);
        }
        value.map(|value| match value {
            NumberValue::Int(n) => Number { text: n.to_string(), value },
            NumberValue::Float(_) => Number { text, value },
        })
    }

    /// A string with its interpolations.
    pub(super) fn string(&mut self, node: &SyntaxNode) -> StrLit {
        let mut parts: Vec<StrPart> = Vec::new();
        for element in node.children_with_tokens() {
            match element {
                SyntaxElement::Token(token) => self.text_part(&token, &mut parts),
                SyntaxElement::Node(interp) => {
                    let part = self.value_part(&interp);
                    parts.push(part);
                }
            }
        }
        StrLit { parts }
    }

    fn text_part(&mut self, token: &SyntaxToken, parts: &mut Vec<StrPart>) {
        let text = match (token.kind(), token.text()) {
            (K::StrText, "{{") => "{".to_owned(),
            (K::StrText, "}}") => "}".to_owned(),
            (K::StrText, _) => self.unescape(token),
            _ => return,
        };
        let span = self.token_span(token);
        match parts.last_mut() {
            Some(StrPart { span: before, kind: StrPartKind::Text(start) }) => {
                *before = before.to(span);
                start.push_str(&text);
            }
            _ => parts.push(StrPart { span, kind: StrPartKind::Text(text) }),
        }
    }

    fn value_part(&mut self, node: &SyntaxNode) -> StrPart {
        let value = self.sub_box(node, 0);
        let spec = tokens(node).find(|token| token.kind() == K::FmtSpec);
        let spec = spec.and_then(|spec| self.format(&spec));
        StrPart { span: self.span(node), kind: StrPartKind::Value { value, spec } }
    }

    fn unescape(&mut self, token: &SyntaxToken) -> String {
        let text = token.text();
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('\\') {
            out.push_str(&rest[..at]);
            let escape = &rest[at..];
            let (replaced, len) = read_escape(escape);
            match replaced {
                Some(c) => out.push(c),
                None => self.bad_escape(token, text.len() - escape.len(), len),
            }
            rest = &escape[len..];
        }
        out.push_str(rest);
        out
    }

    fn bad_escape(&mut self, token: &SyntaxToken, offset: usize, len: usize) {
        let start = self.token_span(token).start + offset as u32;
        let span = Span::new(self.file, start, start + len as u32);
        let escape = &token.text()[offset..offset + len];
        let diagnostic = Diagnostic::error(Code::E0001, format!("unknown escape `{}`", escape))
            .primary(span, "")
            .note("the escapes are `\\n`, `\\t`, `\\\\`, `\\\"` and `\\u{…}`")
            .help_edit("a backslash is written twice", Span::new(self.file, start, start), "\\");
        self.report(diagnostic);
    }

    fn format(&mut self, token: &SyntaxToken) -> Option<FormatSpec> {
        let span = self.token_span(token);
        let spec = read_format(span, token.text().trim_start_matches(':').trim_end());
        if spec.is_none() {
            let diagnostic =
                Diagnostic::error(Code::E0001, format!("unknown format `{}`", token.text()))
                    .primary(span, "")
                    .help("a format is a side (`<`, `^`, `>`), a width, `,` for thousands, a precision, and one of `d`, `e`, `f`, `x`, `%`: `{x:>12,.3f}`");
            self.report(diagnostic);
        }
        spec
    }

    /// The text of a string pattern, which interpolates nothing.
    pub(super) fn plain_string(&mut self, node: &SyntaxNode) -> Option<String> {
        let string = child(node, |kind| kind == K::StringExpr)?;
        let literal = self.string(&string);
        let text = literal.as_text().map(str::to_owned);
        if text.is_none() {
            let diagnostic = Diagnostic::error(Code::E0001, "a pattern interpolates nothing")
                .primary(self.span(&string), "")
                .help("compare in a guard: `s if s == \"…\"`");
            self.report(diagnostic);
        }
        text
    }
}

/// The character an escape stands for, and its length in the source.
fn read_escape(text: &str) -> (Option<char>, usize) {
    let mut chars = text.chars().skip(1);
    let Some(kind) = chars.next() else { return (None, text.len()) };
    let plain = match kind {
        'n' => Some('\n'),
        't' => Some('\t'),
        '\\' => Some('\\'),
        '"' => Some('"'),
        'u' => return read_unicode(text),
        _ => None,
    };
    (plain, 1 + kind.len_utf8())
}

/// `\u{1f600}`
fn read_unicode(text: &str) -> (Option<char>, usize) {
    let Some(digits) = text[2..].strip_prefix('{') else { return (None, 2) };
    let Some(end) = digits.find('}') else { return (None, 2) };
    let value = u32::from_str_radix(&digits[..end], 16).ok().and_then(char::from_u32);
    (value, end + 4)
}

/// `[[fill]align][+][0][width][,][.precision][kind]`
fn read_format(span: Span, text: &str) -> Option<FormatSpec> {
    let (fill, align, text) = read_align(text);
    let (plus, text) = read_flag(text, '+');
    let (zero, text) = read_flag(text, '0');
    let (width, text) = read_count(text)?;
    let (grouped, text) = read_flag(text, ',');
    let (precision, text) = match text.strip_prefix('.') {
        Some(text) => {
            let (precision, text) = read_count(text)?;
            (Some(precision?), text)
        }
        None => (None, text),
    };
    let kind = read_kind(text)?;
    if grouped && kind == Some(FormatKind::Hex) {
        return None;
    }
    Some(FormatSpec { span, fill, align, plus, zero, width, grouped, precision, kind })
}

fn read_align(text: &str) -> (Option<char>, Option<Align>, &str) {
    let align = |c: Option<char>| match c {
        Some('<') => Some(Align::Left),
        Some('^') => Some(Align::Center),
        Some('>') => Some(Align::Right),
        _ => None,
    };
    let mut chars = text.chars();
    let (first, second) = (chars.next(), chars.next());
    if let (Some(fill), Some(side)) = (first, align(second)) {
        return (Some(fill), Some(side), &text[fill.len_utf8() + 1..]);
    }
    match align(first) {
        Some(side) => (None, Some(side), &text[1..]),
        None => (None, None, text),
    }
}

fn read_flag(text: &str, flag: char) -> (bool, &str) {
    match text.strip_prefix(flag) {
        Some(rest) => (true, rest),
        None => (false, text),
    }
}

/// Digits, up to what no output needs.
fn read_count(text: &str) -> Option<(Option<u32>, &str)> {
    let (digits, rest) =
        text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    if digits.is_empty() {
        return Some((None, rest));
    }
    let count: u32 = digits.parse().ok().filter(|&count| count <= 10_000)?;
    Some((Some(count), rest))
}

fn read_kind(text: &str) -> Option<Option<FormatKind>> {
    Some(match text {
        "" => None,
        "e" => Some(FormatKind::Exponent),
        "d" => Some(FormatKind::Decimal),
        "x" => Some(FormatKind::Hex),
        "f" => Some(FormatKind::Fixed),
        "%" => Some(FormatKind::Percent),
        _ => return None,
    })
}
