//! The parts of a function that decide how often something runs, found once: the operators of each
//! statement, and for each loop what bounds and guards inside it read.

use crate::{Expr, ExprData, For, Function, IntOp, Local, Stmt, Var};
use std::collections::BTreeSet;

/// A statement, as far as it counts.
pub(super) enum Step {
    /// So many operations.
    Work(f64),
    /// Iterations.
    Repeat(Repeat),
    /// One of two lists.
    Choice { cond: Formula, then: Vec<Step>, otherwise: Vec<Step> },
    /// A local gets a value that may decide something.
    Set { local: Local, value: Formula },
    /// Locals whose values come from data.
    Forget(Vec<Local>),
}

/// A loop.
pub(super) struct Repeat {
    pub var: Var,
    pub lo: Formula,
    pub hi: Formula,
    pub step: i64,
    pub body: Vec<Step>,
    /// Whether bounds or guards inside depend on the variable, or on what iterations set.
    pub varies: bool,
    /// Locals that iterations set: what they hold before one and behind the loop is not known.
    pub sets: BTreeSet<Local>,
    /// Divisors of the variable in bounds and guards inside.
    pub divisors: Vec<Formula>,
    /// Variables and locals of its surroundings that decide what the loop is worth.
    pub reads: Reads,
}

/// Variables and locals that something reads.
#[derive(Clone, Default)]
pub(super) struct Reads {
    pub vars: BTreeSet<Var>,
    pub locals: BTreeSet<Local>,
}

impl Reads {
    fn add(&mut self, function: &Function, e: Expr) {
        match function.expr(e) {
            ExprData::Var(v) => drop(self.vars.insert(v)),
            ExprData::Local(l) => drop(self.locals.insert(l)),
            _ => {}
        }
    }

    fn extend(&mut self, other: &Reads) {
        self.vars.extend(&other.vars);
        self.locals.extend(&other.locals);
    }
}

/// An expression with all that it is made of, operands first.
pub(super) struct Formula {
    pub root: Expr,
    /// Nothing where it reads data: it has no value then.
    pub order: Option<Vec<Expr>>,
}

impl Formula {
    fn of(function: &Function, root: Expr) -> Formula {
        let order = function.reachable(&[root]);
        let is_load = |e: &Expr| matches!(function.expr(*e), ExprData::Load { .. });
        let order = (!order.iter().any(is_load)).then_some(order);
        Formula { root, order }
    }
}

/// The steps of a list of statements, and what decides how they and those behind them run.
pub(super) fn steps_of(function: &Function, stmts: &[Stmt], behind: Reads) -> (Vec<Step>, Reads) {
    let (mut steps, mut reads) = (Vec::new(), behind);
    // Backwards, so that what a local is set to counts where something behind asks for it.
    for stmt in stmts.iter().rev() {
        let step = match stmt {
            Stmt::For(f) => {
                let repeat = repeat_of(function, f);
                reads.extend(&repeat.reads);
                Some(Step::Repeat(repeat))
            }
            Stmt::If { cond, then, otherwise } => {
                let (then, of_then) = steps_of(function, then, reads.clone());
                let (otherwise, of_otherwise) = steps_of(function, otherwise, reads.clone());
                reads.extend(&of_then);
                reads.extend(&of_otherwise);
                add_formula(function, *cond, &mut reads);
                Some(Step::Choice { cond: Formula::of(function, *cond), then, otherwise })
            }
            Stmt::Set { local, value } if reads.locals.contains(local) => {
                add_formula(function, *value, &mut reads);
                Some(Step::Set { local: *local, value: Formula::of(function, *value) })
            }
            Stmt::Set { .. } => None,
            other => Some(set_by(other)).filter(|sets| !sets.is_empty()).map(Step::Forget),
        };
        steps.extend(step);
        steps.push(Step::Work(own_work(function, stmt)));
    }
    steps.reverse();
    (joined(steps), reads)
}

