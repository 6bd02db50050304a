//! S-expressions: words, quoted texts and lists, which the text form is made of.

use crate::ParseError;

/// How deep lists may nest: deeper than what is printed of any program.
const DEEPEST: usize = 2000;

/// The longest line, where it can be helped.
const WIDTH: usize = 100;

/// A word, a text or a list.
#[derive(Clone, Debug)]
pub(crate) struct Sexp {
    pub kind: SexpKind,
    /// Where it begins in the text that it was read from.
    pub at: Place,
}

/// The kinds of them.
#[derive(Clone, Debug)]
pub(crate) enum SexpKind {
    Word(String),
    /// In quotes.
    Text(String),
    List(Vec<Sexp>),
}

/// A line and a column, both from 1.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    pub line: usize,
    pub column: usize,
}

impl Place {
    /// An error here.
    pub fn error(self, message: impl Into<String>) -> ParseError {
        ParseError { line: self.line, column: self.column, message: message.into() }
    }
}

impl Sexp {
    /// A word.
    pub fn word(word: impl Into<String>) -> Sexp {
        Sexp { kind: SexpKind::Word(word.into()), at: Place::default() }
    }

    /// A text.
    pub fn text(text: impl Into<String>) -> Sexp {
        Sexp { kind: SexpKind::Text(text.into()), at: Place::default() }
    }

    /// `(head rest…)`.
    pub fn form(head: &str, rest: impl IntoIterator<Item = Sexp>) -> Sexp {
        Sexp::list([Sexp::word(head)].into_iter().chain(rest))
    }

    /// `(all…)`.
    pub fn list(all: impl IntoIterator<Item = Sexp>) -> Sexp {
        Sexp { kind: SexpKind::List(all.into_iter().collect()), at: Place::default() }
    }

    /// The word, if it is one.
    pub fn as_word(&self) -> Option<&str> {
        match &self.kind {
            SexpKind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The word that a list begins with.
    pub fn head(&self) -> Option<&str> {
        match &self.kind {
            SexpKind::List(all) => all.first()?.as_word(),
            _ => None,
        }
    }
}

/// Everything in a text.
pub(crate) fn read(text: &str) -> Result<Vec<Sexp>, ParseError> {
    let mut reader = Reader { rest: text, at: Place { line: 1, column: 1 } };
    let mut open: Vec<(Place, Vec<Sexp>)> = Vec::new();
    let mut done: Vec<Sexp> = Vec::new();
    while let Some((c, at)) = reader.next_sign() {
        let made = match c {
            '(' if open.len() == DEEPEST => return Err(at.error("lists nest too deep")),
            '(' => {
                open.push((at, std::mem::take(&mut done)));
                continue;
            }
            ')' => {
                let Some((at, around)) = open.pop() else {
                    return Err(at.error("there is no list to close"));
                };
                let inside = std::mem::replace(&mut done, around);
                Sexp { kind: SexpKind::List(inside), at }
            }
            '"' => Sexp { kind: SexpKind::Text(reader.text(at)?), at },
            c => Sexp { kind: SexpKind::Word(reader.word(c)), at },
        };
        done.push(made);
    }
    match open.pop() {
        Some((at, _)) => Err(at.error("this list does not end")),
        None => Ok(done),
    }
}

struct Reader<'t> {
    rest: &'t str,
    at: Place,
}

impl Reader<'_> {
    fn next_char(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        match c {
            '\n' => self.at = Place { line: self.at.line + 1, column: 1 },
            _ => self.at.column += 1,
        }
        Some(c)
    }

    /// The next character that is no space, with its place.
    fn next_sign(&mut self) -> Option<(char, Place)> {
        loop {
            let at = self.at;
            let c = self.next_char()?;
            if !c.is_whitespace() {
                return Some((c, at));
            }
        }
    }

    fn word(&mut self, first: char) -> String {
        let mut word = String::from(first);
        while let Some(c) = self.rest.chars().next().filter(|c| !ends_word(*c)) {
            word.push(c);
            self.next_char();
        }
        word
    }

    /// What stands behind an opening quote, which stands at `start`.
    fn text(&mut self, start: Place) -> Result<String, ParseError> {
        let mut text = String::new();
        loop {
            let at = self.at;
            match self.next_char() {
                None => return Err(start.error("this text does not end")),
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape().ok_or_else(|| at.error("no such escape"))?),
                Some(c) => text.push(c),
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        match self.next_char()? {
            'n' => Some('\n'),
            c @ ('"' | '\\') => Some(c),
            'u' => {
                let (digits, rest) = self.rest.strip_prefix('{')?.split_once('}')?;
                let c = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)?;
                self.at.column += digits.len() + 2;
                self.rest = rest;
                Some(c)
            }
            _ => None,
        }
    }
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | ')' | '"')
}

