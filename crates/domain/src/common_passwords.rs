//! Passwords that are common or known from breaches, as a filter of 16 bits each: it never misses one, and takes about one
//! other password in 65,536 for one (xor filter, Graf and Lemire 2020).
//!
//! `scripts/common-passwords.sh` makes the file again; `docs/decisions/0034-accounts.md` says from what.

use std::sync::OnceLock;

/// The filter that the binary carries.
static FILE: &[u8] = include_bytes!("../data/common-passwords.xor16");

/// `seed`, then the length of a third, then a fingerprint for each slot; all little-endian.
const HEADER: usize = 16;

/// Whether a password, or a word, is in the list. Case, accents, spaces and signs do not count.
pub fn contains(text: &str) -> bool {
    static FILTER: OnceLock<Option<Filter<'static>>> = OnceLock::new();
    let key = normal(text);
    let filter = FILTER.get_or_init(|| Filter::read(FILE));
    key.chars().count() >= MIN_CHARS && filter.as_ref().is_some_and(|filter| filter.contains(&key))
}

/// Shorter words are part of everything.
pub const MIN_CHARS: usize = 4;

/// The form that is compared: small letters and digits without accents.
pub fn normal(text: &str) -> String {
    crate::fold(text).split(' ').collect()
}

/// A filter read from its file.
#[derive(Debug, Clone, Copy)]
pub struct Filter<'a> {
    seed: u64,
    third: usize,
    slots: &'a [u8],
}

impl<'a> Filter<'a> {
    /// Reads a file. None when it is not one.
    pub fn read(file: &'a [u8]) -> Option<Self> {
        let (header, slots) = file.split_at_checked(HEADER)?;
        let seed = u64::from_le_bytes(header[..8].try_into().ok()?);
        let third = usize::try_from(u64::from_le_bytes(header[8..].try_into().ok()?)).ok()?;
        (third > 0 && slots.len() == third.checked_mul(6)?).then_some(Self { seed, third, slots })
    }

    /// Whether a key is, or seems to be, in it.
    pub fn contains(&self, key: &str) -> bool {
        let hash = hash(self.seed, key);
        let found = places(hash, self.third).map(|place| self.slot(place));
        found[0] ^ found[1] ^ found[2] == fingerprint(hash)
    }

    fn slot(&self, place: usize) -> u16 {
        u16::from_le_bytes([self.slots[place * 2], self.slots[place * 2 + 1]])
    }
}

/// The file of a filter over these keys, which must differ from one another. None when no seed works, which does not happen
/// with keys that differ.
pub fn build(keys: &[String]) -> Option<Vec<u8>> {
    let third = (keys.len() * 123 / 100 + 32).div_ceil(3);
    (1..=100).find_map(|seed| {
        let order = peel(keys, seed, third)?;
        let mut slots = vec![0_u16; third * 3];
        for (hash, place) in order.into_iter().rev() {
            let others = places(hash, third).into_iter().filter(|other| *other != place);
            slots[place] = others.fold(fingerprint(hash), |sum, other| sum ^ slots[other]);
        }
        let header = [seed, third as u64].into_iter().flat_map(u64::to_le_bytes);
        Some(header.chain(slots.into_iter().flat_map(u16::to_le_bytes)).collect())
    })
}

/// An order in which each key has a slot that no later one uses. None when the seed allows none.
fn peel(keys: &[String], seed: u64, third: usize) -> Option<Vec<(u64, usize)>> {
    // Of each slot: how many keys use it, and the sum of their hashes, which is the hash itself once only one is left.
    let mut used = vec![(0_u32, 0_u64); third * 3];
    for key in keys {
        let hash = hash(seed, key);
        for place in places(hash, third) {
            used[place].0 += 1;
            used[place].1 ^= hash;
        }
    }
    let mut single: Vec<usize> = (0..used.len()).filter(|place| used[*place].0 == 1).collect();
    let mut order = Vec::with_capacity(keys.len());
    while let Some(place) = single.pop() {
        if used[place].0 != 1 {
            continue;
        }
        let hash = used[place].1;
        order.push((hash, place));
        for other in places(hash, third) {
            used[other].0 -= 1;
            used[other].1 ^= hash;
            if used[other].0 == 1 {
                single.push(other);
            }
        }
    }
    (order.len() == keys.len()).then_some(order)
}

/// One slot in each third.
fn places(hash: u64, third: usize) -> [usize; 3] {
    [0, 21, 42].map(|turn| {
        let part = hash.rotate_left(turn) & 0xffff_ffff;
        // A number below 2^32 scaled to the length of a third.
        ((part * third as u64) >> 32) as usize + third * (turn as usize / 21)
    })
}

const fn fingerprint(hash: u64) -> u16 {
    (hash ^ (hash >> 32)) as u16
}

/// FNV-1a, then the last steps of `MurmurHash3`, so that each bit depends on all.
fn hash(seed: u64, key: &str) -> u64 {
    let sum = key
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325 ^ seed, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    let mixed = (sum ^ (sum >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    mixed ^ (mixed >> 33)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn keys(from: usize, to: usize) -> Vec<String> {
        (from..to).map(|number| format!("key {number}")).collect()
    }

    #[test]
    fn a_filter_misses_none_and_mistakes_few() {
        let file = build(&keys(0, 20_000)).unwrap();
        let filter = Filter::read(&file).unwrap();
        assert!(keys(0, 20_000).iter().all(|key| filter.contains(key)));
        let mistaken = keys(20_000, 1_020_000).iter().filter(|key| filter.contains(key)).count();
        // 15 are expected of a million.
        assert!(mistaken < 40, "{mistaken}");
        assert!(file.len() < 20_000 * 5 / 2 + 200, "{}", file.len());
    }

    #[test]
    fn a_file_that_is_none_is_refused() {
        for file in [&[][..], &[0; 16], &[1; 22]] {
            assert!(Filter::read(file).is_none());
        }
    }

    #[test]
    fn the_file_in_the_binary_knows_what_breaches_brought_to_light() {
        assert!(Filter::read(FILE).is_some());
        for common in ["1qaz2wsx3edc", "Q1W2E3R4T5Y6", "123qweasdzxc", "passwords", "Loulou", "été"] {
            assert_eq!(contains(common), common != "été", "{common}");
        }
        for other in ["cheval agrafe pile", "le vent tourne à gauche", "T7#kw!mQz92&"] {
            assert!(!contains(other), "{other}");
        }
    }
}
