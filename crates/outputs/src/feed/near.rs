//! The parcours that a white-label's own pages show: those that start near a place, the nearest first; and all of them.

use app::{App, Environment};
use domain::white_label::WhiteLabelSheet;
use feeds::Parcours;
use store::feed::{self as rows, ParcoursFeed};
use store::{StoreError, parcours};
use trace::{Position, bbox_around, distance_m};

use super::access::PublicKey;
use super::facts::facts;
use super::gather::{self, Wanted};
use super::query;
use super::reach::{self, Audience};

/// The most parcours of the box whose distance is measured, in the order of their numbers.
const MAX_CANDIDATES: u64 = 2_000;
/// The most parcours in an answer.
const MAX_SHOWN: usize = 60;

/// The filter of the parcours nearby.
#[derive(Debug, Clone, Copy)]
pub struct Near<'a> {
    /// Degrees east and north.
    pub at: [f64; 2],
    /// How far from it they may start, in metres.
    pub radius_m: f64,
    /// Only those of one of these practices or of those under them; all when empty.
    pub practices: &'a [i64],
    /// With one of these themes or of those under them; all when empty.
    pub themes: &'a [i64],
}

/// The parcours a white-label's site shows that start near a place, each with its metres as the crow flies.
pub async fn near(
    app: &App,
    (id, sheet): (i64, WhiteLabelSheet),
    asked: Near<'_>,
) -> Result<Vec<(Parcours, f64)>, StoreError> {
    let (db, facts) = (app.store.read(), facts(app).await?);
    let key = PublicKey::of_own_pages(id, sheet);
    let reach = reach::parcours(&key, &facts, Audience::Ours);
    let mut feed = ParcoursFeed { bbox: Some(bbox_around(asked.at, asked.radius_m)), ..reach.clone() };
    if !asked.practices.is_empty() {
        feed.practices.push(facts.with_those_under(asked.practices));
    }
    feed.themes = (!asked.themes.is_empty()).then(|| facts.with_those_under(asked.themes));
    let (ids, _) = rows::parcours(db, &feed, (0, MAX_CANDIDATES)).await?;
    let place = Position::new(asked.at[0], asked.at[1]);
    let mut starts: Vec<_> = parcours::load_many(db, &ids)
        .await?
        .into_iter()
        .filter_map(|one| one.drawing.start.map(|[lon, lat]| (one.id, distance_m(place, Position::new(lon, lat)))))
        .filter(|(_, metres)| *metres <= asked.radius_m)
        .collect();
    starts.sort_by(|(one, near), (other, far)| near.total_cmp(far).then(one.0.cmp(&other.0)));
    starts.truncate(MAX_SHOWN);
    let frame = query::own_frame(app, &facts, &key);
    let ids: Vec<_> = starts.iter().map(|(id, _)| *id).collect();
    let found =
        gather::parcours(app, &facts, &frame, &reach, &ids, Wanted { media: true, ..Wanted::default() }).await?;
    let metres_of = |id: i64| starts.iter().find(|(start, _)| start.0 == id).map(|(_, metres)| *metres);
    Ok(found.into_iter().filter_map(|one| metres_of(one.id).map(|metres| (one, metres))).collect())
}

/// The parcours that a white-label's site shows, the favoured ones first: `limit` of them from `offset` on, and how many there are in
/// all.
pub async fn shown(
    app: &App,
    (id, sheet): (i64, WhiteLabelSheet),
    (offset, limit): (u64, u64),
) -> Result<(Vec<Parcours>, u64), StoreError> {
    let (db, facts) = (app.store.read(), facts(app).await?);
    let key = PublicKey::of_own_pages(id, sheet);
    let feed = reach::parcours(&key, &facts, Audience::Ours);
    let (ids, total) = rows::parcours_favoured_first(db, &feed, (offset, limit)).await?;
    let frame = query::own_frame(app, &facts, &key);
    let found = gather::parcours(app, &facts, &frame, &feed, &ids, Wanted { media: true, ..Wanted::default() }).await?;
    Ok((found, total))
}

/// The white-label whose site has this host, and the address of that site without a slash at its end.
pub async fn site_at(app: &App, host: &str) -> Result<Option<(i64, WhiteLabelSheet, String)>, StoreError> {
    let is_here = |site: &str| site.split_once("://").is_some_and(|(_, own)| own.eq_ignore_ascii_case(host));
    if is_here(&app.settings.public_url) {
        return Ok(None);
    }
    let facts = facts(app).await?;
    // Addresses for trials come last, so that none takes the place of a site.
    let sites = facts.white_labels.iter().map(|one| (one, &one.sheet.domain));
    let for_trials = facts.white_labels.iter().map(|one| (one, &one.sheet.preproduction_domain));
    let sites = sites.chain(for_trials).filter_map(|(one, site)| Some((one, site.as_deref()?.trim_end_matches('/'))));
    let here = sites.into_iter().find(|(_, site)| is_here(site));
    Ok(here.map(|(one, site)| (one.id, one.sheet.clone(), site.to_owned())))
}

/// The address of the published site of a white-label, without a slash at its end.
pub async fn site_of(app: &App, white_label: i64) -> Result<Option<String>, StoreError> {
    let facts = facts(app).await?;
    let own = facts.white_labels.iter().find(|one| one.id == white_label && one.sheet.published);
    Ok(own.and_then(|one| site_address(app, &one.sheet)))
}

/// The address of the site of a white-label once it is published, without a slash at its end.
pub fn site_address(app: &App, sheet: &WhiteLabelSheet) -> Option<String> {
    let domain = match app.settings.environment {
        Environment::Preproduction => &sheet.preproduction_domain,
        _ => &sheet.domain,
    };
    domain.as_deref().map(|site| site.trim_end_matches('/').to_owned())
}
