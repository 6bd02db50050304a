//! Derivatives: a quotient becomes reads of one that stands for it in the graph, and the
//! graph grows the sweeps when it is whole.

pub(crate) mod host_values;

use crate::env::{Bound, EnvId};
use crate::frame::Frame;
use crate::lift::Lifted;
use crate::stager::Stager;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Iter};
use weft_grad::Quotient;
use weft_host::Scalars;
use weft_scalar::{Scalar, ScalarType};
use weft_sema::thir::{Expr, ExprKind, Item, LocalId, ReadId, Ty};
use weft_shape::Size;
use weft_tensor::{Accumulator, Axis, Expr as Node, ExprId, IndexTerm, TensorId};

/// A tensor of the graph, and the index of the cells that are meant.
pub(crate) struct Cells {
    pub tensor: TensorId,
    pub index: Vec<IndexTerm>,
    /// Whether cells were written out, and not only those around a lifted definition.
    chosen: bool,
    /// Whether each of the cells must be found to be there.
    checked: bool,
}

/// What a quotient divides by: `@x`, and where `x` is named.
#[derive(Clone, Copy)]
pub(crate) struct By<'p> {
    pub x: &'p Expr,
    pub env: EnvId,
    /// The element type of the whole quotient.
    pub elem: ScalarType,
}

impl<'p> Stager<'p> {
    /// The cell of `d / @x` at `rows` of the differential and `columns` of `x`: linear in
    /// the leaves of `d`.
    pub fn lower_quotient(
        &mut self,
        d: &'p Expr,
        by: By<'p>,
        env: EnvId,
        frame: &mut Frame<'p>,
        rows: &[IndexTerm],
        columns: &[IndexTerm],
    ) -> ExprId {
        match &d.kind {
            ExprKind::Differential(leaf) => {
                let Some(y) = self.cells(leaf, env, frame) else {
                    return self.no_quotient(d, by, frame);
                };
                self.cells_quotient(y, d.span, by, frame, rows, columns)
            }
            ExprKind::Unary(op, y) => {
                let y = self.lower_quotient(y, by, env, frame, rows, columns);
                frame.exprs.unary(*op, y)
            }
            ExprKind::Binary(op, a, b) => {
                let mut side = |e: &'p Expr, frame: &mut Frame<'p>| {
                    let rank = e.ty.extents().map_or(0, |s| s.len());
                    let rows = if rank == 0 { &[] } else { rows };
                    match weft_sema::is_differential(e) {
                        true => self.lower_quotient(e, by, env, frame, rows, columns),
                        false => {
                            let value = self.lower(e, env, frame, rows);
                            frame.exprs.cast(by.elem, value)
                        }
                    }
                };
                let (a, b) = (side(a, frame), side(b, frame));
                frame.exprs.binary(*op, a, b)
            }
            ExprKind::If(c, a, b) => {
                let c = self.lower(c, env, frame, &[]);
                let a = self.lower_quotient(a, by, env, frame, rows, columns);
                let b = self.lower_quotient(b, by, env, frame, rows, columns);
                frame.exprs.if_else(c, a, b)
            }
            ExprKind::Local(id) => match self.lookup(env, *id) {
                Some((Bound::Thunk(e, home), _)) => {
                    self.lower_quotient(e, by, home, frame, rows, columns)
                }
                Some((Bound::Tensor { tensor, outer }, _)) => {
                    let index = outer.into_iter().map(IndexTerm::Affine).collect();
                    let y = Cells { tensor, index, chosen: false, checked: false };
                    self.cells_quotient(y, d.span, by, frame, rows, columns)
                }
                _ => self.no_quotient(d, by, frame),
            },
            _ => {
                let lifted = self.lift_value(d, env, frame);
                let index = lifted.outer.into_iter().map(IndexTerm::Affine).collect();
                let y = Cells { tensor: lifted.tensor, index, chosen: false, checked: false };
                self.cells_quotient(y, d.span, by, frame, rows, columns)
            }
        }
    }

    fn no_quotient(&mut self, d: &Expr, by: By<'p>, frame: &mut Frame<'p>) -> ExprId {
        self.unsupported(d.span, "the derivative of this");
        frame.exprs.constant(Scalar::zero(by.elem))
    }

