//! Imports of sources that lose something: a reference list, a column, items; and decisions that people made here meanwhile.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use axum::http::Method;
use domain::ParcoursId;
use flate2::Compression;
use flate2::write::GzEncoder;
use macros::app_test;
use serde_json::{Value, json};
use store::parcours::{self as rows, Change};
use testkit::{Client, TestApp};

use crate::imports_kit::{
    Answer, Stub, codes, dry_run, geotrek, geotrek_answer, lines_of_run, run_source, source, trek,
};
use crate::parcours_kit::{now, path, published};

type SharedItems = Arc<Mutex<Vec<Value>>>;

fn shared_items(items: Vec<Value>) -> SharedItems {
    Arc::new(Mutex::new(items))
}

/// The parcours that a run made, by title.
async fn made(by: &Client, run: &Value, title: &str) -> Value {
    let lines = lines_of_run(by, run, "created").await;
    let line = lines.iter().find(|line| line["title"] == title).unwrap_or_else(|| panic!("no {title}: {lines:?}"));
    by.get(format!("/api/v1/parcours/{}", line["parcours_id"])).await.expect(200).json()
}

async fn unpublished(by: &Client, parcours: &Value) {
    by.clone().with("if-match", "*").delete(format!("{}/publication", path(parcours))).await.expect(200);
}

/// A feature with a line at this height of the map.
fn way(id: &str, north: f64, properties: Value) -> Value {
    let line: Vec<[f64; 2]> = (0..20).map(|at| [4.0 + f64::from(at) * 0.001, north]).collect();
    let geometry = json!({"type": "LineString", "coordinates": line});
    json!({"type": "Feature", "id": id, "properties": properties, "geometry": geometry})
}

fn touched(number: u32, name: &str) -> Value {
    let mut trek = trek(number, name);
    trek["touched"] = json!(true);
    trek
}

#[app_test]
async fn a_reference_list_that_fails_removes_no_value(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (treks, broken): (SharedItems, Arc<Mutex<Option<Answer>>>) =
        (shared_items(vec![trek(1, "Le lac")]), Arc::default());
    let (all, answer) = (Arc::clone(&treks), Arc::clone(&broken));
    let stub = Stub::start(move |path, _| match answer.lock().unwrap().clone() {
        Some(answer) if path.starts_with("/api/v2/trek_practice/") => answer,
        _ => geotrek_answer(&all, path),
    });
    let parc = source(&editor, json!({"url": stub.url})).await;
    let run = run_source(&app, &editor, &parc).await;
    let lake = made(&editor, &run, "Le lac").await;
    assert!(lake["practice_type_id"].is_i64(), "{lake}");

    *treks.lock().unwrap() = vec![touched(1, "Le grand lac")];
    for body in ["<html>Maintenance</html>", r#"{"error": "quota"}"#] {
        *broken.lock().unwrap() = Some(body.as_bytes().to_vec().into());
        let run = run_source(&app, &editor, &parc).await;
        assert_eq!(run["failure"]["code"], "import/list-unreadable", "{run}");
        assert_eq!(now(&editor, &lake).await["title"], lake["title"]);
    }
    // The server does not have the list: existing values are kept, and new parcours get theirs once the list is answered.
    *broken.lock().unwrap() = Some(Answer(404, Vec::new(), Vec::new()));
    *treks.lock().unwrap() = vec![touched(1, "Le grand lac"), touched(2, "Le bois")];
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((&run["counts"]["updated"], &run["counts"]["created"]), (&json!(1), &json!(1)), "{run}");
    let after = now(&editor, &lake).await;
    assert_eq!(after["title"]["fr"], "Le grand lac");
    assert_eq!(after["practice_type_id"], lake["practice_type_id"]);
    let wood = made(&editor, &run, "Le bois").await;
    assert_eq!(wood["practice_type_id"], Value::Null);
    *broken.lock().unwrap() = None;
    treks.lock().unwrap().iter_mut().for_each(|trek| trek["touched"] = json!(false));
    run_source(&app, &editor, &parc).await;
    assert_eq!(now(&editor, &wood).await["practice_type_id"], lake["practice_type_id"]);

    // A number that the list does not have.
    let mut changed = touched(1, "Le très grand lac");
    changed["practice"] = json!(77);
    treks.lock().unwrap()[0] = changed;
    let run = run_source(&app, &editor, &parc).await;
    let line = &lines_of_run(&editor, &run, "updated").await[0];
    assert!(codes(line).contains(&"import/word-waits") && line["notes"].to_string().contains("77"), "{line}");
    assert_eq!(now(&editor, &lake).await["practice_type_id"], lake["practice_type_id"]);
}

