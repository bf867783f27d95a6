//! A real Geotrek-admin 2.126, recorded (`../shared/data/geotrek-2.126`), is imported completely: treks with their texts about the
//! surroundings, tours with their steps, POIs, contents, desks and services. And each of its lists is answered here in every way in
//! which its own programs ask for it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, TestApp, skipped};

use crate::feeds;
use crate::imports_kit::{Answer, Stub, codes, lines_of_run, run_source, settled, source};
use crate::parcours_kit::patch;

const HOST: &str = "https://geotrek.example";

fn recorded() -> Option<PathBuf> {
    testkit::shared_data().map(|data| data.join("geotrek-2.126/api")).filter(|at| at.is_dir())
}

fn list(folder: &std::path::Path, name: &str) -> Option<Vec<Value>> {
    let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).ok()?;
    serde_json::from_str(&text).ok()
}

/// The recorded server on this machine, its treks changed first. Of its files only those that `files` holds are there.
fn server(folder: PathBuf, change: impl Fn(&mut Vec<Value>) + Send + Sync + 'static, pdf: Vec<u8>) -> Stub {
    let slot: Arc<Mutex<String>> = Arc::default();
    let at = Arc::clone(&slot);
    let stub = Stub::start(move |path, _| {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        if path.ends_with(".pdf") {
            return pdf.clone().into();
        }
        let name = path.strip_prefix("/api/v2/").map(|rest| rest.trim_end_matches('/'));
        let Some(mut items) = name.and_then(|name| list(&folder, name)) else {
            return Answer(404, Vec::new(), Vec::new());
        };
        if name == Some("trek") {
            change(&mut items);
        }
        let of = |name: &str| query.split('&').find_map(|part| part.strip_prefix(&format!("{name}=")));
        let number = |name: &str, usual: usize| of(name).and_then(|text| text.parse().ok()).unwrap_or(usual);
        let (page, size) = (number("page", 1), number("page_size", 10));
        let next = (page * size < items.len()).then(|| format!("{HOST}{path}?page={}", page + 1));
        let part: Vec<&Value> = items.iter().skip((page - 1) * size).take(size).collect();
        let body = json!({"count": items.len(), "next": next, "previous": null, "results": part}).to_string();
        body.replace(HOST, &at.lock().unwrap()).into_bytes().into()
    });
    *slot.lock().unwrap() = stub.url.clone();
    stub
}

async fn parcours(by: &Client, title: &str) -> Value {
    let page = by.get("/api/v1/parcours?per_page=200").await.expect(200).json();
    let items = page["items"].as_array().unwrap();
    let found = items.iter().find(|row| row["title"]["fr"] == title).unwrap_or_else(|| panic!("no {title}"));
    by.get(format!("/api/v1/parcours/{}", found["id"])).await.expect(200).json()
}

fn french<'a>(trek: &'a Value, field: &str) -> &'a str {
    trek[field]["fr"].as_str().unwrap_or_default()
}

