//! What lowering asks of each node of a body.

use weft_domain::Iter;
use weft_domain::Scope;
use weft_scalar::eval::{may_overflow, trap_by};
use weft_scalar::{BinaryOp, Scalar};
use weft_shape::Facts;
use weft_tensor::{Assignment, Expr, ExprId, Graph, IndexTerm};

/// Facts about one node, operands included.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    /// The iterators its value depends on, ascending.
    pub iters: Vec<Iter>,
    /// Whether its evaluation may fail, other than by integers that leave their type.
    pub traps: bool,
    /// Whether an integer in it may leave its type.
    pub checked: bool,
    /// Whether it reads memory.
    pub loads: bool,
    /// Whether a read in it may lie outside where the node is not reached.
    pub unsafe_loads: bool,
    /// Whether it needs statements of its own.
    pub statements: bool,
    /// A rough cost in additions.
    pub cost: u32,
    /// How many nodes use it directly.
    pub uses: u32,
    /// The longest path of operands below it.
    pub depth: u32,
}

/// The nodes of one assignment by id.
#[derive(Clone)]
pub(crate) struct Nodes {
    all: Vec<Node>,
    /// Whether any node needs statements of its own.
    pub any_statements: bool,
    precise: bool,
}

impl Nodes {
    /// Looks at every node of the arena.
    /// With `precise` integers that leave their type are traps.
    pub fn compute(graph: &Graph, a: &Assignment, scope: &Scope, precise: bool) -> Nodes {
        let mut nodes = Nodes { all: Vec::new(), any_statements: false, precise };
        for e in a.exprs.ids() {
            let node = nodes.node(graph, a, scope, e);
            nodes.any_statements |= node.statements;
            nodes.all.push(node);
            for x in a.exprs.get(e).operands() {
                nodes.all[x.as_u32() as usize].uses += 1;
            }
        }
        nodes
    }

    /// The facts about `e`.
    pub fn get(&self, e: ExprId) -> &Node {
        &self.all[e.as_u32() as usize]
    }

    fn node(&self, graph: &Graph, a: &Assignment, scope: &Scope, e: ExprId) -> Node {
        let expr = a.exprs.get(e);
        let mut node = Node::default();
        for x in expr.operands() {
            let x = self.get(x);
            node.iters.extend(&x.iters);
            node.traps |= x.traps;
            node.checked |= x.checked;
            node.loads |= x.loads;
            node.unsafe_loads |= x.unsafe_loads;
            node.statements |= x.statements;
            node.cost = node.cost.saturating_add(x.cost);
            node.depth = node.depth.max(x.depth.saturating_add(1));
        }
        match expr {
            Expr::Const(_) => {}
            Expr::Index(i) => node.iters.extend(i.iters()),
            Expr::Read { tensor, index, site } => {
                let safe = is_safe(graph, scope, *tensor, index);
                node.iters.extend(index.iter().flat_map(term_iters));
                node.loads = true;
                node.unsafe_loads |= !safe;
                node.traps |= site.is_some() && !safe;
                node.cost = node.cost.saturating_add(1);
            }
            Expr::Binary(op, _, b, site) => {
                node.traps |= site.is_some() && may_trap(a, *op, *b);
                node.cost = node.cost.saturating_add(match op {
                    BinaryOp::Pow => 40,
                    BinaryOp::Div | BinaryOp::Rem => 6,
                    _ => 1,
                });
            }
            Expr::Unary(..) => node.cost = node.cost.saturating_add(8),
            Expr::Cast(..) => node.cost = node.cost.saturating_add(1),
            Expr::If(..) => node.cost = node.cost.saturating_add(1),
            Expr::Check { .. } if a.exprs.fitted(e).is_some() => node.checked = true,
            Expr::Check { .. } => node.traps = true,
            Expr::Call { .. } => {
                node.traps = true;
                node.cost = node.cost.saturating_add(1000);
            }
            Expr::Reduce(r) => {
                node.statements = true;
                node.cost = node.cost.saturating_add(1000);
                for range in &r.ranges {
                    node.iters.extend(range.lo.iters().into_iter().chain(range.hi.iters()));
                }
                node.iters.extend(r.guards.iter().flat_map(|g| g.term.iters()));
                let own = |i: &Iter| r.ranges.iter().any(|r| r.iter == *i);
                node.iters.retain(|i| !own(i));
            }
        }
        node.checked |= is_checked(a, e);
        node.traps |= self.precise && node.checked;
        node.statements |= node.traps || matches!(expr, Expr::Call { .. });
        if let Expr::If(_, x, y) = expr {
            node.statements |= !self.may_select(*x) || !self.may_select(*y);
        }
        node.iters.sort();
        node.iters.dedup();
        node
    }

    /// The operands that are evaluated whenever `e` is.
    pub fn strict_operands(&self, a: &Assignment, e: ExprId) -> Vec<ExprId> {
        match a.exprs.get(e) {
            Expr::If(c, x, y) if !self.may_select(*x) || !self.may_select(*y) => vec![*c],
            Expr::Check { condition, .. } => vec![*condition],
            Expr::Reduce(_) => Vec::new(),
            other => other.operands(),
        }
    }

    /// Whether a branch may be evaluated where it is not taken.
    pub fn may_select(&self, e: ExprId) -> bool {
        let node = self.get(e);
        !node.traps && !node.unsafe_loads && !node.statements && node.cost <= 24
    }
}

/// Whether an operator with a site can fail at all.
pub(crate) fn may_trap(a: &Assignment, op: BinaryOp, b: ExprId) -> bool {
    let constant = match a.exprs.get(b) {
        Expr::Const(s) => Scalar::as_i64(*s),
        _ => None,
    };
    trap_by(op, a.exprs.ty(b), constant).is_some()
}

/// Whether every index surely lies inside its extent.
pub(crate) fn is_safe(
    graph: &Graph,
    scope: &Scope,
    tensor: weft_tensor::TensorId,
    index: &[IndexTerm],
) -> bool {
    let facts: &Facts = &graph.facts;
    index.iter().zip(graph.shape(tensor)).all(|(term, extent)| match term {
        IndexTerm::Affine(a) => scope.within(a, extent, facts),
        IndexTerm::Data(_) => false,
    })
}

fn term_iters(t: &IndexTerm) -> Vec<Iter> {
    match t {
        IndexTerm::Affine(a) => a.iters(),
        IndexTerm::Data(_) => Vec::new(),
    }
}

/// Whether an operator of a body may leave its type, and fails where it does.
pub(crate) fn is_checked(a: &Assignment, e: ExprId) -> bool {
    match a.exprs.get(e) {
        Expr::Binary(op, x, _, Some(_)) => may_overflow(*op, a.exprs.ty(*x)),
        _ => false,
    }
}
