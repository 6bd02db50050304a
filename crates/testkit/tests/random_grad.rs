//! Random programs with derivatives: what they ask for is right.
//!
//! `GRAD_PROGRAMS`, `GRAD_SECOND` (programs with derivatives of derivatives) and
//! `GRAD_SEED` make long runs. A program with entries that differences cannot judge passes by
//! what it says of itself and by both directions of sweeps; few may.

use std::sync::atomic::{AtomicU64, Ordering};
use weft_testkit::random::{Program, minimise::minimise};
use weft_testkit::random_grad::check::{self, Judged};
use weft_testkit::random_grad::{program, second_order};
use weft_testkit::seeds::{self, number};

/// Programs of `make test`.
const PROGRAMS: u64 = 100;
/// Programs of `make test` with second derivatives.
const SECOND: u64 = 25;

/// Of a hundred programs, so many may have entries that differences do not judge.
const MOST_UNJUDGED: u64 = 2;

/// From 1 to 6 definitions, by the seed alone.
fn size_of(seed: u64) -> usize {
    1 + (seed % 6) as usize
}

/// A wrong program made small, for people. Without `GRAD_WHOLE` set, that is.
fn explain(p: &Program, finding: &check::Finding) -> String {
    let small = match std::env::var_os("GRAD_WHOLE") {
        Some(_) => p.clone(),
        None => minimise(p, &|q: &Program| check::shows(q, finding)),
    };
    let report = check::check(&small).err().map_or(String::new(), |f| f.report);
    format!("==== {:?}\n{small}---- {report}\n", finding.wrong)
}

fn run(count: u64, make: fn(u64, usize) -> Program) {
    let seeds = seeds::run(number("GRAD_SEED", 1), count);
    let unjudged = AtomicU64::new(0);
    seeds::require_none_wrong(seeds, number("GRAD_FINDINGS", 3) as usize, |seed| {
        let p = make(seed, size_of(seed));
        let finding = match check::check(&p) {
            Err(finding) => finding,
            Ok(judged) => {
                if judged == Judged::InPart {
                    eprintln!("seed {seed}: not judged by differences everywhere");
                    unjudged.fetch_add(1, Ordering::Relaxed);
                }
                return None;
            }
        };
        eprintln!("seed {seed}: {:?}", finding.wrong);
        Some(explain(&p, &finding))
    });
    let unjudged = unjudged.into_inner();
    let most = (count * MOST_UNJUDGED).div_ceil(100);
    assert!(unjudged <= most, "{unjudged} of {count} programs are not judged by differences");
}

#[test]
fn random_derivatives_are_right() {
    run(number("GRAD_PROGRAMS", PROGRAMS), program);
}

#[test]
fn random_second_derivatives_are_right() {
    run(number("GRAD_SECOND", SECOND), second_order);
}

#[test]
#[ignore = "shows one program: GRAD_SEED=… cargo test … -- --ignored --nocapture"]
fn show() {
    let seed = number("GRAD_SEED", 1);
    println!("{}", program(seed, size_of(seed)));
    println!("{}", second_order(seed, size_of(seed)));
}
