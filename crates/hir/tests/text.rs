//! The text form: what is printed is read back, and any text is read or refused.

use proptest::prelude::*;
use weft_hir::{Program, parse, print, verify};

/// A program with every form of the tree.
const EVERY_FORM: &str = include_str!("text/every_form.hir");

fn read(text: &str) -> Program {
    parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn place(text: &str) -> Option<(usize, usize)> {
    parse(text).err().map(|e| (e.line, e.column))
}

#[test]
fn every_form_is_read_back() {
    assert_eq!(print(&read(EVERY_FORM)), EVERY_FORM);
}

#[test]
fn every_form_is_valid() {
    assert_eq!(verify(&read(EVERY_FORM)), Ok(()));
}

#[test]
fn nothing_is_a_program() {
    assert_eq!(print(&read("")), "");
    assert_eq!(print(&Program::default()), "");
}

#[test]
fn variables_that_nothing_mentions_are_left_out() {
    let text = "(var n1 \"x\" global)\n(var n4 \"y\")\n(let n1 1)";
    let program = read(text);
    assert_eq!(program.vars.len(), 5);
    assert_eq!(print(&program), "(var n1 \"x\" global)\n(let n1 1)\n");
}

#[test]
fn what_is_wrong_has_a_place() {
    let table = "(var n0 \"x\" global)\n";
    let after = |text: &str| place(&format!("{table}{text}"));
    assert_eq!(after("(let n0 1)"), None);
    assert_eq!(after("(let n1 1)"), Some((2, 6)));
    assert_eq!(after("(let n0)"), Some((2, 1)));
    assert_eq!(after("(let n0 1 2)"), Some((2, 11)));
    assert_eq!(after("(let n0 (frob 1))"), Some((2, 9)));
    assert_eq!(after("(let n0 99999999999999999999999999999999999999999)"), Some((2, 9)));
    assert_eq!(after("(let n0 (type int) 1)"), Some((2, 15)));
    assert_eq!(after("(do (library frob))"), Some((2, 14)));
    assert_eq!(after("(do (reduction product (heads n0) 1))"), Some((2, 16)));
    assert_eq!(after("(do (string (show 1 (format (fill \"ab\")))))"), Some((2, 35)));
    assert_eq!(after("(tail 1)\n(do 1)"), Some((3, 1)));
    assert_eq!(after("(var n0 \"y\")"), Some((2, 6)));
    assert_eq!(after("(var n00 \"y\")"), Some((2, 6)));
    assert_eq!(after("(var n1048576 \"y\")"), Some((2, 6)));
    assert_eq!(after("(var n1 \"y\" (component n0 n2))"), Some((2, 27)));
    assert_eq!(after("(do n0"), Some((2, 1)));
}

/// Text with some of its words, quotes and parentheses changed.
fn changed(text: &str, changes: &[(usize, u8, usize)]) -> String {
    let mut words: Vec<&str> = text.split_inclusive([' ', '(', ')', '"']).collect();
    for (at, what, from) in changes {
        let (at, from) = (at % words.len(), from % words.len());
        match what % 4 {
            0 => words[at] = "",
            1 => words[at] = words[from],
            2 => words.swap(at, from),
            _ => words.insert(at, words[from]),
        }
    }
    words.concat()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn changed_programs_are_read_or_refused(
        changes in prop::collection::vec((any::<usize>(), any::<u8>(), any::<usize>()), 1..4),
    ) {
        if let Ok(program) = parse(&changed(EVERY_FORM, &changes)) {
            let text = print(&program);
            prop_assert_eq!(print(&read(&text)), text);
            let _ = verify(&program);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "([()\" n0-9.~\\\\]|let|do|\\PC){0,60}") {
        let _ = parse(&text);
    }
}

#[test]
fn deep_programs_are_read_and_deeper_ones_refused() {
    let nested = |deep: usize| format!("(do {}1{})", "(- ".repeat(deep), ")".repeat(deep));
    let text = print(&read(&nested(1500)));
    assert_eq!(print(&read(&text)), text);
    assert_eq!(verify(&read(&text)), Ok(()));
    assert!(parse(&nested(3000)).is_err());
}
