//! Lints that need no types: indices that nothing depends on, and indices that hide others.
//! And what is asked only behind an error: indices that their bodies do not mention.

use crate::lint::written::{children, item_expr, item_names, mentioned_names, names_in};
use weft_base::Span;
use weft_diag::{Code, Diagnostic, Diagnostics, Edit};
use weft_syntax::ast;

/// What is found in a program or module.
pub(crate) fn lint(stmts: &[ast::Stmt], tail: Option<&ast::Expr>) -> Diagnostics {
    let mut walk = Walk::default();
    walk.block(stmts, tail);
    walk.found
}

/// The indices without a range that nothing mentions.
pub(crate) fn not_read(stmts: &[ast::Stmt], tail: Option<&ast::Expr>) -> Vec<NotRead> {
    let mut walk = Walk::default();
    walk.block(stmts, tail);
    walk.not_read
}

/// An index of a slot or a reduction, without a range, that its body does not mention.
pub(crate) struct NotRead {
    /// Where it is named.
    pub index: Span,
    /// The body.
    pub body: Span,
    /// Whether the body is a name, or a read, with nothing else around.
    pub form: Form,
    /// The name of the reduction.
    pub reduction: Option<String>,
}

/// What a body is that lacks an index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Name,
    Read,
    Other,
}

impl Form {
    fn of(e: &ast::Expr) -> Form {
        match &e.kind {
            ast::ExprKind::Path(_) => Form::Name,
            ast::ExprKind::Index { .. } => Form::Read,
            _ => Form::Other,
        }
    }
}

#[derive(Default)]
struct Walk {
    /// The indices in scope, outermost first.
    indices: Vec<(String, Span)>,
    /// Names in `where` lists around, which may move into a reduction.
    around: Vec<String>,
    found: Diagnostics,
    not_read: Vec<NotRead>,
}

impl Walk {
    fn block(&mut self, stmts: &[ast::Stmt], tail: Option<&ast::Expr>) {
        for stmt in stmts {
            self.stmt(&stmt.kind);
        }
        tail.into_iter().for_each(|e| self.expr(e));
    }

    fn stmt(&mut self, stmt: &ast::StmtKind) {
        match stmt {
            ast::StmtKind::Let(l) => self.expr(&l.value),
            ast::StmtKind::Const(c) => self.expr(&c.value),
            ast::StmtKind::Expr(e) => self.expr(&e.expr),
            ast::StmtKind::Indexed(c) => self.clause(c),
            ast::StmtKind::Fn(def) => {
                let outer = std::mem::take(&mut self.indices);
                self.block(&def.body.stmts, def.body.tail.as_deref());
                self.indices = outer;
            }
            ast::StmtKind::Mod(m) => self.block(m.body.as_deref().unwrap_or_default(), None),
            _ => {}
        }
    }

    fn clause(&mut self, c: &ast::Indexed) {
        let depth = self.indices.len();
        for slot in &c.slots {
            if let ast::SlotKind::Index { name, range } = &slot.kind {
                range.iter().for_each(|r| self.expr(r));
                // A name in two slots is a diagonal.
                if self.indices[depth..].iter().all(|(n, _)| n != name.as_str()) {
                    self.enter(name);
                }
            }
        }
        self.slots_not_read(c);
        let around = self.around.len();
        self.items(&c.where_items);
        c.alternatives.iter().chain(&c.otherwise).for_each(|e| self.expr(e));
        self.around.truncate(around);
        self.indices.truncate(depth);
    }

    fn slots_not_read(&mut self, c: &ast::Indexed) {
        let [body] = c.alternatives.as_slice() else { return };
        for slot in &c.slots {
            let ast::SlotKind::Index { name, range: None } = &slot.kind else { continue };
            let mut used = false;
            mentioned_names(c, &mut |n| used |= n == name.as_str());
            if !used {
                let (index, body, form) = (name.span, body.span, Form::of(body));
                self.not_read.push(NotRead { index, body, form, reduction: None });
            }
        }
    }

    fn items(&mut self, items: &[ast::WhereItem]) {
        for item in items {
            self.item(item);
            item_names(item, &mut |n| self.around.push(n.to_string()));
        }
    }

    fn item(&mut self, item: &ast::WhereItem) {
        match &item.kind {
            ast::WhereItemKind::Bind { value: e, .. } | ast::WhereItemKind::Guard(e) => {
                self.expr(e);
            }
        }
    }

    fn expr(&mut self, e: &ast::Expr) {
        match &e.kind {
            ast::ExprKind::Block(b) => self.block(&b.stmts, b.tail.as_deref()),
            ast::ExprKind::If(i) => {
                self.expr(&i.cond);
                self.block(&i.then.stmts, i.then.tail.as_deref());
                i.otherwise.iter().for_each(|e| self.expr(e));
            }
            ast::ExprKind::Reduction(r) => {
                self.reduction(&r.name, &r.heads, &r.body, &r.where_items);
            }
            ast::ExprKind::Reduce(r) => {
                self.expr(&r.function);
                self.expr(&r.identity);
                self.reduction(&r.name, &r.heads, &r.body, &r.where_items);
            }
            ast::ExprKind::Where { body, items } => {
                let around = self.around.len();
                self.items(items);
                self.expr(body);
                self.around.truncate(around);
            }
            ast::ExprKind::Comprehension { body, items } => self.comprehension(body, items),
            _ => {
                self.found.extend(repeated_element(e));
                children(e, &mut |c| self.expr(c));
            }
        }
    }

