//! A region that is published reaches every server without a restart, and a broken one reaches none.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use api::region::{RegionFile, look, publish};
use app::{OpenRegion, PlannerFailure, Region, RegionSource};
use content::planner::watch::settle;
use domain::region::{BundleId, Manifest, NETWORK, TILES};
use domain::{Instant, SystemClock};
use macros::app_test;
use planner::{Embedded, Network};
use serde_json::{Value, json};
use store::region as rows;
use store::{blob_check, watch};
use testkit::{TestApp, skipped};

use crate::parcours_kit::{gpx, imported, made, now};

/// Opens regions as the program does.
#[derive(Debug)]
struct Opener;

impl OpenRegion for Opener {
    fn open(&self, folder: &Path) -> Result<Region, PlannerFailure> {
        let failure = |code: &'static str, detail: String| PlannerFailure { code, detail };
        let network = Network::open(&folder.join(NETWORK)).map_err(|error| failure(error.code(), error.to_string()))?;
        let tiles = basemap::Tiles::open(&folder.join(TILES));
        let tiles = tiles.map_err(|error| failure("network/damaged", error.to_string()))?;
        Ok(Region {
            engine: Some(Arc::new(Embedded::new(network, None))),
            tiles: Some(Arc::new(tiles)),
            tiles_file: Some(folder.join(TILES)),
            ..Region::default()
        })
    }
}

