//! The links of providers.

use app::extract::{Paging, Query, Reader};
use app::record::{ListOf, Resource, no_such_sort, sort_of};
use app::{App, filter};
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use store::provider_link::ProviderLinkFilter;
use utoipa::{IntoParams, ToSchema};

use super::{ProviderLinkError, ProviderLinkResource, ProviderLinkView};

/// The filters of the list.
#[derive(Debug, Clone, Default, Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ProviderLinkQuery {
    /// Words of the name.
    search: Option<String>,
    /// `true`: links that no longer work; `false`: links that work.
    revoked: Option<String>,
    /// Identifiers, with commas.
    ids: Option<String>,
    /// `title` (the default), `-title`, `updated_at`, `-updated_at`.
    sort: Option<String>,
}

/// The links of providers of the white-labels one works in, by name.
#[utoipa::path(get, path = "/api/v1/provider-links", tag = "provider-links", security(("session" = ["content.read"])),
    params(ProviderLinkQuery, Paging), responses((status = 200, body = ListOf<ProviderLinkView>), ProviderLinkError))]
pub async fn list_provider_links(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<ProviderLinkQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<ListOf<ProviderLinkView>>, ProviderLinkError> {
    let filter = ProviderLinkFilter {
        search: query.search,
        revoked: filter::flag("revoked", query.revoked.as_deref())?,
        ids: filter::ids("ids", query.ids.as_deref())?,
        ..ProviderLinkFilter::of(&reader)
    };
    let db = app.store.read();
    let found = store::provider_link::list(db, &filter, sort_of(query.sort.as_deref(), "title"), paging.page()).await?;
    let (records, counted) = found.ok_or_else(no_such_sort)?;
    Ok(Json(ListOf::new(ProviderLinkResource::views(&app, db, &reader, records).await?, counted)))
}
