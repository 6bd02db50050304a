//! Every program in `examples/` prints what the file beside it says.
//!
//! The command is the one in the program's opening comment, so that what a reader copies
//! is what is tested. `BLESS=1` rewrites the expected output.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

fn programs() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("examples")).expect("examples/ can be listed");
    let mut found: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    found.retain(|p| p.extension().is_some_and(|e| e == "ein"));
    found.sort();
    assert!(found.len() >= 3, "examples/ holds {} programs", found.len());
    found
}

/// The arguments of the first `weft run` in the program's comments; the program alone where
/// there is none.
fn arguments(program: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(program).expect("the program can be read");
    let line = text.lines().find_map(|l| l.strip_prefix("//")?.trim().strip_prefix("weft "));
    match line {
        Some(line) => line.split_whitespace().map(str::to_string).collect(),
        None => vec!["run".to_string(), program.display().to_string()],
    }
}

/// What the program prints, with more arguments. Panics where it fails or complains.
fn output(program: &Path, more: &[&str]) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_weft"))
        .current_dir(root())
        .args(arguments(program))
        .args(more)
        .output()
        .expect("weft starts");
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{} {more:?} failed:\n{stderr}", program.display());
    assert!(stderr.is_empty(), "{} {more:?} complains:\n{stderr}", program.display());
    String::from_utf8(run.stdout).expect("output is UTF-8")
}

fn check(program: &Path, more: &[&str]) {
    let beside = program.with_extension("stdout");
    let found = output(program, more);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&beside, &found).expect("the expected output can be written");
    }
    let expected = std::fs::read_to_string(&beside).unwrap_or_default();
    assert_eq!(expected, found, "{} {more:?}", program.display());
}

#[test]
fn every_example_prints_what_is_beside_it() {
    for program in programs() {
        check(&program, &[]);
    }
}

#[test]
fn strict_order_prints_the_same_digits() {
    for program in programs() {
        check(&program, &["--strict-fp"]);
    }
}

#[test]
fn the_evaluator_prints_the_same() {
    // Training on the digits takes a minute there.
    let reads_digits = |p: &PathBuf| arguments(p).iter().any(|a| a.contains("digits_images"));
    for program in programs().iter().filter(|p| !reads_digits(p)) {
        check(program, &["--tier", "evaluator"]);
    }
}

#[test]
fn the_digits_are_learnt() {
    let text = output(&root().join("examples/digits.ein"), &[]);
    let accuracy = text.lines().find_map(|l| l.strip_prefix("accuracy ")).expect("an accuracy");
    let accuracy: f64 = accuracy.parse().expect("a number");
    assert!((0.96..1.0).contains(&accuracy), "accuracy {accuracy}");
}
