//! Central differences of one cell, and how far they can be trusted.
//!
//! Differences of halving steps are extrapolated (Ridders, *Accurate computation of F'(x) and
//! F'(x)F''(x)*, 1982); what neighbours in the table disagree by, and what the noise of the
//! values makes of the quotient, is what the slope is uncertain by. A slope is taken from a
//! step only if all finer ones confirm it, as far as their own noise lets them: a function may
//! be smooth from afar and not at the place.

use std::ops::Range;

/// The widest step, relative to a cell's size; each other is half of the one before.
const WIDEST: f64 = 6.144e-3;

/// The steps that settle nearly all entries: the best for smooth functions in `f64`.
pub(super) const FEW: Range<usize> = 8..11;

/// All steps, for entries near a kink or of another scale.
pub(super) const ALL: Range<usize> = 0..17;

/// How often differences are extrapolated.
const ORDERS: usize = 3;

/// The finest steps, where noise is measured and kinks are looked for.
const FINEST: usize = 3;

/// The target where one cell is moved, by some steps.
pub(super) struct Column {
    /// From the widest to the finest.
    pub steps: Vec<f64>,
    /// The target's cells above, for each step.
    pub up: Vec<Vec<f64>>,
    /// The target's cells below.
    pub down: Vec<Vec<f64>>,
}

/// What differences say of a derivative.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slope {
    pub value: f64,
    /// The finest step that it was found from.
    pub step: f64,
    /// What it may be off by.
    pub uncertain: f64,
}

/// The relative step of a place in [`ALL`].
pub(super) fn step(n: usize) -> f64 {
    WIDEST / (1u64 << n) as f64
}

impl Column {
    /// The slope of a cell of the target that is least uncertain; `None` where there are no
    /// numbers.
    pub fn slope(&self, row: usize) -> Option<Slope> {
        let table = self.table(row);
        let noise = self.noise(&table);
        let mut best: Option<Slope> = None;
        for i in 1..table.len() {
            for j in 0..table[i].len() {
                let Some(uncertain) = self.uncertainty(&table, noise, i, j) else { continue };
                let slope = Slope { value: table[i][j], step: self.steps[i], uncertain };
                let is_better = best.is_none_or(|b| uncertain < b.uncertain);
                if is_better && self.is_confirmed(&table, noise, i, slope) {
                    best = Some(slope);
                }
            }
        }
        best
    }

    /// Whether the slopes of both sides differ by more than `allowed`, and go on to do so.
    pub fn has_kink(&self, row: usize, here: f64, allowed: f64) -> bool {
        let noise = self.noise(&self.table(row));
        let first = self.steps.len().saturating_sub(FINEST);
        let gap = |n: usize| {
            let (up, down) = (self.up[n][row], self.down[n][row]);
            (up - 2.0 * here + down).abs() / self.steps[n]
        };
        let stays = |n: usize| {
            gap(n + 1) > allowed + 4.0 * noise / self.steps[n + 1] && gap(n + 1) > 0.75 * gap(n)
        };
        (first..self.steps.len() - 1).all(stays)
    }

    /// Differences, each followed by its extrapolations with those before it.
    fn table(&self, row: usize) -> Vec<Vec<f64>> {
        let mut table: Vec<Vec<f64>> = Vec::new();
        for (n, step) in self.steps.iter().enumerate() {
            let mut line = vec![(self.up[n][row] - self.down[n][row]) / (2.0 * step)];
            for j in 1..ORDERS.min(n + 1) {
                let power = 4f64.powi(j as i32);
                line.push((power * line[j - 1] - table[n - 1][j - 1]) / (power - 1.0));
            }
            table.push(line);
        }
        table
    }

    /// What the target's values are off by, as the finest differences show it.
    fn noise(&self, table: &[Vec<f64>]) -> f64 {
        let first = table.len().saturating_sub(FINEST);
        let apart = |n: usize| (table[n][0] - table[n + 1][0]).abs() * self.steps[n + 1];
        (first..table.len() - 1).map(apart).fold(0.0, f64::max)
    }

