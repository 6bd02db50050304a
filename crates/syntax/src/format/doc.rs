//! Documents: text with places where a line may break (Wadler, "A prettier printer", 2003).

/// A document.
#[derive(Clone, Debug)]
pub(super) enum Doc {
    /// Text without line breaks, or verbatim text that may hold some.
    Text(String),
    /// A space, or a line break in a broken group.
    Line,
    /// Nothing, or a line break in a broken group.
    Soft,
    /// A line break.
    Hard,
    /// An empty line.
    Blank,
    /// A comment at the end of a line.
    Trailing(String),
    /// The place before the `=` of a clause; clauses with one number are aligned.
    Clause(u32),
    /// Further to the right.
    Indent(Vec<Doc>),
    /// On one line if it fits and nothing in it forces a break; else all its own lines break.
    Group { docs: Vec<Doc>, broken: bool },
    /// Each line breaks only where the next piece does not fit.
    Fill(Vec<Doc>),
}

impl Doc {
    /// A group; broken where anything in it breaks for certain.
    pub fn group(docs: Vec<Doc>) -> Doc {
        let broken = docs.iter().any(Doc::breaks);
        Doc::Group { docs, broken }
    }

    /// Whether a line break is certain.
    fn breaks(&self) -> bool {
        match self {
            Doc::Hard | Doc::Blank | Doc::Trailing(_) => true,
            Doc::Text(_) | Doc::Line | Doc::Soft | Doc::Clause(_) => false,
            Doc::Indent(docs) | Doc::Fill(docs) => docs.iter().any(Doc::breaks),
            Doc::Group { broken, .. } => *broken,
        }
    }
}
