//! The server's key: from the configuration, or from `<data>/server.key`, which the first start makes.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use api::seal::{self, ServerKey};
use store::{Store, StoreError};

use crate::config::Config;

/// Only its owner may read it.
const MODE: u32 = 0o600;

/// Why the key cannot be used, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// What the configuration gives is none.
    #[error("server_key of the configuration: {0}")]
    Configured(seal::NoKey),
    /// What the file holds is none.
    #[error("{} holds no key: {}. Put the one of your backup back.", .0.display(), .1)]
    File(PathBuf, seal::NoKey),
    /// Others may read it.
    #[error("{} may be read by others: chmod 600 it.", .0.display())]
    Open(PathBuf),
    /// It can be neither read nor made.
    #[error("{} cannot be read or made: {}", .0.display(), .1)]
    Io(PathBuf, std::io::Error),
}

/// Where the key is kept when the configuration gives none.
pub fn file(config: &Config) -> PathBuf {
    config.data.join("server.key")
}

/// The key, if there is one yet.
pub fn find(config: &Config) -> Result<Option<ServerKey>, KeyError> {
    if !config.server_key.is_empty() {
        return ServerKey::parse(&config.server_key).map(Some).map_err(KeyError::Configured);
    }
    let file = file(config);
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(KeyError::Io(file, error)),
    };
    let mode = fs::metadata(&file).map_err(|error| KeyError::Io(file.clone(), error))?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(KeyError::Open(file));
    }
    ServerKey::parse(&text).map(Some).map_err(|error| KeyError::File(file, error))
}

/// The key; the first start makes it.
pub fn find_or_make(config: &Config) -> Result<ServerKey, KeyError> {
    if let Some(found) = find(config)? {
        return Ok(found);
    }
    let (file, made) = (file(config), ServerKey::random());
    match write(&file, &made) {
        Ok(()) => {
            tracing::info!(file = %file.display(), "the server's key was made: back it up with the database");
            Ok(made)
        }
        // Another process was first: its key is everybody's.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => find(config)?.ok_or(KeyError::Io(file, error)),
        Err(error) => Err(KeyError::Io(file, error)),
    }
}

/// Written beside and linked into place: whoever reads it reads all of it, and none is ever written over.
fn write(file: &Path, key: &ServerKey) -> std::io::Result<()> {
    let beside = file.with_extension(format!("key.{}", std::process::id()));
    let mut writer = OpenOptions::new().write(true).create(true).truncate(true).mode(MODE).open(&beside)?;
    writeln!(writer, "{}", key.to_text())?;
    writer.sync_all()?;
    let linked = fs::hard_link(&beside, file);
    fs::remove_file(&beside)?;
    linked
}

/// What to say when the key is not the one that sealed what the database holds.
pub const OTHER_KEY: &str = "this server's key does not open the secrets of this database: put back the server.key (or \
     server_key) they were sealed with. Until then translation keys and codes of second factors do not work; recovery \
     codes do";

/// Whether the key opens what the database holds; yes where nothing is sealed yet.
pub async fn fits(key: &ServerKey, store: &Store) -> Result<bool, StoreError> {
    Ok(seal::opens(key, store.read()).await? != Some(false))
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

    #[test]
    fn the_first_start_makes_a_key_that_only_its_owner_reads_and_later_ones_find_it() {
        let config = config("made");
        assert!(find(&config).unwrap().is_none());
        let made = find_or_make(&config).unwrap();
        assert_eq!(fs::metadata(file(&config)).unwrap().permissions().mode() & 0o777, MODE);
        assert_eq!(find_or_make(&config).unwrap().to_text(), made.to_text());
        let names: Vec<_> = fs::read_dir(&config.data).unwrap().flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(names, ["server.key"], "nothing is left beside it");
        fs::remove_dir_all(&config.data).unwrap();
    }

    #[test]
    fn one_that_is_broken_or_open_to_others_is_refused_in_words_and_never_written_over() {
        let config = config("broken");
        fs::write(file(&config), "half a k").unwrap();
        fs::set_permissions(file(&config), fs::Permissions::from_mode(0o600)).unwrap();
        let told = find_or_make(&config).unwrap_err().to_string();
        assert!(told.contains("holds no key") && told.contains("64 hexadecimal digits"), "{told}");
        fs::set_permissions(file(&config), fs::Permissions::from_mode(0o644)).unwrap();
        let told = find_or_make(&config).unwrap_err().to_string();
        assert!(told.contains("may be read by others"), "{told}");
        assert_eq!(fs::read_to_string(file(&config)).unwrap(), "half a k");
        fs::remove_dir_all(&config.data).unwrap();
    }

    #[test]
    fn the_configuration_goes_before_the_file() {
        let key = ServerKey::random();
        let config = Config { server_key: key.to_text(), ..config("configured") };
        assert_eq!(find_or_make(&config).unwrap().to_text(), key.to_text());
        assert!(!file(&config).exists());
        let wrong = Config { server_key: "secret".into(), ..config };
        assert!(find(&wrong).unwrap_err().to_string().starts_with("server_key of the configuration"));
        fs::remove_dir_all(&wrong.data).unwrap();
    }
}
