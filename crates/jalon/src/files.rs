//! Restricts what the server writes to its owner. New files and folders follow from the process's mask; files that an older version
//! left readable are closed at the start.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::Mode;

use crate::config::Config;

/// Permissions of the group and of others.
const GROUP_AND_OTHERS: u32 = 0o077;

/// From now on files are made 0600 and folders 0700, by this process and its children.
pub fn make_private() {
    rustix::process::umask(Mode::from_raw_mode(GROUP_AND_OTHERS));
}

/// Commands of root are refused where the data folder belongs to another user: the files that root makes there (the journal of
/// the database, a key) could not be opened by the server.
#[derive(Debug, thiserror::Error)]
#[error("the data folder {folder} belongs to {user}: run this as that user (sudo -u {user} jalon …)")]
pub struct OtherUser {
    folder: String,
    user: String,
}

/// Refuses to work as root in the data folder of another user.
pub fn check_user(config: &Config) -> Result<(), OtherUser> {
    let Ok(owner) = fs::metadata(&config.data).map(|found| found.uid()) else { return Ok(()) };
    if !rustix::process::geteuid().is_root() || owner == 0 {
        return Ok(());
    }
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let user = user_name(&users, owner).map_or_else(|| format!("#{owner}"), str::to_owned);
    Err(OtherUser { folder: config.data.display().to_string(), user })
}

/// The name of a user in the text of `/etc/passwd`.
fn user_name(users: &str, id: u32) -> Option<&str> {
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(id)).then_some(name)
    })
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
    let Some(file) = config.database_file() else { return Vec::new() };
    ["", "-wal", "-shm"].iter().map(|end| PathBuf::from(format!("{}{end}", file.display()))).collect()
}

/// True when others had rights and have none now. Links are not followed.
fn close(path: &Path) -> bool {
    let Ok(found) = fs::symlink_metadata(path) else { return false };
    let mode = found.permissions().mode();
    if found.is_symlink() || mode & GROUP_AND_OTHERS == 0 {
        return false;
    }
    let closed = fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o7777 & !GROUP_AND_OTHERS));
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
    fn root_does_not_work_in_the_folder_of_another_user() {
        let users = "root:x:0:0:root:/root:/bin/bash\njalon:x:998:997::/var/lib/jalon:/usr/sbin/nologin\n";
        assert_eq!(
            (user_name(users, 998), user_name(users, 0), user_name(users, 12)),
            (Some("jalon"), Some("root"), None)
        );
        let data = std::env::temp_dir().join(format!("jalon-owner-{}", std::process::id()));
        fs::create_dir_all(&data).unwrap();
        let config = Config { data: data.clone(), ..Config::default() };
        assert!(check_user(&config).is_ok());
        if rustix::process::geteuid().is_root() {
            std::os::unix::fs::chown(&data, Some(4_321), None).unwrap();
            let refused = check_user(&config).unwrap_err().to_string();
            assert!(refused.ends_with("belongs to #4321: run this as that user (sudo -u #4321 jalon …)"), "{refused}");
        }
        fs::remove_dir_all(&data).unwrap();
    }

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
