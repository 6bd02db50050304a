//! The one object: an assignment over an index space.

use crate::{ExprId, Exprs, IndexTerm, SiteId, TensorId};
use std::fmt;
use weft_domain::{Iter, Space};
use weft_scalar::{Scalar, ScalarType};

/// How the values at the points that write one cell combine.
///
/// Each is a monoid; its identity is the value of a cell that no point writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Accumulator {
    /// The write projection is injective: a plain store.
    Set,
    /// Sum; identity 0. Integers wrap.
    Sum,
    /// Product; identity 1. Integers wrap.
    Prod,
    /// Sum of integers whose exact value must be in their type: else the failure that the
    /// site tells. A body that is a product with a site is one of exact integers too.
    ExactSum(SiteId),
    /// Product of integers, as [`Accumulator::ExactSum`]; 0 wins over what is too large.
    ExactProd(SiteId),
    /// Largest; identity -inf, or the least integer. NaN wins.
    Max,
    /// Smallest; identity inf, or the largest integer. NaN wins.
    Min,
    /// Whether all are true; identity `true`. Later points are not evaluated once false.
    All,
    /// Whether any is true; identity `false`. Later points are not evaluated once true.
    Any,
    /// Value (`i64`) of the n-th reduced iterator at the largest body, first of equals,
    /// NaN largest of all; -1 where no point is.
    ArgMax(u8),
    /// As [`Accumulator::ArgMax`], at the smallest body, NaN smallest of all.
    ArgMin(u8),
}

/// `target[write(i)] ⊕= body(i)` for every point `i` of the space where the mask holds.
///
/// The iterators of the space that no write term mentions are the reduced ones. With
/// [`Accumulator::Set`] there is none, and the write is injective.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The tensor written.
    pub target: TensorId,
    /// The points.
    pub space: Space,
    /// The write projection: one term per axis of the target, none computed.
    pub write: Vec<IndexTerm>,
    /// How values meet.
    pub accumulator: Accumulator,
    /// Reductions only: points where it is false contribute nothing.
    pub mask: Option<ExprId>,
    /// The value at a point: of the target's element type, but for `ArgMax`/`ArgMin`.
    pub body: ExprId,
    /// The arena of mask and body.
    pub exprs: Exprs,
}

impl Assignment {
    /// The iterators that no write term mentions, in the order of traversal.
    pub fn reduced(&self) -> Vec<Iter> {
        let written = self.written();
        self.space.ranges.iter().map(|r| r.iter).filter(|i| !written.contains(i)).collect()
    }

    /// Whether the write is plainly injective: each written iterator moves along an axis of its
    /// own.
    pub fn is_plainly_injective(&self) -> bool {
        let alone = |i: &Iter| {
            let mut terms = self.write.iter().filter_map(IndexTerm::as_affine);
            terms.any(|t| t.iters() == [*i] && t.coefficient(*i) != 0)
        };
        self.written().iter().all(alone)
    }

    /// The iterators that write terms mention, ascending.
    pub fn written(&self) -> Vec<Iter> {
        let mut found: Vec<Iter> = Vec::new();
        for term in &self.write {
            match term {
                IndexTerm::Affine(a) => found.extend(a.iters()),
                IndexTerm::Data(_) => {}
            }
        }
        found.sort();
        found.dedup();
        found
    }
}

impl Accumulator {
    /// Whether values are added.
    pub fn is_sum(self) -> bool {
        matches!(self, Accumulator::Sum | Accumulator::ExactSum(_))
    }

    /// The place where a value that is not in its type is told.
    pub fn site(self) -> Option<SiteId> {
        match self {
            Accumulator::ExactSum(site) | Accumulator::ExactProd(site) => Some(site),
            _ => None,
        }
    }

    /// The identity over values of type `ty`: it stands where nothing is accumulated.
    pub fn identity(self, ty: ScalarType) -> Scalar {
        match self {
            Accumulator::Set | Accumulator::Sum | Accumulator::ExactSum(_) | Accumulator::Any => {
                Scalar::zero(ty)
            }
            Accumulator::Prod | Accumulator::ExactProd(_) | Accumulator::All => Scalar::one(ty),
            Accumulator::Max => Scalar::least(ty),
            Accumulator::Min => Scalar::greatest(ty),
            Accumulator::ArgMax(_) | Accumulator::ArgMin(_) => Scalar::I64(-1),
        }
    }

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Accumulator::Set => "set",
            Accumulator::Sum | Accumulator::ExactSum(_) => "sum",
            Accumulator::Prod | Accumulator::ExactProd(_) => "prod",
            Accumulator::Max => "max",
            Accumulator::Min => "min",
            Accumulator::All => "all",
            Accumulator::Any => "any",
            Accumulator::ArgMax(_) => "argmax",
            Accumulator::ArgMin(_) => "argmin",
        }
    }
}

impl fmt::Display for Accumulator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Accumulator::ArgMax(n) | Accumulator::ArgMin(n) => write!(f, "{}.{n}", self.name()),
            Accumulator::ExactSum(site) | Accumulator::ExactProd(site) => {
                write!(f, "{} at {site}", self.name())
            }
            _ => f.write_str(self.name()),
        }
    }
}
