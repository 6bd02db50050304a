//! Comprehensions, membership, and lists that grow.
//!
//! A comprehension whose generators know their lengths is a definition by a clause, so it
//! stands in cell code as well. One with guards, or whose later generators depend on
//! earlier ones, is a list of the host: each generator applies a function to the elements.

use crate::checker::{Checker, Hidden};
use crate::handles::Sequences;
use crate::scope::Binding;
use crate::thir::{Block, Elem, Expr, ExprKind, HostOp, Nominal, Stmt, Ty};
use crate::typed::choice::Choice;
use crate::typed::forms::{alike, without_extents};
use crate::typed::handles::Conversions;
use crate::typed::values::{constant_text, error_expr, truth, value};
use weft_base::entity::EntityRef;
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_hir::visit::uses_in;
use weft_hir::{self as hir, VarId};
use weft_scalar::BinaryOp;
use weft_shape::{Size, Verdict};

/// Comprehensions within each other: each is tried as a definition first, and what is inside
/// with it.
const DEEPEST_COMPREHENSION: u32 = 8;

/// A generator whose length is known: its variable, and its set under a hidden name.
struct Generator {
    name: hir::Ident,
    set: hir::Ident,
    is_range: bool,
}

impl Sequences<'_, '_> {
    /// `[body | items]`.
    pub fn comprehension(&mut self, c: &hir::Comprehension, span: Span) -> Expr {
        if self.checker.comprehensions >= DEEPEST_COMPREHENSION {
            let d = Diagnostic::error(
                Code::E0003,
                format!("a comprehension within {DEEPEST_COMPREHENSION} others"),
            );
            let d = d.primary(span, "nested too deep");
            return self.checker.error(d.help("give the inner ones names: `let rows = [… | …];`"));
        }
        self.checker.comprehensions += 1;
        let e = self.comprehension_of(c, span);
        self.checker.comprehensions -= 1;
        e
    }

    fn comprehension_of(&mut self, c: &hir::Comprehension, span: Span) -> Expr {
        if let Some(block) = self.as_definition(&c.body, &c.items, c.inner, span) {
            return block;
        }
        if !self.checker.cx().is_host() {
            self.checker.cx().ranges().poison();
            let first = c.items.iter().find_map(|i| match &i.kind {
                hir::GenItemKind::In { set, .. } | hir::GenItemKind::Test { set, .. } => Some(set),
                _ => None,
            });
            // What is wrong with what it goes over is the mistake.
            if first.is_some_and(|set| self.checker.expr(set).ty == Ty::Error) {
                return error_expr(span);
            }
            let d =
                Diagnostic::error(Code::E1107, "a comprehension of unknown length inside a clause")
                    .primary(span, "how many elements it has depends on values")
                    .help("define it before the clause, or use a reduction with a guard");
            return self.checker.error(d);
        }
        let (count, row) = self.known_extents(c);
        let is_row = row.is_some();
        let list =
            self.checker.isolated(|this| this.sequences().listed(&c.body, &c.items, is_row, span));
        self.checker.cx().turns().settled(list, count, row, span)
    }

    fn length_of_set(&mut self, set: Expr) -> Option<Size> {
        match &set.ty {
            Ty::Array(_, shape) => shape.first().cloned(),
            Ty::Named(Nominal::Range, _) => {
                let span = set.span;
                let mut end = |n| self.checker.cx().parts().member(set.clone(), n, span).term;
                let (lo, hi) = (end(0)?, end(1)?);
                let count = hi.as_size()?.minus(lo.as_size()?);
                let facts = &self.checker.at().body.facts;
                (facts.non_negative(&count) == Verdict::Yes).then_some(count)
            }
            _ => None,
        }
    }

    /// How many elements it has, where one generator of known length gives them and nothing leaves
    /// one out; and the extents of every element, where these are tensors whose shape depends on
    /// nothing that is generated.
    fn known_extents(&mut self, c: &hir::Comprehension) -> (Option<Size>, Option<Vec<Size>>) {
        let mark = self.checker.mark();
        let before = self.checker.body().params.len();
        let mut lengths = Vec::new();
        let row = self.row_in_scope(c, &mut lengths);
        self.checker.rewind(&mark);
        let outside = |s: &Size| s.params().iter().all(|p| p.index() < before);
        let count = match lengths.as_mut_slice() {
            [length] if is_plain(&c.items) => length.take(),
            _ => None,
        };
        let row = row.filter(|row| !row.is_empty() && row.iter().all(outside));
        (count.filter(outside), row)
    }

