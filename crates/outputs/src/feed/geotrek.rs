//! `/api/v2`: the read side of the Geotrek API v2.

use std::collections::HashMap;

use app::App;
use app::extract::{Path, Query};
use app::problem::Internal;
use axum::extract::State;
use axum::http::Uri;
use axum::http::request::Parts;
use axum::response::Response;
use domain::ParcoursId;
use domain::parcours::line::{Along, Pace};
use domain::vocabulary::VocabularyKind;
use feeds::geotrek::{self, Endpoint};
use feeds::{Chosen, Feed};
use serde::Deserialize;
use store::feed::{self as rows, ParcoursFeed, PoiFeed};
use trace::Position;
use tracing::instrument;
use utoipa::IntoParams;

use super::access::PublicKey;
use super::answer::{JSON, SVG, remembered};
use super::facts::{Facts, facts};
use super::gather::{self, Wanted};
use super::query::{PageQuery, bad, bbox, frame, ids, instant, terms};
use super::reach::{self, Audience};
use super::white_label::logos;
use super::{FeedError, lists};

/// Rows of a page: by default, and at most.
const PAGE_SIZES: (u64, u64) = (50, 1_000);
/// Rows of a page of the short lists, by default and at most: the widget of Geotrek sends no number of rows and reads only the first page.
const SHORT_LIST_SIZES: (u64, u64) = (1_000, 1_000);
/// Where Geotrek takes reports of walkers; it lists none.
const REPORTS: &str = "feedback_report";
/// All rows.
const ALL: (u64, u64) = (0, 1 << 30);
/// POIs this near a trek are near it.
const NEAR_M: f64 = 500.0;

/// The filters of a list, named as in Geotrek. Other parameters are ignored.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct GeotrekQuery {
    /// One language: texts are then texts. Without it, or with `all`, they are objects of all languages.
    language: Option<String>,
    /// Names of the fields to answer, with commas.
    fields: Option<String>,
    /// Names of the fields to leave out, with commas.
    omit: Option<String>,
    /// Number of the page, from 1.
    page: Option<String>,
    /// Rows on a page, at most 1,000; by default 50 treks, tours, POIs or contents, and 1,000 of other lists.
    page_size: Option<String>,
    /// Numbers, with commas.
    ids: Option<String>,
    /// Everything here is published: `false` leaves nothing.
    published: Option<String>,
    /// `west,south,east,north` in degrees.
    in_bbox: Option<String>,
    /// The POIs that a trek names.
    trek: Option<String>,
    /// The POIs within 500 m of a trek, or the treks whose box touches its own.
    near_trek: Option<String>,
    /// Numbers of portals; there is one, the white-label of the key.
    portals: Option<String>,
    /// Numbers of structures.
    structures: Option<String>,
    /// Numbers of practices; those under them count too.
    practices: Option<String>,
    /// Numbers of themes; those under them count too.
    themes: Option<String>,
    /// Saved after this day or instant, or whose closures or reviews changed after it.
    updated_after: Option<String>,
    /// Words, the last of them begun.
    q: Option<String>,
    /// `geojson` for a collection of features; plain JSON without it.
    format: Option<String>,
    /// Numbers of difficulties.
    difficulties: Option<String>,
    /// The least difficulty: the number of one, or its place on Cirkwi’s scale.
    difficulty_min: Option<String>,
    /// The highest difficulty: the number of one, or its place on Cirkwi’s scale.
    difficulty_max: Option<String>,
    /// The shortest duration, hours.
    duration_min: Option<String>,
    /// The longest duration, hours.
    duration_max: Option<String>,
    /// The shortest length, metres.
    length_min: Option<String>,
    /// The longest length, metres.
    length_max: Option<String>,
    /// The least climb, metres.
    ascent_min: Option<String>,
    /// The highest climb, metres.
    ascent_max: Option<String>,
    /// Numbers of labels.
    labels: Option<String>,
    /// Numbers of labels that a trek must not have.
    labels_exclude: Option<String>,
    /// Numbers of networks.
    networks: Option<String>,
    /// Numbers of kinds of route: 1 a loop, 3 from one place to another.
    routes: Option<String>,
    /// Numbers of ratings.
    ratings: Option<String>,
    /// Numbers of communes. None is known here: any number leaves nothing.
    cities: Option<String>,
    /// Numbers of districts. None is known here: any number leaves nothing.
    districts: Option<String>,
    /// Numbers of accessibilities. None is known here: any number leaves nothing.
    accessibilities: Option<String>,
    /// Numbers of levels of accessibility. None is known here: any number leaves nothing.
    accessibility_level: Option<String>,
    /// Numbers of labels of accessibility. None is known here: any number leaves nothing.
    labels_accessibility: Option<String>,
    /// Numbers of types of POIs; those under them count too. Touristic contents have none: any number leaves nothing.
    types: Option<String>,
    /// Numbers of categories of touristic contents; those under them count too.
    categories: Option<String>,
}

