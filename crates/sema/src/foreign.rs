//! Calls of functions that whoever runs the program has: `python::m::f(…)`, and those of files.
//!
//! Nothing is known of such a function but what the program states of a call: the element types
//! and the axes of what it gives. Where all extents are known, what it gives must have them, and it
//! is called where it is looked at. Others are measured when it is there, and held against stated
//! ones as any other value's are. Behind this the call is host data like a comprehension's.

use crate::declared::Declared;
use crate::handles::Applied;
use crate::thir::{Elem, Expr, ExprKind, HostOp, Ty};
use crate::typed::body_cx::Effects;
use crate::typed::runs::has_run;
use crate::typed::values::{error_expr, integer, value};
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_domain::Affine;
use weft_hir as hir;
use weft_scalar::{FileCall, FileEffect, Stated};
use weft_shape::Size;

impl Applied<'_, '_> {
    /// A call of such a function where the type of what it gives is stated; nothing of other
    /// expressions.
    pub fn foreign(&mut self, e: &hir::Expr, ty: &hir::Type, stated: Stated) -> Option<Expr> {
        let hir::ExprKind::Call { callee, args } = &e.kind else { return None };
        let hir::ExprKind::Use(used) = &callee.kind else { return None };
        let found = match &used.meaning {
            hir::Meaning::Foreign(path) => self.foreign_call(path, args, ty, e.span),
            hir::Meaning::Library(hir::LibraryItem::File(op)) => {
                self.file_call(FileCall { op: *op, stated }, args, ty, e.span)
            }
            _ => return None,
        };
        Some(found.unwrap_or_else(|| error_expr(e.span)))
    }

    /// A call of a function of files: its effects come in their turn.
    fn file_call(
        &mut self,
        call: FileCall,
        args: &[hir::Arg],
        ty: &hir::Type,
        span: Span,
    ) -> Option<Expr> {
        let (op, path) = (call.op, Name::new(&call.op.path()));
        let declared = self.checker.cx().conversions().declared(ty)?;
        let array = matches!(declared, Declared::Scalar(_) | Declared::Array(..));
        let open = without_extents(&declared).filter(|_| array || !op.gives_array());
        let Some(open) = open else {
            if declared != Declared::Error {
                let help = "it gives a number, or a tensor with a number of axes: `[f64; n, m]`";
                self.gives_no_such(&path, ty.span, help);
            }
            return None;
        };
        let mut given = Vec::new();
        for arg in args {
            let name = arg.name.as_ref().map(|n| (n.name.clone(), n.span));
            given.push((name, self.checker.expr(&arg.value)));
        }
        let operands = self.checker.cx().operators().file_arguments(op, given, span)?;
        if !self.checker.cx().is_host() {
            self.checker.cx().operators().files_in_cells(span);
            return None;
        }
        let call = value(ExprKind::Host(HostOp::File(call), operands), open, span);
        if op.effect() == FileEffect::None {
            return Some(self.of_stated_type(call, &declared, ty.span));
        }
        let outer = std::mem::take(&mut self.checker.cx().effects);
        self.checker.cx().has_effect(Effects::Files);
        let found = self.of_stated_type(call, &declared, ty.span);
        Some(self.checker.cx().turns().in_turn(found, outer))
    }

    fn foreign_call(
        &mut self,
        path: &Name,
        args: &[hir::Arg],
        ty: &hir::Type,
        span: Span,
    ) -> Option<Expr> {
        let declared = self.checker.cx().conversions().declared(ty)?;
        let Some(open) = without_extents(&declared) else {
            if declared != Declared::Error {
                self.gives_no_such(
                    path,
                    ty.span,
                    "it gives numbers, tensors with a number of axes, texts, lists of texts, and tuples of them",
                );
            }
            return None;
        };
        let mut operands = Vec::new();
        for arg in args {
            operands.push(self.foreign_argument(path, arg)?);
        }
        if !self.checker.cx().is_host() {
            self.inside_a_clause(path, span);
            return None;
        }
        let names = args.iter().map(|a| a.name.as_ref().map(|n| n.name.clone())).collect();
        let call =
            value(ExprKind::Host(HostOp::Foreign(path.clone(), names), operands), open, span);
        Some(self.of_stated_type(call, &declared, ty.span))
    }

    /// A call with the type that is stated of what it gives.
    fn of_stated_type(&mut self, call: Expr, declared: &Declared, at: Span) -> Expr {
        let mut extents = Vec::new();
        if let Some(known) = self.with_known_extents(declared, &mut extents)
            && let ExprKind::Host(op, mut operands) = call.kind.clone()
        {
            // Nothing is to be found: it is called where it is looked at.
            operands.extend(extents.into_iter().map(|s| integer(Affine::fixed(s), call.span)));
            return value(ExprKind::Host(op, operands), known, call.span);
        }
        let measured = self.checker.cx().parts().measured(call);
        self.held_against(measured, declared, at)
    }

