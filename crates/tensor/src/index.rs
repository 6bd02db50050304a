//! Index terms: what a projection says of one axis.

use crate::ExprId;
use weft_domain::Affine;

/// The index of one axis at a point of the space.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum IndexTerm {
    /// `Fixed`, `Affine` and `Quasi` of the design: affine over iterators and quotients.
    Affine(Affine),
    /// A computed index (gather): an integer expression, opaque to sets.
    Data(ExprId),
}

impl IndexTerm {
    /// The affine term, unless the index is computed.
    pub fn as_affine(&self) -> Option<&Affine> {
        match self {
            IndexTerm::Affine(a) => Some(a),
            _ => None,
        }
    }
}

impl From<Affine> for IndexTerm {
    fn from(a: Affine) -> IndexTerm {
        IndexTerm::Affine(a)
    }
}
