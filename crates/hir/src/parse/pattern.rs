//! Patterns of `match`, read.

use super::form::Form;
use super::{Parser, Result, id, nowhere, pat_number};
use crate::sexp::{Sexp, SexpKind};
use crate::{Constructor, FieldPat, Pat, PatKind, PatNumber};

impl Parser {
    /// The alternatives of an arm: one stands for itself.
    pub(super) fn alternatives(&self, e: &Sexp) -> Result<Vec<Pat>> {
        if e.head() != Some("or") {
            return Ok(vec![self.pat(e)?]);
        }
        let mut form = Form::new(e)?;
        form.next();
        form.map(|p| self.pat(p))
    }

    fn pat(&self, e: &Sexp) -> Result<Pat> {
        let kind = match &e.kind {
            SexpKind::Word(word) => self.word_pat(e, word)?,
            SexpKind::Text(text) => PatKind::Str(text.clone()),
            SexpKind::List(_) => self.pat_form(e)?,
        };
        Ok(Pat { span: nowhere(), kind })
    }

    fn word_pat(&self, e: &Sexp, word: &str) -> Result<PatKind> {
        Ok(match word {
            "error" => PatKind::Error,
            "_" => PatKind::Wildcard,
            "true" | "false" => PatKind::Bool(word == "true"),
            _ => match pat_number(word) {
                Some(n) => PatKind::Number(n),
                None => PatKind::Bind { name: self.ident(e)?, constant: None, sub: None },
            },
        })
    }

    fn pat_form(&self, e: &Sexp) -> Result<PatKind> {
        let mut form = Form::new(e)?;
        form.next();
        let kind = match e.head() {
            Some("bind") => self.bind_pat(&mut form)?,
            Some(word @ (".." | "..=")) => {
                let (start, end) = (next_number(&mut form)?, next_number(&mut form)?);
                PatKind::Range { start, end, inclusive: word == "..=" }
            }
            Some("constructor") => return self.constructor(e).map(PatKind::Path),
            Some("tuple-struct") => {
                let path = self.next_constructor(&mut form)?;
                PatKind::TupleStruct { path, elems: form.map(|p| self.pat(p))? }
            }
            Some("struct") => self.struct_pat(&mut form)?,
            Some("tuple") => PatKind::Tuple(form.map(|p| self.pat(p))?),
            Some("array") => PatKind::Array(form.map(|p| self.pat(p))?),
            Some("rest") => PatKind::Rest(form.next().map(|n| self.ident(n)).transpose()?),
            _ => return Ok(PatKind::Bind { name: self.ident(e)?, constant: None, sub: None }),
        };
        form.end()?;
        Ok(kind)
    }

    fn bind_pat(&self, form: &mut Form<'_>) -> Result<PatKind> {
        let name = self.next_ident(form)?;
        let constant = form.only("constant", |e| self.var(e))?;
        let sub = form.only("sub", |e| self.pat(e))?.map(Box::new);
        Ok(PatKind::Bind { name, constant, sub })
    }

    fn struct_pat(&self, form: &mut Form<'_>) -> Result<PatKind> {
        let path = self.next_constructor(form)?;
        let mut fields = Vec::new();
        while let Some(mut field) = form.optional("field") {
            let name = field.label()?;
            let pat = self.pat(field.any("a pattern")?)?;
            field.end()?;
            fields.push(FieldPat { name, pat });
        }
        Ok(PatKind::Struct { path, fields, rest: form.flag("rest") })
    }

    pub(super) fn next_constructor(&self, form: &mut Form<'_>) -> Result<Constructor> {
        self.constructor(form.any("a constructor")?)
    }

    fn constructor(&self, e: &Sexp) -> Result<Constructor> {
        let mut form = Form::new(e)?;
        form.word("constructor")?;
        let name = form.label()?;
        let ty = form.next_if(|e| id(e).is_some()).map(|e| self.var(e)).transpose()?;
        let bare = form.flag("bare");
        form.end()?;
        Ok(Constructor { span: nowhere(), name, bare, ty })
    }
}

fn next_number(form: &mut Form<'_>) -> Result<PatNumber> {
    let e = form.any("a number")?;
    let number = e.as_word().and_then(pat_number);
    number.ok_or_else(|| e.at.error("expected a number"))
}
