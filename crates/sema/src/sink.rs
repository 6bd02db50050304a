//! What is reported, in the order in which it was found.
//!
//! What an instance of a function reports stays with the instance: a call mentions its body. So
//! an instance that is checked in an attempt can outlive it, and says what it has to say where
//! the program that stands calls it.

use crate::hir::BodyId;
use rustc_hash::{FxHashMap, FxHashSet};
use weft_diag::{Diagnostic, Diagnostics};

/// Where diagnostics go.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sink {
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
enum Entry {
    One(Diagnostic),
    /// All that this body reports.
    OfBody(BodyId),
}

/// What the bodies that are checked report, where they report anything.
#[derive(Debug, Default)]
pub(crate) struct OfBodies(FxHashMap<BodyId, OfBody>);

#[derive(Debug)]
struct OfBody {
    sink: Sink,
    has_errors: bool,
}

impl OfBodies {
    /// Sets what a body reports; whether it is anything.
    pub fn set(&mut self, body: BodyId, sink: Sink) -> bool {
        let has_errors = sink.has_errors_since(0, self);
        let any = !sink.is_empty();
        if any {
            self.0.insert(body, OfBody { sink, has_errors });
        }
        any
    }

    /// Whether a body reports anything.
    pub fn has(&self, body: BodyId) -> bool {
        self.0.contains_key(&body)
    }
}

impl Sink {
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.entries.push(Entry::One(diagnostic));
    }

    /// Mentions what a body reports.
    pub fn mention(&mut self, body: BodyId) {
        self.entries.push(Entry::OfBody(body));
    }

    /// The place behind what is reported so far, for the other functions here.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Takes back what was reported since a place.
    pub fn truncate(&mut self, place: usize) {
        self.entries.truncate(place);
    }

    /// Whether an error was reported since a place.
    pub fn has_errors_since(&self, place: usize, of_bodies: &OfBodies) -> bool {
        self.entries[place..].iter().any(|e| match e {
            Entry::One(d) => d.is_error(),
            Entry::OfBody(b) => of_bodies.0.get(b).is_some_and(|of| of.has_errors),
        })
    }

    /// All diagnostics, those of each body once.
    pub fn all(&self, of_bodies: &OfBodies) -> Diagnostics {
        let (mut out, mut said) = (Diagnostics::new(), FxHashSet::default());
        self.collect(of_bodies, &mut said, &mut out);
        out
    }

    fn collect(&self, of_bodies: &OfBodies, said: &mut FxHashSet<BodyId>, out: &mut Diagnostics) {
        for e in &self.entries {
            match e {
                Entry::One(d) => out.push(d.clone()),
                Entry::OfBody(b) if said.insert(*b) => {
                    if let Some(of) = of_bodies.0.get(b) {
                        of.sink.collect(of_bodies, said, out);
                    }
                }
                Entry::OfBody(_) => {}
            }
        }
    }
}
