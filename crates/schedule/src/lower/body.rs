//! Lower a body: expressions, with statements where evaluation must be lazy or may fail.
//!
//! A node is computed in the outermost loop that fixes all iterators it depends on: what
//! does not fail moves out of the loops that do not change it. A node that reads memory
//! moves out of loops only, not out of branches, and is then read only where those loops
//! have a point.

use crate::analysis::View;
use crate::lower::block::{BlockKind, Key};
use crate::lower::emitter::Emitter;
use crate::lower::nest::Clip;
use crate::nodes::is_checked;
use crate::nodes::{Nodes, may_trap};
use crate::recognise::OnePoint;
use crate::signature::TrapSite;
use crate::strategy::Strategy;
use std::collections::{BTreeMap, BTreeSet};
use weft_base::Name;
use weft_domain::Scope;
use weft_domain::{Constraint, Iter};
use weft_loops::{Expr as Value, Stmt};
use weft_scalar::{BinaryOp, Scalar, ScalarType, UnaryOp};
use weft_tensor::{Assignment, Expr, ExprId, IndexTerm, SiteId, TensorId};

/// Nodes with longer paths below them are computed from the bottom.
const DEEP: u32 = 100;

/// Chains of conditions longer than this are tested one after the other, not nested.
const LONG_CHAIN: usize = 8;

/// The assignment being lowered, and what its iterators are here.
pub(crate) struct Body<'p> {
    pub assignment: &'p Assignment,
    pub scope: &'p Scope,
    pub nodes: &'p Nodes,
    /// Which body it is, of those that are emitted together.
    pub number: u32,
    /// The outermost block of the nest.
    pub base: usize,
    /// Bound iterators whose range must be tested.
    pub tested: Vec<Iter>,
    /// Bounds of an iterator beside those of its range.
    pub clip: Option<Clip>,
    /// Guards not tested yet.
    pub waiting: Vec<Constraint>,
    /// Loops that an equality leaves one point of.
    pub points: Vec<OnePoint>,
    /// The iterators whose values are unrolled.
    pub copied: Vec<Iter>,
    /// Which copy is being emitted.
    pub copy: Option<u32>,
    /// Nodes whose values were made elsewhere, with what is to be said of them.
    pub opaque: Vec<ExprId>,
    /// Numbers of indices of which is asked before the loops whether they leave their type.
    pub asked: BTreeSet<ExprId>,
    /// Where such numbers lie.
    pub ends: BTreeMap<ExprId, Option<(Value, Value)>>,
    /// The block of the last check that what is computed stands under: where it fails, loads
    /// may be out of bounds.
    checked_in: usize,
    /// Whether the operands of a deep node are being computed.
    preparing: bool,
    env: BTreeMap<Iter, (Value, usize)>,
}

impl<'p> Body<'p> {
    /// An assignment with nothing bound.
    pub fn new(view: View<'p>, base: usize) -> Body<'p> {
        let View { assignment: a, scope, nodes, .. } = view;
        Body {
            assignment: a,
            nodes,
            scope,
            number: 0,
            base,
            tested: Vec::new(),
            clip: None,
            waiting: a.space.guards.clone(),
            points: Vec::new(),
            copied: Vec::new(),
            copy: None,
            opaque: Vec::new(),
            asked: BTreeSet::new(),
            ends: BTreeMap::new(),
            checked_in: base,
            preparing: false,
            env: BTreeMap::new(),
        }
    }

    /// Gives an iterator its value, which changes in `block`.
    pub fn bind(&mut self, i: Iter, value: Value, block: usize) {
        self.env.insert(i, (value, block));
    }

    /// Takes it away.
    pub fn unbind(&mut self, i: Iter) {
        self.env.remove(&i);
    }

    /// Whether an iterator has a value.
    pub fn is_bound(&self, i: Iter) -> bool {
        self.env.contains_key(&i)
    }

    /// The value of an iterator. Panics where it has none.
    pub fn iter_value(&self, i: Iter) -> Value {
        self.env.get(&i).expect("iterators are bound around their uses").0
    }

    /// The block in which an iterator changes.
    pub fn block_of(&self, i: Iter) -> usize {
        self.env.get(&i).map_or(self.base, |b| b.1)
    }

    /// The iterators with names, and their values here: up to so many.
    pub fn point(&self, most: usize) -> (Vec<Name>, Vec<Value>) {
        let named = self.env.iter().filter_map(|(&i, &(value, _))| {
            let name = self.assignment.space.iters[i].as_ref()?;
            Some((name.clone(), value))
        });
        named.take(most).unzip()
    }

    /// The conditions and values of `if c { x } else if … else { last }`.
    fn chain(&self, c: ExprId, x: ExprId, y: ExprId) -> (Vec<(ExprId, ExprId)>, ExprId) {
        let mut arms = vec![(c, x)];
        let mut last = y;
        while let Expr::If(c, x, y) = self.assignment.exprs.get(last) {
            arms.push((*c, *x));
            last = *y;
        }
        (arms, last)
    }

    /// What a node's value is known under: its own copy where it depends on the copy.
    pub fn key(&self, e: ExprId) -> Key {
        let is_copied = |i: &Iter| self.copied.contains(i);
        match self.copy {
            Some(n) if self.nodes.get(e).iters.iter().any(is_copied) => (self.number, e, n + 1),
            _ => (self.number, e, 0),
        }
    }

    /// The outermost block in which all of a node's iterators have their values.
    fn level(&self, e: ExprId) -> usize {
        let iters = &self.nodes.get(e).iters;
        iters.iter().map(|i| self.block_of(*i)).max().unwrap_or(self.base)
    }
}

impl<'p> Emitter<'p> {
    /// The value of a node here.
    pub fn value(&mut self, body: &mut Body<'p>, e: ExprId) -> Value {
        let known =
            (body.base..=self.top()).rev().find_map(|b| self.blocks[b].known.get(&body.key(e)));
        if let Some(&v) = known {
            return v;
        }
        match self.hoist_target(body, e) {
            Some((target, guard)) => self.hoisted(body, e, target, guard),
            None => self.value_here(body, e),
        }
    }

