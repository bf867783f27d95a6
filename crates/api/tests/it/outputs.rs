//! What leaves the house, opened by programs that are not ours: GDAL and GPSBabel.

use macros::app_test;
use testkit::{Client, Scratch, TestApp, asked};

use crate::feeds::{id, lake, program};

/// A file on disk, as somebody saved it.
struct Saved(std::path::PathBuf, #[expect(dead_code, reason = "the folder goes with it")] Scratch);

impl Saved {
    async fn of(client: &Client, at: &str, name: &str) -> Self {
        let folder = Scratch::new();
        let file = folder.path().join(name);
        std::fs::write(&file, client.get(at).await.expect(200).bytes).expect("it is written");
        Self(file, folder)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a path in ASCII")
    }

    /// How many features GDAL finds, in all layers, and the box around them: west, south, east, north.
    fn features(&self) -> Option<(usize, [f64; 4])> {
        let told = asked("ogrinfo", "gdal-bin", &["-ro", "-al", "-so", self.path()])?;
        let after = |start: &'static str| told.lines().filter_map(move |line| line.strip_prefix(start));
        let count = after("Feature Count: ").filter_map(|count| count.trim().parse::<usize>().ok()).sum();
        let mut all = [f64::MAX, f64::MAX, f64::MIN, f64::MIN];
        for extent in after("Extent: ") {
            let numbers: Vec<f64> =
                extent.split(['(', ')', ',', ' ']).filter_map(|number| number.parse().ok()).collect();
            let [west, south, east, north] = numbers[..] else { panic!("{extent}") };
            all = [all[0].min(west), all[1].min(south), all[2].max(east), all[3].max(north)];
        }
        Some((count, all))
    }

    /// The places of the line that GPSBabel reads.
    fn places(&self, format: &str) -> Option<usize> {
        let told = asked("gpsbabel", "gpsbabel", &["-t", "-i", format, "-f", self.path(), "-o", "unicsv", "-F", "-"])?;
        // The first line names the columns.
        Some(told.lines().count() - 1)
    }
}

/// The line goes east from 4° E 47° N, in eleven places, and two steps stand on it.
#[app_test]
async fn gdal_and_gpsbabel_open_every_file_of_a_line(app: TestApp) {
    let parcours = lake(&app, "Tour du lac").await;
    let (walker, ours) = (app.anonymous(), program(&app, "morvan").await);
    let (page, feed) =
        (format!("/p/tour-du-lac-{}", id(&parcours)), format!("/api/public/v1/parcours/{}", id(&parcours)));
    // GDAL has a layer of a GPX file's tracks and one of their places.
    let files = [
        (&walker, format!("{page}/trace.gpx"), "trace.gpx", 14, Some("gpx")),
        (&walker, format!("{page}/trace.kml"), "trace.kml", 3, Some("kml")),
        (&ours, format!("{feed}/trace.gpx"), "trace.gpx", 14, Some("gpx")),
        (&ours, format!("{feed}/trace.kml"), "trace.kml", 3, Some("kml")),
        (&ours, format!("{feed}/trace.geojson"), "trace.geojson", 3, None),
        (&ours, format!("{feed}?format=geojson"), "parcours.geojson", 1, None),
        (&ours, "/api/public/v1/parcours?format=geojson".to_owned(), "list.geojson", 1, None),
        (&ours, "/api/public/v1/open-data/schema-randonnee.geojson".to_owned(), "randonnee.geojson", 1, None),
    ];
    for (client, at, name, wanted, babel) in files {
        let saved = Saved::of(client, &at, name).await;
        if let Some((count, [west, south, east, north])) = saved.features() {
            assert_eq!(count, wanted, "{at}");
            let near = |one: f64, other: f64| (one - other).abs() < 1e-5;
            assert!(near(west, 4.0) && near(east, 4.01) && near(south, 47.0) && near(north, 47.0), "{at}");
        }
        if let Some(places) = babel.and_then(|format| saved.places(format)) {
            assert_eq!(places, 11, "{at}");
        }
    }
    let tcx = Saved::of(&ours, &format!("{feed}/trace.tcx"), "trace.tcx").await;
    assert_eq!(tcx.places("gtrnctr").unwrap_or(11), 11);
}

#[app_test]
async fn gdal_opens_pois(app: TestApp) {
    let poi = app.poi().titled("Le lavoir").at(4.0, 47.0).published().insert().await;
    let switch = serde_json::json!({"distribute": true});
    app.editor_of("morvan").with("if-match", "*").patch(format!("/api/v1/pois/{}", poi.id), switch).await.expect(200);
    let ours = program(&app, "morvan").await;
    let saved = Saved::of(&ours, "/api/public/v1/pois?format=geojson", "pois.geojson").await;
    if let Some((count, [west, south, ..])) = saved.features() {
        assert_eq!((count, west, south), (1, 4.0, 47.0));
    }
}
