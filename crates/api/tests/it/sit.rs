//! Records of tourist information systems: each is imported once, can be corrected, becomes a POI, and follows its source.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ::feeds::incoming::{GeotrekDatabase, GeotrekPart};
use connect::http::{Addresses, FetchSettings, Fetcher};
use domain::Clock as _;
use domain::imports::ImportSourceSheet;
use macros::app_test;
use serde_json::{Value, json};
use sources::import_job;
use sources::imports::command::{MoveError, Origin};
use sources::sit::command as tourism;
use store::imports::ImportSources;
use store::job::RunnableKind;
use store::record::Stored;
use testkit::{Client, TestApp, samples, skipped};

use crate::feeds::{api_client, distributed_parcours};
use crate::imports_kit::{Answer, Stub, codes, lines_of_run, settled};
use crate::parcours_kit;

fn sample(path: &str) -> Option<Vec<u8>> {
    let folder: PathBuf = testkit::shared_data()?;
    std::fs::read(folder.join("sit").join(path)).ok()
}

async fn source(by: &Client, fields: Value) -> Value {
    let mut body = json!({"name": "Le SIT", "kind": "apidae"});
    if let (Some(body), Value::Object(fields)) = (body.as_object_mut(), fields) {
        body.extend(fields);
    }
    by.post("/api/v1/sit-sources", body).await.expect(201).json()
}

async fn put_key(by: &Client, source: &Value, key: &str) {
    let by = by.clone().at_version(source["version"].as_i64().unwrap());
    by.put(format!("/api/v1/sit-sources/{}/credential", source["id"]), json!({"key": key})).await.expect(204);
}

/// Runs a source, and waits until all is done; returns the run.
async fn run_source(app: &TestApp, by: &Client, source: &Value) -> Value {
    let run = by.post(format!("/api/v1/sit-sources/{}/runs", source["id"]), json!({})).await.expect(202).json();
    settled(app, by, &run).await
}

async fn records(by: &Client, query: &str) -> Vec<Value> {
    let list = by.get(format!("/api/v1/sit-records?per_page=200&{query}")).await.expect(200).json();
    list["items"].as_array().unwrap().clone()
}

async fn record(by: &Client, title: &str) -> Value {
    let found = records(by, &format!("search={}", title.replace(' ', "+"))).await;
    let row = found.iter().find(|row| row["title"]["fr"] == title).unwrap_or_else(|| panic!("no {title}: {found:?}"));
    by.get(format!("/api/v1/sit-records/{}", row["id"])).await.expect(200).json()
}

fn at_version_of(by: &Client, record: &Value) -> Client {
    by.clone().at_version(record["version"].as_i64().unwrap())
}

async fn override_fields(by: &Client, record: &Value, overrides: Value) -> Value {
    let path = format!("/api/v1/sit-records/{}", record["id"]);
    at_version_of(by, record).patch(path, json!({"overrides": overrides})).await.expect(200).json()
}

fn counts(run: &Value) -> [i64; 5] {
    ["created", "updated", "unchanged", "refused", "gone"].map(|name| run["counts"][name].as_i64().unwrap())
}

/// An object as Apidae sends it.
fn object(id: u32, name: &str) -> Value {
    json!({
        "id": id, "type": "RESTAURATION", "state": "PUBLISHED", "nom": {"libelleFr": name, "libelleEn": format!("{name} (en)")},
        "presentation": {"descriptifCourt": {"libelleFr": "Une table <script>alert(1)</script>simple."}},
        "localisation": {"adresse": {"adresse1": "1 rue du Lac", "codePostal": "58140", "commune": {"nom": "Lormes", "code": "58145"}},
            "geolocalisation": {"geoJson": {"type": "Point", "coordinates": [3.8 + f64::from(id) * 0.001, 47.2]}}},
        "informations": {"moyensCommunication": [{"type": {"id": 201}, "coordonnees": {"fr": "03 86 00 00 00"}}]},
        "gestion": {"dateModification": "2026-01-02T10:00:00.000+0000", "membreProprietaire": {"nom": "OT du Morvan"}},
    })
}

type Objects = Arc<Mutex<Vec<Value>>>;

/// Apidae's API over objects that the test may change; it wants its key.
fn apidae(objects: &Objects) -> Stub {
    let objects = Arc::clone(objects);
    Stub::start(move |path, _| {
        let query = path.split_once("?query=").map(|(_, query)| decoded(query)).unwrap_or_default();
        let query: Value = serde_json::from_str(&query).unwrap_or_default();
        if query["apiKey"] != "la-cle" || query["projetId"] != 12 {
            return Answer(401, Vec::new(), Vec::new());
        }
        let (first, count) = (query["first"].as_u64().unwrap() as usize, query["count"].as_u64().unwrap() as usize);
        let all = objects.lock().unwrap();
        let part: Vec<&Value> = all.iter().skip(first).take(count).collect();
        json!({"query": query, "numFound": all.len(), "objetsTouristiques": part}).into()
    })
}

fn decoded(words: &str) -> String {
    let mut bytes = words.bytes();
    let mut found = Vec::new();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let digits = [bytes.next().unwrap(), bytes.next().unwrap()];
            found.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
        } else {
            found.push(byte);
        }
    }
    String::from_utf8(found).unwrap()
}

fn many(count: u32) -> Objects {
    Arc::new(Mutex::new((1..=count).map(|id| object(id, &format!("Table {id}"))).collect()))
}

async fn apidae_source(by: &Client, stub: &Stub) -> Value {
    let made = source(by, json!({"url": stub.url, "project": "12", "selections": "3, 4"})).await;
    put_key(by, &made, "la-cle").await;
    made
}

#[app_test]
async fn apidae_is_imported_page_by_page_and_a_second_run_writes_nothing(app: TestApp) {
    let editor = app.editor_of("morvan");
    let stub = apidae(&many(450));
    let made = apidae_source(&editor, &stub).await;
    let run = run_source(&app, &editor, &made).await;
    assert_eq!((&run["state"], counts(&run)), (&json!("done"), [450, 0, 0, 0, 0]), "{run}");
    assert_eq!(
        (&run["total"], &run["source_name"], &run["source_kind"]),
        (&json!(450), &json!("Le SIT"), &json!("sit_source"))
    );
    assert_eq!(stub.requests().len(), 3, "two hundred at once");

    let one = record(&editor, "Table 7").await;
    assert_eq!(one["record"]["short"]["fr"], "Une table simple.", "what could do harm is taken out");
    assert_eq!(
        (&one["said"]["title"]["en"], &one["said"]["phone"]),
        (&json!("Table 7 (en)"), &json!("03 86 00 00 00"))
    );
    assert_eq!(
        (&one["city"], &one["languages"], &one["status"]),
        (&json!("Lormes"), &json!(["fr", "en"]), &json!("active"))
    );
    assert_eq!(one["category_ids"].as_array().unwrap().len(), 1, "RESTAURATION is known to our list");
    assert!(!one.to_string().contains("la-cle") && !run.to_string().contains("la-cle"), "the key is in no answer");

    let again = run_source(&app, &editor, &made).await;
    assert_eq!((&again["state"], counts(&again)), (&json!("done"), [0, 0, 450, 0, 0]));
    assert!(lines_of_run(&editor, &again, "").await.is_empty(), "nothing to tell");
    assert_eq!(record(&editor, "Table 7").await, one);
    let runs = |of: &'static str| editor.get(format!("/api/v1/import-runs?of={of}"));
    assert_eq!(runs("sit_source").await.expect(200).json()["total"], 2);
    assert_eq!(runs("import_source").await.expect(200).json()["total"], 0, "the log of routes is another one");
    assert_eq!(runs("poi").await.expect(400).problem().code, "request/bad-query");
}

#[app_test]
async fn a_killed_run_continues_without_a_gap_or_a_duplicate(app: TestApp) {
    let editor = app.editor_of("morvan");
    let objects = many(450);
    let stub = apidae(&objects);
    let made = apidae_source(&editor, &stub).await;
    let run = editor.post(format!("/api/v1/sit-sources/{}/runs", made["id"]), json!({})).await.expect(202).json();
    // Each server reads one page and is dropped with everything it held in memory.
    for _ in 0..2 {
        assert!(import_job::step(app.changed(|_| {}).app()).await.unwrap());
    }
    let half = editor.get(format!("/api/v1/import-runs/{}", run["id"])).await.expect(200).json();
    assert_eq!((&half["state"], &half["done"]), (&json!("running"), &json!(400)));
    let dying = app.changed(|_| {});
    let step = tokio::spawn(async move { import_job::step(dying.app()).await.is_ok() });
    step.abort();
    let _ = step.await;
    let next = app.changed(|_| {});
    next.clock().advance_s(61);
    let done = settled(&next, &editor, &run).await;
    assert_eq!((&done["state"], counts(&done)), (&json!("done"), [450, 0, 0, 0, 0]), "{done}");
    assert_eq!(editor.get("/api/v1/sit-records").await.expect(200).json()["total"], 450);
    assert_eq!(lines_of_run(&editor, &done, "created").await.len(), 200, "a page of them");
}

