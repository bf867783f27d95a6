//! Imports of routes: each route is imported once, also after a failure, and never overwrites what was edited here.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use connect::http::{Addresses, FetchSettings, Fetcher};
use macros::app_test;
use serde_json::{Value, json};
use sources::import_job;
use testkit::{Client, TestApp, samples, skipped};

use crate::catalogue_kit::column;
use crate::feeds::{api_client, distributed_parcours, new_api_key, term};
use crate::imports_kit::{
    Answer, Stub, codes, dry_run, geotrek, lines_of_run, listening, run_source, sample, settled, source, trek,
};
use crate::parcours_kit::{gpx, imported, made, now, patch, titles};

fn treks(count: u32) -> Arc<Mutex<Vec<Value>>> {
    Arc::new(Mutex::new((1..=count).map(|number| trek(number, &format!("Boucle {number}"))).collect()))
}

async fn of_title(by: &Client, title: &str) -> Value {
    let page = by.get("/api/v1/parcours?progress=any&per_page=200").await.expect(200).json();
    let items = page["items"].as_array().unwrap();
    let found = items.iter().find(|row| row["title"]["fr"] == title).unwrap_or_else(|| panic!("no {title}"));
    by.get(format!("/api/v1/parcours/{}", found["id"])).await.expect(200).json()
}

#[app_test]
async fn a_geotrek_server_is_imported_and_a_second_run_writes_nothing(app: TestApp) {
    let editor = app.editor_of("morvan");
    let stub = geotrek(&treks(3));
    let parc = source(&editor, json!({"url": stub.url, "distribute_own": true, "force_published": "published"})).await;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!(
        (&run["state"], &run["counts"]["created"], &run["error_count"]),
        (&json!("done"), &json!(3), &json!(0)),
        "{run}"
    );
    assert_eq!((&run["done"], &run["total"], &run["source_name"]), (&json!(3), &json!(3), &json!("Le parc")));

    let first = of_title(&editor, "Boucle 1").await;
    assert_eq!(first["summary"]["fr"], "Une boucle étonnante.", "entities are characters, markup is gone");
    assert_eq!(first["description"]["fr"], "<p>Pas à pas.</p>");
    assert_eq!(
        (&first["published"], &first["distribute_own"], &first["is_loop"]),
        (&json!(true), &json!(true), &json!(true))
    );
    assert!(first["practice_type_id"].is_i64() && first["level_id"].is_i64(), "terms with the same name exist here");
    assert_eq!((&first["trace"]["duration_s"], &first["trace"]["origin"]), (&json!(9_000.0), &json!("imported")));
    assert_eq!(first["steps"][0]["title"]["fr"], "La gare");
    let restored = editor.clone().at_version(first["version"].as_i64().unwrap());
    restored.post(format!("/api/v1/parcours/{}/trace/original", first["id"]), json!({})).await.expect(200);

    let before: Vec<Value> = vec![of_title(&editor, "Boucle 2").await, of_title(&editor, "Boucle 3").await];
    let asked = stub.requests().len();
    let again = run_source(&app, &editor, &parc).await;
    assert_eq!(
        (&again["state"], &again["counts"]["updated"], &again["counts"]["created"]),
        (&json!("done"), &json!(0), &json!(0))
    );
    assert!(lines_of_run(&editor, &again, "").await.is_empty(), "the log has no lines");
    assert_eq!(vec![of_title(&editor, "Boucle 2").await, of_title(&editor, "Boucle 3").await], before);
    let since = stub.requests().split_off(asked);
    assert!(
        since[0].contains("updated_after=") && since.len() == 2,
        "one request for the changes, one for the list of ids: {since:?}"
    );
}

/// The fields of a trek that this server publishes, without its numbers, dates and addresses.
fn fields_of(trek: &Value) -> Value {
    let mut found = json!({});
    for field in [
        "name",
        "description_teaser",
        "ambiance",
        "description",
        "departure",
        "arrival",
        "practice",
        "difficulty",
        "route",
        "themes",
        "labels",
        "networks",
        "duration",
        "length_2d",
        "ascent",
        "descent",
        "geometry",
        "points_reference",
        "published",
    ] {
        found[field] = trek[field].clone();
    }
    let media = trek["attachments"].as_array().unwrap().iter();
    found["attachments"] = media.map(|media| json!([media["type"], media["author"], media["legend"]])).collect();
    found
}

/// This server reads the Geotrek format as it writes it: a parcours exported from one white-label and imported into another
/// has the same fields there.
#[app_test]
async fn our_own_geotrek_feed_is_imported_without_a_difference(app: TestApp) {
    let lake = distributed_parcours(&app, "Tour du lac").await;
    let client = api_client(&app, "morvan").await;
    let mut pages = std::collections::HashMap::new();
    for list in ["trek", "trek_practice", "trek_difficulty", "theme", "label", "trek_network", "trek_route"] {
        let path = format!("/api/v2/{list}/");
        pages.insert(path.clone(), client.get(format!("{path}?page_size=1000")).await.expect(200).json());
    }
    let before = pages["/api/v2/trek/"]["results"][0].clone();
    let picture = before["attachments"][0]["url"].as_str().unwrap().replace("http://localhost:8080", "");
    let bytes = app.anonymous().get(&picture).await.expect(200).bytes;
    let at: Arc<Mutex<String>> = Arc::default();
    let here = Arc::clone(&at);
    let stub = Stub::start(move |path, _| match pages.get(path.split('?').next().unwrap_or_default()) {
        Some(page) => {
            let text = page.to_string().replace("http://localhost:8080", &here.lock().unwrap());
            text.into_bytes().into()
        }
        None if path == picture => bytes.clone().into(),
        None => Answer(404, Vec::new(), Vec::new()),
    });
    *at.lock().unwrap() = stub.url.clone();
    let editor = app.editor_of("vercors");
    let fields = json!({"url": stub.url, "distribute_own": true, "force_published": "published"});
    let ours = source(&editor, fields).await;
    let run = run_source(&app, &editor, &ours).await;
    assert_eq!((&run["state"], &run["counts"]["created"]), (&json!("done"), &json!(1)), "{run}");
    assert!(lines_of_run(&editor, &run, "refused").await.is_empty());
    let twin = of_title(&editor, "Tour du lac").await;
    let open = json!({"distribute_partners": true});
    let versioned = editor.clone().at_version(twin["version"].as_i64().unwrap());
    versioned.patch(format!("/api/v1/parcours/{}", twin["id"]), open).await.expect(200);
    content::media::work::settle(app.app()).await.unwrap();
    let theirs = api_client(&app, "vercors").await;
    let after = theirs.get(format!("/api/v2/trek/{}/", twin["id"])).await.expect(200).json();
    assert_ne!(after["id"], lake["id"]);
    assert_eq!(fields_of(&after), fields_of(&before));
    assert_eq!(
        twin["steps"][0]["description"]["fr"], "Passer l’arche.",
        "the instruction is the description of its step"
    );
}

