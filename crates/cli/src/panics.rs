//! Faults of Weft itself: one clear message that cannot be taken for the user's error.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::PanicHookInfo;

/// From here on a panic says that Weft is at fault, and how to report it.
pub fn report_as_internal_errors() {
    std::panic::set_hook(Box::new(|info| crate::console::say(&message(info))));
}

fn message(info: &PanicHookInfo<'_>) -> String {
    let why = info.payload_as_str().unwrap_or("no reason given");
    let place = info.location().map_or(String::new(), |l| format!(" ({}:{})", l.file(), l.line()));
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!(
        "internal error: {why}{place}\n\
         note: this is a fault of weft {version}, not of your program; please report it \
         together with the program"
    );
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured {
        text.push_str(&format!("\n{trace}"));
    } else {
        text.push_str("\nnote: RUST_BACKTRACE=1 shows where it happened");
    }
    text
}
