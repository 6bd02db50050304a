//! Elementary functions as machine code: of every `f32`, at most 2 ulp from the same
//! function in `f64`, which the tests of `weft-scalar` hold against many digits.

#![allow(unsafe_code, reason = "calls machine code")]

use std::sync::atomic::{AtomicUsize, Ordering};
use weft_codegen::{Kernel, Loaded, Options, Outcome, Status, Target, compile};
use weft_loops::parse;
use weft_scalar::UnaryOp;
use weft_scalar::program::elementary;

const LIMIT: f64 = 2.0;

/// The worst distance over the operands whose bits, as an `i32`, are in `p0..p1`: in units
/// of the last place at the exact value, where 2^128 stands for infinity.
const WORST: &str = r#"(function "worst"
  (param p0 "first" i64)
  (param p1 "last" i64)
  (local l0 "worst" f64)
  (local l1 "x" f32)
  (local l2 "got" f32)
  (local l3 "exact" f64)
  (local l4 "rounded" f32)
  (local l5 "below" i32)
  (local l6 "finite" f64)
  (local l7 "error" f64)
  (local l8 "infinite" bool)
  (var v0 "bits")
  (buffer b0 "out" f64 out 1)
  (set l0 0.0f64)
  (for v0 p0 p1 1 vector
    (set l1 (bitcast f32 (cast i32 v0)))
    (set l2 (OP l1))
    (set l3 (OP (cast f64 l1)))
    (set l4 (cast f32 l3))
    (set l5 (min 2139095038i32
      (sub (bitcast i32 (abs l4)) (cast i32 (gt (cast f64 (abs l4)) (abs l3))))))
    (set l8 (eq (bitcast i32 (abs l2)) 2139095040i32))
    (set l6 (select l8
      (select (lt l2 0.0f32) -3.402823669209385e38f64 3.402823669209385e38f64)
      (cast f64 l2)))
    (set l7 (div (abs (sub l6 l3))
      (sub (cast f64 (bitcast f32 (add l5 1i32))) (cast f64 (bitcast f32 l5)))))
    (accumulate l0 max
      (select (ne l3 l3) (select (ne l2 l2) 0.0f64 1e9f64)
      (select (ne l2 l2) 1e9f64
      (select (eq (bitcast i32 l2) (bitcast i32 l4)) (select l8 0.0f64 l7)
      (select (and (eq l2 0.0f32) (eq l4 0.0f32)) 1e9f64 l7))))))
  (store b0 0 l0))"#;

fn loaded(op: UnaryOp) -> Loaded {
    let function = parse(&WORST.replace("OP", op.name())).unwrap();
    let options = Options::new(Target::host().unwrap());
    Loaded::new(&compile(&[function], &options).unwrap().bytes).unwrap()
}

fn worst(kernel: Kernel, first: i64, last: i64) -> f64 {
    let mut out = [0.0_f64];
    let mut status = Status::uninterruptible();
    let words = [first as u64, last as u64];
    // SAFETY: the buffer has the one element that the function declares.
    let outcome = unsafe { kernel.call(&words, &[out.as_mut_ptr().cast()], &mut status) };
    assert_eq!(outcome, Outcome::Done);
    out[0]
}

#[test]
#[ignore = "minutes: every f32"]
fn every_f32() {
    const LEAST: i64 = i32::MIN as i64;
    const CHUNK: i64 = 1 << 24;
    for op in elementary() {
        let loaded = loaded(op);
        let (next, threads) = (AtomicUsize::new(0), std::thread::available_parallelism().unwrap());
        let run = || {
            let chunks = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed) as i64);
            let firsts = chunks.take_while(|&c| c < (1 << 32) / CHUNK).map(|c| LEAST + c * CHUNK);
            let errors = firsts
                .map(|first| (worst(loaded.kernel("worst").unwrap(), first, first + CHUNK), first));
            errors.fold((0.0, 0), |a, b| if b.0 > a.0 { b } else { a })
        };
        let (ulp, first) = std::thread::scope(|scope| {
            let runs: Vec<_> = (0..threads.get()).map(|_| scope.spawn(run)).collect();
            let errors = runs.into_iter().map(|r| r.join().unwrap());
            errors.fold((0.0, 0), |a, b| if b.0 > a.0 { b } else { a })
        });
        println!("{op:?} f32: {ulp:.4} ulp, of 4294967296");
        assert!(
            ulp <= LIMIT,
            "{op:?} is off by {ulp} ulp in the {CHUNK} operands from bits {first}"
        );
    }
}

#[test]
fn many_f32() {
    for op in elementary() {
        let loaded = loaded(op);
        // Around 1, and around the least and the greatest.
        for first in
            [0x3f80_0000 - 20_000, 0, 0x7f80_0000 - 20_000, i64::from(i32::MIN), -0x4080_0000]
        {
            let ulp = worst(loaded.kernel("worst").unwrap(), first, first + 40_000);
            assert!(
                ulp <= LIMIT,
                "{op:?} is off by {ulp} ulp in the 40000 operands from bits {first}"
            );
        }
    }
}
