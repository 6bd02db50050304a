//! Statements and definitions, read.

use super::form::Form;
use super::{Parser, Result, nowhere};
use crate::sexp::Sexp;
use crate::{
    Block, Clause, Const, Definition, DiffRule, FnDef, Input, Let, LetPattern, LetPatternKind,
    Param, Part, PartKind, Slot, SlotKind, Stmt, StmtKind, TypedPattern,
};
use std::rc::Rc;

impl Parser {
    pub(super) fn block(&self, e: &Sexp) -> Result<Block> {
        let mut form = Form::new(e)?;
        form.word("block")?;
        let mut stmts = Vec::new();
        while let Some(e) = form.next_without(&["tail"]) {
            stmts.push(self.stmt(e)?);
        }
        let tail = form.only("tail", |e| self.expr(e))?.map(Box::new);
        form.end()?;
        Ok(Block { span: nowhere(), stmts, tail })
    }

    fn next_block(&self, form: &mut Form<'_>) -> Result<Block> {
        self.block(form.any("a block")?)
    }

    pub(super) fn stmt(&self, e: &Sexp) -> Result<Stmt> {
        let mut form = Form::new(e)?;
        form.next();
        let kind = match e.head() {
            Some("let") => StmtKind::Let(self.let_stmt(&mut form)?),
            Some("const") => StmtKind::Const(Rc::new(self.constant(&mut form)?)),
            Some("definitions") => StmtKind::Definitions(form.map(|d| self.definition(d))?),
            Some("fn") => StmtKind::Fn(Rc::new(self.function(&mut form)?)),
            Some("rule") => StmtKind::DiffRule(Rc::new(self.rule(&mut form)?)),
            Some("input") => StmtKind::Input(self.input(&mut form)?),
            Some("do") => StmtKind::Expr(self.next_expr(&mut form)?),
            _ => return Err(e.at.error("expected a statement")),
        };
        form.end()?;
        Ok(Stmt { span: nowhere(), kind })
    }

    fn let_stmt(&self, form: &mut Form<'_>) -> Result<Let> {
        let pattern = self.let_pattern(form.any("a pattern")?)?;
        let ty = form.only("type", |t| super::ty::ty(self, t))?;
        let value = self.next_expr(form)?;
        let replaced = form.only("replaced", |e| self.expr(e))?;
        Ok(Let { pattern, ty, value, replaced })
    }

    fn let_pattern(&self, e: &Sexp) -> Result<LetPattern> {
        let kind = match (e.as_word(), e.head()) {
            (Some("error"), _) => LetPatternKind::Error,
            (Some("_"), _) => LetPatternKind::Discard,
            (_, Some("tuple")) => {
                let mut form = Form::new(e)?;
                form.next();
                LetPatternKind::Tuple(form.map(|m| self.typed_pattern(m))?)
            }
            _ => LetPatternKind::Name(self.ident(e)?),
        };
        Ok(LetPattern { span: nowhere(), kind })
    }

    fn typed_pattern(&self, e: &Sexp) -> Result<TypedPattern> {
        if e.head() != Some("typed") {
            return Ok(TypedPattern { pattern: self.let_pattern(e)?, ty: None });
        }
        let mut form = Form::new(e)?;
        form.next();
        let pattern = self.let_pattern(form.any("a pattern")?)?;
        let ty = Some(super::ty::next_type(self, &mut form)?);
        form.end()?;
        Ok(TypedPattern { pattern, ty })
    }

    fn constant(&self, form: &mut Form<'_>) -> Result<Const> {
        let name = self.next_ident(form)?;
        let closed = form.flag("closed");
        let ty = form.only("type", |t| super::ty::ty(self, t))?;
        Ok(Const { name, ty, value: self.next_expr(form)?, closed })
    }

    fn definition(&self, e: &Sexp) -> Result<Definition> {
        let mut form = Form::new(e)?;
        form.word("definition")?;
        let name = self.next_ident(&mut form)?;
        Ok(Definition { name, clauses: form.map(|c| self.clause(c))? })
    }

