//! Places of a statement that is checked in passes.

use crate::typed::body_cx::BodyCx;
use weft_base::Span;

/// Where a definition or an index stands: its place in the text, and how many at that place came
/// before it in the pass. (What is made of one text may be checked several times.)
pub(crate) type Place = (Span, u32);

impl BodyCx<'_> {
    /// Whether an error was reported since a mark.
    pub fn has_errors_since(&self, reported: usize) -> bool {
        self.sink.has_errors_since(reported)
    }
}
