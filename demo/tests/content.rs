//! The content is what the demo promises: complete where it should be, and gaps where they are meant.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use demo::Region;
use demo::content::{Cause, Content, Expected, Progress, Relation, Role, StepKind, Text, TraceMode};

fn made() -> &'static (Region, Content) {
    static MADE: OnceLock<(Region, Content)> = OnceLock::new();
    MADE.get_or_init(|| {
        let region = demo::region();
        let content = demo::content::content(&region);
        (region, content)
    })
}

fn content() -> &'static Content {
    &made().1
}

#[test]
fn there_are_30_parcours_120_pois_3_white_labels_and_24_pictures() {
    let content = content();
    assert_eq!(content.parcours.len(), 30);
    assert_eq!(content.pois.len(), 120);
    assert_eq!(content.white_labels.len(), 3);
    assert_eq!(content.pictures.len(), 24);
    assert_eq!(content.structures.len(), 3);
}

#[test]
fn every_role_has_a_user_one_is_next_door_and_one_is_blocked() {
    let users = &content().users;
    let roles: HashSet<Role> = users.iter().filter(|user| !user.blocked).map(|user| user.role).collect();
    assert_eq!(roles.len(), 5);
    assert_eq!(users.iter().filter(|user| user.blocked).count(), 1);
    assert!(users.iter().any(|user| user.role == Role::Editor && user.white_labels == ["pays-de-sauvelle"]));
    assert!(users.iter().all(|user| user.email.ends_with("@demo.jalon.example")));
    assert!(demo::content::DEMO_PASSWORD.len() >= 12);
}

#[test]
fn keys_are_unique_and_every_link_leads_somewhere() {
    let content = content();
    let labels: BTreeSet<&str> = content.white_labels.iter().map(|label| label.key).collect();
    let pictures: BTreeSet<&str> = content.pictures.iter().map(|picture| picture.key).collect();
    let pois: BTreeSet<&str> = content.pois.iter().map(|poi| poi.key.as_str()).collect();
    let users: BTreeSet<&str> = content.users.iter().map(|user| user.key).collect();
    let structures: BTreeSet<&str> = content.structures.iter().map(|structure| structure.key).collect();
    assert_eq!((pictures.len(), pois.len(), users.len()), (24, 120, content.users.len()));
    let mut earlier = BTreeSet::new();
    for parcours in &content.parcours {
        assert!(labels.contains(parcours.white_label) && users.contains(parcours.author), "{}", parcours.key);
        assert!(parcours.published_on.iter().all(|label| labels.contains(label)), "{}", parcours.key);
        assert!(
            parcours.pictures.iter().all(|key| pictures.contains(key)),
            "{}: {:?}",
            parcours.key,
            parcours.pictures
        );
        assert!(parcours.pois.iter().all(|key| pois.contains(key.as_str())), "{}", parcours.key);
        assert!(parcours.parent.is_none_or(|parent| earlier.contains(parent)), "{}: parent comes later", parcours.key);
        assert!(earlier.insert(parcours.key), "{} twice", parcours.key);
    }
    for poi in &content.pois {
        assert!(poi.pictures.iter().all(|key| pictures.contains(key)) && labels.contains(poi.white_label));
    }
    for label in &content.white_labels {
        assert!(structures.contains(label.structure));
    }
    for user in &content.users {
        assert!(structures.contains(user.structure) && user.white_labels.iter().all(|key| labels.contains(key)));
    }
    for picture in &content.pictures {
        let used = content.parcours.iter().any(|p| p.pictures.contains(&picture.key))
            || content.pois.iter().any(|p| p.pictures.contains(&picture.key));
        assert!(used, "{} is linked to nothing", picture.key);
    }
}

