//! `truncating-division`: a quotient of integers, which truncates, is no float by itself.
//!
//! Where the value of a division of integers becomes a float, or an exponent, without an `as`,
//! half of it is meant to be there: that is an error, also through names, results of functions,
//! sums and branches. What only decides something (an index, a condition) is left alone, and what
//! whole numbers alone have: a rest, bits.

use crate::thir::{Elem, Expr, ExprKind, Ty};
use crate::typed::body_cx::BodyCx;
use crate::typed::handles::Terms;
use weft_base::Span;
use weft_diag::{Code, Diagnostic, Edit};
use weft_scalar::{BinaryOp, ScalarType};

impl Terms<'_, '_> {
    /// Remembers a division of constants that does not come out even.
    pub fn truncates(&mut self, quotient: &Expr) {
        self.cx.truncated.push(quotient.span);
    }

    /// Reports an integer that a division truncated, where it becomes a float.
    pub fn refuse_truncation(&mut self, e: &Expr, to: ScalarType) {
        let Some(span) = self.cx.truncated_in(e) else { return };
        let text = self.cx.text(span);
        let headline = format!("`{text}` truncates before it becomes a float");
        let d = Diagnostic::error(Code::TruncatingDivision, headline)
            .primary(span, "a division of integers");
        let here = span.file == e.span.file && e.span.start <= span.start && span.end <= e.span.end;
        let d =
            if here { self.cure_in_place(d, span, to) } else { self.cure_at_use(d, span, e, to) };
        self.cx.report(d);
    }

    /// The cures where the quotient itself becomes a float.
    fn cure_in_place(&self, d: Diagnostic, span: Span, to: ScalarType) -> Diagnostic {
        let source = self.cx.source.text(span);
        let d = match literal_end(source) {
            Some(end) => {
                let at = span.start + end as u32;
                let edit = Edit { span: Span::new(span.file, at, at), replacement: ".0".into() };
                d.help_edits("divide floats", vec![edit])
            }
            None => d.help("divide floats: convert one side, or write a literal as `2.0`"),
        };
        let whole = self.cx.cast_edits(span, to.name());
        d.help_edits("or say that the whole part is meant", whole)
    }

    /// The cures where it has a name, or is what a function gives: that may be an index or an
    /// extent somewhere else, so it stays an integer, and what is made of it here is converted.
    fn cure_at_use(&self, d: Diagnostic, span: Span, e: &Expr, to: ScalarType) -> Diagnostic {
        let source = self.cx.source.text(span);
        let floats = match literal_end(source) {
            Some(end) => format!("{}.0{}", &source[..end], &source[end..]),
            None => "a / 2.0".into(),
        };
        let used = self.cx.text(e.span);
        d.secondary(e.span, format!("`{used}` becomes a float here"))
            .help_edits("if the whole part is meant", self.cx.cast_edits(e.span, to.name()))
            .help(format!(
                "or divide floats, `{floats}`, where it is neither an index nor an extent"
            ))
    }

    /// Warns of a quotient of literals that is shown as it stands: the rest of the division is
    /// not. Of names, in cells and in branches whole parts are mostly meant.
    pub fn warn_of_truncation(&mut self, e: &Expr) {
        if !matches!(e.kind, ExprKind::Const(_)) || e.ty != Ty::scalar(Elem::OpenInt) {
            return;
        }
        let Some(span) = self.cx.truncated_in(e) else { return };
        let headline = format!("`{}` truncates", self.cx.text(span));
        let d = Diagnostic::warning(Code::TruncatingDivision, headline)
            .primary(span, "a division of integers, shown without its rest")
            .help(
                "divide floats (`7 / 2.0`), or say that the whole part is meant: `(7 / 2) as i64`",
            );
        self.cx.report(d);
    }
}

impl BodyCx<'_> {
    /// The division that an integer is the quotient of, conditions and indices aside.
    pub fn truncated_in(&self, e: &Expr) -> Option<Span> {
        if !e.ty.elem().is_some_and(Elem::is_int) {
            return None;
        }
        match &e.kind {
            ExprKind::Const(_) => {
                let inside = |s: &Span| {
                    s.file == e.span.file && e.span.start <= s.start && s.end <= e.span.end
                };
                self.truncated.iter().copied().find(inside)
            }
            ExprKind::Binary(BinaryOp::Div, ..) => Some(e.span),
            ExprKind::Binary(op, ..) if *op == BinaryOp::Rem || op.is_bitwise() => None,
            ExprKind::Binary(_, a, b) | ExprKind::If(_, a, b) => {
                self.truncated_in(a).or_else(|| self.truncated_in(b))
            }
            ExprKind::Unary(_, x) | ExprKind::Adapted(_, x) => self.truncated_in(x),
            ExprKind::Reduce { body, .. } => self.truncated_in(body),
            ExprKind::Block(block) => self.truncated_in(block.tail.as_deref()?),
            ExprKind::Array(members) => members.iter().find_map(|m| self.truncated_in(m)),
            ExprKind::Read(_, base, _) => self.truncated_in(base),
            ExprKind::Local(id) => self.quotients.get(id).copied(),
            ExprKind::Call(call) => self.call_quotients.get(&call.body).copied(),
            _ => None,
        }
    }
}

/// Where the whole number ends that a quotient ends with, perhaps between parentheses.
fn literal_end(quotient: &str) -> Option<usize> {
    let inside = quotient.trim_end_matches(')');
    let before = inside.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_number = before.len() < inside.len() && before.ends_with([' ', '/']);
    is_number.then_some(inside.len())
}
