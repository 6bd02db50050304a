//! `.npy` files that were damaged: each is an array or a refusal, at once.
//!
//! `FUZZ_HEADERS` and `FUZZ_SEED` make longer runs.

mod damage;

use damage::{Random, number};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use weft::{Given, Options, RunOptions, Session};

fn file(dict: &str, numbers: usize) -> Vec<u8> {
    let length = (dict.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\0", &length[..], dict.as_bytes(), &vec![1; numbers]].concat()
}

/// A file with a few bytes changed, removed or repeated, mostly of its header.
fn mutated(whole: &[u8], random: &mut Random) -> Vec<u8> {
    const WORDS: [&[u8]; 12] = [
        b"(",
        b")",
        b"[",
        b"{",
        b"'",
        b",",
        b"9",
        b"0",
        b"-",
        b"18446744073709551615",
        b"9223372036854775807, ",
        b"\xff",
    ];
    let mut bytes = whole.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes.truncate(at.max(1)),
            2 => {
                bytes.remove(at);
                bytes.push(0);
            }
            3 => {
                let word = WORDS[random.below(WORDS.len())].repeat(1 + random.below(60));
                bytes.splice(at..at, word);
            }
            4 => bytes[at] ^= 1 << random.below(8),
            _ => {
                let to = (at + random.below(20)).min(bytes.len());
                let copy = bytes[at..to].to_vec();
                bytes.splice(at..at, copy);
            }
        }
    }
    bytes
}

#[test]
fn mutated_headers_are_read_or_refused_at_once() {
    let seeds = [
        file("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }\n", 48),
        file("{'descr': '>i4', 'fortran_order': True, 'shape': (2, 3), }\n", 24),
        file("{'descr': '|V1', 'fortran_order': False, 'shape': (), }\n", 1),
        file("{'descr': '<f2', 'fortran_order': False, 'shape': (4294967296, 0), }\n", 0),
    ];
    let mut random = Random::new();
    let count = number("FUZZ_HEADERS", 5000) as usize;
    let path = std::env::temp_dir().join(format!("weft-mutated-{}.npy", std::process::id()));
    let options = Options {
        given: BTreeMap::from([("x".to_string(), Given::File(path.clone()))]),
        ..Options::default()
    };
    let mut session = Session::new();
    let text = "input x: [f64; n, m]; print(n, m);";
    let (program, _) = session.check("mutated", text, &options);
    let program = program.expect("a right program");
    let mut read = 0;
    for n in 0..count {
        let bytes = mutated(&seeds[n % seeds.len()], &mut random);
        std::fs::write(&path, &bytes).unwrap();
        let begin = Instant::now();
        let mut out = Vec::new();
        let how = RunOptions { memory_limit: 1 << 30, ..RunOptions::default() };
        let found = session.run(&program, &options, &how, &|_| false, &mut out);
        assert!(begin.elapsed() < Duration::from_secs(1), "{n}: {bytes:?}");
        match found {
            Ok(_) => read += 1,
            Err(weft::RunError::Diagnostic(d)) => {
                assert!(d.code.as_str().starts_with("E11"), "{n}: {d:?}");
            }
            Err(e) => panic!("{n}: {e:?}"),
        }
    }
    std::fs::remove_file(&path).unwrap();
    assert!(read > count / 50, "{read} are still arrays");
}