#[test]
fn texts_are_in_both_languages_unless_meant() {
    let mut french_only = Vec::new();
    let mut undescribed = Vec::new();
    for parcours in &content().parcours {
        let written = |text: &Text| !text.fr.is_empty();
        assert!(written(&parcours.title) && written(&parcours.summary), "{}", parcours.key);
        let texts = [&parcours.title, &parcours.subtitle, &parcours.summary, &parcours.description];
        if texts.iter().any(|text| written(text) && text.en.is_empty()) {
            let untranslated = texts.iter().all(|text| text.en.is_empty());
            assert!(untranslated, "{} is half translated", parcours.key);
            french_only.push(parcours.key);
        }
        if parcours.description.is_empty() {
            undescribed.push(parcours.key);
        }
        let html = [&parcours.description.fr, &parcours.description.en];
        assert!(html.iter().all(|text| text.is_empty() || text.starts_with("<p>") && text.ends_with("</p>")));
        for step in &parcours.steps {
            assert!(written(&step.title) && !step.title.en.is_empty(), "{}", parcours.key);
        }
    }
    assert_eq!(french_only, ["belvederes-epinette", "plateau-de-vernet"]);
    assert_eq!(undescribed, ["crepuscule-aux-herons"]);
    let pois = &content().pois;
    assert!(pois.iter().all(|poi| !poi.title.fr.is_empty() && !poi.description.fr.is_empty()));
    assert!(pois.iter().all(|poi| poi.published != poi.title.en.is_empty()), "an unfinished one is published");
    assert_eq!(pois.iter().filter(|poi| poi.title.en.is_empty()).count(), 5);
}

#[test]
fn every_kind_of_step_relation_and_progress_is_there() {
    let parcours = &content().parcours;
    let kinds: HashSet<StepKind> = parcours.iter().flat_map(|p| &p.steps).map(|step| step.kind).collect();
    assert_eq!(kinds.len(), 10, "{kinds:?}");
    let relations = [Relation::None, Relation::ModelOnly, Relation::Child, Relation::ChildOnly];
    assert!(relations.iter().all(|wanted| parcours.iter().any(|p| p.relation == *wanted)));
    for parcours in parcours {
        let child = matches!(parcours.relation, Relation::Child | Relation::ChildOnly);
        assert_eq!(child, parcours.parent.is_some(), "{}", parcours.key);
        assert!(parcours.is_loop.is_some() != parcours.is_stay.is_some(), "{}: balade or voyage", parcours.key);
        assert_eq!(parcours.steps.first().map(|step| step.kind), Some(StepKind::Departure), "{}", parcours.key);
        assert_eq!(parcours.steps.last().map(|step| step.kind), Some(StepKind::Arrival), "{}", parcours.key);
        for pair in parcours.steps.windows(2) {
            let apart_m = pair[1].at_m - pair[0].at_m;
            // Even in a town a step is more than 40 m after the one before.
            assert!(
                apart_m > 40.0,
                "{}: {} is {apart_m:.0} m after {}",
                parcours.key,
                pair[1].title.fr,
                pair[0].title.fr
            );
        }
    }
    for wanted in [Progress::ToReview, Progress::ToFix, Progress::OnHold] {
        assert!(parcours.iter().any(|p| p.progress == Some(wanted)), "{wanted:?}");
    }
    let published = parcours.iter().filter(|p| p.published).count();
    assert!((20..30).contains(&published), "{published} are published");
}

#[test]
fn only_the_agency_sells() {
    for parcours in &content().parcours {
        if parcours.sale.is_some() {
            assert_eq!(parcours.white_label, "sentes-et-rivieres", "{}", parcours.key);
        }
        if let Some(sale) = parcours.sale {
            assert!(sale.max_price_cents.is_none_or(|most| most > sale.price_cents));
            assert!(sale.booking_path.starts_with("/reserver/"));
        }
    }
    let deposits: Vec<Option<u8>> =
        content().parcours.iter().filter_map(|p| p.sale).map(|s| s.deposit_percent).collect();
    assert_eq!(deposits, [None, Some(40), Some(0)]);
}

#[test]
fn periods_end_after_they_start() {
    for period in content().parcours.iter().flat_map(|parcours| parcours.availability) {
        assert!(period.from <= period.to && period.from.len() == 10 && period.to.len() == 10, "{period:?}");
    }
}

#[test]
fn five_traces_are_flawed_one_for_each_cause_and_one_is_used_as_it_is() {
    let flawed: BTreeMap<&str, Expected> = content()
        .parcours
        .iter()
        .filter(|parcours| parcours.trace.expected != Expected::Good)
        .map(|parcours| (parcours.key, parcours.trace.expected))
        .collect();
    let expected = BTreeMap::from([
        ("tour-du-lac-de-breve", Expected::Below95(Cause::NoWay)),
        ("crete-des-echines", Expected::Below95(Cause::ConstantShift)),
        ("gourmande-fontauliere", Expected::Below95(Cause::Forbidden)),
        ("traversee-hautes-terres", Expected::NotCalculable(Cause::RecordingHole)),
        ("portes-du-haut-pays", Expected::NotCalculable(Cause::OutsideExtract)),
    ]);
    assert_eq!(flawed, expected);
    let as_is: Vec<&str> =
        content().parcours.iter().filter(|p| p.trace.mode == TraceMode::Source).map(|p| p.key).collect();
    assert_eq!(as_is, ["etangs-de-charnoux"]);
}

