//! The base map under the line: areas and lines of the prepared tiles, one path per style, in the colours of printed maps.

use std::collections::BTreeMap;
use std::io::Read as _;

use basemap::{TileSource, Tiles};
use fast_mvt::{MvtFeatureRef, MvtReaderRef, MvtValueRef};
use trace::web_mercator::project;

use crate::map::Projection;
use crate::map::labels::{Kind, Name};
use crate::svg::{Mm, Path, Svg};

/// Where tiles come from, and how deep they go.
pub(crate) struct Tileset {
    source: Box<dyn TileSource>,
    zooms: [u8; 2],
    bbox: [f64; 4],
}

impl Tileset {
    pub(crate) fn open(path: &std::path::Path) -> Option<Self> {
        let tiles = Tiles::open(path).ok()?;
        let (zooms, bbox) = ([tiles.min_zoom(), tiles.max_zoom()], tiles.bbox());
        Some(Self { source: Box::new(tiles), zooms, bbox })
    }
}

/// The width of a tile on paper, in millimetres: its detail is then about what the eye can distinguish.
const TILE_MM: f64 = 34.0;
/// The most bytes of an unpacked tile: no tile of our base map is larger.
const TILE_BYTES: u64 = 8 << 20;

/// Areas and lines by look, names by importance.
#[derive(Default)]
pub(crate) struct Ground {
    looks: BTreeMap<Look, Path>,
    pub(crate) names: Vec<Name>,
    /// Whether a tile was found.
    pub(crate) grounded: bool,
}

/// Reads the tiles under a map.
pub(crate) fn read(tiles: &Tileset, projection: &Projection, lang: &str) -> Ground {
    read_from(&*tiles.source, tiles.zooms, tiles.bbox, projection, lang)
}

/// Like [`read`], from tiles whose zooms and bounding box are given.
pub(crate) fn read_from(
    source: &dyn TileSource,
    zooms: [u8; 2],
    bbox: [f64; 4],
    projection: &Projection,
    lang: &str,
) -> Ground {
    let mut ground = Ground::default();
    let zoom = (projection.world_mm() / TILE_MM).log2().round().clamp(f64::from(zooms[0]), f64::from(zooms[1])) as u8;
    let across = f64::from(1u32 << zoom);
    let [low, high] = projection.corners();
    let (nw, se) = (project([bbox[0], bbox[3]]), project([bbox[2], bbox[1]]));
    let range = |axis: usize| {
        let first = (low[axis].max(nw[axis]) * across).floor().max(0.0) as u32;
        let last = (high[axis].min(se[axis]) * across).floor().min(across - 1.0);
        (first, if last < 0.0 { 0 } else { last as u32 + 1 })
    };
    let (columns, rows) = (range(0), range(1));
    for y in rows.0..rows.1 {
        for x in columns.0..columns.1 {
            let Some(bytes) = source.tile(zoom, x, y).and_then(unfold) else { continue };
            let Ok(reader) = MvtReaderRef::new(&bytes) else { continue };
            ground.grounded = true;
            let tile = Tile { zoom, x: f64::from(x), y: f64::from(y), across, projection, lang };
            for layer in reader.layers() {
                for feature in layer.features() {
                    ground.take(layer.name(), &feature, f64::from(layer.extent()), &tile);
                }
            }
        }
    }
    ground
}

fn unfold(gzip: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(gzip).take(TILE_BYTES).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

struct Tile<'a> {
    zoom: u8,
    x: f64,
    y: f64,
    across: f64,
    projection: &'a Projection,
    lang: &'a str,
}

impl Tile<'_> {
    fn put(&self, at: [i32; 2], extent: f64) -> Mm {
        self.projection.put([
            (self.x + f64::from(at[0]) / extent) / self.across,
            (self.y + f64::from(at[1]) / extent) / self.across,
        ])
    }
}

/// The fields of a feature that matter here.
#[derive(Default)]
struct Fields {
    class: String,
    name: String,
    name_here: String,
    rank: i64,
    ele: Option<i64>,
    level: i64,
    tunnel: bool,
    intermittent: bool,
    grade_rough: bool,
    hard: bool,
}

