//! Conditions on the path to an expression, as far as they are affine.

use crate::checker::Checker;
use crate::hir::{Block, Expr, ExprKind, Item, Stmt, StrPart};
use std::rc::Rc;
use weft_domain::{Affine, Iter, Relation};
use weft_scalar::{BinaryOp, Scalar, UnaryOp};

/// A truth value in terms of integer terms.
#[derive(Clone, Debug, PartialEq)]
pub enum Cond {
    /// A relation of a term to 0.
    Holds(Affine, Relation),
    /// The opposite.
    Not(Rc<Cond>),
    /// Both.
    And(Rc<Cond>, Rc<Cond>),
    /// Either.
    Or(Rc<Cond>, Rc<Cond>),
    /// Depends on data: nothing is known.
    Data,
}

/// A condition that holds where we are, and the indices it mentions.
#[derive(Clone, Debug)]
pub(crate) struct PathItem {
    pub cond: Rc<Cond>,
    pub iters: Vec<Iter>,
}

impl Cond {
    /// The opposite condition.
    pub fn negate(self: &Rc<Cond>) -> Rc<Cond> {
        match &**self {
            Cond::Not(c) => c.clone(),
            Cond::Data => self.clone(),
            _ => Rc::new(Cond::Not(self.clone())),
        }
    }
}

/// The condition an expression of type `bool` states.
pub fn condition(e: &Expr) -> Rc<Cond> {
    let truth = |b: bool| Cond::Holds(Affine::fixed(if b { 0 } else { -1 }), Relation::AtLeastZero);
    Rc::new(match &e.kind {
        ExprKind::Const(Scalar::Bool(b)) => truth(*b),
        ExprKind::Unary(UnaryOp::Not, x) => return condition(x).negate(),
        ExprKind::Binary(op, a, b) if op.is_comparison() => {
            comparison(*op, a, b).unwrap_or(Cond::Data)
        }
        ExprKind::If(c, a, b) => match (&a.kind, &b.kind) {
            (_, ExprKind::Const(Scalar::Bool(false))) => Cond::And(condition(c), condition(a)),
            (ExprKind::Const(Scalar::Bool(true)), _) => Cond::Or(condition(c), condition(b)),
            _ => Cond::Data,
        },
        _ => Cond::Data,
    })
}

fn comparison(op: BinaryOp, a: &Expr, b: &Expr) -> Option<Cond> {
    let (a, b) = (a.term.as_ref()?, b.term.as_ref()?);
    let at_least = |x: &Affine, y: &Affine, slack: i64| {
        let term = x.minus(y)?.plus_size(&slack.into());
        Some(Cond::Holds(term, Relation::AtLeastZero))
    };
    match op {
        BinaryOp::Ge => at_least(a, b, 0),
        BinaryOp::Gt => at_least(a, b, -1),
        BinaryOp::Le => at_least(b, a, 0),
        BinaryOp::Lt => at_least(b, a, -1),
        BinaryOp::Eq => Some(Cond::Holds(a.minus(b)?, Relation::Zero)),
        BinaryOp::Ne => Some(Cond::Not(Rc::new(Cond::Holds(a.minus(b)?, Relation::Zero)))),
        _ => None,
    }
}

