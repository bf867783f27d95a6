//! Layers and tables of points and lines: a GeoPackage, a table, a collection of Directus. Lines become parcours, points become POIs.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::http::Method;
use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, Scratch, TestApp, asked};

use crate::feeds::term;
use crate::imports_kit::{Answer, Stub, codes, dry_run, lines_of_run, run_source, settled, source};
use crate::tables::{text_cell, workbook};

/// A line of two kilometres and more, and three points of which one has no name.
fn features() -> (Value, Value) {
    let line: Vec<[f64; 2]> = (0..30).map(|at| [4.0 + f64::from(at) * 0.001, 47.2]).collect();
    let lines = json!({"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"nom": "Sentier des étangs"},
        "geometry": {"type": "LineString", "coordinates": line}}]});
    let point = |name: Option<&str>, lon: f64, phone: &str| {
        json!({"type": "Feature", "geometry": {"type": "Point", "coordinates": [lon, 47.21]},
            "properties": {"nom": name, "nature": "Cascade d’été", "tel": phone, "commune": "Brassy"}})
    };
    let points = [
        point(Some("Saut de Gouloux"), 4.01, "03 86 00 00 01"),
        point(Some("Saut de la Truite"), 4.02, "03 86 00 00 02"),
        point(None, 4.03, ""),
    ];
    (lines, json!({"type": "FeatureCollection", "features": points}))
}

/// The two layers as a GeoPackage in Lambert-93, as QGIS saves it; none where GDAL is not there.
fn geopackage() -> Option<Vec<u8>> {
    let folder = Scratch::new();
    let (lines, points) = features();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let made = path("parc.gpkg");
    for (name, layer) in [("sentiers", lines), ("lieux", points)] {
        let from = path(&format!("{name}.geojson"));
        std::fs::write(&from, layer.to_string()).unwrap();
        let args = ["-f", "GPKG", "-update", "-append", "-s_srs", "EPSG:4326", "-t_srs", "EPSG:2154", "-nln", name];
        asked("ogr2ogr", "gdal-bin", &[&args[..], &[made.as_str(), from.as_str()]].concat())?;
    }
    Some(std::fs::read(made).unwrap())
}

/// A source of files with a file.
async fn with_file(by: &Client, name: &str, bytes: Vec<u8>, fields: Value) -> Value {
    let mut body = json!({"kind": "files"});
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let made = source(by, body).await;
    sent(by, &made, name, bytes).await
}

async fn sent(by: &Client, source: &Value, name: &str, bytes: Vec<u8>) -> Value {
    let path = format!("/api/v1/import-sources/{}/file?file_name={name}", source["id"]);
    by.clone().with("if-match", "*").send(Method::PUT, &path, None, bytes.into()).await.expect(200).json()
}

async fn changed(by: &Client, source: &Value, fields: Value) {
    by.clone()
        .with("if-match", "*")
        .patch(format!("/api/v1/import-sources/{}", source["id"]), fields)
        .await
        .expect(200);
}

async fn pois(by: &Client) -> Vec<Value> {
    let page = by.get("/api/v1/pois?per_page=200&sort=title").await.expect(200).json();
    let mut found = Vec::new();
    for row in page["items"].as_array().unwrap() {
        found.push(by.get(format!("/api/v1/pois/{}", row["id"])).await.expect(200).json());
    }
    found
}

/// The mapping of these layers.
fn rules() -> Value {
    json!({"fields": [
        {"to": "title", "from": ["nom"]}, {"to": "poi_category", "from": ["nature"]},
        {"to": "phone", "from": ["tel"]}, {"to": "city", "from": ["commune"]},
    ]})
}

