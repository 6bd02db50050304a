//! Circles in a graph of files.

use std::collections::BTreeSet;

/// The largest set of nodes that all reach each other; empty where none reaches itself.
pub fn largest(edges: &[BTreeSet<usize>]) -> Vec<usize> {
    let reached: Vec<BTreeSet<usize>> = (0..edges.len()).map(|n| reach(edges, n)).collect();
    let circle = |n: usize| -> Vec<usize> {
        reached[n].iter().copied().filter(|m| reached[*m].contains(&n)).collect()
    };
    let mut best = Vec::new();
    for found in (0..edges.len()).map(circle) {
        if found.len() > best.len() {
            best = found;
        }
    }
    best
}

fn reach(edges: &[BTreeSet<usize>], from: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut stack = vec![from];
    while let Some(n) = stack.pop() {
        stack.extend(edges[n].iter().filter(|m| found.insert(**m)));
    }
    found
}
