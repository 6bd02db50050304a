//! The first row of a schedule: isl's scheduler with Feautrier's algorithm (*Some efficient
//! solutions to the affine scheduling problem*, 1992).

use super::ffi::{self, DimType};
use super::{Aff, GaveUp, RawTerm, Result, Session, Set, Term, truth};
use std::ffi::CString;
use std::marker::PhantomData;
use std::ptr::NonNull;

owned!(UnionMap, UnionMap, isl_union_map_free);
owned!(UnionSet, UnionSet, isl_union_set_free);
owned!(ScheduleConstraints, ScheduleConstraints, isl_schedule_constraints_free);
owned!(Schedule, Schedule, isl_schedule_free);
owned!(ScheduleNode, ScheduleNode, isl_schedule_node_free);
owned!(Rows, MultiUnionPwAff, isl_multi_union_pw_aff_free);
owned!(Row, UnionPwAff, isl_union_pw_aff_free);

/// Statements and what must run before what, as isl takes them.
pub(crate) struct Dependences<'s> {
    session: &'s Session<'s>,
    /// Each statement's points, under its name.
    domains: Vec<Set<'s>>,
    all: Option<UnionSet<'s>>,
    before: Option<UnionMap<'s>>,
}

/// The tuple name of statement number `n`.
fn statement(n: usize) -> CString {
    CString::new(format!("S{n}")).expect("digits hold no zero byte")
}

impl<'s> Dependences<'s> {
    pub(crate) fn new(session: &'s Session<'s>) -> Dependences<'s> {
        Dependences { session, domains: Vec::new(), all: None, before: None }
    }

    /// The next statement: the points of a set, of whose dimensions those at `dims`
    /// (ascending) are its coordinates.
    pub(crate) fn add_statement(&mut self, points: Set<'s>, dims: &[usize]) -> Result<()> {
        let points = self.session.only(points, dims)?;
        let name = statement(self.domains.len());
        // SAFETY: the set is taken, the name kept.
        let domain =
            Set::own(unsafe { ffi::isl_set_set_tuple_name(points.take(), name.as_ptr()) })?;
        // SAFETY: the copy is taken.
        let more = UnionSet::own(unsafe { ffi::isl_union_set_from_set(domain.copy()?.take()) })?;
        self.all = Some(match self.all.take() {
            None => more,
            Some(all) => {
                // SAFETY: both are taken.
                UnionSet::own(unsafe { ffi::isl_union_set_union(all.take(), more.take()) })?
            }
        });
        self.domains.push(domain);
        Ok(())
    }

    /// Pairs of points, the first of which must run before the second: a set whose
    /// dimensions at `first` and `second` (ascending, one after the other) they are.
    pub(crate) fn add_pairs(
        &mut self,
        pairs: Set<'s>,
        (from, first): (usize, &[usize]),
        (to, second): (usize, &[usize]),
    ) -> Result<()> {
        let pairs = self.session.only(pairs, &[first, second].concat())?;
        let (here, there) = (first.len() as u32, second.len() as u32);
        let (from, to) = (statement(from), statement(to));
        // SAFETY: each call takes the result of the one before and keeps the names.
        let more = UnionMap::own(unsafe {
            let map = ffi::isl_map_from_domain(pairs.take());
            let map = ffi::isl_map_move_dims(map, DimType::Set, 0, DimType::In, here, there);
            let map = ffi::isl_map_set_tuple_name(map, DimType::In, from.as_ptr());
            ffi::isl_union_map_from_map(ffi::isl_map_set_tuple_name(map, DimType::Set, to.as_ptr()))
        })?;
        self.before = Some(match self.before.take() {
            None => more,
            Some(all) => {
                // SAFETY: both are taken.
                UnionMap::own(unsafe { ffi::isl_union_map_union(all.take(), more.take()) })?
            }
        });
        Ok(())
    }

    /// The outermost row of a schedule: a term per statement over its coordinates.
    pub(crate) fn first_row(mut self, context: Set<'s>) -> Result<Vec<RawTerm>> {
        let (all, before) = (self.all.take().ok_or(GaveUp)?, self.before.take().ok_or(GaveUp)?);
        let context = context.params()?;
        // SAFETY: everything is taken.
        let constraints = ScheduleConstraints::own(unsafe {
            let constraints = ffi::isl_schedule_constraints_on_domain(all.take());
            let constraints =
                ffi::isl_schedule_constraints_set_context(constraints, context.take());
            ffi::isl_schedule_constraints_set_validity(constraints, before.take())
        })?;
        // SAFETY: the constraints are taken.
        let schedule = Schedule::own(unsafe {
            ffi::isl_schedule_constraints_compute_schedule(constraints.take())
        })?;
        // SAFETY: the schedule is kept, the root taken; it has a child.
        let top = ScheduleNode::own(unsafe {
            ffi::isl_schedule_node_child(ffi::isl_schedule_get_root(schedule.keep()), 0)
        })?;
        // SAFETY: the node is kept.
        if unsafe { ffi::isl_schedule_node_get_type(top.keep()) } != ffi::NODE_BAND {
            return Err(GaveUp);
        }
        // SAFETY: the node is kept and a band.
        let rows =
            Rows::own(unsafe { ffi::isl_schedule_node_band_get_partial_schedule(top.keep()) })?;
        // SAFETY: the rows are kept; a band has one.
        let row = Row::own(unsafe { ffi::isl_multi_union_pw_aff_get_at(rows.keep(), 0) })?;
        self.domains.iter().map(|domain| self.term_of(&row, domain)).collect()
    }

    fn term_of(&self, row: &Row<'s>, domain: &Set<'s>) -> Result<RawTerm> {
        // SAFETY: row and set are kept; space, term and copy are taken.
        let term = Term::own(unsafe {
            let space = ffi::isl_space_from_domain(ffi::isl_set_get_space(domain.keep()));
            let space = ffi::isl_space_add_dims(space, DimType::Set, 1);
            let term = ffi::isl_union_pw_aff_extract_pw_aff(row.keep(), space);
            ffi::isl_pw_aff_gist(term, domain.copy()?.take())
        })?;
        // SAFETY: the term is kept.
        if !truth(unsafe { ffi::isl_pw_aff_isa_aff(term.keep()) })? {
            return Err(GaveUp);
        }
        // SAFETY: the term is taken; it has one piece.
        let aff = Aff::own(unsafe { ffi::isl_pw_aff_as_aff(term.take()) })?;
        self.session.term(&aff, 0)
    }
}

impl<'s> Session<'s> {
    /// The set with the dimensions at `dims` (ascending) alone.
    fn only(&'s self, set: Set<'s>, dims: &[usize]) -> Result<Set<'s>> {
        let mut set = set;
        for at in (0..self.dims).rev().filter(|at| !dims.contains(at)) {
            // SAFETY: the set is taken; isl checks the position.
            set = Set::own(unsafe {
                ffi::isl_set_project_out(set.take(), DimType::Set, at as u32, 1)
            })?;
        }
        Ok(set)
    }
}