#[app_test]
async fn a_record_is_gone_after_two_runs_without_it_and_comes_back(app: TestApp) {
    let editor = app.editor_of("morvan");
    let objects = many(5);
    let stub = apidae(&objects);
    let made = apidae_source(&editor, &stub).await;
    run_source(&app, &editor, &made).await;
    let last = objects.lock().unwrap().pop().unwrap();
    let once = run_source(&app, &editor, &made).await;
    assert_eq!((counts(&once), record(&editor, "Table 5").await["status"].clone()), ([0, 0, 4, 0, 0], json!("active")));
    let twice = run_source(&app, &editor, &made).await;
    assert_eq!((counts(&twice), record(&editor, "Table 5").await["status"].clone()), ([0, 0, 4, 0, 1], json!("gone")));
    let line = &lines_of_run(&editor, &twice, "gone").await[0];
    assert_eq!((codes(line), &line["title"]), (vec!["sit/gone"], &json!("Table 5")));
    assert_eq!(records(&editor, "status=gone").await.len(), 1);
    objects.lock().unwrap().push(last);
    run_source(&app, &editor, &made).await;
    assert_eq!(record(&editor, "Table 5").await["status"], "active");
    // A source that lost nearly everything is rather broken than empty.
    *objects.lock().unwrap() = (1..=40).map(|id| object(id, &format!("Table {id}"))).collect();
    run_source(&app, &editor, &made).await;
    objects.lock().unwrap().truncate(3);
    let broken = run_source(&app, &editor, &made).await;
    assert_eq!((&broken["state"], &broken["failure"]["code"]), (&json!("failed"), &json!("sit/too-many-gone")));
    // One that gives nothing at all is said to be empty.
    objects.lock().unwrap().clear();
    let empty = run_source(&app, &editor, &made).await;
    assert_eq!(&empty["state"], "done", "{empty}");
    assert_eq!(codes(&lines_of_run(&editor, &empty, "kept").await[0]), ["import/source-empty"]);
    assert_eq!(record(&editor, "Table 40").await["status"], "active");
}

#[app_test]
async fn a_source_that_says_it_gave_a_part_is_not_taken_for_a_broken_one(app: TestApp) {
    let editor = app.editor_of("morvan");
    let all: Vec<Value> = (1..=40).map(|id| object(id, &format!("Table {id}"))).collect();
    let given = Arc::new(Mutex::new(40_usize));
    let held = Arc::clone(&given);
    let stub =
        Stub::start(move |_, _| json!({"numFound": 40, "objetsTouristiques": all[..*held.lock().unwrap()]}).into());
    let made = source(&editor, json!({"url": format!("{}/tout", stub.url)})).await;
    assert_eq!(counts(&run_source(&app, &editor, &made).await), [40, 0, 0, 0, 0]);
    for part in [3, 3, 0, 0] {
        *given.lock().unwrap() = part;
        let run = run_source(&app, &editor, &made).await;
        assert_eq!((&run["state"], counts(&run)), (&json!("done"), [0, 0, part as i64, 0, 0]), "{run}");
        assert_eq!(partial(&editor, &run).await, [part.to_string(), "40".to_owned()]);
    }
    assert_eq!(record(&editor, "Table 40").await["status"], "active");
}

#[app_test]
async fn an_uploaded_file_that_says_it_is_a_part_makes_no_record_gone(app: TestApp) {
    let editor = app.editor_of("morvan");
    let all: Vec<Value> = (1..=30).map(|id| object(id, &format!("Table {id}"))).collect();
    let mut made = source(&editor, json!({})).await;
    for (given, expected) in [(30, [30, 0, 0, 0, 0]), (28, [0, 0, 28, 0, 0]), (28, [0, 0, 28, 0, 0])] {
        let page = json!({"numFound": 30, "objetsTouristiques": all[..given]}).to_string().into_bytes();
        let by = at_version_of(&editor, &made);
        let path = format!("/api/v1/sit-sources/{}/file?file_name=export.json", made["id"]);
        made = by.send(axum::http::Method::PUT, &path, None, page.into()).await.expect(200).json();
        let run = run_source(&app, &editor, &made).await;
        assert_eq!((&run["state"], counts(&run)), (&json!("done"), expected), "{run}");
        if given < 30 {
            assert_eq!(partial(&editor, &run).await, ["28", "30"]);
        }
    }
    assert_eq!(record(&editor, "Table 30").await["status"], "active");
}

#[app_test]
async fn a_run_of_which_a_server_died_three_times_at_one_place_fails_with_this_reason(app: TestApp) {
    let editor = app.editor_of("morvan");
    let stub = apidae(&many(3));
    let made = apidae_source(&editor, &stub).await;
    let run = editor.post(format!("/api/v1/sit-sources/{}/runs", made["id"]), json!({})).await.expect(202).json();
    let kind = RunnableKind { name: "import_run", version: 1, limit: 4, limit_per_server: 1 };
    for _ in 0..3 {
        // A server takes the job, and is never heard of again.
        let tx = app.store().begin().await.unwrap();
        let claimed = store::job::claim(&tx, &[kind], "dead", 60, None, app.clock().now()).await.unwrap();
        assert!(claimed.is_some());
        tx.commit().await.unwrap();
        app.clock().advance_s(61);
    }
    let failed = settled(&app, &editor, &run).await;
    let reason = (&failed["failure"]["code"], &failed["failure"]["params"]["attempts"]);
    assert_eq!((&failed["state"], reason), (&json!("failed"), (&json!("job/abandoned"), &json!("3"))), "{failed}");
    assert_eq!(stub.requests().len(), 0, "no fourth server asks the source");
    assert_eq!(counts(&run_source(&app, &editor, &made).await), [3, 0, 0, 0, 0]);
}

/// How many items a run says that its source gave, and how many it counts.
async fn partial(by: &Client, run: &Value) -> [String; 2] {
    let kept = lines_of_run(by, run, "kept").await;
    assert_eq!(kept.iter().map(codes).collect::<Vec<_>>(), [["import/source-partial"]], "{run}");
    ["given", "counted"].map(|name| kept[0]["notes"][0]["params"][name].as_str().unwrap().to_owned())
}

#[app_test]
async fn pages_that_overlap_make_no_record_gone(app: TestApp) {
    let editor = app.editor_of("morvan");
    let is_shifted = Arc::new(Mutex::new(false));
    let shifted = Arc::clone(&is_shifted);
    let stub = Stub::start(move |path, _| {
        let query: Value = serde_json::from_str(&decoded(path.split_once("?query=").unwrap().1)).unwrap();
        let first = query["first"].as_u64().unwrap() as u32;
        let mut numbers: Vec<u32> = (first + 1..=(first + 200).min(250)).collect();
        if *shifted.lock().unwrap() && first > 0 {
            // Without a stable order: the last one of the page before, in place of another.
            numbers[0] = first;
        }
        let part: Vec<Value> = numbers.into_iter().map(|id| object(id, &format!("Table {id}"))).collect();
        json!({"numFound": 250, "objetsTouristiques": part}).into()
    });
    let made = apidae_source(&editor, &stub).await;
    assert_eq!(counts(&run_source(&app, &editor, &made).await), [250, 0, 0, 0, 0]);
    *is_shifted.lock().unwrap() = true;
    for _ in 0..2 {
        let run = run_source(&app, &editor, &made).await;
        assert_eq!((&run["state"], counts(&run)), (&json!("done"), [0, 0, 249, 1, 0]), "{run}");
        assert_eq!(partial(&editor, &run).await, ["249", "250"]);
    }
    assert_eq!(record(&editor, "Table 201").await["status"], "active");
}

