//! Joined axes: the components of a clause and their sizes, and how they fill an axis.

use crate::prove::access::Extent;
use crate::scope::Binding;
use crate::thir::{Elem, Ty};
use crate::typed::handles::Targets;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_domain::Affine;
use weft_hir::visit::{indices_of, places_of};
use weft_hir::{self as hir};
use weft_shape::{CheckSubject, Excerpt, Size, SizeCheck, SizeRelation};

/// One alternative with the components it uses, by coproduct slot.
pub(crate) struct Block<'c> {
    pub body: &'c hir::Expr,
    pub used: Vec<&'c hir::Ident>,
}

/// A component's index and how large the component was found to be.
pub(crate) struct Component<'c> {
    pub name: &'c hir::Ident,
    pub size: Size,
    /// The size under a name that the clauses of one definition share: another definition may
    /// have components, or plain indices, of the same name.
    pub shared: hir::Ident,
}

/// A clause that an alternative stands for.
pub(crate) struct Alternative {
    pub clause: hir::Clause,
    /// How far the axis of each slot goes, counted among the slots, where parts stand behind the
    /// component that the clause defines: what is bound to it.
    pub ends: Vec<Option<hir::Ident>>,
}

/// An axis that an item is read from.
pub(crate) struct Axis {
    /// Its place, from 0.
    pub at: usize,
    pub extent: Extent,
    /// What is read, and where its size comes from.
    pub origin: Option<Excerpt>,
}

/// What the alternatives say of the indices of a clause.
#[derive(Default)]
pub(crate) struct Found<'c> {
    pub components: Vec<Component<'c>>,
    /// Each index, the end of its range, and the alternative that says so.
    ends: Vec<(Name, Size, Span)>,
}

