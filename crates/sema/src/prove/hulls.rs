//! The numbers between which cells lie, and the clauses of a definition that can have cells in
//! common with some.

use super::known::Known;
use crate::thir::Slot;

/// The least and the largest of some numbers, along each axis.
pub(super) type Hull = Vec<(i128, i128)>;

/// The hull of the cells that slots name.
pub(super) fn hull(known: &Known<'_>, slots: &[Slot]) -> Hull {
    let facts = known.facts();
    let of_slot = |slot: &Slot| {
        let (lo, hi) = match slot {
            Slot::Fixed(s) => facts.bounds(s),
            Slot::Index(i) => match known.range(*i) {
                Some((lo, hi)) => {
                    let lo = lo.as_size().and_then(|s| facts.bounds(s).0);
                    let hi = hi.as_size().and_then(|s| facts.bounds(s).1);
                    (lo, hi.map(|n| n - 1))
                }
                None => (None, None),
            },
        };
        (lo.unwrap_or(i128::MIN), hi.unwrap_or(i128::MAX))
    };
    slots.iter().map(of_slot).collect()
}

/// The hull of some hulls; what meets nothing where there are none.
pub(super) fn around_all<'h>(hulls: impl Iterator<Item = &'h Hull>, axes: usize) -> Hull {
    hulls.fold(vec![(i128::MAX, i128::MIN); axes], around)
}

/// Whether two hulls have a cell in common.
pub(super) fn meet(a: &Hull, b: &Hull) -> bool {
    a.iter().zip(b).all(|(x, y)| x.0 <= y.1 && y.0 <= x.1)
}

/// Hulls in an order, as a tree: each node has the hull of those below it. What lies together
/// mostly stands together, so that few nodes are looked at to find the next hull that is met.
pub(super) struct Hulls {
    /// Level by level, the hulls themselves first, each level half as long as the one before it.
    levels: Vec<Vec<Hull>>,
}

impl Hulls {
    pub fn new(leaves: Vec<Hull>) -> Hulls {
        let mut levels = vec![leaves];
        while let Some(last) = levels.last().filter(|l| l.len() > 1) {
            let above = last.chunks(2).map(|pair| pair[1..].iter().fold(pair[0].clone(), around));
            levels.push(above.collect());
        }
        Hulls { levels }
    }

    /// One of them.
    pub fn of(&self, at: usize) -> &Hull {
        &self.levels[0][at]
    }

    /// The first one from a place on that is met; a hull is met where one inside it is.
    pub fn next(&self, from: usize, is_met: &dyn Fn(&Hull) -> bool) -> Option<usize> {
        let (mut level, mut at) = (0, from);
        loop {
            let node = self.levels[level].get(at)?;
            match (is_met(node), level) {
                (true, 0) => return Some(at),
                (true, _) => (level, at) = (level - 1, 2 * at),
                // Up where the node was the last one below its parent.
                (false, _) => {
                    at += 1;
                    while at % 2 == 0 && level + 1 < self.levels.len() {
                        (level, at) = (level + 1, at / 2);
                    }
                }
            }
        }
    }
}

/// The hull of two hulls.
fn around(a: Hull, b: &Hull) -> Hull {
    // Axes that only one of them has say nothing.
    a.iter().zip(b).map(|(x, y)| (x.0.min(y.0), x.1.max(y.1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_one_that_is_met_is_found_whatever_the_number() {
        for count in 0..40 {
            let hulls = Hulls::new((0..count).map(|n| vec![(3 * n % 7, 3 * n % 7 + 1)]).collect());
            for cell in 0..8 {
                let wanted = vec![(cell, cell)];
                let is_met = |h: &Hull| meet(h, &wanted);
                for from in 0..=count as usize {
                    let by_trial = (from..count as usize).find(|at| is_met(hulls.of(*at)));
                    assert_eq!(hulls.next(from, &is_met), by_trial);
                }
            }
        }
    }

    #[test]
    fn of_nested_hulls_few_are_looked_at() {
        let hulls = Hulls::new((0..4096).map(|n| vec![(n, 8192 - n)]).collect());
        let looked = std::cell::Cell::new(0);
        let ends = vec![(0, 0)];
        let is_met = |h: &Hull| {
            looked.set(looked.get() + 1);
            meet(h, &ends)
        };
        assert_eq!(hulls.next(1, &is_met), None);
        assert!(looked.get() < 20, "{}", looked.get());
    }
}
