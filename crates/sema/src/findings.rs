//! Ends of frames, and what the checker keeps for lints.

use crate::checker::Checker;
use crate::prove::endless;
use crate::scope::Binding;
use crate::thir::{LocalId, Ty};
use crate::typed::ranges::Integer;
use weft_hir::{self as hir, VarId};

impl Checker<'_> {
    /// Ends a frame outside clauses: an outermost reduction, with definitions in it or not.
    pub fn finish_frame(&mut self, holds_definitions: bool) {
        self.cx().ranges().infer_ranges();
        self.keep_ranges(holds_definitions);
        let frame = self.cx().frames.pop().unwrap_or_default();
        self.cx().ranges().infer_from_guards(&frame);
        self.cx().ranges().report_unsolved(&frame);
        self.cx().proofs().prove_frame(&frame, &[Vec::new()], None);
    }

    /// E0312 for each circle of functions that cannot end, where there is no other error.
    pub fn refuse_endless_recursion(&mut self) {
        if !self.at().has_errors_since(0) && !self.errors_before && !self.of_constants.has_errors()
        {
            let found = endless::complaints(&self.program, &self.recursive);
            self.cx().report_all(found);
        }
    }

    /// The integer that a name means here, if it means one.
    pub fn integer_named(&mut self, var: VarId) -> Option<Integer> {
        match self.lookup(var)? {
            Binding::Local(id) => {
                let local = &self.body().locals[id];
                let scalar = matches!(&local.ty, Ty::Array(_, shape) if shape.is_empty());
                let term = local.term.as_ref().filter(|_| scalar)?;
                Some(Integer { span: local.span, value: term.as_size().cloned() })
            }
            Binding::Const(id) => {
                let def = &self.constants[id].def;
                let int = |e: &hir::Expr| match &e.kind {
                    hir::ExprKind::Number(n) => matches!(n.value, hir::NumberValue::Int(_)),
                    _ => false,
                };
                int(&def.value).then_some(Integer { span: def.name.span, value: None })
            }
            _ => None,
        }
    }

    /// Remembers that a name must be used, or is linted.
    pub fn must_be_used(&mut self, id: LocalId) {
        let top = self.bodies.len() == 1 && self.cx().scopes.len() == 1;
        let name = &self.body().locals[id].name;
        // A fold of nothing does without its cells.
        let discarded = name.as_str().starts_with('_') || crate::typed::fold::is_fold(name);
        if !top && !discarded {
            self.cx().to_use.insert_mut(id);
        }
    }

    /// Keeps what the reads of the frame under way say of its indices for the next pass, where
    /// definitions inside may need it before these reads.
    pub fn keep_ranges(&mut self, holds_definitions: bool) {
        if holds_definitions {
            let places = self.cx().ranges().frame().places.clone();
            self.note_ranges(&places);
        }
    }
}
