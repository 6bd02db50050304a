//! How many floating-point operations a call does, counted without doing them.
//!
//! Trip counts come from the loops' bounds. Where a bound or a guard inside depends on a
//! loop's variable, a few iterations of the loop are looked at and the rest is interpolated,
//! closer where it changes: exact for boundaries one iteration thick and for triangles,
//! within a percent for guards that cut a range anywhere.
//! A loop over tiles whose variable is taken apart by division counts as the two loops it
//! is made of. A guard on data counts as its dearer side.

use crate::{Expr, ExprData, For, Function, IntOp, Local, Stmt, Var, eval};
use rustc_hash::FxHashMap;
use weft_base::entity::SecondaryMap;
use weft_scalar::Scalar;

/// The operations on floats of a call with these parameters. A fused multiplication and
/// addition counts as two, any other operator and elementary function as one. What kernels
/// of several rows compute once more at the end of a matrix counts too.
pub fn flops(function: &Function, params: &[Scalar]) -> u64 {
    let values = (SecondaryMap::new(), SecondaryMap::new());
    let mut counter = Counter { function, params, vars: values.0, locals: values.1, looks: 0 };
    counter.block(&function.body).round() as u64
}

struct Counter<'a> {
    function: &'a Function,
    params: &'a [Scalar],
    /// Values of the loop variables, and of locals that do not depend on data.
    vars: SecondaryMap<Var, Option<i64>>,
    locals: SecondaryMap<Local, Option<Scalar>>,
    /// Iterations looked at.
    looks: u32,
}

impl Counter<'_> {
    fn block(&mut self, stmts: &[Stmt]) -> f64 {
        stmts.iter().map(|s| self.stmt(s)).sum()
    }

    fn stmt(&mut self, stmt: &Stmt) -> f64 {
        let own = self.operators(&stmt.exprs());
        own + match stmt {
            Stmt::For(f) => self.repeated(f),
            Stmt::If { cond, then, otherwise } => match self.value(*cond) {
                Some(Scalar::Bool(true)) => self.block(then),
                Some(_) => self.block(otherwise),
                None => self.block(then).max(self.block(otherwise)),
            },
            Stmt::Set { local, value } => {
                self.locals[*local] = self.value(*value);
                0.0
            }
            Stmt::Accumulate { local, value, .. } => self.combined(&[*local], *value, 1.0),
            Stmt::Scan { locals, values, by, .. } => {
                let operators = if by.is_empty() { 1.0 } else { 2.0 * by.len() as f64 };
                self.combined(locals, values[0], operators)
            }
            // How long it runs is not known.
            Stmt::Call { local, .. } => {
                self.locals[*local] = None;
                0.0
            }
            Stmt::Store { .. } | Stmt::Fill { .. } | Stmt::Trap { .. } | Stmt::Flag { .. } => 0.0,
        }
    }

    fn combined(&mut self, locals: &[Local], value: Expr, operators: f64) -> f64 {
        locals.iter().for_each(|&l| self.locals[l] = None);
        if self.function.ty(value).is_float() { operators } else { 0.0 }
    }

    fn repeated(&mut self, f: &For) -> f64 {
        let Some((first, trips)) = self.trips(f) else { return self.block(&f.body) };
        let at = |n: i64| first.saturating_add(n.saturating_mul(f.step));
        let Some(period) = self.period(f, trips) else {
            return if trips == 0 { 0.0 } else { self.iteration(f, first) * trips as f64 };
        };
        let halvings = if self.looks < MOST_LOOKS { HALVINGS } else { 0 };
        interpolated(trips / period, halvings, &mut |q| {
            interpolated(period, halvings, &mut |r| self.iteration(f, at(q * period + r)))
        })
    }

    fn iteration(&mut self, f: &For, value: i64) -> f64 {
        self.looks += 1;
        self.vars[f.var] = Some(value);
        self.block(&f.body)
    }

    /// The first value and the number of iterations; nothing where they depend on data.
    fn trips(&self, f: &For) -> Option<(i64, i64)> {
        let (lo, hi) = (self.value(f.lo)?.as_i64()?, self.value(f.hi)?.as_i64()?);
        let (distance, step) =
            if f.step > 0 { (hi.checked_sub(lo)?, f.step) } else { (lo.checked_sub(hi)?, -f.step) };
        Some((lo, (distance.max(0) as u64).div_ceil(step as u64) as i64))
    }

    /// After how many of `trips` iterations bounds and guards inside begin anew, one where
    /// they just move on: what the variable is divided by. Nothing if they do not depend on
    /// the variable.
    fn period(&self, f: &For, trips: i64) -> Option<i64> {
        let steering = self.steering(&f.body);
        let varies = |&e: &Expr| match self.function.expr(e) {
            ExprData::Var(v) => v == f.var,
            ExprData::Local(_) => true,
            _ => false,
        };
        steering.iter().any(varies).then_some(())?;
        let divisor = |&e: &Expr| match self.function.expr(e) {
            ExprData::Int(IntOp::FloorMod, a, d)
                if f.step == 1 && self.function.expr(a) == ExprData::Var(f.var) =>
            {
                self.value(d)?.as_i64()
            }
            _ => None,
        };
        let period = steering.iter().find_map(divisor);
        Some(period.filter(|&d| d > 0 && trips % d == 0).unwrap_or(1))
    }

    /// Everything that bounds and guards of these statements are made of.
    fn steering(&self, stmts: &[Stmt]) -> Vec<Expr> {
        fn collect(stmts: &[Stmt], into: &mut Vec<Expr>) {
            for stmt in stmts {
                if matches!(stmt, Stmt::For(_) | Stmt::If { .. }) {
                    into.extend(stmt.exprs());
                }
                stmt.blocks().for_each(|b| collect(b, into));
            }
        }
        let mut roots = Vec::new();
        collect(stmts, &mut roots);
        self.function.reachable(&roots)
    }

    /// Operators on floats in these expressions, each node once.
    fn operators(&self, roots: &[Expr]) -> f64 {
        let all = self.function.reachable(roots).into_iter();
        all.map(|e| match self.function.expr(e) {
            ExprData::Fma(..) => 2.0,
            ExprData::Unary(_, a) | ExprData::Binary(_, a, _) if self.function.ty(a).is_float() => {
                1.0
            }
            _ => 0.0,
        })
        .sum()
    }

    /// The value of an expression that reads no data.
    fn value(&self, e: Expr) -> Option<Scalar> {
        let mut values: FxHashMap<Expr, Scalar> = FxHashMap::default();
        for e in self.function.reachable(&[e]) {
            let value = match self.function.expr(e) {
                ExprData::Const(c) => c,
                ExprData::Param(p) => *self.params.get(weft_base::entity::EntityRef::index(p))?,
                ExprData::Var(v) => Scalar::I64(self.vars[v]?),
                ExprData::Local(l) => self.locals[l]?,
                ExprData::Alone => Scalar::Bool(true),
                ExprData::Load { .. } => return None,
                operator => eval::apply(operator, &|operand| values[&operand]),
            };
            values.insert(e, value);
        }
        values.get(&e).copied()
    }
}

