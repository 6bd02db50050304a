//! Code that is known to run briefly: optimising it takes longer than it saves.

use weft_loops::Function;

/// Operations that take less time than optimising any code does.
const BRIEF: u64 = 20_000;

/// Whether all functions together do little work, whatever they are given.
pub(super) fn are_short_running(functions: &[Function]) -> bool {
    let mut works = functions.iter().map(|f| f.max_operations(&f.body));
    works.try_fold(0u64, |sum, n| Some(sum.saturating_add(n?))).is_some_and(|n| n <= BRIEF)
}