/// One server publishes, another one imports: each with a separate database.
#[app_test]
async fn a_jalon_server_is_imported_with_its_key_and_later_runs_read_only_changes(app: TestApp) {
    let (theirs, stub) = listening(&testkit::second_app().await);
    let (first, second) =
        (distributed_parcours(&theirs, "Tour du lac").await, distributed_parcours(&theirs, "Tour du bois").await);
    let (author, key) = (theirs.editor_of("morvan"), new_api_key(&theirs, "morvan").await);
    let alt = json!({"fr": "Un lac au soleil", "en": "A lake in the sun"});
    let their_picture = format!("/api/v1/medias/{}", first["media_ids"][0]);
    author.clone().with("if-match", "*").patch(their_picture, json!({"alt": alt})).await.expect(200);
    theirs.clock().advance_s(400);
    let editor = app.editor_of("vercors");
    let in_clear =
        json!({"name": "Voisins", "kind": "jalon", "url": format!("{}/api/public/v1/parcours?key={key}", stub.url)});
    let refused = editor.post("/api/v1/import-sources", in_clear).await.expect(422).problem();
    assert_eq!(refused.errors[0].code, "service-key/in-address");
    let nowhere = editor.post("/api/v1/import-sources", json!({"name": "Voisins", "kind": "jalon"})).await.expect(422);
    assert_eq!(nowhere.problem().errors[0].field, "/url");

    let options = json!({"kind": "jalon", "url": stub.url, "distribute_own": true, "force_published": "published"});
    let source = source(&editor, options).await;
    let without = run_source(&app, &editor, &source).await;
    assert_eq!(without["state"], "failed", "without the key: {without}");
    let credential = format!("/api/v1/import-sources/{}/credential", source["id"]);
    editor.clone().with("if-match", "*").put(credential, json!({"key": key})).await.expect(204);
    let run = run_source(&app, &editor, &source).await;
    assert_eq!((&run["state"], &run["counts"]["created"]), (&json!("done"), &json!(2)), "{run}");
    assert!(lines_of_run(&editor, &run, "refused").await.is_empty());

    let mine = of_title(&editor, "Tour du lac").await;
    let whole = author.get(crate::parcours_kit::path(&first)).await.expect(200).json();
    for field in [
        "title",
        "summary",
        "description",
        "is_loop",
        "booking_url",
        "practice_type_id",
        "level_id",
        "theme_ids",
        "marking_ids",
    ] {
        assert_eq!(mine[field], whole[field], "{field}: both servers begin with the same lists");
    }
    let said = |parcours: &Value| -> Vec<Value> {
        let steps = parcours["steps"].as_array().unwrap().iter();
        steps.map(|step| json!([step["kind"], step["title"], step["description"], step["position"]])).collect()
    };
    assert_eq!(said(&mine), said(&whole));
    assert_eq!(mine["trace"]["distance_m"], whole["trace"]["distance_m"]);
    let picture = editor.get(format!("/api/v1/medias/{}", mine["media_ids"][0])).await.expect(200).json();
    assert_eq!((&picture["copyright"], &picture["alt"]), (&json!("C. Le Goff"), &alt));

    let asked = || stub.requests().into_iter().filter(|path| path.starts_with("/api/public/v1/"));
    let before = asked().count();
    let again = run_source(&app, &editor, &source).await;
    assert_eq!((&again["done"], &again["counts"]["updated"]), (&json!(0), &json!(0)), "{again}");
    let since: Vec<String> = asked().skip(before).collect();
    assert!(
        since.len() == 2 && since[0].contains("/changes?since=2"),
        "one request for the changes, one for the list of ids: {since:?}"
    );

    theirs.clock().advance_s(400);
    patch(&author, &now(&author, &second).await, json!({"subtitle": {"fr": "En forêt", "en": "In the woods"}})).await;
    theirs.clock().advance_s(400);
    let pictures = stub.request_count("/media/");
    let third = run_source(&app, &editor, &source).await;
    assert_eq!((&third["done"], &third["counts"]["updated"]), (&json!(1), &json!(1)), "{third}");
    assert_eq!(of_title(&editor, "Tour du bois").await["subtitle"], json!({"fr": "En forêt", "en": "In the woods"}));
    assert_eq!(stub.request_count("/media/"), pictures, "stored pictures are not fetched again");

    let closed = json!({
        "title": {"fr": "Travaux au pont", "en": "Works on the bridge"}, "kind": "works",
        "from": theirs.app().now().day(), "to": theirs.app().now().day(),
        "geometry": {"type": "Polygon", "coordinates": [[[4.003, 46.999], [4.005, 46.999], [4.005, 47.001], [4.003, 47.001], [4.003, 46.999]]]},
    });
    author.post("/api/v1/closures", closed).await.expect(201);
    author.clone().with("if-match", "*").delete(crate::parcours_kit::path(&second)).await.expect(204);
    theirs.clock().advance_s(400);
    let fourth = run_source(&app, &editor, &source).await;
    assert_eq!((&fourth["counts"]["updated"], &fourth["counts"]["gone"]), (&json!(1), &json!(1)), "{fourth}");
    let closed = of_title(&editor, "Tour du lac").await;
    for (language, heading) in [("fr", "<h3>Avertissement</h3>"), ("en", "<h3>Warning</h3>")] {
        let words = closed["description"][language].as_str().unwrap();
        assert!(words.starts_with(heading), "{words}");
    }
    assert_eq!(of_title(&editor, "Tour du bois").await["published"], false);

    // A parcours that a change of settings shows again is in no list of changes: the run after the next one reads everything.
    let shown = distributed_parcours(&theirs, "Tour du pré").await;
    set_published(&theirs, false).await;
    theirs.clock().advance_s(400);
    assert_eq!(run_source(&app, &editor, &source).await["state"], "done");
    set_published(&theirs, true).await;
    theirs.clock().advance_s(400);
    run_source(&app, &editor, &source).await;
    let sixth = run_source(&app, &editor, &source).await;
    assert_eq!(sixth["state"], "done", "{sixth}");
    assert_eq!(of_title(&editor, "Tour du pré").await["published"], true, "{shown}");
}

#[app_test]
async fn the_pois_of_a_jalon_server_are_imported_with_their_parcours_and_updated(app: TestApp) {
    let (theirs, stub) = listening(&testkit::second_app().await);
    let (author, key) = (theirs.editor_of("morvan"), new_api_key(&theirs, "morvan").await);
    let (named, other) = (published_poi(&theirs, "Le lavoir").await, published_poi(&theirs, "Le four").await);
    let tour = distributed_parcours(&theirs, "Tour du lac").await;
    patch(&author, &now(&author, &tour).await, json!({"poi_ids": [named]})).await;
    theirs.clock().advance_s(60);

    let editor = app.editor_of("vercors");
    let options = json!({"kind": "jalon", "url": stub.url, "distribute_own": true, "force_published": "published"});
    let source = source(&editor, options).await;
    let credential = format!("/api/v1/import-sources/{}/credential", source["id"]);
    editor.clone().with("if-match", "*").put(credential, json!({"key": key})).await.expect(204);
    let run = run_source(&app, &editor, &source).await;
    assert_eq!(run["state"], "done", "{run}");
    let list = editor.get("/api/v1/pois?owner=mine").await.expect(200).json();
    assert_eq!(column(&list, "/title/fr"), ["Le lavoir"], "{other} is named by no parcours");
    let poi = of_title(&editor, "Tour du lac").await["poi_ids"][0].as_i64().expect("its POI");
    let at = format!("/api/v1/pois/{poi}");
    let (mine, whole) = (
        editor.get(&at).await.expect(200).json(),
        author.get(format!("/api/v1/pois/{named}")).await.expect(200).json(),
    );
    for field in
        ["title", "description", "location", "phone", "website", "opening", "theme_ids", "published", "distribute"]
    {
        assert_eq!(mine[field], whole[field], "{field}");
    }

    // It follows the changes of the source, except in fields that were edited here.
    editor.clone().with("if-match", "*").patch(&at, json!({"website": "https://ici.example"})).await.expect(200);
    let changed = json!({"opening": {"fr": "Toute l’année."}, "website": "https://la-bas.example"});
    author.clone().with("if-match", "*").patch(format!("/api/v1/pois/{named}"), changed).await.expect(200);
    theirs.clock().advance_s(60);
    run_source(&app, &editor, &source).await;
    let mine = editor.get(&at).await.expect(200).json();
    assert_eq!((&mine["opening"]["fr"], &mine["website"]), (&json!("Toute l’année."), &json!("https://ici.example")));
    let version = mine["version"].clone();
    run_source(&app, &editor, &source).await;
    assert_eq!(editor.get(&at).await.expect(200).json()["version"], version, "what did not change is not saved");

    // A parcours that was deleted here is not imported again.
    editor.clone().with("if-match", "*").delete(format!("{at}?force=true")).await.expect(204);
    author
        .clone()
        .with("if-match", "*")
        .patch(format!("/api/v1/pois/{named}"), json!({"opening": {"fr": "L’été."}}))
        .await
        .expect(200);
    theirs.clock().advance_s(60);
    run_source(&app, &editor, &source).await;
    assert!(column(&editor.get("/api/v1/pois?owner=mine").await.expect(200).json(), "/title/fr").is_empty());
    assert_eq!(of_title(&editor, "Tour du lac").await["poi_ids"], json!([]));
}

