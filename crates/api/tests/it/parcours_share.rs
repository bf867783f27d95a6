//! Sharing a parcours.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use domain::share::ShareKind;
use domain::{Instant, ParcoursId, Role};
use macros::app_test;
use serde_json::{Value, json};
use store::share::Share;
use testkit::TestApp;

use crate::parcours_kit::{made, patched, path};

/// Makes shares of a parcours as older versions could: the rules of the operation do not hold. Each ends at an instant; a permanent one never.
async fn stored(app: &TestApp, parcours: &Value, ends: &[Option<Instant>]) -> Vec<Share> {
    let user = app.user(Role::Editor, "morvan").await;
    let id = ParcoursId(parcours["id"].as_i64().unwrap());
    let mut made = Vec::new();
    let tx = app.store().begin().await.unwrap();
    for &end in ends {
        let kind = if end.is_none() { ShareKind::Permanent } else { ShareKind::Temporary };
        let token = app::token::new_token();
        made.push(store::share::insert(&tx, id, kind, &token, user, app.app().now(), end).await.unwrap());
    }
    tx.commit().await.unwrap();
    made
}

#[app_test]
async fn a_temporary_share_expires_and_a_permanent_one_does_not(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "L’étang du Cœur", json!({})).await;
    let shares = format!("{}/shares", path(&parcours));
    let permanent = editor.post(&shares, json!({"kind": "permanent"})).await.expect(201).json();
    let again = editor.post(&shares, json!({"kind": "permanent"})).await.expect(201).json();
    assert_eq!(again["token"], permanent["token"], "its address is stable");
    let week = editor.post(&shares, json!({"kind": "temporary", "days": 7})).await.expect(201).json();
    assert_eq!((&week["state"], &week["expires_at"]), (&json!("active"), &json!("2026-11-27T08:00:00Z")));
    assert!(week["token"].as_str().unwrap().len() >= 26 && week["token"] != permanent["token"]);
    let untitled = patched(&editor, &parcours, json!({"title": {"fr": ""}})).await.expect(422).problem();
    assert_eq!(untitled.errors[0].code, "parcours/title-required-to-share", "a link shows it");
    // The application a week later: people sign in again.
    let later = app.changed(|_| {});
    later.clock().advance_s(7 * 86_400);
    let listed = later.reader_of("morvan").get(&shares).await.expect(200).json();
    assert_eq!(
        (&listed["permanent"]["state"], &listed["temporary"][0]["state"]),
        (&json!("active"), &json!("expired"))
    );
    assert_eq!(listed["public_url"], format!("http://localhost:8080/p/l-etang-du-coeur-{}", parcours["id"]));
}

#[app_test]
async fn a_share_is_revoked_once(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let shares = format!("{}/shares", path(&parcours));
    let share = editor.post(&shares, json!({"kind": "temporary", "days": 1})).await.expect(201).json();
    let one = format!("{shares}/{}", share["id"]);
    editor.delete(&one).await.expect(204);
    assert_eq!(editor.delete(&one).await.expect(404).problem().code, "share/not-found");
    let listed = editor.get(&shares).await.expect(200).json();
    assert_eq!(
        (&listed["temporary"][0]["state"], &listed["temporary"][0]["created_by"]["name"]),
        (&json!("revoked"), &json!("Camille editor"))
    );
}

#[app_test]
async fn a_share_needs_a_title_and_lasts_one_seven_or_thirty_days(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = editor.post("/api/v1/parcours", json!({"title": {"en": "Lake"}})).await.expect(201).json();
    let shares = format!("{}/shares", path(&parcours));
    let refused = editor.post(&shares, json!({"kind": "permanent"})).await.expect(422).problem();
    assert_eq!(refused.code, "parcours/title-required-to-share");
    for days in [json!(null), json!(2), json!(-1)] {
        let refused = editor.post(&shares, json!({"kind": "temporary", "days": days})).await.expect(422).problem();
        assert_eq!(refused.errors[0].code, "share/days");
    }
    assert_eq!(
        app.reader_of("morvan").post(&shares, json!({"kind": "permanent"})).await.expect(403).problem().code,
        "auth/forbidden"
    );
}

