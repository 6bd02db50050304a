//! Declarations of isl's C functions, of those used only (`isl/set.h`, `isl/aff.h`, …).
//!
//! Arguments are taken (`__isl_take`: the callee frees them) unless marked as kept.

use std::ffi::{c_char, c_int, c_long, c_uint, c_ulong};

/// Objects of isl, never looked into.
macro_rules! opaque {
    ($($name:ident)*) => {
        $(
            #[repr(C)]
            pub(super) struct $name {
                _private: [u8; 0],
            }
        )*
    };
}

opaque!(Ctx Space LocalSpace Aff PwAff Set BasicSet BasicSetList Constraint ConstraintList Val);

/// `enum isl_dim_type`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DimType {
    Param = 1,
    In = 2,
    Set = 3,
    Div = 4,
}

/// `ISL_ON_ERROR_CONTINUE`: functions return null, nothing is printed.
pub(super) const ON_ERROR_CONTINUE: c_int = 1;
/// `isl_error_none`.
pub(super) const ERROR_NONE: c_int = 0;

#[allow(unsafe_code)]
unsafe extern "C" {
    pub(super) fn isl_ctx_alloc() -> *mut Ctx;
    pub(super) fn isl_ctx_free(ctx: *mut Ctx);
    pub(super) fn isl_options_set_on_error(ctx: *mut Ctx, value: c_int) -> c_int;
    pub(super) fn isl_ctx_set_max_operations(ctx: *mut Ctx, max: c_ulong);
    pub(super) fn isl_ctx_reset_operations(ctx: *mut Ctx);
    pub(super) fn isl_ctx_reset_error(ctx: *mut Ctx);
    pub(super) fn isl_ctx_last_error(ctx: *mut Ctx) -> c_int;

    pub(super) fn isl_space_set_alloc(ctx: *mut Ctx, params: c_uint, dims: c_uint) -> *mut Space;
    pub(super) fn isl_space_copy(kept: *mut Space) -> *mut Space;
    pub(super) fn isl_space_free(space: *mut Space) -> *mut Space;
    pub(super) fn isl_local_space_from_space(space: *mut Space) -> *mut LocalSpace;

    pub(super) fn isl_val_int_from_si(ctx: *mut Ctx, value: c_long) -> *mut Val;
    pub(super) fn isl_val_read_from_str(ctx: *mut Ctx, text: *const c_char) -> *mut Val;
    pub(super) fn isl_val_is_int(kept: *mut Val) -> c_int;
    pub(super) fn isl_val_get_num_si(kept: *mut Val) -> c_long;
    pub(super) fn isl_val_free(val: *mut Val) -> *mut Val;

    pub(super) fn isl_aff_var_on_domain(
        space: *mut LocalSpace,
        ty: DimType,
        position: c_uint,
    ) -> *mut Aff;
    pub(super) fn isl_aff_val_on_domain(space: *mut LocalSpace, value: *mut Val) -> *mut Aff;
    pub(super) fn isl_aff_dim(kept: *mut Aff, ty: DimType) -> c_int;
    pub(super) fn isl_aff_get_coefficient_val(
        kept: *mut Aff,
        ty: DimType,
        position: c_int,
    ) -> *mut Val;
    pub(super) fn isl_aff_get_constant_val(kept: *mut Aff) -> *mut Val;
    pub(super) fn isl_aff_get_denominator_val(kept: *mut Aff) -> *mut Val;
    pub(super) fn isl_aff_get_div(kept: *mut Aff, position: c_int) -> *mut Aff;
    pub(super) fn isl_aff_scale_val(aff: *mut Aff, by: *mut Val) -> *mut Aff;
    pub(super) fn isl_aff_free(aff: *mut Aff) -> *mut Aff;

    pub(super) fn isl_pw_aff_from_aff(aff: *mut Aff) -> *mut PwAff;
    pub(super) fn isl_pw_aff_copy(kept: *mut PwAff) -> *mut PwAff;
    pub(super) fn isl_pw_aff_free(aff: *mut PwAff) -> *mut PwAff;
    pub(super) fn isl_pw_aff_add(a: *mut PwAff, b: *mut PwAff) -> *mut PwAff;
    pub(super) fn isl_pw_aff_max(a: *mut PwAff, b: *mut PwAff) -> *mut PwAff;
    pub(super) fn isl_pw_aff_min(a: *mut PwAff, b: *mut PwAff) -> *mut PwAff;
    pub(super) fn isl_pw_aff_floor(a: *mut PwAff) -> *mut PwAff;
    pub(super) fn isl_pw_aff_scale_val(a: *mut PwAff, by: *mut Val) -> *mut PwAff;
    pub(super) fn isl_pw_aff_scale_down_val(a: *mut PwAff, by: *mut Val) -> *mut PwAff;
    pub(super) fn isl_pw_aff_ge_set(a: *mut PwAff, b: *mut PwAff) -> *mut Set;
    pub(super) fn isl_pw_aff_eq_set(a: *mut PwAff, b: *mut PwAff) -> *mut Set;

    pub(super) fn isl_set_universe(space: *mut Space) -> *mut Set;
    pub(super) fn isl_set_empty(space: *mut Space) -> *mut Set;
    pub(super) fn isl_set_copy(kept: *mut Set) -> *mut Set;
    pub(super) fn isl_set_free(set: *mut Set) -> *mut Set;
    pub(super) fn isl_set_intersect(a: *mut Set, b: *mut Set) -> *mut Set;
    pub(super) fn isl_set_union(a: *mut Set, b: *mut Set) -> *mut Set;
    pub(super) fn isl_set_subtract(a: *mut Set, b: *mut Set) -> *mut Set;
    pub(super) fn isl_set_complement(set: *mut Set) -> *mut Set;
    pub(super) fn isl_set_coalesce(set: *mut Set) -> *mut Set;
    pub(super) fn isl_set_make_disjoint(set: *mut Set) -> *mut Set;
    pub(super) fn isl_set_compute_divs(set: *mut Set) -> *mut Set;
    pub(super) fn isl_set_params(set: *mut Set) -> *mut Set;
    pub(super) fn isl_set_is_empty(kept: *mut Set) -> c_int;
    pub(super) fn isl_set_is_subset(a_kept: *mut Set, b_kept: *mut Set) -> c_int;
    pub(super) fn isl_set_eliminate(
        set: *mut Set,
        ty: DimType,
        first: c_uint,
        count: c_uint,
    ) -> *mut Set;
    pub(super) fn isl_set_move_dims(
        set: *mut Set,
        to: DimType,
        to_position: c_uint,
        from: DimType,
        from_position: c_uint,
        count: c_uint,
    ) -> *mut Set;
    pub(super) fn isl_set_dim_min_val(set: *mut Set, position: c_int) -> *mut Val;
    pub(super) fn isl_set_fix_val(
        set: *mut Set,
        ty: DimType,
        position: c_uint,
        value: *mut Val,
    ) -> *mut Set;
    pub(super) fn isl_set_lower_bound_val(
        set: *mut Set,
        ty: DimType,
        position: c_uint,
        value: *mut Val,
    ) -> *mut Set;
    pub(super) fn isl_set_get_basic_set_list(kept: *mut Set) -> *mut BasicSetList;

    pub(super) fn isl_basic_set_list_n_basic_set(kept: *mut BasicSetList) -> c_int;
    pub(super) fn isl_basic_set_list_get_basic_set(
        kept: *mut BasicSetList,
        position: c_int,
    ) -> *mut BasicSet;
    pub(super) fn isl_basic_set_list_free(list: *mut BasicSetList) -> *mut BasicSetList;
    pub(super) fn isl_basic_set_remove_redundancies(set: *mut BasicSet) -> *mut BasicSet;
    pub(super) fn isl_basic_set_get_constraint_list(kept: *mut BasicSet) -> *mut ConstraintList;
    pub(super) fn isl_basic_set_free(set: *mut BasicSet) -> *mut BasicSet;

    pub(super) fn isl_constraint_list_n_constraint(kept: *mut ConstraintList) -> c_int;
    pub(super) fn isl_constraint_list_get_constraint(
        kept: *mut ConstraintList,
        position: c_int,
    ) -> *mut Constraint;
    pub(super) fn isl_constraint_list_free(list: *mut ConstraintList) -> *mut ConstraintList;
    pub(super) fn isl_constraint_is_equality(kept: *mut Constraint) -> c_int;
    pub(super) fn isl_constraint_get_aff(kept: *mut Constraint) -> *mut Aff;
    pub(super) fn isl_constraint_free(constraint: *mut Constraint) -> *mut Constraint;
}
