//! Itineraries: their records, their lines from files, the parcours that follow them.

use axum::body::Body;
use axum::http::Method;
use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, Reply, TestApp};

use crate::catalogue_kit::{column, delete, faults, id, made, one, patch, version};
use crate::parcours_kit;

const PATH: &str = "/api/v1/itineraries";
/// Four kilometres east along 47° north.
const EAST: [(f64, f64); 3] = [(4.0, 47.0), (4.03, 47.0), (4.0527, 47.0)];

fn way(name: &str) -> Value {
    json!({"name": {"fr": name}, "kind": "cycle_route", "code": "EV 6", "color": "#00695c"})
}

async fn put_line(by: &Client, itinerary: &Value, file: impl Into<Body>) -> Reply {
    let path = format!("{}/line?file_name=way.gpx", one(PATH, itinerary));
    let by = by.clone().at_version(version(itinerary));
    by.send(Method::PUT, &path, Some("application/octet-stream"), file.into()).await
}

async fn imported(by: &Client, title: &str, line: &[(f64, f64)], fields: Value) -> Value {
    let parcours = parcours_kit::made(by, title, fields).await;
    let path = format!("{}/trace/source?file_name=tour.gpx", parcours_kit::path(&parcours));
    by.clone().at_version(version(&parcours)).post_bytes(path, parcours_kit::gpx(line)).await.expect(200);
    parcours
}

#[app_test]
async fn an_itinerary_is_made_changed_and_restored(app: TestApp) {
    let keeper = app.superadmin();
    let mut body = way("La Loire à vélo");
    body["line"] = json!({"type": "LineString", "coordinates": [[4.0, 47.0, 210.0], [4.0, 47.01]]});
    let itinerary = made(&keeper, PATH, body).await;
    assert_eq!((&itinerary["kind"], &itinerary["color"]), (&json!("cycle_route"), &json!("#00695C")));
    let line = json!({"type": "MultiLineString", "coordinates": [[[4.0, 47.0], [4.0, 47.01]]]});
    assert_eq!((&itinerary["line"], &itinerary["length_m"]), (&line, &json!(1112.0)));
    assert_eq!(itinerary["bbox"], json!([4.0, 47.0, 4.0, 47.01]));
    let river = patch(&keeper, PATH, &itinerary, json!({"kind": "river", "line": null})).await.expect(200).json();
    assert_eq!((&river["kind"], &river["length_m"], &river["line"]), (&json!("river"), &json!(0.0), &Value::Null));
    let restoration = format!("{}/revisions/1/restoration", one(PATH, &itinerary));
    let back = keeper.at_version(version(&river)).post(restoration, json!({})).await;
    assert_eq!(back.expect(200).json()["line"], line);
}

#[app_test]
async fn itineraries_are_listed_without_their_lines(app: TestApp) {
    let keeper = app.superadmin();
    let mut loire = way("La Loire à vélo");
    loire["line"] = json!({"type": "LineString", "coordinates": [[4.0, 47.0], [4.0, 47.01]]});
    made(&keeper, PATH, loire).await;
    made(&keeper, PATH, json!({"name": {"fr": "Canal du Nivernais"}, "kind": "river"})).await;
    let reader = app.reader_of("morvan");
    for (query, names) in [
        ("", vec!["Canal du Nivernais", "La Loire à vélo"]),
        ("sort=-length", vec!["La Loire à vélo", "Canal du Nivernais"]),
        ("kind=river", vec!["Canal du Nivernais"]),
        ("search=velo%20loi", vec!["La Loire à vélo"]),
        ("search=ev%206", vec!["La Loire à vélo"]),
        ("per_page=1&page=2", vec!["La Loire à vélo"]),
    ] {
        let list = reader.get(format!("{PATH}?{query}")).await.expect(200).json();
        assert_eq!(column(&list, "/name/fr"), names, "{query}");
        assert!(list["items"].as_array().unwrap().iter().all(|item| item["line"].is_null()));
    }
    reader.get(format!("{PATH}?kind=road")).await.expect(400);
    reader.get(format!("{PATH}?sort=colour")).await.expect(400);
}

#[app_test]
async fn the_line_of_an_itinerary_is_read_from_a_file_with_the_error_codes_of_traces(app: TestApp) {
    let keeper = app.superadmin();
    let itinerary = made(&keeper, PATH, way("Voie verte")).await;
    for (file, code) in
        [("", "trace/empty"), ("%PDF-1.7 a page", "trace/not-a-trace"), ("<gpx></gpx>", "trace/no-line")]
    {
        assert_eq!(put_line(&keeper, &itinerary, file).await.problem().code, code);
    }
    let far = [(4.2, 47.0), (4.25, 47.0)];
    let file = parcours_kit::gpx_of(&[&EAST, &far]);
    let saved = put_line(&keeper, &itinerary, file).await.expect(200).json();
    let pieces = saved["line"]["coordinates"].as_array().unwrap();
    assert_eq!(pieces.len(), 2, "pieces stay apart: {saved}");
    assert_eq!(pieces[0].as_array().unwrap().len(), 2, "a point on the line between two others says nothing");
    put_line(&keeper, &itinerary, "x").await.expect(422);
    let stale = put_line(&keeper, &itinerary, parcours_kit::gpx(&EAST)).await;
    assert_eq!(stale.expect(412).problem().code, "version/stale");
    let shown = app.reader_of("morvan").get(format!("{}/line?zoom=8", one(PATH, &itinerary))).await.expect(200);
    assert_eq!(shown.header("content-type"), "application/geo+json");
    assert_eq!(shown.json()["type"], "MultiLineString");
}

