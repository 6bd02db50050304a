//! The checker's state: the program so far, the bodies under way, functions and their instances.

use crate::declared::TypeTable;
use crate::fixpoint::Settling;
use crate::scope::{Binding, ConstId, FnId};
use crate::sink::OfBodies;
use crate::thir::{self, BodyId, Expr, LocalId, Stmt, Ty};
use crate::typed::body_cx::{BodyCx, Effects, Need};
use crate::typed::keys::ArgKey;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use weft_base::entity::PrimaryMap;
use weft_base::{Name, SourceMap, Span};
use weft_diag::{Diagnostic, Diagnostics};
use weft_hir::{self as hir, VarId};

/// A function definition and where it stands.
#[derive(Clone)]
pub(crate) struct Function {
    pub def: Rc<hir::FnDef>,
    /// Index of the body whose scope it is defined in. Of items of modules it is the program's:
    /// what they are given may use values of it.
    pub home: usize,
    /// Its differential, where a `@fn` gives it, and the function without it.
    pub rule: Option<(Rc<hir::DiffRule>, FnId)>,
    /// What a function value captures.
    pub closure: Option<Rc<crate::closure::Closure>>,
}

/// A constant definition.
pub(crate) struct Constant {
    pub def: Rc<hir::Const>,
    pub state: ConstState,
}

/// How far a constant is evaluated.
pub(crate) enum ConstState {
    New,
    UnderWay,
    Done(Expr),
    Failed,
}

/// One specialisation of a function, by element types and ranks of its arguments.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct InstanceKey {
    pub function: FnId,
    pub args: Vec<ArgKey>,
    /// The functions that have no rule in it, since it is part of theirs.
    pub without_rule: BTreeSet<FnId>,
}

/// A finished instance, or one under way.
#[derive(Clone)]
pub(crate) enum Instance {
    /// Its place among those under way.
    UnderWay(usize),
    Done {
        body: BodyId,
        captures: Vec<LocalId>,
        /// The outermost instance under way whose assumed result it rests on.
        rests_on: Option<usize>,
    },
}

/// The instances of functions, by key, so that those made since some point can be forgotten. A key
/// may be as large as types are: it is hashed where it is looked for, and not by who goes over all.
#[derive(Default)]
pub(crate) struct Instances {
    /// Places among those made.
    known: FxHashMap<Rc<InstanceKey>, usize>,
    /// In the order they were made.
    made: Vec<(Rc<InstanceKey>, Instance)>,
}

impl Instances {
    pub fn get(&self, key: &InstanceKey) -> Option<&Instance> {
        self.known.get(key).map(|at| &self.made[*at].1)
    }

    /// Notes an instance, in the place of what was known of it.
    pub fn set(&mut self, key: &InstanceKey, instance: Instance) {
        match self.known.get(key) {
            Some(at) => self.made[*at].1 = instance,
            None => {
                let key = Rc::new(key.clone());
                self.known.insert(Rc::clone(&key), self.made.len());
                self.made.push((key, instance));
            }
        }
    }

    /// How many there are: what [`Instances::retain_since`] takes.
    pub fn count(&self) -> usize {
        self.made.len()
    }

    /// Forgets those made since there were so many, but for those that may stay.
    pub fn retain_since(&mut self, count: usize, stays: impl Fn(FnId, &Instance) -> bool) {
        let made = self.made.split_off(count);
        for (before, (key, instance)) in (count..).zip(made) {
            if !stays(key.function, &instance) {
                self.known.remove(&key);
                continue;
            }
            let at = self.made.len();
            if at != before {
                self.known.insert(Rc::clone(&key), at);
            }
            self.made.push((key, instance));
        }
    }

    /// Notes that those made since there were so many rest on no instance from place `at` on any
    /// more: what was assumed there is found.
    pub fn confirm_since(&mut self, count: usize, at: usize) {
        for (_, instance) in &mut self.made[count..] {
            if let Instance::Done { rests_on, .. } = instance {
                *rests_on = rests_on.filter(|place| *place < at);
            }
        }
    }
}

/// What is assumed of a recursive function while it is being checked.
#[derive(Clone, Debug)]
pub(crate) struct Assumed {
    pub function: FnId,
    pub body: BodyId,
    /// The type of its value, its extents left out; `None` as long as it is not known.
    pub result: Option<Ty>,
    /// What it captures.
    pub captures: Vec<LocalId>,
    pub effects: Effects,
    /// Whether it was called.
    pub called: bool,
    /// The outermost instance under way whose assumed result what was checked since rests on.
    pub rests_on: Option<usize>,
}

