//! Small functions as machine code.

#![allow(unsafe_code, reason = "calls machine code")]

use weft_codegen::{Loaded, OptLevel, Options, Outcome, Status, Target, compile};
use weft_loops::{Function, parse};

fn options(opt: OptLevel) -> Options {
    Options { opt, verify: true, ..Options::new(Target::host().unwrap()) }
}

fn load(function: &Function, opt: OptLevel) -> Loaded {
    let object = compile(std::slice::from_ref(function), &options(opt)).unwrap();
    Loaded::new(&object.bytes).unwrap()
}

const LEVELS: [OptLevel; 3] = [OptLevel::None, OptLevel::Cheap, OptLevel::Full];

fn bytes<T>(slice: &mut [T]) -> *mut u8 {
    slice.as_mut_ptr().cast()
}

#[test]
fn a_dot_product_of_any_length() {
    let text = r#"(function "dot"
      (param p0 "n" i64)
      (local l0 "sum" f32)
      (var v0 "i")
      (buffer b0 "x" f32 in p0)
      (buffer b1 "y" f32 in p0)
      (buffer b2 "out" f32 out 1)
      (set l0 0.0f32)
      (for v0 0 p0 1 vector
        (accumulate l0 add (mul (load b0 v0) (load b1 v0))))
      (store b2 0 l0))"#;
    let function = parse(text).unwrap();
    for opt in LEVELS {
        let loaded = load(&function, opt);
        let kernel = loaded.kernel("dot").unwrap();
        for n in [0, 1, 3, 16, 63, 64, 65, 1000] {
            let mut x: Vec<f32> = (0..n).map(|i| i as f32).collect();
            let mut y = vec![2.0_f32; n];
            let mut out = [-1.0_f32];
            let buffers = [bytes(&mut x), bytes(&mut y), bytes(&mut out)];
            let mut status = Status::uninterruptible();
            // SAFETY: the buffers have the declared sizes and do not overlap.
            let outcome = unsafe { kernel.call(&[n as u64], &buffers, &mut status) };
            assert_eq!(outcome, Outcome::Done);
            assert_eq!(out[0], (n * n.saturating_sub(1)) as f32, "{n} at {opt:?}");
        }
    }
}
