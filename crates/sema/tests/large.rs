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

/// Of axes whose extents nothing tells, what clauses take from each other is not asked.
#[test]
fn many_clauses_without_ranges_are_told_of_their_ranges_only() {
    let text = "let B[i, j] = [[1.0, 2.0], [3.0, 4.0]];\n".repeat(60);
    let found = said(&text);
    assert_eq!(found.len(), 120);
    assert!(found.iter().all(|(_, code)| *code == Code::E0502), "{found:?}");
}

/// Every clause may define any cell, for what is known: each cuts the ones above into twice as
/// many pieces, and the first is refused for all.
#[test]
fn many_clauses_over_sizes_of_the_run_are_refused_once() {
    let mut text = String::new();
    for n in 0..60 {
        writeln!(text, "input n{n}: i64;\ninput m{n}: i64;").expect("a string takes it");
    }
    for n in 0..60 {
        writeln!(text, "let B[i in 0..n{n}, j in 0..m{n}] = {n}.0;").expect("a string takes it");
    }
    let found = said(&text);
    assert_eq!(found.iter().map(|(_, code)| *code).collect::<Vec<_>>(), [Code::E0507]);
}

/// The first is left a piece of two hundred remainders: integer sets take minutes over such, and
/// a point of it is found at once.
#[test]
fn many_clauses_for_multiples_are_checked() {
    let mut text = String::new();
    for n in 2..200 {
        writeln!(text, "let y[i in 0..500] = {n}.0 where i % {n} == 0;").expect("a string");
    }
    text.push_str("print(y[3]);");
    assert_eq!(said(&text), []);
}

/// What a clause is left by a hundred others is told by a hundred conditions. What follows from
/// them is kept, and not found again for each clause.
#[test]
fn many_clauses_over_sizes_in_any_order_are_checked() {
    let over = |count: usize, clause: &dyn Fn(usize, usize) -> String| {
        let inputs: String = (0..count).map(|n| format!("input n{n}: i64;\n")).collect();
        let clauses: String = (0..count).map(|n| clause(n, (n + 1) % count) + "\n").collect();
        said(&format!("{inputs}{clauses}print(y);"))
    };
    assert_eq!(over(120, &|n, _| format!("let y[i in 0..n{n}] = {n}.0;")), []);
    assert_eq!(over(40, &|n, next| format!("let y[i in n{next}..n{n}] = {n}.0;")), []);
    assert_eq!(
        over(40, &|n, next| format!("let y[i in 0..n{n}] = 1.0 where i % n{next} == 0;")),
        []
    );
    assert_eq!(over(40, &|n, _| format!("let y[i in 0..n{n}] = 1.0 where i != {n};")), []);
    let far: Vec<Code> = over(300, &|n, _| format!("let y[i in 0..n{n}] = {n}.0;"))
        .into_iter()
        .map(|(_, code)| code)
        .collect();
    assert_eq!(far, [Code::E0507]);
}

