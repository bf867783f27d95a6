//! The people of one's structure; of all structures for a superadmin.

use axum::Json;
use axum::extract::State;
use domain::Role;
use serde::Deserialize;
use store::user::UserFilter;
use tracing::instrument;
use utoipa::IntoParams;

use super::{UserError, UserView};
use crate::App;
use crate::extract::{Admin, PageOf, Paging, Query};

/// What the list is narrowed to.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UserQuery {
    /// Words of the name or the address.
    search: Option<String>,
}

/// The users one may manage, by name.
#[utoipa::path(
    get,
    path = "/api/v1/users",
    tag = "users",
    security(("session" = ["users.manage"])),
    params(UserQuery, Paging),
    responses((status = 200, body = PageOf<UserView>), UserError)
)]
#[instrument(name = "user.list", skip_all)]
pub async fn list_users(
    State(app): State<App>,
    admin: Admin,
    Query(query): Query<UserQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<PageOf<UserView>>, UserError> {
    let structure = (admin.role != Role::Superadmin).then_some(admin.structure_id);
    let filter = UserFilter { structure, search: query.search };
    let listed = store::user::list(app.store.read(), &filter, paging.page()).await?;
    Ok(Json(PageOf::of(listed, UserView::from)))
}
