//! isl behind owned values: the only place of this crate with unsafe code.
//!
//! One context per thread. A [`Session`] is one question: it fixes the numbers of
//! parameters and dimensions that all its sets share, and gives isl a budget of
//! operations. Where isl gives up (budget, a number too large), every function says
//! [`GaveUp`] and the answer to the question is unknown.
#![allow(unsafe_code)]

mod ffi;

use ffi::DimType;
use std::ffi::CString;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// isl could not answer within its budget or its numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GaveUp;

type Result<T> = std::result::Result<T, GaveUp>;

/// The context of a thread.
struct Context(NonNull<ffi::Ctx>);

impl Context {
    fn new() -> Context {
        // SAFETY: allocation has no precondition; the result is checked.
        let ctx = NonNull::new(unsafe { ffi::isl_ctx_alloc() }).expect("isl has no memory");
        // SAFETY: the context was just made.
        unsafe {
            ffi::isl_options_set_on_error(ctx.as_ptr(), ffi::ON_ERROR_CONTINUE);
            // One row at a time, each carrying as many dependences as it can.
            ffi::isl_options_set_schedule_algorithm(ctx.as_ptr(), ffi::FEAUTRIER);
        }
        Context(ctx)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: sessions borrow the context, and every object belongs to a session.
        unsafe { ffi::isl_ctx_free(self.0.as_ptr()) };
    }
}

thread_local! {
    static CONTEXT: Context = Context::new();
}

/// One question over sets of `dims` dimensions with `params` parameters.
pub(crate) struct Session<'c> {
    ctx: NonNull<ffi::Ctx>,
    space: NonNull<ffi::Space>,
    dims: usize,
    _context: PhantomData<&'c Context>,
}

/// Dimensions and parameters of a question: with more of them an operation of isl's budget
/// takes so long that the budget bounds nothing.
const MOST_DIMS: usize = 48;

/// Asks a question with a budget of operations.
pub(crate) fn ask<T>(
    params: usize,
    dims: usize,
    budget: u64,
    question: impl FnOnce(&Session<'_>) -> Result<T>,
) -> Result<T> {
    if params + dims > MOST_DIMS {
        return Err(GaveUp);
    }
    let (params, count) = (params as u32, dims as u32);
    CONTEXT.with(|context| {
        let ctx = context.0;
        // SAFETY: the thread's context outlives the closure.
        let space = unsafe {
            ffi::isl_ctx_reset_error(ctx.as_ptr());
            ffi::isl_ctx_reset_operations(ctx.as_ptr());
            ffi::isl_ctx_set_max_operations(ctx.as_ptr(), budget);
            let mut space = ffi::isl_space_set_alloc(ctx.as_ptr(), params, count);
            for at in 0..params {
                // Sets of several spaces, which schedules have, agree on parameters by name.
                let name = CString::new(format!("p{at}")).expect("digits hold no zero byte");
                space = ffi::isl_space_set_dim_name(space, DimType::Param, at, name.as_ptr());
            }
            space
        };
        let space = NonNull::new(space).ok_or(GaveUp)?;
        question(&Session { ctx, space, dims, _context: PhantomData })
    })
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        // SAFETY: the session owns its space.
        unsafe { ffi::isl_space_free(self.space.as_ptr()) };
    }
}

/// An owned object of isl, freed when dropped.
macro_rules! owned {
    ($(#[$doc:meta])* $name:ident, $raw:ident, $free:ident) => {
        $(#[$doc])*
        pub(crate) struct $name<'s> {
            raw: NonNull<ffi::$raw>,
            _session: PhantomData<&'s ()>,
        }

        impl $name<'_> {
            fn own(raw: *mut ffi::$raw) -> Result<Self> {
                Ok($name { raw: NonNull::new(raw).ok_or(GaveUp)?, _session: PhantomData })
            }

            /// Gives the object away to a function that takes it.
            #[allow(dead_code)]
            fn take(self) -> *mut ffi::$raw {
                let raw = self.raw.as_ptr();
                std::mem::forget(self);
                raw
            }

            #[allow(dead_code)]
            fn keep(&self) -> *mut ffi::$raw {
                self.raw.as_ptr()
            }
        }

        impl Drop for $name<'_> {
            fn drop(&mut self) {
                // SAFETY: the object is owned and was not given away.
                unsafe { ffi::$free(self.raw.as_ptr()) };
            }
        }
    };
}

owned!(
    /// A piecewise quasi-affine function of parameters and dimensions.
    Term, PwAff, isl_pw_aff_free
);
owned!(
    /// A set of integer points, parametric.
    Set, Set, isl_set_free
);
owned!(
    /// A conjunction of constraints.
    BasicSet, BasicSet, isl_basic_set_free
);
owned!(
    /// A number.
    Val, Val, isl_val_free
);
owned!(
    /// A quasi-affine function.
    Aff, Aff, isl_aff_free
);

