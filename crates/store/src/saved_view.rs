//! Saved views of lists: filters, order and columns under a name; a user's own, or shared in a white-label.

use domain::{Actor, Instant, UserId};
use sea_orm::{QueryResult, Value};

use crate::sql::{all, execute, get, inserted, is_own, json, one, text};
use crate::{Connection, StoreError, Tx};

/// A saved view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedView {
    /// Its number; 0 for one to be.
    pub id: i64,
    /// The user who saved it.
    pub user_id: UserId,
    /// The list it is of, as in its path: `parcours`, `pois`.
    pub resource: String,
    pub name: String,
    /// The list's query, as in the address.
    pub query: String,
    /// The columns shown, in order.
    pub columns: Vec<String>,
    /// Whether the others of the white-label see it.
    pub shared: bool,
}

const COLUMNS: &str = "id, user_id, resource, name, query, columns, shared";

/// The views of a list that the person sees: their own, and those shared in the active white-label, by name.
pub async fn list(db: &impl Connection, actor: &Actor, resource: &str) -> Result<Vec<SavedView>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM saved_view WHERE resource = $1 AND white_label_id = $2 AND (user_id = $3 OR shared = TRUE) ORDER BY name, id LIMIT 200"
    );
    let values: [Value; 3] = [resource.into(), actor.active_white_label_id.0.into(), actor.user_id.0.into()];
    all(db, &sql, values).await?.iter().map(read).collect()
}

/// One of a person's own views, in a white-label that they work in.
pub async fn find_own(db: &impl Connection, actor: &Actor, id: i64) -> Result<Option<SavedView>, StoreError> {
    let here = is_own(actor, "white_label_id");
    let sql = format!("SELECT {COLUMNS} FROM saved_view WHERE id = $1 AND user_id = $2 AND {here}");
    one(db, &sql, [id.into(), actor.user_id.0.into()]).await?.map(|row| read(&row)).transpose()
}

/// Adds a view in the active white-label.
pub async fn insert(tx: &Tx, actor: &Actor, new: &SavedView, now: Instant) -> Result<i64, StoreError> {
    let sql = "INSERT INTO saved_view (user_id, white_label_id, resource, name, query, columns, shared, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id";
    let values: [Value; 8] = [
        actor.user_id.0.into(),
        actor.active_white_label_id.0.into(),
        new.resource.clone().into(),
        new.name.clone().into(),
        new.query.clone().into(),
        text(&new.columns).into(),
        new.shared.into(),
        now.0.into(),
    ];
    inserted(tx, "saved_view", sql, values).await
}

/// Changes a view.
pub async fn update(tx: &Tx, view: &SavedView, now: Instant) -> Result<(), StoreError> {
    let sql = "UPDATE saved_view SET name = $2, query = $3, columns = $4, shared = $5, updated_at = $6 WHERE id = $1";
    let values: [Value; 6] = [
        view.id.into(),
        view.name.clone().into(),
        view.query.clone().into(),
        text(&view.columns).into(),
        view.shared.into(),
        now.0.into(),
    ];
    execute(tx, sql, values).await?;
    Ok(())
}

/// Forgets a view.
pub async fn delete(tx: &Tx, id: i64) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM saved_view WHERE id = $1", [id.into()]).await?;
    Ok(())
}

fn read(row: &QueryResult) -> Result<SavedView, StoreError> {
    let id = get(row, "id")?;
    Ok(SavedView {
        id,
        user_id: UserId(get(row, "user_id")?),
        resource: get(row, "resource")?,
        name: get(row, "name")?,
        query: get(row, "query")?,
        columns: json("saved_view", id, &get::<String>(row, "columns")?)?,
        shared: get(row, "shared")?,
    })
}