    /// The extents of an element, if it is a tensor; `lengths` gets those of what generators go
    /// over.
    fn row_in_scope(
        &mut self,
        c: &hir::Comprehension,
        lengths: &mut Vec<Option<Size>>,
    ) -> Option<Vec<Size>> {
        self.checker.cx().push_scope();
        for item in &c.items {
            match &item.kind {
                hir::GenItemKind::In { name, set } => {
                    let set = self.checker.expr(set);
                    let element = generated_from(&set.ty);
                    lengths.push(self.length_of_set(set));
                    let element = element?;
                    let cx = self.checker.cx();
                    let id = cx.local(&name.name, name.span, element, None);
                    cx.bind(name.var, Binding::Local(id));
                }
                hir::GenItemKind::Bind { name, value } => {
                    self.checker.bind_value(name, value);
                }
                hir::GenItemKind::Guard(_) | hir::GenItemKind::Test { .. } => {}
            }
        }
        let element = self.checker.expr(&c.body);
        self.checker.cx().pop_scope();
        match element.ty {
            Ty::Array(_, shape) => Some(shape),
            _ => None,
        }
    }

    /// The comprehension as a definition by a clause, where it can be one. What a generator
    /// around puts behind each other is no tensor of tuples, but a list.
    fn as_definition(
        &mut self,
        body: &hir::Expr,
        items: &[hir::GenItem],
        inner: bool,
        span: Span,
    ) -> Option<Expr> {
        if !is_plain(items) {
            return None;
        }
        let mark = self.checker.mark();
        let found = self.defined(body, items, span);
        let fits = |e: &Expr| match e.ty {
            Ty::Named(Nominal::Cells { .. }, _) => !inner,
            _ => matches!(e.ty, Ty::Array(..)),
        };
        let found =
            found.filter(|e| fits(e) && !self.checker.at().has_errors_since(mark.reported()));
        if found.is_none() {
            self.checker.rewind(&mark);
        }
        found
    }

    fn defined(&mut self, body: &hir::Expr, items: &[hir::GenItem], span: Span) -> Option<Expr> {
        self.checker.cx().push_scope();
        let outer =
            self.checker.cx().is_host().then(|| std::mem::take(&mut self.checker.cx().pending));
        let mut stmts = Vec::new();
        let found = self.defined_in_scope(body, items, span, &mut stmts);
        if let Some(outer) = outer {
            self.checker.cx().pending = outer;
        }
        self.checker.cx().pop_scope();
        let tail = found?;
        let (ty, term) = (tail.ty.clone(), tail.term.clone());
        let block = Block { stmts, tail: Some(Box::new(tail)) };
        Some(Expr { kind: ExprKind::Block(block), ty, span, term })
    }

    fn defined_in_scope(
        &mut self,
        body: &hir::Expr,
        items: &[hir::GenItem],
        span: Span,
        stmts: &mut Vec<Stmt>,
    ) -> Option<Expr> {
        let mut generators = Vec::new();
        for item in items {
            if let hir::GenItemKind::In { name, set } = &item.kind {
                let e = self.checker.expr(set);
                let is_range = match &e.ty {
                    Ty::Named(Nominal::Range, _) => true,
                    Ty::Array(_, shape) if !shape.is_empty() => false,
                    Ty::Named(Nominal::Cells { .. }, _) => false,
                    _ => return None,
                };
                let hidden = self.checker.hidden(&format!("set{}", generators.len()), e);
                self.needed_first(stmts);
                stmts.push(hidden.stmt);
                let set = hidden.ident;
                generators.push(Generator { name: name.clone(), set, is_range });
            }
        }
        let index = self.checker.fresh("element.", span);
        let result = self.checker.fresh("elements.", span);
        let mut wheres = generator_values(&generators, &index, span);
        for item in items {
            if let hir::GenItemKind::Bind { name, value } = &item.kind {
                let kind = hir::WhereItemKind::Bind { name: name.clone(), value: value.clone() };
                wheres.push(hir::WhereItem { span: item.span, kind });
            }
        }
        let count = product(generators.iter().map(|g| length(&g.set, span)), span);
        let range = hir::Expr::range(hir::Expr::integer(0, span), count, span);
        let slot = hir::SlotKind::index(index, Some(range));
        let clause = hir::Clause::of_one_slot(result.clone(), slot, body.clone(), wheres, span);
        self.checker.definitions().lone_definition(clause, stmts);
        self.needed_first(stmts);
        let tail = self.checker.expr(&hir::Expr::of_var(&result, span));
        (tail.ty != Ty::Error).then_some(tail)
    }

