//! How programs, projects and names are given on the command line, and what is said of what
//! makes no sense.

use crate::process::{Folder, weft};

#[test]
fn a_program_runs_by_its_name() {
    let folder = Folder::new("named");
    std::fs::write(folder.path("p.ein"), "input n: i32 = 2;\nprint(n);\nn + 1").unwrap();
    let run = |args: &[&str]| weft(args).inside(&folder).finish();
    assert_eq!(run(&["p.ein"]).stdout, "2\n3\n");
    assert_eq!(run(&["p.ein", "-i", "n=5", "-q"]).stdout, "5\n");
    assert_eq!(run(&["-q", "p.ein"]).stdout, "2\n");
    let missing = run(&["no.ein"]);
    assert_eq!(missing.status, 1);
    assert!(missing.stderr.contains("`no.ein`"), "{}", missing.stderr);
}

#[test]
fn in_a_project_its_entry_is_meant() {
    let folder = Folder::new("entry");
    assert_eq!(weft(&["new", "wave"]).inside(&folder).finish().status, 0);
    let wave = folder.inner("wave");
    std::fs::create_dir(wave.path("deep")).unwrap();
    let deep = wave.inner("deep");
    for place in [&wave, &deep] {
        let out = weft(&["run"]).inside(place).finish();
        assert_eq!((out.status, out.stderr.as_str()), (0, ""));
        assert_eq!(out.stdout, "mean square: 0.875\n");
        assert_eq!(weft(&["check"]).inside(place).finish().status, 0);
    }
    std::fs::write(wave.path("main.ein"), "print(nope);\n").unwrap();
    let out = weft(&["run"]).inside(&wave).finish();
    assert!(out.stderr.contains("--> main.ein:1:7"), "{}", out.stderr);
    let out = weft(&["run"]).inside(&deep).finish();
    assert!(out.stderr.contains("--> ../main.ein:1:7"), "{}", out.stderr);
    let nowhere = weft(&["run"]).inside(&folder).finish();
    assert_eq!((nowhere.status, nowhere.stdout.as_str()), (2, ""));
    assert!(nowhere.stderr.contains("no program is named"), "{}", nowhere.stderr);
    assert!(nowhere.stderr.contains("`weft.toml`"), "{}", nowhere.stderr);
}

#[test]
fn usage_names_what_the_command_takes_and_no_settings() {
    let usage = |args: &[&str]| {
        let out = weft(args).env("WEFT_CACHE_DIR", "c").finish();
        assert_eq!(out.status, 2, "{args:?}");
        let usage = out.stderr.lines().find(|line| line.starts_with("Usage:"));
        usage.unwrap_or_else(|| panic!("{}", out.stderr)).to_string()
    };
    assert_eq!(usage(&["run", "--frobnicate"]), "Usage: weft run [OPTIONS] [FILE | --code <CODE>]");
    assert_eq!(
        usage(&["check", "a.ein", "-c", "1"]),
        "Usage: weft check [OPTIONS] [FILE | --code <CODE>]"
    );
    assert_eq!(usage(&["--frobnicate"]), "Usage: weft [OPTIONS] <COMMAND>");
}

#[test]
fn of_a_misspelt_command_the_nearest_is_told() {
    for (command, told) in [
        ("rnu", "did you mean `weft run`?"),
        ("chekc", "did you mean `weft check`?"),
        ("repl", "planned, and not there yet"),
        ("frobnicate", "the commands are run, check, "),
    ] {
        let out = weft(&[command]).finish();
        assert_eq!((out.status, out.stdout.as_str()), (2, ""), "{command}");
        assert!(out.stderr.contains(told), "{command}: {}", out.stderr);
    }
}

#[test]
fn a_filter_that_picks_no_test_fails() {
    let folder = Folder::new("filter");
    std::fs::write(folder.path("x.ein"), "fn test_a() { assert(1 < 2); }\n").unwrap();
    let picked = weft(&["test", "--filter", "_a"]).inside(&folder).finish();
    assert_eq!(picked.status, 0, "{}", picked.stderr);
    let none = weft(&["test", "--filter", "zzz"]).inside(&folder).finish();
    assert_eq!((none.status, none.stdout.as_str()), (1, ""));
    assert_eq!(none.stderr, "error: of 1 tests none has `zzz` in its name\n");
}

