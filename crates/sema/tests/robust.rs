//! Whatever the program, checking ends and does not panic: programs of the test suite with
//! tokens taken out, doubled, swapped or replaced.

#[path = "../../syntax/tests/grammar/mod.rs"]
mod grammar;
#[path = "../../syntax/tests/programs/mod.rs"]
mod programs;

use proptest::prelude::*;
use std::sync::LazyLock;
use weft_base::SourceMap;
use weft_sema::{NoModules, Overrides, check};

/// The programs of the test suite, as tokens.
static CORPUS: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let files = programs::below(&["tests"]);
    files.iter().map(|f| tokens(&std::fs::read_to_string(f).expect("a case file"))).collect()
});

/// Words, numbers and single signs; comments are left out.
fn tokens(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default();
        let mut word = false;
        for c in line.chars() {
            let of_word = c.is_alphanumeric() || c == '_' || c == '.';
            match out.last_mut() {
                Some(last) if word && of_word => last.push(c),
                _ if !c.is_whitespace() => out.push(c.to_string()),
                _ => {}
            }
            word = of_word;
        }
    }
    out
}

/// What breaks arithmetic and sizes.
const NASTY: [&str; 14] = [
    "9223372036854775807",
    "4611686018427387904",
    "170141183460469231731687303715884105727",
    "0",
    "-1",
    "1e400",
    "0.0",
    "%",
    "/",
    "*",
    "**",
    "where",
    "[]",
    "..",
];

/// One change: where, what, and with what.
#[derive(Clone, Debug)]
struct Change {
    at: prop::sample::Index,
    kind: u8,
    other: prop::sample::Index,
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = (any::<prop::sample::Index>(), 0u8..5, any::<prop::sample::Index>())
        .prop_map(|(at, kind, other)| Change { at, kind, other });
    prop::collection::vec(change, 1..5)
}

fn changed(tokens: &[String], changes: &[Change]) -> String {
    let mut tokens = tokens.to_vec();
    for c in changes {
        if tokens.is_empty() {
            break;
        }
        let (at, other) = (c.at.index(tokens.len()), c.other.index(tokens.len()));
        match c.kind {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(other, tokens[at].clone()),
            2 => tokens.swap(at, other),
            3 => tokens[at] = NASTY[c.other.index(NASTY.len())].to_string(),
            _ => tokens[at] = tokens[other].clone(),
        }
    }
    glued(&tokens)
}

/// The text of tokens, with spaces only where two would run together: `=` `=` is `==`.
fn glued(tokens: &[String]) -> String {
    let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.');
    let mut out = String::new();
    for t in tokens {
        if word(out.chars().last()) && word(t.chars().next()) {
            out.push(' ');
        }
        out.push_str(t);
    }
    out
}

fn checks(text: &str) {
    let sources = SourceMap::new();
    let file = sources.add("t.ein", text);
    let parsed = weft_syntax::parse(file, text);
    let (_, found) = check(parsed.program(), &sources, &Overrides::new(), &NoModules);
    for d in found.sorted() {
        weft_diag::render_human(&d, &sources, false);
    }
}

#[test]
fn the_suite_is_taken_apart_right() {
    for tokens in CORPUS.iter() {
        checks(&glued(tokens));
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// Programs of the grammar, which mean nothing: judged, whatever they say.
#[test]
fn programs_of_the_grammar_are_judged() {
    let first = number("FUZZ_SEED", 1);
    for seed in first..first + number("FUZZ_PROGRAMS", 1000) {
        checks(&grammar::program(seed));
    }
}

/// What once went wrong, or is likely to: the corpus grows with each finding.
#[test]
fn the_corpus_is_judged() {
    let files = programs::below(&["tests/fuzz"]);
    assert!(!files.is_empty(), "no corpus");
    for file in files {
        checks(&std::fs::read_to_string(&file).expect("a program"));
    }
}

proptest! {
    // One seed unless another is asked for: what passes today passes tomorrow.
    #![proptest_config(ProptestConfig {
        rng_seed: prop::test_runner::RngSeed::Fixed(number("FUZZ_SEED", 1)),
        ..ProptestConfig::with_cases(number("PROPTEST_CASES", 3000) as u32)
    })]

    #[test]
    fn a_changed_program_is_judged(at in any::<prop::sample::Index>(), changes in changes()) {
        checks(&changed(&CORPUS[at.index(CORPUS.len())], &changes));
    }
}

#[test]
fn deep_nests_of_recurrences_end() {
    let mut text = "x[t - 1]".to_string();
    for _ in 0..12 {
        text = format!("{{ let x[0] = 1.0; let x[t in 1..4] = {text}; x[3] }}");
    }
    checks(&format!("let y = {text};"));
}
