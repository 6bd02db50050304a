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

/// Runs a function on one input and one output of `f32`s or `f64`s.
fn map<T: Copy>(text: &str, opt: OptLevel, x: &[T], fill: T) -> Vec<T> {
    let function = parse(text).unwrap_or_else(|e| panic!("{e}"));
    let loaded = load(&function, opt);
    let kernel = loaded.kernel(&function.name).unwrap();
    let (mut x, mut y) = (x.to_vec(), vec![fill; x.len()]);
    let buffers = [bytes(&mut x), bytes(&mut y)];
    let mut status = Status::uninterruptible();
    // SAFETY: both buffers have as many elements as the parameter says.
    let outcome = unsafe { kernel.call(&[x.len() as u64], &buffers, &mut status) };
    assert_eq!(outcome, Outcome::Done);
    y
}

fn elementwise(ty: &str, op: &str) -> String {
    format!(
        r#"(function "map" strict (param p0 "n" i64) (var v0 "i")
          (buffer b0 "x" {ty} in p0) (buffer b1 "y" {ty} out p0)
          (for v0 0 p0 1 vector (store b1 v0 ({op} (load b0 v0)))))"#
    )
}

#[test]
fn elementary_functions_are_those_of_the_evaluator_in_every_lane() {
    use weft_scalar::{Scalar, ScalarType, UnaryOp, eval};
    let mut x: Vec<f64> = (0..2000).map(|i| f64::from(i - 1000) * 0.0137).collect();
    x.extend([0.0, -0.0, 1e300, -1e22, 1e-310, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]);
    x.extend([-1e9, 2e9, 6381956970095103.0 * 2.0_f64.powi(797), 745.2, -745.2, 710.0, 5e-324]);
    let narrow: Vec<f32> = x.iter().map(|&v| v as f32).collect();
    let of_floats = |op: &UnaryOp| op.operands().takes(ScalarType::F64);
    for op in UnaryOp::ALL.into_iter().filter(of_floats) {
        let y = map(&elementwise("f64", op.name()), OptLevel::Cheap, &x, 7.0);
        for (&x, &y) in x.iter().zip(&y) {
            let Scalar::F64(want) = eval::unary(op, Scalar::F64(x)) else { unreachable!() };
            let same = want.to_bits() == y.to_bits() || want.is_nan() && y.is_nan();
            assert!(same, "{} of {x:e} is {y:e}, want {want:e}", op.name());
        }
        let y = map(&elementwise("f32", op.name()), OptLevel::Full, &narrow, 7.0);
        for (&x, &y) in narrow.iter().zip(&y) {
            let Scalar::F32(want) = eval::unary(op, Scalar::F32(x)) else { unreachable!() };
            let same = want.to_bits() == y.to_bits() || want.is_nan() && y.is_nan();
            assert!(same, "{} of {x:e} is {y:e}, want {want:e}", op.name());
        }
    }
}

/// Powers of what `x` holds, whose exponents are `by`.
fn powers<T: Copy>(ty: &str, by: &str, x: &[T], fill: T) -> Vec<T> {
    let text = format!(
        r#"(function "map" strict (param p0 "n" i64) (local l0 "by" {ty}) (var v0 "i")
          (buffer b0 "x" {ty} in p0) (buffer b1 "y" {ty} out p0)
          (set l0 (load b0 0))
          (for v0 0 p0 1 vector (store b1 v0 (pow (load b0 v0) {by}))))"#
    );
    map(&text, OptLevel::Full, x, fill)
}

