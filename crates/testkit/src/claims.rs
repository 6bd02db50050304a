//! Claims about native code: kernels, storage, windows, operations.

use crate::Failure;
use crate::arguments::Arguments;
use crate::case::Case;
use crate::directive::Claim;
use std::time::Duration;
use weft::{Checked, Options, RunOptions, Session, Store, Structure, Tier};

/// Holds the claims of a case against the plan of its program.
pub fn check(case: &Case, arguments: &Arguments) -> Result<(), Failure> {
    if case.directives.claims.is_empty() {
        return Ok(());
    }
    let options = crate::execute::options(arguments);
    let mut session = Session::new();
    let how = crate::execute::run_options(arguments);
    let (program, _) = session.check(&case.file_name(), &case.text, &options);
    let program = program.ok_or("the program is refused")?;
    let structure =
        weft::structure(&session, &program, &options, &how).map_err(|e| format!("{e:?}"))?;
    let mut hold = |c: &Claim| match c.kind.as_str() {
        "flops" => work(c, &mut session, &program, (&options, &how)),
        _ => holds(c, &structure),
    };
    let wrong: Vec<String> = case.directives.claims.iter().filter_map(|c| hold(c).err()).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn holds(claim: &Claim, structure: &Structure) -> Result<(), Failure> {
    let (title, found) = match (claim.kind.as_str(), &claim.of) {
        ("kernels", _) => ("kernels".to_string(), structure.kernels.to_string()),
        ("allocates", _) => ("allocates".to_string(), structure.allocates.to_string()),
        (kind, Some(name)) => (format!("{kind}({name})"), store(kind, name, structure)?),
        (kind, None) => return Err(format!("`{kind}` needs a name")),
    };
    if found == claim.value {
        Ok(())
    } else {
        Err(format!("claimed {title}: {}, found {found}", claim.value))
    }
}

/// Where a definition lives, in the words of claims.
fn store(kind: &str, name: &str, structure: &Structure) -> Result<String, Failure> {
    let found = structure.stores.iter().rev().find(|(n, _)| n.as_str() == name);
    let (_, store) = found.ok_or_else(|| format!("no definition is called `{name}`"))?;
    Ok(match (kind, store) {
        ("window", Store::Window(n)) => n.to_string(),
        (_, Store::Window(n)) => format!("window of {n}"),
        (_, Store::None) => "none".into(),
        (_, Store::Whole) => "whole".into(),
    })
}

/// Whether native code makes no more operations on floats than claimed.
fn work(
    claim: &Claim,
    session: &mut Session,
    program: &Checked,
    (options, how): (&Options, &RunOptions<'_>),
) -> Result<(), Failure> {
    let most = claim.value.strip_prefix("<=").and_then(|n| n.trim().parse::<u64>().ok());
    let most = most.ok_or("`flops` is claimed as `<= N`")?;
    let how = RunOptions { tier: Tier::Native, ..how.clone() };
    let report = session.bench(program, options, &how, &[], Duration::ZERO);
    let found = report.map_err(|e| format!("{e:?}"))?.flops;
    if found > most {
        return Err(format!("claimed flops: <= {most}, found {found}"));
    }
    Ok(())
}
