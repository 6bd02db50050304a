//! Names in the tree: what an expression or a clause mentions, before anything is resolved.

use weft_base::{Name, Span};
use weft_syntax::ast;

/// The name a clause defines.
pub(crate) fn clause_name(stmt: &ast::Stmt) -> Option<&Name> {
    match &stmt.kind {
        ast::StmtKind::Indexed(clause) => Some(&clause.name.name),
        _ => None,
    }
}

/// Calls `f` with every name a clause mentions outside its slots.
pub(crate) fn mentioned_names(c: &ast::Indexed, f: &mut dyn FnMut(&str)) {
    c.alternatives.iter().chain(&c.otherwise).for_each(|e| names_in(e, f));
    c.where_items.iter().for_each(|i| item_names(i, f));
}

/// Calls `f` with every name a `where` item mentions.
pub(crate) fn item_names(item: &ast::WhereItem, f: &mut dyn FnMut(&str)) {
    names_in(where_value(item), f);
}

/// Calls `f` with every name an expression mentions.
pub(crate) fn names_in(e: &ast::Expr, f: &mut dyn FnMut(&str)) {
    if let ast::ExprKind::Path(p) = &e.kind
        && let Some(name) = p.as_name()
    {
        f(name.as_str());
    }
    if let ast::ExprKind::Index { items, .. } = &e.kind {
        items.iter().for_each(|i| part_names(i, f));
    }
    children(e, &mut |c| names_in(c, f));
}

/// Calls `f` with the indices of a coproduct.
fn part_names(item: &ast::Item, f: &mut dyn FnMut(&str)) {
    let ast::ItemKind::Coproduct(parts) = &item.kind else { return };
    for part in parts {
        if let ast::PartKind::Index { name, .. } = &part.kind {
            f(name.as_str());
        }
    }
}

/// A reduction, and the names of its indices.
pub(crate) struct Binder<'t> {
    pub reduction: &'t ast::Expr,
    pub names: Vec<&'t str>,
}

impl Binder<'_> {
    /// Whether it has an index of this name.
    pub fn binds(&self, name: &str) -> bool {
        self.names.contains(&name)
    }
}

/// The reductions of a body, outer ones first.
pub(crate) fn reductions<'t>(e: &'t ast::Expr, out: &mut Vec<Binder<'t>>) {
    let heads = match &e.kind {
        ast::ExprKind::Reduction(r) => Some(&r.heads),
        ast::ExprKind::Reduce(r) => Some(&r.heads),
        _ => None,
    };
    if let Some(heads) = heads {
        let names = heads.iter().filter_map(|h| match &h.kind {
            ast::HeadKind::Index { name, .. } => Some(name.as_str()),
            ast::HeadKind::Rest(_) => None,
        });
        out.push(Binder { reduction: e, names: names.collect() });
    }
    children(e, &mut |c| reductions(c, out));
}

/// Items of `where`, divided.
pub(crate) struct Divided<'t> {
    /// Those of the clause (or binding) itself.
    pub own: Vec<&'t ast::WhereItem>,
    /// Those about the index of a reduction in the body, with that reduction.
    pub moved: Vec<(&'t ast::Expr, &'t ast::WhereItem)>,
    /// The reductions of the body.
    pub binders: Vec<Binder<'t>>,
}

/// Divides `where` items into those of the clause (or binding) itself, and those about the index
/// of a reduction in its body, perhaps through an earlier item.
pub(crate) fn split_where<'t>(
    bodies: &'t [ast::Expr],
    slots: &[&str],
    items: &'t [ast::WhereItem],
) -> Divided<'t> {
    let mut binders: Vec<Binder<'t>> = Vec::new();
    if !items.is_empty() {
        bodies.iter().for_each(|e| reductions(e, &mut binders));
    }
    let (mut own, mut moved) = (Vec::new(), Vec::new());
    let mut carried: Vec<(&str, &'t ast::Expr)> = Vec::new();
    for item in items {
        let mut target: Option<&'t ast::Expr> = None;
        item_names(item, &mut |n| {
            if slots.contains(&n) {
                return;
            }
            let header = binders.iter().find(|b| b.binds(n)).map(|b| b.reduction);
            let through = carried.iter().find(|(m, _)| *m == n).map(|t| t.1);
            target = target.or(header).or(through);
        });
        match target {
            Some(reduction) => {
                if let ast::WhereItemKind::Bind { name, .. } = &item.kind {
                    carried.push((name.as_str(), reduction));
                }
                moved.push((reduction, item));
            }
            None => own.push(item),
        }
    }
    Divided { own, moved, binders }
}

