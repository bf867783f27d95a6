//! The site of a white-label at its own domain: the list of what is published there.

use macros::app_test;
use serde_json::json;
use testkit::TestApp;

use crate::feeds::patch_white_label;
use crate::parcours_kit::{eastward, gpx, imported, made, now, published, shared};

const HOST: &str = "morvan.carte.localhost";

#[app_test]
async fn the_domain_of_a_white_label_shows_its_published_parcours(app: TestApp) {
    patch_white_label(&app, "morvan", json!({"domain": format!("https://{HOST}")})).await;
    let (editor, visitor) = (app.editor_of("morvan"), app.anonymous().with("host", HOST));
    let empty = visitor.get("/").await.expect(200).text();
    assert!(empty.contains("Aucun parcours n’est publié ici") && !empty.contains("near-map"), "{empty}");

    let fields = json!({"description": {"fr": "<p>À voir.</p>"}, "distribute_own": true});
    let lake = made(&editor, "Tour du lac", fields).await;
    imported(&editor, &lake, "lac.gpx", gpx(&eastward())).await.expect(200);
    published(&editor, &now(&editor, &lake).await).await;
    made(&editor, "Encore un brouillon", json!({})).await;
    shared(&app.editor_of("vercors"), "Ailleurs").await;

    let page = visitor.get("/").await.expect(200);
    assert_eq!(page.header("cache-control"), "public, max-age=60");
    let etag = page.header("etag").to_owned();
    visitor.clone().with("if-none-match", &etag).get("/").await.expect(304);
    let text = page.text();
    let href = format!("href=\"/p/tour-du-lac-{}\"", lake["id"]);
    assert!(text.contains(&href) && text.contains("id=\"near-map\""), "{text}");
    assert!(
        !text.contains("brouillon") && !text.contains("Ailleurs"),
        "what is a draft or of others is not there: {text}"
    );
    assert!(text.contains(&format!("rel=\"canonical\" href=\"https://{HOST}/\"")), "{text}");
    let sheet = format!("/p/tour-du-lac-{}", lake["id"]);
    let home = |text: &str, path: &str| text.contains(&format!("<a class=\"publisher\" href=\"{path}\">"));
    assert!(home(&visitor.get(&sheet).await.expect(200).text(), "/"), "its page leads to the home page");
    assert!(home(&visitor.get(format!("/en{sheet}")).await.expect(200).text(), "/en/"), "in its language");
    let elsewhere = app.anonymous().get(&sheet).await.expect(200).text();
    assert!(
        home(&elsewhere, &format!("https://{HOST}/")),
        "at the server's own host it leads to the domain: {elsewhere}"
    );
    let elsewhere = app.anonymous().get(format!("/en{sheet}")).await.expect(200).text();
    assert!(home(&elsewhere, &format!("https://{HOST}/en/")), "in its language: {elsewhere}");

    let english = visitor.get("/en/").await.expect(200).text();
    assert!(english.contains(&format!("href=\"/en/p/tour-du-lac-{}\"", lake["id"])), "{english}");
    assert!(english.contains("<html lang=\"en\">") && english.contains("1\u{a0}route<"), "{english}");
    visitor.get("/?page=2").await.expect(404);
    assert!(visitor.get("/robots.txt").await.expect(200).text().contains("Allow: /$"));

    // At the server's own host `/` is the web app, which tests do not have; an unpublished site answers 404 with a page.
    app.anonymous().get("/").await.expect(404);
    assert!(!app.anonymous().get("/robots.txt").await.expect(200).text().contains("Allow: /$"));
    patch_white_label(&app, "morvan", json!({"published": false})).await;
    let unpublished = visitor.get("/").await.expect(404).text();
    assert!(unpublished.contains("<html lang=\"fr\">"), "a page, and not the web app: {unpublished}");
}

#[app_test]
async fn a_proxy_may_get_a_certificate_for_the_domain_of_a_published_site_alone(app: TestApp) {
    let ask = async |domain: &str, status: u16| {
        app.anonymous().get(format!("/certificates/ask?domain={domain}")).await.expect(status)
    };
    ask(HOST, 404).await;
    patch_white_label(&app, "morvan", json!({"domain": format!("https://{HOST}")})).await;
    for name in [HOST, "MORVAN.carte.localhost", "morvan.carte.localhost."] {
        assert_eq!(ask(name, 200).await.text(), "yes");
    }
    let long = "a".repeat(5_000);
    for name in [
        "",
        "localhost",
        "vercors.carte.localhost",
        "morvan.carte.localhost:443",
        "https%3A%2F%2Fmorvan.carte.localhost",
        &long,
    ] {
        ask(name, 404).await;
    }
    app.anonymous().get("/certificates/ask").await.expect(404);
    patch_white_label(&app, "morvan", json!({"published": false})).await;
    ask(HOST, 404).await;
}
