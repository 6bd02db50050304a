//! How the cells of a tensor are reached, in a few words: which loops are in order, and
//! along which indices cells are independent.

use crate::routine::{Item, Nest, Plan, TimeLoop};
use std::collections::BTreeSet;
use std::fmt;
use weft_base::Name;
use weft_domain::Iter;
use weft_tensor::{Assignment, TensorId};

/// The order of a recurrence, by the names of its indices.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OrderOf {
    /// Loops whose steps run one after the other, outermost first, and whether they run
    /// downwards.
    pub in_order: Vec<(String, bool)>,
    /// Indices whose cells are independent within a step.
    pub at_once: Vec<String>,
}

impl OrderOf {
    /// The loops in order: `t, i down`.
    pub fn loops(&self) -> String {
        let one = |(name, down): &(String, bool)| {
            if *down { format!("{name} down") } else { name.clone() }
        };
        self.in_order.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for OrderOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "in order of {}", self.loops())?;
        if !self.at_once.is_empty() {
            write!(f, "; {} at once", self.at_once.join(", "))?;
        }
        Ok(())
    }
}

impl Plan {
    /// The order in which a tensor's cells are computed: of the piece in most loops.
    /// `None` where no loop in order computes it.
    pub fn order_of(&self, t: TensorId) -> Option<OrderOf> {
        let mut found: Option<OrderOf> = None;
        let mut stack: Vec<(&Item, Vec<&TimeLoop>)> =
            self.items.iter().rev().map(|i| (i, Vec::new())).collect();
        while let Some((item, around)) = stack.pop() {
            match item {
                Item::Fill(_) => {}
                Item::Loop(l) => {
                    let around = [around.as_slice(), &[l]].concat();
                    stack.extend(l.body.iter().rev().map(|i| (i, around.clone())));
                }
                Item::Nest(n) if self.graph.assigns[n.assign].target == t => {
                    let order = self.order_of_nest(n, &around);
                    let rank = |o: &OrderOf| (o.in_order.len(), o.at_once.len());
                    if found.as_ref().is_none_or(|f| rank(f) < rank(&order)) {
                        found = Some(order);
                    }
                }
                Item::Nest(_) => {}
            }
        }
        found.filter(|o| !o.in_order.is_empty())
    }

    /// The parts that nests of a tensor were divided into, in order; none where none was.
    pub fn parts_of(&self, t: TensorId) -> Vec<&Assignment> {
        let nests = self.items.iter().flat_map(Item::nests);
        let own = nests.map(|n| n.assign).filter(|&id| self.graph.assigns[id].target == t);
        let made = own.filter(|id| !self.graph.pieces(t).contains(id));
        made.map(|id| &self.graph.assigns[id]).collect()
    }

    fn order_of_nest(&self, n: &Nest, around: &[&TimeLoop]) -> OrderOf {
        let name = |l: &TimeLoop| self.loop_vars.get(l.var).and_then(|n| n.as_ref());
        let shown = |l: &TimeLoop| name(l).map_or("a skewed step".to_string(), Name::to_string);
        let in_order = around.iter().filter(|l| !l.parallel);
        let mut order = OrderOf {
            in_order: in_order.map(|l| (shown(l), l.descending)).collect(),
            at_once: around.iter().filter(|l| l.parallel).map(|l| shown(l)).collect(),
        };
        let a = &self.graph.assigns[n.assign];
        let fixed: BTreeSet<Iter> = n.bound.iter().map(|b| b.0).collect();
        for i in a.written().into_iter().filter(|i| !fixed.contains(i)) {
            order.at_once.push(a.space.iters[i].as_ref().map_or(i.to_string(), Name::to_string));
        }
        order
    }
}
