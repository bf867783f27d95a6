//! Lists the changes on the map by parcours, and marks them as seen.

use app::extract::{Editor, Paging, Path, Query, Reader};
use app::record::Named;
use app::{App, filter};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::watch::{ChangedStretch, Guidance, Scoring};
use domain::{Actor, Capability, Instant, ParcoursId, Text};
use serde::{Deserialize, Serialize};
use store::watch::{self as rows, ChangeFilter, ListedChange};
use utoipa::{IntoParams, ToSchema};

use super::WatchError;
use super::show::WatchCounts;
use crate::parcours::list_query::owner;

/// The filters of the list.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct WatchQuery {
    /// `lost`, `gained`, `none`, with commas.
    guidance: Option<String>,
    /// `mine`, `shared` or `all`.
    owner: Option<String>,
    /// Also those seen already, or that are no longer current.
    seen: Option<bool>,
    /// Only changes of this run.
    run: Option<i64>,
}

/// Parcours whose score changed.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct WatchChangesView {
    pub items: Vec<WatchChangeView>,
    /// How many in all, exact up to 10,000.
    pub total: i64,
    /// Whether there are more than `total`.
    pub total_capped: bool,
    /// Counts by change of guidance, without the filter `guidance`.
    pub counts: WatchCounts,
}

/// A parcours whose score changed.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct WatchChangeView {
    pub id: i64,
    /// The run that found it.
    pub run_id: i64,
    pub parcours: WatchedParcours,
    /// Whether it is of the active white-label.
    pub mine: bool,
    /// Whether this person may mark it as seen.
    pub editable: bool,
    /// How step-by-step guidance changed.
    pub guidance: Guidance,
    /// Its score before.
    pub before: Scoring,
    /// Its score now.
    pub after: Scoring,
    /// Where it changed, in order along the trace.
    pub stretches: Vec<ChangedStretch>,
    /// When it was found.
    pub at: Instant,
    /// When it was looked at, and who did.
    pub seen: Option<SeenView>,
}

/// The parcours of a change.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct WatchedParcours {
    pub id: ParcoursId,
    pub title: Text,
    /// The white-label that owns it.
    pub white_label: Named,
}

/// When something was seen.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct SeenView {
    pub at: Instant,
    /// Who saw it; null for people of other tenants.
    pub by: Option<Named>,
}

/// Parcours whose score truly changed with the network: guidance lost first, then gained, then the largest difference.
#[utoipa::path(get, path = "/api/v1/planner/watch/changes", tag = "planner", params(WatchQuery, Paging),
    security(("session" = ["content.read"])), responses((status = 200, body = WatchChangesView), WatchError))]
#[tracing::instrument(name = "watch.changes", skip_all)]
pub async fn list_watch_changes(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<WatchQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<WatchChangesView>, WatchError> {
    let found = ChangeFilter {
        guidance: filter::words("guidance", query.guidance.as_deref(), Guidance::parse)?,
        owner: owner(query.owner.as_deref())?,
        with_seen: query.seen.unwrap_or_default(),
        run: query.run,
    };
    let (rows, counted, counts) = rows::list(app.store.read(), &reader, &found, paging.page()).await?;
    Ok(Json(WatchChangesView {
        items: rows.into_iter().map(|row| WatchChangeView::of(row, &reader)).collect(),
        total: counted.total,
        total_capped: counted.capped,
        counts: counts.into(),
    }))
}

impl WatchChangeView {
    fn of(row: ListedChange, actor: &Actor) -> Self {
        let (owner, name) = row.white_label;
        let named = |(id, name): (domain::UserId, String)| Named { id: id.0, name };
        Self {
            id: row.id,
            run_id: row.run_id,
            parcours: WatchedParcours {
                id: row.change.parcours_id,
                title: row.title,
                white_label: Named { id: owner.0, name },
            },
            mine: owner == actor.active_white_label_id,
            editable: actor.works_in(owner) && actor.can(Capability::ContentWrite),
            guidance: row.change.turn.guidance(),
            before: row.change.before,
            after: row.change.after,
            stretches: row.change.stretches,
            at: row.change.at,
            // The people of another tenant are not named.
            seen: row.seen.map(|(at, by)| SeenView { at, by: by.filter(|_| actor.works_in(owner)).map(named) }),
        }
    }
}

/// Take a change off the list: a person has looked at it.
#[utoipa::path(post, path = "/api/v1/planner/watch/changes/{id}/seen", tag = "planner", params(("id" = i64, Path)),
    security(("session" = ["content.write"])), responses((status = 204, description = "Noted"), WatchError))]
#[tracing::instrument(name = "watch.seen", skip_all, fields(change.id = %id))]
pub async fn see_watch_change(
    State(app): State<App>,
    editor: Editor,
    Path(id): Path<i64>,
) -> Result<StatusCode, WatchError> {
    let tx = app.store.begin().await?;
    let head = rows::head(&tx, &editor, id).await?.ok_or(WatchError::ChangeNotFound { id })?;
    if !editor.works_in(head.white_label_id) {
        return Err(WatchError::NotYours);
    }
    rows::mark_seen(&tx, id, editor.user_id, app.now()).await?;
    tx.commit_aside().await?;
    Ok(StatusCode::NO_CONTENT)
}
