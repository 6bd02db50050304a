//! The walk's state, and its small services.

use crate::bodies::Bodies;
use crate::enter::{EnterKey, Entered};
use crate::env::{Bound, Env, EnvId};
use crate::lift::{LiftKey, Lifted};
use rustc_hash::FxHashMap;
use weft_base::entity::PrimaryMap;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic, Diagnostics};
use weft_domain::{Affine, Iter};
use weft_host as host;
use weft_scalar::eval::Overflow;
use weft_scalar::{Scalar, ScalarType};
use weft_sema::thir::{self, BodyId, Expr, LocalId, ParamOrigin, Ty};
use weft_shape::{Param, Size};
use weft_tensor::{
    Array, Axis, Data, Definition, Graph, ParamInfo, Site, SiteId, Tensor, TensorId,
};

/// A program, staged.
#[derive(Debug, Default)]
pub struct Staged {
    /// The host program with its graph.
    pub program: host::Program,
    /// Warnings.
    pub diagnostics: Diagnostics,
    /// The derivatives in it, by now sweeps of the graph.
    pub quotients: Vec<weft_grad::Quotient>,
    /// What stands in for pieces where they are differentiated.
    pub rules: Vec<weft_grad::Rule>,
    /// How the derivatives are had, for `weft explain`.
    pub sweeps: Vec<weft_grad::Sweep>,
    /// How the program reads the derivatives.
    pub reads: Vec<(TensorId, weft_grad::Pattern)>,
}

/// Lowers a checked program (one without errors) to a host program.
///
/// `overflow` says what becomes of integers that leave their types. The diagnostics tell what
/// cannot be lowered yet; then there is no program.
pub fn stage(program: &thir::Program, overflow: Overflow) -> Result<Staged, Diagnostics> {
    if let Some(d) = crate::complete::without_a_type(program) {
        return Err([d].into_iter().collect());
    }
    let mut stager = Stager::new(program, overflow);
    if let Some(d) = stager.bodies.too_large.take() {
        return Err([d].into_iter().collect());
    }
    stager.main();
    stager.complete_graphs();
    if stager.diagnostics.has_errors() {
        return Err(stager.diagnostics);
    }
    stager.unit.out.functions = stager.functions;
    stager.unit.out.overflow = overflow;
    stager.unit.out.types = crate::look::boxed_types(program);
    let Stager { unit, diagnostics, .. } = stager;
    let (quotients, rules) = (unit.quotients, unit.rules);
    let (sweeps, reads) = (unit.sweeps, unit.reads);
    Ok(Staged { program: unit.out, diagnostics, quotients, rules, sweeps, reads })
}

/// What is being built: the whole program, or the body of a function of the host.
#[derive(Default)]
pub(crate) struct Unit {
    pub out: host::Program,
    /// Step lists under way: branches stack up.
    pub steps: Vec<Vec<host::Step>>,
    /// What was lifted already.
    pub lifted: FxHashMap<LiftKey, Lifted>,
    /// Where paths are taken for some values of the indices that go, by space and path and
    /// the indices that stay.
    pub taken: FxHashMap<(String, Vec<Iter>), Lifted>,
    /// Calls and blocks of cell code that were entered.
    pub entered: FxHashMap<EnterKey, Entered>,
    /// Array literals of constants, by their place in the program.
    pub constants: FxHashMap<*const Expr, TensorId>,
    /// Places where operators fail, by what they tell.
    pub traps: FxHashMap<(Span, String), SiteId>,
    /// Tensors that hold host values, by the text of the value.
    pub sources: FxHashMap<String, TensorId>,
    /// Derivatives that are asked for.
    pub quotients: Vec<weft_grad::Quotient>,
    /// What stands in for pieces where they are differentiated.
    pub rules: Vec<weft_grad::Rule>,
    /// How derivatives are had.
    pub sweeps: Vec<weft_grad::Sweep>,
    /// How they are read.
    pub reads: Vec<(TensorId, weft_grad::Pattern)>,
    /// The differentials whose texts are wanted.
    pub shown: Vec<crate::source_form::Wanted>,
    /// Copies of tensors that stand for their differentials.
    pub live: std::collections::BTreeMap<TensorId, TensorId>,
}

impl Unit {
    pub fn new() -> Unit {
        Unit { steps: vec![Vec::new()], ..Unit::default() }
    }
}

