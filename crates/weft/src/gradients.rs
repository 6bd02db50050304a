//! `weft check --grad`: every derivative that a program asks for, against central
//! differences around the program's own inputs.
//!
//! In `f64`, whatever the program's floats are; integers stay. Both directions of sweeps
//! are forced and compared, entry by entry, over the whole Jacobian.

use crate::inputs::bind_inputs;
use crate::session::{Checked, Options, Session};
use std::sync::Arc;
use weft_base::Span;
use weft_domain::{Affine, Iter, Space};
use weft_grad::{Quotient, Rule, Strategy, expand_quotients};
use weft_host::{Compute, RunError};
use weft_scalar::{BinaryOp, Scalar, ScalarType, eval as scalar};
use weft_tensor::eval::{Binding, Evaluator, Limits};
use weft_tensor::{
    Accumulator, Array, Assignment, Axis, Data, Definition, Expr, ExprId, Exprs, Graph, IndexTerm,
    Tensor, TensorId, rewrite,
};

/// Independent cells beyond this number are sampled, evenly.
const MAX_CELLS: usize = 200;

/// Steps relative to a cell's size: the best for central differences in `f64`, and two
/// more for cells near a kink or of another scale.
const STEPS: [f64; 3] = [6e-6, 1e-7, 1e-4];

/// What a difference quotient may be off by, relative to the largest entry nearby.
pub const GRADIENT_TOLERANCE: f64 = 2e-6;

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
}

/// An entry of a derivative beside its difference quotient.
#[derive(Debug, Clone)]
pub struct WorstEntry {
    /// How the derivative was found: `reverse` or `forward`.
    pub sweep: &'static str,
    /// The cell of the target, then that of the independent tensor.
    pub cell: Vec<usize>,
    /// The derivative.
    pub found: f64,
    /// The difference quotient.
    pub expected: f64,
    /// The step of the difference.
    pub step: f64,
    /// How far apart they are, relative to the larger of them and 1.
    pub error: f64,
}

impl GradientCheck {
    /// Whether the derivative agrees.
    pub fn agrees(&self) -> bool {
        // Not a number is no agreement.
        self.worst.as_ref().is_none_or(|w| w.error <= GRADIENT_TOLERANCE)
    }
}

impl Session {
    /// Checks every derivative that a program asks for.
    ///
    /// # Errors
    ///
    /// Inputs that do not bind, and whatever fails when the program or a difference is
    /// computed.
    pub fn check_gradients(
        &mut self,
        program: &Checked,
        options: &Options,
    ) -> Result<Vec<GradientCheck>, RunError> {
        let binding = bind_inputs(self, program, options)?;
        let binding = final_binding(program, binding)?;
        let graph = lifted_graph(&program.host.graph);
        let binding = lifted_binding(&graph, &binding);
        let rules: Vec<Rule> = program.rules.iter().map(lifted_rule).collect();
        let rules = &rules;
        let check = |q: &Quotient| Check { graph: &graph, binding: &binding, rules, q }.run();
        program.quotients.iter().map(check).collect()
    }
}

/// The values of all parameters that the run defines, and of what the host computes for the
/// tensors of the derivatives.
fn final_binding(program: &Checked, binding: Binding) -> Result<Binding, RunError> {
    struct Reference(Evaluator);
    impl Compute for Reference {
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

        fn for_function(&mut self) -> Box<dyn Compute + '_> {
            Box::new(Reference(Evaluator::new(Binding::default())))
        }
    }
    let wanted: Vec<TensorId> =
        program.quotients.iter().flat_map(|q| [q.target, q.independent]).collect();
    let mut compute = Reference(Evaluator::new(binding.clone()));
    weft_host::with_host_values(&program.host, binding, &wanted, &mut compute)
}

fn lifted(ty: ScalarType) -> ScalarType {
    if ty.is_float() { ScalarType::F64 } else { ty }
}

/// The graph with every float an `f64`.
fn lifted_graph(graph: &Graph) -> Graph {
    let mut out = graph.clone();
    out.functions = graph.functions.with_types(&lifted);
    for t in graph.tensors.keys() {
        let tensor = &mut out.tensors[t];
        tensor.elem = lifted(tensor.elem);
        if let Definition::Constant(a) = &tensor.definition {
            tensor.definition = Definition::Constant(Arc::new(lifted_array(a)));
        }
    }
    for p in graph.assigns.keys() {
        out.assigns[p] = lifted_assignment(&graph.assigns[p]);
    }
    out
}

fn lifted_assignment(a: &Assignment) -> Assignment {
    let roots: Vec<ExprId> = a.mask.into_iter().chain([a.body]).collect();
    let (exprs, roots) = rewrite(&a.exprs, &roots, &mut |into, node, ty| match node {
        Expr::Const(v) => into.constant(scalar::cast(v, lifted(v.ty()))),
        Expr::Cast(to, x) => into.cast(lifted(to), x),
        other => into.add(other, lifted(ty)),
    });
    let body = *roots.last().expect("the body is a root");
    let mask = a.mask.map(|_| roots[0]);
    Assignment { exprs, body, mask, ..a.clone() }
}

