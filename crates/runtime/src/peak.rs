//! What this machine can do at most, measured: operations in registers, and moving memory.
//!
//! A few milliseconds each; on a busy machine the numbers are what was left of it.

use std::arch::x86_64::*;
use std::hint::black_box;
use std::time::Instant;
use weft_scalar::ScalarType;

/// Operations and bytes per second.
#[derive(Clone, Copy, Debug)]
pub struct Peak {
    f32_flops: f64,
    bytes: f64,
}

/// Chains of operations that do not wait for each other: more than the latency of one
/// times the units for it.
const CHAINS: usize = 12;
const ROUNDS: usize = 100_000;
const REPEATS: usize = 5;
/// Beyond the caches that a core has to itself.
const STREAMED: usize = 24 << 20;

impl Peak {
    /// Measures so many threads together.
    pub fn measure(threads: usize) -> Peak {
        let all = threads as f64;
        let f32_flops = all * best(flops_of_round() * ROUNDS as f64, multiply_and_add);
        Peak { f32_flops, bytes: streamed(threads) }
    }

    /// As it is kept for later: what [`Peak::parse`] reads.
    pub fn text(&self) -> String {
        format!("{:e} {:e}", self.f32_flops, self.bytes)
    }

    /// What was kept; nothing where the text is something else.
    pub fn parse(text: &str) -> Option<Peak> {
        let (flops, bytes) = text.split_once(' ')?;
        let rate = |text: &str| text.parse().ok().filter(|n: &f64| n.is_finite() && *n > 0.0);
        Some(Peak { f32_flops: rate(flops)?, bytes: rate(bytes)? })
    }

    /// Operations per second on floats of a type; a fused multiplication and addition is two.
    pub fn flops(&self, ty: ScalarType) -> f64 {
        self.f32_flops * ScalarType::F32.bytes() as f64 / ty.bytes() as f64
    }

    /// Bytes per second between memory and processor.
    pub fn bytes(&self) -> f64 {
        self.bytes
    }
}

/// The best rate of `work` done by `run`.
fn best(work: f64, mut run: impl FnMut()) -> f64 {
    let times = (0..REPEATS).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    });
    work / times.fold(f64::INFINITY, f64::min).max(1e-9)
}

fn flops_of_round() -> f64 {
    let lanes = if is_x86_feature_detected!("avx512f") { 16 } else { 8 };
    (2 * CHAINS * lanes) as f64
}

fn multiply_and_add() {
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has the instructions.
        unsafe { multiply_and_add_512() }
    } else if is_x86_feature_detected!("fma") {
        // SAFETY: as above.
        unsafe { multiply_and_add_256() }
    }
}

#[target_feature(enable = "avx512f")]
fn multiply_and_add_512() {
    let (x, y) = (_mm512_set1_ps(black_box(0.999)), _mm512_set1_ps(black_box(0.001)));
    let mut chains = [y; CHAINS];
    for _ in 0..ROUNDS {
        for chain in &mut chains {
            *chain = _mm512_fmadd_ps(*chain, x, y);
        }
    }
    black_box(chains);
}

#[target_feature(enable = "avx2,fma")]
fn multiply_and_add_256() {
    let (x, y) = (_mm256_set1_ps(black_box(0.999)), _mm256_set1_ps(black_box(0.001)));
    let mut chains = [y; CHAINS];
    for _ in 0..ROUNDS {
        for chain in &mut chains {
            *chain = _mm256_fmadd_ps(*chain, x, y);
        }
    }
    black_box(chains);
}

/// `a = b` over memory of its own for each thread, both directions counted.
fn streamed(threads: usize) -> f64 {
    let each = STREAMED / threads;
    let mut pairs: Vec<(Vec<u8>, Vec<u8>)> =
        (0..threads).map(|n| (vec![n as u8; each], vec![1; each])).collect();
    best((2 * each * threads) as f64, || {
        std::thread::scope(|scope| {
            for (from, to) in &mut pairs {
                scope.spawn(move || {
                    to.copy_from_slice(black_box(from));
                    black_box(&to);
                });
            }
        });
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_does_something() {
        let peak = Peak::measure(1);
        assert!(peak.flops(ScalarType::F32) > 1e5 && peak.bytes() > 1e5, "{peak:?}");
        assert_eq!(2.0 * peak.flops(ScalarType::F64), peak.flops(ScalarType::F32));
        let kept = Peak::parse(&peak.text()).expect("it reads back");
        assert_eq!((kept.f32_flops, kept.bytes), (peak.f32_flops, peak.bytes));
        assert!(
            ["", "1e9", "1e9 x", "0 1", "inf 1", "-1 1"].iter().all(|t| Peak::parse(t).is_none())
        );
    }
}
