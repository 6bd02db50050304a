//! rustc's manner: message, source lines with labels, notes, helps with their edits.

use super::clamp;
use crate::{Diagnostic, Edit, Help, Label, Severity};
use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use std::ops::Range;
use weft_base::{FileId, SourceMap, Span};

/// Lines shown around the marked ones.
const CONTEXT_LINES: usize = 2;

/// Bytes of a line that are looked at on either side of what is marked: more than a terminal
/// shows.
const CONTEXT_BYTES: usize = 200;

/// The diagnostic as rustc would show it, without a line break at the end.
pub fn render_human(diagnostic: &Diagnostic, sources: &SourceMap, color: bool) -> String {
    let mut groups = vec![main_group(diagnostic, sources)];
    groups.extend(diagnostic.helps.iter().filter_map(|help| edit_group(help, sources)));
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let text = renderer.render(&groups);
    label_files(diagnostic).into_iter().fold(text, |text, file| {
        let labels = labels_in(diagnostic, file);
        Window::of(&labels, file, sources).counted_from_the_line(text, &labels, file, sources)
    })
}

fn labels_in(diagnostic: &Diagnostic, file: FileId) -> Vec<&Label> {
    diagnostic.labels.iter().filter(|l| l.span.file == file).collect()
}

fn main_group<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Group<'a> {
    let title = level(diagnostic.severity).primary_title(diagnostic.message.as_str());
    let mut group = Group::with_title(title.id(diagnostic.code.as_str()));
    for file in label_files(diagnostic) {
        group = group.element(label_snippet(&labels_in(diagnostic, file), file, sources));
    }
    let notes = diagnostic.notes.iter().map(|note| Level::NOTE.message(note.as_str()));
    let wordy = diagnostic.helps.iter().filter(|help| help.edits.is_empty());
    let helps = wordy.map(|help| Level::HELP.message(help.message.as_str()));
    group.elements(notes).elements(helps)
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

/// The file of the fault first, then the others in the order of their labels.
fn label_files(diagnostic: &Diagnostic) -> Vec<FileId> {
    let mut files: Vec<FileId> = diagnostic.span().map(|span| span.file).into_iter().collect();
    for label in &diagnostic.labels {
        if !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    files
}

fn label_snippet<'a>(
    labels: &[&'a Label],
    file: FileId,
    sources: &'a SourceMap,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let window = Window::of(labels, file, sources);
    let annotations = labels.iter().map(|label| {
        let kind = if label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let annotation = kind.span(window.local(label.span, sources));
        if label.message.is_empty() { annotation } else { annotation.label(label.message.as_str()) }
    });
    let annotations: Vec<_> = annotations.collect();
    window.snippet(file, sources).annotations(annotations)
}

/// A help with edits shows the source as it would read afterwards.
fn edit_group<'a>(help: &'a Help, sources: &'a SourceMap) -> Option<Group<'a>> {
    let file = help.edits.first()?.span.file;
    let edits: Vec<&Edit> = help.edits.iter().filter(|edit| edit.span.file == file).collect();
    let spans: Vec<Span> = edits.iter().map(|edit| edit.span).collect();
    let window = Window::around(&spans, file, sources);
    let patches: Vec<_> = edits
        .iter()
        .map(|edit| Patch::new(window.local(edit.span, sources), edit.replacement.as_str()))
        .collect();
    let title = Level::HELP.secondary_title(help.message.as_str());
    Some(Group::with_title(title).element(window.snippet(file, sources).patches(patches)))
}

/// The lines of a file that are worth handing to the renderer, so that its cost does
/// not grow with the file, nor with the length of its lines.
struct Window {
    bytes: Range<usize>,
    first_line: usize,
    /// Whether it begins inside a line.
    cut: bool,
}

impl Window {
    fn of(labels: &[&Label], file: FileId, sources: &SourceMap) -> Window {
        let spans: Vec<Span> = labels.iter().map(|label| label.span).collect();
        Window::around(&spans, file, sources)
    }

    fn around(spans: &[Span], file: FileId, sources: &SourceMap) -> Window {
        let text = &sources.file(file).text;
        let ranges = || spans.iter().map(|&span| clamp(span, sources));
        let low = ranges().map(|r| r.start).min().unwrap_or(0);
        let high = ranges().map(|r| r.end).max().unwrap_or(0);
        let cut = low - line_start_at(text, low) > CONTEXT_BYTES;
        let start = match cut {
            true => text.floor_char_boundary(low - CONTEXT_BYTES),
            false => line_start_before(text, low),
        };
        let end = match line_end_at(text, high) - high > CONTEXT_BYTES {
            true => text.floor_char_boundary(high + CONTEXT_BYTES),
            false => line_end_after(text, high),
        };
        let first_line = sources.line_of(file, start as u32);
        Window { bytes: start..end, first_line, cut }
    }

    fn snippet<'a, T: Clone>(&self, file: FileId, sources: &'a SourceMap) -> Snippet<'a, T> {
        let source = sources.file(file);
        Snippet::source(&source.text[self.bytes.clone()])
            .path(source.name.as_str())
            .line_start(self.first_line)
            .fold(true)
    }

    /// The rendered text with the column that a line has which is not shown from its start: the
    /// renderer counts from where the window begins.
    fn counted_from_the_line(
        &self,
        text: String,
        labels: &[&Label],
        file: FileId,
        sources: &SourceMap,
    ) -> String {
        let first = labels.iter().min_by_key(|l| (!l.primary, l.span.start));
        let Some(label) = first.filter(|_| self.cut) else { return text };
        let at = sources.line_col(super::clamped(label.span, sources));
        if at.line != self.first_line {
            return text;
        }
        let source = sources.file(file);
        let before = &source.text[self.bytes.start..clamp(label.span, sources).start];
        let place = |column: usize| format!("{}:{}:{column}", source.name, at.line);
        text.replacen(&place(before.chars().count() + 1), &place(at.column), 1)
    }

    fn local(&self, span: Span, sources: &SourceMap) -> Range<usize> {
        let range = clamp(span, sources);
        range.start - self.bytes.start..range.end - self.bytes.start
    }
}

/// The start of the line that `at` lies in.
fn line_start_at(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |i| i + 1)
}

/// The end of the line that `at` lies in, without its line break.
fn line_end_at(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |i| at + i)
}

/// The start of the line some lines above `at`.
fn line_start_before(text: &str, at: usize) -> usize {
    let breaks = text.as_bytes()[..at].iter().enumerate().rev().filter(|&(_, &b)| b == b'\n');
    breaks.map(|(i, _)| i + 1).nth(CONTEXT_LINES).unwrap_or(0)
}

/// The end of the line some lines below `at`, without its line break.
fn line_end_after(text: &str, at: usize) -> usize {
    let breaks = text.as_bytes()[at..].iter().enumerate().filter(|&(_, &b)| b == b'\n');
    breaks.map(|(i, _)| at + i).nth(CONTEXT_LINES).unwrap_or(text.len())
}
