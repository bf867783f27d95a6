//! The database of a Geotrek, for `jalon migrate-from geotrek`: PostgreSQL's own programs write it as text, whatever form it has.

use std::fs::{self, File};
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use feeds::incoming::{GeotrekArchive, GeotrekDatabase};
use flate2::read::MultiGzDecoder;
use percent_encoding::percent_decode_str;

use crate::Failure;

/// Where a Geotrek is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GeotrekSource {
    /// Its server.
    Server(String),
    /// Its database.
    Database(String),
    /// A dump of its database.
    Dump(PathBuf),
    /// An archive of its lists.
    Archive(PathBuf),
}

impl GeotrekSource {
    /// What the first argument of the command means.
    pub fn of(word: &str) -> Result<Self, Failure> {
        if word.starts_with("postgres://") || word.starts_with("postgresql://") {
            return Ok(Self::Database(word.to_owned()));
        }
        if word.contains("://") {
            return Ok(Self::Server(word.to_owned()));
        }
        let path = PathBuf::from(word);
        if path.is_dir() {
            return Ok(Self::Dump(path));
        }
        let head = head(&path)
            .map_err(|error| format!("{word} is neither an address nor a file that can be read: {error}"))?;
        Ok(if head.starts_with(b"PK\x03\x04") { Self::Archive(path) } else { Self::Dump(path) })
    }

    /// What the source is called after: the name of the file or of the database.
    pub fn name(&self) -> String {
        let last = |text: &str| text.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
        match self {
            Self::Server(url) => last(url),
            Self::Database(url) => last(url.split('?').next().unwrap_or_default()),
            Self::Dump(path) | Self::Archive(path) => {
                path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
            }
        }
    }

    /// The tables; none of a server or of an archive.
    pub fn tables(&self) -> Result<Option<GeotrekDatabase>, Failure> {
        match self {
            Self::Server(_) | Self::Archive(_) => Ok(None),
            Self::Database(url) => piped(dumped(url), "pg_dump", "the database cannot be read").map(Some),
            Self::Dump(path) => {
                let head = if path.is_dir() { Vec::new() } else { head(path)? };
                if path.is_dir() || head.starts_with(b"PGDMP") || head.starts_with(b"toc.dat") {
                    return piped(restored(path), "pg_restore", "the dump cannot be read").map(Some);
                }
                let file = File::open(path)?;
                let read = if head.starts_with(&[0x1f, 0x8b]) {
                    GeotrekDatabase::read(BufReader::new(MultiGzDecoder::new(file)))
                } else {
                    GeotrekDatabase::read(BufReader::new(file))
                };
                Ok(Some(read.map_err(|error| format!("{}: {error}", path.display()))?))
            }
        }
    }
}

/// The public address of the Geotrek of an archive, where it is known.
pub fn address_of(path: &Path) -> Result<Option<String>, Failure> {
    let archive = GeotrekArchive::open(fs::read(path)?)
        .map_err(|_| format!("{} is not an archive of a Geotrek: make one with --archive", path.display()))?;
    Ok(archive.address().map(str::to_owned))
}

fn head(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path)?.take(16).read_to_end(&mut head)?;
    Ok(head)
}

fn restored(path: &Path) -> Command {
    let mut command = Command::new("pg_restore");
    command.args(["--data-only", "--no-owner", "--file=-"]);
    command.args(GeotrekDatabase::tables().map(|table| format!("--table={table}"))).arg(path);
    command
}

/// `pg_dump` only reads, in one transaction. It gets the password of the address by its environment; without one it takes `PGPASSWORD` or `~/.pgpass`.
fn dumped(url: &str) -> Command {
    let mut command = Command::new("pg_dump");
    let (url, password) = without_password(url);
    if let Some(password) = password {
        command.env("PGPASSWORD", password);
    }
    command.args(["--data-only", "--no-owner", "--no-password"]);
    command.args(GeotrekDatabase::tables().map(|table| format!("--table=*.{table}"))).arg(format!("--dbname={url}"));
    command
}

/// An address of a database without its password, and the password.
fn without_password(url: &str) -> (String, Option<String>) {
    let plain = || (url.to_owned(), None);
    let Some((scheme, rest)) = url.split_once("://") else { return plain() };
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let Some((user, host)) = authority.rsplit_once('@') else { return plain() };
    let Some((user, password)) = user.split_once(':') else { return plain() };
    let password = percent_decode_str(password).decode_utf8_lossy().into_owned();
    (format!("{scheme}://{user}@{host}{path}"), Some(password))
}

/// Reads the tables that a program writes.
fn piped(mut command: Command, program: &str, what: &str) -> Result<GeotrekDatabase, Failure> {
    let started = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child: Child = started.map_err(|error| {
        format!("{program} cannot be started ({error}): it comes with the client programs of PostgreSQL (package postgresql-client)")
    })?;
    let errors = child.stderr.take();
    let errors = std::thread::spawn(move || {
        let mut text = String::new();
        let _ = errors.map(|mut errors| errors.read_to_string(&mut text));
        text
    });
    let Some(output) = child.stdout.take() else { return Err(format!("{program} writes nothing").into()) };
    let read = GeotrekDatabase::read(BufReader::new(output));
    let ended = child.wait()?;
    let errors = errors.join().unwrap_or_default();
    if !ended.success() {
        return Err(format!("{what}: {}", errors.trim()).into());
    }
    read.map_err(|error| format!("{what}: {error}").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_an_argument() {
        for (url, plain, password) in [
            ("postgresql://reader:a%40b@db/geotrek", "postgresql://reader@db/geotrek", Some("a@b")),
            ("postgresql://reader@db/geotrek", "postgresql://reader@db/geotrek", None),
            ("postgresql:///geotrek?host=/run/postgresql", "postgresql:///geotrek?host=/run/postgresql", None),
        ] {
            assert_eq!(without_password(url), (plain.to_owned(), password.map(str::to_owned)));
            assert!(!format!("{:?}", dumped(url).get_args().collect::<Vec<_>>()).contains("a%40b"));
        }
    }

    #[test]
    fn a_word_is_an_address_a_database_or_a_file() {
        assert_eq!(
            GeotrekSource::of("https://g.example/").ok(),
            Some(GeotrekSource::Server("https://g.example/".to_owned()))
        );
        let database = GeotrekSource::of("postgresql://reader@db/geotrek?sslmode=require");
        assert_eq!(database.map(|place| place.name()).ok(), Some("geotrek".to_owned()));
        let missing = GeotrekSource::of("/nowhere/geotrek.dump").map_err(|error| error.to_string());
        assert!(missing.is_err_and(|said| said.contains("neither an address nor a file")));
    }
}
