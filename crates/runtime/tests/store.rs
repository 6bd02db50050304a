//! The store of machine code: damage, limits, and many processes of which some are killed.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};
use weft_runtime::{Draft, Store, Usage};

/// A folder of its own for one test, empty.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.map(|e| e.unwrap().path()).collect()
}

/// The entries' files, ordered by their names.
fn entries(store: &Store) -> Vec<PathBuf> {
    let shards = files(store.root()).into_iter().filter(|p| p.is_dir() && !p.ends_with("drafts"));
    let mut all: Vec<PathBuf> = shards.flat_map(|s| files(&s)).collect();
    all.sort();
    all
}

#[test]
fn a_fact_is_no_entry_and_stays_until_the_store_is_cleared() {
    let store = Store::new(folder("facts"), 1 << 20);
    assert_eq!(store.fetch_fact(b"peak"), None);
    store.keep_fact(b"peak", b"1e9").unwrap();
    store.keep(b"peak", b"code").unwrap();
    assert_eq!(store.fetch_fact(b"peak").as_deref(), Some(&b"1e9"[..]));
    assert_eq!(store.usage().entries, 1);
    assert_eq!(store.clear().unwrap().entries, 1);
    assert_eq!((store.fetch_fact(b"peak"), store.fetch(b"peak")), (None, None));
}

#[test]
fn what_is_kept_is_found_by_its_key_in_another_process_too() {
    let store = Store::new(folder("kept"), 1 << 20);
    assert_eq!((store.fetch(b"a"), store.usage()), (None, Usage::default()));
    store.keep(b"a", b"first").unwrap();
    store.keep(b"b", b"second").unwrap();
    let again = Store::new(store.root().to_path_buf(), 1 << 20);
    assert_eq!(again.fetch(b"a").unwrap(), b"first");
    assert_eq!(again.fetch(b"b").unwrap(), b"second");
    assert_eq!(again.fetch(b"c"), None);
    store.keep(b"a", b"replaced").unwrap();
    assert_eq!(again.fetch(b"a").unwrap(), b"replaced");
    assert_eq!(again.usage().entries, 2);
    assert_eq!(again.clear().unwrap().entries, 2);
    assert_eq!((store.fetch(b"a"), store.usage()), (None, Usage::default()));
    assert!(store.root().join("CACHEDIR.TAG").exists());
}

#[test]
fn a_damaged_or_foreign_file_is_absent_and_replaced() {
    let store = Store::new(folder("damaged"), 1 << 20);
    store.keep(b"a", b"first").unwrap();
    let [file] = &entries(&store)[..] else { panic!("one entry") };
    for damage in [&b""[..], b"something else", &[0xff; 100]] {
        fs::write(file, damage).unwrap();
        assert_eq!(store.fetch(b"a"), None);
        store.keep(b"a", b"first").unwrap();
        assert_eq!(store.fetch(b"a").unwrap(), b"first");
    }
    store.keep(b"b", b"second").unwrap();
    let other = entries(&store).into_iter().find(|f| f != file).unwrap();
    fs::copy(&other, file).unwrap();
    assert_eq!(store.fetch(b"a"), None, "another key's entry under this name");
}

#[test]
fn the_store_keeps_to_its_limit_and_what_was_used_last() {
    let store = Store::new(folder("limit"), 16 * 10_000);
    let key = |n: u32| n.to_le_bytes();
    for n in 0..400 {
        store.keep(&key(n), &[n as u8; 1000]).unwrap();
        let old = SystemTime::now() - Duration::from_secs(100_000 - u64::from(n));
        for file in entries(&store) {
            let file = fs::File::open(file).unwrap();
            if file.metadata().unwrap().modified().unwrap().elapsed().unwrap().as_secs() < 9 {
                file.set_modified(old).unwrap();
            }
        }
        assert_eq!(store.fetch(&key(0)).as_deref(), Some(&[0; 1000][..]), "used each time");
        assert!(store.usage().bytes <= 16 * 10_000);
    }
    assert!(store.fetch(&key(399)).is_some());
    assert!(store.fetch(&key(1)).is_none(), "among the oldest");
    store.keep(b"large", &[1; 50_000]).unwrap();
    assert!(store.fetch(b"large").is_some(), "larger than a share of the limit");
}

#[test]
fn a_folder_that_cannot_be_is_an_error_and_no_more() {
    let root = folder("impossible");
    fs::write(&root, "a file").unwrap();
    let store = Store::new(root.join("store"), 1 << 20);
    assert!(store.keep(b"a", b"first").is_err());
    assert_eq!((store.fetch(b"a"), store.usage()), (None, Usage::default()));
    assert_eq!(store.clear().unwrap(), Usage::default());
}

#[test]
fn what_a_killed_process_was_writing_is_removed_and_what_a_living_one_writes_is_not() {
    let store = Store::new(folder("abandoned"), 1 << 20);
    store.keep(b"a", b"first").unwrap();
    let drafts = store.root().join("drafts");
    let living = abandoned(&drafts);
    let killed = abandoned(&drafts);
    fs::write(drafts.join("notes"), "somebody's").unwrap();
    let lock = fs::File::open(&living).unwrap();
    lock.lock().unwrap();
    store.keep(b"b", b"second").unwrap();
    assert!(living.exists() && !killed.exists());
    drop(lock);
    store.keep(b"b", b"second").unwrap();
    assert_eq!(files(&drafts), [drafts.join("notes")]);
}