pub(crate) struct Checker<'a> {
    pub source: &'a SourceMap,
    /// What is checked.
    pub tree: &'a hir::Program,
    /// Everything that is bound, with what passes make up.
    pub vars: PrimaryMap<VarId, hir::Var>,
    /// Variables that no program names, by what they are for and the place that they come from.
    made_up: FxHashMap<(Name, Span), VarId>,
    /// What the items of modules stand for.
    pub items: FxHashMap<VarId, Binding>,
    /// What was found of constants: said once, whoever needs them.
    pub of_constants: Diagnostics,
    /// Whether an error was found before types.
    pub errors_before: bool,
    pub program: thir::Program,
    /// What instances report.
    pub of_bodies: OfBodies,
    /// The statements under way that are checked in passes, outermost first.
    pub settling: Vec<Settling>,
    pub functions: PrimaryMap<FnId, Function>,
    pub constants: PrimaryMap<ConstId, Constant>,
    /// Structs and enums.
    pub types: Rc<TypeTable>,
    /// The functions that function values are, by a variable that each has for itself.
    pub lambdas: FxHashMap<VarId, FnId>,
    pub instances: Instances,
    /// What is said of functions under way that call themselves with ever other types.
    pub refused: FxHashMap<FnId, Diagnostic>,
    /// What the instances that were looked at weigh together.
    pub instantiated: usize,
    /// Parameters whose values specialise, by position.
    pub statics: FxHashMap<FnId, BTreeMap<usize, Need>>,
    pub bodies: Vec<BodyCx<'a>>,
    /// What running each finished instance does.
    pub effects: FxHashMap<BodyId, Effects>,
    /// The division that the value of a finished instance is the quotient of.
    pub quotients: FxHashMap<BodyId, Span>,
    /// Folds without ranges, within each other, that are under way.
    pub folds: u32,
    /// Comprehensions within each other that are under way.
    pub comprehensions: u32,
    /// Instances under way, outermost first.
    pub under_way: Vec<Assumed>,
    /// The functions whose rules are being checked: in these they have none.
    pub without_rule: BTreeSet<FnId>,
    /// Instances that call themselves, perhaps through others.
    pub recursive: FxHashSet<BodyId>,
    /// The indices of folds, which are linted as indices and not as names.
    pub fold_indices: FxHashSet<VarId>,
    /// Choices in functions between tensors, by their places, that some call of the host gives
    /// other extents.
    pub measured_choices: FxHashSet<(Span, Span)>,
}

impl<'a> Checker<'a> {
    pub fn new(
        source: &'a SourceMap,
        tree: &'a hir::Program,
        vars: PrimaryMap<VarId, hir::Var>,
        types: Rc<TypeTable>,
    ) -> Self {
        Checker {
            source,
            tree,
            vars,
            made_up: FxHashMap::default(),
            items: FxHashMap::default(),
            of_constants: Diagnostics::new(),
            errors_before: false,
            program: thir::Program::default(),
            of_bodies: OfBodies::default(),
            settling: Vec::new(),
            functions: PrimaryMap::new(),
            constants: PrimaryMap::new(),
            types,
            lambdas: FxHashMap::default(),
            instances: Instances::default(),
            refused: FxHashMap::default(),
            instantiated: 0,
            statics: FxHashMap::default(),
            bodies: Vec::new(),
            effects: FxHashMap::default(),
            quotients: FxHashMap::default(),
            folds: 0,
            comprehensions: 0,
            under_way: Vec::new(),
            without_rule: BTreeSet::new(),
            recursive: FxHashSet::default(),
            fold_indices: FxHashSet::default(),
            measured_choices: FxHashSet::default(),
        }
    }

    /// Begins a body.
    pub fn open_body(&mut self, parent: Option<usize>) -> &mut BodyCx<'a> {
        let mut cx = BodyCx::new(self.source, self.types.clone(), parent);
        if let Some(around) = self.bodies.last() {
            cx.attempted = around.attempted;
        }
        self.bodies.push(cx);
        self.cx()
    }

    /// The body under way.
    pub fn cx(&mut self) -> &mut BodyCx<'a> {
        self.bodies.last_mut().expect("a body is under way")
    }

    /// Whether what an instance under way gives is being found.
    pub fn seeks_result(&self) -> bool {
        self.under_way.iter().any(|a| a.result.is_none())
    }

    /// The body under way, to be read.
    pub fn at(&self) -> &BodyCx<'a> {
        self.bodies.last().expect("a body is under way")
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.cx().report(diagnostic);
    }

    /// Reports an error and gives the expression that stands for it.
    pub fn error(&mut self, diagnostic: Diagnostic) -> Expr {
        self.cx().error(diagnostic)
    }

    /// The body under way, to be read.
    pub fn body(&self) -> &thir::Body {
        &self.bodies.last().expect("a body is under way").body
    }

    /// A variable that no program can name: of one purpose and place one variable, however often
    /// that place is gone over.
    pub fn fresh(&mut self, name: &str, span: Span) -> hir::Ident {
        let name = Name::new(name);
        let known = self.made_up.get(&(name.clone(), span)).copied();
        let var = known.unwrap_or_else(|| {
            let var = hir::Var { name: name.clone(), span, global: false, component: None };
            let var = self.vars.push(var);
            self.made_up.insert((name.clone(), span), var);
            var
        });
        hir::Ident { name, span, var }
    }

    /// A value under a name that no program can write.
    pub fn hidden(&mut self, what: &str, e: Expr) -> Hidden {
        let ident = self.fresh(&format!("{what}."), e.span);
        let id = self.cx().local(&ident.name, ident.span, e.ty.clone(), e.term.clone());
        self.cx().remember_value(id, &e);
        self.cx().bind(ident.var, Binding::Local(id));
        Hidden { ident, id, stmt: Stmt::Let(id, e) }
    }

    /// Runs `f` where a condition holds (or fails).
    pub fn under<T>(&mut self, e: &Expr, holds: bool, f: impl FnOnce(&mut Self) -> T) -> T {
        self.cx().enter(e, holds);
        let result = f(self);
        self.cx().path.pop();
        result
    }
}

/// A value under a name that no program can write.
pub(crate) struct Hidden {
    pub ident: hir::Ident,
    pub id: LocalId,
    /// Binds it.
    pub stmt: Stmt,
}
