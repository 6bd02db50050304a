//! What is checked of every module that was declared: its imports.

use super::{Modules, STD};
use crate::scope::{Binding, ImportId, ModuleId};
use rustc_hash::FxHashMap;
use weft_base::{Name, Span};

impl Modules<'_> {
    /// Checks the modules that were declared since; the library's own are trusted.
    pub fn visit_modules(&mut self) {
        while let Some(m) = self.unvisited.pop_front() {
            if !self.is_inside(m, STD) {
                self.visit_module(m);
            }
        }
    }

    fn visit_module(&mut self, m: ModuleId) {
        let module = &self.all[m];
        let mut imports: Vec<ImportId> = Vec::new();
        let mut defined: FxHashMap<Name, Span> = FxHashMap::default();
        let mut seen: rustc_hash::FxHashSet<&Name> = rustc_hash::FxHashSet::default();
        for name in module.names.iter().filter(|n| seen.insert(*n)) {
            for item in &module.items[name] {
                match item.binding {
                    Binding::Import(id) => imports.push(id),
                    Binding::Module(_) => {}
                    _ => {
                        defined.insert(name.clone(), item.span);
                    }
                }
            }
        }
        imports.extend(&module.globs);
        self.settle_imports(&imports, &defined);
    }
}
