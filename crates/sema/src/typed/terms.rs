//! Integer operations on terms, where they give a term again.
//!
//! Coefficients are numbers. A size that is none is *static* where it would be one: at the
//! top level a literal counts as it stands now, in a function the parameter it comes from
//! specialises.

use crate::thir::{Elem, Expr, ExprKind, ParamOrigin, StrPart};
use crate::typed::body_cx::Need;
use crate::typed::forms::term_survives;
use crate::typed::handles::Terms;
use crate::typed::static_args::is_list;
use std::collections::BTreeMap;
use weft_base::Span;
use weft_domain::{Affine, End};
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_shape::{CheckSubject, Param, Size, SizeCheck, SizeRelation, Verdict};

/// Terms that are made of more are none: products of products, and quotients of what holds a
/// quotient twice, double with each step.
const MOST_WEIGHT: usize = 1_024;

/// A size of the program's in other words, where it stays small enough to work with.
pub(crate) fn replaced(size: &Size, replace: &dyn Fn(Param) -> Size) -> Option<Size> {
    let weight = size.weight_with(&|p| replace(p).weight());
    (weight <= MOST_WEIGHT).then(|| size.substitute(replace))
}

/// Multiples of an extent below this are far from where integers end.
const FEW: i128 = 16;

impl Terms<'_, '_> {
    /// The term of an integer operation on terms, where it is one again.
    pub fn term_of(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Affine> {
        self.operated(op, a, b).filter(|term| term.weight() <= MOST_WEIGHT)
    }

    fn operated(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Affine> {
        for e in [a, b].into_iter().filter(|e| e.term.is_none()) {
            self.ask_of_element(e, Need::Value);
        }
        let (x, y) = (a.term.as_ref()?, b.term.as_ref()?);
        match op {
            BinaryOp::Add => return x.plus(y),
            BinaryOp::Sub => return x.minus(y),
            BinaryOp::Mul => return self.product(x, y),
            _ => {}
        }
        let (x, y) = (self.value_term(a)?, self.value_term(b)?);
        match op {
            BinaryOp::Div => self.quotient(&x, &y, false),
            BinaryOp::Rem => self.quotient(&x, &y, true),
            BinaryOp::Min => Some(Affine::fixed(x.as_size()?.smaller(y.as_size()?))),
            BinaryOp::Max => Some(Affine::fixed(x.as_size()?.larger(y.as_size()?))),
            _ => None,
        }
    }

    /// The term of an integer where it is the integer's value, and not only equal to it but
    /// for what wraps: sums and products wrap alike, nothing else does. Of what is known
    /// only as it stands the run checks that it stays in its type.
    fn value_term(&mut self, e: &Expr) -> Option<Affine> {
        let term = e.term.clone()?;
        let (Some(Elem::Fixed(ty)), Some(size)) = (e.ty.elem(), term.as_size()) else {
            return Some(term);
        };
        if size.as_param().is_some() || size.as_constant().is_some() || self.is_extent_like(size) {
            return Some(term);
        }
        let now = size.eval(&|p| self.cx.known_value(p))?;
        Scalar::exactly(ty, now)?;
        let size = size.clone();
        self.require_fit(&size, ty, e.span, None);
        Some(term)
    }

    /// An integer whose term, if it has one still, is its value ([`Self::value_term`]).
    pub fn with_value_term(&mut self, e: Expr) -> Expr {
        let term = self.value_term(&e);
        Expr { term, ..e }
    }

    /// The same where affine terms are asked for, as the ends of ranges and conditions on
    /// indices: what may wrap, and would not for the sizes of tensors, is checked in the run.
    pub fn as_size_term(&mut self, e: Expr) -> Expr {
        let kept = self.value_term(&e);
        let (None, Some(size), Some(Elem::Fixed(ty))) = (&kept, self.cx.size_of(&e), e.ty.elem())
        else {
            return Expr { term: kept, ..e };
        };
        if size.terms().iter().any(|(_, c)| c.abs() >= FEW) {
            return Expr { term: None, ..e };
        }
        self.require_fit(&size, ty, e.span, Some("compute it in `i64`"));
        e
    }

    /// The term of an integer converted by `as`, which saturates; terms do not.
    pub fn cast_term(&mut self, x: &Expr, to: ScalarType) -> Option<Affine> {
        let term = self.value_term(x).filter(|t| term_survives(t, to))?;
        let from = x.ty.elem().map_or(ScalarType::I64, Elem::computed_in);
        let Some(size) = term.as_size().filter(|_| to.bytes() < from.bytes()).cloned() else {
            return Some(term);
        };
        if !self.is_extent_like(&size) {
            Scalar::exactly(to, size.eval(&|p| self.cx.known_value(p))?)?;
        }
        self.require_fit(&size, to, x.span, None);
        Some(term)
    }

    /// Whether a size is some few extents and lengths, and a small number: these are far from
    /// where integers end.
    fn is_extent_like(&self, size: &Size) -> bool {
        let facts = &self.cx.body.facts;
        let is_extent = |p: &Param| facts.non_negative(&Size::param(*p)) == Verdict::Yes;
        size.constant_term().abs() < i128::from(i16::MAX)
            && size.terms().iter().all(|(m, c)| m.len() == 1 && c.abs() < FEW)
            && size.params().iter().all(is_extent)
    }

    /// Requires that a type holds an open integer that is a product of unknown sizes, or a
    /// large multiple of one.
    pub fn product_fits(&mut self, term: Option<&Affine>, to: ScalarType, span: Span) {
        let Some(size) = term.and_then(Affine::as_size).cloned() else { return };
        let grows = size.terms().iter().any(|(m, c)| m.len() > 1 || c.abs() >= FEW);
        if grows {
            self.require_fit(&size, to, span, Some("annotate the binding with `i64`"));
        }
    }

    /// Requires that 64 bits hold one past the last value of a range, where that is not known:
    /// a range could end with the last integer.
    pub fn end_fits(&mut self, end: &Size, span: Span) {
        if end.as_constant().is_some() || end.params().is_empty() || self.is_extent_like(end) {
            return;
        }
        let (what, help) = (self.cx.excerpt(span), None);
        let subject = CheckSubject::Fits { what, ty: "i64", below: false, help };
        let (left, right) = (end.clone(), Size::constant(i64::MAX));
        let relation = SizeRelation::AtMost;
        self.cx.require(SizeCheck { when: vec![], relation, left, right, subject, chain: vec![] });
    }

    /// Requires that a type holds an integer; whether that may be.
    fn require_fit(
        &mut self,
        size: &Size,
        ty: ScalarType,
        span: Span,
        help: Option<&'static str>,
    ) -> bool {
        let ends = [Scalar::least(ty), Scalar::greatest(ty)].map(|s| s.as_i64());
        let [Some(least), Some(greatest)] = ends else { return true };
        [(least, true), (greatest, false)].into_iter().all(|(end, below)| {
            let end = Size::constant(end);
            let (left, right) = if below { (end, size.clone()) } else { (size.clone(), end) };
            let what = self.cx.excerpt(span);
            let subject = CheckSubject::Fits { what, ty: ty.name(), below, help };
            let relation = SizeRelation::AtMost;
            self.cx.require(SizeCheck {
                when: vec![],
                relation,
                left,
                right,
                subject,
                chain: vec![],
            })
        })
    }

    pub fn product(&mut self, x: &Affine, y: &Affine) -> Option<Affine> {
        match (x.as_size(), y.as_size()) {
            (Some(a), Some(b)) => {
                let weight = a.weight().saturating_mul(b.weight());
                (weight <= MOST_WEIGHT).then(|| Affine::fixed(a.times(b)))
            }
            (Some(c), None) => y.scaled(self.static_value(c, Need::Value)?),
            (None, Some(c)) => x.scaled(self.static_value(c, Need::Value)?),
            (None, None) => None,
        }
    }

    /// A size as a number that structure may depend on: known, or a literal as it stands
    /// (checked at entry). Parameters of a function it depends on are asked to be static.
    pub fn static_value(&mut self, s: &Size, need: Need) -> Option<i64> {
        if let Some(n) = s.as_constant() {
            return Some(n);
        }
        let params = s.params();
        match s.eval(&|p| self.cx.known_value(p)) {
            Some(n) => {
                for p in params {
                    let value = self.cx.known_value(p).expect("the size has a value");
                    self.cx.proofs().pin(p, value);
                }
                Some(n)
            }
            None => {
                for p in params {
                    self.ask_static(p, need);
                }
                None
            }
        }
    }

    /// Asks for an integer, or for a list whose length a parameter is.
    fn ask_static(&mut self, p: Param, need: Need) {
        match self.cx.body.params[p].origin {
            ParamOrigin::Argument(local) => self.ask(local, need),
            ParamOrigin::Extent(local, 0) if is_list(&self.cx.body.locals[local].ty) => {
                self.ask(local, need);
            }
            _ => {}
        }
    }

    /// Truncating division. It is floor division where the dividend is not negative; of
    /// sizes it is written out otherwise.
    pub fn quotient(&mut self, x: &Affine, y: &Affine, remainder: bool) -> Option<Affine> {
        let by = y.as_size()?.clone();
        if !self.is_at_least(&1.into(), &by) {
            by.params().into_iter().for_each(|p| self.ask_static(p, Need::Value));
            return None;
        }
        let least = self.cx.known().bound(x, End::Lower)?;
        if self.is_at_least(&0.into(), &least) {
            return Some(if remainder { x.modulo(&by) } else { x.floor_div(&by) });
        }
        let size = x.as_size()?;
        let (up, down) = (size.larger(&0.into()), size.scaled(-1).larger(&0.into()));
        let quotient = up.floor_div(&by)?.minus(&down.floor_div(&by)?);
        Some(Affine::fixed(if remainder { size.minus(&quotient.times(&by)) } else { quotient }))
    }

    /// Whether `least <= s` is known, or holds for the literals as they stand (then it is
    /// checked at entry).
    fn is_at_least(&mut self, least: &Size, s: &Size) -> bool {
        if self.cx.body.facts.le(least, s) == Verdict::Yes {
            return true;
        }
        let now = |s: &Size| s.eval(&|p| self.cx.known_value(p));
        let holds = matches!((now(least), now(s)), (Some(l), Some(n)) if l <= n);
        if holds {
            self.cx.ranges().assume(least.clone(), s.clone());
        }
        holds
    }

    /// The arguments of a call that is asked to be static, where they are known: constants.
    pub fn with_static_values(
        &mut self,
        args: &mut [Option<Expr>],
        wanted: &BTreeMap<usize, Need>,
    ) {
        for (at, need) in wanted {
            if let Some(Some(arg)) = args.get_mut(*at) {
                self.make_static(arg, *need);
            }
        }
    }

    /// An argument as the constant that it is; what it depends on is asked for.
    pub fn make_static(&mut self, arg: &mut Expr, need: Need) {
        self.ask_of_argument(arg, need);
        if let Some(text) = self.known_text(arg) {
            arg.kind = ExprKind::Str(vec![StrPart::Text(text)]);
            return;
        }
        let size = self.cx.size_of(arg);
        if let Some(n) = size.and_then(|s| self.static_value(&s, need)) {
            arg.term = Some(Affine::fixed(n));
        }
    }

    /// The text of a string where it is known while checking. A parameter it depends on is
    /// asked to be static, inside of recursion too: a mode is passed on as it is, and what is made of
    /// texts is none that is known.
    pub fn known_text(&mut self, e: &Expr) -> Option<String> {
        let ExprKind::Local(id) = e.kind else { return crate::typed::values::constant_text(e) };
        let known = self.cx.texts.get(&id).cloned();
        if known.is_none() && e.ty == crate::thir::Ty::Str {
            self.ask(id, Need::Structure);
        }
        known
    }
}
