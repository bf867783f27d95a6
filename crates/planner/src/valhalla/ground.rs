//! The ground under a line of the server: ways, surfaces, heights, and the walking time.

use super::{Valhalla, costing, wire};
use crate::{
    climb,
    geometry::cumulative_m,
    matching::RecordedHeights,
    profile::{Pace, Rules},
};
use routing::{ElevationSource, Profile, Surface, SurfaceLength, WayKind, WayKindLength, from_polyline6, polyline6};
use serde_json::json;
use trace::Position;

/// A line with its running distances and heights.
pub(super) struct MeasuredLine {
    pub line: Vec<Position>,
    pub along_m: Vec<f64>,
    climbs: Option<climb::Profile>,
    pub elevation_source: ElevationSource,
}

/// A piece of a line on one way.
#[derive(Debug, Clone)]
pub(super) struct Stretch {
    pub from_m: f64,
    pub to_m: f64,
    pub surface: Surface,
    pub kind: WayKind,
    pub is_off_ground: bool,
}

impl MeasuredLine {
    /// Heights as recorded, else of the server's ground model, else none.
    pub(super) fn of(
        engine: &Valhalla,
        mut line: Vec<Position>,
        recorded: Option<&RecordedHeights>,
        ways: &[Stretch],
    ) -> Self {
        let along_m = cumulative_m(&line);
        let of_file = recorded.and_then(|r| climb::Profile::of_recording(&line, &along_m, r));
        let (climbs, elevation_source) = match of_file {
            Some(climbs) => (Some(climbs), ElevationSource::File),
            None => match ground(engine, &line, &along_m, ways) {
                Some(climbs) => (Some(climbs), ElevationSource::Dem),
                None => (None, ElevationSource::None),
            },
        };
        for p in &mut line {
            p.ele = None;
        }
        if let Some(climbs) = &climbs {
            climbs.heights_at(&along_m, line.iter_mut().map(|p| &mut p.ele));
        }
        Self { line, along_m, climbs, elevation_source }
    }

    pub(super) fn length_m(&self) -> f64 {
        self.along_m.last().copied().unwrap_or_default()
    }

    /// Ascent and descent between two points.
    pub(super) fn climb(&self, first: usize, last: usize) -> Option<(f64, f64)> {
        self.climbs.as_ref().map(|climbs| climbs.climb(self.along_m[first], self.along_m[last]))
    }

    /// Seconds on foot between two points, by DIN 33466 over the whole stretch; ferries go at their own speed.
    pub(super) fn walked_s(&self, profile: Profile, first: usize, last: usize, ways: &[Stretch]) -> f64 {
        let (from, to) = (self.along_m[first], self.along_m[last]);
        let rules = Rules::of(profile);
        let ferries = ways.iter().filter(|way| way.kind == WayKind::Ferry);
        let (mut ferry_m, mut ferry_s) = (0.0, 0.0);
        for metres in ferries.map(|way| way.to_m.min(to) - way.from_m.max(from)).filter(|metres| *metres > 0.0) {
            ferry_m += metres;
            ferry_s += rules.ferry_s(metres);
        }
        let pace = Pace { kmh: rules.flat_kmh, factor: 1.0, once_s: 0.0, minds_slope: true };
        let (up, down) = self.climb(first, last).unwrap_or_default();
        rules.seconds(&pace, (to - from - ferry_m).max(0.0), up, down) + ferry_s
    }
}

fn ground(engine: &Valhalla, line: &[Position], along_m: &[f64], ways: &[Stretch]) -> Option<climb::Profile> {
    let places = climb::places(line, along_m);
    let mut heights = engine.ground(&places).ok()?;
    let length_m = along_m.last().copied()?;
    let (last, step_m) = (heights.len() - 1, length_m / (heights.len() - 1).max(1) as f64);
    for way in ways.iter().filter(|way| way.is_off_ground) {
        for (i, height) in heights.iter_mut().enumerate().take(last).skip(1) {
            if (way.from_m..way.to_m).contains(&(step_m * i as f64)) {
                *height = None;
            }
        }
    }
    climb::Profile::of_samples(length_m, &heights)
}

/// The ways under a line that the server gave. Empty where it gives no answer.
pub(super) fn ways(engine: &Valhalla, line: &[Position], profile: Profile) -> Vec<Stretch> {
    traced(engine, line, profile).unwrap_or_default()
}

