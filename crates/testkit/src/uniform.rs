//! Random recurrences of constant distances, and how many of their steps must be kept: what
//! is stored is held against the definition of a window, and values against brute force.

use crate::arguments::Arguments;
use crate::execute::{Executor, compute};
use crate::random::Random;
use std::fmt::Write;
use weft::{Options, Session, Store};
use weft_tensor::Data;

const INDICES: [&str; 3] = ["i", "j", "l"];
const MODULUS: i64 = 1009;

/// A recurrence along one axis, of which the last steps are looked at.
#[derive(Clone, Debug)]
pub struct Uniform {
    extents: Vec<usize>,
    /// The extent of the axis of steps is an input.
    symbolic: bool,
    /// The axis of steps.
    time: usize,
    /// From the last step to the first.
    down: bool,
    /// What each read is away.
    distances: Vec<Vec<i64>>,
    /// How many of the last steps are looked at.
    tail: usize,
}

/// Draws a recurrence.
pub fn uniform(seed: u64) -> Uniform {
    let mut random = Random::new(seed ^ 0x5eed);
    let rank = 1 + random.weighted(&[2, 5, 2]);
    let time = random.below(rank);
    let extent = |random: &mut Random, axis: usize| match axis == time {
        true => random.between(2, 9) as usize,
        false => random.between(2, 4) as usize,
    };
    let extents: Vec<usize> = (0..rank).map(|axis| extent(&mut random, axis)).collect();
    let down = random.chance(30);
    let sign = if down { 1 } else { -1 };
    let mut distances: Vec<Vec<i64>> = Vec::new();
    for n in 0..1 + random.below(3) {
        let mut d: Vec<i64> = (0..rank).map(|_| random.between(-1, 1)).collect();
        d[time] = sign * random.between(1, 3);
        // Not the first: another cell of the same step, before this one.
        if n > 0 && rank > 1 && random.chance(30) {
            d[time] = 0;
            let inner = (0..rank).find(|a| *a != time).unwrap_or(0);
            d[inner] = -random.between(1, 2);
        }
        distances.push(d);
    }
    let tail = 1 + random.weighted(&[6, 2, 1]).min(extents[time] - 1);
    Uniform { symbolic: random.chance(50), extents, time, down, distances, tail }
}

impl Uniform {
    fn extent(&self, axis: usize) -> String {
        match axis == self.time && self.symbolic {
            true => "T".to_string(),
            false => self.extents[axis].to_string(),
        }
    }

    /// The program.
    pub fn text(&self) -> String {
        let mut out = String::new();
        if self.symbolic {
            out.push_str("input T: i64;\n");
        }
        let rank = self.extents.len();
        let slots: Vec<String> =
            (0..rank).map(|a| format!("{} in 0..{}", INDICES[a], self.extent(a))).collect();
        let own: Vec<String> = (0..rank).map(|a| format!("{} * {}", a + 2, INDICES[a])).collect();
        let reads: Vec<String> = (0..self.distances.len()).map(|n| self.read(n)).collect();
        let (slots, own, reads) = (slots.join(", "), own.join(" + "), reads.join(" + "));
        let _ = writeln!(out, "let u[{slots}]: i64 = (1 + {own} + {reads}) % {MODULUS};");
        let seen: Vec<String> = (0..rank)
            .map(|a| match a == self.time {
                true => format!("r in 0..{}", self.tail),
                false => format!("{} in 0..{}", INDICES[a], self.extents[a]),
            })
            .collect();
        let at: Vec<String> = (0..rank)
            .map(|a| match (a == self.time, self.down) {
                (false, _) => INDICES[a].to_string(),
                (true, true) => "r".to_string(),
                (true, false) => format!("{} - {} + r", self.extent(a), self.tail),
            })
            .collect();
        let _ = writeln!(out, "let seen[{}] = u[{}];", seen.join(", "), at.join(", "));
        out.push_str("seen\n");
        out
    }

    fn read(&self, n: usize) -> String {
        let index = |a: usize| match self.distances[n][a] {
            0 => INDICES[a].to_string(),
            d if d < 0 => format!("{} - {}", INDICES[a], -d),
            d => format!("{} + {d}", INDICES[a]),
        };
        let rank = self.extents.len();
        let all: Vec<String> = (0..rank).map(index).collect();
        let inside: Vec<String> =
            (0..rank).map(|a| format!("{0} >= 0 && {0} < {1}", all[a], self.extent(a))).collect();
        let (inside, all) = (inside.join(" && "), all.join(", "));
        format!("{} * (if {inside} {{ u[{all}] }} else {{ {n} }})", 2 * n + 1)
    }

    /// How many steps a step looks back.
    fn back(&self) -> u64 {
        self.distances.iter().map(|d| d[self.time].unsigned_abs()).max().unwrap_or(0)
    }

    /// Whether each cell may take the place of the one in the oldest step that is needed:
    /// nobody looks at that step later, and in some order of the cells of a step, first
    /// along one axis, all that read a cell of the oldest come no later than its successor.
    fn may_be_in_place(&self) -> bool {
        self.tail as u64 <= self.back() && self.sweeps().iter().any(|s| self.is_in_place(s))
    }

