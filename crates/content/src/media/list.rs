//! The media of a white-label, and those others share.

use app::extract::{Paging, Query, Reader};
use app::record::{ListOf, OwnedCounts, Resource, no_such_sort, sort_of};
use app::{App, Rejection, filter};
use axum::Json;
use axum::extract::State;
use domain::media::MediaLack;
use domain::{Actor, MediaKind};
use serde::Deserialize;
use store::media::MediaFilter;
use tracing::instrument;
use utoipa::{IntoParams, ToSchema};

use super::{MediaError, MediaResource, MediaView};

/// The filters of the list.
#[derive(Debug, Clone, Default, Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct MediaQuery {
    /// Words of the name, the legend, the alternative text or the author.
    search: Option<String>,
    /// `image`, `video`, `audio`, `pdf`, `font`, with commas: any of them.
    kind: Option<String>,
    /// `legend`, `copyright`, `alt`, with commas: all of them are lacking.
    lacking: Option<String>,
    /// `true` or `false`: nothing uses it, or something does.
    unused: Option<String>,
    /// The smallest width, in pixels.
    min_width: Option<String>,
    /// With these bytes: SHA-256, hexadecimal.
    sha256: Option<String>,
    /// `mine` (the default), `shared` or `all`.
    owner: Option<String>,
    /// Identifiers, with commas.
    ids: Option<String>,
    /// `-updated_at` (the default), `updated_at`, `title`, `-title`, `bytes`, `-bytes`, `id`, `-id`.
    sort: Option<String>,
}

impl MediaQuery {
    /// The filter for the store, for one reader.
    pub(super) fn filter(&self, actor: &Actor) -> Result<MediaFilter, Rejection> {
        let owner = self.owner.as_deref().filter(|owner| !owner.is_empty());
        Ok(MediaFilter {
            viewer: actor.active_white_label_id,
            owner: filter::owner(Some(owner.unwrap_or(if self.ids.is_some() { "all" } else { "mine" })))?,
            search: self.search.clone(),
            kinds: filter::words("kind", self.kind.as_deref(), MediaKind::parse)?,
            lacking: filter::words("lacking", self.lacking.as_deref(), MediaLack::parse)?,
            unused: filter::flag("unused", self.unused.as_deref())?,
            min_width: filter::number::<i64>("min_width", self.min_width.as_deref())?,
            sha256: self.sha256.clone().filter(|content| !content.is_empty()),
            ids: filter::ids("ids", self.ids.as_deref())?,
        })
    }
}

/// The media of the active white-label, the last saved first; with `owner`, those others share.
#[utoipa::path(
    get,
    path = "/api/v1/medias",
    tag = "medias",
    security(("session" = ["content.read"])),
    params(MediaQuery, Paging),
    responses((status = 200, body = ListOf<MediaView>), MediaError)
)]
#[instrument(name = "media.list", skip_all)]
pub async fn list_medias(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<MediaQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<ListOf<MediaView>>, MediaError> {
    let filter = query.filter(&reader)?;
    let db = app.store.read();
    let found = store::media::list(db, &filter, sort_of(query.sort.as_deref(), "-updated_at"), paging.page()).await?;
    let page = found.ok_or_else(no_such_sort)?;
    let mut list = ListOf::new(MediaResource::views(&app, db, &reader, page.items).await?, page.counted);
    list.counts = Some(OwnedCounts { mine: page.counts.mine.total, shared: page.counts.shared.total });
    Ok(Json(list))
}
