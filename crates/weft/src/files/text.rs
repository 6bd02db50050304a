//! Text files, in UTF-8.

use super::{room_for, unreadable, wrong};
use std::io::{self, Read, Write};
use std::path::Path;
use weft_host::Refused;

/// A whole file.
pub(super) fn read(path: &Path, limit: u64) -> Result<String, Refused> {
    let fail = |e: io::Error| unreadable(path, &e);
    let file = weft_runtime::open_regular(path).map_err(fail)?;
    room_for(file.metadata().map_err(fail)?.len(), limit, path)?;
    let mut bytes = Vec::new();
    // Whoever writes it meanwhile does not make it longer than is allowed.
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(fail)?;
    room_for(bytes.len() as u64, limit, path)?;
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        wrong(path, &format!("it is no text in UTF-8 from byte {at} on"))
    })
}

/// Writes a text in parts, so that the end of a run is seen between them.
pub(super) fn put(to: &mut impl Write, text: &str) -> io::Result<()> {
    text.as_bytes().chunks(1 << 20).try_for_each(|part| to.write_all(part))
}
