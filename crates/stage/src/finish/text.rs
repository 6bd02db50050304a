//! The text of a differential, `print(@y)`: its definition, as `grad` makes it, in the names of
//! the place where it is printed.
//!
//! The text is made when the graph is whole. Quotients are called by what they are written as,
//! as far as their own changes do not matter; else the sweeps in their place are looked through.

use super::kept::linear_tensors;
use crate::scope::{Bound, EnvId, Scopes};
use crate::unit::Unit;
use crate::unit::derivatives::Wanted;
use crate::work::Work;
use std::collections::{BTreeMap, BTreeSet};
use weft_base::Span;
use weft_diag::{Code, Diagnostic};
use weft_grad::{Differential, Sight, Undefined};
use weft_host::{Piece, Value};
use weft_sema::thir::{Expr, ExprKind, LocalId, Nominal, Ty};
use weft_tensor::{Called, Equation, Graph, TensorId, Unwritten, equations};

/// What names stand for at a place.
#[derive(Default)]
struct InSight {
    names: BTreeMap<TensorId, String>,
    /// Tensors with a name that another binding hides, where they are given.
    hidden: BTreeSet<TensorId>,
}

/// The copies that stand for differentials, by what they are copies of, and what reads them.
type Copies<'a> = (&'a BTreeMap<TensorId, TensorId>, &'a BTreeSet<TensorId>);

/// Why a differential has no text.
enum NoText {
    Undefined(Undefined),
    Unwritten(Unwritten),
}

/// Makes the texts that are wanted. `before` is the graph with quotients in place of
/// sweeps, if there are any.
pub(super) fn write(work: &mut Work<'_>, before: Option<Graph>) {
    if work.unit.derivatives.shown().is_empty() {
        return;
    }
    let live = work.unit.derivatives.originals();
    let linear = linear_tensors(work.unit.tensors.graph(), live.keys().copied().collect());
    let copies = (&live, &linear);
    // Tangents are added to graphs of their own.
    let (mut before, mut after) = (before, work.unit.tensors.graph().clone());
    let writer = Writer { scopes: &work.scopes, unit: &work.unit };
    let mut made = Vec::new();
    for wanted in work.unit.derivatives.shown() {
        let text = before.as_mut().map(|graph| writer.text_of(wanted, copies, graph, true));
        let text = match text {
            Some(Ok(text)) => Ok(text),
            _ => writer.text_of(wanted, copies, &mut after, false),
        };
        made.push((wanted.var, wanted.span, text));
    }
    for (var, span, text) in made {
        match text {
            Ok(text) => work.unit.values.define(var, Value::Text(vec![Piece::Text(text)])),
            Err(why) => work.tell(no_text(span, &why)),
        }
    }
}

/// What texts are made from.
struct Writer<'a, 'p> {
    scopes: &'a Scopes<'p>,
    unit: &'a Unit,
}

