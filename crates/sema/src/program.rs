//! A whole program, checked: names first, then types, then what is lints of the tree.

use crate::checker::Checker;
use crate::declared::TypeTable;
use crate::thir;
use weft_base::SourceMap;
use weft_diag::Diagnostics;
use weft_resolve::{ModuleReader, Overrides};
use weft_syntax::ast;

/// Checks a whole program.
///
/// The texts of modules are added to `source` as `reader` finds them. The program is fit for
/// staging only if the diagnostics hold no error.
pub fn check(
    program: &ast::Program,
    source: &SourceMap,
    overrides: &Overrides,
    reader: &dyn ModuleReader,
) -> (thir::Program, Diagnostics) {
    let mut resolved = weft_resolve::resolve(program, source, overrides, reader);
    let vars = std::mem::take(&mut resolved.program.vars);
    let mut diagnostics = resolved.diagnostics;
    let (types, found) = TypeTable::of(&resolved.program);
    diagnostics.extend(found);
    let mut checker = Checker::new(source, &resolved.program, vars, types.into());
    checker.program.types = checker.types.defs();
    checker.errors_before = diagnostics.has_errors();
    let found = checker.blocks().main();
    diagnostics.extend(found.all(&checker.of_bodies));
    diagnostics.extend(checker.of_constants);
    diagnostics.extend(crate::lint::tree::lint(&resolved.program));
    let mut unread = resolved.unread;
    unread.extend(program.unread.clone());
    let causes = crate::cascade::causes(diagnostics, &unread, program, &resolved.program, source);
    checker.program.library = resolved.program.library.clone();
    (checker.program, causes)
}
