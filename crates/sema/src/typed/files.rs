//! Arguments of functions of files (`weft_scalar::FileOp`), held against the table of their
//! parameters.

use crate::thir::{Elem, Expr, ExprKind, StrPart, Ty};
use crate::typed::handles::Operators;
use crate::typed::values::{integer, is_beyond_i64, value};
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic, closest_name};
use weft_domain::Affine;
use weft_scalar::{FileDefault, FileKind, FileOp, FileParam};

/// An argument, with the name that it is given by, if it is.
pub(crate) type Given = (Option<(Name, Span)>, Expr);

impl Operators<'_, '_> {
    /// Arguments in the order of the parameters, with defaults where there are none; nothing where
    /// they do not fit.
    pub fn file_arguments(
        &mut self,
        op: FileOp,
        args: Vec<Given>,
        span: Span,
    ) -> Option<Vec<Expr>> {
        let (params, count) = (op.params(), args.len());
        let mut given: Vec<Option<Expr>> = vec![None; params.len()];
        for (n, (name, arg)) in args.into_iter().enumerate() {
            let place = self.file_parameter(op, name, n, span)?;
            if given[place].is_some() {
                let name = params[place].name;
                let headline = format!("argument `{name}` of `{}` is given twice", op.name());
                let d = Diagnostic::error(Code::E0061, headline);
                self.cx.report(d.primary(arg.span, "this argument"));
                return None;
            }
            given[place] = Some(self.file_argument(op, params[place], arg)?);
        }
        let default = |(arg, param): (Option<Expr>, &FileParam)| {
            arg.or_else(|| Some(constant(param.default?, span)))
        };
        let all: Option<Vec<Expr>> = given.into_iter().zip(params).map(default).collect();
        if all.is_none() {
            self.wrong_count(op, count, span);
        }
        all
    }

    /// The parameter that an argument is for.
    fn file_parameter(
        &mut self,
        op: FileOp,
        name: Option<(Name, Span)>,
        n: usize,
        span: Span,
    ) -> Option<usize> {
        let params = op.params();
        let Some((name, at)) = name else {
            if n >= params.len() {
                self.wrong_count(op, n + 1, span);
                return None;
            }
            return Some(n);
        };
        let place = params.iter().position(|p| p.name == name.as_str());
        if place.is_none() {
            let headline = format!("`{name}` is no parameter of `{}`", op.name());
            let d = Diagnostic::error(Code::E0061, headline).primary(at, "this argument");
            let near = closest_name(name.as_str(), params.iter().map(|p| p.name));
            self.cx.report(match near {
                Some(near) => d.help(format!("did you mean `{near}`?")),
                None => d,
            });
        }
        place
    }

    fn wrong_count(&mut self, op: FileOp, given: usize, span: Span) {
        let most = op.params().len();
        let least = op.params().iter().filter(|p| p.default.is_none()).count();
        let wanted = match (least == most, most) {
            (true, 1) => "1 argument".to_string(),
            (true, n) => format!("{n} arguments"),
            (false, n) => format!("{least} to {n} arguments"),
        };
        self.count(op.name(), &wanted, false, given, span);
    }

    fn file_argument(&mut self, op: FileOp, param: FileParam, arg: Expr) -> Option<Expr> {
        let e = self.cx.conversions().close(arg);
        if e.ty == Ty::Error {
            return None;
        }
        if fits(&e, param.kind) {
            return Some(match param.kind {
                FileKind::Integer => self.cx.parts().as_i64(e),
                FileKind::Tensors => self.closed_members(e),
                FileKind::Text | FileKind::Texts | FileKind::Tensor => e,
            });
        }
        let found = self.cx.show_ty(&e.ty);
        let wanted = match param.kind {
            FileKind::Text => "a string",
            FileKind::Texts => "a list of strings",
            FileKind::Integer => "an integer",
            FileKind::Tensor => "a tensor or a number",
            FileKind::Tensors => "a tuple of tensors",
        };
        let headline = format!("`{}` of `{}` is {wanted}, found {found}", param.name, op.name());
        let d = Diagnostic::error(Code::E0308, headline);
        self.cx.report(d.primary(e.span, format!("this is {found}")));
        None
    }

    /// A tuple with the types that its members have outside of the program, also where it stands
    /// under a name.
    fn closed_members(&mut self, tuple: Expr) -> Expr {
        let open = |ty: &Ty| ty.elem().is_some_and(Elem::is_open);
        if !tuple.ty.members().is_some_and(|all| all.iter().any(open)) {
            return tuple;
        }
        let tuple = self.cx.turns().bound_first(tuple);
        let (count, span) = (tuple.ty.members().map_or(0, <[Ty]>::len), tuple.span);
        let mut members = Vec::new();
        for n in 0..count {
            let member = self.cx.parts().member(tuple.clone(), n, span);
            members.push(self.cx.conversions().close(member));
        }
        let ty = Ty::Tuple(members.iter().map(|m| m.ty.clone()).collect());
        value(ExprKind::Tuple(members), ty, span)
    }

    /// E1107 for a function of files that cells would call.
    pub fn files_in_cells(&mut self, span: Span) {
        let d = Diagnostic::error(Code::E1107, "a function of files inside a clause")
            .primary(span, "cells are computed in no particular order")
            .help("call it before the definition, once, for whole tensors");
        self.cx.report(d);
    }
}

fn fits(e: &Expr, kind: FileKind) -> bool {
    match (kind, &e.ty) {
        (FileKind::Text, ty) => *ty == Ty::Str,
        (FileKind::Texts, Ty::List(of)) => **of == Ty::Str,
        (FileKind::Integer, Ty::Array(Elem::Fixed(t), shape)) => {
            t.is_int() && shape.is_empty() && !is_beyond_i64(e)
        }
        (FileKind::Tensor, ty) => matches!(ty, Ty::Array(..)),
        (FileKind::Tensors, Ty::Tuple(all)) => all.iter().all(|t| matches!(t, Ty::Array(..))),
        _ => false,
    }
}

fn constant(default: FileDefault, span: Span) -> Expr {
    match default {
        FileDefault::Text(text) => {
            value(ExprKind::Str(vec![StrPart::Text(text.to_string())]), Ty::Str, span)
        }
        FileDefault::Integer(n) => integer(Affine::fixed(n), span),
    }
}
