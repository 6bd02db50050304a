//! Clauses and slots.

use crate::says;
use expect_test::expect;

#[test]
fn clauses_of_a_recurrence_around_a_plain_let_are_together() {
    says(
        "let f[0] = 1.0;\nlet g = 2.0;\nlet f[i in 1..4] = 2.0 * f[i - 1];\nlet f[4] = g;\nprint(f);",
        expect![[""]],
    );
}

#[test]
fn interleaved_clauses_are_together() {
    says("let f[0] = 1.0;\nlet g[0] = 2.0;\nlet f[1] = 1.0;\nlet g[1] = 2.0;", expect![[""]]);
}

#[test]
fn clauses_around_a_plain_let_are_together() {
    says("let f[0] = 1.0;\nlet g = 2.0;\nlet f[1] = 1.0;", expect![[""]]);
}

#[test]
fn a_plain_let_makes_room_for_a_new_definition() {
    says("let f[i in 0..2] = 1.0;\nlet f = 3;\nlet f[i in 0..2] = 2.0;", expect![[""]]);
}

#[test]
fn a_function_is_defined_once_per_block() {
    says(
        "fn f(x) { x }\nfn f(x) { x * 2 }\nprint(f(1));",
        expect![[r#"
        error[E0428]: the function `f` is defined twice
         --> t.ein:2:4
          |
        1 | fn f(x) { x }
          |    - first defined here
        2 | fn f(x) { x * 2 }
          |    ^ defined again here
          |
          = help: a function is known in its whole block: give one of them another name"#]],
    );
}

#[test]
fn a_shifted_slot_is_shown_unshifted() {
    says(
        "let x = [1.0, 2.0];\nlet y[i + 1] = x[i] * (2 * i) as f32;",
        expect![[r#"
        error[E0509]: a slot is an index, or a cell without indices
         --> t.ein:2:7
          |
        2 | let y[i + 1] = x[i] * (2 * i) as f32;
          |       ^^^^^ this depends on the index `i`
          |
        help: define the cells by their own index, and shift the reads
          |
        2 - let y[i + 1] = x[i] * (2 * i) as f32;
        2 + let y[i] = x[i - 1] * (2 * (i - 1)) as f32;
          |"#]],
    );
}

#[test]
fn a_scaled_slot_is_no_slot() {
    says(
        "let x = [1.0, 2.0];\nlet y[2 * i] = x[i];",
        expect![[r#"
        error[E0509]: a slot is an index, or a cell without indices
         --> t.ein:2:7
          |
        2 | let y[2 * i] = x[i];
          |       ^^^^^ this depends on the index `i`
          |
          = help: give the axis an index of its own, and say where it is met: `if j == 2 * i { … } else { … }`"#]],
    );
}

#[test]
fn a_slot_of_another_slots_index() {
    says(
        "let x = [1.0, 2.0];\nlet y[i, i + 1] = x[i];",
        expect![[r#"
        error[E0509]: a slot is an index, or a cell without indices
         --> t.ein:2:10
          |
        2 | let y[i, i + 1] = x[i];
          |          ^^^^^ this depends on the index `i`
          |
          = help: give the axis an index of its own, and say where it is met: `if j == i + 1 { … } else { … }`"#]],
    );
}

#[test]
fn a_misspelt_fixed_cell_is_an_unknown_name() {
    says(
        "let n = 3;\nlet y[m - 1] = 1.0;",
        expect![[r#"
        error[E0425]: unknown value `m`
         --> t.ein:2:7
          |
        2 | let y[m - 1] = 1.0;
          |       ^ not found in this scope"#]],
    );
}

#[test]
fn a_negative_cell() {
    says(
        "let y[-1] = 1.0;",
        expect![[r#"
        error[E0509]: a cell has no negative index
         --> t.ein:1:7
          |
        1 | let y[-1] = 1.0;
          |       ^^ cells are counted from 0
          |
          = help: the last cell is `n - 1`"#]],
    );
}

#[test]
fn a_range_uses_earlier_slots_only() {
    says(
        "let y[i in 0..j, j in 0..3] = 1.0;",
        expect![[r#"
        error[E0425]: a range uses `j`, which is a later slot
         --> t.ein:1:15
          |
        1 | let y[i in 0..j, j in 0..3] = 1.0;
          |               ^  --------- introduced here
          |               |
          |               not known yet
          |
          = note: a slot's range may use the slots before it"#]],
    );
}
