//! Paths: what a name means where a value or a type is needed.

use crate::resolver::Resolver;
use crate::unknown::Unknown;
use weft_hir::{self as hir, BUILTINS, Meaning};
use weft_syntax::ast;

impl Resolver<'_> {
    /// A path as a value; what means nothing is reported.
    pub fn path(&mut self, p: &ast::Path, called: bool) -> hir::Expr {
        let kind = match self.meaning(p, called) {
            Some(meaning) => {
                let name = p.last().clone();
                hir::ExprKind::Use(hir::Use { span: p.span, name, meaning })
            }
            None => hir::ExprKind::Error,
        };
        hir::Expr { span: p.span, kind }
    }

    fn meaning(&mut self, p: &ast::Path, called: bool) -> Option<Meaning> {
        if let Some(name) = p.as_name() {
            return self.meaning_of_name(name, called);
        }
        if let Some(ty) = self.m.type_at(&p.segments)
            && !self.m.types[ty].is_enum
        {
            return Some(Meaning::Var(self.m.types[ty].var));
        }
        let (last, before) = p.segments.split_last()?;
        if let Some(ty) = self.m.type_at(before)
            && self.m.types[ty].is_enum
        {
            return Some(Meaning::Variant(self.m.types[ty].var));
        }
        let from = self.m.scopes.module;
        let found =
            self.m.module_path(before, from, true).and_then(|m| self.m.member_of(m, last, from));
        match found.map(|target| target.value) {
            Ok(Some(value)) => self.m.meaning_of(value),
            Ok(None) => {
                let d = Unknown::new(&mut self.m).is_a_module(p.span);
                self.report(d);
                None
            }
            Err(lost) => {
                self.m.diagnostics.extend(lost.map(|d| *d));
                None
            }
        }
    }

    fn meaning_of_name(&mut self, name: &ast::Ident, called: bool) -> Option<Meaning> {
        match self.m.lookup(name.as_str()) {
            Some(binding) => self.m.meaning_of(binding),
            None if called && BUILTINS.contains(&name.as_str()) => Some(Meaning::Builtin),
            None => {
                let d = Unknown::new(&mut self.m).value(name);
                self.report(d);
                None
            }
        }
    }

    /// The struct or variant that a path names.
    pub fn constructor(&mut self, path: &ast::Path) -> hir::Constructor {
        let whole = self.m.type_at(&path.segments).filter(|ty| !self.m.types[*ty].is_enum);
        let before = path.segments.split_last().map_or(&[][..], |(_, before)| before);
        let ty = whole.or_else(|| self.m.type_at(before).filter(|ty| self.m.types[*ty].is_enum));
        hir::Constructor {
            span: path.span,
            name: path.last().clone(),
            bare: path.segments.len() == 1,
            ty: ty.map(|ty| self.m.types[ty].var),
        }
    }
}
