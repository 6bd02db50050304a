//! Whatever the text, it is judged without a panic and within a second: the texts of the test
//! suite with bytes, words and lines changed, taken out, repeated, or put in from each other.
//! What has no error is laid out and staged as well.
//!
//! `FUZZ_TEXTS`, `FUZZ_SEED` and `FUZZ_THREADS` make longer runs; one text alone is shown first, for
//! what ends the process.

#[path = "../../syntax/tests/grammar/mod.rs"]
mod grammar;
#[path = "../../syntax/tests/programs/mod.rs"]
mod programs;

use grammar::Rng;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use weft_base::SourceMap;
use weft_sema::{NoModules, Overrides, check};

/// The command's allocator: half of a text's time goes into small allocations with another.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The stack that the command runs on.
const STACK: usize = 256 << 20;

/// The processor time that a text may take.
const LONGEST: Duration = Duration::from_secs(1);

/// Texts are cut to so many bytes: a change may repeat what is there.
const MOST_BYTES: usize = 20_000;

/// What breaks arithmetic, sizes, nesting and the reading of characters.
const NASTY: [&str; 40] = [
    "9223372036854775807",
    "-9223372036854775808",
    "4611686018427387904",
    "4294967296",
    "170141183460469231731687303715884105728",
    "0",
    "-1",
    "1e400",
    "0.0",
    "5e-324",
    "..",
    "..=",
    "[]",
    "()",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "|",
    "^",
    "_",
    "@",
    "%",
    "/",
    "**",
    "where",
    "else",
    "match",
    "let x = x;",
    "fn f(x) { f(x) }",
    "try",
    "catch",
    "?>",
    "\"",
    "\u{0}",
    "é",
    "\u{202e}",
    "//",
];

fn corpus() -> Vec<Vec<u8>> {
    let files = programs::below(&["tests", "examples", "std"]);
    files.iter().map(|f| std::fs::read(f).expect("a case file")).collect()
}

/// A stretch of a text, of up to so many bytes.
fn stretch(rng: &mut Rng, text: &[u8], most: usize) -> std::ops::Range<usize> {
    let start = rng.below(text.len() + 1);
    let end = (start + rng.below(most + 1)).min(text.len());
    start..end
}

/// The lines of a text, each with its line break.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|b| *b == b'\n').collect()
}

/// Some lines of a text that follow each other.
fn some_lines<'t>(rng: &mut Rng, text: &'t [u8]) -> Vec<&'t [u8]> {
    let all = lines(text);
    let start = rng.below(all.len() + 1);
    let end = (start + 1 + rng.below(3)).min(all.len());
    all[start..end.max(start)].to_vec()
}

/// The places of the words and single signs of a text.
fn words(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let of_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut out: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, b) in text.iter().enumerate() {
        match out.last_mut() {
            Some(last) if last.end == at && of_word(*b) && of_word(text[at - 1]) => last.end += 1,
            _ if !b.is_ascii_whitespace() => out.push(at..at + 1),
            _ => {}
        }
    }
    out
}

/// One change of a text.
fn change(rng: &mut Rng, text: &mut Vec<u8>, corpus: &[Vec<u8>]) {
    let other = &corpus[rng.below(corpus.len())];
    match rng.below(12) {
        0 => drop(text.drain(stretch(rng, text, 8))),
        1 => {
            let at = rng.below(text.len() + 1);
            let piece = NASTY[rng.below(NASTY.len())];
            text.splice(at..at, piece.bytes());
        }
        2 => {
            let place = stretch(rng, text, 1);
            text.splice(place, [rng.below(256) as u8]);
        }
        3 => {
            let (from, at) = (stretch(rng, other, 60), rng.below(text.len() + 1));
            text.splice(at..at, other[from].iter().copied());
        }
        4 | 5 => {
            let put = some_lines(rng, other).concat();
            let starts: Vec<usize> = lines(text).iter().map(|l| l.len()).collect();
            let at: usize = starts[..rng.below(starts.len() + 1)].iter().sum();
            text.splice(at..at, put);
        }
        6 => {
            let mut all: Vec<Vec<u8>> = lines(text).into_iter().map(<[u8]>::to_vec).collect();
            if all.len() > 1 {
                let (a, b) = (rng.below(all.len()), rng.below(all.len()));
                all.swap(a, b);
                *text = all.concat();
            }
        }
        7 => {
            let (head, tail) = (rng.below(text.len() + 1), rng.below(other.len() + 1));
            text.truncate(head);
            text.extend_from_slice(&other[tail..]);
        }
        8 => {
            let place = stretch(rng, text, 40);
            let piece = text[place.clone()].to_vec();
            text.splice(place, piece.repeat(1 + rng.below(30)));
        }
        _ => {
            let all = words(text);
            if all.is_empty() {
                return;
            }
            let at = all[rng.below(all.len())].clone();
            let from = words(other);
            let new = match rng.below(4) {
                0 => NASTY[rng.below(NASTY.len())].as_bytes().to_vec(),
                1 if !from.is_empty() => other[from[rng.below(from.len())].clone()].to_vec(),
                2 => Vec::new(),
                _ => text[all[rng.below(all.len())].clone()].to_vec(),
            };
            text.splice(at, new);
        }
    }
}

