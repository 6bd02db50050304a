//! The programs on the pages of the codes: what checking says of them is what they claim.

use weft_base::SourceMap;
use weft_diag::{Claim, Code, Example, examples};
use weft_sema::{NoModules, Overrides, check};
use weft_syntax::parse;

/// Codes that checking finds; the others are found by the parser, or later.
const FOUND_HERE: &[Code] = &[
    Code::E0004,
    Code::E0005,
    Code::E0061,
    Code::E0303,
    Code::E0304,
    Code::E0308,
    Code::E0309,
    Code::E0311,
    Code::E0412,
    Code::E0425,
    Code::E0428,
    Code::E0432,
    Code::E0433,
    Code::E0434,
    Code::E0435,
    Code::E0436,
    Code::E0437,
    Code::E0501,
    Code::E0502,
    Code::E0503,
    Code::E0504,
    Code::E0505,
    Code::E0506,
    Code::E0507,
    Code::E0509,
    Code::E1003,
    Code::E1107,
    Code::CellsBelowZero,
    Code::FloatEquality,
    Code::OverlappingClauses,
    Code::ShadowedIndex,
    Code::UnusedIndex,
    Code::ShadowedInteger,
    Code::RepeatedElement,
    Code::TruncatingDivision,
    Code::UncoveredCells,
    Code::UndefinedBoundary,
    Code::UnusedName,
    Code::E0601,
    Code::E0603,
    Code::E0508,
    Code::E0312,
    Code::E0604,
    Code::UnseededTangent,
    Code::UnreachableArm,
];

/// What checking says of a program, in the order of the source.
fn codes(example: &Example<'_>) -> Vec<Code> {
    let sources = SourceMap::new();
    let file = sources.add("page.ein", example.text);
    let parsed = parse(file, example.text);
    let (_, found) = check(parsed.program(), &sources, &Overrides::new(), &NoModules);
    found.sorted().iter().map(|d| d.code).collect()
}

/// Whether an example is on the list of those that do not hold yet.
fn is_known(code: Code, number: usize) -> bool {
    let start = format!("{code} {number} ");
    include_str!("../../../tests/known/pages.txt").lines().any(|l| l.starts_with(&start))
}

#[test]
fn programs_on_pages_are_judged_as_they_claim() {
    let mut wrong = Vec::new();
    for code in Code::ALL {
        for (at, example) in examples(code.page().unwrap_or_default()).iter().enumerate() {
            if is_known(*code, at + 1) {
                continue;
            }
            let found = codes(example);
            // A page may show what is not built yet: then that is what is said.
            let fine = match example.claim {
                Claim::Works => found.is_empty(),
                _ if FOUND_HERE.contains(code) => found == [*code],
                _ => found.is_empty(),
            };
            if !fine && !found.contains(&Code::E0010) {
                wrong.push(format!("{code} {:?}: {found:?}\n{}", example.claim, example.text));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
