//! Which parcours a public address or the address of a share opens.

use app::App;
use app::extract::has_nul;
use app::slug::slug;
use axum::extract::FromRequestParts;
use axum::http::header::HOST;
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::response::Response;
use domain::share::{ShareKind, ShareState};
use domain::white_label::WhiteLabelSheet;
use domain::{ParcoursId, WhiteLabelId};
use outputs::visitor_words::Language;
use store::parcours::{self as rows, Stored};
use store::record::load;
use store::share::{self, Share};
use store::white_label::WhiteLabels;
use store::{Connection, StoreError};

use super::answer::{Refusal, or_words};

/// What every public page is asked with.
#[derive(Debug, Clone)]
pub struct PageRequest {
    /// The language of the page, from the path: English is under `/en`.
    pub language: Language,
    /// The host that was asked: the server's, or a white-label's own domain.
    pub host: Option<String>,
}

impl FromRequestParts<App> for PageRequest {
    type Rejection = Response;

    /// A path with the character U+0000 is refused with a page in words; `Path` would refuse it with a problem for programs.
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        let language = if parts.uri.path().starts_with("/en/") { Language::English } else { Language::French };
        let named = parts.uri.authority().map(Authority::as_str);
        let host = named.or_else(|| parts.headers.get(HOST).and_then(|host| host.to_str().ok()));
        let request = Self { language, host: host.map(str::to_owned) };
        if has_nul(parts.uri.path()) {
            return Err(or_words(app, &request, async { Err(Refusal::NotFound) }).await);
        }
        Ok(request)
    }
}

/// A parcours that the visitor may look at, and the address they used.
pub struct Open {
    pub parcours: Stored,
    /// The white-label it belongs to.
    pub white_label: WhiteLabelSheet,
    /// The share it was opened with; none for the public address.
    pub share: Option<Share>,
}

impl Open {
    /// The readable name in the public address, also that of the files.
    pub fn slug(&self, app: &App) -> String {
        let language = app.settings.main_language();
        slug(self.parcours.sheet.title.best(language))
    }

    /// The path of the page in a language.
    pub fn path(&self, app: &App, language: Language) -> String {
        let prefix = language.pick("", "/en");
        match &self.share {
            Some(share) => format!("{prefix}/s/{}", share.token),
            None => format!("{prefix}/p/{}-{}", self.slug(app), self.parcours.id),
        }
    }
}

/// The white-label of a parcours, while it is there.
async fn owner_of(app: &App, parcours: ParcoursId) -> Result<Option<WhiteLabelId>, StoreError> {
    Ok(rows::load(app.store.read(), parcours).await?.map(|parcours| parcours.white_label_id))
}

async fn owner(db: &impl Connection, parcours: &Stored) -> Result<WhiteLabelSheet, StoreError> {
    Ok(load::<WhiteLabels>(db, parcours.white_label_id.0).await?.map(|owner| owner.sheet).unwrap_or_default())
}

/// The parcours of a public address `<slug>-<number>`. It is not found when it is not published, not listed publicly, of a
/// white-label whose site is not published, or outside that white-label's bounds for ratings.
pub async fn public(app: &App, page: &str) -> Result<Open, Refusal> {
    let db = app.store.read();
    let number = page.rsplit_once('-').map_or(page, |(_, number)| number);
    let known = number.bytes().all(|digit| digit.is_ascii_digit());
    let id: i64 = number.parse().ok().filter(|_| known).ok_or(Refusal::NotFound)?;
    let parcours = rows::load(db, ParcoursId(id)).await?.ok_or(Refusal::NotFound)?;
    if !parcours.published || !parcours.sheet.relation.is_listed_in_public() {
        return Err(Refusal::NotFound);
    }
    let white_label = owner(db, &parcours).await?;
    if !white_label.published {
        return Err(Refusal::NotFound);
    }
    let bounds = (white_label.rating_min, white_label.rating_max);
    if bounds != (None, None) && !store::feedback::rating(db, parcours.id).await?.is_within(bounds) {
        return Err(Refusal::NotFound);
    }
    Ok(Open { parcours, white_label, share: None })
}

/// The parcours of a share: a permanent one opens it while it is published, a temporary one until it ends.
/// A share is given on purpose: it also opens a parcours that is not listed publicly.
pub async fn shared(app: &App, token: &str) -> Result<Open, Refusal> {
    let db = app.store.read();
    let share = share::by_token(db, token).await?.ok_or(Refusal::NotFound)?;
    let state = ShareState::at(app.now().0, share.expires_at.map(|end| end.0), share.revoked_at.is_some());
    if state != ShareState::Active {
        return Err(Refusal::Ended { owner: owner_of(app, share.parcours_id).await? });
    }
    let parcours = rows::load(db, share.parcours_id).await?.ok_or(Refusal::NotFound)?;
    if share.kind == ShareKind::Permanent && !parcours.published {
        return Err(Refusal::NotFound);
    }
    let white_label = owner(db, &parcours).await?;
    Ok(Open { parcours, white_label, share: Some(share) })
}
