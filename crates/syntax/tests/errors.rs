//! What wrong texts are told, and that the edits they are offered are right.

use expect_test::{Expect, expect};
use weft_base::SourceMap;
use weft_diag::{Diagnostic, Edit, render_short};
use weft_syntax::{Parse, parse};

fn parsed(text: &str) -> (SourceMap, Parse) {
    let sources = SourceMap::new();
    let file = sources.add("t", text);
    (sources, parse(file, text))
}

/// The text after the edits.
fn edited(text: &str, edits: &[Edit]) -> String {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    let mut out = text.to_owned();
    for edit in edits {
        out.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.replacement);
    }
    out
}

fn show(text: &str, sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let mut out = render_short(diagnostic, sources);
    for help in &diagnostic.helps {
        out.push_str(&format!("\n    help: {}", help.message));
        if !help.edits.is_empty() {
            out.push_str(&format!(" -> {}", edited(text, &help.edits)));
        }
    }
    out
}

/// Compares the complaints about `text`; every edit must leave fewer of them.
fn check(text: &str, expected: Expect) {
    let (sources, parse) = parsed(text);
    assert!(parse.has_errors(), "{text} has no error");
    let shown: Vec<_> = parse.diagnostics().iter().map(|d| show(text, &sources, d)).collect();
    expected.assert_eq(&shown.join("\n"));
    for help in parse.diagnostics().iter().flat_map(|d| &d.helps).filter(|h| !h.edits.is_empty()) {
        let after = edited(text, &help.edits);
        let left = parsed(&after).1.diagnostics().len();
        assert!(left < parse.diagnostics().len(), "`{}` cures nothing: {after}", help.message);
    }
}

