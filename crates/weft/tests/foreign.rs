//! Functions of whoever runs a program: the door that Python comes through, from Rust.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use weft::{
    Array, Compiler, Error, ForeignCall, ForeignFunctions, Gives, Inputs, Modules, Observed,
    Program, Refused, ScalarType, Source,
};

/// A module `host` with `sorted`, `wrong`, `fails` and `stops`.
#[derive(Debug, Default)]
struct Host {
    calls: AtomicUsize,
}

impl ForeignFunctions for Host {
    fn call(&self, call: &ForeignCall, args: &[Observed]) -> Result<Observed, Refused> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let Some(x) = args[0].as_array() else { return Err(Refused::Failed("no array".into())) };
        match call.path.as_str() {
            "host::sorted" => {
                let mut all = x.as_slice::<f64>().expect("f64").to_vec();
                all.sort_by(f64::total_cmp);
                Ok(Observed::Array(Arc::new(Array::from_vec(vec![all.len()], all).expect("fits"))))
            }
            "host::wrong" => {
                assert_eq!(call.gives, Gives::Tensor(ScalarType::F64, vec![Some(x.len())]));
                Ok(Observed::Array(Arc::new(Array::from_vec(vec![1], vec![0.0]).expect("fits"))))
            }
            "host::fails" => Err(Refused::Failed("out of paper".into())),
            _ => Err(Refused::Stopped),
        }
    }
}

fn compiled(text: &str) -> Program {
    let modules = Modules { foreign: vec!["host".to_string()], ..Modules::default() };
    let source = Source::new("test.ein", text).modules(modules);
    Compiler::new().compile_source(&source).unwrap_or_else(|e| panic!("{e}"))
}

fn x(len: usize) -> Arc<Array> {
    let all: Vec<f64> = (0..len).map(|i| ((i * 7919) % len) as f64).collect();
    Arc::new(Array::from_vec(vec![len], all).expect("as many"))
}

const CALL: &str = "input x: [f64; n]; let y: [f64; n] = host::FUNCTION(x);
let step[i] = y[i + 1] - y[i]; let most = max(step); let first = x[0];";

#[test]
fn evaluator_and_machine_code_read_what_it_gave() {
    let mut program = compiled(&CALL.replace("FUNCTION", "sorted"));
    for len in [3, 50_000] {
        let host = Host::default();
        let inputs = Inputs::new().array("x", x(len)).ask("most").ask("step").foreign(&host);
        let outputs = program.run(&inputs).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(outputs.array("most").and_then(|a| a.get(0).as_f64()), Some(1.0));
        assert_eq!(host.calls.load(Ordering::Relaxed), 1, "it is called once");
    }
}

#[test]
fn it_is_not_called_where_nothing_needs_it() {
    let mut program = compiled(&CALL.replace("FUNCTION", "fails"));
    let host = Host::default();
    let inputs = Inputs::new().array("x", x(3)).ask("first").foreign(&host);
    assert!(program.run(&inputs).is_ok());
    assert_eq!(host.calls.load(Ordering::Relaxed), 0);
}

#[test]
fn what_it_gives_is_held_against_what_is_stated() {
    let host = Host::default();
    let told = |function: &str| {
        let mut program = compiled(&CALL.replace("FUNCTION", function));
        let inputs = Inputs::new().array("x", x(3)).ask("step").foreign(&host);
        program.run(&inputs).map(|_| ()).expect_err("it gives nothing that fits")
    };
    assert!(told("wrong").to_string().contains("`host::wrong` gives something else"));
    assert!(told("fails").to_string().contains("out of paper"));
    assert!(matches!(told("stops"), Error::Interrupted));
}

#[test]
fn without_functions_the_call_fails() {
    let mut program = compiled(&CALL.replace("FUNCTION", "sorted"));
    let told = program.run(&Inputs::new().array("x", x(3)).ask("step")).map(|_| ());
    let told = told.expect_err("nobody has it").to_string();
    assert!(told.contains("nobody here has the function `host::sorted`"), "{told}");
}

#[test]
fn a_program_may_catch_its_failure() {
    let text = "input x: [f64; n]; let y = (try (host::fails(x) as f64)) else 7.0;";
    let (mut program, host) = (compiled(text), Host::default());
    let outputs = program.run(&Inputs::new().array("x", x(3)).ask("y").foreign(&host));
    let outputs = outputs.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(outputs.array("y").and_then(|a| a.get(0).as_f64()), Some(7.0));
}
