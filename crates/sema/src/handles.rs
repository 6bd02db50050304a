//! The areas of the checker: each is the checker seen with the functions of one concern.
//!
//! Their functions stand where the concern does; they call each other, since what they check
//! holds each other.

use crate::checker::Checker;

/// Operators, types and built-in functions applied to what they are written beside.
pub(crate) struct Applied<'c, 'a> {
    pub checker: &'c mut Checker<'a>,
}

/// Statements: the top level and blocks.
pub(crate) struct Blocks<'c, 'a> {
    pub checker: &'c mut Checker<'a>,
}

/// Calls, and functions as values.
pub(crate) struct Calls<'c, 'a> {
    pub checker: &'c mut Checker<'a>,
}

/// Choices between values, and failures as values.
pub(crate) struct Choices<'c, 'a> {
    pub checker: &'c mut Checker<'a>,
}

/// Comprehensions, folds, ranges as values, and what a host list is made of.
pub(crate) struct Sequences<'c, 'a> {
    pub checker: &'c mut Checker<'a>,
}

/// Definitions by clauses, and their joined axes.
pub(crate) struct Definitions<'c, 'a> {
    pub checker: &'c mut Checker<'a>,
}

/// Functions and constants: what is known of them, and their instances.
pub(crate) struct Callables<'c, 'a> {
    pub checker: &'c mut Checker<'a>,
}

/// Patterns of `match`, structs and enums.
pub(crate) struct Matches<'c, 'a> {
    pub checker: &'c mut Checker<'a>,
}

/// Reads and reductions: what indices go over.
pub(crate) struct Reads<'c, 'a> {
    pub checker: &'c mut Checker<'a>,
}

impl<'a> Checker<'a> {
    /// Operators, types and built-in functions applied to what they are written beside.
    pub fn applied(&mut self) -> Applied<'_, 'a> {
        Applied { checker: self }
    }

    /// Statements: the top level and blocks.
    pub fn blocks(&mut self) -> Blocks<'_, 'a> {
        Blocks { checker: self }
    }

    /// Calls, and functions as values.
    pub fn calls(&mut self) -> Calls<'_, 'a> {
        Calls { checker: self }
    }

    /// Choices between values, and failures as values.
    pub fn choices(&mut self) -> Choices<'_, 'a> {
        Choices { checker: self }
    }

    /// Comprehensions, folds, ranges as values, and what a host list is made of.
    pub fn sequences(&mut self) -> Sequences<'_, 'a> {
        Sequences { checker: self }
    }

    /// Definitions by clauses, and their joined axes.
    pub fn definitions(&mut self) -> Definitions<'_, 'a> {
        Definitions { checker: self }
    }

    /// Functions and constants: what is known of them, and their instances.
    pub fn callables(&mut self) -> Callables<'_, 'a> {
        Callables { checker: self }
    }

    /// Patterns of `match`, structs and enums.
    pub fn matches(&mut self) -> Matches<'_, 'a> {
        Matches { checker: self }
    }

    /// Reads and reductions: what indices go over.
    pub fn reads(&mut self) -> Reads<'_, 'a> {
        Reads { checker: self }
    }
}
