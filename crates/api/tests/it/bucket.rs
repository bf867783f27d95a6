//! The application with its blobs in an S3 bucket.

use std::sync::Arc;

use macros::app_test;
use serde_json::{Value, json};
use testkit::{BucketApp, Client, InProcessRenderer, TestApp, samples};

const MEDIAS: &str = "/api/v1/medias";
const BATCHES: &str = "/api/v1/roadbook-batches";

async fn brought(by: &Client, bytes: Vec<u8>) -> Value {
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
    let media = brought(&editor, bytes.clone()).await;
    api::media::work::settle(other.app()).await.unwrap();
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
    assert!(!test.bucket.keys("media").is_empty() && !app.scratch().path().join("blobs/media").exists());
}

#[app_test]
async fn a_batch_of_roadbooks_is_printed_by_one_server_and_read_from_another(test: BucketApp) {
    let printing = test.app.changed(|parts| {
        parts.blobs = test.bucket.blobs();
        parts.renderer = Some(Arc::new(InProcessRenderer));
    });
    let (agency, parcours) = (printing.agency_of("morvan"), crate::roadbook::trip(&printing).await);
    let begun = agency.post(BATCHES, json!({"filter": {"progress": "any"}})).await.expect(201).json();
    api::roadbook::batch::settle(printing.app()).await.unwrap();
    let reading = another(&test).agency_of("morvan");
    let at = format!("{BATCHES}/{}", begun["id"]);
    let made = reading.get(&at).await.expect(200).json();
    assert_eq!((&made["state"], &made["printed"]), (&json!("done"), &json!(1)));
    let zip = reading.get(format!("{at}/file")).await.expect(200);
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&zip.bytes)).unwrap();
    let first = archive.by_index(0).unwrap();
    assert!(first.name().unwrap().ends_with(&format!("-{}.pdf", parcours["id"])));
    reading.delete(&at).await.expect(204);
    assert_eq!(test.bucket.keys("roadbook-batches"), Vec::<String>::new(), "nothing stays in the bucket");
}

#[app_test]
async fn a_bucket_that_fails_is_a_503_that_says_so_and_the_next_try_succeeds(test: BucketApp) {
    let editor = test.app.editor_of("morvan");
    let media = brought(&editor, samples::jpeg(1300, 900)).await;
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
