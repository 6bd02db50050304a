//! Claims about what the compiler made of a program, for tests: fusion and storage.

use crate::emit::plans;
use crate::session::Checked;
use weft_plan::{Item, Plan, Storage};
use weft_tensor::TensorId;

/// How a tensor is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stored {
    /// Not at all: computed inside its readers, or not needed.
    None,
    /// Whole.
    Whole,
    /// The last cells along an axis.
    Window {
        /// The axis.
        axis: usize,
        /// How many cells.
        size: i64,
    },
}

/// What a program's segments became.
#[derive(Debug, Clone, Default)]
pub struct Structure {
    /// Loop nests that are run one after the other (nests of one time loop count once).
    pub kernels: usize,
    /// Buffers that are neither inputs nor results.
    pub allocates: usize,
    /// Each named tensor, in source order; the last segment that knows it decides.
    pub storage: Vec<(String, Stored)>,
}

impl Structure {
    /// How the last tensor of that name is stored.
    pub fn stored(&self, name: &str) -> Option<&Stored> {
        self.storage.iter().rev().find(|(n, _)| n == name).map(|(_, s)| s)
    }
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
            out.storage.push((name.to_string(), stored(&plans, t)));
        }
    }
    Ok(out)
}

fn stored(plans: &[Plan], t: TensorId) -> Stored {
    let of = |p: &Plan| match &p.storage[t] {
        Storage::Unused | Storage::Virtual { .. } => None,
        Storage::Given { .. } | Storage::Stored { .. } => Some(Stored::Whole),
        Storage::Window { axis, size, .. } => Some(Stored::Window { axis: *axis, size: *size }),
    };
    plans.iter().find_map(of).unwrap_or(Stored::None)
}
