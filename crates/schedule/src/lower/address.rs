//! Sizes, affine terms and cells as expressions of the loop level.

use crate::lower::emitter::Emitter;
use weft_domain::{Affine, Dim, Iter};
use weft_loops::{Expr, ExprData, Function, IntOp, Stmt};
use weft_scalar::{BinaryOp, ScalarType};
use weft_shape::{Atom, Size};
use weft_tensor::TensorId;

impl Emitter<'_> {
    /// A size, computed once at the start of the function.
    pub fn size(&mut self, s: &Size) -> Expr {
        if let Some(&e) = self.sizes.get(s) {
            return e;
        }
        let value = self.pure_size(s);
        let e = match self.f.expr(value) {
            ExprData::Const(_) | ExprData::Param(_) => value,
            _ => {
                let local = self.local("size", ScalarType::I64);
                self.prelude.push(Stmt::Set { local, value });
                self.f.local(local)
            }
        };
        self.sizes.insert(s.clone(), e);
        e
    }

    /// A size over parameters alone.
    pub fn pure_size(&mut self, s: &Size) -> Expr {
        let mut total = self.f.int(s.constant_term() as i64);
        for (monomial, c) in s.terms() {
            let mut product = self.f.int(*c as i64);
            for atom in monomial {
                let atom = self.atom(atom);
                product = self.f.mul(product, atom);
            }
            total = self.f.add(total, product);
        }
        total
    }

    fn atom(&mut self, a: &Atom) -> Expr {
        let extremum = |this: &mut Self, op: BinaryOp, parts: &[Size]| {
            let parts: Vec<Expr> = parts.iter().map(|p| this.pure_size(p)).collect();
            let all = parts.into_iter().reduce(|a, b| this.f.binary(op, a, b));
            all.expect("an extremum has parts")
        };
        match a {
            Atom::Param(p) => {
                let p = self.params[*p].expect("every parameter is declared");
                self.f.param(p)
            }
            Atom::Div(a, b) => {
                let (a, b) = (self.pure_size(a), self.pure_size(b));
                self.f.int_op(IntOp::FloorDiv, a, b)
            }
            Atom::Mod(a, b) => {
                let (a, b) = (self.pure_size(a), self.pure_size(b));
                self.f.int_op(IntOp::FloorMod, a, b)
            }
            Atom::Max(parts) => extremum(self, BinaryOp::Max, parts),
            Atom::Min(parts) => extremum(self, BinaryOp::Min, parts),
        }
    }

    /// An affine term, each iterator having the value that `iter` gives it.
    pub fn affine(&mut self, a: &Affine, iter: &dyn Fn(Iter) -> Expr) -> Expr {
        let mut total = None;
        for (d, c) in a.terms() {
            let value = match d {
                Dim::Iter(i) => iter(*i),
                Dim::Div(x, s) => {
                    let (x, s) = (self.affine(x, iter), self.size(s));
                    self.f.int_op(IntOp::FloorDiv, x, s)
                }
                Dim::Mod(x, s) => {
                    let (x, s) = (self.affine(x, iter), self.size(s));
                    self.f.int_op(IntOp::FloorMod, x, s)
                }
            };
            let c = self.f.int(*c);
            let scaled = self.f.mul(value, c);
            total = Some(match total {
                None => scaled,
                Some(t) => self.f.add(t, scaled),
            });
        }
        let offset = self.size(a.offset());
        match total {
            None => offset,
            Some(t) => self.f.add(t, offset),
        }
    }

    /// A term over the variables of open time loops.
    pub fn loop_term(&mut self, a: &Affine) -> Expr {
        let values = self.loop_vars.clone();
        self.affine(a, &|v| values[v].expect("the time loop is open"))
    }

    /// The index along an axis as it is stored: modulo the window's size.
    pub fn ring_index(&mut self, t: TensorId, axis: usize, index: Expr) -> Expr {
        match self.plan.storage[t].window() {
            Some((a, 1)) if a == axis => self.f.int(0),
            Some((a, _)) if a == axis && self.newest[t].is_some() => self.slot(t, index),
            Some((a, size)) if a == axis => {
                let size = self.f.int(size);
                self.f.int_op(IntOp::FloorMod, index, size)
            }
            _ => index,
        }
    }

    /// The slot of a step, where slots move. A step that is known is the newest: it is
    /// written, in no other step than its own.
    fn slot(&mut self, t: TensorId, index: Expr) -> Expr {
        let (Some(newest), None) = (self.newest[t], self.f.as_int(index)) else {
            return self.f.int(0);
        };
        let ((now, ahead), (then, more)) = (parted(&self.f, newest), parted(&self.f, index));
        if now == then { self.f.int(ahead - more) } else { self.f.sub(newest, index) }
    }

    /// The flat position of a cell.
    pub fn position(&mut self, t: TensorId, cell: &[Expr]) -> Expr {
        let shape = self.plan.stored_shape(t);
        let mut at = self.f.int(0);
        for (axis, (&index, extent)) in cell.iter().zip(&shape).enumerate() {
            let index = self.ring_index(t, axis, index);
            let extent = self.size(extent);
            at = self.f.mul(at, extent);
            at = self.f.add(at, index);
        }
        at
    }
}

/// A value as another and a constant to be added.
fn parted(f: &Function, e: Expr) -> (Expr, i64) {
    match f.expr(e) {
        ExprData::Binary(BinaryOp::Add, x, c) => match f.as_int(c) {
            Some(c) => (x, c),
            None => (e, 0),
        },
        _ => (e, 0),
    }
}