/// The text of a seed.
fn text_of(seed: u64, corpus: &[Vec<u8>]) -> String {
    let mut rng = Rng::new(seed);
    let mut text = match rng.below(16) {
        0 => grammar::program(seed).into_bytes(),
        _ => corpus[rng.below(corpus.len())].clone(),
    };
    for _ in 0..1 + rng.below(5) {
        change(&mut rng, &mut text, corpus);
        text.truncate(MOST_BYTES);
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Reads, lays out, checks and stages a text, and shows what is said.
fn judge(text: &str) {
    let sources = SourceMap::new();
    let file = sources.add("t.ein", text);
    let parsed = weft_syntax::parse(file, text);
    if !parsed.has_errors() {
        weft_syntax::format(&parsed);
    }
    let (program, found) = check(parsed.program(), &sources, &Overrides::new(), &NoModules);
    for d in parsed.diagnostics().iter().chain(&found.sorted()).take(20) {
        weft_diag::render_human(d, &sources, false);
    }
    if parsed.has_errors() || found.has_errors() {
        return;
    }
    if let Ok(staged) = weft_stage::stage(&program, weft_scalar::eval::Overflow::default()) {
        weft_host::verify(&staged.program).expect("a host program that holds together");
        weft_tensor::verify(&staged.program.graph).expect("a graph that holds together");
    }
}

/// What a thread is at, for who watches it: the seed, and the thread's processor time before it.
type At = Arc<Mutex<Option<(u64, Duration)>>>;

/// The kernel's account of a thread, for the thread itself.
fn account() -> PathBuf {
    Path::new("/proc").join(std::fs::read_link("/proc/thread-self").expect("a thread"))
}

/// The processor time of a thread (`schedstat`, first field, in nanoseconds): a text is judged by
/// what it costs, not by what else the machine does.
fn processor_time(account: &Path) -> Duration {
    let text = std::fs::read_to_string(account.join("schedstat")).unwrap_or_default();
    let nanos = text.split(' ').next().and_then(|n| n.parse().ok());
    Duration::from_nanos(nanos.unwrap_or(0))
}

/// Ends the process where a text takes too long: nothing else could tell which it is.
fn watch(all: &[(At, PathBuf)], corpus: &[Vec<u8>]) {
    for (at, account) in all {
        let now = *at.lock().expect("nobody panics with it");
        if let Some((seed, before)) = now
            && processor_time(account).saturating_sub(before) > LONGEST
            && at.lock().expect("nobody panics with it").is_some_and(|(now, _)| now == seed)
        {
            eprintln!("seed {seed} takes longer than {LONGEST:?}:\n{}", text_of(seed, corpus));
            std::process::abort();
        }
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

#[test]
fn changed_texts_are_judged() {
    let corpus = Arc::new(corpus());
    let (first, count) = (number("FUZZ_SEED", 1), number("FUZZ_TEXTS", 3_000));
    let threads = number("FUZZ_THREADS", 1).max(1);
    let begin = Instant::now();
    let wrong: Arc<Mutex<Vec<u64>>> = Arc::default();
    let (mut running, mut places) = (Vec::new(), Vec::new());
    for t in 0..threads {
        let (at, corpus): (At, _) = (Arc::default(), Arc::clone(&corpus));
        let (place, wrong) = (Arc::clone(&at), Arc::clone(&wrong));
        let (tell, told) = std::sync::mpsc::channel();
        let work = move || {
            let account = account();
            tell.send(account.clone()).expect("somebody watches");
            for seed in (first + t..first + count).step_by(threads as usize) {
                let text = text_of(seed, &corpus);
                if count == 1 {
                    eprintln!("seed {seed}:\n{text}");
                }
                *at.lock().expect("nobody panics with it") = Some((seed, processor_time(&account)));
                if std::panic::catch_unwind(|| judge(&text)).is_err() {
                    eprintln!("seed {seed} panicked:\n{text}");
                    wrong.lock().expect("nobody panics with it").push(seed);
                }
            }
            *at.lock().expect("nobody panics with it") = None;
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
        running.push(thread.expect("a thread"));
        places.push((place, told.recv().expect("a thread tells its account")));
    }
    while running.iter().any(|thread| !thread.is_finished()) {
        watch(&places, &corpus);
        std::thread::sleep(Duration::from_millis(20));
    }
    for thread in running {
        thread.join().expect("texts are judged");
    }
    let rate = count as f64 / begin.elapsed().as_secs_f64();
    println!("{count} texts, {rate:.0} in a second");
    let wrong = wrong.lock().expect("nobody panics with it");
    let texts = wrong.iter().map(|seed| (text_of(*seed, &corpus), seed));
    if let Some((text, seed)) = texts.min_by_key(|(text, _)| text.len()) {
        panic!("{} texts panicked; the shortest, seed {seed}:\n{text}", wrong.len());
    }
}
