//! Assignments as equations of the source: `@z = exp(y) * @y / x`.
//!
//! Tensors that have a name are called by it; what has none (lifted reductions, names of
//! blocks and functions that are out of sight) is written out where it is read. Values keep
//! the form that they have. A value that is linear in differentials is a sum of terms, each
//! a product of values with one differential; equal terms are added up.

mod affine;
mod clause;
mod read;
mod terms;
mod value;

pub use affine::affine_text;

use crate::{Graph, TensorId};
use clause::Anonymous;
use std::collections::{BTreeMap, BTreeSet};
use weft_base::Name;
use weft_base::entity::PrimaryMap;
use weft_domain::{Iter, Space};
use weft_shape::Size;

/// Texts that are longer say nothing to people, and may have grown without bound.
const LONGEST: usize = 4000;

/// How many definitions are written out in one text, and how many within each other.
const MOST: usize = 2000;
const DEEPEST: usize = 40;

/// Names of tensors.
#[derive(Clone, Debug, Default)]
pub struct Called {
    /// The tensors that are called by a name.
    pub names: BTreeMap<TensorId, String>,
    /// Those of them that are differentials.
    pub linear: BTreeSet<TensorId>,
}

/// The name of an iterator, where the program writes one.
pub fn written_name(space: &Space, i: Iter) -> Option<&str> {
    space.iters[i].as_ref().filter(|n| is_written(n)).map(Name::as_str)
}

/// Whether a name is one that a program may write.
fn is_written(name: &Name) -> bool {
    name.as_str().chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Why there is no equation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unwritten {
    /// It is longer than anybody would read.
    TooLong,
    /// It calls a function that calls itself.
    Call,
    /// It reads what has no name and no expression.
    Nameless,
}

impl Called {
    /// The name of a tensor that is in sight, or that which it has where it is defined: with a
    /// prime where something else has it.
    pub fn name(&mut self, graph: &Graph, t: TensorId) -> Option<String> {
        if let Some(name) = self.names.get(&t) {
            return Some(name.clone());
        }
        let name = own_name(graph, t, &|n| self.names.values().any(|other| other == n))?;
        self.names.insert(t, name.clone());
        Some(name)
    }
}

/// The name that a tensor has where it is defined, with a prime where that is taken.
fn own_name(graph: &Graph, t: TensorId, is_taken: &dyn Fn(&str) -> bool) -> Option<String> {
    let mut name = graph.tensors[t].name.as_ref().filter(|n| is_written(n))?.to_string();
    while is_taken(&name) {
        name.push('\'');
    }
    Some(name)
}

/// A tensor's definition at some of its cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Equation {
    /// Which cells, in brackets; empty of a scalar, or of a tensor as a whole.
    pub slots: String,
    /// Their values.
    pub right: String,
}

/// The equations of a tensor, one for each form that its pieces have.
///
/// # Errors
///
/// Why there are none.
pub fn equations(graph: &Graph, called: &Called, t: TensorId) -> Result<Vec<Equation>, Unwritten> {
    let written = |anonymous| Writer::new(graph, called, t, anonymous).equations(t);
    match written(Anonymous::LeftOut) {
        Err(Stopped::Indices) => written(Anonymous::Named),
        other => other,
    }
    .map_err(|why| match why {
        Stopped::Unwritten(why) => why,
        Stopped::Indices => Unwritten::Nameless,
    })
}

/// Why writing has stopped.
#[derive(Clone, Copy)]
enum Stopped {
    Unwritten(Unwritten),
    /// Axes without a name are needed one by one.
    Indices,
}

impl From<Unwritten> for Stopped {
    fn from(why: Unwritten) -> Stopped {
        Stopped::Unwritten(why)
    }
}

/// An index of the text.
struct Index {
    name: String,
    /// Its place among the axes that are left out.
    left_out: Option<usize>,
}

/// Writes equations.
struct Writer<'g> {
    graph: &'g Graph,
    called: &'g Called,
    /// Other bearers of a name: that which it has where it is defined.
    own: BTreeMap<TensorId, String>,
    /// All that is linear in differentials, whether it has a name or not.
    linear: BTreeSet<TensorId>,
    anonymous: Anonymous,
    indices: PrimaryMap<Iter, Index>,
    /// How many axes are left out.
    left_out: usize,
    /// The extents of the axes that an index reads by itself.
    direct: BTreeMap<Iter, Vec<Size>>,
    /// Names that indices must not have.
    taken: BTreeSet<String>,
    /// The tensors that are being written out.
    inside: Vec<TensorId>,
    /// How many were.
    written: usize,
}

impl<'g> Writer<'g> {
    fn new(graph: &'g Graph, called: &'g Called, t: TensorId, anonymous: Anonymous) -> Writer<'g> {
        let reached = reached(graph, called, t);
        let linear = spread(graph, called, &reached);
        let name = |t| called.names.get(t).map(|n| n.trim_start_matches('@').to_string());
        let taken = reached.iter().filter_map(name).collect();
        let indices = PrimaryMap::new();
        let (direct, inside, left_out, written) = (BTreeMap::new(), Vec::new(), 0, 0);
        let own = BTreeMap::new();
        Writer {
            graph,
            called,
            own,
            linear,
            anonymous,
            indices,
            left_out,
            direct,
            taken,
            inside,
            written,
        }
    }
}

impl Writer<'_> {
    /// A tensor's name, if it has one at all.
    fn name(&mut self, t: TensorId) -> Option<String> {
        let known = self.called.names.get(&t).or_else(|| self.own.get(&t));
        if let Some(name) = known {
            return Some(name.clone());
        }
        let all = self.called.names.values().chain(self.own.values());
        let name = own_name(self.graph, t, &|n| all.clone().any(|other| other == n))?;
        self.own.insert(t, name.clone());
        Some(name)
    }
}

/// The reads that stand for a tensor, up to those with a name.
fn reached(graph: &Graph, called: &Called, t: TensorId) -> BTreeSet<TensorId> {
    let mut found = BTreeSet::from([t]);
    let mut stack = vec![t];
    while let Some(at) = stack.pop() {
        if at != t && called.names.contains_key(&at) {
            continue;
        }
        for p in graph.pieces(at) {
            stack.extend(graph.assigns[*p].exprs.tensors_read().filter(|t| found.insert(*t)));
        }
    }
    found
}

/// Those of some tensors that are differentials, or read one.
fn spread(graph: &Graph, called: &Called, among: &BTreeSet<TensorId>) -> BTreeSet<TensorId> {
    let mut found: BTreeSet<TensorId> = called.linear.intersection(among).copied().collect();
    loop {
        let before = found.len();
        for t in among {
            let mut read =
                graph.pieces(*t).iter().flat_map(|p| graph.assigns[*p].exprs.tensors_read());
            if read.any(|t| found.contains(&t)) {
                found.insert(*t);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}
