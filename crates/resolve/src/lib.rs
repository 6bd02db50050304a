//! Modules and names: from the written tree to the resolved one.
use std::collections::BTreeMap;
use weft_base::SourceMap;
use weft_diag::Diagnostics;
use weft_syntax::ast;
pub type Overrides = BTreeMap<String, ast::Expr>;
pub struct Resolved {
    pub program: weft_hir::Program,
    pub diagnostics: Diagnostics,
    pub unread: weft_syntax::Unread,
    pub modules: Vec<Vec<ast::Stmt>>,
}
pub trait ModuleReader { fn read(&self, path: &[&str]) -> Found; }
pub enum Found { Folder }
pub struct NoModules;
pub fn resolve(_: &ast::Program, _: &SourceMap, _: &Overrides, _: &dyn ModuleReader) -> Resolved { todo!() }
pub mod suggest {
    pub fn suggest(d: weft_diag::Diagnostic, _: &weft_syntax::ast::Ident, _: Vec<String>) -> weft_diag::Diagnostic { d }
}
