//! Which cases a `match` leaves out, and which of its arms nothing reaches.
//!
//! A pattern is useful behind others if some value matches it and none of them (Maranget,
//! *Warnings for pattern matching*, 2007): columns are split by the constructors that occur,
//! and what is left is a witness.

use crate::checker::Checker;
use crate::hir::{Elem, Nominal, Ty};
use crate::nominal::Constructor;
use crate::pattern::{Pattern, PatternKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use weft_scalar::ScalarType;

/// Steps after which a `match` counts as too intricate to be decided.
const MOST_STEPS: u32 = 200_000;

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

/// What was found of a row.
pub(crate) enum Usefulness {
    /// Some value reaches it: an example.
    Useful(Vec<String>),
    Useless,
    /// Not decided within the steps allowed.
    Unknown,
}

pub(crate) struct Search<'c, 'a> {
    checker: &'c mut Checker<'a>,
    steps: u32,
}

impl<'c, 'a> Search<'c, 'a> {
    pub fn new(checker: &'c mut Checker<'a>) -> Self {
        Search { checker, steps: 0 }
    }

    /// Whether `row` matches some value of `ty` that none of `rows` match.
    pub fn useful(&mut self, rows: &Rows, row: &Pattern, ty: &Ty) -> Usefulness {
        if rows.whole {
            return Usefulness::Useless;
        }
        let rows: Vec<Vec<Pattern>> =
            rows.meeting(row).into_iter().map(|p| vec![p.clone()]).collect();
        let found = self.witness(rows, vec![row.clone()], vec![ty.clone()]);
        match found {
            Some(w) => Usefulness::Useful(w),
            None if self.steps > MOST_STEPS => Usefulness::Unknown,
            None => Usefulness::Useless,
        }
    }

    fn witness(
        &mut self,
        rows: Vec<Vec<Pattern>>,
        row: Vec<Pattern>,
        types: Vec<Ty>,
    ) -> Option<Vec<String>> {
        self.steps += 1 + rows.len() as u32;
        if self.steps > MOST_STEPS {
            return None;
        }
        let Some(ty) = types.first().cloned() else {
            return rows.is_empty().then(Vec::new);
        };
        let column: Vec<Pattern> = rows.iter().map(|r| r[0].clone()).collect();
        if column.iter().chain([&row[0]]).all(|p| matches!(inner(p), PatternKind::Any)) {
            // Nothing tells the values of this column apart.
            let rest = |r: &Vec<Pattern>| r[1..].to_vec();
            let found =
                self.witness(rows.iter().map(rest).collect(), rest(&row), types[1..].to_vec())?;
            return Some(["_".to_string()].into_iter().chain(found).collect());
        }
        let cases = self.cases(&ty, &column, &row[0]);
        let buckets = buckets(&cases, &rows);
        for (case, bucket) in cases.iter().zip(buckets) {
            let fields = self.field_types(case, &ty);
            let count = fields.len();
            let Some(wanted) = specialised(&row, case, count) else { continue };
            let left: Vec<Vec<Pattern>> =
                bucket.into_iter().filter_map(|r| specialised(r, case, count)).collect();
            let types = fields.into_iter().chain(types[1..].iter().cloned()).collect();
            if let Some(mut found) = self.witness(left, wanted, types) {
                let rest = found.split_off(count);
                let text = self.shown(case, &found);
                return Some([text].into_iter().chain(rest).collect());
            }
        }
        None
    }

    /// The cases of a type that the patterns of a column tell apart.
    fn cases(&self, ty: &Ty, column: &[Pattern], row: &Pattern) -> Vec<Case> {
        let all = || column.iter().chain([row]).map(inner);
        match ty {
            Ty::Array(Elem::Fixed(ScalarType::Bool), s) if s.is_empty() => {
                vec![Case::Bool(true), Case::Bool(false)]
            }
            Ty::Array(elem, s) if s.is_empty() && is_int(*elem) => int_cases(*elem, all()),
            Ty::Array(_, s) if s.is_empty() => float_cases(all()),
            Ty::Array(_, shape) => {
                match shape[0].as_constant().and_then(|n| usize::try_from(n).ok()) {
                    Some(n) => vec![Case::Length(n)],
                    None => length_cases(all()),
                }
            }
            Ty::List(_) => length_cases(all()),
            Ty::Str => {
                let mut seen: FxHashSet<&String> = FxHashSet::default();
                let texts = all().filter_map(|kind| match kind {
                    PatternKind::Text(t) => Some(t),
                    _ => None,
                });
                let new = texts.filter(|t| seen.insert(t)).map(|t| Case::Text(t.clone()));
                new.chain([Case::Other]).collect()
            }
            Ty::Named(Nominal::Enum(id) | Nominal::Struct(id), _) | Ty::Boxed(id, _) => {
                let count = self.checker.program.types[*id].variants.len();
                (0..count).map(|variant| Case::Fields(Constructor { ty: *id, variant })).collect()
            }
            Ty::Tuple(members) => vec![Case::Tuple(members.len())],
            _ => vec![Case::Other],
        }
    }

    fn field_types(&mut self, case: &Case, ty: &Ty) -> Vec<Ty> {
        match (case, ty) {
            (Case::Fields(c), _) => self.checker.field_types(*c, ty),
            (Case::Tuple(_), Ty::Tuple(members)) => members.clone(),
            (Case::Length(n), Ty::List(of)) => vec![(**of).clone(); *n],
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
                let name = self.checker.constructor_name(*c);
                let names = &self.checker.program.types[c.ty].variants[c.variant].fields;
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

/// The patterns before an arm: of thousands of literals a literal meets few, which are found
/// by their values.
#[derive(Default)]
pub(crate) struct Rows {
    all: Vec<Pattern>,
    /// Places of single integers and of strings among all.
    ints: BTreeMap<i128, Vec<usize>>,
    texts: FxHashMap<String, Vec<usize>>,
    /// Places of what is neither.
    others: Vec<usize>,
    /// Whether one of them takes every value.
    whole: bool,
}

impl Rows {
    pub fn push(&mut self, pattern: Pattern) {
        let at = self.all.len();
        self.whole |= matches!(inner(&pattern), PatternKind::Any);
        let places = match inner(&pattern) {
            PatternKind::Ints(lo, hi) if lo == hi => self.ints.entry(*lo).or_default(),
            PatternKind::Text(text) => self.texts.entry(text.clone()).or_default(),
            _ => &mut self.others,
        };
        places.push(at);
        self.all.push(pattern);
    }

    /// The only pattern there is.
    pub fn only(&self) -> Option<&Pattern> {
        if let [only] = self.all.as_slice() { Some(only) } else { None }
    }

    /// The patterns that may match a value that `row` matches.
    fn meeting(&self, row: &Pattern) -> Vec<&Pattern> {
        let literals: Vec<usize> = match inner(row) {
            PatternKind::Ints(lo, hi) if lo > hi => Vec::new(),
            PatternKind::Ints(lo, hi) => {
                self.ints.range(lo..=hi).flat_map(|(_, at)| at).copied().collect()
            }
            PatternKind::Text(text) => self.texts.get(text).cloned().unwrap_or_default(),
            _ => return self.all.iter().collect(),
        };
        literals.iter().chain(&self.others).map(|at| &self.all[*at]).collect()
    }
}

/// For each case the rows that may take it.
fn buckets<'r>(cases: &[Case], rows: &'r [Vec<Pattern>]) -> Vec<Vec<&'r [Pattern]>> {
    let mut out: Vec<Vec<&[Pattern]>> = vec![Vec::new(); cases.len()];
    let mut starts: BTreeMap<i128, usize> = BTreeMap::new();
    let mut texts: FxHashMap<&str, usize> = FxHashMap::default();
    for (at, case) in cases.iter().enumerate() {
        match case {
            Case::Ints(lo, _) => drop(starts.insert(*lo, at)),
            Case::Text(text) => drop(texts.insert(text, at)),
            _ => {}
        }
    }
    for row in rows {
        match inner(&row[0]) {
            PatternKind::Ints(lo, hi) if lo > hi => {}
            PatternKind::Ints(lo, hi) => {
                starts.range(lo..=hi).for_each(|(_, at)| out[*at].push(row));
            }
            PatternKind::Text(text) => {
                texts.get(text.as_str()).into_iter().for_each(|at| out[*at].push(row));
            }
            _ => out.iter_mut().for_each(|bucket| bucket.push(row)),
        }
    }
    out
}

/// Array patterns look at no more elements than this: a longer one is told apart by its
/// length alone.
const LONGEST: usize = 64;

fn is_int(elem: Elem) -> bool {
    match elem {
        Elem::Fixed(t) => t.is_int(),
        Elem::OpenInt => true,
        _ => false,
    }
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

fn length_cases<'p>(all: impl Iterator<Item = &'p PatternKind>) -> Vec<Case> {
    let mut longest = 0;
    for kind in all {
        if let PatternKind::Array(front, _, back) = kind {
            longest = longest.max(front.len() + back.len());
        }
    }
    (0..=longest.min(LONGEST - 1) + 1).map(Case::Length).collect()
}

/// A row whose first pattern is taken apart for a case; `None` where it does not take it.
fn specialised(row: &[Pattern], case: &Case, count: usize) -> Option<Vec<Pattern>> {
    let any = || Pattern::any(row[0].span);
    let fields: Vec<Pattern> = match (inner(&row[0]), case) {
        (PatternKind::Any, _) => vec![any(); count],
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
        (PatternKind::Fields(a, ps), Case::Fields(b)) if a == b => ps.clone(),
        (PatternKind::Tuple(ps), Case::Tuple(_)) => ps.clone(),
        (PatternKind::Array(front, rest, back), Case::Length(n)) => {
            let named = front.len() + back.len();
            if named > *n || (rest.is_none() && named != *n) {
                return None;
            }
            let middle = count.saturating_sub(named);
            let front = front.iter().cloned();
            front.chain((0..middle).map(|_| any())).chain(back.iter().cloned()).collect()
        }
        _ => return None,
    };
    Some(fields.into_iter().chain(row[1..].iter().cloned()).collect())
}