    /// What the value needs before it. In a clause that stands before the clause.
    fn needed_first(&mut self, stmts: &mut Vec<Stmt>) {
        if self.checker.cx().is_host() {
            stmts.append(&mut self.checker.cx().pending);
        }
    }

    /// The comprehension as a list of the host, of rows of one shape or of anything.
    fn listed(
        &mut self,
        body: &hir::Expr,
        items: &[hir::GenItem],
        is_row: bool,
        span: Span,
    ) -> Expr {
        let Some((item, rest)) = items.split_first() else {
            let e = self.checker.expr(body);
            if e.ty == Ty::Error {
                return error_expr(span);
            }
            return match e.ty.rank() {
                // What becomes a tensor in the end stays open until then.
                Some(rank) if rank == 0 || is_row => {
                    let ty = Ty::List(Box::new(without_extents(&e.ty)));
                    value(ExprKind::Host(HostOp::List, vec![e]), ty, span)
                }
                _ => self.checker.cx().parts().list_of(vec![e], span),
            };
        };
        match &item.kind {
            hir::GenItemKind::Bind { name, value: v } => {
                self.checker.cx().push_scope();
                let (id, e) = self.checker.bind_value(name, v);
                let list =
                    self.checker.isolated(|c| c.sequences().listed(body, rest, is_row, span));
                self.checker.cx().pop_scope();
                let ty = list.ty.clone();
                let block = Block { stmts: vec![Stmt::Let(id, e)], tail: Some(Box::new(list)) };
                value(ExprKind::Block(block), ty, span)
            }
            hir::GenItemKind::Guard(g) => {
                let cond = self.checker.condition_expr(g);
                self.kept(cond, (body, rest, is_row), span)
            }
            hir::GenItemKind::Test { item, set } => {
                let cond = self.checker.applied().membership(item, set, span);
                self.kept(cond, (body, rest, is_row), span)
            }
            hir::GenItemKind::In { name, set } => self.generated(name, set, body, rest, span),
        }
    }

    fn kept(
        &mut self,
        cond: Expr,
        (body, rest, is_row): (&hir::Expr, &[hir::GenItem], bool),
        span: Span,
    ) -> Expr {
        let list = self
            .checker
            .under(&cond, true, |c| c.isolated(|c| c.sequences().listed(body, rest, is_row, span)));
        let none =
            value(ExprKind::Host(HostOp::List, vec![]), Ty::List(Box::new(Ty::Absent)), span);
        self.checker.choices().choose(Choice::If, cond, list, none, span)
    }

    #[allow(clippy::too_many_arguments, reason = "a generator, and what it generates")]
    fn generated(
        &mut self,
        name: &hir::Ident,
        set: &hir::Expr,
        body: &hir::Expr,
        rest: &[hir::GenItem],
        span: Span,
    ) -> Expr {
        let set_value = self.checker.expr(set);
        if set_value.ty == Ty::Error {
            return error_expr(span);
        }
        if let Ty::Named(Nominal::Cells { .. }, _) = set_value.ty {
            return self.generated_of_cells(name, set_value, body, rest);
        }
        let (list, element) = match (generated_from(&set_value.ty), &set_value.ty) {
            (Some(int), Ty::Named(Nominal::Range, _)) => {
                let ends = (0..2)
                    .map(|n| self.checker.cx().parts().member(set_value.clone(), n, span))
                    .collect();
                let list = Ty::List(Box::new(int.clone()));
                (value(ExprKind::Host(HostOp::Count, ends), list, set.span), int)
            }
            (Some(element), _) => (set_value, element),
            (None, other) => {
                let found = self.checker.at().show_ty(other);
                let d = Diagnostic::error(
                    Code::E0308,
                    format!("`in` takes a range, an array or a string, found {found}"),
                )
                .primary(set.span, format!("this is {found}"));
                return self.checker.error(d);
            }
        };
        let inner = hir::ExprKind::Comprehension(hir::Comprehension {
            body: Box::new(body.clone()),
            items: rest.to_vec(),
            inner: true,
        });
        let at = rest.first().map_or(body.span, |r| r.span);
        let inner = hir::Expr { span: at, kind: inner };
        let param = hir::Param { span: name.span, name: name.clone(), ty: None, default: None };
        let lambda = hir::Lambda { params: vec![param], body: Box::new(inner) };
        let of_generator = self.checker.fresh("generated", at);
        let f = self.checker.calls().named_lambda(of_generator, &lambda, at);
        let Some((lists, of)) = self.mapped(f, list, element, span) else {
            return error_expr(span);
        };
        let of = match of {
            Ty::Array(elem, shape) if !shape.is_empty() => Ty::Array(elem, shape[1..].to_vec()),
            Ty::List(of) => *of,
            _ => return error_expr(span),
        };
        let ty = Ty::List(Box::new(without_extents(&of)));
        value(ExprKind::Host(HostOp::Flatten, vec![lists]), ty, span)
    }

