//! Nests divided where conditions on their indices change: index-set splitting (Griebl,
//! Feautrier and Lengauer, 2000), into a core that tests nothing and thin borders.
//!
//! ```text
//! y[i] = sum[p in 0..3](if 0 <= i + p - 1 < n { x[i + p - 1] } else { 0 })    for i in 0..n
//!   =>  i in 0..1: as it was;   i in 1..n - 1: sum[p](x[i + p - 1]);   i in n - 1..n: as it was
//! ```
//!
//! What is divided are the points of one nest, which may be taken in any order. So nothing is
//! asked about dependences, and all that writes an affine condition is one to this pass: a
//! guard, a branch, a clamped index, a remainder, an operand that is joined of several. Parts
//! along a reduced index go on from the cell as the part before has left it.
//!
//! Products of matrices stay whole: their operands are copied into tiles, and tested there,
//! once.

use crate::cost::is_product;
use crate::fold::{as_term, fold_assignment};
use crate::fuse::may_fail;
use crate::recurrence_groups::can_run_on;
use crate::routine::{Item, Nest, PlanOptions};
use weft_depend::scope_of;
use weft_domain::{Affine, Constraint, Dim, End, Ends, Iter, Range, Relation};
use weft_scalar::BinaryOp;
use weft_shape::{Size, Verdict};
use weft_tensor::{Accumulator, Assignment, Expr, Graph, IndexTerm, reachable};

/// The parts of one nest.
const MOST_PARTS: usize = 32;

/// Nodes of a body times its parts: what is compiled.
const MOST_NODES: usize = 4000;

/// Conditions of one body.
const MOST_CONDITIONS: usize = 64;

/// Divides the nests among the items, in loops too. Sums of floats that are to be strict keep
/// their order.
pub(crate) fn divide_nests(
    graph: &mut Graph,
    items: Vec<Item>,
    options: &PlanOptions,
) -> Vec<Item> {
    let mut out = Vec::new();
    for mut item in items {
        if let Item::Loop(l) = &mut item {
            l.body = divide_nests(graph, std::mem::take(&mut l.body), options);
        }
        let divided = match &item {
            Item::Nest(n) => parts(graph, n, options),
            Item::Fill(_) | Item::Loop(_) => None,
        };
        match (divided, item) {
            (Some(parts), Item::Nest(n)) => {
                for part in parts {
                    let continues = n.continues || goes_on(&graph.assigns[n.assign], &part);
                    let assign = graph.assigns.push(part);
                    out.push(Item::Nest(Nest { assign, continues, ..n.clone() }));
                }
            }
            (_, item) => out.push(item),
        }
    }
    out
}

/// Whether another part comes before this one in its cells: the one at the first values of
/// the reduced iterators begins, also where it has no point.
fn goes_on(whole: &Assignment, part: &Assignment) -> bool {
    let first = |i: Iter, of: &Assignment| of.space.range(i).map(|r| r.lo.clone());
    whole.reduced().into_iter().any(|i| first(i, whole) != first(i, part))
}

/// The parts of a nest, where it is worth to be divided.
fn parts(graph: &Graph, n: &Nest, options: &PlanOptions) -> Option<Vec<Assignment>> {
    let a = &graph.assigns[n.assign];
    let divisible = divisible(graph, n, options.strict);
    if divisible.is_empty() || is_product(a) {
        return None;
    }
    let parts = Division { graph, divisible, border: options.border }.parts(a)?;
    (!may_fail(graph, a) || fails_in_order(graph, n, &parts)).then_some(parts)
}

/// Whether the first failure of parts, one after the other, is the first one of the nest: a
/// part that may fail has all its rows before those of the next one that may.
fn fails_in_order(graph: &Graph, n: &Nest, parts: &[Assignment]) -> bool {
    let is_free = |r: &&Range| !n.bound.iter().any(|(i, _)| *i == r.iter);
    let failing = parts.iter().filter(|p| may_fail(graph, p));
    let rows: Vec<&Range> = failing.filter_map(|p| p.space.ranges.iter().find(is_free)).collect();
    let before = |a: &Range, b: &Range| match (a.hi.as_size(), b.lo.as_size()) {
        (Some(end), Some(start)) => graph.facts.le(end, start) == Verdict::Yes,
        _ => false,
    };
    rows.windows(2).all(|pair| before(pair[0], pair[1]))
}