#[app_test]
async fn the_recorded_treks_are_imported_with_their_details(app: TestApp) {
    let Some(folder) = recorded() else {
        return skipped(
            "the_recorded_treks_are_imported_with_their_details",
            "../shared/data/geotrek-2.126 is missing",
        );
    };
    let treks = list(&folder, "trek").expect("treks");
    // Seven hundred pictures are missing: they are listed one by one, and the treks are imported.
    let stub = server(
        folder,
        |treks| {
            for trek in treks {
                let all = trek["attachments"].as_array().cloned().unwrap_or_default();
                let kept: Vec<Value> = all.into_iter().filter(|one| one["type"] != "image").collect();
                trek["attachments"] = Value::from(kept);
            }
        },
        testkit::samples::pdf(1),
    );
    let editor = app.editor_of("morvan");
    let parc = source(&editor, json!({"url": stub.url, "force_published": "published"})).await;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!(
        (&run["state"], &run["counts"]["created"], &run["counts"]["refused"]),
        (&json!("done"), &json!(treks.len()), &json!(0)),
        "{run}"
    );
    let lines = lines_of_run(&editor, &run, "created").await;
    let waiting: Vec<&Value> = lines.iter().filter(|line| codes(line).contains(&"import/word-waits")).collect();
    assert!(waiting.is_empty(), "words of Geotrek's own fixtures are known: {waiting:#?}");
    assert!(
        lines.iter().all(|line| codes(line).contains(&"import/left-portals")),
        "content without a place here is reported"
    );
    assert!(lines.iter().all(|line| codes(line).contains(&"import/kept-aside")), "so is what is kept aside");

    // A tour is shown with its steps, whichever came first.
    let tour = treks.iter().find(|trek| trek["id"] == 45).expect("the tour");
    let ours = parcours(&editor, french(tour, "name")).await;
    for number in [46, 47, 48] {
        let step = treks.iter().find(|trek| trek["id"] == number).expect("a step");
        let step = parcours(&editor, french(step, "name")).await;
        assert_eq!((&step["parent_id"], &step["relation"]), (&ours["id"], &json!("child")), "{number}");
    }
    let description = french(&ours, "description");
    for words in [
        "<h3>Stationnement</h3>",
        "Parking du stade, Mizoën",
        "openstreetmap.org/?mlat=45.34233",
        "<h3>Équipement</h3>",
        "Chaussures montantes",
        "<h3>Communes traversées</h3>",
        "<h3>Où se renseigner</h3>",
    ] {
        assert!(description.contains(words), "{words} is not in {description}");
    }
    assert!(ours["copyright"].is_string(), "the source is who wrote it");
    let about = |field: &str| treks.iter().find(|trek| trek[field].as_array().is_some_and(|all| !all.is_empty()));
    for (field, words) in [
        ("web_links", "<h3>Liens utiles</h3>"),
        ("ratings", "<h3>Cotations</h3>"),
        ("accessibilities", "<h3>Accessibilité</h3>"),
    ] {
        let trek = parcours(&editor, french(about(field).expect("one that has some"), "name")).await;
        assert!(french(&trek, "description").contains(words), "{field}: {}", french(&trek, "description"));
    }
    let with = |kind: &str| {
        let has =
            |trek: &&Value| trek["attachments"].as_array().is_some_and(|all| all.iter().any(|one| one["type"] == kind));
        treks.iter().find(has).expect("one that has some")
    };
    let film = parcours(&editor, french(with("video"), "name")).await;
    assert!(french(&film, "description").contains("https://www.youtube.com/watch?v="), "a film elsewhere is a link");
    let leaflet = parcours(&editor, french(with("file"), "name")).await;
    let media = editor.get(format!("/api/v1/medias/{}", leaflet["media_ids"][0])).await.expect(200).json();
    assert_eq!((&media["kind"], &media["licence"]), (&json!("pdf"), &json!("Autorisation avec conditions")));

    // What it is called elsewhere goes out as it came.
    let tours = editor.clone().at_version(ours["version"].as_i64().unwrap());
    tours.patch(format!("/api/v1/parcours/{}", ours["id"]), json!({"distribute_partners": true})).await.expect(200);
    let client = feeds::api_client(&app, "morvan").await;
    let out = client.get(format!("/api/v2/trek/{}/", ours["id"])).await.expect(200).json();
    for field in ["uuid", "external_id", "second_external_id"] {
        assert_eq!(out[field], tour[field], "{field}");
    }
    assert_eq!(out["provider"], "Le parc");

    // The second time nothing is written.
    let again = run_source(&app, &editor, &parc).await;
    let counts = &again["counts"];
    assert_eq!(
        (&counts["created"], &counts["updated"], &counts["refused"]),
        (&json!(0), &json!(0), &json!(0)),
        "{again}"
    );
}

