//! Reads: `x[i, 2 * j + k, ix[n]]`, and properties such as `x.shape`.

use crate::checker::{BodyCx, Checker, error_expr};
use crate::coproduct::Axis;
use crate::differential::as_differential;
use crate::expr::{integer, value};
use crate::prove::access::{Access, Extent};
use crate::scope::Binding;
use crate::thir::{Elem, Expr, ExprKind, Item, LocalId, Nominal, ReadId, ReadInfo, StrPart, Ty};
use weft_base::Span;
use weft_base::entity::EntityRef;
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Iter};
use weft_hir as hir;
use weft_scalar::ScalarType;
use weft_shape::{CheckSubject, Excerpt, Size, SizeCheck, SizeRelation};

/// Reads and reductions: what indices go over.
pub(crate) struct Reads<'c, 'a> {
    pub checker: &'c mut Checker<'a>,
}

/// Parts of checked values: cells, members, characters, elements of host data.
pub(crate) struct Parts<'c, 'a> {
    pub cx: &'c mut BodyCx<'a>,
}

/// What stands for an axis of the tensor that is read.
struct Axes {
    elem: Elem,
    /// Extents of all axes, as far as they are known while the definition is under way.
    extents: Vec<Extent>,
    origin: Option<Excerpt>,
}

impl<'a> Checker<'a> {
    /// Reads and reductions: what indices go over.
    pub fn reads(&mut self) -> Reads<'_, 'a> {
        Reads { checker: self }
    }
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
        let base = self.checker.expr(base);
        self.read_value(base, items, span)
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
            let rest = items.iter().any(|i| matches!(i.kind, hir::ItemKind::Rest(_)));
            items.iter().for_each(|i| {
                if let hir::ItemKind::Expr(e) = &i.kind {
                    self.checker.expr(e);
                }
            });
            let scalar = !rest && items.len() == member.slots;
            let ty = if scalar { Ty::scalar(member.elem) } else { Ty::Error };
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
        if crate::expr::is_beyond_i64(&index) {
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
            return self.checker.cx().parts().not_a_member(span);
        };
        let index = self.checker.expr(e);
        match index.term.as_ref().and_then(Affine::as_constant).map(usize::try_from) {
            Some(Ok(n)) => self.checker.cx().parts().member(base, n, span),
            _ if index.ty == Ty::Error => error_expr(span),
            _ => self.checker.cx().parts().not_a_member(span),
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
                self.length_of(&base, span)
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
                    (Ty::Str, ..) => d.note("strings have `len`"),
                    (_, Some(_), "append" | "push" | "push_back") => d.help(
                        "what is bound does not change: `array_append(x, v)` is a longer array",
                    ),
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

    /// `len(x)`: the first extent.
    pub fn length_of(&mut self, x: &Expr, span: Span) -> Expr {
        match (&x.ty, x.ty.shape().and_then(<[Size]>::first)) {
            (_, Some(s)) => integer(Affine::fixed(s.clone()), span),
            (Ty::Tuple(members), _) => integer(Affine::fixed(members.len() as i64), span),
            (Ty::Error, _) => error_expr(span),
            (Ty::Str, _) => match constant_text(x) {
                Some(text) => {
                    let n = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
                    integer(Affine::fixed(n), span)
                }
                None => match self.checker.cx().parts().known_length(x) {
                    Some(length) => length,
                    None => self.checker.cx().parts().host_length(x, span),
                },
            },
            (Ty::List(_), _) => self.checker.cx().parts().host_length(x, span),
            (Ty::Named(Nominal::Cells { slots, .. }, leaves), _) if *slots > 0 => {
                match leaves.first().and_then(|l| l.shape()?.first()) {
                    Some(s) => integer(Affine::fixed(s.clone()), span),
                    None => error_expr(span),
                }
            }
            (Ty::Named(Nominal::Range, _), _) => self.checker.sequences().range_length(x, span),
            _ => {
                let found = self.checker.at().show_ty(&x.ty);
                let d = Diagnostic::error(Code::E0311, format!("{found} has no length"))
                    .primary(x.span, format!("this is {found}"));
                self.checker.error(d)
            }
        }
    }
}

impl<'a> BodyCx<'a> {
    /// Parts of checked values: cells, members, characters, elements of host data.
    pub fn parts(&mut self) -> Parts<'_, 'a> {
        Parts { cx: self }
    }
}

impl Parts<'_, '_> {
    /// A definition that only its own clauses read is not used.
    fn reads_of_others(&mut self, id: LocalId) {
        self.cx.used[id] |= self.cx.defining != Some(id);
    }