#[test]
fn powers_have_the_bits_of_the_evaluator_however_the_exponent_is_known() {
    use weft_scalar::{BinaryOp, Scalar, eval};
    let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    let mut bases: Vec<f64> = (0..300).map(|i| f64::from(i - 150) * 0.137).collect();
    bases.extend([-0.0, 1e200, -1e200, 1e-200, 5e-324, f64::INFINITY, -f64::INFINITY, f64::NAN]);
    let exponents = (0..=18).map(f64::from).chain([0.5, -0.5, 1.5, -1.0, -2.0]);
    for y in exponents {
        let mut x = bases.clone();
        x[0] = y;
        let constant = powers("f64", &format!("{y:?}f64"), &x, 7.0);
        let one = powers("f64", "l0", &x, 7.0);
        let varying = powers("f64", "(load b0 (rem v0 3))", &x, 7.0);
        for (n, &base) in x.iter().enumerate() {
            let want =
                |by: f64| match eval::binary(BinaryOp::Pow, Scalar::F64(base), Scalar::F64(by)) {
                    Ok(Scalar::F64(v)) => v,
                    other => panic!("{other:?}"),
                };
            let places = [(constant[n], y), (one[n], y), (varying[n], x[n % 3])];
            for (place, (got, by)) in places.into_iter().enumerate() {
                assert!(same(got, want(by)), "{base:e} ** {by} at {place}: {got:e}");
            }
        }
        let narrow: Vec<f32> = x.iter().map(|&v| v as f32).collect();
        let constant = powers("f32", &format!("{y:?}f32"), &narrow, 7.0);
        let one = powers("f32", "l0", &narrow, 7.0);
        for (n, &base) in narrow.iter().enumerate() {
            let (base, by) = (Scalar::F32(base), Scalar::F32(y as f32));
            let Ok(Scalar::F32(want)) = eval::binary(BinaryOp::Pow, base, by) else {
                unreachable!()
            };
            for got in [constant[n], one[n]] {
                assert!(same(got.into(), want.into()), "{base:?} ** {y}: {got:e}");
            }
        }
    }
}

#[test]
fn the_first_lane_that_traps_is_reported() {
    let text = r#"(function "check" (param p0 "n" i64) (var v0 "i")
      (buffer b0 "x" i64 in p0) (buffer b1 "y" i64 out p0)
      (for v0 0 p0 1 vector
        (if (eq (load b0 v0) 0) (then (trap 5 v0 (mul v0 -2))))
        (store b1 v0 (div 100 (load b0 v0)))))"#;
    let function = parse(text).unwrap();
    for opt in LEVELS {
        let loaded = load(&function, opt);
        let kernel = loaded.kernel("check").unwrap();
        let mut x: Vec<i64> = (0..100).map(|i| 50 - i).collect();
        x[77] = 0;
        let mut y = vec![0_i64; 100];
        let buffers = [bytes(&mut x), bytes(&mut y)];
        let mut status = Status::uninterruptible();
        // SAFETY: the buffers have the declared sizes.
        let outcome = unsafe { kernel.call(&[100], &buffers, &mut status) };
        assert_eq!(outcome, Outcome::Trapped);
        assert_eq!((status.site, status.args()), (5, &[50, -100][..]));
    }
}