/// A published POI that is distributed to other sites.
async fn published_poi(server: &TestApp, title: &str) -> i64 {
    let poi = server.poi().titled(title).at(4.005, 47.001).published().insert().await;
    let theme = term(server, "poi_theme", "histoire").await;
    let fields = json!({
        "distribute": true, "description": {"fr": "<p>À voir.</p>"}, "phone": "+33386111111",
        "website": "https://lavoir.example", "opening": {"fr": "Le matin."}, "theme_ids": [theme],
    });
    let editor = server.editor_of("morvan");
    editor.with("if-match", "*").patch(format!("/api/v1/pois/{}", poi.id), fields).await.expect(200);
    poi.id
}

/// Sets whether the publishing white-label distributes its parcours.
async fn set_published(server: &TestApp, shows: bool) {
    crate::feeds::patch_white_label(server, "morvan", json!({"flags": {"distribute_parcours": shows}})).await;
}

fn here(bytes: &[u8], url: &Mutex<String>) -> Answer {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    text.replace("https://", &format!("{}/", url.lock().unwrap())).into_bytes().into()
}

#[app_test]
async fn the_real_samples_are_imported(app: TestApp) {
    let (Some(treks), Some(circuits), Some(schema)) =
        (sample("geotrek-v2/trek.json"), sample("cirkwi/circuits.xml"), sample("schema-randonnee/exemple-a.geojson"))
    else {
        return skipped("the_real_samples_are_imported", "../shared/data is missing");
    };
    let line: Vec<(f64, f64)> = (0..30).map(|at| (1.4 + f64::from(at) * 0.001, 42.8)).collect();
    let file = gpx(&line).into_bytes();
    let slot: Arc<Mutex<String>> = Arc::default();
    let (at, ids) = (Arc::clone(&slot), sample("geotrek-v2/trek_ids.json").unwrap());
    let stub = Stub::start(move |path, _| {
        let list = |name: &str| sample(&format!("geotrek-v2/{name}.json")).unwrap_or_default().into();
        match path.split('?').next().unwrap_or_default() {
            "/api/v2/trek/" if path.contains("fields=") => ids.clone().into(),
            "/api/v2/trek/" => here(&treks, &at),
            "/api/v2/trek_practice/" => list("trek_practice"),
            "/api/v2/trek_difficulty/" => list("trek_difficulty"),
            "/api/v2/theme/" => list("trek_theme"),
            "/api/v2/label/" => list("trek_label"),
            "/api/v2/trek_network/" => list("trek_network"),
            "/api/v2/trek_route/" => list("trek_route"),
            "/circuits.xml" => here(&circuits, &at),
            "/rando.geojson" => here(&schema, &at),
            path if path.ends_with(".gpx") => file.clone().into(),
            _ => Answer(404, Vec::new(), Vec::new()),
        }
    });
    *slot.lock().unwrap() = stub.url.clone();
    let editor = app.editor_of("morvan");
    let parc = source(&editor, json!({"url": stub.url})).await;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!(
        (&run["state"], &run["counts"]["created"], &run["counts"]["refused"]),
        (&json!("done"), &json!(5), &json!(0)),
        "{run}"
    );
    let seigneurs = of_title(&editor, "Boucle du Pic des Trois Seigneurs").await;
    assert_eq!(seigneurs["title"]["en"], "Loop of the pic of 3 lords");
    assert!(seigneurs["description"]["fr"].as_str().unwrap().contains("légende"), "entities are characters");

    let cirkwi = source(&editor, json!({"kind": "cirkwi", "url": format!("{}/circuits.xml", stub.url)})).await;
    let run = run_source(&app, &editor, &cirkwi).await;
    assert_eq!(
        (&run["state"], &run["counts"]["created"]),
        (&json!("done"), &json!(2)),
        "both circuits follow one file: {run}"
    );
    let walk = of_title(&editor, "Le patrimoine de Plancoët").await;
    assert_eq!((&walk["title"]["en"], &walk["trace"]["duration_s"]), (&json!("Title en"), &json!(7_200.0)));

    let rando =
        source(&editor, json!({"kind": "schema_randonnee", "url": format!("{}/rando.geojson", stub.url)})).await;
    let run = run_source(&app, &editor, &rando).await;
    assert_eq!((&run["state"], &run["counts"]["created"]), (&json!("done"), &json!(4)), "{run}");
    let coudoulous = of_title(&editor, "Sentier de Coudoulous").await;
    assert_eq!((&coudoulous["trace"]["duration_s"], &coudoulous["is_loop"]), (&json!(5_400.0), &json!(true)));
}

#[app_test]
async fn apidae_itineraries_are_imported_page_by_page_with_the_line_of_their_plan(app: TestApp) {
    let slot: Arc<Mutex<String>> = Arc::default();
    let here = Arc::clone(&slot);
    let stub = Stub::start(move |path, _| {
        if let Some(number) = path.strip_prefix("/plan-").and_then(|name| name.strip_suffix(".gpx")) {
            let north = 47.0 + number.parse::<f64>().unwrap_or_default() * 0.01;
            let points: Vec<(f64, f64)> = (0..=10).map(|at| (4.0 + f64::from(at) * 0.001, north)).collect();
            return crate::parcours_kit::gpx(&points).into_bytes().into();
        }
        let (_, query) = path.split_once("query=").unwrap_or_default();
        let first = if query.contains("%22first%22%3A2") { 2 } else { 0 };
        let object = |number: u32| {
            let plan = json!([{"type": "PLAN", "traductionFichiers": [{"url": format!("{}/plan-{number}.gpx", here.lock().unwrap())}]}]);
            json!({"id": number, "type": "EQUIPEMENT", "state": "PUBLISHED", "nom": {"libelleFr": format!("Boucle {number}")},
                "multimedias": plan, "informationsEquipement": {"itineraire": {"itineraireType": "BOUCLE"}},
                "presentation": {"descriptifCourt": {"libelleFr": "Court.", "libelleEn": "Short."}}})
        };
        let page: Vec<Value> = match first {
            0 => vec![object(1), json!({"id": 9, "type": "HOTELLERIE", "nom": {"libelleFr": "Hôtel"}})],
            _ => vec![object(2)],
        };
        json!({"query": {}, "numFound": 3, "objetsTouristiques": page}).into()
    });
    *slot.lock().unwrap() = stub.url.clone();
    let editor = app.editor_of("morvan");
    let url = format!("{}/list/?query=%7B%22apiKey%22%3A%22[CLE]%22%2C%22count%22%3A2%7D", stub.url);
    let apidae = source(&editor, json!({"kind": "apidae", "url": url})).await;
    let key_path = format!("/api/v1/import-sources/{}/credential", apidae["id"]);
    editor.clone().with("if-match", "*").put(key_path, json!({"key": "k3y"})).await.expect(204);
    let run = run_source(&app, &editor, &apidae).await;
    assert_eq!(
        (&run["state"], &run["counts"]["created"], &run["counts"]["refused"]),
        (&json!("done"), &json!(2), &json!(0)),
        "{run}"
    );
    let loop_2 = of_title(&editor, "Boucle 2").await;
    assert_eq!((&loop_2["is_loop"], &loop_2["summary"]["en"]), (&json!(true), &json!("Short.")));
    assert!(loop_2["trace"]["distance_m"].as_f64().unwrap() > 700.0);
    let again = run_source(&app, &editor, &apidae).await;
    assert_eq!((&again["counts"]["created"], &again["counts"]["updated"]), (&json!(0), &json!(0)), "{again}");
    let asked = stub.requests();
    assert!(asked.iter().filter(|path| path.contains("/list/")).all(|path| path.contains("%22k3y%22")), "{asked:?}");
}

