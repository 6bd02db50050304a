//! The pieces of a definition, one line each, and the bodies of assignments.

use super::terms::{self, Term, added, length, scaled, sum_text, times};
use super::value::{self, Value, level};
use super::{Equation, Index, LONGEST, Stopped, Unwritten, Writer, affine_text, written_name};
use crate::{Assignment, Expr, ExprId, Exprs, IndexTerm, TensorId};
use std::collections::{BTreeMap, BTreeSet};
use weft_domain::{Affine, Constraint, Dim, Iter};
use weft_scalar::{BinaryOp as Op, ScalarType, UnaryOp};
use weft_shape::Size;

/// Whether axes that have no name are left out of the text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Anonymous {
    /// `2 * x` stands for all cells.
    LeftOut,
    /// `2 * x[i]`.
    Named,
}

/// Texts of an assignment's iterators.
pub(super) type Places = BTreeMap<Iter, Affine>;

/// A node as it is written.
#[derive(Clone)]
pub(super) enum Written {
    Value(Box<Value>),
    /// A differential.
    Linear(Vec<Term>),
}

impl From<Value> for Written {
    fn from(v: Value) -> Written {
        Written::Value(Box::new(v))
    }
}

/// Names for indices that have none.
const LETTERS: [&str; 8] = ["i", "j", "k", "l", "m", "n", "o", "p"];

