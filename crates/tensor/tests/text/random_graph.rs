//! Valid graphs from a list of choices; the empty list gives the simplest one.

use std::sync::Arc;
use weft_base::Name;
use weft_base::entity::EntityRef;
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};
use weft_shape::{Param, Size};
use weft_tensor::{
    Accumulator, Affine, Array, Assignment, Axis, Constraint, Definition, Expr, ExprId, Exprs,
    Graph, IndexTerm, Iter, ParamInfo, Range, Reduction, Relation, Site, SiteId, Space, Tensor,
    TensorId,
};

/// Numbers that decide everything; 0 once they are used up.
struct Choices(std::vec::IntoIter<u32>);

impl Choices {
    fn below(&mut self, n: usize) -> usize {
        self.0.next().unwrap_or(0) as usize % n
    }

    fn small(&mut self) -> i64 {
        [0, 1, 2, 3, -1, 5, -7, 4][self.below(8)]
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// A valid graph with a few parameters, tensors and assignments.
pub fn random_graph(choices: Vec<u32>) -> Graph {
    let mut c = Choices(choices.into_iter());
    let mut g = Graph::new();
    for _ in 0..=c.below(2) {
        let default = Some(1 + c.below(3) as i64);
        let p = g.params.push(ParamInfo { name: Name::new("n\"\\"), span: None, default });
        g.facts.at_least(p, 0);
    }
    g.sites.push(Site { span: None, message: "first\nsite".into() });
    for _ in 0..=c.below(4) {
        random_tensor(&mut c, &mut g);
    }
    g
}

fn random_size(c: &mut Choices, g: &Graph) -> Size {
    let p = Size::param(Param::new(c.below(g.params.len())));
    match c.below(7) {
        0 | 1 => Size::constant(1 + c.below(4) as i64),
        2 => p,
        3 => p.scaled(2).plus_const(1),
        4 => p.plus_const(3).floor_div(&2.into()).expect("not by zero"),
        5 => p.times(&p).smaller(&p.plus_const(2)),
        _ => p.modulo(&3.into()).expect("not by zero").larger(&1.into()),
    }
}

fn random_tensor(c: &mut Choices, g: &mut Graph) {
    let elem = c.of(&ScalarType::ALL);
    let sizes: Vec<Size> = (0..c.below(3)).map(|_| random_size(c, g)).collect();
    let axes = sizes.into_iter().map(|extent| Axis { extent, name: None }).collect();
    let definition = Definition::Assigned { pieces: Vec::new(), covered: false };
    let name = (c.below(2) == 1).then(|| Name::new("x"));
    match c.below(4) {
        0 => random_constant(c, g, elem),
        _ => {
            let t = g.tensors.push(Tensor { name, span: None, elem, axes, definition });
            for _ in 0..=c.below(2) {
                let assignment = random_assignment(c, g, t);
                g.assign(assignment);
            }
        }
    }
}

fn random_constant(c: &mut Choices, g: &mut Graph, elem: ScalarType) {
    let n = c.below(4);
    let mut array = Array::zeros(elem, vec![n]).expect("small");
    (0..n).for_each(|at| array.set(at, random_scalar(c, elem)));
    let axes = vec![Axis { extent: (n as i64).into(), name: Some(Name::new("k")) }];
    let definition = Definition::Constant(Arc::new(array));
    g.tensors.push(Tensor { name: None, span: None, elem, axes, definition });
}

fn random_scalar(c: &mut Choices, ty: ScalarType) -> Scalar {
    let v = c.small();
    match (ty, c.below(6)) {
        (ScalarType::F32, 1) => Scalar::F32(f32::from_bits(0x7fc0_0007)),
        (ScalarType::F64, 1) => Scalar::F64(f64::NEG_INFINITY),
        (ScalarType::F64, 2) => Scalar::F64(v as f64 * 1e-17),
        (ScalarType::F32, 2) => Scalar::F32(-0.0),
        (ScalarType::I64, 1) => Scalar::I64(i64::MIN),
        _ => Scalar::from_i64(ty, v),
    }
}

/// The state of one assignment while it is made.
struct Body<'a> {
    c: &'a mut Choices,
    g: &'a Graph,
    space: Space,
    exprs: Exprs,
    /// Iterators of ordinary loops and reductions in scope.
    loops: Vec<Iter>,
}

fn random_assignment(c: &mut Choices, g: &Graph, target: TensorId) -> Assignment {
    let (space, exprs) = (Space::default(), Exprs::new());
    let mut b = Body { c, g, space, exprs, loops: Vec::new() };
    let write = b.write(target);
    let (accumulator, body_type) = b.reduced_loops(g.tensors[target].elem);
    b.guards();
    let masked = accumulator != Accumulator::Set && b.c.below(3) == 1;
    let mask = masked.then(|| b.expr(ScalarType::Bool, 2));
    let body = b.expr(body_type, 4);
    let Body { space, exprs, .. } = b;
    Assignment { target, space, write, accumulator, mask, body, exprs }
}

impl Body<'_> {
    fn write(&mut self, target: TensorId) -> Vec<IndexTerm> {
        let g = self.g;
        let extents: Vec<Size> = g.shape(target).cloned().collect();
        extents.into_iter().map(|extent| self.write_term(extent)).collect()
    }

