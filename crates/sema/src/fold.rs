//! `reduce[f, e, i in lo..hi](b where …)`: a fold by a function, from left to right.
//!
//! It is a recurrence: `c[0] = e; c[t] = f(c[t - 1], b)` with `i = lo + t - 1`, of which the
//! last cell is the value. So bounds, windows and code are those of recurrences, and nothing
//! below the tree knows of folds. Several indices are folds within
//! folds, outermost first. The names made here are none that a program can write.
//!
//! Not here: the accumulators with a name of their own (`reduction.rs`).

use crate::checker::Checker;
use crate::reduction::hold_definitions;
use crate::scope::Binding;
use crate::thir::{Elem, Expr, Ty};
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Iter};
use weft_syntax::ast;

/// Folds without ranges within each other: each goes over its terms once more to find them.
const DEEPEST_FOLD: u32 = 8;

/// The term that a function written in place takes.
const TERM: &str = "term of reduce";

impl Checker<'_> {
    /// A fold by a function.
    pub fn reduce(&mut self, r: &ast::Reduce, span: Span) -> Expr {
        self.in_passes(hold_definitions(&r.where_items, &r.body), |c| c.fold_of(r, span))
    }

    fn fold_of(&mut self, r: &ast::Reduce, span: Span) -> Expr {
        let mut items = r.where_items.clone();
        items.extend(self.cx().moved.remove(&span).unwrap_or_default());
        let Some(heads) = self.fold_heads(&r.heads) else {
            return crate::checker::error_expr(span);
        };
        if heads.is_empty() {
            let d = Diagnostic::error(Code::E0001, "`reduce` runs over named indices")
                .primary(span, "expected the name of an index after the identity");
            return self.error(d);
        }
        if let ast::ExprKind::Lambda(l) = &r.function.kind
            && l.params.len() != 2
        {
            let headline = format!(
                "`reduce` takes a function of 2 arguments, found one of {}",
                l.params.len()
            );
            let d = Diagnostic::error(Code::E0061, headline)
                .primary(r.function.span, "combines the value so far with the next term");
            return self.error(d);
        }
        self.fold_indices.extend(heads.iter().map(|h| h.0.span));
        self.push_scope();
        let ranges = self.fold_ranges(r, &heads, &items);
        let whole = ranges.map(|ranges| {
            let heads: Vec<FoldHead> =
                heads.iter().zip(ranges).map(|(h, range)| FoldHead { index: h.0, range }).collect();
            Tree { r, items, span }.fold(&heads, &r.identity)
        });
        let e = whole.map_or_else(|| crate::checker::error_expr(span), |whole| self.expr(&whole));
        self.pop_scope();
        e
    }

    /// The range of each index: as written, or the one that a sum over the same terms would
    /// infer, as names for its ends. `None` where that sum would be wrong, which is said.
    fn fold_ranges(
        &mut self,
        r: &ast::Reduce,
        heads: &[WrittenHead<'_>],
        items: &[ast::WhereItem],
    ) -> Option<Vec<Ends>> {
        let written: Option<Vec<Ends>> =
            heads.iter().map(|(_, range)| written_ends(*range)).collect();
        if written.is_some() {
            return written;
        }
        if self.folds >= DEEPEST_FOLD {
            let headline = format!("a fold without a range within {DEEPEST_FOLD} others");
            let d =
                Diagnostic::error(Code::E0003, headline).primary(r.name.span, "nested too deep");
            self.report(d.help("state the ranges: `reduce[f, e, i in 0..n](…)`"));
            return None;
        }
        self.folds += 1;
        let reported = self.reported.len();
        self.push_frame();
        let (iters, _, body) = self.terms(&r.heads, items, &r.body);
        self.finish_frame(hold_definitions(items, &r.body));
        self.folds -= 1;
        if self.has_errors_since(reported) || body.ty == Ty::Error || iters.len() != heads.len() {
            self.poison();
            return None;
        }
        // The terms are checked again where they are combined.
        self.reported.truncate(reported);
        heads.iter().zip(iters).map(|(&(index, range), i)| self.ends(index, range, i)).collect()
    }

    fn ends(&mut self, index: &ast::Ident, range: Option<&ast::Expr>, i: Iter) -> Option<Ends> {
        if let Some(ends) = written_ends(range) {
            return Some(ends);
        }
        let (lo, hi) = self.known().range(i)?.clone();
        let start = self.named_end(&format!("start of {}", index.name), index.span, lo);
        let end = self.named_end(&format!("end of {}", index.name), index.span, hi);
        Some(Ends { start, end, inclusive: false })
    }

    /// An expression for an inferred end of a range.
    fn named_end(&mut self, name: &str, span: Span, term: Affine) -> ast::Expr {
        let ident = ast::Ident { name: Name::new(name), span };
        let id = self.local(&ident, Ty::scalar(Elem::OpenInt), Some(term));
        self.bind(&ident.name, Binding::Local(id));
        let path = ast::Path { span, segments: vec![ident] };
        ast::Expr { span, kind: ast::ExprKind::Path(path) }
    }

    fn fold_heads<'h>(&mut self, heads: &'h [ast::Head]) -> Option<Vec<WrittenHead<'h>>> {
        let mut out = Vec::new();
        for h in heads {
            match &h.kind {
                ast::HeadKind::Index { name, range } => out.push((name, range.as_deref())),
                ast::HeadKind::Rest(_) => {
                    let d = Diagnostic::error(Code::E0005, "`reduce` over a run of axes")
                        .primary(h.span, "a fold has one order, and a run of axes none stated")
                        .help("name the indices: `reduce[f, e, i, j](…)`");
                    self.report(d);
                    return None;
                }
            }
        }
        Some(out)
    }
}

