//! Expressions, read.

use super::form::Form;
use super::{Parser, Result, id_of, nowhere, number};
use crate::format_words::{ALIGNS, FORMAT_KINDS};
use crate::sexp::{Sexp, SexpKind};
use crate::{
    Accumulator, Arg, Arm, BinaryOp, Comprehension, Expr, ExprKind, FieldInit, FieldName,
    FormatSpec, GenItem, GenItemKind, Handler, Head, HeadKind, If, Item, ItemKind, Label, Lambda,
    Match, Meaning, PipeOp, Reduce, Reduction, StrLit, StrPart, StrPartKind, StructLit, UnaryOp,
    Use, WhereItem, WhereItemKind, intrinsic,
};
use weft_base::Name;

const UNARY: [UnaryOp; 5] =
    [UnaryOp::Neg, UnaryOp::Not, UnaryOp::Plus, UnaryOp::Diff, UnaryOp::Try];

const BINARY: [BinaryOp; 14] = [
    BinaryOp::Or,
    BinaryOp::And,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::Lt,
    BinaryOp::Gt,
    BinaryOp::Le,
    BinaryOp::Ge,
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Rem,
    BinaryOp::Pow,
];

const PIPES: [PipeOp; 3] = [PipeOp::Pass, PipeOp::Skip, PipeOp::Try];

impl Parser {
    pub(super) fn expr(&self, e: &Sexp) -> Result<Expr> {
        let kind = match &e.kind {
            SexpKind::Word(word) => self.word_expr(e, word)?,
            SexpKind::Text(text) => ExprKind::Str(StrLit { parts: vec![text_part(text)] }),
            SexpKind::List(_) => self.expr_form(e)?,
        };
        Ok(Expr { span: nowhere(), kind })
    }

    pub(super) fn next_expr(&self, form: &mut Form<'_>) -> Result<Expr> {
        self.expr(form.any("an expression")?)
    }

    fn boxed(&self, form: &mut Form<'_>) -> Result<Box<Expr>> {
        self.next_expr(form).map(Box::new)
    }

    fn word_expr(&self, e: &Sexp, word: &str) -> Result<ExprKind> {
        Ok(match word {
            "error" => ExprKind::Error,
            "unit" => ExprKind::Unit,
            "true" | "false" => ExprKind::Bool(word == "true"),
            _ => match number(word) {
                Some(number) => ExprKind::Number(number),
                None => self.var_use(e)?,
            },
        })
    }

    fn var_use(&self, e: &Sexp) -> Result<ExprKind> {
        let (var, name) = self.named(e)?;
        Ok(use_of(Label { name, span: nowhere() }, Meaning::Var(var)))
    }

    fn expr_form(&self, e: &Sexp) -> Result<ExprKind> {
        let mut form = Form::new(e)?;
        form.next();
        let form = &mut form;
        let kind = match e.head().unwrap_or_default() {
            "variant" => {
                let ty = self.next_var(form)?;
                use_of(form.label()?, Meaning::Variant(ty))
            }
            "builtin" => use_of(form.label()?, Meaning::Builtin),
            "library" => library(form)?,
            "foreign" => {
                let path = form.text("a path")?;
                use_of(form.label()?, Meaning::Foreign(path))
            }
            "string" => self.string(form)?,
            "tuple" => ExprKind::Tuple(self.exprs(form)?),
            "array" => ExprKind::Array(self.exprs(form)?),
            "comprehension" => ExprKind::Comprehension(self.comprehension(form)?),
            "reduction" => ExprKind::Reduction(self.reduction(form)?),
            "reduce" => ExprKind::Reduce(self.reduce(form)?),
            "if" => ExprKind::If(self.if_else(form)?),
            "match" => ExprKind::Match(self.match_expr(form)?),
            "block" => return Ok(ExprKind::Block(self.block(e)?)),
            "lambda" => {
                let params = self.params(form)?;
                ExprKind::Lambda(Lambda { params, body: self.boxed(form)? })
            }
            "make" => ExprKind::StructLit(self.struct_literal(form)?),
            "call" => ExprKind::Call { callee: self.boxed(form)?, args: self.args(form)? },
            "index" => ExprKind::Index { base: self.boxed(form)?, items: self.items(form)? },
            "field" => ExprKind::Field { base: self.boxed(form)?, field: field_name(form)? },
            "where" => ExprKind::Where { body: self.boxed(form)?, items: self.where_items(form)? },
            "as" => {
                ExprKind::Cast { value: self.boxed(form)?, ty: super::ty::next_type(self, form)? }
            }
            word => match self.operation(word, form)? {
                Some(kind) => kind,
                None if id_of(word).is_some() => return self.var_use(e),
                None => return Err(e.at.error("expected an expression")),
            },
        };
        form.end()?;
        Ok(kind)
    }

