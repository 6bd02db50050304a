//! Kills and interrupts at every moment of a command: nothing is half written, nothing that
//! is not Weft's is touched, and the first Ctrl-C is heard at once.
//!
//! `cargo test` makes some; `make slow` makes 500 (`KILLS` says how many).

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Ends that are tried where nothing is said.
const FEW: u64 = 24;

/// How long the first Ctrl-C may take to end a command, by `make slow` on a quiet machine, and
/// beside a whole suite.
const AT_ONCE: Duration = Duration::from_millis(300);
const BESIDE_A_SUITE: Duration = Duration::from_secs(3);

/// What a command is in the midst of.
struct Stage {
    name: &'static str,
    /// Arguments; files are relative to the folder of the test.
    arguments: &'static [&'static str],
    /// What it takes by itself, about, in milliseconds: ends fall into this time.
    lasts: u64,
}

/// Every stage of a run. Programs that are too long for a line are files of the folder.
const STAGES: [Stage; 7] = [
    Stage { name: "checking", arguments: &["check", "long.ein"], lasts: 1200 },
    Stage {
        name: "code",
        arguments: &["run", "code.ein", "--tier", "native", "--cache-dir", "off"],
        lasts: 700,
    },
    Stage { name: "scan", arguments: &["run", "scan.ein", "--tier", "native"], lasts: 1200 },
    Stage { name: "fold", arguments: &["run", "fold.ein", "--tier", "native"], lasts: 1200 },
    Stage {
        name: "outputs",
        arguments: &["run", "outputs.ein", "--out-dir", "out", "--tier", "native"],
        lasts: 300,
    },
    Stage {
        name: "cache",
        arguments: &["run", "code.ein", "--tier", "native", "--cache-dir", "cache"],
        lasts: 700,
    },
    Stage { name: "layout", arguments: &["fmt", "layout.ein"], lasts: 40 },
];

/// Cells of each of the outputs, and what they hold: a number that tells the whole from a part.
const OUTPUTS: usize = 6;
const CELLS: usize = 1 << 20;

fn programs() -> BTreeMap<&'static str, String> {
    let line = |n: usize| format!("let y{n}[i in 0..9] = 1.0 * i + {n};\n");
    let long: String = (0..20_000).map(line).collect();
    // Many kernels of their own: machine code takes most of the time.
    let kernel = |n: usize| {
        format!(
            "let a{n}[i in 0..64, j in 0..64] = {n}.5 * i - j;\n\
             let b{n}[i, j] = sum[k](a{n}[i, k] * a{n}[k, j]);\n\
             print(sum[i, j](b{n}[i, j]) > 1e30);\n"
        )
    };
    let code = (0..40).map(kernel).collect();
    let scan = "let h[0] = 1.0; let h[t in 1..100000000000] = h[t - 1] * 0.5 + 1.0; \
                print(max[t](h[t]));";
    let fold = "print(reduce[|p, q| p + q, 0.0, j in 0..100000000000](1.0 / (j + 1)));";
    let output = |n: usize| format!("let x{n}[i in 0..{CELLS}]: f64 = {n}.0 + 0.0 * i;\n");
    let outputs = (0..OUTPUTS).map(output).collect();
    BTreeMap::from([
        ("long.ein", long),
        ("code.ein", code),
        ("scan.ein", scan.into()),
        ("fold.ein", fold.into()),
        ("outputs.ein", outputs),
        ("layout.ein", unformatted()),
    ])
}

fn unformatted() -> String {
    (0..3000).map(|n| format!("let  z{n}={n} ;\n")).collect()
}

/// What the layout makes of [`unformatted`].
fn formatted() -> String {
    (0..3000).map(|n| format!("let z{n} = {n};\n")).collect()
}

/// A folder that is gone after the test.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Numbers that look random, the same for one seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % n
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |n| n.parse().expect("a number"))
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_weft"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("WEFT_") {
            command.env_remove(name);
        }
    }
    command.args(arguments).current_dir(folder).env("XDG_CACHE_HOME", folder.join("home"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().expect("the command starts")
}

fn signal(child: &Child, name: &str) {
    let line = format!("kill -{name} {} 2>/dev/null", child.id());
    let _ = Command::new("sh").args(["-c", &line]).status().expect("a shell");
}

/// How a command ended, and how long that took; the status is -1 where a signal ended it.
fn end(mut child: Child, asked: Instant) -> (i32, Duration, String) {
    let status = child.wait().expect("it is ours").code().unwrap_or(-1);
    let took = asked.elapsed();
    let mut said = String::new();
    let stderr = child.stderr.as_mut().expect("piped");
    stderr.read_to_string(&mut said).expect("UTF-8");
    (status, took, said)
}

/// The files of a folder and of those in it, by their paths; drafts apart.
fn files(folder: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let mut all = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type().expect("a kind").is_dir() {
                true => folders.push(entry.path()),
                false => all.push(entry.path()),
            }
        }
    }
    let is_draft =
        |p: &PathBuf| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with(".weft-"));
    all.into_iter().partition(is_draft)
}

