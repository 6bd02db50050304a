//! Lower `argmax` and `argmin` along a row: in lanes the best block, and in it the first place
//! that has its extremum.
//!
//! ```text
//! for k by blocks { m = max of the block; if m beats best { best = m, place = the block } }
//! for k in the block by parts { if there is none yet, and any x[k] == best { place = the part } }
//! place = min[k in the part](k where x[k] == best)
//! ```
//!
//! The first of equals stays the first: a block that is only as good is passed over.

use crate::lower::accumulate::Acc;
use crate::lower::block::{BlockKind, end_of_part, open_parts};
use crate::lower::body::Body;
use crate::lower::emitter::Emitter;
use weft_base::Name;
use weft_domain::{Affine, Range};
use weft_loops::{Expr as Value, Local, Stmt};
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};
use weft_tensor::{Accumulator, Expr, ExprId, reachable_from};

/// How many places a block has.
const BLOCK: i64 = 512;

/// How many places of a block are looked at together for the first one: each is a number of 64
/// bits there, as wide as two or more terms.
const PART: i64 = 64;

/// What a term may cost, in additions: it is computed about twice.
const MOST_COST: u32 = 24;

/// Rows that are known to be shorter are looked through as they are.
const LEAST_ROW: i64 = 2 * PART;

/// A row whose extremum is looked for, and the locals that say what is known of it.
struct Search<'a> {
    row: &'a Range,
    value: ExprId,
    acc: &'a Acc,
    largest: bool,
    best: Local,
    place: Local,
    found: Local,
}

impl<'p> Emitter<'p> {
    /// Takes in the terms of a row, if they are cheap, cannot fail, and lie side by side.
    pub fn extremum_of_row(
        &mut self,
        body: &mut Body<'p>,
        acc: &Acc,
        value: ExprId,
        reduced: &[Range],
    ) -> bool {
        let (&Acc::Extremum { largest, best, place, found, .. }, [row]) = (acc, reduced) else {
            return false;
        };
        if !is_plain_row(body, value, row) {
            return false;
        }
        let search = Search { row, value, acc, largest, best, place, found };
        let hi = search.best_block(self, body);
        let known = self.f.local(found);
        self.open(BlockKind::Branch(known));
        let block = self.local("block", ScalarType::I64);
        let at = self.f.local(place);
        self.set(block, at);
        let first = self.f.local(block);
        let ends = (first, end_of_part(self, first, BLOCK, hi));
        match !self.plan.options.strict && may_fuse(body, value) {
            true => search.again(self, body, ends),
            false => search.first_place(self, body, ends),
        }
        self.close();
        true
    }
}

