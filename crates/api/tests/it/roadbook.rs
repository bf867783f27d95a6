//! The settings of a roadbook, and the data it is made from.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::sync::Arc;
use std::time::Duration;

use domain::roadbook::RoadbookSettings;
use domain::{ParcoursId, Role};
use macros::app_test;
use outputs::roadbook::{Assembled, Audience, assemble};
use roadbook::data::{Maneuver, StepKind};
use serde_json::{Value, json};
use testkit::{Client, CountingRenderer, InProcessRenderer, TestApp};

use crate::catalogue_kit::moved_to_vercors;
use crate::feeds::term;
use crate::parcours_kit::{
    gpx, imported, made, now, patch, path, published, put_trace, shared, shared_file, with_andorra,
};

fn roadbook_path(parcours: &Value) -> String {
    format!("{}/roadbook", path(parcours))
}

async fn put(by: &Client, parcours: &Value, version: i64, body: Value) -> testkit::Reply {
    by.clone().at_version(version).put(roadbook_path(parcours), body).await
}

#[app_test]
async fn a_roadbook_has_defaults_before_its_first_save_and_stores_what_is_set(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let fresh = editor.get(roadbook_path(&parcours)).await.expect(200);
    assert_eq!(fresh.header("etag"), "\"0\"");
    let mut settings = fresh.json()["settings"].clone();
    let pages = settings["pages"].as_array_mut().unwrap();
    assert_eq!((pages.len(), &pages[0]["kind"]), (13, &json!("front_cover")));
    pages.swap(2, 3);
    pages[4]["on"] = json!(false);
    settings["format"] = json!("a4");
    let kept = put(&editor, &parcours, 0, settings).await.expect(200).json();
    assert_eq!((&kept["version"], &kept["updated_by"]["name"]), (&json!(1), &json!("Camille editor")));
    let read = app.reader_of("morvan").get(roadbook_path(&parcours)).await.expect(200).json();
    assert_eq!((&read["settings"], &read["locked_reason"]), (&kept["settings"], &json!("role")));
    assert_eq!(
        (&read["settings"]["pages"][2]["kind"], &read["settings"]["pages"][4]["on"]),
        (&json!("overview"), &json!(false))
    );
}

#[app_test]
async fn two_people_do_not_overwrite_each_other(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    put(&editor, &parcours, 0, json!({"booklet": true})).await.expect(200);
    let stale = put(&editor, &parcours, 0, json!({"bleed": true})).await.expect(412).problem();
    assert_eq!(stale.code, "version/stale");
    let missing = editor.put(roadbook_path(&parcours), json!({})).await;
    assert_eq!(missing.expect(428).problem().code, "version/required");
    put(&editor, &parcours, 1, json!({"bleed": true})).await.expect(200);
}

#[app_test]
async fn clients_and_vouchers_are_written_by_agencies_alone(app: TestApp) {
    let (editor, agency) = (app.editor_of("morvan"), app.agency_of("morvan"));
    let parcours = shared(&editor, "Lac").await;
    for (part, value) in
        [("clients", json!(["Claire Aubertin"])), ("vouchers", json!([{"provider": "Auberge", "service": "1 nuit"}]))]
    {
        let refused = put(&editor, &parcours, 0, json!({ part: value })).await.expect(403).problem();
        assert_eq!(
            (refused.code.as_str(), refused.field.as_deref()),
            ("parcours/agency-only", Some(format!("/{part}").as_str()))
        );
    }
    let set = json!({"clients": ["Claire Aubertin"], "stays": [{"step_id": 1, "code": "2741"}]});
    put(&agency, &parcours, 0, set.clone()).await.expect(200);
    // What an agency filled in stays through an editor's save.
    put(&editor, &parcours, 1, set).await.expect(200);
}

#[app_test]
async fn another_white_label_reads_the_roadbook_of_a_shared_parcours_without_its_people(app: TestApp) {
    let agency = app.agency_of("morvan");
    let parcours = shared(&app.editor_of("morvan"), "Lac").await;
    let hidden = app.media().made().insert().await.id;
    let set = json!({"format": "a4", "clients": ["Claire Aubertin"], "starts_on": "2027-05-14", "signature": "Maud",
        "contacts": [{"name": "Maud Vasseur", "phone": "+33639982041"}], "welcome": {"fr": "Chère Claire"},
        "pages": [{"kind": "front_cover", "media_id": hidden}, {"kind": "map"}],
        "stays": [{"step_id": 1, "name": "Auberge", "code": "2741", "phone": "+33353014210", "media_id": hidden}],
        "vouchers": [{"provider": "Auberge", "service": "1 nuit"}]});
    put(&agency, &parcours, 0, set).await.expect(200);
    let read = app.editor_of("vercors").get(roadbook_path(&parcours)).await.expect(200);
    let text = read.text();
    for secret in ["Claire", "2027-05-14", "Maud", "2741", "+33", "1 nuit", "Auberge", "Camille"] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    let read = read.json();
    assert_eq!((&read["editable"], &read["locked_reason"]), (&json!(false), &json!("not_yours")));
    let pages = read["settings"]["pages"].as_array().unwrap();
    assert_eq!((&read["settings"]["format"], pages.len()), (&json!("a4"), 2));
    assert_eq!(pages[0]["media_id"], Value::Null, "the picture is not theirs to see");
    // It stays what they may read, not change, preview or print.
    let other = app.admin_of("vercors");
    assert_eq!(put(&other, &parcours, 1, json!({})).await.expect(403).problem().code, "parcours/not-yours");
    for at in ["preview", "pdf"] {
        let refused = other.post(format!("{}/{at}", roadbook_path(&parcours)), json!({})).await.expect(403).problem();
        assert_eq!(refused.code, "parcours/not-yours", "{at}");
    }
    // A parcours that is not shared is not found by them.
    let own = made(&agency, "Étang", json!({})).await;
    other.get(roadbook_path(&own)).await.expect(404);
}

