//! What checking says of small programs, rule by rule, as the user reads it.

mod rules {
    mod cells;
    mod definitions;
}

use weft_base::SourceMap;
use weft_sema::{NoModules, Overrides, check};

/// Everything said of a program, rendered, in the order of the source.
fn said(text: &str) -> String {
    let sources = SourceMap::new();
    let file = sources.add("t.ein", text);
    let parsed = weft_syntax::parse(file, text);
    assert!(!parsed.diagnostics().iter().any(|d| d.is_error()), "{:?}", parsed.diagnostics());
    let (_, found) = check(parsed.program(), &sources, &Overrides::new(), &NoModules);
    let all = found.sorted();
    let rendered: Vec<String> =
        all.iter().map(|d| weft_diag::render_human(d, &sources, false)).collect();
    rendered.join("\n")
}

/// Holds what is said of a program against what is expected.
#[allow(clippy::needless_pass_by_value, reason = "the macro makes a value")]
fn says(text: &str, expected: expect_test::Expect) {
    expected.assert_eq(&said(text));
}