/// Runs a function of one parameter on buffers of three `i64`s with room around them.
fn leaves(text: &str, n: i64, opt: OptLevel) -> Option<Vec<i64>> {
    let function = parse(text).unwrap_or_else(|e| panic!("{e}"));
    let loaded = load(&function, opt);
    let kernel = loaded.kernel(&function.name).unwrap();
    let mut all = [[7_i64; 300]; 2];
    let buffers = all.each_mut().map(|b| bytes(&mut b[100..]));
    let mut status = Status::uninterruptible();
    // SAFETY: accesses beyond the declared sizes are found before they are made.
    let outcome = unsafe { kernel.call(&[n as u64], &buffers, &mut status) };
    let around = |b: &[i64; 300]| b[..100].iter().chain(&b[103..]).all(|&v| v == 7);
    assert!(all.iter().all(around), "{text} at {n}");
    match outcome {
        Outcome::Done => None,
        Outcome::Outside => Some([&[i64::from(status.site)], status.args()].concat()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn verified_code_stays_in_its_buffers() {
    let with = |body: &str| {
        format!(
            r#"(function "f" (param p0 "n" i64) (local l0 "s" i64) (var v0 "i")
              (buffer b0 "x" i64 in 3) (buffer b1 "y" i64 out (min p0 3)) {body})"#
        )
    };
    let cases = [
        ("(store b1 (sub p0 3) 1)", 2, Some(vec![1, -1, 2])),
        ("(store b1 (sub p0 3) 1)", 3, None),
        ("(store b1 0 (load b0 p0))", 3, Some(vec![0, 3, 3])),
        ("(for v0 0 p0 1 serial (store b1 v0 (load b0 v0)))", 3, None),
        ("(for v0 0 p0 1 serial (store b1 v0 (load b0 v0)))", 4, Some(vec![0, 3, 3])),
        ("(for v0 0 p0 1 vector (store b1 v0 1))", 3, None),
        ("(for v0 0 p0 1 vector (store b1 v0 1))", 50, Some(vec![1, 3, 3])),
        ("(for v0 -2 p0 1 vector (store b1 v0 1))", 3, Some(vec![1, -2, 3])),
        // Lanes that are not taken access nothing.
        ("(for v0 -2 20 1 vector (if (and (ge v0 0) (lt v0 p0)) (then (store b1 v0 1))))", 3, None),
        ("(for v0 -2 20 1 vector (if (ge v0 2) (then (store b1 v0 1))))", 3, Some(vec![1, 3, 3])),
        ("(for v0 2 -1 -1 vector (store b1 v0 (load b0 (sub 2 v0))))", 3, None),
        ("(for v0 p0 -1 -1 vector (store b1 v0 1))", 3, Some(vec![1, 3, 3])),
        ("(for v0 0 p0 1 vector (store b1 (mul 2 v0) 1))", 2, Some(vec![1, 2, 2])),
        ("(for v0 0 p0 1 vector (store b1 0 (load b0 (mul v0 v0))))", 2, None),
        ("(for v0 0 p0 1 vector (store b1 0 (load b0 (mul v0 v0))))", 3, Some(vec![0, 4, 3])),
        ("(for v0 0 p0 1 parallel (store b1 v0 1))", 3, None),
        ("(for v0 0 p0 1 parallel (store b1 v0 1))", 9, Some(vec![1, 3, 3])),
        ("(fill b1 0 p0 0)", 3, None),
        ("(fill b1 -1 p0 0)", 3, Some(vec![1, -1, 3])),
        ("(fill b1 1 p0 5)", 9, Some(vec![1, 3, 3])),
        ("(fill b1 5 2 0)", 3, None),
        (
            "(set l0 0) (for v0 0 p0 1 vector (accumulate l0 add (load b0 v0))) (store b1 0 l0)",
            5,
            Some(vec![0, 3, 3]),
        ),
    ];
    for (body, n, want) in cases {
        for opt in LEVELS {
            assert_eq!(leaves(&with(body), n, opt), want, "{body} at {n}, {opt:?}");
        }
    }
}

#[test]
fn a_running_kernel_can_be_interrupted() {
    use std::sync::atomic::{AtomicBool, Ordering};
    static STOP: AtomicBool = AtomicBool::new(false);
    let text = r#"(function "long" (var v0 "t") (var v1 "i") (buffer b0 "x" i64 inout 8)
      (for v0 0 9223372036854775807 1 serial
        (for v1 0 8 1 serial (store b0 v1 (add (mul (load b0 v1) 3) v0)))))"#;
    let function = parse(text).unwrap();
    let loaded = load(&function, OptLevel::Full);
    let kernel = loaded.kernel("long").unwrap();
    let stopper = std::thread::spawn(|| {
        std::thread::sleep(std::time::Duration::from_millis(30));
        STOP.store(true, Ordering::Relaxed);
    });
    let mut x = [0_i64; 8];
    let mut status = Status::new(&STOP);
    // SAFETY: the buffer has the declared size.
    let outcome = unsafe { kernel.call(&[], &[bytes(&mut x)], &mut status) };
    assert_eq!(outcome, Outcome::Interrupted);
    stopper.join().unwrap();
}

#[test]
fn a_strict_sum_keeps_its_order() {
    let sum = |strict: &str| {
        format!(
            r#"(function "sum" {strict} (param p0 "n" i64) (local l0 "s" f32) (var v0 "i")
              (buffer b0 "x" f32 in p0) (buffer b1 "y" f32 out p0)
              (set l0 0.0f32)
              (for v0 0 p0 1 vector (accumulate l0 add (load b0 v0)))
              (store b1 0 l0))"#
        )
    };
    let x: Vec<f32> = (0..1001).map(|i| 1.0 / (i as f32 + 1.0)).collect();
    let in_order = x.iter().fold(0.0_f32, |s, v| s + v);
    let exact: f64 = x.iter().map(|&v| f64::from(v)).sum();
    for opt in LEVELS {
        assert_eq!(map(&sum("strict"), opt, &x, 0.0)[0], in_order);
        let reordered = map(&sum(""), opt, &x, 0.0)[0];
        assert!((f64::from(reordered) - exact).abs() < 1e-6 * exact, "{reordered} {exact}");
    }
}

