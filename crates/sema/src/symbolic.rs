//! Differentials in source form: `print(@y)`.
//!
//! A differential is a sum of terms, each a product of values of the program with one leaf;
//! terms with equal factors are added up. The definition of `y` is differentiated once:
//! what it reads keeps its name. Calls of the program's functions are entered, so that what
//! is printed has the caller's names.

mod substitute;
mod terms;

use crate::checker::Checker;
use crate::hir::{Elem, LocalId, Ty};
use crate::scope::{Binding, FnId};
use std::rc::Rc;
use substitute::{Meaning, Names, Writer, made, name_of, words};
use terms::{Leaf, Term, added, leaf, scaled, sum_text, with_divisor, with_factor};
use weft_base::Span;
use weft_syntax::ast::{self, BinaryOp as Op, ExprKind as K};

/// What the program writes for a name.
#[derive(Debug, Clone)]
pub(crate) enum Written {
    /// `let y = value;`
    Value(Rc<ast::Expr>),
    /// `let y[slots] = body;`, clause by clause; none where a clause has more to it.
    Clauses(Vec<Option<(Span, Rc<ast::Expr>)>>),
}

impl Checker<'_> {
    /// Remembers what is written for a name that was just bound.
    pub fn note_value(&mut self, name: &ast::Ident, value: &ast::Expr) {
        if let Some(Binding::Local(id)) = self.lookup(name.as_str()) {
            let written = Written::Value(Rc::new(value.clone()));
            self.cx().written.insert_mut(id, written);
        }
    }

    /// The same of a definition by clauses.
    pub fn note_clause(&mut self, c: &ast::Indexed) {
        let Some(Binding::Local(id)) = self.lookup(c.name.as_str()) else { return };
        let plain = c.where_items.is_empty() && c.otherwise.is_none();
        let clause = match c.alternatives.as_slice() {
            [body] if plain => Some((c.slots_span, Rc::new(body.clone()))),
            _ => None,
        };
        let written = &mut self.cx().written;
        match written.get_mut(&id) {
            Some(Written::Clauses(all)) => all.push(clause),
            Some(Written::Value(_)) => {}
            None => written.insert_mut(id, Written::Clauses(vec![clause])),
        }
    }

    /// A differential as the program would write it; `None` where it goes through what has
    /// no form of its own.
    pub fn in_source_form(&mut self, d: &ast::Expr) -> Option<String> {
        self.muted += 1;
        let text = Form { checker: self, inside: Vec::new(), entered: 0 }.text_of(d);
        self.muted -= 1;
        text.filter(|t| t.len() <= LONGEST)
    }
}

/// What is longer says nothing to people, and may have grown without bound.
const LONGEST: usize = 4000;

/// Functions that are entered within each other, and one after the other, at most.
const DEEPEST: usize = 20;
const MOST: usize = 500;

/// Writes a differential.
struct Form<'c, 'a> {
    checker: &'c mut Checker<'a>,
    /// The functions that are entered.
    inside: Vec<FnId>,
    /// How many were.
    entered: usize,
}

