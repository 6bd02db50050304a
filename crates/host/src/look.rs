//! What a value looks like from outside: names of structs, variants and fields.

use crate::Program;
use crate::datum::Datum;
use crate::display::{Format, array_text, formatted, scalar_text};
use crate::table::Table;
use crate::value::{BoxedType, Fields, Look};
use std::fmt;
use std::sync::Arc;
use weft_base::Name;
use weft_diag::Diagnostic;
use weft_scalar::ScalarType;
use weft_tensor::Array;

/// A value that was observed.
#[derive(Debug, Clone)]
pub enum Observed {
    /// A tensor or a number.
    Array(Arc<Array>),
    /// Integers that nothing gave a type, in `i64`: what keeps them takes them as `i32`.
    OpenInts(Arc<Array>),
    /// A string.
    Text(String),
    /// A tuple.
    Tuple(Vec<Observed>),
    /// A struct or a variant, with its fields; a field without a name has a position.
    Record(Name, Vec<(Option<Name>, Observed)>),
    /// A list: rows of different lengths, strings.
    List(Vec<Observed>),
    /// A tensor of tuples, structs or variants.
    Table(Table),
    /// A range.
    Range(i64, i64),
    /// A function of that name.
    Function(Name),
    /// A failure that was caught.
    Failure(Box<Diagnostic>),
}

impl Observed {
    /// The value as `print` shows it.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // A string takes all that is written.
        let _ = self.write(&mut text, &array_text);
        text
    }

    /// The value in a format, which tells how the numbers in it are written.
    pub fn formatted(&self, f: &Format) -> String {
        let numbers = Format { width: None, zero: false, ..f.clone() };
        let mut text = String::new();
        let _ = self.write(&mut text, &|a| formatted(a, &numbers));
        f.pad(&text)
    }

    /// Writes the value as `print` shows it.
    pub(crate) fn print(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        self.write(out, &array_text)
    }

    fn write(&self, out: &mut dyn fmt::Write, number: Numbers<'_>) -> fmt::Result {
        match self {
            Observed::Array(a) | Observed::OpenInts(a) => out.write_str(&number(a)),
            Observed::Text(t) => out.write_str(t),
            Observed::Tuple(members) => {
                let end = if members.len() == 1 { ",)" } else { ")" };
                list(out, "(", members.iter().map(|m| (None, m)), end, number)
            }
            Observed::Record(name, fields) => {
                out.write_str(name.as_str())?;
                let named = fields.iter().map(|(n, v)| (n.as_ref(), v));
                match fields.first() {
                    None => Ok(()),
                    Some((None, _)) => list(out, "(", named, ")", number),
                    Some((Some(_), _)) => list(out, " { ", named, " }", number),
                }
            }
            Observed::List(all) => list(out, "[", all.iter().map(|m| (None, m)), "]", number),
            Observed::Table(t) => {
                t.write(out, &|out, cell: &Observed| cell.write_inside(out, number))
            }
            Observed::Range(lo, hi) => write!(out, "{lo}..{hi}"),
            Observed::Function(name) => write!(out, "<function {name}>"),
            Observed::Failure(d) => write!(out, "<failure: {}>", d.message),
        }
    }

    /// The text inside another value: strings are quoted there.
    fn write_inside(&self, out: &mut dyn fmt::Write, number: Numbers<'_>) -> fmt::Result {
        match self {
            Observed::Text(t) => write!(out, "{t:?}"),
            other => deep(|| other.write(out, number)),
        }
    }

    /// What is directly in it, taken out.
    fn take_members(&mut self) -> Vec<Observed> {
        match self {
            Observed::Tuple(all) | Observed::List(all) => std::mem::take(all),
            Observed::Record(_, fields) => {
                std::mem::take(fields).into_iter().map(|(_, v)| v).collect()
            }
            _ => Vec::new(),
        }
    }

    /// A number, where it is one.
    pub fn as_array(&self) -> Option<&Arc<Array>> {
        match self {
            Observed::Array(a) | Observed::OpenInts(a) => Some(a),
            _ => None,
        }
    }
}

impl Drop for Observed {
    /// Values within each other are let go one after the other, however deep they lie.
    fn drop(&mut self) {
        let mut waiting = self.take_members();
        while let Some(mut v) = waiting.pop() {
            waiting.append(&mut v.take_members());
        }
    }
}

/// How numbers are written.
type Numbers<'n> = &'n dyn Fn(&Array) -> String;

