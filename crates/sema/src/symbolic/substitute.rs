//! Expressions with names replaced by what they stand for: what a call gives, in the terms of
//! its caller.
//!
//! Nodes that are made here have an empty span and are written out anew; all others keep
//! their source text. Indices of reductions are renamed where an argument has one of that
//! name. What cannot be rewritten is `None`, and has no source form.

use weft_base::{Name, SourceMap, Span};
use weft_syntax::ast::{self, BinaryOp as Op, ExprKind as K};

/// What names stand for, the latest last.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(Vec<(Name, Meaning)>);

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A value.
    Value(ast::Expr),
    /// Cells, clause by clause, their bodies rewritten already.
    Cells(Vec<ast::Indexed>),
}

/// Writes expressions.
#[derive(Clone, Copy)]
pub(super) struct Writer<'s>(pub &'s SourceMap);

impl Names {
    /// Adds a meaning.
    pub fn bind(&mut self, name: &Name, meaning: Meaning) {
        self.0.push((name.clone(), meaning));
    }

    fn get(&self, name: &str) -> Option<&Meaning> {
        self.0.iter().rev().find(|(n, _)| n.as_str() == name).map(|(_, m)| m)
    }
}

/// An expression of the program's parts.
pub(super) fn made(kind: K, near: Span) -> ast::Expr {
    ast::Expr { span: Span::new(near.file, near.start, near.start), kind }
}

/// A bare name as an expression.
pub(super) fn name_of(name: &str, near: Span) -> ast::Expr {
    let span = Span::new(near.file, near.start, near.start);
    let segments = vec![ast::Ident { name: Name::new(name), span }];
    made(K::Path(ast::Path { span, segments }), near)
}

fn is_made(e: &ast::Expr) -> bool {
    e.span.start == e.span.end
}

/// Words of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty())
}

