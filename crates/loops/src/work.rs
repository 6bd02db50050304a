//! How many floating-point operations a call does, counted without doing them.
//!
//! Trip counts come from the loops' bounds. Where a bound or a guard inside depends on a
//! loop's variable, a few iterations of the loop are looked at and the rest is interpolated,
//! closer where it changes: exact for boundaries one iteration thick and for triangles,
//! within a percent for guards that cut a range anywhere.
//! The worth of a loop is found once for the values around it that it depends on, so that
//! counting a nest takes as long as its boundaries are many, whatever it computes.
//! A loop over tiles whose variable is taken apart by division counts as the two loops it
//! is made of. A guard on data counts as its dearer side.

mod steps;

use crate::{ExprData, Function, Local, Var, eval};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use steps::{Formula, Reads, Repeat, Step, steps_of};
use weft_base::entity::{EntityRef, SecondaryMap};
use weft_scalar::Scalar;

/// The operations on floats of a call with these parameters. A fused multiplication and
/// addition counts as two, any other operator and elementary function as one. What kernels
/// of several rows compute once more at the end of a matrix counts too.
pub fn flops(function: &Function, params: &[Scalar]) -> u64 {
    let (steps, _) = steps_of(function, &function.body, Reads::default());
    let mut counter = Counter {
        function,
        params,
        vars: SecondaryMap::new(),
        locals: SecondaryMap::new(),
        known: FxHashMap::default(),
        values: RefCell::new(SecondaryMap::new()),
        looks: 0,
    };
    counter.block(&steps).round() as u64
}

/// A loop with the values around it that decide what it is worth.
type Surroundings = (Var, Vec<Option<u64>>);

struct Counter<'a> {
    function: &'a Function,
    params: &'a [Scalar],
    /// Values of the loop variables, and of locals that do not depend on data.
    vars: SecondaryMap<Var, Option<i64>>,
    locals: SecondaryMap<Local, Option<Scalar>>,
    /// Worths of loops: nests look at each of theirs for few values of those around it.
    known: FxHashMap<Surroundings, f64>,
    /// Values of operands, of the expression that is looked at: it comes behind them.
    values: RefCell<SecondaryMap<crate::Expr, Option<Scalar>>>,
    /// Iterations looked at.
    looks: u32,
}

impl Counter<'_> {
    fn block(&mut self, steps: &[Step]) -> f64 {
        steps.iter().map(|s| self.step(s)).sum()
    }

    fn step(&mut self, step: &Step) -> f64 {
        match step {
            Step::Work(operations) => *operations,
            Step::Repeat(r) => self.repeated(r),
            Step::Choice { cond, then, otherwise } => match self.value(cond) {
                Some(Scalar::Bool(true)) => self.block(then),
                Some(_) => self.block(otherwise),
                None => self.block(then).max(self.block(otherwise)),
            },
            Step::Set { local, value } => {
                self.locals[*local] = self.value(value);
                0.0
            }
            Step::Forget(locals) => {
                self.forget(locals);
                0.0
            }
        }
    }

    fn repeated(&mut self, r: &Repeat) -> f64 {
        let surroundings = (r.var, self.values_of(&r.reads));
        let worth = match self.known.get(&surroundings) {
            Some(known) => *known,
            None => self.all_iterations(r),
        };
        self.forget(&r.sets);
        self.known.insert(surroundings, worth);
        worth
    }

    fn forget<'l>(&mut self, locals: impl IntoIterator<Item = &'l Local>) {
        locals.into_iter().for_each(|&l| self.locals[l] = None);
    }

    fn values_of(&self, reads: &Reads) -> Vec<Option<u64>> {
        let vars = reads.vars.iter().map(|&v| self.vars[v].map(|n| n as u64));
        vars.chain(reads.locals.iter().map(|&l| self.locals[l].map(Scalar::bits))).collect()
    }

    fn all_iterations(&mut self, r: &Repeat) -> f64 {
        let Some((first, trips)) = self.trips(r) else {
            self.vars[r.var] = None;
            return self.block(&r.body);
        };
        let at = |n: i64| first.saturating_add(n.saturating_mul(r.step));
        if !r.varies {
            return if trips == 0 { 0.0 } else { self.iteration(r, first) * trips as f64 };
        }
        let period = self.period(r, trips);
        let halvings = if self.looks < MOST_LOOKS { HALVINGS } else { 0 };
        interpolated(trips / period, halvings, &mut |q| {
            interpolated(period, halvings, &mut |n| self.iteration(r, at(q * period + n)))
        })
    }

    fn iteration(&mut self, r: &Repeat, value: i64) -> f64 {
        self.looks += 1;
        self.vars[r.var] = Some(value);
        self.forget(&r.sets);
        self.block(&r.body)
    }

    /// The first value and the number of iterations; nothing where they depend on data.
    fn trips(&self, r: &Repeat) -> Option<(i64, i64)> {
        let (lo, hi) = (self.value(&r.lo)?.as_i64()?, self.value(&r.hi)?.as_i64()?);
        let (distance, step) =
            if r.step > 0 { (hi.checked_sub(lo)?, r.step) } else { (lo.checked_sub(hi)?, -r.step) };
        Some((lo, (distance.max(0) as u64).div_ceil(step as u64) as i64))
    }

    /// After how many of `trips` iterations bounds and guards inside begin anew, one where
    /// they just move on: what the variable is divided by.
    fn period(&self, r: &Repeat, trips: i64) -> i64 {
        let period = r.divisors.iter().find_map(|d| self.value(d)?.as_i64());
        period.filter(|&d| d > 0 && trips % d == 0).unwrap_or(1)
    }

    /// The value of an expression that reads no data.
    fn value(&self, formula: &Formula) -> Option<Scalar> {
        let mut values = self.values.borrow_mut();
        for &e in formula.order.as_ref()? {
            let value = match self.function.expr(e) {
                ExprData::Const(c) => c,
                ExprData::Param(p) => *self.params.get(p.index())?,
                ExprData::Var(v) => Scalar::I64(self.vars[v]?),
                ExprData::Local(l) => self.locals[l]?,
                ExprData::SingleThreaded => Scalar::Bool(true),
                operator => eval::apply(operator, &|x| values[x].expect("operands come first")),
            };
            values[e] = Some(value);
        }
        values[formula.root]
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
