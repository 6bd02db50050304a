//! Machine code that is there already: in this process, or on disk from an earlier one.
//!
//! Both are looked up by content, the text of the loops and all that shaped their code, so
//! a program that changed finds nothing wrong and one that did not finds everything.

use rustc_hash::FxHashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use weft_codegen::{Object, Options as CodeOptions, Target};
use weft_loops::Function;
use weft_runtime::{Library, Peak, PerfMap, Store};

/// Bytes of machine code kept on disk where nothing else is said.
pub const DEFAULT_CACHE_BYTES: u64 = 512 << 20;

/// The folder of the user's cache that kernels belong in: `XDG_CACHE_HOME` or `~/.cache`;
/// nothing where neither is known.
pub fn default_cache_dir() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let caches = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")))?;
    Some(caches.join("weft").join("kernels"))
}

/// How machine code came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Origin {
    /// It was made.
    #[default]
    Compiled,
    /// It was made by an earlier process.
    Disk,
    /// It was in use already.
    Memory,
}

impl Origin {
    /// As `--time` says it.
    pub fn text(self) -> &'static str {
        match self {
            Origin::Compiled => "compile",
            Origin::Disk => "load",
            Origin::Memory => "found",
        }
    }
}

/// Machine code by what it was made from. Clones share it, on any thread.
#[derive(Clone, Default)]
pub struct KernelCache(Arc<Mutex<Kept>>);

/// What clones share.
#[derive(Default)]
struct Kept {
    libraries: FxHashMap<Vec<u8>, Library>,
    store: Option<Store>,
    perf_map: Option<PerfMap>,
    /// Why the first piece of machine code that was not kept on disk was not.
    trouble: Option<String>,
}

impl KernelCache {
    /// Keeps machine code in a store from now on.
    pub fn set_store(&self, store: Store) {
        self.kept().store = Some(store);
    }

    /// Tells system profilers of machine code from now on.
    pub fn set_perf_map(&self, map: PerfMap) {
        self.kept().perf_map = Some(map);
    }

    /// Whether profilers are told of machine code.
    pub fn has_perf_map(&self) -> bool {
        self.kept().perf_map.is_some()
    }

    /// How many pieces of machine code are kept in this process.
    pub fn count(&self) -> usize {
        self.kept().libraries.len()
    }

    /// Why machine code is not kept on disk, if it should be and is not.
    pub fn trouble(&self) -> Option<String> {
        self.kept().trouble.clone()
    }

    /// Each change is whole before anything can panic.
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the machine can do at most with so many threads, and how long it took to measure that:
    /// nothing where an earlier process kept it.
    pub fn peak(&self, threads: usize) -> (Peak, Duration) {
        let begin = Instant::now();
        let machine =
            Target::host().ok().map(|t| format!("peak\n{}\n{}\n{threads}", t.cpu, t.features));
        let store = self.kept().store.clone().zip(machine);
        let kept = store.as_ref().and_then(|(store, key)| store.fetch_fact(key.as_bytes()));
        let known = kept.and_then(|text| Peak::parse(std::str::from_utf8(&text).ok()?));
        if let Some(peak) = known {
            return (peak, Duration::ZERO);
        }
        let peak = Peak::measure(threads);
        if let Some((store, key)) = store {
            // What cannot be kept is measured again.
            let _ = store.keep_fact(key.as_bytes(), peak.text().as_bytes());
        }
        (peak, begin.elapsed())
    }

    /// The machine code of functions of different names; profilers know it by the labels. Others
    /// may look for theirs while it is made.
    pub fn library(
        &self,
        functions: &[Function],
        code: &CodeOptions,
        labels: &[String],
    ) -> (Library, Origin) {
        let mut key = weft_codegen::identity(code);
        functions.iter().for_each(|f| key.push_str(&f.to_string()));
        let key = key.into_bytes();
        let (known, store) = {
            let kept = self.kept();
            (kept.libraries.get(&key).cloned(), kept.store.clone())
        };
        if let Some(known) = known {
            return (known, Origin::Memory);
        }
        let loaded = store.as_ref().and_then(|store| self.kept_on_disk(store, &key, functions));
        let (library, origin) = match loaded {
            Some(library) => (library, Origin::Disk),
            None => (self.compiled(store.as_ref(), &key, functions, code), Origin::Compiled),
        };
        let mut kept = self.kept();
        if let Some(Err(e)) = kept.perf_map.as_mut().map(|map| map.add(&library, labels)) {
            kept.trouble.get_or_insert_with(|| format!("the map for profilers: {e}"));
        }
        kept.libraries.insert(key, library.clone());
        (library, origin)
    }

    /// What an earlier process kept; code that does not load is made anew.
    fn kept_on_disk(&self, store: &Store, key: &[u8], functions: &[Function]) -> Option<Library> {
        let bytes = store.fetch(key)?;
        let kernels = functions.iter().map(|f| f.name.clone()).collect();
        let loaded = Library::new(functions.to_vec(), &Object { bytes, kernels });
        loaded.map_err(|why| self.complain(store, &why)).ok()
    }

    fn complain(&self, store: &Store, why: &dyn std::fmt::Display) {
        let trouble = &mut self.kept().trouble;
        trouble.get_or_insert_with(|| format!("`{}`: {why}", store.root().display()));
    }

    fn compiled(
        &self,
        store: Option<&Store>,
        key: &[u8],
        functions: &[Function],
        code: &CodeOptions,
    ) -> Library {
        let object = weft_codegen::compile(functions, code)
            .unwrap_or_else(|e| panic!("code generation failed: {e}\n{}", functions[0]));
        let library = Library::new(functions.to_vec(), &object)
            .unwrap_or_else(|e| panic!("machine code cannot be loaded: {e}"));
        if let Some((store, Err(e))) = store.map(|store| (store, store.keep(key, &object.bytes))) {
            self.complain(store, &e);
        }
        library
    }
}
