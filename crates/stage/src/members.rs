//! Members of tuples at one cell.

use crate::env::{Bound, EnvId};
use crate::frame::Frame;
use crate::stager::Stager;
use weft_sema::thir::{Expr, ExprKind, Ty};
use weft_tensor::{ExprId, IndexTerm};

/// What type a value has that is asked for, in what environment.
pub(crate) type Asked<'t> = (&'t Ty, EnvId);

impl<'p> Stager<'p> {
    /// The member of `x` that `path` leads to, through tuples in tuples.
    pub fn lower_member(
        &mut self,
        x: &'p Expr,
        path: &[usize],
        asked: Asked<'_>,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let Some((first, rest)) = path.split_first() else {
            return self.lower(x, env, frame, idx);
        };
        match &x.kind {
            ExprKind::Tuple(members) => {
                self.lower_member(&members[*first], rest, asked, env, frame, idx)
            }
            ExprKind::Field(whole, n) => {
                let path: Vec<usize> = [&[*n], path].concat();
                self.lower_member(whole, &path, asked, env, frame, idx)
            }
            _ => {
                let bound = self.bind_in_frame(x, env, frame);
                self.lower_bound_member(&bound, path, asked, frame, idx)
            }
        }
    }

    fn lower_bound_member(
        &mut self,
        bound: &Bound<'p>,
        path: &[usize],
        asked: Asked<'_>,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        match (bound, path) {
            (Bound::Tuple(members), [first, rest @ ..]) => {
                self.lower_bound_member(&members[*first], rest, asked, frame, idx)
            }
            (Bound::Thunk(x, at), [_, ..]) => {
                self.lower_thunk_member(x, path, asked, *at, frame, idx)
            }
            (Bound::Host(value), [_, ..]) => {
                let member = path.iter().fold(value.clone(), |v, n| v.field(*n));
                self.read_source(member, asked, frame, idx)
            }
            _ => self.lower_bound(bound, asked, frame, idx),
        }
    }

    /// A member of a tuple that is not written out.
    fn lower_thunk_member(
        &mut self,
        x: &'p Expr,
        path: &[usize],
        asked: Asked<'_>,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        match &x.kind {
            ExprKind::Tuple(_) | ExprKind::Field(..) => {
                self.lower_member(x, path, asked, env, frame, idx)
            }
            ExprKind::Call(call) if self.bodies.is_hosted(call.body) => {
                self.lower_member_of_call(x, path, asked, env, frame, idx)
            }
            _ if let Some(block) = self.asserting_block(x) => {
                let inner = match &x.kind {
                    ExprKind::Call(call) => self.enter_cell_call(call, env, frame, x.span),
                    _ => self.enter_cell_block(block, env, frame, x.span),
                };
                let member = |stager: &mut Self, tail, frame: &mut Frame<'p>| {
                    stager.lower_member(tail, path, asked, inner, frame, idx)
                };
                self.lower_under_asserts(block, inner, frame, x.span, member)
            }
            ExprKind::If(c, a, b) if !self.at_host_level(x, env) => {
                let side = &mut |stager: &mut Self, side, frame: &mut Frame<'p>| {
                    stager.lower_member(side, path, asked, env, frame, idx)
                };
                self.lower_choice(c, [a, b], env, frame, &[], side)
            }
            _ => self.lower_member_of_host(x, path, asked, env, frame, idx),
        }
    }
}
