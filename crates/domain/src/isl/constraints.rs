//! Reading sets back as lists of constraints.

use super::ffi::{self, DimType};
use super::{Aff, BasicSet, GaveUp, Result, Session, Set, Val, truth};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// `constant + Σ params + Σ dims + Σ quotients`, by position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RawTerm {
    pub(crate) constant: i64,
    pub(crate) params: Vec<(usize, i64)>,
    pub(crate) dims: Vec<(usize, i64)>,
    /// `coefficient · floor(term / by)`.
    pub(crate) quotients: Vec<(RawTerm, i64, i64)>,
}

/// `term >= 0`, or `term == 0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RawConstraint {
    pub(crate) term: RawTerm,
    pub(crate) equality: bool,
}

owned!(BasicSetList, BasicSetList, isl_basic_set_list_free);
owned!(ConstraintList, ConstraintList, isl_constraint_list_free);
owned!(Constraint, Constraint, isl_constraint_free);

/// Quotients within quotients that are read back.
const DEPTH: usize = 16;

impl<'s> Session<'s> {
    /// The set as disjoint conjunctions of constraints.
    pub(crate) fn pieces(&'s self, set: Set<'s>) -> Result<Vec<Vec<RawConstraint>>> {
        // SAFETY: each call takes the result of the one before.
        let set = Set::own(unsafe {
            let whole = ffi::isl_set_coalesce(ffi::isl_set_compute_divs(set.take()));
            ffi::isl_set_compute_divs(ffi::isl_set_make_disjoint(whole))
        })?;
        // SAFETY: the set is kept.
        let list = BasicSetList::own(unsafe { ffi::isl_set_get_basic_set_list(set.keep()) })?;
        // SAFETY: the list is kept.
        let count = unsafe { ffi::isl_basic_set_list_n_basic_set(list.keep()) };
        (0..size(count)?).map(|at| self.piece(&list, at)).collect()
    }

    fn piece(&'s self, list: &BasicSetList<'_>, at: i32) -> Result<Vec<RawConstraint>> {
        // SAFETY: the list is kept and has an element `at`; the element is taken.
        let set = BasicSet::own(unsafe {
            let set = ffi::isl_basic_set_list_get_basic_set(list.keep(), at);
            ffi::isl_basic_set_remove_redundancies(set)
        })?;
        // SAFETY: the set is kept.
        let list = unsafe { ffi::isl_basic_set_get_constraint_list(set.keep()) };
        let list = ConstraintList::own(list)?;
        // SAFETY: the list is kept.
        let count = unsafe { ffi::isl_constraint_list_n_constraint(list.keep()) };
        (0..size(count)?).map(|at| self.constraint(&list, at)).collect()
    }

    fn constraint(&'s self, list: &ConstraintList<'_>, at: i32) -> Result<RawConstraint> {
        // SAFETY: the list is kept and has an element `at`.
        let raw = unsafe { ffi::isl_constraint_list_get_constraint(list.keep(), at) };
        let constraint = Constraint::own(raw)?;
        // SAFETY: the constraint is kept.
        let equality = truth(unsafe { ffi::isl_constraint_is_equality(constraint.keep()) })?;
        // SAFETY: the constraint is kept.
        let term = Aff::own(unsafe { ffi::isl_constraint_get_aff(constraint.keep()) })?;
        Ok(RawConstraint { term: self.term(&term, 0)?, equality })
    }

    /// A term with integer coefficients.
    pub(super) fn term(&'s self, aff: &Aff<'s>, depth: usize) -> Result<RawTerm> {
        if depth > DEPTH {
            return Err(GaveUp);
        }
        // SAFETY: the function is kept.
        let constant = Val::own(unsafe { ffi::isl_aff_get_constant_val(aff.keep()) })?;
        let quotients = self.coefficients(aff, DimType::Div)?;
        let quotients = quotients.into_iter().map(|(at, c)| {
            let (term, by) = self.quotient(aff, at, depth)?;
            Ok((term, by, c))
        });
        Ok(RawTerm {
            constant: self.whole(&constant)?,
            params: self.coefficients(aff, DimType::Param)?,
            dims: self.coefficients(aff, DimType::In)?,
            quotients: quotients.collect::<Result<_>>()?,
        })
    }

    /// The argument of quotient number `at`: dividend and divisor.
    fn quotient(&'s self, aff: &Aff<'s>, at: usize, depth: usize) -> Result<(RawTerm, i64)> {
        // SAFETY: the function is kept; an unknown quotient gives null.
        let inner = Aff::own(unsafe { ffi::isl_aff_get_div(aff.keep(), at as i32) })?;
        // SAFETY: the function is kept.
        let by = Val::own(unsafe { ffi::isl_aff_get_denominator_val(inner.keep()) })?;
        let divisor = self.whole(&by)?;
        // SAFETY: both are taken.
        let dividend = Aff::own(unsafe { ffi::isl_aff_scale_val(inner.take(), by.take()) })?;
        Ok((self.term(&dividend, depth + 1)?, divisor))
    }

    /// The coefficients that are not 0, by position.
    fn coefficients(&'s self, aff: &Aff<'s>, ty: DimType) -> Result<Vec<(usize, i64)>> {
        // SAFETY: the function is kept.
        let count = size(unsafe { ffi::isl_aff_dim(aff.keep(), ty) })?;
        let mut found = Vec::new();
        for at in 0..count {
            // SAFETY: the function is kept and has the position.
            let c = Val::own(unsafe { ffi::isl_aff_get_coefficient_val(aff.keep(), ty, at) })?;
            let c = self.whole(&c)?;
            if c != 0 {
                found.push((at as usize, c));
            }
        }
        Ok(found)
    }

    fn whole(&self, value: &Val<'_>) -> Result<i64> {
        // SAFETY: the value is kept.
        let integral = truth(unsafe { ffi::isl_val_is_int(value.keep()) })?;
        if integral { self.integer(value) } else { Err(GaveUp) }
    }
}

/// An `isl_size`.
fn size(count: i32) -> Result<i32> {
    if count < 0 { Err(GaveUp) } else { Ok(count) }
}
