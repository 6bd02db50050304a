//! Patterns of `match` with their names resolved.

use crate::thir::TypeId;
use weft_base::Span;
use weft_hir as hir;

/// A struct, or a variant of an enum, that an expression or a pattern names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Constructor {
    pub ty: TypeId,
    pub variant: usize,
}

/// A pattern whose names are resolved.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub span: Span,
    pub kind: PatternKind,
}

#[derive(Clone, Debug)]
pub(crate) enum PatternKind {
    /// Anything.
    Any,
    /// What the inner pattern takes, under a name.
    Bind(hir::Ident, Box<Pattern>),
    Bool(bool),
    /// Integers from the first up to and with the last; `None` where there is no end.
    Ints(i128, i128),
    /// A number that is no integer.
    Float(f64),
    /// Floats from the first up to the last, with it where the flag says so.
    Floats(f64, f64, bool),
    Text(String),
    /// A struct, or a variant of an enum.
    Fields(Constructor, Vec<Pattern>),
    Tuple(Vec<Pattern>),
    /// Elements at the front, whether more may follow (and under what name), and at the end.
    Array(Vec<Pattern>, Option<Option<hir::Ident>>, Vec<Pattern>),
}

impl Pattern {
    pub fn any(span: Span) -> Pattern {
        Pattern { span, kind: PatternKind::Any }
    }

    /// Whether it binds a name.
    pub fn binds(&self) -> bool {
        match &self.kind {
            PatternKind::Bind(..) => true,
            PatternKind::Fields(_, ps) | PatternKind::Tuple(ps) => ps.iter().any(Pattern::binds),
            PatternKind::Array(front, rest, back) => {
                matches!(rest, Some(Some(_))) || front.iter().chain(back).any(Pattern::binds)
            }
            _ => false,
        }
    }
}