/// A draft whose writer was killed.
fn abandoned(folder: &Path) -> PathBuf {
    let before = files(folder);
    let mut draft = Draft::new(folder, 0o600).unwrap();
    draft.file().write_all(b"half an ent").unwrap();
    let path = files(folder).into_iter().find(|p| !before.contains(p)).unwrap();
    // As after the end of its process, nobody holds a lock on the copy.
    let copy = path.with_extension("copy");
    fs::copy(&path, &copy).unwrap();
    drop(draft);
    fs::rename(&copy, &path).unwrap();
    path
}

#[test]
fn only_what_the_store_made_is_removed() {
    let root = folder("foreign");
    fs::create_dir_all(root.join("a")).unwrap();
    let precious = [root.join("a/precious.txt"), root.join("a").join("0".repeat(64))];
    precious.iter().for_each(|p| fs::write(p, "mine").unwrap());
    let store = Store::new(root.clone(), 16);
    assert!(store.clear().is_err() && store.keep(b"a", b"first").is_err());
    assert!(precious.iter().all(|p| p.exists()) && !root.join("CACHEDIR.TAG").exists());
    let store = Store::new(folder("foreign-file"), 16);
    for key in 0..100u32 {
        store.keep(&key.to_le_bytes(), b"entry").unwrap();
    }
    let shards: Vec<PathBuf> =
        files(store.root()).into_iter().filter(|p| p.is_dir() && !p.ends_with("drafts")).collect();
    assert!(shards.len() > 8);
    shards.iter().for_each(|s| fs::write(s.join("precious.txt"), "mine").unwrap());
    for key in 0..100u32 {
        store.keep(&key.to_le_bytes(), b"entry").unwrap();
    }
    store.clear().unwrap();
    assert!(shards.iter().all(|s| s.join("precious.txt").exists()));
    assert_eq!(store.usage(), Usage::default());
}

#[test]
fn what_others_may_write_is_not_believed() {
    let store = Store::new(folder("writable"), 1 << 20);
    store.keep(b"a", b"first").unwrap();
    let [file] = &entries(&store)[..] else { panic!("one entry") };
    let shard = file.parent().unwrap();
    let allow = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
    for (path, private) in [(file.as_path(), 0o600), (shard, 0o700), (store.root(), 0o700)] {
        for shared in [0o020, 0o002] {
            allow(path, private | shared).unwrap();
            assert_eq!(store.fetch(b"a"), None, "{}", path.display());
        }
        allow(path, private).unwrap();
        assert_eq!(store.fetch(b"a").unwrap(), b"first");
    }
    allow(store.root(), 0o777).unwrap();
    assert!(store.keep(b"b", b"second").is_err());
}

#[test]
fn a_pipe_is_no_entry_and_nobody_waits_for_it() {
    let store = Store::new(folder("pipe"), 1 << 20);
    store.keep(b"a", b"first").unwrap();
    let [file] = &entries(&store)[..] else { panic!("one entry") };
    fs::remove_file(file).unwrap();
    let draft = abandoned(&store.root().join("drafts"));
    fs::remove_file(&draft).unwrap();
    for pipe in [file, &draft] {
        assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
    }
    assert_eq!(store.fetch(b"a"), None);
    store.keep(b"a", b"again").unwrap();
    assert_eq!(store.fetch(b"a").unwrap(), b"again");
}

/// The folder that a process of [`many_processes_of_which_some_are_killed`] works in.
const FOLDER: &str = "WEFT_TEST_STORE";
const KEYS: u64 = 40;
const LIMIT: u64 = 16 * 600_000;

/// What belongs to a key: some hundred thousand bytes, so that a kill meets a write.
fn content(key: u64) -> Vec<u8> {
    let mut state = key + 1;
    let next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    std::iter::repeat_with(next).take(200_000 + (key as usize % 7) * 20_000).collect()
}

/// Not a test by itself: what each of the processes does.
#[test]
fn worker() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let store = Store::new(folder.into(), LIMIT);
    let mut state = u64::from(std::process::id());
    for _ in 0..150 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let key = (state >> 33) % KEYS;
        match store.fetch(&key.to_le_bytes()) {
            Some(found) => assert!(found == content(key), "a wrong result for {key}"),
            None => store.keep(&key.to_le_bytes(), &content(key)).unwrap_or(()),
        }
        if state.is_multiple_of(5) {
            let victims = entries(&store);
            if let Some(victim) = victims.get(key as usize % victims.len().max(1)) {
                let _ = fs::write(victim, "damaged");
            }
        }
    }
}

fn start_worker(store: &Store) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "worker"])
        .env(FOLDER, store.root())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn many_processes_of_which_some_are_killed() {
    let store = Store::new(folder("hammered"), LIMIT);
    let mut workers: Vec<Child> = (0..20).map(|_| start_worker(&store)).collect();
    for (n, victim) in workers.iter_mut().step_by(2).enumerate() {
        std::thread::sleep(Duration::from_millis(5 + 13 * n as u64 % 40));
        victim.kill().unwrap();
    }
    for (n, worker) in workers.iter_mut().enumerate() {
        let status = worker.wait().unwrap();
        assert!(n % 2 == 0 || status.success(), "a worker that was not killed fails");
    }
    assert!(start_worker(&store).wait().unwrap().success());
    store.keep(b"last", b"one").unwrap();
    assert!(files(&store.root().join("drafts")).is_empty(), "something is left over");
    for key in 0..KEYS {
        let found = store.fetch(&key.to_le_bytes());
        assert!(found.is_none_or(|f| f == content(key)), "a wrong result for {key}");
    }
    assert!(store.usage().bytes <= LIMIT + 16 * 320_000);
}
