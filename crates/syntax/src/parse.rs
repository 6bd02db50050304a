//! The way in: text to tree, program and complaints.

use crate::ast::Program;
use crate::lexer::{MAX_TOKENS, lex};
use crate::parser::{build, run};
use crate::{SyntaxKind, SyntaxNode, grammar, lower};
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

    /// Whether the program is refused already.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
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
    let (green, mut diagnostics) = build(file, text, run(file, text, tokens, grammar::source_file));
    let root = SyntaxNode::new_root(green.clone());
    let (program, more) = lower::program(file, &root);
    diagnostics.extend(more);
    Parse { green, program, diagnostics }
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
        program: Program { stmts: Vec::new(), tail: None },
        diagnostics: vec![diagnostic],
    }
}
