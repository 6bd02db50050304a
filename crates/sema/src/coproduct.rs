//! Coproduct axes: `let y[i ^ j, k] = a[i, k] ^ b[j, k];`.
//!
//! A clause with coproduct slots is one ordinary clause for each alternative: the component
//! it uses is a stretch of the joined axis behind the components before it. The sizes of the
//! components are the ranges that their indices have in the alternatives. An item `x[i ^ _]`
//! is an index behind the components before it, in the same way. So ranges, bounds, pieces
//! and coverage are those of clauses, and nothing below knows of components.
//!
//! The names made here are none that a program can write.

use crate::handles::Definitions;
use crate::prove::access::Extent;
use crate::scope::Binding;
use crate::thir::{RangeSource, Slot};
use crate::typed::coproduct::{Alternative, Axis, Block, Component, Found, coproduct};
use crate::typed::indexed::Written;
use crate::typed::ranges::state_the_range;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_domain::Affine;
use weft_hir::visit::{indices_of, uses_in_item};
use weft_hir::{self as hir, VarId};
use weft_shape::Size;

impl Definitions<'_, '_> {
    /// The ordinary clauses that a clause with coproduct slots stands for; itself if it has
    /// none. Nothing where it is wrong, which is said.
    pub fn alternatives(&mut self, c: &hir::Clause) -> Vec<Alternative> {
        let axes: Vec<&[hir::Part]> = c.slots.iter().filter_map(coproduct).collect();
        if axes.is_empty() {
            return vec![Alternative { clause: c.clone(), ends: Vec::new() }];
        }
        let expanded = self.expanded(c, &axes);
        if expanded.is_none() {
            self.checker.cx().bind(c.name.var, Binding::Poisoned);
        }
        expanded.unwrap_or_default()
    }

    fn expanded(&mut self, c: &hir::Clause, axes: &[&[hir::Part]]) -> Option<Vec<Alternative>> {
        let blocks = self.checker.cx().targets().blocks(c, axes)?;
        self.checker.cx().targets().refuse_shared_cells(&blocks)?;
        let mut found = Found::default();
        for block in &blocks {
            self.measure(c, block, axes, &mut found)?;
        }
        let known = found.components;
        for name in axes.iter().flat_map(|parts| indices_of(parts)) {
            if !known.iter().any(|k| k.name.name == name.name) {
                let d = Diagnostic::error(
                    Code::E0502,
                    format!("component `{name}` has no size", name = name.name),
                )
                .primary(name.span, "no alternative uses it")
                .help("write an alternative for it, or its size as a number");
                self.checker.report(d);
                return None;
            }
        }
        for k in &known {
            self.checker.cx().targets().name_size(k);
        }
        blocks.iter().map(|b| self.clause_of(c, b, axes, &known)).collect()
    }

    /// The sizes of the components that an alternative uses: the ranges that their indices
    /// have in an ordinary clause with that body.
    fn measure<'c>(
        &mut self,
        c: &'c hir::Clause,
        block: &Block<'c>,
        axes: &[&'c [hir::Part]],
        found: &mut Found<'c>,
    ) -> Option<()> {
        let ends = self.ends_of(c, block, axes);
        for name in &block.used {
            let Some((_, size)) = ends.iter().find(|(n, _)| *n == name.name) else {
                let d =
                    Diagnostic::error(Code::E0502, format!("index `{}` has no range", name.name))
                        .primary(name.span, "nothing that is read says how large this component is")
                        .help(state_the_range(&name.name));
                self.checker.report(d);
                return None;
            };
            if !found.components.iter().any(|k| k.name.name == name.name) {
                let (size, shared) = (
                    size.clone(),
                    self.checker.fresh(&format!("_size of {name}", name = name.name), name.span),
                );
                found.components.push(Component { name, size, shared });
            }
        }
        ends.into_iter().try_for_each(|(name, end)| {
            self.checker.cx().targets().agree(name, end, block.body.span, found)
        })
    }

