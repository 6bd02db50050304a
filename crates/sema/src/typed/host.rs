//! Host data: strings, lists and ranges as values.
//!
//! What is known while checking is folded. The rest is for the host, outside clauses; the
//! extents of tensors that come out of host data are measured when they are bound.

use crate::thir::Nominal;
use crate::thir::{Elem, Expr, ExprKind, HostOp, ParamOrigin, Stmt, StrPart, Ty};
use crate::typed::forms::{alike, has_extents, has_unknown_extents, without_extents};
use crate::typed::handles::Parts;
use crate::typed::values::constant_text;
use crate::typed::values::{error_expr, integer, retyped, value};
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_domain::Affine;
use weft_shape::Size;

impl Parts<'_, '_> {
    pub fn whole_number(&mut self, e: Expr) -> Option<Expr> {
        let int = match e.ty {
            Ty::Array(Elem::OpenInt, ref s) => s.is_empty(),
            Ty::Array(Elem::Fixed(t), ref s) => s.is_empty() && t.is_int(),
            Ty::Error => return None,
            _ => false,
        };
        if int {
            return Some(match e.ty.elem() {
                Some(Elem::OpenInt) => e,
                _ => {
                    let (term, span) = (e.term.clone(), e.span);
                    let ty = Ty::scalar(Elem::OpenInt);
                    let kind = ExprKind::Cast(weft_scalar::ScalarType::I64, Box::new(e));
                    Expr { kind, ty, span, term }
                }
            });
        }
        let found = self.cx.show_ty(&e.ty);
        let d = Diagnostic::error(
            Code::E0308,
            format!("the end of a range must be an integer, found {found}"),
        )
        .primary(e.span, format!("this is {found}"));
        let is_float = e.ty.elem().is_some_and(Elem::is_float) && e.ty.rank() == Some(0);
        let d = match is_float {
            true => {
                d.help("write it without a point or exponent (`1000`), or convert it: `n as i32`")
            }
            false => d,
        };
        self.cx.report(d);
        None
    }

    /// The length of a string or a list that is known when the program runs.
    pub fn host_length(&mut self, x: &Expr, span: Span) -> Expr {
        if !self.cx.iters_of(x).is_empty() && !self.host_data_here(span, &x.ty.clone()) {
            return error_expr(span);
        }
        value(ExprKind::Host(HostOp::Length, vec![x.clone()]), Ty::scalar(Elem::OpenInt), span)
    }

    /// The element of a list, or the character of a string, at an integer.
    pub fn host_element(&mut self, base: Expr, at: Expr, span: Span) -> Expr {
        if let (Some(text), Some(n)) =
            (constant_text(&base), at.term.as_ref().and_then(Affine::as_constant))
            && let Some(c) = usize::try_from(n).ok().and_then(|n| text.chars().nth(n))
        {
            return value(ExprKind::Str(vec![StrPart::Text(c.into())]), Ty::Str, span);
        }
        // What no index reaches is looked at once, before the clause; its extents must be known.
        let number = |ty: &Ty| *ty == Ty::Str || ty.rank() == Some(0);
        let simple = match &base.ty {
            Ty::List(of) => number(of),
            ty => number(ty),
        };
        let once = simple && self.cx.iters_of(&base).is_empty() && self.cx.iters_of(&at).is_empty();
        if !once && !self.host_data_here(span, &base.ty) {
            return error_expr(span);
        }
        let ty = match &base.ty {
            Ty::List(of) => (**of).clone(),
            _ => Ty::Str,
        };
        self.measured(value(ExprKind::Host(HostOp::At, vec![base, at]), ty, span))
    }

    /// The elements of a list, or the characters of a string, from one integer up to another.
    pub fn host_stretch(&mut self, base: Expr, lo: Expr, hi: Expr, span: Span) -> Expr {
        if !self.host_data_here(span, &base.ty) {
            return error_expr(span);
        }
        let ty = base.ty.clone();
        value(ExprKind::Host(HostOp::Slice, vec![base, lo, hi]), ty, span)
    }

