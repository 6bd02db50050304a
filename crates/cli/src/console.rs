//! The two streams: results on standard output, everything said about them on the other.

use crate::args::{ConsoleArgs, When};
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use weft::Format;
use weft::diag::Diagnostic;
use weft::{Replacement, interrupt};

/// Writes a line of a message. A standard error that nobody reads is no reason to fail.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// What waits to be written to standard output. Whoever ends the process writes it, so that
/// all that was printed is seen.
static OUT: OnceLock<Mutex<Box<dyn Write + Send>>> = OnceLock::new();
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Says, once, that the user asked for an end; what was printed before comes first.
pub fn interrupted() {
    if INTERRUPTED.swap(true, Ordering::Relaxed) {
        return;
    }
    // Somebody who writes, and waits for a reader, is not waited for.
    if let Some(Ok(mut out)) = OUT.get().map(|out| out.try_lock()) {
        let _ = out.flush();
    }
    say("interrupted");
}

/// Writes a file as a whole or not at all; into a pipe or a device as it comes.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let stream = std::fs::metadata(path).is_ok_and(|d| !d.is_file() && !d.is_dir());
    if stream {
        return std::fs::write(path, text);
    }
    let mut file = Replacement::of(path)?;
    file.file().write_all(text.as_bytes())?;
    interrupt::together(|| file.publish())
}

/// Errors, and warnings, that are shown to a person at a time: programs get all.
const MOST_SHOWN: usize = 50;

/// Standard output, and how to speak on standard error.
pub struct Console {
    out: Out,
    format: Format,
    color: bool,
    /// Neither warnings nor the program's value.
    pub quiet: bool,
    verbose: bool,
    said: bool,
}

/// The door to standard output.
struct Out(&'static Mutex<Box<dyn Write + Send>>);

impl Out {
    fn get(&self) -> MutexGuard<'static, Box<dyn Write + Send>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.get().write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.get().write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.get().flush()
    }
}

impl Console {
    /// Takes standard output.
    pub fn new(args: &ConsoleArgs) -> Console {
        Console {
            out: Out(OUT.get_or_init(|| Mutex::new(buffered(io::stdout())))),
            format: args.format.into(),
            color: colored(args.color),
            quiet: args.quiet,
            verbose: args.verbose,
            said: false,
        }
    }

    /// Where results go.
    pub fn out(&mut self) -> &mut dyn Write {
        &mut self.out
    }

    /// Writes what is still held.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Shows diagnostics, in order; under `--quiet` only errors. Of very many the first, and
    /// how many more there are.
    ///
    /// What was printed before comes first also where both streams are one terminal.
    pub fn diagnose(&mut self, diagnostics: &[Diagnostic], sources: &weft::SourceMap) {
        let _ = self.out.flush();
        let most = if self.format == Format::Human { MOST_SHOWN } else { usize::MAX };
        let (mut errors, mut warnings) = (0, 0);
        let quiet = self.quiet;
        for d in diagnostics.iter().filter(|d| d.is_error() || !quiet) {
            let count = if d.is_error() { &mut errors } else { &mut warnings };
            *count += 1;
            if *count <= most {
                self.apart();
                say(&weft::render(d, sources, self.format, self.color));
            }
        }
        for (count, what) in [(warnings, "warning"), (errors, "error")] {
            if count > most {
                let more = count - most;
                let s = if more == 1 { "" } else { "s" };
                self.apart();
                say(&format!("{what}: {more} more {what}{s}, not shown"));
            }
        }
    }

    /// An empty line between what people read.
    fn apart(&mut self) {
        if std::mem::replace(&mut self.said, true) && self.format == Format::Human {
            say("");
        }
    }

    /// Says what is being done, under `--verbose`.
    pub fn progress(&self, text: impl FnOnce() -> String) {
        if self.verbose {
            say(&text());
        }
    }
}

/// A terminal sees each line at once; a file or pipe gets large pieces.
fn buffered(stdout: Stdout) -> Box<dyn Write + Send> {
    if stdout.is_terminal() {
        Box::new(stdout)
    } else {
        Box::new(BufWriter::with_capacity(64 << 10, stdout))
    }
}

fn colored(when: When) -> bool {
    let forbidden = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto => !forbidden && io::stderr().is_terminal(),
    }
}
