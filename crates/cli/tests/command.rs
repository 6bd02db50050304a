//! The command as users meet it: streams, exit statuses, signals, files.

#[path = "command/cache.rs"]
mod cache;
#[path = "command/files.rs"]
mod files;
#[path = "command/passes.rs"]
mod passes;
#[path = "command/process.rs"]
mod process;
#[path = "command/signals.rs"]
mod signals;
#[path = "command/usage.rs"]
mod usage;
#[path = "command/watch.rs"]
mod watch;

use process::{Folder, weft};

#[test]
fn a_program_prints_to_standard_output() {
    let out = weft(&["run", "-c", "print(1 + 2);"]).finish();
    assert_eq!((out.status, out.stdout.as_str(), out.stderr.as_str()), (0, "3\n", ""));
}

#[test]
fn the_programs_value_is_printed_unless_quiet() {
    let program = "let x[i in 0..3] = i * i; x";
    assert_eq!(weft(&["run", "-c", program]).finish().stdout, "[0 1 4]\n");
    assert_eq!(weft(&["run", "-q", "-c", program]).finish().stdout, "");
    assert_eq!(weft(&["run", "-c", program]).env("WEFT_QUIET", "1").finish().stdout, "");
    assert_eq!(weft(&["run", "-c", program]).env("WEFT_QUIET", "0").finish().stdout, "[0 1 4]\n");
}

#[test]
fn a_program_is_read_from_standard_input() {
    let out = weft(&["run", "-"]).stdin(b"print(\"hi\");").finish();
    assert_eq!((out.status, out.stdout.as_str()), (0, "hi\n"));
}

#[test]
fn a_byte_order_mark_is_no_error() {
    let out = weft(&["run", "-"]).stdin(b"\xef\xbb\xbfprint(3);").finish();
    assert_eq!((out.status, out.stdout.as_str()), (0, "3\n"));
}

#[test]
fn a_project_is_made_run_and_tested() {
    let folder = Folder::new("project");
    let out = weft(&["new", "wave"]).inside(&folder).finish();
    assert_eq!(out.status, 0, "{}", out.stderr);
    let out = weft(&["run", "wave/main.ein"]).inside(&folder).finish();
    assert_eq!((out.status, out.stdout.as_str()), (0, "mean square: 0.875\n"), "{}", out.stderr);
    let out = weft(&["test", "wave"]).inside(&folder).finish();
    assert_eq!(out.status, 0, "{}{}", out.stdout, out.stderr);
    assert!(out.stdout.contains("test model.ein::test_mean_square ... ok\n"), "{}", out.stdout);
    assert!(out.stdout.contains("2 passed; 0 failed; 0 filtered out"), "{}", out.stdout);
    let out = weft(&["fmt", "--check", "wave"]).inside(&folder).finish();
    assert_eq!((out.status, out.stdout.as_str()), (0, ""), "{}", out.stderr);
    assert_eq!(weft(&["new", "wave"]).inside(&folder).finish().status, 1, "it is not empty");
}

#[test]
fn a_failing_test_shows_what_it_printed_and_ends_with_status_1() {
    let folder = Folder::new("failing");
    let text = "fn test_a() { print(\"seen\"); assert(1 > 2, \"no\"); }\nfn test_b() { print(\"unseen\"); }\n";
    std::fs::write(folder.path("x_test.ein"), text).unwrap();
    let out = weft(&["test", "x_test.ein"]).inside(&folder).finish();
    assert_eq!(out.status, 1);
    assert!(out.stdout.starts_with("seen\ntest x_test.ein::test_a ... FAILED\n"), "{}", out.stdout);
    assert!(!out.stdout.contains("unseen"), "{}", out.stdout);
    assert!(out.stderr.contains("assertion failed: no"), "{}", out.stderr);
    let out = weft(&["test", "--filter", "test_b"]).inside(&folder).finish();
    assert_eq!(out.status, 0);
    assert!(out.stdout.contains("1 passed; 0 failed; 1 filtered out"), "{}", out.stdout);
}

#[test]
fn layout_rewrites_files_and_standard_input() {
    let folder = Folder::new("layout");
    std::fs::write(folder.path("a.ein"), "let  x=1 ;").unwrap();
    std::fs::write(folder.path("bad.ein"), "let x = ;").unwrap();
    let out = weft(&["fmt", "--check", "a.ein"]).inside(&folder).finish();
    assert_eq!((out.status, out.stdout.as_str()), (1, "a.ein\n"));
    assert_eq!(weft(&["fmt", "a.ein"]).inside(&folder).finish().status, 0);
    assert_eq!(std::fs::read_to_string(folder.path("a.ein")).unwrap(), "let x = 1;\n");
    assert_eq!(weft(&["fmt", "bad.ein"]).inside(&folder).finish().status, 1);
    assert_eq!(std::fs::read_to_string(folder.path("bad.ein")).unwrap(), "let x = ;");
    let out = weft(&["fmt", "-"]).stdin(b"f( 1 )").finish();
    assert_eq!((out.status, out.stdout.as_str()), (0, "f(1)\n"));
}

