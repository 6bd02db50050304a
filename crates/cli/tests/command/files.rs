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

#[test]
fn lists_and_jagged_arrays_are_in_the_json() {
    let folder = Folder::new("jagged");
    let program = "let jag = [[1, 2], [3]]; let lst = [[i, j] | i in 0..3, j in 0..3, i != j]; \
                   let odd = [[0.0 / 0.0, 1.5], [-1.0 / 0.0]]; \
                   struct P { a: i32, b: str } let ps = [P { a: 1, b: \"x\" }]; \
                   let deep = [[[1, 2], [3]], [[4]]];";
    let out = weft(&["run", "-c", program, "--out-dir", &folder.path("")]).finish();
    assert_eq!((out.status, out.stdout.as_str()), (0, ""), "{}", out.stderr);
    let text = std::fs::read_to_string(folder.path("outputs.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let expected = serde_json::json!({
        "jag": [[1, 2], [3]],
        "odd": [["nan", 1.5], ["-inf"]],
        "ps": [{ "type": "P", "a": 1, "b": "x" }],
        "deep": [[[1, 2], [3]], [[4]]],
    });
    assert_eq!(json, expected);
    // Rows of one length are a tensor, behind a guard too.
    assert!(std::path::Path::new(&folder.path("lst.npy")).exists());
}

#[test]
fn two_outputs_for_one_file_are_wrong_usage() {
    let folder = Folder::new("same");
    std::fs::create_dir(folder.path("o")).unwrap();
    std::os::unix::fs::symlink("s.npy", folder.path("link.npy")).unwrap();
    let wrong: [&[&str]; 5] = [
        &["-o", "y=s.npy", "-o", "z=s.npy"],
        &["-o", "y=s.npy", "-o", "z=./o/../s.npy"],
        &["-o", "y=s.npy", "-o", "z=link.npy"],
        &["-o", "y=s.npy", "-o", "y=s.npy"],
        &["-o", "y=o/z.npy", "-o", "z", "--out-dir", "o"],
    ];
    for args in wrong {
        let program = ["run", "-c", "let z = 2.0; let y = [1.0];"];
        let out = weft(&[&program, args].concat()).inside(&folder).finish();
        assert_eq!(out.status, 2, "{args:?}: {}", out.stderr);
        assert_eq!(folder.files(), ["link.npy", "o"], "{args:?}");
    }
    // Only the run knows the members of a tuple.
    let program = "let t = (1.0, 2.0); let u = 3.0;";
    let args = ["run", "-c", program, "--out-dir", "o", "-o", "t", "-o", "u=o/t.0.npy"];
    let out = weft(&args).inside(&folder).finish();
    assert_eq!(out.status, 1, "{}", out.stderr);
    assert!(out.stderr.contains("is the same file"), "{}", out.stderr);
    assert_eq!(std::fs::read_dir(folder.path("o")).unwrap().count(), 0);
}

#[test]
fn links_lead_to_what_is_written() {
    let folder = Folder::new("links");
    std::fs::create_dir(folder.path("there")).unwrap();
    let link = |to: &str, at: &str| std::os::unix::fs::symlink(to, folder.path(at)).unwrap();
    link("there/y.npy", "y.npy");
    link("y.npy", "again.npy");
    let run =
        |file: &str| weft(&["run", "-c", "let y = [1.0];", "-o", file]).inside(&folder).finish();
    assert_eq!(run("y=again.npy").status, 0, "a link to nothing yet");
    assert_eq!(run("y=again.npy").status, 0);
    let is_link = |name: &str| std::fs::symlink_metadata(folder.path(name)).unwrap().is_symlink();
    assert!(is_link("y.npy") && is_link("again.npy") && !is_link("there/y.npy"));
    assert_eq!(folder.files(), ["again.npy", "there", "y.npy"]);
    link("round.npy", "round.npy");
    assert!(run("y=round.npy").stderr.contains("too many links"));
    std::fs::write(folder.path("there/p.ein"), "let  x=1 ;").unwrap();
    link("there/p.ein", "p.ein");
    assert_eq!(weft(&["fmt", "p.ein"]).inside(&folder).finish().status, 0);
    assert!(is_link("p.ein"));
    assert_eq!(std::fs::read_to_string(folder.path("there/p.ein")).unwrap(), "let x = 1;\n");
}

