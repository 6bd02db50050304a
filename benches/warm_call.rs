//! What a call of a compiled program costs besides its kernel:
//! `cargo run --release -p weft --example warm_call`.

use std::sync::Arc;
use std::time::Instant;
use weft::{Array, Compiler, Inputs};

/// Calls that are timed, after as many that are not.
const CALLS: usize = 2_000;

/// A program over vectors, and how long they are.
const PROGRAMS: [(&str, &str, usize); 4] = [
    ("scaled, 8 numbers", "input x: [f64; n]; let y[i] = 2.0 * x[i] + 1.0;", 8),
    ("scaled, 1,000 numbers", "input x: [f64; n]; let y[i] = 2.0 * x[i] + 1.0;", 1_000),
    ("sum of squares, 1,000 numbers", "input x: [f64; n]; let y = sum[i](x[i] * x[i]);", 1_000),
    (
        "ten definitions, 1,000 numbers",
        "input x: [f64; n]; let a = sum[i](x[i]); let b[i] = x[i] - a; let c = max[i](b[i]);
         let d[i] = b[i] * c; let e = sum[i](d[i]); let f[i] = d[i] + e; let g = min[i](f[i]);
         let h[i] = f[i] * g; let k = sum[i](h[i]); let y[i] = h[i] - k;",
        1_000,
    ),
];

/// Prints the median and the least of many calls, in microseconds.
fn main() {
    for (name, source, len) in PROGRAMS {
        let compiler = Compiler::new();
        let mut program = compiler.compile("warm.ein", source).unwrap_or_else(|e| panic!("{e}"));
        let x: Vec<f64> = (0..len).map(|i| 1.0 / (1.0 + i as f64)).collect();
        let x = Arc::new(Array::from_vec(vec![len], x).expect("as many"));
        let inputs = Inputs::new().array("x", x).ask("y");
        let mut micros = Vec::new();
        for call in 0..2 * CALLS {
            let begin = Instant::now();
            let outputs = program.run(&inputs).unwrap_or_else(|e| panic!("{e}"));
            let taken = begin.elapsed();
            assert!(outputs.array("y").is_some());
            if call >= CALLS {
                micros.push(taken.as_secs_f64() * 1e6);
            }
        }
        micros.sort_by(f64::total_cmp);
        println!("{name:<32} median {:8.2} us, least {:8.2} us", micros[CALLS / 2], micros[0]);
    }
}