#[test]
fn a_failing_test_is_named_as_seen_from_here() {
    let folder = Folder::new("relative");
    std::fs::write(folder.path("weft.toml"), "[project]\nname = \"p\"\n").unwrap();
    std::fs::write(folder.path("main.ein"), "print(1);\n").unwrap();
    std::fs::write(folder.path("m.ein"), "fn test_a() { assert(1 > 2); }\n").unwrap();
    let out = weft(&["test"]).inside(&folder).finish();
    assert_eq!(out.status, 1);
    assert!(out.stderr.contains("--> m.ein:1:"), "{}", out.stderr);
    assert!(out.stdout.contains("test m.ein::test_a ... FAILED"), "{}", out.stdout);
}

#[test]
fn a_project_has_a_name_that_programs_can_write() {
    let folder = Folder::new("names");
    for name in ["bad name!", "1st", "my-project", "let", "_"] {
        let out = weft(&["new", name]).inside(&folder).finish();
        assert_eq!((out.status, out.stdout.as_str()), (2, ""), "{name}");
        assert!(out.stderr.contains("is no name for a project"), "{}", out.stderr);
        assert!(out.stderr.contains("letters, digits and `_`"), "{}", out.stderr);
    }
    assert!(folder.files().is_empty());
}

#[test]
fn outputs_that_are_printed_have_standard_output_for_themselves() {
    let program = "let y = [1.0, 2.0]; print(\"own\"); y[0]";
    let out = weft(&["run", "-c", program, "-o", "y"]).finish();
    assert_eq!((out.status, out.stdout.as_str()), (0, "y = [1. 2.]\n"));
    assert_eq!(out.stderr, "own\n1.0\n");
}

#[test]
fn files_of_other_formats_are_told() {
    let out = weft(&["run", "-c", "let x = [1.0];", "-i", "x=z.npz"]).finish();
    assert_eq!((out.status, out.stdout.as_str()), (2, ""));
    let told = "a `.npz` file is not read; save one array as `.npy`";
    assert!(out.stderr.contains(told), "{}", out.stderr);
}

#[test]
fn a_name_bound_to_a_derivative_is_explained() {
    let program = "let w = [1.0, 2.0]; let loss = sum[i](w[i] ** 2); \
                   let g = @loss / @w; print(g);";
    let out = weft(&["explain", "-c", program, "g"]).finish();
    assert_eq!(out.status, 0, "{}", out.stderr);
    assert!(out.stdout.contains("g = @loss / @w"), "{}", out.stdout);
    let unknown = weft(&["explain", "-c", program, "los"]).finish();
    assert_eq!(unknown.status, 1);
    assert!(unknown.stderr.contains("did you mean `loss`?"), "{}", unknown.stderr);
    assert!(unknown.stderr.contains("`loss`, `w`"), "{}", unknown.stderr);
}

#[test]
fn what_is_not_counted_is_not_called_zero() {
    let program = "let x[i in 0..5] = i; print(sum[i](x[i]));";
    let bench = |tier: &str| {
        let args = ["bench", "-c", program, "--seconds", "0.01", "--tier", tier];
        weft(&args).finish().stdout
    };
    let evaluator = bench("evaluator");
    assert!(evaluator.contains("flops   not counted, the evaluator computes"), "{evaluator}");
    let native = bench("native");
    assert!(native.contains("flops   0 (of floats; others are not counted)"), "{native}");
}

#[test]
fn times_name_the_files_of_the_library() {
    let program = "use std::array::sort; let x[i in 0..1000]: f64 = (i * 7919) % 1000;\n\
                   let y = sort(x); print(y[0], sum[i](x[i]));";
    let out = weft(&["run", "-c", program, "--time", "--tier", "native"]).finish();
    assert_eq!(out.status, 0, "{}", out.stderr);
    assert!(out.stderr.contains("(std/array.ein:"), "{}", out.stderr);
    assert!(out.stderr.contains("(line 1)"), "{}", out.stderr);
}
