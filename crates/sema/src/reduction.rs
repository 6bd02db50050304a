//! Reductions: `sum[k in 0..n](body where …)`.

use crate::checker::error_expr;
use crate::differential::{as_differential, as_value, is_differential};
use crate::expr::{is_beyond_i64, value};
use crate::operator::Operators;
use crate::operator::constant;
use crate::read::Reads;
use crate::scope::Binding;
use crate::thir::{Elem, Expr, ExprKind, IterInfo, LocalId, RangeSource, Ty};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Iter};
use weft_hir as hir;
use weft_hir::visit::{holds_definitions, where_value};
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_shape::Size;
use weft_tensor::Accumulator;

/// An index a header introduces.
enum Header {
    Index(Iter),
    Rest(crate::scope::RestId),
}

/// `where` items after checking.
#[derive(Default)]
pub(crate) struct Conditions {
    pub binds: Vec<(LocalId, Expr)>,
    pub guards: Vec<Expr>,
}

impl Reads<'_, '_> {
    pub fn reduction(&mut self, r: &hir::Reduction, span: Span) -> Expr {
        if !self.checker.cx().frames.is_empty() {
            return self.reduction_in_frame(r, span).0;
        }
        let holds = hold_definitions(&r.where_items, &r.body);
        self.checker.in_passes(holds, |c| {
            c.cx().ranges().push_frame();
            let (e, iters) = c.reads().reduction_in_frame(r, span);
            c.finish_frame(holds);
            c.cx().operators().refuse_nothing(r, &iters, span);
            e
        })
    }

    fn reduction_in_frame(&mut self, r: &hir::Reduction, span: Span) -> (Expr, Vec<Iter>) {
        let (iters, conditions, body) = self.terms(&r.heads, &r.where_items, &r.body);
        (self.checker.cx().operators().accumulate(r, iters.clone(), conditions, body, span), iters)
    }

    /// The terms of a reduction, in the frame under way.
    pub fn terms(
        &mut self,
        heads: &[hir::Head],
        items: &[hir::WhereItem],
        body: &hir::Expr,
    ) -> (Vec<Iter>, Conditions, Expr) {
        self.checker.cx().push_scope();
        let active = self.checker.cx().active.len();
        let headers: Vec<Header> = heads.iter().filter_map(|h| self.header(h)).collect();
        let depth = self.checker.cx().path.len();
        let index = |h: &Header| match h {
            Header::Index(i) => Some(*i),
            Header::Rest(_) => None,
        };
        let own: Vec<Iter> = headers.iter().filter_map(index).collect();
        let conditions = self.conditions(items, &own);
        let body = self.checker.expr(body);
        self.checker.cx().path.truncate(depth);
        let mut iters = Vec::new();
        for header in headers {
            match header {
                Header::Index(i) => iters.push(i),
                Header::Rest(id) => iters.extend(self.checker.cx().ranges().rest_iters(id)),
            }
        }
        self.checker.cx().active.truncate(active);
        self.checker.cx().pop_scope();
        (iters, conditions, body)
    }

    fn header(&mut self, h: &hir::Head) -> Option<Header> {
        match &h.kind {
            hir::HeadKind::Index { name, range } => {
                Some(Header::Index(self.index(name, range.as_deref(), false)?))
            }
            hir::HeadKind::Rest(rest) => Some(Header::Rest(self.new_rest(rest, false))),
        }
    }

