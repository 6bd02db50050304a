//! Size terms in normal form.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;
use weft_base::entity::entity_impl;

/// A named integer that is known only when a program is bound: an extent of an input,
/// a host integer, or an opaque subterm.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Param(u32);
entity_impl!(Param, "p");

/// An indivisible part of a size.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Atom {
    /// A parameter.
    Param(Param),
    /// `floor(a / b)`; undefined where `b` is 0.
    Div(Size, Size),
    /// `a - b * floor(a / b)`; undefined where `b` is 0.
    Mod(Size, Size),
    /// The largest; two or more, sorted, distinct.
    Max(Vec<Size>),
    /// The smallest; two or more, sorted, distinct.
    Min(Vec<Size>),
}

/// A product of atoms, sorted; a repeated atom is a power.
pub type Monomial = Vec<Atom>;

/// An integer-valued polynomial over [`Atom`]s in normal form: equal means same.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Size(Repr);

/// Most sizes in a program are numbers, which need no memory of their own.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Number(i64),
    /// With terms, or a number that is no `i64`.
    Poly(Arc<Poly>),
}

#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct Poly {
    /// Sorted by monomial; coefficients are not 0, monomials not empty.
    terms: Vec<(Monomial, i128)>,
    constant: i128,
}

impl Ord for Size {
    fn cmp(&self, other: &Size) -> Ordering {
        let constants = || self.constant_term().cmp(&other.constant_term());
        self.terms().cmp(other.terms()).then_with(constants)
    }
}

