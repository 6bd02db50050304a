//! `weft check --grad`: every derivative that a program asks for, against central
//! differences around the program's own inputs.
//!
//! In `f64`, whatever the program's floats are; integers stay. Both directions of sweeps
//! are forced and compared, entry by entry, over what the program reads. Differences are judged
//! before they judge: an entry whose differences disagree with each other is compared
//! between the two directions only, and reported as such.

mod asked;
mod differences;
mod lift;
mod probe;

use asked::{Entry, View};
use differences::{ALL, Column, FEW, Slope};
use lift::{lifted_binding, lifted_graph, lifted_rule};
use probe::{Probe, observe};
use std::collections::BTreeMap;
use std::sync::Arc;
use weft_base::Span;
use weft_grad::{Pattern, Quotient, Rule, Strategy, expand_quotients};
use weft_host::{Callee, Compute, ForeignFunctions, Program, RunError};
use weft_tensor::eval::{Binding, Evaluator, Limits};
use weft_tensor::{Array, Axis, Definition, Graph, Tensor, TensorId};

/// Independent cells beyond this number are sampled, evenly.
const MAX_CELLS: usize = 200;

/// What a derivative may be off by, relative to the largest entry nearby.
pub const GRADIENT_TOLERANCE: f64 = 2e-6;

/// What differences may be uncertain by to judge a derivative, of the tolerance.
const MOST_UNCERTAIN: f64 = 0.5;

/// One derivative that was checked.
#[derive(Debug, Clone)]
pub struct GradientCheck {
    /// Where the program asks for it.
    pub span: Option<Span>,
    /// `@y / @x` in the program's names.
    pub name: String,
    /// Entries compared.
    pub entries: usize,
    /// The entry that is off most; none where there is no entry.
    pub worst: Option<WorstEntry>,
    /// Those of the entries that differences could not judge.
    pub unjudged: usize,
    /// The first of them.
    pub first_unjudged: Option<UnjudgedEntry>,
}

/// An entry of a derivative beside what it should be.
#[derive(Debug, Clone)]
pub struct WorstEntry {
    /// How the derivative was found: `reverse` or `forward`.
    pub sweep: &'static str,
    /// The cell of the target, then that of the independent tensor.
    pub cell: Vec<usize>,
    /// The derivative.
    pub found: f64,
    /// What it was compared with.
    pub expected: f64,
    /// The step of the difference quotient; none where the sweep of the other direction is
    /// what it was compared with.
    pub step: Option<f64>,
    /// How far apart they are, relative to the larger of them and 1.
    pub apart: f64,
    /// What differences are uncertain by, in the same measure.
    pub uncertain: f64,
    /// How far apart they are beyond that.
    pub error: f64,
}

/// An entry that differences say nothing of.
#[derive(Debug, Clone)]
pub struct UnjudgedEntry {
    /// The cell of the target, then that of the independent tensor.
    pub cell: Vec<usize>,
    /// Why.
    pub why: Unjudged,
}

/// Why differences cannot judge an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unjudged {
    /// Those of different steps disagree.
    Disagreement,
    /// The two sides have slopes of their own.
    Kink,
    /// The target has no value beside the place.
    NoValue,
}

impl Unjudged {
    /// The reason for people, behind "not judged: ".
    pub fn text(self) -> &'static str {
        match self {
            Unjudged::Disagreement => "differences of different steps disagree",
            Unjudged::Kink => "there is a kink",
            Unjudged::NoValue => "there is no value beside it",
        }
    }
}

impl GradientCheck {
    /// Whether the derivative agrees, as far as it could be judged.
    pub fn agrees(&self) -> bool {
        // Not a number is no agreement.
        self.worst.as_ref().is_none_or(|w| w.error <= GRADIENT_TOLERANCE)
    }
}

/// The derivatives that a program asks for.
#[derive(Debug, Clone, Copy)]
pub struct Derivatives<'a> {
    /// The program.
    pub host: &'a Program,
    /// What it differentiates by what.
    pub quotients: &'a [Quotient],
    /// Derivatives that it states itself.
    pub rules: &'a [Rule],
    /// What it reads of quotients.
    pub reads: &'a [(TensorId, Pattern)],
    /// What it may call outside of itself.
    pub foreign: Option<&'a dyn ForeignFunctions>,
}

