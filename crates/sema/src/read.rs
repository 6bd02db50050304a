//! Reads: `x[i, 2 * j + k, ix[n]]`, of tensors, tuples, strings and lists; and properties such
//! as `x.shape`.

use crate::fields::GroupCells;
use crate::fields::holds_reads;
use crate::handles::Definitions;
use crate::handles::{Reads, Sequences};
use crate::prove::access::Extent;
use crate::scope::Binding;
use crate::thir::Stmt;
use crate::thir::{Elem, Expr, ExprKind, Item, LocalId, Nominal, ReadInfo, Ty};
use crate::typed::coproduct::Axis;
use crate::typed::fields::assembled;
use crate::typed::fields::cells;
use crate::typed::values::with_first;
use crate::typed::values::{as_differential, error_expr, integer, value};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Iter};
use weft_hir as hir;
use weft_shape::{Excerpt, Size};

/// What stands for an axis of the tensor that is read.
struct Axes {
    elem: Elem,
    /// Extents of all axes, as far as they are known while the definition is under way.
    extents: Vec<Extent>,
    origin: Option<Excerpt>,
}

impl Reads<'_, '_> {
    pub fn read(&mut self, base: &hir::Expr, items: &[hir::Item], span: Span) -> Expr {
        if let Some(cells) = self.checker.definitions().cells_named(base) {
            self.checker.cx().parts().reads_of_others(cells.whole);
            return self.checker.definitions().read_group_cells(cells, items, span);
        }
        if let Some((id, name)) = self.group_member(base) {
            self.checker.cx().parts().reads_of_others(id);
            return self.read_group(id, name, items, span);
        }
        if let Some(character) = self.character_of_line(base, items, span) {
            return character;
        }
        let base = self.checker.expr(base);
        self.read_value(base, items, span)
    }

    /// `lines[i][j]` of a list of strings in a clause, where no string is at hand: a character of
    /// the table of all.
    fn character_of_line(
        &mut self,
        base: &hir::Expr,
        items: &[hir::Item],
        span: Span,
    ) -> Option<Expr> {
        let hir::ExprKind::Index { base: lines, items: line } = &base.kind else { return None };
        let Some(Binding::Local(id)) = self.checker.lookup(lines.var()?) else { return None };
        let cx = self.checker.cx();
        let is_list = matches!(cx.body.locals[id].ty, Ty::List(_));
        if cx.is_host() || !is_list || !cx.strings.contains(&id) {
            return None;
        }
        let is_one = |items: &[hir::Item]| match items {
            [hir::Item { kind: hir::ItemKind::Expr(at), .. }] => {
                !matches!(at.kind, hir::ExprKind::Range { .. })
            }
            _ => false,
        };
        if !is_one(line) || !is_one(items) {
            return None;
        }
        let lines = self.checker.expr(lines);
        let both = [line, items].concat();
        Some(self.checker.sequences().character(lines, &both, span))
    }

    /// Cells of a checked value.
    pub fn read_value(&mut self, base: Expr, items: &[hir::Item], span: Span) -> Expr {
        let base = self.checker.cx().conversions().known_elements(base);
        match &base.ty {
            Ty::Array(elem, shape) => {
                let extents = shape.iter().cloned().map(Extent::Known).collect();
                let axes = Axes { elem: *elem, extents, origin: self.checker.at().origin(&base) };
                self.read_axes(base, axes, items, span)
            }
            Ty::Named(Nominal::Cells { .. }, _) => {
                self.checker.definitions().read_cells(base, items, span)
            }
            Ty::Tuple(_) | Ty::Named(..) => self.tuple_item(base, items, span),
            Ty::Str if self.checker.cx().parts().reads_character(&base, items) => {
                self.checker.sequences().character(base, items, span)
            }
            Ty::Str | Ty::List(_) => self.checker.sequences().host_item(base, items, span),
            Ty::Boxed(..) | Ty::Fallible(_) | Ty::Absent => {
                self.checker.cx().parts().no_cells(&base, span)
            }
            Ty::Differential(elem, shape) => {
                let base = Expr { ty: Ty::Array(*elem, shape.clone()), ..base.clone() };
                as_differential(self.read_value(base, items, span))
            }
            Ty::Error => {
                self.checker.cx().ranges().poison();
                items.iter().for_each(|i| {
                    if let hir::ItemKind::Expr(e) = &i.kind {
                        self.checker.expr(e);
                    }
                });
                error_expr(span)
            }
        }
    }

