//! The program with one cell moved.

use super::differences::{self, Column};
use std::ops::Range;
use std::sync::Arc;
use weft_domain::{Affine, Iter, Space};
use weft_grad::{Quotient, Rule};
use weft_host::RunError;
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_tensor::eval::{Binding, Limits};
use weft_tensor::{
    Accumulator, Array, Assignment, Axis, Definition, Expr, Exprs, Graph, IndexTerm, Tensor,
    TensorId,
};

/// A program whose independent cells can be moved.
pub(super) struct Probe<'a> {
    graph: Graph,
    binding: Binding,
    q: &'a Quotient,
    /// The values around which cells move.
    pub at: Arc<Array>,
    /// The target where none has moved.
    pub here: Vec<f64>,
    /// What is bound to the moving cells: the values, or what is added to them.
    moved: TensorId,
    base: Array,
}

impl<'a> Probe<'a> {
    /// # Errors
    ///
    /// Whatever fails where no cell has moved.
    pub fn new(
        graph: &Graph,
        binding: &Binding,
        rules: &[Rule],
        q: &'a Quotient,
    ) -> Result<Probe<'a>, RunError> {
        let at = observe(graph, binding, q.independent)?;
        let here = numbers(&*observe(graph, binding, q.target)?);
        let (mut graph, mut binding) = (graph.clone(), binding.clone());
        keep_factors(&mut graph, &mut binding, rules)?;
        if !q.cells {
            graph.tensors[q.independent].definition = Definition::Input;
            let base = (*at).clone();
            return Ok(Probe { graph, binding, q, at, here, moved: q.independent, base });
        }
        let moved = add_to_cells(&mut graph, q.independent);
        let base = Array::zeros(ScalarType::F64, at.shape().to_vec()).expect("as large as another");
        Ok(Probe { graph, binding, q, at, here, moved, base })
    }

    /// The target where a cell is moved by some steps. Where it cannot be computed there it
    /// is no number.
    pub fn column(&mut self, cell: usize, steps: Range<usize>) -> Column {
        let size = self.at.get(cell).as_f64().unwrap_or(0.0).abs().max(1.0);
        let here = self.base.get(cell).as_f64().unwrap_or(0.0);
        let steps: Vec<f64> = steps.map(|n| differences::step(n) * size).collect();
        let up = steps.iter().map(|s| self.target_at(cell, here + s)).collect();
        let down = steps.iter().map(|s| self.target_at(cell, here - s)).collect();
        Column { steps, up, down }
    }

    fn target_at(&mut self, cell: usize, value: f64) -> Vec<f64> {
        let mut moved = self.base.clone();
        moved.set(cell, Scalar::F64(value));
        self.binding.inputs.insert(self.moved, Arc::new(moved));
        match observe(&self.graph, &self.binding, self.q.target) {
            Ok(target) => numbers(&target),
            Err(_) => vec![f64::NAN; self.here.len()],
        }
    }
}

/// The value of a tensor.
///
/// # Errors
///
/// Whatever fails when it is computed.
pub(super) fn observe(
    graph: &Graph,
    binding: &Binding,
    t: TensorId,
) -> Result<Arc<Array>, RunError> {
    let observed = weft_tensor::eval::evaluate(graph, binding, &[t], &Limits::default());
    let mut all = observed.map_err(|f| RunError::from_failure(graph, &f))?;
    Ok(all.remove(0))
}

fn numbers(a: &Array) -> Vec<f64> {
    (0..a.len()).map(|n| a.get(n).as_f64().unwrap_or(f64::NAN)).collect()
}

/// What a differential is multiplied by stays as it is.
fn keep_factors(graph: &mut Graph, binding: &mut Binding, rules: &[Rule]) -> Result<(), RunError> {
    let copies = rules.iter().filter(|r| r.hides.is_some()).map(|r| r.stands_in.target);
    let values: Vec<(TensorId, Arc<Array>)> =
        copies.map(|t| Ok((t, observe(graph, binding, t)?))).collect::<Result<_, RunError>>()?;
    for (copy, value) in values {
        binding.inputs.insert(copy, value);
        graph.tensors[copy].definition = Definition::Input;
    }
    Ok(())
}

/// Every cell is what defines it and a number of its own: the input that is returned.
fn add_to_cells(graph: &mut Graph, to: TensorId) -> TensorId {
    let like = graph.tensors[to].clone();
    let inner = graph.tensors.push(like.clone());
    let moved = graph.tensors.push(Tensor { definition: Definition::Input, ..like.clone() });
    for &p in graph.pieces(to).to_vec().iter() {
        graph.assigns[p].target = inner;
    }
    graph.tensors[to].definition = Definition::Assigned { pieces: Vec::new(), covered: true };
    let mut sum = copy_of(graph, inner, to);
    let read = Expr::Read { tensor: moved, index: sum.write.clone(), site: None };
    let own = sum.exprs.add(read, like.elem);
    sum.body = sum.exprs.binary(BinaryOp::Add, sum.body, own);
    graph.assign(sum);
    moved
}

/// `to[…] = from[…]`.
fn copy_of(graph: &Graph, from: TensorId, to: TensorId) -> Assignment {
    let mut space = Space::default();
    let push = |a: &Axis| {
        let i: Iter = space.push(a.name.clone(), Affine::fixed(0), Affine::fixed(a.extent.clone()));
        IndexTerm::from(Affine::iter(i))
    };
    let index: Vec<IndexTerm> = graph.tensors[from].axes.iter().map(push).collect();
    let mut exprs = Exprs::new();
    let read = Expr::Read { tensor: from, index: index.clone(), site: None };
    let body = exprs.add(read, graph.tensors[from].elem);
    let (write, accumulator) = (index, Accumulator::Set);
    Assignment { target: to, space, write, accumulator, mask: None, body, exprs }
}
