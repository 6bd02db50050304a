//! A program with every float an `f64`: what differences are taken of.

use std::sync::Arc;
use weft_grad::Rule;
use weft_scalar::{Scalar, ScalarType, eval as scalar};
use weft_tensor::eval::Binding;
use weft_tensor::{Array, Assignment, Data, Definition, Expr, ExprId, Graph, TensorId, rewrite};

fn lifted(ty: ScalarType) -> ScalarType {
    if ty.is_float() { ScalarType::F64 } else { ty }
}

/// The graph with every float an `f64`.
pub(super) fn lifted_graph(graph: &Graph) -> Graph {
    let mut out = graph.clone();
    out.functions = graph.functions.with_types(&lifted);
    for t in graph.tensors.keys() {
        let tensor = &mut out.tensors[t];
        tensor.elem = lifted(tensor.elem);
        if let Definition::Constant(a) = &tensor.definition {
            tensor.definition = Definition::Constant(Arc::new(lifted_array(a)));
        }
    }
    for p in graph.assigns.keys() {
        out.assigns[p] = lifted_assignment(&graph.assigns[p]);
    }
    out
}

/// An assignment with every float an `f64`.
pub(super) fn lifted_assignment(a: &Assignment) -> Assignment {
    let roots: Vec<ExprId> = a.mask.into_iter().chain([a.body]).collect();
    let (exprs, roots) = rewrite(&a.exprs, &roots, &mut |into, node, ty| match node {
        Expr::Const(v) => into.constant(scalar::cast(v, lifted(v.ty()))),
        Expr::Cast(to, x) => into.cast(lifted(to), x),
        other => into.add(other, lifted(ty)),
    });
    let body = *roots.last().expect("the body is a root");
    let mask = a.mask.map(|_| roots[0]);
    Assignment { exprs, body, mask, ..a.clone() }
}

/// A rule whose assignment is lifted.
pub(super) fn lifted_rule(rule: &Rule) -> Rule {
    Rule { stands_in: lifted_assignment(&rule.stands_in), ..rule.clone() }
}

fn lifted_array(a: &Array) -> Array {
    let to = lifted(a.elem());
    let cells: Vec<Scalar> = (0..a.len()).map(|n| scalar::cast(a.get(n), to)).collect();
    Array::new(a.shape().to_vec(), Data::from_scalars(to, &cells)).expect("the shape is the same")
}

/// Values for a lifted graph.
pub(super) fn lifted_binding(graph: &Graph, binding: &Binding) -> Binding {
    let lift = |(t, a): (&TensorId, &Arc<Array>)| {
        let fits = a.elem() == graph.tensors[*t].elem;
        (*t, if fits { a.clone() } else { Arc::new(lifted_array(a)) })
    };
    let inputs = binding.inputs.iter().map(lift).collect();
    Binding { params: binding.params.clone(), inputs, ..Binding::default() }
}
