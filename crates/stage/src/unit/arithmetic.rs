//! Arithmetic of integers: an operator with a site fails where its value leaves the type,
//! one without wraps (`--overflow wrap`, and the modular types).

use super::tensors::Tensors;
use weft_base::Span;
use weft_domain::Affine;
use weft_scalar::eval::{self, Overflow, Trap};
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};
use weft_shape::{Atom, Size, Verdict};
use weft_tensor::{Accumulator, Expr as Node, ExprId, Exprs, SiteId};

/// Powers up to this exponent are products.
pub(crate) const LARGEST_PRODUCT: i64 = 16;

/// The arithmetic of one arena.
pub(crate) struct Arithmetic<'a> {
    tensors: &'a mut Tensors,
    exprs: &'a mut Exprs,
    /// The call of the program where failures are told, inside the library.
    call: Option<Span>,
}

impl Tensors {
    /// Arithmetic in an arena.
    pub fn arithmetic<'a>(&'a mut self, exprs: &'a mut Exprs) -> Arithmetic<'a> {
        Arithmetic { tensors: self, exprs, call: None }
    }

    /// Whether integers of a type may not leave its range.
    fn traps(&self, ty: ScalarType) -> bool {
        self.overflow() == Overflow::Trap && eval::is_bounded(ty)
    }

    /// How the values of a reduction in the source combine.
    pub fn accumulator_at(&mut self, a: Accumulator, ty: ScalarType, span: Span) -> Accumulator {
        match a {
            Accumulator::Sum if self.traps(ty) => {
                Accumulator::ExactSum(self.trap_site(span, Trap::Overflow))
            }
            Accumulator::Prod if self.traps(ty) => {
                Accumulator::ExactProd(self.trap_site(span, Trap::Overflow))
            }
            other => other,
        }
    }

    /// Whether a term is some indices and extents times small numbers and what is added: what
    /// memory can hold does not bring that beyond 64 bits.
    fn is_small(&self, term: &Affine) -> bool {
        const SMALL: i64 = 1 << 12;
        let facts = self.facts();
        let coefficient = |c: i64| (-SMALL..=SMALL).contains(&c);
        let offset = term.offset();
        let extent = |atom: &Atom| match atom {
            Atom::Param(p) => facts.non_negative(&Size::param(*p)) == Verdict::Yes,
            _ => true,
        };
        let monomial = |(m, c): &(Vec<Atom>, i128)| {
            m.len() == 1 && m.iter().all(extent) && i64::try_from(*c).is_ok_and(coefficient)
        };
        term.terms().iter().all(|(_, c)| coefficient(*c))
            && offset.terms().iter().all(monomial)
            && i128::from(i32::MIN) < offset.constant_term()
            && offset.constant_term() < i128::from(i32::MAX)
    }
}

