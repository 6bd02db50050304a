//! Random damage, the same on every machine.

/// Numbers that look random.
pub struct Random(u64);

impl Random {
    /// Those of `FUZZ_SEED`.
    pub fn new() -> Random {
        Random(number("FUZZ_SEED", 0x5eed).max(1))
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }
}

/// A number of the environment.
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}
