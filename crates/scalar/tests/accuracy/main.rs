//! Elementary functions against references of higher precision: at most 2 ulp.
//!
//! The ordinary tests sample; the ignored ones take many `f64` (`make accuracy`;
//! `ACCURACY_OPERANDS` says how many for each function). Every `f32` is tried in the tests
//! of `weft-codegen`, where machine code computes them in a minute.

mod reference;

use astro_float::{BigFloat, RoundingMode};
use reference::{BITS, Reference, big, in_f64};
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use weft_scalar::program::{self, Direct};
use weft_scalar::{BinaryOp, UnaryOp};

const LIMIT: f64 = 2.0;

/// The worst case met, and how many operands were tried.
#[derive(Default, Debug)]
struct Worst {
    ulp: f64,
    at: Vec<f64>,
    tried: u64,
}

impl Worst {
    fn see(&mut self, ulp: f64, at: &[f64]) {
        self.tried += 1;
        if ulp.is_nan() || ulp > self.ulp {
            self.ulp = if ulp.is_nan() { f64::INFINITY } else { ulp };
            self.at = at.to_vec();
        }
    }

    fn check(&self, what: &str) {
        println!("{what}: {:.4} ulp at {:?}, of {}", self.ulp, self.at, self.tried);
        assert!(self.ulp <= LIMIT, "{what} is off by {} ulp at {:?}", self.ulp, self.at);
    }
}

/// Distance in units of the last place of the exact value; 0 where both are the same
/// special value.
fn ulp_f32(got: f32, exact: f64) -> f64 {
    if exact.is_nan() || got.is_nan() {
        return if exact.is_nan() && got.is_nan() { 0.0 } else { f64::NAN };
    }
    // What rounds to infinity may be infinite.
    let rounded = exact as f32;
    if got.to_bits() == rounded.to_bits() {
        return if rounded.is_finite() {
            (f64::from(got) - exact).abs() / unit_f32(exact)
        } else {
            0.0
        };
    }
    if got == 0.0 && rounded == 0.0 {
        return f64::NAN; // the wrong zero
    }
    let got = if got.is_infinite() { 2.0_f64.powi(128).copysign(got.into()) } else { got.into() };
    (got - exact).abs() / unit_f32(exact)
}

fn unit_f32(exact: f64) -> f64 {
    let exponent = ((exact.abs().to_bits() >> 52) as i32 - 1023).clamp(-126, 127);
    2.0_f64.powi(exponent - 23)
}

fn f32_worst(op: UnaryOp, bits: impl Iterator<Item = u32>) -> Worst {
    let machine = Direct::<f32>::new();
    let mut worst = Worst::default();
    for x in bits.map(f32::from_bits) {
        let got = program::unary(&machine, op, x).expect("an elementary function");
        worst.see(ulp_f32(got, in_f64(op, x.into())), &[x.into()]);
    }
    worst
}

#[test]
fn f32_samples() {
    for op in program::elementary() {
        f32_worst(op, (0..=u32::MAX).step_by(9973)).check(&format!("{op:?} f32"));
    }
}

/// xorshift64*, so that failures can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn in_range(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * ((self.next() >> 11) as f64 / 9007199254740992.0)
    }

    /// Every bit pattern alike, or where the function is interesting.
    fn operand(&mut self, lo: f64, hi: f64) -> f64 {
        match self.next() % 3 {
            0 => f64::from_bits(self.next()),
            1 => self.in_range(lo, hi),
            _ => {
                let exponent = self.in_range(-60.0, 12.0);
                self.in_range(-1.0, 1.0) * exponent.exp2()
            }
        }
    }
}

/// The value's leading bits, which are enough for a difference.
fn to_f64(v: &BigFloat) -> f64 {
    let Some((words, _, sign, exponent, _)) = v.as_raw_parts() else { return f64::NAN };
    let Some(&top) = words.last() else { return 0.0 };
    // In two steps, so that a subnormal quotient does not underflow on the way.
    let magnitude = top as f64 * 2.0_f64.powi(-64) * 2.0_f64.powi(exponent / 2);
    let magnitude = magnitude * 2.0_f64.powi(exponent - exponent / 2);
    if sign.is_negative() { -magnitude } else { magnitude }
}