#[test]
fn masked_and_backward_accesses() {
    let text = r#"(function "reverse" (param p0 "n" i64) (var v0 "i")
      (buffer b0 "x" f32 in p0) (buffer b1 "y" f32 out p0)
      (for v0 0 p0 1 vector
        (if (lt (load b0 v0) 50.0f32)
          (then (store b1 (sub (sub p0 1) v0) (load b0 v0)))
          (else (store b1 (sub (sub p0 1) v0) (neg (load b0 (sub (sub p0 1) v0))))))))"#;
    for n in [1_usize, 15, 16, 17, 100] {
        let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let y = map(text, OptLevel::Full, &x, 0.0);
        for i in 0..n {
            let want = if i < 50 { i as f32 } else { -((n - 1 - i) as f32) };
            assert_eq!(y[n - 1 - i], want);
        }
    }
}

#[test]
fn text_forms_show_vectors() {
    let function = parse(&elementwise("f32", "sqrt")).unwrap();
    let options = Options::new(Target::avx2());
    let llvm = weft_codegen::emit_llvm(std::slice::from_ref(&function), &options).unwrap();
    assert!(llvm.contains("<8 x float>"), "{llvm}");
    let asm = weft_codegen::emit_asm(&[function], &options).unwrap();
    assert!(asm.contains("vsqrtps"), "{asm}");
}

/// A sum over blocks of `size` cells.
fn blocked_sum(size: u32) -> Function {
    let text = r#"(function "sum"
      (param p0 "n" i64)
      (local l0 "sum" f64)
      (var v0 "block")
      (var v1 "i")
      (buffer b0 "x" f64 in p0)
      (buffer b1 "out" f64 out 1)
      (set l0 0.0f64)
      (for v0 0 p0 SIZE serial
        (for v1 v0 (min (add v0 SIZE) p0) 1 vector
          (accumulate l0 add (load b0 v1))))
      (store b1 0 l0))"#;
    parse(&text.replace("SIZE", &size.to_string())).unwrap()
}

#[test]
fn long_sums_ask_for_what_they_read_next() {
    let llvm =
        |size| weft_codegen::emit_llvm(&[blocked_sum(size)], &options(OptLevel::Full)).unwrap();
    assert!(llvm(4096).contains("@llvm.prefetch"));
    assert!(!llvm(512).contains("@llvm.prefetch"));
}

#[test]
fn nested_reductions_keep_their_lanes_and_their_value() {
    // Over i and j, j in lanes; the inner accumulator is read by the outer one.
    let text = r#"(function "nested" (param p0 "n" i64)
      (local l0 "total" f32) (local l1 "row" f32) (local l2 "most" f32)
      (var v0 "i") (var v1 "j") (var v2 "k")
      (buffer b0 "x" f32 in p0) (buffer b1 "y" f32 out p0)
      (set l0 100.0f32) (set l2 0.0f32)
      (for v0 0 p0 1 serial
        (set l1 1.0f32)
        (for v1 0 p0 1 vector
          (accumulate l0 add (load b0 v1))
          (accumulate l1 add 1.0f32))
        (if (lt v0 3) (then
          (for v2 0 p0 1 vector (accumulate l2 max (mul (load b0 v2) l1)))))
        (store b1 v0 l1))
      (store b1 0 l0) (store b1 1 l2))"#;
    for opt in LEVELS {
        for n in [2_usize, 5, 40, 100] {
            let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
            let y = map(text, opt, &x, 0.0);
            let row = (n * (n - 1) / 2) as f32;
            assert_eq!(y[0], 100.0 + n as f32 * row);
            assert_eq!(y[1], (n - 1) as f32 * (n + 1) as f32);
            assert!(y[2..].iter().all(|&v| v == (n + 1) as f32));
        }
    }
}

#[test]
fn parts_of_a_range_are_one_vector_under_a_mask() {
    let text = r#"(function "parts"
  (param p0 "n" i64)
  (local l0 "sum" f32)
  (local l1 "other" f32)
  (local l2 "third" f32)
  (local l3 "fourth" f32)
  (var v0 "part")
  (var v1 "i")
  (var v2 "j")
  (var v3 "k")
  (buffer b0 "x" f32 in p0)
  (buffer b1 "y" f32 out p0)
  (buffer b2 "scratch" f32 stack 8)
  (for v0 0 p0 8 serial
    (def e0 (min (add v0 8) p0))
    (for v1 v0 e0 1 vector
      (store b2 (sub v1 v0) (mul 2.0f32 (load b0 v1))))
    (for v2 v0 e0 1 vector
      (set l0 (load b2 (sub v2 v0)))
      (set l1 0.0f32)
      (set l2 0.0f32)
      (set l3 0.0f32)
      (for v3 0 (sub e0 v0) 1 serial
        (def e1 (load b2 (sub v2 v0)))
        (accumulate l0 add (mul 100.0f32 (load b2 v3)))
        (accumulate l1 add e1)
        (accumulate l2 add e1)
        (accumulate l3 add e1))
      (store b1 v2 (add l0 (sub (mul 2.0f32 l1) (add l2 l3)))))))"#;
    for opt in LEVELS {
        for n in [1, 7, 8, 9, 16, 35] {
            let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
            let sums = x.chunks(8).flat_map(|c| vec![c.iter().sum::<f32>(); c.len()]);
            let wanted: Vec<f32> = x.iter().zip(sums).map(|(x, s)| 2.0 * x + 200.0 * s).collect();
            assert_eq!(map(text, opt, &x, -1.0), wanted, "{n} at {opt:?}");
        }
    }
}

