//! `jalon backup …`: the database file and the blobs of a small installation in one file, verified, and put back.
//!
//! The key of the server is not in it: whoever has the backup and the key reads the secrets.

mod archive;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use domain::Instant;
use futures_util::TryStreamExt as _;
use store::backup_made::{self, BackupMade};
use store::{Blobs, DatabaseSettings, Store, StoreError, blob_check};
use tokio::runtime::Handle;
use tokio::task::block_in_place;

use self::archive::{ArchiveError, BLOBS, DATABASE, Manifest, Writer};
use crate::cli::BackupCommand;
use crate::config::Config;
use crate::{Failure, output, server_key, wiring};

/// What the names of backups start and end with.
const START: &str = "jalon-";
const END: &str = ".tar.gz";
const END_ENCRYPTED: &str = ".tar.gz.enc";
/// Caches of files that are made again, test blobs, and published regions, which are made from their extract again.
const LEFT_OUT: [&str; 5] = ["roadbook/", "card/", "check/", "web/", REGIONS];
const REGIONS: &str = "region/";
const DAY_S: i64 = 86_400;

/// Runs one; false when a backup cannot be used.
pub async fn run(config: &Config, command: &BackupCommand) -> Result<bool, Failure> {
    match command {
        BackupCommand::Create { to, keep } => create(config, to, keep.map(usize::from)).await,
        BackupCommand::List { folder } => {
            for (name, bytes) in backups_in(folder)? {
                output::line(format!("{name}  {} MB", bytes.div_ceil(1_048_576)));
            }
            Ok(true)
        }
        BackupCommand::Verify { file } => verify(config, file).await,
        BackupCommand::Restore { from } => restore(config, from).await,
    }
}

/// The file of the SQLite database.
fn database_file(config: &Config) -> Result<PathBuf, Failure> {
    let url = config.database_url();
    let Some(file) = url.strip_prefix("sqlite:") else {
        return Err("jalon backup is for SQLite; PostgreSQL has tools of its own (docs/operate/backup.md)".into());
    };
    Ok(file.strip_prefix("//").unwrap_or(file).into())
}

async fn create(config: &Config, to: &Path, keep: Option<usize>) -> Result<bool, Failure> {
    let database = database_file(config)?;
    if !database.is_file() {
        return Err(format!("there is no database at {}", database.display()).into());
    }
    fs::create_dir_all(to)?;
    let work = Work::new(to)?;
    let (copy, part) = (work.0.join(DATABASE), work.0.join("archive"));
    // The database comes first: blobs that it needs are there before it, and stay.
    let store = Store::connect(&config.database()).await?;
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
        let file = work.0.join("blob");
        // One that was deleted meanwhile is not in the backup.
        if blobs.get_file(&blob.key, &file).await? {
            writer.add_file(&format!("{BLOBS}{}", blob.key), &file)?;
            count += 1;
            stored.insert(blob.key);
        }
    }
    let made_at = wiring::now();
    writer.finish(&Manifest { version: env!("CARGO_PKG_VERSION").to_owned(), made_at: made_at.0, blobs: count })?;
    let file = to.join(name_of(made_at, !config.backup.encrypt.is_empty()));
    fs::rename(&part, &file)?;
    File::open(to)?.sync_all()?;
    output::line(format!("{}: the database and {count} blobs", file.display()));
    let missing: Vec<_> = needed.difference(&stored).collect();
    for key in &missing {
        output::line(format!("missing: {key}"));
    }
    if config.backup.encrypt.is_empty() || !config.backup.decrypt.is_empty() {
        archive::read(&file, &config.backup.decrypt, |_, _| Ok(()))?;
        output::line("read again: every sum is right");
    }
    if server_key::file(config).is_file() {
        output::line(format!("not in it: {}. Keep it apart, once.", server_key::file(config).display()));
    }
    if has_region {
        output::line("not in it: the published region. After a restore: `jalon network build <extract> --publish`.");
    }
    let bytes = fs::metadata(&file)?.len();
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let made = BackupMade { file: name, bytes, blobs: count, missing: missing.len() as u64, made_at };
    if let Err(error) = record(config, &made).await {
        output::line(format!("the backup is good, and the database could not note it for the status page: {error}"));
    }
    for (name, _) in
        keep.map_or(Ok(Vec::new()), |keep| backups_in(to).map(|mut all| all.split_off(keep.min(all.len()))))?
    {
        fs::remove_file(to.join(&name))?;
        output::line(format!("{name}: deleted"));
    }
    Ok(missing.is_empty())
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
    format!("{START}{}-{:02}{:02}{:02}{end}", at.day(), s / 3_600, s / 60 % 60, s % 60)
}

