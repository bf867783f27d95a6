//! The disk of the data folder: the database of a small installation, its files, uploads under way, the region.

use app::App;
use rustix::fs::statvfs;

use super::PartState;

/// With less room than this the next save may fail: a journal of the database takes 16 MB, and a large picture as much.
const MIN_FREE_BYTES: u64 = 32 * 1024 * 1024;

/// Free and all bytes of it; none where it cannot be read.
pub(crate) fn disk(app: &App) -> Option<(u64, u64)> {
    let folder = app.uploads.ancestors().find(|folder| folder.is_dir())?;
    let space = statvfs(folder).ok()?;
    Some((space.f_bavail * space.f_frsize, space.f_blocks * space.f_frsize))
}

/// Whether it has room.
pub(super) fn disk_state(app: &App) -> PartState {
    state_of(disk(app).map(|(free, _)| free))
}

fn state_of(free: Option<u64>) -> PartState {
    match free {
        None => PartState::None,
        Some(free) if free < MIN_FREE_BYTES => PartState::Failing,
        Some(_) => PartState::Ok,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_is_full_before_the_last_byte_is_taken() {
        let free = [Some(0), Some(MIN_FREE_BYTES - 1), Some(MIN_FREE_BYTES), None];
        assert_eq!(free.map(state_of), [PartState::Failing, PartState::Failing, PartState::Ok, PartState::None]);
    }
}
