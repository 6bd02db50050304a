//! Where the time of a run went, by source definition: as text, and on a timeline.

use crate::timeline::Timeline;
use serde_json::json;
use std::time::Duration;
use weft_base::SourceMap;
use weft_executor::{Cost, KernelCache, Observation, PartCost, Tier};
use weft_pipeline::PASSES;
use weft_runtime::Peak;
use weft_scalar::ScalarType;

/// Of more definitions than this, those that take less than a hundredth of the time are
/// told together.
const MOST_LINES: usize = 20;

/// Lines for people: one for each observation, and below it its definitions.
pub(crate) fn lines(
    all: &[Observation],
    sources: &SourceMap,
    threads: usize,
    kernels: &KernelCache,
) -> Vec<String> {
    let measured = all.iter().any(|o| !o.cost.parts.is_empty());
    let (peak, measuring) = measured.then(|| kernels.peak(threads)).unzip();
    let mut out = Vec::new();
    for o in all {
        out.push(format!("[{}] {}", o.names.join(", "), summary(o)));
        let Some(peak) = &peak else { continue };
        let parts = merged(&o.cost.parts);
        let total: f64 = parts.iter().map(|p| p.length.as_secs_f64()).sum();
        let (large, small): (Vec<&PartCost>, Vec<&PartCost>) = parts
            .iter()
            .partition(|p| parts.len() <= MOST_LINES || p.length.as_secs_f64() >= 0.01 * total);
        out.extend(large.iter().map(|p| part_line(p, sources, peak)));
        if !small.is_empty() {
            let ms: f64 = small.iter().map(|p| p.length.as_secs_f64() * 1e3).sum();
            out.push(format!("  {:<24} {ms:>10.3} ms", format!("{} others", small.len())));
        }
    }
    if let Some(peak) = peak.filter(|_| all.iter().any(|o| o.cost.flops > 0)) {
        let giga = |n: f64| n / 1e9;
        out.push(format!(
            "peak of {threads} thread{}: {:.0} Gflop/s in f32, {:.0} in f64, {:.1} GB/s \
             ({}, operations counted in {:.1} ms)",
            if threads == 1 { "" } else { "s" },
            giga(peak.flops(ScalarType::F32)),
            giga(peak.flops(ScalarType::F64)),
            giga(peak.bytes()),
            measured_in(measuring.unwrap_or_default()),
            all.iter().map(|o| o.cost.count_ms).sum::<f64>(),
        ));
    }
    out
}

fn measured_in(length: Duration) -> String {
    match length {
        Duration::ZERO => "measured before".to_string(),
        length => format!("measured in {:.1} ms", length.as_secs_f64() * 1e3),
    }
}

/// What each pass took over all observations, in the order in which they run.
pub(crate) fn pass_lines(all: &[Observation]) -> Vec<String> {
    let taken = |name: &str| {
        let passes = all.iter().flat_map(|o| &o.cost.passes);
        passes.filter(|(n, _)| *n == name).map(|(_, time)| time.as_secs_f64() * 1e3).sum::<f64>()
    };
    let sum = |of: fn(&Cost) -> f64| all.iter().map(|o| of(&o.cost)).sum::<f64>();
    let mut rows: Vec<(&str, f64)> = PASSES.iter().map(|p| (p.name, taken(p.name))).collect();
    let passes: f64 = rows.iter().map(|r| r.1).sum();
    rows.push(("order", sum(|c| c.plan_ms) - passes));
    rows.push(("lower", sum(|c| c.lower_ms)));
    rows.push(("code", sum(|c| c.compile_ms)));
    rows.iter().map(|(name, ms)| format!("pass {name:<20} {ms:>10.3} ms")).collect()
}

/// Parts of one definition that follow each other as one.
fn merged(parts: &[PartCost]) -> Vec<PartCost> {
    let mut out: Vec<PartCost> = Vec::new();
    for p in parts {
        match out.last_mut().filter(|last| last.label == p.label) {
            Some(last) => {
                last.length += p.length;
                last.flops += p.flops;
                last.bytes += p.bytes;
                last.span = last.span.or(p.span);
                last.float = last.float.max(p.float);
            }
            None => out.push(p.clone()),
        }
    }
    out
}

fn summary(o: &Observation) -> String {
    if o.tier == Tier::Evaluator {
        return format!("evaluator: run {:.3} ms", o.ms);
    }
    let Cost { plan_ms, lower_ms, compile_ms, run_ms, peak_bytes, origin, .. } = &o.cost;
    let compile = origin.text();
    format!(
        "native: plan {plan_ms:.3} ms, lower {lower_ms:.3} ms, {compile} {compile_ms:.3} ms, run {run_ms:.3} ms, \
         peak {peak_bytes} bytes"
    )
}

fn part_line(p: &PartCost, sources: &SourceMap, peak: &Peak) -> String {
    let seconds = p.length.as_secs_f64().max(1e-9);
    let place = p.span.map(|s| {
        let line = sources.line_col(s).line;
        // The program's own text is the first; others are named.
        match sources.ids().next() == Some(s.file) {
            true => format!(" (line {line})"),
            false => format!(" ({}:{line})", sources.file(s.file).name),
        }
    });
    let name = format!("{}{}", p.label, place.unwrap_or_default());
    let (flops, bytes) = (p.flops as f64, p.bytes as f64);
    let mut line = format!("  {name:<24} {:>10.3} ms", seconds * 1e3);
    if p.flops > 0 {
        line.push_str(&format!(", {} flop at {}flop/s", scaled(flops), scaled(flops / seconds)));
    }
    line.push_str(&format!(", {}B at {}B/s", scaled(bytes), scaled(bytes / seconds)));
    let compute = p.float.map_or(0.0, |ty| flops / peak.flops(ty));
    let memory = bytes / peak.bytes();
    let bound = if compute > memory { "computing" } else { "memory" };
    let share = compute.max(memory) / seconds * 100.0;
    line + &format!(", {share:.0}% of the roofline ({bound})")
}

/// A number with a unit's prefix.
fn scaled(n: f64) -> String {
    let prefixes = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    let found = prefixes.iter().find(|(size, _)| n >= *size);
    found.map_or_else(|| format!("{n:.0} "), |(size, prefix)| format!("{:.2} {prefix}", n / size))
}

/// Puts observations with what they consist of on a timeline.
pub(crate) fn add_to(timeline: &mut Timeline, all: &[Observation]) {
    for o in all {
        let ms = |ms: f64| Duration::from_secs_f64(ms.max(0.0) / 1e3);
        let names = o.names.join(", ");
        let details = json!({ "tier": o.tier.name(), "peak_bytes": o.cost.peak_bytes });
        timeline.took("observe", &names, o.begin, ms(o.ms), details);
        if o.tier != Tier::Native {
            continue;
        }
        let (planned, lowered) = (ms(o.cost.plan_ms), ms(o.cost.lower_ms));
        timeline.took("plan", "plan", o.begin, planned, json!({}));
        timeline.took("lower", "lower", o.begin + planned, lowered, json!({}));
        let (origin, begin) = (o.cost.origin.text(), o.begin + planned + lowered);
        timeline.took("code", origin, begin, ms(o.cost.compile_ms), json!({}));
        for p in &o.cost.parts {
            let details = json!({ "flops": p.flops, "bytes": p.bytes });
            timeline.took("kernel", &p.label, p.begin, p.length, details);
        }
    }
}