impl Arithmetic<'_> {
    /// The same, told at a call of the program.
    pub fn told_at(self, call: Option<Span>) -> Self {
        Arithmetic { call, ..self }
    }

    fn trap_site(&mut self, span: Span, trap: Trap) -> SiteId {
        self.tensors.trap_site(self.call.unwrap_or(span), trap)
    }

    /// `x op y` of numbers of one type.
    pub fn operate(&mut self, op: BinaryOp, (x, y): (ExprId, ExprId), span: Span) -> ExprId {
        if self.tensors.overflow() == Overflow::Trap
            && let Some(term) = self.index_of(op, (x, y))
        {
            return self.exprs.index(term);
        }
        let ty = self.exprs.ty(x);
        let trap = Self::trap_of(op, ty, self.exprs.get(y));
        let overflows = eval::may_overflow(op, ty);
        if overflows && self.tensors.overflow() == Overflow::Wrap {
            return self.wrapped(op, (x, y), trap, span);
        }
        let safe = matches!(self.exprs.get(y), Node::Const(v) if divides_in_range(op, *v));
        let trap = trap.or((overflows && !safe).then_some(Trap::Overflow));
        let site = trap.map(|trap| self.trap_site(span, trap));
        self.exprs.binary_at(op, x, y, site)
    }

    /// How an operator fails, other than by leaving its type.
    fn trap_of(op: BinaryOp, ty: ScalarType, y: &Node) -> Option<Trap> {
        let by = match y {
            Node::Const(v) => v.as_i64(),
            _ => None,
        };
        eval::trap_by(op, ty, by)
    }

    /// An operator that wraps: the traps that are left are found apart.
    fn wrapped(
        &mut self,
        op: BinaryOp,
        (x, y): (ExprId, ExprId),
        trap: Option<Trap>,
        span: Span,
    ) -> ExprId {
        let ty = self.exprs.ty(x);
        let Some(trap) = trap else { return self.exprs.binary(op, x, y) };
        let site = self.trap_site(span, trap);
        let zero = self.exprs.constant(Scalar::zero(ty));
        match op {
            BinaryOp::Pow => {
                let condition = self.exprs.binary(BinaryOp::Ge, y, zero);
                let value = self.exprs.binary(op, x, y);
                self.exprs.add(Node::Check { condition, value, site }, ty)
            }
            _ => {
                let minus = self.exprs.constant(Scalar::from_i64(ty, -1));
                let turns = self.exprs.binary(BinaryOp::Eq, y, minus);
                let negated = self.exprs.binary(BinaryOp::Sub, zero, x);
                let quotient = self.exprs.binary_at(op, x, y, Some(site));
                self.exprs.if_else(turns, negated, quotient)
            }
        }
    }

    /// `op x`.
    pub fn operate_on(&mut self, op: UnaryOp, x: ExprId, span: Span) -> ExprId {
        let ty = self.exprs.ty(x);
        let turns = matches!(op, UnaryOp::Neg) || op == UnaryOp::Abs && ty.is_signed();
        if !turns || !self.tensors.traps(ty) {
            return self.exprs.unary(op, x);
        }
        let zero = self.exprs.constant(Scalar::zero(ty));
        let negated = self.operate(BinaryOp::Sub, (zero, x), span);
        match op {
            UnaryOp::Abs => self.exprs.binary(BinaryOp::Max, x, negated),
            _ => negated,
        }
    }

    /// `x` to a small power, by repeated squaring.
    pub fn power(&mut self, x: ExprId, n: i64, span: Span) -> ExprId {
        let ty: ScalarType = self.exprs.ty(x);
        let mut result: Option<ExprId> = None;
        let mut square = x;
        let mut left = n;
        while left > 0 {
            if left & 1 == 1 {
                result = Some(match result {
                    Some(r) => self.operate(BinaryOp::Mul, (r, square), span),
                    None => square,
                });
            }
            left >>= 1;
            if left > 0 {
                square = self.operate(BinaryOp::Mul, (square, square), span);
            }
        }
        result.unwrap_or_else(|| self.exprs.constant(Scalar::one(ty)))
    }

    /// An integer that becomes one of another type, which must hold it.
    pub fn fitted(&mut self, ty: ScalarType, x: ExprId, span: Span) -> ExprId {
        let from = self.exprs.ty(x);
        let value = self.exprs.cast(ty, x);
        let known = matches!(self.exprs.get(x), Node::Const(v) if holds(ty, *v));
        let ints = from.is_int() && ty.is_int() && !is_wider(ty, from);
        if !ints || known || self.tensors.overflow() == Overflow::Wrap {
            return value;
        }
        let site = self.trap_site(span, Trap::Overflow);
        self.exprs.fit(ty, x, site)
    }

    /// An index expression as a number, which is in 64 bits.
    pub fn index(&mut self, term: Affine, span: Span) -> ExprId {
        if self.tensors.overflow() == Overflow::Wrap || self.tensors.is_small(&term) {
            return self.exprs.index(term);
        }
        let mut total = self.size(term.offset(), span);
        for (dim, c) in term.terms() {
            let x = self.exprs.index(Affine::dim(dim.clone()));
            total = self.add_scaled(total, x, *c, span);
        }
        total
    }

    fn size(&mut self, size: &Size, span: Span) -> ExprId {
        let mut total = self.exprs.constant(Scalar::I64(saturated(size.constant_term())));
        for (monomial, c) in size.terms() {
            let mut factors = monomial.iter().map(|atom| Affine::fixed(Size::atom(atom.clone())));
            let first = factors.next().unwrap_or_else(|| Affine::fixed(1));
            let mut product = self.exprs.index(first);
            for factor in factors {
                let factor = self.exprs.index(factor);
                product = self.operate(BinaryOp::Mul, (product, factor), span);
            }
            total = self.add_scaled(total, product, saturated(*c), span);
        }
        total
    }

    fn add_scaled(&mut self, total: ExprId, x: ExprId, factor: i64, span: Span) -> ExprId {
        let factor = self.exprs.constant(Scalar::I64(factor));
        let term = self.operate(BinaryOp::Mul, (x, factor), span);
        self.operate(BinaryOp::Add, (total, term), span)
    }

    /// Sums and multiples of indices as an index, as long as that is small.
    fn index_of(&self, op: BinaryOp, (x, y): (ExprId, ExprId)) -> Option<Affine> {
        let term = |e: ExprId| match self.exprs.get(e) {
            Node::Index(a) => Some(a.clone()).filter(|a| self.tensors.is_small(a)),
            Node::Const(Scalar::I64(n)) => {
                Some(Affine::fixed(*n)).filter(|a| self.tensors.is_small(a))
            }
            _ => None,
        };
        let is_index = |e: ExprId| matches!(self.exprs.get(e), Node::Index(_));
        (is_index(x) || is_index(y)).then_some(())?;
        let (a, b) = (term(x)?, term(y)?);
        let found = match op {
            BinaryOp::Add => a.plus(&b),
            BinaryOp::Sub => a.minus(&b),
            BinaryOp::Mul => match (a.as_constant(), b.as_constant()) {
                (_, Some(c)) => a.scaled(c),
                (Some(c), _) => b.scaled(c),
                _ => None,
            },
            _ => None,
        };
        found.filter(|a| self.tensors.is_small(a))
    }
}

/// Whether a type holds every integer of another.
fn is_wider(ty: ScalarType, than: ScalarType) -> bool {
    let signed = ty.is_signed() == than.is_signed() && ty.bytes() >= than.bytes();
    signed || ty.is_signed() && ty.bytes() > than.bytes()
}

/// Whether a type holds an integer; those of floats round it.
fn holds(ty: ScalarType, v: Scalar) -> bool {
    !ty.is_int() || v.as_i64().is_some_and(|v| eval::is_within(ty, v.into()))
}

/// Whether a division by a constant stays in range.
fn divides_in_range(op: BinaryOp, by: Scalar) -> bool {
    op == BinaryOp::Div && by.as_i64().is_some_and(|n| n != -1)
}

/// A coefficient that no integer of the language holds is beyond all of them.
fn saturated(n: i128) -> i64 {
    i64::try_from(n).unwrap_or(if n < 0 { i64::MIN } else { i64::MAX })
}