#[app_test]
async fn a_missing_column_empties_no_field_and_is_reported(app: TestApp) {
    let editor = app.editor_of("morvan");
    let ways = shared_items(vec![
        way("a", 47.1, json!({"name": "Lac", "description": "Par la rive."})),
        way("b", 47.2, json!({"name": "Bois", "description": ""})),
    ]);
    let all = Arc::clone(&ways);
    let stub = Stub::start(move |_, _| json!({"type": "FeatureCollection", "features": *all.lock().unwrap()}).into());
    let voies = source(&editor, json!({"kind": "features", "url": format!("{}/voies", stub.url)})).await;
    let run = run_source(&app, &editor, &voies).await;
    let lake = made(&editor, &run, "Lac").await;
    assert!(lake["description"]["fr"].as_str().unwrap().contains("Par la rive."), "{lake}");

    *ways.lock().unwrap() = vec![way("a", 47.1, json!({"name": "Le lac"})), way("b", 47.2, json!({"name": "Bois"}))];
    let run = run_source(&app, &editor, &voies).await;
    assert_eq!((&run["counts"]["updated"], &run["counts"]["kept"]), (&json!(1), &json!(1)), "{run}");
    let kept = &lines_of_run(&editor, &run, "kept").await[0];
    assert_eq!(codes(kept), ["import/column-gone"]);
    assert_eq!(kept["notes"][0]["params"]["column"], "description");
    let after = now(&editor, &lake).await;
    assert_eq!((&after["title"]["fr"], &after["description"]), (&json!("Le lac"), &lake["description"]));

    // An empty value is one: it empties the field.
    let properties = json!({"name": "Le lac", "description": null});
    *ways.lock().unwrap() = vec![way("a", 47.1, properties), way("b", 47.2, json!({"name": "Bois"}))];
    run_source(&app, &editor, &voies).await;
    assert_eq!(now(&editor, &lake).await["description"]["fr"].as_str().unwrap_or_default(), "");

    // A renamed title.
    *ways.lock().unwrap() = vec![way("a", 47.1, json!({"nom": "Le lac"})), way("b", 47.2, json!({"nom": "Bois"}))];
    let run = run_source(&app, &editor, &voies).await;
    assert_eq!((&run["counts"]["refused"], &run["counts"]["gone"]), (&json!(2), &json!(0)), "{run}");
    let note = &lines_of_run(&editor, &run, "refused").await[0]["notes"][0];
    assert_eq!((&note["code"], &note["params"]["column"]), (&json!("import/no-title-column"), &json!("name")));
}

#[app_test]
async fn a_parcours_unpublished_here_is_not_published_by_its_source(app: TestApp) {
    let editor = app.editor_of("morvan");
    let treks = shared_items(vec![trek(1, "Le lac"), trek(2, "Le bois")]);
    let stub = geotrek(&treks);
    let parc = source(&editor, json!({"url": stub.url, "force_published": "published"})).await;
    let run = run_source(&app, &editor, &parc).await;
    let (lake, wood) = (made(&editor, &run, "Le lac").await, made(&editor, &run, "Le bois").await);
    assert_eq!(lake["published"], true);
    unpublished(&editor, &lake).await;
    treks.lock().unwrap()[0] = touched(1, "Le grand lac");
    let run = run_source(&app, &editor, &parc).await;
    let line = &lines_of_run(&editor, &run, "updated").await[0];
    assert_eq!((codes(line).last(), &now(&editor, &lake).await["published"]), (Some(&"import/locked"), &json!(false)));
    assert!(line["notes"].to_string().contains("published"), "{line}");
    // The source decides again once an editor allows it.
    let body = json!({"item": "trek-1", "fields": ["published"]});
    editor.post(format!("/api/v1/import-sources/{}/unlocking", parc["id"]), body).await.expect(204);
    run_source(&app, &editor, &parc).await;
    assert_eq!(now(&editor, &lake).await["published"], true);

    // The import unpublished it, then a person published it and unpublished it again.
    treks.lock().unwrap().truncate(1);
    assert_eq!(run_source(&app, &editor, &parc).await["counts"]["gone"], 1);
    published(&editor, &now(&editor, &wood).await).await;
    unpublished(&editor, &wood).await;
    treks.lock().unwrap().push(touched(2, "Le bois"));
    run_source(&app, &editor, &parc).await;
    assert_eq!(now(&editor, &wood).await["published"], false);
}

