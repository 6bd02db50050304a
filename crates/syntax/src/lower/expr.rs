//! Expressions.

use super::{Lower, child, children, has_token, token, tokens};
use crate::ast::{
    Accumulator, Arg, Arm, BinaryOp, Block, Expr, ExprKind, FieldInit, FieldName, GenItem,
    GenItemKind, Handler, Head, HeadKind, If, Item, ItemKind, Lambda, Match, NumberValue, Part,
    PartKind, PipeOp, Reduce, Reduction, Rest, StructLit, UnaryOp, WhereItem, WhereItemKind,
};
use crate::{SyntaxKind as K, SyntaxNode, SyntaxToken};
use weft_diag::{Code, Diagnostic};

impl Lower {
    /// The expression at `node`.
    pub(super) fn expr(&mut self, node: &SyntaxNode) -> Expr {
        let span = self.span(node);
        if node.kind() == K::ParenExpr {
            let inner = self.sub_expr(node, 0);
            return Expr { span, ..inner };
        }
        Expr { span, kind: self.expr_kind(node) }
    }

    /// The expression below `node` that is the `n`-th.
    pub(super) fn sub_expr(&mut self, node: &SyntaxNode, n: usize) -> Expr {
        match children(node, K::is_expr).nth(n) {
            Some(child) => self.expr(&child),
            None => self.error_expr(node),
        }
    }

    pub(super) fn sub_box(&mut self, node: &SyntaxNode, n: usize) -> Box<Expr> {
        Box::new(self.sub_expr(node, n))
    }

    /// The expression below `node` that is the `n`-th, if there is one.
    pub(super) fn sub_optional(&mut self, node: &SyntaxNode, n: usize) -> Option<Expr> {
        children(node, K::is_expr).nth(n).map(|child| self.expr(&child))
    }

    fn all_exprs(&mut self, node: &SyntaxNode) -> Vec<Expr> {
        children(node, K::is_expr).map(|child| self.expr(&child)).collect()
    }

    /// `_` beside a `^`, as a value: only as a part of a coproduct, by itself, has it a
    /// meaning.
    fn discard(&mut self, node: &SyntaxNode) -> ExprKind {
        let diagnostic = Diagnostic::error(Code::E0001, "`_` is not a value")
            .primary(self.span(node), "")
            .note("in a coproduct `_` stands by itself: `x[i ^ _]`");
        self.report(diagnostic);
        ExprKind::Error
    }

    fn expr_kind(&mut self, node: &SyntaxNode) -> ExprKind {
        match node.kind() {
            K::UnitExpr => ExprKind::Unit,
            K::LiteralExpr => self.literal(node),
            K::StringExpr => ExprKind::Str(self.string(node)),
            K::PathExpr => self.path(node).map_or(ExprKind::Error, ExprKind::Path),
            K::DiscardExpr => self.discard(node),
            K::TupleExpr => ExprKind::Tuple(self.all_exprs(node)),
            K::ArrayExpr => ExprKind::Array(self.all_exprs(node)),
            K::ComprehensionExpr => self.comprehension(node),
            K::ReductionExpr => self.reduction(node),
            K::ReduceExpr => self.reduce(node),
            K::IfExpr => self.if_(node),
            K::MatchExpr => self.match_(node),
            K::BlockExpr => ExprKind::Block(self.block(node)),
            K::LambdaExpr => self.lambda(node),
            K::StructExpr => self.struct_lit(node),
            K::CallExpr => self.call(node),
            K::IndexExpr => self.index(node),
            K::FieldExpr => self.field(node),
            K::PrefixExpr => self.unary(node),
            K::BinaryExpr => self.binary(node),
            K::RangeExpr => self.range(node),
            K::InExpr => self.in_(node),
            K::CastExpr => self.cast(node),
            K::PipeExpr => self.pipe(node),
            K::RecoverExpr => self.recover(node),
            K::WhereExpr => self.where_expr(node),
            _ => ExprKind::Error,
        }
    }

    fn comprehension(&mut self, node: &SyntaxNode) -> ExprKind {
        let body = self.sub_box(node, 0);
        let items = children(node, |kind| kind == K::GenItem);
        ExprKind::Comprehension { body, items: items.map(|item| self.generator(&item)).collect() }
    }

    fn generator(&mut self, node: &SyntaxNode) -> GenItem {
        let span = self.span(node);
        if let (true, Some(name)) = (has_token(node, K::Eq), self.name(node)) {
            let value = self.sub_expr(node, 0);
            return GenItem { span, kind: GenItemKind::Bind { name, value } };
        }
        let kind = match self.sub_expr(node, 0) {
            Expr { kind: ExprKind::In { item, set }, span } => match bare_name(&item) {
                Some(name) => GenItemKind::In { name, set: *set },
                None => GenItemKind::Guard(Expr { span, kind: ExprKind::In { item, set } }),
            },
            guard => GenItemKind::Guard(guard),
        };
        GenItem { span, kind }
    }