/// The part of an address that names a list.
#[derive(Debug, Deserialize)]
pub struct ListPath {
    endpoint: String,
}

/// The part of an address that names an item of a list.
#[derive(Debug, Deserialize)]
pub struct Item {
    endpoint: String,
    id: i64,
}

/// A list in the dialect of Geotrek: `trek`, `tour`, `poi`, `theme`, `trek_practice` …
#[utoipa::path(get, path = "/api/v2/{endpoint}/", tag = "feeds", security(("api_key" = [])),
    params(("endpoint" = String, Path, description = "`trek`, `tour`, `poi`, `poi_type`, `theme`, `trek_difficulty`, `trek_practice`, `trek_route`, `trek_network`, `trek_rating`, `trek_ratingscale`, `label`, `source`, `structure`, `informationdesk`, `touristiccontent`, `touristiccontent_category`, `portal`; what Geotrek has beside is an empty list"), GeotrekQuery),
    responses((status = 200, description = "A page: `count`, `next`, `previous`, `results`", content_type = "application/json"), (status = 304, description = "Not modified"), FeedError))]
#[instrument(name = "feed.geotrek.list", skip_all)]
pub async fn list_geotrek(
    State(app): State<App>,
    key: PublicKey,
    Path(ListPath { endpoint }): Path<ListPath>,
    Query(query): Query<GeotrekQuery>,
    asked: Parts,
) -> Result<Response, FeedError> {
    let list = async {
        if endpoint == REPORTS {
            return Err(FeedError::NotRead);
        }
        let found = Endpoint::parse(&endpoint).ok_or_else(|| FeedError::NoEndpoint { name: short(&endpoint) })?;
        Question::of(&app, &key, query).await?.list(found, &asked.uri).await
    };
    remembered(&app, &key, &asked, JSON, list).await
}

/// One of them.
#[utoipa::path(get, path = "/api/v2/{endpoint}/{id}/", tag = "feeds", security(("api_key" = [])),
    params(("endpoint" = String, Path, description = "As in the list"), ("id" = i64, Path), GeotrekQuery),
    responses((status = 200, description = "It", content_type = "application/json"), (status = 304, description = "Not modified"), FeedError))]
#[instrument(name = "feed.geotrek.show", skip_all, fields(id))]
pub async fn show_geotrek(
    State(app): State<App>,
    key: PublicKey,
    Path(Item { endpoint, id }): Path<Item>,
    Query(query): Query<GeotrekQuery>,
    asked: Parts,
) -> Result<Response, FeedError> {
    let one = async {
        let found = Endpoint::parse(&endpoint).ok_or_else(|| FeedError::NoEndpoint { name: short(&endpoint) })?;
        Question::of(&app, &key, query).await?.one(found, id).await
    };
    remembered(&app, &key, &asked, JSON, one).await
}

/// How a profile is given.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ProfileQuery {
    /// `svg` for a drawing; JSON by default.
    format: Option<String>,
    /// The language of a drawing’s words.
    language: Option<String>,
}

/// The heights along a trek, as Geotrek gives them: the points of `profile` are `[metres from the start, metres above the sea,
/// [longitude, latitude]]`, and `limits` are the highest and the lowest height of a drawing. With `format=svg` the answer is a drawing.
#[utoipa::path(get, path = "/api/v2/{endpoint}/{id}/profile/", tag = "feeds", security(("api_key" = [])),
    params(("endpoint" = String, Path, description = "`trek` or `tour`"), ("id" = i64, Path), ProfileQuery),
    responses((status = 200, description = "`profile` and its `limits`; or a drawing", content(("application/json"), ("image/svg+xml"))), (status = 304, description = "Not modified"), FeedError))]