#[app_test]
async fn a_fault_of_an_itinerary_is_reported_on_its_field(app: TestApp) {
    let keeper = app.superadmin();
    let wrong =
        json!({"name": {}, "color": "blue", "line": {"type": "MultiLineString", "coordinates": [[[4.0, 47.0]]]}});
    assert_eq!(
        faults(keeper.post(PATH, wrong).await),
        ["validation/required /name/fr", "validation/color /color", "itinerary/line-too-short /line"]
    );
    for (body, told) in [
        (json!({"name": {"fr": "A"}, "kind": "road"}), "validation/wrong-type /kind"),
        (
            json!({"name": {"fr": "A"}, "line": {"type": "Point", "coordinates": [4.0, 47.0]}}),
            "validation/wrong-type /line",
        ),
        (
            json!({"name": {"fr": "A"}, "line": {"type": "LineString", "coordinates": [[4.0, 47.0], [4.0, 97.0]]}}),
            "validation/position-outside-world /line",
        ),
        (json!({"name": {"fr": "A"}, "length_m": 3}), "validation/unknown-field /length_m"),
    ] {
        assert_eq!(faults(keeper.post(PATH, body).await), [told]);
    }
}

#[app_test]
async fn parcours_that_follow_an_itinerary_are_found_by_their_line(app: TestApp) {
    let (keeper, editor) = (app.superadmin(), app.editor_of("morvan"));
    let itinerary = made(&keeper, PATH, way("Voie verte")).await;
    let beside: Vec<(f64, f64)> = EAST.iter().map(|(lon, lat)| (*lon, lat + 0.0002)).collect();
    let along = imported(&editor, "Le long", &beside, json!({})).await;
    imported(&editor, "En travers", &[(4.02, 46.99), (4.02, 47.01)], json!({})).await;
    imported(&editor, "À côté", &[(4.0, 47.001), (4.05, 47.001)], json!({})).await;
    let named = parcours_kit::made(&editor, "Qui le nomme", json!({"itinerary_ids": [id(&itinerary)]})).await;
    imported(&app.editor_of("vercors"), "Un brouillon d’ailleurs", &beside, json!({})).await;
    let answer = async || editor.get(format!("{}/parcours", one(PATH, &itinerary))).await.expect(200).json();
    assert_eq!(column(&answer().await, "/title/fr"), ["Qui le nomme"], "nothing follows a way without a line");
    put_line(&keeper, &itinerary, parcours_kit::gpx(&EAST)).await.expect(200);
    // The first answer is computed, the second is cached.
    for _ in 0..2 {
        let found = answer().await;
        assert_eq!(column(&found, "/id"), [id(&along).to_string(), id(&named).to_string()], "{found}");
        let share_m = found["items"][0]["share_m"].as_i64().unwrap();
        assert!((3_900..4_050).contains(&share_m), "{found}");
        assert_eq!((&found["items"][0]["linked"], &found["items"][1]["linked"]), (&json!(false), &json!(true)));
        assert_eq!(found["total"], 2);
    }
    let path = format!("{}/trace/source?file_name=tour.gpx", parcours_kit::path(&along));
    let elsewhere = parcours_kit::gpx(&[(4.5, 47.5), (4.51, 47.5)]);
    editor.clone().with("if-match", "*").post_bytes(path, elsewhere).await.expect(200);
    assert_eq!(column(&answer().await, "/title/fr"), ["Qui le nomme"], "another trace is judged anew");
}

#[app_test]
async fn an_itinerary_in_use_stays_until_it_is_forced_and_comes_back_from_the_bin(app: TestApp) {
    let (keeper, editor) = (app.superadmin(), app.editor_of("morvan"));
    let itinerary = made(&keeper, PATH, way("Voie verte")).await;
    let tour = parcours_kit::made(&editor, "Tour", json!({"itinerary_ids": [id(&itinerary)]})).await;
    let refused = delete(&keeper, PATH, &itinerary, "").await.expect(409).problem();
    assert_eq!((refused.code.as_str(), &refused.params["total"]), ("itinerary/in-use", &json!(1)));
    assert_eq!(refused.params["uses"][0]["title"]["fr"], "Tour");
    delete(&keeper, PATH, &itinerary, "?force=true").await.expect(204);
    assert_eq!(parcours_kit::now(&editor, &tour).await["itinerary_ids"], json!([]));
    let binned = keeper.get("/api/v1/bin?kind=itinerary").await.expect(200).json();
    let bin = binned["items"][0]["id"].as_i64().unwrap();
    keeper.post(format!("/api/v1/bin/{bin}/restoration"), json!({})).await.expect(200);
    assert_eq!(keeper.get(one(PATH, &itinerary)).await.expect(200).json()["name"]["fr"], "Voie verte");
}
