//! Functions, and building their expressions.

use crate::{Buffer, Expr, ExprData, IntOp, Local, Param, Stmt, Var};
use rustc_hash::FxHashMap;
use weft_base::Name;
use weft_base::entity::{PrimaryMap, SecondaryMap};
use weft_scalar::function::Functions;
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParamDecl {
    /// For people.
    pub name: Name,
    /// Its type; extents are `i64`.
    pub ty: ScalarType,
}

/// Who owns a buffer's contents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BufferKind {
    /// Only read.
    In,
    /// Written, with undefined contents at entry.
    Out,
    /// Read and written.
    InOut,
    /// Scratch that the caller provides, undefined at entry and after.
    Temp,
    /// Scratch of constant size that the function itself provides, private to each
    /// iteration of a parallel loop; undefined at entry.
    Stack,
}

impl BufferKind {
    /// Every kind.
    pub const ALL: [BufferKind; 5] =
        [BufferKind::In, BufferKind::Out, BufferKind::InOut, BufferKind::Temp, BufferKind::Stack];

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            BufferKind::In => "in",
            BufferKind::Out => "out",
            BufferKind::InOut => "inout",
            BufferKind::Temp => "temp",
            BufferKind::Stack => "stack",
        }
    }
}

/// A buffer. Different buffers never overlap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BufferDecl {
    /// For people.
    pub name: Name,
    /// Type of its elements.
    pub elem: ScalarType,
    /// Who owns its contents.
    pub kind: BufferKind,
    /// Count of elements: an `i64` over parameters; for [`BufferKind::Stack`] a constant.
    pub size: Expr,
}

/// A local.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalDecl {
    /// For people.
    pub name: Name,
    /// Its type.
    pub ty: ScalarType,
}

/// A loop variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VarDecl {
    /// For people.
    pub name: Name,
}

/// One kernel.
///
/// Expressions are interned: equal nodes have equal ids, and operands have smaller ids
/// than their users.
#[derive(Clone, Debug)]
pub struct Function {
    /// Symbol of the machine code; unique among functions compiled together.
    pub name: String,
    /// Whether floats are computed exactly as written, see the [crate] documentation.
    pub strict: bool,
    /// Values passed per call.
    pub params: PrimaryMap<Param, ParamDecl>,
    /// Buffers; all but stack ones are passed per call, in this order.
    pub buffers: PrimaryMap<Buffer, BufferDecl>,
    /// Mutable scalars.
    pub locals: PrimaryMap<Local, LocalDecl>,
    /// Loop variables.
    pub vars: PrimaryMap<Var, VarDecl>,
    /// Functions of scalars that statements call.
    pub callees: Functions,
    /// Its statements.
    pub body: Vec<Stmt>,
    exprs: PrimaryMap<Expr, ExprData>,
    types: SecondaryMap<Expr, Option<ScalarType>>,
    interned: FxHashMap<ExprData, Expr>,
}

impl Function {
    /// An empty function.
    pub fn new(name: impl Into<String>) -> Function {
        Function {
            name: name.into(),
            strict: false,
            params: PrimaryMap::new(),
            buffers: PrimaryMap::new(),
            locals: PrimaryMap::new(),
            vars: PrimaryMap::new(),
            callees: Functions::default(),
            body: Vec::new(),
            exprs: PrimaryMap::new(),
            types: SecondaryMap::new(),
            interned: FxHashMap::default(),
        }
    }

    /// Declares a parameter.
    pub fn add_param(&mut self, name: impl Into<Name>, ty: ScalarType) -> Param {
        self.params.push(ParamDecl { name: name.into(), ty })
    }

    /// Declares a buffer of `size` elements.
    pub fn add_buffer(
        &mut self,
        name: impl Into<Name>,
        elem: ScalarType,
        kind: BufferKind,
        size: Expr,
    ) -> Buffer {
        self.buffers.push(BufferDecl { name: name.into(), elem, kind, size })
    }

    /// Declares a local.
    pub fn add_local(&mut self, name: impl Into<Name>, ty: ScalarType) -> Local {
        self.locals.push(LocalDecl { name: name.into(), ty })
    }