impl Writer<'_> {
    fn mentions(self, e: &ast::Expr, names: &Names) -> bool {
        words(&self.text(e)).any(|w| names.get(w).is_some())
    }

    /// A word that occurs in nothing that is put in.
    fn fresh(self, name: &str, names: &Names, body: &str) -> String {
        let taken = |n: &String| self.occurs(n, names) || words(body).any(|w| w == n);
        (2..).map(|k| format!("{name}{k}")).find(|n| !taken(n)).expect("there are many names")
    }

    fn occurs(self, word: &str, names: &Names) -> bool {
        names.0.iter().any(|(name, meaning)| {
            name.as_str() == word
                || match meaning {
                    Meaning::Value(e) => self.is_free(word, e),
                    Meaning::Cells(all) => all.iter().any(|c| {
                        let own = plain_clause(c)
                            .is_some_and(|(slots, _)| slots.iter().any(|s| s.as_str() == word));
                        !own && c.alternatives.iter().any(|b| self.is_free(word, b))
                    }),
                }
        })
    }

    /// Whether a name stands in an expression, but as an index of a reduction there.
    fn is_free(self, word: &str, e: &ast::Expr) -> bool {
        match &e.kind {
            K::Reduction(r) => {
                let own = |h: &ast::Head| match &h.kind {
                    ast::HeadKind::Index { name, .. } => name.as_str() == word,
                    ast::HeadKind::Rest(_) => false,
                };
                !r.heads.iter().any(own) && words(&self.text(e)).any(|w| w == word)
            }
            K::Binary { lhs, rhs, .. } => self.is_free(word, lhs) || self.is_free(word, rhs),
            K::Unary { operand: x, .. } | K::Cast { value: x, .. } => self.is_free(word, x),
            K::Call { args, .. } => args.iter().any(|a| self.is_free(word, &a.value)),
            _ => words(&self.text(e)).any(|w| w == word),
        }
    }

    /// `e` with every name replaced.
    pub fn substitute(self, e: &ast::Expr, names: &Names) -> Option<ast::Expr> {
        if !self.mentions(e, names) {
            return Some(e.clone());
        }
        let boxed = |e: &ast::Expr| Some(Box::new(self.substitute(e, names)?));
        let all = |es: &[ast::Expr]| -> Option<Vec<ast::Expr>> {
            es.iter().map(|e| self.substitute(e, names)).collect()
        };
        let kind = match &e.kind {
            K::Path(p) => {
                return match p.as_name().and_then(|n| names.get(n.as_str())) {
                    Some(Meaning::Value(v)) => Some(v.clone()),
                    Some(Meaning::Cells(_)) => None,
                    None => Some(e.clone()),
                };
            }
            K::Index { base, items } => {
                let items = self.items(items, names)?;
                if let Some(clauses) = cells(base, names) {
                    return self.cell(clauses, &items);
                }
                K::Index { base: boxed(base)?, items }
            }
            K::Field { base, field } => K::Field { base: boxed(base)?, field: field.clone() },
            K::Unary { op, op_span, operand } => {
                K::Unary { op: *op, op_span: *op_span, operand: boxed(operand)? }
            }
            K::Binary { op, op_span, lhs, rhs } => {
                K::Binary { op: *op, op_span: *op_span, lhs: boxed(lhs)?, rhs: boxed(rhs)? }
            }
            K::Range { start, end, inclusive } => {
                K::Range { start: boxed(start)?, end: boxed(end)?, inclusive: *inclusive }
            }
            K::Cast { value, ty } => K::Cast { value: boxed(value)?, ty: ty.clone() },
            K::Tuple(members) => K::Tuple(all(members)?),
            K::Array(members) => K::Array(all(members)?),
            K::Reduction(r) => self.reduction(r, names)?,
            K::If(i) => K::If(ast::If {
                cond: boxed(&i.cond)?,
                then: self.plain_block(&i.then, names)?,
                otherwise: match &i.otherwise {
                    Some(e) => Some(boxed(e)?),
                    None => None,
                },
            }),
            K::Block(b) => match self.given(b, names.clone())? {
                Meaning::Value(v) => return Some(v),
                Meaning::Cells(_) => return None,
            },
            K::Call { callee, args } => return self.call(callee, args, names, e.span),
            _ => return None,
        };
        Some(made(kind, e.span))
    }

    fn items(self, items: &[ast::Item], names: &Names) -> Option<Vec<ast::Item>> {
        let item = |i: &ast::Item| match &i.kind {
            ast::ItemKind::Expr(e) => {
                let kind = ast::ItemKind::Expr(self.substitute(e, names)?);
                Some(ast::Item { span: i.span, kind })
            }
            _ => None,
        };
        items.iter().map(item).collect()
    }

    /// A cell of what one clause defines.
    fn cell(self, clauses: &[ast::Indexed], items: &[ast::Item]) -> Option<ast::Expr> {
        let (slots, body) = only_clause(clauses)?;
        let mut names = Names::default();
        for (slot, item) in slots.iter().zip(items) {
            let ast::ItemKind::Expr(e) = &item.kind else { return None };
            if matches!(e.kind, K::Range { .. }) {
                return None;
            }
            names.bind(slot, Meaning::Value(e.clone()));
        }
        (slots.len() == items.len()).then(|| self.substitute(body, &names))?
    }

    fn reduction(self, r: &ast::Reduction, names: &Names) -> Option<K> {
        if !r.where_items.is_empty() {
            return None;
        }
        let mut names = names.clone();
        let mut heads = Vec::new();
        let body = self.text(&r.body);
        for head in &r.heads {
            let ast::HeadKind::Index { name, range } = &head.kind else { return None };
            let range = match range {
                Some(range) => Some(Box::new(self.substitute(range, &names)?)),
                None => None,
            };
            let mut new = name.clone();
            if self.occurs(name.as_str(), &names) {
                let fresh = self.fresh(name.as_str(), &names, &body);
                new.name = Name::new(&fresh);
                names.bind(&name.name, Meaning::Value(name_of(&fresh, head.span)));
            }
            let span = Span::new(head.span.file, head.span.start, head.span.start);
            heads.push(ast::Head { span, kind: ast::HeadKind::Index { name: new, range } });
        }
        let body = Box::new(self.substitute(&r.body, &names)?);
        Some(K::Reduction(ast::Reduction { heads, body, ..r.clone() }))
    }

    fn plain_block(self, b: &ast::Block, names: &Names) -> Option<ast::Block> {
        let Meaning::Value(v) = self.given(b, names.clone())? else { return None };
        let span = Span::new(b.span.file, b.span.start, b.span.start);
        Some(ast::Block { span, stmts: Vec::new(), tail: Some(Box::new(v)) })
    }

    fn call(
        self,
        callee: &ast::Expr,
        args: &[ast::Arg],
        names: &Names,
        span: Span,
    ) -> Option<ast::Expr> {
        if let [arg] = args
            && let Some(clauses) = cells(&arg.value, names)
        {
            return whole_reduction(callee, clauses, span);
        }
        let mut new = Vec::new();
        for arg in args {
            let value = self.substitute(&arg.value, names)?;
            new.push(ast::Arg { value, ..arg.clone() });
        }
        // What is called keeps its name, unless that is a parameter.
        (!self.mentions(callee, names))
            .then(|| made(K::Call { callee: Box::new(callee.clone()), args: new }, span))
    }

    /// Only what is not too long: each name may double what it stands for.
    fn short(self, e: ast::Expr) -> Option<ast::Expr> {
        (self.text(&e).len() <= super::LONGEST).then_some(e)
    }

    /// What a block gives: its definitions in the places of their names.
    pub fn given(self, block: &ast::Block, mut names: Names) -> Option<Meaning> {
        use ast::StmtKind;
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Let(l) => {
                    let ast::LetPatternKind::Name(name) = &l.pattern.kind else { return None };
                    let value = self.short(self.substitute(&l.value, &names)?)?;
                    names.bind(&name.name, Meaning::Value(value));
                }
                StmtKind::Indexed(c) => {
                    let (slots, body) = plain_clause(c)?;
                    // A slot is no name of around; one that an argument mentions is refused.
                    if slots.iter().any(|s| self.occurs(s.as_str(), &names)) {
                        return None;
                    }
                    let mut clause = c.clone();
                    clause.alternatives = vec![self.short(self.substitute(body, &names)?)?];
                    match names.0.iter_mut().rev().find(|(n, _)| *n == c.name.name) {
                        Some((_, Meaning::Cells(all))) => all.push(clause),
                        _ => names.bind(&c.name.name, Meaning::Cells(vec![clause])),
                    }
                }
                StmtKind::Use(_) => {}
                _ => return None,
            }
        }
        let tail = block.tail.as_deref()?;
        if let Some(clauses) = cells(tail, &names) {
            return Some(Meaning::Cells(clauses.to_vec()));
        }
        Some(Meaning::Value(self.substitute(tail, &names)?))
    }
}

