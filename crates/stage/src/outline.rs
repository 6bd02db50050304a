//! What the host computes for each cell: calls of functions that have no form cells could
//! call, and what is done with host data on the way to a number.
//!
//! The expression becomes a function of the host. Numbers in it become tensors over the
//! indices around that they depend on; what depends on none is handed over as it is. What
//! the function gives is a tensor over the same indices that the host fills. A mask tells
//! where the path to the expression is taken: only there it is called.
//!
//! ```text
//! y[i] = if i > 0 { f(x[i], "ab") } else { 0 }
//!   =>  m[i] = true where i > 0;  a[i, ..] = x[i, ..] where i > 0;
//!       g(p, q) = f(p, q);  t = cells of g(m, a, "ab")
//! ```

use crate::derive::host_values::tensors_in;
use crate::env::{Bound, EnvId};
use crate::frame::{Frame, Path};
use crate::lift::{Lifted, conjunction, written_at};
use crate::members::Asked;
use crate::remap::{needed, rebuild, restrict};
use crate::stager::Stager;
use std::collections::BTreeSet;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Iter};
use weft_host::{self as host, DataOp, FunctionId, Look, Piece, Shown, Step, Value, VarId};
use weft_scalar::{Scalar, ScalarType};
use weft_sema::thir::{Block, Expr, ExprKind, Stmt, StrPart, Ty};
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

/// A function of the host under construction, and what it is given.
#[derive(Default)]
struct Outline<'p> {
    body: host::Program,
    /// Arguments that each cell gives.
    cells: Vec<(VarId, Draft<'p>)>,
    /// Arguments that are the same for all of them.
    shared: Vec<(VarId, Value)>,
}

impl<'p> Outline<'p> {
    fn share(&mut self, value: Value) -> Value {
        if matches!(value, Value::Const(_)) {
            return value;
        }
        let var = self.body.vars.push(None);
        self.shared.push((var, value));
        Value::Var(var)
    }

    fn cell(&mut self, draft: Draft<'p>) -> Value {
        let var = self.body.vars.push(None);
        self.cells.push((var, draft));
        Value::Var(var)
    }
}

impl<'p> Stager<'p> {
    /// The number that the host makes of an expression at each cell: the member that `path`
    /// leads to. Of an expression without a value it is `true`, once that was evaluated.
    pub fn lower_by_the_host(
        &mut self,
        e: &'p Expr,
        path: &[usize],
        elem: ScalarType,
        env: EnvId,
        frame: &mut Frame<'p>,
    ) -> ExprId {
        let around = self.narrowed(frame, self.depends(e, env), e.span);
        frame.lifts(&around);
        let mut key = self.lift_key(e, env, Some(elem), &around);
        key.3 += &format!("{path:?}");
        let lifted = self.lifted_once(key, |this| this.table(e, path, elem, env, &around));
        let index = lifted.outer.into_iter().map(IndexTerm::Affine).collect();
        frame.exprs.add(Node::Read { tensor: lifted.tensor, index, site: None }, elem)
    }

