//! Uploads in pieces: the tus 1.0 protocol.

use axum::body::Body;
use axum::http::Method;
use macros::app_test;
use serde_json::json;
use testkit::{Client, Reply, TestApp, samples};

const PATH: &str = "/api/v1/uploads";

fn tus_client(client: &Client) -> Client {
    client.clone().with("tus-resumable", "1.0.0")
}

/// `filename lac.jpg`, as the protocol writes it.
const NAMED: &str = "filename bGFjLmpwZw==,filetype aW1hZ2UvanBlZw==";

async fn create_upload(by: &Client, bytes: usize) -> String {
    let client = tus_client(by).with("upload-length", &bytes.to_string()).with("upload-metadata", NAMED);
    let reply = client.send(Method::POST, PATH, None, Body::empty()).await.expect(201);
    assert_eq!(reply.header("tus-resumable"), "1.0.0");
    assert_eq!(reply.header("upload-expires"), "Mon, 23 Nov 2026 08:00:00 GMT");
    reply.header("location").to_owned()
}

async fn send_piece(by: &Client, place: &str, offset: usize, bytes: &[u8]) -> Reply {
    let client = tus_client(by).with("upload-offset", &offset.to_string());
    client.send(Method::PATCH, place, Some("application/offset+octet-stream"), Body::from(bytes.to_vec())).await
}

async fn offset(by: &Client, place: &str) -> String {
    let reply = tus_client(by).send(Method::HEAD, place, None, Body::empty()).await.expect(200);
    assert_eq!(reply.header("cache-control"), "no-store");
    reply.header("upload-offset").to_owned()
}

#[app_test]
async fn an_upload_in_pieces_continues_after_the_server_was_killed(app: TestApp) {
    let editor = app.editor_of("morvan");
    let bytes = samples::jpeg(1300, 900);
    let place = create_upload(&editor, bytes.len()).await;
    send_piece(&editor, &place, 0, &bytes[..5000]).await.expect(204);
    assert_eq!(offset(&editor, &place).await, "5000");
    // Another server over the same blobs and database.
    let again = app.changed(|_| {});
    let editor = again.editor_of("morvan");
    assert_eq!(offset(&editor, &place).await, "5000");
    assert_eq!(editor.get(&place).await.expect(200).json()["state"], "receiving");
    let wrong = send_piece(&editor, &place, 4000, &bytes[4000..]).await.expect(409).problem();
    assert_eq!((wrong.code.as_str(), &wrong.params["offset"]), ("upload/offset", &json!(5000)));
    let last = send_piece(&editor, &place, 5000, &bytes[5000..]).await.expect(204);
    assert_eq!(last.header("upload-offset"), bytes.len().to_string());
    let done = editor.get(&place).await.expect(200).json();
    assert_eq!(done["state"], "done");
    let media = editor.get(format!("/api/v1/medias/{}", done["media_id"])).await.expect(200).json();
    assert_eq!((&media["file_name"], &media["width"]), (&json!("lac.jpg"), &json!(1300)));
    assert_eq!(editor.get(media["url"].as_str().unwrap()).await.bytes, bytes);
    assert_eq!(std::fs::read_dir(app.scratch().path().join("uploads")).unwrap().count(), 0, "nothing is left behind");
}

