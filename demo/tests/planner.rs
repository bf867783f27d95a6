//! The planner and the trace reader really work on the region: what the content expects is what they find.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
#![expect(clippy::print_stdout, reason = "what was found is worth reading with --nocapture")]

use std::sync::{Arc, OnceLock};

use demo::Region;
use demo::content::{Cause, Expected, Parcours};
use planner::{Dem, Embedded, Network};
use routing::{GapCause, MatchRequest, NotCalculableReason, Profile, RouteEngine, RouteRequest};
use tempfile::TempDir;
use trace::Position;

struct Bench {
    region: Region,
    engine: Embedded,
    _folder: TempDir,
}

/// The region and an engine over it, made once.
fn bench() -> &'static Bench {
    static BENCH: OnceLock<Bench> = OnceLock::new();
    BENCH.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let files = demo::write_region(folder.path()).unwrap();
        let dem = Dem::open_dir(&files.dem).unwrap();
        let prepared = folder.path().join("network");
        Network::build(&files.extract, Some(&dem), &prepared, &mut |_| {}).unwrap();
        let engine = Embedded::new(Network::open(&prepared).unwrap(), Some(Arc::new(dem)));
        Bench { region: demo::region(), engine, _folder: folder }
    })
}

fn profile(practice: &str) -> Profile {
    match practice {
        "velo-route" | "cyclotourisme" => Profile::Road,
        "gravel" | "vtt-randonnee" => Profile::Mtb,
        "velo-loisir" | "itinerance-velo" => Profile::Touring,
        _ => Profile::Hiking,
    }
}

fn recorded(parcours: &Parcours) -> Vec<Position> {
    let reading = trace::read(parcours.trace.gpx.as_bytes(), &parcours.trace.file_name).unwrap();
    // The reader reports holes too; a demo file has no other fault.
    let holes = usize::from(parcours.trace.expected.cause() == Some(Cause::RecordingHole));
    assert_eq!((reading.segments.len(), reading.repairs.len()), (1, holes), "{}: {:?}", parcours.key, reading.repairs);
    reading.segments[0].points.iter().map(|point| point.position).collect()
}

/// What a match says, as the content says it, and the words for a failure.
fn found(engine: &Embedded, parcours: &Parcours) -> (Expected, String) {
    let request = MatchRequest::new(recorded(parcours), profile(parcours.practice));
    let reliability = engine.match_trace(&request).unwrap().reliability;
    let worst = reliability.gaps.iter().filter(|gap| gap.judged).max_by(|a, b| a.points.total_cmp(&b.points));
    let report = format!(
        "{}: {:?} % {:?} σ {:.1} {:?}",
        parcours.key,
        reliability.percent,
        reliability.not_calculable,
        reliability.sigma_m,
        reliability
            .gaps
            .iter()
            .map(|gap| (gap.cause, gap.length_m.round(), gap.points, gap.way_id))
            .collect::<Vec<_>>()
    );
    let expected = match (reliability.percent, reliability.not_calculable) {
        (_, Some(why)) if why.reason == NotCalculableReason::OutsideExtract => {
            Expected::NotCalculable(Cause::OutsideExtract)
        }
        (_, Some(_)) => Expected::NotCalculable(Cause::RecordingHole),
        (Some(percent), _) if percent >= 95.0 => Expected::Good,
        _ => Expected::Below95(match worst.map(|gap| gap.cause) {
            Some(GapCause::Forbidden) => Cause::Forbidden,
            Some(GapCause::ConstantShift) => Cause::ConstantShift,
            _ => Cause::NoWay,
        }),
    };
    (expected, report)
}

#[test]
fn each_recording_is_as_reliable_as_the_content_says() {
    let Bench { engine, region, .. } = bench();
    let content = demo::content::content(region);
    let mut wrong = Vec::new();
    for parcours in &content.parcours {
        let (expected, report) = found(engine, parcours);
        println!("{report}");
        if expected != parcours.trace.expected {
            wrong.push(report);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_way_back_climbs_what_the_way_there_descends() {
    let Bench { engine, region, .. } = bench();
    let content = demo::content::content(region);
    let mut wrong = Vec::new();
    for parcours in &content.parcours {
        let matched =
            |line: Vec<Position>| engine.match_trace(&MatchRequest::new(line, profile(parcours.practice))).unwrap();
        let line = recorded(parcours);
        let (there, back) = (matched(line.clone()), matched(line.into_iter().rev().collect()));
        let is_near = |a: Option<f64>, b: Option<f64>| a.zip(b).is_some_and(|(a, b)| (a - b).abs() <= 5.0 + a * 0.02);
        let report = format!(
            "{}: {:.0} m, {:?} up, {:?} down; back {:.0} m, {:?} up, {:?} down",
            parcours.key,
            there.distance_m,
            there.ascent_m,
            there.descent_m,
            back.distance_m,
            back.ascent_m,
            back.descent_m
        );
        let is_long = (there.distance_m - back.distance_m).abs() <= there.distance_m * 0.005 + 20.0;
        if !is_long || !is_near(there.ascent_m, back.descent_m) || !is_near(there.descent_m, back.ascent_m) {
            wrong.push(report);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_profile_finds_a_way_between_the_villages() {
    let Bench { engine, region, .. } = bench();
    let at = |name: &str| {
        let place = region.place(name).unwrap();
        Position::new(place.lon, place.lat)
    };
    for (profile, from, to) in [
        (Profile::Hiking, "Montpezel", "Col du Hêtre"),
        (Profile::Touring, "Orsel-le-Vieux", "Sauvelle"),
        (Profile::Road, "La Roche-Vive", "Valserre"),
        (Profile::Mtb, "Charnoux", "Fontbrune"),
    ] {
        let route = engine.route(&RouteRequest::new(vec![at(from), at(to)], profile)).unwrap();
        assert!((5_000.0..80_000.0).contains(&route.distance_m), "{from} to {to}: {} m", route.distance_m);
        assert!(route.ascent_m.is_some_and(|metres| metres > 50.0), "{from} to {to}: {:?} m up", route.ascent_m);
        assert!(route.instructions.len() > 4, "{from} to {to}: {} instructions", route.instructions.len());
    }
}