impl Writer<'_> {
    /// One for each form that the pieces have.
    pub fn equations(mut self, t: TensorId) -> Result<Vec<Equation>, Stopped> {
        let graph = self.graph;
        self.inside.push(t);
        let mut all: Vec<Equation> = Vec::new();
        for p in graph.pieces(t) {
            let equation = self.equation(&graph.assigns[*p])?;
            if !all.contains(&equation) {
                all.push(equation);
            }
        }
        if all.is_empty() {
            all.push(Equation { slots: String::new(), right: "0".into() });
        }
        let length: usize = all.iter().map(|e| e.slots.len() + e.right.len()).sum();
        if length > LONGEST { Err(Unwritten::TooLong.into()) } else { Ok(all) }
    }

    fn equation(&mut self, a: &Assignment) -> Result<Equation, Stopped> {
        self.left_out = 0;
        let mut places = Places::new();
        for i in a.written() {
            let index = match (written_name(&a.space, i), self.anonymous) {
                (Some(name), _) => Index { name: name.to_string(), left_out: None },
                (None, Anonymous::Named) => {
                    let known: Vec<&Affine> = places.values().collect();
                    Index { name: self.letter(&known)?, left_out: None }
                }
                (None, Anonymous::LeftOut) => {
                    self.left_out += 1;
                    Index { name: String::new(), left_out: Some(self.left_out - 1) }
                }
            };
            places.insert(i, Affine::iter(self.indices.push(index)));
        }
        let index: Option<Vec<Affine>> = a.write.iter().map(|t| self.placed(t, &places)).collect();
        let slots = self.brackets(&index.ok_or(Unwritten::Nameless)?)?;
        let right = match self.assigned(a, &places)? {
            Written::Value(v) => v.text,
            Written::Linear(terms) => sum_text(&terms),
        };
        let own = a.reduced();
        let of_cells = |g: &&Constraint| !g.term.iters().iter().any(|i| own.contains(i));
        let guards = a.space.guards.iter().filter(of_cells);
        let guards: Vec<String> =
            guards.map(|g| self.constraint(g, &places)).collect::<Result<_, _>>()?;
        let right = if guards.is_empty() {
            right
        } else {
            format!("{right} where {}", guards.join(" && "))
        };
        Ok(Equation { slots, right })
    }

    fn placed(&self, term: &IndexTerm, places: &Places) -> Option<Affine> {
        place(term.as_affine()?, places)
    }

    /// A letter that no other index has.
    pub fn letter(&self, others: &[&Affine]) -> Result<String, Stopped> {
        let used = self.names_in(others.iter().copied());
        let free = |l: &&&str| !self.taken.contains(**l) && !used.contains(**l);
        let letter = LETTERS.iter().find(free).ok_or(Unwritten::TooLong)?;
        Ok((*letter).to_string())
    }

    /// The names of the indices in some terms.
    pub fn names_in<'t>(&self, terms: impl Iterator<Item = &'t Affine>) -> BTreeSet<String> {
        terms.flat_map(Affine::iters).map(|i| self.indices[i].name.clone()).collect()
    }

    /// Brackets with an index; none where only axes that are left out are.
    pub fn brackets(&self, index: &[Affine]) -> Result<String, Stopped> {
        let is_left_out =
            |a: &Affine| a.iters().iter().any(|i| self.indices[*i].left_out.is_some());
        let kept = index.len() - index.iter().filter(|a| is_left_out(a)).count();
        let (shown, rest) = index.split_at(kept);
        if shown.iter().any(is_left_out) {
            return Err(Stopped::Indices);
        }
        let at = |a: &Affine| a.as_iter().and_then(|i| self.indices[i].left_out);
        let in_order = rest.iter().enumerate().all(|(n, a)| at(a) == Some(n));
        if !in_order || (!rest.is_empty() && rest.len() != self.left_out) {
            return Err(Stopped::Indices);
        }
        let shown: Result<Vec<String>, Stopped> = shown.iter().map(|a| self.affine(a)).collect();
        let shown = shown?;
        Ok(if shown.is_empty() { String::new() } else { format!("[{}]", shown.join(", ")) })
    }

    /// A term of indices.
    pub fn affine(&self, a: &Affine) -> Result<String, Stopped> {
        if a.iters().iter().any(|i| self.indices[*i].left_out.is_some()) {
            return Err(Stopped::Indices);
        }
        Ok(affine_text(a, &|i| self.indices[i].name.clone(), &|s| self.size(s)))
    }

    pub fn size(&self, s: &Size) -> String {
        s.display(&|p| self.graph.params[p].name.to_string())
    }

    /// The value at a point of an assignment's space.
    pub fn assigned(&mut self, a: &Assignment, places: &Places) -> Result<Written, Stopped> {
        match a.accumulator {
            crate::Accumulator::Set => {
                Ok(self.nodes(&a.exprs, &[a.body], places)?.remove(&a.body).expect("a root"))
            }
            _ => self.reduced(a, places),
        }
    }

    /// Each node below some roots, as it is written.
    pub fn nodes(
        &mut self,
        exprs: &Exprs,
        roots: &[ExprId],
        places: &Places,
    ) -> Result<BTreeMap<ExprId, Written>, Stopped> {
        let mut needed = BTreeSet::new();
        let mut stack = roots.to_vec();
        while let Some(e) = stack.pop() {
            if needed.insert(e) {
                stack.extend(exprs.get(e).operands());
            }
        }
        let mut done = BTreeMap::new();
        for e in needed {
            let written = self.node(exprs, e, &done, places)?;
            let long = match &written {
                Written::Value(v) => v.text.len(),
                Written::Linear(terms) => length(terms),
            };
            if long > LONGEST {
                return Err(Unwritten::TooLong.into());
            }
            done.insert(e, written);
        }
        Ok(done)
    }

    fn node(
        &mut self,
        exprs: &Exprs,
        e: ExprId,
        done: &BTreeMap<ExprId, Written>,
        places: &Places,
    ) -> Result<Written, Stopped> {
        Ok(match exprs.get(e) {
            Expr::Const(v) => Value::scalar(*v).into(),
            Expr::Index(a) => self.index(&place(a, places).ok_or(Unwritten::Nameless)?)?.into(),
            Expr::Read { tensor, index, .. } => self.read(*tensor, index, done, places)?,
            Expr::Unary(op, x) => match (&done[x], op) {
                (Written::Linear(terms), UnaryOp::Neg) => {
                    Written::Linear(scaled(terms.clone(), -1.0))
                }
                (Written::Value(x), _) => value::unary(*op, x).into(),
                _ => return Err(Unwritten::Nameless.into()),
            },
            Expr::Binary(op, a, b, _) => binary(*op, &done[a], &done[b])?,
            Expr::Cast(ty, x) => match &done[x] {
                Written::Value(v) => cast(exprs, *ty, *x, v).into(),
                linear => linear.clone(),
            },
            Expr::If(c, a, b) => choose(&done[c], &done[a], &done[b])?,
            Expr::Check { value, .. } => done[value].clone(),
            Expr::Call { .. } => return Err(Unwritten::Call.into()),
            Expr::Reduce(_) => return Err(Unwritten::Nameless.into()),
        })
    }

    /// An index as a value.
    fn index(&self, a: &Affine) -> Result<Value, Stopped> {
        let own = match (a.terms(), a.offset().as_constant()) {
            ([], Some(n)) if n >= 0 => level::ATOM,
            ([], None) if a.offset().as_param().is_some() => level::ATOM,
            ([(Dim::Iter(_), 1)], Some(0)) => level::ATOM,
            ([(_, c)], Some(0)) if *c > 0 => level::PRODUCT,
            _ => level::SUM,
        };
        Ok(Value { size: a.as_size().cloned(), ..Value::new(self.affine(a)?, own) })
    }
}

