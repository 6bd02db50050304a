//! Conditions on sizes with provenance: decided at once, or when the sizes are known,
//! and reported in the same words either way.

use crate::{Facts, Param, Size, Verdict};
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};

/// A condition on sizes, and what to say where it fails.
#[derive(Debug, Clone, PartialEq)]
pub struct SizeCheck {
    /// Holds vacuously unless every one of these ranges `lo..hi` has a point.
    pub when: Vec<(Size, Size)>,
    /// The relation that must hold.
    pub relation: SizeRelation,
    /// The left side.
    pub left: Size,
    /// The right side.
    pub right: Size,
    /// Its subject.
    pub subject: CheckSubject,
    /// The calls through which it was reached, innermost first.
    pub chain: Vec<Span>,
}

/// How sizes must stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SizeRelation {
    /// `left == right`.
    Equal,
    /// `left <= right`.
    AtMost,
}

/// A piece of source text and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The text.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// The subject of a size check.
#[derive(Debug, Clone, PartialEq)]
pub enum CheckSubject {
    /// Two reads give one index different ranges.
    Anchors {
        /// The index.
        index: Name,
        /// The read whose axis has extent `left`.
        first: Excerpt,
        /// The read whose axis has extent `right`.
        second: Excerpt,
        /// Where the tensors that are read come from.
        origins: Vec<Excerpt>,
        /// Where the index is introduced, and as what it has one range, if that is known.
        cure: Option<(Span, String)>,
    },
    /// A read outside an extent. The least index is `right` (when `below`), or the
    /// largest plus one is `left`.
    Read {
        /// The read.
        read: Excerpt,
        /// The axis, from 0.
        axis: usize,
        /// Whether the lower end is what fails: `0 <= right`.
        below: bool,
        /// The tensor that is read, and where it is defined.
        origin: Option<Excerpt>,
        /// The cure, where the mistake is a known one.
        help: Option<String>,
    },
    /// Two shapes that must be one.
    Shapes {
        /// The operation, as in "`+`".
        what: String,
        /// The left operand.
        left: Excerpt,
        /// The right operand.
        right: Excerpt,
        /// The axis, from 0.
        axis: usize,
    },
    /// An extent that an annotation, a signature or an input states.
    Stated {
        /// The name or expression it is stated of.
        what: String,
        /// Where it is stated.
        span: Span,
        /// Where the value comes from.
        value: Option<Excerpt>,
        /// The axis, from 0.
        axis: usize,
    },
    /// The parts of an item such as `2 ^ k`, of `left` cells together, or of so many at least
    /// where one takes what is left.
    Parts {
        /// The item.
        item: Excerpt,
        /// The axis, from 0.
        axis: usize,
        /// The tensor that is read, and where it is defined.
        origin: Option<Excerpt>,
    },
    /// An integer that its type must hold.
    Fits {
        /// The expression.
        what: Excerpt,
        /// The name of the type.
        ty: &'static str,
        /// Whether the lower end is what fails: `left` is the least, and `right` the integer.
        below: bool,
        /// The cure, where there is a common one.
        help: Option<&'static str>,
    },
    /// A size that must not be negative.
    Positive {
        /// The owner of that size.
        what: String,
        /// Where.
        span: Span,
    },
}

impl SizeCheck {
    /// Whether the condition holds, as far as the facts decide.
    pub fn decide(&self, facts: &Facts) -> Verdict {
        let relation = match self.relation {
            SizeRelation::Equal => facts.equal(&self.left, &self.right),
            SizeRelation::AtMost => facts.le(&self.left, &self.right),
        };
        let ranges: Vec<Verdict> = self.when.iter().map(|(lo, hi)| facts.lt(lo, hi)).collect();
        if relation == Verdict::Yes || ranges.contains(&Verdict::No) {
            return Verdict::Yes;
        }
        if relation == Verdict::No && ranges.iter().all(|v| *v == Verdict::Yes) {
            return Verdict::No;
        }
        Verdict::Unknown
    }

