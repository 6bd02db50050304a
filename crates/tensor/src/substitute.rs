//! Bodies moved into other arenas, with terms in place of iterators.

use crate::{Affine, Expr, ExprId, Exprs, IndexTerm, Iter, Reduction};
use std::collections::{BTreeMap, BTreeSet};

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
    for e in below(from, roots) {
        let node = renamed(from.get(e), replace, &|x| moved[&x])?;
        moved.insert(e, into.add(node, from.ty(e)));
    }
    Some(moved)
}

/// What `roots` need, operands before users.
fn below(exprs: &Exprs, roots: impl IntoIterator<Item = ExprId>) -> BTreeSet<ExprId> {
    let mut reach = BTreeSet::new();
    let mut stack: Vec<ExprId> = roots.into_iter().collect();
    while let Some(e) = stack.pop() {
        if reach.insert(e) {
            stack.extend(exprs.get(e).operands());
        }
    }
    reach
}

fn renamed(
    e: &Expr,
    replace: &dyn Fn(Iter) -> Affine,
    at: &dyn Fn(ExprId) -> ExprId,
) -> Option<Expr> {
    Some(match e {
        Expr::Const(v) => Expr::Const(*v),
        Expr::Index(a) => Expr::Index(a.compose(replace)?),
        Expr::Read { tensor, index, site } => {
            let index = index.iter().map(|t| index_term(t, replace, at)).collect::<Option<_>>()?;
            Expr::Read { tensor: *tensor, index, site: *site }
        }
        Expr::Unary(op, x) => Expr::Unary(*op, at(*x)),
        Expr::Binary(op, a, b, site) => Expr::Binary(*op, at(*a), at(*b), *site),
        Expr::Cast(t, x) => Expr::Cast(*t, at(*x)),
        Expr::If(c, a, b) => Expr::If(at(*c), at(*a), at(*b)),
        Expr::Check { condition, value, site } => {
            Expr::Check { condition: at(*condition), value: at(*value), site: *site }
        }
        Expr::Call { function, args } => {
            Expr::Call { function: *function, args: args.iter().map(|a| at(*a)).collect() }
        }
        Expr::Reduce(r) => Expr::Reduce(Box::new(Reduction {
            mask: r.mask.map(at),
            body: at(r.body),
            ..(**r).clone()
        })),
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
        IndexTerm::Piecewise(parts) => {
            let part = |(i, a): &(Iter, Affine)| {
                Some((replace(*i).as_iter().unwrap_or(*i), a.compose(replace)?))
            };
            IndexTerm::Piecewise(parts.iter().map(part).collect::<Option<_>>()?)
        }
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
    for e in below(from, roots.iter().copied()) {
        let node = renamed(from.get(e), &Affine::iter, &|x| moved[&x]);
        let node = node.expect("nothing is scaled");
        let new = put(&mut into, node, from.ty(e));
        moved.insert(e, new);
    }
    let roots = roots.iter().map(|r| moved[r]).collect();
    (into, roots)
}
