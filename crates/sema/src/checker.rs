//! The checker's state: the program so far, bodies under way, diagnostics.

use crate::declared::TypeTable;
use crate::fixpoint::Settling;
use crate::ranges::Frame;
use crate::scope::{Binding, ConstId, FnId, RestId, Scope};
use crate::sink::{OfBodies, Sink};
use crate::thir::{self, BodyId, Expr, ExprKind, LocalId, Stmt, Ty};
use rpds::{RedBlackTreeMap, RedBlackTreeSet};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use weft_base::entity::{EntityRef, PrimaryMap};
use weft_base::{Name, SharedMap, SourceMap, Span};
use weft_diag::{Code, Diagnostic, Diagnostics};
use weft_domain::{Affine, Iter};
use weft_hir::{self as hir, VarId};
use weft_resolve::{ModuleReader, Overrides};
use weft_shape::{Param, Size, SizeCheck, Verdict};
use weft_syntax::ast;

/// Checks a whole program.
///
/// The texts of modules are added to `source` as `reader` finds them. The program is fit for
/// staging only if the diagnostics hold no error.
pub fn check(
    program: &ast::Program,
    source: &SourceMap,
    overrides: &Overrides,
    reader: &dyn ModuleReader,
) -> (thir::Program, Diagnostics) {
    let mut resolved = weft_resolve::resolve(program, source, overrides, reader);
    let vars = std::mem::take(&mut resolved.program.vars);
    let mut diagnostics = resolved.diagnostics;
    let (types, found) = TypeTable::of(&resolved.program);
    diagnostics.extend(found);
    let mut checker = Checker::new(source, &resolved.program, vars, types.into());
    checker.program.types = checker.types.defs();
    checker.errors_before = diagnostics.has_errors();
    let found = checker.blocks().main();
    diagnostics.extend(found.all(&checker.of_bodies));
    diagnostics.extend(checker.of_constants);
    diagnostics.extend(crate::lint::tree::lint(&resolved.program));
    let mut unread = resolved.unread;
    unread.extend(program.unread.clone());
    let causes = crate::cascade::causes(diagnostics, &unread, program, &resolved.program, source);
    (checker.program, causes)
}

/// A function definition and where it stands.
#[derive(Clone)]
pub(crate) struct Function {
    pub def: Rc<hir::FnDef>,
    /// Index of the body whose scope it is defined in; none for items of modules.
    pub home: Option<usize>,
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

/// How far a parameter has to be known while checking.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    /// Its value makes a better program; inside of recursion it stays a value of the run, or
    /// `fact(n)` would be `n` functions.
    Value,
    /// A rank, the types of branches, or which of them is checked rest on it.
    Structure,
}

/// What of an argument specialises.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum ArgKey {
    /// A host integer, known as a term.
    HostInt(thir::Elem),
    /// A tensor or scalar: element type and rank.
    Array(thir::Elem, usize),
    Str,
    Tuple(Vec<ArgKey>),
    /// A tuple with a name.
    Named(LabelKey, Vec<ArgKey>),
    /// Host data of a recursive enum.
    Boxed(thir::TypeId, Vec<ArgKey>),
    /// A host list.
    List(Box<ArgKey>),
    /// A value or a failure.
    Fallible(Box<ArgKey>),
    /// A field that is not there.
    Absent,
    /// Left to its default.
    Default,
    /// A string whose text specialises.
    Text(String),
    /// A host integer whose value specialises.
    Static(thir::Elem, i64),
    /// A flag whose value specialises.
    Flag(bool),
    /// A list of integers whose length and elements specialise.
    Numbers(thir::Elem, Vec<i64>),
    Error,
}

/// What of a tuple's name specialises.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum LabelKey {
    Struct(thir::TypeId),
    Enum(thir::TypeId),
    Function(FnId),
    Cells(Box<ArgKey>, usize),
    Range,
    Character,
}

/// What running a function does besides giving a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Effects {
    /// Nothing.
    #[default]
    None,
    /// It may fail an assertion.
    Asserts,
    /// It prints.
    Prints,
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

