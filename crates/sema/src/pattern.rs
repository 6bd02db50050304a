//! Patterns of `match` against the type of what is looked at: what each tests and binds.

use crate::checker::Checker;
use crate::handles::Matches;
use crate::prove::pattern::{Constructor, Pattern, PatternKind};
use crate::scope::Binding;
use crate::thir::{Elem, Expr, ExprKind, HostOp, Item, ReadInfo, StrPart, Ty};
use crate::typed::values::{constant, integer, truth, value};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::Affine;
use weft_hir::{self as hir, VarId};
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_shape::Size;

impl Matches<'_, '_> {
    /// A pattern for values of `ty`; `None` after an error.
    pub fn pattern(&mut self, p: &hir::Pat, ty: &Ty) -> Option<Pattern> {
        let span = p.span;
        if *ty == Ty::Absent {
            // The value surely is of another variant: nothing is looked at.
            return Some(Pattern::any(span));
        }
        let kind = match &p.kind {
            hir::PatKind::Error => return None,
            hir::PatKind::Wildcard => PatternKind::Any,
            hir::PatKind::Bind { name, constant, sub } => {
                return self.name_pattern(name, *constant, sub, ty, span);
            }
            hir::PatKind::Number(n) => self.checker.cx().patterns().number_pattern(n, ty)?,
            hir::PatKind::Range { start, end, inclusive } => {
                self.checker.cx().patterns().range_pattern(start, end, *inclusive, ty, span)?
            }
            hir::PatKind::Str(text) => {
                let fits = *ty == Ty::Str || crate::typed::forms::is_character(ty);
                self.checker.cx().patterns().pattern_fits(fits, ty, "a string", span)?;
                PatternKind::Text(text.clone())
            }
            hir::PatKind::Bool(b) => {
                let fits = ty.elem() == Some(Elem::Fixed(ScalarType::Bool)) && ty.rank() == Some(0);
                self.checker.cx().patterns().pattern_fits(fits, ty, "a bool", span)?;
                PatternKind::Bool(*b)
            }
            hir::PatKind::Path(path) => {
                let c = self.checker.cx().patterns().pattern_constructor(path, ty)?;
                self.fields_pattern(c, &[], ty, span)?
            }
            hir::PatKind::TupleStruct { path, elems } => {
                let c = self.checker.cx().patterns().pattern_constructor(path, ty)?;
                self.fields_pattern(c, elems, ty, span)?
            }
            hir::PatKind::Struct { path, fields, rest } => {
                let c = self.checker.cx().patterns().pattern_constructor(path, ty)?;
                self.record_pattern(c, fields, *rest, ty, span)?
            }
            hir::PatKind::Tuple(ps) => self.tuple_pattern(ps, ty, span)?,
            hir::PatKind::Array(ps) => self.array_pattern(ps, ty, span)?,
            hir::PatKind::Rest(_) => PatternKind::Any,
        };
        Some(Pattern { span, kind })
    }

    /// A bare name: a variant of the type, a constant, or a new name.
    fn name_pattern(
        &mut self,
        name: &hir::Ident,
        constant: Option<VarId>,
        sub: &Option<Box<hir::Pat>>,
        ty: &Ty,
        span: Span,
    ) -> Option<Pattern> {
        if sub.is_none() {
            if let Some(c) = self.checker.cx().patterns().bare_variant(&name.label(), ty) {
                let kind = self.fields_pattern(c, &[], ty, span)?;
                return Some(Pattern { span, kind });
            }
            if let Some(Binding::Const(id)) = constant.and_then(|var| self.checker.lookup(var)) {
                let e = self.checker.constants[id].def.value.clone();
                return self.checker.cx().patterns().constant_pattern(&e, ty, span);
            }
        }
        let inner = match sub {
            Some(p) => self.pattern(p, ty)?,
            None => Pattern::any(span),
        };
        Some(Pattern { span, kind: PatternKind::Bind(name.clone(), Box::new(inner)) })
    }

    fn fields_pattern(
        &mut self,
        c: Constructor,
        elems: &[hir::Pat],
        ty: &Ty,
        span: Span,
    ) -> Option<PatternKind> {
        let types = self.checker.types.fields_of(c, ty);
        if types.len() != elems.len() {
            let name = self.checker.types.constructor_name(c);
            let has = match types.len() {
                1 => "1 field".to_string(),
                n => format!("{n} fields"),
            };
            let d = Diagnostic::error(
                Code::E0061,
                format!("`{name}` has {has}, the pattern names {}", elems.len()),
            )
            .primary(span, format!("{} here", elems.len()));
            self.checker.report(d);
            return None;
        }
        let all: Option<Vec<Pattern>> =
            elems.iter().zip(&types).map(|(p, t)| self.pattern(p, t)).collect();
        Some(PatternKind::Fields(c, all?))
    }

