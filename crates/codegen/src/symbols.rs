//! Where the functions of an object lie, for profilers.

use crate::object_archive;
use object::{Object as _, ObjectSymbol, SymbolKind};

/// A function in an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Which of the object's files it is in.
    pub piece: usize,
    /// Whether it can be asked for by name.
    pub exported: bool,
    /// Where it begins, in bytes from the begin of its section.
    pub offset: u64,
    /// How long it is, in bytes.
    pub size: u64,
}

/// The functions of an object, file after file, in the order of their addresses; an error
/// where the bytes are no object.
pub fn symbols(bytes: &[u8]) -> Result<Vec<Symbol>, String> {
    let mut found = Vec::new();
    for (piece, file) in object_archive::split(bytes)?.into_iter().enumerate() {
        let file = object::File::parse(file).map_err(|e| e.to_string())?;
        let functions = file.symbols().filter(|s| s.kind() == SymbolKind::Text && s.size() > 0);
        found.extend(functions.map(|s| Symbol {
            name: s.name().unwrap_or("unnamed").to_string(),
            piece,
            exported: s.is_global(),
            offset: s.address(),
            size: s.size(),
        }));
    }
    found.sort_by_key(|s| (s.piece, s.offset));
    Ok(found)
}
