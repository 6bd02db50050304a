//! What steps do beside running: cells that no step looks back at, and what brings all steps
//! together.

use super::cells::{Keep, Part};
use super::linear::{State, Step};
use std::collections::BTreeSet;
use weft_tensor::{Expr, ExprId, TensorId, reachable_from};

/// One cell of a nest that the loop itself does not read.
pub(crate) struct CarriedReduction {
    /// Among all parts.
    pub part: usize,
    /// Where its cell is.
    pub point: usize,
    /// Where its terms are.
    pub terms: Vec<usize>,
    /// What it reads of running values: at a point, a node, the state after the step.
    pub reads: Vec<(usize, ExprId, State)>,
}

impl CarriedReduction {
    /// The carried reductions of a part; `None` where it needs what does not run.
    pub fn of(
        part: (usize, &Part<'_>),
        step: &mut Step<'_, '_>,
        targets: &BTreeSet<TensorId>,
    ) -> Option<Vec<CarriedReduction>> {
        let (number, part) = part;
        let roots = part.a.mask.into_iter().chain([part.a.body]);
        let nodes = reachable_from(&part.a.exprs, roots);
        let mut carried_reductions = Vec::new();
        for written in part.written() {
            let point = step.point(written.clone());
            let mut carried =
                CarriedReduction { part: number, point, terms: Vec::new(), reads: Vec::new() };
            for summed in part.summed() {
                let term = step.point([written.as_slice(), summed].concat());
                carried.terms.push(term);
                for &e in &nodes {
                    let Expr::Read { tensor, index, .. } = part.a.exprs.get(e) else { continue };
                    if !targets.contains(tensor) {
                        continue;
                    }
                    let read = step.state_of(part, term, (*tensor, index))?;
                    let runs = read.back >= 0 && step.cells[read.cell].keep != Keep::Step;
                    // After the step the newest value is one step back.
                    let state = State { back: read.back + 1, ..read };
                    runs.then(|| carried.reads.push((term, e, state)))?;
                }
            }
            carried_reductions.push(carried);
        }
        Some(carried_reductions)
    }

    /// The states that it asks for, as they are after a step.
    pub fn states(&self) -> impl Iterator<Item = State> {
        self.reads.iter().map(|r| r.2)
    }
}
