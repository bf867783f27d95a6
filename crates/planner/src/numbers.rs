//! Maps, sets and lists by the number of a node, a junction, a link, an arc or a rank.

use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasherDefault, Hasher},
};

/// A map from numbers of junctions, links, attribute sets.
pub(crate) type ByNumber<V> = HashMap<u32, V, BuildHasherDefault<NumberHasher>>;
/// A set of such numbers.
pub(crate) type Numbers = HashSet<u32, BuildHasherDefault<NumberHasher>>;

/// A fast hash without protection against chosen keys: the standard hasher would take most of the matcher's time.
#[derive(Default)]
pub(crate) struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
}

/// A set of numbers below a bound, of which many are in it: a bit for each.
#[derive(Debug, Default)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// An empty set of numbers below `bound`.
    pub(crate) fn below(bound: usize) -> Self {
        Self(vec![0; bound.div_ceil(64)])
    }

    /// Adds a number; was it missing?
    pub(crate) fn insert(&mut self, number: u32) -> bool {
        let is_new = !self.contains(number);
        self.0[number as usize / 64] |= 1 << (number % 64);
        is_new
    }

    pub(crate) fn contains(&self, number: u32) -> bool {
        self.0[number as usize / 64] >> (number % 64) & 1 != 0
    }
}

/// Labels of a page.
const PAGE: usize = 256;
/// A list keeps this many pages for the next request, and frees what is more.
const KEPT_PAGES: usize = 4_096;

/// A list as long as the network in which few places have a value: memory is taken by page, where something is written.
pub(crate) struct Sparse<T> {
    pages: Vec<Option<Box<[T; PAGE]>>>,
    made: usize,
    blank: T,
}

impl<T: Copy> Sparse<T> {
    /// A list of length 0 whose places will all hold `blank`.
    pub(crate) const fn new(blank: T) -> Self {
        Self { pages: Vec::new(), made: 0, blank }
    }

    /// Has room for `length` values. What was written stays, unless the length is another or much was written.
    pub(crate) fn prepare(&mut self, length: usize) {
        let pages = length.div_ceil(PAGE);
        if self.pages.len() != pages || self.made > KEPT_PAGES {
            self.pages.clear();
            self.pages.resize_with(pages, || None);
            self.made = 0;
        }
    }

    pub(crate) fn get(&self, at: u32) -> T {
        self.pages[at as usize / PAGE].as_ref().map_or(self.blank, |page| page[at as usize % PAGE])
    }

    pub(crate) fn get_mut(&mut self, at: u32) -> &mut T {
        let page = self.pages[at as usize / PAGE].get_or_insert_with(|| {
            self.made += 1;
            Box::new([self.blank; PAGE])
        });
        &mut page[at as usize % PAGE]
    }

    /// Writes `blank` again.
    pub(crate) fn clear(&mut self, at: u32) {
        if let Some(page) = self.pages.get_mut(at as usize / PAGE).and_then(Option::as_mut) {
            page[at as usize % PAGE] = self.blank;
        }
    }
}

/// Groups values by their number (a counting sort that keeps their order): where the values of each number start, and all values.
pub(crate) fn grouped<T: Copy + Default, I: Iterator<Item = (u32, T)>>(
    numbers: usize,
    each: impl Fn() -> I,
) -> (Vec<u32>, Vec<T>) {
    let mut first = vec![0_u32; numbers + 1];
    for (number, _) in each() {
        first[number as usize + 1] += 1;
    }
    for number in 0..numbers {
        first[number + 1] += first[number];
    }
    let mut next = first.clone();
    let mut all = vec![T::default(); first[numbers] as usize];
    for (number, value) in each() {
        let place = &mut next[number as usize];
        all[*place as usize] = value;
        *place += 1;
    }
    (first, all)
}
