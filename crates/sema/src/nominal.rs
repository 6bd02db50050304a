//! Structs and enums: their definitions, and values made of them.
//!
//! A struct is a tuple with a name. An enum that is not recursive is one as well: the
//! number of its variant, then the fields of every variant, of which only those of its own
//! are there. So both pass through cells, definitions and calls as tuples do. A recursive
//! enum is host data.

use crate::declared::Declared;
use crate::handles::Matches;
use crate::prove::pattern::Constructor;
use crate::thir::{Expr, ExprKind, HostOp, Nominal, Ty, TypeId};
use crate::typed::forms::alike;
use crate::typed::keys::ty_key;
use crate::typed::values::{error_expr, value};
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_hir::{self as hir};

impl Matches<'_, '_> {
    /// `Point { x: 1, y }`.
    pub fn struct_literal(&mut self, lit: &hir::StructLit, span: Span) -> Expr {
        let Some(c) =
            self.checker.cx().patterns().known_constructor(&lit.constructor, "not a struct")
        else {
            lit.fields.iter().for_each(|f| drop(self.checker.expr(&f.value)));
            return error_expr(span);
        };
        let names = self.checker.types.def(c.ty).variants[c.variant].fields.clone();
        let mut found: Vec<Option<Expr>> = vec![None; names.len()];
        for init in &lit.fields {
            let at = names.iter().position(|n| n.as_ref() == Some(&init.name.name));
            let e = self.checker.expr(&init.value);
            match at {
                Some(at) if found[at].is_none() => found[at] = Some(e),
                Some(_) => self.checker.cx().patterns().field_twice(c, &init.name),
                None => {
                    let given = |n: &Option<Name>| {
                        lit.fields.iter().any(|f| n.as_ref() == Some(&f.name.name))
                    };
                    let open: Vec<_> = names.iter().filter(|n| !given(n)).cloned().collect();
                    self.checker.cx().patterns().unknown_field(c, &init.name, &open);
                }
            }
        }
        let missing: Vec<String> = names
            .iter()
            .zip(&found)
            .enumerate()
            .filter(|(_, (_, e))| e.is_none())
            .map(|(n, (name, _))| name.as_ref().map_or(n.to_string(), |n| n.to_string()))
            .collect();
        if !missing.is_empty() {
            let all: Vec<String> = missing.iter().map(|m| format!("`{m}`")).collect();
            let name = self.checker.types.constructor_name(c);
            let d = Diagnostic::error(Code::E0061, format!("`{name}` lacks {}", all.join(", ")))
                .primary(span, "every field needs a value");
            return self.checker.error(d);
        }
        self.construct(c, found.into_iter().flatten().collect(), span)
    }

    /// `Point(1, 2)`, `Shape::Circle(r)`.
    pub fn construct_call(&mut self, c: Constructor, args: &[hir::Arg], span: Span) -> Expr {
        let all: Vec<Expr> = args.iter().map(|a| self.checker.expr(&a.value)).collect();
        let fields = self.checker.types.def(c.ty).variants[c.variant].fields.clone();
        let name = self.checker.types.constructor_name(c);
        if fields.iter().any(Option::is_some) {
            let d = Diagnostic::error(Code::E0308, format!("the fields of `{name}` have names"))
                .primary(span, "called like a function")
                .help(format!("write `{name} {{ … }}` with the names of the fields"));
            return self.checker.error(d);
        }
        let wanted = match fields.len() {
            1 => "1 value".to_string(),
            n => format!("{n} values"),
        };
        if !self.checker.cx().operators().count(
            &name,
            &wanted,
            all.len() == fields.len(),
            all.len(),
            span,
        ) {
            return error_expr(span);
        }
        self.construct(c, all, span)
    }

    /// A variant without fields, or a struct without fields.
    pub fn construct_unit(&mut self, c: Constructor, span: Span) -> Expr {
        let fields = self.checker.types.def(c.ty).variants[c.variant].fields.len();
        if fields == 0 {
            return self.construct(c, Vec::new(), span);
        }
        let name = self.checker.types.constructor_name(c);
        let d = Diagnostic::error(Code::E0308, format!("`{name}` has fields"))
            .primary(span, "a value of it needs them");
        self.checker.error(d)
    }

