//! The text form, the verifier and the interpreter on small functions.

use weft_loops::interp::{Failure, Memory, run};
use weft_loops::{Function, parse, verify};
use weft_scalar::{Scalar, ScalarType};

const DOT: &str = r#"(function "dot"
  (param p0 "n" i64)
  (local l0 "sum" f32)
  (var v0 "i")
  (buffer b0 "x" f32 in p0)
  (buffer b1 "y" f32 in p0)
  (buffer b2 "out" f32 out 1)
  (set l0 0.0f32)
  (for v0 0 p0 1 vector:8
    (accumulate l0 add (mul (load b0 v0) (load b1 v0))))
  (store b2 0 l0))
"#;

fn read(text: &str) -> Function {
    let function = parse(text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(function.to_string(), text);
    function
}

fn floats(values: &[f32]) -> Memory {
    let scalars: Vec<Scalar> = values.iter().map(|&v| Scalar::F32(v)).collect();
    Memory::from_scalars(ScalarType::F32, &scalars)
}

#[test]
fn a_dot_product_reads_verifies_and_runs() {
    let function = read(DOT);
    verify(&function).unwrap();
    let mut buffers = [floats(&[1.0, 2.0, 3.0]), floats(&[4.0, 5.0, 6.0]), floats(&[0.0])];
    run(&function, &[Scalar::I64(3)], &mut buffers, 1000).unwrap();
    assert_eq!(buffers[2].get(0), Scalar::F32(32.0));
    assert_eq!(buffers[0].len(), 3, "buffers are given back");
}

#[test]
fn shared_expressions_are_named_once() {
    let text = r#"(function "f" strict
  (param p0 "n \"quoted\"" i64)
  (buffer b0 "x" i64 inout p0)
  (def e0 (add p0 1))
  (def e1 (mul e0 e0))
  (if (lt e1 9)
    (then
      (store b0 0 e1))
    (else
      (trap 3 e0 -7))))
"#;
    let function = read(text);
    verify(&function).unwrap();
    let failure = run(&function, &[Scalar::I64(9)], &mut [Memory::zeroed(ScalarType::I64, 9)], 99);
    assert_eq!(failure, Err(Failure::Trap { site: 3, args: vec![10, -7] }));
}

#[test]
fn deep_expressions_do_not_nest_in_text() {
    let mut function = Function::new("deep");
    let p = function.add_param("n", ScalarType::I64);
    let n = function.param(p);
    let sum = (0..100_000).fold(n, |sum, i| {
        let i = function.int(i);
        function.binary(weft_scalar::BinaryOp::Max, sum, i)
    });
    let out = function.add_buffer("x", ScalarType::I64, weft_loops::BufferKind::Out, n);
    let zero = function.int(0);
    function.body.push(weft_loops::Stmt::Store { buffer: out, index: zero, value: sum });
    verify(&function).unwrap();
    let text = function.to_string();
    assert_eq!(parse(&text).unwrap().to_string(), text);
    let mut buffers = [Memory::zeroed(ScalarType::I64, 1)];
    run(&function, &[Scalar::I64(5)], &mut buffers, 9).unwrap();
    assert_eq!(buffers[0].get(0), Scalar::I64(99_999));
}

/// The error for a text that reads but does not verify.
fn refused(body: &str) -> String {
    let head = r#"(function "f" (param p0 "n" i64) (local l0 "a" f32) (local l1 "b" f32)
        (var v0 "i") (var v1 "j") (buffer b0 "x" f32 in p0) (buffer b1 "y" f32 out p0) "#;
    let function = parse(&format!("{head}{body})")).unwrap_or_else(|e| panic!("{e}"));
    verify(&function).expect_err("this should not verify").0
}

