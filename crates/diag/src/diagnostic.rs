//! One diagnostic as data: built fluently where the fault is found, rendered elsewhere.

use crate::Code;
use weft_base::Span;

/// How bad a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The program is refused.
    Error,
    /// The program runs; the author probably means something else.
    Warning,
    /// Information only.
    Note,
}

impl Severity {
    /// The word shown in messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// A marked stretch of source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// What is marked.
    pub span: Span,
    /// What is said beside it; may be empty.
    pub message: String,
    /// Whether this is the place of the fault itself.
    pub primary: bool,
}

/// A replacement of a stretch of source; an empty span inserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced.
    pub span: Span,
    /// What stands there afterwards.
    pub replacement: String,
}

/// Advice, with the edits that carry it out where they are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help {
    /// The advice in words.
    pub message: String,
    /// Edits that belong together; they do not overlap.
    pub edits: Vec<Edit>,
}

/// One complaint, as data.
///
/// The message stands alone, without its labels: it is what short output shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind of complaint.
    pub code: Code,
    /// How bad.
    pub severity: Severity,
    /// One line, no full stop, names in backquotes.
    pub message: String,
    /// Marked source; several files are possible.
    pub labels: Vec<Label>,
    /// Facts that explain the complaint.
    pub notes: Vec<String>,
    /// Ways out.
    pub helps: Vec<Help>,
}

impl Diagnostic {
    /// A diagnostic of the code's own severity.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: code.default_severity(),
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            helps: Vec::new(),
        }
    }

    /// An error, also where the code is a lint.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Error, ..Self::new(code, message) }
    }

    /// A warning.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Self::new(code, message) }
    }

    /// Marks the place of the fault.
    #[must_use]
    pub fn primary(self, span: Span, message: impl Into<String>) -> Self {
        self.label(span, message.into(), true)
    }

    /// Marks a place that has to do with the fault.
    #[must_use]
    pub fn secondary(self, span: Span, message: impl Into<String>) -> Self {
        self.label(span, message.into(), false)
    }

    fn label(mut self, span: Span, message: String, primary: bool) -> Self {
        self.labels.push(Label { span, message, primary });
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, message: impl Into<String>) -> Self {
        self.notes.push(message.into());
        self
    }

    /// Adds advice in words only.
    #[must_use]
    pub fn help(self, message: impl Into<String>) -> Self {
        self.help_edits(message, Vec::new())
    }

    /// Adds advice that one edit carries out.
    #[must_use]
    pub fn help_edit(
        self,
        message: impl Into<String>,
        span: Span,
        replacement: impl Into<String>,
    ) -> Self {
        self.help_edits(message, vec![Edit { span, replacement: replacement.into() }])
    }

    /// Adds advice that several edits carry out together.
    #[must_use]
    pub fn help_edits(mut self, message: impl Into<String>, edits: Vec<Edit>) -> Self {
        self.helps.push(Help { message: message.into(), edits });
        self
    }

    /// The place of the fault: the first primary label, else the first label.
    pub fn span(&self) -> Option<Span> {
        let primary = self.labels.iter().find(|label| label.primary);
        primary.or(self.labels.first()).map(|label| label.span)
    }

    /// Whether this refuses the program.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
