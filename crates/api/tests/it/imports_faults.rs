//! Imports of faulty sources: an implausible answer unpublishes and shortens nothing, and each refused item has its reason.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::io::{Error, ErrorKind};
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::http::Method;
use domain::imports::{ImportNote, ImportOutcome};
use futures_util::stream;
use macros::app_test;
use serde_json::{Value, json};
use store::imports::ImportLine;
use testkit::{Client, TestApp};

use crate::imports_kit::{Stub, codes, lines_of_run, run_source, settled, source};
use crate::parcours_kit::{gpx, now, path, published, titles, trace_of, version};

/// What a source answers, which the test may change.
type Body = Arc<Mutex<Vec<u8>>>;

fn serving(first: Vec<u8>) -> (Body, Stub) {
    let body: Body = Arc::new(Mutex::new(first));
    let held = Arc::clone(&body);
    (body, Stub::start(move |_, _| held.lock().unwrap().clone().into()))
}

fn serve(body: &Body, bytes: impl Into<Vec<u8>>) {
    *body.lock().unwrap() = bytes.into();
}

fn collection(features: &[Value]) -> Vec<u8> {
    json!({"type": "FeatureCollection", "features": features}).to_string().into_bytes()
}

/// Twenty points going east, at a height.
fn east(north: f64, height: f64) -> Vec<Value> {
    (0..20).map(|at| json!([4.0 + f64::from(at) * 0.001, north, height])).collect()
}

/// A line with a name and without an identifier.
fn way(name: &str, points: &[Value]) -> Value {
    let line = json!({"type": "LineString", "coordinates": points});
    json!({"type": "Feature", "properties": {"name": name}, "geometry": line})
}

/// The parcours that a run made, by title.
async fn made(by: &Client, run: &Value, title: &str) -> Value {
    let lines = lines_of_run(by, run, "created").await;
    let line = lines.iter().find(|line| line["title"] == title).unwrap_or_else(|| panic!("no {title}: {lines:?}"));
    by.get(format!("/api/v1/parcours/{}", line["parcours_id"])).await.expect(200).json()
}

#[app_test]
async fn a_feature_without_identifier_keeps_its_parcours_when_another_is_removed(app: TestApp) {
    let editor = app.editor_of("morvan");
    let [lake, wood, field] =
        [("Lac", 47.1), ("Bois", 47.2), ("Pré", 47.3)].map(|(name, north)| way(name, &east(north, 500.0)));
    let (body, stub) = serving(collection(&[lake.clone(), wood.clone(), field.clone()]));
    let url = format!("{}/ways.geojson", stub.url);
    let ways = source(&editor, json!({"kind": "features", "url": url})).await;
    let run = run_source(&app, &editor, &ways).await;
    assert_eq!(run["counts"]["created"], 3, "{run}");
    let before = made(&editor, &run, "Pré").await;
    // The first one is gone, and the others are in another order.
    serve(&body, collection(&[field, wood]));
    let run = run_source(&app, &editor, &ways).await;
    let counts = &run["counts"];
    assert_eq!((&counts["gone"], &counts["created"], &counts["updated"]), (&json!(1), &json!(0), &json!(0)), "{run}");
    assert_eq!(lines_of_run(&editor, &run, "gone").await[0]["title"], "Lac");
    let after = now(&editor, &before).await;
    assert_eq!((&after["title"], &after["version"]), (&before["title"], &before["version"]));
    // It is back.
    serve(&body, collection(&[lake]));
    let run = run_source(&app, &editor, &ways).await;
    assert_eq!((&run["counts"]["created"], &run["counts"]["gone"]), (&json!(0), &json!(2)), "{run}");
}

