//! Making and ending a share.

use app::App;
use app::extract::{Body, Path, Sharer};
use app::token::new_token;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::parcours::rules::titled;
use domain::share::{ShareKind, lifetime_days};
use domain::{DAY_S, ParcoursId};
use serde::Deserialize;
use store::share;
use utoipa::ToSchema;

use super::error::ShareError;
use super::list::{ShareView, view};
use crate::parcours::ParcoursError;
use crate::parcours::access::held;

/// The most temporary shares of a parcours that work at one time.
const MAX_TEMPORARY: i64 = 100;

/// What kind of share.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShareInput {
    /// Permanent or temporary.
    pub kind: ShareKind,
    /// 1, 7 or 30, for a temporary one.
    #[serde(default)]
    pub days: Option<i64>,
}

/// Create a share. A parcours has one permanent share: asked for again, it is the same. It has 100 temporary ones that work, at most.
#[utoipa::path(post, path = "/api/v1/parcours/{id}/shares", tag = "sharing", params(("id" = i64, Path)), security(("session" = ["content.share"])),
    request_body(content = ShareInput), responses((status = 201, body = ShareView), ShareError))]
#[tracing::instrument(name = "share.create", skip_all, fields(parcours.id = %id))]
pub async fn create_share(
    State(app): State<App>,
    sharer: Sharer,
    Path(id): Path<ParcoursId>,
    Body(sent): Body<ShareInput>,
) -> Result<(StatusCode, Json<ShareView>), ShareError> {
    let days = lifetime_days(sent.kind, sent.days).map_err(ParcoursError::from)?;
    let tx = app.store.begin().await?;
    let stored = held(&tx, id, &sharer).await?;
    if !titled(&stored.sheet, &app.settings.content_languages) {
        return Err(ShareError::TitleRequired);
    }
    // `held` locks the parcours: no two requests look at once and each make one.
    let existing = match sent.kind {
        ShareKind::Permanent => share::live_permanent(&tx, id).await?,
        ShareKind::Temporary if share::count_live_temporary(&tx, id, app.now()).await? >= MAX_TEMPORARY => {
            return Err(ShareError::TooMany { max: MAX_TEMPORARY });
        }
        ShareKind::Temporary => None,
    };
    let made = if let Some(existing) = existing {
        existing
    } else {
        let (token, ends) = (new_token(), days.map(|days| app.now().plus_s(days * DAY_S)));
        share::insert(&tx, id, sent.kind, &token, sharer.user_id, app.now(), ends).await?
    };
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(view(&app, made))))
}

/// End a share: its address then shows that it ended.
#[utoipa::path(delete, path = "/api/v1/parcours/{id}/shares/{share_id}", tag = "sharing", params(("id" = i64, Path), ("share_id" = i64, Path)),
    security(("session" = ["content.share"])), responses((status = 204), ShareError))]
#[tracing::instrument(name = "share.revoke", skip_all, fields(parcours.id = %id))]
pub async fn revoke_share(
    State(app): State<App>,
    sharer: Sharer,
    Path((id, share_id)): Path<(ParcoursId, i64)>,
) -> Result<StatusCode, ShareError> {
    let tx = app.store.begin().await?;
    held(&tx, id, &sharer).await?;
    if !share::revoke(&tx, id, share_id, app.now()).await? {
        return Err(ShareError::NotFound { id: share_id });
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
