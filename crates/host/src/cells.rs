//! A function of the host applied to the cells of tensors, one call for each.

use crate::datum::Datum;
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
        let mut out = Vec::with_capacity(mask.len());
        for at in 0..mask.len() {
            if mask.get(at).as_bool() != Some(true) {
                out.push(Scalar::zero(elem));
                continue;
            }
            let args = args.iter().map(|a| cell(a, at, axes)).collect();
            let found = self.call(f, args, span)?;
            out.push(found.scalar().expect("a function that gives one number"));
        }
        let array = Array::new(mask.shape().to_vec(), Data::from_scalars(elem, &out));
        Ok(Datum::of_array(Arc::new(array.expect("a number for each cell"))))
    }
}

/// What lies at one point of the first axes.
fn cell(d: &Datum, at: usize, axes: usize) -> Datum {
    let array = d.array().expect("an argument of numbers");
    let shape = &array.shape()[axes..];
    let count: usize = shape.iter().product();
    let cells: Vec<Scalar> = (at * count..(at + 1) * count).map(|k| array.get(k)).collect();
    let data = Data::from_scalars(array.elem(), &cells);
    Datum::of_array(Arc::new(Array::new(shape.to_vec(), data).expect("a cell has its size")))
}
