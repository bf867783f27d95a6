//! The base map without tiles: style, letters, signs. (Tiles: `crates/basemap`.)

use macros::app_test;
use testkit::TestApp;

use crate::contract::assert_as_described;

#[app_test]
async fn the_style_names_our_own_addresses(app: TestApp) {
    for (path, name) in [("/map/style-light.json", "light"), ("/map/style-dark.json?locale=en", "dark")] {
        let style = app.anonymous().with("host", "jalon.example:8080").get(path).await.expect(200).json();
        assert_eq!(style["version"], 8);
        assert_eq!(style["glyphs"], "http://jalon.example:8080/map/glyphs/{fontstack}/{range}.pbf");
        assert_eq!(style["sprite"], format!("http://jalon.example:8080/map/sprite/{name}"));
    }
    app.anonymous().get("/map/style-pink.json").await.expect(404);
}

#[app_test]
async fn glyphs_and_sprites_are_served(app: TestApp) {
    let letters = app.anonymous().get("/map/glyphs/Noto%20Sans%20Regular/0-255.pbf").await.expect(200);
    assert_eq!(letters.header("content-encoding"), "gzip");
    assert!(letters.header("cache-control").contains("max-age"));
    app.anonymous().get("/map/glyphs/Comic%20Sans/0-255.pbf").await.expect(404);
    app.anonymous().get("/map/glyphs/Noto%20Sans%20Regular/x.pbf").await.expect(404);
    assert_eq!(app.anonymous().get("/map/sprite/light.png").await.expect(200).header("content-type"), "image/png");
    app.anonymous().get("/map/sprite/nothing.png").await.expect(404);
}

#[app_test]
async fn tiles_are_not_found_without_a_base_map(app: TestApp) {
    app.anonymous().get("/map/tiles/1/0/0.mvt").await.expect(404);
    app.anonymous().get("/map/tiles/1/0/x.mvt").await.expect(404);
    app.anonymous().get("/map/tiles/999/0/0.mvt").await.expect(404);
    app.anonymous().get("/map/squares/1/0/0.svg").await.expect(404);
}

#[app_test]
async fn the_style_has_no_relief_without_elevation_data(app: TestApp) {
    let style = app.anonymous().get("/map/style-light.json").await.expect(200).json();
    assert_as_described("GET", "/map/{style}", 200, "application/json", &style);
    assert!(style["sources"]["relief"].is_null());
    assert!(style["layers"].as_array().unwrap().iter().all(|layer| layer["type"] != "hillshade"));
    app.anonymous().get("/map/relief/12/0/0.png").await.expect(404);
    app.anonymous().get("/map/relief/12/0/x.png").await.expect(404);
}
