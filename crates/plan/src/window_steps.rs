//! Steps of a loop over windows: a slot that is used again is zeroed where no piece covers it.

use crate::order::Steps;
use crate::routine::{Fill, FillValue, Item, TimeLoop};
use crate::storage::Window;
use crate::time_invariant;
use std::collections::BTreeSet;
use weft_domain::Affine;
use weft_shape::Size;
use weft_tensor::{AssignId, Graph, TensorId};

/// The ring of a tensor.
struct Slots {
    target: TensorId,
    axis: usize,
    size: i64,
}

/// Steps of a loop over windows: reused slots are zeroed where no piece covers them.
#[derive(Default)]
pub(crate) struct WindowSteps {
    slots: Vec<Slots>,
    covers: Option<(Size, Size)>,
    /// The pieces that continue what the step before left.
    pub carried_reductions: BTreeSet<AssignId>,
    pushes: bool,
}

impl WindowSteps {
    /// Steps without windows; whether terms may be pushed to what reads them.
    pub fn new(pushes: bool) -> WindowSteps {
        WindowSteps { pushes, ..WindowSteps::default() }
    }

    /// Notes a tensor that is kept in a window.
    pub fn add_slot(&mut self, graph: &Graph, target: TensorId, window: &Window) {
        let Window { axis, size, .. } = *window;
        self.slots.push(Slots { target, axis, size });
        let extent = graph.tensors[target].axes[axis].extent.clone();
        let hi = self.covers.take().map_or(extent.clone(), |(_, hi)| hi.larger(&extent));
        self.covers = Some((Size::constant(0), hi));
    }
}

impl Steps for WindowSteps {
    fn prologue(&self, graph: &Graph, steps: &TimeLoop) -> Vec<Item> {
        let zero = |slots: &Slots| {
            let Slots { target, axis, size } = *slots;
            let slice = Some((axis, Affine::iter(steps.var)));
            let when = time_invariant::writes_same_cells(graph, steps, target, axis)
                .then(|| time_invariant::first_steps(steps, size))
                .flatten();
            Item::Fill(Fill { target, value: FillValue::Zero, slice, when })
        };
        self.slots.iter().map(zero).collect()
    }

    fn covers(&self) -> Option<(Size, Size)> {
        self.covers.clone()
    }

    fn continues(&self, piece: AssignId) -> bool {
        self.carried_reductions.contains(&piece)
    }

    fn pushes(&self) -> bool {
        self.pushes
    }
}
