//! `/api/public/v1`: our own JSON and GeoJSON.

use app::extract::{Path, Query};
use app::{App, Rejection};
use axum::extract::State;
use axum::http::Uri;
use axum::http::request::Parts;
use axum::response::Response;
use content::parcours::compute::has_only_model_heights;
use content::parcours::trace::{Format, document, written};
use domain::ParcoursId;
use feeds::{Chosen, Feed, own};
use serde::Deserialize;
use store::StoreError;
use store::feed::{self as rows, ParcoursFeed, PoiFeed};
use trace::write::Document;
use tracing::instrument;
use utoipa::IntoParams;

use super::FeedError;
use super::access::PublicKey;
use super::answer::{GEOJSON, JSON, remembered};
use super::facts::{Facts, facts};
use super::gather::{self, Wanted};
use super::query::{File, PageQuery, RecordPath, Walk, bad, bbox, frame, ids, instant, terms};
use super::reach::{self, Audience};
use crate::visitor_words::{Language, closures, say_closures};

/// Rows of a page: by default, and at most.
const PAGE_SIZES: (u64, u64) = (50, 500);

/// The filters of a list. Unknown parameters are ignored.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct FeedQuery {
    /// One language: texts are then texts. Without it they are objects of all languages.
    language: Option<String>,
    /// `geojson` for a collection of features with their lines; plain JSON without it.
    format: Option<String>,
    /// Names of the fields to answer, with commas. A list gives the long fields (`description`, `steps`, `line` …) only where they
    /// are named here.
    fields: Option<String>,
    /// Names of the fields to leave out, with commas.
    omit: Option<String>,
    /// Number of the page, from 1.
    page: Option<String>,
    /// Rows on a page, at most 500; 50 by default.
    per_page: Option<String>,
    /// Numbers, with commas.
    ids: Option<String>,
    /// `west,south,east,north` in degrees.
    bbox: Option<String>,
    /// Numbers of practices, for parcours; those under them count too.
    practices: Option<String>,
    /// Numbers of themes; those under them count too.
    themes: Option<String>,
    /// Numbers of itineraries, for parcours.
    itineraries: Option<String>,
    /// Numbers of categories, for POIs; those under them count too.
    categories: Option<String>,
    /// Saved after this day or instant, or whose closures or reviews changed after it.
    updated_after: Option<String>,
}

/// The order of a list of parcours.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct OrderQuery {
    /// `priority` for the favoured parcours first, those of the highest `display_priority` before the others; in the order of
    /// numbers without it.
    sort: Option<String>,
}

/// Where a list goes on.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct AfterQuery {
    /// What comes past this number, in place of a page; `next` has it, so that a walk loses nothing while rows come and go. Past the
    /// last one the list is empty. Not with `sort=priority`.
    after: Option<String>,
}

impl OrderQuery {
    fn favoured_first(&self) -> Result<bool, FeedError> {
        match self.sort.as_deref() {
            None | Some("" | "id") => Ok(false),
            Some("priority") => Ok(true),
            Some(_) => Err(bad("sort")),
        }
    }
}

impl FeedQuery {
    fn asked(&self) -> Result<PageQuery, FeedError> {
        PageQuery::of((self.page.as_deref(), "page"), (self.per_page.as_deref(), "per_page"), PAGE_SIZES)
    }

    fn is_geojson(&self) -> Result<bool, FeedError> {
        match self.format.as_deref() {
            None | Some("" | "json") => Ok(false),
            Some("geojson") => Ok(true),
            Some(_) => Err(bad("format")),
        }
    }

    fn chosen(&self) -> Chosen {
        Chosen::of(self.fields.as_deref(), self.omit.as_deref())
    }
}

/// What an answer is.
const fn kind_of(geojson: bool) -> &'static str {
    if geojson { GEOJSON } else { JSON }
}

/// A part of a list: the numbers on it, how many there are in all, and the address of the next part.
struct Listed<T> {
    ids: Vec<T>,
    total: u64,
    next: Option<String>,
}

impl<T> Listed<T> {
    /// From rows that may be one too many.
    fn of(
        (mut ids, total): (Vec<T>, u64),
        walk: Walk,
        (feed, uri): (&Feed, &Uri),
        number: fn(&T) -> i64,
    ) -> Result<Self, FeedError> {
        let more = walk.cut(&mut ids, total)?;
        let next = ids.last().filter(|_| more).map(|last| walk.next(&feed.api, uri, number(last)));
        Ok(Self { ids, total, next })
    }

