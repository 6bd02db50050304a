//! Bodies moved into other arenas, with terms in place of iterators.

use std::collections::BTreeMap;
use weft_base::Name;
use weft_base::entity::PrimaryMap;
use weft_domain::{Affine, Constraint, Dim, Iter, Range};
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_tensor::reachable_from;
use weft_tensor::{Expr, ExprId, Exprs, IndexTerm, Reduction};

/// Replacement of an iterator.
#[derive(Clone, Debug)]
pub(crate) enum Sub {
    /// A term over the iterators of the new arena.
    Term(Affine),
    /// A node of the new arena, an `i64`.
    Value(ExprId),
}

/// An index: known to sets, or computed.
#[derive(Clone, Debug)]
pub(crate) enum Index {
    Term(Affine),
    Value(ExprId),
}

/// Moves nodes of one arena into another.
pub(crate) struct Import<'a> {
    pub from: &'a Exprs,
    pub into: &'a mut Exprs,
    /// Replacements of iterators. All that occur must be here.
    pub subs: BTreeMap<Iter, Sub>,
    moved: BTreeMap<ExprId, ExprId>,
}

impl<'a> Import<'a> {
    /// Prepares to move what `roots` need; iterators of nested reductions get new ones of
    /// `iters`.
    pub fn new(
        from: &'a Exprs,
        into: &'a mut Exprs,
        mut subs: BTreeMap<Iter, Sub>,
        roots: &[ExprId],
        names: &PrimaryMap<Iter, Option<Name>>,
        iters: &mut PrimaryMap<Iter, Option<Name>>,
    ) -> Import<'a> {
        for e in reachable_from(from, roots.iter().copied()) {
            if let Expr::Reduce(r) = from.get(e) {
                for range in &r.ranges {
                    let fresh = iters.push(names[range.iter].clone());
                    subs.insert(range.iter, Sub::Term(Affine::iter(fresh)));
                }
            }
        }
        Import { from, into, subs, moved: BTreeMap::new() }
    }

    /// The node that `root` becomes; `None` where a term cannot be expressed.
    pub fn node(&mut self, root: ExprId) -> Option<ExprId> {
        for e in reachable_from(self.from, [root]) {
            if !self.moved.contains_key(&e) {
                let new = self.convert(e)?;
                self.moved.insert(e, new);
            }
        }
        Some(self.moved[&root])
    }

    fn convert(&mut self, e: ExprId) -> Option<ExprId> {
        let ty = self.from.ty(e);
        let new = match self.from.get(e) {
            Expr::Index(a) => return self.as_value(a),
            Expr::Read { tensor, index, site } => {
                let index = index.iter().map(|t| self.index_term(t)).collect::<Option<_>>()?;
                Expr::Read { tensor: *tensor, index, site: *site }
            }
            Expr::Reduce(r) => Expr::Reduce(Box::new(self.reduction(r)?)),
            other => other.with_operands(&|x| self.moved[&x]),
        };
        Some(self.into.add(new, ty))
    }

    fn reduction(&mut self, r: &Reduction) -> Option<Reduction> {
        Some(Reduction {
            accumulator: r.accumulator,
            ranges: r.ranges.iter().map(|r| self.range(r)).collect::<Option<_>>()?,
            guards: r.guards.iter().map(|g| self.constraint(g)).collect::<Option<_>>()?,
            mask: r.mask.map(|m| self.moved[&m]),
            body: self.moved[&r.body],
        })
    }

    /// A range with its iterator, which must become one iterator again.
    pub fn range(&self, r: &Range) -> Option<Range> {
        let iter = match &self.subs[&r.iter] {
            Sub::Term(a) => a.as_iter()?,
            Sub::Value(_) => return None,
        };
        Some(Range { iter, lo: self.term(&r.lo)?, hi: self.term(&r.hi)? })
    }

    /// A constraint, if no computed index occurs in it.
    pub fn constraint(&self, c: &Constraint) -> Option<Constraint> {
        Some(Constraint { term: self.term(&c.term)?, relation: c.relation })
    }

    fn index_term(&mut self, t: &IndexTerm) -> Option<IndexTerm> {
        match t {
            IndexTerm::Affine(a) => Some(match self.index(a)? {
                Index::Term(a) => IndexTerm::Affine(a),
                Index::Value(e) => IndexTerm::Data(e),
            }),
            IndexTerm::Data(e) => Some(IndexTerm::Data(self.moved[e])),
        }
    }

    /// A term, if no computed index occurs in it.
    pub fn term(&self, a: &Affine) -> Option<Affine> {
        let all_terms = a.iters().iter().all(|i| matches!(self.subs[i], Sub::Term(_)));
        all_terms.then(|| {
            a.compose(&|i| match &self.subs[&i] {
                Sub::Term(t) => t.clone(),
                Sub::Value(_) => unreachable!("all are terms"),
            })
        })?
    }

    /// A term, or the arithmetic that computes it.
    pub fn index(&mut self, a: &Affine) -> Option<Index> {
        if let Some(t) = self.term(a) {
            return Some(Index::Term(t));
        }
        let mut rest = Affine::fixed(a.offset().clone());
        let mut values: Vec<(ExprId, i64)> = Vec::new();
        for (d, c) in a.terms() {
            match d {
                Dim::Iter(i) if matches!(self.subs[i], Sub::Value(_)) => {
                    if let Sub::Value(e) = self.subs[i] {
                        values.push((e, *c));
                    }
                }
                d => {
                    let part = self.term(&Affine::dim(d.clone()))?;
                    rest = rest.plus(&part.scaled(*c)?)?;
                }
            }
        }
        Some(Index::Value(self.sum(&rest, &values)))
    }

    fn sum(&mut self, rest: &Affine, values: &[(ExprId, i64)]) -> ExprId {
        let mut total = None;
        for &(e, c) in values {
            let scaled = match c {
                1 => e,
                _ => {
                    let c = self.into.constant(Scalar::I64(c));
                    self.into.binary(BinaryOp::Mul, e, c)
                }
            };
            total = Some(match total {
                None => scaled,
                Some(t) => self.into.binary(BinaryOp::Add, t, scaled),
            });
        }
        let total = total.expect("a term that is no term has a value in it");
        if rest.as_constant() == Some(0) {
            return total;
        }
        let rest = self.into.index(rest.clone());
        self.into.binary(BinaryOp::Add, total, rest)
    }

    /// A term as a node.
    pub fn as_value(&mut self, a: &Affine) -> Option<ExprId> {
        Some(match self.index(a)? {
            Index::Term(t) => self.into.index(t),
            Index::Value(e) => e,
        })
    }
}

