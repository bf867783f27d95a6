//! The application with its blobs in an S3 bucket.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Body;
use axum::http::Method;
use macros::app_test;
use serde_json::{Value, json};
use testkit::{BucketApp, Client, InProcessRenderer, Reply, TestApp, samples};

use crate::imports_kit::{Stub, geotrek, run_source, settled, source, trek};

const MEDIAS: &str = "/api/v1/medias";
const UPLOADS: &str = "/api/v1/uploads";
const BATCHES: &str = "/api/v1/roadbook-batches";

async fn uploaded(by: &Client, bytes: Vec<u8>) -> Value {
    by.post_bytes(format!("{MEDIAS}?file_name=lac.jpg"), bytes).await.expect(201).json()
}

/// Another server over the same database and bucket, with its own folder.
fn another(test: &BucketApp) -> TestApp {
    let folder = test.app.scratch().path().join("of-the-other");
    test.app.changed(|parts| {
        parts.blobs = test.bucket.blobs();
        parts.uploads = folder;
    })
}

#[app_test]
async fn a_picture_goes_from_one_server_to_the_public_of_another_with_ranges(test: BucketApp) {
    let (app, other) = (&test.app, another(&test));
    let editor = app.editor_of("morvan");
    let bytes = samples::jpeg(1600, 1000);
    let media = uploaded(&editor, bytes.clone()).await;
    content::media::work::settle(other.app()).await.unwrap();
    let media = other.editor_of("morvan").get(format!("{MEDIAS}/{}", media["id"])).await.expect(200).json();
    assert_eq!(media["state"], "ready");
    assert_eq!(other.editor_of("morvan").get(media["url"].as_str().unwrap()).await.expect(200).bytes, bytes);
    let id = domain::MediaId(media["id"].as_i64().unwrap());
    let poi = app.poi().showing(id).insert().await;
    let publication = format!("/api/v1/pois/{}/publication", poi.id);
    editor.clone().with("if-match", "*").post(publication, json!({})).await.expect(200);
    let thumb = media["thumb_url"].as_str().unwrap();
    let whole = other.anonymous().get(thumb).await.expect(200).bytes;
    let part = app.anonymous().with("range", "bytes=10-19").get(thumb).await.expect(206);
    assert_eq!(part.bytes, whole[10..20]);
    assert_eq!(part.header("content-range"), format!("bytes 10-19/{}", whole.len()));
    assert!(!test.bucket.keys("media").await.is_empty() && !app.scratch().path().join("blobs/media").exists());
}

/// A published POI of the Morvan that shows a sound of this many seconds: its address for the public, and the POI's.
async fn poi_with_sound(app: &TestApp, seconds: u32) -> (String, String) {
    let editor = app.editor_of("morvan").with("if-match", "*");
    let sound = samples::mp3(seconds);
    let media = editor.post_bytes(format!("{MEDIAS}?file_name=r%C3%A9cit.mp3"), sound).await.expect(201).json();
    content::media::work::settle(app.app()).await.unwrap();
    let poi = app.poi().showing(media["id"].as_i64().unwrap()).insert().await;
    let publication = format!("/api/v1/pois/{}/publication", poi.id);
    editor.post(&publication, json!({})).await.expect(200);
    (format!("/media/{}/file", media["id"]), publication)
}

