//! How open floats are seen from outside: in the widest type that their uses close to.
//!
//! A value that is used as an `f64` shows the digits of one, though nothing stated its type; where
//! no use says it is an `f32`. What another open value is made of is used as that one is.

use crate::thir::{Block, Body, Expr, LocalId, Stmt, wider};
use crate::typed::values::locals_in;
use weft_scalar::ScalarType;

impl Body {
    /// Notes that the open floats in an expression are used as elements of `to`.
    pub(crate) fn note_use(&mut self, e: &Expr, to: ScalarType) {
        locals_in(e, &mut |id| {
            let elem = self.locals[id].ty.elem();
            if elem.is_some_and(|e| e.is_open() && e.is_float()) {
                let local = &mut self.locals[id];
                local.seen_as = wider(local.seen_as, Some(to));
            }
        });
    }

    /// Passes on how the names of a block are used to those that they are made of, from the last
    /// statement to the first.
    pub(crate) fn note_uses_of(&mut self, block: &Block) {
        for stmt in block.stmts.iter().rev() {
            match stmt {
                Stmt::Let(id, e) => self.pass_on(*id, [e]),
                Stmt::Tensors(definitions) => {
                    for d in definitions {
                        self.pass_on(d.local, d.clauses.iter().map(|c| &c.body));
                    }
                }
                _ => {}
            }
        }
    }

    fn pass_on<'e>(&mut self, id: LocalId, parts: impl IntoIterator<Item = &'e Expr>) {
        if let Some(to) = self.locals[id].seen_as {
            parts.into_iter().for_each(|e| self.note_use(e, to));
        }
    }
}
