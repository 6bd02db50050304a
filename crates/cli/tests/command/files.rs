//! Files that go in and come out.

use crate::process::{Folder, weft};

const PROGRAM: &str = "let x = [1.0, 2.0]; let y[i] = x[i] * 2.0; let n = 3; \
                       let s = \"text\"; let t = (1.5, [1, 2]); let z = 0.0 / 0.0;";

#[test]
fn a_folder_receives_every_top_level_name() {
    let folder = Folder::new("all");
    let out = weft(&["run", "-c", PROGRAM, "--out-dir", &folder.path("out")]).finish();
    assert_eq!((out.status, out.stdout.as_str()), (0, ""), "{}", out.stderr);
    let list = weft(&["run", "-c", "1"]).inside(&folder).finish();
    assert_eq!(list.status, 0);
    let mut names: Vec<String> = std::fs::read_dir(folder.path("out"))
        .unwrap()
        .map(|f| f.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let expected = ["n.npy", "outputs.json", "t.0.npy", "t.1.npy", "x.npy", "y.npy", "z.npy"];
    assert_eq!(names, expected);
    let json = std::fs::read_to_string(folder.path("out/outputs.json")).unwrap();
    assert!(json.contains("\"s\": \"text\""), "{json}");
}

#[test]
fn only_the_names_asked_for_are_written() {
    let folder = Folder::new("some");
    let file = folder.path("w.npy");
    let out = weft(&["run", "-c", PROGRAM, "--output", &format!("y={file}")]).finish();
    assert_eq!((out.status, out.stdout.as_str()), (0, ""), "{}", out.stderr);
    assert_eq!(folder.files(), ["w.npy"]);
}

#[test]
fn what_is_written_reads_back() {
    let folder = Folder::new("back");
    let file = folder.path("y.npy");
    let program = "let y[i in 0..2, j in 0..3]: f64 = 10 * i + j;";
    let out = weft(&["run", "-c", program, "-o", &format!("y={file}")]).finish();
    assert_eq!(out.status, 0, "{}", out.stderr);
    let reader = "input a: [f64; n, m]; print(n, m); print(a);";
    let out = weft(&["run", "-c", reader, "-i", &format!("a={file}")]).finish();
    assert_eq!(out.stdout, "2 3\n[[ 0.  1.  2.]\n [10. 11. 12.]]\n", "{}", out.stderr);
}

#[test]
fn a_failing_run_leaves_no_file() {
    let folder = Folder::new("none");
    let program = "let y = [1, 2]; let d = 0; let bad = 1 / d;";
    let file = format!("y={}", folder.path("y.npy"));
    let out = weft(&["run", "-c", program, "-o", &file, "-o", "bad"]).finish();
    assert_eq!(out.status, 1);
    assert!(folder.files().is_empty(), "{:?}", folder.files());
}

#[test]
fn one_unwritable_file_leaves_none() {
    let folder = Folder::new("unwritable");
    let good = format!("x={}", folder.path("x.npy"));
    let bad = format!("y={}", folder.path("no/such/folder/y.npy"));
    let out = weft(&["run", "-c", PROGRAM, "-o", &good, "-o", &bad]).finish();
    assert_eq!(out.status, 1);
    assert!(out.stderr.contains("error[E1105]"), "{}", out.stderr);
    assert!(folder.files().is_empty(), "{:?}", folder.files());
}

#[test]
fn a_string_has_no_place_in_a_file() {
    let folder = Folder::new("string");
    let file = format!("s={}", folder.path("s.npy"));
    let out = weft(&["run", "-c", PROGRAM, "-o", &file]).finish();
    assert_eq!(out.status, 1);
    assert!(out.stderr.contains("`s` is a string"), "{}", out.stderr);
}

#[test]
fn a_program_in_a_file_is_named_in_messages() {
    let folder = Folder::new("program");
    std::fs::write(folder.path("p.ein"), "print(y);\n").unwrap();
    let out = weft(&["run", "p.ein"]).inside(&folder).finish();
    assert!(out.stderr.contains("p.ein:1:7"), "{}", out.stderr);
    assert_eq!(out.status, 1);
}
