//! `reduce[f, e, i in lo..hi](b where …)`: a fold by a function, from left to right.
//!
//! It is a recurrence: `c[0] = e; c[t] = f(c[t - 1], b)` with `i = lo + t - 1`, of which the
//! last cell is the value. So bounds, windows and code are those of recurrences, and nothing
//! below the tree knows of folds. Several indices are folds within
//! folds, outermost first. The names made here are none that a program can write.
//!
//! Not here: the accumulators with a name of their own (`reduction.rs`).

use crate::handles::Sequences;
use crate::reduction::hold_definitions;
use crate::scope::Binding;
use crate::thir::{Elem, Expr, Ty};
use crate::typed::fold::WrittenHead;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_domain::{Affine, Iter};
use weft_hir as hir;

/// Folds without ranges within each other: each goes over its terms once more to find them.
const DEEPEST_FOLD: u32 = 8;

/// The term that a function written in place takes.
const TERM: &str = "term of reduce";

/// The ends of an index's range.
struct Ends {
    start: hir::Expr,
    end: hir::Expr,
    inclusive: bool,
}

/// An index of a fold with its range.
struct FoldHead<'h> {
    index: &'h hir::Ident,
    range: Ends,
}

/// The names of one fold within another.
struct Level {
    /// The cells.
    cells: hir::Ident,
    /// The step: one more than the number of terms before it.
    step: hir::Ident,
}

/// Makes the tree of a fold.
struct Tree<'r> {
    r: &'r hir::Reduce,
    /// The term that a function written in place takes.
    term: hir::Ident,
    span: Span,
}

