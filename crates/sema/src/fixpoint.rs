//! Statements whose types, extents or ranges depend on themselves: checked in passes.
//!
//! A recurrence reads cells whose type its clauses decide; a definition inside a clause may
//! depend on ranges that a read behind it decides. Such a statement is checked in passes. A
//! pass goes once over all of it, with everything inside, against what the passes before found
//! ([`Facts`]); the first pass that finds nothing new stands, with what it reported, and all
//! others are taken back. Within a pass nothing is gone over twice, so that nesting multiplies
//! nothing. (Kildall, "A unified approach to global program optimization", POPL 1973: facts
//! only grow, in a lattice of small height.)

use crate::checker::{Checker, Instance};
use crate::closure::Closure;
use crate::scope::{Binding, FnId};
use crate::thir::Elem;
use crate::typed::body_cx::BodyCx;
use crate::typed::fixpoint::Place;
use crate::typed::indexed::Found;
use rustc_hash::FxHashMap;
use weft_base::entity::EntityRef;
use weft_domain::{Affine, Iter};
use weft_hir::VarId;

/// Passes over a statement, beyond one for each fact: then what was found last has to do, and
/// what does not agree with it is reported.
const MOST_PASSES: usize = 6;

/// What the passes over a statement found.
#[derive(Default)]
struct Facts {
    definitions: FxHashMap<Place, Found>,
    ranges: FxHashMap<Place, (Affine, Affine)>,
}

/// A statement that is checked in passes.
pub(crate) struct Settling {
    /// The number of bodies under way with the one that it stands in.
    depth: usize,
    /// The parameters of that body before it: those made in a pass are gone with it.
    params: usize,
    facts: Facts,
    /// How often each variable was met in this pass.
    met_definitions: FxHashMap<VarId, u32>,
    met_indices: FxHashMap<VarId, u32>,
    /// Whether this pass found something new.
    changed: bool,
    passes: usize,
    /// Whether this is the last pass, whatever it finds.
    last: bool,
}

impl Settling {
    fn new(depth: usize, params: usize) -> Settling {
        Settling {
            depth,
            params,
            facts: Facts::default(),
            met_definitions: FxHashMap::default(),
            met_indices: FxHashMap::default(),
            changed: false,
            passes: 0,
            last: false,
        }
    }

    /// Whether another pass is needed; it begins here.
    fn again(&mut self) -> bool {
        if self.last || !(self.changed || self.decide_sought()) {
            return false;
        }
        self.passes += 1;
        self.last =
            self.passes >= MOST_PASSES + self.facts.definitions.len() + self.facts.ranges.len();
        self.changed = false;
        self.met_definitions.clear();
        self.met_indices.clear();
        true
    }

    /// Cells that no clause says without the cells themselves: what stands beside them does.
    fn decide_sought(&mut self) -> bool {
        let members = self.facts.definitions.values_mut().flat_map(|f| &mut f.members);
        let mut any = false;
        for m in members.filter(|m| m.elem == Elem::Sought) {
            (m.elem, any) = (Elem::Unknown, true);
        }
        any
    }
}

/// A state of the checker that it can be put back to.
pub(crate) struct Mark<'a> {
    bodies: Vec<BodyCx<'a>>,
    instances: usize,
    functions: usize,
    reported: usize,
}

impl Mark<'_> {
    /// The place in what is reported.
    pub fn reported(&self) -> usize {
        self.reported
    }
}

fn next(met: &mut FxHashMap<VarId, u32>, var: VarId) -> Place {
    let count = met.entry(var).or_default();
    *count += 1;
    (var, *count)
}

impl<'a> Checker<'a> {
    /// What `pass` gives: once where nothing in it depends on itself, or where a statement around
    /// it is checked in passes; else by the last of as many passes as it takes.
    pub fn in_passes<T>(&mut self, needed: bool, mut pass: impl FnMut(&mut Self) -> T) -> T {
        if !needed || self.settling().is_some() {
            return pass(self);
        }
        let mark = self.mark();
        let params = self.body().params.len();
        self.settling.push(Settling::new(self.bodies.len(), params));
        loop {
            let value = pass(self);
            if !self.settling().is_some_and(Settling::again) {
                self.settling.pop();
                return value;
            }
            self.rewind(&mark);
        }
    }