// Behind the macro they use.
mod conjunction;
mod constraints;
mod schedule;
pub(crate) use constraints::{RawConstraint, RawTerm};
pub(crate) use schedule::Dependences;

impl<'s> Session<'s> {
    fn copied_space(&self) -> *mut ffi::Space {
        // SAFETY: the space is alive as long as the session.
        unsafe { ffi::isl_space_copy(self.space.as_ptr()) }
    }

    fn variable(&'s self, ty: DimType, position: usize) -> Result<Term<'s>> {
        // SAFETY: isl takes the copies and checks the position.
        Term::own(unsafe {
            let space = ffi::isl_local_space_from_space(self.copied_space());
            ffi::isl_pw_aff_from_aff(ffi::isl_aff_var_on_domain(space, ty, position as u32))
        })
    }

    /// Parameter number `position`.
    pub(crate) fn param(&'s self, position: usize) -> Result<Term<'s>> {
        self.variable(DimType::Param, position)
    }

    /// Dimension number `position`.
    pub(crate) fn dim(&'s self, position: usize) -> Result<Term<'s>> {
        self.variable(DimType::Set, position)
    }

    fn value(&self, n: i128) -> Result<Val<'s>> {
        if let Ok(n) = i64::try_from(n) {
            // SAFETY: the context is alive.
            return Val::own(unsafe { ffi::isl_val_int_from_si(self.ctx.as_ptr(), n) });
        }
        let text = CString::new(n.to_string()).expect("digits hold no zero byte");
        // SAFETY: the text ends with a zero byte and isl only reads it.
        Val::own(unsafe { ffi::isl_val_read_from_str(self.ctx.as_ptr(), text.as_ptr()) })
    }

    /// A number.
    pub(crate) fn constant(&'s self, n: i128) -> Result<Term<'s>> {
        let value = self.value(n)?;
        // SAFETY: isl takes the copy and the value.
        Term::own(unsafe {
            let space = ffi::isl_local_space_from_space(self.copied_space());
            ffi::isl_pw_aff_from_aff(ffi::isl_aff_val_on_domain(space, value.take()))
        })
    }

    /// `n * term`.
    pub(crate) fn scaled(&'s self, term: Term<'s>, n: i128) -> Result<Term<'s>> {
        let n = self.value(n)?;
        // SAFETY: both are taken.
        Term::own(unsafe { ffi::isl_pw_aff_scale_val(term.take(), n.take()) })
    }

    /// `floor(term / by)`; `by` is positive.
    pub(crate) fn floor_div(&'s self, term: Term<'s>, by: i64) -> Result<Term<'s>> {
        let by = self.value(by.into())?;
        // SAFETY: both are taken.
        Term::own(unsafe {
            ffi::isl_pw_aff_floor(ffi::isl_pw_aff_scale_down_val(term.take(), by.take()))
        })
    }

    /// Every point.
    pub(crate) fn everything(&'s self) -> Result<Set<'s>> {
        // SAFETY: the copy is taken.
        Set::own(unsafe { ffi::isl_set_universe(self.copied_space()) })
    }

    /// No point.
    pub(crate) fn nothing(&'s self) -> Result<Set<'s>> {
        // SAFETY: the copy is taken.
        Set::own(unsafe { ffi::isl_set_empty(self.copied_space()) })
    }

    /// `set` with a dimension fixed.
    pub(crate) fn fixed(&'s self, set: Set<'s>, position: usize, n: i64) -> Result<Set<'s>> {
        let n = self.value(n.into())?;
        // SAFETY: both are taken; isl checks the position.
        Set::own(unsafe {
            ffi::isl_set_fix_val(set.take(), DimType::Set, position as u32, n.take())
        })
    }

    /// `set` where a dimension is at least `n`.
    pub(crate) fn from(&'s self, set: Set<'s>, position: usize, n: i64) -> Result<Set<'s>> {
        let n = self.value(n.into())?;
        // SAFETY: both are taken; isl checks the position.
        Set::own(unsafe {
            let set = ffi::isl_set_coalesce(set.take());
            ffi::isl_set_lower_bound_val(set, DimType::Set, position as u32, n.take())
        })
    }

    /// A value of a dimension below which there is no point; `None` where there is none.
    /// It can be too low: isl overlooks that some disjunct is empty.
    pub(crate) fn least(&'s self, set: &Set<'s>, position: usize) -> Result<Option<i64>> {
        // SAFETY: the copy is taken; isl checks the position.
        let least = Val::own(unsafe {
            ffi::isl_set_dim_min_val(ffi::isl_set_copy(set.keep()), position as i32)
        })?;
        // SAFETY: the value is kept.
        match unsafe { ffi::isl_val_is_int(least.keep()) } {
            0 => Ok(None),
            1 => self.integer(&least).map(Some),
            _ => Err(GaveUp),
        }
    }

    /// An integer, if it has 64 bits.
    fn integer(&self, value: &Val<'_>) -> Result<i64> {
        // SAFETY: the value is kept, the context alive.
        let (n, error) = unsafe {
            let n = ffi::isl_val_get_num_si(value.keep());
            (n, ffi::isl_ctx_last_error(self.ctx.as_ptr()))
        };
        if error == ffi::ERROR_NONE { Ok(n) } else { Err(GaveUp) }
    }
}

impl<'s> Term<'s> {
    fn copied(&self) -> *mut ffi::PwAff {
        // SAFETY: the term is kept.
        unsafe { ffi::isl_pw_aff_copy(self.keep()) }
    }

