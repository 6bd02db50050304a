//! Claims about native code: kernels, storage, windows.

use crate::Failure;
use crate::arguments::Arguments;
use crate::case::Case;
use crate::directive::Claim;
use weft::{Session, Store, Structure};

/// Holds the claims of a case against the plan of its program.
pub fn check(case: &Case, arguments: &Arguments) -> Result<(), Failure> {
    if case.directives.claims.is_empty() {
        return Ok(());
    }
    let options = crate::execute::options(arguments);
    let (program, _) = Session::new().check(&case.file_name(), &case.text, &options);
    let program = program.ok_or("the program is refused")?;
    let structure = weft::structure(&program)?;
    let wrong: Vec<String> =
        case.directives.claims.iter().filter_map(|c| holds(c, &structure).err()).collect();
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