    fn clause(&self, e: &Sexp) -> Result<Clause> {
        let mut form = Form::new(e)?;
        form.word("clause")?;
        let name = self.next_ident(&mut form)?;
        let slots = form.section("slots")?.map(|s| self.slot(s))?;
        let ty = form.only("type", |t| super::ty::ty(self, t))?;
        let where_items = self.given(&mut form)?;
        let alternatives = form.section("=")?.map(|e| self.expr(e))?;
        let otherwise = form.only("else", |e| self.expr(e))?;
        let stretch = form.only_count("stretch")?.unwrap_or(0);
        form.end()?;
        let (span, slots_span) = (nowhere(), nowhere());
        Ok(Clause {
            span,
            name,
            slots_span,
            slots,
            ty,
            alternatives,
            where_items,
            otherwise,
            stretch,
        })
    }

    fn slot(&self, e: &Sexp) -> Result<Slot> {
        let kind = match e.head() {
            Some("rest") => SlotKind::Rest(self.rest(e)?),
            Some("coproduct") => SlotKind::Coproduct(self.coproduct(e)?),
            Some("index") => self.index_slot(e)?,
            Some("fixed") => {
                let mut form = Form::new(e)?;
                form.next();
                let cell = self.next_expr(&mut form)?;
                form.end()?;
                SlotKind::Fixed(cell)
            }
            _ => SlotKind::Index { name: self.ident(e)?, range: None, hides: None },
        };
        Ok(Slot { span: nowhere(), kind })
    }

    fn index_slot(&self, e: &Sexp) -> Result<SlotKind> {
        let mut form = Form::new(e)?;
        form.next();
        let name = self.next_ident(&mut form)?;
        let range = form.only("range", |e| self.expr(e))?;
        let hides = form.only("hides", |e| self.var(e))?;
        form.end()?;
        Ok(SlotKind::Index { name, range, hides })
    }

    /// A joined axis, in a slot or an item.
    pub(super) fn coproduct(&self, e: &Sexp) -> Result<Vec<Part>> {
        let mut form = Form::new(e)?;
        form.word("coproduct")?;
        form.map(|p| self.part(p))
    }

    fn part(&self, e: &Sexp) -> Result<Part> {
        let kind = match (e.as_word(), e.head()) {
            (Some("error"), _) => PartKind::Error,
            (Some("_"), _) => PartKind::Discard,
            (_, Some(head @ ("in" | "size"))) => {
                let mut form = Form::new(e)?;
                form.next();
                let kind = match head {
                    "size" => PartKind::Size(form.count()?),
                    _ => {
                        let name = self.next_ident(&mut form)?;
                        let range = Some(Box::new(self.next_expr(&mut form)?));
                        PartKind::Index { name, range }
                    }
                };
                form.end()?;
                kind
            }
            _ => PartKind::Index { name: self.ident(e)?, range: None },
        };
        Ok(Part { span: nowhere(), kind })
    }

    fn function(&self, form: &mut Form<'_>) -> Result<FnDef> {
        let name = self.next_ident(form)?;
        let params = self.params(form)?;
        let ret = form.only("returns", |t| super::ty::ty(self, t))?;
        Ok(FnDef { name, params, ret, body: self.next_block(form)? })
    }

    fn rule(&self, form: &mut Form<'_>) -> Result<DiffRule> {
        let name = form.label()?;
        let function = form.only("function", |e| self.var(e))?;
        let params = self.params(form)?;
        Ok(DiffRule { name, function, params, body: self.next_block(form)? })
    }

    pub(super) fn params(&self, form: &mut Form<'_>) -> Result<Vec<Param>> {
        form.section("params")?.map(|p| self.param(p))
    }

    fn param(&self, e: &Sexp) -> Result<Param> {
        if e.head() != Some("param") {
            return Ok(Param { span: nowhere(), name: self.ident(e)?, ty: None, default: None });
        }
        let mut form = Form::new(e)?;
        form.next();
        let name = self.next_ident(&mut form)?;
        let ty = form.only("type", |t| super::ty::ty(self, t))?;
        let default = form.only("default", |e| self.expr(e))?;
        form.end()?;
        Ok(Param { span: nowhere(), name, ty, default })
    }

    fn input(&self, form: &mut Form<'_>) -> Result<Input> {
        let name = self.next_ident(form)?;
        let ty = super::ty::next_type(self, form)?;
        let default = form.only("default", |e| self.expr(e))?;
        Ok(Input { name, ty, default })
    }
}