#[app_test]
async fn the_points_of_a_geopackage_become_pois_where_its_source_takes_them(app: TestApp) {
    let Some(file) = geopackage() else { return };
    let editor = app.editor_of("morvan");
    let parc = with_file(&editor, "parc.gpkg", file, rules()).await;
    // Where POIs are not imported, each point is reported with what to do.
    let run = dry_run(&app, &editor, &parc).await;
    assert_eq!((&run["counts"]["created"], &run["counts"]["refused"]), (&json!(1), &json!(3)), "{run}");
    let refused = lines_of_run(&editor, &run, "refused").await;
    assert!(refused.iter().any(|line| codes(line) == ["import/point"]), "{refused:?}");
    let mapping_of = async || {
        let at = format!("/api/v1/import-sources/{}/mapping", parc["id"]);
        editor.get(at).await.expect(200).json()
    };
    let has_phone = |mapping: &Value| mapping["targets"].as_array().unwrap().iter().any(|one| one["target"] == "phone");
    assert!(!has_phone(&mapping_of().await), "a parcours has no telephone");

    changed(&editor, &parc, json!({"takes_pois": true})).await;
    let run = dry_run(&app, &editor, &parc).await;
    assert_eq!(
        (&run["counts"]["created"], &run["counts"]["pois"], &run["counts"]["refused"]),
        (&json!(1), &json!(2), &json!(1)),
        "{run}"
    );
    assert!(pois(&editor).await.is_empty(), "a dry run writes nothing");
    let mapping = mapping_of().await;
    assert!(has_phone(&mapping));
    let word = &mapping["words"][0];
    assert_eq!(
        (&word["list"], &word["key"], &word["state"]),
        (&json!("poi_category"), &json!("cascade d ete"), &json!("waiting")),
        "{mapping}"
    );
    let nature = term(&app, "poi_category", "patrimoine").await;
    changed(&editor, &parc, json!({"values": [{"list": "poi_category", "key": word["key"], "term_id": nature}]})).await;

    let run = run_source(&app, &editor, &parc).await;
    assert_eq!(
        (&run["state"], &run["counts"]["created"], &run["counts"]["pois"]),
        (&json!("done"), &json!(1), &json!(2)),
        "{run}"
    );
    let found = pois(&editor).await;
    let first = &found[0];
    assert_eq!((found.len(), &first["title"]["fr"]), (2, &json!("Saut de Gouloux")));
    assert_eq!(
        (&first["phone"], &first["address"]["city"], &first["category_ids"]),
        (&json!("03 86 00 00 01"), &json!("Brassy"), &json!([nature]))
    );
    let at = |axis: usize| first["location"][axis].as_f64().unwrap();
    assert!((at(0) - 4.01).abs() < 1e-6 && (at(1) - 47.21).abs() < 1e-6, "{first}");
    assert_eq!(&first["published"], &json!(false));

    // A second run changes nothing: edited POIs are kept, and a deleted one is not made again.
    let again = run_source(&app, &editor, &parc).await;
    assert_eq!((&again["counts"]["pois"], &again["counts"]["updated"]), (&json!(0), &json!(0)), "{again}");
    let edit = editor.clone().with("if-match", "*");
    edit.patch(format!("/api/v1/pois/{}", first["id"]), json!({"phone": "03 86 99 99 99"})).await.expect(200);
    edit.delete(format!("/api/v1/pois/{}", found[1]["id"])).await.expect(204);
    changed(
        &editor,
        &parc,
        json!({"fields": [
            {"to": "title", "from": ["nom"]}, {"to": "phone", "from": ["tel"]}, {"to": "street", "from": ["commune"]},
        ]}),
    )
    .await;
    let again = run_source(&app, &editor, &parc).await;
    assert_eq!(&again["counts"]["pois"], &json!(1), "{again}");
    let found = pois(&editor).await;
    assert_eq!(found.len(), 1);
    assert_eq!((&found[0]["phone"], &found[0]["address"]["street"]), (&json!("03 86 99 99 99"), &json!("Brassy")));
}

#[app_test]
async fn more_pois_than_fit_one_transaction_are_each_reported_once(app: TestApp) {
    let editor = app.editor_of("morvan");
    let point = |number: usize| {
        json!({"type": "Feature", "id": number, "properties": {"nom": format!("Borne {number}")},
            "geometry": {"type": "Point", "coordinates": [4.0 + number as f64 * 1e-3, 47.0]}})
    };
    let file = |numbers: std::ops::Range<usize>| json!({"type": "FeatureCollection", "features": numbers.map(point).collect::<Vec<_>>()});
    let fields = json!({"takes_pois": true, "fields": [{"to": "title", "from": ["nom"]}]});
    let parc = with_file(&editor, "bornes.geojson", file(1..522).to_string().into_bytes(), fields).await;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((&run["state"], &run["counts"]["pois"]), (&json!("done"), &json!(521)), "{run}");
    sent(&editor, &parc, "bornes.geojson", file(1..11).to_string().into_bytes()).await;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((&run["state"], &run["counts"]["kept"]), (&json!("done"), &json!(511)), "{run}");
    let again = run_source(&app, &editor, &parc).await;
    assert_eq!(again["counts"]["kept"], json!(0), "{again}");
}