impl<'p> Writer<'_, 'p> {
    /// What tensors are called at a place. What a binding hides is what defines it, where that
    /// is not given.
    fn in_sight(&self, w: &Wanted) -> InSight {
        let known = self.scopes.in_sight(w.env).filter(|(id, _)| Some(*id) <= w.last);
        let bound: BTreeMap<LocalId, &Bound<'p>> = known.collect();
        let locals = &self.scopes.body(w.env).locals;
        let latest: BTreeMap<&str, LocalId> =
            bound.keys().map(|id| (locals[*id].name.as_str(), *id)).collect();
        let mut found = InSight::default();
        for (id, b) in &bound {
            let local = &locals[*id];
            match b {
                _ if latest[local.name.as_str()] == *id => {
                    self.name_members(local.name.to_string(), b, &local.ty, &mut found.names);
                }
                Bound::Tensor { tensor, .. }
                    if weft_grad::is_given(self.unit.tensors.graph(), *tensor) =>
                {
                    found.hidden.insert(*tensor);
                }
                _ => {}
            }
        }
        found
    }

    fn name_members(
        &self,
        name: String,
        bound: &Bound<'p>,
        ty: &Ty,
        names: &mut BTreeMap<TensorId, String>,
    ) {
        match bound {
            Bound::Tensor { tensor, .. } => {
                names.entry(*tensor).or_insert(name);
            }
            Bound::Tuple(members) => {
                let types = ty.members().unwrap_or_default();
                for (n, (m, own)) in members.iter().zip(types).enumerate() {
                    let field = self.field_name(ty, n);
                    self.name_members(format!("{name}.{field}"), m, own, names);
                }
            }
            Bound::Host(value) => {
                if let Some(t) = self.unit.values.source_named(&format!("{value:?}")) {
                    names.entry(t).or_insert(name);
                }
            }
            Bound::Thunk(e, env) => {
                if let Some(t) = self.quotient_named(e, *env) {
                    names.entry(t).or_insert(name);
                }
            }
        }
    }

    fn field_name(&self, ty: &Ty, n: usize) -> String {
        let field = match ty {
            Ty::Named(Nominal::Struct(id), _) => {
                let variant = self.scopes.program().types[*id].variants.first();
                variant.and_then(|v| v.fields.get(n)?.as_ref())
            }
            _ => None,
        };
        field.map_or(n.to_string(), ToString::to_string)
    }

    /// The tensor of a whole quotient of two names: `let g = @y / @x;`.
    fn quotient_named(&self, e: &Expr, env: EnvId) -> Option<TensorId> {
        let ExprKind::Quotient(d, x) = &e.kind else { return None };
        let ExprKind::Differential(y) = &d.kind else { return None };
        let whole = |e: &Expr| match self.scopes.named(e, env)? {
            Bound::Tensor { tensor, outer } if outer.is_empty() => Some(tensor),
            _ => None,
        };
        let (y, x) = (whole(y)?, whole(x)?);
        let found = self.unit.derivatives.quotients().iter();
        found.clone().find(|q| q.target == y && q.independent == x).map(|q| q.tensor)
    }

    fn text_of(
        &self,
        w: &Wanted,
        copies: Copies<'_>,
        graph: &mut Graph,
        quotients: bool,
    ) -> Result<String, NoText> {
        let InSight { names, hidden } = self.in_sight(w);
        let named: BTreeSet<TensorId> = names.keys().copied().chain(hidden).collect();
        let mut called = Called { names, linear: BTreeSet::new() };
        let mut unknown: BTreeSet<TensorId> = self.unit.values.sources().map(|(t, _)| t).collect();
        if quotients {
            for q in self.unit.derivatives.quotients() {
                let own = |t: TensorId| graph.tensors[t].name.as_ref().map(ToString::to_string);
                let of = |t| called.names.get(&t).cloned().or(own(t)).unwrap_or("…".into());
                let (y, x) = (of(q.target), of(q.independent));
                called.names.entry(q.tensor).or_insert_with(|| format!("(@{y} / @{x})"));
                unknown.insert(q.tensor);
            }
        }
        let (live, linear) = copies;
        let rules = self.unit.derivatives.rules();
        let sight = Sight { named: &named, live, linear, rules, unknown: &unknown };
        let found = weft_grad::differential(graph, w.tensor, sight);
        let Differential { tensor, of, named, leaves } = found.map_err(NoText::Undefined)?;
        for (leaf, of) in leaves {
            let name = called.name(graph, of).ok_or(NoText::Unwritten(Unwritten::Nameless))?;
            called.names.insert(leaf, if leaf == of { name } else { format!("@{name}") });
            called.linear.insert(leaf);
        }
        let left = match (of, named) {
            (Some(of), _) => called.name(graph, of).map(|n| format!("@{n}")),
            (None, Some(named)) => called.name(graph, named),
            (None, None) => None,
        };
        let left = left.unwrap_or_default();
        let line = |e: Equation| match e.slots.is_empty() {
            true => e.right,
            false => format!("{left}{} = {}", e.slots, e.right),
        };
        let lines = equations(graph, &called, tensor).map_err(NoText::Unwritten)?;
        Ok(lines.into_iter().map(line).collect::<Vec<_>>().join("\n"))
    }
}

fn no_text(span: Span, why: &NoText) -> Diagnostic {
    let (reason, note) = match why {
        NoText::Undefined(Undefined::Call | Undefined::Unknown)
        | NoText::Unwritten(Unwritten::Call) => {
            let note = "recursive functions, lists and other values of the host have none";
            ("it goes through what has no expression for its change", note)
        }
        NoText::Undefined(Undefined::Rule) | NoText::Unwritten(Unwritten::Nameless) => {
            let note = "what it reads has neither a name here nor an expression";
            ("it goes through what cannot be written", note)
        }
        NoText::Undefined(Undefined::Deep) | NoText::Unwritten(Unwritten::TooLong) => {
            let note = "definitions inside of functions are written out where they are read";
            ("it is longer than anybody would read", note)
        }
    };
    let headline = "the source form of this differential is not supported yet";
    Diagnostic::error(Code::E0010, headline)
        .primary(span, reason)
        .note(note)
        .help("show its numbers: `print(@y / @x)`")
}