    fn table(
        &mut self,
        e: &'p Expr,
        path: &[usize],
        elem: ScalarType,
        env: EnvId,
        frame: &Frame<'p>,
    ) -> Lifted {
        let mut inside = frame.nested();
        let mut outline = Outline::default();
        let value = match self.at_host_level(e, env) {
            true => self.outlined(e, env, &mut inside, &mut outline),
            false => self.outline_parts(e, env, &mut inside, &mut outline),
        };
        let value = path.iter().fold(value, |v, n| v.field(*n));
        let value = match e.ty == Ty::unit() {
            true => ran(&mut outline.body, value),
            false => value,
        };
        outline.body.result = Some(Shown { value, look: Look::Plain });
        let mask = self.draft_of_mask(frame);
        let Outline { body, cells, shared } = outline;
        let (vars, mut drafts): (Vec<VarId>, Vec<Draft<'p>>) = cells.into_iter().unzip();
        let (more, shared): (Vec<VarId>, Vec<Value>) = shared.into_iter().unzip();
        drafts.insert(0, mask);
        let given = vars.len();
        let args = vars.into_iter().chain(more).collect();
        let function = host::Function { name: None, args, scalars: None, body };
        let function = self.functions.push(function);
        self.filled(DataOp::Cells { function, elem, given }, drafts, shared, e.span, frame)
    }

    /// A tensor that the host fills, over the indices that its operands depend on.
    fn filled(
        &mut self,
        op: DataOp,
        drafts: Vec<Draft<'p>>,
        shared: Vec<Value>,
        span: Span,
        frame: &Frame<'p>,
    ) -> Lifted {
        let DataOp::Cells { elem, .. } = op else { unreachable!("cells are filled") };
        let around = frame.iters();
        let needs = |d: &Draft<'p>| needed(&d.frame, &[d.value], &d.axes);
        let kept: BTreeSet<Iter> = drafts.iter().flat_map(needs).collect();
        let outer: Vec<Iter> = around.into_iter().filter(|i| kept.contains(i)).collect();
        let (axes, cells) = self.axes_over(&frame.space, &outer);
        let tensors = drafts.into_iter().map(|d| self.tensor_of(d, &outer, span));
        let operands = tensors.map(Value::Tensor).chain(shared).collect();
        let value = Value::Data(op, operands, span);
        let (name, span, definition) = (None, Some(span), Definition::Input);
        let tensor = self.graph().tensors.push(Tensor { name, span, elem, axes, definition });
        self.unit.out.sources.insert(tensor, value);
        Lifted { tensor, outer: cells }
    }

    /// A part of what is outlined: a number is computed by cells, and what reaches no index
    /// once.
    fn outlined(
        &mut self,
        e: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        out: &mut Outline<'p>,
    ) -> Value {
        if self.at_host_level(e, env) {
            let value = self.value_of(e, env);
            return out.share(value);
        }
        match &e.ty {
            Ty::Array(..) => {
                let draft = self.draft(&Bound::Thunk(e, env), (&e.ty, env), frame);
                out.cell(draft)
            }
            _ => self.outline_parts(e, env, frame, out),
        }
    }

    fn outline_parts(
        &mut self,
        e: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        out: &mut Outline<'p>,
    ) -> Value {
        let mut all = |this: &mut Self, xs: &'p [Expr], out: &mut Outline<'p>| -> Vec<Value> {
            xs.iter().map(|x| this.outlined(x, env, frame, out)).collect()
        };
        match &e.kind {
            ExprKind::Host(op, xs) if let Some(op) = self.data_op(op, e) => {
                Value::Data(op, all(self, xs, out), e.span)
            }
            ExprKind::Call(call) if self.bodies.is_hosted(call.body) => {
                let f: FunctionId = self.hosted_function(call.body);
                Value::Call(f, all(self, &call.args, out), e.span)
            }
            ExprKind::Tuple(members) => Value::Tuple(all(self, members, out)),
            ExprKind::Call(call) => {
                let inner = self.enter_call(call, env, Some(frame));
                let block = &self.body(inner).block;
                self.outlined_block(block, inner, frame, out)
            }
            ExprKind::Block(block) => {
                let inner = self.child(env);
                self.outlined_block(block, inner, frame, out)
            }
            ExprKind::If(c, a, b) => {
                let condition = self.outlined(c, env, frame, out);
                let depth = frame.path.len();
                let [a, b] = [(a, true), (b, false)].map(|(side, holds)| {
                    frame.path.push(Path::Expr(c, env, holds));
                    let value = self.outlined(side, env, frame, out);
                    frame.leave(depth);
                    Box::new(host::Block { steps: Vec::new(), value })
                });
                Value::If(Box::new(condition), a, b)
            }
            ExprKind::Str(parts) => {
                Value::Text(parts.iter().map(|p| self.outlined_piece(p, env, frame, out)).collect())
            }
            ExprKind::Local(_) | ExprKind::Field(..) => {
                match (self.bind_in_frame(e, env, frame), &e.kind) {
                    (Bound::Thunk(same, at), ExprKind::Field(x, n)) if std::ptr::eq(same, e) => {
                        self.outlined(x, at, frame, out).field(*n)
                    }
                    (Bound::Thunk(same, _), _) if std::ptr::eq(same, e) => {
                        unreachable!("a name without a value: {:?}", e.span)
                    }
                    (bound, _) => self.outlined_bound(&bound, (&e.ty, env), frame, out),
                }
            }
            _ => {
                self.refuse_host_data(e.span);
                Value::Tuple(Vec::new())
            }
        }
    }

    fn outlined_bound(
        &mut self,
        bound: &Bound<'p>,
        (ty, env): Asked<'_>,
        frame: &mut Frame<'p>,
        out: &mut Outline<'p>,
    ) -> Value {
        match bound {
            Bound::Host(value) => out.share(value.clone()),
            Bound::Thunk(e, env) => self.outlined(e, *env, frame, out),
            Bound::Tensor { tensor, outer } if outer.is_empty() => {
                out.share(Value::Tensor(*tensor))
            }
            Bound::Tensor { .. } => {
                let draft = self.draft(bound, (ty, env), frame);
                out.cell(draft)
            }
            Bound::Tuple(members) => {
                let types = ty.members().unwrap_or_default();
                let member =
                    |(m, ty): (&Bound<'p>, &Ty)| self.outlined_bound(m, (ty, env), frame, out);
                Value::Tuple(members.iter().zip(types).map(member).collect())
            }
        }
    }

    fn outlined_block(
        &mut self,
        block: &'p Block,
        env: EnvId,
        frame: &mut Frame<'p>,
        out: &mut Outline<'p>,
    ) -> Value {
        let mut steps = Vec::new();
        for stmt in &block.stmts {
            match stmt {
                Stmt::Expr(Expr { kind: ExprKind::Assert(c, message), span, .. }) => {
                    let condition = self.outlined(c, env, frame, out);
                    let message = message.as_deref().map(|m| Shown {
                        value: self.outlined(m, env, frame, out),
                        look: self.look(&m.ty),
                    });
                    steps.push(Step::Assert { condition, message, span: *span });
                }
                Stmt::Expr(e) if self.bodies.has_effects(e) => {
                    let value = self.outline_parts(e, env, frame, out);
                    steps.push(Step::Run(out.body.vars.push(Some(value))));
                }
                _ => {
                    self.bind_statement(stmt, env, frame);
                    self.statement_effect(stmt, env, frame, &mut Vec::new());
                }
            }
        }
        let value = match &block.tail {
            Some(tail) => self.outlined(tail, env, frame, out),
            None => Value::Tuple(Vec::new()),
        };
        Value::Block(Box::new(host::Block { steps, value }))
    }

    fn outlined_piece(
        &mut self,
        p: &'p StrPart,
        env: EnvId,
        frame: &mut Frame<'p>,
        out: &mut Outline<'p>,
    ) -> Piece {
        match p {
            StrPart::Text(t) => Piece::Text(t.clone()),
            StrPart::Value(e, spec) => {
                let value = self.outlined(e, env, frame, out);
                let shown = Shown { value, look: self.look(&e.ty) };
                Piece::Value(shown, spec.as_ref().map(crate::statement::format))
            }
        }
    }

    fn refuse_host_data(&mut self, span: Span) {
        let d = Diagnostic::error(Code::E1107, "host data that differs from cell to cell")
            .primary(span, "the host knows this before it knows any cell")
            .help("compute it before the clause, and read numbers of it inside");
        self.diagnostics.push(d);
    }

    /// Where the path is taken.
    fn draft_of_mask(&mut self, around: &Frame<'p>) -> Draft<'p> {
        let mut frame = around.nested();
        let conditions = self.lower_path(&mut frame);
        let taken = conjunction(&mut frame, &conditions);
        let value = taken.unwrap_or_else(|| frame.exprs.constant(Scalar::Bool(true)));
        Draft { frame, axes: Vec::new(), value }
    }

    fn draft(&mut self, bound: &Bound<'p>, asked: Asked<'_>, around: &Frame<'p>) -> Draft<'p> {
        let mut frame = around.nested();
        let conditions = self.lower_path(&mut frame);
        let axes = self.body_axes(asked.1, asked.0, &mut frame);
        let idx: Vec<IndexTerm> = axes.iter().map(|i| Affine::iter(*i).into()).collect();
        let value = self.lower_bound(bound, asked, &mut frame, &idx);
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
        let (axes, cells) = self.axes_over(&draft.frame.space, &written);
        let target = self.tensor(None, elem, axes);
        let write = written_at(&cells, &replace);
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
                Value::Data(DataOp::Cells { .. }, operands, span) => {
                    let mut read = BTreeSet::new();
                    for v in operands {
                        tensors_in(&self.unit.out, v, &mut read);
                        v.tensors(&self.unit.out.vars, &mut |t| read.extend([t]));
                    }
                    read.iter().any(|a| self.above(*a).contains(t)).then_some(*span)
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

/// `true`, once a value was computed.
fn ran(body: &mut host::Program, value: Value) -> Value {
    let var = body.vars.push(Some(value));
    let value = Value::Const(Scalar::Bool(true));
    Value::Block(Box::new(host::Block { steps: vec![Step::Run(var)], value }))
}