impl Checker<'_> {
    /// Runs `f` where a condition holds (or fails).
    pub fn under<T>(&mut self, e: &Expr, holds: bool, f: impl FnOnce(&mut Self) -> T) -> T {
        self.enter(e, holds);
        let result = f(self);
        self.cx().path.pop();
        result
    }

    /// Puts a condition on the path; the caller pops it.
    pub fn enter(&mut self, e: &Expr, holds: bool) {
        let cond = condition(e);
        let cond = if holds { cond } else { cond.negate() };
        let iters = self.iters_of(e);
        self.cx().path.push(PathItem { cond, iters });
    }

    /// The indices an expression mentions, also through locals; sorted.
    pub fn iters_of(&self, e: &Expr) -> Vec<Iter> {
        let mut found = Vec::new();
        self.collect(e, &mut found);
        found.sort();
        found.dedup();
        found
    }

    fn collect(&self, e: &Expr, out: &mut Vec<Iter>) {
        match &e.kind {
            ExprKind::Const(_) | ExprKind::Error => {}
            ExprKind::Index(a) => out.extend(a.iters()),
            ExprKind::Local(id) => {
                let cx = self.bodies.last().expect("a body is under way");
                out.extend(cx.depends.get(id).into_iter().flatten());
            }
            ExprKind::Str(parts) => parts.iter().for_each(|p| {
                if let StrPart::Value(v, _) = p {
                    self.collect(v, out);
                }
            }),
            ExprKind::Read(_, base, items) => {
                self.collect(base, out);
                items.iter().for_each(|i| self.collect_item(i, out));
            }
            ExprKind::Unary(_, x)
            | ExprKind::Cast(_, x)
            | ExprKind::Adapted(_, x)
            | ExprKind::Field(x, _)
            | ExprKind::Differential(x)
            | ExprKind::Seeded(x)
            | ExprKind::SourceForm(x) => {
                self.collect(x, out);
            }
            ExprKind::Binary(_, a, b)
            | ExprKind::Quotient(a, b)
            | ExprKind::Ruled(a, b)
            | ExprKind::Mean { sum: a, count: b } => {
                self.collect(a, out);
                self.collect(b, out);
            }
            ExprKind::If(c, a, b) => [c, a, b].into_iter().for_each(|x| self.collect(x, out)),
            ExprKind::Reduce { iters, binds, guards, body, .. } => {
                let mut inner = Vec::new();
                binds.iter().for_each(|(_, x)| self.collect(x, &mut inner));
                guards.iter().for_each(|x| self.collect(x, &mut inner));
                self.collect(body, &mut inner);
                inner.retain(|i| !iters.contains(i));
                out.extend(inner);
            }
            ExprKind::Call(call) => call.args.iter().for_each(|x| self.collect(x, out)),
            ExprKind::Tuple(xs)
            | ExprKind::Array(xs)
            | ExprKind::Print(xs)
            | ExprKind::Host(_, xs) => {
                xs.iter().for_each(|x| self.collect(x, out));
            }
            ExprKind::Block(b) => self.collect_block(b, out),
            ExprKind::Assert(c, m) => {
                self.collect(c, out);
                m.iter().for_each(|m| self.collect(m, out));
            }
        }
    }

    fn collect_item(&self, item: &Item, out: &mut Vec<Iter>) {
        match item {
            Item::At(a) => out.extend(a.iters()),
            Item::Data(e) => self.collect(e, out),
            Item::Range(a, b) => {
                out.extend(a.iters());
                out.extend(b.iters());
            }
        }
    }

    fn collect_block(&self, block: &Block, out: &mut Vec<Iter>) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let(_, e) | Stmt::Define(_, e) | Stmt::Expr(e) => self.collect(e, out),
                Stmt::Tensors(_) | Stmt::Check(_) | Stmt::Measure(..) => {}
            }
        }
        block.tail.iter().for_each(|e| self.collect(e, out));
    }
}

/// Calls `f` with every local an expression names.
pub(crate) fn locals_in(e: &Expr, f: &mut dyn FnMut(crate::hir::LocalId)) {
    match &e.kind {
        ExprKind::Const(_) | ExprKind::Index(_) | ExprKind::Error => {}
        ExprKind::Local(id) => f(*id),
        ExprKind::Str(parts) => parts.iter().for_each(|p| {
            if let StrPart::Value(v, _) = p {
                locals_in(v, f);
            }
        }),
        ExprKind::Read(_, base, items) => {
            locals_in(base, f);
            items.iter().for_each(|i| {
                if let Item::Data(e) = i {
                    locals_in(e, f);
                }
            });
        }
        ExprKind::Unary(_, x)
        | ExprKind::Cast(_, x)
        | ExprKind::Adapted(_, x)
        | ExprKind::Field(x, _)
        | ExprKind::Differential(x)
        | ExprKind::Seeded(x)
        | ExprKind::SourceForm(x) => locals_in(x, f),
        ExprKind::Binary(_, a, b)
        | ExprKind::Quotient(a, b)
        | ExprKind::Ruled(a, b)
        | ExprKind::Mean { sum: a, count: b } => {
            locals_in(a, f);
            locals_in(b, f);
        }
        ExprKind::If(c, a, b) => [c, a, b].into_iter().for_each(|x| locals_in(x, f)),
        ExprKind::Reduce { binds, guards, body, .. } => {
            binds.iter().for_each(|(_, x)| locals_in(x, f));
            guards.iter().for_each(|x| locals_in(x, f));
            locals_in(body, f);
        }
        ExprKind::Call(call) => call.args.iter().for_each(|x| locals_in(x, f)),
        ExprKind::Tuple(xs) | ExprKind::Array(xs) | ExprKind::Print(xs) | ExprKind::Host(_, xs) => {
            xs.iter().for_each(|x| locals_in(x, f));
        }
        ExprKind::Block(b) => {
            for stmt in &b.stmts {
                match stmt {
                    Stmt::Let(_, e) | Stmt::Define(_, e) | Stmt::Expr(e) => locals_in(e, f),
                    Stmt::Tensors(_) | Stmt::Check(_) | Stmt::Measure(..) => {}
                }
            }
            b.tail.iter().for_each(|e| locals_in(e, f));
        }
        ExprKind::Assert(c, m) => {
            locals_in(c, f);
            m.iter().for_each(|m| locals_in(m, f));
        }
    }
}