    fn cells_quotient(
        &mut self,
        y: Cells,
        span: Span,
        by: By<'p>,
        frame: &mut Frame<'p>,
        rows: &[IndexTerm],
        columns: &[IndexTerm],
    ) -> ExprId {
        let Some(x) = self.cells(by.x, by.env, frame) else {
            return self.no_quotient(by.x, by, frame);
        };
        let tensor = self.quotient_tensor(y.tensor, &x, span.to(by.x.span));
        let index = y.index.iter().chain(rows).chain(&x.index).chain(columns).cloned().collect();
        let elem = self.graph().tensors[tensor].elem;
        let value = frame.exprs.add(Node::Read { tensor, index, site: None }, elem);
        let value = frame.exprs.cast(by.elem, value);
        let value = self.where_there(value, &x, by.x.span, frame);
        self.where_there(value, &y, span, frame)
    }

    /// What stands for cells that data choose, once they are found to be there.
    pub fn where_there(
        &mut self,
        value: ExprId,
        of: &Cells,
        span: Span,
        frame: &mut Frame<'p>,
    ) -> ExprId {
        if !of.checked {
            return value;
        }
        let extents: Vec<Size> = self.graph().shape(of.tensor).cloned().collect();
        self.checked_index(value, &of.index, &extents, span, frame)
    }

    /// The tensor behind a named binding, with the cells that are chosen of it.
    pub(crate) fn cells(
        &mut self,
        e: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
    ) -> Option<Cells> {
        let (base, items, checked): (&Expr, &'p [Item], bool) = match &e.kind {
            ExprKind::Read(read, base, items) => (base, items, self.is_checked(*read, env)),
            ExprKind::Local(_) | ExprKind::Field(..) => (e, &[], false),
            _ => return None,
        };
        let Bound::Tensor { tensor, outer } = self.named(base, env)? else { return None };
        let mut index: Vec<IndexTerm> = outer.into_iter().map(IndexTerm::Affine).collect();
        for item in items {
            index.push(match item {
                Item::At(a) => self.term(env, a).into(),
                Item::Data(x) => IndexTerm::Data(self.lower(x, env, frame, &[])),
                Item::Range(..) => return None,
            });
        }
        Some(Cells { tensor, index, chosen: !items.is_empty(), checked })
    }

