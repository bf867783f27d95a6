//! Restricts what the server writes to its owner. New files and folders follow from the process's mask; files that an older version
//! left readable are closed at the start.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::Mode;

use crate::config::Config;

/// Permissions of the group and of others.
const OF_OTHERS: u32 = 0o077;

/// From now on files are made 0600 and folders 0700, by this process and its children.
pub fn make_private() {
    rustix::process::umask(Mode::from_raw_mode(OF_OTHERS));
}

/// Takes the rights of the group and of others off the data folder and the database, then off everything in the folder, in the
/// background: once the folder itself is closed, other users cannot reach its content.
pub fn close_existing(config: &Config) {
    let mut first = vec![config.data.clone(), config.data.join("outbox"), config.data.join("blobs")];
    first.extend(database_files(config));
    let closed = first.iter().filter(|path| close(path)).count();
    if closed > 0 {
        tracing::warn!(folder = %config.data.display(), closed, "others could read the data folder or the database: closed");
    }
    let folder = config.data.clone();
    std::thread::spawn(move || {
        let closed = close_inside(&folder);
        if closed > 0 {
            tracing::warn!(folder = %folder.display(), closed, "files and folders that others could read were closed");
        }
    });
}

/// The SQLite file and the files beside it, wherever it is; nothing for a database server.
fn database_files(config: &Config) -> Vec<PathBuf> {
    let url = config.database_url();
    let Some(file) = url.strip_prefix("sqlite:") else { return Vec::new() };
    let file = file.strip_prefix("//").unwrap_or(file);
    ["", "-wal", "-shm"].iter().map(|end| PathBuf::from(format!("{file}{end}"))).collect()
}

/// True when others had rights and have none now. Links are not followed.
fn close(path: &Path) -> bool {
    let Ok(found) = fs::symlink_metadata(path) else { return false };
    let mode = found.permissions().mode();
    if found.is_symlink() || mode & OF_OTHERS == 0 {
        return false;
    }
    let closed = fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o7777 & !OF_OTHERS));
    if let Err(error) = &closed {
        tracing::warn!(path = %path.display(), %error, "others may read this, and it cannot be closed");
    }
    closed.is_ok()
}

fn close_inside(folder: &Path) -> usize {
    let mut closed = 0;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            closed += usize::from(close(&path));
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            }
        }
    }
    closed
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn what_others_could_read_is_closed_and_links_are_left_alone() {
        let data = std::env::temp_dir().join(format!("jalon-files-{}", std::process::id()));
        let _ = fs::remove_dir_all(&data);
        fs::create_dir_all(data.join("blobs/media")).unwrap();
        let outside = data.with_extension("outside");
        for file in [data.join("jalon.sqlite"), data.join("blobs/media/a"), outside.clone()] {
            fs::write(&file, "x").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        }
        std::os::unix::fs::symlink(&outside, data.join("blobs/link")).unwrap();
        for folder in ["", "blobs", "blobs/media"] {
            fs::set_permissions(data.join(folder), fs::Permissions::from_mode(0o755)).unwrap();
        }
        let config = Config { data: data.clone(), ..Config::default() };
        assert!(close(&data) && database_files(&config).iter().any(|file| close(file)));
        assert_eq!(close_inside(&data), 3, "two folders and a file");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        for folder in ["", "blobs", "blobs/media"] {
            assert_eq!(mode(&data.join(folder)), 0o700, "{folder}");
        }
        for file in ["jalon.sqlite", "blobs/media/a"] {
            assert_eq!(mode(&data.join(file)), 0o600, "{file}");
        }
        assert_eq!(mode(&outside), 0o644);
        assert_eq!(close_inside(&data), 0, "nothing is left to do");
        fs::remove_dir_all(&data).unwrap();
        fs::remove_file(&outside).unwrap();
    }
}
