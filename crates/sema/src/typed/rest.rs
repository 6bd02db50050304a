//! Runs of axes that stand for indices: `..batch` is the same run wherever it appears in a
//! clause. Its rank comes from the first operand of known rank.

use crate::scope::RestId;
use crate::thir::IterInfo;
use crate::typed::handles::Ranges;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_domain::Iter;

/// A rest in scope.
#[derive(Clone, Debug)]
pub(crate) struct Rest {
    pub name: Name,
    pub span: Span,
    /// One index per axis, once the rank is known.
    pub iters: Option<Vec<Iter>>,
    /// Whether it is a slot of the clause.
    pub slot: bool,
}

impl Ranges<'_, '_> {
    /// Fixes the rank of a rest, unless it is stated.
    pub fn settle_rest(&mut self, id: RestId, rank: usize) {
        if self.cx.rests[id].iters.is_none() {
            self.solve_rest(id, rank);
        }
    }

    /// Fixes the rank of a rest and makes its indices.
    pub fn solve_rest(&mut self, id: RestId, rank: usize) {
        let Rest { name, span, slot, .. } = self.cx.rests[id].clone();
        let mut iters = Vec::new();
        for axis in 0..rank {
            let name = Name::new(&format!("{name}.{axis}"));
            let i = self.cx.body.iters.push(IterInfo { name, span, range: None, source: None });
            self.frame_iter(i, slot);
            iters.push(i);
        }
        self.cx.rests[id].iters = Some(iters);
    }

    /// The indices of a rest, or an error if nothing fixed its rank.
    pub fn rest_iters(&mut self, id: RestId) -> Vec<Iter> {
        let rest = self.cx.rests[id].clone();
        if rest.iters.is_none() {
            let poisoned = self.cx.frames.last().is_some_and(|f| f.poisoned);
            if !poisoned {
                let d = Diagnostic::error(
                    Code::E0005,
                    format!("the axes of `..{}` cannot be determined", rest.name),
                )
                .primary(rest.span, "nothing that is read with it has a known rank")
                .help(format!("state its rank: `..{}: 2`", rest.name));
                self.cx.report(d);
            }
        }
        rest.iters.unwrap_or_default()
    }
}
