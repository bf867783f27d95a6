//! The users of the person's structure; of all structures for a superadmin.

use app::extract::{Admin, Paging, Query};
use app::record::{ListOf, Resource, no_such_sort, sort_of};
use app::{App, filter};
use axum::Json;
use axum::extract::State;
use domain::{Role, UserStatus, WhiteLabelId};
use serde::Deserialize;
use store::user::UserFilter;
use utoipa::IntoParams;

use super::{UserError, UserResource, UserView};

/// The filters of the list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct UserQuery {
    /// Words of the name, the address, the town or the telephone number.
    search: Option<String>,
    /// Roles, with commas.
    role: Option<String>,
    /// `active` or `blocked`.
    status: Option<String>,
    /// Identifiers of structures, with commas.
    structure: Option<String>,
    /// Identifier of a white-label they were given.
    white_label: Option<i64>,
    /// Identifiers, with commas.
    ids: Option<String>,
    /// `title` (the default), `email`, `role`, `last_login_at`, `updated_at`, each with `-` for the other way.
    sort: Option<String>,
}

/// The users one may manage, by name.
#[utoipa::path(get, path = "/api/v1/users", tag = "users", security(("session" = ["users.manage"])), params(UserQuery, Paging),
    responses((status = 200, body = ListOf<UserView>), UserError))]
pub async fn list_users(
    State(app): State<App>,
    admin: Admin,
    Query(query): Query<UserQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<ListOf<UserView>>, UserError> {
    let filter = UserFilter {
        within: (admin.role != Role::Superadmin).then_some(admin.structure_id),
        search: query.search,
        roles: filter::words("role", query.role.as_deref(), Role::parse)?,
        status: filter::words("status", query.status.as_deref(), UserStatus::parse)?.first().copied(),
        structures: filter::ids("structure", query.structure.as_deref())?.unwrap_or_default(),
        white_label: query.white_label.map(WhiteLabelId),
        ids: filter::ids("ids", query.ids.as_deref())?,
    };
    let db = app.store.read();
    let found = store::user::list(db, &filter, sort_of(query.sort.as_deref(), "title"), paging.page()).await?;
    let (records, counted) = found.ok_or_else(no_such_sort)?;
    Ok(Json(ListOf::new(UserResource::views(&app, db, &admin, records).await?, counted)))
}