    /// An element of a list of extents, as the term that it is.
    fn known_element(&mut self, base: &Expr, at: &Affine) -> Option<Expr> {
        let at = usize::try_from(at.as_constant()?).ok()?;
        let members = match &base.kind {
            ExprKind::Array(members) => members,
            // The elements of an argument are known where it specialises.
            ExprKind::Local(id) if self.cx.body.arguments.contains(id) => {
                return self.cx.members.get(id)?.get(at).cloned();
            }
            ExprKind::Local(id) => self.cx.members.get(id)?,
            _ => return None,
        };
        members.get(at).filter(|m| is_extent(m)).cloned()
    }

    pub fn known_extent(&mut self, extent: &Extent) -> Option<Size> {
        match extent {
            Extent::Known(s) => Some(s.clone()),
            Extent::Group(id, axis) => {
                let found = self.cx.group[id].extents.as_ref()?.get(*axis).cloned()?;
                // What a round made is gone with it.
                let params = self.cx.body.params.len();
                found.params().iter().all(|p| p.index() < params).then_some(found)
            }
        }
    }

    fn too_many_items(&mut self, base: &Expr, items: usize, rank: usize, span: Span) -> Expr {
        self.cx.ranges().poison();
        let text = self.cx.text(base.span);
        let axes = match rank {
            0 => "no axes".to_string(),
            1 => "1 axis".to_string(),
            n => format!("{n} axes"),
        };
        let given = if items == 1 { "1 index".to_string() } else { format!("{items} indices") };
        let is = if items == 1 { "is" } else { "are" };
        let headline = format!("`{text}` has {axes}, but {given} {is} given");
        let d = Diagnostic::error(Code::E0504, headline).primary(span, given);
        let d = match base.kind {
            ExprKind::Local(id) => {
                let local = &self.cx.body.locals[id];
                d.secondary(local.span, format!("`{text}` is defined here"))
            }
            _ => d,
        };
        self.cx.error(d)
    }

    pub fn as_i64(&mut self, e: Expr) -> Expr {
        if e.ty.elem() == Some(Elem::Fixed(ScalarType::I64)) || e.ty.elem() == Some(Elem::OpenInt) {
            return e;
        }
        let span = e.span;
        let ty = Ty::scalar(Elem::Fixed(ScalarType::I64));
        value(ExprKind::Cast(ScalarType::I64, Box::new(e)), ty, span)
    }

    /// Registers an affine index for range inference and the bounds proof.
    pub fn access(
        &mut self,
        read: ReadId,
        term: Affine,
        extent: Extent,
        axis: usize,
        excerpt: Excerpt,
        origin: Option<Excerpt>,
    ) {
        let path = self.cx.path.clone();
        let scope = self.cx.active.clone();
        let access = Access { read, term, extent, axis, excerpt, origin, path, scope };
        match self.cx.frames.last_mut() {
            Some(frame) => frame.accesses.push(access),
            None => self.cx.proofs().prove_on(&access, &[], None),
        }
    }

    /// `x[lo..hi]`: checked to lie inside; its extent is `hi - lo`.
    pub fn stretch(
        &mut self,
        lo: &Affine,
        hi: &Affine,
        extent: &Extent,
        axis: usize,
        excerpt: &Excerpt,
        origin: &Option<Excerpt>,
    ) -> Option<Size> {
        let (lo, hi) = (lo.as_size()?.clone(), hi.as_size()?.clone());
        let Some(extent) = self.known_extent(extent) else {
            self.cx.mistyped(
                excerpt.span,
                "a range of a tensor within its own definition",
                "how far the tensor goes is not known here",
                "let an index run over its cells: `sum[k in 0..t](s[k])`",
            );
            return None;
        };
        let subject = |below| CheckSubject::Read {
            read: excerpt.clone(),
            axis,
            below,
            origin: origin.clone(),
            help: None,
        };
        let at_most = |left: &Size, right: &Size, subject| SizeCheck {
            when: Vec::new(),
            relation: SizeRelation::AtMost,
            left: left.clone(),
            right: right.clone(),
            subject,
            chain: Vec::new(),
        };
        self.cx.require(at_most(&0.into(), &lo, subject(true)));
        self.cx.require(at_most(&hi, &extent, subject(false)));
        let what = format!("the range of `{}`", excerpt.text);
        let size = hi.minus(&lo);
        let positive = CheckSubject::Positive { what, span: excerpt.span };
        self.cx.require(at_most(&0.into(), &size, positive));
        Some(size)
    }

