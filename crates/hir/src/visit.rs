//! Walks over the tree: what an expression or a clause uses, and where.

use crate::{
    Block, Clause, DimKind, Expr, ExprKind, FnDef, GenItem, GenItemKind, Handler, Head, HeadKind,
    Item, ItemKind, LetPattern, LetPatternKind, Part, PartKind, Slot, SlotKind, Stmt, StmtKind,
    StrPartKind, Type, TypeKind, VarId, WhereItem, WhereItemKind,
};
use weft_base::Span;

/// Calls `f` with every variable that an expression uses.
pub fn uses_in(e: &Expr, f: &mut dyn FnMut(VarId)) {
    if let Some(var) = e.var() {
        f(var);
    }
    if let ExprKind::Index { items, .. } = &e.kind {
        items.iter().for_each(|i| uses_in_parts(i, f));
    }
    types(e, &mut |ty| uses_in_type(ty, f));
    children(e, &mut |c| uses_in(c, f));
}

/// Calls `f` with the names of the extents of a type; their expressions too.
fn uses_in_type(ty: &Type, f: &mut dyn FnMut(VarId)) {
    match &ty.kind {
        TypeKind::Array { elem, dims } => {
            uses_in_type(elem, f);
            dims.iter().flatten().for_each(|d| match &d.kind {
                DimKind::Name(name) => f(name.var),
                DimKind::Expr(e) => uses_in(e, f),
                DimKind::Error | DimKind::Unknown | DimKind::Star | DimKind::Rest(_) => {}
            });
        }
        TypeKind::Tuple(all) | TypeKind::Named { args: all, .. } => {
            all.iter().for_each(|t| uses_in_type(t, f));
        }
        TypeKind::Error
        | TypeKind::Prim(_)
        | TypeKind::Jagged { .. }
        | TypeKind::Fn { .. }
        | TypeKind::Generic(_) => {}
    }
}

/// Calls `f` with the types written in `e` and in no expression inside it.
fn types(e: &Expr, f: &mut dyn FnMut(&Type)) {
    match &e.kind {
        ExprKind::Cast { ty, .. } => f(ty),
        ExprKind::Lambda(l) => l.params.iter().flat_map(|p| &p.ty).for_each(f),
        ExprKind::Block(b) => block_types(b, f),
        ExprKind::If(i) => block_types(&i.then, f),
        _ => {}
    }
}

fn block_types(b: &Block, f: &mut dyn FnMut(&Type)) {
    for stmt in &b.stmts {
        match &stmt.kind {
            StmtKind::Let(l) => {
                l.ty.iter().for_each(&mut *f);
                pattern_types(&l.pattern, f);
            }
            StmtKind::Definitions(all) => {
                all.iter().flat_map(|d| &d.clauses).flat_map(|c| &c.ty).for_each(&mut *f);
            }
            StmtKind::Fn(def) => function_types(def, f),
            _ => {}
        }
    }
}

fn pattern_types(p: &LetPattern, f: &mut dyn FnMut(&Type)) {
    if let LetPatternKind::Tuple(all) = &p.kind {
        for member in all {
            member.ty.iter().for_each(&mut *f);
            pattern_types(&member.pattern, f);
        }
    }
}

fn function_types(def: &FnDef, f: &mut dyn FnMut(&Type)) {
    def.params.iter().flat_map(|p| &p.ty).chain(&def.ret).for_each(&mut *f);
    block_types(&def.body, f);
}

/// Calls `f` with the indices of a place of a joined axis.
fn uses_in_parts(item: &Item, f: &mut dyn FnMut(VarId)) {
    let ItemKind::Coproduct(parts) = &item.kind else { return };
    indices_of(parts).for_each(|i| f(i.var));
}

/// Calls `f` with every variable that a clause uses outside its slots.
pub fn uses_in_clause(c: &Clause, f: &mut dyn FnMut(VarId)) {
    c.alternatives.iter().chain(&c.otherwise).for_each(|e| uses_in(e, f));
    c.where_items.iter().for_each(|i| uses_in_item(i, f));
}

/// Calls `f` with every variable that an item of `where` uses.
pub fn uses_in_item(item: &WhereItem, f: &mut dyn FnMut(VarId)) {
    uses_in(where_value(item), f);
}

/// Calls `f` with every variable that a function uses, in its signature too.
pub fn uses_in_function(def: &FnDef, f: &mut dyn FnMut(VarId)) {
    function_types(def, &mut |ty| uses_in_type(ty, f));
    function_children(def, &mut |e| uses_in(e, f));
}

/// Whether an expression holds definitions of its own: folds are such too.
pub fn holds_definitions(e: &Expr) -> bool {
    let defines = |b: &Block| b.stmts.iter().any(|s| matches!(s.kind, StmtKind::Definitions(_)));
    let mut found = match &e.kind {
        ExprKind::Reduce(_) => true,
        ExprKind::Block(b) => defines(b),
        ExprKind::If(i) => defines(&i.then),
        _ => false,
    };
    children(e, &mut |c| found = found || holds_definitions(c));
    found
}

