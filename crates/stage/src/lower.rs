//! Lowering: the value of an expression at one cell.
//!
//! A tensor-valued expression is lowered at an index, one term per axis: elementwise
//! operators, slices and calls never become tensors by themselves.

use crate::derive::By;
use crate::env::{Bound, EnvId};
use crate::frame::{Frame, Path};
use crate::stager::Stager;
use weft_base::Span;
use weft_domain::Affine;
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_sema::hir::{Block, BodyId, Call, Expr, ExprKind, Item, LocalId, ReadId, Stmt};
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
                let value = frame.exprs.unary(*op, x);
                self.negation_in_range(*op, x, value, e.span, frame)
            }
            ExprKind::Binary(op, a, b) => self.lower_binary(*op, a, b, e.span, env, frame, idx),
            ExprKind::Cast(ty, x) => {
                let narrow = self.lower(x, env, frame, idx);
                let value = frame.exprs.cast(*ty, narrow);
                match x.span == e.span {
                    true => self.adapted_in_range(narrow, value, e.span, frame),
                    false => value,
                }
            }
            ExprKind::If(c, a, b) => {
                let side = &mut |stager: &mut Self, side, frame: &mut Frame<'p>| {
                    stager.lower_lifted(side, env, frame, idx)
                };
                self.lower_choice(c, [a, b], env, frame, idx, side)
            }
            ExprKind::Reduce { .. } => self.lower_reduction(e, env, frame, idx),
            ExprKind::Mean { sum, count } => self.lower_mean(sum, count, e.span, env, frame, idx),
            ExprKind::Call(call) if self.bodies.recursive.contains(&call.body) => {
                self.lower_host(e, env, frame, idx)
            }
            ExprKind::Call(call) if self.bodies.measuring.contains(&call.body) => {
                self.lower_measuring(call, e, env, frame)
            }
            ExprKind::Call(call) => {
                let inner = self.enter_call(call, env, Some(frame));
                let block = &self.body(inner).block;
                self.lower_block(block, inner, frame, idx, e.span)
            }
            ExprKind::Field(x, n) => self.lower_field(x, *n, e, env, frame, idx),
            ExprKind::Array(members) => self.lower_array(members, e, env, frame, idx),
            ExprKind::Block(block) => {
                let inner = self.child(env);
                self.lower_block(block, inner, frame, idx, e.span)
            }
            ExprKind::Host(..) => self.lower_host(e, env, frame, idx),
            ExprKind::Quotient(d, x) => {
                let (rows, columns) = idx.split_at(d.ty.extents().map_or(0, <[Size]>::len));
                self.lower_quotient(d, By { x, env }, env, frame, rows, columns)
            }
            ExprKind::Differential(x) => self.lower_leaf(x, e, env, frame, idx),
            ExprKind::Ruled(x, d) => self.lower_ruled(x, d, e, env, frame, idx),
            ExprKind::Seeded(d) => self.lower_seeded(d, env, frame, idx),
            ExprKind::Str(_)
            | ExprKind::Tuple(_)
            | ExprKind::Print(_)
            | ExprKind::Assert(..)
            | ExprKind::Error => {
                self.unsupported(e.span, "this inside a clause");
                frame.exprs.constant(Scalar::zero(self.elem(&e.ty)))
            }
        }
    }

    /// A call of a function that finds extents while it runs: made by the host for each cell.
    fn lower_measuring(
        &mut self,
        call: &'p Call,
        e: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
    ) -> ExprId {
        if self.is_call_of_numbers(call, &e.ty) {
            let f = self.hosted_function(call.body);
            return self.lower_call_of_tensors(call, f, e, env, frame);
        }
        self.unsupported(e.span, "a call that finds extents inside a clause");
        frame.exprs.constant(Scalar::zero(self.elem(&e.ty)))
    }

    /// Host data that no index reaches: computed by the host, before the definition.
    fn lower_host(
        &mut self,
        e: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let elem = self.elem(&e.ty);
        if !self.at_host_level(e, env) {
            if let ExprKind::Call(call) = &e.kind
                && let Some((types, results)) = self.types_in_cells(call.body)
                && let [result] = results[..]
            {
                let f = self.hosted_function(call.body);
                return self.lower_call_of_scalars(call, f, (types, result), e.span, env, frame);
            }
            if let ExprKind::Call(call) = &e.kind
                && self.is_call_of_numbers(call, &e.ty)
            {
                let f = self.hosted_function(call.body);
                return self.lower_call_of_tensors(call, f, e, env, frame);
            }
            let what = match e.kind {
                ExprKind::Call(_) => "a call of this recursive function inside a clause",
                _ => "host data inside a clause",
            };
            self.unsupported(e.span, what);
            return frame.exprs.constant(Scalar::zero(elem));
        }
        let value = self.value_of(e, env);
        let var = self.unit.out.vars.push(Some(value));
        let tensor = self.source(weft_host::Value::Var(var), &e.ty, env);
        frame.exprs.add(Node::Read { tensor, index: idx.to_vec(), site: None }, elem)
    }

    /// A member of what the host computes: of a call of a recursive function of scalars for
    /// each cell, of anything else once, before the definition.
    fn lower_member_of_host(
        &mut self,
        x: &'p Expr,
        n: usize,
        at: EnvId,
        e: &'p Expr,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let elem = self.elem(&e.ty);
        if self.at_host_level(x, at) {
            let value = self.value_of(x, at);
            let whole = weft_host::Value::Var(self.unit.out.vars.push(Some(value)));
            let member = weft_host::Value::Field(Box::new(whole), n);
            let tensor = self.source(member, &e.ty, at);
            return frame.exprs.add(Node::Read { tensor, index: idx.to_vec(), site: None }, elem);
        }
        if let ExprKind::Call(call) = &x.kind
            && let Some((types, results)) = self.types_in_cells(call.body)
            && n < results.len()
        {
            let f = self.hosted_function(call.body);
            let member = self.member_function(f, n, x.span);
            let types = (types, results[n]);
            return self.lower_call_of_scalars(call, member, types, x.span, at, frame);
        }
        if let ExprKind::Call(call) = &x.kind
            && self.is_call_of_numbers(call, &e.ty)
        {
            let f = self.hosted_function(call.body);
            let member = self.member_function(f, n, x.span);
            return self.lower_call_of_tensors(call, member, e, at, frame);
        }
        if let ExprKind::If(c, a, b) = &x.kind {
            let side = &mut |stager: &mut Self, side, frame: &mut Frame<'p>| {
                stager.lower_field(side, n, e, at, frame, idx)
            };
            return self.lower_choice(c, [a, b], at, frame, &[], side);
        }
        self.unsupported(x.span, "a call of this recursive function inside a clause");
        frame.exprs.constant(Scalar::zero(elem))
    }

    /// The types of a recursive function that cells can call themselves: one of scalars, that
    /// looks at nothing else.
    fn types_in_cells(&self, body: BodyId) -> Option<(Vec<ScalarType>, Vec<ScalarType>)> {
        let scalars = !self.bodies.tensors.contains(&body);
        self.scalar_types(&self.program.bodies[body]).filter(|_| scalars)
    }

    /// A call of a recursive function of scalars, for each cell.
    fn lower_call_of_scalars(
        &mut self,
        call: &'p weft_sema::hir::Call,
        f: weft_host::FunctionId,
        (types, result): (Vec<ScalarType>, ScalarType),
        span: Span,
        env: EnvId,
        frame: &mut Frame<'p>,
    ) -> ExprId {
        self.called.push((f, span));
        let mut args = Vec::new();
        for (arg, ty) in call.args.iter().zip(types) {
            let arg = self.lower(arg, env, frame, &[]);
            args.push(frame.exprs.cast(ty, arg));
        }
        let function = weft_scalar::function::FunctionId::new(f.as_u32() as usize);
        frame.exprs.add(Node::Call { function, args }, result)
    }

    /// Whether nothing in an expression depends on an index around.
    fn at_host_level(&self, e: &Expr, env: EnvId) -> bool {
        let own = match &e.kind {
            ExprKind::Index(a) => self.is_fixed(env, a),
            ExprKind::Local(_) if e.term.is_some() => {
                e.term.as_ref().is_some_and(|t| self.is_fixed(env, t))
            }
            ExprKind::Local(id) => match self.lookup(env, *id) {
                Some((bound, _)) => self.bound_at_host_level(&bound),
                None => true,
            },
            ExprKind::Read(_, _, items) => items.iter().all(|i| match i {
                Item::At(a) => self.is_fixed(env, a),
                _ => true,
            }),
            _ => true,
        };
        let mut all = own;
        e.children(&mut |c| all = all && self.at_host_level(c, env));
        all
    }

    fn bound_at_host_level(&self, bound: &Bound<'p>) -> bool {
        match bound {
            Bound::Tensor { outer, .. } => outer.is_empty(),
            Bound::Thunk(e, env) => self.at_host_level(e, *env),
            Bound::Tuple(members) => members.iter().all(|m| self.bound_at_host_level(m)),
            Bound::Host(_) => true,
        }
    }

    /// The operand at `idx`, or at no index where a scalar meets a tensor.
    fn lower_lifted(
        &mut self,
        e: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let idx = if e.ty.rank() == Some(0) { &[] } else { idx };
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
            let term = in_range_of(elem, self.term(env, term));
            let index = frame.exprs.index(term);
            return frame.exprs.cast(elem, index);
        }
        let Some((bound, home)) = self.lookup(env, id) else {
            self.unsupported(e.span, "this use of a value");
            return frame.exprs.constant(Scalar::zero(self.elem(&e.ty)));
        };
        let key = (home, id, idx.to_vec());
        frame.once(key, |frame| self.lower_bound(&bound, e, env, frame, idx))
    }

    fn lower_bound(
        &mut self,
        bound: &Bound<'p>,
        e: &Expr,
        env: EnvId,
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
            Bound::Host(value) => {
                let tensor = self.source(value.clone(), &e.ty, env);
                let elem = self.elem(&e.ty);
                let index = idx.to_vec();
                frame.exprs.add(Node::Read { tensor, index, site: None }, elem)
            }
            Bound::Tuple(_) => {
                self.unsupported(e.span, "a tuple here");
                frame.exprs.constant(Scalar::zero(self.elem(&e.ty)))
            }
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
    fn checked_index(
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
        let int = frame.exprs.ty(x).is_int();
        let may_trap = int && matches!(op, BinaryOp::Div | BinaryOp::Rem | BinaryOp::Pow);
        let safe =
            matches!(frame.exprs.get(y), Node::Const(v) if v.as_i64().is_some_and(|n| n > 0));
        let message = match op {
            BinaryOp::Pow => "integer power with a negative exponent",
            _ => "integer division by zero",
        };
        let site = (may_trap && !safe).then(|| self.site(span, message));
        let value = frame.exprs.binary_at(op, x, y, site);
        self.result_in_range(op, (x, y), value, span, frame)
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
                    Some(r) => self.product(r, square, span, frame),
                    None => square,
                });
            }
            left >>= 1;
            if left > 0 {
                square = self.product(square, square, span, frame);
            }
        }
        result.unwrap_or_else(|| frame.exprs.constant(Scalar::one(ty)))
    }

    fn product(&mut self, x: ExprId, y: ExprId, span: Span, frame: &mut Frame<'p>) -> ExprId {
        let value = frame.exprs.binary(BinaryOp::Mul, x, y);
        self.result_in_range(BinaryOp::Mul, (x, y), value, span, frame)
    }

    /// A choice by `c` between two sides, of which `lower` takes what is asked for.
    fn lower_choice(
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

    fn lower_field(
        &mut self,
        x: &'p Expr,
        n: usize,
        e: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        if let ExprKind::Tuple(members) = &x.kind {
            return self.lower(&members[n], env, frame, idx);
        }
        match self.bind_in_frame(x, env, frame) {
            Bound::Tuple(members) if n < members.len() => {
                self.lower_bound(&members[n], e, env, frame, idx)
            }
            Bound::Thunk(Expr { kind: ExprKind::Call(call), span, .. }, at)
                if self.bodies.measuring.contains(&call.body)
                    && !self.bodies.recursive.contains(&call.body)
                    && self.is_call_of_numbers(call, &e.ty) =>
            {
                let f = self.hosted_function(call.body);
                let member = self.member_function(f, n, *span);
                self.lower_call_of_tensors(call, member, e, at, frame)
            }
            Bound::Thunk(x, at) if let Some(block) = self.asserting_block(x) => {
                self.lower_asserted_member(x, block, n, e, at, frame, idx)
            }
            Bound::Thunk(x, at) if self.is_hosty(x, at) => {
                self.lower_member_of_host(x, n, at, e, frame, idx)
            }
            _ => {
                self.unsupported(e.span, "a member of this tuple");
                frame.exprs.constant(Scalar::zero(self.elem(&e.ty)))
            }
        }
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

    /// A block inside cell code: its definitions are lifted, its asserts guard the value.
    fn lower_block(
        &mut self,
        block: &'p Block,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
        span: Span,
    ) -> ExprId {
        let value = |stager: &mut Self, tail, frame: &mut Frame<'p>| {
            stager.lower_lifted(tail, env, frame, idx)
        };
        self.lower_under_asserts(block, env, frame, span, value)
    }

    /// What `value` makes of a block's tail, behind its statements.
    fn lower_under_asserts(
        &mut self,
        block: &'p Block,
        env: EnvId,
        frame: &mut Frame<'p>,
        span: Span,
        value: impl FnOnce(&mut Self, &'p Expr, &mut Frame<'p>) -> ExprId,
    ) -> ExprId {
        let mut asserts = Vec::new();
        for stmt in &block.stmts {
            self.cell_statement(stmt, env, frame, &mut asserts);
        }
        let Some(tail) = &block.tail else {
            self.unsupported(span, "a block without a value inside a clause");
            return frame.exprs.constant(Scalar::Bool(false));
        };
        let value = value(self, tail, frame);
        asserts.into_iter().rev().fold(value, |value, (condition, site)| {
            let ty = frame.exprs.ty(value);
            frame.exprs.add(Node::Check { condition, value, site }, ty)
        })
    }

    fn cell_statement(
        &mut self,
        stmt: &'p Stmt,
        env: EnvId,
        frame: &mut Frame<'p>,
        asserts: &mut Vec<(ExprId, weft_tensor::SiteId)>,
    ) {
        match stmt {
            Stmt::Let(id, e) => {
                let bound = match self.body(env).locals[*id].differentiated {
                    true => self.differentiable(*id, e, env, env, Some(frame)),
                    false => self.bind_in_frame(e, env, frame),
                };
                self.envs[env].values.insert(*id, bound);
            }
            Stmt::Tensors(definitions) => self.define_group(definitions, env, Some(frame)),
            Stmt::Check(check) => self.emit_check(check, env),
            Stmt::Define(p, e) => {
                self.unsupported(e.span, "an extent computed inside a clause");
                self.envs[env].sizes.insert(*p, Size::from(0));
            }
            Stmt::Measure(id, params) => {
                let span = self.body(env).locals[*id].span;
                self.unsupported(span, "host data inside a clause");
                let none = params.iter().map(|p| (*p, Size::from(0)));
                self.envs[env].sizes.extend(none);
            }
            Stmt::Expr(e) => match &e.kind {
                ExprKind::Assert(c, message) => {
                    let text = message.as_deref().and_then(plain_text);
                    let text = text
                        .map_or("assertion failed".into(), |t| format!("assertion failed: {t}"));
                    let site = self.site(e.span, text);
                    let condition = self.lower(c, env, frame, &[]);
                    asserts.push((condition, site));
                }
                ExprKind::Print(_) => {
                    let d = weft_diag::Diagnostic::error(
                        weft_diag::Code::E1107,
                        "`print` inside a clause",
                    )
                    .primary(e.span, "cells are computed in no particular order");
                    self.diagnostics.push(d);
                }
                _ => {}
            },
        }
    }

    /// A value named inside cell code: evaluated where it is used.
    pub fn bind_in_frame(&mut self, e: &'p Expr, env: EnvId, frame: &mut Frame<'p>) -> Bound<'p> {
        match &e.kind {
            ExprKind::Tuple(members) => {
                Bound::Tuple(members.iter().map(|m| self.bind_in_frame(m, env, frame)).collect())
            }
            ExprKind::Call(call)
                if self.bodies.recursive.contains(&call.body)
                    || self.bodies.measuring.contains(&call.body) =>
            {
                Bound::Thunk(e, env)
            }
            _ if self.asserting_block(e).is_some() => Bound::Thunk(e, env),
            ExprKind::Call(call) if e.ty.members().is_some() => {
                let inner = self.enter_call(call, env, Some(frame));
                let block = &self.body(inner).block;
                self.bind_block(block, inner, frame)
            }
            ExprKind::Block(block) if e.ty.members().is_some() => {
                let inner = self.child(env);
                self.bind_block(block, inner, frame)
            }
            ExprKind::Local(id) if e.term.is_none() => match self.lookup(env, *id) {
                Some((Bound::Thunk(value, at), _)) if value.ty.members().is_some() => {
                    self.bind_in_frame(value, at, frame)
                }
                Some((bound, _)) => bound,
                None => Bound::Thunk(e, env),
            },
            ExprKind::Field(x, n) => match self.bind_in_frame(x, env, frame) {
                Bound::Tuple(mut members) if *n < members.len() => members.swap_remove(*n),
                _ => Bound::Thunk(e, env),
            },
            _ => Bound::Thunk(e, env),
        }
    }

    fn bind_block(&mut self, block: &'p Block, env: EnvId, frame: &mut Frame<'p>) -> Bound<'p> {
        for stmt in &block.stmts {
            self.cell_statement(stmt, env, frame, &mut Vec::new());
        }
        match &block.tail {
            Some(tail) => self.bind_in_frame(tail, env, frame),
            None => Bound::Tuple(Vec::new()),
        }
    }

    /// The block of a tuple beside which something is asserted: each member is had under the
    /// assertions, which hold wherever one is looked at.
    fn asserting_block(&self, e: &'p Expr) -> Option<&'p Block> {
        let program: &'p weft_sema::hir::Program = self.program;
        let block = match &e.kind {
            ExprKind::Block(block) => block,
            ExprKind::Call(call) => &program.bodies[call.body].block,
            _ => return None,
        };
        let asserts = |s: &Stmt| matches!(s, Stmt::Expr(x) if is_assertion(x));
        (e.ty.members().is_some() && block.stmts.iter().any(asserts)).then_some(block)
    }

    /// A member of what such a block gives.
    #[allow(clippy::too_many_arguments, reason = "a member has these parts")]
    fn lower_asserted_member(
        &mut self,
        x: &'p Expr,
        block: &'p Block,
        n: usize,
        e: &'p Expr,
        env: EnvId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let inner = match &x.kind {
            ExprKind::Call(call) => self.enter_call(call, env, Some(frame)),
            _ => self.child(env),
        };
        let member = |stager: &mut Self, tail, frame: &mut Frame<'p>| {
            stager.lower_field(tail, n, e, inner, frame, idx)
        };
        self.lower_under_asserts(block, inner, frame, x.span, member)
    }
}

fn is_assertion(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Assert(..))
}

/// An integer term as a value of its type: arithmetic on `i32` wraps, terms do not.
fn in_range_of(elem: ScalarType, term: Affine) -> Affine {
    let simple = term.as_size().is_none_or(|s| s.as_param().is_some() || s.as_constant().is_some());
    if elem != ScalarType::I32 || simple {
        return term;
    }
    let half = Size::from(1 << 31);
    term.plus_size(&half).modulo(&half.scaled(2)).plus_size(&half.scaled(-1))
}

/// The text of a string without values in it.
pub(crate) fn plain_text(e: &Expr) -> Option<String> {
    use weft_sema::hir::StrPart;
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
