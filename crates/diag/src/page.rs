//! The examples on the pages of the codes, for the tests that run them.

/// What an example on a page claims.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Claim {
    /// The page's error, and no value.
    Fails,
    /// The page's lint.
    Warns,
    /// Nothing to complain about.
    Works,
}

/// A program on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example<'a> {
    /// What the page claims of it.
    pub claim: Claim,
    /// Arguments of `weft run`, from a first line `// args: …`.
    pub args: Vec<&'a str>,
    /// The program, that line included.
    pub text: &'a str,
}

/// The programs in the fenced blocks `ein,fails`, `ein,warns` and `ein,works` of a page.
pub fn examples(page: &str) -> Vec<Example<'_>> {
    let blocks = page.split("```ein,").skip(1);
    blocks.filter_map(example).collect()
}

fn example(block: &str) -> Option<Example<'_>> {
    let (claim, rest) = block.split_once('\n')?;
    let (text, _) = rest.split_once("```")?;
    let claim = match claim.trim_end() {
        "fails" => Claim::Fails,
        "warns" => Claim::Warns,
        "works" => Claim::Works,
        _ => return None,
    };
    let args = text.lines().next().and_then(|line| line.strip_prefix("// args:"));
    let args = args.map(|args| args.split_whitespace().collect()).unwrap_or_default();
    Some(Example { claim, args, text })
}
