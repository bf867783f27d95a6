//! The users who have a sheet open.

use app::App;
use app::extract::{Body, Path, Reader};
use axum::Json;
use axum::extract::State;
use domain::{Instant, ParcoursId};
use serde::{Deserialize, Serialize};
use store::parcours as rows;
use utoipa::ToSchema;

use super::access::seen;
use super::error::ParcoursError;

/// Who is on a sheet.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct PresenceInput {
    /// Whether there are changes that are not saved.
    pub editing: bool,
}

/// Another person on the same sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct PresentView {
    /// First and last name.
    pub name: String,
    /// Two letters.
    pub initials: String,
    /// Whether they have changes that are not saved.
    pub editing: bool,
    /// Since when.
    pub since: Instant,
}

/// The others of the same tenant on the same sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct PresenceView {
    /// The other users.
    pub others: Vec<PresentView>,
}

/// Report your presence and list the other users. Sent every 20 seconds; after a minute without it a user has left.
#[utoipa::path(post, path = "/api/v1/parcours/{id}/presence", tag = "parcours", params(("id" = i64, Path)), security(("session" = ["content.read"])),
    request_body(content = PresenceInput), responses((status = 200, body = PresenceView), ParcoursError))]
pub async fn announce_presence(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ParcoursId>,
    Body(sent): Body<PresenceInput>,
) -> Result<Json<PresenceView>, ParcoursError> {
    let tx = app.store.begin().await?;
    let header = seen(&tx, id, &reader).await?;
    if !reader.works_in(header.white_label_id) {
        // People of other tenants only read it: they do not see who works on it, nor are they listed.
        return Ok(Json(PresenceView { others: Vec::new() }));
    }
    let others = rows::present(&tx, id, reader.user_id, sent.editing, app.now()).await?;
    tx.commit_aside().await?;
    let view = |one: rows::Present| {
        let initials = one
            .name
            .split_whitespace()
            .filter_map(|word| word.chars().next())
            .take(2)
            .collect::<String>()
            .to_uppercase();
        PresentView { name: one.name, initials, editing: one.editing, since: one.since }
    };
    Ok(Json(PresenceView { others: others.into_iter().map(view).collect() }))
}