#[app_test]
async fn a_point_that_an_earlier_page_had_is_refused(app: TestApp) {
    let editor = app.editor_of("morvan");
    let point = |at: u32| {
        json!({"type": "Feature", "id": format!("p{at}"), "properties": {"nom": format!("Borne {at}")},
            "geometry": {"type": "Point", "coordinates": [4.0 + f64::from(at) * 0.01, 47.0]}})
    };
    let points: Vec<Value> = (0..3).map(point).collect();
    let stub = Stub::start(move |path, _| {
        let (features, links) = match path {
            "/bornes" => (&points[..2], json!([{"rel": "next", "href": "/bornes?page=2"}])),
            _ => (&points[1..], json!([])),
        };
        json!({"type": "FeatureCollection", "features": features, "links": links}).into()
    });
    let fields = json!([{"to": "title", "from": ["nom"]}]);
    let url = format!("{}/bornes", stub.url);
    let bornes = source(&editor, json!({"kind": "features", "url": url, "takes_pois": true, "fields": fields})).await;
    let run = run_source(&app, &editor, &bornes).await;
    assert_eq!((&run["state"], pois(&editor).await.len()), (&json!("done"), 3), "{run}");
    let refused = lines_of_run(&editor, &run, "refused").await;
    let said: Vec<_> = refused.iter().map(|line| (&line["item"], codes(line))).collect();
    assert_eq!(said, [(&json!("poi p1"), vec!["import/repeated-id"])]);
}

#[app_test]
async fn a_poi_missing_from_its_file_is_kept_and_reported_once(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (_, mut points) = features();
    for (number, point) in points["features"].as_array_mut().unwrap().iter_mut().enumerate() {
        point["id"] = json!(number + 1);
    }
    let all = points.clone();
    let fields = json!({"takes_pois": true, "fields": rules()["fields"]});
    let parc = with_file(&editor, "lieux.geojson", all.to_string().into_bytes(), fields).await;
    run_source(&app, &editor, &parc).await;
    let send = async |points: &Value| sent(&editor, &parc, "lieux.geojson", points.to_string().into_bytes()).await;
    let gone = points["features"].as_array_mut().unwrap().remove(0);
    assert_eq!(gone["properties"]["nom"], "Saut de Gouloux");
    send(&points).await;
    let run = run_source(&app, &editor, &parc).await;
    let kept = lines_of_run(&editor, &run, "kept").await;
    assert_eq!(
        (kept.len(), codes(&kept[0]), &kept[0]["title"]),
        (1, vec!["import/poi-gone"], &json!("Saut de Gouloux"))
    );
    assert_eq!(pois(&editor).await.len(), 2);
    points["features"][0]["properties"]["tel"] = json!("03 86 00 00 09");
    send(&points).await;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!(lines_of_run(&editor, &run, "kept").await, Vec::<Value>::new(), "it was reported before");
    // The POI is back in the file, then missing again.
    send(&all).await;
    run_source(&app, &editor, &parc).await;
    send(&points).await;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((lines_of_run(&editor, &run, "kept").await.len(), pois(&editor).await.len()), (1, 2));
}

#[app_test]
async fn pois_made_of_points_are_undone_with_their_run(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (_, points) = features();
    let fields = json!({"takes_pois": true, "fields": rules()["fields"]});
    let parc = with_file(&editor, "lieux.geojson", points.to_string().into_bytes(), fields).await;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((&run["counts"]["pois"], &run["counts"]["refused"]), (&json!(2), &json!(1)), "{run}");
    let undone = editor.post(format!("/api/v1/import-runs/{}/undo", run["id"]), json!({})).await.expect(202).json();
    let undone = settled(&app, &editor, &undone).await;
    assert_eq!((&undone["state"], &undone["counts"]["pois"]), (&json!("done"), &json!(2)), "{undone}");
    assert!(pois(&editor).await.is_empty());
}

