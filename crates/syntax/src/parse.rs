//! The way in: text to tree, program and complaints.

use crate::ast::Program;
use crate::lexer::{MAX_TOKENS, Token, lex};
use crate::parser::{build, run};
use crate::{SyntaxKind, SyntaxNode, Unread, grammar, lower};
use rowan::GreenNode;
use weft_base::{FileId, Span};
use weft_diag::{Code, Diagnostic};

/// A longer text is refused.
pub const MAX_SOURCE_BYTES: usize = 16 << 20;

/// What a text says, as far as it could be read.
#[derive(Clone, Debug)]
pub struct Parse {
    green: GreenNode,
    program: Program,
    diagnostics: Vec<Diagnostic>,
}

impl Parse {
    /// The lossless tree; its text is the source.
    pub fn syntax(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }

    /// The typed tree, with `Error` nodes where the source is wrong.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// What is wrong with the text, and lints of its form.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether something could not be read. (A lint that refuses is about what was.)
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|d| d.is_error() && !d.code.is_lint())
    }

    /// Tree and complaints, by value.
    pub fn into_parts(self) -> (Program, Vec<Diagnostic>) {
        (self.program, self.diagnostics)
    }
}

/// Reads a source text. Never fails: what is wrong stands in the diagnostics.
pub fn parse(file: FileId, text: &str) -> Parse {
    if text.len() > MAX_SOURCE_BYTES {
        let length = format!("{:.1} MiB", text.len() as f64 / (1 << 20) as f64);
        return refused(file, text, &length, &format!("{} MiB", MAX_SOURCE_BYTES >> 20));
    }
    let Some(tokens) = lex(text) else {
        let limit = format!("{MAX_TOKENS} words and signs");
        return refused(file, text, &format!("more than {limit}"), &limit);
    };
    let turned = turned(file, text, &tokens);
    let (green, mut diagnostics) = build(file, text, run(file, text, tokens, grammar::source_file));
    let root = SyntaxNode::new_root(green.clone());
    let (mut program, more) = lower::program(file, &root);
    if !diagnostics.is_empty() {
        program.unread = Unread::of(file, &root);
    }
    diagnostics.extend(turned);
    diagnostics.extend(more);
    Parse { green, program, diagnostics }
}

/// Characters in strings and comments that turn the direction of what follows: who reads the
/// program would see another than the one that runs. Elsewhere they are no tokens.
fn turned(file: FileId, text: &str, tokens: &[Token]) -> Option<Diagnostic> {
    let hides = |t: &&Token| {
        matches!(t.kind, SyntaxKind::StrText | SyntaxKind::Comment | SyntaxKind::BlockComment)
    };
    let is_turn = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let mut found = tokens.iter().filter(hides).flat_map(|t| {
        let inner = text[t.start as usize..t.end as usize].char_indices();
        inner.filter(|(_, c)| is_turn(*c)).map(|(at, c)| (t.start + at as u32, c))
    });
    let (at, c) = found.next()?;
    let code = u32::from(c);
    let d = Diagnostic::error(Code::E0002, format!("U+{code:04X} turns the direction of text"))
        .primary(
            Span::new(file, at, at + c.len_utf8() as u32),
            "what follows looks different from what it is",
        )
        .help(format!("write `\\u{{{code:x}}}` in a string, and leave it out of comments"));
    Some(match found.count() {
        0 => d,
        more => d.note(format!("the text has {more} more of this kind")),
    })
}

fn refused(file: FileId, text: &str, length: &str, limit: &str) -> Parse {
    let mut builder = rowan::GreenNodeBuilder::new();
    builder.start_node(rowan::SyntaxKind(SyntaxKind::SourceFile as u16));
    builder.token(rowan::SyntaxKind(SyntaxKind::Stray as u16), text);
    builder.finish_node();
    let diagnostic = Diagnostic::error(Code::E0006, format!("a source text of {length}"))
        .primary(Span::new(file, 0, 0), "")
        .note(format!("the limit is {limit}"))
        .help("keep data in files (`load_npy`), not in the source");
    Parse {
        green: builder.finish(),
        program: Program { stmts: Vec::new(), tail: None, unread: Unread::default() },
        diagnostics: vec![diagnostic],
    }
}
