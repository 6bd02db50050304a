//! Integer operations on terms, where they give a term again.
//!
//! Coefficients are numbers. A size that is none is *static* where it would be one: at the
//! top level a literal counts as it stands now, in a function the parameter it comes from
//! specialises.

use crate::checker::Checker;
use crate::hir::{Expr, ExprKind, LocalId, ParamOrigin, StrPart};
use weft_domain::Affine;
use weft_scalar::BinaryOp;
use weft_shape::{Param, Size, Verdict};

impl Checker<'_> {
    /// The term of an integer operation on terms, where it is one again.
    pub fn term_of(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Affine> {
        let (x, y) = (a.term.as_ref()?, b.term.as_ref()?);
        match op {
            BinaryOp::Add => x.plus(y),
            BinaryOp::Sub => x.minus(y),
            BinaryOp::Mul => self.product(x, y),
            BinaryOp::Div => self.quotient(x, y, false),
            BinaryOp::Rem => self.quotient(x, y, true),
            BinaryOp::Min => Some(Affine::fixed(x.as_size()?.smaller(y.as_size()?))),
            BinaryOp::Max => Some(Affine::fixed(x.as_size()?.larger(y.as_size()?))),
            _ => None,
        }
    }

    fn product(&mut self, x: &Affine, y: &Affine) -> Option<Affine> {
        match (x.as_size(), y.as_size()) {
            (Some(a), Some(b)) => Some(Affine::fixed(a.times(b))),
            (Some(c), None) => y.scaled(self.static_value(c)?),
            (None, Some(c)) => x.scaled(self.static_value(c)?),
            (None, None) => None,
        }
    }

    /// A size as a number that structure may depend on: known, or a literal as it stands
    /// (checked at entry). Parameters of a function it depends on are asked to be static.
    pub fn static_value(&mut self, s: &Size) -> Option<i64> {
        if let Some(n) = s.as_constant() {
            return Some(n);
        }
        let params = s.params();
        match s.eval(&|p| self.known_value(p)) {
            Some(n) => {
                for p in params {
                    let value = self.known_value(p).expect("the size has a value");
                    self.pin(p, value);
                }
                Some(n)
            }
            None => {
                for p in params {
                    self.ask_static(p);
                }
                None
            }
        }
    }

    fn ask_static(&mut self, p: Param) {
        if let ParamOrigin::Argument(local) = self.body().params[p].origin {
            self.cx().wants_static.insert(local);
        }
    }

    /// Truncating division. It is floor division where the dividend is not negative; of
    /// sizes it is written out otherwise.
    fn quotient(&mut self, x: &Affine, y: &Affine, remainder: bool) -> Option<Affine> {
        let by = y.as_size()?.clone();
        if !self.is_at_least(&1.into(), &by) {
            by.params().into_iter().for_each(|p| self.ask_static(p));
            return None;
        }
        let least = self.bound(x, false)?;
        if self.is_at_least(&0.into(), &least) {
            return Some(if remainder { x.modulo(&by) } else { x.floor_div(&by) });
        }
        let size = x.as_size()?;
        let (up, down) = (size.larger(&0.into()), size.scaled(-1).larger(&0.into()));
        let quotient = up.floor_div(&by)?.minus(&down.floor_div(&by)?);
        Some(Affine::fixed(if remainder { size.minus(&quotient.times(&by)) } else { quotient }))
    }

    /// Whether `least <= s` is known, or holds for the literals as they stand (then it is
    /// checked at entry).
    fn is_at_least(&mut self, least: &Size, s: &Size) -> bool {
        if self.body().facts.le(least, s) == Verdict::Yes {
            return true;
        }
        let now = |s: &Size| s.eval(&|p| self.known_value(p));
        let holds = matches!((now(least), now(s)), (Some(l), Some(n)) if l <= n);
        if holds {
            self.assume(least.clone(), s.clone());
        }
        holds
    }

    /// The arguments of a call that is asked to be static, where they are known: constants.
    pub fn with_static_values(&mut self, args: &mut [Option<Expr>], wanted: &[usize]) {
        for at in wanted {
            let Some(Some(arg)) = args.get(*at) else { continue };
            if let Some(text) = self.known_text(&arg.clone()) {
                let kind = ExprKind::Str(vec![StrPart::Text(text)]);
                args[*at] = Some(Expr { kind, ..arg.clone() });
                continue;
            }
            let Some(size) = self.size_of(arg) else { continue };
            if let (Some(n), Some(Some(arg))) = (self.static_value(&size), args.get_mut(*at)) {
                arg.term = Some(Affine::fixed(n));
            }
        }
    }

    /// The text of a string where it is known while checking. A parameter it depends on is
    /// asked to be static.
    pub fn known_text(&mut self, e: &Expr) -> Option<String> {
        let ExprKind::Local(id) = e.kind else { return crate::read::constant_text(e) };
        let known = self.cx().texts.get(&id).cloned();
        if known.is_none() && e.ty == crate::hir::Ty::Str {
            self.cx().wants_static.insert(id);
        }
        known
    }

    /// The positions of the parameters that an instance asks to be static.
    pub fn static_positions(params: &[LocalId], asked: &[LocalId]) -> Vec<usize> {
        (0..params.len()).filter(|n| asked.contains(&params[*n])).collect()
    }
}