#[app_test]
async fn pages_that_overlap_make_no_record_gone_where_their_source_counts_nothing(app: TestApp) {
    let editor = app.editor_of("morvan");
    let is_shifted = Arc::new(Mutex::new(false));
    let shifted = Arc::clone(&is_shifted);
    let stub = Stub::start(move |path, headers| {
        let numbers: [u32; 2] = match (path, *shifted.lock().unwrap()) {
            ("/tout", _) => [1, 2],
            (_, false) => [3, 4],
            // Without a stable order: one of the first page again, and the last one on no page.
            (_, true) => [2, 3],
        };
        let part: Vec<Value> = numbers.into_iter().map(|id| object(id, &format!("Table {id}"))).collect();
        let next = (path == "/tout").then(|| format!("http://{}/tout?page=2", headers["host"]));
        json!({"objetsTouristiques": part, "next": next}).into()
    });
    let made = source(&editor, json!({"url": format!("{}/tout", stub.url)})).await;
    assert_eq!(counts(&run_source(&app, &editor, &made).await), [4, 0, 0, 0, 0]);
    *is_shifted.lock().unwrap() = true;
    for _ in 0..2 {
        let run = run_source(&app, &editor, &made).await;
        assert_eq!((&run["state"], counts(&run)), (&json!("done"), [0, 0, 3, 1, 0]), "{run}");
        let kept = lines_of_run(&editor, &run, "kept").await;
        assert_eq!(kept.iter().map(codes).collect::<Vec<_>>(), [["import/pages-overlap"]], "{run}");
    }
    assert_eq!(record(&editor, "Table 4").await["status"], "active");
}

#[app_test]
async fn a_page_with_a_deleted_object_that_comes_again_is_the_last(app: TestApp) {
    let editor = app.editor_of("morvan");
    let mut all = [object(1, "Table 1"), object(2, "Table 2")];
    all[1]["state"] = json!("DELETED");
    let stub = Stub::start(move |path, headers| {
        let page: usize = path.split_once('=').map_or(1, |(_, page)| page.parse().unwrap());
        let next = (page < 5).then(|| format!("http://{}/tout?page={}", headers["host"], page + 1));
        json!({"objetsTouristiques": all, "next": next}).into()
    });
    let made = source(&editor, json!({"url": format!("{}/tout", stub.url)})).await;
    let run = run_source(&app, &editor, &made).await;
    assert_eq!((&run["state"], counts(&run)), (&json!("done"), [1, 0, 0, 1, 0]), "{run}");
    assert_eq!(stub.requests().len(), 2);
}

#[app_test]
async fn items_that_a_page_has_twice_or_that_have_no_identifier_are_counted(app: TestApp) {
    let editor = app.editor_of("morvan");
    let mut nameless = object(9, "Table 9");
    nameless.as_object_mut().unwrap().remove("id");
    let all = [object(1, "Table 1"), object(2, "Table 2"), object(2, "Table 2"), nameless, object(3, "Table 3")];
    let count = Arc::new(Mutex::new(5_usize));
    let held = Arc::clone(&count);
    let stub = Stub::start(move |_, _| {
        let count = *held.lock().unwrap();
        json!({"numFound": count, "objetsTouristiques": all[..count]}).into()
    });
    let made = source(&editor, json!({"url": format!("{}/tout", stub.url)})).await;
    let cases = [(5, [3, 0, 0, 2, 0]), (5, [0, 0, 3, 2, 0]), (4, [0, 0, 2, 2, 0]), (4, [0, 0, 2, 2, 1])];
    for (given, expected) in cases {
        *count.lock().unwrap() = given;
        let run = run_source(&app, &editor, &made).await;
        assert_eq!((&run["state"], counts(&run)), (&json!("done"), expected), "{run}");
        assert!(lines_of_run(&editor, &run, "kept").await.is_empty(), "all came that it counts");
    }
}

#[app_test]
async fn an_object_that_its_source_shows_as_deleted_is_gone(app: TestApp) {
    let editor = app.editor_of("morvan");
    let objects = many(3);
    let stub = apidae(&objects);
    let made = apidae_source(&editor, &stub).await;
    run_source(&app, &editor, &made).await;
    objects.lock().unwrap()[2]["state"] = json!("DELETED");
    for (gone, status) in [(0, "active"), (1, "gone"), (0, "gone")] {
        let run = run_source(&app, &editor, &made).await;
        assert_eq!((&run["state"], counts(&run)), (&json!("done"), [0, 0, 2, 1, gone]), "{run}");
        assert_eq!(record(&editor, "Table 3").await["status"], status, "{run}");
        assert!(lines_of_run(&editor, &run, "kept").await.is_empty(), "all came that it counts");
    }
    objects.lock().unwrap()[2]["state"] = json!("PUBLISHED");
    run_source(&app, &editor, &made).await;
    assert_eq!(record(&editor, "Table 3").await["status"], "active");
}

#[app_test]
async fn pictures_that_did_not_come_are_asked_for_again(app: TestApp) {
    let editor = app.editor_of("morvan");
    let picture = samples::jpeg(1_400, 900);
    let is_up = Arc::new(Mutex::new(false));
    let up = Arc::clone(&is_up);
    let pictures = Stub::start(move |path, _| match (path, *up.lock().unwrap()) {
        ("/gone.jpg", _) => Answer(404, Vec::new(), Vec::new()),
        ("/lac.jpg", _) | (_, true) => picture.clone().into(),
        (_, false) => Answer(503, Vec::new(), Vec::new()),
    });
    let objects = many(2);
    for (object, names) in objects.lock().unwrap().iter_mut().zip([&["lac", "bois", "gone"][..], &["pont"]]) {
        let file = |name: &&str| json!({"locale": "fr", "url": format!("{}/{name}.jpg", pictures.url)});
        let shown = |name: &&str| json!({"type": "IMAGE", "traductionFichiers": [file(name)]});
        object["illustrations"] = names.iter().map(shown).collect();
    }
    let stub = apidae(&objects);
    let made = apidae_source(&editor, &stub).await;
    run_source(&app, &editor, &made).await;
    let poi_of = async |title: &str| {
        let one = record(&editor, title).await;
        let path = format!("/api/v1/sit-records/{}/poi", one["id"]);
        let linked = at_version_of(&editor, &one).post(path, json!({})).await.expect(200).json();
        import_job::settle(app.app()).await.unwrap();
        linked["poi"]["id"].clone()
    };
    let shown = async |poi: &Value| {
        let poi = editor.get(format!("/api/v1/pois/{poi}")).await.expect(200).json();
        poi["media_ids"].as_array().unwrap().len()
    };
    let first = poi_of("Table 1").await;
    assert_eq!(shown(&first).await, 1, "those that came are there");
    *is_up.lock().unwrap() = true;
    assert_eq!(counts(&run_source(&app, &editor, &made).await), [0, 0, 2, 0, 0]);
    assert_eq!(shown(&first).await, 2, "the next run asks again, though the record is the same");
    let asked = pictures.requests().len();
    run_source(&app, &editor, &made).await;
    assert_eq!(pictures.requests().len(), asked, "the others came, or are no more");

    *is_up.lock().unwrap() = false;
    let second = poi_of("Table 2").await;
    assert_eq!(shown(&second).await, 0);
    *is_up.lock().unwrap() = true;
    app.clock().advance_s(15);
    import_job::settle(app.app()).await.unwrap();
    assert_eq!(shown(&second).await, 1, "the job itself tries again");
}