/// Distance of a finite `got` from a many-digit value, in its last place.
fn ulp_f64(got: f64, exact: &BigFloat) -> f64 {
    if exact.is_nan() || got.is_nan() {
        return if exact.is_nan() && got.is_nan() { 0.0 } else { f64::NAN };
    }
    if exact.is_inf() || exact.is_zero() {
        let as_float = if exact.is_zero() {
            0.0
        } else if exact.is_negative() {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
        return if got == as_float { 0.0 } else { f64::NAN };
    }
    let exponent = exact.exponent().expect("finite").clamp(-1021, 1025) - 53;
    if exact.exponent().expect("finite") > 1024 {
        return if got.is_infinite() { 0.0 } else { f64::NAN };
    }
    let got = if got.is_infinite() {
        big(2.0_f64.powi(1023).copysign(got)).mul(&big(2.0), BITS, RoundingMode::None)
    } else {
        big(got)
    };
    let difference = got.sub(exact, BITS, RoundingMode::None);
    let mut scaled = difference;
    if let Some(e) = scaled.exponent() {
        scaled.set_exponent(e - exponent);
    }
    to_f64(&scaled).abs()
}

/// Operands known to be hard: near multiples of pi/2, at limits, subnormal, special.
fn hard_points() -> Vec<f64> {
    let mut points = vec![
        6381956970095103.0 * 2.0_f64.powi(797), // Kahan: nearest of all to a multiple of pi/2
        5319372648326541.0 * 2.0_f64.powi(-29),
        f64::MIN_POSITIVE,
        f64::from_bits(1),
        f64::from_bits(0x000f_ffff_ffff_ffff),
        f64::MAX,
        f64::EPSILON,
        709.782712893384,
        709.7827128933841,
        -708.3964185322641,
        -745.1332191019411,
        -745.1332191019412,
        1.0,
        0.5,
        1.0 + f64::EPSILON,
        1.0 - f64::EPSILON / 2.0,
        std::f64::consts::FRAC_1_SQRT_2,
        std::f64::consts::SQRT_2,
        1073741823.9999999,
        1073741824.0,
        22.0,
        0.0,
        f64::INFINITY,
        f64::NAN,
    ];
    points.extend((1..2000).map(|n| f64::from(n) * std::f64::consts::FRAC_PI_2));
    points.extend((-40..40).map(|n| f64::from(n) * std::f64::consts::LN_2 / 2.0));
    points.extend((0..1023).map(|e| 1.7 * 2.0_f64.powi(e)));
    let negative: Vec<f64> = points.iter().map(|x| -x).collect();
    points.extend(negative);
    points
}

fn f64_worst(op: UnaryOp, random: usize, seed: u64) -> Worst {
    let machine = Direct::<f64>::new();
    let mut reference = Reference::new();
    let mut source = Random(seed);
    let (lo, hi) = op.tested_range();
    let mut worst = Worst::default();
    let every = if reference::is_slow(op) { 37 } else { 1 };
    let hard = hard_points().into_iter().step_by(every);
    let operands = hard.chain((0..random).map(|_| source.operand(lo, hi)));
    for x in operands {
        let got = program::unary(&machine, op, x).expect("an elementary function");
        if x.is_nan() || x.is_infinite() || x == 0.0 {
            worst.see(if same(got, in_f64(op, x)) { 0.0 } else { f64::NAN }, &[x]);
        } else {
            worst.see(ulp_f64(got, &reference.unary(op, x)), &[x]);
        }
    }
    worst
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

#[test]
fn f64_samples() {
    for op in program::elementary() {
        let random = if reference::is_slow(op) { 150 } else { 3_000 };
        f64_worst(op, random, 0x9e37_79b9_7f4a_7c15).check(&format!("{op:?} f64"));
    }
}

/// Operands tried of each function; a tenth of a millisecond each on one processor.
fn many() -> usize {
    let set = std::env::var("ACCURACY_OPERANDS").ok();
    set.map_or(1_000_000, |n| n.parse().expect("ACCURACY_OPERANDS is a number"))
}

#[test]
#[ignore = "many minutes: a million operands per function"]
fn f64_many() {
    let ops: Vec<UnaryOp> = program::elementary().collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| {
                while let Some(&op) = ops.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let random = if reference::is_slow(op) { many() / 200 } else { many() };
                    f64_worst(op, random, 0xda94_2042_e4dd_58b5).check(&format!("{op:?} f64"));
                }
            });
        }
    });
}

