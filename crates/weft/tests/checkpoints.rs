//! Histories that are computed again from checkpoints give the numbers of whole ones, within
//! the memory that was allowed.

use weft::{Options, RunError, RunOptions, Session, Tier};

/// Prints what a program prints under a limit, by machine code.
fn run(text: &str, limit: u64) -> Result<Vec<f64>, RunError> {
    let mut session = Session::new();
    let options = Options { verify: true, ..Options::default() };
    let (program, diagnostics) = session.check("test.ein", text, &options);
    let program = program.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let how = RunOptions {
        tier: Tier::Native,
        memory_limit: limit,
        verify: true,
        ..RunOptions::default()
    };
    let mut out = Vec::new();
    session.run(&program, &options, &how, &|_| false, &mut out)?;
    let text = String::from_utf8(out).expect("output is UTF-8");
    let words = text.split(|c: char| c.is_whitespace() || "[]".contains(c));
    Ok(words.filter(|w| !w.is_empty()).map(|w| w.parse().expect("numbers")).collect())
}

/// The bytes that `explain` announces under a limit.
fn announced(text: &str, limit: u64) -> u64 {
    let mut session = Session::new();
    let options = Options::default();
    let how = RunOptions { memory_limit: limit, ..RunOptions::default() };
    let (program, _) = session.check("test.ein", text, &options);
    let program = program.expect("it checks");
    let explained = session.explain(&program, None, &options, &how).expect("an order");
    let line = explained.lines().find_map(|l| l.strip_prefix("segment 0: ")).expect("a size");
    line.split(' ').next().and_then(|n| n.parse().ok()).expect("bytes")
}

/// The same numbers with `limit` as without, and with what `explain` says is needed.
fn agrees(text: &str, limit: u64) {
    let whole = run(text, u64::MAX).unwrap_or_else(|e| panic!("{e:?}"));
    let again = run(text, limit).unwrap_or_else(|e| panic!("{e:?}"));
    assert_eq!(whole.len(), again.len());
    for (a, b) in whole.iter().zip(&again) {
        assert!((a - b).abs() <= 1e-11 * a.abs(), "{a} but {b}");
    }
    assert!(announced(text, u64::MAX) > 4 * limit, "the limit tests nothing");
    let needed = announced(text, limit);
    assert!(needed <= limit, "{needed} bytes");
    run(text, needed).unwrap_or_else(|e| panic!("not with {needed} bytes: {e:?}"));
}

