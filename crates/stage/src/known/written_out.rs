//! How large bodies become when their calls are written out.
//!
//! Calls are entered where they stand, so that what they compute is one graph with what is
//! around. Functions that call others twice each, in a chain, would double with each: in
//! such programs functions of scalars are called, as those that call themselves are, and
//! what is left of the chain is refused.

use super::survey::{Survey, Surveys};
use rustc_hash::{FxHashMap, FxHashSet};
use weft_diag::{Code, Diagnostic};
use weft_sema::thir::{Body, BodyId, Program, Ty};

/// Expressions beyond which functions of scalars are called, where they are so many times
/// those of the program as it stands.
const LARGE: u64 = 200_000;
const MANIFOLD: u64 = 16;

/// Expressions of a function that is called where it can be: of smaller ones a call is no less.
const LEAST_CALLED: u64 = 64;

/// Expressions beyond which a program is refused: they take some seconds and 2 GB.
const MOST: u64 = 1_000_000;

/// The bodies that a program is made of, those that are called before their callers.
pub(crate) struct Sizes<'p> {
    program: &'p Program,
    surveys: &'p Surveys,
    /// Each body after those it calls, but for circles.
    order: Vec<BodyId>,
}

impl<'p> Sizes<'p> {
    /// The sizes of all bodies.
    pub fn new(program: &'p Program, surveys: &'p Surveys) -> Sizes<'p> {
        let sizes = Sizes { program, surveys, order: Vec::new() };
        Sizes { order: sizes.callees_first(), ..sizes }
    }

    fn callees_first(&self) -> Vec<BodyId> {
        let (mut order, mut seen) = (Vec::new(), FxHashSet::default());
        for id in self.program.bodies.keys() {
            // A body, and whether its callees are done.
            let mut stack = vec![(id, false)];
            while let Some((id, done)) = stack.pop() {
                if done {
                    order.push(id);
                } else if seen.insert(id) {
                    stack.push((id, true));
                    stack.extend(
                        self.surveys.of(id).calls.iter().map(|(callee, _)| (*callee, false)),
                    );
                }
            }
        }
        order
    }

    /// The functions of scalars to be called, besides those in `called`.
    pub fn to_call(
        &self,
        called: &FxHashSet<BodyId>,
        not_scalar: &FxHashSet<BodyId>,
    ) -> FxHashSet<BodyId> {
        let plain = self.written_out(called);
        let stands = self.surveys.iter().map(|(_, s)| s.size).fold(0, u64::saturating_add);
        let most = stands.saturating_mul(MANIFOLD).max(LARGE);
        if plain.values().all(|n| *n <= most) {
            return FxHashSet::default();
        }
        let mut all = called.clone();
        let mut sizes = FxHashMap::default();
        for id in &self.order {
            let size = self.size(*id, &sizes, &all);
            sizes.insert(*id, size);
            let fits = size > LEAST_CALLED && !not_scalar.contains(id);
            if fits && is_of_scalars(&self.program.bodies[*id], self.surveys.of(*id)) {
                all.insert(*id);
            }
        }
        all.difference(called).copied().collect()
    }

    /// Refuses what is too large, with the call that makes it so.
    pub fn refusal(&self, called: &FxHashSet<BodyId>) -> Option<Diagnostic> {
        let sizes = self.written_out(called);
        let id = *self.order.iter().find(|id| sizes[*id] > MOST)?;
        let size = |callee: &BodyId| if called.contains(callee) { 1 } else { sizes[callee] };
        let (callee, span) =
            self.surveys.of(id).calls.iter().max_by_key(|(callee, _)| size(callee))?;
        let headline = "functions call each other too often to be written out";
        let name = self.program.bodies[*callee].name.as_ref();
        let what = name.map_or("this call".into(), |name| format!("this call of `{name}`"));
        let text = format!("{what} comes to {} expressions", size(callee));
        let note = "each call is written out where it stands, and so are those in it";
        let help = "name what is computed more than once: `let once = f(x);`";
        let d = Diagnostic::error(Code::E0309, headline).primary(*span, text);
        Some(d.note(note).help(help))
    }

    fn written_out(&self, called: &FxHashSet<BodyId>) -> FxHashMap<BodyId, u64> {
        let mut sizes = FxHashMap::default();
        for id in &self.order {
            let size = self.size(*id, &sizes, called);
            sizes.insert(*id, size);
        }
        sizes
    }

    fn size(&self, id: BodyId, sizes: &FxHashMap<BodyId, u64>, called: &FxHashSet<BodyId>) -> u64 {
        let one = |callee: &BodyId| match called.contains(callee) {
            true => 1,
            // One of a circle, or within it.
            false => sizes.get(callee).copied().unwrap_or(1),
        };
        let callees = self.surveys.of(id).calls.iter().map(|(callee, _)| one(callee));
        callees.fold(self.surveys.of(id).size, u64::saturating_add)
    }
}

/// Whether a function takes and gives scalars and tuples of them, and asks for no derivative.
fn is_of_scalars(body: &Body, survey: &Survey) -> bool {
    let scalars = body.arguments.iter().all(|a| of_scalars(&body.locals[*a].ty));
    let differentiated = body.locals.values().any(|l| l.differentiated);
    scalars && of_scalars(&body.result) && !differentiated && !survey.differentiates
}

fn of_scalars(ty: &Ty) -> bool {
    match (ty, ty.members()) {
        (Ty::Array(_, shape), _) => shape.is_empty(),
        (_, Some(members)) => members.iter().all(of_scalars),
        _ => false,
    }
}
