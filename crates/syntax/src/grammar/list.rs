//! Comma lists between brackets, and how they recover.

use crate::SyntaxKind as K;
use crate::parser::Parser;

/// `element,* close`, a trailing comma allowed; the opening bracket stands at `opener`
/// and has been taken.
pub(super) fn list<T>(
    p: &mut Parser<'_>,
    opener: usize,
    close: K,
    mut element: impl FnMut(&mut Parser<'_>) -> T,
) {
    while !p.at_any(&[close, K::Eof]) {
        element(p);
        if p.at(close) || !comma(p, opener, close) {
            break;
        }
    }
    if !p.eat(close) {
        not_closed(p, opener, &format!("`,` or {}", close.describe()));
    }
}

/// The comma between two elements; on a fault everything up to the next one is skipped.
fn comma(p: &mut Parser<'_>, opener: usize, close: K) -> bool {
    if p.eat(K::Comma) {
        return true;
    }
    p.expected_closer(opener, &format!("`,` or {}", close.describe()));
    p.skip_until(&[K::Comma, close]);
    p.eat(K::Comma)
}

/// The closing bracket, or a complaint that says `what` should stand here.
pub(super) fn close(p: &mut Parser<'_>, opener: usize, close: K, what: &str) {
    if !p.eat(close) {
        not_closed(p, opener, what);
    }
}

fn not_closed(p: &mut Parser<'_>, opener: usize, what: &str) {
    p.expected_closer(opener, what);
    p.skip_to_partner(opener);
}
