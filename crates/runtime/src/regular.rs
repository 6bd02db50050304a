//! Opening what is a file: a pipe without a writer would be waited for, and a device might
//! answer for ever.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Opens a file for reading; what is no regular file is an error, at once.
///
/// # Errors
///
/// Where it cannot be opened, or is a folder, a pipe, a device or a socket.
pub fn open_regular(path: &Path) -> io::Result<File> {
    must_be_regular(&fs::metadata(path)?)?;
    // Another may stand in its place by now: opening must not wait for that either.
    let no_wait = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(no_wait).open(path)?;
    must_be_regular(&file.metadata()?)?;
    Ok(file)
}

/// Refuses what is no regular file.
pub(crate) fn must_be_regular(data: &Metadata) -> io::Result<()> {
    match (data.is_file(), data.is_dir()) {
        (true, _) => Ok(()),
        (_, true) => Err(io::ErrorKind::IsADirectory.into()),
        _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    }
}