/// Calls `f` with each expression directly inside `e`.
pub(crate) fn children<'t>(e: &'t ast::Expr, f: &mut dyn FnMut(&'t ast::Expr)) {
    use ast::ExprKind as K;
    match &e.kind {
        K::Error | K::Unit | K::Bool(_) | K::Number(_) | K::Path(_) => {}
        K::Match(m) => {
            f(&m.scrutinee);
            m.arms.iter().for_each(|a| {
                a.guard.iter().for_each(&mut *f);
                f(&a.body);
            });
        }
        K::Lambda(l) => f(&l.body),
        K::Str(s) => s.parts.iter().for_each(|p| {
            if let ast::StrPartKind::Value { value, .. } = &p.kind {
                f(value);
            }
        }),
        K::Tuple(es) | K::Array(es) => es.iter().for_each(f),
        K::Comprehension { body, items } => {
            items.iter().for_each(|i| f(item_expr(i)));
            f(body);
        }
        K::Reduction(r) => {
            head_ranges(&r.heads, f);
            r.where_items.iter().for_each(|i| f(where_value(i)));
            f(&r.body);
        }
        K::Reduce(r) => {
            f(&r.function);
            f(&r.identity);
            head_ranges(&r.heads, f);
            r.where_items.iter().for_each(|i| f(where_value(i)));
            f(&r.body);
        }
        K::If(i) => {
            f(&i.cond);
            block_children(&i.then, f);
            i.otherwise.iter().for_each(|e| f(e));
        }
        K::Block(b) => block_children(b, f),
        K::StructLit(s) => s.fields.iter().filter_map(|x| x.value.as_ref()).for_each(f),
        K::Call { callee, args } => {
            f(callee);
            args.iter().for_each(|a| f(&a.value));
        }
        K::Index { base, items } => {
            f(base);
            items.iter().for_each(|i| {
                if let ast::ItemKind::Expr(e) = &i.kind {
                    f(e);
                }
            });
        }
        K::Field { base, .. } => f(base),
        K::Unary { operand, .. } => f(operand),
        K::Binary { lhs, rhs, .. } | K::Pipe { lhs, rhs, .. } => {
            f(lhs);
            f(rhs);
        }
        K::Range { start, end, .. } => {
            f(start);
            f(end);
        }
        K::In { item, set } => {
            f(item);
            f(set);
        }
        K::Cast { value, .. } => f(value),
        K::Recover { chain, handler } => {
            f(chain);
            match handler {
                ast::Handler::Else(e) | ast::Handler::Catch(e) => f(e),
            }
        }
        K::Where { body, items } => {
            f(body);
            items.iter().for_each(|i| f(where_value(i)));
        }
    }
}

fn head_ranges<'t>(heads: &'t [ast::Head], f: &mut dyn FnMut(&'t ast::Expr)) {
    for head in heads {
        if let ast::HeadKind::Index { range: Some(r), .. } = &head.kind {
            f(r);
        }
    }
}

/// The expression of a comprehension's item.
fn item_expr(item: &ast::GenItem) -> &ast::Expr {
    match &item.kind {
        ast::GenItemKind::In { set: e, .. }
        | ast::GenItemKind::Bind { value: e, .. }
        | ast::GenItemKind::Guard(e) => e,
    }
}

/// The expression of a `where` item.
pub(crate) fn where_value(item: &ast::WhereItem) -> &ast::Expr {
    match &item.kind {
        ast::WhereItemKind::Bind { value: e, .. } | ast::WhereItemKind::Guard(e) => e,
    }
}

/// Calls `f` with each expression directly inside a block.
pub(crate) fn block_children<'t>(b: &'t ast::Block, f: &mut dyn FnMut(&'t ast::Expr)) {
    for stmt in &b.stmts {
        match &stmt.kind {
            ast::StmtKind::Let(l) => f(&l.value),
            ast::StmtKind::Expr(e) => f(&e.expr),
            ast::StmtKind::Indexed(c) => {
                c.alternatives.iter().chain(&c.otherwise).for_each(&mut *f);
                c.where_items.iter().for_each(|i| f(where_value(i)));
            }
            _ => {}
        }
    }
    b.tail.iter().for_each(|e| f(e));
}

/// The places where an expression mentions `name`, and whether each is a whole item
/// between brackets.
pub(crate) fn places_of(e: &ast::Expr, name: &str, out: &mut Vec<(Span, bool)>) {
    let is_name = |e: &ast::Expr| match &e.kind {
        ast::ExprKind::Path(p) => p.as_name().is_some_and(|n| n.as_str() == name),
        _ => false,
    };
    if is_name(e) {
        out.push((e.span, false));
    }
    let ast::ExprKind::Index { base, items } = &e.kind else {
        return children(e, &mut |c| places_of(c, name, out));
    };
    places_of(base, name, out);
    for item in items {
        match &item.kind {
            ast::ItemKind::Expr(e) if is_name(e) => out.push((e.span, true)),
            ast::ItemKind::Expr(e) => places_of(e, name, out),
            ast::ItemKind::Rest(_) | ast::ItemKind::Coproduct(_) => {}
        }
    }
}

/// The places where a `where` item mentions `name`, as [`places_of`].
pub(crate) fn places_in_item(item: &ast::WhereItem, name: &str, out: &mut Vec<(Span, bool)>) {
    match &item.kind {
        ast::WhereItemKind::Bind { value, .. } => places_of(value, name, out),
        ast::WhereItemKind::Guard(g) => places_of(g, name, out),
    }
}
