//! The bin: what was deleted in the last 30 days, and bringing it back.

use axum::Json;
use axum::extract::State;
use domain::record::Kind;
use domain::{Instant, Text};
use macros::Problem;
use serde::{Deserialize, Serialize};
use store::StoreError;
use store::record::{self as rows, BinFilter, BinItem};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::{Editor, Paging, Path, Query};
use crate::parcours::Named;
use crate::problem::Internal;
use crate::record::ListOf;
use crate::record::operations::change;
use crate::{App, Rejection};

/// What can go wrong with the bin.
#[derive(Debug, thiserror::Error, Problem)]
pub enum BinError {
    /// Not in the bin, or not to be seen.
    #[error("nothing {id} in the bin")]
    #[problem(404, "bin/not-found")]
    NotFound {
        /// The number asked for.
        id: i64,
    },
    /// Something else has its address, its code or its name by now.
    #[error("something took its place")]
    #[problem(409, "bin/taken")]
    Taken,
    /// What it belonged to is gone.
    #[error("its owner is gone")]
    #[problem(409, "bin/owner-gone")]
    OwnerGone,
    /// A parameter that cannot be read.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of ours.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}

/// Something in the bin.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = BinItem)]
pub struct BinItemView {
    /// Its number in the bin.
    id: i64,
    /// What it was.
    kind: Kind,
    /// The number it had, and will have again.
    record_id: i64,
    /// Its name.
    title: Text,
    /// When it was deleted.
    deleted_at: Instant,
    /// By whom.
    deleted_by: Option<Named>,
    /// When it goes for good.
    expires_at: Instant,
    /// Whose it was, where a white-label owned it.
    white_label: Option<Named>,
}

impl From<BinItem> for BinItemView {
    fn from(item: BinItem) -> Self {
        Self {
            id: item.id,
            kind: item.kind,
            record_id: item.record_id,
            title: item.title,
            deleted_at: item.deleted_at,
            deleted_by: item.deleted_by.map(|(id, name)| Named { id: id.0, name }),
            expires_at: item.expires_at,
            white_label: item.owner.white_label.map(|(id, name)| Named { id: id.0, name }),
        }
    }
}

/// What the bin is narrowed to.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct BinQuery {
    /// What it was: `parcours`, `poi`, …
    kind: Option<String>,
    /// Words of its name.
    search: Option<String>,
}

/// What was deleted in the last 30 days and may be brought back, the last deleted first.
#[utoipa::path(get, path = "/api/v1/bin", tag = "bin", params(BinQuery, Paging), security(("session" = ["content.write"])),
    responses((status = 200, body = ListOf<BinItemView>), BinError))]
pub async fn list_bin(
    State(app): State<App>,
    editor: Editor,
    Query(query): Query<BinQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<ListOf<BinItemView>>, BinError> {
    let kind = query.kind.as_deref().filter(|word| !word.is_empty());
    let known = |word| Kind::parse(word).ok_or_else(|| Rejection::BadQuery { name: "kind".to_owned() });
    let filter = BinFilter { kind: kind.map(known).transpose()?, search: query.search };
    let (items, counted) = rows::bin(app.store.read(), &editor, &filter, paging.page(), app.now()).await?;
    Ok(Json(ListOf::new(items.into_iter().map(Into::into).collect(), counted)))
}

/// What came back.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct BroughtBack {
    /// What it is.
    kind: Kind,
    /// Its number, the one it had.
    record_id: i64,
}

/// Bring something back as it was, with its number.
#[utoipa::path(post, path = "/api/v1/bin/{id}/restoration", tag = "bin", params(("id" = i64, Path)),
    security(("session" = ["content.write"])), responses((status = 200, body = BroughtBack), BinError))]
#[tracing::instrument(name = "bin.restore", skip_all)]
pub async fn restore_bin_item(
    State(app): State<App>,
    editor: Editor,
    Path(id): Path<i64>,
) -> Result<Json<BroughtBack>, BinError> {
    let tx = app.store.begin().await?;
    rows::bin_item(&tx, &editor, id, app.now()).await?.ok_or(BinError::NotFound { id })?;
    let back = match rows::restore(&tx, id, change(&app, &editor, Some("restore"))).await {
        Ok(back) => back.ok_or(BinError::NotFound { id })?,
        Err(StoreError::UniqueViolation(_)) => return Err(BinError::Taken),
        Err(StoreError::ForeignKeyViolation(_)) => return Err(BinError::OwnerGone),
        Err(error) => return Err(error.into()),
    };
    tx.commit().await?;
    if back.kind == Kind::WhiteLabel {
        // Whoever works in all of a structure's works in it again.
        app.sessions.forget_all();
    }
    Ok(Json(BroughtBack { kind: back.kind, record_id: back.id }))
}

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list_bin)).routes(routes!(restore_bin_item))
}
