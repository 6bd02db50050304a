//! What is remembered of a name when it is bound: the indices in its value, its members, and
//! the quotient that it is.

use crate::scope::Binding;
use crate::thir::{Expr, ExprKind, HostOp, LocalId};
use crate::typed::body_cx::BodyCx;
use crate::typed::handles::Leaves;
use weft_hir as hir;

impl BodyCx<'_> {
    /// Remembers what is known of a name's value: the indices in it, members that are
    /// known integers, the leaves of a tensor of tuples.
    pub fn remember_value(&mut self, id: LocalId, e: &Expr) {
        self.leaves().record_dependence(id, e);
        match &e.kind {
            ExprKind::Tuple(members) if members.iter().any(|m| m.term.is_some()) => {
                self.members.insert_mut(id, members.clone());
            }
            ExprKind::Array(members) if members.iter().all(crate::typed::values::is_extent) => {
                self.members.insert_mut(id, members.clone());
            }
            ExprKind::Host(HostOp::List, all) => {
                self.lengths.insert_mut(id, all.len());
            }
            ExprKind::Local(other) => {
                let known = self.members.get(other).cloned();
                let fields = self.fields.get(other).cloned();
                let length = self.lengths.get(other).copied();
                if let Some(length) = length {
                    self.lengths.insert_mut(id, length);
                }
                if let Some(known) = known {
                    self.members.insert_mut(id, known);
                }
                if let Some(fields) = fields {
                    self.fields.insert_mut(id, fields);
                }
            }
            _ => {}
        }
    }

    pub fn poison_pattern(&mut self, pattern: &hir::LetPattern) {
        match &pattern.kind {
            hir::LetPatternKind::Name(name) => self.bind(name.var, Binding::Poisoned),
            hir::LetPatternKind::Tuple(ps) => {
                ps.iter().for_each(|p| self.poison_pattern(&p.pattern))
            }
            hir::LetPatternKind::Discard | hir::LetPatternKind::Error => {}
        }
    }
}

impl Leaves<'_, '_> {
    /// Remembers what indices a local's value mentions.
    pub fn record_dependence(&mut self, id: crate::thir::LocalId, e: &Expr) {
        let iters = self.cx.iters_of(e);
        if !iters.is_empty() {
            self.cx.depends.insert_mut(id, iters);
        }
        if let Some(quotient) = self.cx.truncated_in(e) {
            self.cx.quotients.insert_mut(id, quotient);
        }
    }
}
