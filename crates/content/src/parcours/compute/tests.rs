//! Lines of several legs over an engine with one way.

use std::sync::atomic::{AtomicUsize, Ordering};

use routing::{ElevationSource, InstructionKind, Limits, Reliability, Route, RouteRequest};
use store::parcours::StoredTrace;
use trace::write::Document;

use super::*;

/// The parallel of the only way.
const WAY_LAT: f64 = 45.0;

/// An engine whose only way runs east, without end. What is recorded within some twenty metres of it follows it.
struct OneWay;

impl RouteEngine for OneWay {
    fn route(&self, _: &RouteRequest) -> Result<Route, PlanError> {
        Err(PlanError::NoWay { from_index: 0, to_index: 1 })
    }

    fn match_trace(&self, request: &MatchRequest) -> Result<Match, PlanError> {
        let on_way = |place: &Position| {
            let is_near = (place.lat - WAY_LAT).abs() < 2e-4;
            Position { lat: if is_near { WAY_LAT } else { place.lat }, ..*place }
        };
        let geometry: Vec<Position> = request.line.iter().map(on_way).collect();
        let distance_m = trace::measure(&geometry).distance_m;
        let ends = [(InstructionKind::Depart, 0.0, 0), (InstructionKind::Arrive, distance_m, geometry.len() - 1)];
        let instruction = |(kind, at_m, index): (InstructionKind, f64, usize)| Instruction {
            kind,
            at_m,
            length_m: distance_m - at_m,
            name: None,
            exit: None,
            fr: String::new(),
            en: String::new(),
            position: geometry[index],
        };
        let instructions = ends.map(instruction).to_vec();
        Ok(Match {
            geometry,
            edges: Vec::new(),
            distance_m,
            duration_s: distance_m,
            ascent_m: None,
            descent_m: None,
            elevation_source: ElevationSource::None,
            instructions,
            reliability: Reliability {
                percent: Some(100.0),
                not_calculable: None,
                judged_m: distance_m,
                on_network_m: distance_m,
                hole_m: 0.0,
                outside_m: 0.0,
                sparse_m: 0.0,
                kept_m: 0.0,
                sigma_m: 5.0,
                tolerance_m: 15.0,
                p95_offset_m: None,
                gaps: Vec::new(),
                remarks: Vec::new(),
            },
            engine: "one-way".to_owned(),
            data_date: None,
        })
    }

    fn heights(&self, line: &[Position]) -> Vec<Option<f64>> {
        vec![None; line.len()]
    }

    fn status(&self) -> EngineStatus {
        EngineStatus {
            engine: "one-way".to_owned(),
            version: "1".to_owned(),
            data_date: None,
            checksum: None,
            bbox: None,
            profiles: Profile::ALL.to_vec(),
            dem: false,
            limits: Limits { route_points: 500, match_points: 200_000, settled_junctions: 1_000, snap_m: 150 },
        }
    }
}

/// The same engine, which gives every match a reliability and is busy once it has answered some.
struct BusyAfter {
    percent: f64,
    answers: usize,
    asked: AtomicUsize,
}

impl BusyAfter {
    fn new(answers: usize, percent: f64) -> Self {
        Self { percent, answers, asked: AtomicUsize::new(0) }
    }
}

impl RouteEngine for BusyAfter {
    fn route(&self, request: &RouteRequest) -> Result<Route, PlanError> {
        RouteEngine::route(&OneWay, request)
    }

    fn match_trace(&self, request: &MatchRequest) -> Result<Match, PlanError> {
        if self.asked.fetch_add(1, Ordering::SeqCst) >= self.answers {
            return Err(PlanError::Busy);
        }
        let mut found = OneWay.match_trace(request)?;
        found.reliability.percent = Some(self.percent);
        Ok(found)
    }

    fn heights(&self, line: &[Position]) -> Vec<Option<f64>> {
        OneWay.heights(line)
    }

    fn status(&self) -> EngineStatus {
        OneWay.status()
    }
}