#[test]
fn a_link_beside_the_output_is_no_draft() {
    let folder = Folder::new("planted");
    std::fs::write(folder.path("victim.txt"), "precious").unwrap();
    let script = format!(
        "ln -s victim.txt .y.npy.$$.partial; exec {} run -q -c 'let y = [1.0];' -o y=y.npy",
        env!("CARGO_BIN_EXE_weft")
    );
    let status = std::process::Command::new("bash")
        .args(["-c", &script])
        .current_dir(folder.path(""))
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(std::fs::read_to_string(folder.path("victim.txt")).unwrap(), "precious");
    assert!(std::fs::symlink_metadata(folder.path("y.npy")).unwrap().is_file());
}

#[test]
fn what_is_replaced_keeps_its_permissions_and_may_refuse() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("modes");
    std::fs::write(folder.path("p.ein"), "let  x=1 ;").unwrap();
    let mode = std::fs::Permissions::from_mode(0o640);
    std::fs::set_permissions(folder.path("p.ein"), mode).unwrap();
    assert_eq!(weft(&["fmt", "p.ein"]).inside(&folder).finish().status, 0);
    let mode = std::fs::metadata(folder.path("p.ein")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    let pipe = std::process::Command::new("mkfifo").arg(folder.path("y.npy")).status().unwrap();
    assert!(pipe.success());
    let out = weft(&["run", "-c", "let y = [1.0];", "-o", "y=y.npy"]).inside(&folder).finish();
    assert_eq!(out.status, 1);
    assert!(out.stderr.contains("it is not a regular file"), "{}", out.stderr);
    let out = weft(&["run", "-c", "input y: [f64; n]; print(n);", "-i", "y=y.npy"]);
    let out = out.inside(&folder).finish();
    assert_eq!(out.status, 1);
    assert!(out.stderr.contains("it is not a regular file"), "{}", out.stderr);
}

#[test]
fn more_outputs_than_a_process_may_open_files() {
    let folder = Folder::new("many");
    let program: String = (0..300).map(|n| format!("let y{n} = {n};\n")).collect();
    std::fs::write(folder.path("p.ein"), program).unwrap();
    let script =
        format!("ulimit -Sn 100; exec {} run p.ein --out-dir o", env!("CARGO_BIN_EXE_weft"));
    let status = std::process::Command::new("bash")
        .args(["-c", &script])
        .current_dir(folder.path(""))
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(std::fs::read_dir(folder.path("o")).unwrap().count(), 301);
}

#[test]
fn what_a_killed_run_left_is_removed_by_the_next() {
    let folder = Folder::new("left");
    let mut draft = weft::Draft::new(folder.path("").as_ref(), 0o600).unwrap();
    std::io::Write::write_all(draft.file(), b"half an ar").unwrap();
    let names = folder.files();
    let [left] = &names[..] else { panic!("one draft") };
    let run = || weft(&["run", "-c", "let y = [1.0];", "-o", "y=y.npy"]).inside(&folder).finish();
    assert_eq!(run().status, 0);
    assert_eq!(folder.files(), [left.as_str(), "y.npy"], "its writer lives");
    // As after its writer's end: the same name, and nobody holds it.
    std::fs::copy(folder.path(left), folder.path("copy")).unwrap();
    std::fs::rename(folder.path("copy"), folder.path(left)).unwrap();
    std::fs::write(folder.path(".y.npy.17.partial"), "of another program").unwrap();
    assert_eq!(run().status, 0);
    assert_eq!(folder.files(), [".y.npy.17.partial", "y.npy"]);
}

#[test]
fn a_program_has_files_beside_its_own() {
    let folder = Folder::new("beside");
    let text = "use std::io::{save_npy, load_npy, script_dir};
        save_npy(\"y.npy\", [1.0, 2.0]);
        let y: [f32; n] = load_npy(\"y.npy\");
        print(n, y); script_dir()";
    std::fs::write(folder.path("p.ein"), text).unwrap();
    let looks: [&[&str]; 4] = [&["check"], &["explain"], &["run", "--emit", "loops"], &["bench"]];
    for look in looks {
        let out = weft(&[look, &[&folder.path("p.ein")]].concat()).finish();
        assert_eq!(folder.files(), ["p.ein"], "{look:?}: {}", out.stderr);
    }
    let out = weft(&["run", &folder.path("p.ein")]).finish();
    let expected = format!("2 [1. 2.]\n{}\n", folder.path("").trim_end_matches('/'));
    assert_eq!((out.status, out.stdout), (0, expected), "{}", out.stderr);
    assert_eq!(folder.files(), ["p.ein", "y.npy"]);
    // From inside the folder too.
    std::fs::remove_file(folder.path("y.npy")).unwrap();
    let out = weft(&["run", "p.ein"]).inside(&folder).finish();
    assert_eq!(out.status, 0, "{}", out.stderr);
    assert_eq!(folder.files(), ["p.ein", "y.npy"]);
}