    /// Whether the condition holds for given values; `None` where one is missing.
    pub fn holds(&self, value: &dyn Fn(Param) -> Option<i64>) -> Option<bool> {
        for (lo, hi) in &self.when {
            if lo.eval(value)? >= hi.eval(value)? {
                return Some(true);
            }
        }
        let (left, right) = (self.left.eval(value)?, self.right.eval(value)?);
        Some(match self.relation {
            SizeRelation::Equal => left == right,
            SizeRelation::AtMost => left <= right,
        })
    }

    /// The condition with its parameters replaced, reached through one more call.
    pub fn through_call(&self, call: Span, replace: &dyn Fn(Param) -> Size) -> SizeCheck {
        let when = |(lo, hi): &(Size, Size)| (lo.substitute(replace), hi.substitute(replace));
        SizeCheck {
            when: self.when.iter().map(when).collect(),
            left: self.left.substitute(replace),
            right: self.right.substitute(replace),
            chain: self.chain.iter().copied().chain([call]).collect(),
            ..self.clone()
        }
    }

    /// Whether another says the same of the same place, by whatever calls it was reached.
    pub fn repeats(&self, other: &SizeCheck) -> bool {
        (self.relation, &self.left, &self.right, &self.when)
            == (other.relation, &other.left, &other.right, &other.when)
            && self.subject == other.subject
    }

    /// Every parameter the condition depends on.
    pub fn params(&self) -> Vec<Param> {
        let ends = self.when.iter().flat_map(|(lo, hi)| [lo, hi]);
        let mut all: Vec<Param> =
            ends.chain([&self.left, &self.right]).flat_map(Size::params).collect();
        all.sort();
        all.dedup();
        all
    }

    /// The error that says the condition does not hold. `show` writes a size: as a number
    /// where it is known, else by the names of its parameters.
    pub fn diagnose(&self, show: &dyn Fn(&Size) -> String) -> Diagnostic {
        let (left, right) = (show(&self.left), show(&self.right));
        let base = match &self.subject {
            CheckSubject::Anchors { index, first, second, origins, cure } => {
                let base = anchors(index, first, second, origins, &left, &right);
                let text = "differences have fewer cells than what they are of: write the range";
                cure.iter().fold(base, |d, (at, range)| d.help_edit(text, *at, range.clone()))
            }
            CheckSubject::Read { read, axis, below, origin, help } => {
                let base = outside(read, *axis, *below, origin.as_ref(), &left, &right);
                help.iter().fold(base, |d, h| d.help(h.clone()))
            }
            CheckSubject::Shapes { what, left: l, right: r, axis } => {
                shapes(what, l, r, *axis, &left, &right)
            }
            CheckSubject::Stated { what, span, value, axis } => {
                stated(what, *span, value.as_ref(), *axis, &left, &right)
            }
            CheckSubject::Parts { item, axis, origin } => {
                let base = parts(item, *axis, self.relation, &left, &right);
                origin.iter().fold(base, |d, o| d.secondary(o.span, o.text.clone()))
            }
            CheckSubject::Fits { what, ty, below, help } => {
                let value = if *below { &right } else { &left };
                let headline = format!("`{}` does not fit `{ty}`", what.text);
                let d = Diagnostic::error(Code::E0308, headline)
                    .primary(what.span, format!("this is {value}"));
                help.iter().fold(d, |d, h| d.help(*h))
            }
            CheckSubject::Positive { what, span } => {
                Diagnostic::error(Code::E0503, format!("{what} has a negative size"))
                    .primary(*span, format!("this is {right}"))
            }
        };
        self.chain.iter().fold(base, |d, &call| d.secondary(call, "in this call"))
    }
}