#[app_test]
async fn a_complete_upload_is_not_lost_when_the_server_is_killed(app: TestApp) {
    let editor = app.editor_of("morvan");
    let bytes = samples::wav(1);
    let place = create_upload(&editor, bytes.len()).await;
    let token = place.rsplit('/').next().unwrap();
    let piece = store::upload::Piece { blob_key: "upload/a".to_owned(), first_byte: 0, bytes: bytes.len() as u64 };
    app.app().blobs.put(&piece.blob_key, bytes).await.unwrap();
    let tx = app.store().begin().await.unwrap();
    store::upload::announce_piece(&tx, token, &piece, app.app().now()).await.unwrap();
    assert!(store::upload::add_piece(&tx, token, &piece).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(editor.get(&place).await.expect(200).json()["state"], "done");
    assert_eq!(editor.get("/api/v1/medias").await.json()["total"], 1);
    editor.get(&place).await.expect(200);
    assert_eq!(editor.get("/api/v1/medias").await.json()["total"], 1, "once");
}

#[app_test]
async fn a_file_waits_a_minute_for_a_server_that_died_while_it_made_the_media_and_becomes_one(app: TestApp) {
    let editor = app.editor_of("morvan");
    let bytes = samples::jpeg(1300, 900);
    let place = create_upload(&editor, bytes.len()).await;
    let token = place.rsplit('/').next().unwrap();
    let piece = store::upload::Piece { blob_key: "upload/b".to_owned(), first_byte: 0, bytes: bytes.len() as u64 };
    app.app().blobs.put(&piece.blob_key, bytes).await.unwrap();
    let now = app.app().now();
    let tx = app.store().begin().await.unwrap();
    store::upload::announce_piece(&tx, token, &piece, now).await.unwrap();
    assert!(store::upload::add_piece(&tx, token, &piece).await.unwrap());
    // As a server does that dies then.
    assert!(store::upload::claim(&tx, token, now, now.plus_s(60)).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(editor.get(&place).await.expect(200).json()["state"], "processing");
    app.clock().advance_s(61);
    let done = editor.get(&place).await.expect(200).json();
    assert_eq!(done["state"], "done");
    // A server that was only slow loses its lease: its transaction is rolled back, and no second media is made.
    let tx = app.store().begin().await.unwrap();
    let late = domain::MediaId(done["media_id"].as_i64().unwrap());
    assert!(!store::upload::end(&tx, token, Ok(late)).await.unwrap());
    assert!(!store::upload::end(&tx, token, Err("{}".to_owned())).await.unwrap());
    drop(tx);
    assert_eq!(editor.get("/api/v1/medias").await.json()["total"], 1);
}

#[app_test]
async fn a_refused_upload_is_reported_with_the_last_piece_and_afterwards(app: TestApp) {
    let editor = app.editor_of("morvan");
    let bytes = samples::jpeg(640, 480);
    let place = create_upload(&editor, bytes.len()).await;
    let refused = send_piece(&editor, &place, 0, &bytes).await.expect(422).problem();
    assert_eq!(refused.code, "media/too-small");
    let answer = editor.get(&place).await.expect(200).json();
    assert_eq!((&answer["state"], &answer["problem"]["code"]), (&json!("refused"), &json!("media/too-small")));
    assert_eq!(answer["problem"]["params"]["min_width"], 1200);
}

#[app_test]
async fn an_upload_belongs_to_its_user_and_expires(app: TestApp) {
    let editor = app.editor_of("morvan");
    let place = create_upload(&editor, 10).await;
    app.agency_of("morvan").get(&place).await.expect(404);
    send_piece(&app.editor_of("vercors"), &place, 0, b"x").await.expect(404);
    tus_client(&editor).delete(&place).await.expect(204);
    editor.get(&place).await.expect(404);
    let place = create_upload(&editor, 10).await;
    let token = place.rsplit('/').next().unwrap();
    let (user, later) = (app.user(domain::Role::Editor, "morvan").await, app.app().now().plus_s(3 * 24 * 3600));
    let found = store::upload::find(app.store().read(), token, user, later).await.unwrap();
    assert_eq!(found, None);
    let tx = app.store().begin().await.unwrap();
    assert_eq!(store::upload::expire(&tx, later).await.unwrap(), [token]);
}

#[app_test]
async fn the_tus_protocol_is_followed(app: TestApp) {
    let editor = app.editor_of("morvan");
    let answer = app.anonymous().send(Method::OPTIONS, PATH, None, Body::empty()).await.expect(204);
    assert_eq!(
        (answer.header("tus-version"), answer.header("tus-extension")),
        ("1.0.0", "creation,termination,expiration")
    );
    assert_eq!(answer.header("tus-max-size"), "500000000");
    let code = |reply: Reply, status: u16| reply.expect(status).problem().code;
    assert_eq!(code(editor.send(Method::POST, PATH, None, Body::empty()).await, 412), "upload/other-version");
    assert_eq!(code(tus_client(&editor).send(Method::POST, PATH, None, Body::empty()).await, 400), "upload/bad-header");
    let huge =
        tus_client(&editor).with("upload-length", "500000001").send(Method::POST, PATH, None, Body::empty()).await;
    assert_eq!(code(huge, 413), "upload/too-large");
    let odd = tus_client(&editor).with("upload-length", "5").with("upload-metadata", "filename é");
    assert_eq!(odd.send(Method::POST, PATH, None, Body::empty()).await.status.as_u16(), 400);
    // `a\0.jpg` in Base64.
    let nul = tus_client(&editor).with("upload-length", "5").with("upload-metadata", "filename YQAuanBn");
    assert_eq!(code(nul.send(Method::POST, PATH, None, Body::empty()).await, 400), "upload/bad-header");
    let foreign = tus_client(&editor).with("upload-length", "5").with("upload-metadata", "white_label OTk5OTk=");
    assert_eq!(code(foreign.send(Method::POST, PATH, None, Body::empty()).await, 403), "record/white-label-not-yours");
    let place = create_upload(&editor, 5).await;
    let json = tus_client(&editor).with("upload-offset", "0").patch(&place, json!({})).await;
    assert_eq!(code(json, 415), "upload/not-a-piece");
    assert_eq!(code(send_piece(&editor, &place, 0, b"123456").await, 413), "upload/too-long");
    assert_eq!(offset(&editor, &place).await, "0", "nothing of what is too long stays");
}

async fn announced(by: &Client, bytes: u64) -> Reply {
    tus_client(by).with("upload-length", &bytes.to_string()).send(Method::POST, PATH, None, Body::empty()).await
}

#[app_test]
async fn a_person_has_a_hundred_unfinished_uploads(app: TestApp) {
    let other = app.changed(|_| {});
    let (editor, elsewhere) = (app.editor_of("morvan"), other.editor_of("morvan"));
    let bytes = samples::jpeg(1300, 900);
    let whole = create_upload(&editor, bytes.len()).await;
    let mut places = Vec::new();
    for _ in 0..98 {
        places.push(create_upload(&editor, 10).await);
    }
    // Two servers at once take one.
    let (one, two) = tokio::join!(announced(&editor, 10), announced(&elsewhere, 10));
    let mut answers = [one.status.as_u16(), two.status.as_u16()];
    answers.sort_unstable();
    assert_eq!(answers, [201, 409]);
    let refused = announced(&editor, 10).await.expect(409).problem();
    assert_eq!((refused.code.as_str(), &refused.params["max"]), ("upload/too-many", &json!(100)));
    announced(&app.agency_of("morvan"), 10).await.expect(201);
    // A cancelled one and a finished one free their places.
    tus_client(&editor).delete(&places[0]).await.expect(204);
    announced(&editor, 10).await.expect(201);
    announced(&editor, 10).await.expect(409);
    send_piece(&editor, &whole, 0, &bytes).await.expect(204);
    announced(&editor, 10).await.expect(201);
    announced(&editor, 10).await.expect(409);
}

#[app_test]
async fn the_unfinished_uploads_of_a_person_have_the_bytes_of_ten_of_the_largest_files(app: TestApp) {
    let editor = app.editor_of("morvan");
    for _ in 0..9 {
        announced(&editor, 500_000_000).await.expect(201);
    }
    announced(&editor, 499_999_999).await.expect(201);
    let refused = announced(&editor, 2).await.expect(409).problem();
    assert_eq!(
        (refused.code.as_str(), &refused.params["max_bytes"]),
        ("upload/too-many-bytes", &json!(5_000_000_000_u64))
    );
    announced(&editor, 1).await.expect(201);
}
