//! How types meet: open values adapt, typed ones widen where no value is lost.

use crate::join::join;
use crate::thir::{Elem, Expr, ExprKind, Nominal, Ty};
use crate::typed::choice::Choice;
use crate::typed::forms::term_survives;
use crate::typed::handles::Conversions;
use crate::typed::show::show_scalar;
use weft_diag::{Code, Diagnostic};
use weft_scalar::{Bf16, BinaryOp, F8e4m3, F16, Scalar, ScalarType, eval};
use weft_shape::{CheckSubject, SizeCheck, SizeRelation};

impl Conversions<'_, '_> {
    /// `e` with an open type closed to its default.
    pub fn close(&mut self, e: Expr) -> Expr {
        match (&e.ty, e.ty.elem().map(Elem::closed)) {
            (Ty::Array(elem, _), Some(Elem::Fixed(t))) if elem.is_open() => self.convert(e, t),
            (Ty::Tuple(_) | Ty::Named(..), _) => self.close_members(e),
            _ => self.known_elements(e),
        }
    }

    /// `e`; where it is a `[]` that nothing gave a type, one of `f32`.
    pub fn known_elements(&mut self, e: Expr) -> Expr {
        let unknown = matches!(&e.kind, ExprKind::Array(members) if members.is_empty())
            && e.ty.elem() == Some(Elem::Unknown);
        if unknown { with_elem(e, Elem::Fixed(ScalarType::F32)) } else { e }
    }

    fn close_members(&mut self, e: Expr) -> Expr {
        let Expr { kind, ty, span, term } = e;
        match kind {
            ExprKind::Tuple(members) => {
                let members: Vec<Expr> = members.into_iter().map(|m| self.close(m)).collect();
                let ty = ty.with_members(members.iter().map(|m| m.ty.clone()).collect());
                Expr { kind: ExprKind::Tuple(members), ty, span, term }
            }
            kind => Expr { kind, ty, span, term },
        }
    }

    /// `e`, of an open type, as elements of `to`. A literal that does not fit is an error.
    pub fn convert(&mut self, e: Expr, to: ScalarType) -> Expr {
        if to.is_float() && e.ty.elem() == Some(Elem::OpenInt) {
            self.cx.terms().refuse_truncation(&e, to);
        }
        if to.is_float() {
            self.cx.body.note_use(&e, to);
        }
        let Ty::Array(_, shape) = &e.ty else { return e };
        let ty = Ty::Array(Elem::Fixed(to), shape.clone());
        if let ExprKind::Const(v) = e.kind {
            return self.convert_literal(v, to, ty, e);
        }
        if let ExprKind::Array(members) = e.kind {
            let members = members.into_iter().map(|m| self.convert(m, to)).collect();
            return Expr { kind: ExprKind::Array(members), ty, span: e.span, term: None };
        }
        // Constants that are chosen are known to fit, and need no look at each cell.
        if chooses_constants(&e) {
            return self.convert_constants(e, to);
        }
        let (span, term) = (e.span, e.term.clone().filter(|t| term_survives(t, to)));
        self.cx.terms().product_fits(term.as_ref(), to, span);
        if let ExprKind::Block(mut block) = e.kind {
            // The block stays what it is, with statements that run in their turn.
            block.tail = block.tail.map(|tail| Box::new(self.convert(*tail, to)));
            return Expr { kind: ExprKind::Block(block), ty, span, term };
        }
        Expr { kind: ExprKind::Adapted(to, Box::new(e)), ty, span, term }
    }

    /// Choices among constants, as elements of `to`.
    fn convert_constants(&mut self, e: Expr, to: ScalarType) -> Expr {
        let ExprKind::If(c, a, b) = e.kind else { return self.convert(e, to) };
        let ty = Ty::Array(Elem::Fixed(to), e.ty.shape().unwrap_or_default().to_vec());
        let a = Box::new(self.convert_constants(*a, to));
        let b = Box::new(self.convert_constants(*b, to));
        Expr { kind: ExprKind::If(c, a, b), ty, span: e.span, term: None }
    }