fn traced(engine: &Valhalla, line: &[Position], profile: Profile) -> Option<Vec<Stretch>> {
    let (costing, options) = costing::of(profile)?;
    let body = json!({"encoded_polyline": polyline6(line), "shape_format": "polyline6", "costing": costing,
        "costing_options": {costing: options}, "shape_match": "walk_or_snap",
        "filters": {"action": "include", "attributes": ["edge.way_id", "edge.begin_shape_index", "edge.end_shape_index",
            "edge.surface", "edge.use", "edge.road_class", "edge.bridge", "edge.tunnel", "shape"]}});
    let found: wire::Traced = engine.ask("trace_attributes", &body, line.len()).ok()?;
    let along_m = cumulative_m(&from_polyline6(&found.shape)?);
    // The answer has the same line with rounded coordinates.
    let scale = cumulative_m(line).last()? / along_m.last().filter(|length_m| **length_m > 0.0)?;
    let at = |index: usize| along_m.get(index).map(|at| at * scale);
    let stretch = |edge: &wire::Edge| {
        let (from_m, to_m) = (at(edge.begin_shape_index)?, at(edge.end_shape_index)?);
        let kind = edge.kind();
        let is_off_ground = edge.bridge || edge.tunnel || kind == WayKind::Ferry;
        (to_m >= from_m).then(|| Stretch { from_m, to_m, surface: edge.surface(), kind, is_off_ground })
    };
    found.edges.iter().map(stretch).collect()
}

/// Length by surface and by kind of way, longest first; a part whose way is not known counts as unknown.
pub(super) fn lengths(ways: &[Stretch], length_m: f64) -> (Vec<SurfaceLength>, Vec<WayKindLength>) {
    let unknown_m = length_m - ways.iter().map(|way| way.to_m - way.from_m).sum::<f64>();
    let rest = (unknown_m > 1.0).then_some(unknown_m);
    let surfaces =
        sums(ways.iter().map(|way| (way.surface, way.to_m - way.from_m)).chain(rest.map(|m| (Surface::Unknown, m))));
    let kinds = sums(ways.iter().map(|way| (Some(way.kind), way.to_m - way.from_m)).chain(rest.map(|m| (None, m))));
    (
        surfaces.into_iter().map(|(surface, length_m)| SurfaceLength { surface, length_m }).collect(),
        kinds.into_iter().map(|(kind, length_m)| WayKindLength { kind, length_m }).collect(),
    )
}

fn sums<K: Ord + Copy>(pieces: impl Iterator<Item = (K, f64)>) -> Vec<(K, f64)> {
    let mut sums = std::collections::BTreeMap::new();
    for (key, length_m) in pieces {
        *sums.entry(key).or_insert(0.0) += length_m;
    }
    let mut list: Vec<_> = sums.into_iter().filter(|(_, length_m)| *length_m > 0.0).collect();
    list.sort_by(|a, b| b.1.total_cmp(&a.1));
    list
}

impl wire::Edge {
    /// The server's seven surfaces in our words.
    fn surface(&self) -> Surface {
        match self.surface.as_str() {
            "paved_smooth" | "paved" => Surface::Paved,
            "paved_rough" => Surface::Cobblestone,
            "compacted" => Surface::Compacted,
            "gravel" => Surface::Gravel,
            "dirt" | "path" => Surface::Ground,
            _ => Surface::Unknown,
        }
    }

    fn kind(&self) -> WayKind {
        match self.purpose.as_str() {
            "living_street" => WayKind::LivingStreet,
            "track" => WayKind::Track,
            "cycleway" => WayKind::Cycleway,
            "path" | "mountain_bike" => WayKind::Path,
            "footway" | "sidewalk" | "pedestrian_crossing" => WayKind::Footway,
            "pedestrian" => WayKind::Pedestrian,
            "steps" => WayKind::Steps,
            "bridleway" => WayKind::Bridleway,
            "ferry" | "rail_ferry" => WayKind::Ferry,
            "service_road" | "driveway" | "alley" | "parking_aisle" | "drive_through" | "emergency_access" => {
                WayKind::Service
            }
            "road" | "ramp" | "turn_channel" => match self.road_class.as_str() {
                "motorway" => WayKind::Motorway,
                "trunk" => WayKind::Trunk,
                "primary" => WayKind::Primary,
                "secondary" => WayKind::Secondary,
                "tertiary" => WayKind::Tertiary,
                "unclassified" => WayKind::Unclassified,
                "residential" => WayKind::Residential,
                _ => WayKind::Service,
            },
            _ => WayKind::Other,
        }
    }
}
