//! Functions of texts. Places count characters, which are Unicode scalar values.

use crate::RunError;
use crate::datum::Datum;
use crate::evaluate::failed;
use crate::interpret::Interpreter;
use std::fmt::Write;
use weft_base::Span;
use weft_scalar::{Scalar, ScalarType, TextOp, eval};

impl Interpreter<'_> {
    /// A function of texts applied; what it makes is counted before it is made.
    pub(crate) fn text_function(
        &self,
        op: TextOp,
        all: &[Datum],
        span: Span,
    ) -> Result<Datum, RunError> {
        use Datum::Text;
        match (op, all) {
            (TextOp::Chr, [n]) => {
                let n = n.int().unwrap_or(-1);
                let c = u32::try_from(n).ok().and_then(char::from_u32);
                let c =
                    c.ok_or_else(|| failed(format!("{n} is the code of no character"), span))?;
                self.string(c.to_string(), span)
            }
            (TextOp::Split, [Text(s), Text(by)]) if by.is_empty() => {
                self.texts(s.chars().map(String::from), s.len(), span)
            }
            (TextOp::Split, [Text(s), Text(by)]) => {
                self.texts(s.split(&***by).map(String::from), s.len(), span)
            }
            (TextOp::Lines, [Text(s)]) => self.texts(s.lines().map(String::from), s.len(), span),
            (TextOp::Join, [parts, Text(by)]) => self.joined(parts, by, span),
            (TextOp::Find, [Text(s), Text(part), start]) => {
                self.found(s, part, start.int().unwrap_or(-1), span)
            }
            (TextOp::Replace, [Text(s), Text(old), Text(new)]) => {
                let more = new.len().saturating_sub(old.len());
                let bytes = s.matches(&***old).count().saturating_mul(more).saturating_add(s.len());
                self.room_for_text(bytes, span)?;
                self.string(s.replace(&***old, new), span)
            }
            (TextOp::Upper, [Text(s)]) => self.string(s.to_uppercase(), span),
            (TextOp::Lower, [Text(s)]) => self.string(s.to_lowercase(), span),
            (TextOp::Trim, [Text(s)]) => self.string(s.trim().to_string(), span),
            (TextOp::StartsWith, [Text(s), Text(part)]) => Ok(Datum::bool(s.starts_with(&***part))),
            (TextOp::EndsWith, [Text(s), Text(part)]) => Ok(Datum::bool(s.ends_with(&***part))),
            (TextOp::Repeat, [Text(s), n]) => {
                let n = n.int().unwrap_or(-1);
                let times = usize::try_from(n);
                let times = times.map_err(|_| failed(format!("a text {n} times"), span))?;
                self.room_for_text(s.len().saturating_mul(times), span)?;
                self.string(s.repeat(times), span)
            }
            (op, all) => panic!("{op:?} of {all:?}"),
        }
    }

    fn room_for_text(&self, bytes: usize, span: Span) -> Result<(), RunError> {
        self.held(self.memory.room_for(bytes as u64), Some(span))
    }

    /// A list of texts that are made of `bytes` bytes, and at most one more than these.
    fn texts(
        &self,
        all: impl Iterator<Item = String>,
        bytes: usize,
        span: Span,
    ) -> Result<Datum, RunError> {
        self.room_for_text(bytes, span)?;
        let all: Result<Vec<Datum>, RunError> = all.map(|t| self.string(t, span)).collect();
        self.list(all?, span)
    }

    fn joined(&self, parts: &Datum, by: &str, span: Span) -> Result<Datum, RunError> {
        let mut text = self.memory.growing();
        for (n, part) in self.elements(parts, span)?.iter().enumerate() {
            let (before, Datum::Text(t)) = (if n > 0 { by } else { "" }, part) else { continue };
            // What did not fit is kept in it.
            if text.write_str(before).and_then(|()| text.write_str(t)).is_err() {
                break;
            }
        }
        self.held(text.finish().and_then(|t| self.memory.text(t)), Some(span))
    }

    fn found(&self, s: &str, part: &str, start: i64, span: Span) -> Result<Datum, RunError> {
        let length = s.chars().count();
        let start = usize::try_from(start).ok().filter(|n| *n <= length).ok_or_else(|| {
            failed(
                format!("index {start} is outside 0..={length}, the places of this string"),
                span,
            )
        })?;
        let skipped: usize = s.chars().take(start).map(char::len_utf8).sum();
        let at = s[skipped..].find(part).map(|at| start + s[skipped..skipped + at].chars().count());
        Ok(Datum::Scalar(Scalar::I64(at.map_or(-1, |at| at as i64))))
    }
}

/// The number of a type that a text is; white space around it does not count.
pub(crate) fn parsed(text: &str, ty: ScalarType) -> Option<Scalar> {
    let text = text.trim();
    match ty {
        ScalarType::F32 => text.parse().ok().map(Scalar::F32),
        _ if ty.is_float() => Some(eval::cast(Scalar::F64(text.parse().ok()?), ty)),
        ScalarType::U64 => text.parse().ok().map(Scalar::U64),
        _ => Scalar::exactly(ty, text.parse().ok()?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_their_types() {
        assert_eq!(parsed(" 12 ", ScalarType::I32), Some(Scalar::I32(12)));
        assert_eq!(parsed("-9223372036854775808", ScalarType::I64), Some(Scalar::I64(i64::MIN)));
        assert_eq!(parsed("256", ScalarType::U8), None);
        assert_eq!(parsed("1.5", ScalarType::I32), None);
        assert_eq!(parsed("1e3", ScalarType::F64), Some(Scalar::F64(1000.0)));
        assert_eq!(parsed("0.1", ScalarType::F32), Some(Scalar::F32(0.1)));
        assert_eq!(parsed("", ScalarType::F64), None);
    }
}