impl Derivatives<'_> {
    /// Checks each on these inputs, telling after each cell of an independent tensor that was
    /// moved how many of how many are done.
    ///
    /// # Errors
    ///
    /// Whatever fails when the program is computed.
    pub fn check(
        &self,
        binding: Binding,
        done: &mut dyn FnMut(usize, usize),
    ) -> Result<Vec<GradientCheck>, RunError> {
        let binding = self.final_binding(binding)?;
        let graph = lifted_graph(&self.host.graph);
        let binding = lifted_binding(&graph, &binding);
        let rules: Vec<Rule> = self.rules.iter().map(lifted_rule).collect();
        let (rules, reads) = (&rules, self.reads);
        let check =
            |q: &Quotient| Check { graph: &graph, binding: &binding, rules, reads, q }.run(done);
        self.quotients.iter().map(check).collect()
    }

    /// The values of all parameters that the run defines, and of what the host computes for the
    /// tensors of the derivatives.
    fn final_binding(&self, binding: Binding) -> Result<Binding, RunError> {
        let wanted: Vec<TensorId> =
            self.quotients.iter().flat_map(|q| [q.target, q.independent]).collect();
        let mut compute = Reference(Evaluator::new(binding.clone()), self.foreign);
        weft_host::with_host_values(self.host, binding, &wanted, &mut compute)
    }
}

/// The evaluator as a host program asks it.
struct Reference<'a>(Evaluator, Option<&'a dyn ForeignFunctions>);

impl Compute for Reference<'_> {
    fn foreign(&self) -> Option<&dyn ForeignFunctions> {
        self.1
    }

    fn observe(
        &mut self,
        graph: &Graph,
        binding: &Binding,
        wanted: &[TensorId],
    ) -> Result<Vec<Arc<Array>>, RunError> {
        *self.0.binding_mut() = binding.clone();
        let observe = |t: &TensorId| self.0.observe(graph, *t, &Limits::default());
        let all: Result<Vec<_>, _> = wanted.iter().map(observe).collect();
        all.map_err(|f| RunError::from_failure(graph, &f))
    }

    fn for_function(&mut self, _: Callee) -> Box<dyn Compute + '_> {
        Box::new(Reference(Evaluator::new(Binding::default()), self.1))
    }
}

struct Check<'a> {
    graph: &'a Graph,
    binding: &'a Binding,
    rules: &'a [Rule],
    reads: &'a [(TensorId, Pattern)],
    q: &'a Quotient,
}

/// What is asked of a derivative, by sweeps of both directions.
struct Part {
    view: View,
    sweeps: [Arc<Array>; 2],
}

/// How the sweeps of a [`Part`] run.
const SWEEPS: [(&str, Strategy); 2] =
    [("reverse", Strategy::Reverse), ("forward", Strategy::Forward)];

/// The place of an entry: a part, and a cell of it.
type EntryPlace = (usize, usize);

/// A derivative by sweeps of both directions, and what is reported of it.
struct Comparison {
    parts: Vec<Part>,
    /// The largest entry.
    scale: f64,
    report: GradientCheck,
}

