//! Reads an export into an empty installation, of the same kind of database or of the other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader, Read};
use std::path::Path;

use domain::SystemClock;
use futures_util::TryStreamExt as _;
use store::archive::{self as rows_archive, Table};
use store::{Store, StoreError, Tx, blob_check};
use tokio::runtime::Handle;
use tokio::task::block_in_place;

use super::{ABOUT, About, FORMAT, LINES, TABLES, VERSION};
use crate::backup::archive::{self, ArchiveError, BLOBS};
use crate::backup::place::Work;
use crate::backup::{REGIONS, store_blob, write};
use crate::config::Config;
use crate::{Failure, output, server_key, wiring};

/// Rows of one statement at most.
const BATCH_ROWS: usize = 500;

/// Reads a file into the database and the blobs of the configuration. False where a blob that the database needs is not in the file.
pub async fn run(config: &Config, file: &Path) -> Result<bool, Failure> {
    // The whole file is checked before anything is written: a database file that is not there yet is made afterwards. A database that is
    // there is looked at first, because a large file takes long.
    let is_new = match config.database_file() {
        Some(database) => !wiring::exists(&database)?,
        None => false,
    };
    let checked = if is_new { Some(about(file)?) } else { None };
    fs::create_dir_all(&config.data)?;
    let store = Store::connect(&config.database().for_migration()).await?;
    if !rows_archive::is_without_tables(&store).await? {
        return Err(format!(
            "the database {} has tables already: import into a database without tables, such as a new data folder (--data)",
            wiring::without_password(&config.database_url())
        )
        .into());
    }
    let about = match checked {
        Some(about) => about,
        None => about(file)?,
    };
    rows_archive::make_tables(&store, about.tables_version).await?;
    let filled = fill(config, &store, file, &about).await;
    if let Err(error) = filled {
        return Err(format!("{error}. Nothing of the rows was kept: delete the database before another import").into());
    }
    // Tables of an older version are migrated first: this program reads records of its own version.
    store.migrate(&SystemClock).await?;
    let tx = store.begin().await?;
    rows_archive::rebuild(&tx).await?;
    tx.commit().await?;
    let missing = missing(config, &store).await?;
    store.close().await?;
    for key in &missing {
        output::line(format!("missing: {key}"));
    }
    let (records, rows): (usize, usize) = (about.records.values().sum(), about.rows.values().sum());
    output::line(format!("{records} records ({rows} rows) of {} are imported", file.display()));
    if server_key::find(config)?.is_none() {
        output::line(format!(
            "Now copy server.key of that installation to {}, with mode 600. Where it is lost, run `jalon key adopt` before the first \
             start: keys of services and second factors must then be entered again.",
            server_key::file(config).display()
        ));
    }
    output::line("The region is not in an export: `jalon network build <extract>` prepares it.");
    Ok(missing.is_empty())
}

/// Reads the file to its end, compares each entry with its sum, and returns what it says of itself.
fn about(file: &Path) -> Result<About, Failure> {
    let mut text = None;
    archive::read(file, &[], |name, bytes| {
        if name == ABOUT {
            let mut found = String::new();
            bytes.read_to_string(&mut found).map_err(|error| ArchiveError::Damaged(error.to_string()))?;
            text = Some(found);
        }
        Ok(())
    })?;
    let text = text.ok_or_else(|| format!("{} is no export: it has no {ABOUT}", file.display()))?;
    let about: About = serde_json::from_str(&text)
        .map_err(|error| format!("{ABOUT} of {} cannot be read: {error}", file.display()))?;
    if about.format != FORMAT || about.format_version != VERSION {
        return Err(format!(
            "{} has the format {} {}; this Jalon reads {FORMAT} {VERSION}",
            file.display(),
            about.format,
            about.format_version
        )
        .into());
    }
    Ok(about)
}

/// Stores the blobs, then all rows in one transaction.
async fn fill(config: &Config, store: &Store, file: &Path, about: &About) -> Result<(), Failure> {
    let (blobs, work) = (wiring::blobs(config)?, Work::new(&config.data)?);
    let part = work.path().join("blob");
    let (mut filling, mut counts) = (None, BTreeMap::new());
    archive::read(file, &[], |name, bytes| {
        if let Some(key) = name.strip_prefix(BLOBS) {
            write(&part, bytes)?;
            return store_blob(&blobs, key, &part);
        }
        let Some(table) = name.strip_prefix(TABLES).and_then(|name| name.strip_suffix(LINES)) else { return Ok(()) };
        let put = block_in_place(|| Handle::current().block_on(put(store, &mut filling, table, bytes)));
        let count = put.map_err(|error| match error.downcast_ref() {
            Some(StoreError::Full(_)) => ArchiveError::Full("the database".to_owned()),
            _ => ArchiveError::Damaged(format!("{name}: {error}")),
        })?;
        counts.insert(table.to_owned(), count);
        Ok(())
    })?;
    if counts != about.rows {
        return Err("the export does not have the rows that it says it has".into());
    }
    let Some(Filling { tx, tables }) = filling else { return Err("the export has no rows".into()) };
    rows_archive::set_next_numbers(&tx, &tables, &about.last_numbers).await?;
    rows_archive::end_put(&tx).await?;
    Ok(tx.commit().await?)
}

/// The transaction that takes the rows.
struct Filling {
    tx: Tx,
    tables: Vec<Table>,
}

/// Puts the rows of a table; returns their number.
async fn put(store: &Store, filling: &mut Option<Filling>, name: &str, bytes: &mut dyn Read) -> Result<usize, Failure> {
    if filling.is_none() {
        let tx = store.begin().await?;
        let tables = rows_archive::tables(&tx).await?;
        rows_archive::begin_put(&tx).await?;
        rows_archive::empty(&tx, &tables).await?;
        *filling = Some(Filling { tx, tables });
    }
    let Some(Filling { tx, tables }) = filling else { return Ok(0) };
    let table = tables.iter().find(|table| table.name == name).ok_or("there is no such table")?;
    let mut count = 0;
    let mut lines = BufReader::new(bytes).lines();
    loop {
        let some = lines.by_ref().take(BATCH_ROWS).collect::<Result<Vec<String>, _>>()?;
        if some.is_empty() {
            return Ok(count);
        }
        count += some.len();
        rows_archive::put(tx, table, &some.iter().map(String::as_str).collect::<Vec<_>>()).await?;
    }
}

/// The keys of the blobs that the database needs and that are not there.
async fn missing(config: &Config, store: &Store) -> Result<Vec<String>, StoreError> {
    let needed = blob_check::needed(store.read(), content::parcours::trace::source_key).await?;
    let blobs = wiring::blobs(config).map_err(|error| StoreError::Blob(error.into()))?;
    let stored: BTreeSet<String> = blobs.list("").map_ok(|blob| blob.key).try_collect().await?;
    Ok(needed.into_iter().filter(|key| !key.starts_with(REGIONS) && !stored.contains(key)).collect())
}
