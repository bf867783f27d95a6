//! The white-labels.

use app::extract::{Paging, Query, Reader};
use app::record::{ListOf, Resource, no_such_sort, sort_of};
use app::{App, filter};
use axum::Json;
use axum::extract::State;
use domain::white_label::WhiteLabelKind;
use serde::Deserialize;
use store::white_label::WhiteLabelFilter;
use utoipa::IntoParams;

use super::{WhiteLabelError, WhiteLabelResource, WhiteLabelView};

/// The filters of the list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct WhiteLabelQuery {
    /// Words of the name, the short name or the site.
    search: Option<String>,
    /// `common`, `destination`, `travel` or `app`, with commas.
    kind: Option<String>,
    /// Identifiers of structures, with commas.
    structure: Option<String>,
    /// `true` or `false`: its site is shown or not.
    published: Option<String>,
    /// Identifiers, with commas.
    ids: Option<String>,
    /// `title` (the default), `-title`, `updated_at`, `-updated_at`.
    sort: Option<String>,
}

/// The white-labels, by name.
#[utoipa::path(get, path = "/api/v1/white-labels", tag = "white-labels", security(("session" = ["content.read"])),
    params(WhiteLabelQuery, Paging), responses((status = 200, body = ListOf<WhiteLabelView>), WhiteLabelError))]
#[tracing::instrument(name = "white_label.list", skip_all)]
pub async fn list_white_labels(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<WhiteLabelQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<ListOf<WhiteLabelView>>, WhiteLabelError> {
    let filter = WhiteLabelFilter {
        search: query.search,
        kinds: filter::words("kind", query.kind.as_deref(), WhiteLabelKind::parse)?,
        structures: filter::ids("structure", query.structure.as_deref())?.unwrap_or_default(),
        published: filter::flag("published", query.published.as_deref())?,
        ids: filter::ids("ids", query.ids.as_deref())?,
    };
    let db = app.store.read();
    let found = store::white_label::list(db, &filter, sort_of(query.sort.as_deref(), "title"), paging.page()).await?;
    let (records, counted) = found.ok_or_else(no_such_sort)?;
    Ok(Json(ListOf::new(WhiteLabelResource::views(&app, db, &reader, records).await?, counted)))
}