impl<'a> Form<'_, 'a> {
    fn writer(&self) -> Writer<'a> {
        Writer(self.checker.source)
    }

    fn text_of(&mut self, d: &ast::Expr) -> Option<String> {
        if let K::Unary { op: ast::UnaryOp::Diff, operand, .. } = &d.kind {
            let name = self.writer().text(operand);
            match self.written(operand) {
                Some(Written::Clauses(all)) => {
                    return self.clause_lines(&format!("@{name}"), all, Form::differentiated);
                }
                Some(Written::Value(value)) => {
                    if let Some(Meaning::Cells(clauses)) = self.given_by(&value) {
                        return self.lines(&name, &clauses);
                    }
                }
                None => {}
            }
        }
        if let (true, Some(Written::Clauses(all))) =
            (self.is_bound_differential(d), self.written(d))
        {
            let name = self.writer().text(d);
            return self.clause_lines(&name, all, Form::terms_of);
        }
        let terms = self.terms_of(d)?;
        Some(sum_text(&terms))
    }

    /// `name[slots] = …`, a line for each clause.
    fn clause_lines(
        &mut self,
        name: &str,
        clauses: Vec<Option<(Span, Rc<ast::Expr>)>>,
        of: fn(&mut Self, &ast::Expr) -> Option<Vec<Term>>,
    ) -> Option<String> {
        let line = |clause: Option<(Span, Rc<ast::Expr>)>| {
            let (slots, body) = clause?;
            let slots = self.slot_names(slots);
            Some(format!("{name}{slots} = {}", sum_text(&of(self, &body)?)))
        };
        Some(clauses.into_iter().map(line).collect::<Option<Vec<_>>>()?.join("\n"))
    }

    /// The differential of cells that a function defines.
    fn lines(&mut self, name: &str, clauses: &[ast::Indexed]) -> Option<String> {
        let mut lines = Vec::new();
        for clause in clauses {
            let slots = self.slot_names(clause.slots_span);
            let terms = self.differentiated(clause.alternatives.first()?)?;
            lines.push(format!("@{name}{slots} = {}", sum_text(&terms)));
        }
        Some(lines.join("\n"))
    }

    /// What a call of one of the program's functions gives, in the terms of the caller;
    /// `None` for others, and where that has no form.
    fn given_by(&mut self, e: &ast::Expr) -> Option<Meaning> {
        let K::Call { callee, args } = &e.kind else { return None };
        let f = self.function(callee)?;
        self.entered_with(f, args)
    }

    /// The function of the program that is called.
    fn function(&mut self, callee: &ast::Expr) -> Option<FnId> {
        let K::Path(path) = &callee.kind else { return None };
        // A built-in name is no path that resolves.
        match self.checker.lookup(path.as_name()?.as_str())? {
            Binding::Function(f) if self.checker.functions[f].module.is_none() => Some(f),
            _ => None,
        }
    }

    fn entered_with(&mut self, f: FnId, args: &[ast::Arg]) -> Option<Meaning> {
        let def = self.checker.functions[f].def.clone();
        let names = self.parameters(&def.params, args)?;
        self.writer().given(&def.body, names)
    }

    /// What the parameters of a call stand for.
    fn parameters(&mut self, params: &[ast::Param], args: &[ast::Arg]) -> Option<Names> {
        let mut names = Names::default();
        for (n, param) in params.iter().enumerate() {
            let named = |a: &&ast::Arg| a.name.as_ref().is_some_and(|m| m.name == param.name.name);
            let given = args.get(n).filter(|a| a.name.is_none()).or(args.iter().find(named));
            let value = match (given, &param.default) {
                (Some(arg), _) => arg.value.clone(),
                (None, Some(default)) => self.writer().substitute(default, &names)?,
                (None, None) => return None,
            };
            names.bind(&param.name.name, Meaning::Value(value));
        }
        Some(names)
    }

    /// The differential of a call: that of what the function gives, or what its rule says.
    fn called(&mut self, f: FnId, args: &[ast::Arg]) -> Option<Vec<Term>> {
        self.entered += 1;
        let deep = self.inside.contains(&f) || self.inside.len() >= DEEPEST;
        if deep || self.entered > MOST {
            return None;
        }
        let rule = self.checker.functions[f].rule.clone();
        let terms = match rule {
            Some((rule, _)) => {
                let names = self.parameters(&rule.params, args)?;
                let Meaning::Value(d) = self.writer().given(&rule.body, names)? else {
                    return None;
                };
                self.inside.push(f);
                self.terms_of(&d)
            }
            None => {
                let Meaning::Value(value) = self.entered_with(f, args)? else { return None };
                self.inside.push(f);
                self.differentiated(&value)
            }
        };
        self.inside.pop();
        terms
    }

    /// Slots without their ranges.
    fn slot_names(&self, span: Span) -> String {
        let text = self.writer().source(span);
        let inside = text.trim_start_matches('[').trim_end_matches(']');
        let slot = |s: &str| s.split(" in ").next().unwrap_or(s).trim().to_string();
        format!("[{}]", inside.split(',').map(slot).collect::<Vec<_>>().join(", "))
    }

    fn written(&mut self, leaf: &ast::Expr) -> Option<Written> {
        let id = self.local(leaf)?;
        let written = self.checker.cx().written.get(&id).cloned()?;
        let is_readable = match &written {
            Written::Value(value) => !self.is_shadowed_since(id, value),
            Written::Clauses(_) => true,
        };
        is_readable.then_some(written)
    }

    fn local(&mut self, name: &ast::Expr) -> Option<LocalId> {
        let K::Path(path) = &name.kind else { return None };
        match self.checker.lookup(path.as_name()?.as_str())? {
            Binding::Local(id) => Some(id),
            _ => None,
        }
    }

    /// Whether a name in the value of a binding means another binding by now.
    fn is_shadowed_since(&mut self, id: LocalId, value: &ast::Expr) -> bool {
        let text = self.writer().text(value);
        words(&text).any(|w| match self.checker.lookup(w) {
            Some(Binding::Local(other)) => other > id,
            _ => false,
        })
    }

    /// A binding that is a differential.
    fn is_bound_differential(&mut self, e: &ast::Expr) -> bool {
        let Some(id) = self.local(e) else { return false };
        matches!(self.checker.body().locals[id].ty, Ty::Differential(..))
    }

    /// Whether what is written is a differential: of a factor and a term, one is.
    fn has_differential(&mut self, e: &ast::Expr) -> bool {
        let mut of_block = |b: &ast::Block| match b.tail.as_deref() {
            Some(tail) => self.has_differential(tail),
            None => false,
        };
        match &e.kind {
            K::Path(_) => self.is_bound_differential(e),
            K::Index { base, .. } => self.has_differential(base),
            K::Unary { op, operand, .. } => {
                *op == ast::UnaryOp::Diff || self.has_differential(operand)
            }
            // Over another differential it is a value.
            K::Binary { op: Op::Div, lhs, rhs, .. } => {
                self.has_differential(lhs) && !self.has_differential(rhs)
            }
            K::Binary { lhs, rhs, .. } => self.has_differential(lhs) || self.has_differential(rhs),
            K::Reduction(r) => self.has_differential(&r.body),
            K::If(i) => of_block(&i.then),
            K::Block(b) => of_block(b),
            _ => false,
        }
    }

    /// A differential expression.
    fn terms_of(&mut self, d: &ast::Expr) -> Option<Vec<Term>> {
        match &d.kind {
            // Within a rule names stand for arguments, which stay as they are.
            K::Unary { op: ast::UnaryOp::Diff, operand, .. } if !self.inside.is_empty() => {
                self.differentiated(operand)
            }
            K::Unary { op: ast::UnaryOp::Diff, operand, .. } => match self.written(operand) {
                Some(Written::Value(value)) if !is_literal(&value) => self.differentiated(&value),
                _ => match &operand.kind {
                    K::Call { callee, args } => {
                        let f = self.function(callee)?;
                        self.called(f, args)
                    }
                    _ => Some(vec![leaf(Leaf::Name(format!("@{}", self.writer().text(operand))))]),
                },
            },
            K::Unary { op: ast::UnaryOp::Neg, operand, .. } => {
                Some(scaled(self.terms_of(operand)?, -1.0))
            }
            K::Binary { op: Op::Add, lhs, rhs, .. } => {
                Some(added(self.terms_of(lhs)?, self.terms_of(rhs)?))
            }
            K::Binary { op: Op::Sub, lhs, rhs, .. } => {
                Some(added(self.terms_of(lhs)?, scaled(self.terms_of(rhs)?, -1.0)))
            }
            K::Binary { op: Op::Mul, lhs, rhs, .. } => {
                let (d, by) = if self.has_differential(lhs) { (lhs, rhs) } else { (rhs, lhs) };
                let terms = self.terms_of(d)?;
                Some(self.times(terms, by))
            }
            K::Binary { op: Op::Div, lhs, rhs, .. } => {
                let terms = self.terms_of(lhs)?;
                Some(self.over(terms, rhs))
            }
            K::Number(_) => Some(Vec::new()),
            K::Block(b) => self.terms_of_block(b),
            K::If(i) => {
                let a = self.terms_of_block(&i.then)?;
                let b = self.terms_of(i.otherwise.as_deref()?)?;
                Some(vec![leaf(Leaf::If(self.writer().text(&i.cond), a, b))])
            }
            K::Reduction(r) if r.op == ast::Accumulator::Sum && r.where_items.is_empty() => {
                let (word, heads) = ("sum", self.writer().heads(r));
                let terms = self.terms_of(&r.body)?;
                Some(vec![leaf(Leaf::Sum { word, heads, terms, guard: None })])
            }
            K::Path(_) => match self.written(d) {
                Some(Written::Value(value)) => self.terms_of(&value),
                _ => self.named_differential(d),
            },
            K::Index { base, .. } => {
                self.is_bound_differential(base).then(|| self.named_differential(d))?
            }
            _ => None,
        }
    }

    /// A differential by the name that the program has for it.
    fn named_differential(&self, d: &ast::Expr) -> Option<Vec<Term>> {
        Some(vec![leaf(Leaf::Name(self.writer().text(d)))])
    }

    fn terms_of_block(&mut self, b: &ast::Block) -> Option<Vec<Term>> {
        match self.writer().given(b, Names::default())? {
            Meaning::Value(v) => self.terms_of(&v),
            Meaning::Cells(_) => None,
        }
    }

    /// The differential of a value.
    fn differentiated(&mut self, e: &ast::Expr) -> Option<Vec<Term>> {
        match &e.kind {
            K::Number(_) => Some(Vec::new()),
            K::Path(_) | K::Index { .. } | K::Field { .. } => self.leaf_terms(e),
            K::Unary { op: ast::UnaryOp::Neg, operand, .. } => {
                Some(scaled(self.differentiated(operand)?, -1.0))
            }
            K::Unary { op: ast::UnaryOp::Plus, operand, .. } => self.differentiated(operand),
            K::Binary { op, lhs, rhs, .. } => self.operator((*op, lhs, rhs), e),
            K::Cast { value, .. } => self.differentiated(value),
            K::Reduction(r) if r.where_items.is_empty() => self.over_indices(r),
            K::If(i) => {
                let a = self.of_block(&i.then)?;
                let b = self.differentiated(i.otherwise.as_deref()?)?;
                let choice = Leaf::If(self.writer().text(&i.cond), a.clone(), b.clone());
                Some(if a.is_empty() && b.is_empty() { a } else { vec![leaf(choice)] })
            }
            K::Block(b) => self.of_block(b),
            K::Call { callee, args } => self.of_call(callee, args, e),
            K::Pipe { op: ast::PipeOp::Pass, lhs, rhs, .. } => {
                let first = ast::Arg { span: lhs.span, name: None, value: (**lhs).clone() };
                let (callee, rest) = match &rhs.kind {
                    K::Call { callee, args } => (&**callee, args.as_slice()),
                    _ => (&**rhs, &[][..]),
                };
                let args: Vec<ast::Arg> = [first].into_iter().chain(rest.iter().cloned()).collect();
                self.of_call(callee, &args, e)
            }
            _ => None,
        }
    }

    fn of_block(&mut self, b: &ast::Block) -> Option<Vec<Term>> {
        match self.writer().given(b, Names::default())? {
            Meaning::Value(v) => self.differentiated(&v),
            Meaning::Cells(_) => None,
        }
    }

    fn of_call(
        &mut self,
        callee: &ast::Expr,
        args: &[ast::Arg],
        e: &ast::Expr,
    ) -> Option<Vec<Term>> {
        if let Some(f) = self.function(callee) {
            return self.called(f, args);
        }
        let K::Path(path) = &callee.kind else { return None };
        let name = path.last().as_str();
        match args {
            [x] if matches!(name, "sum" | "max" | "min") => {
                let all = self.over_all(name, &x.value)?;
                self.differentiated(&all)
            }
            [x] => self.elementary(name, &x.value, e),
            [a, b] if matches!(name, "max" | "min") => self.of_two(name, &a.value, &b.value),
            _ => None,
        }
    }

    /// `max(x)` of a whole array, as reductions over one index each.
    fn over_all(&mut self, name: &str, x: &ast::Expr) -> Option<ast::Expr> {
        let K::Path(path) = &x.kind else { return None };
        let rank = match self.checker.lookup(path.as_name()?.as_str())? {
            Binding::Local(id) => self.checker.body().locals[id].ty.rank()?,
            _ => return None,
        };
        let text = self.writer().text(x);
        let letters = ["i", "j", "k", "l", "m", "n", "o", "p"];
        let free = letters.into_iter().filter(|l| words(&text).all(|w| w != *l));
        let indices: Vec<ast::Expr> = free.take(rank).map(|l| name_of(l, x.span)).collect();
        if indices.len() < rank || rank == 0 {
            return None;
        }
        let item = |i: &ast::Expr| ast::Item { span: i.span, kind: ast::ItemKind::Expr(i.clone()) };
        let items = indices.iter().map(item).collect();
        let cell = made(K::Index { base: Box::new(x.clone()), items }, x.span);
        let over = |body: ast::Expr, i: &ast::Expr| {
            let K::Path(index) = &i.kind else { unreachable!("made above") };
            let kind = ast::HeadKind::Index { name: index.last().clone(), range: None };
            let reduction = ast::Reduction {
                op: ast::Accumulator::from_name(name).expect("asked for one"),
                name: ast::Ident { name: weft_base::Name::new(name), span: i.span },
                heads: vec![ast::Head { span: i.span, kind }],
                body: Box::new(body),
                where_items: Vec::new(),
            };
            made(K::Reduction(reduction), x.span)
        };
        Some(indices.iter().rev().fold(cell, over))
    }

    /// `max(a, b)`: the one that is taken, the first where they are equal.
    fn of_two(&mut self, name: &str, a: &ast::Expr, b: &ast::Expr) -> Option<Vec<Term>> {
        let (da, db) = (self.differentiated(a)?, self.differentiated(b)?);
        let by = if name == "max" { ">=" } else { "<=" };
        let condition =
            format!("{} {by} {}", self.writer().operand(a, 4), self.writer().operand(b, 4));
        let none = da.is_empty() && db.is_empty();
        Some(if none { da } else { vec![leaf(Leaf::If(condition, da, db))] })
    }

    /// The differential of a reduction without conditions: a sum, of a product or an extremum
    /// over one index.
    fn over_indices(&mut self, r: &ast::Reduction) -> Option<Vec<Term>> {
        use ast::Accumulator::{Max, Mean, Min, Prod, Sum};
        let heads = self.writer().heads(r);
        let body = self.writer().text(&r.body);
        let mut terms = self.differentiated(&r.body)?;
        let (mut word, mut guard) = ("sum", None);
        match r.op {
            _ if terms.is_empty() => return Some(terms),
            Sum => {}
            Mean => word = "mean",
            Max | Min => {
                let arg = if r.op == Max { "argmax" } else { "argmin" };
                guard = Some(format!("{} == {arg}[{heads}]({body})", single_index(&heads)?));
            }
            Prod => {
                let index = single_index(&heads)?;
                let other = (2..).map(|n| format!("{index}{n}")).find(|n| !body.contains(n))?;
                let renamed = |text: &str| with_name(text, index, &other);
                let (heads, body) = (renamed(&heads), renamed(&body));
                let rest = format!("prod[{heads}]({body} where {other} != {index})");
                terms = with_factor(terms, rest);
            }
            _ => return None,
        }
        Some(vec![leaf(Leaf::Sum { word, heads, terms, guard })])
    }

    /// `@x` of a float with a name; integers change by nothing.
    fn leaf_terms(&mut self, e: &ast::Expr) -> Option<Vec<Term>> {
        let mut base = e;
        while let K::Index { base: b, .. } | K::Field { base: b, .. } = &base.kind {
            base = b;
        }
        let K::Path(path) = &base.kind else { return None };
        let moves = match path.as_name().and_then(|n| self.checker.lookup(n.as_str())) {
            Some(Binding::Local(id)) => match &self.checker.body().locals[id].ty {
                Ty::Array(Elem::Fixed(t), _) => t.is_float(),
                Ty::Array(Elem::OpenFloat, _) | Ty::Tuple(_) | Ty::Named(..) => true,
                _ => false,
            },
            _ => false,
        };
        let name = Leaf::Name(format!("@{}", self.writer().text(e)));
        Some(if moves { vec![leaf(name)] } else { Vec::new() })
    }

    fn operator(&mut self, (op, a, b): Operation<'_>, e: &ast::Expr) -> Option<Vec<Term>> {
        let (da, db) = (self.differentiated(a)?, self.differentiated(b)?);
        Some(match op {
            Op::Add => added(da, db),
            Op::Sub => added(da, scaled(db, -1.0)),
            Op::Mul => added(self.times(da, b), self.times(db, a)),
            Op::Div => {
                let by_b = self.times(db, a);
                let by_b = self.over(self.over(by_b, b), b);
                added(self.over(da, b), scaled(by_b, -1.0))
            }
            Op::Pow => {
                let base = self.operand(a);
                let by_a = match number(b) {
                    Some(1.0) => da,
                    Some(2.0) => scaled(with_factor(da, base.clone()), 2.0),
                    Some(n) => scaled(with_factor(da, format!("{base} ** {}", n - 1.0)), n),
                    None => {
                        let less = format!("{base} ** ({} - 1)", self.writer().operand(b, 6));
                        self.times(with_factor(da, less), b)
                    }
                };
                let whole = self.writer().operand(e, 7);
                let by_b =
                    with_factor(with_factor(db, whole), format!("log({})", self.writer().text(a)));
                added(by_a, by_b)
            }
            _ if da.is_empty() && db.is_empty() => da,
            _ => return None,
        })
    }

    fn elementary(&mut self, f: &str, x: &ast::Expr, e: &ast::Expr) -> Option<Vec<Term>> {
        let (d, inside) = (self.differentiated(x)?, self.writer().text(x));
        let whole = || self.writer().text(e);
        Some(match f {
            _ if d.is_empty() => d,
            "exp" => with_factor(d, whole()),
            "log" => self.over(d, x),
            "sin" => with_factor(d, format!("cos({inside})")),
            "cos" => scaled(with_factor(d, format!("sin({inside})")), -1.0),
            "tanh" => with_factor(d, format!("(1 - {} ** 2)", whole())),
            "tan" => with_factor(d, format!("(1 + {} ** 2)", whole())),
            "sinh" => with_factor(d, format!("cosh({inside})")),
            "cosh" => with_factor(d, format!("sinh({inside})")),
            "sqrt" => scaled(with_divisor(d, whole()), 0.5),
            "abs" => with_factor(d, format!("sign({inside})")),
            "expm1" => with_factor(d, format!("exp({inside})")),
            "log1p" => with_divisor(d, format!("(1 + {})", self.writer().operand(x, 6))),
            "log2" => with_divisor(self.over(d, x), "log(2.0)".into()),
            "log10" => with_divisor(self.over(d, x), "log(10.0)".into()),
            "asin" => with_divisor(d, format!("sqrt(1 - {} ** 2)", self.operand(x))),
            "acos" => scaled(with_divisor(d, format!("sqrt(1 - {} ** 2)", self.operand(x))), -1.0),
            "atan" => with_divisor(d, format!("(1 + {} ** 2)", self.operand(x))),
            "asinh" => with_divisor(d, format!("sqrt({} ** 2 + 1)", self.operand(x))),
            "acosh" => with_divisor(d, format!("sqrt({} ** 2 - 1)", self.operand(x))),
            "atanh" => with_divisor(d, format!("(1 - {} ** 2)", self.operand(x))),
            "floor" | "ceil" | "round" | "trunc" | "sign" => Vec::new(),
            _ => return None,
        })
    }

    /// The source of an operand, in parentheses where an operator would take it apart.
    fn operand(&self, e: &ast::Expr) -> String {
        self.writer().operand(e, 10)
    }

    fn times(&mut self, terms: Vec<Term>, e: &ast::Expr) -> Vec<Term> {
        match (&e.kind, number(e)) {
            (_, Some(n)) => scaled(terms, n),
            (K::Unary { op: ast::UnaryOp::Neg, operand, .. }, _) => {
                scaled(self.times(terms, operand), -1.0)
            }
            (K::Binary { op: Op::Mul, lhs, rhs, .. }, _) => {
                let terms = self.times(terms, lhs);
                self.times(terms, rhs)
            }
            // A quotient of differentials is one value.
            (K::Binary { op: Op::Div, rhs, .. }, _) if self.has_differential(rhs) => {
                with_factor(terms, self.operand(e))
            }
            (K::Binary { op: Op::Div, lhs, rhs, .. }, _) => {
                let terms = self.times(terms, lhs);
                self.over(terms, rhs)
            }
            _ => with_factor(terms, self.operand(e)),
        }
    }

    fn over(&self, terms: Vec<Term>, e: &ast::Expr) -> Vec<Term> {
        match number(e) {
            Some(n) if n != 0.0 && (1.0 / n) * n == 1.0 => scaled(terms, 1.0 / n),
            _ => with_divisor(terms, self.operand(e)),
        }
    }
}

