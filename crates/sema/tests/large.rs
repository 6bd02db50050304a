//! Large programs: what is said of many mistakes, and clauses in thousands.

use std::fmt::Write;
use weft_base::SourceMap;
use weft_diag::{Code, Diagnostics};
use weft_sema::{NoModules, Overrides, check};

/// What parsing and checking say, in the order of the source.
fn said(text: &str) -> Vec<(u32, Code)> {
    let mut sources = SourceMap::new();
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
    for n in 0..10_000 {
        let (lo, hi) = (3 * n, 3 * n + 3);
        writeln!(text, "let y[i in {lo}..{hi}] = i as f32 * {n}.0;").expect("a string takes it");
    }
    text.push_str("print(x[5], y[29_999]);");
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
