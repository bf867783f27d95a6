//! Third-party test data, and the report of tests that are skipped.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of shared material: `../shared/data` beside the repository, or `JALON_SHARED`. None where it is not.
pub fn shared_data() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("JALON_SHARED").map_or_else(beside, PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// Reports that a test did not run, and why, on a line that the closing count looks for.
pub fn skipped(test: &str, missing: &str) {
    // Not `eprintln!`: the harness would keep it to itself.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {test}: {missing}");
}
