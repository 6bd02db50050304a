//! What recognisers and lowering ask of the assignments of a plan, found once.

use crate::machine::Machine;
use crate::nodes::Nodes;
use weft_base::entity::SecondaryMap;
use weft_domain::{Affine, Iter, Scope};
use weft_plan::{Item, Nest, Plan};
use weft_tensor::{AssignId, Assignment};

/// One assignment: where its iterators lie, and facts about each of its nodes.
#[derive(Clone)]
pub(crate) struct Analysis {
    pub scope: Scope,
    pub nodes: Nodes,
}

/// Those of all assignments that some items carry out.
pub(crate) struct Analyses {
    of: SecondaryMap<AssignId, Option<Analysis>>,
}

impl Analyses {
    /// Looks at every assignment of some items.
    pub fn of(plan: &Plan, items: &[Item], machine: Machine) -> Analyses {
        let mut of: SecondaryMap<AssignId, Option<Analysis>> = SecondaryMap::new();
        for id in items.iter().flat_map(Item::nests).map(|n| n.assign) {
            if of[id].is_none() {
                let a = &plan.graph.assigns[id];
                let scope = weft_depend::scope_of(a);
                let nodes = Nodes::compute(&plan.graph, a, &scope, machine.is_precise());
                of[id] = Some(Analysis { scope, nodes });
            }
        }
        Analyses { of }
    }
}

/// What a choice depends on: the plan, the machine, and what is known of the assignments.
#[derive(Clone, Copy)]
pub(crate) struct Context<'p> {
    pub plan: &'p Plan,
    pub machine: Machine,
    pub analyses: &'p Analyses,
}

/// A nest with its assignment and what is known of it.
#[derive(Clone, Copy)]
pub(crate) struct View<'p> {
    pub nest: &'p Nest,
    pub assignment: &'p Assignment,
    pub scope: &'p Scope,
    pub nodes: &'p Nodes,
}

impl<'p> Context<'p> {
    /// A nest of the items that were looked at.
    pub fn view(&self, nest: &'p Nest) -> View<'p> {
        let assignment = &self.plan.graph.assigns[nest.assign];
        let analysis = self.analyses.of[nest.assign].as_ref();
        let Analysis { scope, nodes } = analysis.expect("all nests of the items are looked at");
        View { nest, assignment, scope, nodes }
    }

    /// How far apart two ends are by the extents that the routine is planned for.
    pub fn likely_count(&self, lo: &Affine, hi: &Affine) -> Option<i64> {
        hi.minus(lo)?.as_size()?.eval(&|p| self.plan.likely(p))
    }
}

impl View<'_> {
    /// Whether a loop over time gives an iterator its value.
    pub fn is_bound(&self, i: Iter) -> bool {
        self.nest.bound.iter().any(|(bound, _)| *bound == i)
    }

    /// Whether a term may fail, other than by integers that leave their type.
    pub fn may_fail(&self) -> bool {
        let a = self.assignment;
        a.mask.into_iter().chain([a.body]).any(|e| self.nodes.get(e).traps)
    }
}
