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

use super::{Lifting, draft, repeat_path};
use crate::cell::{Asked, Cell};
use crate::frame::Frame;
use crate::host::{Host, format, function};
use crate::known::look::look;
use crate::refusal;
use crate::scope::path::Path;
use crate::scope::{Bound, EnvId};
use crate::unit::assemble::Draft;
use crate::unit::lifts::Lifted;
use crate::work::Work;
use std::collections::BTreeSet;
use weft_base::Span;
use weft_domain::Iter;
use weft_host::{self as host, DataOp, Look, Piece, Shown, Step, Value, VarId};
use weft_scalar::{Scalar, ScalarType};
use weft_sema::thir::{Block, Expr, ExprKind, Stmt, StrPart, Ty};

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

impl<'p> Lifting<'_, 'p> {
    /// The tensor of the numbers that the host makes of an expression: of the members that
    /// `path` leads to.
    pub fn by_the_host(mut self, e: &'p Expr, path: &[usize], elem: ScalarType) -> Lifted {
        let mut key = self.key(e, Some(elem));
        key.3 += &format!("{path:?}");
        self.once(key, |this| this.table(e, path, elem))
    }

    fn table(&mut self, e: &'p Expr, path: &[usize], elem: ScalarType) -> Lifted {
        let mut inside = self.around.nested();
        let mut outline = Outline::default();
        let (work, env) = (&mut *self.work, self.env);
        let mut outliner = Outliner { work, env, frame: &mut inside, out: &mut outline };
        let value = match outliner.work.at_host_level(e, env) {
            true => outliner.value(e),
            false => outliner.parts(e),
        };
        let value = path.iter().fold(value, |v, n| v.field(*n));
        let value = match e.ty == Ty::unit() {
            true => ran(&mut outline.body, value),
            false => value,
        };
        outline.body.result = Some(Shown { value, look: Look::Plain });
        let mask = self.mask();
        let Outline { body, cells, shared } = outline;
        let (vars, mut drafts): (Vec<VarId>, Vec<Draft<'p>>) = cells.into_iter().unzip();
        let (more, shared): (Vec<VarId>, Vec<Value>) = shared.into_iter().unzip();
        drafts.insert(0, mask);
        let given = vars.len();
        let args = vars.into_iter().chain(more).collect();
        let function = host::Function { name: None, args, scalars: None, body };
        let function = self.work.functions.add(function);
        self.filled(DataOp::Cells { function, elem, given }, elem, drafts, shared, e.span)
    }

    /// A tensor that the host fills, over the indices that its operands depend on.
    fn filled(
        &mut self,
        op: DataOp,
        elem: ScalarType,
        drafts: Vec<Draft<'p>>,
        shared: Vec<Value>,
        span: Span,
    ) -> Lifted {
        let kept: BTreeSet<Iter> = drafts.iter().flat_map(Draft::needs).collect();
        let outer: Vec<Iter> =
            self.around.iters().into_iter().filter(|i| kept.contains(i)).collect();
        let unit = &mut self.work.unit;
        let (axes, cells) = unit.tensors.axes_over(&self.around.space, &outer);
        let tensors = drafts.into_iter().map(|d| d.over(&outer, span, &mut unit.tensors));
        let operands = tensors.map(Value::Tensor).chain(shared).collect();
        let value = Value::Data(op, operands, span);
        let tensor = unit.tensors.input(None, Some(span), elem, axes);
        unit.values.give(tensor, value);
        Lifted { tensor, outer: cells }
    }

    /// Where the path is taken.
    fn mask(&mut self) -> Draft<'p> {
        let mut frame = self.around.nested();
        let conditions = repeat_path(self.work, &mut frame);
        let taken = frame.conjunction(&conditions);
        let value = taken.unwrap_or_else(|| frame.exprs.constant(Scalar::Bool(true)));
        Draft { frame, axes: Vec::new(), value }
    }
}

/// A walk over what becomes a function of the host.
struct Outliner<'a, 'p> {
    work: &'a mut Work<'p>,
    env: EnvId,
    /// The path so far.
    frame: &'a mut Frame<'p>,
    out: &'a mut Outline<'p>,
}

