//! Loops over the points that write one cell.
//!
//! A range becomes one loop. Where a write term determines an iterator (its coefficient
//! is a constant and all others in the term are bound further out) the loop has at most
//! one turn; what else restricts the points is checked as soon as it can be.

use super::FailureKind;
use super::term::{SizeValue, Term};
use crate::{Affine, Constraint, Dim, IndexTerm, Iter, Range, Relation};
use std::sync::atomic::{AtomicBool, Ordering};

/// The loop over one range.
#[derive(Debug)]
pub(super) struct Loop {
    /// Slot: the iterator.
    pub(super) iter: u32,
    lo: Term,
    hi: Term,
    solve: Option<Solve>,
    checks: Vec<Check>,
    /// Slot: one past the last value.
    end: u32,
    /// Slot: whether the loop is at a point.
    pub(super) active: u32,
}

/// `cell == coefficient · iterator + rest`.
#[derive(Debug)]
struct Solve {
    cell: u32,
    coefficient: i64,
    rest: Term,
}

/// A condition on a point.
#[derive(Debug)]
pub(super) struct Check {
    term: Term,
    demand: Demand,
}

#[derive(Debug)]
enum Demand {
    AtLeastZero,
    Zero,
    Cell(u32),
}

/// The source of loops.
pub(super) struct WalkSource<'a> {
    /// The ranges, outermost first.
    pub(super) ranges: &'a [Range],
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
        let one_loop = |r: &Range| Loop {
            iter: r.iter.as_u32(),
            lo: Term::new(&r.lo, size),
            hi: Term::new(&r.hi, size),
            solve: None,
            checks: Vec::new(),
            end: slot(),
            active: slot(),
        };
        let loops = source.ranges.iter().map(one_loop).collect();
        let mut builder = Builder { size, walk: Walk { loops, before: Vec::new() } };
        builder.add_writes(&source.write);
        builder.add_guards(source.guards);
        builder.walk
    }
}

impl Builder<'_> {
    fn add_writes(&mut self, write: &[(&IndexTerm, u32)]) {
        for &(term, cell) in write {
            let affine = term.as_affine().expect("a write term is not computed");
            self.add_write(affine, cell);
        }
    }

    fn add_guards(&mut self, guards: &[Constraint]) {
        for guard in guards {
            let demand = match guard.relation {
                Relation::AtLeastZero => Demand::AtLeastZero,
                Relation::Zero => Demand::Zero,
            };
            self.add_check(&guard.term, demand);
        }
    }

    fn add_write(&mut self, a: &Affine, cell: u32) {
        if let Some(level) = self.innermost(a) {
            let level = &mut self.walk.loops[level];
            if level.solve.is_none() {
                level.solve = solve_for(a, level.iter, cell, self.size);
                if level.solve.is_some() {
                    return;
                }
            }
        }
        self.add_check(a, Demand::Cell(cell));
    }

    fn add_check(&mut self, a: &Affine, demand: Demand) {
        let check = Check { term: Term::new(a, self.size), demand };
        match self.innermost(a) {
            Some(level) => self.walk.loops[level].checks.push(check),
            None => self.walk.before.push(check),
        }
    }

    /// The innermost loop whose iterator a term mentions.
    fn innermost(&self, a: &Affine) -> Option<usize> {
        let iters = a.iters();
        let mentioned = |l: &Loop| iters.contains(&Iter::from_u32(l.iter));
        self.walk.loops.iter().rposition(mentioned)
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
    /// Whether the condition holds.
    pub(super) fn holds(&self, frame: &[u64]) -> Result<bool, FailureKind> {
        let v = self.term.wide(frame).ok_or(FailureKind::Overflow)?;
        Ok(match self.demand {
            Demand::AtLeastZero => v >= 0,
            Demand::Zero => v == 0,
            Demand::Cell(slot) => v == i128::from(frame[slot as usize] as i64),
        })
    }
}

impl Loop {
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

    /// Moves to the first point; `false` where there is none.
    pub(super) fn enter(
        &self,
        frame: &mut [u64],
        interrupt: Option<&AtomicBool>,
    ) -> Result<bool, FailureKind> {
        let (lo, hi) = self.bounds(frame).ok_or(FailureKind::Overflow)?;
        frame[self.end as usize] = hi as u64;
        self.go(lo, hi, frame, interrupt)
    }

    /// Moves to the next point; `false` at the end.
    #[inline]
    pub(super) fn next(
        &self,
        frame: &mut [u64],
        interrupt: Option<&AtomicBool>,
    ) -> Result<bool, FailureKind> {
        let from = frame[self.iter as usize] as i64 + 1;
        self.go(from, frame[self.end as usize] as i64, frame, interrupt)
    }

    #[inline]
    fn go(
        &self,
        from: i64,
        hi: i64,
        frame: &mut [u64],
        interrupt: Option<&AtomicBool>,
    ) -> Result<bool, FailureKind> {
        let found = self.seek(from, hi, frame, interrupt)?;
        frame[self.active as usize] = u64::from(found);
        Ok(found)
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