impl Tree<'_> {
    /// The fold over these indices from a start on:
    /// `{ let c[0] = start; let c[t in 1..n + 1] = …; if n > 0 { c[n] } else { start } }`,
    /// where the number of terms `n` may depend on indices around.
    fn fold(&self, heads: &[FoldHead<'_>], levels: &[Level], start: &hir::Expr) -> hir::Expr {
        let (head, inner) = heads.split_first().expect("a fold has an index");
        let (level, deeper) = levels.split_first().expect("each index has a level");
        let index = head.index;
        let before = self.read(level, self.minus_one(self.name(&level.step)));
        let value = match inner {
            [] => self.combined(before),
            _ => self.fold(inner, deeper, &before),
        };
        let first =
            self.clause(level, hir::SlotKind::Fixed(self.number(0)), start.clone(), Vec::new());
        let (slot, index_value) = self.steps(level, head);
        let mut items = vec![hir::WhereItem::bind(index.clone(), index_value)];
        if inner.is_empty() {
            items.extend(self.r.where_items.iter().filter(|i| is_bind(i)).cloned());
        }
        let next = self.clause(level, slot, value, items);
        let some = self.binary(hir::BinaryOp::Gt, self.count(&head.range), self.number(0));
        let last = self.read(level, self.count(&head.range));
        let tail = self.choice(some, last, start.clone());
        let definition = hir::Definition { name: level.cells.clone(), clauses: vec![first, next] };
        let kind = hir::StmtKind::Definitions(vec![definition]);
        let stmts = vec![hir::Stmt { span: self.span, kind }];
        let block = hir::Block { span: self.span, stmts, tail: Some(Box::new(tail)) };
        self.at(hir::ExprKind::Block(block))
    }

    /// How many values a range has, where it has any.
    fn count(&self, range: &Ends) -> hir::Expr {
        let n = self.binary(hir::BinaryOp::Sub, range.end.clone(), range.start.clone());
        match range.inclusive {
            true => self.binary(hir::BinaryOp::Add, n, self.number(1)),
            false => n,
        }
    }

    /// The slot of the steps, and the index at a step.
    fn steps(&self, level: &Level, head: &FoldHead<'_>) -> (hir::SlotKind, hir::Expr) {
        let name = level.step.clone();
        let end = self.binary(hir::BinaryOp::Add, self.count(&head.range), self.number(1));
        let range = hir::Expr::range(self.number(1), end, self.span);
        let before = self.minus_one(self.name(&level.step));
        let index = self.binary(hir::BinaryOp::Add, head.range.start.clone(), before);
        (hir::SlotKind::index(name, Some(range)), index)
    }

    /// `f(so_far, body)`, or the value so far where a guard is false.
    fn combined(&self, so_far: hir::Expr) -> hir::Expr {
        let value = self.apply(so_far.clone());
        let guards = self.r.where_items.iter().filter_map(|i| match &i.kind {
            hir::WhereItemKind::Guard(g) => Some(g.clone()),
            hir::WhereItemKind::Bind { .. } => None,
        });
        let all = guards.reduce(|a, b| self.binary(hir::BinaryOp::And, a, b));
        match all {
            None => value,
            Some(cond) => self.choice(cond, value, so_far),
        }
    }

    fn choice(&self, cond: hir::Expr, yes: hir::Expr, no: hir::Expr) -> hir::Expr {
        let no = self.at(hir::ExprKind::Block(hir::Block::of(no)));
        self.at(hir::ExprKind::If(hir::If {
            cond: Box::new(cond),
            then: hir::Block::of(yes),
            otherwise: Some(Box::new(no)),
        }))
    }

    /// The function on the value so far and the term. One written in place is a block.
    fn apply(&self, so_far: hir::Expr) -> hir::Expr {
        let term = (*self.r.body).clone();
        let hir::ExprKind::Lambda(l) = &self.r.function.kind else {
            let arg = |value: hir::Expr| hir::Arg { span: value.span, name: None, value };
            let args = vec![arg(so_far), arg(term)];
            let callee = self.r.function.clone();
            return self.at(hir::ExprKind::Call { callee, args });
        };
        // The term is evaluated where the first parameter does not hide what it means.
        let stmts = vec![
            self.bind(&self.term, None, term),
            self.bind(&l.params[0].name, l.params[0].ty.clone(), so_far),
            self.bind(&l.params[1].name, l.params[1].ty.clone(), self.name(&self.term)),
        ];
        let tail = Some(l.body.clone());
        self.at(hir::ExprKind::Block(hir::Block { span: self.r.function.span, stmts, tail }))
    }

    fn bind(&self, name: &hir::Ident, ty: Option<hir::Type>, value: hir::Expr) -> hir::Stmt {
        let kind = hir::LetPatternKind::Name(name.clone());
        let pattern = hir::LetPattern { span: name.span, kind };
        let kind = hir::StmtKind::Let(hir::Let { pattern, ty, value, replaced: None });
        hir::Stmt { span: self.span, kind }
    }

    fn clause(
        &self,
        level: &Level,
        slot: hir::SlotKind,
        body: hir::Expr,
        where_items: Vec<hir::WhereItem>,
    ) -> hir::Clause {
        hir::Clause::of_one_slot(level.cells.clone(), slot, body, where_items, self.span)
    }

    fn at(&self, kind: hir::ExprKind) -> hir::Expr {
        hir::Expr { span: self.span, kind }
    }

    fn name(&self, ident: &hir::Ident) -> hir::Expr {
        hir::Expr::of_var(ident, self.span)
    }

    fn number(&self, n: i128) -> hir::Expr {
        hir::Expr::integer(n, self.span)
    }

    fn binary(&self, op: hir::BinaryOp, lhs: hir::Expr, rhs: hir::Expr) -> hir::Expr {
        hir::Expr::binary(op, lhs, rhs, self.span)
    }

    fn minus_one(&self, e: hir::Expr) -> hir::Expr {
        self.binary(hir::BinaryOp::Sub, e, self.number(1))
    }

    fn read(&self, level: &Level, at: hir::Expr) -> hir::Expr {
        hir::Expr::cell(self.name(&level.cells), at, self.span)
    }
}

impl Sequences<'_, '_> {
    /// A fold by a function.
    pub fn folded(&mut self, r: &hir::Reduce, span: Span) -> Expr {
        self.checker.in_passes(hold_definitions(&r.where_items, &r.body), |c| {
            c.sequences().fold_of(r, span)
        })
    }

