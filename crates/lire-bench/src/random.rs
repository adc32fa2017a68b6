//! Random numbers for generated tables: the same in every run.

/// xorshift64: any numbers do, as long as they are the same in every run.
pub struct Random(u64);

impl Random {
    /// A sequence of its own for each seed.
    pub fn new(seed: u64) -> Self {
        // Neighbouring seeds start alike; after a few steps nothing of that is left.
        let mut random = Self((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        (0..8).for_each(|_| _ = random.uniform());
        random
    }

    /// A number from 0 to 1, 1 left out.
    pub fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number of the standard normal distribution, by Box and Muller.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    /// One of the numbers below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.uniform() * limit as f64) as usize
    }
}