    /// The tensor under definition that an expression names.
    fn group_member(&mut self, base: &hir::Expr) -> Option<(LocalId, Span)> {
        if let Some(id) = self.checker.definitions().field_named(base) {
            return Some((id, base.span));
        }
        match self.checker.lookup(base.var()?)? {
            Binding::Local(id) if self.checker.cx().group.contains_key(&id) => {
                Some((id, base.span))
            }
            _ => None,
        }
    }

    pub fn read_group(&mut self, id: LocalId, name: Span, items: &[hir::Item], span: Span) -> Expr {
        let member = self.checker.cx().group[&id].clone();
        if items.is_empty() && member.slots > 0 {
            return self.checker.cx().targets().group_value(id, span);
        }
        let Some(rank) = member.rank else {
            // First round: the rank is not known yet. Indices are checked all the same.
            items.iter().for_each(|i| {
                if let hir::ItemKind::Expr(e) = &i.kind {
                    self.checker.expr(e);
                }
            });
            let ty = match self.fills(items, member.slots) {
                true => Ty::scalar(member.elem),
                false => Ty::Error,
            };
            return value(ExprKind::Error, ty, span);
        };
        let extents = (0..rank)
            .map(|axis| match member.extents.as_ref().and_then(|e| e.get(axis)) {
                Some(s) if axis >= member.slots => Extent::Known(s.clone()),
                _ => Extent::Group(id, axis),
            })
            .collect();
        let base = value(ExprKind::Local(id), Ty::Error, name);
        let axes = Axes { elem: member.elem, extents, origin: None };
        self.read_axes(base, axes, items, span)
    }

    /// Whether items stand for so many axes; a rest of which nothing is known yet takes what the
    /// others leave.
    fn fills(&mut self, items: &[hir::Item], slots: usize) -> bool {
        let (mut taken, mut open) = (0, false);
        for item in items {
            let hir::ItemKind::Rest(rest) = &item.kind else {
                taken += 1;
                continue;
            };
            let id = rest.var.and_then(|var| self.checker.lookup(var));
            let Some(Binding::Rest(id)) = id else { return false };
            match &self.checker.at().rests[id].iters {
                Some(iters) => taken += iters.len(),
                None => open = true,
            }
        }
        if open { taken <= slots && slots > 0 } else { taken == slots }
    }

    fn read_axes(&mut self, base: Expr, mut axes: Axes, items: &[hir::Item], span: Span) -> Expr {
        let rank = axes.extents.len();
        let id = self.checker.cx().body.reads.push(ReadInfo { span, checked: false });
        let Some(items) = self.items(items, &mut axes, span) else {
            self.checker.cx().ranges().poison();
            return error_expr(span);
        };
        if items.len() > rank {
            return self.checker.cx().parts().too_many_items(&base, items.len(), rank, span);
        }
        if let [Item::At(at)] = items.as_slice()
            && let Some(known) = self.checker.cx().parts().known_element(&base, at)
        {
            return Expr { span, ..known };
        }
        let excerpt = self.checker.at().excerpt(span);
        let mut shape = Vec::new();
        for (axis, item) in items.iter().enumerate() {
            let extent = &axes.extents[axis];
            match item {
                Item::At(term) => {
                    let (origin, excerpt) = (axes.origin.clone(), excerpt.clone());
                    let term = term.clone();
                    self.checker.cx().parts().access(
                        id,
                        term,
                        extent.clone(),
                        axis,
                        excerpt,
                        origin,
                    );
                }
                Item::Data(_) => self.checker.cx().body.reads[id].checked = true,
                Item::Range(lo, hi) => {
                    let Some(s) = self.checker.cx().parts().stretch(
                        lo,
                        hi,
                        extent,
                        axis,
                        &excerpt,
                        &axes.origin,
                    ) else {
                        return error_expr(span);
                    };
                    shape.push(s);
                }
            }
        }
        for extent in &axes.extents[items.len()..] {
            match self.checker.cx().parts().known_extent(extent) {
                Some(s) => shape.push(s),
                None => return value(ExprKind::Error, Ty::Error, span),
            }
        }
        let ty = Ty::Array(axes.elem, shape);
        value(ExprKind::Read(id, Box::new(base), items), ty, span)
    }

