//! The list of parcours: searched, filtered, sorted, counted, mapped, exported.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, TestApp};

use crate::contract::assert_as_described;
use crate::parcours_kit::{eastward, gpx, imported, made, patch, path, published, shared, titles};

async fn page(by: &Client, query: &str) -> Value {
    by.get(format!("/api/v1/parcours?{query}")).await.expect(200).json()
}

#[app_test]
async fn a_row_has_the_columns_of_the_list(app: TestApp) {
    let editor = app.editor_of("morvan");
    made(&editor, "Tour du lac", json!({"is_loop": true, "title": {"fr": "Tour du lac", "en": "Around the lake"}}))
        .await;
    let reply = editor.get("/api/v1/parcours").await.expect(200);
    let rows: Vec<content::parcours::ParcoursRow> = serde_json::from_value(reply.json()["items"].clone()).unwrap();
    let row = &rows[0];
    assert_eq!((row.title.fr(), row.mine, row.published, row.stages, row.children), ("Tour du lac", true, false, 0, 0));
    assert_eq!(row.languages, ["fr", "en"]);
    assert_eq!(row.missing, ["summary", "summary_en", "description", "description_en", "practice", "level", "trace"]);
    let found = serde_json::to_value(row).unwrap();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<std::collections::BTreeSet<_>>();
    assert_eq!(
        keys(&reply.json()["items"][0]),
        keys(&found),
        "what is passed through has the fields the contract tells"
    );
    assert_eq!(reply.json()["counts"], json!({"mine": 1, "shared": 0, "hidden_by_progress": 0}));
}

#[app_test]
async fn a_search_finds_every_word_without_its_accents(app: TestApp) {
    let editor = app.editor_of("morvan");
    made(&editor, "Forêt d’Éguzon", json!({"summary": {"fr": "Un œil sur le lac"}})).await;
    made(&editor, "Le lac bleu", json!({"description": {"fr": "<p>Sentier <strong>forestier</strong></p>"}})).await;
    made(&editor, "Crêtes", json!({"steps": [{"kind": "step", "position": [4, 47], "title": {"fr": "Col du Chat"}}]}))
        .await;
    for (asked, found) in [
        ("search=foret", vec!["Forêt d’Éguzon"]),
        ("search=LAC&sort=title", vec!["Forêt d’Éguzon", "Le lac bleu"]),
        ("search=bleu%20lac", vec!["Le lac bleu"]),
        ("search=oeil%20eguzon", vec!["Forêt d’Éguzon"]),
        ("search=lac%20for&sort=title", vec!["Forêt d’Éguzon", "Le lac bleu"]),
        ("search=for%20lac", vec![]),
        ("search=chat", vec!["Crêtes"]),
        ("search=strong", vec![]),
        ("search=lac%20mer", vec![]),
        ("search=%22%20OR%20*&sort=title", vec![]),
        ("search=%27%3B%20--", vec!["Crêtes", "Le lac bleu", "Forêt d’Éguzon"]),
    ] {
        assert_eq!(titles(&editor, asked).await, found, "{asked}");
    }
}

#[app_test]
async fn a_search_follows_what_is_saved(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let renamed = patch(&editor, &parcours, json!({"title": {"fr": "Étang"}})).await;
    assert!(titles(&editor, "search=lac").await.is_empty());
    assert_eq!(titles(&editor, "search=etang").await, ["Étang"]);
    editor.clone().at_version(2).delete(path(&renamed)).await.expect(204);
    assert!(titles(&editor, "search=etang").await.is_empty());
}

async fn term(app: &TestApp, kind: domain::vocabulary::VocabularyKind, rank: usize) -> i64 {
    store::vocabulary::list(app.store().read(), kind).await.unwrap()[rank].id.0
}