    fn write_term(&mut self, extent: Size) -> IndexTerm {
        match self.c.below(6) {
            1 => IndexTerm::Affine(Affine::fixed(0)),
            n => {
                let name = (n == 3).then(|| Name::new("i"));
                let i = self.space.push(name, Affine::fixed(0), Affine::fixed(extent));
                self.loops.push(i);
                let reversed = n == 4;
                let range = self.space.range(i).expect("just made").hi.clone();
                let last = range.plus_size(&(-1).into());
                let mirrored = last.minus(&Affine::iter(i)).expect("small");
                IndexTerm::Affine(if reversed { mirrored } else { Affine::iter(i) })
            }
        }
    }

    /// Reduced loops with an accumulator that yields `elem`; gives the body's type.
    fn reduced_loops(&mut self, elem: ScalarType) -> (Accumulator, ScalarType) {
        if self.c.below(2) == 0 {
            return (Accumulator::Set, elem);
        }
        let count = 1 + self.c.below(2);
        for _ in 0..count {
            let (lo, hi) = self.bounds();
            let i = self.space.push(None, lo, hi);
            self.loops.push(i);
        }
        self.accumulator(elem, count as u8)
    }

    fn accumulator(&mut self, elem: ScalarType, count: u8) -> (Accumulator, ScalarType) {
        use Accumulator::*;
        if elem == ScalarType::Bool {
            return (self.c.of(&[All, Any]), elem);
        }
        let n = self.c.below(count.into()) as u8;
        match self.c.of(&[Sum, Prod, Max, Min, ArgMax(n), ArgMin(n)]) {
            selection @ (ArgMax(_) | ArgMin(_)) if elem == ScalarType::I64 => {
                (selection, self.c.of(&[ScalarType::F32, ScalarType::I32]))
            }
            ArgMax(_) | ArgMin(_) => (Sum, elem),
            other => (other, elem),
        }
    }

    fn bounds(&mut self) -> (Affine, Affine) {
        let lo = Affine::fixed(self.c.of(&[0, 1, -1]));
        let hi = match self.c.below(3) {
            0 => Affine::fixed(random_size(self.c, self.g)),
            _ => self.affine().plus_size(&1.into()),
        };
        (lo, hi)
    }

    fn guards(&mut self) {
        for _ in 0..self.c.below(3) {
            let relation = self.c.of(&[Relation::AtLeastZero, Relation::Zero]);
            let term = self.affine();
            self.space.guards.push(Constraint { term, relation });
        }
    }

    fn affine(&mut self) -> Affine {
        let offset = Affine::fixed(self.c.small());
        if self.loops.is_empty() {
            return offset;
        }
        let i = Affine::iter(self.c.of(&self.loops));
        let j = Affine::iter(self.c.of(&self.loops));
        let term = match self.c.below(5) {
            0 | 1 => i,
            2 => i.scaled(-2).and_then(|i| i.plus(&j)).expect("small"),
            3 => i.plus(&j).expect("small").floor_div(&3.into()),
            _ => i.plus(&offset).expect("small").modulo(&random_divisor(self.c, self.g)),
        };
        term.plus(&offset).expect("small")
    }