    fn convert_literal(&mut self, v: Scalar, to: ScalarType, ty: Ty, e: Expr) -> Expr {
        if !literal_fits(v, to) {
            let text = self.cx.text(e.span);
            let d = Diagnostic::error(Code::E0308, format!("`{text}` does not fit `{to}`"))
                .primary(e.span, range_of(to));
            let wider = match v {
                _ if to.is_float() => "f64",
                Scalar::U64(_) => "u64",
                _ => "i64",
            };
            let negative = !to.is_signed() && v.as_i64().is_some_and(|n| n < 0);
            let help = match negative {
                true => "use a type with a sign".to_string(),
                false => format!("annotate the binding with `{wider}`"),
            };
            return self.cx.error(d.help(help));
        }
        let term = e.term.filter(|_| to.is_int());
        Expr { kind: ExprKind::Const(eval::cast(v, to)), ty, span: e.span, term }
    }

    /// Makes `e` an element type `to`, if it is open and may become one.
    pub fn adapt(&mut self, e: Expr, to: Elem) -> Expr {
        let Some(from) = e.ty.elem() else { return e };
        match (from, to) {
            (Elem::OpenInt | Elem::OpenWide, Elem::Fixed(t)) if t != ScalarType::Bool => {
                self.convert(e, t)
            }
            (Elem::OpenInt, Elem::OpenWide) => with_elem(self.convert(e, ScalarType::U64), to),
            (Elem::OpenFloat | Elem::OpenReal(_), Elem::Fixed(t)) if t.is_float() => {
                self.convert(e, t)
            }
            (Elem::OpenInt | Elem::OpenWide, Elem::OpenFloat | Elem::OpenReal(_)) => {
                with_elem(self.convert(e, ScalarType::F64), to)
            }
            (Elem::OpenFloat, Elem::OpenReal(_)) | (Elem::OpenReal(_), Elem::OpenReal(_)) => {
                with_elem(e, to)
            }
            (Elem::Fixed(a), Elem::Fixed(b)) if a != b && a.widens_to(b) => self.widen(e, b),
            (Elem::Fixed(a), Elem::OpenFloat | Elem::OpenReal(_)) if a.is_int() => {
                with_elem(self.widen(e, ScalarType::F64), to)
            }
            (Elem::Unknown, _) if matches!(e.kind, ExprKind::Array(_)) => with_elem(e, to),
            // What reads a `[]` is never computed, but the graph has a type for it.
            (Elem::Unknown, Elem::Fixed(_) | Elem::OpenInt | Elem::OpenWide)
            | (Elem::Unknown, Elem::OpenFloat | Elem::OpenReal(_)) => {
                with_elem(self.widen(e, to.computed_in()), to)
            }
            _ => e,
        }
    }

    /// A typed value as one of a type that holds all of its values.
    pub fn widen(&mut self, e: Expr, to: ScalarType) -> Expr {
        if to.is_float() && e.ty.elem().is_some_and(Elem::is_int) {
            self.cx.terms().refuse_truncation(&e, to);
        }
        let Ty::Array(_, shape) = &e.ty else { return e };
        let ty = Ty::Array(Elem::Fixed(to), shape.clone());
        let (span, term) = (e.span, e.term.clone().filter(|_| to.is_int()));
        let kind = match e.kind {
            ExprKind::Const(v) => ExprKind::Const(eval::cast(v, to)),
            ExprKind::Array(members) => {
                ExprKind::Array(members.into_iter().map(|m| self.widen(m, to)).collect())
            }
            ExprKind::Block(mut block) => {
                // The block stays what it is, with statements that run in their turn.
                block.tail = block.tail.map(|tail| Box::new(self.widen(*tail, to)));
                ExprKind::Block(block)
            }
            kind => ExprKind::Cast(to, Box::new(Expr { kind, ..e })),
        };
        Expr { kind, ty, span, term }
    }

    /// Two types that do not meet.
    pub fn mismatch(&mut self, a: &Expr, b: &Expr, what: &str) {
        let (ta, tb) = (self.cx.show_ty(&a.ty), self.cx.show_ty(&b.ty));
        // "`+`" has operands; "the branches of `if`" have types themselves.
        let headline = if what.starts_with('`') || what.starts_with("a ") {
            format!("{what} has operands of type {ta} and {tb}")
        } else {
            format!("{what} have types {ta} and {tb}")
        };
        let d = Diagnostic::error(Code::E0308, headline)
            .primary(b.span, format!("this is {tb}"))
            .secondary(a.span, format!("this is {ta}"));
        let tried = what == Choice::Recover.sides();
        let d = match (a.ty == Ty::Str || b.ty == Ty::Str, what) {
            _ if tried && b.ty == Ty::unit() => d.help(
                "what is tried gives no value: let its block end with one, `try { assert(…); x }`",
            ),
            (true, "`+`" | "`%`") => {
                d.help("a string shows values where they stand in braces: `\"n is {n:.3f}\"`")
            }
            (true, "`*`") => d.help("a string is repeated by `std::text::repeat(s, n)`"),
            (true, "the elements of an array") => {
                d.help("a tuple holds values of several types: `(1, 2.5, \"three\")`")
            }
            _ if ta == tb => d
                .note(
                    "they hold other functions, each a type of its own, or type parameters differ",
                )
                .help("one function may choose: `|x| if n == 0 { f(x) } else { g(x) }`"),
            _ if is_range(&a.ty) || is_range(&b.ty) => d.help(
                "a range is no tensor: its numbers are `let x[i in 0..n] = h * i;`, or `[h * i | i in 0..n]`",
            ),
            _ => self.cast_help(d, a, b),
        };
        self.cx.report(d);
    }