impl Search<'_> {
    /// Finds the first block that has the extremum; gives the row's end.
    fn best_block<'p>(&self, e: &mut Emitter<'p>, body: &mut Body<'p>) -> Value {
        let (kind, op) = match self.largest {
            true => (Accumulator::Max, BinaryOp::Max),
            false => (Accumulator::Min, BinaryOp::Min),
        };
        let ty = body.assignment.exprs.ty(self.value);
        let (lo, hi, bounds_in) = e.ends(body, self.row);
        let var = e.new_var(Name::new("block"));
        e.open(BlockKind::Loop { var, lo, hi, step: BLOCK, bounds_in });
        let first = e.f.var(var);
        let end = end_of_part(e, first, BLOCK, hi);
        let local = e.local(kind.name(), ty);
        let start = e.f.constant(kind.identity(ty));
        e.set(local, start);
        self.each(e, body, (first, end), |e, _, value| {
            e.push(Stmt::Accumulate { local, op, value });
        });
        let (of_block, so_far) = (e.f.local(local), e.f.local(self.best));
        let known = e.f.local(self.found);
        let better = e.better(self.largest, of_block, so_far);
        let none = e.f.unary(UnaryOp::Not, known);
        let cond = e.f.binary(BinaryOp::Or, none, better);
        e.open(BlockKind::Branch(cond));
        e.set(self.best, of_block);
        e.set(self.place, first);
        let yes = e.f.constant(Scalar::Bool(true));
        e.set(self.found, yes);
        e.close();
        e.close();
        hi
    }

    /// Of a block, the first place with the best value: of its parts the first that has it, and
    /// there the least place.
    fn first_place<'p>(&self, e: &mut Emitter<'p>, body: &mut Body<'p>, (lo, hi): (Value, Value)) {
        let (no, yes) = (e.f.constant(Scalar::Bool(false)), e.f.constant(Scalar::Bool(true)));
        let best = e.f.local(self.best);
        let (had, has) = (e.local("had", ScalarType::Bool), e.local("has", ScalarType::Bool));
        e.set(had, no);
        let var = e.new_var(Name::new("part"));
        let (part, end) = open_parts(e, var, (lo, hi), PART);
        let open = e.f.local(had);
        let open = e.f.unary(UnaryOp::Not, open);
        e.open(BlockKind::Branch(open));
        e.set(has, no);
        self.each(e, body, (part, end), |e, _, term| {
            let value = same(e, term, best);
            e.push(Stmt::Accumulate { local: has, op: BinaryOp::Or, value });
        });
        let cond = e.f.local(has);
        e.open(BlockKind::Branch(cond));
        e.set(self.place, part);
        e.set(had, yes);
        e.close();
        e.close();
        e.close();
        self.least_place(e, body, hi);
    }

    /// Of the part at the place that was found, the first place with the best value.
    fn least_place<'p>(&self, e: &mut Emitter<'p>, body: &mut Body<'p>, hi: Value) {
        let (local, from) = (e.local("first", ScalarType::I64), e.local("part", ScalarType::I64));
        let (part, best) = (e.f.local(self.place), e.f.local(self.best));
        e.set(from, part);
        let part = e.f.local(from);
        let end = end_of_part(e, part, PART, hi);
        e.set(local, end);
        self.each(e, body, (part, end), |e, body, term| {
            let same = same(e, term, best);
            let here = body.iter_value(self.row.iter);
            let value = e.f.select(same, here, end);
            e.push(Stmt::Accumulate { local, op: BinaryOp::Min, value });
        });
        let first = e.f.local(local);
        e.set(self.place, first);
    }

    /// Looks through a block one by one: who computes terms twice may round them otherwise.
    fn again<'p>(&self, e: &mut Emitter<'p>, body: &mut Body<'p>, ends: (Value, Value)) {
        let no = e.f.constant(Scalar::Bool(false));
        e.set(self.found, no);
        self.each(e, body, ends, |e, body, term| e.take(body, self.acc, term));
    }

    /// Does something with each term of a part of the row.
    fn each<'p>(
        &self,
        e: &mut Emitter<'p>,
        body: &mut Body<'p>,
        (lo, hi): (Value, Value),
        with: impl FnOnce(&mut Emitter<'p>, &mut Body<'p>, Value),
    ) {
        let name = body.assignment.space.iters[self.row.iter].clone();
        let var = e.new_var(name.unwrap_or_else(|| Name::new("i")));
        e.independent[var] = !e.rare;
        let bounds_in = e.top();
        e.open(BlockKind::Loop { var, lo, hi, step: 1, bounds_in });
        let value = e.f.var(var);
        body.bind(self.row.iter, value, e.top());
        let term = e.value(body, self.value);
        with(e, body, term);
        e.close();
        body.unbind(self.row.iter);
    }
}

/// Whether a value is the best one, which may be no number.
fn same(e: &mut Emitter<'_>, v: Value, best: Value) -> Value {
    let equal = e.f.binary(BinaryOp::Eq, v, best);
    if !e.f.ty(v).is_float() {
        return equal;
    }
    let none = e.f.binary(BinaryOp::Ne, v, v);
    let neither = e.f.binary(BinaryOp::Ne, best, best);
    let both = e.f.binary(BinaryOp::And, none, neither);
    e.f.binary(BinaryOp::Or, equal, both)
}

/// Whether machine code may round a value in more than one way: a product and the sum that uses it
/// once, or each.
fn may_fuse(body: &Body<'_>, value: ExprId) -> bool {
    let exprs = &body.assignment.exprs;
    let fuses = |e: ExprId| {
        matches!(exprs.get(e), Expr::Binary(BinaryOp::Mul, ..)) && exprs.ty(e).is_float()
    };
    reachable_from(exprs, [value]).into_iter().any(fuses)
}

/// Whether a long row's terms are cheap numbers side by side, under no condition.
fn is_plain_row(body: &Body<'_>, value: ExprId, row: &Range) -> bool {
    let a = body.assignment;
    let node = body.nodes.get(value);
    let count = row.hi.minus(&row.lo).and_then(|d| d.as_constant());
    let along = |index: &[weft_tensor::IndexTerm]| {
        let last = index.last().and_then(|t| t.as_affine());
        last.is_some_and(|t: &Affine| t.coefficient(row.iter) == 1)
    };
    let side_by_side =
        reachable_from(&a.exprs, [value]).into_iter().any(|e| match a.exprs.get(e) {
            Expr::Read { index, .. } => along(index),
            _ => false,
        });
    body.waiting.is_empty()
        && body.copy.is_none()
        && !body.is_bound(row.iter)
        && !node.checked
        && !node.traps
        && !node.statements
        && node.cost <= MOST_COST
        && side_by_side
        && count.is_none_or(|n| n >= LEAST_ROW)
}