#[app_test]
async fn the_recorded_pois_contents_desks_and_services_are_imported(app: TestApp) {
    let Some(folder) = recorded() else {
        return skipped(
            "the_recorded_pois_contents_desks_and_services_are_imported",
            "../shared/data/geotrek-2.126 is missing",
        );
    };
    let sizes: Vec<usize> = ["poi", "touristiccontent", "informationdesk", "service", "touristicevent"]
        .map(|name| list(&folder, name).expect("a list").len())
        .into();
    let stub = server(folder, |_| {}, Vec::new());
    let editor = app.editor_of("morvan");
    let body = json!({"name": "Le parc", "kind": "geotrek", "url": stub.url});
    let parc = editor.post("/api/v1/sit-sources", body).await.expect(201).json();
    let asked = editor.post(format!("/api/v1/sit-sources/{}/runs", parc["id"]), json!({})).await.expect(202).json();
    let run = settled(&app, &editor, &asked).await;
    assert_eq!(
        (&run["state"], &run["counts"]["created"], &run["counts"]["refused"]),
        (&json!("done"), &json!(sizes.iter().sum::<usize>()), &json!(0)),
        "{run}"
    );
    let record = async |title: &str| -> Value {
        let list = editor.get(format!("/api/v1/sit-records?per_page=1&search={title}")).await.expect(200).json();
        editor.get(format!("/api/v1/sit-records/{}", list["items"][0]["id"])).await.expect(200).json()
    };
    let desk = record("Maison+du+Parc+de+Bourg").await;
    assert_eq!((&desk["said"]["phone"], &desk["city"]), (&json!("04 76 00 00 00"), &json!("Bourg-d’Oisans")));
    assert_eq!(desk["category_ids"].as_array().map(Vec::len), Some(1), "a house of the park is where one asks");
    let lodging = record("Hébergement+alpage").await;
    let kinds: Vec<&Value> =
        lodging["record"]["words"].as_array().unwrap().iter().map(|word| &word["label"]["fr"]).collect();
    assert_eq!((kinds.len(), kinds[1]), (2, &json!("Hébergement")), "its type and its category");
    assert_eq!(lodging["record"]["labels"].as_array().map(Vec::len), Some(1), "{lodging}");
    assert_eq!(lodging["record"]["opening"]["fr"].as_str().map(|words| words.contains("octobre")), Some(true));
    assert_eq!(
        record("Eau+potable").await["category_ids"].as_array().map(Vec::len),
        Some(1),
        "a service is what it is"
    );
    let without = editor.get("/api/v1/sit-records?categorised=false&per_page=1").await.expect(200).json();
    assert_eq!(without["total"], 0, "words of Geotrek's own fixtures are known");
}

/// What its aggregator sends with every list, and what its widget and its portals send.
const ASKED: [&str; 6] = [
    "in_bbox=-10,40,10,55&portals=&fields=&page_size=10000&updated_after=2000-01-01&page=1",
    "language=fr&page_size=999&published=true",
    "language=all",
    "q=lac",
    "omit=geometry",
    "page_size=1",
];

/// An address of this server as a path.
fn here(url: &Value) -> String {
    url.as_str().unwrap_or_default().replace("http://localhost:8080", "")
}

fn keys(object: &Value) -> Vec<&String> {
    object.as_object().expect("an object").keys().collect()
}

/// What is an object of languages without `language` is a text with it; null where it is in none.
fn is_in_one_language(all: &Value, one: &Value) -> bool {
    match (all, one) {
        (Value::Object(texts), one) if texts.keys().eq(["en", "fr"].iter()) => {
            one.is_string() || one.is_boolean() || one.is_null() && texts.values().all(Value::is_null)
        }
        (Value::Object(all), Value::Object(one)) => {
            all.iter().all(|(key, value)| one.get(key).is_some_and(|one| is_in_one_language(value, one)))
        }
        (Value::Array(all), Value::Array(one)) => all.iter().zip(one).all(|(all, one)| is_in_one_language(all, one)),
        _ => true,
    }
}