/// The prepared region of an extract, made once.
fn prepared(name: &'static str, made: &'static OnceLock<Option<PathBuf>>) -> Option<PathBuf> {
    let make = || {
        let extract = testkit::shared_data()?.join(format!("osm/{name}.osm.pbf"));
        let folder = std::env::temp_dir().join(format!("jalon-region-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Network::build(&extract, None, &folder.join(NETWORK), &mut |_| {}).unwrap();
        basemap::build(&extract, None, &folder.join(TILES), &mut |_| {}).unwrap();
        Some(folder)
    };
    made.get_or_init(make).clone()
}

fn region_of_2021() -> Option<PathBuf> {
    static MADE: OnceLock<Option<PathBuf>> = OnceLock::new();
    prepared("andorra-2021", &MADE)
}

fn region_of_2025() -> Option<PathBuf> {
    static MADE: OnceLock<Option<PathBuf>> = OnceLock::new();
    prepared("andorra", &MADE)
}

macro_rules! regions_or_skip {
    ($name:literal) => {
        match (region_of_2021(), region_of_2025()) {
            (Some(old), Some(new)) => (old, new),
            _ => return skipped($name, "../shared/data is missing"),
        }
    };
}

/// Another server over the same database and blobs, with a folder of its own and no region.
fn server(app: &TestApp, name: &str) -> TestApp {
    let folder = bundles(app, name);
    app.changed(|parts| parts.region_source = Some(RegionSource { folder, opener: Arc::new(Opener) }))
}

fn bundles(app: &TestApp, name: &str) -> PathBuf {
    app.scratch().path().join(name)
}

fn files(folder: &Path) -> Vec<RegionFile> {
    [NETWORK, TILES].map(|name| RegionFile { name: name.to_owned(), path: folder.join(name) }).to_vec()
}

async fn published(app: &TestApp, folder: &Path, more: &[RegionFile]) -> BundleId {
    let engine = Opener.open(folder).unwrap().engine.unwrap();
    let files = [files(folder), more.to_vec()].concat();
    let to = (app.store(), &app.app().blobs, &SystemClock as &dyn domain::Clock);
    let (manifest, current) = publish(to, &files, engine.as_ref(), |_, _| {}).await.unwrap();
    assert_eq!(manifest.id(), current.id);
    current.id
}

async fn ready(app: &TestApp, status: u16) -> Value {
    app.anonymous().get("/readyz").await.expect(status).json()
}

/// The day of the planner's data and the version of the map's tiles, as clients see them.
async fn seen(app: &TestApp) -> (Value, String) {
    let status = app.reader_of("morvan").get("/api/v1/planner/status").await.expect(200).json();
    let style = app.anonymous().get("/map/style-light.json").await.expect(200).json();
    let tiles = style["sources"].to_string();
    let version = tiles.split("?v=").nth(1).unwrap_or_default().split('"').next().unwrap_or_default().to_owned();
    (status["engine"]["data_date"].clone(), version)
}

#[app_test]
async fn a_published_region_is_taken_by_every_server_without_a_restart(app: TestApp) {
    let (old, new) = regions_or_skip!("a_published_region_is_taken_by_every_server_without_a_restart");
    let (one, other) = (server(&app, "one"), server(&app, "other"));
    look(one.app()).await.unwrap();
    let nothing = ready(&one, 200).await;
    assert_eq!((&nothing["network"], &nothing["region"]), (&json!("none"), &Value::Null), "nothing is published");

    let first = published(&app, &old, &[]).await;
    let waits = ready(&other, 503).await;
    assert_eq!((&waits["status"], &waits["network"]), (&json!("not_ready"), &json!("fetching")), "{waits}");
    for node in [&one, &other] {
        look(node.app()).await.unwrap();
        let is = ready(node, 200).await;
        assert_eq!((&is["status"], &is["network"], &is["tiles"]), (&json!("ready"), &json!("ok"), &json!("ok")));
        assert_eq!((&is["region"]["state"], &is["region"]["bundle"]), (&json!("up_to_date"), &json!(first.as_str())));
    }
    let before = seen(&one).await;
    assert_eq!((&before.0, &before), (&json!("2021-10-28"), &seen(&other).await));
    let under_way = other.app().region();

    let second = published(&app, &new, &[]).await;
    look(other.app()).await.unwrap();
    let after = seen(&other).await;
    assert_eq!(after.0, "2025-01-19");
    assert_ne!(after.1, before.1, "tiles have other addresses");
    assert_eq!(seen(&one).await, before, "it has not looked yet");
    let (mine, theirs) = (other.app().region(), under_way.engine.as_ref().unwrap().status().data_date);
    assert_eq!((mine.bundle.as_ref(), theirs.as_deref()), (Some(&second), Some("2021-10-28")));
    // A page of the newer server may ask the older one for a tile: its answer is not kept for long.
    let tile = format!("/map/tiles/10/516/378.mvt?v={}", after.1);
    let kept = one.anonymous().get(&tile).await.header("cache-control").to_owned();
    assert_eq!(kept, "public, max-age=60");
    let kept = other.anonymous().get(&tile).await.header("cache-control").to_owned();
    assert_eq!(kept, "public, max-age=604800");
    // A proxy may make the tag weak, and a client may send several.
    let strong = other.anonymous().get(&tile).await.header("etag").to_owned();
    for known in [strong.clone(), format!("W/{strong}"), format!("\"another\", {strong}")] {
        for path in [tile.as_str(), "/map/squares/10/516/378.svg"] {
            other.anonymous().with("if-none-match", &known).get(path).await.expect(304);
        }
    }
    look(one.app()).await.unwrap();
    assert_eq!(seen(&one).await, after);

    // A server that starts again uses what is on its disk.
    let source = RegionSource { folder: bundles(&app, "one"), opener: Arc::new(Opener) };
    let again = api::region::at_start(&source, app.store()).await.unwrap().unwrap();
    assert_eq!(again.bundle, Some(second.clone()));

    // Back to the first: it is still here, nothing is fetched.
    let tx = app.store().begin().await.unwrap();
    assert!(rows::set_current(&tx, &first, Instant(5)).await.unwrap());
    tx.commit().await.unwrap();
    for part in rows::find(app.store().read(), &first).await.unwrap().unwrap().manifest.parts() {
        app.app().blobs.delete(&part.blob_key()).await.unwrap();
    }
    look(one.app()).await.unwrap();
    assert_eq!(seen(&one).await, before);
}

#[app_test]
async fn a_file_already_here_is_not_fetched_again_and_two_bundles_are_kept(app: TestApp) {
    let (old, new) = regions_or_skip!("a_file_already_here_is_not_fetched_again_and_two_bundles_are_kept");
    let (one, folder) = (server(&app, "one"), bundles(&app, "one"));
    let first = published(&app, &old, &[]).await;
    look(one.app()).await.unwrap();
    let heights = app.scratch().path().join("N42E001.hgt");
    fs::write(&heights, "heights").unwrap();
    let dem = RegionFile { name: "dem/N42E001.hgt".to_owned(), path: heights };
    let second = published(&app, &old, &[dem]).await;
    assert_ne!(first, second);
    look(one.app()).await.unwrap();
    let inode = |id: &BundleId| {
        use std::os::unix::fs::MetadataExt as _;
        fs::metadata(folder.join(id.as_str()).join(NETWORK)).unwrap().ino()
    };
    assert_eq!(inode(&first), inode(&second));
    assert_eq!(fs::read_to_string(folder.join(second.as_str()).join("dem/N42E001.hgt")).unwrap(), "heights");
    let third = published(&app, &new, &[]).await;
    look(one.app()).await.unwrap();
    let here = |id: &BundleId| folder.join(id.as_str()).is_dir();
    assert_eq!((here(&first), here(&second), here(&third)), (false, true, true));
}

#[app_test]
async fn a_broken_bundle_is_refused_with_a_reason_and_the_old_one_stays_in_use(app: TestApp) {
    let (old, new) = regions_or_skip!("a_broken_bundle_is_refused_with_a_reason_and_the_old_one_stays_in_use");
    let one = server(&app, "one");
    published(&app, &old, &[]).await;
    look(one.app()).await.unwrap();
    let before = seen(&one).await;
    let id = published(&app, &new, &[]).await;
    let manifest = rows::find(app.store().read(), &id).await.unwrap().unwrap().manifest;
    let part = manifest.parts().iter().find(|part| part.name == NETWORK).unwrap().clone();
    let blobs = &app.app().blobs;
    let right = blobs.get(&part.blob_key()).await.unwrap().unwrap();
    let mut altered = right.to_vec();
    altered[4_000] ^= 1;
    for (bytes, said) in
        [(Some(altered), "cut or altered"), (Some(right[..9_000].to_vec()), "cut or altered"), (None, "do not have")]
    {
        match bytes {
            Some(bytes) => blobs.put(&part.blob_key(), bytes).await.unwrap(),
            None => blobs.delete(&part.blob_key()).await.unwrap(),
        }
        look(one.app()).await.unwrap();
        let is = ready(&one, 200).await;
        assert_eq!(
            (&is["status"], &is["network"], &is["region"]["state"]),
            (&json!("degraded"), &json!("ok"), &json!("refused"))
        );
        let problem = is["region"]["problem"].as_str().unwrap();
        assert!(problem.contains(said) && problem.contains(NETWORK), "{problem}");
        assert_eq!(seen(&one).await, before, "the old one goes on");
    }
    let missing =
        blob_check::verify(app.store().read(), blobs, content::parcours::trace::source_key).await.unwrap().missing;
    assert_eq!(missing, [part.blob_key()]);

    // A server without a region still accepts requests: pages do not need one.
    let without = server(&app, "without");
    look(without.app()).await.unwrap();
    assert_eq!(ready(&without, 200).await["status"], "degraded");

    assert_eq!(published(&app, &new, &[]).await, id, "publishing again mends it");
    look(one.app()).await.unwrap();
    assert_eq!((&seen(&one).await.0, &ready(&one, 200).await["status"]), (&json!("2025-01-19"), &json!("ready")));
}

#[app_test]
async fn a_layout_of_another_version_is_refused(app: TestApp) {
    let (old, new) = regions_or_skip!("a_layout_of_another_version_is_refused");
    let one = server(&app, "one");
    published(&app, &old, &[]).await;
    look(one.app()).await.unwrap();
    let engine = Opener.open(&new).unwrap().engine.unwrap();
    let mut later = fs::read(new.join(NETWORK)).unwrap();
    later[8] = 250;
    let file = app.scratch().path().join("later.jnet");
    fs::write(&file, later).unwrap();
    let mut files = files(&new);
    files[0].path = file;
    let to = (app.store(), &app.app().blobs, &SystemClock as &dyn domain::Clock);
    publish(to, &files, engine.as_ref(), |_, _| {}).await.unwrap();
    look(one.app()).await.unwrap();
    let is = ready(&one, 200).await;
    assert_eq!((&is["status"], &is["region"]["state"]), (&json!("degraded"), &json!("refused")));
    assert!(is["region"]["problem"].as_str().unwrap().contains("this version"), "{is}");
    assert_eq!(seen(&one).await.0, "2021-10-28");
}

#[app_test]
async fn an_interrupted_fetch_continues_where_it_stopped(app: TestApp) {
    let (old, _) = regions_or_skip!("an_interrupted_fetch_continues_where_it_stopped");
    let (one, folder) = (server(&app, "one"), bundles(&app, "one"));
    let id = published(&app, &old, &[]).await;
    let bytes = fs::read(old.join(NETWORK)).unwrap();
    let aside = folder.join(format!(".{id}.part"));
    fs::create_dir_all(&aside).unwrap();
    let partial = aside.join(format!("{NETWORK}.partial"));
    // What is there is used: the blob has other bytes than these at their place, and the whole has the right sum.
    fs::write(&partial, &bytes[..100_000]).unwrap();
    let part = rows::find(app.store().read(), &id).await.unwrap().unwrap().manifest.parts().to_vec();
    let key = part.iter().find(|part| part.name == NETWORK).unwrap().blob_key();
    let beginning = [vec![7; 100_000], bytes[100_000..].to_vec()].concat();
    app.app().blobs.put(&key, beginning).await.unwrap();
    look(one.app()).await.unwrap();
    assert_eq!(ready(&one, 200).await["region"]["state"], "up_to_date");
    assert_eq!(fs::read(folder.join(id.as_str()).join(NETWORK)).unwrap(), bytes);
    assert!(!aside.exists());
}

#[app_test]
async fn a_partial_file_with_wrong_bytes_is_fetched_from_its_beginning(app: TestApp) {
    let (old, _) = regions_or_skip!("a_partial_file_with_wrong_bytes_is_fetched_from_its_beginning");
    let (one, folder) = (server(&app, "one"), bundles(&app, "one"));
    let id = published(&app, &old, &[]).await;
    let aside = folder.join(format!(".{id}.part"));
    fs::create_dir_all(&aside).unwrap();
    fs::write(aside.join(format!("{NETWORK}.partial")), vec![7; 100_000]).unwrap();
    look(one.app()).await.unwrap();
    assert_eq!(ready(&one, 200).await["region"]["state"], "up_to_date", "the blob is not said to be altered");
    assert_eq!(fs::read(folder.join(id.as_str()).join(NETWORK)).unwrap(), fs::read(old.join(NETWORK)).unwrap());
}

#[app_test]
async fn leftovers_of_a_killed_server_are_deleted_when_it_starts_again(app: TestApp) {
    let (old, new) = regions_or_skip!("leftovers_of_a_killed_server_are_deleted_when_it_starts_again");
    let (one, folder) = (server(&app, "one"), bundles(&app, "one"));
    let first = published(&app, &old, &[]).await;
    look(one.app()).await.unwrap();
    let second = published(&app, &new, &[]).await;
    look(one.app()).await.unwrap();
    // Killed after the second got its name: its use is not noted, and an older bundle and half of another one are there.
    fs::remove_file(folder.join(second.as_str()).join("used")).unwrap();
    let older = BundleId::parse(&"0".repeat(64)).unwrap();
    fs::create_dir(folder.join(older.as_str())).unwrap();
    let part = folder.join(format!(".{older}.part"));
    fs::create_dir(&part).unwrap();

    let source = RegionSource { folder: folder.clone(), opener: Arc::new(Opener) };
    let region = api::region::at_start(&source, app.store()).await.unwrap();
    assert!(part.exists(), "a command that only opens the region deletes nothing");
    let again = app.changed(|parts| {
        (parts.first_region, parts.region_source) = (region.unwrap(), Some(source));
    });
    let fetching = fs::File::create(folder.join(".lock")).unwrap();
    fetching.lock().unwrap();
    look(again.app()).await.unwrap();
    assert!(part.exists(), "another server over this folder fetches");
    assert!(folder.join(second.as_str()).join("used").exists());
    drop(fetching);
    let again = app.changed(|parts| {
        let source = RegionSource { folder: folder.clone(), opener: Arc::new(Opener) };
        (parts.first_region, parts.region_source) = (again.app().region().as_ref().clone(), Some(source));
    });
    look(again.app()).await.unwrap();
    let here = |id: &BundleId| folder.join(id.as_str()).is_dir();
    assert_eq!((here(&first), here(&second), here(&older), part.exists()), (true, true, false, false));
}

#[app_test]
async fn blobs_of_published_and_pending_regions_are_not_swept(app: TestApp) {
    let (old, new) = regions_or_skip!("blobs_of_published_and_pending_regions_are_not_swept");
    let (first, second) = (published(&app, &old, &[]).await, published(&app, &new, &[]).await);
    let orphans = async || {
        let found = blob_check::sweep(app.store().read(), &app.app().blobs, Instant(i64::MAX)).await.unwrap();
        found.orphans.into_iter().map(|blob| blob.key).filter(|key| key.starts_with("region/")).collect::<Vec<_>>()
    };
    assert!(orphans().await.is_empty());
    // A region whose files are not all stored yet.
    let part =
        |name: &str, digit: &str| domain::region::Part { name: name.to_owned(), sha256: digit.repeat(64), bytes: 1 };
    let manifest = Manifest::new(vec![part(NETWORK, "a"), part(TILES, "b")]).unwrap();
    let network = rows::find(app.store().read(), &first).await.unwrap().unwrap().network;
    let tx = app.store().begin().await.unwrap();
    rows::note(&tx, &manifest, &network, Instant(1)).await.unwrap();
    assert!(!rows::set_current(&tx, &manifest.id(), Instant(2)).await.unwrap(), "its files are not all stored");
    assert!(!rows::forget(&tx, &second).await.unwrap(), "the current one stays");
    tx.commit().await.unwrap();
    app.app().blobs.put(&part(NETWORK, "a").blob_key(), "x").await.unwrap();
    assert!(orphans().await.is_empty());
    let missing =
        blob_check::verify(app.store().read(), &app.app().blobs, content::parcours::trace::source_key).await.unwrap();
    assert!(missing.missing.is_empty(), "what is not complete is not needed: {:?}", missing.missing);
    let tx = app.store().begin().await.unwrap();
    assert!(rows::forget(&tx, &manifest.id()).await.unwrap() && rows::forget(&tx, &first).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(orphans().await.len(), 3, "two files of the first, one of the other");
}

/// Over ways of 2021 that no longer exist, or are closed to walkers.
const LOST: [(f64, f64); 2] = [(1.552_702_1, 42.510_315_0), (1.538_981_7, 42.507_805_0)];

async fn scored_parcours(app: &TestApp, title: &str) -> Value {
    let region = app.app().region();
    let points = LOST.map(|(lon, lat)| trace::Position::new(lon, lat)).to_vec();
    let asked = routing::RouteRequest::new(points, routing::Profile::Hiking);
    let line: Vec<(f64, f64)> =
        region.engine.as_ref().unwrap().route(&asked).unwrap().geometry.iter().map(|at| (at.lon, at.lat)).collect();
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, title, json!({})).await;
    imported(&editor, &parcours, "boucle.gpx", gpx(&line)).await.expect(200);
    now(&editor, &parcours).await
}

#[app_test]
async fn the_watch_scores_once_for_a_bundle_and_never_for_an_older_one(app: TestApp) {
    let (old, new) = regions_or_skip!("the_watch_scores_once_for_a_bundle_and_never_for_an_older_one");
    let (one, other) = (server(&app, "one"), server(&app, "other"));
    published(&app, &old, &[]).await;
    for node in [&one, &other] {
        look(node.app()).await.unwrap();
    }
    scored_parcours(&one, "Avant").await;
    settle(one.app()).await.unwrap();
    settle(other.app()).await.unwrap();
    let last = async || watch::latest(app.store().read()).await.unwrap().unwrap();
    let first = last().await;

    let second = published(&app, &new, &[]).await;
    look(one.app()).await.unwrap();
    settle(one.app()).await.unwrap();
    let run = last().await;
    assert_eq!((run.id, run.bundle.as_ref(), run.scored), (first.id + 1, Some(&second), 1));
    // The other one still has the older region: it begins nothing, however often it looks.
    settle(other.app()).await.unwrap();
    settle(other.app()).await.unwrap();
    settle(one.app()).await.unwrap();
    assert_eq!(last().await, run);
    let before = now(&one.editor_of("morvan"), &scored_parcours(&other, "Pendant").await).await;
    assert_eq!(before["trace"]["reliability_state"], "stale");
    // A superadmin who asks there begins a run of the published region, which that server leaves to the other.
    other.superadmin().post("/api/v1/planner/watch/runs", json!({})).await.expect(202);
    let forced = last().await;
    assert_eq!((forced.id, forced.bundle.as_ref(), forced.forced), (run.id + 1, Some(&second), true));
    settle(other.app()).await.unwrap();
    assert_eq!(last().await.scored, 0);
    other.superadmin().post("/api/v1/planner/watch/runs", json!({})).await.expect(409);
    one.clock().advance_s(60);
    settle(one.app()).await.unwrap();
    assert_eq!((last().await.id, last().await.scored), (forced.id, 2));
    // What the older one stores after that is scored once it has the bundle too, and then nothing more.
    scored_parcours(&other, "Encore").await;
    settle(one.app()).await.unwrap();
    look(other.app()).await.unwrap();
    settle(other.app()).await.unwrap();
    let rest = last().await;
    settle(other.app()).await.unwrap();
    settle(one.app()).await.unwrap();
    assert_eq!((last().await, rest.total), (rest.clone(), 1));
}
