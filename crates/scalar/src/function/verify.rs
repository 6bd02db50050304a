//! Rules for functions: registers exist and are set before they are used, types
//! fit, calls are of functions that are there.

use super::{Block, Call, End, Function, Op, Reg, Step};
use crate::{BinaryOp, ScalarType};

/// The first thing that is wrong.
pub(super) fn verify(all: &[Option<Function>]) -> Result<(), String> {
    for (n, f) in all.iter().enumerate() {
        let Some(f) = f else { continue };
        let set = (0..f.regs.len()).map(|r| r < f.args).collect();
        Checker { all, f }.block(&f.body, set).map_err(|e| format!("f{n}: {e}"))?;
    }
    Ok(())
}

/// Which registers are set.
type Known = Vec<bool>;

struct Checker<'f> {
    all: &'f [Option<Function>],
    f: &'f Function,
}

impl Checker<'_> {
    fn block(&self, block: &Block, mut set: Known) -> Result<(), String> {
        self.steps(&block.steps, &mut set)?;
        match &block.end {
            End::Give(regs) => {
                let types =
                    regs.iter().map(|r| self.ty(*r, &set)).collect::<Result<Vec<_>, _>>()?;
                self.same_all(&types, &self.f.results)
            }
            End::Call(call) => self.same_all(self.call(call, &set)?, &self.f.results),
            End::If(c, a, b) => {
                self.has_type(*c, ScalarType::Bool, &set)?;
                self.block(a, set.clone())?;
                self.block(b, set)
            }
        }
    }

    fn steps(&self, steps: &[Step], set: &mut Known) -> Result<(), String> {
        for step in steps {
            match step {
                Step::Set(to, op) => self.set(*to, self.op(op, set)?, set)?,
                Step::Call(to, call) => {
                    let types = self.call(call, set)?;
                    if to.len() != types.len() {
                        return Err(format!("{} gives {} values", call.function, types.len()));
                    }
                    to.iter().zip(types).try_for_each(|(to, ty)| self.set(*to, *ty, set))?;
                }
                Step::Require(c, _) => self.has_type(*c, ScalarType::Bool, set)?,
                Step::If(c, a, b) => {
                    self.has_type(*c, ScalarType::Bool, set)?;
                    let mut other = set.clone();
                    self.steps(a, set)?;
                    self.steps(b, &mut other)?;
                    set.iter_mut().zip(other).for_each(|(a, b)| *a &= b);
                }
            }
        }
        Ok(())
    }

    fn set(&self, to: Reg, ty: ScalarType, set: &mut Known) -> Result<(), String> {
        let known = self.f.regs.get(to.index()).ok_or(format!("there is no {to}"))?;
        self.same(*known, ty)?;
        set[to.index()] = true;
        Ok(())
    }

    fn ty(&self, r: Reg, set: &Known) -> Result<ScalarType, String> {
        match self.f.regs.get(r.index()) {
            Some(ty) if set[r.index()] => Ok(*ty),
            _ => Err(format!("{r} holds nothing")),
        }
    }

    fn has_type(&self, r: Reg, ty: ScalarType, set: &Known) -> Result<(), String> {
        self.same(self.ty(r, set)?, ty)
    }

    fn same(&self, a: ScalarType, b: ScalarType) -> Result<(), String> {
        if a == b { Ok(()) } else { Err(format!("{a} where {b} belongs")) }
    }

    fn same_all(&self, a: &[ScalarType], b: &[ScalarType]) -> Result<(), String> {
        if a.len() != b.len() {
            return Err(format!("{} results where {} belong", a.len(), b.len()));
        }
        a.iter().zip(b).try_for_each(|(a, b)| self.same(*a, *b))
    }

    fn call(&self, call: &Call, set: &Known) -> Result<&[ScalarType], String> {
        let callee = self.all.get(call.function.index()).and_then(Option::as_ref);
        let callee = callee.ok_or(format!("there is no {}", call.function))?;
        if callee.args != call.args.len() {
            return Err(format!("{} takes {} arguments", call.function, callee.args));
        }
        for (a, ty) in call.args.iter().zip(&callee.regs) {
            self.has_type(*a, *ty, set)?;
        }
        Ok(&callee.results)
    }

    fn op(&self, op: &Op, set: &Known) -> Result<ScalarType, String> {
        Ok(match op {
            Op::Const(v) => v.ty(),
            Op::Copy(r) | Op::Unary(_, r) => self.ty(*r, set)?,
            Op::Cast(ty, r) => {
                self.ty(*r, set)?;
                *ty
            }
            Op::Binary(op, a, b, site) => {
                let ty = self.ty(*a, set)?;
                self.has_type(*b, ty, set)?;
                let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem) || op.moves_bits();
                if divides && ty.is_int() && site.is_none() {
                    return Err(format!("{} has no place to fail", op.name()));
                }
                if op.is_comparison() { ScalarType::Bool } else { ty }
            }
        })
    }
}
