//! Conditions on the path to what is being lowered.

use super::depend::Iters;
use super::{EnvId, Scopes};
use weft_domain::{Affine, Constraint};
use weft_sema::thir::Expr;
use weft_tensor::TensorId;

/// A condition on the path to what is being lowered. Lifted definitions repeat it.
#[derive(Clone, Debug)]
pub(crate) enum Path<'p> {
    /// A scalar condition of the program, and whether it holds.
    Expr(&'p Expr, EnvId, bool),
    /// An affine condition.
    Affine(Constraint),
    /// A cell of a tensor of truth values: what is left of conditions on more indices.
    Cell(TensorId, Vec<Affine>),
    /// A condition that cannot be repeated elsewhere.
    Local,
}

impl Path<'_> {
    /// What tells one condition from another.
    pub fn signature(&self) -> String {
        match self {
            Path::Expr(e, env, holds) => format!("{:p} {env} {holds}", *e),
            Path::Affine(c) => format!("{c:?}"),
            Path::Cell(t, at) => format!("{t} {at:?}"),
            Path::Local => "local".into(),
        }
    }
}

impl<'p> Scopes<'p> {
    /// The indices that a condition depends on.
    pub fn path_depends(&self, p: &Path<'p>) -> Iters {
        match p {
            Path::Expr(e, env, _) => self.depends(e, *env),
            Path::Affine(c) => c.term.iters().into_iter().collect(),
            Path::Cell(_, at) => at.iter().flat_map(Affine::iters).collect(),
            Path::Local => Iters::new(),
        }
    }

    /// What a condition says, where that is affine.
    pub fn path_constraints(&self, p: &Path<'p>) -> Option<Vec<Constraint>> {
        match p {
            Path::Expr(e, env, holds) => self.affine_condition(e, *env, *holds),
            Path::Affine(c) => Some(vec![c.clone()]),
            Path::Cell(..) => None,
            Path::Local => Some(Vec::new()),
        }
    }

    /// A condition as constraints on the indices around.
    pub fn affine_condition(&self, e: &Expr, env: EnvId, holds: bool) -> Option<Vec<Constraint>> {
        let cond = weft_sema::condition(e);
        let cond = if holds { cond } else { cond.negate() };
        let mut out = Vec::new();
        let flat = weft_sema::flatten(&cond, &mut out);
        flat.then(|| out.iter().map(|c| self.constraint(env, c)).collect())
    }
}
