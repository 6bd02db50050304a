//! Lowering: the value of an expression at one cell.
//!
//! A tensor-valued expression is lowered at an index, one term per axis: elementwise
//! operators, slices and calls never become tensors by themselves.

pub(crate) mod block;
pub(crate) mod differential;
pub(crate) mod member;
mod switch;

use crate::frame::{Frame, Place};
use crate::known::mask::{gather_conditions, is_mask, is_product};
use crate::known::types::elem_of;
use crate::lift::Lifting;
use crate::lift::reduction::Reduced;
use crate::scope::path::Path;
use crate::scope::{Bound, EnvId};
use crate::unit::arithmetic::LARGEST_PRODUCT;
use crate::work::Work;
use weft_base::Span;
use weft_domain::Affine;
use weft_host::Value;
use weft_scalar::eval::Overflow;
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_sema::thir::{Expr, ExprKind, Item, LocalId, ReadId, Ty};
use weft_shape::Size;
use weft_tensor::{Expr as Node, ExprId, Exprs, IndexTerm};

/// What type a value has that is asked for, in what environment.
pub(crate) type Asked<'t> = (&'t Ty, EnvId);

/// A cell of an assignment under construction: where expressions become nodes of its arena.
pub(crate) struct Cell<'a, 'p> {
    work: &'a mut Work<'p>,
    /// What names stand for.
    env: EnvId,
    frame: &'a mut Frame<'p>,
}

impl<'a, 'p> Cell<'a, 'p> {
    /// A cell of a frame, where names are those of an environment.
    pub fn new(work: &'a mut Work<'p>, env: EnvId, frame: &'a mut Frame<'p>) -> Self {
        Cell { work, env, frame }
    }

    /// The same cell, with the names of another environment.
    pub fn within(&mut self, env: EnvId) -> Cell<'_, 'p> {
        Cell { work: &mut *self.work, env, frame: &mut *self.frame }
    }

    /// What is lifted out of the cell, where it depends on what `e` does.
    fn lifting(&mut self, e: &Expr) -> Lifting<'_, 'p> {
        let depends = self.work.scopes.depends(e, self.env);
        Lifting::out_of(&mut *self.work, self.env, &mut *self.frame, depends, e.span)
    }

    /// A reduction that is looked at.
    fn reduced(&mut self, e: &'p Expr) -> Reduced<'_, 'p> {
        Reduced { work: &mut *self.work, env: self.env, frame: &mut *self.frame, e }
    }

    /// What `make` gives where conditions are on the path.
    fn under<T>(
        &mut self,
        path: impl IntoIterator<Item = Path<'p>>,
        make: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let depth = self.frame.path.len();
        self.frame.path.extend(path);
        let made = make(self);
        self.frame.leave(depth);
        made
    }

    /// The value of `e` at `idx`, in the frame's arena.
    pub fn lower(&mut self, e: &'p Expr, idx: &[IndexTerm]) -> ExprId {
        match &e.kind {
            ExprKind::Const(v) => self.frame.exprs.constant(*v),
            ExprKind::Index(a) => {
                let term = self.work.scopes.term(self.env, a);
                self.index(term, e.span)
            }
            ExprKind::Local(id) => self.local(*id, e, idx),
            ExprKind::Read(read, base, items) => self.read(*read, base, items, e.span, idx),
            ExprKind::Unary(op, x) => {
                let x = self.lower(x, idx);
                self.work.arithmetic(self.env, &mut self.frame.exprs).operate_on(*op, x, e.span)
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, [a, b], e.span, idx),
            ExprKind::Cast(ty, x) => {
                let x = self.lower(x, idx);
                self.frame.exprs.cast(*ty, x)
            }
            ExprKind::Adapted(ty, x) => {
                let literal = self.lower(x, idx);
                self.fitted(*ty, literal, e.span)
            }
            ExprKind::If(c, a, b) => {
                if let Some(value) = self.switch(e, idx) {
                    return value;
                }
                self.choice(c, [a, b], idx, &mut |cell, side| cell.lower_lifted(side, idx))
            }
            ExprKind::Reduce { .. } => self.reduced(e).at(idx),
            ExprKind::Mean(sum) => self.mean(sum, e.span, idx),
            ExprKind::Call(call) if self.work.bodies.is_hosted(call.body) => self.host(e, idx),
            ExprKind::Call(call) => self.call(call, idx, e.span),
            ExprKind::Field(x, n) => {
                let asked = (&e.ty, self.env);
                self.member(x, &[*n], asked, idx)
            }
            ExprKind::Array(members) => self.array(members, e, idx),
            ExprKind::Block(block) => {
                let inner = self.enter_block(block, e.span);
                self.within(inner).block(block, idx, e.span)
            }
            ExprKind::Host(..) => self.host(e, idx),
            ExprKind::Quotient(d, x) => self.quotient(d, x, elem_of(&e.ty), idx),
            ExprKind::Differential(x) => self.leaf(x, e, idx),
            ExprKind::Ruled(x, d) => self.ruled(x, d, e, idx),
            ExprKind::Seeded(d) => self.seeded(d, idx),
            ExprKind::Str(_)
            | ExprKind::SourceForm(_)
            | ExprKind::Tuple(_)
            | ExprKind::Print(_)
            | ExprKind::Assert(..)
            | ExprKind::Error => unreachable!("no number: {:?}", e.span),
        }
    }

