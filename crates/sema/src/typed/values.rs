//! Checked expressions as they are made and told apart, without a body: they know nothing but
//! themselves.

use crate::thir::{Block, Elem, Expr, ExprKind, HostOp, Item, LocalId, Stmt, StrPart, Ty};
use weft_base::Span;
use weft_domain::Affine;
use weft_scalar::{BinaryOp, Scalar};
use weft_shape::Size;

/// An expression without a term.
pub(crate) fn value(kind: ExprKind, ty: Ty, span: Span) -> Expr {
    Expr { kind, ty, span, term: None }
}

/// An open integer known as a term.
pub(crate) fn integer(term: Affine, span: Span) -> Expr {
    let kind = match term.as_constant() {
        Some(n) => ExprKind::Const(Scalar::I64(n)),
        None => ExprKind::Index(term.clone()),
    };
    Expr { kind, ty: Ty::scalar(Elem::OpenInt), span, term: Some(term) }
}

/// A truth value.
pub(crate) fn truth(b: bool, span: Span) -> Expr {
    value(ExprKind::Const(Scalar::Bool(b)), Ty::bool(), span)
}

/// Whether an expression is an open literal that only `u64` and floats can hold.
pub(crate) fn is_beyond_i64(e: &Expr) -> bool {
    e.ty.elem() == Some(Elem::OpenWide)
}

/// The expression that stands for an error.
pub(crate) fn error_expr(span: Span) -> Expr {
    Expr { kind: ExprKind::Error, ty: Ty::Error, span, term: None }
}

/// The text of a string without computed parts.
pub(crate) fn constant_text(e: &Expr) -> Option<String> {
    let ExprKind::Str(parts) = &e.kind else { return None };
    let mut out = String::new();
    for part in parts {
        match part {
            StrPart::Text(t) => out.push_str(t),
            StrPart::Value(..) => return None,
        }
    }
    Some(out)
}

/// A constant of an element type.
pub(crate) fn constant(v: Scalar, elem: Elem, span: Span) -> Expr {
    value(ExprKind::Const(v), Ty::scalar(elem), span)
}

/// Whether a checked expression is a differential.
pub fn is_differential(e: &Expr) -> bool {
    matches!(e.ty, Ty::Differential(..))
}

/// `0` beside a differential: what changes by nothing.
pub(crate) fn zero_differential(e: &Expr, elem: Elem, shape: &[Size]) -> Option<Expr> {
    let zero = match &e.kind {
        ExprKind::Block(b) => return zero_differential(b.tail.as_deref()?, elem, shape),
        _ if is_zero(e) => Scalar::zero(elem.computed_in()),
        _ => return None,
    };
    Some(value(ExprKind::Const(zero), Ty::Differential(elem, shape.to_vec()), e.span))
}

/// A differential under the type of its cells: for the checks that values have too.
pub(crate) fn as_value(e: Expr) -> Expr {
    let ty = match e.ty {
        Ty::Differential(elem, shape) => Ty::Array(elem, shape),
        other => other,
    };
    Expr { ty, ..e }
}

/// The differential of what has an array's type.
pub(crate) fn as_differential(e: Expr) -> Expr {
    match e.ty {
        Ty::Array(elem, shape) => Expr { ty: Ty::Differential(elem, shape), ..e },
        ty => Expr { ty, ..e },
    }
}

/// A member of a tuple; of a block, a block that gives it: what its extents are is known
/// inside.
pub(crate) fn member_within(e: &Expr, n: usize, ty: &Ty) -> Expr {
    match &e.kind {
        ExprKind::Tuple(members) => members[n].clone(),
        ExprKind::Block(crate::thir::Block { stmts, tail: Some(tail) }) => {
            let stmts = statements_for(stmts, tail, n);
            let tail = Some(Box::new(member_within(tail, n, ty)));
            value(ExprKind::Block(crate::thir::Block { stmts, tail }), ty.clone(), e.span)
        }
        _ => value(ExprKind::Field(Box::new(e.clone()), n), ty.clone(), e.span),
    }
}

/// The statements of a block that a member of its value needs: without the choices, made member by
/// member, that are other members. In a chain of choices each side would have all of them twice.
fn statements_for(stmts: &[Stmt], tail: &Expr, n: usize) -> Vec<Stmt> {
    let ExprKind::Tuple(members) = &tail.kind else { return stmts.to_vec() };
    // What else a member is made of may rest on extents of the others.
    let Some(wanted) = named_members(&members[n]) else { return stmts.to_vec() };
    let all: Vec<LocalId> = members.iter().filter_map(named_members).flatten().collect();
    let (mut before, mut kept) = (stmts, Vec::new());
    while let [rest @ .., Stmt::Let(id, choice), Stmt::Measure(of, _)] = before
        && matches!(choice.kind, ExprKind::If(..))
        && id == of
        && all.contains(id)
    {
        if wanted.contains(id) {
            kept.push(&before[rest.len()..]);
        }
        before = rest;
    }
    kept.push(before);
    kept.into_iter().rev().flatten().cloned().collect()
}