/// Each output is the whole of one that the program gives.
fn outputs_are_whole(folder: &Path) {
    for n in 0..OUTPUTS {
        let Ok(bytes) = fs::read(folder.join(format!("x{n}.npy"))) else { continue };
        let (header, numbers) = bytes.split_at(bytes.len() - bytes.len().min(8 * CELLS));
        assert!(header.starts_with(b"\x93NUMPY") && header.ends_with(b"\n"), "x{n} is cut");
        let expected = (n as f64).to_le_bytes();
        assert!(numbers.chunks(8).all(|c| c == expected), "x{n} has other numbers");
    }
    if let Ok(text) = fs::read_to_string(folder.join("outputs.json")) {
        assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text}");
    }
}

#[test]
fn kills_and_interrupts_leave_nothing_half_done() {
    let (count, seed) = (number("KILLS", FEW), number("SEED", 1));
    let patience = if count > FEW { AT_ONCE } else { BESIDE_A_SUITE };
    let name = format!("weft-kills-{}", std::process::id());
    let folder = Folder(std::env::temp_dir().join(name));
    let here = folder.0.as_path();
    for sub in ["out", "cache/a"] {
        fs::create_dir_all(here.join(sub)).unwrap();
    }
    // An empty cache is taken; what lies in it later is not the cache's.
    fs::remove_dir(here.join("cache/a")).unwrap();
    for (file, text) in programs() {
        fs::write(here.join(file), text).unwrap();
    }
    let first = start(here, &["run", "code.ein", "--tier", "native", "--cache-dir", "cache"]);
    assert_eq!(end(first, Instant::now()).0, 0);
    let foreign =
        [".x0.npy.17.partial", "out/.notes", "out/mine.npy", "cache/mine", "cache/drafts/1-0"];
    foreign.iter().for_each(|f| fs::write(here.join(f), "precious").unwrap());
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut slowest = Duration::ZERO;
    let mut ends = BTreeMap::new();
    for n in 0..count {
        let stage = &STAGES[(n % STAGES.len() as u64) as usize];
        if stage.name == "cache" {
            let _ = Command::new(env!("CARGO_BIN_EXE_weft"))
                .args(["cache", "clear", "--cache-dir"])
                .arg(here.join("cache"))
                .output();
        }
        if stage.name == "layout" {
            fs::write(here.join("layout.ein"), unformatted()).unwrap();
        }
        let child = start(here, stage.arguments);
        std::thread::sleep(Duration::from_millis(random.below(stage.lasts)));
        let interrupted = random.below(2) == 0;
        let asked = Instant::now();
        signal(&child, if interrupted { "INT" } else { "KILL" });
        let (status, took, said) = end(child, asked);
        let told =
            format!("end {n} of seed {seed}, {}: {status} after {took:?}: {said}", stage.name);
        // One that ended by itself was faster; a very early Ctrl-C meets no handler yet.
        let expected: &[i32] = if interrupted { &[130, 0, -1] } else { &[-1, 0] };
        assert!(expected.contains(&status), "{told}");
        assert!(
            said.is_empty() || said == "interrupted\n" || said.starts_with("warning"),
            "{told}"
        );
        if interrupted {
            slowest = slowest.max(took);
            assert!(took < patience, "{told}");
        }
        *ends.entry((stage.name, status)).or_insert(0) += 1;
        foreign.iter().for_each(|f| {
            assert_eq!(
                fs::read_to_string(here.join(f)).ok().as_deref(),
                Some("precious"),
                "{told}: {f}"
            );
        });
        outputs_are_whole(&here.join("out"));
        let text = fs::read_to_string(here.join("layout.ein")).unwrap();
        assert!(text == unformatted() || text == formatted(), "{told}");
    }
    // A run that is left alone puts all in order.
    for stage in STAGES.iter().filter(|s| ["outputs", "cache", "layout"].contains(&s.name)) {
        let (status, _, said) = end(start(here, stage.arguments), Instant::now());
        assert_eq!(status, 0, "{}: {said}", stage.name);
    }
    outputs_are_whole(&here.join("out"));
    let (drafts, _) = files(here);
    assert!(drafts.is_empty(), "{drafts:?}");
    println!("{count} ends, the slowest Ctrl-C {slowest:?}: {ends:?}");
}