/// Some eleven metres beside the way.
fn beside(lon: f64) -> Position {
    Position::new(lon, WAY_LAT + 1e-4)
}

fn on(lon: f64) -> Position {
    Position::new(lon, WAY_LAT)
}

fn planned(legs: &[Leg]) -> (Vec<Position>, Vec<Instruction>) {
    match plan(&OneWay, legs, Profile::Hiking) {
        Planned::Done { line, instructions, .. } => (line, instructions),
        Planned::Not(why) => panic!("{why:?}"),
    }
}

/// A recording beside the way, a stretch of which was laid on it.
fn mended(way: &[f64]) -> [Leg; 3] {
    let recorded = |from: i32, to: i32| (from..=to).map(|at| beside(f64::from(at) * 0.001)).collect();
    let (first, last) = (beside(0.01), beside(0.02));
    let laid = [first].into_iter().chain(way.iter().map(|lon| on(*lon))).chain([last]).collect();
    [
        Leg { kind: LegKind::Source, line: recorded(0, 10) },
        Leg { kind: LegKind::Planned, line: laid },
        Leg { kind: LegKind::Source, line: recorded(20, 30) },
    ]
}

#[test]
fn a_stretch_that_follows_the_way_has_no_spike_at_its_ends() {
    // The way starts 8 m before the joint and ends 8 m behind the other, or starts and ends at them, or a little inside.
    for way in [[0.0099, 0.015, 0.0201], [0.01, 0.015, 0.02], [0.0101, 0.015, 0.0199]] {
        let (line, _) = planned(&mended(&way));
        assert!(line.iter().all(|place| place.same_place(on(place.lon))), "{line:?}");
        assert!(line.is_sorted_by(|a, b| a.lon < b.lon), "{line:?}");
        assert!((trace::measure(&line).distance_m - trace::distance_m(on(0.0), on(0.03))).abs() < 0.1);
    }
}

#[test]
fn a_planned_leg_that_goes_elsewhere_keeps_its_ends() {
    let [first, _, last] = mended(&[]);
    let round = vec![beside(0.01), Position::new(0.015, 45.01), beside(0.02)];
    let (line, _) = planned(&[first, Leg { kind: LegKind::Planned, line: round.clone() }, last]);
    assert!(round.iter().all(|place| line.iter().any(|found| found.same_place(*place))), "{line:?}");
}

#[test]
fn instructions_run_along_the_line_in_use() {
    for way in [[0.0099, 0.015, 0.0201], [0.01, 0.015, 0.02]] {
        let legs = mended(&way);
        let (line, instructions) = planned(&legs);
        let length_m = trace::measure(&line).distance_m;
        let whole =
            OneWay.match_trace(&MatchRequest::new(joined(&legs), Profile::Hiking)).map(|whole| whole.distance_m);
        let arrive = instructions.last().map(|last| (last.kind, last.length_m.abs() < 0.2));
        assert_eq!(arrive, Some((InstructionKind::Arrive, true)));
        assert!(instructions.iter().all(|one| one.at_m <= length_m + 0.1));
        let ends_at_m = instructions.last().map_or(0.0, |last| last.at_m);
        assert!((ends_at_m - length_m).abs() < 0.2, "{ends_at_m} of {length_m}, the working line has {whole:?}");
    }
}

#[test]
fn a_line_stays_planned_where_its_instructions_cannot_be_had() {
    let legs = mended(&[0.01, 0.015, 0.02]);
    // The whole and both recordings are answered, the line in use is not.
    let engine = BusyAfter::new(3, 100.0);
    let Planned::Done { line, instructions, .. } = plan(&engine, &legs, Profile::Hiking) else {
        panic!("the line is not planned");
    };
    assert_eq!(engine.asked.into_inner(), 4);
    assert_eq!((line, instructions), (planned(&legs).0, Vec::new()));
}

