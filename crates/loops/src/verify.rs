//! The verifier: what every pass may rely on and must keep.
//!
//! - Every id is declared; every operator has operands of the types it takes ([`types`]).
//! - Sizes are `i64` over parameters and constants; of stack buffers constants up to
//!   [`STACK_BYTES`]. `in` buffers are not stored to.
//! - Each variable belongs to one loop and is read only inside it. Steps are not 0. Vector
//!   loops have a power of two of up to 64 lanes and hold no vector or parallel loop.
//! - A fill's value reads no buffer; a trap has at most [`Stmt::TRAP_ARGS`] arguments.
//! - Locals are assigned on every path before they are read, iterations of vector and
//!   parallel loops pass values on only by accumulation ([`locals`]).
//! - Statements nest at most [`DEEPEST`] deep.
//!
//! - Accesses that surely run are in bounds where constants decide: no index is below 0, or
//!   beyond a size that is a number.
//!
//! Not checked: other accesses (code that is to be verified checks each as it runs), and that
//! iterations said to be independent are so in what they load and store.

mod locals;
mod types;

use crate::{Buffer, BufferKind, Expr, ExprData, For, ForKind, Function, Local, Stmt, Var};
use std::fmt;
use weft_base::entity::SecondaryMap;
use weft_scalar::{BinaryOp, ScalarType};

/// The deepest nest of statements.
pub const DEEPEST: usize = 200;

/// The most bytes that one stack buffer may have.
pub const STACK_BYTES: i64 = 1 << 18;

/// A fault of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError(pub String);

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

type Verified = Result<(), VerifyError>;

fn fail<T>(message: impl Into<String>) -> Result<T, VerifyError> {
    Err(VerifyError(message.into()))
}

fn ensure(holds: bool, message: impl FnOnce() -> String) -> Verified {
    if holds { Ok(()) } else { fail(message()) }
}

/// Checks everything listed above; the first violation found.
pub fn verify(function: &Function) -> Verified {
    let mut verifier = Verifier {
        function,
        open: SecondaryMap::new(),
        used: SecondaryMap::new(),
        inside: None,
        depth: 0,
        doubts: 0,
        ends: SecondaryMap::new(),
    };
    types::check(function)?;
    verifier.sizes()?;
    verifier.block(&function.body)?;
    locals::check(function)
}

struct Verifier<'a> {
    function: &'a Function,
    /// Loops around the current statement, by variable.
    open: SecondaryMap<Var, bool>,
    /// Loops met so far, by variable.
    used: SecondaryMap<Var, bool>,
    /// The innermost vector or parallel loop around, if any.
    inside: Option<ForKind>,
    depth: usize,
    /// Why the current statement may not run: branches around it, loops that may have no
    /// iteration, traps in front of it.
    doubts: usize,
    /// The least and the largest value of variables of loops between constants.
    ends: SecondaryMap<Var, Option<(i64, i64)>>,
}

