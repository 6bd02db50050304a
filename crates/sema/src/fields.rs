//! Definitions whose cells are tuples: one tensor per leaf, over the same slots.
//!
//! Each leaf is a definition of its own, with its own rank and, in a recurrence, its own
//! window. The name stands for all of them ([`Nominal::Cells`]), and a cell `s[t]` for the
//! tuple of theirs.

use crate::checker::{BodyCx, error_expr};
use crate::expr::value;
use crate::failing::with_first;
use crate::fixpoint::Found;
use crate::indexed::Definitions;
use crate::indexed::{Clauses, Draft, Member};
use crate::nominal::absent;
use crate::scope::Binding;
use crate::thir::{Elem, Expr, ExprKind, LocalId, Nominal, Stmt, Ty};
use std::rc::Rc;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_hir as hir;
use weft_scalar::{Scalar, ScalarType};

/// Leaves that the cells of one definition may have: each is a tensor, with clauses of its own.
const MOST_LEAVES: usize = 1024;

/// Definitions under way in a body: their members, the tensors of tuples, joined axes.
pub(crate) struct Targets<'c, 'a> {
    pub cx: &'c mut BodyCx<'a>,
}

/// What a definition defines.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// What the name stands for.
    pub whole: LocalId,
    /// The tensors: the whole itself, or one per leaf.
    pub fields: Vec<LocalId>,
    /// What a cell is, where it is a tuple.
    cell: Option<Ty>,
    slots: usize,
}

/// A tensor of tuples while it is being defined.
pub(crate) struct GroupCells {
    pub whole: LocalId,
    fields: Vec<LocalId>,
    cell: Ty,
}

impl Target {
    pub fn new(whole: LocalId) -> Target {
        Target { whole, fields: vec![whole], cell: None, slots: 0 }
    }

    /// What was found of it: its tensors come next among `members`.
    pub fn found(&self, members: impl Iterator<Item = Member>) -> Found {
        Found { members: members.take(self.fields.len()).collect(), cell: self.cell.clone() }
    }
}

impl Definitions<'_, '_> {
    /// The tensor of tuples under definition that an expression names.
    pub fn cells_named(&mut self, base: &hir::Expr) -> Option<GroupCells> {
        let Binding::Local(whole) = self.checker.lookup(base.var()?)? else { return None };
        if !self.checker.cx().group.contains_key(&whole) {
            return None;
        }
        let fields = self.checker.cx().fields.get(&whole)?.clone();
        let cell = self.checker.cx().cells.get(&whole)?.clone();
        Some(GroupCells { whole, fields, cell })
    }

