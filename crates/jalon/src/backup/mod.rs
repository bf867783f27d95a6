//! `jalon backup …`: the database file and the blobs of a small installation in one file, verified, and restored.
//!
//! The key of the server is not in it: with both the backup and the key the secrets can be read.

pub(crate) mod archive;
pub(crate) mod place;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use domain::{DAY_S, HOUR_S, Instant};
use futures_util::TryStreamExt as _;
use store::backup_made::{self, BackupMade};
use store::{Blobs, DatabaseSettings, Store, StoreError, blob_check};
use tokio::runtime::Handle;
use tokio::task::block_in_place;

use self::archive::{ArchiveError, BLOBS, DATABASE, Manifest, Writer};
use self::place::{END, END_ENCRYPTED, Place, START, Work};
use crate::bucket_access::SCHEME;
use crate::cli::BackupCommand;
use crate::config::Config;
use crate::{Failure, output, server_key, wiring};

/// Prefixes of blobs that are not in a backup: caches, test blobs, and published regions, which can be built again from their extract.
pub(crate) const LEFT_OUT: [&str; 6] = ["roadbook/", "card/", "check/", "speech/", "web/", REGIONS];
pub(crate) const REGIONS: &str = "region/";
/// Bytes of an entry that are read in one step.
const CHUNK_BYTES: usize = 128 * 1024;

/// Runs one; false when a backup cannot be used.
pub async fn run(config: &Config, command: &BackupCommand) -> Result<bool, Failure> {
    match command {
        BackupCommand::Create { sqlite_only: true, .. } if config.database_file().is_none() => {
            output::line(
                "Nothing to do: the database is PostgreSQL, whose own tools make backups (docs/operate/backup.md).",
            );
            Ok(true)
        }
        BackupCommand::Create { to, keep, .. } => {
            // `backup.keep` of the configuration applies only to the place of the configuration.
            let of_configuration = Some(config.backup.keep).filter(|keep| to.is_none() && *keep > 0);
            create(config, &place(config, to.as_deref())?, keep.or(of_configuration).map(usize::from)).await
        }
        BackupCommand::List { place: named } => {
            for (name, bytes) in place(config, named.as_deref())?.backups().await? {
                output::line(format!("{name}  {} MB", bytes.div_ceil(1_048_576)));
            }
            Ok(true)
        }
        BackupCommand::Verify { backup } => verify(config, backup).await,
        BackupCommand::Restore { from } => restore(config, from).await,
    }
}

/// The place that the command names, else that of the configuration.
fn place(config: &Config, named: Option<&str>) -> Result<Place, Failure> {
    match named.unwrap_or(&config.backup.to) {
        "" => Err("name a folder or s3://bucket/prefix, here or as backup.to in the configuration".into()),
        // `jalon blobs sweep` would delete backups among the blobs, and each backup would have those before it.
        text if is_among_blobs(config, text) => Err(format!(
            "{text} is in the folder or bucket of the blobs ({}): give another place",
            wiring::blobs_place(config)
        )
        .into()),
        text => Place::new(config, text),
    }
}

/// Whether a place is where the blobs are, or below.
fn is_among_blobs(config: &Config, place: &str) -> bool {
    if place.starts_with(SCHEME) || !config.blobs.url.is_empty() {
        let (place, blobs) = (place.trim_end_matches('/'), config.blobs.url.trim_end_matches('/'));
        return !blobs.is_empty()
            && place.strip_prefix(blobs).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    }
    let real = |path: &Path| fs::canonicalize(path).or_else(|_| std::path::absolute(path));
    match (real(Path::new(place)), real(&config.data.join("blobs"))) {
        (Ok(place), Ok(blobs)) => place.starts_with(blobs),
        _ => false,
    }
}

/// The names of the backups at the place of the configuration, the newest first; an error says why it cannot be reached. None where
/// it names no place.
pub async fn names(config: &Config) -> Result<Option<Vec<String>>, Failure> {
    if config.backup.to.is_empty() {
        return Ok(None);
    }
    let backups = place(config, None)?.backups().await?;
    Ok(Some(backups.into_iter().map(|(name, _)| name).collect()))
}