#[test]
fn ranges() {
    check(
        "let a = 0...5;",
        expect![[r#"
        t:1:10: error[E0002]: there is no operator `...`
            help: `..` leaves the end out -> let a = 0..5;
            help: `..=` takes the end in -> let a = 0..=5;"#]],
    );
    check(
        "let b = x[..3];",
        expect![[r#"
        t:1:11: error[E0001]: a range needs a start
            help: ranges start at 0 -> let b = x[0..3];"#]],
    );
    check(
        "let d = x[1..];",
        expect![[r#"
        t:1:14: error[E0001]: a range needs an end
            help: an axis ends at its length: `1..len(x)`"#]],
    );
    check(
        "let d = 0..1..2;",
        expect![[r#"
        t:1:13: error[E0001]: a range of a range
            help: a range has a start and an end"#]],
    );
}

#[test]
fn columns() {
    check(
        "let c = x[:, 0];",
        expect![[r#"
        t:1:11: error[E0002]: there is no `:` among indices
            help: leave trailing axes out (`x[0]` is a row), or name the index in an equation: `let c[t] = x[t, 0];`"#]],
    );
    check(
        "let c = x[0, :];",
        expect![[r#"
        t:1:14: error[E0002]: there is no `:` among indices
            help: leave trailing axes out (`x[0]` is a row), or name the index in an equation: `let c[t] = x[t, 0];`"#]],
    );
    check(
        "let c = x[1:3];",
        expect![[r#"
        t:1:12: error[E0002]: there is no `:` among indices
            help: a range is written with `..` -> let c = x[1..3];"#]],
    );
}

#[test]
fn operators_of_other_languages() {
    check(
        "let r = a & b;",
        expect![[r#"
            t:1:11: error[E0002]: there is no operator `&`
                help: `&&` is the logical and
                help: operators of bits are functions: `std::bits::and(a, b)`"#]],
    );
    check(
        "let g = a ^ b;",
        expect![[r#"
        t:1:11: error[E0002]: `^` has no meaning here
            help: `**` is the power -> let g = a ** b;
            help: `!=` is the exclusive or of conditions -> let g = a != b;"#]],
    );
    check(
        "let q = x?;",
        expect![[r#"
        t:1:10: error[E0002]: there is no postfix operator `?`
            help: `try` observes a failure -> let q = try x;"#]],
    );
    check(
        "let f = a < b < c + 1;",
        expect![[r#"
        t:1:15: error[E0001]: comparisons cannot be chained
            help: compare twice -> let f = a < b && b < c + 1;"#]],
    );
    check(
        "if a = b { 1 }",
        expect![[r#"
            t:1:6: error[E0001]: nothing is assigned here
                help: `==` compares -> if a == b { 1 }"#]],
    );
    check(
        "let p = 5 × 3;",
        expect![[r#"
        t:1:11: error[E0002]: `×` has no meaning here
            help: write a product as `*` -> let p = 5 * 3;"#]],
    );
    check(
        "let u = 'abc';",
        expect![[r#"
        t:1:9: error[E0002]: `'abc'` has no meaning here
            help: strings stand in double quotes -> let u = "abc";"#]],
    );
    check(
        "let u = 1; # note",
        expect![[r#"
        t:1:12: error[E0002]: `#` has no meaning here
            help: comments start with `//` -> let u = 1; // note"#]],
    );
    check(
        "/* no */ let u = 1;",
        expect![[r#"
        t:1:1: error[E0002]: there are no block comments
            help: comments start with `//` and end with their line"#]],
    );
    check(
        "let t = [0; n];",
        expect![[r#"
        t:1:11: error[E0002]: `;` repeats nothing in an array
            help: fill an array by an equation: `let x[i in 0..n] = 0.0;`"#]],
    );
    check(
        "let v = f::<i32>(x);",
        expect![[r#"
            t:1:12: error[E0002]: type arguments are never written at a use
                help: they follow from the arguments, or from an annotation beside them"#]],
    );
}

#[test]
fn numbers() {
    check(
        "let e = 1f64 + 1;",
        expect![[r#"
        t:1:9: error[E0002]: `1f64` is not a number
            help: `as` says the type of a number -> let e = (1 as f64) + 1;"#]],
    );
    check(
        "let e = 0xfg;",
        expect![[r#"
        t:1:9: error[E0002]: `0xfg` is not a number
            help: numbers are `42`, `1_000`, `0xff`, `0b101`, `2.5`, `1e-3`"#]],
    );
    check(
        "let w = 999999999999999999999999999999999999999999;",
        expect!["t:1:9: error[E0308]: this number fits no type"],
    );
    check("let w = 1e999;", expect!["t:1:9: error[E0308]: this number fits no type"]);
    check(
        "let w = 5.;",
        expect![[r#"
            t:1:11: error[E0001]: a digit must follow the point of a number
                help: write the digit -> let w = 5.0;"#]],
    );
}

#[test]
fn struct_literals_in_heads() {
    check(
        "if x == P { a: 1 } { 3 }",
        expect![[r#"
        t:1:9: error[E0001]: a struct literal needs parentheses here
            help: put it in parentheses -> if x == (P { a: 1 }) { 3 }"#]],
    );
    check(
        "match P { a, b } { _ => 1 }",
        expect![[r#"
        t:1:7: error[E0001]: a struct literal needs parentheses here
            help: put it in parentheses -> match (P { a, b }) { _ => 1 }"#]],
    );
}

#[test]
fn imports() {
    check(
        "use a::{b::c, d};",
        expect![[r#"
        t:1:10: error[E0002]: the names of a `use` list have no path
            help: give it a `use` of its own: `use a::b::c;`"#]],
    );
    check("use a::;", expect!["t:1:8: error[E0001]: expected a name, `*` or `{`, found `;`"]);
}

#[test]
fn unclosed_and_unmatched() {
    check("let h = f(1;\nlet i = 2;", expect!["t:1:10: error[E0001]: this `(` is never closed"]);
    check(
        "fn f() { let x = [1, 2;\n x }\nlet i = 2;",
        expect!["t:1:18: error[E0001]: this `[` is never closed"],
    );
    check("let a = 1; }\nlet b = 2;", expect!["t:1:12: error[E0001]: unmatched `}`"]);
    check("fn f() {\n let x = 1;\n", expect!["t:1:8: error[E0001]: this `{` is never closed"]);
    check("let a = (1, 2];", expect!["t:1:9: error[E0001]: this `(` is never closed"]);
}

#[test]
fn statements_that_do_not_end() {
    check(
        "let l = 1\nlet m = 2;",
        expect![[r#"
        t:1:10: error[E0001]: expected `;`
            help: end the statement -> let l = 1;
        let m = 2;"#]],
    );
    check(
        "let k = foo bar baz;\nlet m = 2;",
        expect!["t:1:13: error[E0001]: expected an operator or `;`, found `bar`"],
    );
    check(
        "let l = f(x)\nprint(l);",
        expect![[r#"
        t:1:13: error[E0001]: expected `;`
            help: end the statement -> let l = f(x);
        print(l);"#]],
    );
    check(
        "let a = ;\nlet b = 1 +;\nlet c = 3;",
        expect![[r#"
        t:1:9: error[E0001]: expected an expression, found `;`
        t:2:12: error[E0001]: expected an expression, found `;`"#]],
    );
    check(
        "let a = 1;;",
        expect![[r#"
        t:1:11: error[E0002]: a `;` that ends nothing
            help: remove it -> let a = 1;"#]],
    );
}

#[test]
fn strings() {
    check(
        "let n = \"abc {x;\nlet m = 1;",
        expect![[r#"
            t:1:14: error[E0001]: unmatched `{` in a string
                help: `{{` stands for a brace"#]],
    );
    check(
        "let o = \"abc } d\";",
        expect![[r#"
        t:1:14: error[E0001]: unmatched `}` in a string
            help: a brace is written twice -> let o = "abc }} d";"#]],
    );
    check(
        "let n = \"abc;\nlet m = 1;",
        expect!["t:1:9: error[E0001]: this string is never closed"],
    );
    check(
        "let s = \"{}\";",
        expect![[r#"
        t:1:11: error[E0001]: nothing between the braces of a string
            help: values stand in the text: `"x is {x:.3f}"`; a brace itself is written twice"#]],
    );
    check(
        r#"let s = "a\q{x:zz}";"#,
        expect![[r#"
            t:1:11: error[E0001]: unknown escape `\q`
                help: a backslash is written twice -> let s = "a\\q{x:zz}";
            t:1:15: error[E0001]: unknown format `:zz`
                help: a format is a side (`<`, `^`, `>`), a width, `,` for thousands, a precision, and one of `d`, `e`, `f`, `x`, `%`: `{x:>12,.3f}`"#]],
    );
}

#[test]
fn reductions() {
    check(
        "let s = max[0](x);",
        expect![[r#"
            t:1:13: error[E0001]: a reduction runs over named indices
                help: a value of that name is called in parentheses: `(max[0])(x)`"#]],
    );
    check(
        "let s = sum[](x);",
        expect![[r#"
        t:1:13: error[E0001]: a reduction runs over named indices
            help: a value of that name is called in parentheses: `(max[0])(x)`"#]],
    );
    check(
        "let s = sum[i = 0..3](x);",
        expect![[r#"
            t:1:15: error[E0001]: nothing is assigned here
                help: an index runs in a range -> let s = sum[i in 0..3](x);"#]],
    );
    check(
        "let s = reduce[f, i](x);",
        expect![
            "t:1:20: error[E0001]: expected `,`, for `reduce[function, identity, index]`, found `]`"
        ],
    );
}

#[test]
fn coproducts() {
    check(
        "let y[i] = a[i] ^ b[i];",
        expect![[r#"
        t:1:17: error[E0002]: `^` has no meaning here
            help: `**` is the power -> let y[i] = a[i] ** b[i];
            help: `!=` is the exclusive or of conditions -> let y[i] = a[i] != b[i];"#]],
    );
    check(
        "let y[i ^ n + 1] = a[i] ^ b;",
        expect![[r#"
        t:1:11: error[E0001]: not a part of a coproduct
            help: give the size by a range: `i in 0..n - 1`"#]],
    );
    check("let y = _;", expect!["t:1:9: error[E0001]: `_` is not a value"]);
}

#[test]
fn definitions() {
    check(
        "fn g(x) = x + 1;",
        expect![[r#"
        t:1:9: error[E0001]: the body of a function is a block
            help: put the value in braces: `fn f(x) { x + 1 }`"#]],
    );
    check("input x;", expect!["t:1:8: error[E0001]: expected `:`, found `;`"]);
    check(
        "fn (x) { x }",
        expect!["t:1:4: error[E0001]: expected the name of a function, found `(`"],
    );
    check(
        "let match = 3;",
        expect!["t:1:5: error[E0001]: expected a name, found the reserved word `match`"],
    );
    check(
        "pub let y[i] = x[i];",
        expect![[r#"
        t:1:1: error[E0002]: an indexed definition cannot be `pub`
            help: a module exports functions, constants and plain `let`s"#]],
    );
    check("struct S { a, b: f32 }", expect!["t:1:13: error[E0001]: expected `:`, found `,`"]);
    check("enum E { A B }", expect!["t:1:12: error[E0001]: expected `,` or `}`, found `B`"]);
    check(
        "mod m { 3 }",
        expect![[r#"
        t:1:9: error[E0001]: a module has no value
            help: a module holds definitions: bind this with `let` or `const`"#]],
    );
    check("pub 3;", expect!["t:1:5: error[E0001]: expected a definition after `pub`, found `3`"]);
    check(
        "let x: [f32; f(n)] = y;",
        expect!["t:1:14: error[E0001]: an extent is arithmetic over numbers and names"],
    );
    check(
        "let z = x as Foo;",
        expect![[r#"
        t:1:14: error[E0002]: `as` takes no named type
            help: `as` converts numbers, and the elements of tensors: `x as f32`, `x as [f32; n]`"#]],
    );
    check(
        "let v = a else b;",
        expect![[r#"
        t:1:11: error[E0001]: `else` after an expression that keeps no failure
            help: put `try` before what may fail"#]],
    );
    check("let x[2 * i in 0..3] = 1;", expect!["t:1:7: error[E0001]: only an index has a range"]);
}

#[test]
fn matches() {
    check(
        "match x { 1 => 2 3 => 4 }",
        expect!["t:1:18: error[E0001]: expected `,` or `}`, found `3`"],
    );
    check(
        "match x { \"{y}\" => 2, [.., a, ..] => 3 }",
        expect![[r#"
        t:1:11: error[E0001]: a pattern interpolates nothing
            help: compare in a guard: `s if s == "…"`
        t:1:31: error[E0005]: two rests in one array pattern"#]],
    );
    check("match x { 1 + 2 => 3 }", expect!["t:1:13: error[E0001]: expected `=>`, found `+`"]);
}

#[test]
fn a_fault_does_not_hide_the_next() {
    let text = "let a = 0...5;\nlet b = x[:, 0];\nfn f() { 1 + }\nlet c = 1\nlet d = 2;";
    check(
        text,
        expect![[r#"
        t:1:10: error[E0002]: there is no operator `...`
            help: `..` leaves the end out -> let a = 0..5;
        let b = x[:, 0];
        fn f() { 1 + }
        let c = 1
        let d = 2;
            help: `..=` takes the end in -> let a = 0..=5;
        let b = x[:, 0];
        fn f() { 1 + }
        let c = 1
        let d = 2;
        t:2:11: error[E0002]: there is no `:` among indices
            help: leave trailing axes out (`x[0]` is a row), or name the index in an equation: `let c[t] = x[t, 0];`
        t:3:14: error[E0001]: expected an expression, found `}`
        t:4:10: error[E0001]: expected `;`
            help: end the statement -> let a = 0...5;
        let b = x[:, 0];
        fn f() { 1 + }
        let c = 1;
        let d = 2;"#]],
    );
}
