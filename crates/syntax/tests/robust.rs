//! No text makes the parser panic, hang, lose a byte, or be silent about what it dropped.

use proptest::prelude::*;
use weft_base::SourceMap;
use weft_syntax::{MAX_SOURCE_BYTES, Parse, dump_tree, dumped_source, parse};

const EVERY_PRODUCTION: &str = include_str!("every_production.ein");

/// Parses and checks what holds for every text.
fn check(text: &str) -> Parse {
    let sources = SourceMap::new();
    let parse = parse(sources.add("t.ein", text), text);
    assert_eq!(parse.syntax().text().to_string(), text, "the tree loses text");
    for diagnostic in parse.diagnostics() {
        for label in &diagnostic.labels {
            let (start, end) = (label.span.start as usize, label.span.end as usize);
            assert!(start <= end, "{diagnostic:?}");
            assert!(text.get(start..end).is_some(), "{diagnostic:?}");
        }
        weft_diag::render_human(diagnostic, &sources, false);
    }
    if format!("{:?}", parse.program()).contains("kind: Error") {
        assert!(parse.has_errors(), "an error node without an error: {text}");
    }
    parse
}

fn dump_round_trip(parse: &Parse, text: &str) {
    let dump = dump_tree(&parse.syntax());
    assert_eq!(dumped_source(&dump).as_deref(), Some(text));
}

#[test]
fn every_production_parses_without_complaint() {
    let parse = check(EVERY_PRODUCTION);
    assert_eq!(parse.diagnostics(), []);
    dump_round_trip(&parse, EVERY_PRODUCTION);
}

#[test]
fn every_prefix_of_a_program() {
    for end in (0..EVERY_PRODUCTION.len()).filter(|&end| EVERY_PRODUCTION.is_char_boundary(end)) {
        check(&EVERY_PRODUCTION[..end]);
    }
}

/// What nests, as (opening text, what stands inside, closing text).
const NESTS: &[(&str, &str, &str)] = &[
    ("(", "1", ")"),
    ("[", "1", "]"),
    ("{", "1", "}"),
    ("f(", "1", ")"),
    ("x[", "1", "]"),
    ("-", "1", ""),
    ("@", "x", ""),
    ("try ", "x", ""),
    ("|x| ", "x", ""),
    ("2 ** ", "x", ""),
    ("if a { 1 } else ", "{ 2 }", ""),
    ("if ", "a", " { 1 }"),
    ("match x { _ => ", "1", " }"),
    ("sum[i](", "1", ")"),
    ("P { x: ", "1", " }"),
    ("let a = { ", "1;", " };"),
    ("let ", "x", " = 1;"),
    ("fn f() { ", "1", " }"),
    ("mod m { ", "", " }"),
    ("let x: ", "[", "i32"),
    ("\"{", "x", "}\""),
    ("x where y = (", "1", ")"),
    // what other languages write
    ("len ", "x", ""),
    ("not ", "x", ""),
    ("sum[i] ", "x", ""),
    ("fn(x) ", "x", ""),
    ("if a ", "b", ""),
    ("if a then ", "b", " else c"),
    ("if a:\n", "b", ""),
    ("switch x { ", "1", " }"),
    ("f(x for x in ", "y", ")"),
    ("[x for x in ", "y", "]"),
];

/// What chains: text that repeats behind a first operand.
const CHAINS: &[&str] = &[
    " + 1",
    "[0]",
    "(1)",
    ".a",
    ".0",
    " as i32",
    " |> f",
    " == 1",
    " < 1",
    " .. 1",
    " && b",
    ";",
    "?",
    " ^ 1",
    " & 1",
    " << 1",
    " and 1",
    " not in y",
    "++",
    " += 1",
    " = 1",
    "\nx = 1;",
    "\nlet x = 1;\nx += 1;",
    " for x in y",
    " if x",
    "\n  if x:",
    " // 2;\n",
];

#[test]
fn deep_nesting_is_an_error_not_an_overflow() {
    let small_stack = std::thread::Builder::new().stack_size(1 << 20);
    let thread = small_stack.spawn(|| {
        let check = |text: &str| {
            let sources = SourceMap::new();
            let parse = parse(sources.add("t.ein", text), text);
            assert_eq!(parse.syntax().text().to_string(), text, "the tree loses text");
            drop(parse.program().clone());
            parse
        };
        for (open, inside, close) in NESTS {
            for n in [10, 1_000, 50_000] {
                let text = format!("{}{inside}{}", open.repeat(n), close.repeat(n));
                let parse = check(&text);
                let refused = parse.diagnostics().iter().any(|d| d.code.as_str() == "E0003");
                assert!(n == 10 || refused || parse.has_errors(), "{open} {n}");
                check(&open.repeat(n));
            }
        }
        for (opener, filler) in
            [("let x: ", "["), ("let x: ", "("), ("let x: ", "A<"), ("let ", "(")]
        {
            check(&format!("{opener}{}", filler.repeat(50_000)));
        }
        check(&format!("match x {{ {}", "(".repeat(50_000)));
        check(&format!("match x {{ {}", "a @ ".repeat(50_000)));
    });
    thread.expect("a thread").join().expect("no overflow");
}

