//! The indices of a fold, and the names of its cells.

use crate::typed::body_cx::BodyCx;
use weft_base::Name;
use weft_diag::{Code, Diagnostic};
use weft_hir as hir;

/// An index of a fold, and its range where one is written.
pub(crate) type WrittenHead<'h> = (&'h hir::Ident, Option<&'h hir::Expr>);

impl BodyCx<'_> {
    pub fn fold_heads<'h>(&mut self, heads: &'h [hir::Head]) -> Option<Vec<WrittenHead<'h>>> {
        let mut out = Vec::new();
        for h in heads {
            match &h.kind {
                hir::HeadKind::Index { name, range } => out.push((name, range.as_deref())),
                hir::HeadKind::Rest(_) => {
                    let d = Diagnostic::error(Code::E0005, "`reduce` over a run of axes")
                        .primary(h.span, "a fold has one order, and a run of axes none stated")
                        .help("name the indices: `reduce[f, e, i, j](…)`");
                    self.report(d);
                    return None;
                }
            }
        }
        Some(out)
    }
}

/// Whether a name is that of a fold's cells: their first ones always are defined.
pub(crate) fn is_fold(name: &Name) -> bool {
    name.as_str().starts_with("reduce[")
}
