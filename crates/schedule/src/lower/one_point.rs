//! Lower a loop of which an equality leaves one point: a test in the loop's place.

use crate::lower::block::BlockKind;
use crate::lower::body::Body;
use crate::lower::emitter::Emitter;
use crate::recognise::{OnePoint, one_points};
use weft_depend::Terms;
use weft_domain::Range;
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_tensor::Reduction;

impl<'p> Emitter<'p> {
    /// Opens the only point of a range, where an equality says which that is and the number in
    /// it is known here; `rest` are the loops inside.
    pub fn enter_point(&mut self, body: &mut Body<'p>, r: &Range, rest: &[Range]) -> bool {
        let Some(point) = body.point_here(r, rest) else { return false };
        let (lo, hi, _) = self.ends(body, r);
        // The number is that of a point: where a loop has none, nobody asks for it.
        let inner = rest.iter().filter(|r| !body.is_bound(r.iter));
        let inner = inner.map(|r| (self.bound(body, &r.lo).0, self.bound(body, &r.hi).0));
        for (lo, hi) in [(lo, hi)].into_iter().chain(inner.collect::<Vec<_>>()) {
            let some = self.f.binary(BinaryOp::Lt, lo, hi);
            self.open(BlockKind::Branch(some));
        }
        let number = self.noted(body, point.number);
        let number = self.f.cast(ScalarType::I64, number);
        let rest = self.affine(&point.rest, &|i| body.iter_value(i));
        let value = match point.sign {
            1 => self.f.sub(number, rest),
            _ => self.f.sub(rest, number),
        };
        let name = body.assignment.space.iters[r.iter].clone();
        let name = name.map_or_else(|| "point".to_string(), |n| n.to_string());
        let local = self.local(&name, ScalarType::I64);
        self.set(local, value);
        let value = self.f.local(local);
        let above = self.f.binary(BinaryOp::Ge, value, lo);
        let below = self.f.binary(BinaryOp::Lt, value, hi);
        let inside = self.f.binary(BinaryOp::And, above, below);
        self.open(BlockKind::Branch(inside));
        body.bind(r.iter, value, self.top());
        if body.nodes.get(point.condition).checked {
            // Asks whether the type of the comparison holds the indices.
            self.noted(body, point.condition);
        }
        let holds = self.f.constant(Scalar::Bool(true));
        let top = self.top();
        self.blocks[top].known.insert(body.key(point.condition), holds);
        true
    }
}

impl Body<'_> {
    /// Has the loops of a nested reduction know their points.
    pub fn add_points(&mut self, r: &Reduction, precise: bool) {
        let terms = Terms { mask: r.mask, body: r.body, accumulator: r.accumulator };
        let found = one_points(self.assignment, (self.nodes, self.scope, precise), terms);
        let own = |p: &OnePoint| r.ranges.iter().any(|r| r.iter == p.iter);
        self.points.extend(found.into_iter().filter(own));
    }

    /// The point of a range, if all that it depends on has its value, and what could say that
    /// there is none too.
    fn point_here(&self, r: &Range, rest: &[Range]) -> Option<OnePoint> {
        if self.is_bound(r.iter) {
            return None;
        }
        let point = self.points.iter().find(|p| p.iter == r.iter)?;
        let mut needed = self.nodes.get(point.number).iters.clone();
        needed.extend(point.rest.iters());
        let inner = rest.iter().filter(|r| !self.is_bound(r.iter));
        needed.extend(inner.flat_map(|r| [r.lo.iters(), r.hi.iters()].concat()));
        let guards = self.waiting.iter().flat_map(|g| g.term.iters());
        needed.extend(guards.filter(|i| *i != r.iter));
        needed.iter().all(|i| self.is_bound(*i)).then(|| point.clone())
    }
}