    /// `self + other`.
    pub(crate) fn plus(self, other: Term<'s>) -> Result<Term<'s>> {
        // SAFETY: both are taken.
        Term::own(unsafe { ffi::isl_pw_aff_add(self.take(), other.take()) })
    }

    /// The larger of the two.
    pub(crate) fn larger(self, other: Term<'s>) -> Result<Term<'s>> {
        // SAFETY: both are taken.
        Term::own(unsafe { ffi::isl_pw_aff_max(self.take(), other.take()) })
    }

    /// The smaller of the two.
    pub(crate) fn smaller(self, other: Term<'s>) -> Result<Term<'s>> {
        // SAFETY: both are taken.
        Term::own(unsafe { ffi::isl_pw_aff_min(self.take(), other.take()) })
    }

    /// A copy.
    pub(crate) fn copy(&self) -> Result<Term<'s>> {
        Term::own(self.copied())
    }

    /// Where `self >= other`.
    pub(crate) fn at_least(self, other: Term<'s>) -> Result<Set<'s>> {
        // SAFETY: both are taken.
        Set::own(unsafe { ffi::isl_pw_aff_ge_set(self.take(), other.take()) })
    }

    /// Where `self == other`.
    pub(crate) fn equals(self, other: Term<'s>) -> Result<Set<'s>> {
        // SAFETY: both are taken.
        Set::own(unsafe { ffi::isl_pw_aff_eq_set(self.take(), other.take()) })
    }
}

impl<'s> Set<'s> {
    /// A copy.
    pub(crate) fn copy(&self) -> Result<Set<'s>> {
        // SAFETY: the set is kept.
        Set::own(unsafe { ffi::isl_set_copy(self.keep()) })
    }

    /// The points of both.
    pub(crate) fn and(self, other: Set<'s>) -> Result<Set<'s>> {
        // SAFETY: both are taken.
        Set::own(unsafe { ffi::isl_set_intersect(self.take(), other.take()) })
    }

    /// The points of either.
    pub(crate) fn or(self, other: Set<'s>) -> Result<Set<'s>> {
        // SAFETY: both are taken.
        Set::own(unsafe { ffi::isl_set_union(self.take(), other.take()) })
    }

    /// The points of `self` that `other` does not have.
    pub(crate) fn minus(self, other: Set<'s>) -> Result<Set<'s>> {
        // SAFETY: both are taken.
        Set::own(unsafe { ffi::isl_set_subtract(self.take(), other.take()) })
    }

    /// All other points.
    pub(crate) fn complement(self) -> Result<Set<'s>> {
        // SAFETY: the set is taken.
        Set::own(unsafe { ffi::isl_set_complement(self.take()) })
    }

    /// The points that some value of the given dimensions makes points of the set.
    pub(crate) fn for_some(self, first: usize, count: usize) -> Result<Set<'s>> {
        // SAFETY: the set is taken; isl checks the positions.
        Set::own(unsafe {
            ffi::isl_set_eliminate(self.take(), DimType::Set, first as u32, count as u32)
        })
    }

    /// The parameters for which there is a point.
    pub(crate) fn params(self) -> Result<Set<'s>> {
        // SAFETY: the set is taken.
        Set::own(unsafe { ffi::isl_set_params(self.take()) })
    }

    /// The set with its parameters as its first dimensions.
    pub(crate) fn params_as_dims(self, count: usize) -> Result<Set<'s>> {
        // SAFETY: the set is taken; isl checks the positions.
        Set::own(unsafe {
            ffi::isl_set_move_dims(self.take(), DimType::Set, 0, DimType::Param, 0, count as u32)
        })
    }

    /// Whether there is no point, whatever the parameters.
    pub(crate) fn is_empty(&self) -> Result<bool> {
        // SAFETY: the set is kept.
        truth(unsafe { ffi::isl_set_is_empty(self.keep()) })
    }

    /// Whether `other` has all points of `self`.
    pub(crate) fn is_subset(&self, other: &Set<'s>) -> Result<bool> {
        // SAFETY: both are kept.
        truth(unsafe { ffi::isl_set_is_subset(self.keep(), other.keep()) })
    }
}

/// An `isl_bool`.
fn truth(answer: i32) -> Result<bool> {
    match answer {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(GaveUp),
    }
}