#[app_test]
async fn the_bucket_sends_large_public_sounds_to_visitors_where_the_operator_says_so(test: BucketApp) {
    let bucket = &test.bucket;
    let app = test.app.changed(|parts| parts.blobs = bucket.blobs_for_visitors());
    let (sound, publication) = poi_with_sound(&app, 150).await;
    let (small, _) = poi_with_sound(&app, 2).await;
    let bytes = samples::mp3(150);
    let visitor = app.anonymous();
    let sent = visitor.get(&sound).await.expect(302);
    assert_eq!(
        (sent.header("cache-control"), sent.header("access-control-allow-origin")),
        ("public, max-age=300", "*")
    );
    let address = sent.header("location").to_owned();
    assert!(!address.contains(testkit::bucket::SECRET));
    let origin = bucket.settings().endpoint.unwrap();
    assert!(address.starts_with(&format!("{origin}/")), "{address}");
    // The address alone gives this file, whole or in parts, as the server would send it.
    let (status, headers, whole) = bucket.fetched(&address, None).await;
    assert_eq!((status.as_u16(), &whole[..]), (200, &bytes[..]));
    let streamed = test.app.anonymous().get(&sound).await.expect(200);
    assert_eq!(streamed.bytes, bytes, "nothing changes where the server sends files");
    for name in ["content-type", "content-disposition", "content-length"] {
        assert_eq!(headers[name], streamed.header(name), "{name}");
    }
    let (status, headers, part) = bucket.fetched(&address, Some("bytes=10-19")).await;
    assert_eq!((status.as_u16(), &part[..]), (206, &bytes[10..20]));
    assert_eq!(headers["content-range"], format!("bytes 10-19/{}", bytes.len()));
    // Another file does not open with it, nor this one once its time is over.
    let key = bucket.keys("media").await.into_iter().find(|key| address.contains(key.as_str())).unwrap();
    let other = bucket.keys("media").await.into_iter().find(|other| *other != key).unwrap();
    assert_eq!(bucket.fetched(&address.replace(&key, &other), None).await.0, 403);
    let over = bucket.blobs_for_visitors().signed(&key, ("audio/mpeg", "inline"), Duration::from_secs(1)).await;
    let over = over.unwrap().unwrap();
    assert_eq!(bucket.fetched(&over, None).await.0, 200);
    tokio::time::sleep(Duration::from_millis(2_100)).await;
    // Garage calls an address whose time is over a bad request.
    let refused = bucket.fetched(&over, None).await.0.as_u16();
    assert!([400, 403].contains(&refused), "{refused}");
    // The server itself answers for what is small, known or asked for with HEAD, and people who are signed in.
    let whole = visitor.get(&small).await.expect(200);
    assert_eq!(whole.bytes, samples::mp3(2));
    let known = visitor.clone().with("if-none-match", streamed.header("etag")).get(&sound).await;
    known.expect(304);
    let head = visitor.send(Method::HEAD, &sound, None, Body::empty()).await.expect(200);
    assert_eq!(head.header("content-length"), bytes.len().to_string());
    let editor = app.editor_of("morvan");
    assert_eq!(editor.get(&sound).await.expect(200).bytes, bytes);
    // A file that is no longer public is sent to the people of its white-label only.
    editor.clone().with("if-match", "*").delete(&publication).await.expect(200);
    visitor.get(&sound).await.expect(404);
    app.editor_of("vercors").get(&sound).await.expect(404);
    assert_eq!(editor.get(&sound).await.expect(200).bytes, bytes);
}

#[app_test]
async fn pages_may_play_sounds_of_the_bucket_only_where_it_sends_them(test: BucketApp) {
    let app = test.app.changed(|parts| parts.blobs = test.bucket.blobs_for_visitors());
    let origin = test.bucket.settings().endpoint.unwrap();
    let policy = async |app: &TestApp| app.anonymous().get("/").await.header("content-security-policy").to_owned();
    assert!(!policy(&test.app).await.contains(&origin));
    let policy = policy(&app).await;
    let allowed: Vec<&str> = policy.split(';').filter(|part| part.contains(&origin)).map(str::trim).collect();
    let names: Vec<&str> = allowed.iter().filter_map(|part| part.split(' ').next()).collect();
    assert_eq!(names, ["connect-src", "media-src"]);
}

#[app_test]
async fn the_origin_in_the_policy_is_that_of_the_signed_addresses(test: BucketApp) {
    for (endpoint, path_style) in [
        (Some("https://fichiers.example.fr"), true),
        (Some("https://fichiers.example.fr/"), false),
        (Some("http://127.0.0.1:3900"), true),
        (None, true),
        (None, false),
    ] {
        let settings = store::BucketSettings {
            endpoint: endpoint.map(str::to_owned),
            path_style,
            region: "eu-west-3".to_owned(),
            ..test.bucket.settings()
        };
        let blobs = test.bucket.blobs().signing(&settings, connect::BucketConnector).unwrap();
        let address =
            blobs.signed("media/a b", ("audio/mpeg", "inline"), Duration::from_secs(60)).await.unwrap().unwrap();
        let origin = blobs.origin_for_visitors().unwrap();
        let path = address.strip_prefix(origin).unwrap_or_else(|| panic!("{address} is not below {origin}"));
        assert!(path.starts_with('/'), "{address}");
    }
}

