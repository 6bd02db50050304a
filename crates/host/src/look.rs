//! What a value looks like from outside: names of structs, variants and fields.

use crate::Program;
use crate::datum::Datum;
use crate::display::{Format, array_text, formatted, scalar_text, tuple_text};
use crate::value::{BoxedType, Fields, Look};
use std::sync::Arc;
use weft_base::Name;
use weft_diag::Diagnostic;
use weft_tensor::Array;

/// A value that was observed.
#[derive(Debug, Clone)]
pub enum Observed {
    /// A tensor or a number.
    Array(Arc<Array>),
    /// A string.
    Text(String),
    /// A tuple.
    Tuple(Vec<Observed>),
    /// A struct or a variant, with its fields; a field without a name has a position.
    Record(Name, Vec<(Option<Name>, Observed)>),
    /// A list: rows of different lengths, strings.
    List(Vec<Observed>),
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
        self.written(&array_text)
    }

    /// The value in a format, which tells how the numbers in it are written.
    pub fn formatted(&self, f: &Format) -> String {
        let numbers = Format { width: None, zero: false, ..f.clone() };
        f.pad(&self.written(&|a| formatted(a, &numbers)))
    }

    fn written(&self, number: &dyn Fn(&Array) -> String) -> String {
        match self {
            Observed::Array(a) => number(a),
            Observed::Text(t) => t.clone(),
            Observed::Tuple(members) => {
                tuple_text(&members.iter().map(|m| m.inside(number)).collect::<Vec<_>>())
            }
            Observed::Record(name, fields) => record_text(name, fields, number),
            Observed::List(all) => {
                let all: Vec<String> = all.iter().map(|m| m.inside(number)).collect();
                format!("[{}]", all.join(", "))
            }
            Observed::Range(lo, hi) => format!("{lo}..{hi}"),
            Observed::Function(name) => format!("<function {name}>"),
            Observed::Failure(d) => format!("<failure: {}>", d.message),
        }
    }

    /// The text inside another value: strings are quoted there.
    fn inside(&self, number: &dyn Fn(&Array) -> String) -> String {
        match self {
            Observed::Text(t) => format!("{t:?}"),
            other => other.written(number),
        }
    }

    /// A number, where it is one.
    pub fn as_array(&self) -> Option<&Arc<Array>> {
        match self {
            Observed::Array(a) => Some(a),
            _ => None,
        }
    }
}

fn record_text(
    name: &Name,
    fields: &[(Option<Name>, Observed)],
    number: &dyn Fn(&Array) -> String,
) -> String {
    let values = fields.iter().map(|(n, v)| (n, v.inside(number)));
    match fields.first() {
        None => name.to_string(),
        Some((None, _)) => {
            let all: Vec<String> = values.map(|(_, v)| v).collect();
            format!("{name}({})", all.join(", "))
        }
        Some((Some(_), _)) => {
            let named = |(n, v): (&Option<Name>, String)| {
                format!("{}: {v}", n.as_ref().map_or("", Name::as_str))
            };
            let all: Vec<String> = values.map(named).collect();
            format!("{name} {{ {} }}", all.join(", "))
        }
    }
}

impl Datum {
    /// The value as its type looks.
    pub fn presented(&self, look: &Look, types: &[BoxedType]) -> Observed {
        match (look, self) {
            (_, Datum::Failure(d)) => Observed::Failure(Box::new((**d).clone())),
            (Look::Fallible(look), _) => self.presented(look, types),
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
            (Look::Cells(cell), Datum::Tuple(leaves)) => {
                let mut leaves = leaves.iter();
                cell_columns(cell, &mut leaves)
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

/// A tensor of tuples, field by field.
fn cell_columns(cell: &Look, leaves: &mut dyn Iterator<Item = &Datum>) -> Observed {
    match cell {
        Look::Tuple(looks) => {
            Observed::Tuple(looks.iter().map(|l| cell_columns(l, leaves)).collect())
        }
        Look::Struct(fields, looks) => {
            let columns: Vec<Observed> = looks.iter().map(|l| cell_columns(l, leaves)).collect();
            let named = fields.fields.iter().cloned().zip(columns).collect();
            Observed::Record(fields.name.clone(), named)
        }
        Look::Enum(variants, looks) => enum_columns(variants, looks, leaves),
        _ => leaves.next().map_or(Observed::Tuple(Vec::new()), Datum::plain),
    }
}

/// A tensor of enums of rank 1 is a list of them; of higher rank, its columns.
fn enum_columns(
    variants: &Arc<[Fields]>,
    looks: &[Look],
    leaves: &mut dyn Iterator<Item = &Datum>,
) -> Observed {
    let count: usize = looks.iter().map(leaf_count).sum();
    let own: Vec<&Datum> = leaves.take(count).collect();
    let rows: Vec<Vec<Datum>> = own.iter().filter_map(|d| d.elements()).collect();
    let length = rows.first().map_or(0, Vec::len);
    let cells = (0..length).map(|at| {
        let mut column = rows.iter().map(|r| r[at].clone());
        let members: Vec<Datum> = looks.iter().map(|l| regrouped(l, &mut column)).collect();
        variant(variants, &members, looks, &[])
    });
    Observed::List(cells.collect())
}

fn leaf_count(look: &Look) -> usize {
    match look {
        Look::Tuple(looks) | Look::Struct(_, looks) | Look::Enum(_, looks) => {
            looks.iter().map(leaf_count).sum()
        }
        _ => 1,
    }
}

fn regrouped(look: &Look, leaves: &mut dyn Iterator<Item = Datum>) -> Datum {
    match look {
        Look::Tuple(looks) | Look::Struct(_, looks) | Look::Enum(_, looks) => {
            Datum::Tuple(looks.iter().map(|l| regrouped(l, leaves)).collect())
        }
        _ => leaves.next().unwrap_or_else(|| Datum::bool(false)),
    }
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