    fn construct(&mut self, c: Constructor, fields: Vec<Expr>, span: Span) -> Expr {
        let info = self.checker.types.info(c.ty).clone();
        let mut args: Vec<Option<Ty>> = vec![None; info.generics.len()];
        let declared = &info.fields[c.variant];
        // A field of a type that has the parameters says what they are before literals do.
        let mut held: Vec<Expr> = Vec::new();
        for (e, d) in fields.into_iter().zip(declared) {
            held.push(match d {
                Declared::Named(_, given) => self.parameters_agree(e, given, &mut args),
                _ => e,
            });
        }
        held = held
            .into_iter()
            .zip(declared)
            .map(|(e, d)| self.held_by_field(e, d, &mut args))
            .collect();
        // An open literal in an earlier field adapts to a later one of the same parameter.
        let mut closed: Vec<Expr> = Vec::new();
        for (e, d) in held.into_iter().zip(declared) {
            let e = self.held_by_field(e, d, &mut args);
            closed.push(self.checker.cx().conversions().close(e));
        }
        let held = closed;
        if held.iter().any(|e| e.ty == Ty::Error) {
            return error_expr(span);
        }
        if info.recursive && self.checker.types.def(c.ty).is_enum {
            let args = args.into_iter().map(|a| a.unwrap_or(Ty::Absent)).collect();
            let kind = ExprKind::Host(HostOp::Variant(c.ty, c.variant), held);
            return value(kind, Ty::Boxed(c.ty, args), span);
        }
        let (label, members) = match self.checker.types.def(c.ty).is_enum {
            false => (Nominal::Struct(c.ty), held),
            true => (
                Nominal::Enum(c.ty),
                self.checker.cx().patterns().variant_members(c, &info, held, span),
            ),
        };
        let ty = Ty::Named(label, members.iter().map(|m| m.ty.clone()).collect());
        value(ExprKind::Tuple(members), ty, span)
    }

    /// A value held against what its field is declared to be; `args` learns what the
    /// type's parameters stand for.
    fn held_by_field(&mut self, e: Expr, d: &Declared, args: &mut [Option<Ty>]) -> Expr {
        if matches!(e.ty, Ty::Error | Ty::Absent) {
            return e;
        }
        let span = e.span;
        match d {
            Declared::Generic(n) => match args[*n].clone() {
                None | Some(Ty::Absent) => {
                    let e = self.checker.cx().conversions().close(e);
                    args[*n] = Some(e.ty.clone());
                    e
                }
                Some(known) => self.held_by_type(e, &known),
            },
            Declared::GenericArray(n, _) => {
                let elem = match args[*n].as_ref().and_then(Ty::elem) {
                    Some(elem) => elem,
                    None => {
                        let closed = self.checker.cx().conversions().close(e.clone());
                        let elem = closed.ty.elem().unwrap_or_default();
                        args[*n] = Some(Ty::scalar(elem));
                        elem
                    }
                };
                if e.ty.rank().is_none_or(|r| r == 0) {
                    let found = self.checker.at().show_ty(&e.ty);
                    let d =
                        Diagnostic::error(Code::E0308, format!("expected a tensor, found {found}"))
                            .primary(span, format!("this is {found}"));
                    return self.checker.error(d);
                }
                self.checker.cx().conversions().expect_elem(e, elem, "this field")
            }
            _ => self.checker.applied().held_against(e, d, span),
        }
    }

    /// A value of a recursive enum as a field: what its type parameters stand for is what they
    /// stand for in the fields around.
    fn parameters_agree(&mut self, e: Expr, given: &[Declared], args: &mut [Option<Ty>]) -> Expr {
        let Ty::Boxed(_, known) = e.ty.clone() else { return e };
        for (d, found) in given.iter().zip(known.iter()) {
            let Declared::Generic(n) = d else { continue };
            match &args[*n] {
                _ if *found == Ty::Absent => {}
                None | Some(Ty::Absent) => args[*n] = Some(found.clone()),
                Some(wanted) if alike(wanted, found) => {}
                Some(wanted) => return self.differs(&e, "holds", &wanted.clone(), found),
            }
        }
        e
    }

