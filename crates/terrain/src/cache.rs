//! Decoded blocks of tiles, the least recently used dropped when there are too many.

use crate::grid::Block;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// What all decoded blocks together may take, in bytes: nine SRTM tiles of 3601 samples a side.
const MAX_BYTES: usize = 256 << 20;

/// Which block of which raster.
type Key = (u32, u32);

#[derive(Debug, Default)]
pub(crate) struct Cache {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    blocks: HashMap<Key, (Arc<Block>, u64)>,
    bytes: usize,
    clock: u64,
}

impl Cache {
    /// The block, made if need be. Two threads may make the same one at once: cheaper than making others wait.
    pub(crate) fn get(&self, key: Key, make: impl FnOnce() -> Block) -> Arc<Block> {
        if let Some(block) = self.find(key) {
            return block;
        }
        let block = Arc::new(make());
        self.keep(key, &block);
        block
    }

    fn find(&self, key: Key) -> Option<Arc<Block>> {
        let mut guard = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let inner = &mut *guard;
        inner.clock += 1;
        let (block, used) = inner.blocks.get_mut(&key)?;
        *used = inner.clock;
        Some(Arc::clone(block))
    }

    fn keep(&self, key: Key, block: &Arc<Block>) {
        let mut guard = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let inner = &mut *guard;
        let used = inner.clock;
        if inner.blocks.insert(key, (Arc::clone(block), used)).is_none() {
            inner.bytes += block.bytes();
        }
        while inner.bytes > MAX_BYTES && inner.blocks.len() > 1 {
            let Some(oldest) = inner.blocks.iter().min_by_key(|(_, (_, used))| *used).map(|(key, _)| *key) else {
                return;
            };
            if let Some((gone, _)) = inner.blocks.remove(&oldest) {
                inner.bytes -= gone.bytes();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Samples;

    #[test]
    fn the_least_recently_used_go_first_and_the_bound_is_kept() {
        let cache = Cache::default();
        let half = || Block { first: [0, 0], columns: 1, samples: Samples::Whole(vec![0; MAX_BYTES / 5]) };
        for i in [0, 1, 0, 2, 0] {
            cache.get((0, i), half);
            assert!(cache.inner.lock().is_ok_and(|inner| inner.bytes <= MAX_BYTES));
        }
        assert!(cache.find((0, 0)).is_some() && cache.find((0, 1)).is_none() && cache.find((0, 2)).is_some());
    }
}
