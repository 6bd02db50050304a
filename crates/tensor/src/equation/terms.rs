//! Sums of terms that are linear in differentials, and how they are written.

use super::value::{Product, Value, in_parentheses};
use weft_shape::Size;

/// `coefficient * over / under * leaf`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Term {
    coefficient: f64,
    over: Vec<String>,
    under: Vec<String>,
    leaf: Leaf,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Leaf {
    /// `@x`.
    Name(String),
    /// `sum[i](… where guard)` or `mean[i](…)`.
    Sum(Box<Sum>),
    /// `if c { … } else { … }`, with its condition.
    If(String, Vec<Term>, Vec<Term>),
}

/// A sum of differentials.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sum {
    pub word: &'static str,
    /// The indices, with their ranges.
    pub heads: String,
    pub terms: Vec<Term>,
    pub guard: Option<String>,
    /// How many points there are, where that is known.
    pub count: Option<Size>,
}

pub(super) fn leaf(leaf: Leaf) -> Term {
    Term { coefficient: 1.0, over: Vec::new(), under: Vec::new(), leaf }
}

/// A choice between differentials.
pub(super) fn choice(condition: String, a: Vec<Term>, b: Vec<Term>) -> Vec<Term> {
    if a == b {
        return a;
    }
    vec![leaf(Leaf::If(condition, a, b))]
}

pub(super) fn scaled(mut terms: Vec<Term>, by: f64) -> Vec<Term> {
    terms.iter_mut().for_each(|t| t.coefficient *= by);
    terms
}

/// All terms multiplied.
pub(super) fn times(terms: Vec<Term>, by: &Product) -> Vec<Term> {
    let mut terms = scaled(terms, by.coefficient);
    for t in &mut terms {
        by.over.iter().for_each(|f| meet(&mut t.under, &mut t.over, f));
        by.under.iter().for_each(|f| meet(&mut t.over, &mut t.under, f));
        t.over.sort();
        t.under.sort();
    }
    terms
}

/// A factor of one side, which is none where it stands on the other.
fn meet(other: &mut Vec<String>, own: &mut Vec<String>, factor: &String) {
    match other.iter().position(|f| f == factor) {
        Some(at) => drop(other.remove(at)),
        None => own.push(factor.clone()),
    }
}

/// All terms divided by a value. A sum over the number of its points is a mean.
pub(super) fn over(mut terms: Vec<Term>, by: &Value) -> Vec<Term> {
    let is_mean = |t: &Term| match &t.leaf {
        Leaf::Sum(s) => s.word == "sum" && s.count.as_ref().is_some_and(|n| by.counts(n)),
        _ => false,
    };
    if !terms.is_empty() && terms.iter().all(is_mean) {
        for t in &mut terms {
            if let Leaf::Sum(s) = &mut t.leaf {
                s.word = "mean";
            }
        }
        return terms;
    }
    times(terms, &by.reciprocal())
}

/// A sum, equal terms added up.
pub(super) fn added(mut a: Vec<Term>, b: Vec<Term>) -> Vec<Term> {
    for term in b {
        let same = |t: &Term| t.over == term.over && t.under == term.under && t.leaf == term.leaf;
        match a.iter().position(same) {
            Some(at) => a[at].coefficient += term.coefficient,
            None => push(&mut a, term),
        }
    }
    a.retain(|t| t.coefficient != 0.0);
    a
}

/// Adds a term that is none of those there. Choices by one condition are one choice.
fn push(to: &mut Vec<Term>, term: Term) {
    let bare = |t: &Term| t.coefficient == 1.0 && t.over.is_empty() && t.under.is_empty();
    if let (true, Leaf::If(c, a, b)) = (bare(&term), &term.leaf) {
        for t in to.iter_mut().filter(|t| bare(t)) {
            if let Leaf::If(own, x, y) = &mut t.leaf
                && own == c
            {
                *x = added(std::mem::take(x), a.clone());
                *y = added(std::mem::take(y), b.clone());
                return;
            }
        }
    }
    to.push(term);
}

pub(super) fn sum_text(terms: &[Term]) -> String {
    let mut out = String::new();
    for t in terms {
        let sign = match (out.is_empty(), t.coefficient < 0.0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        out.push_str(sign);
        out.push_str(&term_text(t));
    }
    if out.is_empty() { "0".into() } else { out }
}

fn term_text(t: &Term) -> String {
    let size = t.coefficient.abs();
    let number = (size != 1.0).then(|| size.to_string());
    let factors: Vec<String> = number.into_iter().chain(powers(&t.over)).collect();
    let leaf = match &t.leaf {
        Leaf::Name(name) => name.clone(),
        Leaf::Sum(s) => {
            let guard = s.guard.as_ref().map_or(String::new(), |g| format!(" where {g}"));
            format!("{}[{}]({}{guard})", s.word, s.heads, sum_text(&s.terms))
        }
        Leaf::If(c, a, b) => {
            format!("(if {c} {{ {} }} else {{ {} }})", sum_text(a), sum_text(b))
        }
    };
    let over = factors.into_iter().chain([leaf]).collect::<Vec<_>>().join(" * ");
    powers(&t.under).into_iter().fold(over, |text, u| format!("{text} / {u}"))
}

/// Equal neighbours as powers.
fn powers(factors: &[String]) -> Vec<String> {
    let mut out: Vec<(String, usize)> = Vec::new();
    for f in factors {
        match out.last_mut() {
            Some((last, n)) if last == f => *n += 1,
            _ => out.push((f.clone(), 1)),
        }
    }
    let power = |(f, n): (String, usize)| match n {
        1 => f,
        _ => format!("{} ** {n}", in_parentheses(f)),
    };
    out.into_iter().map(power).collect()
}

/// The length of what terms are written with, about.
pub(super) fn length(terms: &[Term]) -> usize {
    let one = |t: &Term| {
        let leaf = match &t.leaf {
            Leaf::Name(n) => n.len(),
            Leaf::Sum(s) => s.heads.len() + length(&s.terms),
            Leaf::If(c, a, b) => c.len() + length(a) + length(b),
        };
        leaf + t.over.iter().chain(&t.under).map(|f| f.len() + 3).sum::<usize>()
    };
    terms.iter().map(one).sum()
}
