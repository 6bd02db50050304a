//! `tests/polybench`: the kernels of PolyBench/C as definitions, against what an independent
//! program computed with NumPy (`reference.py`, which describes `reference.txt`).
//!
//! Extents are given from outside, so that one program serves every size. The small size
//! runs on every executor, the larger on machine code alone.

use crate::arguments::Arguments;
use crate::execute::{Executor, compute};
use crate::{Failure, root, trial};
use libtest_mimic::Trial;
use std::collections::BTreeMap;
use weft_tensor::Array;

/// One array of one run, as the reference has it.
#[derive(Clone, Debug)]
struct Wanted {
    array: String,
    shape: Vec<usize>,
    largest: f64,
    sum: f64,
    weighted: f64,
    samples: Vec<(usize, f64)>,
}

/// One run: a kernel at a size with some data.
#[derive(Clone, Debug, Default)]
struct Run {
    kernel: String,
    size: String,
    seed: String,
    /// `N=40`, as the command line takes it.
    extents: Vec<String>,
    arrays: Vec<Wanted>,
}

/// A test per kernel, size and data.
pub fn trials() -> Vec<Trial> {
    let path = root().join("tests/polybench/reference.txt");
    let text = std::fs::read_to_string(path).expect("the reference is beside the kernels");
    let runs = runs(&text).expect("the reference has the form that its program writes");
    runs.into_iter().map(|run| trial(run.name(), move || run.check())).collect()
}

/// The text of a kernel, ending in a tuple of the arrays it is about, so that they are
/// observed.
pub fn observed(kernel: &str, text: &str) -> Option<String> {
    let path = root().join("tests/polybench/reference.txt");
    let run =
        runs(&std::fs::read_to_string(path).ok()?)?.into_iter().find(|r| r.kernel == kernel)?;
    let arrays: Vec<&str> = run.arrays.iter().map(|w| w.array.as_str()).collect();
    Some(match arrays.as_slice() {
        [one] => format!("{text}{one}\n"),
        all => format!("{text}({})\n", all.join(", ")),
    })
}

fn runs(text: &str) -> Option<Vec<Run>> {
    let mut extents: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    let mut runs: BTreeMap<(String, String, String), Run> = BTreeMap::new();
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        if words[0] == "size" {
            extents.insert((words[1].clone(), words[2].clone()), words[3..].to_vec());
            continue;
        }
        let (kernel, size, seed) = (words[0].clone(), words[1].clone(), words[2].clone());
        let run = runs.entry((kernel.clone(), size.clone(), seed.clone())).or_insert_with(|| {
            let extents = extents[&(kernel.clone(), size.clone())].clone();
            Run { kernel, size, seed, extents, arrays: Vec::new() }
        });
        run.arrays.push(wanted(&words[3..])?);
    }
    Some(runs.into_values().collect())
}

fn wanted(words: &[String]) -> Option<Wanted> {
    let number = |at: usize| words.get(at)?.parse::<f64>().ok();
    let sample = |word: &String| {
        let (at, value) = word.split_once(':')?;
        Some((at.parse().ok()?, value.parse().ok()?))
    };
    Some(Wanted {
        array: words[0].clone(),
        shape: words[1].split('x').map(|d| d.parse().ok()).collect::<Option<_>>()?,
        largest: number(2)?,
        sum: number(3)?,
        weighted: number(4)?,
        samples: words[5..].iter().map(sample).collect::<Option<_>>()?,
    })
}

impl Run {
    fn name(&self) -> String {
        format!("polybench {} {} data {}", self.kernel, self.size, self.seed)
    }

    fn check(&self) -> Result<(), Failure> {
        let all = if self.size == "MINI" { &Executor::ALL[..] } else { &[Executor::Native] };
        all.iter().try_for_each(|&e| self.check_on(e).map_err(|m| format!("on {}: {m}", e.name())))
    }

    fn check_on(&self, executor: Executor) -> Result<(), Failure> {
        let path = root().join("tests/polybench").join(format!("{}.ein", self.kernel));
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", self.kernel))?;
        let mut words: Vec<String> = Vec::new();
        let pairs = self.extents.iter().cloned().chain([format!("seed={}", self.seed)]);
        pairs.for_each(|pair| words.extend(["--input".to_string(), pair]));
        for w in &self.arrays {
            words.extend(["--output".to_string(), w.array.clone()]);
        }
        let arguments = Arguments::parse(&words, &root())?;
        let found = compute(&self.kernel, &text, &arguments, executor)?;
        for w in &self.arrays {
            let array = found.iter().find(|(name, _)| *name == w.array);
            let (_, array) = array.ok_or_else(|| format!("`{}` is no array", w.array))?;
            w.compare(array, self.tolerance())?;
        }
        Ok(())
    }

    /// Relative to the largest entry.
    fn tolerance(&self) -> f64 {
        match self.kernel.as_str() {
            // In `f32`.
            "deriche" => 1e-5,
            // Ill conditioned with the kernel's own data.
            "durbin" => 1e-7,
            _ => 1e-12,
        }
    }
}

impl Wanted {
    /// The part of the array that the reference vouches for: leading indices of each axis.
    fn entries(&self, array: &Array) -> Vec<f64> {
        let mut cell = vec![0usize; self.shape.len()];
        let mut out = Vec::new();
        for _ in 0..self.shape.iter().product() {
            let at: Vec<i64> = cell.iter().map(|&c| c as i64).collect();
            let position = array.position(&at).expect("the shape was compared");
            out.push(number_at(array, position));
            for axis in (0..cell.len()).rev() {
                cell[axis] += 1;
                if cell[axis] < self.shape[axis] {
                    break;
                }
                cell[axis] = 0;
            }
        }
        out
    }

    fn compare(&self, array: &Array, tolerance: f64) -> Result<(), Failure> {
        let fits = array.shape().len() == self.shape.len()
            && array.shape().iter().zip(&self.shape).all(|(have, want)| have >= want);
        if !fits {
            return Err(format!("`{}` has shape {:?}", self.array, array.shape()));
        }
        let entries = self.entries(array);
        let near = |what: String, have: f64, want: f64, scale: f64| {
            let ok = (have - want).abs() <= tolerance * scale;
            let wrong = || format!("{what} of `{}` is {have}, not {want}", self.array);
            ok.then_some(()).ok_or_else(wrong)
        };
        for &(at, want) in &self.samples {
            near(format!("entry {at}"), entries[at], want, self.largest)?;
        }
        let weight = |n: usize| ((n * 7919) % 1013) as f64 / 506.0 - 1.0;
        let weighted = entries.iter().enumerate().map(|(n, x)| x * weight(n)).sum();
        let scale = self.largest * entries.len() as f64;
        near("the sum".into(), entries.iter().sum(), self.sum, scale)?;
        near("the weighted sum".into(), weighted, self.weighted, scale)
    }
}

fn number_at(array: &Array, position: usize) -> f64 {
    let value = array.get(position);
    value.as_f64().or(value.as_i64().map(|n| n as f64)).unwrap_or(f64::NAN)
}
