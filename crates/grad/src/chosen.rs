//! Cells that data choose: the index `ix[o]` of `@e[o] / @x[ix[o]]`, as an expression over the
//! cell of the target, in no body's arena.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use weft_base::entity::EntityRef;
use weft_domain::{Affine, Iter};
use weft_tensor::{Expr, ExprId, Exprs, IndexTerm, TensorId, substitute};

/// An index of the independent tensor that is computed from the cell of the target.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The nodes: two indices are the same where these are.
    text: String,
    /// Iterator `n` stands for the place along axis `n` of the target.
    exprs: Exprs,
    index: ExprId,
    /// The axes of the target that it depends on.
    pub(crate) along: BTreeSet<usize>,
}

impl Chosen {
    /// A computed index of a read whose cell of the target is `target`; none where that does
    /// not say which one it is, or where derivatives that are not known yet decide.
    pub(crate) fn of(
        exprs: &Exprs,
        index: ExprId,
        target: &[IndexTerm],
        is_open: &dyn Fn(TensorId) -> bool,
    ) -> Option<Chosen> {
        let stands = |t: &IndexTerm, i| t.as_affine().and_then(Affine::as_iter) == Some(i);
        let axis = |i: Iter| target.iter().position(|t| stands(t, i));
        let (found, reads) = names_in(exprs, index);
        if reads.into_iter().any(is_open) {
            return None;
        }
        let along = found.iter().map(|i| axis(*i)).collect::<Option<BTreeSet<usize>>>()?;
        let replace = |i: Iter| axis(i).map_or(Affine::iter(i), |n| Affine::iter(numbered(n)));
        let mut own = Exprs::new();
        let moved = substitute(exprs, &mut own, [index], &replace)?;
        let index = moved[&index];
        let nodes: Vec<String> = own.ids().map(|e| format!("{:?}", own.get(e))).collect();
        Some(Chosen { text: nodes.join("; "), exprs: own, index, along })
    }

    /// The index in a body where the target's cell is known: `at` says where it is along an
    /// axis. `None` where a coefficient overflows.
    pub fn at(&self, into: &mut Exprs, at: &dyn Fn(usize) -> Affine) -> Option<ExprId> {
        let moved = substitute(&self.exprs, into, [self.index], &|i| at(i.index()))?;
        Some(moved[&self.index])
    }
}

fn numbered(n: usize) -> Iter {
    Iter::new(n)
}

/// The iterators and the tensors that a node is computed from.
fn names_in(exprs: &Exprs, e: ExprId) -> (BTreeSet<Iter>, BTreeSet<TensorId>) {
    let (mut iters, mut tensors) = (BTreeSet::new(), BTreeSet::new());
    let mut seen = BTreeSet::new();
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        if !seen.insert(e) {
            continue;
        }
        let node = exprs.get(e);
        match node {
            Expr::Index(a) => iters.extend(a.iters()),
            Expr::Read { tensor, index, .. } => {
                tensors.insert(*tensor);
                index.iter().for_each(|t| match t {
                    IndexTerm::Affine(a) => iters.extend(a.iters()),
                    IndexTerm::Data(_) => {}
                });
            }
            _ => {}
        }
        stack.extend(node.operands());
    }
    (iters, tensors)
}

impl PartialEq for Chosen {
    fn eq(&self, other: &Chosen) -> bool {
        self.text == other.text
    }
}

impl Eq for Chosen {}

impl PartialOrd for Chosen {
    fn partial_cmp(&self, other: &Chosen) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Chosen {
    fn cmp(&self, other: &Chosen) -> Ordering {
        self.text.cmp(&other.text)
    }
}