/// The instances of functions, by key, so that those made since some point can be forgotten.
#[derive(Default)]
pub(crate) struct Instances {
    known: FxHashMap<InstanceKey, Instance>,
    /// Keys in the order they were made.
    made: Vec<InstanceKey>,
}

impl Instances {
    pub fn get(&self, key: &InstanceKey) -> Option<&Instance> {
        self.known.get(key)
    }

    /// Notes an instance, in the place of what was known of it.
    pub fn set(&mut self, key: &InstanceKey, instance: Instance) {
        if self.known.insert(key.clone(), instance).is_none() {
            self.made.push(key.clone());
        }
    }

    /// How many there are: what [`Instances::forget`] takes.
    pub fn count(&self) -> usize {
        self.made.len()
    }

    /// Forgets those made since there were so many, but for those that may stay.
    pub fn retain_since(&mut self, count: usize, stays: impl Fn(FnId, &Instance) -> bool) {
        let made = self.made.split_off(count);
        for key in made {
            match self.known.get(&key) {
                Some(instance) if stays(key.function, instance) => self.made.push(key),
                _ => drop(self.known.remove(&key)),
            }
        }
    }

    /// Notes that those made since there were so many rest on no instance from place `at` on any
    /// more: what was assumed there is found.
    pub fn confirm_since(&mut self, count: usize, at: usize) {
        for key in &self.made[count..] {
            if let Some(Instance::Done { rests_on, .. }) = self.known.get_mut(key) {
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

/// A body under way.
#[derive(Clone)]
pub(crate) struct BodyCx<'a> {
    pub source: &'a SourceMap,
    /// Structs and enums.
    pub types: Rc<TypeTable>,
    /// What is reported of it.
    pub sink: Sink,
    /// Whether it is the top level of the program.
    pub is_main: bool,
    /// Whether the pass under way is known not to stand: then proofs can wait.
    pub is_provisional: bool,
    /// Indices that functions inside capture, under names.
    index_locals: FxHashMap<Iter, LocalId>,
    /// Divisions of integer literals that do not come out even.
    pub truncated: Vec<Span>,
    /// The divisions that the values of instances called here are the quotients of.
    pub call_quotients: FxHashMap<BodyId, Span>,
    /// Whether the type of a recursive function is being found.
    pub probing: bool,
    /// What the choice under way is called in messages.
    pub choice: &'static str,
    /// While positive, what fails becomes a value.
    pub attempted: u32,
    pub body: thir::Body,
    pub scopes: Vec<Scope>,
    /// The body where variables that are not bound here are looked up.
    pub parent: Option<usize>,
    /// Values of the home body that are used here: (there, here).
    pub captures: Vec<(LocalId, LocalId)>,
    /// Statements that must stand before the one under way.
    pub pending: Vec<Stmt>,
    /// Clauses and outermost reductions whose ranges are being found, outermost first.
    pub frames: Vec<Frame>,
    /// Indices each cell-level local depends on.
    pub depends: RedBlackTreeMap<LocalId, Vec<Iter>>,
    /// The division that a name's value is the quotient of, where it is one.
    pub quotients: RedBlackTreeMap<LocalId, Span>,
    /// Indices in scope, outermost first.
    pub active: Vec<Iter>,
    /// Conditions on the path to where we are.
    pub path: Vec<crate::prove::condition::PathItem>,
    /// Rests in scope: their axes once known.
    pub rests: PrimaryMap<RestId, crate::rest::Rest>,
    /// Tensors whose definition is under way.
    pub group: FxHashMap<LocalId, crate::indexed::Member>,
    /// The tensors of definitions whose cells are tuples.
    pub fields: RedBlackTreeMap<LocalId, Vec<LocalId>>,
    /// What a cell of such a definition is, while it is under way: its leaves hold nothing.
    pub cells: RedBlackTreeMap<LocalId, Ty>,
    /// Known tuple members, for `shape(x)[i]`.
    pub members: RedBlackTreeMap<LocalId, Vec<Expr>>,
    /// Locals that have been read.
    pub used: SharedMap<LocalId, bool>,
    /// Names that are linted if nothing uses them.
    pub to_use: RedBlackTreeSet<LocalId>,
    /// Integer arguments whose values structure depends on.
    pub wants_static: BTreeMap<LocalId, Need>,
    /// The ends of the indices of joined definitions, by the components of an alternative.
    pub component_ends: FxHashMap<Vec<VarId>, Vec<(Name, Size)>>,
    /// Flags whose values specialise.
    pub flags: RedBlackTreeMap<LocalId, bool>,
    /// Strings that are bound outside clauses: their characters can be read in these.
    pub strings: RedBlackTreeSet<LocalId>,
    /// Strings whose text is known.
    pub texts: RedBlackTreeMap<LocalId, String>,
    /// Runs of axes that the signature names.
    pub runs: Vec<crate::runs::Run>,
    /// The definition whose clause is being checked.
    pub defining: Option<LocalId>,
    /// What running the body does.
    pub effects: Effects,
    /// Definitions by clauses so far.
    pub defined: RedBlackTreeSet<LocalId>,
    /// Indices whose ranges are known to be wrong: nothing is proven with them.
    pub conflicting: FxHashSet<Iter>,
    /// Indices with the range that the pass before found, until all reads are known.
    pub provisional: Vec<(Iter, (Affine, Affine))>,
    /// Literals whose value some proof rests on.
    pub pinned: FxHashSet<Param>,
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
    pub fold_indices: FxHashSet<Span>,
}

impl<'a> BodyCx<'a> {
    fn new(source: &'a SourceMap, types: Rc<TypeTable>, parent: Option<usize>) -> BodyCx<'a> {
        BodyCx {
            source,
            types,
            sink: Sink::default(),
            is_main: false,
            is_provisional: false,
            index_locals: FxHashMap::default(),
            truncated: Vec::new(),
            call_quotients: FxHashMap::default(),
            probing: false,
            choice: crate::matching::IF,
            attempted: 0,
            body: thir::Body::default(),
            scopes: vec![Scope::default()],
            parent,
            captures: Vec::new(),
            pending: Vec::new(),
            frames: Vec::new(),
            depends: RedBlackTreeMap::new(),
            quotients: RedBlackTreeMap::new(),
            active: Vec::new(),
            path: Vec::new(),
            rests: PrimaryMap::new(),
            group: FxHashMap::default(),
            fields: RedBlackTreeMap::new(),
            cells: RedBlackTreeMap::new(),
            members: RedBlackTreeMap::new(),
            used: SharedMap::new(),
            wants_static: BTreeMap::new(),
            component_ends: FxHashMap::default(),
            flags: RedBlackTreeMap::new(),
            strings: RedBlackTreeSet::new(),
            texts: RedBlackTreeMap::new(),
            runs: Vec::new(),
            defining: None,
            effects: Effects::None,
            to_use: RedBlackTreeSet::new(),
            defined: RedBlackTreeSet::new(),
            conflicting: FxHashSet::default(),
            provisional: Vec::new(),
            pinned: FxHashSet::default(),
        }
    }
}

impl BodyCx<'_> {
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.sink.push(diagnostic);
    }

    /// Reports an error and gives the expression that stands for it.
    pub fn error(&mut self, diagnostic: Diagnostic) -> Expr {
        let span = diagnostic.span();
        self.report(diagnostic);
        error_expr(span.unwrap_or_else(|| self.anywhere()))
    }

    fn anywhere(&self) -> Span {
        Span::new(weft_base::FileId::new(0), 0, 0)
    }

    /// Notes that the body under way has an effect.
    pub fn has_effect(&mut self, effects: Effects) {
        self.effects = self.effects.max(effects);
    }

    /// Whether we are outside clauses, where statements run in order.
    pub fn is_host(&mut self) -> bool {
        self.active.is_empty() && self.group.is_empty()
    }

    /// A type error with its cure.
    pub fn mistyped(&mut self, span: Span, headline: &str, label: &str, help: &str) -> Expr {
        let d = Diagnostic::error(Code::E0308, headline.to_string()).primary(span, label);
        self.error(d.help(help.to_string()))
    }

    /// The source text of a span, for messages; long ones are cut.
    pub fn text(&self, span: Span) -> String {
        self.source.short_text(span)
    }

    /// A size for messages.
    pub fn show(&self, size: &Size) -> String {
        self.body.show(size)
    }

    /// A size for messages, as a number where every parameter has a known value.
    pub fn show_valued(&self, size: &Size) -> String {
        match size.eval(&|p| self.known_value(p)) {
            Some(n) => n.to_string(),
            None => self.show(size),
        }
    }

    /// The value a parameter of this body has unless a run says otherwise.
    pub fn known_value(&self, p: Param) -> Option<i64> {
        self.body.known_value(p)
    }

    pub fn bind(&mut self, var: VarId, binding: Binding) {
        self.scopes.last_mut().expect("a scope is open").bind(var, binding);
    }

    pub fn push_scope(&mut self) {
        let inner = self.scopes.last().expect("a scope is open").inner();
        self.scopes.push(inner);
    }

    pub fn pop_scope(&mut self) {
        self.proofs().lint_unused();
        self.scopes.pop();
    }

    /// A new local of the body under way.
    pub fn local(&mut self, name: &Name, span: Span, ty: Ty, term: Option<Affine>) -> LocalId {
        let ty = self.of_allowed_size(name, span, ty);
        let local = thir::Local {
            name: name.clone(),
            span,
            ty,
            term,
            differentiated: false,
            seen_as: None,
        };
        self.used.push(false);
        self.body.locals.push(local)
    }

    /// An index under a name, of which a function inside makes an argument.
    pub fn index_as_local(&mut self, i: Iter) -> LocalId {
        if let Some(id) = self.index_locals.get(&i) {
            return *id;
        }
        let (name, span) = (self.body.iters[i].name.clone(), self.body.iters[i].span);
        let id = self.local(&name, span, Ty::scalar(thir::Elem::OpenInt), Some(Affine::iter(i)));
        self.depends.insert_mut(id, vec![i]);
        self.index_locals.insert(i, id);
        id
    }

    /// A new parameter of the body under way.
    pub fn param(&mut self, name: Name, span: Span, origin: thir::ParamOrigin) -> Param {
        let at_least_zero = matches!(origin, thir::ParamOrigin::Extent(..));
        let p = self.body.params.push(thir::ParamInfo { name, span, origin });
        if at_least_zero {
            self.body.facts.at_least(p, 0);
        }
        p
    }

    /// A new argument of a body, its extents (or its integer value) as parameters.
    pub fn argument(&mut self, name: &Name, span: Span, ty: &Ty, host_int: bool) -> LocalId {
        let local = thir::Local {
            name: name.clone(),
            span,
            ty: Ty::Error,
            term: None,
            differentiated: false,
            seen_as: None,
        };
        let id = self.body.locals.push(local);
        self.used.push(true);
        let mut axis = 0;
        let ty = rigid(self, ty, id, name, span, &mut axis);
        if host_int {
            let origin = thir::ParamOrigin::Argument(id);
            let p = self.param(name.clone(), span, origin);
            self.body.locals[id].term = Some(Affine::fixed(Size::param(p)));
        }
        if ty == Ty::Str {
            self.strings.insert_mut(id);
        }
        self.body.locals[id].ty = ty;
        self.body.arguments.push(id);
        id
    }

    /// The size of an expression known as a term without indices.
    pub fn size_of(&self, e: &Expr) -> Option<Size> {
        e.term.as_ref().and_then(Affine::as_size).cloned()
    }

    /// Takes a condition on sizes: reported if it fails (then the answer is `false`), kept
    /// if it is not decided.
    pub fn require(&mut self, check: SizeCheck) -> bool {
        let known = |p: Param| self.known_value(p);
        match check.decide(&self.body.facts) {
            Verdict::Yes => true,
            Verdict::Unknown if check.holds(&known) != Some(false) => {
                self.keep(check);
                true
            }
            _ => {
                let d = check.diagnose(&|s| self.show_valued(s));
                self.report(d);
                false
            }
        }
    }

    /// Requires conditions of a call. A read that an index with two extents is blamed on is
    /// not blamed once more for leaving its range.
    pub fn require_all(&mut self, checks: Vec<SizeCheck>) {
        use weft_shape::CheckSubject::{Anchors, Read};
        let mut blamed: Vec<Span> = Vec::new();
        for check in checks {
            let anchors = match &check.subject {
                Anchors { first, second, .. } => Some([first.span, second.span]),
                Read { read, .. } if blamed.contains(&read.span) => continue,
                _ => None,
            };
            if !self.require(check) {
                blamed.extend(anchors.into_iter().flatten());
            }
        }
    }

    /// Keeps an undecided condition: it goes to the callers where they fix its
    /// parameters, else is checked at run time.
    fn keep(&mut self, check: SizeCheck) {
        self.learn(&check);
        let of_arguments = |p: &Param| {
            use thir::ParamOrigin::{Argument, Extent};
            matches!(self.body.params[*p].origin, Argument(_) | Extent(..))
        };
        let is_function = !self.is_main;
        if is_function && check.params().iter().all(of_arguments) {
            // Calls that pass the same sizes on require one condition, not one each: callers
            // would have twice as many at every level.
            if !self.body.checks.iter().any(|c| c.repeats(&check)) {
                self.body.checks.push(check);
            }
        } else {
            self.pending.push(Stmt::Check(check.into()));
        }
    }

    /// Past the check its condition is a fact, where it bounds one parameter.
    fn learn(&mut self, check: &SizeCheck) {
        use weft_shape::SizeRelation;
        if !check.when.is_empty() || check.relation != SizeRelation::AtMost {
            return;
        }
        let slack = check.right.minus(&check.left);
        let [(monomial, 1)] = slack.terms() else { return };
        if let ([weft_shape::Atom::Param(p)], Ok(least)) =
            (monomial.as_slice(), i64::try_from(slack.constant_term().saturating_neg()))
        {
            let p = *p;
            self.body.facts.at_least(p, least);
        }
    }
}

impl<'a> Checker<'a> {
    fn new(
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
        }
    }

    /// Begins a body.
    pub fn open_body(&mut self, parent: Option<usize>) -> &mut BodyCx<'a> {
        let mut cx = BodyCx::new(self.source, self.types.clone(), parent);
        if let Some(around) = self.bodies.last() {
            (cx.probing, cx.attempted) = (around.probing, around.attempted);
        }
        self.bodies.push(cx);
        self.cx()
    }

