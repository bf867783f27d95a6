//! The files that the server makes, opened by other programs: GDAL, GPSBabel and Poppler.

use std::sync::Arc;

use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, InProcessRenderer, Scratch, TestApp, asked};

use crate::feeds::{api_client, distributed_parcours, id};
use crate::nothing_crosses::renderer::RecordingRenderer;
use crate::parcours_kit::{eastward, now, path, published, put_trace};
use crate::roadbook::trip;

/// A file on disk, as a visitor saves it.
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
        let found = asked("ogrinfo", "gdal-bin", &["-ro", "-al", "-so", self.path()])?;
        let after = |start: &'static str| found.lines().filter_map(move |line| line.strip_prefix(start));
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
        let found = asked("gpsbabel", "gpsbabel", &["-t", "-i", format, "-f", self.path(), "-o", "unicsv", "-F", "-"])?;
        // The first line names the columns.
        Some(found.lines().count() - 1)
    }
}

/// The line goes east from 4° E 47° N, in eleven places, and has two steps.
#[app_test]
async fn gdal_and_gpsbabel_open_every_file_of_a_line(app: TestApp) {
    let parcours = distributed_parcours(&app, "Tour du lac").await;
    let (walker, ours) = (app.anonymous(), api_client(&app, "morvan").await);
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
async fn files_say_that_heights_are_of_a_model_where_no_recorder_gave_them(app: TestApp) {
    let parcours = distributed_parcours(&app, "Tour du lac").await;
    let (editor, walker, ours) = (app.editor_of("morvan"), app.anonymous(), api_client(&app, "morvan").await);
    let feed = format!("/api/public/v1/parcours/{}", id(&parcours));
    let files = [
        (&editor, format!("{}/trace.gpx", path(&parcours))),
        (&walker, format!("/p/tour-du-lac-{}/trace.gpx", id(&parcours))),
        (&ours, format!("{feed}/trace.gpx")),
        (&ours, format!("{feed}/trace.geojson")),
    ];
    let said = async || {
        let mut said = Vec::new();
        for (client, at) in &files {
            let text = client.get(at.as_str()).await.expect(200).text();
            said.push(text.contains("Jalon, elevations of a terrain model"));
        }
        said
    };
    assert_eq!(said().await, [false; 4], "it was recorded");
    let line: Vec<Value> = eastward().iter().map(|(lon, lat)| json!([lon, lat, 500])).collect();
    let drawn = json!({"mode": "source", "legs": [{"kind": "free", "line": line}], "duration_typed_s": 900});
    put_trace(&editor, &parcours, drawn).await.expect(200);
    assert_eq!(said().await, [true; 4], "it was drawn");
}

#[app_test]
async fn gdal_opens_pois(app: TestApp) {
    let poi = app.poi().titled("Le lavoir").at(4.0, 47.0).published().insert().await;
    let switch = serde_json::json!({"distribute": true});
    app.editor_of("morvan").with("if-match", "*").patch(format!("/api/v1/pois/{}", poi.id), switch).await.expect(200);
    let ours = api_client(&app, "morvan").await;
    let saved = Saved::of(&ours, "/api/public/v1/pois?format=geojson", "pois.geojson").await;
    if let Some((count, [west, south, ..])) = saved.features() {
        assert_eq!((count, west, south), (1, 4.0, 47.0));
    }
}

/// The printed figures of a trip: metres, metres climbed, and the numbers of its rows.
fn totals(printed: &Value) -> (f64, f64, Vec<String>) {
    let days = printed["days"].as_array().unwrap();
    let sum = |name: &str| days.iter().map(|day| day[name].as_f64().unwrap()).sum::<f64>();
    let steps = days.iter().flat_map(|day| day["steps"].as_array().unwrap());
    (sum("length_m"), sum("ascent_m"), steps.map(|step| step["label"].as_str().unwrap().to_owned()).collect())
}

#[app_test]
async fn a_roadbook_and_the_card_of_a_link_have_the_length_climb_and_steps_of_the_sheet(app: TestApp) {
    let (admin, parcours) = (app.admin_of("morvan"), trip(&app).await);
    let parcours = published(&admin, &now(&admin, &parcours).await).await;
    let figure = |name: &str| parcours["trace"][name].as_f64().unwrap();
    let (length_m, ascent_m) = (figure("distance_m"), figure("ascent_m"));
    assert!(ascent_m > 200.0, "{ascent_m}");
    let page = format!("/p/le-morvan-des-lacs-{}", id(&parcours));

    let renderer = RecordingRenderer::default();
    let recorded = app.changed(|parts| parts.renderer = Some(Arc::new(renderer.clone())));
    for file in ["roadbook.pdf", "card.jpg"] {
        recorded.anonymous().get(format!("{page}/{file}")).await.expect(200);
    }
    let printed: Vec<Value> = renderer.printed().iter().map(|data| serde_json::from_str(data).unwrap()).collect();
    assert_eq!(printed.len(), 2);
    let rows = ["D", "2", "3", "3", "4", "4", "A"];
    for (data, rows) in printed.iter().zip([&rows[..], &[]]) {
        let (metres, climbed, labels) = totals(data);
        assert!((metres - length_m).abs() < 0.5 && (climbed - ascent_m).abs() < 0.5, "{metres} {climbed}");
        assert_eq!(labels, rows);
    }

    let here = app.changed(|parts| parts.renderer = Some(Arc::new(InProcessRenderer)));
    let settings = format!("/api/v1/parcours/{}/roadbook/pdf", id(&parcours));
    let folder = Scratch::new();
    let file = folder.path().join("book.pdf");
    let pdf = here.admin_of("morvan").post(settings, serde_json::json!({})).await.expect(200).bytes;
    std::fs::write(&file, pdf).unwrap();
    let Some(text) = asked("pdftotext", "poppler-utils", &["-enc", "UTF-8", file.to_str().unwrap(), "-"]) else {
        return;
    };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(&format!("{:.0} km", length_m / 1_000.0)), "{text}");
    assert!(text.split(' ').any(|word| word == format!("{ascent_m:.0}")), "{ascent_m} in {text}");
    // The rows of the tables: the step's number, the kilometre, the name.
    for row in [
        "D 0,0 Vézelay",
        "2 0,5 COUP DE CŒUR Le belvédère",
        "3 0,8 Quarré",
        "3 0,0 Quarré",
        "4 0,8 Les Settons",
        "4 0,0 Les Settons",
        "A 0,8 Château-Chinon",
    ] {
        assert!(text.contains(row), "{row} in {text}");
    }
}