/// Each clause takes cells of the one before it, and the ones behind have none of what is left.
#[test]
fn thousands_of_clauses_within_each_other_are_checked() {
    let nested = |clause: &dyn Fn(usize) -> String| {
        let clauses: String = (0..4_000).map(|n| clause(n) + "\n").collect();
        said(&format!("{clauses}print(y);"))
    };
    assert_eq!(nested(&|n| format!("let y[i in {n}..{}] = {n}.0;", 9_000 - n)), []);
    assert_eq!(nested(&|n| format!("let y[i in 0..9_000] = {n}.0 where i > {n};")), []);
    let far = nested(&|n| format!("let y[i in 0..9_000] = 1.0 where i % {} == 0;", n + 2));
    assert_eq!(far.iter().map(|(_, code)| *code).collect::<Vec<_>>(), [Code::E0507]);
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

/// What a program's text says of `n` variants, one after the other.
fn listed(n: usize, one: impl Fn(usize) -> String) -> String {
    (0..n).map(one).collect::<Vec<_>>().join(", ")
}

/// Arms are choices within each other: the command has a stack for many.
const STACK: usize = 256 << 20;

#[test]
fn a_match_over_two_thousand_variants_is_judged() {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(matches_over_many_variants);
    thread.expect("a thread").join().expect("it judges");
}

/// Cubic work on these takes minutes.
fn matches_over_many_variants() {
    let variants = format!("enum E {{ {} }}\n", listed(2_000, |n| format!("V{n}")));
    let matched = |value: &str, arms: String| {
        format!("{variants}fn f(a, b) {{ match {value} {{ {arms} }} }}\nprint(f(E::V3, E::V4));")
    };
    let all = listed(2_000, |n| format!("E::V{n} => {n}"));
    assert_eq!(said(&matched("a", all)), []);
    let pairs = listed(2_000, |n| format!("(E::V{n}, E::V{n}) => {n}"));
    assert_eq!(said(&matched("(a, b)", format!("{pairs}, _ => -1"))), []);
    let either = |n: usize| format!("(E::V{n}, _) => {n}, (_, E::V{n}) => -{n}");
    assert_eq!(said(&matched("(a, b)", listed(1_000, either) + ", _ => 0")), []);
    // One variant is left out; one arm is reached by nothing.
    let most = listed(1_999, |n| format!("E::V{n} => {n}"));
    let found = said(&matched("a", most));
    assert_eq!(found.iter().map(|(_, code)| *code).collect::<Vec<_>>(), [Code::E0004]);
    let twice = listed(2_000, |n| format!("E::V{n} => {n}")) + ", E::V7 => 7";
    let found = said(&matched("a", twice));
    assert_eq!(found.iter().map(|(_, code)| *code).collect::<Vec<_>>(), [Code::UnreachableArm]);
}

#[test]
fn arms_that_look_at_one_of_many_columns_are_judged_in_any_order() {
    let row = |n: usize| listed(16, |m| if m == n { "true".into() } else { "_".into() });
    let values = listed(16, |_| "x".into());
    let any = listed(16, |_| "_".into());
    for backwards in [false, true] {
        let at = |n: usize| if backwards { 15 - n } else { n };
        let arms = listed(16, |n| format!("({}) => {n}", row(at(n))));
        let whole = format!("{arms}, ({any}) => 16");
        let text = |arms| format!("fn f(x) {{ match ({values}) {{ {arms} }} }} print(f(true));");
        assert_eq!(said(&text(whole)), []);
        let found = said(&text(arms));
        assert_eq!(found.iter().map(|(_, code)| *code).collect::<Vec<_>>(), [Code::E0004]);
    }
}

/// Looking through all names, or through all of the text, for each of them takes minutes.
#[test]
fn a_hundred_thousand_unknown_names_are_told() {
    let count = |text: String| said(&text).iter().filter(|(_, c)| *c == Code::E0425).count();
    assert_eq!(count((0..100_000).map(|n| format!("print(nope{n});\n")).collect()), 100_000);
    assert_eq!(count((0..100_000).map(|n| format!("let y{n} = nope{n};\n")).collect()), 100_000);
    assert_eq!(count((0..50_000).map(|n| format!("print(nope{n}); ")).collect()), 50_000);
}

/// Names double a type with each line.
#[test]
fn types_that_double_are_refused() {
    let doubled = |first: &str, line: &dyn Fn(usize) -> String| {
        let lines: String = (1..40).map(line).collect();
        said(&format!("{first}{lines}")).first().map(|(_, code)| *code)
    };
    let pairs = |n: usize| format!("let x{n} = (x{}, x{});\n", n - 1, n - 1);
    assert_eq!(doubled("let x0 = (1, 2);\n", &pairs), Some(Code::E0309));
    let structs = |n: usize| format!("let x{n} = P {{ a: x{}, b: x{} }};\n", n - 1, n - 1);
    let first = "struct P<T> { a: T, b: T }\nlet x0 = P { a: 1, b: 2 };\n";
    assert_eq!(doubled(first, &structs), Some(Code::E0309));
    let calls = |n: usize| format!("fn f{n}() {{ (f{}(), f{}()) }}\nf{n}();\n", n - 1, n - 1);
    assert_eq!(doubled("fn f0() { (1, 2) }\n", &calls), Some(Code::E0309));
    let cells = |n: usize| format!("let x{n}[i in 0..3] = (x{}[i], x{}[i]);\n", n - 1, n - 1);
    assert_eq!(doubled("let x0[i in 0..3] = (1, 2);\n", &cells), Some(Code::E0309));
}
