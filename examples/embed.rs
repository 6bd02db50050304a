//! Einlang inside a Rust program: `cargo run --release -p weft --example embed`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use weft::{Array, Compiler, Error, Inputs};

const HEAT: &str = "
input start: [f64; n];
input steps: i32 = 100;
let u[0, i in 0..n] = start[i];
let u[t in 1..steps, i in 1..n - 1] =
    u[t - 1, i] + 0.25 * (u[t - 1, i - 1] - 2 * u[t - 1, i] + u[t - 1, i + 1]);
let last[i] = u[steps - 1, i];";

/// Compiles a program, runs it, and does what may come between.
pub fn main() {
    let compiler = Compiler::new().memory_limit(1 << 30);
    let mut heat = compiler.compile("heat.ein", HEAT).unwrap_or_else(|e| panic!("{e}"));

    let mut start = vec![0.0; 50];
    start[25] = 1.0;
    let start = Arc::new(Array::from_vec(vec![50], start).expect("50 elements"));
    let inputs = Inputs::new().array("start", start).ask("last");
    println!("{}", heat.plan(&inputs).unwrap_or_else(|e| panic!("{e}")));
    let outputs = heat.run(&inputs).unwrap_or_else(|e| panic!("{e}"));
    let last = outputs.array("last").expect("it was asked for");
    println!("in the middle {}", last.get(25).number_text());

    let wrong = Inputs::new().literal("start", "[1, 2.5, \"three\"]").ask("last");
    match heat.run(&wrong) {
        Err(Error::Failed(report)) => println!("{report}"),
        other => panic!("an input of no type: {other:?}"),
    }

    let stop = AtomicBool::new(false);
    let long = inputs.literal("steps", "2000000000").interrupt(&stop);
    let ended = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            stop.store(true, Ordering::Relaxed);
        });
        heat.run(&long)
    });
    println!("a long run: {}", ended.expect_err("it takes hours"));
}