#[test]
fn a_line_that_is_not_followed_is_not_matched_for_instructions() {
    let legs = mended(&[0.01, 0.015, 0.02]);
    for (percent, asked) in [(100.0, 4), (10.0, 3)] {
        let engine = BusyAfter::new(9, percent);
        let found = plan(&engine, &legs, Profile::Hiking);
        assert!(matches!(found, Planned::Done { .. }), "{percent}");
        assert_eq!(engine.asked.into_inner(), asked, "{percent}");
    }
}

/// What a trace of these legs is to be made of.
fn asked(legs: Vec<Leg>) -> Ask {
    Ask {
        legs,
        mode: TraceMode::Planner,
        profile: Some(Profile::Hiking),
        pace: Pace::default(),
        origin: TraceOrigin::Imported,
        source_file: None,
        repairs: Vec::new(),
        pieces: 1,
        source_gaps: json!([]),
        source_line: None,
        model_heights: false,
        distance_typed_m: None,
        duration_typed_s: None,
        duration_recorded_s: None,
        ignored: Vec::new(),
        at: Instant(0),
    }
}

/// The same engine over ten hills of 120 m on the first tenth of a degree, with the number of places whose height was asked for. Its way
/// goes through them in a level tunnel: a line that comes without heights has those of the tunnel, another one keeps its own.
struct Hills {
    percent: f64,
    places: AtomicUsize,
}

impl Hills {
    fn new(percent: f64) -> Self {
        Self { percent, places: AtomicUsize::new(0) }
    }

    fn height_m(place: Position) -> f64 {
        1_000.0 + 60.0 * (place.lon * 100.0 * std::f64::consts::TAU).sin()
    }
}

impl RouteEngine for Hills {
    fn route(&self, request: &RouteRequest) -> Result<Route, PlanError> {
        RouteEngine::route(&OneWay, request)
    }

    fn match_trace(&self, request: &MatchRequest) -> Result<Match, PlanError> {
        let mut found = OneWay.match_trace(request)?;
        found.reliability.percent = Some(self.percent);
        if request.line.iter().any(|place| place.ele.is_none()) {
            found.geometry.iter_mut().for_each(|place| place.ele = Some(1_000.0));
        }
        Ok(found)
    }

    fn heights(&self, line: &[Position]) -> Vec<Option<f64>> {
        self.places.fetch_add(line.len(), Ordering::SeqCst);
        line.iter().map(|place| Some(Self::height_m(*place))).collect()
    }

    fn status(&self) -> EngineStatus {
        OneWay.status()
    }
}

/// A line over the hills, without heights.
fn stretch(from: f64, to: f64, pieces: u32) -> Vec<Position> {
    (0..=pieces).map(|at| beside(from + (to - from) * f64::from(at) / f64::from(pieces))).collect()
}

/// A line of 7.9 km over the hills, without heights.
fn over_hills(pieces: u32) -> Vec<Position> {
    stretch(0.0, 0.1, pieces)
}

/// The same line with heights.
fn at_heights(line: Vec<Position>, height_m: impl Fn(Position) -> f64) -> Vec<Position> {
    line.into_iter().map(|place| Position { ele: Some(height_m(place)), ..place }).collect()
}

/// The figures of a trace that its heights change.
fn climbs(made: &NewTrace) -> [Option<f64>; 5] {
    let summary = &made.summary;
    [summary.ascent_m, summary.descent_m, summary.min_ele_m, summary.max_ele_m, summary.duration_s]
}

/// The trace of the stored legs of a trace: its second save.
fn saved_again(engine: &Hills, made: &NewTrace) -> NewTrace {
    compute(Some(engine), Ask { model_heights: made.extra.model_heights, ..asked(made.legs.clone()) })
}