    fn expr(&mut self, ty: ScalarType, depth: usize) -> ExprId {
        let choice = if depth == 0 { self.c.below(2) } else { self.c.below(9) };
        let deeper = depth.saturating_sub(1);
        match choice {
            0 => {
                let value = random_scalar(self.c, ty);
                self.exprs.constant(value)
            }
            1 => {
                let a = self.affine();
                let index = self.exprs.index(a);
                self.exprs.cast(ty, index)
            }
            2 | 3 => self.read(ty, deeper),
            4 => self.unary(ty, deeper),
            5 => self.binary(ty, deeper),
            6 => {
                let condition = self.expr(ScalarType::Bool, deeper);
                let (a, b) = (self.expr(ty, deeper), self.expr(ty, deeper));
                self.exprs.if_else(condition, a, b)
            }
            7 => {
                let condition = self.expr(ScalarType::Bool, deeper);
                let value = self.expr(ty, deeper);
                let site = SiteId::new(0);
                self.exprs.add(Expr::Check { condition, value, site }, ty)
            }
            _ => self.reduction(ty, deeper),
        }
    }

    fn read(&mut self, ty: ScalarType, depth: usize) -> ExprId {
        let tensor = TensorId::new(self.c.below(self.g.tensors.len()));
        let index = (0..self.g.tensors[tensor].rank()).map(|_| self.read_term(depth)).collect();
        let site = (self.c.below(2) == 1).then(|| SiteId::new(0));
        let elem = self.g.tensors[tensor].elem;
        let read = self.exprs.add(Expr::Read { tensor, index, site }, elem);
        self.exprs.cast(ty, read)
    }

    fn read_term(&mut self, depth: usize) -> IndexTerm {
        match self.c.below(6) {
            0 => IndexTerm::Affine(Affine::fixed(0)),
            1 => {
                let ty = self.c.of(&[ScalarType::I64, ScalarType::I32]);
                IndexTerm::Data(self.expr(ty, depth))
            }
            _ => IndexTerm::Affine(self.affine()),
        }
    }

    fn unary(&mut self, ty: ScalarType, depth: usize) -> ExprId {
        let x = self.expr(ty, depth);
        let op = match ty {
            ScalarType::Bool => UnaryOp::Not,
            _ if ty.is_int() => self.c.of(&[UnaryOp::Neg, UnaryOp::Abs]),
            _ => self.c.of(&[UnaryOp::Exp, UnaryOp::Floor]),
        };
        self.exprs.unary(op, x)
    }

    fn binary(&mut self, ty: ScalarType, depth: usize) -> ExprId {
        let site = (self.c.below(2) == 1).then(|| SiteId::new(0));
        let (op, operands) = match (ty, self.c.below(2)) {
            (ScalarType::Bool, 0) => (BinaryOp::And, ty),
            (ScalarType::Bool, _) => (BinaryOp::Le, ScalarType::F32),
            _ => (self.c.of(&[BinaryOp::Add, BinaryOp::Mul, BinaryOp::Div, BinaryOp::Max]), ty),
        };
        let (a, b) = (self.expr(operands, depth), self.expr(operands, depth));
        self.exprs.binary_at(op, a, b, site)
    }

    fn reduction(&mut self, ty: ScalarType, depth: usize) -> ExprId {
        let (lo, hi) = self.bounds();
        let iter = self.space.iters.push(Some(Name::new("r")));
        let ranges = vec![Range { iter, lo, hi }];
        let (accumulator, body_type) = self.accumulator(ty, 1);
        self.loops.push(iter);
        let guards = Vec::new();
        let mask = (self.c.below(2) == 1).then(|| self.expr(ScalarType::Bool, depth));
        let body = self.expr(body_type, depth);
        self.loops.pop();
        let r = Reduction { accumulator, ranges, guards, mask, body };
        self.exprs.add(Expr::Reduce(Box::new(r)), ty)
    }
}

fn random_divisor(c: &mut Choices, g: &Graph) -> Size {
    match c.below(2) {
        0 => Size::constant(2),
        _ => Size::param(Param::new(c.below(g.params.len()))),
    }
}
