//! Ends that come from outside: a reader that leaves, a full disk, Ctrl-C.

use super::process::Folder;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The status of the command of a shell's pipeline, and what it said.
fn shell(script: &str) -> (String, String) {
    let script = script.replace("WEFT", env!("CARGO_BIN_EXE_weft"));
    let out = Command::new("bash").args(["-c", &script]).output().expect("bash");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (text(out.stdout), text(out.stderr))
}

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    let long = "WEFT run -c 'let x[i in 0..900, j in 0..1] = i; print(x); print(x); print(x); \
                print(x); print(x); print(x); print(x); print(x); print(x); print(x); print(x); \
                print(x); print(x); print(x); print(x); print(x); print(x); print(x);'";
    let (out, err) = shell(&format!("{long} | head -1; echo ${{PIPESTATUS[0]}}"));
    assert_eq!((out.as_str(), err.as_str()), ("[[  0]\n141\n", ""));
    let (out, err) = shell("WEFT run -c 'print(1);' | true; echo ${PIPESTATUS[0]}");
    assert!(out == "141\n" || out == "0\n", "{out}");
    assert_eq!(err, "");
}

#[test]
fn a_full_disk_is_told() {
    let (out, err) = shell("WEFT run -c 'print(1);' > /dev/full; echo $?");
    assert_eq!(out, "1\n");
    assert!(err.contains("cannot write to standard output"), "{err}");
}

#[test]
fn a_closed_standard_error_is_no_panic() {
    let (out, _) = shell("WEFT check -c 'print(y);' 2>&-; echo $?");
    assert_eq!(out, "1\n");
}

fn interrupt(child: &Child) {
    // The shell's own `kill`: a bare machine has no program of that name.
    let line = format!("kill -INT {}", child.id());
    let kill = Command::new("sh").args(["-c", &line]).status().expect("a shell");
    assert!(kill.success());
}

/// A command, started by a shell that gives its place to it.
fn started(arguments: &[&str]) -> Child {
    let child = Command::new("bash")
        .args(["-c", "exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_weft")])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    child.expect("the command starts")
}

fn ended_within(child: &mut Child, limit: Duration) -> Option<i32> {
    let start = Instant::now();
    while start.elapsed() < limit {
        if let Some(status) = child.try_wait().expect("it is ours") {
            return Some(status.code().unwrap_or(-1));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    None
}

/// What a person waits; more under the load of a whole suite.
const PATIENCE: Duration = Duration::from_secs(3);

/// A command that goes on for long hears the first Ctrl-C, and says so after what it printed.
#[track_caller]
fn hears(arguments: &[&str], before: Duration, printed: &str) {
    let mut child = started(arguments);
    std::thread::sleep(before);
    assert!(child.try_wait().expect("it is ours").is_none(), "{arguments:?}: ended by itself");
    interrupt(&child);
    assert_eq!(ended_within(&mut child, PATIENCE), Some(130), "{arguments:?}");
    let [mut out, mut err] = [String::new(), String::new()];
    child.stdout.take().expect("piped").read_to_string(&mut out).expect("UTF-8");
    child.stderr.take().expect("piped").read_to_string(&mut err).expect("UTF-8");
    assert_eq!((out.as_str(), err.as_str()), (printed, "interrupted\n"), "{arguments:?}");
}

const SOON: Duration = Duration::from_millis(700);

#[test]
fn ctrl_c_ends_sums_with_130() {
    let program = "print(1); let k: i64 = 7; \
                   print(sum[i in 0..3000000, j in 0..3000000]((i * k + j) % 3));";
    hears(&["run", "-c", program, "--tier", "evaluator"], SOON, "1\n");
    hears(&["run", "-c", program, "--tier", "native"], SOON, "1\n");
}

#[test]
fn ctrl_c_ends_scans_and_folds() {
    let programs = [
        "let h[0] = 1.0; let h[t in 1..100000000000] = h[t-1]*0.5+1.0; print(h[99999999999]);",
        "let h[0] = 1.0; let h[t in 1..100000000000] = h[t-1]*0.5+1.0; print(max[t](h[t]));",
        "print(reduce[|p, q| p + q, 0.0, j in 0..100000000000](1.0 / (j + 1)));",
        "let h[r in 0..3, 0] = 1.0 * r; let h[r in 0..3, t in 1..100000000000] = h[r, t-1]*0.5+1.0; \
         print(sum[r](h[r, 99999999999]));",
    ];
    for program in programs {
        hears(&["run", "-c", program, "--tier", "native", "--threads", "1"], SOON, "");
    }
}

#[test]
fn ctrl_c_ends_a_command_that_waits_for_its_program() {
    for command in ["run", "check", "explain", "fmt"] {
        hears(&[command, "-"], SOON, "");
    }
}

#[test]
fn ctrl_c_ends_checking() {
    let folder = Folder::new("checking");
    let line = |n: u32| format!("let y{n}[i in 0..9] = 1.0 * i + {n};\n");
    let text: String = (0..60_000).map(line).collect();
    std::fs::write(folder.path("p.ein"), text).unwrap();
    hears(&["check", &folder.path("p.ein")], Duration::from_millis(300), "");
}
