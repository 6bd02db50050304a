//! Generated claims of windows: how far a recurrence looks back, what is observed of it,
//! whether its length is known, and its rank, each with each.
//!
//! Every combination is a case like those in files: run on every executor against values
//! computed here, and held to `max(lookback + 1, tail)` steps, or to the whole where the
//! whole or a step from data is observed.

use crate::case::Case;
use crate::directive::Directives;
use crate::{Failure, run_case, trial};
use libtest_mimic::Trial;
use std::path::PathBuf;

/// Steps of each recurrence.
const STEPS: usize = 12;

/// Extents of the axes behind time.
const EXTENTS: [usize; 2] = [2, 3];

/// Names of the indices behind time.
const INDICES: [&str; 2] = ["i", "j"];

/// Values stay below this.
const MODULUS: i64 = 1009;

/// The steps that the observation by data asks for.
const ASKED: [usize; 4] = [7, 0, STEPS - 1, 7];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Observed {
    Last,
    LastThree,
    Whole,
    ByData,
}

#[derive(Clone, Copy, Debug)]
struct Shape {
    lookback: usize,
    observed: Observed,
    symbolic: bool,
    rank: usize,
}

/// A test per combination.
pub fn trials() -> Vec<Trial> {
    shapes().into_iter().map(|s| trial(s.name(), move || check(s))).collect()
}

fn shapes() -> Vec<Shape> {
    let mut all = Vec::new();
    for lookback in 1..=3 {
        for observed in [Observed::Last, Observed::LastThree, Observed::Whole, Observed::ByData] {
            for symbolic in [false, true] {
                for rank in 1..=3 {
                    all.push(Shape { lookback, observed, symbolic, rank });
                }
            }
        }
    }
    all
}

fn check(shape: Shape) -> Result<(), Failure> {
    let text = shape.text();
    let directives = Directives::parse(&text)?;
    let case =
        Case { path: PathBuf::from("windows.ein"), text, files: Default::default(), directives };
    run_case::check(&case).map_err(|e| format!("{e}\n{}", case.text))
}

impl Shape {
    fn name(&self) -> String {
        let length = if self.symbolic { "symbolic" } else { "const" };
        let Shape { lookback, observed, rank, .. } = self;
        format!("window lookback {lookback} {observed:?} {length} rank {rank}")
    }

    fn text(&self) -> String {
        let inner: Vec<&str> = INDICES[..self.rank - 1].to_vec();
        let ranged: Vec<String> =
            inner.iter().zip(EXTENTS).map(|(i, n)| format!("{i} in 0..{n}")).collect();
        let mirrored: Vec<String> =
            inner.iter().zip(EXTENTS).map(|(i, n)| format!("{} - {i}", n - 1)).collect();
        let at = |t: &str, rest: &[String]| {
            let all: Vec<String> = [&[t.to_string()], rest].concat();
            format!("[{}]", all.join(", "))
        };
        let plain: Vec<String> = inner.iter().map(|i| i.to_string()).collect();
        let back = self.lookback;
        let start: String = inner.iter().map(|i| format!(" + 2 * {i}")).collect();
        let length = match self.symbolic {
            true => format!("//@ args: --input n={STEPS}\ninput n: i64;\n"),
            false => format!("const n = {STEPS};\n"),
        };
        format!(
            "{claim}\n//@ tolerance: 0\n//@ expect: {expected}\n{length}\
             let u{base}: i64 = t + 1{start};\n\
             let u{step}: i64 = (u{near} + 3 * u{far} + t) % {MODULUS};\n{look}",
            claim = self.claim(),
            expected = self.expected(),
            base = at(&format!("t in 0..{back}"), &ranged),
            step = at(&format!("t in {back}..n"), &ranged),
            near = at("t - 1", &plain),
            far = at(&format!("t - {back}"), &mirrored),
            look = self.look(&ranged, &plain, &at),
        )
    }

    /// What is stored.
    fn claim(&self) -> String {
        match self.observed {
            Observed::Last => format!("//@ window(u): {}", self.lookback + 1),
            Observed::LastThree => format!("//@ window(u): {}", (self.lookback + 1).max(3)),
            Observed::Whole | Observed::ByData => "//@ stores(u): whole".to_string(),
        }
    }

    /// The statements that observe.
    fn look(
        &self,
        ranged: &[String],
        plain: &[String],
        at: &dyn Fn(&str, &[String]) -> String,
    ) -> String {
        match self.observed {
            Observed::Whole => "print(u);\n".to_string(),
            Observed::Last if self.rank == 1 => "print(u[n - 1]);\n".to_string(),
            Observed::Last => {
                let slots = ranged.join(", ");
                format!("let seen[{slots}] = u{};\nprint(seen);\n", at("n - 1", plain))
            }
            Observed::LastThree => format!(
                "let seen{} = u{};\nprint(seen);\n",
                at("k in 0..3", ranged),
                at("n - 3 + k", plain)
            ),
            Observed::ByData => format!(
                "let asked: [i64] = {ASKED:?};\nlet seen{} = u{};\nprint(seen);\n",
                at("k", ranged),
                at("asked[k]", plain)
            ),
        }
    }

    /// What it prints, but for alignment.
    fn expected(&self) -> String {
        let steps = self.steps();
        let shown = |at: &[usize]| {
            let rows: Vec<String> = at.iter().map(|&t| self.bracketed(&steps[t])).collect();
            format!("[{}]", rows.join(" "))
        };
        match self.observed {
            Observed::Last => self.bracketed(&steps[STEPS - 1]),
            Observed::LastThree => shown(&[STEPS - 3, STEPS - 2, STEPS - 1]),
            Observed::Whole => shown(&(0..STEPS).collect::<Vec<_>>()),
            Observed::ByData => shown(&ASKED),
        }
    }

    fn extents(&self) -> &'static [usize] {
        &EXTENTS[..self.rank - 1]
    }

    /// The cells of each step, row-major.
    fn steps(&self) -> Vec<Vec<i64>> {
        let cells: usize = self.extents().iter().product();
        let mut steps: Vec<Vec<i64>> = Vec::new();
        for t in 0..STEPS {
            let value = |c: usize| {
                if t < self.lookback {
                    let at: usize = self.cell(c).iter().sum();
                    return (t + 1 + 2 * at) as i64;
                }
                // To mirror every axis is to run backward through all cells.
                let far = steps[t - self.lookback][cells - 1 - c];
                (steps[t - 1][c] + 3 * far + t as i64) % MODULUS
            };
            steps.push((0..cells).map(value).collect());
        }
        steps
    }

    /// The indices of a cell behind time.
    fn cell(&self, c: usize) -> Vec<usize> {
        match *self.extents() {
            [_, columns] => vec![c / columns, c % columns],
            _ => vec![c],
        }
    }

    fn bracketed(&self, step: &[i64]) -> String {
        let row = |cells: &[i64]| {
            let texts: Vec<String> = cells.iter().map(i64::to_string).collect();
            format!("[{}]", texts.join(" "))
        };
        match *self.extents() {
            [_, columns] => {
                let rows: Vec<String> = step.chunks(columns).map(row).collect();
                format!("[{}]", rows.join(" "))
            }
            [_] => row(step),
            _ => step[0].to_string(),
        }
    }
}
