//! Random functions, for tests that compare whatever takes functions.
//!
//! Every function made here verifies, ends, accesses buffers in bounds, and has
//! independent iterations where it says so. Bits of floats never become integers, so
//! results are comparable where NaNs differ in their bits.

use crate::{
    Buffer, BufferKind, Expr, ExprData, For, ForKind, Function, IntOp, Local, Stmt, Var,
    interp::Memory,
};
use weft_base::entity::EntityRef;
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};

/// Elements of every buffer.
pub const LEN: i64 = 96;

/// A random function with the operands of one call.
pub struct Case {
    /// The function.
    pub function: Function,
    /// Values of its parameters.
    pub params: Vec<Scalar>,
    /// Contents of its buffers.
    pub buffers: Vec<Memory>,
}

/// The case of a seed; the same seed gives the same case.
pub fn case(seed: u64) -> Case {
    let mut maker = Maker::new(seed);
    maker.declare();
    for _ in 0..1 + maker.below(3) {
        let stmt = maker.stmt(0);
        maker.body.push(stmt);
    }
    maker.finish()
}

struct Maker {
    state: u64,
    function: Function,
    body: Vec<Stmt>,
    params: Vec<Scalar>,
    inputs: Vec<Buffer>,
    outputs: Vec<Buffer>,
    /// Open loops with their upper bounds, all within `0..LEN`.
    vars: Vec<Var>,
    /// Locals that are assigned here.
    locals: Vec<Local>,
    /// The vector or parallel loop around, whose variable every stored index is.
    lane: Option<Var>,
    traps: u32,
    /// Accumulators of the loops around.
    accumulators: Vec<(Local, BinaryOp)>,
}

impl Maker {
    fn new(seed: u64) -> Maker {
        Maker {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            function: Function::new("random"),
            body: Vec::new(),
            params: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            vars: Vec::new(),
            locals: Vec::new(),
            lane: None,
            traps: 0,
            accumulators: Vec::new(),
        }
    }

    fn next(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn ty(&mut self) -> ScalarType {
        self.pick(&ScalarType::ALL)
    }

    fn declare(&mut self) {
        self.function.strict = true;
        let n = self.below(70) as i64;
        self.function.add_param("n", ScalarType::I64);
        self.params.push(Scalar::I64(n));
        let size = self.function.int(LEN);
        for ty in ScalarType::ALL {
            self.function.add_param("p", ty);
            let value = self.value(ty);
            self.params.push(value);
            self.inputs.push(self.function.add_buffer("in", ty, BufferKind::In, size));
            self.outputs.push(self.function.add_buffer("out", ty, BufferKind::InOut, size));
        }
    }

    fn finish(mut self) -> Case {
        self.function.body = std::mem::take(&mut self.body);
        let types: Vec<ScalarType> = self.function.buffers.values().map(|b| b.elem).collect();
        let buffers = types.into_iter().map(|ty| self.memory(ty)).collect();
        Case { function: self.function, params: self.params, buffers }
    }

    fn memory(&mut self, ty: ScalarType) -> Memory {
        let values: Vec<Scalar> = (0..LEN).map(|_| self.value(ty)).collect();
        Memory::from_scalars(ty, &values)
    }

    /// Any value, special ones often.
    fn value(&mut self, ty: ScalarType) -> Scalar {
        let small = self.below(41) as i64 - 20;
        match (ty, self.below(8)) {
            (_, 0) if ty.is_float() => {
                let special =
                    self.pick(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 1e-310]);
                weft_scalar::eval::cast(Scalar::F64(special), ty)
            }
            (_, 1..=2) if ty.is_float() => {
                weft_scalar::eval::cast(Scalar::F64(small as f64 * 0.5), ty)
            }
            (_, 3..=4) if ty.is_float() => {
                let value = small as f64 * 0.37 + 1e-3 * self.below(1000) as f64;
                weft_scalar::eval::cast(Scalar::F64(value), ty)
            }
            (_, 5) if ty.is_float() => {
                let exponent = self.below(600) as i32 - 300;
                let value = small as f64 * 2.0_f64.powi(exponent / 3);
                weft_scalar::eval::cast(Scalar::F64(value), ty)
            }
            (ScalarType::Bool, _) => Scalar::Bool(small % 2 == 0),
            (_, 0) => {
                let minus_one = Scalar::from_i64(ty, -1);
                let ends = [Scalar::least(ty), Scalar::greatest(ty), minus_one, Scalar::zero(ty)];
                self.pick(&ends)
            }
            (_, 1) => Scalar::from_i64(ty, self.next() as i64),
            _ => Scalar::from_i64(ty, small),
        }
    }

