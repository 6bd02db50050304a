//! What stands in function instances: each is gone over once, for all that staging asks of it.

use rustc_hash::FxHashSet;
use weft_base::Span;
use weft_base::entity::{EntityRef, SecondaryMap};
use weft_base::scc::components;
use weft_scalar::FileEffect;
use weft_sema::thir::{Block, Body, BodyId, Expr, ExprKind, HostOp, Program, Stmt};

/// What stands in one instance, calls not entered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Survey {
    /// The instances it calls or maps over lists, sorted.
    pub callees: Vec<BodyId>,
    /// Its calls, as often as they stand there.
    pub calls: Vec<(BodyId, Span)>,
    /// How many expressions it has.
    pub size: u64,
    /// Looks at more than scalars.
    pub tensors: bool,
    /// May print, fail an assertion, look at files or change them.
    pub effects: bool,
    /// Looks at files or changes them.
    pub files: bool,
    /// Makes host data.
    pub hosty: bool,
    /// Finds extents while it runs.
    pub measures: bool,
    /// Asks for a derivative.
    pub differentiates: bool,
    /// A value without a type.
    pub untyped: Option<Span>,
}

/// What stands in all instances of a program.
pub(crate) struct Surveys(SecondaryMap<BodyId, Survey>);

impl Surveys {
    /// Goes over all instances.
    pub fn new(program: &Program) -> Surveys {
        let mut all = SecondaryMap::new();
        program.bodies.iter().for_each(|(id, body)| all[id] = survey(body));
        Surveys(all)
    }

    /// What stands in one instance.
    pub fn of(&self, id: BodyId) -> &Survey {
        &self.0[id]
    }

    /// All instances.
    pub fn iter(&self) -> impl Iterator<Item = (BodyId, &Survey)> {
        self.0.iter()
    }

    /// The instances that call themselves, perhaps through others.
    pub fn recursive(&self) -> FxHashSet<BodyId> {
        let ids: Vec<BodyId> = self.0.keys().collect();
        let needs = |at: usize| self.of(ids[at]).callees.iter().map(|c| c.index()).collect();
        let circles = components(ids.len(), &needs).into_iter().filter(|c| match c.as_slice() {
            [one] => self.of(ids[*one]).callees.contains(&ids[*one]),
            _ => true,
        });
        circles.flatten().map(|at| ids[at]).collect()
    }
}

/// Whether an expression prints, asserts, looks at files or changes them.
pub(crate) fn is_effect(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Print(_) | ExprKind::Assert(..)) || is_of_files(e)
}

/// Whether an expression looks at files or changes them.
pub(crate) fn is_of_files(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Host(HostOp::File(call), _) if call.op.effect() != FileEffect::None)
}

fn survey(body: &Body) -> Survey {
    let mut found = Survey { measures: finds_extents(&body.block), ..Survey::default() };
    body.exprs(&mut |e| found.note(e));
    found.callees.sort_unstable();
    found.callees.dedup();
    found
}

impl Survey {
    fn note(&mut self, e: &Expr) {
        use ExprKind as K;
        self.size += 1;
        self.tensors |= e.ty.rank().is_some_and(|r| r > 0);
        self.effects |= is_effect(e);
        self.files |= is_of_files(e);
        match &e.kind {
            K::Call(call) => {
                self.callees.push(call.body);
                self.calls.push((call.body, e.span));
                self.measures |= !call.results.is_empty();
            }
            K::Host(op, _) => {
                self.hosty = true;
                self.tensors = true;
                if let HostOp::Map(body) = op {
                    self.callees.push(*body);
                }
            }
            K::Str(_) | K::Array(_) | K::Read(..) | K::Reduce { .. } | K::Mean(_) => {
                self.tensors = true;
            }
            K::Block(b) => self.measures |= finds_extents(b),
            K::Quotient(..) | K::Differential(_) | K::Ruled(..) | K::Seeded(_) => {
                self.differentiates = true;
            }
            // The type alone says nothing: a recurrence reads itself before it has one.
            K::Error => self.untyped = self.untyped.or(Some(e.span)),
            _ => {}
        }
    }
}

fn finds_extents(block: &Block) -> bool {
    block.stmts.iter().any(|s| matches!(s, Stmt::Define(..) | Stmt::Measure(..)))
}
