//! Claims about what the compiler made of a program, for tests: fusion and storage.

use crate::session::{Checked, Options, Session};
use weft_base::Name;
use weft_base::entity::PrimaryMap;
use weft_executor::RunOptions;
use weft_host::RunError;
use weft_plan::{Item, Plan, Storage};
use weft_shape::Size;
use weft_tensor::{Definition, Graph, TensorId};

/// Where a definition's numbers live.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Store {
    /// Nowhere: not needed, or computed inside what reads it.
    None,
    /// The last cells along one axis.
    Window(i64),
    /// All of it.
    Whole,
}

/// How a recurrence is computed, in the words of `weft explain`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recurrence {
    /// Its name.
    pub name: Name,
    /// The loops in order, outermost first.
    pub order: String,
    /// The indices whose cells are independent within a step.
    pub at_once: String,
    /// How many cells are stored.
    pub kept: String,
    /// How many cells there are.
    pub full: String,
}

/// What a program's segments became.
#[derive(Debug, Clone, Default)]
pub struct Structure {
    /// Loop nests that are run one after the other (nests of one time loop count once).
    pub kernels: usize,
    /// Buffers that are neither inputs nor results.
    pub allocates: usize,
    /// The named tensors in source order, with where they live. Of shadowed names, all.
    pub stores: Vec<(Name, Store)>,
    /// The named tensors that loops in order compute, in source order.
    pub recurrences: Vec<Recurrence>,
}

/// What becomes of a program in a run with these options.
///
/// # Errors
///
/// As of [`Session::emit`].
pub fn structure(
    session: &Session,
    program: &Checked,
    options: &Options,
    how: &RunOptions<'_>,
) -> Result<Structure, RunError> {
    let plans = plans(session, program, options, how)?;
    let mut out = Structure::default();
    for plan in &plans {
        out.kernels += plan.items.iter().filter(|i| !matches!(i, Item::Fill(_))).count();
        out.allocates +=
            plan.buffers.values().filter(|b| b.role == weft_plan::BufferRole::Scratch).count();
    }
    for (t, info) in program.staged.host.graph.tensors.iter() {
        if let Some(name) = &info.name {
            out.stores.push((name.clone(), stored(&plans, t)));
            out.recurrences.extend(plans.iter().find_map(|p| recurrence(p, name, t)));
        }
    }
    Ok(out)
}

/// The tensors that a program's segments compute, as the plan's graph passes leave them:
/// one text per segment. What became virtual or is not needed is gone.
///
/// # Errors
///
/// As of [`Session::emit`].
pub fn planned_graphs(
    session: &Session,
    program: &Checked,
    options: &Options,
    how: &RunOptions<'_>,
) -> Result<Vec<String>, RunError> {
    Ok(plans(session, program, options, how)?
        .iter()
        .map(|p| weft_plan::live_text(&kept(p)))
        .collect())
}

fn plans(
    session: &Session,
    program: &Checked,
    options: &Options,
    how: &RunOptions<'_>,
) -> Result<Vec<Plan>, RunError> {
    let segments = session.segments(&program.staged, options, how, &|_| false)?;
    Ok(segments.into_iter().map(|(_, c)| c.plan).collect())
}

/// The graph with definitions only of what has a place to be stored.
fn kept(plan: &Plan) -> Graph {
    let mut graph = Graph { assigns: PrimaryMap::new(), ..plan.graph.clone() };
    for t in plan.graph.tensors.keys() {
        let Definition::Assigned { covered, .. } = plan.graph.tensors[t].definition else {
            continue;
        };
        let stored = matches!(plan.storage[t], Storage::Stored { .. } | Storage::Window { .. });
        let pieces = plan.graph.pieces(t).iter().filter(|_| stored);
        let pieces: Vec<_> =
            pieces.map(|&p| graph.assigns.push(plan.graph.assigns[p].clone())).collect();
        graph.tensors[t].definition = Definition::Assigned { pieces, covered };
    }
    graph
}

fn recurrence(plan: &Plan, name: &Name, t: TensorId) -> Option<Recurrence> {
    let order = plan.order_of(t)?;
    let cells = |shape: Vec<Size>| {
        let count = shape.iter().fold(Size::constant(1), |n, e| n.times(e));
        count.display(&|p| plan.graph.params[p].name.to_string())
    };
    Some(Recurrence {
        name: name.clone(),
        order: order.loops(),
        at_once: order.at_once.join(", "),
        kept: cells(plan.stored_shape(t)),
        full: cells(plan.graph.shape(t).cloned().collect()),
    })
}

fn stored(plans: &[Plan], t: TensorId) -> Store {
    let of = |p: &Plan| match &p.storage[t] {
        Storage::Unused | Storage::Virtual { .. } => None,
        Storage::Given { .. } | Storage::Stored { .. } => Some(Store::Whole),
        Storage::Window { size, .. } => Some(Store::Window(*size)),
    };
    plans.iter().find_map(of).unwrap_or(Store::None)
}
