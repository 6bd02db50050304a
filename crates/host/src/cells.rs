//! A function of the host applied to the cells of tensors, one call for each.

use crate::datum::{Datum, part};
use crate::interpret::Interpreter;
use crate::{FunctionId, RunError, Value};
use std::sync::Arc;
use weft_base::Span;
use weft_scalar::{Scalar, ScalarType};
use weft_tensor::{Array, Data};

impl Interpreter<'_> {
    /// The results at the cells of a mask that hold; zero at the others, where nothing is
    /// called. Of the operands behind the mask, `given` have its axes first; the others are
    /// not computed where no cell calls.
    pub fn cells(
        &mut self,
        f: FunctionId,
        elem: ScalarType,
        given: usize,
        operands: &[Value],
        span: Span,
    ) -> Result<Datum, RunError> {
        let (mask, args) = operands.split_first().expect("a mask comes first");
        let mask = self.eval(mask)?.array().expect("a mask of numbers");
        let taken = |at: usize| mask.get(at).as_bool() == Some(true);
        let mut out = vec![Scalar::zero(elem); mask.len()];
        if (0..mask.len()).any(taken) {
            let (cells, shared) = args.split_at(given);
            let cells: Vec<Arc<Array>> = self.arrays(cells)?;
            let shared = self.all(shared)?;
            let mut same = None;
            for at in (0..mask.len()).filter(|at| taken(*at)) {
                if let (Some(known), true) = (same, cells.is_empty()) {
                    out[at] = known;
                    continue;
                }
                let own = cells.iter().map(|a| part(a, mask.shape().len(), at));
                let args = own.chain(shared.iter().cloned()).collect();
                let found = self.call(f, args, span);
                let found =
                    found.map_err(|e| self.at_cell(e, &operands[0], mask.shape(), at, span))?;
                out[at] = found.scalar().expect("a function that gives one number");
                same = Some(out[at]);
            }
        }
        let array = Array::new(mask.shape().to_vec(), Data::from_scalars(elem, &out));
        Ok(Datum::of_array(Arc::new(array.expect("a number for each cell"))))
    }

    /// A failure of a call, with the cell that it was for.
    fn at_cell(
        &self,
        failure: RunError,
        mask: &Value,
        shape: &[usize],
        at: usize,
        span: Span,
    ) -> RunError {
        let (RunError::Diagnostic(d), Value::Tensor(t)) = (&failure, mask) else { return failure };
        let axes = &self.program.graph.tensors[*t].axes;
        let mut left = at;
        let mut named = Vec::new();
        for (axis, n) in axes.iter().zip(shape).rev() {
            if let Some(name) = &axis.name {
                named.push(format!("{name} = {}", left % n));
            }
            left /= n;
        }
        named.reverse();
        match named.is_empty() {
            true => failure,
            false => (**d).clone().secondary(span, format!("at {}", named.join(", "))).into(),
        }
    }

    fn arrays(&mut self, values: &[Value]) -> Result<Vec<Arc<Array>>, RunError> {
        let array = |d: Datum| d.array().expect("an argument of numbers");
        Ok(self.all(values)?.into_iter().map(array).collect())
    }
}
