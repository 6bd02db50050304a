//! The snippets of the README and of the pages about the language run clean: blocks fenced as `ein`, and where a block fenced
//! as `text` follows directly, that is what they print. Those fenced as `ein,fails` are refused or fail. And the table of
//! coverage is true.

use crate::arguments::Arguments;
use crate::execute::{Executor, execute};
use crate::scratch::Scratch;
use crate::{Failure, root, snapshot, trial};
use libtest_mimic::Trial;
use std::sync::Arc;

/// The pages.
const PAGES: [&str; 4] = ["README.md", "docs/files.md", "docs/language.md", "docs/numbers.md"];

/// What a page says of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Claim {
    /// It runs, without a word.
    Runs,
    /// It runs, without a word, and prints this.
    Prints(String),
    /// It is refused, or fails.
    Fails,
}

/// A test per snippet.
pub fn trials() -> Vec<Trial> {
    let mut trials: Vec<Trial> = PAGES.into_iter().flat_map(of_page).collect();
    trials.push(trial("docs/coverage.md", check_coverage));
    trials
}

fn of_page(page: &'static str) -> Vec<Trial> {
    let text = std::fs::read_to_string(root().join(page)).unwrap_or_default();
    let snippets = snippets(&text).into_iter().enumerate();
    let all = snippets.map(|(at, (program, claim))| {
        trial(format!("{page} {}", at + 1), move || check(page, &program, &claim))
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

fn check(page: &str, program: &str, claim: &Claim) -> Result<(), Failure> {
    let scratch = Some(Arc::new(Scratch::new(None)?));
    let arguments = Arguments { scratch, ..Arguments::default() };
    let outcome = execute(&page.replace(".md", ".ein"), program, &arguments, Executor::Native)?;
    match claim {
        Claim::Fails if outcome.succeeded() => Err("the page says that this fails".to_string()),
        Claim::Fails => Ok(()),
        Claim::Runs | Claim::Prints(_) if !outcome.diagnostics.is_empty() => Err(outcome.stderr),
        Claim::Runs => Ok(()),
        Claim::Prints(expected) => snapshot::compare(expected, &outcome.stdout),
    }
}

/// Programs, each with what the text claims of it.
fn snippets(text: &str) -> Vec<(String, Claim)> {
    let mut found: Vec<(String, Claim)> = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("```") {
        let Some((kind, after)) = after.split_once('\n') else { break };
        let Some((body, after)) = after.split_once("```") else { break };
        match (kind.trim(), found.last_mut()) {
            ("ein", _) => found.push((body.to_string(), Claim::Runs)),
            ("ein,fails", _) => found.push((body.to_string(), Claim::Fails)),
            ("text", Some((_, claim @ Claim::Runs))) if before.trim().is_empty() => {
                *claim = Claim::Prints(body.to_string());
            }
            _ => {}
        }
        rest = after;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Claim, snippets};

    #[test]
    fn output_belongs_to_the_program_before_it() {
        let text = "a\n```ein\nprint(1);\n```\n\n```text\n1\n```\n```sh\nls\n```\n```ein\n2\n```\n```ein,fails\n[\n```\n";
        let expected = [
            ("print(1);\n".into(), Claim::Prints("1\n".into())),
            ("2\n".into(), Claim::Runs),
            ("[\n".into(), Claim::Fails),
        ];
        assert_eq!(snippets(text), expected);
    }
}