#[app_test]
async fn a_parcours_unpublished_here_stays_unpublished_after_later_saves(app: TestApp) {
    let editor = app.editor_of("morvan");
    let treks = shared_items(vec![trek(1, "Le lac")]);
    let stub = geotrek(&treks);
    let parc = source(&editor, json!({"url": stub.url, "force_published": "published"})).await;
    let run = run_source(&app, &editor, &parc).await;
    let lake = made(&editor, &run, "Le lac").await;
    unpublished(&editor, &lake).await;
    let languages = &app.app().settings.content_languages;
    let change = Change { by: None, at: app.app().now(), reason: None, languages };
    let tx = app.store().begin().await.unwrap();
    let mut saved = rows::lock(&tx, ParcoursId(lake["id"].as_i64().unwrap())).await.unwrap().unwrap();
    // More than the history shows.
    for _ in 0..502 {
        let mut after = saved.clone();
        after.sheet.distribute_partners = !saved.sheet.distribute_partners;
        saved = rows::save(&tx, &saved, after, None, change).await.unwrap();
    }
    tx.commit().await.unwrap();
    treks.lock().unwrap()[0] = touched(1, "Le grand lac");
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!(run["counts"]["updated"], 1, "{run}");
    let after = now(&editor, &lake).await;
    assert_eq!((&after["title"]["fr"], &after["published"]), (&json!("Le grand lac"), &json!(false)));
}

#[app_test]
async fn a_trek_that_comes_back_with_the_same_date_is_published_again(app: TestApp) {
    let editor = app.editor_of("morvan");
    let treks = shared_items(vec![trek(1, "Le lac"), trek(2, "Le bois")]);
    let stub = geotrek(&treks);
    let parc = source(&editor, json!({"url": stub.url, "force_published": "published"})).await;
    let run = run_source(&app, &editor, &parc).await;
    let wood = made(&editor, &run, "Le bois").await;
    let gone = treks.lock().unwrap().remove(1);
    run_source(&app, &editor, &parc).await;
    assert_eq!(now(&editor, &wood).await["published"], false);
    treks.lock().unwrap().push(gone);
    // The list of items shows it; the run after that asks for all.
    run_source(&app, &editor, &parc).await;
    run_source(&app, &editor, &parc).await;
    assert_eq!(now(&editor, &wood).await["published"], true);
    let asked = stub.requests().len();
    run_source(&app, &editor, &parc).await;
    assert!(stub.requests()[asked].contains("updated_after="), "then only for what changed again");
}

#[app_test]
async fn an_item_missing_from_a_paged_list_is_unpublished(app: TestApp) {
    let editor = app.editor_of("morvan");
    let ways: Vec<Value> = (0..5)
        .map(|at| way(&format!("w{at}"), 47.1 + f64::from(at) / 10.0, json!({"name": format!("Voie {at}")})))
        .collect();
    let ways = shared_items(ways);
    let all = Arc::clone(&ways);
    let stub = Stub::start(move |path, _| {
        let from: usize = path.split_once("offset=").map_or(0, |(_, from)| from.parse().unwrap());
        let all = all.lock().unwrap();
        let features: Vec<&Value> = all.iter().skip(from).take(2).collect();
        // Relative to the address of its page.
        let next = json!({"rel": "next", "href": format!("/ogc/items?offset={}", from + 2)});
        let links: Vec<Value> = (from + 2 < all.len()).then_some(next).into_iter().collect();
        json!({"type": "FeatureCollection", "numberMatched": all.len(), "features": features, "links": links}).into()
    });
    let url = format!("{}/ogc/items", stub.url);
    let voies = source(&editor, json!({"kind": "features", "url": url, "force_published": "published"})).await;
    let run = run_source(&app, &editor, &voies).await;
    assert_eq!((&run["state"], &run["counts"]["created"]), (&json!("done"), &json!(5)), "{run}");
    let third = made(&editor, &run, "Voie 3").await;
    let gone = ways.lock().unwrap().remove(3);
    let run = run_source(&app, &editor, &voies).await;
    assert_eq!((&run["state"], &run["counts"]["gone"]), (&json!("done"), &json!(1)), "{run}");
    assert_eq!(now(&editor, &third).await["published"], false);
    ways.lock().unwrap().push(gone);
    run_source(&app, &editor, &voies).await;
    assert_eq!(now(&editor, &third).await["published"], true);
}

