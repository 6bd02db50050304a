//! Derivatives of functions of scalars, which may call themselves: what a call gives changes
//! by each argument as another function says.
//!
//! The *tangent* of a function takes the changes of some arguments beside all arguments, and
//! gives the changes of its results beside these. It calls itself where the function does, so
//! it is as deep, and as often a loop, and takes a small multiple of its time; nothing is kept
//! of the calls. The *partial* by one argument is the function with a change of one there, and
//! gives that change of its result alone. Both are functions of scalars again.

mod activity;
mod tangent;

use crate::path::Path;
use crate::rules::is_smooth;
use activity::{Survey, by, called, function};
use std::collections::BTreeMap;
use tangent::{Tangents, partial, tangent};
use weft_scalar::ScalarType;
use weft_scalar::function::{FunctionId, Functions};
use weft_tensor::{Expr, Graph};

/// The functions that partial derivatives of calls are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls {
    partials: BTreeMap<(FunctionId, usize), Option<FunctionId>>,
}

impl Calls {
    /// Puts the derivatives of every function that a path goes through into the graph.
    pub fn prepare(&mut self, graph: &mut Graph, path: &Path) {
        let mut called: Vec<FunctionId> = Vec::new();
        for &t in &path.tensors {
            for &p in path.pieces(graph, t) {
                let exprs = &graph.assigns[p].exprs;
                called.extend(exprs.ids().filter_map(|e| match exprs.get(e) {
                    Expr::Call { function, .. } => Some(*function),
                    _ => None,
                }));
            }
        }
        for f in called {
            self.prepare_function(&mut graph.functions, f);
        }
    }

    fn prepare_function(&mut self, functions: &mut Functions, f: FunctionId) {
        let function = functions.get(f).expect("what cells call is there");
        let types: Vec<ScalarType> = function.regs[..function.args].to_vec();
        for (n, _) in types.into_iter().enumerate().filter(|(_, ty)| is_smooth(*ty)) {
            self.partials.entry((f, n)).or_insert_with(|| make_partial(functions, f, n));
        }
    }

    /// The function that gives the change of what `f` gives by its argument `n`; `None` where
    /// that has no influence. Panics where the path was not prepared for.
    pub fn partial(&self, f: FunctionId, n: usize) -> Option<FunctionId> {
        *self.partials.get(&(f, n)).expect("paths are prepared before they are swept")
    }
}

/// Whether what `f` gives changes at all by its argument `n`.
pub(crate) fn has_influence(functions: &Functions, f: FunctionId, n: usize) -> bool {
    let first = function(functions, f);
    is_smooth(first.regs[n])
        && Survey::of(first, &by(first, n), &called(functions, f, n)).results[0]
}

fn make_partial(functions: &mut Functions, f: FunctionId, n: usize) -> Option<FunctionId> {
    let called = called(functions, f, n);
    let first = functions.slots();
    let changing = called.iter().filter(|(_, c)| c.results.contains(&true)).map(|(g, _)| *g);
    let tangents = Tangents {
        functions,
        called: &called,
        ids: changing.enumerate().map(|(k, g)| (g, FunctionId::new(first + k))).collect(),
    };
    let partial = partial(&tangents, f, n)?;
    let made = tangents.ids.keys().map(|g| tangent(&tangents, *g)).chain([partial]).collect();
    functions.add(made).last().copied()
}
