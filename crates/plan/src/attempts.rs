//! A request and the attempts to find a plan for it: simplified once, ordered again for each.
//!
//! A graph is simplified with tensors inside their readers, and apart where no order is found
//! of that; what an order for all values of the parameters is not found of may have one at
//! likely values, which the plan then holds for alone.

use crate::context::Context;
use crate::no_order::Refusal;
use crate::passes::{PassRecord, run_passes};
use crate::pinned::pinned;
use crate::pipeline::order;
use crate::routine::{Plan, PlanOptions};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use weft_shape::Param;
use weft_tensor::{Graph, TensorId};

/// A graph behind its passes.
pub(crate) struct Simplified {
    pub graph: Graph,
    /// Tensors that a pass made virtual, with the reason.
    pub virtuals: BTreeMap<TensorId, String>,
    /// Why a tensor that could be virtual is not.
    pub kept: BTreeMap<TensorId, String>,
    pub records: Vec<PassRecord>,
}

/// The part of a graph that is computed. Tensors in `stored` are buffers of earlier segments and
/// are read, not computed.
pub struct Request<'a> {
    graph: &'a Graph,
    observed: &'a [TensorId],
    stored: &'a BTreeSet<TensorId>,
    options: PlanOptions,
    forms: Forms,
    at_values: OnceCell<Option<AtValues>>,
}

/// The forms of a graph that are ordered, each made where it is first wanted.
#[derive(Default)]
struct Forms {
    inlined: OnceCell<Simplified>,
    apart: OnceCell<Simplified>,
}

/// The graph for likely values of its parameters.
struct AtValues {
    graph: Graph,
    forms: Forms,
    values: BTreeMap<Param, i64>,
}

impl<'a> Request<'a> {
    /// A request; `options` are those of its simplification and of [`Request::plan`].
    pub fn new(
        graph: &'a Graph,
        observed: &'a [TensorId],
        stored: &'a BTreeSet<TensorId>,
        options: &PlanOptions,
    ) -> Request<'a> {
        let options = options.clone();
        let (forms, at_values) = (Forms::default(), OnceCell::new());
        Request { graph, observed, stored, options, forms, at_values }
    }

    /// A plan under the request's own options.
    ///
    /// # Errors
    ///
    /// A recurrence for which no order is found.
    pub fn plan(&self) -> Result<Plan, Refusal> {
        self.plan_as(&self.options)
    }

    /// A plan with other options of its order. The passes do not run again.
    ///
    /// # Errors
    ///
    /// As of [`Request::plan`].
    pub fn plan_as(&self, options: &PlanOptions) -> Result<Plan, Refusal> {
        let refusal = match self.inlined_or_apart((self.graph, &self.forms), options) {
            Err(refusal) if !refusal.cyclic => refusal,
            planned => return planned,
        };
        let Some(there) = self.at_values() else { return Err(refusal) };
        let plan = self.inlined_or_apart((&there.graph, &there.forms), options)?;
        let mut pinned = there.values.clone();
        pinned.extend(&plan.pinned);
        Ok(Plan { pinned, ..plan })
    }

    fn inlined_or_apart(
        &self,
        (graph, forms): (&Graph, &Forms),
        options: &PlanOptions,
    ) -> Result<Plan, Refusal> {
        let simplified = |inline: bool| {
            let form = if inline { &forms.inlined } else { &forms.apart };
            form.get_or_init(|| {
                let options = PlanOptions { inline, ..self.options.clone() };
                simplify(graph, self.observed, self.stored, &options)
            })
        };
        match self.ordered(simplified(self.options.inline), options) {
            // What was computed inside its readers may have an order of its own.
            Err(refusal) if self.options.inline && !refusal.cyclic => {
                let apart = PlanOptions { inline: false, ..options.clone() };
                self.ordered(simplified(false), &apart).map_err(|_| refusal)
            }
            planned => planned,
        }
    }

    fn ordered(&self, simplified: &Simplified, options: &PlanOptions) -> Result<Plan, Refusal> {
        order(simplified, self.observed, self.stored, options)
    }

    fn at_values(&self) -> Option<&AtValues> {
        let value = |p: Param| self.graph.param_value(&self.options.likely, p);
        let made = self.at_values.get_or_init(|| {
            let (graph, values) = pinned(self.graph, &value)?;
            Some(AtValues { graph, forms: Forms::default(), values })
        });
        made.as_ref()
    }
}

fn simplify(
    graph: &Graph,
    observed: &[TensorId],
    stored: &BTreeSet<TensorId>,
    options: &PlanOptions,
) -> Simplified {
    let mut graph = graph.clone();
    let (virtuals, kept) = (BTreeMap::new(), BTreeMap::new());
    let observed = observed.iter().copied().collect();
    let mut context = Context { observed, stored, options, virtuals, kept };
    let records = run_passes(&mut graph, &mut context);
    let Context { virtuals, kept, .. } = context;
    Simplified { graph, virtuals, kept, records }
}

/// Plans the computation of `observed`, without extents. Tensors in `stored` are buffers
/// of earlier segments and are read, not computed.
///
/// # Errors
///
/// A recurrence for which no order is found.
pub fn plan(
    graph: &Graph,
    observed: &[TensorId],
    stored: &BTreeSet<TensorId>,
    options: &PlanOptions,
) -> Result<Plan, Refusal> {
    Request::new(graph, observed, stored, options).plan()
}