#[app_test]
async fn a_server_that_always_compresses_is_read_up_to_the_size_of_what_is_unpacked(app: TestApp) {
    let editor = app.editor_of("morvan");
    let packed = |bytes: &[u8]| {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(bytes).unwrap();
        gzip.finish().unwrap()
    };
    let page = json!({"type": "FeatureCollection", "features": [way("a", 47.1, json!({"name": "Lac"}))]});
    let (page, large) = (packed(page.to_string().as_bytes()), packed(&vec![b' '; 20_000]));
    let stub = Stub::start(move |path, _| match path {
        "/large" => Answer(200, vec!["Content-Encoding: gzip".to_owned()], large.clone()),
        "/other" => Answer(200, vec!["Content-Encoding: br".to_owned()], b"x".to_vec()),
        "/plain" => Answer(200, vec!["Content-Encoding: gzip".to_owned()], b"{}".to_vec()),
        "/half" => Answer(200, vec!["Content-Encoding: gzip".to_owned()], large[..large.len() / 2].to_vec()),
        _ => Answer(200, vec!["Content-Encoding: gzip".to_owned()], page.clone()),
    });
    let voies = source(&editor, json!({"kind": "features", "url": format!("{}/voies", stub.url)})).await;
    let run = run_source(&app, &editor, &voies).await;
    assert_eq!((&run["state"], &run["counts"]["created"]), (&json!("done"), &json!(1)), "{run}");
    let fetcher = Arc::clone(&app.app().fetcher);
    let code = |path: &str| {
        let url = format!("{}{path}", stub.url);
        fetcher.fetch(&url, &connect::http::Validators::default(), 10_000).unwrap_err().code()
    };
    assert_eq!((code("/large"), code("/other")), ("fetch/too-large", "fetch/encoded"));
    assert_eq!((code("/plain"), code("/half")), ("fetch/broken", "fetch/broken"));
    assert_eq!(stub.request_count("/plain"), 3, "it may pass");
}

#[app_test]
async fn a_truncated_answer_is_not_reported_as_an_unreachable_server(app: TestApp) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/voies", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\n";
            stream.write_all(format!("{head}{{\"type\"").as_bytes()).unwrap();
        }
    });
    let fetcher = Arc::clone(&app.app().fetcher);
    let fetch = move || fetcher.fetch(&url, &connect::http::Validators::default(), 10_000).unwrap_err();
    let failed = tokio::task::spawn_blocking(fetch).await.unwrap();
    assert_eq!(failed.code(), "fetch/broken", "{failed}");
}

#[app_test]
async fn an_incomplete_list_of_numbers_unpublishes_nothing(app: TestApp) {
    let editor = app.editor_of("morvan");
    let treks = shared_items((1..=4).map(|number| trek(number, &format!("Boucle {number}"))).collect());
    let (all, is_part) = (Arc::clone(&treks), Arc::new(Mutex::new(false)));
    let part = Arc::clone(&is_part);
    let stub = Stub::start(move |path, _| {
        if path.starts_with("/api/v2/trek/") && path.contains("fields=uuid,id") && *part.lock().unwrap() {
            let results = [json!({"id": 1, "uuid": "trek-1"})];
            return json!({"count": 4, "next": null, "results": results}).into();
        }
        geotrek_answer(&all, path)
    });
    let parc = source(&editor, json!({"url": stub.url, "force_published": "published"})).await;
    let run = run_source(&app, &editor, &parc).await;
    let last = made(&editor, &run, "Boucle 4").await;
    *is_part.lock().unwrap() = true;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!(
        (&run["failure"]["code"], &run["counts"]["gone"]),
        (&json!("import/list-unreadable"), &json!(0)),
        "{run}"
    );
    assert_eq!(now(&editor, &last).await["published"], true);
}

