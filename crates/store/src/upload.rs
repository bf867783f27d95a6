//! Uploads in progress: how many bytes came, and the blobs that hold their pieces until the file is complete.

use domain::media::MediaPurpose;
use domain::{Instant, MediaId, UserId, WhiteLabelId};
use sea_orm::QueryResult;

use crate::sql::{all, execute, for_update, get, one};
use crate::{Connection, StoreError, Tx};

/// An upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    /// Its name in addresses and in the keys of its pieces: it cannot be guessed.
    pub token: String,
    /// The user who uploads it.
    pub user_id: UserId,
    /// The white-label that will own it.
    pub white_label_id: WhiteLabelId,
    /// The file's name on the user's device.
    pub file_name: String,
    /// What it is for.
    pub purpose: MediaPurpose,
    /// The size of the whole file, bytes.
    pub bytes: u64,
    /// Bytes received so far.
    pub received: u64,
    /// When the upload expires.
    pub expires_at: Instant,
    /// The media made of it, once it is complete.
    pub media_id: Option<MediaId>,
    /// Why it was refused: a problem as JSON.
    pub problem: Option<String>,
}

impl Upload {
    /// Whether it became a media or was refused.
    pub const fn is_over(&self) -> bool {
        self.media_id.is_some() || self.problem.is_some()
    }
}

const COLUMNS: &str =
    "token, user_id, white_label_id, file_name, purpose, bytes, expires_at, media_id, problem, received";

/// Adds an upload.
pub async fn insert(tx: &Tx, new: &Upload) -> Result<(), StoreError> {
    let sql = format!("INSERT INTO upload ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, NULL, NULL, 0)");
    let purpose = match new.purpose {
        MediaPurpose::Content => "content",
        MediaPurpose::Logo => "logo",
    };
    let values = [
        new.token.clone().into(),
        new.user_id.0.into(),
        new.white_label_id.0.into(),
        new.file_name.clone().into(),
        purpose.into(),
        (new.bytes as i64).into(),
        new.expires_at.0.into(),
    ];
    execute(tx, &sql, values).await?;
    Ok(())
}

/// How many uploads of a person are unfinished, and the bytes of their whole files. The person is locked until the transaction ends: of
/// two requests that count and add, the second one counts what the first one added.
pub async fn lock_unfinished(tx: &Tx, user: UserId, now: Instant) -> Result<(u64, u64), StoreError> {
    let lock = format!(r#"SELECT id FROM "user" WHERE id = $1{}"#, for_update(tx.dialect(), r#""user""#));
    one(tx, &lock, [user.0.into()]).await?;
    let sql = "SELECT COUNT(*), CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM upload
        WHERE user_id = $1 AND expires_at > $2 AND media_id IS NULL AND problem IS NULL";
    let Some(row) = one(tx, sql, [user.0.into(), now.0.into()]).await? else { return Ok((0, 0)) };
    Ok((get::<i64>(&row, 0)?.unsigned_abs(), get::<i64>(&row, 1)?.unsigned_abs()))
}

/// An unfinished upload of this person that is not too old.
pub async fn find(db: &impl Connection, token: &str, user: UserId, now: Instant) -> Result<Option<Upload>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM upload WHERE token = $1 AND user_id = $2 AND expires_at > $3");
    one(db, &sql, [token.into(), user.0.into(), now.0.into()]).await?.map(|row| upload(&row)).transpose()
}

/// Stores the result of an upload. False when it is over or deleted already: then the transaction must not be committed.
pub async fn end(tx: &Tx, token: &str, result: Result<MediaId, String>) -> Result<bool, StoreError> {
    let (media, problem) = match result {
        Ok(media) => (Some(media.0), None),
        Err(problem) => (None, Some(problem)),
    };
    let sql = "UPDATE upload SET media_id = $2, problem = $3 WHERE token = $1 AND media_id IS NULL AND problem IS NULL";
    Ok(execute(tx, sql, [token.into(), media.into(), problem.into()]).await? > 0)
}

/// Claims the right to make the media of a complete upload until an instant. False when it is over or another server has it.
pub async fn claim(tx: &Tx, token: &str, now: Instant, until: Instant) -> Result<bool, StoreError> {
    let sql = "UPDATE upload SET finishing_until = $3
        WHERE token = $1 AND finishing_until <= $2 AND received = bytes AND media_id IS NULL AND problem IS NULL";
    Ok(execute(tx, sql, [token.into(), now.0.into(), until.0.into()]).await? > 0)
}

/// Prolongs a claim.
pub async fn prolong_claim(tx: &Tx, token: &str, until: Instant) -> Result<(), StoreError> {
    execute(tx, "UPDATE upload SET finishing_until = $2 WHERE token = $1", [token.into(), until.0.into()]).await?;
    Ok(())
}

/// Gives the claim back.
pub async fn release(tx: &Tx, token: &str) -> Result<(), StoreError> {
    execute(tx, "UPDATE upload SET finishing_until = 0 WHERE token = $1", [token.into()]).await?;
    Ok(())
}

/// A piece of an upload, in a blob of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The key of the blob; no other piece has it.
    pub blob_key: String,
    /// Its place in the file.
    pub first_byte: u64,
    /// How many bytes it has.
    pub bytes: u64,
}

