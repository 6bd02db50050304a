//! Characters in clauses.
//!
//! Cells compute with numbers, so there a character is its code: `s[i]` reads the tensor of the
//! string's codes, which is made once, before the definition. Its type keeps it apart from
//! integers: it compares with characters, and `ord` says what its code is. Strings of one length in
//! a list are a table of codes: `lines[i][j]`.

use crate::thir::{Elem, Expr, ExprKind, HostOp, LocalId, ParamOrigin, Stmt, Ty};
use crate::typed::forms::is_character;
use crate::typed::handles::{Operators, Parts};
use crate::typed::indexed::Draft;
use crate::typed::values::{constant_text, error_expr, integer, truth, value};
use weft_base::{Name, Span};
use weft_diag::{Code, Diagnostic};
use weft_domain::Affine;
use weft_hir as hir;
use weft_scalar::{BinaryOp, Scalar, ScalarType};
use weft_shape::{Param, Size};

/// The type of codes.
const CODE: Elem = Elem::Fixed(ScalarType::I32);

impl Parts<'_, '_> {
    /// Whether a read of a string is one of a character in a clause: there the host's strings are
    /// not at hand. What no index reaches in a known text is known.
    pub fn reads_character(&mut self, base: &Expr, items: &[hir::Item]) -> bool {
        let range = |i: &hir::Item| match &i.kind {
            hir::ItemKind::Expr(e) => matches!(e.kind, hir::ExprKind::Range { .. }),
            _ => true,
        };
        let here = match &base.kind {
            ExprKind::Local(id) => self.cx.strings.contains(id),
            _ => constant_text(base).is_some(),
        };
        !self.cx.is_host() && here && items.len() == 1 && !items.iter().any(range)
    }

    /// The codes of the characters of a string, or of all strings of a list, made before the
    /// statement around the clause.
    pub fn codes_of(&mut self, base: Expr, span: Span) -> Option<Expr> {
        if let Some(text) = constant_text(&base) {
            let all: Vec<Expr> = text.chars().map(|c| code(c, base.span)).collect();
            let ty = Ty::Array(CODE, vec![Size::from(all.len() as i64)]);
            return Some(value(ExprKind::Array(all), ty, base.span));
        }
        let ExprKind::Local(id) = base.kind else {
            self.in_a_clause(span);
            return None;
        };
        if !self.cx.strings.contains(&id) {
            self.in_a_clause(span);
            return None;
        }
        let made = self.cx.pending.iter().find_map(|s| match s {
            Stmt::Let(made, e) => is_codes_of(e, id).then_some((*made, e.ty.clone())),
            _ => None,
        });
        let (made, ty) = made.unwrap_or_else(|| self.make_codes(id, &base));
        Some(value(ExprKind::Local(made), ty, base.span))
    }

    fn make_codes(&mut self, id: LocalId, base: &Expr) -> (LocalId, Ty) {
        let (name, span) = (self.cx.body.locals[id].name.clone(), base.span);
        let known = self.cx.texts.get(&id).map(|t| t.chars().count() as i64);
        let measured: Vec<String> = match (known, &base.ty) {
            (Some(_), _) => Vec::new(),
            (None, Ty::List(_)) => vec![format!("len({name})"), format!("len({name}[0])")],
            (None, _) => vec![format!("len({name})")],
        };
        let measured: Vec<Param> = measured.iter().map(|m| self.length(m, span)).collect();
        let shape = match known {
            Some(n) => vec![Size::from(n)],
            None => measured.iter().map(|p| Size::param(*p)).collect(),
        };
        let ty = Ty::Array(CODE, shape);
        let made = self.cx.local(&Name::new(name.as_str()), span, ty.clone(), None);
        let codes = value(ExprKind::Host(HostOp::Codes, vec![base.clone()]), ty.clone(), span);
        self.cx.pending.push(Stmt::Let(made, codes));
        if !measured.is_empty() {
            self.cx.pending.push(Stmt::Measure(made, measured));
        }
        (made, ty)
    }

    /// An extent that the run measures.
    fn length(&mut self, name: &str, span: Span) -> Param {
        let p = self.cx.param(Name::new(name), span, ParamOrigin::Computed);
        self.cx.body.facts.at_least(p, 0);
        p
    }

    /// Characters are no cells of a tensor.
    pub fn characters_as_cells(&mut self, drafts: &[Draft]) {
        let Some(first) = drafts.iter().find(|d| holds_characters(&d.clause.body.ty)) else {
            return;
        };
        let span = first.clause.body.span;
        let d = Diagnostic::error(Code::E0308, "a tensor of characters")
            .primary(
                span,
                if is_character(&first.clause.body.ty) {
                    "this is a character"
                } else {
                    "one of its members is a character"
                },
            )
            .help("tensors hold numbers: `std::text::ord(…)` is the code");
        self.cx.report(d);
    }

