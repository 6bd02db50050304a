//! Documents to lines.

use super::WIDTH;
use super::doc::Doc;

/// Columns of one step to the right.
const STEP: usize = 4;

/// The lines of a document, with what is to be aligned among them.
#[derive(Default)]
pub(super) struct Printed {
    pub lines: Vec<Row>,
}

/// A line.
#[derive(Default)]
pub(super) struct Row {
    pub text: String,
    /// The byte before which padding goes, and the number of the clauses to align with.
    pub clause: Option<(usize, u32)>,
    /// The comment at its end.
    pub trailing: Option<String>,
}

struct Printer {
    out: Printed,
    row: Row,
    column: usize,
    /// Indentation of the row, written with its first text.
    indent: usize,
}

/// What is still to be printed: indentation, whether lines are spaces, document.
type Rest<'a> = Vec<(usize, bool, &'a Doc)>;

/// Prints a document.
pub(super) fn print(docs: &[Doc]) -> Printed {
    let mut printer =
        Printer { out: Printed::default(), row: Row::default(), column: 0, indent: 0 };
    let mut rest: Rest<'_> = docs.iter().rev().map(|d| (0, false, d)).collect();
    while let Some((indent, flat, doc)) = rest.pop() {
        printer.step(indent, flat, doc, &mut rest);
    }
    printer.end_row();
    printer.out
}

impl Printer {
    fn step<'a>(&mut self, indent: usize, flat: bool, doc: &'a Doc, rest: &mut Rest<'a>) {
        match doc {
            Doc::Text(t) => self.text(t, indent),
            Doc::Line if flat => self.text(" ", indent),
            Doc::Soft if flat => {}
            Doc::Line | Doc::Soft | Doc::Hard => self.end_row_at(indent),
            Doc::Blank => self.out.lines.push(Row::default()),
            Doc::Trailing(c) => self.row.trailing = Some(c.clone()),
            Doc::Clause(run) => self.row.clause = Some((self.row.text.len(), *run)),
            Doc::Indent(docs) => push_all(docs, indent + STEP, flat, rest),
            Doc::Group { docs, broken } => {
                let flat = flat || (!broken && self.fits(docs, indent, rest));
                push_all(docs, indent, flat, rest);
            }
            Doc::Fill(docs) => self.fill(docs, indent, flat, rest),
        }
    }

    fn text(&mut self, t: &str, indent: usize) {
        if self.row.text.is_empty() {
            self.indent = indent;
            self.row.text.extend(std::iter::repeat_n(' ', indent));
            self.column = indent;
        }
        self.row.text.push_str(t);
        self.column += t.chars().count();
    }

    fn end_row_at(&mut self, indent: usize) {
        self.end_row();
        self.indent = indent;
    }

    fn end_row(&mut self) {
        let mut row = std::mem::take(&mut self.row);
        row.text.truncate(row.text.trim_end_matches(' ').len());
        self.column = 0;
        if !row.text.is_empty() || row.trailing.is_some() {
            self.out.lines.push(row);
        }
    }

    /// Pieces and the lines between them, in turn: a line breaks where the next piece does
    /// not fit behind it. Pieces are texts, so that nothing is left to print between them.
    fn fill<'a>(&mut self, docs: &'a [Doc], indent: usize, flat: bool, rest: &mut Rest<'a>) {
        for (at, doc) in docs.iter().enumerate() {
            let piece = docs.get(at + 1).map(std::slice::from_ref).unwrap_or_default();
            let stays = flat || self.width_left(indent) > flat_width(piece);
            self.step(indent, stays, doc, rest);
        }
    }

    fn width_left(&self, indent: usize) -> usize {
        WIDTH.saturating_sub(self.position(indent))
    }

    fn position(&self, indent: usize) -> usize {
        if self.row.text.is_empty() { indent } else { self.column }
    }

    /// Whether documents, printed flat, and what stands behind them up to the next possible
    /// break, fit on the line.
    fn fits(&self, docs: &[Doc], indent: usize, rest: &Rest<'_>) -> bool {
        let mut left = self.width_left(indent) as isize;
        let mut inner: Vec<(bool, &Doc)> = docs.iter().rev().map(|d| (true, d)).collect();
        let mut behind = rest.iter().rev();
        loop {
            let (flat, doc) = match inner.pop() {
                Some(next) => next,
                None => match behind.next() {
                    Some((_, flat, doc)) => (*flat, *doc),
                    None => return true,
                },
            };
            match doc {
                Doc::Text(t) => {
                    let first = t.split('\n').next().unwrap_or_default();
                    left -= first.chars().count() as isize;
                    if first.len() < t.len() {
                        return left >= 0;
                    }
                }
                Doc::Line if flat => left -= 1,
                Doc::Soft if flat => {}
                Doc::Line | Doc::Soft | Doc::Hard | Doc::Blank | Doc::Trailing(_) => {
                    return left >= 0;
                }
                Doc::Clause(_) => {}
                Doc::Indent(docs) | Doc::Fill(docs) => {
                    inner.extend(docs.iter().rev().map(|d| (flat, d)));
                }
                Doc::Group { docs, broken } => {
                    // A group behind may break, so its first line ends what must fit.
                    let flat = flat && !broken;
                    inner.extend(docs.iter().rev().map(|d| (flat, d)));
                }
            }
            if left < 0 {
                return false;
            }
        }
    }
}

fn push_all<'a>(docs: &'a [Doc], indent: usize, flat: bool, rest: &mut Rest<'a>) {
    rest.extend(docs.iter().rev().map(|d| (indent, flat, d)));
}

fn flat_width(docs: &[Doc]) -> usize {
    let width = |d: &Doc| match d {
        Doc::Text(t) => t.chars().count(),
        Doc::Line => 1,
        _ => 0,
    };
    docs.iter().map(width).sum()
}
