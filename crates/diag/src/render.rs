//! Diagnostics as text: rustc's manner, one line, JSON.
//!
//! Any span is accepted: what lies outside its file or inside a character is moved
//! to the nearest place that exists.

mod human;
mod json;
mod short;

pub use human::render_human;
pub use json::render_json;
pub use short::render_short;

use std::ops::Range;
use weft_base::{SourceMap, Span};

/// The bytes of a span, moved inside its file and onto character boundaries.
fn clamp(span: Span, sources: &SourceMap) -> Range<usize> {
    let text = &sources.file(span.file).text;
    let start = text.floor_char_boundary(span.start as usize);
    let end = text.floor_char_boundary(span.end as usize);
    start..end.max(start)
}

/// The span with its ends clamped.
fn clamped(span: Span, sources: &SourceMap) -> Span {
    let range = clamp(span, sources);
    Span::new(span.file, range.start as u32, range.end as u32)
}
