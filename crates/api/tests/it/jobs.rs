//! The list of jobs, and what administrators do with one.

use domain::job::JobState;
use macros::app_test;
use serde_json::{Value, json};
use store::job::NewJob;
use testkit::TestApp;

const JOBS: &str = "/api/v1/jobs";

/// A job of a kind that no server of these tests knows, or of mails.
async fn enqueued(app: &TestApp, kind: &'static str, white_label: Option<&str>) -> i64 {
    let white_label_id = match white_label {
        Some(slug) => Some(app.white_label(slug).await),
        None => None,
    };
    let job = NewJob { white_label_id, max_attempts: 3, total: Some(4), ..NewJob::new(kind, "{}", testkit::NOW) };
    let tx = app.store().begin().await.unwrap();
    let id = store::job::enqueue(&tx, &job, testkit::NOW).await.unwrap();
    tx.commit().await.unwrap();
    id
}

fn ids(list: &Value) -> Vec<i64> {
    list["items"].as_array().unwrap().iter().map(|job| job["id"].as_i64().unwrap()).collect()
}

#[app_test]
async fn an_administrator_sees_the_jobs_of_their_structure_and_counts_the_others(app: TestApp) {
    let ours = enqueued(&app, "of_the_next_release", Some("morvan")).await;
    let theirs = enqueued(&app, "of_the_next_release", Some("vercors")).await;
    let platform = enqueued(&app, "of_the_next_release", None).await;
    let seen = app.admin_of("morvan").get(JOBS).await.expect(200).json();
    assert_eq!(ids(&seen), [ours]);
    assert_eq!((&seen["counts"]["waiting"], &seen["others"]["waiting"]), (&json!(1), &json!(2)));
    let job = &seen["items"][0];
    assert_eq!((&job["is_known"], &job["reason"]["code"]), (&json!(false), &json!("job/unknown-kind")));
    assert_eq!((&job["white_label"]["id"], &job["total"]), (&json!(app.white_label("morvan").await.0), &json!(4)));
    assert_eq!(ids(&app.superadmin().get(JOBS).await.expect(200).json()), [platform, theirs, ours]);
    for action in ["retry", "cancel"] {
        for hidden in [theirs, platform] {
            let reply = app.admin_of("morvan").post(format!("{JOBS}/{hidden}/{action}"), json!({})).await;
            assert_eq!(reply.expect(404).problem().code, "job/not-found");
        }
    }
    let page = app.superadmin().get(format!("{JOBS}?per_page=2&state=waiting,dead")).await.expect(200).json();
    assert_eq!((ids(&page), &page["next_before"]), (vec![platform, theirs], &json!(theirs)));
    let next = app.superadmin().get(format!("{JOBS}?per_page=2&before={theirs}")).await.expect(200).json();
    assert_eq!((ids(&next), &next["next_before"]), (vec![ours], &json!(null)));
    for wrong in ["state=asleep", "per_page=0", "per_page=201"] {
        app.superadmin().get(format!("{JOBS}?{wrong}")).await.expect(400);
    }
}

#[app_test]
async fn a_dead_job_is_tried_again_and_a_waiting_one_cancelled(app: TestApp) {
    let admin = app.admin_of("morvan");
    // A mail whose sealed part is missing can never be sent.
    let id = enqueued(&app, "mail", Some("morvan")).await;
    api::job::settle(app.app()).await.unwrap();
    let dead = admin.get(format!("{JOBS}?state=dead&kind=mail")).await.expect(200).json();
    assert_eq!((ids(&dead), &dead["counts"]["dead"]), (vec![id], &json!(1)));
    assert_eq!(dead["items"][0]["reason"]["code"], "job/sealed-unreadable");
    let cancel = format!("{JOBS}/{id}/cancel");
    assert_eq!(admin.post(&cancel, json!({})).await.expect(409).problem().code, "job/ended");
    let again = admin.post(format!("{JOBS}/{id}/retry"), json!({})).await.expect(200).json();
    assert_eq!((&again["state"], &again["attempts"]), (&json!("waiting"), &json!(0)));
    let cancelled = admin.post(&cancel, json!({})).await.expect(200).json();
    assert_eq!((&cancelled["state"], cancelled["finished_at"].is_string()), (&json!("cancelled"), true));
    let retry = admin.post(format!("{JOBS}/{id}/retry"), json!({})).await;
    assert_eq!(retry.expect(409).problem().code, "job/not-retryable");
    // Both are in the journal of the white-label's structure.
    let journal = admin.get("/api/v1/audit-events?per_page=2").await.expect(200).json();
    let actions: Vec<_> = journal["items"].as_array().unwrap().iter().map(|event| &event["action"]).collect();
    assert_eq!(actions, ["job_cancelled", "job_retried"]);
    assert_eq!(journal["items"][0]["detail"], json!({"type": "job", "id": id, "kind": "mail"}));
    let job = store::job::find(app.store().read(), id).await.unwrap().unwrap();
    assert_eq!((job.state, job.reason), (JobState::Cancelled, None), "what it failed of was before it was tried again");
}
