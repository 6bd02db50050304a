//! Builtins and the functions of the library, applied to their arguments.

use crate::thir::{Elem, Expr, ExprKind, Stmt, StrPart, Ty};
use crate::typed::body_cx::Effects;
use crate::typed::handles::Operators;
use crate::typed::reduction::{Conditions, arguments, plain};
use crate::typed::values::{
    error_expr, is_beyond_i64, is_differential, is_repeatable, value, with_first,
};
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_domain::Iter;
use weft_hir as hir;
use weft_hir::LibraryItem;
use weft_scalar::{BinaryOp, Operands, ScalarType};
use weft_tensor::Accumulator;

impl Operators<'_, '_> {
    /// The product of a value with itself, which is bound where it is more than a name: of
    /// squares of squares each would hold the one inside twice.
    fn square(&mut self, x: Expr, span: Span) -> Expr {
        if x.ty == Ty::Error || is_repeatable(&x) {
            return self.apply_binary(BinaryOp::Mul, x.clone(), x, span);
        }
        let id = self.cx.local(&Name::new("square."), x.span, x.ty.clone(), x.term.clone());
        self.cx.remember_value(id, &x);
        let ty = self.cx.body.locals[id].ty.clone();
        let named = value(ExprKind::Local(id), ty, x.span).with_term(x.term.clone());
        let product = self.apply_binary(BinaryOp::Mul, named.clone(), named, span);
        let term = product.term.clone();
        with_first(Stmt::Let(id, x), product).with_term(term)
    }

    pub fn count(&mut self, name: &str, wanted: &str, ok: bool, found: usize, span: Span) -> bool {
        if !ok {
            let s = if found == 1 { "" } else { "s" };
            let d =
                Diagnostic::error(Code::E0061, format!("`{name}` takes {wanted}, {found} given"))
                    .primary(span, format!("{found} argument{s}"));
            let d = match name {
                "max" | "min" if found > 2 => d.help(format!(
                    "of more than two values: `{name}([a, b, c])`, or `{name}({name}(a, b), c)`"
                )),
                _ => d,
            };
            self.cx.report(d);
        }
        ok
    }

    pub fn at_host_level(&mut self, span: Span, what: &str) -> bool {
        let inside = !self.cx.is_host();
        if inside {
            let d = Diagnostic::error(Code::E1107, format!("`{what}` inside a clause"))
                .primary(span, "cells are computed in no particular order")
                .help("bind the tensor, and print it after its definition");
            self.cx.report(d);
        }
        !inside
    }

    /// Whether all elements hold, and the message with the first place where one does not.
    pub fn all_hold(
        &mut self,
        cond: Expr,
        message: Option<Box<Expr>>,
        span: Span,
    ) -> (Expr, Option<Box<Expr>>) {
        let Some((iters, body)) = self.all_elements(cond, span) else {
            return (error_expr(span), None);
        };
        let conditions = Conditions::default;
        let ty = body.ty.clone();
        let all = plain(&iters, conditions(), span, Accumulator::All, body.clone(), ty);
        let number = self.cast_elements(body, ScalarType::I32, Vec::new(), span);
        let first = arguments(Accumulator::ArgMin, iters, conditions(), number, span);
        let places = match first.kind {
            ExprKind::Tuple(places) => places,
            kind => vec![Expr { kind, ..first }],
        };
        let before = match message.map(|m| m.kind) {
            Some(ExprKind::Str(parts)) => parts,
            Some(kind) => vec![StrPart::Value(Box::new(value(kind, Ty::Str, span)), None)],
            None => vec![StrPart::Text("this is false".into())],
        };
        let mut parts = before;
        for (n, place) in places.into_iter().enumerate() {
            parts.push(StrPart::Text(if n == 0 { " at [" } else { ", " }.into()));
            parts.push(StrPart::Value(Box::new(place), None));
        }
        parts.push(StrPart::Text("]".into()));
        (all, Some(Box::new(value(ExprKind::Str(parts), Ty::Str, span))))
    }

