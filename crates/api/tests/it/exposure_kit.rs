//! Shared by the exposure tests: references that no request of today would write, and a search for camera metadata in bytes.

use domain::{MediaId, ParcoursId};
use serde_json::Value;
use store::record::Record;
use testkit::TestApp;

/// A parcours as stored, without the filters of the API.
pub async fn stored(app: &TestApp, parcours: &Value) -> store::parcours::Stored {
    let id = ParcoursId(parcours["id"].as_i64().expect("a number"));
    store::parcours::load(app.store().read(), id).await.unwrap().expect("it is there")
}

/// Saves a parcours past the checks of the API: a state that older data or faults elsewhere may leave.
pub async fn save_unchecked(app: &TestApp, parcours: &Value, change: impl FnOnce(&mut domain::parcours::Sheet)) {
    let before = stored(app, parcours).await;
    let mut after = before.clone();
    change(&mut after.sheet);
    let languages = ["fr".to_owned(), "en".to_owned()];
    let tx = app.store().begin().await.unwrap();
    let saved = store::parcours::Change { by: None, at: app.app().now(), reason: None, languages: &languages };
    store::parcours::save(&tx, &before, after, None, saved).await.unwrap();
    tx.commit().await.unwrap();
}

/// Saves a record past the checks of the API.
pub async fn save_record_unchecked<R: Record>(app: &TestApp, id: i64, change: impl FnOnce(&mut R::Sheet)) {
    let tx = app.store().begin().await.unwrap();
    let before = store::record::lock::<R>(&tx, id).await.unwrap().expect("it is there");
    let mut after = before.clone();
    change(&mut after.sheet);
    let languages = ["fr".to_owned(), "en".to_owned()];
    let saved = store::record::Change { by: None, at: app.app().now(), reason: None, languages: &languages };
    store::record::save::<R>(&tx, &before, after, saved).await.unwrap();
    tx.commit().await.unwrap();
}

/// Whether `bytes` contain `word`.
pub fn contains_bytes(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}

/// Fails when bytes contain Exif data or an XMP packet. The boxes of an AVIF name an item `Exif` even where it is empty.
pub fn assert_no_camera_metadata(what: &str, bytes: &[u8]) {
    let marks =
        [&b"Exif\0\0II"[..], b"Exif\0\0MM", b"eXIf", b"EXIF", b"http://ns.adobe.com/xap", b"<x:xmpmeta", b"<rdf:RDF"];
    let named = (!contains_bytes(bytes, b"ftypavif")).then_some(&b"Exif"[..]);
    for mark in marks.into_iter().chain(named) {
        assert!(!contains_bytes(bytes, mark), "{what} holds {}", String::from_utf8_lossy(mark));
    }
}

/// Whether a media is public.
pub async fn is_public(app: &TestApp, media: i64) -> bool {
    store::media::is_public(app.store().read(), MediaId(media)).await.unwrap()
}