    /// Computes the operands of a deep node one by one, so that recursion stays shallow.
    fn prepare(&mut self, body: &mut Body<'p>, e: ExprId) {
        let mut found = BTreeSet::new();
        let mut stack = vec![e];
        while let Some(x) = stack.pop() {
            for y in body.nodes.strict_operands(body.assignment, x) {
                if found.insert(y) {
                    stack.push(y);
                }
            }
        }
        for x in found {
            self.value(body, x);
        }
    }

    fn value_here(&mut self, body: &mut Body<'p>, e: ExprId) -> Value {
        if body.nodes.get(e).depth > DEEP && !body.preparing {
            body.preparing = true;
            self.prepare(body, e);
            body.preparing = false;
        }
        let node = body.nodes.get(e);
        let shared = node.uses > 1 && node.cost > 0 && body.nodes.any_statements;
        // What is lazy below starts its own preparation.
        let preparing = match body.assignment.exprs.get(e) {
            Expr::If(..) | Expr::Check { .. } | Expr::Reduce(_) => {
                std::mem::replace(&mut body.preparing, false)
            }
            _ => body.preparing,
        };
        let mut v = self.compute(body, e);
        body.preparing = preparing;
        if shared && !matches!(self.f.expr(v), weft_loops::ExprData::Local(_)) {
            let l = self.local("shared", body.assignment.exprs.ty(e));
            self.set(l, v);
            v = self.f.local(l);
        }
        let top = self.top();
        self.blocks[top].known.insert(body.key(e), v);
        v
    }

    /// The block to compute a node in, if it is further out than here, and the loops that
    /// must have a point for that.
    fn hoist_target(&self, body: &Body<'p>, e: ExprId) -> Option<(usize, Vec<usize>)> {
        let node = body.nodes.get(e);
        let lazy = node.loads || node.statements;
        if node.traps || node.cost == 0 {
            return None;
        }
        let level = body.level(e);
        let mut crossed = Vec::new();
        let mut target = None;
        let mut needs = if node.unsafe_loads { body.checked_in } else { body.base };
        for b in (level + 1..=self.top()).rev() {
            match &self.blocks[b].kind {
                BlockKind::Base => break,
                BlockKind::Branch(_) if lazy => break,
                BlockKind::Branch(_) => {}
                BlockKind::Loop { bounds_in, .. } => {
                    if lazy {
                        needs = needs.max(*bounds_in);
                        crossed.push(b);
                        if b - 1 < needs {
                            break;
                        }
                    }
                    target = Some((b - 1, crossed.clone()));
                }
            }
        }
        target
    }

    fn hoisted(
        &mut self,
        body: &mut Body<'p>,
        e: ExprId,
        target: usize,
        guard: Vec<usize>,
    ) -> Value {
        let conditions: Vec<(Value, Value)> = guard
            .iter()
            .filter_map(|&b| match self.blocks[b].kind {
                BlockKind::Loop { lo, hi, .. } => Some((lo, hi)),
                _ => None,
            })
            .collect();
        let mut inner = self.blocks.split_off(target + 1);
        let ty = body.assignment.exprs.ty(e);
        let l = self.local("hoisted", ty);
        if conditions.is_empty() {
            let v = self.value_here(body, e);
            self.set(l, v);
        } else {
            let zero = self.f.constant(Scalar::zero(ty));
            self.set(l, zero);
            let tests: Vec<Value> =
                conditions.iter().map(|&(lo, hi)| self.f.binary(BinaryOp::Lt, lo, hi)).collect();
            let all = tests.into_iter().reduce(|a, b| self.f.binary(BinaryOp::And, a, b));
            self.open(BlockKind::Branch(all.expect("there is a condition")));
            let v = self.value_here(body, e);
            self.set(l, v);
            self.close();
        }
        let v = self.f.local(l);
        // What is computed only where the loops have a point is known only inside them.
        let scope = if conditions.is_empty() {
            &mut self.blocks[target]
        } else {
            inner.first_mut().expect("a loop was crossed")
        };
        scope.known.insert(body.key(e), v);
        self.blocks.extend(inner);
        v
    }

