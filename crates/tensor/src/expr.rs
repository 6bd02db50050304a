//! Scalar bodies: hash-consed expression graphs, one arena per assignment.
//!
//! An expression has one value at each point of its assignment's space, and is a value
//! of one [`ScalarType`]. Evaluation is lazy in [`Expr::If`] and [`Expr::Check`] only:
//! what is not reached is not evaluated, reads nothing and cannot fail.

use crate::{Accumulator, Affine, Constraint, IndexTerm, Range, SiteId, TensorId};
use rustc_hash::FxHashMap;
use weft_base::entity::{PrimaryMap, entity_impl};
use weft_scalar::function::FunctionId;
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};

/// A node of an [`Exprs`] arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(u32);
entity_impl!(ExprId, "e");

/// One node of a scalar body.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A constant.
    Const(Scalar),
    /// An integer affine expression of iterators and sizes, as `i64`.
    Index(Affine),
    /// A cell of a tensor: one term per axis. With a site each index is checked against
    /// its extent when read (and a failure is reported there); without, it is proven or
    /// was checked at entry.
    Read {
        /// The tensor that is read.
        tensor: TensorId,
        /// The read projection.
        index: Vec<IndexTerm>,
        /// Where a bad index is reported.
        site: Option<SiteId>,
    },
    /// An operator of one operand.
    Unary(UnaryOp, ExprId),
    /// An operator of two operands of one type, both evaluated. The site reports a trap
    /// (integer division by zero, negative exponent, an integer that leaves its type);
    /// without one integers wrap.
    Binary(BinaryOp, ExprId, ExprId, Option<SiteId>),
    /// Conversion, as the language's `as`.
    Cast(ScalarType, ExprId),
    /// `if c { a } else { b }`: only the side taken is evaluated. Also `&&` and `||`.
    If(ExprId, ExprId, ExprId),
    /// `value`, once `condition` was found true; else the failure `site`.
    Check {
        /// A `bool`, evaluated first.
        condition: ExprId,
        /// The value of the whole.
        value: ExprId,
        /// The site of the report.
        site: SiteId,
    },
    /// A function of the graph applied to scalars. It may fail, at places of its own.
    Call {
        /// Which of [`crate::Graph::functions`].
        function: FunctionId,
        /// Evaluated in order.
        args: Vec<ExprId>,
    },
    /// A nested reduction over further iterators. Planning makes these when it inlines
    /// a reduced tensor into its reader; the front end never does.
    Reduce(Box<Reduction>),
}

/// A reduction inside a body, over iterators of its own.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reduction {
    /// How values combine; not [`Accumulator::Set`].
    pub accumulator: Accumulator,
    /// The reduced ranges, outermost first; bounds may use iterators around and before.
    /// The iterators are its own: no other reduction or range of the assignment has them.
    pub ranges: Vec<Range>,
    /// Affine restrictions.
    pub guards: Vec<Constraint>,
    /// Points where it is false contribute nothing.
    pub mask: Option<ExprId>,
    /// The value at each point.
    pub body: ExprId,
}

/// An arena of expressions: equal nodes are one node.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    nodes: PrimaryMap<ExprId, (Expr, ScalarType)>,
    known: FxHashMap<Expr, ExprId>,
}

impl Exprs {
    /// An empty arena.
    pub fn new() -> Exprs {
        Exprs::default()
    }

    /// The node `expr` of type `ty`, new or found. Operands are older than their users.
    pub fn add(&mut self, expr: Expr, ty: ScalarType) -> ExprId {
        if let Some(&id) = self.known.get(&expr) {
            return id;
        }
        let id = self.nodes.push((expr.clone(), ty));
        self.known.insert(expr, id);
        id
    }

    /// A constant.
    pub fn constant(&mut self, value: Scalar) -> ExprId {
        self.add(Expr::Const(value), value.ty())
    }

    /// An index expression as `i64`.
    pub fn index(&mut self, a: Affine) -> ExprId {
        self.add(Expr::Index(a), ScalarType::I64)
    }

    /// `op x`.
    pub fn unary(&mut self, op: UnaryOp, x: ExprId) -> ExprId {
        let ty = self.ty(x);
        self.add(Expr::Unary(op, x), ty)
    }

    /// `a op b`, without a trap to report.
    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.binary_at(op, a, b, None)
    }

    /// `a op b`; a trap is reported at `site`.
    pub fn binary_at(
        &mut self,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        site: Option<SiteId>,
    ) -> ExprId {
        let ty = if op.is_comparison() { ScalarType::Bool } else { self.ty(a) };
        self.add(Expr::Binary(op, a, b, site), ty)
    }

    /// `x as ty`; `x` itself where it has that type.
    pub fn cast(&mut self, ty: ScalarType, x: ExprId) -> ExprId {
        if self.ty(x) == ty { x } else { self.add(Expr::Cast(ty, x), ty) }
    }

    /// `if c { a } else { b }`.
    pub fn if_else(&mut self, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
        let ty = self.ty(a);
        self.add(Expr::If(c, a, b), ty)
    }

    /// `x as ty`, where the type must hold the integer: else the failure `site`.
    pub fn fit(&mut self, ty: ScalarType, x: ExprId, site: SiteId) -> ExprId {
        let (from, value) = (self.ty(x), self.cast(ty, x));
        let back = self.cast(from, value);
        let condition = self.binary(BinaryOp::Eq, back, x);
        self.add(Expr::Check { condition, value, site }, ty)
    }

    /// The integer that a node made by [`Exprs::fit`] converts.
    pub fn fitted(&self, id: ExprId) -> Option<ExprId> {
        let Expr::Check { condition, value, .. } = self.get(id) else { return None };
        let (Expr::Cast(_, x), Expr::Binary(BinaryOp::Eq, back, y, None)) =
            (self.get(*value), self.get(*condition))
        else {
            return None;
        };
        let same = *self.get(*back) == Expr::Cast(self.ty(*x), *value);
        (x == y && same && self.ty(*x).is_int()).then_some(*x)
    }

    /// The node `id`.
    pub fn get(&self, id: ExprId) -> &Expr {
        &self.nodes[id].0
    }

    /// The type of the node `id`.
    pub fn ty(&self, id: ExprId) -> ScalarType {
        self.nodes[id].1
    }

    /// All ids, operands before users.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = ExprId> + use<> {
        self.nodes.keys()
    }

    /// The tensors that are read, once for each read.
    pub fn tensors_read(&self) -> impl Iterator<Item = TensorId> + '_ {
        self.ids().filter_map(|e| match self.get(e) {
            Expr::Read { tensor, .. } => Some(*tensor),
            _ => None,
        })
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

impl Expr {
    /// The nodes this one uses directly, in evaluation order (those of index terms too).
    pub fn operands(&self) -> Vec<ExprId> {
        match self {
            Expr::Const(_) | Expr::Index(_) => Vec::new(),
            Expr::Read { index, .. } => index
                .iter()
                .filter_map(|t| if let IndexTerm::Data(e) = t { Some(*e) } else { None })
                .collect(),
            Expr::Unary(_, x) | Expr::Cast(_, x) => vec![*x],
            Expr::Binary(_, a, b, _) => vec![*a, *b],
            Expr::If(c, a, b) => vec![*c, *a, *b],
            Expr::Check { condition, value, .. } => vec![*condition, *value],
            Expr::Call { args, .. } => args.clone(),
            Expr::Reduce(r) => r.mask.into_iter().chain([r.body]).collect(),
        }
    }
}
