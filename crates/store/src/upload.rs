//! Files that are still on their way in: what is known of them. Their bytes lie in a folder until they are whole.

use domain::media::MediaPurpose;
use domain::{Instant, MediaId, UserId, WhiteLabelId};
use sea_orm::QueryResult;

use crate::sql::{all, execute, get, one};
use crate::{Connection, StoreError, Tx};

/// A file on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    /// Its name in addresses and in the folder: it cannot be guessed.
    pub token: String,
    /// The user who uploads it.
    pub user_id: UserId,
    /// For which white-label.
    pub white_label_id: WhiteLabelId,
    /// Its name, where it comes from.
    pub file_name: String,
    /// What it is for.
    pub purpose: MediaPurpose,
    /// How many bytes it will have.
    pub bytes: u64,
    /// When it is forgotten.
    pub expires_at: Instant,
    /// What it became.
    pub media_id: Option<MediaId>,
    /// Why it became nothing: a problem as JSON.
    pub problem: Option<String>,
}

impl Upload {
    /// Whether it became something, or was refused.
    pub const fn is_over(&self) -> bool {
        self.media_id.is_some() || self.problem.is_some()
    }
}

const COLUMNS: &str = "token, user_id, white_label_id, file_name, purpose, bytes, expires_at, media_id, problem";

/// Notes a file that is about to come.
pub async fn insert(tx: &Tx, new: &Upload) -> Result<(), StoreError> {
    let sql = format!("INSERT INTO upload ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, NULL, NULL)");
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

/// An unfinished upload of this person that is not too old.
pub async fn find(db: &impl Connection, token: &str, user: UserId, now: Instant) -> Result<Option<Upload>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM upload WHERE token = $1 AND user_id = $2 AND expires_at > $3");
    one(db, &sql, [token.into(), user.0.into(), now.0.into()]).await?.map(|row| upload(&row)).transpose()
}

/// Notes what it became.
pub async fn end(tx: &Tx, token: &str, became: Result<MediaId, String>) -> Result<(), StoreError> {
    let (media, problem) = match became {
        Ok(media) => (Some(media.0), None),
        Err(problem) => (None, Some(problem)),
    };
    let sql = "UPDATE upload SET media_id = $2, problem = $3 WHERE token = $1";
    execute(tx, sql, [token.into(), media.into(), problem.into()]).await?;
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
        token: get(row, 0)?,
        user_id: UserId(get(row, 1)?),
        white_label_id: WhiteLabelId(get(row, 2)?),
        file_name: get(row, 3)?,
        purpose: if get::<String>(row, 4)? == "logo" { MediaPurpose::Logo } else { MediaPurpose::Content },
        bytes: get::<i64>(row, 5)?.unsigned_abs(),
        expires_at: Instant(get(row, 6)?),
        media_id: get::<Option<i64>>(row, 7)?.map(MediaId),
        problem: get(row, 8)?,
    })
}
