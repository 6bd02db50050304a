//! Values at host level: what the host computes, and what can be shown.

use super::{Host, format, function, kind};
use crate::known::look::look_of;
use crate::known::types::{elem_of, holds_differential};
use crate::refusal;
use crate::scope::Bound;
use crate::unit::derivatives::Wanted;
use weft_base::Span;
use weft_host::{self as host, Look, Piece, Shown, Value};
use weft_scalar::FileEffect;
use weft_sema::thir::{Block, Expr, ExprKind, HostOp, Stmt, StrPart, Ty};
use weft_shape::Size;

impl<'p> Host<'_, 'p> {
    /// A value as a host expression.
    pub fn value(&mut self, e: &'p Expr) -> Value {
        weft_base::interrupt::poll();
        let env = self.env;
        if let (Some(term), Ty::Array(..)) = (&e.term, &e.ty)
            && let Some(size) = self.work.scopes.term(env, term).as_size()
            && !self.work.bodies.has_effects(e)
        {
            return Value::Int(size.clone(), elem_of(&e.ty), self.told(e.span));
        }
        match &e.kind {
            ExprKind::Str(parts) => Value::Text(parts.iter().map(|p| self.piece(p)).collect()),
            ExprKind::SourceForm(d) => self.source_form(d),
            ExprKind::Const(v) => Value::Const(*v),
            ExprKind::Host(op, operands) => self.data(op, operands, e),
            ExprKind::Call(call) if self.work.bodies.is_called(call.body) => {
                let f = function::of(self.work, call.body);
                let args = call.args.iter().map(|a| self.value(a)).collect();
                Value::Call(f, args, e.span)
            }
            ExprKind::Tuple(members) => {
                Value::Tuple(members.iter().map(|m| self.value(m)).collect())
            }
            ExprKind::If(c, a, b) if self.is_hosty(e) => {
                let c = Box::new(self.value(c));
                let a = Box::new(self.side(a));
                Value::If(c, a, Box::new(self.side(b)))
            }
            ExprKind::Unary(op, x) if self.is_hosty(e) => {
                Value::Unary(*op, Box::new(self.value(x)), self.told(e.span))
            }
            ExprKind::Cast(ty, x) | ExprKind::Adapted(ty, x) if self.is_hosty(e) => {
                Value::Cast(*ty, Box::new(self.value(x)))
            }
            ExprKind::Binary(op, a, b) if self.is_hosty(e) => {
                let (a, b) = (self.value(a), self.value(b));
                Value::Binary(*op, Box::new(a), Box::new(b), self.told(e.span))
            }
            ExprKind::Local(id)
                if let Some((Bound::Host(v), _)) = self.work.scopes.lookup(env, *id) =>
            {
                v
            }
            ExprKind::Print(_) | ExprKind::Assert(..) => {
                self.effect(e);
                Value::Tuple(Vec::new())
            }
            _ => {
                let bound = self.bind_plain(e);
                self.bound_value(bound, e)
            }
        }
    }

    fn is_hosty(&self, e: &Expr) -> bool {
        kind::is_hosty(self.work, e, self.env)
    }

    /// One side of a choice of the host: its steps run where it is taken.
    fn side(&mut self, e: &'p Expr) -> host::Block {
        self.work.unit.values.open();
        let value = match (&e.kind, e.ty == Ty::unit()) {
            (_, true) => {
                self.effect(e);
                Value::Tuple(Vec::new())
            }
            (ExprKind::Block(block), false) => self.child().block_value(block),
            _ => self.value(e),
        };
        host::Block { steps: self.work.unit.values.close(), value }
    }

    /// The value of a block, whose statements run first. Extents of the value itself are
    /// not measured: so a call in its place stays there.
    pub(super) fn block_value(&mut self, block: &'p Block) -> Value {
        let Some(tail) = block.tail.as_deref() else {
            self.statements(&block.stmts);
            return Value::Tuple(Vec::new());
        };
        match (&tail.kind, block.stmts.as_slice()) {
            (
                ExprKind::Local(id),
                [before @ .., Stmt::Let(bound, e)]
                | [before @ .., Stmt::Let(bound, e), Stmt::Measure(_, _)],
            ) if id == bound => {
                self.statements(before);
                self.value(e)
            }
            (ExprKind::Block(inner), stmts) => {
                self.statements(stmts);
                self.child().block_value(inner)
            }
            _ => {
                self.statements(&block.stmts);
                self.value(tail)
            }
        }
    }

    fn data(&mut self, op: &HostOp, operands: &'p [Expr], e: &'p Expr) -> Value {
        match op {
            HostOp::Try => {
                // What the value needs first may fail as well.
                let block = self.side(&operands[0]);
                Value::Data(host::DataOp::Try, vec![Value::Block(Box::new(block))], e.span)
            }
            HostOp::Succeeded => self.value(&operands[0]),
            HostOp::File(call) => {
                let all = operands.iter().map(|x| self.value(x)).collect();
                let made = function::data_op(self.work, op, e).expect("the others are above");
                let value = Value::Data(made, all, self.told(e.span));
                match call.op.effect() {
                    FileEffect::None => value,
                    FileEffect::Looks | FileEffect::Changes => Value::Var(self.in_turn(value)),
                }
            }
            op => {
                let all = operands.iter().map(|x| self.value(x)).collect();
                let op = function::data_op(self.work, op, e).expect("the others are above");
                Value::Data(op, all, self.told(e.span))
            }
        }
    }

    /// Where a failure is told that happens at `span`.
    fn told(&self, span: Span) -> Span {
        self.work.told(self.env, span)
    }

    /// A value that can be shown or handed out.
    pub fn shown(&mut self, e: &'p Expr) -> Shown {
        if holds_differential(&e.ty) {
            self.work.tell(refusal::differential_as_value(e.span));
            return Shown { value: Value::Tuple(Vec::new()), look: Look::Plain };
        }
        let value = self.value(e);
        let scopes = &self.work.scopes;
        Shown { value, look: look_of(scopes.program(), e, scopes.body(self.env)) }
    }

    /// A bound value as a host expression.
    pub(super) fn bound_value(&mut self, bound: Bound<'p>, e: &Expr) -> Value {
        match bound {
            Bound::Tensor { tensor, .. } => Value::Tensor(tensor),
            Bound::Tuple(members) => {
                Value::Tuple(members.into_iter().map(|m| self.bound_value(m, e)).collect())
            }
            Bound::Host(v) => v,
            Bound::Thunk(value, env) => match (&value.kind, &value.term) {
                (ExprKind::Str(_) | ExprKind::Const(_), _) | (_, Some(_)) => {
                    self.within(env).value(value)
                }
                (ExprKind::Quotient(..), _) => Value::Tensor(self.within(env).define(value, None)),
                (ExprKind::Local(id), _) => match self.work.scopes.lookup(env, *id) {
                    Some((b, _)) => self.bound_value(b, e),
                    None => self.cannot_show(e),
                },
                _ => self.cannot_show(e),
            },
        }
    }

    fn cannot_show(&mut self, e: &Expr) -> Value {
        self.work.tell(refusal::value_of_cells(e.span));
        Value::Tuple(Vec::new())
    }

    fn piece(&mut self, p: &'p StrPart) -> Piece {
        match p {
            StrPart::Text(t) => Piece::Text(t.clone()),
            StrPart::Value(e, spec) => Piece::Value(self.shown(e), spec.as_ref().map(format)),
        }
    }

    /// The text of a differential: a value that is made in the end.
    fn source_form(&mut self, d: &'p Expr) -> Value {
        let tensor = self.define(d, None);
        let last = self.work.scopes.in_sight(self.env).map(|(id, _)| id).max();
        let unit = &mut self.work.unit;
        let var = unit.values.unknown();
        unit.derivatives.show(Wanted { tensor, var, env: self.env, last, span: d.span });
        Value::Var(var)
    }
}

/// The extents of a value, through tuples, in order.
pub(super) fn extents_of(value: Value, ty: &Ty) -> Vec<Value> {
    match ty.members() {
        Some(members) => {
            let of = |(n, ty)| extents_of(value.clone().field(n), ty);
            members.iter().enumerate().flat_map(of).collect()
        }
        None => {
            let axes = 0..ty.extents().map_or(0, <[Size]>::len);
            axes.map(|axis| Value::Extent(Box::new(value.clone()), axis)).collect()
        }
    }
}
