//! Definitions whose cells are tuples, named: their fields.
//!
//! The tensors of such a definition are `typed/fields.rs`.

use crate::handles::Definitions;
use crate::scope::Binding;
use crate::thir::{Expr, LocalId, Nominal, Ty};
use crate::typed::fields::leaf_count;
use crate::typed::values::error_expr;
use weft_base::Span;
use weft_hir as hir;

/// A tensor of tuples while it is being defined.
pub(crate) struct GroupCells {
    pub whole: LocalId,
    pub fields: Vec<LocalId>,
    pub cell: Ty,
}

impl Definitions<'_, '_> {
    /// The tensor of tuples under definition that an expression names.
    pub fn cells_named(&mut self, base: &hir::Expr) -> Option<GroupCells> {
        let Binding::Local(whole) = self.checker.lookup(base.var()?)? else { return None };
        if !self.checker.cx().group.contains_key(&whole) {
            return None;
        }
        let fields = self.checker.cx().fields.get(&whole)?.clone();
        let cell = self.checker.cx().cells.get(&whole)?.clone();
        Some(GroupCells { whole, fields, cell })
    }

    /// The leaf under definition that `s.0` or `s.x` names.
    pub fn field_named(&mut self, base: &hir::Expr) -> Option<LocalId> {
        let hir::ExprKind::Field { base, field } = &base.kind else { return None };
        let GroupCells { whole, fields, cell } = self.cells_named(base)?;
        let n = match field {
            hir::FieldName::Position { index, .. } => *index as usize,
            hir::FieldName::Named(name) => (0..cell.members()?.len())
                .find(|n| self.checker.at().member_name(&cell, *n) == name.as_str())?,
        };
        let members = cell.members()?;
        if members.get(n)?.members().is_some() {
            return None;
        }
        self.checker.cx().used[whole] = true;
        let before: usize = members[..n].iter().map(leaf_count).sum();
        fields.get(before).copied()
    }

    /// The tensor of one field of the cells.
    pub fn field_of_cells(&mut self, base: Expr, name: &hir::Label, span: Span) -> Expr {
        let Ty::Named(Nominal::Cells { cell, .. }, _) = &base.ty else { return error_expr(span) };
        let count = cell.members().map_or(0, <[Ty]>::len);
        if name.as_str() == "shape" {
            return self.checker.cx().targets().shape_of_cells(&base, span);
        }
        if matches!(name.as_str(), "len" | "length") {
            return self.checker.cx().parts().length_of(&base, span);
        }
        let at = (0..count).find(|n| self.checker.at().member_name(cell, *n) == name.as_str());
        match at {
            Some(n) => self.checker.cx().targets().numbered_field_of_cells(base, n, span),
            None => {
                let found = self.checker.at().show_ty(&base.ty);
                let d = weft_diag::Diagnostic::error(
                    weft_diag::Code::E0311,
                    format!("{found} has no field `{}`", name.name),
                )
                .primary(name.span, "unknown field");
                self.checker.error(d)
            }
        }
    }
}

/// Whether an expression reads cells.
pub(crate) fn holds_reads(e: &hir::Expr) -> bool {
    let mut found = matches!(e.kind, hir::ExprKind::Index { .. });
    weft_hir::visit::children(e, &mut |c| found = found || holds_reads(c));
    found
}