impl PartialOrd for Size {
    fn partial_cmp(&self, other: &Size) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Size {
    /// The number `n`.
    pub fn constant(n: i64) -> Size {
        Size(Repr::Number(n))
    }

    /// The sum of terms in normal form and a number.
    fn of(terms: Vec<(Monomial, i128)>, constant: i128) -> Size {
        match i64::try_from(constant) {
            Ok(n) if terms.is_empty() => Size(Repr::Number(n)),
            _ => Size(Repr::Poly(Arc::new(Poly { terms, constant }))),
        }
    }

    /// The parameter `p`.
    pub fn param(p: Param) -> Size {
        Size::atom(Atom::Param(p))
    }

    /// One atom alone.
    pub fn atom(a: Atom) -> Size {
        Size::of(vec![(vec![a], 1)], 0)
    }

    /// The value, if the size is a number (that fits `i64`).
    pub fn as_constant(&self) -> Option<i64> {
        match self.0 {
            Repr::Number(n) => Some(n),
            Repr::Poly(_) => None,
        }
    }

    /// The parameter, if the size is one alone.
    pub fn as_param(&self) -> Option<Param> {
        match (self.terms(), self.constant_term()) {
            ([(m, 1)], 0) => match m.as_slice() {
                [Atom::Param(p)] => Some(*p),
                _ => None,
            },
            _ => None,
        }
    }

    /// The constant term.
    pub fn constant_term(&self) -> i128 {
        match &self.0 {
            Repr::Number(n) => i128::from(*n),
            Repr::Poly(p) => p.constant,
        }
    }

    /// The other terms: monomials, sorted, with their coefficients (never 0).
    pub fn terms(&self) -> &[(Monomial, i128)] {
        match &self.0 {
            Repr::Number(_) => &[],
            Repr::Poly(p) => &p.terms,
        }
    }

    fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Number(0))
    }

    /// `self + other`.
    pub fn plus(&self, other: &Size) -> Size {
        if self.is_zero() { other.clone() } else { self.plus_scaled(other, 1) }
    }

    /// `self + n`.
    pub fn plus_const(&self, n: i64) -> Size {
        self.plus(&Size::constant(n))
    }

    /// `self - other`.
    pub fn minus(&self, other: &Size) -> Size {
        self.plus_scaled(other, -1)
    }

    /// `self + n * other`.
    fn plus_scaled(&self, other: &Size, n: i128) -> Size {
        if other.is_zero() {
            return self.clone();
        }
        if n == 1 && self.is_zero() {
            return other.clone();
        }
        if let (Repr::Number(a), Repr::Number(b)) = (&self.0, &other.0) {
            return Size::of(Vec::new(), i128::from(*a) + i128::from(*b) * n);
        }
        let constant = other.constant_term().saturating_mul(n);
        let constant = self.constant_term().saturating_add(constant);
        let mut terms = self.terms().to_vec();
        for (m, c) in other.terms() {
            add_term(&mut terms, m, c.saturating_mul(n));
        }
        Size::of(terms, constant)
    }

    /// `n * self`.
    pub fn scaled(&self, n: i64) -> Size {
        let scale = |c: i128| c.saturating_mul(n.into());
        match n {
            0 => Size::constant(0),
            1 => self.clone(),
            _ => {
                let terms = self.terms().iter().map(|(m, c)| (m.clone(), scale(*c))).collect();
                Size::of(terms, scale(self.constant_term()))
            }
        }
    }

    /// `self * other`.
    pub fn times(&self, other: &Size) -> Size {
        match (self.as_constant(), other.as_constant()) {
            (_, Some(n)) => return self.scaled(n),
            (Some(n), _) => return other.scaled(n),
            _ => {}
        }
        let mut product = Poly::default();
        let lefts = self.monomials();
        let rights = other.monomials();
        for (ma, ca) in &lefts {
            for (mb, cb) in &rights {
                let c = ca.saturating_mul(*cb);
                let mut m = [ma.as_slice(), mb.as_slice()].concat();
                m.sort();
                if m.is_empty() {
                    product.constant = product.constant.saturating_add(c);
                } else {
                    add_term(&mut product.terms, &m, c);
                }
            }
        }
        Size::of(product.terms, product.constant)
    }

    /// All terms with the constant as the empty monomial, without zeros.
    fn monomials(&self) -> Vec<(Monomial, i128)> {
        let mut all = self.terms().to_vec();
        if self.constant_term() != 0 {
            all.push((Vec::new(), self.constant_term()));
        }
        all
    }

    /// `floor(self / by)`; `None` where `by` is the number 0.
    pub fn floor_div(&self, by: &Size) -> Option<Size> {
        match (self.as_constant(), by.as_constant()) {
            (_, Some(0)) => None,
            (_, Some(1)) => Some(self.clone()),
            (Some(a), Some(b)) => {
                let q = floor_div(a.into(), b.into())?;
                Some(Size::constant(q.try_into().ok()?))
            }
            (None, Some(b)) => Some(self.divide_exactly(b).unwrap_or_else(|| self.div_atom(by))),
            _ if self == by => Some(self.div_atom(by)),
            _ => Some(self.div_atom(by)),
        }
    }

    fn div_atom(&self, by: &Size) -> Size {
        Size::atom(Atom::Div(self.clone(), by.clone()))
    }

    /// `self / n` where every coefficient is a multiple of `n`.
    fn divide_exactly(&self, n: i64) -> Option<Size> {
        let n = i128::from(n);
        let whole = self.constant_term() % n == 0 && self.terms().iter().all(|(_, c)| c % n == 0);
        whole.then(|| {
            let terms = self.terms().iter().map(|(m, c)| (m.clone(), c / n)).collect();
            Size::of(terms, self.constant_term() / n)
        })
    }

    /// `self - by * floor(self / by)`; `None` where `by` is the number 0.
    pub fn modulo(&self, by: &Size) -> Option<Size> {
        match (self.as_constant(), by.as_constant()) {
            (_, Some(0)) => None,
            (_, Some(1)) => Some(Size::constant(0)),
            (Some(a), Some(b)) => {
                let (a, b) = (i128::from(a), i128::from(b));
                Some(Size::constant((a - b * floor_div(a, b)?).try_into().ok()?))
            }
            (None, Some(b)) if self.divide_exactly(b).is_some() => Some(Size::constant(0)),
            _ => Some(Size::atom(Atom::Mod(self.clone(), by.clone()))),
        }
    }

    /// The larger of the two.
    pub fn larger(&self, other: &Size) -> Size {
        self.extremum(other, true)
    }

    /// The smaller of the two.
    pub fn smaller(&self, other: &Size) -> Size {
        self.extremum(other, false)
    }

    fn extremum(&self, other: &Size, max: bool) -> Size {
        if self.terms() == other.terms() {
            let larger = self.constant_term() >= other.constant_term();
            return if larger == max { self.clone() } else { other.clone() };
        }
        let mut parts = [self.extremum_parts(max), other.extremum_parts(max)].concat();
        parts.sort();
        drop_dominated(&mut parts, max);
        match parts.len() {
            1 => parts.swap_remove(0),
            _ => Size::atom(if max { Atom::Max(parts) } else { Atom::Min(parts) }),
        }
    }

    fn extremum_parts(&self, max: bool) -> Vec<Size> {
        match self.single_atom() {
            Some(Atom::Max(parts)) if max => parts.clone(),
            Some(Atom::Min(parts)) if !max => parts.clone(),
            _ => vec![self.clone()],
        }
    }

    /// The atom, if the size is one alone.
    pub fn single_atom(&self) -> Option<&Atom> {
        match (self.terms(), self.constant_term()) {
            ([(m, 1)], 0) if m.len() == 1 => m.first(),
            _ => None,
        }
    }

    /// The value where `value` gives each parameter's; `None` on overflow, division by
    /// zero, or an unknown parameter.
    pub fn eval(&self, value: &dyn Fn(Param) -> Option<i64>) -> Option<i64> {
        i64::try_from(self.eval_wide(value)?).ok()
    }

    /// The same with 128 bits, of which parts may need more than 64.
    pub fn eval_wide(&self, value: &dyn Fn(Param) -> Option<i64>) -> Option<i128> {
        let mut total = self.constant_term();
        for (m, c) in self.terms() {
            let mut product = *c;
            for a in m {
                product = product.checked_mul(a.eval(value)?)?;
            }
            total = total.checked_add(product)?;
        }
        Some(total)
    }

    /// As [`Size::eval`], but a total beyond `i64` wraps as integer arithmetic of the
    /// language does: for sizes that stand for numbers, not for extents.
    pub fn eval_wrapping(&self, value: &dyn Fn(Param) -> Option<i64>) -> Option<i64> {
        let mut total = self.constant_term();
        for (m, c) in self.terms() {
            let mut product = *c;
            for a in m {
                product = product.wrapping_mul(a.eval(value)?);
            }
            total = total.wrapping_add(product);
        }
        Some(total as i64)
    }

    /// The size with each parameter replaced by `replace`.
    pub fn substitute(&self, replace: &dyn Fn(Param) -> Size) -> Size {
        if let Repr::Number(_) = self.0 {
            return self.clone();
        }
        let mut total = Size::constant(0);
        for (m, c) in self.monomials() {
            let coefficient = Size::of(Vec::new(), c);
            let product = m.iter().fold(coefficient, |p, a| p.times(&a.substitute(replace)));
            total = total.plus(&product);
        }
        total
    }

    /// Every parameter that occurs, once each, in ascending order.
    pub fn params(&self) -> Vec<Param> {
        let mut found = Vec::new();
        self.collect_params(&mut found);
        found.sort();
        found.dedup();
        found
    }

    fn collect_params(&self, found: &mut Vec<Param>) {
        for a in self.terms().iter().flat_map(|(m, _)| m) {
            match a {
                Atom::Param(p) => found.push(*p),
                Atom::Div(x, y) | Atom::Mod(x, y) => {
                    x.collect_params(found);
                    y.collect_params(found);
                }
                Atom::Max(parts) | Atom::Min(parts) => {
                    parts.iter().for_each(|s| s.collect_params(found));
                }
            }
        }
    }

    /// How much it is made of: its parameters, each as often as it occurs, and operators.
    pub fn weight(&self) -> usize {
        self.weight_with(&|_| 1)
    }

    /// About what weighs at most what becomes of it where something of such weight stands for each
    /// parameter: products are multiplied out.
    pub fn weight_with(&self, of_param: &dyn Fn(Param) -> usize) -> usize {
        let atom = |a: &Atom| a.weight_with(of_param);
        let monomial = |m: &Monomial| match m.as_slice() {
            [one] => atom(one),
            many => many.iter().map(atom).fold(many.len(), usize::saturating_mul),
        };
        self.terms().iter().map(|(m, _)| monomial(m)).fold(1, usize::saturating_add)
    }

    /// The size for people, with parameters named by `name`.
    pub fn display(&self, name: &dyn Fn(Param) -> String) -> String {
        let mut text = String::new();
        for (m, c) in self.terms() {
            push_sign(&mut text, *c);
            let atoms: Vec<String> = m.iter().map(|a| a.display(name)).collect();
            if c.unsigned_abs() != 1 {
                text.push_str(&format!("{}*", c.unsigned_abs()));
            }
            text.push_str(&atoms.join("*"));
        }
        if text.is_empty() {
            return self.constant_term().to_string();
        }
        if self.constant_term() != 0 {
            push_sign(&mut text, self.constant_term());
            text.push_str(&self.constant_term().unsigned_abs().to_string());
        }
        text
    }
}

