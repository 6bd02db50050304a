//! Random programs that ask for derivatives, each reproducible from its seed and size.
//!
//! Their functions are smooth but for kinks that random points miss, and keep values near
//! 1, so that central differences say something. Besides quotients in every form, a
//! program states in its own words what must hold of them: a row, column, entry or
//! diagonal is that of the whole, and ⟨u, J·v⟩ = ⟨Jᵀ·u, v⟩; see [`check`].

pub mod check;

mod define;
mod expr;
mod request;
mod scope;

use crate::random::Program;
use scope::Generator;

/// The program of a seed: about `size` definitions, then its derivatives.
pub fn program(seed: u64, size: usize) -> Program {
    let mut g = Generator::new(seed);
    g.base();
    for _ in 0..size {
        g.definition();
    }
    g.requests(2);
    g.finish(seed, size)
}

/// As [`program`], with derivatives of derivatives.
pub fn second_order(seed: u64, size: usize) -> Program {
    let mut g = Generator::new(seed);
    g.base();
    for _ in 0..size {
        g.definition();
    }
    g.second_derivatives();
    g.finish(seed, size)
}
