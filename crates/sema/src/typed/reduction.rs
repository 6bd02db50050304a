//! Reductions of checked terms: what is accumulated, and under which conditions.

use crate::scope::Binding;
use crate::thir::{Elem, Expr, ExprKind, LocalId, Ty};
use crate::typed::handles::Operators;
use crate::typed::values::{
    MOST_PARTS, are_more_than, as_differential, as_value, error_expr, is_beyond_i64,
    is_differential, value,
};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Iter};
use weft_hir as hir;
use weft_scalar::{BinaryOp, ScalarType};
use weft_shape::Size;
use weft_tensor::Accumulator;

/// `where` items after checking.
#[derive(Default)]
pub(crate) struct Conditions {
    pub binds: Vec<(LocalId, Expr)>,
    pub guards: Vec<Expr>,
}

impl Conditions {
    fn parts(&self) -> impl Iterator<Item = &Expr> {
        self.binds.iter().map(|(_, e)| e).chain(&self.guards)
    }
}

impl Operators<'_, '_> {
    /// The mean or the place of the largest of nothing, where no condition decides whether
    /// it is asked for: in the words of the failure that it would be.
    pub fn refuse_nothing(&mut self, r: &hir::Reduction, iters: &[Iter], span: Span) {
        let kind = r.name.as_str();
        let demands = matches!(kind, "argmax" | "argmin" | "mean");
        if !demands || self.cx.attempted > 0 || !self.cx.path.is_empty() {
            return;
        }
        let end = |a: &Affine| a.as_size().and_then(Size::as_constant);
        let empty = iters.iter().find_map(|i| {
            let known = self.cx.known();
            let (lo, hi) = known.range(*i)?;
            let (lo, hi) = (end(lo)?, end(hi)?);
            (hi <= lo).then(|| format!("`{}` is {lo}..{hi} here", self.cx.body.iters[*i].name))
        });
        let Some(label) = empty else { return };
        let d = Diagnostic::error(Code::E0007, format!("the {kind} of nothing"))
            .primary(span, label)
            .help("give it another value where there is nothing: `if n > 0 { … } else { … }`");
        self.cx.report(d);
    }

    /// A range that ends behind the last integer, as that of the integers before its own. All
    /// integers are more than can be counted.
    pub fn one_below(
        &mut self,
        lo: Affine,
        hi: Affine,
        range: Option<&hir::Expr>,
    ) -> Option<(Affine, Affine)> {
        if lo.as_constant() == Some(i64::MIN) {
            if let Some(r) = range {
                self.too_large(r.span);
            }
            return None;
        }
        let one = Size::from(-1);
        Some((lo.plus_size(&one), hi.plus_size(&one)))
    }

    /// Binds a name to the integer behind an index.
    pub fn bind_behind(&mut self, name: &hir::Ident, i: Iter) {
        let term = Affine::iter(i).plus_size(&1.into());
        let id = self.cx.local(&name.name, name.span, Ty::scalar(Elem::OpenInt), Some(term));
        self.cx.depends.insert_mut(id, vec![i]);
        if !name.is_discard() {
            self.cx.bind(name.var, Binding::Local(id));
        }
    }

    pub fn range_end(&mut self, e: &Expr) -> Option<Affine> {
        let e = self.cx.terms().as_size_term(e.clone());
        match (&e.ty, &e.term) {
            (Ty::Array(..), Some(term)) => Some(term.clone()),
            _ => self.cx.leaves().size_required(&e, "the end of a range").map(Affine::fixed),
        }
    }

    pub fn accumulate(
        &mut self,
        r: &hir::Reduction,
        iters: Vec<Iter>,
        conditions: Conditions,
        body: Expr,
        span: Span,
    ) -> Expr {
        use hir::Accumulator as A;
        if body.ty == Ty::Error {
            return error_expr(span);
        }
        if is_differential(&body) && r.op == A::Sum {
            let sum = self.accumulate(r, iters, conditions, as_value(body), span);
            return as_differential(sum);
        }
        if is_differential(&body) {
            return self.not_a_value(&body, &format!("`{}`", r.op.as_str()));
        }
        if is_beyond_i64(&body) {
            return self.too_large(body.span);
        }
        let Some(elem) = body.ty.elem() else {
            let found = self.cx.show_ty(&body.ty);
            let d = Diagnostic::error(Code::E0308, format!("`{}` of {found}", r.op.as_str()))
                .primary(body.span, "a reduction takes numbers or truth values");
            return self.cx.error(d);
        };
        let is_bool = elem == Elem::Fixed(ScalarType::Bool);
        let wants_bool = matches!(r.op, A::All | A::Any | A::Count);
        if elem.is_known() && wants_bool != is_bool && !(is_bool && r.op == A::Sum) {
            let found = self.cx.show_ty(&body.ty);
            let wanted = if wants_bool { "bool" } else { "numbers" };
            let d = Diagnostic::error(
                Code::E0308,
                format!("`{}` takes {wanted}, found {found}", r.op.as_str()),
            )
            .primary(body.span, format!("this is {found}"));
            return self.cx.error(d);
        }
        let of_places = matches!(r.op, A::ArgMax | A::ArgMin) && iters.len() > 1;
        if of_places && are_more_than(MOST_PARTS, conditions.parts().chain([&body]).collect()) {
            let headline = format!("`{}` of more than {MOST_PARTS} parts", r.op.as_str());
            let d = Diagnostic::error(Code::E0309, headline)
                .primary(body.span, "this is written once for each index")
                .help("define what ignores these indices before");
            return self.cx.error(d);
        }
        let ty = body.ty.clone();
        match r.op {
            A::Sum | A::Count if is_bool => {
                let shape = ty.shape().unwrap_or_default().to_vec();
                let ty = Ty::Array(Elem::OpenInt, shape);
                let ones = value(ExprKind::Cast(ScalarType::I64, Box::new(body)), ty.clone(), span);
                plain(&iters, conditions, span, Accumulator::Sum, ones, ty)
            }
            A::Sum | A::Count => {
                let reduce = |body: Expr| {
                    let ty = body.ty.clone();
                    plain(&iters, conditions, span, Accumulator::Sum, body, ty)
                };
                wide_sum(body, reduce)
            }
            A::Prod => {
                let body = self.computed(body);
                let ty = body.ty.clone();
                plain(&iters, conditions, span, Accumulator::Prod, body, ty)
            }
            A::Max => plain(&iters, conditions, span, Accumulator::Max, body, ty),
            A::Min => plain(&iters, conditions, span, Accumulator::Min, body, ty),
            A::All => plain(&iters, conditions, span, Accumulator::All, body, ty),
            A::Any => plain(&iters, conditions, span, Accumulator::Any, body, ty),
            A::Mean => self.mean(iters, conditions, body, span),
            A::ArgMax => arguments(Accumulator::ArgMax, iters, conditions, body, span),
            A::ArgMin => arguments(Accumulator::ArgMin, iters, conditions, body, span),
        }
    }

