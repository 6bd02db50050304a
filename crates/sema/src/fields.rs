//! Definitions whose cells are tuples: one tensor per field, over the same slots.
//!
//! Each field is a definition of its own, with its own rank and, in a recurrence, its own
//! window. The name stands for the tuple of them, and a cell `s[t]` for the tuple of theirs.

use crate::checker::{Checker, error_expr};
use crate::expr::value;
use crate::hir::{Expr, ExprKind, LocalId, Stmt, Ty};
use crate::indexed::{Clauses, Draft, Member};
use crate::scope::Binding;
use weft_base::Span;
use weft_syntax::ast;

/// What a definition defines.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// What the name stands for.
    pub whole: LocalId,
    /// The tensors: the whole itself, or one per field.
    pub fields: Vec<LocalId>,
}

impl Target {
    pub fn new(whole: LocalId) -> Target {
        Target { whole, fields: vec![whole] }
    }

    fn is_split(&self) -> bool {
        self.fields != [self.whole]
    }
}

impl Checker<'_> {
    /// Makes the tensors of a definition whose cells have `count` fields.
    pub fn split_target(&mut self, target: &mut Target, count: usize, clauses: &Clauses) {
        if count == target.fields.len() {
            return;
        }
        let name = &clauses[0].0.name;
        let field = |n: usize| ast::Ident {
            name: format!("{}.{n}", name.name).as_str().into(),
            span: name.span,
        };
        target.fields = (0..count).map(|n| self.local(&field(n), Ty::Error, None)).collect();
        self.cx().fields.insert(target.whole, target.fields.clone());
    }

    /// Makes what is assumed of a definition known to its clauses.
    pub fn open_target(&mut self, target: &Target, members: &[Member]) {
        for (id, member) in target.fields.iter().zip(members) {
            self.cx().group.insert(*id, member.clone());
        }
        if target.is_split() {
            self.cx().group.insert(target.whole, Member::default());
        }
    }

    /// The clauses of each field, once it is known whether cells are tuples.
    pub fn split_fields(
        &mut self,
        target: &mut Target,
        clauses: &Clauses,
        drafts: Vec<Draft>,
    ) -> Vec<(LocalId, Vec<Draft>)> {
        let arity = drafts.iter().find_map(|d| match &d.clause.body.ty {
            Ty::Tuple(members) if members.len() > 1 => Some(members.len()),
            _ => None,
        });
        let Some(arity) = arity else {
            // Nothing is known of the fields in this round.
            let mut out = vec![(target.fields[0], drafts)];
            out.extend(target.fields[1..].iter().map(|id| (*id, Vec::new())));
            return out;
        };
        self.split_target(target, arity, clauses);
        let first = drafts.iter().find(|d| matches!(d.clause.body.ty, Ty::Tuple(_)));
        let first = first.map(|d| d.clause.body.clone());
        for d in &drafts {
            if let (Ty::Array(..) | Ty::Str, Some(first)) = (&d.clause.body.ty, &first) {
                self.mismatch(first, &d.clause.body, "the clauses of a definition");
            }
        }
        let fields = target.fields.clone();
        fields.iter().enumerate().map(|(n, id)| (*id, self.field_drafts(&drafts, n))).collect()
    }

    fn field_drafts(&mut self, drafts: &[Draft], n: usize) -> Vec<Draft> {
        let mut out = Vec::new();
        for draft in drafts {
            let mut draft = draft.clone();
            draft.clause.body = self.field_of(draft.clause.body, n);
            draft.clause.otherwise = draft.clause.otherwise.take().map(|e| self.field_of(e, n));
            out.push(draft);
        }
        out
    }

    /// Field `n` of a tuple, inside blocks too.
    fn field_of(&mut self, e: Expr, n: usize) -> Expr {
        let span = e.span;
        let Ty::Tuple(members) = &e.ty else { return error_expr(span) };
        let Some(ty) = members.get(n).cloned() else { return error_expr(span) };
        match e.kind {
            ExprKind::Block(mut block) => {
                block.tail = block.tail.map(|t| Box::new(self.field_of(*t, n)));
                value(ExprKind::Block(block), ty, span)
            }
            _ => self.member(e, n, span),
        }
    }

    /// The binding of a name whose cells are tuples, once its fields are defined.
    pub fn bind_fields(&mut self, target: &Target) -> Option<Stmt> {
        if !target.is_split() {
            return None;
        }
        let whole = &self.body().locals[target.whole];
        let span = whole.span;
        let local = |id: &LocalId| {
            let ty = self.body().locals[*id].ty.clone();
            value(ExprKind::Local(*id), ty, span)
        };
        let fields: Vec<Expr> = target.fields.iter().map(local).collect();
        let failed = fields.iter().any(|f| f.ty == Ty::Error);
        let ty = Ty::Tuple(fields.iter().map(|f| f.ty.clone()).collect());
        let ty = if failed { Ty::Error } else { ty };
        self.cx().hir.locals[target.whole].ty = ty.clone();
        self.cx().members.insert(target.whole, fields.clone());
        let tuple = value(ExprKind::Tuple(fields), ty, span);
        (!failed).then_some(Stmt::Let(target.whole, tuple))
    }

    /// The tensors of the definition that an expression names, if its cells are tuples.
    pub fn fields_named(&mut self, base: &ast::Expr) -> Option<(LocalId, Vec<LocalId>)> {
        let ast::ExprKind::Path(p) = &base.kind else { return None };
        match self.lookup(p.as_name()?.as_str())? {
            Binding::Local(id) => Some((id, self.cx().fields.get(&id)?.clone())),
            _ => None,
        }
    }

    /// The tensor that `s.0` names, where the cells of `s` are tuples.
    pub fn field_named(&mut self, base: &ast::Expr) -> Option<LocalId> {
        let ast::ExprKind::Field { base, field } = &base.kind else { return None };
        let ast::FieldName::Position { index, .. } = field else { return None };
        let (whole, fields) = self.fields_named(base)?;
        self.cx().used[whole.as_u32() as usize] = true;
        fields.get(*index as usize).copied()
    }

    /// A cell of tuples: the tuple of the fields' cells.
    pub fn read_fields(
        &mut self,
        whole: LocalId,
        fields: &[LocalId],
        items: &[ast::Item],
        span: Span,
    ) -> Expr {
        let under_way = self.cx().group.contains_key(&whole);
        self.cx().used[whole.as_u32() as usize] |= !under_way;
        let members: Vec<Expr> =
            fields.iter().map(|id| self.read_local(*id, items, span)).collect();
        if members.iter().any(|m| m.ty == Ty::Error) && !under_way {
            return error_expr(span);
        }
        let ty = Ty::Tuple(members.iter().map(|m| m.ty.clone()).collect());
        value(ExprKind::Tuple(members), ty, span)
    }

    fn read_local(&mut self, id: LocalId, items: &[ast::Item], span: Span) -> Expr {
        if self.cx().group.contains_key(&id) {
            return self.read_group(id, span, items, span);
        }
        let base = value(ExprKind::Local(id), self.body().locals[id].ty.clone(), span);
        self.read_value(base, items, span)
    }
}
