//! The shares of a parcours.

use app::App;
use app::extract::{Path, Reader};
use app::record::Named;
use app::slug::slug;
use axum::Json;
use axum::extract::State;
use domain::share::{ShareKind, ShareState};
use domain::{Instant, ParcoursId};
use serde::{Deserialize, Serialize};
use store::parcours as rows;
use store::record::load;
use store::share::{self, Share};
use store::white_label::WhiteLabels;
use utoipa::ToSchema;

use super::error::ShareError;
use crate::parcours::access::seen;
use crate::parcours::not_found;

/// A share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShareView {
    pub id: i64,
    /// Permanent or temporary.
    pub kind: ShareKind,
    /// The address to hand out.
    pub url: String,
    /// The unguessable part of it.
    pub token: String,
    /// Whether it works.
    pub state: ShareState,
    pub created_at: Instant,
    /// Who made it.
    pub created_by: Option<Named>,
    /// When it ends.
    pub expires_at: Option<Instant>,
    /// When a user ended it.
    pub revoked_at: Option<Instant>,
    /// How often its page was opened.
    pub opened: i64,
    /// When its QR code was first downloaded: it may be printed since.
    pub qr_taken_at: Option<Instant>,
}

/// All shares of a parcours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Shares {
    /// The one that lasts while the parcours is published.
    pub permanent: Option<ShareView>,
    /// Those that end, 200 at most: those that work first, each the newest first.
    pub temporary: Vec<ShareView>,
    /// The public page, which search engines find too; it answers while the parcours is published. None while the site
    /// of its white-label is not.
    pub public_url: Option<String>,
}

/// The view of a share at an instant.
pub(super) fn view(app: &App, share: Share) -> ShareView {
    ShareView {
        id: share.id,
        kind: share.kind,
        url: format!("{}/s/{}", app.settings.public_url, share.token),
        state: ShareState::at(app.now().0, share.expires_at.map(|end| end.0), share.revoked_at.is_some()),
        token: share.token,
        created_at: share.created_at,
        created_by: share.created_by.map(|(id, name)| Named { id: id.0, name }),
        expires_at: share.expires_at,
        revoked_at: share.revoked_at,
        opened: share.opened,
        qr_taken_at: share.qr_taken_at,
    }
}

/// The shares of a parcours, and its public address.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/shares", tag = "sharing", params(("id" = i64, Path)), security(("session" = ["content.read"])),
    responses((status = 200, body = Shares), ShareError))]
pub async fn list_shares(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ParcoursId>,
) -> Result<Json<Shares>, ShareError> {
    let db = app.store.read();
    let header = seen(db, id, &reader).await?;
    let stored = rows::load(db, id).await?.ok_or_else(|| not_found(id))?;
    let language = app.settings.main_language();
    let site = load::<WhiteLabels>(db, header.white_label_id.0).await?.is_some_and(|owner| owner.sheet.published);
    let public_url =
        site.then(|| format!("{}/p/{}-{id}", app.settings.public_url, slug(stored.sheet.title.best(language))));
    // Others are shown the public page; the links are the owner's to hand out.
    let (permanent, temporary) = if reader.works_in(header.white_label_id) {
        (share::live_permanent(db, id).await?, share::temporary_of(db, id, app.now()).await?)
    } else {
        (None, Vec::new())
    };
    Ok(Json(Shares {
        permanent: permanent.map(|share| view(&app, share)),
        temporary: temporary.into_iter().map(|share| view(&app, share)).collect(),
        public_url,
    }))
}
