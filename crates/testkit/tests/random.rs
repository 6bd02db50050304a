//! Random programs: every tier agrees on them, and they use all of the surface.
//!
//! `FUZZ_PROGRAMS` and `FUZZ_SEED` make long runs (`make fuzz N=10000`).

use std::collections::BTreeMap;
use weft_testkit::random::{Construct, Program, minimise, program, tiers};
use weft_testkit::seeds::{self, number};

/// Programs of `make test`.
const PROGRAMS: u64 = 300;

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
    let seeds = seeds::run(number("FUZZ_SEED", 1), number("FUZZ_PROGRAMS", PROGRAMS));
    seeds::require_none_wrong(seeds, number("FUZZ_FINDINGS", 3) as usize, |seed| {
        let p = program(seed, size_of(seed));
        let finding = tiers::check(&p).err()?;
        eprintln!("seed {seed}: {:?} on {:?}", finding.wrong, finding.setting);
        Some(explain(&p, &finding))
    });
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
