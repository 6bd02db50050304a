//! Derivatives in cells: a quotient becomes reads of one that stands for it in the graph, and
//! the graph grows the sweeps when it is whole.
//!
//! A differential that is more than a leaf (sums, clauses, rules) is linear over its leaves.
//! As a tensor it is written with the leaves' values in place of their differentials, each
//! through a *live* copy, and with every other value it reads *kept*: a copy whose derivative
//! is nothing. So the derivative of that tensor is the differential; its value is never asked
//! for.

use super::Cell;
use crate::known::types::elem_of;
use crate::lift::Lifting;
use crate::refusal;
use crate::scope::{Bound, EnvId, Scopes};
use crate::unit::derivatives::Copied;
use weft_base::{Name, Span};
use weft_grad::Rule;
use weft_scalar::{Scalar, ScalarType};
use weft_sema::thir::{Expr, ExprKind, Item, LocalId};
use weft_shape::Size;
use weft_tensor::{Expr as Node, ExprId, IndexTerm, TensorId};

/// A tensor of the graph, and the index of the cells that are meant.
struct Cells {
    tensor: TensorId,
    index: Vec<IndexTerm>,
    /// Whether cells were written out, and not only those around a lifted definition.
    chosen: bool,
    /// Whether each of the cells must be found to be there.
    checked: bool,
}

/// What a quotient divides by, `@x`, and the cell that is asked for.
#[derive(Clone, Copy)]
struct By<'i, 'p> {
    x: &'p Expr,
    /// Where `x` is named.
    env: EnvId,
    /// The element type of the whole quotient.
    elem: ScalarType,
    /// Of the differential.
    rows: &'i [IndexTerm],
    /// Of `x`.
    columns: &'i [IndexTerm],
}

impl<'p> By<'_, 'p> {
    /// What a differential divided by it is at the cell, where its names are those of `at`.
    fn divide(self, d: &'p Expr, at: &mut Cell<'_, 'p>) -> ExprId {
        match &d.kind {
            ExprKind::Differential(leaf) => match at.cells(leaf) {
                Some(y) => {
                    self.note_copy(leaf, &y, d.span, at);
                    self.divide_cells(y, d.span, at)
                }
                None => self.refuse(d, at),
            },
            ExprKind::Unary(op, y) => {
                let y = self.divide(y, at);
                at.frame.exprs.unary(*op, y)
            }
            ExprKind::Binary(op, a, b) => {
                let [a, b] = [a, b].map(|e| self.divide_side(e, at));
                at.frame.exprs.binary(*op, a, b)
            }
            ExprKind::If(c, a, b) => {
                let c = at.lower(c, &[]);
                let a = self.divide(a, at);
                let b = self.divide(b, at);
                at.frame.exprs.if_else(c, a, b)
            }
            ExprKind::Local(id) => match at.work.scopes.lookup(at.env, *id) {
                Some((Bound::Thunk(e, home), _)) => self.divide(e, &mut at.within(home)),
                Some((Bound::Tensor { tensor, outer }, _)) => {
                    let index = outer.into_iter().map(IndexTerm::Affine).collect();
                    let y = Cells { tensor, index, chosen: false, checked: false };
                    self.divide_cells(y, d.span, at)
                }
                _ => self.refuse(d, at),
            },
            _ => {
                let lifted = at.lifting(d).value(d);
                let tensor = lifted.tensor;
                let y = Cells { tensor, index: lifted.index(&[]), chosen: false, checked: false };
                self.divide_cells(y, d.span, at)
            }
        }
    }

    fn divide_side(self, e: &'p Expr, at: &mut Cell<'_, 'p>) -> ExprId {
        let rank = e.ty.extents().map_or(0, <[Size]>::len);
        let rows = if rank == 0 { &[] } else { self.rows };
        if weft_sema::is_differential(e) {
            return By { rows, ..self }.divide(e, at);
        }
        let value = at.lower(e, rows);
        at.frame.exprs.cast(self.elem, value)
    }

    /// Notes that cells are differentiated by a name that copies others. Cells of another step of
    /// a definition that is bound above the name surely have nothing of it.
    fn note_copy(self, leaf: &Expr, y: &Cells, span: Span, at: &mut Cell<'_, 'p>) {
        let scopes = &at.work.scopes;
        let Some((x, of)) = copied(scopes, self.env, self.x) else { return };
        let above = scopes.same_body(self.env, at.env) && local_of(leaf).is_some_and(|y| y < x);
        let moved = |i: &IndexTerm| matches!(i, IndexTerm::Affine(a) if a.as_iter().is_none());
        let other_step = above && y.chosen && y.index.iter().any(moved);
        let copy = Copied { of, other_step };
        at.work.unit.derivatives.by_copy(span.to(self.x.span), copy);
    }

    fn divide_cells(self, y: Cells, span: Span, at: &mut Cell<'_, 'p>) -> ExprId {
        let Some(x) = at.within(self.env).cells(self.x) else {
            return self.refuse(self.x, at);
        };
        let whole = span.to(self.x.span);
        let unit = &mut at.work.unit;
        let independent = (x.tensor, x.chosen);
        let tensor = unit.derivatives.quotient(y.tensor, independent, whole, &mut unit.tensors);
        let rows = y.index.iter().chain(self.rows);
        let index = rows.chain(&x.index).chain(self.columns).cloned().collect();
        let elem = at.work.elem(tensor);
        let value = at.frame.exprs.add(Node::Read { tensor, index, site: None }, elem);
        let value = at.frame.exprs.cast(self.elem, value);
        let value = at.where_there(value, &x, self.x.span);
        at.where_there(value, &y, span)
    }

    fn refuse(self, d: &Expr, at: &mut Cell<'_, 'p>) -> ExprId {
        at.work.tell(refusal::unsupported(d.span, "the derivative of this"));
        at.frame.exprs.constant(Scalar::zero(self.elem))
    }
}

