//! The POIs a white-label has, and those others share.

use app::extract::{Paging, Query, Reader};
use app::record::{ListOf, OwnedCounts, Resource, no_such_sort, sort_of};
use app::{App, Rejection, filter};
use axum::Json;
use axum::extract::State;
use domain::white_label::CustomOn;
use domain::{Actor, PoiFlags};
use serde::Deserialize;
use store::poi::PoiFilter;
use tracing::instrument;
use utoipa::{IntoParams, ToSchema};

use super::{PoiError, PoiResource, PoiView, near};
use crate::custom;

/// The filters of the list.
#[derive(Debug, Clone, Default, Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct PoiQuery {
    /// Words of the title or the town, accents aside; every one must be there.
    search: Option<String>,
    /// `west,south,east,north` in degrees.
    bbox: Option<String>,
    /// Identifiers of categories, with commas: any of them, or of those below them.
    category: Option<String>,
    /// Identifiers of themes, with commas: any of them, or of those below them.
    theme: Option<String>,
    /// `true` or `false`: published or not.
    published: Option<String>,
    /// `true` or `false`: handed to our own applications or not.
    distribute: Option<String>,
    /// `good_address`, `must_see`, `detour_point`, `landmark` or `bookable`.
    flag: Option<String>,
    /// `true` or `false`: with something still to fill in, or without.
    incomplete: Option<String>,
    /// What they lack, each of these: `title`, `title_en`, `description`, `description_en`, `photo`, `category`.
    missing: Option<String>,
    /// Identifier of a parcours: those near its line.
    near_parcours: Option<String>,
    /// How near, in metres; 500 by default.
    within_m: Option<String>,
    /// `mine`, `shared` or `all`.
    owner: Option<String>,
    /// Values of the active white-label's own fields: `key:value`, several with `;`. Words are looked for in texts and
    /// addresses; a choice, a tick, a number and a day must be the same; numbers and days also `from..to`, either end open.
    #[param(example = "ground:Sable;beds:2..4")]
    custom: Option<String>,
    /// Identifiers, with commas.
    ids: Option<String>,
    /// `-updated_at` (the default), `updated_at`, `title`, `-title`.
    sort: Option<String>,
}

impl PoiQuery {
    /// The filter for the store, for one reader.
    pub async fn filter(&self, app: &App, actor: &Actor) -> Result<PoiFilter, PoiError> {
        let terms = [filter::ids("category", self.category.as_deref())?, filter::ids("theme", self.theme.as_deref())?];
        let mut found = PoiFilter {
            viewer: actor.active_white_label_id,
            owner: filter::owner(self.owner.as_deref())?,
            search: self.search.clone(),
            bbox: filter::bbox(self.bbox.as_deref())?,
            terms: terms.into_iter().flatten().collect(),
            published: filter::flag("published", self.published.as_deref())?,
            distribute: filter::flag("distribute", self.distribute.as_deref())?,
            flag: flag(self.flag.as_deref())?,
            incomplete: filter::flag("incomplete", self.incomplete.as_deref())?,
            custom: custom::filters(app.store.read(), actor, CustomOn::Poi, self.custom.as_deref()).await?,
            missing: filter::words("missing", self.missing.as_deref(), domain::poi_lack_bit)?,
            ids: filter::ids("ids", self.ids.as_deref())?,
        };
        if let Some(parcours) = filter::number::<i64>("near_parcours", self.near_parcours.as_deref())? {
            let within_m = filter::number::<f64>("within_m", self.within_m.as_deref())?;
            near::narrow(app, actor, &mut found, parcours.into(), within_m).await?;
        }
        Ok(found)
    }
}

fn flag(asked: Option<&str>) -> Result<Option<&'static str>, Rejection> {
    let Some(asked) = asked.filter(|asked| !asked.is_empty()) else { return Ok(None) };
    let known = PoiFlags::NAMES.into_iter().find(|name| *name == asked);
    known.map(Some).ok_or_else(|| Rejection::BadQuery { name: "flag".to_owned() })
}

/// The POIs of the active white-label, and those others share.
#[utoipa::path(
    get,
    path = "/api/v1/pois",
    tag = "pois",
    security(("session" = ["content.read"])),
    params(PoiQuery, Paging),
    responses((status = 200, body = ListOf<PoiView>), PoiError)
)]
#[instrument(name = "poi.list", skip_all)]
pub async fn list_pois(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<PoiQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<ListOf<PoiView>>, PoiError> {
    let filter = query.filter(&app, &reader).await?;
    let db = app.store.read();
    let found = store::poi::list(db, &filter, sort_of(query.sort.as_deref(), "-updated_at"), paging.page()).await?;
    let page = found.ok_or_else(no_such_sort)?;
    let mut list = ListOf::new(PoiResource::views(&app, db, &reader, page.items).await?, page.counted);
    list.counts = Some(OwnedCounts { mine: page.counts.mine.total, shared: page.counts.shared.total });
    Ok(Json(list))
}
