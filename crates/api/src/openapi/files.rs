//! The form of JSON that is written piece by piece, so that no type of Rust has it whole: exports and the style of the map.
//! These types only describe.

#![expect(dead_code, reason = "no value is made of a type that only describes")]

use std::collections::BTreeMap;

use domain::parcours::{Progress, Relation, ReliabilityState};
use domain::{Instant, Text};
use serde_json::{Map, Value};
use trace::{BoundingBox, Place, Position};
use utoipa::ToSchema;

/// What GeoJSON calls a collection.
#[derive(Debug, ToSchema)]
pub enum CollectionType {
    /// Features in a list.
    FeatureCollection,
}

/// What GeoJSON calls a feature.
#[derive(Debug, ToSchema)]
pub enum FeatureType {
    /// One thing on the map.
    Feature,
}

/// A geometry of GeoJSON, of the two that are exported.
#[derive(Debug, ToSchema)]
#[serde(tag = "type", content = "coordinates")]
pub enum LineOrPoint {
    /// A line.
    LineString(Vec<Position>),
    /// A point.
    Point(Position),
}

/// A list of parcours as GeoJSON.
#[derive(Debug, ToSchema)]
pub struct ParcoursCollection {
    /// A collection.
    pub r#type: CollectionType,
    /// One for each parcours.
    pub features: Vec<ParcoursFeature>,
}

/// A parcours of an export.
#[derive(Debug, ToSchema)]
pub struct ParcoursFeature {
    /// A feature.
    pub r#type: FeatureType,
    /// Its number.
    pub id: i64,
    /// Its line in use, where it has one.
    pub geometry: Option<LineOrPoint>,
    /// The facts of its row.
    pub properties: ParcoursFacts,
}

/// The facts of a parcours in an export.
#[derive(Debug, ToSchema)]
pub struct ParcoursFacts {
    /// Name.
    pub title: Text,
    /// Practice.
    pub practice_type_id: Option<i64>,
    /// Level.
    pub level_id: Option<i64>,
    /// Loop or one way.
    pub is_loop: Option<bool>,
    /// Stay or circuit.
    pub is_stay: Option<bool>,
    /// Model, child, both or neither.
    pub relation: Relation,
    /// Metres.
    pub distance_m: Option<f64>,
    /// Seconds.
    pub duration_s: Option<f64>,
    /// Metres.
    pub ascent_m: Option<f64>,
    /// Number of stages.
    pub stages: i64,
    /// Percent.
    pub reliability: Option<f64>,
    /// The same in one word.
    pub reliability_state: ReliabilityState,
    /// Where it starts.
    pub start: Option<Place>,
    /// Where the work on it stands.
    pub progress_status: Option<Progress>,
    /// Values of the fields its white-label added.
    pub custom: BTreeMap<String, Value>,
    /// Name of its white-label.
    pub white_label: String,
    /// Whether it is published.
    pub published: bool,
    /// When it was last saved.
    pub updated_at: Instant,
}

/// A trace with its steps as GeoJSON: the line first.
#[derive(Debug, ToSchema)]
pub struct TraceCollection {
    /// A collection.
    pub r#type: CollectionType,
    /// The line, then the steps.
    pub features: Vec<TraceFeature>,
}

/// The line of a trace, or one of its steps.
#[derive(Debug, ToSchema)]
pub struct TraceFeature {
    /// A feature.
    pub r#type: FeatureType,
    /// The line or the place.
    pub geometry: LineOrPoint,
    /// Its words.
    pub properties: TraceFacts,
}

/// The words of a feature of a trace.
#[derive(Debug, ToSchema)]
pub struct TraceFacts {
    /// Name.
    pub name: Option<String>,
    /// A plain text.
    pub description: Option<String>,
    /// Of the line: who made it.
    #[schema(required = false)]
    pub author: String,
    /// Of the line: who holds the rights.
    #[schema(required = false)]
    pub copyright: String,
    /// Of the line: when each of its points was recorded.
    #[schema(required = false, rename = "coordTimes")]
    pub coord_times: Vec<String>,
    /// Of a step: its sign.
    pub symbol: Option<String>,
}

/// A style of MapLibre, version 8.
#[derive(Debug, ToSchema)]
pub struct MapStyle {
    /// The version of the format.
    pub version: u8,
    /// Its name.
    pub name: String,
    /// The address of the letters.
    pub glyphs: String,
    /// The address of the signs.
    pub sprite: String,
    /// The tiles, by name.
    pub sources: BTreeMap<String, MapSource>,
    /// What is drawn, the lowest first.
    pub layers: Vec<MapLayer>,
}

/// Tiles of a style.
#[derive(Debug, ToSchema)]
pub struct MapSource {
    /// `vector` or `raster-dem`.
    pub r#type: String,
    /// The addresses of the tiles.
    pub tiles: Vec<String>,
    /// The least zoom.
    pub minzoom: u8,
    /// The greatest zoom.
    pub maxzoom: u8,
    /// Where there are tiles.
    pub bounds: BoundingBox,
    /// Of vector tiles: who made the data.
    #[schema(required = false)]
    pub attribution: String,
    /// Of the relief: how heights are written.
    #[schema(required = false)]
    pub encoding: String,
    /// Of the relief: the width of a tile in pixels.
    #[schema(required = false, rename = "tileSize")]
    pub tile_size: u16,
}

/// A layer of a style. What it paints with is a matter of MapLibre's own documents.
#[derive(Debug, ToSchema)]
pub struct MapLayer {
    /// Its name.
    pub id: String,
    /// `background`, `fill`, `line`, `symbol` …
    pub r#type: String,
    /// The source it is drawn from.
    #[schema(required = false)]
    pub source: String,
    /// The layer of that source.
    #[schema(required = false, rename = "source-layer")]
    pub source_layer: String,
    /// From this zoom.
    #[schema(required = false)]
    pub minzoom: f64,
    /// To this zoom.
    #[schema(required = false)]
    pub maxzoom: f64,
    /// Which features, as an expression.
    #[schema(required = false)]
    pub filter: Vec<Value>,
    /// Where and whether.
    #[schema(required = false, value_type = BTreeMap<String, Value>)]
    pub layout: Map<String, Value>,
    /// In which colours.
    #[schema(required = false, value_type = BTreeMap<String, Value>)]
    pub paint: Map<String, Value>,
}