/// Neighbouring work as one.
fn joined(steps: Vec<Step>) -> Vec<Step> {
    let mut out: Vec<Step> = Vec::new();
    for step in steps {
        match (out.last_mut(), step) {
            (Some(Step::Work(sum)), Step::Work(more)) => *sum += more,
            (_, step) => out.push(step),
        }
    }
    out
}

fn add_formula(function: &Function, root: Expr, reads: &mut Reads) {
    function.reachable(&[root]).into_iter().for_each(|e| reads.add(function, e));
}

fn repeat_of(function: &Function, f: &For) -> Repeat {
    let (body, mut reads) = steps_of(function, &f.body, Reads::default());
    let mut sets = BTreeSet::new();
    collect_sets(&f.body, &mut sets);
    let steering = function.reachable(&steering(&f.body));
    let varies = |e: &Expr| match function.expr(*e) {
        ExprData::Var(v) => v == f.var,
        ExprData::Local(_) => true,
        _ => false,
    };
    let divisor = |e: &Expr| match function.expr(*e) {
        ExprData::Int(IntOp::FloorMod, a, d) if function.expr(a) == ExprData::Var(f.var) => {
            Some(Formula::of(function, d))
        }
        _ => None,
    };
    let divisors: Vec<Formula> = match f.step {
        1 => steering.iter().filter_map(divisor).collect(),
        _ => Vec::new(),
    };
    reads.vars.remove(&f.var);
    reads.locals.retain(|l| !sets.contains(l));
    for root in [f.lo, f.hi] {
        add_formula(function, root, &mut reads);
    }
    let (lo, hi) = (Formula::of(function, f.lo), Formula::of(function, f.hi));
    let varies = steering.iter().any(varies);
    Repeat { var: f.var, lo, hi, step: f.step, body, varies, sets, divisors, reads }
}

/// The locals that a statement sets itself.
fn set_by(stmt: &Stmt) -> Vec<Local> {
    match stmt {
        Stmt::Set { local, .. } | Stmt::Accumulate { local, .. } | Stmt::Call { local, .. } => {
            vec![*local]
        }
        Stmt::Scan { locals, .. } => locals.clone(),
        _ => Vec::new(),
    }
}

fn collect_sets(stmts: &[Stmt], out: &mut BTreeSet<Local>) {
    for stmt in stmts {
        out.extend(set_by(stmt));
        stmt.blocks().for_each(|b| collect_sets(b, out));
    }
}

/// Bounds and guards of these statements and of all inside them.
fn steering(stmts: &[Stmt]) -> Vec<Expr> {
    let mut out = Vec::new();
    for stmt in stmts {
        if matches!(stmt, Stmt::For(_) | Stmt::If { .. }) {
            out.extend(stmt.exprs());
        }
        stmt.blocks().for_each(|b| out.extend(steering(b)));
    }
    out
}

/// Operators on floats that a statement runs itself, each node once.
fn own_work(function: &Function, stmt: &Stmt) -> f64 {
    let operator = |e: Expr| match function.expr(e) {
        ExprData::Fma(..) => 2.0,
        ExprData::Unary(_, a) | ExprData::Binary(_, a, _) if function.ty(a).is_float() => 1.0,
        _ => 0.0,
    };
    let within: f64 = function.reachable(&stmt.exprs()).into_iter().map(operator).sum();
    within + combining(function, stmt)
}

/// Operators of what accumulates.
fn combining(function: &Function, stmt: &Stmt) -> f64 {
    let (value, operators) = match stmt {
        Stmt::Accumulate { value, .. } => (*value, 1.0),
        Stmt::Scan { values, by, .. } if by.is_empty() => (values[0], 1.0),
        Stmt::Scan { values, by, .. } => (values[0], 2.0 * by.len() as f64),
        _ => return 0.0,
    };
    if function.ty(value).is_float() { operators } else { 0.0 }
}