#[test]
fn long_chains_are_an_error_not_an_overflow() {
    for link in CHAINS {
        for n in [10, 400, 100_000] {
            check(&format!("x{}", link.repeat(n)));
        }
    }
    let parse = check(&format!("x{}", " + 1".repeat(400)));
    assert!(!parse.has_errors(), "a sum of 400 terms is no fault");
}

#[test]
fn chains_inside_chains() {
    let mut text = "x".to_owned();
    for _ in 0..40 {
        text = format!("({text}{})", " + 1".repeat(100));
    }
    assert!(check(&text).has_errors());
}

#[test]
fn long_texts_take_linear_time() {
    for unit in [
        "(",
        ")",
        "[;",
        "sum[",
        "x = ",
        "\"{",
        "é",
        "/*",
        "{ ",
        "a < ",
        "t. 0.1",
        "} ",
        "-x ** 2;",
        "let ",
        "a & ",
        "a << ",
        "x += ",
        "x = 1;",
        "let x=1;x+=2;",
        "(1 // 2);",
        "(1;",
        "if x: ",
        "#",
        "# a\n",
        "a and ",
        "len ",
        "f\"",
        "{\"a\": ",
        "x! (",
        "println!(",
        "if a b ",
        "let x = 1 & 2;",
        "x ?? ",
        "class A { ",
        "\"a\" \"b\" ",
        "fn f() { x\n",
        "[a for a in ",
        "sum[i] ",
    ] {
        let text = unit.repeat((1 << 20) / unit.len());
        let sources = SourceMap::new();
        let parse = parse(sources.add("t.ein", text.as_str()), &text);
        assert_eq!(parse.syntax().text().len(), (text.len() as u32).into());
        assert!(parse.diagnostics().len() <= 1600);
    }
}

#[test]
fn far_partners_take_linear_time() {
    let text = format!("{}\n{}", "(;".repeat(300_000), ")".repeat(300_000));
    assert!(check(&text).has_errors());
}

#[test]
fn a_text_too_long_is_refused() {
    let text = " ".repeat(MAX_SOURCE_BYTES + 1);
    let parse = check(&text);
    assert!(parse.has_errors());
}

/// Words and signs of the language, and some that are not.
const VOCABULARY: &[&str] = &[
    "let", "const", "fn", "pub", "use", "as", "in", "if", "else", "match", "try", "catch", "true",
    "false", "where", "mod", "input", "struct", "enum", "jagged", "reduce", "sum", "max", "crate",
    "x", "i", "f32", "_", "0", "1.5", ".5", "2d", "1f64", "\"", "\"a\"", "\"{", "}\"", "(", ")",
    "[", "]", "{", "}", ",", ";", ":", "::", ".", "..", "..=", "...", "=", "==", "!=", "<", ">",
    "<=", ">=", "+", "-", "*", "**", "/", "%", "&", "&&", "|", "||", "|>", "?>", "!>", "!", "?",
    "and", "or", "not", "is", "for", "then", "switch", "len", "println", "import", "def", "#", "@",
    "^", "->", "=>", "//", "\n", "/*", "é", "'", "\\", "\t",
];

fn soup() -> impl Strategy<Value = String> {
    let word = prop::sample::select(VOCABULARY);
    prop::collection::vec((word, prop::sample::select(&["", " ", "\n"][..])), 0..60)
        .prop_map(|words| words.into_iter().flat_map(|(word, gap)| [word, gap]).collect())
}

/// A piece of a right program with one stretch replaced.
fn damaged() -> impl Strategy<Value = String> {
    let lines: Vec<&str> = EVERY_PRODUCTION.lines().collect();
    let at = (0..lines.len(), 0.0..1.0, 0usize..6, prop::sample::select(VOCABULARY));
    at.prop_map(move |(start, place, cut, word)| {
        let text = lines[start..lines.len().min(start + 4)].join("\n");
        let at = text.floor_char_boundary((text.len() as f64 * place) as usize);
        let end = text.ceil_char_boundary((at + cut).min(text.len()));
        format!("{}{word}{}", &text[..at], &text[end..])
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text(text in any::<String>()) {
        dump_round_trip(&check(&text), &text);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_words(text in soup()) {
        dump_round_trip(&check(&text), &text);
    }

    #[test]
    fn any_damage(text in damaged()) {
        check(&text);
    }
}