impl Fields {
    fn read(feature: &MvtFeatureRef<'_>, lang: &str) -> Self {
        let mut fields = Self::default();
        for (key, value) in feature.properties().flatten() {
            match (key, value) {
                ("class", MvtValueRef::String(text)) => fields.class = text.to_owned(),
                ("name", MvtValueRef::String(text)) => fields.name = text.to_owned(),
                ("name_fr", MvtValueRef::String(text)) if lang == "fr" => fields.name_here = text.to_owned(),
                ("name_en", MvtValueRef::String(text)) if lang == "en" => fields.name_here = text.to_owned(),
                ("grade", MvtValueRef::String(text)) => fields.grade_rough = text == "rough",
                ("tunnel", _) => fields.tunnel = true,
                ("intermittent", _) => fields.intermittent = true,
                (key, value) => {
                    if let Some(number) = whole(&value) {
                        match key {
                            "rank" => fields.rank = number,
                            "ele" => fields.ele = Some(number),
                            "level" => fields.level = number,
                            "sac" => fields.hard = number >= 3,
                            _ => {}
                        }
                    }
                }
            }
        }
        fields
    }
}

fn whole(value: &MvtValueRef<'_>) -> Option<i64> {
    match value {
        MvtValueRef::Int(number) | MvtValueRef::SInt(number) => Some(*number),
        MvtValueRef::UInt(number) => i64::try_from(*number).ok(),
        _ => None,
    }
}

impl Ground {
    fn take(&mut self, layer: &str, feature: &MvtFeatureRef<'_>, extent: f64, tile: &Tile<'_>) {
        if !matches!(
            layer,
            "landcover"
                | "contour"
                | "water"
                | "waterway"
                | "building"
                | "road"
                | "line"
                | "boundary"
                | "place"
                | "area_label"
                | "poi"
        ) {
            return;
        }
        let fields = Fields::read(feature, tile.lang);
        if let Some(kind) = named(layer, &fields) {
            let text = if fields.name_here.is_empty() { fields.name.clone() } else { fields.name_here.clone() };
            let mut first = None;
            commands(feature.geometry_commands(), |points, _| first = first.or_else(|| points.first().copied()));
            // A label point may be in the margin that tiles share: only the tile it is in draws it.
            if let Some(at) = first.filter(|at| !text.is_empty() && at.iter().all(|&c| c >= 0 && f64::from(c) < extent))
            {
                let text = match fields.ele.filter(|_| kind == Kind::Summit) {
                    Some(ele) => format!("{text} {ele}"),
                    None => text,
                };
                self.names.push(Name {
                    text,
                    kind,
                    at: tile.put(at, extent),
                    rank: u32::try_from(fields.rank).unwrap_or(0),
                });
            }
            return;
        }
        let Some(look) = Look::of(layer, &fields, tile.zoom) else { return };
        let path = self.looks.entry(look).or_default();
        commands(feature.geometry_commands(), |points, closed| {
            let points = points.iter().map(|&at| tile.put(at, extent));
            if closed {
                path.ring(points);
            } else {
                path.line(points);
            }
        });
    }

    /// From the bottom to the top.
    pub(crate) fn draw(&self, svg: &mut Svg) {
        svg.ground(PAPER);
        // An edge is its core's path, wider and earlier: every edge lies under every core, so that crossings are open.
        let mut turns: Vec<(Look, &Path)> = self.looks.iter().map(|(&look, path)| (look, path)).collect();
        turns.extend(self.looks.iter().filter_map(|(look, path)| look.companion().map(|other| (other, path))));
        turns.sort_by_key(|(look, _)| *look);
        for (look, path) in turns {
            match look.paint() {
                Paint::Fill(colour) => svg.fill(path, colour),
                Paint::Line(colour, width_mm, dash) => svg.stroke(path, colour, width_mm, dash),
            }
        }
    }
}