    fn cast_help(&self, d: Diagnostic, a: &Expr, b: &Expr) -> Diagnostic {
        match (a.ty.elem(), b.ty.elem()) {
            (Some(Elem::Fixed(ta)), Some(Elem::Fixed(tb)))
                if ta != tb && ta != ScalarType::Bool && tb != ScalarType::Bool =>
            {
                // The side that loses nothing: a narrower one, an integer beside a float.
                let (from, to) = if loses_less(ta, tb) { (b, ta) } else { (a, tb) };
                let edits = self.cx.cast_edits(from.span, &to.to_string());
                d.help_edits(format!("convert one side to `{to}`"), edits)
            }
            (Some(open), Some(Elem::Fixed(t))) | (Some(Elem::Fixed(t)), Some(open))
                if open.is_open() && open.is_float() && t.is_int() =>
            {
                let side = if a.ty.elem() == Some(open) { b } else { a };
                let edits = self.cx.cast_edits(side.span, "f64");
                d.help_edits(format!("convert the `{t}` side: no float holds all of them"), edits)
            }
            (Some(Elem::OpenReal(of)), Some(Elem::Fixed(t)))
            | (Some(Elem::Fixed(t)), Some(Elem::OpenReal(of)))
                if t.is_float() =>
            {
                let side = if a.ty.elem() == Some(Elem::Fixed(t)) { b } else { a };
                let edits = self.cx.cast_edits(side.span, t.name());
                d.note(format!("an `{of}` is in that float, and no `{t}` holds each `{of}`"))
                    .help_edits(format!("round it to `{t}`"), edits)
            }
            _ => d,
        }
    }

    /// Requires two shapes to be one, axis by axis; the ranks are equal.
    pub fn same_shape(&mut self, a: &Expr, b: &Expr, what: &str) {
        let (Some(sa), Some(sb)) = (a.ty.shape(), b.ty.shape()) else { return };
        let (sa, sb) = (sa.to_vec(), sb.to_vec());
        for (axis, (left, right)) in sa.into_iter().zip(sb).enumerate() {
            let subject = CheckSubject::Shapes {
                what: what.to_string(),
                left: self.cx.excerpt(a.span),
                right: self.cx.excerpt(b.span),
                axis,
            };
            let relation = SizeRelation::Equal;
            let check = SizeCheck { when: vec![], relation, left, right, subject, chain: vec![] };
            if !self.cx.require(check) {
                return;
            }
        }
    }

    /// Both values with one element type, or an error that names both.
    pub fn unify(&mut self, a: Expr, b: Expr, what: &str) -> Option<(Expr, Expr, Elem)> {
        self.unify_as(a, b, what, |elem| elem)
    }

    /// The same, with what is made of the type in which they meet.
    pub fn unify_as(
        &mut self,
        a: Expr,
        b: Expr,
        what: &str,
        of: fn(Elem) -> Elem,
    ) -> Option<(Expr, Expr, Elem)> {
        let (ea, eb) = (a.ty.elem()?, b.ty.elem()?);
        if ea == Elem::Sought || eb == Elem::Sought {
            return Some((a, b, Elem::Sought));
        }
        match Conversions::meet(ea, eb) {
            Some(elem) => {
                let elem = of(elem);
                let a = self.adapt(a, elem);
                let b = self.adapt(b, elem);
                Some((a, b, elem))
            }
            None => {
                self.mismatch(&a, &b, what);
                None
            }
        }
    }

