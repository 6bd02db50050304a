//! What the three renderers show, and that no span can make them panic.

use expect_test::expect;
use weft_base::{FileId, SourceMap, Span};
use weft_diag::{Code, Diagnostic, Diagnostics, Edit, render_human, render_json, render_short};

fn at(file: FileId, sources: &SourceMap, needle: &str) -> Span {
    let start = sources.file(file).text.find(needle).expect("needle in text") as u32;
    Span::new(file, start, start + needle.len() as u32)
}

fn example() -> (SourceMap, Diagnostic) {
    let sources = SourceMap::new();
    let text = "let a = ones(2, 3);\r\nlet b = ones(4, 5);\r\n\tlet c[i, j] = sum[k](a[i, k] * b[k, j]);\r\n";
    let main = sources.add("main.ein", text);
    let lib = sources.add("lib.ein", "pub fn ones(m, n) { 1 }");
    let diagnostic = Diagnostic::error(Code::E0501, "`k` is 3 in `a[i, k]` but 4 in `b[k, j]`")
        .primary(at(main, &sources, "b[k, j]"), "`k` is 4 here")
        .secondary(at(main, &sources, "a[i, k]"), "`k` is 3 here")
        .secondary(at(lib, &sources, "ones"), "")
        .note("an index has one extent")
        .help("read fewer rows")
        .help_edit("give `k` a range", at(main, &sources, "[k]"), "[k in 0..3]");
    (sources, diagnostic)
}

#[test]
fn human_shows_labels_notes_and_edits() {
    let (sources, diagnostic) = example();
    expect![[r#"
        error[E0501]: `k` is 3 in `a[i, k]` but 4 in `b[k, j]`
         --> main.ein:3:33
          |
        3 |     let c[i, j] = sum[k](a[i, k] * b[k, j]);
          |                          -------   ^^^^^^^ `k` is 4 here
          |                          |
          |                          `k` is 3 here
          |
         ::: lib.ein:1:8
          |
        1 | pub fn ones(m, n) { 1 }
          |        ----
          |
          = note: an index has one extent
          = help: read fewer rows
        help: give `k` a range
          |
        3 |     let c[i, j] = sum[k in 0..3](a[i, k] * b[k, j]);
          |                         +++++++"#]]
    .assert_eq(&render_human(&diagnostic, &sources, false));
}

#[test]
fn color_changes_no_text() {
    let (sources, diagnostic) = example();
    let colored = render_human(&diagnostic, &sources, true);
    assert!(colored.contains("\u{1b}["));
    let mut plain = String::new();
    let mut rest = colored.as_str();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = after.split_once('m').expect("an escape ends in m").1;
    }
    plain.push_str(rest);
    assert_eq!(plain, render_human(&diagnostic, &sources, false));
}

#[test]
fn short_is_one_line() {
    let (sources, diagnostic) = example();
    expect!["main.ein:3:33: error[E0501]: `k` is 3 in `a[i, k]` but 4 in `b[k, j]`"]
        .assert_eq(&render_short(&diagnostic, &sources));
}

#[test]
fn json_is_one_line() {
    let (sources, diagnostic) = example();
    let text = render_json(&diagnostic, &sources);
    assert!(!text.contains('\n'));
    let value: serde_json::Value = serde_json::from_str(&text).expect("valid JSON");
    assert_eq!(value["code"], "E0501");
    assert_eq!(value["labels"][0]["line"], 3);
    assert_eq!(value["labels"][0]["column"], 33);
    assert_eq!(value["helps"][1]["edits"][0]["replacement"], "[k in 0..3]");
}

#[test]
fn no_span_makes_a_renderer_panic() {
    let texts = ["", "\n", "x", "é∂\t𝛼\r\n\tz", "a\r\n\r\n", "\u{feff}let", "\0\u{1b}[31m\n"];
    for text in texts {
        for (start, end) in (0..14).flat_map(|s| (0..14).map(move |e| (s, e))) {
            let sources = SourceMap::new();
            let file = sources.add("t.ein", text);
            let span = Span::new(file, start, end);
            let diagnostic = Diagnostic::new(Code::E0001, "é")
                .primary(span, "here")
                .secondary(Span::new(file, end, u32::MAX), "there")
                .help_edit("insert", span, "(")
                .help_edits("delete", vec![Edit { span, replacement: String::new() }]);
            render_human(&diagnostic, &sources, true);
            render_short(&diagnostic, &sources);
            render_json(&diagnostic, &sources);
        }
    }
}

#[test]
fn the_cost_does_not_grow_with_the_file() {
    let sources = SourceMap::new();
    let file = sources.add("big.ein", "let x = 1;\n".repeat(100_000));
    let diagnostic =
        Diagnostic::new(Code::E0001, "m").primary(Span::new(file, 550_004, 550_005), "");
    let text = render_human(&diagnostic, &sources, false);
    assert!(text.contains("50001 | let x = 1;"), "{text}");
}

#[test]
fn sorting_orders_by_source_and_drops_repeats() {
    let sources = SourceMap::new();
    let file = sources.add("t.ein", "abcdef");
    let one =
        |start| Diagnostic::new(Code::E0001, "m").primary(Span::new(file, start, start + 1), "");
    let mut sink = Diagnostics::new();
    sink.push(Diagnostic::new(Code::E1102, "no place"));
    sink.extend([one(4), one(1), one(4)]);
    let starts: Vec<_> = sink.sorted().iter().map(|d| d.span().map(|s| s.start)).collect();
    assert_eq!(starts, [Some(1), Some(4), None]);
    assert!(sink.has_errors());
}

#[test]
fn codes_are_spelled_once_and_well() {
    for (i, code) in Code::ALL.iter().enumerate() {
        assert_eq!(Code::parse(code.as_str()), Some(*code));
        let digits = code.as_str().strip_prefix('E');
        let numbered =
            digits.is_some_and(|d| d.len() == 4 && d.bytes().all(|b| b.is_ascii_digit()));
        assert_ne!(numbered, code.is_lint(), "{code}");
        assert!(Code::ALL[..i].iter().all(|other| other.as_str() != code.as_str()), "{code}");
    }
}
