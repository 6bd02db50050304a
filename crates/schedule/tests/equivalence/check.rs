//! One graph, three executors: the evaluator before planning, the evaluator after, and the
//! interpreter of the lowered routine.

use crate::build::Case;
use std::collections::BTreeSet;
use std::sync::Arc;
use weft_base::entity::PrimaryMap;
use weft_loops::interp::{Memory, run};
use weft_plan::{BufferRole, Plan, PlanOptions, plan};
use weft_scalar::Scalar;
use weft_schedule::{Kernel, Machine, Sizes, lower};
use weft_shape::Param;
use weft_tensor::eval::{Binding, Limits, evaluate};
use weft_tensor::{Array, Definition, TensorId, verify};

pub fn binding(case: &Case) -> Binding {
    Binding {
        params: case.params.iter().copied().collect(),
        inputs: case.inputs.iter().cloned().collect(),
        ..Binding::default()
    }
}

/// The variants of planning that must all agree.
pub fn variants() -> Vec<PlanOptions> {
    let all = PlanOptions { strict: true, ..PlanOptions::default() };
    vec![
        all.clone(),
        PlanOptions { inline: false, ..all.clone() },
        PlanOptions { windows: false, ..all.clone() },
        PlanOptions { inline: false, windows: false, share_buffers: false, ..all },
    ]
}

/// Plans, or fails the test with the reason.
pub fn planned(case: &Case, observed: &[TensorId], options: &PlanOptions) -> Plan {
    plan(&case.graph, observed, &BTreeSet::new(), options).unwrap_or_else(|e| panic!("{e}"))
}

/// Bytes of tiles in time that a few cells fill.
const TILES: [i64; 3] = [70, 200, 500];

/// A machine with other vectors and tiles.
fn avx2() -> Machine {
    Machine::new(weft_target::Processor::AVX2)
}

/// One on which tiles in time take so many bytes, and long rows are those of a few steps.
pub fn in_parts(bytes: i64) -> Machine {
    Machine { sizes: Sizes::small(bytes), ..Machine::default() }
}

/// What the evaluator says.
pub fn values(case: &Case, observed: &[TensorId]) -> Vec<Arc<Array>> {
    evaluate(&case.graph, &binding(case), observed, &Limits::default()).expect("the case runs")
}

/// Every variant gives the evaluator's bits.
pub fn check(case: &Case, observed: &[TensorId]) {
    let mut case = case.clone();
    case.graph.facts.clone_from(&case.graph.facts.clone());
    verify(&case.graph).unwrap_or_else(|e| panic!("the case is no graph: {e:?}"));
    let binding = binding(&case);
    let expected = evaluate(&case.graph, &binding, observed, &Limits::default());
    let expected = expected.unwrap_or_else(|e| panic!("the case fails: {e:?}"));
    // Extents known beforehand decide what is packed.
    let likely = case.params.iter().copied().collect();
    let known = PlanOptions { strict: true, likely, ..PlanOptions::default() };
    for options in variants().into_iter().chain([known]) {
        let p = planned(&case, observed, &options);
        verify(&p.graph).unwrap_or_else(|e| panic!("{options:?}: {e:?}\n{p}"));
        let again = evaluate(&p.graph, &binding, observed, &Limits::default());
        let again = again.unwrap_or_else(|e| panic!("{options:?}: {e:?}"));
        compare(&expected, &again, &format!("evaluator after {options:?}\n{p}"));
        let k = lower(&p, "test", Machine::default());
        for k in [&k, &lower(&p, "test", avx2())] {
            let found = execute(&case, &p, k);
            let found = found.unwrap_or_else(|e| panic!("{e}\n{options:?}\n{p}\n{}", k.function));
            compare(&expected, &found, &format!("{options:?}\n{p}\n{}", k.function));
        }
        for bytes in TILES {
            let tiled = lower(&p, "test", in_parts(bytes));
            if tiled.function.to_string() == k.function.to_string() {
                break;
            }
            let found = execute(&case, &p, &tiled);
            let found = found.unwrap_or_else(|e| panic!("{e}\n{p}\n{}", tiled.function));
            compare(&expected, &found, &format!("{bytes}, {options:?}\n{p}\n{}", tiled.function));
        }
    }
}

fn compare(expected: &[Arc<Array>], found: &[Arc<Array>], what: &str) {
    for (n, (x, y)) in expected.iter().zip(found).enumerate() {
        assert_eq!(x.shape(), y.shape(), "shape of output {n}: {what}");
        for at in 0..x.len() {
            let (a, b) = (x.get(at), y.get(at));
            let nan = |s: Scalar| match s {
                Scalar::F64(v) => v.is_nan(),
                Scalar::F32(v) => v.is_nan(),
                _ => false,
            };
            let same = a == b || nan(a) && nan(b);
            assert!(same, "output {n} at {at}: {a} but {b}; {what}");
        }
    }
}

/// Runs the routine on the interpreter; an error says what failed.
pub fn execute(case: &Case, p: &Plan, k: &Kernel) -> Result<Vec<Arc<Array>>, String> {
    weft_loops::verify(&k.function).map_err(|e| e.to_string())?;
    let mut params: PrimaryMap<Param, i64> = PrimaryMap::new();
    for (_, v) in &case.params {
        params.push(*v);
    }
    let bound = p.bind(&params, None).map_err(|e| e.to_string())?;
    let garbage = |elem, len: usize| {
        let mut m = Memory::zeroed(elem, len);
        for i in 0..len {
            m.set(i, Scalar::from_i64(elem, 77));
        }
        m
    };
    let mut memory: Vec<Memory> = Vec::new();
    for &b in &k.signature.buffers {
        let (elem, count) = (p.buffers[b].elem, bound.buffers[b].elements as usize);
        memory.push(match p.buffers[b].role {
            BufferRole::Given(t) => given(case, p, t),
            _ => garbage(elem, count),
        });
        assert_eq!(memory.last().expect("pushed").len(), count, "size of {b}");
    }
    let scalars: Vec<Scalar> = params.values().map(|&v| Scalar::I64(v)).collect();
    run(&k.function, &scalars, &mut memory, 50_000_000).map_err(|e| e.to_string())?;
    Ok(p.observed
        .iter()
        .zip(&bound.shapes)
        .map(|(&t, shape)| {
            let b = p.storage[t].buffer().expect("observed tensors are stored");
            let at = k.signature.buffers.iter().position(|&x| x == b).expect("listed");
            let values = memory[at].scalars();
            let elem = p.graph.tensors[t].elem;
            let data = weft_tensor::Data::from_scalars(elem, &values);
            Arc::new(Array::new(shape.clone(), data).expect("as many elements as cells"))
        })
        .collect())
}

fn given(case: &Case, p: &Plan, t: TensorId) -> Memory {
    let array = match &p.graph.tensors[t].definition {
        Definition::Constant(a) => a.clone(),
        _ => case.inputs.iter().find(|(x, _)| *x == t).expect("an input has a value").1.clone(),
    };
    let values: Vec<Scalar> = (0..array.len()).map(|i| array.get(i)).collect();
    Memory::from_scalars(array.elem(), &values)
}