    pub fn mean(
        &mut self,
        iters: Vec<Iter>,
        conditions: Conditions,
        body: Expr,
        span: Span,
    ) -> Expr {
        if body.ty.elem().is_some_and(|e| e.is_known() && !e.is_float()) {
            let found = self.cx.show_ty(&body.ty);
            let d = Diagnostic::error(Code::E0308, format!("`mean` takes floats, found {found}"))
                .primary(body.span, format!("this is {found}"))
                .help("convert the elements: `mean[i](x[i] as f32)`");
            return self.cx.error(d);
        }
        let Conditions { binds, guards } = conditions;
        wide_sum(body, |body| {
            let ty = body.ty.clone();
            let (accumulator, body) = (Accumulator::Sum, Box::new(body));
            let kind = ExprKind::Reduce { accumulator, iters, binds, guards, body };
            value(ExprKind::Mean(Box::new(value(kind, ty.clone(), span))), ty, span)
        })
    }
}

/// A sum in the type that its elements accumulate in; of small floats rounded back once.
pub(crate) fn wide_sum(body: Expr, sum: impl FnOnce(Expr) -> Expr) -> Expr {
    let Some(Elem::Fixed(from)) = body.ty.elem() else { return sum(body) };
    let wide = sum(widened(body, from.sums_in()));
    if from.is_small_float() { converted(wide, from) } else { wide }
}

/// A term of a sum in a wider type: the factors of a product of small floats are widened,
/// so that the product is not rounded before the sum.
fn widened(e: Expr, to: ScalarType) -> Expr {
    let small = matches!(e.ty.elem(), Some(Elem::Fixed(t)) if t.is_small_float());
    let ty = Ty::Array(Elem::Fixed(to), e.ty.shape().unwrap_or_default().to_vec());
    let span = e.span;
    let kind = match e.kind {
        ExprKind::Binary(BinaryOp::Mul, a, b) if small => {
            ExprKind::Binary(BinaryOp::Mul, Box::new(widened(*a, to)), Box::new(widened(*b, to)))
        }
        // The square of what has no name: the product stands behind it.
        ExprKind::Block(mut block) if small => {
            block.tail = block.tail.map(|tail| Box::new(widened(*tail, to)));
            ExprKind::Block(block)
        }
        kind => return converted(Expr { kind, ..e }, to),
    };
    value(kind, ty, span)
}

/// The elements in another type.
pub(crate) fn converted(e: Expr, to: ScalarType) -> Expr {
    if e.ty.elem() == Some(Elem::Fixed(to)) || e.ty.elem().is_none_or(|t| t.computed_in() == to) {
        return e;
    }
    let ty = Ty::Array(Elem::Fixed(to), e.ty.shape().unwrap_or_default().to_vec());
    let span = e.span;
    value(ExprKind::Cast(to, Box::new(e)), ty, span)
}

pub(crate) fn plain(
    iters: &[Iter],
    conditions: Conditions,
    span: Span,
    accumulator: Accumulator,
    body: Expr,
    ty: Ty,
) -> Expr {
    let Conditions { binds, guards } = conditions;
    let (iters, body) = (iters.to_vec(), Box::new(body));
    value(ExprKind::Reduce { accumulator, iters, binds, guards, body }, ty, span)
}

/// `argmax` over one index is an integer, over several a tuple.
pub(crate) fn arguments(
    accumulator: fn(u8) -> Accumulator,
    iters: Vec<Iter>,
    conditions: Conditions,
    body: Expr,
    span: Span,
) -> Expr {
    let shape = body.ty.shape().unwrap_or_default().to_vec();
    let ty = Ty::Array(Elem::OpenInt, shape);
    let Conditions { binds, guards } = conditions;
    let component = |n: usize| {
        let kind = ExprKind::Reduce {
            accumulator: accumulator(n as u8),
            iters: iters.clone(),
            binds: binds.clone(),
            guards: guards.clone(),
            body: Box::new(body.clone()),
        };
        value(kind, ty.clone(), span)
    };
    match iters.len() {
        1 => component(0),
        n => {
            let members: Vec<Expr> = (0..n).map(component).collect();
            let ty = Ty::Tuple(members.iter().map(|m| m.ty.clone()).collect());
            value(ExprKind::Tuple(members), ty, span)
        }
    }
}