#[app_test]
async fn a_picture_that_never_comes_makes_no_dead_job_and_those_taken_away_stay_away(app: TestApp) {
    let editor = app.editor_of("morvan");
    let picture = samples::jpeg(1_400, 900);
    let pictures = Stub::start(move |path, _| match path {
        "/lac.jpg" => picture.clone().into(),
        _ => Answer(503, Vec::new(), Vec::new()),
    });
    let objects = many(1);
    let shown = |name: &str| {
        let file = json!({"locale": "fr", "url": format!("{}/{name}.jpg", pictures.url)});
        json!({"type": "IMAGE", "traductionFichiers": [file]})
    };
    let illustrations = json!([shown("lac"), shown("bois")]);
    objects.lock().unwrap()[0]["illustrations"] = illustrations.clone();
    let stub = apidae(&objects);
    let made = apidae_source(&editor, &stub).await;
    run_source(&app, &editor, &made).await;
    let one = record(&editor, "Table 1").await;
    let path = format!("/api/v1/sit-records/{}/poi", one["id"]);
    let one = at_version_of(&editor, &one).post(path, json!({})).await.expect(200).json();
    for _ in 0..8 {
        import_job::settle(app.app()).await.unwrap();
        app.clock().advance_s(200);
    }
    let jobs = async |state: &str| {
        let path = format!("/api/v1/jobs?kind=sit_pictures&state={state}");
        let page = app.admin_of("morvan").get(path).await.expect(200).json();
        page["items"].as_array().unwrap().len()
    };
    assert_eq!([jobs("dead").await, jobs("waiting").await, jobs("done").await], [0, 0, 1]);
    let asked = pictures.request_count("/bois.jpg");
    run_source(&app, &editor, &made).await;
    assert!(pictures.request_count("/bois.jpg") > asked, "the next run asks again");

    let path = format!("/api/v1/pois/{}", one["poi"]["id"]);
    let poi = editor.get(&path).await.expect(200).json();
    assert_eq!(poi["media_ids"].as_array().unwrap().len(), 1, "{poi}");
    at_version_of(&editor, &poi).patch(&path, json!({"media_ids": []})).await.expect(200);
    let without = async || {
        run_source(&app, &editor, &made).await;
        assert_eq!(editor.get(&path).await.expect(200).json()["media_ids"], json!([]));
    };
    without().await;
    let asked = pictures.requests().len();
    objects.lock().unwrap()[0] = object(1, "Table 1 bis");
    objects.lock().unwrap()[0]["illustrations"] = illustrations;
    without().await;
    assert_eq!(pictures.requests().len(), asked, "nobody wants them");
}

#[app_test]
async fn a_source_that_sends_fewer_items_than_it_counts_loses_no_record(app: TestApp) {
    let editor = app.editor_of("morvan");
    let all: Vec<Value> = (1..=7).map(|id| object(id, &format!("Table {id}"))).collect();
    let page = |count: usize, total: usize| json!({"numFound": total, "objetsTouristiques": all[..count]});
    let answer = Arc::new(Mutex::new(page(7, 7)));
    let held = Arc::clone(&answer);
    let stub = Stub::start(move |_, _| held.lock().unwrap().clone().into());
    let made = source(&editor, json!({"url": format!("{}/tout", stub.url)})).await;
    run_source(&app, &editor, &made).await;
    for _ in 0..3 {
        *answer.lock().unwrap() = page(3, 7);
        let run = run_source(&app, &editor, &made).await;
        assert_eq!((&run["state"], counts(&run)[4]), (&json!("done"), 0), "{run}");
        assert_eq!(partial(&editor, &run).await, ["3", "7"]);
    }
    for _ in 0..3 {
        *answer.lock().unwrap() = page(0, 0);
        let run = run_source(&app, &editor, &made).await;
        assert_eq!((&run["state"], counts(&run)[4]), (&json!("done"), 0), "{run}");
        assert_eq!(codes(&lines_of_run(&editor, &run, "kept").await[0]), ["import/source-empty"]);
    }
    *answer.lock().unwrap() = page(6, 6);
    run_source(&app, &editor, &made).await;
    let run = run_source(&app, &editor, &made).await;
    assert_eq!((counts(&run)[4], record(&editor, "Table 7").await["status"].clone()), (1, json!("gone")), "{run}");
}

#[app_test]
async fn a_record_is_gone_at_a_source_that_does_not_send_again_what_it_sent(app: TestApp) {
    let editor = app.editor_of("morvan");
    let objects = many(3);
    let all = Arc::clone(&objects);
    let stub = Stub::start(move |_, headers| {
        let objects = all.lock().unwrap();
        let tag = format!("\"{}\"", objects.len());
        if headers.get("if-none-match") == Some(&tag) {
            return Answer(304, Vec::new(), Vec::new());
        }
        Answer(200, vec![format!("ETag: {tag}")], json!(*objects).to_string().into_bytes())
    });
    let made = source(&editor, json!({"url": format!("{}/tout", stub.url)})).await;
    run_source(&app, &editor, &made).await;
    objects.lock().unwrap().pop();
    assert_eq!(counts(&run_source(&app, &editor, &made).await), [0, 0, 2, 0, 0]);
    assert_eq!(counts(&run_source(&app, &editor, &made).await), [0, 0, 2, 0, 1], "asked for as if it were new");
    assert_eq!(record(&editor, "Table 3").await["status"], "gone");
    assert_eq!(counts(&run_source(&app, &editor, &made).await), [0, 0, 0, 0, 0], "then only for what changes");

    // A hidden record stays hidden: its absence is no reason to ask for all again.
    let hidden = record(&editor, "Table 2").await;
    let path = format!("/api/v1/sit-records/{}", hidden["id"]);
    at_version_of(&editor, &hidden).patch(path, json!({"hidden": true})).await.expect(200);
    objects.lock().unwrap().pop();
    assert_eq!(counts(&run_source(&app, &editor, &made).await), [0, 0, 1, 0, 0]);
    assert_eq!(counts(&run_source(&app, &editor, &made).await), [0, 0, 0, 0, 0]);
}

#[app_test]
async fn a_record_is_made_a_poi_which_follows_it_but_for_what_is_edited_there(app: TestApp) {
    let editor = app.editor_of("morvan");
    let objects = many(2);
    let stub = apidae(&objects);
    let made = apidae_source(&editor, &stub).await;
    run_source(&app, &editor, &made).await;
    let one = record(&editor, "Table 1").await;
    let path = format!("/api/v1/sit-records/{}/poi", one["id"]);
    let one = at_version_of(&editor, &one).post(&path, json!({})).await.expect(200).json();
    let poi_path = format!("/api/v1/pois/{}", one["poi"]["id"]);
    let poi = editor.get(&poi_path).await.expect(200).json();
    assert_eq!((&poi["title"]["fr"], &poi["published"]), (&json!("Table 1"), &json!(false)));
    assert_eq!((&poi["address"]["city"], &poi["phone"]), (&json!("Lormes"), &json!("03 86 00 00 00")));
    assert_eq!((&poi["category_ids"], &poi["location"]), (&one["category_ids"], &one["record"]["position"]));
    assert_eq!(at_version_of(&editor, &one).post(&path, json!({})).await.expect(409).problem().code, "sit/linked");
    assert_eq!(records(&editor, "linked=true").await.len(), 1);
    assert_eq!(records(&editor, &format!("poi={}", poi["id"])).await[0]["id"], one["id"]);

    // A field edited on the POI is kept; the others follow the record.
    at_version_of(&editor, &poi).patch(&poi_path, json!({"title": {"fr": "Chez Marie"}})).await.expect(200);
    objects.lock().unwrap()[0] = {
        let mut changed = object(1, "Table rénovée");
        changed["informations"]["moyensCommunication"][0]["coordonnees"]["fr"] = json!("03 86 11 11 11");
        changed
    };
    let run = run_source(&app, &editor, &made).await;
    assert_eq!(counts(&run), [0, 1, 1, 0, 0]);
    let poi = editor.get(&poi_path).await.expect(200).json();
    assert_eq!((&poi["title"]["fr"], &poi["title"]["en"]), (&json!("Chez Marie"), &json!("Table rénovée (en)")));
    assert_eq!(poi["phone"], "03 86 11 11 11");
    let one = record(&editor, "Table rénovée").await;
    assert_eq!(one["poi"]["edited"], json!(["title/fr"]));

    // The POI follows an override of the record too; and the field that was edited on the POI is restored by name.
    let one = override_fields(
        &editor,
        &one,
        json!({"phone": "03 86 22 22 22", "description/fr": "Cuisine <b>de saison</b>"}),
    )
    .await;
    let take = json!({"poi_id": poi["id"], "take": ["title/fr"]});
    let one = at_version_of(&editor, &one).put(&path, take).await.expect(200).json();
    let poi = editor.get(&poi_path).await.expect(200).json();
    assert_eq!((&poi["title"]["fr"], &poi["phone"]), (&json!("Table rénovée"), &json!("03 86 22 22 22")));
    assert!(poi["description"]["fr"].as_str().unwrap().contains("<b>de saison</b>"), "{poi}");
    assert_eq!(one["poi"]["edited"], json!([]));

    let one = at_version_of(&editor, &one).delete(&path).await.expect(200).json();
    assert_eq!(
        (&one["poi"], editor.get(&poi_path).await.expect(200).json()["phone"].clone()),
        (&Value::Null, json!("03 86 22 22 22"))
    );
    assert_eq!(at_version_of(&editor, &one).delete(&path).await.expect(409).problem().code, "sit/not-linked");
}