/// Whether the time in the name of a backup is later than `now`: it was made while a clock was ahead, or by another program.
pub fn is_of_future(name: &str, now: Instant) -> bool {
    stamp(name) > stamp(&name_of(now, false))
}

/// The name of a backup without its ending.
fn stamp(name: &str) -> &str {
    name.strip_suffix(END_ENCRYPTED).or_else(|| name.strip_suffix(END)).unwrap_or(name)
}

/// The file of the SQLite database.
fn database_file(config: &Config) -> Result<PathBuf, Failure> {
    const OTHER: &str = "jalon backup is for SQLite; PostgreSQL has its own tools (docs/operate/backup.md)";
    config.database_file().ok_or_else(|| OTHER.into())
}

async fn create(config: &Config, to: &Place, keep: Option<usize>) -> Result<bool, Failure> {
    database_file(config)?;
    // Tables of another version are refused before anything is made.
    let store = wiring::store(config).await?;
    let work = to.work()?;
    // A place that cannot be reached is reported before the backup is made.
    to.backups().await?;
    let (copy, part) = (work.path().join(DATABASE), work.path().join("archive"));
    // The database is copied first: the blobs that it names were stored before it, and are not deleted meanwhile.
    store.copy_to_file(&copy).await?;
    store.close().await?;
    let blobs = wiring::blobs(config)?;
    let needed = needed_by(&copy).await?;
    let mut writer = Writer::create(&part, &config.backup.encrypt)?;
    writer.add_file(DATABASE, &copy)?;
    let (mut count, mut stored, mut has_region) = (0, BTreeSet::new(), false);
    let mut listed = blobs.list("");
    while let Some(blob) = listed.try_next().await? {
        if LEFT_OUT.iter().any(|start| blob.key.starts_with(start)) {
            has_region |= blob.key.starts_with(REGIONS);
            continue;
        }
        let file = work.path().join("blob");
        // One that was deleted meanwhile is not in the backup.
        if blobs.get_file(&blob.key, &file).await? {
            writer.add_file(&format!("{BLOBS}{}", blob.key), &file)?;
            count += 1;
            stored.insert(blob.key);
        }
    }
    let made_at = wiring::now();
    writer.finish(&Manifest { version: env!("CARGO_PKG_VERSION").to_owned(), made_at: made_at.0, blobs: count })?;
    fs::remove_file(&copy)?;
    let is_read_again = config.backup.encrypt.is_empty() || !config.backup.decrypt.is_empty();
    if is_read_again {
        archive::read(&part, &config.backup.decrypt, |_, _| Ok(()))?;
    }
    let bytes = fs::metadata(&part)?.len();
    let name = name_of(made_at, !config.backup.encrypt.is_empty());
    to.store(&part, &name).await?;
    output::line(format!("{}: the database and {count} blobs", to.path(&name)));
    if is_read_again {
        output::line("verified: every checksum is right");
    }
    let missing: Vec<_> = needed.difference(&stored).collect();
    for key in &missing {
        output::line(format!("missing: {key}"));
    }
    if server_key::file(config).is_file() {
        output::line(format!("not in it: {}. Keep a copy of it elsewhere.", server_key::file(config).display()));
    }
    if has_region {
        output::line(
            "not in it: the published region. After a restore, run `jalon network build <extract> --publish`.",
        );
    }
    let made = BackupMade { file: name, bytes, blobs: count, missing: missing.len() as u64, made_at };
    if let Err(error) = record(config, &made).await {
        output::line(format!("the backup is good, but the database could not record it for the status page: {error}"));
    }
    if let Some(keep) = keep {
        delete_older(to, &made, keep).await?;
    }
    Ok(missing.is_empty())
}

