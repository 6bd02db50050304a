//! Clauses with different numbers of slots: a body that is a tensor adds its axes behind the slots,
//! and where another clause writes these axes out, so does this one.

use crate::thir::{Expr, ExprKind, Item, ReadInfo, Slot, Ty};
use crate::typed::handles::Targets;
use crate::typed::indexed::Draft;
use crate::typed::values::value;
use weft_domain::{Affine, Iter};

impl Targets<'_, '_> {
    /// Gives each clause as many slots as the one that has most of them, where its body has the
    /// axes.
    pub fn write_out(&mut self, list: &mut [Draft]) {
        let most = list.iter().map(|d| d.clause.slots.len()).max().unwrap_or(0);
        for draft in list {
            let missing = most - draft.clause.slots.len();
            let shape = draft.clause.body.ty.shape().unwrap_or_default();
            if missing > 0 && shape.len() >= missing {
                self.write_out_axes(draft, missing);
            }
        }
    }

    fn write_out_axes(&mut self, draft: &mut Draft, count: usize) {
        let clause = &mut draft.clause;
        let shape = clause.body.ty.shape().unwrap_or_default()[..count].to_vec();
        let slots = clause.slots.len();
        let span = clause.body.span;
        let index = |(axis, extent)| self.cx.parts().lifted_index(slots + axis, extent, span);
        let iters: Vec<Iter> = shape.iter().enumerate().map(index).collect();
        clause.slots.extend(iters.iter().map(|i| Slot::Index(*i)));
        clause.iters.extend(&iters);
        draft.ends.resize(slots + count, None);
        clause.body = self.cell_of(clause.body.clone(), &iters);
        let otherwise = clause.otherwise.take();
        clause.otherwise = otherwise.map(|e| match e.ty.rank() >= Some(count) {
            true => self.cell_of(e, &iters),
            false => e,
        });
    }

    /// A tensor at some indices of its first axes, which are inside.
    fn cell_of(&mut self, tensor: Expr, iters: &[Iter]) -> Expr {
        let Ty::Array(elem, shape) = &tensor.ty else { return tensor };
        let (span, ty) = (tensor.span, Ty::Array(*elem, shape[iters.len()..].to_vec()));
        let read = self.cx.body.reads.push(ReadInfo { span, checked: false });
        let items = iters.iter().map(|i| Item::At(Affine::iter(*i))).collect();
        value(ExprKind::Read(read, Box::new(tensor), items), ty, span)
    }
}
