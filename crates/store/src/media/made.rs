//! What was made of a media, and the queue of what is to be made: the state stands beside it, so that a server that was
//! killed goes on where it was.

use std::collections::HashMap;

use domain::MediaId;
use domain::media::{MediaMade, MediaState};
use sea_orm::QueryResult;

use crate::parcours::sql::{all, execute, get, json, numbers, one, text};
use crate::{Connection, StoreError, Tx, row};

/// Asks for what belongs to a recipe, unless it was made already.
pub(super) async fn ask(tx: &Tx, id: i64, recipe: &str) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO media_made (media_id, state, recipe, body) VALUES ($1, {waiting}, $2, '{{}}')
        ON CONFLICT (media_id) DO UPDATE SET state = {waiting}, recipe = excluded.recipe WHERE media_made.recipe <> excluded.recipe",
        waiting = MediaState::Processing.number()
    );
    execute(tx, &sql, [id.into(), recipe.into()]).await?;
    Ok(())
}

/// The media that has waited longest, and its recipe.
pub async fn next_waiting(db: &impl Connection) -> Result<Option<(MediaId, String)>, StoreError> {
    // What lies in the bin waits until it comes back.
    let sql = format!(
        "SELECT d.media_id, d.recipe FROM media_made d JOIN media n ON n.id = d.media_id
        WHERE d.state = {} ORDER BY d.media_id LIMIT 1",
        MediaState::Processing.number()
    );
    one(db, &sql, []).await?.map(|row| Ok((MediaId(get(&row, 0)?), get(&row, 1)?))).transpose()
}

/// Keeps what was made of a recipe. False when another was asked for meanwhile.
pub async fn set_made(tx: &Tx, id: MediaId, recipe: &str, made: &MediaMade) -> Result<bool, StoreError> {
    let sql = "UPDATE media_made SET state = $3, body = $4 WHERE media_id = $1 AND recipe = $2";
    let values = [id.0.into(), recipe.into(), made.state.number().into(), text(made).into()];
    Ok(execute(tx, sql, values).await? > 0)
}

/// What was made of each of these.
pub async fn made_of(db: &impl Connection, ids: &[i64]) -> Result<HashMap<i64, MediaMade>, StoreError> {
    let sql = format!("SELECT media_id, state, body FROM media_made WHERE media_id IN {}", numbers(ids));
    all(db, &sql, []).await?.iter().map(made).collect()
}

fn made(found: &QueryResult) -> Result<(i64, MediaMade), StoreError> {
    let (id, state): (i64, i16) = (get(found, 0)?, get(found, 1)?);
    let body: MediaMade = json("media_made", id, &get::<String>(found, 2)?)?;
    let state = row::word("media_made", id, &state.to_string(), MediaState::of_number(state))?;
    Ok((id, MediaMade { state, ..body }))
}
