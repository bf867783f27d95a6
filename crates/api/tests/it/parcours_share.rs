//! Sharing a parcours.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use macros::app_test;
use serde_json::json;
use testkit::TestApp;

use crate::parcours_kit::{made, path};

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