fn named(layer: &str, fields: &Fields) -> Option<Kind> {
    match (layer, fields.class.as_str()) {
        ("place", "city" | "town") => Some(Kind::Town),
        ("place", "village") => Some(Kind::Village),
        ("place", "hamlet") => Some(Kind::Hamlet),
        ("area_label", "lake") => Some(Kind::Water),
        ("poi", "peak" | "saddle" | "volcano") => Some(Kind::Summit),
        _ => None,
    }
}

/// Reads a feature's commands: each line or ring at once, and whether it is closed.
fn commands(commands: &[u32], mut each: impl FnMut(&[[i32; 2]], bool)) {
    let mut at = [0i32; 2];
    let mut points: Vec<[i32; 2]> = Vec::new();
    let mut index = 0;
    while let Some(&head) = commands.get(index) {
        index += 1;
        let (id, count) = (head & 7, (head >> 3) as usize);
        match id {
            1 | 2 => {
                for _ in 0..count {
                    let Some(&[dx, dy]) = commands.get(index..index + 2) else { return };
                    index += 2;
                    if id == 1 && !points.is_empty() {
                        each(&points, false);
                        points.clear();
                    }
                    at = [at[0].wrapping_add(unzigzag(dx)), at[1].wrapping_add(unzigzag(dy))];
                    points.push(at);
                }
            }
            7 => {
                each(&points, true);
                points.clear();
            }
            _ => return,
        }
    }
    if !points.is_empty() {
        each(&points, false);
    }
}

const fn unzigzag(value: u32) -> i32 {
    ((value >> 1) as i32) ^ -((value & 1) as i32)
}

const PAPER: &str = "#f7f4ea";

/// The styles, in the order of drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Look {
    Meadow,
    Orchard,
    Scrub,
    Forest,
    Rock,
    Sand,
    Ice,
    Wetland,
    Built,
    Works,
    Contour,
    MainContour,
    Water,
    Ditch,
    Stream,
    River,
    House,
    Border,
    State,
    Ferry,
    Path,
    HardPath,
    Track,
    RoughTrack,
    Cycleway,
    ServiceEdge,
    MinorEdge,
    TertiaryEdge,
    SecondaryEdge,
    PrimaryEdge,
    MotorwayEdge,
    Service,
    Minor,
    Tertiary,
    Secondary,
    Primary,
    Motorway,
    Rail,
    RailTies,
    Lift,
}

enum Paint {
    Fill(&'static str),
    Line(&'static str, f64, &'static str),
}

impl Look {
    fn of(layer: &str, fields: &Fields, zoom: u8) -> Option<Self> {
        Some(match (layer, fields.class.as_str()) {
            ("landcover", "forest") => Self::Forest,
            ("landcover", "scrub") => Self::Scrub,
            ("landcover", "meadow" | "park" | "pitch" | "cemetery") => Self::Meadow,
            ("landcover", "orchard") => Self::Orchard,
            ("landcover", "rock" | "scree" | "quarry") => Self::Rock,
            ("landcover", "sand") => Self::Sand,
            ("landcover", "ice") => Self::Ice,
            ("landcover", "wetland") => Self::Wetland,
            ("landcover", "residential" | "institution" | "square") => Self::Built,
            ("landcover", "industrial" | "parking") => Self::Works,
            ("contour", _) if fields.ele.is_some_and(|ele| ele % 100 == 0) => Self::MainContour,
            ("contour", _) => Self::Contour,
            ("water", "pool") => return None,
            ("water", _) => Self::Water,
            ("waterway", _) if fields.tunnel => return None,
            ("waterway", "river" | "canal") => Self::River,
            ("waterway", "stream") if !fields.intermittent => Self::Stream,
            ("waterway", _) => Self::Ditch,
            ("building", _) if zoom >= 13 => Self::House,
            ("road", class) => Self::road(class, fields)?,
            ("line", "rail" | "tram") if !fields.tunnel => Self::Rail,
            ("line", "lift") => Self::Lift,
            ("line", "ferry") => Self::Ferry,
            ("boundary", _) if fields.level <= 2 => Self::State,
            ("boundary", _) if fields.level <= 6 => Self::Border,
            _ => return None,
        })
    }