#[app_test]
async fn the_run_of_a_workbook_names_the_sheets_that_are_not_read(app: TestApp) {
    let editor = app.editor_of("morvan");
    let rows_of = |name: &str| {
        let row = |at: u32, name: &str, place: &str| {
            let cells = [text_cell(&format!("A{at}"), name), text_cell(&format!("B{at}"), place)];
            format!(r#"<row r="{at}">{}</row>"#, cells.concat())
        };
        row(1, "nom", "wkt") + &row(2, name, "LINESTRING (4 47.1, 4.02 47.1)")
    };
    let (lake, pass, area) = (rows_of("Lac"), rows_of("Col"), "POLYGON ((4 47, 4.1 47, 4.1 47.1, 4 47))");
    let field = text_cell("A3", "Champ") + &text_cell("B3", area);
    let tours = format!(r#"{lake}<row r="3">{field}</row>"#);
    let fields = json!({"fields": [{"to": "title", "from": ["nom"]}]});
    let parc = with_file(&editor, "parc.xlsx", workbook(&[("Tours", &tours), ("Hiver", &pass)]), fields).await;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((&run["state"], &run["counts"]["created"]), (&json!("done"), &json!(1)), "{run}");
    let kept = lines_of_run(&editor, &run, "kept").await;
    let said: Vec<&str> = kept.iter().flat_map(codes).collect();
    assert_eq!(said, ["import/areas-left", "table/other-sheets"], "{kept:?}");
    assert_eq!(kept[1]["notes"][0]["params"], json!({"read": "Tours", "sheets": "Hiver"}));
    let alone = sent(&editor, &parc, "parc.xlsx", workbook(&[("Tours", &pass), ("Vide", "")])).await;
    let run = run_source(&app, &editor, &alone).await;
    assert_eq!(lines_of_run(&editor, &run, "kept").await, Vec::<Value>::new(), "{run}");
}

#[app_test]
async fn a_formula_without_a_stored_value_fails_the_run_with_its_cell(app: TestApp) {
    let editor = app.editor_of("morvan");
    let names = text_cell("A1", "nom") + &text_cell("B1", "wkt") + &text_cell("C1", "suivi");
    let line = text_cell("B2", "LINESTRING (4 47.1, 4.02 47.1)");
    let formula = |cell: &str| format!(r#"<c r="{cell}"><f>T(D1)</f></c>"#);
    let of = |row: &str| workbook(&[("Tours", &format!(r#"<row r="1">{names}</row><row r="2">{row}</row>"#))]);
    let fields = json!({"fields": [{"to": "title", "from": ["nom"]}]});
    let parc = with_file(&editor, "parc.xlsx", of(&(formula("A2") + &line)), fields).await;
    let run = dry_run(&app, &editor, &parc).await;
    let failure = (&run["failure"]["code"], &run["failure"]["params"]);
    assert_eq!(failure, (&json!("table/formula-without-value"), &json!({"cell": "A2"})), "{run}");
    let row = text_cell("A2", "Lac") + &line + &formula("C2");
    let unread = sent(&editor, &parc, "parc.xlsx", of(&row)).await;
    let run = run_source(&app, &editor, &unread).await;
    assert_eq!((&run["state"], &run["counts"]["created"]), (&json!("done"), &json!(1)), "{run}");
}

/// As spreadsheets and portals of open data write it: semicolons, decimal commas, lines as text, a place missing, a number twice.
#[app_test]
async fn a_table_is_imported_as_lines_and_points(app: TestApp) {
    let editor = app.editor_of("morvan");
    let line: Vec<String> = (0..30).map(|at| format!("{} 47.2", 4.0 + f64::from(at) * 0.001)).collect();
    let table = format!(
        "id;Nom;Tél;latitude;longitude;geom\r\n1;Sentier;;;;\"LINESTRING ({})\"\r\n2;Cascade;03 86 00 00 01;47,21;4,01;\r\n\
         3;Sans lieu;;;;\r\n4;Point de vue (nord);;47,22;4,02;\r\n4;Deuxième;;47,23;4,03;\r\n5;;;47,24;4,04;\r\n",
        line.join(", ")
    );
    let fields =
        json!({"takes_pois": true, "fields": [{"to": "title", "from": ["nom"]}, {"to": "phone", "from": ["tél"]}]});
    let parc = with_file(&editor, "tableau.csv", table.into_bytes(), fields).await;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!(
        (&run["counts"]["created"], &run["counts"]["pois"], &run["counts"]["refused"]),
        (&json!(1), &json!(2), &json!(3)),
        "{run}"
    );
    let refused = lines_of_run(&editor, &run, "refused").await;
    let why: HashMap<&str, Vec<&str>> =
        refused.iter().map(|line| (line["item"].as_str().unwrap(), codes(line))).collect();
    assert_eq!(why["3"], ["import/no-position"]);
    assert_eq!(why["poi 4"], ["import/repeated-id"]);
    assert_eq!(why["poi 5"], ["import/no-title"]);
    let titles: Vec<Value> = pois(&editor).await.iter().map(|poi| poi["title"]["fr"].clone()).collect();
    assert_eq!(titles, ["Cascade", "Point de vue (nord)"]);
    // An unreadable file is reported with a code and is no failure of the server.
    for (name, bytes, code) in [
        ("parc.gpkg", b"SQLite format 3\0 cut off".to_vec(), "import/damaged-file"),
        ("vide.csv", b"nom;lat;lon\n".to_vec(), "import/nothing-inside"),
        ("photo.xlsx", b"PK\x03\x04 cut off".to_vec(), "table/unreadable"),
    ] {
        let parc = sent(&editor, &parc, name, bytes).await;
        let run = dry_run(&app, &editor, &parc).await;
        assert_eq!((&run["state"], &run["failure"]["code"]), (&json!("failed"), &json!(code)), "{run}");
        assert!(!run["failure"].to_string().contains("database"), "{run}");
    }
}

/// Its files are private too.
#[app_test]
async fn a_collection_of_directus_is_read_page_by_page_with_its_token(app: TestApp) {
    let editor = app.editor_of("morvan");
    let tokens: Arc<Mutex<Vec<Option<String>>>> = Arc::default();
    let said = Arc::clone(&tokens);
    let stub = Stub::start(move |path, headers| {
        said.lock().unwrap().push(headers.get("authorization").cloned());
        if path.starts_with("/assets/tr-1") {
            return crate::parcours_kit::gpx(&crate::parcours_kit::eastward()).into_bytes().into();
        }
        let item = |id: u32, name: &str, more: Value| {
            let mut item = json!({"id": id, "translations": [{"languages_code": "fr-FR", "titre": name},
                {"languages_code": "en-US", "titre": format!("{name} in English")}]});
            item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            item
        };
        let items = match path.rsplit_once("page=").unwrap().1 {
            "1" => vec![
                item(
                    1,
                    "Tour",
                    json!({"trace": {"id": "tr-1", "filename_download": "tour.gpx", "type": "application/gpx+xml"}}),
                ),
                item(
                    2,
                    "Lac",
                    json!({"lieu": {"type": "Point", "coordinates": [4.05, 47.3]}, "genre": {"id": 1, "nom": "Patrimoine"}}),
                ),
            ],
            "2" => vec![item(3, "Sans rien", json!({}))],
            _ => return Answer(404, Vec::new(), Vec::new()),
        };
        json!({"data": items}).into()
    });
    editor.post("/api/v1/import-sources", json!({"name": "Sans adresse", "kind": "directus"})).await.expect(422);
    let fields = json!([{"to": "title", "from": ["titre"]}, {"to": "poi_category", "from": ["genre"]}]);
    let url = format!("{}/items/parcours?filter[status][_eq]=published&limit=2", stub.url);
    let parc = source(&editor, json!({"kind": "directus", "url": url, "takes_pois": true, "fields": fields})).await;
    let key = format!("/api/v1/import-sources/{}/credential", parc["id"]);
    editor.clone().with("if-match", "*").put(&key, json!({"key": "s3cret"})).await.expect(204);
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!(
        (&run["state"], &run["counts"]["created"], &run["counts"]["pois"]),
        (&json!("done"), &json!(1), &json!(1)),
        "{run}"
    );
    assert_eq!(&run["counts"]["refused"], &json!(1), "{run}");
    let asked = stub.requests();
    assert!(
        asked[0].contains("fields=*.*.*") && asked[0].contains("limit=2") && asked[0].contains("filter"),
        "{asked:?}"
    );
    let tokens = tokens.lock().unwrap().clone();
    assert!(!tokens.is_empty() && tokens.iter().all(|token| token.as_deref() == Some("Bearer s3cret")), "{tokens:?}");
    let found = pois(&editor).await;
    assert_eq!((&found[0]["title"]["fr"], &found[0]["title"]["en"]), (&json!("Lac"), &json!("Lac in English")));
    assert_eq!(&found[0]["category_ids"], &json!([term(&app, "poi_category", "patrimoine").await]));
}

/// A step of a run has a hundred items: the two are not in the same one.
#[app_test]
async fn a_duplicate_number_is_reported_however_far_apart_its_rows_are(app: TestApp) {
    let editor = app.editor_of("morvan");
    let row = |id: u32, at: u32| format!("{id};Lieu {at};47.2;{}\n", 4.0 + f64::from(at) * 0.001);
    let rows: String = (1..=130).map(|at| row(at, at)).chain([row(1, 131)]).collect();
    let fields = json!({"takes_pois": true, "fields": [{"to": "title", "from": ["nom"]}]});
    let parc = with_file(&editor, "lieux.csv", format!("id;nom;lat;lon\n{rows}").into_bytes(), fields).await;
    for dry in [true, false] {
        let run = if dry { dry_run(&app, &editor, &parc).await } else { run_source(&app, &editor, &parc).await };
        assert_eq!((&run["counts"]["pois"], &run["counts"]["refused"]), (&json!(130), &json!(1)), "{run}");
        let refused = lines_of_run(&editor, &run, "refused").await;
        assert_eq!((&refused[0]["item"], codes(&refused[0])), (&json!("poi 1"), vec!["import/repeated-id"]));
    }
    assert!(pois(&editor).await.iter().all(|poi| poi["title"]["fr"] != "Lieu 131"));
}

/// The national schema has no switch for points of interest: it is not named.
#[app_test]
async fn a_point_in_a_source_that_imports_no_pois_is_refused_as_without_a_line(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (_, points) = features();
    let fields = json!({"kind": "schema_randonnee", "fields": rules()["fields"]});
    let parc = with_file(&editor, "lieux.geojson", points.to_string().into_bytes(), fields).await;
    let run = dry_run(&app, &editor, &parc).await;
    let refused = lines_of_run(&editor, &run, "refused").await;
    assert!(refused.iter().any(|line| codes(line) == ["import/no-line"]), "{refused:?}");
    assert!(!refused.iter().any(|line| codes(line).contains(&"import/point")), "{refused:?}");
}

/// Its items have a UUID beside their number, and the address says where the token goes.
#[app_test]
async fn an_item_of_directus_with_a_uuid_is_found_again_and_a_token_goes_where_the_address_says(app: TestApp) {
    let editor = app.editor_of("morvan");
    let headers_sent: Arc<Mutex<Vec<Option<String>>>> = Arc::default();
    let said = Arc::clone(&headers_sent);
    let stub = Stub::start(move |_, headers| {
        said.lock().unwrap().push(headers.get("authorization").cloned());
        let line: Vec<[f64; 2]> = (0..30).map(|at| [4.0 + f64::from(at) * 0.001, 47.2]).collect();
        let trace = json!({"type": "LineString", "coordinates": line});
        json!({"data": [{"id": 7, "uuid": "0d4e", "name": "Tour", "trace": trace}]}).into()
    });
    let url = format!("{}/items/parcours?access_token=[CLE]", stub.url);
    let parc = source(&editor, json!({"kind": "directus", "url": url})).await;
    let key = format!("/api/v1/import-sources/{}/credential", parc["id"]);
    editor.clone().with("if-match", "*").put(&key, json!({"key": "s3cret"})).await.expect(204);
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((&run["state"], &run["counts"]["created"]), (&json!("done"), &json!(1)), "{run}");
    let again = run_source(&app, &editor, &parc).await;
    assert_eq!((&again["counts"]["created"], &again["counts"]["refused"]), (&json!(0), &json!(0)), "{again}");
    assert!(stub.requests().iter().all(|path| path.contains("access_token=s3cret&")), "{:?}", stub.requests());
    assert!(headers_sent.lock().unwrap().iter().all(Option::is_none));
}

/// The two layers in a format of GDAL: the file, or its folder in an archive. None where GDAL is not there.
fn in_format(driver: &str, ending: &str) -> Option<Vec<u8>> {
    let folder = Scratch::new();
    let (lines, points) = features();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for (name, layer) in [("sentiers", lines), ("lieux", points)] {
        let from = path(&format!("{name}.geojson"));
        std::fs::write(&from, layer.to_string()).unwrap();
        // A FlatGeobuf and a table of MapInfo have one layer each.
        let made = path(&if ending == ".gdb" { "parc.gdb".to_owned() } else { format!("{name}{ending}") });
        let more: &[&str] = if std::path::Path::new(&made).exists() { &["-update", "-append"] } else { &[] };
        let args = ["-f", driver, "-s_srs", "EPSG:4326", "-t_srs", "EPSG:2154", "-nln", name];
        asked("ogr2ogr", "gdal-bin", &[&args[..], more, &[made.as_str(), from.as_str()]].concat())?;
    }
    if ending == ".fgb" {
        return Some(std::fs::read(path("lieux.fgb")).unwrap());
    }
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let inside = if ending == ".gdb" { "parc.gdb" } else { "" };
    for entry in std::fs::read_dir(folder.path().join(inside)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_file() && !name.ends_with(".geojson") {
            let name = format!("export du parc/{inside}{}{name}", if inside.is_empty() { "" } else { "/" });
            archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            std::io::Write::write_all(&mut archive, &std::fs::read(entry.path()).unwrap()).unwrap();
        }
    }
    Some(archive.finish().unwrap().into_inner())
}

#[app_test]
async fn a_gdal_format_is_imported_where_the_operator_allows_it(app: TestApp) {
    let with_gdal = app.changed(|parts| parts.settings.ogr2ogr = Some("ogr2ogr".into()));
    let editor = with_gdal.editor_of("morvan");
    let mut of_all = rules();
    of_all["takes_pois"] = json!(true);
    for (driver, ending, name, lines, points) in [
        ("MapInfo File", ".tab", "parc.zip", 1, 2),
        ("MapInfo File", ".mif", "parc.zip", 1, 2),
        ("OpenFileGDB", ".gdb", "parc.zip", 1, 2),
        ("FlatGeobuf", ".fgb", "lieux.fgb", 0, 2),
    ] {
        let Some(file) = in_format(driver, ending) else { return };
        let parc = with_file(&editor, name, file, of_all.clone()).await;
        let run = dry_run(&with_gdal, &editor, &parc).await;
        assert_eq!(
            (&run["counts"]["created"], &run["counts"]["pois"], &run["counts"]["refused"]),
            (&json!(lines), &json!(points), &json!(1)),
            "{ending}: {run}"
        );
    }
    // Two folders with tables of one name: the second has a field more.
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (folder, number, field) in [("nord", 1, ""), ("sud", 2, "  tel Char(20)\n")] {
        let phone = if field.is_empty() { "" } else { ",\"03 86 00 00 07\"" };
        let columns = if field.is_empty() { 2 } else { 3 };
        let header = format!(
            "Version 300\nCharset \"Neutral\"\nDelimiter \",\"\nCoordSys Earth Projection 1, 104\nColumns {columns}\n  id Integer\n  nom Char(20)\n{field}Data\n\nPoint 4.0{number} 47.2\n"
        );
        let row = format!("{number},\"Lieu {number}\"{phone}\n");
        for (ending, text) in [("mif", header), ("mid", row)] {
            archive.start_file(format!("{folder}/lieux.{ending}"), zip::write::SimpleFileOptions::default()).unwrap();
            std::io::Write::write_all(&mut archive, text.as_bytes()).unwrap();
        }
    }
    let parc = with_file(&editor, "lieux.zip", archive.finish().unwrap().into_inner(), of_all).await;
    let run = run_source(&with_gdal, &editor, &parc).await;
    assert_eq!((&run["counts"]["pois"], &run["counts"]["refused"]), (&json!(2), &json!(0)), "{run}");
    let found: Vec<(Value, Value)> =
        pois(&editor).await.iter().map(|poi| (poi["title"]["fr"].clone(), poi["phone"].clone())).collect();
    assert_eq!(found, [(json!("Lieu 1"), Value::Null), (json!("Lieu 2"), json!("03 86 00 00 07"))]);

    // A DXF names no coordinate system, and has no fields: a line is refused as one without title, where it is.
    let drawing = "0\nSECTION\n2\nENTITIES\n0\nLINE\n8\nsentier\n10\n780000\n20\n6680000\n11\n780400\n21\n6680300\n0\nENDSEC\n0\nEOF\n";
    let parc = with_file(&editor, "plan.dxf", drawing.into(), json!({})).await;
    let run = dry_run(&with_gdal, &editor, &parc).await;
    assert_eq!((&run["counts"]["refused"], &run["state"]), (&json!(1), &json!("done")), "{run}");
    assert_eq!(codes(&lines_of_run(&editor, &run, "refused").await[0]), ["import/no-title"]);
    assert_eq!(std::fs::read_dir(&with_gdal.app().uploads).unwrap().count(), 0, "nothing is left behind");
}

#[app_test]
async fn a_file_of_another_format_is_not_passed_to_gdal(app: TestApp) {
    let Some(file) = in_format("FlatGeobuf", ".fgb") else { return };
    let editor = app.editor_of("morvan");
    let why = async |app: &TestApp, name: &str, bytes: &[u8]| {
        let parc = with_file(&app.editor_of("morvan"), name, bytes.to_vec(), json!({"takes_pois": true})).await;
        let run = dry_run(app, &editor, &parc).await;
        assert_eq!(run["state"], "failed", "{name}: {run}");
        run["failure"].clone()
    };
    let refused = why(&app, "lieux.fgb", &file).await;
    assert_eq!((&refused["code"], &refused["params"]["format"]), (&json!("import/needs-gdal"), &json!("FlatGeobuf")));
    let absent = app.changed(|parts| parts.settings.ogr2ogr = Some("/nowhere/ogr2ogr".into()));
    assert_eq!(why(&absent, "lieux.fgb", &file).await["code"], "import/needs-gdal");

    let with_gdal = app.changed(|parts| parts.settings.ogr2ogr = Some("ogr2ogr".into()));
    // What GDAL would open by its content, another file of the server among them.
    let there = Scratch::new();
    let secret = there.path().join("secret.geojson");
    std::fs::write(&secret, features().1.to_string()).unwrap();
    let virtual_format = format!(
        r#"<OGRVRTDataSource><OGRVRTLayer name="secret"><SrcDataSource>{}</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>"#,
        secret.display()
    );
    for (name, bytes) in [
        ("plan.dxf", virtual_format.as_bytes()),
        ("table.tab", virtual_format.as_bytes()),
        ("plan.dxf", b"".as_slice()),
        ("plan.dxf", &std::fs::read(&secret).unwrap()),
        ("lieux.fgb", &file[..file.len() / 3]),
    ] {
        let refused = why(&with_gdal, name, bytes).await;
        let says = refused["params"]["detail"].as_str().unwrap_or_default();
        assert!(refused["code"] == "import/damaged-file" && !says.contains('/'), "{name}: {refused}");
    }
    // A program that does not leave the drivers out is not used.
    let all = there.path().join("ogr2ogr");
    std::fs::write(&all, "#!/bin/sh\necho '  FlatGeobuf -vector- (rw+v): FlatGeobuf'\necho '  GPKG -vector- (rw+): GeoPackage'\necho '  OGR_VRT -vector- (rov): VRT'\n").unwrap();
    std::fs::set_permissions(&all, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let other = app.changed(|parts| parts.settings.ogr2ogr = Some(all));
    assert_eq!(why(&other, "lieux.fgb", &file).await["code"], "import/needs-gdal");
}