    fn reduction(&mut self, node: &SyntaxNode) -> ExprKind {
        let name = self.name(node);
        let op = name.as_ref().and_then(|name| Accumulator::from_name(name.as_str()));
        let (Some(name), Some(op)) = (name, op) else { return ExprKind::Error };
        let heads = self.heads(node);
        let body = self.sub_box(node, 0);
        let where_items = self.where_items(node);
        ExprKind::Reduction(Reduction { op, name, heads, body, where_items })
    }

    fn reduce(&mut self, node: &SyntaxNode) -> ExprKind {
        let Some(name) = self.name(node) else { return ExprKind::Error };
        let function = self.sub_box(node, 0);
        let identity = self.sub_box(node, 1);
        let heads = self.heads(node);
        let body = self.sub_box(node, 2);
        let where_items = self.where_items(node);
        ExprKind::Reduce(Reduce { name, function, identity, heads, body, where_items })
    }

    fn heads(&mut self, node: &SyntaxNode) -> Vec<Head> {
        children(node, |kind| kind == K::Head).filter_map(|head| self.head(&head)).collect()
    }

    fn head(&mut self, node: &SyntaxNode) -> Option<Head> {
        let span = self.span(node);
        let kind = match child(node, |kind| kind == K::Rest) {
            Some(rest) => HeadKind::Rest(self.rest(&rest)?),
            None => {
                let name = self.name(node)?;
                HeadKind::Index { name, range: self.sub_optional(node, 0).map(Box::new) }
            }
        };
        Some(Head { span, kind })
    }

    pub(super) fn rest(&mut self, node: &SyntaxNode) -> Option<Rest> {
        let name = self.name(node)?;
        Some(Rest { name, rank: self.sub_optional(node, 0).map(Box::new) })
    }

    fn if_(&mut self, node: &SyntaxNode) -> ExprKind {
        let cond = self.sub_box(node, 0);
        let then = children(node, K::is_expr).nth(1);
        let then = match then.filter(|then| then.kind() == K::BlockExpr) {
            Some(then) => self.block(&then),
            None => return ExprKind::Error,
        };
        let otherwise = self.sub_optional(node, 2).map(Box::new);
        ExprKind::If(If { cond, then, otherwise })
    }

    fn match_(&mut self, node: &SyntaxNode) -> ExprKind {
        let scrutinee = self.sub_box(node, 0);
        let arms = children(node, |kind| kind == K::Arm).map(|arm| self.arm(&arm)).collect();
        ExprKind::Match(Match { scrutinee, arms })
    }

    fn arm(&mut self, node: &SyntaxNode) -> Arm {
        let guard = child(node, |kind| kind == K::ArmGuard);
        Arm {
            span: self.span(node),
            pats: children(node, K::is_pattern).map(|pat| self.pattern(&pat)).collect(),
            guard: guard.map(|guard| self.sub_expr(&guard, 0)),
            body: self.sub_expr(node, 0),
        }
    }

    /// The block at `node`.
    pub(super) fn block(&mut self, node: &SyntaxNode) -> Block {
        let (stmts, tail) = self.stmts(node);
        Block { span: self.span(node), stmts, tail }
    }

    fn lambda(&mut self, node: &SyntaxNode) -> ExprKind {
        let params = self.params(node);
        ExprKind::Lambda(Lambda { params, body: self.sub_box(node, 0) })
    }

    fn struct_lit(&mut self, node: &SyntaxNode) -> ExprKind {
        let Some(path) = self.path(node) else { return ExprKind::Error };
        let fields = children(node, |kind| kind == K::FieldInit);
        let fields = fields.filter_map(|field| {
            let name = self.name(&field)?;
            Some(FieldInit { name, value: self.sub_optional(&field, 0) })
        });
        ExprKind::StructLit(StructLit { path, fields: fields.collect() })
    }

    fn call(&mut self, node: &SyntaxNode) -> ExprKind {
        let callee = self.sub_box(node, 0);
        let args = children(node, |kind| kind == K::Arg).map(|arg| self.arg(&arg)).collect();
        ExprKind::Call { callee, args }
    }

    fn arg(&mut self, node: &SyntaxNode) -> Arg {
        Arg { span: self.span(node), name: self.name(node), value: self.sub_expr(node, 0) }
    }

    fn index(&mut self, node: &SyntaxNode) -> ExprKind {
        let base = self.sub_box(node, 0);
        let items = children(node, |kind| kind == K::Item).map(|item| self.item(&item)).collect();
        ExprKind::Index { base, items }
    }