#[test]
fn a_line_without_heights_climbs_the_same_with_few_points_and_with_many() {
    // Followed and not followed; drawn freely, and from a file.
    for (percent, kind) in [(10.0, LegKind::Free), (100.0, LegKind::Free), (10.0, LegKind::Source)] {
        for pieces in [1, 7, 150, 1_000] {
            let engine = Hills::new(percent);
            let made = compute(Some(&engine), asked(vec![Leg { kind, line: over_hills(pieces) }]));
            let ascent_m = made.summary.ascent_m.unwrap_or_default();
            assert!((ascent_m - 1_200.0).abs() < 12.0, "{percent} {kind:?} {pieces}: {ascent_m}");
            assert_eq!(made.legs[0].line.len(), pieces as usize + 1, "the line keeps its points");
            // The legs have heights now, and the line climbs as it did.
            assert_eq!(made.extra.model_heights, kind == LegKind::Source);
            assert_eq!(climbs(&saved_again(&engine, &made)), climbs(&made), "{percent} {kind:?} {pieces}");
        }
    }
}

#[test]
fn a_followed_file_without_heights_goes_through_the_tunnel() {
    let engine = Hills::new(100.0);
    for pieces in [7, 150, 1_000] {
        let line = over_hills(pieces);
        let source = |line: &[Position]| Leg { kind: LegKind::Source, line: line.to_vec() };
        // A stretch of it was laid on the way: the recordings beside it are matched alone.
        let laid = Leg { kind: LegKind::Planned, line: at_heights(line[3..=4].to_vec(), |_| 1_000.0) };
        for legs in [vec![source(&line)], vec![source(&line[..=3]), laid, source(&line[4..])]] {
            let count = legs.len();
            let made = compute(Some(&engine), asked(legs));
            assert_eq!(made.summary.reliability_state, ReliabilityState::Ok);
            assert_eq!(climbs(&made)[..4], [Some(0.0), Some(0.0), Some(1_000.0), Some(1_000.0)], "{count} {pieces}");
            let is_level = |place: &Position| place.ele.is_some_and(|ele| (ele - 1_000.0).abs() < 0.1);
            assert!(!made.legs[0].line.iter().all(is_level), "the legs are stored with the ground's heights");
            assert!(made.extra.model_heights);
            assert_eq!(climbs(&saved_again(&engine, &made)), climbs(&made), "{count} {pieces}");
        }
    }
}

#[test]
fn a_recording_that_knows_its_heights_in_part_climbs_the_same_at_the_second_save() {
    // Followed and not followed; most of it knows its heights, or the least.
    for percent in [10.0, 100.0] {
        for (to, from) in [(0.07, 0.08), (0.02, 0.03)] {
            let engine = Hills::new(percent);
            let recorded = at_heights(stretch(0.0, to, 40), |place| 1_000.0 + 10_000.0 * place.lon);
            let made = compute(
                Some(&engine),
                asked(vec![
                    Leg { kind: LegKind::Source, line: recorded },
                    Leg { kind: LegKind::Free, line: stretch(to, from, 1) },
                    Leg { kind: LegKind::Source, line: stretch(from, 0.1, 1) },
                ]),
            );
            assert_eq!(made.extra.model_heights, to < 0.05);
            assert_eq!(climbs(&saved_again(&engine, &made)), climbs(&made), "{percent} {to}");
        }
    }
}

/// A trace as the database gives it back.
fn stored(made: &NewTrace) -> StoredTrace {
    StoredTrace {
        summary: made.summary.clone(),
        drawing: made.drawing.clone(),
        legs: made.legs.clone(),
        planned_line: made.planned_line.clone(),
        source_line: made.source_line.clone(),
        extra: made.extra.clone(),
    }
}

#[test]
fn an_exported_line_with_the_heights_of_the_ground_climbs_the_same_when_it_is_imported_again() {
    let engine = Hills::new(10.0);
    for kind in [LegKind::Free, LegKind::Source] {
        let made = compute(Some(&engine), asked(vec![Leg { kind, line: over_hills(7) }]));
        let document = Document {
            line: stored(&made).line().into_iter().map(Into::into).collect(),
            has_model_heights: has_only_model_heights(&stored(&made)),
            ..Document::default()
        };
        let Ok(Ok(found)) = read_source(trace::write::gpx(&document).as_bytes(), "tour.gpx", None, &[]) else {
            panic!("our own file is read")
        };
        let again = compute(Some(&engine), asked(vec![Leg { kind: LegKind::Source, line: found.line }]));
        assert_eq!(climbs(&again)[..4], climbs(&made)[..4], "{kind:?}");
        assert!(again.extra.model_heights);
    }
}

