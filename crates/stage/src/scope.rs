//! Environments: what the names of a body stand for at one place of the walk.

pub(crate) mod depend;
pub(crate) mod path;

use rustc_hash::FxHashMap;
use weft_base::Span;
use weft_base::entity::{PrimaryMap, entity_impl};
use weft_domain::{Affine, Constraint, Iter};
use weft_host::Value;
use weft_sema::thir::{Body, BodyId, Expr, ExprKind, Local, LocalId, Program, Slot, Ty};
use weft_shape::{Param, Size};
use weft_tensor::TensorId;

/// An environment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct EnvId(u32);
entity_impl!(EnvId, "env");

/// What a local stands for.
#[derive(Clone, Debug)]
pub(crate) enum Bound<'p> {
    /// A tensor of the graph; its leading axes are read at `outer` (the indices around a
    /// lifted definition).
    Tensor { tensor: TensorId, outer: Vec<Affine> },
    /// An expression, evaluated where it is used.
    Thunk(&'p Expr, EnvId),
    /// A tuple.
    Tuple(Vec<Bound<'p>>),
    /// A value of the host, cheap to name.
    Host(Value),
}

impl<'p> Bound<'p> {
    /// A tensor that is read as it is.
    pub fn whole(tensor: TensorId) -> Bound<'p> {
        Bound::Tensor { tensor, outer: Vec::new() }
    }

    /// What stands for a value of the host of some type: tuples by their members.
    pub fn of_host(value: Value, ty: &Ty) -> Bound<'p> {
        let Some(members) = ty.members() else { return Bound::Host(value) };
        let field = |n| Value::Field(Box::new(value.clone()), n);
        Bound::Tuple(members.iter().enumerate().map(|(n, m)| Bound::of_host(field(n), m)).collect())
    }
}

/// What the names of one body stand for. A block, clause or reduction has an environment
/// of its own within that of its surroundings; a call has one without surroundings.
#[derive(Debug)]
struct Env<'p> {
    body: BodyId,
    parent: Option<EnvId>,
    /// In a body of the library: the call of the program that it runs for.
    called: Option<Span>,
    values: FxHashMap<LocalId, Bound<'p>>,
    /// Indices of the body in terms of the iterators around.
    iters: FxHashMap<Iter, Affine>,
    /// Parameters of the body in terms of the graph's (in the outermost environment).
    sizes: FxHashMap<Param, Size>,
}

/// All environments of a walk.
pub(crate) struct Scopes<'p> {
    program: &'p Program,
    envs: PrimaryMap<EnvId, Env<'p>>,
}

impl<'p> Scopes<'p> {
    /// None yet.
    pub fn new(program: &'p Program) -> Self {
        Scopes { program, envs: PrimaryMap::new() }
    }

    /// The program that is walked.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The environment of a body's outermost level.
    pub fn outer(&mut self, body: BodyId) -> EnvId {
        self.push(body, None, None)
    }

    /// The same, of a body that is called from an environment.
    pub fn called(&mut self, body: BodyId, from: EnvId, call: Span) -> EnvId {
        let of_library = self.program.bodies[body].of_library;
        let called = self.envs[from].called.or(of_library.then_some(call));
        self.push(body, None, called)
    }

    /// The call of the program that a body of the library runs for: there its failures are told.
    pub fn call_of_program(&self, env: EnvId) -> Option<Span> {
        self.envs[env].called
    }

    /// An environment within another.
    pub fn child(&mut self, env: EnvId) -> EnvId {
        self.push(self.envs[env].body, Some(env), self.envs[env].called)
    }

    fn push(&mut self, body: BodyId, parent: Option<EnvId>, called: Option<Span>) -> EnvId {
        let (values, iters, sizes) = Default::default();
        self.envs.push(Env { body, parent, called, values, iters, sizes })
    }

