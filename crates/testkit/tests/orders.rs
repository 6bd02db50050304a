//! Random recurrences against brute force: see `weft_testkit::orders`.
//!
//! `ORDERS` and `ORDERS_SEED` make long runs.

use std::sync::atomic::{AtomicU64, Ordering};
use weft_testkit::orders::{Verdict, recurrence};

/// Definitions of `make test`.
const DEFINITIONS: u64 = 400;

/// The share of legal definitions that may be refused as undecided, in percent.
const MOST_REFUSED: usize = 2;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

#[test]
fn what_is_said_of_random_recurrences_is_so() {
    let (count, first) = (number("ORDERS", DEFINITIONS), number("ORDERS_SEED", 1));
    let next = AtomicU64::new(first);
    let work = || {
        let mut said = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + count {
                return said;
            }
            let text = recurrence(seed).text();
            let verdict = std::panic::catch_unwind(|| recurrence(seed).check());
            let verdict = verdict.unwrap_or_else(|_| Err("panicked".into()));
            if let Err(why) = &verdict {
                eprintln!("seed {seed}: {why}\n{text}");
            } else if verdict == Ok(Verdict::LegalRefused)
                && std::env::var_os("ORDERS_SHOW").is_some()
            {
                eprintln!("seed {seed}: legal, refused\n{text}");
            }
            said.push(verdict);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let said: Vec<Result<Verdict, String>> = std::thread::scope(|s| {
        let worker = || std::thread::Builder::new().stack_size(64 << 20);
        let workers: Vec<_> = (0..threads)
            .map(|_| worker().spawn_scoped(s, work).expect("a thread starts"))
            .collect();
        workers.into_iter().flat_map(|w| w.join().expect("workers catch panics")).collect()
    });
    let all = |v: Verdict| said.iter().filter(|x| **x == Ok(v)).count();
    let wrong = said.iter().filter(|x| x.is_err()).count();
    let (accepted, refused) = (all(Verdict::Accepted), all(Verdict::LegalRefused));
    eprintln!(
        "{accepted} accepted, {refused} legal refused, {} cycles shown, {} undecided, {wrong} wrong",
        all(Verdict::Cycle),
        all(Verdict::Undecided)
    );
    assert_eq!(wrong, 0);
    assert!(refused * 100 <= (accepted + refused) * MOST_REFUSED, "{refused} of {accepted}");
}
