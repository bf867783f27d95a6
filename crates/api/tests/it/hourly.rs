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
    assert_eq!(kinds, ["trace_check", "erase_expired"]);
    let next: Vec<&Value> = waiting.iter().map(|job| &job["run_after"]).collect();
    assert_eq!(next, [&json!(testkit::NOW.plus_s(3_600)), &json!(testkit::NOW.plus_s(3_600))]);
    let cancel = format!("/api/v1/jobs/{}/cancel", waiting[0]["id"]);
    assert_eq!(app.superadmin().post(cancel, json!({})).await.expect(200).json()["state"], "cancelled");
    let after = jobs(&app).await;
    assert_eq!((after.len(), &after[0]["kind"], &after[0]["state"]), (3, &json!("trace_check"), &json!("waiting")));
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

/// Makes a file that was last written so many seconds ago.
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