/// Bits without any order.
fn mixed_bits(count: usize) -> impl Iterator<Item = u64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    })
    .take(count)
}

/// Whole numbers `(a, b)` of `digits` binary digits whose quotient is as near as can be to
/// the middle between two floats: `b m = ±1` modulo `2^(digits + 1)`, and `a` is the rest
/// of that product.
fn nearly_halfway(digits: u32) -> impl Iterator<Item = (u64, u64)> {
    let modulus = 1_u128 << (digits + 1);
    mixed_bits(1000).flat_map(move |bits| {
        let b = (u128::from(bits) % (1 << (digits - 1))) | 1 << (digits - 1) | 1;
        // Newton's iteration doubles the digits of the inverse.
        let inverse = (0..6).fold(b, |y, _| y.wrapping_mul(2_u128.wrapping_sub(b * y)) % modulus);
        [(inverse, 1_i128), (modulus - inverse, -1)].map(|(m, off)| {
            let a = (b * m).wrapping_add_signed(-off) / modulus;
            (a as u64, b as u64)
        })
    })
}

/// `x / d` in lanes, for one divisor.
fn divided_by(ty: &str) -> Function {
    let text = r#"(function "divide"
  (param p0 "n" i64)
  (param p1 "d" TYPE)
  (var v0 "i")
  (buffer b0 "x" TYPE in p0)
  (buffer b1 "y" TYPE out p0)
  (for v0 0 p0 1 vector
    (store b1 v0 (div (load b0 v0) p1))))"#;
    parse(&text.replace("TYPE", ty)).unwrap()
}

/// Quotients of `x` by one divisor, whose bits are given.
fn quotients<T: Copy>(loaded: &Loaded, x: &mut [T], divisor: u64) -> Vec<T> {
    let mut y = x.to_vec();
    let buffers = [bytes(x), bytes(&mut y)];
    let kernel = loaded.kernel("divide").unwrap();
    let mut status = Status::uninterruptible();
    // SAFETY: the buffers have the declared sizes and do not overlap.
    let outcome = unsafe { kernel.call(&[x.len() as u64, divisor], &buffers, &mut status) };
    assert_eq!(outcome, Outcome::Done);
    y
}

#[test]
fn a_shared_divisor_gives_the_bits_of_a_division() {
    let loaded = load(&divided_by("f32"), OptLevel::Full);
    let check = |mut x: Vec<f32>, d: f32| {
        for (y, x) in quotients(&loaded, &mut x, d.to_bits().into()).iter().zip(&x) {
            let same = y.to_bits() == (x / d).to_bits() || y.is_nan() && (x / d).is_nan();
            assert!(same, "{x:e} / {d:e} is {:e}, not {y:e}", x / d);
        }
    };
    let odd = [0.0, -0.0, 1.0, f32::INFINITY, f32::NAN, f32::MAX, f32::MIN_POSITIVE, 1e-45];
    let ordinary = |b: u64| f32::from_bits((b >> 20) as u32 & 0x87ff_ffff | 0x3800_0000);
    let any = mixed_bits(2003).map(|b| f32::from_bits((b >> 20) as u32));
    for x in [mixed_bits(2003).map(ordinary).collect::<Vec<_>>(), any.chain(odd).collect()] {
        x.iter().chain(&odd).step_by(3).for_each(|&d| check(x.clone(), d));
    }
    nearly_halfway(24).for_each(|(a, b)| check(vec![a as f32, -(a as f32)], b as f32));
}