fn anchors(
    index: &Name,
    first: &Excerpt,
    second: &Excerpt,
    origins: &[Excerpt],
    left: &str,
    right: &str,
) -> Diagnostic {
    let base = match first == second {
        true => {
            let headline =
                format!("index `{index}` has two extents in `{}`: {left} and {right}", first.text);
            Diagnostic::error(Code::E0501, headline)
                .primary(first.span, format!("`{index}` goes over two axes, which differ"))
        }
        false => {
            let headline = format!(
                "index `{index}` has two extents: {left} in `{}` but {right} in `{}`",
                first.text, second.text
            );
            Diagnostic::error(Code::E0501, headline)
                .primary(second.span, format!("`{index}` is 0..{right} here"))
                .secondary(first.span, format!("`{index}` is 0..{left} here"))
        }
    };
    let new = |at: usize, o: &Excerpt| !origins[..at].contains(o);
    let origins = origins.iter().enumerate().filter(|(at, o)| new(*at, o));
    origins.fold(base, |d, (_, o)| d.secondary(o.span, o.text.clone()))
}

fn outside(
    read: &Excerpt,
    axis: usize,
    below: bool,
    origin: Option<&Excerpt>,
    left: &str,
    right: &str,
) -> Diagnostic {
    let (headline, label) = if below {
        (
            format!("`{}` reads outside the extent: index {right} on axis {axis}", read.text),
            format!("the index goes down to {right}"),
        )
    } else {
        (
            format!("`{}` reads outside the extent {right} of axis {axis}", read.text),
            format!("the index reaches {}, but the extent is {right}", one_less(left)),
        )
    };
    let base = Diagnostic::error(Code::E0503, headline).primary(read.span, label);
    match origin {
        Some(o) => base.secondary(o.span, o.text.clone()),
        None => base,
    }
}

/// A size less 1: as a number where it is one.
fn one_less(size: &str) -> String {
    size.parse::<i64>().map_or_else(|_| format!("{size} - 1"), |n| (n - 1).to_string())
}

fn shapes(
    what: &str,
    left: &Excerpt,
    right: &Excerpt,
    axis: usize,
    l: &str,
    r: &str,
) -> Diagnostic {
    Diagnostic::error(
        Code::E0505,
        format!("{what} of tensors of different shapes: extent {l} against {r} on axis {axis}"),
    )
    .primary(right.span, format!("extent {r} on axis {axis}"))
    .secondary(left.span, format!("extent {l} on axis {axis}"))
    .note("operators apply element by element to equal shapes; nothing is broadcast")
    .help("write the pairing out with named indices: `let y[i, j] = a[i, j] + b[j];`")
}

fn parts(
    item: &Excerpt,
    axis: usize,
    relation: SizeRelation,
    left: &str,
    right: &str,
) -> Diagnostic {
    let text = &item.text;
    let cells = if left == "1" { "cell" } else { "cells" };
    match relation {
        SizeRelation::Equal => {
            let headline =
                format!("the parts of `{text}` have {left} {cells}, but axis {axis} has {right}");
            Diagnostic::error(Code::E0501, headline)
                .primary(item.span, format!("together {left}"))
                .help("`_` is a part of whatever size is left")
        }
        SizeRelation::AtMost => {
            let headline = format!(
                "the parts of `{text}` have at least {left} {cells}, but axis {axis} has {right}"
            );
            Diagnostic::error(Code::E0503, headline)
                .primary(item.span, format!("{left} {cells} besides what is left"))
        }
    }
}

fn stated(
    what: &str,
    span: Span,
    value: Option<&Excerpt>,
    axis: usize,
    left: &str,
    right: &str,
) -> Diagnostic {
    let base = Diagnostic::error(
        Code::E0308,
        format!("`{what}` has extent {right} on axis {axis}, but {left} is stated"),
    )
    .primary(span, format!("stated as {left}"));
    match value {
        Some(v) => base.secondary(v.span, format!("this has extent {right}")),
        None => base,
    }
}