#[app_test]
async fn a_batch_of_roadbooks_is_printed_by_one_server_and_read_from_another(test: BucketApp) {
    let printing = test.app.changed(|parts| {
        parts.blobs = test.bucket.blobs();
        parts.renderer = Some(Arc::new(InProcessRenderer));
    });
    let (agency, parcours) = (printing.agency_of("morvan"), crate::roadbook::trip(&printing).await);
    let begun = agency.post(BATCHES, json!({"filter": {"progress": "any"}})).await.expect(201).json();
    outputs::roadbook::batch::settle(printing.app()).await.unwrap();
    let reading = another(&test).agency_of("morvan");
    let at = format!("{BATCHES}/{}", begun["id"]);
    let made = reading.get(&at).await.expect(200).json();
    assert_eq!((&made["state"], &made["printed"]), (&json!("done"), &json!(1)));
    let zip = reading.get(format!("{at}/file")).await.expect(200);
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&zip.bytes)).unwrap();
    let first = archive.by_index(0).unwrap();
    assert!(first.name().unwrap().ends_with(&format!("-{}.pdf", parcours["id"])));
    reading.delete(&at).await.expect(204);
    assert_eq!(test.bucket.keys("roadbook-batches").await, Vec::<String>::new(), "nothing stays in the bucket");
}

#[app_test]
async fn a_batch_waits_for_an_unreachable_bucket_and_leaves_no_roadbook_out(test: BucketApp) {
    let printing = test.app.changed(|parts| {
        parts.blobs = test.bucket.blobs();
        parts.renderer = Some(Arc::new(InProcessRenderer));
    });
    let (agency, editor) = (printing.agency_of("morvan"), printing.editor_of("morvan"));
    let parcours = crate::roadbook::trip(&printing).await;
    let photo = uploaded(&editor, samples::jpeg(1600, 1000)).await;
    content::media::work::settle(printing.app()).await.unwrap();
    let parcours = crate::parcours_kit::now(&editor, &parcours).await;
    crate::parcours_kit::patch(&editor, &parcours, json!({"media_ids": [photo["id"]]})).await;
    let begun = agency.post(BATCHES, json!({"filter": {"progress": "any"}})).await.expect(201).json();
    let at = format!("{BATCHES}/{}", begun["id"]);
    let settled = async || {
        outputs::roadbook::batch::settle(printing.app()).await.unwrap();
        agency.get(&at).await.expect(200).json()
    };
    test.bucket.fail_with(503);
    let waits = settled().await;
    assert_eq!((&waits["state"], &waits["printed"], &waits["done"]), (&json!("running"), &json!(0), &json!(0)));
    test.bucket.recover();
    printing.clock().advance_s(60);
    let made = settled().await;
    assert_eq!((&made["state"], &made["printed"], &made["refused"]), (&json!("done"), &json!(1), &json!([])));
}

#[app_test]
async fn a_bucket_that_fails_is_a_503_that_says_so_and_the_next_try_succeeds(test: BucketApp) {
    let editor = test.app.editor_of("morvan");
    let media = uploaded(&editor, samples::jpeg(1300, 900)).await;
    let original = media["url"].as_str().unwrap();
    for status in [500, 503, 403] {
        test.bucket.fail_with(status);
        let reply = editor.get(original).await.expect(503);
        assert_eq!((reply.header("retry-after"), reply.problem().code.as_str()), ("10", "storage/unavailable"));
        let refused = editor.post_bytes(format!("{MEDIAS}?file_name=b.jpg"), samples::jpeg(1300, 910)).await;
        assert_eq!(refused.expect(503).problem().code, "storage/unavailable", "{status}");
    }
    // What does not need the bucket works.
    assert_eq!(editor.get(MEDIAS).await.expect(200).json()["total"], 1);
    test.bucket.recover();
    editor.get(original).await.expect(200);
    let gone = test.app.changed(|parts| parts.blobs = test.bucket.blobs_with(|set| set.bucket = "gone".to_owned()));
    assert_eq!(gone.editor_of("morvan").get(original).await.expect(503).problem().code, "storage/unavailable");
    let away = test.bucket.blobs_with(|set| set.endpoint = Some("http://127.0.0.1:1".to_owned()));
    let away = test.app.changed(|parts| parts.blobs = away);
    assert_eq!(away.editor_of("morvan").get(original).await.expect(503).problem().code, "storage/unavailable");
}