/// The iterators along which a nest may be divided.
fn divisible(graph: &Graph, n: &Nest, strict: bool) -> Vec<Iter> {
    let a = &graph.assigns[n.assign];
    let (written, reduced) = (a.written(), a.reduced());
    let in_order = strict && graph.tensors[a.target].elem.is_float();
    let free = |r: &&Range| {
        let bound = n.bound.iter().any(|(i, _)| *i == r.iter);
        let sized = r.lo.as_size().is_some() && r.hi.as_size().is_some();
        let in_turn = !in_order || reduced.first() == Some(&r.iter);
        let combines = can_run_on(a.accumulator) && in_turn;
        !bound && sized && (written.contains(&r.iter) || combines)
    };
    // Where several points write one cell, a part would begin it anew.
    if a.accumulator != Accumulator::Set && !a.is_plainly_injective() {
        return Vec::new();
    }
    a.space.ranges.iter().filter(free).map(|r| r.iter).collect()
}

/// Terms of which the body asks whether they are negative; `is_near` says of a term that it
/// is not, or by a few only.
fn conditions(a: &Assignment, is_near: &dyn Fn(&Affine) -> bool) -> Vec<Affine> {
    let mut found: Vec<Affine> = Vec::new();
    let mut add = |term: Option<Affine>| {
        found.extend(term.filter(|t| !t.iters().is_empty()));
    };
    a.space.guards.iter().flat_map(demanded).for_each(&mut add);
    for e in reachable(a) {
        match a.exprs.get(e) {
            Expr::Binary(op, x, y, _) => {
                let (x, y) = (as_term(&a.exprs, *x), as_term(&a.exprs, *y));
                if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
                    add(x);
                    continue;
                }
                let (Some(x), Some(y)) = (x, y) else {
                    continue;
                };
                compared(*op, &x, &y).into_iter().for_each(&mut add);
            }
            Expr::Index(term) => divided(term, is_near).into_iter().for_each(&mut add),
            Expr::Read { index, .. } => {
                let terms = index.iter().filter_map(IndexTerm::as_affine);
                terms.flat_map(|t| divided(t, is_near)).for_each(&mut add);
            }
            Expr::Reduce(r) => r.guards.iter().flat_map(demanded).for_each(&mut add),
            _ => {}
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The terms that a guard wants not to be negative.
fn demanded(g: &Constraint) -> [Option<Affine>; 2] {
    [Some(g.term.clone()), g.term.scaled(-1).filter(|_| g.relation == Relation::Zero)]
}

/// The terms whose signs decide an operator.
fn compared(op: BinaryOp, x: &Affine, y: &Affine) -> Vec<Option<Affine>> {
    let minus_one = Size::constant(-1);
    let (d, back) = (y.minus(x), x.minus(y));
    match op {
        BinaryOp::Le | BinaryOp::Gt => vec![d],
        BinaryOp::Ge | BinaryOp::Lt | BinaryOp::Max | BinaryOp::Min => vec![back],
        BinaryOp::Eq | BinaryOp::Ne => {
            vec![d.map(|d| d.plus_size(&minus_one)), back.map(|d| d.plus_size(&minus_one))]
        }
        _ => Vec::new(),
    }
}

/// The terms whose signs decide the quotients in a term, where these are few numbers: a
/// remainder that goes round once, not a row of a table.
fn divided(term: &Affine, is_near: &dyn Fn(&Affine) -> bool) -> Vec<Option<Affine>> {
    let mut found = Vec::new();
    for (dim, _) in term.terms() {
        if let Dim::Div(inner, by) | Dim::Mod(inner, by) = dim {
            found.extend(divided(inner, is_near));
            let less = |n: i64| inner.plus_size(&by.scaled(-n));
            let above = inner.plus_size(by);
            let below = Affine::fixed(0).minus(&less(3));
            if is_near(&above) && below.is_some_and(|b| is_near(&b)) {
                found.extend([0, 1, 2].map(|n| Some(less(n))));
            }
        }
    }
    found
}

/// A nest under division.
struct Division<'a> {
    graph: &'a Graph,
    divisible: Vec<Iter>,
    border: i64,
}

/// Some of a nest's points.
struct Part {
    assignment: Assignment,
    /// A border, which stays as it is.
    thin: bool,
}

impl Division<'_> {
    /// The parts, in order; `None` where nothing divides.
    fn parts(&self, a: &Assignment) -> Option<Vec<Assignment>> {
        let mut done: Vec<Assignment> = Vec::new();
        let mut open = vec![Part { assignment: a.clone(), thin: false }];
        while let Some(part) = open.pop() {
            let divided = if part.thin { None } else { self.divided(&part.assignment) };
            match divided {
                // The last one pushed is looked at next: the order is kept.
                Some(parts) => open.extend(parts.into_iter().rev()),
                None => done.push(part.assignment),
            }
            let count = done.len() + open.len();
            if count > MOST_PARTS || a.exprs.len() * count > MOST_NODES {
                return None;
            }
        }
        (done.len() > 1).then_some(done)
    }

    /// A part in two or three, by the first condition that is open in it and that divides
    /// it into borders and parts in which it is decided.
    fn divided(&self, a: &Assignment) -> Option<Vec<Part>> {
        let mut scope = scope_of(a);
        scope.guards.clear();
        let ends = Ends::new(&scope);
        let facts = &self.graph.facts;
        let conditions = conditions(a, &|term| ends.at_least(term, (-self.border).into(), facts));
        if conditions.is_empty() || conditions.len() > MOST_CONDITIONS {
            return None;
        }
        let is_open =
            |term: &&Affine| !ends.at_least(term, 0, facts) && !ends.at_most(term, -1, facts);
        let open: Vec<&Affine> = conditions.iter().filter(is_open).collect();
        self.divisible.iter().find_map(|&i| {
            let at = a.space.ranges.iter().position(|r| r.iter == i)?;
            if self.is_thin(&a.space.ranges[at]) {
                return None;
            }
            open.iter().find_map(|term| self.parts_by(a, at, &cut(&ends, term, i, self.border)?))
        })
    }

    fn parts_by(&self, a: &Assignment, at: usize, cut: &Cut) -> Option<Vec<Part>> {
        let r = &a.space.ranges[at];
        let (lo, hi) = (r.lo.as_size()?, r.hi.as_size()?);
        let facts = &self.graph.facts;
        let ends = [
            (lo.clone(), facts.smaller(&cut.first, hi)),
            (facts.larger(&cut.first, lo), facts.smaller(&cut.second, hi)),
            (facts.larger(&cut.second, lo), hi.clone()),
        ];
        let mut parts = Vec::new();
        for (lo, hi) in ends {
            if facts.le(&hi, &lo) == Verdict::Yes {
                continue;
            }
            let mut part = a.clone();
            let range = &mut part.space.ranges[at];
            (range.lo, range.hi) = (Affine::fixed(lo), Affine::fixed(hi));
            let thin = self.is_thin(range);
            parts.push(Part { assignment: fold_assignment(self.graph, &part), thin });
        }
        (parts.len() > 1 && parts.iter().any(|p| !p.thin)).then_some(parts)
    }

    fn is_thin(&self, r: &Range) -> bool {
        let length = r.hi.minus(&r.lo).and_then(|n| n.as_size().cloned());
        length
            .is_some_and(|n| self.graph.facts.le(&n, &Size::constant(self.border)) == Verdict::Yes)
    }
}

