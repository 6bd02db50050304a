//! Every code has a page of the right form.

use weft_diag::{Claim, Code, examples};

#[test]
fn every_code_has_a_page_under_its_own_title() {
    for code in Code::ALL {
        let page = code.page().unwrap_or_else(|| panic!("{code} has no page"));
        let heading = format!("# {code}: {}", code.title());
        assert_eq!(page.lines().next(), Some(heading.as_str()));
    }
}

#[test]
fn every_page_shows_the_fault_and_its_cure() {
    for code in Code::ALL {
        let found = examples(code.page().unwrap_or_default());
        let claims: Vec<Claim> = found.iter().map(|example| example.claim).collect();
        // A page may show several faults, each with its cure. Some lints refuse.
        let is_fault = |claim: Claim| match claim {
            Claim::Fails => true,
            Claim::Warns => code.is_lint(),
            Claim::Works => false,
        };
        let shown = |pair: &[Claim]| match pair {
            [fault, Claim::Works] => is_fault(*fault),
            [Claim::Works] => cannot_fail_here(*code),
            _ => false,
        };
        let pairs = claims.chunks(if cannot_fail_here(*code) { 1 } else { 2 });
        assert!(!claims.is_empty() && pairs.into_iter().all(shown), "{code}: {claims:?}");
    }
}

/// A text that cannot be read cannot be shown on a page either, and a number that is no fault
/// without a flag of the command does not fail there: its command tests show it.
fn cannot_fail_here(code: Code) -> bool {
    matches!(code, Code::E0006 | Code::E0008)
}

#[test]
fn no_page_is_without_a_code() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/errors");
    for entry in std::fs::read_dir(folder).expect("docs/errors") {
        let path = entry.expect("a readable folder").path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a name in UTF-8");
        assert!(Code::parse(stem).is_some(), "{stem}.md belongs to no code");
    }
}

#[test]
fn examples_carry_their_arguments() {
    let page = "# t\n```ein,fails\n// args: --output x\nlet y = 1;\n```\n```ein,works\n1\n```\n";
    let found = examples(page);
    assert_eq!(found[0].args, ["--output", "x"]);
    assert_eq!((found[1].claim, found[1].text), (Claim::Works, "1\n"));
}
