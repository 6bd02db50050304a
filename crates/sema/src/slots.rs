//! What may stand in a slot: judged from the names alone, before anything is checked.

use crate::checker::Checker;
use crate::names;
use crate::scope::Binding;
use weft_diag::{Code, Diagnostic, Edit};
use weft_syntax::ast;

impl Checker<'_> {
    /// Whether no slot is an expression of indices and no range uses a later slot. Where
    /// it is not so, the clause's indices stand for nothing.
    pub fn slots_have_the_form(&mut self, c: &ast::Indexed) -> bool {
        let mut indices: Vec<String> = Vec::new();
        let mut fine = true;
        for (at, slot) in c.slots.iter().enumerate() {
            match &slot.kind {
                ast::SlotKind::Index { name, range } => {
                    fine &= range.as_ref().is_none_or(|r| self.uses_earlier_slots(c, at, r));
                    indices.push(name.as_str().to_string());
                }
                ast::SlotKind::Fixed(e) => fine &= self.is_free_of_indices(c, e, &indices),
                ast::SlotKind::Rest(_) | ast::SlotKind::Coproduct(_) => {}
            }
        }
        if !fine {
            indices.iter().for_each(|n| self.bind(&n.as_str().into(), Binding::Poisoned));
            self.poison();
        }
        fine
    }

    fn uses_earlier_slots(&mut self, c: &ast::Indexed, at: usize, range: &ast::Expr) -> bool {
        for later in &c.slots[at + 1..] {
            let ast::SlotKind::Index { name, .. } = &later.kind else { continue };
            let mut places = Vec::new();
            names::places_of(range, name.as_str(), &mut places);
            let earlier = c.slots[..=at].iter().any(|s| match &s.kind {
                ast::SlotKind::Index { name: n, .. } => n.name == name.name,
                _ => false,
            });
            let Some((place, _)) = places.first().filter(|_| !earlier) else { continue };
            if self.lookup(name.as_str()).is_some() {
                continue;
            }
            let headline = format!("a range uses `{}`, which is a later slot", name.name);
            let d = Diagnostic::error(Code::E0425, headline)
                .primary(*place, "not known yet")
                .secondary(later.span, "introduced here")
                .note("a slot's range may use the slots before it");
            self.report(d);
            return false;
        }
        true
    }

    /// Whether a fixed slot mentions no index: of the clause, or a name that only the body
    /// mentions besides.
    fn is_free_of_indices(&mut self, c: &ast::Indexed, e: &ast::Expr, indices: &[String]) -> bool {
        let mut mentioned = Vec::new();
        names::names_in(e, &mut |n| mentioned.push(n.to_string()));
        let mut in_body = Vec::new();
        names::mentioned_names(c, &mut |n| in_body.push(n.to_string()));
        let unbound = |n: &String, this: &mut Self| in_body.contains(n) && this.lookup(n).is_none();
        let found = mentioned.into_iter().find(|n| indices.contains(n) || unbound(n, self));
        let Some(name) = found else { return true };
        let d = Diagnostic::error(Code::E0509, "a slot is an index, or a cell without indices")
            .primary(e.span, format!("this depends on the index `{name}`"));
        let d = match shifted(c, e, &name, indices) {
            Some(edits) => d.help_edits("define the cells by their own index, and shift the reads", edits),
            None => d.help(format!(
                "give the axis an index of its own, and say where it is met: `if j == {} {{ … }} else {{ … }}`",
                self.text(e.span)
            )),
        };
        self.report(d);
        if !indices.contains(&name) {
            self.bind(&name.as_str().into(), Binding::Poisoned);
        }
        false
    }
}

/// The edits that make `y[i + c] = … i …` into `y[i] = … i - c …`.
fn shifted(c: &ast::Indexed, e: &ast::Expr, name: &str, indices: &[String]) -> Option<Vec<Edit>> {
    let ast::ExprKind::Binary { op, lhs, rhs, .. } = &e.kind else { return None };
    let opposite = match op {
        ast::BinaryOp::Add => "-",
        ast::BinaryOp::Sub => "+",
        _ => return None,
    };
    let ast::ExprKind::Path(p) = &lhs.kind else { return None };
    let ast::ExprKind::Number(n) = &rhs.kind else { return None };
    if p.as_name()?.as_str() != name || indices.iter().any(|i| i == name) {
        return None;
    }
    let mut places = Vec::new();
    c.alternatives.iter().chain(&c.otherwise).for_each(|e| names::places_of(e, name, &mut places));
    c.where_items.iter().for_each(|i| names::places_in_item(i, name, &mut places));
    let back = format!("{name} {opposite} {}", n.text);
    let edit = |(span, item)| {
        let replacement = if item { back.clone() } else { format!("({back})") };
        Edit { span, replacement }
    };
    let slot = Edit { span: e.span, replacement: name.to_string() };
    Some([slot].into_iter().chain(places.into_iter().map(edit)).collect())
}