fn pow_worst_f64(random: usize) -> Worst {
    let machine = Direct::<f64>::new();
    let mut reference = Reference::new();
    let mut source = Random(77);
    let mut worst = Worst::default();
    for n in 0..random {
        let (x, y) = pow_operands(&mut source, n);
        let got = program::binary(&machine, BinaryOp::Pow, x, y).expect("pow");
        worst.see(ulp_f64(got, &reference.pow(x, y)), &[x, y]);
    }
    worst
}

/// Finite operands whose power is real and within the range of `f64` or a little beyond.
fn pow_operands(source: &mut Random, n: usize) -> (f64, f64) {
    let x = match n % 3 {
        0 => source.in_range(0.5, 2.0),
        1 => f64::from_bits(source.next() & 0x7fef_ffff_ffff_ffff).max(f64::from_bits(1)),
        _ => source.in_range(0.0, 100.0) + 1e-9,
    };
    let log = x.ln();
    let y = if log == 0.0 { 3.7 } else { source.in_range(-744.0, 709.7) / log };
    match n % 5 {
        0 if y.abs() < 1e9 => (-x, y.round()),
        _ => (x, y),
    }
}

#[test]
fn pow_samples() {
    pow_worst_f64(20_000).check("Pow f64");
    pow_worst_f32(200_000).check("Pow f32");
}

#[test]
#[ignore = "many minutes: a million operands"]
fn pow_many() {
    pow_worst_f64(many()).check("Pow f64");
    pow_worst_f32(100 * many()).check("Pow f32");
}

fn pow_worst_f32(random: usize) -> Worst {
    let machine = Direct::<f32>::new();
    let mut source = Random(99);
    let mut worst = Worst::default();
    for n in 0..random {
        let (x, y) = pow_operands_f32(&mut source, n);
        let got = program::binary(&machine, BinaryOp::Pow, x, y).expect("pow");
        worst.see(ulp_f32(got, f64::from(x).powf(y.into())), &[x.into(), y.into()]);
    }
    worst
}

fn pow_operands_f32(source: &mut Random, n: usize) -> (f32, f32) {
    if n.is_multiple_of(4) {
        return (f32::from_bits(source.next() as u32), f32::from_bits(source.next() as u32));
    }
    let x = source.in_range(-4.0, 1.0).exp() as f32;
    (x, (source.in_range(-104.0, 89.0) / f64::from(x).ln()) as f32)
}

#[test]
fn pow_of_special_values_is_as_in_c() {
    let specials = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        2.0,
        -2.0,
        0.5,
        -0.5,
        3.0,
        -3.0,
        1e300,
        -1e300,
        9007199254740993.0,
        9007199254740991.0,
        -9007199254740991.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MIN_POSITIVE,
        -f64::MIN_POSITIVE,
        f64::from_bits(1),
    ];
    let machine = Direct::<f64>::new();
    for x in specials {
        for y in specials {
            let got = program::binary(&machine, BinaryOp::Pow, x, y).expect("pow");
            let want = x.powf(y);
            let close = (got - want).abs() <= 2.0 * f64::EPSILON * want.abs();
            assert!(
                same(got, want) || close && want != 0.0,
                "{x:e} ** {y:e}: {got:e}, want {want:e}"
            );
        }
    }
}

/// An operand, and one that is special now and then.
fn base(source: &mut Random, n: usize) -> f64 {
    match n % 7 {
        0 => f64::from_bits(source.next()),
        1 => source.in_range(-2.0, 2.0),
        _ => source.in_range(-30.0, 30.0),
    }
}

