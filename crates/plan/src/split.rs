//! Split coproducts: an assignment over a factor of several written ranges becomes one
//! assignment per range, each with its own term on the joined axis.
//!
//! ```text
//! y[i ^ j] over (i in 0..A | j in 0..B)  =>  y[i] over i in 0..A;  y[A + j] over j in 0..B
//! ```
//!
//! Factors whose iterators are reduced stay: their ranges meet in one accumulator.

use weft_domain::{Factor, Iter};
use weft_tensor::reachable;
use weft_tensor::{
    AssignId, Assignment, Definition, Expr, ExprId, Exprs, Graph, IndexTerm, TensorId,
};

/// Splits every assignment of the graph. Guarantees that written factors have one range.
pub(crate) fn split_coproducts(graph: &mut Graph) {
    for t in graph.tensors.keys().collect::<Vec<_>>() {
        let pieces = graph.pieces(t).to_vec();
        let mut all: Vec<AssignId> = Vec::new();
        for p in pieces {
            match split(&graph.assigns[p]) {
                None => all.push(p),
                Some(parts) => {
                    // The first part keeps the id, so that every assignment is a piece.
                    for (n, part) in parts.into_iter().enumerate() {
                        match n {
                            0 => graph.assigns[p] = part,
                            _ => all.push(graph.assigns.push(part)),
                        }
                    }
                    all.push(p);
                }
            }
        }
        if let Definition::Assigned { pieces, .. } = &mut graph.tensors[t].definition {
            *pieces = all;
        }
    }
}

/// Whether some piece of a tensor would be split.
pub(crate) fn has_joined_axes(graph: &Graph, t: TensorId) -> bool {
    graph.pieces(t).iter().any(|&p| {
        let a = &graph.assigns[p];
        a.space.factors.iter().any(|f| is_joined(f, &a.written()))
    })
}

/// Whether a factor has several ranges, some of them written.
fn is_joined(f: &Factor, written: &[Iter]) -> bool {
    f.ranges.len() > 1 && f.ranges.iter().any(|r| written.contains(&r.iter))
}

/// The parts of an assignment; `None` where it has one part only.
fn split(a: &Assignment) -> Option<Vec<Assignment>> {
    let written = a.written();
    let joined = |f: &Factor| is_joined(f, &written);
    a.space.factors.iter().any(joined).then(|| {
        let mut parts = vec![a.clone()];
        for (at, f) in a.space.factors.iter().enumerate().filter(|(_, f)| joined(f)) {
            let one = |part: &Assignment| -> Vec<Assignment> {
                (0..f.ranges.len()).map(|n| choose(part, at, n)).collect()
            };
            parts = parts.iter().flat_map(one).collect();
        }
        parts
    })
}

/// The assignment where range `n` of factor `at` is the active one.
fn choose(a: &Assignment, at: usize, n: usize) -> Assignment {
    let ranges = &a.space.factors[at].ranges;
    let active = ranges[n].iter;
    let all: Vec<Iter> = ranges.iter().map(|r| r.iter).collect();
    let resolve = |term: &IndexTerm| match term {
        IndexTerm::Piecewise(parts) if parts.iter().any(|(i, _)| all.contains(i)) => parts
            .iter()
            .find(|(i, _)| *i == active)
            .map_or_else(|| term.clone(), |(_, a)| IndexTerm::Affine(a.clone())),
        other => other.clone(),
    };
    let mut part = a.clone();
    part.space.factors[at] = Factor { ranges: vec![ranges[n].clone()] };
    // A guard over an iterator of the factor applies where that is the active one.
    let inactive = |i: &Iter| all.contains(i) && *i != active;
    part.space.guards.retain(|g| !g.term.iters().iter().any(inactive));
    part.write = a.write.iter().map(resolve).collect();
    let (exprs, moved) = map_reads(a, &resolve);
    part.exprs = exprs;
    part.mask = a.mask.map(|m| moved[m.as_u32() as usize].expect("the mask is reachable"));
    part.body = moved[a.body.as_u32() as usize].expect("the body is reachable");
    part
}

/// The arena with every read's terms replaced, and where each old node went.
fn map_reads(
    a: &Assignment,
    resolve: &dyn Fn(&IndexTerm) -> IndexTerm,
) -> (Exprs, Vec<Option<ExprId>>) {
    let mut exprs = Exprs::new();
    let mut moved: Vec<Option<ExprId>> = vec![None; a.exprs.len()];
    for e in reachable(a) {
        let to = |x: ExprId| moved[x.as_u32() as usize].expect("operands come first");
        let new = match a.exprs.get(e) {
            Expr::Read { tensor, index, site } => {
                let term = |t: &IndexTerm| match resolve(t) {
                    IndexTerm::Data(x) => IndexTerm::Data(to(x)),
                    other => other,
                };
                Expr::Read { tensor: *tensor, index: index.iter().map(term).collect(), site: *site }
            }
            other => other.with_operands(&to),
        };
        moved[e.as_u32() as usize] = Some(exprs.add(new, a.exprs.ty(e)));
    }
    (exprs, moved)
}