    /// The items of a read, rests expanded; extents become those that the items are read against.
    fn items<'a>(
        &mut self,
        items: &'a [hir::Item],
        axes: &mut Axes,
        span: Span,
    ) -> Option<Vec<Item>> {
        let rank = axes.extents.len();
        let written = |i: &'a hir::Item| match &i.kind {
            hir::ItemKind::Rest(r) => Some(r),
            _ => None,
        };
        let rests: Vec<&hir::Rest> = items.iter().filter_map(written).collect();
        let fixed = items.len() - rests.len();
        let mut expanded = if rests.is_empty() {
            Vec::new().into_iter()
        } else {
            self.rests_of_read(&rests, fixed, rank, span)?.into_iter()
        };
        let mut out = Vec::new();
        for item in items {
            match &item.kind {
                hir::ItemKind::Rest(_) => {
                    let iters: Vec<Iter> = expanded.next().unwrap_or_default();
                    out.extend(iters.into_iter().map(|i| Item::At(Affine::iter(i))));
                }
                hir::ItemKind::Expr(e) => out.push(self.item(e)?),
                hir::ItemKind::Coproduct(parts) => {
                    let axis = out.len();
                    let Some(extent) = axes.extents.get(axis).cloned() else {
                        let d = Diagnostic::error(Code::E0504, "more indices than axes")
                            .primary(item.span, format!("the tensor has {rank} axes"));
                        self.checker.report(d);
                        return None;
                    };
                    let origin = axes.origin.clone();
                    let whole = Axis { at: axis, extent, origin };
                    let (term, extent) =
                        self.checker.definitions().coproduct_item(parts, whole, item.span)?;
                    axes.extents[axis] = extent;
                    out.push(Item::At(term));
                }
            }
        }
        Some(out)
    }

    fn item(&mut self, e: &hir::Expr) -> Option<Item> {
        if let hir::ExprKind::Range { start, end, inclusive } = &e.kind {
            let (lo, hi) = (self.checker.expr(start), self.checker.expr(end));
            let lo = self.checker.cx().leaves().size_required(&lo, "the start of a range")?;
            let hi = self.checker.cx().leaves().size_required(&hi, "the end of a range")?;
            let hi = if *inclusive { hi.plus_const(1) } else { hi };
            return Some(Item::Range(Affine::fixed(lo), Affine::fixed(hi)));
        }
        let index = self.checker.expr(e);
        if crate::typed::values::is_beyond_i64(&index) {
            self.checker.cx().operators().too_large(e.span);
            return None;
        }
        match index.ty {
            Ty::Error => None,
            Ty::Array(elem, ref s) if s.is_empty() && elem.is_int() => {
                Some(match index.term.clone() {
                    Some(term) => Item::At(term),
                    None => Item::Data(self.checker.cx().parts().as_i64(index)),
                })
            }
            Ty::Array(elem, _) if !elem.is_known() => None,
            _ => {
                let found = self.checker.at().show_ty(&index.ty);
                let d = Diagnostic::error(
                    Code::E0308,
                    format!("an index must be an integer, found {found}"),
                )
                .primary(e.span, format!("this is {found}"));
                self.checker.report(d);
                None
            }
        }
    }

    fn tuple_item(&mut self, base: Expr, items: &[hir::Item], span: Span) -> Expr {
        let [hir::Item { kind: hir::ItemKind::Expr(e), .. }] = items else {
            return self.checker.cx().parts().not_a_member(&base, items.len(), span);
        };
        let index = self.checker.expr(e);
        match index.term.as_ref().and_then(Affine::as_constant).map(usize::try_from) {
            Some(Ok(n)) => self.checker.cx().parts().member(base, n, span),
            _ if index.ty == Ty::Error => error_expr(span),
            _ => self.checker.cx().parts().not_a_member(&base, items.len(), span),
        }
    }

    pub fn field(&mut self, base: &hir::Expr, field: &hir::FieldName, span: Span) -> Expr {
        let base = self.checker.expr(base);
        if base.ty == Ty::Error {
            return error_expr(span);
        }
        match field {
            hir::FieldName::Position { index, .. } => match base.ty {
                Ty::Tuple(_) => self.checker.cx().parts().member(base, *index as usize, span),
                Ty::Named(..) => {
                    self.checker.cx().patterns().numbered_field(base, *index as usize, span)
                }
                _ => {
                    let found = self.checker.at().show_ty(&base.ty);
                    let d = Diagnostic::error(Code::E0311, format!("{found} has no members"))
                        .primary(span, "only tuples have numbered members");
                    self.checker.error(d)
                }
            },
            hir::FieldName::Named(name) => self.property(base, name, span),
        }
    }

    fn property(&mut self, base: Expr, name: &hir::Label, span: Span) -> Expr {
        match (name.as_str(), base.ty.shape()) {
            ("shape", Some(_)) => self.checker.cx().parts().shape_of(&base, span),
            (_, None) if matches!(base.ty, Ty::Named(..)) => {
                self.checker.matches().named_field(base, name, span)
            }
            ("len" | "length", shape)
                if shape.is_some() || matches!(base.ty, Ty::Tuple(_) | Ty::Str | Ty::List(_)) =>
            {
                self.checker.cx().parts().length_of(&base, span)
            }
            ("size", Some(shape)) => {
                let all = shape.iter().fold(Size::from(1), |p, s| p.times(s));
                if all.params().is_empty() && all.as_constant().is_none() {
                    return self.checker.cx().operators().too_large(span);
                }
                integer(Affine::fixed(all), span)
            }
            _ => {
                let found = self.checker.at().show_ty(&base.ty);
                let d = Diagnostic::error(
                    Code::E0311,
                    format!("{found} has no property `{}`", name.name),
                )
                .primary(name.span, "unknown property");
                let d = match (&base.ty, base.ty.rank(), name.as_str()) {
                    (Ty::Str, _, name) => match text_function(name) {
                        Some(f) => d.help(format!("it is a function: `std::text::{f}(s)`")),
                        None => d.note("strings have `len`; `std::text` has functions of them"),
                    },
                    (_, Some(_), "append" | "push" | "push_back") => d.help(
                        "what is bound does not change: `array_append(x, v)` is a longer array",
                    ),
                    (_, Some(_), "map" | "filter" | "apply") => {
                        d.help("elements are chosen and mapped by `[f(v) | v in x, v > 0]`")
                    }
                    (_, Some(2), "T" | "t" | "transpose") => {
                        d.help("a transpose is a definition: `let t[j, i] = x[i, j];`")
                    }
                    _ => d.note("tensors have `shape`, `len` and `size`"),
                };
                let reduction = hir::Accumulator::from_name(name.as_str());
                self.checker.error(match (reduction, base.ty.rank()) {
                    (Some(_), Some(rank @ 1..=4)) => {
                        let indices = ["i", "j", "k", "l"][..rank].join(", ");
                        let cells = format!("{}[{indices}](x[{indices}])", name.name);
                        d.help(format!("a reduction names its indices: `{cells}`"))
                    }
                    _ => d,
                })
            }
        }
    }
}