#[app_test]
async fn each_filter_keeps_only_matching_parcours(app: TestApp) {
    use domain::vocabulary::VocabularyKind::{Level, ParcoursTheme, PracticeType};
    let editor = app.editor_of("morvan");
    let (walk, ride) = (term(&app, PracticeType, 0).await, term(&app, PracticeType, 1).await);
    let (level, theme) = (term(&app, Level, 0).await, term(&app, ParcoursTheme, 0).await);
    let a = made(&editor, "A", json!({"practice_type_id": walk, "level_id": level})).await;
    let b =
        made(&editor, "B", json!({"practice_type_id": ride, "theme_ids": [theme], "progress_status": "to_fix"})).await;
    let model = made(&editor, "M", json!({"relation": "model_only"})).await;
    made(&editor, "C", json!({"relation": "child", "parent_id": model["id"]})).await;
    published(&editor, &a).await;
    for (query, found) in [
        (String::new(), vec!["A", "C", "M"]),
        (format!("practice={walk}"), vec!["A"]),
        (format!("practice={walk},{ride}&progress=any"), vec!["A", "B"]),
        (format!("level={level}"), vec!["A"]),
        (format!("theme={theme}&progress=any"), vec!["B"]),
        (format!("theme={theme}"), vec![]),
        ("published=true".to_owned(), vec!["A"]),
        ("published=false".to_owned(), vec!["C", "M"]),
        ("progress=to_fix,archived".to_owned(), vec!["B"]),
        ("progress=any".to_owned(), vec!["A", "B", "C", "M"]),
        ("relation=model_only".to_owned(), vec!["M"]),
        ("relation=child,child_only".to_owned(), vec!["C"]),
        (format!("ids={},{}&progress=any", a["id"], b["id"]), vec!["A", "B"]),
        ("incomplete=true".to_owned(), vec!["A", "C", "M"]),
        ("reliability_below=95".to_owned(), vec![]),
    ] {
        assert_eq!(titles(&editor, &format!("{query}&sort=title")).await, found, "{query}");
    }
    assert_eq!(page(&editor, "").await["counts"], json!({"mine": 3, "shared": 0, "hidden_by_progress": 1}));
    assert_eq!(page(&editor, &format!("theme={theme}")).await["counts"]["hidden_by_progress"], 1);
}

#[app_test]
async fn a_filter_by_practice_includes_its_children(app: TestApp) {
    let practices =
        store::vocabulary::list(app.store().read(), domain::vocabulary::VocabularyKind::PracticeType).await.unwrap();
    let below = practices.iter().find(|practice| practice.parent_id.is_some()).unwrap();
    let editor = app.editor_of("morvan");
    made(&editor, "Lac", json!({"practice_type_id": below.id})).await;
    let above = below.parent_id.unwrap();
    assert_eq!(titles(&editor, &format!("practice={above}")).await, ["Lac"]);
    assert_eq!(titles(&editor, &format!("practice={above}&search=lac")).await, ["Lac"]);
    assert_eq!(page(&editor, &format!("practice={above}")).await["total"], 1);
}

#[app_test]
async fn a_filter_that_cannot_be_read_names_its_parameter(app: TestApp) {
    let editor = app.editor_of("morvan");
    for query in
        ["practice=x", "bbox=1,2", "owner=me", "sort=colour", "progress=lost", "reliability_below=a", "published=2"]
    {
        let problem = editor.get(format!("/api/v1/parcours?{query}")).await.expect(400).problem();
        assert_eq!(problem.code, "request/bad-query");
        assert_eq!(problem.params["name"].as_str(), query.split('=').next(), "{query}");
    }
}

#[app_test]
async fn a_person_sees_their_own_parcours_and_those_that_others_share(app: TestApp) {
    let (morvan, vercors) = (app.editor_of("morvan"), app.editor_of("vercors"));
    made(&morvan, "À nous", json!({})).await;
    made(&vercors, "Leur brouillon", json!({})).await;
    shared(&vercors, "Le leur").await;
    assert_eq!(titles(&morvan, "sort=title").await, ["À nous", "Le leur"]);
    assert_eq!(titles(&morvan, "owner=mine").await, ["À nous"]);
    assert_eq!(titles(&morvan, "owner=shared").await, ["Le leur"]);
    assert_eq!(page(&morvan, "owner=mine").await["counts"], json!({"mine": 1, "shared": 1, "hidden_by_progress": 0}));
    let theirs = app.white_label("vercors").await;
    assert_eq!(titles(&morvan, &format!("white_label={theirs}")).await, ["Le leur"]);
    assert_eq!(
        page(&morvan, &format!("white_label={theirs}")).await["counts"],
        json!({"mine": 0, "shared": 1, "hidden_by_progress": 0})
    );
}

