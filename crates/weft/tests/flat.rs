//! What is compiled for a gradient does not depend on how many steps it goes through.

use weft::{Emit, Options, RunOptions, Session};

const HEAT: &str = "
    let n = 1000; let T = STEPS;
    let start[i in 0..n] = std::math::sin(0.01 * (i as f64));
    let u[0, i in 0..n] = start[i];
    let u[t in 1..T, i in 1..n - 1] =
        u[t - 1, i] + 0.25 * (u[t - 1, i - 1] - 2 * u[t - 1, i] + u[t - 1, i + 1]);
    let energy = sum[i](u[T - 1, i] ** 2);
    print(@energy / @start);";

const BURGERS: &str = "
    let n = 1000; let T = STEPS;
    let start[i in 0..n] = std::math::sin(0.01 * (i as f64));
    let u[0, i in 0..n] = start[i];
    let u[t in 1..T, i in 1..n - 1] = u[t - 1, i]
        - 0.2 * u[t - 1, i] * (u[t - 1, i] - u[t - 1, i - 1])
        + 0.1 * (u[t - 1, i - 1] - 2 * u[t - 1, i] + u[t - 1, i + 1]);
    let energy = sum[i](u[T - 1, i] ** 2);
    print(@energy / @start);";

/// The loops of a program for so many steps: what machine code is made of, and kept by.
fn loops(text: &str, steps: usize) -> String {
    let mut session = Session::new();
    let options = Options::default();
    let text = text.replace("STEPS", &steps.to_string());
    let (program, found) = session.check("test.ein", &text, &options);
    let program = program.unwrap_or_else(|| panic!("{found:?}"));
    let how = RunOptions::default();
    session.emit(&program, &options, &how, &|_| false, Emit::Loops).expect("it has an order")
}

#[test]
fn gradients_compile_to_the_same_for_any_number_of_steps() {
    for text in [HEAT, BURGERS] {
        let few = loops(text, 100);
        assert!(few.lines().count() > 20, "there are loops");
        assert!(loops(text, 1_000) == few, "the loops of 1000 steps differ");
        // Beyond the caches a run keeps some steps alone, and the loops say how far apart.
        let many = loops(text, 10_000).lines().count();
        assert!(many < 3 * few.lines().count(), "{many} lines of loops for 10,000 steps");
        let more = loops(text, 1_000_000).lines().count();
        assert!(more == many, "{more} lines of loops for a million steps");
    }
}