fn lifted_rule(rule: &Rule) -> Rule {
    Rule { stands_in: lifted_assignment(&rule.stands_in), ..rule.clone() }
}

fn lifted_array(a: &Array) -> Array {
    let to = lifted(a.elem());
    let cells: Vec<Scalar> = (0..a.len()).map(|n| scalar::cast(a.get(n), to)).collect();
    Array::new(a.shape().to_vec(), Data::from_scalars(to, &cells)).expect("the shape is the same")
}

fn lifted_binding(graph: &Graph, binding: &Binding) -> Binding {
    let lift = |(t, a): (&TensorId, &Arc<Array>)| {
        let fits = a.elem() == graph.tensors[*t].elem;
        (*t, if fits { a.clone() } else { Arc::new(lifted_array(a)) })
    };
    Binding { params: binding.params.clone(), inputs: binding.inputs.iter().map(lift).collect() }
}

struct Check<'a> {
    graph: &'a Graph,
    binding: &'a Binding,
    rules: &'a [Rule],
    q: &'a Quotient,
}

impl Check<'_> {
    fn run(&self) -> Result<GradientCheck, RunError> {
        let name = |t: TensorId| {
            self.graph.tensors[t].name.as_ref().map_or("…".into(), |n| n.to_string())
        };
        let mut report = GradientCheck {
            span: self.q.span,
            name: format!("@{} / @{}", name(self.q.target), name(self.q.independent)),
            entries: 0,
            worst: None,
        };
        let reverse = self.jacobian(Strategy::Reverse)?;
        let forward = self.jacobian(Strategy::Forward)?;
        let mut probe = Probe::new(self)?;
        let count = probe.at.len();
        let rows = reverse.len().checked_div(count).unwrap_or(0);
        let scale = (0..reverse.len()).filter_map(|n| reverse.get(n).as_f64()).map(f64::abs);
        let scale = scale.fold(1.0, f64::max).min(1e6);
        for column in (0..count).step_by(count.div_ceil(MAX_CELLS).max(1)) {
            let columns: Vec<Vec<f64>> =
                STEPS.iter().map(|s| probe.difference(column, *s)).collect::<Result<_, _>>()?;
            for row in 0..rows {
                let place = row * count + column;
                for (sweep, all) in [("reverse", &reverse), ("forward", &forward)] {
                    let found = all.get(place).as_f64().unwrap_or(f64::NAN);
                    let entry = best(found, row, &columns, scale);
                    report.entries += 1;
                    let cell = || cell_at(reverse.shape(), place);
                    let worse = |w: &WorstEntry| entry.2.is_nan() || entry.2 > w.error;
                    let worse = report.worst.as_ref().is_none_or(worse);
                    if worse {
                        let (expected, step, error) = entry;
                        let cell = cell();
                        report.worst =
                            Some(WorstEntry { sweep, cell, found, expected, step, error });
                    }
                }
            }
        }
        Ok(report)
    }

    /// The whole derivative, by sweeps of one direction.
    fn jacobian(&self, strategy: Strategy) -> Result<Arc<Array>, RunError> {
        let mut graph = self.graph.clone();
        let q = self.q;
        let axes: Vec<Axis> = [q.target, q.independent]
            .iter()
            .flat_map(|t| graph.tensors[*t].axes.iter().cloned())
            .collect();
        let elem = graph.tensors[q.independent].elem;
        let definition = Definition::Assigned { pieces: Vec::new(), covered: true };
        let fresh = |graph: &mut Graph| {
            let (axes, definition) = (axes.clone(), definition.clone());
            graph.tensors.push(Tensor { name: None, span: None, elem, axes, definition })
        };
        let (tensor, whole) = (fresh(&mut graph), fresh(&mut graph));
        graph.assign(copy_of(&graph, tensor, whole));
        let request = Quotient { tensor, ..q.clone() };
        expand_quotients(&mut graph, &[request], self.rules, strategy).map_err(|refusal| {
            let headline = format!("no derivative through {}", refusal.cause.text());
            weft_diag::Diagnostic::error(weft_diag::Code::E0602, headline)
        })?;
        observe(&graph, self.binding, whole)
    }
}