    /// The statement under way that is checked in passes, in this body.
    fn settling(&mut self) -> Option<&mut Settling> {
        let depth = self.bodies.len();
        self.settling.last_mut().filter(|s| s.depth == depth)
    }

    /// The place of a definition that reads itself, and what the passes before found of it.
    pub fn recall_definition(&mut self, name: VarId) -> Option<(Place, Option<Found>)> {
        let s = self.settling()?;
        let place = next(&mut s.met_definitions, name);
        Some((place, s.facts.definitions.get(&place).cloned()))
    }

    /// Notes what this pass found of a definition.
    pub fn note_definition(&mut self, place: Place, found: Found) {
        let Some(s) = self.settling().filter(|s| !s.last) else { return };
        if s.facts.definitions.get(&place) != Some(&found) {
            s.facts.definitions.insert(place, found);
            s.changed = true;
            self.cx().is_provisional = true;
        }
    }

    /// Gives an index without a stated range the one that the pass before found, until its own
    /// reads do.
    pub fn recall_range(&mut self, i: Iter, name: VarId) {
        let Some(s) = self.settling() else { return };
        let place = next(&mut s.met_indices, name);
        let range = s.facts.ranges.get(&place).cloned();
        let cx = self.cx();
        if let Some(frame) = cx.frames.last_mut() {
            frame.places.push((i, place));
        }
        // In terms of the indices of the pass before, which this one may not have made again.
        let is_here = |a: &Affine| a.iters().iter().all(|i| cx.active.contains(i));
        if let Some((lo, hi)) = range.filter(|(lo, hi)| is_here(lo) && is_here(hi)) {
            cx.provisional.push((i, (lo, hi)));
        }
    }

    /// Notes what ranges the reads of a clause or a reduction gave its indices.
    pub fn note_ranges(&mut self, places: &[(Iter, Place)]) {
        let found: Vec<(Place, (Affine, Affine))> = places
            .iter()
            .filter_map(|(i, place)| Some((*place, self.at().known().range(*i)?.clone())))
            .collect();
        let Some(s) = self.settling().filter(|s| !s.last) else { return };
        // A size that is made in a pass is gone with it.
        let params = s.params;
        let lasts = |a: &Affine| a.params().iter().all(|p| p.index() < params);
        for (place, (lo, hi)) in found.into_iter().filter(|(_, (lo, hi))| lasts(lo) && lasts(hi)) {
            let range = (lo, hi);
            if s.facts.ranges.get(&place) != Some(&range) {
                s.facts.ranges.insert(place, range);
                s.changed = true;
            }
        }
        let changed = s.changed;
        self.cx().is_provisional |= changed;
    }

    /// The state as it is.
    pub fn mark(&self) -> Mark<'a> {
        Mark {
            bodies: self.bodies.clone(),
            instances: self.instances.count(),
            functions: self.functions.len(),
            reported: self.at().sink.len(),
        }
    }

    /// Takes back what was done and reported since. Finished instances that depend on nothing of
    /// it stay.
    pub fn rewind(&mut self, mark: &Mark<'a>) {
        self.bodies.clone_from(&mark.bodies);
        let Checker { instances, functions, .. } = self;
        instances.retain_since(mark.instances, |f, instance| {
            let Instance::Done { captures, .. } = instance else { return false };
            let function = &functions[f];
            let locals = mark.bodies.get(function.home).map_or(0, |b| b.body.locals.len());
            f.index() < mark.functions
                && captures.iter().all(|id| id.index() < locals)
                && function.closure.as_ref().is_none_or(|c| names_last(c, mark.functions))
        });
    }

    /// What `f` gives, without what it reports.
    pub fn unreported<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let reported = self.cx().sink.len();
        let value = f(self);
        self.cx().sink.truncate(reported);
        value
    }
}

/// Whether what a function value names besides its captures was there before a mark.
fn names_last(closure: &Closure, functions: usize) -> bool {
    closure.bound.iter().all(|(_, binding)| match binding {
        Binding::Function(f) => FnId::index(*f) < functions,
        Binding::Const(_) => true,
        Binding::Local(_) | Binding::Index(_) | Binding::Rest(_) | Binding::Poisoned => false,
    })
}