    fn item(&mut self, node: &SyntaxNode) -> Item {
        let inner = node.first_child();
        let kind = match inner.as_ref().map(|inner| (inner.kind(), inner)) {
            Some((K::Rest, rest)) => self.rest(rest).map(ItemKind::Rest),
            Some((K::Coproduct, parts)) => Some(ItemKind::Coproduct(self.parts(parts))),
            _ => None,
        };
        let kind = kind.unwrap_or_else(|| ItemKind::Expr(self.sub_expr(node, 0)));
        Item { span: self.span(node), kind }
    }

    /// The parts of a coproduct.
    pub(super) fn parts(&mut self, node: &SyntaxNode) -> Vec<Part> {
        children(node, K::is_expr).map(|part| self.part(&part)).collect()
    }

    fn part(&mut self, node: &SyntaxNode) -> Part {
        let span = self.span(node);
        if node.kind() == K::DiscardExpr {
            return Part { span, kind: PartKind::Discard };
        }
        let value = self.expr(node);
        let kind = match indexed_name(value) {
            Ok((name, range)) => PartKind::Index { name, range },
            Err(value) => self.sized_part(&value),
        };
        Part { span, kind }
    }

    fn sized_part(&mut self, value: &Expr) -> PartKind {
        if let Some(size) = literal_size(value) {
            return PartKind::Size(size);
        }
        if value.kind != ExprKind::Error {
            let diagnostic = Diagnostic::error(Code::E0001, "not a part of a coproduct")
                .primary(value.span, "expected a name, a number or `_`")
                .help("give the size by a range: `i in 0..n - 1`");
            self.report(diagnostic);
        }
        PartKind::Error
    }

    fn field(&mut self, node: &SyntaxNode) -> ExprKind {
        let base = self.sub_box(node, 0);
        let field = match token(node, K::Int) {
            Some(digits) => self.position(&digits),
            None => self.name(node).map(FieldName::Named),
        };
        field.map_or(ExprKind::Error, |field| ExprKind::Field { base, field })
    }

    /// The position of a field. What has other signs than digits was reported.
    fn position(&mut self, digits: &SyntaxToken) -> Option<FieldName> {
        let span = self.token_span(digits);
        let index = digits.text().parse().ok();
        if index.is_none() && digits.text().bytes().all(|b| b.is_ascii_digit()) {
            let diagnostic = Diagnostic::error(Code::E0001, "no tuple has so many members")
                .primary(span, "too large");
            self.report(diagnostic);
        }
        index.map(|index| FieldName::Position { index, span })
    }

    fn unary(&mut self, node: &SyntaxNode) -> ExprKind {
        let Some(token) = tokens(node).next() else { return ExprKind::Error };
        let op = match token.kind() {
            K::Minus => UnaryOp::Neg,
            K::Bang => UnaryOp::Not,
            K::Plus => UnaryOp::Plus,
            K::At => UnaryOp::Diff,
            K::TryKw => UnaryOp::Try,
            _ => return ExprKind::Error,
        };
        let op_span = self.token_span(&token);
        ExprKind::Unary { op, op_span, operand: self.sub_box(node, 0) }
    }

    fn binary(&mut self, node: &SyntaxNode) -> ExprKind {
        let Some(token) = tokens(node).next() else { return ExprKind::Error };
        let Some(op) = binary_op(token.kind()) else { return ExprKind::Error };
        let op_span = self.token_span(&token);
        let (lhs, rhs) = (self.sub_box(node, 0), self.sub_box(node, 1));
        if op == BinaryOp::Pow {
            self.negated_power(node, &rhs);
        }
        ExprKind::Binary { op, op_span, lhs, rhs }
    }

    /// `-x ** 2` is `(-x) ** 2`, which is not what mathematics writes so: refused where the sign is
    /// lost for certain, and of no account where the exponent is odd.
    fn negated_power(&mut self, node: &SyntaxNode, exponent: &Expr) {
        let even = match &exponent.kind {
            ExprKind::Number(n) => match n.value {
                NumberValue::Int(n) => Some(n % 2 == 0),
                NumberValue::Float(x) => Some(x % 2.0 == 0.0).filter(|_| x.fract() == 0.0),
            },
            _ => None,
        };
        if even == Some(false) {
            return;
        }
        let base = children(node, K::is_expr).next().filter(|base| base.kind() == K::PrefixExpr);
        let Some(base) = base.filter(|base| has_token(base, K::Minus)) else { return };
        let span = self.span(&base);
        let text = base.text().to_string();
        let whole = node.text().to_string();
        let positive = whole.strip_prefix('-').unwrap_or(&whole).trim_start().to_owned();
        let headline = format!("`{text}` is the base of this power");
        let diagnostic = match even {
            Some(_) => Diagnostic::error(Code::NegatedPower, headline),
            None => Diagnostic::new(Code::NegatedPower, headline),
        };
        let diagnostic = diagnostic
            .primary(span, "the minus belongs to the base")
            .help_edit("say so with parentheses", span, format!("({text})"))
            .help_edit("or negate the power", self.span(node), format!("-({positive})"));
        self.report(diagnostic);
    }

