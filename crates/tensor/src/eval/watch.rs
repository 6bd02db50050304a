//! Looking at a run: cells as they are computed, and numbers that are none.

use super::FailureKind;
use crate::{Accumulator, Graph, TensorId};
use std::fmt::Debug;
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};

/// Who is told of cells as they are computed.
pub trait Watch: Debug {
    /// A cell has this value now.
    fn computed(&self, graph: &Graph, tensor: TensorId, cell: &[i64], value: Scalar);
}

/// An operator and its operands.
pub(super) enum Made<'a> {
    Unary(UnaryOp, ScalarType, u64),
    Binary(BinaryOp, ScalarType, [u64; 2]),
    Cast(ScalarType, ScalarType, u64),
    /// One more value in what a reduction has come to.
    Accumulated(Accumulator, ScalarType, [u64; 2]),
    Called(&'a [Scalar]),
}

impl Made<'_> {
    fn operands(&self) -> Vec<Scalar> {
        match *self {
            Made::Unary(_, ty, x) | Made::Cast(ty, _, x) => vec![Scalar::from_bits(ty, x)],
            Made::Binary(_, ty, both) | Made::Accumulated(_, ty, both) => {
                both.map(|x| Scalar::from_bits(ty, x)).to_vec()
            }
            Made::Called(args) => args.to_vec(),
        }
    }

    fn name(&self) -> String {
        match self {
            Made::Unary(op, ..) => op.name().to_string(),
            Made::Binary(op, ..) => op.name().to_string(),
            Made::Cast(_, to, _) => format!("as {to}"),
            Made::Accumulated(Accumulator::Prod | Accumulator::ExactProd(_), ..) => "prod".into(),
            Made::Accumulated(..) => "sum".into(),
            Made::Called(_) => "a function".into(),
        }
    }

    /// A failure where finite operands made `value`, and it is a NaN or an infinity.
    pub(super) fn look(&self, value: Scalar) -> Option<FailureKind> {
        if is_finite(value) {
            return None;
        }
        let operands = self.operands();
        if !operands.iter().all(|x| is_finite(*x)) {
            return None;
        }
        let texts: Vec<String> = operands.into_iter().map(Scalar::number_text).collect();
        let (name, operands, value) = (self.name(), texts.join(" and "), value.number_text());
        Some(FailureKind::NotFinite { made: format!("{name} of {operands} is {value}") })
    }
}

/// Whether a value is no NaN and no infinity.
fn is_finite(value: Scalar) -> bool {
    !value.ty().is_float() || value.as_f64().is_none_or(f64::is_finite)
}
