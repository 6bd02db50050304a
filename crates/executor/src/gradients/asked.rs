//! The entries of a derivative that a program reads: these are what is checked. A read of
//! `@y[t] / @x[t]` for all `t` asks for a diagonal, not for all pairs of steps.

use super::lift::lifted_assignment;
use super::probe::observe;
use std::sync::Arc;
use weft_domain::{Affine, Iter, Space};
use weft_grad::{Asked, Chosen, Pattern, Quotient};
use weft_host::RunError;
use weft_scalar::ScalarType;
use weft_shape::Size;
use weft_tensor::eval::Binding;
use weft_tensor::{
    Accumulator, Array, Assignment, Axis, Definition, Expr, ExprId, Exprs, Graph, IndexTerm,
    Tensor, TensorId,
};

/// What one pattern of reads asks for: as many cells as free coordinates have points.
pub(super) struct View {
    /// How far each free coordinate goes.
    shape: Vec<usize>,
    /// Where each axis is, of the target and then of the independent tensor.
    places: Vec<Place>,
    /// The extents of those axes.
    extents: Vec<usize>,
    /// How many of the axes are the target's.
    rank: usize,
}

/// Where an axis is at a point.
#[derive(Clone)]
enum Place {
    At(i64),
    /// At a free coordinate and so many further.
    Along(usize, i64),
    /// Where the cell of the target chooses, and where that is for each cell of the view.
    Chosen(Chosen, Arc<Array>),
}

/// One entry: the cell of the view, and those of the target and the independent tensor that
/// it is about.
pub(super) struct Entry {
    pub at: usize,
    pub row: usize,
    pub cell: usize,
}

impl View {
    /// What a pattern asks for, with sizes as they are bound; nothing where that is nothing.
    ///
    /// # Errors
    ///
    /// Whatever fails where places are chosen.
    pub fn of(
        graph: &Graph,
        q: &Quotient,
        binding: &Binding,
        pattern: &Pattern,
    ) -> Result<Option<View>, RunError> {
        let Some(mut view) = View::without_choices(graph, q, binding, pattern) else {
            return Ok(None);
        };
        for (axis, asked) in pattern.axes.iter().enumerate() {
            if let Asked::Chosen(chosen) = asked {
                let chosen = chosen.clone();
                let places = view.chosen_places(graph, binding, &chosen)?;
                view.places[axis] = Place::Chosen(chosen, places);
            }
        }
        Ok(Some(view))
    }

    /// The same, with all chosen places at 0.
    fn without_choices(
        graph: &Graph,
        q: &Quotient,
        binding: &Binding,
        pattern: &Pattern,
    ) -> Option<View> {
        let default = |p| graph.params.get(p).and_then(|i| i.default);
        let value = |p| binding.params.get(&p).copied().or_else(|| default(p));
        let sizes = graph.shape(q.target).chain(graph.shape(q.independent));
        let extents: Vec<usize> =
            sizes.map(|s| usize::try_from(s.eval(&value)?).ok()).collect::<Option<_>>()?;
        let rank = graph.tensors[q.target].rank();
        let mut view = View { shape: Vec::new(), places: Vec::new(), extents, rank };
        for (axis, asked) in pattern.axes.iter().enumerate() {
            let place = match asked {
                Asked::Chosen(_) => Place::At(0),
                Asked::Fixed(at) => Place::At(view.inside(axis, at.eval(&value)?)?),
                Asked::Ranged => Place::Along(view.coordinate(0, view.extent(axis))?, 0),
                Asked::Tied(other, distance) if axis < rank => {
                    let (from, to) = ((*distance).max(0), view.extent(rank + other) + distance);
                    Place::Along(view.coordinate(from, to.min(view.extent(axis)))?, from)
                }
                Asked::Tied(other, distance) => match &view.places[*other] {
                    Place::Along(k, from) => Place::Along(*k, from - distance),
                    Place::At(at) => Place::At(view.inside(axis, at - distance)?),
                    Place::Chosen(..) => unreachable!("cells of the target choose"),
                },
            };
            view.places.push(place);
        }
        Some(view)
    }

    fn extent(&self, axis: usize) -> i64 {
        self.extents[axis] as i64
    }

    fn inside(&self, axis: usize, at: i64) -> Option<i64> {
        (0..self.extent(axis)).contains(&at).then_some(at)
    }

