//! Tokens of the text form.

use super::ParseError;

/// One token.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// A word: letters, digits and underscores after a letter.
    Word(String),
    /// An integer without its sign.
    Int(u128),
    /// A number with a fraction or an exponent, as written.
    Float(String),
    /// A text between quotes.
    Text(String),
    /// Any other character, or one of `..`, `>=`, `==`.
    Sign(&'static str),
    /// The end.
    End,
}

const SIGNS: [&str; 18] =
    ["..", ">=", "==", "[", "]", "{", "}", "(", ")", ",", ":", "^", "+", "-", "*", "/", "%", "="];

/// All tokens with their lines, [`Token::End`] last.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, usize)>, ParseError> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut line = 1;
    loop {
        let blank = rest.len() - rest.trim_start().len();
        line += rest[..blank].matches('\n').count();
        rest = &rest[blank..];
        if rest.is_empty() {
            found.push((Token::End, line));
            return Ok(found);
        }
        let (token, used) = token(rest).map_err(|message| ParseError { line, message })?;
        line += rest[..used].matches('\n').count();
        found.push((token, line));
        rest = &rest[used..];
    }
}

fn token(rest: &str) -> Result<(Token, usize), String> {
    let first = rest.chars().next().expect("the rest is not empty");
    if first == '"' {
        return quoted(rest);
    }
    if first.is_ascii_digit() {
        return number(rest);
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let word = prefix(rest, |c| c.is_ascii_alphanumeric() || c == '_');
        return Ok((Token::Word(word.to_string()), word.len()));
    }
    let sign = SIGNS.into_iter().find(|s| rest.starts_with(s));
    sign.map(|s| (Token::Sign(s), s.len())).ok_or_else(|| format!("unexpected {first:?}"))
}

fn prefix(rest: &str, inside: impl Fn(char) -> bool) -> &str {
    let end = rest.find(|c| !inside(c)).unwrap_or(rest.len());
    &rest[..end]
}

fn number(rest: &str) -> Result<(Token, usize), String> {
    let digits = prefix(rest, |c| c.is_ascii_digit());
    let mut length = digits.len();
    let fraction = rest[length..].strip_prefix('.').filter(|r| !r.starts_with('.'));
    if let Some(after) = fraction {
        length += 1 + prefix(after, |c| c.is_ascii_digit()).len();
    }
    if rest[length..].starts_with('e') {
        let sign = usize::from(rest[length + 1..].starts_with('-'));
        length += 1 + sign + prefix(&rest[length + 1 + sign..], |c| c.is_ascii_digit()).len();
    }
    if length > digits.len() {
        return Ok((Token::Float(rest[..length].to_string()), length));
    }
    let value = digits.parse().map_err(|_| format!("{digits} is too large"))?;
    Ok((Token::Int(value), length))
}

fn quoted(rest: &str) -> Result<(Token, usize), String> {
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((Token::Text(text), at + 1)),
            '\\' => match chars.next() {
                Some((_, 'n')) => text.push('\n'),
                Some((_, c @ ('"' | '\\'))) => text.push(c),
                _ => return Err("unknown escape".to_string()),
            },
            c => text.push(c),
        }
    }
    Err("a text without its end".to_string())
}