    /// Its items, in the form that is asked for.
    fn written(&self, asked: PageQuery, geojson: bool, items: &[String]) -> String {
        let next = self.next.as_deref();
        if geojson {
            own::collection(self.total, next, items)
        } else {
            own::page(self.total, asked.page, asked.per_page, next, items)
        }
    }
}

/// Parcours in the order of their numbers.
async fn listed_parcours(
    app: &App,
    narrowed: &ParcoursFeed,
    walk: Walk,
    at: (&Feed, &Uri),
) -> Result<Listed<ParcoursId>, FeedError> {
    let db = app.store.read();
    let found = if let Some(after) = walk.after {
        rows::parcours_past(db, narrowed, walk.past(after)).await?
    } else {
        rows::parcours(db, narrowed, walk.page.part()).await?
    };
    Listed::of(found, walk, at, |id| id.0)
}

/// Parcours with the favoured ones first: pages alone, a number is no place in this order.
async fn listed_favoured_first(
    app: &App,
    narrowed: &ParcoursFeed,
    walk: Walk,
    (feed, uri): (&Feed, &Uri),
) -> Result<Listed<ParcoursId>, FeedError> {
    if walk.after.is_some() {
        return Err(bad("after"));
    }
    let (ids, total) = rows::parcours_favoured_first(app.store.read(), narrowed, walk.page.part()).await?;
    walk.page.within(total)?;
    Ok(Listed { ids, total, next: walk.page.beside(&feed.api, uri, total).0 })
}

/// What is read for the fields of an answer. `is_written` says whether a long field is: in a list where it is named, in a parcours alone
/// where it is wanted.
fn wanted(chosen: &Chosen, is_written: fn(&Chosen, &str) -> bool) -> Wanted {
    Wanted {
        line: is_written(chosen, "line"),
        media: chosen.wants("media"),
        transport: is_written(chosen, "steps"),
        instructions: is_written(chosen, "instructions"),
    }
}

fn parcours_feed(key: &PublicKey, facts: &Facts, query: &FeedQuery) -> Result<ParcoursFeed, FeedError> {
    let mut feed = ParcoursFeed {
        ids: ids("ids", query.ids.as_deref())?,
        bbox: bbox(query.bbox.as_deref())?,
        themes: terms(facts, "themes", query.themes.as_deref())?,
        itineraries: ids("itineraries", query.itineraries.as_deref())?,
        updated_after: instant("updated_after", query.updated_after.as_deref())?,
        ..reach::parcours(key, facts, Audience::Ours)
    };
    feed.practices.extend(terms(facts, "practices", query.practices.as_deref())?);
    Ok(feed)
}

/// The parcours that are handed out to the key, in the order of their numbers unless another is asked for.
#[utoipa::path(get, path = "/api/public/v1/parcours", tag = "feeds", security(("api_key" = [])), params(FeedQuery, OrderQuery, AfterQuery),
    responses((status = 200, description = "A page: `total`, `page`, `per_page`, `pages`, `next`, `items`; or a GeoJSON collection", content(("application/json"), ("application/geo+json"))), (status = 304, description = "Not modified"), FeedError))]
#[instrument(name = "feed.list_parcours", skip_all)]
pub async fn list_public_parcours(
    State(app): State<App>,
    key: PublicKey,
    Query(query): Query<FeedQuery>,
    Query(order): Query<OrderQuery>,
    Query(AfterQuery { after }): Query<AfterQuery>,
    parts: Parts,
) -> Result<Response, FeedError> {
    let geojson = query.is_geojson()?;
    let list = async {
        let facts = facts(&app).await?;
        let (feed, asked, chosen) =
            (frame(&app, &facts, &key, query.language.as_deref())?, query.asked()?, query.chosen());
        let narrowed = parcours_feed(&key, &facts, &query)?;
        let (walk, at) = (Walk::of(asked, after.as_deref())?, (&feed, &parts.uri));
        let listed = if order.favoured_first()? {
            listed_favoured_first(&app, &narrowed, walk, at).await?
        } else {
            listed_parcours(&app, &narrowed, walk, at).await?
        };
        let wanted = wanted(&chosen, Chosen::names);
        let wanted = Wanted { line: geojson || wanted.line, ..wanted };
        let reach = reach::parcours(&key, &facts, Audience::Ours);
        let mut all = gather::parcours(&app, &facts, &feed, &reach, &listed.ids, wanted).await?;
        if chosen.names("poi_ids") {
            keep_reached_pois(&app, &key, &facts, &mut all).await?;
        }
        let write = if geojson { own::parcours_feature } else { own::parcours_row };
        let items: Vec<String> = all.iter().map(|one| write(&feed, one, &chosen)).collect();
        Ok(listed.written(asked, geojson, &items))
    };
    remembered(&app, &key, &parts, kind_of(geojson), list).await
}