    /// A coordinate that goes over a range of an axis.
    fn coordinate(&mut self, from: i64, to: i64) -> Option<usize> {
        let length = usize::try_from(to - from).ok().filter(|n| *n > 0)?;
        self.shape.push(length);
        Some(self.shape.len() - 1)
    }

    /// A tensor of the graph that holds what is asked of a quotient.
    pub fn add_to(&self, graph: &mut Graph, quotient: TensorId, elem: ScalarType) -> TensorId {
        self.define(graph, elem, |exprs, iters| {
            let term = |place: &Place| match place {
                Place::Chosen(chosen, _) => IndexTerm::Data(self.chosen_at(chosen, exprs, iters)),
                place => IndexTerm::from(affine(place, iters)),
            };
            let index = self.places.iter().map(term).collect();
            exprs.add(Expr::Read { tensor: quotient, index, site: None }, elem)
        })
    }

    /// The place that the target chooses at each cell of the view.
    fn chosen_places(
        &self,
        graph: &Graph,
        binding: &Binding,
        chosen: &Chosen,
    ) -> Result<Arc<Array>, RunError> {
        let mut graph = graph.clone();
        let places = self.define(&mut graph, ScalarType::I64, |exprs, iters| {
            let at = self.chosen_at(chosen, exprs, iters);
            exprs.cast(ScalarType::I64, at)
        });
        observe(&graph, binding, places)
    }

    fn chosen_at(&self, chosen: &Chosen, exprs: &mut Exprs, iters: &[Iter]) -> ExprId {
        let at = chosen.at(exprs, &|n| affine(&self.places[n], iters));
        at.expect("coefficients stay as they were")
    }

    /// A tensor over the cells of the view.
    fn define(
        &self,
        graph: &mut Graph,
        elem: ScalarType,
        body: impl FnOnce(&mut Exprs, &[Iter]) -> ExprId,
    ) -> TensorId {
        let extents: Vec<Size> = self.shape.iter().map(|n| Size::from(*n as i64)).collect();
        let axes = extents.iter().map(|n| Axis { extent: n.clone(), name: None }).collect();
        let definition = Definition::Assigned { pieces: Vec::new(), covered: true };
        let target = graph.tensors.push(Tensor { name: None, span: None, elem, axes, definition });
        let mut space = Space::default();
        let iters: Vec<Iter> = extents
            .into_iter()
            .map(|n| space.push(None, Affine::fixed(0), Affine::fixed(n)))
            .collect();
        let write = iters.iter().map(|i| IndexTerm::from(Affine::iter(*i))).collect();
        let mut exprs = Exprs::new();
        let body = body(&mut exprs, &iters);
        let accumulator = Accumulator::Set;
        let made = Assignment { target, space, write, accumulator, mask: None, body, exprs };
        graph.assign(lifted_assignment(&made));
        target
    }

    /// All entries, in the order of the view's cells.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        let count: usize = self.shape.iter().product();
        (0..count).map(|at| {
            let full = self.cell(at);
            let joined = |axes: std::ops::Range<usize>| {
                axes.fold(0, |flat, axis| flat * self.extents[axis] + full[axis])
            };
            Entry { at, row: joined(0..self.rank), cell: joined(self.rank..full.len()) }
        })
    }

    /// The cell of the target and then of the independent tensor that a cell of the view is
    /// about.
    pub fn cell(&self, flat: usize) -> Vec<usize> {
        let mut at = flat;
        let mut point = vec![0; self.shape.len()];
        for (k, n) in self.shape.iter().enumerate().rev() {
            point[k] = (at % n) as i64;
            at /= n;
        }
        let mut cell: Vec<usize> = Vec::new();
        for place in &self.places {
            cell.push(match place {
                Place::At(at) => *at as usize,
                Place::Along(k, from) => (point[*k] + from) as usize,
                Place::Chosen(_, places) => places.get(flat).as_i64().unwrap_or(0) as usize,
            });
        }
        cell
    }
}

/// Where an axis is that goes with the coordinates.
fn affine(place: &Place, iters: &[Iter]) -> Affine {
    match place {
        Place::At(at) => Affine::fixed(*at),
        Place::Along(k, from) => Affine::iter(iters[*k]).plus_size(&Size::from(*from)),
        Place::Chosen(..) => unreachable!("cells of the target choose"),
    }
}
