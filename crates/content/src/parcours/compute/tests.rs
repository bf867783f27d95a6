//! Lines of several legs over an engine with one way.

use std::sync::atomic::{AtomicUsize, Ordering};

use routing::{ElevationSource, InstructionKind, Limits, Reliability, Route, RouteRequest};

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
    match plan(&OneWay, legs, &joined(legs), Profile::Hiking) {
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
    let Planned::Done { line, instructions, .. } = plan(&engine, &legs, &joined(&legs), Profile::Hiking) else {
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
        let found = plan(&engine, &legs, &joined(&legs), Profile::Hiking);
        assert!(matches!(found, Planned::Done { .. }), "{percent}");
        assert_eq!(engine.asked.into_inner(), asked, "{percent}");
    }
}

#[test]
fn below_the_threshold_the_time_is_of_the_climb_that_is_shown() {
    // Heights that jitter by a metre, a point each 8 m and each 80 m.
    for step in [1_u16, 10] {
        let height = |at: u16| if (at / step).is_multiple_of(2) { 499.0 } else { 501.0 };
        let places = (0..=1_000).step_by(usize::from(step));
        let line = places.map(|at| Position { ele: Some(height(at)), ..beside(f64::from(at) * 1e-4) }).collect();
        let ask = Ask {
            legs: vec![Leg { kind: LegKind::Source, line }],
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
        };
        let summary = compute(Some(&BusyAfter::new(9, 10.0)), ask).summary;
        assert_eq!(summary.reliability_state, ReliabilityState::Low);
        assert_eq!((summary.ascent_m, summary.descent_m), (Some(0.0), Some(0.0)));
        let (Some(distance_m), Some(duration_s)) = (summary.distance_m, summary.duration_s) else {
            panic!("{summary:?}")
        };
        assert!((duration_s - distance_m / 4.0 * 3.6).abs() < 2.0, "{step}: {duration_s} s for {distance_m} m");
    }
}
