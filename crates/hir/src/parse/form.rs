//! Walks over the members of a list.

use super::{ParseError, Result, nowhere};
use crate::Label;
use crate::sexp::{Place, Sexp, SexpKind};
use std::str::FromStr;
use weft_base::Name;

/// The members of a list that are not taken yet.
pub(super) struct Form<'s> {
    rest: std::slice::Iter<'s, Sexp>,
    /// Where the list begins: what is missing is missed there.
    at: Place,
}

impl<'s> Form<'s> {
    /// The members of a list.
    pub fn new(e: &'s Sexp) -> Result<Form<'s>> {
        match &e.kind {
            SexpKind::List(all) => Ok(Form { rest: all.iter(), at: e.at }),
            _ => Err(e.at.error("expected a list")),
        }
    }

    /// What stands at the outermost level.
    pub fn of(all: &'s [Sexp]) -> Form<'s> {
        let at = all.first().map_or(Place { line: 1, column: 1 }, |e| e.at);
        Form { rest: all.iter(), at }
    }

    /// An error at the next member.
    pub fn error(&self, message: impl Into<String>) -> ParseError {
        self.rest.as_slice().first().map_or(self.at, |e| e.at).error(message)
    }

    /// The next member, if there is one.
    pub fn next(&mut self) -> Option<&'s Sexp> {
        self.rest.next()
    }

    /// The next member.
    pub fn any(&mut self, what: &str) -> Result<&'s Sexp> {
        self.rest.next().ok_or_else(|| self.at.error(format!("{what} is missing")))
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.rest.len()
    }

    /// The next member, where it is such.
    pub fn next_if(&mut self, is_it: impl FnOnce(&Sexp) -> bool) -> Option<&'s Sexp> {
        self.rest.as_slice().first().filter(|e| is_it(e))?;
        self.rest.next()
    }

    /// The next member, where it is a list with one of these heads.
    pub fn next_with(&mut self, heads: &[&str]) -> Option<&'s Sexp> {
        self.next_if(|e| e.head().is_some_and(|h| heads.contains(&h)))
    }

    /// The next member, where it is no list with one of these heads.
    pub fn next_without(&mut self, heads: &[&str]) -> Option<&'s Sexp> {
        self.next_if(|e| !e.head().is_some_and(|h| heads.contains(&h)))
    }

    /// Whether the next member is this word, which is taken.
    pub fn flag(&mut self, word: &str) -> bool {
        self.next_if(|e| e.as_word() == Some(word)).is_some()
    }

    /// Takes this word.
    pub fn word(&mut self, word: &str) -> Result<()> {
        if self.flag(word) { Ok(()) } else { Err(self.error(format!("expected `{word}`"))) }
    }

    /// What stands in `(head …)`, where that is the next member.
    pub fn optional(&mut self, head: &str) -> Option<Form<'s>> {
        let mut inside = Form::new(self.next_with(&[head])?).ok()?;
        inside.next();
        Some(inside)
    }

    /// What stands in `(head …)`.
    pub fn section(&mut self, head: &str) -> Result<Form<'s>> {
        let missing = self.error(format!("expected `({head} …)`"));
        self.optional(head).ok_or(missing)
    }

    /// The only thing in `(head …)`, where that is the next member.
    pub fn only<T>(
        &mut self,
        head: &str,
        read: impl FnOnce(&'s Sexp) -> Result<T>,
    ) -> Result<Option<T>> {
        let Some(mut inside) = self.optional(head) else { return Ok(None) };
        let found = read(inside.any("something")?)?;
        inside.end()?;
        Ok(Some(found))
    }

    /// A count in `(head …)`, where that is the next member.
    pub fn only_count<T: FromStr>(&mut self, head: &str) -> Result<Option<T>> {
        let Some(mut inside) = self.optional(head) else { return Ok(None) };
        let count = inside.count()?;
        inside.end()?;
        Ok(Some(count))
    }

    /// The value of the next word, where it is one of these.
    pub fn one_of<T: Copy>(&mut self, words: &[(&str, T)]) -> Option<T> {
        let next = self.rest.as_slice().first()?.as_word()?;
        let (_, value) = words.iter().find(|(word, _)| *word == next)?;
        self.rest.next();
        Some(*value)
    }

    /// All that is left, each read alike.
    pub fn map<T>(&mut self, read: impl FnMut(&'s Sexp) -> Result<T>) -> Result<Vec<T>> {
        self.rest.by_ref().map(read).collect()
    }

    /// A text in quotes, as a name.
    pub fn text(&mut self, what: &str) -> Result<Name> {
        let e = self.any(what)?;
        match &e.kind {
            SexpKind::Text(text) => Ok(Name::new(text)),
            _ => Err(e.at.error(format!("expected {what}"))),
        }
    }

    /// A name that stands for no variable.
    pub fn label(&mut self) -> Result<Label> {
        let e = self.any("a name")?;
        match &e.kind {
            SexpKind::Word(name) | SexpKind::Text(name) => {
                Ok(Label { name: Name::new(name), span: nowhere() })
            }
            SexpKind::List(_) => Err(e.at.error("expected a name")),
        }
    }

    /// A number that is not part of the program.
    pub fn count<T: FromStr>(&mut self) -> Result<T> {
        let e = self.any("a number")?;
        let word = e.as_word().filter(|w| w.bytes().all(|b| b.is_ascii_digit()));
        let count = word.and_then(|w| w.parse().ok());
        count.ok_or_else(|| e.at.error("expected a number"))
    }

    /// Nothing may be left.
    pub fn end(&self) -> Result<()> {
        if self.rest.len() == 0 { Ok(()) } else { Err(self.error("nothing is expected here")) }
    }
}
