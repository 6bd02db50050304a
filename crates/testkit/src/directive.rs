//! What a case says of itself, in comments.
//!
//! | comment | meaning |
//! |---|---|
//! | `//@ expect: LINE` | the next line of standard output (else `CASE.stdout` holds it) |
//! | `//@ args: …` | arguments as of `weft run`; files are relative to the case |
//! | `//@ executors: NAME… (reason)` | runs only there: `evaluator`, `native`, `plain` |
//! | `//@ kink: REASON` | in `grad`: differences say nothing here, the output is stated |
//! | `//@ tolerance: 1e-6` | numbers of the output may differ by so much, relatively |
//! | `//@ error: E1101` | a diagnostic without a place |
//! | `//@ file: a/b.ein` | what follows is the text of that module |
//! | `//@ folder: NAME` | each run begins in a folder of its own, with the files of `NAME` beside the case (`empty`: none) |
//! | `//@ known-bug: TEXT` | in `tests/known`: what is wrong |
//! | `//@ cpu: avx2` or `avx512` | in `tests/ir`: the processor that loops are made for |
//! | `//@ emit: STAGE…` | in `tests/ir`: the stage beside the case; `planned` is the graph after the plan's passes, `after-PASS`, `only-PASS` and `without-PASS` those behind one pass, with it alone, and without it |
//! | `//@ kernels: N`, `allocates: N`, `window(x): N`, `stores(x): none` or `whole` | structure of native code |
//! | `//@ flops: <= N` | native code makes at most so many operations on floats |
//! | `//~ CODE…` | diagnostics on this line; `//~^ CODE` on the line above |

use crate::Failure;
use weft::Cpu;

/// The directives of a case.
#[derive(Clone, Debug, Default)]
pub struct Directives {
    /// Lines of standard output, if the case states them itself.
    pub expect: Option<Vec<String>>,
    /// Words of `weft run`.
    pub args: Vec<String>,
    /// Where it runs, if not everywhere.
    pub executors: Option<Vec<String>>,
    /// Relative difference that numbers may have.
    pub tolerance: Option<f64>,
    /// Diagnostics: code, and line where they have one.
    pub diagnostics: Vec<(String, Option<usize>)>,
    /// Why differences say nothing here, in a case about derivatives.
    pub kink: Option<String>,
    /// The folder beside the case whose files each run finds beside the program.
    pub folder: Option<String>,
    /// What is known to be wrong.
    pub known_bug: Option<String>,
    /// The stages to show.
    pub emit: Vec<String>,
    /// The processor that the stages are for.
    pub cpu: Option<Cpu>,
    /// Claims of structure.
    pub claims: Vec<Claim>,
}

/// A claim about native code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// `kernels`, `window`, …
    pub kind: String,
    /// The definition it is about.
    pub of: Option<String>,
    /// What is claimed.
    pub value: String,
}

impl Directives {
    /// The directives of a text.
    pub fn parse(text: &str) -> Result<Directives, Failure> {
        let mut found = Directives::default();
        for (at, line) in text.lines().enumerate() {
            if let Some((_, directive)) = line.split_once("//@ ") {
                found.directive(directive).map_err(|e| format!("line {}: {e}", at + 1))?;
            } else if line.contains("//@") {
                found.empty_expect(line).map_err(|e| format!("line {}: {e}", at + 1))?;
            }
            if let Some((_, codes)) = line.split_once("//~") {
                found.annotation(codes, at + 1);
            }
        }
        Ok(found)
    }

    /// `//@expect` forms are typing errors, not silently comments.
    fn empty_expect(&mut self, line: &str) -> Result<(), Failure> {
        Err(format!("no directive: `{}`", line.trim()))
    }

    fn annotation(&mut self, codes: &str, line: usize) {
        let (codes, line) = match codes.strip_prefix('^') {
            Some(codes) => (codes, line - 1),
            None => (codes, line),
        };
        let codes = codes.split_whitespace().map(|code| (code.to_string(), Some(line)));
        self.diagnostics.extend(codes);
    }

