//! `match`: arms in order become nested `if`s; every case must have one.
//!
//! What is known while checking decides while checking, as in `if`: an arm that cannot be
//! taken is not checked.

use crate::checker::{Checker, Hidden};
use crate::handles::Matches;
use crate::pattern::{both, is_false, is_true};
use crate::scope::Binding;
use crate::thir::{Block, Expr, ExprKind, Stmt, Ty};
use crate::typed::body_cx::Effects;
use crate::typed::choice::Choice;
use crate::typed::matching::Case;
use crate::typed::values::{error_expr, value};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_hir as hir;

impl Matches<'_, '_> {
    pub fn match_expr(&mut self, m: &hir::Match, span: Span) -> Expr {
        let scrutinee = self.checker.expr(&m.scrutinee);
        let scrutinee = self.checker.cx().conversions().known_elements(scrutinee);
        if scrutinee.ty == Ty::Error {
            return error_expr(span);
        }
        if scrutinee.ty.rank().is_some_and(|r| r > 0) && !m.arms.iter().any(takes_arrays) {
            let found = self.checker.at().show_ty(&scrutinee.ty);
            let d = Diagnostic::error(
                Code::E0308,
                format!("`match` looks at one value, not at {found}"),
            )
            .primary(scrutinee.span, format!("this is {found}"))
            .help("match the cells: `let y[i] = match x[i] { … };`");
            return self.checker.error(d);
        }
        let Some(cases) = self.cases(m, &scrutinee.ty) else { return error_expr(span) };
        if !self.checker.cx().patterns().all_covered(&cases, &scrutinee, span) {
            return error_expr(span);
        }
        let (place, stmt) = self.place_of(scrutinee);
        self.checker.cx().push_scope();
        let effects = std::mem::take(&mut self.checker.cx().effects);
        let before = self.checker.cx().pending.len();
        let chosen = self.chain(&cases, &place, span);
        let cx = self.checker.cx();
        cx.pop_scope();
        // What has effects, or is measured, runs in its turn, behind what it looks at.
        let in_turn = cx.effects != Effects::None || cx.pending.len() > before;
        let stmt = match cx.is_host() && in_turn {
            true => {
                cx.pending.splice(before..before, stmt);
                None
            }
            false => stmt,
        };
        let chosen = self.checker.cx().turns().in_turn(chosen, effects);
        match stmt {
            None => Expr { span, ..chosen },
            Some(stmt) => {
                let (ty, term) = (chosen.ty.clone(), chosen.term.clone());
                if ty == Ty::Error {
                    return error_expr(span);
                }
                let block = Block { stmts: vec![stmt], tail: Some(Box::new(chosen)) };
                Expr { kind: ExprKind::Block(block), ty, span, term }
            }
        }
    }

