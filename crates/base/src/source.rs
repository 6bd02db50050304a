//! Source files, and spans into them.

use cranelift_entity::{EntityRef, entity_impl};
use elsa::FrozenVec;
use std::fmt;
use std::sync::Arc;

/// A source file of a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(u32);
entity_impl!(FileId, "file");

/// A half-open byte range `start..end` of one file.
///
/// Ordered by file, then start, then end: the order of the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Span { file, start, end }
    }

    /// The smallest span that covers both; `other` must lie in the same file,
    /// otherwise `self` is returned.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.file, self.start, self.end)
    }
}

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it was written.
    pub span: Span,
}

/// A line and column, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineCol {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// One source text with the name shown in messages.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name shown in messages: a path, `<command line>`, `<stdin>`.
    pub name: String,
    /// The whole text.
    pub text: Arc<str>,
    line_starts: Vec<u32>,
}

/// Characters of a text that a message shows in one line.
const LONGEST_SHOWN: usize = 40;

/// All source texts of a session.
///
/// Texts are only ever added, and stay where they are: a module is read while the text that
/// names it is being checked.
#[derive(Clone, Default)]
pub struct SourceMap {
    files: FrozenVec<Box<SourceFile>>,
}

impl SourceMap {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under the name that messages show.
    pub fn add(&self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        let text: Arc<str> = text.into();
        let newlines = text.bytes().enumerate().filter(|&(_, b)| b == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(i, _)| i as u32 + 1)).collect();
        let id = FileId::new(self.files.len());
        self.files.push(Box::new(SourceFile { name: name.into(), text, line_starts }));
        id
    }

    /// The file `id`.
    pub fn file(&self, id: FileId) -> &SourceFile {
        self.files.get(id.index()).expect("a file of this map")
    }

    /// The text a span covers.
    pub fn text(&self, span: Span) -> &str {
        &self.file(span.file).text[span.start as usize..span.end as usize]
    }

    /// The text a span covers in one line, for messages: long ones are cut.
    pub fn short_text(&self, span: Span) -> String {
        let mut text = String::new();
        // As many words as are shown, and not all of a long text.
        for word in self.text(span).split_whitespace() {
            if !text.is_empty() {
                text.push(' ');
            }
            text.extend(word.chars().take(LONGEST_SHOWN + 1));
            if let Some((at, _)) = text.char_indices().nth(LONGEST_SHOWN) {
                text.truncate(at);
                text.push('…');
                break;
            }
        }
        text
    }

    /// What stands before a span in its file, and what behind it.
    pub fn around(&self, span: Span) -> (&str, &str) {
        let text = &self.file(span.file).text;
        (&text[..span.start as usize], &text[span.end as usize..])
    }

    /// Line and column of a span's first byte.
    pub fn line_col(&self, span: Span) -> LineCol {
        let file = self.file(span.file);
        let line = self.line_of(span.file, span.start);
        let start = file.line_starts[line - 1] as usize;
        let column = file.text[start..span.start as usize].chars().count() + 1;
        LineCol { line, column }
    }

    /// The line that a byte of a file lies in, from 1: however long the line is.
    pub fn line_of(&self, file: FileId, byte: u32) -> usize {
        self.file(file).line_starts.partition_point(|&s| s <= byte)
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets all files but the first ones, whose ids stay.
    pub fn truncate(&mut self, count: usize) {
        if count < self.len() {
            self.files.as_mut().truncate(count);
        }
    }

    /// The ids of all files, in the order of their addition.
    pub fn ids(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.files.len()).map(FileId::new)
    }
}

impl fmt::Debug for SourceMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.ids().map(|id| &self.file(id).name)).finish()
    }
}