/// The pages of treks of a Geotrek that gives two at once.
fn in_twos(path: &str) -> String {
    path.replace("page_size=200", "page_size=2")
}

#[app_test]
async fn treks_that_a_run_did_not_read_come_with_the_next_one(app: TestApp) {
    let editor = app.editor_of("morvan");
    // What happens while the second page is asked for, what is read nevertheless, and what comes afterwards.
    let faults = [("a trek is deleted", 5, 1), ("no items", 2, 4), ("no next page", 4, 2)];
    for (first, (fault, read, missed)) in (1..).step_by(10).zip(faults) {
        let all: Vec<Value> = (first..first + 6).map(|number| trek(number, &format!("Boucle {number}"))).collect();
        let (treks, left) = (shared_items(all), Mutex::new(Some(fault)));
        let stub = Stub::start(move |path, _| {
            let path = in_twos(path);
            let is_second = path.starts_with("/api/v2/trek/?page=2&page_size=2");
            let fault = left.lock().unwrap().take_if(|_| is_second);
            match fault {
                Some("a trek is deleted") => drop(treks.lock().unwrap().remove(0)),
                Some("no items") => {
                    return json!({"count": 6, "next": "http://x.example/?page=3", "results": []}).into();
                }
                Some(_) => {
                    let page = treks.lock().unwrap()[2..4].to_vec();
                    return json!({"count": 6, "next": null, "results": page}).into();
                }
                None => {}
            }
            geotrek_answer(&treks, &path)
        });
        let parc = source(&editor, json!({"url": stub.url})).await;
        let run = run_source(&app, &editor, &parc).await;
        assert_eq!((&run["state"], &run["counts"]["created"]), (&json!("done"), &json!(read)), "{fault}: {run}");
        let kept = lines_of_run(&editor, &run, "kept").await;
        assert_eq!((kept.len(), codes(&kept[0])), (1, vec!["import/items-unread"]), "{fault}: {kept:?}");
        let run = run_source(&app, &editor, &parc).await;
        let counts = &run["counts"];
        assert_eq!((&counts["created"], &counts["kept"]), (&json!(missed), &json!(0)), "{fault}: {run}");
        let asked = stub.requests().len();
        run_source(&app, &editor, &parc).await;
        assert!(stub.requests()[asked].contains("updated_after="), "{fault}: then only for what changed");
    }
}

#[app_test]
async fn a_refused_trek_does_not_let_every_run_read_all(app: TestApp) {
    let editor = app.editor_of("morvan");
    let stub = geotrek(&shared_items(vec![trek(1, "Le lac"), trek(2, "")]));
    let parc = source(&editor, json!({"url": stub.url})).await;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((&run["counts"]["created"], &run["counts"]["refused"]), (&json!(1), &json!(1)), "{run}");
    for _ in 0..2 {
        let asked = stub.requests().len();
        let run = run_source(&app, &editor, &parc).await;
        assert!(stub.requests()[asked].contains("updated_after="), "{run}");
        assert_eq!(run["counts"]["kept"], 0, "{run}");
    }
}

#[app_test]
async fn a_geotrek_that_always_gives_the_same_page_is_asked_twice(app: TestApp) {
    let editor = app.editor_of("morvan");
    let treks = shared_items((1..=6).map(|number| trek(number, &format!("Boucle {number}"))).collect());
    let stub = Stub::start(move |path, _| {
        if path.contains("page_size=200") {
            let page = treks.lock().unwrap()[..2].to_vec();
            return json!({"count": 6, "next": "http://x.example/?page=9", "results": page}).into();
        }
        geotrek_answer(&treks, path)
    });
    let parc = source(&editor, json!({"url": stub.url})).await;
    for created in [2, 0] {
        let asked = stub.request_count("/api/v2/trek/?page=");
        let run = run_source(&app, &editor, &parc).await;
        assert_eq!((&run["state"], &run["counts"]["created"]), (&json!("done"), &json!(created)), "{run}");
        let kept = lines_of_run(&editor, &run, "kept").await;
        assert_eq!((kept.len(), codes(&kept[0])), (1, vec!["import/items-unread"]), "{kept:?}");
        assert_eq!(stub.request_count("/api/v2/trek/?page=") - asked, 2, "{run}");
    }
}