#[app_test]
async fn a_route_that_apidae_shows_as_deleted_is_unpublished_until_it_comes_back(app: TestApp) {
    let states = Arc::new(Mutex::new(["PUBLISHED"; 4]));
    let shown = Arc::clone(&states);
    let stub = Stub::start(move |path, _| {
        let (states, first) = (*shown.lock().unwrap(), if path.contains("%22first%22%3A2") { 2 } else { 0 });
        let object = |at: usize| {
            json!({"id": at + 1, "type": "EQUIPEMENT", "state": states[at], "nom": {"libelleFr": format!("Boucle {}", at + 1)},
                "informationsEquipement": {"itineraire": {"itineraireType": "BOUCLE"}}})
        };
        json!({"query": {}, "numFound": 4, "objetsTouristiques": [object(first), object(first + 1)]}).into()
    });
    let editor = app.editor_of("morvan");
    let url = format!("{}/list/?query=%7B%22count%22%3A2%7D", stub.url);
    let apidae = source(&editor, json!({"kind": "apidae", "url": url, "force_published": "published"})).await;
    let run = run_source(&app, &editor, &apidae).await;
    assert_eq!((&run["state"], &run["counts"]["created"]), (&json!("done"), &json!(4)), "{run}");
    let mut loops = Vec::new();
    for number in 1..=4 {
        loops.push(of_title(&editor, &format!("Boucle {number}")).await);
    }
    let published = async || {
        let mut found = Vec::new();
        for one in &loops {
            found.push(now(&editor, one).await["published"] == true);
        }
        found
    };
    assert_eq!(published().await, [true; 4]);
    // On the first page, then all of the second one, then all there are.
    for (deleted, gone, expected) in [
        (vec![1], 1, [true, false, true, true]),
        (vec![2, 3], 2, [true, false, false, false]),
        (vec![0], 1, [false; 4]),
    ] {
        for at in deleted {
            states.lock().unwrap()[at] = "DELETED";
        }
        let run = run_source(&app, &editor, &apidae).await;
        let counts = (&run["state"], &run["counts"]["gone"], &run["counts"]["refused"]);
        assert_eq!(counts, (&json!("done"), &json!(gone), &json!(0)), "{run}");
        assert_eq!(published().await, expected);
        assert!(lines_of_run(&editor, &run, "kept").await.is_empty(), "the source is neither empty nor broken");
    }
    assert_eq!(now(&editor, &loops[1]).await["progress_status"], "to_review");
    *states.lock().unwrap() = ["PUBLISHED"; 4];
    run_source(&app, &editor, &apidae).await;
    assert_eq!(published().await, [true; 4]);
}

#[app_test]
async fn a_datatourisme_tour_without_a_line_becomes_a_parcours_and_keeps_the_line_drawn_here(app: TestApp) {
    let Some(flux) =
        testkit::shared_data().and_then(|data| std::fs::read(data.join("sit/datatourisme/flux-2020-a.zip")).ok())
    else {
        return;
    };
    let stub = Stub::start(move |_, _| flux.clone().into());
    let editor = app.editor_of("morvan");
    let tours = source(&editor, json!({"kind": "datatourisme", "url": format!("{}/flux.zip", stub.url)})).await;
    let dry = dry_run(&app, &editor, &tours).await;
    assert_eq!((&dry["state"], &dry["counts"]["created"]), (&json!("done"), &json!(1)), "{dry}");
    let run = run_source(&app, &editor, &tours).await;
    assert_eq!((&run["counts"]["created"], &run["counts"]["refused"]), (&json!(1), &json!(0)), "{run}");
    let found = lines_of_run(&editor, &run, "created").await;
    assert!(found[0]["notes"].to_string().contains("import/line-to-draw"), "{found:?}");
    let deme = of_title(&editor, "BOUCLE N°4 : LA VALLEE DE LA DEME").await;
    assert_eq!((&deme["is_loop"], &deme["trace"]), (&json!(true), &Value::Null));
    assert_eq!(
        (&deme["steps"][0]["kind"], &deme["steps"][0]["title"]["fr"]),
        (&json!("departure"), &json!("La Chartre-sur-le-Loir"))
    );

    let line = crate::parcours_kit::gpx(&crate::parcours_kit::eastward());
    crate::parcours_kit::imported(&editor, &deme, "deme.gpx", line).await.expect(200);
    // Imported again because an option changed: the line that was drawn here stays.
    let spread = json!({"distribute_own": true});
    let tours = crate::catalogue_kit::patch(&editor, "/api/v1/import-sources", &tours, spread).await.expect(200).json();
    let again = run_source(&app, &editor, &tours).await;
    assert_eq!((&again["counts"]["updated"], &again["counts"]["refused"]), (&json!(1), &json!(0)), "{again}");
    assert!(of_title(&editor, "BOUCLE N°4 : LA VALLEE DE LA DEME").await["trace"]["distance_m"].is_number());
}

#[app_test]
async fn a_killed_run_continues_without_a_gap_or_a_duplicate(app: TestApp) {
    let editor = app.editor_of("morvan");
    let stub = geotrek(&treks(450));
    let parc = source(&editor, json!({"url": stub.url})).await;
    let run = editor.post(format!("/api/v1/import-sources/{}/runs", parc["id"]), json!({})).await.expect(202).json();
    // Each server imports one page, then is dropped with everything it held in memory.
    for _ in 0..2 {
        let server = app.changed(|_| {});
        assert!(import_job::step(server.app()).await.unwrap());
    }
    let half = editor.get(format!("/api/v1/import-runs/{}", run["id"])).await.expect(200).json();
    assert_eq!((&half["state"], &half["done"], &half["total"]), (&json!("running"), &json!(400), &json!(450)));
    // A server that stops in the middle of a step writes nothing of that step.
    let dying = app.changed(|_| {});
    let step = tokio::spawn(async move { import_job::step(dying.app()).await.is_ok() });
    step.abort();
    let _ = step.await;
    let next = app.changed(|_| {});
    next.clock().advance_s(61);
    let done = settled(&next, &editor, &run).await;
    assert_eq!(
        (&done["state"], &done["counts"]["created"], &done["counts"]["refused"]),
        (&json!("done"), &json!(450), &json!(0)),
        "{done}"
    );
    let list = editor.get("/api/v1/parcours?search=Boucle").await.expect(200).json();
    assert_eq!(list["total"], 450);
    assert_eq!(lines_of_run(&editor, &done, "created").await.len(), 200, "a page of them");
}