    /// The ends of an alternative's indices, as those of a clause with that body. They are found
    /// once: what is inside may be gone over again.
    fn ends_of<'c>(
        &mut self,
        c: &'c hir::Clause,
        block: &Block<'c>,
        axes: &[&'c [hir::Part]],
    ) -> Vec<(Name, Size)> {
        let place: Vec<VarId> = block.used.iter().map(|c| c.var).collect();
        if let Some(ends) = self.checker.cx().component_ends.get(&place) {
            return ends.clone();
        }
        let plain = plain_clause(c, block, axes);
        let written = Written { clause: &plain, ends: &[] };
        let draft = self.checker.unreported(|c| c.definitions().clause(&written, &vec![written]));
        // Whatever else is wrong is said when the expanded clauses are checked.
        let slots = draft.map(|d| d.clause.slots).unwrap_or_default();
        let mut ends = Vec::new();
        for slot in slots {
            let Slot::Index(i) = slot else { continue };
            let known = self.checker.at().known();
            let end = known.range(i).and_then(|(_, hi)| hi.as_size().cloned());
            ends.extend(end.map(|end| (self.checker.body().iters[i].name.clone(), end)));
        }
        self.checker.cx().component_ends.insert(place, ends.clone());
        ends
    }

    /// The clause of one alternative.
    fn clause_of(
        &mut self,
        c: &hir::Clause,
        block: &Block<'_>,
        axes: &[&[hir::Part]],
        known: &[Component<'_>],
    ) -> Option<Alternative> {
        let mut clause = plain_clause(c, block, axes);
        let mut binds: Vec<hir::WhereItem> = Vec::new();
        for k in known {
            let (size, _) = self.checker.vars[k.name.var].component?;
            let size = self.hidden_name(size);
            binds.push(hir::WhereItem::bind(size, hir::Expr::of_var(&k.shared, k.name.span)));
        }
        let mut used = block.used.iter();
        let mut ends = vec![None; clause.slots.len()];
        for (n, (slot, written)) in clause.slots.iter_mut().zip(&c.slots).enumerate() {
            let Some(parts) = coproduct(written) else { continue };
            let name = used.next().expect("one component of each joined axis");
            *slot = self.stretch_slot(parts, name, slot.span, known, &mut binds);
            if let Some(end) = end_of_axis(parts, name, known) {
                let ident = self.checker.fresh(&format!("_end of slot {n}"), slot.span);
                binds.push(hir::WhereItem::bind(ident.clone(), end));
                ends[n] = Some(ident);
            }
        }
        for k in known.iter().filter(|k| !block.used.iter().any(|u| u.var == k.name.var)) {
            let (_, idle) = self.checker.vars[k.name.var].component?;
            let idle = self.hidden_name(idle);
            binds.push(hir::WhereItem::bind(idle, hir::Expr::integer(0, k.name.span)));
        }
        binds.append(&mut clause.where_items);
        // What only some alternatives use is not unused in the others.
        let uses: Vec<hir::WhereItem> = binds.iter().filter_map(|b| self.mention(b)).collect();
        binds.extend(uses);
        clause.where_items = binds;
        Some(Alternative { clause, ends })
    }

    /// A variable that belongs to another, where it is bound.
    fn hidden_name(&self, var: VarId) -> hir::Ident {
        let hir::Var { name, span, .. } = &self.checker.vars[var];
        hir::Ident { name: name.clone(), span: *span, var }
    }

    /// A binding of nobody's that mentions the name of another.
    pub fn mention(&mut self, item: &hir::WhereItem) -> Option<hir::WhereItem> {
        let hir::WhereItemKind::Bind { name, .. } = &item.kind else { return None };
        let hidden = self.checker.fresh(&format!("_mention of {}", name.name), name.span);
        Some(hir::WhereItem::bind(hidden, hir::Expr::of_var(name, name.span)))
    }

    /// The slot of one component: its own index where nothing stands before it, else the
    /// stretch of the joined axis, and the index as a binding.
    fn stretch_slot(
        &mut self,
        parts: &[hir::Part],
        name: &hir::Ident,
        span: Span,
        known: &[Component<'_>],
        binds: &mut Vec<hir::WhereItem>,
    ) -> hir::Slot {
        let size = size_of_name(name, known);
        let before = parts.iter().take_while(|p| !is_named(p, name));
        let before = before.filter_map(|p| size_of_part(p, known));
        let offset = before.reduce(|a, b| of_sizes(hir::BinaryOp::Add, a, b));
        let Some(offset) = offset else {
            let range = Some(hir::Expr::range(hir::Expr::integer(0, name.span), size, name.span));
            let kind = hir::SlotKind::index(name.clone(), range);
            return hir::Slot { span, kind };
        };
        let joined = self.checker.fresh(&format!("joined {}", name.name), name.span);
        self.checker.vars[joined.var].component = self.checker.vars[name.var].component;
        let at = hir::Expr::of_var(&joined, name.span);
        binds.push(hir::WhereItem::bind(
            name.clone(),
            of_sizes(hir::BinaryOp::Sub, at, offset.clone()),
        ));
        let end = of_sizes(hir::BinaryOp::Add, offset.clone(), size);
        let at = offset.span;
        let range = Some(hir::Expr::range(offset, end, at));
        hir::Slot { span, kind: hir::SlotKind::index(joined, range) }
    }

    /// An item `i ^ j` of a read: the index of the component that is used here, behind the
    /// components before it, and the extent that it is read against. Where the index takes its
    /// range from the read that is what the parts behind it leave of the axis.
    pub fn coproduct_item(
        &mut self,
        parts: &[hir::Part],
        axis: Axis,
        span: Span,
    ) -> Option<(Affine, Extent)> {
        let Some(at) = self.used_part(parts, span) else {
            self.checker.cx().ranges().poison();
            return None;
        };
        let hir::PartKind::Index { name, range: None } = &parts[at].kind else {
            let d = Diagnostic::error(Code::E0509, "a range in an item")
                .primary(parts[at].span, "an index gets its range where it is introduced");
            self.checker.report(d);
            return None;
        };
        let mut sizes = self.part_sizes(parts);
        let open = self.takes_its_range(name);
        if open {
            sizes[at] = None;
        }
        self.checker.cx().targets().parts_fit(&sizes, &axis, span)?;
        let mut offset = Size::from(0);
        for (n, size) in sizes.iter().enumerate().take(at) {
            let size = match size {
                Some(size) => size.clone(),
                None => {
                    self.checker.cx().targets().rest_of(&sizes, n, &axis.extent, parts[n].span)?
                }
            };
            offset = offset.plus(&size);
        }
        let e = self.checker.expr(&hir::Expr::of_var(name, name.span));
        let term = e.term?.plus_size(&offset);
        let behind = sizes[at + 1..].iter().flatten();
        let behind = behind.fold(Size::from(0), |total, size| total.plus(size));
        let extent = match axis.extent {
            Extent::Known(whole) if open => Extent::Known(whole.minus(&behind)),
            Extent::Group(..) if open && behind != Size::from(0) => {
                self.checker.cx().targets().range_is_not_stated(name);
                return None;
            }
            extent => extent,
        };
        Some((term, extent))
    }

    /// Whether a name is an index without a written range.
    fn takes_its_range(&mut self, name: &hir::Ident) -> bool {
        let Some(Binding::Index(i)) = self.checker.lookup(name.var) else { return false };
        let source = &self.checker.body().iters[i].source;
        !matches!(source, Some(RangeSource::Written(_) | RangeSource::Joined(_)))
    }

    /// The part whose index has a value here.
    fn used_part(&mut self, parts: &[hir::Part], span: Span) -> Option<usize> {
        let mut used = Vec::new();
        for (n, part) in parts.iter().enumerate() {
            if let hir::PartKind::Index { name, .. } = &part.kind
                && self
                    .component_of(name)
                    .is_none_or(|(_, idle)| self.checker.lookup(idle).is_none())
                && !self.is_stretch(name)
            {
                used.push((n, name));
            }
        }
        match used.as_slice() {
            [(n, _)] => Some(*n),
            [] => {
                let d = Diagnostic::error(Code::E0509, "an item without an index")
                    .primary(span, "one component of it must have a value here");
                self.checker.report(d);
                None
            }
            [_, (_, second), ..] => {
                let d = Diagnostic::error(
                    Code::E0509,
                    format!("an item of several indices: `{}` has a value here too", second.name),
                )
                .primary(span, "at each point one component is read")
                .help("name the others `_`");
                self.checker.report(d);
                None
            }
        }
    }

    /// The variables that say of an index of a joined axis how large its component is, and that it
    /// is not the one that is used.
    fn component_of(&self, name: &hir::Ident) -> Option<(VarId, VarId)> {
        self.checker.vars[name.var].component
    }

    /// Whether a name among the parts of an item is an integer: a stretch of that size.
    fn is_stretch(&mut self, name: &hir::Ident) -> bool {
        if self.component_of(name).is_some_and(|(size, _)| self.checker.lookup(size).is_some()) {
            return false;
        }
        match self.checker.lookup(name.var) {
            // A name for an index is one: that of a fold is.
            Some(Binding::Local(id)) => {
                self.checker.body().locals[id].term.as_ref().is_none_or(|t| t.as_size().is_some())
            }
            Some(Binding::Const(_)) => true,
            _ => false,
        }
    }

    /// The size of each part, as far as it is known; `None` for `_`.
    fn part_sizes(&mut self, parts: &[hir::Part]) -> Vec<Option<Size>> {
        let size = |this: &mut Self, part: &hir::Part| match &part.kind {
            hir::PartKind::Size(n) => i64::try_from(*n).ok().map(Size::from),
            hir::PartKind::Index { name, .. } => this.component_size(name),
            hir::PartKind::Discard | hir::PartKind::Error => None,
        };
        parts.iter().map(|p| size(self, p)).collect()
    }

    fn component_size(&mut self, name: &hir::Ident) -> Option<Size> {
        let size = self.component_of(name).and_then(|(size, _)| self.checker.lookup(size));
        if let Some(Binding::Local(id)) = size {
            return self.checker.body().locals[id].term.as_ref()?.as_size().cloned();
        }
        if self.is_stretch(name) {
            let e = self.checker.expr(&hir::Expr::of_var(name, name.span));
            return self.checker.cx().leaves().size_required(&e, "the size of a stretch");
        }
        match self.checker.lookup(name.var) {
            Some(Binding::Index(i)) => self.checker.at().known().range(i)?.1.as_size().cloned(),
            _ => None,
        }
    }
}

/// The size of a part of a slot, as an expression; none of what has size 0.
fn size_of_part(part: &hir::Part, known: &[Component<'_>]) -> Option<hir::Expr> {
    match &part.kind {
        hir::PartKind::Size(n) => Some(hir::Expr::integer(i128::from(*n), part.span)),
        hir::PartKind::Index { name, .. } => Some(size_of_name(name, known)),
        hir::PartKind::Discard | hir::PartKind::Error => None,
    }
}

/// The size of a component, as an expression.
fn size_of_name(name: &hir::Ident, known: &[Component<'_>]) -> hir::Expr {
    let found = known.iter().find(|k| k.name.var == name.var);
    hir::Expr::of_var(found.map_or(name, |k| &k.shared), name.span)
}

/// How far a joined axis goes, where parts stand behind the component of that name.
fn end_of_axis(
    parts: &[hir::Part],
    name: &hir::Ident,
    known: &[Component<'_>],
) -> Option<hir::Expr> {
    let at = parts.iter().position(|p| is_named(p, name))?;
    let size = |part| size_of_part(part, known);
    parts[at + 1..].iter().find_map(size)?;
    parts.iter().filter_map(size).reduce(|a, b| of_sizes(hir::BinaryOp::Add, a, b))
}

fn is_named(part: &hir::Part, wanted: &hir::Ident) -> bool {
    matches!(&part.kind, hir::PartKind::Index { name, .. } if name.var == wanted.var)
}

/// The clause of an alternative as if its components were whole axes: without the items of
/// `where` that are about other components.
fn plain_clause(c: &hir::Clause, block: &Block<'_>, axes: &[&[hir::Part]]) -> hir::Clause {
    let mut used = block.used.iter();
    let slots = c.slots.iter().map(|slot| {
        let Some(parts) = coproduct(slot) else { return slot.clone() };
        let name = used.next().expect("one component of each joined axis");
        let range = parts.iter().find(|p| is_named(p, name)).and_then(|p| match &p.kind {
            hir::PartKind::Index { range, .. } => range.as_deref().cloned(),
            _ => None,
        });
        let kind = hir::SlotKind::index((*name).clone(), range);
        hir::Slot { span: slot.span, kind }
    });
    let slots = slots.collect();
    let idle = axes.iter().flat_map(|parts| indices_of(parts));
    let mut left_out: Vec<VarId> =
        idle.map(|n| n.var).filter(|n| !block.used.iter().any(|u| u.var == *n)).collect();
    let mut where_items = Vec::new();
    for item in &c.where_items {
        let mut other = false;
        uses_in_item(item, &mut |n| other |= left_out.contains(&n));
        match (&item.kind, other) {
            (_, false) => where_items.push(item.clone()),
            (hir::WhereItemKind::Bind { name, .. }, true) => {
                left_out.push(name.var);
            }
            (hir::WhereItemKind::Guard(_), true) => {}
        }
    }
    hir::Clause { slots, where_items, alternatives: vec![block.body.clone()], ..c.clone() }
}

/// Of two sizes, at the place of the second.
fn of_sizes(op: hir::BinaryOp, a: hir::Expr, b: hir::Expr) -> hir::Expr {
    let span = b.span;
    hir::Expr::binary(op, a, b, span)
}