    fn fold_of(&mut self, r: &hir::Reduce, span: Span) -> Expr {
        let Some(heads) = self.checker.cx().fold_heads(&r.heads) else {
            return crate::typed::values::error_expr(span);
        };
        if heads.is_empty() {
            let d = Diagnostic::error(Code::E0001, "`reduce` runs over named indices")
                .primary(span, "expected the name of an index after the identity");
            return self.checker.error(d);
        }
        if let hir::ExprKind::Lambda(l) = &r.function.kind
            && l.params.len() != 2
        {
            let headline = format!(
                "`reduce` takes a function of 2 arguments, found one of {}",
                l.params.len()
            );
            let d = Diagnostic::error(Code::E0061, headline)
                .primary(r.function.span, "combines the value so far with the next term");
            return self.checker.error(d);
        }
        let start = self.checker.unreported(|c| c.expr(&r.identity));
        if matches!(start.ty, Ty::Str | Ty::List(_)) {
            let found = self.checker.at().show_ty(&start.ty);
            let d = Diagnostic::error(Code::E0308, format!("`reduce` of {found}"))
                .primary(r.identity.span, "a fold computes with numbers")
                .help("strings of a list are joined by `std::text::join(list)`");
            return self.checker.error(d);
        }
        self.checker.fold_indices.extend(heads.iter().map(|h| h.0.var));
        self.checker.cx().push_scope();
        let ranges = self.fold_ranges(r, &heads);
        let whole = ranges.map(|ranges| {
            let heads: Vec<FoldHead> =
                heads.iter().zip(ranges).map(|(h, range)| FoldHead { index: h.0, range }).collect();
            let levels: Vec<Level> = heads.iter().map(|h| self.level(r, h.index, span)).collect();
            let term = self.checker.fresh(TERM, span);
            Tree { r, term, span }.fold(&heads, &levels, &r.identity)
        });
        let e = whole.map_or_else(
            || crate::typed::values::error_expr(span),
            |whole| self.checker.expr(&whole),
        );
        self.checker.cx().pop_scope();
        e
    }

    /// The range of each index: as written, or the one that a sum over the same terms would
    /// infer, as names for its ends. `None` where that sum would be wrong, which is said.
    fn fold_ranges(&mut self, r: &hir::Reduce, heads: &[WrittenHead<'_>]) -> Option<Vec<Ends>> {
        let written: Option<Vec<Ends>> =
            heads.iter().map(|(_, range)| written_ends(*range)).collect();
        if written.is_some() {
            return written;
        }
        if self.checker.folds >= DEEPEST_FOLD {
            let headline = format!("a fold without a range within {DEEPEST_FOLD} others");
            let d =
                Diagnostic::error(Code::E0003, headline).primary(r.name.span, "nested too deep");
            self.checker.report(d.help("state the ranges: `reduce[f, e, i in 0..n](…)`"));
            return None;
        }
        self.checker.folds += 1;
        let reported = self.checker.cx().sink.len();
        self.checker.cx().ranges().push_frame();
        let (iters, _, body) = self.checker.reads().terms(&r.heads, &r.where_items, &r.body);
        self.checker.finish_frame(hold_definitions(&r.where_items, &r.body));
        self.checker.folds -= 1;
        if self.checker.at().has_errors_since(reported)
            || body.ty == Ty::Error
            || iters.len() != heads.len()
        {
            self.checker.cx().ranges().poison();
            return None;
        }
        // The terms are checked again where they are combined.
        self.checker.cx().sink.truncate(reported);
        heads.iter().zip(iters).map(|(&(index, range), i)| self.ends(index, range, i)).collect()
    }

    fn ends(&mut self, index: &hir::Ident, range: Option<&hir::Expr>, i: Iter) -> Option<Ends> {
        if let Some(ends) = written_ends(range) {
            return Some(ends);
        }
        let (lo, hi) = self.checker.at().known().range(i)?.clone();
        let start = self.named_end(&format!("start of {}", index.name), index.span, lo);
        let end = self.named_end(&format!("end of {}", index.name), index.span, hi);
        Some(Ends { start, end, inclusive: false })
    }

    /// An expression for an inferred end of a range.
    fn named_end(&mut self, name: &str, span: Span, term: Affine) -> hir::Expr {
        let ident = self.checker.fresh(name, span);
        let id =
            self.checker.cx().local(&ident.name, ident.span, Ty::scalar(Elem::OpenInt), Some(term));
        self.checker.cx().bind(ident.var, Binding::Local(id));
        hir::Expr::of_var(&ident, span)
    }

    fn level(&mut self, r: &hir::Reduce, index: &hir::Ident, span: Span) -> Level {
        let cells = self.checker.fresh(&format!("reduce[{}]", index.name), r.name.span);
        let step = self.checker.fresh(&format!("term of {}", index.name), span);
        Level { cells, step }
    }
}

/// The ends of a range that is written out.
fn written_ends(range: Option<&hir::Expr>) -> Option<Ends> {
    let hir::ExprKind::Range { start, end, inclusive } = &range?.kind else { return None };
    Some(Ends { start: (**start).clone(), end: (**end).clone(), inclusive: *inclusive })
}

fn is_bind(item: &hir::WhereItem) -> bool {
    matches!(item.kind, hir::WhereItemKind::Bind { .. })
}
