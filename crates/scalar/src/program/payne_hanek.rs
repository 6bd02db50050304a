//! Reduction of large operands by `pi/2` after Payne and Hanek, "Radian reduction for
//! trigonometric functions" (1983), in integers.
//!
//! Of the bits of `2/pi` only a window matters: those above it give whole turns, those
//! below change nothing. The window is six words of 32 bits, whose products with the two
//! words of the significand are exact in 64.

use super::Machine;
use super::machine::MachineExt;
use super::trig::Quadrant;

/// The first bits of `2/pi` after the point.
static TWO_OVER_PI: [u64; 20] = [
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
    0xf0cfbc209af4361d,
];

const LOW: i64 = 0xffff_ffff;

/// Reduces an `f64` of at least `2**53 / 8`; the result for infinity and NaN means nothing.
pub(super) fn reduce<M: Machine>(m: &M, x: M::F) -> Quadrant<M> {
    let bits = m.bits(x);
    let exponent = m.int_and(m.shr(bits, m.int(52)), m.int(0x7ff));
    let significand = m.int_or(m.int_and(bits, m.int((1 << 52) - 1)), m.int(1 << 52));
    // x = significand * 2**(exponent - 1075), and two whole bits of the product are kept.
    let start = m.int_sub(exponent, m.int(1075 + 2));
    // Infinity and NaN would read past the end.
    let past = m.int_eq(exponent, m.int(0x7ff));
    let start = m.select_int(past, m.int(0), start);
    let fraction = product(m, significand, &window(m, start));
    to_quadrant(m, &fraction)
}

/// 192 bits of `2/pi` from bit `start` after the point on, in words of 32 bits; a start
/// before the point gives zeros first.
fn window<M: Machine>(m: &M, start: M::I) -> [M::I; 6] {
    // One zero word in front makes every start non-negative.
    let from = m.int_add(start, m.int(64));
    let word = m.shr(from, m.int(6));
    let shift = m.int_and(from, m.int(63));
    let words: [M::I; 4] = std::array::from_fn(|i| padded_word(m, word, i as i64));
    let mut out = [m.int(0); 6];
    for i in 0..3 {
        let joined = funnel(m, words[i], words[i + 1], shift);
        out[2 * i] = m.shr(joined, m.int(32));
        out[2 * i + 1] = m.int_and(joined, m.int(LOW));
    }
    out
}

/// Word `index + ahead` of `2/pi` with one zero word in front.
fn padded_word<M: Machine>(m: &M, index: M::I, ahead: i64) -> M::I {
    let position = m.int_add(index, m.int(ahead - 1));
    let front = m.int_eq(position, m.int(-1));
    let value = m.word(&TWO_OVER_PI, m.select_int(front, m.int(0), position));
    m.select_int(front, m.int(0), value)
}

/// The high word of `high:low` shifted left by less than 64.
fn funnel<M: Machine>(m: &M, high: M::I, low: M::I, shift: M::I) -> M::I {
    let rest = m.shr(m.shr(low, m.int(1)), m.int_sub(m.int(63), shift));
    m.int_or(m.shl(high, shift), rest)
}

/// The significand times the window, without what lies above or far below the point:
/// four words of 32 bits, the first with two whole bits.
fn product<M: Machine>(m: &M, significand: M::I, window: &[M::I; 6]) -> [M::I; 4] {
    let low = m.int_and(significand, m.int(LOW));
    let high = m.shr(significand, m.int(32));
    let by_low = window.map(|w| m.int_mul(low, w));
    let by_high = window.map(|w| m.int_mul(high, w));
    let mut carry = m.shr(by_low[5], m.int(32));
    let mut words = [m.int(0); 5];
    for k in (0..5).rev() {
        let mut sum = m.int_add(carry, m.int_and(by_low[k], m.int(LOW)));
        sum = m.int_add(sum, m.int_and(by_high[k + 1], m.int(LOW)));
        if k < 4 {
            sum = m.int_add(sum, m.shr(by_low[k + 1], m.int(32)));
            sum = m.int_add(sum, m.shr(by_high[k + 2], m.int(32)));
        }
        words[k] = m.int_and(sum, m.int(LOW));
        carry = m.shr(sum, m.int(32));
    }
    [words[0], words[1], words[2], words[3]]
}

/// Rounds to the nearest quarter turn and converts the rest to radians.
fn to_quadrant<M: Machine>(m: &M, words: &[M::I; 4]) -> Quadrant<M> {
    let half = m.int_and(m.shr(words[0], m.int(29)), m.int(1));
    let n = m.int_add(m.shr(words[0], m.int(30)), half);
    let first = m.int_and(words[0], m.int((1 << 30) - 1));
    let first = m.int_sub(first, m.shl(half, m.int(30)));
    let exact =
        |word: M::I, exponent: i32| m.mul(m.int_to_float(word), m.float(2.0_f64.powi(exponent)));
    let (high, rest) = m.fast_two_sum(exact(first, -30), exact(words[1], -62));
    let (middle, low) = m.fast_two_sum(exact(words[2], -94), exact(words[3], -126));
    let (middle, rest) = m.two_sum(rest, middle);
    let low = m.add(rest, low);
    let (high, middle) = m.two_sum(high, middle);
    let (middle, low) = m.two_sum(middle, low);
    let (turn, turn_low) = m.fast_two_sum(high, middle);
    to_radians(m, n, turn, m.add(turn_low, low))
}

fn to_radians<M: Machine>(m: &M, n: M::I, turn: M::F, turn_low: M::F) -> Quadrant<M> {
    let [first, second, _] = m.format().half_pi.map(|part| m.float(part));
    let (r, error) = m.two_product(turn, first);
    let lo = m.add(error, m.fma(turn, second, m.mul(turn_low, first)));
    let (r, lo) = m.fast_two_sum(r, lo);
    Quadrant { n, r, lo }
}