    /// What is made of one or two others by a sign.
    fn operation(&self, sign: &str, form: &mut Form<'_>) -> Result<Option<ExprKind>> {
        let unary = UNARY.into_iter().find(|op| op.as_str() == sign);
        if let Some(op) = unary.filter(|_| form.len() < 2) {
            let op_span = nowhere();
            return Ok(Some(ExprKind::Unary { op, op_span, operand: self.boxed(form)? }));
        }
        let binary = BINARY.into_iter().find(|op| op.as_str() == sign);
        let pipe = PIPES.into_iter().find(|op| op.as_str() == sign);
        let known = matches!(sign, ".." | "..=" | "in" | "else" | "catch");
        if !known && binary.is_none() && pipe.is_none() {
            return Ok(None);
        }
        let (lhs, rhs, op_span) = (self.boxed(form)?, self.boxed(form)?, nowhere());
        let kind = match (sign, binary, pipe) {
            (_, Some(op), _) => ExprKind::Binary { op, op_span, lhs, rhs },
            (_, _, Some(op)) => ExprKind::Pipe { op, op_span, lhs, rhs },
            ("in", ..) => ExprKind::In { item: lhs, set: rhs },
            ("else", ..) => ExprKind::Recover { chain: lhs, handler: Handler::Else(rhs) },
            ("catch", ..) => ExprKind::Recover { chain: lhs, handler: Handler::Catch(rhs) },
            _ => ExprKind::Range { start: lhs, end: rhs, inclusive: sign == "..=" },
        };
        Ok(Some(kind))
    }

    fn exprs(&self, form: &mut Form<'_>) -> Result<Vec<Expr>> {
        form.map(|e| self.expr(e))
    }

    fn string(&self, form: &mut Form<'_>) -> Result<ExprKind> {
        let parts = form.map(|e| match &e.kind {
            SexpKind::Text(text) => Ok(text_part(text)),
            _ => self.value_part(e),
        })?;
        Ok(ExprKind::Str(StrLit { parts }))
    }

    fn value_part(&self, e: &Sexp) -> Result<StrPart> {
        let mut form = Form::new(e)?;
        form.word("show")?;
        let value = self.boxed(&mut form)?;
        let spec = form.optional("format").map(format_spec).transpose()?;
        form.end()?;
        Ok(StrPart { span: nowhere(), kind: StrPartKind::Value { value, spec } })
    }

    fn comprehension(&self, form: &mut Form<'_>) -> Result<Comprehension> {
        let inner = form.flag("inner");
        let body = self.boxed(form)?;
        let items = form.map(|e| self.gen_item(e))?;
        Ok(Comprehension { body, items, inner })
    }

    fn gen_item(&self, e: &Sexp) -> Result<GenItem> {
        let mut form = Form::new(e)?;
        form.next();
        let form = &mut form;
        let kind = match e.head() {
            Some("in") => {
                GenItemKind::In { name: self.next_ident(form)?, set: self.next_expr(form)? }
            }
            Some("let") => {
                GenItemKind::Bind { name: self.next_ident(form)?, value: self.next_expr(form)? }
            }
            Some("guard") => GenItemKind::Guard(self.next_expr(form)?),
            Some("test") => {
                GenItemKind::Test { item: self.next_expr(form)?, set: self.next_expr(form)? }
            }
            _ => return Err(e.at.error("expected `in`, `let`, `guard` or `test`")),
        };
        form.end()?;
        Ok(GenItem { span: nowhere(), kind })
    }