#[app_test]
async fn a_record_is_linked_to_a_poi_that_is_here_and_fills_what_is_empty(app: TestApp) {
    let editor = app.editor_of("morvan");
    let stub = apidae(&many(2));
    let made = apidae_source(&editor, &stub).await;
    run_source(&app, &editor, &made).await;
    let body = json!({"title": {"fr": "L’auberge"}, "location": [3.9, 47.3], "phone": "06 00 00 00 00"});
    let poi = editor.post("/api/v1/pois", body).await.expect(201).json();
    let (one, two) = (record(&editor, "Table 1").await, record(&editor, "Table 2").await);
    let path = |record: &Value| format!("/api/v1/sit-records/{}/poi", record["id"]);
    let link = json!({"poi_id": poi["id"]});
    let linked = at_version_of(&editor, &one).put(path(&one), link.clone()).await.expect(200).json();
    let after = editor.get(format!("/api/v1/pois/{}", poi["id"])).await.expect(200).json();
    assert_eq!(
        (&after["title"]["fr"], &after["phone"], &after["location"]),
        (&json!("L’auberge"), &json!("06 00 00 00 00"), &json!([3.9, 47.3]))
    );
    assert_eq!(
        (&after["address"]["city"], &after["title"]["en"]),
        (&json!("Lormes"), &json!("Table 1 (en)")),
        "what was empty came in"
    );
    assert_eq!(linked["poi"]["edited"], json!(["location", "phone", "title/fr"]));
    let taken = at_version_of(&editor, &two).put(path(&two), link).await.expect(409);
    assert_eq!(taken.problem().code, "sit/poi-taken");
    let theirs = app.poi().owned_by("vercors").insert().await;
    let refused = at_version_of(&editor, &two).put(path(&two), json!({"poi_id": theirs.id})).await;
    assert_eq!(
        crate::catalogue_kit::faults(refused),
        ["validation/unknown-reference /poi_id"],
        "another white-label's"
    );
}

#[app_test]
async fn a_poi_that_a_person_does_not_see_has_no_name_on_its_record(app: TestApp) {
    let editor = app.editor_of("morvan");
    let stub = apidae(&many(1));
    let made = apidae_source(&editor, &stub).await;
    run_source(&app, &editor, &made).await;
    let one = record(&editor, "Table 1").await;
    // A person of both white-labels links a draft of the other one.
    let theirs = app.poi().owned_by("vercors").titled("Le refuge secret").insert().await;
    let path = format!("/api/v1/sit-records/{}", one["id"]);
    let link = json!({"poi_id": theirs.id});
    let by_both = at_version_of(&app.superadmin(), &one).put(format!("{path}/poi"), link).await.expect(200).json();
    assert_eq!(by_both["poi"]["title"]["fr"], "Le refuge secret");
    let shown = editor.get(&path).await.expect(200).json();
    let unnamed = json!({"id": theirs.id, "title": null, "published": false, "edited": []});
    assert_eq!((&shown["poi"], &shown["poi_id"]), (&unnamed, &json!(theirs.id)));
    let refused = at_version_of(&editor, &one).patch(&path, json!({"hidden": true})).await.expect(412);
    assert!(!refused.text().contains("Le refuge secret"), "{}", refused.text());
    at_version_of(&editor, &shown).delete(format!("{path}/poi")).await.expect(200);
}

#[app_test]
async fn an_override_of_a_record_holds_until_it_is_removed(app: TestApp) {
    let editor = app.editor_of("morvan");
    let objects = many(1);
    let stub = apidae(&objects);
    let made = apidae_source(&editor, &stub).await;
    run_source(&app, &editor, &made).await;
    let one = record(&editor, "Table 1").await;
    let said = override_fields(&editor, &one, json!({"title/fr": "Le Comptoir", "location": [3.5, 47.5]})).await;
    assert_eq!(
        (&said["title"]["fr"], &said["position"], &said["record"]["name"]["fr"]),
        (&json!("Le Comptoir"), &json!([3.5, 47.5]), &json!("Table 1"))
    );
    assert_eq!(records(&editor, "search=comptoir").await.len(), 1);
    assert_eq!(records(&editor, "overridden=true&bbox=3.4,47.4,3.6,47.6").await.len(), 1);
    assert_eq!(
        editor.get("/api/v1/sit-records/map?bbox=3.4,47.4,3.6,47.6&zoom=9").await.expect(200).json()["total"],
        1
    );
    // The source changes: the overrides stay, and its new value is shown beside them.
    objects.lock().unwrap()[0] = object(1, "Table du lac");
    run_source(&app, &editor, &made).await;
    let one = record(&editor, "Le Comptoir").await;
    assert_eq!(
        (&one["record"]["name"]["fr"], &one["said"]["title"]["fr"]),
        (&json!("Table du lac"), &json!("Table du lac"))
    );
    let stale = at_version_of(&editor, &said)
        .patch(format!("/api/v1/sit-records/{}", one["id"]), json!({"hidden": true}))
        .await;
    assert_eq!(stale.expect(412).problem().code, "version/stale");
    let one = override_fields(&editor, &one, json!({"title/fr": null})).await;
    assert_eq!((&one["title"]["fr"], &one["overrides"]), (&json!("Table du lac"), &json!({"location": [3.5, 47.5]})));

    let wrong = [
        (json!({"titre": "x"}), "validation/unknown-field"),
        (json!({"title/xx": "x"}), "validation/unknown-language"),
        (json!({"location": [400, 2]}), "validation/position-outside-world"),
        (json!({"website": "javascript:alert(1)"}), "validation/url-scheme"),
        (json!({"phone": {"a": 1}}), "validation/wrong-type"),
    ];
    for (overrides, code) in wrong {
        let path = format!("/api/v1/sit-records/{}", one["id"]);
        let refused =
            at_version_of(&editor, &one).patch(path, json!({"overrides": overrides})).await.expect(422).json();
        assert_eq!(refused["errors"][0]["code"], code, "{refused}");
    }
    let hidden = at_version_of(&editor, &one)
        .patch(format!("/api/v1/sit-records/{}", one["id"]), json!({"hidden": true}))
        .await
        .expect(200)
        .json();
    assert_eq!(hidden["status"], "hidden");
    run_source(&app, &editor, &made).await;
    assert_eq!(record(&editor, "Table du lac").await["status"], "hidden", "also after a run");
}

#[app_test]
async fn a_record_has_its_page_where_its_white_label_shows_it(app: TestApp) {
    let Some(flux) = sample("datatourisme/flux-2020-a.zip") else {
        return skipped("a_record_has_its_page_where_its_white_label_shows_it", "../shared/data is missing");
    };
    let admin = app.admin_of("morvan");
    let owner = app.white_label("morvan").await;
    let path = format!("/api/v1/white-labels/{}", owner.0);
    let label = admin.get(&path).await.expect(200).json();
    let address = json!({"sit_record_url": "https://tourisme.example/fiche/[ID_OBJET]?lang=fr"});
    at_version_of(&admin, &label).patch(&path, address).await.expect(200);
    let stub =
        Stub::start(
            move |path, _| {
                if path == "/webservice/f/k1" { flux.clone().into() } else { Answer(404, Vec::new(), Vec::new()) }
            },
        );
    let made = source(&admin, json!({"kind": "datatourisme", "url": format!("{}/webservice/f/[CLE]", stub.url)})).await;
    assert_eq!(run_source(&app, &admin, &made).await["failure"]["code"], "sit/key-missing");
    put_key(&admin, &made, "k1").await;
    let run = run_source(&app, &admin, &made).await;
    assert_eq!((&run["state"], counts(&run)), (&json!("done"), [10, 0, 0, 0, 0]), "{run}");
    let cellar = record(&admin, "la Gourmandière").await;
    assert_eq!(cellar["record_url"], "https://tourisme.example/fiche/15/45dfbace-37af-3581-a132-70f5412d41d0?lang=fr");
    assert_eq!(cellar["source"]["licence"], "Licence Ouverte 2.0 (Etalab)");
    assert!(cellar["category_ids"].as_array().is_some_and(|ids| !ids.is_empty()), "WineCellar is known to our list");
    assert!(
        admin.get(format!("/api/v1/sit-sources/{}", made["id"])).await.expect(200).json()["credential_set"] == true
    );
}