#[app_test]
async fn a_list_of_numbers_whose_pages_repeat_unpublishes_nothing(app: TestApp) {
    let editor = app.editor_of("morvan");
    let treks = shared_items((1..=4).map(|number| trek(number, &format!("Boucle {number}"))).collect());
    let is_stuck = Arc::new(Mutex::new(false));
    let stuck = Arc::clone(&is_stuck);
    let stub = Stub::start(move |path, _| {
        if path.contains("fields=uuid,id") && *stuck.lock().unwrap() {
            let results = [json!({"id": 1, "uuid": "trek-1"})];
            return json!({"next": "http://x.example/?page=2", "results": results}).into();
        }
        geotrek_answer(&treks, path)
    });
    let parc = source(&editor, json!({"url": stub.url})).await;
    run_source(&app, &editor, &parc).await;
    *is_stuck.lock().unwrap() = true;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((&run["failure"]["code"], &run["counts"]["gone"]), (&json!("import/list-unreadable"), &json!(0)));
    assert_eq!(stub.request_count("/api/v2/trek/?fields=uuid,id"), 3, "{run}");
}

#[app_test]
async fn every_page_of_a_list_of_words_is_read(app: TestApp) {
    let editor = app.editor_of("morvan");
    let treks = shared_items(vec![trek(1, "Le lac")]);
    let stub = Stub::start(move |path, _| {
        let page = |id: u32, name: &str, next: Value| -> Answer {
            json!({"count": 2, "next": next, "results": [{"id": id, "label": {"fr": name}}]}).into()
        };
        match path.split_once("/api/v2/theme/?") {
            Some((_, asked)) if asked.contains("page=2") => page(2, "Contrebande", Value::Null),
            Some(_) => page(1, "Faune et flore", json!("http://x.example/?page=2")),
            None => geotrek_answer(&treks, path),
        }
    });
    let parc = source(&editor, json!({"url": stub.url})).await;
    let run = run_source(&app, &editor, &parc).await;
    let line = &lines_of_run(&editor, &run, "created").await[0];
    assert!(line["notes"].to_string().contains("Contrebande"), "{line}");
    assert_eq!(stub.request_count("/api/v2/theme/"), 2);
}

#[app_test]
async fn steps_that_are_elsewhere_are_named_once_and_ten_at_most(app: TestApp) {
    let editor = app.editor_of("morvan");
    let mut tour = trek(1, "Le tour");
    tour["children"] = json!((0..100).map(|at| format!("étape-{}", at % 12)).collect::<Vec<_>>());
    let mut stage = trek(2, "Deux étapes");
    stage["children"] = json!(["trek-3", "trek-3"]);
    let stub = geotrek(&shared_items(vec![tour, stage, trek(3, "Une étape")]));
    let parc = source(&editor, json!({"url": stub.url})).await;
    let run = run_source(&app, &editor, &parc).await;
    let lines = lines_of_run(&editor, &run, "created").await;
    let steps = |title: &str| -> Vec<Value> {
        let line = lines.iter().find(|line| line["title"] == title).unwrap();
        let notes = line["notes"].as_array().unwrap().iter();
        notes
            .filter(|note| note["code"] == "import/steps-elsewhere")
            .map(|note| note["params"]["steps"].clone())
            .collect()
    };
    let first: Vec<String> = (0..10).map(|at| format!("étape-{at}")).collect();
    assert_eq!(steps("Le tour"), [json!(format!("{}, …", first.join(", ")))]);
    assert_eq!(steps("Deux étapes"), Vec::<Value>::new(), "it is there");
}

