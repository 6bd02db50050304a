//! The tests of the extension module, which are Python: `tests/*.py` beside this file, with the
//! library that cargo made for them.

use std::path::Path;
use std::process::Command;

#[test]
fn python_tests() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("there is no python3: the extension module is not tested");
        return;
    }
    let exe = std::env::current_exe().expect("this program has a path");
    let library = exe.with_file_name("lib_weft.so");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut script = Command::new(root.join("scripts/python.sh"));
    let ended = script.arg("test").arg(library).status().expect("the script starts");
    assert!(ended.success(), "the tests in crates/python/tests fail");
}