#[app_test]
async fn visitors_read_the_source_of_a_record_where_its_licence_is_known(app: TestApp) {
    let editor = app.editor_of("morvan");
    let stub = apidae(&many(1));
    let made = apidae_source(&editor, &stub).await;
    run_source(&app, &editor, &made).await;
    let one = record(&editor, "Table 1").await;
    let linked = at_version_of(&editor, &one)
        .post(format!("/api/v1/sit-records/{}/poi", one["id"]), json!({}))
        .await
        .expect(200);
    let poi = linked.json()["poi"]["id"].clone();
    let path = format!("/api/v1/pois/{poi}");
    let any_version = editor.clone().with("if-match", "*");
    let fields = json!({"distribute": true, "description": {"fr": "<p>Bonne table.</p>"}});
    any_version.patch(&path, fields).await.expect(200);
    any_version.post(format!("{path}/publication"), json!({})).await.expect(200);
    let parcours = distributed_parcours(&app, "Table").await;
    parcours_kit::patch(&editor, &parcours, json!({"poi_ids": [poi]})).await;
    let client = api_client(&app, "morvan").await;
    let shown = async || {
        let page = app.anonymous().get(format!("/p/table-{}", parcours["id"])).await.expect(200).text();
        let found = client.get(format!("/api/public/v1/pois/{poi}")).await.expect(200).json();
        (page, found["record_source"].clone())
    };
    let (page, source) = shown().await;
    assert!(page.contains("Table 1") && !page.contains("Source\u{202f}"), "{page}");
    assert_eq!(source, Value::Null);
    let path = format!("/api/v1/sit-sources/{}", made["id"]);
    let licence = json!({"licence": "Licence Ouverte 2.0"});
    any_version.patch(&path, licence).await.expect(200);
    let (page, source) = shown().await;
    assert!(page.contains("Source\u{202f}: Le SIT, Licence Ouverte 2.0"), "{page}");
    assert_eq!(source, json!({"name": "Le SIT", "licence": "Licence Ouverte 2.0"}));
}

#[app_test]
async fn every_real_sample_is_imported_or_refused_by_name(app: TestApp) {
    if sample("lei/contenus.xml").is_none() {
        return skipped("every_real_sample_is_imported_or_refused_by_name", "../shared/data is missing");
    }
    let editor = app.editor_of("morvan");
    for (kind, file, wanted) in [
        ("apidae", "apidae/recherche-commerce-et-service.json", [1, 0]),
        ("apidae", "apidae/information-desk.json", [2, 0]),
        ("apidae", "apidae/equipement-geometries-fausses.json", [0, 9]),
        ("tourinsoft", "tourinsoft/v2-odata-hebergement.json", [1, 0]),
        ("cirkwi", "cirkwi/pois.xml", [2, 0]),
        ("lei", "lei/contenus.xml", [2, 3]),
    ] {
        let made = source(&editor, json!({"name": file, "kind": kind})).await;
        let put = at_version_of(&editor, &made);
        let path = format!("/api/v1/sit-sources/{}/file?file_name=a", made["id"]);
        put.send(axum::http::Method::PUT, &path, None, sample(file).unwrap().into()).await.expect(200);
        let run = run_source(&app, &editor, &made).await;
        let [created, _, _, refused, _] = counts(&run);
        assert_eq!((&run["state"], [created, refused]), (&json!("done"), wanted), "{file}: {run}");
        for line in lines_of_run(&editor, &run, "refused").await {
            assert!(codes(&line)[0].contains('/'), "{line}");
        }
    }
    let hotel = record(&editor, "Hôtel du Perche").await;
    let mapping = editor.get(format!("/api/v1/sit-sources/{}/mapping", hotel["source"]["id"])).await.expect(200).json();
    let field = |to: &str| {
        mapping["fields"].as_array().unwrap().iter().find(|field| field["to"] == to).unwrap()["from"].clone()
    };
    assert_eq!((field("contacts"), field("pictures")), (json!(["MoyenDeCom"]), json!(["Photos"])));
}

