//! Links of providers: their owner, their page, their end and their restoration.

use axum::http::StatusCode;
use macros::app_test;
use serde_json::{Value, json};
use testkit::TestApp;

use crate::catalogue_kit::{column, delete, faults, made, one, patch};
use crate::parcours_kit;

const PATH: &str = "/api/v1/provider-links";

/// A hotel 1,500 m west of where the parcours of these tests start.
fn hotel() -> Value {
    json!({"name": "Hôtel du Lac", "location": [3.98, 47.0], "address": "1 rue du Lac", "radius_km": 5})
}

/// A published parcours that starts at a longitude in degrees, on the 47th parallel.
async fn parcours(app: &TestApp, title: &str, east: f64) -> i64 {
    let editor = app.editor_of("morvan");
    let parcours = parcours_kit::made(&editor, title, json!({})).await;
    let line: Vec<(f64, f64)> = (0..20).map(|n| (east + f64::from(n) * 0.0005, 47.0)).collect();
    parcours_kit::imported(&editor, &parcours, "a.gpx", parcours_kit::gpx(&line)).await.expect(200);
    let parcours = parcours_kit::now(&editor, &parcours).await;
    parcours_kit::published(&editor, &parcours).await["id"].as_i64().unwrap()
}

/// The path of a link's page.
fn path(link: &Value) -> String {
    link["url"].as_str().unwrap().replace("http://localhost:8080", "")
}

#[app_test]
async fn the_page_of_a_provider_lists_nearby_parcours_the_nearest_first(app: TestApp) {
    let far = parcours(&app, "La crête", 4.03).await;
    let near = parcours(&app, "Tour du lac", 4.0).await;
    parcours(&app, "Trop loin", 4.2).await;
    let link = made(&app.editor_of("morvan"), PATH, hotel()).await;
    assert_eq!(path(&link), format!("/chez/hotel-du-lac-{}", link["id"]));
    let page = app.anonymous().get(path(&link)).await.expect(200);
    assert_eq!((page.header("cache-control"), page.header("x-robots-tag")), ("private, no-store", "noindex"));
    let text = page.text();
    assert!(text.contains("Hôtel du Lac\u{202f}: les parcours à proximité") && text.contains("1 rue du Lac"), "{text}");
    let place = |id: i64| text.find(&format!("-{id}?chez={}", link["id"])).expect("it is in the list");
    assert!(place(near) < place(far), "{text}");
    assert!(
        text.contains("à 1,5\u{202f}km") && text.contains("à 3,8\u{202f}km") && !text.contains("Trop loin"),
        "{text}"
    );
    let english = app.anonymous().get(format!("/en{}", path(&link))).await.expect(200).text();
    assert!(english.contains("Routes near Hôtel du Lac") && english.contains("/en/p/"), "{english}");
}

