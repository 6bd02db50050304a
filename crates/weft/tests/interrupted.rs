//! Checking is given up when it is asked to, and the session goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use weft::{Interrupted, Options, Session};

/// A program that takes a while: some seconds where nobody gives it up.
fn long() -> String {
    let first = "input x: [f64; n];\nlet a0[i] = x[i] * 1.5;\n".to_owned();
    let more = (1..30_000).map(|k| format!("let a{k}[i] = a{}[i] * 0.5 + x[i];\n", k - 1));
    std::iter::once(first).chain(more).collect()
}

#[test]
fn a_set_flag_ends_a_check_and_the_next_one_is_whole() {
    let (mut session, flag) = (Session::new(), Arc::new(AtomicBool::new(true)));
    let text = "let y = 1 + 2; print(y);";
    let given_up = session.check_unless(&flag, "test.ein", text, &Options::default());
    assert_eq!(given_up.err(), Some(Interrupted));
    flag.store(false, Ordering::Relaxed);
    let checked = session.check_unless(&flag, "test.ein", text, &Options::default());
    assert!(matches!(checked, Ok((Some(_), found)) if !found.has_errors()));
    // Nothing is left of the flag of another call.
    flag.store(true, Ordering::Relaxed);
    assert!(session.check("test.ein", text, &Options::default()).0.is_some());
}

#[test]
fn a_check_under_way_is_given_up() {
    let (flag, text) = (Arc::new(AtomicBool::new(false)), long());
    let other = Arc::clone(&flag);
    let asks = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        other.store(true, Ordering::Relaxed);
        Instant::now()
    });
    let given_up = Session::new().check_unless(&flag, "long.ein", &text, &Options::default());
    let asked = asks.join().expect("it asks");
    assert_eq!(given_up.err(), Some(Interrupted));
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
}
