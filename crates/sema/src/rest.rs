//! Rest patterns: `..batch` stands for the same run of axes wherever it appears in a
//! clause. Its rank comes from the first operand of known rank.

use crate::checker::Need;
use crate::ranges::Ranges;
use crate::read::Reads;
use crate::scope::{Binding, RestId};
use crate::thir::IterInfo;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_domain::Iter;
use weft_hir as hir;

/// More axes than any tensor has.
const MOST_AXES: usize = 32;

/// A rest in scope.
#[derive(Clone, Debug)]
pub(crate) struct Rest {
    pub name: Name,
    pub span: Span,
    /// One index per axis, once the rank is known.
    pub iters: Option<Vec<Iter>>,
    /// Whether it is a slot of the clause.
    pub slot: bool,
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

    fn state_rank(&mut self, id: RestId, rank: &hir::Expr) {
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
    fn stated_rank(&mut self, rank: &hir::Expr) -> Option<usize> {
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

    fn find_rest(&mut self, rest: &hir::Rest) -> Option<RestId> {
        match rest.var.and_then(|var| self.checker.lookup(var)) {
            Some(Binding::Rest(id)) => Some(id),
            _ => {
                let name = &rest.name;
                let d = Diagnostic::error(Code::E0005, format!("unknown rest `..{}`", name.name))
                    .primary(name.span, "no slot or reduction introduces it");
                self.checker.report(d);
                None
            }
        }
    }
}

impl Ranges<'_, '_> {
    /// Fixes the rank of a rest, unless it is stated.
    pub fn settle_rest(&mut self, id: RestId, rank: usize) {
        if self.cx.rests[id].iters.is_none() {
            self.solve_rest(id, rank);
        }
    }

    /// Fixes the rank of a rest and makes its indices.
    fn solve_rest(&mut self, id: RestId, rank: usize) {
        let Rest { name, span, slot, .. } = self.cx.rests[id].clone();
        let mut iters = Vec::new();
        for axis in 0..rank {
            let name = Name::new(&format!("{name}.{axis}"));
            let i = self.cx.body.iters.push(IterInfo { name, span, range: None, source: None });
            self.frame_iter(i, slot);
            iters.push(i);
        }
        self.cx.rests[id].iters = Some(iters);
    }

    /// The indices of a rest, or an error if nothing fixed its rank.
    pub fn rest_iters(&mut self, id: RestId) -> Vec<Iter> {
        let rest = self.cx.rests[id].clone();
        if rest.iters.is_none() {
            let poisoned = self.cx.frames.last().is_some_and(|f| f.poisoned);
            if !poisoned {
                let d = Diagnostic::error(
                    Code::E0005,
                    format!("the axes of `..{}` cannot be determined", rest.name),
                )
                .primary(rest.span, "nothing that is read with it has a known rank")
                .help(format!("state its rank: `..{}: 2`", rest.name));
                self.cx.report(d);
            }
        }
        rest.iters.unwrap_or_default()
    }
}
