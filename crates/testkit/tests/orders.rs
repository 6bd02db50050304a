//! Random recurrences against brute force: see `weft_testkit::orders`, and `…::uniform`
//! for how many steps are kept.
//!
//! `ORDERS` and `ORDERS_SEED` make long runs.

use weft_testkit::orders::{Verdict, recurrence};
use weft_testkit::seeds::{self, number};
use weft_testkit::uniform::uniform;

/// Definitions of `make test`.
const DEFINITIONS: u64 = 400;

/// The share of legal definitions that may be refused as undecided, in percent.
const MOST_REFUSED: usize = 2;

/// What `work` says of every seed.
fn of_every_seed<T: Send>(work: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let seeds = seeds::run(number("ORDERS_SEED", 1), number("ORDERS", DEFINITIONS));
    seeds::find(seeds, usize::MAX, |seed| Some(work(seed)))
}

#[test]
fn windows_of_random_uniform_recurrences_are_what_must_be_kept() {
    let said = of_every_seed(|seed| {
        let u = uniform(seed);
        let verdict = std::panic::catch_unwind(|| uniform(seed).check());
        let verdict = verdict.unwrap_or_else(|_| Err("panicked".into()));
        if let Err(why) = &verdict {
            eprintln!("seed {seed}: {why}\n{}", u.text());
        }
        verdict.is_ok()
    });
    let wrong = said.iter().filter(|ok| !**ok).count();
    assert_eq!(wrong, 0, "of {}", said.len());
}

#[test]
fn what_is_said_of_random_recurrences_is_so() {
    let show = std::env::var_os("ORDERS_SHOW").is_some();
    let said = of_every_seed(|seed| {
        let text = recurrence(seed).text();
        let verdict = std::panic::catch_unwind(|| recurrence(seed).check());
        let verdict = verdict.unwrap_or_else(|_| Err("panicked".into()));
        match &verdict {
            Err(why) => eprintln!("seed {seed}: {why}\n{text}"),
            Ok(Verdict::LegalRefused) if show => eprintln!("seed {seed}: legal, refused\n{text}"),
            Ok(_) => {}
        }
        verdict
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
