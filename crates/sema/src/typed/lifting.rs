//! Elements of tensors, for functions of scalars that are applied to them.

use crate::thir::{Expr, ExprKind, Item, IterInfo, RangeSource, ReadInfo, Ty};
use crate::typed::handles::Parts;
use crate::typed::values::{error_expr, value};
use weft_base::{Name, Span};
use weft_domain::{Affine, Iter};
use weft_hir as hir;
use weft_shape::Size;

impl Parts<'_, '_> {
    /// The positions of tensors that stand for parameters stated to be scalars.
    pub fn lifted_positions(&mut self, def: &hir::FnDef, args: &[Option<Expr>]) -> Vec<usize> {
        let scalar = |p: &hir::Param| {
            p.ty.as_ref()
                .is_some_and(|t| matches!(&t.kind, hir::TypeKind::Prim(p) if *p != hir::Prim::Str))
        };
        let tensor =
            |a: &Option<Expr>| a.as_ref().and_then(|a| a.ty.rank()).is_some_and(|rank| rank > 0);
        (0..args.len()).filter(|n| scalar(&def.params[*n]) && tensor(&args[*n])).collect()
    }

    /// An index over an axis of a tensor.
    pub fn lifted_index(&mut self, axis: usize, extent: &Size, span: Span) -> Iter {
        let name = made_up_index(axis);
        let range = Some((Affine::fixed(0), Affine::fixed(extent.clone())));
        let source = Some(RangeSource::Read(span));
        self.cx.body.iters.push(IterInfo { name, span, range, source })
    }

    /// The element of a tensor at some indices, which are inside.
    pub fn element(&mut self, tensor: Expr, iters: &[Iter]) -> Expr {
        let span = tensor.span;
        let Some(elem) = tensor.ty.elem() else { return error_expr(span) };
        let read = self.cx.body.reads.push(ReadInfo { span, checked: false });
        let items = iters.iter().map(|i| Item::At(Affine::iter(*i))).collect();
        value(ExprKind::Read(read, Box::new(tensor), items), Ty::scalar(elem), span)
    }
}

/// The name of an index over an axis that the program does not write: no name of the program
/// is written so.
fn made_up_index(axis: usize) -> Name {
    Name::new(&format!("axis {axis}"))
}
