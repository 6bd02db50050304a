//! A body under way: what is known in it, and what is reported of it.
//!
//! Terms and facts of sizes grow here; what a condition on sizes decides is decided here.

use crate::declared::TypeTable;
use crate::scope::{Binding, RestId, Scope};
use crate::sink::Sink;
use crate::thir::{self, BodyId, Expr, LocalId, Nominal, Stmt, Ty};
use crate::typed::forms::{is_absent, without_extents};
use crate::typed::ranges::Frame;
use crate::typed::values::error_expr;
use rpds::{RedBlackTreeMap, RedBlackTreeSet};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::rc::Rc;
use weft_base::entity::{EntityRef, PrimaryMap};
use weft_base::{Name, SharedMap, SourceMap, Span};
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Iter};
use weft_hir::VarId;
use weft_shape::{Param, Size, SizeCheck, Verdict};

/// How far a parameter has to be known while checking.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    /// Its value makes a better program; inside of recursion it stays a value of the run, or
    /// `fact(n)` would be `n` functions.
    Value,
    /// A rank, the types of branches, or which of them is checked rest on it.
    Structure,
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
    /// It looks at files or changes them.
    Files,
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
    pub rests: PrimaryMap<RestId, crate::typed::rest::Rest>,
    /// Tensors whose definition is under way.
    pub group: FxHashMap<LocalId, crate::typed::indexed::Member>,
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
    /// Strings, and lists of them, that are bound outside clauses: their characters can be read in
    /// these.
    pub strings: RedBlackTreeSet<LocalId>,
    /// Strings whose text is known.
    pub texts: RedBlackTreeMap<LocalId, String>,
    /// Lists that are written out, by how many elements they have.
    pub lengths: RedBlackTreeMap<LocalId, usize>,
    /// Runs of axes that the signature names.
    pub runs: Vec<crate::typed::runs::Run>,
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

impl<'a> BodyCx<'a> {
    pub fn new(source: &'a SourceMap, types: Rc<TypeTable>, parent: Option<usize>) -> BodyCx<'a> {
        BodyCx {
            source,
            types,
            sink: Sink::default(),
            is_main: false,
            is_provisional: false,
            index_locals: FxHashMap::default(),
            truncated: Vec::new(),
            call_quotients: FxHashMap::default(),
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
            lengths: RedBlackTreeMap::new(),
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

    /// The type of a name; unknown, which is said, where it has too many members.
    pub fn of_allowed_size(&mut self, name: &Name, span: Span, ty: Ty) -> Ty {
        let leaves = leaves_of(&ty);
        if leaves <= MOST_LEAVES {
            return ty;
        }
        // A name that the program did not write says nothing.
        let what = match self.text(span) == name.as_str() {
            true => format!("`{name}` has {leaves} members"),
            false => format!("a value has {leaves} members"),
        };
        self.too_large_value(what, span);
        Ty::Error
    }

    pub fn too_large_value(&mut self, what: String, span: Span) {
        let d = Diagnostic::error(Code::E0309, what)
            .primary(span, format!("more than {MOST_LEAVES} are not allowed"))
            .help("a tensor holds as many numbers as it likes: `let x[i] = …;`");
        self.report(d);
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

    /// An extent as types show it. What only the run counts goes by the text of a comprehension,
    /// which says less than `?`.
    pub fn show_extent(&self, size: &Size) -> String {
        let text = self.show_valued(size);
        if text.contains(" | ") { "?".into() } else { text }
    }

    /// The value a parameter of this body has unless a run says otherwise.
    pub fn known_value(&self, p: Param) -> Option<i64> {
        self.body.known_value(p)
    }

    pub fn bind(&mut self, var: VarId, binding: Binding) {
        self.scopes.last_mut().expect("a scope is open").bind(var, binding);
    }

    pub fn push_scope(&mut self) {
        self.scopes.push(Scope::default());
    }

    /// What a variable stands for, if this body binds it.
    pub fn binding(&self, var: VarId) -> Option<&Binding> {
        self.scopes.iter().rev().find_map(|scope| scope.get(var))
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
            copy_of: None,
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
            copy_of: None,
            seen_as: None,
        };
        let id = self.body.locals.push(local);
        self.used.push(true);
        let ty = rigid(self, ty, id, name, span);
        if host_int {
            let origin = thir::ParamOrigin::Argument(id);
            let p = self.param(name.clone(), span, origin);
            self.body.locals[id].term = Some(Affine::fixed(Size::param(p)));
        }
        if ty.has_characters() {
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
    pub fn keep(&mut self, check: SizeCheck) {
        self.learn(&check);
        let of_arguments = |p: &Param| {
            use thir::ParamOrigin::{Argument, Captured, Extent};
            matches!(self.body.params[*p].origin, Argument(_) | Captured(..) | Extent(..))
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

/// The type of an argument inside its body: the same elements, extents as parameters. What may be a
/// failure has extents once it is none.
fn rigid(cx: &mut BodyCx, ty: &Ty, id: LocalId, name: &Name, span: Span) -> Ty {
    let mut counted = 0;
    ty.map_leaves(&mut |leaf| {
        let axes = counted..counted + leaf.extents().map_or(0, <[Size]>::len);
        counted = axes.end;
        match leaf {
            Ty::Fallible(_) => without_extents(leaf),
            _ if is_absent(leaf) => leaf.clone(),
            _ => leaf.with_extents(axes.enumerate().map(|(k, axis)| {
                let pname = Name::new(&format!("shape({name})[{k}]"));
                Size::param(cx.param(pname, span, thir::ParamOrigin::Extent(id, axis)))
            })),
        }
    })
}

/// How many parts a type is written with.
pub(crate) fn leaves_of(ty: &Ty) -> usize {
    match ty {
        // Cells without a leaf are written out all the same.
        Ty::Named(Nominal::Cells { cell, .. }, _) => 1 + leaves_of(cell),
        // A tuple counts too: one without members has no leaves, and may be nested all the same.
        Ty::Tuple(members) | Ty::Named(_, members) | Ty::Boxed(_, members) => {
            1 + members.iter().map(leaves_of).sum::<usize>()
        }
        Ty::List(of) | Ty::Fallible(of) => 1 + leaves_of(of),
        _ => 1,
    }
}

/// Members of tuples that a named value, a function's value or the arguments of one call may
/// have: a type is written out wherever it is met, and names double it with each line.
pub(crate) const MOST_LEAVES: usize = 4096;
