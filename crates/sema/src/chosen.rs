//! A choice between functions: a function that makes the choice where it is called.
//!
//! `if c { f } else { g }` is `|x…| if c { f(x…) } else { g(x…) }`, which captures the three
//! values: so it stays known what is called.

use crate::checker::{Checker, error_expr};
use crate::failing::with_first;
use crate::pattern::path_to;
use crate::thir::{Expr, FnId};
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_syntax::ast;

impl Checker<'_> {
    /// The choice between `f`, the value `a`, and `g`, the value `b`.
    pub fn choose_functions(
        &mut self,
        cond: Expr,
        (f, a): (FnId, Expr),
        (g, b): (FnId, Expr),
        span: Span,
    ) -> Expr {
        let counts = [self.parameter_count(f), self.parameter_count(g)];
        if counts[0] != counts[1] {
            let d = Diagnostic::error(
                Code::E0308,
                format!("{} take {} and {} arguments", self.choice, counts[0], counts[1]),
            )
            .primary(b.span, format!("a function of {}", counts[1]))
            .secondary(a.span, format!("a function of {}", counts[0]));
            self.report(d);
            return error_expr(span);
        }
        self.push_scope();
        let mut names = Vec::new();
        let mut stmts = Vec::new();
        for (what, e) in [("condition", cond), ("one", a), ("other", b)] {
            let (id, stmt) = self.hidden(what, e);
            names.push(self.body().locals[id].name.clone());
            stmts.push(stmt);
        }
        let chosen = self.lambda(&lambda(counts[0], &names, span), span);
        self.pop_scope();
        stmts.into_iter().rev().fold(chosen, |e, stmt| with_first(stmt, e))
    }

    /// How many arguments a function value takes.
    fn parameter_count(&self, f: FnId) -> usize {
        let function = &self.functions[f];
        function.closure.as_ref().map_or(&function.def, |c| &c.shown).params.len()
    }
}

/// `|x0, …| if condition { one(x0, …) } else { other(x0, …) }`.
fn lambda(count: usize, names: &[Name], span: Span) -> ast::Lambda {
    let ident = |n: usize| ast::Ident { name: Name::new(&format!("x{n}")), span };
    let call = |f: &Name| {
        let arg = |n| ast::Arg { span, name: None, value: path_to(&ident(n).name, span) };
        let callee = Box::new(path_to(f, span));
        let kind = ast::ExprKind::Call { callee, args: (0..count).map(arg).collect() };
        let tail = Box::new(ast::Expr { span, kind });
        ast::Block { span, stmts: Vec::new(), tail: Some(tail) }
    };
    let otherwise = ast::Expr { span, kind: ast::ExprKind::Block(call(&names[2])) };
    let choice = ast::If {
        cond: Box::new(path_to(&names[0], span)),
        then: call(&names[1]),
        otherwise: Some(Box::new(otherwise)),
    };
    let body = Box::new(ast::Expr { span, kind: ast::ExprKind::If(choice) });
    let param = |n| ast::Param { span, name: ident(n), ty: None, default: None };
    ast::Lambda { params: (0..count).map(param).collect(), body }
}