    /// E0308 for a stated type that such a function cannot give.
    fn gives_no_such(&mut self, path: &Name, at: Span, help: &str) {
        let d = Diagnostic::error(Code::E0308, format!("`{path}` cannot give this"))
            .primary(at, "stated here")
            .help(help);
        self.checker.report(d);
    }

    /// A stated type, where all its extents are known; they are listed in order.
    fn with_known_extents(&mut self, declared: &Declared, out: &mut Vec<Size>) -> Option<Ty> {
        match declared {
            Declared::Scalar(t) => Some(Ty::scalar(Elem::Fixed(*t))),
            Declared::Array(t, Some(dims)) => {
                let mut shape = Vec::new();
                for dim in dims {
                    let known = match &dim.kind {
                        hir::DimKind::Name(name) => self.checker.lookup(name.var).is_some(),
                        kind => matches!(kind, hir::DimKind::Expr(_)),
                    };
                    shape.push(if known { self.dim(dim, None)? } else { return None });
                }
                out.extend(shape.iter().cloned());
                Some(Ty::Array(Elem::Fixed(*t), shape))
            }
            Declared::Tuple(members) => {
                let members: Option<Vec<Ty>> =
                    members.iter().map(|m| self.with_known_extents(m, out)).collect();
                Some(Ty::Tuple(members?.into()))
            }
            Declared::Str => Some(Ty::Str),
            Declared::List(of) if **of == Declared::Str => Some(Ty::List(Box::new(Ty::Str))),
            _ => None,
        }
    }

    fn inside_a_clause(&mut self, path: &Name, span: Span) {
        let d = Diagnostic::error(Code::E0308, format!("a call of `{path}` inside a clause"))
            .primary(span, "it is no part of what clauses compute")
            .help("call it once, before the definition, on whole tensors");
        self.checker.report(d);
    }

    fn foreign_argument(&mut self, path: &Name, arg: &hir::Arg) -> Option<Expr> {
        let e = self.checker.expr(&arg.value);
        let e = self.checker.cx().conversions().close(e);
        match &e.ty {
            Ty::Error => None,
            Ty::Array(..) | Ty::Str => Some(e),
            other => {
                let found = self.checker.at().show_ty(other);
                let d = Diagnostic::error(Code::E0308, format!("`{path}` cannot be given {found}"))
                    .primary(e.span, format!("this is {found}"))
                    .help("it takes numbers, tensors and strings: give members one by one");
                self.checker.report(d);
                None
            }
        }
    }

    /// A call where nothing says what it gives.
    pub fn of_unknown_type(
        &mut self,
        path: &Name,
        args: &[hir::Arg],
        (span, label): (Span, &str),
    ) -> Expr {
        args.iter().for_each(|a| drop(self.checker.expr(&a.value)));
        if !self.checker.cx().is_host() {
            self.inside_a_clause(path, span);
            return error_expr(span);
        }
        let d =
            Diagnostic::error(Code::E0308, format!("the type of what `{path}` gives is not known"))
                .primary(span, label)
                .help("state it, and the extents that you name: `… as [f64; n]`, `let y: f64 = …`");
        self.checker.error(d)
    }

    /// Such a function as a value.
    pub fn not_called(&mut self, path: &Name, span: Span) -> Expr {
        let d = Diagnostic::error(Code::E0308, format!("`{path}` is only called"))
            .primary(span, "no value of the program")
            .help("make a function of it that states what it gives");
        self.checker.error(d)
    }
}

/// A stated type whose extents are all to be found; nothing where there is a part that no such
/// function gives, or whose axes are not counted.
fn without_extents(declared: &Declared) -> Option<Ty> {
    let tensor = |t, rank| Ty::Array(Elem::Fixed(t), vec![Size::from(0); rank]);
    match declared {
        Declared::Scalar(t) => Some(tensor(*t, 0)),
        Declared::Array(t, None) => Some(tensor(*t, 1)),
        Declared::Array(t, Some(dims)) if !has_run(dims) => Some(tensor(*t, dims.len())),
        Declared::Tuple(members) => {
            let members: Option<Vec<Ty>> = members.iter().map(without_extents).collect();
            Some(Ty::Tuple(members?.into()))
        }
        Declared::Str => Some(Ty::Str),
        Declared::List(of) if **of == Declared::Str => Some(Ty::List(Box::new(Ty::Str))),
        _ => None,
    }
}
