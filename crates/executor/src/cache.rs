//! Machine code that is there already: in this process, or on disk from an earlier one.
//!
//! Both are looked up by content, the text of the loops and all that shaped their code, so
//! a program that changed finds nothing wrong and one that did not finds everything.

use rustc_hash::FxHashMap;
use std::path::PathBuf;
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

/// Machine code by what it was made from.
#[derive(Default)]
pub struct KernelCache {
    libraries: FxHashMap<Vec<u8>, Library>,
    store: Option<Store>,
    perf_map: Option<PerfMap>,
    /// Why the first piece of machine code that was not kept on disk was not.
    trouble: Option<String>,
}

impl KernelCache {
    /// Keeps machine code in a store from now on.
    pub fn set_store(&mut self, store: Store) {
        self.store = Some(store);
    }

    /// Tells system profilers of machine code from now on.
    pub fn set_perf_map(&mut self, map: PerfMap) {
        self.perf_map = Some(map);
    }

    /// Whether profilers are told of machine code.
    pub fn has_perf_map(&self) -> bool {
        self.perf_map.is_some()
    }

    /// How many pieces of machine code are kept in this process.
    pub fn count(&self) -> usize {
        self.libraries.len()
    }

    /// Why machine code is not kept on disk, if it should be and is not.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// What the machine can do at most with so many threads, and how long it took to measure that:
    /// nothing where an earlier process kept it.
    pub fn peak(&self, threads: usize) -> (Peak, Duration) {
        let begin = Instant::now();
        let machine =
            Target::host().ok().map(|t| format!("peak\n{}\n{}\n{threads}", t.cpu, t.features));
        let store = self.store.as_ref().zip(machine);
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

    /// The machine code of functions of different names; profilers know it by the labels.
    pub fn library(
        &mut self,
        functions: &[Function],
        code: &CodeOptions,
        labels: &[String],
    ) -> (Library, Origin) {
        let mut key = weft_codegen::identity(code);
        functions.iter().for_each(|f| key.push_str(&f.to_string()));
        let key = key.into_bytes();
        if let Some(known) = self.libraries.get(&key) {
            return (known.clone(), Origin::Memory);
        }
        let (library, origin) = match self.kept_on_disk(&key, functions) {
            Some(library) => (library, Origin::Disk),
            None => (self.compiled(&key, functions, code), Origin::Compiled),
        };
        if let Some(Err(e)) = self.perf_map.as_mut().map(|map| map.add(&library, labels)) {
            self.trouble.get_or_insert_with(|| format!("the map for profilers: {e}"));
        }
        self.libraries.insert(key, library.clone());
        (library, origin)
    }

    /// What an earlier process kept; code that does not load is made anew.
    fn kept_on_disk(&mut self, key: &[u8], functions: &[Function]) -> Option<Library> {
        let bytes = self.store.as_ref()?.fetch(key)?;
        let kernels = functions.iter().map(|f| f.name.clone()).collect();
        let loaded = Library::new(functions.to_vec(), &Object { bytes, kernels });
        loaded.map_err(|why| self.complain(&why)).ok()
    }

    fn complain(&mut self, why: &dyn std::fmt::Display) {
        let root = self.store.as_ref().map_or(PathBuf::new(), |s| s.root().to_path_buf());
        self.trouble.get_or_insert_with(|| format!("`{}`: {why}", root.display()));
    }

    fn compiled(&mut self, key: &[u8], functions: &[Function], code: &CodeOptions) -> Library {
        let object = weft_codegen::compile(functions, code)
            .unwrap_or_else(|e| panic!("code generation failed: {e}\n{}", functions[0]));
        let library = Library::new(functions.to_vec(), &object)
            .unwrap_or_else(|e| panic!("machine code cannot be loaded: {e}"));
        if let Some(Err(e)) = self.store.as_ref().map(|s| s.keep(key, &object.bytes)) {
            self.complain(&e);
        }
        library
    }
}
