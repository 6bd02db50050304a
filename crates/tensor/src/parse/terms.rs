//! Affine terms and sizes of the text form.
//!
//! A sum of signed products; a product has at most one factor with iterators. Terms are
//! built through their own constructors, so that what is read is in normal form.

use super::lexer::Token;
use super::{Parser, Result};
use crate::{Affine, Iter};
use weft_shape::{Param, Size};

/// Parentheses within parentheses that are read.
const DEPTH: usize = 100;

impl Parser {
    /// A size.
    pub(super) fn size(&mut self) -> Result<Size> {
        let term = self.affine()?;
        term.as_size().cloned().ok_or_else(|| self.error("a size has no iterators"))
    }

    /// An affine term.
    pub(super) fn affine(&mut self) -> Result<Affine> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.error("too deeply nested"));
        }
        let negative = self.eat("-");
        let mut total = self.product(negative)?;
        loop {
            let negative = match () {
                () if self.eat("+") => false,
                () if self.eat("-") => true,
                () => break,
            };
            let next = self.product(negative)?;
            total = total.plus(&next).ok_or_else(|| self.error("a coefficient overflows"))?;
        }
        self.depth -= 1;
        Ok(total)
    }

    fn product(&mut self, negative: bool) -> Result<Affine> {
        let mut total = Affine::fixed(if negative { -1 } else { 1 });
        loop {
            let next = self.factor()?;
            total = self.times(&total, &next)?;
            if !self.eat("*") {
                return Ok(total);
            }
        }
    }

    fn times(&self, a: &Affine, b: &Affine) -> Result<Affine> {
        let product = match (a.as_size(), b.as_size()) {
            (Some(a), Some(b)) => Some(Affine::fixed(a.times(b))),
            (Some(_), None) => a.as_constant().and_then(|n| b.scaled(n)),
            (None, Some(_)) => b.as_constant().and_then(|n| a.scaled(n)),
            (None, None) => None,
        };
        product.ok_or_else(|| self.error("a term is not affine"))
    }

    fn factor(&mut self) -> Result<Affine> {
        if self.eat("(") {
            return self.parenthesis();
        }
        match self.next() {
            Token::Int(n) => self.number(n),
            Token::Word(w) if w == "max" => self.extremum(Size::larger),
            Token::Word(w) if w == "min" => self.extremum(Size::smaller),
            Token::Word(w) => match (number_after(&w, 'i'), number_after(&w, 'p')) {
                (Some(n), _) => Ok(Affine::iter(Iter::from_u32(n))),
                (_, Some(n)) => Ok(Affine::fixed(Size::param(Param::from_u32(n)))),
                _ => Err(self.error("expected a term")),
            },
            _ => Err(self.error("expected a term")),
        }
    }

    /// `(term)`, or `(dividend) / (divisor))` behind one more `(`.
    fn parenthesis(&mut self) -> Result<Affine> {
        let inner = self.affine()?;
        let term = if self.eat("/") {
            self.quotient(&inner, Affine::floor_div)?
        } else if self.eat("%") {
            self.quotient(&inner, Affine::modulo)?
        } else {
            inner
        };
        self.expect(")")?;
        Ok(term)
    }

    fn quotient(&mut self, inner: &Affine, of: fn(&Affine, &Size) -> Affine) -> Result<Affine> {
        let by = self.size()?;
        if by.as_constant() == Some(0) {
            return Err(self.error("division by zero"));
        }
        Ok(of(inner, &by))
    }

    fn extremum(&mut self, of: fn(&Size, &Size) -> Size) -> Result<Affine> {
        self.expect("(")?;
        let mut total = self.size()?;
        while self.eat(",") {
            total = of(&total, &self.size()?);
        }
        self.expect(")")?;
        Ok(Affine::fixed(total))
    }

    /// A number, which may need more than 64 bits.
    fn number(&self, n: u128) -> Result<Affine> {
        let part = |shift: u32| Size::constant((n >> shift & 0x7fff_ffff) as i64);
        let step = Size::constant(1 << 31);
        if n > i128::MAX as u128 {
            return Err(self.error("a number is too large"));
        }
        let high = part(93).times(&step).plus(&part(62)).times(&step).plus(&part(31));
        let top = Size::constant((n >> 124) as i64).times(&step).times(&step).times(&step);
        let top = top.times(&step);
        Ok(Affine::fixed(high.times(&step).plus(&part(0)).plus(&top)))
    }
}

/// The number of an id printed as `prefix` and digits.
pub(super) fn number_after(word: &str, prefix: char) -> Option<u32> {
    let digits = word.strip_prefix(prefix)?;
    digits.parse().ok().filter(|&n| n < u32::MAX)
}
