//! Patterns of `match`, written.

use super::{Printer, flag, label, pat_number, section};
use crate::sexp::Sexp;
use crate::{Constructor, Ident, Pat, PatKind, VarId};

impl Printer<'_> {
    /// The alternatives of an arm: one stands for itself.
    pub(super) fn alternatives(&mut self, pats: &[Pat]) -> Sexp {
        match pats {
            [only] => self.pat(only),
            _ => Sexp::form("or", self.pats(pats)),
        }
    }

    fn pats(&mut self, pats: &[Pat]) -> Vec<Sexp> {
        pats.iter().map(|p| self.pat(p)).collect()
    }

    fn pat(&mut self, pat: &Pat) -> Sexp {
        match &pat.kind {
            PatKind::Error => Sexp::word("error"),
            PatKind::Wildcard => Sexp::word("_"),
            PatKind::Bind { name, constant, sub } => self.bind_pat(name, *constant, sub.as_deref()),
            PatKind::Number(n) => pat_number(n),
            PatKind::Range { start, end, inclusive } => {
                let word = if *inclusive { "..=" } else { ".." };
                Sexp::form(word, [pat_number(start), pat_number(end)])
            }
            PatKind::Str(text) => Sexp::text(text.as_str()),
            PatKind::Bool(b) => Sexp::word(b.to_string()),
            PatKind::Path(path) => self.constructor(path),
            PatKind::TupleStruct { path, elems } => {
                let path = self.constructor(path);
                Sexp::form("tuple-struct", [path].into_iter().chain(self.pats(elems)))
            }
            PatKind::Struct { path, fields, rest } => {
                let path = self.constructor(path);
                let fields =
                    fields.iter().map(|f| Sexp::form("field", [label(&f.name), self.pat(&f.pat)]));
                let fields: Vec<Sexp> = fields.collect();
                let rest = flag("rest", *rest);
                Sexp::form("struct", [path].into_iter().chain(fields).chain(rest))
            }
            PatKind::Tuple(pats) => Sexp::form("tuple", self.pats(pats)),
            PatKind::Array(pats) => Sexp::form("array", self.pats(pats)),
            PatKind::Rest(name) => Sexp::form("rest", name.as_ref().map(|n| self.ident(n))),
        }
    }

    fn bind_pat(&mut self, name: &Ident, constant: Option<VarId>, sub: Option<&Pat>) -> Sexp {
        let name = self.ident(name);
        if constant.is_none() && sub.is_none() {
            return name;
        }
        let constant = section("constant", constant.map(|c| self.var(c)));
        let sub = section("sub", sub.map(|s| self.pat(s)));
        Sexp::form("bind", [name].into_iter().chain(constant).chain(sub))
    }

    pub(super) fn constructor(&mut self, path: &Constructor) -> Sexp {
        let ty = path.ty.map(|ty| self.var(ty));
        let rest = ty.into_iter().chain(flag("bare", path.bare));
        Sexp::form("constructor", [label(&path.name)].into_iter().chain(rest))
    }
}