fn metres(a: [f64; 2], b: [f64; 2]) -> f64 {
    ((a[0] - b[0]) * 78_932.0).hypot((a[1] - b[1]) * 111_132.0)
}

fn off_m(point: [f64; 2], line: &[[f64; 2]]) -> f64 {
    let flat = |p: [f64; 2]| [(p[0] - point[0]) * 78_932.0, (p[1] - point[1]) * 111_132.0];
    line.windows(2)
        .map(|pair| {
            let (a, b) = (flat(pair[0]), flat(pair[1]));
            let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
            let part = (-(a[0] * dx + a[1] * dy) / (dx * dx + dy * dy).max(1e-9)).clamp(0.0, 1.0);
            (a[0] + dx * part).hypot(a[1] + dy * part)
        })
        .fold(f64::MAX, f64::min)
}

#[test]
fn recordings_follow_the_ways_that_were_meant_as_a_device_would() {
    for parcours in &content().parcours {
        let (trace, key) = (&parcours.trace, parcours.key);
        let off: Vec<f64> = trace.recorded.iter().step_by(7).map(|point| off_m(*point, &trace.meant)).collect();
        let far = off.iter().filter(|metres| **metres > 15.0).count() as f64 / off.len() as f64;
        match trace.expected {
            Expected::Below95(Cause::NoWay) => assert!((0.05..0.20).contains(&far), "{key}: {far}"),
            Expected::Below95(Cause::ConstantShift) => assert!(far > 0.5, "{key}: {far}"),
            Expected::NotCalculable(Cause::OutsideExtract) => assert!((0.22..0.50).contains(&far), "{key}: {far}"),
            _ => assert!(far < 0.05, "{key}: {far} of the points are over 15 m off"),
        }
        if trace.expected == Expected::Below95(Cause::ConstantShift) {
            continue; // moved away as a whole: its mean says nothing of the device
        }
        let mean = off.iter().copied().filter(|metres| *metres <= 15.0).sum::<f64>() / off.len() as f64;
        assert!((0.5..4.0).contains(&mean), "{key}: {mean} m off on average is no device");
        let longest = trace.recorded.windows(2).map(|pair| metres(pair[0], pair[1])).fold(0.0, f64::max);
        if trace.expected == Expected::NotCalculable(Cause::RecordingHole) {
            assert!(longest > 1_000.0, "{key}: the longest gap is {longest} m");
        } else {
            assert!(longest < 60.0, "{key}: a gap of {longest} m");
        }
    }
}

#[test]
fn recordings_stay_in_the_box_unless_meant() {
    let [west, south, east, north] = made().0.bbox;
    let inside = |[lon, lat]: [f64; 2]| (west..=east).contains(&lon) && (south..=north).contains(&lat);
    for parcours in &content().parcours {
        let outside = parcours.trace.recorded.iter().filter(|point| !inside(**point)).count();
        if parcours.trace.expected == Expected::NotCalculable(Cause::OutsideExtract) {
            assert!(outside as f64 > 0.22 * parcours.trace.recorded.len() as f64, "{outside} points outside");
        } else {
            assert_eq!(outside, 0, "{}", parcours.key);
        }
    }
}