/// Of parts that differ by a constant only the extreme one stays. They are sorted, by the
/// constant last.
fn drop_dominated(parts: &mut Vec<Size>, max: bool) {
    if max {
        parts.dedup_by(|next, kept| {
            let same = next.terms() == kept.terms();
            if same {
                std::mem::swap(next, kept);
            }
            same
        });
    } else {
        parts.dedup_by(|next, kept| next.terms() == kept.terms());
    }
}

fn push_sign(text: &mut String, c: i128) {
    match (text.is_empty(), c < 0) {
        (true, true) => text.push('-'),
        (true, false) => {}
        (false, true) => text.push_str(" - "),
        (false, false) => text.push_str(" + "),
    }
}

fn add_term(terms: &mut Vec<(Monomial, i128)>, m: &Monomial, c: i128) {
    match terms.binary_search_by(|(k, _)| k.cmp(m)) {
        Ok(i) => {
            terms[i].1 = terms[i].1.saturating_add(c);
            if terms[i].1 == 0 {
                terms.remove(i);
            }
        }
        Err(i) if c != 0 => terms.insert(i, (m.clone(), c)),
        Err(_) => {}
    }
}

/// `floor(a / b)`; `None` when `b` is 0 or on overflow.
pub(crate) fn floor_div(a: i128, b: i128) -> Option<i128> {
    let q = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q })
}

