//! Ends that come from outside: a reader that leaves, a full disk, Ctrl-C.

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

/// A run that takes hours and no memory.
fn started(tier: &str) -> Child {
    let program = "let k: i64 = 7; \
                   print(sum[i in 0..3000000, j in 0..3000000]((i * k + j) % 3));";
    let child = Command::new("bash")
        .arg("-c")
        .arg(format!("exec {} run --tier {tier} -c '{program}'", env!("CARGO_BIN_EXE_weft")))
        .stdin(Stdio::null())
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
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    None
}

#[test]
fn ctrl_c_ends_a_run_with_130() {
    for tier in ["evaluator", "native"] {
        let mut child = started(tier);
        std::thread::sleep(Duration::from_millis(700));
        assert!(child.try_wait().expect("it is ours").is_none(), "{tier}: ended by itself");
        interrupt(&child);
        assert_eq!(ended_within(&mut child, Duration::from_secs(10)), Some(130), "{tier}");
        let mut text = String::new();
        let stderr = child.stderr.as_mut().expect("piped");
        stderr.read_to_string(&mut text).expect("UTF-8");
        assert_eq!(text, "interrupted\n", "{tier}");
    }
}
