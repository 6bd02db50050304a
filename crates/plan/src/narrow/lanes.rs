//! Bodies in 32 bits.
//!
//! Each node of 64 bits has a form in them, and, where it is taken to be small, one in 32. What
//! is made of narrow cells is computed there, and widened where something wants 64 bits; the
//! rest is computed as it was, and narrowed where it meets such cells, if it fits.
//!
//! A maximum of nothing is the least number of its type. In 32 bits that is another number, so
//! it may meet numbers in a maximum alone: elsewhere it is a failure.

use super::{MOST, NARROW, NarrowTensors, WIDE, nothing_of, something};
use weft_base::entity::EntityRef;
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_tensor::reachable;
use weft_tensor::{
    Accumulator, Assignment, Definition, Expr, ExprId, Exprs, Graph, Reduction, SiteId,
};

/// A node in 32 bits.
#[derive(Clone, Copy)]
struct Narrow {
    expr: ExprId,
    /// The maximum or minimum of nothing, if the node may be one.
    nothing: Option<Scalar>,
    /// Whether it is computed here, and not narrowed.
    native: bool,
}

/// An assignment in which some tensors have 32 bits, by the magnitude of its nodes. What does
/// not fit is told at `site`.
pub(super) fn narrowed(
    graph: &Graph,
    a: &Assignment,
    tensors: &NarrowTensors,
    sizes: &[Option<i128>],
    site: SiteId,
) -> Assignment {
    let nowhere = vec![None; a.exprs.len()];
    let (wide, narrow) = (nowhere, vec![None; a.exprs.len()]);
    let mut lanes = Lanes { graph, a, tensors, sizes, site, exprs: Exprs::new(), wide, narrow };
    reachable(a).into_iter().for_each(|e| lanes.take(e));
    let mut new = a.clone();
    new.mask = a.mask.map(|m| lanes.wide(m));
    new.body = if tensors.contains_key(&a.target) { lanes.cell() } else { lanes.wide(a.body) };
    new.exprs = lanes.exprs;
    new.drop_unreachable();
    new
}

struct Lanes<'a> {
    graph: &'a Graph,
    a: &'a Assignment,
    tensors: &'a NarrowTensors,
    sizes: &'a [Option<i128>],
    site: SiteId,
    exprs: Exprs,
    /// By node: its form of the same type.
    wide: Vec<Option<ExprId>>,
    /// By node: its form in 32 bits.
    narrow: Vec<Option<Narrow>>,
}