/// Deletes all but the backup just made and the `keep - 1` before it. Those with later names are not counted: their names come from a
/// clock that was ahead, and would push out the real ones.
async fn delete_older(to: &Place, made: &BackupMade, keep: usize) -> Result<(), Failure> {
    let is_later = |name: &str| is_of_future(name, made.made_at);
    let (later, counted): (Vec<_>, Vec<_>) =
        to.backups().await?.into_iter().map(|(name, _)| name).partition(|name| is_later(name));
    for name in later {
        output::line(format!(
            "WARNING: {name} has a name later than now: it stays and is not counted. Check the clock, then delete it."
        ));
    }
    let others = counted.into_iter().filter(|name| *name != made.file);
    for name in others.skip(keep.saturating_sub(1)) {
        to.delete(&name).await?;
        output::line(format!("{name}: deleted"));
    }
    Ok(())
}

/// Notes a backup for the status page.
async fn record(config: &Config, made: &BackupMade) -> Result<(), StoreError> {
    let store = Store::connect(&config.database()).await?;
    let tx = store.begin().await?;
    backup_made::record(&tx, made).await?;
    tx.commit_aside().await?;
    store.close().await
}

/// `jalon-2026-11-24-051500.tar.gz`, in UTC.
fn name_of(at: Instant, is_encrypted: bool) -> String {
    let s = at.0.rem_euclid(DAY_S);
    let end = if is_encrypted { END_ENCRYPTED } else { END };
    format!("{START}{}-{:02}{:02}{:02}{end}", at.day(), s / HOUR_S, s / 60 % 60, s % 60)
}

/// The keys of the blobs that the database in a file needs; an error when the file is damaged.
async fn needed_by(database: &Path) -> Result<BTreeSet<String>, Failure> {
    let settings = DatabaseSettings::new(format!("sqlite:{}", database.display()));
    let store = Store::connect(&DatabaseSettings { is_durable: false, ..settings }).await?;
    let faults = store.damages().await?;
    if !faults.is_empty() {
        return Err(format!("the database in the backup is damaged: {}", faults.join("; ")).into());
    }
    let mut needed = blob_check::needed(store.read(), content::parcours::trace::source_key).await?;
    store.close().await?;
    needed.retain(|key| !key.starts_with(REGIONS));
    Ok(needed)
}

/// The place and the name of a backup that can be read with this configuration.
fn readable(config: &Config, backup: &str) -> Result<(Place, String), Failure> {
    let (place, name) = Place::of_backup(config, backup)?;
    if name.ends_with(END_ENCRYPTED) && config.backup.decrypt.is_empty() {
        return Err(format!("{backup} is encrypted: set backup.decrypt, the program that decrypts it").into());
    }
    Ok((place, name))
}

async fn verify(config: &Config, backup: &str) -> Result<bool, Failure> {
    let (from, name) = readable(config, backup)?;
    let work = Work::new(&std::env::temp_dir())?;
    let copy = work.path().join(DATABASE);
    let file = from.fetch(&name, &work).await?;
    let (manifest, names) = archive::read(&file, &config.backup.decrypt, |name, bytes| match name {
        DATABASE => write(&copy, bytes),
        _ if copy.exists() => Ok(()),
        _ => Err(ArchiveError::NoDatabase),
    })?;
    let needed = needed_by(&copy).await?;
    let missing: Vec<_> = needed.iter().filter(|key| !names.contains(&format!("{BLOBS}{key}"))).collect();
    for key in &missing {
        output::line(format!("missing: {key}"));
    }
    output::line(format!(
        "{backup}: made by version {}, {} blobs, {} of {} needed are missing; every checksum is right and the database is intact",
        manifest.version,
        manifest.blobs,
        missing.len(),
        needed.len()
    ));
    Ok(missing.is_empty())
}

async fn restore(config: &Config, from: &str) -> Result<bool, Failure> {
    let database = database_file(config)?;
    if wiring::exists(&database)? {
        return Err(format!("{} exists already: restore into an empty data folder (--data)", database.display()).into());
    }
    let (place, name) = readable(config, from)?;
    let blobs = config.data.join(BLOBS);
    let (makes_blobs, made) = (is_missing(&blobs), config.data.ancestors().take_while(|folder| is_missing(folder)));
    let made: Vec<&Path> = made.collect();
    let restored = restore_from(config, &place, &name, &database).await;
    if restored.is_err() && is_missing(&database) {
        // Folders that were there before stay, with what is in them.
        if makes_blobs {
            let _ = fs::remove_dir_all(&blobs);
        }
        for folder in made {
            let _ = fs::remove_dir(folder);
        }
    }
    restored
}