#[app_test]
async fn an_implausible_answer_unpublishes_nothing(app: TestApp) {
    let editor = app.editor_of("morvan");
    let ways: Vec<Value> =
        (0..5).map(|at| way(&format!("Voie {at}"), &east(47.0 + f64::from(at) * 0.1, 500.0))).collect();
    let (body, stub) = serving(collection(&ways));
    let url = format!("{}/voies", stub.url);
    let voies = source(&editor, json!({"kind": "files", "url": url, "force_published": "published"})).await;
    let run = run_source(&app, &editor, &voies).await;
    let first = made(&editor, &run, "Voie 0").await;
    assert_eq!((&run["counts"]["created"], &first["published"]), (&json!(5), &json!(true)), "{run}");

    for (answer, code) in [
        ("<!DOCTYPE html><html><body>Maintenance</body></html>", "import/web-page"),
        (r#"{"error":"quota"}"#, "trace/not-a-trace"),
    ] {
        serve(&body, answer);
        let run = run_source(&app, &editor, &voies).await;
        assert_eq!((&run["state"], &run["failure"]["code"]), (&json!("failed"), &json!(code)), "{run}");
    }
    // An empty file, and a file of which every item is refused.
    let refused: Vec<Value> = (0..5).map(|at| way(&format!("Autre {at}"), &[])).collect();
    for (features, count) in [(Vec::new(), 0), (refused, 5)] {
        serve(&body, collection(&features));
        let run = run_source(&app, &editor, &voies).await;
        assert_eq!(
            (&run["state"], &run["counts"]["refused"], &run["counts"]["gone"]),
            (&json!("done"), &json!(count), &json!(0)),
            "{run}"
        );
    }
    assert_eq!(now(&editor, &first).await["published"], true);
    // One known item is still there, so the missing ones are reported as gone.
    serve(&body, collection(&ways[..1]));
    let run = run_source(&app, &editor, &voies).await;
    assert_eq!((&run["state"], &run["counts"]["gone"]), (&json!("done"), &json!(4)), "{run}");
}

/// The file changed while a run read it, and what was refused of it before is refused again.
#[app_test]
async fn an_item_refused_twice_in_one_run_counts_once(app: TestApp) {
    let editor = app.editor_of("morvan");
    let ways = [("Lac", 47.1), ("Bois", 47.2)].map(|(name, north)| way(name, &east(north, 500.0)));
    let refused = ["Un", "Deux", "Trois"].map(|name| way(name, &[]));
    let (body, stub) = serving(collection(&[&ways[..], &refused[..]].concat()));
    let voies = source(&editor, json!({"kind": "files", "url": format!("{}/voies", stub.url)})).await;
    let first = run_source(&app, &editor, &voies).await;
    assert_eq!((&first["counts"]["created"], &first["counts"]["refused"]), (&json!(2), &json!(3)), "{first}");

    serve(&body, collection(&[&ways[..1], &refused[..]].concat()));
    let path = format!("/api/v1/import-sources/{}/runs", voies["id"]);
    let run = editor.post(path, json!({})).await.expect(202).json();
    let lines: Vec<ImportLine> = lines_of_run(&editor, &first, "refused")
        .await
        .iter()
        .map(|line| line["item"].as_str().unwrap())
        .map(|item| ImportLine::new(item, item, ImportOutcome::Refused, vec![ImportNote::new("import/no-line")]))
        .collect();
    let tx = app.store().begin().await.unwrap();
    let mut begun = store::imports::find_run(&tx, run["id"].as_i64().unwrap()).await.unwrap().unwrap();
    begun.counts.refused = 3;
    (begun.page_sum, begun.at) = ("of the file before".to_owned(), 3);
    store::imports::add_lines(&tx, begun.id, &lines).await.unwrap();
    assert!(store::imports::advance(&tx, &begun).await.unwrap());
    tx.commit().await.unwrap();
    let done = settled(&app, &editor, &run).await;
    assert_eq!((&done["state"], &done["counts"]["gone"]), (&json!("done"), &json!(1)), "{done}");
}

#[app_test]
async fn a_parcours_unpublished_because_its_source_lost_it_is_published_when_it_returns(app: TestApp) {
    let editor = app.editor_of("morvan");
    let [shown, draft, stays] =
        [("Lac", 47.1), ("Bois", 47.2), ("Pré", 47.3)].map(|(name, north)| way(name, &east(north, 500.0)));
    let all = collection(&[shown, draft, stays.clone()]);
    let (body, stub) = serving(all.clone());
    let url = format!("{}/ways.geojson", stub.url);
    let ways = source(&editor, json!({"kind": "features", "url": url})).await;
    let run = run_source(&app, &editor, &ways).await;
    let (lake, wood) = (made(&editor, &run, "Lac").await, made(&editor, &run, "Bois").await);
    assert_eq!(lake["published"], false, "the source does not decide what is published");
    published(&editor, &lake).await;

    serve(&body, collection(&[stays]));
    let run = run_source(&app, &editor, &ways).await;
    assert_eq!(run["counts"]["gone"], 2, "{run}");
    assert_eq!(now(&editor, &lake).await["published"], false);
    serve(&body, all);
    let run = run_source(&app, &editor, &ways).await;
    assert_eq!(run["state"], "done", "{run}");
    assert_eq!(now(&editor, &lake).await["published"], true);
    assert_eq!(now(&editor, &wood).await["published"], false, "it was a draft");

    // A parcours that a person unpublishes afterwards stays unpublished.
    let lake = now(&editor, &lake).await;
    let versioned = editor.clone().at_version(version(&lake));
    versioned.delete(format!("{}/publication", path(&lake))).await.expect(200);
    run_source(&app, &editor, &ways).await;
    assert_eq!(now(&editor, &lake).await["published"], false);
}

#[app_test]
async fn lines_of_a_collection_are_repaired_or_refused_like_recordings(app: TestApp) {
    let editor = app.editor_of("morvan");
    let mut outside = east(47.2, 500.0);
    for point in outside.iter_mut().step_by(2) {
        *point = json!([999, 47.2]);
    }
    let features = [way("Lac", &east(47.1, 0.0)), way("Bois", &outside)];
    let (_, stub) = serving(collection(&features));
    let url = format!("{}/ways.geojson", stub.url);
    let ways = source(&editor, json!({"kind": "features", "url": url})).await;
    let run = run_source(&app, &editor, &ways).await;
    assert_eq!(codes(&lines_of_run(&editor, &run, "refused").await[0]), ["trace/out-of-world"], "{run}");
    let trace = trace_of(&editor, &made(&editor, &run, "Lac").await).await;
    let repair = &trace["repairs"][0];
    assert_eq!(
        (&repair["kind"], &repair["count"], &repair["undoable"]),
        (&json!("zero_elevations"), &json!(20), &json!(false)),
        "{trace}"
    );
    assert_eq!(trace["line"][0].as_array().unwrap().len(), 2, "no height");
}

#[app_test]
async fn a_file_that_stops_in_the_middle_does_not_shorten_its_parcours(app: TestApp) {
    let editor = app.editor_of("morvan");
    let line: Vec<(f64, f64)> = (0..20).map(|at| (4.0 + f64::from(at) * 0.001, 47.1)).collect();
    let whole = gpx(&line);
    let (end, _) = whole.match_indices("<trkpt").nth(12).unwrap();
    let cut = whole[..end].to_owned();
    let (body, stub) = serving(whole.into_bytes());
    let tour = source(&editor, json!({"kind": "files", "url": format!("{}/tour.gpx", stub.url)})).await;
    let run = run_source(&app, &editor, &tour).await;
    let parcours = made(&editor, &run, "tour").await;
    serve(&body, cut.clone());
    for _ in 0..2 {
        let run = run_source(&app, &editor, &tour).await;
        assert_eq!(codes(&lines_of_run(&editor, &run, "refused").await[0]), ["import/truncated"], "{run}");
        assert_eq!(now(&editor, &parcours).await["version"], parcours["version"]);
    }
    // A truncated file is imported where there was none before, and its trace is marked as truncated.
    let (_, stub) = serving(cut.replace("47.1", "47.4").into_bytes());
    let other = source(&editor, json!({"kind": "files", "url": format!("{}/autre.gpx", stub.url)})).await;
    let run = run_source(&app, &editor, &other).await;
    let trace = trace_of(&editor, &made(&editor, &run, "autre").await).await;
    assert!(trace["repairs"].as_array().unwrap().iter().any(|repair| repair["kind"] == "truncated"), "{trace}");
}

#[app_test]
async fn a_title_that_is_too_long_is_cut(app: TestApp) {
    let editor = app.editor_of("morvan");
    let title = "Sentier ".repeat(40);
    let (_, stub) = serving(collection(&[way(&title, &east(47.1, 500.0))]));
    let url = format!("{}/ways.geojson", stub.url);
    let ways = source(&editor, json!({"kind": "features", "url": url})).await;
    let run = run_source(&app, &editor, &ways).await;
    assert_eq!((&run["counts"]["created"], &run["counts"]["refused"]), (&json!(1), &json!(0)), "{run}");
    let found = titles(&editor, "search=Sentier").await;
    assert!(found[0].starts_with("Sentier Sentier") && found[0].ends_with('…'), "{found:?}");
    assert!((190..=200).contains(&found[0].chars().count()), "{found:?}");
    let again = run_source(&app, &editor, &ways).await;
    assert_eq!(again["counts"]["updated"], 0, "{again}");
}

#[app_test]
async fn a_row_without_a_position_is_reported(app: TestApp) {
    let editor = app.editor_of("morvan");
    let places =
        source(&editor, json!({"kind": "files", "takes_pois": true, "fields": [{"to": "title", "from": ["nom"]}]}))
            .await;
    let table = "nom;lat;lon\nCascade;47,2;4,0\nSans lieu;;\nSans longitude;47,2;\nHors du monde;999;4,1\nZéro;0;0\n";
    let path = format!("/api/v1/import-sources/{}/file?file_name=lieux.csv", places["id"]);
    let by = editor.clone().with("if-match", "*");
    let places = by.send(Method::PUT, &path, None, table.as_bytes().to_vec().into()).await.expect(200).json();
    let run = run_source(&app, &editor, &places).await;
    assert_eq!((&run["counts"]["pois"], &run["counts"]["refused"]), (&json!(1), &json!(4)), "{run}");
    for line in lines_of_run(&editor, &run, "refused").await {
        assert_eq!(codes(&line), ["import/no-position"], "{line}");
    }
}

/// A line as a layer has it: the number of its row, and the code that its makers gave it.
fn row(fid: u32, code: Option<&str>, name: &str, north: f64) -> Value {
    let mut way = way(name, &east(north, 500.0));
    way["properties"]["fid"] = json!(fid);
    if let Some(code) = code {
        way["properties"]["code"] = json!(code);
    }
    way
}

#[app_test]
async fn renumbering_a_layer_gives_no_parcours_the_line_of_another(app: TestApp) {
    let editor = app.editor_of("morvan");
    let named = [("Lac", 47.1), ("Bois", 47.2), ("Pré", 47.3)];
    let plain = [(1, named[0]), (2, named[1]), (3, named[2])].map(|(fid, (name, at))| row(fid, None, name, at));
    let (body, stub) = serving(collection(&plain));
    let url = format!("{}/ways.geojson", stub.url);
    let ways = source(&editor, json!({"kind": "features", "url": url, "force_published": "published"})).await;
    let run = run_source(&app, &editor, &ways).await;
    assert_eq!(run["counts"]["created"], 3, "where it has no other identifier, the number of a row is one: {run}");
    let (lake, wood) = (made(&editor, &run, "Lac").await, made(&editor, &run, "Bois").await);
    let before = trace_of(&editor, &wood).await;

    // The layer has a column of codes now: a parcours known by its row number is kept. One code equals the number of another row.
    let coded = [(1, "2", named[0]), (2, "PR-2", named[1]), (3, "PR-3", named[2])];
    serve(&body, collection(&coded.map(|(fid, code, (name, at))| row(fid, Some(code), name, at))));
    let run = run_source(&app, &editor, &ways).await;
    let counts = &run["counts"];
    assert_eq!((&counts["created"], &counts["updated"], &counts["gone"]), (&json!(0), &json!(0), &json!(0)), "{run}");
    assert_eq!(version(&now(&editor, &wood).await), version(&wood), "its line did not change for that");

    // The first row is removed, and the others are numbered from 1 again.
    let left = [(1, "PR-2", named[1]), (2, "PR-3", named[2])];
    serve(&body, collection(&left.map(|(fid, code, (name, at))| row(fid, Some(code), name, at))));
    let run = run_source(&app, &editor, &ways).await;
    assert_eq!((&run["counts"]["updated"], &run["counts"]["gone"]), (&json!(0), &json!(1)), "{run}");
    let (lake, wood) = (now(&editor, &lake).await, now(&editor, &wood).await);
    assert_eq!((&lake["title"]["fr"], &lake["published"]), (&json!("Lac"), &json!(false)));
    assert_eq!((&wood["title"]["fr"], &wood["published"]), (&json!("Bois"), &json!(true)));
    assert_eq!(trace_of(&editor, &wood).await["line"], before["line"]);
}

#[app_test]
async fn a_layer_with_row_numbers_alone_that_is_numbered_anew_stops_the_run(app: TestApp) {
    let editor = app.editor_of("morvan");
    let named = [("Lac", 47.1), ("Bois", 47.2), ("Pré", 47.3), ("Col", 47.4)];
    let numbered = |rows: &[(u32, usize)]| -> Vec<Value> {
        rows.iter().map(|(fid, at)| row(*fid, None, named[*at].0, named[*at].1)).collect()
    };
    let (body, stub) = serving(collection(&numbered(&[(1, 0), (2, 1), (3, 2), (4, 3)])));
    let url = format!("{}/ways.geojson", stub.url);
    let ways = source(&editor, json!({"kind": "features", "url": url, "force_published": "published"})).await;
    let run = run_source(&app, &editor, &ways).await;
    let wood = made(&editor, &run, "Bois").await;

    // The first row is removed, or one is inserted before the others.
    for rows in [&[(1, 1), (2, 2), (3, 3)][..], &[(2, 0), (3, 1), (4, 2), (5, 3)]] {
        serve(&body, collection(&numbered(rows)));
        let run = run_source(&app, &editor, &ways).await;
        let failure = &run["failure"];
        assert_eq!((&run["state"], &failure["code"]), (&json!("failed"), &json!("import/identifiers-moved")), "{run}");
        assert_eq!(version(&now(&editor, &wood).await), version(&wood), "nothing changed");
    }

    // Rows that keep their numbers may change, move in the file and go.
    let mut kept = numbered(&[(4, 3), (2, 1), (1, 0)]);
    kept[2]["properties"]["name"] = json!("Grand lac");
    serve(&body, collection(&kept));
    let run = run_source(&app, &editor, &ways).await;
    let counts = &run["counts"];
    assert_eq!((&run["state"], &counts["updated"], &counts["gone"]), (&json!("done"), &json!(1), &json!(1)), "{run}");
}

#[app_test]
async fn rows_that_share_a_code_keep_their_parcours(app: TestApp) {
    let editor = app.editor_of("morvan");
    let named = [(1, "Lac", 47.1), (2, "Bois", 47.2), (3, "Pré", 47.3), (4, "Col", 47.4)];
    let (body, stub) = serving(collection(&named.map(|(fid, name, at)| row(fid, None, name, at))));
    let url = format!("{}/ways.geojson", stub.url);
    let ways = source(&editor, json!({"kind": "features", "url": url, "force_published": "published"})).await;
    let first = run_source(&app, &editor, &ways).await;
    let wood = made(&editor, &first, "Bois").await;
    let counts = |run: &Value| ["created", "updated", "refused", "gone"].map(|name| run["counts"][name].clone());
    let none = [0, 0, 0, 0].map(|count| json!(count));

    // Two sections of one path.
    let coded: Vec<Value> = named
        .into_iter()
        .zip(["GR5", "GR5", "PR1", "PR2"])
        .map(|((fid, name, at), code)| row(fid, Some(code), name, at))
        .collect();
    serve(&body, collection(&coded));
    assert_eq!(counts(&run_source(&app, &editor, &ways).await), none);
    // One of the two rows is left: from now on the code identifies it.
    serve(&body, collection(&coded[1..]));
    let run = run_source(&app, &editor, &ways).await;
    assert_eq!(counts(&run), [0, 0, 0, 1].map(|count| json!(count)), "{run}");
    assert_eq!(now(&editor, &wood).await["published"], true);
    // Once there are two rows again, the row number identifies each.
    serve(&body, collection(&coded));
    let run = run_source(&app, &editor, &ways).await;
    assert_eq!((&run["counts"]["created"], &run["counts"]["gone"]), (&json!(0), &json!(0)), "{run}");
    assert_eq!(version(&now(&editor, &wood).await), version(&wood));
}

#[app_test]
async fn a_truncated_table_shortens_and_unpublishes_nothing(app: TestApp) {
    let editor = app.editor_of("morvan");
    let tours = source(&editor, json!({"kind": "files", "force_published": "published"})).await;
    let line = |north: f64| {
        let points: Vec<String> = (0..20).map(|at| format!("{} {north}", 4.0 + f64::from(at) * 0.001)).collect();
        format!("LINESTRING ({})", points.join(", "))
    };
    let rows = [("A", "Lac", 47.1), ("B", "Bois", 47.2), ("C", "Pré", 47.3)];
    let rows: Vec<String> = rows.iter().map(|(id, name, at)| format!("{id};{name};{}\n", line(*at))).collect();
    let send = async |table: &str| {
        let path = format!("/api/v1/import-sources/{}/file?file_name=tours.csv", tours["id"]);
        let by = editor.clone().with("if-match", "*");
        by.send(Method::PUT, &path, None, table.as_bytes().to_vec().into()).await.expect(200).json()
    };
    let whole = format!("id;name;wkt\n{}", rows.concat());
    let run = run_source(&app, &editor, &send(&whole).await).await;
    let wood = made(&editor, &run, "Bois").await;
    let before = trace_of(&editor, &wood).await;
    let end = whole.find("Bois").unwrap() + 60;
    let run = run_source(&app, &editor, &send(&whole[..end]).await).await;
    let counts = &run["counts"];
    assert_eq!((&counts["updated"], &counts["gone"], &counts["refused"]), (&json!(0), &json!(0), &json!(1)), "{run}");
    assert_eq!(codes(&lines_of_run(&editor, &run, "refused").await[0]), ["import/line-unreadable"]);
    assert_eq!(trace_of(&editor, &wood).await["line"], before["line"]);
    // A last row that is short in each file is reported once by each run, also where nothing else changed.
    let short = format!("id;name;wkt\n{}Total\n", rows.concat());
    for kept in [&rows[..], &rows[..2]] {
        let run = run_source(&app, &editor, &send(&short.replace(&rows.concat(), &kept.concat())).await).await;
        let lines = lines_of_run(&editor, &run, "kept").await;
        let said: Vec<_> = lines.iter().map(|line| (line["title"].as_str(), codes(line))).collect();
        assert_eq!(said, [(Some("tours.csv"), vec!["import/last-row-short"])]);
        assert_eq!(run["counts"]["gone"], 0, "{run}");
    }
    // A file that was cut between two rows has two rows.
    let run = run_source(&app, &editor, &send(&format!("id;name;wkt\n{}", rows[..2].concat())).await).await;
    assert_eq!(run["counts"]["gone"], 1, "{run}");
}

/// How many items a run says that its source gave, and how many it counts.
async fn partial(by: &Client, run: &Value) -> [String; 2] {
    let kept = lines_of_run(by, run, "kept").await;
    assert_eq!(kept.iter().map(codes).collect::<Vec<_>>(), [["import/source-partial"]], "{run}");
    ["given", "counted"].map(|name| kept[0]["notes"][0]["params"][name].as_str().unwrap().to_owned())
}

#[app_test]
async fn an_answer_that_declares_itself_partial_unpublishes_nothing(app: TestApp) {
    let editor = app.editor_of("morvan");
    let ways: Vec<Value> =
        (0..4).map(|at| way(&format!("Voie {at}"), &east(47.0 + f64::from(at) * 0.1, 500.0))).collect();
    let page = |features: &[Value], total: usize| {
        json!({"type": "FeatureCollection", "numberMatched": total, "features": features}).to_string()
    };
    let (body, stub) = serving(page(&ways, 4).into_bytes());
    let voies = source(&editor, json!({"kind": "features", "url": format!("{}/voies", stub.url)})).await;
    run_source(&app, &editor, &voies).await;
    for _ in 0..2 {
        serve(&body, page(&ways[..2], 4));
        let run = run_source(&app, &editor, &voies).await;
        assert_eq!((&run["state"], &run["counts"]["gone"]), (&json!("done"), &json!(0)), "{run}");
        assert_eq!(partial(&editor, &run).await, ["2", "4"]);
    }
    serve(&body, page(&ways[..3], 3));
    let run = run_source(&app, &editor, &voies).await;
    assert_eq!(run["counts"]["gone"], 1, "{run}");

    // A source that has become empty is reported at each run.
    for _ in 0..2 {
        serve(&body, page(&[], 0));
        let run = run_source(&app, &editor, &voies).await;
        assert_eq!((&run["state"], &run["counts"]["gone"]), (&json!("done"), &json!(0)), "{run}");
        assert_eq!(codes(&lines_of_run(&editor, &run, "kept").await[0]), ["import/source-empty"]);
    }
    serve(&body, r#"{"error":"Service down"}"#);
    let run = run_source(&app, &editor, &voies).await;
    assert_eq!((&run["state"], &run["failure"]["code"]), (&json!("failed"), &json!("import/no-list")), "{run}");
}

#[app_test]
async fn tourist_records_of_which_their_source_counts_more_unpublish_nothing(app: TestApp) {
    let editor = app.editor_of("morvan");
    let record = |at: u32, kind: &str| {
        let geo = json!({"schema:latitude": 47.0 + f64::from(at) * 0.1, "schema:longitude": 4.1});
        json!({"@id": format!("https://data.datatourisme.fr/10/{at}"), "@type": [kind], "rdfs:label": {"fr": [format!("Balade {at}")]},
            "isLocatedAt": [{"schema:geo": geo}]})
    };
    // The source counts the inn too, which is no route.
    let all = [record(1, "Tour"), record(2, "Tour"), record(3, "Tour"), record(4, "Hotel")];
    let page = |records: &[Value], total: usize| json!({"objects": records, "meta": {"total": total}}).to_string();
    let (body, stub) = serving(page(&all, 4).into_bytes());
    let tours = source(&editor, json!({"kind": "datatourisme", "url": format!("{}/catalog", stub.url)})).await;
    let run = run_source(&app, &editor, &tours).await;
    assert_eq!((&run["state"], &run["counts"]["created"]), (&json!("done"), &json!(3)), "{run}");
    for _ in 0..2 {
        serve(&body, page(&all[2..], 4));
        let run = run_source(&app, &editor, &tours).await;
        assert_eq!((&run["state"], &run["counts"]["gone"]), (&json!("done"), &json!(0)), "{run}");
        assert_eq!(partial(&editor, &run).await, ["2", "4"]);
    }
    serve(&body, page(&all[1..], 3));
    let run = run_source(&app, &editor, &tours).await;
    assert_eq!(run["counts"]["gone"], 1, "{run}");
}

#[app_test]
async fn the_report_lists_the_first_refused_items_and_counts_the_others(app: TestApp) {
    let editor = app.editor_of("morvan");
    let empty = json!({"type": "Feature", "id": "x", "properties": {}, "geometry": null});
    let (_body, stub) = serving(collection(&vec![empty; 5_020]));
    let ways = source(&editor, json!({"kind": "features", "url": format!("{}/ways", stub.url)})).await;
    let run = run_source(&app, &editor, &ways).await;
    let refused = run["counts"]["refused"].as_i64().unwrap();
    assert!(refused > 5_000, "{run}");
    let listed =
        editor.get(format!("/api/v1/import-runs/{}/lines?outcome=refused", run["id"])).await.expect(200).json();
    assert_eq!(listed["total"], 5_000);
    let kept = lines_of_run(&editor, &run, "kept").await;
    assert_eq!(kept.iter().map(codes).collect::<Vec<_>>(), [["import/more-refused"]], "{run}");
    assert_eq!(kept[0]["notes"][0]["params"], json!({"count": (refused - 5_000).to_string(), "max": "5000"}));
}

/// A source of two pages that counts its four items, or none, and whether its pages overlap.
fn overlapping(total: Option<u32>) -> (Arc<Mutex<bool>>, Stub) {
    let numbered = |at: u32| {
        let mut way = way(&format!("Voie {at}"), &east(47.0 + f64::from(at) * 0.1, 500.0));
        way["id"] = json!(format!("w{at}"));
        way
    };
    let ways: Vec<Value> = (0..4).map(numbered).collect();
    let is_shifted = Arc::new(Mutex::new(false));
    let shifted = Arc::clone(&is_shifted);
    let stub = Stub::start(move |path, _| {
        let (features, links) = match (path, *shifted.lock().unwrap()) {
            ("/voies", _) => (&ways[..2], json!([{"rel": "next", "href": "/voies?page=2"}])),
            (_, false) => (&ways[2..], json!([])),
            // Without a stable order: one of the first page again, and the last one on no page.
            (_, true) => (&ways[1..3], json!([])),
        };
        json!({"type": "FeatureCollection", "numberMatched": total, "features": features, "links": links}).into()
    });
    (is_shifted, stub)
}

#[app_test]
async fn pages_that_overlap_unpublish_nothing(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (is_shifted, stub) = overlapping(Some(4));
    let url = format!("{}/voies", stub.url);
    let voies = source(&editor, json!({"kind": "features", "url": url, "force_published": "published"})).await;
    let run = run_source(&app, &editor, &voies).await;
    assert_eq!(run["counts"]["created"], 4, "{run}");
    let last = made(&editor, &run, "Voie 3").await;
    *is_shifted.lock().unwrap() = true;
    for _ in 0..2 {
        let run = run_source(&app, &editor, &voies).await;
        assert_eq!((&run["state"], &run["counts"]["gone"]), (&json!("done"), &json!(0)), "{run}");
        assert_eq!(partial(&editor, &run).await, ["3", "4"]);
        let refused = lines_of_run(&editor, &run, "refused").await;
        assert_eq!(refused.iter().map(codes).collect::<Vec<_>>(), [["import/repeated-id"]]);
    }
    assert_eq!(now(&editor, &last).await["published"], true);
}

#[app_test]
async fn pages_that_overlap_unpublish_nothing_where_their_source_counts_nothing(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (is_shifted, stub) = overlapping(None);
    let url = format!("{}/voies", stub.url);
    let voies = source(&editor, json!({"kind": "features", "url": url, "force_published": "published"})).await;
    let run = run_source(&app, &editor, &voies).await;
    assert_eq!(run["counts"]["created"], 4, "{run}");
    let last = made(&editor, &run, "Voie 3").await;
    *is_shifted.lock().unwrap() = true;
    let run = run_source(&app, &editor, &voies).await;
    assert_eq!((&run["state"], &run["counts"]["gone"]), (&json!("done"), &json!(0)), "{run}");
    let kept = lines_of_run(&editor, &run, "kept").await;
    assert_eq!(kept.iter().map(codes).collect::<Vec<_>>(), [["import/pages-overlap"]], "{run}");
    assert_eq!(now(&editor, &last).await["published"], true);
}

#[app_test]
async fn a_point_that_a_later_page_has_again_is_the_one_of_the_first_page(app: TestApp) {
    let editor = app.editor_of("morvan");
    let point = |id: &str, name: &str, east: f64| {
        json!({"type": "Feature", "id": id, "properties": {"nom": name},
            "geometry": {"type": "Point", "coordinates": [east, 47.2]}})
    };
    let first = [point("p1", "Lavoir", 4.1), point("p2", "Source", 4.2)];
    let second = [point("p2", "Source tarie", 4.3), point("p3", "Croix", 4.4)];
    let stub = Stub::start(move |path, _| {
        let (features, links) = match path {
            "/points" => (&first, json!([{"rel": "next", "href": "/points?page=2"}])),
            _ => (&second, json!([])),
        };
        json!({"type": "FeatureCollection", "features": features, "links": links}).into()
    });
    let fields = json!([{"to": "title", "from": ["nom"]}]);
    let url = format!("{}/points", stub.url);
    let points = source(&editor, json!({"kind": "features", "url": url, "takes_pois": true, "fields": fields})).await;
    for expected in [3, 0] {
        let run = run_source(&app, &editor, &points).await;
        assert_eq!((&run["state"], &run["counts"]["pois"]), (&json!("done"), &json!(expected)), "{run}");
        let refused = lines_of_run(&editor, &run, "refused").await;
        assert_eq!(refused.iter().map(codes).collect::<Vec<_>>(), [["import/repeated-id"]]);
        let found = editor.get("/api/v1/pois?sort=title").await.expect(200).json();
        let mut names: Vec<&str> =
            found["items"].as_array().unwrap().iter().map(|poi| poi["title"]["fr"].as_str().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, ["Croix", "Lavoir", "Source"]);
    }
}

#[app_test]
async fn an_item_that_a_page_has_twice_is_counted_twice(app: TestApp) {
    let editor = app.editor_of("morvan");
    let numbered = |at: u32| {
        let mut way = way(&format!("Voie {at}"), &east(47.0 + f64::from(at) * 0.1, 500.0));
        way["id"] = json!(format!("w{at}"));
        way
    };
    let ways: Vec<Value> = (0..4).map(numbered).collect();
    let lacks = Arc::new(Mutex::new(false));
    let one_less = Arc::clone(&lacks);
    let stub = Stub::start(move |path, _| {
        let lacks = *one_less.lock().unwrap();
        // Its second page has one of its items twice, at each time.
        let (features, links) = match path {
            "/voies" => (vec![&ways[0], &ways[1]], json!([{"rel": "next", "href": "/voies?page=2"}])),
            _ if lacks => (vec![&ways[2], &ways[2]], json!([])),
            _ => (vec![&ways[2], &ways[2], &ways[3]], json!([])),
        };
        let total = if lacks { 4 } else { 5 };
        json!({"type": "FeatureCollection", "numberMatched": total, "features": features, "links": links}).into()
    });
    let voies = source(&editor, json!({"kind": "features", "url": format!("{}/voies", stub.url)})).await;
    for (is_without, expected) in [(false, [4, 0]), (false, [0, 0]), (true, [0, 1])] {
        *lacks.lock().unwrap() = is_without;
        let run = run_source(&app, &editor, &voies).await;
        let counts = ["created", "gone"].map(|name| run["counts"][name].as_i64().unwrap());
        assert_eq!((&run["state"], counts), (&json!("done"), expected), "{run}");
        assert!(lines_of_run(&editor, &run, "kept").await.is_empty(), "all came that it counts");
    }
}

#[app_test]
async fn an_empty_last_page_unpublishes_nothing(app: TestApp) {
    let editor = app.editor_of("morvan");
    let ways: Vec<Value> =
        (0..4).map(|at| way(&format!("Voie {at}"), &east(47.0 + f64::from(at) * 0.1, 500.0))).collect();
    let is_empty = Arc::new(Mutex::new(false));
    let empty = Arc::clone(&is_empty);
    let stub = Stub::start(move |path, _| {
        let (features, links) = match (path, *empty.lock().unwrap()) {
            ("/voies", _) => (&ways[..2], json!([{"rel": "next", "href": "/voies?page=2"}])),
            (_, false) => (&ways[2..], json!([])),
            (_, true) => (&ways[..0], json!([])),
        };
        json!({"type": "FeatureCollection", "features": features, "links": links}).into()
    });
    let voies = source(&editor, json!({"kind": "features", "url": format!("{}/voies", stub.url)})).await;
    let run = run_source(&app, &editor, &voies).await;
    assert_eq!(run["counts"]["created"], 4, "{run}");
    *is_empty.lock().unwrap() = true;
    let run = run_source(&app, &editor, &voies).await;
    assert_eq!((&run["state"], &run["counts"]["gone"]), (&json!("done"), &json!(0)), "{run}");
}

#[app_test]
async fn an_upload_that_breaks_off_is_not_reported_as_too_large(app: TestApp) {
    let editor = app.editor_of("morvan");
    for (list, kind) in [("import-sources", "files"), ("sit-sources", "geotrek")] {
        let made = json!({"name": "Le parc", "kind": kind});
        let made = editor.post(format!("/api/v1/{list}"), made).await.expect(201).json();
        let pieces = [Ok(Bytes::from_static(b"PK")), Err(Error::from(ErrorKind::ConnectionReset))];
        let body = axum::body::Body::from_stream(stream::iter(pieces));
        let path = format!("/api/v1/{list}/{}/file?file_name=a.zip", made["id"]);
        let sent = editor.clone().at_version(1).send(Method::PUT, &path, None, body).await;
        assert_eq!(sent.expect(400).problem().code, "request/broken-body", "{list}");
    }
}

/// A circuit of Cirkwi whose line is at an address.
fn circuit(id: &str, line: &str) -> String {
    format!(
        r#"<circuit id_circuit="{id}"><informations><information langue="fr_FR"><titre>Tour {}</titre></information></informations>
        <fichier_trace url="{line}"/></circuit>"#,
        id.trim()
    )
}

#[app_test]
async fn a_part_of_the_circuits_that_a_source_counts_unpublishes_nothing(app: TestApp) {
    let editor = app.editor_of("morvan");
    let points: Vec<(f64, f64)> = (0..20).map(|at| (4.0 + f64::from(at) * 0.001, 47.1)).collect();
    let body: Body = Arc::default();
    let (held, file) = (Arc::clone(&body), gpx(&points).into_bytes());
    let stub =
        Stub::start(
            move |path, _| {
                if path.ends_with(".gpx") { file.clone().into() } else { held.lock().unwrap().clone().into() }
            },
        );
    let line = format!("{}/tour.gpx", stub.url);
    let circuits = |ids: &[&str], total: usize| {
        let items: String = ids.iter().map(|id| circuit(id, &line)).collect();
        format!(r#"<circuits version="2"><listing_ids nb_objects="{total}"/>{items}</circuits>"#)
    };
    let url = format!("{}/circuits.xml", stub.url);
    let tours = source(&editor, json!({"kind": "cirkwi", "url": url, "force_published": "published"})).await;
    // An identifier with blanks around it is the same in the list of the source as in its circuit.
    let cases: [(&[&str], usize, [i64; 2]); 5] = [
        (&["1", "2", "3", " 4 "], 4, [4, 0]),
        (&["1", "2", "3", " 4 "], 4, [0, 0]),
        (&["1", "2"], 4, [0, 0]),
        (&["1", "2"], 2, [0, 2]),
        // One that a source has twice counts twice, as in its own count.
        (&["1", "1"], 2, [0, 1]),
    ];
    for (ids, total, expected) in cases {
        serve(&body, circuits(ids, total));
        let run = run_source(&app, &editor, &tours).await;
        let counts = ["created", "gone"].map(|name| run["counts"][name].as_i64().unwrap());
        assert_eq!((&run["state"], counts), (&json!("done"), expected), "{ids:?} of {total}: {run}");
    }
}
