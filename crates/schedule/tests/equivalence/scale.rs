//! Compile time grows with the program: the size of the lowered routine stands for it.

use crate::build::*;
use crate::check::planned;
use weft_plan::PlanOptions;
use weft_scalar::BinaryOp::*;
use weft_schedule::{Machine, lower};

/// The nodes of the graph after planning and the expressions of the loops, for a chain of
/// `count` definitions of which each reads the one before it.
fn sizes(count: i64) -> (usize, usize) {
    let mut c = Case::seeded(1);
    let n = c.param("n", 5, 0);
    let mut last = c.input("x", F64, &[n.clone()]);
    for k in 0..count {
        let case = c.clone();
        let before = last;
        last = c.define(&format!("a{k}"), F64, &[n.clone()], |x, i| {
            let (v, w) = (x.read(&case, before, &[it(i[0])]), x.num(k as f64 + 1.5));
            x.op(Mul, v, w)
        });
    }
    let p = planned(&c, &[last], &PlanOptions::default());
    let nodes = p.graph.assigns.values().map(|a| a.exprs.len()).sum();
    (nodes, lower(&p, "k", Machine::default()).function.expr_count())
}

#[test]
fn a_chain_of_definitions_compiles_in_proportion_to_its_length() {
    let (small, large) = (sizes(400), sizes(1600));
    // Four times the length; bodies in the graph hold what was put into them.
    assert!(large.0 <= 5 * small.0, "{small:?} {large:?}");
    assert!(large.1 <= 5 * small.1, "{small:?} {large:?}");
}