impl Check<'_> {
    fn run(&self, done: &mut dyn FnMut(usize, usize)) -> Result<GradientCheck, RunError> {
        let mut comparison = Comparison::new(self, self.parts()?);
        let mut columns: BTreeMap<usize, Vec<(usize, EntryPlace)>> = BTreeMap::new();
        for (n, part) in comparison.parts.iter().enumerate() {
            for Entry { at, row, cell } in part.view.entries() {
                columns.entry(cell).or_default().push((row, (n, at)));
            }
        }
        let mut probe = Probe::new(self.graph, self.binding, self.rules, self.q)?;
        let step = columns.len().div_ceil(MAX_CELLS).max(1);
        let count = columns.len().div_ceil(step);
        for (n, (cell, entries)) in columns.into_iter().step_by(step).enumerate() {
            comparison.column(&mut probe, cell, entries);
            done(n + 1, count);
        }
        Ok(comparison.report)
    }

    /// What the program reads of the derivative.
    fn parts(&self) -> Result<Vec<Part>, RunError> {
        let own = self.reads.iter().filter(|(t, _)| *t == self.q.tensor);
        let views = own.map(|(_, p)| View::of(self.graph, self.q, self.binding, p));
        let part = |view: Result<Option<View>, RunError>| {
            let view = view.transpose()?;
            let part = |view: View| {
                let [reverse, forward] = SWEEPS.map(|(_, s)| self.jacobian(s, &view));
                Ok(Part { sweeps: [reverse?, forward?], view })
            };
            Some(view.and_then(part))
        };
        views.filter_map(part).collect()
    }

    fn name(&self) -> String {
        let name = |t: TensorId| {
            self.graph.tensors[t].name.as_ref().map_or("…".into(), |n| n.to_string())
        };
        format!("@{} / @{}", name(self.q.target), name(self.q.independent))
    }

    /// What a view shows of the derivative, by sweeps of one direction.
    fn jacobian(&self, strategy: Strategy, view: &View) -> Result<Arc<Array>, RunError> {
        let mut graph = self.graph.clone();
        let q = self.q;
        let axes: Vec<Axis> = [q.target, q.independent]
            .iter()
            .flat_map(|t| graph.tensors[*t].axes.iter().cloned())
            .collect();
        let elem = graph.tensors[q.independent].elem;
        let definition = Definition::Assigned { pieces: Vec::new(), covered: true };
        let tensor = graph.tensors.push(Tensor { name: None, span: None, elem, axes, definition });
        let shown = view.add_to(&mut graph, tensor, elem);
        let request = Quotient { tensor, ..q.clone() };
        expand_quotients(&mut graph, &[request], self.rules, strategy).map_err(|refusal| {
            let headline = format!("no derivative through {}", refusal.cause.text());
            weft_diag::Diagnostic::error(weft_diag::Code::E0602, headline)
        })?;
        observe(&graph, self.binding, shown)
    }
}

/// What differences say of an entry.
#[derive(Clone, Copy)]
enum Verdict {
    Judged(Judgement),
    Unjudged(Unjudged),
}

/// An entry beside what it should be.
#[derive(Clone, Copy)]
struct Judgement {
    expected: f64,
    step: Option<f64>,
    apart: f64,
    uncertain: f64,
}

impl Judgement {
    /// How far apart the two are beyond what the one is uncertain by. What is no number is
    /// no agreement.
    fn error(&self) -> f64 {
        if self.apart.is_nan() { f64::NAN } else { (self.apart - self.uncertain).max(0.0) }
    }

    /// Whether this is worse than another: by what cannot be explained, and where all can
    /// by what is there.
    fn is_worse(&self, w: &WorstEntry) -> bool {
        let error = self.error();
        match (w.error.is_nan(), error.is_nan()) {
            (true, _) => false,
            (false, true) => true,
            _ => (error, self.apart) > (w.error, w.apart),
        }
    }
}

impl Comparison {
    fn new(check: &Check<'_>, parts: Vec<Part>) -> Comparison {
        let sizes = |part: &Part| {
            let all = part.sweeps[0].clone();
            (0..all.len()).filter_map(move |n| all.get(n).as_f64()).map(f64::abs)
        };
        let scale = parts.iter().flat_map(sizes).fold(1.0, f64::max).min(1e6);
        let report = GradientCheck {
            span: check.q.span,
            name: check.name(),
            entries: 0,
            worst: None,
            unjudged: 0,
            first_unjudged: None,
        };
        Comparison { parts, scale, report }
    }

