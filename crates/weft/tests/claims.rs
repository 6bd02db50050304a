//! Claims of the README about compilation and memory, held on the facade.

use std::collections::BTreeMap;
use weft::{Given, Options, RunOptions, Session, Tier};

const HEAT: &str = "
let T = 1000;
let n = 64;
let u[0, i in 0..n] = if i == 3 { 1.0 } else { 0.0 };
let u[t in 1..T, i in 1..n - 1] = u[t - 1, i] + 0.25 * (u[t - 1, i - 1] - 2 * u[t - 1, i] + u[t - 1, i + 1]);
";

fn given(values: &[(&str, &str)]) -> Options {
    let given: BTreeMap<String, Given> = values
        .iter()
        .map(|(name, text)| (name.to_string(), Given::Literal(text.to_string())))
        .collect();
    Options { given, verify: true, ..Options::default() }
}

fn native() -> RunOptions<'static> {
    RunOptions {
        tier: Tier::Native,
        strict_fp: true,
        memory_limit: 1 << 30,
        verify: true,
        show_result: true,
        ..RunOptions::default()
    }
}

fn run(session: &mut Session, text: &str, options: &Options) -> String {
    let (program, diagnostics) = session.check("test.ein", text, options);
    let program = program.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let mut out = Vec::new();
    session
        .run(&program, options, &native(), &|_| false, &mut out)
        .unwrap_or_else(|e| panic!("{e:?}"));
    String::from_utf8(out).expect("output is UTF-8")
}

#[test]
fn another_extent_compiles_nothing() {
    let text = format!("{HEAT} print(sum[i](u[T - 1, i]));");
    let mut session = Session::new();
    run(&mut session, &text, &given(&[]));
    let before = session.kernel_count();
    assert!(before > 0, "something was compiled");
    for (steps, cells) in [("10", "64"), ("5000", "64"), ("77", "1000")] {
        run(&mut session, &text, &given(&[("T", steps), ("n", cells)]));
    }
    assert_eq!(session.kernel_count(), before);
}

/// What `explain` says of the first segment's buffers.
fn bytes(text: &str, steps: &str) -> u64 {
    let mut session = Session::new();
    let (program, _) = session.check("test.ein", text, &given(&[("T", steps)]));
    let explained =
        session.explain(&program.expect("it checks"), None, 1 << 30).expect("it has an order");
    let line = explained.lines().find_map(|l| l.strip_prefix("segment 0: ")).expect("a size");
    line.split_whitespace().next().and_then(|n| n.parse().ok()).expect("a number")
}

#[test]
fn memory_of_a_recurrence_read_at_its_end_is_flat_in_its_length() {
    let last = format!("{HEAT} print(u[T - 1]);");
    assert_eq!(bytes(&last, "100"), bytes(&last, "1000000"));
    assert_eq!(bytes(&last, "100"), 2 * 64 * 4 + 64 * 4);
    let whole = format!("{HEAT} print(u);");
    assert_eq!(bytes(&whole, "100"), 100 * 64 * 4);
    assert_eq!(bytes(&whole, "1000000"), 1_000_000 * 64 * 4);
}
