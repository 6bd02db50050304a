//! Random programs: layers of maps, reductions, pieces and recurrences over each other.

use crate::build::*;
use crate::check::check;
use weft_domain::{Affine, Iter};
use weft_scalar::{BinaryOp, BinaryOp::*, Scalar, UnaryOp};
use weft_shape::Size;
use weft_tensor::{Accumulator, ExprId, IndexTerm, TensorId};

#[test]
fn random_programs_agree_on_every_executor() {
    for seed in 0..600 {
        let result = std::panic::catch_unwind(|| run(seed));
        if let Err(e) = result {
            eprintln!("seed {seed}");
            std::panic::resume_unwind(e);
        }
    }
}

fn run(seed: u64) {
    let mut g = Generator::new(seed);
    let count = 2 + g.case.below(5);
    for n in 0..count {
        match g.case.below(11) {
            0..=2 => g.map(n),
            3 | 4 => g.reduction(n),
            5 => g.pieces(n),
            6 | 7 => g.recurrence(n),
            8 => g.group(n),
            9 => g.prefix(n),
            _ => g.tail(n),
        }
    }
    let all: Vec<TensorId> = g.made.clone();
    let mut seen: Vec<TensorId> = Vec::new();
    for &t in &all {
        if g.case.below(4) == 0 {
            seen.push(t);
        }
    }
    seen.push(*all.last().expect("something was made"));
    seen.dedup();
    check(&g.case, &seen);
}

/// An iterator with its range, as reads see it.
#[derive(Clone)]
struct Index {
    iter: Iter,
    extent: Size,
}

struct Generator {
    case: Case,
    sizes: Vec<Size>,
    /// Tensors that may be read.
    known: Vec<TensorId>,
    made: Vec<TensorId>,
}

impl Generator {
    fn new(seed: u64) -> Generator {
        let mut case = Case::seeded(seed);
        let (n, m) = (case.below(5) as i64, 1 + case.below(4) as i64);
        let sizes = vec![case.param("n", n, 0), case.param("m", m, 1), size(3)];
        let mut g = Generator { case, sizes, known: Vec::new(), made: Vec::new() };
        for name in ["x", "y", "z"] {
            let shape = g.shape(3);
            let t = g.case.input(name, F64, &shape);
            g.known.push(t);
        }
        g
    }

    fn shape(&mut self, most: u64) -> Vec<Size> {
        let rank = self.case.below(most + 1);
        (0..rank).map(|_| self.any_size()).collect()
    }

    fn any_size(&mut self) -> Size {
        let at = self.case.below(self.sizes.len() as u64) as usize;
        self.sizes[at].clone()
    }

    fn start(&mut self, shape: &[Size]) -> (Clause, Vec<Index>) {
        let mut c = Clause::default();
        let names = ["i", "j", "k"];
        let indices = shape
            .iter()
            .zip(names)
            .map(|(e, n)| Index { iter: c.range(n, size(0), e.clone()), extent: e.clone() })
            .collect();
        (c, indices)
    }

    fn keep(&mut self, t: TensorId) {
        self.known.push(t);
        self.made.push(t);
    }

    fn map(&mut self, n: u64) {
        let shape = self.shape(3);
        let t = self.case.tensor(&format!("map{n}"), F64, &shape);
        let (mut c, idx) = self.start(&shape);
        let body = self.body(&mut c, &idx, 3);
        let write: Vec<Affine> = idx.iter().map(|i| it(i.iter)).collect();
        c.set(&mut self.case, t, &write, body);
        self.case.cover(t);
        self.keep(t);
    }

    fn reduction(&mut self, n: u64) {
        let shape = self.shape(2);
        let t = self.case.tensor(&format!("red{n}"), F64, &shape);
        let (mut c, mut idx) = self.start(&shape);
        let write: Vec<Affine> = idx.iter().map(|i| it(i.iter)).collect();
        for name in ["p", "q"].iter().take(1 + self.case.below(2) as usize) {
            let e = self.any_size();
            idx.push(Index { iter: c.range(name, size(0), e.clone()), extent: e });
        }
        let body = self.body(&mut c, &idx, 2);
        if self.case.below(3) == 0 {
            let limit = c.num(0.5);
            c.mask = Some(c.op(Lt, body, limit));
        }
        use Accumulator::*;
        let acc = [Sum, Sum, Sum, Max, Min, Prod][self.case.below(6) as usize];
        c.finish(&mut self.case, t, &write, acc, body);
        self.case.cover(t);
        self.keep(t);
    }

