//! The interpreter: what a function means, one statement at a time.
//!
//! Slow and checked: the oracle for machine code. Vector and parallel loops run in order.

use crate::{Buffer, BufferKind, Expr, ExprData, For, Function, Local, Stmt, Var, eval};
use rustc_hash::FxHashMap;
use std::fmt;
use std::rc::Rc;
use weft_base::entity::{PrimaryMap, SecondaryMap};
use weft_scalar::function::{self, Fault, Limits};
use weft_scalar::{BinaryOp, Scalar, ScalarType};

/// The elements of one buffer.
#[derive(Clone, PartialEq, Debug)]
pub struct Memory {
    /// Type of the elements.
    pub ty: ScalarType,
    /// Their bytes in the machine's order.
    pub bytes: Vec<u8>,
}

impl Memory {
    /// `len` zeros.
    pub fn zeroed(ty: ScalarType, len: usize) -> Memory {
        Memory { ty, bytes: vec![0; len * ty.bytes()] }
    }

    /// These elements, all of type `ty`.
    pub fn from_scalars(ty: ScalarType, elements: &[Scalar]) -> Memory {
        let mut memory = Memory::zeroed(ty, elements.len());
        for (i, &value) in elements.iter().enumerate() {
            memory.set(i, value);
        }
        memory
    }

    /// Count of elements.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.ty.bytes()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Element `i`. Panics if there is none.
    pub fn get(&self, i: usize) -> Scalar {
        let width = self.ty.bytes();
        let mut word = [0; 8];
        word[..width].copy_from_slice(&self.bytes[i * width..(i + 1) * width]);
        Scalar::from_bits(self.ty, u64::from_le_bytes(word))
    }

    /// Writes element `i`. Panics if there is none.
    pub fn set(&mut self, i: usize, value: Scalar) {
        let width = self.ty.bytes();
        let word = value.bits().to_le_bytes();
        self.bytes[i * width..(i + 1) * width].copy_from_slice(&word[..width]);
    }

    /// Every element.
    pub fn scalars(&self) -> Vec<Scalar> {
        (0..self.len()).map(|i| self.get(i)).collect()
    }
}

/// Why a run ended early.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// A [`Stmt::Trap`].
    Trap {
        /// Its site.
        site: u32,
        /// Its arguments.
        args: Vec<i64>,
    },
    /// A [`Stmt::Flag`].
    Overflow,
    /// An access outside a buffer: a mistake of whoever made the function.
    OutOfBounds {
        /// The buffer.
        buffer: Buffer,
        /// The index.
        index: i64,
        /// Its count of elements.
        len: usize,
    },
    /// More statements ran than were allowed.
    OutOfFuel,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Trap { site, args } => write!(f, "trap {site} {args:?}"),
            Failure::OutOfBounds { buffer, index, len } => {
                write!(f, "index {index} of {buffer}, which has {len} elements")
            }
            Failure::Overflow => f.write_str("an integer left its type"),
            Failure::OutOfFuel => f.write_str("the run was too long"),
        }
    }
}

/// Runs a verified function on at most `fuel` statements.
///
/// `buffers` holds those that the caller provides, in order. Panics if they or `params`
/// are not of the declared types.
pub fn run(
    function: &Function,
    params: &[Scalar],
    buffers: &mut [Memory],
    fuel: u64,
) -> Result<(), Failure> {
    let mut run = Run::new(function, params, buffers, fuel)?;
    let result = run.block(&function.body);
    let mut slots = buffers.iter_mut();
    for (b, memory) in run.memory {
        if function.buffers[b].kind != BufferKind::Stack {
            *slots.next().expect("counted at the start") = memory;
        }
    }
    result
}

struct Run<'a> {
    function: &'a Function,
    params: &'a [Scalar],
    memory: PrimaryMap<Buffer, Memory>,
    vars: SecondaryMap<Var, i64>,
    locals: SecondaryMap<Local, Option<Scalar>>,
    values: SecondaryMap<Expr, Option<Scalar>>,
    /// The nodes that an expression needs, operands first.
    orders: FxHashMap<Expr, Rc<[Expr]>>,
    fuel: u64,
}