#[app_test]
async fn a_share_is_drawn_as_a_qr_code(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let share =
        editor.post(format!("{}/shares", path(&parcours)), json!({"kind": "permanent"})).await.expect(201).json();
    let qr = format!("{}/shares/{}/qr", path(&parcours), share["id"]);
    let svg = editor.get(format!("{qr}.svg")).await.expect(200);
    assert_eq!(svg.header("content-type"), "image/svg+xml");
    assert!(svg.text().starts_with("<svg"));
    let png = editor.get(format!("{qr}.png?size=600")).await.expect(200);
    assert!(png.bytes.starts_with(b"\x89PNG"));
    editor.get(format!("{}/shares/999/qr.svg", path(&parcours))).await.expect(404);
}

#[app_test]
async fn a_permanent_share_is_shown_and_ended_however_many_links_came_after_it(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let shares = format!("{}/shares", path(&parcours));
    let permanent = editor.post(&shares, json!({"kind": "permanent"})).await.expect(201).json();
    let week = editor.post(&shares, json!({"kind": "temporary", "days": 7})).await.expect(201).json();
    stored(&app, &parcours, &[Some(app.app().now()); 201]).await;
    let listed = editor.get(&shares).await.expect(200).json();
    assert_eq!(listed["permanent"]["id"], permanent["id"]);
    let temporary = listed["temporary"].as_array().unwrap();
    assert_eq!((temporary.len(), &temporary[0]["id"]), (200, &week["id"]), "those that work come first");
    let again = editor.post(&shares, json!({"kind": "permanent"})).await.expect(201).json();
    assert_eq!(again["id"], permanent["id"]);
    editor.delete(format!("{shares}/{}", permanent["id"])).await.expect(204);
    assert_eq!(editor.get(&shares).await.json()["permanent"], json!(null));
}

#[app_test]
async fn with_the_permanent_share_that_is_shown_the_others_of_an_older_version_end(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let other = made(&editor, "Étang", json!({})).await;
    let shares = format!("{}/shares", path(&parcours));
    let week = app.app().now().plus_s(7 * 86_400);
    let old = stored(&app, &parcours, &[None, Some(week), None]).await;
    let of_other = stored(&app, &other, &[None]).await;
    let is_live = async |share: &Share| {
        let found = store::share::by_token(app.store().read(), &share.token).await.unwrap().unwrap();
        found.revoked_at.is_none()
    };
    let listed = editor.get(&shares).await.expect(200).json();
    assert_eq!(listed["permanent"]["id"], json!(old[2].id));
    // A temporary one ends alone.
    editor.delete(format!("{shares}/{}", old[1].id)).await.expect(204);
    assert!(is_live(&old[0]).await && !is_live(&old[1]).await && is_live(&old[2]).await);
    editor.delete(format!("{shares}/{}", old[2].id)).await.expect(204);
    assert!(!is_live(&old[0]).await && !is_live(&old[2]).await && is_live(&of_other[0]).await);
    assert_eq!(editor.delete(format!("{shares}/{}", old[2].id)).await.expect(404).problem().code, "share/not-found");
}

#[app_test]
async fn a_parcours_has_a_hundred_temporary_shares_that_work(app: TestApp) {
    let other = app.changed(|_| {});
    let (editor, elsewhere) = (app.editor_of("morvan"), other.editor_of("morvan"));
    let parcours = made(&editor, "Lac", json!({})).await;
    let shares = format!("{}/shares", path(&parcours));
    let now = app.app().now();
    stored(&app, &parcours, &[Some(now); 3]).await;
    let live = stored(&app, &parcours, &[Some(now.plus_s(86_400)); 99]).await;
    let ask = || json!({"kind": "temporary", "days": 1});
    // Two servers at once make one.
    let (one, two) = tokio::join!(editor.post(&shares, ask()), elsewhere.post(&shares, ask()));
    let mut answers = [one.status.as_u16(), two.status.as_u16()];
    answers.sort_unstable();
    assert_eq!(answers, [201, 409]);
    let refused = editor.post(&shares, ask()).await.expect(409).problem();
    assert_eq!((refused.code.as_str(), &refused.params["max"]), ("share/too-many", &json!(100)));
    editor.post(&shares, json!({"kind": "permanent"})).await.expect(201);
    editor.delete(format!("{shares}/{}", live[0].id)).await.expect(204);
    editor.post(&shares, ask()).await.expect(201);
}
