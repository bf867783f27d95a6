//! What the tests share.

use std::path::PathBuf;

/// A place in the shared data, or a line that says that the test was skipped.
pub fn shared(path: &str, test: &str) -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let root = std::env::var_os("JALON_SHARED").map_or_else(|| PathBuf::from(beside), PathBuf::from);
    let found = root.join(path);
    if !found.exists() {
        eprintln!("SKIPPED: {test}: ../shared/data is missing");
        return None;
    }
    Some(found)
}
