//! What is being built: the whole program, or the body of a function of the host.

pub(crate) mod arithmetic;
pub(crate) mod assemble;
pub(crate) mod derivatives;
pub(crate) mod lifts;
pub(crate) mod tensors;
pub(crate) mod values;

use crate::known::types::elem_of;
use derivatives::Derivatives;
use lifts::Lifts;
use std::collections::BTreeSet;
use tensors::{Tensors, reads};
use values::{Values, tensors_in};
use weft_base::Span;
use weft_host::{self as host, DataOp, Shown, Value};
use weft_scalar::eval::Overflow;
use weft_sema::thir::Ty;
use weft_shape::Size;
use weft_tensor::{Exprs, TensorId};

/// A program under construction, in its parts.
pub(crate) struct Unit {
    /// The graph.
    pub tensors: Tensors,
    /// Values and steps of the host.
    pub values: Values,
    /// The derivatives that are asked for.
    pub derivatives: Derivatives,
    /// What was lifted and entered already.
    pub lifts: Lifts,
}

impl Unit {
    /// Nothing yet; `overflow` says what becomes of integers that leave their types.
    pub fn new(overflow: Overflow) -> Unit {
        Unit {
            tensors: Tensors::new(overflow),
            values: Values::new(),
            derivatives: Derivatives::default(),
            lifts: Lifts::default(),
        }
    }

    /// A tensor of the graph that holds a host value of a type with some extents.
    pub fn source(&mut self, value: Value, ty: &Ty, extents: Vec<Size>) -> TensorId {
        let key = format!("{value:?}");
        if let Some(t) = self.values.source_named(&key) {
            return t;
        }
        let axes = extents.into_iter().map(tensors::unnamed).collect();
        let t = self.tensors.input(None, None, elem_of(ty), axes);
        self.values.give(t, value);
        self.values.name_source(key, t);
        t
    }

    /// A tensor and all that it is computed from, however indirectly.
    pub fn above(&self, t: TensorId) -> BTreeSet<TensorId> {
        let graph = self.tensors.graph();
        let mut seen = BTreeSet::from([t]);
        let mut stack = vec![t];
        while let Some(t) = stack.pop() {
            let mut read = BTreeSet::new();
            for p in graph.pieces(t) {
                read.extend(reads(&graph.assigns[*p].exprs));
            }
            if let Some(value) = self.values.given(t) {
                tensors_in(self.values.vars(), value, &mut read);
            }
            stack.extend(read.into_iter().filter(|r| seen.insert(*r)));
        }
        seen
    }

    /// Whether expressions depend on a tensor whose clauses are still being lowered.
    pub fn reads_unfinished(&self, exprs: &Exprs) -> bool {
        let open = |t: &TensorId| self.tensors.is_under_way(*t);
        reads(exprs).any(|t| self.above(t).iter().any(open))
    }

    /// Calls for each cell whose arguments depend on what the calls give.
    pub fn calls_in_recurrences(&self) -> Vec<Span> {
        let vars = self.values.vars();
        let circular = |(t, value): (TensorId, &Value)| match value {
            Value::Data(DataOp::Cells { .. }, operands, span) => {
                let mut read = BTreeSet::new();
                for v in operands {
                    tensors_in(vars, v, &mut read);
                    v.tensors(vars, &mut |t| read.extend([t]));
                }
                read.iter().any(|a| self.above(*a).contains(&t)).then_some(*span)
            }
            _ => None,
        };
        self.values.sources().filter_map(circular).collect()
    }

    /// The program, with what it gives.
    pub fn program(self, result: Option<Shown>) -> host::Program {
        let (vars, sources, steps) = self.values.parts();
        let graph = self.tensors.into_graph();
        host::Program { graph, vars, sources, steps, result, ..host::Program::default() }
    }
}
