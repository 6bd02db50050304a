//! Calls that the host makes for each cell: of recursive functions of tensors, which have no
//! form that cells could call.
//!
//! The arguments become tensors over the indices around that the call depends on, and what
//! the calls give is a tensor over the same indices that the host fills. A mask tells where
//! there is a call: only there the path to it is taken.
//!
//! ```text
//! y[i] = if i > 0 { f(x[i]) } else { 0 }
//!   =>  m[i] = true where i > 0;  a[i, ..] = x[i, ..] where i > 0;  t = cells of f(m, a)
//! ```

use crate::env::EnvId;
use crate::frame::Frame;
use crate::lift::{Lifted, conjunction};
use crate::remap::{needed, rebuild, restrict};
use crate::stager::Stager;
use std::collections::BTreeSet;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Iter};
use weft_host::{DataOp, FunctionId, Value};
use weft_scalar::Scalar;
use weft_sema::hir::{Call, Expr, Ty};
use weft_tensor::{
    Accumulator, Assignment, Definition, Expr as Node, ExprId, IndexTerm, Tensor, TensorId,
};

/// A value under the conditions of the path, before it is known which indices it keeps.
struct Draft<'p> {
    frame: Frame<'p>,
    /// Its own axes, behind the indices around.
    axes: Vec<Iter>,
    value: ExprId,
}

impl<'p> Stager<'p> {
    /// Whether the host can make a call for each cell: of numbers, for one number.
    pub fn is_call_of_numbers(&self, call: &Call, result: &Ty) -> bool {
        let numbers = |ty: &Ty| matches!(ty, Ty::Array(..));
        result.rank() == Some(0) && call.args.iter().all(|a| numbers(&a.ty))
    }

    /// What the host's function `f` gives for each cell; `e` is the expression it stands for.
    pub fn lower_call_of_tensors(
        &mut self,
        call: &'p Call,
        f: FunctionId,
        e: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
    ) -> ExprId {
        frame.lifts();
        let key = self.lift_key(e, env, None, frame);
        let lifted = self.lifted_once(key, |this| this.table_of_calls(call, f, e, env, frame));
        let index = lifted.outer.into_iter().map(IndexTerm::Affine).collect();
        let elem = self.elem(&e.ty);
        frame.exprs.add(Node::Read { tensor: lifted.tensor, index, site: None }, elem)
    }

    fn table_of_calls(
        &mut self,
        call: &'p Call,
        f: FunctionId,
        e: &'p Expr,
        env: EnvId,
        frame: &Frame<'p>,
    ) -> Lifted {
        let around: Vec<Iter> = frame.iters().iter().filter_map(Affine::as_iter).collect();
        let mut drafts = vec![self.draft_of_mask(frame)];
        drafts.extend(call.args.iter().map(|arg| self.draft(arg, env, frame)));
        let needs = |d: &Draft<'p>| needed(&d.frame, &[d.value], &d.axes);
        let kept: BTreeSet<Iter> = drafts.iter().flat_map(needs).collect();
        let outer: Vec<Iter> = around.into_iter().filter(|i| kept.contains(i)).collect();
        let axes = self.axes_of(&frame.space, &outer);
        let operands = drafts.into_iter().map(|d| self.tensor_of(d, &outer, e.span));
        let operands = operands.map(Value::Tensor).collect();
        let elem = self.elem(&e.ty);
        let value = Value::Data(DataOp::Cells(f, elem), operands, e.span);
        let (name, span, definition) = (None, Some(e.span), Definition::Input);
        let tensor = self.graph().tensors.push(Tensor { name, span, elem, axes, definition });
        self.unit.out.sources.insert(tensor, value);
        Lifted { tensor, outer: outer.into_iter().map(Affine::iter).collect() }
    }

    /// Where the path is taken.
    fn draft_of_mask(&mut self, around: &Frame<'p>) -> Draft<'p> {
        let mut frame = around.nested();
        let conditions = self.lower_path(&mut frame);
        let taken = conjunction(&mut frame, &conditions);
        let value = taken.unwrap_or_else(|| frame.exprs.constant(Scalar::Bool(true)));
        Draft { frame, axes: Vec::new(), value }
    }

    fn draft(&mut self, arg: &'p Expr, env: EnvId, around: &Frame<'p>) -> Draft<'p> {
        let mut frame = around.nested();
        let conditions = self.lower_path(&mut frame);
        let axes = self.body_axes(env, &arg.ty, &mut frame);
        let idx: Vec<IndexTerm> = axes.iter().map(|i| Affine::iter(*i).into()).collect();
        let value = self.lower(arg, env, &mut frame, &idx);
        let value = match conjunction(&mut frame, &conditions) {
            Some(taken) => {
                let ty = frame.exprs.ty(value);
                let zero = frame.exprs.constant(Scalar::zero(ty));
                frame.exprs.if_else(taken, value, zero)
            }
            None => value,
        };
        Draft { frame, axes, value }
    }

    /// A tensor over the indices `outer` and a draft's own axes; zero where the path is not
    /// taken.
    fn tensor_of(&mut self, draft: Draft<'p>, outer: &[Iter], span: Span) -> TensorId {
        let written: Vec<Iter> = outer.iter().chain(&draft.axes).copied().collect();
        let (space, replace) = restrict(&draft.frame.space, &written.iter().copied().collect());
        let (exprs, roots) = rebuild(&draft.frame.exprs, &[draft.value], &replace);
        let (body, mask) = (roots[0], None);
        let elem = exprs.ty(body);
        let axes = self.axes_of(&draft.frame.space, &written);
        let target = self.tensor(None, elem, axes);
        let write = written.iter().map(|i| replace(*i).into()).collect();
        let accumulator = Accumulator::Set;
        self.graph().assign(Assignment { target, space, write, accumulator, mask, body, exprs });
        let tensor = &mut self.graph().tensors[target];
        tensor.span = Some(span);
        if let Definition::Assigned { covered, .. } = &mut tensor.definition {
            *covered = false;
        }
        target
    }

    /// Refuses calls for each cell whose arguments depend on what the calls give.
    pub fn refuse_calls_in_recurrences(&mut self) {
        let found: Vec<Span> = self
            .unit
            .out
            .sources
            .iter()
            .filter_map(|(t, value)| match value {
                Value::Data(DataOp::Cells(..), operands, span) => {
                    let depends =
                        |v: &Value| matches!(v, Value::Tensor(a) if self.above(*a).contains(t));
                    operands.iter().any(depends).then_some(*span)
                }
                _ => None,
            })
            .collect();
        for span in found {
            let headline = "a recursive function of tensors is called within a recurrence";
            let d = Diagnostic::error(Code::E0511, headline)
                .primary(span, "its arguments depend on what it gives for other cells")
                .note("the host makes such calls, for all cells at once")
                .help("say what it computes as a definition, or by a function of scalars");
            self.diagnostics.push(d);
        }
    }
}