#[test]
fn the_forbidden_one_takes_a_closed_way_and_no_other_does() {
    use extract::Element;
    let mut at = std::collections::HashMap::new();
    let mut closed: Vec<Vec<[f64; 2]>> = Vec::new();
    for element in &made().0.elements {
        match element {
            Element::Node(node) => drop(at.insert(node.id, [node.lon, node.lat])),
            Element::Way(way) if way.tags.get("access") == Some("private") => {
                closed.push(way.nodes.iter().map(|node| at[node]).collect());
            }
            _ => {}
        }
    }
    for parcours in &content().parcours {
        // Seven decimals, as the extract keeps them: whole numbers compare exactly.
        let units = |point: [f64; 2]| point.map(|degrees| (degrees * 1e7).round() as i64);
        let on_closed = |pair: &[[f64; 2]]| {
            let (from, to) = (units(pair[0]), units(pair[1]));
            closed.iter().flat_map(|way| way.windows(2)).any(|piece| {
                let (a, b) = (units(piece[0]), units(piece[1]));
                (a, b) == (from, to) || (a, b) == (to, from)
            })
        };
        let (mut all_m, mut closed_m) = (0.0, 0.0);
        for pair in parcours.trace.meant.windows(2) {
            all_m += metres(pair[0], pair[1]);
            if on_closed(pair) {
                closed_m += metres(pair[0], pair[1]);
            }
        }
        if parcours.trace.expected == Expected::Below95(Cause::Forbidden) {
            assert!(closed_m / all_m > 0.06, "{}: {:.3}", parcours.key, closed_m / all_m);
        } else {
            assert!(closed_m < 1.0, "{} trespasses over {closed_m} m", parcours.key);
        }
    }
}

#[test]
fn recordings_are_gpx_with_times_that_only_grow() {
    for parcours in &content().parcours {
        let gpx = &parcours.trace.gpx;
        assert!(gpx.starts_with("<?xml version=\"1.0\"") && gpx.ends_with("</gpx>\n"));
        let times: Vec<&str> = gpx.split("<time>").skip(1).map(|rest| rest.split("</time>").next().unwrap()).collect();
        assert_eq!(times.len(), parcours.trace.recorded.len());
        assert!(times.windows(2).all(|pair| pair[0] <= pair[1]), "{}: time goes back", parcours.key);
        assert!(times.iter().all(|time| time.len() == 20), "{}", parcours.key);
    }
}

/// The shared folder, or a line that says why the test was skipped.
fn reference(test: &str) -> Option<PathBuf> {
    let root = std::env::var_os("JALON_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"), PathBuf::from);
    let path = root.join("data/reference");
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: {test}: ../shared/data is missing");
    None
}

fn codes(folder: &Path, file: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    let list: serde_json::Value = serde_json::from_str(&text).unwrap();
    list["items"].as_array().unwrap().iter().map(|item| item["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_reference_code_is_known() {
    let Some(folder) = reference("every_reference_code_is_known") else { return };
    let known = |file: &str| codes(&folder, file);
    let check = |known: &BTreeSet<String>, used: &mut dyn Iterator<Item = &str>, what: &str| {
        for code in used {
            assert!(known.contains(code), "{what}: unknown code {code}");
        }
    };
    let parcours = &content().parcours;
    check(&known("practice-types.json"), &mut parcours.iter().map(|p| p.practice), "practice");
    let levels = known("levels.json");
    check(&levels, &mut parcours.iter().map(|p| p.level), "level");
    check(&levels, &mut parcours.iter().flat_map(|p| p.special_levels.iter().copied()), "special level");
    check(&known("route-themes.json"), &mut parcours.iter().flat_map(|p| p.themes.iter().copied()), "theme");
    check(&known("tags.json"), &mut parcours.iter().flat_map(|p| p.tags.iter().copied()), "tag");
    check(&known("markings.json"), &mut parcours.iter().flat_map(|p| p.markings.iter().copied()), "marking");
    check(&known("equipment.json"), &mut parcours.iter().flat_map(|p| p.equipment.iter().copied()), "equipment");
    let pois = &content().pois;
    check(&known("poi-categories.json"), &mut pois.iter().flat_map(|p| p.categories.iter().copied()), "category");
    check(&known("poi-themes.json"), &mut pois.iter().flat_map(|p| p.themes.iter().copied()), "poi theme");
    check(&known("structure-types.json"), &mut content().structures.iter().map(|s| s.kind), "structure type");
}

#[test]
fn it_is_the_same_each_time() {
    let again = demo::content::content(&demo::region());
    for (a, b) in content().parcours.iter().zip(&again.parcours) {
        assert!(a.trace.gpx == b.trace.gpx, "{} differs", a.key);
        assert_eq!(a.steps, b.steps);
    }
    assert_eq!(content().pois, again.pois);
    let picture = &content().pictures[0];
    let (first, second) = (picture.jpeg().unwrap(), again.pictures[0].jpeg().unwrap());
    assert!(first == second, "a picture differs");
    assert!(
        first.starts_with(&[0xff, 0xd8, 0xff]) && (60_000..300_000).contains(&first.len()),
        "{} bytes",
        first.len()
    );
}
