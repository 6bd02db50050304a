//! Loops over the points that write one cell.
//!
//! A factor becomes one loop. Where a write term determines an iterator (its coefficient
//! is a constant and all others in the term are bound further out) the loop has at most
//! one turn; what else restricts the points is checked as soon as it can be. A condition
//! that mentions an iterator of a coproduct factor applies where that range is active.

use super::FailureKind;
use super::term::{SizeValue, Term};
use crate::{Affine, Constraint, Dim, IndexTerm, Iter, Range, Relation};
use std::sync::atomic::{AtomicBool, Ordering};

/// One factor, range after range.
#[derive(Debug)]
pub(super) struct Loop {
    pub(super) ranges: Box<[RangePlan]>,
    /// Slot: one past the last value of the active range.
    hi: u32,
    /// Slot: number of the active range counted from 1, or 0 outside the loop.
    pub(super) active: u32,
}

/// One range of a factor.
#[derive(Debug)]
pub(super) struct RangePlan {
    pub(super) iter: u32,
    lo: Term,
    hi: Term,
    solve: Option<Solve>,
    checks: Vec<Check>,
}

/// `cell == coefficient · iterator + rest`.
#[derive(Debug)]
struct Solve {
    cell: u32,
    coefficient: i64,
    rest: Term,
}

/// A condition on a point, which applies where all of `when` hold.
#[derive(Debug)]
pub(super) struct Check {
    term: Term,
    demand: Demand,
    when: Box<[(u32, u64)]>,
}

#[derive(Debug)]
enum Demand {
    AtLeastZero,
    Zero,
    Cell(u32),
}

/// The source of loops.
pub(super) struct WalkSource<'a> {
    /// The ranges of each factor, outermost first.
    pub(super) factors: Vec<Vec<&'a Range>>,
    /// Restrictions.
    pub(super) guards: &'a [Constraint],
    /// Write terms with the slot that holds the cell's index on that axis.
    pub(super) write: Vec<(&'a IndexTerm, u32)>,
}

/// Loops, and conditions that hold or fail before any of them.
#[derive(Debug)]
pub(super) struct Walk {
    pub(super) loops: Vec<Loop>,
    pub(super) before: Vec<Check>,
}

struct Builder<'a> {
    size: &'a SizeValue<'a>,
    walk: Walk,
}

impl Walk {
    /// The loops of `source`; `slot` gives new slots.
    pub(super) fn new(
        source: &WalkSource<'_>,
        size: &SizeValue<'_>,
        slot: &mut dyn FnMut() -> u32,
    ) -> Walk {
        let plan = |r: &&Range| RangePlan {
            iter: r.iter.as_u32(),
            lo: Term::new(&r.lo, size),
            hi: Term::new(&r.hi, size),
            solve: None,
            checks: Vec::new(),
        };
        let mut one_loop = |ranges: &Vec<&Range>| Loop {
            ranges: ranges.iter().map(plan).collect(),
            hi: slot(),
            active: slot(),
        };
        let loops = source.factors.iter().map(&mut one_loop).collect();
        let mut builder = Builder { size, walk: Walk { loops, before: Vec::new() } };
        builder.add_writes(&source.write);
        builder.add_guards(source.guards);
        builder.walk
    }
}

impl Builder<'_> {
    fn add_writes(&mut self, write: &[(&IndexTerm, u32)]) {
        for &(term, cell) in write {
            match term {
                IndexTerm::Affine(a) => self.add_write(a, a.iters(), cell),
                IndexTerm::Piecewise(parts) => {
                    for (iter, a) in parts {
                        let mut iters = a.iters();
                        iters.push(*iter);
                        self.add_write(a, iters, cell);
                    }
                }
                IndexTerm::Data(_) => panic!("a write term is not computed"),
            }
        }
    }

    fn add_guards(&mut self, guards: &[Constraint]) {
        for guard in guards {
            let demand = || match guard.relation {
                Relation::AtLeastZero => Demand::AtLeastZero,
                Relation::Zero => Demand::Zero,
            };
            self.add_check(&guard.term, guard.term.iters(), &demand);
        }
    }

    fn add_write(&mut self, a: &Affine, iters: Vec<Iter>, cell: u32) {
        if let Some((level, range)) = self.innermost(&iters) {
            let plan = &self.walk.loops[level].ranges[range];
            let solve = solve_for(a, plan.iter, cell, self.size);
            let unconditional = self.when(&iters, level).is_some_and(|w| w.is_empty());
            if let (None, Some(solve), true) = (&plan.solve, solve, unconditional) {
                self.walk.loops[level].ranges[range].solve = Some(solve);
                return;
            }
        }
        self.add_check(a, iters, &|| Demand::Cell(cell));
    }

    fn add_check(&mut self, a: &Affine, iters: Vec<Iter>, demand: &dyn Fn() -> Demand) {
        let term = Term::new(a, self.size);
        let Some((level, range)) = self.innermost(&iters) else {
            self.walk.before.push(Check { term, demand: demand(), when: Box::new([]) });
            return;
        };
        // Two ranges of one factor are never active together: nothing to check.
        if let Some(when) = self.when(&iters, level) {
            let check = Check { term, demand: demand(), when };
            self.walk.loops[level].ranges[range].checks.push(check);
        }
    }

    /// Loop and range of the innermost iterator.
    fn innermost(&self, iters: &[Iter]) -> Option<(usize, usize)> {
        iters.iter().filter_map(|&i| self.position(i)).max()
    }

    fn position(&self, iter: Iter) -> Option<(usize, usize)> {
        self.walk.loops.iter().enumerate().find_map(|(level, l)| {
            let range = l.ranges.iter().position(|r| r.iter == iter.as_u32())?;
            Some((level, range))
        })
    }

    /// Which ranges of loops outside `level` must be active for all of `iters` to be;
    /// `None` where they exclude each other.
    fn when(&self, iters: &[Iter], level: usize) -> Option<Box<[(u32, u64)]>> {
        let mut when: Vec<(u32, u64)> = Vec::new();
        let innermost = self.innermost(iters);
        for at @ (l, range) in iters.iter().filter_map(|&i| self.position(i)) {
            let outer = &self.walk.loops[l];
            let active = (outer.active, range as u64 + 1);
            let excluded = when.iter().any(|w| w.0 == active.0 && w.1 != active.1);
            if excluded || (l == level && Some(at) != innermost) {
                return None;
            }
            if l != level && outer.ranges.len() > 1 && !when.contains(&active) {
                when.push(active);
            }
        }
        Some(when.into())
    }
}