#[instrument(name = "feed.geotrek.profile", skip_all, fields(id))]
pub async fn show_geotrek_profile(
    State(app): State<App>,
    key: PublicKey,
    Path(Item { endpoint, id }): Path<Item>,
    Query(query): Query<ProfileQuery>,
    asked: Parts,
) -> Result<Response, FeedError> {
    let is_drawn = match query.format.as_deref() {
        None | Some("" | "json") => false,
        Some("svg") => true,
        Some(_) => return Err(bad("format")),
    };
    let language = super::language_of(&app, query.language.as_deref())?;
    let profile = async {
        let line = line_along(&app, &key, &endpoint, id).await?;
        Ok(if is_drawn { geotrek::profile_svg(&line, &language) } else { geotrek::profile(&line) })
    };
    remembered(&app, &key, &asked, if is_drawn { SVG } else { JSON }, profile).await
}

/// The ground around a trek, as Geotrek gives it: heights in metres on a grid, above its lowest point, in rows from south to north, each
/// from west to east; `x` and `y` are metres in Web Mercator (EPSG:3857). An empty object where no heights are known.
#[utoipa::path(get, path = "/api/v2/{endpoint}/{id}/dem/", tag = "feeds", security(("api_key" = [])),
    params(("endpoint" = String, Path, description = "`trek` or `tour`"), ("id" = i64, Path)),
    responses((status = 200, description = "`center`, `resolution`, `size`, `extent`, `altitudes`", content_type = "application/json"), (status = 304, description = "Not modified"), FeedError))]
#[instrument(name = "feed.geotrek.dem", skip_all, fields(id))]
pub async fn show_geotrek_dem(
    State(app): State<App>,
    key: PublicKey,
    Path(Item { endpoint, id }): Path<Item>,
    asked: Parts,
) -> Result<Response, FeedError> {
    let ground = async {
        let line = line_along(&app, &key, &endpoint, id).await?;
        let (Some(ground), Some(engine)) = (geotrek::Ground::around(&line), app.region().engine.clone()) else {
            return Ok("{}".to_owned());
        };
        let written = tokio::task::spawn_blocking(move || {
            let heights: Vec<Vec<Option<f64>>> = ground.rows().map(|row| engine.heights(&row)).collect();
            ground.written(&heights)
        });
        Ok(written.await.map_err(Internal::new)?)
    };
    remembered(&app, &key, &asked, JSON, ground).await
}

/// The line of a trek, or of a tour, that a key reaches; empty where it has none.
async fn line_along(app: &App, key: &PublicKey, endpoint: &str, id: i64) -> Result<Vec<Position>, FeedError> {
    if !["trek", "tour"].contains(&endpoint) {
        return Err(FeedError::NoEndpoint { name: short(endpoint) });
    }
    let question = Question::of(app, key, GeotrekQuery::default()).await?;
    question.line_of(id).await?.ok_or(FeedError::NotFound)
}

fn short(word: &str) -> String {
    word.chars().take(60).collect()
}

/// A question, and what answers it.
struct Question<'a> {
    app: &'a App,
    key: &'a PublicKey,
    facts: std::sync::Arc<Facts>,
    feed: Feed,
    query: GeotrekQuery,
    chosen: Chosen,
}

impl<'a> Question<'a> {
    async fn of(app: &'a App, key: &'a PublicKey, query: GeotrekQuery) -> Result<Self, FeedError> {
        let facts = facts(app).await?;
        let language = query.language.as_deref().filter(|language| *language != "all");
        let feed = frame(app, &facts, key, language)?;
        let chosen = Chosen::of(query.fields.as_deref(), query.omit.as_deref());
        Ok(Self { app, key, facts, feed, query, chosen })
    }

    fn is_geojson(&self) -> Result<bool, FeedError> {
        match self.query.format.as_deref() {
            None | Some("" | "json") => Ok(false),
            Some("geojson") => Ok(true),
            Some(_) => Err(bad("format")),
        }
    }