    fn compute(&mut self, body: &mut Body<'p>, e: ExprId) -> Value {
        let a = body.assignment;
        match a.exprs.get(e) {
            Expr::Const(s) => self.f.constant(*s),
            Expr::Index(i) => self.affine(i, &|i| body.iter_value(i)),
            Expr::Read { tensor, index, site } => self.read(body, *tensor, index, *site),
            Expr::Unary(op, x) => {
                let x = self.value(body, *x);
                self.f.unary(*op, x)
            }
            Expr::Binary(op, x, y, site) => {
                let (vx, vy) = (self.value(body, *x), self.value(body, *y));
                if let (Some(site), true) = (site, may_trap(a, *op, *y)) {
                    self.check_operand(body, *op, vy, *site);
                }
                if let (Some(site), true) = (site, self.machine.is_precise() && is_checked(a, e)) {
                    let cond = self.f.overflows(*op, vx, vy);
                    let cond = self.f.unary(UnaryOp::Not, cond);
                    self.require(body, cond, *site);
                }
                self.f.binary(*op, vx, vy)
            }
            Expr::Cast(ty, x) => {
                let x = self.value(body, *x);
                self.f.cast(*ty, x)
            }
            Expr::If(c, x, y) => self.conditional(body, *c, *x, *y),
            Expr::Check { value, .. }
                if !self.machine.is_precise() && a.exprs.fitted(e).is_some() =>
            {
                self.value(body, *value)
            }
            Expr::Check { condition, value, site } => {
                let cond = self.value(body, *condition);
                self.require(body, cond, *site);
                let outside = std::mem::replace(&mut body.checked_in, self.top());
                let value = self.value(body, *value);
                body.checked_in = outside;
                value
            }
            Expr::Call { function, args } => self.call(body, e, *function, args),
            Expr::Reduce(r) => {
                let order: Vec<Iter> = r.ranges.iter().map(|r| r.iter).collect();
                let out = a.exprs.ty(e);
                let free = r.guards.is_empty() && r.mask.is_none();
                let short = free
                    .then(|| self.unrolled_reduction(body, r.accumulator, out, &r.ranges, r.body));
                if let Some(value) = short.flatten() {
                    return value;
                }
                let values = (r.mask, r.body, out);
                let acc = self.accumulator_of(body, r.accumulator, values, &order, None);
                let outer = std::mem::replace(&mut body.waiting, r.guards.clone());
                let around = body.points.len();
                if !self.machine.skip.contains(Strategy::OnePoint) {
                    body.add_points(r, self.machine.is_precise());
                }
                let plain = r.mask.is_none();
                if !(plain && self.extremum_of_row(body, &acc, r.body, &r.ranges)) {
                    self.loops(body, &r.ranges, &mut |this, body| {
                        this.accumulate(body, &acc, r.mask, r.body);
                    });
                }
                body.points.truncate(around);
                body.waiting = outer;
                self.result(&acc)
            }
        }
    }

    fn conditional(&mut self, body: &mut Body<'p>, c: ExprId, x: ExprId, y: ExprId) -> Value {
        let (arms, last) = body.chain(c, x, y);
        if arms.len() > LONG_CHAIN && !(body.nodes.may_select(x) && body.nodes.may_select(y)) {
            return self.conditional_in_turn(body, &arms, last);
        }
        let cond = self.value(body, c);
        if body.nodes.may_select(x) && body.nodes.may_select(y) {
            let (x, y) = (self.value(body, x), self.value(body, y));
            return self.f.select(cond, x, y);
        }
        let l = self.local("chosen", body.assignment.exprs.ty(x));
        let mut sides = [x, y].into_iter().map(|side| {
            self.open(BlockKind::Branch(cond));
            let v = self.noted(body, side);
            self.set(l, v);
            self.blocks.pop().expect("the side's block is open").stmts
        });
        let (then, otherwise) = (sides.next().expect("two"), sides.next().expect("two"));
        drop(sides);
        self.push(Stmt::If { cond, then, otherwise });
        self.f.local(l)
    }