impl<'p> Outliner<'_, 'p> {
    fn within(&mut self, env: EnvId) -> Outliner<'_, 'p> {
        Outliner { work: &mut *self.work, env, frame: &mut *self.frame, out: &mut *self.out }
    }

    fn cell(&mut self) -> Cell<'_, 'p> {
        Cell::new(self.work, self.env, self.frame)
    }

    /// A part of what is outlined: a number is computed by cells, and what reaches no index
    /// once.
    fn value(&mut self, e: &'p Expr) -> Value {
        if self.work.at_host_level(e, self.env) {
            let value = Host::new(self.work, self.env).value(e);
            return self.out.share(value);
        }
        match &e.ty {
            Ty::Array(..) => self.of_cells(&Bound::Thunk(e, self.env), (&e.ty, self.env)),
            _ => self.parts(e),
        }
    }

    fn of_cells(&mut self, bound: &Bound<'p>, asked: Asked<'_>) -> Value {
        let draft = draft(self.work, bound, asked, self.frame);
        self.out.cell(draft)
    }

    fn all(&mut self, xs: &'p [Expr]) -> Vec<Value> {
        xs.iter().map(|x| self.value(x)).collect()
    }

    fn parts(&mut self, e: &'p Expr) -> Value {
        match &e.kind {
            ExprKind::Host(op, xs) if let Some(op) = function::data_op(self.work, op, e) => {
                Value::Data(op, self.all(xs), e.span)
            }
            ExprKind::Call(call) if self.work.bodies.is_hosted(call.body) => {
                let f = function::of(self.work, call.body);
                Value::Call(f, self.all(&call.args), e.span)
            }
            ExprKind::Tuple(members) => Value::Tuple(self.all(members)),
            ExprKind::Call(call) => {
                let inner = self.cell().enter(call, e.span);
                let block = &self.work.scopes.body(inner).block;
                self.within(inner).block(block)
            }
            ExprKind::Block(block) => {
                let inner = self.work.scopes.child(self.env);
                self.within(inner).block(block)
            }
            ExprKind::If(c, a, b) => {
                let condition = self.value(c);
                let [a, b] = [(a, true), (b, false)].map(|(side, holds)| self.side(c, holds, side));
                Value::If(Box::new(condition), a, b)
            }
            ExprKind::Str(parts) => Value::Text(parts.iter().map(|p| self.piece(p)).collect()),
            ExprKind::Local(_) | ExprKind::Field(..) => match (self.cell().bind(e), &e.kind) {
                (Bound::Thunk(same, at), ExprKind::Field(x, n)) if std::ptr::eq(same, e) => {
                    self.within(at).value(x).field(*n)
                }
                (Bound::Thunk(same, _), _) if std::ptr::eq(same, e) => {
                    unreachable!("a name without a value: {:?}", e.span)
                }
                (bound, _) => self.bound(&bound, &e.ty),
            },
            _ => {
                self.work.tell(refusal::host_data_of_cells(e.span));
                Value::Tuple(Vec::new())
            }
        }
    }

    fn side(&mut self, c: &'p Expr, holds: bool, side: &'p Expr) -> Box<host::Block> {
        let depth = self.frame.path.len();
        self.frame.path.push(Path::Expr(c, self.env, holds));
        let value = self.value(side);
        self.frame.leave(depth);
        Box::new(host::Block { steps: Vec::new(), value })
    }

    fn bound(&mut self, bound: &Bound<'p>, ty: &Ty) -> Value {
        match bound {
            Bound::Host(value) => self.out.share(value.clone()),
            Bound::Thunk(e, env) => self.within(*env).value(e),
            Bound::Tensor { tensor, outer } if outer.is_empty() => {
                self.out.share(Value::Tensor(*tensor))
            }
            Bound::Tensor { .. } => self.of_cells(bound, (ty, self.env)),
            Bound::Tuple(members) => {
                let types = ty.members().unwrap_or_default();
                Value::Tuple(members.iter().zip(types).map(|(m, ty)| self.bound(m, ty)).collect())
            }
        }
    }

    fn block(&mut self, block: &'p Block) -> Value {
        let mut steps = Vec::new();
        for stmt in &block.stmts {
            match stmt {
                Stmt::Expr(Expr { kind: ExprKind::Assert(c, message), span, .. }) => {
                    let condition = self.value(c);
                    let message = message.as_deref().map(|m| self.shown(m));
                    let called = self.work.scopes.call_of_program(self.env);
                    steps.push(Step::Assert { condition, message, span: *span, called });
                }
                Stmt::Expr(e) if self.work.bodies.has_effects(e) => {
                    let value = self.parts(e);
                    steps.push(Step::Run(self.out.body.vars.push(Some(value))));
                }
                _ => {
                    self.cell().bind_statement(stmt);
                    self.cell().statement_effect(stmt, &mut Vec::new());
                }
            }
        }
        let value = match &block.tail {
            Some(tail) => self.value(tail),
            None => Value::Tuple(Vec::new()),
        };
        Value::Block(Box::new(host::Block { steps, value }))
    }

    fn shown(&mut self, e: &'p Expr) -> Shown {
        Shown { value: self.value(e), look: look(self.work.scopes.program(), &e.ty) }
    }

    fn piece(&mut self, p: &'p StrPart) -> Piece {
        match p {
            StrPart::Text(t) => Piece::Text(t.clone()),
            StrPart::Value(e, spec) => Piece::Value(self.shown(e), spec.as_ref().map(format)),
        }
    }
}

/// `true`, once a value was computed.
fn ran(body: &mut host::Program, value: Value) -> Value {
    let var = body.vars.push(Some(value));
    let value = Value::Const(Scalar::Bool(true));
    Value::Block(Box::new(host::Block { steps: vec![Step::Run(var)], value }))
}
