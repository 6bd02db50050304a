//! The rules of scalar bodies: types and scopes.

use super::{Binder, Checker, Scope};
use crate::{Accumulator, Affine, Assignment, Expr, ExprId, Exprs, IndexTerm, Iter, Reduction};
use weft_base::entity::{EntityRef, SecondaryMap};
use weft_scalar::{BinaryOp, ScalarType, UnaryOp};

/// The iterators of reductions that a node needs from around it, ascending.
type Free = SecondaryMap<ExprId, Vec<Iter>>;

impl Checker<'_> {
    /// Checks every node. `false` where operands are not older than their users: then
    /// nothing more can be asked of the nodes.
    pub(super) fn exprs(&mut self, a: &Assignment, scope: &Scope) -> bool {
        let mut free = Free::new();
        for id in a.exprs.ids() {
            let expr = a.exprs.get(id);
            if expr.operands().iter().any(|o| o.index() >= id.index()) {
                self.wrong(format_args!("{id} is not younger than its operands"));
                return false;
            }
            let before = self.wrong.len();
            self.node(a, expr, a.exprs.ty(id), scope);
            free[id] = self.free(expr, &free, scope);
            for message in &mut self.wrong[before..] {
                message.push_str(&format!(" ({id})"));
            }
        }
        for root in a.mask.into_iter().chain([a.body]) {
            if let Some(i) = free.get(root).and_then(|f| f.first()) {
                self.wrong(format_args!("{i} is used outside its reduction"));
            }
        }
        true
    }

    fn node(&mut self, a: &Assignment, expr: &Expr, ty: ScalarType, scope: &Scope) {
        let exprs = &a.exprs;
        match expr {
            Expr::Const(v) => self.demand(v.ty() == ty, "a constant of another type"),
            Expr::Index(term) => {
                self.demand(ty == ScalarType::I64, "an index is an i64");
                self.affine(term);
            }
            Expr::Read { tensor, index, site } => {
                self.site(*site);
                match self.graph.tensors.get(*tensor) {
                    Some(read) => {
                        self.demand(read.elem == ty, "a read of another type");
                        self.demand(read.rank() == index.len(), "one index per axis is needed");
                    }
                    None => self.wrong(format_args!("there is no tensor {tensor}")),
                }
                index.iter().for_each(|term| self.read_term(a, term, scope));
            }
            Expr::Unary(op, x) => self.unary(*op, exprs.ty(*x), ty),
            Expr::Binary(op, x, y, site) => {
                self.site(*site);
                self.binary(*op, exprs.ty(*x), exprs.ty(*y), ty);
            }
            Expr::Cast(to, _) => self.demand(*to == ty, "a cast to another type"),
            Expr::Call { function, args } => match self.graph.functions.get(*function) {
                Some(f) => {
                    let fits = f.args == args.len()
                        && args.iter().zip(&f.regs).all(|(a, ty)| exprs.ty(*a) == *ty);
                    self.demand(fits, "arguments of other types");
                    self.demand(f.result() == Some(ty), "a function of another type");
                }
                None => self.wrong(format_args!("there is no {function}")),
            },
            Expr::If(c, x, y) => {
                self.demand(exprs.ty(*c) == ScalarType::Bool, "a condition is a bool");
                let same = exprs.ty(*x) == ty && exprs.ty(*y) == ty;
                self.demand(same, "the sides have another type");
            }
            Expr::Check { condition, value, site } => {
                self.site(Some(*site));
                self.demand(exprs.ty(*condition) == ScalarType::Bool, "a condition is a bool");
                self.demand(exprs.ty(*value) == ty, "the value has another type");
            }
            Expr::Reduce(r) => self.reduction(exprs, r, ty),
        }
    }

    fn site(&mut self, site: Option<crate::SiteId>) {
        let known = site.is_none_or(|s| self.graph.sites.is_valid(s));
        self.demand(known, "there is no such site");
    }

    fn read_term(&mut self, a: &Assignment, term: &IndexTerm, scope: &Scope) {
        if let IndexTerm::Data(e) = term {
            self.demand(a.exprs.ty(*e).is_int(), "a computed index is an integer");
        }
        self.index_term(term, scope);
    }

    fn unary(&mut self, op: UnaryOp, x: ScalarType, ty: ScalarType) {
        self.demand(op.operands().takes(x), "an operand the operator does not take");
        self.demand(ty == x, "an operator of another type");
    }

    fn binary(&mut self, op: BinaryOp, x: ScalarType, y: ScalarType, ty: ScalarType) {
        self.demand(x == y, "operands of two types");
        self.demand(op.operands().takes(x), "an operand the operator does not take");
        let result = if op.is_comparison() { ScalarType::Bool } else { x };
        self.demand(ty == result, "an operator of another type");
    }

    fn reduction(&mut self, exprs: &Exprs, r: &Reduction, ty: ScalarType) {
        self.demand(r.accumulator != Accumulator::Set, "a reduction does not `set`");
        let masked = r.mask.is_none_or(|m| exprs.ty(m) == ScalarType::Bool);
        self.demand(masked, "a mask is a bool");
        let iters: Vec<Iter> = r.ranges.iter().map(|r| r.iter).collect();
        let result = self.accumulator(r.accumulator, exprs.ty(r.body), &iters);
        self.demand(result == ty, "a reduction of another type");
        for range in &r.ranges {
            self.affine(&range.lo);
            self.affine(&range.hi);
        }
        r.guards.iter().for_each(|g| self.affine(&g.term));
    }

    fn free(&mut self, expr: &Expr, known: &Free, scope: &Scope) -> Vec<Iter> {
        let mut found: Vec<Iter> = Vec::new();
        expr.operands().iter().for_each(|&o| found.extend(&known[o]));
        let mut mention = |checker: &mut Self, term: &Affine| {
            for i in term.iters() {
                match scope[i] {
                    Binder::None => checker.wrong(format_args!("{i} has no range")),
                    Binder::Reduction => found.push(i),
                    Binder::Loop => {}
                }
            }
        };
        match expr {
            Expr::Index(term) => mention(self, term),
            Expr::Read { index, .. } => {
                index.iter().filter_map(IndexTerm::as_affine).for_each(|t| mention(self, t));
            }
            Expr::Reduce(r) => {
                r.guards.iter().for_each(|g| mention(self, &g.term));
                return self.free_of_reduction(r, found, scope);
            }
            _ => {}
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Closes the ranges from the innermost outwards.
    fn free_of_reduction(
        &mut self,
        r: &Reduction,
        mut found: Vec<Iter>,
        scope: &Scope,
    ) -> Vec<Iter> {
        for range in r.ranges.iter().rev() {
            found.retain(|&i| i != range.iter);
            for i in [&range.lo, &range.hi].into_iter().flat_map(|b| b.iters()) {
                match scope[i] {
                    Binder::Reduction => found.push(i),
                    Binder::Loop => {}
                    Binder::None => {
                        self.wrong(format_args!("the range of {} uses {i}", range.iter));
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
