//! Names as they were written, cheap to clone.

use std::fmt;
use std::sync::Arc;

/// A name from the source, kept for messages, dumps and file names.
///
/// Comparing names is right only while names are being resolved; afterwards
/// identity is an id.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Arc<str>);

impl Name {
    /// The name spelled `text`.
    pub fn new(text: &str) -> Self {
        Name(Arc::from(text))
    }

    /// The spelling.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Name::new(text)
    }
}

impl std::borrow::Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
