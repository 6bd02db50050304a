//! Reads: by name, or with what defines a tensor in its place.

use super::clause::{Places, Written, place};
use super::terms::{Leaf, Sum, leaf};
use super::value::{Value, level};
use super::{DEEPEST, Index, MOST, Stopped, Unwritten, Writer, written_name};
use crate::{
    Accumulator, Array, Assignment, Constraint, Definition, Expr, ExprId, IndexTerm, Relation,
    TensorId,
};
use std::collections::BTreeMap;
use weft_domain::{Affine, Iter, Range};
use weft_shape::Size;

/// Cells of a literal that are written out.
const MOST_CELLS: usize = 8;

impl Writer<'_> {
    /// A cell of a tensor.
    pub fn read(
        &mut self,
        t: TensorId,
        index: &[IndexTerm],
        done: &BTreeMap<ExprId, Written>,
        places: &Places,
    ) -> Result<Written, Stopped> {
        let mut at = Vec::new();
        for term in index {
            at.push(match term {
                IndexTerm::Affine(a) => place(a, places).ok_or(Unwritten::Nameless)?,
                IndexTerm::Data(e) => self.computed(&done[e])?,
            });
        }
        if self.called.names.contains_key(&t) {
            return self.by_name(t, &at);
        }
        let graph = self.graph;
        match &graph.tensors[t].definition {
            Definition::Constant(array) => self.literal(array, &at),
            Definition::Input => self.by_name(t, &at),
            Definition::Assigned { pieces, .. } => match pieces.as_slice() {
                [] if self.linear.contains(&t) => Ok(Written::Linear(Vec::new())),
                [p] if !self.inside.contains(&t) => {
                    let piece = &graph.assigns[*p];
                    match self.solved(piece, &at) {
                        Some(places) => self.written_out(t, piece, &places),
                        None => self.by_name(t, &at),
                    }
                }
                _ => self.by_name(t, &at),
            },
        }
    }

    /// A computed index, as an index by itself.
    fn computed(&mut self, w: &Written) -> Result<Affine, Stopped> {
        let Written::Value(v) = w else { return Err(Unwritten::Nameless.into()) };
        let name = v.operand(level::SUM);
        let same = self.indices.iter().find(|(_, i)| i.left_out.is_none() && i.name == name);
        let known = same.map(|(i, _)| i);
        let index = Index { name, left_out: None };
        Ok(Affine::iter(known.unwrap_or_else(|| self.indices.push(index))))
    }

    fn by_name(&mut self, t: TensorId, at: &[Affine]) -> Result<Written, Stopped> {
        let name = self.name(t).ok_or(Unwritten::Nameless)?;
        for (a, extent) in at.iter().zip(self.graph.shape(t)) {
            if let Some(i) = a.as_iter() {
                self.direct.entry(i).or_default().push(extent.clone());
            }
        }
        let text = format!("{name}{}", self.brackets(at)?);
        Ok(if self.linear.contains(&t) {
            Written::Linear(vec![leaf(Leaf::Name(text))])
        } else {
            Value::atom(text).into()
        })
    }

    fn literal(&mut self, array: &Array, at: &[Affine]) -> Result<Written, Stopped> {
        if at.is_empty() {
            return Ok(Value::scalar(array.get(0)).into());
        }
        if array.len() > MOST_CELLS {
            return Err(Unwritten::TooLong.into());
        }
        let brackets = self.brackets(at)?;
        Ok(Value::atom(format!("{}{brackets}", literal_text(array, array.shape(), 0))).into())
    }

    /// Values of a piece's iterators where a cell of it is read.
    fn solved(&self, piece: &Assignment, at: &[Affine]) -> Option<Places> {
        let mut places = Places::new();
        for (term, at) in piece.write.iter().zip(at) {
            let term = term.as_affine()?;
            let Some(&i) = term.iters().first() else {
                if term != at {
                    return None;
                }
                continue;
            };
            let offset = term.minus(&Affine::iter(i))?.as_size()?.clone();
            let value = at.plus_size(&offset.scaled(-1));
            let known = places.entry(i).or_insert_with(|| value.clone());
            if *known != value {
                return None;
            }
        }
        Some(places)
    }

    fn written_out(
        &mut self,
        t: TensorId,
        piece: &Assignment,
        places: &Places,
    ) -> Result<Written, Stopped> {
        self.written += 1;
        if self.written > MOST || self.inside.len() > DEEPEST {
            return Err(Unwritten::TooLong.into());
        }
        self.inside.push(t);
        let written = self.assigned(piece, places);
        self.inside.pop();
        written
    }

    /// A reduction over indices of its own.
    pub fn reduced(&mut self, a: &Assignment, places: &Places) -> Result<Written, Stopped> {
        let own = a.reduced();
        let mut places = places.clone();
        if own.iter().all(|i| written_name(&a.space, *i).is_none())
            && let Some(whole) = self.of_a_whole(a, &own)
        {
            return Ok(whole);
        }
        for i in &own {
            let name = self.index_name(a, *i, &places)?;
            let index = Index { name, left_out: None };
            places.insert(*i, Affine::iter(self.indices.push(index)));
        }
        let roots: Vec<ExprId> = a.mask.into_iter().chain([a.body]).collect();
        let nodes = self.nodes(&a.exprs, &roots, &places)?;
        let guard = self.guard(a, &own, a.mask.map(|m| &nodes[&m]), &places)?;
        let heads = self.heads(a, &own, &places)?;
        let count = guard.is_none().then(|| points(a, &own)).flatten();
        match nodes[&a.body].clone() {
            Written::Linear(terms) if a.accumulator.is_sum() && !terms.is_empty() => {
                let sum = Sum { word: "sum", heads, terms, guard, count };
                Ok(Written::Linear(vec![leaf(Leaf::Sum(Box::new(sum)))]))
            }
            Written::Linear(terms) if terms.is_empty() => Ok(Written::Linear(terms)),
            Written::Linear(_) => Err(Unwritten::Nameless.into()),
            Written::Value(body) => {
                let guard = guard.map_or(String::new(), |g| format!(" where {g}"));
                let rest = format!("[{heads}]({}{guard})", body.text);
                let member = match a.accumulator {
                    Accumulator::ArgMax(n) | Accumulator::ArgMin(n) if own.len() > 1 => {
                        format!(".{n}")
                    }
                    _ => String::new(),
                };
                let value = Value::atom(format!("{}{rest}{member}", a.accumulator.name()));
                let sum = count.filter(|_| a.accumulator.is_sum()).map(|n| (rest, n));
                Ok(Value { sum, ..value }.into())
            }
        }
    }

    /// `sum(x)` of all cells of a tensor that has a name.
    fn of_a_whole(&self, a: &Assignment, own: &[Iter]) -> Option<Written> {
        let Expr::Read { tensor, index, .. } = a.exprs.get(a.body) else { return None };
        let plain = matches!(
            a.accumulator,
            Accumulator::Sum | Accumulator::ExactSum(_) | Accumulator::Max | Accumulator::Min
        );
        let in_order = index.len() == own.len()
            && index.iter().zip(own).all(|(t, i)| t.as_affine() == Some(&Affine::iter(*i)));
        let free = a.mask.is_none() && a.space.guards.is_empty();
        let value = !self.linear.contains(tensor);
        let name = self.called.names.get(tensor).filter(|_| plain && in_order && free && value)?;
        Some(Value::atom(format!("{}({name})", a.accumulator.name())).into())
    }

    /// A name for an index of a reduction that nothing inside has for something else.
    fn index_name(&self, a: &Assignment, i: Iter, places: &Places) -> Result<String, Stopped> {
        let Some(own) = written_name(&a.space, i) else {
            return self.letter(&places.values().collect::<Vec<_>>());
        };
        let used = self.names_in(places.values());
        let free = |n: &String| !self.taken.contains(n) && !used.contains(n);
        let names = std::iter::once(own.to_string()).chain((2..).map(|k| format!("{own}{k}")));
        Ok(names.into_iter().find(free).expect("there are many names"))
    }

    /// The indices of a reduction, with their ranges where no read gives them.
    fn heads(&self, a: &Assignment, own: &[Iter], places: &Places) -> Result<String, Stopped> {
        let mut heads = Vec::new();
        for i in own {
            let Some(range) = a.space.range(*i) else { return Err(Unwritten::Nameless.into()) };
            let name = self.affine(&places[i])?;
            let given = || {
                let direct = self.direct.get(&places[i].as_iter()?)?;
                let (lo, hi) = (range.lo.as_size()?, range.hi.as_size()?);
                Some(lo.as_constant() == Some(0) && direct.contains(hi))
            };
            if given() == Some(true) {
                heads.push(name);
                continue;
            }
            let bound = |b: &Affine| {
                self.affine(&place(b, places).ok_or(Stopped::Unwritten(Unwritten::Nameless))?)
            };
            let (lo, hi) = (bound(&range.lo)?, bound(&range.hi)?);
            heads.push(format!("{name} in {lo}..{hi}"));
        }
        Ok(heads.join(", "))
    }

    /// Conditions on the points of a reduction.
    fn guard(
        &self,
        a: &Assignment,
        own: &[Iter],
        mask: Option<&Written>,
        places: &Places,
    ) -> Result<Option<String>, Stopped> {
        let mut all = Vec::new();
        for g in &a.space.guards {
            if g.term.iters().iter().any(|i| own.contains(i)) {
                all.push(self.constraint(g, places)?);
            }
        }
        match mask {
            Some(Written::Value(v)) if v.truth != Some(true) => all.push(v.operand(level::AND)),
            Some(Written::Linear(_)) => return Err(Unwritten::Nameless.into()),
            _ => {}
        }
        Ok((!all.is_empty()).then(|| all.join(" && ")))
    }

    /// `a - b >= 0` as `a >= b`.
    pub fn constraint(&self, g: &Constraint, places: &Places) -> Result<String, Stopped> {
        let term = place(&g.term, places).ok_or(Unwritten::Nameless)?;
        let (mut left, mut right) = (Affine::fixed(0), Affine::fixed(0));
        let overflow = Stopped::Unwritten(Unwritten::TooLong);
        for (dim, c) in term.terms() {
            let part = Affine::dim(dim.clone()).scaled(c.abs()).ok_or(overflow)?;
            let side = if *c > 0 { &mut left } else { &mut right };
            *side = side.plus(&part).ok_or(overflow)?;
        }
        if left.terms().is_empty() {
            left = left.plus_size(term.offset())
        } else {
            right = right.plus_size(&term.offset().scaled(-1))
        }
        let relation = match g.relation {
            Relation::AtLeastZero => ">=",
            Relation::Zero => "==",
        };
        Ok(format!("{} {relation} {}", self.affine(&left)?, self.affine(&right)?))
    }
}

/// How many points a reduction has, where no guard leaves one out.
fn points(a: &Assignment, own: &[Iter]) -> Option<Size> {
    let length = |r: &Range| Some(r.hi.as_size()?.minus(r.lo.as_size()?));
    own.iter().try_fold(Size::from(1), |n, i| Some(n.times(&length(a.space.range(*i)?)?)))
}

fn literal_text(array: &Array, shape: &[usize], from: usize) -> String {
    let Some((n, rest)) = shape.split_first() else {
        return Value::scalar(array.get(from)).text;
    };
    let step: usize = rest.iter().product();
    let members: Vec<String> =
        (0..*n).map(|k| literal_text(array, rest, from + k * step)).collect();
    format!("[{}]", members.join(", "))
}
