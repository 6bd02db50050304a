//! Machine code on disk, found by what it was made from.
//!
//! A store is a folder that any number of processes read and write at once, any of which
//! may die at any moment. Nothing in it is believed: an [entry](entry) states its whole key
//! and a checksum, lies where nobody but this user may write, or is no entry. Writing happens
//! beside the entries, in [drafts](crate::Draft) that are renamed into place; so an entry is
//! there as a whole or not at all, and what a killed process left is known as such.
//!
//! Nothing is removed but what a store made: files with the names of entries, in a folder
//! that says by a tag that it is one. A folder that holds something else gets no tag, and
//! nothing is kept in it.
//!
//! Knows bytes, not what they mean.

mod entry;

use crate::draft::{Draft, remove_abandoned};
use crate::regular::open_regular;
use entry::Digest;
use rustix::process::geteuid;
use std::fs::{self, DirBuilder, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Entries are divided among this many folders, by the first digit of their digest: each
/// keeps its share of the limit, so that a write looks at a part of the store only.
const SHARDS: usize = 16;

/// An entry that was used this long ago is marked as used again.
const FRESH: Duration = Duration::from_secs(3600);

/// The file that says that a folder is a store; programs that copy a user's files know by it
/// that the folder need not be kept.
const TAG_FILE: &str = "CACHEDIR.TAG";
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
    # Machine code kept by weft; it may be removed at any time.\n";

/// What the name of a fact begins with.
const FACT: &str = "fact-";

/// Only this user may read and write what is kept.
const PRIVATE_FILE: u32 = 0o600;
const PRIVATE_FOLDER: u32 = 0o700;

/// A folder of entries.
#[derive(Debug, Clone)]
pub struct Store {
    root: PathBuf,
    limit: u64,
}

/// What a store holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// How many entries.
    pub entries: u64,
    /// Their size together.
    pub bytes: u64,
}

