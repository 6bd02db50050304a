//! Which cases a `match` leaves out, and which of its arms nothing reaches.
//!
//! The arms are a matrix of patterns, which a column divides by the constructors that occur in
//! it (Maranget, *Warnings for pattern matching*, 2007); all constructors that do not occur are
//! one case, of the rows that take anything. What is left where no pattern tells values apart
//! is an arm that is reached, or a value that no arm takes. Rows are found by their
//! constructors, so that an enum of thousands of variants is looked through once, and the
//! column divided is one that the first row looks at: below it, where that row takes all, no
//! other row is looked at.

use super::pattern::{Constructor, Pattern, PatternKind};
use crate::thir::{Elem, Nominal, Ty, TypeDef, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use weft_scalar::ScalarType;

/// Rows looked at after which a `match` counts as too intricate to be decided.
const MOST_STEPS: usize = 8_000_000;

/// Stack that one step may take before more is asked for.
const RED_ZONE: usize = 128 << 10;
/// Stack that is asked for at a time.
const STACK: usize = 2 << 20;

/// A set of values that patterns of one column do not tell apart.
#[derive(Clone, Debug, PartialEq)]
enum Case {
    Bool(bool),
    Ints(i128, i128),
    Float(f64),
    Floats(f64, f64, bool),
    Text(String),
    /// Numbers or strings that no pattern names.
    Other,
    Fields(Constructor),
    Tuple(usize),
    /// Arrays of a length; the longest stands for all longer ones too.
    Length(usize),
}

/// What was found of the arms of a `match`.
pub(crate) struct Coverage {
    /// Whether some value comes to an arm: to no arm before it that takes it surely.
    pub reached: Vec<bool>,
    /// A value that no arm takes surely.
    pub missing: Option<String>,
}

/// An arm's pattern, and whether it surely takes what it matches.
pub(crate) struct ArmPattern<'p> {
    pub pattern: &'p Pattern,
    pub sure: bool,
}

/// What is left of an arm's pattern: one pattern for each column.
struct Row<'p> {
    arm: usize,
    columns: Vec<&'p Pattern>,
}

/// What the search asks of the types of a program.
pub(crate) trait Types {
    /// A struct or an enum.
    fn definition(&self, id: TypeId) -> &TypeDef;

    /// The types of the fields of a variant in a value of some type.
    fn fields_of(&self, c: Constructor, ty: &Ty) -> Vec<Ty>;
}

struct Search<'t, 'p> {
    types: &'t dyn Types,
    arms: &'p [ArmPattern<'p>],
    any: &'p Pattern,
    reached: Vec<bool>,
    steps: usize,
}

