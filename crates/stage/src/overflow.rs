//! Integers that leave their types as failures (`--check-overflow`).
//!
//! The same arithmetic in `f64` tells whether an integer wrapped
//! ([`near`](weft_scalar::eval::near)); a check of the graph compares the two. Nothing behind
//! staging knows of it. Without the option nothing here adds a node.

use crate::env::EnvId;
use crate::frame::Frame;
use crate::stager::Stager;
use weft_base::Span;
use weft_domain::Affine;
use weft_scalar::eval::{self, OVERFLOW, Overflow};
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};
use weft_sema::hir::Expr;
use weft_shape::{Atom, Size};
use weft_tensor::{Accumulator, Expr as Node, ExprId, IndexTerm};

impl<'p> Stager<'p> {
    fn checks(&self, ty: ScalarType) -> bool {
        self.overflow == Overflow::Fails && ty.is_int()
    }

    /// `value`, which `op` gave for two integers, once it is known not to have wrapped.
    pub fn result_in_range(
        &mut self,
        op: BinaryOp,
        (x, y): (ExprId, ExprId),
        value: ExprId,
        span: Span,
        frame: &mut Frame<'p>,
    ) -> ExprId {
        let ty = frame.exprs.ty(x);
        let divides = op == BinaryOp::Div && !ty.is_signed();
        if !self.checks(ty) || !eval::may_overflow(op) || divides {
            return value;
        }
        let (x, y) = (real(x, frame), real(y, frame));
        let exact = frame.exprs.binary(op, x, y);
        self.near(exact, value, span, frame)
    }

    /// The same for operators of one integer.
    pub fn negation_in_range(
        &mut self,
        op: UnaryOp,
        x: ExprId,
        value: ExprId,
        span: Span,
        frame: &mut Frame<'p>,
    ) -> ExprId {
        if !self.checks(frame.exprs.ty(x)) || !eval::negates(op) {
            return value;
        }
        let x = real(x, frame);
        let exact = frame.exprs.unary(op, x);
        self.near(exact, value, span, frame)
    }

    /// A literal expression that adapted to another integer type, once it is known to be in
    /// the type's range. (The conversion saturates.)
    pub fn adapted_in_range(
        &mut self,
        literal: ExprId,
        value: ExprId,
        span: Span,
        frame: &mut Frame<'p>,
    ) -> ExprId {
        let (from, to) = (frame.exprs.ty(literal), frame.exprs.ty(value));
        if from == to || !from.is_int() || !self.checks(to) {
            return value;
        }
        let back = frame.exprs.cast(from, value);
        let same = frame.exprs.binary(BinaryOp::Eq, back, literal);
        self.demand(same, value, span, frame)
    }

    /// An index expression, which is in 64 bits.
    pub fn lower_index(&mut self, term: Affine, span: Span, frame: &mut Frame<'p>) -> ExprId {
        let value = frame.exprs.index(term.clone());
        if !self.checks(ScalarType::I64) || is_small(&term) {
            return value;
        }
        let exact = real_affine(&term, frame);
        self.near(exact, value, span, frame)
    }

    /// The value of a sum or product of integers, once it is known not to have wrapped.
    pub fn total_in_range(
        &mut self,
        e: &'p Expr,
        env: EnvId,
        value: ExprId,
        frame: &mut Frame<'p>,
        idx: &[IndexTerm],
    ) -> ExprId {
        let weft_sema::hir::ExprKind::Reduce { accumulator, .. } = &e.kind else { return value };
        let grows = matches!(accumulator, Accumulator::Sum | Accumulator::Prod);
        if !grows || !self.checks(frame.exprs.ty(value)) {
            return value;
        }
        let exact = self.read_reduction(e, env, Some(ScalarType::F64), frame, idx);
        self.near(exact, value, e.span, frame)
    }

    fn near(
        &mut self,
        exact: ExprId,
        wrapped: ExprId,
        span: Span,
        frame: &mut Frame<'p>,
    ) -> ExprId {
        let half = eval::half_of_range(frame.exprs.ty(wrapped));
        let wrapped_real = real(wrapped, frame);
        let off = frame.exprs.binary(BinaryOp::Sub, exact, wrapped_real);
        let off = frame.exprs.unary(UnaryOp::Abs, off);
        let half = frame.exprs.constant(Scalar::F64(half));
        let near = frame.exprs.binary(BinaryOp::Lt, off, half);
        self.demand(near, wrapped, span, frame)
    }

    fn demand(
        &mut self,
        condition: ExprId,
        value: ExprId,
        span: Span,
        frame: &mut Frame<'p>,
    ) -> ExprId {
        let site = self.site(span, OVERFLOW);
        let ty = frame.exprs.ty(value);
        frame.exprs.add(Node::Check { condition, value, site }, ty)
    }
}

/// An integer in `f64`.
fn real(x: ExprId, frame: &mut Frame<'_>) -> ExprId {
    frame.exprs.cast(ScalarType::F64, x)
}

/// Whether a term is an index times a small number and what is added to it: what memory can
/// hold does not bring that beyond 64 bits.
fn is_small(term: &Affine) -> bool {
    const SMALL: i64 = 1 << 12;
    let coefficient = |c: i64| (-SMALL..=SMALL).contains(&c);
    let offset = term.offset();
    let monomial =
        |(m, c): &(Vec<Atom>, i128)| m.len() == 1 && i64::try_from(*c).is_ok_and(coefficient);
    term.terms().iter().all(|(_, c)| coefficient(*c))
        && offset.terms().iter().all(monomial)
        && i128::from(i32::MIN) < offset.constant_term()
        && offset.constant_term() < i128::from(i32::MAX)
}

fn real_affine(term: &Affine, frame: &mut Frame<'_>) -> ExprId {
    let mut total = real_size(term.offset(), frame);
    for (dim, c) in term.terms() {
        let x = frame.exprs.index(Affine::dim(dim.clone()));
        total = add_scaled(total, real(x, frame), *c as f64, frame);
    }
    total
}

fn real_size(size: &Size, frame: &mut Frame<'_>) -> ExprId {
    let mut total = frame.exprs.constant(Scalar::F64(size.constant_term() as f64));
    for (monomial, c) in size.terms() {
        let one = frame.exprs.constant(Scalar::F64(1.0));
        let product = monomial.iter().fold(one, |product, atom| {
            let x = frame.exprs.index(Affine::fixed(Size::atom(atom.clone())));
            let x = real(x, frame);
            frame.exprs.binary(BinaryOp::Mul, product, x)
        });
        total = add_scaled(total, product, *c as f64, frame);
    }
    total
}

fn add_scaled(total: ExprId, x: ExprId, factor: f64, frame: &mut Frame<'_>) -> ExprId {
    let factor = frame.exprs.constant(Scalar::F64(factor));
    let term = frame.exprs.binary(BinaryOp::Mul, x, factor);
    frame.exprs.binary(BinaryOp::Add, total, term)
}
