//! Passes over the graph as the command shows and leaves them.

use super::process::weft;

const PROGRAM: &str = "input x: [f64; n];
let doubled[i] = 2.0 * x[i];
let y = sum[i](doubled[i] + 1.0);
print(y);";

fn run(flags: &[&str]) -> (i32, String, String) {
    let words = ["run", "--tier", "native", "-i", "x=[1.0, 2.5]", "-c", PROGRAM];
    let out = weft(&[&words[..], flags].concat()).finish();
    (out.status, out.stdout, out.stderr)
}

#[test]
fn the_graph_behind_a_pass_is_written_and_nothing_runs() {
    let (status, before, stderr) = run(&["--print-after", "forward-copies"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(before.starts_with("// segment 0 behind forward-copies\n"), "{before}");
    assert!(before.contains("doubled"), "{before}");
    assert!(!before.contains("9.0"), "nothing ran: {before}");
    let (_, both, _) = run(&["--print-after", "forward-copies", "--print-after", "fold-constants"]);
    let heads = both.lines().filter(|l| l.starts_with("// segment 0 behind "));
    assert_eq!(heads.count(), 2, "{both}");
}

#[test]
fn passes_that_are_left_out_change_no_number() {
    let (status, stdout, stderr) = run(&["--stop-after", "forward-copies"]);
    assert_eq!((status, stdout.as_str(), stderr.as_str()), (0, "9.0\n", ""));
    let (status, stdout, stderr) = run(&["--skip", "fold-constants", "--verify"]);
    assert_eq!((status, stdout.as_str(), stderr.as_str()), (0, "9.0\n", ""));
    // What is left out is not shown as if it had run.
    let (_, all, _) = run(&["--print-after", "fold-constants", "--skip", "fold-constants"]);
    assert_eq!(all, "");
}

#[test]
fn a_name_that_is_no_pass_is_wrong_usage() {
    for flags in [["--skip", "nonsense"], ["--print-after", "nonsense"]] {
        let (status, stdout, stderr) = run(&flags);
        assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains("possible values"), "{stderr}");
    }
}

#[test]
fn what_each_pass_took_is_told() {
    let (status, stdout, stderr) = run(&["--time-passes"]);
    assert_eq!((status, stdout.as_str()), (0, "9.0\n"));
    let lines: Vec<&str> = stderr.lines().filter(|l| l.starts_with("time: pass ")).collect();
    for name in ["forward-copies", "order", "lower", "code"] {
        let is_named = |l: &&&str| l.split_whitespace().nth(2) == Some(name);
        let found = lines.iter().find(is_named);
        assert!(found.is_some_and(|l| l.ends_with(" ms")), "{name} in\n{stderr}");
    }
}