#[app_test]
async fn fields_edited_here_are_kept_and_the_others_follow_the_source(app: TestApp) {
    let editor = app.editor_of("morvan");
    let held = treks(1);
    let stub = geotrek(&held);
    let parc = source(&editor, json!({"url": stub.url})).await;
    run_source(&app, &editor, &parc).await;
    let first = of_title(&editor, "Boucle 1").await;
    patch(&editor, &first, json!({"summary": {"fr": "Nos mots."}, "title": {"en": "Loop one"}})).await;
    let mut changed = trek(1, "Boucle du lavoir");
    changed["description_teaser"] = json!({"fr": "Leurs mots."});
    changed["touched"] = json!(true);
    *held.lock().unwrap() = vec![changed.clone()];
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!(run["counts"]["updated"], 1, "{run}");
    let after = of_title(&editor, "Boucle du lavoir").await;
    assert_eq!(
        (&after["id"], &after["summary"]["fr"], &after["title"]["en"]),
        (&first["id"], &json!("Nos mots."), &json!("Loop one"))
    );
    let line = &lines_of_run(&editor, &run, "updated").await[0];
    assert_eq!(codes(line).last(), Some(&"import/locked"), "{line}");
    assert_eq!(line["changes"][0]["field"], "title");

    // The source may overwrite the field again once an editor allows it.
    let body = json!({"item": "trek-1", "fields": ["summary/fr"]});
    editor.post(format!("/api/v1/import-sources/{}/unlocking", parc["id"]), body).await.expect(204);
    run_source(&app, &editor, &parc).await;
    assert_eq!(of_title(&editor, "Boucle du lavoir").await["summary"]["fr"], "Leurs mots.");
    // A line drawn here stays too.
    let drawn = of_title(&editor, "Boucle du lavoir").await;
    let here: Vec<(f64, f64)> = (0..10).map(|at| (4.0 + f64::from(at) * 0.001, 47.2)).collect();
    imported(&editor, &drawn, "ici.gpx", gpx(&here)).await.expect(200);
    changed["geometry"]["coordinates"][0] = json!([3.99, 47.004]);
    *held.lock().unwrap() = vec![changed];
    run_source(&app, &editor, &parc).await;
    assert_eq!(now(&editor, &drawn).await["trace"]["source_file"]["name"], "ici.gpx");
}

#[app_test]
async fn a_published_parcours_keeps_a_title_that_its_source_removes(app: TestApp) {
    let editor = app.editor_of("morvan");
    let held = treks(1);
    let stub = geotrek(&held);
    let parc = source(&editor, json!({"url": stub.url, "force_published": "published"})).await;
    run_source(&app, &editor, &parc).await;
    let first = of_title(&editor, "Boucle 1").await;
    assert_eq!(first["published"], true);
    let mut changed = trek(1, "");
    changed["name"]["en"] = json!("Loop 1");
    changed["description_teaser"] = json!({"fr": "Leurs mots."});
    changed["touched"] = json!(true);
    *held.lock().unwrap() = vec![changed];
    let run = run_source(&app, &editor, &parc).await;
    let after = now(&editor, &first).await;
    assert_eq!((&after["published"], &after["title"]), (&json!(true), &json!({"fr": "Boucle 1"})));
    assert_eq!(after["summary"]["fr"], "Leurs mots.");
    let line = &lines_of_run(&editor, &run, "updated").await[0];
    assert!(codes(line).contains(&"parcours/title-required-to-publish"), "{line}");
}

#[app_test]
async fn a_dry_run_shows_the_difference_and_writes_nothing(app: TestApp) {
    let editor = app.editor_of("morvan");
    let held = treks(2);
    let stub = geotrek(&held);
    let parc = source(&editor, json!({"url": stub.url})).await;
    let dry = dry_run(&app, &editor, &parc).await;
    assert_eq!((&dry["mode"], &dry["counts"]["created"], &dry["undoable"]), (&json!("dry"), &json!(2), &json!(false)));
    assert!(titles(&editor, "search=Boucle").await.is_empty());
    let line = &lines_of_run(&editor, &dry, "created").await[0];
    assert_eq!((&line["title"], &line["parcours_id"]), (&json!("Boucle 1"), &Value::Null));
    let fields: Vec<&str> =
        line["changes"].as_array().unwrap().iter().filter_map(|change| change["field"].as_str()).collect();
    assert!(fields.contains(&"title") && fields.contains(&"trace"), "{fields:?}");

    // Only the theme that is not in the list here waits to be mapped.
    let path = format!("/api/v1/import-sources/{}/mapping", parc["id"]);
    let mapping = editor.get(&path).await.expect(200).json();
    let waiting: Vec<&Value> =
        mapping["words"].as_array().unwrap().iter().filter(|word| word["state"] == "waiting").collect();
    assert_eq!((waiting.len(), &waiting[0]["label"]["fr"], &mapping["waiting"]), (1, &json!("Contrebande"), &json!(1)));
    assert!(
        mapping["fields"]
            .as_array()
            .unwrap()
            .iter()
            .any(|field| field["name"] == "ambiance" || field["name"] == "description")
    );
    let themes = editor.get("/api/v1/vocabularies/parcours_theme").await.expect(200).json();
    let theme = &themes["items"][0]["id"];
    let values = json!([{"list": "parcours_theme", "key": waiting[0]["key"], "term_id": theme}]);
    let fields = json!([{"to": "subtitle", "from": ["departure"]}]);
    let parc = editor
        .clone()
        .at_version(1)
        .patch(format!("/api/v1/import-sources/{}", parc["id"]), json!({"values": values, "fields": fields}))
        .await
        .expect(200)
        .json();
    assert_eq!(editor.get(&path).await.json()["waiting"], 0);
    run_source(&app, &editor, &parc).await;
    let first = of_title(&editor, "Boucle 1").await;
    assert!(first["theme_ids"].as_array().unwrap().contains(theme), "{first}");
    assert_eq!(first["subtitle"]["fr"], "La gare", "the field of the source is mapped to ours");
}

#[app_test]
async fn an_item_like_an_existing_parcours_is_offered_for_merging(app: TestApp) {
    let editor = app.editor_of("morvan");
    let line: Vec<(f64, f64)> = (0..20).map(|at| (4.0 + f64::from(at) * 0.001, 47.0041)).collect();
    // More walks than are compared start at the same car park: those of another length are not in the way.
    for number in 1..=21 {
        let walk = made(&editor, &format!("Balade {number}"), json!({})).await;
        imported(&editor, &walk, "balade.gpx", gpx(&line[..3])).await.expect(200);
    }
    let ours = made(&editor, "Notre boucle", json!({})).await;
    imported(&editor, &ours, "nous.gpx", gpx(&line)).await.expect(200);
    let stub = geotrek(&treks(2));
    let parc = source(&editor, json!({"url": stub.url})).await;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((&run["counts"]["created"], &run["counts"]["to_merge"]), (&json!(1), &json!(1)), "{run}");
    let offered = &lines_of_run(&editor, &run, "to_merge").await[0];
    assert_eq!((&offered["item"], &offered["parcours_id"]), (&json!("trek-1"), &ours["id"]));
    let decide = format!("/api/v1/import-sources/{}/decisions", parc["id"]);
    assert_eq!(lines_of_run(&editor, &run, "to_merge&waits=true").await.len(), 1);
    editor.post(&decide, json!({"item": "trek-1", "merge": true})).await.expect(204);
    assert!(lines_of_run(&editor, &run, "to_merge&waits=true").await.is_empty(), "an answered item leaves the queue");
    assert_eq!(lines_of_run(&editor, &run, "to_merge").await.len(), 1);
    editor.post(&decide, json!({"item": "trek-1", "merge": true})).await.expect(404);
    let full = patched_source(&editor, &parc, json!({"host": stub.url})).await;
    let run = dry_run(&app, &editor, &full).await;
    assert_eq!(run["counts"]["to_merge"], 0, "{run}");
    let run = editor.post(format!("/api/v1/import-runs/{}/retry", run["id"]), json!({})).await.expect(202).json();
    settled(&app, &editor, &run).await;
    let merged = now(&editor, &ours).await;
    assert_eq!(
        (&merged["title"]["fr"], &merged["summary"]["fr"]),
        (&json!("Notre boucle"), &json!("Une boucle étonnante."))
    );
    assert_eq!(titles(&editor, "search=Boucle").await.len(), 2);
}