    /// Whether host data may be looked at here.
    pub fn host_data_here(&mut self, span: Span, ty: &Ty) -> bool {
        let host = self.cx.is_host();
        if !host {
            let what = self.cx.show_ty(ty);
            let d = Diagnostic::error(Code::E0308, format!("{what} inside a clause"))
                .primary(span, "clauses compute with numbers, and tensors and tuples of them");
            let d = match ty {
                Ty::List(of) if matches!(**of, Ty::Array(..) | Ty::List(_)) => {
                    d.help("pad the rows to one length: then it is a tensor")
                }
                Ty::List(of) if **of == Ty::Str => d.help(
                    "lists of strings are for outside of definitions: `[f(s) | s in list]`, `std::text::join(list)`",
                ),
                _ => d.help("take it apart before the definition"),
            };
            self.cx.report(d);
        }
        host
    }

    /// What has no cells.
    pub fn no_cells(&mut self, base: &Expr, span: Span) -> Expr {
        let found = self.cx.show_ty(&base.ty);
        let d = Diagnostic::error(Code::E0311, format!("{found} has no cells"))
            .primary(span, "it cannot be indexed");
        self.cx.error(d)
    }

    /// A tensor as the list of what lies along its first axis, as it stands beside lists.
    pub fn row_list(&mut self, e: Expr) -> Expr {
        let e = self.cx.conversions().close(e);
        let Ty::Array(elem, shape) = &e.ty else { return e };
        if shape.is_empty() {
            return e;
        }
        let rows = without_extents(&Ty::Array(*elem, shape[1..].to_vec()));
        let (ends, span) = ([Size::from(0), shape[0].clone()], e.span);
        let [lo, hi] = ends.map(|s| crate::typed::values::integer(Affine::fixed(s), span));
        value(ExprKind::Host(HostOp::Slice, vec![e, lo, hi]), Ty::List(Box::new(rows)), span)
    }

    /// Elements that are no rectangular tensor.
    pub fn list_of(&mut self, all: Vec<Expr>, span: Span) -> Expr {
        let all: Vec<Expr> = all.into_iter().map(|e| self.cx.conversions().close(e)).collect();
        let Some(first) = all.first().cloned() else { return error_expr(span) };
        for e in &all[1..] {
            if !alike(&first.ty, &e.ty) {
                self.cx.conversions().mismatch(&first, e, "the elements of an array");
                return error_expr(span);
            }
        }
        if !self.host_data_here(span, &Ty::List(Box::new(first.ty.clone()))) {
            return error_expr(span);
        }
        let of = all
            .iter()
            .map(|e| without_extents(&e.ty))
            .reduce(|a, b| crate::typed::forms::merged(&a, &b));
        let ty = Ty::List(Box::new(of.unwrap_or(Ty::Absent)));
        value(ExprKind::Host(HostOp::List, all), ty, span)
    }

    /// A value that comes out of host data: bound, its extents measured.
    pub fn measured(&mut self, e: Expr) -> Expr {
        if !has_extents(&e.ty) || !self.cx.is_host() {
            return e;
        }
        let span = e.span;
        let text = self.cx.text(span);
        let mut params = Vec::new();
        let ty = self.with_measured_extents(&e.ty, &text, span, &mut params);
        let id = self.cx.local(&Name::new("measured."), span, ty.clone(), None);
        self.cx.leaves().record_dependence(id, &e);
        self.cx.pending.push(Stmt::Let(id, Expr { ty: ty.clone(), ..e }));
        self.cx.pending.push(Stmt::Measure(id, params));
        value(ExprKind::Local(id), ty, span)
    }

    /// The value of what has not failed: its extents are measured where they are not known.
    pub fn succeeded(&mut self, chain: Expr, of: &Ty) -> Expr {
        let e = retyped(chain, of.clone());
        if has_unknown_extents(of) { self.measured(e) } else { e }
    }