fn cells<'n>(e: &ast::Expr, names: &'n Names) -> Option<&'n [ast::Indexed]> {
    let K::Path(p) = &e.kind else { return None };
    match names.get(p.as_name()?.as_str())? {
        Meaning::Cells(all) => Some(all),
        Meaning::Value(_) => None,
    }
}

/// Slots and body of a clause without conditions.
fn plain_clause(c: &ast::Indexed) -> Option<(Vec<Name>, &ast::Expr)> {
    let slot = |s: &ast::Slot| match &s.kind {
        ast::SlotKind::Index { name, .. } => Some(name.name.clone()),
        _ => None,
    };
    let plain = c.where_items.is_empty() && c.otherwise.is_none();
    match c.alternatives.as_slice() {
        [body] if plain => Some((c.slots.iter().map(slot).collect::<Option<_>>()?, body)),
        _ => None,
    }
}

fn only_clause(clauses: &[ast::Indexed]) -> Option<(Vec<Name>, &ast::Expr)> {
    match clauses {
        [one] => plain_clause(one),
        _ => None,
    }
}

/// `sum(e)` of what a clause defines, as a reduction over its slots.
fn whole_reduction(callee: &ast::Expr, clauses: &[ast::Indexed], span: Span) -> Option<ast::Expr> {
    let K::Path(p) = &callee.kind else { return None };
    let op = ast::Accumulator::from_name(p.as_name()?.as_str())?;
    let (_, body) = only_clause(clauses)?;
    let head = |s: &ast::Slot| match &s.kind {
        ast::SlotKind::Index { name, range } => {
            let range = range.clone().map(Box::new);
            let at = Span::new(s.span.file, s.span.start, s.span.start);
            Some(ast::Head { span: at, kind: ast::HeadKind::Index { name: name.clone(), range } })
        }
        _ => None,
    };
    let heads = clauses[0].slots.iter().map(head).collect::<Option<_>>()?;
    let name = ast::Ident { name: Name::new(op.as_str()), span };
    let (body, where_items) = (Box::new(body.clone()), Vec::new());
    Some(made(K::Reduction(ast::Reduction { op, name, heads, body, where_items }), span))
}

/// How tight an expression holds its parts together.
fn level(e: &ast::Expr) -> u8 {
    match &e.kind {
        K::Range { .. } => 4,
        K::Binary { op, .. } => level_of(*op),
        K::Cast { .. } => 8,
        K::Unary { .. } => 9,
        K::If(_) | K::Block(_) | K::Where { .. } | K::Pipe { .. } | K::In { .. } => 0,
        K::Match(_) | K::Lambda(_) | K::Recover { .. } => 0,
        _ => 10,
    }
}