    /// The bounds of the content: those of the white-label, else those of the base map, else the world.
    fn extent(&self) -> [f64; 4] {
        let said =
            self.key.sheet.bounds.as_ref().map(|bounds| [bounds.sw[0], bounds.sw[1], bounds.ne[0], bounds.ne[1]]);
        let mapped = || self.app.region().tiles.as_ref().map(|tiles| tiles.bbox());
        said.or_else(mapped).unwrap_or([-180.0, -90.0, 180.0, 90.0])
    }

    async fn list(&self, endpoint: Endpoint, uri: &Uri) -> Result<String, FeedError> {
        match endpoint {
            Endpoint::Version => return Ok(geotrek::version()),
            Endpoint::Config => return Ok(geotrek::config(self.extent())),
            _ => {}
        }
        let is_long = matches!(endpoint, Endpoint::Trek | Endpoint::Tour | Endpoint::Poi | Endpoint::Content);
        let asked = PageQuery::of(
            (self.query.page.as_deref(), "page"),
            (self.query.page_size.as_deref(), "page_size"),
            if is_long { PAGE_SIZES } else { SHORT_LIST_SIZES },
        )?;
        let (total, results) = if self.is_empty(endpoint)? {
            (0, Vec::new())
        } else {
            match endpoint {
                Endpoint::Trek | Endpoint::Tour => self.treks(endpoint, asked).await?,
                Endpoint::Poi | Endpoint::Content => self.pois(endpoint, asked).await?,
                _ => self.short_list(endpoint, asked).await?,
            }
        };
        asked.within(total)?;
        let (next, previous) = asked.beside(&self.feed.api, uri, total);
        let write = if self.is_geojson()? { geotrek::collection } else { geotrek::page };
        Ok(write(total, next.as_deref(), previous.as_deref(), &results))
    }

    /// Whether nothing can answer: what is not published, and portals that are not ours.
    fn is_empty(&self, endpoint: Endpoint) -> Result<bool, FeedError> {
        let published = match self.query.published.as_deref().map(str::to_ascii_lowercase).as_deref() {
            None | Some("" | "true" | "1") => true,
            Some("false" | "0") => false,
            Some(_) => return Err(bad("published")),
        };
        let content = matches!(endpoint, Endpoint::Trek | Endpoint::Tour | Endpoint::Poi | Endpoint::Content);
        let portals = ids("portals", self.query.portals.as_deref())?;
        let query = &self.query;
        let unknown = [
            ("cities", query.cities.as_deref()),
            ("districts", query.districts.as_deref()),
            ("accessibilities", query.accessibilities.as_deref()),
            ("accessibility_level", query.accessibility_level.as_deref()),
            ("labels_accessibility", query.labels_accessibility.as_deref()),
        ];
        let mut beyond = portals.is_some_and(|ids| !ids.contains(&self.key.id));
        for (name, asked) in unknown {
            beyond |= ids(name, asked)?.is_some();
        }
        Ok(!published || content && beyond)
    }

    async fn treks(&self, endpoint: Endpoint, asked: PageQuery) -> Result<(u64, Vec<String>), FeedError> {
        let db = self.app.store.read();
        let feed = self.parcours_feed(endpoint).await?;
        let (found, total) = rows::parcours(db, &feed, asked.part()).await?;
        Ok((total, self.written(endpoint, &found).await?))
    }