/// `to[…] = from[…]`.
fn copy_of(graph: &Graph, from: TensorId, to: TensorId) -> Assignment {
    let mut space = Space::default();
    let push = |a: &Axis| {
        let i: Iter = space.push(a.name.clone(), Affine::fixed(0), Affine::fixed(a.extent.clone()));
        IndexTerm::from(Affine::iter(i))
    };
    let index: Vec<IndexTerm> = graph.tensors[from].axes.iter().map(push).collect();
    let mut exprs = Exprs::new();
    let read = Expr::Read { tensor: from, index: index.clone(), site: None };
    let body = exprs.add(read, graph.tensors[from].elem);
    let (write, accumulator) = (index, Accumulator::Set);
    Assignment { target: to, space, write, accumulator, mask: None, body, exprs }
}

fn observe(graph: &Graph, binding: &Binding, t: TensorId) -> Result<Arc<Array>, RunError> {
    let observed = weft_tensor::eval::evaluate(graph, binding, &[t], &Limits::default());
    let mut all = observed.map_err(|f| RunError::from_failure(graph, &f))?;
    Ok(all.remove(0))
}

/// The program with one cell moved.
struct Probe<'a> {
    graph: Graph,
    binding: Binding,
    q: &'a Quotient,
    /// The values around which cells move.
    at: Arc<Array>,
    /// What is bound to the moving cells: the values, or what is added to them.
    moved: TensorId,
    base: Array,
}

impl<'a> Probe<'a> {
    fn new(check: &Check<'a>) -> Result<Probe<'a>, RunError> {
        let (q, mut binding) = (check.q, check.binding.clone());
        let at = observe(check.graph, check.binding, q.independent)?;
        let mut graph = check.graph.clone();
        // What a differential is multiplied by stays as it is.
        for rule in check.rules.iter().filter(|r| r.hides.is_some()) {
            let copy = rule.stands_in.target;
            binding.inputs.insert(copy, observe(check.graph, check.binding, copy)?);
            graph.tensors[copy].definition = Definition::Input;
        }
        if !q.cells {
            graph.tensors[q.independent].definition = Definition::Input;
            let base = (*at).clone();
            return Ok(Probe { graph, binding, q, at, moved: q.independent, base });
        }
        // Every cell is what defines it and a number of its own.
        let like = graph.tensors[q.independent].clone();
        let inner = graph.tensors.push(like.clone());
        let moved = graph.tensors.push(Tensor { definition: Definition::Input, ..like.clone() });
        for &p in graph.pieces(q.independent).to_vec().iter() {
            graph.assigns[p].target = inner;
        }
        graph.tensors[q.independent].definition =
            Definition::Assigned { pieces: Vec::new(), covered: true };
        let mut sum = copy_of(&graph, inner, q.independent);
        let read = Expr::Read { tensor: moved, index: sum.write.clone(), site: None };
        let own = sum.exprs.add(read, like.elem);
        sum.body = sum.exprs.binary(BinaryOp::Add, sum.body, own);
        graph.assign(sum);
        let base = Array::zeros(ScalarType::F64, at.shape().to_vec()).expect("as large as another");
        Ok(Probe { graph, binding, q, at, moved, base })
    }

    /// The change of the target by a cell, over twice the step.
    fn difference(&mut self, cell: usize, relative: f64) -> Result<Vec<f64>, RunError> {
        let value = self.at.get(cell).as_f64().unwrap_or(0.0);
        let step = relative * value.abs().max(1.0);
        let here = self.base.get(cell).as_f64().unwrap_or(0.0);
        let (up, down) = (self.target_at(cell, here + step)?, self.target_at(cell, here - step)?);
        let number = |a: &Array, n: usize| a.get(n).as_f64().unwrap_or(f64::NAN);
        Ok((0..up.len()).map(|n| (number(&up, n) - number(&down, n)) / (2.0 * step)).collect())
    }

    fn target_at(&mut self, cell: usize, value: f64) -> Result<Arc<Array>, RunError> {
        let mut moved = self.base.clone();
        moved.set(cell, Scalar::F64(value));
        self.binding.inputs.insert(self.moved, Arc::new(moved));
        observe(&self.graph, &self.binding, self.q.target)
    }
}

/// The difference quotient that agrees best: it, its step, and the error left.
fn best(found: f64, row: usize, columns: &[Vec<f64>], scale: f64) -> (f64, f64, f64) {
    let entry = |(column, step): (&Vec<f64>, &f64)| {
        let expected = column[row];
        let size = found.abs().max(expected.abs()).max(scale * 1e-2).max(1.0);
        (expected, *step, (found - expected).abs() / size)
    };
    let all = columns.iter().zip(&STEPS).map(entry);
    all.reduce(|a, b| if b.2 < a.2 || a.2.is_nan() { b } else { a }).expect("there are steps")
}

fn cell_at(shape: &[usize], mut place: usize) -> Vec<usize> {
    let mut cell: Vec<usize> = shape
        .iter()
        .rev()
        .map(|n| {
            let at = place % n.max(&1);
            place /= n.max(&1);
            at
        })
        .collect();
    cell.reverse();
    cell
}
