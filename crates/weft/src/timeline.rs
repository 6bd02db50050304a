//! What happened when, as Chrome's trace viewer and Perfetto read it.

use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Intervals since a start.
#[derive(Debug)]
pub struct Timeline {
    start: Instant,
    events: Vec<Event>,
}

#[derive(Debug)]
struct Event {
    name: String,
    kind: &'static str,
    begin: Duration,
    length: Duration,
    details: Value,
}

impl Default for Timeline {
    fn default() -> Self {
        Timeline { start: Instant::now(), events: Vec::new() }
    }
}

impl Timeline {
    /// What began at `begin` ends now.
    pub fn ends(&mut self, kind: &'static str, name: &str, begin: Instant, details: Value) {
        self.took(kind, name, begin, begin.elapsed(), details);
    }

    /// What began at `begin` took so long.
    pub fn took(
        &mut self,
        kind: &'static str,
        name: &str,
        begin: Instant,
        length: Duration,
        details: Value,
    ) {
        let begin = begin.saturating_duration_since(self.start);
        self.events.push(Event { name: name.to_string(), kind, begin, length, details });
    }

    /// One object of the Trace Event Format, times in microseconds.
    pub fn json(&self) -> String {
        let micros = |d: Duration| d.as_secs_f64() * 1e6;
        let events: Vec<Value> = self
            .events
            .iter()
            .map(|e| {
                json!({
                    "name": e.name, "cat": e.kind, "ph": "X", "pid": 1, "tid": 1,
                    "ts": micros(e.begin), "dur": micros(e.length), "args": e.details,
                })
            })
            .collect();
        format!("{}\n", json!({ "displayTimeUnit": "ms", "traceEvents": events }))
    }
}
