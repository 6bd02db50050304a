//! The table of structure, `tests/structure.txt`, against the source: how many methods a type
//! of a crate may have, and how many files of it may call each other in a circle.
//!
//! What is above the limits today stands in the table with its own, which may only sink: one
//! above what is counted fails too, so that it is lowered with the code.

mod calls;
mod circle;
mod names;
mod source;
mod types;

use crate::{Failure, root, trial};
use libtest_mimic::Trial;
use names::Names;
use std::collections::BTreeMap;

const TABLE: &str = "tests/structure.txt";

/// The test of the table.
pub fn trials() -> Vec<Trial> {
    vec![trial(TABLE, check)]
}

/// What is limited.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Measure {
    /// The methods of a type, over all its `impl` blocks.
    Methods,
    /// The files of the largest circle of calls.
    Circle,
}

impl Measure {
    fn text(self) -> &'static str {
        match self {
            Measure::Methods => "methods",
            Measure::Circle => "circle",
        }
    }

    fn named(text: &str) -> Option<Measure> {
        [Measure::Methods, Measure::Circle].into_iter().find(|m| m.text() == text)
    }
}

/// A measure of something: `grad` or `grad/Builder`.
type Key = (Measure, String);

#[derive(Default)]
struct Table {
    /// What holds where nothing else is said.
    limits: BTreeMap<Measure, usize>,
    /// What stands above that.
    ceilings: BTreeMap<Key, usize>,
}

/// A number that was counted, and what it is made of.
struct Counted {
    number: usize,
    detail: String,
}

fn check() -> Result<(), Failure> {
    let table = table()?;
    let mut counted = BTreeMap::new();
    let folders = std::fs::read_dir(root().join("crates")).map_err(|e| e.to_string())?;
    for folder in folders.flatten() {
        let name = folder.file_name().to_string_lossy().into_owned();
        count(&name, &mut counted)?;
    }
    let mut wrong = above(&table, &counted)?;
    wrong.extend(stale(&table, &counted)?);
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn count(of: &str, out: &mut BTreeMap<Key, Counted>) -> Result<(), Failure> {
    let files = source::files_of(of)?;
    let names = Names::of(&files);
    for ((file, ty), number) in names.methods_per_type() {
        let detail = format!("of {}", files[file].path);
        let found = Counted { number, detail };
        // Types of one name in several files: the larger stands for both.
        let known = out.entry((Measure::Methods, format!("{of}/{ty}"))).or_insert(found);
        if known.number < number {
            *known = Counted { number, detail: format!("of {}", files[file].path) };
        }
    }
    let circle = circle::largest(&calls::edges(&files, &names));
    let paths: Vec<&str> = circle.iter().map(|f| files[*f].path.as_str()).collect();
    let found = Counted { number: circle.len(), detail: paths.join(" ") };
    out.insert((Measure::Circle, of.to_string()), found);
    Ok(())
}

fn limit(table: &Table, measure: Measure) -> Result<usize, Failure> {
    let found = table.limits.get(&measure).copied();
    found.ok_or_else(|| format!("{TABLE} has no limit for `{}`", measure.text()))
}

/// What is above its limit.
fn above(table: &Table, counted: &BTreeMap<Key, Counted>) -> Result<Vec<String>, Failure> {
    let mut wrong = Vec::new();
    for (key, found) in counted {
        let limit = match table.ceilings.get(key) {
            Some(own) => *own,
            None => limit(table, key.0)?,
        };
        if found.number > limit {
            let (measure, of) = (key.0.text(), &key.1);
            let Counted { number, detail } = found;
            wrong.push(format!("`{of} {measure}`: {number}, and {limit} are allowed: {detail}"));
        }
    }
    Ok(wrong)
}

/// Lines that allow more than there is.
fn stale(table: &Table, counted: &BTreeMap<Key, Counted>) -> Result<Vec<String>, Failure> {
    let mut wrong = Vec::new();
    for (key, ceiling) in &table.ceilings {
        let number = counted.get(key).map_or(0, |c| c.number);
        let line = format!("{} {} {ceiling}", key.1, key.0.text());
        if number <= limit(table, key.0)? {
            wrong.push(format!("strike `{line}`: there are {number} by now"));
        } else if number < *ceiling {
            wrong.push(format!("lower `{line}`: there are {number} by now"));
        }
    }
    Ok(wrong)
}

/// `methods 60` is a limit for all, `sema/Checker methods 600` one that stands above it.
fn table() -> Result<Table, Failure> {
    let path = root().join(TABLE);
    let text = std::fs::read_to_string(&path).map_err(|e| format!("cannot read {TABLE}: {e}"))?;
    let mut table = Table::default();
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (of, measure, number) = match words[..] {
            [measure, number] => (None, measure, number),
            [of, measure, number] => (Some(of), measure, number),
            _ => return Err(format!("{TABLE} has a line that is none: `{line}`")),
        };
        let (Some(measure), Ok(number)) = (Measure::named(measure), number.parse()) else {
            return Err(format!("{TABLE} has a line that is none: `{line}`"));
        };
        match of {
            None => table.limits.insert(measure, number),
            Some(of) => table.ceilings.insert((measure, of.to_string()), number),
        };
    }
    Ok(table)
}