    /// The operand at `idx`, or at no index where a scalar meets a tensor.
    fn lower_lifted(&mut self, e: &'p Expr, idx: &[IndexTerm]) -> ExprId {
        let scalar = e.ty.extents().is_some_and(<[Size]>::is_empty);
        let idx = if scalar { &[] } else { idx };
        self.lower(e, idx)
    }

    /// An index expression as a number.
    fn index(&mut self, term: Affine, span: Span) -> ExprId {
        self.work.arithmetic(self.env, &mut self.frame.exprs).index(term, span)
    }

    /// An integer that becomes one of another type, which must hold it.
    fn fitted(&mut self, ty: ScalarType, x: ExprId, span: Span) -> ExprId {
        self.work.arithmetic(self.env, &mut self.frame.exprs).fitted(ty, x, span)
    }

    fn local(&mut self, id: LocalId, e: &'p Expr, idx: &[IndexTerm]) -> ExprId {
        if let Some(term) = &e.term {
            // An integer known as a term: its value in its own type.
            let elem = elem_of(&e.ty);
            let term = self.work.scopes.term(self.env, term);
            let wraps = self.work.unit.tensors.overflow() == Overflow::Wrap;
            let term = if wraps { wrapped(elem, term) } else { term };
            let index = self.index(term, e.span);
            return self.fitted(elem, index, e.span);
        }
        let Some((bound, home)) = self.work.scopes.lookup(self.env, id) else {
            unreachable!("a name without a value: {:?}", e.span);
        };
        let (work, env) = (&mut *self.work, self.env);
        self.frame.once((home, Place::Local(id), idx.to_vec()), |frame| {
            Cell::new(work, env, frame).bound(&bound, (&e.ty, env), idx)
        })
    }

    /// What a name stands for, at a cell.
    pub fn bound(&mut self, bound: &Bound<'p>, asked: Asked<'_>, idx: &[IndexTerm]) -> ExprId {
        match bound {
            Bound::Tensor { tensor, outer } => {
                let outer = outer.iter().cloned().map(IndexTerm::Affine);
                let index = outer.chain(idx.iter().cloned()).collect();
                let elem = self.work.elem(*tensor);
                self.frame.exprs.add(Node::Read { tensor: *tensor, index, site: None }, elem)
            }
            Bound::Thunk(value, env) => self.within(*env).lower(value, idx),
            Bound::Host(value) => self.source(value.clone(), asked, idx),
            Bound::Tuple(_) => unreachable!("a tuple is no number: {:?}", asked.0),
        }
    }

    /// A cell of a host value.
    fn source(&mut self, value: Value, (ty, env): Asked<'_>, idx: &[IndexTerm]) -> ExprId {
        let extents = self.work.scopes.shape(env, ty);
        let tensor = self.work.unit.source(value, ty, extents);
        let read = Node::Read { tensor, index: idx.to_vec(), site: None };
        self.frame.exprs.add(read, elem_of(ty))
    }

