//! `[]` for a parameter: an argument that is not there.
//!
//! Such a parameter is a list of length 0 whose elements have no type. Its length, its shape
//! and its type (`"absent"`) can be asked for, and it can be passed on; nothing else.

use crate::thir::Elem;
use crate::thir::Ty;
use crate::thir::{Expr, ExprKind, LocalId};
use crate::typed::forms::is_absent;
use crate::typed::handles::Conversions;
use crate::typed::values::value;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_scalar::ScalarType;

impl Conversions<'_, '_> {
    /// An argument or a default: `[]` stays without a type.
    pub fn known_or_absent(&mut self, e: Expr) -> Expr {
        if is_absent(&e.ty) { e } else { self.known_elements(e) }
    }

    /// Refuses uses of parameters that are not there, which only a branch that is not taken
    /// may have.
    pub fn refuse_absent(&mut self) {
        let body = &self.cx.body;
        let absent = |id: &LocalId| is_absent(&body.locals[*id].ty);
        let mut found: Vec<(Span, LocalId)> = Vec::new();
        body.exprs(&mut |e| match &e.kind {
            ExprKind::Local(id) if absent(id) => found.push((e.span, *id)),
            _ => {}
        });
        found.sort_by_key(|(span, _)| (span.file, span.start));
        if let Some((span, id)) = found.first() {
            let local = &body.locals[*id];
            let d = Diagnostic::error(Code::E0309, "the element type of `[]` is not known")
                .primary(*span, format!("`{}` is absent here", local.name))
                .secondary(local.span, "the parameter")
                .help(format!("ask before: `if typeof({}) == \"absent\" {{ … }}`", local.name));
            self.cx.report(d);
        }
    }
}

/// What is passed for it: nobody looks at it.
pub(crate) fn passed(e: Expr) -> Expr {
    if !is_absent(&e.ty) {
        return e;
    }
    let ty = Ty::Array(Elem::Fixed(ScalarType::Bool), vec![0.into()]);
    value(ExprKind::Array(Vec::new()), ty, e.span)
}