pub(crate) struct Stager<'p> {
    pub program: &'p thir::Program,
    /// What becomes of integers that leave their types.
    pub overflow: Overflow,
    pub unit: Unit,
    /// What is known of function instances.
    pub bodies: Bodies,
    /// Instances that are functions of the host.
    pub hosted: FxHashMap<BodyId, host::FunctionId>,
    pub functions: PrimaryMap<host::FunctionId, host::Function>,
    /// Functions that give one member of what another gives.
    pub members: FxHashMap<(host::FunctionId, Vec<usize>), host::FunctionId>,
    pub envs: PrimaryMap<EnvId, Env<'p>>,
    pub diagnostics: Diagnostics,
    /// Functions that cells call, with the places of the calls.
    pub called: Vec<(host::FunctionId, Span)>,
    /// Functions of the host that are being made, within each other.
    pub hosting: u32,
    /// Whether functions of scalars have a form that cells call.
    pub in_cells: FxHashMap<host::FunctionId, bool>,
    /// Functions of the host that ask for derivatives, whose sweeps are still to be made.
    pub open: Vec<(host::FunctionId, Unit)>,
}

impl<'p> Stager<'p> {
    fn new(program: &'p thir::Program, overflow: Overflow) -> Self {
        Stager {
            program,
            overflow,
            unit: Unit::new(),
            bodies: Bodies::compute(program),
            hosted: FxHashMap::default(),
            functions: PrimaryMap::new(),
            members: FxHashMap::default(),
            envs: PrimaryMap::new(),
            diagnostics: Diagnostics::new(),
            called: Vec::new(),
            hosting: 0,
            in_cells: FxHashMap::default(),
            open: Vec::new(),
        }
    }

    /// Gives every graph the functions that its cells call, and the sweeps of its derivatives.
    fn complete_graphs(&mut self) {
        self.refuse_calls_in_recurrences();
        let scalars = host::Scalars::compute(&self.functions, self.overflow);
        for (f, span) in std::mem::take(&mut self.called) {
            if scalars.get(f).is_none() {
                let headline = "a function too large for cells calls itself inside a clause";
                let d = Diagnostic::error(Code::E1107, headline)
                    .primary(span, "cells of the same function call this one")
                    .help("call it before the clause, or divide it");
                self.diagnostics.push(d);
            }
        }
        if self.diagnostics.has_errors() {
            return;
        }
        self.functions.values_mut().for_each(|f| place(&mut f.body.graph, &scalars));
        self.expand_quotients(&scalars);
        for (id, unit) in std::mem::take(&mut self.open) {
            let main = std::mem::replace(&mut self.unit, unit);
            self.expand_quotients(&scalars);
            let unit = std::mem::replace(&mut self.unit, main);
            self.functions[id].body = unit.out;
        }
    }

    pub fn graph(&mut self) -> &mut Graph {
        &mut self.unit.out.graph
    }

    pub fn step(&mut self, step: host::Step) {
        self.unit.steps.last_mut().expect("a list is under way").push(step);
    }

    pub fn unsupported(&mut self, span: Span, what: &str) {
        let d = Diagnostic::error(Code::E0010, format!("{what} is not supported yet"))
            .primary(span, "checked, but not run");
        self.diagnostics.push(d);
    }

    /// The environment of a body's outermost level.
    pub fn new_env(&mut self, body: BodyId, parent: Option<EnvId>) -> EnvId {
        self.envs.push(Env {
            body,
            parent,
            values: FxHashMap::default(),
            iters: FxHashMap::default(),
            sizes: FxHashMap::default(),
        })
    }

    /// An environment within another.
    pub fn child(&mut self, env: EnvId) -> EnvId {
        let body = self.envs[env].body;
        self.new_env(body, Some(env))
    }

