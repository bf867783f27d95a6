//! The lines of public transport.

use app::extract::{Paging, Query, Reader};
use app::record::{ListOf, Resource, no_such_sort, sort_of};
use app::{App, Rejection, filter};
use axum::Json;
use axum::extract::State;
use domain::Actor;
use domain::transport_line::{LineBikes, LineMode};
use serde::Deserialize;
use store::transport_line::LineFilter;
use utoipa::{IntoParams, ToSchema};

use super::{TransportLineError, TransportLineResource, TransportLineView};

/// The filters of the list.
#[derive(Debug, Clone, Default, Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct LineQuery {
    /// Words of the names or the operator.
    search: Option<String>,
    /// `tram`, `metro`, `rail`, `bus`, `ferry`, `cable`, `gondola`, `funicular`, `coach`, `other`, with commas.
    mode: Option<String>,
    /// The operator's whole name.
    operator: Option<String>,
    /// `yes`, `no`, `conditions`, `unknown`, with commas.
    bike_carriage: Option<String>,
    /// `mine`, `shared` or `all`.
    owner: Option<String>,
    /// Identifiers, with commas.
    ids: Option<String>,
    /// `title` (the default), `-title`, `updated_at`, `-updated_at`.
    sort: Option<String>,
}

impl LineQuery {
    /// The filter for the store, for one reader.
    pub(super) fn filter(self, reader: &Actor) -> Result<LineFilter, Rejection> {
        Ok(LineFilter {
            viewer: reader.active_white_label_id,
            owner: filter::owner(self.owner.as_deref())?,
            search: self.search,
            modes: filter::words("mode", self.mode.as_deref(), LineMode::parse)?,
            operator: self.operator,
            bikes: filter::words("bike_carriage", self.bike_carriage.as_deref(), LineBikes::parse)?,
            ids: filter::ids("ids", self.ids.as_deref())?,
        })
    }
}

/// The lines of public transport, by name.
#[utoipa::path(get, path = "/api/v1/transport-lines", tag = "transport-lines", security(("session" = ["content.read"])),
    params(LineQuery, Paging), responses((status = 200, body = ListOf<TransportLineView>), TransportLineError))]
pub async fn list_transport_lines(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<LineQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<ListOf<TransportLineView>>, TransportLineError> {
    let db = app.store.read();
    let sort = query.sort.clone();
    let filter = query.filter(&reader)?;
    let found = store::transport_line::list(db, &filter, sort_of(sort.as_deref(), "title"), paging.page()).await?;
    let (records, counted) = found.ok_or_else(no_such_sort)?;
    Ok(Json(ListOf::new(TransportLineResource::views(&app, db, &reader, records).await?, counted)))
}
