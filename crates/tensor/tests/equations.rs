//! Equations: what a graph defines, as the source would say it.

use std::collections::{BTreeMap, BTreeSet};
use weft_tensor::{Called, Graph, TensorId, Unwritten, equations, parse};

/// The equations of the tensor that is called so, where all that have names are called by them.
fn written(text: &str, name: &str, linear: &[&str]) -> Result<Vec<String>, Unwritten> {
    let graph: Graph = parse(text).expect("a graph");
    let own = |t: TensorId| graph.tensors[t].name.as_ref().map(|n| (t, n.to_string()));
    let names: BTreeMap<TensorId, String> = graph.tensors.keys().filter_map(own).collect();
    let of = |wanted: &str| *names.iter().find(|(_, n)| *n == wanted).expect("a name").0;
    let (t, linear) = (of(name), linear.iter().map(|n| of(n)).collect::<BTreeSet<_>>());
    let found = equations(&graph, &Called { names: names.clone(), linear }, t)?;
    Ok(found.into_iter().map(|e| format!("{}: {}", e.slots, e.right)).collect())
}

const CONTRACTION: &str = r#"
param p0 "n"
tensor t0 "a" f64 [p0, 3] input
tensor t1 f64 [p0 "i"] covered [a0]
tensor t2 "y" f64 [p0 "i"] covered [a1]
assign a0 t1 {
  iters [i0 "i", i1 "k"]
  for i0 in 0 .. p0
  for i1 in 0 .. 3
  e0 f64 = read t0 [i0, i1]
  e1 f64 = mul e0 e0
  write [i0]
  sum e1
}
assign a1 t2 {
  iters [i0 "i"]
  for i0 in 0 .. p0
  e0 f64 = read t1 [i0]
  e1 f64 = const 2.0 f64
  e2 f64 = sub e0 e1
  e3 f64 = mul e2 e2
  write [i0]
  set e3
}
"#;

#[test]
fn what_has_no_name_is_written_where_it_is_read() {
    let text = written(CONTRACTION, "y", &[]).unwrap();
    assert_eq!(text, ["[i]: (sum[k](a[i, k] ** 2) - 2.0) ** 2"]);
}

const LINEAR: &str = r#"
tensor t0 "x" f64 [] input
tensor t1 "dx" f64 [] input
tensor t2 "dy" f64 [] covered [a0]
assign a0 t2 {
  iters []
  e0 f64 = read t0 []
  e1 f64 = read t1 []
  e2 f64 = mul e1 e0
  e3 f64 = mul e0 e1
  e4 f64 = add e2 e3
  e5 f64 = const 4.0 f64
  e6 f64 = div e4 e5
  write []
  set e6
}
"#;

#[test]
fn differentials_are_sums_of_terms_and_values_are_not() {
    assert_eq!(written(LINEAR, "dy", &["dx"]).unwrap(), [": 0.5 * x * dx"]);
    assert_eq!(written(LINEAR, "dy", &[]).unwrap(), [": (dx * x + x * dx) / 4.0"]);
}

#[test]
fn a_range_is_written_where_no_read_gives_it() {
    let text = CONTRACTION.replace("for i1 in 0 .. 3", "for i1 in 1 .. 3");
    let text = written(&text, "y", &[]).unwrap();
    assert_eq!(text, ["[i]: (sum[k in 1..3](a[i, k] ** 2) - 2.0) ** 2"]);
}

#[test]
fn an_index_is_called_otherwise_where_its_name_is_taken() {
    let text = CONTRACTION.replace("\"k\"", "\"i\"");
    let text = written(&text, "y", &[]).unwrap();
    assert_eq!(text, ["[i]: (sum[i2](a[i, i2] ** 2) - 2.0) ** 2"]);
}
