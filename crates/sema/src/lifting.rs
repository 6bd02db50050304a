//! Functions of scalars applied to tensors: element by element.
//!
//! `f(t)` where `f` takes a scalar stands for the definition `let r[i, …] = f(t[i, …]);`.

use crate::handles::Calls;
use crate::thir::{Block, Clause, Definition, Expr, ExprKind, Slot, Stmt, Ty};
use crate::typed::values::{error_expr, member_within, value};
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_domain::Iter;
use weft_shape::Size;

/// What a function of scalars is applied to, element by element.
struct Elementwise {
    /// The tensors, of one shape.
    tensors: Vec<Expr>,
    shape: Vec<Size>,
    /// The indices of an element.
    iters: Vec<Iter>,
    span: Span,
}

impl Calls<'_, '_> {
    /// A call with the tensors at `lifted` taken element by element; `call` is given the
    /// arguments of one cell.
    pub fn lift(
        &mut self,
        mut args: Vec<Option<Expr>>,
        lifted: &[usize],
        span: Span,
        call: &mut dyn FnMut(&mut Self, Vec<Option<Expr>>) -> Expr,
    ) -> Expr {
        let tensors: Vec<Expr> = lifted.iter().filter_map(|n| args[*n].clone()).collect();
        let Some((first, others)) = tensors.split_first() else { return error_expr(span) };
        let shape: Vec<Size> = first.ty.shape().unwrap_or_default().to_vec();
        for other in others {
            if other.ty.rank() != first.ty.rank() {
                self.checker.cx().conversions().mismatch(first, other, "a function of scalars");
                return error_expr(span);
            }
            self.checker.cx().conversions().same_shape(first, other, "a function");
        }
        let iters: Vec<Iter> = shape
            .iter()
            .enumerate()
            .map(|(n, s)| self.checker.cx().parts().lifted_index(n, s, first.span))
            .collect();
        for n in lifted {
            args[*n] = args[*n].take().map(|a| self.checker.cx().parts().element(a, &iters));
        }
        let active = self.checker.cx().active.len();
        self.checker.cx().active.extend(iters.iter().copied());
        let body = call(self, args);
        self.checker.cx().active.truncate(active);
        self.lifted_definition(&Elementwise { tensors, shape, iters, span }, body)
    }

    /// A tuple of tensors, one for each member of the tuples that `body` gives.
    fn lifted_members(&mut self, over: &Elementwise, body: Expr) -> Expr {
        let span = over.span;
        let Some(types) = body.ty.members().map(<[Ty]>::to_vec) else {
            let found = self.checker.at().show_ty(&body.ty);
            let d = Diagnostic::error(
                Code::E0308,
                format!("a function that gives {found} is applied to elements"),
            )
            .primary(span, "only numbers and tuples of numbers become tensors");
            return self.checker.error(d);
        };
        let members: Vec<Expr> = types
            .iter()
            .enumerate()
            .map(|(n, ty)| {
                let member = member_within(&body, n, ty);
                self.lifted_definition(over, member)
            })
            .collect();
        let ty = body.ty.with_members(members.iter().map(|m| m.ty.clone()).collect());
        value(ExprKind::Tuple(members), ty, span)
    }

    /// The tensor of the cells that `body` gives.
    fn lifted_definition(&mut self, over: &Elementwise, body: Expr) -> Expr {
        let Elementwise { tensors, shape, iters, span } = over;
        let span = *span;
        if body.ty == Ty::Error {
            return error_expr(span);
        }
        let Ty::Array(elem, inner) = &body.ty else {
            return self.lifted_members(over, body);
        };
        let slots = shape.len();
        let ty = Ty::Array(*elem, shape.iter().chain(inner).cloned().collect());
        let local = self.checker.cx().local(&Name::new("lifted"), span, ty.clone(), None);
        let mut depends: Vec<Iter> =
            tensors.iter().flat_map(|t| self.checker.at().iters_of(t)).collect();
        depends.sort();
        depends.dedup();
        if !depends.is_empty() {
            self.checker.cx().depends.insert_mut(local, depends);
        }
        let clause = Clause {
            span,
            slots: iters.iter().map(|i| Slot::Index(*i)).collect(),
            iters: iters.clone(),
            binds: Vec::new(),
            guards: Vec::new(),
            body,
            otherwise: None,
            pieces: vec![Vec::new()],
            masked: false,
        };
        let definition = Definition { local, slots, clauses: vec![clause], covered: true };
        let tail = Some(Box::new(value(ExprKind::Local(local), ty.clone(), span)));
        let block = Block { stmts: vec![Stmt::Tensors(vec![definition])], tail };
        value(ExprKind::Block(block), ty, span)
    }
}
