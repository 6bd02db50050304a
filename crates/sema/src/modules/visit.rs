//! What is checked of every module that was declared: its imports and constants.

use super::STD;
use crate::checker::Checker;
use crate::scope::{Binding, ConstId, ImportId, ModuleId};
use rustc_hash::FxHashMap;
use weft_base::{Name, Span};

impl Checker<'_> {
    /// Checks the modules that were declared since; the library's own are trusted.
    pub fn visit_modules(&mut self) {
        while let Some(m) = self.modules.unvisited.pop_front() {
            if !self.modules.is_inside(m, STD) {
                self.visit_module(m);
            }
        }
    }

    fn visit_module(&mut self, m: ModuleId) {
        let module = &self.modules.all[m];
        let mut imports: Vec<ImportId> = Vec::new();
        let mut constants: Vec<ConstId> = Vec::new();
        let mut defined: FxHashMap<Name, Span> = FxHashMap::default();
        for (at, name) in module.names.iter().enumerate() {
            if module.names[..at].contains(name) {
                continue;
            }
            for item in &module.items[name] {
                match item.binding {
                    Binding::Import(id) => imports.push(id),
                    Binding::Module(_) => {}
                    Binding::Const(id) => {
                        constants.push(id);
                        defined.insert(name.clone(), item.span);
                    }
                    _ => {
                        defined.insert(name.clone(), item.span);
                    }
                }
            }
        }
        imports.extend(&module.globs);
        self.settle_imports(&imports, &defined);
        for id in constants {
            self.constant(id);
        }
    }
}