    fn where_items(&self, form: &mut Form<'_>) -> Result<Vec<WhereItem>> {
        form.map(|e| self.where_item(e))
    }

    fn where_item(&self, e: &Sexp) -> Result<WhereItem> {
        let mut form = Form::new(e)?;
        form.next();
        let form = &mut form;
        let kind = match e.head() {
            Some("let") => {
                WhereItemKind::Bind { name: self.next_ident(form)?, value: self.next_expr(form)? }
            }
            Some("guard") => WhereItemKind::Guard(self.next_expr(form)?),
            _ => return Err(e.at.error("expected `let` or `guard`")),
        };
        form.end()?;
        Ok(WhereItem { span: nowhere(), kind })
    }

    /// The items of a clause or a reduction, if there are any.
    pub(super) fn given(&self, form: &mut Form<'_>) -> Result<Vec<WhereItem>> {
        match form.optional("given") {
            Some(mut inside) => self.where_items(&mut inside),
            None => Ok(Vec::new()),
        }
    }

    fn reduction(&self, form: &mut Form<'_>) -> Result<Reduction> {
        let e = form.any("a reduction's word")?;
        let op = e.as_word().and_then(|w| Accumulator::from_name(w).filter(|op| op.as_str() == w));
        let op = op.ok_or_else(|| e.at.error("no such reduction"))?;
        let name = other_name(form, op.as_str())?;
        let Terms { heads, where_items, body } = self.terms(form)?;
        Ok(Reduction { op, name, heads, body, where_items })
    }

    fn reduce(&self, form: &mut Form<'_>) -> Result<Reduce> {
        let name = other_name(form, "reduce")?;
        let (function, identity) = (self.boxed(form)?, self.boxed(form)?);
        let Terms { heads, where_items, body } = self.terms(form)?;
        Ok(Reduce { name, function, identity, heads, body, where_items })
    }

    fn terms(&self, form: &mut Form<'_>) -> Result<Terms> {
        let heads = form.section("heads")?.map(|h| self.head(h))?;
        let where_items = self.given(form)?;
        Ok(Terms { heads, where_items, body: self.boxed(form)? })
    }

    fn head(&self, e: &Sexp) -> Result<Head> {
        let kind = match e.head() {
            Some("rest") => HeadKind::Rest(self.rest(e)?),
            Some("in") => {
                let mut form = Form::new(e)?;
                form.next();
                let name = self.next_ident(&mut form)?;
                let range = Some(self.boxed(&mut form)?);
                form.end()?;
                HeadKind::Index { name, range }
            }
            _ => HeadKind::Index { name: self.ident(e)?, range: None },
        };
        Ok(Head { span: nowhere(), kind })
    }

    fn if_else(&self, form: &mut Form<'_>) -> Result<If> {
        let cond = self.boxed(form)?;
        let then = self.block(form.any("a block")?)?;
        let otherwise = form.next().map(|e| self.expr(e)).transpose()?.map(Box::new);
        Ok(If { cond, then, otherwise })
    }

    fn match_expr(&self, form: &mut Form<'_>) -> Result<Match> {
        let scrutinee = self.boxed(form)?;
        Ok(Match { scrutinee, arms: form.map(|a| self.arm(a))? })
    }

    fn arm(&self, e: &Sexp) -> Result<Arm> {
        let mut form = Form::new(e)?;
        form.word("arm")?;
        let pats = self.alternatives(form.any("a pattern")?)?;
        let guard = form.only("guard", |g| self.expr(g))?;
        let body = self.next_expr(&mut form)?;
        form.end()?;
        Ok(Arm { span: nowhere(), pats, guard, body })
    }

