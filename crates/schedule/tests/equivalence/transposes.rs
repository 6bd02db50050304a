//! Elementwise nests whose operands lie along another index than what is written.

use crate::build::*;
use crate::check::{check, planned};
use weft_domain::Affine;
use weft_plan::PlanOptions;
use weft_scalar::{BinaryOp::*, ScalarType};
use weft_schedule::{Machine, lower};
use weft_tensor::TensorId;

fn is_tiled(c: &Case, observed: TensorId) -> bool {
    let p = planned(c, &[observed], &PlanOptions::default());
    lower(&p, "k", Machine::default()).function.to_string().contains("\"tile\"")
}

/// `z[i, j] = x[i, j] * y[j, i] + w[j + 1, i]`, with more cells than a tile has.
#[test]
fn operands_are_turned_beside_others() {
    for (rows, columns) in [(67, 70), (131, 3), (1, 140), (0, 5)] {
        let mut c = Case::seeded(21);
        let (n, m) = (c.param("n", rows, 0), c.param("m", columns, 0));
        let x0 = c.input("x", F64, &[n.clone(), m.clone()]);
        let y0 = c.input("y", F64, &[m.clone(), n.clone()]);
        let w0 = c.input("w", F64, &[m.plus_const(1), n.clone()]);
        let case = c.clone();
        let z = c.define("z", F64, &[n, m], |x, i| {
            let v = x.read(&case, x0, &[it(i[0]), it(i[1])]);
            let y = x.read(&case, y0, &[it(i[1]), it(i[0])]);
            let w = x.read(&case, w0, &[off(i[1], 1), it(i[0])]);
            let p = x.op(Mul, v, y);
            x.op(Add, p, w)
        });
        check(&c, &[z]);
        assert!(is_tiled(&c, z));
    }
}

/// `z[b, i, j] = x[j, b, i]` of small integers: more cells to a row of the tile.
#[test]
fn other_indices_run_around_the_tiles() {
    let mut c = Case::seeded(22);
    let (n, m) = (c.param("n", 133, 0), c.param("m", 9, 0));
    let x0 = c.input("x", ScalarType::I32, &[m.clone(), size(2), n.clone()]);
    let case = c.clone();
    let z = c.define("z", ScalarType::I32, &[size(2), n, m], |x, i| {
        x.read(&case, x0, &[it(i[2]), it(i[0]), it(i[1])])
    });
    check(&c, &[z]);
    assert!(is_tiled(&c, z));
}

/// What lies along the written index, or along none, is not turned.
#[test]
fn what_lies_along_the_target_is_not_turned() {
    let mut c = Case::seeded(23);
    let n = c.param("n", 9, 1);
    let x0 = c.input("x", F64, &[n.clone(), n.clone()]);
    let case = c.clone();
    let z = c.define("z", F64, &[n.clone(), n.clone()], |x, i| {
        let same = x.read(&case, x0, &[it(i[0]), it(i[1])]);
        let diagonal = x.read(&case, x0, &[it(i[1]), it(i[1])]);
        let row = x.read(&case, x0, &[Affine::fixed(0), it(i[0])]);
        let sum = x.op(Add, same, diagonal);
        x.op(Add, sum, row)
    });
    check(&c, &[z]);
    assert!(!is_tiled(&c, z));
}

/// Few cells, by the extents that are known beforehand, are near without tiles.
#[test]
fn small_transposes_have_no_tiles() {
    let mut c = Case::seeded(24);
    let n = c.param("n", 9, 1);
    let x0 = c.input("x", F64, &[n.clone(), n.clone()]);
    let case = c.clone();
    let z = c
        .define("z", F64, &[n.clone(), n.clone()], |x, i| x.read(&case, x0, &[it(i[1]), it(i[0])]));
    let likely = c.params.iter().copied().collect();
    let options = PlanOptions { likely, ..PlanOptions::default() };
    let p = planned(&c, &[z], &options);
    assert!(!lower(&p, "k", Machine::default()).function.to_string().contains("\"tile\""));
}