impl Targets<'_, '_> {
    /// Which components each alternative uses: by position where there is one joined axis,
    /// by its indices where there are several.
    pub fn blocks<'c>(
        &mut self,
        c: &'c hir::Clause,
        axes: &[&'c [hir::Part]],
    ) -> Option<Vec<Block<'c>>> {
        let mut blocks = Vec::new();
        if let [parts] = axes {
            let names: Vec<&hir::Ident> = indices_of(parts).collect();
            if names.len() != c.alternatives.len() {
                let headline = format!(
                    "{} components, but {} alternatives",
                    names.len(),
                    c.alternatives.len()
                );
                let d = Diagnostic::error(Code::E0506, headline)
                    .primary(c.slots_span, "each index of the joined axis has one alternative")
                    .help("write one alternative for each: `a[i] ^ b[j]`");
                self.cx.report(d);
                return None;
            }
            for (body, own) in c.alternatives.iter().zip(&names) {
                self.refuse_other_components(body, own, &names)?;
                blocks.push(Block { body, used: vec![*own] });
            }
            return Some(blocks);
        }
        for body in &c.alternatives {
            let mut used = Vec::new();
            for parts in axes {
                used.push(self.used_component(body, parts)?);
            }
            blocks.push(Block { body, used });
        }
        Some(blocks)
    }

    fn refuse_other_components(
        &mut self,
        body: &hir::Expr,
        own: &hir::Ident,
        all: &[&hir::Ident],
    ) -> Option<()> {
        let found = mentioned(body, all);
        let Some(other) = found.iter().find(|n| n.name != own.name) else { return Some(()) };
        let d = Diagnostic::error(
            Code::E0508,
            format!("this alternative is for `{}`, but uses `{}`", own.name, other.name),
        )
        .primary(body.span, format!("`{}` has no value here", other.name))
        .secondary(other.span, "a component of another alternative");
        self.cx.report(d);
        None
    }

    fn used_component<'c>(
        &mut self,
        body: &hir::Expr,
        parts: &'c [hir::Part],
    ) -> Option<&'c hir::Ident> {
        let names: Vec<&hir::Ident> = indices_of(parts).collect();
        let found = mentioned(body, &names);
        match (found.as_slice(), names.as_slice()) {
            ([one], _) | ([], [one]) => Some(one),
            _ => {
                let all: Vec<String> = names.iter().map(|n| format!("`{}`", n.name)).collect();
                let which = if found.is_empty() { "none" } else { "several" };
                let headline = format!("an alternative that uses {which} of {}", all.join(", "));
                let d = Diagnostic::error(Code::E0506, headline)
                    .primary(body.span, "an alternative is recognised by the indices it uses");
                self.cx.report(d);
                None
            }
        }
    }

    /// Two alternatives of the same components would claim the same cells.
    pub fn refuse_shared_cells(&mut self, blocks: &[Block<'_>]) -> Option<()> {
        for (n, block) in blocks.iter().enumerate() {
            let same = |b: &&Block<'_>| {
                b.used.iter().map(|u| &u.name).eq(block.used.iter().map(|u| &u.name))
            };
            let Some(earlier) = blocks[..n].iter().find(same) else { continue };
            let cell: Vec<String> = block.used.iter().map(|u| u.name.to_string()).collect();
            let headline = format!("two alternatives claim the cells `[{}]`", cell.join(", "));
            let d = Diagnostic::error(Code::E0508, headline)
                .primary(block.body.span, "this one")
                .secondary(earlier.body.span, "and this one")
                .note("the alternatives of one clause fill disjoint stretches");
            self.cx.report(d);
            return None;
        }
        Some(())
    }

    /// An index has one range in all alternatives.
    pub fn agree(&mut self, name: Name, end: Size, at: Span, found: &mut Found<'_>) -> Option<()> {
        let Some((_, left, before)) = found.ends.iter().find(|(n, ..)| *n == name).cloned() else {
            found.ends.push((name, end, at));
            return Some(());
        };
        let (first, second) = (self.cx.excerpt(before), self.cx.excerpt(at));
        let subject =
            CheckSubject::Anchors { index: name, first, second, origins: Vec::new(), cure: None };
        let (when, chain, relation) = (Vec::new(), Vec::new(), SizeRelation::Equal);
        self.cx
            .require(SizeCheck { when, relation, left, right: end, subject, chain })
            .then_some(())
    }

    pub fn name_size(&mut self, k: &Component<'_>) {
        let term = Affine::fixed(k.size.clone());
        let id =
            self.cx.local(&k.shared.name, k.shared.span, Ty::scalar(Elem::OpenInt), Some(term));
        self.cx.bind(k.shared.var, Binding::Local(id));
    }

    /// An index of a part of what is being defined, before others.
    pub fn range_is_not_stated(&mut self, name: &hir::Ident) {
        let d = Diagnostic::error(Code::E0502, format!("index `{}` has no range", name.name))
            .primary(name.span, "what it reads a part of is being defined")
            .help("state the range where the index is introduced: `in 0..n`");
        self.cx.report(d);
    }

    /// The size of the discarded part number `n`: what the others leave of the axis.
    pub fn rest_of(
        &mut self,
        sizes: &[Option<Size>],
        n: usize,
        extent: &Extent,
        span: Span,
    ) -> Option<Size> {
        let whole = match extent {
            Extent::Known(s) => Some(s.clone()),
            Extent::Group(..) => None,
        };
        let others: Vec<&Option<Size>> =
            sizes.iter().enumerate().filter(|(m, _)| *m != n).map(|(_, s)| s).collect();
        let left = whole
            .and_then(|w| others.iter().try_fold(w, |left, s| s.as_ref().map(|s| left.minus(s))));
        if left.is_none() {
            let d = Diagnostic::error(Code::E0502, "a component whose size is not determined")
                .primary(span, "several components of this item have no known size")
                .help("state the range of the index that is read: `in 0..n`");
            self.cx.report(d);
        }
        left
    }

    /// Parts that are all known fill the axis; of others, those that are known fit in it.
    pub fn parts_fit(&mut self, sizes: &[Option<Size>], axis: &Axis, span: Span) -> Option<()> {
        let Some(right) = self.cx.parts().known_extent(&axis.extent) else { return Some(()) };
        let left = sizes.iter().flatten().fold(Size::from(0), |total, s| total.plus(s));
        let relation = match sizes.iter().all(Option::is_some) {
            true => SizeRelation::Equal,
            false => SizeRelation::AtMost,
        };
        let (item, origin) = (self.cx.excerpt(span), axis.origin.clone());
        let subject = CheckSubject::Parts { item, axis: axis.at, origin };
        let (when, chain) = (Vec::new(), Vec::new());
        self.cx.require(SizeCheck { when, relation, left, right, subject, chain }).then_some(())
    }
}

pub(crate) fn coproduct(slot: &hir::Slot) -> Option<&[hir::Part]> {
    match &slot.kind {
        hir::SlotKind::Coproduct(parts) => Some(parts),
        _ => None,
    }
}

/// Those of some names that an expression mentions outside the components of items.
fn mentioned<'c>(body: &hir::Expr, names: &[&'c hir::Ident]) -> Vec<&'c hir::Ident> {
    let stands = |n: &&'c hir::Ident| {
        let mut places = Vec::new();
        places_of(body, n.var, &mut places);
        !places.is_empty()
    };
    names.iter().copied().filter(stands).collect()
}
