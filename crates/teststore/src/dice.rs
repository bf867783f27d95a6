//! Reproducible pseudo-random numbers.

/// A linear congruential generator (Knuth's MMIX constants). The closure takes `sides` and returns a number from 0 to `sides - 1`.
pub fn dice(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |sides| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % sides
    }
}
