//! The Geotrek API v2, read side: the same keys with the same types, so that its clients work unchanged.
//!
//! Fields that only Geotrek has (accessibility, communes, sectors …) are there and empty.

mod attachments;
mod lists;
mod poi;
mod profile;
mod tourism;
mod trek;

use std::fmt::Write;

pub use attachments::file_types;
pub use lists::{
    Named, difficulty, difficulty_rank, label, network, poi_type, portal, practice, rating, rating_scale, routes,
    scales, source, structure, theme,
};
pub use poi::poi;
pub use profile::{Ground, profile, profile_svg};
use serde::Serialize;
pub use tourism::{content_category, desk_type, information_desk, touristic_content};
pub use trek::{link_category, tour, trek};

use crate::object::json;

/// An endpoint of the Geotrek API v2. The comment of each variant says which of our content it returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endpoint {
    /// Parcours.
    Trek,
    /// Parcours that have others under them, with these.
    Tour,
    /// POIs without the flag “good address” (`good_address`).
    Poi,
    /// POIs with the flag “good address” (`good_address`).
    Content,
    /// POI categories, for good addresses.
    ContentCategory,
    /// Structures of white-labels, as information desks.
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
    /// What media are for.
    FileType,
    /// Kinds of links.
    LinkCategory,
    /// The Geotrek version whose answers these follow: an object, no list.
    Version,
    /// The settings, with the bounds of the content: an object, no list.
    Config,
    /// What Geotrek has and we do not: always an empty list.
    Nothing,
}

/// The name of each endpoint in the path (`/api/v2/trek/`), and the endpoint.
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
    ("annotation_category", Endpoint::Nothing),
    ("feedback_activity", Endpoint::Nothing),
    ("feedback_category", Endpoint::Nothing),
    ("feedback_magnitude", Endpoint::Nothing),
    ("feedback_status", Endpoint::Nothing),
    ("file_type", Endpoint::FileType),
    ("infrastructure_condition", Endpoint::Nothing),
    ("infrastructure_maintenance_difficulty_level", Endpoint::Nothing),
    ("infrastructure_type", Endpoint::Nothing),
    ("infrastructure_usage_difficulty_level", Endpoint::Nothing),
    ("label_accessibility", Endpoint::Nothing),
    ("path", Endpoint::Nothing),
    ("outdoor_coursetype", Endpoint::Nothing),
    ("outdoor_practice", Endpoint::Nothing),
    ("outdoor_rating", Endpoint::Nothing),
    ("outdoor_ratingscale", Endpoint::Nothing),
    ("outdoor_sector", Endpoint::Nothing),
    ("outdoor_sitetype", Endpoint::Nothing),
    ("signage_blade_type", Endpoint::Nothing),
    ("signage_color", Endpoint::Nothing),
    ("signage_condition", Endpoint::Nothing),
    ("signage_direction", Endpoint::Nothing),
    ("signage_sealing", Endpoint::Nothing),
    ("signage_type", Endpoint::Nothing),
    ("touristicevent_organizer", Endpoint::Nothing),
    ("weblink_category", Endpoint::LinkCategory),
    ("version", Endpoint::Version),
    ("config", Endpoint::Config),
];

impl Endpoint {
    /// The endpoint of a name in the path; `None` where Geotrek has none of this name.
    pub fn parse(word: &str) -> Option<Self> {
        ENDPOINTS.iter().find(|(name, _)| *name == word).map(|(_, endpoint)| *endpoint)
    }
}

/// The version of Geotrek whose answers these are like: readers ask for it before anything else.
pub const VERSION: &str = "2.126.1";

/// The answer to `version`.
pub fn version() -> String {
    format!(r#"{{"version":"{VERSION}"}}"#)
}

/// The answer to `config`: west, south, east and north of the content.
pub fn config(bbox: [f64; 4]) -> String {
    format!(r#"{{"bbox":{}}}"#, json(&bbox))
}

/// An item as a GeoJSON feature: its geometry, the rest as its properties.
pub fn feature(one: &str) -> String {
    feature_of(one).to_string()
}

fn feature_of(one: &str) -> serde_json::Value {
    let mut properties: serde_json::Map<String, serde_json::Value> = serde_json::from_str(one).unwrap_or_default();
    let geometry = properties.remove("geometry");
    serde_json::json!({"type": "Feature", "id": properties.get("id"), "geometry": geometry, "properties": properties})
}

/// A page of a list as a GeoJSON collection.
pub fn collection(count: u64, next: Option<&str>, previous: Option<&str>, results: &[String]) -> String {
    let features: Vec<serde_json::Value> = results.iter().map(|one| feature_of(one)).collect();
    let page = serde_json::json!({
        "type": "FeatureCollection", "count": count, "next": next, "previous": previous, "features": features,
    });
    page.to_string()
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
