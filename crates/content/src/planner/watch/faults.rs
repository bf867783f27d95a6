//! Stored traces that are not as a save would store them.

use app::App;
use app::extract::{Paging, Query, Reader};
use app::record::Named;
use axum::Json;
use axum::extract::State;
use domain::Capability;
use domain::parcours::TraceFault;
use serde::{Deserialize, Serialize};
use store::parcours::faulty_traces;
use utoipa::{IntoParams, ToSchema};

use super::WatchError;
use super::list::WatchedParcours;
use crate::parcours::list_query::owner;

/// The filters of the list.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct TraceFaultsQuery {
    /// `mine`, `shared` or `all`.
    owner: Option<String>,
}

/// Parcours whose stored trace has faults.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct TraceFaultsView {
    pub items: Vec<FaultyTraceView>,
    /// How many in all, exact up to 10,000.
    pub total: i64,
    /// Whether there are more than `total`.
    pub total_capped: bool,
}

/// A parcours whose stored trace has faults.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FaultyTraceView {
    pub parcours: WatchedParcours,
    /// Whether this person may save it.
    pub editable: bool,
    pub faults: Vec<TraceFault>,
}

/// Parcours whose stored steps or length are not as a save would store them. They are checked every hour; saving the trace mends
/// them.
#[utoipa::path(get, path = "/api/v1/planner/watch/trace-faults", tag = "planner", params(TraceFaultsQuery, Paging),
    security(("session" = ["content.read"])), responses((status = 200, body = TraceFaultsView), WatchError))]
#[tracing::instrument(name = "watch.trace-faults", skip_all)]
pub async fn list_trace_faults(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<TraceFaultsQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<TraceFaultsView>, WatchError> {
    let owner = owner(query.owner.as_deref())?;
    let (rows, counted) = faulty_traces(app.store.read(), &reader, owner, paging.page()).await?;
    let view = |row: store::parcours::FaultyTrace| {
        let (white_label, name) = row.white_label;
        FaultyTraceView {
            editable: reader.works_in(white_label) && reader.can(Capability::ContentWrite),
            parcours: WatchedParcours { id: row.id, title: row.title, white_label: Named { id: white_label.0, name } },
            faults: row.faults,
        }
    };
    Ok(Json(TraceFaultsView {
        items: rows.into_iter().map(view).collect(),
        total: counted.total,
        total_capped: counted.capped,
    }))
}