    fn struct_literal(&self, form: &mut Form<'_>) -> Result<StructLit> {
        let constructor = self.next_constructor(form)?;
        let mut fields = Vec::new();
        while form.len() > 0 {
            let mut field = form.section("field")?;
            let name = field.label()?;
            let value = self.next_expr(&mut field)?;
            field.end()?;
            fields.push(FieldInit { name, value });
        }
        Ok(StructLit { constructor, fields })
    }

    fn args(&self, form: &mut Form<'_>) -> Result<Vec<Arg>> {
        form.map(|e| {
            if e.head() != Some("named") {
                return Ok(Arg { span: nowhere(), name: None, value: self.expr(e)? });
            }
            let mut form = Form::new(e)?;
            form.next();
            let name = Some(form.label()?);
            let value = self.next_expr(&mut form)?;
            form.end()?;
            Ok(Arg { span: nowhere(), name, value })
        })
    }

    fn items(&self, form: &mut Form<'_>) -> Result<Vec<Item>> {
        form.map(|e| {
            let kind = match e.head() {
                Some("rest") => ItemKind::Rest(self.rest(e)?),
                Some("coproduct") => ItemKind::Coproduct(self.coproduct(e)?),
                _ => ItemKind::Expr(self.expr(e)?),
            };
            Ok(Item { span: nowhere(), kind })
        })
    }
}

/// What a reduction goes over.
struct Terms {
    heads: Vec<Head>,
    where_items: Vec<WhereItem>,
    body: Box<Expr>,
}

fn use_of(name: Label, meaning: Meaning) -> ExprKind {
    ExprKind::Use(Use { span: nowhere(), name, meaning })
}

fn text_part(text: &str) -> StrPart {
    StrPart { span: nowhere(), kind: StrPartKind::Text(text.to_string()) }
}

/// The word of a reduction, where it is not the usual one.
fn other_name(form: &mut Form<'_>, usual: &str) -> Result<Label> {
    match form.optional("name") {
        Some(mut inside) => {
            let name = inside.label()?;
            inside.end()?;
            Ok(name)
        }
        None => Ok(Label { name: Name::new(usual), span: nowhere() }),
    }
}

fn library(form: &mut Form<'_>) -> Result<ExprKind> {
    let unknown = form.error("the library has no such item");
    let name = form.label()?;
    let item = intrinsic(name.as_str()).ok_or(unknown)?;
    let used_as = if form.len() > 0 { form.label()? } else { name };
    Ok(use_of(used_as, Meaning::Library(item)))
}

/// A name, or a position: a word of digits.
fn field_name(form: &mut Form<'_>) -> Result<FieldName> {
    match form.next_if(|e| e.as_word().is_some_and(|w| w.starts_with(|c: char| c.is_numeric()))) {
        Some(e) => {
            let index = e.as_word().and_then(|w| w.parse().ok());
            let index = index.ok_or_else(|| e.at.error("no field has this position"))?;
            Ok(FieldName::Position { index, span: nowhere() })
        }
        None => form.label().map(FieldName::Named),
    }
}

/// How a value is shown in a string.
fn format_spec(mut form: Form<'_>) -> Result<FormatSpec> {
    let spec = FormatSpec {
        span: nowhere(),
        fill: form.only("fill", fill)?,
        align: form.one_of(&ALIGNS),
        plus: form.flag("plus"),
        zero: form.flag("zero"),
        width: form.only_count("width")?,
        grouped: form.flag("grouped"),
        precision: form.only_count("precision")?,
        kind: form.one_of(&FORMAT_KINDS),
    };
    form.end()?;
    Ok(spec)
}

/// The one character of a text.
fn fill(e: &Sexp) -> Result<char> {
    let mut chars = match &e.kind {
        SexpKind::Text(text) => text.chars(),
        _ => "".chars(),
    };
    match (chars.next(), chars.next()) {
        (Some(c), None) => Ok(c),
        _ => Err(e.at.error("expected one character in quotes")),
    }
}