impl Index {
    /// The index as a node.
    pub fn value(&self, exprs: &mut Exprs) -> ExprId {
        match self {
            Index::Term(a) => exprs.index(a.clone()),
            Index::Value(e) => *e,
        }
    }

    /// `sign * (self - offset)`.
    pub fn solve(&self, offset: &Affine, sign: i64, exprs: &mut Exprs) -> Option<Index> {
        match self {
            Index::Term(a) => Some(Index::Term(a.minus(offset)?.scaled(sign)?)),
            Index::Value(e) => {
                let mut value = *e;
                if offset.as_constant() != Some(0) {
                    let offset = exprs.index(offset.clone());
                    value = exprs.binary(BinaryOp::Sub, value, offset);
                }
                if sign < 0 {
                    value = exprs.unary(weft_scalar::UnaryOp::Neg, value);
                }
                Some(Index::Value(value))
            }
        }
    }

    /// The index as what replaces an iterator.
    pub fn as_sub(&self) -> Sub {
        match self {
            Index::Term(a) => Sub::Term(a.clone()),
            Index::Value(e) => Sub::Value(*e),
        }
    }
}

/// An integer node as `i64`.
pub(crate) fn as_i64(exprs: &mut Exprs, e: ExprId) -> ExprId {
    exprs.cast(ScalarType::I64, e)
}