#[app_test]
async fn a_picture_of_an_import_waits_for_an_unreachable_bucket(test: BucketApp) {
    let picture = samples::jpeg(1400, 900);
    let bucket = Arc::clone(&test.bucket);
    let fails_once = AtomicBool::new(true);
    let pictures = Stub::start(move |_, _| {
        if fails_once.swap(false, Ordering::Relaxed) {
            bucket.fail_with(503);
        }
        picture.clone().into()
    });
    let mut trek = trek(1, "La boucle du lac");
    trek["attachments"] = json!([{"type": "image", "url": format!("{}/lac.jpg", pictures.url), "legend": "Le lac"}]);
    let treks = geotrek(&Arc::new(Mutex::new(vec![trek])));
    let editor = test.app.editor_of("morvan");
    let source = source(&editor, json!({"url": format!("{}/", treks.url)})).await;
    let run = run_source(&test.app, &editor, &source).await;
    assert_eq!(run["state"], "running", "it is not lost, and not done: {run}");
    test.bucket.recover();
    test.app.clock().advance_s(60);
    let run = settled(&test.app, &editor, &run).await;
    assert_eq!((&run["state"], &run["error_count"]), (&json!("done"), &json!(0)), "{run}");
    assert_eq!(editor.get(MEDIAS).await.expect(200).json()["total"], 1);
}

fn tus_client(client: &Client) -> Client {
    client.clone().with("tus-resumable", "1.0.0")
}

async fn create_upload(by: &Client, bytes: usize) -> String {
    let client =
        tus_client(by).with("upload-length", &bytes.to_string()).with("upload-metadata", "filename bGFjLmpwZw==");
    client.send(Method::POST, UPLOADS, None, Body::empty()).await.expect(201).header("location").to_owned()
}

async fn send_piece(by: &Client, place: &str, offset: usize, bytes: &[u8]) -> Reply {
    let client = tus_client(by).with("upload-offset", &offset.to_string());
    client.send(Method::PATCH, place, Some("application/offset+octet-stream"), Body::from(bytes.to_vec())).await
}

#[app_test]
async fn pieces_of_an_upload_arrive_at_two_servers_in_turn(test: BucketApp) {
    let other = another(&test);
    let servers = [test.app.editor_of("morvan"), other.editor_of("morvan")];
    let bytes = samples::jpeg(1600, 1200);
    let place = create_upload(&servers[0], bytes.len()).await;
    let size = bytes.len() / 7 + 1;
    for (turn, part) in bytes.chunks(size).enumerate() {
        let (here, there) = (&servers[turn % 2], &servers[(turn + 1) % 2]);
        let reply = send_piece(here, &place, turn * size, part).await.expect(204);
        let end = turn * size + part.len();
        assert_eq!(reply.header("upload-offset"), end.to_string());
        let known = tus_client(there).send(Method::HEAD, &place, None, Body::empty()).await.expect(200);
        assert_eq!(known.header("upload-offset"), end.to_string(), "the other server knows it at once");
    }
    for server in &servers {
        let done = server.get(&place).await.expect(200).json();
        assert_eq!(done["state"], "done");
        let media = server.get(format!("{MEDIAS}/{}", done["media_id"])).await.expect(200).json();
        assert_eq!(server.get(media["url"].as_str().unwrap()).await.expect(200).bytes, bytes);
    }
    assert_eq!(servers[0].get(MEDIAS).await.json()["total"], 1, "one media");
    assert_eq!(test.bucket.keys("upload").await, Vec::<String>::new(), "no piece is left");
}