    fn expr(&mut self, ty: ScalarType, depth: usize) -> Expr {
        if depth == 0 || self.below(6) == 0 {
            return self.leaf(ty);
        }
        match self.below(10) {
            0 => self.unary(ty, depth),
            1 => self.convert(ty, depth),
            2 => {
                let c = self.expr(ScalarType::Bool, depth - 1);
                let (a, b) = self.pair(ty, depth);
                self.function.select(c, a, b)
            }
            3 if ty.is_float() && !ty.is_small_float() => {
                let (a, b) = self.pair(ty, depth);
                let c = self.expr(ty, depth - 1);
                self.function.fma(a, b, c)
            }
            4 if ty == ScalarType::I64 && !self.vars.is_empty() => self.divided(),
            4 | 5 if matches!(ty, ScalarType::I32 | ScalarType::I64) => {
                let (a, b) = self.pair(ty, depth);
                let op = self.pick(&IntOp::ALL);
                self.function.push(ExprData::Int(op, a, b))
            }
            _ => self.binary(ty, depth),
        }
    }

    /// A multiple of a variable plus a constant, divided by a constant; it may wrap.
    fn divided(&mut self) -> Expr {
        let vars = self.vars.clone();
        let v = self.pick(&vars);
        let var = self.function.var(v);
        let factor = self.below(7) as i64 - 3;
        let offset = self.pick(&[0, 5, -40, i64::MAX - 20, i64::MIN + 30]);
        let divisor = self.pick(&[1, 2, 3, 7, 18, 64, 1000]);
        let (factor, offset) = (self.function.int(factor), self.function.int(offset));
        let divisor = self.function.int(divisor);
        let scaled = self.function.mul(var, factor);
        let a = self.function.add(scaled, offset);
        match self.below(4) {
            0 => self.function.int_op(IntOp::FloorDiv, a, divisor),
            1 => self.function.int_op(IntOp::FloorMod, a, divisor),
            2 => self.function.binary(BinaryOp::Div, a, divisor),
            _ => self.function.binary(BinaryOp::Rem, a, divisor),
        }
    }

    fn pair(&mut self, ty: ScalarType, depth: usize) -> (Expr, Expr) {
        (self.expr(ty, depth - 1), self.expr(ty, depth - 1))
    }

    fn leaf(&mut self, ty: ScalarType) -> Expr {
        match self.below(5) {
            0 => {
                let value = self.value(ty);
                self.function.constant(value)
            }
            1 => {
                let typed: Vec<_> =
                    self.function.params.iter().filter(|(_, p)| p.ty == ty).collect();
                let at = typed[self.params.len() % typed.len()].0;
                self.function.param(at)
            }
            2 if ty == ScalarType::I64 && !self.vars.is_empty() => {
                let vars = self.vars.clone();
                let v = self.pick(&vars);
                self.function.var(v)
            }
            3 => {
                let fitting: Vec<Local> = self.locals.clone();
                let fitting: Vec<Local> =
                    fitting.into_iter().filter(|&l| self.function.locals[l].ty == ty).collect();
                if fitting.is_empty() {
                    self.load(ty)
                } else {
                    let l = self.pick(&fitting);
                    self.function.local(l)
                }
            }
            _ => self.load(ty),
        }
    }

