//! Layout: what it looks like, that it is its own layout, and that it keeps the program.

mod programs;

use expect_test::{Expect, expect};
use std::path::Path;
use weft_base::SourceMap;
use weft_syntax::{WIDTH, format, parse};

fn formatted(text: &str) -> Option<String> {
    let sources = SourceMap::new();
    format(&parse(sources.add("t.ein", text), text))
}

fn check(text: &str, wanted: Expect) {
    let once = formatted(text).expect("a program without errors");
    wanted.assert_eq(&once);
    assert_eq!(formatted(&once).as_ref(), Some(&once), "not its own layout");
}

#[test]
fn spaces() {
    check(
        "let   x=[1,2 ,3] ;print( x [ 0 ]*-2,sum [ i ]( x[i]**2 ) as f32 , !true);x|>f( 1 )",
        expect![[r#"
            let x = [1, 2, 3];
            print(x[0] * -2, sum[i](x[i] ** 2) as f32, !true);
            x |> f(1)
        "#]],
    );
}

#[test]
fn clauses_of_one_definition_are_aligned() {
    check(
        "let h[0] = h0;\nlet h[t in 1..T] = h[t - 1];\n\nlet g[0] = 1;\nlet other[i in 0..3] = 2;",
        expect![[r#"
            let h[0]         = h0;
            let h[t in 1..T] = h[t - 1];

            let g[0] = 1;
            let other[i in 0..3] = 2;
        "#]],
    );
}

#[test]
fn comments_stay() {
    check(
        "// first\n\n\n\nlet x = 1;// one\nlet long = 12345; // two\nfn f(x) {\n// inside\nx // value\n}\nlet y = [ // head\n1, // a\n2];\n// last",
        expect![[r#"
            // first

            let x = 1;         // one
            let long = 12345;  // two
            fn f(x) {
                // inside
                x  // value
            }
            let y = [  // head
                1,     // a
                2
            ];
            // last
        "#]],
    );
}

#[test]
fn what_does_not_fit_is_broken() {
    check(
        "let u[t in 1..T, i in 1..n - 1] = u[t - 1, i] + 0.25 * (u[t - 1, i - 1] - 2 * u[t - 1, i] + u[t - 1, i + 1]);\nlet r = first_function(argument_number_one, argument_number_two, argument_number_three, argument_four);\nlet z = alpha_alpha_alpha_alpha_alpha + beta_beta_beta_beta_beta_beta_beta + gamma_gamma_gamma_gamma_gamma + delta_delta;",
        expect![[r#"
            let u[t in 1..T, i in 1..n - 1] =
                u[t - 1, i] + 0.25 * (u[t - 1, i - 1] - 2 * u[t - 1, i] + u[t - 1, i + 1]);
            let r = first_function(
                argument_number_one,
                argument_number_two,
                argument_number_three,
                argument_four
            );
            let z =
                alpha_alpha_alpha_alpha_alpha
                    + beta_beta_beta_beta_beta_beta_beta
                    + gamma_gamma_gamma_gamma_gamma
                    + delta_delta;
        "#]],
    );
}

#[test]
fn blocks_stay_as_open_as_they_were() {
    check(
        "fn f(x) { let y = x + 1; y }\nfn g(x) {\nlet y = x + 1; y }\nfn h() {}\nlet a = if x > 1 { 1 } else if x > 2 { 2 } else { 3 };\nmatch a { 1 => 2, _ => { 3 } }",
        expect![[r#"
            fn f(x) { let y = x + 1; y }
            fn g(x) {
                let y = x + 1;
                y
            }
            fn h() {}
            let a = if x > 1 { 1 } else if x > 2 { 2 } else { 3 };
            match a { 1 => 2, _ => { 3 } }
        "#]],
    );
}

#[test]
fn every_kind_of_definition() {
    check(
        "use std :: math::{ exp ,log };use a::b as c ;use m::*;pub mod m {pub const n:i32=3;}mod k;\nstruct P<T>{x:T,y:[f32;2,?]}\nenum E{A,B(f32),C{x:i32}}\ninput x:[f32;n, 3]=1.0;\n@fn f(x){ @x }\nfn g(a:f32,b=2)->f32{a}",
        expect![[r#"
            use std::math::{exp, log};
            use a::b as c;
            use m::*;
            pub mod m { pub const n: i32 = 3; }
            mod k;
            struct P<T> { x: T, y: [f32; 2, ?] }
            enum E { A, B(f32), C { x: i32 } }
            input x: [f32; n, 3] = 1.0;
            @fn f(x) { @x }
            fn g(a: f32, b = 2) -> f32 { a }
        "#]],
    );
}

#[test]
fn expressions_of_every_kind() {
    check(
        "let f=|x,y:f32| x+y;let g=||1;let p=P{x:1,y};let q=[a|a in 0..3,a>1];let r=try f(x)else 0;let t=(1,);let u=t.0 .1;let w=a where b=1,c=2;\nlet y[i^j,..r]=a[i,..r]^b[j,..r] where i>0 else 0;\nlet s=\"a {x:.3f} {{\";let z=x!>f?>g catch |e| 0;let n=0..=5;let m=max[i in 0..3,j in i..n](x[i] where i!=j);let k=f(len. 4.0);",
        expect![[r#"
            let f = |x, y: f32| x + y;
            let g = || 1;
            let p = P { x: 1, y };
            let q = [a | a in 0..3, a > 1];
            let r = try f(x) else 0;
            let t = (1,);
            let u = t.0.1;
            let w = a where b = 1, c = 2;
            let y[i ^ j, ..r] = a[i, ..r] ^ b[j, ..r] where i > 0 else 0;
            let s = "a {x:.3f} {{";
            let z = x !> f ?> g catch |e| 0;
            let n = 0..=5;
            let m = max[i in 0..3, j in i..n](x[i] where i != j);
            let k = f(len.4.0);
        "#]],
    );
}

#[test]
fn long_arrays_of_numbers_are_filled() {
    let numbers: Vec<String> = (0..60).map(|n| format!("{n}.5")).collect();
    let text = format!("let x = [{}];", numbers.join(","));
    let once = formatted(&text).expect("no errors");
    assert!(once.lines().count() < 8, "{once}");
    assert!(once.lines().all(|l| l.chars().count() <= WIDTH), "{once}");
    assert_eq!(formatted(&once), Some(once));
}

#[test]
fn a_text_with_errors_is_left_alone() {
    assert_eq!(formatted("let x = ;"), None);
}

/// The layout of every program there is: the tokens stay (which `format` checks), the
/// layout of the layout is the same, and every comment is there.
#[test]
fn all_programs_of_the_repository() {
    let mut files = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/every_production.ein")];
    files.extend(programs::below(&["tests", "examples", "std"]));
    let mut checked = 0;
    for file in files {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let Some(once) = formatted(&text) else { continue };
        let twice = formatted(&once);
        assert_eq!(twice.as_ref(), Some(&once), "{}", file.display());
        checked += 1;
    }
    assert!(checked > 300, "only {checked} programs");
}
