//! The server's keys: from the configuration, or from `<data>/server.key`, which the first start makes. After a rotation the keys
//! before are in `<data>/server.key.old`, until nothing is sealed with them any more.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use app::seal::{KeyRing, NoKey, SecretKey, ServerKey};

use crate::config::Config;

/// Only its owner may read it.
const MODE: u32 = 0o600;

/// Why a key cannot be used, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// A setting that is not a key.
    #[error("{0} of the configuration: {1}")]
    Configured(&'static str, NoKey),
    /// A file that contains no key.
    #[error("{} does not contain a key: {}. Restore it from your backup.", .0.display(), .1)]
    File(PathBuf, NoKey),
    /// Others may read it.
    #[error("{} may be read by others: chmod 600 it.", .0.display())]
    Open(PathBuf),
    /// It can be neither read nor made.
    #[error("{} cannot be read or created: {}", .0.display(), .1)]
    Io(PathBuf, std::io::Error),
}

/// Where the key is kept when the configuration gives none.
pub fn file(config: &Config) -> PathBuf {
    config.data.join("server.key")
}

/// Where the keys before are kept, one a line.
pub fn old_file(config: &Config) -> PathBuf {
    config.data.join("server.key.old")
}

/// The keys, if there is one yet.
pub fn find(config: &Config) -> Result<Option<KeyRing>, KeyError> {
    let current = if config.server_key.is_empty() {
        read(&file(config))?.map(|mut keys| keys.remove(0))
    } else {
        Some(SecretKey::parse(&config.server_key).map_err(|error| KeyError::Configured("server_key", error))?)
    };
    let Some(current) = current else { return Ok(None) };
    let mut old = Vec::new();
    for text in &config.old_server_keys {
        old.push(SecretKey::parse(text).map_err(|error| KeyError::Configured("old_server_keys", error))?);
    }
    old.extend(read(&old_file(config))?.into_iter().flatten());
    old.retain(|key| *key != current);
    Ok(Some(KeyRing { current, old }))
}

/// The keys of a file, one a line; none where there is no file.
fn read(file: &Path) -> Result<Option<Vec<SecretKey>>, KeyError> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(KeyError::Io(file.to_owned(), error)),
    };
    let mode = fs::metadata(file).map_err(|error| KeyError::Io(file.to_owned(), error))?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(KeyError::Open(file.to_owned()));
    }
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let lines = if lines.is_empty() { vec![""] } else { lines };
    let keys = lines.into_iter().map(SecretKey::parse).collect::<Result<Vec<_>, _>>();
    keys.map(Some).map_err(|error| KeyError::File(file.to_owned(), error))
}

/// The keys of a server that runs; the first start makes one. They are read again when a value names one that is not there.
pub fn find_or_make(config: &Config) -> Result<ServerKey, KeyError> {
    let ring = ring_or_made(config)?;
    let again = config.clone();
    Ok(ServerKey::of(ring, Some(Arc::new(move || find(&again).ok().flatten()))))
}

fn ring_or_made(config: &Config) -> Result<KeyRing, KeyError> {
    if let Some(found) = find(config)? {
        return Ok(found);
    }
    let (file, made) = (file(config), SecretKey::random());
    match write_new(&file, &made) {
        Ok(()) => {
            tracing::info!(file = %file.display(), "the server's key was created: back it up with the database");
            find(config)?.ok_or_else(|| KeyError::Io(file, ErrorKind::NotFound.into()))
        }
        // Another process was first: its key is used.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => find(config)?.ok_or(KeyError::Io(file, error)),
        Err(error) => Err(KeyError::Io(file, error)),
    }
}

/// Written beside and linked into place: a reader always finds a whole file, and no file is ever overwritten.
fn write_new(file: &Path, key: &SecretKey) -> std::io::Result<()> {
    let beside = beside(file);
    write(&beside, std::slice::from_ref(key))?;
    let linked = fs::hard_link(&beside, file);
    fs::remove_file(&beside)?;
    linked
}

/// How the names of files end that are written beside the keys.
const UNFINISHED: &str = ".unfinished";

fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(format!(".{}{UNFINISHED}", std::process::id()));
    name.into()
}

/// Deletes the files of [`beside`] that a killed program left: each has whole keys in it.
pub fn delete_unfinished(config: &Config) -> Result<(), KeyError> {
    for path in named_after_keys(config, |end| end.strip_suffix(UNFINISHED).is_some_and(is_number))? {
        fs::remove_file(&path).map_err(|error| KeyError::Io(path.clone(), error))?;
    }
    Ok(())
}

/// Files named after those of the keys, with a number: an operator's copy, or what a killed program of an earlier version left. They are
/// never deleted, since any of them may be the only copy of a key.
pub fn possible_copies(config: &Config) -> Result<Vec<PathBuf>, KeyError> {
    named_after_keys(config, is_number)
}

fn is_number(end: &str) -> bool {
    !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit())
}