    /// The alternatives of all arms.
    fn cases<'m>(&mut self, m: &'m hir::Match, ty: &Ty) -> Option<Vec<Case<'m>>> {
        let mut out = Vec::new();
        let mut failed = false;
        for arm in &m.arms {
            let first = out.len();
            for pat in &arm.pats {
                match self.pattern(pat, ty) {
                    Some(pattern) => out.push(Case { pattern, arm }),
                    None => failed = true,
                }
            }
            failed |= !self.checker.cx().patterns().alternatives_agree(&out[first..], arm);
        }
        (!failed).then_some(out)
    }

    /// The value as something that may be named many times.
    fn place_of(&mut self, e: Expr) -> (Expr, Option<Stmt>) {
        let known = matches!(e.kind, ExprKind::Local(_) | ExprKind::Const(_) | ExprKind::Index(_));
        if known || crate::typed::values::constant_text(&e).is_some() {
            return (e, None);
        }
        let Hidden { id, stmt, .. } = self.checker.hidden("match", e);
        let span = self.checker.body().locals[id].span;
        let (ty, term) = (
            self.checker.body().locals[id].ty.clone(),
            self.checker.body().locals[id].term.clone(),
        );
        (Expr { kind: ExprKind::Local(id), ty, span, term }, Some(stmt))
    }

    /// The arms from the first on.
    fn chain(&mut self, cases: &[Case<'_>], place: &Expr, span: Span) -> Expr {
        let Some((case, rest)) = cases.split_first() else { return error_expr(span) };
        let test = self.pattern_test(&case.pattern, place);
        if test.as_ref().is_some_and(|t| t.ty == Ty::Error) {
            return error_expr(span);
        }
        if test.as_ref().is_some_and(is_false) {
            return self.chain(rest, place, span);
        }
        let mut test = test.filter(|t| !is_true(t));
        if let Some(guard) = &case.arm.guard {
            let guard = self.guarded(case, guard, place, test.as_ref());
            test = Some(match test {
                Some(test) => both(test, guard, span),
                None => guard,
            });
        }
        match test {
            // The last of arms that cover everything is taken where no other is.
            Some(test) if !rest.is_empty() || case.arm.guard.is_some() => {
                if is_false(&test) {
                    return self.chain(rest, place, span);
                }
                if is_true(&test) {
                    return self.arm_value(case, place, &case.arm.body);
                }
                let then = self
                    .checker
                    .under(&test, true, |c| c.matches().arm_value(case, place, &case.arm.body));
                let other =
                    self.checker.under(&test, false, |c| c.matches().others(rest, place, span));
                self.checker.choices().choose(Choice::Match, test, then, other, span)
            }
            _ => self.arm_value(case, place, &case.arm.body),
        }
    }

    /// The arms behind one that is not taken, with what must stand before them.
    fn others(&mut self, cases: &[Case<'_>], place: &Expr, span: Span) -> Expr {
        if !self.checker.cx().is_host() {
            return self.chain(cases, place, span);
        }
        let outer = std::mem::take(&mut self.checker.cx().pending);
        let e = self.chain(cases, place, span);
        let stmts = std::mem::replace(&mut self.checker.cx().pending, outer);
        if stmts.is_empty() || e.ty == Ty::Error {
            return e;
        }
        let Expr { ty, term, span, .. } = e.clone();
        let block = Block { stmts, tail: Some(Box::new(e)) };
        value(ExprKind::Block(block), ty, span).with_term(term)
    }

    fn guarded(
        &mut self,
        case: &Case<'_>,
        guard: &hir::Expr,
        place: &Expr,
        test: Option<&Expr>,
    ) -> Expr {
        let check = |c: &mut Checker<'_>| {
            let e = c.matches().arm_value(case, place, guard);
            let bool = crate::thir::Elem::Fixed(weft_scalar::ScalarType::Bool);
            c.cx().conversions().expect_elem(e, bool, "a guard")
        };
        match test {
            Some(test) => self.checker.under(test, true, check),
            None => check(self.checker),
        }
    }

    /// An expression with the names of an arm bound.
    fn arm_value(&mut self, case: &Case<'_>, place: &Expr, body: &hir::Expr) -> Expr {
        let mut names = Vec::new();
        self.checker.cx().push_scope();
        let outer =
            self.checker.cx().is_host().then(|| std::mem::take(&mut self.checker.cx().pending));
        self.pattern_names(&case.pattern, place, &mut names);
        let mut stmts = Vec::new();
        for (name, e) in names {
            if e.ty == Ty::Error {
                self.checker.cx().bind(name.var, Binding::Poisoned);
                continue;
            }
            let e = if is_host_data(&e) { self.checker.cx().parts().measured(e) } else { e };
            stmts.append(&mut self.checker.cx().pending);
            let id = self.checker.cx().local(&name.name, name.span, e.ty.clone(), e.term.clone());
            self.checker.cx().remember_value(id, &e);
            self.checker.cx().bind(name.var, Binding::Local(id));
            stmts.push(Stmt::Let(id, e));
        }
        let e = self.checker.expr(body);
        if let Some(outer) = outer {
            stmts.append(&mut self.checker.cx().pending);
            self.checker.cx().pending = outer;
        }
        self.checker.cx().pop_scope();
        if stmts.is_empty() || e.ty == Ty::Error {
            return e;
        }
        let Expr { ty, term, span, .. } = e.clone();
        let block = Block { stmts, tail: Some(Box::new(e)) };
        value(ExprKind::Block(block), ty, span).with_term(term)
    }
}

/// Whether a value comes out of host data.
fn is_host_data(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Host(..) => true,
        ExprKind::Field(x, _) => is_host_data(x),
        _ => false,
    }
}

fn takes_arrays(arm: &hir::Arm) -> bool {
    arm.pats.iter().any(|p| match &p.kind {
        hir::PatKind::Array(_) => true,
        hir::PatKind::Bind { sub: Some(p), .. } => matches!(p.kind, hir::PatKind::Array(_)),
        hir::PatKind::Bind { .. } | hir::PatKind::Wildcard => true,
        _ => false,
    })
}