    /// Introduces an index variable, with its range where one is written.
    pub fn index(
        &mut self,
        name: &hir::Ident,
        range: Option<&hir::Expr>,
        slot: bool,
    ) -> Option<Iter> {
        let bounds = range.map(|r| self.written_range(r));
        let (bounds, last) = match bounds {
            Some(Some((lo, hi))) if !slot && is_past_the_last(&hi) => {
                (Some(self.checker.cx().operators().one_below(lo, hi, range)), true)
            }
            bounds => (bounds, false),
        };
        let info = IterInfo { name: name.name.clone(), span: name.span, range: None, source: None };
        let i = self.checker.cx().body.iters.push(info);
        self.checker.cx().ranges().frame_iter(i, slot);
        if last {
            self.checker.cx().operators().bind_behind(name, i);
        } else if !name.is_discard() {
            self.checker.cx().bind(name.var, Binding::Index(i));
        }
        if range.is_none() {
            self.checker.recall_range(i, name.span);
        }
        if let Some(bounds) = bounds {
            match bounds {
                Some((lo, hi)) => {
                    let source = range.map(|r| RangeSource::Written(r.span));
                    let info = &mut self.checker.cx().body.iters[i];
                    (info.range, info.source) = (Some((lo, hi)), source);
                }
                None => self.checker.cx().ranges().poison(),
            }
        }
        Some(i)
    }

    /// `lo..hi` after `in`: bounds may use indices introduced before.
    fn written_range(&mut self, r: &hir::Expr) -> Option<(Affine, Affine)> {
        let hir::ExprKind::Range { start, end, inclusive } = &r.kind else {
            let e = self.checker.expr(r);
            if matches!(e.ty, Ty::Named(crate::thir::Nominal::Range, _)) {
                let (lo, hi) = (
                    self.checker.cx().parts().member(e.clone(), 0, r.span),
                    self.checker.cx().parts().member(e, 1, r.span),
                );
                return Some((
                    self.checker.cx().operators().range_end(&lo)?,
                    self.checker.cx().operators().range_end(&hi)?,
                ));
            }
            if e.ty != Ty::Error {
                let found = self.checker.at().show_ty(&e.ty);
                self.checker.cx().mistyped(
                    r.span,
                    &format!("the range of an index is {found}"),
                    "expected a range",
                    "write `lo..hi`, as in `i in 0..len(x)`",
                );
            }
            return None;
        };
        let (lo, hi) = (self.checker.expr(start), self.checker.expr(end));
        let lo = self.checker.cx().operators().range_end(&lo)?;
        let hi = self.checker.cx().operators().range_end(&hi)?;
        if !inclusive {
            return Some((lo, hi));
        }
        let hi = hi.plus_size(&1.into());
        if let Some(end) = hi.as_size() {
            self.checker.cx().terms().end_fits(end, r.span);
        }
        Some((lo, hi))
    }

    /// `where` items in written order, beside which the indices `own` are introduced. Guards
    /// stay on the path: the caller cuts it back.
    pub fn conditions(&mut self, items: &[hir::WhereItem], own: &[Iter]) -> Conditions {
        let mut out = Conditions::default();
        for item in items {
            match &item.kind {
                hir::WhereItemKind::Bind { name, value } => {
                    let bound = self.checker.bind_value(name, value);
                    out.binds.push(bound);
                }
                hir::WhereItemKind::Guard(g) => {
                    if let Some(guard) = self.guard(g) {
                        self.checker.cx().enter(&guard, true);
                        self.checker.cx().ranges().note_guard(&guard, own);
                        out.guards.push(guard);
                    }
                }
            }
        }
        out
    }

    fn guard(&mut self, g: &hir::Expr) -> Option<Expr> {
        if let Some(name) = self.range_in_where(g) {
            let d =
                Diagnostic::error(Code::E0303, format!("the range of `{name}` stands in `where`"))
                    .primary(g.span, "a guard does not give an index its range")
                    .help(format!("write it in the slot: `[{}]`", self.checker.at().text(g.span)));
            self.checker.report(d);
            self.checker.cx().ranges().poison();
            return None;
        }
        let guard = self.checker.condition_expr(g);
        if guard.ty.rank().is_some_and(|rank| rank > 0) {
            let found = self.checker.at().show_ty(&guard.ty);
            self.checker.cx().mistyped(
                g.span,
                &format!("a guard must be one truth value, found {found}"),
                "it decides about one cell",
                "say of which elements: `all[i](x[i] > 0)`, or `any`",
            );
            return None;
        }
        (guard.ty != Ty::Error).then_some(guard)
    }

