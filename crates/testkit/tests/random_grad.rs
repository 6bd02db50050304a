//! Random programs with derivatives: what they ask for is right.
//!
//! `GRAD_PROGRAMS`, `GRAD_SECOND` (programs with derivatives of derivatives) and
//! `GRAD_SEED` make long runs.

use std::sync::atomic::{AtomicU64, Ordering};
use weft_testkit::random::{Program, minimise::minimise};
use weft_testkit::random_grad::{check, program, second_order};

/// Programs of `make test`.
const PROGRAMS: u64 = 100;
/// Programs of `make test` with second derivatives.
const SECOND: u64 = 25;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

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
    let first = number("GRAD_SEED", 1);
    let most = number("GRAD_FINDINGS", 3) as usize;
    std::panic::set_hook(Box::new(|_| {}));
    let next = AtomicU64::new(first);
    let work = || {
        let mut findings = Vec::new();
        while findings.len() < most {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + count {
                break;
            }
            let p = make(seed, size_of(seed));
            if let Err(finding) = check::check(&p) {
                eprintln!("seed {seed}: {:?}", finding.wrong);
                findings.push(explain(&p, &finding));
            }
        }
        findings
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let findings: Vec<String> = std::thread::scope(|s| {
        let workers: Vec<_> = (0..threads).map(|_| s.spawn(work)).collect();
        workers.into_iter().flat_map(|w| w.join().expect("checks catch panics")).collect()
    });
    let _ = std::panic::take_hook();
    assert!(findings.is_empty(), "{} wrong programs\n{}", findings.len(), findings.join("\n"));
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