#[app_test]
async fn products_of_lei_are_found_again_however_their_identifier_is_written(app: TestApp) {
    let editor = app.editor_of("morvan");
    let made = source(&editor, json!({"name": "Le LEI", "kind": "lei"})).await;
    let product = |id: u32| {
        format!(
            "<sit_liste><TYPE_DE_PRODUIT>1900014</TYPE_DE_PRODUIT><PRODUIT><![CDATA[{id}]]></PRODUIT><NOM>Table {id}</NOM>\
            <LATITUDE>47,2</LATITUDE><LONGITUDE>3,{id}</LONGITUDE></sit_liste>"
        )
    };
    let products: String = (101..116).map(product).collect();
    let file = format!(r#"<LEI><Resultat TOTAL_FENETRE="15">{products}</Resultat></LEI>"#);
    let path = format!("/api/v1/sit-sources/{}/file?file_name=lei.xml", made["id"]);
    let by = at_version_of(&editor, &made);
    by.send(axum::http::Method::PUT, &path, None, file.into_bytes().into()).await.expect(200);
    for expected in [[15, 0, 0, 0, 0], [0, 0, 15, 0, 0], [0, 0, 15, 0, 0]] {
        let run = run_source(&app, &editor, &made).await;
        assert_eq!((&run["state"], counts(&run)), (&json!("done"), expected), "{run}");
    }
}

#[app_test]
async fn unknown_words_of_a_source_wait_until_they_are_mapped(app: TestApp) {
    let editor = app.editor_of("morvan");
    let objects = many(1);
    objects.lock().unwrap()[0]["type"] = json!("DEGUSTATION");
    let stub = apidae(&objects);
    let made = apidae_source(&editor, &stub).await;
    let run = run_source(&app, &editor, &made).await;
    assert_eq!(codes(&lines_of_run(&editor, &run, "created").await[0]), ["import/word-waits"]);
    let path = format!("/api/v1/sit-sources/{}", made["id"]);
    let mapping = editor.get(format!("{path}/mapping")).await.expect(200).json();
    assert_eq!(
        (&mapping["waiting"], &mapping["words"][0]["key"], &mapping["words"][0]["state"]),
        (&json!(1), &json!("degustation"), &json!("waiting"))
    );
    assert_eq!(records(&editor, "categorised=false").await.len(), 1);
    let categories = editor.get("/api/v1/vocabularies/poi_category?per_page=200").await.expect(200).json();
    let cellar =
        categories["items"].as_array().unwrap().iter().find(|item| item["code"] == "cave").unwrap()["id"].clone();
    let rule = json!({"values": [{"list": "poi_category", "key": "Dégustation", "term_id": cellar}]});
    let now = editor.get(&path).await.expect(200).json();
    at_version_of(&editor, &now).patch(&path, rule).await.expect(200);
    let run = run_source(&app, &editor, &made).await;
    assert_eq!(counts(&run), [0, 1, 0, 0, 0], "read again, by the new mapping");
    assert_eq!(records(&editor, &format!("category={cellar}")).await.len(), 1);
}

#[app_test]
async fn a_failing_source_is_reported_and_writes_nothing_partially(app: TestApp) {
    let editor = app.editor_of("morvan");
    let twice = json!([object(1, "Table 1"), object(1, "Table 1 bis")]);
    let stub = Stub::start(move |path, _| match path {
        "/html" => b"<!doctype html><title>503</title>".to_vec().into(),
        "/twice" => twice.clone().into(),
        "/away" => Answer(302, vec!["Location: http://127.0.0.1:1/".to_owned()], Vec::new()),
        "/deep" => format!("[{}{}]", "[".repeat(10_000), "]".repeat(10_000)).into_bytes().into(),
        _ => Answer(404, Vec::new(), Vec::new()),
    });
    let asked = async |path: &str| {
        let made = source(&editor, json!({"name": path, "url": format!("{}{path}", stub.url)})).await;
        run_source(&app, &editor, &made).await
    };
    assert_eq!(asked("/html").await["failure"]["code"], "import/web-page");
    assert_eq!(asked("/none").await["failure"]["code"], "fetch/not-found");
    assert_eq!(asked("/away").await["failure"]["code"], "fetch/unreachable");
    let deep = asked("/deep").await;
    assert_eq!((&deep["state"], counts(&deep)), (&json!("done"), [0, 0, 0, 1, 0]), "{deep}");
    let twice = asked("/twice").await;
    assert_eq!(counts(&twice), [1, 0, 0, 1, 0]);
    assert_eq!(codes(&lines_of_run(&editor, &twice, "refused").await[0]), ["import/repeated-id"]);
    assert_eq!(app.mail().len(), 3, "the person who started the runs gets a mail for each that failed");

    // On the public Internet alone, a redirect inside is not followed.
    let guarded = app.changed(|parts| {
        parts.fetcher = Arc::new(Fetcher::new(FetchSettings {
            addresses: Addresses::Public,
            timeout: Duration::from_secs(5),
            pause: Duration::ZERO,
            back_off: Duration::ZERO,
        }));
    });
    let made = source(&editor, json!({"name": "dedans", "url": format!("{}/twice", stub.url)})).await;
    assert_eq!(run_source(&guarded, &guarded.editor_of("morvan"), &made).await["failure"]["code"], "fetch/not-public");
}

#[app_test]
async fn records_listed_as_deleted_by_an_export_are_removed_at_once(app: TestApp) {
    let Some(export) = sample("apidae/export-projet.zip") else {
        return skipped("records_listed_as_deleted_by_an_export_are_removed_at_once", "../shared/data is missing");
    };
    let editor = app.editor_of("morvan");
    let objects: Objects = Arc::new(Mutex::new(vec![object(123, "Table 123"), object(9, "Table 9")]));
    let stub = Stub::start(move |path, _| match path {
        "/tout" => json!(*objects.lock().unwrap()).into(),
        _ => export.clone().into(),
    });
    let made = source(&editor, json!({"url": format!("{}/tout", stub.url)})).await;
    run_source(&app, &editor, &made).await;
    let path = format!("/api/v1/sit-sources/{}", made["id"]);
    at_version_of(&editor, &made).patch(&path, json!({"url": format!("{}/export.zip", stub.url)})).await.expect(200);
    let run = run_source(&app, &editor, &made).await;
    assert_eq!((&run["state"], counts(&run)[4]), (&json!("done"), 1), "{run}");
    assert_eq!(record(&editor, "Table 123").await["status"], "gone");
    assert_eq!(record(&editor, "Table 9").await["status"], "active");
}

#[app_test]
async fn a_source_runs_on_schedule_and_reports_what_it_lacks(app: TestApp) {
    let editor = app.editor_of("morvan");
    let faults = |reply: Value| reply["errors"][0]["code"].clone();
    let refused = editor
        .post("/api/v1/sit-sources", json!({"name": "A", "kind": "apidae", "project": "douze"}))
        .await
        .expect(422)
        .json();
    assert_eq!(faults(refused), "sit/not-numbers");
    let bare = source(&editor, json!({})).await;
    let path = format!("/api/v1/sit-sources/{}/runs", bare["id"]);
    assert_eq!(editor.post(&path, json!({})).await.expect(422).problem().code, "import/nothing-to-read");
    let objects = many(1);
    let stub = apidae(&objects);
    let made = source(&editor, json!({"url": stub.url, "project": "12", "schedule": "hourly"})).await;
    put_key(&editor, &made, "la-cle").await;
    run_source(&app, &editor, &made).await;
    import_job::settle(app.app()).await.unwrap();
    assert_eq!(stub.requests().len(), 1, "not due yet");
    app.clock().advance_s(3_600);
    import_job::settle(app.app()).await.unwrap();
    assert_eq!(stub.requests().len(), 2);
    // While one is at work another does not begin; it can be stopped.
    let path = format!("/api/v1/sit-sources/{}/runs", made["id"]);
    let run = editor.post(&path, json!({})).await.expect(202).json();
    assert_eq!(editor.post(&path, json!({})).await.expect(409).problem().code, "import/running");
    editor.post(format!("/api/v1/import-runs/{}/cancellation", run["id"]), json!({})).await.expect(204);
    assert_eq!(settled(&app, &editor, &run).await["state"], "cancelled");
    let retry = editor.post(format!("/api/v1/import-runs/{}/retry", run["id"]), json!({})).await.expect(409);
    assert_eq!(retry.problem().code, "import/not-retryable");
}

/// A Geotrek server with tourist contents, a service and events, which the test may change; it has no points of interest.
fn park(events: &Objects) -> Stub {
    let events = Arc::clone(events);
    Stub::start(move |asked, _| {
        let at = |lat: f64| json!({"type": "Point", "coordinates": [4.0, lat]});
        let list = |items: &[Value]| json!({"count": items.len(), "next": null, "results": items}).into();
        match asked.split('?').next().unwrap_or_default() {
            "/api/v2/touristiccontent/" => list(&[json!({
                "id": 1, "uuid": "content-1", "name": {"fr": "Gîte du lac"}, "description_teaser": {"fr": ""}, "category": 1, "geometry": at(47.06),
            })]),
            "/api/v2/touristiccontent_category/" => list(&[json!({"id": 1, "label": {"fr": "Hébergement"}})]),
            "/api/v2/touristicevent/" => list(&events.lock().unwrap()),
            // Two pages of one item each, whatever size is asked for; the second one names itself as the next.
            "/api/v2/touristicevent_type/" => {
                let is_first = asked.contains("page=1&");
                let kind = if is_first {
                    json!({"id": 1, "type": {"fr": "Sport"}})
                } else {
                    json!({"id": 2, "type": {"fr": "Fête", "en": "Festival"}})
                };
                json!({"count": 2, "next": "http://ailleurs.example/?page=2", "results": [kind]}).into()
            }
            _ => Answer(404, Vec::new(), Vec::new()),
        }
    })
}

fn event(number: u32, name: &str, fields: Value) -> Value {
    let mut event = json!({
        "id": number, "uuid": format!("event-{number}"), "name": {"fr": name, "en": ""}, "description": {"fr": "<p>Au bord.</p>"},
        "begin_date": "2027-08-01", "end_date": "2027-08-01", "start_time": "14:00:00", "price": 5.0, "target_audience": "Familles", "type": 2,
        "contact": "<p>03 86</p>", "email": "fete@lac.example", "geometry": {"type": "Point", "coordinates": [4.0, 47.0]},
    });
    if let (Some(event), Value::Object(fields)) = (event.as_object_mut(), fields) {
        event.extend(fields);
    }
    event
}

#[app_test]
async fn the_events_of_a_geotrek_are_records_and_a_bad_one_is_refused_alone(app: TestApp) {
    let editor = app.editor_of("morvan");
    let events: Objects = Arc::new(Mutex::new(vec![
        event(1, "Fête du lac", json!({})),
        event(2, "Sans date", json!({"begin_date": null, "end_date": null})),
        event(3, "Nulle part", json!({"geometry": null})),
        event(4, "Veillée", json!({"type": 99})),
    ]));
    let stub = park(&events);
    let fields = json!({"kind": "geotrek", "url": stub.url, "selections": "touristiccontent, touristicevent, treks"});
    let refused = editor.post("/api/v1/sit-sources", with_name(&fields)).await.expect(422).json();
    assert_eq!(
        (&refused["errors"][0]["code"], &refused["errors"][0]["field"]),
        (&json!("sit/not-lists"), &json!("/selections"))
    );
    let made =
        source(&editor, json!({"kind": "geotrek", "url": stub.url, "selections": "service,touristicevent"})).await;
    let run = run_source(&app, &editor, &made).await;
    assert_eq!((&run["state"], counts(&run)), (&json!("done"), [2, 0, 0, 2, 0]), "{run}");
    assert_eq!(
        stub.request_count("/api/v2/poi/") + stub.request_count("/api/v2/touristiccontent/"),
        0,
        "only what was chosen is read"
    );
    let refused = lines_of_run(&editor, &run, "refused").await;
    let named: Vec<(&Value, Vec<&str>)> = refused.iter().map(|line| (&line["item"], codes(line))).collect();
    assert_eq!(named, [(&json!("event-2"), vec!["sit/no-date"]), (&json!("event-3"), vec!["sit/no-position"])]);
    let created = lines_of_run(&editor, &run, "created").await;
    let vigil = created.iter().find(|line| line["item"] == "event-4").unwrap();
    let note = vigil["notes"].as_array().unwrap().iter().find(|note| note["code"] == "import/word-waits").unwrap();
    assert_eq!(note["params"]["word"], "Type 99");

    let festival = record(&editor, "Fête du lac").await;
    assert_eq!(festival["said"]["opening"], json!({"fr": "01/08/2027, 14:00"}));
    assert_eq!(festival["said"]["email"], "fete@lac.example");
    let said = festival["said"]["description"]["fr"].as_str().unwrap();
    for part in ["Au bord.", "<li>Public : Familles</li>", "03 86", "5 €"] {
        assert!(said.contains(part), "{part} in {said}");
    }
    assert_eq!(festival["record"]["words"][0]["label"], json!({"fr": "Fête", "en": "Festival"}));

    // All lists where none is chosen: without the first one it is no Geotrek.
    let all = source(&editor, json!({"kind": "geotrek", "url": stub.url})).await;
    assert_eq!(run_source(&app, &editor, &all).await["failure"]["code"], "fetch/not-found");
}

fn with_name(fields: &Value) -> Value {
    let mut body = json!({"name": "Le parc"});
    if let (Some(body), Value::Object(fields)) = (body.as_object_mut(), fields.clone()) {
        body.extend(fields);
    }
    body
}

/// The archive of a database with these contents.
fn archive(contents: &[testkit::geotrek::Content<'_>], address: Option<&str>) -> Vec<u8> {
    let dump = testkit::geotrek::dump_with_tourism(&[(1, "Le tour du lac", true)], contents);
    let database = GeotrekDatabase::read(dump.as_bytes()).unwrap();
    let mut archive = std::io::Cursor::new(Vec::new());
    database.write_archive(&mut archive, address, &GeotrekPart::default()).unwrap();
    archive.into_inner()
}

#[app_test]
async fn an_uploaded_archive_is_read_list_by_list_with_the_identifiers_of_its_server(app: TestApp) {
    let editor = app.editor_of("morvan");
    let events: Objects = Arc::new(Mutex::new(vec![event(11, "Fête du lac", json!({}))]));
    let stub = park(&events);
    let lists = "touristiccontent,service,touristicevent";
    let made = source(&editor, json!({"kind": "geotrek", "url": stub.url, "selections": lists})).await;
    assert_eq!(counts(&run_source(&app, &editor, &made).await), [2, 0, 0, 0, 0]);
    let kept = record(&editor, "Fête du lac").await;
    let path = format!("/api/v1/sit-sources/{}", made["id"]);
    let sent = async |version: &Value, bytes: Vec<u8>| {
        let by = editor.clone().at_version(version["version"].as_i64().unwrap());
        let path = format!("{path}/file?file_name=geotrek.zip");
        by.send(axum::http::Method::PUT, &path, None, bytes.into()).await.expect(200).json()
    };
    let made = sent(&made, archive(&[(1, "Gîte du lac", true), (2, "Musée", false)], None)).await;
    let run = run_source(&app, &editor, &made).await;
    assert_eq!(counts(&run), [2, 2, 0, 1, 0], "the museum and the tap are new, an event has no date: {run}");
    assert_eq!(record(&editor, "Fête du lac").await["id"], kept["id"], "by its UUID");
    let museum =
        lines_of_run(&editor, &run, "created").await.into_iter().find(|line| line["item"] == "content-2").unwrap();
    assert_eq!(codes(&museum), ["sit/draft"]);
    assert_eq!(record(&editor, "Gîte du lac").await["record"]["words"][0]["label"]["fr"], "Hébergement");

    // A newer archive: only what changed is read again.
    let made = sent(&made, archive(&[(1, "Gîte du grand lac", true), (2, "Musée", false)], None)).await;
    assert_eq!(counts(&run_source(&app, &editor, &made).await), [0, 1, 3, 1, 0]);
    // A page of JSON is read as before; a damaged archive ends in a sentence.
    let page = json!({"results": [event(11, "Fête du lac", json!({}))]}).to_string().into_bytes();
    let made = sent(&made, page).await;
    assert_eq!(counts(&run_source(&app, &editor, &made).await)[1], 1);
    let made = sent(&made, b"PK\x03\x04 photos".to_vec()).await;
    assert_eq!(run_source(&app, &editor, &made).await["failure"]["code"], "sit/archive-damaged");
}

/// The source of the treks of a move.
async fn moved_geotrek(app: &TestApp, by: &Client, stub: &Stub) -> Stored<ImportSourceSheet> {
    let made = by.post("/api/v1/import-sources", json!({"name": "Le parc", "kind": "geotrek", "url": stub.url}));
    let id = made.await.expect(201).json()["id"].as_i64().unwrap();
    store::record::load::<ImportSources>(app.app().store.read(), id).await.unwrap().unwrap()
}

#[app_test]
async fn a_move_finds_the_source_of_its_geotrek_whichever_way_it_is_read(app: TestApp) {
    let editor = app.editor_of("morvan");
    let stub = park(&Arc::new(Mutex::new(Vec::new())));
    let moved = moved_geotrek(&app, &editor, &stub).await;
    let white_label = moved.white_label_id.unwrap();
    let port = stub.url.rsplit(':').next().unwrap();
    let file = std::env::temp_dir().join(format!("jalon-tourism-{port}.zip"));
    let of = async |from: Origin<'_>| tourism::source(app.app(), white_label, from, &moved).await.unwrap();
    let on_server = of(Origin::Server(&stub.url)).await.unwrap();
    assert_eq!(on_server.sheet.selections.as_deref(), Some("touristiccontent,service,touristicevent"));
    let (run, continues) = tourism::ask(app.app(), &on_server).await.unwrap();
    assert!(!continues);
    assert_eq!(tourism::ask(app.app(), &on_server).await.unwrap(), (run, true));
    import_job::settle(app.app()).await.unwrap();
    std::fs::write(&file, archive(&[(1, "Gîte du lac", true)], Some(&stub.url))).unwrap();
    let address = format!("{}/", stub.url);
    let from_archive =
        of(Origin::Archive { file: &file, name: "geotrek.dump", address: Some(&address) }).await.unwrap();
    assert_eq!((from_archive.id, &from_archive.sheet.url), (on_server.id, &None));
    assert_eq!(from_archive.sheet.file.as_ref().map(|file| file.name.as_str()), Some("geotrek.dump"));
    let again = of(Origin::Archive { file: &file, name: "geotrek.dump", address: Some(&stub.url) }).await.unwrap();
    assert_eq!((again.id, again.version), (on_server.id, from_archive.version), "nothing changed");
    let back = of(Origin::Server(&stub.url)).await.unwrap();
    assert_eq!((back.id, back.sheet.url.as_deref(), &back.sheet.file), (on_server.id, Some(stub.url.as_str()), &None));
    // Another Geotrek is another source.
    let other = of(Origin::Archive { file: &file, name: "geotrek.dump", address: None }).await.unwrap();
    assert_ne!(other.id, on_server.id);
    std::fs::remove_file(&file).unwrap();
}

#[app_test]
async fn a_move_makes_no_second_source_while_the_file_of_one_cannot_be_read(app: TestApp) {
    let editor = app.editor_of("morvan");
    let stub = park(&Arc::new(Mutex::new(Vec::new())));
    let moved = moved_geotrek(&app, &editor, &stub).await;
    let white_label = moved.white_label_id.unwrap();
    let known = source(&editor, json!({"kind": "geotrek"})).await;
    let sent = async |bytes: Vec<u8>| {
        let by = editor.clone().with("if-match", "*");
        let path = format!("/api/v1/sit-sources/{}/file?file_name=geotrek.zip", known["id"]);
        by.send(axum::http::Method::PUT, &path, None, bytes.into()).await.expect(200).json()
    };
    let of = async || tourism::source(app.app(), white_label, Origin::Server(&stub.url), &moved).await;
    sent(b"PK\x03\x04 cut".to_vec()).await;
    let Err(MoveError::Unread { source_id, note, .. }) = of().await else { panic!("a second source") };
    assert_eq!((json!(source_id), note.code.as_str()), (known["id"].clone(), "import/no-geotrek-archive"));
    let bytes = archive(&[(1, "Gîte du lac", true)], Some(&stub.url));
    let key = format!("sit/{}/{}", known["id"], app::token::checksum(&bytes));
    sent(bytes.clone()).await;
    app.app().blobs.delete(&key).await.unwrap();
    let Err(MoveError::Unread { note, .. }) = of().await else { panic!("a second source") };
    assert_eq!(note.code, "import/nothing-to-read");
    assert_eq!(store::sit::list_sources(app.app().store.read(), white_label).await.unwrap().len(), 1);
    // A page of JSON is of no Geotrek that could be known.
    sent(json!({"results": []}).to_string().into_bytes()).await;
    let made = of().await.unwrap().unwrap();
    assert_ne!(json!(made.id), known["id"]);
}