#[app_test]
async fn the_page_of_a_parcours_shows_the_distance_from_the_provider(app: TestApp) {
    let lake = parcours(&app, "Tour du lac", 4.0).await;
    let link = made(&app.editor_of("morvan"), PATH, hotel()).await;
    let asked = format!("/p/tour-du-lac-{lake}?chez={}", link["id"]);
    let page = app.anonymous().get(&asked).await.expect(200).text();
    assert!(page.contains("Depuis <strong>Hôtel du Lac</strong> : le départ est à 1,5\u{202f}km"), "{page}");
    assert!(page.contains(r#"data-from="3.98,47""#) && page.contains(&format!("href=\"{}\"", path(&link))), "{page}");
    // The language link and the former name keep where the reader comes from; addresses for search engines do not say it.
    let (own, english) = (format!("/p/tour-du-lac-{lake}"), format!("/en/p/tour-du-lac-{lake}"));
    assert!(page.contains(&format!("href=\"{english}?chez={}\"", link["id"])), "{page}");
    assert!(!page.contains(&format!("http://localhost:8080{english}?chez")), "{page}");
    let query = format!("chez={}&utm_source=affiche", link["id"]);
    let moved = app.anonymous().get(format!("/p/ancien-nom-{lake}?{query}")).await.expect(301);
    assert_eq!(moved.header("location"), format!("{own}?{query}"));
    for other in ["0", "x", "999999", "%3Cb%3E"] {
        let page = app.anonymous().get(format!("/p/tour-du-lac-{lake}?chez={other}")).await.expect(200).text();
        assert!(!page.contains("Depuis <strong>") && !page.contains("data-from"), "{other}");
    }
}

#[app_test]
async fn the_filters_of_a_link_apply_to_its_page(app: TestApp) {
    parcours(&app, "Tour du lac", 4.0).await;
    let terms = app.reader_of("morvan").get("/api/v1/vocabularies/practice_type").await.expect(200).json();
    let practice = terms["items"][0]["id"].as_i64().unwrap();
    let editor = app.editor_of("morvan");
    let link = made(&editor, PATH, hotel()).await;
    let narrowed = patch(&editor, PATH, &link, json!({"practice_ids": [practice]})).await.expect(200).json();
    assert!(app.anonymous().get(path(&link)).await.expect(200).text().contains("Aucun parcours publié"));
    patch(&editor, PATH, &narrowed, json!({"practice_ids": [], "radius_km": 1})).await.expect(200);
    assert!(app.anonymous().get(path(&link)).await.expect(200).text().contains("Aucun parcours publié"));
}

#[app_test]
async fn a_link_is_counted_withdrawn_and_opened_again_at_the_same_address(app: TestApp) {
    let editor = app.editor_of("morvan");
    let link = made(&editor, PATH, hotel()).await;
    let reader =
        app.anonymous().with("user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0");
    let opened = async || editor.get(one(PATH, &link)).await.expect(200).json()["opened"].clone();
    reader.get(path(&link)).await.expect(200);
    reader.get(path(&link)).await.expect(200);
    app.anonymous().with("user-agent", "Googlebot/2.1").get(path(&link)).await.expect(200);
    assert_eq!(opened().await, 2);
    let gone = patch(&editor, PATH, &link, json!({"revoked": true})).await.expect(200).json();
    assert!(reader.get(path(&link)).await.expect(410).text().contains("n’est plus valable"));
    // A new name gives a new slug: printed addresses still lead to the page.
    let back =
        patch(&editor, PATH, &gone, json!({"revoked": false, "name": "Auberge du Lac"})).await.expect(200).json();
    assert_ne!(path(&back), path(&link));
    assert!(reader.get(path(&link)).await.expect(200).text().contains("Auberge du Lac"));
    let qr = editor.get(format!("{}/qr.svg", one(PATH, &link))).await.expect(200);
    assert_eq!(qr.header("content-type"), "image/svg+xml");
    editor.get(format!("{}/qr.png?size=9999", one(PATH, &link))).await.expect(200);
    // The bin keeps its number, and how often it was opened.
    delete(&editor, PATH, &back, "").await.expect(204);
    reader.get(path(&link)).await.expect(404);
    let bin = editor.get("/api/v1/bin?kind=provider_link").await.expect(200).json();
    editor.post(format!("/api/v1/bin/{}/restoration", bin["items"][0]["id"]), json!({})).await.expect(200);
    assert_eq!(opened().await, 3);
    let history = editor.get(format!("{}/revisions", one(PATH, &link))).await.expect(200).json();
    assert!(history["items"].as_array().unwrap().len() >= 3, "{history}");
}

#[app_test]
async fn a_link_is_its_white_labels_own_and_its_logo_is_seen_through_its_page_alone(app: TestApp) {
    let editor = app.editor_of("morvan");
    let logo = app.media().made().insert().await;
    let mut body = hotel();
    body["logo_media_id"] = json!(logo.id);
    let link = made(&editor, PATH, body).await;
    let stranger = app.editor_of("vercors");
    assert_eq!(stranger.get(PATH).await.expect(200).json()["total"], 0);
    assert_eq!(stranger.get(one(PATH, &link)).await.expect(404).problem().code, "provider-link/not-found");
    assert_eq!(column(&app.reader_of("morvan").get(PATH).await.expect(200).json(), "/name"), ["Hôtel du Lac"]);
    let page = app.anonymous().get(path(&link)).await.expect(200).text();
    assert!(page.contains(&format!("src=\"{}/logo\"", path(&link))), "{page}");
    let picture = app.anonymous().get(format!("{}/logo", path(&link))).await.expect(200);
    assert_eq!(picture.header("content-type"), "image/webp");
    // A white-label whose site is closed shows none of its pages.
    let id = app.white_label("morvan").await;
    app.superadmin()
        .with("if-match", "*")
        .patch(format!("/api/v1/white-labels/{id}"), json!({"published": false}))
        .await
        .expect(200);
    let closed = app.anonymous().get(path(&link)).await;
    assert_eq!(closed.status, StatusCode::NOT_FOUND);
}

#[app_test]
async fn a_fault_of_a_link_is_reported_on_its_field(app: TestApp) {
    let editor = app.editor_of("morvan");
    let wrong =
        json!({"name": " ", "website": "ftp://x", "radius_km": 500, "location": [4.0, 147.0], "language": "de"});
    assert_eq!(faults(editor.post(PATH, wrong).await), ["validation/wrong-type /language"]);
    let wrong = json!({"name": " ", "website": "ftp://x", "radius_km": 500, "location": [4.0, 147.0]});
    assert_eq!(
        faults(editor.post(PATH, wrong).await),
        [
            "validation/required /name",
            "validation/position-outside-world /location",
            "validation/url-scheme /website",
            "validation/out-of-range /radius_km",
        ]
    );
    let missing = json!({"name": "A", "logo_media_id": 999});
    assert_eq!(
        faults(editor.post(PATH, missing).await),
        ["validation/required /location", "validation/unknown-reference /logo_media_id"]
    );
}