/// The iterator in slot `iter` from `cell == a`, if `a` determines it.
fn solve_for(a: &Affine, iter: u32, cell: u32, size: &SizeValue<'_>) -> Option<Solve> {
    let i = Iter::from_u32(iter);
    let coefficient = a.coefficient(i);
    let in_quotient = a.terms().iter().any(|(d, _)| match d {
        Dim::Iter(_) => false,
        Dim::Div(x, _) | Dim::Mod(x, _) => x.iters().contains(&i),
    });
    if coefficient == 0 || in_quotient {
        return None;
    }
    let rest = a.minus(&Affine::iter(i).scaled(coefficient)?)?;
    Some(Solve { cell, coefficient, rest: Term::new(&rest, size) })
}

impl Check {
    /// Whether the condition holds or does not apply.
    pub(super) fn holds(&self, frame: &[u64]) -> Result<bool, FailureKind> {
        if self.when.iter().any(|&(slot, active)| frame[slot as usize] != active) {
            return Ok(true);
        }
        let v = self.term.wide(frame).ok_or(FailureKind::Overflow)?;
        Ok(match self.demand {
            Demand::AtLeastZero => v >= 0,
            Demand::Zero => v == 0,
            Demand::Cell(slot) => v == i128::from(frame[slot as usize] as i64),
        })
    }
}

impl RangePlan {
    /// First value and one past the last.
    fn bounds(&self, frame: &[u64]) -> Option<(i64, i64)> {
        let (lo, hi) = (self.lo.value(frame)?, self.hi.value(frame)?);
        let Some(solve) = &self.solve else { return Some((lo, hi)) };
        let cell = frame[solve.cell as usize] as i64;
        let scaled = cell.checked_sub(solve.rest.value(frame)?)?;
        let value = scaled.checked_div(solve.coefficient)?;
        let exact = scaled.checked_rem(solve.coefficient)? == 0;
        let inside = exact && lo <= value && value < hi;
        Some(if inside { (value, value + 1) } else { (0, 0) })
    }

    /// Moves to the first value of `from..hi` at which the checks hold.
    fn seek(
        &self,
        from: i64,
        hi: i64,
        frame: &mut [u64],
        interrupt: Option<&AtomicBool>,
    ) -> Result<bool, FailureKind> {
        for v in from..hi {
            frame[self.iter as usize] = v as u64;
            if all_hold(&self.checks, frame)? {
                return Ok(true);
            }
            if v & 0xffff == 0 && interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Err(FailureKind::Interrupted);
            }
        }
        Ok(false)
    }
}

/// Whether all conditions hold.
pub(super) fn all_hold(checks: &[Check], frame: &[u64]) -> Result<bool, FailureKind> {
    for check in checks {
        if !check.holds(frame)? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Loop {
    /// Moves to the first point; `false` where there is none.
    pub(super) fn enter(
        &self,
        frame: &mut [u64],
        interrupt: Option<&AtomicBool>,
    ) -> Result<bool, FailureKind> {
        self.start(0, frame, interrupt)
    }

    /// Moves to the next point; `false` at the end.
    #[inline]
    pub(super) fn next(
        &self,
        frame: &mut [u64],
        interrupt: Option<&AtomicBool>,
    ) -> Result<bool, FailureKind> {
        let active = frame[self.active as usize] as usize;
        let range = &self.ranges[active - 1];
        let from = frame[range.iter as usize] as i64 + 1;
        if range.seek(from, frame[self.hi as usize] as i64, frame, interrupt)? {
            return Ok(true);
        }
        self.start(active, frame, interrupt)
    }

    fn start(
        &self,
        first: usize,
        frame: &mut [u64],
        interrupt: Option<&AtomicBool>,
    ) -> Result<bool, FailureKind> {
        for (number, range) in self.ranges.iter().enumerate().skip(first) {
            let (lo, hi) = range.bounds(frame).ok_or(FailureKind::Overflow)?;
            frame[self.hi as usize] = hi as u64;
            if range.seek(lo, hi, frame, interrupt)? {
                frame[self.active as usize] = number as u64 + 1;
                return Ok(true);
            }
        }
        frame[self.active as usize] = 0;
        Ok(false)
    }
}