async fn patched_source(by: &Client, source: &Value, fields: Value) -> Value {
    let version = source["version"].as_i64().unwrap();
    by.clone()
        .at_version(version)
        .patch(format!("/api/v1/import-sources/{}", source["id"]), fields)
        .await
        .expect(200)
        .json()
}

#[app_test]
async fn undoing_a_run_keeps_what_was_edited_since(app: TestApp) {
    let editor = app.editor_of("morvan");
    let held = treks(3);
    let stub = geotrek(&held);
    let parc = source(&editor, json!({"url": stub.url, "schedule": "daily"})).await;
    let run = run_source(&app, &editor, &parc).await;
    let second = of_title(&editor, "Boucle 2").await;
    patch(&editor, &second, json!({"summary": {"fr": "À nous."}})).await;
    let undo = editor.post(format!("/api/v1/import-runs/{}/undo", run["id"]), json!({})).await.expect(202).json();
    let undo = settled(&app, &editor, &undo).await;
    assert_eq!(
        (&undo["state"], &undo["counts"]["undone"], &undo["counts"]["kept"]),
        (&json!("done"), &json!(2), &json!(1)),
        "{undo}"
    );
    assert_eq!(titles(&editor, "search=Boucle").await, ["Boucle 2"]);
    editor.post(format!("/api/v1/import-runs/{}/undo", run["id"]), json!({})).await.expect(409);
    let now = editor.get(format!("/api/v1/import-sources/{}", parc["id"])).await.expect(200).json();
    assert_eq!(now["schedule"], "never", "otherwise the next run would import everything again");

    // Imported again, then changed by the source, then undone.
    run_source(&app, &editor, &now).await;
    let first = of_title(&editor, "Boucle 1").await;
    held.lock().unwrap()[0] = {
        let mut changed = trek(1, "Autre nom");
        changed["touched"] = json!(true);
        changed
    };
    let run = run_source(&app, &editor, &now).await;
    assert_eq!(run["counts"]["updated"], 1);
    let undo = editor.post(format!("/api/v1/import-runs/{}/undo", run["id"]), json!({})).await.expect(202).json();
    settled(&app, &editor, &undo).await;
    assert_eq!(of_title(&editor, "Boucle 1").await["id"], first["id"]);
}

#[app_test]
async fn undoing_a_run_puts_no_parcours_under_one_that_is_under_it_now(app: TestApp) {
    let editor = app.editor_of("morvan");
    let held = treks(3);
    held.lock().unwrap()[0]["children"] = json!([3]);
    let stub = geotrek(&held);
    let parc = source(&editor, json!({"url": stub.url})).await;
    run_source(&app, &editor, &parc).await;
    let (first, second) = (of_title(&editor, "Boucle 1").await, of_title(&editor, "Boucle 2").await);
    let third = of_title(&editor, "Boucle 3").await;
    assert_eq!(third["parent_id"], first["id"]);
    // The source moves it to another tour, and an editor puts the former one under it.
    for (at, trek) in held.lock().unwrap().iter_mut().enumerate() {
        trek["name"]["fr"] = json!(format!("Tour {}", at + 1));
        trek["touched"] = json!(true);
        trek["children"] = if at == 1 { json!([3]) } else { json!([]) };
    }
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!(now(&editor, &third).await["parent_id"], second["id"], "{run}");
    patch(&editor, &now(&editor, &first).await, json!({"relation": "child", "parent_id": third["id"]})).await;
    let undo = editor.post(format!("/api/v1/import-runs/{}/undo", run["id"]), json!({})).await.expect(202).json();
    let undo = settled(&app, &editor, &undo).await;
    let third = now(&editor, &third).await;
    assert_eq!((&third["title"]["fr"], &third["parent_id"]), (&json!("Boucle 3"), &second["id"]), "{undo}");
}

#[app_test]
async fn an_item_missing_from_its_source_is_unpublished_until_it_comes_back(app: TestApp) {
    let editor = app.editor_of("morvan");
    let held = treks(3);
    let stub = geotrek(&held);
    let parc = source(&editor, json!({"url": stub.url, "force_published": "published"})).await;
    run_source(&app, &editor, &parc).await;
    let gone = held.lock().unwrap().remove(2);
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((&run["counts"]["gone"], &run["state"]), (&json!(1), &json!("done")));
    let third = editor
        .get(format!("/api/v1/parcours/{}", lines_of_run(&editor, &run, "gone").await[0]["parcours_id"]))
        .await
        .expect(200)
        .json();
    assert_eq!((&third["published"], &third["progress_status"]), (&json!(false), &json!("to_review")));
    let mut back = gone;
    back["touched"] = json!(true);
    held.lock().unwrap().push(back);
    run_source(&app, &editor, &parc).await;
    assert_eq!(now(&editor, &third).await["published"], true);
}

#[app_test]
async fn a_bad_answer_ends_the_run_with_a_reason_and_a_mail(app: TestApp) {
    let editor = app.editor_of("morvan");
    for (body, code) in [
        (b"<!DOCTYPE html><html>Connexion</html>".to_vec(), "import/web-page"),
        (b"{\"results\":".to_vec(), "import/damaged"),
        (b"".to_vec(), "trace/empty"),
    ] {
        let stub = Stub::start(move |_, _| body.clone().into());
        let parc = source(&editor, json!({"url": stub.url, "notify_email": "sig@parc.example"})).await;
        let run = run_source(&app, &editor, &parc).await;
        assert_eq!(
            (&run["state"], &run["failure"]["code"], &run["error_count"]),
            (&json!("failed"), &json!(code), &json!(1))
        );
        let mail = app.mail().next().await;
        assert_eq!((mail.to.as_str(), mail.subject.as_str()), ("sig@parc.example", "L’import « Le parc » a échoué"));
    }
    let stub = Stub::start(|_, _| Answer(302, vec!["Location: http://127.0.0.1:1/".to_owned()], Vec::new()));
    let closed =
        Fetcher::new(FetchSettings { pause: Duration::ZERO, back_off: Duration::ZERO, ..FetchSettings::default() });
    let public = app.changed(|parts| parts.fetcher = Arc::new(closed));
    assert_eq!(
        public.app().fetcher.fetch(&stub.url, &connect::http::Validators::default(), 10).unwrap_err().code(),
        "fetch/not-public"
    );
    let endless = Stub::start(|path, _| Answer(302, vec![format!("Location: {path}x")], Vec::new()));
    let lenient = Fetcher::new(FetchSettings {
        addresses: Addresses::Any,
        pause: Duration::ZERO,
        back_off: Duration::ZERO,
        ..FetchSettings::default()
    });
    let none = connect::http::Validators::default();
    assert_eq!(lenient.fetch(&endless.url, &none, 10).unwrap_err().code(), "fetch/redirects");
    let large = Stub::start(|_, _| vec![b'x'; 2_000].into());
    assert_eq!(lenient.fetch(&large.url, &none, 1_000).unwrap_err().code(), "fetch/too-large");
    let busy = Stub::start(|_, _| Answer(503, Vec::new(), Vec::new()));
    assert_eq!(lenient.fetch(&busy.url, &none, 10).unwrap_err().code(), "fetch/status");
    assert_eq!(busy.requests().len(), 3, "repeated twice, then given up");
}