/// The function of texts that other languages write behind a point by this name.
fn text_function(name: &str) -> Option<&'static str> {
    let name = match name {
        "strip" | "trimmed" => "trim",
        "startswith" | "startsWith" | "has_prefix" => "starts_with",
        "endswith" | "endsWith" | "has_suffix" => "ends_with",
        "splitlines" => "lines",
        "to_upper" | "toUpperCase" | "to_uppercase" | "uppercase" => "upper",
        "to_lower" | "toLowerCase" | "to_lowercase" | "lowercase" => "lower",
        "index" | "indexOf" | "index_of" => "find",
        other => other,
    };
    weft_scalar::TextOp::from_name(name).map(weft_scalar::TextOp::name)
}

impl Sequences<'_, '_> {
    /// A character of a string in a clause.
    pub fn character(&mut self, base: Expr, items: &[hir::Item], span: Span) -> Expr {
        let Some(codes) = self.checker.cx().parts().codes_of(base, span) else {
            return error_expr(span);
        };
        let code = self.checker.reads().read_value(codes, items, span);
        match code.ty {
            Ty::Error => code,
            _ => {
                let ty = Ty::Named(Nominal::Character, [code.ty.clone()].into());
                value(ExprKind::Tuple(vec![code]), ty, span)
            }
        }
    }

    /// `a..b` as a value.
    pub fn range_value(
        &mut self,
        start: &hir::Expr,
        end: &hir::Expr,
        inclusive: bool,
        span: Span,
    ) -> Expr {
        let (lo, hi) = (self.checker.expr(start), self.checker.expr(end));
        let Some(lo) = self.checker.cx().parts().whole_number(lo) else { return error_expr(span) };
        let Some(hi) = self.checker.cx().parts().whole_number(hi) else { return error_expr(span) };
        let hi = match inclusive {
            false => hi,
            true => {
                let one = integer(Affine::fixed(1), span);
                self.checker.cx().operators().apply_binary(
                    weft_scalar::BinaryOp::Add,
                    hi,
                    one,
                    span,
                )
            }
        };
        let ty = Ty::Named(Nominal::Range, [lo.ty.clone(), hi.ty.clone()].into());
        value(ExprKind::Tuple(vec![lo, hi]), ty, span)
    }

