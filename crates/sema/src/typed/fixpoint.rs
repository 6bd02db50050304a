//! Places of a statement that is checked in passes.

use crate::typed::body_cx::BodyCx;
use weft_hir::VarId;

/// A definition or an index in a pass: its variable, and how often that was met before. (What is
/// made of one text may be checked several times.)
pub(crate) type Place = (VarId, u32);

impl BodyCx<'_> {
    /// Whether an error was reported since a mark.
    pub fn has_errors_since(&self, reported: usize) -> bool {
        self.sink.has_errors_since(reported)
    }
}