    /// A tensor of rows of known extents that comes out of host data: bound, the rows counted
    /// where it is not known how many these are.
    pub fn counted(
        &mut self,
        rows: ExprKind,
        elem: Elem,
        (count, row): (Option<Size>, Vec<Size>),
        span: Span,
    ) -> Expr {
        let text = self.cx.text(span);
        let measured = count.is_none().then(|| self.measured_extent(&text, 0, span));
        let first = count.or(measured.map(Size::param));
        let shape = first.into_iter().chain(row).collect();
        let e = value(rows, Ty::Array(elem, shape), span);
        let id = self.cx.local(&Name::new("measured."), span, e.ty.clone(), None);
        self.cx.leaves().record_dependence(id, &e);
        let ty = e.ty.clone();
        self.cx.pending.push(Stmt::Let(id, e));
        self.cx.pending.extend(measured.map(|p| Stmt::Measure(id, vec![p])));
        value(ExprKind::Local(id), ty, span)
    }

    fn measured_extent(&mut self, text: &str, axis: usize, span: Span) -> weft_shape::Param {
        let name = Name::new(&format!("shape({text})[{axis}]"));
        let p = self.cx.param(name, span, ParamOrigin::Computed);
        self.cx.body.facts.at_least(p, 0);
        p
    }

    fn with_measured_extents(
        &mut self,
        ty: &Ty,
        text: &str,
        span: Span,
        params: &mut Vec<weft_shape::Param>,
    ) -> Ty {
        ty.map_leaves(&mut |leaf| {
            let axes = 0..leaf.extents().map_or(0, <[Size]>::len);
            leaf.with_extents(axes.map(|axis| {
                let p = self.measured_extent(text, axis, span);
                params.push(p);
                Size::param(p)
            }))
        })
    }

    /// The number of integers in a range.
    pub fn range_length(&mut self, range: &Expr, span: Span) -> Expr {
        let (lo, hi) = (self.member(range.clone(), 0, span), self.member(range.clone(), 1, span));
        let length = self.cx.operators().apply_binary(weft_scalar::BinaryOp::Sub, hi, lo, span);
        if let Some(n) = self.cx.size_of(&length) {
            return integer(Affine::fixed(n.larger(&0.into())), span);
        }
        let zero = integer(Affine::fixed(0), span);
        self.cx.operators().apply_binary(weft_scalar::BinaryOp::Max, length, zero, span)
    }

    /// `len(x)`: the first extent.
    pub fn length_of(&mut self, x: &Expr, span: Span) -> Expr {
        match (&x.ty, x.ty.shape().and_then(<[Size]>::first)) {
            (_, Some(s)) => integer(Affine::fixed(s.clone()), span),
            (Ty::Tuple(members), _) => integer(Affine::fixed(members.len() as i64), span),
            (Ty::Error, _) => error_expr(span),
            (Ty::Str, _) => match constant_text(x) {
                Some(text) => {
                    let n = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
                    integer(Affine::fixed(n), span)
                }
                None => match self.known_length(x) {
                    Some(length) => length,
                    None => self.host_length(x, span),
                },
            },
            (Ty::List(_), _) => match self.known_length(x) {
                Some(length) => Expr { span, ..length },
                None => self.host_length(x, span),
            },
            (Ty::Named(Nominal::Cells { slots, .. }, leaves), _) if *slots > 0 => {
                match leaves.first().and_then(|l| l.shape()?.first()) {
                    Some(s) => integer(Affine::fixed(s.clone()), span),
                    None => error_expr(span),
                }
            }
            (Ty::Named(Nominal::Range, _), _) => self.range_length(x, span),
            _ => {
                let found = self.cx.show_ty(&x.ty);
                let d = Diagnostic::error(Code::E0311, format!("{found} has no length"))
                    .primary(x.span, format!("this is {found}"));
                self.cx.error(d)
            }
        }
    }
}
