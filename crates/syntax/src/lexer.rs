//! Text to tokens, losing nothing.
//!
//! A string is several tokens: its quotes, its texts, and the tokens of what it
//! interpolates. Strings end at the end of their line at the latest; closers that are
//! missing there become tokens of length 0, so that the parser always sees them in pairs.
//! Number and field are told apart by the parser: `.0` is always a `Float` here.

mod number;
mod string;

use crate::SyntaxKind;
pub(crate) use number::radix_of;

/// A token: its kind and where it ends; it starts where the one before ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub(crate) kind: SyntaxKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// What the lexer is inside of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// The text of a string.
    Str,
    /// An interpolation, and how many brackets are open in it.
    Interp { open: u32 },
}

/// A text of more tokens is refused: trees take a hundred times the memory of their text.
pub(crate) const MAX_TOKENS: usize = 2 << 20;

/// The tokens of `text`, trivia included; their texts joined are `text`. Nothing where there
/// are too many.
pub(crate) fn lex(text: &str) -> Option<Vec<Token>> {
    // Programs have a token or more for every three bytes, the white space counted.
    let tokens = Vec::with_capacity(text.len() / 3);
    let mut lexer = Lexer { text, pos: 0, modes: Vec::new(), tokens };
    while lexer.pos < text.len() {
        if lexer.tokens.len() > MAX_TOKENS {
            return None;
        }
        lexer.step();
    }
    lexer.close_strings();
    Some(lexer.tokens)
}

struct Lexer<'a> {
    text: &'a str,
    pos: usize,
    modes: Vec<Mode>,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn step(&mut self) {
        match self.modes.last() {
            Some(Mode::Str) => self.string_part(),
            _ => self.code(),
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.pos..]
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, kind: SyntaxKind, len: usize) {
        let start = self.pos as u32;
        self.pos += len;
        self.tokens.push(Token { kind, start, end: self.pos as u32 });
    }

    fn run(&self, test: impl Fn(char) -> bool) -> usize {
        self.rest().find(|c| !test(c)).unwrap_or(self.rest().len())
    }

    fn code(&mut self) {
        let first = self.rest().chars().next().expect("not at the end");
        match first {
            '\n' if !self.modes.is_empty() => self.close_strings(),
            c if is_space(c) => self.space(),
            '/' if self.byte(1) == b'/' => self.push(SyntaxKind::Comment, self.run(|c| c != '\n')),
            '/' if self.byte(1) == b'*' => self.block_comment(),
            c if c == '_' || c.is_ascii_alphabetic() => self.word(),
            c if c.is_ascii_digit() => self.number(),
            '.' if self.byte(1).is_ascii_digit() => self.number(),
            '"' => self.open_string(),
            '#' if self.modes.is_empty() => self.push(SyntaxKind::Stray, self.run(|c| c != '\n')),
            '\'' => self.push(SyntaxKind::Stray, self.quoted_len()),
            ':' if self.at_format() => self.format_spec(),
            _ => self.punctuation(first),
        }
    }

    /// In an interpolation a line break ends the string, and is left for the next step.
    fn space(&mut self) {
        let in_string = !self.modes.is_empty();
        let len = self.run(|c| is_space(c) && !(in_string && c == '\n'));
        self.push(SyntaxKind::Whitespace, len);
    }

    fn block_comment(&mut self) {
        let len = self.rest()[2..].find("*/").map_or(self.rest().len(), |at| at + 4);
        self.push(SyntaxKind::BlockComment, len);
    }

    /// `'text'` as one unknown token, or the quote alone where it has no partner.
    fn quoted_len(&self) -> usize {
        let inner = &self.rest()[1..];
        let end = inner.find(['\'', '\n', '"']);
        end.filter(|&end| inner[end..].starts_with('\'')).map_or(1, |end| end + 2)
    }

    fn word(&mut self) {
        let len = self.run(is_word);
        let kind = match &self.rest()[..len] {
            "_" => SyntaxKind::Underscore,
            word => SyntaxKind::keyword(word).unwrap_or(SyntaxKind::Ident),
        };
        self.push(kind, len);
    }

    fn punctuation(&mut self, first: char) {
        let bytes = [first as u32 as u8, self.byte(1), self.byte(2)];
        match if first.is_ascii() { punctuation(bytes) } else { None } {
            Some((kind, len)) => {
                let kind = self.bracket(kind);
                self.push(kind, len);
            }
            None => self.push(SyntaxKind::Stray, self.run(is_stray).max(first.len_utf8())),
        }
    }

    /// Counts the brackets of an interpolation, and sees its end.
    fn bracket(&mut self, kind: SyntaxKind) -> SyntaxKind {
        use SyntaxKind as K;
        let Some(Mode::Interp { open }) = self.modes.last_mut() else { return kind };
        match kind {
            K::LParen | K::LBracket | K::LBrace => *open += 1,
            K::RBrace if *open == 0 => {
                self.modes.pop();
                return K::InterpClose;
            }
            K::RParen | K::RBracket | K::RBrace => *open = open.saturating_sub(1),
            _ => {}
        }
        kind
    }
}

fn is_space(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric()
}

/// Characters that run together into one unknown token.
fn is_stray(c: char) -> bool {
    !c.is_ascii() && !is_space(c)
}

fn punctuation(bytes: [u8; 3]) -> Option<(SyntaxKind, usize)> {
    let [a, b, _] = bytes;
    punctuation3(bytes)
        .map(|kind| (kind, 3))
        .or_else(|| punctuation2(a, b).map(|kind| (kind, 2)))
        .or_else(|| punctuation1(a).map(|kind| (kind, 1)))
}

