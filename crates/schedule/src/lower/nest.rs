//! Lower a nest: loops over written iterators, then reduced ones, around one body.
//!
//! Three shapes. A plain store, one per point. An accumulator per cell, reduced innermost
//! (`contract` has a shape of its own for matrix products). And cells that hold the partial results while
//! the reduced loops run outside the last written one, whose cells are contiguous: the
//! order `k j` of a vector times a matrix.

use crate::analysis::View;
use crate::lower::block::BlockKind;
use crate::lower::body::Body;
use crate::lower::emitter::Emitter;
use crate::recognise::{OnePoint, OnePoints, Order};
use crate::tree::{Loops, NestNode};
use weft_domain::{Affine, Constraint, Iter, Limit, Range, Relation};
use weft_loops::{Expr, Stmt};
use weft_plan::Nest;
use weft_scalar::BinaryOp;
use weft_shape::Size;
use weft_tensor::Accumulator;

/// Bounds of one iterator, known outside the nest: the points within `lo..hi` are taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clip {
    pub iter: Iter,
    pub lo: Expr,
    pub hi: Expr,
}

/// A reduction as it is emitted.
struct Reduction<'a> {
    nest: &'a Nest,
    /// How many of its loops are those of cells.
    outer: usize,
    order: Order,
    reduced: &'a [Range],
    points: &'a [OnePoint],
}

impl<'p> Emitter<'p> {
    /// Emits one assignment.
    pub fn nest(&mut self, node: &'p NestNode<'p>) {
        self.nest_of(node.view, None, &mut |this, body| this.shape(body, node));
    }

    /// Emits the points of an assignment of plain stores, those alone at which one iterator
    /// lies within bounds, where there are some.
    pub fn nest_within(&mut self, view: View<'p>, clip: Option<Clip>) {
        self.nest_of(view, clip, &mut |this, body| this.points(body));
    }