#[app_test]
async fn a_list_is_sorted_and_paged(app: TestApp) {
    let editor = app.editor_of("morvan");
    for (title, priority) in [("Été", 0), ("abeille", 2), ("Zénith", 1)] {
        made(&editor, title, json!({"display_priority": priority})).await;
        app.clock().advance_s(10);
    }
    assert_eq!(titles(&editor, "sort=title").await, ["abeille", "Été", "Zénith"]);
    assert_eq!(titles(&editor, "sort=-title").await, ["Zénith", "Été", "abeille"]);
    assert_eq!(titles(&editor, "").await, ["Zénith", "abeille", "Été"]);
    assert_eq!(titles(&editor, "sort=updated_at").await, ["Été", "abeille", "Zénith"]);
    assert_eq!(titles(&editor, "sort=-priority").await, ["abeille", "Zénith", "Été"]);
    let second = page(&editor, "sort=title&per_page=2&page=2").await;
    assert_eq!(
        (&second["items"][0]["title"]["fr"], &second["total"], &second["total_capped"]),
        (&json!("Zénith"), &json!(3), &json!(false))
    );
}

#[app_test]
async fn the_tabs_count_with_the_same_filters(app: TestApp) {
    let editor = app.editor_of("morvan");
    made(&editor, "Un", json!({})).await;
    made(&editor, "Deux", json!({"is_loop": true})).await;
    let counts = editor.get("/api/v1/parcours/views?search=deux").await.expect(200).json();
    assert_eq!(counts, json!({"all": 1, "incomplete": 1, "low_reliability": 0}));
}

#[app_test]
async fn the_map_shows_lines_where_they_are_few_and_a_box_narrows_the_list(app: TestApp) {
    let editor = app.editor_of("morvan");
    let here = made(&editor, "Ici", json!({})).await;
    imported(&editor, &here, "a.gpx", gpx(&eastward())).await.expect(200);
    made(&editor, "Sans trace", json!({})).await;
    let map = editor.get("/api/v1/parcours/map?zoom=10").await.expect(200).json();
    assert_eq!((&map["total"], &map["items"][0]["title"]["fr"]), (&json!(1), &json!("Ici")));
    assert_eq!(map["items"][0]["start"], json!([4.0, 47.0]));
    assert_eq!(map["items"][0]["line"], json!([[4.0, 47.0], [4.01, 47.0]]), "a straight line has two points");
    assert_eq!(titles(&editor, "bbox=3.9,46.9,4.005,47.1").await, ["Ici"]);
    assert!(titles(&editor, "bbox=4.1,46.9,4.2,47.1").await.is_empty());
}

#[app_test]
async fn the_map_groups_them_where_they_are_many(app: TestApp) {
    let editor = app.editor_of("morvan");
    let wl = app.white_label("morvan").await;
    let tx = app.store().begin().await.unwrap();
    let languages = vec!["fr".to_owned()];
    for index in 0..160 {
        let lon = if index % 2 == 0 { 4.0 } else { 5.0 };
        store::parcours::insert(&tx, &kit::with_line(wl, lon), kit::change(&languages)).await.unwrap();
    }
    tx.commit().await.unwrap();
    let map = editor.get("/api/v1/parcours/map?zoom=8").await.expect(200).json();
    let counts: Vec<_> =
        map["clusters"].as_array().unwrap().iter().map(|cell| cell["count"].as_i64().unwrap()).collect();
    assert_eq!((counts, map["items"].as_array().unwrap().len(), &map["total"]), (vec![80, 80], 0, &json!(160)));
    assert_eq!(map["clusters"][1]["position"], json!([5.0, 47.0]));
    let far = editor.get("/api/v1/parcours/map?zoom=2").await.expect(200).json();
    assert_eq!(far["clusters"].as_array().unwrap().len(), 1, "from far away they are one");
}

/// Parcours straight into the store, as an import makes them.
mod kit {
    use domain::parcours::{Drawing, Leg, LegKind, ReliabilityState, Sheet, TraceMode, TraceOrigin, TraceSummary};
    use domain::{Instant, Text, WhiteLabelId};
    use store::parcours::{Change, NewParcours, NewTrace, TraceExtra};
    use trace::Position;

