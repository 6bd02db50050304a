//! Variables: what a program binds, and what a name means where it is used.

use crate::LibraryItem;
use weft_base::entity::entity_impl;
use weft_base::{Name, Span};
use weft_syntax::ast;

/// Anything that a program binds to a name: a value, an index, a rest, a function, a constant, a
/// type. No two bindings share one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(u32);
entity_impl!(VarId, "n");

/// A variable where it is bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// Its name, for messages.
    pub name: Name,
    /// Where it is bound.
    pub span: Span,
    /// Which one it is.
    pub var: VarId,
}

impl Ident {
    /// The spelling.
    pub fn as_str(&self) -> &str {
        self.name.as_str()
    }

    /// Whether this is `_`, which nothing can mean.
    pub fn is_discard(&self) -> bool {
        self.as_str() == "_"
    }

    /// The name without what it means.
    pub fn label(&self) -> ast::Ident {
        ast::Ident { name: self.name.clone(), span: self.span }
    }
}

/// What is known of a variable before types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Var {
    /// Its name, for messages.
    pub name: Name,
    /// Where it is bound.
    pub span: Span,
    /// Whether it is bound at the top level of the program, or an item of a module: then every
    /// function reaches it.
    pub global: bool,
    /// Of an index of a joined axis: the variable that holds how large its component is, and the
    /// one that says that another component is used.
    pub component: Option<(VarId, VarId)>,
}

/// A name where it is used.
#[derive(Clone, Debug, PartialEq)]
pub struct Use {
    /// The whole path.
    pub span: Span,
    /// Its last segment.
    pub name: ast::Ident,
    /// What it means.
    pub meaning: Meaning,
}

impl Use {
    /// The variable, where it means one.
    pub fn var(&self) -> Option<VarId> {
        match self.meaning {
            Meaning::Var(var) => Some(var),
            Meaning::Variant(_) | Meaning::Library(_) | Meaning::Foreign(_) | Meaning::Builtin => {
                None
            }
        }
    }
}

/// What a name means.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    /// Something that the program, or a module, binds.
    Var(VarId),
    /// The variant of this enum that has the name; there may be none.
    Variant(VarId),
    /// What the library's sources stand on.
    Library(LibraryItem),
    /// The function of this path, which whoever runs the program has.
    Foreign(Name),
    /// One of [`BUILTINS`]; only where something is called.
    Builtin,
}

/// Functions that need no import, unless a program binds the name.
pub const BUILTINS: [&str; 9] =
    ["print", "assert", "len", "shape", "typeof", "sum", "max", "min", "array_append"];
