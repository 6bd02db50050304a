//! Claims of the README about compilation and memory, held on the facade.

#[path = "../../../examples/embed.rs"]
mod embed;

use std::collections::BTreeMap;
use weft::{Given, Options, Overflow, RunOptions, Semantics, Session, Tier};

const HEAT: &str = "
let T = 1000;
let n = 64;
let u[0, i in 0..n] = if i == 3 { 1.0 } else { 0.0 };
let u[t in 1..T, i in 1..n - 1] = u[t - 1, i] + 0.25 * (u[t - 1, i - 1] - 2 * u[t - 1, i] + u[t - 1, i + 1]);
";

const STRICT: Semantics = Semantics { strict_fp: true, overflow: Overflow::Trap };

fn given(values: &[(&str, &str)]) -> Options {
    let given: BTreeMap<String, Given> = values
        .iter()
        .map(|(name, text)| (name.to_string(), Given::Literal(text.to_string())))
        .collect();
    Options { given, verify: true, semantics: STRICT, ..Options::default() }
}

fn native() -> RunOptions<'static> {
    RunOptions {
        tier: Tier::Native,
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
    let options = given(&[("T", steps)]);
    let (program, _) = session.check("test.ein", text, &options);
    let program = program.expect("it checks");
    let explained = session.explain(&program, None, &options, &native()).expect("it has an order");
    let line = explained.lines().find_map(|l| l.strip_prefix("segment 0: ")).expect("a size");
    line.split_whitespace().next().and_then(|n| n.parse().ok()).expect("a number")
}

#[test]
fn memory_of_a_recurrence_read_at_its_end_is_flat_in_its_length() {
    let last = format!("{HEAT} print(u[T - 1]);");
    assert_eq!(bytes(&last, "100"), bytes(&last, "1000000"));
    assert_eq!(bytes(&last, "100"), 2 * 64 * 8 + 64 * 8);
    let whole = format!("{HEAT} print(u);");
    assert_eq!(bytes(&whole, "100"), 100 * 64 * 8);
    assert_eq!(bytes(&whole, "1000000"), 1_000_000 * 64 * 8);
}

/// A network of three layers, its loss, and the derivatives by five of its parameters.
const NETWORK: &str = "
let x[b in 0..64, i in 0..48] = std::math::sin(0.1 * b + 0.3 * i);
let w1[h in 0..40, i in 0..48] = 0.01 * h - 0.02 * i;
let b1[h in 0..40] = 0.1 * h;
let w2[o in 0..32, h in 0..40] = 0.02 * o - 0.01 * h;
let b2[o in 0..32] = 0.05 * o;
let w3[o in 0..32] = 0.03 * o;
let a[b, h] = std::math::tanh(sum[i](x[b, i] * w1[h, i]) + b1[h]);
let c[b, o] = std::math::tanh(sum[h](a[b, h] * w2[o, h]) + b2[o]);
let loss = mean[b]((sum[o](c[b, o] * w3[o]) - 1.0) ** 2);
let g1 = @loss / @w1;
let g2 = @loss / @b1;
let g3 = @loss / @w2;
let g4 = @loss / @b2;
let g5 = @loss / @w3;
";

/// Operations on floats of one run of a program, and how many observations it makes.
fn work(text: &str, outputs: &[&str]) -> (u64, usize) {
    let mut session = Session::new();
    let (options, time) = (given(&[]), std::time::Duration::ZERO);
    let (program, diagnostics) = session.check("test.ein", text, &options);
    let program = program.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let outputs: Vec<String> = outputs.iter().map(|o| (*o).to_string()).collect();
    let report = session
        .bench(&program, &options, &native(), &outputs, time)
        .unwrap_or_else(|e| panic!("{e:?}"));
    (report.flops, report.segments.len())
}

#[test]
fn what_is_asked_for_by_name_is_one_request() {
    let names = ["loss", "g1", "g2", "g3", "g4", "g5"];
    let printed = format!("{NETWORK} print({});", names.join(", "));
    let (flops, segments) = work(&printed, &[]);
    assert!(flops > 0);
    assert_eq!(segments, 1);
    assert_eq!(work(NETWORK, &names), (flops, 1), "asked for by name");
    let tuple = format!("{NETWORK} let all = (loss, (g1, g2), g3, g4, g5);");
    assert_eq!(work(&tuple, &["all"]), (flops, 1), "members of a tuple");
    let lines: String = names.iter().map(|n| format!("print({n});\n")).collect();
    assert_eq!(work(&format!("{NETWORK}{lines}"), &[]), (flops, 1), "one print after the other");
    let text =
        format!("{NETWORK} let s = \"{{loss}} {{g1}} {{g2}} {{g3}} {{g4}} {{g5}}\"; print(s);");
    assert_eq!(work(&text, &[]), (flops, 1), "parts of a string under a name");
    // The forward pass alone is more than a tenth of all: five of them would be seen.
    let (forward, _) = work(NETWORK, &["loss"]);
    assert!(10 * forward > flops && 5 * forward > flops / 2, "{forward} of {flops}");
    let (one, _) = work(NETWORK, &["g1"]);
    assert!(flops < 3 * one, "{flops} for all, {one} for one");
}

#[test]
fn the_example_of_a_program_inside_another_runs() {
    embed::main();
}