impl Lanes<'_> {
    fn wide(&self, e: ExprId) -> ExprId {
        self.wide[e.index()].expect("operands come first")
    }

    fn take(&mut self, e: ExprId) {
        let ty = self.a.exprs.ty(e);
        let native = match ty {
            WIDE => self.native(e),
            _ => None,
        };
        let wide = match native {
            Some(n) => {
                let n = self.something(n);
                self.exprs.cast(WIDE, n)
            }
            None if ty == WIDE => self.as_it_was(e),
            None => self.other(e),
        };
        self.wide[e.index()] = Some(wide);
        let small = ty == WIDE && self.sizes[e.index()].is_some_and(|m| m <= MOST);
        self.narrow[e.index()] = match native {
            None if small => Some(self.fitted(e, wide)),
            native => native,
        };
    }

    fn as_it_was(&mut self, e: ExprId) -> ExprId {
        let node = self.a.exprs.get(e).with_operands(&|x| self.wide(x));
        self.exprs.add(node, self.a.exprs.ty(e))
    }

    /// A node narrowed, which fails where it does not fit.
    fn fitted(&mut self, e: ExprId, wide: ExprId) -> Narrow {
        let is_literal = |t| matches!(self.graph.tensors[t].definition, Definition::Constant(_));
        let expr = match self.a.exprs.get(e) {
            Expr::Const(v) => {
                let v = v.as_i64().expect("a small integer");
                self.exprs.constant(Scalar::from_i64(NARROW, v))
            }
            // All of its cells have been seen.
            Expr::Read { tensor, .. } if is_literal(*tensor) => self.exprs.cast(NARROW, wide),
            _ => self.exprs.fit(NARROW, wide, self.site),
        };
        Narrow { expr, nothing: None, native: false }
    }

    /// A node of 64 bits that is computed in 32.
    fn native(&mut self, e: ExprId) -> Option<Narrow> {
        let small = self.sizes[e.index()].is_some_and(|m| m <= MOST);
        match self.a.exprs.get(e) {
            Expr::Read { tensor, .. } if self.tensors.contains_key(tensor) => {
                let node = self.a.exprs.get(e).with_operands(&|x| self.wide(x));
                let expr = self.exprs.add(node, NARROW);
                Some(Narrow { expr, nothing: self.tensors[tensor], native: true })
            }
            _ if !small => None,
            Expr::Cast(_, x) if fits_always(self.a.exprs.ty(*x)) => {
                let x = self.wide(*x);
                Some(computed(self.exprs.cast(NARROW, x)))
            }
            Expr::Binary(op @ (BinaryOp::Max | BinaryOp::Min), x, y, _) => {
                let sides = self.sides(*x, *y)?;
                self.extremum(*op, sides)
            }
            Expr::Binary(op, x, y, site) if is_arithmetic(*op) => {
                let sides = self.sides(*x, *y)?;
                let [x, y] = sides.map(|n| self.something(n));
                let site = site.unwrap_or(self.site);
                Some(computed(self.exprs.binary_at(*op, x, y, Some(site))))
            }
            Expr::If(c, x, y) => {
                let (sides, c) = (self.sides(*x, *y)?, self.wide(*c));
                let ([x, y], nothing) = self.alike(sides);
                let expr = self.exprs.if_else(c, x, y);
                Some(Narrow { expr, nothing, native: true })
            }
            Expr::Check { condition, value, site } if self.a.exprs.fitted(e).is_none() => {
                let n = self.narrow[value.index()].filter(|n| n.native)?;
                let (condition, value) = (self.wide(*condition), n.expr);
                let expr = self.exprs.add(Expr::Check { condition, value, site: *site }, NARROW);
                Some(Narrow { expr, ..n })
            }
            Expr::Reduce(r) => self.reduction(r),
            _ => None,
        }
    }

    /// Both operands in 32 bits, where one is computed there.
    fn sides(&self, x: ExprId, y: ExprId) -> Option<[Narrow; 2]> {
        let sides = [self.narrow[x.index()]?, self.narrow[y.index()]?];
        sides.iter().any(|n| n.native).then_some(sides)
    }

    fn extremum(&mut self, op: BinaryOp, sides: [Narrow; 2]) -> Option<Narrow> {
        let accumulator = if op == BinaryOp::Max { Accumulator::Max } else { Accumulator::Min };
        let own = accumulator.identity(NARROW);
        let [x, y] = sides.map(|n| match n.nothing {
            Some(v) if v == own => n.expr,
            _ => self.something(n),
        });
        // What is there wins over nothing.
        let nothing = sides.iter().all(|n| n.nothing == Some(own)).then_some(own);
        Some(Narrow { expr: self.exprs.binary(op, x, y), nothing, native: true })
    }

    fn reduction(&mut self, r: &Reduction) -> Option<Narrow> {
        let body = self.narrow[r.body.index()].filter(|n| n.native)?;
        let identity = nothing_of(r.accumulator)?;
        let body = if body.nothing == identity { body.expr } else { self.something(body) };
        let r = Reduction { body, mask: r.mask.map(|m| self.wide(m)), ..r.clone() };
        let expr = self.exprs.add(Expr::Reduce(Box::new(r)), NARROW);
        Some(Narrow { expr, nothing: identity, native: true })
    }

    /// The sides of a branch, and what either may be in place of a number.
    fn alike(&mut self, sides: [Narrow; 2]) -> ([ExprId; 2], Option<Scalar>) {
        match sides.map(|n| n.nothing) {
            [Some(x), Some(y)] if x != y => (sides.map(|n| self.something(n)), None),
            [x, y] => (sides.map(|n| n.expr), x.or(y)),
        }
    }

    /// A number in 32 bits: a failure where it is a maximum or minimum of nothing.
    fn something(&mut self, n: Narrow) -> ExprId {
        something(&mut self.exprs, n.expr, n.nothing, self.site)
    }

    /// A node of another type, of narrow operands where it has such.
    fn other(&mut self, e: ExprId) -> ExprId {
        let exprs = &self.a.exprs;
        match exprs.get(e) {
            Expr::Binary(op, x, y, None) if op.is_comparison() => {
                if let Some(sides) = self.sides(*x, *y) {
                    let [x, y] = sides.map(|n| self.something(n));
                    return self.exprs.binary(*op, x, y);
                }
            }
            Expr::Cast(ty, x) => {
                if let Some(x) = self.computed_here(*x) {
                    return self.exprs.cast(*ty, x);
                }
            }
            Expr::Check { site, .. } => {
                // Piece by piece its comparison would be narrowed, and it no fit any more.
                if let Some(x) = exprs.fitted(e) {
                    return match (self.computed_here(x), exprs.ty(e)) {
                        (Some(narrow), NARROW) => narrow,
                        (Some(narrow), ty) => self.exprs.fit(ty, narrow, *site),
                        (None, ty) => {
                            let wide = self.wide(x);
                            self.exprs.fit(ty, wide, *site)
                        }
                    };
                }
            }
            _ => {}
        }
        self.as_it_was(e)
    }

    fn computed_here(&mut self, e: ExprId) -> Option<ExprId> {
        let n = self.narrow[e.index()].filter(|n| n.native)?;
        Some(self.something(n))
    }

    /// The body of an assignment to a tensor of 32 bits.
    fn cell(&mut self) -> ExprId {
        let body = self.a.body;
        let n = match self.narrow[body.index()] {
            Some(n) => n,
            None => self.fitted(body, self.wide(body)),
        };
        let identity = nothing_of(self.a.accumulator).flatten();
        if n.nothing == identity { n.expr } else { self.something(n) }
    }
}

fn computed(expr: ExprId) -> Narrow {
    Narrow { expr, nothing: None, native: true }
}

/// Whether 32 bits hold all numbers of a type.
fn fits_always(ty: ScalarType) -> bool {
    ty == ScalarType::Bool || ty.widens_to(NARROW)
}

/// Operators that give the same number in any type that holds it.
fn is_arithmetic(op: BinaryOp) -> bool {
    use BinaryOp::{Add, Div, Mul, Rem, Sub};
    matches!(op, Add | Div | Mul | Rem | Sub)
}
