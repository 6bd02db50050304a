//! Groups of iterators that are counted by one flat index, the last one fastest.

use weft_domain::Range;

/// Independent ranges, outermost first.
pub(crate) struct Group {
    ranges: Vec<Range>,
}

impl Group {
    /// At least one range.
    pub fn new(ranges: Vec<Range>) -> Group {
        assert!(!ranges.is_empty(), "a group has a range");
        Group { ranges }
    }

    /// The iterators.
    pub fn iters(&self) -> impl Iterator<Item = weft_domain::Iter> {
        self.ranges.iter().map(|r| r.iter)
    }

    /// The ranges, outermost first.
    pub fn ranges(&self) -> &[Range] {
        &self.ranges
    }

    /// Whether it is one range only.
    pub fn is_single(&self) -> bool {
        self.ranges.len() == 1
    }
}
