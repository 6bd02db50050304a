//! The meaning of a graph said as plainly as possible: every point of a space is visited
//! for every cell, expressions are trees, and the native stack is the stack.

use std::collections::BTreeMap;
use weft_scalar::eval::{binary, cast, checked, unary};
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_shape::Size;
use weft_tensor::{
    Accumulator, Affine, Assignment, Constraint, Definition, Expr, ExprId, Graph, IndexTerm, Iter,
    Range, Reduction, Relation, TensorId,
};

/// A cell fails, for whatever reason.
#[derive(Clone, Copy, Debug)]
pub struct Fails;

type Result<T> = std::result::Result<T, Fails>;
/// Active iterators with their values.
type Point = BTreeMap<Iter, i64>;

pub struct Naive<'a> {
    graph: &'a Graph,
    /// `None` while the cell is being computed.
    known: BTreeMap<(TensorId, Vec<i64>), Option<Result<Scalar>>>,
}

impl<'a> Naive<'a> {
    pub fn new(graph: &'a Graph) -> Naive<'a> {
        Naive { graph, known: BTreeMap::new() }
    }

    /// All cells of a tensor in row-major order.
    pub fn observe(&mut self, t: TensorId) -> Result<Vec<Scalar>> {
        let mut cells = vec![Vec::new()];
        for extent in self.shape(t)? {
            let longer = |c: &Vec<i64>| (0..extent).map(|i| [&c[..], &[i]].concat()).collect();
            cells = cells.iter().flat_map(|c| -> Vec<Vec<i64>> { longer(c) }).collect();
        }
        cells.into_iter().map(|cell| self.cell(t, cell)).collect()
    }

    fn size(&self, s: &Size) -> Option<i64> {
        s.eval(&|p| self.graph.params[p].default)
    }

    fn shape(&self, t: TensorId) -> Result<Vec<i64>> {
        let extent = |s| self.size(s).filter(|&e| e >= 0).ok_or(Fails);
        self.graph.shape(t).map(extent).collect()
    }

    fn affine(&self, a: &Affine, at: &Point) -> Result<i64> {
        a.eval(&|i| at[&i], &|s| self.size(s)).ok_or(Fails)
    }

    fn cell(&mut self, t: TensorId, cell: Vec<i64>) -> Result<Scalar> {
        if !cell.iter().zip(self.shape(t)?).all(|(&i, extent)| 0 <= i && i < extent) {
            return Err(Fails);
        }
        if let Definition::Constant(array) = &self.graph.tensors[t].definition {
            return Ok(array.get(array.position(&cell).expect("inside")));
        }
        let key = (t, cell.clone());
        if let Some(known) = self.known.get(&key) {
            return known.unwrap_or(Err(Fails));
        }
        self.known.insert(key.clone(), None);
        let value = self.compute(t, &cell);
        self.known.insert(key, Some(value));
        value
    }

    fn compute(&mut self, t: TensorId, cell: &[i64]) -> Result<Scalar> {
        let graph = self.graph;
        for &piece in graph.pieces(t) {
            let assign = &graph.assigns[piece];
            let written = assign.written();
            let ranges = assign.space.ranges.iter();
            let outer: Vec<&Range> = ranges.filter(|r| written.contains(&r.iter)).collect();
            let claims = self.points(&outer, &assign.space.guards, Point::new())?;
            let mut claimed = false;
            for at in claims {
                claimed |= self.writes(assign, &at)? == cell;
            }
            if claimed {
                return self.accumulate(assign, cell);
            }
        }
        Ok(Scalar::zero(graph.tensors[t].elem))
    }

    /// Every point of nested ranges, in order. A guard counts where all its iterators have
    /// values.
    fn points(&self, ranges: &[&Range], guards: &[Constraint], start: Point) -> Result<Vec<Point>> {
        let mut points = vec![start];
        for range in ranges {
            let mut longer = Vec::new();
            for at in &points {
                let (lo, hi) = (self.affine(&range.lo, at)?, self.affine(&range.hi, at)?);
                longer.extend((lo..hi).map(|v| {
                    let mut at = at.clone();
                    at.insert(range.iter, v);
                    at
                }));
            }
            points = longer;
        }
        let mut kept = Vec::new();
        for at in points {
            if self.allowed(guards, &at)? {
                kept.push(at);
            }
        }
        Ok(kept)
    }

    fn allowed(&self, guards: &[Constraint], at: &Point) -> Result<bool> {
        for guard in guards {
            if guard.term.iters().iter().all(|i| at.contains_key(i)) {
                let v = self.affine(&guard.term, at)?;
                let holds = match guard.relation {
                    Relation::AtLeastZero => v >= 0,
                    Relation::Zero => v == 0,
                };
                if !holds {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn writes(&mut self, assign: &Assignment, at: &Point) -> Result<Vec<i64>> {
        assign.write.iter().map(|term| self.index(assign, term, at)).collect()
    }

    fn index(&mut self, assign: &Assignment, term: &IndexTerm, at: &Point) -> Result<i64> {
        match term {
            IndexTerm::Affine(a) => self.affine(a, at),
            IndexTerm::Data(e) => {
                Ok(self.expr(assign, *e, at)?.as_i64().expect("it is an integer"))
            }
        }
    }

    fn accumulate(&mut self, assign: &Assignment, cell: &[i64]) -> Result<Scalar> {
        let ranges: Vec<&Range> = assign.space.ranges.iter().collect();
        let mut points = Vec::new();
        for at in self.points(&ranges, &assign.space.guards, Point::new())? {
            if self.writes(assign, &at)? == cell {
                points.push(at);
            }
        }
        let (mask, body) = (assign.mask, assign.body);
        self.combine(assign, assign.accumulator, &assign.reduced(), points, mask, body)
    }

    fn reduce(&mut self, assign: &Assignment, r: &Reduction, at: &Point) -> Result<Scalar> {
        let ranges: Vec<&Range> = r.ranges.iter().collect();
        let points = self.points(&ranges, &r.guards, at.clone())?;
        let iters: Vec<Iter> = r.ranges.iter().map(|r| r.iter).collect();
        self.combine(assign, r.accumulator, &iters, points, r.mask, r.body)
    }

    fn combine(
        &mut self,
        assign: &Assignment,
        accumulator: Accumulator,
        reduced: &[Iter],
        points: Vec<Point>,
        mask: Option<ExprId>,
        body: ExprId,
    ) -> Result<Scalar> {
        let mut values: Vec<(Point, Scalar)> = Vec::new();
        for at in points {
            if let Some(mask) = mask
                && self.expr(assign, mask, &at)? == Scalar::Bool(false)
            {
                continue;
            }
            let value = self.expr(assign, body, &at)?;
            let settled = match accumulator {
                Accumulator::All => value == Scalar::Bool(false),
                Accumulator::Any => value == Scalar::Bool(true),
                _ => false,
            };
            values.push((at, value));
            if settled {
                break;
            }
        }
        Ok(total(accumulator, reduced, &values, assign.exprs.ty(body)))
    }

    fn expr(&mut self, assign: &Assignment, id: ExprId, at: &Point) -> Result<Scalar> {
        match assign.exprs.get(id) {
            Expr::Const(v) => Ok(*v),
            Expr::Index(a) => Ok(Scalar::I64(self.affine(a, at)?)),
            Expr::Read { tensor, index, .. } => {
                let cell = index.iter().map(|term| self.index(assign, term, at));
                let cell = cell.collect::<Result<_>>()?;
                self.cell(*tensor, cell)
            }
            Expr::Unary(op, x) => Ok(unary(*op, self.expr(assign, *x, at)?)),
            Expr::Binary(op, a, b, site) => {
                let (a, b) = (self.expr(assign, *a, at)?, self.expr(assign, *b, at)?);
                let operate = if site.is_some() { checked } else { binary };
                operate(*op, a, b).map_err(|_| Fails)
            }
            Expr::Cast(ty, x) => Ok(cast(self.expr(assign, *x, at)?, *ty)),
            Expr::If(c, a, b) => {
                let taken = self.expr(assign, *c, at)? == Scalar::Bool(true);
                self.expr(assign, if taken { *a } else { *b }, at)
            }
            Expr::Check { condition, value, .. } => {
                match self.expr(assign, *condition, at)? == Scalar::Bool(true) {
                    true => self.expr(assign, *value, at),
                    false => Err(Fails),
                }
            }
            Expr::Reduce(r) => self.reduce(assign, r, at),
            Expr::Call { .. } => unreachable!("the random graphs have no functions"),
        }
    }
}

/// What the values at some points come to.
fn total(
    accumulator: Accumulator,
    reduced: &[Iter],
    values: &[(Point, Scalar)],
    ty: ScalarType,
) -> Scalar {
    let fold = |op, start| {
        values.iter().fold(start, |a, (_, v)| binary(op, a, *v).expect("it does not trap"))
    };
    match accumulator {
        Accumulator::Set => values[0].1,
        Accumulator::Sum => fold(BinaryOp::Add, Scalar::zero(ty)),
        Accumulator::Prod => fold(BinaryOp::Mul, Scalar::one(ty)),
        Accumulator::Max => fold(BinaryOp::Max, Scalar::least(ty)),
        Accumulator::Min => fold(BinaryOp::Min, Scalar::greatest(ty)),
        Accumulator::All => Scalar::Bool(values.iter().all(|(_, v)| *v == Scalar::Bool(true))),
        Accumulator::Any => Scalar::Bool(values.iter().any(|(_, v)| *v == Scalar::Bool(true))),
        Accumulator::ArgMax(n) => selected(BinaryOp::Gt, reduced[n as usize], values),
        Accumulator::ExactSum(_) | Accumulator::ExactProd(_) => {
            unreachable!("the random graphs have no exact totals")
        }
        Accumulator::ArgMin(n) => selected(BinaryOp::Lt, reduced[n as usize], values),
    }
}

/// The iterator at the first NaN, else at the first value that none is beyond.
fn selected(beyond: BinaryOp, iter: Iter, values: &[(Point, Scalar)]) -> Scalar {
    let is = |op, a: Scalar, b: Scalar| binary(op, a, b) == Ok(Scalar::Bool(true));
    let nan = values.iter().find(|(_, v)| is(BinaryOp::Ne, *v, *v));
    let best = nan.or_else(|| {
        values.iter().find(|(_, v)| !values.iter().any(|(_, other)| is(beyond, *other, *v)))
    });
    Scalar::I64(best.map_or(-1, |(at, _)| at[&iter]))
}
