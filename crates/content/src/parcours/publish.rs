//! Publish and unpublish.

use app::App;
use app::extract::{IfMatch, Path, Publisher};
use axum::extract::State;
use domain::parcours::rules::titled;
use domain::{Actor, ParcoursId};
use store::parcours::{self as rows, Stored};

use super::access::held_at;
use super::error::{ParcoursError, ParcoursRefusal};
use super::json::JsonText;
use super::saving::{change, shown};
use super::view::ParcoursView;
use crate::custom;

/// Publish: from now on the public page and the feeds show it.
#[utoipa::path(post, path = "/api/v1/parcours/{id}/publication", tag = "parcours", params(("id" = i64, Path), ("If-Match" = String, Header)),
    security(("session" = ["content.publish"])), responses((status = 200, body = ParcoursView), ParcoursError))]
#[tracing::instrument(name = "parcours.publish", skip_all, fields(parcours.id = %id))]
pub async fn publish_parcours(
    State(app): State<App>,
    publisher: Publisher,
    Path(id): Path<ParcoursId>,
    version: IfMatch,
) -> Result<JsonText, ParcoursError> {
    set_published(&app, &publisher, id, version, true).await
}

/// Unpublish: the public page and the feeds forget it at once.
#[utoipa::path(delete, path = "/api/v1/parcours/{id}/publication", tag = "parcours", params(("id" = i64, Path), ("If-Match" = String, Header)),
    security(("session" = ["content.publish"])), responses((status = 200, body = ParcoursView), ParcoursError))]
#[tracing::instrument(name = "parcours.unpublish", skip_all, fields(parcours.id = %id))]
pub async fn unpublish_parcours(
    State(app): State<App>,
    publisher: Publisher,
    Path(id): Path<ParcoursId>,
    version: IfMatch,
) -> Result<JsonText, ParcoursError> {
    set_published(&app, &publisher, id, version, false).await
}

async fn set_published(
    app: &App,
    actor: &Actor,
    id: ParcoursId,
    version: IfMatch,
    published: bool,
) -> Result<JsonText, ParcoursError> {
    let tx = app.store.begin().await?;
    let before = held_at(app, &tx, id, actor, version).await?;
    if published && !titled(&before.sheet, &app.settings.content_languages) {
        return Err(ParcoursRefusal::TitleRequiredToPublish.into());
    }
    if published {
        let errors = custom::lacks_of(&tx, &before).await?;
        if !errors.is_empty() {
            return Err(errors.into());
        }
    }
    let after = Stored { published, ..before.clone() };
    rows::save(&tx, &before, after, None, change(app, actor, None)).await?;
    let reply = shown(app, &tx, id, actor).await?;
    tx.commit().await?;
    Ok(reply)
}
