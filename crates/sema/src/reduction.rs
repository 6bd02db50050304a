//! Reductions: `sum[k in 0..n](body where …)`.

use crate::handles::Reads;
use crate::scope::{Binding, RestId};
use crate::thir::{Expr, IterInfo, RangeSource, Ty};
use crate::typed::body_cx::Need;
use crate::typed::reduction::Conditions;
use crate::typed::rest::Rest;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Iter};
use weft_hir as hir;
use weft_hir::visit::{holds_definitions, where_value};
use weft_shape::Size;

/// More axes than any tensor has.
const MOST_AXES: usize = 32;

/// An index a header introduces.
enum Header {
    Index(Iter),
    Rest(crate::scope::RestId),
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
            self.checker.recall_range(i, name.var);
        }
        if let Some(bounds) = bounds {
            match bounds {
                Some((lo, hi)) => {
                    let joined = self.checker.vars[name.var].component.is_some();
                    let source = if joined { RangeSource::Joined } else { RangeSource::Written };
                    let source = range.map(|r| source(r.span));
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

impl Reads<'_, '_> {
    /// Introduces a rest, with its rank where it is stated.
    pub fn new_rest(&mut self, rest: &hir::Rest, slot: bool) -> RestId {
        let info = Rest { name: rest.name.name.clone(), span: rest.name.span, iters: None, slot };
        let id = self.checker.cx().rests.push(info);
        if let Some(var) = rest.var {
            self.checker.cx().bind(var, Binding::Rest(id));
        }
        if let Some(rank) = &rest.rank {
            self.state_rank(id, rank);
        }
        id
    }

    pub fn state_rank(&mut self, id: RestId, rank: &hir::Expr) {
        let Some(stated) = self.stated_rank(rank) else {
            return self.checker.cx().ranges().poison();
        };
        let known = self.checker.cx().rests[id].iters.as_ref().map(Vec::len);
        match known {
            None => self.checker.cx().ranges().solve_rest(id, stated),
            Some(known) if known == stated => {}
            Some(known) => {
                let Rest { name, span, .. } = self.checker.cx().rests[id].clone();
                let headline =
                    format!("`..{name}` is stated as {stated} axes, but stands for {known}");
                let d = Diagnostic::error(Code::E0005, headline)
                    .primary(rank.span, format!("{stated} here"))
                    .secondary(span, format!("{known} axes"));
                self.checker.report(d);
            }
        }
    }

    /// A rank as written: an integer known while checking.
    pub fn stated_rank(&mut self, rank: &hir::Expr) -> Option<usize> {
        let e = self.checker.expr(rank);
        let size = self.checker.cx().leaves().size_required(&e, "a rank")?;
        let value = self.checker.cx().terms().static_value(&size, Need::Structure);
        let found = value.and_then(|n| usize::try_from(n).ok()).filter(|n| *n <= MOST_AXES);
        if found.is_none() {
            let shown =
                value.map_or("computed when the program runs".to_string(), |n| n.to_string());
            let headline = format!("a rank is a known number up to {MOST_AXES}");
            let d = Diagnostic::error(Code::E0005, headline)
                .primary(rank.span, format!("this is {shown}"));
            self.checker.report(d);
        }
        found
    }

    /// The indices of the rests among the items of a read of known rank: solves the one
    /// unknown. `fixed` is the number of items that are no rests.
    pub fn rests_of_read(
        &mut self,
        written: &[&hir::Rest],
        fixed: usize,
        rank: usize,
        span: Span,
    ) -> Option<Vec<Vec<Iter>>> {
        let ids: Vec<RestId> = written.iter().map(|r| self.find_rest(r)).collect::<Option<_>>()?;
        for (id, rest) in ids.iter().zip(written) {
            if let Some(rank) = &rest.rank {
                self.state_rank(*id, rank);
            }
        }
        let known = |r: &Self, id: RestId| r.checker.at().rests[id].iters.clone();
        let unknown: Vec<RestId> =
            ids.iter().copied().filter(|&id| known(self, id).is_none()).collect();
        let taken: usize = ids.iter().filter_map(|&id| known(self, id)).map(|v| v.len()).sum();
        if let [first, others @ ..] = unknown.as_slice() {
            if others.iter().any(|o| o != first) {
                let d = Diagnostic::error(Code::E0005, "two rests of unknown rank in one read")
                    .primary(span, "which axes belong to which rest is not determined")
                    .help("state the rank of one: `..lead: 2`");
                self.checker.report(d);
                return None;
            }
            let left = rank.checked_sub(fixed + taken);
            match left.filter(|l| l % unknown.len() == 0) {
                Some(left) => self.checker.cx().ranges().solve_rest(*first, left / unknown.len()),
                None => {
                    let d = Diagnostic::error(Code::E0504, "more indices than axes")
                        .primary(span, format!("the tensor has {rank} axes"));
                    self.checker.report(d);
                    return None;
                }
            }
        }
        ids.into_iter().map(|id| known(self, id)).collect()
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
