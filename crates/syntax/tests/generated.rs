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

#[test]
fn random_programs_of_the_grammar() {
    let first = number("FUZZ_SEED", 1);
    let mut longest = 0;
    for seed in first..first + number("FUZZ_PROGRAMS", 1500) {
        let text = grammar::program(seed);
        longest = longest.max(text.len());
        let parsed = read(&text);
        assert!(!parsed.has_errors(), "seed {seed}:\n{}", shown(&text, &parsed));
        assert_eq!(parsed.syntax().text().to_string(), text, "seed {seed} loses text");
        // `format` itself holds the tree of its result against that of the text.
        let once = format(&parsed).expect("no errors");
        let twice = format(&read(&once)).expect("no errors after formatting");
        assert_eq!(once, twice, "seed {seed}: not its own layout:\n{text}");
        for comment in ["// note", "// alone"] {
            let count = |t: &str| t.matches(comment).count();
            assert_eq!(count(&text), count(&once), "seed {seed} loses comments");
        }
    }
    assert!(longest > 1000, "the programs are all short");
}
