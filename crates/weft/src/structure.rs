//! What native code will look like, as far as tests make claims of it: how many kernels
//! there are, and where each definition's numbers live.

use crate::emit::Unavailable;
use crate::session::Checked;
use weft_base::Name;

/// The structure of a planned program.
#[derive(Clone, Debug, Default)]
pub struct Structure {
    /// Loop nests that run after another, over all segments.
    pub kernels: usize,
    /// The named tensors in source order, with where they live. Of shadowed names, all.
    pub stores: Vec<(Name, Store)>,
}

/// Where a definition's numbers live.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Store {
    /// Nowhere: not needed, or computed inside what reads it.
    None,
    /// The last cells along one axis.
    Window(i64),
    /// All of it.
    Whole,
}

/// The structure of a program; the place where planning joins.
pub fn structure(_program: &Checked) -> Result<Structure, Unavailable> {
    Err(Unavailable { what: "the structure of planned code" })
}
