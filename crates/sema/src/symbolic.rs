//! Differentials in source form: `print(@y)`.
//!
//! A differential is a sum of terms, each a product of values of the program with one leaf;
//! terms with equal factors are added up. The definition of `y` is differentiated once:
//! what it reads keeps its name.

use crate::checker::Checker;
use crate::hir::{Elem, Ty};
use crate::scope::Binding;
use std::rc::Rc;
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

/// `coefficient * over / under * leaf`.
#[derive(Debug, Clone, PartialEq)]
struct Term {
    coefficient: f64,
    over: Vec<String>,
    under: Vec<String>,
    leaf: Leaf,
}

#[derive(Debug, Clone, PartialEq)]
enum Leaf {
    /// `@x`.
    Name(String),
    /// `sum[i](… where guard)` or `mean[i](…)`, with its head.
    Sum { word: &'static str, heads: String, terms: Vec<Term>, guard: Option<String> },
    /// `if c { … } else { … }`, with its condition.
    If(String, Vec<Term>, Vec<Term>),
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
        if let K::Unary { op: ast::UnaryOp::Diff, operand, .. } = &d.kind
            && let Some(Written::Clauses(all)) = self.written(operand)
        {
            let name = self.source_text(operand.span);
            let mut lines = Vec::new();
            for clause in all {
                let (slots, body) = clause?;
                let terms = self.differentiated(&body)?;
                lines.push(format!("@{name}{} = {}", self.slot_names(slots), sum_text(&terms)));
            }
            return Some(lines.join("\n"));
        }
        let terms = self.terms_of(d)?;
        Some(sum_text(&terms))
    }

