//! The text form of resolved programs, read. [`crate::print`] writes it.
//!
//! What is read need not be valid: [`crate::verify`] says whether it is. Every variable that is
//! mentioned stands in the table, whose ids ascend; ids between them stand for variables that
//! nothing uses. Everything has one span, the empty one at the start of the first file.

mod expr;
mod form;
mod item;
mod pattern;
mod ty;

use crate::sexp::{self, Sexp, SexpKind};
use crate::{Ident, Label, Number, NumberValue, PatNumber, Program, Rest, Var, VarId};
use form::Form;
use std::fmt;
use std::rc::Rc;
use weft_base::entity::{EntityRef, PrimaryMap};
use weft_base::{FileId, Name, Span};

/// Why a text is no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

type Result<T> = std::result::Result<T, ParseError>;

/// Larger numbers of variables are refused, as a table has room for all below.
const MOST_VARIABLES: usize = 1 << 20;

/// The program that a text describes.
pub fn parse(text: &str) -> Result<Program> {
    let all = sexp::read(text)?;
    let rows = all.iter().take_while(|e| e.head() == Some("var")).count();
    let (rows, content) = all.split_at(rows);
    let mut parser = Parser { vars: PrimaryMap::new(), known: Vec::new() };
    rows.iter().try_for_each(|row| parser.row(row))?;
    rows.iter().try_for_each(|row| parser.component(row))?;
    let mut program = parser.program(content)?;
    program.vars = parser.vars;
    Ok(program)
}

struct Parser {
    vars: PrimaryMap<VarId, Var>,
    /// Those that the table lists.
    known: Vec<VarId>,
}

/// The span of everything.
fn nowhere() -> Span {
    Span::new(FileId::from_u32(0), 0, 0)
}

impl Parser {
    /// Enters a row of the table, but for its component.
    fn row(&mut self, row: &Sexp) -> Result<()> {
        let mut form = Form::new(row)?;
        form.word("var")?;
        let at = form.any("the id of a variable")?;
        let var = id(at).ok_or_else(|| at.at.error("expected the id of a variable"))?;
        if var.index() < self.vars.len() {
            return Err(at.at.error("the ids of the table ascend"));
        }
        if var.index() >= MOST_VARIABLES {
            return Err(at.at.error("the number of a variable is too large"));
        }
        while self.vars.len() < var.index() {
            self.vars.push(variable(Name::new(""), false));
        }
        let name = form.text("the name of the variable")?;
        self.vars.push(variable(name, form.flag("global")));
        self.known.push(var);
        form.optional("component");
        form.end()
    }

    /// The component of a row, when all variables are known.
    fn component(&mut self, row: &Sexp) -> Result<()> {
        let mut form = Form::new(row)?;
        form.word("var")?;
        let var = self.var(form.any("an id")?)?;
        form.any("a name")?;
        form.flag("global");
        if let Some(mut inside) = form.optional("component") {
            let (size, idle) = (self.next_var(&mut inside)?, self.next_var(&mut inside)?);
            inside.end()?;
            self.vars[var].component = Some((size, idle));
        }
        Ok(())
    }

    fn program(&self, content: &[Sexp]) -> Result<Program> {
        let mut program = Program::default();
        let mut form = Form::of(content);
        while let Some(e) = form.next_with(&["struct", "enum"]) {
            program.types.push(Rc::new(ty::type_def(self, e)?));
        }
        if let Some(mut items) = form.optional("items") {
            program.items = items.map(|e| self.stmt(e))?;
        }
        while let Some(e) = form.next_without(&["tail", "main"]) {
            program.stmts.push(self.stmt(e)?);
        }
        program.tail = form.only("tail", |e| self.expr(e))?.map(Box::new);
        program.main = form.only("main", |e| self.ident(e))?;
        form.end()?;
        Ok(program)
    }

    /// A variable by its id.
    fn var(&self, e: &Sexp) -> Result<VarId> {
        let Some(var) = id(e) else {
            return Err(e.at.error("expected the id of a variable, such as `n0`"));
        };
        match self.known.binary_search(&var) {
            Ok(_) => Ok(var),
            Err(_) => Err(e.at.error(format!("`{var}` is not in the table of variables"))),
        }
    }

    fn next_var(&self, form: &mut Form<'_>) -> Result<VarId> {
        self.var(form.any("the id of a variable")?)
    }

    /// A variable with the name that it has here: `n3`, `(n3 "alias")`.
    fn named(&self, e: &Sexp) -> Result<(VarId, Name)> {
        if !matches!(e.kind, SexpKind::List(_)) {
            let var = self.var(e)?;
            return Ok((var, self.vars[var].name.clone()));
        }
        let mut form = Form::new(e)?;
        let var = self.next_var(&mut form)?;
        let name = form.text("a name in quotes")?;
        form.end()?;
        Ok((var, name))
    }

    fn ident(&self, e: &Sexp) -> Result<Ident> {
        let (var, name) = self.named(e)?;
        Ok(Ident { name, span: nowhere(), var })
    }

    fn next_ident(&self, form: &mut Form<'_>) -> Result<Ident> {
        self.ident(form.any("a variable")?)
    }

    fn rest(&self, e: &Sexp) -> Result<Rest> {
        let mut form = Form::new(e)?;
        form.word("rest")?;
        let name = form.any("a variable")?;
        let (var, name) = match name.head() {
            Some("none") => {
                let mut form = Form::new(name)?;
                form.word("none")?;
                let name = form.label()?;
                form.end()?;
                (None, name)
            }
            _ => {
                let (var, name) = self.named(name)?;
                (Some(var), Label { name, span: nowhere() })
            }
        };
        let rank = form.next().map(|e| self.expr(e)).transpose()?.map(Box::new);
        form.end()?;
        Ok(Rest { name, var, rank })
    }
}

fn variable(name: Name, global: bool) -> Var {
    Var { name, span: nowhere(), global, component: None }
}

/// The id that a word is.
fn id(e: &Sexp) -> Option<VarId> {
    id_of(e.as_word()?)
}

fn id_of(word: &str) -> Option<VarId> {
    let digits = word.strip_prefix('n')?;
    let plain = digits.bytes().all(|b| b.is_ascii_digit());
    let number = digits.parse::<u32>().ok().filter(|n| plain && *n < u32::MAX)?;
    Some(VarId::from_u32(number))
}

/// The number that a word is, as the source would have it.
fn number(word: &str) -> Option<Number> {
    let text = word.to_string();
    match word.as_bytes() {
        [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..] => {}
        _ => return None,
    }
    let value = match word.bytes().all(|b| b.is_ascii_digit()) {
        true => NumberValue::Int(word.parse().ok()?),
        false => NumberValue::Float(word.parse().ok().filter(|v: &f64| v.is_finite())?),
    };
    Some(Number { text, value })
}

/// A number of a pattern.
fn pat_number(word: &str) -> Option<PatNumber> {
    let digits = word.strip_prefix('-');
    let number = number(digits.unwrap_or(word))?;
    Some(PatNumber { span: nowhere(), negative: digits.is_some(), number })
}