/// Records a piece before its blob is written, so that the blob can be deleted if the server stops meanwhile.
pub async fn announce_piece(tx: &Tx, token: &str, piece: &Piece, now: Instant) -> Result<(), StoreError> {
    let sql = "INSERT INTO upload_piece (blob_key, token, first_byte, bytes, stored, announced_at) VALUES ($1, $2, $3, $4, 0, $5)";
    let (first, bytes) = (piece.first_byte as i64, piece.bytes as i64);
    execute(tx, sql, [piece.blob_key.clone().into(), token.into(), first.into(), bytes.into(), now.0.into()]).await?;
    Ok(())
}

/// Adds a written piece to its upload. False when it does not start where the upload ends: another piece came first, or the
/// upload is gone.
pub async fn add_piece(tx: &Tx, token: &str, piece: &Piece) -> Result<bool, StoreError> {
    let (first, end) = (piece.first_byte as i64, (piece.first_byte + piece.bytes) as i64);
    let sql = "UPDATE upload SET received = $3
        WHERE token = $1 AND received = $2 AND bytes >= $3 AND media_id IS NULL AND problem IS NULL";
    if execute(tx, sql, [token.into(), first.into(), end.into()]).await? == 0 {
        return Ok(false);
    }
    execute(tx, "UPDATE upload_piece SET stored = 1 WHERE blob_key = $1", [piece.blob_key.clone().into()]).await?;
    Ok(true)
}

/// How many bytes of an upload came, if there is such an upload.
pub async fn received(db: &impl Connection, token: &str) -> Result<Option<u64>, StoreError> {
    let row = one(db, "SELECT received FROM upload WHERE token = $1", [token.into()]).await?;
    row.map(|row| get::<i64>(&row, 0).map(i64::unsigned_abs)).transpose()
}

/// The pieces of an upload in the order of the file.
pub async fn pieces(db: &impl Connection, token: &str) -> Result<Vec<Piece>, StoreError> {
    let sql =
        "SELECT blob_key, first_byte, bytes FROM upload_piece WHERE token = $1 AND stored = 1 ORDER BY first_byte";
    let piece = |row: &QueryResult| {
        let (first, bytes): (i64, i64) = (get(row, 1)?, get(row, 2)?);
        Ok(Piece { blob_key: get(row, 0)?, first_byte: first.unsigned_abs(), bytes: bytes.unsigned_abs() })
    };
    all(db, sql, [token.into()]).await?.iter().map(piece).collect()
}

/// Keys of pieces that no upload needs: those of uploads that are over, and those announced before an instant and never added.
pub async fn stale_pieces(db: &impl Connection, before: Instant, limit: u64) -> Result<Vec<String>, StoreError> {
    let sql =
        "SELECT blob_key FROM upload_piece WHERE (stored = 0 AND announced_at <= $1) OR (stored = 1 AND NOT EXISTS (
            SELECT 1 FROM upload WHERE upload.token = upload_piece.token AND media_id IS NULL AND problem IS NULL
        )) LIMIT $2";
    let rows = all(db, sql, [before.0.into(), (limit as i64).into()]).await?;
    rows.iter().map(|row| get(row, 0)).collect()
}

/// Deletes the rows of pieces whose blobs were deleted.
pub async fn forget_pieces(tx: &Tx, keys: &[String]) -> Result<(), StoreError> {
    for key in keys {
        execute(tx, "DELETE FROM upload_piece WHERE blob_key = $1", [key.as_str().into()]).await?;
    }
    Ok(())
}

/// Forgets a file. False when it was not there.
pub async fn delete(tx: &Tx, token: &str) -> Result<bool, StoreError> {
    Ok(execute(tx, "DELETE FROM upload WHERE token = $1", [token.into()]).await? > 0)
}

/// Forgets those that are too old, and gives their names.
pub async fn expire(tx: &Tx, now: Instant) -> Result<Vec<String>, StoreError> {
    let rows = all(tx, "DELETE FROM upload WHERE expires_at <= $1 RETURNING token", [now.0.into()]).await?;
    rows.iter().map(|row| get(row, 0)).collect()
}

/// Whether an upload has this name.
pub async fn exists(db: &impl Connection, token: &str) -> Result<bool, StoreError> {
    Ok(one(db, "SELECT 1 FROM upload WHERE token = $1", [token.into()]).await?.is_some())
}

fn upload(row: &QueryResult) -> Result<Upload, StoreError> {
    Ok(Upload {
        token: get(row, "token")?,
        user_id: UserId(get(row, "user_id")?),
        white_label_id: WhiteLabelId(get(row, "white_label_id")?),
        file_name: get(row, "file_name")?,
        purpose: if get::<String>(row, "purpose")? == "logo" { MediaPurpose::Logo } else { MediaPurpose::Content },
        bytes: get::<i64>(row, "bytes")?.unsigned_abs(),
        expires_at: Instant(get(row, "expires_at")?),
        media_id: get::<Option<i64>>(row, "media_id")?.map(MediaId),
        problem: get(row, "problem")?,
        received: get::<i64>(row, "received")?.unsigned_abs(),
    })
}