#[test]
fn lints_are_silenced_and_denied_by_name() {
    let program = "fn f(x) { let y = 1; x } print(f(2));";
    let run = |flags: &[&str]| weft(&[&["run", "-c", program], flags].concat()).finish();
    assert!(run(&[]).stderr.starts_with("warning[unused-name]"));
    assert_eq!(run(&["-A", "unused-name"]).stderr, "");
    let denied = run(&["-D", "all"]);
    assert_eq!((denied.status, denied.stdout.as_str()), (1, ""));
    assert_eq!(run(&["-D", "all", "-A", "unused-name"]).status, 0);
    let unknown = run(&["-D", "unusedname"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.stderr.contains("did you mean `unused-name`?"), "{}", unknown.stderr);
}

#[test]
fn modules_lie_beside_the_program_or_below_the_root() {
    let folder = Folder::new("modules");
    std::fs::create_dir_all(folder.path("lib")).unwrap();
    std::fs::write(folder.path("lib/m.ein"), "pub fn f() { 7 }\n").unwrap();
    std::fs::write(folder.path("main.ein"), "print(lib::m::f());\n").unwrap();
    let out = weft(&["run", &folder.path("main.ein")]).finish();
    assert_eq!((out.status, out.stdout.as_str()), (0, "7\n"), "{}", out.stderr);
    let out = weft(&["run", "-c", "print(m::f());", "--root", &folder.path("lib")]).finish();
    assert_eq!((out.status, out.stdout.as_str()), (0, "7\n"), "{}", out.stderr);
}

#[test]
fn modules_that_cannot_be_read_are_told_why() {
    let folder = Folder::new("unreadable");
    std::fs::write(folder.path("bytes.ein"), b"pub fn f() { 7 }\n\xff").unwrap();
    std::fs::create_dir(folder.path("folder.ein")).unwrap();
    let run = |module: &str| {
        let program = format!("print({module}::f());");
        let out = weft(&["run", "-c", &program]).inside(&folder).finish();
        assert_eq!((out.status, out.stdout.as_str()), (1, ""));
        out.stderr
    };
    let bytes = run("bytes");
    assert!(
        bytes.contains("module `bytes` cannot be read") && bytes.contains("not UTF-8"),
        "{bytes}"
    );
    let inner = run("folder");
    assert!(inner.contains("module `folder` cannot be read"), "{inner}");
    assert!(inner.contains("`folder.ein` is not a regular file"), "{inner}");
    for flag in ["--std", "--root"] {
        let out = weft(&["run", "-c", "print(1);", flag, "/no/such/folder"]).finish();
        assert_eq!((out.status, out.stdout.as_str()), (1, ""), "{flag}");
        assert!(
            out.stderr.contains("`/no/such/folder`") || out.stderr.contains("names no folder"),
            "{}",
            out.stderr
        );
    }
}

#[test]
fn what_is_not_utf8_is_told_with_its_line() {
    let out = weft(&["run", "-"]).stdin(b"let x = 1;\n\xff").finish();
    assert_eq!((out.status, out.stdout.as_str()), (1, ""));
    assert!(out.stderr.contains("error[E0006]") && out.stderr.contains("line 2"), "{out:?}");
}

#[test]
fn an_empty_program_does_nothing() {
    let out = weft(&["run", "-"]).stdin(b"").finish();
    assert_eq!((out.status, out.stdout.as_str(), out.stderr.as_str()), (0, "", ""));
}

#[test]
fn a_refused_program_prints_nothing_and_ends_with_1() {
    let program = "print(1); let A = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]; \
                   let B = [[1.0, 2.0], [3.0, 4.0]]; \
                   let C[i, j] = sum[k](A[i, k] * B[k, j]); print(C);";
    for command in ["run", "check"] {
        let out = weft(&[command, "-c", program]).finish();
        assert_eq!((out.status, out.stdout.as_str()), (1, ""));
        for part in ["error[E0501]", "`k`", "A[i, k]", "B[k, j]", "3", "2"] {
            assert!(out.stderr.contains(part), "no {part} in {}", out.stderr);
        }
        assert_eq!(out.stderr.matches("error[").count(), 1, "{}", out.stderr);
    }
}

#[test]
fn a_failing_run_keeps_what_was_printed_and_ends_with_1() {
    let out = weft(&["run", "-c", "print(1); let d = 0; print(1 / d);"]).finish();
    assert_eq!((out.status, out.stdout.as_str()), (1, "1\n"));
    assert!(out.stderr.contains("error[E0007]: integer division by zero"), "{}", out.stderr);
}

#[test]
fn check_runs_nothing() {
    let out = weft(&["check", "-c", "let d = 0; print(1 / d);"]).finish();
    assert_eq!((out.status, out.stdout.as_str(), out.stderr.as_str()), (0, "", ""));
}

#[test]
fn wrong_usage_ends_with_2() {
    let wrong: &[&[&str]] = &[
        &[],
        &["frobnicate"],
        &["run"],
        &["run", "a.ein", "-c", "1"],
        &["run", "-c", "1", "--tier", "quantum"],
        &["run", "-c", "1", "--input", "x"],
        &["run", "-c", "1", "--input", "x=1", "--input", "x=2"],
        &["run", "-c", "1", "--output", "x=file.csv"],
        &["run", "-c", "1", "--memory-limit", "many"],
        &["explain", "E9999"],
    ];
    let maybe = weft(&["run", "-c", "print(1);"]).env("WEFT_STRICT_FP", "maybe").finish();
    assert_eq!((maybe.status, maybe.stdout.as_str()), (2, ""), "{}", maybe.stderr);
    let off = weft(&["run", "-c", "print(1);"]).env("WEFT_STRICT_FP", "").finish();
    assert_eq!((off.status, off.stdout.as_str()), (0, "1\n"), "{}", off.stderr);
    for args in wrong {
        let out = weft(args).finish();
        assert_eq!((out.status, out.stdout.as_str()), (2, ""), "{args:?}: {}", out.stderr);
        assert!(!out.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn help_and_version_go_to_standard_output() {
    for args in [&["--help"][..], &["run", "--help"], &["--version"]] {
        let out = weft(args).finish();
        assert_eq!((out.status, out.stderr.as_str()), (0, ""), "{args:?}");
        assert!(out.stdout.contains("weft"), "{args:?}: {}", out.stdout);
    }
    assert!(weft(&["--help"]).finish().stdout.contains("Examples:"));
}

#[test]
fn missing_files_and_folders_are_told() {
    let out = weft(&["run", "no-such-file.ein"]).finish();
    assert_eq!((out.status, out.stdout.as_str()), (1, ""));
    assert!(out.stderr.contains("`no-such-file.ein`: no such file"), "{}", out.stderr);
    let folder = Folder::new("folder-as-program");
    let out = weft(&["run", &folder.path("")]).finish();
    assert_eq!(out.status, 1);
    assert!(out.stderr.contains("it is a directory"), "{}", out.stderr);
}

#[test]
fn formats_of_diagnostics() {
    let program = "let x = 1;\nprint(y);";
    let short = weft(&["check", "-c", program, "--format", "short"]).finish();
    assert_eq!(short.stderr, "<command line>:2:7: error[E0425]: unknown value `y`\n");
    let json = weft(&["check", "--format", "json", "-c", program]).finish();
    assert!(json.stderr.starts_with('{') && json.stderr.lines().count() == 1, "{}", json.stderr);
    assert!(json.stderr.contains("\"code\":\"E0425\""), "{}", json.stderr);
    let by_environment = weft(&["check", "-c", program]).env("WEFT_FORMAT", "short").finish();
    assert_eq!(by_environment.stderr, short.stderr);
}

#[test]
fn colour_is_for_terminals_or_on_demand() {
    let program = "print(y);";
    assert!(!weft(&["check", "-c", program]).finish().stderr.contains('\x1b'));
    let colored = weft(&["check", "-c", program, "--color", "always"]).finish();
    assert!(colored.stderr.contains('\x1b'));
    let forbidden = weft(&["check", "-c", program]).env("NO_COLOR", "1").finish();
    assert!(!forbidden.stderr.contains('\x1b'));
}

#[test]
fn tiers_agree() {
    let program = "let x[i in 0..1000] = i as f64 * 0.5; print(sum[i](x[i])); x[7]";
    for tier in ["auto", "evaluator", "native"] {
        let out = weft(&["run", "-c", program, "--tier", tier, "--verify", "--strict-fp"]).finish();
        assert_eq!((out.status, out.stdout.as_str()), (0, "249750.0\n3.5\n"), "{tier}");
    }
}

#[test]
fn times_are_told_on_standard_error() {
    let out = weft(&["run", "-c", "print(1);", "--time"]).finish();
    assert_eq!((out.status, out.stdout.as_str()), (0, "1\n"));
    assert!(out.stderr.contains("time: check ") && out.stderr.contains("total"), "{}", out.stderr);
}

#[test]
fn a_memory_limit_holds() {
    let program = "let x[i in 0..1000000] = i as f64; print(x);";
    for tier in ["evaluator", "native"] {
        let args = ["run", "-c", program, "--memory-limit", "1M", "--tier", tier];
        let out = weft(&args).finish();
        assert_eq!((out.status, out.stdout.as_str()), (1, ""), "{tier}");
        assert!(out.stderr.contains("error[E1106]"), "{tier}: {}", out.stderr);
    }
}

#[test]
fn stages_are_written_and_nothing_runs() {
    let program = "let x = [1.0, 2.0]; let y[i] = x[i] * 2.0; print(y);";
    for (stage, part) in
        [("tree", "SourceFile@"), ("host", "print t"), ("graph", "tensor t"), ("plan", "storage")]
    {
        let out = weft(&["run", "-c", program, "--emit", stage]).finish();
        assert_eq!(out.status, 0, "{stage}: {}", out.stderr);
        assert!(out.stdout.contains(part), "{stage}: {}", out.stdout);
        assert!(!out.stdout.contains("[2. 4.]"), "{stage}");
    }
    let broken = weft(&["check", "-c", "let x = ;", "--emit", "tree"]).finish();
    assert_eq!(broken.status, 1);
    assert!(broken.stdout.contains("SourceFile@"), "{}", broken.stdout);
}

#[test]
fn codes_and_programs_are_explained() {
    let page = weft(&["explain", "E0501"]).finish();
    assert_eq!(page.status, 0);
    assert!(page.stdout.contains("E0501: conflicting extents"), "{}", page.stdout);
    assert_eq!(weft(&["explain", "uncovered-cells"]).finish().status, 0);
    let program = "let a = [[1.0, 2.0]]; let t[j, i] = a[i, j]; print(t);";
    let out = weft(&["explain", "-c", program, "t"]).finish();
    assert_eq!(out.status, 0, "{}", out.stderr);
    assert!(out.stdout.contains("a[i, j]") && out.stdout.contains("t"), "{}", out.stdout);
    let unknown = weft(&["explain", "-c", program, "u"]).finish();
    assert_eq!(unknown.status, 1);
    assert!(unknown.stderr.contains("`u`"), "{}", unknown.stderr);
}

#[test]
fn warnings_are_shown_unless_quiet() {
    let program = "let x[0] = 1.0; let x[5] = 2.0; print(x[5]);";
    let out = weft(&["run", "-c", program]).finish();
    assert_eq!((out.status, out.stdout.as_str()), (0, "2.0\n"));
    assert!(out.stderr.contains("warning[uncovered-cells]"), "{}", out.stderr);
    assert_eq!(weft(&["run", "-q", "-c", program]).finish().stderr, "");
}

#[test]
fn deep_programs_do_not_overflow_the_stack() {
    let deep = format!("let x = {}1{};", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(weft(&["run", "-"]).stdin(deep.as_bytes()).finish().status, 1);
    let long = format!("let x = 0{}; print(x);", " + 1".repeat(20_000));
    let out = weft(&["run", "-"]).stdin(long.as_bytes()).finish();
    assert!(out.status == 0 || out.status == 1, "{}", out.stderr);
    let chain: String = (1..3000).map(|k| format!("let x{k} = x{} + 1.0;\n", k - 1)).collect();
    let chain = format!("let x0 = 0.0;\n{chain}print(x2999);");
    let out = weft(&["run", "-"]).stdin(chain.as_bytes()).finish();
    assert_eq!((out.status, out.stdout.as_str()), (0, "2999.0\n"), "{}", out.stderr);
}

#[test]
fn of_very_many_errors_the_first_fifty_are_shown() {
    let lines: String = (0..60).map(|n| format!("print(nope{n});\n")).collect();
    let out = weft(&["check", "-"]).stdin(lines.as_bytes()).finish();
    assert_eq!(out.status, 1);
    assert_eq!(out.stderr.matches("error[E0425]").count(), 50);
    assert!(out.stderr.ends_with("error: 10 more errors, not shown\n"), "{}", out.stderr);
    let out = weft(&["check", "--format", "short", "-"]).stdin(lines.as_bytes()).finish();
    assert_eq!(out.stderr.lines().count(), 60, "programs get all");
}

#[test]
fn of_a_long_line_the_place_of_the_fault_is_shown() {
    let line: String = (0..500).map(|n| format!("print({n}); ")).collect();
    let program = format!("{line}print(nope); {line}\n");
    let out = weft(&["check", "-"]).stdin(program.as_bytes()).finish();
    let column = line.len() + 7;
    assert!(
        out.stderr.contains(&format!(" --> <standard input>:1:{column}\n  |\n1 | ...")),
        "{}",
        out.stderr
    );
    assert!(out.stderr.contains("print(nope);"), "{}", out.stderr);
    assert!(out.stderr.len() < 1000, "{}", out.stderr);
}
