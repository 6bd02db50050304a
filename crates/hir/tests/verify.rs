//! The verifier: each rule kept, and violated once.

use weft_hir::{Program, parse, print, verify};

/// A table in which `n0` to `n3` are global and called `a` to `d`, and `n4` to `n9` are not and
/// are called `i` to `n`.
fn program(content: &str) -> Program {
    let row = |(n, name): (usize, char)| {
        let global = if n < 4 { " global" } else { "" };
        format!("(var n{n} \"{name}\"{global})\n")
    };
    let table: String = "abcdijklmn".chars().enumerate().map(row).collect();
    let text = format!("{table}{content}");
    parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[track_caller]
fn sound(content: &str) {
    assert_eq!(verify(&program(content)), Ok(()), "{content}");
}

#[track_caller]
fn wrong(content: &str, messages: &[&str]) {
    let found = verify(&program(content)).expect_err(content);
    assert_eq!(found, messages, "{content}");
}

#[test]
fn a_variable_is_bound_once() {
    let twice = ["n0 `a` is bound twice"];
    wrong("(let n0 1) (let n0 2)", &twice);
    wrong("(let (tuple n0 n0) 1)", &twice);
    wrong("(input n0 f64) (fn n0 (params) (block))", &twice);
    wrong("(const n0 1) (let n0 1)", &twice);
    wrong("(struct n0 (variant a)) (enum n0)", &twice);
    wrong("(definitions (definition n0 (clause n0 (slots) (= 1)))) (let n0 1)", &twice);
    let twice = ["n4 `i` is bound twice"];
    wrong("(do (lambda (params n4 n4) 1))", &twice);
    wrong("(do (reduction sum (heads n4 (rest n4)) 1))", &twice);
    wrong("(do (comprehension 1 (in n4 1) (let n4 1)))", &twice);
    wrong("(do (where 1 (let n4 1) (let n4 1)))", &twice);
    wrong("(do (match 1 (arm n4 1) (arm n4 1)))", &twice);
    let clause =
        |slots: &str| format!("(definitions (definition n0 (clause n0 (slots {slots}) (= 1))))");
    wrong(&format!("{} (do (lambda (params n4) 1))", clause("n4")), &twice);
    wrong(&clause("n4 (rest n4)"), &twice);
}

#[test]
fn slots_of_a_clause_and_alternatives_of_an_arm_share_variables() {
    sound(
        "(definitions (definition n0 (clause n0 (slots n4 n4) (= n4)) (clause n0 (slots n5) (= 1))))",
    );
    sound("(do (match 1 (arm (or (tuple n4 1) (tuple 2 n4)) (guard n4) n4)))");
    wrong(
        "(definitions (definition n0 (clause n0 (slots n4) (= 1)) (clause n0 (slots n4) (= 1))))",
        &["n4 `i` is bound twice"],
    );
    // What stands twice may be a variant, which binds nothing.
    sound("(do (match 1 (arm (or n4 (tuple n4 n4)) 1)))");
}

#[test]
fn alternatives_share_the_variables_of_a_name() {
    let with = |pats: &str| {
        let table = r#"(var n0 "x") (var n1 "x") (var n2 "C" global) (var n3 "C") (var n4 "C")"#;
        verify(
            &parse(&format!("{table} (const n2 1) (do (match 1 (arm (or {pats}) 1)))"))
                .expect("a program"),
        )
    };
    let unshared =
        |n| format!("n{n} `x` is not what every alternative that has the name binds to it");
    assert_eq!(with("(tuple n0 1) (tuple 1 n0) 1"), Ok(()));
    assert_eq!(with("(bind n3 (constant n2)) (bind n4 (constant n2))"), Ok(()));
    assert_eq!(with("n0 n1"), Err(vec![unshared(0), unshared(1)]));
    assert_eq!(with("(tuple n0 n1) (tuple n0 1)"), Err(vec![unshared(1)]));
}

#[test]
fn what_is_used_is_bound() {
    wrong("(do n0)", &["n0 `a` is used, and nothing binds it"]);
    wrong("(do (as 1 (array f64 (expr n4))))", &["n4 `i` is used, and nothing binds it"]);
    wrong(
        "(definitions (definition n0 (clause n0 (slots (index n4 (hides n5))) (= 1))))",
        &["n5 `j` is used, and nothing binds it"],
    );
    wrong("(do (index 1 (coproduct n4)))", &["n4 `i` is used, and nothing binds it"]);
}

#[test]
fn values_are_used_behind_their_binders() {
    let early = ["n0 `a` is used where it is not in scope"];
    wrong("(do n0) (let n0 1)", &early);
    wrong("(let n0 n0)", &early);
    wrong("(input n0 f64 (default n0))", &early);
    wrong("(definitions (definition n1 (clause n1 (slots) (= n0)))) (let n0 1)", &early);
    wrong("(fn n1 (params) (block (tail n0))) (let n0 1)", &early);
    wrong("(items (fn n1 (params) (block (tail n0)))) (let n0 1)", &early);
    let early = ["n4 `i` is used where it is not in scope"];
    wrong("(do (lambda (params (param n5 (default n4)) n4) 1))", &early);
    wrong("(do (where 1 (guard n4) (let n4 1)))", &early);
    wrong("(do (reduction sum (heads (in n5 n4) n4) 1))", &early);
    wrong("(do (comprehension 1 (in n5 n4) (in n4 1)))", &early);
    wrong("(do (block (do n4) (const n4 1)))", &early);
    wrong(
        "(definitions (definition n0 (clause n0 (slots (index n5 (range n4)) n4) (= 1))))",
        &early,
    );
}

#[test]
fn variables_end_with_their_scopes() {
    let late = ["n4 `i` is used where it is not in scope"];
    wrong("(do (block (let n4 1))) (do n4)", &late);
    wrong("(do (if true (block (let n4 1)) n4))", &late);
    wrong("(do (+ (lambda (params n4) n4) n4))", &late);
    wrong("(do (+ (reduction sum (heads n4) n4) n4))", &late);
    wrong("(do (+ (reduce 1 2 (heads n4) n4) n4))", &late);
    wrong("(do (reduce 1 n4 (heads n4) n4))", &late);
    wrong("(do (+ (comprehension n4 (in n4 1)) n4))", &late);
    wrong("(do (+ (where n4 (let n4 1)) n4))", &late);
    wrong("(do (match 1 (arm n4 n4) (arm 1 n4)))", &late);
    wrong(
        "(definitions (definition n0 (clause n0 (slots n4) (= 1)) (clause n0 (slots) (= n4))))",
        &late,
    );
    wrong("(fn n0 (params n4) (block)) (do n4)", &late);
    wrong("(do (block (fn n4 (params) (block)))) (do n4)", &late);
}

#[test]
fn functions_types_and_global_constants_are_known_before() {
    sound("(do (tuple n0 n1)) (fn n0 (params) (block (tail n0))) (const n1 1)");
    sound("(do (block (do n4) (fn n4 (params) (block))))");
    sound("(items (const n1 n0) (fn n2 (params) (block (tail n1)))) (do n2) (const n0 n2)");
    sound("(enum n0 (variant x (named n1))) (struct n1 (variant d)) (do (variant n0 x))");
}

#[test]
fn definitions_that_are_made_together_know_each_other() {
    let both = "(definition n0 (clause n0 (slots n4) (= (index n1 n4))))
        (definition n1 (clause n1 (slots n5) (= (index n0 n5))))";
    sound(&format!("(definitions {both})"));
    let apart = both.replacen("(definition n1", ") (definitions (definition n1", 1);
    wrong(&format!("(definitions {apart})"), &["n1 `b` is used where it is not in scope"]);
}

#[test]
fn types_bind_extents_for_their_scope() {
    sound("(do (+ n0 (as 1 (array f64 n0))))");
    sound("(do (call (lambda (params n4) n0) (as 1 (array f64 n0 n0))))");
    sound(
        "(fn n0 (params (param n4 (type (array f64 n5)))) (returns (array f64 n5)) (block (tail n5)))",
    );
    wrong(
        "(do (block (do (as 1 (array f64 n4))))) (do n4)",
        &["n4 `i` is used where it is not in scope"],
    );
    wrong(
        "(do (lambda (params n5) (as 1 (array f64 n4)))) (do (lambda (params n6) (as 1 (array f64 n4))))",
        &["n4 `i` is used where it is not in scope"],
    );
    wrong("(do (as 1 (array f64 n0))) (let n0 1)", &["n0 `a` is bound twice"]);
}

#[test]
fn extents_of_types_are_bound_by_one_type_or_somewhere_around() {
    sound("(struct n0 (variant a (array f64 n4 n4))) (do (lambda (params n5) 1))");
    sound("(struct n0 (variant a (array f64 n4))) (do (lambda (params n4) 1))");
    wrong(
        "(struct n0 (variant a (array f64 n4))) (struct n1 (variant b (array f64 n4)))",
        &["n4 `i` is used where it is not in scope"],
    );
}

#[test]
fn rules_see_what_their_functions_bind() {
    let function = "(fn n0 (params (param n4 (type (array f64 n5)))) (block))";
    let rule = "(rule a (function n0) (params n6) (block (tail (tuple n4 n5 n6))))";
    sound(&format!("{function} {rule}"));
    wrong(
        &format!("{rule} {function}"),
        &["n4 `i` is used where it is not in scope", "n5 `j` is used where it is not in scope"],
    );
    let other = rule.replace("(function n0)", "(function n1)");
    wrong(
        &format!("{function} (let n1 1) {other}"),
        &[
            "n1 `b` is used as a function, and is none",
            "n4 `i` is used where it is not in scope",
            "n5 `j` is used where it is not in scope",
        ],
    );
}

#[test]
fn global_is_what_is_bound_at_the_top() {
    wrong("(let n4 1)", &["n4 `i` is not global at the top level"]);
    wrong("(items (const n4 1))", &["n4 `i` is not global at the top level"]);
    wrong("(do (block (let n0 1)))", &["n0 `a` is global, and bound inside"]);
    wrong("(items (fn n0 (params n1) (block)))", &["n1 `b` is global, and bound inside"]);
}

#[test]
fn clauses_are_those_of_their_definition() {
    wrong(
        "(definitions (definition n0 (clause n1 (slots) (= 1))))",
        &["n0 `a` has a clause of n1 `b`"],
    );
    wrong("(definitions (definition n0))", &["n0 `a` is a definition without clauses"]);
}

#[test]
fn variables_are_used_as_what_they_are() {
    let no_type = ["n0 `a` is used as a type, and is none"];
    wrong("(let n0 1) (do (as 1 (named n0)))", &no_type);
    wrong("(let n0 1) (do (make (constructor a n0)))", &no_type);
    wrong("(let n0 1) (do (match 1 (arm (constructor a n0) 1)))", &no_type);
    wrong("(let n0 1) (do (match 1 (arm (tuple-struct (constructor a n0)) 1)))", &no_type);
    wrong("(let n0 1) (do (match 1 (arm (struct (constructor a n0)) 1)))", &no_type);
    wrong(
        "(struct n0 (variant a)) (do (variant n0 b))",
        &["n0 `a` is used as an enum, and is none"],
    );
    wrong(
        "(let n0 1) (do (match 1 (arm (bind n4 (constant n0)) 1)))",
        &["n0 `a` is used as a constant, and is none"],
    );
    wrong("(let n0 1) (do (index n0 (rest n0)))", &["n0 `a` is used as a rest, and is none"]);
    wrong("(let n0 1) (main n0)", &["n0 `a` is `main`, and no function of the top level"]);
}

#[test]
fn rests_are_bound_by_slots_and_heads() {
    sound("(definitions (definition n0 (clause n0 (slots (rest n4 2)) (= (index n0 (rest n4))))))");
    sound("(do (reduction sum (heads (rest n4)) (index 1 (rest n4) (rest (none \"r\")))))");
    let unbound = ["the rest `r` is bound to no variable"];
    wrong("(definitions (definition n0 (clause n0 (slots (rest (none r))) (= 1))))", &unbound);
    wrong("(do (reduction sum (heads (rest (none r))) 1))", &unbound);
}

#[test]
fn indices_of_joined_axes_have_components() {
    let with = |component: &str, slots: &str| {
        let table = format!(
            "(var n0 \"a\" global) (var n4 \"i\" {component}) (var n5 \"size\") (var n6 \"idle\")"
        );
        let content = format!("(definitions (definition n0 (clause n0 (slots {slots}) (= 1))))");
        verify(&parse(&(table + &content)).expect("a program"))
    };
    let errors = |messages: &[&str]| Err(messages.iter().map(|m| (*m).to_string()).collect());
    assert_eq!(with("(component n5 n6)", "(coproduct n4) (coproduct n4 _)"), Ok(()));
    assert_eq!(with("(component n5 n6)", "n4 (coproduct n4)"), Ok(()));
    assert_eq!(
        with("", "(coproduct n4)"),
        errors(&["n4 `i` is an index of a joined axis, and has no component"])
    );
    assert_eq!(
        with("(component n5 n6)", "n4"),
        errors(&["n4 `i` has a component, and is no index of a joined axis"])
    );
    assert_eq!(
        with("(component n5 n6)", "(coproduct n4) n5"),
        errors(&["n5 `size` is bound twice"])
    );
}

#[test]
fn structs_have_one_body_and_type_parameters_a_type() {
    sound("(struct n0 (generics T) (variant a (generic 0)))");
    wrong("(struct n0)", &["n0 `a` is a struct without one body"]);
    wrong("(enum n0 (generics T) (variant b (generic 1)))", &["there is no type parameter 1 here"]);
    wrong("(do (as 1 (generic 0)))", &["there is no type parameter 0 here"]);
}

#[test]
fn what_stands_in_few_places_stands_there() {
    wrong("(do (|> 1 2))", &["`|>` is no call"]);
    wrong("(do (block (input n4 f64)))", &["n4 `i` is an input inside a block"]);
    wrong("(items (do 1))", &["a module holds a statement that would have to run"]);
    sound("(do (call (builtin print) (reduce (builtin max) 0 (heads n4) n4)))");
    sound("(do (?> 1 (builtin print)))");
    wrong("(do (builtin print))", &["the builtin `print` is not called"]);
    wrong("(do (call (builtin frob)))", &["there is no builtin `frob`"]);
}

#[test]
fn ids_beyond_the_table_are_told() {
    let mut program = program("(let n0 n1)");
    program.vars.clear();
    let unknown = ["n1", "n0"].map(|n| format!("{n} is not in the table of variables"));
    assert_eq!(verify(&program), Err(unknown.to_vec()));
    assert_eq!(print(&program), "(let (n0 \"a\") (n1 \"b\"))\n");
}
