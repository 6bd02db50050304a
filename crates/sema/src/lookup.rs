//! What a variable stands for where it is used: in the body under way, in one around it, or in
//! every body.

use crate::checker::Checker;
use crate::handles::Reads;
use crate::scope::Binding;
use crate::scope::RestId;
use crate::thir::{Expr, ExprKind, LocalId};
use crate::typed::keys::{ArgKey, LabelKey, arg_key};
use crate::typed::values::{error_expr, value};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_hir::{self as hir, VarId};

impl Checker<'_> {
    /// What a variable stands for here: captured if it lies outside. Nothing where it is not
    /// bound yet.
    pub fn lookup(&mut self, var: VarId) -> Option<Binding> {
        self.lookup_in(self.bodies.len() - 1, var)
    }

    fn lookup_in(&mut self, body: usize, var: VarId) -> Option<Binding> {
        if let Some(found) = self.bodies[body].binding(var) {
            return Some(found.clone());
        }
        let Some(outer) = self.bodies[body].parent else {
            return self.lookup_item(var);
        };
        match self.lookup_in(outer, var)? {
            Binding::Local(id) => Some(Binding::Local(self.capture(body, outer, id))),
            // In another body the index is a value: it is passed as one.
            Binding::Index(i) => {
                let id = self.bodies[outer].index_as_local(i);
                Some(Binding::Local(self.capture(body, outer, id)))
            }
            // A run of axes is none.
            Binding::Rest(_) => None,
            other => Some(other),
        }
    }

    /// An item of a module, or of the program's top level.
    fn lookup_item(&self, var: VarId) -> Option<Binding> {
        let of_program = || self.bodies.first()?.scopes.first()?.get(var);
        self.items.get(&var).or_else(of_program).cloned()
    }

    /// Whether a variable is a definition under way in a body around this one: then a function
    /// names it that its clauses call.
    fn is_under_way_outside(&self, var: VarId) -> bool {
        let mut at = self.bodies.len() - 1;
        loop {
            let body = &self.bodies[at];
            match (body.binding(var), body.parent) {
                (Some(Binding::Local(id)), _) => {
                    return at + 1 < self.bodies.len() && body.group.contains_key(id);
                }
                (Some(_), _) | (None, None) => return false,
                (None, Some(outer)) => at = outer,
            }
        }
    }

    /// E0510 for a definition that a function names which its own clauses call.
    pub fn read_around_the_clause(&mut self, var: VarId, span: Span) -> Option<Expr> {
        if !self.is_under_way_outside(var) {
            return None;
        }
        self.cx().ranges().poison();
        let hir::Var { name, span: defined, .. } = &self.vars[var];
        let headline = format!("a function called from `{name}` cannot read `{name}`");
        let d = Diagnostic::error(Code::E0510, headline)
            .primary(span, "which cells this needs is not seen in the clause")
            .secondary(*defined, "a clause of this calls the function")
            .help(format!("pass the cells: `fn f(before) {{ … }}`, called as `f({name}[…])`"));
        Some(self.error(d))
    }

    /// Makes a value of `outer` an extra argument of `body`.
    pub fn capture(&mut self, body: usize, outer: usize, id: LocalId) -> LocalId {
        if let Some((_, here)) = self.bodies[body].captures.iter().find(|(there, _)| *there == id) {
            return *here;
        }
        self.bodies[outer].used[id] = true;
        let local = self.bodies[outer].body.locals[id].clone();
        let is_term = local.term.as_ref().is_some_and(|t| t.as_size().is_some());
        let here = self.bodies[body].argument(&local.name, local.span, &local.ty, is_term);
        let whole = value(ExprKind::Local(id), local.ty.clone(), local.span);
        let key = arg_key(&self.bodies[outer], &whole);
        if matches!(key, ArgKey::Named(LabelKey::Function(_), _)) {
            self.bodies[body].terms().know_argument(here, &key, local.span);
        }
        self.bodies[body].captures.push((id, here));
        if let Some(fields) = self.bodies[outer].fields.get(&id).cloned() {
            let fields = fields.into_iter().map(|f| self.capture(body, outer, f)).collect();
            self.bodies[body].fields.insert_mut(here, fields);
        }
        if let Some(cell) = self.bodies[outer].cells.get(&id).cloned() {
            self.bodies[body].cells.insert_mut(here, cell);
        }
        here
    }

    /// A variable that is used before control binds it: by a function that is called too early.
    pub fn not_bound_yet(&mut self, var: VarId, used: &hir::Use) -> Expr {
        self.cx().ranges().poison();
        // What binds it may be wrong.
        if self.errors_before || self.at().has_errors_since(0) {
            return error_expr(used.span);
        }
        let hir::Var { name, span, .. } = &self.vars[var];
        let d = Diagnostic::error(Code::E0425, format!("unknown value `{name}`"))
            .primary(used.span, "not found in this scope")
            .secondary(*span, "bound here, later")
            .note("a plain `let` is known from its statement on; only definitions with indices may be named before");
        self.report(d);
        error_expr(used.span)
    }
}

impl Reads<'_, '_> {
    pub fn find_rest(&mut self, rest: &hir::Rest) -> Option<RestId> {
        match rest.var.and_then(|var| self.checker.lookup(var)) {
            Some(Binding::Rest(id)) => Some(id),
            _ => {
                let name = &rest.name;
                let d = Diagnostic::error(Code::E0005, format!("unknown rest `..{}`", name.name))
                    .primary(name.span, "no slot or reduction introduces it");
                self.checker.report(d);
                None
            }
        }
    }
}
