//! What is bound so far, and where we are in scope of it.

use crate::{Program, VarId};
use weft_base::entity::SecondaryMap;

/// How a variable is bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Binder {
    /// A value, or an index.
    Value,
    /// A run of axes.
    Rest,
    Function,
    Const,
    Struct,
    Enum,
    /// By a type.
    Extent,
    /// With an index of a joined axis.
    Component,
}

/// The scopes that are open, and what was wrong.
pub(super) struct Scopes<'p> {
    program: &'p Program,
    frames: Vec<Frame>,
    bound: SecondaryMap<VarId, Option<Binder>>,
    in_scope: SecondaryMap<VarId, bool>,
    wrong: Vec<String>,
}

/// A scope.
#[derive(Default)]
struct Frame {
    /// What is in scope because of it.
    vars: Vec<VarId>,
    /// What is used in it where it is not in scope, or not yet.
    early: Vec<VarId>,
}

impl<'p> Scopes<'p> {
    /// With the outermost scope open.
    pub fn new(program: &'p Program) -> Scopes<'p> {
        Scopes {
            program,
            frames: vec![Frame::default()],
            bound: SecondaryMap::new(),
            in_scope: SecondaryMap::new(),
            wrong: Vec::new(),
        }
    }

    /// Opens a scope.
    pub fn open(&mut self) {
        self.frames.push(Frame::default());
    }

    /// Ends a scope, and gives what was in scope because of it.
    pub fn close(&mut self) -> Vec<VarId> {
        let frame = self.frames.pop().unwrap_or_default();
        for var in &frame.vars {
            self.in_scope[*var] = false;
        }
        if let Some(around) = self.frames.last_mut() {
            around.early.extend(frame.early);
        }
        frame.vars
    }

    /// Whether we are in no scope but the outermost.
    pub fn is_top(&self) -> bool {
        self.frames.len() == 1
    }

    /// Whether something so far binds a variable.
    pub fn is_bound(&self, var: VarId) -> bool {
        self.bound[var].is_some()
    }

    /// The variables of an index of a joined axis.
    pub fn component(&self, var: VarId) -> Option<(VarId, VarId)> {
        self.program.vars.get(var)?.component
    }

    /// Binds a variable from here on.
    pub fn bind(&mut self, var: VarId, binder: Binder) {
        let Some(known) = self.program.vars.get(var) else { return self.unknown(var) };
        if self.bound[var].is_some() {
            let shown = self.show(var);
            return self.wrong(format!("{shown} is bound twice"));
        }
        self.bound[var] = Some(binder);
        // Types know it themselves: the tree does not say where they stand.
        if known.global != self.is_top() && !matches!(binder, Binder::Struct | Binder::Enum) {
            let inside = if known.global {
                "global, and bound inside"
            } else {
                "not global at the top level"
            };
            let shown = self.show(var);
            self.wrong(format!("{shown} is {inside}"));
        }
        self.enter(var);
        if binder == Binder::Extent
            && let Some(frame) = self.frames.last_mut()
        {
            frame.early.retain(|v| *v != var);
        }
    }

    /// Has a variable in scope until the innermost scope ends.
    pub fn enter(&mut self, var: VarId) {
        self.in_scope[var] = true;
        if let Some(frame) = self.frames.last_mut() {
            frame.vars.push(var);
        }
    }

    /// Has everything in scope that is bound so far.
    pub fn reopen_all(&mut self) {
        for var in self.program.vars.keys() {
            self.in_scope[var] = self.bound[var].is_some();
        }
    }

    /// A use of a variable.
    pub fn used(&mut self, var: VarId) {
        if self.program.vars.get(var).is_none() {
            return self.unknown(var);
        }
        if !self.in_scope[var]
            && let Some(frame) = self.frames.last_mut()
        {
            frame.early.push(var);
        }
    }

    /// A use of a variable that must be bound in one of some ways.
    pub fn used_as(&mut self, var: VarId, binders: &[Binder], what: &str) {
        self.used(var);
        if self.bound[var].is_some_and(|b| !binders.contains(&b)) {
            let shown = self.show(var);
            self.wrong(format!("{shown} is used as {what}, and is none"));
        }
    }

    /// A variable for a message.
    pub fn show(&self, var: VarId) -> String {
        match self.program.vars.get(var) {
            Some(known) => format!("{var} `{}`", known.name),
            None => var.to_string(),
        }
    }

    /// Notes what is wrong.
    pub fn wrong(&mut self, message: String) {
        self.wrong.push(message);
    }

    fn unknown(&mut self, var: VarId) {
        self.wrong(format!("{var} is not in the table of variables"));
    }

    /// Everything that was wrong, when all is seen.
    pub fn finish(mut self) -> Vec<String> {
        let mut early = self.frames.pop().unwrap_or_default().early;
        early.sort_unstable();
        early.dedup();
        for var in early {
            let shown = self.show(var);
            self.wrong.push(match self.bound[var] {
                Some(_) => format!("{shown} is used where it is not in scope"),
                None => format!("{shown} is used, and nothing binds it"),
            });
        }
        self.wrong
    }
}
