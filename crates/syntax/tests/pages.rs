//! The programs on the pages of the codes: those of syntax errors fail as they claim, all
//! others parse.

use weft_base::SourceMap;
use weft_diag::{Claim, Code, examples};
use weft_syntax::parse;

const SYNTAX: &[Code] = &[Code::E0001, Code::E0002, Code::E0003, Code::NegatedPower];

#[test]
fn programs_on_pages_parse_as_they_claim() {
    for code in Code::ALL {
        for example in examples(code.page().unwrap_or_default()) {
            let sources = SourceMap::new();
            let parse = parse(sources.add("page.ein", example.text), example.text);
            let found: Vec<Code> = parse.diagnostics().iter().map(|d| d.code).collect();
            if SYNTAX.contains(code) && example.claim != Claim::Works {
                assert!(found.contains(code), "{code}: {found:?}");
            } else {
                assert_eq!(found, [], "{code}: {}", example.text);
            }
        }
    }
}
