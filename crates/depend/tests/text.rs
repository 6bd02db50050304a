//! Dependences in their text form.

use weft_depend::{Statements, print};
use weft_tensor::parse;

fn dependences(text: &str) -> String {
    let graph = parse(text).unwrap_or_else(|e| panic!("{e}"));
    print(&graph, &Statements::compute(&graph, graph.tensors.keys()))
}

/// A recurrence along `t` of `n` steps over the tensor `d`, with these nodes.
fn recurrence(nodes: &str, cell: &str) -> String {
    dependences(&format!(
        "param p0 \"n\" at file0 0 .. 1 least 1
site s0 \"integer overflow\" at file0 0 .. 1
site s1 \"index out of range\" at file0 0 .. 1
tensor t0 \"d\" at file0 0 .. 1 i32 [p0] input
tensor t1 \"s\" at file0 0 .. 1 i64 [p0 \"t\"] covered [a0]
assign a0 t1 {{
  iters [i0 \"t\"]
  for i0 in 1 .. p0
{nodes}
  write [i0]
  set {cell}
}}
"
    ))
}

#[test]
fn affine_reads_have_their_distances() {
    let text = "param p0 \"n\" at file0 0 .. 1 least 4
tensor t0 \"y\" at file0 0 .. 1 f64 [p0 \"t\", 4 \"j\"] covered [a0]
assign a0 t0 {
  iters [i0 \"t\", i1 \"j\", i2 \"k\"]
  for i0 in 3 .. p0
  for i1 in 0 .. 4
  for i2 in 1 .. 4
  e0 f64 = read t0 [i0 - i2, i1]
  e1 f64 = read t0 [i0 - 2, 3]
  e2 f64 = add e0 e1
  write [i0, i1]
  sum e2
}
";
    assert_eq!(
        dependences(text),
        "a0 reads t0[i0 - i2, i1] of a0 at [-3..=-1, 0]
a0 reads t0[i0 + (-2), 3] of a0 at [-2, 0..=3]
"
    );
}

/// `if d[t] >= 1 && d[t] <= 3 { s[t - d[t]] }`, with the index in 32 bits.
#[test]
fn a_guard_on_data_bounds_the_distance() {
    let found = recurrence(
        "  e0 i32 = read t0 [i0]
  e1 i32 = const 1 i32
  e2 bool = ge e0 e1
  e3 i32 = const 3 i32
  e4 bool = le e0 e3
  e5 bool = const false
  e6 bool = if e2 e4 e5
  e7 i64 = index i0
  e8 i32 = cast i32 e7
  e9 i64 = cast i64 e8
  e10 bool = eq e9 e7
  e11 i32 = check e10 e8 at s0
  e12 i32 = sub e11 e0 at s0
  e13 i64 = cast i64 e12
  e14 i64 = read t1 [e13] at s1
  e15 i64 = const 0 i64
  e16 i64 = if e6 e14 e15",
        "e16",
    );
    let found = found.lines().last();
    assert_eq!(found, Some("a0 reads t1[i1] of a0 at [-3..=-1]"));
}

/// Nothing is said of `d[t]`, and of a number of 8 bits nothing is taken in.
#[test]
fn other_data_may_be_anywhere() {
    let found = recurrence(
        "  e0 i32 = read t0 [i0]
  e1 i32 = const 1 i32
  e2 bool = ge e0 e1
  e3 i8 = cast i8 e0
  e4 i64 = index i0
  e5 i8 = cast i8 e4
  e6 i8 = sub e5 e3 at s0
  e7 i64 = cast i64 e6
  e8 i64 = read t1 [e7] at s1
  e9 i64 = const 0 i64
  e10 i64 = if e2 e8 e9",
        "e10",
    );
    assert_eq!(found.lines().last(), Some("a0 reads t1[i1] of a0 at [..]"));
}

/// `if (d[t] as u32) >= 0 { s[t - d[t]] }`: the conversion saturates, and `d[t]` may be negative.
#[test]
fn a_conversion_that_saturates_says_nothing() {
    let found = recurrence(
        "  e0 i32 = read t0 [i0]
  e1 u32 = cast u32 e0
  e2 u32 = const 0 u32
  e3 bool = ge e1 e2
  e4 i64 = index i0
  e5 i64 = cast i64 e0
  e6 i64 = sub e4 e5 at s0
  e7 i64 = read t1 [e6] at s1
  e8 i64 = const 0 i64
  e9 i64 = if e3 e7 e8",
        "e9",
    );
    assert_eq!(found.lines().last(), Some("a0 reads t1[i1] of a0 at [..]"));
}
