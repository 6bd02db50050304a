//! Functions that nothing calls: what they do is checked where they are called, with the
//! types that they are called with, but a name that nothing binds is wrong whatever they are.

use crate::call::BUILTINS;
use crate::checker::Checker;
use crate::free_names::names_of_function;
use crate::modules::STD;
use crate::scope::{FnId, ModuleId};
use std::collections::BTreeSet;
use std::rc::Rc;
use weft_syntax::ast;

impl Checker<'_> {
    /// E0425 for names in functions of the program and its modules that nothing called, where
    /// there is no other error. While the scope of the program is open.
    pub fn names_of_uncalled(&mut self) {
        if self.has_errors_since(0) || self.of_modules.has_errors() {
            return;
        }
        let called: BTreeSet<FnId> = self.instances.functions().collect();
        let uncalled: Vec<(Rc<ast::FnDef>, Option<ModuleId>)> = self
            .functions
            .iter()
            .filter(|(id, f)| f.home == 0 && f.closure.is_none() && !called.contains(id))
            .filter(|(_, f)| f.module.is_none_or(|m| !self.modules.is_inside(m, STD)))
            .map(|(_, f)| (Rc::clone(&f.def), f.module))
            .collect();
        for (def, module) in uncalled {
            for name in names_of_function(&def) {
                if !self.is_known(&name, module) {
                    self.unknown_value(&name);
                }
            }
        }
    }

    fn is_known(&mut self, name: &ast::Ident, module: Option<ModuleId>) -> bool {
        match module {
            _ if BUILTINS.contains(&name.as_str()) => true,
            None => self.lookup(name.as_str()).is_some(),
            Some(m) => !matches!(self.value_in(m, name.as_str(), m, &mut Vec::new()), Ok(None)),
        }
    }
}