    /// The one element type that two values meet in; `None` if there is none.
    pub fn meet(a: Elem, b: Elem) -> Option<Elem> {
        join([a, b])
    }

    /// Makes `e` the stated type `elem` (of its own rank), or reports what it is instead.
    pub fn expect_elem(&mut self, e: Expr, elem: Elem, what: &str) -> Expr {
        let from = e.ty.elem();
        match from {
            None if matches!(e.ty, Ty::Error | Ty::Absent) => return e,
            // What the type does not hold is said of the literal.
            Some(Elem::OpenWide) if elem.is_int() => return self.adapt(e, elem),
            Some(from)
                if Conversions::meet(from, elem) == Some(elem)
                    || !from.is_known()
                    || !elem.is_known() =>
            {
                return self.adapt(e, elem);
            }
            _ => {}
        }
        let found = self.cx.show_ty(&e.ty);
        let wanted = match elem {
            elem if elem.is_known() => show_scalar(elem),
            _ => "a number".to_string(),
        };
        let d = Diagnostic::error(Code::E0308, format!("{what} must be {wanted}, found {found}"))
            .primary(e.span, format!("this is {found}"));
        let d = match elem {
            Elem::Fixed(t)
                if t != ScalarType::Bool
                    && from.is_some_and(|f| f != Elem::Fixed(ScalarType::Bool)) =>
            {
                let scalar = e.ty.rank().unwrap_or(0) == 0;
                let to = if scalar { t.name().to_string() } else { format!("[{t}]") };
                let d = match (&e.kind, t.is_float() && scalar) {
                    (ExprKind::Binary(BinaryOp::Div, a, _), true) => d.help_edits(
                        "`/` of integers truncates: divide floats",
                        self.cx.cast_edits(a.span, t.name()),
                    ),
                    _ => d,
                };
                d.help_edits("convert it", self.cx.cast_edits(e.span, &to))
            }
            _ if e.ty == Ty::unit() && self.cx.source.text(e.span).starts_with("if") => {
                d.help("say what it is otherwise, `else { 0.0 }`, or leave the cell out by a guard, `where …`")
            }
            _ => d,
        };
        self.cx.error(d)
    }
}

/// Whether a value is a constant, or chosen among some.
fn chooses_constants(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(_) => true,
        ExprKind::If(_, a, b) => chooses_constants(a) && chooses_constants(b),
        _ => false,
    }
}

/// The same value, of an open type that is computed in the same way.
fn with_elem(e: Expr, elem: Elem) -> Expr {
    let ty = Ty::Array(elem, e.ty.shape().unwrap_or_default().to_vec());
    Expr { ty, ..e }
}

/// Whether converting `from` to `to` loses less than the other way round.
fn loses_less(to: ScalarType, from: ScalarType) -> bool {
    let rank = |t: ScalarType| (t.is_float(), t.bytes());
    rank(to) > rank(from)
}

/// Whether a literal's value is one of a type, but for rounding.
fn literal_fits(v: Scalar, to: ScalarType) -> bool {
    let (from, into) = (v.as_f64(), eval::cast(v, to).as_f64());
    match (v.as_i64(), to) {
        (Some(_), _) if matches!(v, Scalar::U64(n) if i64::try_from(n).is_err()) && to.is_int() => {
            to == ScalarType::U64
        }
        (Some(n), _) if to.is_int() => Scalar::exactly(to, n).is_some(),
        (Some(_), _) => into.is_none_or(f64::is_finite),
        (None, _) => from.is_none_or(|x| !x.is_finite()) || into.is_none_or(f64::is_finite),
    }
}

/// What a type holds, for messages.
fn range_of(t: ScalarType) -> String {
    let (least, most) = (Scalar::least(t).number_text(), Scalar::greatest(t).number_text());
    match t {
        _ if t.is_int() => format!("`{t}` holds {least} to {most}"),
        ScalarType::F32 => format!("`f32` holds up to {:e}", f32::MAX),
        ScalarType::F16 => format!("`f16` holds up to {}", F16::MAX),
        ScalarType::Bf16 => format!("`bf16` holds up to {:e}", Bf16::MAX),
        _ => format!("`{t}` holds up to {}", F8e4m3::MAX),
    }
}

/// Whether a value is a range, or a list of ranges, as `[0..n]` is.
fn is_range(ty: &Ty) -> bool {
    match ty {
        Ty::List(of) => is_range(of),
        ty => matches!(ty, Ty::Named(Nominal::Range, _)),
    }
}
