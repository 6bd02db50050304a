//! Lints that need no types: indices that nothing depends on, and indices that hide others.
//! And what is asked only behind an error: indices that their bodies do not mention.

use weft_base::Span;
use weft_diag::{Code, Diagnostic, Diagnostics, Edit};
use weft_hir as hir;
use weft_hir::VarId;
use weft_hir::visit::{children, item_children, uses_in, uses_in_clause, uses_in_item};

/// What is found in a program and its own modules.
pub(crate) fn lint(program: &hir::Program) -> Diagnostics {
    let mut walk = Walk::default();
    let own = |stmt: &&hir::Stmt| !program.library.contains(&stmt.span.file);
    program.items.iter().filter(own).for_each(|stmt| walk.stmt(&stmt.kind));
    walk.block(&program.stmts, program.tail.as_deref());
    walk.found
}

/// The indices of a program without a range that nothing uses.
pub(crate) fn not_read(program: &hir::Program) -> Vec<NotRead> {
    let mut walk = Walk::default();
    walk.block(&program.stmts, program.tail.as_deref());
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
    fn of(e: &hir::Expr) -> Form {
        match &e.kind {
            hir::ExprKind::Use(_) => Form::Name,
            hir::ExprKind::Index { .. } => Form::Read,
            _ => Form::Other,
        }
    }
}

#[derive(Default)]
struct Walk {
    /// The indices in scope, outermost first.
    indices: Vec<(String, Span)>,
    found: Diagnostics,
    not_read: Vec<NotRead>,
}

impl Walk {
    fn block(&mut self, stmts: &[hir::Stmt], tail: Option<&hir::Expr>) {
        for stmt in stmts {
            self.stmt(&stmt.kind);
        }
        tail.into_iter().for_each(|e| self.expr(e));
    }

    fn stmt(&mut self, stmt: &hir::StmtKind) {
        match stmt {
            hir::StmtKind::Let(l) => self.expr(&l.value),
            hir::StmtKind::Const(c) => self.expr(&c.value),
            hir::StmtKind::Expr(e) => self.expr(e),
            hir::StmtKind::Definitions(all) => {
                all.iter().flat_map(|d| &d.clauses).for_each(|c| self.clause(c));
            }
            hir::StmtKind::Fn(def) => {
                let outer = std::mem::take(&mut self.indices);
                self.block(&def.body.stmts, def.body.tail.as_deref());
                self.indices = outer;
            }
            hir::StmtKind::DiffRule(_) | hir::StmtKind::Input(_) => {}
        }
    }

    fn clause(&mut self, c: &hir::Clause) {
        let depth = self.indices.len();
        for slot in &c.slots {
            if let hir::SlotKind::Index { name, range, .. } = &slot.kind {
                range.iter().for_each(|r| self.expr(r));
                // A name in two slots is a diagonal.
                if self.indices[depth..].iter().all(|(n, _)| n != name.as_str()) {
                    self.enter(name);
                }
            }
        }
        self.slots_not_read(c);
        c.where_items.iter().for_each(|i| self.item(i));
        c.alternatives.iter().chain(&c.otherwise).for_each(|e| self.expr(e));
        self.indices.truncate(depth);
    }

    fn slots_not_read(&mut self, c: &hir::Clause) {
        let [body] = c.alternatives.as_slice() else { return };
        for slot in &c.slots {
            let hir::SlotKind::Index { name, range: None, .. } = &slot.kind else { continue };
            let mut used = false;
            uses_in_clause(c, &mut |var| used |= var == name.var);
            if !used {
                let (index, body, form) = (name.span, body.span, Form::of(body));
                self.not_read.push(NotRead { index, body, form, reduction: None });
            }
        }
    }

    fn item(&mut self, item: &hir::WhereItem) {
        match &item.kind {
            hir::WhereItemKind::Bind { value: e, .. } | hir::WhereItemKind::Guard(e) => {
                self.expr(e);
            }
        }
    }

    fn expr(&mut self, e: &hir::Expr) {
        match &e.kind {
            hir::ExprKind::Block(b) => self.block(&b.stmts, b.tail.as_deref()),
            hir::ExprKind::If(i) => {
                self.expr(&i.cond);
                self.block(&i.then.stmts, i.then.tail.as_deref());
                i.otherwise.iter().for_each(|e| self.expr(e));
            }
            hir::ExprKind::Reduction(r) => {
                self.reduction(&r.name, &r.heads, &r.body, &r.where_items);
            }
            hir::ExprKind::Reduce(r) => {
                self.expr(&r.function);
                self.expr(&r.identity);
                self.reduction(&r.name, &r.heads, &r.body, &r.where_items);
            }
            hir::ExprKind::Comprehension(c) => self.comprehension(&c.body, &c.items),
            _ => {
                self.found.extend(repeated_element(e));
                children(e, &mut |c| self.expr(c));
            }
        }
    }

    fn reduction(
        &mut self,
        op: &hir::Label,
        heads: &[hir::Head],
        body: &hir::Expr,
        items: &[hir::WhereItem],
    ) {
        let depth = self.indices.len();
        for (at, head) in heads.iter().enumerate() {
            let hir::HeadKind::Index { name, range } = &head.kind else { continue };
            range.iter().for_each(|r| self.expr(r));
            self.enter(name);
            // Terms without any name count points: no other name was meant.
            let (mut used, mut named) = (false, false);
            let mut look = |var: VarId| {
                named = true;
                used |= var == name.var;
            };
            uses_in(body, &mut look);
            items.iter().for_each(|i| uses_in_item(i, &mut look));
            for later in &heads[at + 1..] {
                if let hir::HeadKind::Index { range: Some(r), .. } = &later.kind {
                    uses_in(r, &mut look);
                }
            }
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

    fn comprehension(&mut self, body: &hir::Expr, items: &[hir::GenItem]) {
        let depth = self.indices.len();
        for (at, item) in items.iter().enumerate() {
            item_children(item, &mut |e| self.expr(e));
            let hir::GenItemKind::In { name, .. } = &item.kind else { continue };
            self.indices.push((name.as_str().to_string(), name.span));
            let (mut used, mut named) = (false, false);
            let mut look = |var: VarId| {
                named = true;
                used |= var == name.var;
            };
            uses_in(body, &mut look);
            items[at + 1..].iter().for_each(|i| item_children(i, &mut |e| uses_in(e, &mut look)));
            if !used && named {
                self.unused(name);
            }
        }
        self.expr(body);
        self.indices.truncate(depth);
    }

    /// An index from here on; one of that name around it is hidden.
    fn enter(&mut self, name: &hir::Ident) {
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

    fn unused(&mut self, name: &hir::Ident) {
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
fn repeated_element(e: &hir::Expr) -> Option<Diagnostic> {
    let hir::ExprKind::Binary { op: hir::BinaryOp::Mul, lhs, rhs, .. } = &e.kind else {
        return None;
    };
    let (element, times, follows) = match (one_element(lhs), one_element(rhs)) {
        (Some(x), None) => (x, rhs, true),
        (None, Some(x)) => (x, lhs, false),
        _ => return None,
    };
    let hir::ExprKind::Number(hir::Number { value: hir::NumberValue::Int(n), .. }) = &times.kind
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
fn one_element(e: &hir::Expr) -> Option<&hir::Expr> {
    let hir::ExprKind::Array(elements) = &e.kind else { return None };
    let [only] = elements.as_slice() else { return None };
    matches!(only.kind, hir::ExprKind::Number(_)).then_some(only)
}