#[app_test]
async fn refused_items_are_listed_and_can_be_imported_again_alone(app: TestApp) {
    let editor = app.editor_of("morvan");
    let held = treks(4);
    {
        let mut treks = held.lock().unwrap();
        treks[0]["name"] = json!({"fr": ""});
        treks[1]["geometry"] = Value::Null;
        treks[2]["geometry"] =
            json!({"type": "MultiLineString", "coordinates": [[[4, 47], [4.01, 47]], [[5, 47], [5.01, 47]]]});
        let twice = treks[3].clone();
        treks.push(twice);
    }
    let stub = geotrek(&held);
    let parc = source(&editor, json!({"url": stub.url})).await;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!(
        (&run["state"], &run["counts"]["created"], &run["error_count"]),
        (&json!("done"), &json!(1), &json!(4)),
        "{run}"
    );
    let refused = lines_of_run(&editor, &run, "refused").await;
    let reasons: Vec<(&str, &str)> =
        refused.iter().map(|line| (line["item"].as_str().unwrap(), codes(line)[0])).collect();
    assert_eq!(
        reasons,
        [
            ("trek-1", "import/no-title"),
            ("trek-2", "import/no-line"),
            ("trek-3", "import/pieces"),
            ("trek-4", "import/repeated-id")
        ]
    );
    *held.lock().unwrap() = treks(4).lock().unwrap().clone();
    let retry = editor.post(format!("/api/v1/import-runs/{}/retry", run["id"]), json!({})).await.expect(202).json();
    let retry = settled(&app, &editor, &retry).await;
    assert_eq!(
        (&retry["counts"]["created"], &retry["counts"]["refused"], &retry["error_count"]),
        (&json!(3), &json!(0), &json!(0)),
        "{retry}"
    );
}

#[app_test]
async fn files_are_imported_alone_or_from_a_zip_and_pictures_once(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parc = source(&editor, json!({"kind": "files"})).await;
    let path = format!("/api/v1/import-sources/{}", parc["id"]);
    editor.post(format!("{path}/runs"), json!({})).await.expect(422);
    let line = |north: f64| gpx(&(0..20).map(|at| (4.0 + f64::from(at) * 0.001, north)).collect::<Vec<_>>());
    let page = json!({"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": "vv1", "properties": {"name": "Voie verte"}, "geometry": {"type": "LineString", "coordinates": [[4, 47.5], [4.02, 47.5]]}},
        {"type": "Feature", "id": "vv2", "properties": {}, "geometry": null}]});
    let put = |version: i64, name: &'static str, bytes: Vec<u8>| {
        let (editor, path) = (editor.clone().at_version(version), format!("{path}/file?file_name={name}"));
        async move { editor.send(axum::http::Method::PUT, &path, None, bytes.into()).await.expect(200).json() }
    };
    let with = put(1, "seul.gpx", line(47.0).into_bytes()).await;
    assert_eq!((&with["file"]["name"], &with["version"]), (&json!("seul.gpx"), &json!(2)));
    let run = run_source(&app, &editor, &with).await;
    assert_eq!((&run["state"], &run["counts"]["created"]), (&json!("done"), &json!(1)), "{run}");
    assert_eq!(titles(&editor, "search=seul").await, ["seul"], "the file's own name");
    let other = source(&editor, json!({"kind": "files", "name": "Voies vertes"})).await;
    let sent = editor
        .clone()
        .at_version(1)
        .send(
            axum::http::Method::PUT,
            &format!("/api/v1/import-sources/{}/file?file_name=v.geojson", other["id"]),
            None,
            page.to_string().into(),
        )
        .await;
    let run = run_source(&app, &editor, &sent.expect(200).json()).await;
    assert_eq!((&run["counts"]["created"], &run["counts"]["refused"]), (&json!(1), &json!(1)), "{run}");

    let picture = samples::jpeg(1_400, 900);
    let pictures =
        Stub::start(
            move |path, _| {
                if path == "/lac.jpg" { picture.clone().into() } else { Answer(404, Vec::new(), Vec::new()) }
            },
        );
    let held = treks(2);
    for trek in held.lock().unwrap().iter_mut() {
        let picture = |name: &str| json!({"type": "image", "url": format!("{}/{name}.jpg", pictures.url), "legend": "Le lac", "author": "C. Le Goff"});
        trek["attachments"] = json!([picture("lac"), picture("perdue")]);
    }
    let stub = geotrek(&held);
    let geo = source(&editor, json!({"url": stub.url})).await;
    let run = run_source(&app, &editor, &geo).await;
    assert_eq!((&run["state"], &run["counts"]["created"]), (&json!("done"), &json!(2)), "{run}");
    let [first, second] = [of_title(&editor, "Boucle 1").await, of_title(&editor, "Boucle 2").await];
    assert_eq!((first["media_ids"].as_array().unwrap().len(), &first["media_ids"]), (1, &second["media_ids"]));
    assert_eq!(pictures.request_count("/lac.jpg"), 1, "fetched once");
    let media = editor.get(format!("/api/v1/medias/{}", first["media_ids"][0])).await.expect(200).json();
    assert_eq!((&media["legend"]["fr"], &media["copyright"]), (&json!("Le lac"), &json!("C. Le Goff")));
    let noted = &lines_of_run(&editor, &run, "created").await[0];
    assert!(codes(noted).contains(&"fetch/not-found"), "{noted}");
    let again = run_source(&app, &editor, &geo).await;
    assert_eq!((&again["counts"]["updated"], pictures.request_count("/lac.jpg")), (&json!(0), 1));
}

#[app_test]
async fn a_picture_added_later_or_failed_is_fetched_by_the_next_run(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (picture, asked) = (samples::jpeg(1_400, 900), AtomicUsize::new(0));
    // Each question is repeated twice: the first run gets none.
    let pictures = Stub::start(move |_, _| match asked.fetch_add(1, Ordering::SeqCst) {
        0..3 => Answer(503, Vec::new(), Vec::new()),
        _ => picture.clone().into(),
    });
    let held = treks(1);
    let stub = geotrek(&held);
    let geo = source(&editor, json!({"url": stub.url})).await;
    run_source(&app, &editor, &geo).await;
    let before = of_title(&editor, "Boucle 1").await;
    held.lock().unwrap()[0]["attachments"] = json!([{"type": "image", "url": format!("{}/lac.jpg", pictures.url)}]);
    held.lock().unwrap()[0]["touched"] = json!(true);
    let failed = run_source(&app, &editor, &geo).await;
    let line = &lines_of_run(&editor, &failed, "updated").await[0];
    assert!(codes(line).contains(&"fetch/status"), "{line}");
    assert_eq!(line["changes"][0]["field"], "media_ids");
    let meanwhile = of_title(&editor, "Boucle 1").await;
    assert_eq!((&meanwhile["media_ids"], &meanwhile["version"]), (&json!([]), &before["version"]), "nothing to save");
    held.lock().unwrap()[0]["touched"] = json!(false);
    run_source(&app, &editor, &geo).await;
    assert_eq!(of_title(&editor, "Boucle 1").await["media_ids"].as_array().unwrap().len(), 1);
    let again = run_source(&app, &editor, &geo).await;
    assert_eq!((&again["counts"]["updated"], pictures.requests().len()), (&json!(0), 4), "it is there");
}

#[app_test]
async fn two_routes_with_one_number_do_not_alternate_in_one_parcours(app: TestApp) {
    let editor = app.editor_of("morvan");
    let feature = |name: &str, north: f64| {
        let line = json!({"type": "LineString", "coordinates": [[4.0, north], [4.02, north]]});
        json!({"type": "Feature", "properties": {"name": name, "ref": "GR5"}, "geometry": line})
    };
    let page = json!({"type": "FeatureCollection", "features": [feature("Étape du lac", 47.1), feature("Étape du bois", 47.3)]});
    let stub = Stub::start(move |_, _| page.clone().into());
    let ways = source(&editor, json!({"kind": "features", "url": format!("{}/ways.geojson", stub.url)})).await;
    for _ in 0..3 {
        let run = run_source(&app, &editor, &ways).await;
        assert_eq!(codes(&lines_of_run(&editor, &run, "refused").await[0]), ["import/repeated-id"], "{run}");
        assert_eq!(titles(&editor, "search=etape").await, ["Étape du lac"]);
        assert_eq!(of_title(&editor, "Étape du lac").await["trace"]["bbox"][1], 47.1);
    }
}