/// Whether a path names a file or folder that is not there.
fn is_missing(path: &Path) -> bool {
    !path.as_os_str().is_empty() && matches!(path.try_exists(), Ok(false))
}

/// Writes the blobs of a backup, then its database.
async fn restore_from(config: &Config, place: &Place, name: &str, database: &Path) -> Result<bool, Failure> {
    fs::create_dir_all(&config.data)?;
    let work = Work::new(&config.data)?;
    let (part, blob) = (work.path().join(DATABASE), work.path().join("blob"));
    let file = place.fetch(name, &work).await?;
    let blobs = wiring::blobs(config)?;
    let (manifest, _) = archive::read(&file, &config.backup.decrypt, |name, bytes| match name.strip_prefix(BLOBS) {
        None if name == DATABASE => write(&part, bytes),
        _ if !part.exists() => Err(ArchiveError::NoDatabase),
        Some(key) => {
            write(&blob, bytes)?;
            store_blob(&blobs, key, &blob)
        }
        None => Ok(()),
    })?;
    let needed = needed_by(&part).await?;
    // The server makes the files beside it again.
    fs::rename(&part, database)?;
    File::open(&config.data)?.sync_all()?;
    let stored: BTreeSet<String> = blobs.list("").map_ok(|blob| blob.key).try_collect().await?;
    let missing: Vec<_> = needed.difference(&stored).collect();
    for key in &missing {
        output::line(format!("missing: {key}"));
    }
    output::line(format!("{}: the database and {} blobs are restored", config.data.display(), manifest.blobs));
    if server_key::find(config)?.is_none() {
        output::line(format!(
            "Now copy server.key of that installation to {}, with mode 600: the server does not start with another one.",
            server_key::file(config).display()
        ));
    }
    Ok(missing.is_empty())
}

pub(crate) fn store_blob(blobs: &Blobs, key: &str, file: &Path) -> Result<(), ArchiveError> {
    let stored = block_in_place(|| Handle::current().block_on(blobs.put_file(key, file)));
    stored.map_err(|error| match error {
        StoreError::Full(_) => ArchiveError::Full("the store of the blobs".to_owned()),
        error => ArchiveError::File(file.to_owned(), io::Error::other(error.to_string())),
    })
}

pub(crate) fn write(file: &Path, bytes: &mut dyn io::Read) -> Result<(), ArchiveError> {
    let failed = |error| ArchiveError::of_file(file, error);
    let mut to = File::create(file).map_err(failed)?;
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        let read = match bytes.read(&mut chunk) {
            Ok(0) => return to.sync_all().map_err(failed),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            // What cannot be read is a fault of the archive.
            Err(error) => return Err(ArchiveError::Damaged(error.to_string())),
        };
        to.write_all(&chunk[..read]).map_err(failed)?;
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn only_a_name_later_than_now_is_of_the_future() {
        let now = Instant(1_796_083_200);
        for is_encrypted in [false, true] {
            assert!(!is_of_future(&name_of(now, is_encrypted), now));
            assert!(!is_of_future(&name_of(now.plus_s(-DAY_S), is_encrypted), now));
            assert!(is_of_future(&name_of(now.plus_s(1), is_encrypted), now));
        }
    }

    #[test]
    fn a_full_disk_is_not_taken_for_a_damaged_backup() {
        let full = write(Path::new("/dev/full"), &mut &b"a blob"[..]).unwrap_err();
        assert_eq!(full.to_string(), "no room is left in /dev: free disk space, then try again");
        let quota = ArchiveError::of_file(Path::new("/srv/new/blob"), io::ErrorKind::QuotaExceeded.into());
        assert!(matches!(quota, ArchiveError::Full(place) if place == "/srv/new"));
        let mut unreadable = flate2::read::GzDecoder::new(&b"no gzip"[..]);
        let damaged = write(Path::new("/dev/null"), &mut unreadable).unwrap_err();
        assert!(matches!(damaged, ArchiveError::Damaged(_)), "{damaged}");
    }
}