    /// `i in 0..n` for an index of the clause.
    fn range_in_where(&mut self, g: &hir::Expr) -> Option<weft_base::Name> {
        let hir::ExprKind::In { item, set } = &g.kind else { return None };
        let var = item.var()?;
        let is_range = matches!(set.kind, hir::ExprKind::Range { .. });
        let is_index = matches!(self.checker.lookup(var), Some(Binding::Index(_)));
        (is_range && is_index).then(|| self.checker.vars[var].name.clone())
    }
}

impl Operators<'_, '_> {
    /// The mean or the place of the largest of nothing, where no condition decides whether
    /// it is asked for: in the words of the failure that it would be.
    fn refuse_nothing(&mut self, r: &hir::Reduction, iters: &[Iter], span: Span) {
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
    fn one_below(
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
    fn bind_behind(&mut self, name: &hir::Ident, i: Iter) {
        let term = Affine::iter(i).plus_size(&1.into());
        let id = self.cx.local(&name.name, name.span, Ty::scalar(Elem::OpenInt), Some(term));
        self.cx.depends.insert_mut(id, vec![i]);
        if !name.is_discard() {
            self.cx.bind(name.var, Binding::Local(id));
        }
    }

    fn range_end(&mut self, e: &Expr) -> Option<Affine> {
        let e = self.cx.terms().as_size_term(e.clone());
        match (&e.ty, &e.term) {
            (Ty::Array(..), Some(term)) => Some(term.clone()),
            _ => self.cx.leaves().size_required(&e, "the end of a range").map(Affine::fixed),
        }
    }

    fn accumulate(
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

    fn mean(&mut self, iters: Vec<Iter>, conditions: Conditions, body: Expr, span: Span) -> Expr {
        if body.ty.elem().is_some_and(|e| e.is_known() && !e.is_float()) {
            let found = self.cx.show_ty(&body.ty);
            let d = Diagnostic::error(Code::E0308, format!("`mean` takes floats, found {found}"))
                .primary(body.span, format!("this is {found}"))
                .help("convert the elements: `mean[i](x[i] as f32)`");
            return self.cx.error(d);
        }
        let ty = body.ty.clone();
        let elem = ty.elem().unwrap_or(Elem::Unknown);
        let one = constant(Scalar::one(elem.computed_in()), elem, span);
        let Conditions { binds, guards } = conditions;
        let reduce = |body: Expr| {
            let ty = body.ty.clone();
            let (iters, binds, guards) = (iters.clone(), binds.clone(), guards.clone());
            let accumulator = Accumulator::Sum;
            let body = Box::new(body);
            Box::new(value(ExprKind::Reduce { accumulator, iters, binds, guards, body }, ty, span))
        };
        wide_sum(body, |body| {
            let ty = body.ty.clone();
            let one = converted(one, ty.elem().unwrap_or_default().computed_in());
            value(ExprKind::Mean { sum: reduce(body), count: reduce(one) }, ty, span)
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
        kind => return converted(Expr { kind, ..e }, to),
    };
    value(kind, ty, span)
}

/// The elements in another type.
fn converted(e: Expr, to: ScalarType) -> Expr {
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

/// Whether the end of a range is one past the last integer of 64 bits.
fn is_past_the_last(hi: &Affine) -> bool {
    let before = hi.plus_size(&Size::from(-1));
    before.as_constant() == Some(i64::MAX)
}

/// Whether the terms of a reduction hold definitions, which may depend on ranges that reads
/// behind them decide.
pub(crate) fn hold_definitions(items: &[hir::WhereItem], body: &hir::Expr) -> bool {
    items.iter().map(where_value).chain([body]).any(holds_definitions)
}