    fn load(&mut self, ty: ScalarType) -> Expr {
        let i = ScalarType::ALL.iter().position(|&t| t == ty).expect("all types are listed");
        let own = self.below(3) == 0;
        match self.lane {
            // What other iterations write must not be read.
            Some(v) if own => {
                let index = self.function.var(v);
                self.function.load(self.outputs[i], index)
            }
            Some(_) => {
                let index = self.index();
                self.function.load(self.inputs[i], index)
            }
            None => {
                let index = self.index();
                let buffer = if self.below(2) == 0 { self.inputs[i] } else { self.outputs[i] };
                self.function.load(buffer, index)
            }
        }
    }

    /// An index in `0..LEN`.
    fn index(&mut self) -> Expr {
        let any = match (self.vars.is_empty(), self.below(5)) {
            (false, 0..=2) => {
                let vars = self.vars.clone();
                let v = self.pick(&vars);
                return self.affine(v);
            }
            (_, 3) => self.expr(ScalarType::I64, 2),
            _ => {
                let at = self.below(LEN as usize) as i64;
                return self.function.int(at);
            }
        };
        let len = self.function.int(LEN);
        self.function.int_op(IntOp::FloorMod, any, len)
    }

    /// `v`, `LEN - 1 - v`, `v / 2`, or a multiple of `v` modulo `LEN`.
    fn affine(&mut self, v: Var) -> Expr {
        let var = self.function.var(v);
        let last = self.function.int(LEN - 1);
        let (two, three) = (self.function.int(2), self.function.int(3));
        match self.below(6) {
            0 => self.function.sub(last, var),
            1 => self.function.int_op(IntOp::FloorDiv, var, two),
            2 => {
                let scaled = self.function.mul(var, three);
                let len = self.function.int(LEN);
                self.function.int_op(IntOp::FloorMod, scaled, len)
            }
            _ => var,
        }
    }

    fn unary(&mut self, ty: ScalarType, depth: usize) -> Expr {
        let a = self.expr(ty, depth - 1);
        let op = match ty {
            ScalarType::Bool => UnaryOp::Not,
            _ if ty.is_int() => {
                use UnaryOp::*;
                self.pick(&[Neg, Abs, Sign, BitsNot, Popcount])
            }
            _ => loop {
                let op = self.pick(&UnaryOp::ALL);
                if op.operands().takes(ty) {
                    break op;
                }
            },
        };
        self.function.unary(op, a)
    }

    fn convert(&mut self, ty: ScalarType, depth: usize) -> Expr {
        match ty {
            ScalarType::F32 if self.below(3) == 0 => {
                let a = self.expr(ScalarType::I32, depth - 1);
                self.function.bitcast(ty, a)
            }
            ScalarType::F64 if self.below(3) == 0 => {
                let a = self.expr(ScalarType::I64, depth - 1);
                self.function.bitcast(ty, a)
            }
            _ => {
                let from = self.ty();
                let a = self.expr(from, depth - 1);
                self.function.cast(ty, a)
            }
        }
    }

    fn binary(&mut self, ty: ScalarType, depth: usize) -> Expr {
        use BinaryOp::*;
        if ty == ScalarType::Bool {
            let operands = self.ty();
            if operands.is_int() && self.below(3) == 0 {
                let op = self.pick(&[Add, Sub, Mul, Div, Pow]);
                let (a, b) = self.pair(operands, depth);
                return self.function.overflows(op, a, b);
            }
            let op = match operands {
                ScalarType::Bool => self.pick(&[And, Or, Eq, Ne, Min, Max]),
                _ => self.pick(&[Eq, Ne, Lt, Le, Gt, Ge]),
            };
            let (a, b) = self.pair(operands, depth);
            return self.function.binary(op, a, b);
        }
        let last = if ty.is_float() && self.below(3) == 0 { Atan2 } else { Pow };
        let bits = [BitsAnd, BitsOr, BitsXor, BitsShl, BitsShr, BitsRotl];
        let op = if ty.is_int() && self.below(4) == 0 {
            self.pick(&bits)
        } else {
            self.pick(&[Add, Sub, Mul, Div, Rem, Min, Max, Add, Sub, Mul, last])
        };
        let (a, b) = self.pair(ty, depth);
        self.function.binary(op, a, b)
    }