/// A term of an assignment in the indices of the text.
pub(super) fn place(a: &Affine, places: &Places) -> Option<Affine> {
    if !a.iters().iter().all(|i| places.contains_key(i)) {
        return None;
    }
    a.compose(&|i| places[&i].clone())
}

/// A differential; of a number, only none.
fn linear(w: &Written) -> Result<Vec<Term>, Stopped> {
    match w {
        Written::Linear(terms) => Ok(terms.clone()),
        Written::Value(v) if v.number == Some(0.0) => Ok(Vec::new()),
        Written::Value(_) => Err(Unwritten::Nameless.into()),
    }
}

fn binary(op: Op, a: &Written, b: &Written) -> Result<Written, Stopped> {
    Ok(match (op, a, b) {
        (_, Written::Value(a), Written::Value(b)) => match (op, &a.sum) {
            (Op::Div, Some((rest, count))) if b.counts(count) => {
                Value::atom(format!("mean{rest}")).into()
            }
            _ => value::binary(op, a, b).into(),
        },
        (Op::Add, ..) => Written::Linear(added(linear(a)?, linear(b)?)),
        (Op::Sub, ..) => Written::Linear(added(linear(a)?, scaled(linear(b)?, -1.0))),
        (Op::Mul, Written::Linear(terms), Written::Value(v))
        | (Op::Mul, Written::Value(v), Written::Linear(terms)) => {
            Written::Linear(times(terms.clone(), &v.product))
        }
        (Op::Div, Written::Linear(terms), Written::Value(v)) => {
            Written::Linear(terms::over(terms.clone(), v))
        }
        _ => return Err(Unwritten::Nameless.into()),
    })
}

fn choose(c: &Written, a: &Written, b: &Written) -> Result<Written, Stopped> {
    let Written::Value(c) = c else { return Err(Unwritten::Nameless.into()) };
    Ok(match (a, b, c.truth) {
        (a, _, Some(true)) => a.clone(),
        (_, b, Some(false)) => b.clone(),
        (Written::Value(a), Written::Value(b), _) => value::choice(c, a, b).into(),
        _ => Written::Linear(terms::choice(c.text.clone(), linear(a)?, linear(b)?)),
    })
}

/// A conversion is written where it is one: not of constants, and not where every value stays.
fn cast(exprs: &Exprs, to: ScalarType, x: ExprId, v: &Value) -> Value {
    let from = exprs.ty(x);
    let same = (from.is_int() && to.is_int()) || (from.is_float() && from.widens_to(to));
    if v.number.is_some() || same {
        return v.clone();
    }
    let text = format!("{} as {}", v.operand(level::CAST), to.name());
    Value { size: v.size.clone(), ..Value::new(text, level::CAST) }
}
