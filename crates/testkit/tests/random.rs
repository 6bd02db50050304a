//! Random programs: every tier agrees on them, and they use all of the surface.
//!
//! `FUZZ_PROGRAMS` and `FUZZ_SEED` make long runs (`make fuzz N=10000`).

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use weft_testkit::random::{Construct, Program, minimise, program, tiers};

/// Programs of `make test`.
const PROGRAMS: u64 = 300;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// From 3 to 14 statements, by the seed alone.
fn size_of(seed: u64) -> usize {
    3 + (seed % 12) as usize
}

/// A wrong program made small, for people. Without `FUZZ_WHOLE` set, that is.
fn explain(p: &Program, finding: &tiers::Finding) -> String {
    let small = match std::env::var_os("FUZZ_WHOLE") {
        Some(_) => p.clone(),
        None => minimise::minimise(p, &|q: &Program| tiers::shows(q, finding)),
    };
    let report = tiers::check(&small).err().map_or(String::new(), |f| f.report);
    format!("==== {:?} {:?}\n{small}---- {report}\n", finding.wrong, finding.setting)
}

#[test]
fn random_programs_agree_on_every_tier() {
    let (count, first) = (number("FUZZ_PROGRAMS", PROGRAMS), number("FUZZ_SEED", 1));
    let most = number("FUZZ_FINDINGS", 3) as usize;
    std::panic::set_hook(Box::new(|_| {}));
    let next = AtomicU64::new(first);
    let work = || {
        let mut findings = Vec::new();
        while findings.len() < most {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + count {
                break;
            }
            let p = program(seed, size_of(seed));
            if let Err(finding) = tiers::check(&p) {
                eprintln!("seed {seed}: {:?} on {:?}", finding.wrong, finding.setting);
                findings.push(explain(&p, &finding));
            }
        }
        findings
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let findings: Vec<String> = std::thread::scope(|s| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                let worker = std::thread::Builder::new().stack_size(64 << 20);
                worker.spawn_scoped(s, work).expect("a thread starts")
            })
            .collect();
        workers.into_iter().flat_map(|w| w.join().expect("workers catch panics")).collect()
    });
    let _ = std::panic::take_hook();
    assert!(findings.is_empty(), "{} wrong programs\n{}", findings.len(), findings.join("\n"));
}

/// What share of the programs, in percent, uses each construct at least.
const LEAST_SHARE: f64 = 3.0;

#[test]
fn every_construct_is_in_three_percent_of_the_programs() {
    const CENSUS: u64 = 3000;
    let mut uses: BTreeMap<Construct, u64> = Construct::ALL.iter().map(|&c| (c, 0)).collect();
    for seed in 1..=CENSUS {
        for c in program(seed, size_of(seed)).constructs {
            *uses.entry(c).or_default() += 1;
        }
    }
    let share = |n: u64| 100.0 * n as f64 / CENSUS as f64;
    let rare: Vec<String> = uses
        .iter()
        .filter(|(_, n)| share(**n) < LEAST_SHARE)
        .map(|(c, n)| format!("{c:?} {:.1} %", share(*n)))
        .collect();
    assert!(rare.is_empty(), "too rare: {}", rare.join(", "));
}

#[test]
fn a_seed_is_a_program() {
    for seed in 0..50 {
        assert_eq!(program(seed, 9).text(), program(seed, 9).text());
    }
}

#[test]
#[ignore = "shows one program: FUZZ_SEED=… cargo test … -- --ignored --nocapture"]
fn show() {
    let seed = number("FUZZ_SEED", 1);
    println!("{}", program(seed, size_of(seed)));
}