/// The files of the data folder whose name is that of a file of keys, a dot and such an end, by name.
fn named_after_keys(config: &Config, is_such: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>, KeyError> {
    let failed = |error| KeyError::Io(config.data.clone(), error);
    let entries = match fs::read_dir(&config.data) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        let is_found = [file(config), old_file(config)].iter().any(|file| {
            let (path, file) = (path.to_string_lossy(), file.to_string_lossy());
            path.strip_prefix(&*file).and_then(|end| end.strip_prefix('.')).is_some_and(&is_such)
        });
        if is_found {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn write(file: &Path, keys: &[SecretKey]) -> std::io::Result<()> {
    let mut writer = OpenOptions::new().write(true).create(true).truncate(true).mode(MODE).open(file)?;
    for key in keys {
        writeln!(writer, "{}", key.to_text())?;
    }
    writer.sync_all()
}

/// Makes a new key the current one and keeps the one before among the old ones. A process that reads the files in between finds the
/// key before in both.
pub fn renew(config: &Config, ring: &KeyRing) -> Result<KeyRing, KeyError> {
    let new = SecretKey::random();
    let old: Vec<SecretKey> = std::iter::once(&ring.current).chain(&ring.old).cloned().collect();
    for (file, keys) in [(old_file(config), old.clone()), (file(config), vec![new.clone()])] {
        let beside = beside(&file);
        let written = write(&beside, &keys).and_then(|()| fs::rename(&beside, &file));
        written.map_err(|error| KeyError::Io(file, error))?;
    }
    Ok(KeyRing { current: new, old })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn config(name: &str) -> Config {
        let data = std::env::temp_dir().join(format!("jalon-key-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&data);
        fs::create_dir_all(&data).unwrap();
        Config { data, ..Config::default() }
    }

    fn mode(file: &Path) -> u32 {
        fs::metadata(file).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn the_first_start_makes_a_key_that_only_its_owner_reads_and_later_ones_find_it() {
        let config = config("made");
        assert!(find(&config).unwrap().is_none());
        let made = find_or_make(&config).unwrap();
        assert_eq!(mode(&file(&config)), MODE);
        assert_eq!(find_or_make(&config).unwrap().ring(), made.ring());
        let names: Vec<_> = fs::read_dir(&config.data).unwrap().flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(names, ["server.key"], "nothing is left beside it");
        fs::remove_dir_all(&config.data).unwrap();
    }

    #[test]
    fn one_that_is_broken_or_open_to_others_is_refused_in_words_and_never_written_over() {
        let config = config("broken");
        for text in ["half a k", ""] {
            fs::write(file(&config), text).unwrap();
            fs::set_permissions(file(&config), fs::Permissions::from_mode(0o600)).unwrap();
            let error = find_or_make(&config).unwrap_err().to_string();
            assert!(error.contains("does not contain a key") && error.contains("64 hexadecimal digits"), "{error}");
        }
        fs::write(file(&config), "half a k").unwrap();
        fs::set_permissions(file(&config), fs::Permissions::from_mode(0o644)).unwrap();
        let error = find_or_make(&config).unwrap_err().to_string();
        assert!(error.contains("may be read by others"), "{error}");
        assert_eq!(fs::read_to_string(file(&config)).unwrap(), "half a k");
        fs::remove_dir_all(&config.data).unwrap();
    }

    #[test]
    fn only_what_a_killed_program_left_beside_the_keys_is_deleted() {
        let config = config("unfinished");
        let made = renew(&config, &find_or_make(&config).unwrap().ring()).unwrap();
        let left = ["server.key.old.17.unfinished", "server.key.4242.unfinished"];
        let copies = ["server.key.20261130", "server.key.old.17"];
        let others = ["server.key.bak", "server.key.", "other.17", "server.key.unfinished", "server.key.a.unfinished"];
        for name in left.iter().chain(&copies).chain(&others) {
            fs::write(config.data.join(name), "a key").unwrap();
        }
        delete_unfinished(&config).unwrap();
        assert!(left.iter().all(|name| !config.data.join(name).exists()));
        assert!(copies.iter().chain(&others).all(|name| config.data.join(name).exists()));
        assert_eq!(possible_copies(&config).unwrap(), copies.map(|name| config.data.join(name)));
        let written = beside(&file(&config));
        fs::write(&written, "a key").unwrap();
        delete_unfinished(&config).unwrap();
        assert!(!written.exists(), "what this version writes beside the keys");
        assert_eq!(find(&config).unwrap(), Some(made));
        fs::remove_dir_all(&config.data).unwrap();
    }

    #[test]
    fn the_configuration_goes_before_the_file() {
        let [key, old] = [(); 2].map(|()| SecretKey::random());
        let given = Config { server_key: key.to_text(), old_server_keys: vec![old.to_text()], ..config("configured") };
        assert_eq!(find_or_make(&given).unwrap().ring(), KeyRing { current: key, old: vec![old] });
        assert!(!file(&given).exists());
        let wrong = Config { server_key: "secret".into(), ..given.clone() };
        assert!(find(&wrong).unwrap_err().to_string().starts_with("server_key of the configuration"));
        let wrong = Config { old_server_keys: vec!["secret".into()], ..given };
        assert!(find(&wrong).unwrap_err().to_string().starts_with("old_server_keys of the configuration"));
        fs::remove_dir_all(&wrong.data).unwrap();
    }

    #[test]
    fn a_new_key_leaves_the_one_before_to_open_with_and_a_running_server_finds_both() {
        let config = config("renewed");
        let running = find_or_make(&config).unwrap();
        let first = running.ring();
        let second = renew(&config, &first).unwrap();
        assert_eq!(second.old, [first.current]);
        let third = renew(&config, &second).unwrap();
        assert_eq!((third.old.len(), mode(&old_file(&config)), mode(&file(&config))), (2, MODE, MODE));
        assert_eq!(find(&config).unwrap(), Some(third.clone()));
        let sealed = ServerKey::new(third.current).seal(app::seal::Place::Totp(1), b"clef");
        assert_eq!(running.open(app::seal::Place::Totp(1), &sealed).unwrap(), b"clef");
        fs::remove_dir_all(&config.data).unwrap();
    }
}
