//! The parts of a program that is being staged, as those that walk it hold them.
//!
//! Each part owns its state. What walks over expressions holds all of them, together with the
//! place where it is: a cell of a frame ([`crate::cell`]), something lifted out of it
//! ([`crate::lift`]), the host level ([`crate::host`]).

use crate::functions::Functions;
use crate::known::bodies::Bodies;
use crate::known::survey::Surveys;
use crate::scope::{EnvId, Scopes};
use crate::unit::Unit;
use crate::unit::arithmetic::Arithmetic;
use weft_base::Span;
use weft_diag::{Diagnostic, Diagnostics};
use weft_host::Step;
use weft_scalar::ScalarType;
use weft_scalar::eval::Overflow;
use weft_sema::thir::{Block, Expr, ExprKind, Program};
use weft_shape::{Size, SizeCheck, Verdict};
use weft_tensor::{Exprs, SiteId, TensorId};

/// What staging has made so far.
pub(crate) struct Work<'p> {
    /// What is known of function instances.
    pub bodies: Bodies,
    /// What names stand for.
    pub scopes: Scopes<'p>,
    /// The program, or the function of the host, that is being built.
    pub unit: Unit,
    /// The functions of the host.
    pub functions: Functions,
    /// What is said of the program.
    pub diagnostics: Diagnostics,
}

impl<'p> Work<'p> {
    /// Nothing yet.
    pub fn new(program: &'p Program, surveys: &Surveys, overflow: Overflow) -> Self {
        Work {
            bodies: Bodies::compute(program, surveys),
            scopes: Scopes::new(program),
            unit: Unit::new(overflow),
            functions: Functions::default(),
            diagnostics: Diagnostics::new(),
        }
    }

    /// Says something of the program.
    pub fn tell(&mut self, d: Diagnostic) {
        self.diagnostics.push(d);
    }

    /// A condition on sizes, where their parameters are known.
    pub fn check(&mut self, check: &SizeCheck, env: EnvId) {
        let size = |s: &Size| self.scopes.size(env, s);
        let mapped = SizeCheck {
            when: check.when.iter().map(|(a, b)| (size(a), size(b))).collect(),
            left: size(&check.left),
            right: size(&check.right),
            ..check.clone()
        };
        self.unit.values.step(Step::Check(mapped));
    }

    /// The element type of what a tensor holds.
    pub fn elem(&self, t: TensorId) -> ScalarType {
        self.unit.tensors.elem(t)
    }

    /// Where a failure is told: inside the library at the program's call.
    pub fn told(&self, env: EnvId, span: Span) -> Span {
        self.scopes.call_of_program(env).unwrap_or(span)
    }

    /// Arithmetic in an arena, of what is written in an environment.
    pub fn arithmetic<'a>(&'a mut self, env: EnvId, exprs: &'a mut Exprs) -> Arithmetic<'a> {
        let call = self.scopes.call_of_program(env);
        self.unit.tensors.arithmetic(exprs).told_at(call)
    }

    /// A place where something can fail: inside the library it is the program's call.
    pub fn site(&mut self, env: EnvId, span: Span, message: impl Into<String>) -> SiteId {
        let span = self.told(env, span);
        self.unit.tensors.site(span, message)
    }

    /// The block of a tuple beside which something is asserted.
    pub fn asserting_block(&self, e: &'p Expr) -> Option<&'p Block> {
        self.bodies.asserting_block(self.scopes.program(), e)
    }

    /// Whether nothing in an expression depends on an index around.
    pub fn at_host_level(&self, e: &Expr, env: EnvId) -> bool {
        self.scopes.at_host_level(e, env)
    }

    /// The number of points of an unguarded reduction over a box.
    pub fn point_count(&self, reduction: &Expr, env: EnvId) -> Option<Size> {
        let ExprKind::Reduce { iters, guards, .. } = &reduction.kind else { return None };
        if !guards.is_empty() {
            return None;
        }
        let mut product = Size::from(1);
        for i in iters {
            let (lo, hi) = self.scopes.fixed_range(env, *i)?;
            let n = hi.minus(&lo);
            let n = match self.unit.tensors.facts().non_negative(&n) {
                Verdict::Yes => n,
                _ => n.larger(&0.into()),
            };
            product = product.times(&n);
        }
        Some(product)
    }

    /// Refuses calls for each cell whose arguments depend on what the calls give.
    pub fn refuse_calls_in_recurrences(&mut self) {
        for span in self.unit.calls_in_recurrences() {
            self.tell(crate::refusal::call_in_recurrence(span));
        }
    }
}
