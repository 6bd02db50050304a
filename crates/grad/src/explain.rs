//! How a part of a derivative is had, in words.

use crate::expand::Quotient;
use crate::seed::Seed;
use weft_tensor::{Graph, TensorId};

/// Reverse sweeps over the target's cells; `counts` are those of both directions, and
/// `shared` tensors have their adjoints from an earlier sweep.
pub(crate) fn reverse(
    graph: &Graph,
    q: &Quotient,
    seeds: &[Seed],
    counts: (f64, f64),
    shared: usize,
) -> String {
    let mut text = sweeps("reverse", graph, q.target, seeds, counts.0, counts.1, "forward");
    if shared > 0 {
        text.push_str(&format!("; shares {shared} adjoints with the sweep before"));
    }
    text
}

/// Forward sweeps over the cells of the independent tensor.
pub(crate) fn forward(graph: &Graph, q: &Quotient, seeds: &[Seed], counts: (f64, f64)) -> String {
    sweeps("forward", graph, q.independent, seeds, counts.1, counts.0, "reverse")
}

fn sweeps(
    direction: &str,
    graph: &Graph,
    of: TensorId,
    seeds: &[Seed],
    own: f64,
    other: f64,
    against: &str,
) -> String {
    let together = axes(graph, of, seeds, &|s| *s == Seed::Together);
    let mut text = each(direction, graph, of, seeds);
    if !together.is_empty() {
        let along = together.join(", ");
        text.push_str(&format!(", all places along {along} at once: none depends on another"));
    }
    text.push_str(&format!(": {own:.0} against {other:.0} {against}"));
    text
}

/// Forward sweeps for the cells that those of the target choose.
pub(crate) fn chosen(graph: &Graph, q: &Quotient, seeds: &[Seed]) -> String {
    let text = each("forward", graph, q.independent, seeds);
    let chosen = axes(graph, q.independent, seeds, &|s| *s == Seed::Together).join(", ");
    format!("{text}, at the place along {chosen} that each cell chooses")
}

fn each(direction: &str, graph: &Graph, of: TensorId, seeds: &[Seed]) -> String {
    let swept = axes(graph, of, seeds, &|s| matches!(s, Seed::Swept(_)));
    let what = graph.tensors[of].name.as_ref().map_or("it".to_string(), |n| format!("`{n}`"));
    if swept.is_empty() {
        format!("one {direction} sweep")
    } else {
        format!("a {direction} sweep for each place along {} of {what}", swept.join(", "))
    }
}

/// The axes whose seeds are as asked.
fn axes(
    graph: &Graph,
    of: TensorId,
    seeds: &[Seed],
    wanted: &dyn Fn(&Seed) -> bool,
) -> Vec<String> {
    let axis = |n: usize| match &graph.tensors[of].axes[n].name {
        Some(name) => format!("`{name}`"),
        None => format!("axis {n}"),
    };
    let all = seeds.iter().enumerate().filter(|(_, s)| wanted(s));
    all.map(|(n, _)| axis(n)).collect()
}