impl<'p> Cell<'_, 'p> {
    /// The cell of `d / @x`: linear in the leaves of `d`.
    pub fn quotient(
        &mut self,
        d: &'p Expr,
        x: &'p Expr,
        elem: ScalarType,
        idx: &[IndexTerm],
    ) -> ExprId {
        let (rows, columns) = idx.split_at(d.ty.extents().map_or(0, <[Size]>::len));
        By { x, env: self.env, elem, rows, columns }.divide(d, self)
    }

    /// What stands for cells that data choose, once they are found to be there.
    fn where_there(&mut self, value: ExprId, of: &Cells, span: Span) -> ExprId {
        if !of.checked {
            return value;
        }
        let shape = self.work.unit.tensors.graph().shape(of.tensor);
        let extents: Vec<Size> = shape.cloned().collect();
        self.checked_index(value, &of.index, &extents, span)
    }

    /// The tensor behind a named binding, with the cells that are chosen of it.
    fn cells(&mut self, e: &'p Expr) -> Option<Cells> {
        let (base, items, checked): (&Expr, &'p [Item], bool) = match &e.kind {
            ExprKind::Read(read, base, items) => {
                (base, items, self.work.scopes.body(self.env).reads[*read].checked)
            }
            ExprKind::Local(_) | ExprKind::Field(..) => (e, &[], false),
            _ => return None,
        };
        let named = self.work.scopes.named(base, self.env)?;
        let Bound::Tensor { tensor, outer } = named else { return None };
        let mut index: Vec<IndexTerm> = outer.into_iter().map(IndexTerm::Affine).collect();
        for item in items {
            index.push(match item {
                Item::At(a) => self.work.scopes.term(self.env, a).into(),
                Item::Data(x) => IndexTerm::Data(self.lower(x, &[])),
                Item::Range(..) => return None,
            });
        }
        Some(Cells { tensor, index, chosen: !items.is_empty(), checked })
    }

    /// `@x` within a larger differential: the cell of a live copy.
    pub fn leaf(&mut self, x: &'p Expr, e: &'p Expr, idx: &[IndexTerm]) -> ExprId {
        let elem = elem_of(&e.ty);
        let Some(cells) = self.cells(x) else {
            self.work.tell(refusal::unsupported(e.span, "the differential of this"));
            return self.frame.exprs.constant(Scalar::zero(elem));
        };
        let unit = &mut self.work.unit;
        let tensor = unit.derivatives.live(cells.tensor, &mut unit.tensors);
        let index = cells.index.iter().chain(idx).cloned().collect();
        let value = self.frame.exprs.add(Node::Read { tensor, index, site: None }, elem);
        self.where_there(value, &cells, x.span)
    }

    /// A value with a rule of its own: a tensor whose piece the rule stands in for.
    pub fn ruled(
        &mut self,
        value: &'p Expr,
        differential: &'p Expr,
        e: &'p Expr,
        idx: &[IndexTerm],
    ) -> ExprId {
        let mut depends = self.work.scopes.depends(value, self.env);
        depends.append(&mut self.work.scopes.depends(differential, self.env));
        let lifting = Lifting::out_of(self.work, self.env, self.frame, depends, e.span);
        let (lifted, stands_in) = lifting.ruled(value, differential, e);
        let piece = self.work.unit.tensors.graph().pieces(lifted.tensor)[0];
        self.work.unit.derivatives.rule(Rule { piece, stands_in, hides: None });
        let (tensor, index) = (lifted.tensor, lifted.index(idx));
        self.frame.exprs.add(Node::Read { tensor, index, site: None }, elem_of(&e.ty))
    }

    /// A differential as a number, where every leaf changes by one.
    pub fn seeded(&mut self, d: &'p Expr, idx: &[IndexTerm]) -> ExprId {
        match &d.kind {
            ExprKind::Differential(_) => self.frame.exprs.constant(Scalar::one(elem_of(&d.ty))),
            ExprKind::Unary(op, x) => {
                let x = self.seeded(x, idx);
                self.frame.exprs.unary(*op, x)
            }
            ExprKind::Binary(op, a, b) => {
                let [a, b] = [a, b].map(|e| self.seeded_side(e, idx));
                self.frame.exprs.binary(*op, a, b)
            }
            ExprKind::If(c, a, b) => {
                let c = self.lower(c, &[]);
                let a = self.seeded(a, idx);
                let b = self.seeded(b, idx);
                self.frame.exprs.if_else(c, a, b)
            }
            ExprKind::Local(id) => match self.work.scopes.lookup(self.env, *id) {
                Some((Bound::Thunk(e, home), _)) => self.within(home).seeded(e, idx),
                _ => self.not_seeded(d),
            },
            _ => self.not_seeded(d),
        }
    }

    fn seeded_side(&mut self, e: &'p Expr, idx: &[IndexTerm]) -> ExprId {
        let idx = if e.ty.extents().is_none_or(<[Size]>::is_empty) { &[] } else { idx };
        match weft_sema::is_differential(e) {
            true => self.seeded(e, idx),
            false => self.lower(e, idx),
        }
    }

    fn not_seeded(&mut self, d: &Expr) -> ExprId {
        self.work.tell(refusal::unsupported(d.span, "this differential as a number"));
        self.frame.exprs.constant(Scalar::zero(elem_of(&d.ty)))
    }
}

/// A name, and what it is another name for.
fn copied(scopes: &Scopes<'_>, env: EnvId, x: &Expr) -> Option<(LocalId, Name)> {
    let id = local_of(x)?;
    Some((id, scopes.local(env, id).copy_of.clone()?))
}

/// The name that is read.
fn local_of(e: &Expr) -> Option<LocalId> {
    match &e.kind {
        ExprKind::Local(id) => Some(*id),
        ExprKind::Field(base, _) | ExprKind::Read(_, base, _) => local_of(base),
        _ => None,
    }
}
