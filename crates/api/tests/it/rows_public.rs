//! Rows of the matrix: the public pages, what search engines read, and the feeds by key. What they show is in
//! `public_page.rs` and `feeds.rs`.

use crate::matrix::Row;

const fn public(path: &'static str, example_path: &'static str, status: u16) -> Row {
    Row { verb: "GET", path, permission: "public", example_path, body: None, statuses: [status; 7] }
}

/// A feed: who signed in has no key by that.
const fn feed(path: &'static str, example_path: &'static str) -> Row {
    Row { verb: "GET", path, permission: "key", example_path, body: None, statuses: [401; 7] }
}

/// The rows.
pub const ROWS: &[Row] = &[
    // At the host of the server it is the web app, which tests do not have.
    public("/", "/", 404),
    public("/en/", "/en/", 404),
    public("/p/{page}", "/p/lac-1", 404),
    public("/p/{page}/{file}", "/p/lac-1/trace.gpx", 404),
    public("/en/p/{page}", "/en/p/lac-1", 404),
    public("/trek/{page}", "/trek/12-lac", 404),
    public("/en/trek/{page}", "/en/trek/12-lac", 404),
    public("/fr/trek/{page}", "/fr/trek/12-lac", 404),
    public("/id/parcours/{id}", "/id/parcours/0", 404),
    public("/id/poi/{id}", "/id/poi/0", 404),
    public("/en/p/{page}/{file}", "/en/p/lac-1/trace.gpx", 404),
    public("/en/chez/{page}", "/en/chez/hotel-0", 404),
    public("/en/chez/{page}/logo", "/en/chez/hotel-0/logo", 404),
    public("/en/s/{token}", "/en/s/x", 404),
    public("/en/s/{token}/{file}", "/en/s/x/trace.gpx", 404),
    public("/chez/{page}", "/chez/hotel-0", 404),
    public("/chez/{page}/logo", "/chez/hotel-0/logo", 404),
    public("/s/{token}", "/s/x", 404),
    public("/s/{token}/{file}", "/s/x/trace.gpx", 404),
    public("/certificates/ask", "/certificates/ask?domain=nowhere.example", 404),
    public("/robots.txt", "/robots.txt", 200),
    public("/sitemap.xml", "/sitemap.xml", 200),
    public("/api/docs", "/api/docs", 200),
    public("/api/docs/openapi.json", "/api/docs/openapi.json", 200),
    public("/api/docs/try.js", "/api/docs/try.js", 200),
    public("/api/public/v1/pictograms/{file}", "/api/public/v1/pictograms/route-loop.svg", 200),
    feed("/api/public/v1/parcours", "/api/public/v1/parcours"),
    feed("/api/public/v1/parcours/{id}", "/api/public/v1/parcours/1"),
    feed("/api/public/v1/parcours/changes", "/api/public/v1/parcours/changes?since=2026-01-01"),
    feed("/api/public/v1/parcours/{id}/{file}", "/api/public/v1/parcours/1/trace.gpx"),
    feed("/api/public/v1/parcours/{id}/pack.zip", "/api/public/v1/parcours/1/pack.zip"),
    feed("/api/public/v1/parcours/{id}/audio", "/api/public/v1/parcours/1/audio"),
    feed("/api/public/v1/pois", "/api/public/v1/pois"),
    feed("/api/public/v1/pois/{id}", "/api/public/v1/pois/1"),
    feed("/api/public/v1/white-label", "/api/public/v1/white-label"),
    feed("/api/public/v1/open-data/{file}", "/api/public/v1/open-data/cirkwi.xml"),
    feed("/api/v2/{endpoint}/", "/api/v2/trek/"),
    feed("/api/v2/{endpoint}/{id}/", "/api/v2/trek/1/"),
    feed("/api/v2/{endpoint}", "/api/v2/trek"),
    feed("/api/v2/{endpoint}/{id}", "/api/v2/trek/1"),
    feed("/api/v2/{endpoint}/{id}/profile/", "/api/v2/trek/1/profile/"),
    feed("/api/v2/{endpoint}/{id}/dem/", "/api/v2/trek/1/dem/"),
    // A secret key in an address is refused for every client, and does not count as a guess.
    feed(
        "/k/{key}/api/public/v1/parcours",
        "/k/0000000000000000000000000000000000000000000000000000000000000000/api/public/v1/parcours",
    ),
    feed(
        "/k/{key}/api/public/v1/parcours/{id}",
        "/k/0000000000000000000000000000000000000000000000000000000000000000/api/public/v1/parcours/1",
    ),
    feed(
        "/k/{key}/api/public/v1/parcours/changes",
        "/k/0000000000000000000000000000000000000000000000000000000000000000/api/public/v1/parcours/changes?since=2026-01-01",
    ),
    feed(
        "/k/{key}/api/public/v1/parcours/{id}/{file}",
        "/k/0000000000000000000000000000000000000000000000000000000000000000/api/public/v1/parcours/1/trace.gpx",
    ),
    feed(
        "/k/{key}/api/public/v1/parcours/{id}/pack.zip",
        "/k/0000000000000000000000000000000000000000000000000000000000000000/api/public/v1/parcours/1/pack.zip",
    ),
    feed(
        "/k/{key}/api/public/v1/parcours/{id}/audio",
        "/k/0000000000000000000000000000000000000000000000000000000000000000/api/public/v1/parcours/1/audio",
    ),
    feed(
        "/k/{key}/api/public/v1/pois",
        "/k/0000000000000000000000000000000000000000000000000000000000000000/api/public/v1/pois",
    ),
    feed(
        "/k/{key}/api/public/v1/pois/{id}",
        "/k/0000000000000000000000000000000000000000000000000000000000000000/api/public/v1/pois/1",
    ),
    feed(
        "/k/{key}/api/public/v1/white-label",
        "/k/0000000000000000000000000000000000000000000000000000000000000000/api/public/v1/white-label",
    ),
    feed(
        "/k/{key}/api/v2/{endpoint}/",
        "/k/0000000000000000000000000000000000000000000000000000000000000000/api/v2/trek/",
    ),
    feed(
        "/k/{key}/api/v2/{endpoint}/{id}/",
        "/k/0000000000000000000000000000000000000000000000000000000000000000/api/v2/trek/1/",
    ),
    feed(
        "/k/{key}/api/v2/{endpoint}",
        "/k/0000000000000000000000000000000000000000000000000000000000000000/api/v2/trek",
    ),
    feed(
        "/k/{key}/api/v2/{endpoint}/{id}",
        "/k/0000000000000000000000000000000000000000000000000000000000000000/api/v2/trek/1",
    ),
    feed(
        "/k/{key}/api/v2/{endpoint}/{id}/profile/",
        "/k/0000000000000000000000000000000000000000000000000000000000000000/api/v2/trek/1/profile/",
    ),
    feed(
        "/k/{key}/api/v2/{endpoint}/{id}/dem/",
        "/k/0000000000000000000000000000000000000000000000000000000000000000/api/v2/trek/1/dem/",
    ),
    public("/widget/v1/map-style", "/widget/v1/map-style", 307),
    public("/widget/v1/frame", "/widget/v1/frame", 401),
    public("/widget/v1/brand", "/widget/v1/brand", 401),
    // Sent without the name of a browser: a program, which is left out.
    Row {
        verb: "POST",
        body: Some(r#"{"events":[]}"#),
        ..public("/api/public/v1/events", "/api/public/v1/events", 200)
    },
];