fn level_of(op: Op) -> u8 {
    match op {
        Op::Or => 1,
        Op::And => 2,
        Op::Eq | Op::Ne | Op::Lt | Op::Gt | Op::Le | Op::Ge => 3,
        Op::Add | Op::Sub => 5,
        Op::Mul | Op::Div | Op::Rem => 6,
        Op::Pow => 7,
    }
}

/// Whether a text is one pair of parentheses.
fn is_enclosed(text: &str) -> bool {
    let mut depth = 0i32;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 {
            return text.starts_with('(') && at + 1 == text.len();
        }
    }
    false
}

impl Writer<'_> {
    /// The source of an expression, on one line.
    pub fn text(self, e: &ast::Expr) -> String {
        if is_made(e) { self.written(e) } else { self.source(e.span) }
    }

    /// The source at a place, on one line.
    pub fn source(self, span: Span) -> String {
        self.0.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The text of an operand beside an operator of that level.
    pub fn operand(self, e: &ast::Expr, least: u8) -> String {
        let text = self.text(e);
        match level(e) < least && !is_enclosed(&text) {
            true => format!("({text})"),
            false => text,
        }
    }

    fn written(self, e: &ast::Expr) -> String {
        let list =
            |es: &[ast::Expr]| es.iter().map(|e| self.text(e)).collect::<Vec<_>>().join(", ");
        match &e.kind {
            K::Path(p) => p.segments.iter().map(ast::Ident::as_str).collect::<Vec<_>>().join("::"),
            K::Index { base, items } => {
                let item = |i: &ast::Item| match &i.kind {
                    ast::ItemKind::Expr(e) => self.text(e),
                    _ => self.source(i.span),
                };
                let items: Vec<String> = items.iter().map(item).collect();
                format!("{}[{}]", self.operand(base, 10), items.join(", "))
            }
            K::Field { base, field } => {
                let field = match field {
                    ast::FieldName::Named(name) => name.as_str().to_string(),
                    ast::FieldName::Position { index, .. } => index.to_string(),
                };
                format!("{}.{field}", self.operand(base, 10))
            }
            K::Unary { op, operand, .. } => format!("{}{}", op.as_str(), self.operand(operand, 9)),
            K::Binary { op, lhs, rhs, .. } => {
                let own = level_of(*op);
                let (l, r) = if *op == Op::Pow { (own + 1, own) } else { (own, own + 1) };
                format!("{} {} {}", self.operand(lhs, l), op.as_str(), self.operand(rhs, r))
            }
            K::Range { start, end, inclusive } => {
                let dots = if *inclusive { "..=" } else { ".." };
                format!("{}{dots}{}", self.operand(start, 5), self.operand(end, 5))
            }
            K::Cast { value, ty } => {
                format!("{} as {}", self.operand(value, 8), self.source(ty.span))
            }
            K::Tuple(members) => format!("({})", list(members)),
            K::Array(members) => format!("[{}]", list(members)),
            K::Reduction(r) => {
                format!("{}[{}]({})", r.op.as_str(), self.heads(r), self.text(&r.body))
            }
            K::If(i) => {
                let block = |b: &ast::Block| match (&b.tail, b.span.start == b.span.end) {
                    (Some(tail), true) => format!("{{ {} }}", self.text(tail)),
                    _ => self.source(b.span),
                };
                let other = match i.otherwise.as_deref() {
                    Some(ast::Expr { kind: K::Block(b), .. }) => format!(" else {}", block(b)),
                    Some(e @ ast::Expr { kind: K::If(_), .. }) => format!(" else {}", self.text(e)),
                    Some(e) => format!(" else {{ {} }}", self.text(e)),
                    None => String::new(),
                };
                format!("if {} {}{other}", self.text(&i.cond), block(&i.then))
            }
            K::Call { callee, args } => {
                let arg = |a: &ast::Arg| match &a.name {
                    Some(name) => format!("{} = {}", name.as_str(), self.text(&a.value)),
                    None => self.text(&a.value),
                };
                let args: Vec<String> = args.iter().map(arg).collect();
                format!("{}({})", self.text(callee), args.join(", "))
            }
            // What could not be read is empty, and the program refused.
            K::Error => String::new(),
            _ => unreachable!("only these are made"),
        }
    }

    /// The head of a reduction.
    pub fn heads(self, r: &ast::Reduction) -> String {
        let head = |h: &ast::Head| match (&h.kind, h.span.start == h.span.end) {
            (ast::HeadKind::Index { name, range }, true) => match range {
                Some(range) => format!("{} in {}", name.as_str(), self.text(range)),
                None => name.as_str().to_string(),
            },
            _ => self.source(h.span),
        };
        r.heads.iter().map(head).collect::<Vec<_>>().join(", ")
    }
}
