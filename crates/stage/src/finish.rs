//! What is done when all of a program was walked: graphs are given the functions that their
//! cells call and the sweeps of their derivatives, differentials their texts.

mod host_values;
mod kept;
mod sweeps;
mod text;

use crate::work::Work;
use weft_host::Scalars;
use weft_scalar::function::FunctionId;
use weft_tensor::{Assignment, Expr as Node, Graph};

/// Completes every graph.
pub(crate) fn complete(work: &mut Work<'_>) {
    work.refuse_calls_in_recurrences();
    let scalars = work.functions.scalars(work.unit.tensors.overflow());
    for d in work.functions.refusals(&scalars) {
        work.tell(d);
    }
    if work.diagnostics.has_errors() {
        return;
    }
    work.functions.graphs_mut().for_each(|graph| place(graph, &scalars));
    sweeps::expand(work, &scalars);
    for (id, (unit, result)) in work.functions.take_open() {
        let main = std::mem::replace(&mut work.unit, unit);
        sweeps::expand(work, &scalars);
        let unit = std::mem::replace(&mut work.unit, main);
        work.functions.close(id, unit.program(result));
    }
}

/// Gives a graph the functions that its cells call.
fn place(graph: &mut Graph, scalars: &Scalars) {
    let roots = called_in(graph);
    if !roots.is_empty() {
        scalars.put_into(graph, roots);
    }
}

/// The functions that bodies of a graph call.
fn called_in(graph: &Graph) -> Vec<FunctionId> {
    let called = |a: &Assignment| {
        let function = |e| match a.exprs.get(e) {
            Node::Call { function, .. } => Some(*function),
            _ => None,
        };
        a.exprs.ids().filter_map(function).collect::<Vec<_>>()
    };
    graph.assigns.values().flat_map(called).collect()
}
