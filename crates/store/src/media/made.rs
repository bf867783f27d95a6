//! The variants of a media file. A job (`media_sizes`) makes them; it is enqueued with the save that wants it.

use std::collections::HashMap;

use domain::MediaId;
use domain::media::{MediaMade, MediaSheet, MediaState};
use sea_orm::QueryResult;

use crate::job::{self, NewJob};
use crate::record::Stored;
use crate::sql::{NumberList, all, execute, get, json, one, text};
use crate::{Connection, StoreError, Tx, row};

/// The kind of job that makes the sizes of a media, and what else belongs to it. Its payload is `{"media": number}`.
pub const SIZES: &str = "media_sizes";
/// Attempts after which the media is shown as broken.
pub const SIZES_ATTEMPTS: i64 = 5;

/// Asks for the missing variants of a media's current version.
pub(super) async fn ask(tx: &Tx, media: &Stored<MediaSheet>) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO media_made (media_id, state, recipe, body) VALUES ($1, {waiting}, $2, '{{}}')
        ON CONFLICT (media_id) DO UPDATE SET state = {waiting}, recipe = excluded.recipe WHERE media_made.recipe <> excluded.recipe",
        waiting = MediaState::Processing.number()
    );
    if execute(tx, &sql, [media.id.into(), media.sheet.recipe().into()]).await? == 0 {
        return Ok(());
    }
    let job = NewJob {
        unique_key: Some(media.id.to_string()),
        white_label_id: media.white_label_id,
        asked_by: media.updated_by.as_ref().map(|(id, _)| *id),
        max_attempts: SIZES_ATTEMPTS,
        ..NewJob::new(SIZES, format!(r#"{{"media":{}}}"#, media.id), media.updated_at)
    };
    job::enqueue(tx, &job, media.updated_at).await?;
    Ok(())
}

/// The recipe of the files that a media still needs. `None` when all are made, and for a media that is in the bin.
pub async fn waiting(db: &impl Connection, id: MediaId) -> Result<Option<String>, StoreError> {
    let sql = format!(
        "SELECT d.recipe FROM media_made d JOIN media n ON n.id = d.media_id WHERE d.state = {} AND d.media_id = $1",
        MediaState::Processing.number()
    );
    one(db, &sql, [id.0.into()]).await?.map(|row| get(&row, 0)).transpose()
}

/// Whether files are still to be made of a media, also of one in the bin.
pub async fn is_waiting(db: &impl Connection, id: MediaId) -> Result<bool, StoreError> {
    let sql = format!("SELECT 1 FROM media_made WHERE state = {} AND media_id = $1", MediaState::Processing.number());
    Ok(one(db, &sql, [id.0.into()]).await?.is_some())
}

/// Shows a media as broken whose sizes could not be made, or as waiting once its job is tried again.
pub async fn ask_again(tx: &Tx, id: MediaId, is_given_up: bool) -> Result<(), StoreError> {
    let (waits, broken) = (MediaState::Processing, MediaState::Broken);
    let (before, after) = if is_given_up { (waits, broken) } else { (broken, waits) };
    let sql = "UPDATE media_made SET state = $3 WHERE media_id = $1 AND state = $2";
    execute(tx, sql, [id.0.into(), before.number().into(), after.number().into()]).await?;
    Ok(())
}

/// Stores the variants made by a recipe. `false` if another recipe was requested meanwhile.
pub async fn set_made(tx: &Tx, id: MediaId, recipe: &str, made: &MediaMade) -> Result<bool, StoreError> {
    let sql = "UPDATE media_made SET state = $3, body = $4 WHERE media_id = $1 AND recipe = $2";
    let values = [id.0.into(), recipe.into(), made.state.number().into(), text(made).into()];
    let is_kept = execute(tx, sql, values).await? > 0;
    if is_kept {
        // Media of benchmarks are inserted with their variants: nothing is left to make.
        let sql = "DELETE FROM job WHERE kind = $1 AND unique_key = $2 AND state = 'waiting'";
        execute(tx, sql, [SIZES.into(), id.0.to_string().into()]).await?;
    }
    Ok(is_kept)
}

/// The variants of each of these media files.
pub async fn made_of(db: &impl Connection, ids: &[i64]) -> Result<HashMap<i64, MediaMade>, StoreError> {
    let list = NumberList::of(db, ids);
    let sql = format!("SELECT media_id, state, body FROM media_made WHERE {}", list.has("media_id", 1));
    all(db, &sql, list.value()).await?.iter().map(made).collect()
}

fn made(found: &QueryResult) -> Result<(i64, MediaMade), StoreError> {
    let (id, state): (i64, i16) = (get(found, 0)?, get(found, 1)?);
    let body: MediaMade = json("media_made", id, &get::<String>(found, 2)?)?;
    let state = row::word("media_made", id, &state.to_string(), MediaState::of_number(state))?;
    Ok((id, MediaMade { state, ..body }))
}