    fn directive(&mut self, text: &str) -> Result<(), Failure> {
        let (name, value) = text.split_once(':').ok_or_else(|| format!("no `:` in `{text}`"))?;
        // Output may begin with blanks: only the one behind the colon is taken away.
        let raw = value.strip_prefix(' ').unwrap_or(value);
        let value = value.trim();
        match name.trim() {
            "expect" => self.expect.get_or_insert_default().push(raw.to_string()),
            "args" => self.args.extend(words(value)),
            "executors" => self.executors = Some(executors(value)?),
            "tolerance" => {
                self.tolerance = Some(value.parse().map_err(|_| "tolerance is no number")?);
            }
            "error" => self.diagnostics.push((value.to_string(), None)),
            "kink" => self.kink = Some(value.to_string()),
            "cpu" => self.cpu = Some(crate::arguments::cpu(value)?),
            "folder" => self.folder = Some(value.to_string()),
            "known-bug" => self.known_bug = Some(value.to_string()),
            "emit" => self.emit.extend(value.split_whitespace().map(String::from)),
            name => self.claims.push(claim(name, value)?),
        }
        Ok(())
    }
}

/// Words at blanks; single quotes keep blanks inside a word.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut quoted, mut inside) = (false, false);
    for c in text.chars() {
        match c {
            '\'' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => inside = false,
            c => {
                if !std::mem::replace(&mut inside, true) {
                    words.push(String::new());
                }
                words.last_mut().expect("just pushed").push(c);
            }
        }
    }
    words
}

/// Names, then the reason in parentheses, which must be there.
fn executors(text: &str) -> Result<Vec<String>, Failure> {
    let (names, reason) = text.split_once('(').ok_or("`executors` needs a (reason)")?;
    if reason.trim_end_matches(')').trim().is_empty() {
        return Err("`executors` needs a (reason)".into());
    }
    Ok(names.split([',', ' ']).filter(|n| !n.is_empty()).map(String::from).collect())
}

fn claim(name: &str, value: &str) -> Result<Claim, Failure> {
    let (kind, of) = match name.split_once('(') {
        Some((kind, of)) => (kind, Some(of.trim_end_matches(')').to_string())),
        None => (name, None),
    };
    let takes_name = match kind {
        "window" | "stores" => true,
        "kernels" | "allocates" | "flops" => false,
        _ => return Err(format!("unknown directive `{name}`")),
    };
    if takes_name != of.is_some() {
        return Err(format!("`{kind}` {} a name", if takes_name { "needs" } else { "takes no" }));
    }
    Ok(Claim { kind: kind.to_string(), of, value: value.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_lines_keep_their_blanks() {
        let d = Directives::parse("//@ expect:  a \nx\n//@ expect: b").unwrap();
        assert_eq!(d.expect, Some(vec![" a ".to_string(), "b".to_string()]));
    }

    #[test]
    fn annotations_belong_to_lines() {
        let d = Directives::parse("a //~ E0501 unused-name\nb\n//~^ E0425\n").unwrap();
        let expected = [("E0501", 1), ("unused-name", 1), ("E0425", 2)];
        let expected = expected.map(|(c, l)| (c.to_string(), Some(l)));
        assert_eq!(d.diagnostics, expected);
    }

    #[test]
    fn arguments_are_split_as_a_shell_does() {
        let d = Directives::parse("//@ args: --input x=1  -i 'y=[1, 2]'").unwrap();
        assert_eq!(d.args, ["--input", "x=1", "-i", "y=[1, 2]"]);
    }

    #[test]
    fn claims_name_a_definition_or_none() {
        let d = Directives::parse("//@ window(u): 2\n//@ kernels: 1").unwrap();
        assert_eq!(d.claims[0].of.as_deref(), Some("u"));
        assert_eq!(d.claims[1], claim("kernels", "1").unwrap());
    }

    #[test]
    fn what_means_nothing_is_refused() {
        for text in ["//@ expct: 1", "//@ executors: native", "//@ window: 2", "//@expect: 1"] {
            assert!(Directives::parse(text).is_err(), "{text}");
        }
    }
}