fn punctuation3(bytes: [u8; 3]) -> Option<SyntaxKind> {
    match &bytes {
        b"..=" => Some(SyntaxKind::DotDotEq),
        b"..." => Some(SyntaxKind::DotDotDot),
        _ => None,
    }
}

fn punctuation2(a: u8, b: u8) -> Option<SyntaxKind> {
    use SyntaxKind as K;
    Some(match (a, b) {
        (b':', b':') => K::ColonColon,
        (b'.', b'.') => K::DotDot,
        (b'=', b'=') => K::EqEq,
        (b'!', b'=') => K::Ne,
        (b'<', b'=') => K::Le,
        (b'>', b'=') => K::Ge,
        (b'*', b'*') => K::StarStar,
        (b'&', b'&') => K::AmpAmp,
        (b'|', b'|') => K::PipePipe,
        (b'|', b'>') => K::PipeGt,
        (b'?', b'>') => K::QuestionGt,
        (b'!', b'>') => K::BangGt,
        (b'-', b'>') => K::Arrow,
        (b'=', b'>') => K::FatArrow,
        _ => return None,
    })
}

fn punctuation1(a: u8) -> Option<SyntaxKind> {
    use SyntaxKind as K;
    Some(match a {
        b'(' => K::LParen,
        b')' => K::RParen,
        b'[' => K::LBracket,
        b']' => K::RBracket,
        b'{' => K::LBrace,
        b'}' => K::RBrace,
        b',' => K::Comma,
        b';' => K::Semi,
        b':' => K::Colon,
        b'.' => K::Dot,
        b'=' => K::Eq,
        b'<' => K::Lt,
        b'>' => K::Gt,
        b'+' => K::Plus,
        b'-' => K::Minus,
        b'*' => K::Star,
        b'/' => K::Slash,
        b'%' => K::Percent,
        b'&' => K::Amp,
        b'|' => K::Pipe,
        b'!' => K::Bang,
        b'?' => K::Question,
        b'@' => K::At,
        b'^' => K::Caret,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::lex;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let tokens = lex(text).expect("a short text");
        let joined: String =
            tokens.iter().map(|t| &text[t.start as usize..t.end as usize]).collect();
        assert_eq!(joined, text);
        let shown = tokens.iter().filter(|t| !t.kind.is_trivia());
        let shown: Vec<_> = shown
            .map(|t| format!("{:?} {}", t.kind, &text[t.start as usize..t.end as usize]))
            .collect();
        expected.assert_eq(&shown.join("\n"));
    }

    #[test]
    fn numbers() {
        check(
            "0..5 1_000 1e-3 .5 2.5e3 1..=2 0...5 5. t.0.1 1f64 2d 1e 1e+",
            expect![[r#"
            Int 0
            DotDot ..
            Int 5
            Int 1_000
            Float 1e-3
            Float .5
            Float 2.5e3
            Int 1
            DotDotEq ..=
            Int 2
            Int 0
            DotDotDot ...
            Int 5
            Int 5
            Dot .
            Ident t
            Float .0
            Float .1
            Suffixed 1f64
            Suffixed 2d
            Suffixed 1e
            Suffixed 1e
            Plus +"#]],
        );
    }

    #[test]
    fn strings() {
        check(
            r#""a{{b}} {x:8.3f} {f("n{y}"):>5} {p::q} {d[a:b]}""#,
            expect![[r#"
            StrOpen "
            StrText a
            StrText {{
            StrText b
            StrText }}
            StrText  
            InterpOpen {
            Ident x
            FmtSpec :8.3f
            InterpClose }
            StrText  
            InterpOpen {
            Ident f
            LParen (
            StrOpen "
            StrText n
            InterpOpen {
            Ident y
            InterpClose }
            StrClose "
            RParen )
            FmtSpec :>5
            InterpClose }
            StrText  
            InterpOpen {
            Ident p
            ColonColon ::
            Ident q
            InterpClose }
            StrText  
            InterpOpen {
            Ident d
            LBracket [
            Ident a
            Colon :
            Ident b
            RBracket ]
            InterpClose }
            StrClose ""#]],
        );
    }

    #[test]
    fn broken_strings_end_with_their_line() {
        check(
            "\"a {x\n\"b\n\"c } {\"d\\\"\"",
            expect![[r#"
            StrOpen "
            StrText a 
            InterpOpen {
            Ident x
            InterpClose 
            StrClose 
            StrOpen "
            StrText b
            StrClose 
            StrOpen "
            StrText c 
            StrBrace }
            StrText  
            InterpOpen {
            StrOpen "
            StrText d\"
            StrClose "
            InterpClose 
            StrClose "#]],
        );
    }

    #[test]
    fn punctuation() {
        check(
            "|x| a|>b?>c!>d||e >= => -> :: ** @fn é∂ & /* x */ ? # f(x)",
            expect![[r#"
            Pipe |
            Ident x
            Pipe |
            Ident a
            PipeGt |>
            Ident b
            QuestionGt ?>
            Ident c
            BangGt !>
            Ident d
            PipePipe ||
            Ident e
            Ge >=
            FatArrow =>
            Arrow ->
            ColonColon ::
            StarStar **
            At @
            FnKw fn
            Stray é∂
            Amp &
            BlockComment /* x */
            Question ?
            Stray # f(x)"#]],
        );
    }
}