/// Members between brackets, with their names.
fn list<'o>(
    out: &mut dyn fmt::Write,
    begin: &str,
    members: impl Iterator<Item = (Option<&'o Name>, &'o Observed)>,
    end: &str,
    number: Numbers<'_>,
) -> fmt::Result {
    out.write_str(begin)?;
    for (at, (name, value)) in members.enumerate() {
        out.write_str(if at == 0 { "" } else { ", " })?;
        if let Some(name) = name {
            write!(out, "{name}: ")?;
        }
        value.write_inside(out, number)?;
    }
    out.write_str(end)
}

/// Runs what may go deep, with more stack where little is left.
fn deep<T>(f: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 << 10, 4 << 20, f)
}

impl Datum {
    /// The value as its type looks.
    pub fn presented(&self, look: &Look, types: &[BoxedType]) -> Observed {
        deep(|| self.presented_here(look, types))
    }

    fn presented_here(&self, look: &Look, types: &[BoxedType]) -> Observed {
        match (look, self) {
            (_, Datum::Failure(d)) => Observed::Failure(Box::new((**d).clone())),
            (Look::Fallible(look), _) => self.presented(look, types),
            (Look::Open(ty), _) => closed(self.plain(), *ty),
            (Look::Function(name), _) => Observed::Function(name.clone()),
            (Look::Range, Datum::Tuple(ends)) => {
                let end = |n: usize| ends.get(n).and_then(Datum::int).unwrap_or(0);
                Observed::Range(end(0), end(1))
            }
            (Look::Tuple(looks), Datum::Tuple(members)) => Observed::Tuple(
                members.iter().zip(looks).map(|(m, l)| m.presented(l, types)).collect(),
            ),
            (Look::Struct(fields, looks), Datum::Tuple(members)) => {
                record(fields, members, looks, types)
            }
            (Look::Enum(variants, looks), Datum::Tuple(members)) => {
                variant(variants, members, looks, types)
            }
            (Look::Cells(cell, axes), Datum::Tuple(leaves)) => {
                Table::of(cell, *axes, leaves).map_or_else(|| self.plain(), Observed::Table)
            }
            (Look::Boxed(ty), Datum::Variant(n, members)) => {
                let (fields, looks) = &types[*ty].variants[*n];
                record(fields, members, looks, types)
            }
            (Look::List(look), Datum::List(all)) => {
                Observed::List(all.iter().map(|m| m.presented(look, types)).collect())
            }
            _ => self.plain(),
        }
    }

    fn plain(&self) -> Observed {
        match self {
            Datum::Scalar(v) => Observed::Array(Arc::new(Array::scalar(*v))),
            Datum::Array(a) => Observed::Array(a.clone()),
            Datum::Text(t) => Observed::Text(t.to_string()),
            Datum::Tuple(ms) => Observed::Tuple(ms.iter().map(Datum::plain).collect()),
            Datum::Variant(_, ms) | Datum::List(ms) => {
                Observed::List(ms.iter().map(Datum::plain).collect())
            }
            Datum::Failure(d) => Observed::Failure(Box::new((**d).clone())),
        }
    }
}

/// Open numbers with the type that they have from outside.
fn closed(value: Observed, ty: ScalarType) -> Observed {
    match &value {
        Observed::Array(a) if ty.is_int() => Observed::OpenInts(a.clone()),
        Observed::Array(a) => Observed::Array(Arc::new(a.cast(ty))),
        _ => value,
    }
}

fn record(fields: &Fields, members: &[Datum], looks: &[Look], types: &[BoxedType]) -> Observed {
    let values = members.iter().zip(looks).map(|(m, l)| m.presented(l, types));
    Observed::Record(fields.name.clone(), fields.fields.iter().cloned().zip(values).collect())
}

fn variant(
    variants: &[Fields],
    members: &[Datum],
    looks: &[Look],
    types: &[BoxedType],
) -> Observed {
    let n = members[0].int().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    let first = first_field(variants, n);
    let fields = &variants[n];
    record(fields, &members[first..], &looks[first..], types)
}

/// Where the fields of a variant begin among the members of the tuple.
pub(crate) fn first_field(variants: &[Fields], n: usize) -> usize {
    1 + variants[..n].iter().map(|v| v.fields.len()).sum::<usize>()
}

/// A scalar or a tensor as `print` shows it.
pub(crate) fn datum_text(d: &Datum) -> String {
    match d {
        Datum::Scalar(v) => scalar_text(*v),
        other => other.plain().text(),
    }
}

impl Program {
    /// How a value of the program looks.
    pub(crate) fn shown(&self, d: &Datum, look: &Look) -> Observed {
        d.presented(look, &self.types)
    }
}
