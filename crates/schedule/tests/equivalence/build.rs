//! Graphs written down shortly: clauses over named indices.

use std::sync::Arc;
use weft_base::Name;
use weft_domain::{Affine, Iter};
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};
use weft_shape::{Param, Size};
use weft_tensor::{
    Accumulator, Array, Assignment, Axis, Constraint, Definition, Expr, ExprId, Exprs, Graph,
    IndexTerm, ParamInfo, Relation, Site, SiteId, Space, Tensor, TensorId,
};

pub const F64: ScalarType = ScalarType::F64;
pub const I64: ScalarType = ScalarType::I64;

/// A graph with its inputs' values.
#[derive(Default, Clone)]
pub struct Case {
    pub graph: Graph,
    pub params: Vec<(Param, i64)>,
    pub inputs: Vec<(TensorId, Arc<Array>)>,
    state: u64,
}

pub fn size(n: i64) -> Size {
    Size::constant(n)
}

impl Case {
    pub fn seeded(seed: u64) -> Case {
        Case { state: seed, ..Case::default() }
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }

    pub fn param(&mut self, name: &str, value: i64, least: i64) -> Size {
        let p =
            self.graph.params.push(ParamInfo { name: Name::new(name), span: None, default: None });
        self.graph.facts.at_least(p, least);
        self.params.push((p, value));
        Size::param(p)
    }

    pub fn value(&self, s: &Size) -> i64 {
        let of = |p: Param| self.params.iter().find(|(q, _)| *q == p).map(|(_, v)| *v);
        s.eval(&of).expect("sizes of test cases have values")
    }

    pub fn tensor(&mut self, name: &str, elem: ScalarType, shape: &[Size]) -> TensorId {
        let axes = shape.iter().map(|e| Axis { extent: e.clone(), name: None }).collect();
        let definition = Definition::Assigned { pieces: Vec::new(), covered: false };
        self.graph.tensors.push(Tensor {
            name: Some(Name::new(name)),
            span: None,
            elem,
            axes,
            definition,
        })
    }

    /// An input of small whole numbers and halves.
    pub fn input(&mut self, name: &str, elem: ScalarType, shape: &[Size]) -> TensorId {
        let t = self.tensor(name, elem, shape);
        self.graph.tensors[t].definition = Definition::Input;
        let extents: Vec<usize> = shape.iter().map(|s| self.value(s) as usize).collect();
        let mut array = Array::zeros(elem, extents).expect("small");
        for at in 0..array.len() {
            let n = self.below(17) as i64 - 8;
            let value = match elem {
                ScalarType::F64 => Scalar::F64(n as f64 / 4.0),
                ScalarType::F32 => Scalar::F32(n as f32 / 4.0),
                other => Scalar::from_i64(other, n),
            };
            array.set(at, value);
        }
        self.inputs.push((t, Arc::new(array)));
        t
    }

    /// An input of indices below `n`.
    pub fn indices(&mut self, name: &str, shape: &[Size], n: i64) -> TensorId {
        let t = self.input(name, I64, shape);
        let extents = self.inputs.last().expect("just added").1.shape().to_vec();
        let mut array = Array::zeros(I64, extents).expect("small");
        for at in 0..array.len() {
            let v = self.below(n.max(1) as u64) as i64;
            array.set(at, Scalar::I64(v));
        }
        self.inputs.last_mut().expect("just added").1 = Arc::new(array);
        t
    }

    pub fn site(&mut self) -> SiteId {
        self.graph.sites.push(Site { span: None, message: "test".into() })
    }

    /// States that the pieces of a tensor write all of it.
    pub fn cover(&mut self, t: TensorId) {
        if let Definition::Assigned { covered, .. } = &mut self.graph.tensors[t].definition {
            *covered = true;
        }
    }