/// What the arms of a `match` on a value of `ty` take; `None` where it is too intricate.
pub(crate) fn coverage(
    types: &dyn Types,
    arms: &[ArmPattern<'_>],
    ty: &Ty,
    span: weft_base::Span,
) -> Option<Coverage> {
    let any = Pattern::any(span);
    let reached = vec![false; arms.len()];
    let mut search = Search { types, arms, any: &any, reached, steps: 0 };
    let rows = arms.iter().enumerate();
    let rows = rows.map(|(arm, a)| Row { arm, columns: vec![a.pattern] }).collect();
    let missing = search.witness(rows, vec![ty.clone()]);
    let Search { reached, steps, .. } = search;
    (steps <= MOST_STEPS)
        .then(|| Coverage { reached, missing: missing.and_then(|w| w.into_iter().next()) })
}

impl<'p> Search<'_, 'p> {
    /// A value for each column that no row surely takes. Notes which arms are reached.
    fn witness(&mut self, mut rows: Vec<Row<'p>>, types: Vec<Ty>) -> Option<Vec<String>> {
        self.steps += 1 + rows.len();
        if self.steps > MOST_STEPS {
            return None;
        }
        // Behind a row that takes everything nothing is reached.
        let whole = |r: &Row<'_>| self.arms[r.arm].sure && r.columns.iter().all(|p| takes_all(p));
        if let Some(at) = rows.iter().position(whole) {
            rows.truncate(at + 1);
        }
        let divided = rows.iter().find_map(|r| r.columns.iter().position(|p| !takes_all(p)));
        let Some(at) = divided else {
            rows.iter().for_each(|r| self.reached[r.arm] = true);
            let taken = rows.last().is_some_and(|r| self.arms[r.arm].sure);
            return (!taken).then(|| vec!["_".to_string(); types.len()]);
        };
        stacker::maybe_grow(RED_ZONE, STACK, || self.divided(&rows, &types, at))
    }

    /// The same by the cases of column `at`.
    fn divided(&mut self, rows: &[Row<'p>], types: &[Ty], at: usize) -> Option<Vec<String>> {
        let column: Vec<&PatternKind> = rows.iter().map(|r| inner(r.columns[at])).collect();
        let cases = self.cases(&types[at], &column);
        let buckets = buckets(&cases, &column);
        let mut found = None;
        let mut others = false;
        for (case, bucket) in cases.iter().zip(buckets) {
            // Of the cases that no row names one stands for all.
            if !bucket.named && std::mem::replace(&mut others, true) {
                continue;
            }
            let fields = self.field_types(case, &types[at]);
            let count = fields.len();
            let rows = bucket.rows.into_iter().filter_map(|r| self.part(&rows[r], at, case, count));
            let rows: Vec<Row<'p>> = rows.collect();
            let rest = types.iter().enumerate().filter(|(n, _)| *n != at).map(|(_, t)| t.clone());
            let left = self.witness(rows, fields.into_iter().chain(rest).collect());
            if let (None, Some(mut left)) = (&found, left) {
                let mut whole = left.split_off(count);
                whole.insert(at, self.shown(case, &left));
                found = Some(whole);
            }
        }
        found
    }

    /// A row whose pattern of column `at` is taken apart for a case: its parts, then the other
    /// columns. `None` where it does not take the case.
    fn part(&self, row: &Row<'p>, at: usize, case: &Case, count: usize) -> Option<Row<'p>> {
        let mut columns = self.parts(row.columns[at], case, count)?;
        columns.extend(row.columns.iter().enumerate().filter(|(n, _)| *n != at).map(|(_, p)| *p));
        Some(Row { arm: row.arm, columns })
    }

    fn parts(&self, pattern: &'p Pattern, case: &Case, count: usize) -> Option<Vec<&'p Pattern>> {
        Some(match (inner(pattern), case) {
            (PatternKind::Any, _) => vec![self.any; count],
            (PatternKind::Bool(a), Case::Bool(b)) if a == b => Vec::new(),
            (PatternKind::Ints(lo, hi), Case::Ints(a, b)) if lo <= a && b <= hi => Vec::new(),
            (PatternKind::Float(x), Case::Float(y)) if x == y => Vec::new(),
            (PatternKind::Floats(lo, hi, with), Case::Float(x))
                if lo <= x && (x < hi || *with && x == hi) =>
            {
                Vec::new()
            }
            (PatternKind::Floats(lo, hi, with), Case::Floats(a, b, end))
                if lo <= a && (b < hi || b == hi && (*with || !end)) =>
            {
                Vec::new()
            }
            (PatternKind::Text(a), Case::Text(b)) if a == b => Vec::new(),
            (PatternKind::Fields(a, ps), Case::Fields(b)) if a == b => ps.iter().collect(),
            (PatternKind::Tuple(ps), Case::Tuple(_)) => ps.iter().collect(),
            (PatternKind::Array(front, rest, back), Case::Length(n)) => {
                let named = front.len() + back.len();
                if named > *n || (rest.is_none() && named != *n) {
                    return None;
                }
                let middle = std::iter::repeat_n(self.any, count.saturating_sub(named));
                front.iter().chain(middle).chain(back).collect()
            }
            _ => return None,
        })
    }

    /// The cases of a type that the patterns of a column tell apart.
    fn cases(&self, ty: &Ty, column: &[&PatternKind]) -> Vec<Case> {
        let all = || column.iter().copied();
        match ty {
            Ty::Array(Elem::Fixed(ScalarType::Bool), s) if s.is_empty() => {
                vec![Case::Bool(true), Case::Bool(false)]
            }
            Ty::Array(elem, s) if s.is_empty() && elem.is_int() => int_cases(*elem, all()),
            Ty::Array(_, s) if s.is_empty() => float_cases(all()),
            Ty::Array(_, shape) => {
                match shape[0].as_constant().and_then(|n| usize::try_from(n).ok()) {
                    Some(n) => vec![Case::Length(n)],
                    None => length_cases(all()),
                }
            }
            Ty::List(_) => length_cases(all()),
            Ty::Str | Ty::Named(Nominal::Character, _) => {
                let mut seen: FxHashSet<&String> = FxHashSet::default();
                let texts = all().filter_map(|kind| match kind {
                    PatternKind::Text(t) => Some(t),
                    _ => None,
                });
                let new = texts.filter(|t| seen.insert(t)).map(|t| Case::Text(t.clone()));
                new.chain([Case::Other]).collect()
            }
            Ty::Named(Nominal::Enum(id) | Nominal::Struct(id), _) | Ty::Boxed(id, _) => {
                let count = self.types.definition(*id).variants.len();
                let case = |variant| Case::Fields(Constructor { ty: *id, variant });
                variants(count, all()).into_iter().map(case).collect()
            }
            Ty::Tuple(members) => vec![Case::Tuple(members.len())],
            _ => vec![Case::Other],
        }
    }

    fn field_types(&mut self, case: &Case, ty: &Ty) -> Vec<Ty> {
        match (case, ty) {
            (Case::Fields(c), Ty::Boxed(..)) => {
                self.types.fields_of(*c, ty).iter().map(of_any_extents).collect()
            }
            (Case::Fields(c), _) => self.types.fields_of(*c, ty),
            (Case::Tuple(_), Ty::Tuple(members)) => members.to_vec(),
            (Case::Length(n), Ty::List(of)) => vec![of_any_extents(of); *n],
            (Case::Length(n), Ty::Array(elem, shape)) => {
                vec![Ty::Array(*elem, shape[1..].to_vec()); (*n).min(LONGEST)]
            }
            _ => Vec::new(),
        }
    }

    fn shown(&self, case: &Case, fields: &[String]) -> String {
        match case {
            Case::Bool(b) => b.to_string(),
            Case::Ints(lo, hi) if *lo <= 0 && *hi >= 0 => 0.to_string(),
            Case::Ints(lo, hi) => (if *hi < 0 { hi } else { lo }).to_string(),
            Case::Float(_) | Case::Floats(..) | Case::Other => "_".into(),
            Case::Text(t) => format!("{t:?}"),
            Case::Tuple(1) => format!("({},)", fields[0]),
            Case::Tuple(_) => format!("({})", fields.join(", ")),
            Case::Length(_) => format!("[{}]", fields.join(", ")),
            Case::Fields(c) => {
                let definition = self.types.definition(c.ty);
                let name = definition.path_of(c.variant);
                let names = &definition.variants[c.variant].fields;
                match names.first() {
                    None => name,
                    Some(None) => format!("{name}({})", fields.join(", ")),
                    Some(Some(_)) => {
                        let all: Vec<String> = names
                            .iter()
                            .zip(fields)
                            .map(|(n, f)| {
                                format!("{}: {f}", n.as_ref().map_or("_", |n| n.as_str()))
                            })
                            .collect();
                        format!("{name} {{ {} }}", all.join(", "))
                    }
                }
            }
        }
    }
}

/// The rows that may take a case, and whether one of them names it.
#[derive(Clone, Default)]
struct Bucket {
    rows: Vec<usize>,
    named: bool,
}

/// For each case the rows that may take it, in order.
fn buckets(cases: &[Case], column: &[&PatternKind]) -> Vec<Bucket> {
    let mut out = vec![Bucket::default(); cases.len()];
    let mut starts: BTreeMap<i128, usize> = BTreeMap::new();
    let mut texts: FxHashMap<&str, usize> = FxHashMap::default();
    let mut variants: FxHashMap<usize, usize> = FxHashMap::default();
    for (at, case) in cases.iter().enumerate() {
        match case {
            Case::Ints(lo, _) => drop(starts.insert(*lo, at)),
            Case::Text(text) => drop(texts.insert(text, at)),
            Case::Fields(c) => drop(variants.insert(c.variant, at)),
            _ => {}
        }
    }
    for (row, kind) in column.iter().enumerate() {
        let mut into = |at: usize, named: bool| {
            out[at].rows.push(row);
            out[at].named |= named;
        };
        match kind {
            PatternKind::Ints(lo, hi) if lo > hi => {}
            PatternKind::Ints(lo, hi) => {
                starts.range(lo..=hi).for_each(|(_, at)| into(*at, true));
            }
            PatternKind::Text(text) => {
                texts.get(text.as_str()).into_iter().for_each(|at| into(*at, true));
            }
            PatternKind::Fields(c, _) => {
                variants.get(&c.variant).into_iter().for_each(|at| into(*at, true));
            }
            PatternKind::Any => (0..cases.len()).for_each(|at| into(at, false)),
            _ => (0..cases.len()).for_each(|at| into(at, true)),
        }
    }
    out
}

/// The variants of so many that a column names, and the first that it does not, in order.
fn variants<'p>(count: usize, all: impl Iterator<Item = &'p PatternKind>) -> BTreeSet<usize> {
    let named = all.filter_map(|kind| match kind {
        PatternKind::Fields(c, _) => Some(c.variant),
        _ => None,
    });
    let mut found: BTreeSet<usize> = named.collect();
    let other = (0..count).find(|v| !found.contains(v));
    found.extend(other);
    found
}

/// Array patterns look at no more elements than this: a longer one is told apart by its
/// length alone.
const LONGEST: usize = 64;

/// Whether a pattern takes every value.
pub(crate) fn takes_all(p: &Pattern) -> bool {
    matches!(inner(p), PatternKind::Any)
}

/// The pattern behind names.
fn inner(p: &Pattern) -> &PatternKind {
    match &p.kind {
        PatternKind::Bind(_, p) => inner(p),
        kind => kind,
    }
}

fn int_cases<'p>(elem: Elem, all: impl Iterator<Item = &'p PatternKind>) -> Vec<Case> {
    let (lo, hi) = match elem {
        Elem::Fixed(t) => int_range(t),
        _ => int_range(ScalarType::I64),
    };
    let mut starts = vec![lo];
    for kind in all {
        if let PatternKind::Ints(a, b) = kind {
            starts.extend([*a, b.saturating_add(1)]);
        }
    }
    starts.retain(|n| (lo..=hi).contains(n));
    starts.sort_unstable();
    starts.dedup();
    let ends = starts[1..].iter().map(|n| n - 1).chain([hi]);
    // Zero and what is above come first: a witness should be a plain number.
    let mut cases: Vec<Case> = starts.iter().zip(ends).map(|(a, b)| Case::Ints(*a, b)).collect();
    cases.sort_by_key(|c| !matches!(c, Case::Ints(_, b) if *b >= 0));
    cases
}

/// The least and the largest number of an integer type.
fn int_range(ty: ScalarType) -> (i128, i128) {
    let bits = ty.bytes() * 8;
    match ty.is_signed() {
        true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        false => (0, (1 << bits) - 1),
    }
}

fn float_cases<'p>(all: impl Iterator<Item = &'p PatternKind>) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for kind in all {
        match kind {
            PatternKind::Float(x) => cases.push(Case::Float(*x)),
            PatternKind::Floats(lo, hi, with) => cases.push(Case::Floats(*lo, *hi, *with)),
            _ => {}
        }
    }
    cases.push(Case::Other);
    cases
}

/// The type of what host data hold: their tensors have extents of their own, which no type says.
fn of_any_extents(ty: &Ty) -> Ty {
    ty.map_leaves(&mut |leaf| match leaf {
        Ty::Array(elem, shape) => {
            let cell = Ty::scalar(*elem);
            shape.iter().fold(cell, |inner, _| Ty::List(Box::new(inner)))
        }
        _ => leaf.clone(),
    })
}

fn length_cases<'p>(all: impl Iterator<Item = &'p PatternKind>) -> Vec<Case> {
    let mut longest = 0;
    for kind in all {
        if let PatternKind::Array(front, _, back) = kind {
            longest = longest.max(front.len() + back.len());
        }
    }
    (0..=longest.min(LONGEST - 1) + 1).map(Case::Length).collect()
}