    /// The body under way.
    pub fn cx(&mut self) -> &mut BodyCx<'a> {
        self.bodies.last_mut().expect("a body is under way")
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
}

/// The type of an argument inside its body: the same elements, extents as parameters.
fn rigid(cx: &mut BodyCx, ty: &Ty, id: LocalId, name: &Name, span: Span, axis: &mut usize) -> Ty {
    match ty {
        _ if crate::absent::is_absent(ty) => ty.clone(),
        Ty::Array(elem, shape) => {
            let mut extents = Vec::new();
            for k in 0..shape.len() {
                let origin = thir::ParamOrigin::Extent(id, *axis);
                *axis += 1;
                let pname = Name::new(&format!("shape({name})[{k}]"));
                extents.push(Size::param(cx.param(pname, span, origin)));
            }
            Ty::Array(*elem, extents)
        }
        Ty::Tuple(members) | Ty::Named(_, members) => {
            let members = members.iter().map(|m| rigid(cx, m, id, name, span, axis)).collect();
            ty.with_members(members)
        }
        Ty::Str
        | Ty::Boxed(..)
        | Ty::List(_)
        | Ty::Fallible(_)
        | Ty::Absent
        | Ty::Differential(..)
        | Ty::Error => ty.clone(),
    }
}

/// The expression that stands for an error.
pub(crate) fn error_expr(span: Span) -> Expr {
    Expr { kind: ExprKind::Error, ty: Ty::Error, span, term: None }
}
