//! The decimal digits of a float, and the two ways to write them.

use weft_scalar::Scalar;
use weft_scalar::eval::cast;

/// A finite float in decimal: `0.d₀d₁d₂… · 10^(exponent + 1)` with its sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Digits {
    negative: bool,
    /// At least one; the first is 0 only in zero.
    digits: Vec<u8>,
    /// Of the first digit.
    pub exponent: i32,
}

/// What a float that is no number is called.
pub(super) fn non_finite(x: f64) -> &'static str {
    match (x.is_nan(), x > 0.0) {
        (true, _) => "nan",
        (_, true) => "inf",
        (_, false) => "-inf",
    }
}

impl Digits {
    /// The shortest digits that read back as the same value of the same type; `None` for
    /// NaN, infinities and what is no float.
    pub fn shortest(v: Scalar) -> Option<Digits> {
        match v {
            Scalar::F32(x) if x.is_finite() => Some(Digits::parse(&format!("{x:e}"))),
            Scalar::F64(x) if x.is_finite() => Some(Digits::parse(&format!("{x:e}"))),
            _ if v.ty().is_small_float() => Digits::shortest_small(v),
            _ => None,
        }
    }

    /// The fewest digits that round to the same value of a small type.
    fn shortest_small(v: Scalar) -> Option<Digits> {
        let x = v.as_f64().filter(|x| x.is_finite())?;
        (0..10)
            .map(|places| format!("{x:.places$e}"))
            .find(|text| text.parse().is_ok_and(|y| cast(Scalar::F64(y), v.ty()) == v))
            .map(|text| Digits::parse(&text))
    }

    /// The shortest digits, but at most `places` behind the point; then the exact value
    /// is rounded, ties to even.
    pub fn with_places(v: Scalar, places: usize) -> Option<Digits> {
        let shortest = Digits::shortest(v)?;
        if shortest.digits.len() as i64 - 1 - i64::from(shortest.exponent) <= places as i64 {
            return Some(shortest);
        }
        let text = format!("{:.places$}", super::float(v));
        Some(Digits::from_positional(&text))
    }

    /// The exact value rounded to `places` digits behind the first, ties to even.
    pub fn with_mantissa(v: Scalar, places: usize) -> Option<Digits> {
        Digits::shortest(v)?;
        Some(Digits::parse(&format!("{:.places$e}", super::float(v))))
    }

    /// Reads `-1.25e-7`.
    fn parse(text: &str) -> Digits {
        let (mantissa, exponent) = text.split_once('e').expect("an exponent was asked for");
        let exponent = exponent.parse().expect("an exponent is a number");
        let digits = mantissa.bytes().filter(u8::is_ascii_digit).map(|b| b - b'0').collect();
        Digits { negative: text.starts_with('-'), digits, exponent }.trimmed()
    }

    /// Reads `-120.0625`.
    fn from_positional(text: &str) -> Digits {
        let negative = text.starts_with('-');
        let text = text.trim_start_matches('-');
        let point = text.find('.').unwrap_or(text.len());
        let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_digit).map(|b| b - b'0').collect();
        let zeros = digits.iter().take_while(|&&d| d == 0).count();
        if zeros == digits.len() {
            return Digits { negative, digits: vec![0], exponent: 0 };
        }
        let exponent = point as i32 - 1 - zeros as i32;
        Digits { negative, digits: digits[zeros..].to_vec(), exponent }.trimmed()
    }

    fn trimmed(mut self) -> Digits {
        while self.digits.len() > 1 && self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        self
    }

    /// How many digits stand behind the first.
    pub fn places(&self) -> usize {
        self.digits.len() - 1
    }

    /// How many digits the exponent is written with, by itself.
    pub fn exponent_width(&self) -> usize {
        self.exponent.unsigned_abs().to_string().len().max(2)
    }

    fn sign(&self) -> &'static str {
        if self.negative { "-" } else { "" }
    }

    fn digit(&self, at: i32) -> char {
        let digit = usize::try_from(at).ok().and_then(|at| self.digits.get(at));
        char::from(b'0' + digit.copied().unwrap_or(0))
    }

    /// `-120.0625`, with at least `places` digits behind the point.
    pub fn positional(&self, places: i32) -> String {
        let last = self.digits.len() as i32 - 1 - self.exponent;
        let whole: String =
            (0..=self.exponent.max(0)).map(|k| self.digit(k + self.exponent.min(0))).collect();
        let fraction: String =
            (1..=last.max(places)).map(|k| self.digit(k + self.exponent)).collect();
        format!("{}{whole}.{fraction}", self.sign())
    }

    /// `-1.25e-07`, with at least `places` digits behind the point and `width` in the
    /// exponent.
    pub fn scientific(&self, places: usize, width: usize) -> String {
        let places = places.max(self.digits.len() - 1) as i32;
        let fraction: String = (1..=places).map(|k| self.digit(k)).collect();
        let sign = if self.exponent < 0 { '-' } else { '+' };
        let exponent = self.exponent.unsigned_abs();
        format!("{}{}.{fraction}e{sign}{exponent:0width$}", self.sign(), self.digit(0))
    }
}
