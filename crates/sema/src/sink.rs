//! What is reported, in the order in which it was found.
//!
//! What an instance of a function reports stays with the instance: a call mentions its body. So
//! an instance that is checked in an attempt can outlive it, and says what it has to say where
//! the program that stands calls it.

use crate::library_call::LibraryCall;
use crate::thir::BodyId;
use rpds::Vector;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use weft_base::{Name, Span};
use weft_diag::{Diagnostic, Diagnostics};

/// Where diagnostics go.
///
/// A clone shares what it has in common: a state of a body is put aside for each pass.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sink {
    entries: Vector<Rc<Entry>>,
}

#[derive(Debug)]
enum Entry {
    One(Diagnostic),
    /// All that this body reports, where it is called, and whether that holds an error.
    OfBody(BodyId, Call, bool),
}

/// A call, for what is reported inside it.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub span: Span,
    /// The function.
    pub name: Name,
    /// What is told of it where it is the library's.
    pub of_library: Option<LibraryCall>,
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
        let has_errors = sink.has_errors_since(0);
        let any = !sink.is_empty();
        if any {
            self.0.insert(body, OfBody { sink, has_errors });
        }
        any
    }

    /// Whether a body reports an error.
    pub fn has_errors(&self, body: BodyId) -> bool {
        self.0.get(&body).is_some_and(|of| of.has_errors)
    }

    /// Whether a body reports anything.
    pub fn has(&self, body: BodyId) -> bool {
        self.0.contains_key(&body)
    }
}

impl Sink {
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.entries.push_back_mut(Entry::One(diagnostic).into());
    }

    /// Mentions what a body reports.
    pub fn mention(&mut self, body: BodyId, call: Call, errors: bool) {
        self.entries.push_back_mut(Entry::OfBody(body, call, errors).into());
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
        while self.entries.len() > place {
            self.entries.drop_last_mut();
        }
    }

    /// Whether an error was reported since a place.
    pub fn has_errors_since(&self, place: usize) -> bool {
        let is_error = |e: &Entry| match e {
            Entry::One(d) => d.is_error(),
            Entry::OfBody(_, _, errors) => *errors,
        };
        (place..self.entries.len()).any(|at| self.entries.get(at).is_some_and(|e| is_error(e)))
    }

    /// All diagnostics, those of each body once.
    pub fn all(&self, of_bodies: &OfBodies) -> Diagnostics {
        let (mut out, mut said) = (Diagnostics::new(), FxHashSet::default());
        self.collect(of_bodies, &mut said, &mut out);
        out
    }

    fn collect(&self, of_bodies: &OfBodies, said: &mut FxHashSet<BodyId>, out: &mut Diagnostics) {
        for e in &self.entries {
            match e.as_ref() {
                Entry::One(d) => out.push(d.clone()),
                Entry::OfBody(b, call, _) if said.insert(*b) => {
                    let Some(of) = of_bodies.0.get(b) else { continue };
                    let mut found = Diagnostics::new();
                    of.sink.collect(of_bodies, said, &mut found);
                    out.extend(at_call(call, found));
                }
                Entry::OfBody(..) => {}
            }
        }
    }
}

/// What was found inside a call: of the library one error, at the call; of other functions what was
/// found, with the call that it was found in.
fn at_call(call: &Call, found: Diagnostics) -> Vec<Diagnostic> {
    match &call.of_library {
        Some(library) => library.misfit(&call.name, call.span, &found).into_iter().collect(),
        None => found.into_iter().map(|d| in_call(call, d)).collect(),
    }
}

/// Calls within each other that an error tells, the innermost ones.
const MOST_CALLS: usize = 2;

/// An error of types or shapes, which depend on the arguments, with the call that it was found in,
/// unless it tells that already.
fn in_call(call: &Call, d: Diagnostic) -> Diagnostic {
    let inside =
        |s: Span| s.file == call.span.file && call.span.start <= s.start && s.end <= call.span.end;
    let told = d.labels.iter().filter(|l| l.message == IN_CALL).count();
    let code = d.code.as_str();
    let of_arguments = code.starts_with("E03") || code.starts_with("E05");
    let tells = !of_arguments || told >= MOST_CALLS || d.labels.iter().any(|l| inside(l.span));
    if d.is_error() && !tells { d.secondary(call.span, IN_CALL) } else { d }
}

/// What is said of a call that led to an error inside a function.
pub(crate) const IN_CALL: &str = "in this call";
