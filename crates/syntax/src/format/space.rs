//! Whether a space stands between two tokens.

use crate::SyntaxKind as K;
use crate::lexer::lex;

/// Whether a space stands between two tokens that are joined in a node of kind `node`.
pub(super) fn between(node: K, before: (K, &str), after: (K, &str)) -> bool {
    // After a point digits are a position: alone they would read as a number.
    let joined = || node != K::FieldExpr && would_join(before.1, after.1);
    wanted(node, before.0, after.0) || joined()
}

fn wanted(node: K, before: K, after: K) -> bool {
    match (node, before, after) {
        (_, K::ColonColon, _) | (_, _, K::ColonColon) => false,
        (_, _, K::Comma | K::Semi | K::Colon) => false,
        (K::FieldExpr | K::PatNumber | K::RangeExpr | K::RangePat, ..) => false,
        (K::PrefixExpr, prefix, _) => prefix == K::TryKw,
        (K::DiffRule, K::At, _) => false,
        (K::Rest | K::RestPat | K::Dim, K::DotDot, _) => false,
        (K::CallExpr | K::ReductionExpr | K::ReduceExpr, _, K::LParen | K::LBracket) => false,
        (K::FnDef | K::DiffRule, K::Ident, K::LParen) => false,
        (K::IndexExpr | K::JaggedType, _, K::LBracket) => false,
        (K::IndexedStmt, K::Ident, K::LBracket) => false,
        (K::Variant | K::StructDef | K::TupleStructPat, _, K::LParen) => false,
        (K::PathType | K::StructDef | K::EnumDef, K::Ident, K::Lt) => false,
        (K::PathType | K::Generics, K::Lt, _) | (K::PathType | K::Generics, _, K::Gt) => false,
        _ => true,
    }
}

/// Whether two tokens read differently without a space between them.
fn would_join(before: &str, after: &str) -> bool {
    let joined = format!("{before}{after}");
    let tokens = lex(&joined).unwrap_or_default();
    let cut = before.len() as u32;
    !tokens.iter().any(|t| t.start == cut) || tokens.iter().filter(|t| t.end > t.start).count() != 2
}