    /// Two pieces beside each other on the first axis, and a gap of one.
    fn pieces(&mut self, n: u64) {
        let (a, b) = (self.any_size(), self.any_size());
        let total = a.plus(&b).plus_const(1);
        let t = self.case.tensor(&format!("cat{n}"), F64, &[total]);
        let parts = [(a.clone(), size(0)), (b, a.plus_const(self.case.below(2) as i64))];
        for (extent, from) in parts {
            let (mut c, idx) = self.start(&[extent]);
            let body = self.body(&mut c, &idx, 2);
            c.set(&mut self.case, t, &[it(idx[0].iter).plus_size(&from)], body);
        }
        self.keep(t);
    }

    /// A fixed cell, or the last one, of something with an axis that is not empty.
    fn tail(&mut self, n: u64) {
        let found = self.known.iter().rev().copied().find(|&t| {
            let shape: Vec<Size> = self.case.graph.shape(t).cloned().collect();
            !shape.is_empty() && self.case.value(&shape[0]) > 0 && shape[0] != self.sizes[0]
        });
        let Some(from) = found else { return self.map(n) };
        let shape: Vec<Size> = self.case.graph.shape(from).cloned().collect();
        let first = match self.case.below(3) {
            0 => Affine::fixed(0),
            _ => Affine::fixed(shape[0].plus_const(-1)),
        };
        let t = self.case.tensor(&format!("tail{n}"), F64, &shape[1..]);
        let (mut c, idx) = self.start(&shape[1..]);
        let write: Vec<Affine> = idx.iter().map(|i| it(i.iter)).collect();
        let at: Vec<Affine> = [first].into_iter().chain(write.clone()).collect();
        let body = c.read(&self.case, from, &at);
        c.set(&mut self.case, t, &write, body);
        self.case.cover(t);
        self.keep(t);
    }

    /// A tensor over time that looks back one or two steps, sometimes through a sum.
    fn recurrence(&mut self, n: u64) {
        let time = [self.sizes[1].plus_const(2), size(5)][self.case.below(2) as usize].clone();
        let state = self.shape(2);
        let back = 1 + self.case.below(2) as i64;
        let down = self.case.below(4) == 0;
        let shape: Vec<Size> = [time.clone()].into_iter().chain(state.clone()).collect();
        let t = self.case.tensor(&format!("rec{n}"), F64, &shape);
        // Time runs up; a descending one writes the mirrored index.
        let at = |term: Affine| match down {
            false => term,
            true => term.scaled(-1).unwrap().plus_size(&time.plus_const(-1)),
        };
        let based = self.case.below(4) != 0;
        for base in 0..if based { back } else { 0 } {
            let (mut c, idx) = self.start(&state);
            let body = self.body(&mut c, &idx, 1);
            let cell = [at(Affine::fixed(base))].into_iter();
            let write: Vec<Affine> = cell.chain(idx.iter().map(|i| it(i.iter))).collect();
            c.set(&mut self.case, t, &write, body);
        }
        let mut c = Clause::default();
        let s = c.range("t", size(back), time.clone());
        let mut idx: Vec<Index> = Vec::new();
        for (e, name) in state.iter().zip(["i", "j"]) {
            idx.push(Index { iter: c.range(name, size(0), e.clone()), extent: e.clone() });
        }
        let write: Vec<Affine> =
            [at(it(s))].into_iter().chain(idx.iter().map(|i| it(i.iter))).collect();
        let mut body = self.body(&mut c, &idx, 1);
        for lag in 1..=back {
            let mut cell = vec![at(off(s, -lag))];
            cell.extend(idx.iter().map(|i| self.index_like(i)));
            let v = c.read(&self.case, t, &cell);
            body = c.op(Add, body, v);
        }
        if let (false, Some(i)) = (down, idx.last()) {
            // The neighbour of the same step, where there is one.
            if self.case.below(3) == 0 {
                let mut cell = write.clone();
                *cell.last_mut().expect("has axes") = off(i.iter, -1);
                let v = c.read(&self.case, t, &cell);
                let (x, zero) = (c.exprs.index(it(i.iter)), c.int(0));
                let cond = c.op(Gt, x, zero);
                let other = c.num(0.25);
                let v = c.exprs.if_else(cond, v, other);
                body = c.op(Sub, body, v);
            }
        }
        let half = c.num(0.5);
        let body = c.op(Mul, body, half);
        c.set(&mut self.case, t, &write, body);
        if based {
            self.case.cover(t);
        }
        self.keep(t);
        self.running(n, t, &shape);
    }