    fn record_pattern(
        &mut self,
        c: Constructor,
        fields: &[hir::FieldPat],
        rest: bool,
        ty: &Ty,
        span: Span,
    ) -> Option<PatternKind> {
        let types = self.checker.types.fields_of(c, ty);
        let names = self.checker.types.def(c.ty).variants[c.variant].fields.clone();
        let mut out: Vec<Option<Pattern>> = vec![None; names.len()];
        for f in fields {
            let Some(at) = names.iter().position(|n| n.as_ref() == Some(&f.name.name)) else {
                self.checker.cx().patterns().unknown_field(c, &f.name, &names);
                return None;
            };
            out[at] = Some(self.pattern(&f.pat, &types[at])?);
        }
        let missing: Vec<String> = names
            .iter()
            .zip(&out)
            .filter(|(_, p)| p.is_none())
            .filter_map(|(n, _)| n.as_ref().map(|n| format!("`{n}`")))
            .collect();
        if !missing.is_empty() && !rest {
            let name = self.checker.types.constructor_name(c);
            let d = Diagnostic::error(
                Code::E0308,
                format!("the pattern of `{name}` leaves out {}", missing.join(", ")),
            )
            .primary(span, "not all fields are named")
            .help("end it with `..` to leave the others out");
            self.checker.report(d);
            return None;
        }
        let out = out.into_iter().map(|p| p.unwrap_or_else(|| Pattern::any(span))).collect();
        Some(PatternKind::Fields(c, out))
    }

    fn tuple_pattern(&mut self, ps: &[hir::Pat], ty: &Ty, span: Span) -> Option<PatternKind> {
        let Ty::Tuple(members) = ty else {
            self.checker.cx().patterns().pattern_fits(false, ty, "a tuple", span)?;
            return None;
        };
        let fits = members.len() == ps.len();
        self.checker.cx().patterns().pattern_fits(
            fits,
            ty,
            &format!("a tuple of {}", ps.len()),
            span,
        )?;
        let all: Option<Vec<Pattern>> =
            ps.iter().zip(members.iter()).map(|(p, t)| self.pattern(p, t)).collect();
        Some(PatternKind::Tuple(all?))
    }

    fn array_pattern(&mut self, ps: &[hir::Pat], ty: &Ty, span: Span) -> Option<PatternKind> {
        let element = match ty {
            Ty::Array(elem, shape) if !shape.is_empty() => Ty::Array(*elem, shape[1..].to_vec()),
            Ty::List(of) => (**of).clone(),
            _ => {
                self.checker.cx().patterns().pattern_fits(false, ty, "an array", span)?;
                return None;
            }
        };
        let (mut front, mut back, mut rest) = (Vec::new(), Vec::new(), None);
        for p in ps {
            match &p.kind {
                hir::PatKind::Rest(name) => rest = Some(name.clone()),
                _ if rest.is_some() => back.push(self.pattern(p, &element)?),
                _ => front.push(self.pattern(p, &element)?),
            }
        }
        Some(PatternKind::Array(front, rest, back))
    }