    fn not_a_member(&mut self, span: Span) -> Expr {
        self.cx.mistyped(
            span,
            "a tuple takes one index, a number that is written out",
            "members may have different types",
            "use an array where the index is computed: `[a, b, c][i]`",
        )
    }

    /// Member `n` of a tuple.
    pub fn member(&mut self, base: Expr, n: usize, span: Span) -> Expr {
        let Some(members) = base.ty.members() else { return error_expr(span) };
        let Some(ty) = members.get(n).cloned() else {
            let count = members.len();
            let d = Diagnostic::error(Code::E0504, format!("a tuple of {count} has no member {n}"))
                .primary(span, format!("members are 0..{count}"));
            return self.cx.error(d);
        };
        if let ExprKind::Tuple(members) = &base.kind {
            return Expr { span, ..members[n].clone() };
        }
        if let ExprKind::Local(id) = base.kind
            && let Some(member) = self.cx.members.get(&id).map(|m| &m[n])
            && member.term.is_some()
        {
            return Expr { span, ..member.clone() };
        }
        value(ExprKind::Field(Box::new(base), n), ty, span)
    }

    /// `shape(x)`: a static list of integers.
    pub fn shape_of(&mut self, x: &Expr, span: Span) -> Expr {
        let extents = x.ty.shape().unwrap_or_default().to_vec();
        let members: Vec<Expr> =
            extents.into_iter().map(|s| integer(Affine::fixed(s), span)).collect();
        let ty = Ty::Array(Elem::OpenInt, vec![Size::from(members.len() as i64)]);
        value(ExprKind::Array(members), ty, span)
    }

    /// `typeof(x)`: known while checking.
    pub fn type_name(&mut self, x: &Expr, span: Span) -> Expr {
        let name = match &x.ty {
            Ty::Error | Ty::Absent => return error_expr(span),
            Ty::Str => "str",
            Ty::Named(Nominal::Struct(_), _) => "struct",
            Ty::Named(Nominal::Enum(_), _) | Ty::Boxed(..) => "enum",
            Ty::Named(Nominal::Function(_), _) => "function",
            Ty::Named(Nominal::Cells { .. }, _) => "rectangular",
            Ty::Named(Nominal::Range, _) => "range",
            Ty::Named(Nominal::Character, _) => "str",
            Ty::List(_) => "jagged",
            Ty::Fallible(_) => "error",
            Ty::Differential(..) => "differential",
            Ty::Tuple(_) => "tuple",
            ty if crate::absent::is_absent(ty) => "absent",
            Ty::Array(_, shape) if !shape.is_empty() => "rectangular",
            Ty::Array(elem, _) => match elem.closed() {
                Elem::Fixed(t) => t.name(),
                _ => "f32",
            },
        };
        value(ExprKind::Str(vec![StrPart::Text(name.into())]), Ty::Str, span)
    }
}

impl BodyCx<'_> {
    /// Where the size of what is read comes from.
    fn origin(&self, base: &Expr) -> Option<Excerpt> {
        let ExprKind::Local(id) = base.kind else { return None };
        let local = &self.body.locals[id];
        let dims: Vec<String> = local.ty.shape()?.iter().map(|s| self.show_valued(s)).collect();
        let text = format!("`{}` has shape [{}]", local.name, dims.join(", "));
        Some(Excerpt { text, span: local.span })
    }
}

/// Whether a value is an integer that was asked for as such, and not written out: what a run
/// may replace is a literal.
pub(crate) fn is_extent(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Index(_) => true,
        ExprKind::Adapted(_, x) | ExprKind::Cast(_, x) => e.term.is_some() && is_extent(x),
        _ => false,
    }
}

/// The text of a string without computed parts.
pub(crate) fn constant_text(e: &Expr) -> Option<String> {
    let ExprKind::Str(parts) = &e.kind else { return None };
    let mut out = String::new();
    for part in parts {
        match part {
            StrPart::Text(t) => out.push_str(t),
            StrPart::Value(..) => return None,
        }
    }
    Some(out)
}
