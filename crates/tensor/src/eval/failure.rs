//! Why an observation has no value.

use crate::{SiteId, TensorId};
use std::fmt;
use weft_base::Name;
use weft_scalar::eval::Trap;

/// The failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// A read outside its tensor.
    IndexOutOfRange {
        /// The tensor read.
        read: TensorId,
        /// The axis of it.
        axis: usize,
        /// The index.
        index: i64,
        /// The extent it is not below.
        extent: i64,
    },
    /// An operator without a value.
    Trap(Trap),
    /// A NaN or an infinity that finite numbers made, where that is looked for.
    NotFinite {
        /// The operation on its operands, and what it made.
        made: String,
    },
    /// A condition demanded by the program is false.
    Check,
    /// An extent is negative, overflows, or has no value.
    Extent {
        /// The axis.
        axis: usize,
        /// The value, where there is one.
        value: Option<i64>,
    },
    /// An index overflows 64 bits, or a size in it has no value.
    Overflow,
    /// An input has no value, or one of another shape or element type.
    Input,
    /// A cell needs its own value.
    Cyclic,
    /// The limit of bytes does not suffice.
    Memory {
        /// Bytes that would be needed.
        needed: u64,
        /// Bytes that are allowed.
        limit: u64,
    },
    /// The limit would, but the system has not as much.
    NoMemory {
        /// The request.
        needed: u64,
    },
    /// The interrupt flag was set.
    Interrupted,
}

/// A failed observation: of the cells that fail the one of the earliest tensor, then the
/// least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The failure.
    pub kind: FailureKind,
    /// Where in the source, if the failing operation has a place.
    pub site: Option<SiteId>,
    /// The tensor one of whose cells fails.
    pub tensor: TensorId,
    /// The cell; empty also where the failure is about the whole tensor.
    pub cell: Vec<i64>,
    /// The iterators at the failing point, outermost first; unnamed ones by id.
    pub point: Vec<(Name, i64)>,
}

impl FailureKind {
    /// Whether it is no cell's, so that others fail with it.
    pub(super) fn ends_all(&self) -> bool {
        use FailureKind::{Interrupted, Memory, NoMemory};
        matches!(self, Memory { .. } | NoMemory { .. } | Interrupted)
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FailureKind::IndexOutOfRange { axis, index, extent, .. } => {
                write!(f, "index {index} is out of range for axis {axis} of extent {extent}")
            }
            FailureKind::Trap(trap) => trap.fmt(f),
            FailureKind::NotFinite { made } => f.write_str(made),
            FailureKind::Check => f.write_str("a demanded condition is false"),
            FailureKind::Extent { axis, value: Some(v) } => {
                write!(f, "the extent of axis {axis} is {v}")
            }
            FailureKind::Extent { axis, value: None } => {
                write!(f, "the extent of axis {axis} has no value")
            }
            FailureKind::Overflow => f.write_str("an index has no value in 64 bits"),
            FailureKind::Input => f.write_str("the input has no value of the declared type"),
            FailureKind::Cyclic => f.write_str("a cell depends on itself"),
            FailureKind::Memory { needed, limit } => {
                write!(f, "{needed} bytes are needed, {limit} are allowed")
            }
            FailureKind::NoMemory { needed } => {
                write!(f, "the system has no memory for {needed} bytes")
            }
            FailureKind::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        for (at, (name, value)) in self.point.iter().enumerate() {
            write!(f, "{}{name} = {value}", if at == 0 { ", at " } else { ", " })?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}
