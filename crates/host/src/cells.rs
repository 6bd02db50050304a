//! A function of the host applied to the cells of tensors, one call for each.

use crate::datum::{Datum, part};
use crate::interpret::Interpreter;
use crate::{FunctionId, RunError};
use std::sync::Arc;
use weft_base::Span;
use weft_scalar::{Scalar, ScalarType};
use weft_tensor::{Array, Data};

impl Interpreter<'_> {
    /// The results at the cells of `mask` that hold; zero at the others, where nothing is
    /// called. The arguments have the axes of the mask first.
    pub fn cells(
        &mut self,
        f: FunctionId,
        elem: ScalarType,
        (mask, args): (&Datum, &[Datum]),
        span: Span,
    ) -> Result<Datum, RunError> {
        let mask = mask.array().expect("a mask of numbers");
        let axes = mask.shape().len();
        let args: Vec<_> =
            args.iter().map(|a| a.array().expect("an argument of numbers")).collect();
        let mut out = Vec::with_capacity(mask.len());
        for at in 0..mask.len() {
            if mask.get(at).as_bool() != Some(true) {
                out.push(Scalar::zero(elem));
                continue;
            }
            let args = args.iter().map(|a| part(a, axes, at)).collect();
            let found = self.call(f, args, span)?;
            out.push(found.scalar().expect("a function that gives one number"));
        }
        let array = Array::new(mask.shape().to_vec(), Data::from_scalars(elem, &out));
        Ok(Datum::of_array(Arc::new(array.expect("a number for each cell"))))
    }
}