    /// The leaf under definition that `s.0` or `s.x` names.
    pub fn field_named(&mut self, base: &hir::Expr) -> Option<LocalId> {
        let hir::ExprKind::Field { base, field } = &base.kind else { return None };
        let GroupCells { whole, fields, cell } = self.cells_named(base)?;
        let n = match field {
            hir::FieldName::Position { index, .. } => *index as usize,
            hir::FieldName::Named(name) => (0..cell.members()?.len())
                .find(|n| self.checker.at().member_name(&cell, *n) == name.as_str())?,
        };
        let members = cell.members()?;
        if members.get(n)?.members().is_some() {
            return None;
        }
        self.checker.cx().used[whole] = true;
        let before: usize = members[..n].iter().map(leaf_count).sum();
        fields.get(before).copied()
    }

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
    fn items_once(&mut self, items: &[hir::Item]) -> (Vec<hir::Item>, Vec<Stmt>) {
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

    fn cells_at(&mut self, base: Expr, items: &[hir::Item], span: Span) -> Expr {
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

    /// The tensor of one field of the cells.
    pub fn field_of_cells(&mut self, base: Expr, name: &hir::Label, span: Span) -> Expr {
        let Ty::Named(Nominal::Cells { cell, .. }, _) = &base.ty else { return error_expr(span) };
        let count = cell.members().map_or(0, <[Ty]>::len);
        if name.as_str() == "shape" {
            return self.checker.cx().targets().shape_of_cells(&base, span);
        }
        if matches!(name.as_str(), "len" | "length") {
            return self.checker.reads().length_of(&base, span);
        }
        let at = (0..count).find(|n| self.checker.at().member_name(cell, *n) == name.as_str());
        match at {
            Some(n) => self.checker.cx().targets().numbered_field_of_cells(base, n, span),
            None => {
                let found = self.checker.at().show_ty(&base.ty);
                let d = weft_diag::Diagnostic::error(
                    weft_diag::Code::E0311,
                    format!("{found} has no field `{}`", name.name),
                )
                .primary(name.span, "unknown field");
                self.checker.error(d)
            }
        }
    }
}

impl<'a> BodyCx<'a> {
    /// Definitions under way in a body: their members, the tensors of tuples, joined axes.
    pub fn targets(&mut self) -> Targets<'_, 'a> {
        Targets { cx: self }
    }
}

impl Targets<'_, '_> {
    /// Makes the tensors of a definition whose cells are found to be such tuples.
    pub fn split_target(&mut self, target: &mut Target, cell: Ty, clauses: &Clauses) {
        let name = &clauses[0].clause.name;
        if target.cell.as_ref() == Some(&cell) {
            return;
        }
        let mut paths = Vec::new();
        self.leaf_names(&cell, name.name.to_string(), &mut paths);
        let same = target.cell.is_some() && target.fields.len() == paths.len();
        if !same {
            let leaf = |p: &String| self.cx.local(&Name::new(p), name.span, Ty::Error, None);
            target.fields = paths.iter().map(leaf).collect();
        }
        self.cx.fields.insert_mut(target.whole, target.fields.clone());
        self.cx.cells.insert_mut(target.whole, cell.clone());
        target.cell = Some(cell);
    }

    fn leaf_names(&self, cell: &Ty, prefix: String, out: &mut Vec<String>) {
        let Some(members) = cell.members() else { return out.push(prefix) };
        for (n, m) in members.iter().enumerate() {
            let name = self.cx.member_name(cell, n);
            self.leaf_names(m, format!("{prefix}.{name}"), out);
        }
    }

    /// Makes what is assumed of a definition known to its clauses.
    pub fn open_target(&mut self, target: &Target, members: &[Member]) {
        for (id, member) in target.fields.iter().zip(members) {
            self.cx.group.insert(*id, member.clone());
        }
        if target.cell.is_some() {
            self.cx.group.insert(target.whole, Member::default());
        }
    }

    /// The clauses of each leaf, once it is known whether cells are tuples.
    pub fn split_fields(
        &mut self,
        target: &mut Target,
        clauses: &Clauses,
        drafts: Vec<Draft>,
    ) -> Vec<(LocalId, Vec<Draft>)> {
        target.slots = drafts.first().map_or(target.slots, |d| d.clause.slots.len());
        let tuples = drafts.iter().filter(|d| d.clause.body.ty.members().is_some());
        let cell = tuples.map(|d| skeleton(&d.clause.body.ty)).reduce(|a, b| merged(&a, &b));
        // `()` has no leaves: what it is as a cell is said where the clause is.
        let Some(cell) = cell.filter(|c| leaf_count(c) > 0) else {
            // Nothing is known of the leaves in this pass.
            let mut out = vec![(target.fields[0], drafts)];
            out.extend(target.fields[1..].iter().map(|id| (*id, Vec::new())));
            return out;
        };
        if crate::character::holds_characters(&cell) {
            self.cx.parts().characters_as_cells(&drafts);
            return target.fields.iter().map(|id| (*id, Vec::new())).collect();
        }
        let count = leaf_count(&cell);
        if count > MOST_LEAVES {
            self.too_many_leaves(&clauses[0].clause.name, count);
            return target.fields.iter().map(|id| (*id, Vec::new())).collect();
        }
        self.split_target(target, cell.clone(), clauses);
        self.clauses_agree(&drafts);
        let fields = target.fields.clone();
        let mut split: Vec<Vec<Draft>> = vec![Vec::new(); count];
        for mut draft in drafts {
            let bodies = self.leaves_of(draft.clause.body.clone(), &cell);
            let otherwise = draft.clause.otherwise.clone().map(|e| self.leaves_of(e, &cell));
            for (n, body) in bodies.into_iter().enumerate() {
                let mut leaf = draft.clone();
                // What is read is read once for all leaves.
                draft.frame.accesses.clear();
                leaf.clause.body = body;
                leaf.clause.otherwise = otherwise.as_ref().map(|o| o[n].clone());
                split[n].push(leaf);
            }
        }
        split.iter_mut().for_each(|list| fill_absent(list));
        fields.into_iter().zip(split).collect()
    }

    fn too_many_leaves(&mut self, name: &hir::Ident, count: usize) {
        let headline = format!("the cells of `{}` have {count} members", name.name);
        let d = Diagnostic::error(Code::E0309, headline)
            .primary(
                name.span,
                format!("more than {MOST_LEAVES} are not allowed: each is a tensor"),
            )
            .help("give what they have in common an axis: `let x[i, k] = …;`");
        self.cx.report(d);
    }

    fn clauses_agree(&mut self, drafts: &[Draft]) {
        let Some(first) = drafts.iter().find(|d| d.clause.body.ty.members().is_some()) else {
            return;
        };
        let first = first.clause.body.clone();
        for d in drafts {
            let body = &d.clause.body;
            let other = match (&first.ty, &body.ty) {
                (_, Ty::Array(..) | Ty::Str) => true,
                (Ty::Named(a, _), Ty::Named(b, _)) => a != b,
                (Ty::Tuple(a), Ty::Tuple(b)) => a.len() != b.len(),
                (a, b) => a.members().is_some() && b.members().is_some(),
            };
            if other {
                self.cx.conversions().mismatch(&first, body, "the clauses of a definition");
            }
        }
    }

    /// The leaves of a cell, in order.
    fn leaves_of(&mut self, e: Expr, cell: &Ty) -> Vec<Expr> {
        let Some(members) = cell.members() else { return vec![e] };
        let mut out = Vec::new();
        for (n, m) in members.iter().enumerate() {
            let field = match &e.ty {
                Ty::Absent => absent(e.span),
                _ => self.field_of(e.clone(), n),
            };
            out.extend(self.leaves_of(field, m));
        }
        out
    }

    /// Member `n` of a tuple, inside blocks too.
    fn field_of(&mut self, e: Expr, n: usize) -> Expr {
        let span = e.span;
        let Some(ty) = e.ty.members().and_then(|m| m.get(n)).cloned() else {
            return error_expr(span);
        };
        match e.kind {
            ExprKind::Block(mut block) => {
                block.tail = block.tail.map(|t| Box::new(self.field_of(*t, n)));
                value(ExprKind::Block(block), ty, span)
            }
            _ => self.cx.parts().member(e, n, span),
        }
    }

    /// The binding of a name whose cells are tuples, once its leaves are defined.
    pub fn bind_fields(&mut self, target: &Target) -> Option<Stmt> {
        let cell = target.cell.as_ref()?;
        let whole = &self.cx.body.locals[target.whole];
        let span = whole.span;
        let local = |id: &LocalId| {
            let ty = self.cx.body.locals[*id].ty.clone();
            value(ExprKind::Local(*id), ty, span)
        };
        let leaves: Vec<Expr> = target.fields.iter().map(local).collect();
        let failed = leaves.iter().any(|f| f.ty == Ty::Error);
        let tuple = cells(leaves, cell.clone(), target.slots, span);
        let ty = if failed { Ty::Error } else { tuple.ty.clone() };
        self.cx.body.locals[target.whole].ty = ty;
        (!failed).then_some(Stmt::Let(target.whole, tuple))
    }

    /// A leaf of a tensor of tuples.
    fn leaf_of_cells(&mut self, base: &Expr, n: usize, span: Span) -> Expr {
        if let ExprKind::Local(id) = base.kind
            && let Some(field) = self.cx.fields.get(&id).map(|f| f[n])
        {
            let ty = self.cx.body.locals[field].ty.clone();
            return value(ExprKind::Local(field), ty, span);
        }
        self.cx.parts().member(base.clone(), n, span)
    }

    fn shape_of_cells(&mut self, base: &Expr, span: Span) -> Expr {
        let Ty::Named(Nominal::Cells { slots, .. }, leaves) = &base.ty else {
            return error_expr(span);
        };
        let shape = leaves.first().and_then(Ty::shape).unwrap_or_default();
        let shared = Ty::Array(Elem::Unknown, shape[..(*slots).min(shape.len())].to_vec());
        let like = value(ExprKind::Error, shared, span);
        self.cx.parts().shape_of(&like, span)
    }

    /// The tensor (or tensor of tuples) of member `n` of the cells.
    pub fn numbered_field_of_cells(&mut self, base: Expr, n: usize, span: Span) -> Expr {
        let Ty::Named(Nominal::Cells { cell, slots }, _) = base.ty.clone() else {
            return error_expr(span);
        };
        let members = cell.members().unwrap_or_default();
        let Some(member) = members.get(n) else {
            let found = self.cx.show_ty(&base.ty);
            let d = weft_diag::Diagnostic::error(
                weft_diag::Code::E0311,
                format!("{found} has no field {n}"),
            )
            .primary(span, "unknown field");
            return self.cx.error(d);
        };
        let first: usize = members[..n].iter().map(leaf_count).sum();
        let leaves: Vec<Expr> = (first..first + leaf_count(member))
            .map(|k| self.leaf_of_cells(&base, k, span))
            .collect();
        match (member.members(), leaves.as_slice()) {
            (None, [leaf]) => leaf.clone(),
            _ => cells(leaves, member.clone(), slots, span),
        }
    }

    /// An array literal whose elements are tuples.
    pub fn array_of_tuples(&mut self, elements: Vec<Expr>, span: Span) -> Expr {
        let cell = elements.iter().map(|e| skeleton(&e.ty)).reduce(|a, b| merged(&a, &b));
        let Some(cell) = cell else { return error_expr(span) };
        for e in &elements[1..] {
            let same = match (&elements[0].ty, &e.ty) {
                (Ty::Named(a, _), Ty::Named(b, _)) => a == b,
                (Ty::Tuple(a), Ty::Tuple(b)) => a.len() == b.len(),
                _ => false,
            };
            if !same {
                self.cx.conversions().mismatch(&elements[0], e, "the elements of an array");
                return error_expr(span);
            }
        }
        let rows: Vec<Vec<Expr>> =
            elements.iter().map(|e| self.leaves_of(e.clone(), &cell)).collect();
        if (0..leaf_count(&cell)).any(|n| !is_column(rows.iter().map(|r| &r[n].ty))) {
            let whole = rows.iter().flatten().all(|leaf| leaf.ty != Ty::Absent);
            let all = if whole { elements } else { filled_rows(rows, &cell, span) };
            return self.cx.parts().list_of(all, span);
        }
        let mut leaves = Vec::new();
        for n in 0..leaf_count(&cell) {
            let mut column: Vec<Expr> = rows.iter().map(|r| r[n].clone()).collect();
            fill_absent_values(&mut column);
            leaves.push(self.cx.leaves().array_of(column, span));
        }
        if leaves.iter().any(|l| l.ty == Ty::Error) {
            return error_expr(span);
        }
        cells(leaves, cell, 1, span)
    }
}

impl BodyCx<'_> {
    /// How a member of a tuple is called.
    fn member_name(&self, ty: &Ty, n: usize) -> String {
        match ty {
            Ty::Named(Nominal::Struct(id), _) => {
                let fields = &self.types.def(*id).variants[0].fields;
                fields[n].as_ref().map_or(n.to_string(), |f| f.to_string())
            }
            _ => n.to_string(),
        }
    }
}

/// A tensor of tuples of its leaves.
pub(crate) fn cells(leaves: Vec<Expr>, cell: Ty, slots: usize, span: Span) -> Expr {
    let label = Nominal::Cells { cell: Rc::new(cell), slots };
    let ty = Ty::Named(label, leaves.iter().map(|l| l.ty.clone()).collect());
    value(ExprKind::Tuple(leaves), ty, span)
}

/// A cell of its leaves.
fn assembled(cell: &Ty, leaves: &mut dyn Iterator<Item = Expr>, span: Span) -> Expr {
    match cell.members() {
        None => {
            let leaf = leaves.next().unwrap_or_else(|| error_expr(span));
            if *cell == Ty::Absent { absent(span) } else { leaf }
        }
        Some(members) => {
            let members: Vec<Expr> = members.iter().map(|m| assembled(m, leaves, span)).collect();
            let ty = cell.with_members(members.iter().map(|m| m.ty.clone()).collect());
            value(ExprKind::Tuple(members), ty, span)
        }
    }
}

/// The tuples of a cell without what their leaves hold.
pub(crate) fn skeleton(ty: &Ty) -> Ty {
    match ty.members() {
        Some(members) => ty.with_members(members.iter().map(skeleton).collect()),
        None if *ty == Ty::Absent => Ty::Absent,
        None => Ty::scalar(Elem::Unknown),
    }
}

/// What two cells have in common: a field that one of them lacks is as in the other.
pub(crate) fn merged(a: &Ty, b: &Ty) -> Ty {
    match (a, b) {
        (Ty::Absent, other) | (other, Ty::Absent) => other.clone(),
        _ => match (a.members(), b.members()) {
            (Some(xs), Some(ys)) if xs.len() == ys.len() => {
                a.with_members(xs.iter().zip(ys).map(|(x, y)| merged(x, y)).collect())
            }
            _ => a.clone(),
        },
    }
}

/// Tuples of leaves that are no columns; what one lacks is as empty as what the others have.
fn filled_rows(mut rows: Vec<Vec<Expr>>, cell: &Ty, span: Span) -> Vec<Expr> {
    for n in 0..leaf_count(cell) {
        let there = |ty: &&Ty| **ty != Ty::Absent;
        let like = rows.iter().map(|r| &r[n].ty).find(there).map(crate::host::without_extents);
        for row in &mut rows {
            if row[n].ty == Ty::Absent
                && let Some(ty @ Ty::Array(_, shape)) = &like
                && !shape.is_empty()
            {
                row[n] = value(ExprKind::Array(Vec::new()), ty.clone(), row[n].span);
            }
        }
    }
    rows.into_iter().map(|row| assembled(cell, &mut row.into_iter(), span)).collect()
}

/// Whether the values of one leaf make up a tensor: numbers, or tensors of one shape. What is
/// not there is as a number is.
fn is_column<'t>(types: impl Iterator<Item = &'t Ty> + Clone) -> bool {
    let shape = |ty: &'t Ty| match ty {
        Ty::Absent => Some(&[][..]),
        ty => ty.shape(),
    };
    let known = types.clone().all(|ty| *ty == Ty::Error || shape(ty).is_some());
    let mut shapes = types.filter_map(shape);
    let first = shapes.next();
    known && shapes.all(|s| Some(s) == first)
}