/// The sum of what `count` iterations are worth: those at both ends, and between them a
/// parabola through three, halved as often as the halves say something else.
fn interpolated(count: i64, halvings: u32, of: &mut dyn FnMut(i64) -> f64) -> f64 {
    if count <= FEW {
        return (0..count).map(of).sum();
    }
    let ends = of(0) + of(count - 1);
    ends + Part::new(1, count - 2, of).sum(halvings, of)
}

/// Iterations that are all looked at.
const FEW: i64 = 6;

/// How often a range is halved at most: a guard that changes within it is then found to a
/// thousandth of it.
const HALVINGS: u32 = 10;

/// Iterations after which further loops are not halved any more: the count ends soon.
const MOST_LOOKS: u32 = 50_000;

/// How much the halves of a range may differ from the whole, relative to it.
const CLOSE: f64 = 1e-6;

/// Iterations `first..=last`, and what the first, the middle and the last one are worth.
struct Part {
    first: i64,
    last: i64,
    worth: [f64; 3],
}

impl Part {
    fn new(first: i64, last: i64, of: &mut dyn FnMut(i64) -> f64) -> Part {
        // Between two iterations lies the middle of an even number of them.
        let sum = first + last;
        let middle = (of(sum.div_euclid(2)) + of((sum + 1).div_euclid(2))) / 2.0;
        Part { first, last, worth: [of(first), middle, of(last)] }
    }

    fn by_parabola(&self) -> f64 {
        let [a, b, c] = self.worth;
        (self.last - self.first + 1) as f64 * (a + 4.0 * b + c) / 6.0
    }

    fn sum(&self, halvings: u32, of: &mut dyn FnMut(i64) -> f64) -> f64 {
        if self.last - self.first < FEW {
            return (self.first..=self.last).map(of).sum();
        }
        let middle = self.first + (self.last - self.first) / 2;
        let halves = [Part::new(self.first, middle, of), Part::new(middle + 1, self.last, of)];
        let (whole, both) = (self.by_parabola(), halves.iter().map(Part::by_parabola).sum::<f64>());
        if halvings == 0 || (whole - both).abs() <= CLOSE * both.abs() {
            return both;
        }
        halves.iter().map(|h| h.sum(halvings - 1, of)).sum()
    }
}
