//! Reads along a joined axis, which no sweep inverts: refused in both directions.

use weft_grad::{Cause, Quotient, Strategy, expand_quotients};
use weft_tensor::{Graph, TensorId, parse};

/// `y[i] = x[i | 2 + j]`, summed over the joined parts, and `@y / @x`, which `z` reads.
const JOINED: &str = "tensor t0 \"x\" f64 [5] input
tensor t1 \"y\" f64 [] covered [a0]
tensor t2 \"@y / @x\" f64 [5] input
tensor t3 \"z\" f64 [5] covered [a1]
assign a0 t1 {
  iters [i0, i1]
  for i0 in 0 .. 2 ^ i1 in 0 .. 3
  e0 f64 = read t0 [{i0: i0, i1: i1 + (2)}]
  write []
  sum e0
}
assign a1 t3 {
  iters [i0]
  for i0 in 0 .. 5
  e0 f64 = read t2 [i0]
  write [i0]
  set e0
}
";

fn graph() -> Graph {
    parse(JOINED).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn no_tangent_is_made_up() {
    for strategy in [Strategy::Forward, Strategy::Reverse] {
        let mut graph = graph();
        let [x, y, quotient] = [0, 1, 2].map(TensorId::from_u32);
        let quotient =
            Quotient { tensor: quotient, target: y, independent: x, cells: false, span: None };
        let refused = expand_quotients(&mut graph, &[quotient], &[], strategy);
        assert_eq!(refused.map(|_| ()).map_err(|r| r.cause), Err(Cause::Index), "{strategy:?}");
    }
}