impl Atom {
    fn weight_with(&self, of_param: &dyn Fn(Param) -> usize) -> usize {
        let weight = |s: &Size| s.weight_with(of_param);
        match self {
            Atom::Param(p) => of_param(*p),
            Atom::Div(a, b) | Atom::Mod(a, b) => weight(a).saturating_add(weight(b)),
            Atom::Max(parts) | Atom::Min(parts) => {
                parts.iter().map(weight).fold(0, usize::saturating_add)
            }
        }
    }

    fn eval(&self, value: &dyn Fn(Param) -> Option<i64>) -> Option<i128> {
        match self {
            Atom::Param(p) => value(*p).map(i128::from),
            Atom::Div(a, b) => floor_div(a.eval_wide(value)?, b.eval_wide(value)?),
            Atom::Mod(a, b) => {
                let (a, b) = (a.eval_wide(value)?, b.eval_wide(value)?);
                a.checked_sub(b.checked_mul(floor_div(a, b)?)?)
            }
            Atom::Max(parts) => {
                parts.iter().map(|s| s.eval_wide(value)).try_fold(i128::MIN, |m, v| Some(m.max(v?)))
            }
            Atom::Min(parts) => {
                parts.iter().map(|s| s.eval_wide(value)).try_fold(i128::MAX, |m, v| Some(m.min(v?)))
            }
        }
    }

    fn substitute(&self, replace: &dyn Fn(Param) -> Size) -> Size {
        let all = |parts: &[Size], f: fn(&Size, &Size) -> Size| {
            let mut new = parts.iter().map(|s| s.substitute(replace));
            let first = new.next().expect("an extremum has parts");
            new.fold(first, |a, b| f(&a, &b))
        };
        match self {
            Atom::Param(p) => replace(*p),
            Atom::Div(a, b) => {
                let (a, b) = (a.substitute(replace), b.substitute(replace));
                a.floor_div(&b).unwrap_or_else(|| Size::atom(Atom::Div(a, b)))
            }
            Atom::Mod(a, b) => {
                let (a, b) = (a.substitute(replace), b.substitute(replace));
                a.modulo(&b).unwrap_or_else(|| Size::atom(Atom::Mod(a, b)))
            }
            Atom::Max(parts) => all(parts, Size::larger),
            Atom::Min(parts) => all(parts, Size::smaller),
        }
    }

    fn display(&self, name: &dyn Fn(Param) -> String) -> String {
        let list =
            |parts: &[Size]| parts.iter().map(|s| s.display(name)).collect::<Vec<_>>().join(", ");
        match self {
            Atom::Param(p) => name(*p),
            Atom::Div(a, b) => format!("(({}) / ({}))", a.display(name), b.display(name)),
            Atom::Mod(a, b) => format!("(({}) % ({}))", a.display(name), b.display(name)),
            Atom::Max(parts) => format!("max({})", list(parts)),
            Atom::Min(parts) => format!("min({})", list(parts)),
        }
    }
}

impl From<i64> for Size {
    fn from(n: i64) -> Size {
        Size::constant(n)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.display(&|p| p.to_string()))
    }
}

impl fmt::Debug for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