    /// A long chain of conditions: each is tested if none before it held.
    fn conditional_in_turn(
        &mut self,
        body: &mut Body<'p>,
        arms: &[(ExprId, ExprId)],
        last: ExprId,
    ) -> Value {
        let ty = body.assignment.exprs.ty(last);
        let (l, open) = (self.local("chosen", ty), self.local("open", ScalarType::Bool));
        let zero = self.f.constant(Scalar::zero(ty));
        let (yes, no) = (self.f.constant(Scalar::Bool(true)), self.f.constant(Scalar::Bool(false)));
        self.set(l, zero);
        self.set(open, yes);
        let still = self.f.local(open);
        for &(c, x) in arms {
            self.open(BlockKind::Branch(still));
            let cond = self.noted(body, c);
            self.open(BlockKind::Branch(cond));
            let v = self.noted(body, x);
            self.set(l, v);
            self.set(open, no);
            self.close();
            self.close();
        }
        self.open(BlockKind::Branch(still));
        let v = self.noted(body, last);
        self.set(l, v);
        self.close();
        self.f.local(l)
    }

    fn read(
        &mut self,
        body: &mut Body<'p>,
        t: TensorId,
        index: &[IndexTerm],
        site: Option<SiteId>,
    ) -> Value {
        let cell: Vec<Value> = index.iter().map(|term| self.index_value(body, term)).collect();
        if let Some(site) = site {
            let axes = index.iter().zip(&cell).zip(self.plan.graph.shape(t)).enumerate();
            for (axis, ((term, &i), extent)) in axes {
                self.check_index(body, term, i, extent, (site, t, axis));
            }
        }
        let at = self.position(t, &cell);
        let buffer = self.buffer_of(t);
        self.f.load(buffer, at)
    }

    fn check_index(
        &mut self,
        body: &mut Body<'p>,
        term: &IndexTerm,
        i: Value,
        extent: &weft_shape::Size,
        (site, read, axis): (SiteId, TensorId, usize),
    ) {
        let proven =
            term.as_affine().is_some_and(|a| body.scope.within(a, extent, &self.plan.graph.facts));
        if proven {
            return;
        }
        let zero = self.f.int(0);
        let extent = self.size(extent);
        let above = self.f.binary(BinaryOp::Ge, i, zero);
        let below = self.f.binary(BinaryOp::Lt, i, extent);
        let inside = self.f.binary(BinaryOp::And, above, below);
        self.require_or(body, inside, site, Some((read, axis)), &[i, extent]);
    }

    /// The value of an index term, as `i64`.
    pub fn index_value(&mut self, body: &mut Body<'p>, term: &IndexTerm) -> Value {
        match term {
            IndexTerm::Affine(a) => self.affine(a, &|i| body.iter_value(i)),
            IndexTerm::Data(e) => {
                let v = self.value(body, *e);
                self.f.cast(ScalarType::I64, v)
            }
        }
    }

    fn check_operand(&mut self, body: &mut Body<'p>, op: BinaryOp, y: Value, site: SiteId) {
        let ty = self.f.ty(y);
        let zero = self.f.constant(Scalar::zero(ty));
        let test = match op {
            BinaryOp::Div | BinaryOp::Rem => BinaryOp::Ne,
            _ => BinaryOp::Ge,
        };
        let mut cond = self.f.binary(test, y, zero);
        if op.moves_bits() {
            let width = self.f.constant(Scalar::from_i64(ty, 8 * ty.bytes() as i64));
            let below = self.f.binary(BinaryOp::Lt, y, width);
            cond = self.f.binary(BinaryOp::And, cond, below);
        }
        self.require(body, cond, site);
    }

    /// A trap unless `cond` holds.
    fn require(&mut self, body: &mut Body<'p>, cond: Value, site: SiteId) {
        self.require_or(body, cond, site, None, &[]);
    }

    /// A trap unless `cond` holds, which records `first` before the iterators.
    fn require_or(
        &mut self,
        body: &mut Body<'p>,
        cond: Value,
        site: SiteId,
        read: Option<(TensorId, usize)>,
        first: &[Value],
    ) {
        let (indices, point) = body.point(Stmt::TRAP_ARGS - first.len());
        let args: Vec<Value> = first.iter().copied().chain(point).collect();
        let tensor = body.assignment.target;
        let site = self.trap_number(TrapSite { site, tensor, read, indices });
        let failed = self.f.unary(UnaryOp::Not, cond);
        let trap = Stmt::Trap { site, args };
        self.push(Stmt::If { cond: failed, then: vec![trap], otherwise: Vec::new() });
    }

    fn trap_number(&mut self, trap: TrapSite) -> u32 {
        let found = self.traps.iter().position(|t| *t == trap);
        let number = found.unwrap_or_else(|| {
            self.traps.push(trap);
            self.traps.len() - 1
        });
        number as u32
    }
}
