//! `check --grad` can fail, and knows what it cannot say.

use weft::{GradientCheck, Options, Session, Unjudged};

fn check(text: &str) -> GradientCheck {
    let mut session = Session::new();
    let options = Options::default();
    let (program, said) = session.check("gradient.ein", text, &options);
    let refused = || weft::render_all(&said.sorted(), &session.sources);
    let program = program.unwrap_or_else(|| panic!("{}", refused()));
    let mut all = session.check_gradients(&program, &options).expect("it runs");
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn with_rule(rule: &str) -> GradientCheck {
    check(&format!(
        "fn f(x) {{ x * x * x }}\n@fn f(x) {{ {rule} }}\nlet x = [0.3, 1.7];\n\
         let y[i] = f(x[i]);\nprint(@y / @x);"
    ))
}

#[test]
fn a_right_rule_agrees() {
    let c = with_rule("3.0 * x * x * @x");
    assert!(c.agrees(), "{c:?}");
    assert_eq!((c.entries, c.unjudged), (8, 0));
}

#[test]
fn a_wrong_rule_does_not() {
    for rule in ["3.0001 * x * x * @x", "-3.0 * x * x * @x", "0.0 * @x", "(0.0 / 0.0) * @x"] {
        let c = with_rule(rule);
        assert!(!c.agrees(), "{rule}: {c:?}");
    }
}

#[test]
fn a_wrong_entry_among_large_ones_does_not_agree() {
    let c = check(
        "fn f(x) { x * x }\n@fn f(x) { (2.0 * x + 0.1) * @x }\nlet x = [1.0, 1000.0];\n\
         let y[i] = if i == 0 { f(x[i]) } else { x[i] ** 2 };\nprint(@y / @x);",
    );
    assert!(!c.agrees(), "{c:?}");
}

/// The logistic map doubles what is off at each step: after 60 of them no step is small.
#[test]
fn differences_of_a_chaotic_recurrence_judge_nothing() {
    let c = check(
        "let x = 0.3 as f64;\nlet u[0] = x;\nlet u[t in 1..70] = 3.99 * u[t - 1] * (1.0 - u[t - 1]);\n\
         let y = u[69];\nprint(@y / @x);",
    );
    assert!(c.agrees(), "the two directions agree: {c:?}");
    assert_eq!((c.entries, c.unjudged), (2, 2));
    assert_eq!(c.first_unjudged.map(|e| e.why), Some(Unjudged::Disagreement));
}

#[test]
fn a_recursion_that_squares_often_is_judged() {
    let c = check(
        "fn f(x, n) { if n == 0 { x } else { f(x * x + 0.3, n - 1) } }\nlet x = 1.9 as f64;\n\
         let y = f(x, 5);\nprint(@y / @x);",
    );
    assert!(c.agrees(), "{c:?}");
    assert_eq!(c.unjudged, 0);
}

#[test]
fn a_kink_at_the_place_is_reported_as_such() {
    let c = check("let x = [0.0, 0.5];\nlet y[i] = max(x[i], 0.0);\nprint(@y / @x);");
    assert!(c.agrees(), "{c:?}");
    assert_eq!(c.unjudged, 2);
    assert_eq!(c.first_unjudged.map(|e| (e.cell, e.why)), Some((vec![0, 0], Unjudged::Kink)));
}

#[test]
fn at_the_end_of_a_domain_there_is_no_value_beside() {
    let c = check("use std::math::sqrt;\nlet x = 0.0 as f64;\nlet y = sqrt(x);\nprint(@y / @x);");
    assert_eq!(c.first_unjudged.map(|e| e.why), Some(Unjudged::NoValue));
}

#[test]
fn only_entries_that_the_program_reads_are_tried() {
    // Of the derivative of ten losses by ten weights of three numbers: the diagonal.
    let c = check(
        "let steps = 10;\n\
         let x[i in 0..30, j in 0..3]: f64 = std::math::sin((i + 1.0) * (j + 0.5));\n\
         let loss[t] = mean[i]((1.0 - sum[j](w[t, j] * x[i, j])) ** 2);\n\
         let w[0, j in 0..3]: f64 = 0.0;\n\
         let w[t in 1..steps, j] = w[t - 1, j] - 0.1 * (@loss[t - 1] / @w[t - 1])[j];\n\
         print(loss[steps - 1]);",
    );
    assert!(c.agrees(), "{c:?}");
    // Each by sweeps of both directions.
    assert_eq!((c.entries, c.unjudged), (2 * 10 * 3, 0));
    let worst = c.worst.expect("there are entries");
    assert!(worst.cell[0] == worst.cell[1], "{worst:?}");
    let c = check(
        "let x = [1.0, 2.0, 3.0]; let y[i] = x[i] ** 3; print((@y / @x)[1, 2], (@y[2] / @x)[2]);",
    );
    assert!(c.agrees() && c.entries <= 2 * 4, "{c:?}");
}

#[test]
fn what_is_told_is_the_deviation_and_what_explains_it() {
    let c = check("let x = 1.1; let y = x ** 2 + x; print(@y / @x);");
    let worst = c.worst.expect("there is an entry");
    assert!(worst.apart > 0.0 && worst.apart <= worst.uncertain, "{worst:?}");
    assert!(worst.error == 0.0 && worst.uncertain < 1e-6, "{worst:?}");
    let c = check(
        "let x = 1.1; fn f(x) { x * x } @fn f(x) { 2.001 * x * @x } let y = f(x); print(@y / @x);",
    );
    let worst = c.worst.expect("there is an entry");
    assert!((worst.apart - 0.0005).abs() < 1e-5 && worst.error > 0.9 * worst.apart, "{worst:?}");
}
