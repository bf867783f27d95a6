//! Whether an SQLite file may be written.

use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};
use rustix::io::Errno;

/// Whether the system lets this process write an SQLite file and its journal; where there is no journal yet, make one in the folder.
pub(crate) fn may_write(file: &Path) -> bool {
    // Opening the file and closing it again would end the locks that SQLite has on it.
    let may = |path: &Path| !matches!(access(path, Access::WRITE_OK), Err(Errno::ACCESS | Errno::PERM | Errno::ROFS));
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let journal = ["-wal", "-shm"].map(|end| {
        let mut name = file.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    });
    may(file) && journal.iter().all(|part| may(if part.exists() { part.as_path() } else { folder }))
}
