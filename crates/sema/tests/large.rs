//! Large programs: what is said of many mistakes, and clauses in thousands.

use std::fmt::Write;
use weft_base::SourceMap;
use weft_diag::{Code, Diagnostics};
use weft_sema::{NoModules, Overrides, check};

/// What parsing and checking say, in the order of the source.
fn said(text: &str) -> Vec<(u32, Code)> {
    let sources = SourceMap::new();
    let file = sources.add("large.ein", text);
    let parsed = weft_syntax::parse(file, text);
    let mut all = Diagnostics::new();
    all.extend(parsed.diagnostics().iter().cloned());
    let (_, more) = check(parsed.program(), &sources, &Overrides::default(), &NoModules);
    all.extend(more);
    let place = |d: &weft_diag::Diagnostic| (d.span().map_or(0, |s| s.start), d.code);
    let mut all: Vec<(u32, Code)> = all.iter().map(place).collect();
    all.sort_by_key(|(start, _)| *start);
    all
}

#[test]
fn two_hundred_mistakes_are_two_hundred_errors() {
    let kinds = [
        ("let a = unknown + 1;", Code::E0425),
        ("let a = 1 + \"x\";", Code::E0308),
        ("let a = (1 + ;", Code::E0001),
        ("let a[i] = nowhere[i];", Code::E0425),
        ("let a = [1, 2][5];", Code::E0503),
    ];
    let lines: Vec<String> =
        (0..200).map(|n| kinds[n % 5].0.replacen('a', &format!("name{n}"), 1)).collect();
    let text = lines.join("\n");
    let found = said(&text);
    let line = |start: u32| text[..start as usize].matches('\n').count();
    let found: Vec<(usize, Code)> = found.into_iter().map(|(at, code)| (line(at), code)).collect();
    let wanted: Vec<(usize, Code)> = (0..200).map(|n| (n, kinds[n % 5].1)).collect();
    assert_eq!(found, wanted);
}

/// Quadratic work on these takes minutes.
#[test]
fn ten_thousand_clauses_of_one_name_are_checked() {
    let mut text = String::new();
    for n in 0..10_000 {
        writeln!(text, "let x[{n}] = {n}.5;").expect("a string takes it");
    }
    for n in 0..3_000 {
        let (lo, hi) = (3 * n, 3 * n + 3);
        writeln!(text, "let y[i in {lo}..{hi}] = i as f32 * {n}.0;").expect("a string takes it");
    }
    text.push_str("print(x[5], y[8_999]);");
    assert_eq!(said(&text), []);
    text.push_str("print(x[10_000]);");
    let found = said(&text);
    assert_eq!(found.iter().map(|(_, code)| *code).collect::<Vec<_>>(), [Code::E0503]);
}

/// State that is put aside for each recurrence must not be copied for each.
#[test]
fn a_thousand_recurrences_are_checked() {
    let mut text = String::new();
    for n in 0..1_000 {
        writeln!(text, "let u{n}[0] = 1.0;\nlet u{n}[t in 1..9] = u{n}[t - 1] * 0.5;")
            .expect("yes");
        writeln!(text, "let s{n} = sum[t](u{n}[t]);").expect("a string takes it");
    }
    assert_eq!(said(&text), []);
}

/// One part of a program: data, a layer, a recurrence, a report.
const PART: &str = "\
// Part @: data, a layer, a recurrence, a report.
let n@ = SIZE;
fn scale@(x, factor = 2.0) {
    let y[i] = x[i] * factor;
    y
}
fn energy@(x) -> f32 {
    let total = sum[i](x[i] ** 2);
    if total > 1.0 { total / 2.0 } else { total }
}
struct Point@ { x: f32, y: f32 }
let a@[i in 0..n@, j in 0..4] = (i * 4 + j) as f32 / 10.0;
let w@[j in 0..4, o in 0..3] = if j > o { 0.5 } else { 0.25 };
let h@[i, o] = sum[j](a@[i, j] * w@[j, o]);
let s@ = scale@(h@[0], factor = 0.5);
let e@ = energy@(s@);
let p@ = Point@ { x: e@, y: 2.0 };
let u@[0, i in 0..n@] = h@[i, 0];
let u@[t in 1..10, i in 1..n@ - 1] =
    u@[t - 1, i] + 0.25 * (u@[t - 1, i - 1] - 2.0 * u@[t - 1, i] + u@[t - 1, i + 1]);
let u@[t in 1..10, 0] = u@[t - 1, 0];
let u@[t in 1..10, n@ - 1] = u@[t - 1, n@ - 1];
let m@ = max[i](u@[9, i]);
let q@[i] = a@[i, 0] * 2.0 where a@[i, 0] > 0.0;
let kind@ = match n@ { 20 => \"small\", 21..=25 => \"medium\", _ => \"large\" };
assert(m@ >= 0.0 || e@ > 0.0);
print(\"{kind@}: {m@:.3f} {p@.x:.3f} {sum[i](q@[i]):.3f}\");
";

/// How long it takes is told with `--nocapture`; `weft check` does a little more.
#[test]
fn a_realistic_program_of_ten_thousand_lines_is_checked() {
    let lines = PART.lines().count();
    let mut text = String::new();
    for n in 0..10_000_usize.div_ceil(lines) {
        let part = PART.replace("SIZE", &(20 + n % 13).to_string());
        text.push_str(&part.replace('@', &n.to_string()));
    }
    let begin = std::time::Instant::now();
    assert_eq!(said(&text), []);
    println!("{} lines checked in {:?}", text.lines().count(), begin.elapsed());
}