#[test]
fn of_a_stencil() {
    agrees(
        "let T = 3001; let n = 40; let a: f64 = 0.01;
         let f[i in 0..n] = std::math::sin(0.3 * (i as f64));
         let u[0, i in 0..n] = f[i];
         let u[t in 1..T, i in 1..n - 1] =
             u[t - 1, i] + 0.1 * (u[t - 1, i + 1] - 2.0 * u[t - 1, i] + u[t - 1, i - 1])
                 - a * u[t - 1, i] * (u[t - 1, i + 1] - u[t - 1, i - 1]);
         let e = sum[i](u[T - 1, i] ** 2);
         let by_f = @e / @f;
         let by_a = @e / @a;
         print(\"{e:.14e} {by_a:.14e} {by_f:.14e}\");",
        120_000,
    );
}

/// Steps that one level of segments keeps too many of: about 256 rows of 320 bytes and 79
/// more; two levels take some 100.
#[test]
fn in_segments_within_segments() {
    agrees(
        "let T = 20001; let n = 40; let a: f64 = 0.01;
         let f[i in 0..n] = std::math::sin(0.3 * (i as f64));
         let u[0, i in 0..n] = f[i];
         let u[t in 1..T, i in 1..n - 1] =
             u[t - 1, i] + 0.1 * (u[t - 1, i + 1] - 2.0 * u[t - 1, i] + u[t - 1, i - 1])
                 - a * u[t - 1, i] * (u[t - 1, i + 1] - u[t - 1, i - 1]) + 0.001 * f[i];
         let e = sum[i](u[T - 1, i] ** 2);
         let by_f = @e / @f;
         let by_a = @e / @a;
         print(\"{e:.14e} {by_a:.14e} {by_f:.14e}\");",
        60_000,
    );
}

/// The same from the last step down to the first, in segments and in segments of these.
#[test]
fn of_steps_that_run_downwards() {
    for limit in [180_000, 60_000] {
        agrees(
            "let T = 20001; let n = 40; let a: f64 = 0.01;
             let f[i in 0..n] = std::math::sin(0.3 * (i as f64));
             let u[t in 0..T - 2, i in 1..n - 1] =
                 u[t + 1, i] + 0.1 * (u[t + 1, i + 1] - 2.0 * u[t + 1, i] + u[t + 1, i - 1])
                     - a * u[t + 2, i] * (u[t + 1, i + 1] - u[t + 1, i - 1]) + 0.001 * f[i];
             let u[t in T - 2..T, i in 0..n] = f[i];
             let e = sum[i](u[0, i] ** 2);
             let by_f = @e / @f;
             let by_a = @e / @a;
             print(\"{e:.14e} {by_a:.14e} {by_f:.14e}\");",
            limit,
        );
    }
}

/// A scalar state that looks two steps back, a million steps of it: three levels keep 8 bytes
/// of some 200 of them, where one keeps thousands.
#[test]
fn of_a_million_steps() {
    agrees(
        "let T = 1000001; let p: [f64; 3] = [0.3, 0.2, 0.9];
         let x[0] = p[0]; let x[1] = p[0] + p[1];
         let x[t in 2..T] =
             p[2] * std::math::sin(x[t - 1]) + 0.05 * x[t - 2] * x[t - 1] + 0.01 * p[0];
         let e = x[T - 1] * x[T - 2];
         let by_p = @e / @p;
         print(\"{e:.14e} {by_p:.14e}\");",
        6_000,
    );
}

#[test]
fn of_steps_that_look_far_back() {
    agrees(
        "let T = 4000; let n = 16; let d: f64 = 0.01;
         let f[i in 0..n] = 0.1 * (i as f64);
         let u[t in 0..5, i in 0..n] = f[i] + d * (t as f64);
         let u[t in 5..T, i in 0..n] =
             u[t - 1, i] + d * std::math::sin(u[t - 3, i]) - d * std::math::sin(u[t - 5, i] * u[t - 1, i]);
         let e = sum[i](u[T - 1, i] * u[T - 3, i]);
         let by_f = @e / @f;
         let by_d = @e / @d;
         print(\"{e:.14e} {by_d:.14e} {by_f:.14e}\");",
        60_000,
    );
}

#[test]
fn of_a_network_with_a_loss_at_every_step() {
    agrees(
        &network(
            2000,
            "let by_W = @loss / @W;
         print(\"{loss:.14e} {by_W:.14e}\");",
        ),
        120_000,
    );
}

#[test]
fn of_two_sweeps_over_one_history() {
    agrees(
        "let T = 3000; let n = 24; let dt: f64 = 0.01;
         let f[i in 0..n] = 0.5 + 0.05 * (i as f64);
         let q[0, i in 0..n] = f[i];
         let q[t in 1..T, i in 0..n] = q[t - 1, i] + dt * p[t - 1, i];
         let p[0, i in 0..n]: f64 = 0.0;
         let p[t in 1..T, i in 0..n] = p[t - 1, i] - dt * std::math::sin(q[t, i]);
         let a = sum[i](q[T - 1, i] ** 2);
         let b = sum[i](std::math::sin(p[T - 1, i]));
         let by_f = @a / @f;
         let of_b = @b / @f;
         print(\"{a:.14e} {b:.14e} {by_f:.14e} {of_b:.14e}\");",
        60_000,
    );
}

/// A recurrent network over `steps` steps with a loss at each, and what is asked of it.
fn network(steps: usize, asked: &str) -> String {
    format!(
        "let T = {steps}; let n = 12;
         let W[i in 0..n, j in 0..n] = 0.25 * std::math::sin((3 * i + 5 * j) as f64);
         let x[t in 0..T] = std::math::sin(0.1 * (t as f64));
         let h[0, i in 0..n]: f64 = 0.0;
         let h[t in 1..T, i in 0..n] = std::math::tanh(sum[j](W[i, j] * h[t - 1, j]) + x[t]);
         let loss = mean[t in 1..T]((sum[i](h[t, i]) - x[t]) ** 2);
         {asked}"
    )
}

/// A Hessian times a vector: tangents run beside the history, and one sweep reads both.
#[test]
fn of_a_second_derivative() {
    agrees(
        "let T = 20001; let n = 40; let a: f64 = 0.01;
         let f[i in 0..n] = std::math::sin(0.3 * (i as f64));
         let u[0, i in 0..n] = f[i];
         let u[t in 1..T, i in 1..n - 1] =
             u[t - 1, i] + 0.1 * (u[t - 1, i + 1] - 2.0 * u[t - 1, i] + u[t - 1, i - 1])
                 - a * u[t - 1, i] * (u[t - 1, i + 1] - u[t - 1, i - 1]);
         let e = sum[i](u[T - 1, i] ** 2);
         let g = @e / @f;
         let along = sum[i](g[i] * (i as f64));
         let product = @along / @f;
         print(\"{product:.12e}\");",
        500_000,
    );
}

/// The gradient of a gradient's norm: four passes over the steps, of which the last two wait
/// for the gradient. They compute the states, and the adjoints, once more for themselves.
#[test]
fn of_the_norm_of_a_gradient() {
    agrees(
        "let T = 20001; let n = 40; let a: f64 = 0.01;
         let f[i in 0..n] = std::math::sin(0.3 * (i as f64));
         let u[0, i in 0..n] = f[i];
         let u[t in 1..T, i in 1..n - 1] =
             u[t - 1, i] + 0.1 * (u[t - 1, i + 1] - 2.0 * u[t - 1, i] + u[t - 1, i - 1])
                 - a * u[t - 1, i] * (u[t - 1, i + 1] - u[t - 1, i - 1]) + 0.001 * f[i];
         let e = sum[i](u[T - 1, i] ** 2);
         let g = @e / @f;
         let norm = sum[i](g[i] ** 2);
         let by_f = @norm / @f;
         let by_a = @norm / @a;
         print(\"{norm:.14e} {by_a:.12e} {by_f:.12e}\");",
        800_000,
    );
}

/// The same with a loss at every step, where the adjoints begin anew at each.
#[test]
fn of_the_norm_of_a_gradient_of_a_network() {
    agrees(
        &network(
            3000,
            "let g = @loss / @W;
         let norm = sum[i, j](g[i, j] ** 2);
         let by_W = @norm / @W;
         print(\"{norm:.14e} {by_W:.12e}\");",
        ),
        100_000,
    );
}

/// Third derivatives: the adjoints that another sweep runs against are kept whole, all else is
/// computed again, pass behind pass.
#[test]
fn of_norms_of_norms() {
    agrees(
        "let T = 20001; let n = 6;
         let f[i in 0..n]: f64 = 0.5 + 0.05 * (i as f64);
         let u[0, i in 0..n] = f[i];
         let u[t in 1..T, i in 0..n] =
             u[t - 1, i] + 0.0001 * (f[(i + 1) % n] - u[t - 1, i] ** 3);
         let e = sum[i](u[T - 1, i] ** 2);
         let g = @e / @f;
         let p = sum[i](g[i] ** 2);
         let h = @p / @f;
         let q = sum[i](h[i] ** 2);
         let by_f = @q / @f;
         print(\"{by_f:.11e}\");",
        1_000_000,
    );
}

/// A step of `u` and what the end of `n` cells over `T` steps gives, with tangents by hand.
fn quadratic(step: &str, tangent: &str) -> String {
    format!(
        "let T = 9001; let n = 1000;
         let f[i in 0..n]: f64 = 0.75 + 0.001 * (i as f64);
         let u[0, i in 0..n] = f[i];
         let u[t in 1..T, i in 0..n] = {step};
         let v[0, i in 0..n]: f64 = 1.0;
         let v[t in 1..T, i in 0..n] = {tangent};
         let e = sum[i](u[T - 1, i] ** 2);
         let by_f = sum(@e / @f);
         let by_hand = sum[i](2.0 * u[T - 1, i] * v[T - 1, i]);
         print(\"{{by_f:.14e}} {{by_hand:.14e}}\");"
    )
}

/// 72 MB of history: steps of a few operations are sooner computed again, those with an
/// elementary function are kept.
#[test]
fn of_light_steps_beyond_the_caches() {
    let light = quadratic(
        "u[t - 1, i] - 0.001 * u[t - 1, i] ** 2",
        "v[t - 1, i] * (1.0 - 0.002 * u[t - 1, i])",
    );
    let heavy = quadratic(
        "u[t - 1, i] - 0.001 * std::math::sin(u[t - 1, i])",
        "v[t - 1, i] * (1.0 - 0.001 * std::math::cos(u[t - 1, i]))",
    );
    assert!(announced(&light, u64::MAX) < 8_000_000);
    assert!(announced(&heavy, u64::MAX) > 70_000_000);
    for text in [&light, &heavy] {
        let numbers = run(text, u64::MAX).unwrap_or_else(|e| panic!("{e:?}"));
        assert!((numbers[0] - numbers[1]).abs() <= 1e-10 * numbers[1].abs(), "{numbers:?}");
    }
}
