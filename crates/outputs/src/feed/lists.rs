//! The short lists of Geotrek: each item with its number, which can be filtered, paged and read one by one.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use domain::vocabulary::VocabularyKind;
use feeds::geotrek::{self, Endpoint, Named};
use feeds::{Chosen, Feed, Owner};

use super::facts::Facts;

/// Every item of a list, in its order. `owners` are the white-labels of the content that is handed out; `logos` the addresses of
/// their logos, which sources alone have.
pub fn items(
    endpoint: Endpoint,
    facts: &Facts,
    feed: &Feed,
    (owners, logos): (&[i64], &HashMap<i64, String>),
    bbox: Option<[f64; 4]>,
    chosen: &Chosen,
) -> Vec<(i64, String)> {
    use VocabularyKind as K;
    let all = |kind: K, write: fn(&Feed, &feeds::Term, &Chosen) -> String| {
        facts.list(kind).iter().map(|term| (term.id, write(feed, term, chosen))).collect()
    };
    let levels = facts.list(K::Level);
    match endpoint {
        Endpoint::ContentCategory => all(K::PoiCategory, geotrek::content_category),
        Endpoint::PoiType => all(K::PoiCategory, geotrek::poi_type),
        // Here themes of POIs are a separate list; there POIs and treks share one.
        Endpoint::Theme => {
            let mut both = all(K::ParcoursTheme, geotrek::theme);
            both.extend(all(K::PoiTheme, geotrek::theme));
            both
        }
        Endpoint::Practice => all(K::PracticeType, geotrek::practice),
        Endpoint::Network => all(K::Marking, geotrek::network),
        Endpoint::Label => all(K::Tag, geotrek::label),
        Endpoint::Difficulty => {
            let general = levels.iter().filter(|level| level.scale.as_deref() == Some("general"));
            general.map(|level| (level.id, geotrek::difficulty(feed, level, chosen))).collect()
        }
        Endpoint::Rating => {
            let scales: BTreeMap<&str, i64> =
                geotrek::scales(levels).into_iter().map(|(number, code)| (code, number)).collect();
            let scale = |level: &feeds::Term| level.scale.as_deref().and_then(|code| scales.get(code)).copied();
            let rated = levels.iter().filter_map(|level| Some((level, scale(level)?)));
            rated.map(|(level, scale)| (level.id, geotrek::rating(feed, level, scale, chosen))).collect()
        }
        Endpoint::RatingScale => {
            let scales = geotrek::scales(levels).into_iter();
            scales.map(|scale| (scale.0, geotrek::rating_scale(feed, scale, chosen))).collect()
        }
        Endpoint::Route => geotrek::routes(feed, chosen),
        Endpoint::Source => {
            let source = |id: i64| geotrek::source(&facts.owner(id), logos.get(&id).map(String::as_str), chosen);
            owners.iter().map(|id| (*id, source(*id))).collect()
        }
        Endpoint::Structure => structures(facts, owners, None, |one| {
            geotrek::structure(Named { id: one.structure_id, name: &one.structure }, chosen)
        }),
        Endpoint::Desk => structures(facts, owners, bbox, |one| geotrek::information_desk(feed, one, chosen)),
        Endpoint::FileType => geotrek::file_types(chosen),
        Endpoint::LinkCategory => vec![geotrek::link_category(feed, chosen)],
        Endpoint::DeskType => vec![geotrek::desk_type(feed, chosen)],
        Endpoint::Portal => vec![(feed.reader.id, geotrek::portal(feed, chosen))],
        Endpoint::Nothing
        | Endpoint::Version
        | Endpoint::Config
        | Endpoint::Trek
        | Endpoint::Tour
        | Endpoint::Poi
        | Endpoint::Content => Vec::new(),
    }
}

/// Each structure once; with a box, those whose place is known to be in it.
fn structures(
    facts: &Facts,
    owners: &[i64],
    bbox: Option<[f64; 4]>,
    write: impl Fn(&Owner) -> String,
) -> Vec<(i64, String)> {
    let is_inside = |owner: &Arc<Owner>| {
        let Some([west, south, east, north]) = bbox else { return true };
        owner.location.is_some_and(|[lon, lat]| west <= lon && lon <= east && south <= lat && lat <= north)
    };
    let owners = owners.iter().map(|id| facts.owner(*id)).filter(is_inside);
    let once: BTreeMap<i64, Arc<Owner>> = owners.map(|owner| (owner.structure_id, owner)).collect();
    once.into_iter().map(|(id, owner)| (id, write(&owner))).collect()
}
