//! Definitions whose cells are tuples: one tensor per leaf, over the same slots.
//!
//! Each leaf is a definition of its own, with its own rank and, in a recurrence, its own
//! window. The name stands for all of them ([`Nominal::Cells`]), and a cell `s[t]` for the
//! tuple of theirs.

use crate::thir::{Elem, Expr, ExprKind, LocalId, Nominal, Stmt, Ty};
use crate::typed::body_cx::BodyCx;
use crate::typed::forms::{alike, merged};
use crate::typed::handles::Targets;
use crate::typed::indexed::Found;
use crate::typed::indexed::{Clauses, Draft, Member};
use crate::typed::values::{absent, error_expr, value};
use std::rc::Rc;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_scalar::{Scalar, ScalarType};

/// Leaves that the cells of one definition may have: each is a tensor, with clauses of its own.
pub(crate) const MOST_LEAVES: usize = 1024;

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

impl Target {
    pub fn new(whole: LocalId) -> Target {
        Target { whole, fields: vec![whole], cell: None, slots: 0 }
    }

    /// What was found of it: its tensors come next among `members`.
    pub fn found(&self, members: impl Iterator<Item = Member>) -> Found {
        Found { members: members.take(self.fields.len()).collect(), cell: self.cell.clone() }
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
        if crate::typed::character::holds_characters(&cell) {
            self.cx.parts().characters_as_cells(&drafts);
            return target.fields.iter().map(|id| (*id, Vec::new())).collect();
        }
        let count = leaf_count(&cell);
        if count > MOST_LEAVES {
            let name = &clauses[0].clause.name;
            let d = too_many_leaves(&format!("`{}`", name.name), count, name.span);
            self.cx.report(d);
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

    fn clauses_agree(&mut self, drafts: &[Draft]) {
        let Some(first) = drafts.iter().find(|d| d.clause.body.ty.members().is_some()) else {
            return;
        };
        let first = first.clause.body.clone();
        for d in drafts {
            let body = &d.clause.body;
            let other = match (&first.ty, &body.ty) {
                (_, Ty::Array(..) | Ty::Str) => true,
                (a, b) => b.members().is_some() && !alike(&skeleton(a), &skeleton(b)),
            };
            if other {
                self.cx.conversions().mismatch(&first, body, "the clauses of a definition");
            }
        }
    }

    /// The leaves of a cell, in order.
    pub fn leaves_of(&mut self, e: Expr, cell: &Ty) -> Vec<Expr> {
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
    pub fn leaf_of_cells(&mut self, base: &Expr, n: usize, span: Span) -> Expr {
        if let ExprKind::Local(id) = base.kind
            && let Some(field) = self.cx.fields.get(&id).map(|f| f[n])
        {
            let ty = self.cx.body.locals[field].ty.clone();
            return value(ExprKind::Local(field), ty, span);
        }
        self.cx.parts().member(base.clone(), n, span)
    }

    pub fn shape_of_cells(&mut self, base: &Expr, span: Span) -> Expr {
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
            if !alike(&skeleton(&elements[0].ty), &skeleton(&e.ty)) {
                self.cx.conversions().mismatch(&elements[0], e, "the elements of an array");
                return error_expr(span);
            }
        }
        if leaf_count(&cell) > MOST_LEAVES {
            let d = too_many_leaves("this array", leaf_count(&cell), span);
            return self.cx.error(d);
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
    pub fn member_name(&self, ty: &Ty, n: usize) -> String {
        match ty {
            Ty::Named(Nominal::Struct(id), _) => {
                let fields = &self.types.def(*id).variants[0].fields;
                fields[n].as_ref().map_or(n.to_string(), |f| f.to_string())
            }
            _ => n.to_string(),
        }
    }
}

fn too_many_leaves(whose: &str, count: usize, span: Span) -> Diagnostic {
    Diagnostic::error(Code::E0309, format!("the cells of {whose} have {count} members"))
        .primary(span, format!("more than {MOST_LEAVES} are not allowed: each is a tensor"))
        .help("give what they have in common an axis: `let x[i, k] = …;`")
}

/// A tensor of tuples of its leaves.
pub(crate) fn cells(leaves: Vec<Expr>, cell: Ty, slots: usize, span: Span) -> Expr {
    let label = Nominal::Cells { cell: Rc::new(cell), slots };
    let ty = Ty::Named(label, leaves.iter().map(|l| l.ty.clone()).collect());
    value(ExprKind::Tuple(leaves), ty, span)
}

/// A cell of its leaves.
pub(crate) fn assembled(cell: &Ty, leaves: &mut dyn Iterator<Item = Expr>, span: Span) -> Expr {
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

/// Tuples of leaves that are no columns; what one lacks is as empty as what the others have.
fn filled_rows(mut rows: Vec<Vec<Expr>>, cell: &Ty, span: Span) -> Vec<Expr> {
    for n in 0..leaf_count(cell) {
        let there = |ty: &&Ty| **ty != Ty::Absent;
        let like =
            rows.iter().map(|r| &r[n].ty).find(there).map(crate::typed::forms::without_extents);
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
pub(crate) fn leaf_count(cell: &Ty) -> usize {
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
        Some(Elem::OpenInt) => crate::typed::values::integer(weft_domain::Affine::fixed(0), span),
        Some(open) if open.is_open() => {
            value(ExprKind::Const(Scalar::F64(0.0)), Ty::scalar(open), span)
        }
        _ => crate::typed::values::truth(false, span),
    }
}