/// Calls `f` with each expression directly inside `e`.
pub fn children<'t>(e: &'t Expr, f: &mut dyn FnMut(&'t Expr)) {
    use ExprKind as K;
    match &e.kind {
        K::Error | K::Unit | K::Bool(_) | K::Number(_) | K::Use(_) => {}
        K::Match(m) => {
            f(&m.scrutinee);
            m.arms.iter().for_each(|a| {
                a.guard.iter().for_each(&mut *f);
                f(&a.body);
            });
        }
        K::Lambda(l) => {
            l.params.iter().flat_map(|p| &p.default).for_each(&mut *f);
            f(&l.body);
        }
        K::Str(s) => s.parts.iter().for_each(|p| {
            if let StrPartKind::Value { value, .. } = &p.kind {
                f(value);
            }
        }),
        K::Tuple(es) | K::Array(es) => es.iter().for_each(f),
        K::Comprehension(c) => {
            c.items.iter().for_each(|i| item_children(i, f));
            f(&c.body);
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
        K::StructLit(s) => s.fields.iter().for_each(|x| f(&x.value)),
        K::Call { callee, args } => {
            f(callee);
            args.iter().for_each(|a| f(&a.value));
        }
        K::Index { base, items } => {
            f(base);
            items.iter().for_each(|i| match &i.kind {
                ItemKind::Expr(e) => f(e),
                ItemKind::Rest(rest) => rest.rank.iter().for_each(|e| f(e)),
                ItemKind::Coproduct(parts) => part_ranges(parts, f),
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
                Handler::Else(e) | Handler::Catch(e) => f(e),
            }
        }
        K::Where { body, items } => {
            f(body);
            items.iter().for_each(|i| f(where_value(i)));
        }
    }
}

/// Calls `f` with each expression directly inside an item of a comprehension.
pub fn item_children<'t>(item: &'t GenItem, f: &mut dyn FnMut(&'t Expr)) {
    match &item.kind {
        GenItemKind::In { set: e, .. }
        | GenItemKind::Bind { value: e, .. }
        | GenItemKind::Guard(e) => f(e),
        GenItemKind::Test { item, set } => {
            f(item);
            f(set);
        }
    }
}

fn head_ranges<'t>(heads: &'t [Head], f: &mut dyn FnMut(&'t Expr)) {
    for head in heads {
        match &head.kind {
            HeadKind::Index { range, .. } => range.iter().for_each(|r| f(r)),
            HeadKind::Rest(rest) => rest.rank.iter().for_each(|e| f(e)),
        }
    }
}

/// The expression of a `where` item.
pub fn where_value(item: &WhereItem) -> &Expr {
    match &item.kind {
        WhereItemKind::Bind { value: e, .. } | WhereItemKind::Guard(e) => e,
    }
}

/// Calls `f` with each expression directly inside a block.
pub fn block_children<'t>(b: &'t Block, f: &mut dyn FnMut(&'t Expr)) {
    b.stmts.iter().for_each(|s| stmt_children(s, f));
    b.tail.iter().for_each(|e| f(e));
}

fn stmt_children<'t>(stmt: &'t Stmt, f: &mut dyn FnMut(&'t Expr)) {
    match &stmt.kind {
        StmtKind::Let(l) => f(&l.value),
        StmtKind::Expr(e) => f(e),
        StmtKind::Definitions(all) => all.iter().flat_map(|d| &d.clauses).for_each(|c| {
            c.slots.iter().for_each(|s| slot_children(s, f));
            c.alternatives.iter().chain(&c.otherwise).for_each(&mut *f);
            c.where_items.iter().for_each(|i| f(where_value(i)));
        }),
        StmtKind::Fn(def) => function_children(def, f),
        StmtKind::DiffRule(rule) => block_children(&rule.body, f),
        StmtKind::Const(c) => f(&c.value),
        StmtKind::Input(_) => {}
    }
}

/// Calls `f` with each expression directly inside a function.
pub fn function_children<'t>(def: &'t FnDef, f: &mut dyn FnMut(&'t Expr)) {
    def.params.iter().flat_map(|p| &p.default).for_each(&mut *f);
    block_children(&def.body, f);
}

/// Calls `f` with each expression directly inside a slot: its range, its cell, its rank.
fn slot_children<'t>(slot: &'t Slot, f: &mut dyn FnMut(&'t Expr)) {
    match &slot.kind {
        SlotKind::Index { range, .. } => range.iter().for_each(f),
        SlotKind::Fixed(e) => f(e),
        SlotKind::Rest(rest) => rest.rank.iter().for_each(|e| f(e)),
        SlotKind::Coproduct(parts) => part_ranges(parts, f),
    }
}

fn part_ranges<'t>(parts: &'t [Part], f: &mut dyn FnMut(&'t Expr)) {
    for part in parts {
        if let PartKind::Index { range: Some(r), .. } = &part.kind {
            f(r);
        }
    }
}

/// The places where an expression uses `var`, and whether each is a whole item between brackets.
pub fn places_of(e: &Expr, var: VarId, out: &mut Vec<(Span, bool)>) {
    let is_it = |e: &Expr| e.var() == Some(var);
    if is_it(e) {
        out.push((e.span, false));
    }
    let ExprKind::Index { base, items } = &e.kind else {
        return children(e, &mut |c| places_of(c, var, out));
    };
    places_of(base, var, out);
    for item in items {
        match &item.kind {
            ItemKind::Expr(e) if is_it(e) => out.push((e.span, true)),
            ItemKind::Expr(e) => places_of(e, var, out),
            ItemKind::Rest(_) | ItemKind::Coproduct(_) => {}
        }
    }
}

/// The indices among the parts of a joined axis.
pub fn indices_of(parts: &[Part]) -> impl Iterator<Item = &crate::Ident> {
    parts.iter().filter_map(|p| match &p.kind {
        PartKind::Index { name, .. } => Some(name),
        _ => None,
    })
}