#[test]
fn a_line_with_heights_of_a_recorder_has_not_only_those_of_a_model() {
    let engine = Hills::new(10.0);
    let only = |legs: Vec<Leg>| has_only_model_heights(&stored(&compute(Some(&engine), asked(legs))));
    let recorded = Leg { kind: LegKind::Source, line: at_heights(stretch(0.0, 0.05, 40), Hills::height_m) };
    let planned = Leg { kind: LegKind::Planned, line: at_heights(stretch(0.05, 0.1, 4), |_| 1_000.0) };
    assert!(!only(vec![recorded.clone()]) && !only(vec![recorded, planned.clone()]));
    assert!(only(vec![planned]));
}

#[test]
fn a_file_without_heights_stays_one_while_nothing_of_it_is_in_use() {
    let engine = Hills::new(10.0);
    let file = compute(Some(&engine), asked(vec![Leg { kind: LegKind::Source, line: over_hills(7) }]));
    let drawn = vec![Leg { kind: LegKind::Free, line: over_hills(1) }];
    let model_heights = file.extra.model_heights;
    let without = compute(Some(&engine), Ask { model_heights, ..asked(drawn.clone()) });
    assert!(without.extra.model_heights);
    // The file is taken again, with the heights it was stored with.
    let model_heights = without.extra.model_heights;
    let back = compute(Some(&engine), Ask { model_heights, ..asked(file.legs.clone()) });
    assert_eq!(climbs(&back), climbs(&file));
    assert!(!compute(Some(&engine), asked(drawn)).extra.model_heights, "nothing drawn is a file");
}

#[test]
fn figures_that_are_none_have_no_sign() {
    assert!(tenth(-0.01).is_sign_positive() && whole_metres(-0.3).is_sign_positive());
}

#[test]
fn planned_and_recorded_heights_are_taken_as_they_are() {
    // A tunnel through the hills; a recorder that went around them.
    for kind in [LegKind::Planned, LegKind::Source] {
        let level = over_hills(20).into_iter().map(|place| Position { ele: Some(1_000.0), ..place }).collect();
        let made = compute(Some(&Hills::new(10.0)), asked(vec![Leg { kind, line: level }]));
        assert_eq!((made.summary.ascent_m, made.extra.model_heights), (Some(0.0), false), "{kind:?}");
    }
}

#[test]
fn the_heights_of_a_long_line_are_bounded() {
    let engine = Hills::new(10.0);
    // Some 3,900 km.
    let far = vec![beside(-25.0), beside(25.0)];
    compute(Some(&engine), Ask { mode: TraceMode::Source, ..asked(vec![Leg { kind: LegKind::Free, line: far }]) });
    assert!(engine.places.into_inner() < 100_010);
}

#[test]
fn below_the_threshold_the_time_is_of_the_climb_that_is_shown() {
    // Heights that jitter by a metre, a point each 8 m and each 80 m.
    for step in [1_u16, 10] {
        let height = |at: u16| if (at / step).is_multiple_of(2) { 499.0 } else { 501.0 };
        let places = (0..=1_000).step_by(usize::from(step));
        let line = places.map(|at| Position { ele: Some(height(at)), ..beside(f64::from(at) * 1e-4) }).collect();
        let ask = asked(vec![Leg { kind: LegKind::Source, line }]);
        let summary = compute(Some(&BusyAfter::new(9, 10.0)), ask).summary;
        assert_eq!(summary.reliability_state, ReliabilityState::Low);
        assert_eq!((summary.ascent_m, summary.descent_m), (Some(0.0), Some(0.0)));
        let (Some(distance_m), Some(duration_s)) = (summary.distance_m, summary.duration_s) else {
            panic!("{summary:?}")
        };
        assert!((duration_s - distance_m / 4.0 * 3.6).abs() < 2.0, "{step}: {duration_s} s for {distance_m} m");
    }
}
