//! Modules and names: from the written tree to the resolved one.
//!
//! [`resolve`] never fails: it gives the tree that it understood, and diagnostics. Everything
//! about names is settled here: what each means where it stands, which clauses make up a
//! definition and where that is made, what modules hold and who may see it. Nothing here knows
//! of types.

mod blocks;
mod clauses;
mod comprehension;
mod elsewhere;
mod expr;
mod free_names;
mod hoist;
mod indices;
mod library_sources;
mod lookup;
mod modules;
mod names;
mod paths;
mod pattern;
mod resolver;
mod scope;
mod sites;
mod slot_names;
mod slots;
pub mod suggest;
mod ty;
mod unknown;
mod vars;
mod wheres;

pub use modules::{Found, ModuleReader, NoModules};

use std::collections::BTreeMap;
use weft_base::SourceMap;
use weft_diag::Diagnostics;
use weft_hir as hir;
use weft_syntax::ast;

/// Values that a run puts in place of the initialisers of top-level `let`s.
pub type Overrides = BTreeMap<String, ast::Expr>;

/// A program with its names resolved.
#[derive(Debug)]
pub struct Resolved {
    /// The resolved tree.
    pub program: hir::Program,
    /// What is wrong with its names.
    pub diagnostics: Diagnostics,
    /// What of the module texts that were read could not be read.
    pub unread: weft_syntax::Unread,
}

/// Resolves the names of a program and of the modules that it uses.
///
/// The texts of modules are added to `source` as `reader` finds them.
pub fn resolve(
    program: &ast::Program,
    source: &SourceMap,
    overrides: &Overrides,
    reader: &dyn ModuleReader,
) -> Resolved {
    resolver::Resolver::new(source, overrides, reader).program(program)
}