/// A parcours whole: texts, steps, line, media. One that is shown under a parent alone is there too.
#[utoipa::path(get, path = "/api/public/v1/parcours/{id}", tag = "feeds", security(("api_key" = [])), params(("id" = i64, Path), FeedQuery),
    responses((status = 200, description = "The parcours; or a GeoJSON feature", content(("application/json"), ("application/geo+json"))), (status = 304, description = "Not modified"), FeedError))]
#[instrument(name = "feed.show_parcours", skip_all, fields(parcours.id = %id))]
pub async fn show_public_parcours(
    State(app): State<App>,
    key: PublicKey,
    Path(RecordPath { id }): Path<RecordPath>,
    Query(query): Query<FeedQuery>,
    parts: Parts,
) -> Result<Response, FeedError> {
    let geojson = query.is_geojson()?;
    let one = async {
        let facts = facts(&app).await?;
        let feed = frame(&app, &facts, &key, query.language.as_deref())?;
        let chosen = query.chosen();
        let id = reached(&app, &key, id).await?;
        // The properties of a feature are those of a row in a list.
        let wanted = wanted(&chosen, if geojson { Chosen::names } else { Chosen::wants });
        let wanted = Wanted { line: geojson || wanted.line, ..wanted };
        let reach = reach::parcours(&key, &facts, Audience::Ours);
        let mut all = gather::parcours(&app, &facts, &feed, &reach, &[id], wanted).await?;
        keep_reached_pois(&app, &key, &facts, &mut all).await?;
        let one = all.first().ok_or(FeedError::NotFound)?;
        Ok(if geojson { own::parcours_feature(&feed, one, &chosen) } else { own::parcours(&feed, one, &chosen) })
    };
    remembered(&app, &key, &parts, kind_of(geojson), one).await
}

/// The parcours of a number that a key reaches.
pub async fn reach(app: &App, key: &PublicKey, id: i64) -> Result<Option<ParcoursId>, StoreError> {
    let facts = facts(app).await?;
    reach::one(app, key, &facts, Audience::Ours, id).await
}

/// The parcours of a number that a key reaches; not found where it reaches none.
async fn reached(app: &App, key: &PublicKey, id: i64) -> Result<ParcoursId, FeedError> {
    reach(app, key, id).await?.ok_or(FeedError::NotFound)
}

/// The line of a parcours as GPX, KML, GeoJSON or TCX.
#[utoipa::path(get, path = "/api/public/v1/parcours/{id}/{file}", tag = "feeds", security(("api_key" = [])),
    params(("id" = i64, Path), ("file" = String, Path, description = "`trace.gpx`, `trace.kml`, `trace.geojson` or `trace.tcx`")),
    responses((status = 200, description = "The file", content(("application/gpx+xml"), ("application/vnd.google-earth.kml+xml"),
        ("application/vnd.garmin.tcx+xml"), ("application/geo+json"))), FeedError))]
#[instrument(name = "feed.download", skip_all, fields(parcours.id = %id))]
pub async fn download_public_trace(
    State(app): State<App>,
    key: PublicKey,
    Path(File { id, file }): Path<File>,
) -> Result<Response, FeedError> {
    let format = file.strip_prefix("trace.").and_then(Format::parse).ok_or(FeedError::NotFound)?;
    let id = reached(&app, &key, id).await?;
    Ok(written(&trace_document(&app, id).await?, format))
}