    fn nest_of(
        &mut self,
        view: View<'p>,
        clip: Option<Clip>,
        inside: &mut dyn FnMut(&mut Self, &mut Body<'p>),
    ) {
        let (n, base) = (view.nest, self.top());
        let around = self.target.replace(view.assignment.target);
        for c in &n.when {
            let term = self.loop_term(&c.term);
            let cond = self.holds(term, c.relation);
            self.open(BlockKind::Branch(cond));
        }
        let mut body = Body::new(view, self.top());
        for (iter, term) in &n.bound {
            let value = self.loop_term(term);
            body.bind(*iter, value, self.top());
        }
        body.tested = n.tested.clone();
        body.clip = clip;
        range_tests_as_guards(&mut body);
        inside(self, &mut body);
        while self.top() > base {
            self.close();
        }
        // Node ids mean something else in the next nest.
        self.blocks[base].known.clear();
        self.target = around;
    }

    fn shape(&mut self, body: &mut Body<'p>, node: &NestNode<'p>) {
        match &node.loops {
            Loops::Points => self.points(body),
            Loops::Transposed(t) => self.by_tiles(body, t),
            Loops::OnePoint { outer, points: OnePoints { all: points, order, reduced } } => {
                let (nest, outer, order) = (node.view.nest, *outer, *order);
                self.reduction(body, &Reduction { nest, outer, order, reduced, points });
            }
            Loops::Reduction { outer, order, packed } => {
                let (nest, outer, order) = (node.view.nest, *outer, *order);
                let reduced = &body.assignment.space.ranges[outer..];
                let nest = Reduction { nest, outer, order, reduced, points: &[] };
                match packed {
                    Some(c) => {
                        self.contract(body, c, &mut |this, body| this.reduction(body, &nest))
                    }
                    None => self.reduction(body, &nest),
                }
            }
        }
    }

    fn points(&mut self, body: &mut Body<'p>) {
        let a = body.assignment;
        self.in_order = !a.is_plainly_injective();
        self.loops(body, &a.space.ranges, &mut |this, body| this.store_value(body));
        self.in_order = false;
    }

    fn reduction(&mut self, body: &mut Body<'p>, r: &Reduction<'_>) {
        let (outer, reduced) = (&body.assignment.space.ranges[..r.outer], r.reduced);
        match r.order {
            Order::Cells(inner) => {
                self.accumulate_in_cells(body, r, outer, reduced, inner);
            }
            Order::Cell => self.accumulate_in_local(body, r, outer, reduced),
        }
    }

    fn accumulate_in_local(
        &mut self,
        body: &mut Body<'p>,
        r: &Reduction<'_>,
        outer: &[Range],
        reduced: &[Range],
    ) {
        let (a, n) = (body.assignment, r.nest);
        body.points = r.points.to_vec();
        self.loops(body, outer, &mut |this, body| {
            let elem = this.plan.graph.tensors[a.target].elem;
            let free = !n.continues && a.mask.is_none();
            let short =
                free.then(|| this.unrolled_reduction(body, a.accumulator, elem, reduced, a.body));
            if let Some(value) = short.flatten() {
                return this.store(body, value);
            }
            let start = n.continues.then(|| {
                let at = this.target_position(body);
                let buffer = this.buffer_of(a.target);
                this.f.load(buffer, at)
            });
            let order = a.reduced();
            let values = (a.mask, a.body, elem);
            let acc = this.accumulator_of(body, a.accumulator, values, &order, start);
            let plain = a.mask.is_none();
            if !(plain && this.extremum_of_row(body, &acc, a.body, reduced)) {
                this.loops(body, reduced, &mut |this, body| {
                    this.accumulate(body, &acc, a.mask, a.body);
                });
            }
            let value = this.result(&acc);
            this.store(body, value);
        });
    }

    fn accumulate_in_cells(
        &mut self,
        body: &mut Body<'p>,
        r: &Reduction<'_>,
        outer: &[Range],
        reduced: &[Range],
        inner: usize,
    ) {
        let (a, n) = (body.assignment, r.nest);
        let elem = self.plan.graph.tensors[a.target].elem;
        let (around, inside) = outer.split_at(outer.len() - inner);
        let start = a.accumulator.identity(elem);
        if inner == 0 {
            // Several points may write one cell: all start before any is added to.
            if !n.continues {
                self.loops(body, outer, &mut |this, body| {
                    let start = this.f.constant(start);
                    this.store(body, start);
                });
            }
            let all = [outer, reduced].concat();
            self.in_order = true;
            body.points = r.points.to_vec();
            self.loops(body, &all, &mut |this, body| this.combine_in_cell(body));
            self.in_order = false;
            return;
        }
        self.loops(body, around, &mut |this, body| {
            if !n.continues {
                this.loops(body, inside, &mut |this, body| {
                    let start = this.f.constant(start);
                    this.store(body, start);
                });
            }
            // Every cell starts, with one point or without.
            let rest = [reduced, inside].concat();
            body.points = r.points.to_vec();
            this.loops(body, &rest, &mut |this, body| this.combine_in_cell(body));
            body.points.clear();
        });
    }

    /// `target[write] = target[write] op body`, where the mask holds.
    fn combine_in_cell(&mut self, body: &mut Body<'p>) {
        let a = body.assignment;
        let base = self.top();
        if let Some(mask) = a.mask {
            let cond = self.noted(body, mask);
            self.open(BlockKind::Branch(cond));
        }
        let value = self.noted(body, a.body);
        let at = self.target_position(body);
        let buffer = self.buffer_of(a.target);
        let old = self.f.load(buffer, at);
        let op = operator(a.accumulator).expect("partial results combine by an operator");
        if a.accumulator.site().is_some() {
            self.flag_partial(op, old, value);
        }
        let value = self.f.binary(op, old, value);
        self.push(Stmt::Store { buffer, index: at, value });
        while self.top() > base {
            self.close();
        }
    }

    fn store_value(&mut self, body: &mut Body<'p>) {
        let value = self.noted(body, body.assignment.body);
        self.store(body, value);
    }

    pub fn store(&mut self, body: &mut Body<'p>, value: Expr) {
        let index = self.target_position(body);
        let buffer = self.buffer_of(body.assignment.target);
        self.push(Stmt::Store { buffer, index, value });
    }

    pub fn target_position(&mut self, body: &mut Body<'p>) -> Expr {
        let a = body.assignment;
        let cell: Vec<Expr> = a.write.iter().map(|t| self.index_value(body, t)).collect();
        self.position(a.target, &cell)
    }

    /// Runs `inside` at every point of the loops where the guards hold.
    pub fn loops(
        &mut self,
        body: &mut Body<'p>,
        loops: &[Range],
        inside: &mut dyn FnMut(&mut Self, &mut Body<'p>),
    ) {
        let base = self.top();
        let outside = body.waiting.clone();
        self.test_guards(body);
        match loops.split_first() {
            None => inside(self, body),
            Some((first, rest)) => {
                let mark = self.top();
                let waiting = body.waiting.clone();
                let fresh = self.enter_point(body, first, rest) || self.enter(body, first);
                self.loops(body, rest, inside);
                while self.top() > mark {
                    self.close();
                }
                if fresh {
                    body.unbind(first.iter);
                }
                body.waiting = waiting;
            }
        }
        while self.top() > base {
            self.close();
        }
        body.waiting = outside;
    }

    /// Opens the loop of a range, or tests it where the iterator has its value already.
    fn enter(&mut self, body: &mut Body<'p>, r: &Range) -> bool {
        if body.is_bound(r.iter) {
            if body.tested.contains(&r.iter) {
                let x = body.iter_value(r.iter);
                let (lo, _) = self.bound(body, &r.lo);
                let (hi, _) = self.bound(body, &r.hi);
                let above = self.f.binary(BinaryOp::Ge, x, lo);
                let below = self.f.binary(BinaryOp::Lt, x, hi);
                let cond = self.f.binary(BinaryOp::And, above, below);
                self.open(BlockKind::Branch(cond));
            }
            return false;
        }
        let (lo, hi, bounds_in) = self.ends(body, r);
        let name = body.assignment.space.iters[r.iter].clone();
        let var = self.new_var(name.unwrap_or_else(|| weft_base::Name::new("i")));
        self.independent[var] = !self.rare;
        self.apart[var] = !self.in_order && body.assignment.written().contains(&r.iter);
        self.open(BlockKind::Loop { var, lo, hi, step: 1, bounds_in });
        let value = self.f.var(var);
        body.bind(r.iter, value, self.top());
        true
    }

    /// The ends of the loop of a range, and the deepest block whose variables they use.
    pub fn ends(&mut self, body: &mut Body<'_>, r: &Range) -> (Expr, Expr, usize) {
        let (lo, lo_in) = self.bound(body, &r.lo);
        let (hi, hi_in) = self.bound(body, &r.hi);
        let (lo, hi, guards_in) = self.narrowed(body, r.iter, (lo, hi));
        let bounds_in = lo_in.max(hi_in).max(guards_in);
        match body.clip {
            Some(clip) if clip.iter == r.iter => {
                let lo = self.f.binary(BinaryOp::Max, lo, clip.lo);
                (lo, self.f.binary(BinaryOp::Min, hi, clip.hi), bounds_in)
            }
            _ => (lo, hi, bounds_in),
        }
    }

    /// The range of an iterator without the points at which guards fail that bound it
    /// alone, the others having their values; and the deepest block those use.
    pub fn narrowed(
        &mut self,
        body: &mut Body<'_>,
        iter: Iter,
        (mut lo, mut hi): (Expr, Expr),
    ) -> (Expr, Expr, usize) {
        let waiting = std::mem::take(&mut body.waiting);
        let mut deepest = body.base;
        for g in waiting {
            let all_bound = |l: &Limit| l.rest.iters().iter().all(|&i| body.is_bound(i));
            let Some(limit) = g.limit(iter).filter(all_bound) else {
                body.waiting.push(g);
                continue;
            };
            let (rest, used_in) = self.bound(body, &limit.rest);
            deepest = deepest.max(used_in);
            let (zero, one) = (self.f.int(0), self.f.int(1));
            let edge = if limit.is_added { self.f.sub(zero, rest) } else { rest };
            if limit.is_lower() {
                lo = self.f.binary(BinaryOp::Max, lo, edge);
            }
            if limit.is_upper() {
                let past = self.f.add(edge, one);
                hi = self.f.binary(BinaryOp::Min, hi, past);
            }
        }
        (lo, hi, deepest)
    }

    /// A bound with the deepest block whose variables it uses.
    pub fn bound(&mut self, body: &Body<'_>, a: &weft_domain::Affine) -> (Expr, usize) {
        let deepest = a.iters().iter().map(|i| body.block_of(*i)).max();
        let value = self.affine(a, &|i| body.iter_value(i));
        (value, deepest.unwrap_or(body.base))
    }

    /// Opens a branch for every guard whose iterators have values and that was not tested.
    pub fn test_guards(&mut self, body: &mut Body<'p>) {
        let waiting = std::mem::take(&mut body.waiting);
        let (ready, waiting): (Vec<Constraint>, Vec<Constraint>) =
            waiting.into_iter().partition(|g| g.term.iters().iter().all(|&i| body.is_bound(i)));
        body.waiting = waiting;
        for g in ready {
            let term = self.affine(&g.term, &|i| body.iter_value(i));
            let cond = self.holds(term, g.relation);
            self.open(BlockKind::Branch(cond));
        }
    }

    /// Whether a term is what a constraint wants.
    pub fn holds(&mut self, term: Expr, relation: Relation) -> Expr {
        let zero = self.f.int(0);
        let op = match relation {
            Relation::AtLeastZero => BinaryOp::Ge,
            Relation::Zero => BinaryOp::Eq,
        };
        self.f.binary(op, term, zero)
    }
}

/// Where the range of an iterator that has its value depends on others that have none, its
/// tests are guards: they bound the loops of the others.
fn range_tests_as_guards(body: &mut Body<'_>) {
    let ranges = body.assignment.space.ranges.clone();
    for r in ranges {
        let open = |i: Iter| !body.is_bound(i);
        let depends = [&r.lo, &r.hi].into_iter().flat_map(Affine::iters).any(open);
        if !depends || !body.tested.contains(&r.iter) {
            continue;
        }
        let own = Affine::iter(r.iter);
        let above = own.minus(&r.lo);
        let below = r.hi.minus(&own).map(|d| d.plus_size(&Size::constant(-1)));
        let (Some(above), Some(below)) = (above, below) else { continue };
        let guard = |term| Constraint { term, relation: Relation::AtLeastZero };
        body.waiting.extend([above, below].map(guard));
        body.tested.retain(|&i| i != r.iter);
    }
}

/// The operator that combines two values.
pub(crate) fn operator(a: Accumulator) -> Option<BinaryOp> {
    Some(match a {
        Accumulator::Sum | Accumulator::ExactSum(_) => BinaryOp::Add,
        Accumulator::Prod | Accumulator::ExactProd(_) => BinaryOp::Mul,
        Accumulator::Max => BinaryOp::Max,
        Accumulator::Min => BinaryOp::Min,
        Accumulator::All => BinaryOp::And,
        Accumulator::Any => BinaryOp::Or,
        Accumulator::Set | Accumulator::ArgMax(_) | Accumulator::ArgMin(_) => return None,
    })
}
