//! Conjunctions of linear constraints, made at once.
//!
//! A set that is narrowed constraint by constraint is simplified with each of them; of a
//! conjunction made from its matrices that is done once, with the first question about it.

use super::constraints::{RawConstraint, RawTerm};
use super::ffi::{self, DimType};
use super::{BasicSet, GaveUp, Result, Session, Set};
use std::marker::PhantomData;
use std::ptr::NonNull;

owned!(Matrix, Mat, isl_mat_free);

impl<'s> Session<'s> {
    /// The points at which all constraints hold; they have no quotients.
    pub(crate) fn conjunction(
        &'s self,
        params: usize,
        constraints: &[RawConstraint],
    ) -> Result<Set<'s>> {
        let (equalities, inequalities): (Vec<_>, Vec<_>) =
            constraints.iter().partition(|c| c.equality);
        let equalities = self.matrix(params, &equalities)?;
        let inequalities = self.matrix(params, &inequalities)?;
        // SAFETY: the copy and the matrices are taken; isl checks how many columns they have.
        let set = BasicSet::own(unsafe {
            ffi::isl_basic_set_from_constraint_matrices(
                self.copied_space(),
                equalities.take(),
                inequalities.take(),
                DimType::Constant,
                DimType::Param,
                DimType::Set,
                DimType::Div,
            )
        })?;
        // SAFETY: the conjunction is taken.
        Set::own(unsafe { ffi::isl_set_from_basic_set(set.take()) })
    }

    fn matrix(&'s self, params: usize, rows: &[&RawConstraint]) -> Result<Matrix<'s>> {
        let columns = 1 + params + self.dims;
        // SAFETY: the context is alive.
        let empty =
            unsafe { ffi::isl_mat_alloc(self.ctx.as_ptr(), rows.len() as u32, columns as u32) };
        let mut matrix = Matrix::own(empty)?;
        for (at, row) in rows.iter().enumerate() {
            for (column, n) in coefficients(&row.term, params, columns).into_iter().enumerate() {
                matrix = self.with_element(matrix, at, column, n)?;
            }
        }
        Ok(matrix)
    }

    fn with_element(
        &'s self,
        matrix: Matrix<'s>,
        row: usize,
        column: usize,
        n: i64,
    ) -> Result<Matrix<'s>> {
        let (row, column) = (row as i32, column as i32);
        Matrix::own(match i32::try_from(n) {
            // SAFETY: the matrix is taken; isl checks row and column.
            Ok(n) => unsafe { ffi::isl_mat_set_element_si(matrix.take(), row, column, n) },
            Err(_) => {
                let n = self.value(n.into())?;
                // SAFETY: matrix and value are taken; isl checks row and column.
                unsafe { ffi::isl_mat_set_element_val(matrix.take(), row, column, n.take()) }
            }
        })
    }
}

/// The constant, the factors of the parameters, the factors of the dimensions.
fn coefficients(term: &RawTerm, params: usize, columns: usize) -> Vec<i64> {
    let mut row = vec![0; columns];
    row[0] = term.constant;
    term.params.iter().for_each(|(at, n)| row[1 + at] += n);
    term.dims.iter().for_each(|(at, n)| row[1 + params + at] += n);
    row
}
