//! What a recurrence will take is known to the byte before it runs.
//!
//! Under `verify` a call compares the buffers that it holds with what was announced; here
//! the known recurrences run under a limit of exactly that, and do not below it.

use std::path::PathBuf;
use weft::{Options, RunOptions, Session, Tier};

fn cases() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/structure/recurrences");
    let all = std::fs::read_dir(folder).expect("the cases are there");
    let paths = all.map(|e| e.expect("a folder lists its files").path());
    let mut cases: Vec<PathBuf> =
        paths.filter(|p| p.extension().is_some_and(|e| e == "ein")).collect();
    cases.sort();
    cases
}

fn runs(text: &str, limit: u64) -> bool {
    runs_on(Tier::Native, text, limit)
}

fn runs_on(tier: Tier, text: &str, limit: u64) -> bool {
    let mut session = Session::new();
    let options = Options::default();
    let (program, found) = session.check("test.ein", text, &options);
    let program = program.unwrap_or_else(|| panic!("{found:?}"));
    let how = RunOptions { tier, memory_limit: limit, verify: true, ..RunOptions::default() };
    session.run(&program, &options, &how, &|_| false, &mut Vec::new()).is_ok()
}

/// The bytes of the one segment of a program; `None` where there are more, whose results
/// are there together.
fn announced(text: &str) -> Option<u64> {
    let mut session = Session::new();
    let (options, how) = (Options::default(), RunOptions::default());
    let (program, _) = session.check("test.ein", text, &options);
    let explained = session.explain(&program.expect("it checks"), None, &options, &how).ok()?;
    let mut lines = explained.lines().filter_map(|l| l.strip_prefix("segment "));
    let line = lines.next().filter(|_| lines.next().is_none())?;
    let (_, bytes) = line.split_once(": ")?;
    bytes.strip_suffix(" bytes in buffers")?.parse().ok()
}

#[test]
fn recurrences_take_what_is_announced() {
    let mut held = 0;
    for path in cases() {
        let text = std::fs::read_to_string(&path).expect("a case is text");
        let Some(bytes) = announced(&text) else { continue };
        held += 1;
        assert!(runs(&text, bytes), "{path:?} not with {bytes} bytes");
        // What does not fit together may fit one by one.
        if text.matches("print(").count() == 1 {
            assert!(!runs(&text, bytes - 1), "{path:?} with less than {bytes} bytes");
        }
    }
    assert!(held >= 8, "only {held} cases have one segment");
}

/// A fold over many indices of one value each is one step, and has two cells for each of them: the
/// evaluator would keep them all at once, which is work too.
#[test]
fn few_points_with_many_cells_are_compiled() {
    let indices: Vec<String> = (0..22).map(|n| format!("i{n}")).collect();
    let ranges: Vec<String> = indices.iter().map(|i| format!("{i} in 0..1")).collect();
    let text = format!(
        "fn step(a, x) {{ a + x }}\nprint(reduce[step, 0, {}]({}));\n",
        ranges.join(", "),
        indices.join(" + ")
    );
    let limit = 32 << 20;
    assert!(!runs_on(Tier::Evaluator, &text, limit), "the evaluator keeps no window");
    assert!(runs_on(Tier::Auto, &text, limit));
}