    fn read(
        &mut self,
        read: ReadId,
        base: &'p Expr,
        items: &'p [Item],
        span: Span,
        idx: &[IndexTerm],
    ) -> ExprId {
        let mut index = Vec::new();
        let mut rest = idx.iter().cloned();
        for item in items {
            index.push(match item {
                Item::At(a) => IndexTerm::Affine(self.work.scopes.term(self.env, a)),
                Item::Data(x) => IndexTerm::Data(self.lower(x, &[])),
                Item::Range(lo, _) => {
                    let lo = self.work.scopes.term(self.env, lo);
                    let at = rest.next().expect("one index per axis");
                    shifted(at, &lo, &mut self.frame.exprs)
                }
            });
        }
        index.extend(rest);
        let checked = self.work.scopes.body(self.env).reads[read].checked;
        if let ExprKind::Local(id) = base.kind
            && let Some((Bound::Tensor { tensor, outer }, _)) =
                self.work.scopes.lookup(self.env, id)
        {
            let site = checked.then(|| self.work.site(self.env, span, "index out of range"));
            let outer = outer.into_iter().map(IndexTerm::Affine);
            let index = outer.chain(index).collect();
            let elem = self.work.elem(tensor);
            return self.frame.exprs.add(Node::Read { tensor, index, site }, elem);
        }
        let value = self.lower(base, &index);
        if !checked {
            return value;
        }
        let extents = self.work.scopes.shape(self.env, &base.ty);
        self.checked_index(value, &index[..items.len()], &extents, span)
    }