    /// The cells of a tensor of tuples, one after the other: by their indices.
    fn generated_of_cells(
        &mut self,
        name: &hir::Ident,
        set: Expr,
        body: &hir::Expr,
        rest: &[hir::GenItem],
    ) -> Expr {
        let span = set.span;
        self.checker.cx().push_scope();
        let Hidden { ident: set, stmt, .. } = self.checker.hidden("cells", set);
        let index = self.checker.fresh("cell.", name.span);
        let range = hir::Expr::range(hir::Expr::integer(0, span), length(&set, span), span);
        let at = cell(&set, hir::Expr::of_var(&index, span), span);
        let kind = hir::GenItemKind::Bind { name: name.clone(), value: at };
        let items: Vec<hir::GenItem> =
            [hir::GenItem { span, kind }].into_iter().chain(rest.iter().cloned()).collect();
        let list =
            self.checker.isolated(|c| c.sequences().generated(&index, &range, body, &items, span));
        self.checker.cx().pop_scope();
        let ty = list.ty.clone();
        let block = Block { stmts: vec![stmt], tail: Some(Box::new(list)) };
        value(ExprKind::Block(block), ty, span)
    }

    /// A function of every element of a list: the list of what it gives, and its type.
    fn mapped(&mut self, f: Expr, list: Expr, element: Ty, span: Span) -> Option<(Expr, Ty)> {
        let placeholder = value(ExprKind::Error, element, span);
        let pending = std::mem::take(&mut self.checker.cx().pending);
        let applied = self.checker.calls().apply_function(&f, vec![placeholder], span);
        // The call itself stands nowhere: only the instance and what it captures count.
        let made = std::mem::replace(&mut self.checker.cx().pending, pending);
        let bound = made.into_iter().rev().filter_map(|s| match s {
            Stmt::Let(_, e) => Some(e),
            _ => None,
        });
        let call = [applied].into_iter().chain(bound).find_map(|e| match e.kind {
            ExprKind::Call(call) => Some(call),
            _ => None,
        })?;
        let result = self.checker.program.bodies[call.body].result.clone();
        let operands = [list].into_iter().chain(call.args.into_iter().skip(1)).collect();
        let ty = Ty::List(Box::new(without_extents(&result)));
        Some((value(ExprKind::Host(HostOp::Map(call.body), operands), ty, span), result))
    }

    /// `e in set` where the set is not written as a range.
    pub fn is_member(&mut self, item: Expr, set: Expr, span: Span) -> Expr {
        if item.ty == Ty::Error || set.ty == Ty::Error {
            return error_expr(span);
        }
        match &set.ty {
            Ty::Named(Nominal::Range, _) => {
                let (lo, hi) = (
                    self.checker.cx().parts().member(set.clone(), 0, span),
                    self.checker.cx().parts().member(set.clone(), 1, span),
                );
                let above = self.checker.cx().operators().apply_binary(
                    BinaryOp::Le,
                    lo,
                    item.clone(),
                    span,
                );
                let below =
                    self.checker.cx().operators().apply_binary(BinaryOp::Lt, item, hi, span);
                crate::pattern::both(above, below, span)
            }
            Ty::Str if crate::typed::forms::is_character(&item.ty) => {
                match self.checker.cx().terms().known_text(&set) {
                    Some(text) => self.checker.cx().operators().character_in(&item, &text, span),
                    None => {
                        let d = Diagnostic::error(
                            Code::E0308,
                            "a character in a string that is computed",
                        )
                        .primary(set.span, "its text is not known here")
                        .help("look at each: `any[k](s[k] == c)`");
                        self.checker.error(d)
                    }
                }
            }
            Ty::Str if item.ty == Ty::Str => {
                if let (Some(x), Some(y)) = (constant_text(&set), constant_text(&item)) {
                    return truth(x.contains(&y), span);
                }
                value(ExprKind::Host(HostOp::Contains, vec![set, item]), Ty::bool(), span)
            }
            Ty::List(of) if **of == Ty::Str && item.ty == Ty::Str => {
                value(ExprKind::Host(HostOp::Contains, vec![set, item]), Ty::bool(), span)
            }
            Ty::Array(_, shape) if shape.len() == 1 => self.is_member_of_array(item, set, span),
            _ => {
                let (a, b) =
                    (self.checker.at().show_ty(&item.ty), self.checker.at().show_ty(&set.ty));
                let d = Diagnostic::error(Code::E0308, format!("{a} cannot be in {b}"))
                    .primary(set.span, format!("this is {b}"))
                    .note("`in` tests membership of a range, an array or a string");
                self.checker.error(d)
            }
        }
    }

