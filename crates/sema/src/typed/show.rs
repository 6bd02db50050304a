//! Types and places of the text, as messages say them.

use crate::thir::Elem;
use crate::thir::{Nominal, Ty};
use crate::typed::body_cx::BodyCx;
use weft_base::Span;
use weft_diag::Edit;
use weft_shape::Excerpt;

impl BodyCx<'_> {
    /// A named tuple's type for messages.
    pub fn show_named(&self, label: &Nominal, members: &[Ty]) -> String {
        match label {
            Nominal::Struct(id) | Nominal::Enum(id) => self.types.def(*id).name.to_string(),
            Nominal::Function(_) => "a function".into(),
            Nominal::Range => "a range".into(),
            Nominal::Character => "a character".into(),
            Nominal::Cells { slots, .. } => {
                let shape = members.first().and_then(Ty::shape).unwrap_or_default();
                let dims: Vec<String> =
                    shape.iter().take(*slots).map(|s| self.show_valued(s)).collect();
                format!("a tensor of tuples with shape [{}]", dims.join(", "))
            }
        }
    }

    /// A type for messages, as it would be written.
    pub fn show_ty(&self, ty: &Ty) -> String {
        match ty {
            Ty::Array(elem, shape) if shape.is_empty() => show_scalar(*elem),
            Ty::Array(elem, shape) => {
                let dims: Vec<String> = shape.iter().map(|s| self.show_extent(s)).collect();
                format!("[{}; {}]", show_elem(*elem), dims.join(", "))
            }
            Ty::Str => "str".into(),
            Ty::Tuple(members) => {
                let all: Vec<String> = members.iter().map(|m| self.show_ty(m)).collect();
                format!("({})", all.join(", "))
            }
            Ty::Named(label, members) => self.show_named(label, members),
            Ty::Boxed(id, _) => self.types.def(*id).name.to_string(),
            Ty::List(of) => match of.as_ref() {
                Ty::Array(elem, shape) if !shape.is_empty() => {
                    format!("a jagged array of {}", show_elem(*elem))
                }
                of => format!("a list of {}", self.show_ty(of)),
            },
            Ty::Fallible(of) => format!("{} or a failure", self.show_ty(of)),
            Ty::Absent => "a field of another variant".into(),
            Ty::Differential(elem, shape) => {
                format!("a differential of {}", self.show_ty(&Ty::Array(*elem, shape.clone())))
            }
            Ty::Error => "unknown".into(),
        }
    }

    /// The edits that write `… as to`.
    pub fn cast_edits(&self, span: Span, to: &str) -> Vec<Edit> {
        let text = self.source.text(span);
        let at =
            |n: u32, replacement: String| Edit { span: Span::new(span.file, n, n), replacement };
        if is_one_operand(text) {
            return vec![at(span.end, format!(" as {to}"))];
        }
        vec![at(span.start, "(".into()), at(span.end, format!(") as {to}"))]
    }

    /// Source text with its place.
    pub fn excerpt(&self, span: Span) -> Excerpt {
        Excerpt { text: self.text(span), span }
    }
}

/// Whether `as` behind a text is about all of it: outside of brackets stand names, numbers and
/// what they are read by.
fn is_one_operand(text: &str) -> bool {
    let mut depth = 0_usize;
    text.chars().all(|c| match c {
        '(' | '[' => {
            depth += 1;
            true
        }
        ')' | ']' => {
            depth = depth.saturating_sub(1);
            true
        }
        c => depth > 0 || c.is_alphanumeric() || matches!(c, '_' | '.' | ':'),
    })
}

/// An element type for messages; an open one by its kind.
pub(crate) fn show_elem(e: Elem) -> &'static str {
    match e {
        Elem::Fixed(t) => t.name(),
        Elem::OpenInt | Elem::OpenWide => "integer",
        Elem::OpenFloat | Elem::OpenReal(_) => "float",
        Elem::Unknown | Elem::Sought => "unknown",
    }
}

/// The type of a number for messages.
pub(crate) fn show_scalar(e: Elem) -> String {
    match e {
        Elem::OpenInt | Elem::OpenWide => "an integer".into(),
        open if open.is_open() => "a float".into(),
        other => show_elem(other).into(),
    }
}
