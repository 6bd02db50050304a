//! The schedule of a plan: the first strategy that suits each of its items.

use crate::analysis::{Context, View};
use crate::recognise::Order;
use crate::strategy::{Refusal, Strategy};
use crate::tree::{Loops, NestNode, Node, Refused, Steps, StepsNode};
use weft_plan::{Item, Nest, TimeLoop};
use weft_shape::Size;
use weft_tensor::Accumulator;

impl<'p> Context<'p> {
    /// The ways of some items.
    pub fn choose(&self, items: &'p [Item]) -> Vec<Node<'p>> {
        let node = |item: &'p Item| match item {
            Item::Fill(fill) => Node::Fill(fill),
            Item::Nest(nest) => Node::Nest(self.nest_node(nest)),
            Item::Loop(l) => Node::Steps(self.steps_node(l)),
        };
        items.iter().map(node).collect()
    }

    /// A pattern, if its strategy suits and was not left out; otherwise the reason is noted.
    fn asked<T>(
        &self,
        refused: &mut Refused,
        strategy: Strategy,
        find: impl FnOnce() -> Result<T, Refusal>,
    ) -> Option<T> {
        let found = find();
        let found = match found {
            Ok(_) if self.machine.skip.contains(strategy) => Err(Refusal::Skipped),
            found => found,
        };
        found.map_err(|why| refused.push((strategy, why))).ok()
    }

    fn nest_node(&self, nest: &'p Nest) -> NestNode<'p> {
        let view = self.view(nest);
        let mut refused = Vec::new();
        let loops = match view.assignment.accumulator {
            Accumulator::Set => {
                let find = || self.transposition(&view);
                let turned = self.asked(&mut refused, Strategy::Transposition, find);
                turned.map_or(Loops::Points, Loops::Transposed)
            }
            _ => self.reduction(&view, &mut refused),
        };
        NestNode { view, loops, refused }
    }

    fn reduction(&self, view: &View<'p>, refused: &mut Refused) -> Loops {
        let a = view.assignment;
        let written = a.written();
        let outer = a.space.ranges.partition_point(|r| written.contains(&r.iter));
        let (cells, reduced) = a.space.ranges.split_at(outer);
        let find = || self.one_points(view, cells, reduced);
        if let Some(points) = self.asked(refused, Strategy::OnePoint, find) {
            return Loops::OnePoint { outer, points };
        }
        let find = || self.contraction(view, cells, reduced);
        let packed = self.asked(refused, Strategy::Contraction, find);
        let order = if a.is_plainly_injective() {
            let find = || self.partial_sums(view, cells, reduced);
            self.asked(refused, Strategy::PartialSums, find).unwrap_or(Order::Cell)
        } else {
            // Several points may write one cell.
            Order::Cells(0)
        };
        Loops::Reduction { outer, order, packed }
    }

    fn steps_node(&self, l: &'p TimeLoop) -> StepsNode<'p> {
        let mut refused = Vec::new();
        // A single step is carried out as it is.
        let single = l.lo.plus_size(&Size::constant(1)) == l.hi;
        let way = self.way(l, &mut refused);
        let find = || self.register_state(l);
        let state = self.asked(&mut refused, Strategy::RegisterState, find);
        if single {
            refused.clear();
        }
        StepsNode { steps: l, way, state, body: self.choose(&l.body), refused }
    }

    fn way(&self, l: &'p TimeLoop, refused: &mut Refused) -> Steps<'p> {
        if l.within.is_some() {
            return Steps::InTurn;
        }
        if let Some(scan) = self.asked(refused, Strategy::Scan, || self.scan(l)) {
            return Steps::Scan(scan);
        }
        let tiles = self.asked(refused, Strategy::TimeTiles, || self.time_tiles(l));
        tiles.map_or(Steps::InTurn, Steps::Tiles)
    }
}