    /// The condition under which `place` matches; `None` where it always does.
    pub fn pattern_test(&mut self, p: &Pattern, place: &Expr) -> Option<Expr> {
        let span = p.span;
        match &p.kind {
            PatternKind::Any => None,
            PatternKind::Bind(_, inner) => self.pattern_test(inner, place),
            PatternKind::Bool(true) => Some(place.clone()),
            PatternKind::Bool(false) => Some(self.checker.cx().operators().apply_unary(
                weft_scalar::UnaryOp::Not,
                place.clone(),
                span,
            )),
            PatternKind::Ints(lo, hi) => self.ints_test(*lo, *hi, place, span),
            PatternKind::Float(x) => {
                let x = self.checker.cx().leaves().float(*x, span);
                Some(self.checker.cx().operators().apply_binary(
                    BinaryOp::Eq,
                    place.clone(),
                    x,
                    span,
                ))
            }
            PatternKind::Floats(lo, hi, inclusive) => {
                let (lo, hi) = (
                    self.checker.cx().leaves().float(*lo, span),
                    self.checker.cx().leaves().float(*hi, span),
                );
                let below = if *inclusive { BinaryOp::Le } else { BinaryOp::Lt };
                let a = self.checker.cx().operators().apply_binary(
                    BinaryOp::Ge,
                    place.clone(),
                    lo,
                    span,
                );
                let b = self.checker.cx().operators().apply_binary(below, place.clone(), hi, span);
                Some(both(a, b, span))
            }
            PatternKind::Text(t) => {
                let text = value(ExprKind::Str(vec![StrPart::Text(t.clone())]), Ty::Str, span);
                Some(self.checker.cx().operators().apply_binary(
                    BinaryOp::Eq,
                    place.clone(),
                    text,
                    span,
                ))
            }
            PatternKind::Fields(c, ps) => self.fields_test(*c, ps, place, span),
            PatternKind::Tuple(ps) => {
                let parts: Vec<Expr> = (0..ps.len())
                    .map(|n| self.checker.cx().parts().member(place.clone(), n, span))
                    .collect();
                self.all_tests(None, ps, parts, span)
            }
            PatternKind::Array(front, rest, back) => {
                let length =
                    self.length_test(front.len() + back.len(), rest.is_some(), place, span);
                if length.as_ref().is_some_and(is_false) {
                    return length;
                }
                let ps: Vec<Pattern> = front.iter().chain(back).cloned().collect();
                let inside = |c: &mut Checker<'_>| {
                    let parts = c.matches().elements(front.len(), back.len(), place, span);
                    c.matches().all_tests(None, &ps, parts, span)
                };
                match length {
                    None => inside(self.checker),
                    Some(length) => match self.checker.under(&length, true, inside) {
                        None => Some(length),
                        Some(rest) => Some(both(length, rest, span)),
                    },
                }
            }
        }
    }

    fn all_tests(
        &mut self,
        first: Option<Expr>,
        ps: &[Pattern],
        parts: Vec<Expr>,
        span: Span,
    ) -> Option<Expr> {
        let mut out = first;
        for (p, part) in ps.iter().zip(parts) {
            if let Some(test) = self.pattern_test(p, &part) {
                out = Some(match out {
                    Some(before) => both(before, test, span),
                    None => test,
                });
            }
        }
        out
    }

    fn ints_test(&mut self, lo: i128, hi: i128, place: &Expr, span: Span) -> Option<Expr> {
        let number = |n: i128| i64::try_from(n).ok();
        if lo == hi {
            let Some(n) = number(lo) else { return Some(truth(false, span)) };
            let n = integer(Affine::fixed(n), span);
            return Some(self.checker.cx().operators().apply_binary(
                BinaryOp::Eq,
                place.clone(),
                n,
                span,
            ));
        }
        let mut test = None;
        for (op, end) in [(BinaryOp::Ge, lo), (BinaryOp::Le, hi)] {
            let Some(n) = number(end) else { continue };
            let n = integer(Affine::fixed(n), span);
            let t = self.checker.cx().operators().apply_binary(op, place.clone(), n, span);
            test = Some(match test {
                Some(before) => both(before, t, span),
                None => t,
            });
        }
        test
    }

    fn fields_test(
        &mut self,
        c: Constructor,
        ps: &[Pattern],
        place: &Expr,
        span: Span,
    ) -> Option<Expr> {
        if self.checker.types.fields_of(c, &place.ty).contains(&Ty::Absent)
            && self.checker.types.def(c.ty).is_enum
        {
            // A field that is surely not there: the value is none of this variant.
            return Some(truth(false, span));
        }
        let first = self.checker.types.def(c.ty).is_enum.then(|| self.variant_test(c, place, span));
        if first.as_ref().is_some_and(is_false) {
            return first;
        }
        let parts = self.checker.cx().patterns().field_exprs(c, place, span);
        self.all_tests(first.filter(|e| !is_true(e)), ps, parts, span)
    }

    fn variant_test(&mut self, c: Constructor, place: &Expr, span: Span) -> Expr {
        if matches!(place.ty, Ty::Boxed(..)) {
            let kind = ExprKind::Host(HostOp::IsVariant(c.variant), vec![place.clone()]);
            return value(kind, Ty::bool(), span);
        }
        let tag = self.checker.cx().parts().member(place.clone(), 0, span);
        let wanted = constant(Scalar::I32(c.variant as i32), Elem::Fixed(ScalarType::I32), span);
        self.checker.cx().operators().apply_binary(BinaryOp::Eq, tag, wanted, span)
    }

    fn length_test(&mut self, least: usize, more: bool, place: &Expr, span: Span) -> Option<Expr> {
        if more && least == 0 {
            return None;
        }
        let length = self.checker.cx().parts().length_of(place, span);
        let n = integer(Affine::fixed(least as i64), span);
        let op = if more { BinaryOp::Ge } else { BinaryOp::Eq };
        let test = self.checker.cx().operators().apply_binary(op, length, n, span);
        (!is_true(&test)).then_some(test)
    }

    /// The elements that a pattern names at the front and at the end; the length is tested before.
    fn elements(&mut self, front: usize, back: usize, place: &Expr, span: Span) -> Vec<Expr> {
        let ahead = (0..front).map(|n| (false, n));
        let behind = (0..back).map(|n| (true, back - n));
        let places: Vec<(bool, usize)> = ahead.chain(behind).collect();
        places
            .into_iter()
            .map(|(from_end, n)| {
                let at = match from_end {
                    true => self.place_from_end(place, n, span),
                    false => integer(Affine::fixed(n as i64), span),
                };
                self.element(place, at, span)
            })
            .collect()
    }

    /// The element at an integer: a tensor's by its term, which reads are proven of.
    fn element(&mut self, place: &Expr, at: Expr, span: Span) -> Expr {
        if matches!(place.ty, Ty::List(_)) {
            return self.checker.cx().parts().host_element(place.clone(), at, span);
        }
        let at = self.checker.hidden("place", at).ident;
        let item = hir::ItemKind::Expr(hir::Expr::of_var(&at, span));
        self.checker.reads().read_value(place.clone(), &[hir::Item { span, kind: item }], span)
    }

    /// `len(place) - n`.
    fn place_from_end(&mut self, place: &Expr, n: usize, span: Span) -> Expr {
        let length = self.checker.cx().parts().length_of(place, span);
        let n = integer(Affine::fixed(n as i64), span);
        self.checker.cx().operators().apply_binary(BinaryOp::Sub, length, n, span)
    }

    /// What lies between the elements at the front and those at the end; the length is
    /// tested before.
    fn between(&mut self, place: &Expr, front: usize, back: usize, span: Span) -> Expr {
        if let Ty::Array(elem, shape) = &place.ty {
            let lo = Size::from(front as i64);
            let hi = shape[0].plus_const(-(back as i64));
            let mut extents = vec![hi.minus(&lo)];
            extents.extend(shape[1..].iter().cloned());
            let ty = Ty::Array(*elem, extents);
            let read = self.checker.cx().body.reads.push(ReadInfo { span, checked: false });
            let items = vec![Item::Range(Affine::fixed(lo), Affine::fixed(hi))];
            return value(ExprKind::Read(read, Box::new(place.clone()), items), ty, span);
        }
        let lo = integer(Affine::fixed(front as i64), span);
        let hi = self.place_from_end(place, back, span);
        self.checker.cx().parts().host_stretch(place.clone(), lo, hi, span)
    }

    /// What a pattern binds, in order.
    pub fn pattern_names(&mut self, p: &Pattern, place: &Expr, out: &mut Vec<(hir::Ident, Expr)>) {
        let span = p.span;
        match &p.kind {
            PatternKind::Bind(name, inner) => {
                out.push((name.clone(), place.clone()));
                self.pattern_names(inner, place, out);
            }
            PatternKind::Fields(c, ps) if p.binds() => {
                let parts = self.checker.cx().patterns().field_exprs(*c, place, span);
                ps.iter().zip(parts).for_each(|(p, part)| self.pattern_names(p, &part, out));
            }
            PatternKind::Tuple(ps) => {
                for (n, p) in ps.iter().enumerate() {
                    let part = self.checker.cx().parts().member(place.clone(), n, span);
                    self.pattern_names(p, &part, out);
                }
            }
            PatternKind::Array(front, rest, back) if p.binds() => {
                let parts = self.elements(front.len(), back.len(), place, span);
                let ps = front.iter().chain(back);
                ps.zip(parts).for_each(|(p, part)| self.pattern_names(p, &part, out));
                if let Some(Some(name)) = rest {
                    let stretch = self.between(place, front.len(), back.len(), name.span);
                    out.push((name.clone(), stretch));
                }
            }
            _ => {}
        }
    }
}

pub(crate) fn is_true(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Const(Scalar::Bool(true)))
}

pub(crate) fn is_false(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Const(Scalar::Bool(false)))
}

/// `a && b`; the second is evaluated only where the first holds.
pub(crate) fn both(a: Expr, b: Expr, span: Span) -> Expr {
    if a.ty == Ty::Error || b.ty == Ty::Error {
        return crate::typed::values::error_expr(span);
    }
    if is_true(&a) || is_false(&b) {
        return b;
    }
    if is_false(&a) || is_true(&b) {
        return a;
    }
    let kind = ExprKind::If(Box::new(a), Box::new(b), Box::new(truth(false, span)));
    value(kind, Ty::bool(), span)
}