    pub fn body(&self, env: EnvId) -> &'p thir::Body {
        let program: &'p thir::Program = self.program;
        &program.bodies[self.envs[env].body]
    }

    /// What a local stands for, and the environment that binds it.
    pub fn lookup(&self, env: EnvId, id: LocalId) -> Option<(Bound<'p>, EnvId)> {
        let mut at = Some(env);
        while let Some(e) = at {
            if let Some(b) = self.envs[e].values.get(&id) {
                return Some((b.clone(), e));
            }
            at = self.envs[e].parent;
        }
        None
    }

    /// An index of the body in terms of those around, where it is in scope.
    pub fn iter_in(&self, env: EnvId, i: Iter) -> Option<Affine> {
        let mut at = Some(env);
        while let Some(e) = at {
            if let Some(a) = self.envs[e].iters.get(&i) {
                return Some(a.clone());
            }
            at = self.envs[e].parent;
        }
        None
    }

    fn param_in(&self, env: EnvId, p: Param) -> Option<Size> {
        let mut at = Some(env);
        while let Some(e) = at {
            if let Some(s) = self.envs[e].sizes.get(&p) {
                return Some(s.clone());
            }
            at = self.envs[e].parent;
        }
        None
    }

    /// A body's size in terms of the graph's parameters.
    pub fn size(&self, env: EnvId, s: &Size) -> Size {
        s.substitute(&|p| self.param_in(env, p).expect("sizes use parameters that are bound"))
    }

    /// A body's term in terms of the iterators and parameters around.
    pub fn term(&self, env: EnvId, a: &Affine) -> Affine {
        let a = a.map_sizes(&|s| self.size(env, s));
        a.compose(&|i| self.iter_in(env, i).expect("terms use indices in scope"))
            .expect("coefficients stay as they were checked")
    }

    /// The extents of an array type.
    pub fn shape(&self, env: EnvId, ty: &Ty) -> Vec<Size> {
        ty.extents().unwrap_or_default().iter().map(|s| self.size(env, s)).collect()
    }

    /// The element type of an array type.
    pub fn elem(&self, ty: &Ty) -> ScalarType {
        let elem = match ty {
            Ty::Differential(elem, _) => Some(*elem),
            _ => ty.elem(),
        };
        elem.map_or(ScalarType::Bool, thir::Elem::computed_in)
    }

    /// A new tensor without a definition.
    pub fn tensor(
        &mut self,
        name: Option<(Name, Span)>,
        elem: ScalarType,
        axes: Vec<Axis>,
    ) -> TensorId {
        let (name, span) = name.unzip();
        let definition = Definition::Assigned { pieces: Vec::new(), covered: true };
        self.graph().tensors.push(Tensor { name, span, elem, axes, definition })
    }

    pub fn site(&mut self, span: Span, message: impl Into<String>) -> SiteId {
        let message = message.into();
        self.graph().sites.push(Site { span: Some(span), message })
    }

    /// A parameter of the graph.
    pub fn graph_param(&mut self, info: &thir::ParamInfo) -> Param {
        let default = match info.origin {
            ParamOrigin::Literal(n) => Some(n),
            _ => None,
        };
        let (name, span) = (info.name.clone(), Some(info.span));
        self.graph().params.push(ParamInfo { name, span, default })
    }

    /// The tensor of an array literal whose elements are all constants.
    pub fn constant_array(&mut self, e: &'p Expr) -> Option<TensorId> {
        if let Some(t) = self.unit.constants.get(&(e as *const Expr)) {
            return Some(*t);
        }
        let mut cells = Vec::new();
        collect_constants(e, &mut cells)?;
        let elem = self.elem(&e.ty);
        let shape: Vec<usize> =
            e.ty.shape()?
                .iter()
                .map(|s| s.as_constant().and_then(|n| usize::try_from(n).ok()))
                .collect::<Option<_>>()?;
        let array = Array::new(shape.clone(), Data::from_scalars(elem, &cells))?;
        let axes = shape.iter().map(|n| Axis { extent: (*n as i64).into(), name: None }).collect();
        let t = self.tensor(None, elem, axes);
        self.graph().tensors[t].span = Some(e.span);
        self.graph().tensors[t].definition = Definition::Constant(array.into());
        self.unit.constants.insert(e, t);
        Some(t)
    }
}

/// Gives a graph the functions that its cells call.
pub(crate) fn place(graph: &mut Graph, scalars: &host::Scalars) {
    let roots = called_in(graph);
    if !roots.is_empty() {
        scalars.put_into(graph, roots);
    }
}

/// The functions that bodies of a graph call.
fn called_in(graph: &Graph) -> Vec<weft_scalar::function::FunctionId> {
    let called = |a: &weft_tensor::Assignment| {
        let function = |e| match a.exprs.get(e) {
            weft_tensor::Expr::Call { function, .. } => Some(*function),
            _ => None,
        };
        a.exprs.ids().filter_map(function).collect::<Vec<_>>()
    };
    graph.assigns.values().flat_map(called).collect()
}

fn collect_constants(e: &Expr, out: &mut Vec<Scalar>) -> Option<()> {
    match &e.kind {
        thir::ExprKind::Const(v) => {
            out.push(*v);
            Some(())
        }
        thir::ExprKind::Array(members) => {
            members.iter().try_for_each(|m| collect_constants(m, out))
        }
        _ => None,
    }
}