    fn block(&mut self, depth: usize) -> Vec<Stmt> {
        let locals = self.locals.len();
        let body = (0..1 + self.below(3)).map(|_| self.stmt(depth)).collect();
        self.locals.truncate(locals);
        body
    }

    fn stmt(&mut self, depth: usize) -> Stmt {
        match self.below(12) {
            0..=4 if depth < 3 => self.for_loop(depth),
            5 if depth < 4 => {
                let cond = self.expr(ScalarType::Bool, 2);
                Stmt::If { cond, then: self.block(depth + 1), otherwise: self.block(depth + 1) }
            }
            6 | 7 => {
                let ty = self.ty();
                let value = self.expr(ty, 3);
                let local = self.function.add_local("l", ty);
                self.locals.push(local);
                Stmt::Set { local, value }
            }
            8 if self.lane.is_none() => self.fill(),
            9 if self.below(4) == 0 => self.trap(depth),
            10 if self.below(4) == 0 => self.flag(),
            _ => self.store(),
        }
    }

    fn store(&mut self) -> Stmt {
        let i = self.below(self.outputs.len());
        let value = self.expr(ScalarType::ALL[i], 4);
        let index = match self.lane {
            Some(v) => self.function.var(v),
            None => self.index(),
        };
        Stmt::Store { buffer: self.outputs[i], index, value }
    }

    fn fill(&mut self) -> Stmt {
        let i = self.below(self.outputs.len());
        let value = self.value(ScalarType::ALL[i]);
        let value = self.function.constant(value);
        let from = self.below(LEN as usize) as i64;
        let (lo, hi) = (self.function.int(from), self.bound());
        Stmt::Fill { buffer: self.outputs[i], lo, hi, value }
    }

    /// A trap that is rarely met; at most one per function and in no serial loop inside a
    /// vector loop, so that the order in which lanes get there does not matter.
    fn trap(&mut self, depth: usize) -> Stmt {
        let inside = self.lane.is_some() && self.vars.last().copied() != self.lane;
        if self.traps > 0 || inside {
            return self.store();
        }
        self.traps += 1;
        let cond = self.expr(ScalarType::Bool, 3);
        let site = depth as u32;
        let args = (0..self.below(4)).map(|_| self.expr(ScalarType::I64, 2)).collect();
        Stmt::If { cond, then: vec![Stmt::Trap { site, args }], otherwise: Vec::new() }
    }

