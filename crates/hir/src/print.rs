//! The text form of resolved programs, written. [`crate::parse`] reads it back.
//!
//! The form shows everything but where things stand in the source: spans, and which files are
//! the library's. First come the variables that are used, by their ids, then structs and enums,
//! what modules hold, and the program. A mention of a variable is its id, with the name beside
//! it where that is another than in the table: `n3`, `(n3 "alias")`.

mod expr;
mod item;
mod pattern;
mod ty;

use crate::sexp::{self, Sexp};
use crate::{Ident, Label, Number, PatNumber, Program, Rest, VarId};
use std::collections::BTreeSet;
use weft_base::Name;

/// The text of a program.
pub fn print(program: &Program) -> String {
    let mut printer = Printer { program, used: BTreeSet::new() };
    let content = printer.content();
    let table: Vec<Sexp> = printer.used.iter().filter_map(|var| printer.row(*var)).collect();
    sexp::write(table.into_iter().chain(content))
}

struct Printer<'p> {
    program: &'p Program,
    /// The variables that the tree mentions so far.
    used: BTreeSet<VarId>,
}

impl Printer<'_> {
    /// The program without its table.
    fn content(&mut self) -> Vec<Sexp> {
        let program = self.program;
        let mut out: Vec<Sexp> = program.types.iter().map(|t| self.type_def(t)).collect();
        if !program.items.is_empty() {
            out.push(Sexp::form("items", self.stmts(&program.items)));
        }
        out.extend(self.stmts(&program.stmts));
        out.extend(program.tail.as_ref().map(|e| Sexp::form("tail", [self.expr(e)])));
        out.extend(program.main.as_ref().map(|main| Sexp::form("main", [self.ident(main)])));
        out
    }

    /// A variable in the table.
    fn row(&self, id: VarId) -> Option<Sexp> {
        let var = self.program.vars.get(id)?;
        let global = var.global.then(|| Sexp::word("global"));
        let component = var.component.map(|(size, idle)| {
            Sexp::form("component", [size, idle].map(|v| Sexp::word(v.to_string())))
        });
        let name = [Sexp::word(id.to_string()), Sexp::text(var.name.as_str())];
        Some(Sexp::form("var", name.into_iter().chain(global).chain(component)))
    }

    /// A variable by its id.
    fn var(&mut self, var: VarId) -> Sexp {
        let mut mentioned = vec![var];
        while let Some(var) = mentioned.pop() {
            if self.used.insert(var)
                && let Some((size, idle)) = self.program.vars.get(var).and_then(|v| v.component)
            {
                mentioned.extend([size, idle]);
            }
        }
        Sexp::word(var.to_string())
    }

    /// A variable by its id, and by its name where that is not the one in the table.
    fn named(&mut self, var: VarId, name: &Name) -> Sexp {
        let id = self.var(var);
        match self.program.vars.get(var) {
            Some(known) if known.name == *name => id,
            _ => Sexp::list([id, Sexp::text(name.as_str())]),
        }
    }

    fn ident(&mut self, ident: &Ident) -> Sexp {
        self.named(ident.var, &ident.name)
    }

    fn rest(&mut self, rest: &Rest) -> Sexp {
        let name = match rest.var {
            Some(var) => self.named(var, rest.name()),
            None => Sexp::list([Sexp::word("none"), label(&rest.name)]),
        };
        let rank = rest.rank.as_ref().map(|e| self.expr(e));
        Sexp::form("rest", [name].into_iter().chain(rank))
    }
}

/// A name that stands for no variable: a word where it reads as one.
fn label(label: &Label) -> Sexp {
    name(label.as_str())
}

fn name(name: &str) -> Sexp {
    let is_word = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    match name.chars().next() {
        Some(first) if is_word && !first.is_numeric() => Sexp::word(name),
        _ => Sexp::text(name),
    }
}

/// A number as it was written.
fn number(number: &Number) -> Sexp {
    Sexp::word(number.text.as_str())
}

fn pat_number(n: &PatNumber) -> Sexp {
    let sign = if n.negative { "-" } else { "" };
    Sexp::word(format!("{sign}{}", n.number.text))
}

/// `(word inside)`, if there is anything inside.
fn section(word: &str, inside: Option<Sexp>) -> Option<Sexp> {
    inside.map(|e| Sexp::form(word, [e]))
}

/// A word, where it holds.
fn flag(word: &str, holds: bool) -> Option<Sexp> {
    holds.then(|| Sexp::word(word))
}
