//! Writes an export. Everything is read at one moment: on SQLite from a copy of the file, on PostgreSQL in one transaction.

use std::collections::BTreeMap;
use std::fs::{self, File, Permissions};
use std::io::{BufWriter, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use domain::record::Kind;
use futures_util::TryStreamExt as _;
use store::archive::{self as rows_archive, PARCOURS, POIS, STEPS};
use store::geopackage::GeoPackage;
use store::{Blobs, Dialect, Store, Tx};

use super::{ABOUT, About, FORMAT, LINES, TABLES, VERSION};
use crate::backup::archive::{self, BLOBS, Manifest, Writer};
use crate::backup::place::Work;
use crate::backup::{LEFT_OUT, REGIONS};
use crate::config::Config;
use crate::{Failure, output, server_key, wiring};

/// Rows and records of one question.
const BATCH_ROWS: usize = 500;
const RECORDS: &str = "records/";
const GEOPACKAGE: &str = "jalon.gpkg";
const README: &str = "README.txt";

/// Writes all to a file that is not there yet. False where a blob that the database needs is missing.
pub async fn run(config: &Config, file: &Path) -> Result<bool, Failure> {
    if file.exists() {
        return Err(format!("{} exists already: give another name", file.display()).into());
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let work = Work::new(folder)?;
    let store = wiring::store(config).await?;
    let tables_version = store.schema().await?.database.unwrap_or_default();
    let snapshot = match store.dialect() {
        Dialect::Sqlite => {
            let copy = work.path().join("copy.sqlite");
            store.copy_to_file(&copy).await?;
            let settings = store::DatabaseSettings::new(format!("sqlite:{}", copy.display()));
            Store::connect(&store::DatabaseSettings { is_durable: false, ..settings }).await?
        }
        Dialect::Postgres => Store::connect(&config.database().for_migration()).await?,
    };
    let tx = rows_archive::begin_reading(&snapshot).await?;
    let mut about = About {
        format: FORMAT.to_owned(),
        format_version: VERSION,
        jalon: env!("CARGO_PKG_VERSION").to_owned(),
        tables_version,
        made_at: wiring::now(),
        records: BTreeMap::new(),
        rows: BTreeMap::new(),
        last_numbers: rows_archive::next_numbers(&tx).await?,
    };
    about.records = records(&tx, work.path()).await?;
    geopackage(&tx, &work.path().join(GEOPACKAGE)).await?;
    about.rows = rows(&tx, work.path()).await?;
    let needed = store::blob_check::needed(&tx, content::parcours::trace::source_key).await?;
    drop(tx);
    snapshot.close().await?;
    store.close().await?;

    let part = work.path().join("archive");
    let mut writer = Writer::create(&part, &[])?;
    fs::set_permissions(&part, Permissions::from_mode(0o600))?;
    writer.add_bytes(ABOUT, &serde_json::to_vec_pretty(&about)?)?;
    writer.add_bytes(README, include_bytes!("README.txt"))?;
    for kind in about.records.keys() {
        let name = format!("{RECORDS}{kind}{LINES}");
        writer.add_file(&name, &work.path().join(flat(&name)))?;
    }
    writer.add_file(GEOPACKAGE, &work.path().join(GEOPACKAGE))?;
    let stored = blobs(&wiring::blobs(config)?, &mut writer, work.path()).await?;
    // The rows come last: an import has the blobs before rows name them.
    for table in about.rows.keys() {
        let name = format!("{TABLES}{table}{LINES}");
        writer.add_file(&name, &work.path().join(flat(&name)))?;
    }
    let manifest = Manifest { version: about.jalon.clone(), made_at: about.made_at.0, blobs: stored.len() as u64 };
    writer.finish(&manifest)?;
    archive::read(&part, &[], |_, _| Ok(()))?;
    fs::rename(&part, file)?;
    File::open(folder)?.sync_all()?;

    let records: usize = about.records.values().sum();
    let bytes = fs::metadata(file)?.len();
    output::line(format!(
        "{}: {records} records, {} blobs, {} MB; read again, every checksum is right",
        file.display(),
        stored.len(),
        bytes.div_ceil(1_048_576)
    ));
    for (kind, count) in about.records.iter().filter(|(_, count)| **count > 0) {
        output::line(format!("  {kind:<16} {count:>8}"));
    }
    let missing: Vec<_> =
        needed.iter().filter(|key| !key.starts_with(REGIONS) && stored.binary_search(*key).is_err()).collect();
    for key in &missing {
        output::line(format!("missing: {key}"));
    }
    if server_key::file(config).is_file() {
        output::line(format!(
            "not in it: {}. Without it, passwords of services are entered again after an import.",
            server_key::file(config).display()
        ));
    }
    Ok(missing.is_empty())
}

/// The name of an entry as a file of the work folder.
fn flat(name: &str) -> PathBuf {
    name.replace('/', "-").into()
}

async fn records(tx: &Tx, work: &Path) -> Result<BTreeMap<String, usize>, Failure> {
    let mut counts = BTreeMap::new();
    for kind in Kind::ALL.iter().copied() {
        let name = format!("{RECORDS}{}{LINES}", kind.as_str());
        let mut file = BufWriter::new(File::create_new(work.join(flat(&name)))?);
        let mut count = 0;
        for some in rows_archive::ids(tx, kind).await?.chunks(BATCH_ROWS) {
            for line in rows_archive::json_of(tx, kind, some).await? {
                writeln!(file, "{line}")?;
                count += 1;
            }
        }
        file.flush()?;
        counts.insert(kind.as_str().to_owned(), count);
    }
    Ok(counts)
}

async fn geopackage(tx: &Tx, path: &Path) -> Result<(), Failure> {
    let mut file = GeoPackage::create(path, &[PARCOURS, STEPS, POIS]).await?;
    let mut step = 1;
    for id in rows_archive::ids(tx, Kind::Parcours).await? {
        let Some((line, steps)) = rows_archive::features_of_parcours(tx, id, step).await? else { continue };
        file.add(&PARCOURS, &[line]).await?;
        file.add(&STEPS, &steps).await?;
        step += i64::try_from(steps.len())?;
    }
    for id in rows_archive::ids(tx, Kind::Poi).await? {
        if let Some(poi) = rows_archive::feature_of_poi(tx, id).await? {
            file.add(&POIS, &[poi]).await?;
        }
    }
    Ok(file.finish().await?)
}

async fn rows(tx: &Tx, work: &Path) -> Result<BTreeMap<String, usize>, Failure> {
    let mut counts = BTreeMap::new();
    for table in rows_archive::tables(tx).await? {
        let name = format!("{TABLES}{}{LINES}", table.name);
        let mut file = BufWriter::new(File::create_new(work.join(flat(&name)))?);
        let (mut count, mut after) = (0, None);
        loop {
            let (lines, next) = rows_archive::page(tx, &table, after, BATCH_ROWS).await?;
            for line in &lines {
                writeln!(file, "{line}")?;
            }
            count += lines.len();
            after = next;
            if after.is_none() {
                break;
            }
        }
        file.flush()?;
        counts.insert(table.name, count);
    }
    Ok(counts)
}

/// Adds the blobs but those that are made again; returns their keys, sorted.
async fn blobs(blobs: &Blobs, writer: &mut Writer, work: &Path) -> Result<Vec<String>, Failure> {
    let (mut stored, file) = (Vec::new(), work.join("blob"));
    let mut listed = blobs.list("");
    while let Some(blob) = listed.try_next().await? {
        let is_left_out = LEFT_OUT.iter().any(|start| blob.key.starts_with(start));
        // One that was deleted meanwhile is not in the export.
        if !is_left_out && blobs.get_file(&blob.key, &file).await? {
            writer.add_file(&format!("{BLOBS}{}", blob.key), &file)?;
            stored.push(blob.key);
        }
    }
    stored.sort_unstable();
    Ok(stored)
}
