//! The built web app, served.

use std::borrow::Cow;
use std::sync::Arc;

use app::{Asset, Assets};
use macros::app_test;
use testkit::TestApp;

struct Built;

impl Assets for Built {
    fn get(&self, path: &str) -> Option<Asset> {
        let (bytes, mime): (&'static [u8], &str) = match path {
            "index.html" => (b"<!doctype html><title>Jalon</title>", "text/html; charset=utf-8"),
            "assets/app-1a2b.js.br" => (b"packed", "application/octet-stream"),
            "terrain/index.html" => (b"<!doctype html><title>Terrain</title>", "text/html; charset=utf-8"),
            "assets/app-1a2b.js"
            | "public-page/worker.js"
            | "public-page/page.js"
            | "terrain/worker.js"
            | "terrain/assets/index-1a2b.js" => (b"plain", "text/javascript"),
            "favicon.svg" => (b"<svg/>", "image/svg+xml"),
            ".vite/manifest.json" | "terrain/.vite/manifest.json" => (b"{}", "application/json"),
            _ => return None,
        };
        Some(Asset { bytes: Cow::Borrowed(bytes), mime: mime.to_owned(), etag: "e1".to_owned() })
    }
}

fn with_web(app: &TestApp) -> TestApp {
    app.changed(|parts| parts.assets = Arc::new(Built))
}

#[app_test]
async fn every_path_of_the_web_app_gets_its_page(app: TestApp) {
    let browser = with_web(&app).anonymous().with("accept", "text/html,*/*");
    for path in ["/", "/parcours", "/en/parcours/12", "/login?backurl=%2Fparcours"] {
        let page = browser.get(path).await.expect(200);
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8", "{path}");
        assert_eq!(page.header("cache-control"), "no-cache");
        assert!(page.header("content-security-policy").contains("script-src 'self'"));
    }
    for path in ["/api/v1/nothing", "/map/nothing/x/y/z", "/media/x"] {
        assert_eq!(browser.get(path).await.expect(404).problem().code, "not-found", "{path}");
    }
    // Monitors and link checkers take anything, or say nothing.
    for monitor in [with_web(&app).anonymous().with("accept", "*/*"), with_web(&app).anonymous()] {
        for path in ["/", "/parcours", "/en/parcours/12"] {
            let page = monitor.get(path).await.expect(200);
            assert_eq!(page.header("content-type"), "text/html; charset=utf-8", "{path}");
        }
        monitor.get("/missing.png").await.expect(404);
    }
    with_web(&app).anonymous().with("accept", "application/json").get("/parcours").await.expect(404);
}

#[app_test]
async fn files_of_hidden_folders_are_not_served(app: TestApp) {
    for path in ["/.vite/manifest.json", "/terrain/.vite/manifest.json", "//.vite/manifest.json"] {
        with_web(&app).anonymous().get(path).await.expect(404);
    }
}

#[app_test]
async fn the_address_of_a_public_page_with_a_slash_leads_to_the_one_without(app: TestApp) {
    let browser = with_web(&app).anonymous().with("accept", "text/html,*/*");
    for (asked, leads) in [
        ("/p/lac-1/", "/p/lac-1"),
        ("/en/p/lac-1/?chez=2&a=%20", "/en/p/lac-1?chez=2&a=%20"),
        ("/p/lac-1/trace.gpx/", "/p/lac-1/trace.gpx"),
        ("/s/abc/", "/s/abc"),
        ("/chez/hotel-1//", "/chez/hotel-1"),
        ("/en/avis/abc/", "/en/avis/abc"),
        ("/fr/trek/12-lac/", "/fr/trek/12-lac"),
        ("/id/parcours/1/", "/id/parcours/1"),
    ] {
        assert_eq!(browser.get(asked).await.expect(308).header("location"), leads, "{asked}");
    }
    for theirs in ["/parcours/", "/en/parcours/12/", "/avis/", "/p/", "/en/", "/s/a/b/c/"] {
        browser.get(theirs).await.expect(200);
    }
}

#[app_test]
async fn files_with_a_hash_are_cached_forever_and_sent_compressed(app: TestApp) {
    let client = with_web(&app).anonymous();
    let plain = client.get("/assets/app-1a2b.js").await.expect(200);
    assert_eq!(
        (plain.text().as_str(), plain.header("cache-control")),
        ("plain", "public, max-age=31536000, immutable")
    );
    let packed = client.clone().with("accept-encoding", "gzip, br").get("/assets/app-1a2b.js").await.expect(200);
    assert_eq!((packed.text().as_str(), packed.header("content-encoding")), ("packed", "br"));
    assert_eq!(packed.header("content-type"), "text/javascript");
    let known = client.clone().with("if-none-match", plain.header("etag")).get("/assets/app-1a2b.js").await;
    assert_eq!(known.status, 304);
    for path in ["/assets/app-1a2b.js.br", "/assets/missing.js", "/assets/..%2Findex.html"] {
        client.get(path).await.expect(404);
    }
}

#[app_test]
async fn the_service_worker_of_the_public_page_may_control_the_whole_site(app: TestApp) {
    let client = with_web(&app).anonymous();
    let worker = client.get("/public-page/worker.js").await.expect(200);
    // Asked for again at each visit: a worker that were kept could not be mended.
    assert_eq!((worker.header("service-worker-allowed"), worker.header("cache-control")), ("/", "no-cache"));
    assert_eq!(client.get("/public-page/page.js").await.expect(200).header("service-worker-allowed"), "");
}

#[app_test]
async fn the_page_terrain_has_its_own_paths_and_service_worker(app: TestApp) {
    let client = with_web(&app).anonymous();
    for path in ["/terrain", "/terrain/", "/terrain/parcours/12"] {
        assert!(client.get(path).await.expect(200).text().contains("Terrain"), "{path}");
    }
    let policy = async |path: &str| client.get(path).await.expect(200).header("permissions-policy").to_owned();
    assert!(policy("/terrain/").await.contains("microphone=(self)") && policy("/").await.contains("microphone=()"));
    assert!(!client.get("/terrains").await.expect(200).text().contains("Terrain"));
    let worker = client.get("/terrain/worker.js").await.expect(200);
    assert_eq!((worker.header("service-worker-allowed"), worker.header("cache-control")), ("/terrain", "no-cache"));
    let script = client.get("/terrain/assets/index-1a2b.js").await.expect(200);
    assert_eq!(script.header("cache-control"), "public, max-age=31536000, immutable");
}