/// Where along an iterator a condition changes: it has one truth below `first`, another one
/// from `second` on.
struct Cut {
    first: Size,
    second: Size,
}

/// The cut that a condition makes along an iterator, if it is a narrow one.
fn cut(ends: &Ends<'_>, term: &Affine, i: Iter, border: i64) -> Option<Cut> {
    let c = term.coefficient(i);
    let rest = term.minus(&Affine::iter(i).scaled(c)?)?;
    if c == 0 || rest.iters().contains(&i) {
        return None;
    }
    let end = |end: End| ends.eliminate(&rest, end).and_then(|a| a.as_size().cloned());
    let (least, most) = (end(End::Lower)?, end(End::Upper)?);
    let width = most.minus(&least).as_constant()?;
    (width <= border).then_some(())?;
    // `c * i + rest >= 0` from `ceil(-rest / c)` on; for `c < 0` up to `floor(rest / -c)`.
    Some(match c > 0 {
        true => {
            Cut { first: ceiling(&most.scaled(-1), c)?, second: ceiling(&least.scaled(-1), c)? }
        }
        false => {
            let past = |rest: &Size| Some(floor(rest, -c)?.plus_const(1));
            Cut { first: past(&least)?, second: past(&most)? }
        }
    })
}

fn ceiling(s: &Size, by: i64) -> Option<Size> {
    floor(&s.plus_const(by - 1), by)
}

fn floor(s: &Size, by: i64) -> Option<Size> {
    match by {
        1 => Some(s.clone()),
        _ => s.floor_div(&Size::constant(by)),
    }
}