#[app_test]
async fn a_piece_sent_to_two_servers_is_stored_once(test: BucketApp) {
    let other = another(&test);
    let servers = [test.app.editor_of("morvan"), other.editor_of("morvan")];
    let bytes = samples::jpeg(1600, 1200);
    let place = create_upload(&servers[0], bytes.len()).await;
    let half = bytes.len() / 2;
    for (from, to) in [(0, half), (half, bytes.len())] {
        let part = &bytes[from..to];
        let (a, b) =
            tokio::join!(send_piece(&servers[0], &place, from, part), send_piece(&servers[1], &place, from, part));
        let mut statuses = [a.status.as_u16(), b.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [204, 409]);
        let late = if a.status == 409 { a } else { b };
        assert_eq!(late.problem().params["offset"], json!(to), "it learns where to go on");
    }
    assert_eq!(servers[1].get(&place).await.expect(200).json()["state"], "done");
    assert_eq!(servers[0].get(MEDIAS).await.json()["total"], 1);
    assert_eq!(test.bucket.keys("upload").await, Vec::<String>::new(), "the piece that came second is deleted");
}

#[app_test]
async fn an_upload_survives_a_failing_bucket_and_an_abandoned_one_leaves_no_object(test: BucketApp) {
    let editor = test.app.editor_of("morvan");
    let bytes = samples::jpeg(1300, 900);
    let place = create_upload(&editor, bytes.len()).await;
    send_piece(&editor, &place, 0, &bytes[..1000]).await.expect(204);
    test.bucket.fail_with(503);
    let refused = send_piece(&editor, &place, 1000, &bytes[1000..]).await.expect(503).problem();
    assert_eq!(refused.code, "storage/unavailable");
    test.bucket.recover();
    assert_eq!(editor.get(&place).await.expect(200).json()["offset"], 1000);
    send_piece(&editor, &place, 1000, &bytes[1000..]).await.expect(204);
    assert_eq!(editor.get(&place).await.expect(200).json()["state"], "done");

    // Given up, expired, or left behind by a server that stopped in the middle.
    let given_up = create_upload(&editor, 10).await;
    send_piece(&editor, &given_up, 0, b"12345").await.expect(204);
    tus_client(&editor).delete(&given_up).await.expect(204);
    assert_eq!(test.bucket.keys("upload").await, Vec::<String>::new());
    let expired = create_upload(&editor, 10).await;
    send_piece(&editor, &expired, 0, b"12345").await.expect(204);
    assert_eq!(test.bucket.keys("upload").await.len(), 1);
    test.app.app().blobs.put("upload/x/never-added", b"12".to_vec()).await.unwrap();
    let never_added = store::upload::Piece { blob_key: "upload/x/never-added".to_owned(), first_byte: 0, bytes: 2 };
    let tx = test.app.store().begin().await.unwrap();
    store::upload::announce_piece(&tx, "x", &never_added, test.app.app().now()).await.unwrap();
    tx.commit().await.unwrap();
    api::tidy::tidy(test.app.app()).await.unwrap();
    assert_eq!(test.bucket.keys("upload").await.len(), 2, "they may still be needed");
    test.app.clock().advance_s(3 * 24 * 3600);
    api::tidy::tidy(test.app.app()).await.unwrap();
    assert_eq!(test.bucket.keys("upload").await, Vec::<String>::new());
}

#[app_test]
async fn blobs_of_media_and_traces_are_verified_and_are_no_orphans(test: BucketApp) {
    let app = &test.app;
    uploaded(&app.editor_of("morvan"), samples::jpeg(1300, 900)).await;
    content::media::work::settle(app.app()).await.unwrap();
    crate::roadbook::trip(app).await;
    let (db, blobs) = (app.store().read(), test.bucket.blobs());
    let verify = async || store::blob_check::verify(db, &blobs, content::parcours::trace::source_key).await.unwrap();
    let found = verify().await;
    assert!(found.missing.is_empty() && found.needed > 3, "{found:?}");
    let later = domain::Instant(i64::MAX);
    assert_eq!(store::blob_check::sweep(db, &blobs, later).await.unwrap().orphans, []);
    let source = test.bucket.keys("sources").await.remove(0);
    blobs.delete(&source).await.unwrap();
    assert_eq!(verify().await.missing, [source]);
}