/// An index of a fold, and its range where one is written.
type WrittenHead<'h> = (&'h ast::Ident, Option<&'h ast::Expr>);

/// The ends of an index's range.
struct Ends {
    start: ast::Expr,
    end: ast::Expr,
    inclusive: bool,
}

/// The ends of a range that is written out.
fn written_ends(range: Option<&ast::Expr>) -> Option<Ends> {
    let ast::ExprKind::Range { start, end, inclusive } = &range?.kind else { return None };
    Some(Ends { start: (**start).clone(), end: (**end).clone(), inclusive: *inclusive })
}

/// An index of a fold with its range.
struct FoldHead<'h> {
    index: &'h ast::Ident,
    range: Ends,
}

/// Whether a name is that of a fold's cells: their first ones always are defined.
pub(crate) fn is_fold(name: &Name) -> bool {
    name.as_str().starts_with("reduce[")
}

/// The names of one fold within another.
struct Level {
    /// The cells.
    cells: String,
    /// The step: one more than the number of terms before it.
    step: String,
}

/// Makes the tree of a fold.
struct Tree<'r> {
    r: &'r ast::Reduce,
    items: Vec<ast::WhereItem>,
    span: Span,
}

impl Tree<'_> {
    /// The fold over these indices from a start on:
    /// `{ let c[0] = start; let c[t in 1..n + 1] = …; if n > 0 { c[n] } else { start } }`,
    /// where the number of terms `n` may depend on indices around.
    fn fold(&self, heads: &[FoldHead<'_>], start: &ast::Expr) -> ast::Expr {
        let (head, inner) = heads.split_first().expect("a fold has an index");
        let index = head.index;
        let level = Level {
            cells: format!("reduce[{}]", index.name),
            step: format!("term of {}", index.name),
        };
        let before = self.read(&level, self.minus_one(self.name(&level.step)));
        let value = match inner {
            [] => self.combined(before),
            _ => self.fold(inner, &before),
        };
        let first =
            self.clause(&level, ast::SlotKind::Fixed(self.number(0)), start.clone(), Vec::new());
        let (slot, index_value) = self.steps(&level, head);
        let bind = ast::WhereItemKind::Bind { name: index.clone(), value: index_value };
        let mut items = vec![ast::WhereItem { span: index.span, kind: bind }];
        if inner.is_empty() {
            items.extend(self.items.iter().filter(|i| is_bind(i)).cloned());
        }
        let next = self.clause(&level, slot, value, items);
        let some = self.binary(ast::BinaryOp::Gt, self.count(&head.range), self.number(0));
        let last = self.read(&level, self.count(&head.range));
        let tail = self.choice(some, last, start.clone());
        let block =
            ast::Block { span: self.span, stmts: vec![first, next], tail: Some(Box::new(tail)) };
        self.at(ast::ExprKind::Block(block))
    }

    /// How many values a range has, where it has any.
    fn count(&self, range: &Ends) -> ast::Expr {
        let n = self.binary(ast::BinaryOp::Sub, range.end.clone(), range.start.clone());
        match range.inclusive {
            true => self.binary(ast::BinaryOp::Add, n, self.number(1)),
            false => n,
        }
    }

    /// The slot of the steps, and the index at a step.
    fn steps(&self, level: &Level, head: &FoldHead<'_>) -> (ast::SlotKind, ast::Expr) {
        let name = ast::Ident { name: Name::new(&level.step), span: self.span };
        let end = self.binary(ast::BinaryOp::Add, self.count(&head.range), self.number(1));
        let range = ast::ExprKind::Range {
            start: Box::new(self.number(1)),
            end: Box::new(end),
            inclusive: false,
        };
        let before = self.minus_one(self.name(&level.step));
        let index = self.binary(ast::BinaryOp::Add, head.range.start.clone(), before);
        (ast::SlotKind::Index { name, range: Some(self.at(range)) }, index)
    }

    /// `f(so_far, body)`, or the value so far where a guard is false.
    fn combined(&self, so_far: ast::Expr) -> ast::Expr {
        let value = self.apply(so_far.clone());
        let guards = self.items.iter().filter_map(|i| match &i.kind {
            ast::WhereItemKind::Guard(g) => Some(g.clone()),
            ast::WhereItemKind::Bind { .. } => None,
        });
        let all = guards.reduce(|a, b| self.binary(ast::BinaryOp::And, a, b));
        match all {
            None => value,
            Some(cond) => self.choice(cond, value, so_far),
        }
    }

    fn choice(&self, cond: ast::Expr, yes: ast::Expr, no: ast::Expr) -> ast::Expr {
        let no = self.at(ast::ExprKind::Block(self.block(no)));
        self.at(ast::ExprKind::If(ast::If {
            cond: Box::new(cond),
            then: self.block(yes),
            otherwise: Some(Box::new(no)),
        }))
    }

    /// The function on the value so far and the term. One written in place is a block.
    fn apply(&self, so_far: ast::Expr) -> ast::Expr {
        let term = (*self.r.body).clone();
        let ast::ExprKind::Lambda(l) = &self.r.function.kind else {
            let arg = |value: ast::Expr| ast::Arg { span: value.span, name: None, value };
            let args = vec![arg(so_far), arg(term)];
            let callee = self.r.function.clone();
            return self.at(ast::ExprKind::Call { callee, args });
        };
        // The term is evaluated where the first parameter does not hide what it means.
        let hidden = ast::Ident { name: Name::new(TERM), span: self.span };
        let stmts = vec![
            self.bind(&hidden, None, term),
            self.bind(&l.params[0].name, l.params[0].ty.clone(), so_far),
            self.bind(&l.params[1].name, l.params[1].ty.clone(), self.name(TERM)),
        ];
        let tail = Some(l.body.clone());
        self.at(ast::ExprKind::Block(ast::Block { span: self.r.function.span, stmts, tail }))
    }

    fn bind(&self, name: &ast::Ident, ty: Option<ast::Type>, value: ast::Expr) -> ast::Stmt {
        let kind = ast::LetPatternKind::Name(name.clone());
        let pattern = ast::LetPattern { span: name.span, kind };
        let kind = ast::StmtKind::Let(ast::Let { public: false, pattern, ty, value });
        ast::Stmt { span: self.span, kind }
    }

    fn block(&self, value: ast::Expr) -> ast::Block {
        ast::Block { span: value.span, stmts: Vec::new(), tail: Some(Box::new(value)) }
    }

    fn clause(
        &self,
        level: &Level,
        slot: ast::SlotKind,
        body: ast::Expr,
        where_items: Vec<ast::WhereItem>,
    ) -> ast::Stmt {
        let kind = ast::StmtKind::Indexed(ast::Indexed {
            name: ast::Ident { name: Name::new(&level.cells), span: self.r.name.span },
            slots_span: self.span,
            slots: vec![ast::Slot { span: self.span, kind: slot }],
            ty: None,
            alternatives: vec![body],
            where_items,
            otherwise: None,
        });
        ast::Stmt { span: self.span, kind }
    }

    fn at(&self, kind: ast::ExprKind) -> ast::Expr {
        ast::Expr { span: self.span, kind }
    }

    fn name(&self, name: &str) -> ast::Expr {
        let segments = vec![ast::Ident { name: Name::new(name), span: self.span }];
        self.at(ast::ExprKind::Path(ast::Path { span: self.span, segments }))
    }

    fn number(&self, n: i128) -> ast::Expr {
        let value = ast::NumberValue::Int(n);
        self.at(ast::ExprKind::Number(ast::Number { text: n.to_string(), value }))
    }

    fn binary(&self, op: ast::BinaryOp, lhs: ast::Expr, rhs: ast::Expr) -> ast::Expr {
        let (lhs, rhs) = (Box::new(lhs), Box::new(rhs));
        self.at(ast::ExprKind::Binary { op, op_span: self.span, lhs, rhs })
    }

    fn minus_one(&self, e: ast::Expr) -> ast::Expr {
        self.binary(ast::BinaryOp::Sub, e, self.number(1))
    }

    fn read(&self, level: &Level, at: ast::Expr) -> ast::Expr {
        let item = ast::Item { span: self.span, kind: ast::ItemKind::Expr(at) };
        let base = Box::new(self.name(&level.cells));
        self.at(ast::ExprKind::Index { base, items: vec![item] })
    }
}

fn is_bind(item: &ast::WhereItem) -> bool {
    matches!(item.kind, ast::WhereItemKind::Bind { .. })
}