/// Several, each from a line of its own on.
pub(crate) fn write(all: impl IntoIterator<Item = Sexp>) -> String {
    let mut out = String::new();
    for e in all {
        write_one(&mut out, &e, 0);
        out.push('\n');
    }
    out
}

/// One whose first character stands in column `indent`, as far as anyone cares.
fn write_one(out: &mut String, e: &Sexp, indent: usize) {
    match &e.kind {
        SexpKind::Word(word) => out.push_str(word),
        SexpKind::Text(text) => write_text(out, text),
        SexpKind::List(all) if left_of_line(e, WIDTH.saturating_sub(indent)).is_some() => {
            out.push('(');
            for (n, member) in all.iter().enumerate() {
                out.push_str(if n == 0 { "" } else { " " });
                write_one(out, member, indent);
            }
            out.push(')');
        }
        SexpKind::List(all) => write_broken(out, all, indent),
    }
}

/// A list over several lines: words go on where there is room, each list has lines of its own.
fn write_broken(out: &mut String, all: &[Sexp], indent: usize) {
    out.push('(');
    let mut room = WIDTH.saturating_sub(indent + 1);
    // The first stands behind the parenthesis.
    let mut on_line = true;
    for (n, member) in all.iter().enumerate() {
        let is_list = matches!(member.kind, SexpKind::List(_));
        let left = left_of_line(member, room.saturating_sub(1)).filter(|_| on_line && !is_list);
        match left {
            _ if n == 0 => {
                write_one(out, member, indent + 1);
                room = left_of_line(member, room).unwrap_or(0);
            }
            Some(left) => {
                out.push(' ');
                write_one(out, member, indent);
                room = left;
            }
            None => {
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', indent + 2));
                write_one(out, member, indent + 2);
                room = left_of_line(member, WIDTH.saturating_sub(indent + 2)).unwrap_or(0);
                on_line = !is_list;
            }
        }
    }
    out.push(')');
}

/// How much of `room` is left behind it where it stands on one line; nothing where it cannot.
fn left_of_line(e: &Sexp, room: usize) -> Option<usize> {
    match &e.kind {
        SexpKind::Word(word) => room.checked_sub(word.chars().count()),
        SexpKind::Text(text) if text.len() > 4 * room => None,
        SexpKind::Text(text) => {
            let mut shown = String::new();
            write_text(&mut shown, text);
            room.checked_sub(shown.chars().count())
        }
        SexpKind::List(all) if has_lines(e.head(), all.len()) => None,
        SexpKind::List(all) => {
            let parentheses = room.checked_sub(2)?;
            let spaces = parentheses.checked_sub(all.len().saturating_sub(1))?;
            all.iter().try_fold(spaces, |room, member| left_of_line(member, room))
        }
    }
}

/// Whether what a list holds stands on lines of its own, however short it is: statements.
fn has_lines(head: Option<&str>, len: usize) -> bool {
    match head {
        Some("items") => true,
        Some("block") => len > 2,
        _ => false,
    }
}

fn write_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::{DEEPEST, read, write};

    fn again(text: &str) -> String {
        write(read(text).expect("a text"))
    }

    #[test]
    fn what_is_read_is_written() {
        let text = "(a \"b \\\"c\\\\\\n\\u{7} é\" () (1.5))\nword\n";
        assert_eq!(again(text), text);
        assert_eq!(again(" ( a\n\tb )c\"d\""), "(a b)\nc\n\"d\"\n");
    }

    #[test]
    fn long_lists_are_broken_and_statements_have_lines() {
        let words = "abcdefghi ".repeat(12);
        let broken = again(&format!("({words}(x y) z)"));
        let lines: Vec<&str> = broken.lines().collect();
        assert_eq!(lines.len(), 4, "{broken}");
        assert!(lines.iter().all(|l| l.len() <= 100));
        assert_eq!(lines[1], "  abcdefghi abcdefghi");
        assert_eq!(&lines[2..], ["  (x y)", "  z)"]);
        assert_eq!(again("(block (a) (b))"), "(block\n  (a)\n  (b))\n");
        assert_eq!(again("(block (a))"), "(block (a))\n");
    }

    #[test]
    fn what_is_no_text_has_a_place() {
        let at = |text: &str| read(text).map(|_| ()).map_err(|e| (e.line, e.column));
        assert_eq!(at("(a\n (b"), Err((2, 2)));
        assert_eq!(at("a )"), Err((1, 3)));
        assert_eq!(at("a\n \"b"), Err((2, 2)));
        assert_eq!(at("\"a\\q\""), Err((1, 3)));
        assert_eq!(at("\"\\u{d800}\""), Err((1, 2)));
        assert_eq!(at(&"(".repeat(DEEPEST + 1)), Err((1, DEEPEST + 1)));
    }
}