#[app_test]
async fn a_step_has_the_same_number_on_the_sheet_on_its_page_and_in_the_roadbook(app: TestApp) {
    let (admin, parcours) = (app.admin_of("morvan"), trip(&app).await);
    let fountain = app.poi().titled("La fontaine").at(4.015, 47.0).published().insert().await;
    let parcours = patch(&admin, &now(&admin, &parcours).await, json!({"poi_ids": [fountain.id]})).await;
    let id = ParcoursId(parcours["id"].as_i64().unwrap());
    let stored = store::parcours::load(app.store().read(), id).await.unwrap().unwrap();
    let labels = domain::step::step_labels(&stored.steps);
    assert_eq!(labels, ["D", "1", "2", "3", "4", "A"]);
    let assembled = data(&app, &parcours, RoadbookSettings::default(), Audience::Clients).await;
    let request = roadbook::Request {
        roadbook: assembled.roadbook,
        blobs: std::collections::BTreeMap::new(),
        tiles: None,
        output: roadbook::Output::Pdf,
    };
    let drawn = roadbook::parts(&request).unwrap();
    let drawn: Value = serde_json::from_slice(&drawn["data.json"]).unwrap();
    let of_day = |day: usize| {
        let steps = drawn["days"][day]["steps"].as_array().unwrap().iter();
        steps.map(|step| (step["number"].as_str().unwrap(), step["title"].as_str().unwrap())).collect::<Vec<_>>()
    };
    // The way-point 1 has no word to print; the fountain is no step of the sheet: it has a letter.
    assert_eq!(of_day(0), [("D", "Vézelay"), ("2", "Le belvédère"), ("3", "Quarré")]);
    assert_eq!(of_day(1), [("3", "Quarré"), ("a", "La fontaine"), ("4", "Les Settons")]);
    assert_eq!(of_day(2), [("4", "Les Settons"), ("A", "Château-Chinon")]);
    for (title, label) in stored.steps.iter().map(|step| step.title.best("fr")).zip(&labels) {
        let printed = (0..3).flat_map(of_day).find(|(_, told)| *told == title);
        assert!(title.is_empty() || printed.is_some_and(|(number, _)| number == label), "{title}: {printed:?}");
    }
    // The discs of the maps, and those of the ends of days on the map of the whole.
    let discs = |map: &Value| {
        let markers = map["markers"].as_array().unwrap().iter();
        markers.map(|one| one["label"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(discs(&drawn["days"][1]["map"]), ["3", "a", "4"]);
    assert_eq!(discs(&drawn["overview"]["map"]), ["1", "D", "2", "3", "3", "4", "A"], "days 1 to 3 and their ends");

    let parcours = published(&admin, &now(&admin, &parcours).await).await;
    let page = format!("/p/le-morvan-des-lacs-{}", parcours["id"]);
    let page = app.anonymous().get(page).await.expect(200).text();
    for label in &labels {
        assert!(page.contains(&format!("\"label\":\"{label}\"")), "the map of the page has {label}");
    }
}

#[test]
fn the_web_app_numbers_steps_by_the_same_cases() {
    let cases: Value =
        serde_json::from_str(include_str!("../../../../web/src/records/parcours/step-labels.cases.json")).unwrap();
    for case in cases.as_array().unwrap() {
        let steps = case["kinds"].as_array().unwrap().iter().map(|kind| {
            let input = json!({"kind": kind, "position": [4.0, 47.0]});
            serde_json::from_value::<domain::step::StepInput>(input).unwrap()
        });
        let (steps, _) = domain::step::number_steps(steps.collect(), &[], 0);
        let labels: Vec<String> = serde_json::from_value(case["labels"].clone()).unwrap();
        assert_eq!(domain::step::step_labels(&steps), labels, "{case}");
    }
}

#[app_test]
async fn texts_that_are_not_in_the_language_asked_are_reported_with_their_record(app: TestApp) {
    let app = app.changed(|parts| parts.renderer = Some(Arc::new(InProcessRenderer)));
    let (agency, parcours) = (app.agency_of("morvan"), trip(&app).await);
    let poi = app.poi().titled("La fontaine").at(4.015, 47.0).insert().await;
    let night = parcours["steps"][3].clone();
    let mut steps = parcours["steps"].clone();
    steps[3]["title"] = json!({"fr": "Quarré", "en": "Quarré"});
    let title = json!({"fr": "Le Morvan des lacs", "en": "Lakes of the Morvan"});
    let fields = json!({"title": title, "steps": steps, "poi_ids": [poi.id]});
    let parcours = patch(&agency, &now(&agency, &parcours).await, fields).await;
    let preview = format!("{}/preview", roadbook_path(&parcours));
    let warned = async |settings: Value| {
        let seen = agency.post(&preview, json!({"settings": settings, "pages": [1], "width_px": 100})).await;
        let warnings = seen.expect(200).json()["warnings"].as_array().unwrap().clone();
        warnings.into_iter().filter(|one| one["code"] == "text_missing").collect::<Vec<_>>()
    };
    assert_eq!(warned(json!({})).await, Vec::<Value>::new(), "all is written in French");
    let found = warned(json!({"language": "en", "welcome": {"fr": "Bienvenue"}})).await;
    let listed: Vec<_> = found
        .iter()
        .map(|one| (one["texts"]["kind"].as_str().unwrap(), one["subject"].as_str().unwrap(), &one["step"]))
        .collect();
    let nothing = Value::Null;
    assert!(listed.contains(&("parcours", "Lakes of the Morvan", &nothing)), "its price: {listed:?}");
    assert!(
        listed.contains(&("step", "Vézelay", &json!("D"))) && listed.contains(&("step", "Les Settons", &json!("4"))),
        "{listed:?}"
    );
    assert!(
        listed.contains(&("poi", "La fontaine", &nothing)) && listed.contains(&("roadbook", "", &nothing)),
        "{listed:?}"
    );
    assert!(!listed.iter().any(|(_, name, _)| *name == "Quarré"), "it is written in English: {night}");
    let price = found.iter().find(|one| one["texts"]["kind"] == "parcours").unwrap();
    assert_eq!(price["texts"]["fields"], json!(["price_includes"]), "the summary of several days is not printed");
    assert_eq!((&price["texts"]["language"], &price["texts"]["printed_in"]), (&json!("en"), &json!("fr")));
    patch(&agency, &now(&agency, &parcours).await, json!({"subtitle": {"fr": "En trois jours"}})).await;
    for (anonymous, is_missing) in [(false, true), (true, false)] {
        let found = warned(json!({"language": "en", "anonymous": anonymous})).await;
        let of_parcours = found.iter().find(|one| one["texts"]["kind"] == "parcours").unwrap();
        let fields = of_parcours["texts"]["fields"].to_string();
        assert_eq!(fields.contains("\"subtitle\""), is_missing, "an anonymous roadbook does not print it: {fields}");
    }
}

#[app_test]
async fn an_invalid_setting_is_reported_on_its_field(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let wrong = json!({"language": "it", "pages": [{"kind": "map"}, {"kind": "map"}]});
    let problem = put(&editor, &parcours, 0, wrong).await.expect(422).problem();
    let codes: Vec<_> = problem.errors.iter().map(|fault| (fault.code.as_str(), fault.field.as_str())).collect();
    assert_eq!(codes, [("validation/unknown-language", "/language"), ("roadbook/page-twice", "/pages/1/kind")]);
    let unknown = put(&editor, &parcours, 0, json!({"pages": [{"kind": "centerfold"}]})).await.expect(422).problem();
    assert_eq!(unknown.code, "request/bad-field");
}

#[app_test]
async fn a_deleted_parcours_comes_back_with_its_roadbook(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    put(&editor, &parcours, 0, json!({"format": "a4"})).await.expect(200);
    editor.clone().at_version(1).delete(path(&parcours)).await.expect(204);
    editor.get(roadbook_path(&parcours)).await.expect(404);
    let bin = editor.get("/api/v1/bin").await.expect(200).json();
    let restoration = format!("/api/v1/bin/{}/restoration", bin["items"][0]["id"]);
    editor.post(restoration, json!({})).await.expect(200);
    assert_eq!(editor.get(roadbook_path(&parcours)).await.expect(200).json()["settings"]["format"], "a4");
}

async fn data(app: &TestApp, parcours: &Value, settings: RoadbookSettings, audience: Audience) -> Assembled {
    let db = app.store().read();
    let id = ParcoursId(parcours["id"].as_i64().unwrap());
    let stored = store::parcours::load(db, id).await.unwrap().unwrap();
    assemble(app.app(), db, &stored, settings, audience).await.unwrap()
}

/// Two nights on 2.2 km going east, each of 31 points 8 m higher than the one before.
pub async fn trip(app: &TestApp) -> Value {
    let agency = app.agency_of("morvan");
    let fields = json!({"summary": {"fr": "Trois jours."}, "file_number": "MVN-2027-0418",
        "anonymous_title": {"fr": "Un lac"}, "price_includes": {"fr": "<ul><li>2 nuits</li><li>dîners</li></ul>"}});
    let parcours = made(&agency, "Le Morvan des lacs", fields).await;
    let line: Vec<(f64, f64)> = (0..=30).map(|i| (4.0 + f64::from(i) * 0.001, 47.0)).collect();
    let flat = gpx(&line);
    let mut parts = flat.split("<ele>500</ele>");
    let mut climbing = parts.next().unwrap().to_owned();
    for (at, part) in parts.enumerate() {
        climbing += &format!("<ele>{}</ele>{part}", 500 + 8 * at);
    }
    imported(&agency, &parcours, "x.gpx", climbing).await.expect(200);
    let step =
        |kind: &str, lon: f64, title: &str| json!({"kind": kind, "position": [lon, 47.0], "title": {"fr": title}});
    let steps = json!([
        step("departure", 4.0, "Vézelay"),
        step("waypoint", 4.005, ""),
        step("favourite", 4.007, "Le belvédère"),
        step("night", 4.01, "Quarré"),
        step("step_night", 4.02, "Les Settons"),
        step("arrival", 4.03, "Château-Chinon"),
    ]);
    patch(&agency, &now(&agency, &parcours).await, json!({ "steps": steps })).await
}

#[app_test]
async fn a_roadbook_names_the_long_distance_ways_and_the_distance_that_a_step_was_given(app: TestApp) {
    let (agency, parcours) = (app.agency_of("morvan"), trip(&app).await);
    let way =
        json!({"name": {"fr": "La Lorne à vélo", "en": "The Lorne by bike"}, "kind": "cycle_route", "code": "EV 6"});
    let way = crate::catalogue_kit::made(&app.superadmin(), "/api/v1/itineraries", way).await;
    let mut steps = parcours["steps"].clone();
    // To the way-point, which is not printed; to the night, which is the next that is.
    steps[0]["distance_to_next_typed_m"] = json!(3_000.0);
    steps[2]["distance_to_next_typed_m"] = json!(5_000.0);
    patch(&agency, &now(&agency, &parcours).await, json!({"itinerary_ids": [way["id"]], "steps": steps})).await;
    let made = data(&app, &parcours, RoadbookSettings::default(), Audience::Everybody).await.roadbook;
    let advice = &made.trip.advice[0];
    assert_eq!((advice.title.as_str(), advice.text.as_str()), ("Itinéraires suivis", "EV 6 · La Lorne à vélo"));
    let to_next: Vec<_> =
        made.days[0].steps.iter().map(|step| (step.title.as_str(), step.distance_to_next_m)).collect();
    assert_eq!(to_next, [("Vézelay", None), ("Le belvédère", Some(5_000.0)), ("Quarré", None)]);
}

#[app_test]
async fn a_photo_chosen_for_a_night_is_printed_only_there(app: TestApp) {
    let (agency, parcours) = (app.agency_of("morvan"), trip(&app).await);
    let mut pictures = Vec::new();
    for _ in 0..3 {
        pictures.push(app.media().made().insert().await.id);
    }
    patch(&agency, &now(&agency, &parcours).await, json!({"media_ids": pictures})).await;
    let night = parcours["steps"][3]["id"].as_i64().unwrap();
    let with_photo = |id: i64| json!({"stays": [{"step_id": night, "name": "Auberge", "media_id": id}]});
    let settings: RoadbookSettings = serde_json::from_value(with_photo(pictures[1])).unwrap();
    let days = data(&app, &parcours, settings, Audience::Everybody).await.roadbook.days;
    let blob = format!("media-{}", pictures[1]);
    assert_eq!(days[0].stay.as_ref().unwrap().photo.as_ref().map(|photo| &photo.blob), Some(&blob));
    let others: Vec<&str> = days.iter().flat_map(|day| &day.photos).map(|photo| photo.blob.as_str()).collect();
    assert_eq!(others, [format!("media-{}", pictures[2])], "the first is on the cover");
    // A picture that is not linked to this parcours is not printed.
    let settings: RoadbookSettings = serde_json::from_value(with_photo(999_999)).unwrap();
    let days = data(&app, &parcours, settings, Audience::Everybody).await.roadbook.days;
    assert!(days[0].stay.as_ref().unwrap().photo.is_none());
}

#[app_test]
async fn a_photo_of_the_description_is_on_no_day(app: TestApp) {
    let (agency, parcours) = (app.agency_of("morvan"), trip(&app).await);
    let mut pictures = Vec::new();
    for _ in 0..3 {
        pictures.push(app.media().made().insert().await.id);
    }
    patch(&agency, &now(&agency, &parcours).await, json!({"media_ids": pictures})).await;
    let pages = json!({"pages": [{"kind": "description", "media_id": pictures[1]}, {"kind": "photos"}]});
    let settings: RoadbookSettings = serde_json::from_value(pages).unwrap();
    let made = data(&app, &parcours, settings, Audience::Clients).await.roadbook;
    let blob = format!("media-{}", pictures[1]);
    assert_eq!(made.pages[0].photo.as_ref().map(|photo| &photo.blob), Some(&blob));
    let others: Vec<&str> = made.days.iter().flat_map(|day| &day.photos).map(|photo| photo.blob.as_str()).collect();
    assert_eq!(others, [format!("media-{}", pictures[2])], "the first is on the cover");
}

#[app_test]
async fn a_typed_length_applies_to_the_days_and_their_rows(app: TestApp) {
    let admin = app.admin_of("morvan");
    let parcours = made(&admin, "Lac", json!({})).await;
    let line: Vec<[f64; 2]> = (0..=30).map(|i| [4.0 + f64::from(i) * 0.001, 47.0]).collect();
    let step = |kind: &str, lon: f64| json!({"kind": kind, "position": [lon, 47.0], "title": {"fr": kind}});
    let steps = json!([step("departure", 4.0), step("night", 4.01), step("arrival", 4.03)]);
    // The line itself has 2,280 m.
    let body = json!({"mode": "source", "legs": [{"kind": "free", "line": line}], "steps": steps,
        "distance_typed_m": 4_560.0, "duration_typed_s": 3_600.0});
    put_trace(&admin, &parcours, body).await.expect(200);
    let fountain = app.poi().titled("La fontaine").at(4.02, 47.0).published().insert().await;
    let parcours = patch(&admin, &now(&admin, &parcours).await, json!({"poi_ids": [fountain.id]})).await;
    let days = data(&app, &parcours, RoadbookSettings::default(), Audience::Clients).await.roadbook.days;
    let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 5.0, "{found} is not {wanted}");
    near(days.iter().map(|day| day.length_m).sum(), 4_560.0);
    for day in &days {
        near(day.steps.last().unwrap().at_m, day.length_m);
    }
    near(days[0].length_m, 1_520.0);
    near(days[0].steps[0].distance_to_next_m.unwrap(), 1_520.0);
    let fountain = &days[1].steps[1];
    assert_eq!(fountain.title, "La fontaine");
    near(fountain.at_m, 1_520.0);
}

#[app_test]
async fn a_roadbook_knows_whether_the_practice_is_on_foot(app: TestApp) {
    let (agency, parcours) = (app.agency_of("morvan"), trip(&app).await);
    let on_foot = async || {
        let made = data(&app, &parcours, RoadbookSettings::default(), Audience::Clients).await;
        made.roadbook.trip.on_foot
    };
    assert!(!on_foot().await, "nothing is known of a parcours without practice");
    for (practice, walks) in [("randonnee", true), ("balade-pied", true), ("vtt-randonnee", false), ("handbike", false)]
    {
        let id = term(&app, "practice_type", practice).await;
        patch(&agency, &now(&agency, &parcours).await, json!({"practice_type_id": id})).await;
        assert_eq!(on_foot().await, walks, "{practice}");
    }
}

#[app_test]
async fn a_trip_is_cut_into_days_at_its_nights(app: TestApp) {
    let parcours = trip(&app).await;
    let night = parcours["steps"][3]["id"].as_i64().unwrap();
    let settings: RoadbookSettings = serde_json::from_value(json!({
        "starts_on": "2027-05-14", "clients": ["Claire Aubertin"],
        "stays": [{"step_id": night, "name": "Auberge", "code": "2741 A"}],
    }))
    .unwrap();
    let made = data(&app, &parcours, settings.clone(), Audience::Clients).await.roadbook;
    let days: Vec<_> = made
        .days
        .iter()
        .map(|day| (day.origin.as_str(), day.destination.as_str(), day.date.as_deref().unwrap()))
        .collect();
    assert_eq!(
        days,
        [
            ("Vézelay", "Quarré", "2027-05-14"),
            ("Quarré", "Les Settons", "2027-05-15"),
            ("Les Settons", "Château-Chinon", "2027-05-16")
        ]
    );
    assert!(
        made.days.windows(2).all(|pair| pair[0].trace.last() == pair[1].trace.first()),
        "one goes on from the other"
    );
    let first = &made.days[0];
    assert!((first.length_m - 758.0).abs() < 2.0 && first.trace[0].2 == Some(500.0), "{}", first.length_m);
    let rows: Vec<_> = first.steps.iter().map(|step| (step.number, step.kind, step.title.as_str())).collect();
    assert_eq!(
        rows,
        [(1, StepKind::Departure, "Vézelay"), (2, StepKind::Favourite, "Le belvédère"), (3, StepKind::Night, "Quarré")]
    );
    let second = &made.days[1].steps[0];
    assert_eq!((second.kind, second.title.as_str(), second.at_m), (StepKind::Departure, "Quarré", 0.0));
    let stay = first.stay.as_ref().unwrap();
    assert_eq!((stay.name.as_str(), stay.code.as_deref()), ("Auberge", Some("2741 A")));
    assert_eq!(made.days[1].stay.as_ref().unwrap().name, "Les Settons");
    assert!(made.days[2].stay.is_none());
    assert_eq!((made.trip.reference.as_str(), made.trip.includes.len()), ("MVN-2027-0418", 2));
    assert_eq!(made.trip.ends_on.as_deref(), Some("2027-05-16"));
    assert!(made.qr.gpx.is_none(), "its address is not public");

    let public = data(&app, &parcours, settings, Audience::Everybody).await.roadbook;
    let found = serde_json::to_string(&public).unwrap();
    for secret in ["Claire", "2741", "MVN-2027", "2027-05-14"] {
        assert!(!found.contains(secret), "{secret}");
    }
}

#[app_test]
async fn the_dates_of_a_trip_end_on_the_last_day_of_a_stay_at_its_end(app: TestApp) {
    let (agency, parcours) = (app.agency_of("morvan"), trip(&app).await);
    let mut steps = parcours["steps"].clone();
    let stay =
        json!({"kind": "nights", "nights": 3, "position": [4.03, 47.0], "title": {"fr": "Gîte de Château-Chinon"}});
    steps.as_array_mut().unwrap().insert(5, stay);
    patch(&agency, &now(&agency, &parcours).await, json!({ "steps": steps })).await;
    let settings = RoadbookSettings { starts_on: Some("2027-05-14".to_owned()), ..RoadbookSettings::default() };
    let made = data(&app, &parcours, settings, Audience::Clients).await.roadbook;
    let last = made.days.last().unwrap();
    assert_eq!((made.days.len(), last.date.as_deref()), (3, Some("2027-05-16")));
    assert_eq!(last.stay.as_ref().map(|stay| stay.nights), Some(3));
    // Five days: three with a stage, two of rest.
    assert_eq!(made.trip.ends_on.as_deref(), Some("2027-05-18"));
}

#[app_test]
async fn qr_codes_lead_to_the_public_page_once_it_exists(app: TestApp) {
    let admin = app.admin_of("morvan");
    let parcours = trip(&app).await;
    let parcours = published(&admin, &now(&admin, &parcours).await).await;
    let qr = data(&app, &parcours, RoadbookSettings::default(), Audience::Everybody).await.roadbook.qr;
    let page = format!("http://localhost:8080/p/le-morvan-des-lacs-{}", parcours["id"]);
    assert_eq!((qr.app.as_deref(), qr.gpx), (Some(page.as_str()), Some(format!("{page}/trace.gpx"))));
    let anonymous = RoadbookSettings { anonymous: true, ..RoadbookSettings::default() };
    let qr = data(&app, &parcours, anonymous, Audience::Everybody).await.roadbook.qr;
    assert!(qr.app.is_none() && qr.gpx.is_none(), "the addresses contain the title");
}

#[app_test]
async fn the_roadbook_for_sellers_has_the_anonymous_title(app: TestApp) {
    let parcours = trip(&app).await;
    let settings = RoadbookSettings { anonymous: true, ..RoadbookSettings::default() };
    let made = data(&app, &parcours, settings, Audience::Clients).await.roadbook;
    assert_eq!((made.anonymous, made.trip.anonymous_title.as_deref()), (true, Some("Un lac")));
    assert!(made.days.iter().all(|day| day.intro.is_empty()));
}

#[app_test]
async fn turns_are_listed_where_the_trace_follows_known_ways(app: TestApp) {
    let Some(app) = with_andorra(&app) else { return testkit::skipped("turns in a roadbook", "osm/andorra.osm.pbf") };
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Andorre", json!({})).await;
    let bytes = shared_file("tracks/synthetic/andorra_00_clean.gpx").expect("the shared tracks are there");
    imported(&editor, &parcours, "andorra.gpx", bytes).await.expect(200);
    let found = data(&app, &parcours, RoadbookSettings::default(), Audience::Clients).await.roadbook;
    let day = &found.days[0];
    let turned = |one: &Maneuver| day.steps.iter().any(|step| step.maneuver == Some(*one));
    assert!(turned(&Maneuver::TurnLeft) || turned(&Maneuver::TurnRight), "{:?}", day.steps);
    assert!(day.steps.windows(2).all(|pair| pair[0].at_m <= pair[1].at_m && pair[0].number + 1 == pair[1].number));
    assert_eq!(day.reliability, None, "turns can be trusted");
    let mut quiet = RoadbookSettings::default();
    for page in &mut quiet.pages {
        page.table = false;
    }
    let found = data(&app, &parcours, quiet, Audience::Clients).await.roadbook;
    assert!(found.days[0].steps.iter().all(|step| step.maneuver.is_none()));
}

#[app_test]
async fn a_roadbook_is_printed_as_it_is_saved_and_seen_as_it_is_typed(app: TestApp) {
    let app = app.changed(|parts| parts.renderer = Some(Arc::new(InProcessRenderer)));
    let (agency, parcours) = (app.agency_of("morvan"), trip(&app).await);
    let set = json!({"clients": ["Claire Aubertin"], "vouchers": [{"provider": "Auberge", "service": "1 nuit"}]});
    put(&agency, &parcours, 0, set.clone()).await.expect(200);
    let printed = agency.post(format!("{}/pdf", roadbook_path(&parcours)), json!({})).await.expect(200);
    assert_eq!(printed.header("content-type"), "application/pdf");
    assert!(printed.header("content-disposition").contains("carnet-le-morvan-des-lacs.pdf"));
    assert!(printed.bytes.starts_with(b"%PDF-") && printed.bytes.len() > 20_000);
    put(&agency, &parcours, 1, json!({"anonymous": true})).await.expect(200);
    let sold = agency.post(format!("{}/pdf", roadbook_path(&parcours)), json!({})).await.expect(200);
    assert!(sold.header("content-disposition").contains("carnet-un-lac.pdf"), "the title that it prints");
    let preview = format!("{}/preview", roadbook_path(&parcours));
    let mut typed = set;
    typed["format"] = json!("a4");
    let seen = agency.post(&preview, json!({"settings": typed, "pages": [1, 999], "width_px": 200})).await.expect(200);
    let seen = seen.json();
    assert!(seen["total"].as_u64().unwrap() > 4, "{}", seen["total"]);
    assert_eq!((seen["pages"].as_array().unwrap().len(), &seen["pages"][0]["number"]), (1, &json!(1)));
    // The first bytes of every PNG, in base64.
    assert!(seen["pages"][0]["png"].as_str().unwrap().starts_with("iVBORw0KGgo"));
    let codes: Vec<&str> =
        seen["warnings"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect();
    assert!(codes.contains(&"map_ground_missing"), "{codes:?}");
    assert_eq!(
        agency.get(roadbook_path(&parcours)).await.expect(200).json()["settings"]["format"],
        "a5",
        "nothing was saved"
    );

    let none = json!({"settings": {"pages": [{"kind": "map", "on": false}]}});
    let refused = app.agency_of("morvan").post(&preview, none).await.expect(422).problem();
    assert_eq!(refused.code, "roadbook/no-pages");
    let absent = app.changed(|parts| parts.renderer = None);
    let refused = absent.agency_of("morvan").post(&preview, json!({})).await.expect(503).problem();
    assert_eq!(refused.code, "roadbook/absent");
}

#[app_test]
async fn the_roadbook_of_a_published_parcours_is_public(app: TestApp) {
    let app = app.changed(|parts| parts.renderer = Some(Arc::new(InProcessRenderer)));
    let (admin, parcours) = (app.admin_of("morvan"), trip(&app).await);
    let share = admin.post(format!("{}/shares", path(&parcours)), json!({"kind": "temporary", "days": 1})).await;
    let shared = format!("/s/{}/roadbook.pdf", share.expect(201).json()["token"].as_str().unwrap());
    assert_eq!(app.anonymous().get(&shared).await.status, 404, "it must be published for its PDF");
    published(&admin, &now(&admin, &parcours).await).await;
    let open = format!("/p/le-morvan-des-lacs-{}", parcours["id"]);
    for at in [format!("{open}/roadbook.pdf"), format!("/en{open}/roadbook.pdf"), shared.clone()] {
        let pdf = app.anonymous().get(&at).await.expect(200);
        assert!(pdf.bytes.starts_with(b"%PDF-"), "{at}");
    }
    let page = app.anonymous().get(&open).await.expect(200).text();
    assert!(page.contains(&format!("{open}/roadbook.pdf")));
    // Rendered once: the stored file is sent even where there is no renderer.
    let still = app.changed(|parts| parts.renderer = None);
    assert!(still.anonymous().get(&shared).await.expect(200).bytes.starts_with(b"%PDF-"));
    // It goes with the parcours.
    let key = format!("roadbook/{}-fr.pdf", parcours["id"]);
    assert!(app.app().blobs.get(&key).await.unwrap().is_some());
    let at = now(&admin, &parcours).await;
    let held = admin.clone().at_version(at["version"].as_i64().unwrap());
    held.delete(format!("{}?force=true", path(&parcours))).await.expect(204);
    assert!(app.app().blobs.get(&key).await.unwrap().is_none());
}

#[app_test]
async fn a_published_parcours_without_a_title_has_no_public_roadbook(app: TestApp) {
    let app = app.changed(|parts| parts.renderer = Some(Arc::new(InProcessRenderer)));
    let (admin, parcours) = (app.admin_of("morvan"), trip(&app).await);
    let share = admin.post(format!("{}/shares", path(&parcours)), json!({"kind": "temporary", "days": 1})).await;
    let shared = format!("/s/{}/roadbook.pdf", share.expect(201).json()["token"].as_str().unwrap());
    published(&admin, &now(&admin, &parcours).await).await;
    // Rows of earlier versions of the program can be so.
    let tx = app.store().begin().await.unwrap();
    let id = ParcoursId(parcours["id"].as_i64().unwrap());
    let before = store::parcours::lock(&tx, id).await.unwrap().unwrap();
    let mut after = before.clone();
    after.sheet.title = domain::Text::default();
    let languages = app.app().settings.content_languages.clone();
    let change = store::parcours::Change { by: None, at: app.app().now(), reason: None, languages: &languages };
    store::parcours::save(&tx, &before, after, None, change).await.unwrap();
    tx.commit().await.unwrap();
    app.anonymous().get(&shared).await.expect(404);
}

const BATCHES: &str = "/api/v1/roadbook-batches";

#[app_test]
async fn a_batch_is_closed_to_a_person_who_left_its_white_label(app: TestApp) {
    let app = app.changed(|parts| parts.renderer = Some(Arc::new(InProcessRenderer)));
    let editor = app.editor_of("morvan");
    trip(&app).await;
    let begun = editor.post(BATCHES, json!({"filter": {"progress": "any"}})).await.expect(201).json();
    outputs::roadbook::batch::settle(app.app()).await.unwrap();
    let at = format!("{BATCHES}/{}", begun["id"]);
    editor.get(format!("{at}/file")).await.expect(200);
    moved_to_vercors(&app, Role::Editor).await;
    assert_eq!(editor.get(BATCHES).await.expect(200).json(), json!([]));
    for address in [at.clone(), format!("{at}/file")] {
        assert_eq!(editor.get(address).await.expect(404).problem().code, "roadbook/batch-not-found");
    }
}

#[app_test]
async fn a_batch_of_roadbooks_is_printed_in_the_background_into_one_file(app: TestApp) {
    let app = app.changed(|parts| parts.renderer = Some(Arc::new(InProcessRenderer)));
    let (agency, parcours) = (app.agency_of("morvan"), trip(&app).await);
    let nameless = made(&agency, "Sans pages", json!({})).await;
    put(&agency, &nameless, 0, json!({"pages": [{"kind": "map", "on": false}]})).await.expect(200);
    let theirs = shared(&app.editor_of("vercors"), "Le leur").await;
    let begun = agency.post(BATCHES, json!({"filter": {"progress": "any"}})).await.expect(201).json();
    assert_eq!((&begun["state"], &begun["total"], &begun["done"]), (&json!("running"), &json!(3), &json!(1)));
    let at = format!("{BATCHES}/{}", begun["id"]);
    let file = format!("{at}/file");
    agency.get(&file).await.expect(404);
    assert_eq!(app.admin_of("morvan").get(&at).await.expect(404).problem().code, "roadbook/batch-not-found");

    // Another server over the same database prints it.
    let other = app.changed(|parts| parts.renderer = Some(Arc::new(InProcessRenderer)));
    outputs::roadbook::batch::settle(other.app()).await.unwrap();
    let made = agency.get(&at).await.expect(200).json();
    assert_eq!((&made["state"], &made["done"], &made["printed"]), (&json!("done"), &json!(3), &json!(1)));
    let why = |id: &Value| {
        let refused = made["refused"].as_array().unwrap();
        refused.iter().find(|item| &item["id"] == id).unwrap()["code"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        (why(&nameless["id"]).as_str(), why(&theirs["id"]).as_str()),
        ("roadbook/no-pages", "parcours/not-yours")
    );
    let zip = agency.get(&file).await.expect(200);
    assert_eq!(zip.header("content-type"), "application/zip");
    assert_eq!(made["size_bytes"], json!(zip.bytes.len()));
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&zip.bytes)).unwrap();
    assert_eq!(archive.len(), 1);
    let mut first = archive.by_index(0).unwrap();
    assert_eq!(first.name().unwrap(), format!("carnet-le-morvan-des-lacs-{}.pdf", parcours["id"]));
    let mut pdf = Vec::new();
    std::io::Read::read_to_end(&mut first, &mut pdf).unwrap();
    assert!(pdf.starts_with(b"%PDF-"));

    agency.delete(&at).await.expect(204);
    agency.get(&at).await.expect(404);
    agency.get(&file).await.expect(404);
}

#[app_test]
async fn an_anonymous_roadbook_of_a_batch_is_not_named_after_the_number_of_its_parcours(app: TestApp) {
    let app = app.changed(|parts| parts.renderer = Some(Arc::new(InProcessRenderer)));
    let (agency, parcours) = (app.agency_of("morvan"), trip(&app).await);
    put(&agency, &parcours, 0, json!({"anonymous": true})).await.expect(200);
    let begun = agency.post(BATCHES, json!({"filter": {"progress": "any"}})).await.expect(201).json();
    outputs::roadbook::batch::settle(app.app()).await.unwrap();
    assert_eq!(names_in(&agency, &begun).await, ["carnet-un-lac-n1.pdf"]);
}

#[app_test]
async fn a_batch_is_stopped_and_erased_after_a_week(app: TestApp) {
    let app = app.changed(|parts| parts.renderer = Some(Arc::new(InProcessRenderer)));
    let editor = app.editor_of("morvan");
    let none = editor.post(BATCHES, json!({"filter": {}})).await.expect(422).problem();
    assert_eq!(none.code, "roadbook/nothing-chosen");
    made(&editor, "Lac", json!({})).await;
    let begun = editor.post(BATCHES, json!({"filter": {}})).await.expect(201).json();
    let at = format!("{BATCHES}/{}", begun["id"]);
    editor.delete(&at).await.expect(204);
    outputs::roadbook::batch::settle(app.app()).await.unwrap();
    let stopped = editor.get(&at).await.expect(200).json();
    assert_eq!((&stopped["state"], &stopped["done"]), (&json!("cancelled"), &json!(0)));
    assert_eq!(editor.get(BATCHES).await.expect(200).json().as_array().unwrap().len(), 1);
    app.clock().advance_s(8 * 86_400);
    outputs::roadbook::batch::tidy(app.app()).await.unwrap();
    let gone = store::roadbook_batch::find(app.store().read(), begun["id"].as_i64().unwrap()).await.unwrap();
    assert_eq!(gone, None);
}

/// The names in the file of a batch.
async fn names_in(client: &Client, batch: &Value) -> Vec<String> {
    let zip = client.get(format!("{BATCHES}/{}/file", batch["id"])).await.expect(200);
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&zip.bytes)).unwrap();
    let mut names = Vec::new();
    for index in 0..archive.len() {
        names.push(archive.by_index(index).unwrap().name().unwrap().to_string());
    }
    names.sort();
    names
}

