//! Sweeps that share: the adjoint of a tensor does not depend on what a target is
//! differentiated by, as long as all its readers up to the target are on both paths.
//!
//! So the derivatives of one loss by many parameters are one reverse sweep.

use crate::path::Path;
use crate::seed::Seed;
use std::collections::{BTreeMap, BTreeSet};
use weft_tensor::{AssignId, Graph, TensorId};

/// A reverse sweep that there is.
#[derive(Clone, Debug)]
struct Known {
    path: Path,
    seeds: Vec<Seed>,
    adjoints: BTreeMap<TensorId, TensorId>,
}

/// The reverse sweeps that there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Adjoints {
    all: Vec<Known>,
}

impl Adjoints {
    /// The adjoints that a sweep can take from others: those of one of them, the most.
    pub fn shared(
        &self,
        graph: &Graph,
        path: &Path,
        seeds: &[Seed],
    ) -> BTreeMap<TensorId, TensorId> {
        let fits = |k: &&Known| k.path.to == path.to && k.seeds == seeds && path.from != path.to;
        let shared = |k: &Known| {
            let both = common(graph, &k.path, path);
            k.adjoints.iter().filter(|(t, _)| both.contains(t)).map(|(t, a)| (*t, *a)).collect()
        };
        let all = self.all.iter().filter(fits).map(shared);
        all.max_by_key(BTreeMap::len).unwrap_or_default()
    }

    /// Notes a sweep.
    pub fn note(&mut self, path: &Path, seeds: &[Seed], adjoints: &BTreeMap<TensorId, TensorId>) {
        let (path, seeds, adjoints) = (path.clone(), seeds.to_vec(), adjoints.clone());
        self.all.push(Known { path, seeds, adjoints });
    }

    /// Forgets the sweeps that went through pieces which have changed.
    pub fn forget(&mut self, changed: &BTreeSet<AssignId>) {
        let through = |k: &Known| k.path.edges.values().flatten().any(|(p, _)| changed.contains(p));
        self.all.retain(|k| !through(k));
    }
}

/// The tensors on both paths whose readers are the same on both, all the way up.
fn common(graph: &Graph, a: &Path, b: &Path) -> BTreeSet<TensorId> {
    let cut = |t: &TensorId| *t == a.from || *t == b.from;
    let same = |t: &TensorId| a.edges.get(t) == b.edges.get(t) && !cut(t);
    let mut found: BTreeSet<TensorId> = a.tensors.intersection(&b.tensors).copied().collect();
    found.retain(same);
    loop {
        let before = found.len();
        let known = found.clone();
        let up = |t: &TensorId| {
            let edges = a.edges.get(t).into_iter().flatten();
            edges.clone().all(|(p, _)| known.contains(&graph.assigns[*p].target))
        };
        found.retain(up);
        if found.len() == before {
            return found;
        }
    }
}