    /// `any[k](set[k] == item)`.
    fn is_member_of_array(&mut self, item: Expr, set: Expr, span: Span) -> Expr {
        self.checker.cx().push_scope();
        let Hidden { ident: item, stmt: first, .. } = self.checker.hidden("item", item);
        let Hidden { ident: set, stmt: second, .. } = self.checker.hidden("set", set);
        let k = self.checker.fresh("k.", span);
        let body = hir::Expr::binary(
            hir::BinaryOp::Eq,
            cell(&set, hir::Expr::of_var(&k, span), span),
            hir::Expr::of_var(&item, span),
            span,
        );
        let head = hir::Head { span, kind: hir::HeadKind::Index { name: k, range: None } };
        let reduction = hir::Reduction {
            op: hir::Accumulator::Any,
            name: hir::Label { name: Name::new("any"), span },
            heads: vec![head],
            body: Box::new(body),
            where_items: Vec::new(),
        };
        let tail = self.checker.reads().reduction(&reduction, span);
        self.checker.cx().pop_scope();
        if tail.ty == Ty::Error {
            return error_expr(span);
        }
        let block = Block { stmts: vec![first, second], tail: Some(Box::new(tail)) };
        value(ExprKind::Block(block), Ty::bool(), span)
    }

    /// `array_append(x, v)`.
    pub fn appended(&mut self, x: Expr, v: Expr, span: Span) -> Expr {
        if x.ty == Ty::Error || v.ty == Ty::Error {
            return error_expr(span);
        }
        if crate::typed::forms::is_absent(&x.ty) {
            return self.checker.cx().leaves().array_of_checked(vec![v], span);
        }
        if let Ty::List(of) = &x.ty {
            let (ty, v) = (x.ty.clone(), self.checker.cx().conversions().close(v));
            if !alike(of, &v.ty) {
                return self.checker.cx().not_an_element(&v, &x);
            }
            return value(ExprKind::Host(HostOp::Append, vec![x, v]), ty, span);
        }
        let cells = matches!(x.ty, Ty::Named(Nominal::Cells { .. }, _));
        if !cells && x.ty.rank().is_none_or(|r| r == 0) {
            let found = self.checker.at().show_ty(&x.ty);
            let d = Diagnostic::error(
                Code::E0308,
                format!("`array_append` takes an array, found {found}"),
            )
            .primary(x.span, format!("this is {found}"));
            return self.checker.error(d);
        }
        let meets = |elem| v.ty.elem().and_then(|e| Conversions::meet(elem, e)).is_some();
        if x.ty.elem().is_some_and(|elem| !meets(elem)) {
            return self.checker.cx().not_an_element(&v, &x);
        }
        self.checker.cx().push_scope();
        let Hidden { ident: x, stmt: first, .. } = self.checker.hidden("array", x);
        let Hidden { ident: v, stmt: second, .. } = self.checker.hidden("value", v);
        let mut stmts = vec![first, second];
        let i = self.checker.fresh("i.", span);
        let end = hir::Expr::binary(
            hir::BinaryOp::Add,
            length(&x, span),
            hir::Expr::integer(1, span),
            span,
        );
        let range = hir::Expr::range(hir::Expr::integer(0, span), end, span);
        let at = hir::Expr::of_var(&i, span);
        let cond = hir::Expr::binary(hir::BinaryOp::Lt, at.clone(), length(&x, span), span);
        let other = hir::Expr {
            span,
            kind: hir::ExprKind::Block(hir::Block::of(hir::Expr::of_var(&v, span))),
        };
        let body = hir::ExprKind::If(hir::If {
            cond: Box::new(cond),
            then: hir::Block::of(cell(&x, at, span)),
            otherwise: Some(Box::new(other)),
        });
        let result = self.checker.fresh("appended.", span);
        let slot = hir::SlotKind::index(i, Some(range));
        let body = hir::Expr { span, kind: body };
        let clause = hir::Clause::of_one_slot(result.clone(), slot, body, Vec::new(), span);
        self.checker.definitions().lone_definition(clause, &mut stmts);
        let tail = self.checker.expr(&hir::Expr::of_var(&result, span));
        self.checker.cx().pop_scope();
        if tail.ty == Ty::Error {
            return error_expr(span);
        }
        let ty = tail.ty.clone();
        let block = Block { stmts, tail: Some(Box::new(tail)) };
        value(ExprKind::Block(block), ty, span)
    }
}