    /// A value held against a type that is known.
    fn held_by_type(&mut self, e: Expr, ty: &Ty) -> Expr {
        match (ty, &e.ty) {
            (Ty::Array(elem, shape), Ty::Array(_, found)) if shape.len() == found.len() => {
                self.checker.cx().conversions().expect_elem(e, *elem, "this field")
            }
            (a, b) if ty_key(a) == ty_key(b) => e,
            (Ty::Absent, _) | (_, Ty::Absent) => e,
            (wanted, found) => self.differs(&e, "is", wanted, found),
        }
    }

    fn differs(&mut self, e: &Expr, verb: &str, wanted: &Ty, found: &Ty) -> Expr {
        let [wanted, found] = [wanted, found].map(|ty| self.checker.at().show_ty(ty));
        let d = Diagnostic::error(Code::E0308, format!("expected {wanted}, found {found}"))
            .primary(e.span, format!("this {verb} {found}"));
        self.checker.error(d)
    }

    /// A struct or enum value held against its declared type.
    pub fn held_by_named(
        &mut self,
        e: Expr,
        id: TypeId,
        args: &[Declared],
        at: Span,
    ) -> Option<Expr> {
        match &e.ty {
            Ty::Boxed(found, known) if *found == id => {
                let types: Vec<Ty> =
                    args.iter().map(|a| self.checker.types.type_of(a, &[])).collect();
                let known = match known.iter().all(|k| *k == Ty::Absent) {
                    true if !types.is_empty() => types.into(),
                    _ => known.clone(),
                };
                Some(Expr { ty: Ty::Boxed(id, known), ..e })
            }
            Ty::Named(Nominal::Struct(found) | Nominal::Enum(found), members) if *found == id => {
                let info = self.checker.types.info(id).clone();
                let mut declared: Vec<Declared> = info.fields.into_iter().flatten().collect();
                declared.iter_mut().for_each(|d| *d = d.with_args(args));
                let span = e.span;
                let skipped = members.len() - declared.len();
                let count = members.len();
                let ty = e.ty.clone();
                let held: Vec<Expr> = (0..count)
                    .map(|n| {
                        let m = self.checker.cx().parts().member(e.clone(), n, span);
                        match n.checked_sub(skipped).map(|n| &declared[n]) {
                            Some(Declared::Generic(_) | Declared::GenericArray(..)) | None => m,
                            Some(d) if m.ty == Ty::Absent => {
                                self.checker.cx().patterns().filler(d, span)
                            }
                            Some(d) => self.checker.applied().held_against(m, d, at),
                        }
                    })
                    .collect();
                if held.iter().any(|m| m.ty == Ty::Error) {
                    return Some(error_expr(span));
                }
                let ty = ty.with_members(held.iter().map(|m| m.ty.clone()).collect());
                Some(crate::types::rejoined(e, held, ty))
            }
            _ => None,
        }
    }

    /// A field by its name.
    pub fn named_field(&mut self, base: Expr, name: &hir::Label, span: Span) -> Expr {
        match &base.ty {
            Ty::Named(Nominal::Struct(id), _) => {
                let c = Constructor { ty: *id, variant: 0 };
                let names = self.checker.types.def(*id).variants[0].fields.clone();
                match names.iter().position(|n| n.as_ref() == Some(&name.name)) {
                    Some(n) => self.checker.cx().parts().member(base, n, span),
                    None => {
                        self.checker.cx().patterns().unknown_field(c, name, &names);
                        error_expr(span)
                    }
                }
            }
            Ty::Named(Nominal::Cells { .. }, _) => {
                self.checker.definitions().field_of_cells(base, name, span)
            }
            Ty::Named(Nominal::Range, _) if name.as_str() == "start" => {
                self.checker.cx().parts().member(base, 0, span)
            }
            Ty::Named(Nominal::Range, _) if name.as_str() == "end" => {
                self.checker.cx().parts().member(base, 1, span)
            }
            Ty::Named(Nominal::Range, _) if matches!(name.as_str(), "len" | "length") => {
                self.checker.cx().parts().range_length(&base, span)
            }
            _ => {
                let found = self.checker.at().show_ty(&base.ty);
                let d =
                    Diagnostic::error(Code::E0311, format!("{found} has no field `{}`", name.name))
                        .primary(name.span, "unknown field");
                let d = match base.ty {
                    Ty::Named(Nominal::Enum(_), _) => {
                        d.help("`match` takes the fields of a variant out")
                    }
                    _ => d,
                };
                self.checker.error(d)
            }
        }
    }
}
