//! The contacts of the user's structure; of all structures for a superadmin.

use app::extract::{Paging, Query, Reader};
use app::record::{ListOf, Resource, no_such_sort, sort_of};
use app::{App, Rejection, filter};
use axum::Json;
use axum::extract::State;
use domain::{Actor, Role, WhiteLabelId};
use serde::Deserialize;
use store::contact::ContactFilter;
use utoipa::IntoParams;

use super::{ContactError, ContactResource, ContactView};

/// The filters of the list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ContactQuery {
    /// Words of the name, the address, the function or the telephone number.
    search: Option<String>,
    /// Identifiers of structures, with commas.
    structure: Option<String>,
    /// Identifier of a white-label they answer for.
    white_label: Option<i64>,
    /// Identifiers, with commas.
    ids: Option<String>,
    /// `title` (the default), `-title`, `updated_at`, `-updated_at`.
    sort: Option<String>,
}

impl ContactQuery {
    /// The filter for the store, for one reader.
    pub(super) fn filter(self, reader: &Actor) -> Result<ContactFilter, Rejection> {
        Ok(ContactFilter {
            within: (reader.role != Role::Superadmin).then_some(reader.structure_id),
            search: self.search,
            structures: filter::ids("structure", self.structure.as_deref())?.unwrap_or_default(),
            white_label: self.white_label.map(WhiteLabelId),
            ids: filter::ids("ids", self.ids.as_deref())?,
        })
    }
}

/// The contacts of the user's structure, by name.
#[utoipa::path(get, path = "/api/v1/contacts", tag = "people", security(("session" = ["content.read"])), params(ContactQuery, Paging),
    responses((status = 200, body = ListOf<ContactView>), ContactError))]
pub async fn list_contacts(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<ContactQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<ListOf<ContactView>>, ContactError> {
    let db = app.store.read();
    let sort = query.sort.clone();
    let filter = query.filter(&reader)?;
    let found = store::contact::list(db, &filter, sort_of(sort.as_deref(), "title"), paging.page()).await?;
    let (records, counted) = found.ok_or_else(no_such_sort)?;
    Ok(Json(ListOf::new(ContactResource::views(&app, db, &reader, records).await?, counted)))
}
