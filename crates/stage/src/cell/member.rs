//! Members of tuples, and host data and calls in cells: what reaches no index is computed by
//! the host before the definition, a recursive function of scalars is called by the cells
//! themselves, and everything else by the host, for each cell ([`crate::lift::outline`]).

use super::{Asked, Cell};
use crate::frame::Place;
use crate::host::{Host, function};
use crate::known::types::{Forms, elem_of, member_type, scalar_forms};
use crate::scope::Bound;
use weft_base::Span;
use weft_host::{Form, FunctionId, Value};
use weft_scalar::ScalarType;
use weft_sema::thir::{BodyId, Call, Expr, ExprKind};
use weft_tensor::{Expr as Node, ExprId, IndexTerm};

impl<'p> Cell<'_, 'p> {
    /// The member of `x` that `path` leads to, through tuples in tuples.
    pub fn member(
        &mut self,
        x: &'p Expr,
        path: &[usize],
        asked: Asked<'_>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let Some((first, rest)) = path.split_first() else {
            return self.lower(x, idx);
        };
        match &x.kind {
            ExprKind::Tuple(members) => self.member(&members[*first], rest, asked, idx),
            ExprKind::Field(whole, n) => self.member(whole, &[&[*n], path].concat(), asked, idx),
            _ => {
                let bound = self.bind(x);
                self.bound_member(&bound, path, asked, idx)
            }
        }
    }

    fn bound_member(
        &mut self,
        bound: &Bound<'p>,
        path: &[usize],
        asked: Asked<'_>,
        idx: &[IndexTerm],
    ) -> ExprId {
        match (bound, path) {
            (Bound::Tuple(members), [first, rest @ ..]) => {
                self.bound_member(&members[*first], rest, asked, idx)
            }
            (Bound::Thunk(x, at), [_, ..]) => self.within(*at).thunk_member(x, path, asked, idx),
            (Bound::Host(value), [_, ..]) => {
                let member = path.iter().fold(value.clone(), |v, n| v.field(*n));
                self.source(member, asked, idx)
            }
            // Each use of a member names the tuple again.
            (Bound::Thunk(x, at), []) => {
                let (work, key) = (&mut *self.work, (*at, Place::Member(*x), idx.to_vec()));
                self.frame.once(key, |frame| Cell::new(work, *at, frame).lower(x, idx))
            }
            _ => self.bound(bound, asked, idx),
        }
    }

    /// A member of a tuple that is not written out.
    fn thunk_member(
        &mut self,
        x: &'p Expr,
        path: &[usize],
        asked: Asked<'_>,
        idx: &[IndexTerm],
    ) -> ExprId {
        match &x.kind {
            ExprKind::Tuple(_) | ExprKind::Field(..) => self.member(x, path, asked, idx),
            ExprKind::Call(call) if self.work.bodies.is_hosted(call.body) => {
                self.member_of_call(x, path, asked, idx)
            }
            _ if let Some(block) = self.work.asserting_block(x) => {
                let inner = match &x.kind {
                    ExprKind::Call(call) => self.enter_call(call, x.span),
                    _ => self.enter_block(block, x.span),
                };
                self.within(inner)
                    .under_asserts(block, x.span, |cell, tail| cell.member(tail, path, asked, idx))
            }
            ExprKind::If(c, a, b) if !self.work.at_host_level(x, self.env) => {
                self.choice(c, [a, b], &[], &mut |cell, side| cell.member(side, path, asked, idx))
            }
            _ => self.member_of_host(x, path, asked, idx),
        }
    }

    /// Host data, or a call of what is a function of the host.
    pub fn host(&mut self, e: &'p Expr, idx: &[IndexTerm]) -> ExprId {
        let once = self.work.at_host_level(e, self.env);
        if once && (e.ty.rank() != Some(0) || !self.frame.is_conditional()) {
            return self.once(e, &[], (&e.ty, self.env), idx);
        }
        // Derivatives lead through calls that cells make, and not through those of the host.
        let elem = elem_of(&e.ty);
        if let ExprKind::Call(call) = &e.kind
            && (!once || elem.is_float())
            && let Some((f, (args, Form::Scalar(ty)))) = self.called_by_cells(call.body)
        {
            return self.call_of_scalars(call, f, (args, ty), e.span);
        }
        self.by_the_host(e, &[], elem)
    }

    /// The member that `path` leads to of what the host computes before the definition.
    fn once(&mut self, x: &'p Expr, path: &[usize], asked: Asked<'_>, idx: &[IndexTerm]) -> ExprId {
        let value = Host::new(self.work, self.env).value(x);
        let whole = Value::Var(self.work.unit.values.name(value));
        let member = path.iter().fold(whole, |v, n| v.field(*n));
        self.source(member, asked, idx)
    }

    /// A member of what a function of the host gives.
    fn member_of_call(
        &mut self,
        x: &'p Expr,
        path: &[usize],
        asked: Asked<'_>,
        idx: &[IndexTerm],
    ) -> ExprId {
        if !self.work.at_host_level(x, self.env)
            && let ExprKind::Call(call) = &x.kind
            && let Some((f, (args, result))) = self.called_by_cells(call.body)
            && let Some(Form::Scalar(ty)) = result.member(path)
        {
            let member = self.work.functions.member(f, path, x.span);
            return self.call_of_scalars(call, member, (args, *ty), x.span);
        }
        self.member_of_host(x, path, asked, idx)
    }

    /// A member of what the host computes: once, before the definition, where it can.
    fn member_of_host(
        &mut self,
        x: &'p Expr,
        path: &[usize],
        asked: Asked<'_>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let once = self.work.at_host_level(x, self.env);
        if once && (asked.0.rank() != Some(0) || !self.frame.is_conditional()) {
            return self.once(x, path, asked, idx);
        }
        self.by_the_host(x, path, elem_of(asked.0))
    }

    /// The number that the host makes of an expression at each cell: the member that `path`
    /// leads to. Of an expression without a value it is `true`, once that was evaluated.
    pub fn by_the_host(&mut self, e: &'p Expr, path: &[usize], elem: ScalarType) -> ExprId {
        let lifted = self.lifting(e).by_the_host(e, path, elem);
        let read = Node::Read { tensor: lifted.tensor, index: lifted.index(&[]), site: None };
        self.frame.exprs.add(read, elem)
    }

    /// The function that an instance is, with its types, where cells call it themselves: one
    /// of scalars, that looks at nothing else.
    fn called_by_cells(&mut self, body: BodyId) -> Option<(FunctionId, Forms)> {
        if self.work.bodies.looks_at_tensors(body) {
            return None;
        }
        let forms = scalar_forms(&self.work.scopes.program().bodies[body])?;
        let f = function::of(self.work, body);
        let overflow = self.work.unit.tensors.overflow();
        self.work.functions.runs_in_cells(f, overflow).then_some((f, forms))
    }

    /// A call of a function of scalars, for each cell.
    fn call_of_scalars(
        &mut self,
        call: &'p Call,
        f: FunctionId,
        (forms, result): (Vec<Form>, ScalarType),
        span: Span,
    ) -> ExprId {
        self.work.functions.call_from_cells(f, span);
        let mut args = Vec::new();
        for (arg, form) in call.args.iter().zip(forms) {
            for (path, ty) in form.paths().into_iter().zip(form.leaves()) {
                let asked = (member_type(&arg.ty, &path), self.env);
                let value = self.member(arg, &path, asked, &[]);
                args.push(self.frame.exprs.cast(ty, value));
            }
        }
        let function = weft_scalar::function::FunctionId::new(f.as_u32() as usize);
        self.frame.exprs.add(Node::Call { function, args }, result)
    }
}