    /// `value`, once every index is found inside its extent: reads of what is no tensor.
    fn checked_index(
        &mut self,
        value: ExprId,
        index: &[IndexTerm],
        extents: &[Size],
        span: Span,
    ) -> ExprId {
        let exprs = &mut self.frame.exprs;
        let mut value = value;
        for (term, extent) in index.iter().zip(extents) {
            let at = index_value(term, exprs);
            let zero = exprs.index(Affine::fixed(0));
            let end = exprs.index(Affine::fixed(extent.clone()));
            let low = exprs.binary(BinaryOp::Ge, at, zero);
            let high = exprs.binary(BinaryOp::Lt, at, end);
            let condition = exprs.binary(BinaryOp::And, low, high);
            let site = self.work.site(self.env, span, "index out of range");
            let ty = exprs.ty(value);
            value = exprs.add(Node::Check { condition, value, site }, ty);
        }
        value
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        [a, b]: [&'p Expr; 2],
        span: Span,
        idx: &[IndexTerm],
    ) -> ExprId {
        if op == BinaryOp::Mul {
            return self.multiplied([a, b], span, idx);
        }
        let x = self.lower_lifted(a, idx);
        if op == BinaryOp::Pow
            && let Some(n) = small_exponent(b)
        {
            return self.work.arithmetic(self.env, &mut self.frame.exprs).power(x, n, span);
        }
        let y = self.lower_lifted(b, idx);
        self.work.arithmetic(self.env, &mut self.frame.exprs).operate(op, (x, y), span)
    }

    /// The value of a product: truth values among its factors select ([`crate::known::mask`]).
    fn multiplied(&mut self, [a, b]: [&'p Expr; 2], span: Span, idx: &[IndexTerm]) -> ExprId {
        let mut conditions = Vec::new();
        for factor in [a, b] {
            gather_conditions(factor, &mut conditions);
        }
        let selected = match conditions.is_empty() || is_mask(a) && is_mask(b) {
            true => None,
            false => {
                let make = &mut |cell: &mut Self| cell.product([a, b], span, idx);
                self.where_all(&conditions, idx, make)
            }
        };
        selected.unwrap_or_else(|| self.plain_product([a, b], span, idx))
    }

    /// A product of numbers. Its factors that are products are looked through but once.
    fn plain_product(&mut self, [a, b]: [&'p Expr; 2], span: Span, idx: &[IndexTerm]) -> ExprId {
        let [x, y] = [a, b].map(|e| match &e.kind {
            ExprKind::Binary(BinaryOp::Mul, a, b) => self.plain_product([a, b], e.span, idx),
            _ => self.lower_lifted(e, idx),
        });
        self.work.arithmetic(self.env, &mut self.frame.exprs).operate(BinaryOp::Mul, (x, y), span)
    }

    /// What `make` gives where all conditions hold, else 0. One is asked where those before hold.
    fn where_all(
        &mut self,
        conditions: &[&'p Expr],
        idx: &[IndexTerm],
        make: &mut dyn FnMut(&mut Self) -> Option<ExprId>,
    ) -> Option<ExprId> {
        let Some((c, rest)) = conditions.split_first() else { return make(self) };
        let holds = self.lower_lifted(c, idx);
        let path = match c.ty.rank() {
            Some(0) => Path::Expr(c, self.env, true),
            _ => Path::Local,
        };
        let value = self.under([path], |cell| cell.where_all(rest, idx, make))?;
        let exprs = &mut self.frame.exprs;
        let zero = exprs.constant(Scalar::zero(exprs.ty(value)));
        Some(match exprs.get(holds) {
            Node::Const(Scalar::Bool(true)) => value,
            Node::Const(Scalar::Bool(false)) => zero,
            _ => exprs.if_else(holds, value, zero),
        })
    }

    /// The product of the other factors, in the order in which they are written.
    fn product(&mut self, [a, b]: [&'p Expr; 2], span: Span, idx: &[IndexTerm]) -> Option<ExprId> {
        match (self.other_factors(a, idx), self.other_factors(b, idx)) {
            (Some(x), Some(y)) => {
                Some(self.work.arithmetic(self.env, &mut self.frame.exprs).operate(
                    BinaryOp::Mul,
                    (x, y),
                    span,
                ))
            }
            (one, other) => one.or(other),
        }
    }

    fn other_factors(&mut self, e: &'p Expr, idx: &[IndexTerm]) -> Option<ExprId> {
        match &e.kind {
            _ if is_mask(e) => None,
            ExprKind::Binary(BinaryOp::Mul, a, b) => self.product([a, b], e.span, idx),
            ExprKind::Cast(ty, x) if is_product(x) => {
                let x = self.other_factors(x, idx)?;
                Some(self.frame.exprs.cast(*ty, x))
            }
            _ => Some(self.lower_lifted(e, idx)),
        }
    }

    /// A choice by `c` between two sides, of which `lower` takes what is asked for.
    fn choice(
        &mut self,
        c: &'p Expr,
        [a, b]: [&'p Expr; 2],
        idx: &[IndexTerm],
        lower: &mut dyn FnMut(&mut Self, &'p Expr) -> ExprId,
    ) -> ExprId {
        let scalar = c.ty.rank() == Some(0);
        let cond = self.lower_lifted(c, idx);
        if let Node::Const(Scalar::Bool(known)) = self.frame.exprs.get(cond) {
            let taken = if *known { a } else { b };
            return lower(self, taken);
        }
        let env = self.env;
        let entry = |holds| if scalar { Path::Expr(c, env, holds) } else { Path::Local };
        let then = self.under([entry(true)], |cell| lower(cell, a));
        let other = self.under([entry(false)], |cell| lower(cell, b));
        self.frame.exprs.if_else(cond, then, other)
    }

    fn mean(&mut self, sum: &'p Expr, span: Span, idx: &[IndexTerm]) -> ExprId {
        let (total, number) = match self.work.point_count(sum, self.env) {
            Some(n) => {
                let total = self.lower(sum, idx);
                let ty = self.frame.exprs.ty(total);
                let n = self.frame.exprs.index(Affine::fixed(n));
                (total, self.frame.exprs.cast(ty, n))
            }
            None => self.reduced(sum).with_count(idx),
        };
        let ty = self.frame.exprs.ty(total);
        let exprs = &mut self.frame.exprs;
        let zero = exprs.constant(Scalar::zero(ty));
        let quotient = exprs.binary(BinaryOp::Div, total, number);
        let condition = exprs.binary(BinaryOp::Ne, number, zero);
        let site = self.work.site(self.env, span, "the mean of nothing");
        exprs.add(Node::Check { condition, value: quotient, site }, ty)
    }

    /// Elements side by side: a constant tensor, or a choice by the first index.
    fn array(&mut self, members: &'p [Expr], e: &'p Expr, idx: &[IndexTerm]) -> ExprId {
        if let Some(tensor) = self.work.unit.tensors.constant_array(e) {
            let read = Node::Read { tensor, index: idx.to_vec(), site: None };
            return self.frame.exprs.add(read, elem_of(&e.ty));
        }
        let (first, rest) = idx.split_first().expect("an array has an axis");
        let fixed = first.as_affine().and_then(Affine::as_constant);
        if let Some(at) = fixed.and_then(|n| usize::try_from(n).ok()).filter(|n| *n < members.len())
        {
            return self.lower(&members[at], rest);
        }
        let at = index_value(first, &mut self.frame.exprs);
        let (last, before) = members.split_last().expect("arrays are not empty");
        self.under([Path::Local], |cell| {
            let mut value = cell.lower(last, rest);
            for (n, m) in before.iter().enumerate().rev() {
                let this = cell.lower(m, rest);
                let n = cell.frame.exprs.index(Affine::fixed(n as i64));
                let condition = cell.frame.exprs.binary(BinaryOp::Eq, at, n);
                value = cell.frame.exprs.if_else(condition, this, value);
            }
            value
        })
    }

    /// The value of a long chain of choices by one integer; none of another expression.
    fn switch(&mut self, e: &'p Expr, idx: &[IndexTerm]) -> Option<ExprId> {
        let chain = switch::chain_of(e)?;
        let ty = elem_of(&chain.subject.ty);
        let subject = self.lower(chain.subject, &[]);
        let segments = switch::segments_of(&chain.arms, ty);
        let env = self.env;
        let others = chain.arms.iter().map(|a| Path::Expr(a.condition, env, false));
        let otherwise = self.under(others, |cell| cell.lower_lifted(chain.otherwise, idx));
        let (tensors, exprs) = (&mut self.work.unit.tensors, &mut self.frame.exprs);
        if let Some(found) = chain.read_table(&segments, subject, otherwise, tensors, exprs) {
            return Some(found);
        }
        let mut values = Vec::new();
        for arm in &chain.arms {
            let taken = Path::Expr(arm.condition, env, true);
            values.push(self.under([taken], |cell| cell.lower_lifted(arm.value, idx)));
        }
        let value = |s: &switch::Segment| s.arm.map_or(otherwise, |n| values[n]);
        Some(switch::halved(&segments, &value, subject, ty, &mut self.frame.exprs))
    }
}

/// An integer term as a value of its type, where arithmetic on `i32` wraps: terms do not.
fn wrapped(elem: ScalarType, term: Affine) -> Affine {
    let simple = term.as_size().is_none_or(|s| s.as_param().is_some() || s.as_constant().is_some());
    if elem != ScalarType::I32 || simple {
        return term;
    }
    let half = Size::from(1 << 31);
    term.plus_size(&half).modulo(&half.scaled(2)).plus_size(&half.scaled(-1))
}

/// The text of a string without values in it.
pub(crate) fn plain_text(e: &Expr) -> Option<String> {
    use weft_sema::thir::StrPart;
    let ExprKind::Str(parts) = &e.kind else { return None };
    parts
        .iter()
        .map(|p| match p {
            StrPart::Text(t) => Some(t.as_str()),
            StrPart::Value(..) => None,
        })
        .collect()
}

/// An index as an `i64` value.
fn index_value(term: &IndexTerm, exprs: &mut Exprs) -> ExprId {
    match term {
        IndexTerm::Affine(a) => exprs.index(a.clone()),
        IndexTerm::Data(e) => *e,
    }
}

fn shifted(at: IndexTerm, lo: &Affine, exprs: &mut Exprs) -> IndexTerm {
    match at {
        IndexTerm::Affine(a) => match a.plus(lo) {
            Some(sum) => IndexTerm::Affine(sum),
            None => unreachable!("a range's start has no iterators"),
        },
        IndexTerm::Data(e) => {
            let lo = exprs.index(lo.clone());
            IndexTerm::Data(exprs.binary(BinaryOp::Add, e, lo))
        }
    }
}

/// A constant whole exponent that becomes a product.
fn small_exponent(b: &Expr) -> Option<i64> {
    let ExprKind::Const(v) = b.kind else { return None };
    let n = match v.as_f64() {
        Some(x) if x.fract() == 0.0 => x as i64,
        Some(_) => return None,
        None => v.as_i64()?,
    };
    (0..=LARGEST_PRODUCT).contains(&n).then_some(n)
}