    /// Declares a loop variable.
    pub fn add_var(&mut self, name: impl Into<Name>) -> Var {
        self.vars.push(VarDecl { name: name.into() })
    }

    /// The node of an expression.
    pub fn expr(&self, e: Expr) -> ExprData {
        self.exprs[e]
    }

    /// The type of an expression; of an ill-typed one, what its first operand suggests.
    pub fn ty(&self, e: Expr) -> ScalarType {
        self.types[e].expect("the type is recorded when the node is made")
    }

    /// The number of expressions.
    pub fn expr_count(&self) -> usize {
        self.exprs.len()
    }

    /// Every expression, operands before users.
    pub fn exprs(&self) -> impl Iterator<Item = (Expr, &ExprData)> {
        self.exprs.iter()
    }

    /// The id of a node, made if new. Panics on operands of another function's pool.
    pub fn push(&mut self, data: ExprData) -> Expr {
        if let Some(&e) = self.interned.get(&data) {
            return e;
        }
        let ty = self.type_of(&data);
        let e = self.exprs.push(data);
        self.types[e] = Some(ty);
        self.interned.insert(data, e);
        e
    }

    fn type_of(&self, data: &ExprData) -> ScalarType {
        match *data {
            ExprData::Const(c) => c.ty(),
            ExprData::Param(p) => self.params[p].ty,
            ExprData::Var(_) => ScalarType::I64,
            ExprData::Local(l) => self.locals[l].ty,
            ExprData::SingleThreaded => ScalarType::Bool,
            ExprData::Load { buffer, .. } => self.buffers[buffer].elem,
            ExprData::Binary(op, ..) if op.is_comparison() => ScalarType::Bool,
            ExprData::Overflows(..) => ScalarType::Bool,
            ExprData::Cast(ty, _) | ExprData::Bitcast(ty, _) => ty,
            ExprData::Unary(_, a)
            | ExprData::Binary(_, a, _)
            | ExprData::Int(_, a, _)
            | ExprData::Fma(a, ..)
            | ExprData::Select(_, a, _) => self.ty(a),
        }
    }
}

/// Makers of expressions. They fold constant `i64` arithmetic and comparison, constant
/// conditions, and neutral elements, so that addresses come out small and what never runs
/// is not there; all else is kept as asked for.
impl Function {
    /// A constant.
    pub fn constant(&mut self, value: Scalar) -> Expr {
        self.push(ExprData::Const(value))
    }

    /// An `i64` constant.
    pub fn int(&mut self, value: i64) -> Expr {
        self.constant(Scalar::I64(value))
    }

    /// The value of an `i64` constant.
    pub fn as_int(&self, e: Expr) -> Option<i64> {
        match self.exprs[e] {
            ExprData::Const(Scalar::I64(v)) => Some(v),
            _ => None,
        }
    }

    /// A parameter's value.
    pub fn param(&mut self, p: Param) -> Expr {
        self.push(ExprData::Param(p))
    }

    /// A loop variable's value.
    pub fn var(&mut self, v: Var) -> Expr {
        self.push(ExprData::Var(v))
    }

    /// A local's value.
    pub fn local(&mut self, l: Local) -> Expr {
        self.push(ExprData::Local(l))
    }

    /// Whether the call runs on one thread.
    pub fn alone(&mut self) -> Expr {
        self.push(ExprData::SingleThreaded)
    }

    /// `buffer[index]`.
    pub fn load(&mut self, buffer: Buffer, index: Expr) -> Expr {
        self.push(ExprData::Load { buffer, index })
    }

    /// `op a`.
    pub fn unary(&mut self, op: UnaryOp, a: Expr) -> Expr {
        match (op, self.as_bool(a)) {
            (UnaryOp::Not, Some(value)) => self.constant(Scalar::Bool(!value)),
            _ => self.push(ExprData::Unary(op, a)),
        }
    }

