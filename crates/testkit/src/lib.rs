//! What the tests share: random programs, and running them on every tier.

pub mod random;