    pub fn change(languages: &[String]) -> Change<'_> {
        Change { by: None, at: Instant(1_795_161_600), reason: Some("import"), languages }
    }

    pub fn with_line(white_label_id: WhiteLabelId, lon: f64) -> NewParcours {
        let line = vec![Position::new(lon, 47.0), Position::new(lon + 0.01, 47.0)];
        NewParcours {
            white_label_id,
            published: false,
            sheet: Sheet { title: Text::in_french("Boucle"), ..Sheet::default() },
            steps: Vec::new(),
            trace: Some(NewTrace {
                drawing: Drawing { start: Some([lon, 47.0]), ..Drawing::default() },
                shape: line.clone(),
                legs: vec![Leg { kind: LegKind::Source, line }],
                planned_line: None,
                source_line: None,
                extra: TraceExtra::default(),
                summary: TraceSummary {
                    mode: TraceMode::Source,
                    origin: TraceOrigin::Imported,
                    source_file: None,
                    distance_m: Some(760.0),
                    duration_s: None,
                    distance_typed_m: None,
                    duration_typed_s: None,
                    duration_recorded_s: None,
                    ascent_m: None,
                    descent_m: None,
                    min_ele_m: None,
                    max_ele_m: None,
                    profile: None,
                    reliability: None,
                    reliability_state: ReliabilityState::Source,
                    bbox: Some([lon, 47.0, lon + 0.01, 47.0]),
                    repairs: Vec::new(),
                    pieces: 1,
                    computed_at: Instant(1_795_161_600),
                    engine: None,
                    data_date: None,
                    network: None,
                    notice: None,
                    revision: 0,
                },
            }),
        }
    }
}

#[app_test]
async fn a_list_is_exported_as_geojson_and_csv(app: TestApp) {
    let editor = app.editor_of("morvan");
    let here = made(&editor, "Ici; \"là\"", json!({})).await;
    imported(&editor, &here, "a.gpx", gpx(&eastward())).await.expect(200);
    made(&editor, "=Ailleurs", json!({})).await;
    let reader = app.reader_of("morvan");
    let geojson = reader.get("/api/v1/parcours/export.geojson?search=ici").await.expect(200);
    assert_eq!(geojson.header("content-type"), "application/geo+json");
    let collection = geojson.json();
    assert_as_described("GET", "/api/v1/parcours/export.geojson", 200, "application/geo+json", &collection);
    let trace = reader.get(format!("{}/trace.geojson", path(&here))).await.expect(200).json();
    assert_as_described("GET", "/api/v1/parcours/{id}/trace.geojson", 200, "application/geo+json", &trace);
    assert_eq!(collection["features"].as_array().unwrap().len(), 1);
    assert_eq!(collection["features"][0]["geometry"]["coordinates"].as_array().unwrap().len(), 11);
    assert_eq!(collection["features"][0]["properties"]["title"]["fr"], "Ici; \"là\"");
    let nothing = reader.get("/api/v1/parcours/export.geojson?search=rien").await.expect(200).json();
    assert_eq!(nothing, json!({"type": "FeatureCollection", "features": []}));
    let csv = reader.get("/api/v1/parcours/export.csv?sort=title").await.expect(200);
    assert!(csv.header("content-disposition").contains("parcours.csv"));
    let text = csv.text();
    let lines: Vec<_> = text.trim_start_matches('\u{feff}').lines().collect();
    assert!(lines[0].starts_with("id;title_fr;title_en;white_label;published;"), "{}", lines[0]);
    assert_eq!(lines.len(), 3);
    assert!(text.contains("\"Ici; \"\"là\"\"\"") && text.contains("'=Ailleurs"), "{text}");
    // More than are read at once.
    for number in 0..60 {
        made(&editor, &format!("Foule {number}"), json!({})).await;
    }
    let crowd = reader.get("/api/v1/parcours/export.geojson?search=foule").await.expect(200).json();
    let features = crowd["features"].as_array().unwrap();
    let ids: std::collections::BTreeSet<_> = features.iter().filter_map(|one| one["id"].as_i64()).collect();
    assert_eq!((features.len(), ids.len()), (60, 60));
}
