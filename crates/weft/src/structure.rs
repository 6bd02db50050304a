//! Claims about what the compiler made of a program, for tests: fusion and storage.

use crate::emit::plans;
use crate::session::Checked;
use weft_base::Name;
use weft_plan::{Item, Plan, Storage};
use weft_tensor::TensorId;

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

/// What a program's segments became.
#[derive(Debug, Clone, Default)]
pub struct Structure {
    /// Loop nests that are run one after the other (nests of one time loop count once).
    pub kernels: usize,
    /// Buffers that are neither inputs nor results.
    pub allocates: usize,
    /// The named tensors in source order, with where they live. Of shadowed names, all.
    pub stores: Vec<(Name, Store)>,
}

/// What becomes of a program under default options.
///
/// # Errors
///
/// A definition without an order of computation.
pub fn structure(program: &Checked) -> Result<Structure, String> {
    let plans = plans(program, false)?;
    let mut out = Structure::default();
    for plan in &plans {
        out.kernels += plan.items.iter().filter(|i| !matches!(i, Item::Fill(_))).count();
        out.allocates +=
            plan.buffers.values().filter(|b| b.role == weft_plan::BufferRole::Scratch).count();
    }
    for (t, info) in program.host.graph.tensors.iter() {
        if let Some(name) = &info.name {
            out.stores.push((name.clone(), stored(&plans, t)));
        }
    }
    Ok(out)
}

fn stored(plans: &[Plan], t: TensorId) -> Store {
    let of = |p: &Plan| match &p.storage[t] {
        Storage::Unused | Storage::Virtual { .. } => None,
        Storage::Given { .. } | Storage::Stored { .. } => Some(Store::Whole),
        Storage::Window { size, .. } => Some(Store::Window(*size)),
    };
    plans.iter().find_map(of).unwrap_or(Store::None)
}