#[app_test]
async fn two_servers_print_one_batch_completely(app: TestApp) {
    let renderer = Arc::new(CountingRenderer::default());
    let app = app.changed(|parts| parts.renderer = Some(Arc::clone(&renderer) as _));
    let other = app.changed(|parts| parts.renderer = Some(Arc::clone(&renderer) as _));
    let editor = app.editor_of("morvan");
    for number in 0..6 {
        made(&editor, &format!("Parcours {number}"), json!({})).await;
    }
    let begun = editor.post(BATCHES, json!({"filter": {}})).await.expect(201).json();
    let (first, second) =
        tokio::join!(outputs::roadbook::batch::settle(app.app()), outputs::roadbook::batch::settle(other.app()));
    first.unwrap();
    second.unwrap();
    let made = editor.get(format!("{BATCHES}/{}", begun["id"])).await.expect(200).json();
    assert_eq!((&made["state"], &made["done"], &made["printed"]), (&json!("done"), &json!(6), &json!(6)));
    assert_eq!((names_in(&editor, &made).await.len(), renderer.started()), (6, 6), "each once");
    let job = store::job::list(app.store().read(), &store::job::JobFilter::default(), None, 1).await.unwrap().remove(0);
    assert_eq!((job.kind.as_str(), job.done, job.total), ("roadbook_batch", Some(6), Some(6)));
}

