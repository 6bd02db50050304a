//! The ways to compute tensors, and which one a segment takes.

use crate::native::{Cost, KernelCache, Native};
use crate::session::RunOptions;
use crate::work::evaluator_work;
use std::sync::Arc;
use std::time::Instant;
use weft_diag::{Code, Diagnostic};
use weft_host::{Compute, RunError};
use weft_tensor::eval::{Binding, Evaluator, Limits};
use weft_tensor::{Array, Graph, TensorId};

/// An executor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// By the work a segment does: tiny work is not worth compiling.
    Auto,
    /// The reference evaluator.
    Evaluator,
    /// Machine code.
    Native,
}

/// Segments of less work than this (in scalar operations) run on the evaluator.
const TINY_WORK: u64 = 100_000;

/// A failure of machine code is told by the evaluator where that takes no more than this
/// (some seconds); beyond, as the machine code met it.
const RETOLD_WORK: u64 = 200_000_000;

/// The executors of one run.
pub(crate) struct Tiers<'a> {
    how: &'a RunOptions<'a>,
    evaluator: Evaluator,
    native: Option<Native<'a>>,
    /// Where the time of each segment went, if that was asked for.
    report: Vec<String>,
}

impl<'a> Tiers<'a> {
    pub fn new(
        how: &'a RunOptions<'a>,
        binding: &Binding,
        cache: &'a mut KernelCache,
    ) -> Result<Self, RunError> {
        let evaluator = Evaluator::new(binding.clone());
        let native = match how.tier {
            Tier::Evaluator => None,
            _ => {
                let made = Native::new(cache, how.strict_fp, how.opt, how.verify, how.memory_limit);
                Some(made.map_err(|why| Diagnostic::error(Code::E1105, why))?)
            }
        };
        Ok(Tiers { how, evaluator, native, report: Vec::new() })
    }

    /// The executors for the graph of a function: another context, the same machine code.
    fn within(&mut self) -> Tiers<'_> {
        let evaluator = Evaluator::new(Binding::default());
        let native = self.native.as_mut().map(Native::within);
        Tiers { how: self.how, evaluator, native, report: Vec::new() }
    }

    /// A line for each segment.
    pub fn report(self) -> Vec<String> {
        self.report
    }

    fn evaluate(
        &mut self,
        graph: &Graph,
        binding: &Binding,
        wanted: &[TensorId],
    ) -> Result<Vec<Arc<Array>>, RunError> {
        let start = Instant::now();
        *self.evaluator.binding_mut() = binding.clone();
        let limits = Limits { bytes: self.how.memory_limit, interrupt: self.how.interrupt };
        let result: Result<_, _> =
            wanted.iter().map(|&t| self.evaluator.observe(graph, t, &limits)).collect();
        let ms = start.elapsed().as_secs_f64() * 1e3;
        self.say(graph, wanted, &format!("evaluator: run {ms:.3} ms"));
        result.map_err(|f| RunError::from_failure(graph, &f))
    }

    fn say(&mut self, graph: &Graph, wanted: &[TensorId], text: &str) {
        if self.how.time {
            let names: Vec<String> = wanted
                .iter()
                .map(|&t| graph.tensors[t].name.as_ref().map_or(t.to_string(), |n| n.to_string()))
                .collect();
            self.report.push(format!("[{}] {text}", names.join(", ")));
        }
    }
}

impl Compute for Tiers<'_> {
    fn for_function(&mut self) -> Box<dyn Compute + '_> {
        Box::new(self.within())
    }

    fn observe(
        &mut self,
        graph: &Graph,
        binding: &Binding,
        wanted: &[TensorId],
    ) -> Result<Vec<Arc<Array>>, RunError> {
        let tiny = self.how.tier == Tier::Auto
            && evaluator_work(graph, binding, wanted).is_some_and(|w| w < TINY_WORK);
        let Some(native) = self.native.as_mut().filter(|_| !tiny) else {
            return self.evaluate(graph, binding, wanted);
        };
        let mut cost = Cost::default();
        let result = native.observe(graph, binding, wanted, &mut cost);
        let Cost { plan_ms, compile_ms, run_ms, peak_bytes, compiled } = cost;
        let compile = if compiled { "compile" } else { "found" };
        let text = format!(
            "native: plan {plan_ms:.3} ms, {compile} {compile_ms:.3} ms, run {run_ms:.3} ms, \
             peak {peak_bytes} bytes"
        );
        self.say(graph, wanted, &text);
        // A routine takes cells in an order of its own, and computes some that nobody
        // needs: whether the program fails, and where first, is the evaluator's to say.
        let failed = matches!(&result, Err(RunError::Diagnostic(d)) if d.code == Code::E0007);
        let work = if failed { evaluator_work(graph, binding, wanted) } else { None };
        match work {
            Some(w) if w < RETOLD_WORK => self.evaluate(graph, binding, wanted),
            _ => result,
        }
    }
}
