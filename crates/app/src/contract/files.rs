//! Schemas of the JSON files that are streamed: the GeoJSON exports and the style of the map. No value is made of these types:
//! they only describe the files in the contract.

use std::collections::BTreeMap;

use domain::parcours::{Progress, Relation, ReliabilityState};
use domain::{Instant, Text};
use serde_json::{Map, Value};
use trace::{BoundingBox, Place, Position};
use utoipa::ToSchema;

/// The type of a GeoJSON collection.
#[derive(Debug, ToSchema)]
pub enum CollectionType {
    /// A list of features.
    FeatureCollection,
}

/// The type of a GeoJSON feature.
#[derive(Debug, ToSchema)]
pub enum FeatureType {
    /// One line or point with its properties.
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
    pub id: i64,
    /// Its line in use, where it has one.
    pub geometry: Option<LineOrPoint>,
    /// What the list shows of it.
    pub properties: ParcoursFacts,
}

/// What was surveyed of a campaign as GeoJSON.
#[derive(Debug, ToSchema)]
pub struct SurveyCollection {
    /// A collection.
    pub r#type: CollectionType,
    /// One for each part of a stretch.
    pub features: Vec<SurveyFeature>,
}

/// A part of a stretch.
#[derive(Debug, ToSchema)]
pub struct SurveyFeature {
    /// A feature.
    pub r#type: FeatureType,
    /// Its line.
    pub geometry: Option<LineOrPoint>,
    /// What is known of it.
    pub properties: SurveyFacts,
}

/// The facts of a part of a stretch.
#[derive(Debug, ToSchema)]
pub struct SurveyFacts {
    pub parcours_id: i64,
    pub parcours: Option<String>,
    /// The person who surveys it.
    pub surveyor: Option<String>,
    /// Metres from the departure.
    pub from_m: f64,
    /// Metres from the departure.
    pub to_m: f64,
    /// When it was last surveyed.
    pub surveyed_at: Option<Instant>,
    /// By whom.
    pub surveyed_by: Option<String>,
}

/// The facts of a parcours in an export.
#[derive(Debug, ToSchema)]
pub struct ParcoursFacts {
    pub title: Text,
    /// Practice.
    pub practice_type_id: Option<i64>,
    pub level_id: Option<i64>,
    /// Loop or one way.
    pub is_loop: Option<bool>,
    /// Stay or circuit.
    pub is_stay: Option<bool>,
    /// Model, child, both or neither.
    pub relation: Relation,
    pub distance_m: Option<f64>,
    pub duration_s: Option<f64>,
    pub ascent_m: Option<f64>,
    /// Number of stages.
    pub stages: i64,
    /// Percent.
    pub reliability: Option<f64>,
    /// How good this reliability is.
    pub reliability_state: ReliabilityState,
    /// Where it starts.
    pub start: Option<Place>,
    /// How far the editors are with it.
    pub progress_status: Option<Progress>,
    /// Values of the fields that its white-label added.
    pub custom: BTreeMap<String, Value>,
    /// Name of its white-label.
    pub white_label: String,
    /// Whether it is published.
    pub published: bool,
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
    /// Its name and description.
    pub properties: TraceFacts,
}

/// The properties of a feature of a trace.
#[derive(Debug, ToSchema)]
pub struct TraceFacts {
    pub name: Option<String>,
    /// A plain text.
    pub description: Option<String>,
    /// The author of the line.
    #[schema(required = false)]
    pub author: String,
    /// The holder of the rights on the line.
    #[schema(required = false)]
    pub copyright: String,
    /// Where the heights of the line come from, where they are all of a terrain model: `Jalon, elevations of a terrain model`.
    #[schema(required = false)]
    pub src: String,
    /// When each point of the line was recorded.
    #[schema(required = false, rename = "coordTimes")]
    pub coord_times: Vec<String>,
    /// The name of a step's symbol in a GPX file.
    pub symbol: Option<String>,
}

/// A style of MapLibre, version 8.
#[derive(Debug, ToSchema)]
pub struct MapStyle {
    /// The version of the format.
    pub version: u8,
    pub name: String,
    /// The address of the fonts.
    pub glyphs: String,
    /// The address of the icons.
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
    /// The box that the tiles cover.
    pub bounds: BoundingBox,
    /// For vector tiles: who made the data.
    #[schema(required = false)]
    pub attribution: String,
    /// For the relief: how heights are written.
    #[schema(required = false)]
    pub encoding: String,
    /// For the relief: the width of a tile in pixels.
    #[schema(required = false, rename = "tileSize")]
    pub tile_size: u16,
}

/// A layer of a style. Its members are those of MapLibre's style specification.
#[derive(Debug, ToSchema)]
pub struct MapLayer {
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
    /// Placement and visibility (`layout` of MapLibre).
    #[schema(required = false, value_type = BTreeMap<String, Value>)]
    pub layout: Map<String, Value>,
    /// Colours, widths and opacities (`paint` of MapLibre).
    #[schema(required = false, value_type = BTreeMap<String, Value>)]
    pub paint: Map<String, Value>,
}