    fn reduction(
        &mut self,
        op: &ast::Ident,
        heads: &[ast::Head],
        body: &ast::Expr,
        items: &[ast::WhereItem],
    ) {
        let depth = self.indices.len();
        for (at, head) in heads.iter().enumerate() {
            let ast::HeadKind::Index { name, range } = &head.kind else { continue };
            range.iter().for_each(|r| self.expr(r));
            self.enter(name);
            // Terms without any name count points: no other name was meant.
            let (mut used, mut named) = (false, false);
            let mut look = |n: &str| {
                named = true;
                used |= n == name.as_str();
            };
            names_in(body, &mut look);
            items.iter().for_each(|i| item_names(i, &mut look));
            for later in &heads[at + 1..] {
                if let ast::HeadKind::Index { range: Some(r), .. } = &later.kind {
                    names_in(r, &mut look);
                }
            }
            used |= self.around.iter().any(|n| n == name.as_str());
            if !used && named && range.is_some() {
                self.unused(name);
            }
            if !used && range.is_none() {
                let (index, body, form) = (name.span, body.span, Form::of(body));
                let reduction = Some(op.name.to_string());
                self.not_read.push(NotRead { index, body, form, reduction });
            }
        }
        items.iter().for_each(|i| self.item(i));
        self.expr(body);
        self.indices.truncate(depth);
    }

    fn comprehension(&mut self, body: &ast::Expr, items: &[ast::GenItem]) {
        let depth = self.indices.len();
        for (at, item) in items.iter().enumerate() {
            self.expr(item_expr(item));
            let ast::GenItemKind::In { name, .. } = &item.kind else { continue };
            // Of a name that is bound already this is a test.
            if self.indices.iter().any(|(n, _)| n == name.as_str()) {
                continue;
            }
            self.indices.push((name.as_str().to_string(), name.span));
            let (mut used, mut named) = (false, false);
            let mut look = |n: &str| {
                named = true;
                used |= n == name.as_str();
            };
            names_in(body, &mut look);
            items[at + 1..].iter().for_each(|i| names_in(item_expr(i), &mut look));
            if !used && named {
                self.unused(name);
            }
        }
        self.expr(body);
        self.indices.truncate(depth);
    }

    /// An index from here on; one of that name around it is hidden.
    fn enter(&mut self, name: &ast::Ident) {
        let outer = self.indices.iter().rev().find(|(n, _)| n == name.as_str());
        if let Some((_, span)) = outer {
            let text = &name.name;
            let d = Diagnostic::warning(
                Code::ShadowedIndex,
                format!("the index `{text}` shadows another"),
            )
            .primary(name.span, "a new index")
            .secondary(*span, format!("hides this `{text}`"))
            .help("give one of them another name");
            self.found.push(d);
        }
        self.indices.push((name.as_str().to_string(), name.span));
    }

    fn unused(&mut self, name: &ast::Ident) {
        let text = &name.name;
        if text.as_str().starts_with('_') {
            return;
        }
        let d = Diagnostic::warning(Code::UnusedIndex, format!("the index `{text}` is never used"))
            .primary(name.span, "every term is the same")
            .help(format!("use it, or call it `_{text}` if that is meant"));
        self.found.push(d);
    }
}

/// `repeated-element`: `[0.0] * 10`, which elsewhere is a list of ten.
fn repeated_element(e: &ast::Expr) -> Option<Diagnostic> {
    let ast::ExprKind::Binary { op: ast::BinaryOp::Mul, lhs, rhs, .. } = &e.kind else {
        return None;
    };
    let (element, times, follows) = match (one_element(lhs), one_element(rhs)) {
        (Some(x), None) => (x, rhs, true),
        (None, Some(x)) => (x, lhs, false),
        _ => return None,
    };
    let ast::ExprKind::Number(ast::Number { value: ast::NumberValue::Int(n), .. }) = &times.kind
    else {
        return None;
    };
    let d = Diagnostic::warning(Code::RepeatedElement, "an array of one element times a number")
        .primary(e.span, format!("this is one element, {n} times as large"));
    let between = Span::new(e.span.file, element.span.end, times.span.start);
    let behind = Span::new(e.span.file, e.span.end, e.span.end);
    let edits = vec![
        Edit { span: between, replacement: " | _i in 0..".to_string() },
        Edit { span: behind, replacement: "]".to_string() },
    ];
    let text = format!("{n} of them are a comprehension");
    Some(match follows {
        true => d.help_edits(text, edits),
        false => d.help(format!("{text}: `[… | _i in 0..{n}]`")),
    })
}

/// The number that an array of one number holds.
fn one_element(e: &ast::Expr) -> Option<&ast::Expr> {
    let ast::ExprKind::Array(elements) = &e.kind else { return None };
    let [only] = elements.as_slice() else { return None };
    matches!(only.kind, ast::ExprKind::Number(_)).then_some(only)
}
