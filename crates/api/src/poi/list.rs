//! The POIs a white-label has, and those others share.

use axum::Json;
use axum::extract::State;
use domain::VocabularyId;
use serde::Deserialize;
use store::poi::{PoiFilter, PoiSort};
use tracing::instrument;
use utoipa::IntoParams;

use super::{PoiError, PoiView};
use crate::extract::{PageOf, Paging, Query, Reader};
use crate::{App, Rejection, filter};

/// What the list is narrowed to.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PoiQuery {
    /// Words of the title, accents aside; every one must be there.
    search: Option<String>,
    /// `west,south,east,north` in degrees.
    bbox: Option<String>,
    /// Identifiers of categories, with commas: any of them.
    category: Option<String>,
    /// Identifiers of themes, with commas: any of them.
    theme: Option<String>,
    /// Published or not.
    published: Option<bool>,
    /// `mine`, `shared` or `all`.
    owner: Option<String>,
    /// Identifiers, with commas.
    ids: Option<String>,
    /// `-updated_at` (the default), `updated_at`, `title`, `-title`.
    sort: Option<String>,
}

/// The POIs of the active white-label, and those others share.
#[utoipa::path(
    get,
    path = "/api/v1/pois",
    tag = "pois",
    security(("session" = ["content.read"])),
    params(PoiQuery, Paging),
    responses((status = 200, body = PageOf<PoiView>), PoiError)
)]
#[instrument(name = "poi.list", skip_all)]
pub async fn list_pois(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<PoiQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<PageOf<PoiView>>, PoiError> {
    let terms = [filter::ids("category", query.category.as_deref())?, filter::ids("theme", query.theme.as_deref())?];
    let filter = PoiFilter {
        viewer: reader.active_white_label_id,
        owner: filter::owner(query.owner.as_deref())?,
        search: query.search,
        bbox: filter::bbox(query.bbox.as_deref())?,
        terms: terms.into_iter().flatten().map(|ids| ids.into_iter().map(VocabularyId).collect()).collect(),
        published: query.published,
        ids: filter::ids("ids", query.ids.as_deref())?.map(|ids| ids.into_iter().map(Into::into).collect()),
    };
    let listed = store::poi::list(app.store.read(), &filter, sort(query.sort.as_deref())?, paging.page()).await?;
    Ok(Json(PageOf::of(listed, PoiView::from)))
}

fn sort(asked: Option<&str>) -> Result<PoiSort, Rejection> {
    match asked {
        None | Some("-updated_at") => Ok(PoiSort::Newest),
        Some("updated_at") => Ok(PoiSort::Oldest),
        Some("title") => Ok(PoiSort::Title),
        Some("-title") => Ok(PoiSort::TitleBackwards),
        Some(_) => Err(Rejection::BadQuery { name: "sort".to_owned() }),
    }
}