impl Checker<'_> {
    /// What an expression needs first, kept inside it.
    pub fn isolated(&mut self, f: impl FnOnce(&mut Self) -> Expr) -> Expr {
        if !self.cx().is_host() {
            return f(self);
        }
        let outer = std::mem::take(&mut self.cx().pending);
        let e = f(self);
        let stmts = std::mem::replace(&mut self.cx().pending, outer);
        if stmts.is_empty() || e.ty == Ty::Error {
            return e;
        }
        let Expr { ty, span, .. } = e.clone();
        let block = Block { stmts, tail: Some(Box::new(e)) };
        value(ExprKind::Block(block), ty, span)
    }
}

/// What a generator takes from its set; none where it takes cells by their indices.
fn generated_from(set: &Ty) -> Option<Ty> {
    match set {
        Ty::Array(elem, shape) if !shape.is_empty() => Some(Ty::Array(*elem, shape[1..].to_vec())),
        Ty::List(of) => Some(of.as_ref().clone()),
        Ty::Str => Some(Ty::Str),
        Ty::Named(Nominal::Range, _) => Some(Ty::scalar(Elem::OpenInt)),
        _ => None,
    }
}

/// Generators first, none of which depends on another, then bindings; no guards.
fn is_plain(items: &[hir::GenItem]) -> bool {
    let mut bound: Vec<VarId> = Vec::new();
    let mut generators_end = false;
    for item in items {
        match &item.kind {
            hir::GenItemKind::Guard(_) | hir::GenItemKind::Test { .. } => return false,
            hir::GenItemKind::Bind { .. } => generators_end = true,
            hir::GenItemKind::In { name, set } => {
                let mut depends = generators_end;
                uses_in(set, &mut |var| depends |= bound.contains(&var));
                if depends {
                    return false;
                }
                bound.push(name.var);
            }
        }
    }
    !bound.is_empty()
}

/// What each generator's variable is at a place: the last runs fastest.
fn generator_values(
    generators: &[Generator],
    index: &hir::Ident,
    span: Span,
) -> Vec<hir::WhereItem> {
    let mut out = Vec::new();
    for (n, g) in generators.iter().enumerate() {
        let behind = generators[n + 1..].iter().map(|g| length(&g.set, span));
        let mut at = hir::Expr::of_var(index, span);
        if n + 1 < generators.len() {
            at = hir::Expr::binary(hir::BinaryOp::Div, at, product(behind, span), span);
        }
        if n > 0 {
            at = hir::Expr::binary(hir::BinaryOp::Rem, at, length(&g.set, span), span);
        }
        let value = match g.is_range {
            true => hir::Expr::binary(
                hir::BinaryOp::Add,
                hir::Expr::property(hir::Expr::of_var(&g.set, span), "start", span),
                at,
                span,
            ),
            false => cell(&g.set, at, span),
        };
        if g.name.is_discard() {
            continue;
        }
        out.push(hir::WhereItem::bind(g.name.clone(), value));
    }
    out
}

/// `name.len`.
fn length(name: &hir::Ident, span: Span) -> hir::Expr {
    hir::Expr::property(hir::Expr::of_var(name, span), "len", span)
}

/// `name[at]`.
fn cell(name: &hir::Ident, at: hir::Expr, span: Span) -> hir::Expr {
    hir::Expr::cell(hir::Expr::of_var(name, span), at, span)
}

fn product(factors: impl Iterator<Item = hir::Expr>, span: Span) -> hir::Expr {
    factors
        .reduce(|a, b| hir::Expr::binary(hir::BinaryOp::Mul, a, b, span))
        .unwrap_or_else(|| hir::Expr::integer(1, span))
}
