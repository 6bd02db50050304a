//! What stands below each other: the `=` of clauses of one definition, and the comments
//! at the ends of lines that follow each other.

use super::WIDTH;
use super::print::{Printed, Row};

/// The text of the lines, aligned, with a line break at the end.
pub(super) fn align(mut printed: Printed) -> String {
    clauses(&mut printed.lines);
    let mut out = String::new();
    let mut at = 0;
    while at < printed.lines.len() {
        let run = printed.lines[at..].iter().take_while(|r| r.trailing.is_some()).count();
        if run == 0 {
            out.push_str(&printed.lines[at].text);
            out.push('\n');
            at += 1;
            continue;
        }
        comments(&printed.lines[at..at + run], &mut out);
        at += run;
    }
    out
}

/// Pads the clauses of one definition that follow each other, each on one line.
fn clauses(lines: &mut [Row]) {
    let mut at = 0;
    while at < lines.len() {
        let Some((_, run)) = lines[at].clause else {
            at += 1;
            continue;
        };
        let same = |r: &&Row| r.clause.is_some_and(|c| c.1 == run) && r.text.ends_with(';');
        let count = lines[at..].iter().take_while(same).count();
        pad(&mut lines[at..at + count]);
        at += count.max(1);
    }
}

fn pad(lines: &mut [Row]) {
    let width = |r: &Row| r.text[..r.clause.map_or(0, |c| c.0)].trim_end().chars().count();
    let most = lines.iter().map(width).max().unwrap_or(0);
    let fits = |r: &Row| r.text.chars().count() + most - width(r) <= WIDTH;
    if !lines.iter().all(fits) {
        return;
    }
    for row in lines {
        let at = row.clause.map_or(0, |c| c.0);
        let padding = " ".repeat(most - width(row));
        row.text.insert_str(at, &padding);
    }
}

/// Lines with comments at their ends.
fn comments(lines: &[Row], out: &mut String) {
    let width = |r: &Row| r.text.rsplit('\n').next().unwrap_or_default().chars().count();
    let most = lines.iter().map(width).max().unwrap_or(0);
    for row in lines {
        out.push_str(&row.text);
        if !row.text.is_empty() {
            out.extend(std::iter::repeat_n(' ', most - width(row) + 2));
        }
        out.push_str(row.trailing.as_deref().unwrap_or_default());
        out.push('\n');
    }
}