    async fn written(&self, endpoint: Endpoint, found: &[ParcoursId]) -> Result<Vec<String>, FeedError> {
        let reach = self.reached();
        let all = gather::parcours(self.app, &self.facts, &self.feed, &reach, found, self.wanted()).await?;
        if endpoint == Endpoint::Trek {
            return Ok(all.iter().map(|one| geotrek::trek(&self.feed, one, &self.chosen)).collect());
        }
        // `count_children` counts those that are handed out, so that they are looked for where `steps` is not wanted too.
        let steps: Vec<i64> = if self.chosen.wants_any(&["steps", "count_children"]) {
            all.iter().flat_map(|one| &one.children).copied().collect()
        } else {
            Vec::new()
        };
        let most = steps.len().max(1) as u64;
        let under = ParcoursFeed { ids: Some(steps), under_parents: true, ..reach.clone() };
        let (found, _) = rows::parcours(self.app.store.read(), &under, (0, most)).await?;
        let wanted = if self.chosen.wants("steps") { Wanted::FOR_OTHERS } else { Wanted::default() };
        let steps = gather::parcours(self.app, &self.facts, &self.feed, &reach, &found, wanted).await?;
        let tour = |one: &feeds::Parcours| {
            let steps: Vec<&feeds::Parcours> =
                one.children.iter().filter_map(|id| steps.iter().find(|step| step.id == *id)).collect();
            geotrek::tour(&self.feed, one, &steps, &self.chosen)
        };
        Ok(all.iter().map(tour).collect())
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            line: self.chosen.wants_any(&["geometry", "length_3d"]),
            media: self.chosen.wants("attachments"),
            ..Wanted::default()
        }
    }

    fn reached(&self) -> ParcoursFeed {
        reach::parcours(self.key, &self.facts, Audience::Others)
    }

    async fn parcours_feed(&self, endpoint: Endpoint) -> Result<ParcoursFeed, FeedError> {
        let (db, query) = (self.app.store.read(), &self.query);
        let mut feed = ParcoursFeed {
            ids: ids("ids", query.ids.as_deref())?,
            bbox: bbox(query.in_bbox.as_deref())?,
            themes: terms(&self.facts, "themes", query.themes.as_deref())?,
            owners: self.of_structures()?,
            updated_after: instant("updated_after", query.updated_after.as_deref())?,
            parents: endpoint == Endpoint::Tour,
            ..self.reached()
        };
        feed.practices.extend(terms(&self.facts, "practices", query.practices.as_deref())?);
        feed.levels = self.levels()?;
        feed.tags = terms(&self.facts, "labels", query.labels.as_deref())?;
        feed.without_tags = terms(&self.facts, "labels_exclude", query.labels_exclude.as_deref())?.unwrap_or_default();
        feed.markings = terms(&self.facts, "networks", query.networks.as_deref())?;
        feed.special_levels = ids("ratings", query.ratings.as_deref())?;
        feed.distance_m = between("length", query.length_min.as_deref(), query.length_max.as_deref(), 1.0)?;
        feed.duration_s = between("duration", query.duration_min.as_deref(), query.duration_max.as_deref(), 3_600.0)?;
        feed.ascent_m = between("ascent", query.ascent_min.as_deref(), query.ascent_max.as_deref(), 1.0)?;
        feed.search = query.q.clone();
        if let Some(routes) = ids("routes", query.routes.as_deref())? {
            match (routes.contains(&1), routes.contains(&3)) {
                (true, true) => {}
                (false, false) => feed.ids = Some(Vec::new()),
                (is_loop, _) if feed.is_loop.is_some_and(|chosen| chosen != is_loop) => feed.ids = Some(Vec::new()),
                (is_loop, _) => feed.is_loop = Some(is_loop),
            }
        }
        if let Some(trek) = number("near_trek", query.near_trek.as_deref())? {
            let line = self.line_of(trek).await?.unwrap_or_default();
            match (trace::bbox(&line).map(|bbox| trace::widened(bbox, NEAR_M)), feed.bbox) {
                // Without a line nothing is near.
                (None, _) => feed.ids = Some(Vec::new()),
                (Some(near), None) => feed.bbox = Some(near),
                (Some(near), Some(_)) => {
                    let (among, _) =
                        rows::parcours(db, &ParcoursFeed { bbox: Some(near), ..feed.clone() }, ALL).await?;
                    feed.ids = Some(among.into_iter().map(|id| id.0).collect());
                }
            }
        }
        Ok(feed)
    }

    /// The levels asked for: by their numbers, and by the least and the highest.
    fn levels(&self) -> Result<Option<Vec<i64>>, FeedError> {
        let query = &self.query;
        let asked = ids("difficulties", query.difficulties.as_deref())?;
        let general = self.facts.list(VocabularyKind::Level).iter();
        let general = general.filter(|level| level.scale.as_deref() == Some("general"));
        // Geotrek counts difficulties by their numbers, other clients by the places on the scale.
        let rank = |asked: i64| {
            general.clone().find(|level| level.id == asked).map_or(asked, |level| geotrek::difficulty_rank(level))
        };
        let least = number("difficulty_min", query.difficulty_min.as_deref())?.map(rank);
        let most = number("difficulty_max", query.difficulty_max.as_deref())?.map(rank);
        if asked.is_none() && least.is_none() && most.is_none() {
            return Ok(None);
        }
        let fits = |level: &&std::sync::Arc<feeds::Term>| {
            let rank = geotrek::difficulty_rank(level);
            asked.as_ref().is_none_or(|ids| ids.contains(&level.id))
                && least.is_none_or(|least| rank >= least)
                && most.is_none_or(|most| rank <= most)
        };
        Ok(Some(general.filter(fits).map(|level| level.id).collect()))
    }

    /// The white-labels of the structures asked for.
    fn of_structures(&self) -> Result<Option<Vec<i64>>, FeedError> {
        let Some(asked) = ids("structures", self.query.structures.as_deref())? else { return Ok(None) };
        let theirs = self.facts.white_labels.iter().filter(|one| asked.contains(&one.sheet.structure_id));
        Ok(Some(theirs.map(|one| one.id).collect()))
    }

    /// The line of a trek that this key reaches.
    async fn line_of(&self, id: i64) -> Result<Option<Vec<Position>>, FeedError> {
        let db = self.app.store.read();
        let Some(id) = self.reaches(id).await? else { return Ok(None) };
        Ok(rows::lines(db, &[id]).await?.remove(&id.0))
    }

    /// The trek of a number, if this key reaches it.
    async fn reaches(&self, id: i64) -> Result<Option<ParcoursId>, FeedError> {
        Ok(reach::one(self.app, self.key, &self.facts, Audience::Others, id).await?)
    }

    /// POIs, or touristic contents: what Geotrek calls so are good addresses here.
    fn poi_feed(&self, endpoint: Endpoint) -> PoiFeed {
        PoiFeed { good_address: Some(endpoint == Endpoint::Content), ..reach::pois(self.key, &self.facts) }
    }

    fn written_poi(&self, endpoint: Endpoint, poi: &feeds::Poi) -> String {
        let write = if endpoint == Endpoint::Content { geotrek::touristic_content } else { geotrek::poi };
        write(&self.feed, poi, &self.chosen)
    }

    async fn pois(&self, endpoint: Endpoint, asked: PageQuery) -> Result<(u64, Vec<String>), FeedError> {
        let query = &self.query;
        let mut feed = PoiFeed {
            ids: ids("ids", query.ids.as_deref())?,
            bbox: bbox(query.in_bbox.as_deref())?,
            owners: self.of_structures()?,
            updated_after: instant("updated_after", query.updated_after.as_deref())?,
            search: query.q.clone(),
            ..self.poi_feed(endpoint)
        };
        let narrowed: &[(&str, Option<&str>)] = match endpoint {
            Endpoint::Content => &[("categories", query.categories.as_deref()), ("themes", query.themes.as_deref())],
            _ => &[("types", query.types.as_deref())],
        };
        for (name, asked) in narrowed {
            feed.terms.extend(terms(&self.facts, name, *asked)?);
        }
        // Touristic contents have no types here.
        if endpoint == Endpoint::Content && ids("types", query.types.as_deref())?.is_some() {
            return Ok((0, Vec::new()));
        }
        if let Some(trek) = number("trek", query.trek.as_deref())? {
            let Some(trek) = self.reaches(trek).await? else { return Ok((0, Vec::new())) };
            let stored = store::parcours::load(self.app.store.read(), trek).await?;
            narrow(&mut feed, stored.map(|one| one.sheet.poi_ids).unwrap_or_default());
        }
        if let Some(trek) = number("near_trek", query.near_trek.as_deref())? {
            let line = self.line_of(trek).await?.unwrap_or_default();
            let near = self.near(&feed, &line).await?;
            narrow(&mut feed, near);
        }
        let (found, total) = rows::pois(self.app.store.read(), &feed, asked.part()).await?;
        let all = gather::pois(self.app, &self.facts, &self.feed, &found).await?;
        Ok((total, all.iter().map(|one| self.written_poi(endpoint, one)).collect()))
    }

    /// The POIs near a line.
    async fn near(&self, feed: &PoiFeed, line: &[Position]) -> Result<Vec<i64>, FeedError> {
        let Some(bbox) = trace::bbox(line) else { return Ok(Vec::new()) };
        let boxed = PoiFeed { bbox: Some(trace::widened(bbox, NEAR_M)), ..feed.clone() };
        let along = Along::new(line, Pace::default(), None);
        let is_near = |[lon, lat]: [f64; 2]| {
            along.nearest(Position::new(lon, lat), None, 0.0).is_some_and(|foot| foot.offset_m <= NEAR_M)
        };
        let mut near = Vec::new();
        for page in 0.. {
            // The box of a long trek holds more than a page of them.
            let (found, total) = rows::pois(self.app.store.read(), &boxed, (page * PAGE_SIZES.1, PAGE_SIZES.1)).await?;
            let all = gather::pois(self.app, &self.facts, &self.feed, &found).await?;
            near.extend(all.iter().filter(|one| is_near(one.place)).map(|one| one.id));
            if (page + 1) * PAGE_SIZES.1 >= total {
                break;
            }
        }
        Ok(near)
    }

    async fn short_list(&self, endpoint: Endpoint, asked: PageQuery) -> Result<(u64, Vec<String>), FeedError> {
        let mut items = self.items(endpoint).await?;
        if let Some(wanted) = ids("ids", self.query.ids.as_deref())? {
            items.retain(|(id, _)| wanted.contains(id));
        }
        let (offset, limit) = asked.part();
        let total = items.len() as u64;
        let page = items.into_iter().skip(offset as usize).take(limit as usize).map(|(_, text)| text);
        Ok((total, page.collect()))
    }

    async fn items(&self, endpoint: Endpoint) -> Result<Vec<(i64, String)>, FeedError> {
        let owners = rows::owners(self.app.store.read(), self.key.id).await?;
        let bbox = bbox(self.query.in_bbox.as_deref())?;
        let logos = match endpoint {
            Endpoint::Source => logos(self.app, &self.facts, &owners).await?,
            _ => HashMap::new(),
        };
        Ok(lists::items(endpoint, &self.facts, &self.feed, (&owners, &logos), bbox, &self.chosen))
    }

    async fn one(&self, endpoint: Endpoint, id: i64) -> Result<String, FeedError> {
        let is_geojson = self.is_geojson()?;
        let found = match endpoint {
            Endpoint::Trek | Endpoint::Tour => {
                let found: Vec<ParcoursId> = self.reaches(id).await?.into_iter().collect();
                self.written(endpoint, &found).await?.pop()
            }
            Endpoint::Poi | Endpoint::Content => {
                let feed = PoiFeed { ids: Some(vec![id]), ..self.poi_feed(endpoint) };
                let (found, _) = rows::pois(self.app.store.read(), &feed, (0, 1)).await?;
                let all = gather::pois(self.app, &self.facts, &self.feed, &found).await?;
                all.first().map(|one| self.written_poi(endpoint, one))
            }
            _ => self.items(endpoint).await?.into_iter().find(|(number, _)| *number == id).map(|(_, text)| text),
        };
        let found = found.ok_or(FeedError::NotFound)?;
        Ok(if is_geojson { geotrek::feature(&found) } else { found })
    }
}

/// Keeps those that are among others too.
fn narrow(feed: &mut PoiFeed, among: Vec<i64>) {
    feed.ids = Some(match feed.ids.take() {
        Some(ids) => ids.into_iter().filter(|id| among.contains(id)).collect(),
        None => among,
    });
}

/// The least and the most of a figure, in our unit.
fn between(name: &str, least: Option<&str>, most: Option<&str>, unit: f64) -> Result<rows::Range, FeedError> {
    let read = |end: &str, asked: Option<&str>| -> Result<Option<f64>, FeedError> {
        let name = format!("{name}_{end}");
        let found: Option<f64> = app::filter::number(&name, asked)?;
        match found {
            Some(figure) if !figure.is_finite() => Err(bad(&name)),
            found => Ok(found.map(|figure| figure * unit)),
        }
    };
    Ok((read("min", least)?, read("max", most)?))
}

fn number(name: &str, asked: Option<&str>) -> Result<Option<i64>, FeedError> {
    Ok(app::filter::number(name, asked)?)
}
