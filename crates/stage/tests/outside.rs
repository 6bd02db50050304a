//! Derivatives and what only whoever runs the program computes: refused wherever one leads through
//! the other.

use weft_base::SourceMap;
use weft_scalar::eval::Overflow;
use weft_sema::{Found, ModuleReader, Overrides, check};

/// `python` has no text, and functions of any name.
struct InsidePython;

impl ModuleReader for InsidePython {
    fn read(&self, path: &[&str]) -> Found {
        match path {
            ["python", ..] => Found::Foreign,
            _ => Found::Missing(Vec::new()),
        }
    }
}

/// The codes of what is said when a text is staged; it is checked without a complaint.
fn staged(text: &str) -> Vec<String> {
    let sources = SourceMap::new();
    let file = sources.add("test.ein", text);
    let (program, found) = weft_syntax::parse(file, text).into_parts();
    assert!(found.is_empty(), "{found:?}");
    let (checked, found) = check(&program, &sources, &Overrides::new(), &InsidePython);
    assert!(!found.has_errors(), "{found:?}");
    match weft_stage::stage(&checked, Overflow::Trap) {
        Ok(_) => Vec::new(),
        Err(found) => found.into_iter().map(|d| d.code.to_string()).collect(),
    }
}

const RULE: &str = "input x: [f64; n];
fn act(x: [f64; m]) { let y[i] = x[i] * x[i]; y }
@fn act(x) { let m = len(x); let s: [f64; m] = SLOPE; let d[i] = s[i] * @x[i]; d }
let y = act(x); let loss = sum(y); let g = @loss / @x; let t = sum(g);";

#[test]
fn through_a_call_there_is_no_derivative() {
    let text = "input x: [f64; n]; let y: [f64; n] = python::numpy::sort(x); let s = sum(y);";
    assert!(staged(text).is_empty());
    assert_eq!(staged(&format!("{text} let d = @s / @x;")), ["E0602"]);
}

#[test]
fn a_rule_may_call_and_is_not_differentiated_in_turn() {
    let rule = RULE.replace("SLOPE", "python::numpy::cos(x)");
    assert!(staged(&rule).is_empty());
    assert_eq!(staged(&format!("{rule} let h = @t / @x;")), ["E0602"]);
    assert_eq!(staged(&format!("{rule} let w = 2.0 * t; let h = @w / @x;")), ["E0602"]);
}

#[test]
fn a_rule_without_calls_is_differentiated_in_turn() {
    let rule = RULE.replace("SLOPE", "2.0 * x");
    assert!(staged(&format!("{rule} let h = @t / @x;")).is_empty());
}

#[test]
fn a_call_that_does_not_depend_on_it_is_a_constant() {
    let text = "input x: [f64; n]; input z: [f64; n]; let c: [f64; n] = python::numpy::sort(z);
let s = sum[i](c[i] * x[i] ** 3); let g = @s / @x; let t = sum(g); let h = @t / @x;";
    assert!(staged(text).is_empty());
}
