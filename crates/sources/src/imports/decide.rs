//! Decisions of a person on an item: it is an existing parcours, or it is not; and its source may overwrite fields again.

use app::App;
use app::extract::{Body, Importer, Path};
use app::record::At;
use app::record::operations::held;
use axum::extract::State;
use axum::http::StatusCode;
use domain::ParcoursId;
use serde::Deserialize;
use store::imports::{self as rows, ImportItem, ItemState};
use store::parcours;
use utoipa::ToSchema;

use super::prepare::sum_of;
use super::{ImportError, ImportSourceResource};

/// The decision on an item that looks the same as a parcours here.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ItemDecision {
    /// The source's identifier of the item.
    pub item: String,
    /// `true`: it is that parcours, whose empty fields are filled from the source. `false`: the next run makes another parcours.
    pub merge: bool,
}

/// Say whether an item that looks the same as a parcours here is that parcours.
#[utoipa::path(post, path = "/api/v1/import-sources/{id}/decisions", tag = "imports", params(("id" = i64, Path)),
    request_body(content = ItemDecision), security(("session" = ["content.import"])),
    responses((status = 204, description = "Noted for the next run"), ImportError))]
#[tracing::instrument(name = "import.decide", skip_all)]
pub async fn decide_import_item(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
    Body(sent): Body<ItemDecision>,
) -> Result<StatusCode, ImportError> {
    let tx = app.store.begin().await?;
    held::<ImportSourceResource>(&tx, &importer, &at).await?;
    let found = rows::item(&tx, at.id, &sent.item).await?.filter(|item| item.state == ItemState::ToMerge);
    let item = found.ok_or(ImportError::ItemNotFound)?;
    let after = if sent.merge {
        let parcours_id: Option<ParcoursId> = item.candidate_id;
        ImportItem { state: ItemState::Linked, parcours_id, digest: String::new(), ..item }
    } else {
        ImportItem { state: ItemState::Apart, digest: String::new(), ..item }
    };
    rows::put_item(&tx, at.id, &after).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Fields that a source may write again.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Unlocking {
    /// The source's identifier of the item.
    pub item: String,
    /// Our fields, `title/fr` for one language of a text.
    pub fields: Vec<String>,
}

/// Let a source write again what was edited here: at its next run its own words come back.
#[utoipa::path(post, path = "/api/v1/import-sources/{id}/unlocking", tag = "imports", params(("id" = i64, Path)),
    request_body(content = Unlocking), security(("session" = ["content.import"])),
    responses((status = 204, description = "Noted for the next run"), ImportError))]
#[tracing::instrument(name = "import.unlock", skip_all)]
pub async fn unlock_import_item(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
    Body(sent): Body<Unlocking>,
) -> Result<StatusCode, ImportError> {
    let tx = app.store.begin().await?;
    held::<ImportSourceResource>(&tx, &importer, &at).await?;
    let mut item = rows::item(&tx, at.id, &sent.item).await?.ok_or(ImportError::ItemNotFound)?;
    let Some(id) = item.parcours_id else { return Err(ImportError::ItemNotFound) };
    let Some(stored) = parcours::lock(&tx, id).await? else { return Err(ImportError::ItemNotFound) };
    let now = serde_json::to_value(&stored.sheet).unwrap_or_default();
    for field in &sent.fields {
        if field == "trace" {
            item.trace_revision = stored.trace_revision;
            item.applied.remove("trace");
            continue;
        }
        // The present value counts as written by the source: its next value replaces it.
        let stands = now.pointer(&format!("/{field}")).cloned().unwrap_or_default();
        item.applied.insert(field.clone(), sum_of(stands.to_string().as_bytes()));
    }
    item.locked.retain(|field| !sent.fields.contains(field));
    item.digest = String::new();
    rows::put_item(&tx, at.id, &item).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
