//! Derivatives: a quotient becomes reads of one that stands for it in the graph, and the
//! graph grows the sweeps when it is whole.

use crate::env::{Bound, EnvId};
use crate::frame::Frame;
use crate::stager::Stager;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Iter};
use weft_grad::Quotient;
use weft_scalar::Scalar;
use weft_sema::hir::{Expr, ExprKind, Item, LocalId, ReadId};
use weft_tensor::{Accumulator, Axis, Expr as Node, ExprId, IndexTerm, TensorId};

/// A tensor of the graph, and the index of the cells that are meant.
struct Cells {
    tensor: TensorId,
    index: Vec<IndexTerm>,
    /// Whether cells were written out, and not only those around a lifted definition.
    chosen: bool,
}

impl<'p> Stager<'p> {
    /// The cell of `d / @x` at `rows` of the differential and `columns` of `x`: linear in
    /// the leaves of `d`.
    pub fn lower_quotient(
        &mut self,
        d: &'p Expr,
        x: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        rows: &[IndexTerm],
        columns: &[IndexTerm],
    ) -> ExprId {
        match &d.kind {
            ExprKind::Differential(leaf) => self.leaf_quotient(leaf, x, env, frame, rows, columns),
            ExprKind::Unary(op, y) => {
                let y = self.lower_quotient(y, x, env, frame, rows, columns);
                frame.exprs.unary(*op, y)
            }
            ExprKind::Binary(op, a, b) => {
                let mut side = |e: &'p Expr, frame: &mut Frame<'p>| {
                    let rank = e.ty.extents().map_or(0, |s| s.len());
                    let rows = if rank == 0 { &[] } else { rows };
                    match weft_sema::is_differential(e) {
                        true => self.lower_quotient(e, x, env, frame, rows, columns),
                        false => self.lower(e, env, frame, rows),
                    }
                };
                let (a, b) = (side(a, frame), side(b, frame));
                frame.exprs.binary(*op, a, b)
            }
            ExprKind::If(c, a, b) => {
                let c = self.lower(c, env, frame, &[]);
                let a = self.lower_quotient(a, x, env, frame, rows, columns);
                let b = self.lower_quotient(b, x, env, frame, rows, columns);
                frame.exprs.if_else(c, a, b)
            }
            ExprKind::Local(id) => match self.lookup(env, *id) {
                Some((Bound::Thunk(e, home), _)) if home == env => {
                    self.lower_quotient(e, x, env, frame, rows, columns)
                }
                _ => self.no_quotient(d, x, frame),
            },
            _ => self.no_quotient(d, x, frame),
        }
    }

    fn no_quotient(&mut self, d: &Expr, x: &Expr, frame: &mut Frame<'p>) -> ExprId {
        self.unsupported(d.span, "the derivative of this");
        frame.exprs.constant(Scalar::zero(self.elem(&x.ty)))
    }

    fn leaf_quotient(
        &mut self,
        leaf: &'p Expr,
        x: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        rows: &[IndexTerm],
        columns: &[IndexTerm],
    ) -> ExprId {
        let (Some(y), Some(by)) = (self.cells(leaf, env, frame), self.cells(x, env, frame)) else {
            return self.no_quotient(leaf, x, frame);
        };
        let tensor = self.quotient_tensor(y.tensor, &by, leaf.span.to(x.span));
        let index = y.index.into_iter().chain(rows.iter().cloned());
        let index = index.chain(by.index).chain(columns.iter().cloned()).collect();
        let elem = self.graph().tensors[tensor].elem;
        frame.exprs.add(Node::Read { tensor, index, site: None }, elem)
    }

    /// The tensor behind a named binding, with the cells that are chosen of it.
    fn cells(&mut self, e: &'p Expr, env: EnvId, frame: &mut Frame<'p>) -> Option<Cells> {
        let (base, items): (&Expr, &'p [Item]) = match &e.kind {
            ExprKind::Read(read, base, items) if !self.is_checked(*read, env) => (base, items),
            ExprKind::Local(_) => (e, &[]),
            _ => return None,
        };
        let ExprKind::Local(id) = base.kind else { return None };
        let Some((Bound::Tensor { tensor, outer }, _)) = self.lookup(env, id) else { return None };
        let mut index: Vec<IndexTerm> = outer.into_iter().map(IndexTerm::Affine).collect();
        for item in items {
            index.push(match item {
                Item::At(a) => self.term(env, a).into(),
                Item::Data(x) => IndexTerm::Data(self.lower(x, env, frame, &[])),
                Item::Range(..) => return None,
            });
        }
        Some(Cells { tensor, index, chosen: !items.is_empty() })
    }

