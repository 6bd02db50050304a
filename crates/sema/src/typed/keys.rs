//! What of the arguments of a call gets an instance of its own: element types, ranks, which
//! functions they are, and values that specialise; never extents.

use crate::scope::FnId;
use crate::thir::{self, Expr, ExprKind, Nominal, Ty};
use crate::typed::body_cx::BodyCx;

/// What of an argument specialises.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum ArgKey {
    /// A host integer, known as a term.
    HostInt(thir::Elem),
    /// A tensor or scalar: element type and rank.
    Array(thir::Elem, usize),
    /// The differential of such.
    Differential(thir::Elem, usize),
    Str,
    Tuple(Vec<ArgKey>),
    /// A tuple with a name.
    Named(LabelKey, Vec<ArgKey>),
    /// Host data of a recursive enum.
    Boxed(thir::TypeId, Vec<ArgKey>),
    /// A host list.
    List(Box<ArgKey>),
    /// A value or a failure.
    Fallible(Box<ArgKey>),
    /// A field that is not there.
    Absent,
    /// Left to its default.
    Default,
    /// A string whose text specialises.
    Text(String),
    /// A host integer whose value specialises.
    Static(thir::Elem, i64),
    /// A flag whose value specialises.
    Flag(bool),
    /// A list of integers whose length and elements specialise.
    Numbers(thir::Elem, Vec<i64>),
    /// A list of host integers whose length specialises: its elements are known as terms.
    Sizes(thir::Elem, usize),
    Error,
}

/// What of a tuple's name specialises.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum LabelKey {
    Struct(thir::TypeId),
    Enum(thir::TypeId),
    Function(FnId),
    Cells(Box<ArgKey>, usize),
    Range,
    Character,
}

/// What of an argument specialises, besides values. Integers that a function captures are
/// known as terms, as those that are passed are.
pub(crate) fn arg_key(cx: &BodyCx<'_>, e: &Expr) -> ArgKey {
    match &e.ty {
        Ty::Array(elem, shape) if shape.is_empty() && cx.size_of(e).is_some() => {
            ArgKey::HostInt(*elem)
        }
        Ty::Named(label @ Nominal::Function(_), types) => {
            let part = |(n, ty): (usize, &Ty)| match captured_member(cx, e, n) {
                Some(member) => arg_key(cx, member),
                None => ty_key(ty),
            };
            ArgKey::Named(label_key(label), types.iter().enumerate().map(part).collect())
        }
        ty => ty_key(ty),
    }
}

/// What is known of a member of a function value, or of an element of a list.
pub(crate) fn captured_member<'e>(
    cx: &'e BodyCx<'_>,
    function: &'e Expr,
    n: usize,
) -> Option<&'e Expr> {
    match &function.kind {
        ExprKind::Tuple(members) | ExprKind::Array(members) => members.get(n),
        ExprKind::Local(id) => cx.members.get(id)?.get(n),
        _ => None,
    }
}

/// What of a type specialises.
pub(crate) fn ty_key(ty: &Ty) -> ArgKey {
    match ty {
        Ty::Array(elem, shape) => ArgKey::Array(*elem, shape.len()),
        Ty::Str => ArgKey::Str,
        Ty::Tuple(members) => ArgKey::Tuple(members.iter().map(ty_key).collect()),
        Ty::Named(label, members) => {
            ArgKey::Named(label_key(label), members.iter().map(ty_key).collect())
        }
        Ty::Boxed(id, args) => ArgKey::Boxed(*id, args.iter().map(ty_key).collect()),
        Ty::List(of) => ArgKey::List(Box::new(ty_key(of))),
        Ty::Fallible(of) => ArgKey::Fallible(Box::new(ty_key(of))),
        Ty::Absent => ArgKey::Absent,
        Ty::Differential(elem, shape) => ArgKey::Differential(*elem, shape.len()),
        Ty::Error => ArgKey::Error,
    }
}

fn label_key(label: &Nominal) -> LabelKey {
    match label {
        Nominal::Struct(id) => LabelKey::Struct(*id),
        Nominal::Enum(id) => LabelKey::Enum(*id),
        Nominal::Function(f) => LabelKey::Function(*f),
        Nominal::Cells { cell, slots } => LabelKey::Cells(Box::new(ty_key(cell)), *slots),
        Nominal::Range => LabelKey::Range,
        Nominal::Character => LabelKey::Character,
    }
}