/// What the files of a trace (GPX, KML, TCX, GeoJSON) contain: the unchanged line, and the closures as sentences of the description (decision 0039).
pub(super) async fn trace_document(app: &App, id: ParcoursId) -> Result<Document, FeedError> {
    let main = app.settings.main_language();
    let language = Language::for_content(main);
    let closed = closures(app, id, language).await?;
    let db = app.store.read();
    let stored = store::parcours::load(db, id).await?.ok_or(FeedError::NotFound)?;
    let kept = store::parcours::trace(db, id).await?.ok_or(FeedError::NotFound)?;
    let mut made = document(&stored.sheet, &stored.steps, kept.line(), main);
    made.duration_s = kept.summary.duration_s;
    made.has_model_heights = has_only_model_heights(&kept);
    say_closures(&mut made, language, &closed);
    Ok(made)
}

/// Since when.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ChangesQuery {
    /// The `until` of the answer before; a day or an instant.
    since: Option<String>,
    /// One language, as in lists.
    language: Option<String>,
    /// Names of the fields to answer, as in lists.
    fields: Option<String>,
    /// Names of the fields to leave out, as in lists.
    omit: Option<String>,
    /// Number of the page, from 1.
    page: Option<String>,
    /// Parcours on a page, at most 500, which is also the default.
    per_page: Option<String>,
}

/// What changed since an instant: the parcours that were saved, whole pages of them, and the numbers of those that are not
/// handed out any more. Ask again with `until`.
#[utoipa::path(get, path = "/api/public/v1/parcours/changes", tag = "feeds", security(("api_key" = [])), params(ChangesQuery, AfterQuery),
    responses((status = 200, description = "`until`, `total`, `next`, `updated`, `removed`; `removed` is on the first page", content_type = "application/json"), (status = 304, description = "Not modified"), FeedError))]
#[instrument(name = "feed.changes", skip_all)]
pub async fn list_public_changes(
    State(app): State<App>,
    key: PublicKey,
    Query(query): Query<ChangesQuery>,
    Query(AfterQuery { after }): Query<AfterQuery>,
    parts: Parts,
) -> Result<Response, FeedError> {
    let changes = async {
        let since = instant("since", query.since.as_deref())?;
        let since = since.ok_or_else(|| Rejection::MissingQuery { name: "since".to_owned() })?;
        let facts = facts(&app).await?;
        let feed = frame(&app, &facts, &key, query.language.as_deref())?;
        let sizes = (PAGE_SIZES.1, PAGE_SIZES.1);
        let asked = PageQuery::of((query.page.as_deref(), "page"), (query.per_page.as_deref(), "per_page"), sizes)?;
        let reach = reach::parcours(&key, &facts, Audience::Ours);
        // What is under way now carries an earlier time than its commit: it is listed twice rather than missed.
        let until = app.now().plus_s(-rows::CHANGES_OVERLAP_S);
        let narrowed = ParcoursFeed { updated_after: Some(since), ..reach.clone() };
        let walk = Walk::of(asked, after.as_deref())?;
        let listed = listed_parcours(&app, &narrowed, walk, (&feed, &parts.uri)).await?;
        let removed =
            if walk.is_first() { rows::parcours_gone(app.store.read(), &reach, since).await? } else { Vec::new() };
        let chosen = Chosen::of(query.fields.as_deref(), query.omit.as_deref());
        let wanted = wanted(&chosen, Chosen::names);
        let mut all = gather::parcours(&app, &facts, &feed, &reach, &listed.ids, wanted).await?;
        if chosen.names("poi_ids") {
            keep_reached_pois(&app, &key, &facts, &mut all).await?;
        }
        let updated: Vec<String> = all.iter().map(|one| own::parcours_row(&feed, one, &chosen)).collect();
        let removed: Vec<i64> = removed.iter().map(|id| id.0).collect();
        Ok(own::changes(until, listed.total, listed.next.as_deref(), &updated, &removed))
    };
    remembered(&app, &key, &parts, JSON, changes).await
}

/// Leaves of the POIs that parcours name those that are handed out to the key.
pub(super) async fn keep_reached_pois(
    app: &App,
    key: &PublicKey,
    facts: &Facts,
    all: &mut [feeds::Parcours],
) -> Result<(), FeedError> {
    let mut named: Vec<i64> = all.iter().flat_map(|one| &one.poi_ids).copied().collect();
    named.sort_unstable();
    named.dedup();
    if named.is_empty() {
        return Ok(());
    }
    let most = named.len() as u64;
    let narrowed = PoiFeed { ids: Some(named), ..reach::pois(key, facts) };
    let (reached, _) = rows::pois(app.store.read(), &narrowed, (0, most)).await?;
    for one in all {
        one.poi_ids.retain(|id| reached.binary_search(id).is_ok());
    }
    Ok(())
}