    fn range(&mut self, node: &SyntaxNode) -> ExprKind {
        let (start, end) = (self.sub_box(node, 0), self.sub_box(node, 1));
        ExprKind::Range { start, end, inclusive: has_token(node, K::DotDotEq) }
    }

    fn in_(&mut self, node: &SyntaxNode) -> ExprKind {
        ExprKind::In { item: self.sub_box(node, 0), set: self.sub_box(node, 1) }
    }

    fn cast(&mut self, node: &SyntaxNode) -> ExprKind {
        ExprKind::Cast { value: self.sub_box(node, 0), ty: self.sub_type(node) }
    }

    fn pipe(&mut self, node: &SyntaxNode) -> ExprKind {
        let Some(token) = tokens(node).next() else { return ExprKind::Error };
        let op = match token.kind() {
            K::PipeGt => PipeOp::Pass,
            K::QuestionGt => PipeOp::Skip,
            K::BangGt => PipeOp::Try,
            _ => return ExprKind::Error,
        };
        let op_span = self.token_span(&token);
        let (lhs, rhs) = (self.sub_box(node, 0), self.sub_box(node, 1));
        ExprKind::Pipe { op, op_span, lhs, rhs }
    }

    fn recover(&mut self, node: &SyntaxNode) -> ExprKind {
        let chain = self.sub_box(node, 0);
        let handler = self.sub_box(node, 1);
        let catch = has_token(node, K::CatchKw);
        let handler = if catch { Handler::Catch(handler) } else { Handler::Else(handler) };
        ExprKind::Recover { chain, handler }
    }

    fn where_expr(&mut self, node: &SyntaxNode) -> ExprKind {
        ExprKind::Where { body: self.sub_box(node, 0), items: self.where_items(node) }
    }

    /// The items of the `where` list directly below `node`.
    pub(super) fn where_items(&mut self, node: &SyntaxNode) -> Vec<WhereItem> {
        let clause = child(node, |kind| kind == K::WhereClause);
        let items = clause.iter().flat_map(|clause| children(clause, |kind| kind == K::WhereItem));
        items.map(|item| self.where_item(&item)).collect()
    }

    fn where_item(&mut self, node: &SyntaxNode) -> WhereItem {
        let value = self.sub_expr(node, 0);
        let kind = match self.name(node) {
            Some(name) => WhereItemKind::Bind { name, value },
            None => WhereItemKind::Guard(value),
        };
        WhereItem { span: self.span(node), kind }
    }
}

/// The name that an expression is, where it is one bare name.
fn bare_name(expr: &Expr) -> Option<crate::ast::Ident> {
    match &expr.kind {
        ExprKind::Path(path) => path.as_name().cloned(),
        _ => None,
    }
}

type NameAndRange = (crate::ast::Ident, Option<Box<Expr>>);

/// `i` or `i in range`; anything else is given back.
pub(super) fn indexed_name(expr: Expr) -> Result<NameAndRange, Box<Expr>> {
    if let Some(name) = bare_name(&expr) {
        return Ok((name, None));
    }
    match expr.kind {
        ExprKind::In { item, set } => match bare_name(&item) {
            Some(name) => Ok((name, Some(set))),
            None => Err(Box::new(Expr { span: expr.span, kind: ExprKind::In { item, set } })),
        },
        kind => Err(Box::new(Expr { span: expr.span, kind })),
    }
}

fn literal_size(expr: &Expr) -> Option<u64> {
    match &expr.kind {
        ExprKind::Number(number) => match number.value {
            crate::ast::NumberValue::Int(size) => size.try_into().ok(),
            crate::ast::NumberValue::Float(_) => None,
        },
        _ => None,
    }
}

/// The operator a token is; those of other languages were reported.
fn binary_op(kind: K) -> Option<BinaryOp> {
    Some(match kind {
        K::PipePipe => BinaryOp::Or,
        K::AmpAmp | K::Amp => BinaryOp::And,
        K::EqEq => BinaryOp::Eq,
        K::Ne => BinaryOp::Ne,
        K::Lt => BinaryOp::Lt,
        K::Gt => BinaryOp::Gt,
        K::Le => BinaryOp::Le,
        K::Ge => BinaryOp::Ge,
        K::Plus => BinaryOp::Add,
        K::Minus => BinaryOp::Sub,
        K::Star => BinaryOp::Mul,
        K::Slash => BinaryOp::Div,
        K::Percent => BinaryOp::Rem,
        K::StarStar | K::Caret => BinaryOp::Pow,
        _ => return None,
    })
}
