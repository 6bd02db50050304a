//! Runs of axes in types: `[f32; ..r, n]`. A run stands for the same axes wherever its name
//! appears in one signature.
//!
//! Not here: the rests of clauses, which are indices (`rest.rs`).

use crate::typed::handles::Conversions;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_hir as hir;
use weft_shape::Size;

/// The axes a run was found to stand for.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    name: Name,
    span: Span,
    extents: Vec<Size>,
}

/// What a type says of one axis.
pub(crate) enum Stated<'d> {
    /// A written extent.
    Dim(&'d hir::Dim),
    /// An axis of a run that is known already.
    Known(Size, Span),
    /// Anything.
    Free,
}

impl Conversions<'_, '_> {
    /// What dims say of each axis of a shape; `None` where they do not fit its rank.
    pub fn stated_axes<'d>(
        &mut self,
        dims: &'d [hir::Dim],
        shape: &[Size],
        at: Span,
    ) -> Option<Vec<Stated<'d>>> {
        if let [hir::Dim { kind: hir::DimKind::Star, .. }] = dims {
            return Some(shape.iter().map(|_| Stated::Free).collect());
        }
        let open = self.length_of_new_run(dims, shape.len(), at)?;
        let mut out = Vec::new();
        for dim in dims {
            match &dim.kind {
                hir::DimKind::Rest(name) => match self.run(name) {
                    Some(run) => {
                        out.extend(run.extents.into_iter().map(|s| Stated::Known(s, dim.span)))
                    }
                    None => {
                        let extents = shape.get(out.len()..out.len() + open)?.to_vec();
                        out.extend(extents.iter().map(|_| Stated::Free));
                        let (name, span) = (name.name.clone(), name.span);
                        self.cx.runs.push(Run { name, span, extents });
                    }
                },
                hir::DimKind::Star => out.push(Stated::Free),
                _ => out.push(Stated::Dim(dim)),
            }
        }
        (out.len() == shape.len()).then_some(out)
    }

    pub fn run(&mut self, name: &hir::Ident) -> Option<Run> {
        self.cx.runs.iter().find(|r| r.name == name.name).cloned()
    }

    /// How many axes are left to the one run that is not known yet.
    fn length_of_new_run(&mut self, dims: &[hir::Dim], rank: usize, at: Span) -> Option<usize> {
        let (mut taken, mut open): (usize, Vec<&hir::Ident>) = (0, Vec::new());
        for dim in dims {
            match &dim.kind {
                hir::DimKind::Rest(name) => match self.run(name) {
                    Some(run) => taken += run.extents.len(),
                    None => open.push(name),
                },
                _ => taken += 1,
            }
        }
        if let [first, second, ..] = open.as_slice() {
            let headline = format!(
                "the axes of `..{}` and `..{}` are not determined",
                first.name, second.name
            );
            let d = Diagnostic::error(Code::E0005, headline)
                .primary(at, "one type has one run of unknown length")
                .secondary(second.span, "the second one");
            self.cx.report(d);
            return None;
        }
        let fits = if open.is_empty() { taken == rank } else { taken <= rank };
        if !fits {
            let found = if rank == 1 { "1 axis".into() } else { format!("{rank} axes") };
            let wanted = if open.is_empty() { "has" } else { "has at least" };
            let d = Diagnostic::error(
                Code::E0308,
                format!("expected {}, found {found}", self.cx.text(at)),
            )
            .primary(at, format!("{wanted} {taken}"));
            let known = dims.iter().find_map(|d| match &d.kind {
                hir::DimKind::Rest(name) => self.run(name),
                _ => None,
            });
            let d = match known {
                Some(run) => {
                    let n = run.extents.len();
                    d.secondary(run.span, format!("`..{}` is {n} here", run.name))
                }
                None => d,
            };
            self.cx.report(d);
            return None;
        }
        Some(rank - taken)
    }
}

/// Whether dims leave the rank open.
pub(crate) fn has_run(dims: &[hir::Dim]) -> bool {
    dims.iter().any(|d| matches!(d.kind, hir::DimKind::Rest(_)))
        || matches!(dims, [hir::Dim { kind: hir::DimKind::Star, .. }])
}

/// The least rank that dims allow.
pub(crate) fn least_rank(dims: &[hir::Dim]) -> usize {
    if matches!(dims, [hir::Dim { kind: hir::DimKind::Star, .. }]) {
        return 1;
    }
    dims.iter().filter(|d| !matches!(d.kind, hir::DimKind::Rest(_))).count()
}