    /// What a name, or a member of one, stands for.
    pub fn named(&self, e: &Expr, env: EnvId) -> Option<Bound<'p>> {
        match &e.kind {
            ExprKind::Local(id) => Some(self.lookup(env, *id)?.0),
            ExprKind::Field(x, n) => match self.named(x, env)? {
                Bound::Tuple(members) => members.into_iter().nth(*n),
                _ => None,
            },
            _ => None,
        }
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
        let of = graph.tensors[target].elem;
        let elem = of.join(graph.tensors[independent].elem).unwrap_or(of);
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
            if e.ty.members().is_some() {
                let bound = self.bind_value(e, env, None);
                return self.members_as_tensors(bound, None);
            }
            let name = (env == home).then_some(id);
            let tensor = self.define_value(e, env, name);
            return Bound::Tensor { tensor, outer: Vec::new() };
        };
        if e.ty.members().is_some() {
            let bound = self.bind_in_frame(e, env, frame);
            return self.members_as_tensors(bound, Some(frame));
        }
        let lifted = self.lift_value(e, env, frame);
        let name = self.body(home).locals[id].name.clone();
        self.graph().tensors[lifted.tensor].name = Some(name);
        Bound::Tensor { tensor: lifted.tensor, outer: lifted.outer }
    }

    /// A tuple whose floats are tensors, each with an identity.
    fn members_as_tensors(
        &mut self,
        bound: Bound<'p>,
        mut around: Option<&mut Frame<'p>>,
    ) -> Bound<'p> {
        match bound {
            Bound::Tuple(members) => Bound::Tuple(
                members
                    .into_iter()
                    .map(|m| self.members_as_tensors(m, around.as_deref_mut()))
                    .collect(),
            ),
            Bound::Thunk(e, env) if matches!(e.ty, Ty::Array(..)) && e.term.is_none() => {
                match around {
                    Some(frame) => {
                        let lifted = self.lift_value(e, env, frame);
                        Bound::Tensor { tensor: lifted.tensor, outer: lifted.outer }
                    }
                    None => {
                        let tensor = self.define_value(e, env, None);
                        Bound::Tensor { tensor, outer: Vec::new() }
                    }
                }
            }
            other => other,
        }
    }

    /// A value of cell code as a tensor over the indices around that it needs.
    fn lift_value(&mut self, e: &'p Expr, env: EnvId, frame: &mut Frame<'p>) -> Lifted {
        let mut inner = self.narrowed(frame, self.depends(e, env), e.span);
        frame.lifts(&inner);
        let outer = inner.iters();
        let conditions = self.lower_path(&mut inner);
        let axes: Vec<Iter> = self.body_axes(env, &e.ty, &mut inner);
        let idx: Vec<IndexTerm> = axes.iter().map(|i| Affine::iter(*i).into()).collect();
        let value = self.lower(e, env, &mut inner, &idx);
        let value = where_reached(&mut inner, &conditions, value);
        self.finish_reduction(e.span, Accumulator::Set, inner, outer, axes, None, value)
    }

    /// A request of several quotients is zero where all of them are.
    fn lint_zeros(&mut self, zeros: Vec<weft_grad::Zero>) {
        let place = |s: Option<Span>| s.map(|s| s.end);
        let is_zero = |s: Option<Span>| zeros.iter().any(|z| z.span == s);
        let others: Vec<_> = self
            .unit
            .quotients
            .iter()
            .map(|q| q.span)
            .filter(|s| !is_zero(*s))
            .map(place)
            .collect();
        for z in zeros {
            if !others.contains(&place(z.span)) {
                self.is_zero(z);
            }
        }
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

    /// Puts sweeps in place of all quotients; the functions of scalars are known by now.
    pub fn expand_quotients(&mut self, scalars: &Scalars) {
        if self.diagnostics.has_errors() {
            return;
        }
        if let Err(span) = self.define_host_values(scalars) {
            return self.diagnostics.push(no_derivative_of_the_host(span));
        }
        crate::stager::place(self.graph(), scalars);
        if self.unit.quotients.is_empty() {
            return self.write_differentials(None);
        }
        self.keep_factors();
        let before = (!self.unit.shown.is_empty()).then(|| self.graph().clone());
        let quotients = std::mem::take(&mut self.unit.quotients);
        let rules = std::mem::take(&mut self.unit.rules);
        let strategy = weft_grad::Strategy::Fewest;
        let graph = &mut self.unit.out.graph;
        let expanded = weft_grad::expand_quotients(graph, &quotients, &rules, strategy);
        (self.unit.quotients, self.unit.rules) = (quotients, rules);
        let refusal = match expanded {
            Ok(expansion) => {
                self.unit.sweeps = expansion.sweeps;
                self.unit.reads = expansion.reads;
                self.lint_zeros(expansion.zero);
                return self.write_differentials(before);
            }
            Err(refusal) => refusal,
        };
        self.diagnostics.push(no_derivative_through(refusal.cause.text(), refusal.span));
    }
}

fn no_derivative_through(what: &str, asked: Option<Span>) -> Diagnostic {
    let d = Diagnostic::error(Code::E0602, format!("no derivative through {what}"));
    match asked {
        Some(span) => d.primary(span, "asked for here"),
        None => d,
    }
}

fn no_derivative_of_the_host(asked: Option<Span>) -> Diagnostic {
    no_derivative_through("a value of the host", asked)
        .note("lists, strings, recursive enums run on the host, whose values have no derivatives")
        .note("so do recursive functions that take or give anything but scalars")
        .help("say it as a reduction or a recurrence: `let y[n in 1..N] = … y[n - 1] …`")
}

/// A value where some conditions hold; elsewhere nothing depends on it.
pub(crate) fn where_reached(frame: &mut Frame<'_>, conditions: &[ExprId], value: ExprId) -> ExprId {
    let Some(reached) = crate::lift::conjunction(frame, conditions) else { return value };
    let zero = frame.exprs.constant(Scalar::zero(frame.exprs.ty(value)));
    frame.exprs.if_else(reached, value, zero)
}
