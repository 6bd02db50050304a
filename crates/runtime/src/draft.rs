//! Files that appear as a whole or not at all.
//!
//! A draft is written under a name of its own in the folder where it will stand, and renamed
//! into place. Its name is drawn at random and must be new, so that nobody can put a link
//! where it will be. Its writer holds a lock on it, which dies with the process: a file with
//! the name of a draft, of this user, that nobody holds was left by a process that was
//! killed, and whoever next writes into the folder removes it.

use crate::regular::must_be_regular;
use rustix::process::{Resource, Rlimit, geteuid, getrlimit, setrlimit};
use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

const PREFIX: &str = ".weft-";
const SUFFIX: &str = ".partial";
/// Hexadecimal digits of the random part of a name, and of its check.
const DRAWN: usize = 32;
const CHECK: usize = 16;

/// A file being written, locked. Removed unless published.
#[derive(Debug)]
pub struct Draft {
    file: File,
    path: PathBuf,
    published: bool,
}

impl Draft {
    /// A new file in a folder, with these permissions where the process grants them.
    ///
    /// # Errors
    ///
    /// Where the folder cannot be written to.
    pub fn new(folder: &Path, mode: u32) -> io::Result<Draft> {
        loop {
            let path = folder.join(name());
            let create = || OpenOptions::new().write(true).create_new(true).mode(mode).open(&path);
            let file = match create() {
                Err(e) if e.raw_os_error() == Some(rustix::io::Errno::MFILE.raw_os_error()) => {
                    allow_more_files();
                    create()?
                }
                made => made?,
            };
            let draft = Draft { file, path, published: false };
            // Without locks nobody takes it for abandoned.
            let _ = draft.file.lock();
            // Until here somebody may have taken it for abandoned, and removed it.
            if is_at(&draft.file, &draft.path) {
                return Ok(draft);
            }
        }
    }

    /// What to write into.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Puts the file in its place, as it is.
    ///
    /// # Errors
    ///
    /// Where that place cannot be taken; the file is removed then.
    pub fn publish(mut self, place: &Path) -> io::Result<()> {
        fs::rename(&self.path, place)?;
        self.published = true;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.published {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A draft of what stands, or will stand, under a name. A link is followed: what it leads to
/// is written, and the link stays.
#[derive(Debug)]
pub struct Replacement {
    draft: Draft,
    place: PathBuf,
}

impl Replacement {
    /// Begins to write the file `path`.
    ///
    /// # Errors
    ///
    /// Where it cannot be written, or is there and is no regular file.
    pub fn of(path: &Path) -> io::Result<Replacement> {
        let place = written_place(path)?;
        let folder = place.parent().unwrap_or(Path::new("/"));
        let old = permissions_of(&place)?;
        remove_abandoned(folder);
        let draft = Draft::new(folder, NEW_FILE)?;
        if let Some(old) = old {
            draft.file.set_permissions(old)?;
        }
        Ok(Replacement { draft, place })
    }

    /// What to write into.
    pub fn file(&mut self) -> &mut File {
        self.draft.file()
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    ///
    /// As [`Draft::publish`].
    pub fn publish(self) -> io::Result<()> {
        self.draft.publish(&self.place)
    }
}

/// What a process asks for where there was no file; its mask takes from it.
const NEW_FILE: u32 = 0o666;

/// Links within each other; the system gives up there too.
const MOST_LINKS: usize = 40;

/// The place where what is written under a name will stand: no part of it is a link.
///
/// # Errors
///
/// Where its folder is not there, links go round, or one is not to be trusted.
pub fn written_place(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")))?;
        let place = folder.join(name);
        match fs::symlink_metadata(&place) {
            Ok(data) if data.is_symlink() => {
                must_be_trusted(&data, &fs::metadata(&folder)?)?;
                path = folder.join(fs::read_link(&place)?);
            }
            Ok(_) => return Ok(place),
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(place),
            Err(e) => return Err(e),
        }
    }
    Err(io::Error::other("too many links lead to each other"))
}

/// In a folder that others may write, their links would lead into any file of this user's.
fn must_be_trusted(link: &Metadata, folder: &Metadata) -> io::Result<()> {
    let own = link.uid() == geteuid().as_raw() || link.uid() == folder.uid();
    match own || folder.mode() & 0o022 == 0 {
        true => Ok(()),
        false => Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it is another user's link, in a folder that others may write",
        )),
    }
}

/// The permissions of the file that will be replaced, which this process must be allowed to
/// write.
fn permissions_of(place: &Path) -> io::Result<Option<Permissions>> {
    let data = match fs::metadata(place) {
        Ok(data) => data,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(e),
    };
    must_be_regular(&data)?;
    let no_wait = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    OpenOptions::new().write(true).custom_flags(no_wait).open(place)?;
    Ok(Some(Permissions::from_mode(data.mode() & 0o777)))
}

/// Removes the drafts that processes of this user left in a folder when they were killed.
pub fn remove_abandoned(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(|e| is_name(&e.file_name())) {
        let path = entry.path();
        let Ok(file) = crate::open_regular(&path) else { continue };
        let own = file.metadata().is_ok_and(|d| d.uid() == geteuid().as_raw());
        if own && file.try_lock().is_ok() && is_at(&file, &path) {
            // Another process may have been faster.
            let _ = fs::remove_file(&path);
        }
    }
}

/// Lets this process hold as many files open as the system grants it: each draft is one.
fn allow_more_files() {
    let files = Resource::Nofile;
    let limit = getrlimit(files);
    let _ = setrlimit(files, Rlimit { current: limit.maximum, ..limit });
}

/// Whether an open file still has this name.
fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

/// A name that nobody can guess, and that no other program gives a file.
fn name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let word = || RandomState::new().hash_one(COUNT.fetch_add(1, Ordering::Relaxed));
    let drawn = format!("{:016x}{:016x}", word(), word());
    format!("{PREFIX}{drawn}{}{SUFFIX}", check(&drawn))
}

/// Whether a name is one that [`name`] gave.
fn is_name(name: &OsStr) -> bool {
    let inner = name.to_str().and_then(|n| n.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    let parts = inner.and_then(|n| n.split_at_checked(DRAWN));
    parts.is_some_and(|(drawn, said)| said == check(drawn))
}

/// What ties a name to this program.
fn check(drawn: &str) -> String {
    let mut digits =
        blake3::hash(format!("a draft of weft {drawn}").as_bytes()).to_hex().to_string();
    digits.truncate(CHECK);
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_by_their_check_and_drawn_anew() {
        let (a, b) = (name(), name());
        assert_ne!(a, b);
        assert!(is_name(OsStr::new(&a)) && is_name(OsStr::new(&b)));
        let other = if a.contains('0') { a.replace('0', "1") } else { a.replace('1', "0") };
        for foreign in [&other, ".weft-.partial", ".y.npy.17.partial", "", ".weft-é.partial"] {
            assert!(!is_name(OsStr::new(foreign)), "{foreign}");
        }
    }
}