    /// A builtin reduction over all elements.
    pub fn reduce_all(&mut self, accumulator: Accumulator, x: Expr, span: Span) -> Expr {
        if x.ty == Ty::Error {
            return error_expr(span);
        }
        let x = self.cx.conversions().known_elements(x);
        if is_beyond_i64(&x) {
            return self.too_large(x.span);
        }
        let x = match accumulator == Accumulator::Sum && x.ty.elem() == Ty::bool().elem() {
            // Of truth values the number of true ones.
            true => {
                let ty = Ty::Array(Elem::OpenInt, x.ty.shape().unwrap_or_default().to_vec());
                value(ExprKind::Cast(ScalarType::I64, Box::new(x)), ty, span)
            }
            false => self.numeric(x, "this reduction"),
        };
        if x.ty.rank() == Some(0) {
            return x;
        }
        let Some((iters, body)) = self.all_elements(x, span) else { return error_expr(span) };
        let reduce = |body: Expr| {
            let (binds, guards, ty) = (Vec::new(), Vec::new(), body.ty.clone());
            let body = Box::new(body);
            value(ExprKind::Reduce { accumulator, iters, binds, guards, body }, ty, span)
        };
        match accumulator {
            Accumulator::Sum => crate::typed::reduction::wide_sum(body, reduce),
            _ => reduce(body),
        }
    }

    /// An element of a tensor, and the indices that run over all of them.
    fn all_elements(&mut self, x: Expr, span: Span) -> Option<(Vec<Iter>, Expr)> {
        let shape = x.ty.shape()?.to_vec();
        let iters: Vec<Iter> = shape
            .iter()
            .enumerate()
            .map(|(n, s)| self.cx.parts().lifted_index(n, s, x.span))
            .collect();
        let body = Expr { span, ..self.cx.parts().element(x, &iters) };
        Some((iters, body))
    }

    /// Two integers whose bits count: open ones have 64.
    pub fn bits_of_two(&mut self, a: Expr, b: Expr, name: &Name) -> (Expr, Expr) {
        let (a, b) = (self.integer_operand(a, name), self.integer_operand(b, name));
        let is_open = |e: &Expr| e.ty.elem() == Some(Elem::OpenInt);
        match is_open(&a) && is_open(&b) {
            true => {
                let wide = Elem::Fixed(ScalarType::I64);
                (self.cx.conversions().adapt(a, wide), self.cx.conversions().adapt(b, wide))
            }
            false => (a, b),
        }
    }

    /// An integer that has a type, so that its bits can be counted.
    pub fn typed_integer(&mut self, x: Expr, name: &Name) -> Expr {
        if x.ty.elem() != Some(Elem::OpenInt) {
            return self.integer_operand(x, name);
        }
        let headline = format!("`{name}` takes an integer of a type, found an integer literal");
        let end = Span::new(x.span.file, x.span.end, x.span.end);
        let d = Diagnostic::error(Code::E0308, headline)
            .primary(x.span, "how many bits it has is not said")
            .help_edit("say it", end, " as u32");
        self.cx.error(d)
    }

    pub fn integer_operand(&mut self, x: Expr, name: &Name) -> Expr {
        match x.ty.elem() {
            _ if x.ty == Ty::Error => x,
            _ if is_differential(&x) => self.not_a_value(&x, &format!("`{name}`")),
            Some(Elem::OpenInt) => x,
            Some(elem) if !elem.is_known() => x,
            Some(Elem::Fixed(t)) if t.is_int() => x,
            _ => {
                let found = self.cx.show_ty(&x.ty);
                let headline = format!("`{name}` takes an integer, found {found}");
                let d = Diagnostic::error(Code::E0308, headline)
                    .primary(x.span, format!("this is {found}"));
                self.cx.error(d)
            }
        }
    }

    pub fn builtin(&mut self, name: &hir::Label, mut all: Vec<Expr>, span: Span) -> Expr {
        let n = all.len();
        let text = name.as_str();
        match text {
            "print" => {
                if !self.at_host_level(span, "print") {
                    return error_expr(span);
                }
                self.cx.has_effect(Effects::Prints);
                let all = all.into_iter().map(|e| self.shown(e)).collect();
                value(ExprKind::Print(all), Ty::unit(), span)
            }
            "assert" => {
                if !self.count(text, "1 or 2 arguments", n == 1 || n == 2, n, span) {
                    return error_expr(span);
                }
                let message = (n == 2).then(|| Box::new(all.remove(1)));
                self.assertion(all.remove(0), message, span)
            }
            "max" | "min" if n == 2 => {
                let op = if text == "max" { BinaryOp::Max } else { BinaryOp::Min };
                let (b, a) = (all.remove(1), all.remove(0));
                self.apply_binary(op, a, b, span)
            }
            _ => {
                let wanted = match text {
                    "max" | "min" => "1 or 2 arguments",
                    _ => "1 argument",
                };
                if !self.count(text, wanted, n == 1, n, span) {
                    return error_expr(span);
                }
                let x = all.remove(0);
                match text {
                    "len" => self.cx.parts().length_of(&x, span),
                    "typeof" => self.cx.parts().type_name(&x, span),
                    "shape" if x.ty == Ty::Error => error_expr(span),
                    "shape" => self.cx.parts().shape_of(&x, span),
                    "sum" => self.reduce_all(Accumulator::Sum, x, span),
                    "max" => self.reduce_all(Accumulator::Max, x, span),
                    "min" => self.reduce_all(Accumulator::Min, x, span),
                    other => {
                        unreachable!("`{other}` is among the names of builtins, and has no meaning")
                    }
                }
            }
        }
    }