impl Verifier<'_> {
    fn sizes(&self) -> Verified {
        for (b, decl) in &self.function.buffers {
            self.has_type(decl.size, ScalarType::I64)?;
            for e in self.function.reachable(&[decl.size]) {
                let data = self.function.expr(e);
                let fixed = !matches!(
                    data,
                    ExprData::Load { .. }
                        | ExprData::Var(_)
                        | ExprData::Local(_)
                        | ExprData::SingleThreaded
                );
                ensure(fixed, || format!("the size of {b} is not over parameters"))?;
            }
            if decl.kind == BufferKind::Stack {
                let bytes = self.function.as_int(decl.size).map(|n| (n, decl.elem.bytes() as i64));
                let small = bytes.is_some_and(|(n, width)| (0..=STACK_BYTES / width).contains(&n));
                ensure(small, || format!("{b} on the stack is not of small constant size"))?;
            }
        }
        Ok(())
    }

    fn has_type(&self, e: Expr, ty: ScalarType) -> Verified {
        let found = self.function.ty(e);
        ensure(found == ty, || format!("{e} is {found} where {ty} is wanted"))
    }

    fn block(&mut self, body: &[Stmt]) -> Verified {
        self.depth += 1;
        ensure(self.depth <= DEEPEST, || "statements nest too deeply".into())?;
        body.iter().try_for_each(|stmt| self.stmt(stmt))?;
        self.depth -= 1;
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Verified {
        self.scopes(&stmt.exprs())?;
        self.loads(&stmt.exprs())?;
        match stmt {
            Stmt::For(f) => self.for_loop(f),
            Stmt::If { cond, then, otherwise } => {
                self.has_type(*cond, ScalarType::Bool)?;
                self.doubts += 1;
                self.block(then)?;
                self.block(otherwise)?;
                self.doubts -= 1;
                Ok(())
            }
            Stmt::Store { buffer, index, value } => {
                self.has_type(*index, ScalarType::I64)?;
                self.stored(*buffer, *value)?;
                self.accesses(*buffer, *index)
            }
            Stmt::Set { local, value } => {
                ensure(self.function.locals.is_valid(*local), || format!("{local} is undeclared"))?;
                self.has_type(*value, self.function.locals[*local].ty)
            }
            Stmt::Accumulate { local, op, value } => self.combines(*local, *op, *value),
            Stmt::Scan { locals, op, values, by } => {
                let n = locals.len();
                let single = by.is_empty() && n == 1;
                let square = *op == BinaryOp::Add && n > 0 && by.len() == n * n;
                let apart = (1..n).all(|i| !locals[..i].contains(&locals[i]));
                let fits = values.len() == n && (single || square) && apart;
                ensure(fits, || format!("a scan of {n} locals does not fit its operands"))?;
                for (&local, &value) in locals.iter().zip(values) {
                    self.combines(local, *op, value)?;
                }
                let ty = self.function.locals[locals[0]].ty;
                let same = locals.iter().all(|&l| self.function.locals[l].ty == ty);
                ensure(same, || format!("{} is scanned with another type", locals[0]))?;
                by.iter().flatten().try_for_each(|&e| self.has_type(e, ty))
            }
            Stmt::Fill { buffer, lo, hi, value } => {
                self.has_type(*lo, ScalarType::I64)?;
                self.has_type(*hi, ScalarType::I64)?;
                let reads = |e: &Expr| matches!(self.function.expr(*e), ExprData::Load { .. });
                let reads = self.function.reachable(&[*value]).iter().any(reads);
                ensure(!reads, || format!("the value that fills {buffer} reads a buffer"))?;
                self.stored(*buffer, *value)
            }
            Stmt::Call { local, function, args, point, .. } => {
                self.doubts += 1;
                ensure(self.function.locals.is_valid(*local), || format!("{local} is undeclared"))?;
                let Some(callee) = self.function.callees.get(*function) else {
                    return fail(format!("there is no {function}"));
                };
                let count = callee.args == args.len() && point.len() <= Stmt::TRAP_ARGS;
                ensure(count, || format!("{function} is called with {} arguments", args.len()))?;
                let fits = callee.result() == Some(self.function.locals[*local].ty);
                ensure(fits, || format!("{local} does not hold what {function} gives"))?;
                point.iter().try_for_each(|&a| self.has_type(a, ScalarType::I64))?;
                args.iter().zip(&callee.regs).try_for_each(|(&a, ty)| self.has_type(a, *ty))
            }
            Stmt::Flag { cond } => self.has_type(*cond, ScalarType::Bool),
            Stmt::Trap { site, args } => {
                // What comes behind it may never run.
                self.doubts += 1;
                args.iter().try_for_each(|&a| self.has_type(a, ScalarType::I64))?;
                let few = args.len() <= Stmt::TRAP_ARGS;
                ensure(few, || format!("trap {site} has too many arguments"))
            }
        }
    }

    fn combines(&self, local: Local, op: BinaryOp, value: Expr) -> Verified {
        ensure(self.function.locals.is_valid(local), || format!("{local} is undeclared"))?;
        self.has_type(value, self.function.locals[local].ty)?;
        let accumulates = Stmt::accumulates(op) && op.operands().takes(self.function.ty(value));
        ensure(accumulates, || format!("{} does not accumulate {local}", op.name()))
    }

    fn stored(&self, buffer: Buffer, value: Expr) -> Verified {
        let Some(decl) = self.function.buffers.get(buffer) else {
            return fail(format!("{buffer} is undeclared"));
        };
        ensure(decl.kind != BufferKind::In, || format!("store to {buffer}, which is read-only"))?;
        self.has_type(value, decl.elem)
    }

    fn loads(&self, held: &[Expr]) -> Verified {
        for e in self.function.reachable(held) {
            if let ExprData::Load { buffer, index } = self.function.expr(e) {
                self.accesses(buffer, index)?;
            }
        }
        Ok(())
    }

    /// An index is in bounds, as far as constants decide.
    fn accesses(&self, buffer: Buffer, index: Expr) -> Verified {
        if self.doubts > 0 || !self.function.buffers.is_valid(buffer) {
            return Ok(());
        }
        let (least, most) = (self.end(index, false), self.end(index, true));
        let size = self.function.as_int(self.function.buffers[buffer].size);
        let below = least.is_some_and(|n| n < 0);
        let above = most.zip(size).is_some_and(|(n, size)| n >= size);
        ensure(!below && !above, || format!("an access leaves {buffer}"))
    }

    /// The least or the largest value that an index surely takes, where it is a constant or
    /// the variable of a loop whose ends are, with constants added.
    fn end(&self, index: Expr, upper: bool) -> Option<i64> {
        match self.function.expr(index) {
            ExprData::Const(_) => self.function.as_int(index),
            ExprData::Var(v) => self.ends[v].map(|(lo, hi)| if upper { hi } else { lo }),
            ExprData::Binary(BinaryOp::Add, a, b) => {
                let constant = |e| self.function.as_int(e);
                match (constant(a), constant(b)) {
                    (Some(n), None) => self.end(b, upper)?.checked_add(n),
                    (None, Some(n)) => self.end(a, upper)?.checked_add(n),
                    _ => None,
                }
            }
            ExprData::Binary(BinaryOp::Sub, a, b) => {
                self.end(a, upper)?.checked_sub(self.function.as_int(b)?)
            }
            _ => None,
        }
    }

    fn scopes(&self, held: &[Expr]) -> Verified {
        for e in self.function.reachable(held) {
            if let ExprData::Var(v) = self.function.expr(e) {
                ensure(self.open[v], || format!("{v} is read outside its loop"))?;
            }
        }
        Ok(())
    }

    fn for_loop(&mut self, f: &For) -> Verified {
        self.has_type(f.lo, ScalarType::I64)?;
        self.has_type(f.hi, ScalarType::I64)?;
        ensure(f.step != 0, || format!("the loop of {} does not step", f.var))?;
        ensure(self.function.vars.is_valid(f.var), || format!("{} is undeclared", f.var))?;
        let fresh = !std::mem::replace(&mut self.used[f.var], true);
        ensure(fresh, || format!("{} belongs to two loops", f.var))?;
        let outside = self.inside;
        self.kind(f)?;
        self.open[f.var] = true;
        self.ends[f.var] = self.ends_of(f);
        let doubtful = usize::from(self.ends[f.var].is_none());
        self.doubts += doubtful;
        self.block(&f.body)?;
        self.doubts -= doubtful;
        self.open[f.var] = false;
        self.inside = outside;
        Ok(())
    }

    /// The least and the largest value of a loop's variable, where it surely has one.
    fn ends_of(&self, f: &For) -> Option<(i64, i64)> {
        let (lo, hi) = (self.function.as_int(f.lo)?, self.function.as_int(f.hi)?);
        let (way, step) =
            (hi.checked_sub(lo)?.checked_mul(f.step.signum())?, f.step.checked_abs()?);
        if way <= 0 {
            return None;
        }
        let last = lo + (way - 1) / step * f.step;
        Some((lo.min(last), lo.max(last)))
    }

    fn kind(&mut self, f: &For) -> Verified {
        if let ForKind::Vector(Some(lanes)) = f.kind {
            let right = lanes.is_power_of_two() && lanes <= 64;
            ensure(right, || format!("the loop of {} has {lanes} lanes", f.var))?;
        }
        if f.kind != ForKind::Serial {
            let nested = matches!(self.inside, Some(ForKind::Vector(_)))
                || self.inside.is_some() && f.kind == ForKind::Parallel;
            ensure(!nested, || format!("the loop of {} is nested in another of its kind", f.var))?;
            self.inside = Some(f.kind);
        }
        Ok(())
    }
}