    /// Two fields over time: each step a sum over the first, then the second from it, the
    /// time axis at any position.
    fn group(&mut self, n: u64) {
        let (time, width) = (size(4), self.any_size());
        let first = self.case.below(2) == 0;
        let place = |t: Affine, i: Affine| if first { vec![t, i] } else { vec![i, t] };
        let sizes = |t: Size, i: Size| if first { vec![t, i] } else { vec![i, t] };
        let shape = sizes(time.clone(), width.clone());
        let h = self.case.tensor(&format!("h{n}"), F64, &shape);
        let r = self.case.tensor(&format!("r{n}"), F64, &shape);
        let mut c = Clause::default();
        let i = c.range("i", size(0), width.clone());
        let idx = [Index { iter: i, extent: width.clone() }];
        let v = self.body(&mut c, &idx, 1);
        c.set(&mut self.case, h, &place(Affine::fixed(0), it(i)), v);
        let mut c = Clause::default();
        let (s, i) = match first {
            true => (c.range("t", size(1), time.clone()), c.range("i", size(0), width.clone())),
            false => {
                let i = c.range("i", size(0), width.clone());
                (c.range("t", size(1), time.clone()), i)
            }
        };
        let idx = [Index { iter: i, extent: width.clone() }];
        let v = c.read(&self.case, r, &place(it(s), it(i)));
        let v = c.un(UnaryOp::Tanh, v);
        let w = self.body(&mut c, &idx, 1);
        let v = c.op(Add, v, w);
        c.set(&mut self.case, h, &place(it(s), it(i)), v);
        self.case.cover(h);
        let mut c = Clause::default();
        let (s, i) = match first {
            true => (c.range("t", size(1), time.clone()), c.range("i", size(0), width.clone())),
            false => {
                let i = c.range("i", size(0), width.clone());
                (c.range("t", size(1), time.clone()), i)
            }
        };
        let k = match self.case.below(2) {
            0 => c.range("k", size(0), width.clone()),
            _ => c.range_to("k", Affine::fixed(0), off(i, 1)),
        };
        let v = c.read(&self.case, h, &place(off(s, -1), it(k)));
        let half = c.num(0.5);
        let v = c.op(Mul, v, half);
        let write = place(it(s), it(i));
        c.finish(&mut self.case, r, &write, Accumulator::Sum, v);
        self.keep(h);
        if self.case.below(2) == 0 {
            self.keep(r);
        }
    }

    /// Cells that need all before them, some of them under conditions and by data.
    fn prefix(&mut self, n: u64) {
        let len = self.any_size();
        let s = self.case.tensor(&format!("pre{n}"), F64, &[len.clone()]);
        let p = self.case.tensor(&format!("upto{n}"), F64, &[len.clone()]);
        let mut c = Clause::default();
        let t = c.range("t", size(0), len.clone());
        let k = c.range_to("k", Affine::fixed(0), it(t));
        let v = c.read(&self.case, s, &[it(k)]);
        c.finish(&mut self.case, p, &[it(t)], Accumulator::Sum, v);
        let most = self.case.value(&len);
        let back = self.case.indices(&format!("back{n}"), &[len.clone()], most);
        let mut c = Clause::default();
        let t = c.range("t", size(0), len.clone());
        let idx = [Index { iter: t, extent: len.clone() }];
        let v = c.read(&self.case, p, &[it(t)]);
        let w = self.body(&mut c, &idx, 1);
        let x = c.read(&self.case, back, &[it(t)]);
        let here = c.exprs.index(it(t));
        let before = c.op(Lt, x, here);
        let site = self.case.site();
        let y = c.gather(&self.case, s, &[IndexTerm::Data(x)], site);
        let y = c.exprs.if_else(before, y, w);
        let v = c.op(Add, v, y);
        let half = c.num(0.5);
        let v = c.op(Mul, v, half);
        c.set(&mut self.case, s, &[it(t)], v);
        self.case.cover(s);
        self.keep(s);
    }