    fn is_checked(&self, read: ReadId, env: EnvId) -> bool {
        self.body(env).reads[read].checked
    }

    /// The tensor that stands for a quotient; one for each pair.
    fn quotient_tensor(&mut self, target: TensorId, by: &Cells, span: Span) -> TensorId {
        let (independent, cells) = (by.tensor, by.chosen);
        let same =
            |q: &&Quotient| q.target == target && q.independent == independent && q.cells == cells;
        if let Some(q) = self.unit.quotients.iter().find(same) {
            return q.tensor;
        }
        let graph = &self.unit.out.graph;
        let all = [target, independent];
        let axes: Vec<Axis> =
            all.iter().flat_map(|t| graph.tensors[*t].axes.iter().cloned()).collect();
        let elem = graph.tensors[independent].elem;
        let tensor = self.tensor(None, elem, axes);
        let span = Some(span);
        self.unit.quotients.push(Quotient { tensor, target, independent, cells, span });
        tensor
    }

    /// A value that derivatives are taken of, or by: a tensor of its own, so that it has an
    /// identity. Inside cell code it is lifted over the indices around that it needs.
    pub fn differentiable(
        &mut self,
        id: LocalId,
        e: &'p Expr,
        env: EnvId,
        home: EnvId,
        around: Option<&mut Frame<'p>>,
    ) -> Bound<'p> {
        let Some(frame) = around else {
            let name = (env == home).then_some(id);
            let tensor = self.define_value(e, env, name);
            return Bound::Tensor { tensor, outer: Vec::new() };
        };
        let mut inner = frame.nested();
        let outer = inner.iters();
        let conditions = self.lower_path(&mut inner, e.span);
        let axes: Vec<Iter> = self.body_axes(env, &e.ty, &mut inner);
        let idx: Vec<IndexTerm> = axes.iter().map(|i| Affine::iter(*i).into()).collect();
        let mut value = self.lower(e, env, &mut inner, &idx);
        if let Some(reached) = crate::lift::conjunction(&mut inner, &conditions) {
            let zero = Scalar::zero(inner.exprs.ty(value));
            let zero = inner.exprs.constant(zero);
            value = inner.exprs.if_else(reached, value, zero);
        }
        let lifted = self.finish_reduction(e, Accumulator::Set, inner, outer, axes, None, value);
        let local = &self.body(home).locals[id];
        let name = local.name.clone();
        self.graph().tensors[lifted.tensor].name = Some(name);
        Bound::Tensor { tensor: lifted.tensor, outer: lifted.outer }
    }

    fn is_zero(&mut self, zero: weft_grad::Zero) {
        let Some(span) = zero.span else { return };
        let why = match zero.cut {
            Some(cut) => format!("every path is cut by {cut}, which is locally constant"),
            None => "the one does not depend on the other".into(),
        };
        let d = Diagnostic::warning(Code::ZeroDerivative, "a derivative that is zero everywhere")
            .primary(span, why);
        self.diagnostics.push(d);
    }

    /// Puts sweeps in place of all quotients.
    pub fn expand_quotients(&mut self) {
        if self.diagnostics.has_errors() || self.unit.quotients.is_empty() {
            return;
        }
        let quotients = std::mem::take(&mut self.unit.quotients);
        let strategy = weft_grad::Strategy::Fewest;
        let graph = &mut self.unit.out.graph;
        let expanded = weft_grad::expand_quotients(graph, &quotients, strategy);
        self.unit.quotients = quotients;
        let refusal = match expanded {
            Ok(expansion) => return expansion.zero.into_iter().for_each(|z| self.is_zero(z)),
            Err(refusal) => refusal,
        };
        let text = refusal.cause.text();
        let d = Diagnostic::error(Code::E0602, format!("no derivative through {text}"));
        let d = match refusal.span {
            Some(span) => d.primary(span, "asked for here"),
            None => d,
        };
        self.diagnostics.push(d);
    }
}
