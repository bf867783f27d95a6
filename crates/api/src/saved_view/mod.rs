//! Saved views of lists: the user's own, or shared with the white-label.

use app::extract::{Body, Path, Query, Reader};
use app::problem::Internal;
use app::routes;
use app::{App, Rejection};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::html::plain;
use domain::{Actor, Fault};
use macros::Problem;
use serde::{Deserialize, Serialize};
use store::saved_view::{self as rows, SavedView};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

/// The lists that have views, as in their paths.
const RESOURCES: [&str; 13] = [
    "parcours",
    "pois",
    "medias",
    "transport-lines",
    "white-labels",
    "structures",
    "contacts",
    "users",
    "itineraries",
    "closures",
    "provider-links",
    "survey-campaigns",
    "sit-records",
];

/// Errors of a saved view.
#[derive(Debug, thiserror::Error, Problem)]
pub enum SavedViewError {
    /// Not there, or another user's.
    #[error("no view {id}")]
    #[problem(404, "saved-view/not-found")]
    NotFound {
        /// The number asked for.
        id: i64,
    },
    /// Faults of the input.
    #[error("{} faults", .errors.len())]
    #[problem(422, "validation/failed")]
    Invalid {
        /// Each on its field.
        errors: Vec<Fault>,
    },
    /// A parameter that cannot be read.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}

/// A view to save.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SavedViewInput {
    /// The list it is of, as in its path: `parcours`, `pois`.
    pub resource: String,
    pub name: String,
    /// The list's query, as in the address, without its `?`.
    #[serde(default)]
    pub query: String,
    /// The columns shown, in order; none for the usual ones.
    #[serde(default)]
    pub columns: Vec<String>,
    /// Whether the others of the white-label see it.
    #[serde(default)]
    pub shared: bool,
}

/// What to change of a view; what is absent stays.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SavedViewPatch {
    pub name: Option<String>,
    /// The list's query.
    pub query: Option<String>,
    /// The columns shown.
    pub columns: Option<Vec<String>>,
    /// Whether the others of the white-label see it.
    pub shared: Option<bool>,
}

/// A saved view.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SavedView)]
pub struct SavedViewView {
    id: i64,
    resource: String,
    name: String,
    query: String,
    columns: Vec<String>,
    shared: bool,
    /// Whether it is the user's own, to change and to delete.
    mine: bool,
}

impl SavedViewView {
    fn of(view: SavedView, actor: &Actor) -> Self {
        Self {
            mine: view.user_id == actor.user_id,
            id: view.id,
            resource: view.resource,
            name: view.name,
            query: view.query,
            columns: view.columns,
            shared: view.shared,
        }
    }
}

/// The views of a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SavedViews {
    /// By name.
    items: Vec<SavedViewView>,
}

/// Which list.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SavedViewQuery {
    /// As in its path: `parcours`, `pois`.
    resource: String,
}

/// The views of a list: the user's own, and those shared in the white-label.
#[utoipa::path(get, path = "/api/v1/saved-views", tag = "views", params(SavedViewQuery), security(("session" = ["content.read"])),
    responses((status = 200, body = SavedViews), SavedViewError))]
pub async fn list_saved_views(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<SavedViewQuery>,
) -> Result<Json<SavedViews>, SavedViewError> {
    let found = rows::list(app.store.read(), &reader, &query.resource).await?;
    Ok(Json(SavedViews { items: found.into_iter().map(|view| SavedViewView::of(view, &reader)).collect() }))
}

/// Save a view of a list.
#[utoipa::path(post, path = "/api/v1/saved-views", tag = "views", request_body(content = SavedViewInput),
    security(("session" = ["content.read"])), responses((status = 201, body = SavedViewView), SavedViewError))]
pub async fn create_saved_view(
    State(app): State<App>,
    reader: Reader,
    Body(sent): Body<SavedViewInput>,
) -> Result<(StatusCode, Json<SavedViewView>), SavedViewError> {
    let mut new = SavedView {
        id: 0,
        user_id: reader.user_id,
        resource: sent.resource,
        name: plain(&sent.name),
        query: sent.query,
        columns: sent.columns,
        shared: sent.shared,
    };
    check(&new)?;
    let tx = app.store.begin().await?;
    new.id = rows::insert(&tx, &reader, &new, app.now()).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(SavedViewView::of(new, &reader))))
}

/// Change a view of the user's own.
#[utoipa::path(patch, path = "/api/v1/saved-views/{id}", tag = "views", params(("id" = i64, Path)), request_body(content = SavedViewPatch),
    security(("session" = ["content.read"])), responses((status = 200, body = SavedViewView), SavedViewError))]
pub async fn update_saved_view(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<i64>,
    Body(sent): Body<SavedViewPatch>,
) -> Result<Json<SavedViewView>, SavedViewError> {
    let tx = app.store.begin().await?;
    let mut view = rows::find_own(&tx, &reader, id).await?.ok_or(SavedViewError::NotFound { id })?;
    view.name = sent.name.map_or(view.name, |name| plain(&name));
    view.query = sent.query.unwrap_or(view.query);
    view.columns = sent.columns.unwrap_or(view.columns);
    view.shared = sent.shared.unwrap_or(view.shared);
    check(&view)?;
    rows::update(&tx, &view, app.now()).await?;
    tx.commit().await?;
    Ok(Json(SavedViewView::of(view, &reader)))
}

/// Delete a view of the user's own.
#[utoipa::path(delete, path = "/api/v1/saved-views/{id}", tag = "views", params(("id" = i64, Path)),
    security(("session" = ["content.read"])), responses((status = 204), SavedViewError))]
pub async fn delete_saved_view(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<i64>,
) -> Result<StatusCode, SavedViewError> {
    let tx = app.store.begin().await?;
    rows::find_own(&tx, &reader, id).await?.ok_or(SavedViewError::NotFound { id })?;
    rows::delete(&tx, id).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

fn check(view: &SavedView) -> Result<(), SavedViewError> {
    let mut errors = Vec::new();
    if !RESOURCES.contains(&view.resource.as_str()) {
        errors.push(Fault::new("validation/unknown-reference", "/resource").with("id", view.resource.as_str()));
    }
    if view.name.is_empty() {
        errors.push(Fault::new("validation/required", "/name"));
    }
    let lengths = [("/name", view.name.chars().count(), 100), ("/query", view.query.chars().count(), 2_000)];
    for (field, _, max) in lengths.into_iter().filter(|(_, length, max)| length > max) {
        errors.push(Fault::new("validation/too-long", field).with("max", max));
    }
    if view.columns.len() > 50 {
        errors.push(Fault::new("validation/too-many", "/columns").with("max", 50));
    }
    if errors.is_empty() { Ok(()) } else { Err(SavedViewError::Invalid { errors }) }
}

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list_saved_views, create_saved_view))
        .routes(routes!(update_saved_view, delete_saved_view))
}
