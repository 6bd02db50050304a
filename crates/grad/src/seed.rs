//! Seeds: which cells of a tensor a sweep is about, one axis at a time.

use weft_domain::{Affine, Iter, Space};
use weft_scalar::Scalar;
use weft_shape::Size;
use weft_tensor::{
    Accumulator, Assignment, Axis, Definition, Exprs, Graph, IndexTerm, Tensor, TensorId,
};

/// The seed of a sweep along one axis.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Seed {
    /// One cell.
    Fixed(Size),
    /// Each cell, in a sweep of its own: the n-th axis of the sweeps.
    Swept(usize),
    /// All cells at once: they do not meet (see `align`).
    Together,
}

/// The axes that the sweeps of some seeds have: one per swept axis of `t`.
pub(crate) fn sweep_axes(graph: &Graph, t: TensorId, seeds: &[Seed]) -> Vec<Axis> {
    let swept = |(axis, seed): (&Axis, &Seed)| matches!(seed, Seed::Swept(_)).then(|| axis.clone());
    graph.tensors[t].axes.iter().zip(seeds).filter_map(swept).collect()
}

/// A tensor over the sweeps and the axes of `t` that is 1 where a sweep is about a cell.
pub(crate) fn seed_tensor(graph: &mut Graph, t: TensorId, seeds: &[Seed]) -> TensorId {
    let sweeps = sweep_axes(graph, t, seeds);
    let seed = derived_tensor(graph, t, &sweeps);
    let mut space = Space::default();
    let own: Vec<Iter> = sweeps
        .iter()
        .map(|a| space.push(a.name.clone(), Affine::fixed(0), Affine::fixed(a.extent.clone())))
        .collect();
    let mut write: Vec<IndexTerm> = own.iter().map(|i| Affine::iter(*i).into()).collect();
    let axes = graph.tensors[t].axes.clone();
    for (axis, s) in axes.iter().zip(seeds) {
        write.push(match s {
            Seed::Fixed(at) => Affine::fixed(at.clone()).into(),
            Seed::Swept(n) => Affine::iter(own[*n]).into(),
            Seed::Together => {
                let all = Affine::fixed(axis.extent.clone());
                Affine::iter(space.push(axis.name.clone(), Affine::fixed(0), all)).into()
            }
        });
    }
    let mut exprs = Exprs::new();
    let body = exprs.constant(Scalar::one(graph.tensors[t].elem));
    let accumulator = Accumulator::Set;
    graph.assign(Assignment { target: seed, space, write, accumulator, mask: None, body, exprs });
    let every_cell = seeds.iter().all(|s| *s == Seed::Together);
    set_covered(graph, seed, every_cell);
    seed
}

/// A tensor for derivatives that belong to the cells of `t`, one of each per sweep.
pub(crate) fn derived_tensor(graph: &mut Graph, t: TensorId, sweeps: &[Axis]) -> TensorId {
    let of = &graph.tensors[t];
    let axes = sweeps.iter().chain(&of.axes).cloned().collect();
    let definition = Definition::Assigned { pieces: Vec::new(), covered: true };
    let (elem, span) = (of.elem, of.span);
    graph.tensors.push(Tensor { name: None, span, elem, axes, definition })
}

/// Says whether the pieces of `t` write every cell.
pub(crate) fn set_covered(graph: &mut Graph, t: TensorId, all: bool) {
    if let Definition::Assigned { covered, .. } = &mut graph.tensors[t].definition {
        *covered = all;
    }
}

/// Loops over whole axes.
pub(crate) fn push_axes(space: &mut Space, axes: &[Axis]) -> Vec<Iter> {
    let all =
        |a: &Axis| space.push(a.name.clone(), Affine::fixed(0), Affine::fixed(a.extent.clone()));
    axes.iter().map(all).collect()
}

/// `total[…] = Σ parts[…]`: several sources of one derivative.
pub(crate) fn add_up(graph: &mut Graph, total: TensorId, parts: &[TensorId]) {
    let mut space = Space::default();
    let axes = graph.tensors[total].axes.clone();
    let own = push_axes(&mut space, &axes);
    let index: Vec<IndexTerm> = own.iter().map(|i| Affine::iter(*i).into()).collect();
    let elem = graph.tensors[total].elem;
    let mut exprs = Exprs::new();
    let mut body = None;
    for &tensor in parts {
        let read = weft_tensor::Expr::Read { tensor, index: index.clone(), site: None };
        let part = exprs.add(read, elem);
        body = Some(body.map_or(part, |sum| crate::build::plus(&mut exprs, sum, part)));
    }
    let body = body.unwrap_or_else(|| exprs.constant(Scalar::zero(elem)));
    let (write, accumulator) = (index, Accumulator::Set);
    graph.assign(Assignment { target: total, space, write, accumulator, mask: None, body, exprs });
    set_covered(graph, total, true);
}