/// The names that a tuple is made of, where it is of names and numbers alone.
fn named_members(e: &Expr) -> Option<Vec<LocalId>> {
    match &e.kind {
        ExprKind::Local(id) => Some(vec![*id]),
        ExprKind::Const(_) => Some(Vec::new()),
        ExprKind::Tuple(members) => {
            let all: Option<Vec<Vec<LocalId>>> = members.iter().map(named_members).collect();
            all.map(|all| all.concat())
        }
        _ => None,
    }
}

/// A field of a variant that a value is not.
pub(crate) fn absent(span: Span) -> Expr {
    value(ExprKind::Const(Scalar::Bool(false)), Ty::Absent, span)
}

/// Whether a value is an integer that was asked for as such, and not written out: what a run
/// may replace is a literal.
pub(crate) fn is_extent(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Index(_) => true,
        ExprKind::Adapted(_, x) | ExprKind::Cast(_, x) => e.term.is_some() && is_extent(x),
        _ => false,
    }
}

/// An expression behind a binding.
pub(crate) fn with_first(stmt: Stmt, e: Expr) -> Expr {
    let (ty, span) = (e.ty.clone(), e.span);
    let block = Block { stmts: vec![stmt], tail: Some(Box::new(e)) };
    value(ExprKind::Block(block), ty, span)
}

/// The same value seen as another type: a value that may be a failure as what it is.
pub(crate) fn retyped(e: Expr, ty: Ty) -> Expr {
    let span = e.span;
    value(ExprKind::Host(HostOp::Succeeded, vec![e]), ty, span)
}

/// Whether an expression may be said many times: it is no larger than a name.
pub(crate) fn is_repeatable(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_) | ExprKind::Const(_) | ExprKind::Index(_) => true,
        ExprKind::Read(_, base, items) => {
            let affine = items.iter().all(|item| !matches!(item, Item::Data(_)));
            affine && matches!(base.kind, ExprKind::Local(_))
        }
        _ => constant_text(e).is_some(),
    }
}

/// Parts of what is written out once for each member of a tuple: what holds another such thing
/// doubles it.
pub(crate) const MOST_PARTS: usize = 1 << 17;

/// Whether some expressions have more parts than `most` together.
pub(crate) fn are_more_than(most: usize, mut parts: Vec<&Expr>) -> bool {
    let mut count = 0;
    while let Some(e) = parts.pop() {
        count += 1;
        if count > most {
            return true;
        }
        match &e.kind {
            ExprKind::Block(block) => {
                block.statement_exprs(&mut |x| parts.push(x));
                parts.extend(block.tail.as_deref());
            }
            _ => e.children(&mut |x| parts.push(x)),
        }
    }
    false
}

/// Calls `f` with every local an expression names.
pub(crate) fn locals_in(e: &Expr, f: &mut dyn FnMut(LocalId)) {
    if let ExprKind::Local(id) = e.kind {
        f(id);
    }
    e.children(&mut |c| locals_in(c, f));
}

/// How an operator is written.
pub(crate) fn symbol(op: BinaryOp) -> &'static str {
    quoted_symbol(op).trim_matches('`')
}

/// The same as messages have it.
pub(crate) fn quoted_symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "`+`",
        BinaryOp::Sub => "`-`",
        BinaryOp::Mul => "`*`",
        BinaryOp::Div => "`/`",
        BinaryOp::Rem => "`%`",
        BinaryOp::Pow => "`**`",
        BinaryOp::Atan2 => "`atan2`",
        BinaryOp::Min => "`min`",
        BinaryOp::Max => "`max`",
        BinaryOp::Eq => "`==`",
        BinaryOp::Ne => "`!=`",
        BinaryOp::Lt => "`<`",
        BinaryOp::Le => "`<=`",
        BinaryOp::Gt => "`>`",
        BinaryOp::Ge => "`>=`",
        BinaryOp::And => "`&&`",
        BinaryOp::Or => "`||`",
        BinaryOp::BitsAnd => "`and`",
        BinaryOp::BitsOr => "`or`",
        BinaryOp::BitsXor => "`xor`",
        BinaryOp::BitsShl => "`shl`",
        BinaryOp::BitsShr => "`shr`",
        BinaryOp::BitsRotl => "`rotl`",
    }
}

pub(crate) fn is_zero(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Const(v) if v.as_i64() == Some(0))
}

/// Whether an expression means the same in every body.
pub(crate) fn is_static(e: &Expr) -> bool {
    let sizes = e.ty.shape().unwrap_or_default();
    if !sizes.iter().all(|s| s.as_constant().is_some()) {
        return false;
    }
    match &e.kind {
        ExprKind::Const(_) => true,
        ExprKind::Index(term) => term.as_constant().is_some(),
        ExprKind::Str(parts) => parts.iter().all(|p| match p {
            StrPart::Text(_) => true,
            StrPart::Value(v, _) => is_static(v),
        }),
        ExprKind::Unary(_, a)
        | ExprKind::Cast(_, a)
        | ExprKind::Adapted(_, a)
        | ExprKind::Field(a, _) => is_static(a),
        ExprKind::Binary(_, a, b) => is_static(a) && is_static(b),
        ExprKind::If(c, a, b) => is_static(c) && is_static(a) && is_static(b),
        ExprKind::Tuple(all) | ExprKind::Array(all) => all.iter().all(is_static),
        _ => false,
    }
}
