//! Functions of files: when they are called, and that damaged files are told at once.
//!
//! `FUZZ_FILES` and `FUZZ_SEED` make longer runs.

mod damage;

use damage::{Random, number};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use weft::{Compiler, Error, Inputs, Modules, Options, RunError, RunOptions, Session, Source};

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("weft-files-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// Modules of a program that lies there.
    fn modules(&self) -> Modules {
        Modules { entry: Some(self.0.join("program.ein")), ..Modules::default() }
    }

    fn source(&self, text: &str) -> Source {
        Source::new("program.ein", text).modules(self.modules())
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap().flatten();
        let mut names: Vec<String> =
            entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const NOTES: &str = "use std::io::{append_file, read_file, resolve_relative_to_script};
let log = resolve_relative_to_script(\"log.txt\");
append_file(log, \"x\");
let seen = read_file(log);
let length = len(seen);
let x = 2.0; let y = x ** 2; let d = @y / @x;";

#[test]
fn each_run_changes_files_once_and_a_further_look_not_at_all() {
    let folder = Folder::new("once");
    let mut program = Compiler::new().compile_source(&folder.source(NOTES)).unwrap();
    assert!(folder.names().is_empty(), "checking changes nothing");
    let asked = Inputs::new().ask("y").ask("seen").ask("length");
    program.run(&asked).unwrap();
    assert_eq!(folder.text("log.txt"), "x");
    program.run(&Inputs::new()).unwrap();
    assert_eq!(folder.text("log.txt"), "xx");
    let outputs = program.run(&asked.look_again()).unwrap();
    assert_eq!(outputs.array("length").and_then(|a| a.get(0).as_i64()), Some(2));
    assert_eq!(folder.text("log.txt"), "xx");
}

#[test]
fn what_only_looks_at_a_program_changes_no_file() {
    let folder = Folder::new("looks");
    let compiler = Compiler::new();
    let source = folder.source(NOTES);
    compiler.explain(&source, None).unwrap();
    let mut program = compiler.compile_source(&source).unwrap();
    program.plan(&Inputs::new().ask("y")).unwrap();
    assert!(folder.names().is_empty(), "{:?}", folder.names());

    std::fs::write(folder.0.join("log.txt"), "kept").unwrap();
    let mut session = Session::new();
    let options = Options { modules: folder.modules(), ..Options::default() };
    let (checked, _) = session.check("program.ein", NOTES, &options);
    let checked = checked.unwrap();
    let checks = session.check_gradients(&checked, &options).unwrap();
    assert_eq!(checks.len(), 1);
    let how = RunOptions::default();
    session.bench(&checked, &options, &how, &["y".to_string()], Duration::ZERO).unwrap();
    assert_eq!(folder.text("log.txt"), "kept");
}

/// How many plans a program has: one for each piece of work.
fn plans(folder: &Folder, text: &str) -> usize {
    let mut program = Compiler::new().compile_source(&folder.source(text)).unwrap();
    let plan = program.plan(&Inputs::new()).unwrap();
    plan.lines().filter(|line| *line == "storage").count()
}

#[test]
fn what_is_written_one_behind_the_other_is_computed_together() {
    let folder = Folder::new("together");
    let text = "use std::io::{load_npy, save_npy};
        let n = 300; let a[0] = 0.0; let a[t in 1..n] = a[t - 1] + t;
        save_npy(\"a.npy\", a); BETWEEN
        let b[t in 0..n] = a[t] + 1.0; save_npy(\"b.npy\", b);";
    assert_eq!(plans(&folder, &text.replace("BETWEEN", "")), 1);
    let reads = "let c: [f32; m] = load_npy(\"a.npy\");";
    assert_eq!(plans(&folder, &text.replace("BETWEEN", reads)), 2);
}

#[test]
fn what_cannot_be_written_leaves_what_is_there() {
    let folder = Folder::new("kept");
    std::fs::write(folder.0.join("w.safetensors"), "old").unwrap();
    // The format has no tensor of this name, which is found while the draft is written.
    let text = "std::io::save_safetensors(\"w.safetensors\", [\"__metadata__\"], (1.0,));";
    let mut program = Compiler::new().compile_source(&folder.source(text)).unwrap();
    let told = program.run(&Inputs::new()).map(|_| ()).expect_err("no tensor has that name");
    assert!(told.to_string().contains("names no tensor"), "{told}");
    assert_eq!((folder.text("w.safetensors").as_str(), folder.names().len()), ("old", 1));
}

#[test]
fn a_write_ends_when_the_run_is_to_end() {
    let folder = Folder::new("ends");
    let text = "std::io::save_npy(\"x.npy\", [1.0, 2.0]);";
    let mut program = Compiler::new().compile_source(&folder.source(text)).unwrap();
    let stop = AtomicBool::new(true);
    let found = program.run(&Inputs::new().interrupt(&stop)).map(|_| ());
    assert!(matches!(found, Err(Error::Interrupted)), "{found:?}");
    assert!(folder.names().is_empty(), "{:?}", folder.names());
    stop.store(false, Ordering::Relaxed);
    program.run(&Inputs::new().interrupt(&stop)).unwrap();
    assert_eq!(folder.names(), ["x.npy"]);
}

#[test]
fn arrays_count_against_the_memory_limit() {
    let folder = Folder::new("memory");
    let write = "input n: i64; let x[i in 0..n]: f64 = i * 1.0; std::io::save_npy(\"x.npy\", x);";
    let mut writer = Compiler::new().compile_source(&folder.source(write)).unwrap();
    writer.run(&Inputs::new().literal("n", "100000")).unwrap();
    let reads = [
        "let x: [f64; n] = std::io::load_npy(\"x.npy\");",
        "let t = std::io::read_file(std::io::resolve_relative_to_script(\"x.npy\"));",
    ];
    for text in reads {
        let compiler = Compiler::new().memory_limit(100_000);
        let mut reader = compiler.compile_source(&folder.source(text)).unwrap();
        let told = reader.run(&Inputs::new()).map(|_| ()).expect_err("800 kB are not allowed");
        assert!(told.to_string().contains("E1106"), "{told}");
    }
}

/// A file with a few bytes changed, removed or repeated, often to extreme ones.
fn mutated(whole: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(5) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes[at] = [0, 0x7f, 0x80, 0xff][random.below(4)],
            2 => bytes.truncate(at.max(1)),
            3 => drop(bytes.remove(at)),
            _ => {
                let end = (at + 1 + random.below(16)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
    bytes
}

/// Files, and how each is read.
const KINDS: [(&str, &str); 10] = [
    ("pair.npz", "load_npz(\"x\", \"b\") as [f64; n, m]"),
    ("packed.npz", "load_npz(\"x\", \"zeros\") as [f32; n, m]"),
    ("model.safetensors", "load_safetensors(\"x\", \"weight\") as [f32; n, m]"),
    ("table.csv", "load_csv(\"x\", 2) as [f64; n, m]"),
    ("grey.png", "load_png(\"x\") as [u8; n, m, p]"),
    ("palette.png", "load_png(\"x\") as [u8; n, m, p]"),
    ("deep.png", "load_png(\"x\") as [u16; n, m, p]"),
    ("plain.pgm", "load_pgm(\"x\") as [u8; n, m, p]"),
    ("deep.pgm", "load_pgm(\"x\") as [u16; n, m, p]"),
    ("columns.npy", "load_npy(\"x\") as [i16; n, m]"),
];

#[test]
fn damaged_files_are_read_or_refused_at_once() {
    let folder = Folder::new("damaged");
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/run/io/files");
    let mut random = Random::new();
    let count = number("FUZZ_FILES", 400);
    let options = Options { modules: folder.modules(), ..Options::default() };
    let how = RunOptions { memory_limit: 1 << 26, ..RunOptions::default() };
    for (name, read) in KINDS {
        let seed = std::fs::read(seeds.join(name)).unwrap();
        let mut session = Session::new();
        let text = format!("let x = std::io::{read}; print(n, m);");
        let (program, found) = session.check("program.ein", &text, &options);
        let program = program.unwrap_or_else(|| panic!("{name}: {found:?}"));
        for n in 0..count {
            // The first is whole.
            let bytes = if n == 0 { seed.clone() } else { mutated(&seed, &mut random) };
            std::fs::write(folder.0.join("x"), &bytes).unwrap();
            let (begin, mut out) = (Instant::now(), Vec::new());
            let found = session.run(&program, &options, &how, &|_| false, &mut out);
            assert!(begin.elapsed() < Duration::from_secs(1), "{name} {n}: {bytes:?}");
            match found {
                Ok(_) => {}
                Err(RunError::Diagnostic(d)) if n > 0 => {
                    assert!(d.code.as_str().starts_with("E11"), "{name} {n}: {d:?}");
                }
                Err(e) => panic!("{name} {n}: {e:?}"),
            }
        }
    }
}
