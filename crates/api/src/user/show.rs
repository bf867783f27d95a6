//! One person.

use axum::Json;
use axum::extract::State;
use domain::UserId;
use tracing::instrument;

use super::{UserError, UserView};
use crate::App;
use crate::extract::{Admin, Path};

/// One user one may manage; of others it is not told whether they are there.
#[utoipa::path(
    get,
    path = "/api/v1/users/{id}",
    tag = "users",
    security(("session" = ["users.manage"])),
    params(("id" = i64, Path, description = "The user")),
    responses((status = 200, body = UserView), UserError)
)]
#[instrument(name = "user.show", skip_all, fields(user.id = %id))]
pub async fn show_user(
    State(app): State<App>,
    admin: Admin,
    Path(id): Path<UserId>,
) -> Result<Json<UserView>, UserError> {
    let found = store::user::find(app.store.read(), id).await?;
    let seen = found.filter(|user| admin.may_see_inside(user.structure_id));
    Ok(Json(seen.ok_or(UserError::NotFound { id })?.into()))
}
