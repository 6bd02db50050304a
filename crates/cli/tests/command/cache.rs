//! Machine code that outlives a process: found again, never believed when damaged, and
//! never a reason to fail.

use super::process::{Ended, Folder, weft};
use std::path::{Path, PathBuf};

/// Enough work for machine code, and a result known without any: 0 + 1 + … + 99,999.
const PROGRAM: &str = "let n = 100000; let s = sum[i in 0..n](i as f64); print(s);";
const RESULT: &str = "4999950000.0\n";

fn run_in(cache: &str, more: &[&str]) -> Ended {
    let fixed = ["run", "--tier", "native", "--time", "-v", "-c", PROGRAM, "--cache-dir", cache];
    let out = weft(&[&fixed, more].concat()).finish();
    assert_eq!((out.status, out.stdout.as_str()), (0, RESULT), "{}", out.stderr);
    out
}

fn cache_command(cache: &str, action: &str) -> String {
    let out = weft(&["cache", action, "--cache-dir", cache]).finish();
    assert_eq!((out.status, out.stderr.as_str()), (0, ""));
    out.stdout
}

fn kernels(folder: &Path) -> Vec<PathBuf> {
    let shards = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let files = shards.filter(|p| p.is_dir()).flat_map(|s| std::fs::read_dir(s).unwrap());
    files.map(|e| e.unwrap().path()).collect()
}

#[test]
fn a_second_run_loads_what_the_first_compiled() {
    let folder = Folder::new("cache-second");
    let cache = folder.path("cache");
    assert!(run_in(&cache, &[]).stderr.contains("compile"));
    let second = run_in(&cache, &[]).stderr;
    assert!(second.contains("load") && !second.contains("compile"), "{second}");
    assert!(run_in(&cache, &["--strict-fp"]).stderr.contains("compile"), "other loops");
    assert_eq!(cache_command(&cache, "dir"), format!("{cache}\n"));
    assert!(cache_command(&cache, "size").starts_with("2 kernels, "));
    assert!(cache_command(&cache, "clear").starts_with("removed 2 kernels, "));
    assert_eq!(cache_command(&cache, "size"), "0 kernels, 0 bytes\n");
    assert!(run_in(&cache, &[]).stderr.contains("compile"));
}

#[test]
fn damaged_machine_code_is_made_anew() {
    let folder = Folder::new("cache-damaged");
    let cache = folder.path("cache");
    run_in(&cache, &[]);
    let [kernel] = &kernels(Path::new(&cache))[..] else { panic!("one kernel") };
    let whole = std::fs::read(kernel).unwrap();
    for keep in [0, 40, whole.len() / 2, whole.len() - 1] {
        let mut damaged = whole[..keep].to_vec();
        damaged.resize(whole.len(), 0x90);
        std::fs::write(kernel, damaged).unwrap();
        assert!(run_in(&cache, &[]).stderr.contains("compile"), "damaged behind byte {keep}");
        assert!(run_in(&cache, &[]).stderr.contains("load"), "and replaced");
    }
}

#[test]
fn without_a_place_for_it_a_run_is_none_the_worse_and_says_so_when_asked() {
    let folder = Folder::new("cache-nowhere");
    let file = folder.path("file");
    std::fs::write(&file, "no folder").unwrap();
    let blocked = format!("{file}/cache");
    let out = run_in(&blocked, &[]);
    assert_eq!(out.stderr.matches("machine code is not kept").count(), 1, "{}", out.stderr);
    let quiet = ["run", "--tier", "native", "-c", PROGRAM, "--cache-dir", &blocked];
    assert_eq!(weft(&quiet).finish().stderr, "");
    assert!(run_in("off", &[]).stderr.contains("machine code is not kept"));
    let homeless = weft(&["run", "--tier", "native", "-c", PROGRAM]);
    let homeless = homeless.env("XDG_CACHE_HOME", "").env("HOME", "").finish();
    assert_eq!((homeless.status, homeless.stdout.as_str()), (0, RESULT));
}

/// As with a full disk: files of this process cannot grow beyond some hundred bytes.
#[test]
fn what_does_not_fit_on_the_disk_leaves_nothing_behind() {
    let folder = Folder::new("cache-full");
    let cache = folder.path("cache");
    let command = env!("CARGO_BIN_EXE_weft");
    let script = format!("trap '' XFSZ; ulimit -f 1; exec \"{command}\" \"$@\"");
    let arguments = ["run", "--tier", "native", "-v", "-c", PROGRAM, "--cache-dir", &cache];
    let mut shell = std::process::Command::new("sh");
    let out = shell.args(["-c", &script, "sh"]).args(arguments).output().unwrap();
    let stderr = String::from_utf8_lossy(&out.stderr);
    assert_eq!(String::from_utf8_lossy(&out.stdout), RESULT, "{stderr}");
    assert!(stderr.contains("machine code is not kept"), "{stderr}");
    assert!(kernels(Path::new(&cache)).is_empty());
}

#[test]
fn threads_are_counted_from_one() {
    for count in ["1", "2", "7"] {
        let out = weft(&["run", "--threads", count, "--tier", "native", "-c", PROGRAM]).finish();
        assert_eq!((out.status, out.stdout.as_str()), (0, RESULT));
    }
    for wrong in ["0", "-1", "many", "100000"] {
        let out = weft(&["run", "-c", PROGRAM]).env("WEFT_THREADS", wrong).finish();
        assert_eq!(out.status, 2, "{}", out.stderr);
    }
}
