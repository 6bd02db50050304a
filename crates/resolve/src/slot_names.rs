//! The slots of a clause: the indices and runs of axes that they bind.

use crate::resolver::Resolver;
use weft_base::Name;
use weft_hir::{self as hir, Ident};
use weft_syntax::ast;

/// The slots of a clause, which see those before them.
pub(crate) fn slots(r: &mut Resolver<'_>, slots: &[ast::Slot]) -> Vec<hir::Slot> {
    let mut all = Slots { r, known: Vec::new() };
    slots.iter().map(|s| all.slot(s)).collect()
}

/// The slots of a clause so far.
struct Slots<'r, 'a> {
    r: &'r mut Resolver<'a>,
    /// The indices that they bind.
    known: Vec<Ident>,
}

impl Slots<'_, '_> {
    fn slot(&mut self, slot: &ast::Slot) -> hir::Slot {
        let kind = match &slot.kind {
            ast::SlotKind::Index { name, range } => {
                let range = range.as_ref().map(|r| self.r.expr(r));
                let again = self.known.iter().any(|k| k.name == name.name);
                let hides = if again { None } else { self.r.m.var_of(name.as_str()) };
                hir::SlotKind::Index { name: self.index_once(name), range, hides }
            }
            ast::SlotKind::Fixed(e) => hir::SlotKind::Fixed(self.r.expr(e)),
            ast::SlotKind::Rest(rest) => hir::SlotKind::Rest(self.r.new_rest(rest)),
            ast::SlotKind::Coproduct(parts) => {
                hir::SlotKind::Coproduct(parts.iter().map(|p| self.component(p)).collect())
            }
        };
        hir::Slot { span: slot.span, kind }
    }

    /// The index of a slot: slots of one name have one.
    fn index_once(&mut self, name: &ast::Ident) -> Ident {
        let before = self.known.iter().find(|k| k.name == name.name && !name.is_discard());
        if let Some(before) = before {
            return Ident { name: name.name.clone(), span: name.span, var: before.var };
        }
        let made = self.r.bind_index(name);
        self.known.push(made.clone());
        made
    }

    /// A part of a joined axis in a slot.
    fn component(&mut self, part: &ast::Part) -> hir::Part {
        let kind = match &part.kind {
            ast::PartKind::Error => hir::PartKind::Error,
            ast::PartKind::Size(n) => hir::PartKind::Size(*n),
            ast::PartKind::Discard => hir::PartKind::Discard,
            ast::PartKind::Index { name, range } => {
                let range = range.as_ref().map(|r| Box::new(self.r.expr(r)));
                let name = self.index_once(name);
                self.component_vars(&name);
                hir::PartKind::Index { name, range }
            }
        };
        hir::Part { span: part.span, kind }
    }

    /// The variables for a component's size, and for its not being used.
    fn component_vars(&mut self, name: &Ident) {
        if self.r.m.vars.all[name.var].component.is_some() {
            return;
        }
        let mut hidden = |text: String| self.r.m.vars.add(&Name::new(&text), name.span, false);
        let size = hidden(format!("_size of {}", name.name));
        let idle = hidden(format!("_not {}", name.name));
        self.r.m.vars.all[name.var].component = Some((size, idle));
    }
}

/// The names that a slot binds to indices.
pub(crate) fn names_of_slot(slot: &ast::Slot) -> Vec<&ast::Ident> {
    match &slot.kind {
        ast::SlotKind::Index { name, .. } => vec![name],
        ast::SlotKind::Coproduct(parts) => {
            let name = |p| match p {
                &ast::Part { kind: ast::PartKind::Index { ref name, .. }, .. } => Some(name),
                _ => None,
            };
            parts.iter().filter_map(name).collect()
        }
        ast::SlotKind::Fixed(_) | ast::SlotKind::Rest(_) => Vec::new(),
    }
}