/// How many tensors a cell takes.
fn leaf_count(cell: &Ty) -> usize {
    cell.members().map_or(1, |ms| ms.iter().map(leaf_count).sum())
}

/// Where a clause lacks a field that others have, it is zero: nobody reads it.
fn fill_absent(drafts: &mut [Draft]) {
    let mut bodies: Vec<Expr> = drafts.iter().map(|d| d.clause.body.clone()).collect();
    fill_absent_values(&mut bodies);
    for (d, body) in drafts.iter_mut().zip(bodies) {
        d.clause.body = body;
        if let Some(e) = &mut d.clause.otherwise
            && e.ty == Ty::Absent
        {
            *e = zero_like(Some(&d.clause.body.ty), e.span);
        }
    }
}

fn fill_absent_values(values: &mut [Expr]) {
    let like = values.iter().map(|v| &v.ty).find(|t| **t != Ty::Absent).cloned();
    for v in values {
        if v.ty == Ty::Absent {
            *v = zero_like(like.as_ref(), v.span);
        }
    }
}

fn zero_like(ty: Option<&Ty>, span: Span) -> Expr {
    if let Some(Ty::Array(elem, shape)) = ty
        && !shape.is_empty()
    {
        // The same number in every element.
        let kind = ExprKind::Const(Scalar::zero(elem.computed_in()));
        return value(kind, Ty::Array(*elem, shape.clone()), span);
    }
    match ty.and_then(Ty::elem) {
        Some(Elem::Fixed(t)) if t != ScalarType::Bool => {
            value(ExprKind::Const(Scalar::zero(t)), Ty::scalar(Elem::Fixed(t)), span)
        }
        Some(Elem::OpenInt) => crate::expr::integer(weft_domain::Affine::fixed(0), span),
        Some(open) if open.is_open() => {
            value(ExprKind::Const(Scalar::F64(0.0)), Ty::scalar(open), span)
        }
        _ => crate::expr::truth(false, span),
    }
}

/// Whether an expression reads cells.
fn holds_reads(e: &hir::Expr) -> bool {
    let mut found = matches!(e.kind, hir::ExprKind::Index { .. });
    weft_hir::visit::children(e, &mut |c| found = found || holds_reads(c));
    found
}
