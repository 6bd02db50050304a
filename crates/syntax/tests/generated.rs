//! Programs by the grammar: no complaint, no byte lost, and one layout that keeps them.
//!
//! `FUZZ_PROGRAMS` and `FUZZ_SEED` make longer runs.

#[path = "grammar/mod.rs"]
mod grammar;

use weft_base::SourceMap;
use weft_diag::Diagnostic;
use weft_syntax::{Parse, format, parse};

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

fn read(text: &str) -> Parse {
    let sources = SourceMap::new();
    parse(sources.add("t.ein", text), text)
}

fn shown(text: &str, parse: &Parse) -> String {
    let sources = SourceMap::new();
    sources.add("t.ein", text);
    let all = parse.diagnostics().iter().filter(|d| d.is_error());
    all.map(|d: &Diagnostic| weft_diag::render_human(d, &sources, false)).collect()
}

/// What is wrong with a program's layout, if anything.
fn fault(text: &str) -> Option<String> {
    let parsed = read(text);
    if parsed.has_errors() {
        return Some(format!("a complaint:\n{}", shown(text, &parsed)));
    }
    if parsed.syntax().text() != text {
        return Some("the tree loses text".to_string());
    }
    // `format` itself holds the tree of its result against that of the text.
    let once = format(&parsed).expect("no errors");
    let Some(twice) = format(&read(&once)) else {
        return Some(format!("a layout with errors:\n{once}"));
    };
    if once != twice {
        return Some(format!("not its own layout:\n{once}\n--- but\n{twice}"));
    }
    let lost = ["// note", "// alone"].into_iter().find(|comment| {
        let count = |t: &str| t.matches(comment).count();
        count(text) != count(&once)
    });
    lost.map(|comment| format!("lost a `{comment}`:\n{once}"))
}

#[test]
fn random_programs_of_the_grammar() {
    let first = number("FUZZ_SEED", 1);
    let seeds = first..first + number("FUZZ_PROGRAMS", 1500);
    let programs: Vec<String> = seeds.map(grammar::program).collect();
    assert!(programs.iter().any(|p| p.len() > 1000), "the programs are all short");
    let mut wrong: Vec<&String> = programs.iter().filter(|p| fault(p).is_some()).collect();
    wrong.sort_by_key(|p| p.len());
    if let Some(least) = wrong.first() {
        let why = fault(least).unwrap_or_default();
        panic!("{} programs are wrong; the shortest:\n{least}\n\n{why}", wrong.len());
    }
}