/// The index of a head that has one, without its range.
fn single_index(heads: &str) -> Option<&str> {
    let name = heads.split(" in ").next().unwrap_or(heads).trim();
    let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (plain && !heads.contains(',')).then_some(name)
}

/// A text with one name in place of another; a member after a dot is no name.
fn with_name(text: &str, old: &str, new: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let mut before = ' ';
    for c in text.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        out.push_str(if word == old && before != '.' { new } else { &word });
        word.clear();
        out.push(c);
        before = c;
    }
    out.truncate(out.len() - 1);
    out
}

fn is_literal(e: &ast::Expr) -> bool {
    match &e.kind {
        K::Number(_) | K::Bool(_) | K::Str(_) => true,
        K::Array(members) | K::Tuple(members) => members.iter().all(is_literal),
        K::Unary { operand, .. } => is_literal(operand),
        K::Cast { value, .. } => is_literal(value),
        _ => false,
    }
}

/// An operator and its operands.
type Operation<'e> = (Op, &'e ast::Expr, &'e ast::Expr);

fn number(e: &ast::Expr) -> Option<f64> {
    match &e.kind {
        K::Number(n) => Some(match n.value {
            ast::NumberValue::Int(v) => v as f64,
            ast::NumberValue::Float(v) => v,
        }),
        K::Unary { op: ast::UnaryOp::Neg, operand, .. } => Some(-number(operand)?),
        _ => None,
    }
}
