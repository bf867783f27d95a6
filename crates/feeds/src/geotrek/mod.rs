//! The Geotrek API v2, read side: the same keys in the same types, so that what speaks it works unchanged.
//!
//! What Geotrek knows and we do not (accessibility, communes, sectors …) is there and empty.

mod attachments;
mod lists;
mod poi;
mod profile;
mod tourism;
mod trek;

use std::fmt::Write;

pub use lists::{
    Named, difficulty, label, network, poi_type, portal, practice, rating, rating_scale, routes, scales, source,
    structure, theme,
};
pub use poi::poi;
pub use profile::profile;
use serde::Serialize;
pub use tourism::{content_category, desk_type, information_desk, touristic_content};
pub use trek::{tour, trek};

use crate::object::json;

/// What Geotrek answers at, in its own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endpoint {
    /// Parcours.
    Trek,
    /// Parcours that have others under them, with these.
    Tour,
    /// POIs that are no good addresses.
    Poi,
    /// POIs that are good addresses.
    Content,
    /// POI categories, for good addresses.
    ContentCategory,
    /// Structures behind white-labels, where one asks.
    Desk,
    /// What kind of desk they are.
    DeskType,
    /// POI categories.
    PoiType,
    /// Themes of parcours.
    Theme,
    /// Levels of the general scale.
    Difficulty,
    /// Practice types.
    Practice,
    /// Loop, there and back, one way.
    Route,
    /// Markings.
    Network,
    /// Levels of other scales.
    Rating,
    /// These scales.
    RatingScale,
    /// Tags.
    Label,
    /// White-labels that own what is handed out.
    Source,
    /// Structures behind them.
    Structure,
    /// The white-label whose key asks.
    Portal,
    /// What Geotrek has and we do not: always an empty list.
    Nothing,
}

/// Each word, and what answers to it.
pub const ENDPOINTS: &[(&str, Endpoint)] = &[
    ("trek", Endpoint::Trek),
    ("tour", Endpoint::Tour),
    ("poi", Endpoint::Poi),
    ("poi_type", Endpoint::PoiType),
    ("theme", Endpoint::Theme),
    ("trek_difficulty", Endpoint::Difficulty),
    ("trek_practice", Endpoint::Practice),
    ("trek_route", Endpoint::Route),
    ("trek_network", Endpoint::Network),
    ("trek_rating", Endpoint::Rating),
    ("trek_ratingscale", Endpoint::RatingScale),
    ("label", Endpoint::Label),
    ("source", Endpoint::Source),
    ("structure", Endpoint::Structure),
    ("portal", Endpoint::Portal),
    ("trek_accessibility", Endpoint::Nothing),
    ("trek_accessibility_level", Endpoint::Nothing),
    ("city", Endpoint::Nothing),
    ("district", Endpoint::Nothing),
    ("informationdesk", Endpoint::Desk),
    ("informationdesk_type", Endpoint::DeskType),
    ("touristiccontent", Endpoint::Content),
    ("touristiccontent_category", Endpoint::ContentCategory),
    ("touristicevent", Endpoint::Nothing),
    ("touristicevent_type", Endpoint::Nothing),
    ("touristicevent_place", Endpoint::Nothing),
    ("sensitivearea", Endpoint::Nothing),
    ("sensitivearea_practice", Endpoint::Nothing),
    ("sensitivearea_species", Endpoint::Nothing),
    ("service", Endpoint::Nothing),
    ("service_type", Endpoint::Nothing),
    ("reservationsystem", Endpoint::Nothing),
    ("organism", Endpoint::Nothing),
    ("infrastructure", Endpoint::Nothing),
    ("signage", Endpoint::Nothing),
    ("outdoor_site", Endpoint::Nothing),
    ("outdoor_course", Endpoint::Nothing),
    ("flatpage", Endpoint::Nothing),
    ("menu_item", Endpoint::Nothing),
    ("hdviewpoint", Endpoint::Nothing),
];

impl Endpoint {
    /// What answers to a word.
    pub fn parse(word: &str) -> Option<Self> {
        ENDPOINTS.iter().find(|(name, _)| *name == word).map(|(_, endpoint)| *endpoint)
    }
}

/// A page of a list, as Django REST framework writes it.
pub fn page(count: u64, next: Option<&str>, previous: Option<&str>, results: &[String]) -> String {
    let mut out = String::with_capacity(results.iter().map(|one| one.len() + 1).sum::<usize>() + 200);
    let _ = write!(out, r#"{{"count":{count},"next":{},"previous":{},"results":["#, json(&next), json(&previous));
    for (number, one) in results.iter().enumerate() {
        if number > 0 {
            out.push(',');
        }
        out.push_str(one);
    }
    out.push_str("]}");
    out
}

/// A point, a line or several points.
#[derive(Debug, Clone, Serialize)]
struct Geometry<C> {
    r#type: &'static str,
    coordinates: C,
}

/// Seven decimals are a centimetre, as Geotrek rounds.
fn round7(degrees: f64) -> f64 {
    (degrees * 1e7).round() / 1e7
}
