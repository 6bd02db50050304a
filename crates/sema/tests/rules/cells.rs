//! Reads inside extents, pieces of clauses, and what is said of uncovered cells.

use crate::says;
use expect_test::expect;

#[test]
fn a_read_that_starts_too_early() {
    says(
        "let x = [1.0, 2.0, 3.0];\nlet d[i in 0..3] = x[i] - x[i - 1];",
        expect![[r#"
            error[E0503]: `x[i - 1]` reads outside the extent 3 of axis 0
             --> t.ein:2:27
              |
            1 | let x = [1.0, 2.0, 3.0];
              |     - `x` has shape [3]
            2 | let d[i in 0..3] = x[i] - x[i - 1];
              |                           ^^^^^^^^ at i = 0 the index is -1, but the extent is 3
              |
            help: `x[i - 1]` is inside for this range
              |
            2 - let d[i in 0..3] = x[i] - x[i - 1];
            2 + let d[i in 1..3] = x[i] - x[i - 1];
              |"#]],
    );
}

#[test]
fn a_window_that_reaches_too_far() {
    says(
        "let x = [1.0, 2.0, 3.0];\nlet n = 3;\nlet d[i in 0..n] = sum[k in 0..2](x[i + k]);",
        expect![[r#"
            error[E0503]: `x[i + k]` reads outside the extent 3 of axis 0
             --> t.ein:3:35
              |
            1 | let x = [1.0, 2.0, 3.0];
              |     - `x` has shape [3]
            2 | let n = 3;
            3 | let d[i in 0..n] = sum[k in 0..2](x[i + k]);
              |                                   ^^^^^^^^ at i = 2, k = 1 the index is 3, but the extent is 3"#]],
    );
}

#[test]
fn a_read_under_a_disjunction() {
    let text = |by: &str| {
        format!(
            "input x: [f32; n];\nlet y[i in 0..n] = if i == 0 || i == n - 1 {{ 0.0 }} else {{ x[i - {by}] + x[i + 1] }};"
        )
    };
    says(&text("1"), expect![[""]]);
    says(
        &text("2"),
        expect![[r#"
            error[E0503]: `x[i - 2]` reads outside the extent 3 of axis 0
             --> t.ein:2:59
              |
            1 | input x: [f32; n];
              |       - `x` has shape [n]
            2 | let y[i in 0..n] = if i == 0 || i == n - 1 { 0.0 } else { x[i - 2] + x[i + 1] };
              |                                                           ^^^^^^^^ at i = 1, n = 3 the index is -1, but the extent is 3
              |
            help: `x[i - 2]` is inside for this range
              |
            2 - let y[i in 0..n] = if i == 0 || i == n - 1 { 0.0 } else { x[i - 2] + x[i + 1] };
            2 + let y[i in 2..n] = if i == 0 || i == n - 1 { 0.0 } else { x[i - 2] + x[i + 1] };
              |"#]],
    );
}

#[test]
fn a_read_within_dependent_ranges() {
    says("input x: [f32; n];\nlet y[i in 0..n, j in 0..i + 1] = x[i - j];", expect![[""]]);
    says(
        "input x: [f32; n];\nlet y[i in 0..n, j in 0..i + 2] = x[i - j];",
        expect![[r#"
        error[E0503]: `x[i - j]` reads outside the extent 1 of axis 0
         --> t.ein:2:35
          |
        1 | input x: [f32; n];
          |       - `x` has shape [n]
        2 | let y[i in 0..n, j in 0..i + 2] = x[i - j];
          |                                   ^^^^^^^^ at i = 0, j = 1, n = 1 the index is -1, but the extent is 1"#]],
    );
}

#[test]
fn quotients_and_remainders() {
    says("let x = [1.0, 2.0];\nlet y[i in 0..4] = x[i / 2] + x[i % 2];", expect![[""]]);
    says(
        "let x = [1.0, 2.0];\nlet y[i in 0..5] = x[i / 2];",
        expect![[r#"
        error[E0503]: `x[i / 2]` reads outside the extent 2 of axis 0
         --> t.ein:2:20
          |
        1 | let x = [1.0, 2.0];
          |     - `x` has shape [2]
        2 | let y[i in 0..5] = x[i / 2];
          |                    ^^^^^^^^ at i = 4 the index is 2, but the extent is 2"#]],
    );
}

#[test]
fn a_base_clause_above_the_general_one() {
    says(
        "let f[0] = 1.0;\nlet f[t in 0..5] = 2.0 * f[t - 1];",
        expect![[r#"
        warning[overlapping-clauses]: two clauses define `f[0]`
         --> t.ein:2:1
          |
        1 | let f[0] = 1.0;
          | --------------- this clause defines it too
        2 | let f[t in 0..5] = 2.0 * f[t - 1];
          | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ this clause wins
          |
          = help: cut one of the ranges, or move the clause for the fewer cells below
        error[E0503]: `f[t - 1]` reads outside the extent 5 of axis 0
         --> t.ein:2:26
          |
        1 | let f[0] = 1.0;
          | --------------- the clause that reads defines these cells too, and wins
        2 | let f[t in 0..5] = 2.0 * f[t - 1];
          |                          ^^^^^^^^ at t = 0 the index is -1, but the extent is 5
          |
          = help: start the index later, `t in 1..5`, and give what is before a clause of its own
          = help: or move this clause below the general one: the later clause wins"#]],
    );
}

#[test]
fn a_guard_of_two_pieces_covers_and_reads_right() {
    says(
        "input x: [f32; n];\nlet y[i in 0..n] = 0.0;\nlet y[i in 0..n] = x[i] where i < 2 || i > 4;\nprint(y);",
        expect![[""]],
    );
}

#[test]
fn uncovered_cells() {
    says(
        "let x[0] = 1.0;\nlet x[5] = 2.0;",
        expect![[r#"
        warning[uncovered-cells]: no clause defines `x[1]`
         --> t.ein:1:1
          |
        1 | let x[0] = 1.0;
          | ^^^^^^^^^^^^^^^ cells that no clause defines hold zero
          |
          = help: define them, or write the range that is meant: `in 1..n`"#]],
    );
    says(
        "let x = [1.0, 2.0];\nlet y[i] = x[i - 1];",
        expect![[r#"
        warning[uncovered-cells]: no clause defines `y[0]`
         --> t.ein:2:1
          |
        2 | let y[i] = x[i - 1];
          | ^^^^^^^^^^^^^^^^^^^^ cells that no clause defines hold zero
          |
          = help: define them, or write the range that is meant: `in 1..n`"#]],
    );
}

#[test]
fn uncovered_cells_that_are_meant() {
    says("let y[i in 1..4] = 1.0;", expect![[""]]);
    says("let x = [1.0, 2.0];\nlet y[i] = x[i] where i > 0;", expect![[""]]);
    says("let l[i in 0..4, j in 0..i + 1] = 1.0;", expect![[""]]);
}

#[test]
fn overlapping_clauses() {
    says(
        "let a[i in 0..4] = 1.0;\nlet a[i in 2..6] = 2.0;",
        expect![[r#"
        warning[overlapping-clauses]: two clauses define `a[2]`
         --> t.ein:2:1
          |
        1 | let a[i in 0..4] = 1.0;
          | ----------------------- this clause defines it too
        2 | let a[i in 2..6] = 2.0;
          | ^^^^^^^^^^^^^^^^^^^^^^^ this clause wins
          |
          = help: cut one of the ranges, or move the clause for the fewer cells below"#]],
    );
    says(
        "let a[i in 2..4] = 1.0;\nlet a[i in 0..6] = 2.0;",
        expect![[r#"
        warning[overlapping-clauses]: two clauses define `a[2]`
         --> t.ein:2:1
          |
        1 | let a[i in 2..4] = 1.0;
          | ----------------------- this clause defines it too
        2 | let a[i in 0..6] = 2.0;
          | ^^^^^^^^^^^^^^^^^^^^^^^ this clause wins
          |
          = help: cut one of the ranges, or move the clause for the fewer cells below"#]],
    );
}

#[test]
fn overlaps_that_are_meant() {
    says("let a[i in 0..6] = 1.0;\nlet a[i in 2..4] = 2.0;", expect![[""]]);
    says("let a[i in 0..3, j in 0..3] = 0.0;\nlet a[i in 0..3, i] = 1.0;", expect![[""]]);
    says("input n: i32;\nlet a[i in 0..n] = 1.0;\nlet a[0] = 2.0;", expect![[""]]);
}

#[test]
fn undefined_boundaries() {
    says(
        "let f[1] = 1.0;\nlet f[i in 2..6] = f[i - 1] + f[i - 2];",
        expect![[r#"
        warning[undefined-boundary]: `f[i - 2]` reads `f[0]`, which no clause defines
         --> t.ein:2:31
          |
        1 | let f[1] = 1.0;
          |     - defined here
        2 | let f[i in 2..6] = f[i - 1] + f[i - 2];
          |                               ^^^^^^^^ it is zero there
          |
          = help: define the cells the recurrence starts from: `let f[0] = …;`"#]],
    );
    says(
        "let h[0, j in 0..5] = 1.0;\nlet h[i in 1..5, j in 1..5] = h[i - 1, j] + h[i, j - 1];",
        expect![[r#"
            warning[undefined-boundary]: `h[i, j - 1]` reads `h[1, 0]`, which no clause defines
             --> t.ein:2:45
              |
            1 | let h[0, j in 0..5] = 1.0;
              |     - defined here
            2 | let h[i in 1..5, j in 1..5] = h[i - 1, j] + h[i, j - 1];
              |                                             ^^^^^^^^^^^ it is zero there
              |
              = help: define the cells the recurrence starts from: `let h[1, 0] = …;`"#]],
    );
}

#[test]
fn boundaries_that_are_meant() {
    says(
        "let u[0, i in 0..8] = 1.0;\nlet u[t in 1..5, i in 1..7] = u[t - 1, i - 1] + u[t - 1, i + 1];",
        expect![[""]],
    );
    says(
        "let p[0, 0] = 1.0;\nlet p[i in 1..5, j in 0..i + 1] = p[i - 1, j] + (if j > 0 { p[i - 1, j - 1] } else { 0.0 });",
        expect![[""]],
    );
}

#[test]
fn an_extent_that_conflicts_is_one_error() {
    says(
        "let a = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];\nlet b = [[1.0, 2.0], [3.0, 4.0]];\nlet c[i, j] = sum[k](a[i, k] * b[k, j]);",
        expect![[r#"
            error[E0501]: index `k` has two extents: 3 in `a[i, k]` but 2 in `b[k, j]`
             --> t.ein:3:32
              |
            1 | let a = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
              |     - `a` has shape [2, 3]
            2 | let b = [[1.0, 2.0], [3.0, 4.0]];
              |     - `b` has shape [2, 2]
            3 | let c[i, j] = sum[k](a[i, k] * b[k, j]);
              |                      -------   ^^^^^^^ `k` is 0..2 here
              |                      |
              |                      `k` is 0..3 here"#]],
    );
}
