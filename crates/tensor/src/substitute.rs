//! Bodies moved into other arenas, with terms in place of iterators.

use crate::{Affine, Assignment, Expr, ExprId, Exprs, IndexTerm, Iter, Reduction, reachable_from};
use std::collections::BTreeMap;

/// Copies what `roots` need into another arena; `replace` says what each iterator becomes
/// (those of nested reductions and joined axes must stay iterators). Gives where each node
/// went, or `None` where a coefficient overflows.
pub fn substitute(
    from: &Exprs,
    into: &mut Exprs,
    roots: impl IntoIterator<Item = ExprId>,
    replace: &dyn Fn(Iter) -> Affine,
) -> Option<BTreeMap<ExprId, ExprId>> {
    let mut moved = BTreeMap::new();
    for e in reachable_from(from, roots) {
        let node = renamed(from.get(e), replace, &|x| moved[&x])?;
        moved.insert(e, into.add(node, from.ty(e)));
    }
    Some(moved)
}

fn renamed(
    e: &Expr,
    replace: &dyn Fn(Iter) -> Affine,
    at: &dyn Fn(ExprId) -> ExprId,
) -> Option<Expr> {
    Some(match e {
        Expr::Index(a) => Expr::Index(a.compose(replace)?),
        Expr::Read { tensor, index, site } => {
            let index = index.iter().map(|t| index_term(t, replace, at)).collect::<Option<_>>()?;
            Expr::Read { tensor: *tensor, index, site: *site }
        }
        other => other.with_operands(at),
    })
}

fn index_term(
    t: &IndexTerm,
    replace: &dyn Fn(Iter) -> Affine,
    at: &dyn Fn(ExprId) -> ExprId,
) -> Option<IndexTerm> {
    Some(match t {
        IndexTerm::Affine(a) => IndexTerm::Affine(a.compose(replace)?),
        IndexTerm::Data(x) => IndexTerm::Data(at(*x)),
    })
}

/// A mask and a body (any roots) in a new arena, with some nodes replaced: `put` gets the
/// arena and a node whose operands have moved, and gives what stands in its place.
pub fn rewrite(
    from: &Exprs,
    roots: &[ExprId],
    put: &mut dyn FnMut(&mut Exprs, Expr, weft_scalar::ScalarType) -> ExprId,
) -> (Exprs, Vec<ExprId>) {
    let mut into = Exprs::new();
    let mut moved: BTreeMap<ExprId, ExprId> = BTreeMap::new();
    for e in reachable_from(from, roots.iter().copied()) {
        let node = from.get(e).with_operands(&|x| moved[&x]);
        let new = put(&mut into, node, from.ty(e));
        moved.insert(e, new);
    }
    let roots = roots.iter().map(|r| moved[r]).collect();
    (into, roots)
}

impl Expr {
    /// The node with every operand replaced, those of index terms too.
    pub fn with_operands(&self, to: &dyn Fn(ExprId) -> ExprId) -> Expr {
        match self {
            Expr::Const(_) | Expr::Index(_) => self.clone(),
            Expr::Read { tensor, index, site } => {
                let term = |t: &IndexTerm| match t {
                    IndexTerm::Data(x) => IndexTerm::Data(to(*x)),
                    other => other.clone(),
                };
                Expr::Read { tensor: *tensor, index: index.iter().map(term).collect(), site: *site }
            }
            Expr::Unary(op, x) => Expr::Unary(*op, to(*x)),
            Expr::Binary(op, a, b, site) => Expr::Binary(*op, to(*a), to(*b), *site),
            Expr::Cast(ty, x) => Expr::Cast(*ty, to(*x)),
            Expr::If(c, a, b) => Expr::If(to(*c), to(*a), to(*b)),
            Expr::Check { condition, value, site } => {
                Expr::Check { condition: to(*condition), value: to(*value), site: *site }
            }
            Expr::Call { function, args } => {
                Expr::Call { function: *function, args: args.iter().map(|a| to(*a)).collect() }
            }
            Expr::Reduce(r) => Expr::Reduce(Box::new(Reduction {
                mask: r.mask.map(to),
                body: to(r.body),
                ..(**r).clone()
            })),
        }
    }
}

impl Assignment {
    /// Leaves in the arena only what mask and body need.
    pub fn drop_unreachable(&mut self) {
        let roots: Vec<ExprId> = self.mask.into_iter().chain([self.body]).collect();
        let (exprs, roots) = rewrite(&self.exprs, &roots, &mut |into, node, ty| into.add(node, ty));
        self.exprs = exprs;
        self.mask = self.mask.map(|_| roots[0]);
        self.body = roots[roots.len() - 1];
    }
}