    /// The body that an environment is of.
    pub fn body(&self, env: EnvId) -> &'p Body {
        &self.program.bodies[self.envs[env].body]
    }

    /// A local of that body.
    pub fn local(&self, env: EnvId, id: LocalId) -> &'p Local {
        &self.body(env).locals[id]
    }

    /// Whether two environments are of one body.
    pub fn same_body(&self, a: EnvId, b: EnvId) -> bool {
        self.envs[a].body == self.envs[b].body
    }

    /// The environments around one, it first.
    fn around(&self, env: EnvId) -> impl Iterator<Item = EnvId> + '_ {
        std::iter::successors(Some(env), |e| self.envs[*e].parent)
    }

    /// The outermost environment around.
    pub fn outermost(&self, env: EnvId) -> EnvId {
        self.around(env).last().unwrap_or(env)
    }

    /// Says what a local stands for.
    pub fn bind(&mut self, env: EnvId, id: LocalId, bound: Bound<'p>) {
        self.envs[env].values.insert(id, bound);
    }

    /// Says what an index stands for.
    pub fn bind_index(&mut self, env: EnvId, i: Iter, term: Affine) {
        self.envs[env].iters.insert(i, term);
    }

    /// Says what a parameter stands for.
    pub fn bind_size(&mut self, env: EnvId, p: Param, size: Size) {
        self.envs[env].sizes.insert(p, size);
    }

    /// What is bound in an environment itself.
    pub fn bound_in(&self, env: EnvId, id: LocalId) -> Option<&Bound<'p>> {
        self.envs[env].values.get(&id)
    }

    /// An index that is bound in an environment itself.
    pub fn index_in(&self, env: EnvId, i: Iter) -> Option<&Affine> {
        self.envs[env].iters.get(&i)
    }

    /// A parameter that is bound in an environment itself.
    pub fn size_in(&self, env: EnvId, p: Param) -> Option<&Size> {
        self.envs[env].sizes.get(&p)
    }

    /// What a local stands for, and the environment that binds it.
    pub fn lookup(&self, env: EnvId, id: LocalId) -> Option<(Bound<'p>, EnvId)> {
        self.around(env).find_map(|e| Some((self.envs[e].values.get(&id)?.clone(), e)))
    }

    /// What the program's names stand for in an environment.
    pub fn in_sight(&self, env: EnvId) -> impl Iterator<Item = (LocalId, &Bound<'p>)> {
        let locals = &self.body(env).locals;
        let values = self.around(env).flat_map(|e| self.envs[e].values.iter());
        values.filter(|(id, _)| locals[**id].is_written()).map(|(id, b)| (*id, b))
    }

    /// What a name, or a member of one, stands for.
    pub fn named(&self, e: &Expr, env: EnvId) -> Option<Bound<'p>> {
        match &e.kind {
            ExprKind::Local(id) => Some(self.lookup(env, *id)?.0),
            ExprKind::Field(x, n) => match self.named(x, env)? {
                Bound::Tuple(members) => members.into_iter().nth(*n),
                _ => None,
            },
            _ => None,
        }
    }

    /// An index of the body in terms of those around, where it is in scope.
    pub fn index(&self, env: EnvId, i: Iter) -> Option<Affine> {
        self.around(env).find_map(|e| self.envs[e].iters.get(&i).cloned())
    }

    /// A body's size in terms of the graph's parameters.
    pub fn size(&self, env: EnvId, s: &Size) -> Size {
        let of = |p: Param| self.around(env).find_map(|e| self.envs[e].sizes.get(&p).cloned());
        s.substitute(&|p| of(p).expect("sizes use parameters that are bound"))
    }

    /// A body's term in terms of the iterators and parameters around.
    pub fn term(&self, env: EnvId, a: &Affine) -> Affine {
        let a = a.map_sizes(&|s| self.size(env, s));
        a.compose(&|i| self.index(env, i).expect("terms use indices in scope"))
            .expect("coefficients stay as they were checked")
    }

    /// A constraint of the body in those terms.
    pub fn constraint(&self, env: EnvId, c: &Constraint) -> Constraint {
        Constraint { term: self.term(env, &c.term), relation: c.relation }
    }

    /// The term of a slot.
    pub fn slot(&self, env: EnvId, slot: &Slot) -> Affine {
        match slot {
            Slot::Index(i) => self.term(env, &Affine::iter(*i)),
            Slot::Fixed(s) => Affine::fixed(self.size(env, s)),
        }
    }

    /// The extents of an array type.
    pub fn shape(&self, env: EnvId, ty: &Ty) -> Vec<Size> {
        ty.extents().unwrap_or_default().iter().map(|s| self.size(env, s)).collect()
    }

    /// The range of an index between sizes, where it has such.
    pub fn fixed_range(&self, env: EnvId, i: Iter) -> Option<(Size, Size)> {
        let (lo, hi) = self.body(env).iters[i].range.as_ref()?;
        Some((self.size(env, lo.as_size()?), self.size(env, hi.as_size()?)))
    }
}