#[app_test]
async fn a_batch_of_a_dead_server_continues_after_a_minute(app: TestApp) {
    let stuck = Arc::new(CountingRenderer::closed());
    let dying = app.changed(|parts| parts.renderer = Some(Arc::clone(&stuck) as _));
    let editor = dying.editor_of("morvan");
    for number in 0..2 {
        made(&editor, &format!("Parcours {number}"), json!({})).await;
    }
    let begun = editor.post(BATCHES, json!({"filter": {}})).await.expect(201).json();
    let work = tokio::spawn({
        let dying = dying.clone();
        async move { outputs::roadbook::batch::settle(dying.app()).await }
    });
    assert!(stuck.reaches(1, Duration::from_secs(10)).await);
    work.abort();
    let next = app.changed(|parts| parts.renderer = Some(Arc::new(CountingRenderer::default())));
    outputs::roadbook::batch::settle(next.app()).await.unwrap();
    let at = format!("{BATCHES}/{}", begun["id"]);
    assert_eq!(editor.get(&at).await.expect(200).json()["done"], json!(0), "its lease holds");
    next.clock().advance_s(61);
    outputs::roadbook::batch::settle(next.app()).await.unwrap();
    // The server that lost its lease continues: it writes nothing.
    stuck.open(5);
    let made = editor.get(&at).await.expect(200).json();
    assert_eq!((&made["state"], &made["printed"]), (&json!("done"), &json!(2)));
    assert_eq!(names_in(&editor, &made).await.len(), 2);
}

#[app_test]
async fn a_batch_whose_job_is_cancelled_is_stopped(app: TestApp) {
    let app = app.changed(|parts| parts.renderer = Some(Arc::new(CountingRenderer::default())));
    let editor = app.editor_of("morvan");
    made(&editor, "Lac", json!({})).await;
    let begun = editor.post(BATCHES, json!({"filter": {}})).await.expect(201).json();
    let admin = app.admin_of("morvan");
    let jobs = admin.get("/api/v1/jobs?kind=roadbook_batch").await.expect(200).json();
    let job = &jobs["items"][0];
    assert_eq!((&job["state"], &job["total"], &job["is_known"]), (&json!("waiting"), &json!(1), &json!(true)));
    admin.post(format!("/api/v1/jobs/{}/cancel", job["id"]), json!({})).await.expect(200);
    outputs::roadbook::batch::settle(app.app()).await.unwrap();
    let stopped = editor.get(format!("{BATCHES}/{}", begun["id"])).await.expect(200).json();
    assert_eq!((&stopped["state"], &stopped["done"]), (&json!("cancelled"), &json!(0)));
}
