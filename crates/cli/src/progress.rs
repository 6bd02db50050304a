//! The bar of a run that takes long: on a terminal only, and gone when the run goes on.

use crate::console::Console;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};
use weft::progress::{self, Draw};

/// With the turns of the outermost loop, and where there is none.
const TEMPLATES: [&str; 2] = ["[{bar:40}] {percent} %  {msg}", "{spinner} running  {msg}"];

/// What a person waits without asking.
const PATIENCE: Duration = Duration::from_secs(1);

/// Has a long run drawn on standard error, where a person sits before it.
pub fn prepare(console: &Console) {
    if !console.quiet && io::stderr().is_terminal() {
        // Without a thread to draw it there is no bar.
        let _ = progress::watch(Box::new(Bar::default()), PATIENCE);
    }
}

/// The bar of steps that the command counts itself.
pub struct Steps {
    /// Nothing where nobody looks.
    bar: Option<Bar>,
    since: Instant,
}

impl Steps {
    /// None are done.
    pub fn new(console: &Console) -> Steps {
        let seen = !console.quiet && io::stderr().is_terminal();
        Steps { bar: seen.then(Bar::default), since: Instant::now() }
    }

    /// So many of so many are done.
    pub fn at(&mut self, done: usize, all: usize) {
        let elapsed = self.since.elapsed();
        if let Some(bar) = self.bar.as_mut().filter(|_| elapsed > PATIENCE) {
            bar.draw(elapsed, Some((done as u64, all as u64)));
        }
    }

    /// Takes the bar away.
    pub fn end(&mut self) {
        if let Some(bar) = &mut self.bar {
            bar.clear();
        }
    }
}

#[derive(Default)]
struct Bar {
    /// What is seen, and whether it has turns.
    shown: Option<(ProgressBar, bool)>,
}

impl Draw for Bar {
    fn draw(&mut self, elapsed: Duration, steps: Option<(u64, u64)>) {
        let known = steps.is_some();
        if self.shown.as_ref().is_some_and(|s| s.1 != known) {
            self.clear();
        }
        let text = times(elapsed, steps);
        let (bar, _) =
            self.shown.get_or_insert_with(|| (new_bar(known).with_message(text.clone()), known));
        if let Some((done, total)) = steps {
            bar.update(|state| {
                state.set_len(total);
                state.set_pos(done);
            });
        }
        bar.set_message(text);
    }

    fn clear(&mut self) {
        if let Some((bar, _)) = self.shown.take() {
            bar.finish_and_clear();
        }
    }
}

fn new_bar(known: bool) -> ProgressBar {
    let template = TEMPLATES[usize::from(!known)];
    let style = ProgressStyle::with_template(template).expect("a template that a test draws");
    ProgressBar::new(0).with_style(style.progress_chars("=> "))
}

/// How long it has run, and how long it will at this pace.
fn times(elapsed: Duration, steps: Option<(u64, u64)>) -> String {
    let seconds = elapsed.as_secs_f64();
    let left = |(done, total): (u64, u64)| {
        (done > 0).then(|| seconds * (total - done) as f64 / done as f64)
    };
    match steps.and_then(left) {
        Some(left) => format!("{seconds:.0} s, about {left:.0} s left"),
        None => format!("{seconds:.0} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_guessed_from_what_is_done() {
        let elapsed = Duration::from_secs(6);
        assert_eq!(times(elapsed, Some((25, 100))), "6 s, about 18 s left");
        assert_eq!(times(elapsed, Some((0, 100))), "6 s");
        assert_eq!(times(elapsed, None), "6 s");
        let mut bar = Bar::default();
        for steps in [None, Some((1, 2)), Some((2, 2)), None] {
            bar.draw(elapsed, steps);
        }
        bar.clear();
    }
}