    /// Orders of the cells of a step: the axes from the outermost loop on, up or down.
    fn sweeps(&self) -> Vec<Vec<(usize, i64)>> {
        let mut all = vec![Vec::new()];
        for _ in 1..self.extents.len() {
            let longer = |s: &Vec<(usize, i64)>| {
                let free = |a: &usize| *a != self.time && s.iter().all(|(b, _)| a != b);
                let axes = (0..self.extents.len()).filter(free);
                let ways = axes.flat_map(|a| [(a, 1), (a, -1)]);
                ways.map(|way| [s.as_slice(), &[way]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }

    /// What is kept where a grid runs along diagonals of the steps and another axis: so many
    /// diagonals as a cell looks back.
    fn diagonals(&self) -> impl Iterator<Item = Store> {
        const STEEPEST: i64 = 4;
        let axes = (0..self.extents.len()).filter(|a| *a != self.time);
        let slopes = (1..=STEEPEST).flat_map(|c| [c, -c]);
        let all = axes.flat_map(move |a| slopes.clone().map(move |c| (a, c)));
        all.map(|(a, c)| {
            let along = self.distances.iter().map(|d| (c * d[a] + d[self.time]).abs());
            Store::Window(along.max().unwrap_or(0) + 1)
        })
    }

    fn is_in_place(&self, sweep: &[(usize, i64)]) -> bool {
        let ahead = |d: &[i64]| sweep.iter().map(|(a, way)| way * d[*a]).find(|x| *x != 0);
        self.distances.iter().all(|d| match d[self.time].unsigned_abs() {
            0 => ahead(d).is_some_and(|x| x < 0),
            back if back == self.back() => ahead(d).is_none_or(|x| x > 0),
            _ => true,
        })
    }

    /// Whether a window may lie along another axis, with no more cells than those of time.
    fn is_along_another(&self, kept: Store) -> bool {
        let Store::Window(time) = self.stored() else { return false };
        let cells = |axis: usize, size: i64| {
            let others = self.extents.iter().enumerate().filter(|(a, _)| *a != axis);
            size * others.map(|(_, n)| *n as i64).product::<i64>()
        };
        let mut others = (0..self.extents.len()).filter(|a| *a != self.time);
        let Store::Window(size) = kept else { return false };
        others.any(|axis| cells(axis, size) <= cells(self.time, time))
    }

    /// What must be kept: the steps that a step looks back, and those looked at.
    fn stored(&self) -> Store {
        let size = (self.back() as usize + 1).max(self.tail);
        match !self.symbolic && size >= self.extents[self.time] {
            true => Store::Whole,
            false => Store::Window(size as i64),
        }
    }

    /// Every cell, row-major, each computed after what it reads.
    fn values(&self) -> Vec<i64> {
        let count: usize = self.extents.iter().product();
        let mut values: Vec<Option<i64>> = vec![None; count];
        while values.contains(&None) {
            for at in 0..count {
                values[at] = values[at].or_else(|| self.value(at, &values));
            }
        }
        values.into_iter().flatten().collect()
    }

    fn value(&self, at: usize, values: &[Option<i64>]) -> Option<i64> {
        let cell = self.cell(at);
        let own: i64 = cell.iter().enumerate().map(|(a, x)| (a as i64 + 2) * x).sum();
        let mut total = 1 + own;
        for (n, d) in self.distances.iter().enumerate() {
            let there: Vec<i64> = cell.iter().zip(d).map(|(x, y)| x + y).collect();
            let inside = there.iter().zip(&self.extents).all(|(x, n)| *x >= 0 && *x < *n as i64);
            let read = if inside { values[self.position(&there)]? } else { n as i64 };
            total += (2 * n as i64 + 1) * read;
        }
        Some(total % MODULUS)
    }

    fn cell(&self, mut at: usize) -> Vec<i64> {
        let mut cell = vec![0; self.extents.len()];
        for axis in (0..cell.len()).rev() {
            cell[axis] = (at % self.extents[axis]) as i64;
            at /= self.extents[axis];
        }
        cell
    }

    fn position(&self, cell: &[i64]) -> usize {
        cell.iter().zip(&self.extents).fold(0, |at, (x, n)| at * n + *x as usize)
    }

    /// The cells looked at, row-major.
    fn seen(&self) -> Vec<i64> {
        let from = if self.down { 0 } else { self.extents[self.time] - self.tail };
        let kept = from..from + self.tail;
        let values = self.values();
        let is_seen = |at: &usize| kept.contains(&(self.cell(*at)[self.time] as usize));
        (0..values.len()).filter(is_seen).map(|at| values[at]).collect()
    }

    /// # Errors
    ///
    /// What is stored is not what must be kept, or a value is wrong, in words.
    pub fn check(&self) -> Result<(), String> {
        let text = self.text();
        let (mut session, options) = (Session::new(), Options::default());
        let (program, found) = session.check("uniform", &text, &options);
        let program = program.ok_or_else(|| format!("refused: {found:?}"))?;
        let stores = crate::execute::structure(&session, &program, &options)?.stores;
        let kept = stores.iter().find(|(name, _)| name.as_str() == "u").map(|s| s.1);
        // Beside a loop along another axis that is as short, the reader may run too.
        let narrower = match self.stored() {
            Store::Window(size) if self.may_be_in_place() => Some(Store::Window(size - 1)),
            _ => None,
        };
        let fits = kept == Some(self.stored())
            || kept.is_some() && (kept == narrower || self.diagonals().any(|s| kept == Some(s)))
            || kept.is_some_and(|k| self.is_along_another(k))
            || self.stored() == Store::Whole;
        if !fits {
            return Err(format!("{kept:?} is kept, not {:?}", self.stored()));
        }
        let mut words = vec!["--output".to_string(), "seen".to_string()];
        if self.symbolic {
            words.extend(["--input".into(), format!("T={}", self.extents[self.time])]);
        }
        let arguments = Arguments::parse(&words, std::path::Path::new("."))?;
        let found = compute("uniform", &text, &arguments, Executor::Plain)?;
        let have = found.first().map(|(_, a)| a.data());
        match have {
            Some(Data::I64(have)) if **have == *self.seen() => Ok(()),
            other => Err(format!("{other:?} is seen, not {:?}", self.seen())),
        }
    }
}
