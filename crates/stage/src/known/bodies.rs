//! What is known of function instances before they are lowered: which call themselves,
//! which have effects, which give host data.

use super::survey::{Survey, Surveys, is_effect, is_of_files};
use super::written_out::Sizes;
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use weft_diag::Diagnostic;
use weft_sema::thir::{self, Block, BodyId, Expr, ExprKind, HostOp, Program, Stmt, Ty};

/// The sets of instances that staging asks about.
#[derive(Debug, Default)]
pub(crate) struct Bodies {
    /// Is called as it is: calls itself, perhaps through others, or would be too large where
    /// its calls stand.
    called: FxHashSet<BodyId>,
    /// May print, fail an assertion, look at files or change them.
    effects: FxHashSet<BodyId>,
    /// Looks at files or changes them.
    files: FxHashSet<BodyId>,
    /// Its value may be made of host data.
    hosty: FxHashSet<BodyId>,
    /// Looks at more than scalars.
    tensors: FxHashSet<BodyId>,
    /// Takes derivatives: what they are taken of, or by, is a tensor.
    differentiating: FxHashSet<BodyId>,
    /// Finds extents while it runs: as a part of cells it would find others in each.
    measuring: FxHashSet<BodyId>,
    /// Why the program cannot be written out.
    too_large: Option<Diagnostic>,
    /// Choices that are known to have no effects.
    calm: RefCell<FxHashSet<*const Expr>>,
}

impl Bodies {
    /// What a set holds of one instance it holds of its callers: each set grows until nothing
    /// changes.
    pub fn compute(program: &Program, surveys: &Surveys) -> Bodies {
        let with = |has: &dyn Fn(&Survey) -> bool| -> FxHashSet<BodyId> {
            surveys.iter().filter(|(_, s)| has(s)).map(|(id, _)| id).collect()
        };
        let mut out = Bodies { called: surveys.recursive(), ..Bodies::default() };
        out.tensors = grown(with(&|s| s.tensors), surveys);
        let differentiated = |b: &thir::Body| b.locals.values().any(|l| l.differentiated);
        let own_differentials = program.bodies.iter().filter(|(_, b)| differentiated(b));
        out.differentiating = grown(own_differentials.map(|(id, _)| id).collect(), surveys);
        let sizes = Sizes::new(program, surveys);
        let large = sizes.to_call(&out.called, &out.tensors);
        out.called.extend(large);
        out.too_large = sizes.refusal(&out.called);
        out.effects = grown(with(&|s| s.effects), surveys);
        out.files = grown(with(&|s| s.files), surveys);
        let hosty = with(&|s| s.hosty);
        out.hosty = grown(hosty.union(&out.called).copied().collect(), surveys);
        out.measuring = grown(with(&|s| s.measures), surveys);
        out
    }

    /// Why the program cannot be written out, if it cannot.
    pub fn too_large(&self) -> Option<&Diagnostic> {
        self.too_large.as_ref()
    }

    /// Whether an instance is called as it is, wherever it is called.
    pub fn is_called(&self, body: BodyId) -> bool {
        self.called.contains(&body)
    }

    /// Whether the value of an instance may be made of host data.
    pub fn gives_host_data(&self, body: BodyId) -> bool {
        self.hosty.contains(&body)
    }

    /// Whether an instance looks at more than scalars.
    pub fn looks_at_tensors(&self, body: BodyId) -> bool {
        self.tensors.contains(&body)
    }

    /// Whether an instance makes no tensors wherever it is called.
    pub fn is_of_scalars(&self, body: BodyId) -> bool {
        !self.tensors.contains(&body) && !self.differentiating.contains(&body)
    }

    /// Whether an instance is a function of the host wherever cells call it.
    pub fn is_hosted(&self, body: BodyId) -> bool {
        self.called.contains(&body) || self.measuring.contains(&body)
    }

    /// Whether evaluating an expression looks at files or changes them.
    pub fn touches_files(&self, e: &Expr) -> bool {
        let calls = |op: &HostOp| matches!(op, HostOp::Map(body) if self.files.contains(body));
        !self.files.is_empty()
            && any(e, &mut |e| match &e.kind {
                ExprKind::Call(c) => self.files.contains(&c.body),
                ExprKind::Host(op, _) => calls(op) || is_of_files(e),
                _ => false,
            })
    }

    /// Whether evaluating an expression may print, fail an assertion, look at files or change them.
    pub fn has_effects(&self, e: &Expr) -> bool {
        if self.calm.borrow().contains(&std::ptr::from_ref(e)) {
            return false;
        }
        // What a chain of choices was found to lack its later choices lack too.
        let mut choices = Vec::new();
        let found = any(e, &mut |e| {
            if matches!(e.kind, ExprKind::If(..)) {
                choices.push(std::ptr::from_ref(e));
            }
            is_effect(e) || matches!(&e.kind, ExprKind::Call(c) if self.effects.contains(&c.body))
        });
        if !found {
            self.calm.borrow_mut().extend(choices);
        }
        found
    }

    /// Whether an expression has no value, and is there for what it asserts or prints.
    pub fn is_for_effect(&self, e: &Expr) -> bool {
        e.ty == Ty::unit() && self.has_effects(e)
    }

    /// Whether an expression has effects that its value does not bring: it has none, or one that
    /// is known as a term, and what uses the term does not run the expression.
    pub fn has_effects_beside(&self, e: &Expr) -> bool {
        (e.ty == Ty::unit() || e.term.is_some()) && self.has_effects(e)
    }

    /// Whether an expression of the host has effects that no steps of their own stand for: a
    /// choice, a call of a function of the host, what is tried.
    pub fn runs_in_its_turn(&self, e: &Expr) -> bool {
        let host = match &e.kind {
            ExprKind::If(..) | ExprKind::Host(HostOp::Try, _) => true,
            ExprKind::Call(c) => self.is_called(c.body),
            _ => false,
        };
        host && self.has_effects(e)
    }

    /// The block of a tuple beside which something is asserted: each member is had under the
    /// assertions, which hold wherever one is looked at.
    pub fn asserting_block<'p>(&self, program: &'p Program, e: &'p Expr) -> Option<&'p Block> {
        let block = match &e.kind {
            ExprKind::Block(block) => block,
            ExprKind::Call(call) => &program.bodies[call.body].block,
            _ => return None,
        };
        let asserts = |s: &Stmt| match s {
            Stmt::Expr(x) => self.has_effects(x),
            Stmt::Let(_, x) => self.is_for_effect(x),
            _ => false,
        };
        (e.ty.members().is_some() && block.stmts.iter().any(asserts)).then_some(block)
    }
}

/// Whether `found` says so of an expression or anything inside it.
fn any(e: &Expr, found: &mut dyn FnMut(&Expr) -> bool) -> bool {
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        if found(e) {
            return true;
        }
        if let ExprKind::Block(b) = &e.kind {
            b.clause_exprs(&mut |c| stack.push(c));
        }
        e.children(&mut |c| stack.push(c));
    }
    false
}

fn grown(mut set: FxHashSet<BodyId>, surveys: &Surveys) -> FxHashSet<BodyId> {
    loop {
        let more: Vec<BodyId> = surveys
            .iter()
            .filter(|(id, s)| !set.contains(id) && s.callees.iter().any(|b| set.contains(b)))
            .map(|(id, _)| id)
            .collect();
        if more.is_empty() {
            return set;
        }
        set.extend(more);
    }
}
