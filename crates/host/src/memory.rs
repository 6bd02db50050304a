//! What the values of the host take: strings, lists, tuples and variants are counted
//! together, each as long as somebody holds it, and held against the limit of the run.

use crate::datum::Datum;
use std::cell::Cell;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;
use weft_base::Span;
use weft_diag::{Code, Diagnostic};

/// What a value takes besides its contents.
const OVERHEAD: u64 = 48;

/// The bytes of all values of a run.
#[derive(Debug)]
pub(crate) struct Account {
    limit: u64,
    used: Cell<u64>,
}

/// More than the limit allows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Full {
    needed: u64,
    limit: u64,
}

impl Full {
    /// The error, at the operation that asked for memory where that has a place.
    pub fn diagnostic(self, span: Option<Span>) -> Diagnostic {
        let d = Diagnostic::error(Code::E1106, exceeded_text(self.needed, self.limit));
        let what = "strings, lists and tuples take them";
        match span {
            Some(span) => d.primary(span, what),
            None => d.note(what),
        }
    }
}

/// How a limit that is too small is told, whoever needs the memory.
pub fn exceeded_text(needed: u64, limit: u64) -> String {
    let needed = bytes_text(needed);
    format!("the memory limit is exceeded: {needed} are needed, {limit} are allowed")
}

/// So many bytes; what 64 bits do not count is the largest number.
pub fn bytes_text(bytes: u64) -> String {
    match bytes {
        u64::MAX => "2^64 bytes or more".to_string(),
        n => format!("{n} bytes"),
    }
}

impl Account {
    pub fn new(limit: u64) -> Rc<Account> {
        Rc::new(Account { limit, used: Cell::new(0) })
    }

    /// Whether so many bytes more are allowed.
    pub fn room_for(&self, bytes: u64) -> Result<(), Full> {
        let needed = self.used.get().saturating_add(bytes);
        match needed <= self.limit {
            true => Ok(()),
            false => Err(Full { needed, limit: self.limit }),
        }
    }

    fn take(self: &Rc<Self>, bytes: u64) -> Result<Held, Full> {
        let bytes = bytes.saturating_add(OVERHEAD);
        self.room_for(bytes)?;
        self.used.set(self.used.get() + bytes);
        Ok(Held { bytes, account: Some(self.clone()) })
    }

    /// A string that is counted.
    pub fn text(self: &Rc<Self>, text: String) -> Result<Datum, Full> {
        let held = self.take(text.len() as u64)?;
        Ok(Datum::Text(Rc::new(Text { text: text.into(), _held: held })))
    }

    /// Members that are counted; what is in them is by itself.
    pub fn members(self: &Rc<Self>, all: Vec<Datum>) -> Result<Rc<Members>, Full> {
        let held = self.take(all.len().saturating_mul(size_of::<Datum>()) as u64)?;
        Ok(Rc::new(Members { all: all.into(), _held: held }))
    }

    /// A text to be written piece by piece.
    pub fn growing(self: &Rc<Self>) -> Growing {
        Growing { text: String::new(), account: self.clone(), full: None }
    }
}

/// Bytes that are given back when nobody holds what takes them.
#[derive(Debug)]
struct Held {
    bytes: u64,
    account: Option<Rc<Account>>,
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(account) = &self.account {
            account.used.set(account.used.get() - self.bytes);
        }
    }
}

/// A string.
#[derive(Debug)]
pub(crate) struct Text {
    text: Box<str>,
    _held: Held,
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// The members of a tuple, a list or a variant.
#[derive(Debug)]
pub(crate) struct Members {
    all: Box<[Datum]>,
    _held: Held,
}

impl Members {
    /// Members that nobody counts, of a value that is only looked at.
    pub fn passing(all: Vec<Datum>) -> Rc<Members> {
        Rc::new(Members { all: all.into(), _held: Held { bytes: 0, account: None } })
    }
}

impl Deref for Members {
    type Target = [Datum];

    fn deref(&self) -> &[Datum] {
        &self.all
    }
}

impl Drop for Members {
    /// Values may lie within each other deeper than a stack reaches: the last holder lets go
    /// of them one after the other.
    fn drop(&mut self) {
        if !self.all.iter().any(|d| d.members().is_some()) {
            return;
        }
        let mut waiting = std::mem::take(&mut self.all).into_vec();
        while let Some(d) = waiting.pop() {
            if let Some(mut only) = d.into_members()
                && let Some(inner) = Rc::get_mut(&mut only)
            {
                waiting.extend(std::mem::take(&mut inner.all));
            }
        }
    }
}

/// A text that may not grow beyond what is allowed.
pub(crate) struct Growing {
    text: String,
    account: Rc<Account>,
    full: Option<Full>,
}

impl Growing {
    /// The whole text, or why it is not whole.
    pub fn finish(self) -> Result<String, Full> {
        match self.full {
            Some(full) => Err(full),
            None => Ok(self.text),
        }
    }
}

impl fmt::Write for Growing {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        let room = self.account.room_for((self.text.len() + more.len()) as u64);
        self.full = room.err();
        match self.full {
            Some(_) => Err(fmt::Error),
            None => {
                self.text.push_str(more);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_holds_is_given_back() {
        let account = Account::new(10_000);
        let text = account.text("x".repeat(4_000)).unwrap();
        let list = account.members(vec![text.clone(), text]).unwrap();
        assert!(account.room_for(4_000).is_ok());
        let full = account.text("x".repeat(6_000)).unwrap_err();
        assert_eq!((full.needed > 10_000, full.limit), (true, 10_000));
        drop(list);
        assert_eq!(account.used.get(), 0);
    }

    #[test]
    fn values_within_each_other_are_let_go_without_a_stack() {
        let account = Account::new(u64::MAX);
        let mut value = account.members(Vec::new()).unwrap();
        for _ in 0..1_000_000 {
            value = account.members(vec![Datum::Variant(0, value)]).unwrap();
        }
        drop(value);
        assert_eq!(account.used.get(), 0);
    }
}