fn poi_feed(key: &PublicKey, facts: &Facts, query: &FeedQuery) -> Result<PoiFeed, FeedError> {
    let mut feed = PoiFeed {
        ids: ids("ids", query.ids.as_deref())?,
        bbox: bbox(query.bbox.as_deref())?,
        updated_after: instant("updated_after", query.updated_after.as_deref())?,
        ..reach::pois(key, facts)
    };
    feed.terms.extend(terms(facts, "categories", query.categories.as_deref())?);
    feed.terms.extend(terms(facts, "themes", query.themes.as_deref())?);
    Ok(feed)
}

fn written_poi(feed: &Feed, poi: &feeds::Poi, geojson: bool, chosen: &Chosen) -> String {
    if geojson { own::poi_feature(feed, poi, chosen) } else { own::poi(feed, poi, chosen) }
}

/// The POIs that are handed out to the key, in the order of their numbers.
#[utoipa::path(get, path = "/api/public/v1/pois", tag = "feeds", security(("api_key" = [])), params(FeedQuery, AfterQuery),
    responses((status = 200, description = "A page, as for parcours; or a GeoJSON collection", content(("application/json"), ("application/geo+json"))), (status = 304, description = "Not modified"), FeedError))]
#[instrument(name = "feed.list_pois", skip_all)]
pub async fn list_public_pois(
    State(app): State<App>,
    key: PublicKey,
    Query(query): Query<FeedQuery>,
    Query(AfterQuery { after }): Query<AfterQuery>,
    parts: Parts,
) -> Result<Response, FeedError> {
    let geojson = query.is_geojson()?;
    let list = async {
        let facts = facts(&app).await?;
        let (feed, asked, chosen) =
            (frame(&app, &facts, &key, query.language.as_deref())?, query.asked()?, query.chosen());
        let narrowed = poi_feed(&key, &facts, &query)?;
        let walk = Walk::of(asked, after.as_deref())?;
        let found = if let Some(after) = walk.after {
            rows::pois_past(app.store.read(), &narrowed, walk.past(after)).await?
        } else {
            rows::pois(app.store.read(), &narrowed, asked.part()).await?
        };
        let listed = Listed::of(found, walk, (&feed, &parts.uri), |id| *id)?;
        let all = gather::pois(&app, &facts, &feed, &listed.ids).await?;
        let items: Vec<String> = all.iter().map(|one| written_poi(&feed, one, geojson, &chosen)).collect();
        Ok(listed.written(asked, geojson, &items))
    };
    remembered(&app, &key, &parts, kind_of(geojson), list).await
}

/// A POI.
#[utoipa::path(get, path = "/api/public/v1/pois/{id}", tag = "feeds", security(("api_key" = [])), params(("id" = i64, Path), FeedQuery),
    responses((status = 200, description = "The POI; or a GeoJSON feature", content(("application/json"), ("application/geo+json"))), (status = 304, description = "Not modified"), FeedError))]
#[instrument(name = "feed.show_poi", skip_all, fields(poi.id = %id))]
pub async fn show_public_poi(
    State(app): State<App>,
    key: PublicKey,
    Path(RecordPath { id }): Path<RecordPath>,
    Query(query): Query<FeedQuery>,
    parts: Parts,
) -> Result<Response, FeedError> {
    let geojson = query.is_geojson()?;
    let one = async {
        let facts = facts(&app).await?;
        let feed = frame(&app, &facts, &key, query.language.as_deref())?;
        let narrowed = PoiFeed { ids: Some(vec![id]), ..reach::pois(&key, &facts) };
        let (found, _) = rows::pois(app.store.read(), &narrowed, (0, 1)).await?;
        let all = gather::pois(&app, &facts, &feed, &found).await?;
        let one = all.first().ok_or(FeedError::NotFound)?;
        Ok(written_poi(&feed, one, geojson, &query.chosen()))
    };
    remembered(&app, &key, &parts, kind_of(geojson), one).await
}