impl Store {
    /// The store in folder `root`, of at most `limit` bytes; the folder need not exist.
    pub fn new(root: PathBuf, limit: u64) -> Store {
        Store { root, limit }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What was kept under this key. What is damaged, or lies where others may write, counts
    /// as absent.
    pub fn fetch(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.read(&self.path(&Digest::of(key)), key)
    }

    /// A fact that was kept under this key, as [`Store::fetch`] has entries.
    pub fn fetch_fact(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.read(&self.fact(key), key)
    }

    fn read(&self, path: &Path, key: &[u8]) -> Option<Vec<u8>> {
        let folders = [self.root.as_path(), path.parent()?];
        let private = |folder: &Path| fs::metadata(folder).is_ok_and(|d| is_private(&d));
        if !folders.into_iter().all(private) {
            return None;
        }
        let mut file = open_regular(path).ok()?;
        let known = file.metadata().ok()?;
        if !is_private(&known) {
            return None;
        }
        let content = entry::read(&mut file, key)?;
        let age = known.modified().ok().and_then(|t| t.elapsed().ok());
        if age.is_none_or(|a| a > FRESH) {
            // Only the order of eviction depends on it.
            let _ = file.set_modified(SystemTime::now());
        }
        Some(content)
    }

    /// Keeps `content` under this key, and lets go of what was not used for longest where
    /// the store grows beyond its limit.
    ///
    /// # Errors
    ///
    /// Where the folder is not the store's or cannot be written to, or the disk is full;
    /// nothing is kept then.
    pub fn keep(&self, key: &[u8], content: &[u8]) -> io::Result<()> {
        let path = self.path(&Digest::of(key));
        let shard = path.parent().expect("an entry is in a shard");
        self.write(shard, &path, (key, content))?;
        self.evict(shard, &path);
        Ok(())
    }

    /// Keeps a fact: a few bytes that are no entry, and stay until the store is cleared.
    ///
    /// # Errors
    ///
    /// As [`Store::keep`].
    pub fn keep_fact(&self, key: &[u8], content: &[u8]) -> io::Result<()> {
        self.write(&self.root, &self.fact(key), (key, content))
    }

    fn write(&self, folder: &Path, path: &Path, (key, content): (&[u8], &[u8])) -> io::Result<()> {
        self.create(folder)?;
        remove_abandoned(&self.drafts());
        let mut draft = Draft::new(&self.drafts(), PRIVATE_FILE)?;
        entry::write(draft.file(), key, content)?;
        draft.publish(path)
    }

    /// What is kept.
    pub fn usage(&self) -> Usage {
        let mut usage = Usage::default();
        for shard in self.shards() {
            for kept in kept_in(&shard) {
                usage.entries += 1;
                usage.bytes += kept.bytes;
            }
        }
        usage
    }

    /// Removes all entries, and what killed processes left; says what was removed.
    ///
    /// # Errors
    ///
    /// Where the folder holds something and is no store, or an entry cannot be removed.
    pub fn clear(&self) -> io::Result<Usage> {
        let mut usage = Usage::default();
        match self.state() {
            State::Absent | State::Empty => return Ok(usage),
            State::Foreign => return Err(foreign()),
            State::Tagged => remove_abandoned(&self.drafts()),
        }
        self.facts().try_for_each(|fact| remove(&fact))?;
        for shard in self.shards() {
            for kept in kept_in(&shard) {
                remove(&kept.path)?;
                usage.entries += 1;
                usage.bytes += kept.bytes;
            }
        }
        Ok(usage)
    }

    fn path(&self, digest: &Digest) -> PathBuf {
        let name = digest.hex();
        self.root.join(&name[..1]).join(name)
    }

    fn fact(&self, key: &[u8]) -> PathBuf {
        self.root.join(format!("{FACT}{}", Digest::of(key).hex()))
    }

    fn facts(&self) -> impl Iterator<Item = PathBuf> {
        let files = fs::read_dir(&self.root).into_iter().flatten().flatten();
        let is_fact = |name: &str| name.strip_prefix(FACT).is_some_and(Digest::is_hex);
        files.filter(move |f| f.file_name().to_str().is_some_and(is_fact)).map(|f| f.path())
    }

    fn drafts(&self) -> PathBuf {
        self.root.join("drafts")
    }

    fn shards(&self) -> impl Iterator<Item = PathBuf> {
        (0..SHARDS).map(|n| self.root.join(format!("{n:x}")))
    }

    /// Creates the folders that an entry needs, for this user alone.
    fn create(&self, shard: &Path) -> io::Result<()> {
        let mut builder = DirBuilder::new();
        builder.recursive(true).mode(PRIVATE_FOLDER);
        builder.create(&self.root)?;
        if !is_private(&fs::metadata(&self.root)?) {
            let why = "others own it, or may write in it: machine code there is not believed";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        }
        match self.state() {
            State::Foreign => return Err(foreign()),
            // Before anything else: a process may be killed behind any step.
            State::Absent | State::Empty => fs::write(self.root.join(TAG_FILE), TAG)?,
            State::Tagged => {}
        }
        builder.create(self.drafts())?;
        builder.create(shard)
    }

    /// What the folder is.
    fn state(&self) -> State {
        let Ok(files) = fs::read_dir(&self.root) else { return State::Absent };
        let tag = self.root.join(TAG_FILE);
        let mut text = Vec::new();
        let read = open_regular(&tag).map(|f| f.take(TAG.len() as u64).read_to_end(&mut text));
        if read.is_ok() && text == TAG.as_bytes() {
            return State::Tagged;
        }
        // Of a process that was killed, or that is writing it.
        let begun = |path: &Path| path == tag && TAG.as_bytes().starts_with(&text);
        match files.flatten().all(|f| begun(&f.path())) {
            true => State::Empty,
            false => State::Foreign,
        }
    }

    /// Keeps a shard within its share of the limit. The entry just written stays: one that
    /// is larger than the share would else be made again each time.
    fn evict(&self, shard: &Path, newest: &Path) {
        let share = self.limit / SHARDS as u64;
        let mut kept: Vec<Kept> = kept_in(shard).collect();
        let mut bytes: u64 = kept.iter().map(|k| k.bytes).sum();
        if bytes <= share {
            return;
        }
        kept.sort_by(|a, b| (a.used, &a.path).cmp(&(b.used, &b.path)));
        for old in kept.iter().filter(|k| k.path != newest) {
            // What another process removed, or nobody may remove, is counted as gone: the
            // next write looks again.
            let _ = fs::remove_file(&old.path);
            bytes -= old.bytes;
            if bytes <= share {
                break;
            }
        }
    }
}

/// A file of a shard.
struct Kept {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

/// What the folder of a store is.
enum State {
    /// There is none that can be read.
    Absent,
    /// Nothing is in it.
    Empty,
    /// Its tag says that it is a store.
    Tagged,
    /// Something else is in it.
    Foreign,
}

fn foreign() -> io::Error {
    let why = format!("it holds other files, and no `{TAG_FILE}` that says that it is a cache");
    io::Error::new(io::ErrorKind::AlreadyExists, why)
}

/// Whether nobody but this user may write.
fn is_private(data: &Metadata) -> bool {
    data.uid() == geteuid().as_raw() && data.mode() & 0o022 == 0
}

/// The entries of a shard, by their names; what else lies there is not the store's.
fn kept_in(shard: &Path) -> impl Iterator<Item = Kept> {
    let files = fs::read_dir(shard).into_iter().flatten().flatten();
    files.filter(|f| f.file_name().to_str().is_some_and(Digest::is_hex)).filter_map(|file| {
        let data = file.metadata().ok().filter(fs::Metadata::is_file)?;
        let used = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        Some(Kept { path: file.path(), bytes: data.len(), used })
    })
}

/// Removes a file; one that is gone already is no error.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}