#[app_test]
async fn every_list_is_answered_in_each_way_in_which_programs_of_geotrek_ask(app: TestApp) {
    let Some(folder) = recorded() else {
        return skipped(
            "every_list_is_answered_in_each_way_in_which_programs_of_geotrek_ask",
            "../shared/data/geotrek-2.126 is missing",
        );
    };
    let editor = app.editor_of("morvan");
    let (parent, child) = (
        feeds::distributed_parcours(&app, "Le grand tour").await,
        feeds::distributed_parcours(&app, "Une étape du lac").await,
    );
    patch(&editor, &child, json!({"relation": "child", "parent_id": parent["id"]})).await;
    for good in [false, true] {
        let poi = app.poi().titled("Le lac vu du lavoir").at(4.005, 47.001).published().insert().await;
        let fields = json!({
            "distribute": true, "description": {"fr": "<p>À voir.</p>"}, "flags": {"good_address": good},
            "category_ids": [feeds::term(&app, "poi_category", "patrimoine").await],
        });
        editor.clone().with("if-match", "*").patch(format!("/api/v1/pois/{}", poi.id), fields).await.expect(200);
    }
    feeds::patch_white_label(&app, "morvan", json!({"allowed_origins": ["https://portail.example"]})).await;
    let key = feeds::new_api_key(&app, "morvan").await;
    let app = app.changed(|parts| parts.settings.public_requests_a_minute = 100_000);
    let by = app.anonymous().with("x-api-key", &key).with("origin", "https://portail.example");
    let (mut lists, mut shown) = (0, 0);
    for file in std::fs::read_dir(&folder).expect("a folder").flatten() {
        let name = file.file_name().to_string_lossy().trim_end_matches(".json").to_owned();
        let at = format!("/api/v2/{name}/");
        for asked in ASKED {
            let reply = by.get(format!("{at}?{asked}")).await.expect(200);
            assert_eq!(reply.header("access-control-allow-origin"), "https://portail.example", "{name}?{asked}");
        }
        lists += 1;
        let whole = by.get(format!("{at}?page_size=1000")).await.expect(200).json();
        let Some(items) = whole["results"].as_array() else { continue };
        let beyond = by.get(format!("{at}?page=99")).await.expect(404);
        assert_eq!(beyond.header("access-control-allow-origin"), "https://portail.example", "{name}");
        let features = by.get(format!("{at}?format=geojson&page_size=1000")).await.expect(200).json();
        assert_eq!((&features["type"], &features["count"]), (&json!("FeatureCollection"), &whole["count"]), "{name}");
        let french = by.get(format!("{at}?language=fr&page_size=1000")).await.expect(200).json();
        for (place, item) in items.iter().enumerate() {
            let french = &french["results"][place];
            assert!(is_in_one_language(item, french), "{name}: {french:#}");
            let feature = &features["features"][place];
            assert_eq!((&feature["type"], &feature["id"]), (&json!("Feature"), &item["id"]), "{name}");
            assert_eq!(feature["geometry"], item["geometry"], "{name}");
            // Only the first three records of a list are also asked for singly: one function writes them all.
            if place > 2 {
                continue;
            }
            let one = format!("{at}{}/", item["id"]);
            assert_eq!(&by.get(&one).await.expect(200).json(), item, "{one}");
            let two: Vec<&String> = keys(item).into_iter().take(2).collect();
            let names = format!("{},{}", two[0], two[1]);
            let chosen = by.get(format!("{one}?fields={names}")).await.expect(200).json();
            assert_eq!(keys(&chosen), two, "{one}");
            let left = by.get(format!("{one}?omit={names}")).await.expect(200).json();
            assert_eq!(keys(&left).len(), keys(item).len() - 2, "{one}");
            let picture = here(&item["pictogram"]);
            if picture.starts_with('/') {
                let drawn = app.anonymous().get(&picture).await.expect(200);
                assert!(drawn.header("content-type").starts_with("image/"), "{picture}");
            }
            shown += 1;
        }
    }
    assert!(lists > 60 && shown > 30, "only {lists} lists and {shown} records");
    for trek in by.get("/api/v2/trek/").await.expect(200).json()["results"].as_array().expect("treks") {
        for (field, kind) in [
            ("altimetric_profile", "application/json"),
            ("elevation_area_url", "application/json"),
            ("elevation_svg_url", "image/svg+xml"),
            ("gpx", "application/gpx+xml"),
            ("kml", "application/vnd.google-earth.kml+xml"),
        ] {
            let reply = by.get(here(&trek[field])).await.expect(200);
            assert!(reply.header("content-type").starts_with(kind), "{field}: {}", reply.header("content-type"));
        }
        for field in ["url", "thumbnail"] {
            let address = here(&trek["attachments"][0][field]);
            assert!(address.ends_with(".jpg"), "the aggregator takes a file by its ending: {address}");
            app.anonymous().get(&address).await.expect(200);
        }
    }
}