    /// The source, on one line.
    fn source_text(&self, span: Span) -> String {
        self.source.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Slots without their ranges.
    fn slot_names(&self, span: Span) -> String {
        let text = self.source_text(span);
        let inside = text.trim_start_matches('[').trim_end_matches(']');
        let slot = |s: &str| s.split(" in ").next().unwrap_or(s).trim().to_string();
        format!("[{}]", inside.split(',').map(slot).collect::<Vec<_>>().join(", "))
    }

    fn written(&mut self, leaf: &ast::Expr) -> Option<Written> {
        let K::Path(path) = &leaf.kind else { return None };
        match self.lookup(path.as_name()?.as_str())? {
            Binding::Local(id) => self.cx().written.get(&id).cloned(),
            _ => None,
        }
    }

    /// A differential expression.
    fn terms_of(&mut self, d: &ast::Expr) -> Option<Vec<Term>> {
        match &d.kind {
            K::Unary { op: ast::UnaryOp::Diff, operand, .. } => match self.written(operand) {
                Some(Written::Value(value)) if !is_literal(&value) => self.differentiated(&value),
                _ => Some(vec![leaf(Leaf::Name(format!("@{}", self.source_text(operand.span))))]),
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
                let (d, by) = if has_differential(lhs) { (lhs, rhs) } else { (rhs, lhs) };
                let terms = self.terms_of(d)?;
                Some(self.times(terms, by))
            }
            K::Binary { op: Op::Div, lhs, rhs, .. } => {
                let terms = self.terms_of(lhs)?;
                Some(self.over(terms, rhs))
            }
            _ => None,
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
            K::Binary { op, lhs, rhs, .. } => self.operator(*op, lhs, rhs, e.span),
            K::Cast { value, .. } => self.differentiated(value),
            K::Reduction(r) if r.where_items.is_empty() => self.over_indices(r),
            K::If(i) => {
                let a = self.differentiated(value_of(&i.then)?)?;
                let b = self.differentiated(i.otherwise.as_deref()?)?;
                let choice = Leaf::If(self.source_text(i.cond.span), a.clone(), b.clone());
                Some(if a.is_empty() && b.is_empty() { a } else { vec![leaf(choice)] })
            }
            K::Block(b) => self.differentiated(value_of(b)?),
            K::Call { callee, args } => match (&callee.kind, args.as_slice()) {
                (K::Path(path), [x]) => self.elementary(path.last().as_str(), &x.value, e.span),
                _ => None,
            },
            _ => None,
        }
    }

    /// The differential of a reduction without conditions: a sum, of a product or an extremum
    /// over one index.
    fn over_indices(&mut self, r: &ast::Reduction) -> Option<Vec<Term>> {
        use ast::Accumulator::{Max, Mean, Min, Prod, Sum};
        let heads: Vec<String> = r.heads.iter().map(|h| self.source_text(h.span)).collect();
        let heads = heads.join(", ");
        let body = self.source_text(r.body.span);
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
        let moves = match path.as_name().and_then(|n| self.lookup(n.as_str())) {
            Some(Binding::Local(id)) => match &self.body().locals[id].ty {
                Ty::Array(Elem::Fixed(t), _) => t.is_float(),
                Ty::Array(Elem::OpenFloat, _) | Ty::Tuple(_) | Ty::Named(..) => true,
                _ => false,
            },
            _ => false,
        };
        let name = Leaf::Name(format!("@{}", self.source_text(e.span)));
        Some(if moves { vec![leaf(name)] } else { Vec::new() })
    }

    fn operator(&mut self, op: Op, a: &ast::Expr, b: &ast::Expr, span: Span) -> Option<Vec<Term>> {
        let (da, db) = (self.differentiated(a)?, self.differentiated(b)?);
        Some(match op {
            Op::Add => added(da, db),
            Op::Sub => added(da, scaled(db, -1.0)),
            Op::Mul => added(self.times(da, b), self.times(db, a)),
            Op::Div => {
                let by_b = self.over(self.over(self.times(db, a), b), b);
                added(self.over(da, b), scaled(by_b, -1.0))
            }
            Op::Pow => {
                let base = self.operand(a);
                let by_a = match number(b) {
                    Some(1.0) => da,
                    Some(2.0) => scaled(with_factor(da, base.clone()), 2.0),
                    Some(n) => scaled(with_factor(da, format!("{base} ** {}", n - 1.0)), n),
                    None => {
                        let less = format!("{base} ** ({} - 1)", self.source_text(b.span));
                        self.times(with_factor(da, less), b)
                    }
                };
                let whole = self.source_text(span);
                let by_b = with_factor(
                    with_factor(db, whole),
                    format!("log({})", self.source_text(a.span)),
                );
                added(by_a, by_b)
            }
            _ if da.is_empty() && db.is_empty() => da,
            _ => return None,
        })
    }

    fn elementary(&mut self, f: &str, x: &ast::Expr, span: Span) -> Option<Vec<Term>> {
        let (d, inside) = (self.differentiated(x)?, self.source_text(x.span));
        let whole = || self.source_text(span);
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
            _ => return None,
        })
    }

    /// The source of an operand, in parentheses where an operator would take it apart.
    fn operand(&self, e: &ast::Expr) -> String {
        let text = self.source_text(e.span);
        let loose =
            matches!(e.kind, K::Binary { .. } | K::Unary { .. } | K::Cast { .. } | K::If(_));
        if loose && !text.starts_with('(') { format!("({text})") } else { text }
    }

    fn times(&self, terms: Vec<Term>, e: &ast::Expr) -> Vec<Term> {
        match (&e.kind, number(e)) {
            (_, Some(n)) => scaled(terms, n),
            (K::Unary { op: ast::UnaryOp::Neg, operand, .. }, _) => {
                scaled(self.times(terms, operand), -1.0)
            }
            (K::Binary { op: Op::Mul, lhs, rhs, .. }, _) => self.times(self.times(terms, lhs), rhs),
            (K::Binary { op: Op::Div, lhs, rhs, .. }, _) => self.over(self.times(terms, lhs), rhs),
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

fn leaf(leaf: Leaf) -> Term {
    Term { coefficient: 1.0, over: Vec::new(), under: Vec::new(), leaf }
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

fn has_differential(e: &ast::Expr) -> bool {
    match &e.kind {
        K::Unary { op, operand, .. } => *op == ast::UnaryOp::Diff || has_differential(operand),
        K::Binary { lhs, rhs, .. } => has_differential(lhs) || has_differential(rhs),
        _ => false,
    }
}

/// The value of a block that is nothing else.
fn value_of(b: &ast::Block) -> Option<&ast::Expr> {
    if b.stmts.is_empty() { b.tail.as_deref() } else { None }
}

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

fn scaled(mut terms: Vec<Term>, by: f64) -> Vec<Term> {
    terms.iter_mut().for_each(|t| t.coefficient *= by);
    terms
}

fn with_factor(mut terms: Vec<Term>, factor: String) -> Vec<Term> {
    for t in &mut terms {
        match t.under.iter().position(|u| *u == factor) {
            Some(at) => drop(t.under.remove(at)),
            None => t.over.push(factor.clone()),
        }
        t.over.sort();
    }
    terms
}

fn with_divisor(mut terms: Vec<Term>, divisor: String) -> Vec<Term> {
    for t in &mut terms {
        match t.over.iter().position(|o| *o == divisor) {
            Some(at) => drop(t.over.remove(at)),
            None => t.under.push(divisor.clone()),
        }
        t.under.sort();
    }
    terms
}

/// A sum, equal terms added up.
fn added(mut a: Vec<Term>, b: Vec<Term>) -> Vec<Term> {
    for term in b {
        let same = |t: &Term| t.over == term.over && t.under == term.under && t.leaf == term.leaf;
        match a.iter().position(same) {
            Some(at) => a[at].coefficient += term.coefficient,
            None => a.push(term),
        }
    }
    a.retain(|t| t.coefficient != 0.0);
    a
}

fn sum_text(terms: &[Term]) -> String {
    let mut out = String::new();
    for t in terms {
        let sign = match (out.is_empty(), t.coefficient < 0.0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        out.push_str(sign);
        out.push_str(&term_text(t));
    }
    if out.is_empty() { "0".into() } else { out }
}

fn term_text(t: &Term) -> String {
    let size = t.coefficient.abs();
    let number = (size != 1.0).then(|| size.to_string());
    let factors: Vec<String> = number.into_iter().chain(powers(&t.over)).collect();
    let leaf = match &t.leaf {
        Leaf::Name(name) => name.clone(),
        Leaf::Sum { word, heads, terms, guard } => {
            let guard = guard.as_ref().map_or(String::new(), |g| format!(" where {g}"));
            format!("{word}[{heads}]({}{guard})", sum_text(terms))
        }
        Leaf::If(c, a, b) => {
            format!("(if {c} {{ {} }} else {{ {} }})", sum_text(a), sum_text(b))
        }
    };
    let over = factors.into_iter().chain([leaf]).collect::<Vec<_>>().join(" * ");
    powers(&t.under).into_iter().fold(over, |text, u| format!("{text} / {u}"))
}

/// Equal neighbours as powers.
fn powers(factors: &[String]) -> Vec<String> {
    let mut out: Vec<(String, usize)> = Vec::new();
    for f in factors {
        match out.last_mut() {
            Some((last, n)) if last == f => *n += 1,
            _ => out.push((f.clone(), 1)),
        }
    }
    out.into_iter().map(|(f, n)| if n == 1 { f } else { format!("{f} ** {n}") }).collect()
}
