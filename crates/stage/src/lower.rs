//! Lowering: the value of an expression at one cell.
//!
//! A tensor-valued expression is lowered at an index, one term per axis: elementwise
//! operators, slices and calls never become tensors by themselves.

use crate::derive::By;
use crate::env::{Bound, EnvId};
use crate::frame::{Frame, Path};
use crate::members::Asked;
use crate::stager::Stager;
use weft_base::Span;
use weft_domain::Affine;
use weft_scalar::eval::Overflow;
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_sema::thir::{Expr, ExprKind, Item, LocalId, ReadId};
use weft_shape::Size;
use weft_tensor::{Expr as Node, ExprId, IndexTerm};

/// Powers up to this exponent are products.
const LARGEST_PRODUCT: i64 = 16;

impl<'p> Stager<'p> {
    /// The value of `e` at `idx`, in the frame's arena.
    pub fn lower(
        &mut self,
        e: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        match &e.kind {
            ExprKind::Const(v) => frame.exprs.constant(*v),
            ExprKind::Index(a) => {
                let term = self.term(env, a);
                self.lower_index(term, e.span, frame)
            }
            ExprKind::Local(id) => self.lower_local(*id, e, env, frame, idx),
            ExprKind::Read(read, base, items) => {
                self.lower_read(*read, base, items, e, env, frame, idx)
            }
            ExprKind::Unary(op, x) => {
                let x = self.lower(x, env, frame, idx);
                self.operate_on(*op, x, e.span, frame)
            }
            ExprKind::Binary(op, a, b) => self.lower_binary(*op, a, b, e.span, env, frame, idx),
            ExprKind::Cast(ty, x) => {
                let x = self.lower(x, env, frame, idx);
                frame.exprs.cast(*ty, x)
            }
            ExprKind::Adapted(ty, x) => {
                let literal = self.lower(x, env, frame, idx);
                self.fitted(*ty, literal, e.span, frame)
            }
            ExprKind::If(c, a, b) => {
                if let Some(value) = self.lower_switch(e, env, frame, idx) {
                    return value;
                }
                let side = &mut |stager: &mut Self, side, frame: &mut Frame<'p>| {
                    stager.lower_lifted(side, env, frame, idx)
                };
                self.lower_choice(c, [a, b], env, frame, idx, side)
            }
            ExprKind::Reduce { .. } => self.lower_reduction(e, env, frame, idx),
            ExprKind::Mean { sum, count } => self.lower_mean(sum, count, e.span, env, frame, idx),
            ExprKind::Call(call) if self.bodies.is_hosted(call.body) => {
                self.lower_host(e, env, frame, idx)
            }
            ExprKind::Call(call) => {
                let inner = self.enter_cell_call(call, env, frame, e.span);
                let block = &self.body(inner).block;
                self.lower_block(block, inner, frame, idx, e.span)
            }
            ExprKind::Field(x, n) => self.lower_member(x, &[*n], (&e.ty, env), env, frame, idx),
            ExprKind::Array(members) => self.lower_array(members, e, env, frame, idx),
            ExprKind::Block(block) => {
                let inner = self.enter_cell_block(block, env, frame, e.span);
                self.lower_block(block, inner, frame, idx, e.span)
            }
            ExprKind::Host(..) => self.lower_host(e, env, frame, idx),
            ExprKind::Quotient(d, x) => {
                let (rows, columns) = idx.split_at(d.ty.extents().map_or(0, <[Size]>::len));
                let by = By { x, env, elem: self.elem(&e.ty) };
                self.lower_quotient(d, by, env, frame, rows, columns)
            }
            ExprKind::Differential(x) => self.lower_leaf(x, e, env, frame, idx),
            ExprKind::Ruled(x, d) => self.lower_ruled(x, d, e, env, frame, idx),
            ExprKind::Seeded(d) => self.lower_seeded(d, env, frame, idx),
            ExprKind::Str(_)
            | ExprKind::SourceForm(_)
            | ExprKind::Tuple(_)
            | ExprKind::Print(_)
            | ExprKind::Assert(..)
            | ExprKind::Error => unreachable!("no number: {:?}", e.span),
        }
    }

    /// The operand at `idx`, or at no index where a scalar meets a tensor.
    pub fn lower_lifted(
        &mut self,
        e: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let scalar = e.ty.extents().is_some_and(<[Size]>::is_empty);
        let idx = if scalar { &[] } else { idx };
        self.lower(e, env, frame, idx)
    }

    fn lower_local(
        &mut self,
        id: LocalId,
        e: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        if let Some(term) = &e.term {
            // An integer known as a term: its value in its own type.
            let elem = self.elem(&e.ty);
            let term = self.term(env, term);
            let term = if self.overflow == Overflow::Wrap { wrapped(elem, term) } else { term };
            let index = self.lower_index(term, e.span, frame);
            return self.fitted(elem, index, e.span, frame);
        }
        let Some((bound, home)) = self.lookup(env, id) else {
            unreachable!("a name without a value: {:?}", e.span);
        };
        let key = (home, id, idx.to_vec());
        frame.once(key, |frame| self.lower_bound(&bound, (&e.ty, env), frame, idx))
    }

    /// What a name stands for, at a cell.
    pub fn lower_bound(
        &mut self,
        bound: &Bound<'p>,
        asked: Asked<'_>,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        match bound {
            Bound::Tensor { tensor, outer } => {
                let mut index: Vec<IndexTerm> =
                    outer.iter().cloned().map(IndexTerm::Affine).collect();
                index.extend(idx.iter().cloned());
                let elem = self.graph().tensors[*tensor].elem;
                frame.exprs.add(Node::Read { tensor: *tensor, index, site: None }, elem)
            }
            Bound::Thunk(value, env) => self.lower(value, *env, frame, idx),
            Bound::Host(value) => self.read_source(value.clone(), asked, frame, idx),
            Bound::Tuple(_) => unreachable!("a tuple is no number: {:?}", asked.0),
        }
    }

    #[allow(clippy::too_many_arguments, reason = "a read has these parts")]
    fn lower_read(
        &mut self,
        read: ReadId,
        base: &'p Expr,
        items: &'p [Item],
        e: &Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let mut index = Vec::new();
        let mut rest = idx.iter().cloned();
        for item in items {
            index.push(match item {
                Item::At(a) => IndexTerm::Affine(self.term(env, a)),
                Item::Data(x) => IndexTerm::Data(self.lower(x, env, frame, &[])),
                Item::Range(lo, _) => {
                    let lo = self.term(env, lo);
                    let at = rest.next().expect("one index per axis");
                    shifted(at, &lo, frame)
                }
            });
        }
        index.extend(rest);
        let checked = self.body(env).reads[read].checked;
        if let ExprKind::Local(id) = base.kind
            && let Some((Bound::Tensor { tensor, outer }, _)) = self.lookup(env, id)
        {
            let site = checked.then(|| self.site(e.span, "index out of range"));
            let outer = outer.into_iter().map(IndexTerm::Affine);
            let index = outer.chain(index).collect();
            let elem = self.graph().tensors[tensor].elem;
            return frame.exprs.add(Node::Read { tensor, index, site }, elem);
        }
        let value = self.lower(base, env, frame, &index);
        if !checked {
            return value;
        }
        let extents = self.shape(env, &base.ty);
        self.checked_index(value, &index[..items.len()], &extents, e.span, frame)
    }

    /// `value`, once every index is found inside its extent: reads of what is no tensor.
    pub fn checked_index(
        &mut self,
        value: ExprId,
        index: &[IndexTerm],
        extents: &[Size],
        span: Span,
        frame: &mut Frame<'p>,
    ) -> ExprId {
        let mut value = value;
        for (term, extent) in index.iter().zip(extents) {
            let at = index_value(term, frame);
            let zero = frame.exprs.index(Affine::fixed(0));
            let end = frame.exprs.index(Affine::fixed(extent.clone()));
            let low = frame.exprs.binary(BinaryOp::Ge, at, zero);
            let high = frame.exprs.binary(BinaryOp::Lt, at, end);
            let condition = frame.exprs.binary(BinaryOp::And, low, high);
            let site = self.site(span, "index out of range");
            let ty = frame.exprs.ty(value);
            value = frame.exprs.add(Node::Check { condition, value, site }, ty);
        }
        value
    }

    #[allow(clippy::too_many_arguments, reason = "an operator has these parts")]
    fn lower_binary(
        &mut self,
        op: BinaryOp,
        a: &'p Expr,
        b: &'p Expr,
        span: Span,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let x = self.lower_lifted(a, env, frame, idx);
        if op == BinaryOp::Pow
            && let Some(n) = small_exponent(b)
        {
            return self.power(x, n, span, frame);
        }
        let y = self.lower_lifted(b, env, frame, idx);
        self.operate(op, (x, y), span, frame)
    }

    /// `x` to a small power, by repeated squaring.
    fn power(&mut self, x: ExprId, n: i64, span: Span, frame: &mut Frame<'p>) -> ExprId {
        let ty: ScalarType = frame.exprs.ty(x);
        let mut result: Option<ExprId> = None;
        let mut square = x;
        let mut left = n;
        while left > 0 {
            if left & 1 == 1 {
                result = Some(match result {
                    Some(r) => self.operate(BinaryOp::Mul, (r, square), span, frame),
                    None => square,
                });
            }
            left >>= 1;
            if left > 0 {
                square = self.operate(BinaryOp::Mul, (square, square), span, frame);
            }
        }
        result.unwrap_or_else(|| frame.exprs.constant(Scalar::one(ty)))
    }

    /// A choice by `c` between two sides, of which `lower` takes what is asked for.
    pub fn lower_choice(
        &mut self,
        c: &'p Expr,
        [a, b]: [&'p Expr; 2],
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
        lower: &mut dyn FnMut(&mut Self, &'p Expr, &mut Frame<'p>) -> ExprId,
    ) -> ExprId {
        let scalar = c.ty.rank() == Some(0);
        let cond = self.lower_lifted(c, env, frame, idx);
        if let Node::Const(Scalar::Bool(known)) = frame.exprs.get(cond) {
            let taken = if *known { a } else { b };
            return lower(self, taken, frame);
        }
        let entry = |holds| if scalar { Path::Expr(c, env, holds) } else { Path::Local };
        let depth = frame.path.len();
        frame.path.push(entry(true));
        let then = lower(self, a, frame);
        frame.leave(depth);
        frame.path.push(entry(false));
        let other = lower(self, b, frame);
        frame.leave(depth);
        frame.exprs.if_else(cond, then, other)
    }

    fn lower_mean(
        &mut self,
        sum: &'p Expr,
        count: &'p Expr,
        span: Span,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let total = self.lower(sum, env, frame, idx);
        let ty = frame.exprs.ty(total);
        let number = match self.point_count(count, env) {
            Some(n) => {
                let n = frame.exprs.index(Affine::fixed(n));
                frame.exprs.cast(ty, n)
            }
            None => self.lower(count, env, frame, &[]),
        };
        let zero = frame.exprs.constant(Scalar::zero(ty));
        let quotient = frame.exprs.binary(BinaryOp::Div, total, number);
        let condition = frame.exprs.binary(BinaryOp::Ne, number, zero);
        let site = self.site(span, "the mean of nothing");
        frame.exprs.add(Node::Check { condition, value: quotient, site }, ty)
    }

    /// The number of points of an unguarded reduction over a box.
    pub fn point_count(&self, count: &Expr, env: EnvId) -> Option<Size> {
        let ExprKind::Reduce { iters, guards, .. } = &count.kind else { return None };
        if !guards.is_empty() {
            return None;
        }
        let mut product = Size::from(1);
        for i in iters {
            let (lo, hi) = self.body(env).iters[*i].range.as_ref()?;
            let (lo, hi) = (self.size(env, lo.as_size()?), self.size(env, hi.as_size()?));
            let n = hi.minus(&lo);
            let n = match self.unit.out.graph.facts.non_negative(&n) {
                weft_shape::Verdict::Yes => n,
                _ => n.larger(&0.into()),
            };
            product = product.times(&n);
        }
        Some(product)
    }

    /// Elements side by side: a constant tensor, or a choice by the first index.
    fn lower_array(
        &mut self,
        members: &'p [Expr],
        e: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        if let Some(tensor) = self.constant_array(e) {
            let elem = self.elem(&e.ty);
            return frame.exprs.add(Node::Read { tensor, index: idx.to_vec(), site: None }, elem);
        }
        let (first, rest) = idx.split_first().expect("an array has an axis");
        let fixed = first.as_affine().and_then(Affine::as_constant);
        if let Some(at) = fixed.and_then(|n| usize::try_from(n).ok()).filter(|n| *n < members.len())
        {
            return self.lower(&members[at], env, frame, rest);
        }
        let at = index_value(first, frame);
        let (last, before) = members.split_last().expect("arrays are not empty");
        let depth = frame.path.len();
        frame.path.push(Path::Local);
        let mut value = self.lower(last, env, frame, rest);
        for (n, m) in before.iter().enumerate().rev() {
            let this = self.lower(m, env, frame, rest);
            let n = frame.exprs.index(Affine::fixed(n as i64));
            let condition = frame.exprs.binary(BinaryOp::Eq, at, n);
            value = frame.exprs.if_else(condition, this, value);
        }
        frame.leave(depth);
        value
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
fn index_value(term: &IndexTerm, frame: &mut Frame<'_>) -> ExprId {
    match term {
        IndexTerm::Affine(a) => frame.exprs.index(a.clone()),
        IndexTerm::Data(e) => *e,
        IndexTerm::Piecewise(_) => unreachable!("no coproducts are lowered yet"),
    }
}

fn shifted(at: IndexTerm, lo: &Affine, frame: &mut Frame<'_>) -> IndexTerm {
    match at {
        IndexTerm::Affine(a) => match a.plus(lo) {
            Some(sum) => IndexTerm::Affine(sum),
            None => unreachable!("a range's start has no iterators"),
        },
        IndexTerm::Data(e) => {
            let lo = frame.exprs.index(lo.clone());
            IndexTerm::Data(frame.exprs.binary(BinaryOp::Add, e, lo))
        }
        IndexTerm::Piecewise(_) => unreachable!("no coproducts are lowered yet"),
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