#[test]
fn small_powers_are_within_the_bound_of_all() {
    let machine = Direct::<f64>::new();
    let mut reference = Reference::new();
    let mut source = Random(31);
    let mut worst = Worst::default();
    for n in 0..8_000 {
        let (x, y) = (base(&mut source, n), (source.next() % 17) as f64);
        let got = program::binary(&machine, BinaryOp::Pow, x, y).expect("pow");
        let want = x.powf(y);
        if want.is_normal() && (1e-280..1e280).contains(&want.abs()) {
            worst.see(ulp_f64(got, &reference.pow(x, y)), &[x, y]);
        } else {
            let close = (got - want).abs() <= 4.0 * f64::EPSILON * want.abs() + f64::from_bits(2);
            assert!(same(got, want) || close, "{x:e} ** {y}: {got:e}, want {want:e}");
        }
    }
    worst.check("Pow f64 by whole numbers");
}

#[test]
fn a_power_by_a_known_exponent_has_the_bits_of_any_other() {
    let (wide, narrow) = (Direct::<f64>::new(), Direct::<f32>::new());
    let mut source = Random(13);
    let whole = (0..=18).map(f64::from);
    let exponents: Vec<f64> = whole.chain([-0.0, 0.5, -0.5, 1.5, -1.0, -2.0, f64::NAN]).collect();
    for n in 0..5_000 {
        let x = base(&mut source, n);
        for &y in &exponents {
            let any = program::binary(&wide, BinaryOp::Pow, x, y).expect("pow");
            assert!(same(program::pow::power_by(&wide, x, y), any), "{x:e} ** {y}");
            let (x, y) = (x as f32, y as f32);
            let any = program::binary(&narrow, BinaryOp::Pow, x, y).expect("pow");
            let by = program::pow::power_by(&narrow, x, y.into());
            assert!(same(by.into(), any.into()), "{x:e} ** {y}, f32");
        }
    }
}

#[test]
fn zeros_keep_their_sign() {
    use UnaryOp::*;
    for op in [Sin, Tan, Tanh, Sinh, Asinh, Atanh, Asin, Atan, Expm1, Log1p, Erf, Cbrt] {
        for zero in [0.0_f64, -0.0] {
            let got = program::unary(&Direct::<f64>::new(), op, zero).expect("elementary");
            assert_eq!(got.to_bits(), zero.to_bits(), "{op:?}");
            let got = program::unary(&Direct::<f32>::new(), op, zero as f32).expect("elementary");
            assert_eq!(got.to_bits(), (zero as f32).to_bits(), "{op:?}");
        }
    }
}

#[test]
fn log2_of_powers_of_2_is_exact() {
    for e in -1074..1024 {
        let x = if e < -1022 { f64::from_bits(1 << (e + 1074)) } else { 2.0_f64.powi(e) };
        let got = program::unary(&Direct::<f64>::new(), UnaryOp::Log2, x);
        assert_eq!(got, Some(f64::from(e)));
    }
}

#[test]
fn atan2_samples() {
    let machine = Direct::<f64>::new();
    let mut reference = Reference::new();
    let mut source = Random(5);
    let (mut worst, mut worst_f32) = (Worst::default(), Worst::default());
    for _ in 0..5_000 {
        let (y, x) = (source.operand(-9.0, 9.0), source.operand(-9.0, 9.0));
        let got = program::binary(&machine, BinaryOp::Atan2, y, x).expect("atan2");
        if (y / x).is_finite() && y != 0.0 {
            worst.see(ulp_f64(got, &reference.atan2(y, x)), &[y, x]);
        }
        let (y, x) = (y as f32, x as f32);
        let got = program::binary(&Direct::<f32>::new(), BinaryOp::Atan2, y, x).expect("atan2");
        worst_f32.see(ulp_f32(got, f64::from(y).atan2(x.into())), &[y.into(), x.into()]);
    }
    worst.check("Atan2 f64");
    worst_f32.check("Atan2 f32");
    let specials = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-300];
    for y in specials {
        for x in specials {
            let got = program::binary(&machine, BinaryOp::Atan2, y, x).expect("atan2");
            let close = (got - y.atan2(x)).abs() <= 4e-16 && got.signum() == y.atan2(x).signum();
            assert!(same(got, y.atan2(x)) || close && got != 0.0, "atan2({y}, {x}) = {got}");
        }
    }
}
