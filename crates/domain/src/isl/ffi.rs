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

opaque!(Ctx Space LocalSpace Mat Aff PwAff Set BasicSet BasicSetList Constraint ConstraintList Val);
opaque!(Map UnionMap UnionSet UnionPwAff MultiUnionPwAff ScheduleConstraints Schedule ScheduleNode);

/// `enum isl_dim_type`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DimType {
    Constant = 0,
    Param = 1,
    In = 2,
    Set = 3,
    Div = 4,
}

/// `ISL_SCHEDULE_ALGORITHM_FEAUTRIER`.
pub(super) const FEAUTRIER: c_int = 1;
/// `isl_schedule_node_band`.
pub(super) const NODE_BAND: c_int = 0;
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
    pub(super) fn isl_space_set_dim_name(
        space: *mut Space,
        ty: DimType,
        position: c_uint,
        name_kept: *const c_char,
    ) -> *mut Space;
    pub(super) fn isl_space_from_domain(space: *mut Space) -> *mut Space;
    pub(super) fn isl_space_add_dims(space: *mut Space, ty: DimType, count: c_uint) -> *mut Space;
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

    pub(super) fn isl_mat_alloc(ctx: *mut Ctx, rows: c_uint, columns: c_uint) -> *mut Mat;
    pub(super) fn isl_mat_set_element_val(
        mat: *mut Mat,
        row: c_int,
        column: c_int,
        value: *mut Val,
    ) -> *mut Mat;
    pub(super) fn isl_mat_set_element_si(
        mat: *mut Mat,
        row: c_int,
        column: c_int,
        value: c_int,
    ) -> *mut Mat;
    pub(super) fn isl_mat_free(mat: *mut Mat) -> *mut Mat;
    /// The columns of both matrices are those of the kinds, in their order.
    pub(super) fn isl_basic_set_from_constraint_matrices(
        space: *mut Space,
        equalities: *mut Mat,
        inequalities: *mut Mat,
        first: DimType,
        second: DimType,
        third: DimType,
        fourth: DimType,
    ) -> *mut BasicSet;
    pub(super) fn isl_set_from_basic_set(set: *mut BasicSet) -> *mut Set;

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

    pub(super) fn isl_set_project_out(
        set: *mut Set,
        ty: DimType,
        first: c_uint,
        count: c_uint,
    ) -> *mut Set;
    pub(super) fn isl_set_set_tuple_name(set: *mut Set, name_kept: *const c_char) -> *mut Set;
    pub(super) fn isl_set_get_space(kept: *mut Set) -> *mut Space;
    pub(super) fn isl_map_from_domain(set: *mut Set) -> *mut Map;
    /// `isl_dim_out` is `isl_dim_set`.
    pub(super) fn isl_map_move_dims(
        map: *mut Map,
        to: DimType,
        to_position: c_uint,
        from: DimType,
        from_position: c_uint,
        count: c_uint,
    ) -> *mut Map;
    pub(super) fn isl_map_set_tuple_name(
        map: *mut Map,
        ty: DimType,
        name_kept: *const c_char,
    ) -> *mut Map;
    pub(super) fn isl_union_map_from_map(map: *mut Map) -> *mut UnionMap;
    pub(super) fn isl_union_map_union(a: *mut UnionMap, b: *mut UnionMap) -> *mut UnionMap;
    pub(super) fn isl_union_map_free(map: *mut UnionMap) -> *mut UnionMap;
    pub(super) fn isl_union_set_from_set(set: *mut Set) -> *mut UnionSet;
    pub(super) fn isl_union_set_union(a: *mut UnionSet, b: *mut UnionSet) -> *mut UnionSet;
    pub(super) fn isl_union_set_free(set: *mut UnionSet) -> *mut UnionSet;

    pub(super) fn isl_options_set_schedule_algorithm(ctx: *mut Ctx, value: c_int) -> c_int;
    pub(super) fn isl_schedule_constraints_on_domain(
        domain: *mut UnionSet,
    ) -> *mut ScheduleConstraints;
    pub(super) fn isl_schedule_constraints_set_context(
        constraints: *mut ScheduleConstraints,
        context: *mut Set,
    ) -> *mut ScheduleConstraints;
    pub(super) fn isl_schedule_constraints_set_validity(
        constraints: *mut ScheduleConstraints,
        validity: *mut UnionMap,
    ) -> *mut ScheduleConstraints;
    pub(super) fn isl_schedule_constraints_free(
        constraints: *mut ScheduleConstraints,
    ) -> *mut ScheduleConstraints;
    pub(super) fn isl_schedule_constraints_compute_schedule(
        constraints: *mut ScheduleConstraints,
    ) -> *mut Schedule;
    pub(super) fn isl_schedule_free(schedule: *mut Schedule) -> *mut Schedule;
    pub(super) fn isl_schedule_get_root(kept: *mut Schedule) -> *mut ScheduleNode;
    pub(super) fn isl_schedule_node_get_type(kept: *mut ScheduleNode) -> c_int;
    pub(super) fn isl_schedule_node_child(
        node: *mut ScheduleNode,
        position: c_int,
    ) -> *mut ScheduleNode;
    pub(super) fn isl_schedule_node_free(node: *mut ScheduleNode) -> *mut ScheduleNode;
    pub(super) fn isl_schedule_node_band_get_partial_schedule(
        kept: *mut ScheduleNode,
    ) -> *mut MultiUnionPwAff;
    pub(super) fn isl_multi_union_pw_aff_get_at(
        kept: *mut MultiUnionPwAff,
        position: c_int,
    ) -> *mut UnionPwAff;
    pub(super) fn isl_multi_union_pw_aff_free(aff: *mut MultiUnionPwAff) -> *mut MultiUnionPwAff;
    pub(super) fn isl_union_pw_aff_extract_pw_aff(
        kept: *mut UnionPwAff,
        space: *mut Space,
    ) -> *mut PwAff;
    pub(super) fn isl_union_pw_aff_free(aff: *mut UnionPwAff) -> *mut UnionPwAff;
    pub(super) fn isl_pw_aff_gist(aff: *mut PwAff, context: *mut Set) -> *mut PwAff;
    pub(super) fn isl_pw_aff_isa_aff(kept: *mut PwAff) -> c_int;
    pub(super) fn isl_pw_aff_as_aff(aff: *mut PwAff) -> *mut Aff;
}