    fn assertion(&mut self, cond: Expr, message: Option<Box<Expr>>, span: Span) -> Expr {
        if cond.ty == Ty::Error {
            return error_expr(span);
        }
        let cond =
            self.cx.conversions().expect_elem(cond, Elem::Fixed(ScalarType::Bool), "an assertion");
        self.cx.proofs().lint_float_equality(&cond);
        if let Some(m) = &message
            && !matches!(m.ty, Ty::Str | Ty::Error)
        {
            let (found, at) = (self.cx.show_ty(&m.ty), m.span);
            let d = Diagnostic::error(
                Code::E0308,
                format!("the message of `assert` must be a string, found {found}"),
            )
            .primary(at, format!("this is {found}"))
            .help("write `\"{…}\"` with the value between the braces");
            return self.cx.error(d);
        }
        self.cx.has_effect(Effects::Asserts);
        let (cond, message) = match cond.ty.rank() {
            Some(rank) if rank > 0 => self.all_hold(cond, message, span),
            _ => (cond, message),
        };
        value(ExprKind::Assert(Box::new(cond), message), Ty::unit(), span)
    }

    pub fn call_library(
        &mut self,
        item: LibraryItem,
        used: &hir::Use,
        mut all: Vec<Expr>,
        span: Span,
    ) -> Expr {
        let name = used.name.name.clone();
        let (wanted, text) = match item {
            LibraryItem::Unary(..) | LibraryItem::Square | LibraryItem::Ord => {
                (1..=1, "1 argument")
            }
            LibraryItem::Binary(op) if extremum(op).is_some() => (1..=2, "1 or 2 arguments"),
            LibraryItem::Binary(_) => (2..=2, "2 arguments"),
            LibraryItem::Text(op) => {
                let n = op.params().len();
                (n..=n, ["1 argument", "2 arguments", "3 arguments"][n - 1])
            }
            LibraryItem::Constant(_) => (0..=0, "no arguments"),
            LibraryItem::File(_) => unreachable!("its calls state a type, and are checked there"),
        };
        if !self.count(name.as_str(), text, wanted.contains(&all.len()), all.len(), span) {
            return error_expr(span);
        }
        match item {
            LibraryItem::Binary(op)
                if all.len() == 1
                    && let Some(accumulator) = extremum(op) =>
            {
                self.reduce_all(accumulator, all.remove(0), span)
            }
            LibraryItem::Constant(v) => self.cx.leaves().float(f64::from_bits(v), span),
            LibraryItem::Unary(op) => {
                let x = all.remove(0);
                let x = match op.operands() {
                    Operands::Float => self.float_operand(x, name.as_str()),
                    Operands::Bool | Operands::Any => x,
                    Operands::Number => self.numeric(x, &format!("`{name}`")),
                    Operands::Integer if op == weft_scalar::UnaryOp::BitsNot => {
                        self.typed_integer(x, &name)
                    }
                    Operands::Integer => {
                        let x = self.integer_operand(x, &name);
                        self.cx.conversions().adapt(x, Elem::Fixed(ScalarType::I64))
                    }
                };
                self.apply_unary(op, x, span)
            }
            LibraryItem::Square => {
                let x = self.numeric(all.remove(0), "`square`");
                self.square(x, span)
            }
            LibraryItem::Ord => self.cx.parts().ord(all.remove(0), span),
            LibraryItem::Text(op) => self.cx.parts().text_function(op, all, Elem::OpenFloat, span),
            LibraryItem::File(_) => error_expr(span),
            LibraryItem::Binary(op) => {
                let (b, a) = (all.remove(1), all.remove(0));
                let (a, b) = if op.is_bitwise() { self.bits_of_two(a, b, &name) } else { (a, b) };
                self.apply_binary(op, a, b, span)
            }
        }
    }
}

/// What takes the greatest or least of all elements, as its operator does of two values.
pub(crate) fn extremum(op: BinaryOp) -> Option<Accumulator> {
    match op {
        BinaryOp::Max => Some(Accumulator::Max),
        BinaryOp::Min => Some(Accumulator::Min),
        _ => None,
    }
}
