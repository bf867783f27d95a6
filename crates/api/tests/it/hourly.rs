//! Jobs that run every hour on one of the servers, and what each server does with its own files.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::fs::File;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use domain::media::MediaPurpose;
use macros::app_test;
use serde_json::{Value, json};
use store::upload::{self, Upload};
use testkit::TestApp;

async fn jobs(app: &TestApp) -> Vec<Value> {
    app.superadmin().get("/api/v1/jobs").await.expect(200).json()["items"].as_array().unwrap().clone()
}

#[app_test]
async fn servers_share_the_hourly_jobs_and_a_cancelled_one_leaves_out_one_time(app: TestApp) {
    let other = app.changed(|_| {});
    for server in [&app, &other] {
        api::job::enqueue_hourly(server.app()).await.unwrap();
    }
    api::job::settle(app.app()).await.unwrap();
    api::job::settle(other.app()).await.unwrap();
    let waiting = jobs(&app).await;
    let kinds: Vec<&str> = waiting.iter().filter_map(|job| job["kind"].as_str()).collect();
    assert_eq!(kinds, ["blob_sweep", "campaign_mails", "trace_check", "erase_expired"]);
    assert!(waiting.iter().all(|job| job["run_after"] == json!(testkit::NOW.plus_s(3_600))));
    let cancel = format!("/api/v1/jobs/{}/cancel", waiting[2]["id"]);
    assert_eq!(app.superadmin().post(cancel, json!({})).await.expect(200).json()["state"], "cancelled");
    let after = jobs(&app).await;
    assert_eq!((after.len(), &after[0]["kind"], &after[0]["state"]), (5, &json!("trace_check"), &json!("waiting")));
}

#[app_test]
async fn orphan_blobs_are_deleted_once_a_day_after_a_week(app: TestApp) {
    let blobs = &app.app().blobs;
    let editor = app.editor_of("morvan");
    editor.post_bytes("/api/v1/medias?file_name=a.jpg", testkit::samples::jpeg(1300, 900)).await.expect(201);
    blobs.put("media/left-by-a-server-that-stopped", b"x".to_vec()).await.unwrap();
    let fresh = async || blobs.get("media/left-by-a-server-that-stopped").await.unwrap().is_some();
    api::job::enqueue_hourly(app.app()).await.unwrap();
    app.clock().advance_s(3_600);
    api::job::settle(app.app()).await.unwrap();
    assert!(fresh().await, "it may still be noted");
    // The blob is as old as its file: the clock of the tests is moved behind it.
    #[expect(clippy::disallowed_methods, reason = "a file is as old as the clock of the machine says")]
    let later = std::time::SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() as i64 + 8 * 86_400;
    app.clock().advance_s(later - app.app().now().0);
    api::job::settle(app.app()).await.unwrap();
    assert!(!fresh().await);
    let kept =
        store::blob_check::verify(app.store().read(), blobs, content::parcours::trace::source_key).await.unwrap();
    assert!(kept.needed > 0 && kept.missing.is_empty(), "{kept:?}");
}

#[app_test]
async fn blobs_of_which_the_database_names_none_are_not_deleted(app: TestApp) {
    let blobs = &app.app().blobs;
    blobs.put("media/of-another-installation", b"x".to_vec()).await.unwrap();
    #[expect(clippy::disallowed_methods, reason = "a file is as old as the clock of the machine says")]
    let later = std::time::SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() as i64 + 8 * 86_400;
    app.clock().advance_s(later - app.app().now().0);
    api::job::enqueue_hourly(app.app()).await.unwrap();
    app.clock().advance_s(3_600);
    api::job::settle(app.app()).await.unwrap();
    assert!(blobs.get("media/of-another-installation").await.unwrap().is_some());
    let tomorrow = json!(app.app().now().plus_s(86_400));
    assert!(jobs(&app).await.iter().any(|job| job["kind"] == "blob_sweep" && job["run_after"] == tomorrow));
}

#[app_test]
async fn each_server_deletes_the_uploads_that_an_older_version_left_in_its_folder(app: TestApp) {
    let (white_label_id, user_id) = (app.white_label("morvan").await, app.user(domain::Role::Editor, "morvan").await);
    let upload = |token: &str, expires_at| Upload {
        token: token.to_owned(),
        user_id,
        white_label_id,
        file_name: "a.jpg".to_owned(),
        purpose: MediaPurpose::Content,
        bytes: 3,
        received: 0,
        expires_at,
        media_id: None,
        problem: None,
    };
    let tx = app.store().begin().await.unwrap();
    upload::insert(&tx, &upload("over", testkit::NOW)).await.unwrap();
    upload::insert(&tx, &upload("underway", testkit::NOW.plus_s(60))).await.unwrap();
    tx.commit().await.unwrap();
    let folder = app.scratch().path().join("of-the-other");
    let other = app.changed(|parts| parts.uploads.clone_from(&folder));
    let folders = [app.app().uploads.clone(), folder];
    for folder in &folders {
        std::fs::create_dir_all(folder).unwrap();
        for name in ["over", "underway", "unknown", "in-work.tmp"] {
            written(&folder.join(name), 7_200);
        }
        written(&folder.join("fresh"), 60);
    }
    api::job::enqueue_hourly(app.app()).await.unwrap();
    api::job::settle(app.app()).await.unwrap();
    for server in [&app, &other] {
        api::tidy::own_files(server.app()).await.unwrap();
    }
    for folder in &folders {
        assert_eq!(names(folder), ["fresh", "in-work.tmp", "underway"]);
    }
}

/// Makes a file with an age in seconds.
fn written(path: &Path, ago_s: i64) {
    let at_s = u64::try_from(testkit::NOW.0 - ago_s).unwrap();
    File::create(path).unwrap().set_modified(UNIX_EPOCH + Duration::from_secs(at_s)).unwrap();
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
