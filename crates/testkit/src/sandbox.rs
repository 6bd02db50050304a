//! Runs a test where a deep program, a panic or an endless loop spoils only this test.

use crate::Failure;
use std::sync::mpsc;
use std::time::Duration;

/// As the command line has it.
const STACK_BYTES: usize = 256 << 20;
/// No case takes nearly as long; one that does hangs.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// The result of `body`; an error too where it panics or does not end.
pub fn run(body: impl FnOnce() -> Result<(), Failure> + Send + 'static) -> Result<(), Failure> {
    let (done, result) = mpsc::channel();
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES);
    let worker = worker.spawn(move || {
        // The receiver is gone only after the time limit.
        let _ = done.send(body());
    });
    let worker = worker.map_err(|e| format!("cannot start a thread: {e}"))?;
    match result.recv_timeout(TIME_LIMIT) {
        Ok(result) => result,
        Err(mpsc::RecvTimeoutError::Timeout) => {
            Err(format!("does not end within {} s", TIME_LIMIT.as_secs()))
        }
        Err(mpsc::RecvTimeoutError::Disconnected) => Err(panic_message(worker)),
    }
}

fn panic_message(worker: std::thread::JoinHandle<()>) -> Failure {
    let Err(payload) = worker.join() else { return "ended without a result".into() };
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or(payload.downcast_ref::<&str>().copied());
    format!("panicked: {}", text.unwrap_or("no message"))
}
