//! Operations counted by hand.

use weft_loops::{flops, parse};
use weft_scalar::Scalar;

fn count(text: &str, params: &[i64]) -> u64 {
    let params: Vec<Scalar> = params.iter().map(|&p| Scalar::I64(p)).collect();
    flops(&parse(text).unwrap(), &params)
}

#[test]
fn a_matrix_product_has_a_multiplication_and_an_addition_for_each_term() {
    let text = r#"(function "mm" (param p0 "n" i64) (local l0 "sum" f32)
      (var v0 "i") (var v1 "j") (var v2 "k")
      (buffer b0 "a" f32 in (mul p0 p0)) (buffer b1 "c" f32 out (mul p0 p0))
      (for v0 0 p0 1 serial (for v1 0 p0 1 serial
        (set l0 0.0f32)
        (for v2 0 p0 1 serial
          (accumulate l0 add
            (mul (load b0 (add (mul v0 p0) v2)) (load b0 (add (mul v2 p0) v1)))))
        (store b1 (add (mul v0 p0) v1) l0))))"#;
    assert_eq!(count(text, &[10]), 2 * 1000);
    assert_eq!(count(text, &[0]), 0);
    assert_eq!(count(text, &[1_000_000]), 2_000_000_000_000_000_000);
}

#[test]
fn triangles_and_boundaries_are_counted_and_integers_are_not() {
    let triangle = r#"(function "t" (param p0 "n" i64) (local l0 "s" f64) (local l1 "m" i64)
      (var v0 "i") (var v1 "j")
      (for v0 0 p0 1 serial
        (set l1 (add v0 1))
        (for v1 0 l1 1 serial (set l0 (mul l0 2.0f64)))))"#;
    assert_eq!(count(triangle, &[100]), 5050);
    let guarded = r#"(function "g" (param p0 "n" i64) (local l0 "s" f64) (var v0 "i")
      (for v0 0 p0 2 serial
        (if (lt v0 2) (then (set l0 (add l0 1.0f64)))
          (else (set l0 (sqrt (add l0 1.0f64)))))))"#;
    // Iterations 0, 2, 4, … 98: one of 1, and 49 of 2.
    assert_eq!(count(guarded, &[100]), 99);
    let backwards = r#"(function "b" (param p0 "n" i64) (local l0 "s" f32) (var v0 "i")
      (for v0 p0 0 -3 serial (set l0 (neg l0))))"#;
    // 10, 7, 4, 1.
    assert_eq!(count(backwards, &[10]), 4);
}

#[test]
fn tiles_numbered_in_one_loop_are_counted_by_rows_and_columns() {
    // A matrix of n by n in tiles of 256 cells a side, those of the last row and column cut.
    let tiles = r#"(function "t" (param p0 "n" i64) (local l0 "s" f32)
      (var v0 "tile") (var v1 "i") (var v2 "j")
      (def e0 (floor_div (add p0 255) 256))
      (for v0 0 (mul e0 e0) 1 parallel
        (def e1 (mul (floor_div v0 e0) 256))
        (def e2 (mul (floor_mod v0 e0) 256))
        (for v1 e1 (min (add e1 256) p0) 1 serial
          (for v2 e2 (min (add e2 256) p0) 1 serial
            (set l0 (add l0 1.0f32))))))"#;
    for n in [100, 576, 1000, 5000] {
        assert_eq!(count(tiles, &[n]), (n * n) as u64);
    }
}

#[test]
fn guards_that_cut_a_range_anywhere_are_found() {
    // Elimination by rows: 2 * (n - k - 1) operations for each k below i.
    let rows = r#"(function "r" (param p0 "n" i64) (local l0 "s" f64)
      (var v0 "i") (var v1 "k") (var v2 "j")
      (for v0 0 p0 1 serial (for v1 0 p0 1 serial
        (if (lt v1 v0)
          (then (for v2 (add v1 1) p0 1 serial (accumulate l0 add (mul l0 2.0f64))))))))"#;
    for n in [10, 100, 512, 3000] {
        let exact: i64 = (0..n).map(|k| 2 * (n - k - 1) * (n - k - 1)).sum();
        let off = count(rows, &[n]) as f64 / exact as f64 - 1.0;
        assert!(off.abs() < 1e-2, "{n}: {off}");
    }
}

#[test]
fn what_changes_everywhere_ends_soon() {
    let mut text = "(set l0 (add l0 1.0f64))".to_string();
    let mut head = String::new();
    for n in (0..6).rev() {
        head = format!("(var v{n} \"i\") {head}");
        text = format!("(for v{n} 0 p0 1 serial (if (eq (floor_mod v{n} 3) 0) (then {text})))");
    }
    let text = format!(r#"(function "m" (param p0 "n" i64) (local l0 "s" f64) {head} {text})"#);
    assert!(count(&text, &[1_000_000]) > 0);
}

#[test]
fn locals_that_iterations_set_say_nothing_behind_the_loop() {
    let carried = r#"(function "c" (param p0 "n" i64) (local l0 "s" f32) (local l1 "m" i64)
      (var v0 "i") (var v1 "j") (var v2 "k")
      (set l1 p0)
      (for v2 0 l1 1 serial (set l0 (add l0 1.0f32)))
      (for v0 0 p0 1 serial (set l1 (mul v0 2)))
      (for v1 0 l1 1 serial (set l0 (add l0 1.0f32))))"#;
    // The first loop runs so often; the last one counts once, since its end is not known.
    assert_eq!(count(carried, &[100]), 101);
    let chosen = r#"(function "d" (param p0 "n" i64) (local l0 "s" f32) (local l1 "m" i64)
      (var v0 "i") (var v1 "j")
      (for v0 0 p0 1 serial
        (if (lt v0 10) (then (set l1 1)) (else (set l1 5)))
        (for v1 0 l1 1 serial (set l0 (add l0 1.0f32)))))"#;
    assert_eq!(count(chosen, &[100]), 10 + 5 * 90);
}

#[test]
fn deep_nests_of_tiles_are_counted_at_once() {
    // Eight loops over tiles of 7, each with a last one that is cut.
    let depth = 8;
    let mut text = String::from(r#"(function "deep" (param p0 "n" i64) (local l0 "s" f32)"#);
    (0..2 * depth).for_each(|v| text.push_str(&format!(" (var v{v} \"i{v}\")")));
    for d in 0..depth {
        let (tile, cell) = (2 * d, 2 * d + 1);
        text.push_str(&format!("(for v{tile} 0 p0 7 serial "));
        text.push_str(&format!("(for v{cell} v{tile} (min (add v{tile} 7) p0) 1 serial "));
    }
    text.push_str("(set l0 (add l0 1.0f32))");
    text.push_str(&")".repeat(2 * depth + 1));
    assert_eq!(count(&text, &[100]), 100u64.pow(8));
}