    /// `s[2]`, `s[1..3]`, `rows[i]` of a string or a list.
    pub fn host_item(&mut self, base: Expr, items: &[hir::Item], span: Span) -> Expr {
        let Some((hir::Item { kind: hir::ItemKind::Expr(at), .. }, rest)) = items.split_first()
        else {
            return self.checker.cx().mistyped(
                span,
                "a list or a string takes an index or a range",
                "this is neither",
                "write `x[0]` or `x[1..3]`",
            );
        };
        if let hir::ExprKind::Range { start, end, inclusive } = &at.kind {
            let range = self.range_value(start, end, *inclusive, at.span);
            if range.ty == Ty::Error {
                return error_expr(span);
            }
            let mut parts = self.checker.cx().parts();
            let (lo, hi) = (parts.member(range.clone(), 0, span), parts.member(range, 1, span));
            return parts.host_stretch(base, lo, hi, span);
        }
        let at = self.checker.expr(at);
        let Some(at) = self.checker.cx().parts().whole_number(at) else { return error_expr(span) };
        let item = self.checker.cx().parts().host_element(base, at, span);
        match rest {
            _ if item.ty == Ty::Error => item,
            [] => item,
            _ => self.checker.reads().read_value(item, rest, span),
        }
    }
}

impl Definitions<'_, '_> {
    /// A cell of a tensor of tuples that is being defined.
    pub fn read_group_cells(&mut self, of: GroupCells, items: &[hir::Item], span: Span) -> Expr {
        let (items, bound) = self.items_once(items);
        let items = items.as_slice();
        let leaves: Vec<Expr> = of
            .fields
            .iter()
            .map(|id| self.checker.reads().read_group(*id, span, items, span))
            .collect();
        let mut leaves = leaves.into_iter();
        let whole = assembled(&of.cell, &mut leaves, span);
        bound.into_iter().rev().fold(whole, |e, stmt| with_first(stmt, e))
    }

    /// Items that are checked once for all leaves: those with reads in them, which may nest, as
    /// names, and what binds these.
    pub fn items_once(&mut self, items: &[hir::Item]) -> (Vec<hir::Item>, Vec<Stmt>) {
        let mut bound = Vec::new();
        let mut out = Vec::new();
        for item in items {
            let hir::ItemKind::Expr(e) = &item.kind else {
                out.push(item.clone());
                continue;
            };
            if !holds_reads(e) {
                out.push(item.clone());
                continue;
            }
            let value = self.checker.expr(e);
            let hidden = self.checker.hidden("item", value);
            bound.push(hidden.stmt);
            let named = hir::Expr::of_var(&hidden.ident, e.span);
            out.push(hir::Item { span: item.span, kind: hir::ItemKind::Expr(named) });
        }
        (out, bound)
    }

    /// Cells of a tensor of tuples: a tuple, or a tensor of fewer axes.
    pub fn read_cells(&mut self, base: Expr, items: &[hir::Item], span: Span) -> Expr {
        let (items, bound) = self.items_once(items);
        let whole = self.cells_at(base, &items, span);
        bound.into_iter().rev().fold(whole, |e, stmt| with_first(stmt, e))
    }

    pub fn cells_at(&mut self, base: Expr, items: &[hir::Item], span: Span) -> Expr {
        let Ty::Named(Nominal::Cells { cell, slots }, members) = base.ty.clone() else {
            return error_expr(span);
        };
        let mut leaves = Vec::new();
        let mut left = slots;
        for (n, before) in members.iter().enumerate() {
            let leaf = self.checker.cx().targets().leaf_of_cells(&base, n, span);
            let read = self.checker.reads().read_value(leaf, items, span);
            if read.ty == Ty::Error {
                return error_expr(span);
            }
            let gone = before.rank().unwrap_or(0) - read.ty.rank().unwrap_or(0);
            left = slots.saturating_sub(gone);
            leaves.push(read);
        }
        if left == 0 {
            return assembled(&cell, &mut leaves.into_iter(), span);
        }
        cells(leaves, (*cell).clone(), left, span)
    }
}
