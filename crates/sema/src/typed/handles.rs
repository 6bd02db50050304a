//! What is done with typed values, by concern: each is a body under way, seen with the functions
//! of one. The functions stand where the concern does.

use crate::typed::body_cx::BodyCx;

/// What values of a body become: adapted, closed, held against a type.
pub(crate) struct Conversions<'c, 'a> {
    pub cx: &'c mut BodyCx<'a>,
}

/// What expressions are made of: numbers, names, arrays, sizes.
pub(crate) struct Leaves<'c, 'a> {
    pub cx: &'c mut BodyCx<'a>,
}

/// Operators, reductions and differentials of checked values.
pub(crate) struct Operators<'c, 'a> {
    pub cx: &'c mut BodyCx<'a>,
}

/// Parts of checked values: cells, members, characters, elements of host data.
pub(crate) struct Parts<'c, 'a> {
    pub cx: &'c mut BodyCx<'a>,
}

/// Definitions under way in a body: their members, the tensors of tuples, joined axes.
pub(crate) struct Targets<'c, 'a> {
    pub cx: &'c mut BodyCx<'a>,
}

/// What runs in its turn: values that stand under a name before what uses them.
pub(crate) struct Turns<'c, 'a> {
    pub cx: &'c mut BodyCx<'a>,
}

/// Proofs and lints in a body: what they are told, and what comes of what they find.
pub(crate) struct Proofs<'c, 'a> {
    pub cx: &'c mut BodyCx<'a>,
}

/// Patterns and constructors against the types of values.
pub(crate) struct Patterns<'c, 'a> {
    pub cx: &'c mut BodyCx<'a>,
}

/// Range inference in a body: what its clauses and reductions say of their indices.
pub(crate) struct Ranges<'c, 'a> {
    pub cx: &'c mut BodyCx<'a>,
}

/// Integers in a body: their terms, what is known of them while checking, and their quotients.
pub(crate) struct Terms<'c, 'a> {
    pub cx: &'c mut BodyCx<'a>,
}

impl<'a> BodyCx<'a> {
    /// What values of a body become: adapted, closed, held against a type.
    pub fn conversions(&mut self) -> Conversions<'_, 'a> {
        Conversions { cx: self }
    }

    /// What expressions are made of: numbers, names, arrays, sizes.
    pub fn leaves(&mut self) -> Leaves<'_, 'a> {
        Leaves { cx: self }
    }

    /// Operators, reductions and differentials of checked values.
    pub fn operators(&mut self) -> Operators<'_, 'a> {
        Operators { cx: self }
    }

    /// Parts of checked values: cells, members, characters, elements of host data.
    pub fn parts(&mut self) -> Parts<'_, 'a> {
        Parts { cx: self }
    }

    /// Definitions under way in a body: their members, the tensors of tuples, joined axes.
    pub fn targets(&mut self) -> Targets<'_, 'a> {
        Targets { cx: self }
    }

    /// What runs in its turn: values that stand under a name before what uses them.
    pub fn turns(&mut self) -> Turns<'_, 'a> {
        Turns { cx: self }
    }

    /// Proofs and lints in a body: what they are told, and what comes of what they find.
    pub fn proofs(&mut self) -> Proofs<'_, 'a> {
        Proofs { cx: self }
    }

    /// Patterns and constructors against the types of values.
    pub fn patterns(&mut self) -> Patterns<'_, 'a> {
        Patterns { cx: self }
    }

    /// Range inference in a body: what its clauses and reductions say of their indices.
    pub fn ranges(&mut self) -> Ranges<'_, 'a> {
        Ranges { cx: self }
    }

    /// Integers in a body: their terms, what is known of them while checking, and their quotients.
    pub fn terms(&mut self) -> Terms<'_, 'a> {
        Terms { cx: self }
    }
}