    fn road(class: &str, fields: &Fields) -> Option<Self> {
        Some(match class {
            "motorway" | "trunk" => Self::Motorway,
            "primary" => Self::Primary,
            "secondary" => Self::Secondary,
            "tertiary" => Self::Tertiary,
            "minor" | "pedestrian" => Self::Minor,
            "service" => Self::Service,
            "track" if fields.grade_rough => Self::RoughTrack,
            "track" => Self::Track,
            "cycleway" => Self::Cycleway,
            "path" | "steps" | "via_ferrata" if fields.hard => Self::HardPath,
            "path" | "steps" => Self::Path,
            _ => return None,
        })
    }

    /// The layer drawn along the same line, later in the drawing order.
    const fn companion(self) -> Option<Self> {
        Some(match self {
            Self::Service => Self::ServiceEdge,
            Self::Minor => Self::MinorEdge,
            Self::Tertiary => Self::TertiaryEdge,
            Self::Secondary => Self::SecondaryEdge,
            Self::Primary => Self::PrimaryEdge,
            Self::Motorway => Self::MotorwayEdge,
            Self::Rail => Self::RailTies,
            _ => return None,
        })
    }

    const fn paint(self) -> Paint {
        use Paint::{Fill, Line};
        match self {
            Self::Meadow => Fill("#eef0d8"),
            Self::Orchard => Fill("#e6eac6"),
            Self::Scrub => Fill("#dde3c2"),
            Self::Forest => Fill("#cadab4"),
            Self::Rock => Fill("#e2ded6"),
            Self::Sand => Fill("#f3e8c6"),
            Self::Ice => Fill("#e6f0f4"),
            Self::Wetland => Fill("#d6e6dd"),
            Self::Built => Fill("#e8dccb"),
            Self::Works => Fill("#e3ddd5"),
            Self::Contour => Line("#cdb58a", 0.08, ""),
            Self::MainContour => Line("#b89a64", 0.14, ""),
            Self::Water => Fill("#a6cde0"),
            Self::Ditch => Line("#8bb9d1", 0.12, ""),
            Self::Stream => Line("#74a9c6", 0.2, ""),
            Self::River => Line("#5d9bbd", 0.42, ""),
            Self::House => Fill("#b9ad9a"),
            Self::Border => Line("#8d857a", 0.25, "180 60 40 60"),
            Self::State => Line("#6d665c", 0.45, "240 70 50 70"),
            Self::Ferry => Line("#3f7fa3", 0.25, "90 60"),
            Self::Path => Line("#a3825a", 0.2, "70 45"),
            Self::HardPath => Line("#6b5138", 0.2, "35 40"),
            Self::Track => Line("#a3825a", 0.28, ""),
            Self::RoughTrack => Line("#a3825a", 0.26, "150 50"),
            Self::Cycleway => Line("#4f8a6b", 0.32, ""),
            Self::ServiceEdge => Line("#b5ab98", 0.42, ""),
            Self::MinorEdge => Line("#a79c88", 0.62, ""),
            Self::TertiaryEdge => Line("#948973", 0.82, ""),
            Self::SecondaryEdge => Line("#8c7c54", 1.0, ""),
            Self::PrimaryEdge => Line("#8c6f3a", 1.15, ""),
            Self::MotorwayEdge => Line("#7d5a2a", 1.4, ""),
            Self::Service => Line("#ffffff", 0.26, ""),
            Self::Minor => Line("#ffffff", 0.42, ""),
            Self::Tertiary => Line("#fffdf2", 0.6, ""),
            Self::Secondary => Line("#fbeebb", 0.74, ""),
            Self::Primary => Line("#f6d98a", 0.88, ""),
            Self::Motorway => Line("#efb868", 1.06, ""),
            Self::Rail => Line("#5b5750", 0.3, ""),
            Self::RailTies => Line("#ffffff", 0.16, "120 120"),
            Self::Lift => Line("#5b5750", 0.22, "150 30 20 30"),
        }
    }
}
