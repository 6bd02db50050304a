//! The door for functions that are no part of the program: what is called through it, and what
//! comes back.
//!
//! A call is host data: its arguments are tensors that were observed, and what it gives fills an
//! input of the graph that has this call as its source. So it is computed once in a run, where
//! something needs it, stored whole, and neither executors nor passes know where it came from.

use crate::datum::Datum;
use crate::evaluate::failed;
use crate::interpret::Interpreter;
use crate::value::Look;
use crate::{Observed, RunError};
use std::fmt;
use weft_base::{Name, Span};
use weft_diag::Diagnostic;
use weft_scalar::{FileCall, ScalarType};

/// What is called, and what the program counts on.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignCall {
    /// The function: `python::numpy::sort`.
    pub path: Name,
    /// The function of the library that it is, if it is one: of files.
    pub file: Option<FileCall>,
    /// For each argument the name that it is given by, if it is.
    pub names: Vec<Option<Name>>,
    /// What it is to give.
    pub gives: Gives,
}

/// What a call is to give.
#[derive(Debug, Clone, PartialEq)]
pub enum Gives {
    /// A tensor with an axis for each of these, of that extent where it is known; without axes a
    /// number.
    Tensor(ScalarType, Vec<Option<usize>>),
    /// A tuple.
    Tuple(Vec<Gives>),
    /// A text.
    Text,
    /// A list of texts.
    Texts,
}

impl Gives {
    /// With extents for all axes of all tensors in it, in order.
    fn with_extents(&mut self, extents: &mut dyn Iterator<Item = usize>) {
        match self {
            Gives::Tensor(_, shape) => {
                shape.iter_mut().zip(extents).for_each(|(s, n)| *s = Some(n))
            }
            Gives::Tuple(members) => members.iter_mut().for_each(|m| m.with_extents(extents)),
            Gives::Text | Gives::Texts => {}
        }
    }
}

/// Why a call gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// It failed, and what is said of that: a failure of the program, which may catch it.
    Failed(String),
    /// What a function of files found wrong, to be told at the call: a failure too.
    File(Box<Diagnostic>),
    /// The run is to end.
    Stopped,
}

/// Functions that whoever runs a program has.
pub trait ForeignFunctions: fmt::Debug + Sync {
    /// Calls one on arrays, numbers (as arrays of rank 0), strings, lists of strings and tuples of
    /// arrays. What it gives is an array, of rank 0 for a number, a string, a list of strings, or a
    /// tuple of these. Nobody writes to either afterwards.
    ///
    /// # Errors
    ///
    /// Where it gave nothing.
    fn call(&self, call: &ForeignCall, args: &[Observed]) -> Result<Observed, Refused>;
}

/// The failure of a call of a function that is nowhere.
pub fn nobody_has(path: &Name) -> String {
    format!("nobody here has the function `{path}`")
}

impl Interpreter<'_> {
    pub(crate) fn foreign(
        &mut self,
        call: &ForeignCall,
        operands: &[Datum],
        span: Span,
    ) -> Result<Datum, RunError> {
        let (args, extents) = operands.split_at(call.names.len());
        let mut call = call.clone();
        let extents = extents.iter().map(|d| d.int().and_then(|n| usize::try_from(n).ok()));
        call.gives.with_extents(&mut extents.map(|n| n.unwrap_or(0)));
        let path = &call.path;
        let Some(functions) = self.compute.foreign() else {
            return Err(failed(nobody_has(path), span));
        };
        let args: Vec<Observed> = args.iter().map(|d| self.whole.shown(d, &Look::Plain)).collect();
        match functions.call(&call, &args) {
            Ok(found) => self.given_back(&found, &call.gives, span)?.ok_or_else(|| {
                failed(format!("`{path}` gives something else than is stated"), span)
            }),
            Err(Refused::Failed(text)) => Err(failed(text, span)),
            Err(Refused::File(d)) => Err(d.primary(span, "here").into()),
            Err(Refused::Stopped) => Err(RunError::Interrupted),
        }
    }

    /// What a call gave, if it is what was counted on.
    fn given_back(
        &self,
        found: &Observed,
        wanted: &Gives,
        span: Span,
    ) -> Result<Option<Datum>, RunError> {
        Ok(match (found, wanted) {
            (Observed::Array(a), Gives::Tensor(elem, shape)) => {
                let same = |(n, wanted): (&usize, &Option<usize>)| wanted.is_none_or(|w| w == *n);
                let fits = a.elem() == *elem
                    && a.shape().len() == shape.len()
                    && a.shape().iter().zip(shape).all(same);
                fits.then(|| Datum::of_array(a.clone()))
            }
            (Observed::Tuple(all), Gives::Tuple(wanted)) if all.len() == wanted.len() => {
                let mut members = Vec::new();
                for (found, wanted) in all.iter().zip(wanted) {
                    match self.given_back(found, wanted, span)? {
                        Some(member) => members.push(member),
                        None => return Ok(None),
                    }
                }
                Some(self.tuple(members)?)
            }
            (Observed::Text(text), Gives::Text) => Some(self.string(text.clone(), span)?),
            (Observed::List(all), Gives::Texts) => {
                let mut texts = Vec::new();
                for text in all {
                    let Observed::Text(text) = text else { return Ok(None) };
                    texts.push(self.string(text.clone(), span)?);
                }
                Some(self.list(texts, span)?)
            }
            _ => None,
        })
    }
}
