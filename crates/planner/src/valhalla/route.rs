//! Ways through points.

use super::{
    ENGINE, Reply, Valhalla, costing, ground, places, refusal,
    wire::{Routed, Trip},
    words::{self, Cue},
};
use routing::{MAX_SNAP_M, PlanError, Preferences, Route, RouteLeg, RouteRequest, from_polyline6};
use serde_json::json;
use trace::{Position, distance_m};

/// A leg that starts or ends further than this from its point is not what was asked for.
const ELSEWHERE_M: f64 = 2.0 * MAX_SNAP_M;
/// Points of two legs closer than this are one.
const SAME_M: f64 = 0.05;

/// Up to a number of ways, the best first.
pub(super) fn plan(engine: &Valhalla, request: &RouteRequest, count: usize) -> Result<Vec<Route>, PlanError> {
    let french = trips(engine, request, count, "fr-FR")?;
    let english = trips(engine, request, count, "en-US")?;
    if french.len() != english.len() {
        return Err(PlanError::BadAnswer);
    }
    let data_date = engine.data_date();
    french.iter().zip(&english).map(|(fr, en)| answer(engine, request, fr, en, data_date.clone())).collect()
}

fn trips(engine: &Valhalla, request: &RouteRequest, count: usize, language: &str) -> Result<Vec<Trip>, PlanError> {
    let profile = request.profile;
    let (costing, mut options) = costing::of(profile).ok_or(PlanError::NotOffered { what: profile.as_str() })?;
    if request.preferences != Preferences::default() {
        costing::apply_preferences(&mut options, request.preferences);
    }
    let mut body = json!({"locations": places(&request.points, MAX_SNAP_M), "costing": costing,
        "costing_options": {costing: options}, "units": "kilometers", "language": language});
    if count > 1 {
        body["alternates"] = json!(count - 1);
    }
    if !request.avoid.is_empty() {
        body["exclude_polygons"] = json!(costing::rings(&request.avoid));
    }
    match engine.send::<Routed>("route", &body)? {
        Reply::Answer(routed) => Ok(routed.into_trips()),
        Reply::Refusal(refusal) if refusal.error_code == refusal::NO_WAY_NEAR => {
            Err(engine.far_point(&request.points, costing))
        }
        Reply::Refusal(refusal) => Err(refusal.to_error(request.points.len())),
    }
}

/// The line of a trip: points, where each leg starts and ends in them, and the instructions' places.
struct Line<'a> {
    points: Vec<Position>,
    borders: Vec<[usize; 2]>,
    cues: Vec<Cue<'a>>,
}

impl<'a> Line<'a> {
    fn of(asked: &[Position], fr: &'a Trip, en: &'a Trip) -> Option<Self> {
        if fr.legs.len() + 1 != asked.len() || en.legs.len() != fr.legs.len() {
            return None;
        }
        let mut line = Self { points: Vec::new(), borders: Vec::new(), cues: Vec::new() };
        for (leg, (own, other)) in fr.legs.iter().zip(&en.legs).enumerate() {
            let shape = from_polyline6(&own.shape)?;
            let (first, last) = (shape.first()?, shape.last()?);
            let is_elsewhere =
                distance_m(*first, asked[leg]) > ELSEWHERE_M || distance_m(*last, asked[leg + 1]) > ELSEWHERE_M;
            let is_sound = own.summary.time >= 0.0 && own.maneuvers.len() == other.maneuvers.len();
            if is_elsewhere || !is_sound {
                return None;
            }
            let joins = line.points.last().is_some_and(|end| distance_m(*end, *first) < SAME_M);
            let start = line.points.len() - usize::from(joins);
            line.points.extend_from_slice(&shape[usize::from(joins)..]);
            // Legs share a point, also where the server leaves a place on the other side of the street.
            let from = line.borders.last().map_or(0, |[_, to]| *to);
            line.borders.push([from, line.points.len() - 1]);
            for (fr, en) in own.maneuvers.iter().zip(&other.maneuvers) {
                if fr.begin_shape_index >= shape.len() {
                    return None;
                }
                line.cues.push(Cue { fr, en, point: start + fr.begin_shape_index, leg });
            }
        }
        Some(line)
    }
}

fn answer(
    engine: &Valhalla,
    request: &RouteRequest,
    fr: &Trip,
    en: &Trip,
    data_date: Option<String>,
) -> Result<Route, PlanError> {
    let Line { points, borders, cues } = Line::of(&request.points, fr, en).ok_or(PlanError::BadAnswer)?;
    let ways = ground::ways(engine, &points, request.profile);
    let measured = ground::MeasuredLine::of(engine, points, None, &ways);
    let last = measured.line.len() - 1;
    let times = times(request, fr, &measured, &borders, &ways);
    let rounded = |climb: Option<(f64, f64)>| (climb.map(|c| c.0.round()), climb.map(|c| c.1.round()));
    let leg = |(i, [from_index, to_index]): (usize, &[usize; 2])| {
        let (ascent_m, descent_m) = rounded(measured.climb(*from_index, *to_index));
        let flat = |index: usize| Position::new(measured.line[index].lon, measured.line[index].lat);
        let (snapped_from, snapped_to) = (flat(*from_index), flat(*to_index));
        RouteLeg {
            from_index: *from_index,
            to_index: *to_index,
            distance_m: measured.along_m[*to_index] - measured.along_m[*from_index],
            duration_s: times[i],
            ascent_m,
            descent_m,
            snapped_from,
            snapped_to,
            snap_from_m: distance_m(snapped_from, request.points[i]),
            snap_to_m: distance_m(snapped_to, request.points[i + 1]),
        }
    };
    let (ascent_m, descent_m) = rounded(measured.climb(0, last));
    let (surfaces, way_kinds) = ground::lengths(&ways, measured.length_m());
    Ok(Route {
        legs: borders.iter().enumerate().map(leg).collect(),
        distance_m: measured.length_m(),
        duration_s: times.iter().sum(),
        ascent_m,
        descent_m,
        elevation_source: measured.elevation_source,
        surfaces,
        way_kinds,
        instructions: words::instructions(&cues, &measured.line, &measured.along_m, borders.len()),
        engine: ENGINE.to_owned(),
        data_date,
        geometry: measured.line,
    })
}

/// Seconds of each leg: the server's own by bike, ours on foot, where legs share the whole's time.
fn times(
    request: &RouteRequest,
    trip: &Trip,
    measured: &ground::MeasuredLine,
    borders: &[[usize; 2]],
    ways: &[ground::Stretch],
) -> Vec<f64> {
    if !costing::walks(request.profile) {
        return trip.legs.iter().map(|leg| leg.summary.time).collect();
    }
    let mut legs: Vec<f64> = borders.iter().map(|[a, b]| measured.walked_s(request.profile, *a, *b, ways)).collect();
    let whole = measured.walked_s(request.profile, 0, measured.line.len() - 1, ways);
    let sum: f64 = legs.iter().sum();
    if sum > 0.0 {
        for seconds in &mut legs {
            *seconds *= whole / sum;
        }
    }
    legs
}
