//! The files of the last builds of the web application (decision 0051). Their bytes are blobs.

use domain::Instant;

use crate::sql::{all, execute, flag, get, one};
use crate::{Connection, StoreError, Tx};

/// A file of a build whose name holds a hash of its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebFile {
    pub build_id: String,
    /// Its path, without a first slash.
    pub path: String,
    /// Its content type.
    pub mime: String,
    /// Changes with its bytes; without quotes.
    pub etag: String,
    /// Whether a copy packed with brotli is stored too.
    pub is_packed: bool,
}

impl WebFile {
    /// The key of its blob.
    pub fn blob_key(&self) -> String {
        format!("{}/{}", folder(&self.build_id), self.path)
    }

    /// The key of the blob that is packed with brotli.
    pub fn packed_key(&self) -> String {
        format!("{}.br", self.blob_key())
    }
}

/// The folder of all builds.
pub const FOLDER: &str = "web";

/// The folder of the blobs of a build.
pub fn folder(build_id: &str) -> String {
    format!("{FOLDER}/{build_id}")
}

/// How many files of a build are recorded.
pub async fn count(db: &impl Connection, build_id: &str) -> Result<i64, StoreError> {
    let row = one(db, "SELECT COUNT(*) FROM web_file WHERE build_id = $1", [build_id.into()]).await?;
    row.map_or(Ok(0), |row| get(&row, 0))
}

/// Records that a server of a build starts, and its files, whose blobs are stored. All builds but this one and the `others` that started
/// last are forgotten: returned are their names.
pub async fn record(
    tx: &Tx,
    build_id: &str,
    files: &[WebFile],
    others: u32,
    now: Instant,
) -> Result<Vec<String>, StoreError> {
    let sql =
        "INSERT INTO web_build (id, seen_at) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at";
    execute(tx, sql, [build_id.into(), now.0.into()]).await?;
    for file in files {
        let sql = "INSERT INTO web_file (path, build_id, mime, etag, packed) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (path, build_id) DO NOTHING";
        let packed = i16::from(file.is_packed);
        let values = [
            file.path.as_str().into(),
            build_id.into(),
            file.mime.as_str().into(),
            file.etag.as_str().into(),
            packed.into(),
        ];
        execute(tx, sql, values).await?;
    }
    let sql = "DELETE FROM web_build WHERE id <> $1 AND id NOT IN (
            SELECT id FROM web_build WHERE id <> $1 ORDER BY seen_at DESC, id LIMIT $2) RETURNING id";
    let gone = all(tx, sql, [build_id.into(), i64::from(others).into()]).await?;
    gone.iter().map(|row| get(row, 0)).collect()
}

/// The file at a path, of the build that started last among those that have it.
pub async fn find(db: &impl Connection, path: &str) -> Result<Option<WebFile>, StoreError> {
    let sql =
        "SELECT f.build_id, f.path, f.mime, f.etag, f.packed FROM web_file f JOIN web_build b ON b.id = f.build_id
        WHERE f.path = $1 ORDER BY b.seen_at DESC LIMIT 1";
    let Some(row) = one(db, sql, [path.into()]).await? else { return Ok(None) };
    Ok(Some(WebFile {
        build_id: get(&row, "build_id")?,
        path: get(&row, "path")?,
        mime: get(&row, "mime")?,
        etag: get(&row, "etag")?,
        is_packed: flag(&row, "packed")?,
    }))
}
