//! Machine code on disk, found by what it was made from.
//!
//! A store is a folder that any number of processes read and write at once, any of which
//! may die at any moment. Nothing in it is believed: an [entry](entry) states its whole key
//! and a checksum, belongs to this user, or is no entry. Writing happens beside the entries,
//! under a lock that dies with the writer, and ends with a rename; so an entry is there as
//! a whole or not at all, and what a killed process left is known as such.
//!
//! Knows bytes, not what they mean.

mod entry;

use entry::Digest;
use std::fs::{self, DirBuilder, File, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

/// Entries are divided among this many folders, by the first digit of their digest: each
/// keeps its share of the limit, so that a write looks at a part of the store only.
const SHARDS: usize = 16;

/// An entry that was used this long ago is marked as used again.
const FRESH: Duration = Duration::from_secs(3600);

/// Tells programs that copy a user's files that this folder need not be kept.
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
    # Machine code kept by weft; it may be removed at any time.\n";

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

    /// What was kept under this key. What is damaged or not this user's counts as absent.
    pub fn fetch(&self, key: &[u8]) -> Option<Vec<u8>> {
        let path = self.path(&Digest::of(key));
        let mut file = File::open(&path).ok()?;
        let known = file.metadata().ok()?;
        if known.uid() != rustix::process::geteuid().as_raw() {
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
    /// Where the folder cannot be written to or the disk is full; nothing is kept then.
    pub fn keep(&self, key: &[u8], content: &[u8]) -> io::Result<()> {
        let path = self.path(&Digest::of(key));
        let shard = path.parent().expect("an entry is in a shard");
        self.create(shard)?;
        self.remove_abandoned();
        let mut draft = Draft::new(&self.drafts())?;
        entry::write(&mut draft.file, key, content)?;
        draft.publish(&path)?;
        self.evict(shard, &path);
        Ok(())
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
    /// Where an entry cannot be removed.
    pub fn clear(&self) -> io::Result<Usage> {
        let mut usage = Usage::default();
        self.remove_abandoned();
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

    fn drafts(&self) -> PathBuf {
        self.root.join("drafts")
    }

    fn shards(&self) -> impl Iterator<Item = PathBuf> {
        (0..SHARDS).map(|n| self.root.join(format!("{n:x}")))
    }

    /// Creates the folders that an entry needs, for this user alone.
    fn create(&self, shard: &Path) -> io::Result<()> {
        let fresh = !self.root.exists();
        let mut builder = DirBuilder::new();
        builder.recursive(true).mode(0o700);
        builder.create(self.drafts())?;
        builder.create(shard)?;
        if fresh {
            fs::write(self.root.join("CACHEDIR.TAG"), TAG)?;
        }
        Ok(())
    }

    /// Removes drafts whose writers are gone: a lock is theirs while they live.
    fn remove_abandoned(&self) {
        let Ok(drafts) = fs::read_dir(self.drafts()) else { return };
        for path in drafts.flatten().map(|d| d.path()) {
            let Ok(file) = File::open(&path) else { continue };
            if !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
                // Another process may have been faster.
                let _ = fs::remove_file(&path);
            }
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

/// All files of a shard, foreign ones too: they take space like others.
fn kept_in(shard: &Path) -> impl Iterator<Item = Kept> {
    let files = fs::read_dir(shard).into_iter().flatten().flatten();
    files.filter_map(|file| {
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

/// A file being written, locked. Removed unless published.
struct Draft {
    file: File,
    path: PathBuf,
    published: bool,
}

impl Draft {
    fn new(folder: &Path) -> io::Result<Draft> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        // Processes of two machines or containers may have one number.
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let now = now.map_or(0, |t| t.subsec_nanos());
        let path = folder.join(format!("{}-{number}-{now}", std::process::id()));
        let file = File::create_new(&path)?;
        let draft = Draft { file, path, published: false };
        // Until here another process may take it for abandoned; then publishing fails.
        draft.file.lock()?;
        Ok(draft)
    }

    fn publish(mut self, path: &Path) -> io::Result<()> {
        self.file.flush()?;
        fs::rename(&self.path, path)?;
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