    /// A failure that is noted; no function has both this and a trap, of which either could
    /// come first.
    fn flag(&mut self) -> Stmt {
        if self.traps > 0 {
            return self.store();
        }
        self.traps += 1;
        let rare = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul];
        let op = self.pick(&rare);
        let (a, b) = self.pair(ScalarType::I32, 2);
        let cond = self.function.overflows(op, a, b);
        Stmt::Flag { cond }
    }

    /// An upper bound of at most `LEN`: a constant, `n`, or the variable of an outer loop.
    fn bound(&mut self) -> Expr {
        let vars = self.vars.clone();
        match self.below(4) {
            0 => {
                let at = self.below(LEN as usize) as i64;
                self.function.int(at)
            }
            1 if !vars.is_empty() => {
                let v = self.pick(&vars);
                self.function.var(v)
            }
            _ => {
                let n = self.function.params.keys().next().expect("declared");
                self.function.param(n)
            }
        }
    }

    fn for_loop(&mut self, depth: usize) -> Stmt {
        let var = self.function.add_var(format!("i{depth}").as_str());
        let bound = self.bound();
        let zero = self.function.int(0);
        let backward = self.below(4) == 0;
        let minus = self.function.int(-1);
        let one = self.function.int(1);
        let (lo, hi, step) = if backward {
            (self.function.sub(bound, one), minus, -1 - self.below(2) as i64)
        } else {
            (zero, bound, 1 + self.below(5) as i64 / 3)
        };
        let vector = self.lane.is_none() && self.below(2) == 0;
        let kind = match vector {
            true => self.pick(&[
                ForKind::Vector(None),
                ForKind::Vector(Some(4)),
                ForKind::Vector(Some(16)),
                ForKind::Parallel,
            ]),
            false => ForKind::Serial,
        };
        let reduction = self.reduction();
        self.vars.push(var);
        let (outer, hidden) = (self.lane, self.locals.clone());
        if vector {
            self.lane = Some(var);
        }
        self.accumulators.push(reduction);
        let scans = kind != ForKind::Parallel && self.below(3) == 0;
        let running = if scans { self.running() } else { Vec::new() };
        let scan = scans.then(|| self.scan(&running));
        self.locals.extend(running.iter().map(|(local, _)| *local));
        let mut body: Vec<Stmt> = scan.into_iter().chain(self.block(depth + 1)).collect();
        self.locals = hidden;
        // Into this loop's accumulator or one of those around.
        let all = self.accumulators.clone();
        for _ in 0..1 + self.below(2) {
            let into = self.pick(&all);
            body.push(self.accumulate(into));
        }
        self.accumulators.pop();
        self.lane = outer;
        self.vars.pop();
        let inner = Stmt::For(For { var, lo, hi, step, kind, body });
        let inner = self.around(reduction, inner);
        running.into_iter().fold(inner, |inner, running| self.around(running, inner))
    }

    /// The values that one scan brings together: several sums of integers at times.
    fn running(&mut self) -> Vec<(Local, BinaryOp)> {
        let first = self.reduction();
        let ty = self.function.locals[first.0].ty;
        // The order of products of floats shows in more than their last digits.
        let many = first.1 == BinaryOp::Add && ty.is_int();
        let more = if many { self.below(3) } else { 0 };
        let others = (0..more).map(|_| (self.function.add_local("acc", ty), BinaryOp::Add));
        [first].into_iter().chain(others).collect()
    }

    fn scan(&mut self, running: &[(Local, BinaryOp)]) -> Stmt {
        let (first, op) = running[0];
        let ty = self.function.locals[first].ty;
        let values: Vec<Expr> = running.iter().map(|_| self.expr(ty, 2)).collect();
        let multiplied = op == BinaryOp::Add && ty.is_int() && self.below(2) == 0;
        let entries = if multiplied || running.len() > 1 { running.len().pow(2) } else { 0 };
        let by = (0..entries).map(|_| (self.below(4) > 0).then(|| self.expr(ty, 2))).collect();
        Stmt::Scan { locals: running.iter().map(|r| r.0).collect(), op, values, by }
    }

    fn reduction(&mut self) -> (Local, BinaryOp) {
        use BinaryOp::*;
        let ty = self.ty();
        let op = match ty {
            ScalarType::Bool => self.pick(&[And, Or]),
            _ => self.pick(&[Add, Mul, Min, Max]),
        };
        (self.function.add_local("acc", ty), op)
    }

    fn accumulate(&mut self, (local, op): (Local, BinaryOp)) -> Stmt {
        let ty = self.function.locals[local].ty;
        let value = self.expr(ty, 2);
        Stmt::Accumulate { local, op, value }
    }

    /// Sets the accumulator, runs the loop, and stores the result.
    fn around(&mut self, (local, _): (Local, BinaryOp), inner: Stmt) -> Stmt {
        let ty = self.function.locals[local].ty;
        let start = self.value(ty);
        let value = self.function.constant(start);
        let i = ScalarType::ALL.iter().position(|&t| t == ty).expect("all types are listed");
        let index = match self.lane {
            Some(v) => self.function.var(v),
            None => self.function.int((local.index() as i64 * 7) % LEN),
        };
        let result = self.function.local(local);
        let cond = self.function.constant(Scalar::Bool(true));
        let store = Stmt::Store { buffer: self.outputs[i], index, value: result };
        let then = vec![Stmt::Set { local, value }, inner, store];
        Stmt::If { cond, then, otherwise: Vec::new() }
    }
}
