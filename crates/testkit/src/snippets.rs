//! The snippets of the README and of the pages about the language run clean: blocks fenced as `ein`, and where a block fenced
//! as `text` follows directly, that is what they print. And the table of coverage is true.

use crate::arguments::Arguments;
use crate::execute::{Executor, execute};
use crate::{Failure, root, snapshot, trial};
use libtest_mimic::Trial;

/// The pages.
const PAGES: [&str; 2] = ["README.md", "docs/numbers.md"];

/// A test per snippet.
pub fn trials() -> Vec<Trial> {
    let mut trials: Vec<Trial> = PAGES.into_iter().flat_map(of_page).collect();
    trials.push(trial("docs/coverage.md", check_coverage));
    trials
}

fn of_page(page: &'static str) -> Vec<Trial> {
    let text = std::fs::read_to_string(root().join(page)).unwrap_or_default();
    let snippets = snippets(&text).into_iter().enumerate();
    let all = snippets.map(|(at, (program, output))| {
        trial(format!("{page} {}", at + 1), move || check(page, &program, output.as_deref()))
    });
    all.collect()
}

/// What the table of coverage points at is there.
fn check_coverage() -> Result<(), Failure> {
    let text = std::fs::read_to_string(root().join("docs/coverage.md"))
        .map_err(|e| format!("docs/coverage.md: {e}"))?;
    let quoted = text.split('`').skip(1).step_by(2).filter(|path| path.contains('/'));
    let missing: Vec<&str> = quoted.filter(|path| !root().join(path).exists()).collect();
    match missing.as_slice() {
        [] => Ok(()),
        missing => Err(format!("not there: {}", missing.join(", "))),
    }
}

fn check(page: &str, program: &str, output: Option<&str>) -> Result<(), Failure> {
    let outcome =
        execute(&page.replace(".md", ".ein"), program, &Arguments::default(), Executor::Native)?;
    if !outcome.succeeded() {
        return Err(outcome.stderr);
    }
    output.map_or(Ok(()), |expected| snapshot::compare(expected, &outcome.stdout))
}

/// Programs, each with the output that the text shows for it.
fn snippets(text: &str) -> Vec<(String, Option<String>)> {
    let mut found: Vec<(String, Option<String>)> = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("```") {
        let Some((kind, after)) = after.split_once('\n') else { break };
        let Some((body, after)) = after.split_once("```") else { break };
        match (kind.trim(), found.last_mut()) {
            ("ein", _) => found.push((body.to_string(), None)),
            ("text", Some(last)) if before.trim().is_empty() => last.1 = Some(body.to_string()),
            _ => {}
        }
        rest = after;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::snippets;

    #[test]
    fn output_belongs_to_the_program_before_it() {
        let text = "a\n```ein\nprint(1);\n```\n\n```text\n1\n```\n```sh\nls\n```\n```ein\n2\n```\n";
        let expected = [("print(1);\n".into(), Some("1\n".into())), ("2\n".into(), None)];
        assert_eq!(snippets(text), expected);
    }
}