impl<'a> Run<'a> {
    fn new(
        function: &'a Function,
        params: &'a [Scalar],
        buffers: &mut [Memory],
        fuel: u64,
    ) -> Result<Run<'a>, Failure> {
        let mut run = Run {
            function,
            params,
            memory: PrimaryMap::new(),
            vars: SecondaryMap::new(),
            locals: SecondaryMap::new(),
            values: SecondaryMap::new(),
            orders: FxHashMap::default(),
            fuel,
        };
        let mut given = buffers.iter_mut();
        for decl in function.buffers.values() {
            let memory = match decl.kind {
                BufferKind::Stack => {
                    Memory::zeroed(decl.elem, run.int(decl.size)?.try_into().unwrap_or(0))
                }
                _ => {
                    let slot = given.next().expect("a buffer is given for each declared");
                    assert_eq!(slot.ty, decl.elem, "type of buffer {}", decl.name);
                    std::mem::replace(slot, Memory::zeroed(decl.elem, 0))
                }
            };
            run.memory.push(memory);
        }
        Ok(run)
    }

    fn block(&mut self, body: &[Stmt]) -> Result<(), Failure> {
        body.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Failure> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Failure::OutOfFuel)?;
        match stmt {
            Stmt::For(f) => self.for_loop(f),
            Stmt::If { cond, then, otherwise } => match self.eval(*cond)? {
                Scalar::Bool(true) => self.block(then),
                _ => self.block(otherwise),
            },
            Stmt::Store { buffer, index, value } => {
                let index = self.int(*index)?;
                let value = self.eval(*value)?;
                self.store(*buffer, index, value)
            }
            Stmt::Set { local, value } => {
                self.locals[*local] = Some(self.eval(*value)?);
                Ok(())
            }
            Stmt::Accumulate { local, op, value } => self.combine(*local, *op, *value),
            Stmt::Scan { locals, op, values, by } if by.is_empty() => {
                self.combine(locals[0], *op, values[0])
            }
            Stmt::Scan { locals, values, by, .. } => self.step(locals, values, by),
            Stmt::Fill { buffer, lo, hi, value } => {
                let (lo, hi) = (self.int(*lo)?, self.int(*hi)?);
                let value = self.eval(*value)?;
                (lo..hi).try_for_each(|i| self.store(*buffer, i, value))
            }
            Stmt::Call { local, function, args, site, point } => {
                let args = args.iter().map(|&a| self.eval(a)).collect::<Result<Vec<_>, _>>()?;
                let point: Result<Vec<i64>, Failure> = point.iter().map(|&a| self.int(a)).collect();
                let limits = Limits { calls: Some(self.fuel), interrupt: None };
                let found = function::run(&self.function.callees, *function, &args, &limits);
                self.locals[*local] = Some(match found {
                    Ok(v) => v,
                    Err(
                        Fault::Trap { site: n, .. }
                        | Fault::Unmet { site: n }
                        | Fault::TooDeep { site: n },
                    ) => {
                        return Err(Failure::Trap { site: site + n, args: point? });
                    }
                    Err(Fault::Exhausted | Fault::Interrupted) => return Err(Failure::OutOfFuel),
                });
                Ok(())
            }
            Stmt::Flag { cond } => match self.eval(*cond)? {
                Scalar::Bool(true) => Err(Failure::Overflow),
                _ => Ok(()),
            },
            Stmt::Trap { site, args } => {
                let args: Result<Vec<i64>, Failure> = args.iter().map(|&a| self.int(a)).collect();
                Err(Failure::Trap { site: *site, args: args? })
            }
        }
    }

    /// `local = local * by op value`.
    fn combine(&mut self, local: Local, op: BinaryOp, value: Expr) -> Result<(), Failure> {
        let value = self.eval(value)?;
        let old = self.locals[local].expect("verified: assigned before");
        self.locals[local] = Some(eval::binary(op, old, value));
        Ok(())
    }

    /// `locals = by * locals + values`.
    fn step(
        &mut self,
        locals: &[Local],
        values: &[Expr],
        by: &[Option<Expr>],
    ) -> Result<(), Failure> {
        let mut new = Vec::new();
        for (row, &value) in by.chunks(locals.len()).zip(values) {
            let mut sum: Option<Scalar> = None;
            for (by, &local) in row.iter().zip(locals) {
                let &Some(by) = by else { continue };
                let old = self.locals[local].expect("verified: assigned before");
                let product = eval::binary(BinaryOp::Mul, old, self.eval(by)?);
                sum = Some(sum.map_or(product, |s| eval::binary(BinaryOp::Add, s, product)));
            }
            let value = self.eval(value)?;
            new.push(sum.map_or(value, |sum| eval::binary(BinaryOp::Add, sum, value)));
        }
        locals.iter().zip(new).for_each(|(&l, v)| self.locals[l] = Some(v));
        Ok(())
    }

    fn for_loop(&mut self, f: &For) -> Result<(), Failure> {
        let (lo, hi) = (self.int(f.lo)?, self.int(f.hi)?);
        let mut value = lo;
        while if f.step > 0 { value < hi } else { value > hi } {
            self.fuel = self.fuel.checked_sub(1).ok_or(Failure::OutOfFuel)?;
            self.vars[f.var] = value;
            self.block(&f.body)?;
            match value.checked_add(f.step) {
                Some(next) => value = next,
                None => break,
            }
        }
        Ok(())
    }

    fn position(&self, buffer: Buffer, index: i64) -> Result<usize, Failure> {
        let len = self.memory[buffer].len();
        match usize::try_from(index) {
            Ok(i) if i < len => Ok(i),
            _ => Err(Failure::OutOfBounds { buffer, index, len }),
        }
    }

    fn store(&mut self, buffer: Buffer, index: i64, value: Scalar) -> Result<(), Failure> {
        let i = self.position(buffer, index)?;
        self.memory[buffer].set(i, value);
        Ok(())
    }

    fn int(&mut self, e: Expr) -> Result<i64, Failure> {
        Ok(self.eval(e)?.as_i64().expect("verified: an i64"))
    }

    fn eval(&mut self, e: Expr) -> Result<Scalar, Failure> {
        let function = self.function;
        let order = self.orders.entry(e).or_insert_with(|| function.reachable(&[e]).into());
        for &e in Rc::clone(order).iter() {
            self.values[e] = Some(self.node(e)?);
        }
        Ok(self.value(e))
    }

    fn value(&self, e: Expr) -> Scalar {
        self.values[e].expect("operands come first")
    }

    fn node(&self, e: Expr) -> Result<Scalar, Failure> {
        Ok(match self.function.expr(e) {
            ExprData::Const(value) => value,
            ExprData::Param(p) => {
                let index = weft_base::entity::EntityRef::index(p);
                self.params[index]
            }
            ExprData::Var(v) => Scalar::I64(self.vars[v]),
            ExprData::Local(l) => self.locals[l].expect("verified: assigned before"),
            // What threads share runs in order.
            ExprData::SingleThreaded => Scalar::Bool(false),
            ExprData::Load { buffer, index } => {
                let index = self.value(index).as_i64().expect("verified: an i64");
                self.memory[buffer].get(self.position(buffer, index)?)
            }
            operator => eval::apply(operator, &|e| self.value(e)),
        })
    }
}
