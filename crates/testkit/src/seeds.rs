//! Runs over many seeds, on all processors; how many, the environment says.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Generated programs nest deeper than an ordinary thread's stack takes.
const STACK: usize = 64 << 20;

/// A number of the environment.
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// The seeds of a run: `count` of them, from `first` on.
pub fn run(first: u64, count: u64) -> Range<u64> {
    first..first.saturating_add(count)
}

/// What `work` finds at each seed. A processor stops once it has found `most`.
pub fn find<T: Send>(
    seeds: Range<u64>,
    most: usize,
    work: impl Fn(u64) -> Option<T> + Sync,
) -> Vec<T> {
    let next = AtomicU64::new(seeds.start);
    let worker = || {
        let mine = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        mine.take_while(|seed| *seed < seeds.end).filter_map(&work).take(most).collect::<Vec<T>>()
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|s| {
        let large = || std::thread::Builder::new().stack_size(STACK);
        let workers: Vec<_> = (0..threads)
            .map(|_| large().spawn_scoped(s, worker).expect("a thread starts"))
            .collect();
        workers.into_iter().flat_map(|w| w.join().expect("workers catch panics")).collect()
    })
}

/// As [`find`], of programs that are wrong, told for people; fails where there are any.
pub fn require_none_wrong(
    seeds: Range<u64>,
    most: usize,
    wrong: impl Fn(u64) -> Option<String> + Sync,
) {
    std::panic::set_hook(Box::new(|_| {}));
    let found = find(seeds, most, wrong);
    let _ = std::panic::take_hook();
    assert!(found.is_empty(), "{} wrong programs\n{}", found.len(), found.join("\n"));
}