    /// What entry `j` of line `i` disagrees by with its neighbours.
    fn uncertainty(&self, table: &[Vec<f64>], noise: f64, i: usize, j: usize) -> Option<f64> {
        let own = table[i][j];
        let above = (own - table[i - 1].get(j)?).abs();
        let before = match j {
            0 => (table[i - 1][0] - table.get(i.wrapping_sub(2))?[0]).abs(),
            _ => (own - table[i][j - 1]).abs(),
        };
        let rounding = 2.0 * noise / self.steps[i];
        let all = [above, before, rounding];
        all.iter().all(|v| v.is_finite()).then(|| all.into_iter().fold(0.0, f64::max))
    }

    fn is_confirmed(&self, table: &[Vec<f64>], noise: f64, i: usize, slope: Slope) -> bool {
        (i + 1..table.len()).all(|k| {
            let apart = (table[k][0] - slope.value).abs();
            apart <= slope.uncertain + 4.0 * noise / self.steps[k]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(f: &dyn Fn(f64) -> f64, x: f64) -> Column {
        let steps: Vec<f64> = ALL.map(|n| step(n) * x.abs().max(1.0)).collect();
        let side = |sign: f64| steps.iter().map(|s| vec![f(x + sign * s)]).collect();
        Column { up: side(1.0), down: side(-1.0), steps }
    }

    #[track_caller]
    fn finds(f: &dyn Fn(f64) -> f64, x: f64, slope: f64) {
        let c = column(f, x);
        let found = c.slope(0).expect("there are numbers");
        assert!(found.uncertain < 1e-6 * slope.abs().max(1.0), "{found:?}");
        assert!((found.value - slope).abs() <= found.uncertain, "{found:?}, not {slope}");
        assert!(!c.has_kink(0, f(x), 1e-6));
    }

    #[track_caller]
    fn is_unsure(f: &dyn Fn(f64) -> f64, x: f64) {
        let c = column(f, x);
        let found = c.slope(0);
        let certain = found.filter(|s| s.uncertain < 1e-6 * s.value.abs().max(1.0));
        assert!(certain.is_none() || c.has_kink(0, f(x), 1e-6), "{found:?}");
    }

    #[test]
    fn smooth_functions_have_slopes() {
        finds(&|x| x * x, 3.0, 6.0);
        finds(&|x| x.sin(), 0.7, 0.7f64.cos());
        finds(&|x| (8.0 * x).exp(), 1.0, 8.0 * 8f64.exp());
        finds(&|x| x.sqrt(), 1e-4, 50.0);
        finds(&|_| 3.0, 2.0, 0.0);
    }

    #[test]
    fn steep_functions_have_slopes_at_fine_steps() {
        finds(&|x| (300.0 * x).sin(), 0.7, 300.0 * (210f64).cos());
    }

    #[test]
    fn a_kink_beside_the_place_is_no_hindrance() {
        finds(&|x| if x > 1.0 + 3e-5 { 5.0 * x } else { x * x }, 1.0, 2.0);
    }

    #[test]
    fn what_oscillates_below_the_steps_is_unsure() {
        is_unsure(&|x| (1e9 * x).sin(), 0.7);
        is_unsure(&|x| x + (1e9 * x).sin(), 0.7);
    }

    #[test]
    fn a_spike_narrower_than_the_steps_is_unsure() {
        is_unsure(&|x| (-1e18 * (x - 1.0) * (x - 1.0)).exp(), 1.0 + 3e-10);
        is_unsure(&|x| (-1e12 * (x - 1.0) * (x - 1.0)).exp(), 1.0 + 3e-7);
    }

    #[test]
    fn a_kink_at_the_place_is_unsure() {
        is_unsure(&|x| x.abs(), 0.0);
        is_unsure(&|x| x.max(2.0 * x - 1.0), 1.0);
    }

    #[test]
    fn values_that_are_mostly_rounding_are_unsure() {
        is_unsure(&|x| (1e9 + x.sin()) - 1e9, 0.7);
    }

    #[test]
    fn outside_its_domain_a_function_has_no_slope() {
        let c = column(&|x| x.sqrt(), 0.0);
        assert!(c.slope(0).is_none());
    }
}