    /// `a op b`.
    pub fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        match (op, self.as_int(a), self.as_int(b)) {
            (BinaryOp::Add, Some(x), Some(y)) => self.int(x.wrapping_add(y)),
            (BinaryOp::Sub, Some(x), Some(y)) => self.int(x.wrapping_sub(y)),
            (BinaryOp::Mul, Some(x), Some(y)) => self.int(x.wrapping_mul(y)),
            (BinaryOp::Min, Some(x), Some(y)) => self.int(x.min(y)),
            (BinaryOp::Max, Some(x), Some(y)) => self.int(x.max(y)),
            (BinaryOp::Add | BinaryOp::Sub, _, Some(0)) | (BinaryOp::Mul, _, Some(1)) => a,
            (BinaryOp::Add, Some(0), _) | (BinaryOp::Mul, Some(1), _) => b,
            (BinaryOp::Sub, _, _) if a == b && self.ty(a) == ScalarType::I64 => self.int(0),
            (BinaryOp::Mul, Some(0), _) => a,
            (BinaryOp::Mul, _, Some(0)) => b,
            (_, Some(x), Some(y)) if op.is_comparison() => {
                let value = crate::eval::binary(op, Scalar::I64(x), Scalar::I64(y));
                self.constant(value)
            }
            _ if matches!(op, BinaryOp::And | BinaryOp::Or) => self.junction(op, a, b),
            _ => self.push(ExprData::Binary(op, a, b)),
        }
    }

    /// Whether `a op b` leaves its type, one of bounded integers.
    pub fn overflows(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        match (self.exprs[a], self.exprs[b]) {
            (ExprData::Const(x), ExprData::Const(y)) => {
                let value = weft_scalar::eval::overflows(op, x, y);
                self.constant(Scalar::Bool(value))
            }
            _ => self.push(ExprData::Overflows(op, a, b)),
        }
    }

    /// The value of a constant condition.
    pub fn as_bool(&self, e: Expr) -> Option<bool> {
        match self.exprs[e] {
            ExprData::Const(Scalar::Bool(v)) => Some(v),
            _ => None,
        }
    }

    fn junction(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let neutral = op == BinaryOp::And;
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(x), _) if x == neutral => b,
            (_, Some(y)) if y == neutral => a,
            (Some(_), _) => a,
            (_, Some(_)) => b,
            _ => self.push(ExprData::Binary(op, a, b)),
        }
    }

    /// `a + b`.
    pub fn add(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::Add, a, b)
    }

    /// `a - b`.
    pub fn sub(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::Sub, a, b)
    }

    /// `a * b`.
    pub fn mul(&mut self, a: Expr, b: Expr) -> Expr {
        self.binary(BinaryOp::Mul, a, b)
    }

    /// An integer operator.
    pub fn int_op(&mut self, op: IntOp, a: Expr, b: Expr) -> Expr {
        match (op, self.as_int(a), self.as_int(b)) {
            (IntOp::FloorDiv, Some(x), Some(y)) if y > 0 => self.int(x.div_euclid(y)),
            (IntOp::FloorMod, Some(x), Some(y)) if y > 0 => self.int(x.rem_euclid(y)),
            (IntOp::FloorDiv, _, Some(1)) => a,
            (IntOp::FloorMod, _, Some(1)) => self.int(0),
            _ => self.push(ExprData::Int(op, a, b)),
        }
    }

    /// `a * b + c`, rounded once.
    pub fn fma(&mut self, a: Expr, b: Expr, c: Expr) -> Expr {
        self.push(ExprData::Fma(a, b, c))
    }

    /// `a as ty`; `a` itself if it has that type.
    pub fn cast(&mut self, ty: ScalarType, a: Expr) -> Expr {
        if self.ty(a) == ty { a } else { self.push(ExprData::Cast(ty, a)) }
    }

    /// The bits of `a` as another type of its width.
    pub fn bitcast(&mut self, ty: ScalarType, a: Expr) -> Expr {
        if self.ty(a) == ty { a } else { self.push(ExprData::Bitcast(ty, a)) }
    }

    /// `a` where `cond` holds, else `b`.
    pub fn select(&mut self, cond: Expr, a: Expr, b: Expr) -> Expr {
        match self.as_bool(cond) {
            Some(true) => a,
            Some(false) => b,
            None => self.push(ExprData::Select(cond, a, b)),
        }
    }
}