#[app_test]
async fn pages_that_link_in_a_circle_are_read_once(app: TestApp) {
    let editor = app.editor_of("morvan");
    let feature = |n: usize| {
        let line = json!({"type": "LineString", "coordinates": [[4.0, 47.0 + n as f64 / 10.0], [4.02, 47.0 + n as f64 / 10.0]]});
        json!({"type": "Feature", "id": format!("vv.{n}"), "properties": {"name": format!("Voie {n}")}, "geometry": line})
    };
    let stub = Stub::start(move |path, headers| {
        let (features, next) = match path {
            "/a" => (vec![feature(1)], "/b"),
            "/b" => (vec![feature(2)], "/c"),
            "/c" => (vec![feature(3)], "/b"),
            "/empty?page=2" => (Vec::new(), "/empty?page=3"),
            "/empty?page=3" => (Vec::new(), "/empty?page=2"),
            _ => (vec![feature(4)], "/empty?page=2"),
        };
        let next = format!("http://{}{next}", headers["host"]);
        json!({"type": "FeatureCollection", "features": features, "links": [{"rel": "next", "href": next}]}).into()
    });
    for (path, created, asked) in [("/a", 3, 3), ("/empty", 1, 2)] {
        let url = format!("{}{path}", stub.url);
        let before = stub.requests().len();
        let ways = source(&editor, json!({"kind": "features", "url": url, "name": path})).await;
        let run = run_source(&app, &editor, &ways).await;
        assert_eq!((&run["state"], &run["counts"]["created"]), (&json!("done"), &json!(created)), "{path} {run}");
        assert_eq!(stub.requests().len() - before, asked, "{path}");
    }
}

/// None of its columns is called like a field of ours: the first run refuses all of it and shows the columns, the second takes it.
#[app_test]
async fn a_shapefile_is_imported_once_its_columns_are_mapped(app: TestApp) {
    let editor = app.editor_of("morvan");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../feeds/tests/shapefiles/cc45-windows-1252.zip");
    let paths = source(&editor, json!({"kind": "files"})).await;
    let at = format!("/api/v1/import-sources/{}", paths["id"]);
    let (by, path) = (editor.clone().at_version(1), format!("{at}/file?file_name=pdipr.zip"));
    let sent = by.send(axum::http::Method::PUT, &path, None, std::fs::read(file).unwrap().into()).await;
    let paths = sent.expect(200).json();
    let run = dry_run(&app, &editor, &paths).await;
    assert_eq!((&run["state"], &run["counts"]["refused"]), (&json!("done"), &json!(2)), "{run}");
    let mapping = editor.get(format!("{at}/mapping")).await.expect(200).json();
    let columns: Vec<(&str, &str)> = mapping["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| (field["name"].as_str().unwrap(), field["sample"].as_str().unwrap()))
        .collect();
    assert!(
        columns.contains(&("NOM", "Sentier des crêtes")) && columns.contains(&("PRATIQUE", "Pédestre")),
        "{mapping}"
    );
    let fields = json!({"fields": [{"to": "title", "from": ["NOM"]}, {"to": "practice", "from": ["PRATIQUE"]}]});
    editor.clone().with("if-match", "*").patch(&at, fields).await.expect(200);
    let run = run_source(&app, &editor, &paths).await;
    // The second has a gap of eight hundred metres between its pieces: that is for a person to decide.
    assert_eq!((&run["counts"]["created"], &run["counts"]["refused"]), (&json!(1), &json!(1)), "{run}");
    let ridge = of_title(&editor, "Sentier des crêtes").await;
    assert!((1_900.0..2_000.0).contains(&ridge["trace"]["distance_m"].as_f64().unwrap()), "{ridge}");
}

#[app_test]
async fn every_page_of_a_wfs_is_read(app: TestApp) {
    let editor = app.editor_of("morvan");
    let line = |n: usize| json!({"type": "LineString", "coordinates": [[4.0, 47.0 + n as f64 / 10.0], [4.02, 47.0 + n as f64 / 10.0]]});
    let feature = move |n: usize| json!({"type": "Feature", "id": format!("vv.{n}"), "properties": {"name": format!("Voie verte {n}")}, "geometry": line(n)});
    let stub = Stub::start(move |path, _| {
        let from: usize = path.split_once("startIndex=").map_or(0, |(_, index)| index.parse().unwrap());
        let features: Vec<Value> = (from..5).take(2).map(feature).collect();
        let said = json!({"type": "FeatureCollection", "totalFeatures": 5, "numberMatched": 5, "numberReturned": features.len(), "features": features});
        said.to_string().into_bytes().into()
    });
    let url = format!("{}/ows?service=WFS&version=2.0.0&request=GetFeature&outputFormat=application/json", stub.url);
    let ways = source(&editor, json!({"kind": "features", "url": url})).await;
    let run = run_source(&app, &editor, &ways).await;
    assert_eq!(
        (&run["state"], &run["counts"]["created"], &run["error_count"]),
        (&json!("done"), &json!(5), &json!(0)),
        "{run}"
    );
    assert_eq!(stub.request_count("/ows"), 3);
    let again = run_source(&app, &editor, &ways).await;
    assert_eq!((&again["counts"]["created"], &again["counts"]["updated"]), (&json!(0), &json!(0)), "{again}");
}

#[app_test]
async fn a_source_needs_a_valid_address_and_runs_on_schedule(app: TestApp) {
    let editor = app.editor_of("morvan");
    let wrong = json!({"name": "Parc", "kind": "geotrek", "url": "https://ailleurs.example/", "host": "https://geotrek.parc.example"});
    let problem = editor.post("/api/v1/import-sources", wrong).await.expect(422).problem();
    assert_eq!((problem.errors[0].code.as_str(), problem.errors[0].field.as_str()), ("validation/url-host", "/url"));
    let longer = json!({"name": "Parc", "kind": "geotrek", "url": "https://geotrek.parc.example.evil.example/", "host": "https://geotrek.parc.example"});
    let problem = editor.post("/api/v1/import-sources", longer).await.expect(422).problem();
    assert_eq!((problem.errors[0].code.as_str(), problem.errors[0].field.as_str()), ("validation/url-host", "/url"));
    editor.post("/api/v1/import-sources", json!({"name": "Parc", "kind": "jalon"})).await.expect(422);
    editor.post("/api/v1/import-sources", json!({"name": "Parc", "url": "pas une adresse"})).await.expect(422);

    let stub = geotrek(&treks(1));
    let parc = source(&editor, json!({"url": stub.url, "schedule": "hourly"})).await;
    import_job::settle(app.app()).await.unwrap();
    let runs = editor.get("/api/v1/import-runs").await.expect(200).json();
    assert_eq!(runs["total"], 0, "not before a user ran it once");
    let run = run_source(&app, &editor, &parc).await;
    app.clock().advance_s(3_600);
    import_job::settle(app.app()).await.unwrap();
    let runs = editor.get(format!("/api/v1/import-runs?source={}", parc["id"])).await.expect(200).json();
    assert_eq!(
        (&runs["total"], &runs["items"][0]["asked_by"], &runs["items"][1]["id"]),
        (&json!(2), &Value::Null, &run["id"])
    );

    let waiting =
        editor.post(format!("/api/v1/import-sources/{}/runs", parc["id"]), json!({})).await.expect(202).json();
    editor.post(format!("/api/v1/import-sources/{}/runs", parc["id"]), json!({})).await.expect(409);
    editor.post(format!("/api/v1/import-runs/{}/cancellation", waiting["id"]), json!({})).await.expect(204);
    let stopped = settled(&app, &editor, &waiting).await;
    assert_eq!(stopped["state"], "cancelled");
    editor.post(format!("/api/v1/import-runs/{}/cancellation", waiting["id"]), json!({})).await.expect(409);
}
