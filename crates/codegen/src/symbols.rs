//! Where the functions of an object lie, for profilers.

use object::{Object as _, ObjectSymbol, SymbolKind};

/// A function in an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Where it begins, in bytes from the begin of its section.
    pub offset: u64,
    /// How long it is, in bytes.
    pub size: u64,
}

/// The functions of an object, in the order of their addresses; an error where the bytes
/// are no object.
pub fn symbols(bytes: &[u8]) -> Result<Vec<Symbol>, String> {
    let file = object::File::parse(bytes).map_err(|e| e.to_string())?;
    let functions = file.symbols().filter(|s| s.kind() == SymbolKind::Text && s.size() > 0);
    let mut found: Vec<Symbol> = functions
        .map(|s| Symbol {
            name: s.name().unwrap_or("unnamed").to_string(),
            offset: s.address(),
            size: s.size(),
        })
        .collect();
    found.sort_by_key(|s| s.offset);
    Ok(found)
}
