//! What the tools take. The descriptions are in the schemas that assistants read.

use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};

/// The number of a record.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ById {
    /// The number of the record, as lists and searches give it.
    pub id: i64,
}

/// Nothing.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// The arguments of a search.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchArguments {
    /// Words; all of them must be there, accents do not count, the last one may be begun.
    pub q: String,
    /// Kinds of records, all by default: parcours, poi, media, transport_line, itinerary, closure, contact, structure.
    #[serde(default)]
    pub kinds: Vec<String>,
}

/// The filters of the list of parcours.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ParcoursArguments {
    /// Words of the texts.
    pub search: Option<String>,
    /// Whether they are published.
    pub published: Option<bool>,
    /// The progress of the work: any, to_review, to_fix. Without it, those on which no work is noted.
    pub progress: Option<String>,
    /// mine, shared or all.
    pub owner: Option<String>,
    /// Whether something is still to fill in.
    pub incomplete: Option<bool>,
    /// What they lack: no_photo, no_english, no_legend.
    #[serde(default)]
    pub lack: Vec<String>,
    /// Scored, with a reliability below this percentage.
    pub reliability_below: Option<f64>,
    /// West, south, east, north in degrees.
    pub bbox: Option<[f64; 4]>,
    /// Whether they are closed somewhere today.
    pub closed: Option<bool>,
    /// updated_at, created_at, title, distance, reliability or priority; with a minus sign the greatest first.
    pub sort: Option<String>,
    /// The page, from 1.
    pub page: Option<u32>,
    /// Rows on a page, 50 at most.
    #[schemars(range(min = 1, max = 50))]
    pub per_page: Option<u32>,
}

/// The filters of the list of points of interest.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PoiArguments {
    /// Words of the title or the town.
    pub search: Option<String>,
    /// West, south, east, north in degrees.
    pub bbox: Option<[f64; 4]>,
    /// Whether they are published.
    pub published: Option<bool>,
    /// Those near the line of this parcours.
    pub near_parcours: Option<i64>,
    /// How near, in metres; 500 by default.
    pub within_m: Option<f64>,
    /// Whether something is still to fill in.
    pub incomplete: Option<bool>,
    /// mine, shared or all.
    pub owner: Option<String>,
    /// The page, from 1.
    pub page: Option<u32>,
    /// Rows on a page, 50 at most.
    #[schemars(range(min = 1, max = 50))]
    pub per_page: Option<u32>,
}

/// The filters of the list of closures.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ClosureArguments {
    /// Words of the title.
    pub search: Option<String>,
    /// now, later or past.
    pub state: Option<String>,
    /// West, south, east, north in degrees.
    pub bbox: Option<[f64; 4]>,
    /// The page, from 1.
    pub page: Option<u32>,
    /// Rows on a page, 50 at most.
    #[schemars(range(min = 1, max = 50))]
    pub per_page: Option<u32>,
}

/// The filters of the list of itineraries.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ItineraryArguments {
    /// Words of the name or the code.
    pub search: Option<String>,
    /// The page, from 1.
    pub page: Option<u32>,
    /// Rows on a page, 50 at most.
    #[schemars(range(min = 1, max = 50))]
    pub per_page: Option<u32>,
}

/// Where to pass, and how one travels.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RouteArguments {
    /// Two points at least, in order, each as longitude and latitude in degrees.
    pub points: Vec<[f64; 2]>,
    /// touring, road, gravel, mtb, ebike, hiking, family or waterway.
    pub profile: String,
    /// The month of the journey, 1 to 12: ways closed in that season are not used.
    pub month: Option<u8>,
    /// Whether the answer has the line, as a polyline with six decimals.
    #[serde(default)]
    pub with_line: bool,
}

/// A text that is proposed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TextArguments {
    /// The number of the parcours.
    pub id: i64,
    /// title, subtitle, summary, description (HTML with p, strong, em, ul, ol, li, a), meta_title, meta_description or audio_guide.
    pub field: String,
    /// The language of the text, such as fr or en.
    pub language: String,
    /// The whole text that would take the place of the present one.
    pub text: String,
    /// Why, in one or two sentences for the person who decides.
    pub note: Option<String>,
}

/// A step that is proposed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct StepArguments {
    /// The number of the parcours.
    pub id: i64,
    /// waypoint, step, optional_step, night, nights, step_night, departure, arrival, favourite or advice.
    pub kind: String,
    /// The name by language, such as {"fr": "Col de la Croix"}.
    pub title: std::collections::BTreeMap<String, String>,
    /// A plain text by language.
    #[serde(default)]
    pub description: std::collections::BTreeMap<String, String>,
    /// Longitude and latitude in degrees.
    pub position: [f64; 2],
    /// Why, in one or two sentences for the person who decides.
    pub note: Option<String>,
}
