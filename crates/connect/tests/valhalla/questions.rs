//! The requests to a planner, by name: recorded once with the real server, replayed by the tests.

use routing::{MatchRequest, Profile, RouteEngine, RouteRequest};
use trace::{Part, Position};

/// A question with everything it makes the engine ask.
pub type Question = (&'static str, fn(&dyn RouteEngine) -> String);

/// Every question, as a function that asks an engine and returns its answer as JSON.
pub const QUESTIONS: &[Question] = &[
    ("route-touring", |engine| as_text(engine.route(&tour(Profile::Touring)))),
    ("route-hiking", |engine| as_text(engine.route(&tour(Profile::Hiking)))),
    ("route-avoid", |engine| as_text(engine.route(&avoiding()))),
    ("route-alternatives", |engine| {
        as_text(engine.alternatives(&RouteRequest::new(vec![ANDORRA, ESCALDES], Profile::Hiking), 3))
    }),
    ("route-no-way", |engine| as_text(engine.route(&walled()))),
    ("route-too-far", |engine| as_text(engine.route(&RouteRequest::new(vec![ANDORRA, NOWHERE], Profile::Touring)))),
    ("route-too-long", |engine| as_text(engine.route(&RouteRequest::new(vec![ANDORRA, PARIS], Profile::Touring)))),
    ("route-too-many", |engine| as_text(engine.route(&RouteRequest::new(vec![ANDORRA; 60], Profile::Touring)))),
    ("matrix", |engine| as_text(engine.matrix(&[ANDORRA, MIDDLE, ESCALDES], Profile::Hiking))),
    ("match-touring", |engine| as_text(engine.match_trace(&MatchRequest::new(recording(), Profile::Touring)))),
    ("match-nowhere", |engine| as_text(engine.match_trace(&MatchRequest::new(across_fields(), Profile::Hiking)))),
    ("heights", |engine| format!("{:?}", engine.heights(&[ANDORRA, ORDINO, PARIS]))),
];

pub const ANDORRA: Position = Position { lon: 1.5218, lat: 42.5075, ele: None };
pub const MIDDLE: Position = Position { lon: 1.5297, lat: 42.5093, ele: None };
pub const ESCALDES: Position = Position { lon: 1.535, lat: 42.512, ele: None };
pub const ORDINO: Position = Position { lon: 1.5331, lat: 42.5562, ele: None };
/// Outside of the extract: no way is near.
const NOWHERE: Position = Position { lon: 1.9, lat: 42.0, ele: None };
const PARIS: Position = Position { lon: 2.35, lat: 48.857, ele: None };

/// Three points, so two legs.
pub fn tour(profile: Profile) -> RouteRequest {
    RouteRequest::new(vec![ANDORRA, MIDDLE, ESCALDES], profile)
}

/// The same round a block that its way crosses.
pub fn avoiding() -> RouteRequest {
    RouteRequest { avoid: vec![Part::Area(square(1.5255, 42.5081, 0.0008))], ..tour(Profile::Touring) }
}

/// The same from a place without a way out.
pub fn walled() -> RouteRequest {
    RouteRequest { avoid: vec![Part::Area(square(ANDORRA.lon, ANDORRA.lat, 0.006))], ..tour(Profile::Hiking) }
}

/// A kilometre along a mountain road, a few metres beside it, then 250 m down the slope where no way is.
pub fn recording() -> Vec<Position> {
    let road: Vec<Position> = ROAD.iter().map(|(lon, lat)| Position::new(lon + 0.000_03, lat - 0.000_02)).collect();
    let length_m = trace::measure(&road).distance_m;
    let steps = (length_m / 15.0) as usize;
    let mut line: Vec<Position> =
        (0..=steps).filter_map(|i| trace::position_at(&road, length_m * i as f64 / steps as f64)).collect();
    let end = line[line.len() - 1];
    line.extend(
        (1..=17).map(|i| Position::new(end.lon - 0.000_063 * f64::from(i), end.lat - 0.000_127 * f64::from(i))),
    );
    line
}

/// A line where no way is.
pub fn across_fields() -> Vec<Position> {
    (0..30).map(|i| Position::new(NOWHERE.lon + 0.0001 * f64::from(i), NOWHERE.lat)).collect()
}

fn square(lon: f64, lat: f64, half: f64) -> Vec<Position> {
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)]
        .map(|(x, y)| Position::new(lon + x * half, lat + y * half))
        .to_vec()
}

fn as_text<T: serde::Serialize, E: std::fmt::Display>(answer: Result<T, E>) -> String {
    answer.map_or_else(
        |error| format!("refused: {error}"),
        |answer| serde_json::to_string(&answer).unwrap_or_default().chars().take(2_000).collect(),
    )
}

/// Longitude and latitude along a mountain road above Ordino.
const ROAD: &[(f64, f64)] = &[
    (1.50831, 42.57758),
    (1.50788, 42.5779),
    (1.50746, 42.57815),
    (1.50735, 42.57817),
    (1.50723, 42.57831),
    (1.50665, 42.57825),
    (1.50639, 42.57812),
    (1.50667, 42.57784),
    (1.50663, 42.57775),
    (1.50679, 42.57737),
    (1.50669, 42.57724),
    (1.50676, 42.57705),
    (1.50666, 42.57691),
    (1.50674, 42.57684),
    (1.50668, 42.57678),
    (1.50659, 42.57678),
    (1.50659, 42.5767),
    (1.50654, 42.57668),
    (1.50623, 42.57672),
    (1.50617, 42.57666),
    (1.50572, 42.57677),
    (1.50561, 42.57674),
    (1.50527, 42.57693),
    (1.50519, 42.5769),
    (1.50485, 42.57697),
    (1.50477, 42.57693),
    (1.50482, 42.57689),
    (1.50456, 42.57682),
    (1.50411, 42.57684),
    (1.50371, 42.5768),
    (1.50328, 42.57688),
    (1.50277, 42.5769),
    (1.50259, 42.57684),
    (1.50237, 42.57684),
    (1.50182, 42.57691),
    (1.50177, 42.57684),
    (1.50151, 42.57682),
    (1.50126, 42.57667),
    (1.50098, 42.57665),
    (1.50085, 42.57657),
    (1.50056, 42.57614),
    (1.50045, 42.57607),
    (1.50007, 42.57597),
];
