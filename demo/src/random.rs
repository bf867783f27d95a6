//! Chance that falls the same way each time: a seeded generator and smooth noise.

use crate::ground::Spot;

/// A seeded generator (SplitMix64): the same seed gives the same region, byte for byte.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A generator for one purpose.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number from 0 to under 1.
    pub fn part(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number between two others.
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.part()
    }

    /// A whole number under `count`.
    pub fn index(&mut self, count: usize) -> usize {
        (self.bits() % count.max(1) as u64) as usize
    }

    /// True in `part` of the throws.
    pub fn chance(&mut self, part: f64) -> bool {
        self.part() < part
    }

    /// A normal deviate of standard deviation 1 (sum of twelve uniforms: no tail beyond 6).
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.part()).sum::<f64>() - 6.0
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn corner(x: i64, y: i64, seed: u64) -> f64 {
    let hash = mix(seed ^ mix(x.cast_unsigned().wrapping_mul(0x9e37_79b9) ^ mix(y.cast_unsigned())));
    (hash >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// Smooth noise from -1 to 1 with bumps of about `size_m`.
pub fn noise(spot: Spot, size_m: f64, seed: u64) -> f64 {
    let [x, y] = [spot[0] / size_m, spot[1] / size_m];
    let (left, low) = (x.floor(), y.floor());
    let ease = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let (tx, ty) = (ease(x - left), ease(y - low));
    let (i, j) = (left as i64, low as i64);
    let south = corner(i, j, seed) * (1.0 - tx) + corner(i + 1, j, seed) * tx;
    let north = corner(i, j + 1, seed) * (1.0 - tx) + corner(i + 1, j + 1, seed) * tx;
    south * (1.0 - ty) + north * ty
}

/// Noise with bumps upon bumps, each half as large and half as high.
pub fn rough(spot: Spot, size_m: f64, octaves: u32, seed: u64) -> f64 {
    (0..octaves).map(|k| noise(spot, size_m / f64::from(1 << k), seed + u64::from(k)) / f64::from(1 << k)).sum()
}