#[test]
fn the_verifier_names_what_is_wrong() {
    assert_eq!(refused("(store b0 0 0.0f32)"), "store to b0, which is read-only");
    assert_eq!(refused("(store b1 0 0.0f64)"), "e2 is f64 where f32 is wanted");
    assert_eq!(refused("(store b1 v0 0.0f32)"), "v0 is read outside its loop");
    assert_eq!(refused("(store b1 0 l0)"), "l0 may be read before it is assigned");
    assert_eq!(refused("(for v0 0 p0 0 serial)"), "the loop of v0 does not step");
    assert_eq!(refused("(for v0 0 p0 1 vector:3)"), "the loop of v0 has 3 lanes");
    let twice = "(for v0 0 p0 1 serial (for v0 0 p0 1 serial))";
    assert_eq!(refused(twice), "v0 belongs to two loops");
    let nested = "(for v0 0 p0 1 vector (for v1 0 p0 1 vector))";
    assert_eq!(refused(nested), "the loop of v1 is nested in another of its kind");
    let carried = "(set l0 0.0f32) (for v0 0 p0 1 vector (store b1 v0 l0) (set l0 1.0f32))";
    assert_eq!(refused(carried), "l0 may be read before it is assigned");
    let watched =
        "(set l0 0.0f32) (for v0 0 p0 1 vector (accumulate l0 add 1.0f32) (store b1 v0 l0))";
    assert_eq!(refused(watched), "l0 is read in the loop of v0 that accumulates it");
    let half = "(if (lt p0 1) (then (set l0 1.0f32))) (store b1 0 l0)";
    assert_eq!(refused(half), "l0 may be read before it is assigned");
}

#[test]
fn bad_texts_are_errors() {
    for text in ["", "(", "(function", "(function \"f\" (store b0 0 0))", "(function \"f\" (x))"] {
        assert!(parse(text).is_err(), "{text}");
    }
    let deep = format!("(function \"f\" (trap 0 {}", "(neg ".repeat(100_000));
    assert_eq!(parse(&deep).unwrap_err().message, "nested too deeply");
}

#[test]
fn endless_and_out_of_bounds_runs_end() {
    let text = r#"(function "f" (var v0 "i") (buffer b0 "x" i64 out 4)
        (for v0 0 9223372036854775807 1 serial) (store b0 4 0))"#;
    let function = parse(text).unwrap();
    let mut buffers = [Memory::zeroed(ScalarType::I64, 4)];
    assert_eq!(run(&function, &[], &mut buffers, 1000), Err(Failure::OutOfFuel));
    let text = r#"(function "f" (buffer b0 "x" i64 out 4) (store b0 4 0))"#;
    let failure = run(&parse(text).unwrap(), &[], &mut buffers, 1000).unwrap_err();
    assert_eq!(failure.to_string(), "index 4 of b0, which has 4 elements");
}

#[test]
fn accesses_that_surely_leave_a_buffer_are_refused() {
    let verdict = |body: &str| {
        let text = format!(
            r#"(function "f" (param p0 "n" i64) (var v0 "i") (var v1 "j")
              (buffer b0 "x" i64 inout 3) {body})"#
        );
        verify(&parse(&text).unwrap_or_else(|e| panic!("{body}: {e}"))).is_ok()
    };
    for body in [
        "(store b0 3 1)",
        "(store b0 0 (load b0 -1))",
        "(for v0 -5 3 1 serial (store b0 v0 1))",
        "(for v0 0 9 3 vector (store b0 (sub v0 4) 1))",
        "(for v0 3 -1 -1 serial (store b0 v0 1))",
        "(for v0 0 2 1 serial (for v1 0 3 1 serial (store b0 (add 1 v1) v0)))",
    ] {
        assert!(!verdict(body), "{body}");
    }
    for body in [
        "(store b0 2 1)",
        "(store b0 p0 1)",
        "(if (lt p0 0) (then (store b0 3 1)))",
        "(for v0 -5 3 1 serial (if (ge v0 0) (then (store b0 v0 1))))",
        "(for v0 3 3 1 serial (store b0 v0 1))",
        "(for v0 0 9 4 serial (if (ge v0 8) (then (store b0 (sub v0 8) 1))))",
        "(for v0 0 5 1 serial (for v1 v0 3 1 serial (store b0 v0 1)))",
    ] {
        assert!(verdict(body), "{body}");
    }
}