#[app_test]
async fn an_unreachable_host_is_asked_for_a_few_pictures_only(app: TestApp) {
    let editor = app.editor_of("morvan");
    let mut all: Vec<Value> = (1..=3).map(|number| trek(number, &format!("Boucle {number}"))).collect();
    for (number, trek) in all.iter_mut().enumerate() {
        // Nothing listens there.
        let picture = |at: usize| json!({"type": "image", "url": format!("http://127.0.0.1:1/{number}-{at}.jpg")});
        trek["attachments"] = json!([picture(1), picture(2), picture(3), picture(4)]);
    }
    let stub = geotrek(&shared_items(all));
    let parc = source(&editor, json!({"url": stub.url})).await;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((&run["state"], &run["counts"]["created"]), (&json!("done"), &json!(3)), "{run}");
    let created = lines_of_run(&editor, &run, "created").await;
    let tried = created.iter().flat_map(codes).filter(|code| *code == "fetch/unreachable").count();
    assert_eq!(tried, 5, "{created:?}");
    let kept = lines_of_run(&editor, &run, "kept").await;
    assert_eq!((kept.len(), codes(&kept[0])), (1, vec!["import/host-silent"]), "{kept:?}");
    // The next run asks again.
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!(run["counts"]["updated"], 3, "{run}");
}

#[app_test]
async fn a_table_is_read_as_people_write_it_and_what_is_ignored_is_reported(app: TestApp) {
    let editor = app.editor_of("morvan");
    let fields = json!([{"to": "title", "from": ["nom"]}, {"to": "duration", "from": ["duree"]},
        {"to": "distance", "from": ["longueur"]}]);
    let made_source = source(&editor, json!({"kind": "files", "fields": fields})).await;
    let table = "nom;duree;longueur;nom;wkt\n\
        Lac;2h30;12,5 km;Autre;LINESTRING (4 47.1, 4.02 47.1)\n\
        Pré;une journée;1,5 km;;LINESTRING (4 47.3, 4.02 47.3)\n\
        Bois;1:45;;;LINESTRING (4 47.5, abc)\n\
        Champ;;;;POLYGON ((4 47, 4.1 47, 4.1 47.1, 4 47))\n";
    let send = async |name: &str, bytes: Vec<u8>| {
        let path = format!("/api/v1/import-sources/{}/file?file_name={name}", made_source["id"]);
        editor.clone().with("if-match", "*").send(Method::PUT, &path, None, bytes.into()).await.expect(200).json()
    };
    let tours = send("tours.csv", table.as_bytes().to_vec()).await;
    let run = run_source(&app, &editor, &tours).await;
    let counts = &run["counts"];
    assert_eq!((&counts["created"], &counts["refused"], &counts["kept"]), (&json!(2), &json!(1), &json!(2)), "{run}");
    let lake = made(&editor, &run, "Lac").await;
    assert_eq!((&lake["trace"]["duration_s"], &lake["trace"]["distance_m"]), (&json!(9_000.0), &json!(12_500.0)));
    let created = lines_of_run(&editor, &run, "created").await;
    let notes = |title: &str| codes(created.iter().find(|line| line["title"] == title).unwrap());
    assert!(notes("Lac").contains(&"import/length-far"), "{created:?}");
    assert!(notes("Pré").contains(&"import/value-unread"), "{created:?}");
    let refused = &lines_of_run(&editor, &run, "refused").await[0];
    assert_eq!((&refused["title"], codes(refused)), (&json!("Bois"), vec!["import/line-unreadable"]));
    let kept = lines_of_run(&editor, &run, "kept").await;
    let said: Vec<&str> = kept.iter().flat_map(codes).collect();
    assert!(said.contains(&"import/areas-left") && said.contains(&"table/column-twice"), "{kept:?}");

    for (name, bytes, code) in [
        ("tours.xls", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0".to_vec(), "table/unreadable"),
        ("tours.ods", open_document(), "table/unreadable"),
        ("tours.zip", zipped("tours.csv", table.as_bytes()), "import/nothing-in-zip"),
    ] {
        let tours = send(name, bytes).await;
        let run = dry_run(&app, &editor, &tours).await;
        assert_eq!((&run["state"], &run["failure"]["code"]), (&json!("failed"), &json!(code)), "{run}");
    }
}

/// A workbook of LibreOffice: its first part is not packed.
fn open_document() -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    archive.start_file("mimetype", stored).unwrap();
    archive.write_all(b"application/vnd.oasis.opendocument.spreadsheet").unwrap();
    archive.start_file("content.xml", stored).unwrap();
    archive.write_all(b"<office:document-content/>").unwrap();
    archive.finish().unwrap().into_inner()
}

fn zipped(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(bytes).unwrap();
    archive.finish().unwrap().into_inner()
}
