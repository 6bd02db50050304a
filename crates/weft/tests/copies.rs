//! Arrays go into a run and come out of it without a copy: told by what the process holds at most.

use std::sync::Arc;
use weft::{Array, Compiler, Inputs};

const NUMBERS: usize = 16 << 20;

/// Kilobytes of one array.
const ARRAY: u64 = (NUMBERS * 8) as u64 >> 10;

/// What the process has held at most, in kilobytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("the system says it");
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).expect("it has a peak");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

#[test]
fn an_input_is_read_and_a_result_handed_out_where_they_are() {
    // Room for the result, and for no copy of it or of the input.
    let compiler = Compiler::new().memory_limit((ARRAY << 10) + (1 << 20));
    let source = "input x: [f64; n]; let y[i] = 2.0 * x[i] + 1.0;";
    let mut program = compiler.compile("test.ein", source).unwrap_or_else(|e| panic!("{e}"));
    let start: Vec<f64> = (0..NUMBERS).map(|i| i as f64).collect();
    let owner: Arc<Vec<f64>> = Arc::new(start);
    let x = Arc::new(Array::shared(vec![NUMBERS], owner.clone()).expect("as many"));
    let before = peak();
    let mut last = x.clone();
    for _ in 0..3 {
        let inputs = Inputs::new().array("x", last.clone()).ask("y");
        let outputs = program.run(&inputs).unwrap_or_else(|e| panic!("{e}"));
        last = outputs.array("y").expect("it was asked for").clone();
    }
    let (after, found) = (peak(), last.as_slice::<f64>().expect("of f64"));
    assert!((0..NUMBERS).all(|i| found[i] == 8.0 * i as f64 + 7.0));
    // What goes in beside what comes out: two arrays beside the caller's own.
    assert!(after < before + 2 * ARRAY + ARRAY / 2, "{after} kB after {before} kB");
    assert!((0..NUMBERS).all(|i| owner[i] == i as f64), "an input is never written");
}

#[test]
fn a_limit_counts_what_a_run_allocates() {
    let source = "input x: [f64; n]; let y[i] = 2.0 * x[i]; let z = y[3];";
    let x = Arc::new(Array::from_vec(vec![1 << 20], vec![1.5; 1 << 20]).expect("as many"));
    let run = |limit: u64, name: &str| {
        let compiler = Compiler::new().memory_limit(limit);
        let mut program = compiler.compile("test.ein", source).unwrap_or_else(|e| panic!("{e}"));
        let inputs = Inputs::new().array("x", x.clone()).ask(name);
        program.run(&inputs).map(|outputs| outputs.array(name).expect("it was asked for").get(0))
    };
    let array = 8 << 20;
    assert_eq!(run(array, "y").expect("the result fits").as_f64(), Some(3.0));
    let refused = run(array - 1, "y").expect_err("the result does not fit").to_string();
    assert!(refused.contains("E1106"), "{refused}");
    assert!(!refused.contains("`x`"), "what is lent takes nothing: {refused}");
}