/// The names and sizes of the backups of a folder, the newest first.
fn backups_in(folder: &Path) -> io::Result<Vec<(String, u64)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(START) && (name.ends_with(END) || name.ends_with(END_ENCRYPTED)) {
            found.push((name, entry.metadata()?.len()));
        }
    }
    found.sort_by(|one, other| other.cmp(one));
    Ok(found)
}

/// The keys of the blobs that the database in a file needs; an error when the file is damaged.
async fn needed_by(database: &Path) -> Result<BTreeSet<String>, Failure> {
    let settings = DatabaseSettings::new(format!("sqlite:{}", database.display()));
    let store = Store::connect(&DatabaseSettings { is_durable: false, ..settings }).await?;
    let faults = store.damages().await?;
    if !faults.is_empty() {
        return Err(format!("the database in the backup is damaged: {}", faults.join("; ")).into());
    }
    let mut needed = blob_check::needed(store.read(), api::parcours::trace::source_key).await?;
    store.close().await?;
    needed.retain(|key| !key.starts_with(REGIONS));
    Ok(needed)
}

async fn verify(config: &Config, file: &Path) -> Result<bool, Failure> {
    let work = Work::new(&std::env::temp_dir())?;
    let copy = work.0.join(DATABASE);
    let (manifest, names) =
        archive::read(
            file,
            &config.backup.decrypt,
            |name, bytes| {
                if name == DATABASE { write(&copy, bytes) } else { Ok(()) }
            },
        )?;
    let needed = needed_by(&copy).await?;
    let missing: Vec<_> = needed.iter().filter(|key| !names.contains(&format!("{BLOBS}{key}"))).collect();
    for key in &missing {
        output::line(format!("missing: {key}"));
    }
    output::line(format!(
        "{}: made by version {}, {} blobs, {} of {} needed are missing; every sum is right and the database is whole",
        file.display(),
        manifest.version,
        manifest.blobs,
        missing.len(),
        needed.len()
    ));
    Ok(missing.is_empty())
}

async fn restore(config: &Config, from: &Path) -> Result<bool, Failure> {
    let database = database_file(config)?;
    if database.exists() {
        return Err(
            format!("{} is there already: restore into an empty data folder (--data)", database.display()).into()
        );
    }
    fs::create_dir_all(&config.data)?;
    let work = Work::new(&config.data)?;
    let (part, blob) = (work.0.join(DATABASE), work.0.join("blob"));
    let blobs = wiring::blobs(config)?;
    let (manifest, _) = archive::read(from, &config.backup.decrypt, |name, bytes| match name.strip_prefix(BLOBS) {
        Some(key) => {
            write(&blob, bytes)?;
            store_blob(&blobs, key, &blob)
        }
        None => write(&part, bytes),
    })?;
    let needed = needed_by(&part).await?;
    // The server makes the files beside it again.
    fs::rename(&part, &database)?;
    File::open(&config.data)?.sync_all()?;
    let stored: BTreeSet<String> = blobs.list("").map_ok(|blob| blob.key).try_collect().await?;
    let missing: Vec<_> = needed.difference(&stored).collect();
    for key in &missing {
        output::line(format!("missing: {key}"));
    }
    output::line(format!("{}: the database and {} blobs are back", config.data.display(), manifest.blobs));
    if server_key::find(config)?.is_none() {
        output::line(format!(
            "Now put server.key of that installation to {}, with mode 600: the server does not start with another one.",
            server_key::file(config).display()
        ));
    }
    Ok(missing.is_empty())
}

fn store_blob(blobs: &Blobs, key: &str, file: &Path) -> Result<(), ArchiveError> {
    let stored = block_in_place(|| Handle::current().block_on(blobs.put_file(key, file)));
    stored.map_err(|error| ArchiveError::File(file.to_owned(), io::Error::other(error.to_string())))
}

fn write(file: &Path, bytes: &mut dyn io::Read) -> Result<(), ArchiveError> {
    let failed = |error| ArchiveError::File(file.to_owned(), error);
    let mut to = File::create(file).map_err(failed)?;
    // What cannot be read is a fault of the archive.
    io::copy(bytes, &mut to).map_err(|error| ArchiveError::Damaged(error.to_string()))?;
    to.sync_all().map_err(failed)
}

/// A folder for what is being made; it is deleted with the value.
struct Work(PathBuf);

impl Work {
    fn new(inside: &Path) -> io::Result<Self> {
        let folder = inside.join(format!(".jalon-backup-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
