//! The entries of a derivative that a program reads: these are what is checked. A read of
//! `@y[t] / @x[t]` for all `t` asks for a diagonal, not for all pairs of steps.

use weft_domain::{Affine, Iter, Space};
use weft_grad::{Asked, Pattern, Quotient};
use weft_scalar::ScalarType;
use weft_shape::Size;
use weft_tensor::eval::Binding;
use weft_tensor::{
    Accumulator, Assignment, Axis, Definition, Expr, Exprs, Graph, IndexTerm, Tensor, TensorId,
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
#[derive(Clone, Copy)]
enum Place {
    At(i64),
    /// At a free coordinate and so many further.
    Along(usize, i64),
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
    pub fn of(graph: &Graph, q: &Quotient, binding: &Binding, pattern: &Pattern) -> Option<View> {
        let default = |p| graph.params.get(p).and_then(|i| i.default);
        let value = |p| binding.params.get(&p).copied().or_else(|| default(p));
        let sizes = graph.shape(q.target).chain(graph.shape(q.independent));
        let extents: Vec<usize> =
            sizes.map(|s| usize::try_from(s.eval(&value)?).ok()).collect::<Option<_>>()?;
        let rank = graph.tensors[q.target].rank();
        let mut view = View { shape: Vec::new(), places: Vec::new(), extents, rank };
        for (axis, asked) in pattern.axes.iter().enumerate() {
            let place = match asked {
                Asked::Fixed(at) => Place::At(view.inside(axis, at.eval(&value)?)?),
                Asked::Ranged => Place::Along(view.coordinate(0, view.extent(axis))?, 0),
                Asked::Tied(other, distance) if axis < rank => {
                    let (from, to) = ((*distance).max(0), view.extent(rank + other) + distance);
                    Place::Along(view.coordinate(from, to.min(view.extent(axis)))?, from)
                }
                Asked::Tied(other, distance) => match view.places[*other] {
                    Place::Along(k, from) => Place::Along(k, from - distance),
                    Place::At(at) => Place::At(view.inside(axis, at - distance)?),
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
        let extents: Vec<Size> = self.shape.iter().map(|n| Size::from(*n as i64)).collect();
        let axes = extents.iter().map(|n| Axis { extent: n.clone(), name: None }).collect();
        let definition = Definition::Assigned { pieces: Vec::new(), covered: true };
        let target = graph.tensors.push(Tensor { name: None, span: None, elem, axes, definition });
        let mut space = Space::default();
        let iters: Vec<Iter> = extents
            .into_iter()
            .map(|n| space.push(None, Affine::fixed(0), Affine::fixed(n)))
            .collect();
        let term = |place: &Place| match *place {
            Place::At(at) => IndexTerm::from(Affine::fixed(at)),
            Place::Along(k, from) => {
                IndexTerm::from(Affine::iter(iters[k]).plus_size(&Size::from(from)))
            }
        };
        let index = self.places.iter().map(term).collect();
        let write = iters.iter().map(|i| IndexTerm::from(Affine::iter(*i))).collect();
        let mut exprs = Exprs::new();
        let body = exprs.add(Expr::Read { tensor: quotient, index, site: None }, elem);
        let accumulator = Accumulator::Set;
        graph.assign(Assignment { target, space, write, accumulator, mask: None, body, exprs });
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
    pub fn cell(&self, mut at: usize) -> Vec<usize> {
        let mut point = vec![0; self.shape.len()];
        for (k, n) in self.shape.iter().enumerate().rev() {
            point[k] = (at % n) as i64;
            at /= n;
        }
        let place = |place: &Place| match *place {
            Place::At(at) => at as usize,
            Place::Along(k, from) => (point[k] + from) as usize,
        };
        self.places.iter().map(place).collect()
    }
}
