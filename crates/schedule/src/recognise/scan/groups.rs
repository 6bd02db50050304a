//! Which values of a step run together: those that follow from each other.

use super::cells::{Cell, Keep, Part};
use super::linear::{State, Transition};
use weft_scalar::BinaryOp;

/// Values that run together.
#[derive(Debug)]
pub(crate) struct ScanGroup {
    pub op: BinaryOp,
    /// Each cell's newest first, without gaps.
    pub states: Vec<State>,
    /// Whether what states are multiplied by is the same in every step.
    pub steady: bool,
}

impl ScanGroup {
    /// Whether one value runs, and nothing is multiplied by it.
    pub fn is_single(&self, transitions: &[Transition]) -> bool {
        let [state] = self.states.as_slice() else { return false };
        if matches!(transitions[state.cell], Transition::With(..)) {
            return true;
        }
        let mut own = transitions[state.cell].terms().iter().filter(|t| t.state.is_some());
        let plain = own
            .next()
            .is_some_and(|t| t.factors.is_empty() && t.divisors.is_empty() && !t.negative);
        plain && own.next().is_none()
    }

    /// Whether what states are multiplied by is the same in every step.
    pub fn is_steady(&self, parts: &[Part<'_>], transitions: &[Transition]) -> bool {
        let terms = self.states.iter().flat_map(|s| transitions[s.cell].terms());
        let mut factors = terms.filter(|t| t.state.is_some()).flat_map(|t| &t.factors);
        factors.all(|f| {
            let node = parts[f.part].nodes.get(f.expr);
            !node.statements && !node.iters.contains(&parts[f.part].time)
        })
    }
}

/// The values that run, as few together as can be; `None` where nothing does, or where what
/// runs is not stored. Cells that no step looks back at need not run. `asked` are the values
/// that are of use beside.
pub(crate) fn find(
    cells: &[Cell],
    transitions: &[Transition],
    asked: &[State],
) -> Option<Vec<ScanGroup>> {
    let kept = |cell: &usize| cells[*cell].keep != Keep::Step;
    let read_by = |cell: usize| transitions[cell].terms().iter().filter_map(|t| t.state);
    let read = || (0..cells.len()).filter(kept).flat_map(read_by);
    let combined = |cell: usize| matches!(transitions[cell], Transition::With(..));
    read().all(|s| kept(&s.cell) && !combined(s.cell)).then_some(())?;
    (read().next().is_some() || (0..cells.len()).any(combined)).then_some(())?;
    // Each cell's group is the least cell in it.
    let mut group: Vec<usize> = (0..cells.len()).collect();
    for cell in (0..cells.len()).filter(kept) {
        for s in read_by(cell) {
            let (from, to) = (group[cell].max(group[s.cell]), group[cell].min(group[s.cell]));
            group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
        }
    }
    let all = || read().chain(asked.iter().copied());
    let runs_at_all = |cell: &usize| {
        combined(*cell) || read_by(*cell).next().is_some() || all().any(|s| s.cell == *cell)
    };
    let running: Vec<usize> = (0..cells.len()).filter(kept).filter(runs_at_all).collect();
    let oldest = |cell| all().filter(|s| s.cell == cell).map(|s| s.back).max().unwrap_or(1);
    let found = |first: usize| {
        let own = running.iter().copied().filter(|&cell| group[cell] == first);
        let states = own.flat_map(|cell| (1..=oldest(cell)).map(move |back| State { cell, back }));
        let op = match transitions[first] {
            Transition::With(op, _) => op,
            Transition::Sum(_) => BinaryOp::Add,
        };
        ScanGroup { op, states: states.collect(), steady: false }
    };
    let groups: Vec<ScanGroup> = (0..cells.len())
        .filter(|&c| group[c] == c)
        .map(found)
        .filter(|r| !r.states.is_empty())
        .collect();
    // What combines otherwise than by sums has no step before.
    let fits = |r: &ScanGroup| r.states.len() == 1 || !r.states.iter().any(|s| combined(s.cell));
    (!groups.is_empty() && groups.iter().all(fits)).then_some(groups)
}
