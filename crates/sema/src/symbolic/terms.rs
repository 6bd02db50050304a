//! Sums of terms of a differential, and how they are written.

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
    /// `sum[i](… where guard)` or `mean[i](…)`, with its head.
    Sum { word: &'static str, heads: String, terms: Vec<Term>, guard: Option<String> },
    /// `if c { … } else { … }`, with its condition.
    If(String, Vec<Term>, Vec<Term>),
}

pub(super) fn leaf(leaf: Leaf) -> Term {
    Term { coefficient: 1.0, over: Vec::new(), under: Vec::new(), leaf }
}

pub(super) fn scaled(mut terms: Vec<Term>, by: f64) -> Vec<Term> {
    terms.iter_mut().for_each(|t| t.coefficient *= by);
    terms
}

pub(super) fn with_factor(mut terms: Vec<Term>, factor: String) -> Vec<Term> {
    for t in &mut terms {
        match t.under.iter().position(|u| *u == factor) {
            Some(at) => drop(t.under.remove(at)),
            None => t.over.push(factor.clone()),
        }
        t.over.sort();
    }
    terms
}

pub(super) fn with_divisor(mut terms: Vec<Term>, divisor: String) -> Vec<Term> {
    for t in &mut terms {
        match t.over.iter().position(|o| *o == divisor) {
            Some(at) => drop(t.over.remove(at)),
            None => t.under.push(divisor.clone()),
        }
        t.under.sort();
    }
    terms
}

/// A sum, equal terms added up.
pub(super) fn added(mut a: Vec<Term>, b: Vec<Term>) -> Vec<Term> {
    for term in b {
        let same = |t: &Term| t.over == term.over && t.under == term.under && t.leaf == term.leaf;
        match a.iter().position(same) {
            Some(at) => a[at].coefficient += term.coefficient,
            None => a.push(term),
        }
    }
    a.retain(|t| t.coefficient != 0.0);
    a
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
        Leaf::Sum { word, heads, terms, guard } => {
            let guard = guard.as_ref().map_or(String::new(), |g| format!(" where {g}"));
            format!("{word}[{heads}]({}{guard})", sum_text(terms))
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
    out.into_iter().map(|(f, n)| if n == 1 { f } else { format!("{f} ** {n}") }).collect()
}