    /// The entries of one cell of the independent tensor; steps beyond the few are tried where
    /// these do not settle it.
    fn column(&mut self, probe: &mut Probe<'_>, cell: usize, entries: Vec<(usize, EntryPlace)>) {
        let few = probe.column(cell, FEW);
        let agrees = |(row, place): &(usize, EntryPlace)| {
            self.agrees_with(&few, *row, probe.here[*row], *place)
        };
        let (settled, open): (Vec<_>, Vec<_>) = entries.into_iter().partition(agrees);
        let all = if open.is_empty() { None } else { Some(probe.column(cell, ALL)) };
        for (row, place) in settled {
            self.note(&few, row, probe.here[row], place);
        }
        for (row, place) in open {
            self.note(all.as_ref().unwrap_or(&few), row, probe.here[row], place);
        }
    }

    fn found(&self, sweep: usize, (part, at): EntryPlace) -> f64 {
        self.parts[part].sweeps[sweep].get(at).as_f64().unwrap_or(f64::NAN)
    }

    /// The cell of the target, then of the independent tensor.
    fn cell(&self, (part, at): EntryPlace) -> Vec<usize> {
        self.parts[part].view.cell(at)
    }

    /// What an entry's error is measured by.
    fn size(&self, found: f64, expected: f64) -> f64 {
        found.abs().max(expected.abs()).max(self.scale * 1e-2).max(1.0)
    }

    fn verdict(&self, column: &Column, row: usize, here: f64, found: f64) -> Verdict {
        let Some(slope) = column.slope(row) else {
            return Verdict::Unjudged(Unjudged::NoValue);
        };
        if !found.is_finite() {
            return self.judged(slope, found);
        }
        // What was found has no say in whether differences are trusted.
        let allowed = GRADIENT_TOLERANCE * self.size(0.0, slope.value);
        if column.has_kink(row, here, allowed) {
            return Verdict::Unjudged(Unjudged::Kink);
        }
        if slope.uncertain > MOST_UNCERTAIN * allowed {
            return Verdict::Unjudged(Unjudged::Disagreement);
        }
        self.judged(slope, found)
    }

    fn judged(&self, slope: Slope, found: f64) -> Verdict {
        let size = self.size(found, slope.value);
        let (apart, uncertain) = ((found - slope.value).abs() / size, slope.uncertain / size);
        let (expected, step) = (slope.value, Some(slope.step));
        let apart = if found.is_finite() { apart } else { f64::NAN };
        Verdict::Judged(Judgement { expected, step, apart, uncertain })
    }

    /// Whether both sweeps agree with a column's differences.
    fn agrees_with(&self, column: &Column, row: usize, here: f64, place: EntryPlace) -> bool {
        (0..SWEEPS.len()).all(|n| {
            let verdict = self.verdict(column, row, here, self.found(n, place));
            matches!(verdict, Verdict::Judged(j) if j.error() <= GRADIENT_TOLERANCE)
        })
    }

    /// Puts an entry of both sweeps into the report.
    fn note(&mut self, column: &Column, row: usize, here: f64, place: EntryPlace) {
        for n in 0..SWEEPS.len() {
            self.report.entries += 1;
            let found = self.found(n, place);
            match self.verdict(column, row, here, found) {
                Verdict::Judged(judgement) => self.note_error(n, place, judgement),
                Verdict::Unjudged(why) => {
                    self.report.unjudged += 1;
                    if self.report.first_unjudged.is_none() {
                        let cell = self.cell(place);
                        self.report.first_unjudged = Some(UnjudgedEntry { cell, why });
                    }
                    let other = self.found(1 - n, place);
                    let apart = match (found - other).abs() {
                        _ if found == other => 0.0,
                        apart => apart / self.size(found, other),
                    };
                    let (expected, step, uncertain) = (other, None, 0.0);
                    self.note_error(n, place, Judgement { expected, step, apart, uncertain });
                }
            }
        }
    }

    fn note_error(&mut self, n: usize, place: EntryPlace, judgement: Judgement) {
        if !self.report.worst.as_ref().is_none_or(|w| judgement.is_worse(w)) {
            return;
        }
        let sweep = SWEEPS[n].0;
        let (cell, found) = (self.cell(place), self.found(n, place));
        let Judgement { expected, step, apart, uncertain } = judgement;
        let error = judgement.error();
        self.report.worst =
            Some(WorstEntry { sweep, cell, found, expected, step, apart, uncertain, error });
    }
}