#[test]
fn a_shared_divisor_gives_the_bits_of_a_division_in_doubles() {
    let loaded = load(&divided_by("f64"), OptLevel::Full);
    let check = |mut x: Vec<f64>, d: f64| {
        for (y, x) in quotients(&loaded, &mut x, d.to_bits()).iter().zip(&x) {
            let same = y.to_bits() == (x / d).to_bits() || y.is_nan() && (x / d).is_nan();
            assert!(same, "{x:e} / {d:e} is {:e}, not {y:e}", x / d);
        }
    };
    let odd = [0.0, -0.0, 1.0, f64::INFINITY, f64::NAN, f64::MAX, f64::MIN_POSITIVE, 5e-324];
    let exponent = |b: u64| (0x3f0 + (b >> 53 & 31)) << 52;
    let ordinary = |b: u64| f64::from_bits(b & 0x800f_ffff_ffff_ffff | exponent(b));
    let any = mixed_bits(2003).map(f64::from_bits);
    for x in [mixed_bits(2003).map(ordinary).collect::<Vec<_>>(), any.chain(odd).collect()] {
        x.iter().chain(&odd).step_by(3).for_each(|&d| check(x.clone(), d));
    }
    nearly_halfway(53).for_each(|(a, b)| check(vec![a as f64, -(a as f64)], b as f64));
}

/// Numbers about the ends of a type with so many bits, and about the roots of those.
fn about_the_ends(bits: u32) -> Vec<i64> {
    let end = i64::MAX >> (64 - bits);
    let root = end.isqrt();
    let near = |x: i64| (-2..=2).filter_map(move |d: i64| x.checked_add(d));
    let about = [0, end, -end - 1, root, -root, end / 3, -(end / 3), end / 2, -(end / 2), 1 << 20];
    let fits = |x: &i64| (-end - 1..=end).contains(x);
    about.into_iter().flat_map(near).filter(fits).collect()
}

#[test]
fn lanes_say_of_the_operators_that_leave_their_type_what_the_evaluator_does() {
    use weft_scalar::{BinaryOp, Scalar, ScalarType, eval};
    for (ty, suffix) in [(ScalarType::I32, "i32"), (ScalarType::I64, "")] {
        let ends = about_the_ends(ty.bytes() as u32 * 8);
        let number = |v: i64| Scalar::from_i64(ty, v);
        let told = |term: String, x: &[i64]| {
            let text = format!(
                r#"(function "map" (param p0 "n" i64) (var v0 "i")
                  (buffer b0 "x" i64 in p0) (buffer b1 "y" i64 out p0)
                  (for v0 0 p0 1 vector (store b1 v0 (select {term} 1 0))))"#
            );
            map(&text, OptLevel::Full, x, 7)
        };
        for op in [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul] {
            let own = format!("(cast {} (load b0 v0))", ty.name());
            let same = told(format!("(overflows {} {own} {own})", op.name()), &ends);
            for (&x, told) in ends.iter().zip(same) {
                let want = eval::overflows(op, number(x), number(x));
                assert_eq!(told == 1, want, "{x} {} {x} of {ty}", op.name());
            }
            for &c in ends.iter().step_by(3) {
                let sides = [format!("{own} {c}{suffix}"), format!("{c}{suffix} {own}")];
                let [right, left] =
                    sides.map(|sides| told(format!("(overflows {} {sides})", op.name()), &ends));
                for ((&x, right), left) in ends.iter().zip(right).zip(left) {
                    let want = eval::overflows(op, number(x), number(c));
                    assert_eq!(right == 1, want, "{x} {} {c} of {ty}", op.name());
                    let want = eval::overflows(op, number(c), number(x));
                    assert_eq!(left == 1, want, "{c} {} {x} of {ty}", op.name());
                }
            }
            let pairs: Vec<(i64, i64)> =
                ends.iter().flat_map(|&a| ends.iter().map(move |&b| (a, b))).collect();
            let first = pairs.iter().map(|p| p.0);
            let both: Vec<i64> = first.chain(pairs.iter().rev().map(|p| p.1)).collect();
            let other = format!("(cast {} (load b0 (sub (sub p0 1) v0)))", ty.name());
            let found = told(format!("(overflows {} {own} {other})", op.name()), &both);
            for (&(a, b), told) in pairs.iter().zip(found) {
                let want = eval::overflows(op, number(a), number(b));
                assert_eq!(told == 1, want, "{a} {} {b} of {ty}", op.name());
            }
        }
    }
}