    /// A covered tensor defined by one clause over its whole shape.
    pub fn define(
        &mut self,
        name: &str,
        elem: ScalarType,
        shape: &[Size],
        body: impl FnOnce(&mut Clause, &[Iter]) -> ExprId,
    ) -> TensorId {
        let t = self.tensor(name, elem, shape);
        let mut c = Clause::default();
        let names = ["i", "j", "k", "l"];
        let iters: Vec<Iter> =
            shape.iter().zip(names).map(|(e, n)| c.range(n, size(0), e.clone())).collect();
        let e = body(&mut c, &iters);
        let write: Vec<Affine> = iters.iter().map(|&i| Affine::iter(i)).collect();
        c.set(self, t, &write, e);
        self.cover(t);
        t
    }

    /// As `define`, reduced over further ranges that `body` adds.
    pub fn reduce(
        &mut self,
        name: &str,
        elem: ScalarType,
        shape: &[Size],
        accumulator: Accumulator,
        body: impl FnOnce(&mut Clause, &[Iter]) -> ExprId,
    ) -> TensorId {
        let t = self.tensor(name, elem, shape);
        let mut c = Clause::default();
        let names = ["i", "j", "k", "l"];
        let iters: Vec<Iter> =
            shape.iter().zip(names).map(|(e, n)| c.range(n, size(0), e.clone())).collect();
        let e = body(&mut c, &iters);
        let write: Vec<Affine> = iters.iter().map(|&i| Affine::iter(i)).collect();
        c.finish(self, t, &write, accumulator, e);
        self.cover(t);
        t
    }
}

/// A clause being written.
#[derive(Default)]
pub struct Clause {
    pub space: Space,
    pub exprs: Exprs,
    pub mask: Option<ExprId>,
}

/// A term from an iterator.
pub fn it(i: Iter) -> Affine {
    Affine::iter(i)
}

/// `i + by`.
pub fn off(i: Iter, by: i64) -> Affine {
    Affine::iter(i).plus_size(&size(by))
}

impl Clause {
    pub fn range(&mut self, name: &str, lo: Size, hi: Size) -> Iter {
        self.space.push(Some(Name::new(name)), Affine::fixed(lo), Affine::fixed(hi))
    }

    pub fn range_to(&mut self, name: &str, lo: Affine, hi: Affine) -> Iter {
        self.space.push(Some(Name::new(name)), lo, hi)
    }

    /// Restricts the points to `term >= 0`.
    pub fn guard(&mut self, term: Affine) {
        self.space.guards.push(Constraint { term, relation: Relation::AtLeastZero });
    }

    pub fn read(&mut self, case: &Case, t: TensorId, at: &[Affine]) -> ExprId {
        let index = at.iter().cloned().map(IndexTerm::from).collect();
        let ty = case.graph.tensors[t].elem;
        self.exprs.add(Expr::Read { tensor: t, index, site: None }, ty)
    }

    pub fn gather(&mut self, case: &Case, t: TensorId, at: &[IndexTerm], site: SiteId) -> ExprId {
        let ty = case.graph.tensors[t].elem;
        let index = at.to_vec();
        self.exprs.add(Expr::Read { tensor: t, index, site: Some(site) }, ty)
    }

    pub fn num(&mut self, v: f64) -> ExprId {
        self.exprs.constant(Scalar::F64(v))
    }

    pub fn int(&mut self, v: i64) -> ExprId {
        self.exprs.constant(Scalar::I64(v))
    }

    pub fn op(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.exprs.binary(op, a, b)
    }

    pub fn un(&mut self, op: UnaryOp, a: ExprId) -> ExprId {
        self.exprs.unary(op, a)
    }

    pub fn set(self, case: &mut Case, t: TensorId, write: &[Affine], body: ExprId) {
        self.finish(case, t, write, Accumulator::Set, body);
    }

    pub fn finish(
        self,
        case: &mut Case,
        target: TensorId,
        write: &[Affine],
        accumulator: Accumulator,
        body: ExprId,
    ) {
        let write = write.iter().cloned().map(IndexTerm::from).collect();
        let Clause { space, exprs, mask } = self;
        case.graph.assign(Assignment { target, space, write, accumulator, mask, body, exprs });
    }
}