    fn in_a_clause(&mut self, span: Span) {
        let d = Diagnostic::error(Code::E0308, "a string that is made inside a clause")
            .primary(span, "clauses compute with numbers")
            .help("name the string before the definition: there its characters can be read");
        self.cx.report(d);
    }

    /// The code of a character.
    fn code_of(&mut self, e: &Expr) -> Option<Expr> {
        match constant_text(e) {
            Some(text) => only(&text).map(|c| code(c, e.span)),
            None if is_character(&e.ty) => Some(self.member(e.clone(), 0, e.span)),
            None => None,
        }
    }

    /// `ord(c)`: the code of a character.
    pub fn ord(&mut self, x: Expr, span: Span) -> Expr {
        if x.ty == Ty::Error {
            return x;
        }
        if let Some(text) = self.cx.terms().known_text(&x) {
            return match only(&text) {
                Some(c) => Expr { span, ..code(c, span) },
                None => {
                    let headline =
                        format!("`ord` of a string of {} characters", text.chars().count());
                    let d = Diagnostic::error(Code::E0308, headline)
                        .primary(x.span, "one character has a code")
                        .help("of each character: `let code[i] = ord(s[i]);`");
                    self.cx.error(d)
                }
            };
        }
        if is_character(&x.ty) {
            return self.member(x, 0, span);
        }
        if x.ty != Ty::Str {
            let found = self.cx.show_ty(&x.ty);
            let d =
                Diagnostic::error(Code::E0308, format!("`ord` takes a character, found {found}"))
                    .primary(x.span, format!("this is {found}"));
            return self.cx.error(d);
        }
        if !self.host_data_here(span, &Ty::Str) {
            return error_expr(span);
        }
        value(ExprKind::Host(HostOp::Ord, vec![x]), Ty::scalar(CODE), span)
    }

    /// The length of a string or a list that is known, without asking a parameter to be static.
    pub fn known_length(&mut self, x: &Expr) -> Option<Expr> {
        let ExprKind::Local(id) = x.kind else { return None };
        let of_text = self.cx.texts.get(&id).map(|t| t.chars().count());
        let n = of_text.or_else(|| self.cx.lengths.get(&id).copied())?;
        Some(integer(Affine::fixed(n as i64), x.span))
    }
}

impl Operators<'_, '_> {
    /// A comparison of characters, or of one with a text.
    pub fn compare_characters(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let texts = (constant_text(&a), constant_text(&b));
        if let (Some(text), _) | (_, Some(text)) = &texts
            && only(text).is_none()
            && matches!(op, BinaryOp::Eq | BinaryOp::Ne)
        {
            return truth(op == BinaryOp::Ne, span);
        }
        match (self.cx.parts().code_of(&a), self.cx.parts().code_of(&b)) {
            (Some(a), Some(b)) => self.apply_binary(op, a, b, span),
            _ => {
                let other = if is_character(&a.ty) { &b } else { &a };
                let found = self.cx.show_ty(&other.ty);
                let d = Diagnostic::error(Code::E0308, format!("a character beside {found}"))
                    .primary(other.span, format!("this is {found}"))
                    .help("inside a clause a character compares with characters, as `\"a\"`; `ord` gives its code");
                self.cx.error(d)
            }
        }
    }

    /// Whether a character is one of a text's.
    pub fn character_in(&mut self, item: &Expr, text: &str, span: Span) -> Expr {
        let Some(item) = self.cx.parts().code_of(item) else { return error_expr(span) };
        let mut found = truth(false, span);
        for c in text.chars() {
            let same = self.apply_binary(BinaryOp::Eq, item.clone(), code(c, span), span);
            found = self.logical(BinaryOp::Or, found, same, span);
        }
        found
    }
}

/// Whether a value is a character, or has one among its members.
pub(crate) fn holds_characters(ty: &Ty) -> bool {
    is_character(ty) || ty.members().is_some_and(|all| all.iter().any(holds_characters))
}

/// The one character of a text.
pub(crate) fn only(text: &str) -> Option<char> {
    let mut all = text.chars();
    all.next().filter(|_| all.next().is_none())
}

pub(crate) fn code(c: char, span: Span) -> Expr {
    let n = i32::try_from(u32::from(c)).unwrap_or(i32::MAX);
    value(ExprKind::Const(Scalar::I32(n)), Ty::scalar(CODE), span)
}

fn is_codes_of(e: &Expr, id: LocalId) -> bool {
    let ExprKind::Host(HostOp::Codes, operands) = &e.kind else { return false };
    matches!(operands[0].kind, ExprKind::Local(other) if other == id)
}