    /// Sometimes a consumer that may run beside the recurrence.
    fn running(&mut self, n: u64, t: TensorId, shape: &[Size]) {
        if self.case.below(2) == 0 {
            return;
        }
        let acc = [Accumulator::Sum, Accumulator::Max][self.case.below(2) as usize];
        let y = self.case.tensor(&format!("run{n}"), F64, &shape[..1]);
        let (mut c, idx) = self.start(shape);
        let at: Vec<Affine> = idx.iter().map(|i| it(i.iter)).collect();
        let v = c.read(&self.case, t, &at);
        c.finish(&mut self.case, y, &at[..1], acc, v);
        self.case.cover(y);
        let z = self.case.tensor(&format!("total{n}"), F64, &[]);
        let (mut c, idx) = self.start(&shape[..1]);
        let v = c.read(&self.case, y, &[it(idx[0].iter)]);
        let v = c.op(Mul, v, v);
        c.finish(&mut self.case, z, &[], acc, v);
        self.case.cover(z);
        self.keep(z);
    }

    /// The index, or another one of its axis.
    fn index_like(&mut self, i: &Index) -> Affine {
        match self.case.below(4) {
            0 => it(i.iter).scaled(-1).unwrap().plus_size(&i.extent.plus_const(-1)),
            _ => it(i.iter),
        }
    }

    fn body(&mut self, c: &mut Clause, idx: &[Index], depth: u32) -> ExprId {
        if depth == 0 {
            return self.leaf(c, idx);
        }
        match self.case.below(8) {
            0 => {
                let x = self.body(c, idx, depth - 1);
                let op = [UnaryOp::Tanh, UnaryOp::Neg, UnaryOp::Abs][self.case.below(3) as usize];
                c.un(op, x)
            }
            1..=4 => {
                let (x, y) = (self.body(c, idx, depth - 1), self.body(c, idx, depth - 1));
                let ops: [BinaryOp; 5] = [Add, Sub, Mul, Max, Min];
                c.op(ops[self.case.below(5) as usize], x, y)
            }
            5 => {
                let (p, q) = (self.leaf(c, idx), self.leaf(c, idx));
                let cond = c.op(Lt, p, q);
                let (x, y) = (self.body(c, idx, depth - 1), self.body(c, idx, depth - 1));
                c.exprs.if_else(cond, x, y)
            }
            _ => self.leaf(c, idx),
        }
    }

    fn leaf(&mut self, c: &mut Clause, idx: &[Index]) -> ExprId {
        match self.case.below(6) {
            0 => {
                let v = self.case.below(9) as f64 / 4.0 - 1.0;
                c.num(v)
            }
            1 if !idx.is_empty() => {
                let i = self.case.below(idx.len() as u64) as usize;
                let x = c.exprs.index(it(idx[i].iter));
                c.exprs.cast(F64, x)
            }
            _ => self.read(c, idx),
        }
    }

    /// A read of something known; where an index may be outside, under a condition.
    fn read(&mut self, c: &mut Clause, idx: &[Index]) -> ExprId {
        let at = self.case.below(self.known.len() as u64) as usize;
        let t = self.known[at];
        let shape: Vec<Size> = self.case.graph.shape(t).cloned().collect();
        let mut terms = Vec::new();
        let mut conditions = Vec::new();
        for e in &shape {
            let same: Vec<Index> = idx.iter().filter(|i| i.extent == *e).cloned().collect();
            if same.is_empty() || self.case.below(6) == 0 {
                let any = self.case.below(idx.len() as u64 + 1) as usize;
                let shift = self.case.below(3) as i64 - 1;
                let a = match idx.get(any) {
                    Some(i) => off(i.iter, shift),
                    None => Affine::fixed(shift.abs()),
                };
                conditions.push((a.clone(), e.clone()));
                terms.push(a);
            } else {
                let i = self.case.below(same.len() as u64) as usize;
                let a = self.index_like(&same[i]);
                terms.push(a);
            }
        }
        let gather = !shape.is_empty() && conditions.is_empty() && self.case.below(8) == 0;
        let v = match gather {
            false => c.read(&self.case, t, &terms),
            true => {
                // The same cell by a computed index, checked.
                let site = self.case.site();
                let x = c.exprs.index(terms[0].clone());
                let mut index: Vec<IndexTerm> = terms.into_iter().map(IndexTerm::from).collect();
                index[0] = IndexTerm::Data(x);
                c.gather(&self.case, t, &index, site)
            }
        };
        let mut value = v;
        for (a, e) in conditions {
            let (x, zero) = (c.exprs.index(a), c.int(0));
            let end = c.exprs.index(Affine::fixed(e));
            let (lo, hi) = (c.op(Ge, x, zero), c.op(Lt, x, end));
            let no = c.exprs.constant(Scalar::Bool(false));
            let cond = c.exprs.if_else(lo, hi, no);
            let other = c.num(0.125);
            value = c.exprs.if_else(cond, value, other);
        }
        value
    }
}
